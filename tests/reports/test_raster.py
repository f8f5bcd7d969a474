"""Figures as PNG and PDF: every part at its place in its colour, whatever the user has set."""

import sys
from io import BytesIO
from itertools import combinations
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.image import imread

from scorch2.analysis.kinds import KINDS
from scorch2.model.errors import UsageError
from scorch2.reports.figures.kit import INKS, PALE, Bar, Figure, Label, Line, Shape, Sign, marked, raster

WIDTH, HEIGHT = 120, 60
"""Of the drawing, in points: an image has twice as many dots."""
WHITE = (255, 255, 255)


def figure(*shapes: Shape) -> Figure:
    return Figure("", "", WIDTH, HEIGHT, shapes)


def image(*shapes: Shape) -> Any:
    """Return the red, green and blue of every dot, row by row from the top."""
    dots = imread(BytesIO(raster(figure(*shapes), "png")))
    return np.rint(255 * dots[:, :, :3]).astype(int)


def colour(ink: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(INKS[ink]))


def inked(dots: Any) -> tuple[int, int, int, int]:
    """Return the first column and row that are not all white, and those after the last."""
    rows, columns = np.nonzero((dots != WHITE).any(axis=2))
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


def test_an_empty_figure_is_white_and_has_two_dots_for_each_point() -> None:
    dots = image()
    assert dots.shape == (2 * HEIGHT, 2 * WIDTH, 3)
    assert (dots == WHITE).all()


def test_without_matplotlib_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not there
    with pytest.raises(UsageError, match="pip install matplotlib"):
        raster(figure(), "png")


def test_a_pdf_is_as_large_as_the_figure() -> None:
    assert b"/MediaBox [ 0 0 120 60 ]" in raster(figure(), "pdf")


def test_a_pdf_has_fonts_that_publishers_take() -> None:
    made = raster(figure(Label(10, 20, "Ä ≠ ÷")), "pdf")
    assert b"/Type42" in made or b"/CIDFontType2" in made
    assert b"/Type3" not in made


@pytest.mark.parametrize("width", [4, 12, 60], ids=["thin", "narrow", "wide"])
def test_bars_of_two_kinds_differ_without_their_colours(width: int) -> None:
    """White lines: a tenth of the dots at least is white in one bar alone."""
    bars = {kind: image(*marked(Bar(0, 0, width, 60, kind)))[:, : 2 * width] for kind in KINDS}
    white = {kind: (dots > 128).all(axis=2) for kind, dots in bars.items()}
    alike = [pair for pair in combinations(KINDS, 2) if (white[pair[0]] ^ white[pair[1]]).mean() < 0.1]
    assert alike == []


def test_a_mark_stands_between_the_lines_of_its_bar() -> None:
    bar, left, right, label = marked(Bar(10, 5, 33, 16, "divided"))
    assert (bar, label) == (Bar(10, 5, 33, 16, "divided"), Label(26.5, 17, "÷", "middle", "light"))
    lines = Bar(10, 5, 10, 16, "divided", is_hatch=True)
    assert (left, right) == (lines, lines._replace(left=33))
    assert marked(Bar(0, 0, 33, 16, "found")) == [Bar(0, 0, 33, 16, "found")]


@pytest.mark.parametrize(
    ("left", "top", "width", "height"), [(0, 0, 120, 60), (0, 0, 1, 1), (119, 59, 1, 1), (10, 5, 20, 30)]
)
def test_a_bar_covers_its_dots(left: int, top: int, width: int, height: int) -> None:
    dots = image(Bar(left, top, width, height, "recall"))
    assert inked(dots) == (2 * left, 2 * top, 2 * (left + width), 2 * (top + height))
    covered = dots[2 * top : 2 * (top + height), 2 * left : 2 * (left + width)]
    assert (covered == colour("recall")).all()


def test_a_pale_bar_lets_white_through() -> None:
    dots = image(Bar(0, 0, 120, 60, "recall", is_pale=True))
    expected = [PALE * part + (1 - PALE) * 255 for part in colour("recall")]
    assert dots[60, 120] == pytest.approx(expected, abs=1)


@pytest.mark.parametrize(("upper", "lower"), [("recall", "precision"), ("precision", "recall")])
def test_later_parts_are_drawn_over_earlier_ones(upper: str, lower: str) -> None:
    line = Line([(0, 30), (120, 30)], lower, width=10)
    assert tuple(image(line, Bar(0, 0, 120, 60, upper))[60, 120]) == colour(upper)
    assert tuple(image(Bar(0, 0, 120, 60, lower), line._replace(ink=upper))[60, 120]) == colour(upper)


def test_a_line_goes_through_its_points() -> None:
    dots = image(Line([(10, 20), (100, 20)], "recall", width=2))
    assert (dots[38:42, 20:200] == colour("recall")).all(), "a point above and below the line"
    assert (dots[[37, 42]] == WHITE).all()


def test_dashes_are_six_points_with_four_between() -> None:
    dots = image(Line([(10, 20), (100, 20)], "recall", width=2, is_dashed=True))
    assert [tuple(dots[40, 2 * x]) == colour("recall") for x in (11, 15, 21, 25, 91, 95)] == [True] * 6
    assert [tuple(dots[40, 2 * x]) for x in (18, 28, 88)] == [WHITE] * 3


@pytest.mark.parametrize("shape", ["circle", "square", "ring"])
def test_a_mark_is_around_its_place(shape: str) -> None:
    dots = image(Sign(40, 20, shape, "recall", size=10))
    edge = 1 if shape == "ring" else 0  # half of a line of one point, on both sides
    assert inked(dots) == pytest.approx((70 - edge, 30 - edge, 90 + edge, 50 + edge), abs=1)
    assert tuple(dots[40, 80]) == (WHITE if shape == "ring" else colour("recall"))
    assert (tuple(dots[32, 72]) == colour("recall")) == (shape == "square"), "its corner"


@pytest.mark.parametrize(("anchor", "place"), [("start", 0), ("middle", 1), ("end", 2)])
def test_words_stand_on_their_line_at_their_anchor(anchor: str, place: int) -> None:
    left, top, right, bottom = inked(image(Label(60, 40, "HHHHHH", anchor)))
    assert (left, (left + right) / 2, right)[place] == pytest.approx(120, abs=4)
    assert bottom == pytest.approx(80, abs=1)
    assert 12 < bottom - top < 22, "a capital is about 0.7 of 11 points high"


def test_names_are_no_formulas() -> None:
    """A formula would be an x alone, and `\\frac` without its arguments an error."""
    widths = [right - left for left, _, right, _ in (inked(image(Label(0, 40, x))) for x in ("x", "$x$"))]
    assert widths[1] > 2 * widths[0]
    assert (image(Label(0, 40, "$\\frac$")) != WHITE).any()


@pytest.mark.parametrize("suffix", ["png", "pdf"])
def test_the_settings_of_the_user_change_nothing_and_stay(suffix: str) -> None:
    shapes: tuple[Shape, ...] = (Bar(10, 10, 20, 20, "recall"), Label(20, 50, "name"))
    expected = raster(figure(*shapes), suffix)
    mine: dict[Any, Any] = {
        "font.family": "monospace", "savefig.bbox": "tight", "savefig.facecolor": "red",
        "text.parse_math": True, "font.size": 30,
    }  # fmt: skip
    with mpl.rc_context(mine):
        assert raster(figure(*shapes), suffix) == expected
        assert {name: mpl.rcParams[name] for name in mine} == {**mine, "font.family": ["monospace"]}


@pytest.mark.filterwarnings("error")
def test_a_letter_that_the_font_lacks_is_drawn_without_a_warning() -> None:
    assert (image(Label(0, 40, "文")) != WHITE).any()
