"""The counts of the reference scorer on chains that may repeat mentions, with its order of operations.

Without repeats these are the metrics of `scoring`; with repeats a score can exceed 1. The order of additions
is kept, since it decides the last digits, which the reference scorer prints. Each function takes `Chains` and
returns a Tally. The chain of a mention is the last one that holds it; sizes count repeats.

Cost    O(mentions) and an alignment for CEAF; for BLANC see `links`.
Source  Pradhan et al. 2014, Scoring coreference partitions of predicted mentions, ACL (reference scorer
        8.01); Moosavi & Strube 2016 (its LEA fork).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from scorch2.conll_scorer.identification import Chains
from scorch2.conll_scorer.links import coreferent_links, other_links
from scorch2.model.score import Tally
from scorch2.scoring.contingency import best_alignment


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
    holders: dict[int, list[int]] = {}
    for number, chain in enumerate(chains.key):
        for mention in set(chain):
            holders.setdefault(mention, []).append(number)
    recall = precision = 0.0
    for chain in chains.response:
        found = Counter(number for mention in chain for number in holders.get(mention, ()))
        for mention in chain:
            if mention in owner:
                k = owner[mention]
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
    """Coreferent and other pairs of mentions, as sets of pairs."""
    return coreferent_links(chains), other_links(chains)


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
