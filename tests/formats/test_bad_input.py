"""Bad input is refused in one line and leaves no trace; input that only looks bad is scored."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import pytest

from scorch2.cli.main import main

Case: TypeAlias = Mapping[str, Any]

TABLE = Path(__file__).parent.parent.parent / "fixtures" / "bad" / "cases.json"
CASES: dict[str, Case] = {case["name"]: case for case in json.loads(TABLE.read_text("utf-8"))["cases"]}
LABELS = {"MUC": "MUC", "B³": "B3", "B3": "B3", "CoNLL-2012 average score": "CoNLL"}
"""How the cases call what the text report calls otherwise."""


class Outcome(NamedTuple):
    status: int
    out: str
    err: str


def test_all_cases_are_there() -> None:
    assert len(CASES) == 71


@pytest.mark.parametrize("name", CASES)
def test_bad_input(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    case = CASES[name]
    needed = {case.get("stdout_to", os.devnull), case["argv"][-1] if case["argv"] else ""}
    if "/dev/full" in needed and not os.path.exists("/dev/full"):
        pytest.skip("no device that is always full")
    lay_out(tmp_path, case["files"])
    before = contents(tmp_path)
    monkeypatch.chdir(tmp_path)
    if "env" in case or "stdout_to" in case:
        outcome = run_outside(case)
    else:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(case.get("stdin", "").encode())))
        status = main(argv(case))
        outcome = Outcome(status, *capfd.readouterr())
    assert "Traceback" not in outcome.out + outcome.err
    assert "internal error" not in outcome.err
    if case["expect"] == "error" or (case["expect"] == "either" and outcome.status):
        check_refusal(case, outcome)
        assert contents(tmp_path) == before
    else:
        assert outcome.status == 0, outcome.err
        after = contents(tmp_path)
        assert {path: after.get(path) for path in before} == before, "an input was changed"
        check_success(case, outcome, {path: after[path] for path in after if path not in before})


def check_refusal(case: Case, outcome: Outcome) -> None:
    assert outcome.status == case["expect_exit"] == 2
    assert outcome.out == ""
    assert outcome.err
    assert case.get("usage") or len(outcome.err.splitlines()) <= 6
    for word in case.get("expect_message_contains", ()):
        assert word.casefold() in outcome.err.casefold()


def check_success(case: Case, outcome: Outcome, written: Mapping[str, bytes | None]) -> None:
    if case["tool"] == "conll2json":
        assert all(path.startswith(case["argv"][1] + "/") for path in written)
        found = [json.loads(data or b"")["clusters"].values() for data in written.values()]
        assert sorted(sorted(map(len, clusters)) for clusters in found) == sorted(case["expect_json"])
        return
    assert list(written) == list(case["argv"][2:])
    report = (written[case["argv"][2]] or b"").decode() if written else outcome.out
    scores = read_scores(report)
    for metric, expected in case.get("expect_scores", {}).items():
        values = expected if isinstance(expected, list) else [expected]
        assert scores[metric] == pytest.approx(values, abs=1e-9), metric


def read_scores(report: str) -> dict[str, list[float]]:
    lines = [line.partition(":") for line in report.splitlines() if ":" in line]
    return {
        LABELS.get(label, label): [
            float(number) for number in re.findall(r"(?:[ =])(\d\.\d+(?:e-\d+)?)", rest)
        ]
        for label, _, rest in lines
    }


def argv(case: Case) -> list[str]:
    return [*(["conll2json"] if case["tool"] == "conll2json" else []), *case["argv"]]


def run_outside(case: Case) -> Outcome:
    environment = {**os.environ, **case.get("env", {})}
    if subprocess.run(
        [sys.executable, "-c", ""], env=environment, check=False, capture_output=True
    ).returncode:
        pytest.skip("Python itself does not start here, where it cannot decode the names of its folders")
    with open(case.get("stdout_to", os.devnull), "wb") as device:
        done = subprocess.run(
            [sys.executable, "-m", "scorch2", *argv(case)],
            env=environment,
            stdout=device if "stdout_to" in case else subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
    return Outcome(done.returncode, (done.stdout or b"").decode(), done.stderr.decode())


def lay_out(folder: Path, files: Mapping[str, Any]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_bytes(content.encode())
        elif "hex" in content:
            path.write_bytes(bytes.fromhex(content["hex"]))
        elif "repeat" in content:
            unit, times = content["repeat"]
            path.write_bytes((content.get("text", "") + unit * times).encode())
        else:
            path.mkdir()


def contents(folder: Path) -> dict[str, bytes | None]:
    paths = sorted(folder.rglob("*"))
    return {p.relative_to(folder).as_posix(): None if p.is_dir() else p.read_bytes() for p in paths}
