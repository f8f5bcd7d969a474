"""The metrics that users name, and what must be counted for them."""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from scorch2.model.errors import UsageError, quoted, unknown_name
from scorch2.model.options import ALL, DEFAULTS, Options, separated
from scorch2.scoring.metrics import DEFAULT, METRICS, OF_CLUSTERS
from scorch2.scoring.metrics.metric import AnyMetric, Mean, Metric, MetricTable

AnyRow = TypeVar("AnyRow", Metric, Mean)


def metrics_named(names: Iterable[str]) -> tuple[str, ...]:
    """Return the metrics that `names` mean, aliases and any case understood, in the order of the table.

    A UsageError tells of a name that is none, with the nearest one.

    >>> metrics_named(["bcub", "MUC"])
    ('muc', 'b_cubed')
    """
    wanted = {name if isinstance(name, str) and name in METRICS else _by_alias(name) for name in names}
    return tuple(name for name in METRICS if name in wanted)


def _by_alias(spelled: object) -> str:
    meant = {alias: name for name, metric in METRICS.items() for alias in (name, *metric.aliases)}
    if not isinstance(spelled, str) or spelled.casefold() not in meant:
        raise UsageError(unknown_name(spelled, "metric", METRICS))
    return meant[spelled.casefold()]


def chosen_metrics(asked: str | Iterable[str]) -> tuple[str, ...]:
    """Return the metrics that users ask for: as `metrics_named`, separated by commas too, and ``all``.

    >>> chosen_metrics("bcub,MUC")
    ('muc', 'b_cubed')
    """
    if not isinstance(asked, Iterable):
        raise UsageError(f'metrics are a list of names, such as ["muc", "lea"], not {quoted(asked)}')
    names = separated(asked)
    wanted = metrics_named(name for name in names if not _is_all(name))
    if not any(map(_is_all, names)):
        return wanted
    return tuple(name for name in METRICS if name in wanted or name in OF_CLUSTERS)


def _is_all(name: object) -> bool:
    return isinstance(name, str) and name.casefold() == ALL


def to_report(names: Iterable[str], choices: Mapping[str, object] = DEFAULTS) -> list[AnyMetric]:
    """Return the rows of a report from their names; a mean may have more parts under some choices."""
    rows = [METRICS[name] for name in names]
    return [row if isinstance(row, Metric) else _under(choices, row) for row in rows]


def metric_row(name: str, choices: Mapping[str, object] = DEFAULTS) -> AnyMetric:
    """Return the metric that `name` means; see `metrics_named`."""
    return to_report(metrics_named([name]), choices)[0]


METRIC_TABLE = MetricTable(
    lambda names: [METRICS[name] for name in metrics_named(names)],
    metric_row,
    frozenset(("shared_task", "setting", "primary", "visible")),
)


def to_count(names: Iterable[str], choices: Mapping[str, object] = DEFAULTS) -> tuple[Metric, ...]:
    """Return the metrics that must be counted to report `names`: a mean needs those it is of."""
    # A metric may have another rule for some values of the options that change numbers
    wanted = set(names)
    for name in tuple(wanted):
        mean = METRICS[name]
        if isinstance(mean, Mean):
            wanted |= set(mean.of)
    rows = [METRICS[name] for name in METRICS if name in wanted]
    counted = tuple(_under(choices, metric) for metric in rows if isinstance(metric, Metric))
    if choices.get("split_antecedents", "drop") != "drop":
        from scorch2.scoring.metrics.split_antecedents import counted_with_sets

        return tuple(counted_with_sets(metric, choices) for metric in counted)
    return counted


def _under(choices: Mapping[str, object], row: AnyRow) -> AnyRow:
    for (option, value), changes in row.rules.items():
        if choices.get(option) == value:
            row = row._replace(**changes)
    return row


def reported_metrics(options: Options) -> list[AnyMetric]:
    """Return the rows of a report that options ask for."""
    return to_report(metrics_named(options.metrics or DEFAULT), options.choices)


def counted_metrics(options: Options) -> tuple[Metric, ...]:
    """Return the metrics that are counted for it, in the order of the tallies of a document."""
    return to_count(metrics_named(options.metrics or DEFAULT), options.choices)
