"""The values of matching: a pair while it is made comparable, and the matched mentions of both sides."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scorch2.model.document import Document, Mention, Span
from scorch2.model.errors import Notice
from scorch2.model.forms import function_at
from scorch2.model.options import Options
from scorch2.model.score import Tallies
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.pairing.files import Pair

if TYPE_CHECKING:
    from scorch2.model.markables import Markable

Clusters: TypeAlias = Mapping[str, Sequence[Mention]]  # mentions by the name of their cluster
PlacedAntecedent: TypeAlias = tuple[int, Sequence[Sequence[Mention]]]
"""A split antecedent: the number of the cluster that holds it, and the mentions of each of its members."""

Change: TypeAlias = tuple[Span, str]
"""Words of gold that were not copied, and what a copy has instead: nothing if they were deleted. Words that a
copy inserted have an empty span, where they stand."""


class ComparedSide(NamedTuple):
    """A document of one side while it is made comparable."""

    document: Document  # its mentions as they compare
    written: Document  # the same with its mentions as they were read, each in its place
    markable_of: Mapping[Mention, "Markable"] = {}
    """All that its format says about each mention; empty if no option looks at more than the words."""
    zeros_dropped: Mapping[str, int] = {}  # the number of zeros that were left out of each cluster


class ComparedPair(NamedTuple):
    """Both sides of a document while they are made comparable."""

    id: str  # the name of the document, for messages
    gold: ComparedSide
    system: ComparedSide
    notices: tuple[Notice, ...] = ()
    noted: Mapping[str, Any] = {}
    """What steps know of the document besides, by the field of `Measured` that has it."""
    changes: Callable[[], Sequence[Change]] | None = None  # finds where the copy differs, in order

    def noting(self, field: str, value: object) -> "ComparedPair":
        """Return the pair with a value for a field of `Measured`."""
        return self._replace(noted={**self.noted, field: value})

    def read_as(self, gold: Document, system: Document) -> "ComparedPair":
        """Return the pair as if these documents had been read."""
        return self._replace(gold=ComparedSide(gold, gold), system=ComparedSide(system, system))

    def compared_as(self, gold: Document, system: Document) -> "ComparedPair":
        """Return the pair with other mentions to compare, each in its place."""
        if gold is self.gold.document and system is self.system.document:
            return self
        return self._replace(
            gold=self.gold._replace(document=gold), system=self.system._replace(document=system)
        )


class Matched(NamedTuple):
    """Two partitions whose mentions compare by equality."""

    gold: Partition
    system: Partition
    notices: tuple[Notice, ...]
    gold_alone: Partition  # Gold without the singletons that were added to it for twinless mentions
    pair: ComparedPair  # what was matched
    clusters: tuple[Clusters, Clusters] | None = None
    """The clusters of both sides, if mentions are looked up: a mention may be in several."""
    tables: Lookups | None = None
    """The overlaps of both sides, if mentions are looked up; they are then no partitions."""
    sets: tuple[Sequence[PlacedAntecedent], Sequence[PlacedAntecedent]] | None = None
    """The split antecedents of both sides, if they were asked for. The sizes count them as mentions."""
    counterpart: Mapping[Mention, Mention] | None = None
    """The system mention that a gold mention is taken for, if mentions may be the same though unequal."""
    original_of: Mapping[Mention, Mention] = {}
    """System mentions as the system has them, by what they are called here: as their partners in gold."""
    whole: tuple[Partition, Partition] | None = None
    """Both sides with the mentions that the other one lacks, if these were left out."""
    ways: Mapping[str, int] = {}
    """The number of pairs by what made them, if mentions may be the same though unequal."""


class Seen(NamedTuple):
    """A pair of documents when it is counted."""

    pair: Pair
    matched: Matched
    table: Contingency
    options: Options
    tallies_of: Callable[[Contingency], Tallies]


_ENOUGH = 4  # a document has matches enough if one in so many of its mentions matches


class NearMisses(NamedTuple):
    """Counts of a document in which hardly a mention may match."""

    mentions: int  # those of the side that has fewer
    matched: int
    under: tuple[tuple[str, int], ...] = ()
    """How many would match under each shift, in words, under which some do."""


def may_be_shifted(matched: Matched, table: Contingency) -> bool:
    """Return whether so few mentions may match that one side may count spans in another way."""
    gold, system = matched.whole or (matched.gold_alone, matched.system)
    added = len(table.gold_sizes) - len(matched.gold_alone.sizes)  # gold singletons for twinless mentions
    # A cell is a match at least
    return (len(table.cells) - added) * _ENOUGH < min(len(gold.owner), len(system.owner))


def near_misses(matched: Matched, table: Contingency) -> NearMisses:
    """Return how many mentions of a document match, and if these are few, how many would."""
    gold, system = matched.whole or (matched.gold_alone, matched.system)
    added = len(table.gold_sizes) - len(matched.gold_alone.sizes)  # gold singletons for twinless mentions
    fewer = min(len(gold.owner), len(system.owner))
    shared = sum(table.shared) - added
    if shared * _ENOUGH >= fewer:
        return NearMisses(fewer, shared)
    under = function_at("scoring.matching.near_misses:matches_if_shifted")(matched)
    return NearMisses(fewer, shared, under)
