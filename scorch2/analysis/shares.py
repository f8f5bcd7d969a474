"""Shares: what each kind of error costs, in a way that does not depend on the order of corrections.

Formula   share of k = Σ over S without k of |S|! (n−|S|−1)! / n! · (v(S and k) − v(S)): the mean, over all
          orders of the n kinds, of what correcting k adds. v(S) is the score after the corrections of S.
Units     fractions of F1 (or of the only part), −1..1; they add up to v(all kinds) − v(no kind).
Edge      a kind without errors has 0; a metric that is 0/0 for some S has no shares.
Cost      O(2^n · cells) for each document, but equal parts of tables are counted once.
Source    Shapley 1953, A value for n-person games.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import factorial, fsum
from operator import add
from typing import NamedTuple, TypeAlias

from scorch2.analysis.kinds import KINDS, NO_OVERLAP, Overlap, Overlaps, corrected, count_errors, roots_of
from scorch2.model.score import Measured, Tally, Value

Values: TypeAlias = Mapping[str, float | None]  # by metric; None for 0/0
Kinds: TypeAlias = int  # a set of kinds: a bit for each of `KINDS`, the first one lowest
Row: TypeAlias = tuple[float, ...]  # system mentions, then all tallies, of one document or a part of it
_NAMES = tuple(KINDS)
_FEW = 64  # entities of a part that may come again; the counts of larger ones are not kept
_KEPT = 1 << 14  # parts whose counts are kept


def bits(kinds: Kinds) -> Iterator[int]:
    """Yield the bit of each kind in a set."""
    while kinds:
        yield kinds & -kinds
        kinds &= kinds - 1


def subsets(kinds: Kinds) -> list[Kinds]:
    """Return all subsets of a set: each is listed after its own subsets."""
    found = [0]
    for bit in bits(kinds):
        found += [subset | bit for subset in found]
    return found


def _name(bit: Kinds) -> str:
    return _NAMES[bit.bit_length() - 1]


def _with_errors(overlaps: Overlaps) -> Kinds:
    return sum(1 << place for place, count in enumerate(count_errors(overlaps)) if count.errors)


class Subsets(NamedTuple):
    """The counts of a document after the corrections of each subset of its kinds."""

    base: Measured  # those as it is
    kinds: Kinds  # of which it has errors
    rows: Mapping[Kinds, Row]

    def after(self, kinds: Kinds) -> Measured:
        """Return the counts after the corrections of the kinds of a set that it has."""
        mentions, *numbers = self.rows[kinds & self.kinds]
        every = iter(numbers)
        fours = map(Tally._make, zip(every, every, every, every, strict=True))
        tallies = tuple([tuple(islice(fours, len(parts))) for parts in self.base.tallies])
        return self.base._replace(system_mentions=int(mentions), tallies=tallies)


class SubsetCounter:
    """Counts what a document has after the corrections of every subset of its kinds."""

    def __init__(self, tallies: Callable[..., Sequence[Sequence[Tally]]], *, by_parts: bool) -> None:
        self._tallies = tallies
        self._by_parts = by_parts  # whether the tallies of connected parts add up to those of a table
        self._once = lru_cache(_KEPT)(self._rows)

    def count(self, overlaps: Overlaps, base: Measured) -> Subsets:
        """Return the counts of a document for each subset of its kinds; `base` are those as it is."""
        parts = Counter(connected_parts(overlaps)).items() if self._by_parts else [(overlaps, 1)]
        sums: dict[Kinds, dict[Kinds, Row]] = {}
        for part, number in parts:
            few = self._by_parts and len(part.extra) + len(part.missing) <= _FEW
            kinds, rows = self._once(part) if few else self._rows(part)
            own = sums.setdefault(kinds, {})
            for subset, counts in rows.items():
                more = counts if number == 1 else tuple([number * count for count in counts])
                own[subset] = _plus(own[subset], more) if subset in own else more
        every = 0
        found: dict[Kinds, Row] = {0: (0,) * len(_flat(0, base.tallies))}
        for kinds, own in sums.items():  # the first ones have few subsets
            before, every = every, every | kinds
            found = {one: _plus(found[one & before], own[one & kinds]) for one in subsets(every)}
        return Subsets(base, every, {**found, 0: _flat(base.system_mentions, base.tallies)})

    def _rows(self, part: Overlaps) -> tuple[Kinds, dict[Kinds, Row]]:
        kinds, rows = _with_errors(part), {}
        for subset in subsets(kinds):
            table = corrected(part, {_name(bit) for bit in bits(subset)})
            rows[subset] = _flat(sum(table.system_sizes), self._tallies(table))
        return kinds, rows


def _flat(system_mentions: int, tallies: Sequence[Sequence[Tally]]) -> Row:
    return (system_mentions, *[number for parts in tallies for tally in parts for number in tally])


def _plus(one: Row, other: Row) -> Row:
    return tuple(map(add, one, other))


def connected_parts(overlaps: Overlaps) -> Iterator[Overlaps]:
    """Yield the parts of a table that share no entity; equal ones are equal, wherever they stand."""
    shift = len(overlaps.gold_sizes)
    links = [(piece.gold, shift + piece.system) for piece in overlaps.pieces]
    members: dict[int, tuple[list[int], list[int], list[int]]] = {}
    roots = roots_of(shift + len(overlaps.extra), links)
    for entity, root in enumerate(roots):
        part = members.setdefault(root, ([], [], []))
        part[entity >= shift].append(entity - shift if entity >= shift else entity)
    for place, (gold, _) in enumerate(links):
        members[roots[gold]][2].append(place)
    for golds, systems, places in members.values():
        yield _part(overlaps, golds, systems, places)


def _part(
    overlaps: Overlaps, golds: Sequence[int], systems: Sequence[int], places: Sequence[int]
) -> Overlaps:
    gold = {entity: number for number, entity in enumerate(golds)}
    system = {entity: number for number, entity in enumerate(systems)}
    place_of = {place: number for number, place in enumerate(places)} | {NO_OVERLAP: NO_OVERLAP}
    pieces = [overlaps.pieces[place] for place in places]
    return Overlaps(
        tuple([Overlap(gold[g], system[s], equal, spans) for g, s, equal, spans in pieces]),
        tuple([place_of[overlaps.gold_anchors[entity]] for entity in golds]),
        tuple([place_of[overlaps.system_anchors[entity]] for entity in systems]),
        tuple([overlaps.missing[entity] for entity in golds]),
        tuple([overlaps.extra[entity] for entity in systems]),
        tuple([overlaps.gold_sizes[entity] for entity in golds]),
    )


def factors_of(kinds: Kinds) -> Iterator[tuple[Kinds, Mapping[str, float]]]:
    """Yield each subset with the factors of its score: one for the share of each kind."""
    number = kinds.bit_count()
    orders = factorial(number)
    for subset in subsets(kinds):
        size = subset.bit_count()
        last = factorial(size - 1) * factorial(number - size) / orders if size else 0.0
        following = factorial(size) * factorial(number - size - 1) / orders if size < number else 0.0
        yield subset, {_name(bit): last if subset & bit else -following for bit in bits(kinds)}


def shares_of(kinds: Kinds, score: Callable[[Kinds], Mapping[str, Value]]) -> dict[str, Values]:
    """Return the share of each kind by metric; `score` is of the output after the corrections of a set."""
    terms: dict[tuple[str, str], list[float]] = {}
    undefined: set[str] = set()
    for subset, factors in factors_of(kinds):
        scores = score(subset)
        undefined.update(metric for metric, value in scores.items() if not value.defined)
        for kind, factor in factors.items():
            for metric, value in scores.items():
                terms.setdefault((kind, metric), []).append(factor * value)
    return {
        kind: {
            metric: None if metric in undefined else fsum(terms.get((kind, metric), ())) for metric in scores
        }
        for kind in KINDS
    }
