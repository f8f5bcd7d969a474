"""The chains of both sides in the order of the text, with their zeros: mentions headed by an empty node."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.model.document import Mention
from scorch2.model.errors import InputError
from scorch2.model.markables import Markable, zeros_in
from scorch2.model.messages import quoted
from scorch2.scoring.evidence import Seen, chains_of


class ZeroChains(NamedTuple):
    """The chains of both sides, each in the order of the text."""

    gold: Sequence[Sequence[Mention]]
    system: Sequence[Sequence[Mention]]
    gold_zeros: frozenset[Mention]
    system_zeros: frozenset[Mention]
    counterpart: Mapping[Mention, Mention]
    """The system mention that a gold mention is taken for."""


def find(seen: Seen) -> ZeroChains:
    """Return the chains of a matched pair; none if it has no zero.

    Raises
    ------
    InputError
        If the format of a side has no empty nodes.
    """
    chains = chains_of(seen)
    for document in chains.documents:
        if document.markables is None and any(document.clusters.values()):
            why = f"{quoted(document.id)} has no empty nodes, which zero_anaphora needs"
            raise InputError(document.path or document.id, "", why)
    zeros = [
        frozenset(_beginning_with_one(side) if by_first else zeros_in(side, side))
        for side, by_first in zip(chains.markable_of, _by_first(seen), strict=True)
    ]
    if not any(zeros):
        return ZeroChains((), (), zeros[0], zeros[1], {})
    gold, system = (
        [sorted(members, key=lambda one: markable_of[one].place) for members in clusters]
        for clusters, markable_of in zip((chains.gold, chains.system), chains.markable_of, strict=True)
    )
    return ZeroChains(gold, system, zeros[0], zeros[1], chains.counterpart)


def _by_first(seen: Seen) -> tuple[bool, bool]:
    """Return for either side whether a zero begins with an empty node, not: is headed by one.

    The CorefUD scorer 1.1 knows no heads where it does not match by them.
    """
    is_nearest, match = seen.options.lookup == "nearest", seen.options.match
    return is_nearest and match == "exact", is_nearest and match != "head"


def _beginning_with_one(markable_of: Mapping[Mention, Markable]) -> list[Mention]:
    """Return the mentions whose first word is an empty node."""
    return [one for one, markable in markable_of.items() if markable.place[0].rank]
