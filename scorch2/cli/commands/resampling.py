"""Commands that resample documents, as neleval's do: intervals of one system, and tests of each pair."""

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from scorch2.analysis.bootstrap import ConfidenceReport, levels
from scorch2.analysis.paired_tests import SignificanceReport, compare_pairs
from scorch2.api import requests
from scorch2.audit.judge import comparable_systems
from scorch2.cli import outputs, usage
from scorch2.cli.options import chosen_engine, names_of, typed, typed_inputs
from scorch2.cli.usage import WORKER_USAGE
from scorch2.formats.table import format_names
from scorch2.model.errors import Notice, UsageError
from scorch2.model.forms import forms_of
from scorch2.model.options import ALL, separated
from scorch2.model.results import COUNTS
from scorch2.model.score import Sampling
from scorch2.model.settings import OfNeleval, OfTest, rows_of
from scorch2.scoring.flow import score_paths
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.report import Report
from scorch2.tasks.linking.leaderboards import COLUMNS
from scorch2.tasks.linking.measures import GROUPS, MEASURES
from scorch2.workers.engine import keeping_gold

RESAMPLING_CHOICES = {"--metrics": (*COLUMNS, *COUNTS), "--metric": (ALL, *METRICS, *MEASURES, *GROUPS)}
"""The values that completion offers for the options of both commands."""
_LINKING = format_names(lambda row: row.linking)

_METRICS = (
    "metrics of scorch2 score, or measures of scorch2 evaluate, separated by commas (repeatable); by default "
    f"those of score, or strong_all_match if gold is in a format of entity linking ({', '.join(_LINKING)})"
)
RESAMPLING_USAGE = f"""\
{usage.option_lines("-m, --metric=<name>", _METRICS)}
  --metrics=<list>          precision,recall,fscore: what is shown of each; ptp,fp,rtp,fn are the
                            counts of measures
{usage.option_lines("-n, --trials=<n>", rows_of(OfNeleval)["trials"].row.what)}
{usage.setting_options("seed", "resample")}
{usage.scoring_options()}
{usage.profile_option("as in scorch2 score")}
{usage.input_options()}
  --type-weights=<file>     what types that differ are worth (measures of linking)
{WORKER_USAGE}"""
_ONE_PROCESS = {"stored": "stored reports are scored already", "linking": "linking is scored by one process"}
"""By what the systems are."""


class Resampling(NamedTuple):
    """Everything that the words of a run ask for, checked before anything is read."""

    systems: Sequence[str]
    report_of: Callable[[str], Report]  # from a system's path to its report
    parts: tuple[str, ...]
    sampling: Sampling
    reports: outputs.Reports
    notices: Sequence[Notice]  # warnings about options that change nothing

    def write(self, report: ConfidenceReport | SignificanceReport) -> int:
        """Write what was found and return the exit status."""
        self.reports.write(report, [*self.notices, *report.notices])
        return 0


def resampling_request(given: dict[str, Any], shown_as: str, systems: Sequence[str]) -> Resampling:
    """Return what the options of `RESAMPLING_USAGE` ask for, checked."""
    drawn = requests.sampling(requests.WORDS, given, OfNeleval)
    parts = requests.DEFAULT_PARTS if given["--metrics"] is None else requests.parts_of(given["--metrics"])
    options = {**typed(given, requests.TYPED), **typed_inputs(given)}
    counts = [part for part in parts if part in COUNTS]
    against = requests.Against(requests.WORDS, given["--gold"], separated(given["--metric"]), options, counts)
    kind = against.kind()
    idle = []
    if kind != "coreference" and given["--jobs"] is not None:
        # it is no error since scripts for neleval have it
        idle.append(Notice("jobs", "", f"--jobs changes nothing: {_ONE_PROCESS[kind]}"))
    score = chosen_engine(given) if kind == "coreference" else score_paths
    if shown_as == "significance":  # of several systems
        score = keeping_gold(score)
    reports = outputs.reports_request(given, shown_as, [given["--gold"], given["--type-weights"], *systems])
    report_of = against.reports(kind, partial(score, watch=reports.watch))
    return Resampling(systems, report_of, parts, drawn, reports, idle)


CONFIDENCE_USAGE = f"""Percentile bootstrap over documents: intervals for every score of one system.

Usage:
  scorch2 confidence [options] [--] <sys> [<out-file>]

  <sys>         a file or folder to score against --gold, or a JSON report of scorch2 without it

Options:
  -g, --gold=<path>         the gold file or folder
{RESAMPLING_USAGE}
  -p, --percentiles=<list>  levels in percent (default 90,95,99)
  -f, --format=<name>       tab (neleval's columns), table, json, markdown, none; if absent, json or
                            markdown for a file called .json or .md, else tab
{usage.output_options("where the report goes, instead of <out-file>")}

Other:
{usage.other_options("no warnings", strict=True)}

The same trials serve all levels. Intervals are Weibull quantiles.

Every format but none says the number of trials, the seed, the average and the version: tab in a
last line that starts with "#", json under "run" in every entry.
"""
CONFIDENCE_CHOICES = {"--format": forms_of("confidence"), **RESAMPLING_CHOICES}


def run_confidence(given: dict[str, Any]) -> int:
    """Resample what `given` names and return the exit status."""
    typed = "90,95,99" if given["--percentiles"] is None else given["--percentiles"]
    percents = requests.levels_of(requests.WORDS, typed.split(","))
    if given["--gold"] is None and given["<out-file>"] is not None and os.path.isdir(given["<out-file>"]):
        raise UsageError("gold is named with -g: scorch2 confidence -g <gold> <sys>")
    asked = resampling_request(given, "confidence", [given["<sys>"]])
    report = asked.report_of(given["<sys>"])
    intervals = levels(report, percents, asked.sampling)
    return asked.write(ConfidenceReport(report, intervals, asked.parts))


SIGNIFICANCE_USAGE = f"""Paired test of every pair of systems, documents paired by name.

Usage:
  scorch2 significance [options] [--] <sys> <sys>...

  <sys>         files or folders to score against --gold, or JSON reports of scorch2 without it

Options:
  -g, --gold=<path>         the gold file or folder
{RESAMPLING_USAGE}
  --one-sided               count only differences in the direction of the observed one, as
                            neleval does
  --two-sided               count differences in both directions (the default)
{usage.setting_options("test")}
  --holm                    add p-values corrected for the number of pairs
  --permute                 accepted for neleval's scripts; changes nothing
  -f, --format=<name>       tab (default, neleval's columns), table, json, markdown, none
{usage.output_options("where the report goes; standard output if absent or -")}

Other:
{usage.other_options("no warnings", strict=True)}

Approximate randomisation: each trial exchanges the two systems in documents chosen at random. p =
(hits + 1) / (trials + 1); hits are the trials with a difference as large as the observed one. Where
there are fewer permutations than trials, all of them are tried and p is exact. The bootstrap draws
documents instead, the same for both systems; hits are the trials whose difference is as far from
the observed one as that is from 0. The interval is that of the difference, at 95 percent, over
bootstrap resamples of the documents.

Every format but none says the side, the number of permutations, the seed, the average and the
version: tab in a last line that starts with "#", json under "run" in every entry.
"""
SIGNIFICANCE_CHOICES = {"--format": forms_of("significance"), **RESAMPLING_CHOICES}


def run_significance(given: dict[str, Any]) -> int:
    """Compare the systems that `given` names and return the exit status."""
    asked, tested = significance_request(given)
    reports = comparable_systems({path: asked.report_of(path) for path in asked.systems})
    compared = compare_pairs(reports, asked.sampling, **tested)
    return asked.write(SignificanceReport(compared, reports, asked.parts))


def significance_request(given: dict[str, Any]) -> tuple[Resampling, dict[str, Any]]:
    """Return what `given` asks for, and how pairs are tested."""
    systems = given["<sys>"]
    if given["--gold"] == "-" and len(systems) > 1:
        raise UsageError("gold cannot be standard input: it is read for every system")
    asked = resampling_request(given, "significance", systems)
    tested = requests.checked_settings(requests.WORDS, OfTest, given)
    if given["--one-sided"] and given["--two-sided"]:
        raise UsageError("--one-sided and --two-sided exclude each other")
    if given["--holm"] and asked.reports.targets[0].form == "tab":
        raise UsageError(
            "--holm is shown by --format=table, json and markdown: neleval's columns have no place"
        )
    names_of((), systems, "system")  # of which no two are one
    return asked, {"two_sided": not given["--one-sided"], "correct": given["--holm"], **tested}
