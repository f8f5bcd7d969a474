"""Listing, what scores are made of, item by item: a table of values that a report shows beside its scores."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scorch2.messages import escaped
from scorch2.tables import Table


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
