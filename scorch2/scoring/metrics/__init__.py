"""Step 5, counts to tallies: the table of metrics, in the order of reports."""

from collections.abc import Iterable, Mapping

from scorch2.model.errors import UsageError
from scorch2.model.messages import quoted, unknown_name
from scorch2.model.names import ALL, separated
from scorch2.model.options import DEFAULTS
from scorch2.scoring.metrics import (
    b_cubed,
    b_cubed_sys,
    blanc,
    ceaf,
    ceaf_sys,
    conll,
    lea,
    mentions,
    muc,
    pairwise,
)
from scorch2.scoring.metrics.metric import AnyMetric, Lookup, Mean, Metric

METRICS: Mapping[str, AnyMetric] = {
    metric.name: metric
    for metric in (
        muc.METRIC,
        b_cubed.METRIC,
        ceaf.CEAF_M,
        ceaf.CEAF_E,
        blanc.METRIC,
        lea.METRIC,
        conll.METRIC,
        pairwise.METRIC,
        mentions.METRIC,
        b_cubed_sys.METRIC,
        ceaf_sys.CEAF_M,
        ceaf_sys.CEAF_E,
    )
}
DEFAULT = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")


def named(names: Iterable[str]) -> tuple[str, ...]:
    """Return the metrics that `names` mean, aliases and any case understood, in the order of the table.

    Raises
    ------
    UsageError
        For a name that is none, with the nearest one.

    >>> named(["bcub", "MUC"])
    ('muc', 'b_cubed')
    """
    meant = {alias: metric.name for metric in METRICS.values() for alias in (metric.name, *metric.aliases)}
    wanted = set()
    for name in names:
        if not isinstance(name, str) or name.casefold() not in meant:
            raise UsageError(unknown_name(name, "metric", METRICS))
        wanted.add(meant[name.casefold()])
    return tuple(name for name in METRICS if name in wanted)


def chosen_metrics(asked: str | Iterable[str]) -> tuple[str, ...]:
    """Return the metrics that users ask for: as `named`, also separated by commas, and ``all`` of them.

    Raises
    ------
    UsageError
        As `named`, and for what is neither a string nor a list.

    >>> chosen_metrics("bcub,MUC")
    ('muc', 'b_cubed')
    """
    if not isinstance(asked, Iterable):
        raise UsageError(f'metrics are a list of names, such as ["muc", "lea"], not {quoted(asked)}')
    names = separated(asked)
    wanted = named(name for name in names if not _is_all(name))
    return tuple(METRICS) if any(map(_is_all, names)) else wanted


def _is_all(name: object) -> bool:
    return isinstance(name, str) and name.casefold() == ALL


def row(name: str) -> AnyMetric:
    """Return the metric that `name` means; see `named`."""
    return METRICS[named([name])[0]]


LOOKUP = Lookup(lambda names: [METRICS[name] for name in named(names)], row)


def to_count(names: Iterable[str], choices: Mapping[str, object] = DEFAULTS) -> tuple[Metric, ...]:
    """Return the metrics that must be counted to report `names`: a mean needs those it is of.

    Parameters
    ----------
    names : iterable of str
        Keys of `METRICS`.
    choices : mapping
        The options that change numbers; a metric may have another rule for some of their values.
    """
    wanted = set(names)
    for mean in METRICS.values():
        if isinstance(mean, Mean) and mean.name in wanted:
            wanted |= set(mean.of)
    return tuple(
        _under(choices, metric)
        for metric in METRICS.values()
        if isinstance(metric, Metric) and metric.name in wanted
    )


def _under(choices: Mapping[str, object], metric: Metric) -> Metric:
    """Return a metric that finishes by the rule for `choices`."""
    for (option, value), finish in metric.rules.items():
        if choices.get(option) == value:
            return metric._replace(finish=finish)
    return metric
