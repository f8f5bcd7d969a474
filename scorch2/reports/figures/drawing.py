"""Figures by their names, as values and as the content of files."""

from typing import TYPE_CHECKING, cast

from scorch2.model.errors import UsageError, quoted, unknown_name
from scorch2.model.forms import check_paper, function_at
from scorch2.reports.figures import COMPARED, FIGURES, SUFFIXES, TITLES

if TYPE_CHECKING:
    from scorch2.analysis.error_report import ErrorReport
    from scorch2.analysis.systems import Comparison
    from scorch2.reports.figures.kit import Figure, Look


def look_of(width: str = "page", title: str = "above") -> "Look":
    """Return the settings of a figure by their words."""
    from scorch2.reports.figures.kit import Look

    if title not in TITLES:
        raise UsageError(unknown_name(title, "title of a figure", TITLES))
    return Look(check_paper(width, "width of a figure"), title == TITLES[0])


def draw(report: "ErrorReport", name: str, look: "Look | None" = None) -> "Figure":
    """Return a figure of `FIGURES`."""
    if name not in FIGURES:
        raise UsageError(unknown_name(name, "figure", FIGURES))
    row = FIGURES[name]
    report = report._replace(plotted={**report.breakdown, **report.plotted})
    if row.dimension and row.dimension not in report.plotted:
        raise UsageError(f"the figure {name} needs by={quoted(name)}")
    if name == "documents" and "lea" not in report.report.scores:
        raise UsageError("the figure documents shows LEA: add lea to the metrics")
    return cast(
        "Figure", function_at(f"reports.figures.{row.function}")(report, row.dimension, look or look_of())
    )


def draw_systems(compared: "Comparison", name: str, look: "Look | None" = None) -> "Figure":
    """Return a figure of `COMPARED`."""
    if name not in COMPARED:
        raise UsageError(unknown_name(name, "figure", COMPARED))
    return cast(
        "Figure", function_at(f"reports.figures.{COMPARED[name].function}")(compared, look or look_of())
    )


def image_of_errors(report: "ErrorReport", name: str, suffix: str, **look: str) -> bytes:
    """Return a figure of errors as the content of a file."""
    return image(draw(report, name, look_of(**look)), suffix)


def image_of_systems(compared: "Comparison", name: str, suffix: str, **look: str) -> bytes:
    """Return a figure of systems as the content of a file."""
    return image(draw_systems(compared, name, look_of(**look)), suffix)


def image(figure: "Figure", suffix: str) -> bytes:
    """Return a figure in a format of `SUFFIXES`: the same bytes for the same figure."""
    if suffix not in SUFFIXES:
        raise UsageError(unknown_name(suffix, "format of an image", SUFFIXES))
    from scorch2.reports.figures.kit import raster, svg

    return svg(figure).encode("utf-8") if suffix == "svg" else raster(figure, suffix)
