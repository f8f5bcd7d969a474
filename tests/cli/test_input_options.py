"""Options about inputs: every command that scores coreference takes them, and heeds them."""

import pytest

from scorch2.cli.main import main

BOTH = "fixtures/jsonlines/both.e2e.jsonlines"
"""Clusters of gold and predictions in one object, which differ."""
COMMANDS = {
    "score": ["score", "-q", "-m", "muc", BOTH, BOTH],
    "errors": ["errors", "-q", BOTH, BOTH],
    "confidence": ["confidence", "-q", "-n", "2", "-m", "muc", "-g", BOTH, BOTH],
    "significance": [
        "significance",
        "-q",
        "-n",
        "2",
        "-m",
        "muc",
        "-g",
        BOTH,
        BOTH,
        "fixtures/jsonlines/sys.e2e.jsonlines",
    ],
}


def printed(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("command", ["score", "errors", "confidence"])
def test_a_key_chooses_what_is_scored(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    name, *words = COMMANDS[command]
    same = printed([name, "--sys-key=predicted_clusters", *words], capsys)
    assert same == printed([name, *words], capsys)
    assert printed([name, "--sys-key=clusters", *words], capsys) != same


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("side", ["gold", "sys"])
def test_options_of_files_and_offsets_are_heeded(
    command: str, side: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *words = COMMANDS[command]
    assert main([name, f"--{side}-files=*.json", *words]) == 2
    assert f"--{side}-files" in capsys.readouterr().err
    assert main([name, f"--{side}-offsets=exclusive", *words]) == 2  # some span of one token is empty then
    assert f"--{side}-offsets=exclusive" in capsys.readouterr().err
    assert main([name, f"--{side}-format=none", *words]) == 2
    assert "none" in capsys.readouterr().err
