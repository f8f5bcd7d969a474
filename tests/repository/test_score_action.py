"""The GitHub action: its script turns inputs into words, files and outputs, and lets no input add any."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ACTION = ROOT / ".github" / "actions" / "score"
EXAMPLE = ROOT / "fixtures" / "example"
pytestmark = pytest.mark.skipif(os.name == "nt", reason="the script of the action is made for bash")


class Action:
    """Runs the script as a runner does, in an empty folder, with this scorch2 on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.work = folder / "work"
        self.work.mkdir()
        (folder / "bin").mkdir()
        program = folder / "bin" / "scorch2"
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m scorch2 "$@"\n', "utf-8")
        program.chmod(0o755)

    def __call__(self, **inputs: str) -> tuple[int, dict[str, str], str]:
        """Return the exit status, the outputs and what was written to standard error."""
        path = self.folder / "outputs"
        path.write_text("")
        given = {"gold": str(EXAMPLE / "gold"), "system": str(EXAMPLE / "sys"), **inputs}
        done = subprocess.run(
            ["bash", str(ACTION / "score.sh")],  # noqa: S607 - as the action calls it
            cwd=self.work,
            env={
                **{name: value for name, value in os.environ.items() if not name.startswith("GITHUB_")},
                **{f"SCORCH2_{name.upper()}": value for name, value in given.items()},
                "PATH": f"{self.folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT),
                "GITHUB_OUTPUT": str(path),
            },
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        pairs = [line.partition("=") for line in path.read_text("utf-8").splitlines()]
        assert len({name for name, _, _ in pairs}) == len(pairs)
        return done.returncode, {name: value for name, _, value in pairs}, done.stderr

    def first(self, **inputs: str) -> tuple[int, dict[str, str], str]:
        """Run where the workflow lets a run make the first baseline."""
        return self(**inputs, first_baseline="true")

    def files(self, folder: str) -> list[str]:
        """Return what a folder holds, but for the list of what the action has made."""
        return sorted(name for name in os.listdir(self.work / folder) if name != ".scorch2-made")


@pytest.fixture
def action(tmp_path: Path) -> Action:
    return Action(tmp_path)


# What it leaves


def test_it_leaves_reports_and_says_where(action: Action) -> None:
    status, outputs, _ = action(options="--fail-under=conll=0.5\n\n-m=conll\n".replace("-m=", "--metric="))
    assert (status, outputs) == (
        0,
        {"passed": "true", "reports": "scorch2-reports", "markdown": "scorch2-reports/report.md"},
    )
    assert action.files("scorch2-reports") == ["report.json", "report.md", "report.xml"]


def test_a_failed_gate_leaves_reports_too(action: Action) -> None:
    status, outputs, _ = action.first(options="--fail-under=conll=0.99", baseline="scores/base.json")
    assert (status, outputs["passed"], "baseline" in outputs) == (1, "false", False)
    assert action.files("scorch2-reports") == ["report.json", "report.md", "report.xml"]
    assert action.files("scores") == []


def test_the_page_that_the_guide_adds_is_among_the_reports(action: Action) -> None:
    guide = (ROOT / "scorch2" / "guide" / "ci.md").read_text("utf-8")
    line = guide.partition("With the line `")[2].partition("`")[0]
    status, outputs, _ = action(options=f"--fail-under=conll=0.99\n{line}")
    assert (status, outputs["reports"]) == (1, "scorch2-reports")
    assert action.files("scorch2-reports") == ["errors.html", "report.json", "report.md", "report.xml"]


def test_a_gate_that_only_lists_its_verdict_has_not_passed(action: Action) -> None:
    options = "--fail-under=conll=0.99\n--exit-zero"
    assert action.first(baseline="base.json")[0] == 0
    status, outputs, err = action(options=options, baseline="base.json")
    assert "FAILED" in err
    assert (status, outputs["passed"], "baseline" in outputs) == (0, "false", False)
    assert action(options="--exit-zero", baseline="base.json")[1]["passed"] == "true"


def test_a_document_is_not_taken_for_a_verdict(action: Action) -> None:
    name = '"passed": false'
    lines = [{"doc_key": key, "clusters": [[[0, 0], [1, 1]]]} for key in (name, "other")]
    (action.work / "gold.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")
    status, outputs, _ = action(gold="gold.jsonl", system="gold.jsonl", options="--fail-under=conll=0.99")
    report = json.loads((action.work / "scorch2-reports" / "report.json").read_text("utf-8"))
    assert name in [document["id"].removeprefix("gold/") for document in report["documents"]]
    assert (status, outputs["passed"]) == (0, "true")


def test_an_error_leaves_none_even_of_an_earlier_run(action: Action) -> None:
    assert action()[0] == 0
    status, outputs, _ = action(gold="nowhere")
    assert (status, outputs) == (2, {"passed": "false"})
    assert action.files("scorch2-reports") == []


# The baseline on its way into the repository


def test_the_first_baseline_is_among_the_reports_under_its_name(action: Action) -> None:
    status, outputs, _ = action.first(baseline="scores/base.json")
    assert (status, outputs["baseline"]) == (0, "scorch2-reports/base.json")
    made = (action.work / "scores" / "base.json").read_text("utf-8")
    assert (action.work / "scorch2-reports" / "base.json").read_text("utf-8") == made
    assert json.loads(made)["schema"] == 1


def test_a_later_report_can_become_the_baseline(action: Action) -> None:
    assert action.first(baseline="base.json")[0] == 0
    old = (action.work / "base.json").read_bytes()
    status, outputs, _ = action(
        baseline="base.json", system=str(EXAMPLE / "gold"), options="--max-drop=conll=1%"
    )
    assert (status, outputs["baseline"]) == (0, "scorch2-reports/base.json")
    assert (action.work / "base.json").read_bytes() == old
    reports = action.work / "scorch2-reports"
    assert (reports / "base.json").read_bytes() == (reports / "report.json").read_bytes() != old
    assert action(baseline="scorch2-reports/base.json", options="--max-drop=conll=50%")[0] == 0


def test_a_failed_run_leaves_no_baseline_of_an_earlier_one(action: Action) -> None:
    assert action.first(baseline="scores/base.json")[0] == 0
    assert "base.json" in action.files("scorch2-reports")
    assert action(baseline="scores/base.json", options="--fail-under=conll=0.99")[0] == 1
    assert action.files("scorch2-reports") == ["report.json", "report.md", "report.xml"]
    assert action.files("scores") == ["base.json"]


@pytest.mark.parametrize("baseline", ["", "scores/gold.json"])
def test_an_input_among_the_reports_is_not_replaced(baseline: str, action: Action) -> None:
    name = baseline.rpartition("/")[2] or "report.json"
    gold = action.work / name
    gold.write_bytes((EXAMPLE / "gold" / "harbour-000.json").read_bytes())
    old = gold.read_bytes()
    status, outputs, err = action(reports=".", gold=name, baseline=baseline)
    assert (status, outputs, gold.read_bytes() == old) == (2, {"passed": "false"}, True)
    assert "its input" in err


def test_a_baseline_among_the_reports_is_not_replaced(action: Action) -> None:
    assert action.first(reports="here", baseline="here/base.json")[0] == 0
    old = (action.work / "here" / "base.json").read_bytes()
    assert action(reports="here", baseline="here/base.json", system=str(EXAMPLE / "gold"))[0] == 0
    assert (action.work / "here" / "base.json").read_bytes() == old


@pytest.mark.parametrize("name", ["report.md", "report.xml"])
def test_a_baseline_called_like_another_report_is_refused(name: str, action: Action) -> None:
    status, outputs, err = action.first(baseline=f"scores/{name}")
    assert (status, outputs, (action.work / "scorch2-reports").exists()) == (2, {"passed": "false"}, False)
    assert f"called like a report of this run, {name}" in err


def test_an_option_and_its_value_are_one_word_on_a_line(action: Action) -> None:
    status, outputs, _ = action(options="-o  x.json\n-f json\n--fail-under  conll=0.5\n--gold-files=*.json")
    assert (status, outputs["passed"]) == (0, "true")
    assert json.loads((action.work / "x.json").read_text("utf-8"))["gates"][0]["passed"]
    assert sorted(os.listdir(action.work)) == ["scorch2-reports", "x.json"]
    assert action(options="-v x.json")[0] == 2, "an option without a value adds no path"


def test_the_report_itself_cannot_be_the_baseline(action: Action) -> None:
    assert action(reports="here")[0] == 0
    status, outputs, err = action(reports="here", baseline="here/report.json")
    assert (status, outputs) == (2, {"passed": "false"})
    assert "give it another name" in err
    assert "report.json" in action.files("here")


def test_a_baseline_that_was_deleted_fails(action: Action) -> None:
    """Else a pull request could pass every gate on drops."""
    assert action.first(baseline="scores/base.json")[0] == 0
    (action.work / "scores" / "base.json").unlink()
    options = "--max-drop=conll=1%"
    status, outputs, err = action(baseline="scores/base.json", options=options)
    assert (status, outputs) == (2, {"passed": "false"})
    assert "there is no scores/base.json (first_baseline: true lets a run make it)" in err
    status, outputs, _ = action.first(baseline="scores/base.json", options=options)
    assert (status, outputs["passed"]) == (0, "true")


# What it did not make stays


@pytest.mark.parametrize("name", ["report.json", "report.md", "report.xml", "base.json"])
def test_a_file_at_the_place_of_a_report_is_kept(name: str, action: Action) -> None:
    assert action.first(baseline="scores/base.json")[0] == 0
    kept = action.work / "scorch2-reports" / name
    kept.write_text("written by somebody else", "utf-8")
    before = action.files("scorch2-reports")
    for gold in (str(EXAMPLE / "gold"), "nowhere"):
        status, outputs, err = action(baseline="scores/base.json", gold=gold)
        assert (status, outputs) == (2, {"passed": "false"})
        assert f"scorch2-reports/{name} is there already, and is no report of this action" in err
        assert kept.read_text("utf-8") == "written by somebody else"
        assert action.files("scorch2-reports") == before


@pytest.mark.parametrize("status", [0, 2])
def test_a_gold_document_that_is_called_like_a_report_is_kept(status: int, action: Action) -> None:
    gold = action.work / "gold"
    gold.mkdir()
    document = gold / ("report.json" if status else "d.json")
    document.write_bytes((EXAMPLE / "gold" / "harbour-000.json").read_bytes())
    old = document.read_bytes()
    given = {"gold": "gold", "system": "gold"}
    assert action(**given, reports="gold" if status else "out")[0] == status
    assert (os.listdir(gold), document.read_bytes()) == ([document.name], old)


def test_a_link_among_the_reports_is_not_followed(action: Action) -> None:
    (action.work / "settings").write_text("mine", "utf-8")
    (action.work / "scorch2-reports").mkdir()
    (action.work / "scorch2-reports" / "report.md").symlink_to("../settings")
    assert action()[0] == 2
    assert (action.work / "settings").read_text("utf-8") == "mine"


# Inputs that mislead


@pytest.mark.parametrize("options", ["--help", "-h", "--version", "--fail-under=conll=0.99\n--help"])
def test_what_was_not_scored_has_not_passed(options: str, action: Action) -> None:
    status, outputs, err = action(options=options)
    assert (status, outputs) == (2, {"passed": "false"})
    assert "nothing was scored" in err


@pytest.mark.parametrize("name", ["reports", "baseline"])
@pytest.mark.parametrize("path", ["out\npassed=true", "out\rx", "a\x1bb"])
def test_a_line_break_in_a_path_adds_no_output(name: str, path: str, action: Action) -> None:
    status, outputs, err = action(gold="nowhere", **{name: path})
    assert (status, outputs) == (2, {"passed": "false"})
    assert "cannot hold a line break" in err


def test_a_path_that_begins_with_a_dash_is_a_path(action: Action) -> None:
    status, outputs, _ = action.first(reports="-x", baseline="-y/base.json")
    assert (status, outputs["markdown"], outputs["baseline"]) == (0, "./-x/report.md", "./-x/base.json")
    assert action.files("-x") == ["base.json", "report.json", "report.md", "report.xml"]
    assert action.files("-y") == ["base.json"]


def test_blanks_around_an_option_mean_nothing(action: Action) -> None:
    status, _, err = action(options="  --fail-under=conll=0.99\t\r\n   \n\t--metric=conll  ")
    assert (status, "conll.f1 at least 0.99" in err) == (1, True)


@pytest.mark.parametrize("options", ["gate", "out.txt", "--", "-", "--metric=conll\nx --help", "# a comment"])
def test_a_line_that_is_no_option_is_refused(options: str, action: Action) -> None:
    status, outputs, err = action(options=options)
    assert (status, outputs) == (2, {"passed": "false"})
    assert "options:" in err
    assert not (action.work / "out.txt").exists()


def test_no_expression_stands_in_a_script() -> None:
    lines = (ACTION / "action.yml").read_text("utf-8").splitlines()
    found = [line for line in lines if "${{" in line]
    assert found
    assert all(re.fullmatch(r"\s+\w+: \$\{\{ [\w.]+ \}\}", line) for line in found)
    assert "${{" not in (ACTION / "score.sh").read_text("utf-8")
