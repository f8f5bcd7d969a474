"""Uncertainty of analyses: intervals of gains and of agreement, and tests of systems side by side."""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import accumulate, pairwise
from operator import or_
from typing import TYPE_CHECKING

from scorch2.analysis import bootstrap
from scorch2.analysis.agreement import (
    Agreement,
    AgreementRequest,
    AnnotatorPair,
    Score,
    agreement_columns,
    annotator_pairs,
    page_of_pair,
)
from scorch2.analysis.breakdown import known_breakdown, lea_of
from scorch2.analysis.corpus import corrected_by, kinds_in
from scorch2.analysis.error_report import Contrast, ErrorReport, Findings
from scorch2.analysis.kinds import ALL, KINDS, Count, add_counts
from scorch2.analysis.links import CORRECTED, GainIntervals, Kinds, factors_of, subsets
from scorch2.analysis.paired_tests import (
    TestedPair,
    compare_pairs,
    corrected,
    difference_of,
    differences_of,
    differences_of_samples,
    facts_of_test,
    nothing_of,
    notices_of,
    paired,
    too_many_differences,
)
from scorch2.analysis.systems import (
    ERRORS,
    SHARE,
    Column,
    Comparison,
    PairTests,
    ScoreTest,
    SystemRow,
    columns_of,
    error_columns,
    errors_of,
    letters_of,
)
from scorch2.analysis.table import DIMENSIONS
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.results import Breakdown, Confidence, Difference, Interval, main_name
from scorch2.model.score import USUAL, Sampling, Tally, finish
from scorch2.model.settings import AGAINST, ALPHA, TESTS
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from scorch2.analysis.bootstrap import Floats


_SYSTEM = "system"


def with_intervals(analysed: ErrorReport, sampling: Sampling) -> ErrorReport:
    """Return an analysis with percentile bootstrap intervals of all scores and gains."""
    # Corrected and uncorrected output is scored on the same resamples. One in which one of the two scores is
    # 0/0 does not count. A kind without errors gains nothing ever.
    report, level = analysed.report, sampling.level or bootstrap.LEVEL
    ends = bootstrap.ends_of(_resampled_gains(analysed, sampling), sampling.trials, level)

    def interval(place: tuple[str, str], name: str, gain: float | None) -> Interval:
        if gain is None:
            return None
        return ends[place][name].interval(level) if place in ends else (0.0, 0.0)

    intervals = GainIntervals(
        *(
            {
                kind: {name: interval((how, kind), name, gain) for name, gain in by_metric.items()}
                for kind, by_metric in by_kind.items()
            }
            for how, by_kind in analysed.gained()._asdict().items()
        )
    )
    scores = report._replace(
        confidence=bootstrap.confidence(report, sampling),
        notices=[*report.notices, *bootstrap.few_documents(report, "intervals")],
    )
    return analysed._replace(report=scores, gain_intervals=intervals)


def with_contrasts(report: ErrorReport, sampling: Sampling) -> ErrorReport:
    """Return an analysis that says which of two systems is better at what, if there are two."""
    if not report.other_evidence:
        return report
    sides = report.evidence, report.other_evidence
    known = [known_breakdown([findings.classes for findings in side]) for side in sides]
    orders = {"kind": tuple(KINDS)} | {
        name: DIMENSIONS[name].order for name in known[0] if name in known[1] and name != "text"
    }
    found = [_tallies(evidence, rows) for evidence, rows in zip(sides, known, strict=True)]
    every = found[0].keys() | found[1].keys()
    places = [
        (by, name)
        for by, order in orders.items()
        for name in order or sorted(name for dimension, name in every if dimension == by)
        if (by, name) in every
    ]
    columns = [[tallies.get(place, Tally(0, 0, 0, 0)) for place in places] for tallies in found]

    def row_of(one: Findings) -> list[Tally]:
        kinds = {kind: Tally(count.errors, 0, 0, 0) for kind, count in zip(KINDS, one.counts, strict=True)}
        return [kinds[name] if by == "kind" else lea_of(one.classes[by], name) for by, name in places]

    intervals: list[Interval] = [None] * len(places)
    if len(report.evidence) > 1:
        intervals = _intervals_of_contrasts(places, [[*map(row_of, its)] for its in sides], sampling)
    rows = zip(places, *columns, intervals, strict=True)
    contrasts = [
        Contrast(by, name, _contrasted(by, one), _contrasted(by, other), interval)
        for (by, name), one, other, interval in rows
    ]
    made = Confidence(sampling.level or bootstrap.LEVEL, sampling.trials, sampling.seed, {})
    return report._replace(contrasts=contrasts, resampled=made)


def _tallies(evidence: Sequence[Findings], known: Breakdown) -> dict[tuple[str, str], Tally]:
    """Return the errors of some documents by kind, and the tallies of LEA by class."""
    counts = add_counts([findings.counts for findings in evidence])
    return {
        **{("kind", kind): Tally(count.errors, 0, 0, 0) for kind, count in counts.items() if count.errors},
        **{(name, row.name): row.tallies["lea"] for name, rows in known.items() for row in rows},
    }


def _contrasted(by: str, tally: Tally) -> float | None:
    """Return a number of errors, or F1; None for 0/0."""
    value = finish([tally]).f1
    return tally[0] if by == "kind" else float(value) if value.defined else None


def _intervals_of_contrasts(
    places: Sequence[tuple[str, str]], tables: Sequence[Sequence[Sequence[Tally]]], sampling: Sampling
) -> list[Interval]:
    import numpy as np

    matrices = [np.array(table, dtype=np.float64).reshape(len(table), -1) for table in tables]

    def differences() -> "Iterator[dict[str, dict[str, Floats]]]":
        for times in bootstrap.random_draws(len(matrices[0]), sampling):
            sums = [(times @ matrix).T.reshape(len(places), len(Tally._fields), -1) for matrix in matrices]
            for (by, name), *both in zip(places, *sums, strict=True):
                one, other = (
                    its[0] if by == "kind" else bootstrap.resampled_ratios([*its], np.nan)["f1"]
                    for its in both
                )
                yield {by: {name: one - other}}

    level = sampling.level or bootstrap.LEVEL
    ends = bootstrap.ends_of(differences(), sampling.trials, level)
    return [ends[by][name].interval(level) for by, name in places]


def _resampled_gains(
    analysed: ErrorReport, sampling: Sampling
) -> "Iterator[dict[tuple[str, str], Mapping[str, Floats]]]":
    """Yield the gains of some trials, for each way to correct and each kind that has errors."""
    import numpy as np

    if not analysed.corrected.alone:  # no gains were asked for
        return
    report, kinds = analysed.report, kinds_in(analysed.evidence)
    parts = {row.name: main_name(row.gives._fields) for row in report.rows}
    few = {kinds & one for sets in CORRECTED.values() for one in (0, *sets.values())}
    samples = {
        one: bootstrap.sample(report._replace(documents=corrected_by(analysed.evidence, one)))
        for one in (subsets(kinds) if analysed.shares else few)
    }

    def scored(one: Kinds, times: "Floats") -> "dict[str, Floats]":
        values = samples[one].scores(bootstrap.Trials(times, samples[one].matrix))
        return {name: values[name][part] for name, part in parts.items()}

    def less(after: "Mapping[str, Floats]", before: "Mapping[str, Floats]") -> "dict[str, Floats]":
        return {name: after[name] - before[name] for name in parts}

    for times in bootstrap.random_draws(len(report.documents), sampling):
        kept = {one: scored(one, times) for one in few}
        last = kept[0]
        for kind, alone in CORRECTED["alone"].items():
            if alone & kinds:
                yield {("alone", kind): less(kept[alone], kept[0])}
                after = kept[CORRECTED["in_order"][kind] & kinds]
                yield {("in_order", kind): less(after, last)}
                last = {name: np.where(np.isnan(after[name]), last[name], after[name]) for name in parts}
        total = less(last, kept[0])
        yield {("in_order", ALL): total}
        if analysed.shares:
            yield {("shares", ALL): total}
            every = (kept[one] if one in kept else scored(one, times) for one in samples)
            yield {("shares", kind): share for kind, share in _resampled_shares(kinds, every).items()}


def _resampled_shares(
    kinds: Kinds, every: "Iterable[Mapping[str, Floats]]"
) -> "dict[str, dict[str, Floats]]":
    """Return the shares of some trials by kind and metric; NaN in one of the scores makes them NaN."""
    # `every` has the scores of each of the `subsets`, in their order
    shares: dict[str, dict[str, Floats]] = {}
    for (_, factors), scores in zip(factors_of(kinds), every, strict=True):
        for kind, factor in factors.items():
            of_kind = shares.setdefault(kind, {})
            for name, values in scores.items():
                of_kind[name] = of_kind.get(name, 0.0) + factor * values
    return shares


def side_by_side(  # noqa: PLR0913 - keyword-only
    reports: Mapping[str, Report],
    *,
    parts: Sequence[str] = ("f1",),
    against: str = "first",
    alpha: float = ALPHA,
    sampling: Sampling = USUAL,
    signature: bool = True,
    letters: bool = False,
    test: str = TESTS[0],
    errors: Mapping[str, ErrorReport] | None = None,
) -> Comparison:
    """Return a comparison of systems by paired tests, two-sided and corrected after Holm.

    `against` is ``first``, ``best`` (the highest score of each column) or ``none``; a difference is marked if
    its corrected p is at most `alpha`. With `letters` all pairs are tested instead. With the `errors` of the
    systems, columns are kinds of errors. Intervals of scores are added if `sampling` has a level.
    """
    if against not in AGAINST:
        raise UsageError(unknown_name(against, "system to test against", AGAINST))
    if sampling.level is not None:
        reports = {
            name: report._replace(confidence=bootstrap.confidence(report, sampling))
            for name, report in reports.items()
        }
    untested = Comparison(*_systems_and_columns(reports, errors or {}, parts), against, alpha, {}, "")
    if letters:
        untested = _in_letters(untested, compare_pairs(reports, sampling, correct=True, test=test))
    references = _references(untested)

    def differences(one: str, other: str) -> Mapping[str, Mapping[str, Difference]]:
        if errors:
            return _differences_of_errors((errors[one], errors[other]), sampling, test)
        return differences_of(paired(reports[one], reports[other]), sampling, test=test)

    tests = _tested(list(reports), references, differences)
    settings = {name: found.report.settings for name, found in (errors or {}).items()}
    run = _run(reports, settings, test if references or untested.pairs else None, sampling)
    compared = untested._replace(run=run, provenance=bootstrap.facts_line(run), shows_signature=signature)
    notices = notices_of(reports)
    if any(tests.values()) or untested.pairs or sampling.level is not None:
        notices += bootstrap.few_documents(next(iter(reports.values())), "tests and intervals")
    if any(tests.values()) or untested.pairs:
        notices += too_many_differences(next(iter(reports.values())), test)
    rows = [system._replace(tests=tests.get(system.name, {})) for system in compared.systems]
    return compared._replace(systems=rows, notices=notices)


def _systems_and_columns(
    reports: Mapping[str, Report], errors: Mapping[str, ErrorReport], parts: Sequence[str]
) -> tuple[list[SystemRow], list[Column]]:
    """Return systems without tests, and the columns: those of errors, if there are any, else of scores."""
    of_kinds = {name: errors_of(found) for name, found in errors.items()}
    systems = [SystemRow(name, report, {}, of_kinds.get(name, {})) for name, report in reports.items()]
    if errors:
        return systems, error_columns(next(iter(errors.values())))
    return systems, columns_of(next(iter(reports.values())), parts)


def _in_letters(compared: Comparison, tested: Sequence[TestedPair]) -> Comparison:
    """Return a comparison with the tests of all pairs, and letters: the highest score has the first."""
    pairs = [
        PairTests(
            pair.one,
            pair.other,
            {
                (column.metric, column.part): pair.differences[column.metric][column.part]
                for column in compared.columns
            },
        )
        for pair in tested
    ]
    letters = {}
    for column in compared.columns:
        place = column.metric, column.part
        apart = {
            frozenset((pair.one, pair.other))
            for pair in pairs
            for p in [pair.found[place].corrected]
            if p is not None and p <= compared.alpha
        }
        scores = {system.name: compared.value(system, column) for system in compared.systems}
        names = sorted((name for name in scores if scores[name].defined), key=lambda name: -scores[name])
        letters[place] = letters_of(names, apart)
    return compared._replace(against="pairs", pairs=pairs, letters=letters)


def _references(compared: Comparison) -> dict[Column, str]:
    """Return the system that each column is tested against; none for a column without any score."""
    if compared.against in ("none", "pairs") or len(compared.systems) == 1:
        return {}
    if compared.against == "first":
        return dict.fromkeys(compared.columns, compared.systems[0].name)
    best = {
        column: next((system.name for system in compared.systems if compared.is_best(system, column)), None)
        for column in compared.columns
    }
    return {column: name for column, name in best.items() if name is not None}


def _tested(
    names: Sequence[str],
    references: Mapping[Column, str],
    differences_between: "Callable[[str, str], Mapping[str, Mapping[str, Difference]]]",
) -> dict[str, dict[tuple[str, str], ScoreTest]]:
    """Return the tests of each system; each score is corrected for the number of systems that have it."""
    found: dict[str, dict[tuple[str, str], ScoreTest]] = {name: {} for name in names}
    for reference in dict.fromkeys(references.values()):
        of_reference = [column for column, name in references.items() if name == reference]
        others = {name: differences_between(name, reference) for name in names if name != reference}
        for column in of_reference:
            differences = {name: parts[column.metric][column.part] for name, parts in others.items()}
            for name, difference in corrected(differences).items():
                found[name][column.metric, column.part] = ScoreTest(reference, difference)
    return found


def _differences_of_errors(
    pair: tuple[ErrorReport, ErrorReport], sampling: Sampling, test: str
) -> Mapping[str, Mapping[str, Difference]]:
    """Return the differences of two systems in the numbers of errors of each kind, and in shares."""
    idents = list(dict.fromkeys(document.id for report in pair for document in report.report.documents))
    kinds = reduce(or_, (kinds_in(report.evidence) for report in pair))
    samples = [_sample_of_errors(report, idents, kinds) for report in pair]
    first, second = map(errors_of, pair)
    observed: dict[str, dict[str, float | None]] = {}
    for (kind, part), value in first.items():
        observed.setdefault(kind, {})[part] = difference_of(value, second[kind, part])
    return differences_of_samples((samples[0], samples[1]), observed, sampling, test=test)


def _sample_of_errors(report: ErrorReport, idents: Sequence[str], kinds: Kinds) -> bootstrap.Sample:
    """Return the numbers behind `errors_of` of some documents; one that a system lacks has none."""
    import numpy as np

    counts = dict(zip((document.id for document in report.report.documents), report.by_document, strict=True))
    none = [Count(0, 0, 0)] * len(KINDS)
    numbers = [[count.errors for count in counts.get(ident, none)] for ident in idents]
    samples = _main_samples(report, idents, kinds) if report.shares else {}
    matrices = [np.array(numbers, dtype=np.float64), *(sample.matrix for sample in samples.values())]
    ends = list(accumulate(matrix.shape[1] for matrix in matrices))
    metric = report.report.main_metric()

    def scores(trials: bootstrap.Trials) -> "bootstrap.Values":
        own = trials.columns(0, ends[0]).sums().T
        values: bootstrap.Values = {kind: {ERRORS: row} for kind, row in zip(KINDS, own, strict=True)}
        values[ALL] = {ERRORS: own.sum(axis=0)}
        if samples:
            places = zip(samples.values(), pairwise(ends), strict=True)
            every = (sample.scores(trials.columns(*place))[metric] for sample, place in places)
            part = main_name(next(row.gives._fields for row in report.report.rows if row.name == metric))
            shares = _resampled_shares(kinds, ({metric: values[part]} for values in every))
            nothing = np.zeros(len(trials.weights))
            for kind in KINDS:
                values[kind][SHARE] = shares[kind][metric] if kind in shares else nothing
            values[ALL][SHARE] = np.sum([values[kind][SHARE] for kind in KINDS], axis=0)
        return values

    return bootstrap.Sample(np.concatenate(matrices, 1), scores)


def _main_samples(
    analysed: ErrorReport, idents: Sequence[str], kinds: Kinds
) -> dict[Kinds, bootstrap.Sample]:
    """Return the numbers behind the main metric of some documents, after the corrections of each set."""
    report = analysed.report
    row = next(row for row in report.rows if row.name == report.main_metric())
    wanted = [i for i, metric in enumerate(report.metrics) if metric.name in getattr(row, "of", (row.name,))]
    alone = report._replace(rows=[row], metrics=[report.metrics[i] for i in wanted])
    samples = {}
    for subset in subsets(kinds):
        by_ident = {document.id: document for document in corrected_by(analysed.evidence, subset)}
        documents = [by_ident.get(ident) or nothing_of(report.documents[0], ident) for ident in idents]
        documents = [
            document._replace(tallies=tuple([document.tallies[i] for i in wanted])) for document in documents
        ]
        samples[subset] = bootstrap.sample(alone._replace(documents=documents))
    return samples


def _run(
    reports: Mapping[str, Report],
    settings: Mapping[str, Sequence[tuple[str, str]]],
    test: str | None,
    sampling: Sampling,
) -> bootstrap.Facts:
    """Return how the numbers were made, with the `settings` by which errors were found, if they were."""
    # Documents that a system lacks count as empty in a test
    made: dict[str, str | int] = {}
    if test is not None:
        most = len({document.id for report in reports.values() for document in report.documents})
        windows = any(report.options.resample for report in reports.values())
        made |= {"side": "two-sided", **facts_of_test(most, sampling.trials, test, windows=windows)}
    if sampling.level is not None:
        made |= {"confidence": f"{sampling.level:g}", "trials": sampling.trials}
    if made:
        made["seed"] = sampling.seed
    return bootstrap.merged_facts(
        [bootstrap.run_facts(report, settings.get(name, ()), **made) for name, report in reports.items()]
    )


def agreement_of(
    names: Sequence[str], score: Score, chosen: AgreementRequest, sampled: Sampling
) -> Agreement:
    """Return the agreement of all pairs of annotators, with bootstrap intervals if `sampled` has a level."""
    pairs: Sequence[AnnotatorPair] = annotator_pairs(names, score, chosen)
    columns = agreement_columns(chosen, pairs)
    notices = list(dict.fromkeys(notices_of({str(i): one.report for i, one in enumerate(pairs)})))
    made: dict[str, str | int] = {"units": chosen.units}
    mean: dict[Column, Interval] = {}
    if sampled.level is not None:
        pairs, mean = _resampled_agreement(pairs, columns, sampled)
        notices += bootstrap.few_documents(pairs[0].report, "intervals")
        made |= {"confidence": f"{sampled.level:g}", "trials": sampled.trials, "seed": sampled.seed}
    run = bootstrap.merged_facts([bootstrap.run_facts(pair.report, **made) for pair in pairs])
    made_with = None if sampled.level is None else sampled
    line, page = bootstrap.facts_line(run), page_of_pair(names, score, chosen)
    return Agreement(pairs, columns, chosen.units, run, line, notices, made_with, mean, page=page)


def _resampled_agreement(
    pairs: Sequence[AnnotatorPair], columns: Sequence[Column], sampled: Sampling
) -> tuple[Sequence[AnnotatorPair], dict[Column, Interval]]:
    """Return the pairs with their intervals, and those of the mean of all pairs: over the same resamples."""
    import numpy as np

    level = sampled.level or bootstrap.LEVEL
    keys = [_document_keys(pair.report) for pair in pairs]
    place = {key: number for number, key in enumerate(dict.fromkeys(key for some in keys for key in some))}
    samples = [[bootstrap.sample(one) for one in (pair.report, pair.chance)] for pair in pairs]

    def resampled() -> "Iterator[dict[int, dict[Column, Floats]]]":
        for times in bootstrap.random_draws(len(place), sampled):
            every = []
            for own, some in zip(samples, keys, strict=True):
                weights = times[:, np.array([place[key] for key in some])]
                values: dict[str, dict[str, Floats]] = {}
                for numbers in own:
                    values |= numbers.scores(bootstrap.Trials(weights, numbers.matrix))
                every.append({column: values[column.metric][column.part] for column in columns})
            yield dict(enumerate(every))
            yield {
                len(every): {column: bootstrap.mean_of([one[column] for one in every]) for column in columns}
            }

    ends = bootstrap.ends_of(resampled(), sampled.trials, level)
    intervals = [{column: kept.interval(level) for column, kept in of.items()} for of in ends.values()]
    return [pair._replace(intervals=own) for pair, own in zip(pairs, intervals, strict=False)], intervals[-1]


def _document_keys(report: Report) -> list[str | int]:
    """Return what documents of several pairs of annotators are the same by: their names, or their order."""
    pairing = report.options.choices["pair"]
    if pairing == "order" or len(report.documents) == 1:
        return list(range(len(report.documents)))
    names = [document.id for document in report.documents]
    return [*(name.rpartition("/")[2] if pairing == "basename" else name for name in names)]
