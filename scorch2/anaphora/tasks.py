"""The four tasks of ARE, one row each: how two documents become evidence, and that becomes tallies.

Pronouns by id (1) and by span (3), coreference by id (2) and by span (4).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from scorch2.anaphora import alignment, credit
from scorch2.anaphora.metrics import OVERLAP, OVERLAP_MUC, SUCCESS_RATE
from scorch2.model.document import Document, spans
from scorch2.model.errors import MarkupError, Notice, quoted, shown_path
from scorch2.model.options import Options
from scorch2.model.score import Measured
from scorch2.scoring.contingency import count_overlaps
from scorch2.scoring.matching.clusters import one_cluster_each
from scorch2.scoring.matching.kinds import of_one_kind
from scorch2.scoring.matching.steps import match
from scorch2.scoring.metrics import METRICS, metric_row, metrics_named, muc
from scorch2.scoring.metrics.metric import AnyMetric, Lookup, Metric


class Resolved(NamedTuple):
    """One document after counting."""

    measured: Measured
    unit: str = ""
    """The unit of spans, as in `Document.unit`; empty where ids are compared."""
    items: Iterable[tuple[Any, ...]] = ()
    """Rows that explain the score, in the columns of `Task.head`."""
    reasons: Mapping[str, int] = MappingProxyType({})
    """The number of pronouns by reason."""


Resolve: TypeAlias = Callable[[str, Document, Document, "Task"], tuple[Resolved, list[Notice]]]


class Task(NamedTuple):
    """One of the four tasks."""

    what: str
    metric: Metric
    resolve: Resolve
    """From the id, the gold and the system document."""
    by_span: bool = False
    """True if mentions are spans, not ids."""
    needs_pairs: bool = False
    """True if pronouns are resolved, which needs ARE XML."""
    head: tuple[str, ...] = ()
    """The columns of the items."""


def _pronouns(ident: str, gold: Document, system: Document, task: Task) -> tuple[Resolved, list[Notice]]:
    found = (credit.by_span if task.by_span else credit.by_id)(gold, system)
    measured = _measured(ident, len(found.pronouns), found.attempted, task.metric, found)
    items = ((one.pronoun, str(one.value), one.reason) for one in found.pronouns)
    reasons = Counter([one.reason for one in found.pronouns])
    notices = [] if task.by_span else list(_outside(ident, gold, system))
    return Resolved(measured, gold.unit if task.by_span else "", items, reasons), notices


def _outside(ident: str, gold: Document, system: Document) -> Iterator[Notice]:
    lines = system.anaphora.lines if system.anaphora else {}
    for pronoun in credit.outside(gold, system):
        why = f"the pair of {quoted(pronoun)} is not scored: gold does not ask for that pronoun"
        yield Notice("outside", ident, f"{shown_path(system.path)}:{lines[pronoun]}: {why}")


def _by_id(ident: str, gold: Document, system: Document, task: Task) -> tuple[Resolved, list[Notice]]:
    matched = match(ident, gold, system, Options())
    table = count_overlaps(matched.gold, matched.system)
    sizes = len(matched.gold.owner), len(matched.system.owner)
    return Resolved(_measured(ident, *sizes, task.metric, table)), list(matched.notices)


def _aligned(ident: str, gold: Document, system: Document, task: Task) -> tuple[Resolved, list[Notice]]:
    _refuse_other_units(gold, system)
    left, _ = one_cluster_each(ident, gold, "error")
    right, _ = one_cluster_each(ident, system, "error")
    pairs = alignment.align(spans(list(left.owner)), spans(list(right.owner)))
    found = alignment.Alignment(pairs, left, right)
    items = ((one.gold, one.system, str(one.overlap)) for one in sorted(found.pairs))
    measured = _measured(ident, len(left.owner), len(right.owner), task.metric, found)
    return Resolved(measured, gold.unit, items), []


def _refuse_other_units(gold: Document, system: Document) -> None:
    if gold.sentences is not None and system.sentences is not None:
        of_one_kind(gold, system)
    elif gold.unit and system.unit and gold.unit != system.unit:
        why = f"spans of {system.unit}s, in gold ({shown_path(gold.path)}) of {gold.unit}s"
        raise MarkupError(system.path, 0, "unit-mismatch", why)


def _measured(ident: str, gold: int, system: int, metric: Metric, evidence: Any) -> Measured:
    return Measured(ident, gold, system, (metric.tallies(evidence),))


TASKS: Mapping[int, Task] = {
    1: Task(
        "pronouns by id: success rate",
        SUCCESS_RATE,
        _pronouns,
        needs_pairs=True,
        head=("pronoun", "credit", "reason"),
    ),
    2: Task("coreference by id: MUC", muc.METRIC, _by_id),
    3: Task(
        "pronouns by span: overlap",
        OVERLAP,
        _pronouns,
        by_span=True,
        needs_pairs=True,
        head=("pronoun", "credit", "reason"),
    ),
    4: Task(
        "coreference by span: MUC over what overlaps",
        OVERLAP_MUC,
        _aligned,
        by_span=True,
        head=("gold", "system", "overlap"),
    ),
}


def _one(name: str) -> AnyMetric:
    own = {task.metric.name: task.metric for task in TASKS.values() if task.metric.name not in METRICS}
    return own.get(name.casefold()) or metric_row(name)


def _several(names: Sequence[str]) -> Sequence[AnyMetric]:
    return [_one(names[0])] if len(names) == 1 else [METRICS[name] for name in metrics_named(names)]


LOOKUP = Lookup(_several, _one, frozenset({"task", "unit"}))
