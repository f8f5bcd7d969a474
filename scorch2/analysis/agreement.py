"""Agreement of annotators: what each pair of them has in common, also beyond chance, and what all pairs say.

    Matched ─▶ Units ─▶ Tally of each coefficient ─▶ AnnotatorPair ─▶ Agreement
            a document                               two annotators   all of them

Nothing here depends on which annotator of a pair is called first.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.analysis.corpus import GAINS, AnalysedSystem, Details, analysed, shown_metrics
from scorch2.analysis.error_report import AnalysisRequest, ErrorReport, PageRequest
from scorch2.analysis.findings import in_pairs
from scorch2.analysis.systems import Column
from scorch2.model.errors import Notice, ScorchError, UsageError, reword, shown_path, unknown_name
from scorch2.model.forms import Shown
from scorch2.model.options import ALL, Options, separated
from scorch2.model.results import Interval, main_name
from scorch2.model.score import UNDEFINED, Measured, Sampling, ScoreParts, Tally, Value, exact_sum
from scorch2.model.values import metrics_of
from scorch2.scoring.contingency import Contingency, count_overlaps
from scorch2.scoring.flow import Measure, Outcome, Scored, Watch, count_all, score_each, score_pair
from scorch2.scoring.matching.matched import Matched
from scorch2.scoring.matching.mention_kinds import of_mentions
from scorch2.scoring.matching.steps import Matcher
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import chosen_metrics, counted_metrics
from scorch2.scoring.metrics.metric import ONLY, Count, Divide, Metric
from scorch2.scoring.pairing.files import Item, Pair
from scorch2.scoring.report import Report, report_of

DEFAULT = ("mentions", "muc", "b_cubed", "ceaf_e", "lea", "conll")
"""The metrics whose F1 is shown by default."""
ONE_SIDED = ("blanc", "b_cubed_sys", "ceaf_m_sys", "ceaf_e_sys", "entity_f1", "entity_f1_weighted")
"""The metrics whose F1 depends on which annotator is taken for gold."""
_THIRDS = 3


class Units(NamedTuple):
    """The mentions of a document that two annotators are compared on: each is in an entity of either."""

    cells: Sequence[tuple[int, int, int]]  # entity of the one, of the other, units in both; non-zero only
    ones: Sequence[int]  # the units in each entity of the one
    others: Sequence[int]
    categories: Mapping[tuple[str, str], int] = {}  # the number of units by what either says that they are


def units_of(table: Contingency, which: str) -> Units:
    """Return the units of a document: of all mentions, those of one annotator alone are singletons there."""
    matched = table.found
    if which == "shared":
        return Units(table.cells, *matched)
    cells = list(table.cells)
    ones, others = list(table.gold_sizes), list(table.system_sizes)
    for entity, (size, shared) in enumerate(zip(table.gold_sizes, matched[0], strict=True)):
        for _ in range(size - shared):
            cells.append((entity, len(others), 1))
            others.append(1)
    for entity, (size, shared) in enumerate(zip(table.system_sizes, matched[1], strict=True)):
        for _ in range(size - shared):
            cells.append((len(ones), entity, 1))
            ones.append(1)
    return Units(cells, ones, others)


class Coefficient(ScoreParts):
    """An agreement beyond chance: 1 is perfect, 0 what chance gives; less is below 0."""

    __slots__ = ()
    value: Value


# Alpha. A tally has observed and expected disagreement, each with its denominator: the sum of the distances
# of the two values of each unit, the number of units, the sum of the distances of all ordered pairs of pooled
# values, and the number of these pairs. Two entities of one annotator are equal or disjoint; two of different
# annotators share the units of their cell. So cells are enough.


def count_alpha(units: Units) -> Tally:
    """Count distances after Passonneau 2004, in thirds: 0 if equal, 1 subset, 2 overlap, 3 disjoint."""
    number, close = sum(units.ones), [*_close(units)]
    observed = _THIRDS * number - sum([near.units * near.thirds for near in close])
    expected = _THIRDS * _apart(units) - 2 * sum([near.pairs * near.thirds for near in close])
    return Tally(observed, _THIRDS * number, expected, _THIRDS * _all_pairs(number))


def count_masi(units: Units) -> Tally:
    """Count distances after Passonneau 2006: 1 - Jaccard index times 1 if equal, 2/3 subset, 1/3 overlap."""
    number = sum(units.ones)
    observed, expected = {1: number}, {1: _apart(units)}
    for close in _close(units):
        union = _THIRDS * close.union
        shared = close.units * close.thirds
        observed[union] = observed.get(union, 0) - shared * close.units
        expected[union] = expected.get(union, 0) - 2 * shared * close.pairs
    return Tally(exact_sum(observed), number, exact_sum(expected), _all_pairs(number))


class _Close(NamedTuple):
    units: int  # those that an entity of the one and an entity of the other share
    pairs: int  # the pairs of a value of the one and a value of the other that are these entities
    union: int
    thirds: int  # how close the entities are: 3 if equal, 2 if one holds the other, else 1


def _close(units: Units) -> Iterator[_Close]:
    for one, other, shared in units.cells:
        sizes = units.ones[one], units.others[other]
        thirds = _THIRDS if sizes[0] == shared == sizes[1] else 1 + (shared in sizes)
        yield _Close(shared, sizes[0] * sizes[1], sum(sizes) - shared, thirds)


def _apart(units: Units) -> int:
    """Return the number of ordered pairs of pooled values but those of one entity of one annotator."""
    return (2 * sum(units.ones)) ** 2 - sum([size * size for size in (*units.ones, *units.others)])


def _all_pairs(number: int) -> int:
    return 2 * number * (2 * number - 1)


def count_categories(units: Units) -> Tally:
    """Count unequal categories: of units, and of all ordered pairs of pooled ones."""
    number = sum(units.categories.values())
    unequal = sum(n for (first, second), n in units.categories.items() if first != second)
    pooled: Counter[str] = Counter()
    for (first, second), n in units.categories.items():
        pooled.update({first: n})
        pooled.update({second: n})
    expected = (2 * number) ** 2 - sum([n * n for n in pooled.values()])
    return Tally(unequal, number, expected, _all_pairs(number))


def alpha(tallies: Sequence[Tally]) -> Sequence[float]:
    """Return 1 - observed by expected disagreement: 1 if none is expected, undefined without a unit."""
    ((observed, number, expected, pairs),) = tallies
    if not number:
        return [UNDEFINED]
    whole = number * expected
    return [(whole - observed * pairs) / whole if expected else 1]


def count_links(units: Units) -> Tally:
    """Count the pairs of units that both annotators link, that each of them links, and all pairs."""
    sizes = [n for _, _, n in units.cells], units.ones, units.others, [sum(units.ones)]
    return Tally(*(sum([size * (size - 1) // 2 for size in some]) for some in sizes))


def kappa(tallies: Sequence[Tally]) -> Sequence[float]:
    """Return Cohen's kappa of pairs, linked or not; undefined if both annotators link all pairs, or none."""
    ((both, first, second, pairs),) = tallies
    most = first * (pairs - second) + second * (pairs - first)
    return [2 * (both * pairs - first * second) / most if most else UNDEFINED]


def _row(name: str, label: str, count: Count, divide: Divide, source: str) -> Metric:
    return Metric(name, label, {ONLY: count}, source, divide=divide, gives=cast("Any", Coefficient))


CATEGORIES = "categories"
"""The coefficient that is shown by default only if mentions have categories."""
_MASI = "alpha_masi"
_PASSONNEAU = "Krippendorff 1980, Passonneau"
COEFFICIENTS: Mapping[str, Metric] = {
    row.name: row
    for row in (
        _row("alpha", "alpha", count_alpha, alpha, f"{_PASSONNEAU} 2004"),
        _row(_MASI, "MASI", count_masi, alpha, f"{_PASSONNEAU} 2006"),
        _row("kappa", "kappa", count_links, kappa, "Cohen 1960, Hubert & Arabie 1985"),
        _row(CATEGORIES, "categories", count_categories, alpha, "Krippendorff 1980"),
    )
}
"""The coefficients by name, in the order of reports. Their counts are added over documents."""
_OF_ALPHA = ("observed_num", "observed_den", "expected_num", "expected_den")
_OF_LINKS = ("both", "first", "second", "pairs")
COUNTED = {
    name: _OF_LINKS if row.parts[ONLY] is count_links else _OF_ALPHA for name, row in COEFFICIENTS.items()
}
"""The names of the counts of each coefficient, in the order of its tally."""


def categories_of_units(matched: Matched) -> Counter[tuple[str, str]]:
    """Count the mentions that both annotators marked with a category, by these two."""
    first, second = matched.pair.gold.document, matched.pair.system.document
    if first.categories is None or second.categories is None:
        return Counter()
    ones, others = of_mentions(first), of_mentions(second)
    shared = [mention for mention in matched.system.owner if mention in matched.gold.owner]
    pairs = ((ones.get(mention), others.get(matched.original_of.get(mention, mention))) for mention in shared)
    return Counter((first, second) for first, second in pairs if first and second)


def agreement_outcomes(items: Iterable[Item], options: Options, units: str) -> Iterator[Outcome]:
    """Measure every pair of documents; the details are the tallies of `COEFFICIENTS`."""
    count = count_all(counted_metrics(options), options)
    matcher = Matcher(_of_units(options))

    def measured(pair: Pair) -> Scored:
        matched = matcher.matched(matcher.compared(pair.id, *matcher.annotated(pair.gold, pair.system)))
        evidence = units_of(count_overlaps(matched.gold, matched.system), units)
        evidence = evidence._replace(categories=categories_of_units(matched))
        tallies = tuple([metric.tallies(evidence) for metric in COEFFICIENTS.values()])
        return score_pair(pair, count, options)._replace(details=tallies)

    return score_each(items, measured, options)


def _of_units(options: Options) -> Options:
    """Return options by which each mention is in one cluster of an annotator, and has one twin at most."""
    alone: Any = in_pairs(options)
    return cast("Options", alone._replace(choices={**alone.choices, "split_antecedents": "drop"}))


class AnnotatorPair(NamedTuple):
    """Two annotators, and how far they agree."""

    names: tuple[str, str]
    report: Report  # the metrics: that of the second annotator scored against the first
    chance: Report  # the coefficients of the same documents
    intervals: Mapping[Column, Interval] = {}

    def value(self, column: Column) -> Value:
        """Return an agreement: of a metric in 0..1."""
        return _value((self.report.scores, self.chance.scores), column)

    def units(self) -> int:
        """Return the number of mentions that coefficients are of."""
        return sum(map(_units_in, self.chance.documents))

    def mentions(self) -> tuple[int, int]:
        """Return the number of mentions of each annotator."""
        documents = self.report.documents
        return sum(document.gold_mentions for document in documents), sum(
            document.system_mentions for document in documents
        )


def _value(scores: Iterable[Mapping[str, Any]], column: Column) -> Value:
    found = next(some[column.metric] for some in scores if column.metric in some)
    return cast("Value", getattr(found, column.part))


def _units_in(document: Measured) -> int:
    (tally,) = document.tallies[[*COEFFICIENTS].index(_MASI)]
    return int(tally.recall_den)  # the thirds of alpha are three times as many


class DocumentRow(NamedTuple):
    """A document of two annotators, and how far they agree on it."""

    id: str
    names: tuple[str, str]
    mentions: tuple[int, int]
    units: int
    values: Mapping[Column, Value]


class Listed(NamedTuple):
    """The documents that have rows in forms for reading: the lowest of a column first."""

    sort: str | None = None
    worst: int | None = None  # None for all


class _Fields(NamedTuple):
    pairs: Sequence[AnnotatorPair]
    columns: Sequence[Column]
    units: str
    run: Mapping[str, str | int] = {}
    """How the numbers were made, by name."""
    provenance: str = ""
    notices: Sequence[Notice] = ()
    sampled: Sampling | None = None
    mean_intervals: Mapping[Column, Interval] = {}
    listed: Listed | None = None
    shows_signature: bool = True
    page: ErrorReport | None = None
    """The differences of two annotators in the text, if a page of them was asked for."""


class Agreement(Shown, _Fields):
    """The agreement of annotators: F1 of metrics in 0..1, coefficients up to 1. It does not change."""

    __slots__ = ()
    shown_as = "annotators"

    @property
    def annotators(self) -> Sequence[str]:
        """The names of the annotators, in the order in which they were given."""
        return list(dict.fromkeys(name for pair in self.pairs for name in pair.names))

    def __repr__(self) -> str:
        mean = {column.metric: round(float(self.mean(column)), 4) for column in self.columns}
        return f"Agreement(annotators={self.annotators}, mean={mean})"

    def signature(self) -> str:
        """Return one line that says how to get these numbers again."""
        return self.provenance

    def column(self, name: str) -> Column:
        """Return a column by the name of its metric or coefficient; a KeyError tells that it is not shown."""
        return {column.metric: column for column in self.columns}[name]

    def mean(self, column: Column | str) -> Value:
        """Return the plain mean of the pairs in which an agreement is not 0/0."""
        column = self.column(column) if isinstance(column, str) else column
        values = [value for pair in self.pairs for value in [pair.value(column)] if value.defined]
        return Value(math.fsum(values) / len(values)) if values else UNDEFINED

    def first_column(self, sort: str | None = None) -> Column:
        """Return the column that documents are ordered by."""
        names = [column.metric for column in self.columns]
        return self.column(sort or ("conll" if "conll" in names else names[0]))

    def documents(self, sort: str | None = None) -> list[DocumentRow]:
        """Return a row for every document and pair, the lowest of a column first, 0/0 last.

        By default the column is CoNLL, or the first one if that is not shown.
        """
        first = self.first_column(sort)
        rows = [row for pair in self.pairs for row in self._rows(pair)]
        return sorted(rows, key=lambda row: (not row.values[first].defined, row.values[first]))

    def _rows(self, pair: AnnotatorPair) -> Iterator[DocumentRow]:
        for one, units in zip(pair.report.documents, pair.chance.documents, strict=True):
            scores = pair.report.document_scores(one), pair.chance.document_scores(units)
            values = {column: _value(scores, column) for column in self.columns}
            yield DocumentRow(
                one.id, pair.names, (one.gold_mentions, one.system_mentions), _units_in(units), values
            )


class AgreementRequest(NamedTuple):
    """The metrics and coefficients that are shown of annotators, how mentions are counted, and a page."""

    metrics: tuple[str, ...]
    coefficients: tuple[str, ...]
    named: Sequence[str] = ()  # what was asked for by its name
    profile: str | None = None
    units: str = "shared"
    title: str | None = None  # of the page of two annotators, if there is one

    def counted(self) -> tuple[str, ...]:
        """Return the metrics that have to be counted: at least one."""
        return self.metrics or DEFAULT[:1]


def agreement_request(names: str | Iterable[str], profile: str | None = None) -> AgreementRequest:
    """Return the request for the metrics and coefficients that are meant by their names.

    By default the metrics are those of the profile, or `DEFAULT`, and the coefficients all that there are.
    """
    wanted = separated(names)
    folded = [name.casefold() for name in wanted if isinstance(name, str)]
    others = [name for name in wanted if not (isinstance(name, str) and name.casefold() in COEFFICIENTS)]
    known = {ALL, *(spelling for row in METRICS.values() for spelling in (row.name, *row.aliases))}
    for name in others:
        if not isinstance(name, str) or name.casefold() not in known:
            raise UsageError(unknown_name(name, "metric", (*METRICS, *COEFFICIENTS)))
    if not wanted:
        return AgreementRequest(metrics_of(profile, DEFAULT), tuple(COEFFICIENTS), (), profile)
    coefficients = tuple(name for name in COEFFICIENTS if {name, ALL} & {*folded})
    return AgreementRequest(chosen_metrics(others), coefficients, folded, profile)


PairNames: TypeAlias = tuple[str, str]
Score: TypeAlias = Callable[[PairNames, tuple[str, ...], Watch, Measure], Report]
"""A function that scores the second of two annotators against the first by some metrics."""


def annotator_pairs(names: Sequence[str], score: Score, chosen: AgreementRequest) -> list[AnnotatorPair]:
    """Return the agreement of every pair of annotators, in their order."""
    return [_annotator_pair(pair, score, chosen) for pair in combinations(names, 2)]


def _annotator_pair(names: PairNames, score: Score, chosen: AgreementRequest) -> AnnotatorPair:
    details, measure = Details(), partial(agreement_outcomes, units=chosen.units)
    report = _scored(score, names, chosen.counted(), details.watch, measure)
    documents = [
        document._replace(tallies=tallies)
        for document, tallies in zip(report.documents, cast("Any", details.details), strict=True)
    ]
    chance = {**report.options.choices, "average": "pooled", "undefined": "skip"}
    rows = tuple(COEFFICIENTS.values())
    options = report.options._replace(choices=cast("Any", chance))
    return AnnotatorPair(names, report, report_of(rows, rows, documents, options, ()))


def _scored(
    score: Score, names: PairNames, metrics: tuple[str, ...], watch: Watch, measure: Measure
) -> Report:
    """Score two annotators; errors and warnings speak of them, not of gold and a system."""
    try:
        report = score(names, metrics, watch, measure)
    except ScorchError as error:
        reword(error, partial(speaking_of, names))
        raise
    return report._replace(notices=[_of_annotators(notice, names) for notice in report.notices])


def page_of_pair(names: Sequence[str], score: Score, chosen: AgreementRequest) -> ErrorReport | None:
    """Return the differences of two annotators in their texts, if there is a title for them."""
    if chosen.title is None:
        return None
    pair = names[0], names[1]
    metrics = shown_metrics([name for name in chosen.metrics if name != DEFAULT[0]], chosen.profile)
    metrics = metrics._replace(gains=[name for name in GAINS if name in metrics.names] or metrics.names)
    against = partial(_scored, score, pair, metrics.counted())
    request = AnalysisRequest(page=PageRequest(chosen.title, annotators=pair))
    return analysed(AnalysedSystem(names[1], against), None, request, metrics)


def agreement_columns(chosen: AgreementRequest, pairs: Sequence[AnnotatorPair]) -> list[Column]:
    """Return the columns: mention detection, the other metrics, then coefficients."""
    first = pairs[0].report
    hidden = {CATEGORIES} - {*chosen.named}
    if any(pair.value(_of_chance(CATEGORIES)).defined for pair in pairs):
        hidden = set()
    metrics = sorted(chosen.metrics, key=lambda name: name != DEFAULT[0])
    columns = [
        Column(name, main_name(METRICS[name].gives._fields), first.short_label(name)) for name in metrics
    ]
    return columns + [_of_chance(name) for name in chosen.coefficients if name not in hidden]


def _of_chance(name: str) -> Column:
    return Column(name, "value", COEFFICIENTS[name].label)


def _of_annotators(notice: Notice, names: PairNames) -> Notice:
    if notice.code == "same":
        both = " and ".join(shown_path(name) for name in names)
        return Notice("same", "", f"{both} agree to the last mention: is one of them a copy?")
    return notice._replace(message=speaking_of(names, notice.message))


_APART = r"""[\w/."'=-]"""  # what shows that a word is part of a name, a path or an option
_SIDE = re.compile(
    rf"(?<!{_APART})(?:(?P<a>a |the |)(?P<of>gold|system) (?P<what>(?:document|file|mention|output|side)s?)"
    rf"|(?:the )?(?P<side>gold|system))(?!{_APART})"
)


def speaking_of(names: tuple[str, str], message: str) -> str:
    """Return a message with the names of the annotators in place of gold and the system.

    >>> speaking_of(("ann", "bob"), "the gold document has no system output, but gold/a has (--gold-files)")
    'the document of ann has no output of bob, but gold/a has (--gold-files)'
    """
    shown = dict(zip(("gold", "system"), map(shown_path, names), strict=True))

    def named(found: re.Match[str]) -> str:
        return f"{found['a']}{found['what']} of {shown[found['of']]}" if found["of"] else shown[found["side"]]

    return _SIDE.sub(named, message)
