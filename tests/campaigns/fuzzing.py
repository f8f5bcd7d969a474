"""The frame of fuzzing campaigns: inputs tried in chunks by several processes, and the summary.

Not a campaign by itself.
"""

import argparse
import multiprocessing
import os
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from findings import EXAMPLES, BrokenPromiseError, Finding, tell

CHUNK = 2000
"""Inputs that a process makes and tries at once."""
SLOW = 10.0
"""Seconds that no input of a few kilobytes may take."""
Trial = TypeVar("Trial")


class Task(NamedTuple):
    """A chunk of inputs; its draws depend on the subject, the seed and its number."""

    subject: str
    """What is fuzzed: a reader, a format, a command."""
    seed: int
    number: int
    inputs: int


class Outcome(NamedTuple):
    """The results of inputs."""

    counts: Counter[str]
    """How many were refused, and how many were not."""
    kinds: Counter[str]
    """How often each promise was broken."""
    findings: list[Finding]


def parser(about: str, inputs: int, unit: str) -> argparse.ArgumentParser:
    """Return a parser of the options that all campaigns have; `inputs` are the default, per `unit`."""
    found = argparse.ArgumentParser(description=about.partition("\n")[0])
    found.add_argument("--inputs", type=int, default=inputs, help=f"per {unit}")
    found.add_argument("--seed", type=int, default=0)
    found.add_argument("--jobs", type=int, default=2)
    found.add_argument("--save", help="folder for the inputs that broke a promise; default: a temporary one")
    return found


def tried(
    subject: str,
    trials: Iterable[Trial],
    attempt: Callable[[Trial], str],
    files_of: Callable[[Trial], dict[str, bytes]],
) -> Outcome:
    """Try inputs; `attempt` returns what became of one, and `files_of` what it takes to see it again."""
    outcome = Outcome(Counter(), Counter(), [])
    for trial in trials:
        start = time.monotonic()
        try:
            outcome.counts[attempt(trial)] += 1
            if time.monotonic() - start > SLOW:
                raise BrokenPromiseError(f"slower than {SLOW} s", "")  # noqa: TRY301 - one way to tell
        except Exception as error:  # noqa: BLE001 - any other exception is what is looked for
            kind, detail = _kind_and_detail(error)
            found = Finding(f"{subject}: {kind}", detail, files_of(trial))
            outcome.kinds[found.kind] += 1
            _add([found], outcome.findings)
    return outcome


def _kind_and_detail(error: Exception) -> tuple[str, str]:
    if isinstance(error, BrokenPromiseError):
        return error.args[0], error.args[-1]
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {os.path.basename(frame.filename)}, {frame.name}", str(error)


def _add(found: Iterable[Finding], known: list[Finding]) -> None:
    """Add findings, a few of each kind."""
    for finding in found:
        if sum(other.kind == finding.kind for other in known) < EXAMPLES:
            known.append(finding)


def run(
    name: str, subjects: Sequence[str], attempt_chunk: Callable[[Task], Outcome], given: argparse.Namespace
) -> int:
    """Run a campaign over each subject, print its summary and return the exit status."""
    start = time.monotonic()
    kinds: Counter[str] = Counter()
    findings: list[Finding] = []
    figures = []
    with multiprocessing.Pool(given.jobs) as pool:
        for subject in subjects:
            counts: Counter[str] = Counter()
            for outcome in pool.imap(attempt_chunk, _tasks(subject, given)):
                counts += outcome.counts
                kinds += outcome.kinds
                _add(outcome.findings, findings)
            shown = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
            figures.append(f"{subject}: {shown}")
    tell(findings, kinds, given.save)
    seconds = time.monotonic() - start
    print(f"{name}: {'; '.join(figures)}; {sum(kinds.values())} broken promises; {seconds:.0f} s")
    return 1 if findings else 0


def _tasks(subject: str, given: argparse.Namespace) -> Iterator[Task]:
    for number, first in enumerate(range(0, given.inputs, CHUNK)):
        yield Task(subject, given.seed, number, min(CHUNK, given.inputs - first))
