"""Score tables: the tab-separated text of `evaluate` and of `confidence`, and JSON reports, back to rows.

Cells stay text, so that what is printed again is what was read.
"""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.formats.source import read_text
from scorch2.gate.baseline import FindLookup, of_text
from scorch2.linking.measures import GROUPS
from scorch2.model.errors import InputError, UsageError, quoted, unknown_name
from scorch2.model.options import finite_number, separated
from scorch2.model.score import Value
from scorch2.resampling.intervals import UNDEFINED
from scorch2.scoring.report import Report

HEAD = ("ptp", "fp", "rtp", "fn", "precis", "recall", "fscore", "measure")
"""The columns of `evaluate`."""
COLUMNS = {"precision": "precis", "recall": "recall", "fscore": "fscore"}
"""The scores, by the name that options have for them."""
_LEVEL = re.compile(r"([0-9.]+)%\($")
_BEFORE, _SCORE = 2, "score"
COMMENT = "# "
"""The beginning of the last lines of `confidence`, which say how the intervals were made."""
_NOT_NUMBERS = ("nan", UNDEFINED)
"""Cells of the ratio to nothing, and of a score that is 0/0."""


class ScoreTable(NamedTuple):
    """The rows of one report, by measure."""

    path: str
    rows: Mapping[str, Sequence[str]]
    """Seven cells: four counts, precision, recall, F. A JSON report has no such counts, and not all scores:
    the cells are empty."""

    def cell(self, measure: str, metric: str) -> str:
        """Return a score as it was written; `metric` is a key of `COLUMNS`.

        Raises
        ------
        InputError
            For a measure that the report lacks.
        """
        if measure not in self.rows:
            raise InputError(self.path, "", unknown_name(measure, "measure in this report", self.rows))
        found = self.rows[measure][HEAD.index(COLUMNS[metric])]
        if not found:
            raise InputError(self.path, "", f"{quoted(measure)} has no {metric}")
        return found

    def value(self, measure: str, metric: str) -> float:
        """Return a score as a number."""
        return float(self.cell(measure, metric))

    def scores(self) -> "dict[tuple[str, str], Interval]":
        """Return all scores by measure and metric, as intervals of no width."""
        return {
            (measure, metric): Interval(*[self.value(measure, metric)] * 3)
            for measure, cells in self.rows.items()
            for metric in COLUMNS
            if cells[HEAD.index(COLUMNS[metric])]
        }

    def measures(self, metrics: Collection[str]) -> list[str]:
        """Return the measures that have all of some scores."""
        places = [HEAD.index(COLUMNS[metric]) for metric in metrics]
        return [name for name, cells in self.rows.items() if all(cells[place] for place in places)]


class Interval(NamedTuple):
    """A score between the ends of its interval."""

    score: float
    low: float
    high: float


def read(path: str, lookup: FindLookup | None = None) -> ScoreTable:
    """Return the table in a file, or on standard input (``-``).

    Parameters
    ----------
    path : str
        Text of `evaluate`.
    lookup : callable, optional
        How the metrics of a task are found: then it may be a JSON report, too.

    Raises
    ------
    InputError
        For another header, rows of other lengths, cells that are no numbers, a measure twice; with the line.
        For a JSON report that is not whole.
    """
    text = read_text(path)
    if lookup is not None and text.lstrip()[:1] == "{":
        return ScoreTable(path, _rows_of(of_text(text, path, lookup)))
    lines = _lines(text, path)
    if tuple(lines[0].split("\t")) != HEAD:
        other = "" if lookup is None else ", nor a JSON report"
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
    """Return the scores of a report as cells; nan for what is 0/0."""
    return {
        name: ["", "", "", "", *(_cell(getattr(score, part, None)) for part in ("precision", "recall", "f1"))]
        for name, score in report.scores.items()
    }


def _cell(value: Value | None) -> str:
    if value is None:
        return ""
    return repr(float(value)) if value.defined else "nan"


def chosen_measures(names: Sequence[str], reports: Sequence[Collection[str]]) -> list[str]:
    """Return the measures that are asked for: rows, or the rows of a group that all reports have.

    Parameters
    ----------
    names : sequence of str
        Rows and groups, several of them separated by commas; none for all rows that every report has.
    reports : sequence of collection of str
        The rows of each report.

    Raises
    ------
    UsageError
        If the reports have nothing in common that is asked for by no name, or by that of a group.
    """
    common = [name for name in reports[0] if all(name in rows for rows in reports)]
    if not names and not common:
        raise UsageError("the reports have no measure in common")
    found = [] if names else common
    for name in _separated(names, reports):
        members = [one for one in GROUPS[name] if one in common] if name in GROUPS else [name]
        if not members:
            raise UsageError(f"the reports have no measure of the group {quoted(name)} in common")
        found += members
    return list(dict.fromkeys(found))


def _separated(names: Sequence[str], reports: Sequence[Collection[str]]) -> Iterator[str]:
    """Yield single names; the name of a row may hold commas itself."""
    for name in names:
        yield from [name] if any(name in rows for rows in reports) else separated(name)


def read_intervals(path: str, level: str | None) -> dict[tuple[str, str], Interval]:
    """Return scores and intervals of a report of `confidence -f tab`, by measure and metric.

    Parameters
    ----------
    path : str
        A file, or ``-``.
    level : str, optional
        Percent, as the columns have it: ``95``. Without one the intervals have no width.

    Raises
    ------
    InputError
        As `read`, and if there is no such level, or an interval ends before it begins.
    """
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
    found: dict[tuple[str, str], Interval] = {}
    for number, line in enumerate(lines[1:], 2):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != len(head):
            raise InputError(path, f"line {number}", f"{len(cells)} columns instead of {len(head)}")
        measure, metric = cells[:_BEFORE]
        if (measure, metric) in found:
            raise InputError(path, f"line {number}", f"a second row of {quoted(measure)}, {quoted(metric)}")
        interval = Interval(*(_number(cells[place], path, number) for place in places))
        if interval.low > interval.high:
            raise InputError(path, f"line {number}", "the interval ends before it begins")
        found[measure, metric] = interval
    return found


def _lines(text: str, path: str) -> list[str]:
    lines = text.replace("\r\n", "\n").split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise InputError(path, "", "the file is empty")
    return lines


def _number(cell: str, path: str, line: int) -> float:
    """Return the number in a cell; NaN where there is none."""
    found = math.nan if cell.casefold() in _NOT_NUMBERS else finite_number(cell)
    if found is None:
        raise InputError(path, f"line {line}", f"{quoted(cell)} is not a number")
    return found
