"""Commands over reports of several systems, as neleval's: ranks, ratios, agreement of measures, plots."""

import os
import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from scorch2.api.requests import check_known, lookup
from scorch2.audit.baseline import of_text
from scorch2.cli import console, output, outputs, usage
from scorch2.formats.json.strict import parse
from scorch2.formats.source import read_text
from scorch2.formats.target import write_files
from scorch2.model.errors import InputError, Notice, UsageError, quoted, shown_path
from scorch2.model.forms import forms_of, shown
from scorch2.model.options import separated
from scorch2.model.values import whole_value
from scorch2.tasks.linking import figures, leaderboards
from scorch2.tasks.linking.figures import STYLES, ChartLook, chart_image
from scorch2.tasks.linking.text import figure_values, leaderboard, score_table

RANK_SYSTEMS_USAGE = f"""Rank systems by their scores in reports of score, errors or evaluate.

Usage:
  scorch2 rank-systems [options] [--] <report>...

  <report>    a JSON report of score or errors, or tab-separated text of evaluate, one per system

Options:
  -m, --measure=<name>  rows of the reports or groups of measures, separated by commas (repeatable);
                        default: all rows that every report has
  --metric=<name>       precision, recall, fscore (default), separated by commas (repeatable)
  --limit=<n>           the first n systems of each ranking
  --max=<n>             the systems up to rank n of each ranking
  --group-re=<pattern>  the first match of this regular expression in a path is the system's group
  --group-limit=<n>     the first n systems of each group
  --group-max=<n>       the systems up to rank n of their group
  --short-names         paths without the folder and the end that all of them share
{usage.output_options("where the leaderboard goes; standard output if absent or -", 24)}
{usage.other_options(column=24)}

The limits of groups are applied first; ranks and the other limits count the systems that are left.
"""
_stored = partial(of_text, lookup=lookup)
RANK_SYSTEMS_CHOICES = {"--metric": leaderboards.COLUMNS}


def run_rank_systems(given: dict[str, Any]) -> int:
    """Rank the systems that `given` names and return the exit status."""
    paths = given["<report>"]
    usage.share_no_stream(*paths)
    limits, groups = _limits(given, ""), _groups(given)
    metrics = separated(given["--metric"]) or ["fscore"]
    check_known(metrics, leaderboards.COLUMNS, "metric")
    target = output.report_target(given, paths)
    tables = [leaderboards.read_score_table(path, _stored) for path in paths]
    names = leaderboards.short_names(paths) if given["--short-names"] else paths
    measures = leaderboards.chosen_measures(given["--measure"], [table.measures(metrics) for table in tables])
    scores = {(measure, metric) for measure in measures for metric in metrics}
    ranking = leaderboards.rank(tables, names, scores, limits, groups)
    output.write(target, leaderboard(ranking, grouped=groups is not None))
    return 0


def _limits(given: dict[str, Any], prefix: str) -> leaderboards.Limits:
    entries, highest = given[f"--{prefix}limit"], given[f"--{prefix}max"]
    if entries is not None and highest is not None:
        raise UsageError(f"--{prefix}limit and --{prefix}max exclude each other")
    return leaderboards.Limits(
        whole_value(entries, f"--{prefix}limit", None, least=1),
        whole_value(highest, f"--{prefix}max", None, least=1),
    )


def _groups(given: dict[str, Any]) -> leaderboards.Groups | None:
    limits, pattern = _limits(given, "group-"), _group_pattern(given["--group-re"])
    if pattern is None and limits != leaderboards.Limits():
        raise UsageError("--group-limit and --group-max need --group-re")
    return None if pattern is None else leaderboards.Groups(pattern, limits)


def _group_pattern(text: str | None) -> re.Pattern[str] | None:
    """Return the regular expression that finds the group of a system in its path, if one is given."""
    try:
        return None if text is None else re.compile(text)
    except re.error as error:
        raise UsageError(f"--group-re: {quoted(text)} is not a regular expression: {error}") from None


COMPOSE_MEASURES_USAGE = f"""Add to reports of evaluate rows that divide one measure by another.

Usage:
  scorch2 compose-measures [options] [--] [<report>...]

  <report>    tab-separated text of evaluate; standard input if absent or -

Options:
  -r, --ratio=<M1> <M2>    add the row M1/M2 (repeatable); M1 and M2 are names of rows, two words
  -o, --output=<template>  where each result goes, with {{dir}}, {{base}} and {{ext}} of its report
  --in-place               each result replaces its report
  --force                  overwrite files even if they are documents or read-only
{usage.other_options(column=27)}

A single result goes to standard output.
"""
_PLACES = re.compile(r"\{(dir|base|ext)\}")


def run_compose_measures(given: dict[str, Any]) -> int:
    """Compose what `given` asks for and return the exit status."""
    ratios, paths = given["--ratio"], given["<report>"] or [output.STDOUT]
    usage.share_no_stream(*paths)
    if not ratios:
        raise UsageError("nothing to add: give -r M1 M2")
    if given["--in-place"] and given["--output"] is not None:
        raise UsageError("--in-place and --output exclude each other")
    targets = [_target(path, given["--output"], in_place=given["--in-place"]) for path in paths]
    if len(set(targets)) < len(targets):
        raise UsageError("several results go to one place (use -o with {base}, or --in-place)")
    if not given["--in-place"]:
        for target in targets:
            output.check_target(target, paths, force=given["--force"])
    texts = [
        score_table(leaderboards.with_ratios(leaderboards.read_score_table(path), ratios)) for path in paths
    ]
    output.write_all(list(zip(targets, texts, strict=True)))
    return 0


def parse_compose_measures(words: Sequence[str]) -> dict[str, Any]:
    """Return what is typed, by its name in the usage text: an option of two values is beyond the parser."""
    ratios, rest = [], []
    left = iter(words)
    for word in left:
        if word == "--":
            rest += [word, *left]
        elif word in ("-r", "--ratio"):
            measures = next(left, ""), next(left, "")
            if not all(measures):
                raise UsageError(f"{word} needs two measures")
            ratios.append(measures)
        elif word.startswith(("-r", "--ratio=")):
            raise UsageError("-r is followed by two words: -r M1 M2")
        else:
            rest.append(word)
    return {**usage.parse_neleval(COMPOSE_MEASURES_USAGE, rest), "--ratio": ratios}


def _target(path: str, template: str | None, *, in_place: bool) -> str:
    if in_place or path == output.STDOUT:
        return path
    if template is None:
        return output.STDOUT
    base, ext = os.path.splitext(os.path.basename(path))
    if re.search("[{}]", _PLACES.sub("", template)):
        raise UsageError("--output may hold {dir}, {base} and {ext}, and no other braces")
    parts = {"dir": os.path.dirname(path) or ".", "base": base, "ext": ext.removeprefix(".")}
    return _PLACES.sub(lambda place: parts[place[1]], template)


COMPARE_MEASURES_USAGE = f"""\
Compare measures over systems: correlations, difference of medians, ratio of spreads.

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
{usage.other_options(column=27, strict=True)}

F scores are compared, of two or more measures. plot writes an image of each of the five numbers;
it needs matplotlib.
"""
_COMPARED_FORMATS = (*forms_of("agreements"), "plot")
COMPARE_MEASURES_CHOICES = {"--format": _COMPARED_FORMATS, "--sort": leaderboards.ORDERS}
_OF_PLOTS = ("--output", "--sort", "--cmap", "--figsize", "--label-map")


def run_compare_measures(given: dict[str, Any]) -> int:
    """Compare what `given` asks for and return the exit status."""
    form = usage.choice(given["--format"], _COMPARED_FORMATS, "report format")
    of_plots = [usage.spelled(given, name) for name in _OF_PLOTS if given[name] is not None]
    if form != "plot" and of_plots:
        raise UsageError(f"only --format=plot has {', '.join(of_plots)}")
    if given["--evaluated"] == (given["--gold"] is not None):
        raise UsageError("give either --gold=<path> for outputs, or -e for reports")
    usage.share_no_stream(*given["<system>"], given["--gold"], given["--label-map"])
    order = usage.choice(given["--sort"], leaderboards.ORDERS, "order")
    _template(given)  # a wrong one is told before any file is read
    look = ChartLook(_figure_size(given["--figsize"]), "RdBu" if given["--cmap"] is None else given["--cmap"])
    scores, notices = _scores(given)
    if len(scores) == 1:
        raise UsageError(f"only {quoted(next(iter(scores)))} is there: it takes two measures to compare")
    console.refuse_warnings(notices, strict=given["--strict"])
    pairs = leaderboards.agreements(scores)
    if form != "plot":
        output.write(output.STDOUT, shown("agreements", form, pairs))
        console.warn(notices)
        return 0
    drawn = figures.agreement_figures(pairs, leaderboards.ORDERS[order](scores))
    return _draw(given, drawn, _labels(given["--label-map"]), look, notices)


def _scores(given: dict[str, Any]) -> tuple[dict[str, list[float]], list[Notice]]:
    """Return the F of every measure, system by system, and what was noticed on the way."""
    if given["--evaluated"]:
        tables = [leaderboards.read_score_table(path, _stored) for path in given["<system>"]]
        names = leaderboards.chosen_measures(given["--measure"], [table.rows for table in tables])
        return {name: [table.value(name, "fscore") for table in tables] for name in names}, []
    from scorch2.tasks.linking.corpus import read_corpora
    from scorch2.tasks.linking.evaluation import Grouping, evaluate
    from scorch2.tasks.linking.evidence import Rules
    from scorch2.tasks.linking.measures import DEFAULT, named

    measures = named(separated(given["--measure"]) or [DEFAULT])
    columns = []
    notices: list[Notice] = []
    for corpus in read_corpora(given["--gold"], given["<system>"]):
        evaluation = evaluate(corpus, measures, Grouping(), Rules())
        columns.append({row.name: row.fscore for row in evaluation.rows})
        notices += evaluation.notices
    scores = {measure.name: [column[measure.name] for column in columns] for measure in measures}
    return scores, list(dict.fromkeys(notices))


PLOT_SYSTEMS_USAGE = f"""Plot the scores of systems, from reports of score, errors, evaluate or confidence.

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
{usage.other_options(column=29)}
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
_PLOTTED = ("evaluate", "confidence")
PLOT_SYSTEMS_CHOICES = {"--sort": ("none", "name", "score"), "--input": _PLOTTED}


def run_plot_systems(given: dict[str, Any]) -> int:
    """Plot what `given` asks for and return the exit status."""
    layout, style = _one_of(given, figures.LAYOUTS), _one_of(given, STYLES)
    metrics = _METRICS[_one_of(given, tuple(_METRICS))]
    of_images = [name for name in _OF_IMAGES if given[name] not in (None, False)]
    if given["--table"] and of_images:
        typed = ", ".join(usage.spelled(given, name) for name in of_images)
        raise UsageError(f"--table prints numbers, {typed} is for images")
    _check(given, layout, style, metrics)
    usage.share_no_stream(*given["<report>"], given["--label-map"], given["--style-map"])
    _template(given)  # a wrong one is told before any file is read
    selection, look = _selection(given), _look(given)
    limits = None if given["--limits"] is None else _limits_of_scale(given["--limits"])
    labels, styles = _labels(given["--label-map"]), _labels(given["--style-map"])
    systems = _systems(given)
    measures = figures.shown_measures(systems, given["--measure"], metrics)
    chosen = figures.selected(systems, selection, measures, metrics[-1])
    drawn = figures.system_figures(chosen, measures, metrics, layout, style)
    if given["--table"]:
        output.write(output.STDOUT, figure_values(figures.renamed(drawn, labels)))
        return 0
    look = look._replace(styles={labels.get(name, name): colour for name, colour in styles.items()})
    drawn = [
        figures.widened(figure) if given["--limits"] is None else figure._replace(span=limits)
        for figure in drawn
    ]
    return _draw(given, drawn, labels, look)


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
    usage.choice(given["--input"], _PLOTTED, "input")
    if given["--ci"] is not None and given["--input"] != "confidence":
        raise UsageError("--ci=<level> goes with --input=confidence")
    if (given["--best-in-group"] is None) != (given["--group-re"] is None):
        raise UsageError("--group-re and --best-in-group go together")


def _look(given: dict[str, Any]) -> ChartLook:
    return ChartLook(
        _figure_size(given["--figsize"]),
        given["--cmap"] or "",
        whole_value(given["--legend-ncol"], "--legend-ncol", 1, least=1),
        given["--lines"],
    )


def _selection(given: dict[str, Any]) -> figures.Selection:
    return figures.Selection(
        "none" if given["--sort"] is None else given["--sort"],
        whole_value(given["--at-most"], "--at-most", None, least=1),
        given["--best-in-group"],
        _group_pattern(given["--group-re"]),
    )


def _systems(given: dict[str, Any]) -> list[figures.Scores]:
    paths = given["<report>"]
    names = [f"system {number}" for number, _ in enumerate(paths, 1)]
    if not given["--anon"]:
        names = leaderboards.short_names(paths)
    if given["--input"] == "confidence":
        scores = [leaderboards.read_intervals(path, given["--ci"]) for path in paths]
    else:
        scores = [leaderboards.read_score_table(path, _stored).scores() for path in paths]
    return [figures.Scores(*system) for system in zip(names, scores, paths, strict=True)]


# Images

_LARGEST = 50  # inches: a larger image would fill the memory


def _figure_size(text: str | None) -> tuple[float, float]:
    """Return the size of an image in inches.

    >>> _figure_size("8,6")
    (8.0, 6.0)
    """
    if text is None:
        return ChartLook().size
    width, height = _two_numbers(text, "--figsize")
    if not (0 < width <= _LARGEST and 0 < height <= _LARGEST):
        raise UsageError(f"--figsize is above 0 and at most {_LARGEST} inches, not {quoted(text)}")
    return width, height


def _limits_of_scale(text: str) -> tuple[float, float] | None:
    """Return the ends of a scale, or None for ``tight``."""
    if text == "tight":
        return None
    low, high = _two_numbers(text, "--limits")
    if not float("-inf") < low < high < float("inf"):
        raise UsageError(f"--limits is a low and a high end, not {quoted(text)}")
    return low, high


def _two_numbers(text: str, option: str) -> tuple[float, float]:
    try:
        first, second = map(float, text.split(","))
    except ValueError:
        raise UsageError(f"{option} is two numbers with a comma, not {quoted(text)}") from None
    return first, second


def _labels(path: str | None) -> Mapping[str, str]:
    """Return the strings of a JSON object, in a file or as it is; empty without one."""
    if path is None:
        return {}
    text, place = (path, "the JSON on the command line") if _is_json(path) else (read_text(path), path)
    value = parse(text, place)
    if not isinstance(value, dict) or not all(isinstance(name, str) for name in value.values()):
        raise InputError(place, "$", "should be an object from names to strings")
    return value


def _is_json(text: str) -> bool:
    """Return whether an option holds an object itself, and not the path of a file."""
    return text.startswith("{")


def _template(given: dict[str, Any]) -> tuple[str, str]:
    """Return the template of the paths of images, and their format, which is its suffix."""
    template: str = "./{}.pdf" if given["--output"] is None else given["--output"]
    suffix = os.path.splitext(template)[1].removeprefix(".").casefold()
    if suffix not in figures.IMAGE_FORMS:
        raise UsageError(f"--output ends with .{', .'.join(figures.IMAGE_FORMS)}, not {quoted(template)}")
    if template.replace("{}", "").count("{") or template.replace("{}", "").count("}"):
        raise UsageError("--output may hold {} for the name of the figure, and no other braces")
    return template, suffix


def _draw(
    given: dict[str, Any],
    charts: Sequence[figures.Chart],
    labels: Mapping[str, str],
    look: ChartLook,
    notices: Sequence[Notice] = (),
) -> int:
    """Write charts as images, all or none, then warn, say of each where it is, and return the exit status."""
    template, form = _template(given)
    paths = [template.replace("{}", outputs.safe_name(chart.name)) for chart in charts]
    if len(set(paths)) < len(paths):
        raise UsageError("several figures go to one file: put {} in --output, it becomes the name of each")
    others = [given.get(name) for name in ("--gold", "--label-map", "--style-map")]
    inputs = [*(given.get("<system>") or given["<report>"]), *(path for path in others if path is not None)]
    inputs = [path for path in inputs if not _is_json(path)]
    for path in paths:
        output.check_target(path, inputs, force=given["--force"])
    images = [chart_image(chart, form, look) for chart in figures.renamed(charts, labels)]
    write_files(dict(zip(paths, images, strict=True)))
    console.warn(notices)
    console.say_all(f"scorch2: saved {shown_path(path)}" for path in paths)
    return 0
