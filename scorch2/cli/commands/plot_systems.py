"""scorch2 plot-systems: scores of systems as bars, points or a heat map."""

from collections.abc import Sequence
from typing import Any

from scorch2.api.requests import lookup
from scorch2.cli import arguments, neleval, output
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.options import whole_value
from scorch2.reports.figures.kit import STYLES, ChartLook, chart_image
from scorch2.tasks.linking import figures, leaderboards
from scorch2.tasks.linking.text import figure_values

USAGE = f"""Plot the scores of systems, from reports of score, errors, evaluate or confidence.

Usage:
  scorch2 plot-systems [options] [--] <report>...

  <report>    a JSON report of score or errors, or tab-separated text of evaluate or confidence,
              one per system

What:
  -i, --input=<command>      evaluate (default; also for JSON), confidence: the command that wrote
                             the reports
  --ci=<level>               with confidence: the level of the intervals, in percent
  -m, --measure=<name>       measures or groups of them, separated by commas (repeatable); default:
                             all that every report has
  --pr                       precision and recall instead of F
  --prf                      precision, recall and F
  --recall-only              recall instead of F
  --by-measure               one figure per measure, over systems (default)
  --by-system                one figure per system, over measures
  --single-plot              one figure with one series per measure
  --columns                  vertical bars (default)
  --rows                     horizontal bars
  --scatter                  points
  --heatmap                  one coloured cell per score
  -s, --sort=<how>           systems by none (default), name, score (the first measure's), or a
                             measure
  --at-most=<n>              only the first n systems
  --group-re=<pattern>       the first match of this regular expression in a path is the system's
                             group
  --best-in-group=<measure>  only the best system of each group

How:
  -o, --output=<template>    where images go, {{}} is the name of each (default ./{{}}.pdf; the suffix
                             may be png or svg, too)
  --force                    overwrite files even if they are documents or read-only
  --table                    print the numbers instead, tab-separated; needs no matplotlib
  --lines                    join the points of a series
  --cmap=<name>              a colour map of matplotlib
  --limits=<low,high>        the scale (default 0,1, wider if a value is beyond), or tight
  --figsize=<w,h>            inches (default 8,6)
  --legend-ncol=<n>          columns of the legend (default 1)
  --label-map=<json>         what systems and measures are called: a JSON object, or a file with one
  --style-map=<json>         the colours of series (metrics or measures), or colour/marker: the same
  --anon                     systems are numbered instead of named
{arguments.other_options(column=29)}
"""
_METRICS = {
    "fscore": ("fscore",),  # the default, without an option of its own
    "pr": ("precision", "recall"),
    "prf": ("precision", "recall", "fscore"),
    "recall-only": ("recall",),
}
_OF_IMAGES = (
    *(f"--{style}" for style in STYLES),
    *("--output", "--lines", "--cmap", "--limits", "--figsize", "--legend-ncol", "--style-map"),
)
INPUTS = ("evaluate", "confidence")
CHOICES = {"--sort": ("none", "name", "score"), "--input": INPUTS}


def run(words: Sequence[str]) -> int:
    """Plot what `words` ask for and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    layout, style = _one_of(given, figures.LAYOUTS), _one_of(given, STYLES)
    metrics = _METRICS[_one_of(given, tuple(_METRICS))]
    of_images = [name for name in _OF_IMAGES if given[name] not in (None, False)]
    if given["--table"] and of_images:
        typed = ", ".join(neleval.spelled_by_neleval(name, words) for name in of_images)
        raise UsageError(f"--table prints numbers, {typed} is for images")
    _check(given, layout, style, metrics)
    arguments.share_no_stream(*given["<report>"], given["--label-map"], given["--style-map"])
    template = "./{}.pdf" if given["--output"] is None else given["--output"]
    image, selection, look = neleval.image_form(template), _selection(given), _look(given)
    limits = None if given["--limits"] is None else neleval.axis_limits(given["--limits"])
    labels, styles = neleval.labels_in(given["--label-map"]), neleval.labels_in(given["--style-map"])
    systems = _systems(given)
    measures = figures.shown_measures(systems, given["--measure"], metrics)
    chosen = figures.selected(systems, selection, measures, metrics[-1])
    drawn = figures.system_figures(chosen, measures, metrics, layout, style)
    names = [figure.name for figure in drawn]
    drawn = figures.renamed(drawn, labels)
    if given["--table"]:
        output.write(output.STDOUT, figure_values(drawn))
        return 0
    inputs = [*given["<report>"], given["--label-map"], given["--style-map"]]
    paths = neleval.image_paths(template, names, inputs, force=given["--force"])
    look = look._replace(styles={labels.get(name, name): colour for name, colour in styles.items()})
    drawn = [
        figures.widened(figure) if given["--limits"] is None else figure._replace(span=limits)
        for figure in drawn
    ]
    images = [chart_image(figure, image, look) for figure in drawn]
    neleval.save_images(dict(zip(paths, images, strict=True)))
    return 0


def _one_of(given: dict[str, Any], names: Sequence[str]) -> str:
    asked = [name for name in names if given.get(f"--{name}")]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} exclude each other")
    return asked[0] if asked else names[0]


def _check(given: dict[str, Any], layout: str, style: str, metrics: Sequence[str]) -> None:
    if style == "heatmap" and len(metrics) > 1 and layout != "single-plot":
        raise UsageError("--heatmap shows one score, or several with --single-plot")
    if style == "heatmap" and given["--ci"] is not None:
        raise UsageError("--heatmap cannot show intervals")
    if given["--lines"] and style in ("heatmap", "rows"):
        raise UsageError(f"--lines cannot join what --{style} draws")
    if given["--input"] not in (None, *INPUTS):
        raise UsageError(unknown_name(given["--input"], "input", INPUTS))
    if given["--ci"] is not None and given["--input"] != "confidence":
        raise UsageError("--ci=<level> goes with --input=confidence")
    if (given["--best-in-group"] is None) != (given["--group-re"] is None):
        raise UsageError("--group-re and --best-in-group go together")


def _look(given: dict[str, Any]) -> ChartLook:
    return ChartLook(
        neleval.figure_size(given["--figsize"]),
        given["--cmap"] or "",
        whole_value(given["--legend-ncol"], "--legend-ncol", 1, least=1),
        given["--lines"],
    )


def _selection(given: dict[str, Any]) -> figures.Selection:
    most, text = given["--at-most"], given["--group-re"]
    return figures.Selection(
        "none" if given["--sort"] is None else given["--sort"],
        None if most is None else whole_value(most, "--at-most", 1, least=1),
        given["--best-in-group"],
        None if text is None else neleval.group_pattern(text),
    )


def _systems(given: dict[str, Any]) -> list[figures.Scores]:
    paths = given["<report>"]
    names = [f"system {number}" for number, _ in enumerate(paths, 1)]
    if not given["--anon"]:
        names = leaderboards.short_names(paths)
    if given["--input"] == "confidence":
        scores = [leaderboards.read_intervals(path, given["--ci"]) for path in paths]
    else:
        scores = [leaderboards.read_score_table(path, lookup).scores() for path in paths]
    return [figures.Scores(*system) for system in zip(names, scores, paths, strict=True)]
