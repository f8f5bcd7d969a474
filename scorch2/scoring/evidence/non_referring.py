"""Non-referring mentions, such as *it* in *it rains*: a format that has them says so of each."""

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from scorch2.model.document import Document, Mention
from scorch2.scoring.evidence import Seen, comparable


class NonReferring(NamedTuple):
    """The non-referring mentions of both sides."""

    gold: AbstractSet[Mention]
    system: AbstractSet[Mention]


def find(seen: Seen) -> NonReferring:
    """Return the non-referring mentions of a pair of documents."""
    sides = _mentions(seen.gold), _mentions(seen.system)
    return (
        NonReferring(*map(frozenset, comparable(seen, *sides))) if any(sides) else NonReferring(set(), set())
    )


def _mentions(document: Document) -> list[Mention]:
    return list(document.relations().non_referring) if document.relations is not None else []
