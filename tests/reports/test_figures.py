"""Figures: the same bytes every time, numbers at their places, and names that are nothing but text."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, get_args

import pytest

import scorch2
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.table import DIMENSIONS
from scorch2.cli.main import main
from scorch2.reports.figures import COMPARED, FIGURES, SUFFIXES, charts, kit
from scorch2.reports.figures.charts import draw, fitting
from scorch2.reports.figures.kit import INKS, Bar, Shape, marked
from scorch2.reports.page.frame import page_style

ROOT = Path(__file__).parent.parent.parent
LABELS = [kind.label for kind in KINDS.values()]
EXAMPLE = str(ROOT / "fixtures" / "example" / "gold.conll"), str(ROOT / "fixtures" / "example" / "sys.conll")
LACKING = [name for name, row in DIMENSIONS.items() if row.needs in ("trees", "categories")]
DRAWN = [name for name in FIGURES if name not in LACKING]
"""The figures that the example, which has neither trees nor categories, is enough for."""
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "&lt;]]>",
    "a\u202eb\x07",
    "文書" * 40,
]


class Svg(NamedTuple):
    """A drawing that was parsed."""

    root: ET.Element

    def all(self, tag: str) -> list[dict[str, str]]:
        found = [dict(one.attrib) for one in self.root.iter(f"{{http://www.w3.org/2000/svg}}{tag}")]
        return [one for one in found if not one.get("fill", "").startswith("url(#hatch-")]

    def words(self) -> list[str]:
        return [one.text or "" for one in self.root.iter("{http://www.w3.org/2000/svg}text")]

    def place(self, words: str, coordinate: str, anchor: str = "") -> float:
        """Return where words stand."""
        places = [
            float(one.attrib[coordinate])
            for one in self.root.iter("{http://www.w3.org/2000/svg}text")
            if one.text == words and one.attrib["text-anchor"].startswith(anchor)
        ]
        assert len(places) == 1, words
        return places[0]

    def percent_across(self, x: float) -> float:
        """Return the value at a place of the axis from left to right."""
        low, high = (self.place(words, "x") for words in ("80", "100"))
        return 80 + 20 * (x - low) / (high - low)

    def percent_up(self, y: float) -> float:
        low, high = (self.place(words, "y", "end") - 4 for words in ("0", "100"))
        return 100 * (y - low) / (high - low)


def plotted(name: str, folder: Path, *words: str, inputs: Sequence[str] = EXAMPLE) -> Svg:
    path = folder / f"{name}.svg"
    assert (
        main(["errors", "-q", f"--plot={name}:{path}", "-o", str(folder / "report.json"), *words, *inputs])
        == 0
    )
    return Svg(ET.fromstring(path.read_text("utf-8")))  # noqa: S314 - our own


def document(ident: str, *lines: str) -> str:
    return "\n".join([f"#begin document ({ident});", *lines, "", "#end document", ""])


def corpus(folder: Path, *documents: tuple[str, Sequence[str], Sequence[str]]) -> tuple[str, str]:
    """Write documents with the column of gold and of the system."""
    paths = folder / "gold.conll", folder / "sys.conll"
    for path, place in zip(paths, (1, 2), strict=True):
        path.write_text(
            "".join(
                document(one[0], *(f"w{i}\t{cell}" for i, cell in enumerate(one[place]))) for one in documents
            ),
            encoding="utf-8",
        )
    return str(paths[0]), str(paths[1])


TWICE = ("errors", "length", "text")
"""Figures that are painted twice: they have parts of every kind."""


@pytest.mark.usefixtures("light_fonts")
def test_the_same_report_gives_the_same_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure has the same parts when drawn again; what paints them is the same for all figures."""
    monkeypatch.setattr(kit, "_DOTS", 36)  # a quarter: they are painted in the same way
    paths = {
        (name, suffix): [tmp_path / f"{name}{number}.{suffix}" for number in range(2 if twice else 1)]
        for name in DRAWN
        for suffix in SUFFIXES
        if suffix != "pdf" or name in TWICE  # all words are laid out in PNG, and fonts make PDF slow
        for twice in [suffix == "svg" or name in TWICE]
    }
    plots = [f"--plot={name}:{path}" for (name, _), both in paths.items() for path in both]
    words = ["--types=english", "--genre=(.)", "-o", str(tmp_path / "report.json")]
    assert main(["errors", "-q", *plots, *words, *EXAMPLE]) == 0
    begins = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    for (name, suffix), both in paths.items():
        wrong = f"--plot={name}, drawn twice as {suffix}, has other bytes: a time, an order or an id is in it"
        assert both[0].read_bytes() == both[-1].read_bytes(), wrong
        assert both[0].read_bytes().startswith(begins[suffix]), f"--plot={name} is no {suffix}"


def test_figures_that_are_painted_twice_have_parts_of_every_kind() -> None:
    report = scorch2.errors(*EXAMPLE, types="english", by=[name for name in DIMENSIONS if name in TWICE])
    kinds = {type(part) for name in TWICE for part in draw(report, name).shapes}
    assert kinds == {*get_args(Shape)}, "take a figure into TWICE that has the other parts"


def test_no_hash_seed_and_no_setting_of_the_user_changes_a_byte(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text("font.size: 30\naxes.facecolor: red\n", encoding="utf-8")
    found = []
    for seed, settings in (("1", {}), ("2", {"MATPLOTLIBRC": str(tmp_path / "matplotlibrc")})):
        paths = [tmp_path / f"{seed}.{suffix}" for suffix in SUFFIXES]
        plots = [f"--plot=type:{path}" for path in paths]
        words = [sys.executable, "-m", "scorch2", "errors", "-q", "--types=english", *plots, *EXAMPLE]
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), **settings}
        subprocess.run(words, check=True, capture_output=True, env=environment)
        found.append([path.read_bytes() for path in paths])
    assert found[0] == found[1], "a hash seed, or a setting of matplotlib, changes a figure"


def test_the_waterfall_goes_from_the_score_to_the_top(tmp_path: Path) -> None:
    """The numbers are those of the example in the specification: 77.83, and in order 8.13, 11.71, 2.34."""
    found = plotted("errors", tmp_path, "--gains=order")
    words = found.words()
    assert words[0] == "CoNLL F1 if errors are corrected one kind after the other"
    assert [label for label in words if label in {"as it is", *LABELS}] == ["as it is", *LABELS]
    values = ["77.83", "+0.00", "+8.13", "+0.00", "+0.00", "+11.71", "+0.00", "+2.34"]
    assert [one for one in words if one in values] == values
    ends = []
    for bar in found.all("rect")[1:]:
        left = float(bar["x"])
        ends.append([found.percent_across(place) for place in (left, left + float(bar["width"]))])
    conflated, divided, missing = (ends[place] for place in (2, 5, 7))
    assert conflated == pytest.approx([77.83, 85.96], abs=0.05)
    assert divided == pytest.approx([85.96, 97.66], abs=0.05)
    assert missing == pytest.approx([97.66, 100], abs=0.05)


def test_the_waterfall_of_shares_goes_from_the_score_to_the_top(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = plotted("errors", tmp_path).words()
    shares = {kind: share["conll"] for kind, share in json.loads(report.read_text("utf-8"))["shares"].items()}
    assert words[0] == "What each kind of error costs: its share of CoNLL F1"
    assert [one for one in words if one[0] in "+-"] == [f"{100 * share:+.2f}" for share in shares.values()]
    assert sum(shares.values()) == pytest.approx(1 - 0.7782592, abs=1e-6)


def test_a_loss_goes_to_the_left_and_is_pale(tmp_path: Path) -> None:
    """By hand, CEAF-e: (20/21 + 4/5) / 2 before; split, recall 1.8/2 and precision 1.8/3, so F1 is 0.72."""
    inputs = corpus(tmp_path, ("d", [*["(0)"] * 10, *["(1)"] * 3], [*["(0)"] * 11, *["(1)"] * 2]))
    found = plotted("errors", tmp_path, "-m", "ceaf_e", "--gains=order", inputs=inputs)
    assert found.words()[0].startswith("CEAF")
    (pale,) = [bar for bar in found.all("rect") if "fill-opacity" in bar]
    assert pale["fill"] == f"#{INKS['conflated']}"
    ends = [float(pale["x"]), float(pale["x"]) + float(pale["width"])]
    assert [found.percent_across(x) for x in ends] == pytest.approx([72, 50 * (20 / 21 + 4 / 5)], abs=0.05)
    assert "-15.62" in found.words()


def test_documents_the_lowest_first(tmp_path: Path) -> None:
    """By hand, LEA of `b`: recall 1/3, precision 2/3, F1 4/9; all of `a` is found; `c` has no mention."""
    whole = ["(0)", "(0)", "(0)"]
    inputs = corpus(
        tmp_path, ("a", whole, whole), ("b", whole, ["(0)", "(0)", "(1)"]), ("c", ["-"] * 3, ["-"] * 3)
    )
    found = plotted("documents", tmp_path, inputs=inputs)
    assert sorted("abc", key=lambda name: found.place(name, "y")) == ["b", "a", "c"]
    squares = [one for one in found.all("rect")[1:] if one["fill"] == f"#{INKS['precision']}"]
    middles = [float(one["x"]) + float(one["width"]) / 2 for one in squares]
    assert [found.percent_across(x) for x in middles] == pytest.approx([200 / 3, 100], abs=0.05)
    dots = [found.percent_across(float(one["cx"])) for one in found.all("circle")]
    assert dots == pytest.approx([400 / 9, 100], abs=0.05)
    strokes = [one["points"] for one in found.all("polyline") if one["stroke"] == f"#{INKS['recall']}"]
    places = [found.percent_across(float(points.split(",")[0])) for points in strokes]
    assert places == pytest.approx([100 / 3, 100], abs=0.05)


def test_a_band_shows_the_interval_of_the_corpus(tmp_path: Path) -> None:
    found = plotted("documents", tmp_path, "--confidence=80", "--trials=50")
    ends = json.loads((tmp_path / "report.json").read_text("utf-8"))["confidence"]["metrics"]["lea"]["f1"]
    (band,) = [one for one in found.all("rect") if one["fill"] == f"#{INKS['many']}"]
    left, width = float(band["x"]), float(band["width"])
    expected = [100 * end for end in ends]
    assert [found.percent_across(x) for x in (left, left + width)] == pytest.approx(expected, abs=0.05)
    assert found.words()[1].endswith("Band: F1 of the corpus, 80 %.")
    assert "Band" not in plotted("documents", tmp_path).words()[1]


def test_of_many_documents_the_lowest_have_names(tmp_path: Path) -> None:
    many = [(f"d{i}", ["(0)", "(0)"], ["(0)", "(0)"]) for i in range(41)]
    found = plotted("documents", tmp_path, inputs=corpus(tmp_path, *many))
    assert len(found.all("circle")) == 41
    lowest = sorted(name for name, *_ in many)[:40]  # all have the same score
    assert [word for word in found.words() if word in {name for name, *_ in many}] == lowest
    assert found.words()[1].endswith("The 40 lowest have their names.")
    said = (found.root.find("{http://www.w3.org/2000/svg}desc").text or "").split(": ", 1)[1].split(", ")  # type: ignore[union-attr]
    names = sorted(name for name, *_ in many)
    assert said == [*(f"{name} 100.00" for name in names[:40]), "and 1 more"]


def test_the_waterfall_has_intervals() -> None:
    """A line below each bar: the ends of the score, and of each share behind what was gained before."""
    report = scorch2.errors(*EXAMPLE, confidence=80, trials=50)
    assert report.gain_intervals is not None
    assert report.report.confidence is not None
    last, ends = float(report.report.scores["conll"].f1), [report.report.confidence.intervals["conll"]["f1"]]
    for kind, share in report.shares.items():
        low, high = report.gain_intervals.shares[kind]["conll"] or (0, 0)
        ends.append((last + low, last + high))
        last += share["conll"] or 0
    found = Svg(ET.fromstring(report.image("errors")))  # noqa: S314 - our own
    lines = [one["points"].split() for one in found.all("polyline") if one["stroke"] == f"#{INKS['text']}"]
    drawn = [[found.percent_across(float(point.split(",")[0])) for point in line] for line in lines]
    expected = [[100 * min(end, 1) for end in pair or ()] for pair in ends]
    assert drawn == [pytest.approx(pair, abs=0.05) for pair in expected]
    assert any("a line is an interval of 80 %" in word for word in found.words())


def test_a_figure_for_a_column_is_3_3_inches_wide_with_letters_of_8_points(tmp_path: Path) -> None:
    plots = [f"--plot={name},width=column:{tmp_path / name}.svg" for name in DRAWN]
    words = ["--types=english", "--genre=(.)", "-o", str(tmp_path / "report.json"), *EXAMPLE]
    assert main(["errors", "-q", *plots, *words]) == 0
    for name in DRAWN:
        found = Svg(ET.fromstring((tmp_path / f"{name}.svg").read_text("utf-8")))  # noqa: S314 - our own
        width = float(found.root.attrib["viewBox"].split()[2])
        assert found.root.attrib["width"].endswith("pt")
        points = float(found.root.attrib["width"].removesuffix("pt"))
        assert points == pytest.approx(3.3 * 72, abs=0.1)
        assert float(found.root.attrib["font-size"]) * points / width == pytest.approx(8, abs=0.01)
        assert outside(found, width) == [], name


def outside(found: Svg, width: float) -> list[str]:
    """Return the words that leave a drawing, if letters are 0.6 of their height wide, as in DejaVu Sans."""
    left_of = {"start": 0.0, "middle": 0.5, "end": 1.0}
    words = []
    for one in found.root.iter("{http://www.w3.org/2000/svg}text"):
        room = 0.6 * 11 * len(one.text or "")
        left = float(one.attrib["x"]) - left_of[one.attrib["text-anchor"]] * room
        words += [one.text or ""] if left < -1 or left + room > width + 1 else []
    return words


def test_counts_have_room() -> None:
    """In a column counts of eight classes are 33 units apart: five digits are said in thousands."""
    assert [fitting(12345, room) for room in (36, 33)] == ["12345", "12k"]


def test_without_title_a_figure_has_neither_title_nor_caption(tmp_path: Path) -> None:
    with_title = plotted("errors", tmp_path).words()
    path = tmp_path / "x.svg"
    words = ["-o", str(tmp_path / "report.json"), *EXAMPLE]
    assert main(["errors", "-q", f"--plot=errors,title=none:{path}", *words]) == 0
    found = Svg(ET.fromstring(path.read_text("utf-8")))  # noqa: S314 - our own
    assert found.words() == with_title[2:]
    assert found.root.findtext("{http://www.w3.org/2000/svg}title") == with_title[0]
    report = scorch2.errors(*EXAMPLE)
    assert report.image("errors", title="none") == path.read_bytes()
    sizes = [report.image("errors", "pdf", width=width) for width in ("page", "column")]
    boxes = [re.search(rb"MediaBox \[ 0 0 ([\d.]+)", size) for size in sizes]
    assert [float(box[1]) for box in boxes if box] == pytest.approx([640, 237.6], abs=0.1)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("errors,width=wide", 'unknown width of a figure "wide" (known: page, column)'),
        ("errors,title=x", 'unknown title of a figure "x"'),
        ("errors,size=1", 'unknown setting of --plot=errors "size"'),
    ],
)
def test_unknown_settings_are_refused(spec: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", f"--plot={spec}:x.svg", *EXAMPLE]) == 2
    assert message.partition(" (")[0] in capsys.readouterr().err


def test_forty_documents_have_names(tmp_path: Path) -> None:
    many = [(f"d{i}", ["(0)", "(0)"], ["(0)", "(0)"]) for i in range(40)]
    found = plotted("documents", tmp_path, inputs=corpus(tmp_path, *many))
    assert {name for name, *_ in many} <= {*found.words()}


def test_length_is_logarithmic(tmp_path: Path) -> None:
    """Documents of 10, 100 and 1000 tokens stand equally far apart."""
    inputs = corpus(
        tmp_path,
        *((f"d{n}", ["(0)", "(0)", *"-" * (n - 2)], ["(0)", "(0)", *"-" * (n - 2)]) for n in (10, 100, 1000)),
    )
    found = plotted("length", tmp_path, inputs=inputs)
    first, second, third = sorted(float(one["cx"]) for one in found.all("circle"))
    assert second - first == pytest.approx(third - second, abs=0.02)
    for words, x in (("10", first), ("100", second), ("1000", third)):
        if words != "100":  # which stands at both axes
            assert found.place(words, "x") == pytest.approx(x, abs=0.02)
    assert [one["cy"] for one in found.all("circle")] == [found.all("circle")[0]["cy"]] * 3
    assert "over tokens" in found.words()[1]
    names = [str(ROOT / "fixtures" / "example" / side) for side in ("gold", "sys")]
    assert "over gold mentions" in plotted("length", tmp_path, inputs=names).words()[1]


@pytest.mark.parametrize("name", ["distance", "sentences", "mentions"])
def test_shares_of_links_by_class(name: str, tmp_path: Path) -> None:
    found = plotted(name, tmp_path, f"--by={name}")
    rows = json.loads((tmp_path / "report.json").read_text("utf-8"))["breakdown"][name]
    rows = [
        row for row in rows if sum(row["links"]["recall"].values()) + sum(row["links"]["precision"].values())
    ]
    unnamed = sorted({row["class"] for row in rows} - set(found.words()))
    assert unnamed == [], f"--plot={name} does not name these classes of the report"
    for side, marks, key in (("recall", found.all("circle"), "cy"), ("precision", found.all("rect"), "y")):
        expected = [
            100 * row["links"][side]["found"] / sum(row["links"][side].values())
            for row in rows
            if sum(row["links"][side].values())
        ]
        size = 3.5 if side == "precision" else 0
        inked = [one for one in marks if one.get("fill") == f"#{INKS[side]}"]
        places = [float(one[key]) + size for one in inked[1:]]  # the first is in the key
        wrong = f"--plot={name}: marks of {side} are not at the shares of found links in the report"
        assert [found.percent_up(y) for y in places] == pytest.approx(expected, abs=0.3), wrong
    counts = [one for one in found.all("rect") if one.get("fill") == f"#{INKS['many']}"]
    totals = [sum(row["links"][side].values()) for row in rows for side in ("recall", "precision")]
    heights = [float(one["height"]) for one in counts]
    assert heights == pytest.approx([48 * total / max(totals) for total in totals], abs=0.01)
    feet = {round(float(one["y"]) + float(one["height"]), 1) for one in counts}
    assert len(feet) == 1, "bars of counts begin at one line, below the axis of percentages"
    assert feet.pop() - 48 > found.place("0", "y", "end")
    assert {str(total) for total in totals} <= {*found.words()}
    dashed = [one for one in found.all("polyline") if "stroke-dasharray" in one]
    assert dashed, f"--plot={name}: the line of precision must be dashed, for readers without colours"


def test_parts_of_bars_add_up(tmp_path: Path) -> None:
    found = plotted("type", tmp_path, "--by=type", "--types=english")
    rows = json.loads((tmp_path / "report.json").read_text("utf-8"))["breakdown"]["type"]
    parts = [
        (status, 100 * number / sum(row["links"][side].values()))
        for row in rows
        for side in ("recall", "precision")
        for status, number in row["links"][side].items()
        if number
    ]
    bars = found.all("rect")[1 + 1 + len(KINDS) :]
    inks = [f"#{INKS[status]}" for status, _ in parts]
    assert [bar["fill"] for bar in bars] == inks, "bars are not coloured by what became of their links"
    widths = [
        found.percent_across(float(bar["x"]) + float(bar["width"])) - found.percent_across(float(bar["x"]))
        for bar in bars
    ]
    shares = [share for _, share in parts]
    assert widths == pytest.approx(shares, abs=0.2), "bars are not as wide as their shares of the links"
    assert {kind.look.mark for kind in KINDS.values()} < {*found.words()}


@pytest.mark.parametrize(
    ("name", "title"), [("size", "entity size"), ("mentions", "mentions in between"), ("text", "text")]
)
def test_titles_say_what_links_are_told_by(name: str, title: str, tmp_path: Path) -> None:
    assert plotted(name, tmp_path).words()[0] == f"Link outcomes by {title}"


def test_what_is_drawn_is_not_added_to_the_report(tmp_path: Path) -> None:
    plotted("size", tmp_path)
    with_plot = (tmp_path / "report.json").read_bytes()
    assert main(["errors", "-q", "-o", str(tmp_path / "plain.json"), *EXAMPLE]) == 0
    plain = (tmp_path / "plain.json").read_bytes()
    assert with_plot == plain, "--plot=size changes the report, which --by=size alone should"


@pytest.mark.parametrize("figure", [["documents"], ["genre", "--genre=(?s)(.*)"]])
def test_names_are_text(figure: list[str], tmp_path: Path) -> None:
    lines = [
        json.dumps({"doc_key": ident, "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]})
        for ident in (*HOSTILE, "other")
    ]
    paths = [str(tmp_path / f"{side}.jsonl") for side in ("gold", "sys")]
    for path in paths:
        Path(path).write_text("\n".join(lines), encoding="utf-8")
    images = [tmp_path / f"x.{suffix}" for suffix in SUFFIXES]
    plots = [f"--plot={figure[0]}:{image}" for image in images]
    assert main(["errors", "-q", *figure[1:], *plots, "-o", str(tmp_path / "r.json"), *paths]) == 0
    text = images[0].read_text("utf-8")
    root = ET.fromstring(text)  # noqa: S314 - our own
    tags = {one.tag.partition("}")[2] for one in root.iter()}
    harmless = {"svg", "title", "desc", "rect", "polyline", "circle", "text", "pattern", "path", "metadata"}
    assert tags <= harmless, "a name adds an element to the figure"
    acting = [key for one in root.iter() for key in one.attrib if key.startswith("on") or "href" in key]
    assert not acting, "a name adds an attribute that acts"
    controls = [letter for letter in text if not (letter.isprintable() or letter == "\n")]
    assert not controls, "control characters of a name are in the file as they are"
    lacking = [name for name in HOSTILE if not any(word[:1] == name[:1] for word in Svg(root).words())]
    assert lacking == [], "these names are not in the figure"


def test_a_name_is_cut_to_its_columns(tmp_path: Path) -> None:
    inputs = corpus(tmp_path, *((name, ["(0)", "(0)"], ["(0)", "(0)"]) for name in ("x" * 300, "y")))
    assert "x" * 13 + "…" + "x" * 12 in plotted("documents", tmp_path, inputs=inputs).words()


def test_a_system_without_a_link_is_drawn(tmp_path: Path) -> None:
    inputs = corpus(tmp_path, ("d", ["(0)", "-"], ["-", "(0)"]))
    for name in DRAWN:
        genre = ["--genre=(.)"] if name == "genre" else []
        found = plotted(name, tmp_path, "--types=english", *genre, inputs=inputs)
        assert found.words()[0], f"--plot={name} of a system without a link has no title"
    assert "0/0" in plotted("errors", tmp_path, "-m", "muc", inputs=inputs).words()


REFUSED = [
    (["--plot=erors:x.svg"], 'unknown figure "erors", did you mean errors?'),
    (["--plot=errors"], 'takes a file called .svg, .png, .pdf, not ""'),
    (["--plot=errors:x.jpg"], 'takes a file called .svg, .png, .pdf, not "x.jpg"'),
    (["--plot=errors:-"], "takes a file called"),
    (["--plot=errors:x.svg", "--plot=length:./x.svg"], "two outputs go to x.svg"),
    (["--plot=errors:x.svg", "-o", "x.svg"], "x.svg"),
    (["--plot=errors:none/x.svg"], "no such folder"),
    (["--plot=documents:x.svg", "-m", "muc"], "--plot=documents shows LEA: add lea to -m"),
    (["--plot=type:x.svg"], "--plot=type needs them"),
    (["--plot=genre:x.svg"], "does not name its genre"),
]


@pytest.mark.parametrize(("words", "message"), REFUSED)
def test_what_makes_no_sense_is_refused_and_nothing_is_written(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["errors", *words, *EXAMPLE]) == 2
    done = capsys.readouterr()
    assert message in done.err
    assert all(line.startswith("scorch2: error: ") for line in done.err.splitlines())
    assert done.out == ""
    assert list(tmp_path.iterdir()) == []


def test_documents_are_not_replaced_by_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.svg"
    path.write_text(document("d", "w\t(0)"), encoding="utf-8")
    assert main(["errors", f"--plot=errors:{path}", *EXAMPLE]) == 2
    assert "looks like conll" in capsys.readouterr().err
    assert main(["errors", "-q", "--force", f"--plot=errors:{path}", *EXAMPLE]) == 0
    for suffix in SUFFIXES:  # a figure replaces a figure
        for _ in range(2):
            assert main(["errors", "-q", f"--plot=errors:{tmp_path / 'again'}.{suffix}", *EXAMPLE]) == 0


def test_without_matplotlib_only_svg_is_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    plotted("errors", tmp_path)
    for suffix in ("png", "pdf"):
        path = tmp_path / f"x.{suffix}"
        assert main(["errors", f"--plot=errors:{tmp_path / 'y.svg'}", f"--plot=errors:{path}", *EXAMPLE]) == 2
        assert "pip install matplotlib (svg needs nothing else)" in capsys.readouterr().err
        assert not path.exists()
    assert not (tmp_path / "y.svg").exists()


def luminance(ink: str) -> float:
    """The relative luminance of a colour, as WCAG 2.1 defines it."""
    parts = [int(INKS[ink][i : i + 2], 16) / 255 for i in (0, 2, 4)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_kinds_have_the_colours_of_the_page() -> None:
    light = dict(re.findall(r"--(\w+): #([0-9a-f]{6});", page_style().partition("@media")[0]))
    names = [*KINDS, "found"]
    other = [name for name in names if INKS[name] != light[name]]
    assert other == [], "these kinds of error have another colour on the page than in figures"


def test_marks_and_words_can_be_read() -> None:
    assert contrast("light", "light") == 1
    told = "a contrast below 4.5 : 1 (WCAG 2.1) is hard to read: take another ink"
    for kind in KINDS:
        *_, label = marked(Bar(0, 0, 40, 16, kind))
        assert contrast(label.ink, kind) >= 4.5, f"words on bars of {kind}: {told}"
    for ink in ("text", "pale"):
        assert contrast(ink, "light") >= 4.5, f"{ink} on the ground: {told}"


def test_every_dimension_has_a_figure_and_every_figure_a_function() -> None:
    lacking = [name for name in DIMENSIONS if name not in FIGURES]
    assert lacking == [], "--by takes a dimension that --plot cannot draw: add it to FIGURES"
    for name, row in {**FIGURES, **COMPARED}.items():
        assert callable(getattr(charts, row.function, None)), f"the row {name} of figures names no function"
