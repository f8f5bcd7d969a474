"""Step 4 beside the contingency table: what else metrics read, one module for each kind.

Each module has ``find``, from a document as it was `Seen` to the evidence. It is imported, and called once
for a document, if a metric asks for it by `Metric.evidence`.
"""

import importlib
from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, cast

from scorch2.model.document import Document, Mention
from scorch2.model.options import Options
from scorch2.scoring import matching
from scorch2.scoring.contingency import Contingency, Lookups
from scorch2.scoring.matching import Matched
from scorch2.scoring.matching.chains import Chains


class Seen(NamedTuple):
    """All that is known of a pair of documents when it is counted."""

    gold: Document
    """As it was read; so is the system."""
    system: Document
    matched: Matched
    table: Contingency | Lookups
    """The overlaps of what was matched."""
    options: Options


class _Module(Protocol):
    """A module of this folder."""

    def find(self, seen: Seen) -> object:
        """Return the evidence in a document."""


def find(kind: str, seen: Seen) -> Any:
    """Return the evidence of a kind, the name of a module of this folder."""
    return cast("_Module", importlib.import_module(f"{__name__}.{kind}")).find(seen)


def chains_of(seen: Seen) -> Chains:
    """Return the mentions of both sides."""
    if seen.matched.chains is None:
        raise TypeError("a document that metrics see is matched with chains=True")
    return seen.matched.chains


def comparable(
    seen: Seen, gold: Sequence[Mention], system: Sequence[Mention]
) -> tuple[Sequence[Mention], Sequence[Mention]]:
    """Return some mentions of both sides as matching compares those of clusters, exactly.

    Whatever ``--match`` says, they are the same only if they are equal.
    """
    sides = (seen.gold._replace(clusters={"": gold}), seen.system._replace(clusters={"": system}))
    here, there, _ = matching.shifted(*sides, seen.options)
    here, there = matching.comparable(here, there, seen.options)
    return here.clusters[""], there.clusters[""]
