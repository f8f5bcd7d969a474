"""Figures of the analysis in the page: the style gives them their colours, light or dark."""

from scorch2.analysis.figures import draw
from scorch2.analysis.figures.figure import Bar, Figure, Line, Mark, Part, coordinate
from scorch2.analysis.page.markup import Html, tag, text
from scorch2.analysis.report import ErrorReport


def drawn(report: ErrorReport, name: str) -> Html:
    """Return a figure by its name, a key of `scorch2.analysis.figures.FIGURES`."""
    return drawing(draw(report, name))


def drawing(figure: Figure) -> Html:
    """Return a figure; for those who do not see it, it says what it shows."""
    width, height = coordinate(figure.width), coordinate(figure.height)
    return tag(
        "svg",
        *map(_element, figure.parts),
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=figure.description,
        class_="figure",
    )


def _element(part: Part) -> Html:
    if isinstance(part, Bar):
        return rect(
            part.left, part.top, (part.width, part.height), "pale-bar" if part.is_pale else "", part.ink
        )
    if isinstance(part, Line):
        points = " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in part.points)
        classes = f"ink-{part.ink}{' dashed' if part.is_dashed else ''}"
        return tag("polyline", points=points, class_=classes, stroke_width=coordinate(part.width))
    if isinstance(part, Mark):
        return _mark(part)
    classes = f"{part.anchor} ink-{part.ink}"
    return tag("text", text(part.text), x=coordinate(part.x), y=coordinate(part.y), class_=classes)


def _mark(mark: Mark) -> Html:
    radius = mark.size / 2
    if mark.shape == "square":
        return rect(mark.x - radius, mark.y - radius, (mark.size, mark.size), "", mark.ink)
    classes = f"ring ink-{mark.ink}" if mark.shape == "ring" else f"ink-{mark.ink}"
    return tag("circle", cx=coordinate(mark.x), cy=coordinate(mark.y), r=coordinate(radius), class_=classes)


def rect(left: float, top: float, size: tuple[float, float], classes: str, ink: str) -> Html:
    """Return a rectangle."""
    return tag(
        "rect",
        x=coordinate(left),
        y=coordinate(top),
        width=coordinate(size[0]),
        height=coordinate(size[1]),
        class_=f"{classes} ink-{ink}".lstrip(),
    )
