"""Gate: is a result good enough? A pure function from a Report and thresholds to verdicts.

And can two reports be compared? The one rule for baselines and for tests of significance.

Numbers are compared unrounded, up to 1e-12 for the rounding of floats. A score that is undefined is no
result, so its gate fails; only a gate on documents passes over those that are 0/0, unless all are.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from scorch2.model.errors import Notice, PairingError, UsageError, enumerated, printable, quoted, unknown_name
from scorch2.model.options import OPTIONS, Options
from scorch2.model.results import BREAKDOWN_METRICS, PAIRWISE, ClassRow, Verdict, main_name, shown_verdict
from scorch2.model.score import (
    AVERAGES,
    DROPS,
    GATES,
    NO_ORDER,
    USUAL,
    AnyScore,
    Measured,
    Sampling,
    Tally,
    added_by_file,
    finish,
    plain_value,
)
from scorch2.model.values import fraction_of
from scorch2.scoring.averages import averaged
from scorch2.scoring.layout.tables import Table
from scorch2.scoring.metrics.metric import AnyMetric, Mean
from scorch2.scoring.report import Report, without_run

_SHORT = {"r": "recall", "p": "precision", "f": "f1"}
_VERDICT_HEAD = ("gate", "value", "bound", "margin", "")
_DASH = "\u2013"  # the dash in classes such as 3 to 5, which is typed as a hyphen
_ROUNDING = 1e-12  # what the rounding of floats may take from a score that is just at its bound


class Class(NamedTuple):
    """A class of mentions that is gated."""

    dimension: str
    name: str

    def __str__(self) -> str:
        """Return the class as it is typed behind a metric."""
        return f"[{self.dimension}={self.name}]"


class Threshold(NamedTuple):
    """One gate as it was asked for."""

    gate: str
    metric: str
    part: str
    limit: float  # a score, or a drop; in 0..1
    of: Class | None = None  # the class of mentions whose score it is; None for all


class DropTest(NamedTuple):
    """A paired permutation test: what it takes to call a drop real."""

    alpha: float  # a drop whose p-value is above it may come by chance
    sampling: Sampling = USUAL


def threshold(gate: str, spec: str, find: Callable[[str], AnyMetric]) -> Threshold:
    """Return what ``METRIC[.PART]=VALUE`` or ``METRIC[DIMENSION=CLASS][.PART]=VALUE`` means.

    The value is a fraction, or percent: a number above 1 up to 100, or one with a percent sign.

    >>> from scorch2.scoring.metrics.chosen import metric_row
    >>> threshold("fail-under", "bcub.r=75%", metric_row)
    Threshold(gate='fail-under', metric='b_cubed', part='recall', limit=0.75, of=None)
    """
    name, equals, value = spec.rpartition("=")
    if not equals:
        raise UsageError(f"--{gate} needs METRIC=VALUE or METRIC.PART=VALUE, not {quoted(spec)}")
    metric, of, part = _parts(name)
    row = find(metric)
    parts = row.gives._fields
    part = _SHORT.get(part.casefold(), part.casefold()) or main_name(parts)
    if part not in parts:
        raise UsageError(f"--{gate}: {unknown_name(part, f'part of {row.name}', parts)}")
    if of is not None and gate != "fail-under":
        raise UsageError(f"--{gate} takes no class of mentions ({quoted(str(of))}): --fail-under does")
    if of is not None and row.name not in (known := _metrics_of(of)):
        raise UsageError(f"{row.name} has no score for a class of mentions ({', '.join(known)} have)")
    return Threshold(gate, row.name, part, fraction_of(value, f"--{gate}", is_small=gate in DROPS), of)


def _metrics_of(of: Class) -> tuple[str, ...]:
    """Return the metrics that have a score of a class."""
    from scorch2.analysis.table import DIMENSIONS

    has_pairs = of.dimension in DIMENSIONS and DIMENSIONS[of.dimension].pairs
    return (*BREAKDOWN_METRICS, PAIRWISE) if has_pairs else BREAKDOWN_METRICS


def _parts(name: str) -> tuple[str, Class | None, str]:
    """Return the metric, the class and the part in the name of a score."""
    before, bracket, inside = name.partition("[")
    dimension, equals, rest = inside.partition("=")
    one, closing, part = rest.rpartition("]")
    if not (bracket and equals and closing):
        metric, _, part = name.partition(".")
        return metric, None, part
    return before, Class(dimension, one), part.removeprefix(".")


def judge(
    report: Report,
    thresholds: Iterable[Threshold],
    baseline: Report | None = None,
    drop_test: DropTest | None = None,
) -> list[Verdict]:
    """Return a verdict for every threshold; `report` holds their metrics, and drops need a baseline."""
    # With `drop_test`, a drop that is too large fails only if it is not likely to come by chance
    verdicts = []
    for limit in thresholds:
        if limit.gate == "fail-under-doc":
            verdicts.append(_documents(report, limit))
        elif limit.gate in DROPS:
            if baseline is None:
                raise UsageError(f"--{limit.gate} needs a baseline")
            verdicts.append(_drop(report, limit, float(getattr(baseline.scores[limit.metric], limit.part))))
        else:
            verdicts.append(_bound(report, limit))
    if baseline is None or drop_test is None:
        return verdicts
    return _after_test(report, baseline, verdicts, drop_test)


def lowered(report: Report, baseline: Report, thresholds: Iterable[Threshold]) -> list[str]:
    """Return the gated scores that are lower in `report` than in `baseline`, as far as both hold them."""
    found = []
    for limit in thresholds:
        score = _documents if limit.gate == "fail-under-doc" else _bound
        try:
            before, now = (score(of, limit).value for of in (baseline, report))
        except (KeyError, UsageError):  # the baseline has no such metric, or no such class of mentions
            continue
        if before is not None and (now is None or not _reaches(now, before)):
            found.append(f"{limit.metric}{limit.of or ''}.{limit.part}")
    return [*dict.fromkeys(found)]


def missing(report: Report, thresholds: Iterable[Threshold]) -> str | None:
    """Return the first gated metric that `report` does not hold."""
    for limit in thresholds:
        if limit.of is None and limit.metric not in report.scores:
            return limit.metric
        if limit.of is not None and limit.of.dimension not in report.breakdown:
            return f"breakdown by {limit.of.dimension}"
    return None


def recounted(report: Report, gate: Any, baseline: Report | None = None) -> Verdict | None:
    """Return the verdict on a gate of a stored report, counted again; None for what is none of `report`."""
    # Without a baseline its score is that of the gate; the level of a test of drops stands nowhere
    if (
        not isinstance(gate, Mapping)
        or not isinstance(gate.get("metric"), str)
        or gate.get("gate") not in GATES
    ):
        return None
    name, of, _ = _parts(gate["metric"])
    limit = Threshold(gate["gate"], name, gate.get("part", ""), gate.get("limit", ""), of)
    try:
        if limit.gate not in DROPS:
            return judge(report, [limit])[0]
        scores = gate if baseline is None else {"baseline": getattr(baseline.scores[name], limit.part)}
        verdict = _drop(report, limit, float(scores["baseline"]))
    except (LookupError, TypeError, AttributeError, UsageError):  # of a metric, part, class or limit
        return None
    if _needs_no_test(verdict) or not isinstance(gate.get("p"), float | int) or not 0 <= gate["p"] <= 1:
        return verdict
    return verdict._replace(p=gate["p"], passed=gate.get("passed") is True)


def _bound(report: Report, limit: Threshold) -> Verdict:
    """Return the verdict on a score of the corpus, or of a class of mentions."""
    lack = ""
    if limit.of is None:
        score = report.scores[limit.metric]
    else:
        row = _class_row(report, limit.of)
        score = finish([Tally(0, 0, 0, 0) if row is None else row.tallies[limit.metric]])
        lack = "no mention is of this class" if row is None else ""
    value = plain_value(getattr(score, limit.part))
    passed = value is not None and _reaches(value, limit.limit)
    name = f"{limit.metric}{limit.of or ''}"
    return Verdict(limit.gate, name, limit.part, limit.limit, value, limit.limit, passed, lack=lack)


def _class_row(report: Report, of: Class) -> ClassRow | None:
    """Return the counts of a class of mentions; None for one that no mention is of."""
    from scorch2.analysis.table import DIMENSIONS

    rows = {_typed(row.name): row for row in report.breakdown.get(of.dimension, ())}
    fixed = DIMENSIONS[of.dimension].order if of.dimension in DIMENSIONS else ()
    known = list(map(_typed, fixed)) or list(rows)
    name = _typed(of.name)
    if name not in rows and name not in known:
        raise UsageError(unknown_name(of.name, f"class of {of.dimension}", known))
    return rows.get(name)


def _typed(name: str) -> str:
    return name.replace(_DASH, "-")


def _documents(report: Report, limit: Threshold) -> Verdict:
    scored: list[tuple[float, str]] = []
    undefined = []
    for document in report.documents:
        value = plain_value(getattr(report.document_scores(document)[limit.metric], limit.part))
        if value is None:
            undefined.append(document.id)
        else:
            scored.append((value, document.id))
    scored.sort()
    below = [(ident, value) for value, ident in scored if not _reaches(value, limit.limit)]
    lowest, where = scored[0] if scored else (None, "")
    return Verdict(
        limit.gate,
        limit.metric,
        limit.part,
        limit.limit,
        lowest,
        limit.limit,
        passed=bool(scored) and not below,
        document=where,
        below=below,
        undefined=undefined,
        lack="" if scored else "no document could be judged",
    )


def _drop(report: Report, limit: Threshold, before: float) -> Verdict:
    bound = before - limit.limit if limit.gate == "max-drop" else before * (1 - limit.limit)
    value = plain_value(getattr(report.scores[limit.metric], limit.part))
    passed = value is not None and _reaches(value, bound)
    return Verdict(limit.gate, limit.metric, limit.part, limit.limit, value, bound, passed, baseline=before)


def _after_test(
    report: Report, baseline: Report, verdicts: Sequence[Verdict], drop_test: DropTest
) -> list[Verdict]:
    if all(map(_needs_no_test, verdicts)):
        return list(verdicts)
    from scorch2.analysis.paired_tests import differences_of, paired

    gated = {verdict.metric for verdict in verdicts if not _needs_no_test(verdict)}
    both = paired(narrowed(report, gated), narrowed(baseline, gated))
    # a drop has a direction: only differences in that direction count
    found = differences_of(both, drop_test.sampling, two_sided=False)
    tested = []
    for verdict in verdicts:
        p = None if _needs_no_test(verdict) else found[verdict.metric][verdict.part].p
        if p is not None:
            verdict = verdict._replace(p=p, passed=p > drop_test.alpha)  # noqa: PLW2901 - the same one, tested
        tested.append(verdict)
    return tested


def _needs_no_test(verdict: Verdict) -> bool:
    """Return whether no test can change a verdict: only a drop can come by chance."""
    return verdict.passed or verdict.gate not in DROPS or verdict.value is None


def _reaches(value: float, bound: float) -> bool:
    return value >= bound - _ROUNDING


def change_table(report: Report, before: Mapping[str, AnyScore]) -> Table:
    """Return one row per metric that a baseline has, too: F1 or its only part, and the change."""
    rows = []
    for row in (row for row in report.rows if row.name in before):
        part = main_name(row.gives._fields)
        now, old = (plain_value(getattr(scores[row.name], part)) for scores in (report.scores, before))
        change = "" if now is None or old is None else f"{now - old:+.4f}"
        both = ("0/0" if value is None else f"{value:.4f}" for value in (now, old))
        rows.append((f"{row.name}.{part}", *both, change))
    return Table(("score", "value", "baseline", "change"), rows)


def verdict_table(verdicts: Sequence[Verdict]) -> Table:
    """Return one row per verdict: requirement, value, bound, margin and result."""
    return Table(
        _VERDICT_HEAD, [(str(verdict), *shown_verdict(verdict), verdict.outcome) for verdict in verdicts]
    )


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
    unlike = _documents_differ(one, other, for_test=for_test)
    if unlike is not None:
        yield unlike


def comparable_systems(reports: Mapping[str, Report]) -> Mapping[str, Report]:
    """Return reports that a paired test can compare, with the metrics that all have; else a PairingError."""
    # The first report that loses a metric by it gets a warning
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


def _documents_differ(one: Report, other: Report, *, for_test: bool) -> str | None:
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
    named = {*names, *needed}
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
        skipped={name: report.skipped[name] for name in report.skipped if name in named},
        documents=documents,
        listings=(),
    )
