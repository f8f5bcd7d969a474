"""Identify the mentions of two documents by the rules of the reference scorer, repeated ones included.

Key mentions get ids in their order. A repeated span takes a new id everywhere, and stays at every place. A
response mention that is in the key takes the key's id and counts once: repeats are removed, with a notice.
One that is not in the key is kept as often as it occurs.
"""

from collections.abc import Sequence
from typing import NamedTuple

from scorch2.conll_scorer.reader import ReferenceDocument, Span


class Chains(NamedTuple):
    """The evidence of the reference scorer: chains as lists of mention ids, which may repeat."""

    key: Sequence[Sequence[int]]
    response: Sequence[Sequence[int]]


class Identified(NamedTuple):
    """A pair of documents after mention identification."""

    chains: Chains
    notices: Sequence[str]
    """Texts about repeats, in the words of the reference scorer."""
    key_mentions: int
    """Distinct spans, as the next three."""
    response_mentions: int
    exact: int
    spurious: int
    repeats_in_key: int
    repeats_in_response: int
    spurious_repeats: int
    """Response mentions that are not in the key and occur again, which are kept."""


def identify(key: ReferenceDocument, response: ReferenceDocument | None) -> Identified:
    """Give ids to the mentions of both sides; no response is an empty one."""
    ids: dict[Span, int] = {}
    notices = []
    number = 0
    for entity in key.entities:
        for span in entity:
            if span in ids:
                notices.append(_repeated("key", span, ids[span], number))
            ids[span] = number
            number += 1
    in_key = len(notices)
    key_chains = [[ids[span] for span in entity] for entity in key.entities]
    spurious: dict[Span, int] = {}
    seen: set[Span] = set()
    response_chains = []
    for entity in response.entities if response else ():
        chain = []
        for span in entity:
            if span in seen:
                notices.append(_repeated("response", span, ids[span], ids[span]))
            elif span in ids:
                seen.add(span)
                chain.append(ids[span])
            else:
                chain.append(spurious.setdefault(span, number + len(spurious)))
        if chain:
            response_chains.append(chain)
    return Identified(
        chains=Chains(key_chains, response_chains),
        notices=notices,
        key_mentions=len(ids),
        response_mentions=len(seen) + len(spurious),
        exact=len(seen),
        spurious=len(spurious),
        repeats_in_key=in_key,
        repeats_in_response=len(notices) - in_key,
        spurious_repeats=sum(map(len, response_chains)) - len(seen) - len(spurious),
    )


def _repeated(side: str, span: Span, old: int, new: int) -> str:
    return f"Repeated mention in the {side}: {span[0]}, {span[1]} {old}{new}"
