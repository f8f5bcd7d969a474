"""The map of the house: from two paths, or two clusterings, through every step to a Report."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from scorch2 import averages, matching, pairing
from scorch2.contingency import contingency
from scorch2.document import Document
from scorch2.errors import InputError, InputErrors, Notice, PairingError
from scorch2.messages import shown_path
from scorch2.metrics import DEFAULT, named, to_count
from scorch2.metrics.metric import Metric
from scorch2.options import Options
from scorch2.report import Report
from scorch2.tally import Measured

Watch: TypeAlias = Callable[[Iterator[pairing.Item], int], Iterable[pairing.Item]]


def score_paths(gold: str, system: str, options: Options, watch: Watch = lambda pairs, _: pairs) -> Report:
    """Score files or folders. `watch` sees the pairs go by and their number (for a progress bar)."""
    names = named(options.metrics or DEFAULT)
    metrics = to_count(names, options.blanc)
    plan = pairing.plan(gold, system, options)
    documents, notices, errors = [], [*plan.gold.notices, *plan.system.notices], []
    for pair in watch(pairing.pairs(plan, options), len(plan.stems)):
        if isinstance(pair, pairing.Pair):
            try:
                measured, found = measure(pair.id, pair.gold, pair.system, metrics, options)
            except InputError as error:
                errors.append(error)
            else:
                documents.append(measured)
                notices += [*pair.notices, *found]
        elif isinstance(pair, Notice):
            notices.append(pair)
        else:
            errors.append(pair)
    if errors:
        raise errors[0] if len(errors) == 1 else InputErrors(errors)
    return report(names, metrics, documents, notices, options)


def measure(
    ident: str, gold: Document, system: Document, metrics: Iterable[Metric], options: Options
) -> tuple[Measured, list[Notice]]:
    """Match, count and tally one document."""
    matched = matching.match(ident, gold, system, options)
    table = contingency(matched.gold, matched.system)
    tallies = tuple([metric.tallies(table) for metric in metrics])
    measured = Measured(ident, len(matched.gold.owner), len(matched.system.owner), tallies)
    return measured, [*_remarks(ident, gold), *_remarks(ident, system), *matched.notices]


def _remarks(ident: str, side: Document) -> Iterator[Notice]:
    for note in side.notes:
        yield Notice("reader", ident, f"{shown_path(side.path)}: {note}")
    if side.path and not any(side.clusters.values()):
        yield Notice("empty", ident, f"{shown_path(side.path)}: no mention in it")


def report(
    names: tuple[str, ...],
    metrics: tuple[Metric, ...],
    documents: list[Measured],
    notices: list[Notice],
    options: Options,
) -> Report:
    """Average what was measured."""
    if not documents:
        raise PairingError("nothing is left to score")
    return Report(
        averages.scores(names, metrics, documents, options.average), documents, metrics, options, notices
    )
