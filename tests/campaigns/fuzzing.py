"""The frame of fuzzing campaigns: inputs tried in chunks by several processes, checks, and the summary.

Not a campaign by itself.
"""

import argparse
import multiprocessing
import os
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

sys.path.append(str(Path(__file__).parent.parent / "support"))

from findings import EXAMPLES, BrokenPromiseError, Finding, broken, tell
from nodes_in_full import in_full
from plain_document import Plain, plain

from scorch2.model.document import Discontinuous, Document
from scorch2.model.options import options_from
from scorch2.model.score import AnyScore
from scorch2.scoring.flow import count_all, score_pair
from scorch2.scoring.metrics import OF_CLUSTERS
from scorch2.scoring.metrics.chosen import to_count
from scorch2.scoring.pairing.files import Pair

CHUNK = 2000
"""Inputs that a process makes and tries at once."""
SLOW = 10.0
"""Seconds that no input of a few kilobytes may take."""
MERGE = options_from(metrics=tuple(OF_CLUSTERS), duplicates="merge")
"""Scores of a document against itself or a copy, whatever is in it."""
FLAT = options_from(metrics=tuple(OF_CLUSTERS), duplicates="merge", align="text")
"""The same for empty nodes of formats without sentences."""
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


def main(
    about: str, name: str, kind: str, subjects: Sequence[str], attempt_chunk: Callable[[Task], Outcome]
) -> int:
    """Run a campaign as its command line says: over one subject, ``--reader=json``, or all of that kind."""
    options = parser(about, 1_000_000, kind)
    options.add_argument(f"--{kind}", choices=[*subjects, "all"], default="all")
    given = options.parse_args()
    chosen = getattr(given, kind)
    return run(name, subjects if chosen == "all" else [chosen], attempt_chunk, given)


# Checks


def check_line(message: str, what: str = "a message", *, longest: int) -> None:
    """Check an error, or a warning."""
    if not message.isprintable():
        broken(f"{what} that is not one printable line", message)
    if len(message) > longest:
        broken(f"{what} of more than {longest} characters", f"{len(message)}: {message}")


def check_read(found: Sequence[object], expected: Sequence[object] | None) -> None:
    """Check what is read against what a plain reader reads; None stands for a refusal of it."""
    if expected is None:
        broken("what a plain reader refuses is taken", str(found))
    if found != expected:
        broken("what is read is not what a plain reader reads", f"{found}, expected {expected}")


def plainly(document: Document) -> Plain:
    """Return a document as plain readers do, with discontinuous mentions as the places of their words."""
    clusters = {
        name: [
            tuple(map(tuple, in_full(one.nodes))) if isinstance(one, Discontinuous) else one
            for one in members
        ]
        for name, members in document.clusters.items()
    }
    return plain(clusters, document.id, document.sentences or ())


def check_copy(gold: Document, system: Document, what: str) -> None:
    """Check the scores of a document and its copy: each is 1, or 0/0."""
    metrics = to_count(tuple(OF_CLUSTERS))
    options = FLAT if gold.flat != system.flat else MERGE
    measured = score_pair(Pair("d", gold, system), count_all(metrics, options), options).measured
    for metric, tallies in zip(metrics, measured.tallies, strict=True):
        check_perfect(metric.name, metric.finish(tallies), what, f"{gold} and {system}")


def check_perfect(name: str, score: AnyScore, what: str = "against itself", detail: str = "") -> None:
    """Check one score of a document against itself, or a copy."""
    if any(value.defined and float(value) != 1 for value in score):
        broken(f"{name} of a document {what} is not 1", f"{score} {detail}")
