"""Pairs of mentions that may be the same, with their weights, and those of them whose weights add up to most.

Candidates are mentions with one head, a part, words as in CRAFT, or zeros. They fall into groups that share
no mention, and nearly all groups are one pair. If a group has several best choices, or is so large that one
search does not tell, the whole matrix of the document decides as scorers with a dense solver do: rows and
columns in the order of the mentions, zeros where there is no candidate.

With them the clusters mention by mention, for metrics that count more than overlaps. A split antecedent, such
as *Ann* and *Bob* of *they*, is one more mention of the cluster of *they*. It equals no other mention. What
it is worth is up to the metrics, which compare the members of two sets.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Sized
from itertools import accumulate, chain
from math import inf
from typing import NamedTuple, TypeAlias

from scorch2.model.document import Document, Mention
from scorch2.model.errors import listed, quoted
from scorch2.model.markables import (
    Edge,
    Markable,
    Nodes,
    Relations,
    Run,
    Word,
    common_words,
    highest_nodes,
    joined_runs,
)
from scorch2.model.memory import is_too_many, load_scipy_graphs
from scorch2.model.options import Options
from scorch2.scoring.assignment import components
from scorch2.scoring.contingency import Partition, renumbered
from scorch2.scoring.matching.matched import ComparedPair, Matched, PlacedAntecedent
from scorch2.scoring.matching.steps import match_equal
from scorch2.scoring.shortest_paths import LARGE, Prices, align_component, align_with_scipy


def dense_assignment(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return the column of each row with the least sum of costs; -1 for a row that gets none."""
    if costs and len(costs) > len(costs[0]):
        column_of = [-1] * len(costs)
        for column, row in enumerate(dense_assignment(list(zip(*costs, strict=True)))):
            column_of[row] = column
        return column_of
    width = len(costs[0]) if costs else 0
    row_prices, column_prices = [0.0] * len(costs), [0.0] * width
    column_of, row_of = [-1] * len(costs), [-1] * width
    for current in range(len(costs)):
        _assign(current, costs, (row_prices, column_prices), (column_of, row_of))
    return column_of


def _assign(
    current: int,
    costs: Sequence[Sequence[float]],
    prices: tuple[list[float], list[float]],
    places: tuple[list[int], list[int]],
) -> None:
    """Give a row a column, along the shortest path of rows that change theirs."""
    (row_prices, column_prices), (column_of, row_of) = prices, places
    width = len(column_prices)
    best, via = [inf] * width, [-1] * width
    rest = list(range(width - 1, -1, -1))
    rows, columns = [], []
    low, row, sink = 0.0, current, -1
    while sink < 0:
        rows.append(row)
        lowest, index = inf, -1
        for place, column in enumerate(rest):
            cost = low + costs[row][column] - row_prices[row] - column_prices[column]
            if cost < best[column]:
                best[column], via[column] = cost, row
            if best[column] < lowest or (best[column] == lowest and row_of[column] < 0):
                lowest, index = best[column], place
        low, column = lowest, rest[index]
        columns.append(column)
        rest[index] = rest[-1]
        rest.pop()
        row = row_of[column]
        if row < 0:
            sink = column
    row_prices[current] += low
    for row in rows[1:]:
        row_prices[row] += low - best[column_of[row]]
    for column in columns:
        column_prices[column] -= low - best[column]
    while True:
        row = via[sink]
        row_of[sink] = row
        column_of[row], sink = sink, column_of[row]
        if row == current:
            return


Weights: TypeAlias = Mapping[tuple[int, int], float]
"""Weights above 0, by the numbers of a gold and a system mention."""
_Cells: TypeAlias = Sequence[tuple[int, int, float]]  # the same as a list of row, column and weight
_LARGEST = 3000  # matrices of more rows or columns are never made
_MANY, _MANY_FILLED = 1_000_000, 20_000
"""From this number of cells in a matrix, or of candidates, scipy is faster, even with its import."""
_NEARLY = 1e-9  # sums that differ by less are as good as equal: they are added in another order
_ALONE = -1  # stands for all mentions that may be without a partner at no cost


class TooManyPairsError(Exception):
    """So many mentions could be partners of so many others that there is no room for all pairs."""


class Best(NamedTuple):
    """The pairs that are chosen."""

    pairs: list[tuple[int, int]]
    by_groups: bool = False
    """Whether several choices may be best and the matrix is too large to choose as other scorers do."""


def refuse_many(pairs: int, gold: Sized, system: Sized) -> None:
    """Raise a TooManyPairsError if the mentions make more pairs than there is room for."""
    if is_too_many(pairs, len(gold) + len(system)):
        raise TooManyPairsError


def best_pairs(weights: Weights, rows: int, columns: int) -> Best:
    """Return the best pairs of `rows` gold and `columns` system mentions, by gold mention."""
    cells = [(row, column, weight) for (row, column), weight in weights.items()]
    chosen: list[int] = []
    undecided = []
    for group in components(cells, range(len(cells))):
        best = group if len(group) == 1 else _only_best(cells, group)
        if best is None:
            undecided.append(group)
        else:
            chosen += best
    if undecided and rows <= _LARGEST and columns <= _LARGEST:
        return Best(_best_of_matrix(cells, range(rows), range(columns)))
    pairs = [cells[position][:2] for position in chosen]
    for group in undecided:
        pairs += _best_of_group([cells[position] for position in group])
    return Best(sorted(pairs), bool(undecided))


def _only_best(cells: _Cells, group: Sequence[int]) -> Sequence[int] | None:
    """Return the positions of the best pairs of a group; None if there are others as good, or may be."""
    if len(group) >= LARGE:
        return None
    chosen, prices = align_component(cells, group)
    return None if _has_other([cells[p] for p in group], [cells[p] for p in chosen], prices) else chosen


def _has_other(group: _Cells, chosen: _Cells, prices: Prices) -> bool:
    """Return whether another choice of pairs is as good as the one that was found."""
    # By the prices of the solution, a pair or a mention without a partner costs nothing or makes the sum
    # worse. Each row may then go on to what costs nothing: to a column, which the next row gives up, or to
    # none. There is another choice if rows can do so in a circle. Those that begin or end alone all meet in
    # one place.
    row_of = {column: row for row, column, _ in chosen}
    paired = set(row_of.values())
    goes_to: dict[int, set[int]] = defaultdict(set)
    for row, column, weight in group:
        is_free = -weight - prices.rows[row] - prices.columns.get(column, 0.0) <= _NEARLY
        if is_free and row_of.get(column) != row:
            goes_to[row].add(row_of.get(column, _ALONE))
    for row, price in prices.rows.items():
        if row not in paired:
            goes_to[_ALONE].add(row)
        elif -price <= _NEARLY:
            goes_to[row].add(_ALONE)
    for column, row in row_of.items():
        if -prices.columns.get(column, 0.0) <= _NEARLY:
            goes_to[_ALONE].add(row)
    return _has_circle(goes_to)


def _has_circle(goes_to: Mapping[int, Iterable[int]]) -> bool:
    from graphlib import CycleError, TopologicalSorter

    try:
        TopologicalSorter(goes_to).prepare()
    except CycleError:
        return True
    return False


def _best_of_group(group: _Cells) -> list[tuple[int, int]]:
    rows = sorted({row for row, _, _ in group})
    columns = sorted({column for _, column, _ in group})
    if max(len(rows), len(columns)) > _LARGEST:
        every = range(len(group))
        try:
            chosen = align_with_scipy(group, every)
        except ImportError:
            chosen, _ = align_component(group, every)
        return [group[position][:2] for position in chosen]
    return _best_of_matrix(group, rows, columns)


def _best_of_matrix(cells: _Cells, rows: Sequence[int], columns: Sequence[int]) -> list[tuple[int, int]]:
    """Return best pairs by the matrix of all `rows` and `columns`, as other scorers choose among them."""
    row_places = {row: place for place, row in enumerate(rows)}
    places = {column: place for place, column in enumerate(columns)}
    costs = [[0.0] * len(columns) for _ in rows]
    for row, column, weight in cells:
        costs[row_places[row]][places[column]] = -weight
    is_large = len(rows) * len(columns) >= _MANY or len(cells) >= _MANY_FILLED
    assigned = _with_scipy(costs) if is_large else dense_assignment(costs)
    return [
        (row, columns[place])
        for row, place, own in zip(rows, assigned, costs, strict=True)
        if place >= 0 and own[place]
    ]


def _with_scipy(costs: Sequence[Sequence[float]]) -> list[int]:
    """Return what `dense_assignment` does: the solver of scipy is what the others use."""
    try:
        load_scipy_graphs()
        import numpy as np
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        return dense_assignment(costs)

    column_of = [-1] * len(costs)
    for row, column in zip(*linear_sum_assignment(np.array(costs)), strict=True):
        column_of[row] = int(column)
    return column_of


def shared_words(
    gold: Mapping[int, Nodes], system: Mapping[int, Nodes], pairs: Sequence[tuple[int, int]]
) -> list[int]:
    """Return the number of words that the mentions of each pair share, by their numbers."""
    # Only the borders of mentions are compared: where mentions are inside each other, all words of all pairs
    # would be too many.
    numbers = numbers_of_empty(chain(gold.values(), system.values()))
    rows, columns = (
        {number: (*runs_of_empty(nodes, numbers), *nodes.runs) for number, nodes in side.items()}
        for side in (gold, system)
    )
    return [common_words(rows[row], columns[column]) for row, column in pairs]


def words_of(
    gold: Sequence[Markable], system: Sequence[Markable], pairs: Sequence[tuple[int, int]]
) -> tuple[dict[int, Nodes], dict[int, Nodes]]:
    """Return the words of the mentions in pairs, by their numbers; words of others are never looked for."""
    rows, columns = {row for row, _ in pairs}, {column for _, column in pairs}
    return {row: gold[row].nodes for row in rows}, {column: system[column].nodes for column in columns}


def numbers_of_empty(mentions: Iterable[Nodes]) -> Mapping[Word, int]:
    """Return a number for each empty node of some mentions, in the order of the text."""
    every = sorted({node for nodes in mentions for node in nodes.empty})
    return {node: number for number, node in enumerate(every)}


def runs_of_empty(nodes: Nodes, numbers: Mapping[Word, int]) -> tuple[Run, ...]:
    """Return empty nodes as if they were the words of a sentence before all others."""
    return joined_runs([(-1, numbers[node], numbers[node]) for node in nodes.empty])


def overlaps(gold: Sequence[Sequence[Run]], system: Sequence[Sequence[Run]]) -> list[tuple[int, int, int]]:
    """Return all pairs of mentions that share words, by their numbers, and how many they share."""
    every = sorted(
        (*run, side, number)
        for side, mentions in enumerate((gold, system))
        for number, runs in enumerate(mentions)
        for run in runs
    )
    sizes: Counter[tuple[int, int]] = Counter()
    going_on: list[list[tuple[int, int, int]]] = [[], []]
    """For either side the runs that may not have ended: sentence, end and mention."""
    for sentence, first, last, side, number in every:
        others = [run for run in going_on[1 - side] if run >= (sentence, first)]
        going_on[1 - side] = others
        going_on[side].append((sentence, last, number))
        for _, end, other in others:
            sizes[(other, number) if side else (number, other)] += min(end, last) - first + 1
        refuse_many(len(sizes), gold, system)
    return [(row, column, size) for (row, column), size in sizes.items()]


def head_candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs that have one head."""
    by_head: dict[Word, list[int]] = defaultdict(list)
    for number, mention in enumerate(system):
        by_head[mention.head].append(number)
    refuse_many(sum(len(by_head.get(mention.head, ())) for mention in gold), gold, system)
    pairs = [(row, column) for row, mention in enumerate(gold) for column in by_head.get(mention.head, ())]
    golds, systems = words_of(gold, system, pairs)
    shared = shared_words(golds, systems, pairs)
    sizes = {row: nodes.size for row, nodes in golds.items()}
    return {pair: number / sizes[pair[0]] for pair, number in zip(pairs, shared, strict=True)}


def part_candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs of which the system mention is a part of the gold mention."""
    pairs = []
    for pair in _between(gold, system):
        pairs.append(pair)
        refuse_many(len(pairs), gold, system)
    golds, systems = words_of(gold, system, pairs)
    minimum = {row: gold[row].minimum for row in golds}
    shared, held = shared_words(golds, systems, pairs), shared_words(minimum, systems, pairs)
    sizes, parts, needed = (
        {number: nodes.size for number, nodes in side.items()} for side in (golds, systems, minimum)
    )
    return {
        (row, column): inside / sizes[row]
        for (row, column), inside, own in zip(pairs, shared, held, strict=True)
        if inside == parts[column] and own == needed[row]
    }


def _between(gold: Sequence[Markable], system: Sequence[Markable]) -> Iterator[tuple[int, int]]:
    """Yield the pairs whose system mention lies between the borders of gold and those of its minimum."""
    # A look at each pair would take time in the square of the mentions. Instead, system mentions come as they
    # begin, and a gold mention is a candidate from where it begins until its minimum does. It is kept in a
    # segment tree over the ends of system mentions (`scorch2.model.markables`), at the highest nodes below
    # which all ends fit. So the gold mentions that an end fits are all on the way from that end to the top.
    golds, systems = ([mention.place[:2] for mention in side] for side in (gold, system))
    ends = sorted({last for _, last in systems})
    size = len(ends)
    rows: list[list[int]] = [[] for _ in range(2 * size)]  # Gold mentions at each node of the tree
    needed = ((row, mention.minimum) for row, mention in enumerate(gold))
    minimum = {row: (words.first, words.last) for row, words in needed if words.size}
    waiting = sorted(minimum, key=golds.__getitem__, reverse=True)
    for begin, last, column in sorted((*borders, column) for column, borders in enumerate(systems)):
        while waiting and golds[waiting[-1]][0] <= begin:
            row = waiting.pop()
            low, high = bisect_left(ends, minimum[row][1]), bisect_right(ends, golds[row][1])
            for node in highest_nodes(size + low, size + high):
                rows[node].append(row)
        node = size + bisect_left(ends, last)
        while node:
            rows[node] = [row for row in rows[node] if minimum[row][0] >= begin]
            yield from ((row, column) for row in rows[node])
            node //= 2


def craft_candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return pairs where a segment of the system's lies in the first one of gold's: CRAFT task of 2019."""
    # Each system mention, in the order of the text, asks for the first gold mention that fits, and gets none
    # if that has a partner; zeros fit nothing. Gold is in order, too: the latest end up to each finds the
    # first.
    rows = [row for row, mention in enumerate(gold) if not mention.is_zero]
    segments = [gold[row].pieces[0] for row in rows]
    latest = list(accumulate((last for _, last in segments), max))
    partner: dict[int, int] = {}
    for column, mention in enumerate(system):
        if mention.is_zero:
            continue
        places = [bisect_left(latest, last) for _, last in mention.pieces]
        fitting = [
            place
            for place, (first, _) in zip(places, mention.pieces, strict=True)
            if place < len(segments) and segments[place][0] <= first
        ]
        if fitting:
            partner.setdefault(rows[min(fitting)], column)
    return dict.fromkeys(partner.items(), 1.0)


_EDGES = 10  # the weight of dependencies, beside which that of governors alone decides between equals
_Governor: TypeAlias = tuple[int, str]  # its sentence, and its name there


def zero_candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs of zeros of one sentence that share a governor."""
    golds, systems = ([(zero.head.sentence, zero.edges) for zero in side] for side in (gold, system))
    by_governor: dict[_Governor, list[int]] = defaultdict(list)
    for column, (sentence, edges) in enumerate(systems):
        for governor in _governors(edges):
            by_governor[sentence, governor].append(column)
    weights: dict[tuple[int, int], float] = {}
    for row, (sentence, own) in enumerate(golds):
        sharing = [
            column for governor in _governors(own) for column in by_governor.get((sentence, governor), ())
        ]
        refuse_many(len(weights) + len(sharing), gold, system)
        for column in sorted(set(sharing)):
            other = systems[column][1]
            governors = _overlap(_governors(own), _governors(other))
            weights[row, column] = _EDGES * _overlap(own, other) + governors
    return weights


def _governors(edges: Collection[Edge]) -> set[str]:
    return {governor for governor, _ in edges}


def _overlap(gold: Collection[object], system: Collection[object]) -> float:
    common = len(set(gold) & set(system))
    if not common:
        return 0.0
    recall, precision = common / len(gold), common / len(system)
    return 2 * precision * recall / (precision + recall)


_MOST = 1_000_000
"""Members of all sets of a document, and mentions of them in all that differ; texts have far fewer."""


class Chains(NamedTuple):
    """The clusters that are scored, and the gold mentions that have a counterpart."""

    gold: Sequence[Sequence[Mention]]
    system: Sequence[Sequence[Mention]]
    """Its mentions are as they were before each was renamed to its gold partner."""
    counterpart: Mapping[Mention, Mention]  # the system mention that a gold mention is taken for
    documents: tuple[Document, Document]


def chains_of(matched: Matched) -> Chains:
    """Return the clusters of both sides, mention by mention."""
    sides = matched.pair.gold, matched.pair.system
    documents = sides[0].document, sides[1].document
    if matched.clusters is not None:
        gold, system = (list(clusters.values()) for clusters in matched.clusters)
        return Chains(gold, system, matched.counterpart or {}, documents)
    here, there, original_of = matched.gold_alone, matched.system, matched.original_of
    counterpart = matched.counterpart
    if counterpart is None:
        counterpart = {mention: mention for mention in there.owner if mention in here.owner}
    return Chains(
        _members(here),
        [[original_of.get(mention, mention) for mention in members] for members in _members(there)],
        counterpart,
        documents,
    )


def markables_of(matched: Matched) -> list[Mapping[Mention, Markable]]:
    """Return all that formats say about the mentions of each side; nothing if that is their words alone."""
    sides = matched.pair.gold, matched.pair.system
    looked_up = matched.clusters is not None
    return [side.markable_of if looked_up else _markable_of(side.document) for side in sides]


def _markable_of(document: Document) -> Mapping[Mention, Markable]:
    """Return what the format of a document says about each mention, where it is written first."""
    every = document.markables() if document.markables is not None else {}
    mentions = [mention for name in every for mention in document.clusters[name]]
    markables = [*chain.from_iterable(every.values())]
    return dict(zip(reversed(mentions), reversed(markables), strict=True))  # first ones win


def _members(partition: Partition) -> list[list[Mention]]:
    members: list[list[Mention]] = [[] for _ in partition.sizes]
    for mention, number in partition.owner.items():
        members[number].append(mention)
    return members


class SplitAntecedent:
    """A split antecedent, by the mentions of each of its members."""

    __slots__ = ("members",)

    def __init__(self, members: Sequence[Sequence[Mention]]) -> None:
        self.members = members


def with_split_antecedents(document: Document, written: Document) -> tuple[Document, Document]:
    """Return a document with a split antecedent in the cluster of each set; and the same as written."""
    # A set in a set counts as its members. Clusters that are sets of the same members are one.
    relations = document.relations() if document.relations is not None else Relations()
    sets = relations.sets
    if not sets:
        return document, written
    atoms_of = _atoms(sets, document)
    clusters = {name: list(members) for name, members in document.clusters.items()}
    texts = {name: list(members) for name, members in written.clusters.items()}
    mentions = {**document.clusters, **relations.no_clusters}
    places = {name: place for place, name in enumerate(mentions)}
    alike: dict[tuple[Mention, ...], str] = {}  # the first entity with each list of mentions
    first = {
        entity: alike.setdefault(tuple(mentions[entity]), entity)
        for entity in set().union(*atoms_of.values())
        if mentions.get(entity)
    }
    homes: dict[frozenset[str], str] = {}
    mentions_of_sets = 0
    for name in [name for name in document.clusters if name in sets]:
        atoms = sorted(atoms_of[name] & first.keys(), key=places.__getitem__)
        apart = dict.fromkeys(first[entity] for entity in atoms)
        members = [mentions[entity] for entity in apart]
        home = homes.setdefault(frozenset(apart), name)
        if members and home == name:
            clusters[name].append(SplitAntecedent(members))
            mentions_of_sets += sum(map(len, members))
            _refuse_more(mentions_of_sets, document)
        elif members:
            clusters[home][-1:-1] = clusters.pop(name)  # the places of mentions stay those of `written`
            texts[home] += texts.pop(name)
    return document._replace(clusters=clusters), written._replace(clusters=texts)


def _atoms(sets: Mapping[str, Sequence[str]], document: Document) -> Mapping[str, set[str]]:
    """Return the entities that each set is made of and that are no sets; refuse sets that go round."""
    from graphlib import CycleError, TopologicalSorter

    atoms_of: dict[str, set[str]] = {}
    members_of_sets = 0
    try:
        for name in TopologicalSorter(sets).static_order():  # members come before their sets
            if name in sets:
                atoms_of[name] = set().union(*(atoms_of.get(member, {member}) for member in sets[name]))
                members_of_sets += len(atoms_of[name])
                _refuse_more(members_of_sets, document)
    except CycleError as error:
        names = listed(map(quoted, error.args[1]))
        why = f"split antecedents go round in a circle: {names}, each a member of the next or the one before"
        raise document.error(why) from None
    return atoms_of


def _refuse_more(number: int, document: Document) -> None:
    if number > _MOST:
        why = f"the split antecedents of {quoted(document.id)} have too many members"
        raise document.error(f"{why} (use --split-antecedents=drop)")


def without_split_antecedents(members: Sequence[Mention]) -> list[Mention]:
    """Return the members of a cluster without a split antecedent."""
    return [one for one in members if not isinstance(one, SplitAntecedent)]


def with_antecedents(pair: ComparedPair) -> ComparedPair:
    """Return both sides with their split antecedents as mentions."""
    gold, system = (
        side._replace(document=document, written=written)
        for side in (pair.gold, pair.system)
        for document, written in [with_split_antecedents(side.document, side.written)]
    )
    return pair._replace(gold=gold, system=system)


def match_with_antecedents(pair: ComparedPair, options: Options) -> Matched:
    """Match mentions that are equal, where split antecedents count; the sizes count them, no cell does."""
    return take_apart(match_equal(with_antecedents(pair), options))._replace(pair=pair)


def take_apart(matched: Matched) -> Matched:
    """Return both sides without their split antecedents, which the sizes still count; and these."""
    gold, system = _without_antecedents(matched.gold), _without_antecedents(matched.system)
    sets = _antecedents(matched.gold), _antecedents(matched.system)
    return matched._replace(gold=gold, gold_alone=gold, system=system, sets=sets)


def _without_antecedents(side: Partition) -> Partition:
    every = side.owner.items()
    return Partition(
        {one: number for one, number in every if not isinstance(one, SplitAntecedent)}, side.sizes
    )


def _antecedents(side: Partition) -> list[PlacedAntecedent]:
    return [(number, one.members) for one, number in side.owner.items() if isinstance(one, SplitAntecedent)]


def drop_singleton_antecedents(matched: Matched, _: Options) -> Matched:
    """Leave out the split antecedents of singletons, and number the others as these clusters will be."""
    gold, system = matched.sets or ((), ())
    left = _renumbered(gold, matched.gold.sizes), _renumbered(system, matched.system.sizes)
    return matched._replace(sets=left)


def _renumbered(antecedents: Sequence[PlacedAntecedent], sizes: Sequence[int]) -> list[PlacedAntecedent]:
    new = renumbered(sizes)
    return [(new[number], members) for number, members in antecedents if number in new]


def rename_antecedents(matched: Matched, names: Mapping[Mention, Mention]) -> Matched:
    """Return split antecedents with the mentions of the system called as they are after matching."""
    if matched.sets is None:
        return matched
    gold, system = matched.sets
    renamed = [
        (number, [[names.get(mention, mention) for mention in member] for member in members])
        for number, members in system
    ]
    return matched._replace(sets=(gold, renamed))
