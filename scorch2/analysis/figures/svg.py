"""Write a figure as SVG, without any other package: no style, no script, nothing but attributes."""

from scorch2.analysis.figures.figure import INKS, SIZE, Bar, Figure, Line, Mark, Part, coordinate
from scorch2.model.escaping import html_text

_FONT = "DejaVu Sans, Verdana, Arial, sans-serif"
PALE = 0.4
"""The opacity of pale bars."""


def svg(figure: Figure) -> str:
    """Return a file: names in it are text, whatever they hold."""
    width, height = coordinate(figure.width), coordinate(figure.height)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" font-family="{_FONT}" font-size="{coordinate(SIZE)}">'
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        head,
        f"<title>{html_text(figure.title)}</title>",
        f"<desc>{html_text(figure.description)}</desc>",
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *map(_element, figure.parts),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _element(part: Part) -> str:
    ink = f"#{INKS[part.ink]}"
    if isinstance(part, Bar):
        pale = f' fill-opacity="{PALE}"' if part.is_pale else ""
        return _rect(part.left, part.top, (part.width, part.height), f'fill="{ink}"{pale}')
    if isinstance(part, Line):
        points = " ".join(f"{coordinate(x)},{coordinate(y)}" for x, y in part.points)
        dashes = ' stroke-dasharray="6 4"' if part.is_dashed else ""
        look = f'fill="none" stroke="{ink}" stroke-width="{coordinate(part.width)}"{dashes}'
        return f'<polyline points="{points}" {look}/>'
    if isinstance(part, Mark):
        return _mark(part, ink)
    place = f'x="{coordinate(part.x)}" y="{coordinate(part.y)}"'
    return f'<text {place} text-anchor="{part.anchor}" fill="{ink}">{html_text(part.text)}</text>'


def _mark(mark: Mark, ink: str) -> str:
    radius = mark.size / 2
    if mark.shape == "square":
        return _rect(mark.x - radius, mark.y - radius, (mark.size, mark.size), f'fill="{ink}"')
    look = f'fill="none" stroke="{ink}"' if mark.shape == "ring" else f'fill="{ink}"'
    return f'<circle cx="{coordinate(mark.x)}" cy="{coordinate(mark.y)}" r="{coordinate(radius)}" {look}/>'


def _rect(left: float, top: float, size: tuple[float, float], look: str) -> str:
    width, height = map(coordinate, size)
    return f'<rect x="{coordinate(left)}" y="{coordinate(top)}" width="{width}" height="{height}" {look}/>'
