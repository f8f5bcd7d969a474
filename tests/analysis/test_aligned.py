"""Two tokenisations compared by characters: classes and windows are told by the tokens of gold."""

import json
from pathlib import Path
from typing import Any

import pytest

from scorch2.analysis import DIMENSIONS, TYPES_HOW
from scorch2.cli.main import main

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD = "She|PRP|(1) ca|MD|- n't|RB|- see|VB|- Anne|NNP|(1)|(2 's|POS|- ship|NN|2)"
SYSTEM = "She|*|(1) can't|*|- see|*|- Anne's|*|(1) ship|*|(2)"


def conll(path: Path, written: str) -> str:
    rows = [word.split("|", 2) for word in written.split()]
    lines = [f"d 0 {number} {' '.join(row)}" for number, row in enumerate(rows)]
    path.write_text("\n".join(["#begin document (d); part 000", *lines, "", "#end document", ""]), "utf-8")
    return str(path)


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    return [conll(tmp_path / "gold.conll", GOLD), conll(tmp_path / "sys.conll", SYSTEM)]


def reported(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["errors", "-q", "-f", "json", *words]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


def test_tags_of_gold_tell_the_mentions_of_another_tokenisation(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Anne (NNP) and Anne's (NNP POS) are names, Anne's ship (a noun is its head) and ship nominals."""
    report = reported(capsys, "--align=characters", "--by=type,width,text,distance", *paths)
    counts = {
        dimension: {
            row["class"]: [row["mentions"][f"{side}_den"] for side in ("recall", "precision")] for row in rows
        }
        for dimension, rows in report["breakdown"].items()
    }
    assert counts == {
        "type": {"name": [1, 1], "nominal": [1, 1], "pronoun": [1, 1]},
        "width": {"1": [2, 2], "2": [0, 1], "3\u20135": [1, 0]},
        "text": {"first": [2, 2], "different": [1, 1]},
        "distance": {"first": [2, 2], "0\u20139": [1, 1]},
    }
    assert "types=tags | align=characters" in report["signature"]


def test_a_mention_inside_a_token_has_the_tag_of_the_token(
    paths: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    report = reported(capsys, "--align=characters", "--by=type", "--types=english", *reversed(paths))
    found = {row["class"]: row["mentions"]["precision_den"] for row in report["breakdown"]["type"]}
    assert found == {"name": 1, "nominal": 1, "pronoun": 1}  # Anne, inside Anne's; Anne's ship; she


@pytest.mark.parametrize("types", TYPES_HOW[1:])
def test_a_text_aligned_with_itself_has_the_classes_and_windows_that_it_has(
    types: str, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [name for name in DIMENSIONS if types == "english" or name not in ("type", "antecedent", "named")]
    asked = [f"--by={','.join(names)}", f"--types={types}", "--genre=(.)", "--window=20", "--spans=none"]
    files = [str(EXAMPLE / name) for name in ("gold.conll", "sys.conll")]
    plain, aligned = (reported(capsys, *asked, *more, *files) for more in ([], ["--align=characters"]))
    for key in ("breakdown", "windows"):
        assert aligned[key] == plain[key]


def test_what_an_aligned_document_lacks_is_said_as_it_is(
    paths: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errors", "--align=characters", "--by=type", "--types=none", *paths]) == 2
    assert "has tags, but --types=none leaves kinds of mentions unknown" in capsys.readouterr().err
    text = {"text": "She can't see Anne's ship", "offsets": "exclusive", "unit": "char"}
    gold = tmp_path / "gold.json"
    gold.write_text(json.dumps({"type": "clusters", **text, "clusters": {"1": [[0, 3]]}}), "utf-8")
    assert main(["errors", "--align=characters", "--by=distance", str(gold), paths[1]]) == 2
    assert "has no tokens, which --by=distance needs" in capsys.readouterr().err
