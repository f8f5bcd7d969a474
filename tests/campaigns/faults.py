"""Faults while writing: whatever fails, and whenever, all files are as before or all complete.

Every operation on files fails in turn (full disk, input/output error, interrupt before and after it), once or
from then on, with and without hard links; every line of the writing code is interrupted in turn; processes
run into limits, full devices and SIGINT at random moments. The commands write one file or several, new and
old, and nothing else may be left.

    python tests/campaigns/faults.py --interrupts=200 --seed=0

A run must end with 2, one line of error and all files as before; or, if it was interrupted, with 130 and all
files as before or all complete; or with 0 and all complete (what failed could be done in another way). Only
where removing fails may a temporary file be left.
"""

import argparse
import contextlib
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import fault_processes
from dice import Dice
from fault_injection import (
    CALLS,
    INTERRUPT,
    IO_ERROR,
    NO_SPACE,
    REMOVING_CALLS,
    SPACE_CALLS,
    Fault,
    injected,
    interrupted,
)
from fault_scenarios import SCENARIOS, Outcome, Scenario, State, difference, run, state
from findings import Finding, tell

from scorch2.cli.console import ERROR

INTERRUPTED = 130
WRITING = tuple(
    os.path.join("scorch2", *path)
    for path in (
        ("cli", "output.py"),
        ("formats", "target.py"),
        *(("cli", "commands", name) for name in ("score.py", "convert.py")),
    )
)
"""Files whose every line is interrupted."""
TEMPORARY = ".scorch2."
"""How the names of temporary files begin."""


class Way(NamedTuple):
    """A way for calls to fail."""

    name: str
    calls: frozenset[str]
    error: BaseException
    lasting: bool = False
    late: bool = False


WAYS = (
    *(Way(f"no space for {call}", frozenset({call}), NO_SPACE) for call in CALLS),
    *(Way(f"input/output error in {call}", frozenset({call}), IO_ERROR) for call in CALLS),
    *(Way(f"interrupt before {call}", frozenset({call}), INTERRUPT) for call in CALLS),
    *(Way(f"interrupt after {call}", frozenset({call}), INTERRUPT, late=True) for call in CALLS),
    Way("no space from then on", SPACE_CALLS, NO_SPACE, lasting=True),
)


def main() -> int:
    given = _arguments()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # where a shell ignores it, children would, too
    start = time.monotonic()
    findings: list[Finding] = []
    runs = interruptions = 0
    for scenario in SCENARIOS:
        complete = _complete(scenario)
        for links in (True, False):
            for way in WAYS:
                tried = list(_failing(scenario, complete, way, links=links))
                runs += len(tried)
                findings += [finding for finding in tried if finding]
        tried = list(_each_line(scenario, complete))
        interruptions += len(tried)
        findings += [finding for finding in tried if finding]
    figures = [f"{runs} failing calls", f"{interruptions} interrupted lines"]
    for part in (
        fault_processes.file_limits(),
        fault_processes.full_device(),
        fault_processes.small_file_system(),
        fault_processes.interrupts(given.interrupts, Dice(given.seed)),
    ):
        findings += part.findings
        figures.append(part.figures)
    tell(findings, Counter(finding.kind for finding in findings), given.save)
    seconds = time.monotonic() - start
    print(f"faults: {', '.join(figures)}; {len(findings)} broken promises; {seconds:.0f} s")
    return 1 if findings else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--interrupts", type=int, default=200, help="trials of SIGINT at a random moment")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", help="folder for what broke a promise; default: a temporary one")
    return parser.parse_args()


def _complete(scenario: Scenario) -> State:
    """Return what a folder holds after an undisturbed run."""
    with _workplace(scenario) as (words, folder):
        outcome = run(words, folder)
        if outcome.status:
            raise SystemExit(f"faults: {scenario.name} fails by itself: {outcome.said}")
        return outcome.state


@contextlib.contextmanager
def _workplace(scenario: Scenario) -> Iterator[tuple[list[str], str]]:
    with tempfile.TemporaryDirectory() as folder:
        home = os.path.join(folder, "home")
        os.mkdir(home)
        yield scenario.prepare(home), home


def _failing(scenario: Scenario, complete: State, way: Way, *, links: bool) -> Iterator[Finding | None]:
    """Let the first call fail, then the second, and so on until a run makes fewer calls."""
    number = 0
    while True:
        number += 1
        fault = Fault(way.calls, number, way.error, way.lasting, way.late)
        with _workplace(scenario) as (words, folder):
            before = state(folder)
            with injected(fault, links=links) as injector:
                outcome = run(words, folder)
            if way.error is not INTERRUPT and way.calls <= REMOVING_CALLS:
                outcome = outcome._replace(state=_without_temporary(outcome.state))
            problem = _problem(outcome, before, complete)
        if not injector.last:
            return
        suffix = "" if links else ", no hard links"
        kind = f"{scenario.name}, {way.name}{suffix}"
        yield Finding(kind, f"call {number} ({injector.last}): {problem}", {}) if problem else None


def _each_line(scenario: Scenario, complete: State) -> Iterator[Finding | None]:
    """Interrupt before the first line of the writing code, then before the second, and so on."""
    number = 0
    while True:
        number += 1
        with _workplace(scenario) as (words, folder):
            before = state(folder)
            with interrupted(number, WRITING) as interruption:
                outcome = run(words, folder)
            problem = _problem(outcome, before, complete)
        if not interruption.place:
            return
        kind = f"{scenario.name}, interrupted before {interruption.place}"
        yield Finding(kind, f"line {number}: {problem}", {}) if problem else None


def _without_temporary(found: State) -> State:
    """Leave out what is there because it could not be removed."""
    return {path: what for path, what in found.items() if not os.path.basename(path).startswith(TEMPORARY)}


def _problem(outcome: Outcome, before: State, complete: State) -> str:
    """Return what is wrong with the end of a run that was disturbed, or nothing."""
    if outcome.status == 0:
        return "" if outcome.state == complete else f"status 0, but {difference(complete, outcome.state)}"
    if outcome.status == INTERRUPTED:
        whole = outcome.state in (before, complete)
        return "" if whole else f"interrupted, {difference(before, outcome.state)}"
    if outcome.status != ERROR:
        return f"status {outcome.status}"
    if outcome.state != before:
        return f"error, {difference(before, outcome.state)}"
    one_line = outcome.said.count("\n") == 1 and outcome.said.startswith("scorch2: error: ")
    return "" if one_line else f"said {outcome.said!r}"


if __name__ == "__main__":
    sys.exit(main())
