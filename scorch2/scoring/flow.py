"""The flow of scoring, from paths or documents to a report: each pair of documents gives one outcome.

Outcomes are small, so that other processes can send them.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from scorch2.model.document import Document
from scorch2.model.errors import (
    InputError,
    InputErrors,
    Notice,
    PairingError,
    UsageError,
    counted,
    listed,
    shown_path,
    without_frames,
)
from scorch2.model.forms import function_at
from scorch2.model.options import Options
from scorch2.model.score import Measured, Tally, WindowCounts
from scorch2.scoring.contingency import Contingency, Lookups, count_overlaps
from scorch2.scoring.matching.matched import Matched, NearMisses
from scorch2.scoring.matching.steps import Matcher, near_miss_notices
from scorch2.scoring.metrics import DEFAULT
from scorch2.scoring.metrics.chosen import metrics_named, to_count, to_report
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.pairing.files import Item, Pair, ReadPair, invalid_notice, read_as
from scorch2.scoring.pairing.pairs import NOT_PAIRED, plan_pairs, read_pairs
from scorch2.scoring.provenance import Origin, Provenance, are_equal, inputs_of, origin_of
from scorch2.scoring.report import Report, report_of


class Scored(NamedTuple):
    """The result of scoring a pair of documents."""

    measured: Measured
    notices: Sequence[Notice]
    origin: Origin
    details: Any = None  # more about the document, for commands that list it
    near: NearMisses | None = None  # counts of a document in which hardly a mention matches
    ways: Mapping[str, int] = {}
    """The number of pairs of mentions by what made them, where there are several ways."""
    equal: bool = False  # whether both sides have the same clusters
    read: Sequence[ReadPair] = ()  # what was read, if that is asked for


_SMALL_DOCUMENT = 8  # documents of up to so many mentions, both sides together, often have equal counts
_FEW_CELLS = 4
"""Tables of up to so many cells, and clusters on a side, are kept, and counted once while they are."""
_KEPT_TABLES = 4096
"""They take up to 8 MB. Larger tables of equal counts are rare: of 1 400 with 6 or more, 6."""
Kept = TypeVar("Kept")
Tallies: TypeAlias = tuple[tuple[Tally, ...], ...]  # the parts of each metric, in the order of the metrics
CountTable: TypeAlias = Callable[[Contingency], Tallies]
CountDocument: TypeAlias = Callable[[Pair, Matched, Contingency | Lookups, Options], Tallies]
Outcome: TypeAlias = Scored | Notice | InputError  # a document that was scored, left out, or cannot be scored
Watch: TypeAlias = Callable[[Iterable[Outcome], int], Iterable[Outcome]]
Measure: TypeAlias = Callable[[Iterable[Item], Options], Iterator[Outcome]]
"""A function that measures pairs; other processes import it by its name."""


class CountAll:
    """The functions that match the mentions of documents and count all metrics of a run."""

    def __init__(self, matcher: Matcher, of_table: CountTable, of_document: CountDocument | None) -> None:
        self.matcher = matcher
        self.of_table = of_table  # counts overlaps
        self.of_document = of_document
        """Counts a document if metrics or options need more than a table of overlaps."""


def unwatched(found: Iterable[Outcome], _: int) -> Iterable[Outcome]:
    """Return the outcomes as they are."""
    return found


def score_paths(
    gold: str, system: str, options: Options, watch: Watch = unwatched, measure: Measure | None = None
) -> Report:
    """Score files or folders.

    `watch` sees the outcomes go by and how many files there are. `measure` may find out more about pairs than
    `outcomes`, which it is by default.
    """
    plan = plan_pairs(gold, system, options)
    found = watch((measure or outcomes)(read_pairs(plan, options), options), len(plan.stems))
    return report_on(found, plan.notices, options, (gold, system))


def score_documents(gold: Document, system: Document, options: Options) -> Report:
    """Score one document against another."""
    return report_on(outcomes([Pair(gold.id, gold, system)], options), [], options)


def outcomes(items: Iterable[Item], options: Options) -> Iterator[Outcome]:
    """Measure every pair; what cannot be read or matched is passed on."""
    count = _counter(options)

    def score(pair: Pair) -> Scored:
        return score_pair(pair, count, options)

    return score_each(items, score, options)


_COUNTER: dict[str, CountAll] = {}
"""What counted last, by its options: a worker, whose tasks have the same ones, counts no table twice."""


def _counter(options: Options) -> CountAll:
    found = _COUNTER.get(repr(options))
    if found is None:
        found = count_all(counted_metrics(options), options)
        _COUNTER.clear()
        _COUNTER[repr(options)] = found
    return found


def score_each(items: Iterable[Item], score: Callable[[Pair], Scored], options: Options) -> Iterator[Outcome]:
    """Score every pair; what cannot be read or matched is passed on, at the end, or is left out."""
    # Where a file cannot be read to its end, that is the only error of its documents
    may_skip = options.invalid == "skip"
    errors: list[tuple[InputError, Collection[str]]] = []
    for item in items:
        if isinstance(item, Pair):
            try:
                yield score(item)
            except InputError as error:
                if may_skip:
                    yield invalid_notice(item.id, error)
                else:
                    errors.append((without_frames(error), (item.gold.path, item.system.path)))
        elif isinstance(item, InputError):
            while errors and item.path in errors[-1][1]:
                errors.pop()
            errors.append((without_frames(item), ()))
        else:
            yield item
    yield from (left for left, _ in errors)


def report_on(
    scored_pairs: Iterable[Outcome],
    notices: Sequence[Notice],
    options: Options,
    paths: tuple[str, str] | None = None,
) -> Report:
    """Average what was measured; `paths` are those of both sides, if they were read."""
    share = _sharing()
    near: list[tuple[NearMisses, int]] = []
    provenance = Provenance()
    read: list[ReadPair] = []

    def kept(scored: Scored) -> Measured:
        measured = scored.measured
        if scored.near is not None:
            near.append((scored.near, measured.fewer))
        provenance.see(measured.id, scored.origin, scored.equal)
        read.extend(scored.read)
        return share(measured)

    measured, warnings = collect(scored_pairs, notices, kept)
    _COUNTER.clear()  # up to 8 MB of tables
    rows = to_report(_names(options), options.choices)
    mentions = sum([document.gold_mentions for document in measured])
    of_sides = provenance.notices(options, paths, mentions)
    of_all = [*near_miss_notices(near, measured), *corpus_notices(measured, options)]
    notices = [*of_sides, *of_all, *_copy_notices(measured, options), *warnings]
    report = report_of(rows, counted_metrics(options), measured, options, notices)
    inputs = inputs_of(read, notices, options) if options.hashes else None
    return report._replace(cluster_keys=provenance.keys(), inputs=inputs)


def corpus_notices(documents: Sequence[Measured], options: Options) -> Sequence[Notice]:
    """Return the warnings about all documents together; a UsageError tells of a side without categories."""
    notices = list(_singleton_notices(documents, options))
    if options.only_category:
        from scorch2.scoring.matching.categories import category_notices

        notices += category_notices(documents, options)
    return notices


def _singleton_notices(documents: Sequence[Measured], options: Options) -> Sequence[Notice]:
    """Return a warning if singletons give other numbers than the reference scorer's, under ``e2e``."""
    if options.singletons != "e2e":
        return ()
    names = [metric.name for metric in counted_metrics(options)]
    place = next((names.index(name) for name in ("b_cubed", "lea") if name in names), None)
    if place is None:
        return ()
    tallies = [
        document.tallies[place][0] for document in documents
    ]  # their denominators leave singletons out
    gold = sum(document.gold_mentions for document in documents) - sum(one.recall_den for one in tallies)
    system = sum(document.system_mentions for document in documents) - sum(
        one.precision_den for one in tallies
    )
    if not (gold or system):
        return ()
    found = f"{counted(int(gold), 'singleton')} of gold and {int(system)} of the system"
    why = "--singletons=e2e leaves them out (only CEAF_e counts those of gold), the reference scorer does not"
    return [Notice("singletons", "", f"{found}: {why} (--profile=conll)")]


def _copy_notices(documents: Sequence[Measured], options: Options) -> Sequence[Notice]:
    if options.align != "text":
        return ()
    from scorch2.scoring.copied import copy_notices

    return copy_notices(documents)


def counted_metrics(options: Options) -> tuple[Metric, ...]:
    """Return the metrics that are counted, in the order of the tallies of a document."""
    return to_count(_names(options), options.choices)


def collect(
    scored_pairs: Iterable[Outcome], notices: Sequence[Notice], kept: Callable[[Scored], Kept]
) -> tuple[Sequence[Kept], Sequence[Notice]]:
    """Return what is `kept` of each scored document, and all warnings, which begin with `notices`."""
    # An InputError tells of all that cannot be scored, a PairingError that nothing was scored
    documents: list[Kept] = []
    warnings, errors = list(notices), []
    are_paired = False
    for outcome in scored_pairs:
        if isinstance(outcome, Scored):
            documents.append(kept(outcome))
            warnings += outcome.notices
            are_paired = are_paired or all(notice.code != "missing" for notice in outcome.notices)
        elif isinstance(outcome, Notice):
            warnings.append(outcome)
        else:
            errors.append(outcome)
    if errors:
        raise errors[0] if len(errors) == 1 else InputErrors(errors)
    if not documents:
        raise PairingError("nothing is left to score")
    if not are_paired:
        why = next((notice.message for notice in warnings if notice.code == "names"), NOT_PAIRED)
        raise PairingError(why)
    return documents, list(dict.fromkeys(warnings))


def _sharing() -> Callable[[Measured], Measured]:
    """Return a function that keeps the counts of a document; small documents share those that are equal."""
    # A million documents of a mention or two take 0.2 GB and not 1.4: they differ in their names alone
    known: dict[Tallies, Tallies] = {}

    def shared(document: Measured) -> Measured:
        if document.gold_mentions + document.system_mentions > _SMALL_DOCUMENT:
            return document
        return document._replace(tallies=known.setdefault(document.tallies, document.tallies))

    return shared


def count_all(metrics: Sequence[Metric], options: Options) -> CountAll:
    """Return what counts `metrics`, with mentions in pairs or looked up in another way."""
    # Small documents often have the same table: of 20 000 of 9 mentions a side, 8 500. To count each once
    # saves 7 % of a run over them.
    if options.resample:
        from scorch2.scoring.token_windows import refuse_windows

        refuse_windows(metrics, options)
    counts = [tuple(metric.parts.values()) for metric in metrics]

    def tallies(table: Contingency) -> Tallies:
        return tuple([tuple([count(table) for count in parts]) for parts in counts])

    once = lru_cache(_KEPT_TABLES)(tallies)

    def of(table: Contingency) -> Tallies:
        if max(map(len, table)) > _FEW_CELLS:  # twinless mentions have sizes, but no cells
            return tallies(table)
        return once(Contingency(tuple(table.cells), tuple(table.gold_sizes), tuple(table.system_sizes)))

    needs_more = options.lookup != "pairs" or any(metric.evidence for metric in metrics)
    return CountAll(Matcher(options), of, _document_counter(metrics) if needs_more else None)


def _document_counter(metrics: Sequence[Metric]) -> CountDocument:
    from scorch2.scoring.evidence import Seen

    finds = {metric.evidence: function_at(metric.evidence) for metric in metrics if metric.evidence}

    def tallies(pair: Pair, matched: Matched, tables: Contingency | Lookups, options: Options) -> Tallies:
        seen = Seen(pair.gold, pair.system, matched, tables, options)
        evidence = {place: find(seen) for place, find in finds.items()}
        return tuple(
            [
                metric.tallies(evidence[metric.evidence])
                if metric.evidence
                else tallies_of_tables(metric, tables)
                for metric in metrics
            ]
        )

    return tallies


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
        [
            Tally(one.recall_num, one.recall_den, other.precision_num, other.precision_den)
            for one, other in both
        ]
    )


def score_pair(pair: Pair, count: CountAll, options: Options) -> Scored:
    """Match, count and tally one pair of documents."""
    matcher = count.matcher
    gold, system = matcher.annotated(pair.gold, pair.system)
    if gold is not pair.gold or system is not pair.system:
        pair = pair._replace(gold=gold, system=system)
    more = count.of_document
    matched = matcher.matched(matcher.compared(pair.id, gold, system))
    table = count_overlaps(matched.gold, matched.system)
    near = matcher.near_misses(matched, table)
    mentions = len(matched.gold.owner), len(matched.system.owner)
    equal = mentions[0] == mentions[1] == sum(table.shared) and are_equal(matched, table)
    notices, ways = matched.notices, matched.ways
    copying, kept = matched.pair.copying, matched.pair.kept
    windows: tuple[WindowCounts, ...] = ()
    if more is not None:
        sets = matched.sets or ((), ())
        mentions = sum(table.gold_sizes) - len(sets[0]), sum(table.system_sizes) - len(sets[1])
        tallies = more(pair, matched, matched.tables or table, options)
    elif options.resample:
        from scorch2.scoring.token_windows import window_counts

        tallies = count.of_table(table)
        windows = window_counts(matched, table, tallies, count.of_table, options)
    else:
        del matched  # two dictionaries of all mentions, which metrics of overlaps do not need
        tallies = count.of_table(table)
    measured = Measured(pair.id, *mentions, tallies, pair.file, copying=copying, kept=kept, windows=windows)
    remarks = [*remarks_on(pair, options), *notices]
    read = read_as(pair) if options.hashes else ()
    return Scored(measured, remarks, origin_of(pair), near=near, ways=ways, equal=equal, read=read)


def measure_pair(pair: Pair, count: CountAll, options: Options) -> tuple[Measured, Sequence[Notice]]:
    """Return the counts of one pair of documents, and the warnings about it."""
    found = score_pair(pair, count, options)
    return found.measured, found.notices


def _names(options: Options) -> tuple[str, ...]:
    return metrics_named(options.metrics or DEFAULT)


def remarks_on(pair: Pair, options: Options) -> list[Notice]:
    """Return what is worth a warning about a pair before it is matched."""
    sides = [_remarks_on_side(document) for document in (pair.gold, pair.system)]
    notices = list(pair.notices)
    if _has_text(pair.gold) and _has_text(pair.system) and options.choices["align"] == "none":
        from scorch2.scoring.pairing.words import words_notices

        notices += words_notices(pair.id, pair.gold, pair.system)
    if pair.system.file_notes and pair.system is not pair.gold:
        notices += [Notice("key", pair.system.path, note) for note in pair.system.file_notes]
    if not any(sides):
        return notices
    for code, message in dict.fromkeys([*sides[0], *sides[1]]):
        of = [name for name, side in zip(("gold", "system"), sides, strict=True) if (code, message) in side]
        whose = "" if pair.gold is pair.system else f"{' and '.join(of)}: "
        notices.append(Notice(code, pair.id, f"{whose}{message}"))
    return notices


def _has_text(document: Document) -> bool:
    return document.words is not None or document.text is not None


def _remarks_on_side(document: Document) -> list[tuple[str, str]]:
    clusters = document.clusters
    is_filled = clusters and all(clusters.values())
    if is_filled and not document.notes:
        return []
    remarks = [("reader", f"{shown_path(document.path)}: {note}") for note in document.notes]
    if document.path and not is_filled:
        if clusters:
            remarks.append(("empty", f"{shown_path(document.path)}: {_empty_clusters(document)}"))
        if not any(clusters.values()):
            remarks.append(("empty", f"{shown_path(document.path)}: no mention in it"))
    return remarks


def _empty_clusters(document: Document) -> str:
    empty = [name for name, members in document.clusters.items() if not members]
    return f"{counted(len(empty), 'cluster')} without a mention left out: {listed(empty)}"
