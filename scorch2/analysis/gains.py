"""Gains: how much higher the scores of corrected output are, and the intervals of that."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from scorch2.analysis.kinds import KINDS
from scorch2.model.results import Interval
from scorch2.model.score import AnyScore, main_part

ALL = "all"
"""The key of what all corrections in order gain together."""
Scores = Mapping[str, AnyScore]


class Gains(NamedTuple):
    """The gain of F1, or of the only part, by kind of error and by metric; None where a score is 0/0."""

    alone: Mapping[str, Mapping[str, float | None]]
    """From correcting each kind by itself."""
    in_order: Mapping[str, Mapping[str, float | None]]
    """From correcting each kind after all kinds before it; and under `ALL` from all of them."""


class GainIntervals(NamedTuple):
    """The intervals of `Gains`."""

    alone: Mapping[str, Mapping[str, Interval]]
    in_order: Mapping[str, Mapping[str, Interval]]


def gains_of(scores: Scores, alone: Mapping[str, Scores], in_order: Mapping[str, Scores]) -> Gains:
    """Return the gains over the `scores` of output as it is.

    Parameters
    ----------
    scores : mapping of str to score
        By metric.
    alone, in_order : mapping of str to mapping of str to score
        The scores of corrected output, by kind of error in the order of correction, and by metric.

    Returns
    -------
    Gains
        In -1..1; None where a score is 0/0. The next gain in order is then over the score before that.
    """
    steps: dict[str, dict[str, float | None]] = {}
    last = scores
    for kind in KINDS:
        after = in_order[kind]
        steps[kind] = {name: _gain(last[name], after[name]) for name in scores}
        last = {name: after[name] if main_part(after[name]).defined else last[name] for name in scores}
    steps[ALL] = {name: _gain(scores[name], last[name]) for name in scores}
    return Gains(
        {kind: {name: _gain(scores[name], alone[kind][name]) for name in scores} for kind in KINDS}, steps
    )


def plain_intervals(found: GainIntervals) -> dict[str, Any]:
    """Return intervals as JSON has them."""
    return {
        how: {
            kind: {name: pair and list(pair) for name, pair in by_metric.items()}
            for kind, by_metric in by_kind.items()
        }
        for how, by_kind in found._asdict().items()
    }


def _gain(before: AnyScore, after: AnyScore) -> float | None:
    values = main_part(before), main_part(after)
    return values[1] - values[0] if values[0].defined and values[1].defined else None
