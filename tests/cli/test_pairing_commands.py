"""Every command that reads folders pairs and chooses files alike: a tree of files against one file of all.

The tree in ``fixtures/pairing/ontonotes`` has chains of 2, 1, 1 and 2 links over 10 mentions; the system has
7 of the mentions and 4 of the links, and nothing else (counted by hand).
"""

import io
import json
import os
import shutil
from pathlib import Path

import pytest

from scorch2.cli.main import main

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "pairing" / "ontonotes"
GOLD = "--gold-files=*.v4_gold_conll"
NAME, BASENAME, ORDER = ([f"--pair={rule}"] for rule in ("name", "basename", "order"))
FILES = [("system.conll", []), ("system.conll", NAME), ("system.conll", BASENAME), ("flat.conll", BASENAME)]
FILES += [("flat.conll", ORDER)]


@pytest.fixture(autouse=True)
def _beside_the_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDER, tmp_path / "ontonotes")
    monkeypatch.chdir(tmp_path / "ontonotes")


def said(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> str:
    assert main(words) == status
    out, err = capsys.readouterr()
    return out if status == 0 else err


@pytest.mark.parametrize(("system", "rule"), FILES)
@pytest.mark.parametrize("jobs", [[], ["-j", "2"]])
def test_score(system: str, rule: list[str], jobs: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-q", "-m", "muc", "--average=pooled", GOLD, *rule, *jobs, "gold", system]
    line, signature = said(capsys, *words).splitlines()
    assert line == f"MUC:\tR={4 / 6}\tP=1.0\tF₁=0.8"
    changed = f" | pair={rule[0][7:]}" if rule not in ([], NAME) else ""
    assert f"average=pooled{changed} | documents=4 | mentions=10/7" in signature


@pytest.mark.parametrize(("system", "rule"), FILES)
def test_conll(system: str, rule: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "conll", "-q", GOLD, *rule, "muc", "gold", system, "none")
    assert "Identification of Mentions: Recall: (7 / 10) 70%\tPrecision: (7 / 7) 100%" in text
    assert "Coreference: Recall: (4 / 6) 66.66%\tPrecision: (4 / 4) 100%" in text
    assert said(capsys, "conll", "-q", "--sys-files=*conll", *rule, "muc", system, "gold", "none").endswith(
        "Coreference: Recall: (4 / 4) 100%\tPrecision: (4 / 6) 66.66%\tF1: 80%\n"
        "--------------------------------------------------------------------------\n"
    )


@pytest.mark.parametrize(("system", "rule"), FILES)
def test_evaluate(system: str, rule: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "-q", "-m", "strong_mention_match", GOLD, *rule, "-g", "gold", system]
    assert said(capsys, *words).splitlines()[1].split("\t")[:4] == ["7", "0", "7", "3"]
    said(capsys, *words, "--report=json:report.json")
    report = json.loads(Path("report.json").read_text("utf-8"))
    assert [document["id"] for document in report["documents"]] == [
        "bc/cctv/00/cctv_0001-000",
        "bn/abc/00/abc_0002-000",
        "bn/abc/00/abc_0002-001",
        "nw/wsj/23/wsj_0003-000",
    ]
    assert report["options"]["pair"] == (rule[0][7:] if rule else "name")


@pytest.mark.parametrize(("system", "rule"), FILES)
@pytest.mark.parametrize("metric", ["muc", "strong_mention_match"])
def test_confidence_and_significance(
    system: str, rule: list[str], metric: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["-q", "-m", metric, GOLD, *rule, "-g", "gold", "-n", "20"]
    (interval,) = json.loads(said(capsys, "confidence", *options, "-f", "json", system))
    assert interval["run"]["documents"] == 4
    shutil.copy(system, "other.conll")
    (tested,) = json.loads(said(capsys, "significance", *options, "-f", "json", system, "other.conll"))
    assert (tested["run"]["documents"], tested["stats"]["recall"]["diff"]) == (4, 0)


@pytest.mark.parametrize(("system", "rule"), FILES)
def test_analyze(system: str, rule: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "analyze", "-q", GOLD, *rule, "-g", "gold", system).splitlines()
    missed = [line.split("\t")[:2] for line in lines if line.startswith("missing")]
    assert missed == [["missing", "bc/cctv/00/cctv_0001-000"], *[["missing", "bn/abc/00/abc_0002-001"]] * 2]
    assert not [line for line in lines if line.startswith("extra")]


@pytest.mark.parametrize(("system", "rule"), FILES)
def test_are(system: str, rule: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["are", "-q", "--task=2", GOLD, *rule, "gold", system]
    assert f"R={4 / 6}\tP=1.0" in said(capsys, *words)


def test_validate(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "validate", "--files=*.v4_gold_conll", "gold") == ""
    assert said(capsys, "validate", "--files=*.onf", "gold", status=1)
    assert "--files=<glob> chooses" in said(capsys, "validate", "gold", status=2)
    assert "--files is for folders" in said(capsys, "validate", "--files=*", "flat.conll", status=2)


def test_validate_spans(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "validate-spans", "--files=*.v4_gold_conll", "gold") == ""
    assert "--files=<glob> chooses" in said(capsys, "validate-spans", "gold", status=2)


def test_convert_and_conll2json(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "convert", "--to=jsonlines", "--files=*conll", "gold", "made")
    assert sorted(path.relative_to("made").as_posix() for path in Path("made").rglob("*.*")) == [
        "bc/cctv/00/cctv_0001.jsonl",
        "bn/abc/00/abc_0002.jsonl",
        "nw/wsj/23/wsj_0003.jsonl",
    ]
    line = f"MUC:\tR={4 / 6}\tP=1.0\tF₁=0.8"
    assert line in said(capsys, "-q", "-m", "muc", "--average=pooled", "made", "system.conll")
    said(capsys, "convert", "--to=conll", "--files=*conll", "gold", "all.conll")
    assert line in said(capsys, "-q", "-m", "muc", "--average=pooled", "all.conll", "system.conll")
    said(capsys, "conll2json", "--files=*conll", "gold", "parts")
    assert sorted(path.relative_to("parts").as_posix() for path in Path("parts").rglob("*.*")) == [
        "bc/cctv/00/bc_cctv_00_cctv_0001-000.json",
        "bn/abc/00/bn_abc_00_abc_0002-000.json",
        "bn/abc/00/bn_abc_00_abc_0002-001.json",
        "nw/wsj/23/nw_wsj_23_wsj_0003-000.json",
    ]


def test_conll2json_needs_a_place_for_the_files_of_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    message = said(capsys, "conll2json", "--files=*conll", "gold", status=2)
    assert message.endswith("the documents of a folder need another one: conll2json <folder> <out-dir>\n")
    place = os.path.join("gold", "json")
    message = said(capsys, "conll2json", "--files=*conll", "gold", place, status=2)
    assert message.endswith("lies in the input, and the next run would read it, too\n")
    message = said(capsys, "conll2json", "--files=*conll", "flat.conll", status=2)
    assert message.endswith("--files is for folders, and flat.conll is not one\n")
    shutil.copy("gold/nw/wsj/23/wsj_0003.v4_gold_conll", "gold/nw/wsj/23/again.v4_gold_conll")
    message = said(capsys, "conll2json", "--files=*conll", "gold", "out", status=2)
    assert "a document of another file would be written to nw/wsj/23/nw_wsj_23_wsj_0003-000.json" in message
    assert not Path("out").exists()


def test_a_document_in_two_files_of_the_key_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy("gold/nw/wsj/23/wsj_0003.v4_gold_conll", "gold/again.v4_gold_conll")
    message = said(capsys, "conll", GOLD, "muc", "gold", "system.conll", status=2)
    assert 'wsj_0003.v4_gold_conll: a second document is called "(nw/wsj/23/wsj_0003); part 000"' in message


def test_the_file_may_come_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = Path("system.conll").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
    assert f"R={4 / 6}" in said(capsys, "-q", "-m", "muc", "--average=pooled", GOLD, "gold", "-")


def test_a_baseline_that_is_older_than_the_rule_stays_comparable(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "-q", "-f", "json", GOLD, "gold", "system.conll", "-o", "base.json")
    older = json.loads(Path("base.json").read_text("utf-8"))
    for name in ("pair", "gold_files", "sys_files"):
        del older["options"][name]
    Path("base.json").write_text(json.dumps(older), encoding="utf-8")
    gate = ["--baseline=base.json", "--max-drop=muc=0.01", GOLD, "-q", "gold"]
    said(capsys, *gate, "system.conll")
    message = said(capsys, *gate, "--pair=basename", "flat.conll", status=2)
    assert "pair is basename here and name there" in message


def test_a_report_beside_a_folder_of_inputs_may_begin_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("gold", "sys"):
        Path(name).mkdir()
        Path(name, "d.json").write_text('{"type": "clusters", "clusters": {"a": ["m"]}}', encoding="utf-8")
    for report in ("sys.json", "sys-report.json", "gold.txt"):
        assert main(["gold", "sys", report]) == 0
        assert Path(report).stat().st_size


def test_the_report_never_lands_among_the_inputs(capsys: pytest.CaptureFixture[str]) -> None:
    place = os.path.join("gold", "bc", "report.txt")
    message = said(capsys, GOLD, "gold", "system.conll", place, status=2)
    assert "lies in an input folder" in message
    if os.name != "nt":
        os.link("gold/bc/cctv/00/cctv_0001.v4_gold_conll", "linked.conll")
        message = said(capsys, "--force", GOLD, "gold", "system.conll", "linked.conll", status=2)
        assert message.endswith("linked.conll: is an input and would be overwritten\n")
