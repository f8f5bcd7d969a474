"""Faults from outside: full disks, limits on files, SIGINT at random moments. Used by faults.py."""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from typing import IO, NamedTuple

from dice import Dice
from fault_scenarios import OLD, SCENARIOS, State, difference, state, write
from findings import Finding
from random_corpora import clusters_json, pair

LIMITS = (0, 1, 50, 100, 150)
"""Bytes that no file may exceed; every report is longer."""
LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), resource.RLIM_INFINITY))
from scorch2.cli.main import main
sys.exit(main(sys.argv[2:]))
"""
SMALL_FILE_SYSTEM = """
mount -t tmpfs -o size=8k tmpfs "$1" || exit
cd "$1" && shift && printf old > report
"$@"; echo "exit $?"; ls -A; cat report
"""
MAIN = re.compile(r"\bmain\.py\W+line \d+, in main\b")
"""In a traceback: the interrupt came when Python and the package had started and could have caught it."""
INTERRUPTED = (130, -signal.SIGINT)
"""The second: killed before Python had set up its handler, which a shell calls 130, too."""


class Tried(NamedTuple):
    """The findings of a part of the campaign, and its figures."""

    findings: list[Finding]
    figures: str


def file_limits() -> Tried:
    """Run every scenario in processes whose files may not grow beyond a limit: writes end in the middle."""
    findings = []
    for scenario in SCENARIOS:
        for limit in LIMITS:
            with tempfile.TemporaryDirectory() as folder:
                words = scenario.prepare(folder)
                before = state(folder)
                done = _run([sys.executable, "-c", LIMITED, str(limit), *words])
                problem = _refusal(done, before, state(folder))
                if problem:
                    kind = f"{scenario.name}, files limited: {problem}"
                    findings.append(Finding(kind, f"{limit} bytes: {done.stderr}", {}))
    return Tried(findings, f"{len(SCENARIOS) * len(LIMITS)} limits on files")


def full_device() -> Tried:
    """Write a report to a device without space, as a file and as standard output."""
    if not os.path.exists("/dev/full"):
        return Tried([], "no /dev/full here")
    findings = []
    with tempfile.TemporaryDirectory() as folder, open("/dev/full", "wb") as full:
        words = SCENARIOS[0].prepare(folder)
        before = state(folder)
        for target, stdout in (("/dev/full", subprocess.PIPE), ("-", full)):
            words[-1] = target
            done = _run([sys.executable, "-m", "scorch2", *words], stdout)
            problem = _refusal(done, before, state(folder))
            if problem:
                findings.append(Finding(f"/dev/full as {target}: {problem}", done.stderr, {}))
    return Tried(findings, "2 times /dev/full")


def small_file_system() -> Tried:
    """Write a long report over an old one on a file system of 8 KB, if a user may make one here."""
    with tempfile.TemporaryDirectory() as folder:
        sides = _corpus(folder, 60)
        mounted = os.path.join(folder, "mounted")
        os.mkdir(mounted)
        command = [sys.executable, "-m", "scorch2", "--format=json", *sides, "report"]
        shell = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", SMALL_FILE_SYSTEM, "sh"]
        try:
            done = _run([*shell, mounted, *command])
        except FileNotFoundError:
            return Tried([], "no unshare here, so no small file system")
    if "exit" not in done.stdout:
        return Tried([], "no small file system can be made here")
    kind = "a full file system"
    wrong = done.stdout != "exit 2\nreport\nold" or done.stderr.count("\n") != 1
    findings = [Finding(kind, f"{done.stdout!r} {done.stderr!r}", {})] if wrong else []
    return Tried(findings, "1 full file system")


def interrupts(trials: int, dice: Dice) -> Tried:
    """Send SIGINT to a process that scores a corpus, at random moments of its life."""
    findings = []
    ends: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        sides = _corpus(folder, 400)
        home = os.path.join(folder, "home")
        os.mkdir(home)
        report = os.path.join(home, "report")
        words = [sys.executable, "-m", "scorch2", "--format=json", *sides, report]
        start = time.monotonic()
        _run(words)
        life = time.monotonic() - start
        complete = state(home)
        for trial in range(trials):
            os.unlink(report) if os.path.exists(report) else None
            before = state(home)
            if trial % 2:
                write(report, OLD)
                before = state(home)
            moment = life * dice.below(1100) / 1000
            end, problem, said = _interrupted(words, moment, home, before, complete)
            ends[end] += 1
            if problem:
                findings.append(Finding(f"SIGINT: {problem}", f"after {moment:.3f} s: {said}", {}))
    shown = ", ".join(f"{number} {end}" for end, number in sorted(ends.items()))
    return Tried(findings, f"{trials} SIGINT ({shown})")


def _interrupted(
    words: Sequence[str], moment: float, home: str, before: State, complete: State
) -> tuple[str, str, str]:
    """Return how a process ended, what is wrong with that, and what it said."""
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        time.sleep(moment)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    after = state(home)
    early = not MAIN.search(said) and ("Fatal Python error: init" in said or "Traceback" in said)
    end = "before main" if early else f"with status {process.returncode}"
    if not early and process.returncode not in (0, *INTERRUPTED):
        return end, f"status {process.returncode}", said
    if process.returncode == 0 and after != complete:
        return end, "status 0 without the complete report", difference(complete, after)
    if process.returncode and after not in (before, complete):
        return end, "neither the old nor the new report", difference(before, after)
    if "Traceback" in said and not early:
        return end, "a traceback", " / ".join(said.splitlines()[-3:])
    return end, "", said


def _corpus(folder: str, documents: int) -> tuple[str, str]:
    """Write a gold and a system folder."""
    dice = Dice(3)
    gold, system = os.path.join(folder, "gold"), os.path.join(folder, "sys")
    os.mkdir(gold)
    os.mkdir(system)
    for number in range(documents):
        for side, clusters in zip((gold, system), pair(dice, 60, 15), strict=True):
            write(os.path.join(side, f"{number}.json"), clusters_json(clusters, 60, dice))
    return gold, system


def _run(
    words: Sequence[str], stdout: int | IO[bytes] = subprocess.PIPE
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, check=False, stdout=stdout, stderr=subprocess.PIPE, text=True)


def _refusal(done: "subprocess.CompletedProcess[str]", before: State, after: State) -> str:
    """Return what is wrong with a process that could not write, or nothing."""
    if done.returncode != 2:  # the status of an error
        return f"status {done.returncode}"
    if before != after:
        return difference(before, after)
    if done.stderr.count("\n") != 1 or not done.stderr.startswith("scorch2: error: "):
        return "not one line of error"
    return ""
