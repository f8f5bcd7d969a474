"""scorch2 significance: test every pair of systems against each other, as neleval's command."""

from collections.abc import Sequence
from functools import partial

from scorch2.analysis.paired_tests import TESTS, SignificanceReport, compare_pairs
from scorch2.api.requests import test_of
from scorch2.audit.comparable import comparable_systems
from scorch2.cli import arguments, console, neleval, output
from scorch2.cli.commands.confidence import RESAMPLING_CHOICES, RESAMPLING_USAGE, resampling_request
from scorch2.model.errors import UsageError, shown_path
from scorch2.model.forms import forms_of, render

USAGE = f"""Paired test of every pair of systems, documents paired by name.

Usage:
  scorch2 significance [options] [--] <sys> <sys>...

  <sys>         files or folders to score against --gold, or JSON reports of scorch2 without it

Options:
  -g, --gold=<path>         the gold file or folder
{RESAMPLING_USAGE}
  --one-sided               count only differences in the direction of the observed one, as
                            neleval does
  --two-sided               count differences in both directions (the default)
{arguments.test_option()}
  --holm                    add p-values corrected for the number of pairs
  --permute                 accepted for neleval's scripts; changes nothing
  -f, --format=<name>       tab (default, neleval's columns), table, json, markdown, none
{arguments.output_options("where the report goes; standard output if absent or -")}

Other:
{arguments.other_options("no warnings", strict=True)}

Approximate randomisation: each trial exchanges the two systems in documents chosen at random. p =
(hits + 1) / (trials + 1); hits are the trials with a difference as large as the observed one. Where
there are fewer permutations than trials, all of them are tried and p is exact. The bootstrap draws
documents instead, the same for both systems; hits are the trials whose difference is as far from
the observed one as that is from 0. The interval is that of the difference, at 95 percent, over
bootstrap resamples of the documents.

Every format but none says the side, the number of permutations, the seed, the average and the
version: tab in a last line that starts with "#", json under "run" in every entry.
"""
CHOICES = {"--format": forms_of("significance"), "--test": TESTS, **RESAMPLING_CHOICES}


def run(words: Sequence[str]) -> int:
    """Compare the systems that `words` name and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    systems = given["<sys>"]
    if given["--gold"] == "-" and len(systems) > 1:
        raise UsageError("gold cannot be standard input: it is read for every system")
    asked = resampling_request(given, "significance")
    test = test_of(given["--test"])
    if given["--one-sided"] and given["--two-sided"]:
        raise UsageError("--one-sided and --two-sided exclude each other")
    if given["--holm"] and asked.form == "tab":
        raise UsageError(
            "--holm is shown by --format=table, json and markdown: neleval's columns have no place"
        )
    for system in systems:
        if systems.count(system) > 1:
            raise UsageError(f"the system {shown_path(system)} is given twice")
    target = output.report_target(given, [given["--gold"], given["--type-weights"], *systems])
    reports = comparable_systems({path: asked.reports(path) for path in systems})
    compared = compare_pairs(
        reports,
        asked.trials,
        asked.seed,
        two_sided=not given["--one-sided"],
        correct=given["--holm"],
        test=test,
    )
    found = SignificanceReport(compared, reports, asked.parts)
    notices = [*asked.notices, *found.notices]
    console.refuse_warnings(notices, strict=given["--strict"])
    output.write(target, output.laid_out(target, partial(render, found, asked.form)))
    console.warn(notices, quiet=given["--quiet"])
    return 0
