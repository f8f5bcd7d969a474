"""Identify the mentions of two documents by the rules of the reference scorer, repeated ones included.

Key mentions get ids in their order. A repeated span takes a new id everywhere, and stays at every place. A
response mention that is in the key takes the key's id and counts once: repeats are removed, with a notice.
One that is not in the key is kept as often as it occurs.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from scorch2.conll_scorer.reader import InclusiveSpan, ReferenceDocument


class Chains(NamedTuple):
    """The evidence of the reference scorer: chains as lists of mention ids, which may repeat."""

    key: Sequence[Sequence[int]]
    response: Sequence[Sequence[int]]


class Identified(NamedTuple):
    """A pair of documents after mention identification."""

    chains: Chains
    key_mentions: int
    """Distinct spans, as the next three."""
    response_mentions: int
    exact: int
    spurious: int
    repeats_in_key: int
    repeats_in_response: int
    """Response mentions that are in the key and occurred before, which are removed."""
    spurious_repeats: int
    """Response mentions that are not in the key and occur again, which are kept."""


def identify(key: ReferenceDocument, response: ReferenceDocument | None) -> Identified:
    """Give ids to the mentions of both sides; no response is an empty one."""
    in_key = list(chain.from_iterable(key.entities))
    ids = {span: number for number, span in enumerate(in_key)}
    key_chains = [[ids[span] for span in entity] for entity in key.entities]
    spurious: dict[InclusiveSpan, int] = {}
    seen: set[InclusiveSpan] = set()
    response_chains = []
    removed = 0
    for entity in _entities(response):
        members = []
        for span in entity:
            if span in seen:
                removed += 1
            elif span in ids:
                seen.add(span)
                members.append(ids[span])
            else:
                members.append(spurious.setdefault(span, len(in_key) + len(spurious)))
        if members:
            response_chains.append(members)
    return Identified(
        chains=Chains(key_chains, response_chains),
        key_mentions=len(ids),
        response_mentions=len(seen) + len(spurious),
        exact=len(seen),
        spurious=len(spurious),
        repeats_in_key=len(in_key) - len(ids),
        repeats_in_response=removed,
        spurious_repeats=sum(map(len, response_chains)) - len(seen) - len(spurious),
    )


def repeats(key: ReferenceDocument, response: ReferenceDocument | None) -> Iterator[str]:
    """Yield the texts about repeats, in the words of the reference scorer: one for each."""
    ids: dict[InclusiveSpan, int] = {}
    for number, span in enumerate(chain.from_iterable(key.entities)):
        if span in ids:
            yield _repeated("key", span, ids[span], number)
        ids[span] = number
    seen: set[InclusiveSpan] = set()
    for span in chain.from_iterable(_entities(response)):
        if span in seen:
            yield _repeated("response", span, ids[span], ids[span])
        elif span in ids:
            seen.add(span)


def _entities(document: ReferenceDocument | None) -> Sequence[Sequence[InclusiveSpan]]:
    return document.entities if document else ()


def _repeated(side: str, span: InclusiveSpan, old: int, new: int) -> str:
    return f"Repeated mention in the {side}: {span[0]}, {span[1]} {old}{new}"
