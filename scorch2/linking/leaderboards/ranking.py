"""Leaderboards: systems in the order of their scores, the best one first, equal ones on one rank."""

import math
import os
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorch2.linking.leaderboards.score_tables import ScoreTable

if TYPE_CHECKING:
    import re


class Limits(NamedTuple):
    """The part of a ranking that is shown; None: all of it."""

    entries: int | None = None
    """At most this number of systems."""
    rank: int | None = None
    """The systems up to that rank, all that share it."""


class Entry(NamedTuple):
    """A system's place for one score."""

    measure: str
    metric: str
    rank: int
    score: str
    """As it was written, without zeros at its end."""
    system: str
    group: str
    """Empty without groups."""
    group_rank: int


class Groups(NamedTuple):
    """Groups of systems: the first match of a pattern in their paths."""

    pattern: "re.Pattern[str]"
    limits: Limits = Limits()
    """The part of each group that is shown."""


def rank(
    tables: Sequence[ScoreTable],
    names: Sequence[str],
    scores: Iterable[tuple[str, str]],
    limits: Limits = Limits(),  # noqa: B008 - immutable
    groups: Groups | None = None,
) -> list[Entry]:
    """Return the places of the systems for every score; nan comes last.

    The limits of groups are applied first. The ranks among all systems, and the limits of `limits`, count the
    systems that are left, as neleval does: one per group and then two entries are the best two groups.

    Parameters
    ----------
    tables : sequence of ScoreTable
        One per system.
    names : sequence of str
        The names of the systems, in the same order.
    scores : iterable of (measure, metric)
        The scores to rank by; each gives a ranking of its own, in the order of their names.
    limits : Limits
        The part of all systems that is shown.
    groups : Groups, optional
        Ranks inside groups are given, too.
    """
    labels = ["" if groups is None else _label(groups.pattern, table.path) for table in tables]
    group_limits = Limits() if groups is None else groups.limits
    found = []
    for measure, metric in sorted(scores):
        values = [table.value(measure, metric) for table in tables]
        losses = [math.inf if math.isnan(value) else -value for value in values]
        overall = _Ranks(limits)
        inside: defaultdict[str, _Ranks] = defaultdict(lambda: _Ranks(group_limits))
        for i in sorted(range(len(tables)), key=losses.__getitem__):
            group_rank = inside[labels[i]].take(losses[i])
            # a system that its group cuts does not count among all systems
            place = None if group_rank is None else overall.take(losses[i])
            if group_rank is not None and place is not None:
                score = str(values[i])
                found.append(Entry(measure, metric, place, score, names[i], labels[i], group_rank))
    return found


class _Ranks:
    """Ranks for the scores of one list, taken from the best on; equal scores have the rank of the first."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._taken = 0
        self._rank = 0
        self._loss = math.nan

    def take(self, loss: float) -> int | None:
        """Return the rank of the next score, or None if the limits leave it out."""
        self._taken += 1
        if self._limits.entries is not None and self._taken > self._limits.entries:
            return None
        if loss != self._loss:
            self._rank, self._loss = self._taken, loss
        beyond = self._limits.rank is not None and self._rank > self._limits.rank
        return None if beyond else self._rank


def short_names(paths: Sequence[str]) -> list[str]:
    """Return paths without the beginning and the end that all of them share.

    Only whole ends are taken, and nothing of a single path but its folder and suffix.

    >>> short_names(["runs/teamA_run0.tab", "runs/teamB_run1.tab"])
    ['A_run0', 'B_run1']
    >>> short_names(["runs/best.tab"]), short_names(["a", "ab"])
    (['best'], ['a', 'ab'])
    """
    if len(paths) == 1:
        return [os.path.splitext(os.path.basename(paths[0]))[0]]
    start, end = _shared(paths), _shared([path[::-1] for path in paths])
    short = [path[start : len(path) - end] for path in paths]
    return short if all(short) and len(set(short)) == len(short) else list(paths)


def _shared(texts: Sequence[str]) -> int:
    """Return how many letters all texts begin with."""
    return next((i for i, letters in enumerate(zip(*texts, strict=False)) if len(set(letters)) > 1), 0)


def _label(pattern: "re.Pattern[str]", path: str) -> str:
    found = pattern.search(path)
    return found[0] if found else ""
