"""A mention belongs to one cluster, or B³ recall could exceed 1: refuse, keep the first, or merge."""

from collections.abc import Mapping, Sequence
from itertools import chain

from scorch2.formats.table import TYPED, row_of
from scorch2.model.document import Document, Mention
from scorch2.model.errors import InputError, Notice
from scorch2.model.messages import quoted, shown_path, step
from scorch2.scoring.contingency import Partition

KEEP = "keep"
"""Policy for commands that only convert: keep repeats, and warn."""
IN_EACH = "in each"
"""Policy where mentions are looked up: each cluster has a mention once."""
_DONE = {
    "first": " and stays there",
    "merge": " which joins this one",
    KEEP: "; both are kept",
    IN_EACH: "; both are kept",
}
"""How messages go on about a mention in a second cluster, by policy."""


def repeats(document: Document) -> Sequence[Notice]:
    """Return notices about mentions that are written more than once, and all kept."""
    mentions = list(chain.from_iterable(document.clusters.values()))
    if len(set(mentions)) == len(mentions):
        return ()
    return _resolve_repeats(document.id, document, KEEP, document)[1]


def resolve(
    ident: str, document: Document, policy: str, written: Document | None = None
) -> tuple[Partition, tuple[Notice, ...]]:
    """Return the partition in a document, and notices about mentions that were written more than once.

    Parameters
    ----------
    ident : str
        The document's id, for messages.
    document : Document
        It may repeat mentions and hold empty clusters.
    policy : str
        ``error``; ``first``: the cluster first in the file keeps a mention; ``merge``: the clusters of a
        mention join, transitively. A mention twice in one cluster counts once under all of them, with one
        notice for a document.
    written : Document, optional
        The document as it was read, if its mentions were changed since, each in its place: for messages.

    Raises
    ------
    InputError
        Under ``error``, naming the mention and both clusters.
    """
    sizes = [len(members) for members in document.clusters.values() if members]
    filled = filter(None, document.clusters.values())
    owner = {mention: number for number, members in enumerate(filled) for mention in members}
    if len(owner) == sum(sizes):
        return Partition(owner, sizes), ()
    return _resolve_repeats(ident, document, policy, written or document)


def _resolve_repeats(
    ident: str, document: Document, policy: str, written: Document
) -> tuple[Partition, tuple[Notice, ...]]:
    from scorch2.model.mention_names import mention_names

    names = list(document.clusters)
    name_of = mention_names(written)
    origin = document.path or document.id
    lines = _lines(written)
    home: dict[Mention, int] = {}  # the first cluster of each mention
    joined = list(range(len(names)))  # cluster → an earlier one it joins, under merge
    notices = []
    again: list[str] = []  # mentions that their cluster holds already, as they are shown
    for number, members in enumerate(document.clusters.values()):
        as_written = written.clusters[names[number]]
        inside = set()
        for place, mention in enumerate(members):
            if mention in inside:
                again.append(name_of(as_written[place]))
                continue
            inside.add(mention)
            first = home.setdefault(mention, number)
            if first == number:
                continue
            why = f"mention {name_of(as_written[place])} is already in cluster {quoted(names[first])}"
            there = lines.get((names[first], as_written[place]))
            why += f" on line {there}" if there else ""
            where = _where(written, names[number], place, lines)
            if policy == "error":
                remedy = "--duplicates=first keeps the first cluster, --duplicates=merge joins them"
                raise InputError(origin, where, f"{why} ({remedy})")
            notices.append(
                Notice("duplicates", ident, f"{shown_path(origin)}: {where}: {why}{_DONE[policy]}")
            )
            if policy == "merge":
                roots = sorted((_root(joined, first), _root(joined, number)))
                joined[roots[1]] = roots[0]
    if again:
        notices.append(Notice("duplicates", ident, f"{shown_path(origin)}: {_again(again, policy)}"))
    return _numbered({mention: _root(joined, number) for mention, number in home.items()}), tuple(notices)


def _again(repeats: Sequence[str], policy: str) -> str:
    """Say which mentions are repeated in their cluster, in the same words for any order of the file."""
    more = f" ({len(repeats)} such repeats)" if len(repeats) > 1 else ""
    done = "; all are kept" if policy == KEEP else " and counts once"
    return f"mention {min(repeats)} is repeated in its cluster{more}{done}"


def _root(joined: list[int], number: int) -> int:
    while joined[number] != number:
        joined[number] = joined[joined[number]]
        number = joined[number]
    return number


def _numbered(home: dict[Mention, int]) -> Partition:
    """Count the mentions of the clusters that still hold any, numbered from 0."""
    numbers = {old: new for new, old in enumerate(sorted(set(home.values())))}
    owner = {mention: numbers[old] for mention, old in home.items()}
    sizes = [0] * len(numbers)
    for number in owner.values():
        sizes[number] += 1
    return Partition(owner, sizes)


def _where(document: Document, cluster: str, place: int, lines: Mapping[tuple[str, Mention], int]) -> str:
    if document.annotations:
        line = lines.get((cluster, document.clusters[cluster][place]))
        return f"line {line}" if line else f"cluster {quoted(cluster)}"
    if row_of(document.format).family in (TYPED, ""):
        return f"{step('$.clusters', cluster)}[{place}]"
    return f"document {quoted(document.id)}, cluster {quoted(cluster)}"


def _lines(document: Document) -> Mapping[tuple[str, Mention], int]:
    """Return the first line of each mention in each cluster, where the format has one line per mention."""
    lines: dict[tuple[str, Mention], int] = {}
    for one in document.annotations:
        if one.line and one.top.id is not None:
            lines.setdefault((one.top.id, (one.start, one.end)), one.line)
    return lines
