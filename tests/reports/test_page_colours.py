"""The colours of the page: readable, and told apart without colour vision."""

import math
import re
from itertools import combinations

import pytest

from scorch2.analysis.kinds import KINDS
from scorch2.reports.page.frame import VIEWS, page_style

STYLE = page_style()
READABLE = 4.5
"""The contrast of text that is readable (WCAG 2.1, 1.4.3)."""


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.1)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def colours() -> list[dict[str, str]]:
    """Return the colours of light and of dark mode by name."""
    blocks = re.findall(r":root \{(.*?)\}", STYLE, re.DOTALL)
    return [dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in blocks]


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_all_text_is_readable(mode: int) -> None:
    named = colours()[mode]
    grounds = ["paper", "soft", "none", "shown", *(f"t{hue}" for hue in range(8))]
    for ground in grounds:
        assert contrast(named["ink"], named[ground]) >= READABLE, ground
    for ground in ("paper", "soft"):
        assert contrast(named["pale"], named[ground]) >= READABLE
        assert contrast(named["link"], named[ground]) >= READABLE
    for kind in KINDS:
        assert contrast(named["on"], named[kind]) >= READABLE, kind
    assert contrast(named["focus"], named["paper"]) >= 3  # of what is no text (1.4.11)


@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_tints_are_the_hues_on_the_ground(mode: int) -> None:
    """Hues after Okabe and Ito; as tint 20 % on white, 34 % on the dark ground."""
    hues = ("0072b2", "e69f00", "009e73", "cc79a7", "d55e00", "56b4e9", "8a8a00", "7a5bb8")
    named, share = colours()[mode], (0.2, 0.34)[mode]
    for number, hue in enumerate(hues):
        ground = named["paper"]
        for i in (0, 2, 4):
            mixed = share * int(hue[i : i + 2], 16) + (1 - share) * int(ground[i + 1 : i + 3], 16)
            assert abs(mixed - int(named[f"t{number}"][i + 1 : i + 3], 16)) <= 1, (hue, i)


VISIONS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}
"""What is seen of linear red, green and blue (Machado, Oliveira & Fernandes 2009, severity 1.0)."""
_XYZ = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)
Lab = tuple[float, float, float]


def linear(colour: str) -> list[float]:
    """Return red, green and blue without the curve of sRGB (IEC 61966-2-1)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def lab(colour: str, vision: str) -> Lab:
    """Return a colour as somebody with this vision sees it, in CIELAB (D65)."""
    seen = [sum(map(float.__mul__, map(float, row), linear(colour))) for row in VISIONS[vision]]
    seen = [min(max(part, 0.0), 1.0) for part in seen]
    xyz = [sum(map(float.__mul__, row, seen)) / white for row, white in zip(_XYZ, _WHITE, strict=True)]
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: Lab, other: Lab) -> float:
    """Return CIEDE2000 (Sharma, Wu & Dalal 2005)."""
    mean = (math.hypot(*one[1:]) + math.hypot(*other[1:])) / 2
    wider = 1.5 - 0.5 * math.sqrt(mean**7 / (mean**7 + 25**7))
    (l1, a1, b1), (l2, a2, b2) = ((light, wider * a, b) for light, a, b in (one, other))
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = (math.degrees(math.atan2(b, a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    hue = math.radians((h1 + turn / 2) % 360 if c1 * c2 else h1 + h2)
    around = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn / 2))
    light, chroma = (l1 + l2) / 2 - 50, (c1 + c2) / 2
    by_hue = 1 - 0.17 * math.cos(hue - math.radians(30)) + 0.24 * math.cos(2 * hue)
    by_hue += 0.32 * math.cos(3 * hue + math.radians(6)) - 0.2 * math.cos(4 * hue - math.radians(63))
    blue = math.radians(60 * math.exp(-(((math.degrees(hue) - 275) / 25) ** 2)))
    turned = -2 * math.sqrt(chroma**7 / (chroma**7 + 25**7)) * math.sin(blue)
    dl = (l2 - l1) / (1 + 0.015 * light**2 / math.sqrt(20 + light**2))
    dc, dh = (c2 - c1) / (1 + 0.045 * chroma), around / (1 + 0.015 * chroma * by_hue)
    return math.sqrt(dl**2 + dc**2 + dh**2 + turned * dc * dh)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ((50.0, 2.6772, -79.7751), (50.0, 0.0, -82.7485), 2.0425),
        ((50.0, 2.5, 0.0), (73.0, 25.0, -18.0), 27.1492),
        ((50.0, 2.5, 0.0), (56.0, -27.0, -3.0), 31.9030),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
        ((50.0, 0.0, 0.0), (50.0, -1.0, 2.0), 2.3669),
    ],
)
def test_differences_of_colours_are_those_that_were_published(one: Lab, other: Lab, expected: float) -> None:
    """Pairs of table 1 of Sharma, Wu & Dalal 2005."""
    assert difference(one, other) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("mode", [0, 1], ids=["light", "dark"])
def test_kinds_are_told_apart_without_colour_vision(mode: int, vision: str) -> None:
    named = colours()[mode]
    seen = {kind: lab(named[kind], vision) for kind in (*KINDS, "found")}
    close = [pair for pair in combinations(seen, 2) if difference(seen[pair[0]], seen[pair[1]]) < 10]
    assert close == [], "CIEDE2000 below 10: these are hard to tell apart"


def test_every_kind_and_view_has_its_switch_in_the_style() -> None:
    for ident in [*(f"f-{kind}" for kind in KINDS), *(f"v-{view}" for view in VIEWS)]:
        assert (f".bar:has(#{ident}:checked)" in STYLE) == (ident != "v-both")
    for kind in KINDS:
        assert f".bar:has(#f-{kind}:not(:checked)) ~ #main details .{kind}" in STYLE
        assert f".mark.{kind} " in STYLE
