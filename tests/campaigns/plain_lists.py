"""The readers of JSON lists again: sentences of Stanza, and lists of clusters. Used by plain_neural.py."""

from typing import Any

from plain_document import Plain, listed, plain, require


def is_stanza(value: list[Any]) -> bool:
    """Return whether a list holds lists, and the first thing inside is an object with text and id."""
    inner = [item for sentence in value if isinstance(sentence, list) for item in sentence]
    lists = all(isinstance(sentence, list) for sentence in value)
    return lists and bool(inner) and isinstance(inner[0], dict) and {"text", "id"} <= set(inner[0])


def stanza(value: list[Any], number: str) -> Plain:
    clusters: dict[str, list[tuple[int, int]]] = {}
    lengths: list[int] = []
    for sentence in value:
        lengths.append(0)
        going: list[tuple[int, int]] = []  # chain and start of the mentions that have not ended
        for entry in sentence:
            ident, chains = stanza_entry(entry)
            if len(ident) > 1:
                continue
            here = sum(lengths)
            lengths[-1] += 1
            still: list[tuple[int, int]] = []
            for chain in chains:
                index = chain["index"]
                if chain.get("is_start") is not True:
                    mine = [one for one in going if one[0] == index]
                    require(mine)
                    going.remove(mine[0])
                    mention = mine[0]
                else:
                    mention = (index, here)
                clusters.setdefault(str(index), [])
                if chain.get("is_end") is True:
                    clusters[str(index)].append((mention[1], here + 1))
                else:
                    still.append(mention)
            require(not going)
            going = still
        require(not going)
    return plain(clusters, number, [length for length in lengths if length])


def stanza_entry(entry: Any) -> tuple[list[Any], list[Any]]:
    require(isinstance(entry, dict) and isinstance(entry.get("text"), str))
    ident = entry.get("id") if isinstance(entry.get("id"), list) else [entry.get("id")]
    require(0 < len(ident) <= 2 and all(type(part) is int for part in ident))
    chains = listed(entry.get("coref_chains") or [])
    for chain in chains:
        require(isinstance(chain, dict) and type(chain.get("index")) is int)
    return ident, chains


def bare(value: object, name: str) -> Plain:
    clusters = {}
    for i, cluster in enumerate(listed(value)):
        for mention in listed(cluster):
            require([type(part) for part in listed(mention)] == [int, int])
            require(all(-(2**53) <= part <= 2**53 for part in mention))
        clusters[str(i)] = [tuple(mention) for mention in cluster]
    return plain(clusters, name)


def is_bare(value: Any) -> bool:
    """Return whether a value is a list of lists, and the first thing inside a list of two integers."""
    if not isinstance(value, list) or not all(isinstance(cluster, list) for cluster in value):
        return False
    mentions = [mention for cluster in value for mention in cluster]
    return bool(mentions) and isinstance(mentions[0], list) and [type(m) for m in mentions[0]] == [int, int]
