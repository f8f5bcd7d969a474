"""The tables of what only some runs need: looks at a pair of documents, and remarks on a pair and on a run.

A row says when it applies, and names a function below this package, which is imported only then.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.formats.table import FORMATS
from scorch2.model.errors import Notice
from scorch2.model.forms import function_at
from scorch2.model.options import Options
from scorch2.model.score import Measured
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.matching.matched import ENOUGH, Matched, Seen
from scorch2.scoring.matching.steps import compares_as_read
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.pairing.files import Origin, Pair, are_one


class Run(NamedTuple):
    """A run when its documents are counted."""

    documents: Sequence[Measured]
    options: Options
    looked: Mapping[str, Sequence[tuple[Any, Measured]]]
    """What looks found, by their names, with the document."""
    paths: tuple[str, str] | None = None  # those of both sides, if they were read
    origins: Mapping[Origin, str] = {}  # the first document of each
    are_equal: bool = False  # whether both sides have the same clusters in all documents


class Look(NamedTuple):
    """Something that is looked at in a pair."""

    name: str  # a field of `Measured` that holds what is found, or a key of `Scored.looked`
    function: str
    takes: Callable[[Seen], tuple[Any, ...]]
    applies: Callable[[Options], bool]
    concerns: Callable[[Seen], bool] = lambda _: True
    check: str = ""
    """A function that raises a UsageError for metrics and options with which it cannot be looked at."""


class RunRow(NamedTuple):
    """Something to say about a run, or a field of its report."""

    function: str
    takes: Callable[[Run], tuple[Any, ...]]
    concerns: Callable[[Run], object]
    field: str = ""  # of `Report`; then the function takes the notices of the run, too


_SLOW = 20_000  # so many mentions can meet in as many cells, which the solver in Python takes 3 s to align
_OWN = 10  # no document numbers so many clusters for each of its mentions
_NUMBER = 2  # characters of a name that may be a number, or a letter in place of one
_REACHING = {name for name, row in FORMATS.items() if row.names_reach}


def _compares_words(pair: Pair, options: Options) -> bool:
    gold, system = pair.gold, pair.system
    if (gold.words is None and gold.text is None) or (system.words is None and system.text is None):
        return False
    return options.choices["align"] == "none"


def _has_notes(pair: Pair, _: Options) -> bool:
    """Return whether a reader says something about a side, or something in it is empty."""
    gold, system = pair.gold, pair.system
    if gold.notes or system.notes or system.file_notes or not (gold.clusters and system.clusters):
        return True
    return not (all(gold.clusters.values()) and all(system.clusters.values()))


def _may_be_one(run: Run) -> bool:
    return run.paths is not None and (run.are_equal or are_one(*run.paths))


def _sides(run: Run) -> tuple[Any, ...]:
    mentions = sum([document.gold_mentions for document in run.documents]) if run.are_equal else 0
    return run.paths, (run.options.gold_files, run.options.sys_files), run.origins, mentions


def _may_reach(seen: Seen) -> bool:
    """Return whether clusters of gold may go on in other documents: by the format, or by their names."""
    document = seen.pair.gold
    if document.format in _REACHING or document.numbered:
        return not document.numbered
    name = next(iter(document.clusters), "")  # one tells whether a document made up names for itself
    if len(name) <= _NUMBER:
        return False
    number = "".join(filter(str.isdecimal, name))[:9]
    return not number or int(number) > _OWN * sum(seen.table.gold_sizes)


def _whole(run: Run) -> tuple[Any, ...]:
    return run.documents, run.options


def _reaches(run: Run) -> bool:
    """Return whether clusters may reach over documents that are scored one by one."""
    return len(run.looked.get("reach", ())) > 1


def _may_be_shifted(matched: Matched, table: Contingency) -> bool:
    """Return whether so few mentions may match that one side may count spans in another way."""
    gold, system = matched.whole or (matched.gold_alone, matched.system)
    added = len(table.gold_sizes) - len(matched.gold_alone.sizes)  # gold singletons for twinless mentions
    # A cell is a match at least
    return (len(table.cells) - added) * ENOUGH < min(len(gold.owner), len(system.owner))


LOOKS: Sequence[Look] = (
    Look(
        "near_misses",
        "scoring.matching.matched:near_misses",
        lambda seen: (seen.matched, seen.table),
        compares_as_read,
        lambda seen: _may_be_shifted(seen.matched, seen.table),
    ),
    Look(
        "windows",
        "scoring.counting:window_counts",
        lambda seen: (seen.matched, seen.table, seen.tallies_of(seen.table), seen.tallies_of, seen.options),
        lambda options: bool(options.resample),
        check="scoring.counting:refuse_windows",
    ),
    Look(
        "reach",
        "scoring.remarks:sizes_of_gold",
        lambda seen: (seen.pair,),
        lambda options: options.documents == "file",
        _may_reach,
    ),
    Look("read", "scoring.pairing.files:read_as", lambda seen: (seen.pair,), lambda options: options.hashes),
)
PAIR_REMARKS: Sequence[tuple[str, Callable[[Pair, Options], bool]]] = (
    ("scoring.pairing.words:words_notices", _compares_words),
    ("scoring.remarks:notes_of_readers", _has_notes),
)
"""What to say about a pair before it is matched: a function of its name and sides, and when it has a word."""
RUN_REMARKS: Sequence[RunRow] = (
    RunRow("scoring.remarks:same", _sides, _may_be_one),
    RunRow("scoring.remarks:reaching_clusters", lambda run: (run.looked["reach"],), _reaches),
    RunRow(
        "scoring.matching.near_misses:near_miss_warning",
        lambda run: (run.looked["near_misses"], run.documents),
        lambda run: any(counts.under for counts, _ in run.looked.get("near_misses", ())),
    ),
    RunRow(
        "scoring.remarks:without_scipy",
        lambda run: (run.options,),
        lambda run: any(one.gold_mentions >= _SLOW <= one.system_mentions for one in run.documents),
    ),
    RunRow("scoring.remarks:singletons_left_out", _whole, lambda run: run.options.singletons == "e2e"),
    RunRow("scoring.matching.mention_kinds:category_notices", _whole, lambda run: run.options.only_category),
    RunRow(
        "scoring.remarks:copy_notices", lambda run: (run.documents,), lambda run: run.options.align == "text"
    ),
)


RUN_FACTS: Sequence[RunRow] = (
    RunRow(
        "scoring.remarks:cluster_keys",
        lambda run: (run.origins,),
        lambda run: any(gold or system for *_, gold, system in run.origins),
        "cluster_keys",
    ),
    RunRow(
        "scoring.remarks:inputs_of",
        lambda run: ([one for read, _ in run.looked["read"] for one in read], run.options),
        lambda run: run.options.hashes,
        "inputs",
    ),
)


def looks_for(options: Options, metrics: Sequence[Metric]) -> Sequence[Look]:
    """Return the looks that the options of a run ask for, which counts some metrics."""
    looks = [look for look in LOOKS if look.applies(options)]
    for look in looks:
        if look.check:
            function_at(look.check)(metrics, options)
    return looks


def found_by(looks: Iterable[Look], seen: Seen) -> dict[str, Any]:
    """Return what looks find in a pair, by their names; nothing of those that it does not concern."""
    return {look.name: function_at(look.function)(*look.takes(seen)) for look in looks if look.concerns(seen)}


def remarks_on(pair: Pair, options: Options) -> list[Notice]:
    """Return what is worth a warning about a pair before it is matched."""
    notices = list(pair.notices)
    pair = pair.with_category_notes() if options.choices["only_category"] else pair
    for function, concerns in PAIR_REMARKS:
        if concerns(pair, options):
            notices += function_at(function)(pair.id, pair.gold, pair.system)
    return notices


def remarks_on_run(run: Run) -> list[Notice]:
    """Return what is worth a warning about a run; a UsageError tells of a side that lacks what it needs."""
    notices: list[Notice] = []
    for remark in RUN_REMARKS:
        if remark.concerns(run):
            notices += function_at(remark.function)(*remark.takes(run))
    return notices


def facts_of(run: Run, notices: Sequence[Notice]) -> dict[str, Any]:
    """Return what the report of a run with some notices says besides, by its fields."""
    facts = [fact for fact in RUN_FACTS if fact.concerns(run)]
    return {fact.field: function_at(fact.function)(*fact.takes(run), notices) for fact in facts}
