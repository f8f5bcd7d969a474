"""Reports of evaluate and confidence for tests, and a way to run a command."""

from pathlib import Path

import pytest

from scorch2.cli.main import main

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "leaderboards"
TEAMS = [
    str(FOLDER / "rank-01" / f"{name}.tab")
    for name in ("teamA_run0", "teamA_run2", "teamB_run1", "teamB_run3")
]
HEAD = "ptp\tfp\trtp\tfn\tprecis\trecall\tfscore\tmeasure\n"
CONFIDENCE = (
    "measure\tmetric   \t95%(\tscore\t)95%\n"
    "muc    \tprecision\t0.400\t0.500\t0.600\n"
    "muc    \tfscore   \t0.300\t0.450\t0.700\n"
)
BAD = {
    "e.tab": HEAD,
    "f.tab": HEAD,
    "bad.tab": "a\n",
    "empty.tab": "",
    "list": "[]",
    "c": CONFIDENCE,
    "short.tab": f"{HEAD}1\t2\n",
    "words.tab": f"{HEAD}x\t1\t1\t1\t1\t1\t1\tm\n",
    "endless.tab": f"{HEAD}1\t1\t1\t1\t1\t1\tinf\tm\n",
    "twice.tab": HEAD + "1\t1\t1\t1\t1\t1\t1\tm\n" * 2,
    "m.svg": HEAD + "1\t1\t1\t1\t1\t1\t1\tm\n",
    "cut": f"{CONFIDENCE.splitlines()[0]}\nmuc\tx\n",
    "again": CONFIDENCE + CONFIDENCE.splitlines()[2],
    "back": CONFIDENCE.replace("0.300", "0.800"),
    "open": CONFIDENCE.replace(")95%", ")90%"),
}
"""Files that commands refuse, and a few to refuse options with."""


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Return the exit status, standard output and standard error of a command."""
    return (main(list(words)), *capsys.readouterr())


def put(name: str, text: str) -> str:
    """Write a file into the current folder."""
    Path(name).write_text(text, encoding="utf-8")
    return name


def scored(name: str, **fscores: str) -> str:
    """Write a report of evaluate with these F scores."""
    rows = [f"1\t1\t1\t1\t0.5\t0.5\t{score}\t{measure}\n" for measure, score in fscores.items()]
    return put(name, HEAD + "".join(rows))


def refused(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Check that a command writes one line with a message, ends with 2, and changes no file."""
    for name, text in BAD.items():
        put(name, text)
    status, out, err = run(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert {path.name: path.read_text("utf-8") for path in Path().iterdir()} == BAD
