"""Results of many documents in columns: smaller to send, and read again by field name."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, repeat
from typing import Any, NamedTuple

from scorch2.model.errors import InputError, Notice
from scorch2.model.score import Measured, Tally
from scorch2.scoring.flow import Outcome, Scored
from scorch2.scoring.matching.near_misses import NearMisses
from scorch2.scoring.metrics.metric import Metric


class Packed(NamedTuple):
    """Scored documents in columns. Sending them so takes a fifth of the time."""

    ids: Sequence[str]
    gold_mentions: Sequence[int]
    system_mentions: Sequence[int]
    numbers: Sequence[Sequence[float]]
    """The columns of the tallies: the fields of `Tally`, for every part of every metric."""
    files: Sequence[str]
    """The names of their pairs of files."""
    notices: Sequence[Sequence[Notice]]
    origins: Sequence[tuple[str, str]]
    near: Sequence[NearMisses | None]
    details: Sequence[Any] | None
    """None if no document has any, as in plain scoring."""
    ways: Sequence[Mapping[str, int]]


def packed(found: Iterable[Outcome]) -> list[Packed | Notice | InputError]:
    """Return outcomes in the same order, with scored documents that follow each other in columns."""
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
    """Return the documents as one `Packed`; no documents give an empty list."""
    if not scored:
        return []
    documents = [one.measured for one in scored]
    rows = [chain.from_iterable(chain.from_iterable(document.tallies)) for document in documents]
    return [
        Packed(
            ids=[document.id for document in documents],
            gold_mentions=[document.gold_mentions for document in documents],
            system_mentions=[document.system_mentions for document in documents],
            numbers=list(zip(*rows, strict=True)),
            files=[document.file for document in documents],
            notices=[one.notices for one in scored],
            origins=[one.origin for one in scored],
            near=[one.near for one in scored],
            details=[one.details for one in scored]
            if any(one.details is not None for one in scored)
            else None,
            ways=[one.ways for one in scored],
        )
    ]


def unpacked(found: Iterable[Packed | Notice | InputError], metrics: Sequence[Metric]) -> Iterator[Outcome]:
    """Yield the outcomes that `packed` was given.

    `metrics` are those that were counted, at least one, in the same order.
    """
    for outcome in found:
        if not isinstance(outcome, Packed):
            yield outcome
            continue
        columns = iter(outcome.numbers)
        of_metrics = [
            zip(*[map(Tally, *islice(columns, len(Tally._fields))) for _ in metric.parts], strict=True)
            for metric in metrics
        ]
        measured = map(
            Measured,
            outcome.ids,
            outcome.gold_mentions,
            outcome.system_mentions,
            zip(*of_metrics, strict=True),
            outcome.files,
        )
        details = repeat(None) if outcome.details is None else outcome.details
        rest = details, outcome.near, outcome.ways
        yield from map(Scored, measured, outcome.notices, outcome.origins, *rest)
