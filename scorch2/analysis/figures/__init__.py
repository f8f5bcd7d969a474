"""Figures of an analysis: one file each with ``draw(report, dimension)``, and one row of the table.

ErrorReport ─▶ Figure ─▶ svg (our own code), png, pdf (matplotlib)
marks and words at their places
"""

import importlib
from collections.abc import Mapping
from typing import NamedTuple, Protocol, cast

from scorch2.analysis.figures.figure import Figure
from scorch2.analysis.report import ErrorReport

SUFFIXES = ("svg", "png", "pdf")
"""The formats of images by their suffix; the first needs nothing else to be installed."""


class Row(NamedTuple):
    """A figure of the table."""

    module: str
    dimension: str = ""
    """The dimension that it breaks the links down by."""


FIGURES: Mapping[str, Row] = {
    "errors": Row("waterfall"),
    "documents": Row("documents"),
    "length": Row("lengths"),
    **{name: Row("shares", name) for name in ("distance", "sentences", "mentions")},
    **{
        name: Row("statuses", name)
        for name in ("type", "antecedent", "size", "width", "text", "named", "genre")
    },
}
"""The figures by name."""


class _Module(Protocol):
    """A module of this folder that draws."""

    def draw(self, report: ErrorReport, dimension: str) -> Figure:
        """Return the figure; the dimension is empty if it needs none."""


def draw(report: ErrorReport, name: str) -> Figure:
    """Return a figure of `FIGURES`; the report has to have what it breaks down in `plotted`."""
    row = FIGURES[name]
    module = cast("_Module", importlib.import_module(f"scorch2.analysis.figures.{row.module}"))
    return module.draw(report, row.dimension)


def image(figure: Figure, suffix: str) -> bytes:
    """Return a figure in a format of `SUFFIXES`: the same bytes for the same figure.

    Raises
    ------
    UsageError
        If matplotlib is needed and not installed.
    """
    if suffix == "svg":
        from scorch2.analysis.figures.svg import svg

        return svg(figure).encode("utf-8")
    from scorch2.analysis.figures.raster import drawn

    return drawn(figure, suffix)
