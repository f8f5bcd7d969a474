"""Table, rows of text cells, and how they look: aligned for reading, Markdown, HTML, tab-separated."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scorch2.model.messages import escaped

_NUMERIC = ("", *"0123456789+-[")
"""How a number, an interval or an empty cell begins."""


class Table(NamedTuple):
    """A head and rows of as many cells; a column whose cells are numbers is set flush right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        """Return the table with aligned columns."""
        widths = [max(map(len, column)) for column in zip(self.head, *self.rows, strict=True)]
        lines = [self._aligned(self.head, widths), "─" * (sum(widths) + 2 * (len(widths) - 1))]
        lines += [self._aligned(row, widths) for row in self.rows]
        return "\n".join(line.rstrip() for line in lines)

    def markdown(self) -> str:
        """Return the table as GitHub shows it."""
        rule = ["---:" if number else ":---" for number in self._numeric()]
        cells = [[_markdown(cell) for cell in row] for row in (self.head, rule, *self.rows)]
        return "\n".join(f"| {' | '.join(row)} |" for row in cells)

    def html(self) -> str:
        """Return the table as notebooks show it."""
        from html import escape

        rows = [("th", self.head), *(("td", row) for row in self.rows)]
        body = "".join(
            "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row) + "</tr>" for tag, row in rows
        )
        return f"<table>{body}</table>"

    def tsv(self) -> str:
        """Return the table as tab-separated lines."""
        return "\n".join("\t".join(row) for row in (self.head, *self.rows))

    def _aligned(self, row: Sequence[str], widths: Sequence[int]) -> str:
        cells = zip(row, widths, self._numeric(), strict=True)
        return "  ".join(cell.rjust(width) if number else cell.ljust(width) for cell, width, number in cells)

    def _numeric(self) -> list[bool]:
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(self.head)
        return [all(cell[:1] in _NUMERIC for cell in column) for column in columns]


def _markdown(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")


class Listing(NamedTuple):
    """A head and rows of strings, integers and spans."""

    name: str
    """Its key in the JSON report."""
    head: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    is_detail: bool = True
    """Whether reports that hold rows of scores only, as ``tsv``, show it too: it was asked for."""

    def table(self) -> Table:
        """Return the rows as text: spans half-open, as ``3:5``."""
        return Table(self.head, [[_shown(cell) for cell in row] for row in self.rows])

    def to_list(self) -> list[dict[str, Any]]:
        """Return the rows as JSON has them: spans as lists."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows]


def _shown(cell: Any) -> str:
    return ":".join(map(str, cell)) if isinstance(cell, tuple) else escaped(str(cell))


def padded(rows: Sequence[Sequence[str]], names: int) -> str:
    r"""Return lines of cells; the first `names` columns are filled up with blanks.

    >>> padded([["measure", "score"], ["muc", "0.8"]], 1)
    'measure\tscore\nmuc    \t0.8\n'
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:names]
    lines = [
        "\t".join(
            [*(cell.ljust(width) for cell, width in zip(row[:names], widths, strict=True)), *row[names:]]
        )
        for row in rows
    ]
    return "\n".join(lines) + "\n"
