"""Errors, links and entities of a document one by one: as rows of a listing, and as a scene of the page."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.analysis.error_report import AnalysisRequest, ListedRow, Scene, ShownSide, ShownText, of_sides
from scorch2.analysis.heads import tokens_of
from scorch2.analysis.kinds import KINDS, LOSES_RECALL, UNCOPIED, Located, Overlaps
from scorch2.analysis.links import NO_LINK, PRECISION, RECALL, statuses
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.sides import LACKS, OrderedSide
from scorch2.model.document import Discontinuous, Document, Mention, Span
from scorch2.model.errors import InputError, counted
from scorch2.model.names import span_names
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
    shown = None if words is None else ShownText(words, (), (), " ", glued=_glued(pair.written, words))
    return Names(spelled, shown)


_UNSPACED = re.compile(
    "[\u0e00-\u109f\u1780-\u17ff\u3000-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff]"
)  # Thai, Lao, Tibetan, Burmese, Khmer, Chinese and Japanese, with their punctuation


def _glued(document: Document, words: Sequence[str]) -> frozenset[int]:
    """Return the words before which no blank stands: as CoNLL-U says, else by the script of most words."""
    found, at = set(), 0
    for row in chain.from_iterable(tree.rows for tree in (document.trees() if document.trees else ())):
        first, _, last = row.id.partition("-")
        if "." not in row.id and "SpaceAfter=No" in row.misc.split("|"):
            found.add(at + (int(last) - int(first) if last else 0) + 1)
        at += first == row.id and "." not in row.id
    if not found and 2 * sum(map(bool, map(_UNSPACED.match, words))) > len(words):
        meeting = [left[-1:] + right[:1] for left, right in pairwise(words)]
        found.update(place for place, signs in enumerate(meeting, 1) if _UNSPACED.search(signs))
    return frozenset(found)


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


def rows_of(
    pair: MatchedPair, overlaps: Overlaps, errors: Sequence[Located], request: AnalysisRequest
) -> list[ListedRow]:
    """Return the rows of a document that are asked for, of errors those that are given."""
    if request.documents and pair.id not in request.documents:
        return []
    if request.listing in OF_ERRORS:
        return [*(_errors if request.listing == "errors" else _examples)(pair, errors)]
    return [*(_links if request.listing == "links" else _entities)(pair, overlaps)]


def _errors(pair: MatchedPair, errors: Sequence[Located]) -> Iterator[ListedRow]:
    sides, names = pair.shown, names_of(pair)
    called = entity_names(pair.gold, sides.gold), entity_names(pair.system, sides.system)
    uncopied = pair.uncopied()
    for error in errors:
        side, other = (sides.gold, 1) if error.kind in LOSES_RECALL else (sides.system, 0)
        near = None if error.link_to == LACKS else side.mentions[error.link_to]
        row: dict[str, Any] = {
            "document": pair.id,
            "kind": error.kind,
            "gold": None if error.gold == LACKS else called[0][error.gold],
            "system": None if error.system == LACKS else called[1][error.system],
            "mentions": [names.name(side.mentions[place]) for place in error.mentions],
            "link_to": None if near is None else names.name(near),
            "links": error.links,
        }
        if error.instead != LACKS:
            row["instead"] = names.name(sides.system.mentions[error.instead])
        if pair.changes is not None and error.kind in UNCOPIED:
            row["not_copied"] = sum(place in uncopied for place in error.mentions)
        if error.moved is not None:
            row |= {"anchor": called[other][error.anchor], "moved": error.moved}
        if names.shown is not None:
            row["text"] = names.text(side.mentions[error.mentions[0]])
            row["link_to_text"] = None if near is None else names.text(near)
            if error.instead != LACKS:
                row["instead_text"] = names.text(sides.system.mentions[error.instead])
        row["patterns"] = [*error.patterns]
        yield row


def _examples(pair: MatchedPair, errors: Sequence[Located]) -> Iterator[ListedRow]:
    """Yield each error as a mention and its antecedent in their sentences."""
    names, sides = names_of(pair), pair.shown
    text = _text(pair.gold, names.shown) if pair.has_spans and names.shown and names.shown.units else None
    starts = [] if text is None else [start for start, _ in text.rows]

    def context(side: OrderedSide, place: int) -> tuple[str | None, str | None, Any]:
        if text is None or place == LACKS:
            return None, None, None
        runs = list(_runs(side.mentions[place], pair.gold if side is sides.gold else pair.system))
        return _in_sentence(text, starts, runs)

    for error, row in zip(errors, _errors(pair, errors), strict=True):
        side = sides.gold if error.kind in LOSES_RECALL else sides.system
        example = {
            "kind": error.kind,
            "document": pair.id,
            "mention": row["mentions"][0],
            "antecedent": row["link_to"],
            "mentions_lost": len(error.mentions),
            "links": error.links,
            "text": row.get("text"),
            "antecedent_text": row.get("link_to_text"),
        }
        places = [("", side, error.mentions[0]), ("antecedent_", side, error.link_to)]
        if error.instead != LACKS:
            places.append(("instead_", sides.system, error.instead))
        for before, its, place in places:
            found = zip(("row", "sentence", "spans"), context(its, place), strict=True)
            example |= {f"{before}{name}": value for name, value in found}
        more = ("gold", "system", "anchor", "moved", "instead", "instead_text", "patterns")
        yield {**example, **{name: row[name] for name in more if name in row}}


def _in_sentence(text: ShownText, starts: Sequence[int], runs: Sequence[Span]) -> tuple[str, str, Any]:
    """Return the number and the text of the row of a mention, and the characters of the mention in it."""
    # A mention over several rows is shown with all of them
    first = bisect_right(starts, runs[0][0]) - 1
    last = max(bisect_right(starts, max(runs[-1][1] - 1, runs[-1][0])) - 1, first)
    start, end = text.rows[first][0], text.rows[last][1]

    def place(unit: int) -> int:
        before = text.of((start, unit))
        return len(before) + (len(text.gap(unit)) if before and unit < end else 0)

    spans = [
        [place(begin), len(text.of((start, after))) if begin < after else place(begin)]
        for begin, after in runs
    ]
    return text.labels[first], text.of((start, end)), spans


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

    def rank(self, row: ListedRow, group: object = None) -> tuple[int, int, int, int]:
        """Return what an example of a group is chosen by, and last its place among those of equal cost."""
        order = example_order(row)
        place = self._met[group, order]
        self._met[group, order] += 1
        return (*order, int(f"{place:032b}"[::-1], 2), place)


Ranked: TypeAlias = tuple[tuple[int, int, int, int], ListedRow]


def chosen_first(ranked: Iterable[Ranked], number: int) -> list[Ranked]:
    """Return so many examples with their ranks, as `Spread` chooses them."""
    return sorted(ranked, key=itemgetter(0))[:number]


def as_shown(ranked: Iterable[Ranked]) -> list[ListedRow]:
    """Return chosen examples: those that cost most first, then in the order of the texts."""
    return [row for rank, row in sorted(ranked, key=lambda one: (*one[0][:2], one[0][-1]))]


def pair_of(row: ListedRow) -> tuple[str, str]:
    """Return the texts of a mention and its antecedent in small letters; empty where there is none."""
    there = row["antecedent_text"] or row.get("instead_text") or ""
    return (row["text"] or "").lower(), there.lower()


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
    who = "they are" if more else "it is"
    return f"{told}; {who} in the wrong entity." if row.get("moved") else f"{told}."


def first_upper(words: str) -> str:
    """Return words with a capital at the beginning."""
    return f"{words[:1].upper()}{words[1:]}"


def _links(pair: MatchedPair, _: Overlaps) -> Iterator[ListedRow]:
    """Yield the links of gold, then those of the system, by their mentions."""
    sides, names = pair.shown, names_of(pair)
    for label, side, kinds in (("gold", sides.gold, RECALL), ("system", sides.system, PRECISION)):
        before: dict[int, int] = {}
        for place, (entity, status) in enumerate(zip(side.entities, statuses(side), strict=True)):
            if status != NO_LINK:
                yield {
                    "document": pair.id,
                    "side": label,
                    "mention": names.name(side.mentions[place]),
                    "link_to": names.name(side.mentions[before[entity]]),
                    "status": kinds[status],
                }
            before[entity] = place


def _entities(pair: MatchedPair, overlaps: Overlaps) -> Iterator[ListedRow]:
    """Yield the entities of gold, then those of the system: what each is split into and merged with."""
    names = names_of(pair)
    called = entity_names(pair.gold, pair.shown.gold), entity_names(pair.system, pair.shown.system)
    cells = [(piece.gold, piece.system, piece.equal + piece.spans) for piece in overlaps.pieces]
    flipped = [(system, gold, shared) for gold, system, shared in cells]
    aligned = _aligned(pair, overlaps, called)
    gold, system = pair.shown.gold.sizes, pair.shown.system.sizes
    sides = (
        ("gold", _EntitySide(gold, called[0], cells, aligned[0]), _texts(pair, names, "gold")),
        ("system", _EntitySide(system, called[1], flipped, aligned[1]), _texts(pair, names, "system")),
    )
    for (label, own, texts), (_, other, _) in (sides, sides[::-1]):
        for entity, (row, merged, number) in enumerate(_entity_rows(own, other)):
            shown: dict[str, Any] = {"document": pair.id, "side": label, **row}
            if texts:
                shown |= {"text": texts[entity], "merged_texts": [texts[one] for one in merged]}
            yield {**shown, "merged_count": number}


class _EntitySide(NamedTuple):
    """The entities of a side."""

    sizes: Sequence[int]
    names: Sequence[str | None]
    pieces: Sequence[
        tuple[int, int, int]
    ]  # each with its entity, that of the other side, and what they share
    aligned: Mapping[int, tuple[int, int]]  # by entity the one it is aligned with, and what they share


MOST_MERGED = 20  # entities in one with another that a row names; of all, n of one would name n² of n


def _entity_rows(own: _EntitySide, other: _EntitySide) -> Iterator[tuple[ListedRow, Sequence[int], int]]:
    """Yield the row of each entity of a side, the entities that it is merged with, and how many they are."""
    of: list[list[tuple[int, int]]] = [[] for _ in own.sizes]
    holds: list[list[tuple[int, int]]] = [[] for _ in other.sizes]
    for entity, there, shared in own.pieces:
        of[entity].append((-shared, there))
        holds[there].append((-shared, entity))
    for entities in holds:
        entities.sort()
    for entity, size in enumerate(own.sizes):
        most, best = min(of[entity], default=(0, LACKS))
        there, shared = own.aligned.get(entity, (LACKS, 0))
        others = 0 if there == LACKS else other.sizes[there]
        held = [] if best == LACKS else holds[best]
        merged = [joined for _, joined in held[: MOST_MERGED + 1] if joined != entity][:MOST_MERGED]
        row = {
            "entity": own.names[entity],
            "mentions": size,
            "aligned": None if there == LACKS else other.names[there],
            "aligned_mentions": others,
            "f1": 2 * shared / (size + others),
            "shared": -sum(shared for shared, _ in of[entity]),
            "pieces": len(of[entity]),
            "best": None if best == LACKS else other.names[best],
            "overlap": -most,
            "outside": size + most,
            "merged": [own.names[joined] for joined in merged],
        }
        yield row, merged, max(len(held) - 1, 0)


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


def _texts(pair: MatchedPair, names: Names, label: str) -> list[str]:
    """Return what each entity is called in the text: as its names are most often, else as it is first."""
    # Nothing if there is no text
    if names.shown is None:
        return []
    written: OrderedSide = getattr(pair.shown, label)
    compared: OrderedSide = getattr(pair.sides, label)
    texts = [names.text(mention) for mention in written.mentions]
    called: list[Counter[str]] = [Counter() for _ in written.sizes]
    if pair.typing is not None:
        for mention, entity, text in zip(compared.mentions, compared.entities, texts, strict=True):
            if pair.typing.type_of(cast("Span", mention)) == "name":
                called[entity][text] += 1
    first = dict(zip(reversed(written.entities), reversed(texts), strict=True))
    most = [of.most_common(1) for of in called]
    return [of[0][0] if of else first[entity] for entity, of in enumerate(most)]


ROW_TOKENS = 30  # tokens of a row where the sentences are not known
LONGEST_SENTENCE = 150
"""Tokens of a sentence that is one row. Longer ones are cut: in some files they are the whole text."""
LINE_LENGTH = 200  # characters after which a line is cut at the next blank
_LINE = re.compile(r"[^\r\n]+")
_CUT = re.compile(rf"\S[^\n]{{0,{LINE_LENGTH - 1}}}\S*")


def scene_of(
    pair: MatchedPair, overlaps: Overlaps, errors: Sequence[Located], request: AnalysisRequest
) -> Scene:
    """Return what the page shows of a document."""
    names = names_of(pair)
    text = _text(pair.gold, names.shown) if pair.has_spans and names.shown and names.shown.units else None
    if text is not None and pair.changes:
        text = text._replace(changes=pair.changes)
    called = [of_sides(name, request.page and request.page.annotators) for name in ("gold", "system")]
    gold = _shown(pair.shown.gold, pair.gold, names, text, called[0])
    system = _shown(pair.shown.system, pair.system, names, text, called[1])
    entities = [] if request.is_second else [*_entities(pair, overlaps)]
    return Scene(pair.id, gold, system, errors, text, pair.uncopied(), entities)


def _shown(
    side: OrderedSide, document: Document, names: Names, text: ShownText | None, called: str
) -> ShownSide:
    ids = [spelled_out(names.name(mention)) for mention in side.mentions]
    spans = [] if text is None else [list(_runs(mention, document)) for mention in side.mentions]
    return ShownSide(side, entity_names(document, side), ids, spans, called)


def _runs(mention: Mention, document: Document) -> Iterator[Span]:
    """Yield the runs of words of a mention; one of empty nodes alone is where it stands."""
    if not isinstance(mention, Discontinuous):
        yield cast("Span", mention)
        return
    starts = [0, *accumulate(document.sentences or ())]
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
