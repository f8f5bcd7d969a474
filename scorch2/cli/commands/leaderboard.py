"""scorch2 leaderboard: systems ranked by their stored reports."""

import os
from collections.abc import Sequence
from functools import partial

from scorch2.api.requests import COMPARED_PARTS, WORDS, comparison_rules, lookup
from scorch2.cli import arguments, console, delivery, options, output
from scorch2.model.forms import PAPERS, form_of, forms_of, render
from scorch2.model.options import ALL, separated
from scorch2.model.score import TRIALS
from scorch2.records.board import TITLE, Rules, board_of_files
from scorch2.resampling.analyses import ALPHA
from scorch2.resampling.paired_tests import TESTS

_FORMS = f"{arguments.name_list(forms_of('board'), 'default')}; else the suffix decides"
_METRICS = "columns: metrics, separated by commas (repeatable); or all (default): those that all reports have"
_PAGES = "where pages of errors are, called like the systems (default: beside the reports)"
USAGE = f"""Rank systems by their stored reports: a page or a table, with letters of significance.

Usage:
  scorch2 leaderboard [options] [--] <report>...

  <report>      JSON reports of score or errors, and folders that are searched for them (*.json);
                a system is called like its file, or like the folder of files called alike

Report:
{arguments.option_lines("-f, --format=<name>", _FORMS)}
{delivery.LATEX_USAGE}
{arguments.output_options("where the board goes; standard output if absent or -")}
{arguments.option_lines("-m, --metric=<name>", _METRICS)}
  --parts=<which>           f1 (default), all: recall, precision and F1 of every metric
  --sort=<metric>           the metric that ranks (default: the CoNLL average, or the first one)
{arguments.option_lines("--pages=<folder>", _PAGES)}
  --title=<text>            the title of the page (default: {TITLE})
  --no-signature            leave out the lines that say how the numbers were made

Tests:
{arguments.test_option()}
  --alpha=<p>               two systems differ if their corrected p is at most that (default {ALPHA:g});
                            or percent, such as 5%
  --trials=<n>              number of permutations or bootstrap samples (default {TRIALS})
  --seed=<n>                seed of the random numbers (default 0)

Other:
{arguments.other_options("no warnings", strict=True)}

Reports whose options, documents or gold differ cannot be compared and have rankings of their own.
Systems without a common letter differ: all pairs of a ranking are tested, corrected after Holm.

{arguments.exit_statuses()}
"""
CHOICES = {"--format": forms_of("board"), "--latex": PAPERS, "--parts": COMPARED_PARTS, "--test": TESTS}


def run(words: Sequence[str]) -> int:
    """Rank the reports that `words` name and return the exit status."""
    given = arguments.parse_words(USAGE, words)
    paths, metrics = given["<report>"], separated(given["--metric"])
    metrics = [name for name in metrics if name.casefold() != ALL]
    for name in metrics:
        lookup(None).one(name)  # an unknown one is told before any report is read
    options.refuse_report(paths, "board", "path is a report")
    form = form_of(given["--format"], output.report_path(given), "board", given["--latex"] and "latex")
    paper = delivery.requested_paper(given, [form])
    arguments.share_no_stream(*paths)
    files = [path for path in paths if not os.path.isdir(path)]  # in a folder, only reports are inputs
    target = output.report_target(given, files)
    tested = comparison_rules(
        WORDS,
        options.typed_sampling({"--confidence": None, **given}),
        **options.typed(given, ("parts", "alpha", "test")),
        letters=True,
    )
    rules = Rules(
        metrics,
        given["--sort"],
        **{name: tested[name] for name in ("parts", "alpha", "trials", "seed", "test")},
    )
    board = board_of_files(paths, rules, lookup, given["--pages"])
    console.refuse_warnings(board.notices, strict=given["--strict"])
    board = board._replace(
        title=given["--title"] or TITLE,
        folder="." if output.is_stream(target) else os.path.dirname(target) or ".",
        shows_signature=not given["--no-signature"],
    )
    output.report_target(given, [*board.files.values(), *board.pages.values()])
    output.write(target, output.laid_out(target, partial(render, board, form, paper=paper)))
    console.warn(board.notices, quiet=given["--quiet"])
    return 0
