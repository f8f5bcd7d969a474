"""scorch2 confidence: how far the scores of one system vary over documents, as neleval's command."""

from collections.abc import Sequence

from scorch2.cli import console, neleval, output, resampling_options
from scorch2.resampling.bootstrap import few_documents, levels
from scorch2.resampling.text import INTERVAL_FORMS, render_intervals

USAGE = f"""Percentile bootstrap over documents: intervals for every score of one system.

Usage:
  scorch2 confidence [options] [--] <sys> [<out-file>]

  <sys>         a file or folder to score against --gold, or a JSON report of scorch2 without it

Options:
  -g, --gold=<path>         the gold file or folder
{resampling_options.USAGE}
  -p, --percentiles=<list>  levels in percent (default 90,95,99)
  -f, --format=<name>       tab (neleval's columns), table, json, markdown, none; if absent, json or
                            markdown for a file called .json or .md, else tab
  -o, --output=<file>       where the report goes, instead of <out-file>
  --force                   overwrite a file even if it is a document or read-only

Other:
  -q, --quiet               no warnings
  --debug                   show where an error came from
  -h, --help                show this text

The same trials serve all levels. Intervals are Weibull quantiles.

Every format but none says the number of trials, the seed, the average and the version: tab in a
last line that starts with "#", json under "run" in every entry.
"""
CHOICES = {"--format": INTERVAL_FORMS, **resampling_options.CHOICES}


def run(words: Sequence[str]) -> int:
    """Resample what `words` name and return the exit status."""
    given = neleval.parse(USAGE, words)
    asked = resampling_options.request(given, INTERVAL_FORMS)
    percents = resampling_options.percentiles(given["--percentiles"])
    gold, system = given["--gold"], given["<sys>"]
    target = output.report_target(given, [gold, system, given["--type-weights"]])
    report = asked.reports(system)
    found = levels(report, percents, asked.trials, asked.seed)
    output.write(target, render_intervals(report, found, asked.parts, asked.form))
    if not given["--quiet"]:
        console.warn([*asked.notices, *report.notices, *few_documents(report, "trials")])
    return 0
