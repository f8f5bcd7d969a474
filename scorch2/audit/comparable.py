"""Can two reports be compared? The one rule for baselines and for tests of significance."""

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from scorch2.model.errors import Notice, printable
from scorch2.model.options import OPTIONS, Options
from scorch2.model.score import AVERAGES, Measured, added_by_file
from scorch2.scoring.metrics.metric import Mean

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform

else:

    def dataclass_transform(**_: bool) -> "Callable[[type], type]":
        """Return what `typing` has from Python 3.11 on, for type checkers."""
        return lambda decorated: decorated


from itertools import combinations

from scorch2.model.errors import PairingError, enumerated, quoted
from scorch2.model.score import NO_ORDER
from scorch2.scoring.averages import averaged
from scorch2.scoring.report import Report, without_run

_REMEDY = (
    "score both against the same gold with the same metrics and options; --missing=empty counts documents "
    "that a system lacks"
)


def reason_against(one: Report, other: Report, *, for_test: bool = False) -> str | None:
    """Return the first reason why two reports cannot be compared, or None if they can."""
    return next(reasons_against(one, other, for_test=for_test), None)


def reasons_against(one: Report, other: Report, *, for_test: bool = False) -> Iterator[str]:
    """Yield why two reports cannot be compared: every option and fact, and a document, that differs."""
    # The options that change numbers, the facts, the documents and their gold mentions must be the same.
    # `for_test` compares as a paired test does: it needs the same metrics, and counts a document without gold
    # as empty.
    yield from _options(one, other)
    yield from _facts(one, other)
    if for_test and list(one.scores) != list(other.scores):
        yield f"one has {enumerated(one.scores)}, the other {enumerated(other.scores)}"
    unlike = _documents(one, other, for_test=for_test)
    if unlike is not None:
        yield unlike


def comparable_systems(reports: Mapping[str, Report]) -> Mapping[str, Report]:
    """Return reports that a paired test can compare, with the metrics that all have, or raise a PairingError.

    The first report that loses a metric by it gets a warning.
    """
    reports = with_shared_metrics(reports)
    for (name, one), (other_name, other) in combinations(reports.items(), 2):
        unlike = reason_against(one, other, for_test=True)
        if unlike is not None:
            names = f"{printable(name)} and {printable(other_name)}"
            raise PairingError(f"{names} cannot be compared: {unlike} ({_REMEDY})")
    return reports


def with_shared_metrics(reports: Mapping[str, Report]) -> Mapping[str, Report]:
    """Return reports with the metrics that all of them have, but as they are if they share none."""
    every = list(dict.fromkeys(name for report in reports.values() for name in report.scores))
    shared = [name for name in every if all(name in report.scores for report in reports.values())]
    lost = [name for name in every if name not in shared]
    if not (shared and lost):
        return reports
    narrowed_reports = {name: narrowed(report, shared) for name, report in reports.items()}
    first = next(name for name, report in reports.items() if len(report.scores) > len(shared))
    why = f"not every report has {enumerated(lost)}: left out"
    notices = [*narrowed_reports[first].notices, Notice("metrics", "", why)]
    return {**narrowed_reports, first: narrowed_reports[first]._replace(notices=notices)}


def options_difference(one: Options, other: Options) -> str | None:
    """Return the first option that is not the same, in words; None if all numbers are made alike.

    >>> from scorch2.model.options import options_from
    >>> options_difference(options_from(), options_from(average="macro"))
    'average is mentions here and macro there'
    """
    return next(_differences(one, other), None)


def _differences(one: Options, other: Options, *, has_undefined: bool = True) -> Iterator[str]:
    """Yield the options that differ; without a score that is 0/0, but for those that only matter there."""
    for name, option in OPTIONS.items():
        here, there = getattr(one, name), getattr(other, name)
        if here != there and (has_undefined or not option.row.only_undefined):
            yield f"{name} is {here} here and {there} there"


def _options(one: Report, other: Report) -> Iterator[str]:
    if options_difference(one.options, other.options) is not None:
        has_undefined = _undefined_matters(one) or _undefined_matters(other)
        yield from _differences(one.options, other.options, has_undefined=has_undefined)


def _undefined_matters(report: Report) -> bool:
    """Return whether a score that is 0/0 takes part in a mean: over documents, or over metrics."""
    in_means = {name for row in report.rows if isinstance(row, Mean) for name in row.of}
    counted = averaged(report.metrics, report.metrics, report.documents, report.options).scores
    if any(not counted[name].defined for name in in_means):
        return True
    if AVERAGES[report.options.average].weigh is None or len(report.documents) == 1:
        return False
    units = added_by_file(report.documents) if AVERAGES[report.options.average].by_file else report.documents
    tallies = zip(*(document.tallies for document in units), strict=True)
    return any(
        not value.defined
        for metric, of_documents in zip(report.metrics, tallies, strict=True)
        for each in of_documents
        for value in metric.finish(each)
    )


def _facts(one: Report, other: Report) -> Iterator[str]:
    facts = dict(one.facts), dict(other.facts)
    for name in {**facts[0], **facts[1]}:
        here, there = (side.get(name, "not said") for side in facts)
        if here != there:
            shown = [printable(str(one)) for one in (name, here, there)]
            yield f"{shown[0]} is {shown[1]} here and {shown[2]} there"


def _documents(one: Report, other: Report, *, for_test: bool) -> str | None:
    sides = [{document.id: document for document in side.documents} for side in (one, other)]
    here, there = ({ident: document.gold_mentions for ident, document in side.items()} for side in sides)
    is_gold = one.options.twinless == "keep"  # else system mentions count as gold mentions too
    may_lack = for_test and not AVERAGES[one.options.average].weighs_empty
    for ident in {**here, **there}:
        if ident in here and ident in there:
            left, right = (side[ident] for side in sides)
            if NO_ORDER in (left.gold, right.gold):
                why = "has a number that scorch2 1.1 gave it by the counts of a system"
                return f"document {quoted(ident)} {why}"
            if is_gold and here[ident] != there[ident]:
                counts = f"{here[ident]} gold mentions here and {there[ident]} there"
                return f"document {quoted(ident)} has {counts}"
            if left.file != right.file:
                return f"document {quoted(ident)} is in another file there"
            if left.gold != right.gold:
                return f"document {quoted(ident)} has other gold clusters there (give every document an id)"
        elif not (may_lack and (here.get(ident) or there.get(ident) or 0) == 0):
            return (
                f"document {quoted(ident)} is only {'here' if ident in here else 'there'}{_renamed(*sides)}"
            )
    return None


def _renamed(here: Mapping[str, Measured], there: Mapping[str, Measured]) -> str:
    """Return what else to say if no name is on both sides, but gold may be the same."""
    golds = [sorted(document.gold_mentions for document in side.values()) for side in (here, there)]
    numbered = any(document.gold for side in (here, there) for document in side.values())
    if numbered or golds[0] != golds[1] or not here.keys().isdisjoint(there):
        return ""
    why = "two folders name documents by their files, --pair=text names them by what stands inside"
    return f", and {quoted(next(iter(there)))} only there: {why}"


def narrowed(report: Report, names: Collection[str]) -> Report:
    """Return a report of some metrics, without intervals, gates, baseline and listings."""
    rows = [row for row in report.rows if row.name in names]
    needed = {name for row in rows for name in (row.of if isinstance(row, Mean) else (row.name,))}
    shown = {*names, *needed}
    places = [i for i, metric in enumerate(report.metrics) if metric.name in needed]
    documents = [
        document._replace(
            tallies=tuple([document.tallies[i] for i in places]),
            windows=tuple(
                [one._replace(tallies=tuple([one.tallies[i] for i in places])) for one in document.windows]
            ),
        )
        for document in report.documents
    ]
    return without_run(report)._replace(
        scores={row.name: report.scores[row.name] for row in rows},
        rows=rows,
        metrics=[report.metrics[i] for i in places],
        skipped={name: report.skipped[name] for name in report.skipped if name in shown},
        documents=documents,
        listings=(),
    )
