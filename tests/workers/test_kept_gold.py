"""Gold that several systems are scored against is read once."""

import json
from pathlib import Path

import pytest

from scorch2.cli.main import main
from scorch2.formats import reading
from scorch2.workers import engine


@pytest.mark.parametrize("names", [["all.jsonl"], ["0.json", "1.json"]])
@pytest.mark.parametrize(
    "words",
    [
        "compare -q -f json gold one other",
        "compare -q --errors gold one other",
        "significance -q -g gold one other",
        "errors -q --other=other gold one",
    ],
)
def test_gold_is_read_once(
    words: str,
    names: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """Gold that is too large to be kept is read for every system, with the same result."""
    monkeypatch.chdir(tmp_path)
    sides = {"gold": [[1, 2, 3]], "one": [[1, 2], [3, 4]], "other": [[2, 3]]}
    for side, clusters in sides.items():
        Path(side).mkdir()
        spans = [[[token, token] for token in cluster] for cluster in clusters]
        lines = [json.dumps({"doc_key": f"d{number}", "clusters": spans}) + "\n" for number in range(2)]
        for place, name in enumerate(names):
            Path(side, name).write_text("".join(lines[place :: len(names)]), "utf-8")
    read: list[str] = []

    def counted(path: str) -> bytes:
        read.append(path)
        return Path(path).read_bytes()

    monkeypatch.setattr(reading, "read_data", counted)
    assert main(words.split()) == 0
    once = capsys.readouterr().out
    assert len(read) == len(set(read)) == 3 * len(names)
    monkeypatch.setattr(engine, "MOST_KEPT", -1)
    assert main(words.split()) == 0
    assert (capsys.readouterr().out, len(read)) == (once, 7 * len(names))
