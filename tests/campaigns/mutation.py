"""Mutation testing: do the tests notice one small mistake in the code?

Every mutant of mutants.py, or a sample of them, replaces its file in a copy of the project, and the tests of
that file run: its doctests, the test files with its name, then the others of its room, the quickest first
(tests/support/layout.py). A mutant that no test notices survives; one that runs into the time limit is
killed. Mutants that mean the same as the original are listed in equivalent_mutants.txt, each with the reason,
and are not run.

    python tests/campaigns/mutation.py --sample=200 --seed=0 --jobs=2
    python tests/campaigns/mutation.py --only='scorch2/scoring/metrics/*,scorch2/audit/*' --sample=0

Ends with 1 if the share of killed mutants is below the bar.
"""

import argparse
import fnmatch
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
from pathlib import Path
from typing import NamedTuple

sys.path.append(str(Path(__file__).parent.parent / "support"))

from dice import Dice
from layout import sources, stages_of
from mutants import Mutant, mutants

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

EQUIVALENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "equivalent_mutants.txt")
COPIED = ("scorch2", "tests", "fixtures", ".github", "pyproject.toml", "README.md", "LICENSE.md")

PATIENCE = 5
"""A mutant may take so many times as long as the original, and `GRACE` seconds more."""
GRACE = 15


class Verdict(NamedTuple):
    """A mutant, and whether it survived the tests."""

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
        if _is_chosen(path, given.only):
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
        "--only", default="*", help="patterns of the files to mutate, with commas between them"
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


def _is_chosen(path: str, only: str) -> bool:
    return any(fnmatch.fnmatch(path, pattern) for pattern in only.split(","))


def _mutants(only: str) -> list[Mutant]:
    found = []
    for path in sources(Path(ROOT)):
        if _is_chosen(path, only):
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
        seconds: dict[str, float] = {}
        stages = {path: _stages(path, home, seconds) for path in {mutant.path for mutant in chosen}}
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


def _stages(path: str, home: str, seconds: dict[str, float]) -> list[Stage]:
    """Return what tests a file, stage by stage; `seconds` holds what each test file takes unmutated."""
    named, others = stages_of(path, Path(home))
    for name in (path, *named, *others):
        if name not in seconds:
            start = time.monotonic()
            if not _passes([name], home, limit=None):
                raise SystemExit(f"mutation: without any mutant, the tests of {name} fail")
            seconds[name] = time.monotonic() - start
    groups = [group for group in ((path, *named), sorted(others, key=seconds.__getitem__)) if group]
    return [Stage(tuple(group), GRACE + PATIENCE * sum(map(seconds.__getitem__, group))) for group in groups]


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
