"""The map of the house: each step takes a small value and returns another, in this order.

    formats ─▶ pairing ─▶ matching ─▶ contingency ─▶ metrics ─▶ averages ─▶ report ─▶ reports
    Document   Pair       Partition   Contingency    Tally      Score       Report    text

`score_paths` goes the whole way, pairing reads as it goes; `score_documents` begins with two documents.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

from scorch2 import matching, pairing
from scorch2.contingency import contingency
from scorch2.document import Document
from scorch2.errors import InputError, InputErrors, Notice, PairingError
from scorch2.messages import shown_path
from scorch2.metrics import DEFAULT, METRICS, named, to_count
from scorch2.metrics.metric import Metric
from scorch2.options import Options
from scorch2.report import Report, report_of
from scorch2.tally import Measured

Watch: TypeAlias = Callable[[Iterator[pairing.Item], int], Iterable[pairing.Item]]


def score_paths(gold: str, system: str, options: Options, watch: Watch = lambda items, _: items) -> Report:
    """Score files or folders; `watch` sees the documents go by and how many files there are."""
    plan = pairing.plan(gold, system, options)
    items = watch(pairing.pairs(plan, options), len(plan.stems))
    return _report(items, [*plan.gold.notices, *plan.system.notices], options)


def score_documents(gold: Document, system: Document, options: Options) -> Report:
    """Score one document against another."""
    return _report([pairing.Pair(gold.id, gold, system)], [], options)


def measure(pair: pairing.Pair, metrics: Iterable[Metric], options: Options) -> tuple[Measured, list[Notice]]:
    """Match, count and tally one pair of documents."""
    matched = matching.match(pair.id, pair.gold, pair.system, options)
    table = contingency(matched.gold, matched.system)
    tallies = tuple([metric.tallies(table) for metric in metrics])
    measured = Measured(pair.id, len(matched.gold.owner), len(matched.system.owner), tallies)
    return measured, [*pair.notices, *_remarks(pair), *matched.notices]


def _report(items: Iterable[pairing.Item], notices: Sequence[Notice], options: Options) -> Report:
    """Measure every pair and average; what cannot be read or matched is collected, then raised together."""
    names = named(options.metrics or DEFAULT)
    metrics = to_count(names, options.blanc)
    documents: list[Measured] = []
    warnings, errors = list(notices), []
    for item in items:
        if isinstance(item, Notice):
            warnings.append(item)
        elif isinstance(item, InputError):
            errors.append(item)
        else:
            try:
                measured, found = measure(item, metrics, options)
            except InputError as error:
                errors.append(error)
            else:
                documents.append(measured)
                warnings += found
    if errors:
        raise errors[0] if len(errors) == 1 else InputErrors(errors)
    if not documents:
        raise PairingError("nothing is left to score")
    return report_of([METRICS[name] for name in names], metrics, documents, options, warnings)


def _remarks(pair: pairing.Pair) -> list[Notice]:
    remarks = []
    for side in (pair.gold, pair.system):
        if side.notes:
            remarks += [Notice("reader", pair.id, f"{shown_path(side.path)}: {note}") for note in side.notes]
        if side.path and not any(side.clusters.values()):
            remarks.append(Notice("empty", pair.id, f"{shown_path(side.path)}: no mention in it"))
    return remarks
