"""Leaderboards: score tables that ``evaluate`` printed, ratios, ranks, and agreement of measures.

Cells stay text, so that what is printed again is what was read.
"""

import math
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import chain, combinations
from typing import TYPE_CHECKING, NamedTuple

from scorch2.formats.source import read_text
from scorch2.model.errors import InputError, UsageError, quoted, unknown_name
from scorch2.model.options import separated
from scorch2.model.score import UNDEFINED_SHOWN, Value
from scorch2.model.values import finite_number
from scorch2.scoring.report import Report
from scorch2.tasks.linking.measures import GROUPS, HEAD

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


COLUMNS = {"precision": "precis", "recall": "recall", "fscore": "fscore"}
"""The scores, by the name that options have for them."""
_LEVEL = re.compile(r"([0-9.]+)%\($")
_BEFORE, _SCORE = 2, "score"
COMMENT = "# "  # the beginning of the last lines of `confidence`, which say how the intervals were made
_NOT_NUMBERS = ("nan", UNDEFINED_SHOWN)  # cells of the ratio to nothing, and of a score that is 0/0
_NOTHING = 1e-10


class ScoreTable(NamedTuple):
    """The rows of one report, by measure."""

    path: str
    rows: Mapping[str, Sequence[str]]
    """Seven cells: four counts, precision, recall, F. A JSON report has no such counts, and not all scores:
    the cells are empty."""

    def cell(self, measure: str, metric: str) -> str:
        """Return a score as it was written; `metric` is a key of `COLUMNS`."""
        if measure not in self.rows:
            raise InputError(self.path, "", unknown_name(measure, "measure in this report", self.rows))
        cell = self.rows[measure][HEAD.index(COLUMNS[metric])]
        if not cell:
            raise InputError(self.path, "", f"{quoted(measure)} has no {metric}")
        return cell

    def value(self, measure: str, metric: str) -> float:
        """Return a score as a number."""
        return float(self.cell(measure, metric))

    def scores(self) -> "dict[tuple[str, str], ScoreInterval]":
        """Return all scores by measure and metric, as intervals of no width."""
        return {
            (measure, metric): ScoreInterval(*[self.value(measure, metric)] * 3)
            for measure, cells in self.rows.items()
            for metric in COLUMNS
            if cells[HEAD.index(COLUMNS[metric])]
        }

    def measures(self, metrics: Collection[str]) -> list[str]:
        """Return the measures that have all of some scores."""
        places = [HEAD.index(COLUMNS[metric]) for metric in metrics]
        return [name for name, cells in self.rows.items() if all(cells[place] for place in places)]


class ScoreInterval(NamedTuple):
    """A score between the ends of its interval."""

    score: float
    low: float
    high: float


def read_score_table(path: str, stored: Callable[[str, str], Report] | None = None) -> ScoreTable:
    """Return the table in a file, or on standard input (``-``): text of ``evaluate``."""
    # With `stored`, which returns the report in a text and a path, it may be a JSON report, too
    text = read_text(path)
    if stored is not None and text.lstrip()[:1] == "{":
        return ScoreTable(path, _rows_of(stored(text, path)))
    lines = _lines(text, path)
    if tuple(lines[0].split("\t")) != HEAD:
        other = "" if stored is None else ", nor a JSON report"
        raise InputError(path, "line 1", f"not the head of a report of evaluate ({' '.join(HEAD)}){other}")
    rows: dict[str, Sequence[str]] = {}
    for number, line in enumerate(lines[1:], 2):
        *cells, measure = line.split("\t")
        if len(cells) != len(HEAD) - 1:
            raise InputError(path, f"line {number}", f"{len(cells) + 1} columns instead of {len(HEAD)}")
        if measure in rows:
            raise InputError(path, f"line {number}", f"a second row of {quoted(measure)}")
        for cell in cells:
            _number(cell, path, number)
        rows[measure] = cells
    return ScoreTable(path, rows)


def _rows_of(report: Report) -> dict[str, Sequence[str]]:
    return {
        name: ["", "", "", "", *(_cell(getattr(score, part, None)) for part in ("precision", "recall", "f1"))]
        for name, score in report.scores.items()
    }


def _cell(value: Value | None) -> str:
    if value is None:
        return ""
    return repr(float(value)) if value.defined else "nan"


def chosen_measures(names: Sequence[str], reports: Sequence[Collection[str]]) -> list[str]:
    """Return the measures that are asked for: rows, or the rows of a group that all reports have."""
    # Without `names` it is the rows that every report has
    common = [name for name in reports[0] if all(name in rows for rows in reports)]
    if not names and not common:
        raise UsageError("the reports have no measure in common")
    measures = [] if names else common
    typed = [[name] if any(name in rows for rows in reports) else separated(name) for name in names]
    for name in chain.from_iterable(typed):
        members = [measure for measure in GROUPS[name] if measure in common] if name in GROUPS else [name]
        if not members:
            raise UsageError(f"the reports have no measure of the group {quoted(name)} in common")
        measures += members
    return list(dict.fromkeys(measures))


def read_intervals(path: str, level: str | None) -> dict[tuple[str, str], ScoreInterval]:
    """Return scores and intervals of a report of ``confidence -f tab``, by measure and metric."""
    # `level` is in percent, as the columns have it: ``95``. Without one the intervals have no width.
    lines = _lines(read_text(path), path)
    while len(lines) > 1 and lines[-1].startswith(COMMENT) and "\t" not in lines[-1]:
        del lines[-1]
    head = [cell.strip() for cell in lines[0].split("\t")]
    if head[:_BEFORE] != ["measure", "metric"] or _SCORE not in head:
        raise InputError(path, "line 1", "not the head of a report of confidence (-f tab)")
    if level is not None and f"{level}%(" not in head:
        levels = [match[1] for cell in head if (match := _LEVEL.match(cell))]
        raise InputError(path, "line 1", unknown_name(level, "level in this report", levels))
    ends = (_SCORE, _SCORE) if level is None else (f"{level}%(", f"){level}%")
    if ends[1] not in head or len(set(head)) < len(head):
        raise InputError(path, "line 1", "an interval lacks its end, or a column is there twice")
    places = [head.index(name) for name in (_SCORE, *ends)]
    intervals: dict[tuple[str, str], ScoreInterval] = {}
    for number, line in enumerate(lines[1:], 2):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != len(head):
            raise InputError(path, f"line {number}", f"{len(cells)} columns instead of {len(head)}")
        measure, metric = cells[:_BEFORE]
        if (measure, metric) in intervals:
            raise InputError(path, f"line {number}", f"a second row of {quoted(measure)}, {quoted(metric)}")
        interval = ScoreInterval(*(_number(cells[place], path, number) for place in places))
        if interval.low > interval.high:
            raise InputError(path, f"line {number}", "the interval ends before it begins")
        intervals[measure, metric] = interval
    return intervals


def _lines(text: str, path: str) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise InputError(path, "", "the file is empty")
    return lines


def _number(cell: str, path: str, line: int) -> float:
    found = math.nan if cell.casefold() in _NOT_NUMBERS else finite_number(cell)
    if found is None:
        raise InputError(path, f"line {line}", f"{quoted(cell)} is not a number")
    return found


def with_ratios(table: ScoreTable, ratios: Iterable[tuple[str, str]]) -> ScoreTable:
    """Return a table with a row ``one/other`` for each pair: cell by cell divided, three decimals."""
    # A row of that name that is there is replaced, and comes last; a division by 0 is ``nan``
    rows = dict(table.rows)
    for pair in ratios:
        for name in pair:
            if name not in rows:
                raise InputError(table.path, "", unknown_name(name, "measure in this report", rows))
        columns = zip(*(map(float, rows[name]) for name in pair), strict=True)
        ratio = ["nan" if abs(below) < _NOTHING else f"{above / below:.3f}" for above, below in columns]
        rows.pop("/".join(pair), None)
        rows["/".join(pair)] = ratio
    return ScoreTable(table.path, rows)


class Limits(NamedTuple):
    """The part of a ranking that is shown; None: all of it."""

    entries: int | None = None
    rank: int | None = None  # the systems up to that rank, all that share it


class Entry(NamedTuple):
    """A system's place for one score."""

    measure: str
    metric: str
    rank: int
    score: str
    system: str
    group: str
    group_rank: int


class Groups(NamedTuple):
    """Groups of systems: the first match of a pattern in their paths."""

    pattern: "re.Pattern[str]"
    limits: Limits = Limits()


def rank(
    tables: Sequence[ScoreTable],
    names: Sequence[str],
    scores: Iterable[tuple[str, str]],
    limits: Limits = Limits(),  # noqa: B008 - immutable
    groups: Groups | None = None,
) -> list[Entry]:
    """Return the places of the systems for every score, in the order of the scores' names; nan comes last."""
    # The limits of groups are applied first. The ranks among all systems, and the limits of `limits`, count
    # the systems that are left, as neleval does: one per group and then two entries are the best two groups.
    labels = ["" if groups is None else group_of(groups.pattern, table.path) for table in tables]
    group_limits = Limits() if groups is None else groups.limits
    entries = []
    for measure, metric in sorted(scores):
        values = [table.value(measure, metric) for table in tables]
        losses = [math.inf if math.isnan(value) else -value for value in values]
        in_group: dict[str, list[int]] = {}
        for i in sorted(range(len(tables)), key=losses.__getitem__):
            in_group.setdefault(labels[i], []).append(i)
        of_groups = [_ranks(group, losses, group_limits) for group in in_group.values()]
        group_ranks = {i: place for ranks in of_groups for i, place in ranks.items()}
        # A system that its group cuts does not count among all systems
        ranks = _ranks(sorted(group_ranks, key=lambda i: (losses[i], i)), losses, limits)
        entries += [
            Entry(measure, metric, place, str(values[i]), names[i], labels[i], group_ranks[i])
            for i, place in ranks.items()
        ]
    return entries


def _ranks(order: Sequence[int], losses: Sequence[float], limits: Limits) -> dict[int, int]:
    """Return the ranks that limits leave in a list, the best first; equal ones have the rank of the first."""
    first: dict[float, int] = {}
    taken = enumerate(order[: limits.entries], 1)
    ranks = {i: first.setdefault(losses[i], number) for number, i in taken}
    return {i: place for i, place in ranks.items() if limits.rank is None or place <= limits.rank}


def short_names(paths: Sequence[str]) -> list[str]:
    """Return paths without the folder and the end that all of them share; without a folder, the beginning.

    Only whole ends are taken, and nothing of a single path but its folder and suffix.

    >>> short_names(["runs/teamA_run0.tab", "runs/teamB_run1.tab"])
    ['teamA_run0', 'teamB_run1']
    >>> short_names(["runs/best.tab"]), short_names(["a", "ab"])
    (['best'], ['a', 'ab'])
    """
    if len(paths) == 1:
        return [os.path.splitext(os.path.basename(paths[0]))[0]]
    start, end = _shared(paths), _shared([path[::-1] for path in paths])
    start = paths[0].rfind(os.sep, 0, start) + 1 or start
    short = [path[start : len(path) - end] for path in paths]
    return short if all(short) and len(set(short)) == len(short) else list(paths)


def _shared(texts: Sequence[str]) -> int:
    return next((i for i, letters in enumerate(zip(*texts, strict=False)) if len(set(letters)) > 1), 0)


def group_of(pattern: "re.Pattern[str]", path: str) -> str:
    """Return the first match of a pattern in a path."""
    match = pattern.search(path)
    return match[0] if match else ""


class Correlation(NamedTuple):
    """Two measures over the same systems; nan for one system, or a measure without variation or with nan."""

    one: str
    other: str
    pearson: float
    spearman: float
    kendall: float
    median_difference: float
    iqr_ratio: float

    def numbers(self) -> tuple[float, float, float, float, float]:
        """Return the five numbers in their order."""
        return self.pearson, self.spearman, self.kendall, self.median_difference, self.iqr_ratio


def agreements(scores: Mapping[str, Sequence[float]]) -> list[Correlation]:
    """Return every pair of measures, in their order; scores are of the same systems in the same order."""
    import numpy as np

    medians = {name: np.median(values) for name, values in scores.items()}
    quartiles = {name: np.percentile(values, [25, 75]) for name, values in scores.items()}
    spreads = {name: float(high - low) for name, (low, high) in quartiles.items()}
    return [
        Correlation(
            one,
            other,
            *_correlations(scores[one], scores[other]),
            float(medians[one] - medians[other]),
            spreads[one] / spreads[other] if spreads[other] else math.nan,
        )
        for one, other in combinations(scores, 2)
    ]


def _correlations(first: Sequence[float], second: Sequence[float]) -> tuple[float, float, float]:
    vary = min(len(set(first)), len(set(second))) > 1
    if not vary or any(map(math.isnan, (*first, *second))):  # what does not vary agrees with nothing
        return math.nan, math.nan, math.nan
    from scipy import stats

    return (
        float(stats.pearsonr(first, second)[0]),
        float(stats.spearmanr(first, second)[0]),
        float(stats.kendalltau(first, second)[0]),
    )


def _correlation_matrix(scores: Mapping[str, Sequence[float]]) -> "NDArray[np.float64]":
    import numpy as np

    names = list(scores)
    matrix = np.eye(len(names))
    for i, j in combinations(range(len(names)), 2):
        r = _correlations(scores[names[i]], scores[names[j]])[0]
        matrix[i, j] = matrix[j, i] = 0.0 if math.isnan(r) else r
    return matrix


def _by_axis(scores: Mapping[str, Sequence[float]], matrix: "NDArray[np.float64]") -> list[str]:
    import numpy as np

    axis = np.linalg.eigh(matrix)[1][:, -1]
    return [name for _, name in sorted(zip(axis.tolist(), scores, strict=True))]


def _mds(scores: Mapping[str, Sequence[float]]) -> list[str]:
    squared = (1 - _correlation_matrix(scores)) ** 2
    centred = squared - squared.mean(axis=0) - squared.mean(axis=1)[:, None] + squared.mean()
    return _by_axis(scores, -centred / 2)


ORDERS: Mapping[str, Callable[[Mapping[str, Sequence[float]]], list[str]]] = {
    "none": list,
    "name": sorted,
    "eigen": lambda scores: _by_axis(scores, _correlation_matrix(scores)),
    "mds": _mds,
}
"""Orders of measures; eigen and mds make neighbours of those that agree, by correlations and by scaling."""
