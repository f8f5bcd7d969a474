"""Facts behind resampled figures (seed, trials, options), for every form of output."""

from collections.abc import Sequence
from typing import TypeAlias

from scorch2.model.errors import escaped
from scorch2.scoring.report import Report
from scorch2.version import __version__

Facts: TypeAlias = dict[str, str | int]
"""By name, in the order in which they are shown."""


def facts(report: Report, **run: str | int) -> Facts:
    """Return the version, how the scores were made, and how documents were drawn or swapped.

    Parameters
    ----------
    report : Report
        What is resampled; the options that differ from the default are named, the average always.
    **run
        Trials or permutations, the seed and what else changes the figures.
    """
    made = {"average": report.options.average, **report.options.changed(), **dict(report.facts)}
    return {"version": __version__, **made, "documents": len(report.documents), **run}


def merged(runs: Sequence[Facts]) -> Facts:
    """Return facts that hold for several runs; where they differ, their values with ``/`` between them.

    >>> merged([{"seed": 0, "permutations": 8}, {"seed": 0, "permutations": 16}])
    {'seed': 0, 'permutations': '8/16'}
    """
    values = {name: list(dict.fromkeys(run.get(name, "") for run in runs)) for name in runs[0]}
    return {name: some[0] if len(some) == 1 else "/".join(map(str, some)) for name, some in values.items()}


def line(found: Facts) -> str:
    """Return facts as one line, as the signature of a report has them.

    >>> line({"version": "1.0.0", "average": "pooled", "trials": 2500, "seed": 0})
    'scorch2 1.0.0 | average=pooled | trials=2500 | seed=0'
    """
    others = [f"{name}={value}" for name, value in found.items() if name != "version"]
    return escaped(" | ".join([f"scorch2 {found['version']}", *others]))


def comment(found: Facts) -> str:
    """Return the last line of tab-separated text: scripts that look for a row by its name pass over it."""
    return remark(line(found))


def remark(text: str) -> str:
    """Return a line of tab-separated text that is no row; nothing for no text."""
    return f"# {escaped(text)}\n" if text else ""
