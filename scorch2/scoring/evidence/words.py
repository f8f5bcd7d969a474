"""The words of the mentions that are scored, whatever mentions of the other side they match."""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from scorch2.model.document import Mention, spans
from scorch2.model.errors import InputError
from scorch2.model.markables import Pieces
from scorch2.model.messages import quoted
from scorch2.scoring.evidence import Seen, chains_of


class Words(NamedTuple):
    """The words of the mentions of either side; a mention in two clusters is there twice."""

    gold: Sequence[Sequence[Hashable]]
    system: Sequence[Sequence[Hashable]]


def find(seen: Seen) -> Words:
    """Return the words of the mentions of a matched pair.

    Raises
    ------
    InputError
        If mentions are no spans of a text.
    """
    chains = chains_of(seen)
    filled = [bool(one.clusters) and any(one.clusters.values()) for one in chains.documents]
    in_nodes = all(one.markables or not full for one, full in zip(chains.documents, filled, strict=True))
    for document, full in zip(chains.documents, filled, strict=True):
        if full and not in_nodes and not document.has_spans:
            why = f"the mentions of {quoted(document.id)} are no spans of a text"
            raise InputError(document.path or document.id, "", f"{why}, which mention_overlap needs")
    gold, system = (
        [markable_of[one].words if in_nodes else _of_span(one) for members in clusters for one in members]
        for clusters, markable_of in zip((chains.gold, chains.system), chains.markable_of, strict=True)
    )
    return Words(gold, system)


def _of_span(mention: Mention) -> Sequence[Hashable]:
    """Return the units of a span; an empty node in no span is a word of its own."""
    ((start, end),) = spans([mention])
    return mention.words if isinstance(mention, Pieces) and start == end else range(start, end)
