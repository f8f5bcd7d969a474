"""The gate on the command line, on `score` and on stored reports: status, verdicts, reports in files."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from scorch2.cli.main import main

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "reports"
PAIR = (str(EXAMPLE / "gold"), str(EXAMPLE / "sys"))
CONLL = 0.6097400087710165
"""The CoNLL average of the example, from fixtures/reports/fractions.json."""


BEST = 1
"""The same of gold against itself, though MUC is 0/0 in the third document."""


class Run:
    """Runs the command in an empty folder."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self._capsys = capsys

    def __call__(self, *words: str) -> tuple[int, str, str]:
        status = main(list(words))
        out, err = self._capsys.readouterr()
        return status, out, err

    def files(self) -> list[str]:
        return sorted(os.listdir(self.folder))


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    return Run(tmp_path, capsys)


@pytest.fixture
def stored(run: Run) -> str:
    assert run("-f", "json", *PAIR, "stored.json")[0] == 0
    return "stored.json"


def better(run: Run) -> str:
    """Store a report of the perfect system."""
    assert run("-f", "json", PAIR[0], PAIR[0], "best.json")[0] == 0
    return "best.json"


# Status


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["--fail-under=conll=0.6"], 0),
        (["--fail-under=conll=60%", "--fail-under=muc.r=40"], 0),
        (["--fail-under=conll=0.61"], 1),
        (["--fail-under=conll=0.1", "--fail-under=muc.r=0.9"], 1),
        (["--fail-under-doc=b_cubed=0.6"], 0),
        (["--fail-under-doc=b_cubed=0.65"], 1),
        (["--fail-under=conll=0.61", "--exit-zero"], 0),
        (["--fail-under=conll=101"], 2),
        (["--fail-under=conll=abc"], 2),
        (["--fail-under=nothing=0.5"], 2),
    ],
)
def test_status(words: list[str], status: int, run: Run, stored: str) -> None:
    assert run(*words, *PAIR)[0] == status
    assert run("gate", *words, stored)[0] == status


def test_a_failed_gate_is_reported_beside_the_whole_report(run: Run) -> None:
    status, out, err = run("--fail-under=conll=0.62", "--fail-under=muc=0.5", *PAIR)
    assert status == 1
    assert out == run(*PAIR)[1]
    assert err.splitlines() == [
        "gate                            value   bound   margin",
        "conll.f1 at least 0.62 (62 %)  0.6097  0.6200  -0.0103  FAILED",
        "muc.f1 at least 0.5 (50 %)     0.6095  0.5000  +0.1095  passed",
        "scorch2: 1 of 2 gates failed",
    ]


def test_quiet_lists_failures_only(run: Run) -> None:
    err = run("-q", "--fail-under=conll=0.62", "--fail-under=muc=0.5", *PAIR)[2]
    assert "conll.f1" in err
    assert "muc.f1" not in err
    assert run("-q", "--fail-under=muc=0.5", *PAIR)[2] == ""


def test_the_gate_command_prints_the_verdicts(run: Run, stored: str) -> None:
    status, out, err = run("gate", "--fail-under=conll=0.62", stored)
    assert (status, err) == (1, "")
    assert out.splitlines()[2:] == [
        "conll.f1 at least 0.62 (62 %)  0.6097  0.6200  -0.0103  FAILED",
        "",
        "1 of 1 gate failed",
    ]
    assert run("gate", "-q", "--fail-under=conll=0.5", stored) == (0, "", "")


def test_the_gate_command_leaves_stdout_to_a_report(run: Run, stored: str) -> None:
    status, out, err = run("gate", "--fail-under=conll=0.62", "--report=json", stored)
    assert (status, json.loads(out)["gates"][0]["passed"]) == (1, False)
    assert "FAILED" in err


def test_what_is_gated_is_scored_too(run: Run) -> None:
    out = run("-m", "lea", "--fail-under=pairwise=0", *PAIR)[1]
    assert [line.split(":")[0] for line in out.splitlines()[:2]] == ["LEA", "Pairwise"]
    out = run("--profile=scorch", "--fail-under=lea=0", *PAIR)[1]
    assert [line.split(":")[0] for line in out.splitlines()][-2:] == ["LEA", "CoNLL-2012 average score"]


def test_a_failed_gate_still_writes_its_reports(run: Run) -> None:
    assert run("--fail-under=conll=0.62", "--report=json:a.json", *PAIR, "out.txt")[0] == 1
    assert run.files() == ["a.json", "out.txt"]


# Baselines


def test_a_drop_fails(run: Run) -> None:
    assert run(f"--baseline={better(run)}", "--max-drop=conll=0.1", *PAIR)[0] == 1
    assert run("--baseline=best.json", "--max-drop=conll=0.5", *PAIR)[0] == 0
    assert run("--baseline=best.json", "--max-drop-rel=conll=40%", *PAIR)[0] == 0
    assert run("--baseline=best.json", "--max-drop-rel=conll=39%", *PAIR)[0] == 1


def test_a_drop_that_is_not_significant_passes(run: Run) -> None:
    words = [f"--baseline={better(run)}", "--max-drop=conll=0.1", "--significant=0.05"]
    status, _, err = run(*words, *PAIR)
    assert (status, "passed; the drop is not significant, one-sided p = 0.125" in err) == (0, True)


def test_it_is_said_where_no_drop_can_be_significant(run: Run) -> None:
    words = [f"--baseline={better(run)}", "--max-drop=conll=0.1", "--significant=0.05"]
    why = "over 3 documents no drop can be significant with p <= 0.05: all of them pass"
    assert f"scorch2: warning: {why}\n" in run(*words, *PAIR)[2]
    assert "warning" not in run(*words[:2], "--significant=0.5", *PAIR)[2]


def test_text_of_a_report_cannot_write_to_the_terminal(run: Run, stored: str) -> None:
    value = json.loads((run.folder / stored).read_text())
    value["warnings"] = [{"code": "x", "document": "", "message": "hi\n::error::x\x1b[31m"}]
    (run.folder / stored).write_text(json.dumps(value))
    err = run("gate", "--fail-under=conll=0", stored)[2]
    assert err == "scorch2: warning: hi\\n::error::x\\x1b[31m\n"


def test_a_stream_that_is_taken_is_taken_by_any_name(run: Run, stored: str) -> None:
    out = run("gate", "--fail-under=conll=0", "--report=jsonl:/dev/stdout", stored)[1]
    assert all(json.loads(line) for line in out.splitlines())


def test_a_baseline_may_hold_other_metrics_too(run: Run) -> None:
    run("-f", "json", "-m", "conll", "-m", "pairwise", PAIR[0], PAIR[0], "best.json")
    words = ["--baseline=best.json", "--max-drop=conll=0.1", "--max-drop=pairwise=0.1", "--significant=0.05"]
    status, _, err = run(*words, "-m", "lea", *PAIR)
    assert (status, err.count("p = ")) == (0, 2)


def test_a_baseline_alone_shows_the_change(run: Run) -> None:
    out = run(f"--baseline={better(run)}", "-f", "markdown", "-m", "conll", *PAIR)[1]
    assert f"| CoNLL-2012 average score |  |  | 60.97 | {100 * (CONLL - BEST):+.2f} |  |  |" in out
    err = run(f"--baseline={better(run)}", "-m", "conll", *PAIR)[2]
    row = f"conll.f1 {CONLL:.4f} {BEST:.4f} {CONLL - BEST:+.4f}"
    assert [" ".join(line.split()) for line in err.splitlines()] == ["score value baseline change", row]


def test_update_baseline_loses_no_metric(run: Run) -> None:
    words = ["--baseline=base.json", "--max-drop=conll=0.1", "--update-baseline"]
    assert run(*words, *PAIR)[0] == 0
    kept = (run.folder / "base.json").read_bytes()
    status, out, err = run("-m", "conll", *words, *PAIR)
    why = "holds muc, b_cubed, ceaf_m, ceaf_e, blanc and 1 more, which this run lacks: the update"
    assert (status, out, err) == (2, "", f"scorch2: error: base.json: {why} would lose that (add -m)\n")
    assert (run.folder / "base.json").read_bytes() == kept


def test_update_baseline_stores_what_passed(run: Run, stored: str) -> None:
    words = ["--baseline=base.json", "--max-drop=conll=0.1", "--update-baseline"]
    assert run(*words, *PAIR)[0] == 0  # there was none
    assert (run.folder / "base.json").read_text() == (run.folder / stored).read_text()
    assert run(*words, PAIR[0], PAIR[0])[0] == 0  # better
    best = (run.folder / "base.json").read_text()
    assert best != (run.folder / stored).read_text()
    assert run(*words, *PAIR)[0] == 1  # worse: the baseline stays
    assert (run.folder / "base.json").read_text() == best
    assert run(*words, "--exit-zero", *PAIR)[0] == 0
    assert (run.folder / "base.json").read_text() == best


def test_the_gate_command_updates_too(run: Run, stored: str) -> None:
    words = ["--baseline=base.json", "--max-drop=conll=0.1", "--update-baseline"]
    assert run("gate", *words, stored)[0] == 0
    assert (run.folder / "base.json").read_text() == (run.folder / stored).read_text()


def test_without_a_baseline_drops_are_not_judged_and_that_is_said(run: Run) -> None:
    words = ["--baseline=base.json", "--max-drop=conll=0.1", "--max-drop=muc=0.1", "--update-baseline"]
    status, _, err = run(*words, *PAIR)
    why = "base.json: there is none yet, so 2 gates on drops cannot be judged"
    assert (status, err) == (0, f"scorch2: warning: {why}\n")
    (run.folder / "base.json").unlink()
    assert run("--strict", *words, *PAIR)[0] == 2
    assert run.files() == []


def test_a_baseline_that_is_undefined_is_none(run: Run) -> None:
    (run.folder / "lonely.json").write_text('{"type": "clusters", "clusters": {"a": ["m"]}}')
    run("-f", "json", "lonely.json", "lonely.json", "base.json")
    status, _, err = run("--baseline=base.json", "--max-drop=muc=0.1", "lonely.json", "lonely.json")
    assert (status, err) == (2, "scorch2: error: base.json: muc.f1 is 0/0: nothing to compare with\n")


def test_what_is_said_about_a_run_is_not_stored(run: Run) -> None:
    run("-f", "json", "--confidence=95", "--trials=10", *PAIR, "c.json")
    assert run("gate", "--strict", "--fail-under=conll=0", "c.json")[0] == 0


def test_a_link_to_the_baseline_stays_a_link(run: Run) -> None:
    (run.folder / "base.json").symlink_to("real.json")
    words = ["--baseline=base.json", "--max-drop=conll=0.1", "--update-baseline"]
    assert run("-f", "json", *PAIR, "real.json")[0] == 0
    assert run(*words, PAIR[0], PAIR[0])[0] == 0
    assert (run.folder / "base.json").is_symlink()
    assert json.loads((run.folder / "real.json").read_text())["scores"]["conll"]["f1"] == pytest.approx(BEST)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--average=macro"], "best.json: not comparable: average is macro here and mentions there"),
        (["--singletons=drop"], "best.json: not comparable: singletons is drop here"),
    ],
)
def test_a_baseline_must_be_comparable(words: list[str], message: str, run: Run) -> None:
    status, out, err = run(f"--baseline={better(run)}", "--max-drop=conll=0.1", *words, *PAIR)
    assert (status, out) == (2, "")
    assert message in err


def test_small_drops_do_not_add_up(run: Run) -> None:
    words = ["-q", "-m", "conll", "--baseline=base.json", "--max-drop=conll=2%", "--update-baseline"]
    clusters = {str(i): [f"{i}.{j}" for j in range(8)] for i in range(6)}

    def scored(without: int, *more: str) -> tuple[int, float]:
        found = {**clusters, "0": clusters["0"][: 8 - without]}
        for name, some in (("gold.json", clusters), ("s.json", found)):
            (run.folder / name).write_text(json.dumps({"type": "clusters", "clusters": some}))
        status = run(*words, *more, "gold.json", "s.json")[0]
        return status, json.loads((run.folder / "base.json").read_text())["scores"]["conll"]["f1"]

    first = scored(1)
    assert first[0] == 0
    assert scored(2) == first
    assert [scored(without) for without in (3, 4)] == [(1, first[1])] * 2, "more than 2 % below the first"
    lower = scored(2, "--allow-lower")
    assert (lower[0], lower[1] < first[1]) == (0, True)
    words.remove("-q")
    status, _, err = run(*words, "gold.json", "s.json")
    assert (status, "lower" in err) == (0, False), "equal is not lower"
    scored(1)
    scored(2)
    err = run(*words, "--strict", "gold.json", "s.json")[2]
    assert err.endswith("base.json: kept, since conll.f1 would be lower (--allow-lower replaces it)\n")


def test_update_baseline_replaces_one_that_is_not_comparable(run: Run) -> None:
    words = ["--average=macro", f"--baseline={better(run)}", "--max-drop=conll=0.1"]
    err = run(*words, *PAIR)[2]
    assert err.endswith("is macro here and mentions there (--update-baseline --allow-lower replaces it)\n")
    assert run(*words, "--update-baseline", *PAIR)[0] == 2, "it is kept"
    kept = (run.folder / "best.json").read_bytes()
    assert run(*words, "--update-baseline", "--allow-lower", "--fail-under=conll=1", *PAIR)[0] == 1
    assert (run.folder / "best.json").read_bytes() == kept, "a gate failed"
    assert run(*words, "--update-baseline", "--allow-lower", "--strict", *PAIR)[0] == 2
    assert (run.folder / "best.json").read_bytes() == kept, "the warning is an error"
    status, _, err = run(*words, "--update-baseline", "--allow-lower", *PAIR)
    why = "not comparable, it is replaced if all gates pass: average is macro here and mentions there"
    assert (status, err) == (0, f"scorch2: warning: best.json: {why}, so 1 gate on drops cannot be judged\n")
    assert json.loads((run.folder / "best.json").read_text())["options"]["average"] == "macro"
    assert run(*words, *PAIR)[0] == 0, "the next run compares with it"


def test_update_baseline_replaces_nothing_but_reports(run: Run) -> None:
    for name, text in (("notes.txt", "notes\n"), ("d.json", (EXAMPLE / "gold" / "d1.json").read_text())):
        (run.folder / name).write_text(text)
        assert run(f"--baseline={name}", "--update-baseline", *PAIR)[0] == 2
        assert (run.folder / name).read_text() == text


def test_the_gate_command_replaces_a_baseline_that_is_not_comparable(run: Run, stored: str) -> None:
    assert run("-f", "json", "--average=macro", *PAIR, "base.json")[0] == 0
    words = ["--baseline=base.json", "--max-drop=conll=0.1", "--update-baseline"]
    assert run("gate", *words, stored)[0] == 2
    assert run("gate", *words, "--allow-lower", stored)[0] == 0
    assert (run.folder / "base.json").read_text() == (run.folder / stored).read_text()


def test_a_baseline_must_hold_the_metric(run: Run) -> None:
    run("-f", "json", "-m", "muc", *PAIR, "muc.json")
    status, out, err = run("--baseline=muc.json", "--max-drop=conll=0.1", *PAIR)
    assert (status, out, err) == (2, "", "scorch2: error: muc.json: holds no conll to compare with\n")


def test_a_stored_report_must_hold_the_metric(run: Run) -> None:
    run("-f", "json", "-m", "muc", *PAIR, "muc.json")
    err = run("gate", "--fail-under=conll=0.1", "muc.json")[2]
    assert err == "scorch2: error: muc.json: $.scores: holds no conll to judge\n"


def without_counts(folder: Path) -> None:
    value = json.loads((folder / "stored.json").read_text())
    for document in value["documents"]:
        del document["counts"]
    (folder / "base.json").write_text(json.dumps(value))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (without_counts, 'base.json: $.documents[0]: no "counts": not a complete report of scorch2'),
        (lambda folder: (folder / "base.json").write_text("{}"), "base.json: $: not a report of scorch2"),
        (lambda folder: (folder / "base.json").write_text("{"), "base.json: line 1, column 2: not JSON"),
        (lambda _: None, "base.json: no such file or folder (--update-baseline makes it)"),
    ],
)
def test_a_baseline_that_is_none(make: Callable[[Path], None], message: str, run: Run, stored: str) -> None:
    make(run.folder)
    for words in ([*PAIR], ["gate", stored]):
        command = words[:1] if words[0] == "gate" else []
        paths = words[len(command) :]
        status, out, err = run(*command, "--baseline=base.json", "--max-drop=conll=100%", *paths)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert message in err


# Strictness


def test_strict_makes_warnings_errors(run: Run) -> None:
    (run.folder / "empty.json").write_text('{"type": "clusters", "clusters": {}}')
    pair = (str(EXAMPLE / "gold" / "d1.json"), "empty.json")
    status, out, err = run(*pair)
    assert (status, "warning" in err) == (0, True)
    status, out, err = run("--strict", *pair, "out.txt")
    assert (status, out, run.files()) == (2, "", ["empty.json"])
    assert err.startswith("scorch2: error: d1: system: empty.json: no mention in it")


def test_strict_leaves_a_clean_run_alone(run: Run) -> None:
    assert run("--strict", *PAIR)[0] == 0


def test_few_documents_are_a_warning_for_intervals(run: Run) -> None:
    status, _, err = run("--confidence=95", "--trials=10", *PAIR)
    assert (status, err) == (0, "scorch2: warning: intervals over 3 documents are coarse (less than 10)\n")
    assert run("--strict", "--confidence=95", "--trials=10", *PAIR)[0] == 2


# Reports


def test_several_reports_in_one_run(run: Run) -> None:
    words = ["--report=json:a.json", "--report=markdown:b.md", "--report=junit:c.xml", "--report=tsv:d:e.tsv"]
    status, out, _ = run(*words, "--fail-under=muc=0.5", *PAIR)
    assert (status, out) == (0, run(*PAIR)[1])
    assert run.files() == ["a.json", "b.md", "c.xml", "d:e.tsv"]
    value = json.loads((run.folder / "a.json").read_text())
    assert value["gates"] == [
        {
            "gate": "fail-under", "metric": "muc", "part": "f1", "limit": 0.5, "value": 0.6095238095238096,
            "bound": 0.5, "margin": 0.10952380952380958, "passed": True,
        }
    ]  # fmt: skip
    assert (run.folder / "b.md").read_text().startswith("**1 gate passed**\n\n| gate |")
    suite = ET.parse(run.folder / "c.xml").getroot()  # noqa: S314 - ours
    assert (suite.get("tests"), suite.get("failures")) == ("1", "0")


@pytest.mark.parametrize("words", [["--report=tsv"], ["--report=tsv:-"], ["--report=tsv:", "out.txt"]])
def test_one_report_may_take_standard_output(words: list[str], run: Run) -> None:
    assert run(*words[:1], *PAIR, *words[1:])[1] == run("-f", "tsv", *PAIR)[1]
    assert run.files() == words[1:]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--report=tsv", "--report=json"], "two reports go to standard output"),
        (["--report=tsv", "-f", "json"], "two reports go to standard output"),
        (["--report=tsv:x", "--report=json:x"], "two reports go to x"),
        (["--report=pdf:x"], 'unknown report format "pdf"'),
        (["--report=json:no/such/x"], "no such folder"),
        (["--report=json:-x"], "an output cannot start with a dash"),
        (["--max-drop=conll=0.1"], "--max-drop needs --baseline"),
        (["--max-drop-rel=conll=0.1"], "--max-drop-rel needs --baseline"),
        (
            ["--significant=0.05", "--fail-under=conll=0.1"],
            "--significant needs --max-drop or --max-drop-rel",
        ),
        (["--allow-lower", "--baseline=b.json"], "--allow-lower needs --update-baseline"),
        (["--update-baseline"], "--update-baseline needs --baseline=<file>"),
        (["--update-baseline", "--baseline=-"], "--update-baseline needs --baseline=<file>"),
        (["--baseline=b.json", "--report=json:b.json"], "would be overwritten"),
        (["--baseline=b.json", "--report=json:b.json", "--update-baseline"], "two reports go to b.json"),
        (["--baseline=n.json", "--report=json:n.json", "--update-baseline"], "two reports go to n.json"),
        (["--report=json:a.json", "--report=tsv:./a.json"], "two reports go to a.json"),
        (["--report=json", "--report=tsv:/dev/stdout"], "two reports go to standard output"),
        (["--confidence=0.95"], "--confidence is percent from 1 to below 100"),
        (["--confidence=0"], "--confidence is percent from 1 to below 100"),
        (["--confidence=x"], "--confidence is percent from 1 to below 100"),
        (["--confidence=100"], "--confidence is percent from 1 to below 100"),
        (["--trials=0", "--confidence=95"], "--trials is a whole number from 1"),
        (["--trials=1e3", "--confidence=95"], "--trials is a whole number from 1"),
        (["--seed=-1", "--confidence=95"], "--seed is a whole number from 0"),
        (["--seed=99999999999999999999999", "--confidence=95"], "--seed is a whole number from 0"),
        (["--trials=5"], "--trials needs --confidence or --significant"),
        (["--seed=9"], "--seed needs --confidence or --significant"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_is_read(
    words: list[str], message: str, run: Run
) -> None:
    (run.folder / "b.json").write_text("{}")
    status, out, err = run(*words, *PAIR)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert run.files() == ["b.json"]


def test_nothing_to_judge(run: Run, stored: str) -> None:
    err = run("gate", stored)[2]
    assert err.startswith("scorch2: error: nothing to judge: give --fail-under")


def test_if_one_report_cannot_be_written_none_is(run: Run) -> None:
    blocked = run.folder / "blocked"
    blocked.mkdir()
    blocked.chmod(stat.S_IRUSR | stat.S_IXUSR)
    # the superuser may write anywhere: a name that is too long does as well
    target = "x" * 300 if os.access(blocked, os.W_OK) else "blocked/x"
    status, out, _ = run("--report=json:a.json", f"--report=tsv:{target}", *PAIR)
    assert (status, out, run.files()) == (2, "", ["blocked"])


# GitHub


def test_annotations_go_to_standard_output(run: Run) -> None:
    out = run("--report=github", "--fail-under=conll=0.62", *PAIR)[1]
    title = "conll.f1 at least 0.62 (62 %25)"
    skipped = "::notice title=scorch2::Undefined (0/0), left out: MUC in 1 document, BLANC in 1 document."
    assert out == f"::error title={title}::0.6097 is below 0.6200: FAILED\n{skipped}\n"


def test_ten_annotations_at_most(run: Run) -> None:
    words = [f"--fail-under=conll=0.{digits}" for digits in range(62, 77)]
    lines = run("--report=github", *words, *PAIR)[1].splitlines()
    assert len(lines) == 10
    assert lines[-1] == "::warning title=scorch2::… and 7 more, see the report"


def test_annotations_are_of_all_kinds_of_warnings(run: Run) -> None:
    """Of each kind three, or fewer where there are many kinds; the last of a kind counts the others."""
    for side, clusters in (("gold", {"a": ["x", "y"]}), ("sys", {"b": ["x"], "c": ["x", "y"]})):
        (run.folder / side).mkdir()
        for number in range(8):
            name = f"d{number}.json" if number < 5 or side == "gold" else f"e{number}.json"
            value = {"type": "clusters", "clusters": clusters}
            (run.folder / side / name).write_text(json.dumps(value), "utf-8")
    words = ["--missing=empty", "--extra=skip", "--duplicates=first", "-m", "muc"]
    lines = run("-q", "-f", "github", *words, "gold", "sys")[1].splitlines()
    kinds = [line.partition("%3A ")[2].partition("::")[0] for line in lines]
    assert kinds == [*["duplicates"] * 2, *["missing"] * 2, *["extra"] * 2, ""]  # at last where it is 0/0
    assert [line.partition(" (… and ")[2] for line in lines[1:6:2]] == [
        f"{number} more of this kind)" for number in (3, 1, 1)
    ]


def test_the_page_of_a_run_goes_below_what_is_there(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    (run.folder / "summary.md").write_text("before\n")
    assert run("--report=github:summary.md", *PAIR)[0] == 0
    assert (run.folder / "summary.md").read_text() == "before\n" + run("-f", "markdown", *PAIR)[1]


def test_a_page_that_is_too_large_is_left_out(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    before = "x" * (1 << 20)
    (run.folder / "summary.md").write_text(before)
    assert run("--report=github:summary.md", *PAIR)[0] == 0
    assert (run.folder / "summary.md").read_text() == before


# Numbers


def test_intervals_are_in_every_report(run: Run) -> None:
    found = {}
    for name in ("text", "table", "json", "jsonl", "tsv", "markdown", "openmetrics"):
        status, out, _ = run("--confidence=90", "--trials=50", "--seed=3", "-f", name, "-m", "muc", *PAIR)
        assert status == 0
        found[name] = out
    interval = json.loads(found["json"])["confidence"]
    low, high = interval["metrics"]["muc"]["recall"]
    assert (interval["level"], interval["trials"], interval["seed"]) == (90, 50, 3)
    assert json.loads(found["jsonl"].splitlines()[-1])["confidence"] == interval
    assert found["text"].startswith("MUC:\tR=0.5\tP=")
    assert found["text"].splitlines()[1].startswith(f"MUC 90 %:\tR=[{low!r}, {high!r}]\tP=[")
    for name in ("table", "markdown"):
        assert f"50.00 [{100 * low:.2f}, {100 * high:.2f}]" in found[name]
        assert "90 % intervals over 50 bootstrap resamples of the documents, seed 3" in found[name]
    head, row = (line.split("\t") for line in found["tsv"].splitlines()[:2])
    assert row[head.index("recall_low")] == repr(low)
    assert f'scorch2_score_bound{{metric="muc",part="recall",end="low"}} {low!r}\n' in found["openmetrics"]
    assert all("seed=3" in found[name] for name in ("text", "table", "json", "tsv", "markdown"))


def test_point_estimates_stay_what_they_are(run: Run) -> None:
    plain = json.loads(run("-f", "json", *PAIR)[1])
    with_intervals = json.loads(run("-f", "json", "--confidence=95", "--trials=20", *PAIR)[1])
    for key in ("scores", "counts", "documents"):
        assert plain[key] == with_intervals[key]


def test_the_same_seed_gives_the_same_bytes(run: Run) -> None:
    words = ["--confidence=95", "--trials=200", "-f", "json", *PAIR]
    assert run(*words)[1] == run(*words)[1]


def test_a_plain_run_loads_no_gate() -> None:
    import subprocess
    import sys

    code = (
        "import sys; from scorch2.cli.main import main; main(sys.argv[1:]);"
        "print(sorted(m for m in sys.modules if m in "
        "('numpy', 'scorch2.audit.judge', 'scorch2.audit.baseline', 'scorch2.analysis.bootstrap',"
        " 'decimal', 'xml')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "-q", *PAIR, os.devnull], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


# Baselines that are older than an option


def older(run: Run, name: str, *paths: str) -> str:
    """Store a report as it was before there was the option `undefined`: with its zeros, without its name."""
    value = json.loads(run("-f", "json", "--undefined=zero", *paths)[1])
    del value["options"]["undefined"]
    (run.folder / name).write_text(json.dumps(value), encoding="utf-8")
    return name


def test_an_older_baseline_is_refused_where_the_new_option_changes_numbers(run: Run) -> None:
    status, out, err = run(f"--baseline={older(run, 'old.json', *PAIR)}", "--max-drop=conll=1%", *PAIR)
    assert (status, out) == (2, "")
    assert "old.json: not comparable: undefined is skip here and zero there" in err
    assert "--update-baseline" in err
    words = ["--baseline=old.json", "--max-drop=conll=1%", "--undefined=zero"]
    assert run(*words, *PAIR)[0] == 0


def test_an_older_baseline_goes_on_where_no_score_is_undefined(run: Run) -> None:
    pair = [str(EXAMPLE / side / "d1.json") for side in ("gold", "sys")]
    words = [f"--baseline={older(run, 'old.json', *pair)}", "--max-drop=conll=1%"]
    assert run(*words, *pair)[0] == 0


@pytest.mark.parametrize("option", ["--baseline=", "--significant=", "--fail-under=", "--max-drop="])
def test_an_empty_value_is_no_gate_that_passes(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As of a variable that is not set."""
    assert main([option, *PAIR]) == 2
    assert capsys.readouterr().out == ""
