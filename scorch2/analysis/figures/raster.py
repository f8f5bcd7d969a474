"""Draw a figure with matplotlib, as PNG or PDF."""

import warnings
from io import BytesIO
from typing import Any

from scorch2.analysis.figures.figure import INKS, SIZE, Bar, Figure, Line, Mark, Part
from scorch2.analysis.figures.svg import PALE
from scorch2.model.errors import UsageError

_POINTS = 72
"""Points of an inch: a unit of the drawing is a point."""
_DOTS = 144
"""Dots of an inch in PNG."""
_STAMPS: dict[str, dict[str, None]] = {"png": {"Software": None}, "pdf": {"CreationDate": None}}
"""What would differ from one run to another, or from one version to another."""
_SIDES = {"start": "left", "middle": "center", "end": "right"}
_SHAPES = {"circle": "o", "ring": "o", "square": "s"}


def require() -> None:
    """Import matplotlib.

    Raises
    ------
    UsageError
        If it is not installed.
    """
    try:
        import matplotlib as mpl  # noqa: F401 - to see whether it is there
    except ImportError:
        why = "png and pdf need matplotlib: pip install matplotlib (svg takes nothing else)"
        raise UsageError(why) from None


def drawn(figure: Figure, suffix: str) -> bytes:
    """Return a figure as ``png`` or ``pdf``; the same bytes for the same figure.

    Raises
    ------
    UsageError
        If matplotlib is not installed.
    """
    require()
    import matplotlib as mpl
    from matplotlib.figure import Figure as Canvas

    data = BytesIO()
    with mpl.rc_context(), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a letter that the font lacks is a box
        mpl.rcdefaults()  # the settings of the user change nothing
        mpl.rcParams["text.parse_math"] = False  # names are no formulas
        canvas: Any = Canvas(figsize=(figure.width / _POINTS, figure.height / _POINTS))
        axes = canvas.add_axes((0, 0, 1, 1))
        axes.set_axis_off()
        axes.set_xlim(0, figure.width)
        axes.set_ylim(figure.height, 0)
        for order, part in enumerate(figure.parts):
            _draw(part, axes, order)
        canvas.savefig(data, format=suffix, dpi=_DOTS, metadata=_STAMPS[suffix])
    return data.getvalue()


def _draw(part: Part, axes: Any, order: int) -> None:
    from matplotlib.patches import Rectangle

    ink = f"#{INKS[part.ink]}"
    if isinstance(part, Bar):
        alpha = PALE if part.is_pale else 1
        corner = (part.left, part.top)
        axes.add_patch(
            Rectangle(corner, part.width, part.height, facecolor=ink, alpha=alpha, linewidth=0, zorder=order)
        )
    elif isinstance(part, Line):
        places = [x for x, _ in part.points], [y for _, y in part.points]
        style = (0, (6 / part.width, 4 / part.width)) if part.is_dashed else "-"
        axes.plot(*places, color=ink, linewidth=part.width, linestyle=style, zorder=order)
    elif isinstance(part, Mark):
        filled = "none" if part.shape == "ring" else ink
        axes.plot(
            [part.x], [part.y], _SHAPES[part.shape], color=ink, markersize=part.size,
            markerfacecolor=filled, markeredgewidth=1 if part.shape == "ring" else 0, zorder=order,
        )  # fmt: skip
    else:
        axes.text(
            part.x, part.y, part.text, ha=_SIDES[part.anchor], va="baseline", fontsize=SIZE, color=ink,
            zorder=order,
        )  # fmt: skip
