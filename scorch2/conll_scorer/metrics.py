"""The counts of the reference scorer on chains that may repeat mentions, with its order of operations.

Without repeats these are the metrics of `scoring`; with repeats a score can exceed 1. The order of additions
is kept, since it decides the last digits, which the reference scorer prints. Each function takes `Chains` and
returns a Tally. The chain of a mention is the last one that holds it; sizes count repeats.

Cost    O(mentions) and an alignment for CEAF; BLANC besides O(repeats × mentions).
Source  Pradhan et al. 2014, Scoring coreference partitions of predicted mentions, ACL (reference scorer
        8.01); Moosavi & Strube 2016 (its LEA fork).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from scorch2.conll_scorer.identification import Chains
from scorch2.model.tally import Tally, pooled
from scorch2.scoring.contingency import Contingency, Partition, count_overlaps
from scorch2.scoring.metrics.assignment import best_alignment
from scorch2.scoring.metrics.blanc import coreference, non_coreference


def muc(chains: Chains) -> Tally:
    """Links: for each response chain, its mentions that have a later one of the same key chain."""
    owner = _owners(chains.key)
    links = 0
    for chain in chains.response:
        together = Counter(owner[mention] for mention in chain if mention in owner)
        links += sum(n - 1 for n in together.values())
    return Tally(
        links, _size(chains.key) - len(chains.key), links, _size(chains.response) - len(chains.response)
    )


def b_cubed(chains: Chains) -> Tally:
    """Mentions: response chain by response chain, mention by mention."""
    owner = _owners(chains.key)
    members = [set(chain) for chain in chains.key]
    recall = precision = 0.0
    for chain in chains.response:
        found: dict[int, int] = {}
        for mention in chain:
            if mention in owner:
                k = owner[mention]
                if k not in found:
                    found[k] = sum(other in members[k] for other in chain)
                recall += found[k] / len(chains.key[k])
                precision += found[k] / len(chain)
    return Tally(recall, _size(chains.key), precision, _size(chains.response))


def ceaf_m(chains: Chains) -> Tally:
    """Shared mentions of the best alignment."""
    common = _aligned(chains, lambda shared, _: shared)
    return Tally(common, _size(chains.key), common, _size(chains.response))


def ceaf_e(chains: Chains) -> Tally:
    """Dice coefficients of the best alignment."""
    common = _aligned(chains, lambda shared, sizes: 2 * shared / sizes)
    return Tally(common, len(chains.key), common, len(chains.response))


def lea(chains: Chains) -> Tally:
    """Weigh the resolved links of each chain by its size."""
    return Tally(
        _resolved(chains.key, chains.response),
        _size(chains.key),
        _resolved(chains.response, chains.key),
        _size(chains.response),
    )


def blanc(chains: Chains) -> tuple[Tally, Tally]:
    """Coreferent and other pairs of mentions, as sets of pairs.

    Pairs without a repeated mention are counted; those with one are listed, so that each counts once.
    """
    repeated = _repeated(chains.key) | _repeated(chains.response)
    table = _table(
        [[m for m in chain if m not in repeated] for chain in chains.key],
        [[m for m in chain if m not in repeated] for chain in chains.response],
    )
    key, response = _pairs_with(repeated, chains.key), _pairs_with(repeated, chains.response)
    counted = coreference(table), non_coreference(table)
    listed = (
        Tally(len(one & two), len(one), len(one & two), len(two))
        for one, two in zip(key, response, strict=True)
    )
    coreferent, other = (pooled(tallies) for tallies in zip(counted, listed, strict=True))
    return coreferent, other


METRICS: Mapping[str, Callable[[Chains], tuple[Tally, ...]]] = {
    "muc": lambda chains: (muc(chains),),
    "bcub": lambda chains: (b_cubed(chains),),
    "ceafm": lambda chains: (ceaf_m(chains),),
    "ceafe": lambda chains: (ceaf_e(chains),),
    "blanc": blanc,
    "lea": lambda chains: (lea(chains),),
}
"""The metrics by their names on the command line, in the order of ``all``."""


def _size(chains: Sequence[Sequence[int]]) -> int:
    return sum(map(len, chains))


def _owners(chains: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return the last chain that holds each mention."""
    return {mention: number for number, chain in enumerate(chains) for mention in chain}


def _aligned(chains: Chains, similarity: Callable[[int, int], float]) -> float:
    """Add up the best alignment over the key chains in order, as 1 − (1 − similarity)."""
    in_response: dict[int, list[int]] = {}
    for number, chain in enumerate(chains.response):
        for mention in set(chain):
            in_response.setdefault(mention, []).append(number)
    cells = []
    for number, chain in enumerate(chains.key):
        shared = Counter(other for mention in chain for other in in_response.get(mention, ()))
        cells += [
            (number, other, similarity(n, len(chain) + len(chains.response[other])))
            for other, n in shared.items()
        ]
    total = 0.0
    for position in sorted(best_alignment(cells)):
        total += 1 - (1 - cells[position][2])
    return total


def _resolved(chains: Sequence[Sequence[int]], others: Sequence[Sequence[int]]) -> float:
    owner = _owners(others)
    total = 0.0
    for chain in chains:
        together = Counter(owner[mention] for mention in chain if mention in owner)
        size = len(chain)
        if size == 1:
            correct, links = sum(len(others[other]) == 1 for other in together), 1
        else:
            correct = sum(n * (n - 1) // 2 for n in together.values())
            links = size * (size - 1) // 2
        total += correct / links * size
    return total


def _repeated(chains: Sequence[Sequence[int]]) -> set[int]:
    return {
        mention for mention, n in Counter(mention for chain in chains for mention in chain).items() if n > 1
    }


def _table(key: Sequence[Sequence[int]], response: Sequence[Sequence[int]]) -> Contingency:
    """Return the contingency table of chains without repeats."""
    gold, system = (Partition(dict(_owners(side).items()), list(map(len, side))) for side in (key, response))
    return count_overlaps(gold, system)


def _pairs_with(
    repeated: set[int], chains: Sequence[Sequence[int]]
) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
    """Return the pairs inside a chain, and those between two, that hold a repeated mention."""
    inside: set[tuple[int, int]] = set()
    between: set[tuple[int, int]] = set()
    for number, chain in enumerate(chains):
        for place, mention in enumerate(chain):
            if mention in repeated:
                inside |= {_ordered(mention, other) for i, other in enumerate(chain) if i != place}
                for i, others in enumerate(chains):
                    if i != number:
                        between |= {_ordered(mention, other) for other in others}
    return inside, between


def _ordered(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one <= other else (other, one)
