"""The text of score tables: composed rows, leaderboards, agreement of measures."""

import math
from collections.abc import Iterable, Sequence

from scorch2.linking.leaderboards.correlation import Agreement
from scorch2.linking.leaderboards.figures import Figure
from scorch2.linking.leaderboards.ranking import Entry
from scorch2.linking.leaderboards.score_tables import HEAD, ScoreTable
from scorch2.model.errors import escaped
from scorch2.model.escaping import json_text
from scorch2.model.tables import padded

_RANKED = ("measure", "metric", "rank", "score", "system")
_GROUPED = ("measure", "metric", "rank", "group rank", "score", "group", "system")
_AGREEMENT = ("measure1", "measure2", "pearson-r", "spearman-r", "kendall-tau", "median-diff", "iqr-ratio")


def score_table(table: ScoreTable) -> str:
    """Return the text of `evaluate`, the measure last."""
    rows = [HEAD, *([*cells, measure] for measure, cells in table.rows.items())]
    return _lines(rows)


def leaderboard(entries: Sequence[Entry], *, grouped: bool) -> str:
    """Return neleval's columns, with those of groups where there are some."""
    rows: list[Sequence[str]] = [_GROUPED if grouped else _RANKED]
    for one in entries:
        ranks = [one.rank, one.group_rank] if grouped else [one.rank]
        group = [one.group] if grouped else []
        rows.append([one.measure, one.metric, *map(str, ranks), one.score, *group, one.system])
    return _lines(rows)


def agreements(found: Sequence[Agreement]) -> str:
    """Return neleval's columns, three decimals."""
    rows = [
        [escaped(one.one), escaped(one.other), *(f"{value:.3f}" for value in one.numbers())] for one in found
    ]
    return padded([_AGREEMENT, *rows], len(_AGREEMENT))


def agreements_json(found: Sequence[Agreement]) -> str:
    """Return a list of objects, full precision, null where nothing can be said."""
    entries = [
        {
            "measure1": one.one,
            "measure2": one.other,
            **{
                name.replace("-", "_"): None if math.isnan(value) else value
                for name, value in zip(_AGREEMENT[2:], one.numbers(), strict=True)
            },
        }
        for one in found
    ]
    return json_text(entries, 4, sort_keys=True) + "\n"


def nothing(found: Sequence[Agreement]) -> str:  # noqa: ARG001 - as every format
    """Return no text: the exit status says whether measures can be compared."""
    return ""


AGREEMENTS = {"tab": agreements, "json": agreements_json, "none": nothing}
"""The formats of compare-measures that are text; the default comes first."""


def figure_values(found: Sequence[Figure]) -> str:
    """Return what is behind plots: one line per point, full precision."""
    rows = [("figure", "series", "label", "value", "low", "high")]
    for figure in found:
        for series in figure.series:
            for label, value, interval in series.points:
                ends = ("", "") if interval is None else (repr(interval[0]), repr(interval[1]))
                rows.append((figure.name, series.name, label, repr(value), *ends))
    return _lines(rows)


def _lines(rows: Iterable[Sequence[str]]) -> str:
    """Return tab-separated lines; a control character in a name is shown as an escape."""
    return "".join("\t".join(map(escaped, row)) + "\n" for row in rows)
