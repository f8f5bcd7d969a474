"""Table, rows of text cells, as aligned text, Markdown, HTML or tab-separated lines."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from scorch2.model.messages import escaped

_NUMERIC = ("", *"0123456789+-[(")
"""First characters of numbers, intervals, ``(0/0)`` and empty cells."""
_WORD = re.compile(r"[^\W\d_]{2}")
"""What no number holds: two letters (one may be that of an exponent)."""
WIDTH = 100
"""Characters of a line that is made for reading."""
_GAP = 2
"""Blanks between columns."""
_WIDEST = 200
"""The widest column. A longer cell sticks out, since padding all others to it could cost gigabytes."""


class Table(NamedTuple):
    """A head and rows with equally many cells; columns of numbers are aligned right.

    Cells are text of any kind. Each form passes all of them through the function of `scorch2.model.escaping`
    for it, so that no name can break a line or a column, or act.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        """Return the table with aligned columns."""
        clean = self._each(escaped)
        widths = _widths([clean.head, *clean.rows])
        numeric = _numeric(self)
        lines = [_aligned(row, widths, numeric) for row in (clean.head, *clean.rows)]
        lines.insert(1, "─" * _total(widths))
        return "\n".join(line.rstrip() for line in lines)

    def fitted(self) -> str:
        """Return the table in lines of `WIDTH` characters: columns that do not fit are continued below.

        The names at the beginning of a row are repeated there. Only a name can make a line longer.
        """
        clean = self._each(escaped)
        widths, numeric = _widths([clean.head, *clean.rows]), _numeric(self)
        names = numeric.index(True) if True in numeric else len(widths)
        blocks = [list(range(names))]
        for place in range(names, len(widths)):
            if len(blocks[-1]) > names and _total([widths[i] for i in [*blocks[-1], place]]) > WIDTH:
                blocks.append(list(range(names)))
            blocks[-1].append(place)
        return "\n\n".join(str(self._columns(places)) for places in blocks)

    def markdown(self) -> str:
        """Return the table as GitHub shows it."""
        from scorch2.model.escaping import markdown

        clean = self._each(lambda cell: markdown(cell).replace("|", "\\|"))
        rule = ["---:" if number else ":---" for number in _numeric(self)]
        return "\n".join(f"| {' | '.join(row)} |" for row in (clean.head, rule, *clean.rows))

    def latex(self, caption: str = "") -> str:
        """Return the table as LaTeX shows it, with the rules of booktabs; it ends with a line feed."""
        from scorch2.model import latex

        clean = self._each(latex.text)
        return latex.table(clean.head, clean.rows, _numeric(self), latex.text(caption))

    def html(self) -> str:
        """Return the table as notebooks show it."""
        from scorch2.model.escaping import html

        rows = [("th", self.head), *(("td", row) for row in self.rows)]
        body = "".join(
            "<tr>" + "".join(f"<{tag}>{html(cell)}</{tag}>" for cell in row) + "</tr>" for tag, row in rows
        )
        return f"<table>{body}</table>"

    def tsv(self) -> str:
        """Return the table as tab-separated lines."""
        from scorch2.model.escaping import tsv

        clean = self._each(tsv)
        return "\n".join("\t".join(row) for row in (clean.head, *clean.rows))

    def _columns(self, places: Sequence[int]) -> "Table":
        return Table([self.head[i] for i in places], [[row[i] for i in places] for row in self.rows])

    def _each(self, change: Callable[[str], str]) -> "Table":
        return Table([*map(change, self.head)], [[*map(change, row)] for row in self.rows])


def _numeric(table: Table) -> list[bool]:
    """Return for each column whether all its cells are numbers, not names such as ``95_zenda``."""
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)
    return [all(cell[:1] in _NUMERIC and not _WORD.search(cell) for cell in column) for column in columns]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [min(_WIDEST, max(map(len, column))) for column in zip(*rows, strict=True)]


def _total(widths: Sequence[int]) -> int:
    """Return the length of a line with columns of these widths."""
    return sum(widths) + _GAP * (len(widths) - 1)


def _aligned(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    cells = zip(row, widths, numeric, strict=True)
    return (" " * _GAP).join(
        cell.rjust(width) if number else cell.ljust(width) for cell, width, number in cells
    )


class Listing(NamedTuple):
    """A head and rows of strings, integers and spans."""

    name: str
    """Its key in the JSON report."""
    head: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    is_detail: bool = True
    """Whether the user asked for it, so that ``tsv`` shows it too, which else has only rows of scores."""

    def table(self) -> Table:
        """Return the rows as text; spans are half-open, such as ``3:5``."""
        return Table(self.head, [[_shown(cell) for cell in row] for row in self.rows])

    def to_list(self) -> list[dict[str, Any]]:
        """Return the rows as JSON objects; spans are lists."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows]


def _shown(cell: Any) -> str:
    return ":".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


def padded(rows: Sequence[Sequence[str]], names: int) -> str:
    r"""Return tab-separated lines as neleval prints them: the first `names` columns padded with blanks.

    >>> padded([["measure", "score"], ["muc", "0.8"]], 1)
    'measure\tscore\nmuc    \t0.8\n'
    """
    clean = [[escaped(cell) for cell in row] for row in rows]
    widths = _widths([row[:names] for row in clean])
    filled = [
        [*(cell.ljust(width) for cell, width in zip(row[:names], widths, strict=True)), *row[names:]]
        for row in clean
    ]
    return "".join("\t".join(row) + "\n" for row in filled)
