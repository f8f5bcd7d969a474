"""The figure of systems side by side, from scores known by hand: MUC 1/2, 1, 2/3 and 1, 1, 1."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import scorch2
from scorch2.cli.main import main

FIRST, SECOND = scorch2.score([["a", "b", "c"]], [["a", "b"]]), scorch2.score([["a", "b", "c"]], [[*"abc"]])
EMPTY = scorch2.score([["a"]], [["a"]], metrics=["muc"])
SVG = "{http://www.w3.org/2000/svg}"
EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
INPUTS = [str(EXAMPLE / name) for name in ("gold", "other", "sys")]
FEW = ["compare", "-q", "--trials=20", "-m", "muc"]
pytestmark = pytest.mark.usefixtures("folder")


def drawn(compared: scorch2.Comparison) -> ET.Element:
    return ET.fromstring(compared.image())  # noqa: S314 - our own


def words(root: ET.Element) -> dict[str, tuple[float, float]]:
    """Return the places of all words."""
    return {
        one.text or "": (float(one.attrib["x"]), float(one.attrib["y"])) for one in root.iter(f"{SVG}text")
    }


def dots(root: ET.Element) -> list[float]:
    return [float(one.attrib["cx"]) for one in root.iter(f"{SVG}circle")]


def percent(root: ET.Element, x: float) -> float:
    low, high = (words(root)[number][0] for number in ("0", "100"))
    return 100 * (x - low) / (high - low)


def test_shapes_stand_at_the_scores() -> None:
    both = scorch2.compare({"one": FIRST, "two": SECOND}, metrics=["muc"], parts="all", against="none")
    root = drawn(both)
    assert [percent(root, x) for x in dots(root)] == pytest.approx([200 / 3, 100], abs=0.01)
    squares = [float(one.attrib["x"]) + 3.5 for one in root.iter(f"{SVG}rect") if one.attrib["width"] == "7"]
    assert [percent(root, x) for x in squares] == pytest.approx([100, 100])
    strokes = [
        float(one.attrib["points"].split(",")[0])
        for one in root.iter(f"{SVG}polyline")
        if one.attrib["stroke-width"] == "2.5"
    ]
    assert [percent(root, x) for x in strokes] == pytest.approx([50, 100])
    places = words(root)
    assert places["one"][1] == places["66.67"][1] < places["two"][1] == places["100.00*"][1]
    assert "Percent: stroke recall, square precision, dot F1. * best" in places
    said = root.findtext(f"{SVG}desc") or ""
    assert "one MUC recall 50.00, one MUC precision 100.00*, one MUC f1 66.67, two MUC recall 100.00*" in said


def test_every_metric_has_a_row_for_each_system() -> None:
    three = scorch2.compare({"a": FIRST, "b": SECOND, "c": FIRST}, metrics=["muc", "lea"], against="none")
    root = drawn(three)
    assert len(dots(root)) == 6
    assert words(root)["MUC"][1] < words(root)["LEA"][1]


def test_an_interval_is_a_line() -> None:
    one = scorch2.compare({"a": FIRST}, metrics=["muc"], against="none", confidence=90, trials=20)
    root = drawn(one)
    ends = [
        [percent(root, float(point.split(",")[0])) for point in line.attrib["points"].split()]
        for line in root.iter(f"{SVG}polyline")
        if line.attrib["stroke-width"] == "2"
    ]
    assert ends == [pytest.approx([200 / 3, 200 / 3], abs=0.01)]  # one document: every draw is the same
    assert "Percent: dot F1, line 90 % interval." in words(root)


def test_what_is_0_0_has_no_dot() -> None:
    root = drawn(scorch2.compare({"a": EMPTY}, against="none"))
    assert dots(root) == []
    assert "(0/0)" in words(root)


@pytest.mark.parametrize("name", ["<script>x</script>", '"><img src=x>', "a\u202eb\x07", "&lt;]]>"])
def test_names_are_text(name: str) -> None:
    root = drawn(scorch2.compare({name: FIRST, "b": SECOND}, metrics=["muc"], against="none"))
    assert {one.tag.removeprefix(SVG) for one in root.iter()} == {
        *("svg", "title", "desc", "metadata", "rect", "text", "polyline", "circle")
    }


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_command_draws_the_same_bytes_as_the_library(suffix: str) -> None:
    names = [f"--name={name}" for name in ("rules", "neural")]
    plots = [f"--plot=scores:{stem}.{suffix}" for stem in ("one", "two")]
    assert main([*FEW, *names, *plots, "-o", "table.txt", *INPUTS]) == 0
    systems = dict(zip(("rules", "neural"), INPUTS[1:], strict=True))
    found = scorch2.compare(systems, gold=INPUTS[0], metrics=["muc"], trials=20)
    content = found.image("scores", suffix)  # type: ignore[arg-type]  # one of the three
    assert Path(f"one.{suffix}").read_bytes() == Path(f"two.{suffix}").read_bytes() == content
    assert Path("table.txt").read_text(encoding="utf-8").startswith("system")


@pytest.mark.parametrize(
    ("plots", "message"),
    [
        (["--plot=score:x.svg"], 'unknown figure "score", did you mean scores?'),
        (["--plot=errors:x.svg"], 'unknown figure "errors"'),
        (["--plot=scores:x.jpg"], "takes a file called .svg, .png, .pdf"),
        (["--plot=scores:x.svg", "--plot=scores:./x.svg"], "two outputs go to x.svg"),
        (["--plot=scores:x.svg", "-o", "x.svg", "-f", "table"], "two outputs go to x.svg"),
        (["--plot=scores:none/x.svg"], "no such folder"),
    ],
)
def test_refused(plots: list[str], message: str, capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert main([*FEW, *plots, *INPUTS]) == 2
    done = capsys.readouterr()
    assert message in done.err
    assert done.out == ""
    assert list(folder.iterdir()) == []


def test_without_matplotlib_only_svg_is_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main([*FEW, "--plot=scores:x.svg", *INPUTS]) == 0
    assert main([*FEW, "--plot=scores:x.png", *INPUTS]) == 2
    assert "pip install matplotlib" in capsys.readouterr().err
    with pytest.raises(scorch2.UsageError, match='unknown figure "x"'):
        scorch2.compare({"a": FIRST}, against="none").image("x")


def test_systems_that_begin_alike_are_told_apart() -> None:
    names = [f"experiments/2026-11-20/model-{letter}" for letter in "ab"]
    root = drawn(scorch2.compare(dict(zip(names, (FIRST, SECOND), strict=True)), against="none"))
    assert [word for word in words(root) if word.startswith("model-")] == ["model-a", "model-b"]


def test_a_comparison_is_short_in_a_python_shell() -> None:
    both = scorch2.compare({"one": FIRST, "two": SECOND}, metrics=["muc"], against="none")
    assert repr(both) == "Comparison(systems={'one': {'muc.f1': 0.6667}, 'two': {'muc.f1': 1.0}})"
    assert repr(scorch2.compare({"none": EMPTY})) == "Comparison(systems={'none': {'muc.f1': None}})"


def test_the_caption_names_the_test_and_the_number_of_comparisons() -> None:
    systems = {"one": FIRST, "two": SECOND, "three": FIRST}
    for options, expected in (
        ({}, "exact paired permutation test, two-sided, all 2 permutations, corrected"),
        ({"letters": True}, "corrected after Holm for 3 comparisons in each column."),
        (
            {"test": "bootstrap"},
            "paired bootstrap test (Efron & Tibshirani 1993, Berg-Kirkpatrick et al. 2012)",
        ),
    ):
        compared = scorch2.compare(systems, metrics=["muc"], trials=20, **options)
        said = " ".join(word for word in words(drawn(compared)) if word)
        assert "p ≤ 0.05" in said
        assert expected in said
