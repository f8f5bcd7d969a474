"""Linking measures over a corpus, or over groups of its mentions: rows of counts and scores.

`evaluate` goes from the mentions of both sides to rows; `measured` gives the tallies of documents, of which
reports, gates and intervals are made.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from scorch2.errors import Notice, PairingError
from scorch2.linking import Linking, Rules
from scorch2.linking.corpus import Corpus
from scorch2.measures import check_fields, clustering
from scorch2.measures.measure import Measure
from scorch2.messages import listed
from scorch2.options import Options
from scorch2.report import Report, report_of
from scorch2.tally import Measured, Tally, finish, pooled

Group: TypeAlias = tuple[Any, ...]
TASK = "linking"
"""What reports of linking say that they are."""
MACRO, MICRO = "<macro>", "<micro>"
_NOTHING = Tally(0, 0, 0, 0)


class Grouping(NamedTuple):
    """How mentions are split before they are scored."""

    fields: tuple[str, ...] = ()
    of: str = "union"
    """Whose values make groups: those of both sides (union), or of gold alone (gold)."""
    overall: bool = False
    """Whether only the averages are wanted."""
    empty: str = "keep"
    """Whether groups without a count on either side are in the averages: keep, skip."""


class Row(NamedTuple):
    """The counts and scores of a measure, on the whole corpus or on a group."""

    name: str
    ptp: float
    """Numerator of precision, then what it lacks to the denominator."""
    fp: float
    rtp: float
    """Numerator of recall, then what it lacks to the denominator."""
    fn: float
    precision: float
    """0..1, 0 where the denominator is 0, as the next two."""
    recall: float
    fscore: float


class Evaluation(NamedTuple):
    """What came out, with what there is to say about it."""

    rows: Sequence[Row]
    """Sorted by name."""
    notices: Sequence[Notice]


def evaluate(corpus: Corpus, measures: Sequence[Measure], grouping: Grouping, rules: Rules) -> Evaluation:
    """Count every measure on every group.

    Parameters
    ----------
    corpus : Corpus
        The mentions of both sides.
    measures : sequence of Measure
        What to count; clusters are those of the group.
    grouping : Grouping
        Fields to group by; without any, the corpus is one group.
    rules : Rules
        Type weights, and what to do with a key in two clusters.

    Returns
    -------
    Evaluation
        A row a measure; with groups a row a group, and rows of averages.

    Raises
    ------
    UsageError
        For a field that no mention has.
    InputError
        For a field that some mention lacks, and one key in two clusters.
    """
    check_fields(_fields(measures, grouping), corpus[:2])
    parts = _split(corpus, grouping, rules)
    rows: list[Row] = []
    notices = [*corpus.notices, *_remarks(measures, parts, rules)]
    for measure in measures:
        if grouping.fields:
            rows += _grouped(measure, parts, grouping)
        else:
            rows.append(_row(measure.name, measure.tally(parts[()])))
    for part in parts.values():
        notices += part.notices()
    return Evaluation(sorted(rows, key=lambda row: row.name), [*notices, *_undefined(rows)])


def measured(
    corpus: Corpus, measures: Sequence[Measure], rules: Rules
) -> tuple[list[Measured], list[Notice]]:
    """Return the tallies of every document, clusters being those of the document.

    Parameters
    ----------
    corpus : Corpus
        The mentions of both sides.
    measures : sequence of Measure
        What to count, in the order of the tallies.
    rules : Rules
        As for `evaluate`.

    Returns
    -------
    list of Measured
        Sorted by id; documents of either side, also those without mentions.
    list of Notice
        What is to be said about them.
    """
    check_fields(_fields(measures, Grouping()), corpus[:2])
    golds, systems = (side.groups(("docid",)) for side in corpus[:2])
    found = []
    notices = _weightless(measures, rules)
    for ident in sorted({*corpus.gold.paths, *corpus.system.paths}):
        gold = golds.get((ident,)) or corpus.gold.part(())
        system = systems.get((ident,)) or corpus.system.part(())
        linking = Linking(gold, system, rules)
        tallies = tuple([(measure.tally(linking),) for measure in measures])
        found.append(Measured(ident, len(gold), len(system), tallies))
        notices += linking.notices()
    return found, notices


def report(
    corpus: Corpus, measures: Sequence[Measure], rules: Rules, facts: Sequence[tuple[str, str]] = ()
) -> Report:
    """Return the report of measures over documents: what gates, intervals and tests are made of.

    Parameters
    ----------
    corpus : Corpus
        The mentions of both sides.
    measures : sequence of Measure
        What to report; clusters are those of documents.
    rules : Rules
        As for `evaluate`.
    facts : sequence of (name, value)
        What else changes the numbers: reports are comparable only if it is the same.

    Returns
    -------
    Report
        Scores are of counts that are added over documents, 0/0 undefined.
    """
    rows = [measure.metric() for measure in measures]
    documents, notices = measured(corpus, measures, rules)
    if not documents:
        raise PairingError("nothing is left to score")
    chosen = Options(average="pooled", duplicates=rules.duplicates)
    whole = report_of(rows, rows, documents, chosen, [*corpus.notices, *notices])
    return whole._replace(facts=[("task", TASK), *facts])


def adds_up(measure: Measure) -> bool:
    """Return whether the counts of documents add up to those of the corpus: each key is of one document."""
    return measure.aggregator not in clustering.AGGREGATORS and bool({"docid", "span"} & {*measure.key})


def _fields(measures: Iterable[Measure], grouping: Grouping) -> list[str]:
    return [field for one in measures for field in (one.field, *one.key)] + list(grouping.fields)


def _split(corpus: Corpus, grouping: Grouping, rules: Rules) -> dict[Group, Linking]:
    """Return the groups in the order of their values: all combinations of the values of each field."""
    if not grouping.fields:
        return {(): Linking(corpus.gold, corpus.system, rules)}
    golds, systems = corpus.gold.groups(grouping.fields), corpus.system.groups(grouping.fields)
    sides = [golds] if grouping.of == "gold" else [golds, systems]
    values = [
        sorted({group[i] for side in sides for group in side}, key=_order)
        for i in range(len(grouping.fields))
    ]
    nothing = corpus.gold.part(()), corpus.system.part(())
    empty = Linking(*nothing, rules)
    parts = {}
    for group in product(*values):
        gold, system = golds.get(group), systems.get(group)
        parts[group] = (
            empty if gold is system is None else Linking(gold or nothing[0], system or nothing[1], rules)
        )
    return parts


def _order(value: object) -> tuple[Any, ...]:
    """Sort none first, then numbers, then names."""
    if value is None:
        return (0,)
    return (1, value) if isinstance(value, int | float) else (2, value)


def _grouped(measure: Measure, parts: Mapping[Group, Linking], grouping: Grouping) -> list[Row]:
    once: dict[int, Tally] = {}  # empty groups share their evidence
    tallies = {}
    for group, linking in parts.items():
        if id(linking) not in once:
            once[id(linking)] = measure.tally(linking)
        tallies[group] = once[id(linking)]
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
            each = [row for row in each if any(row[1:5])]
        shown = [MACRO if other == field else MICRO for other in fields]
        columns = list(zip(*(row[1:] for row in each), strict=True)) or [()] * 7
        rows.append(Row(_name(measure, fields, shown), *map(_mean, columns)))
    rows.append(_row(_name(measure, fields, [MICRO] * len(fields)), pooled(tallies.values())))
    return rows


def _name(measure: Measure, fields: Iterable[str], shown: Iterable[str]) -> str:
    return ";".join([measure.name, *(f"{field}={value}" for field, value in zip(fields, shown, strict=True))])


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _row(name: str, tally: Tally) -> Row:
    recall_num, recall_den, precision_num, precision_den = tally
    recall, precision, fscore = map(float, finish((tally,)))
    return Row(
        name,
        precision_num,
        precision_den - precision_num,
        recall_num,
        recall_den - recall_num,
        precision,
        recall,
        fscore,
    )


def _remarks(measures: Sequence[Measure], parts: Mapping[Group, Linking], rules: Rules) -> list[Notice]:
    found = _weightless(measures, rules)
    empty = sum(not (part.gold or part.system) for part in parts.values())
    if empty and len(parts) > 1:
        why = f"{empty} of {len(parts)} groups have no mention and count 0 in {MACRO}"
        why += " (--empty-groups=skip leaves them out)"
        found.append(Notice("groups", "", why))
    return found


def _weightless(measures: Sequence[Measure], rules: Rules) -> list[Notice]:
    same = [one.name for one in measures if one.aggregator != "sets" or "type" not in one.key]
    if rules.weights is None or not same:
        return []
    why = f"type weights change sets of keys with a type; without them: {listed(same)}"
    return [Notice("weights", "", why)]


def _undefined(rows: Iterable[Row]) -> list[Notice]:
    """Say which rows hold a 0 that stands for 0/0."""
    found = []
    for row in rows:
        lacking = [
            name
            for name, total in (("precision", row.ptp + row.fp), ("recall", row.rtp + row.fn))
            if not total
        ]
        if lacking and MACRO not in row.name:
            what = f"{row.name}: {' and '.join(lacking)} 0/0, shown as 0"
            found.append(Notice("undefined", "", what))
    return found
