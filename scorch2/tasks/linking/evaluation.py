"""Linking measures over a corpus: rows by group for ``evaluate``, tallies by document for reports.

Errors of links are named, too (``analyze``), and mentions that share units (``validate-spans``).
"""

import json
import math
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.document import Document
from scorch2.model.errors import SHOWN, Notice, PairingError, counted, listed, shown_path
from scorch2.model.markables import Annotation
from scorch2.model.names import NIL
from scorch2.model.options import options_from
from scorch2.model.results import CountedScore, ratios_and_counts
from scorch2.model.score import Measured, Tally, finish, pooled
from scorch2.scoring.metrics.metric import MetricTable
from scorch2.scoring.report import Report, report_of
from scorch2.tasks.linking.corpus import Corpus, placed
from scorch2.tasks.linking.evidence import Absent, Linking, Mentions, Rules
from scorch2.tasks.linking.measures import CLUSTERING, MICRO_SUFFIX, Measure, check_fields, named, single

Group: TypeAlias = tuple[Any, ...]
MACRO, MICRO = "<macro>", "<micro>"
MOST_COMBINATIONS = 5000
"""Combinations of the values of fields have rows up to here, as in neleval, though no mention has them: two
thousand documents with fifty types have 100 000, which took 1 GB."""


class Grouping(NamedTuple):
    """The groups in which mentions are scored."""

    fields: tuple[str, ...] = ()
    of: str = "union"  # union: the values of both sides make groups; gold: only those of gold
    overall: bool = False
    empty: str = "keep"  # keep or skip, in the averages, groups without a count on either side
    undefined: str = "skip"
    """What a score that is 0/0 in a group does to macro averages: skip (no weight), zero."""


class MeasureRow(NamedTuple):
    """The counts and scores of a measure, on the whole corpus or on a group."""

    name: str
    ptp: float  # the numerator of precision; `fp` is the denominator less the numerator
    fp: float
    rtp: float  # the numerator of recall; `fn` is the denominator less the numerator
    fn: float
    precision: float  # in 0..1 like `recall` and `fscore`; 0 where the denominator is 0
    recall: float
    fscore: float

    def counts(self) -> tuple[float, float, float, float]:
        """Return the four counts in the order of the text."""
        return self.ptp, self.fp, self.rtp, self.fn

    def numbers(self) -> tuple[float, ...]:
        """Return counts and scores in the order of the text."""
        return *self.counts(), self.precision, self.recall, self.fscore


class Evaluation(NamedTuple):
    """Rows, and warnings about them."""

    rows: Sequence[MeasureRow]  # sorted by name
    notices: Sequence[Notice]


def evaluate(corpus: Corpus, measures: Sequence[Measure], grouping: Grouping, rules: Rules) -> Evaluation:
    """Count every measure on every group, and on the corpus if there are no groups."""
    # With groups there is a row per measure and group, and rows of averages
    check_fields([*fields_of(measures), *grouping.fields], (corpus.gold, corpus.system))
    by_group: dict[Group, Sequence[Tally]] = {}
    repeated: list[Notice] = []
    for group, part in _split(corpus, grouping, rules):
        by_group[group] = [measure.tally(part) for measure in measures]
        repeated += part.notices()
    empty, remarks = _empty_groups(by_group, grouping)
    if empty:
        nothing = Linking(corpus.gold.part(()), corpus.system.part(()), rules)
        tallies_of_nothing = [measure.tally(nothing) for measure in measures]
        by_group |= dict.fromkeys(empty, tallies_of_nothing)
    notices = [*corpus.notices, *_remarks(measures, rules), *remarks]
    rows: list[MeasureRow] = []
    for number, measure in enumerate(measures):
        tallies = {group: counted[number] for group, counted in by_group.items()}
        rows += _grouped(measure, tallies, grouping) if grouping.fields else [_row(measure.name, tallies[()])]
    notices += repeated
    notices += excessive(row.name for row in rows if max(row.precision, row.recall) > 1)
    return Evaluation(sorted(rows, key=lambda row: row.name), [*notices, *_undefined(rows)])


def _split(corpus: Corpus, grouping: Grouping, rules: Rules) -> Iterator[tuple[Group, Linking]]:
    """Yield the groups that hold a mention, in the order of their values; or all mentions as one."""
    # A group is held until the next
    if not grouping.fields:
        yield (), Linking(corpus.gold, corpus.system, rules)
        return
    golds, systems = corpus.gold.groups(grouping.fields), corpus.system.groups(grouping.fields)
    groups: Iterable[Group] = {**golds, **systems}
    if grouping.of == "gold":
        known = [{group[i] for group in golds} for i in range(len(grouping.fields))]
        groups = [group for group in groups if all(map(set.__contains__, known, group))]
    nothing = corpus.gold.part(()), corpus.system.part(())
    for group in sorted(groups, key=lambda values: [*map(_order, values)]):
        yield group, Linking(golds.pop(group, nothing[0]), systems.pop(group, nothing[1]), rules)


def _empty_groups(by_group: Collection[Group], grouping: Grouping) -> tuple[Iterable[Group], list[Notice]]:
    """Return the combinations of values that no mention has, if they have rows, and the notice about them."""
    values = [list(dict.fromkeys(each)) for each in zip(*by_group, strict=True)]
    every = math.prod(map(len, values))
    number = every - len(by_group)
    if not number or not values:
        return (), []
    worth = "count 0" if grouping.undefined == "zero" else "only count in the means of counts"
    why = f"and {worth} in {MACRO} (--empty-groups=skip leaves them out)"
    empty: Iterable[Group] = (group for group in product(*values) if group not in by_group)
    if every > MOST_COMBINATIONS:
        empty, why = (), f"and no row (up to {MOST_COMBINATIONS} have one)"
    notice = Notice("groups", "", f"{number} of {every} groups have no mention {why}")
    return () if grouping.overall else list(empty), [notice]


def _order(value: object) -> tuple[Any, ...]:
    if value is None:
        return (0,)
    return (1, value) if isinstance(value, int | float) else (2, value)


def _grouped(measure: Measure, tallies: Mapping[Group, Tally], grouping: Grouping) -> list[MeasureRow]:
    fields = grouping.fields
    rows = (
        []
        if grouping.overall
        else [_row(_name(measure, fields, map(json.dumps, group)), tally) for group, tally in tallies.items()]
    )
    for i, field in enumerate(fields):
        by_value: dict[Any, list[Tally]] = {}
        for group, tally in tallies.items():
            by_value.setdefault(group[i], []).append(tally)
        each = [_row("", pooled(of_value)) for of_value in by_value.values()]
        if grouping.empty == "skip":
            each = [row for row in each if any(row.counts())]
        shown = [MACRO if other == field else MICRO for other in fields]
        rows.append(_mean_row(_name(measure, fields, shown), each, skip=grouping.undefined == "skip"))
    rows.append(_row(_name(measure, fields, [MICRO] * len(fields)), pooled(tallies.values())))
    return rows


def _name(measure: Measure, fields: Iterable[str], shown: Iterable[str]) -> str:
    return ";".join([measure.name, *(f"{field}={value}" for field, value in zip(fields, shown, strict=True))])


def _mean_row(name: str, rows: Sequence[MeasureRow], *, skip: bool) -> MeasureRow:
    """Return the plain mean of every count and score; with `skip`, 0/0 has no weight in that of its score."""

    def mean(part: str, counted: Sequence[MeasureRow]) -> float:
        return math.fsum(getattr(row, part) for row in counted) / len(counted) if counted else 0.0

    with_precision = [row for row in rows if not skip or row.ptp or row.fp]
    with_recall = [row for row in rows if not skip or row.rtp or row.fn]
    with_either = [row for row in rows if not skip or any(row.counts())]
    return MeasureRow(
        name,
        **{part: mean(part, rows) for part in ("ptp", "fp", "rtp", "fn")},
        precision=mean("precision", with_precision),
        recall=mean("recall", with_recall),
        fscore=mean("fscore", with_either),
    )


def _row(name: str, tally: Tally) -> MeasureRow:
    score = finish((tally,))
    return MeasureRow(
        name,
        ptp=tally.precision_num,
        fp=tally.precision_den - tally.precision_num,
        rtp=tally.recall_num,
        fn=tally.recall_den - tally.recall_num,
        precision=float(score.precision),
        recall=float(score.recall),
        fscore=float(score.f1),
    )


def _remarks(measures: Sequence[Measure], rules: Rules) -> list[Notice]:
    notices = weightless(measures, rules)
    old = [measure.name for measure in measures if measure.name.casefold().endswith(MICRO_SUFFIX)]
    if old:
        notices.append(Notice("deprecated", "", f"the ending {MICRO_SUFFIX} means nothing: {listed(old)}"))
    return notices


def fields_of(measures: Iterable[Measure]) -> list[str]:
    """Return the fields that measures look at."""
    return [field for one in measures for field in (one.field, *one.key)]


def weightless(measures: Sequence[Measure], rules: Rules) -> list[Notice]:
    """Warn of type weights that do not count in some of the measures."""
    same = [one.name for one in measures if one.aggregator != "sets" or "type" not in one.key]
    if rules.weights is None or not same:
        return []
    why = f"type weights count only in measures of sets with a type in their key; unchanged: {listed(same)}"
    return [Notice("weights", "", why)]


def excessive(names: Iterable[str]) -> list[Notice]:
    """Warn of scores above 1, which only type weights can cause."""
    found = listed(names)
    why = "is larger than 1: a type weighs more for another type than for itself"
    return [Notice("weights", "", f"a score of {found} {why}")] if found else []


def _undefined(rows: Iterable[MeasureRow]) -> list[Notice]:
    notices = []
    for row in rows:
        totals = {"precision": row.ptp + row.fp, "recall": row.rtp + row.fn}
        lacking = [name for name, total in totals.items() if not total]
        if lacking and MACRO not in row.name:
            what = f"{row.name}: {' and '.join(lacking)} 0/0, shown as 0"
            notices.append(Notice("undefined", "", what))
    return notices


TASK = "linking"
METRIC_TABLE = MetricTable(
    lambda names: [measure.metric() for measure in named(names)],
    lambda name: single(name).metric(),
    frozenset({"task", "nil", "nil-singletons", "type-weights", "restrict"}),
)


def document_tallies(
    corpus: Corpus, measures: Sequence[Measure], rules: Rules
) -> tuple[list[Measured], list[Notice]]:
    """Return the tallies of every document of either side, sorted by id, and warnings about them."""
    check_fields(fields_of(measures), (corpus.gold, corpus.system))
    golds, systems = (side.groups(("docid",)) for side in (corpus.gold, corpus.system))
    documents = []
    notices = weightless(measures, rules)
    for ident in sorted({*corpus.gold.paths, *corpus.system.paths}):
        gold = golds.get((ident,)) or corpus.gold.part(())
        system = systems.get((ident,)) or corpus.system.part(())
        linking = Linking(gold, system, rules)
        tallies = tuple([(measure.tally(linking),) for measure in measures])
        documents.append(Measured(ident, len(gold), len(system), tallies))
        notices += linking.notices()
    above = {
        measure.name: None
        for document in documents
        for measure, (tally,) in zip(measures, document.tallies, strict=True)
        if tally.recall_num > tally.recall_den or tally.precision_num > tally.precision_den
    }
    notices += excessive(measure.name for measure in measures if measure.name in above)
    return documents, notices


def linking_report(
    corpus: Corpus,
    measures: Sequence[Measure],
    rules: Rules,
    facts: Sequence[tuple[str, str]] = (),
    *,
    counts: bool = False,
) -> Report:
    """Return the report of measures over documents, for gates, intervals and tests."""
    # Clusters are those of documents, and counts are added over documents. Reports are comparable only if
    # `facts` are the same. With `counts`, scores have the parts `COUNTS`, too.
    rows = [measure.metric() for measure in measures]
    if counts:
        rows = [row._replace(divide=ratios_and_counts, gives=CountedScore) for row in rows]
    documents, notices = document_tallies(corpus, measures, rules)
    if not documents:
        raise PairingError("nothing is left to score")
    chosen = options_from(average="pooled", duplicates=rules.duplicates, pair=corpus.pair)
    whole = report_of(rows, rows, documents, chosen, [*corpus.notices, *notices])
    return whole._replace(facts=[("task", TASK), *facts])


def adds_up(measure: Measure) -> bool:
    """Return whether the counts of documents add up to those of the corpus: each key is of one document."""
    return measure.aggregator not in CLUSTERING and bool({"docid", "span"} & {*measure.key})


CORRECT = ("correct link", "correct nil")


class Finding(NamedTuple):
    """One mention of either side, and whether the other side agrees."""

    label: str
    """correct link, correct nil, wrong-link, nil-as-link, link-as-nil, missing, extra or wrong-type."""
    document: str
    gold: str | None
    """The id in quotes, NIL, or None for a mention that gold lacks; for wrong-type the type in quotes."""
    system: str | None
    start: int
    end: int  # half-open


class Analysis(NamedTuple):
    """All findings, in the order of documents (by name) and offsets."""

    findings: Sequence[Finding]
    notices: Sequence[Notice]


class _Mention(NamedTuple):
    kb_id: str | None
    type: object


def analyze(corpus: Corpus, *, correct: bool = False, unique: bool = False) -> Analysis:
    """Compare the mentions of both sides; of several with one span the last counts, with a notice."""
    # Types are compared where both sides have one, apart from ids: a mention may have two findings. Right ids
    # are left out unless `correct`; with `unique`, equal findings of a document are listed once, at the first
    # place.
    gold, before = _by_span(corpus.gold)
    system, notices = _by_span(corpus.system)
    findings: list[Finding] = []
    for span in sorted({*gold, *system}):
        findings += _findings(span, gold.get(span), system.get(span))
    if not correct:
        findings = [finding for finding in findings if finding.label not in CORRECT]
    if unique:
        first: dict[tuple[object, ...], Finding] = {}
        for finding in findings:
            first.setdefault((finding.label, finding.document, finding.gold, finding.system), finding)
        findings = list(first.values())
    return Analysis(findings, [*corpus.notices, *before, *notices])


def count_labels(findings: Iterable[Finding]) -> list[tuple[str, int]]:
    """Return how often each label was given, the most frequent first."""
    return sorted(Counter(one.label for one in findings).items(), key=lambda pair: (-pair[1], pair[0]))


def _by_span(side: Mentions) -> tuple[dict[Any, _Mention], list[Notice]]:
    mentions = map(_Mention, side.column("kbid"), side.column("type"))
    by_span = dict(zip(side.column("span"), mentions, strict=True))
    repeats = len(side) - len(by_span)
    if not repeats:
        return by_span, []
    path = shown_path(next(iter(side.paths.values()), ""))
    why = f"{counted(repeats, 'mention')} at the span of a later one: the last counts"
    return by_span, [Notice("duplicates", "", f"{path}: {why}")]


def _findings(span: tuple[str, int, int], gold: _Mention | None, system: _Mention | None) -> list[Finding]:
    document, start, last = span
    end = last + 1
    shown = [None if one is None else _shown(one.kb_id) for one in (gold, system)]
    findings = [Finding(_label(gold, system), document, shown[0], shown[1], start, end)]
    if gold is not None and system is not None:
        types = [_plain(one.type) for one in (gold, system)]
        if types[0] != types[1] and None not in types:
            findings.append(Finding("wrong-type", document, f'"{types[0]}"', f'"{types[1]}"', start, end))
    return findings


def _label(gold: _Mention | None, system: _Mention | None) -> str:
    if system is None:
        return "missing"
    if gold is None:
        return "extra"
    if gold.kb_id == system.kb_id:
        return CORRECT[1] if gold.kb_id is None else CORRECT[0]
    if gold.kb_id is None:
        return "nil-as-link"
    return "link-as-nil" if system.kb_id is None else "wrong-link"


def _shown(kb_id: str | None) -> str:
    return NIL if kb_id is None else f'"{kb_id}"'


def _plain(value: object) -> object:
    """Return a type as text where it is a list or an object in a JSON type, none where that lacks it."""
    if value is Absent.MEMBER:
        return None
    return str(value) if isinstance(value, list | Mapping) else value


LEVELS = ("ignore", "warn", "error")
DEFAULT_LEVELS: Mapping[str, str] = {"duplicate": "error", "crossing": "warn", "nested": "ignore"}
"""The kinds of problems, each with its default level."""


class Problem(NamedTuple):
    """Two mentions that share units."""

    kind: str  # duplicate: the same start and end; nested: one holds the other; crossing: neither
    level: str
    path: str
    document: str
    first: Annotation
    second: Annotation  # it does not begin before the first, and does not end after it if they begin together
    more: int = 0
    """The number of other mentions that share units with the second one in this way and are not named."""


def span_problems(documents: Iterable[Document], levels: Mapping[str, str]) -> Iterator[Problem]:
    """Yield the pairs of mentions that share units, but for what `levels` ignore."""
    # They are in the order of the documents; inside one by the second mention, then by the first. If more
    # than `SHOWN` mentions share units with the second one in the same way, only so many are named.
    for document in documents:
        ordered = sorted(placed(document), key=lambda mention: (mention.start, -mention.end))
        for number, shared in enumerate(_sharing(ordered)):
            pairs = [
                (first, kind, count - len(named) if first == named[-1] else 0)
                for kind, (named, count) in shared.items()
                if levels[kind] != "ignore"
                for first in named
            ]
            for first, kind, more in sorted(pairs):
                yield Problem(
                    kind, levels[kind], document.path, document.id, ordered[first], ordered[number], more
                )


def _sharing(ordered: Sequence[Annotation]) -> Iterator[Mapping[str, tuple[Sequence[int], int]]]:
    """Yield for each mention, by kind, some mentions before it that share units with it, and how many do."""
    # The cost grows with the mentions, not with the pairs: those before are kept by their ends
    ends: list[tuple[int, int]] = []  # of the mentions that come before those of the same span
    first = 0  # the first mention of the same span
    for number, mention in enumerate(ordered):
        if ordered[first][:2] != mention[:2]:
            for same in range(first, number):
                insort(ends, (ordered[same].end, same))
            first = number
        crossing, nested = bisect_right(ends, (mention.start, number)), bisect_left(ends, (mention.end, 0))
        yield {
            "duplicate": (range(first, min(number, first + SHOWN)), number - first),
            "crossing": ([i for _, i in ends[crossing : min(nested, crossing + SHOWN)]], nested - crossing),
            "nested": ([i for _, i in ends[nested : nested + SHOWN]], len(ends) - nested),
        }
