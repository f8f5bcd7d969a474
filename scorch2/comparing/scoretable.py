"""Score tables: the tab-separated text of `evaluate`, and of `confidence`, back to rows.

Cells stay text, so that what is printed again is what was read.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.errors import InputError
from scorch2.formats.source import read_text
from scorch2.measures import GROUPS
from scorch2.messages import known, quoted

HEAD = ("ptp", "fp", "rtp", "fn", "precis", "recall", "fscore", "measure")
"""The columns of `evaluate`."""
COLUMNS = {"precision": "precis", "recall": "recall", "fscore": "fscore"}
"""The scores, by the name that options have for them."""
_LEVEL = re.compile(r"([0-9.]+)%\($")
_BEFORE, _SCORE = 2, "score"


class ScoreTable(NamedTuple):
    """The rows of one report of `evaluate`, by measure."""

    path: str
    rows: Mapping[str, Sequence[str]]
    """Seven cells: four counts, precision, recall, F."""

    def cell(self, measure: str, metric: str) -> str:
        """Return a score as it was written; `metric` is a key of `COLUMNS`.

        Raises
        ------
        InputError
            For a measure that the report lacks.
        """
        if measure not in self.rows:
            raise InputError(self.path, "", known(measure, "measure in this report", self.rows))
        return self.rows[measure][HEAD.index(COLUMNS[metric])]

    def value(self, measure: str, metric: str) -> float:
        """Return a score as a number."""
        return float(self.cell(measure, metric))


class Interval(NamedTuple):
    """A score between the ends of its interval."""

    score: float
    low: float
    high: float


def read(path: str) -> ScoreTable:
    """Return the table in a file, or on standard input (``-``).

    Raises
    ------
    InputError
        For another header, rows of other lengths, cells that are no numbers, a measure twice; with the line.
    """
    lines = _lines(path)
    if tuple(lines[0].split("\t")) != HEAD:
        raise InputError(path, "line 1", f"not the head of a report of evaluate ({' '.join(HEAD)})")
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


def wanted(names: Sequence[str], tables: Sequence[ScoreTable]) -> list[str]:
    """Return the measures that are asked for: rows, or the rows of a group that all reports have."""
    common = [name for name in tables[0].rows if all(name in table.rows for table in tables)]
    if not names:
        return common
    found = []
    for name in names:
        found += [one for one in GROUPS[name] if one in common] if name in GROUPS else [name]
    return list(dict.fromkeys(found))


def read_intervals(path: str, level: str) -> dict[tuple[str, str], Interval]:
    """Return scores and intervals of a report of `confidence -f tab`, by measure and metric.

    Parameters
    ----------
    path : str
        A file, or ``-``.
    level : str
        Percent, as the columns have it: ``95``.

    Raises
    ------
    InputError
        As `read`, and if there is no such level.
    """
    lines = _lines(path)
    head = [cell.strip() for cell in lines[0].split("\t")]
    if head[:_BEFORE] != ["measure", "metric"] or _SCORE not in head:
        raise InputError(path, "line 1", "not the head of a report of confidence (-f tab)")
    if f"{level}%(" not in head:
        levels = [match[1] for cell in head if (match := _LEVEL.match(cell))]
        raise InputError(path, "line 1", known(level, "level in this report", levels))
    places = [head.index(name) for name in (_SCORE, f"{level}%(", f"){level}%")]
    found: dict[tuple[str, str], Interval] = {}
    for number, line in enumerate(lines[1:], 2):
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) != len(head):
            raise InputError(path, f"line {number}", f"{len(cells)} columns instead of {len(head)}")
        found[cells[0], cells[1]] = Interval(*(_number(cells[place], path, number) for place in places))
    return found


def _lines(path: str) -> list[str]:
    lines = read_text(path).replace("\r\n", "\n").split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise InputError(path, "", "the file is empty")
    return lines


def _number(cell: str, path: str, line: int) -> float:
    try:
        return float(cell)
    except ValueError:
        raise InputError(path, f"line {line}", f"{quoted(cell)} is not a number") from None
