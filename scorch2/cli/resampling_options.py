"""Options, checks and warnings shared by `confidence` and `significance`."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from scorch2.api import systems
from scorch2.cli import input_options, output, usage, worker_options
from scorch2.formats.table import format_names
from scorch2.linking.leaderboards import COLUMNS
from scorch2.linking.measures import GROUPS, MEASURES
from scorch2.model.errors import Notice, UsageError
from scorch2.model.options import ALL, interval_level, separated, whole_value
from scorch2.model.score import COUNTS
from scorch2.reports import form_of
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.report import Report

CHOICES = {"--metrics": (*COLUMNS, *COUNTS), "--metric": (ALL, *METRICS, *MEASURES, *GROUPS)}
"""The values that completion offers for the options of both commands."""
_LINKING = format_names(lambda row: row.linking)

_METRICS = (
    "metrics of scorch2 score, or measures of scorch2 evaluate, separated by commas (repeatable); by default "
    f"those of score, and strong_all_match where gold is made for entity linking ({', '.join(_LINKING)})"
)
USAGE = f"""\
{usage.lines("-m, --metric=<name>", _METRICS)}
  --metrics=<list>          precision,recall,fscore: what is shown of each; ptp,fp,rtp,fn are the
                            counts of measures
  -n, --trials=<n>          number of bootstrap samples or permutations (default 2500)
  --seed=<n>                seed of the random numbers (default 0)
{usage.scoring_options()}
{usage.profile_option("as in scorch2 score")}
{input_options.USAGE}
  --type-weights=<file>     what types that differ are worth (measures of linking)
{worker_options.USAGE}"""
_NO_DASK = {
    "stored": "needs --gold: a stored report is scored already",
    "linking": "is for coreference metrics: linking adds up counts over documents",
}
"""By what the systems are."""


class Request(NamedTuple):
    """The options of a command, checked."""

    reports: Callable[[str], Report]
    """From a system's path to its report."""
    parts: tuple[str, ...]
    trials: int
    seed: int
    form: str
    notices: Sequence[Notice]
    """Warnings about options that change nothing."""


def request(given: dict[str, Any], formats: Sequence[str]) -> Request:
    """Return what the options of `USAGE` ask for, checked.

    Raises
    ------
    UsageError
        For values that make no sense, and for options of scoring without gold.
    """
    form = form_of(given["--format"], output.named(given), formats)
    trials = whole_value(given["--trials"], "--trials", systems.TRIALS, least=1)
    seed = whole_value(given["--seed"], "--seed", 0, least=0)
    parts = _parts(given["--metrics"])
    counts = [part for part in parts if part in COUNTS]
    reports, notices = _reports(given, counts)
    return Request(reports, parts, trials, seed, form, notices)


def _reports(
    given: dict[str, Any], counts: Sequence[str]
) -> tuple[Callable[[str], Report], Sequence[Notice]]:
    """Return a reader of stored reports, or a scorer against gold; and warnings."""
    typed = {**{name: given[_spelled(name)] for name in systems.TYPED}, **input_options.inputs(given)}
    names = separated(given["--metric"])
    against = systems.Against(given["--gold"], names, typed, counts, _spelled)
    kind = against.kind()
    if kind == "coreference":
        return against.reports(kind, worker_options.chosen_engine(given)), ()
    if given["--dask"] is not None:
        raise UsageError(f"--dask {_NO_DASK[kind]}")
    why = "stored reports are scored already" if kind == "stored" else "linking is scored by one process"
    # it is no error since scripts for neleval have it
    idle = [] if given["--jobs"] is None else [Notice("jobs", "", f"--jobs changes nothing: {why}")]
    return against.reports(kind), idle


def _spelled(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def percentiles(text: str | None) -> list[float]:
    """Return levels in percent, lowest first."""
    return sorted(
        {interval_level(word, "--percentiles") for word in ("90,95,99" if text is None else text).split(",")}
    )


def _parts(text: str | None) -> tuple[str, ...]:
    return systems.DEFAULT_PARTS if text is None else systems.parts_of(text)
