"""Figures: values of marks and labels at their places, in one kit, and the table of them.

    ErrorReport, Comparison ─▶ Figure ─▶ svg (our own code), png, pdf (matplotlib)

`kit` holds the parts and how each format draws them; `charts` the figures, by their names.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.analysis.table import DIMENSIONS

SUFFIXES = ("svg", "png", "pdf")
"""The formats of images by their suffix; the first needs nothing else to be installed."""
TITLES = ("above", "none")
"""Whether a figure has its title and caption, or neither: a paper writes its own."""


class FigureRow(NamedTuple):
    """A row of the tables of figures."""

    function: str  # the name of one in `charts`
    dimension: str = ""


FIGURES: Mapping[str, FigureRow] = {
    "errors": FigureRow("waterfall"),
    "documents": FigureRow("documents"),
    "places": FigureRow("places", "place"),
    **{  # of dimensions: that of documents by their lengths needs no classes
        name: FigureRow(figure, "" if figure == "lengths" else name)
        for figure in ("lengths", "shares", "statuses")
        for name, row in DIMENSIONS.items()
        if row.figure == figure
    },
}
COMPARED: Mapping[str, FigureRow] = {"scores": FigureRow("scores_of_systems")}
