"""The analysis of a corpus: findings of documents are added up, and compared with a second system."""

from bisect import insort
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial, reduce
from itertools import accumulate, pairwise, repeat
from operator import or_
from typing import NamedTuple, TypeAlias, cast

from scorch2.analysis.breakdown import breakdown_of
from scorch2.analysis.chosen_errors import refuse_unknown_entities, refuse_unknown_stars
from scorch2.analysis.error_report import (
    AnalysisRequest,
    ClassFindings,
    Corrected,
    ErrorReport,
    Example,
    Findings,
    KindExamples,
    ListedRow,
    PairExamples,
    Scenario,
    Scene,
    UncopiedErrors,
    WhatIf,
    Windows,
)
from scorch2.analysis.findings import analysed_outcomes, classified_outcomes
from scorch2.analysis.kinds import KINDS, UNCOPIED, Count, add_counts
from scorch2.analysis.links import (
    CORRECTED,
    PRECISION,
    RECALL,
    Kinds,
    Row,
    Values,
    link_changes,
    refuse_other_documents,
    refuse_other_tokens,
    shares_of,
    subsets,
)
from scorch2.analysis.listing import Rank as Order
from scorch2.analysis.listing import Spread, as_shown, chosen_first, example_order
from scorch2.analysis.pair import OfGold
from scorch2.analysis.patterns import all_patterns, places_of
from scorch2.analysis.second import SECOND, SecondSystem, request_of_second, who_of
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.options import Options
from scorch2.model.score import (
    AVERAGES,
    AnyScore,
    Measured,
    Tally,
    Value,
    Weights,
    main_part,
    ratios,
    ratios_of,
)
from scorch2.model.values import metrics_of
from scorch2.scoring.averages import averaged, plain_mean, weighted_mean
from scorch2.scoring.flow import Measure, Outcome, Scored, Watch, unwatched
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS
from scorch2.scoring.metrics.chosen import chosen_metrics
from scorch2.scoring.metrics.metric import Mean, Metric
from scorch2.scoring.report import Report

Ranked: TypeAlias = tuple[Order, Example]
Rank: TypeAlias = tuple[float, int]  # the score of a document and its place in the order of the files


MOST_EXAMPLES, MOST_PAIRS, OF_PAIR, OF_PATTERN = 50, 8, 10, 3
"""The examples of a kind on the page, its most frequent pairs of texts, the examples of each of these and,
at least, of each pattern."""
_KEPT_PAIRS = 20_000  # pairs of texts that have examples of their own while documents go by


class ChosenExamples:
    """The examples of the page while documents go by: of each kind, and of each pair of texts."""

    def __init__(self) -> None:
        self._numbers: Counter[str] = Counter()
        self._most: dict[tuple[str, str], list[Ranked]] = {}  # by kind, and by who makes it
        self._pairs: Counter[tuple[str, tuple[str, str]]] = Counter()
        self._of_pair: dict[tuple[str, tuple[str, str]], list[Ranked]] = {}
        self._spread = Spread()
        self._of_pattern: dict[str, list[Example]] = {}

    def add(self, examples: Sequence[Example]) -> None:
        """Keep those of a document that cost most."""
        new: dict[tuple[str, str], list[Ranked]] = {}
        for example in examples:
            error, texts, _, who = example
            group, pair = (error.kind, who_of(who)), (error.kind, texts)
            ranked = self._spread.rank((-len(error.mentions), -error.links), group), example
            new.setdefault(group, []).append(ranked)
            for name in error.patterns:
                few = self._of_pattern.setdefault(name, [])
                few += [example] * (len(few) < OF_PATTERN)
            if all(texts):
                self._pairs[pair] += 1
                self._of_pair.setdefault(pair, []).append(ranked)
        for group, its in new.items():
            self._numbers[group[0]] += len(its) if group[1] != SECOND else 0
            self._most[group] = chosen_first([*self._most.get(group, ()), *its], MOST_EXAMPLES)
        for (kind, _), its in new.items():
            for pair in {(kind, example.texts) for _, example in its}:
                if len(self._of_pair.get(pair, ())) > OF_PAIR:
                    self._of_pair[pair] = chosen_first(self._of_pair[pair], OF_PAIR)
        if len(self._of_pair) > _KEPT_PAIRS:
            frequent = dict(self._pairs.most_common(_KEPT_PAIRS // 10))
            self._of_pair = {pair: its for pair, its in self._of_pair.items() if pair in frequent}

    def by_kind(self) -> dict[str, KindExamples]:
        """Return what was kept, by kind."""
        made: dict[int, ListedRow] = {}

        def rows(examples: Iterable[Example]) -> list[ListedRow]:  # one row for each example
            return [made.get(id(one)) or made.setdefault(id(one), one.row()) for one in examples]

        pairs: dict[str, list[PairExamples]] = {}
        for (kind, texts), number in self._pairs.most_common():
            its = pairs.setdefault(kind, [])
            if number > 1 and len(its) < MOST_PAIRS:
                shown = as_shown(self._of_pair.get((kind, texts), ()))
                its.append(PairExamples(texts, number, rows(shown)))
        most: dict[str, list[Ranked]] = {}
        for (kind, _), ranked in self._most.items():
            most.setdefault(kind, []).extend(ranked)
        rare: dict[str, list[ListedRow]] = {}
        for name, few in self._of_pattern.items():
            rare.setdefault(name.partition(".")[0], []).extend(rows(few))
        return {
            kind: KindExamples(
                *(self._numbers[kind], rows(as_shown(most[kind])), pairs.get(kind, ()), rare.get(kind, ()))
            )
            for kind in KINDS
            if kind in most
        }


class Chosen:
    """The scenes that fit while documents go by: no more of them than the page can hold are kept."""

    def __init__(self, tokens: int) -> None:
        self._tokens = tokens
        self._kept: list[tuple[Rank, Scene]] = []
        self._first_left_out: Rank | None = None
        self._place = 0
        self.examples = ChosenExamples()

    def watch(self, outcomes: Iterable[Outcome], _: int) -> Iterable[Outcome]:
        """Yield the outcomes without their scenes, which are kept if they are among the lowest."""
        for outcome in outcomes:
            if isinstance(outcome, Scored) and (page := outcome.details.page) is not None:
                self.examples.add(page.examples)
                if page.scene is not None:
                    self._add((page.score, self._place), page.scene)
                self._place += 1
                page = page._replace(scene=None, examples=())
                yield outcome._replace(details=outcome.details._replace(page=page))
            else:
                yield outcome

    def scenes(self) -> list[tuple[int, Scene]]:
        """Return the place of each document in the order of the files with its scene, the lowest first."""
        return [(place, scene) for (_, place), scene in self._kept]

    def _add(self, rank: Rank, scene: Scene) -> None:
        if self._first_left_out is not None and rank > self._first_left_out:
            return
        insort(self._kept, (rank, scene), key=lambda kept: kept[0])
        spent = 0
        for number, (of_scene, kept_scene) in enumerate(self._kept):
            spent += kept_scene.size
            if number and spent > self._tokens:
                self._first_left_out = of_scene
                del self._kept[number:]
                break


DEFAULT_METRICS = ("muc", "b_cubed", "ceaf_e", "lea", "conll")
"""What corrected output is scored with by default."""
GAINS = ("lea", "conll")
_DETECTION = "mentions"


class ShownMetrics(NamedTuple):
    """The metrics of an analysis, and those whose gains are shown in tables."""

    names: Sequence[str]
    gains: Sequence[str]

    def counted(self) -> tuple[str, ...]:
        """Return what has to be counted: mention detection, too."""
        wanted = {*self.names, _DETECTION}
        return tuple(name for name in METRICS if name in wanted)


class AnalysedSystem(NamedTuple):
    """A system to be analysed: its name in errors, and what scores it against gold."""

    # `score` takes a function that measures pairs, and shows the outcomes to another

    name: str
    score: Callable[[Watch, Measure], Report]


def system_of(
    score: Callable[..., Report], gold: str, options: Options, first: Watch, path: str
) -> AnalysedSystem:
    """Return the system at a path that an engine scores; outcomes are shown to `first`, too."""
    return AnalysedSystem(
        path, lambda watch, measure: score(gold, path, options, shown_first_to(watch, first), measure)
    )


def shown_metrics(asked: Iterable[str], profile: str | None) -> ShownMetrics:
    """Return the metrics of an analysis: those that are asked for, else those of the profile for clusters."""
    names = chosen_metrics(asked)
    if names:
        return ShownMetrics(names, names)
    of_profile = metrics_of(profile, DEFAULT_METRICS)
    names = chosen_metrics(name for name in of_profile if name in OF_CLUSTERS) or DEFAULT_METRICS
    return ShownMetrics(names, [name for name in GAINS if name in names] or names)


def analysed(
    system: AnalysedSystem, other: AnalysedSystem | None, request: AnalysisRequest, metrics: ShownMetrics
) -> ErrorReport:
    """Return the errors of a system, and what another one makes better and worse, if there is one."""
    has_places = request.has_places or request.page is not None
    request = request._replace(trace=other is not None, has_places=has_places)
    documents = Details()
    watch: Watch = documents.watch
    chosen = None
    if request.page is not None:
        chosen = Chosen(request.page.text_tokens)
        watch = shown_first_to(watch, chosen.watch)
    measure = partial(analysed_outcomes, of_gold=OfGold())

    def score_first(beside: Watch = unwatched) -> Report:
        return system.score(shown_first_to(watch, beside), partial(measure, request=request))

    second = SecondSystem()
    if other is None:
        report = score_first()
    else:
        of_second, score = partial(measure, request=request_of_second(request)), other.score
        report = second.scored_with(score_first, lambda watch: score(watch, of_second))
    for name in request.documents:
        if name not in documents.names:
            raise UsageError(unknown_name(name, "document", documents.names))
    evidence = cast("list[Findings]", documents.details)
    refuse_unknown_stars(request.stars, [findings.starred for findings in evidence])
    errors = error_report(report, evidence, request, metrics)
    if chosen is not None:
        errors = errors._replace(scenes=chosen.scenes(), examples_by_kind=chosen.examples.by_kind())
    if other is None:
        return errors
    refuse_other_documents(system.name, documents.names, other.name, [*second.findings])
    others = [second.findings[name] for name in documents.names]
    both = [[one.trace for one in its if one.trace is not None] for its in (evidence, others)]
    refuse_other_tokens(documents.names, (system.name, other.name), *both)
    return errors._replace(compared=link_changes(*both), other_evidence=others)


class Details:
    """Details of each document besides its counts, kept while the outcomes go by."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.details: list[object] = []

    def watch(self, outcomes: Iterable[Outcome], _: int) -> Iterable[Outcome]:
        """Yield the outcomes as they are, and keep the names of documents and their details."""
        for outcome in outcomes:
            if isinstance(outcome, Scored):
                self.names.append(outcome.measured.id)
                self.details.append(outcome.details)
            yield outcome


def shown_first_to(watch: Watch, first: Watch) -> Watch:
    """Return a function that shows outcomes to `first`, and then to `watch`."""
    return lambda outcomes, total: watch(first(outcomes, total), total)


def classified(score: Callable[[Watch, Measure], Report], watch: Watch, request: AnalysisRequest) -> Report:
    """Return what is scored with its classes of mentions, and how these were found."""
    kept = Details()
    report = score(shown_first_to(kept.watch, watch), partial(classified_outcomes, request=request))
    details = cast("list[ClassFindings]", kept.details)
    classes = breakdown_of([of_document.classes for of_document in details], request.by)
    return report._replace(breakdown=classes, settings=settings_of(details))


def settings_of(evidence: Sequence[Findings | ClassFindings]) -> list[tuple[str, str]]:
    """Return how errors were found, for the signature; ``mixed`` if not in the same way everywhere."""
    values = {
        "spans": {findings.spans for findings in evidence},
        "types": {findings.types for findings in evidence},
    }
    settings = [(name, how.pop() if len(how) == 1 else "mixed") for name, how in values.items()]
    return [(name, how) for name, how in settings if how]


def error_report(
    report: Report, evidence: Sequence[Findings], request: AnalysisRequest, metrics: ShownMetrics
) -> ErrorReport:
    """Add up the findings of all documents."""
    # `report` has the same documents in the same order, and mention detection besides the metrics
    recall = map(sum, zip(*(findings.recall for findings in evidence), strict=True))
    precision = map(sum, zip(*(findings.precision for findings in evidence), strict=True))
    classes = [findings.classes for findings in evidence]
    scores = report._replace(
        rows=[row for row in report.rows if row.name in metrics.names],
        scores={name: score for name, score in report.scores.items() if name in metrics.names},
        settings=settings_of(evidence),
        breakdown=breakdown_of(classes, request.by),
    )
    shares, after = _shares(scores, evidence) if request.gains == "shares" else ({}, {})
    return ErrorReport(
        scores,
        add_counts([findings.counts for findings in evidence]),
        dict(zip(RECALL, recall, strict=True)),
        dict(zip(PRECISION, precision, strict=True)),
        Corrected({}, {}) if request.gains == "none" else _corrected(scores, evidence),
        shares,
        evidence,
        request,
        _listed(evidence, request.listing),
        metrics.gains,
        _windows(scores, evidence, request.scored_windows),
        plotted=breakdown_of(classes, request.plotted),
        uncopied=_uncopied(scores, evidence),
        what_if=_what_if(scores, evidence, request.what_if),
        after_kinds=after,
        patterns=all_patterns(findings.patterns for findings in evidence),
        places=places_of(scores, evidence, request.windows) if request.has_places else (),
    )


def _scored(report: Report, documents: Sequence[Measured]) -> Mapping[str, AnyScore]:
    """Return the scores of a report with other counts of its documents."""
    return averaged(report.rows, report.metrics, documents, report.options).scores


def _shares(
    report: Report, evidence: Sequence[Findings]
) -> tuple[dict[str, Values], dict[Kinds, Mapping[str, Value]]]:
    """Return the share of each kind in what all corrections gain, and the scores after each set of kinds."""
    average = AVERAGES[report.options.average]
    kinds = kinds_in(evidence)

    def scored(kinds: Kinds) -> Mapping[str, Value]:
        scores = _scored(report, corrected_by(evidence, kinds))
        return {name: main_part(score) for name, score in scores.items()}

    score: Callable[[Kinds], Mapping[str, Value]] = scored
    if average.weigh is not None and not average.by_file and len(evidence) > 1:
        score = _means_of(report, evidence, average.weigh)
    after = {subset: score(subset) for subset in subsets(kinds)}
    return shares_of(kinds, after.__getitem__), after


def _means_of(
    report: Report, evidence: Sequence[Findings], weigh: Callable[[Measured], Weights]
) -> Callable[[Kinds], Mapping[str, Value]]:
    """Return what scores a set of kinds by the means of main parts, as `averaged` has them."""
    # A document is scored once for each subset of its own kinds: all sets in a fifth of the time
    ends = pairwise(accumulate((4 * len(metric.parts) for metric in report.metrics), initial=1))
    places = [range(*its, 4) for its in ends]
    known = [
        {
            kinds: (
                *weigh(Measured("", one.base.gold_mentions, int(row[0]), ())),
                *map(_main_value, report.metrics, repeat(row), places),
            )
            for kinds, row in one.rows.items()
        }
        for one in [findings.subsets for findings in evidence]
    ]
    skip = report.options.undefined == "skip"

    def score(kinds: Kinds) -> Mapping[str, Value]:
        rows = [its[kinds & one.subsets.kinds] for its, one in zip(known, evidence, strict=True)]
        recall, _, f1, *columns = zip(*rows, strict=True)
        values = {
            metric.name: weighted_mean(column, f1 if "f1" in metric.gives._fields else recall, skip=skip)[0]
            for metric, column in zip(report.metrics, columns, strict=True)
        }
        for row in report.rows:
            if isinstance(row, Mean):
                values[row.name] = plain_mean([values[name] for name in row.of], skip=skip)
        return {row.name: values[row.name] for row in report.rows}

    return score


def _main_value(metric: Metric, row: Row, places: range) -> float:
    if metric.divide is ratios_of:
        return ratios(row[places.start : places.stop])[-1]
    return main_part(metric.finish([Tally(*row[place : place + 4]) for place in places]))


def kinds_in(evidence: Sequence[Findings]) -> Kinds:
    """Return the kinds that have errors in some document."""
    return reduce(or_, (findings.subsets.kinds for findings in evidence), 0)


def corrected_by(evidence: Sequence[Findings], kinds: Kinds) -> list[Measured]:
    """Return the counts of all documents after the corrections of a set of kinds."""
    return [findings.subsets.after(kinds) for findings in evidence]


def _uncopied(report: Report, evidence: Sequence[Findings]) -> dict[str, UncopiedErrors]:
    columns = zip(*(findings.uncopied for findings in evidence), strict=True)
    return {
        kind: UncopiedErrors(
            Count(*map(sum, zip(*(one.counts for one in column), strict=True))),
            _scored(report, [one.alone for one in column]),
        )
        for kind, column in zip(UNCOPIED, columns, strict=False)
    }


def _listed(evidence: Sequence[Findings], listing: str) -> list[ListedRow]:
    """Return the rows of all documents; of entities and examples those that cost most first."""
    rows = [row for findings in evidence for row in findings.listing]
    if listing == "examples":
        return sorted(rows, key=example_order)
    return sorted(rows, key=lambda row: -row["outside"]) if listing == "entities" else rows


def _what_if(report: Report, evidence: Sequence[Findings], scenarios: Sequence[Scenario]) -> list[WhatIf]:
    """Return the scores of output in which the errors of each scenario are corrected."""
    refuse_unknown_entities(scenarios, [findings.supposed for findings in evidence])
    columns = zip(*(findings.supposed for findings in evidence), strict=True)
    return [
        WhatIf(scenario.name, sum(one.errors for one in its), _scored(report, [one.measured for one in its]))
        for scenario, its in zip(scenarios, columns, strict=True)
    ]


def _windows(report: Report, evidence: Sequence[Findings], lengths: Sequence[int]) -> list[Windows]:
    columns = zip(*(findings.windows for findings in evidence), strict=True)
    every = [[window for its in column for window in its] for column in columns]
    both = zip(lengths, every, strict=True)
    # Where there are no windows, documents have no mentions: 0/0, as theirs, are the scores
    return [Windows(length, len(its), _scored(report, its or report.documents)) for length, its in both]


def _corrected(report: Report, evidence: Sequence[Findings]) -> Corrected:
    """Score corrected output; where a kind has no errors nothing changes."""

    @cache
    def scored(kinds: Kinds) -> Mapping[str, AnyScore]:
        if not kinds:
            return report.scores
        return _scored(report, corrected_by(evidence, kinds))

    there = kinds_in(evidence)
    return Corrected(
        *({kind: scored(kinds & there) for kind, kinds in sets.items()} for sets in CORRECTED.values())
    )
