"""Scenarios for faults.py: commands that write files, each in its own folder."""

import contextlib
import io
import os
import stat
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from dice import Dice
from random_corpora import clusters_json, conll, pair

from scorch2.cli.main import main

OLD = "an old report\n" * 3
OLD_CLUSTERS = '{"type": "clusters", "clusters": {"an old": ["document"]}}\n'
State = Mapping[str, tuple[int, bytes]]
"""Every path below a folder with its rights and its content or, for a link, where it points."""


class Scenario(NamedTuple):
    """A command, and what is there before it runs."""

    name: str
    prepare: Callable[[str], list[str]]
    """Fills an empty folder and returns the command line."""


class Outcome(NamedTuple):
    """The outcome of a run of a command."""

    status: int
    said: str
    """On standard error."""
    state: State


def run(words: Sequence[str], folder: str) -> Outcome:
    """Run a command in this process."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
        status = main(words)
    return Outcome(status, said.getvalue(), state(folder))


def state(folder: str) -> State:
    """Return what is in a folder."""
    found = {}
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            path = os.path.join(parent, name)
            mode = os.lstat(path).st_mode
            if stat.S_ISLNK(mode):
                content = os.readlink(path).encode()
            else:
                content = b"" if stat.S_ISDIR(mode) else _content(path)
            found[os.path.relpath(path, folder)] = mode, content
    return found


def difference(before: State, after: State) -> str:
    """Say in a line what changed."""
    added, gone = sorted(after.keys() - before.keys()), sorted(before.keys() - after.keys())
    changed = sorted(path for path in before.keys() & after.keys() if before[path] != after[path])
    return f"added {added}, gone {gone}, changed {changed}".replace(str(os.getpid()), "PID")


def write(path: str, text: str) -> str:
    """Write a file and return its path."""
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def _content(path: str) -> bytes:
    with open(path, "rb") as stream:
        return stream.read()


def _score(folder: str) -> list[str]:
    """Put two documents there and return the command that writes their report to a new file."""
    dice = Dice(1)
    sides = []
    for side, clusters in zip(("gold.json", "sys.json"), pair(dice, 20, 5), strict=True):
        sides.append(write(os.path.join(folder, side), clusters_json(clusters, 20, dice)))
    return [*sides, os.path.join(folder, "report")]


def _score_again(folder: str) -> list[str]:
    words = _score(folder)
    os.chmod(write(words[-1], OLD), 0o640)
    return words


def _score_link(folder: str) -> list[str]:
    words = _score(folder)
    os.mkdir(os.path.join(folder, "real"))
    write(os.path.join(folder, "real", "report"), OLD)
    os.symlink(os.path.join("real", "report"), words[-1])
    return words


def _convert(folder: str, documents: int = 3) -> list[str]:
    """Put a CoNLL file there and return the command that converts it into a new folder."""
    dice = Dice(2)
    texts = [conll(pair(dice, 12, 4)[0], 12, dice).replace("000", f"00{i}") for i in range(documents)]
    source = write(os.path.join(folder, "all.conll"), "".join(texts))
    return ["conll2json", "--quiet", source, os.path.join(folder, "json")]


def _convert_again(folder: str) -> list[str]:
    """Convert into a folder that holds some of the files, and another one."""
    words = _convert(folder)
    os.mkdir(words[-1])
    for name in ("d-000.json", "d-002.json", "other.json"):
        os.chmod(write(os.path.join(words[-1], name), OLD_CLUSTERS), 0o600)
    return words


def _convert_one_again(folder: str) -> list[str]:
    words = _convert(folder, 1)
    os.mkdir(words[-1])
    write(os.path.join(words[-1], "d-000.json"), OLD_CLUSTERS)
    return words


def _convert_folder(folder: str) -> list[str]:
    """Convert a folder of two files into one that holds a file of one of the names."""
    dice = Dice(4)
    source, target = os.path.join(folder, "in"), os.path.join(folder, "out")
    os.mkdir(source)
    os.mkdir(target)
    for name in ("a.json", "b.json"):
        write(os.path.join(source, name), clusters_json(pair(dice, 12, 4)[0], 12, dice))
    write(os.path.join(target, "b.json"), OLD_CLUSTERS.replace("clusters", "graph", 1))
    return ["convert", "--quiet", "--to=graph", source, target]


SCENARIOS = (
    Scenario("score into a new file", _score),
    Scenario("score into an old file", _score_again),
    Scenario("score into a link", _score_link),
    Scenario("conll2json into a new folder", _convert),
    Scenario("conll2json into an old folder", _convert_again),
    Scenario("conll2json of one document over an old file", _convert_one_again),
    Scenario("convert of a folder over an old file", _convert_folder),
)
