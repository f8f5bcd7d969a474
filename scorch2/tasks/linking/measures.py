"""Linking measures: a table of rows, each an aggregator, a filter and a key of fields."""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from scorch2.model.document import Span
from scorch2.model.errors import InputError, UsageError, quoted, unknown_name
from scorch2.model.score import Tally
from scorch2.scoring.metrics import METRICS, blanc
from scorch2.scoring.metrics.metric import ONLY, Count, Metric
from scorch2.tasks.linking.evidence import FIELDS, Aggregator, Linking, Mentions


def count_keys(linking: Linking, field: str, key: tuple[str, ...]) -> Tally:
    """Count the keys on either side and on both.

    Formula     R = |K(gold) ∩ K(system)| / |K(gold)|. P: over |K(system)|. With type weights and type in
                the key: Σ w(gold type, system type) over the mentions that match in the rest of the key,
                / Σ w(t, t).
    Units       distinct keys; 0..1. With weights every count is a float, the exact sum rounded once.
    Edge cases  no key on a side: 0/0. Two mentions with one key count once; with weights they are refused.
    Cost        O(mentions).
    Source      Hachey et al. 2013, Evaluating entity linking with Wikipedia, Artificial Intelligence 194.
    """
    weights = linking.rules.weights
    if weights is not None and "type" in key:
        gold, system = linking.gold.kept(field), linking.system.kept(field)
        return _weighted(linking, gold, system, tuple(name for name in key if name != "type"))
    golds, systems = map(set, linking.keys(field, key))
    common: float = len(golds & systems)
    if weights is not None:
        return Tally(float(common), float(len(golds)), float(common), float(len(systems)))
    return Tally(common, len(golds), common, len(systems))


def _weighted(linking: Linking, gold: Mentions, system: Mentions, rest: tuple[str, ...]) -> Tally:
    weights = linking.rules.weights or {}

    def weight(one: object, other: object) -> float:
        return weights.get((one, other), float(one == other))

    golds, systems = _type_by_key(gold, rest), _type_by_key(system, rest)
    matched = golds.keys() & systems.keys()
    # exact sums: added one by one, a perfect system gets 1.0000000000000002
    common = math.fsum(weight(golds[value], systems[value]) for value in matched)
    gold_total, system_total = (
        math.fsum(weight(kind, kind) for kind in side.values()) for side in (golds, systems)
    )
    return Tally(common, gold_total, common, system_total)


def _type_by_key(side: Mentions, rest: tuple[str, ...]) -> dict[object, object]:
    """Return the type of each key; weights cannot choose between two."""
    keys: Sequence[object] = side.keys(rest) if rest else [()] * len(side)
    types = dict(zip(keys, side.values("type"), strict=True))
    if len(types) < len(keys):
        first: dict[object, int] = {}
        again = next(i for i, value in enumerate(keys) if first.setdefault(value, i) != i)
        what = "+".join(rest) or "key without its type"
        why = f"this mention has the same {what} as the mention at {side.place(first[keys[again]])[1]}"
        raise InputError(*side.place(again), f"{why}: type weights need one mention per key")
    return types


Cover: TypeAlias = Callable[[Sequence[Span], Sequence[Span]], Iterable[int]]
"""From spans and the spans of their partners to the number of covered units of each."""


def count_covered(
    recall: Cover, precision: Cover, linking: Linking, field: str, key: tuple[str, ...]
) -> Tally:
    """Sum the covered shares of the mentions on either side.

    Formula     R = Σ covered units of x / units of x, over gold mentions x, / number of gold mentions.
                P: swap sides. Partners of x are mentions of the other side in the same document that equal
                it in the rest of the key; max takes the one that covers most of x, sum their union. The first
                word is recall's.
    Units       mentions; 0..1. Every line counts.
    Edge cases  no mention on a side: 0/0. Without span in the key documents still do not mix.
    Cost        O(n log n) for n mentions of one document and key, nested or not.
    Source      neleval's overlap measures for LoReHLT 2016, by their definition.
    """
    rest = ("docid", *(name for name in key if name not in ("span", "docid")))
    gold, system = linking.gold.kept(field), linking.system.kept(field)
    golds, systems = _spans(gold, rest), _spans(system, rest)
    return Tally(
        _covered(golds, systems, recall), len(gold), _covered(systems, golds, precision), len(system)
    )


def _spans(side: Mentions, rest: tuple[str, ...]) -> dict[tuple[object, ...], list[Span]]:
    starts, lasts = side.column("start"), side.column("end")
    found: dict[tuple[object, ...], list[Span]] = {}
    for value, start, last in zip(side.keys(rest), starts, lasts, strict=True):
        found.setdefault(value, []).append((start, last + 1))
    return found


def _covered(
    mine: dict[tuple[object, ...], list[Span]], others: dict[tuple[object, ...], list[Span]], cover: Cover
) -> float:
    shares: list[float] = []
    for value, spans in mine.items():
        if value in others:
            partners = sorted(set(others[value]))
            units = cover(spans, partners)
            shares += [n / (end - start) for n, (start, end) in zip(units, spans, strict=True)]
    return math.fsum(shares)


def covered_by_any(spans: Sequence[Span], partners: Sequence[Span]) -> list[int]:
    """Return how many units of each span any of the sorted `partners` covers."""
    merged: list[list[int]] = []
    for start, end in partners:
        if merged and start <= merged[-1][1]:
            merged[-1][1] = max(merged[-1][1], end)
        else:
            merged.append([start, end])
    starts = [start for start, _ in merged]
    before = list(accumulate((end - start for start, end in merged), initial=0))

    def covered(limit: int) -> int:
        """Return the units below `limit` that are covered."""
        i = bisect_left(starts, limit)
        return before[i] - max(0, merged[i - 1][1] - limit) if i else 0

    return [covered(end) - covered(start) for start, end in spans]


def covered_by_best(spans: Sequence[Span], partners: Sequence[Span]) -> list[int]:
    """Return how many units of each span the best of the sorted `partners` covers."""
    # A partner that begins no later is judged by its end, one that ends no earlier by its start; the longest
    # of those inside is found in a tree of maxima by start, filled in the order of ends
    starts = [start for start, _ in partners]
    furthest = list(accumulate((end for _, end in partners), max))
    by_end = sorted(partners, key=lambda span: span[1])
    ends = [end for _, end in by_end]
    nearest = list(accumulate((start for start, _ in reversed(by_end)), min))[::-1]
    tree = [0] * (len(partners) + 1)
    covered = [0] * len(spans)
    done = 0
    for i in sorted(range(len(spans)), key=lambda i: spans[i][1]):
        start, end = spans[i]
        while done < len(by_end) and ends[done] <= end:
            _insert(tree, len(starts) - bisect_left(starts, by_end[done][0]), by_end[done])
            done += 1
        earlier = bisect_right(starts, start)
        best = min(furthest[earlier - 1], end) - start if earlier else 0
        later = bisect_left(ends, end)
        if later < len(ends):
            best = max(best, end - max(nearest[later], start))
        covered[i] = max(best, _longest(tree, len(starts) - bisect_left(starts, start)))
    return covered


def _insert(tree: list[int], rank: int, span: Span) -> None:
    length = span[1] - span[0]
    while rank < len(tree):
        tree[rank] = max(tree[rank], length)
        rank += rank & -rank


def _longest(tree: Sequence[int], rank: int) -> int:
    best = 0
    while rank:
        best = max(best, tree[rank])
        rank -= rank & -rank
    return best


def count_clusters(counted: Count, linking: Linking, field: str, key: tuple[str, ...]) -> Tally:
    """Count the clusters of keys with a metric of coreference.

    Formula     that of the metric of the same kind, on the contingency table of the keys.
    Units       those of the metric; 0..1.
    Edge cases  one key in two clusters is refused, or resolved by the rules. A mention without id is alone.
    Cost        O(mentions) and that of the metric.
    Source      that of the metric; over the whole corpus unless mentions are grouped.
    """
    return counted(linking.contingency(field, key))


def _of_metric(name: str) -> Aggregator:
    metric = METRICS[name]
    assert isinstance(metric, Metric)  # noqa: S101 - for the type checker: means are not counted
    return partial(count_clusters, metric.parts[ONLY])


CLUSTERING: Mapping[str, Aggregator] = {
    "muc": _of_metric("muc"),
    "b_cubed": _of_metric("b_cubed"),
    "entity_ceaf": _of_metric("ceaf_e"),
    "mention_ceaf": _of_metric("ceaf_m"),
    "pairwise": _of_metric("pairwise"),
    "pairwise_negative": partial(count_clusters, blanc.non_coreference),
    "lea": _of_metric("lea"),
}
"""The aggregators of clusters, whose counts of documents do not add up to those of the corpus."""
AGGREGATORS: Mapping[str, Aggregator] = {
    "sets": count_keys,
    "overlap-maxmax": partial(count_covered, covered_by_best, covered_by_best),
    "overlap-maxsum": partial(count_covered, covered_by_best, covered_by_any),
    "overlap-summax": partial(count_covered, covered_by_any, covered_by_best),
    "overlap-sumsum": partial(count_covered, covered_by_any, covered_by_any),
    **CLUSTERING,
}
"""Functions that count keys, by the name that measures use."""


class Measure(NamedTuple):
    """A measure of recall, precision and F1 over mentions."""

    name: str
    aggregator: str
    field: str  # the filter: mentions for which this field is true count; all if it is empty
    key: tuple[str, ...]  # the fields in which mentions are compared
    groups: tuple[str, ...] = ()
    """The groups of neleval that it is in. They are closed: a measure that neleval lacks is in none."""
    aliases: tuple[str, ...] = ()
    equals: str = ""  # the equivalent measure in other tools, or how it differs

    def tally(self, linking: Linking) -> Tally:
        """Return the counts on the mentions of both sides."""
        return AGGREGATORS[self.aggregator](linking, self.field, self.key)

    def metric(self) -> Metric:
        """Return the row that a report of tallies needs; it counts linking, not contingencies."""
        return Metric(self.name, self.name, {ONLY: self.tally}, self.equals)


_TAGGING, _COREF = ("all", "all-tagging"), ("all", "all-coref")

_ROWS = (
    Measure("strong_mention_match", "sets", "", ("span",), (*_TAGGING, "hachey", "tac14"),
            equals="mention detection; recognition in GERBIL (strong)"),
    Measure("strong_typed_mention_match", "sets", "", ("span", "type"), (*_TAGGING, "tac14"),
            equals="NER F1 of CoNLL-2002/2003 (conlleval); not GERBIL's typing, which weighs a hierarchy"),
    Measure("strong_linked_mention_match", "sets", "is_linked", ("span",), (*_TAGGING, "cornolti", "hachey"),
            equals="mentions of Cornolti et al. 2013"),
    Measure("strong_link_match", "sets", "is_linked", ("span", "kbid"),
            (*_TAGGING, "cornolti", "hachey", "tac09", "tac11", "tac14"),
            equals="A2KB in GERBIL (strong, micro); recall: KB accuracy of TAC 2009-2013"),
    Measure("strong_nil_match", "sets", "is_nil", ("span",), (*_TAGGING, "tac09", "tac11", "tac14"),
            equals="recall: NIL accuracy of TAC 2009-2013"),
    Measure("strong_all_match", "sets", "", ("span", "kbid"), (*_TAGGING, "tac09", "tac11", "tac14"),
            equals="recall: overall accuracy of TAC 2009-2013"),
    Measure("strong_typed_link_match", "sets", "is_linked", ("span", "type", "kbid"), _TAGGING),
    Measure("strong_typed_nil_match", "sets", "is_nil", ("span", "type"), _TAGGING),
    Measure("strong_typed_all_match", "sets", "", ("span", "type", "kbid"), (*_TAGGING, "tac14"),
            equals="official score of TAC 2014, with mention_ceaf"),
    Measure("entity_match", "sets", "is_linked", ("docid", "kbid"), (*_TAGGING, "cornolti", "hachey"),
            equals="C2KB in GERBIL (micro)"),
    Measure("muc", "muc", "", ("span",), (*_COREF, "luo"), equals="muc over the whole corpus"),
    Measure("b_cubed", "b_cubed", "", ("span",), (*_COREF, "luo", "tac11", "tac14"),
            aliases=("bcub", "b3"), equals="b_cubed over the whole corpus"),
    Measure("b_cubed_plus", "b_cubed", "", ("span", "kbid"), (*_COREF, "tac11", "tac14"),
            equals="B³+ of TAC 2011-2013"),
    Measure("entity_ceaf", "entity_ceaf", "", ("span",), (*_COREF, "luo", "tmp"),
            aliases=("ceaf_e", "ceafe"), equals="ceaf_e over the whole corpus"),
    Measure("mention_ceaf", "mention_ceaf", "", ("span",), (*_COREF, "luo", "tac14", "tmp"),
            aliases=("ceaf_m", "ceafm"),
            equals="ceaf_m over the whole corpus; official score of TAC 2014, with strong_typed_all_match"),
    Measure("mention_ceaf_plus", "mention_ceaf", "", ("span", "kbid"), _COREF),
    Measure("typed_mention_ceaf", "mention_ceaf", "", ("span", "type"), (*_COREF, "tac14"),
            equals="official clustering score of TAC 2015-2017"),
    Measure("typed_mention_ceaf_plus", "mention_ceaf", "", ("span", "type", "kbid"), _COREF,
            equals="with knowledge base ids, TAC 2015-2017"),
    Measure("pairwise", "pairwise", "", ("span",), (*_COREF, "tmp"), equals="pairwise over the whole corpus"),
)  # fmt: skip
MEASURES: Mapping[str, Measure] = {measure.name: measure for measure in _ROWS}
GROUPS: Mapping[str, tuple[str, ...]] = {
    group: tuple(measure.name for measure in _ROWS if group in measure.groups)
    for group in sorted({group for measure in _ROWS for group in measure.groups})
}
HEAD = ("ptp", "fp", "rtp", "fn", "precis", "recall", "fscore", "measure")
"""The columns of ``evaluate``: counts and scores, and the measure."""
DEFAULT = "all"  # what ``evaluate`` computes if nothing else is asked for: it prints what neleval prints
MICRO_SUFFIX = "-micro"  # an ending of measure names in old scripts of neleval: ignored, but kept in the name
_CUSTOM = 2  # Colons in the name of a measure that is spelled out: ``aggregator:filter:key+key``


def named(names: Iterable[str]) -> tuple[Measure, ...]:
    """Return the measures that `names` mean: measures, groups of them, or ``aggregator:filter:key+key``.

    The names of measures and groups are understood in any case, those of fields as they are written.

    >>> [measure.name for measure in named(["luo", "muc", "sets:is_nil:span+type"])]
    ['muc', 'b_cubed', 'entity_ceaf', 'mention_ceaf', 'sets:is_nil:span+type']
    """
    aliases = {alias: measure.name for measure in _ROWS for alias in measure.aliases}
    measures: dict[str, Measure] = {}
    for name in names:
        meant = name.casefold().removesuffix(MICRO_SUFFIX)
        if meant in GROUPS:
            measures |= {member: MEASURES[member] for member in GROUPS[meant]}
        elif name.count(":") == _CUSTOM:
            measures[name] = _spelled_out(name)
        elif aliases.get(meant, meant) in MEASURES:
            measure = MEASURES[aliases.get(meant, meant)]
            measure = measure._replace(name=name) if name.casefold().endswith(MICRO_SUFFIX) else measure
            measures[measure.name] = measure
        else:
            raise UsageError(unknown_name(name, "measure", [*MEASURES, *GROUPS]))
    return tuple(measures.values())


def single(name: str) -> Measure:
    """Return the single measure that `name` means; see `named`."""
    measure, *others = named([name])
    if others:
        raise UsageError(f"{quoted(name)} is a group of measures: name one of them")
    return measure


def _spelled_out(name: str) -> Measure:
    aggregator, field, key = name.split(":")
    if aggregator not in AGGREGATORS:
        raise UsageError(f"measure {quoted(name)}: {unknown_name(aggregator, 'aggregator', AGGREGATORS)}")
    fields = tuple(key.split("+"))
    for part in fields:
        if part in FIELDS and not FIELDS[part].comparable:
            raise UsageError(f"measure {quoted(name)}: mentions cannot be compared by {part}")
        if not part:
            raise UsageError(f"measure {quoted(name)}: the key after the last colon lacks a field")
    return Measure(name, aggregator, "" if field == "None" else field, fields)


def check_fields(names: Iterable[str], sides: Iterable[Mentions]) -> None:
    """Raise a UsageError for a field that is neither in the table nor in a JSON type of any mention."""
    unknown = [name for name in names if name and name not in FIELDS]
    if not unknown:
        return
    there = {name for side in sides for name in side.members()}
    for name in unknown:
        if name not in there:
            raise UsageError(unknown_name(name, "field", [*FIELDS, *sorted(there)]))
