"""Every error of a document with its place: which mentions it is about, and where it shows."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorch2.analysis.pieces import Pieces
from scorch2.analysis.sides import LACKS, Side, Sides


class Located(NamedTuple):
    """One error. Mentions are places in a side, entities are numbers; `LACKS` stands for none."""

    kind: str
    """A key of `scorch2.analysis.kinds.KINDS`."""
    gold: int
    """The gold entity."""
    system: int
    """The system entity."""
    mentions: Sequence[int]
    """Its mentions in order, of gold if its kind is in `LOSES_RECALL`; it is shown at the first one."""
    links: int
    """The links that MUC loses by it."""
    link_to: int = LACKS
    """The mention that the first one is linked to, or should be."""
    instead: int = LACKS
    """For span errors the system mention."""
    anchor: int = LACKS
    """For pieces the entity of the other side that holds the first piece."""
    moved: bool | None = None
    """For pieces: whether it is both conflated and divided."""


def located(sides: Sides, found: Pieces) -> Iterator[Located]:
    """Yield all errors in the order of their kinds, and of their first mentions."""
    places = range(len(found.pieces))
    both = set(places).difference(found.gold_anchors).difference(found.system_anchors)
    moved = {(found.pieces[place].gold, found.pieces[place].system) for place in both}
    yield from _spans(sides, found)
    flipped = {(system, gold) for gold, system in moved}
    for error in _by_kind(sides.system, ("conflated", "extra_mention", "extra_entity"), flipped):
        yield error._replace(gold=error.system, system=error.gold)
    yield from _by_kind(sides.gold, ("divided", "missing_mention", "missing_entity"), moved)


def _spans(sides: Sides, found: Pieces) -> Iterator[Located]:
    """Yield span errors; the first one of a piece without an equal mention costs no link."""
    free = {(piece.gold, piece.system) for piece in found.pieces if not piece.equal}
    for g, s in sides.span_errors:
        entities = sides.gold.entities[g], sides.system.entities[s]
        yield Located("span", *entities, [g], 0 if entities in free else 1, instead=s)
        free.discard(entities)


def _by_kind(side: Side, kinds: Sequence[str], moved: set[tuple[int, int]]) -> list[Located]:
    """Return the errors of one side but span errors: of pieces, mentions, entities, as if it were gold."""
    members: list[list[int]] = [[] for _ in side.sizes]
    for place, entity in enumerate(side.entities):
        members[entity].append(place)
    order = {kind: number for number, kind in enumerate(kinds)}
    errors = [
        error for entity, places in enumerate(members) for error in _of_entity(side, entity, places, kinds)
    ]
    errors.sort(key=lambda error: (order[error.kind], error.mentions[0]))
    return [
        error if error.moved is None else error._replace(moved=(error.gold, error.system) in moved)
        for error in errors
    ]


def _of_entity(side: Side, entity: int, places: Sequence[int], kinds: Sequence[str]) -> Iterator[Located]:
    """Yield the errors of an entity, whose mentions stand at `places`."""
    of_piece, of_mention, of_entity = kinds
    partners = [side.partners[place] for place in places]
    anchor = next((partner for partner in partners if partner != LACKS), LACKS)
    if anchor == LACKS:
        yield Located(of_entity, entity, LACKS, places, len(places) - 1)
        return
    met: set[int] = set()
    for number, (place, partner) in enumerate(zip(places, partners, strict=True)):
        if partner == LACKS:
            near = places[number - 1] if met else places[number + 1]
            yield Located(of_mention, entity, LACKS, [place], 1, near)
            continue
        if met and partner not in met:
            piece = [one for one, its in zip(places, partners, strict=True) if its == partner]
            yield Located(of_piece, entity, partner, piece, 1, places[number - 1], anchor=anchor, moved=False)
        met.add(partner)
