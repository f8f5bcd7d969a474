"""ARE: what is refused, with its kind and place."""

import json
import pickle
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from are_files import CASES, FOLDER, scored
from every import every

from scorch2.cli.main import main
from scorch2.formats.reading import read
from scorch2.model.errors import MarkupError

REFUSED = [name for name, case in CASES.items() if "error" in case]
INVALID: list[dict[str, Any]] = json.loads((FOLDER / "invalid" / "expected.json").read_text("utf-8"))
KINDS = {
    "malformed-xml", "doctype", "unknown-element", "unexpected-text", "bad-structure", "missing-attribute",
    "bad-value", "bad-offset", "task-mismatch", "unit-missing", "unit-mismatch", "duplicate-pronoun",
    "duplicate-mention", "unknown-id", "no-chain", "pair-crosses-chains",
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused_case(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    case, folder = CASES[name], FOLDER / "cases" / name
    words = ["are", f"--task={case['task']}", str(folder / "gold.xml"), str(folder / "sys.xml")]
    with pytest.raises(MarkupError) as caught:
        scored(case["task"], *words[2:])
    expected = case["error"]
    assert (caught.value.kind, caught.value.line) == (expected["kind"], expected["line"])
    assert Path(caught.value.path).name == f"{expected['file']}.xml"
    assert main(words) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert f"{expected['file']}.xml:{expected['line']}: {expected['kind']}: " in err


def test_every_invalid_file_has_its_expectation_and_every_kind_a_file() -> None:
    files = {path.name for path in (FOLDER / "invalid").iterdir()} - {"expected.json"}
    expected = sorted(case["file"] for case in INVALID)
    assert sorted(files) == expected, "a file needs its message in fixtures/are/invalid/expected.json"
    kinds = {re.findall(r"[a-z]+(?:-[a-z]+)*(?=: )", case["message"])[0] for case in INVALID}
    assert kinds == KINDS, "a kind of problem needs a file that shows it"


@pytest.mark.parametrize("task", [1, 2, 3, 4])
def test_the_good_files_are_scored(task: int) -> None:
    what = "ids" if task in (1, 2) else "spans"
    report = scored(task, FOLDER / "good" / f"{what}.gold.xml", FOLDER / "good" / f"{what}.sys.xml")
    assert len(report.scores) == 1


@every("case", INVALID)
def test_invalid_file(
    case: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER / "invalid")
    what = "ids" if case["task"] in (1, 2) else "spans"
    paths = {side: f"../good/{what}.{side}.xml" for side in ("gold", "sys")} | {case["side"]: case["file"]}
    assert main(["are", f"--task={case['task']}", paths["gold"], paths["sys"]]) == 2
    assert capsys.readouterr() == ("", f"scorch2: error: {case['file']}:{case['message']}\n")


@pytest.mark.parametrize("side", ["gold", "sys"])
@pytest.mark.parametrize("declared", ["UTF-8", "UTF-16", "ISO-8859-1", "US-ASCII", ""])
def test_encodings(side: str, declared: str, tmp_path: Path) -> None:
    """The id is é everywhere, as a reference where the encoding lacks it."""
    shown = "&#233;" if declared == "US-ASCII" else "é"
    head = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else "\ufeff"
    gold = f'<are><chain><element id="1"/><element id="{shown}"/></chain></are>'
    plain_text = gold.replace("&#233;", "é")
    texts = {"gold": plain_text, "sys": plain_text, side: head + gold}
    for name, text in texts.items():
        coding = (declared or "UTF-8") if name == side else "UTF-8"
        (tmp_path / name).write_bytes(text.encode(coding))
    assert scored(2, tmp_path / "gold", tmp_path / "sys").muc.f1 == 1


def test_a_bomb_is_refused_before_anything_of_it_is_read() -> None:
    def refuse() -> None:
        with pytest.raises(MarkupError, match="doctype"):
            read(str(FOLDER / "invalid" / "doctype-bomb.xml"))

    tracemalloc.start()
    refuse()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000, f"{peak} bytes were held: its entities must not be expanded"


def test_deep_nesting_is_refused_where_the_dialect_ends(tmp_path: Path) -> None:
    path = tmp_path / "d.xml"
    path.write_text("<are>" + "<chain>" * 100_000, encoding="utf-8")
    with pytest.raises(MarkupError, match=r":1: unknown-element: <chain> has no meaning here"):
        read(str(path))


def test_echoed_text_cannot_change_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "d.xml"
    path.write_text(f"<are><{'e' * 200}\u0085/></are>", encoding="utf-8")
    with pytest.raises(MarkupError) as caught:
        read(str(path))
    assert str(caught.value).isprintable()
    path.write_text("<are>" + "\u202e" * 200 + "</are>", encoding="utf-8")
    with pytest.raises(MarkupError) as caught:
        read(str(path))
    assert str(caught.value).isprintable()
    assert len(caught.value.why) < 150


def test_gold_is_checked_before_the_system(tmp_path: Path) -> None:
    (tmp_path / "sys.xml").write_text("<are", encoding="utf-8")
    with pytest.raises(MarkupError, match="no-chain"):
        scored(1, FOLDER / "invalid" / "no-chain.xml", tmp_path / "sys.xml")


def test_a_refusal_crosses_processes() -> None:
    error = MarkupError("g.xml", 3, "no-chain", "the pronoun is in no chain")
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - made a line above
    assert (str(again), again.kind, again.line) == (str(error), "no-chain", 3)
    assert str(error) == "g.xml:3: no-chain: the pronoun is in no chain"
