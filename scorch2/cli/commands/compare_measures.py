"""scorch2 compare-measures: how much measures agree on which systems are better."""

from collections.abc import Sequence
from typing import Any

from scorch2.api.requests import lookup
from scorch2.cli import arguments, console, neleval, output
from scorch2.model.errors import Notice, UsageError, quoted
from scorch2.model.forms import forms_of, shown
from scorch2.model.options import separated
from scorch2.reports.figures.kit import ChartLook, chart_image
from scorch2.tasks.linking import evidence, figures, leaderboards
from scorch2.tasks.linking.corpus import read_corpora
from scorch2.tasks.linking.evaluation import Grouping, evaluate
from scorch2.tasks.linking.measures import DEFAULT, named

USAGE = f"""Compare measures over systems: correlations, difference of medians, ratio of spreads.

Usage:
  scorch2 compare-measures [options] [--] <system>...

  <system>    outputs to score against --gold; with -e reports, tab-separated text of evaluate or
              JSON of score or errors

Options:
  -g, --gold=<path>        the gold annotations
  -e, --evaluated          the files are reports
  -m, --measure=<name>     measures or groups of them, separated by commas (repeatable); default all
  -f, --format=<name>      tab (default), json, plot, none
  -o, --output=<template>  for plot: where images go, {{}} is the name of each (default ./{{}}.pdf; the
                           suffix may be png or svg, too)
  --force                  overwrite files even if they are documents or read-only
  -s, --sort=<how>         for plot, the order of the measures: none (default), name, eigen, mds
  --cmap=<name>            for plot: a colour map of matplotlib (default RdBu)
  --figsize=<w,h>          for plot: inches (default 8,6)
  --label-map=<json>       for plot: what measures are called, a JSON object or a file with one
{arguments.other_options(column=27, strict=True)}

F scores are compared, of two or more measures. plot writes an image of each of the five numbers;
it needs matplotlib.
"""
FORMATS = (*forms_of("agreements"), "plot")
CHOICES = {"--format": FORMATS, "--sort": leaderboards.ORDERS}
_OF_PLOTS = ("--output", "--sort", "--cmap", "--figsize", "--label-map")


def run(words: Sequence[str]) -> int:
    """Compare what `words` ask for and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    form = arguments.choice(given["--format"], FORMATS, "report format")
    of_plots = [neleval.spelled_by_neleval(name, words) for name in _OF_PLOTS if given[name] is not None]
    if form != "plot" and of_plots:
        raise UsageError(f"only --format=plot has {', '.join(of_plots)}")
    if given["--evaluated"] == (given["--gold"] is not None):
        raise UsageError("give either --gold=<path> for outputs, or -e for reports")
    arguments.share_no_stream(*given["<system>"], given["--gold"], given["--label-map"])
    order = arguments.choice(given["--sort"], leaderboards.ORDERS, "order")
    template = "./{}.pdf" if given["--output"] is None else given["--output"]
    image = neleval.image_form(template)
    size = neleval.figure_size(given["--figsize"])
    scores, notices = _scores(given)
    if len(scores) == 1:
        raise UsageError(f"only {quoted(next(iter(scores)))} is there: it takes two measures to compare")
    console.refuse_warnings(notices, strict=given["--strict"])
    pairs = leaderboards.agreements(scores)
    if form != "plot":
        output.write(output.STDOUT, shown("agreements", form, pairs))
        console.warn(notices)
        return 0
    look = ChartLook(size, "RdBu" if given["--cmap"] is None else given["--cmap"])
    drawn = figures.agreement_figures(pairs, leaderboards.ORDERS[order](scores))
    inputs = [*given["<system>"], given["--gold"], given["--label-map"]]
    names = [figure.name for figure in drawn]
    paths = neleval.image_paths(template, names, inputs, force=given["--force"])
    drawn = figures.renamed(drawn, neleval.labels_in(given["--label-map"]))
    images = [chart_image(figure, image, look) for figure in drawn]
    neleval.save_images(dict(zip(paths, images, strict=True)), notices)
    return 0


def _scores(given: dict[str, Any]) -> tuple[dict[str, list[float]], list[Notice]]:
    """Return the F of every measure, system by system, and what was noticed on the way."""
    if given["--evaluated"]:
        tables = [leaderboards.read_score_table(path, lookup) for path in given["<system>"]]
        names = leaderboards.chosen_measures(given["--measure"], [table.rows for table in tables])
        return {name: [table.value(name, "fscore") for table in tables] for name in names}, []
    measures = named(separated(given["--measure"]) or [DEFAULT])
    columns = []
    notices: list[Notice] = []
    for corpus in read_corpora(given["--gold"], given["<system>"]):
        evaluation = evaluate(corpus, measures, Grouping(), evidence.Rules())
        columns.append({row.name: row.fscore for row in evaluation.rows})
        notices += evaluation.notices
    scores = {measure.name: [column[measure.name] for column in columns] for measure in measures}
    return scores, list(dict.fromkeys(notices))
