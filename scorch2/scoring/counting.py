"""Counts of a document whose metrics read more than one table of overlaps, and of windows of its tokens.

A window, of ``--resample=windows:<tokens>``, is a stretch of tokens, and holds the mentions that begin in it.
It is worth what the counts of the document lose if the mentions in it are left out on both sides: its
mentions, the links between them, and their links with the rest. A link of two windows is therefore worth
something in both.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import sub
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.model.besides import WindowCounts
from scorch2.model.document import Document, Mention
from scorch2.model.errors import UsageError, enumerated, quoted
from scorch2.model.forms import function_at
from scorch2.model.markables import as_written
from scorch2.model.options import Options, flag_of
from scorch2.model.score import Tallies, Tally
from scorch2.scoring.contingency import Contingency, Lookups
from scorch2.scoring.matching.matched import Matched, Seen
from scorch2.scoring.matching.partners import TooManyPairsError
from scorch2.scoring.metrics.metric import Metric

if TYPE_CHECKING:
    from scorch2.scoring.matching.preprocessing import TokensOf


def counter_of(metrics: Sequence[Metric]) -> Callable[[Seen], Tallies]:
    """Return what counts a document for metrics that have evidence, or whose mentions are looked up."""
    finds = {metric.evidence: function_at(metric.evidence) for metric in metrics if metric.evidence}

    def tallies(seen: Seen) -> Tallies:
        tables = seen.matched.tables or seen.table
        evidence = {place: find(seen) for place, find in finds.items()}
        return tuple(
            _tallies_of(metric, evidence[metric.evidence], seen)
            if metric.evidence
            else tallies_of_tables(metric, tables)
            for metric in metrics
        )

    return tallies


def _tallies_of(metric: Metric, evidence: Any, seen: Seen) -> tuple[Tally, ...]:
    try:
        return metric.tallies(evidence)
    except TooManyPairsError:
        shown = quoted(seen.pair.gold.id)
        why = f"too many pairs of mentions of {shown} overlap for {metric.name}"
        raise seen.pair.gold.error(f"{why} (choose other metrics)") from None


def tallies_of_tables(metric: Metric, tables: Lookups | Contingency) -> tuple[Tally, ...]:
    """Return one tally per part; numbers of recall and of precision may come from two tables."""
    # A UsageError tells of a metric that needs mentions in pairs
    if isinstance(tables, Contingency):
        return metric.tallies(tables)
    if metric.table == "none":
        why = f"{metric.name} is not defined for mentions that are looked up"
        raise UsageError(f"{why} (name other metrics, or use --lookup=pairs)")
    if metric.table == "mentions":
        return (tables.mentions,)
    if metric.table != "each side":
        return metric.tallies(tables.recall if metric.table == "recall" else tables.membership)
    both = zip(metric.tallies(tables.recall), metric.tallies(tables.precision), strict=True)
    return tuple(
        Tally(one.recall_num, one.recall_den, other.precision_num, other.precision_den) for one, other in both
    )


def refuse_windows(metrics: Sequence[Metric], options: Options) -> None:
    """Raise a UsageError if what is scored is no table of overlaps, from which mentions can be left out."""
    for name, needed in (("lookup", "pairs"), ("split_antecedents", "drop")):
        if getattr(options, name) != needed:
            raise UsageError(f"--resample over windows needs {flag_of(name)}={needed}")
    beyond = [metric.name for metric in metrics if metric.evidence]
    if beyond:
        which = f"which {'counts' if len(beyond) == 1 else 'count'} more than clusters"
        raise UsageError(f"--resample draws documents for {enumerated(beyond)}, {which} (name other metrics)")


def window_counts(
    matched: Matched,
    table: Contingency,
    tallies: Tallies,
    count: Callable[[Contingency], Tallies],
    options: Options,
) -> tuple[WindowCounts, ...]:
    """Return what each window of a document is worth; `table` and `tallies` are those of all its mentions."""
    window_of, number = _windows(matched, options)
    inside = [_Inside(Counter(), Counter(), Counter()) for _ in range(number)]
    for mention, cluster in matched.gold.owner.items():
        inside[window_of(mention)].gold[cluster] += 1
    for mention, cluster in matched.system.owner.items():
        window = inside[window_of(mention)]
        window.system[cluster] += 1
        if mention in matched.gold.owner:
            window.cells[matched.gold.owner[mention], cluster] += 1
    return tuple(
        WindowCounts(
            window.gold.total(),
            window.system.total(),
            _difference(tallies, count(_without(table, window)) if any(window) else tallies),
        )
        for window in inside
    )


class _Inside(NamedTuple):
    """The mentions of a window, by their clusters."""

    gold: Counter[int]
    system: Counter[int]
    cells: Counter[tuple[int, int]]


def _windows(matched: Matched, options: Options) -> tuple[Callable[[Mention], int], int]:
    """Return the function from a mention to its window, and the number of windows."""
    compared = matched.pair.gold.document
    aligned = aligned_tokens(matched.pair.gold.written, compared, options)
    tokens = matched.pair.gold.written if aligned is not None else compared
    if not tokens.has_tokens and any(chain(matched.gold.owner, matched.system.owner)):
        raise tokens.error(f"{quoted(tokens.id)} has no tokens, which --resample over windows needs")
    length = options.resample
    number = max(1, -(-sum(tokens.sentences or ()) // length))

    def window_of(mention: Mention) -> int:
        span: Any = as_written(mention)
        start: int = span[0] if aligned is None else aligned(span)[0]
        return min(start // length, number - 1)

    return window_of, number


def aligned_tokens(written: Document, compared: Document, options: Options) -> "TokensOf | None":
    """Return the function from a mention to the gold tokens that it touches, if characters are compared."""
    how = options.choices["align"]
    if how == "none" or (how == "text" and compared.has_tokens):
        return None
    from scorch2.scoring.matching import copied_text, preprocessing

    return preprocessing.tokens_of(copied_text.in_tokens(written) if how == "text" else written)


def _without(table: Contingency, window: _Inside) -> Contingency:
    """Return the overlaps without the mentions of a window, and without what is empty then."""
    golds, gold_sizes = _left(table.gold_sizes, window.gold)
    systems, system_sizes = _left(table.system_sizes, window.system)
    cells = [(g, s, n - window.cells[g, s]) for g, s, n in table.cells]
    return Contingency([(golds[g], systems[s], n) for g, s, n in cells if n], gold_sizes, system_sizes)


def _left(sizes: Sequence[int], gone: Mapping[int, int]) -> tuple[Mapping[int, int], list[int]]:
    """Return the new number of each cluster that is left, in their order, and the sizes."""
    left = {cluster: size - gone.get(cluster, 0) for cluster, size in enumerate(sizes)}
    kept = [cluster for cluster, size in left.items() if size]
    return {cluster: number for number, cluster in enumerate(kept)}, [left[cluster] for cluster in kept]


def _difference(one: Tallies, other: Tallies) -> Tallies:
    return tuple(
        tuple(Tally(*map(sub, *pair)) for pair in zip(*parts, strict=True))
        for parts in zip(one, other, strict=True)
    )
