"""scorch2 plot-systems: scores of systems as bars, points or a heat map."""

import re
from collections.abc import Sequence
from typing import Any

from scorch2 import arguments, console, output, plotting
from scorch2.comparing import drawing, plots
from scorch2.comparing.ranking import short_names
from scorch2.comparing.scoretable import COLUMNS, Interval, read, read_intervals, wanted
from scorch2.errors import InputError, UsageError
from scorch2.messages import known, quoted, shown_path
from scorch2.quantities import whole
from scorch2.reports.comparing import figures as as_table

USAGE = """Plot the scores of systems, from reports of evaluate or confidence.

Usage:
  scorch2 plot-systems [options] [--] <report>...

  <report>    tab-separated text, one report a system

What:
  -i, --input=<command>      evaluate (default), confidence: what the reports are of
  --ci=<level>               with confidence: intervals of so many percent
  -m, --measure=<name>       a measure, or a group of them (repeatable); default: all that every report has
  --pr                       precision and recall instead of F
  --prf                      precision, recall and F
  --recall-only              recall instead of F
  --by-measure               a figure a measure, over systems (default)
  --by-system                a figure a system, over measures
  --single-plot              one figure, a series a measure
  --columns                  bars that stand (default)
  --rows                     bars that lie
  --scatter                  points
  --heatmap                  a cell a score
  -s, --sort=<how>           systems by none (default), name, score, or a measure
  --at-most=<n>              only the first n systems
  --group-re=<pattern>       the first match of this regular expression in a path is the system's group
  --best-in-group=<measure>  only the best system of each group

How:
  -o, --output=<template>    where images go, {} is the name of each (default ./{}.pdf; the suffix may
                             be png or svg, too)
  --table                    print the numbers instead, tab-separated; needs no matplotlib
  --lines                    join the points of a series
  --cmap=<name>              a colour map of matplotlib (default tab10, viridis for heat maps)
  --limits=<low,high>        the scale (default 0,1), or tight
  --figsize=<w,h>            inches (default 8,6)
  --legend-ncol=<n>          columns of the legend (default 1)
  --label-map=<file>         a JSON object from systems and measures to what they are called
  --style-map=<file>         a JSON object from series to colours
  --anon                     systems are numbered instead of named
  --debug                    show where an error came from
  -h, --help                 show this text
"""
_METRICS = {
    "--pr": ("precision", "recall"),
    "--prf": ("precision", "recall", "fscore"),
    "--recall-only": ("recall",),
}
_INPUTS = ("evaluate", "confidence")


def run(words: Sequence[str]) -> int:
    """Plot what `words` ask for and return the exit status."""
    given = arguments.parse(USAGE, words)
    layout = _one_of(given, plots.LAYOUTS)
    style = _one_of(given, plots.STYLES)
    metrics = _metrics(given)
    if style == "heatmap" and len(metrics) > 1 and layout != "single-plot":
        raise UsageError("--heatmap shows one score, or several with --single-plot")
    if given["--lines"] and style in ("heatmap", "rows"):
        raise UsageError(f"--lines cannot join what --{style} draws")
    template = "./{}.pdf" if given["--output"] is None else given["--output"]
    image, look, span = plotting.form(template), _look(given, style), _span(given["--limits"])
    systems, measures = _systems(given, metrics)
    figures = plots.system_figures(
        _chosen(given, systems, measures, metrics), measures, metrics, layout, style
    )
    paths = plotting.targets(template, [figure.name for figure in figures])
    figures = plots.renamed(
        [one._replace(span=span) for one in figures], plotting.names(given["--label-map"])
    )
    if given["--table"]:
        output.write(output.STDOUT, as_table(figures))
        return 0
    output.write_files(
        {path: drawing.image(figure, image, look) for path, figure in zip(paths, figures, strict=True)}
    )
    for path in paths:
        console.say(f"scorch2: saved {shown_path(path)}")
    return 0


def _one_of(given: dict[str, Any], names: Sequence[str]) -> str:
    asked = [name for name in names if given[f"--{name}"]]
    if len(asked) > 1:
        raise UsageError(f"--{asked[0]} and --{asked[1]} exclude each other")
    return asked[0] if asked else names[0]


def _metrics(given: dict[str, Any]) -> tuple[str, ...]:
    asked = [name for name in _METRICS if given[name]]
    if len(asked) > 1:
        raise UsageError(f"{asked[0]} and {asked[1]} exclude each other")
    return _METRICS[asked[0]] if asked else ("fscore",)


def _look(given: dict[str, Any], style: str) -> drawing.Look:
    colours = "viridis" if style == "heatmap" else "tab10"
    return drawing.Look(
        plotting.pair(given["--figsize"], "--figsize", drawing.Look().size),
        colours if given["--cmap"] is None else given["--cmap"],
        whole(given["--legend-ncol"], "--legend-ncol", 1, least=1),
        given["--lines"],
        plotting.names(given["--style-map"]),
    )


def _span(text: str | None) -> tuple[float, float] | None:
    return None if text == "tight" else plotting.pair(text, "--limits", (0.0, 1.0))


def _systems(given: dict[str, Any], metrics: Sequence[str]) -> tuple[list[plots.Scores], list[str]]:
    """Return the scores in the reports, and the measures that are shown."""
    paths, kind = given["<report>"], "evaluate" if given["--input"] is None else given["--input"]
    if kind not in _INPUTS:
        raise UsageError(known(kind, "input", _INPUTS))
    if (given["--ci"] is None) != (kind == "evaluate"):
        raise UsageError("--ci=<level> goes with --input=confidence")
    names = [f"system {i}" for i in range(1, len(paths) + 1)] if given["--anon"] else short_names(paths)
    if kind == "evaluate":
        tables = [read(path) for path in paths]
        measures = wanted(given["--measure"], tables)
        found = [
            {
                (one, metric): Interval(*[table.value(one, metric)] * 3)
                for one in measures
                for metric in COLUMNS
            }
            for table in tables
        ]
    else:
        found = [read_intervals(path, given["--ci"]) for path in paths]
        common = [
            name for name, _ in found[0] if all((name, metric) in one for one in found for metric in metrics)
        ]
        measures = list(dict.fromkeys(given["--measure"] or common))
        for path, scores in zip(paths, found, strict=True):
            for name in measures:
                if any((name, metric) not in scores for metric in metrics):
                    raise InputError(path, "", known(name, "measure in this report", dict.fromkeys(common)))
    if not measures:
        raise UsageError("the reports have no measure in common")
    return [plots.Scores(*one) for one in zip(names, found, paths, strict=True)], measures


def _chosen(
    given: dict[str, Any], systems: list[plots.Scores], measures: Sequence[str], metrics: Sequence[str]
) -> list[plots.Scores]:
    """Sort systems and leave some out."""
    best, pattern = given["--best-in-group"], given["--group-re"]
    if (best is None) != (pattern is None):
        raise UsageError("--group-re and --best-in-group go together")
    order = "none" if given["--sort"] is None else given["--sort"]
    by = measures[0] if order == "score" else order
    for name in (best, None if order in ("none", "name") else by):
        if name is not None and name not in measures:
            raise UsageError(known(name, "measure among those that are shown", measures))
    if best is not None:
        try:
            systems = plots.best_in_group(systems, best, metrics[-1], re.compile(pattern))
        except re.error as error:
            raise UsageError(f"--group-re: {quoted(pattern)} is no regular expression: {error}") from None
    if order == "name":
        systems = sorted(systems, key=lambda one: one.system)
    elif order != "none":
        systems = sorted(systems, key=lambda one: -one.values[by, metrics[-1]].score)
    most = given["--at-most"]
    return systems if most is None else systems[: whole(most, "--at-most", 1, least=1)]
