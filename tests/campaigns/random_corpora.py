"""Random corpora for the campaigns: pairs of clusterings, written in every format in any order.

Not a campaign by itself. What a file says depends on its clusters alone; the dice of a writer only choose the
order in which it says so.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from dice import Dice

Clusters = list[list[int]]
"""Mentions are numbers; mention k covers the token k and, if k is odd, the next one."""


def pair(dice: Dice, mentions: int, clusters: int) -> tuple[Clusters, Clusters]:
    """Return a gold clustering and a system's: a third of the mentions elsewhere, some missing, some more."""
    gold: Clusters = [[] for _ in range(clusters)]
    system: Clusters = [[] for _ in range(clusters)]
    for mention in range(mentions):
        home = dice.below(clusters)
        if dice.chance(0.9):
            gold[home].append(mention)
        if dice.chance(0.9):
            system[dice.below(clusters) if dice.chance(0.3) else home].append(mention)
    return [c for c in gold if c], [c for c in system if c]


def clusters_json(clusters: Clusters, tokens: int, dice: Dice) -> str:
    """Return clusters JSON, with some mentions written twice in their cluster."""
    del tokens
    written = {
        f"c{min(cluster)}": [f"m{m}" for m in dice.shuffled(cluster + cluster[:1])] for cluster in clusters
    }
    value = {"type": "clusters", "note": "x", "clusters": _in_any_order(written, dice)}
    return json.dumps(_in_any_order(value, dice))


def graph_json(clusters: Clusters, tokens: int, dice: Dice) -> str:
    """Return graph JSON, each cluster held together by a random tree.

    Mentions stand in their order: it numbers the entities, which have no other names here.
    """
    del tokens
    mentions = sorted(mention for cluster in clusters for mention in cluster)
    links = [link for cluster in clusters for link in _tree(dice.shuffled(cluster), dice)]
    value = {"type": "graph", "mentions": mentions, "links": dice.shuffled(links)}
    return json.dumps(_in_any_order(value, dice))


def conll(clusters: Clusters, tokens: int, dice: Dice) -> str:
    """Return CoNLL columns, the tags of a cell in any order."""
    tags: list[list[str]] = [[] for _ in range(tokens + 1)]
    for cluster in clusters:
        for mention in cluster:
            if mention % 2:
                tags[mention].append(f"({cluster[0]}")
                tags[mention + 1].append(f"{cluster[0]})")
            else:
                tags[mention].append(f"({cluster[0]})")
    rows = [f"d\t0\t{i}\tword\t{'|'.join(dice.shuffled(cell)) or '-'}\n" for i, cell in enumerate(tags)]
    return f"#begin document (d); part 000\n{''.join(rows)}\n#end document\n"


WRITERS: Mapping[str, Callable[[Clusters, int, Dice], str]] = MappingProxyType(
    {"clusters": clusters_json, "graph": graph_json, "conll": conll}
)


def _tree(members: Sequence[int], dice: Dice) -> list[list[int]]:
    links = [[member, members[dice.below(i)]] for i, member in enumerate(members) if i]
    return [dice.shuffled(link) for link in links]


def _in_any_order(value: Mapping[str, object], dice: Dice) -> dict[str, object]:
    return {key: value[key] for key in dice.shuffled(list(value))}
