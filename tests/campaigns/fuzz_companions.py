"""Fuzzing of the linking companions: whatever the input, it is refused in one line or converted as promised.

Mutations of valid files go through the commands that convert annotations and compare reports, in this
process. A refusal is status 2, one printable line and no output. What is printed else must be what
companion_outputs.py tells from the input.

    python tests/campaigns/fuzz_companions.py --inputs=100000 --seed=0 --jobs=2

The number of inputs is per command. Deterministic for a seed, whatever the number of jobs.
"""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import companion_outputs as outputs
import fuzzing
from broken_bytes import bent
from dice import Dice
from findings import broken
from fuzzing import Outcome, Task

from scorch2.cli.main import main as scorch2

LONGEST_MESSAGE = 1000
"""Characters of an error: it may list what is known."""
FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
ODD = tuple(
    part.encode()
    for part in (
        "", " ", "-1", "0", "1", "9", "10", "100", "1_0", "1e9", "1e999", "nan", "-nan", "inf", "9" * 30,
        "9" * 5000, "٣", "E1", "NIL", "NIL1", "*", '{"type": "PER"}', '{"type": 1, "x": null}', "{", "%09",
        "%0A", "%FF", "Wikipedia:a%0Ab", "&#9;", "&#10;", "d&#9;e", "0 4;6 9", "PER 6 9;0 4", "PER 4 4",
        "docA: 3 - 1", "docA:1-2", "\x1b[31m", "a\u2028b", "(1", "1)", "(1)", "(1|(2", "1)|2)", "(1)|(1)",
        "T1", "N1", "$\\foo$", "muc", "A", '"A": ["A"], ', '"A1": ["root"], ', "\n#end document\n",
        "\n# end document\n", "\n#ending\n", "\n#begin document x\n", "\n#begin document a\tb\n", "\n\n",
    )
)  # fmt: skip
"""What may stand in a cell, whatever is expected there."""


class Companion(NamedTuple):
    """A command: the valid files it takes, how it is called, and what its output must be."""

    folder: str
    files: Sequence[str]
    calls: Sequence[str]
    """The words after its name."""
    check: Callable[[str, Mapping[str, bytes], str], None]


_REPORTS = ("teamA_run0.tab", "teamB_run1.tab")
_SYSTEMS = " ".join(_REPORTS)
_RULES = ("", "-x excluded.tsv ", "-m map.tsv ")
COMPANIONS: Mapping[str, Companion] = {
    "to-weak": Companion("converters/toweak-01", ("in.tsv",), ("in.tsv",), outputs.weak),
    "select-alternatives": Companion(
        "converters/select-01",
        ("gold.tsv", "sys.tsv"),
        tuple(f"{fields}-g gold.tsv sys.tsv" for fields in ("", "-f eid,type ", "-f * ")),
        outputs.alternatives,
    ),
    "prepare-conll-coref": Companion(
        "converters/prepconll-01",
        ("in.conll",),
        ("in.conll", "--with-kb --cross-doc in.conll"),
        outputs.columns,
    ),
    "prepare-brat": Companion(
        "converters/prepbrat-01",
        ("ann/doc0.ann", "ann/doc1.ann"),
        ("--quiet ann", "--quiet --pieces ann"),
        outputs.brat,
    ),
    "prepare-tac": Companion(
        "converters/preptac-01",
        ("q.xml", "links.tab", "excluded.tsv", "map.tsv"),
        tuple(f"{rules}-q q.xml links.tab" for rules in _RULES),
        outputs.queries,
    ),
    "prepare-tac15": Companion(
        "converters/preptac15-01",
        ("run.tab", "excluded.tsv", "map.tsv"),
        tuple(f"{rules}run.tab" for rules in _RULES),
        outputs.run,
    ),
    "weights-for-hierarchy": Companion(
        "converters/hierarchy-01",
        ("h.json",),
        ("h.json", "-d 0.25 h.json", "--ancestor-first h.json"),
        outputs.weights,
    ),
    "compose-measures": Companion(
        "leaderboards/rank-01",
        _REPORTS[:1],
        (f"-r muc pairwise -r b_cubed muc {_REPORTS[0]}",),
        outputs.composed,
    ),
    "rank-systems": Companion(
        "leaderboards/rank-01",
        _REPORTS,
        (_SYSTEMS, f"--metric precision {_SYSTEMS}", f"--group-re team. {_SYSTEMS}", f"-m all {_SYSTEMS}"),
        outputs.ranking,
    ),
    "compare-measures": Companion(
        "leaderboards/rank-01",
        _REPORTS,
        (f"-e {_SYSTEMS}", f"-e -m muc -m b_cubed {_SYSTEMS}"),
        outputs.agreement,
    ),
    "plot-systems": Companion(
        "leaderboards/rank-01",
        _REPORTS,
        (f"--table {_SYSTEMS}", f"--table --prf --by-system --sort score {_SYSTEMS}"),
        outputs.plotted,
    ),
}


class Trial(NamedTuple):
    """A call of a command, and the files that it reads."""

    command: str
    call: str
    files: Mapping[str, bytes]


def main() -> int:
    parser = fuzzing.parser(__doc__, 100_000, "command")
    parser.add_argument("--command", choices=COMPANIONS, help="default: all")
    given = parser.parse_args()
    commands = [given.command] if given.command else list(COMPANIONS)
    return fuzzing.run("fuzz_companions", commands, attempt_chunk, given)


def attempt_chunk(task: Task) -> Outcome:
    """Make and try the inputs of a chunk."""
    dice = Dice(task.seed, list(COMPANIONS).index(task.subject), task.number)
    companion = COMPANIONS[task.subject]
    valid = {name: (FIXTURES / companion.folder / name).read_bytes() for name in companion.files}
    trials = (_trial(task.subject, valid, dice) for _ in range(task.inputs))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name in valid:  # a folder is listed before its files are read from memory
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            open(name, "wb").close()
        outcome = fuzzing.tried(task.subject, trials, lambda trial: _attempt(*trial), _files)
        os.chdir(FIXTURES)
    return outcome


def _trial(command: str, valid: Mapping[str, bytes], dice: Dice) -> Trial:
    bad = dice.pick(COMPANIONS[command].files)
    files = {**valid, bad: _broken_file(valid[bad], dice)}
    return Trial(command, dice.pick(COMPANIONS[command].calls), files)


def _files(trial: Trial) -> dict[str, bytes]:
    kept = {name.replace("/", "-"): data for name, data in trial.files.items()}
    return {**kept, "how": f"{trial.command} {trial.call}".encode()}


def _broken_file(data: bytes, dice: Dice) -> bytes:
    for _ in range(1 + dice.below(3)):
        data = dice.pick((_odd_cell, _odd_cell, _other_cell, _other_line, bent))(data, dice)
    return data


def _odd_cell(data: bytes, dice: Dice) -> bytes:
    start, end = _cell(data, dice)
    return data[:start] + dice.pick(ODD) + data[end:]


def _other_cell(data: bytes, dice: Dice) -> bytes:
    (start, end), (first, last) = _cell(data, dice), _cell(data, dice)
    return data[:start] + data[first:last] + data[end:]


def _other_line(data: bytes, dice: Dice) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    lines[dice.below(len(lines))] = dice.pick((b"", b"\n", dice.pick(lines), dice.pick(lines) * 2))
    return b"".join(lines)


def _cell(data: bytes, dice: Dice) -> tuple[int, int]:
    """Return the ends of what stands between two marks that separate."""
    marks = [-1, *(place for place, byte in enumerate(data) if byte in b'\t\n ;"<>:'), len(data)]
    number = dice.below(len(marks) - 1)
    return marks[number] + 1, marks[number + 1]


def _attempt(command: str, call: str, files: Mapping[str, bytes]) -> str:
    data, err = io.BytesIO(), io.StringIO()
    out = io.TextIOWrapper(data, "utf-8")
    with (
        mock.patch("scorch2.formats.source._read_bytes", lambda path: files[os.path.relpath(path)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        status = scorch2([command, *call.split()])
    text, said = data.getvalue().decode(), err.getvalue()
    if status == 0:
        COMPANIONS[command].check(text, files, call)
        return "done"
    if (status, text) != (2, ""):
        broken(f"status {status} and {len(text)} characters", said)
    if not (said.startswith("scorch2: error: ") and said.endswith("\n") and said[:-1].isprintable()):
        broken("a refusal that is not one printable line", said)
    if len(said) > LONGEST_MESSAGE:
        broken(f"a message of more than {LONGEST_MESSAGE} characters", said)
    return "refused"


if __name__ == "__main__":
    sys.exit(main())
