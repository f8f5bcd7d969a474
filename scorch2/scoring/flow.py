"""The flow of scoring, from paths or documents to a report: each pair of documents gives one outcome.

Outcomes are small, so that other processes can send them. What only some runs look at, and what there is to
say, are rows of `looks`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias, TypeVar

from scorch2.model.errors import InputError, InputErrors, Notice, PairingError, without_frames
from scorch2.model.options import Options
from scorch2.model.score import Measured, Tallies
from scorch2.scoring.contingency import Contingency, count_overlaps
from scorch2.scoring.looks import Look, Run, facts_of, found_by, looks_for, remarks_on, remarks_on_run
from scorch2.scoring.matching.matched import Matched, Seen
from scorch2.scoring.matching.steps import Matcher
from scorch2.scoring.metrics.chosen import counted_metrics, reported_metrics
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.pairing.files import Item, Origin, Pair, invalid_notice, origin_of
from scorch2.scoring.pairing.pairs import NOT_PAIRED, plan_pairs, read_pairs
from scorch2.scoring.report import Report, report_of


class Scored(NamedTuple):
    """The result of scoring a pair of documents."""

    measured: Measured
    notices: Sequence[Notice]
    origin: Origin
    details: Any = None  # more about the document, for commands that list it
    looked: Mapping[str, Any] = {}
    """What looks found besides counts, by their names."""
    ways: Mapping[str, int] = {}
    """The number of pairs of mentions by what made them, where there are several ways."""
    equal: bool = False  # whether both sides have the same clusters


_SMALL_DOCUMENT = 8  # documents of up to so many mentions, both sides together, often have equal counts
_FEW_CELLS = 4
"""Tables of up to so many cells, and clusters on a side, are kept, and counted once while they are."""
_KEPT_TABLES = 4096
"""They take up to 8 MB. Larger tables of equal counts are rare: of 1 400 with 6 or more, 6."""
Kept = TypeVar("Kept")
Outcome: TypeAlias = Scored | Notice | InputError  # a document that was scored, left out, or cannot be scored
Watch: TypeAlias = Callable[[Iterable[Outcome], int], Iterable[Outcome]]
Measure: TypeAlias = Callable[[Iterable[Item], Options], Iterator[Outcome]]
"""A function that measures pairs; other processes import it by its name."""


class CountAll(NamedTuple):
    """The functions that match the mentions of documents and count all metrics of a run."""

    matcher: Matcher
    of_table: Callable[[Contingency], Tallies]  # counts overlaps
    of_document: Callable[[Seen], Tallies] | None
    """Counts a document if metrics or options need more than a table of overlaps."""
    looks: Sequence[Look]


def unwatched(found: Iterable[Outcome], _: int) -> Iterable[Outcome]:
    """Return the outcomes as they are."""
    return found


def score_paths(
    gold: str, system: str, options: Options, watch: Watch = unwatched, measure: Measure | None = None
) -> Report:
    """Score files or folders."""
    # `watch` sees the outcomes go by and how many files there are. `measure` may find out more about pairs
    # than `outcomes`, which it is by default.
    plan = plan_pairs(gold, system, options)
    found = watch((measure or outcomes)(read_pairs(plan, options), options), len(plan.stems))
    return report_on(found, plan.notices, options, (gold, system))


def outcomes(items: Iterable[Item], options: Options) -> Iterator[Outcome]:
    """Measure every pair; what cannot be read or matched is passed on."""
    count = _counter(options)
    return score_each(items, lambda pair: score_pair(pair, count, options), options)


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
    origins: dict[Origin, str] = {}
    unequal: list[str] = []
    looked: dict[str, list[tuple[Any, Measured]]] = {}

    def kept(scored: Scored) -> Measured:
        if scored.origin not in origins:
            origins[scored.origin] = scored.measured.id
        if not scored.equal and not unequal:
            unequal.append(scored.measured.id)
        for name, value in scored.looked.items():
            looked.setdefault(name, []).append((value, scored.measured))
        return share(scored.measured)

    measured, warnings = collect(scored_pairs, notices, kept)
    _COUNTER.clear()  # up to 8 MB of tables
    run = Run(measured, options, looked, paths, origins, not unequal)
    notices = [*remarks_on_run(run), *warnings]
    metrics = reported_metrics(options), counted_metrics(options)
    return report_of(*metrics, measured, options, notices)._replace(**facts_of(run, notices))


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
        tallies = known.setdefault(document.tallies, document.tallies)
        return document if tallies is document.tallies else document._replace(tallies=tallies)

    return shared


def count_all(metrics: Sequence[Metric], options: Options) -> CountAll:
    """Return what counts `metrics`, with mentions in pairs or looked up in another way."""
    # Small documents often have the same table: of 20 000 of 9 mentions a side, 8 500. To count each once
    # saves 7 % of a run over them.
    counts = [tuple(metric.parts.values()) for metric in metrics]

    def tallies(table: Contingency) -> Tallies:
        return tuple([tuple([count(table) for count in parts]) for parts in counts])

    once = lru_cache(_KEPT_TABLES)(tallies)

    def of(table: Contingency) -> Tallies:
        if max(map(len, table)) > _FEW_CELLS:  # twinless mentions have sizes, but no cells
            return tallies(table)
        return once(Contingency(tuple(table.cells), tuple(table.gold_sizes), tuple(table.system_sizes)))

    of_document = None
    if options.lookup != "pairs" or any(metric.evidence for metric in metrics):
        from scorch2.scoring.counting import counter_of

        of_document = counter_of(metrics)
    return CountAll(Matcher(options), of, of_document, looks_for(options, metrics))


def score_pair(pair: Pair, count: CountAll, options: Options) -> Scored:
    """Match, count and tally one pair of documents."""
    matcher = count.matcher
    gold, system = matcher.annotated(pair.gold, pair.system)
    if gold is not pair.gold or system is not pair.system:
        pair = pair._replace(gold=gold, system=system)
    matched = matcher.matched(matcher.compared(pair.id, gold, system))
    table = count_overlaps(matched.gold, matched.system)
    mentions = len(matched.gold.owner), len(matched.system.owner)
    equal = mentions[0] == mentions[1] == sum(table.shared) and are_equal(matched, table)
    notices, ways, noted = matched.notices, matched.ways, matched.pair.noted
    seen = Seen(pair, matched, table, options, count.of_table)
    looked = found_by(count.looks, seen)
    if count.of_document is None:
        del matched, seen  # two dictionaries of all mentions, which metrics of overlaps do not need
        tallies = count.of_table(table)
    else:
        sets = matched.sets or ((), ())
        mentions = sum(table.gold_sizes) - len(sets[0]), sum(table.system_sizes) - len(sets[1])
        tallies = count.of_document(seen)
        equal = equal and all(tally.is_whole for parts in tallies for tally in parts)
    measured = Measured(pair.id, *mentions, tallies, pair.file, **noted)
    if looked:
        counted = looked.keys() & Measured._fields
        measured = measured._replace(**{name: looked.pop(name) for name in counted})
    remarks = [*remarks_on(pair, options), *notices]
    return Scored(measured, remarks, origin_of(pair), looked=looked, ways=ways, equal=equal)


def are_equal(matched: Matched, table: Contingency) -> bool:
    """Return whether both sides, which share all mentions, have the same clusters of them."""
    if not len(table.cells) == len(table.gold_sizes) == len(table.system_sizes):
        return False
    if len(matched.gold.sizes) != len(matched.gold_alone.sizes):  # gold got twinless mentions
        return False
    return matched.tables is not None or not matched.ways.keys() - {"equal"}
