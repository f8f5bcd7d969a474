"""A slow model of the error analysis, from explicit sets: it shares no code with scorch2.analysis.

Mentions are integers or spans (start, end), whose order Python knows. All pairs of spans are tried, and
corrected output is a partition with mentions in it.
"""

from collections.abc import Callable, Collection, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple, TypeAlias

Mention: TypeAlias = tuple[int, int]
Entity: TypeAlias = list[Mention]
"""In the order of the text."""
KINDS = ("span", "conflated", "extra_mention", "extra_entity", "divided", "missing_mention", "missing_entity")


class Told(NamedTuple):
    """The errors of one document."""

    errors: dict[str, list[tuple[Mention, ...]]]
    """The mentions of each error by kind."""
    recall: dict[str, int]
    """Links of gold by status."""
    precision: dict[str, int]
    span_links: int
    moved: int


class Model:
    """Two partitions of one text."""

    def __init__(
        self,
        gold: Collection[Collection[Mention]],
        system: Collection[Collection[Mention]],
        may_pair: Callable[[Mention, Mention], bool] | None,
    ) -> None:
        self.gold = sorted(sorted(entity) for entity in gold)
        self.system = sorted(sorted(entity) for entity in system)
        golds = {mention for entity in self.gold for mention in entity}
        systems = {mention for entity in self.system for mention in entity}
        self.pairs = [] if may_pair is None else paired(golds - systems, systems - golds, may_pair)
        self.to_gold = {mention: mention for mention in golds & systems} | {s: g for g, s in self.pairs}
        self.to_system = {g: s for s, g in self.to_gold.items()}
        self.found = self.told()
        self.errors = self.found.errors

    def pieces(self, entity: Entity, *, of_gold: bool) -> list[list[Mention]]:
        """The mentions with a partner, by the entity of the other side, in order."""
        others, partner = (self.system, self.to_system) if of_gold else (self.gold, self.to_gold)
        found = [[m for m in entity if m in partner and partner[m] in other] for other in others]
        return sorted(piece for piece in found if piece)

    def told(self) -> Told:
        """Return errors and links."""
        errors: dict[str, list[tuple[Mention, ...]]] = {kind: [] for kind in KINDS}
        errors["span"] = [(g,) for g, _ in self.pairs]
        sides = (
            (self.gold, True, self.to_system, ("divided", "missing_mention", "missing_entity")),
            (self.system, False, self.to_gold, ("conflated", "extra_mention", "extra_entity")),
        )
        links: list[dict[str, int]] = []
        for entities, of_gold, partner, (piece_kind, mention_kind, entity_kind) in sides:
            for entity in entities:
                pieces = self.pieces(entity, of_gold=of_gold)
                if not pieces:
                    errors[entity_kind].append(tuple(entity))
                    continue
                errors[piece_kind] += [tuple(piece) for piece in pieces[1:]]
                errors[mention_kind] += [(mention,) for mention in entity if mention not in partner]
            links.append(self._links(entities, partner, of_gold=of_gold))
        moved = {frozenset(map(self.to_gold.get, piece)) for piece in errors["conflated"]}
        moved &= {frozenset(piece) for piece in errors["divided"]}
        return Told(errors, links[0], links[1], self._span_links(), len(moved))

    def _span_links(self) -> int:
        lost = 0
        for entity in self.gold:
            for piece in self.pieces(entity, of_gold=True):
                spans = [mention for mention in piece if self.to_system[mention] != mention]
                lost += len(spans) if len(spans) < len(piece) else len(spans) - 1
        return lost

    def _links(
        self, entities: Sequence[Entity], partner: dict[Mention, Mention], *, of_gold: bool
    ) -> dict[str, int]:
        """Count links by status, as the definitions say it."""
        others = self.system if of_gold else self.gold
        found = dict.fromkeys(("found", "span", "piece", "mention", "entity"), 0)
        for entity in entities:
            for place in range(1, len(entity)):
                mention, earlier = entity[place], entity[:place]
                equal = any(mention in other and set(earlier) & set(other) for other in others)
                partners = {partner[m] for m in earlier if m in partner}
                same = any(partner.get(mention) in other and partners & set(other) for other in others)
                if equal:
                    found["found"] += 1
                elif same:
                    found["span"] += 1
                elif not any(m in partner for m in entity):
                    found["entity"] += 1
                elif mention not in partner or not partners:
                    found["mention"] += 1
                else:
                    found["piece"] += 1
        return found

    def corrected(self, kinds: Collection[str]) -> list[set[Mention]]:
        """Return the system's partition after the corrections of `kinds`, in the order of `KINDS`."""
        now = [set(entity) for entity in self.system]
        for kind in KINDS:
            if kind in kinds:
                now = [entity for entity in getattr(self, f"_{kind}")(now) if entity]
        return now

    def _span(self, now: list[set[Mention]]) -> list[set[Mention]]:
        return [{self.to_gold.get(mention, mention) for mention in entity} for entity in now]

    def _conflated(self, now: list[set[Mention]]) -> list[set[Mention]]:
        """Split each entity; its mentions are system mentions or, after correcting spans, gold mentions."""
        split = []
        for entity in self.system:
            pieces = self.pieces(entity, of_gold=False) or [[]]
            rest = [mention for mention in entity if mention not in self.to_gold]
            for number, piece in enumerate(pieces):
                split.append({*piece, *(rest if number == 0 else ())})
        there = set().union(*now) if now else set()
        return [{m if m in there else self.to_gold[m] for m in entity} for entity in split]

    def _extra_mention(self, now: list[set[Mention]]) -> list[set[Mention]]:
        extra = {mention for (mention,) in self.errors["extra_mention"]}
        return [entity - extra for entity in now]

    def _extra_entity(self, now: list[set[Mention]]) -> list[set[Mention]]:
        extra = {mention for entity in self.errors["extra_entity"] for mention in entity}
        return [entity - extra for entity in now]

    def _forms(self, mentions: Collection[Mention]) -> set[Mention]:
        """Return gold mentions with a partner, and these partners."""
        return {form for m in mentions if m in self.to_system for form in (m, self.to_system[m])}

    def _divided(self, now: list[set[Mention]]) -> list[set[Mention]]:
        for entity in self.gold:
            forms = self._forms(entity)
            if forms:
                holders = [one for one in now if self._held(one) & forms]
                now = [one for one in now if one not in holders] + [set().union(*holders)]
        return now

    def _held(self, entity: set[Mention]) -> set[Mention]:
        """Return the mentions that have a partner: a gold form alone may equal another's extra one."""
        return {m for m in entity if m in self.to_gold or m in self.to_system}

    def _missing_mention(self, now: list[set[Mention]]) -> list[set[Mention]]:
        found = [set(entity) for entity in now]
        for entity in self.gold:
            pieces = self.pieces(entity, of_gold=True)
            if pieces:
                forms = self._forms(pieces[0])
                (holder,) = [one for one in found if one & forms]
                holder |= {mention for mention in entity if mention not in self.to_system}
        return found

    def _missing_entity(self, now: list[set[Mention]]) -> list[set[Mention]]:
        return [*now, *(set(entity) for entity in self.gold if not self._forms(entity))]


def paired(
    gold: Collection[Mention], system: Collection[Mention], may_pair: Callable[[Mention, Mention], bool]
) -> list[tuple[Mention, Mention]]:
    """Return span errors: all pairs are tried, the best one is taken until none is left."""
    left, right = set(gold), set(system)
    pairs: list[tuple[Mention, Mention]] = []
    while True:
        candidates = [
            (-dice(g, s), min(g, s), max(g, s), g, s)
            for g in left
            for s in right
            if 2 * dice(g, s) >= 1 and may_pair(g, s)
        ]
        if not candidates:
            return sorted(pairs)
        *_, g, s = min(candidates)
        left.remove(g)
        right.remove(s)
        pairs.append((g, s))


@cache
def dice(one: Mention, other: Mention) -> Fraction:
    """Return twice the common tokens over all tokens."""
    tokens = set(range(*one)), set(range(*other))
    return Fraction(2 * len(tokens[0] & tokens[1]), len(tokens[0]) + len(tokens[1]))
