"""Errors, links and entities of a document one by one: as rows of a listing, and as a scene of the page."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from operator import itemgetter, sub
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar, cast

from scorch2.analysis.error_report import (
    AnalysisRequest,
    Example,
    ListedRow,
    LosingEntities,
    LosingEntity,
    Scene,
    ShownSide,
    ShownText,
    of_sides,
)
from scorch2.analysis.heads import sentence_starts, tokens_of
from scorch2.analysis.kinds import KINDS, LOSES_RECALL, UNCOPIED, Located, Overlaps
from scorch2.analysis.links import FOUND, NO_LINK, PRECISION, RECALL, statuses
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.sides import LACKS, OrderedSide
from scorch2.model.document import Discontinuous, Document, Mention, Span
from scorch2.model.errors import InputError, counted
from scorch2.model.names import glued, span_names
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.evidence import refuse_numbers
from scorch2.scoring.metrics.entity_f1 import best_entities


class Names(NamedTuple):
    """The names of mentions and the texts of spans."""

    spelled: Mapping[Mention, str]
    """The readable ids of token spans; empty if the mentions have names of their own."""
    shown: ShownText | None  # the tokens or characters that spans count, if they are known

    def name(self, mention: Mention) -> Any:
        """Return a mention as JSON has it: an id, or a list of integers."""
        name = self.spelled.get(mention, mention)
        return list(name) if isinstance(name, tuple) else name

    def text(self, mention: Mention) -> str:
        """Return the text of a span."""
        return "" if self.shown is None else self.shown.of(cast("Span", mention))


def spelled_out(name: Any) -> str:
    """Return an id of `Names.name` as text: integers as spans are written, ``3:5``."""
    return ":".join(map(str, name)) if isinstance(name, list) else str(name)


def names_of(pair: MatchedPair) -> Names:
    """Return how the mentions of both sides are called."""
    document = pair.gold
    if not document.has_tokens:
        is_text = document.has_spans and document.unit == "character" and document.text is not None
        return Names({}, ShownText(document.text or "", (), (), "") if is_text else None)
    every = list(dict.fromkeys(mention for side in pair.shown[:2] for mention in side.mentions))
    spelled = cast("Mapping[Mention, str]", span_names(document._replace(clusters={"": every})))
    try:
        words = None if document.words is None else document.words()
    except InputError:  # columns that do not say which of them is the word
        words = None
    shown = None if words is None else ShownText(words, (), (), " ", glued=glued(pair.written, words))
    return Names(spelled, shown)


def entity_names(document: Document, side: OrderedSide) -> list[str | None]:
    """Return the name of each entity: that of the first cluster in the file with a mention of it."""
    # A singleton that matching added to gold has none
    numbers = dict(zip(side.mentions, side.entities, strict=True))
    names: dict[int, str] = {}
    for name, members in document.clusters.items():
        for mention in members:
            if mention in numbers:
                names.setdefault(numbers[mention], name)
    return [names.get(entity) for entity in range(len(side.sizes))]


class Told(NamedTuple):
    """A document as rows and the page tell of it: what is looked up once for all of them."""

    id: str
    name: str  # the name inside its file, where it is called by that of the file
    sides: tuple[OrderedSide, OrderedSide]  # with the mentions as the documents have them
    names: Names
    called: tuple[Sequence[str | None], Sequence[str | None]]  # the entities of gold, and of the system
    text: ShownText | None
    starts: tuple[Sequence[int], Sequence[int]]  # of the sentences of either document
    uncopied: frozenset[int] | None
    """The places of gold mentions of which a copy has no word; None if no texts are compared."""


def told_of(pair: MatchedPair) -> Told:
    """Look up all that is told of a document."""
    names, (gold, system) = names_of(pair), pair.shown[:2]
    text = _text(pair.gold, names.shown) if pair.has_spans and names.shown and names.shown.units else None
    called = entity_names(pair.gold, gold), entity_names(pair.system, system)
    starts = sentence_starts(pair.gold), sentence_starts(pair.system)
    uncopied = None if pair.changes is None else pair.uncopied()
    name = "" if pair.id.endswith(pair.gold.id) else pair.gold.id
    return Told(pair.id, name, (gold, system), names, called, text, starts, uncopied)


COLUMNS = {
    "errors": (
        *("document", "error", "gold", "system", "links", "mentions"),
        *("link_to", "instead", "text", "link_to_text", "patterns"),
    ),
    "examples": (
        *("kind", "document", "mention", "antecedent", "instead", "mentions_lost"),
        *("text", "antecedent_text", "sentence", "antecedent_sentence", "patterns"),
        *("spans", "antecedent_spans", "instead_text", "instead_sentence", "instead_spans", "did"),
    ),
    "links": ("document", "side", "mention", "link_to", "status"),
    "entities": (
        *("document", "side", "entity", "text", "mentions", "aligned", "aligned_mentions", "f1"),
        *("shared", "pieces", "best", "overlap", "outside", "merged"),
    ),
}
"""The columns of each listing in TSV; the rows of errors and examples have more keys in JSON."""
READ_OF_ENTITIES = (
    *("document", "side", "entity", "text", "mentions", "aligned_mentions"),
    *("f1", "pieces", "outside", "merged"),
)
"""The columns of entities in tables for reading."""


OF_ERRORS = {"errors", "examples"}
"""The listings of which an error is a row."""
_SIDES = ("gold", "system")


def rows_of(
    pair: MatchedPair, told: Told, overlaps: Overlaps, errors: Sequence[Located], request: AnalysisRequest
) -> list[ListedRow]:
    """Return the rows of a document that are asked for, of errors those that are given."""
    if request.documents and pair.id not in request.documents:
        return []
    if request.listing in OF_ERRORS:
        row = error_row if request.listing == "errors" else example_row
        return [row(told, error) for error in errors]
    return [*(_links(told) if request.listing == "links" else _entities(pair, told, overlaps))]


def error_row(told: Told, error: Located) -> dict[str, Any]:
    """Return the row of an error."""
    names, called, system = told.names, told.called, told.sides[1]
    side, other = (told.sides[0], 1) if error.kind in LOSES_RECALL else (system, 0)
    near = None if error.link_to == LACKS else side.mentions[error.link_to]
    row: dict[str, Any] = {
        "document": told.id,
        "kind": error.kind,
        "gold": None if error.gold == LACKS else called[0][error.gold],
        "system": None if error.system == LACKS else called[1][error.system],
        "mentions": [names.name(side.mentions[place]) for place in error.mentions],
        "link_to": None if near is None else names.name(near),
        "links": error.links,
    }
    if error.instead != LACKS:
        row["instead"] = names.name(system.mentions[error.instead])
    if told.uncopied is not None and error.kind in UNCOPIED:
        row["not_copied"] = sum(place in told.uncopied for place in error.mentions)
    if error.moved is not None:
        row |= {"anchor": called[other][error.anchor], "moved": error.moved}
    if names.shown is not None:
        row["text"] = names.text(side.mentions[error.mentions[0]])
        row["link_to_text"] = None if near is None else names.text(near)
        if error.instead != LACKS:
            row["instead_text"] = names.text(system.mentions[error.instead])
    row["patterns"] = [*error.patterns]
    return row


def example_row(told: Told, error: Located) -> ListedRow:
    """Return the row of an error as a mention and its antecedent in their sentences."""
    row, text, is_gold = error_row(told, error), told.text, error.kind in LOSES_RECALL
    example = {
        "kind": error.kind,
        "document": told.id,
        "mention": row["mentions"][0],
        "antecedent": row["link_to"],
        "mentions_lost": len(error.mentions),
        "links": error.links,
        "text": row.get("text"),
        "antecedent_text": row.get("link_to_text"),
    }
    places = [("", is_gold, error.mentions[0]), ("antecedent_", is_gold, error.link_to)]
    if error.instead != LACKS:
        places.append(("instead_", False, error.instead))
    for before, of_gold, place in places:
        context: tuple[Any, Any, Any] = (None, None, None)
        if text is not None and place != LACKS:
            mention = told.sides[not of_gold].mentions[place]
            context = _in_sentence(text, [*_runs(mention, told.starts[not of_gold])])
        found = zip(("row", "sentence", "spans"), context, strict=True)
        example |= {f"{before}{name}": value for name, value in found}
    more = ("gold", "system", "anchor", "moved", "instead", "instead_text", "patterns")
    return {**example, **{name: row[name] for name in more if name in row}}


def example_of(told: Told, error: Located) -> Example:
    """Return an error with what examples of the page are chosen by; its row is made if it is one of them."""
    side, name = told.sides[0] if error.kind in LOSES_RECALL else told.sides[1], told.names.text
    other = (side, error.link_to) if error.instead == LACKS else (told.sides[1], error.instead)
    near = "" if other[1] == LACKS else name(other[0].mentions[other[1]])
    texts = name(side.mentions[error.mentions[0]]).lower(), near.lower()
    return Example(error, texts, partial(example_row, told, error))


def _in_sentence(text: ShownText, runs: Sequence[Span]) -> tuple[str, str, Any]:
    """Return the number and the text of the row of a mention, and the characters of the mention in it."""
    # A mention over several rows is shown with all of them
    first = bisect_right(text.rows, runs[0][0], key=itemgetter(0)) - 1
    end = max(runs[-1][1] - 1, runs[-1][0])
    last = max(bisect_right(text.rows, end, key=itemgetter(0)) - 1, first)
    start, end = text.rows[first][0], text.rows[last][1]

    def place(unit: int) -> int:
        before = text.of((start, unit))
        return len(before) + (len(text.gap(unit)) if before and unit < end else 0)

    spans = [
        [place(begin), len(text.of((start, after))) if begin < after else place(begin)]
        for begin, after in runs
    ]
    return text.labels[first], text.of((start, end)), spans


Rank: TypeAlias = tuple[int, int, int, int]
Shown = TypeVar("Shown", ListedRow, Example)


def example_order(row: ListedRow) -> tuple[int, int]:
    """Return what examples are sorted by: those that cost most come first."""
    return -row["mentions_lost"], -row["links"]


class Spread:
    """Ranks examples as they come: those that cost most first; of equal cost some from all over the texts.

    Of those of equal cost every second, fourth, eighth and so on comes first: so many are taken as there is
    room, they lie about equally far from each other.
    """

    def __init__(self) -> None:
        self._met: Counter[tuple[object, tuple[int, int]]] = Counter()

    def rank(self, row: ListedRow, group: object = None) -> Rank:
        """Return what an example of a group is chosen by, and last its place among those of equal cost."""
        return self.rank_of(example_order(row), group)

    def rank_of(self, order: tuple[int, int], group: object) -> Rank:
        """Return the rank of an example that has a place in the order of examples."""
        place = self._met[group, order]
        self._met[group, order] += 1
        return (*order, int(f"{place:032b}"[::-1], 2), place)


def pair_of(row: ListedRow) -> tuple[str, str]:
    """Return the texts of a mention and its antecedent in small letters; empty where there is none."""
    there = row["antecedent_text"] or row.get("instead_text") or ""
    return (row["text"] or "").lower(), there.lower()


def chosen_first(ranked: Iterable[tuple[Rank, Shown]], number: int) -> list[tuple[Rank, Shown]]:
    """Return so many examples with their ranks, as `Spread` chooses them."""
    return sorted(ranked, key=itemgetter(0))[:number]


def as_shown(ranked: Iterable[tuple[Rank, Shown]]) -> list[Shown]:
    """Return chosen examples: those that cost most first, then in the order of the texts."""
    return [example for _, example in sorted(ranked, key=lambda one: (*one[0][:2], one[0][-1]))]


def pair_name(kind: str, texts: Sequence[str]) -> str:
    """Return the texts of a mention and its antecedent as one, ``his ← he``; of the two sides of a span."""
    return (" ↔ " if kind == "span" else " ← ").join(texts)


SHOWN = 120  # characters of a mention that are shown in a sentence


def shortened(words: str) -> str:
    """Return the beginning of a mention that is too long for a sentence."""
    return words if len(words) <= SHOWN else f"{words[: SHOWN - 1]}…"


def _called(_: str, name: str | None) -> str:
    return "" if name is None else f" {name}"


def done(
    row: ListedRow,
    said: Callable[[str], str],
    shown: Callable[[str], str] = shortened,
    called: Callable[[str, str | None], str] = _called,
) -> str:
    """Return in words what the system did in an example; `said` names the sides, see `ErrorReport.said`.

    `called` names an entity of a side, with a blank before it.
    """
    mention = f"“{shown(row['text'] or spelled_out(row['mention']))}”"
    more = row["mentions_lost"] - 1
    template = said(KINDS[row["kind"]].done)
    if row.get("of") == "second":
        template = template.replace("the system", "the second system")
    told = first_upper(template).format(
        its=f"{mention} and {counted(more, 'more mention')}" if more else mention,
        instead=shown(row.get("instead_text") or spelled_out(row.get("instead"))),
        own=called("gold", row["gold"]),
        there=called("system", row["system"]),
        other=called("system" if row["kind"] in LOSES_RECALL else "gold", row.get("anchor")),
    )
    who = said(f"{'they are' if more else 'it is'} in the wrong entity")
    return f"{told}; {who}." if row.get("moved") else f"{told}."


def first_upper(words: str) -> str:
    """Return words with a capital at the beginning."""
    return f"{words[:1].upper()}{words[1:]}"


def _links(told: Told) -> Iterator[ListedRow]:
    """Yield the links of gold, then those of the system, by their mentions."""
    sides, names = told.sides, told.names
    for label, side, kinds in (("gold", sides[0], RECALL), ("system", sides[1], PRECISION)):
        before: dict[int, int] = {}
        for place, (entity, status) in enumerate(zip(side.entities, statuses(side), strict=True)):
            if status != NO_LINK:
                yield {
                    "document": told.id,
                    "side": label,
                    "mention": names.name(side.mentions[place]),
                    "link_to": names.name(side.mentions[before[entity]]),
                    "status": kinds[status],
                }
            before[entity] = place


def _entities(pair: MatchedPair, told: Told, overlaps: Overlaps) -> Iterator[ListedRow]:
    """Yield the entities of gold, then those of the system: what each is split into and merged with."""
    aligned = _aligned(pair, overlaps, told.called)
    for number, side in enumerate(told.sides):
        yield from _entity_rows(pair, told, overlaps, number, range(len(side.sizes)), aligned[number])


MOST_MERGED = 20  # entities in one with another that a row names; of all, n of one would name n² of n


def _entity_rows(  # noqa: PLR0913, PLR0917 - what is known of a side
    pair: MatchedPair,
    told: Told,
    overlaps: Overlaps,
    number: int,
    wanted: Sequence[int],
    aligned: Mapping[int, tuple[int, int]] = MappingProxyType({}),
) -> Iterator[ListedRow]:
    """Yield the rows of some entities of a side: of gold if its number is 0.

    `aligned` has by entity the one that it is aligned with, and what they share.
    """
    (own, other), names = (told.sides[number].sizes, told.sides[1 - number].sizes), told.called[number]
    others = told.called[1 - number]
    of: list[list[tuple[int, int]]] = [[] for _ in own]
    holds: list[list[tuple[int, int]]] = [[] for _ in other]
    for piece in overlaps.pieces:
        entity, there = piece[number], piece[1 - number]
        of[entity].append((-piece.equal - piece.spans, there))
        holds[there].append((-piece.equal - piece.spans, entity))
    for entities in holds:
        entities.sort()
    found = []
    for entity in wanted:
        most, best = min(of[entity], default=(0, LACKS))
        held = [] if best == LACKS else holds[best]
        merged = [joined for _, joined in held[: MOST_MERGED + 1] if joined != entity][:MOST_MERGED]
        found.append((entity, most, best, merged, max(len(held) - 1, 0)))
    texts = _texts(pair, told.names, _SIDES[number], {*wanted}.union(*(row[3] for row in found)))
    for entity, most, best, merged, many in found:
        there, shared = aligned.get(entity, (LACKS, 0))
        size = 0 if there == LACKS else other[there]
        row: dict[str, Any] = {
            "document": told.id,
            "side": _SIDES[number],
            "entity": names[entity],
            "mentions": own[entity],
            "aligned": None if there == LACKS else others[there],
            "aligned_mentions": size,
            "f1": 2 * shared / (own[entity] + size),
            "shared": -sum(shared for shared, _ in of[entity]),
            "pieces": len(of[entity]),
            "best": None if best == LACKS else others[best],
            "overlap": -most,
            "outside": own[entity] + most,
            "merged": [names[joined] for joined in merged],
        }
        if texts:
            row |= {"text": texts[entity], "merged_texts": [texts[one] for one in merged]}
        yield {**row, "merged_count": many}


MOST_ENTITIES = 40  # of a side, on the page


def _losing(pair: MatchedPair, told: Told, overlaps: Overlaps, number: int) -> LosingEntities:
    """Return the entities of a side that lose most links, and how many lose any."""
    side = told.sides[number]
    lost, best = [0] * len(side.sizes), [0] * len(side.sizes)
    for entity, status in zip(side.entities, pair.links[number], strict=True):
        lost[entity] += status not in (FOUND, NO_LINK)
    for piece in overlaps.pieces:
        best[piece[number]] = max(best[piece[number]], piece.equal + piece.spans)
    outside = [*map(sub, side.sizes, best)]
    wrong = [entity for entity in range(len(best)) if lost[entity] or outside[entity]]
    most = sorted(wrong, key=lambda entity: (-lost[entity], -outside[entity]))[:MOST_ENTITIES]
    places: dict[int, list[int]] = {entity: [] for entity in most}
    for place, entity in enumerate(side.entities):
        if entity in places:
            places[entity].append(place)
    rows = _entity_rows(pair, told, overlaps, number, most)
    shown = [LosingEntity(one, row, lost[one], places[one]) for one, row in zip(most, rows, strict=True)]
    return LosingEntities(shown, len(wrong), sum(lost))


def _aligned(
    pair: MatchedPair, overlaps: Overlaps, called: Sequence[Sequence[str | None]]
) -> tuple[Mapping[int, tuple[int, int]], Mapping[int, tuple[int, int]]]:
    """Return what the metric ``entity_f1`` compares: the entities of either side with those of the other."""
    pieces = [piece for piece in overlaps.pieces if piece.equal]
    if pair.by_name:
        for document in (pair.gold, pair.system):
            refuse_numbers(document)
        pieces = [piece for piece in pieces if called[0][piece.gold] == called[1][piece.system] is not None]
    else:
        pieces.sort(key=lambda piece: (piece.gold, piece.system))  # by the places of mentions, for ties
        cells = [(piece.gold, piece.system, piece.equal) for piece in pieces]
        table = Contingency(cells, pair.sides.gold.sizes, pair.sides.system.sizes)
        pieces = [pieces[position] for position in best_entities(table)]
    return (
        {piece.gold: (piece.system, piece.equal) for piece in pieces},
        {piece.system: (piece.gold, piece.equal) for piece in pieces},
    )


def _texts(pair: MatchedPair, names: Names, label: str, wanted: Collection[int]) -> dict[int, str]:
    """Return what some entities are called in the text: as their names are most often, else as they begin."""
    # Nothing if there is no text
    if names.shown is None:
        return {}
    written: OrderedSide = getattr(pair.shown, label)
    compared: OrderedSide = getattr(pair.sides, label)
    first: dict[int, str] = {}
    called: dict[int, Counter[str]] = {}
    for place, entity in enumerate(written.entities):
        if entity not in wanted:
            continue
        is_name = pair.typing and pair.typing.type_of(cast("Span", compared.mentions[place])) == "name"
        if is_name or entity not in first:
            text = names.text(written.mentions[place])
            first.setdefault(entity, text)
            if is_name:
                called.setdefault(entity, Counter())[text] += 1
    return first | {entity: its.most_common(1)[0][0] for entity, its in called.items()}


ROW_TOKENS = 30  # tokens of a row where the sentences are not known
LONGEST_SENTENCE = 150
"""Tokens of a sentence that is one row. Longer ones are cut: in some files they are the whole text."""
LINE_LENGTH = 200  # characters after which a line is cut at the next blank
_LINE = re.compile(r"[^\r\n]+")
_CUT = re.compile(rf"\S[^\n]{{0,{LINE_LENGTH - 1}}}\S*")


def scene_of(
    pair: MatchedPair, told: Told, overlaps: Overlaps, errors: Sequence[Located], request: AnalysisRequest
) -> Scene:
    """Return what the page shows of a document."""
    text = told.text
    if text is not None and pair.changes:
        text = text._replace(changes=pair.changes)
    called = [of_sides(name, request.page and request.page.annotators) for name in _SIDES]
    gold, system = (_shown(told, number, name) for number, name in enumerate(called))
    losing = () if request.is_second else [_losing(pair, told, overlaps, number) for number in range(2)]
    uncopied = told.uncopied or frozenset()
    return Scene(told.id, gold, system, errors, text, uncopied, losing, name=told.name)


def _shown(told: Told, number: int, called: str) -> ShownSide:
    side = told.sides[number]
    ids = [spelled_out(told.names.name(mention)) for mention in side.mentions]
    starts = told.starts[number]
    spans = [] if told.text is None else [list(_runs(mention, starts)) for mention in side.mentions]
    return ShownSide(side, told.called[number], ids, spans, called)


def _runs(mention: Mention, starts: Sequence[int]) -> Iterator[Span]:
    """Yield the runs of words of a mention; one of empty nodes alone is where it stands."""
    if not isinstance(mention, Discontinuous):
        yield cast("Span", mention)
        return
    words = tokens_of(mention, starts)
    if not words:
        yield mention[0], mention[0]
        return
    start = words[0]
    for word, after in zip(words, [*words[1:], LACKS], strict=True):
        if after != word + 1:
            yield start, word + 1
            start = after


def _text(document: Document, shown: ShownText) -> ShownText:
    units = shown.units
    if isinstance(units, str):
        lines = [match.span() for match in _LINE.finditer(units)]
        cuts = [(cut, str(number)) for number, line in enumerate(lines) for cut in _cuts(units, line)]
    elif document.flat or not document.sentences:
        cuts = [((start, end), str(start)) for start, end in _lines_of(0, len(units))]
    else:
        ends = pairwise([0, *accumulate(document.sentences)])
        cuts = [cut for number, (start, end) in enumerate(ends) for cut in _sentence(number, start, end)]
    return shown._replace(rows=[row for row, _ in cuts], labels=[label for _, label in cuts])


def _sentence(number: int, start: int, end: int) -> list[tuple[Span, str]]:
    if end - start <= LONGEST_SENTENCE:
        return [((start, end), str(number))]
    return [(row, f"{number}.{row[0] - start}") for row in _lines_of(start, end)]


def _lines_of(start: int, end: int) -> list[Span]:
    return [(first, min(first + ROW_TOKENS, end)) for first in range(start, end, ROW_TOKENS)]


def _cuts(units: str, line: Span) -> list[Span]:
    """Cut a line of characters at the blanks that come after `LINE_LENGTH` of them."""
    return [match.span() for match in _CUT.finditer(units, *line)] or [line]
