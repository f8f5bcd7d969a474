"""Errors, links and entities of a document one by one: as rows of a listing, and as a scene of the page."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate, pairwise
from operator import itemgetter, sub
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
from scorch2.analysis.kinds import KINDS, LACKS, LOSES_RECALL, UNCOPIED, Located, OrderedSide, Overlaps
from scorch2.analysis.links import FOUND, NO_LINK, PRECISION, RECALL
from scorch2.analysis.pair import MatchedPair
from scorch2.model.document import Discontinuous, Document, Mention, Span
from scorch2.model.errors import InputError, counted
from scorch2.model.names import glued, span_names
from scorch2.model.options import Frozen
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.evidence import refuse_numbers
from scorch2.scoring.metrics.entity_f1 import best_entities


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
    spelled: Mapping[Mention, str]
    """The readable ids of token spans; empty if the mentions have names of their own."""
    called: tuple[Sequence[str | None], Sequence[str | None]]  # the entities of gold, and of the system
    shown: ShownText | None  # the tokens or characters that spans count, if they are known
    starts: tuple[Sequence[int], Sequence[int]]  # of the sentences of either document
    uncopied: frozenset[int] | None
    """The places of gold mentions of which a copy has no word; None if no texts are compared."""

    @property
    def text(self) -> ShownText | None:
        """The text, if its rows are known."""
        return self.shown if self.shown is not None and self.shown.rows else None

    def mention(self, side: int, place: int) -> Any:
        """Return a mention of a side as JSON has it, an id or a list of integers; None if it is lacking."""
        if place == LACKS:
            return None
        mention = self.sides[side].mentions[place]
        name = self.spelled.get(mention, mention)
        return list(name) if isinstance(name, tuple) else name

    def words(self, side: int, place: int) -> str | None:
        """Return the words of a mention; None if it is lacking, or they are not known."""
        if place == LACKS or self.shown is None:
            return None
        return self.shown.of(cast("Span", self.sides[side].mentions[place]))

    def entity(self, side: int, number: int) -> str | None:
        """Return the name of an entity, if it has one; None if it is lacking."""
        return None if number == LACKS else self.called[side][number]


def spelled_out(name: Any) -> str:
    """Return an id of `Told.mention` as text: integers as spans are written, ``3:5``."""
    return ":".join(map(str, name)) if isinstance(name, list) else str(name)


def told_of(pair: MatchedPair) -> Told:
    """Look up all that is told of a document."""
    document, (gold, system), shown = pair.gold, pair.shown[:2], None
    spelled: Mapping[Any, str] = {}
    if document.has_tokens:
        every = list(dict.fromkeys(mention for side in (gold, system) for mention in side.mentions))
        spelled = span_names(document._replace(clusters={"": every}))
        with suppress(InputError):  # columns that do not say which of them is the word
            if document.words is not None:
                words = document.words()
                shown = ShownText(words, (), (), " ", glued=glued(pair.written, words))
    elif document.has_spans and document.unit == "character" and document.text is not None:
        shown = ShownText(document.text, (), (), "")
    if pair.has_spans and shown is not None and shown.units:
        shown = _in_rows(document, shown)
    return Told(
        pair.id,
        "" if pair.id.endswith(document.id) else document.id,
        (gold, system),
        spelled,
        (entity_names(document, gold), entity_names(pair.system, system)),
        shown,
        (sentence_starts(document), sentence_starts(pair.system)),
        None if pair.changes is None else pair.uncopied(),
    )


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
    return [*(_links(pair, told) if request.listing == "links" else _entities(pair, told, overlaps))]


def side_of(error: Located) -> int:
    """Return the side of the mentions of an error: 0 for gold, 1 for the system."""
    return int(error.kind not in LOSES_RECALL)


def error_row(told: Told, error: Located) -> dict[str, Any]:
    """Return the row of an error."""
    side = side_of(error)
    row: dict[str, Any] = {
        "document": told.id,
        "kind": error.kind,
        "gold": told.entity(0, error.gold),
        "system": told.entity(1, error.system),
        "mentions": [told.mention(side, place) for place in error.mentions],
        "link_to": told.mention(side, error.link_to),
        "links": error.links,
    }
    if error.instead != LACKS:
        row["instead"] = told.mention(1, error.instead)
    if told.uncopied is not None and error.kind in UNCOPIED:
        row["not_copied"] = sum(place in told.uncopied for place in error.mentions)
    if error.moved is not None:
        row |= {"anchor": told.entity(1 - side, error.anchor), "moved": error.moved}
    if told.shown is not None:
        row["text"] = told.words(side, error.mentions[0])
        row["link_to_text"] = told.words(side, error.link_to)
        if error.instead != LACKS:
            row["instead_text"] = told.words(1, error.instead)
    row["patterns"] = [*error.patterns]
    return row


def example_row(told: Told, error: Located) -> ListedRow:
    """Return the row of an error as a mention and its antecedent in their sentences."""
    row, side = error_row(told, error), side_of(error)
    example = {
        "kind": error.kind,
        "document": told.id,
        "mention": row["mentions"][0],
        "antecedent": row["link_to"],
        "mentions_lost": len(error.mentions),
        "links": error.links,
        "text": row.get("text"),
        "antecedent_text": row.get("link_to_text"),
        **_in_sentence(told, side, error.mentions[0]),
        **_in_sentence(told, side, error.link_to, "antecedent_"),
    }
    if error.instead != LACKS:
        example |= _in_sentence(told, 1, error.instead, "instead_")
    more = ("gold", "system", "anchor", "moved", "instead", "instead_text", "patterns")
    return {**example, **{name: row[name] for name in more if name in row}}


def example_of(told: Told, error: Located) -> Example:
    """Return an error with what examples of the page are chosen by; its row is made if it is one of them."""
    there = (side_of(error), error.link_to) if error.instead == LACKS else (1, error.instead)
    words = told.words(side_of(error), error.mentions[0]), told.words(*there)
    texts = (words[0] or "").lower(), (words[1] or "").lower()
    return Example(error, texts, partial(example_row, told, error))


def _in_sentence(told: Told, side: int, place: int, before: str = "") -> dict[str, object]:
    """Return the number and the text of the row of a mention, and its characters there, as columns."""
    text, columns = told.text, [f"{before}{name}" for name in ("row", "sentence", "spans")]
    if text is None or place == LACKS:
        return dict.fromkeys(columns)
    runs = [*_runs(told.sides[side].mentions[place], told.starts[side])]
    # A mention over several rows is shown with all of them
    first = bisect_right(text.rows, runs[0][0], key=itemgetter(0)) - 1
    end = max(runs[-1][1] - 1, runs[-1][0])
    last = max(bisect_right(text.rows, end, key=itemgetter(0)) - 1, first)
    start, end = text.rows[first][0], text.rows[last][1]

    def length(unit: int) -> int:
        before = text.of((start, unit))
        return len(before) + (len(text.gap(unit)) if before and unit < end else 0)

    spans = [
        [length(begin), len(text.of((start, after))) if begin < after else length(begin)]
        for begin, after in runs
    ]
    return dict(zip(columns, (text.labels[first], text.of((start, end)), spans), strict=True))


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

    def rank(self, order: tuple[int, int], group: object = None) -> Rank:
        """Return what an example of a group is chosen by: its order, and last its place among equal ones."""
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


def done(
    row: ListedRow,
    said: Callable[[str], str],
    shown: Callable[[str], str] = shortened,
    called: Callable[[str, str | None], str] = lambda _, name: "" if name is None else f" {name}",
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


def _links(pair: MatchedPair, told: Told) -> Iterator[ListedRow]:
    """Yield the links of gold, then those of the system, by their mentions."""
    for number, (side, kinds) in enumerate(zip(told.sides, (RECALL, PRECISION), strict=True)):
        before: dict[int, int] = {}
        for place, (entity, status) in enumerate(zip(side.entities, pair.links[number], strict=True)):
            if status != NO_LINK:
                yield {
                    "document": told.id,
                    "side": _SIDES[number],
                    "mention": told.mention(number, place),
                    "link_to": told.mention(number, before[entity]),
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
    side: int,
    wanted: Sequence[int],
    aligned: Mapping[int, tuple[int, int]] = Frozen(),
) -> Iterator[ListedRow]:
    """Yield the rows of some entities of a side: of gold if it is 0.

    `aligned` has by entity the one that it is aligned with, and what they share.
    """
    own, other = told.sides[side].sizes, told.sides[1 - side].sizes
    of, holds = _by_entity(overlaps, side)
    best = {entity: min(of[entity], default=(0, LACKS)) for entity in wanted}
    merged = {
        entity: [joined for _, joined in holds[piece][: MOST_MERGED + 1] if joined != entity][:MOST_MERGED]
        for entity, (_, piece) in best.items()
    }
    texts = _texts(pair, told, side, {*wanted}.union(*merged.values()))
    for entity, (most, piece) in best.items():
        there, shared = aligned.get(entity, (LACKS, 0))
        size = 0 if there == LACKS else other[there]
        row: dict[str, Any] = {
            "document": told.id,
            "side": _SIDES[side],
            "entity": told.entity(side, entity),
            "mentions": own[entity],
            "aligned": told.entity(1 - side, there),
            "aligned_mentions": size,
            "f1": 2 * shared / (own[entity] + size),
            "shared": -sum(shared for shared, _ in of[entity]),
            "pieces": len(of[entity]),
            "best": told.entity(1 - side, piece),
            "overlap": -most,
            "outside": own[entity] + most,
            "merged": [told.entity(side, joined) for joined in merged[entity]],
        }
        if texts:
            row |= {"text": texts[entity], "merged_texts": [texts[one] for one in merged[entity]]}
        yield {**row, "merged_count": max(len(holds[piece]) - 1, 0)}


_Shares: TypeAlias = Mapping[int, list[tuple[int, int]]]


def _by_entity(overlaps: Overlaps, number: int) -> tuple[_Shares, _Shares]:
    """Return by entity of either side, sorted of the other, with which it shares mentions: (−number, it)."""
    of, holds = defaultdict(list), defaultdict(list)
    for piece in overlaps.pieces:
        entity, there, shared = piece[number], piece[1 - number], piece.equal + piece.spans
        of[entity].append((-shared, there))
        holds[there].append((-shared, entity))
    for entities in holds.values():
        entities.sort()
    return of, holds


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


def _texts(pair: MatchedPair, told: Told, side: int, wanted: Collection[int]) -> dict[int, str]:
    """Return what some entities are called in the text: as their names are most often, else as they begin."""
    # Nothing if there is no text
    compared = (pair.sides.gold, pair.sides.system)[side]
    called: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for place, entity in enumerate(compared.entities if told.shown else ()):
        if entity in wanted:
            is_name = pair.typing and pair.typing.type_of(cast("Span", compared.mentions[place])) == "name"
            if is_name or entity not in called:
                called[entity][told.words(side, place) or ""] += bool(is_name)
    return {entity: its.most_common(1)[0][0] for entity, its in called.items()}


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
    ids = [spelled_out(told.mention(number, place)) for place in range(len(side.mentions))]
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
    ends = [place for place, (word, after) in enumerate(pairwise(words), 1) if after != word + 1]
    for first, last in pairwise([0, *ends, len(words)] if words else []):
        yield words[first], words[last - 1] + 1


def _in_rows(document: Document, shown: ShownText) -> ShownText:
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
