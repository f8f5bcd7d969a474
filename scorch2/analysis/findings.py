"""The findings of one document: its errors, what they cost, classes of its mentions, windows of its text."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, compress
from math import isclose
from typing import Literal, NamedTuple

from scorch2.analysis.breakdown import class_sums, known_of, refuse_lacking
from scorch2.analysis.chosen_errors import PATTERN, chosen_errors, stars_in
from scorch2.analysis.error_report import (
    AnalysisRequest,
    ClassFindings,
    Findings,
    PageFindings,
    Scenario,
    Supposed,
    Uncopied,
)
from scorch2.analysis.kinds import (
    LACKS,
    UNCOPIED,
    Located,
    Overlaps,
    after_errors,
    corrected,
    count_errors,
    count_uncopied,
    located,
    overlaps_of,
)
from scorch2.analysis.links import RECALL, SubsetCounter, trace_links
from scorch2.analysis.listing import Told, example_of, rows_of, scene_of, told_of
from scorch2.analysis.pair import MatchedPair, OfGold, matched_pair
from scorch2.analysis.patterns import counts_of_patterns, stretches, with_patterns
from scorch2.analysis.table import DIMENSIONS
from scorch2.model.errors import InputError, UsageError, enumerated, quoted
from scorch2.model.options import Options
from scorch2.model.score import AnyScore, Measured, main_part
from scorch2.scoring.averages import averaged
from scorch2.scoring.contingency import Contingency
from scorch2.scoring.flow import CountAll, Outcome, Scored, count_all, score_each, score_pair
from scorch2.scoring.metrics import DEFAULT, METRICS
from scorch2.scoring.metrics.chosen import counted_metrics
from scorch2.scoring.pairing.files import Item, Pair

_PAIRS: Literal["pairs"] = "pairs"


def in_pairs(options: Options) -> Options:
    """Return options by which each pair of mentions that match is one mention."""
    return options._replace(choices={**options.choices, "lookup": _PAIRS})


def scored_as_asked(pair: Pair, count: CountAll, options: Options) -> Scored:
    """Score a pair of documents; `count` is what `_counting` returned."""
    if options.choices["lookup"] == _PAIRS:
        return score_pair(pair, count, options)
    scored = score_pair(pair, count_all(counted_metrics(options), options), options)
    if not _alike(scored.measured, score_pair(pair, count, in_pairs(options)).measured):
        how = f"lookup={options.lookup}"
        why = f"with {how} a mention may stand for several, and here it does"
        hint = f"errors and classes add up only in pairs: use lookup={_PAIRS}, not {how}"
        raise InputError(pair.gold.path or pair.id, "", f"{quoted(pair.id)}: {why}; {hint}")
    return scored


def _alike(document: Measured, other: Measured) -> bool:
    if (document.gold_mentions, document.system_mentions) != (other.gold_mentions, other.system_mentions):
        return False
    numbers = [chain.from_iterable(chain.from_iterable(each.tallies)) for each in (document, other)]
    return all(isclose(here, there, rel_tol=1e-9) for here, there in zip(*numbers, strict=True))


def windows_of(
    pair: MatchedPair, base: Measured, request: AnalysisRequest, count: CountAll
) -> list[list[Measured]]:
    """Return the counts of the windows of a document with a mention on some side, for each length."""
    if request.windows:
        refuse_lacking(pair, "tokens", "--window")
    tables = (_window_tables(pair, length) for length in request.scored_windows)
    return [[_measured(base, table, count) for table in its] for its in tables]


def _window_tables(pair: MatchedPair, length: int) -> Iterator[Contingency]:
    gold, system = pair.sides[:2]
    of_gold, of_system = ([start // length for start, _ in pair.token_spans(side)] for side in (gold, system))
    sizes: dict[int, tuple[dict[int, int], dict[int, int]]] = {}
    for number, (windows, side) in enumerate(((of_gold, gold), (of_system, system))):
        for (window, entity), size in Counter(zip(windows, side.entities, strict=True)).items():
            sizes.setdefault(window, ({}, {}))[number][entity] = size
    cells: dict[int, list[tuple[int, int, int]]] = {window: [] for window in sizes}
    for (window, left, right), n in Counter(zip(of_gold, gold.entities, gold.equal, strict=True)).items():
        if right != LACKS:
            cells[window].append((left, right, n))
    for window, both in sorted(sizes.items()):
        rows, columns = ({entity: place for place, entity in enumerate(its)} for its in both)
        shared = [(rows[left], columns[right], n) for left, right, n in cells[window]]
        yield Contingency(shared, *([*its.values()] for its in both))


def ranking_metric(names: Sequence[str]) -> str:
    """Return the metric that documents are ordered by: CoNLL, LEA, or the first one that is scored."""
    others = [name for name in names if name != "mentions"]
    return next(name for name in ("conll", "lea", *others, *names) if name in names)


def ranking_score(measured: Measured, options: Options) -> float:
    """Return the score of a document that it is ordered by; infinite if it is 0/0."""
    name = ranking_metric(options.metrics or DEFAULT)
    scores = averaged([METRICS[name]], counted_metrics(options), [measured], options).scores
    return as_rank(scores[name])


def as_rank(score: AnyScore) -> float:
    """Return a score that documents are ordered by; infinite if it is 0/0."""
    value = main_part(score)
    return value if value.defined else math.inf


def _headed(request: AnalysisRequest) -> Sequence[str]:
    """Return the dimensions with a heading, for the page; of two systems those that are contrasted."""
    if request.page is None and not request.trace:
        return ()
    every = [name for name, row in DIMENSIONS.items() if row.heading]
    return [name for name in every if name != "text"] if request.page is None or request.is_second else every


class _Case(NamedTuple):
    """A document of a system, and what its findings are made of."""

    pair: MatchedPair
    overlaps: Overlaps
    errors: Sequence[Located]  # none if nothing asks for each of them; with patterns if these are asked for
    measured: Measured
    counting: CountAll
    request: AnalysisRequest

    def after(self, table: Contingency) -> Measured:
        """Return the counts of the document with other overlaps."""
        return _measured(self.measured, table, self.counting)


def analysed_outcomes(
    items: Iterable[Item], options: Options, request: AnalysisRequest, of_gold: OfGold | None = None
) -> Iterator[Outcome]:
    """Measure and analyse every pair, as `scorch2.scoring.flow.outcomes` does; the details are `Findings`."""
    if why := _never(options):
        raise UsageError(why)
    _refuse_classes(options, request.by)
    count = _counting(options)
    added = all(metric.adds_up for metric in counted_metrics(options))
    subsets = SubsetCounter(count.of_table, shares=request.gains == "shares", added=added)
    is_told = bool(request.page or request.listing or request.counted or request.has_places)
    has_errors = is_told or request.trace or request.what_if
    has_patterns = is_told or any(PATTERN in dict(scenario.conditions) for scenario in request.what_if)

    def analyse(pair: Pair) -> Scored:
        if request.page or "category" in (*request.by, *request.plotted):
            pair = pair.with_category_notes()
        base = scored_as_asked(pair, count, options)
        matched = matched_pair(pair, in_pairs(options), request, of_gold)
        overlaps = overlaps_of(matched.sides)
        errors = [*located(matched.shown, overlaps)] if has_errors else []
        errors = [*with_patterns(matched, errors)] if has_patterns else errors
        case = _Case(matched, overlaps, errors, base.measured, count, request)
        findings = _findings(case)
        if is_told:
            findings = _with_errors(findings, case, options)
        if request.gains != "none":
            findings = findings._replace(subsets=subsets.count(overlaps, base.measured))
        return base._replace(notices=[*base.notices, *matched.notices], details=findings)

    return score_each(items, analyse, options)


def _findings(case: _Case) -> Findings:
    pair, overlaps, errors, measured, count, request = case
    return Findings(
        count_errors(overlaps),
        _by_status(pair.links[0]),
        _by_status(pair.links[1]),
        pair.spans,
        types_found(pair),
        class_sums(pair, dict.fromkeys((*request.by, *known_of(pair, _headed(request)))))
        | class_sums(pair, request.plotted, "--plot"),
        windows_of(pair, measured, request, count),
        trace=trace_links(pair.sides, pair.links, errors, pair.gold, pair.system) if request.trace else None,
        tokens=sum(pair.written.sentences or ()) if pair.has_tokens else None,
        uncopied=_uncopied(case) if pair.changes is not None else (),
        supposed=[_supposed(case, scenario) for scenario in request.what_if],
    )


def _supposed(case: _Case, scenario: Scenario) -> Supposed:
    """Return the document after the corrections of a scenario."""
    chosen, entities = chosen_errors(case.pair, case.overlaps, case.errors, scenario)
    after = case.after(after_errors(case.overlaps, chosen)) if chosen else case.measured
    return Supposed(after, len(chosen), entities)


def _with_errors(findings: Findings, case: _Case, options: Options) -> Findings:
    """Return findings with those for which each error is looked at: rows, patterns and the page."""
    pair, request = case.pair, case.request
    every, told = case.errors, told_of(pair)
    stars = stars_in(told, every, request.stars)
    chosen = [*map(request.chooses, every, stars)]
    errors = [*compress(every, chosen)]
    return findings._replace(
        listing=rows_of(pair, told, case.overlaps, errors, request) if request.listing else (),
        patterns=counts_of_patterns(every),
        places=stretches(pair, every, request.windows) if request.has_places else (),
        chosen=chosen if request.trace else (),
        starred=frozenset(filter(None, stars)),
        page=None if request.page is None else _page_findings(case, told, errors, options),
    )


def _uncopied(case: _Case) -> Sequence[Uncopied]:
    only, counts = count_uncopied(case.pair.sides.gold, case.overlaps, case.pair.uncopied())
    return [
        Uncopied(number, case.after(corrected(only, {kind})) if number.mentions else case.measured)
        for kind, number in zip(UNCOPIED, counts, strict=True)
    ]


def _page_findings(case: _Case, told: Told, errors: Sequence[Located], options: Options) -> PageFindings:
    score = 0.0 if case.request.is_second else ranking_score(case.measured, options)
    if case.request.documents and case.pair.id not in case.request.documents:
        return PageFindings(score, None)
    scene = scene_of(case.pair, told, case.overlaps, errors, case.request)
    return PageFindings(score, scene, [example_of(told, error) for error in errors])


def types_found(matched: MatchedPair) -> str:
    """Return how types were found, for the signature."""
    return "" if matched.typing is None else matched.typing.how


def classified_outcomes(
    items: Iterable[Item], options: Options, request: AnalysisRequest
) -> Iterator[Outcome]:
    """Measure every pair as for scoring; the details are `ClassFindings`."""
    _refuse_classes(options, request.by)
    count = _counting(options)

    def score(pair: Pair) -> Scored:
        pair = pair.with_category_notes() if "category" in request.by else pair
        base = scored_as_asked(pair, count, options)
        matched = matched_pair(pair, in_pairs(options), request)
        classes = class_sums(matched, request.by)
        return base._replace(details=ClassFindings(classes, matched.spans, types_found(matched)))

    return score_each(items, score, options)


def obstacle(options: Options) -> str:
    """Return why errors cannot be found under these options, or not in every document; empty if they can."""
    if options.lookup != "pairs":
        return f"errors need mentions in pairs: use lookup=pairs, not lookup={options.lookup}"
    return _never(options)


def _never(options: Options) -> str:
    """Return why errors cannot be found in any document under these options; empty if they can."""
    if options.split_antecedents != "drop":
        return _by_sets(options)
    beyond = [metric.name for metric in counted_metrics(options) if metric.evidence]
    which = f"which {'counts' if len(beyond) == 1 else 'count'} more than clusters"
    return f"errors do not change {enumerated(beyond)}, {which} (name other metrics)" if beyond else ""


def _refuse_classes(options: Options, names: Sequence[str]) -> None:
    """Raise a UsageError for classes under a rule by which their scores would not add up."""
    if names and options.choices["singletons"] == "e2e":
        why = "classes count singletons, which B³ and LEA leave out under --singletons=e2e"
        raise UsageError(f"--by: {why} (use --singletons=drop, or leave out --by)")


def _by_sets(options: Options) -> str:
    why = "errors and classes of mentions are not defined with split antecedents"
    return f"{why} (leave out --split-antecedents={options.split_antecedents})"


def _counting(options: Options) -> CountAll:
    if options.split_antecedents != "drop":
        raise UsageError(_by_sets(options))
    pairs = in_pairs(options)
    return count_all(counted_metrics(pairs), pairs)


def _measured(base: Measured, table: Contingency, count: CountAll) -> Measured:
    """Return other counts of a document, which keeps its name and its file."""
    sizes = sum(table.gold_sizes), sum(table.system_sizes)
    return Measured(base.id, *sizes, count.of_table(table), base.file)


def _by_status(links: Sequence[int]) -> list[int]:
    numbers = Counter(links)
    return [numbers[status] for status in range(len(RECALL))]
