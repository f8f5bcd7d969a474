"""The links of one side and what becomes of them, under one system or two.

Each mention of an entity but the first has a link to the mention before it. A link is correct, or lost in one
of four ways: the lost links of gold are those that MUC recall loses, those of the system MUC precision.

What each kind of error costs is a share, which does not depend on the order of corrections:

Formula   share of k = Σ over S without k of |S|! (n−|S|−1)! / n! · (v(S and k) − v(S)): the mean, over all
          orders of the n kinds, of what correcting k adds. v(S) is the score after the corrections of S.
Units     fractions of F1 (or of the only part), −1..1; they add up to v(all kinds) − v(no kind).
Edge      a kind without errors has 0; a metric that is 0/0 for some S has no shares.
Cost      O(2^n · cells) for each document, but equal components of tables are counted once.
Source    Shapley 1953, A value for n-person games.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, zip_longest
from math import factorial, fsum
from operator import add
from typing import Any, NamedTuple, TypeAlias

from scorch2.analysis.kinds import (
    ALL,
    KINDS,
    LACKS,
    LOSES_RECALL,
    NO_OVERLAP,
    Located,
    OrderedSide,
    OrderedSides,
    Overlap,
    Overlaps,
    Unit,
    corrected,
    count_errors,
    kinds_of,
    roots_of,
)
from scorch2.model.document import Document, Mention
from scorch2.model.errors import InputError, PairingError, counted, listed, quoted, shown_path
from scorch2.model.results import Interval
from scorch2.model.score import AnyScore, Measured, Tally, Value, main_part
from scorch2.scoring.contingency import Contingency

Values: TypeAlias = Mapping[str, float | None]  # by metric; None for 0/0
Kinds: TypeAlias = int  # a set of kinds: a bit for each of `KINDS`, the first one lowest
Row: TypeAlias = tuple[float, ...]  # system mentions, then all tallies, of one document or a component of it
_NAMES = tuple(KINDS)
_FEW = 64  # entities of a component that may come again; the counts of larger ones are not kept
_KEPT = 1 << 14  # components whose counts are kept


def bits(kinds: Kinds) -> Iterator[int]:
    """Yield the bit of each kind in a set."""
    while kinds:
        yield kinds & -kinds
        kinds &= kinds - 1


def subsets(kinds: Kinds) -> list[Kinds]:
    """Return all subsets of a set: each is listed after its own subsets."""
    every = [0]
    for bit in bits(kinds):
        every += [subset | bit for subset in every]
    return every


def _name(bit: Kinds) -> str:
    return _NAMES[bit.bit_length() - 1]


CORRECTED: Mapping[str, Mapping[str, Kinds]] = {
    "alone": {kind: 1 << place for place, kind in enumerate(_NAMES)},
    "in_order": {kind: (2 << place) - 1 for place, kind in enumerate(_NAMES)},
}
"""The kinds that are corrected to see what each gains by itself, and after all kinds before it."""


def _few_subsets(kinds: Kinds) -> Collection[Kinds]:
    """Return the subsets of a set that `CORRECTED` has."""
    return {one & kinds for sets in CORRECTED.values() for one in sets.values()}


def _with_errors(overlaps: Overlaps) -> Kinds:
    return sum(1 << place for place, count in enumerate(count_errors(overlaps)) if count.errors)


class Subsets(NamedTuple):
    """The counts of a document after the corrections of each subset of its kinds."""

    base: Measured  # those as it is
    kinds: Kinds  # of which it has errors
    rows: Mapping[Kinds, Row]

    def after(self, kinds: Kinds) -> Measured:
        """Return the counts after the corrections of the kinds of a set that it has."""
        if not kinds & self.kinds:
            return self.base
        mentions, *numbers = self.rows[kinds & self.kinds]
        every = iter(numbers)
        fours = map(Tally._make, zip(every, every, every, every, strict=True))
        tallies = tuple([tuple(islice(fours, len(parts))) for parts in self.base.tallies])
        return self.base._replace(system_mentions=int(mentions), tallies=tallies)


_Count: TypeAlias = Callable[[Contingency], Sequence[Sequence[Tally]]]


class SubsetCounter:
    """Counts what a document has after the corrections of subsets of its kinds: of all of them for shares."""

    def __init__(self, tallies: _Count, *, shares: bool, added: bool) -> None:
        self._tallies = tallies
        self._subsets = subsets if shares else _few_subsets
        self._added = shares and added  # whether the tallies of components are added up to those of a table
        self._once = lru_cache(_KEPT)(self._rows)

    def count(self, overlaps: Overlaps, base: Measured) -> Subsets:
        """Return the counts of a document for subsets of its kinds; `base` are those as it is."""
        components = Counter(components_of(overlaps)).items() if self._added else [(overlaps, 1)]
        sums: dict[Kinds, dict[Kinds, Row]] = {}
        for component, number in components:
            few = self._added and len(component.extra) + len(component.missing) <= _FEW
            kinds, rows = self._once(component) if few else self._rows(component)
            own = sums.setdefault(kinds, {})
            for subset, counts in rows.items():
                more = counts if number == 1 else tuple([number * count for count in counts])
                own[subset] = _plus(own[subset], more) if subset in own else more
        every = 0
        after: dict[Kinds, Row] = {}
        for kinds, own in sums.items():  # the first ones have few subsets
            before, every = every, every | kinds
            together = self._subsets(every) if after else ()
            after = {one: _plus(after[one & before], own[one & kinds]) for one in together} or own
        return Subsets(base, every, {**after, 0: _flat(base.system_mentions, base.tallies)})

    def _rows(self, component: Overlaps) -> tuple[Kinds, dict[Kinds, Row]]:
        kinds = _with_errors(component)
        return kinds, {one: _corrected(component, one, self._tallies) for one in self._subsets(kinds)}


def _corrected(overlaps: Overlaps, kinds: Kinds, tallies: _Count) -> Row:
    table = corrected(overlaps, {_name(bit) for bit in bits(kinds)})
    return _flat(sum(table.system_sizes), tallies(table))


def _flat(system_mentions: int, tallies: Sequence[Sequence[Tally]]) -> Row:
    return (system_mentions, *[number for parts in tallies for tally in parts for number in tally])


def _plus(one: Row, other: Row) -> Row:
    return tuple(map(add, one, other))


def components_of(overlaps: Overlaps) -> Iterator[Overlaps]:
    """Yield the connected components of a table, which share no entity; equal ones are equal anywhere."""
    shift = len(overlaps.gold_sizes)
    links = [(piece.gold, shift + piece.system) for piece in overlaps.pieces]
    members: dict[int, tuple[list[int], list[int], list[int]]] = {}
    roots = roots_of(shift + len(overlaps.extra), links)
    for entity, root in enumerate(roots):
        component = members.setdefault(root, ([], [], []))
        component[entity >= shift].append(entity - shift if entity >= shift else entity)
    for place, (gold, _) in enumerate(links):
        members[roots[gold]][2].append(place)
    for golds, systems, places in members.values():
        yield _component(overlaps, golds, systems, places)


def _component(
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


Scores = Mapping[str, AnyScore]


class Gains(NamedTuple):
    """The gain of F1, or of the only part, by kind of error and by metric; None where a score is 0/0."""

    # Each has a total under `ALL`, but `alone`

    alone: Mapping[str, Mapping[str, float | None]]
    in_order: Mapping[str, Mapping[str, float | None]]
    """From correcting each kind after all kinds before it."""
    shares: Mapping[str, Mapping[str, float | None]]
    """The mean over all orders; empty if shares were not asked for."""


class GainIntervals(NamedTuple):
    """The intervals of `Gains`."""

    alone: Mapping[str, Mapping[str, Interval]]
    in_order: Mapping[str, Mapping[str, Interval]]
    shares: Mapping[str, Mapping[str, Interval]]


def gains_of(
    scores: Scores,
    alone: Mapping[str, Scores],
    in_order: Mapping[str, Scores],
    shares: Mapping[str, Mapping[str, float | None]],
) -> Gains:
    """Return the gains over the `scores` of output as it is."""
    steps: dict[str, dict[str, float | None]] = {}
    last = scores
    for kind in KINDS:
        after = in_order[kind]
        steps[kind] = {name: gain_of(last[name], after[name]) for name in scores}
        last = {name: after[name] if main_part(after[name]).defined else last[name] for name in scores}
    steps[ALL] = {name: gain_of(scores[name], last[name]) for name in scores}
    return Gains(
        {kind: {name: gain_of(scores[name], alone[kind][name]) for name in scores} for kind in KINDS},
        steps,
        {**shares, ALL: steps[ALL]} if shares else {},
    )


def gain_of(before: AnyScore, after: AnyScore) -> float | None:
    """Return the gain of F1, or of the only part; None if one of both is 0/0."""
    values = main_part(before), main_part(after)
    return values[1] - values[0] if values[0].defined and values[1].defined else None


NO_LINK = -1  # in place of a status: the first mention of an entity has no link
FOUND, SPAN, PIECE, MENTION, ENTITY = range(5)
_UNITS: Sequence[Unit] = ("span", "piece", "mention", "entity")  # what a lost link is lost to, by its status
RECALL, PRECISION = (
    ("found", *[kinds_of(side)[unit] for unit in _UNITS]) for side in ("recall", "precision")
)
"""The names of the statuses, for links of gold and of the system: the kinds of errors that lose them."""
CORRECT = "correct"  # what texts for reading call a link that is `FOUND`; only mentions are found there


def statuses(side: OrderedSide) -> list[int]:
    """Return the status of the link of each mention: the first condition that holds.

    ==========  ==========================================================================================
    `FOUND`     it and an earlier mention of its entity are equal to mentions of one entity of the other side
    `SPAN`      the same once spans are corrected
    `ENTITY`    no mention of its entity has a partner
    `MENTION`   it has no partner, or no earlier mention of its entity has one
    `PIECE`     its partner is in an entity in which no earlier mention of its entity has a partner
    ==========  ==========================================================================================
    """
    shared = {e for e, partner in zip(side.entities, side.partners, strict=True) if partner != LACKS}
    equal_cells: set[tuple[int, int]] = set()
    cells: set[tuple[int, int]] = set()
    met: set[int] = set()
    entities = 0
    link_statuses = []
    for entity, equal, partner in zip(side.entities, side.equal, side.partners, strict=True):
        cell = entity, partner
        if entity == entities:  # they are numbered by their first mention
            entities += 1
            status = NO_LINK
        elif equal != LACKS and cell in equal_cells:
            status = FOUND
        elif partner != LACKS and cell in cells:
            status = SPAN
        elif entity not in shared:
            status = ENTITY
        elif partner == LACKS or entity not in met:
            status = MENTION
        else:
            status = PIECE
        link_statuses.append(status)
        if partner != LACKS:
            cells.add(cell)
            met.add(entity)
            if equal != LACKS:
                equal_cells.add(cell)
    return link_statuses


class Trace(NamedTuple):
    """The links and the errors of one document under one system."""

    gold: bytes  # the status of each gold link, in order
    wrong: Mapping[Mention, int]  # the status of the links of the system that are not found, by their mention
    errors: Sequence[tuple[str, Mention]]
    """Each by its kind and the mention where it is, in the order of `located`."""
    words: str | None = None  # the tokens of the system, one per line; None if they are not known


class SharedErrors(NamedTuple):
    """The errors of a kind that two systems make: at the same mention, the first one of the error."""

    both: int
    first: int  # those of the first system alone
    second: int


class LinkChanges(NamedTuple):
    """The links of a first system, compared with those of a second one."""

    moves: Mapping[tuple[str, str], int]
    """The number of gold links by their status in the first and in the second system."""
    shared: int  # wrong links that both make
    fixed: Mapping[str, int]  # wrong links of the first that the second does not make, by their status there
    introduced: Mapping[str, int]  # wrong links of the second that the first does not make
    errors: Mapping[str, SharedErrors]  # by kind

    def recall(self, *, fixed: bool) -> dict[str, int]:
        """Return the gold links that are fixed or introduced, by what they are lost to."""
        return {
            status: self.moves.get((status, RECALL[FOUND]) if fixed else (RECALL[FOUND], status), 0)
            for status in RECALL[FOUND + 1 :]
        }

    @property
    def both(self) -> int:
        """The number of gold links that both find."""
        return self.moves.get((RECALL[FOUND], RECALL[FOUND]), 0)

    @property
    def neither(self) -> int:
        """The number of gold links that both lose."""
        return sum(n for pair, n in self.moves.items() if RECALL[FOUND] not in pair)

    def to_dict(self) -> dict[str, Any]:
        """Return the comparison as JSON has it."""
        return {
            "recall": {
                "both": self.both,
                "neither": self.neither,
                "fixed": self.recall(fixed=True),
                "introduced": self.recall(fixed=False),
                "moves": [{"first": a, "second": b, "links": n} for (a, b), n in self.moves.items()],
            },
            "precision": {
                "shared": self.shared,
                "fixed": dict(self.fixed),
                "introduced": dict(self.introduced),
            },
            "errors": {kind: shared._asdict() for kind, shared in self.errors.items()},
        }


def trace_links(
    sides: OrderedSides, links: Sequence[Sequence[int]], errors: Iterable[Located], *texts: Document
) -> Trace:
    """Return the links, by their statuses, and the errors of a document of a system."""
    # `texts` are gold and the document
    system = zip(sides.system.mentions, links[1], strict=True)
    return Trace(
        bytes(status for status in links[0] if status != NO_LINK),
        {mention: status for mention, status in system if status not in (NO_LINK, FOUND)},
        [
            (error.kind, side.mentions[error.mentions[0]])
            for error in errors
            for side in [sides.gold if error.kind in LOSES_RECALL else sides.system]
        ],
        _words(*texts),
    )


def _words(gold: Document, document: Document) -> str | None:
    words = document.words if document.has_tokens else None
    if words and gold.words and gold.words.are_surely(words):
        words = gold.words  # which are extracted once for all that asks for them
    try:
        return None if words is None else "\n".join(words())
    except InputError:  # columns that do not say which of them is the word
        return None


def link_changes(first: Sequence[Trace], second: Sequence[Trace]) -> LinkChanges:
    """Compare two systems document by document; both lists have the same documents in the same order."""
    moves: Counter[tuple[int, int]] = Counter()
    fixed, introduced = Counter[int](), Counter[int]()
    shared = 0
    for before, after in zip(first, second, strict=True):
        moves.update(zip(before.gold, after.gold, strict=True))
        shared += len(before.wrong.keys() & after.wrong.keys())
        fixed.update(status for mention, status in before.wrong.items() if mention not in after.wrong)
        introduced.update(status for mention, status in after.wrong.items() if mention not in before.wrong)
    return LinkChanges(
        {(RECALL[a], RECALL[b]): n for (a, b), n in sorted(moves.items())},
        shared,
        _lost(fixed),
        _lost(introduced),
        _shared_errors(first, second),
    )


def _shared_errors(first: Sequence[Trace], second: Sequence[Trace]) -> dict[str, SharedErrors]:
    both, one, other = Counter[str](), Counter[str](), Counter[str]()
    for here, there in zip(first, second, strict=True):
        mine, theirs = frozenset(here.errors), frozenset(there.errors)
        for counter, errors in ((both, mine & theirs), (one, mine - theirs), (other, theirs - mine)):
            counter.update(kind for kind, _ in errors)
    return {kind: SharedErrors(both[kind], one[kind], other[kind]) for kind in KINDS}


def _lost(links: Mapping[int, int]) -> dict[str, int]:
    return {PRECISION[status]: links[status] for status in range(FOUND + 1, len(PRECISION))}


def refuse_other_documents(system: str, first: Sequence[str], other: str, second: Sequence[str]) -> None:
    """Raise a PairingError unless both systems answer the same documents."""
    for path, here, there in ((other, second, first), (system, first, second)):
        lacking = sorted(set(there) - set(here))
        if lacking:
            why = f"lacks {listed(map(quoted, lacking))}: both systems must have the same documents"
            raise PairingError(f"{shown_path(path)} {why}")


def refuse_other_tokens(
    documents: Sequence[str], paths: tuple[str, str], first: Sequence[Trace], second: Sequence[Trace]
) -> None:
    """Raise a PairingError if both systems have tokens for a document, and others."""
    # Gold is compared by places alone, but two systems with other words were hardly run on one text
    every = zip(documents, first, second, strict=True)
    pairs = {name: (there.words, here.words) for name, here, there in every}
    differ = [name for name, (here, there) in pairs.items() if here != there and None not in (here, there)]
    if not differ:
        return
    here, there = ((words or "").split("\n") for words in pairs[differ[0]])
    place, words = next((i, both) for i, both in enumerate(zip_longest(here, there)) if both[0] != both[1])
    wrong, expected = ("missing" if word is None else quoted(word, 30) for word in words)
    others = len(differ) - 1
    many = f" ({counted(others, 'more document')} differ{'s' if others == 1 else ''})" if others else ""
    where = f"token {place} of {quoted(differ[0])} is {wrong}, in {shown_path(paths[0])} {expected}{many}"
    raise PairingError(f"{shown_path(paths[1])}: {where}: both systems must have the same tokens")
