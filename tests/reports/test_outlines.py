"""The shape of whole outputs of any version, which a new report may replace, and of nothing else."""

import io
from pathlib import Path

import pytest
from effort import assert_in_proportion
from every import every

from scorch2.cli.main import main
from scorch2.formats.recognition import recognised
from scorch2.model.forms import FORMS
from scorch2.reports.outlines import JUDGES, is_report
from scorch2.tasks.linking.measures import MEASURES

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
OUTPUTS = sorted(path for path in FIXTURES.glob("versions/*/**/*") if path.is_file())
OURS = (
    *("linking/*/expected.tab", "example/baseline.json", "example/runs/*.tab", "leaderboards/*/team*.tab"),
    *("leaderboards/compose-01/in.tab", "reports/expected/*"),
)
"""The other fixtures that have the shape of an output: rows of neleval, a baseline, expected reports."""
NOTE = "notes of mine"


def judged(text: str) -> bool:
    return is_report(io.BytesIO(text.encode()))


@every("path", OUTPUTS)
def test_what_any_version_wrote_is_ours_and_with_other_text_it_is_not(path: Path) -> None:
    assert recognised(str(path)) is None
    text = path.read_text("utf-8")
    assert judged(text)
    lines = text.splitlines()
    for place in {0, 1, len(lines) // 2, len(lines) - 1, len(lines)}:
        assert not judged("\n".join([*lines[:place], NOTE, *lines[place:], ""])), place
        paragraphs = [*lines[:place], "", f"My {NOTE}, see <b>below</b>.", "", *lines[place:], ""]
        assert not judged("\n".join(paragraphs)), place


@every(
    "name",
    [
        *(
            "muc",
            "success_rate",
            "overlap",
            "overlap_muc",
            "sets::span+type",
            "overlap-maxsum:is_linked:span",
        ),
        *MEASURES,
        *(f"{name}-micro" for name in MEASURES),
    ],
)
def test_lines_for_scripts_may_name_the_measures_of_all_tasks(name: str) -> None:
    """A rate has no precision and no F1."""
    for numbers in ("Recall: 50.00  Precision: 37.50  F1: 42.86", "Recall: 50.00"):
        assert judged(f"{name}\n{numbers}\n"), f"let _OF_LINKING in scorch2/reports/outlines.py know {name}"
        assert not judged(f"{name}\n{numbers}\nmy_{name}\n{numbers}\n")
    assert not judged(f"{name}\n")


def test_every_form_says_its_shape_and_every_version_has_outputs() -> None:
    lacking = {name: row.shape for name, row in FORMS.items() if row.shape not in JUDGES}
    assert lacking == {}, "describe the lines of this shape in SHAPES of scorch2/reports/outlines.py"
    suffixes = {path.suffix.removeprefix(".") for path in OUTPUTS}
    without = sorted({*FORMS} - suffixes - {"none", "scores", "flat"})  # these are newer than the versions
    assert without == [], "add an output of the form to fixtures/versions; a new form is one of those above"
    assert {path.parts[-3] for path in OUTPUTS if path.parent.name == "forms"} == {"1.0.0", "1.1.0", "1.2.0"}


def test_of_all_fixtures_only_outputs_are_replaced() -> None:
    ours = {path for pattern in OURS for path in FIXTURES.glob(pattern)} | {*OUTPUTS}
    taken = set()
    for path in FIXTURES.rglob("*"):
        if path.is_file() and path.stat().st_size and recognised(str(path)) is None:
            with path.open("rb") as stream:
                taken |= {path} if is_report(stream) else set()
    assert taken <= ours
    assert taken >= {*OUTPUTS, FIXTURES / "example" / "baseline.json"}


@every(
    "text",
    [
        "[The ferry](#c1) left [it](#c2)\n",
        "[The ferry]_1 left [it]_1\n",
        "<m>The ferry</m>#1 left <m>it</m>#1\n",
        "<e1>Tom</e1> saw <e2>her</e2>\n",
        "Sure! Here it is: [The ferry]1 left [it]1\n",
        "No one saw [her](#1).\n",
        '{"id":"d","text":"[Tom]_1 x"}\n',
        '{"id":"d","text":"[Tom](#cluster_1) x"}\n',
        "@article{x}\n",
        "@inproceedings{mine-2020,\n  title = {{Mine}},\n",
        "# My project\n\nScores: see below.\n",
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n",
        "Scores are bad.\n",
        "name\tvalue\nx\t1\n",
        "document\tstart\tend\nd\t0\t1\n",
        '{"my": "settings"}\n',
        "<html><body>\n",
        "\\documentclass{article}\n",
        "MUC:\tR=0.5\tP=0.5\tF₁=0.5\nnotes of mine\n",
        "Flour: 500\nEggs: 3\nSugar: 120.5\n",
        "The rate: nan\n",
        "1\tmuc\n2\tcat\n",
        "apple\ta\tb\tc\t1\t2\n",
        "\\begin{table}\n\\toprule\nTeam & Points \\\\\n\\bottomrule\n\\end{table}\n",
        "rank\tname\tscore\n1\tAnn\t12\n",
        "label\tscore\tremark\nx\t1\tmy own words\n",
        "| Name | score |\n|---|---|\n| Ann | 12 |\n",
        "| document | annotator |\n|---|---|\n| d1 | Ann |\n",
        '{"schema": 1, "version": 2, "settings": [1, 2, 3]}\n',
        '{"extra": "all my notes"}\n',
        '[{"label": "x", "document": "d", "gold": "g", "system": "s"}]\n',
        '[{"level": 1, "kind": "k", "document": "d"}]\n',
        '{"document": "d", "x": 1}\n{"document": null, "y": 2}\n',
        "The hall holds: 12 people\nAnn: yes\nBob: no\n",
        "shopping\nmilk\neggs\nCoNLL score: 5\n",
        "::notice title=x::hello\n",
        "METRIC x:\nTotal of all: 3\n(me)\n",
        "% my own notes\n",
    ],
)
def test_what_others_wrote_is_kept(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    gold = str(FIXTURES / "example" / "gold.conll")
    Path("out").write_text(text, "utf-8")
    assert main(["-q", gold, gold, "out"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("scorch2: error: out: looks like ")
    assert "not like a report (--force replaces it)" in err
    assert Path("out").read_text("utf-8") == text


@pytest.mark.parametrize("form", ["table", "tsv", "markdown", "latex"])
@pytest.mark.parametrize("by", ["size", "position", "mentions"])
def test_tables_of_classes_are_ours(form: str, by: str, tmp_path: Path) -> None:
    out, example = tmp_path / "out", FIXTURES / "example"
    words = ["-q", f"--by={by}", f"--format={form}", str(example / "gold"), str(example / "sys"), str(out)]
    assert main(words) == 0
    with out.open("rb") as stream:
        assert is_report(stream)


@pytest.mark.parametrize("found", ["holds: 210 numbers only", "differs: 1 other value, 3 of 210 numbers"])
def test_what_verify_says_is_ours(found: str) -> None:
    below = '"d": 18 numbers, muc.recall: 0.5 stored, 1 now\n… and 3 more (-f json has all)\n'
    assert judged(f"r.json {found}\n{below}")


def test_the_six_lines_of_scorch_are_a_report() -> None:
    lines = [f"{name}:\tR=0.5\tP=0.25\tF₁=0.3333333333333333\n" for name in ("MUC", "B³", "CEAF_m", "CEAF_e")]
    last = ["BLANC:\tR=0.5\tP=0.5\tF₁=0.5\n", "CoNLL-2012 average score: 0.3333333333333333\n"]
    assert judged("".join([*lines, *last]))
    assert not judged("".join([*lines, "\n", "She left.\n", *last]))


@pytest.mark.parametrize("line", ["a b c\n", '"x", ', "[1, ", "MUC:\tR=0.5\tP=0.5\tF₁=0.5\n", "<p>", "x"])
def test_a_large_file_is_judged_in_proportion(line: str) -> None:
    def judge(number: int) -> None:
        judged(("[" if line[-2:] == ", " else "") + line * number)

    assert_in_proportion(judge, 1000)


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_a_figure_is_known_by_our_name(
    suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if suffix != "svg":
        pytest.importorskip("matplotlib")
    image, gold = tmp_path / f"x.{suffix}", str(FIXTURES / "example" / "gold.conll")
    words = ["errors", "-q", f"--plot=errors:{image}", gold, gold]
    assert main(words) == 0
    assert main(words) == 0
    image.write_bytes(image.read_bytes() + b"more\n")
    assert main(words) == 2
    assert "not like a report" in capsys.readouterr().err


def test_a_summary_of_github_is_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, gold = tmp_path / "summary.md", str(FIXTURES / "example" / "gold.conll")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(page))
    page.write_text("# Of another step\n", "utf-8")
    assert main(["-q", f"--report=github:{page}", gold, gold]) == 0
    assert page.read_text("utf-8").startswith("# Of another step\n")
    assert len(page.read_text("utf-8")) > 100
