"""Measure scorch2 against its budgets: CPU time as ratios to other programs, and peak memory.

    python tests/benchmarks/run.py [--scales=T,S,N,L,M,X,B:5000,B:50000] [--growth] [--runs=5]
                                   [--markdown=FILE] [--plot=FILE] [--peer='S:scorer.pl=perl scorer.pl ...']

Every program is a whole process. Those to be compared take turns, and the ratio of a work is the median of
the ratios inside one turn, so that a busy machine slows both sides. All run in a bare virtual environment
that finds the packages of this interpreter and nothing else of it: neither the PYTHON* variables, nor what
.pth files import at start-up (an editable install costs as much as an empty program). Nothing is judged: the
exit status is 0 even if a budget is missed.

A peer is a scale, a name and a command, in which {corpus} stands for the folder of the corpus (gold.conll,
sys.conll, gold.conllu, sys.conllu, gold.ua, sys.ua, gold.tsv, sys.tsv, json/gold, json/sys); scorch2 is
measured against it on the same files, under the profile of that scorer for CorefUD and Universal Anaphora.

What conll2json writes goes to the temporary folder, and the disk shows: TMPDIR=/dev/shm takes it out.
"""

import argparse
import importlib.util
import math
import os
import platform
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from operator import attrgetter
from statistics import median
from typing import NamedTuple

from plot import draw
from programs import AGAINST_PEERS, BUDGETS, GROWTH, LONG, LONG_RUNS, PEER, PLOTTED, PROGRAMS, SCALES, Budget

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PEERS: dict[str, str] = {}
"""The commands of programs that are no package, by name."""


class Cost(NamedTuple):
    """The costs of a process."""

    seconds: float
    wall: float
    peak_kib: int
    status: int


class Row(NamedTuple):
    """A line of the table."""

    work: str
    cpu: str
    ratio: str
    budget: str
    peak: str
    peak_budget: str
    verdict: str


# -------------------------------------------------------------------------------------------- measuring


def bare_python(folder: str) -> str:
    """Make an environment that finds the packages of this interpreter and does not read their .pth files."""
    home = os.path.join(folder, "python")
    if not os.path.exists(home):
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
        version = "python{}.{}".format(*sys.version_info)
        packages = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
        path = os.path.join(home, "lib", version, "site-packages", "packages.pth")
        with open(path, "w", encoding="utf-8") as stream:
            stream.writelines(f"{package}\n" for package in sorted(packages))
    return os.path.join(home, "bin", "python")


def corpus(scale: str, cache: str, formats: str = "json") -> str:
    """Return the folder of a corpus, made unless this generator has made it before."""
    maker = os.path.join(HERE, "corpora.py")
    with open(maker, "rb") as stream:
        name = f"{scale.replace(':', '-')}-{formats.replace(',', '-')}-{zlib.crc32(stream.read()):08x}"
    folder = os.path.join(cache, name)
    if not os.path.exists(folder):
        say(f"making {scale}")
        unfinished = f"{folder}.part"
        shutil.rmtree(unfinished, ignore_errors=True)
        subprocess.run([sys.executable, maker, scale, unfinished, f"--formats={formats}"], check=True)
        os.rename(unfinished, folder)
    return folder


def run(python: str, program: str, folder: str) -> Cost:
    bare = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    bare["PYTHONPYCACHEPREFIX"] = f"{python}.cache"  # compiled in the first turn, wherever the source is
    with tempfile.TemporaryDirectory() as out:
        words = [word.format(corpus=folder, out=out) for word in PROGRAMS.get(program, ())]
        command = [python, *words] if words else shlex.split(PEERS[program].format(corpus=folder, out=out))
        command[0] = shutil.which(command[0]) or command[0]
        meter = [python, "-I", "-S", os.path.join(HERE, "meter.py"), *command]
        done = subprocess.run(meter, check=True, cwd=ROOT, env=bare, stdout=subprocess.PIPE, text=True)
    seconds, wall, peak, status = done.stdout.split()
    return Cost(float(seconds), float(wall), int(peak), int(status))


def in_turns(python: str, works: Iterable[tuple[str, str]], runs: int) -> dict[tuple[str, str], list[Cost]]:
    """Run programs on folders in turns, `runs` times after a first turn that does not count."""
    costs: dict[tuple[str, str], list[Cost]] = {work: [] for work in works}
    say(
        f"{runs} turns: " + ", ".join(f"{program} on {os.path.basename(folder)}" for program, folder in costs)
    )
    for turn in range(runs + 1):
        for (program, folder), done in costs.items():
            cost = run(python, program, folder)
            if turn or cost.status:
                done.append(cost)
    return costs


def say(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


# ---------------------------------------------------------------------------------------------- judging


def budget_row(budget: Budget, mine: Sequence[Cost], others: Sequence[Cost]) -> Row:
    work = f"{budget.scale}: {budget.program} / {budget.other}"
    if statuses := failed(*mine, *others):
        return Row(work, "", "", "", "", "", statuses)
    clock = attrgetter("wall" if budget.wall else "seconds")
    seconds = median(map(clock, mine))
    ratios = [clock(a) / clock(b) for a, b in zip(mine, others, strict=True)]
    added = median([clock(a) - clock(b) for a, b in zip(mine, others, strict=True)])
    peak = median([cost.peak_kib for cost in mine]) / 1024
    peak_ratio = peak * 1024 / median([cost.peak_kib for cost in others])
    limits = (
        (median(ratios), budget.ratio),
        (seconds, budget.seconds),
        (added, budget.added),
        (peak, budget.peak_mib),
        (peak_ratio, budget.peak_ratio),
    )
    return Row(
        work,
        f"{seconds:.3f} s{' of wall' if budget.wall else ''}",
        f"{median(ratios):.3g} ({min(ratios):.3g} to {max(ratios):.3g})"
        + (f", {added:+.2f} s" if budget.added else ""),
        _budget(budget.ratio, "") or _budget(budget.seconds, " s") or _budget(budget.added, " s", "+"),
        f"{peak:.0f} MiB, ×{peak_ratio:.2f}",
        _budget(budget.peak_mib, " MiB") or _budget(budget.peak_ratio, "", "×"),
        verdict(limits),
    )


def growth_row(small: str, large: str, limit: float, costs: Sequence[Sequence[Cost]]) -> Row:
    work = f"growth from {small} to {large}"
    if statuses := failed(*costs[0], *costs[1]):
        return Row(work, "", "", "", "", "", statuses)
    size = math.log(int(large.partition(":")[2]) / int(small.partition(":")[2]))
    exponents = [math.log(b.seconds / a.seconds) / size for a, b in zip(*costs, strict=True)]
    return Row(
        work,
        f"{median([cost.seconds for cost in costs[1]]):.3f} s",
        f"exponent {median(exponents):.2f} ({min(exponents):.2f} to {max(exponents):.2f})",
        _budget(limit, ""),
        f"{median([cost.peak_kib for cost in costs[1]]) / 1024:.0f} MiB",
        "",
        verdict([(median(exponents), limit)]),
    )


def failed(*costs: Cost) -> str:
    statuses = sorted({str(cost.status) for cost in costs if cost.status})
    return f"**failed** (exit status {', '.join(statuses)})" if statuses else ""


def verdict(limits: Iterable[tuple[float, float | None]]) -> str:
    checked = [found <= limit for found, limit in limits if limit is not None]
    return ("OK" if all(checked) else "**over**") if checked else ""


def _budget(limit: float | None, unit: str, sign: str = "") -> str:
    return "" if limit is None else f"{sign}{limit:g}{unit}"


def table(rows: Iterable[Row], runs: int) -> str:
    heads = Row("work", "CPU", "ratio", "budget", "peak", "budget", "")
    machine = f"{platform.python_implementation()} {platform.python_version()}, {platform.platform()}"
    lines = [f"{machine}; medians of {runs} turns ({min(runs, LONG_RUNS)} for {', '.join(LONG)})", ""]
    lines += [f"| {' | '.join(cells)} |" for cells in (heads, ["---"] * len(heads), *rows)]
    return "\n".join(lines) + "\n"


# ------------------------------------------------------------------------------------------------ the run


def budget_rows(python: str, scale: str, cache: str, runs: int, budgets: Sequence[Budget]) -> list[Row]:
    has_peer = importlib.util.find_spec(PEER) is not None
    budgets = [each for each in budgets if each.scale == scale and (has_peer or PEER not in each.other)]
    if not budgets:
        say(f"no budget for {scale} (known: {', '.join(SCALES)}; K, M and D are for --growth)")
        return []
    used = [name for budget in budgets for name in (budget.program, budget.other)]
    words = " ".join(word for name in used for word in PROGRAMS.get(name, (PEERS.get(name, ""),)))
    formats = ["json", *(form for form in ("conll", "conllu", "ua", "tsv") if f"gold.{form}" in words)]
    folder = corpus(scale, cache, ",".join(formats))
    costs = in_turns(python, [(name, folder) for name in dict.fromkeys(used)], turns(scale, runs))
    return [
        budget_row(budget, costs[budget.program, folder], costs[budget.other, folder]) for budget in budgets
    ]


def growth_rows(python: str, cache: str, runs: int) -> list[Row]:
    rows = []
    for small, large, limit in GROWTH:
        works = [("scorch2", corpus(scale, cache)) for scale in (small, large)]
        costs = in_turns(python, works, turns(large, runs))
        rows.append(growth_row(small, large, limit, [costs[work] for work in works]))
    return rows


def peer_budget(text: str) -> Budget:
    """Return what ``SCALE:NAME=COMMAND`` asks for, and remember the command."""
    head, _, command = text.partition("=")
    scale, _, name = head.rpartition(":")
    if not (scale and name and command):
        raise SystemExit(f"--peer is SCALE:NAME=COMMAND, not {text}")
    PEERS[name] = command
    files = (ours for file, ours in AGAINST_PEERS.items() if f"{file} " in f"{command} ")
    program, ratio = next(files, ("scorch2", None))
    return Budget(scale, program, name, ratio)


def turns(scale: str, runs: int) -> int:
    return min(runs, LONG_RUNS) if scale in LONG else runs


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scales", default=",".join(SCALES), help="which, of: %(default)s; empty for none")
    parser.add_argument("--growth", action="store_true", help="also how CPU time grows with the input")
    parser.add_argument("--runs", type=int, default=5, help="turns (default: %(default)s)")
    parser.add_argument("--markdown", metavar="FILE", help="where the table goes besides standard output")
    parser.add_argument("--plot", metavar="FILE", help="draw CPU time against mentions (PNG, SVG or PDF)")
    parser.add_argument("--peer", action="append", default=[], help="SCALE:NAME=COMMAND, repeatable")
    parser.add_argument("--cache", metavar="FOLDER", help="where corpora stay (default: a temporary folder)")
    given = parser.parse_args()
    if given.plot and importlib.util.find_spec("matplotlib") is None:
        parser.error("--plot needs matplotlib: install the extra with pip install '.[plot]'")
    budgets = [*BUDGETS, *map(peer_budget, given.peer)]
    with tempfile.TemporaryDirectory() as temporary:
        cache = os.path.abspath(given.cache or temporary)
        python = bare_python(temporary)
        rows = [
            row
            for scale in filter(None, given.scales.split(","))
            for row in budget_rows(python, scale, cache, given.runs, budgets)
        ]
        if given.growth:
            rows += growth_rows(python, cache, given.runs)
        if given.plot:
            works = [(name, corpus(scale, cache)) for scale in PLOTTED for name in ("scorch2", "floor")]
            costs = in_turns(python, works, min(given.runs, LONG_RUNS))
            draw(given.plot, [(work[0], median([c.seconds for c in each])) for work, each in costs.items()])
    text = table(rows, given.runs)
    print(text, end="")
    if given.markdown:
        with open(given.markdown, "w", encoding="utf-8") as stream:
            stream.write(text)


if __name__ == "__main__":
    main()
