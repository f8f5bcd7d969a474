"""The mentions that CorefUD can hold, of documents that it cannot hold as they are."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate

from scorch2.formats.conllu.corefud.crossing import NotCrossing, Placed
from scorch2.formats.conllu.order import Order, nodes_of
from scorch2.formats.losses import with_only
from scorch2.model.document import Document, Mention
from scorch2.model.markables import Discontinuous, Nodes


def only_fitting(document: Document) -> Document:
    """Return the document without the mentions that CorefUD cannot hold.

    They leave their sentence, have the words of an earlier one, or cross an earlier one of their cluster: the
    two share words, and neither holds the other.
    """
    lengths = document.sentences or ()
    starts = [0, *accumulate(lengths)]
    empty: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for members in document.clusters.values():
        for node in (node for one in members if isinstance(one, Discontinuous) for node in one.nodes.empty):
            empty[node.sentence].add(node[1:])
    orders = [Order(length, empty.get(number, ())) for number, length in enumerate(lengths)]
    seen: set[Mention] = set()
    places: dict[str, list[int]] = {}
    for name, members in document.clusters.items():
        placed = [_placed(nodes_of(mention, starts), orders) for mention in members]
        kept = NotCrossing([one for one in placed if one is not None])
        places[name] = []
        for i, (mention, own) in enumerate(zip(members, placed, strict=True)):
            if own is not None and mention not in seen and not kept.crosses(own):
                places[name].append(i)
                kept.add(own)
            seen.add(mention)
    return with_only(document, places)


def _placed(nodes: Nodes, orders: Sequence[Order]) -> Placed | None:
    """Return a mention by its places; None if it has no words or leaves its sentence."""
    if not nodes.size or nodes.first.sentence != nodes.last.sentence:
        return None
    sentence = nodes.first.sentence
    first, last = (orders[sentence].place(node) for node in (nodes.first, nodes.last))
    return Placed((sentence, first), (sentence, last), last - first + 1 == nodes.size, nodes)
