"""scorch2 are: words, reports, folders, gates."""

import json
from pathlib import Path

import pytest
from are_files import pair

import scorch2
from scorch2.cli.commands.other_scorers import ARE_CHOICES
from scorch2.cli.main import main
from scorch2.formats.fields import UNITS
from scorch2.model.options import OPTIONS
from scorch2.tasks.anaphora import TASKS


def run(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> tuple[str, str]:
    assert main(["are", *words]) == status
    return capsys.readouterr()


MISSING = ", ".join(OPTIONS["missing"].values)
TASK_3 = pair("s04-task3-tokens")
REASONS = "nominal\tvia-pronoun\tcycle\tdead-end\tbroken\twrong\tself\tmissing\n"


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(capsys, "--task=3", *TASK_3)
    assert err == ""
    assert out == (
        f"{REASONS}1\t1\t0\t0\t0\t1\t0\t0\n\n"
        "Overlap:\tR=0.5\tP=0.375\tF₁=0.42857142857142855\n"
        f"scorch2 {scorch2.__version__} | task=3 | unit=token | average=pooled | documents=1 | mentions=3/4\n"
    )


def test_the_success_rate_is_one_number(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "--task=1", "--no-signature", *pair("s02-task1-pronoun-paths"))
    assert out == f"{REASONS}2\t1\t2\t1\t2\t1\t0\t1\n\nSuccess rate: 0.55\n"
    table, _ = run(capsys, "--task=1", "--format=table", *pair("s02-task1-pronoun-paths"))
    assert "Success rate   55.00                      5.5 / 10" in table


def test_json_holds_items_and_reasons(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "--task=3", "--format=json", "--per-item", *TASK_3)
    value = json.loads(out)
    assert value["scores"] == {"overlap": {"recall": 0.5, "precision": 0.375, "f1": pytest.approx(3 / 7)}}
    assert value["counts"]["overlap"] == {
        "recall_num": 1.5,
        "recall_den": 3,
        "precision_num": 1.5,
        "precision_den": 4,
    }
    assert value["items"][0] == {"document": "gold", "pronoun": [5, 6], "credit": "1/2", "reason": "nominal"}
    assert value["reasons"][0]["wrong"] == 1
    assert (value["options"]["task"], value["options"]["unit"]) == (3, "token")


@pytest.mark.parametrize("form", ["text", "tsv"])
def test_items_come_first_in_text_and_tsv(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "--task=3", f"--format={form}", "--per-item", *TASK_3)
    item = "gold\t5:6\t1/2\tnominal\ngold\t11:12\t0\twrong\ngold\t14:15\t1\tvia-pronoun\n\n"
    assert f"document\tpronoun\tcredit\treason\n{item}" in out
    short, _ = run(capsys, "--task=3", f"--format={form}", *TASK_3)
    assert item not in short


def test_tsv_without_items_is_rows_of_scores_only(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "--task=3", "--format=tsv", *TASK_3)
    assert out.startswith("document\tmetric\trecall\tprecision\tf1\t")


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_items_in_tables(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "--task=4", f"--format={form}", "--per-item", *pair("s06-task4-overlap-muc"))
    row = next(line for line in out.splitlines() if "0:2" in line)
    assert row.replace("|", " ").split() == ["gold", "0:4", "0:2", "1/2"]


@pytest.mark.parametrize("form", ["jsonl", "junit", "github", "openmetrics"])
def test_reports_for_machines_stay_as_they_are(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    bare, _ = run(capsys, "--task=3", f"--format={form}", *TASK_3)
    listed, _ = run(capsys, "--task=3", f"--format={form}", "--per-item", *TASK_3)
    assert bare == listed


def test_ids_cannot_break_the_lines_of_items(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '<are><pair><pronoun id="a&#10;b&#9;c"/><antecedent id="1"/></pair></are>'
    (tmp_path / "g.xml").write_text(text, encoding="utf-8")
    out, _ = run(capsys, "--task=1", "--per-item", str(tmp_path / "g.xml"), str(tmp_path / "g.xml"))
    assert "g\ta\\nb\\tc\t1\tnominal\n" in out


def test_documents_are_pooled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Hand-computed: 2 of 4 and 5.5 of 10 pronouns are 7.5 of 14."""
    for number, name in enumerate(["s01-task1-basic", "s02-task1-pronoun-paths"]):
        for side, path in zip(("gold", "sys"), pair(name), strict=True):
            (tmp_path / side).mkdir(exist_ok=True)
            (tmp_path / side / f"d{number}.xml").write_bytes(Path(path).read_bytes())
    words = ["--task=1", "--per-document", str(tmp_path / "gold"), str(tmp_path / "sys")]
    out, _ = run(capsys, *words)
    assert out.splitlines()[-4:-1] == [
        "d0\tSuccess rate: 0.5",
        "d1\tSuccess rate: 0.55",
        f"Success rate: {7.5 / 14!r}",
    ]
    (tmp_path / "sys" / "d1.xml").unlink()
    _, err = run(capsys, *words, status=2)
    assert "no system file for 1 gold file: d1" in err
    out, err = run(capsys, *words, "--missing=empty", "--no-signature")
    assert out.endswith(f"Success rate: {2 / 14!r}\n")
    assert "d1: the gold document has no system output" in err
    out, _ = run(capsys, *words, "--missing=skip", "--no-signature")
    assert out.endswith("Success rate: 0.5\n")


def test_gate_and_baseline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = str(tmp_path / "base.json")
    run(capsys, "--task=3", "--format=json", "--confidence=90", "--fail-under=overlap.r=0.5", *TASK_3, base)
    run(capsys, "--task=3", "--fail-under=overlap=0.5", *TASK_3, status=1)
    run(capsys, "--task=3", f"--baseline={base}", "--max-drop=overlap=0", *TASK_3)
    assert main(["gate", "--fail-under=overlap.recall=0.5", base]) == 0
    assert main(["gate", "--fail-under=overlap.recall=0.6", base]) == 1
    capsys.readouterr()
    words = [f"--baseline={base}", "--max-drop=overlap_muc=0", *pair("s06-task4-overlap-muc")]
    _, err = run(capsys, "--task=4", *words, status=2)
    assert "not comparable: task is 4 here and 3 there" in err
    _, err = run(capsys, "--task=1", "--fail-under=overlap=1", *TASK_3, status=2)
    assert err == 'scorch2: error: unknown metric of task 1 "overlap" (known: success_rate)\n'


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--task=5", "g", "s"], 'unknown task "5" (known: 1, 2, 3, 4)'),
        (["--task=03", "g", "s"], 'unknown task "03", did you mean 3? (known: 1, 2, 3, 4)'),
        (["g", "s"], "expected: scorch2 are --task=<n> [options] [--] <gold> <sys> [<out-file>]"),
        (["--task=3", "--unit=word", "g", "s"], 'unknown unit "word" (known: token, char)'),
        (["--task=1", "--unit=char", "g", "s"], "--unit is for tasks 3 and 4, which compare spans"),
        (["--task=2", "--unit=token", "g", "s"], "--unit is for tasks 3 and 4, which compare spans"),
        (["--task=3", "--gold-format=xml", "g", "s"], 'unknown format "xml"'),
        (["--task=3", "--missing=all", "g", "s"], f'missing cannot be "all" (known: {MISSING})'),
        (["--task=3", "--average=macro", "g", "s"], 'unknown option "--average"'),
    ],
)
def test_usage_errors(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["are", *words]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.removeprefix("scorch2: error: ").startswith(why)


def test_files_of_xml_are_paired_with_one_file_and_checked_against_the_gold_document_of_their_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold = "".join(f"#begin document (d{n});\na (1)\nb -\nc (1)\n\n#end document\n" for n in (1, 2))
    (tmp_path / "gold.conll").write_text(gold, encoding="utf-8")
    element = '<element start="{0}" end="{1}"/>'
    chain = f"<chain>{element.format(0, 1)}{element.format(2, 3)}</chain>"
    for name in ("d1", "d2", "d3"):
        (tmp_path / "sys" / "bc").mkdir(parents=True, exist_ok=True)
        path = tmp_path / "sys" / "bc" / f"{name}.xml"
        path.write_text(f'<are unit="token">{chain}</are>', encoding="utf-8")
    words = ["are", "--task=4", "-q", str(tmp_path / "gold.conll"), str(tmp_path / "sys")]
    assert main([*words, "--extra=skip"]) == 0
    first, *_ = capsys.readouterr().out.splitlines()
    assert "R=1.0\tP=1.0" in first
    path.with_name("d2.xml").write_text(f'<are unit="char">{chain}</are>', encoding="utf-8")
    assert main([*words, "--extra=skip"]) == 2
    assert "unit-mismatch: the file counts in characters, gold in tokens" in capsys.readouterr().err


def test_the_usage_has_all_tasks_and_units() -> None:
    """It names them itself, so that the help of a command imports no task."""
    assert ARE_CHOICES["--task"] == tuple(map(str, TASKS))
    assert ARE_CHOICES["--unit"] == tuple(UNITS)
