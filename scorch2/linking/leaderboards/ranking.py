"""Leaderboards: systems in the order of their scores, the best one first, equal ones on one rank."""

import math
import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorch2.linking.leaderboards.score_tables import ScoreTable

if TYPE_CHECKING:
    import re


class Limits(NamedTuple):
    """How much of a ranking is shown; None is all of it."""

    entries: int | None = None
    """So many systems."""
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
    group: str = ""
    group_rank: int = 0


class Groups(NamedTuple):
    """How systems are grouped: by the first match in their paths."""

    pattern: "re.Pattern[str]"
    limits: Limits = Limits()
    """What is shown of each group."""


def rank(
    tables: Sequence[ScoreTable],
    names: Sequence[str],
    scores: Iterable[tuple[str, str]],
    limits: Limits = Limits(),  # noqa: B008 - immutable
    groups: Groups | None = None,
) -> list[Entry]:
    """Return the places of all systems for every score; nan comes last.

    Parameters
    ----------
    tables : sequence of ScoreTable
        One a system.
    names : sequence of str
        What the systems are called, in the same order.
    scores : iterable of (measure, metric)
        What to rank by; each is sorted by itself, in the order of their names.
    limits : Limits
        What is shown of all systems.
    groups : Groups, optional
        Ranks inside groups are given, too.
    """
    labels = ["" if groups is None else _label(groups.pattern, table.path) for table in tables]
    found = []
    for measure, metric in sorted(scores):
        values = [table.value(measure, metric) for table in tables]
        keys = [math.inf if math.isnan(value) else -value for value in values]
        order = sorted(range(len(tables)), key=keys.__getitem__)
        ahead = [keys[i] for i in order]
        shown = [
            Entry(measure, metric, 1 + ahead.index(keys[i]), str(values[i]), names[i], labels[i])
            for i in order
        ]
        shown = _cut(shown, [entry.rank for entry in shown], limits)
        if groups is not None:
            shown = _grouped(shown, groups.limits)
        found += shown
    return found


def short_names(paths: Sequence[str]) -> list[str]:
    """Return what tells paths apart: without the beginning and the end that all of them share.

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


def _cut(entries: Sequence[Entry], ranks: Sequence[int], limits: Limits) -> list[Entry]:
    kept = [
        entry
        for entry, rank in zip(entries, ranks, strict=True)
        if limits.rank is None or rank <= limits.rank
    ]
    return kept[: limits.entries]


def _grouped(entries: Sequence[Entry], limits: Limits) -> list[Entry]:
    """Rank inside groups, in the order of all entries."""
    kept: list[Entry] = []
    for label in dict.fromkeys(entry.group for entry in entries):
        inside = [entry for entry in entries if entry.group == label]
        scores = [entry.score for entry in inside]
        inside = [entry._replace(group_rank=1 + scores.index(entry.score)) for entry in inside]
        kept += _cut(inside, [entry.group_rank for entry in inside], limits)
    places = {entry[:6]: place for place, entry in enumerate(entries)}
    return sorted(kept, key=lambda entry: places[entry[:6]])
