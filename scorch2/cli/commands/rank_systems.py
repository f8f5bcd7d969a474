"""scorch2 rank-systems: a leaderboard from reports of score, errors or evaluate."""

from collections.abc import Sequence
from typing import Any

from scorch2.api.requests import lookup
from scorch2.cli import arguments, neleval, output
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.options import separated, whole_value
from scorch2.tasks.linking import leaderboards
from scorch2.tasks.linking.text import leaderboard

USAGE = f"""Rank systems by their scores in reports of score, errors or evaluate.

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
{arguments.output_options("where the leaderboard goes; standard output if absent or -", 24)}
{arguments.other_options(column=24)}

The limits of groups are applied first; ranks and the other limits count the systems that are left.
"""
CHOICES = {"--metric": leaderboards.COLUMNS}


def run(words: Sequence[str]) -> int:
    """Rank the systems that `words` name and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    paths = given["<report>"]
    arguments.share_no_stream(*paths)
    limits, groups = _limits(given, ""), _groups(given)
    metrics = separated(given["--metric"]) or ["fscore"]
    for metric in metrics:
        if metric not in leaderboards.COLUMNS:
            raise UsageError(unknown_name(metric, "metric", leaderboards.COLUMNS))
    target = output.report_target(given, paths)
    tables = [leaderboards.read_score_table(path, lookup) for path in paths]
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
        None if entries is None else whole_value(entries, f"--{prefix}limit", 0, least=1),
        None if highest is None else whole_value(highest, f"--{prefix}max", 0, least=1),
    )


def _groups(given: dict[str, Any]) -> leaderboards.Groups | None:
    limits, text = _limits(given, "group-"), given["--group-re"]
    if text is None:
        if limits != leaderboards.Limits():
            raise UsageError("--group-limit and --group-max need --group-re")
        return None
    return leaderboards.Groups(neleval.group_pattern(text), limits)
