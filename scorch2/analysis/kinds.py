"""The kinds of errors between two sides, a row of `KINDS` each: counted, located, and corrected.

Every lost link of MUC belongs to exactly one error: what a new kind has, another one loses. Mentions are in
the order of the text, and entities are numbered by their first one, so the order of a file changes nothing.
"""

from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Literal, NamedTuple, TypeAlias

from scorch2.model.document import Mention
from scorch2.scoring.contingency import Contingency

LACKS = -1  # in place of an entity: the other side lacks the mention
SpanErrors: TypeAlias = Sequence[tuple[int, int]]
"""For each span error the places of its gold and of its system mention."""


class OrderedSide(NamedTuple):
    """The mentions of one side in order, with one value for each in every column."""

    mentions: Sequence[Mention]
    entities: Sequence[int]
    sizes: Sequence[int]
    equal: Sequence[int]  # the entity of the other side with an equal mention, or `LACKS`
    partners: Sequence[int]
    """The entity of the other side with the mention once spans are corrected, or `LACKS`."""


class OrderedSides(NamedTuple):
    """The two sides of a document, and the span errors between them."""

    gold: OrderedSide
    system: OrderedSide
    span_errors: SpanErrors


NO_OVERLAP = -1  # in place of a piece: the entity has none


class Overlap(NamedTuple):
    """The mentions that a gold and a system entity share."""

    gold: int
    system: int
    equal: int  # mentions that are equal as they are
    spans: int  # mentions that differ by a span error


class Overlaps(NamedTuple):
    """All that both sides have in common, and what each has alone: enough to count and to correct errors."""

    pieces: Sequence[Overlap]
    gold_anchors: Sequence[int]
    """The first piece of each gold entity, by the order of gold mentions, or `NO_OVERLAP`."""
    system_anchors: Sequence[int]
    missing: Sequence[int]
    """The number of mentions without a partner in each gold entity, and `extra` in each of the system."""
    extra: Sequence[int]
    gold_sizes: Sequence[int]


def overlaps_of(sides: OrderedSides) -> Overlaps:
    """Count the pieces of all entities."""
    # A cell, a gold and a system entity, is one number here: with pairs it takes 1.3 times as long
    gold, system = sides.gold, sides.system
    width = len(system.sizes) or 1
    shared = Counter(e * width + p for e, p in zip(gold.entities, gold.partners, strict=True) if p != LACKS)
    if sides.span_errors:
        equal = Counter(e * width + p for e, p in zip(gold.entities, gold.equal, strict=True) if p != LACKS)
    else:
        equal = shared
    pieces = [Overlap(*divmod(cell, width), equal[cell], n - equal[cell]) for cell, n in shared.items()]
    places = {cell: place for place, cell in enumerate(shared)}
    system_cells = dict.fromkeys(
        p * width + e for e, p in zip(system.entities, system.partners, strict=True) if p != LACKS
    )
    return Overlaps(
        pieces,
        _anchors(((piece.gold, place) for place, piece in enumerate(pieces)), gold),
        _anchors(((cell % width, places[cell]) for cell in system_cells), system),
        _alone(gold),
        _alone(system),
        gold.sizes,
    )


def _anchors(pieces: Iterable[tuple[int, int]], side: OrderedSide) -> list[int]:
    anchors: dict[int, int] = {}
    for entity, place in pieces:
        anchors.setdefault(entity, place)
    return [anchors.get(entity, NO_OVERLAP) for entity in range(len(side.sizes))]


def _alone(side: OrderedSide) -> list[int]:
    """Return the number of mentions of each entity that have no partner."""
    alone = list(side.sizes)
    for entity, partner in zip(side.entities, side.partners, strict=True):
        if partner != LACKS:
            alone[entity] -= 1
    return alone


class Count(NamedTuple):
    """The errors of one kind."""

    errors: int
    mentions: int
    links: int  # the links that MUC loses by them: of gold, of the system, or for span errors of both
    singletons: int = 0  # the entities of one mention among them
    moved: int = 0  # pieces that are both conflated and divided: they are in the wrong entity


class Found(NamedTuple):
    """All that errors are counted from: on either side the pieces that are not the first of their entity."""

    overlaps: Overlaps
    divided: set[int]
    conflated: set[int]
    moved: int
    missing: tuple[Count, Count]
    """The mentions without a partner in entities with a piece, and the entities without one."""
    extra: tuple[Count, Count]


def _other_overlaps(overlaps: Overlaps, anchors: Sequence[int]) -> set[int]:
    return set(range(len(overlaps.pieces))).difference(anchors)


def _count_spans(found: Found) -> Count:
    """Count span errors; the first mention of a piece without an equal one has no link to find."""
    errors = sum(piece.spans for piece in found.overlaps.pieces)
    free = sum(not piece.equal for piece in found.overlaps.pieces)
    return Count(errors, errors, errors - free)


def _count_pieces(found: Found, places: set[int]) -> Count:
    pieces = found.overlaps.pieces
    mentions = sum(pieces[place].equal + pieces[place].spans for place in places)
    return Count(len(places), mentions, len(places), moved=found.moved)


def _without_partner(
    some: Sequence[int], alone: Sequence[int], anchors: Sequence[int]
) -> tuple[Count, Count]:
    """Return `some` of the mentions without a partner: in entities with a piece, and in those without one.

    An entity counts if all of it is there. A link is lost for each mention, if another one is left.
    """
    mentions = sum([n for n, anchor in zip(some, anchors, strict=True) if anchor != NO_OVERLAP])
    sizes = [(n, size) for n, size, anchor in zip(some, alone, anchors, strict=True) if anchor == NO_OVERLAP]
    number, whole = sum([n for n, _ in sizes]), sum([n == size for n, size in sizes])
    entities = Count(whole, number, number - whole, singletons=sizes.count((1, 1)))
    return Count(mentions, mentions, mentions), entities


class Look(NamedTuple):
    """The looks of a kind: mark and lines say the same as its colour, for those who do not see that."""

    mark: str
    light: str  # its colour on a light page, and in figures
    dark: str
    hatch: tuple[str, str]
    """Lines over the colour, for prints in gray: as SVG has them in a tile, and in letters of matplotlib."""


Unit: TypeAlias = Literal["span", "piece", "mention", "entity"]


class Kind(NamedTuple):
    """A kind of error."""

    name: str
    label: str
    loses: tuple[Literal["recall", "precision"], ...]
    """Whether it loses links of gold (recall: it is shown at mentions of gold) or of the system."""
    unit: Unit  # what one error is about
    count_in: Callable[[Found], Count]
    what: str  # a sentence for a reader who has never seen the page
    done: str  # what the system did, see `scorch2.analysis.listing.done`
    cost: str  # what its mentions are
    look: Look
    one: str = ""  # the label of a single error, where `label` is of several


_ROWS = (
    Kind("span", "span error", ("recall", "precision"), "span", _count_spans,
        "a mention of both sides whose boundaries differ",
        "the system has “{instead}” in place of {its}", "with other boundaries",
        Look("↔", "1374dc", "5ebdfc", ("M0 3H6", "---"))),
    Kind("conflated", "conflated entities", ("precision",), "piece",
        lambda found: _count_pieces(found, found.conflated),
        "mentions of another gold entity in a system entity",
        "the system conflates {its}, of gold entity{own}, with gold entity{other}", "conflated",
        Look("≠", "65262a", "d6a077", ("M-1 1L1 -1M0 6L6 0M5 7L7 5", "////")), "conflated entity"),
    Kind("extra_mention", "extra mention", ("precision",), "mention", lambda found: found.extra[0],
        "a mention that gold lacks, in an entity that gold has",
        "the system adds {its}, which gold lacks, to its entity{there}", "extra",
        Look("+", "946f0a", "b3880c", ("M-1 5L1 7M0 0L6 6M5 -1L7 1", 4 * "\\"))),
    Kind("extra_entity", "extra entity", ("precision",), "entity", lambda found: found.extra[1],
        "a system entity of which gold has no mention",
        "the system makes an entity{there} of {its}, which gold lacks", "extra",
        Look("⊞", "5a5100", "e2d863", ("M3 0V6", "|||"))),
    Kind("divided", "divided entity", ("recall",), "piece",
        lambda found: _count_pieces(found, found.divided),
        "mentions of a gold entity that are in another system entity than its first ones",
        "the system has {its} in its entity{there}, the first mention in its entity{other}", "divided",
        Look("÷", "543a8f", "8773f6", ("M0 0L6 6M0 6L6 0", "xxxx"))),
    Kind("missing_mention", "missing mention", ("recall",), "mention", lambda found: found.missing[0],
        "a mention that the system lacks, of an entity that it has",
        "the system lacks {its} of gold entity{own}", "missing",
        Look("−", "19765a", "7be1bf", ("M2 3H4", "..."))),
    Kind("missing_entity", "missing entity", ("recall",), "entity", lambda found: found.missing[1],
        "a gold entity of which the system has no mention",
        "the system lacks the whole gold entity{own}: {its}", "missing",
        Look("⊟", "995d8c", "ac79a6", ("M3 0V6M0 3H6", "+++"))),
)  # fmt: skip
KINDS: Mapping[str, Kind] = {kind.name: kind for kind in _ROWS}
"""The kinds by name, in the order of correction."""
ALL = "all"
LOSES_RECALL = tuple([kind.name for kind in _ROWS if "recall" in kind.loses])
LOSES_PRECISION = tuple([kind.name for kind in _ROWS if "precision" in kind.loses])


def kinds_of(loses: str) -> Mapping[Unit, str]:
    """Return the kinds that lose links of gold (``recall``), or of the system (``precision``), by unit."""
    return {kind.unit: kind.name for kind in _ROWS if loses in kind.loses}


def plural(kind: str) -> str:
    """Return the label of several errors of a kind.

    >>> plural("extra_entity"), plural("span"), plural("conflated")
    ('extra entities', 'span errors', 'conflated entities')
    """
    label = KINDS[kind].label
    return label if label.endswith("s") else f"{label[:-1]}ies" if label.endswith("y") else f"{label}s"


def counted_errors(number: int, kind: str) -> str:
    """Return a number of errors in words.

    >>> counted_errors(1, "conflated"), counted_errors(2, "extra_entity")
    ('1 conflated entity', '2 extra entities')
    """
    return f"{number} {(KINDS[kind].one or KINDS[kind].label) if number == 1 else plural(kind)}"


def counts_of(kind: str, count: Count) -> dict[str, int | None]:
    """Return the counts of a kind by name, and None for those that it cannot have."""
    row = KINDS[kind]
    return {
        "errors": count.errors,
        "mentions": count.mentions,
        "singletons": count.singletons if row.unit == "entity" else None,
        "moved": count.moved if row.unit == "piece" else None,
        "lost_recall": count.links if "recall" in row.loses else None,
        "lost_precision": count.links if "precision" in row.loses else None,
    }


def count_errors(overlaps: Overlaps) -> tuple[Count, ...]:
    """Return how many errors there are of each kind, in the order of `KINDS`."""
    divided = _other_overlaps(overlaps, overlaps.gold_anchors)
    conflated = _other_overlaps(overlaps, overlaps.system_anchors)
    missing = _without_partner(overlaps.missing, overlaps.missing, overlaps.gold_anchors)
    extra = _without_partner(overlaps.extra, overlaps.extra, overlaps.system_anchors)
    found = Found(overlaps, divided, conflated, len(divided & conflated), missing, extra)
    return tuple([kind.count_in(found) for kind in _ROWS])


def add_counts(documents: Sequence[Sequence[Count]]) -> dict[str, Count]:
    """Return the sums over documents, by kind."""
    columns = zip(*documents, strict=True)
    return {
        kind: Count(*map(sum, zip(*column, strict=True))) for kind, column in zip(KINDS, columns, strict=True)
    }


UNCOPIED = ("missing_mention", "missing_entity")
"""The kinds of which a mention may be missing because a text was not copied."""


def count_uncopied(
    gold: OrderedSide, overlaps: Overlaps, uncopied: Iterable[int]
) -> tuple[Overlaps, tuple[Count, Count]]:
    """Return the overlaps with no missing mentions but `uncopied` ones, and the errors that these are."""
    alone = [0] * len(overlaps.missing)
    for place in uncopied:
        alone[gold.entities[place]] += gold.partners[place] == LACKS
    counts = _without_partner(alone, overlaps.missing, overlaps.gold_anchors)
    return overlaps._replace(missing=alone), counts


class Located(NamedTuple):
    """One error. Mentions are places in a side, entities are numbers; `LACKS` stands for none."""

    kind: str
    gold: int
    system: int
    mentions: Sequence[int]
    """Its mentions in order, of gold if its kind is in `LOSES_RECALL`; it is shown at the first one."""
    links: int
    link_to: int = LACKS  # the mention that the first one is linked to, or should be
    instead: int = LACKS  # for span errors the system mention
    anchor: int = LACKS  # for pieces the entity of the other side that holds the first piece
    moved: bool | None = None  # for pieces: whether it is both conflated and divided
    patterns: Sequence[str] = ()  # their names, see `scorch2.analysis.patterns`


def located(sides: OrderedSides, overlaps: Overlaps) -> Iterator[Located]:
    """Yield all errors in the order of their kinds, and of their first mentions."""
    places = range(len(overlaps.pieces))
    both = set(places).difference(overlaps.gold_anchors).difference(overlaps.system_anchors)
    moved = {(overlaps.pieces[place].gold, overlaps.pieces[place].system) for place in both}
    yield from _located_spans(sides, overlaps)
    flipped = {(system, gold) for gold, system in moved}
    for error in _located_by_kind(sides.system, kinds_of("precision"), flipped):
        yield error._replace(gold=error.system, system=error.gold)
    yield from _located_by_kind(sides.gold, kinds_of("recall"), moved)


def _located_spans(sides: OrderedSides, overlaps: Overlaps) -> Iterator[Located]:
    """Yield span errors; the first one of a piece without an equal mention costs no link."""
    free = {(piece.gold, piece.system) for piece in overlaps.pieces if not piece.equal}
    for g, s in sides.span_errors:
        entities = sides.gold.entities[g], sides.system.entities[s]
        yield Located("span", *entities, [g], 0 if entities in free else 1, instead=s)
        free.discard(entities)


def _located_by_kind(
    side: OrderedSide, kinds: Mapping[Unit, str], moved: set[tuple[int, int]]
) -> list[Located]:
    """Return the errors of one side but span errors, as if it were gold; `kinds` are its own by unit."""
    members: list[list[int]] = [[] for _ in side.sizes]
    for place, entity in enumerate(side.entities):
        members[entity].append(place)
    order = {kind: number for number, kind in enumerate(kinds.values())}
    every = (
        error
        for entity, places in enumerate(members)
        for error in _located_in_entity(side, entity, places, kinds, moved)
    )
    return sorted(every, key=lambda error: (order[error.kind], error.mentions[0]))


def _located_in_entity(
    side: OrderedSide,
    entity: int,
    places: Sequence[int],
    kinds: Mapping[Unit, str],
    moved: Container[tuple[int, int]],
) -> Iterator[Located]:
    partners = [side.partners[place] for place in places]
    anchor = next((partner for partner in partners if partner != LACKS), LACKS)
    if anchor == LACKS:
        yield Located(kinds["entity"], entity, LACKS, places, len(places) - 1)
        return
    pieces: dict[int, list[int]] = {}
    for place, partner in zip(places, partners, strict=True):
        pieces.setdefault(partner, []).append(place)
    met: set[int] = set()
    for number, (place, partner) in enumerate(zip(places, partners, strict=True)):
        if partner == LACKS:
            near = places[number - 1] if met else places[number + 1]
            yield Located(kinds["mention"], entity, LACKS, [place], 1, near)
            continue
        if met and partner not in met:
            piece, before = pieces[partner], places[number - 1]
            is_moved = (entity, partner) in moved
            yield Located(kinds["piece"], entity, partner, piece, 1, before, anchor=anchor, moved=is_moved)
        met.add(partner)


def corrected(overlaps: Overlaps, kinds: Collection[str]) -> Contingency:
    """Return the overlaps after the corrections of `kinds`, keys of `scorch2.analysis.kinds.KINDS`."""
    # The home of a piece is the number of the system entity that it is in. Entities that stay keep their
    # numbers; those that are made of a piece come next.
    pieces, is_span = overlaps.pieces, "span" in kinds
    homes = [piece.system for piece in pieces]
    shared = [piece.equal + piece.spans if is_span else piece.equal for piece in pieces]
    if "conflated" in kinds:
        homes = [*range(len(overlaps.extra), len(overlaps.extra) + len(pieces))]
    if "divided" in kinds:
        of_gold = [overlaps.gold_anchors[piece.gold] for piece in pieces]
        joined = [homes[place] for place in of_gold]
        homes = joined if "conflated" in kinds else _joined(homes, zip(homes, joined, strict=True))
        _gather(shared, of_gold)
    return _table(overlaps, homes, shared, kinds)


def after_errors(overlaps: Overlaps, errors: Iterable[Located]) -> Contingency:
    """Return the overlaps after the corrections of some errors, in the order of their kinds."""
    places = {(piece.gold, piece.system): place for place, piece in enumerate(overlaps.pieces)}
    homes = [piece.system for piece in overlaps.pieces]
    shared = [piece.equal for piece in overlaps.pieces]
    extra, missing, divided = list(overlaps.extra), [0] * len(overlaps.missing), []
    for error in errors:
        place = places.get((error.gold, error.system), NO_OVERLAP)
        if error.kind == "span":
            shared[place] += 1
        elif error.kind == "conflated":
            homes[place] = len(extra) + place
        elif error.kind == "divided":
            divided.append((place, overlaps.gold_anchors[error.gold]))
        elif error.kind in LOSES_RECALL:
            missing[error.gold] += len(error.mentions)
        else:
            extra[error.system] -= len(error.mentions)
    homes = _joined(homes, [(homes[place], homes[first]) for place, first in divided])
    cells: dict[tuple[int, int], int] = {}
    every = enumerate(zip(overlaps.pieces, homes, strict=True))
    _gather(shared, [cells.setdefault((piece.gold, home), place) for place, (piece, home) in every])
    left = overlaps._replace(extra=extra, missing=missing)
    return _table(left, homes, shared, ("missing_mention", "missing_entity"))  # all that `missing` still has


def _joined(homes: Sequence[int], links: Iterable[tuple[int, int]]) -> list[int]:
    """Return the homes of pieces after linked ones are made one."""
    roots = roots_of(max(homes, default=0) + 1, links)
    return [roots[home] for home in homes]


def _gather(shared: list[int], firsts: Sequence[int]) -> None:
    """Move what pieces share to the first piece of the same gold entity in the same home."""
    for place, first in enumerate(firsts):
        if first != place:
            shared[first] += shared[place]
            shared[place] = 0


def _table(
    overlaps: Overlaps, homes: Sequence[int], shared: list[int], kinds: Collection[str]
) -> Contingency:
    """Return the table of pieces in `homes`; `kinds` of mentions without a partner are corrected."""
    made = len(overlaps.extra) + len(homes)  # the first number of entities that are made of missing mentions
    sizes = [0] * (made + len(overlaps.missing))
    for piece, home in zip(overlaps.pieces, homes, strict=True):
        sizes[home] += piece.equal + piece.spans
    for entity, (number, anchor) in enumerate(zip(overlaps.extra, overlaps.system_anchors, strict=True)):
        if number and ("extra_entity" if anchor == NO_OVERLAP else "extra_mention") not in kinds:
            sizes[entity if anchor == NO_OVERLAP else homes[anchor]] += number
    cells = []
    for entity, (number, anchor) in enumerate(zip(overlaps.missing, overlaps.gold_anchors, strict=True)):
        if anchor == NO_OVERLAP and number and "missing_entity" in kinds:
            sizes[made + entity] = number
            cells.append((entity, made + entity, number))
        elif number and anchor != NO_OVERLAP and "missing_mention" in kinds:
            sizes[homes[anchor]] += number
            shared[anchor] += number
    numbers = [*accumulate(map(bool, sizes), initial=0)]
    cells += [(piece.gold, home, n) for piece, home, n in zip(overlaps.pieces, homes, shared, strict=True)]
    table = [(gold, numbers[home], n) for gold, home, n in cells if n]
    return Contingency(table, overlaps.gold_sizes, [*filter(None, sizes)])


def roots_of(number: int, links: Iterable[tuple[int, int]]) -> list[int]:
    """Return, for each of `number` things, the one that stands for all that are linked with it."""
    roots = list(range(number))

    def root(thing: int) -> int:
        while roots[thing] != thing:
            roots[thing] = roots[roots[thing]]
            thing = roots[thing]
        return thing

    for thing, linked in links:
        roots[root(thing)] = root(linked)
    return [root(thing) for thing in range(number)]
