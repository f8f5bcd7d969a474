"""Mutation testing: do the tests notice one small mistake in a metric, a reader or what lies between?

Every mutant of mutants.py, or a sample of them, replaces its file in a copy of the project, and the fast
tests of that part run: a first stage that finds most mistakes, then the others. A mutant that no test notices
survives; one that runs into the time limit is killed. Mutants that mean the same as the original are listed
in equivalent_mutants.txt, each with the reason, and are not run.

    python tests/campaigns/mutation.py --sample=200 --seed=0 --jobs=2
    python tests/campaigns/mutation.py --only='scorch2/metrics/*' --sample=0

Ends with 1 if the share of killed mutants is below the bar.
"""

import argparse
import fnmatch
import glob
import os
import queue
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from dice import Dice
from mutants import Mutant, mutants

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EQUIVALENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "equivalent_mutants.txt")
COPIED = ("scorch2", "tests", "fixtures", "pyproject.toml", "README.md", "LICENSE.md")

COUNTING = (
    ("tests/test_reference_cases.py", "tests/test_worked_examples.py"),
    ("tests/test_averages.py", "tests/test_assignment.py", "tests/test_metrics*.py"),
    ("tests/test_exact.py", "tests/test_metric_properties.py"),
)
READING = (
    ("tests/test_formats*.py", "tests/test_matching*.py", "tests/test_refusals.py"),
    ("tests/test_*json*.py", "tests/test_conll_reference.py", "tests/test_conll_oracle.py"),
    ("tests/test_bad_input.py",),
    ("tests/test_pairing.py", "tests/test_library.py"),
    ("tests/test_convert.py", "tests/test_convert_round_trips.py", "tests/test_converter.py"),
)
REFERENCE = (("tests/test_conll*.py", "tests/test_refusals.py"),)
LINKING = (("tests/test_evaluation.py", "tests/test_linking.py", "tests/test_catalogue.py"),)
STAGES = {
    "scorch2/formats/conll_reference.py": REFERENCE,
    "scorch2/formats/pieces.py": (("tests/test_parallel.py",),),
    "scorch2/formats/are_*.py": (("tests/test_are*.py",),),
    "scorch2/formats/annotations_tsv.py": (("tests/test_annotations.py", "tests/test_linking.py"),),
    "scorch2/linking/*.py": LINKING,
    "scorch2/measures/*.py": LINKING,
    "scorch2/resolution/*.py": (("tests/test_are*.py",),),
    "scorch2/matching/reference.py": REFERENCE,
    "scorch2/metrics/reference.py": REFERENCE,
    "scorch2/metrics/*.py": COUNTING,
    "scorch2/contingency.py": COUNTING,
    "scorch2/tally.py": COUNTING,
    "scorch2/assignment.py": COUNTING,
    "scorch2/averages.py": COUNTING,
    "scorch2/formats/*.py": READING,
    "scorch2/matching/*.py": READING,
}
"""The files that are mutated and their tests, stage by stage; the first pattern that fits a file counts.

A pattern of tests that fits no file is left out.
"""
PATIENCE = 5
"""A mutant may take so many times as long as the original, and `GRACE` seconds more."""
GRACE = 15


class Verdict(NamedTuple):
    """What became of a mutant."""

    mutant: Mutant
    survived: bool


class Stage(NamedTuple):
    """Test files that run together, and how long they may take."""

    files: tuple[str, ...]
    limit: float


def main() -> int:
    given = _arguments()
    start = time.monotonic()
    known = _equivalent()
    every = _mutants(given.only)
    chosen = [mutant for mutant in every if _key(mutant) not in known]
    equivalent = len(every) - len(chosen)
    if given.sample:
        chosen = sorted(Dice(given.seed).shuffled(chosen)[: given.sample])
    verdicts = _verdicts(chosen, given.jobs)
    for mutant, survived in verdicts:
        if survived:
            print(f"SURVIVED {mutant.path}:{mutant.line} {mutant.function}")
            print(f"  - {mutant.before}\n  + {mutant.after}")
    for path, function, before, after in sorted(known - {_key(mutant) for mutant in every}):
        if fnmatch.fnmatch(path, given.only):
            print(f"no mutant any more: {path} {function}: {before} → {after}")
    killed = sum(not verdict.survived for verdict in verdicts)
    share = 100 * killed / max(1, len(verdicts))
    seconds = time.monotonic() - start
    print(
        f"mutation: {killed} of {len(verdicts)} killed ({share:.1f} %), {len(verdicts) - killed} survived; "
        f"{len(every)} mutants, {equivalent} of them equivalent; {seconds:.0f} s"
    )
    return 1 if share < given.bar else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "--sample", type=int, default=200, help="how many mutants, drawn at random; 0 for all"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--only", default="*", help="pattern of the files to mutate, such as scorch2/metrics/*"
    )
    parser.add_argument("--bar", type=float, default=90.0, help="percentage that must be killed")
    return parser.parse_args()


def _key(mutant: Mutant) -> tuple[str, str, str, str]:
    return mutant.path, mutant.function, mutant.before, mutant.after


def _equivalent() -> set[tuple[str, ...]]:
    """Read the list: path, function, before, after and the reason, separated by tabs."""
    with open(EQUIVALENT, encoding="utf-8") as stream:
        rows = [line.rstrip("\n").split("\t") for line in stream if line.strip() and line[0] != "#"]
    for row in rows:
        if len(row) != 5 or not row[4]:  # four to find it by, and the reason
            raise SystemExit(f"mutation: {EQUIVALENT}: not path, function, before, after, reason: {row}")
    return {tuple(row[:4]) for row in rows}


def _paths() -> list[str]:
    found = {path for pattern in STAGES for path in glob.glob(pattern, root_dir=ROOT)}
    return sorted(path.replace(os.sep, "/") for path in found)


def _mutants(only: str) -> list[Mutant]:
    found = []
    for path in _paths():
        if fnmatch.fnmatch(path, only):
            with open(os.path.join(ROOT, path), encoding="utf-8") as stream:
                found += mutants(path, stream.read())
    return found


def _verdicts(chosen: Sequence[Mutant], jobs: int) -> list[Verdict]:
    """Try mutants in copies of the project, one copy for each job."""
    with tempfile.TemporaryDirectory(prefix="scorch2-mutation-") as folder:
        homes: queue.SimpleQueue[str] = queue.SimpleQueue()
        for number in range(jobs):
            homes.put(_copy(os.path.join(folder, str(number))))
        home = homes.get()
        stages = {path: _stages(path, home) for path in {mutant.path for mutant in chosen}}
        homes.put(home)

        def attempt(mutant: Mutant) -> Verdict:
            home = homes.get()
            try:
                return Verdict(mutant, _survives(mutant, home, stages[mutant.path]))
            finally:
                homes.put(home)

        with ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(attempt, chosen))


def _copy(home: str) -> str:
    """Copy the project and check that the copy is what tests would import."""
    os.mkdir(home)
    for name in COPIED:
        source, target = os.path.join(ROOT, name), os.path.join(home, name)
        if os.path.isdir(source):
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        elif os.path.exists(source):
            shutil.copy2(source, target)
    words = [sys.executable, "-c", "import scorch2; print(scorch2.__file__)"]
    done = subprocess.run(
        words, check=True, capture_output=True, text=True, cwd=os.path.dirname(home), env=_environment(home)
    )
    if not os.path.samefile(done.stdout.strip(), os.path.join(home, "scorch2", "__init__.py")):
        raise SystemExit(f"mutation: tests would import {done.stdout.strip()} instead of the mutants")
    return home


def _environment(home: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": home, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}


def _stages(path: str, home: str) -> list[Stage]:
    """Return the tests of a file that are there, its own doctests first, and how long they take unmutated."""
    patterns = [pattern for pattern in STAGES if fnmatch.fnmatch(path, pattern)]
    stages = []
    for number, files in enumerate(STAGES[patterns[0]]):
        present = tuple(sorted(name for pattern in files for name in glob.glob(pattern, root_dir=home)))
        present = (path, *present) if number == 0 else present
        if present:
            start = time.monotonic()
            if not _passes(present, home, limit=None):
                raise SystemExit(f"mutation: without any mutant, the tests fail: {' '.join(present)}")
            stages.append(Stage(present, GRACE + PATIENCE * (time.monotonic() - start)))
    return stages


def _survives(mutant: Mutant, home: str, stages: Sequence[Stage]) -> bool:
    path = os.path.join(home, mutant.path)
    with open(path, encoding="utf-8") as stream:
        original = stream.read()
    try:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(mutant.source)
        return all(_passes(stage.files, home, stage.limit) for stage in stages)
    finally:
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(original)


def _passes(files: Sequence[str], home: str, limit: float | None) -> bool:
    """Run test files; failing, breaking and taking too long are all the same."""
    words = [sys.executable, "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider"]
    with subprocess.Popen(
        [*words, *files],
        cwd=home,
        env=_environment(home),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        try:
            return process.wait(limit) in (0, 5)  # 5: no doctest in the file, and no other test
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return False


if __name__ == "__main__":
    sys.exit(main())
