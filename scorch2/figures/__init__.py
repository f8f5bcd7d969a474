"""Figures of an analysis: one file each with ``draw(report, dimension)``, and one row of the table.

ErrorReport ─▶ Figure ─▶ svg (our own code), png, pdf (matplotlib)
marks and words at their places

Those of `scorch2 compare` have a table of their own, and ``draw(compared)``.
"""

import importlib
from collections.abc import Mapping
from typing import NamedTuple, Protocol, cast

from scorch2.analysis.error_report import ErrorReport
from scorch2.analysis.systems import Comparison
from scorch2.figures.kit import Figure
from scorch2.model.errors import UsageError, quoted, unknown_name

SUFFIXES = ("svg", "png", "pdf")
"""The formats of images by their suffix; the first needs nothing else to be installed."""


class FigureRow(NamedTuple):
    """A row of the tables of figures."""

    module: str
    dimension: str = ""
    """The dimension that the figure breaks links down by."""


FIGURES: Mapping[str, FigureRow] = {
    "errors": FigureRow("waterfall"),
    "documents": FigureRow("documents"),
    "length": FigureRow("lengths"),
    **{name: FigureRow("shares", name) for name in ("distance", "sentences", "mentions")},
    **{
        name: FigureRow("statuses", name)
        for name in ("type", "antecedent", "size", "width", "text", "named", "genre")
    },
}
"""The figures by name."""
COMPARED: Mapping[str, FigureRow] = {"scores": FigureRow("systems")}
"""The figures of systems side by side by name."""


class _Module(Protocol):
    """A module of this folder that draws."""

    def draw(self, report: ErrorReport, dimension: str) -> Figure:
        """Return the figure; the dimension is empty if it needs none."""


class _OfSystems(Protocol):
    """A module of this folder that draws systems side by side."""

    def draw(self, compared: Comparison) -> Figure:
        """Return the figure."""


def draw(report: ErrorReport, name: str) -> Figure:
    """Return a figure of `FIGURES`.

    Raises
    ------
    UsageError
        For an unknown figure, and if the report lacks what it shows.
    """
    if name not in FIGURES:
        raise UsageError(unknown_name(name, "figure", FIGURES))
    row = FIGURES[name]
    report = report._replace(plotted={**report.breakdown, **report.plotted})
    if row.dimension and row.dimension not in report.plotted:
        raise UsageError(f"the figure {name} needs by={quoted(name)}")
    if name == "documents" and "lea" not in report.report.scores:
        raise UsageError("the figure documents shows LEA: add lea to the metrics")
    module = cast("_Module", importlib.import_module(f"{__name__}.{row.module}"))
    return module.draw(report, row.dimension)


def draw_systems(compared: Comparison, name: str) -> Figure:
    """Return a figure of `COMPARED`.

    Raises
    ------
    UsageError
        For an unknown figure.
    """
    if name not in COMPARED:
        raise UsageError(unknown_name(name, "figure", COMPARED))
    module = cast("_OfSystems", importlib.import_module(f"{__name__}.{COMPARED[name].module}"))
    return module.draw(compared)


def image(figure: Figure, suffix: str) -> bytes:
    """Return a figure in a format of `SUFFIXES`: the same bytes for the same figure.

    Raises
    ------
    UsageError
        For another format, and if matplotlib is needed and not installed.
    """
    if suffix not in SUFFIXES:
        raise UsageError(unknown_name(suffix, "format of an image", SUFFIXES))
    if suffix == "svg":
        from scorch2.figures.kit import svg

        return svg(figure).encode("utf-8")
    from scorch2.figures.kit import raster

    return raster(figure, suffix)
