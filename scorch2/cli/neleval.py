"""neleval's spellings of options, for the commands that it had: translated, or refused with what to do."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorch2.cli import arguments
from scorch2.model.errors import UsageError

RENAMED: Mapping[str, str] = {
    "--fmt": "--format",
    "--measure": "--metric",
    "--n_jobs": "--jobs",
    "--sort-by": "--sort",
    "--out-fmt": "--output",
    "--input-type": "--input",
    "--evaluation-files": "--evaluated",
    "--excluded-spans": "--excluded",
}
"""Options by neleval's name, with the name here; translated where the command has that option."""
REFUSED: Mapping[str, str] = {
    "--verbose": "warnings are always shown; --debug shows where an error came from",
    "--bootstrap": "the test is a permutation test, in neleval too; scorch2 confidence draws bootstrap "
    "intervals, and --format=table shows that of each difference",
    "--interactive": "no shell is opened; --table prints what is drawn",
    "--run-code": "no code is run; --table prints what is drawn, for a script of your own",
    "--sort-by": "only figures are sorted (plot-systems, compare-measures); rank-systems ranks by score, and "
    "--measure and --metric choose which",
    "--at-most": "only plot-systems has it; --limit keeps the first systems of a ranking",
    "--fmt": "the output has one form, text with tabs; evaluate, confidence and significance have others",
    "--n_jobs": "this command takes one process; confidence and significance have --jobs",
    "--metrics": "of confidence and significance: what is shown of each measure; rank-systems has --metric",
    "--group-by": "of evaluate: its reports have a row for each group",
    "--type-weights": "of evaluate, confidence and significance, which count measures",
}
"""Options of neleval that a command does not have, in neleval or here, with what there is instead."""
_JOBS, _LEVELS, _BEST = ("-j", "--jobs"), ("-p", "--percentiles"), "--best-in-group"
_ALL_PROCESSORS = {"-1": "0"}
"""neleval's number of jobs for all processors, and the one here."""
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?%?,?")


def parse(usage: str, words: Sequence[str]) -> dict[str, Any]:
    """Return what `arguments.parse` does, neleval's spellings understood.

    Raises
    ------
    UsageError
        As `arguments.parse`, and for an option of neleval that has no meaning here.
    """
    given = arguments.parse(usage, list(_translated(usage, words)))
    if given.get("--format") == "no_tab":
        raise UsageError("--format=no_tab: there is only tab, with a header (| tail -n +2 cuts it off)")
    return given


def spelled(option: str, words: Sequence[str]) -> str:
    """Return the name of an option as it was typed: neleval's, if that is among `words`."""
    typed = {word.partition("=")[0] for word in words}
    return next((name for name, new in RENAMED.items() if new == option and name in typed), option)


def _translated(usage: str, words: Sequence[str]) -> Iterator[str]:
    rest = list(reversed(words))
    while rest:
        name, equals, value = rest.pop().partition("=")
        if name == "--":
            yield name
            yield from reversed(rest)
            return
        new = RENAMED.get(name, name)
        name = new if _has(usage, new) and not _has(usage, name) else name
        if name in REFUSED and not _has(usage, name):
            raise UsageError(f"{name}: {REFUSED[name]}")
        yield f"{name}{equals}{_ALL_PROCESSORS.get(value, value) if name in _JOBS else value}"
        if equals:
            continue
        if name in _JOBS and "--jobs" in usage and rest and rest[-1] in _ALL_PROCESSORS:
            yield _ALL_PROCESSORS[rest.pop()]
        elif name in _LEVELS and "--percentiles" in usage:
            yield from _joined(rest)
        elif name == _BEST and (not rest or rest[-1].startswith("-")):
            raise UsageError(f"{_BEST} needs a measure: {_BEST}=<measure> chooses systems for all figures")


def _has(usage: str, option: str) -> bool:
    return f"{option}=" in usage or f"{option} " in usage


def _joined(rest: list[str]) -> Iterator[str]:
    """Take the numbers that come next from the end of `rest` and yield them as one list: ``90 95``."""
    numbers: list[str] = []
    while rest and (_NUMBER.fullmatch(rest[-1]) or (not numbers and "," in rest[-1])):
        numbers.append(rest.pop().removesuffix(","))
    if numbers:
        yield ",".join(numbers)
