"""Outcomes in columns: what workers send back, and how it is taken apart again."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat
from typing import NamedTuple

from scorch2.model.errors import InputError, Notice
from scorch2.model.tally import Measured, Tally
from scorch2.scoring import Outcome, Scored
from scorch2.scoring.metrics.metric import Metric


class Packed(NamedTuple):
    """Documents that were scored one after the other, in columns: a fifth of the time to send."""

    ids: Sequence[str]
    gold_mentions: Sequence[int]
    system_mentions: Sequence[int]
    numbers: Sequence[Sequence[float]]
    """The four columns of each tally, part by part of each metric."""
    notices: Sequence[Sequence[Notice]]
    origins: Sequence[tuple[str, str]]


def packed(found: Iterable[Outcome]) -> list[Packed | Notice | InputError]:
    """Return outcomes in their order, those of documents that follow each other in columns."""
    columns: list[Packed | Notice | InputError] = []
    scored: list[Scored] = []
    for outcome in found:
        if isinstance(outcome, Scored):
            scored.append(outcome)
            continue
        columns += [*_in_columns(scored), outcome]
        scored = []
    return columns + _in_columns(scored)


def _in_columns(scored: Sequence[Scored]) -> list[Packed | Notice | InputError]:
    """Return one `Packed`, or nothing of nothing."""
    if not scored:
        return []
    measured, notices, origins, _ = zip(*scored, strict=True)
    ids, gold, system, tallies = zip(*measured, strict=True)
    flat = [chain.from_iterable(chain.from_iterable(of_metrics)) for of_metrics in tallies]
    return [Packed(ids, gold, system, list(zip(*flat, strict=True)), notices, origins)]


def unpacked(found: Iterable[Packed | Notice | InputError], metrics: Sequence[Metric]) -> Iterator[Outcome]:
    """Yield the outcomes that `packed` was given, without their details.

    `metrics` are those that were counted, one at least, in their order.
    """
    for outcome in found:
        if not isinstance(outcome, Packed):
            yield outcome
            continue
        columns = iter(outcome.numbers)
        of_metrics = [
            zip(*[_tallies(*islice(columns, 4)) for _ in metric.parts], strict=True) for metric in metrics
        ]
        measured = map(Measured, *outcome[:3], zip(*of_metrics, strict=True))
        yield from map(Scored, measured, outcome.notices, outcome.origins)


def _tallies(*columns: Sequence[float]) -> Iterator[Tally]:
    """Return the tallies in four columns, in half the time that `Tally._make` takes."""
    return map(tuple.__new__, repeat(Tally), zip(*columns, strict=True))
