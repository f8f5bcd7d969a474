"""The values of matching, from a pair to matched mentions, and the steps that all pairs pass.

Each mention is in one cluster (repeats); then come singletons, and mentions without a twin.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scorch2.formats.table import TYPED, row_of
from scorch2.model.document import Document, Mention, Span
from scorch2.model.errors import InputError, Notice, json_place, quoted, shown_path
from scorch2.model.forms import function_at
from scorch2.model.options import Options
from scorch2.model.score import Tallies
from scorch2.scoring.contingency import Contingency, Lookups, Partition, renumbered
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

    @property
    def documents(self) -> tuple[Document, Document]:
        """Both documents, with their mentions as they compare."""
        return self.gold.document, self.system.document

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


ENOUGH = 4  # a document has matches enough if one in so many of its mentions matches


class NearMisses(NamedTuple):
    """Counts of a document in which hardly a mention may match."""

    mentions: int  # those of the side that has fewer
    matched: int
    under: tuple[tuple[str, int], ...] = ()
    """How many would match under each shift, in words, under which some do."""


def near_misses(matched: Matched, table: Contingency) -> NearMisses:
    """Return how many mentions of a document match, and if these are few, how many would."""
    gold, system = matched.whole or (matched.gold_alone, matched.system)
    added = len(table.gold_sizes) - len(matched.gold_alone.sizes)  # gold singletons for twinless mentions
    fewer = min(len(gold.owner), len(system.owner))
    shared = sum(table.shared) - added
    if shared * ENOUGH >= fewer:
        return NearMisses(fewer, shared)
    return NearMisses(fewer, shared, function_at("scoring.matching.near_misses:matches_if_shifted")(matched))


KEEP = "keep"  # repeats that all count: where documents are only converted, or a scorer counts them
KEEP_IN_EACH = "in each"  # repeats that count once in each of their clusters: where mentions are looked up
_DONE = {
    "first": " and stays there",
    "merge": " which joins this one",
    KEEP: "; both are kept",
    KEEP_IN_EACH: "; both are kept",
}
"""How messages go on about a mention in a second cluster, by what is done."""
_Repeat: TypeAlias = tuple[int, int, int]
"""A mention that is written again: the number of its cluster, its place there, the first cluster with it."""


def without_repeats(
    ident: str, document: Document, policy: str, written: Document
) -> tuple[Partition, Sequence[Notice]]:
    """Return the partition in a document with repeats, and notices: see `steps.one_cluster_each`."""
    repeats = _repeats(document)
    notices = _notices(ident, repeats, written, policy)
    numbers = range(len(document.clusters))
    joined: Sequence[int] = numbers  # the cluster that each joins: the first one, under merge
    if policy == "merge":
        from scorch2.formats.fields import in_groups

        groups = in_groups(numbers, [(first, own) for own, _, first in repeats])
        first_of = {number: group[0] for group in groups for number in group}
        joined = [first_of[number] for number in numbers]
    home: dict[Mention, int] = {}
    for number, members in zip(joined, document.clusters.values(), strict=True):
        for mention in members:
            home.setdefault(mention, number)
    return _numbered(home), notices


def repeat_notices(
    ident: str, document: Document, done: str, written: Document | None = None
) -> Sequence[Notice]:
    """Return notices about mentions that are written more than once, and not resolved: `done` says how."""
    # All else as for `one_cluster_each`
    mentions = list(chain.from_iterable(document.clusters.values()))
    if len(set(mentions)) == len(mentions):
        return ()
    return _notices(ident, _repeats(document), written or document, done)


def _repeats(document: Document) -> Sequence[_Repeat]:
    """Return the mentions that are written again, in the order of the document."""
    repeats: list[_Repeat] = []
    first: dict[Mention, int] = {}
    for number, members in enumerate(document.clusters.values()):
        own: set[Mention] = set()
        for place, mention in enumerate(members):
            if mention in own:
                repeats.append((number, place, number))
            elif first.setdefault(mention, number) != number:
                repeats.append((number, place, first[mention]))
            own.add(mention)
    return repeats


def _notices(ident: str, repeats: Sequence[_Repeat], written: Document, done: str) -> Sequence[Notice]:
    """Return the notices about repeats, in the words of `written`: one for all inside their own clusters."""
    names, clusters = list(written.clusters), list(written.clusters.values())
    from scorch2.model.names import mention_names

    name_of = mention_names(written)
    origin = written.path or written.id
    lines = _lines(written)
    notices, again = [], []
    for cluster, place, earlier in repeats:
        mention, first = clusters[cluster][place], names[earlier]
        if earlier == cluster:
            again.append(name_of(mention))
            continue
        line = lines.get((first, mention))
        why = f"mention {name_of(mention)} is already in cluster {quoted(first)}"
        why += f" on line {line}" if line else ""
        where = _where(written, names[cluster], place, lines)
        if done == "error":
            remedy = "--duplicates=first keeps the first cluster, --duplicates=merge joins them"
            raise InputError(origin, where, f"{why} ({remedy})")
        notices.append(Notice("duplicates", ident, f"{shown_path(origin)}: {where}: {why}{_DONE[done]}"))
    if again:
        notices.append(Notice("duplicates", ident, f"{shown_path(origin)}: {_again(again, done)}"))
    return notices


def _again(repeated: Sequence[str], done: str) -> str:
    """Say which mentions are repeated in their cluster, in the same words for any order of the file."""
    more = f" ({len(repeated)} such repeats)" if len(repeated) > 1 else ""
    counted = "; all are kept" if done == KEEP else " and counts once"
    return f"mention {min(repeated)} is repeated in its cluster{more}{counted}"


def _numbered(home: Mapping[Mention, int]) -> Partition:
    """Count the mentions of the clusters that still hold any, numbered from 0."""
    sizes = Counter(home.values())
    numbers = {old: new for new, old in enumerate(sorted(sizes))}
    return Partition(
        {mention: numbers[old] for mention, old in home.items()}, [sizes[old] for old in numbers]
    )


def _where(document: Document, cluster: str, place: int, lines: Mapping[tuple[str, Mention], int]) -> str:
    if document.annotations:
        line = lines.get((cluster, document.clusters[cluster][place]))
        return f"line {line}" if line else f"cluster {quoted(cluster)}"
    if row_of(document.format).family in (TYPED, ""):
        return f"{json_place('$.clusters', cluster)}[{place}]"
    return f"document {quoted(document.id)}, cluster {quoted(cluster)}"


def _lines(document: Document) -> Mapping[tuple[str, Mention], int]:
    """Return the first line of each mention in each cluster, where the format has one line per mention."""
    lines: dict[tuple[str, Mention], int] = {}
    for one in document.annotations:
        if one.line and one.top.id is not None:
            lines.setdefault((one.top.id, (one.start, one.end)), one.line)
    return lines


def drop_singletons(matched: Matched, _: Options) -> Matched:
    """Leave singletons out of both sides (corpora such as OntoNotes do not annotate them)."""
    if matched.clusters is not None:
        gold, system = (
            {name: members for name, members in side.items() if len(members) > 1} for side in matched.clusters
        )
        return matched._replace(clusters=(gold, system))
    left = _without_singletons(matched.gold)
    return matched._replace(gold=left, gold_alone=left, system=_without_singletons(matched.system))


def _without_singletons(partition: Partition) -> Partition:
    numbers = renumbered(partition.sizes)
    owner = {mention: numbers[old] for mention, old in partition.owner.items() if old in numbers}
    return Partition(owner, [partition.sizes[old] for old in numbers])


def add_twinless(matched: Matched, _: Options) -> Matched:
    """Add every mention that only the system has to gold, as a singleton (what scorch's command does)."""
    gold, system = matched.gold, matched.system
    twinless = [mention for mention in system.owner if mention not in gold.owner]
    numbers = range(len(gold.sizes), len(gold.sizes) + len(twinless))
    owner = {**gold.owner, **dict(zip(twinless, numbers, strict=True))}
    return matched._replace(gold=Partition(owner, [*gold.sizes, *[1] * len(twinless)]))


def drop_twinless(matched: Matched, _: Options) -> Matched:
    """Leave every mention out that the other side lacks, so that only links are scored."""
    gold, system = matched.gold, matched.system
    left, right = _shared_with(gold, system), _shared_with(system, gold)
    return matched._replace(gold=left, gold_alone=left, system=right, whole=(gold, system))


def _shared_with(partition: Partition, other: Partition) -> Partition:
    return _numbered(
        {mention: number for mention, number in partition.owner.items() if mention in other.owner}
    )
