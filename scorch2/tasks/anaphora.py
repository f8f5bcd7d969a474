"""The anaphora resolution exercise (ARE 2007): pronouns and chains, scored by its own rules.

    formats ─▶ pairing ─▶ anaphora ─▶ averages ─▶ report ─▶ reports
    Document   Pair       Resolved    Score       Report    str

First the evidence, credits of pronouns and mentions that are aligned by their overlap; then the metrics, the
table of the four tasks, and files or folders scored for one of them. All else is that of coreference.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from operator import attrgetter, truediv
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from scorch2.formats.fields import UNITS
from scorch2.formats.reading import documents, xml_format
from scorch2.formats.source import read_data, stem
from scorch2.formats.table import SYSTEM_KEYS, ClusterKeys
from scorch2.formats.xml.are import WRITTEN, Purpose, is_span, read_gold, read_system
from scorch2.model.document import Document, Mention, Span, spans
from scorch2.model.errors import InputError, MarkupError, Notice, quoted, shown_path
from scorch2.model.markables import Anaphora
from scorch2.model.options import Options
from scorch2.model.score import Measured, Rate, Tally, exact_sum, recall_of
from scorch2.scoring.contingency import Partition, count_overlaps
from scorch2.scoring.flow import Scored, Watch, collect, score_each, unwatched
from scorch2.scoring.layout.tables import Listing
from scorch2.scoring.looks import remarks_on
from scorch2.scoring.matching.mention_kinds import of_one_kind, refuse_lists
from scorch2.scoring.matching.steps import match, one_cluster_each
from scorch2.scoring.metrics import METRICS, muc
from scorch2.scoring.metrics.chosen import metric_row, metrics_named
from scorch2.scoring.metrics.metric import ONLY, AnyMetric, Metric, MetricTable
from scorch2.scoring.pairing.files import Pair, Readers, origin_of
from scorch2.scoring.pairing.pairs import plan_pairs, read_pairs
from scorch2.scoring.remarks import Provenance
from scorch2.scoring.report import Report, report_of

Ratio: TypeAlias = Callable[[int, int], float | Fraction]

_EXACT_FLOATS = 1 << 26  # up to this length different ratios are different floats


def longer(one: Span, other: Span) -> int:
    """Return the length of the longer span."""
    return max(one[1] - one[0], other[1] - other[0])


def ratio_up_to(longest: int) -> Ratio:
    """Return how to divide lengths up to `longest` so that ratios compare as the exact ones do."""
    return truediv if longest < _EXACT_FLOATS else Fraction


def longest_of(spans: Iterable[Span]) -> int:
    """Return the length of the longest span, 0 if there is none."""
    return max([end - start for start, end in spans], default=0)


def overlapping(left: Sequence[Span], right: Sequence[Span]) -> Iterator[tuple[int, int, int]]:
    """Yield each pair of spans with something in common, by their indices, and its length."""
    # `left` and `right` are sorted. One sweep over the starts of both: O(spans + pairs).
    sides = left, right
    at = [0, 0]
    reach: tuple[list[int], list[int]] = ([], [])  # the spans of each side that the sweep is still inside
    while at[0] < len(left) or at[1] < len(right):
        side = int(at[0] == len(left) or (at[1] < len(right) and right[at[1]] < left[at[0]]))
        other = 1 - side
        index = at[side]
        start, end = sides[side][index]
        reach[other][:] = [i for i in reach[other] if sides[other][i][1] > start]
        for i in reach[other]:
            shared = min(end, sides[other][i][1]) - start
            yield (i, index, shared) if side else (index, i, shared)
        reach[side].append(index)
        at[side] += 1


class Aligned(NamedTuple):
    """A gold and a system mention that stand for each other."""

    gold: Span
    system: Span
    shared: int
    longest: int

    @property
    def overlap(self) -> Fraction:
        """The overlap of the two, exact, above 0 and up to 1."""
        return Fraction(self.shared, self.longest)


class AlignedSides(NamedTuple):
    """The evidence of coreference over spans that need not be exact."""

    pairs: Sequence[Aligned]
    gold: Partition
    system: Partition


def align(gold: Collection[Span], system: Collection[Span]) -> list[Aligned]:
    """Return the alignment that takes the pair with the best overlap first, ties in the order of the text.

    Exact pairs come first in it, in any order.

    >>> align([(0, 10), (4, 10)], [(1, 10), (0, 3)])
    [Aligned(gold=(0, 10), system=(1, 10), shared=9, longest=10)]
    """
    exact = set(gold) & set(system)  # each of them is the best pair of both its ends
    left, right = sorted(set(gold) - exact), sorted(set(system) - exact)
    ratio = ratio_up_to(longest_of([*left, *right]))
    ranked = []
    for i, j, shared in overlapping(left, right):
        longest = longer(left[i], right[j])
        ranked.append((-ratio(shared, longest), i, j, shared, longest))
    ranked.sort()
    taken_left, taken_right = bytearray(len(left)), bytearray(len(right))
    pairs = [Aligned(span, span, 1, 1) for span in exact]
    for _, i, j, shared, longest in ranked:
        if not (taken_left[i] or taken_right[j]):
            taken_left[i] = taken_right[j] = True
            pairs.append(Aligned(left[i], right[j], shared, longest))
    return pairs


def count_aligned(alignment: AlignedSides) -> Tally:
    """MUC with links worth what their mentions overlap; the sums are exact.

    Formula     R = Σᵢⱼ cᵢⱼ / Σᵢ (|kᵢ| − 1), cᵢⱼ = w_max · (Σ w − w_max) over the mentions aligned between
                gold chain i and system chain j, w = overlap of a mention with its partner. P: swap sides.
    Units       links; 0..1. With exact spans this is MUC.
    Edge cases  no link on a side: 0/0, undefined.
    Cost        O(n log n + E log E), E = overlapping pairs that are not exact.
    Source      ARE 2007 task description; Vilain et al. 1995, MUC-6, pp. 45-52.
    """
    cells = defaultdict(list)
    for pair in alignment.pairs:
        chains = alignment.gold.owner[pair.gold], alignment.system.owner[pair.system]
        cells[chains].append((pair.shared, pair.longest))
    ratio = ratio_up_to(max([pair.longest for pair in alignment.pairs], default=0))
    worth: defaultdict[int, int] = defaultdict(int)
    for weights in cells.values():
        best = max(weights, key=lambda weight: ratio(*weight))
        weights.remove(best)
        for shared, longest in weights:
            worth[best[1] * longest] += best[0] * shared
    links = exact_sum(worth)
    golds, systems = (sum(side.sizes) - len(side.sizes) for side in (alignment.gold, alignment.system))
    return Tally(links, golds, links, systems)


MISSING, SELF, WRONG = "missing", "self", "wrong"
NOMINAL, VIA_PRONOUN = "nominal", "via-pronoun"
CYCLE, DEAD_END, BROKEN = "cycle", "dead-end", "broken"
REASONS = (NOMINAL, VIA_PRONOUN, CYCLE, DEAD_END, BROKEN, WRONG, SELF, MISSING)
_BEST = 2  # Gold mentions that are kept for an answer, so that one of them is not the pronoun that asks
_HALVED = (CYCLE, DEAD_END, BROKEN)


class Credit(NamedTuple):
    """The credit of one pronoun, and the reason for it.

    Formula     credit(p) = o, the overlap of the answer with the best mention of p's gold chain other than p;
                o/2 if that is a pronoun from which the system's own answers do not lead to a nominal mention
                of the chain; 0 without an answer, or with one outside the chain.
    Units       pronouns; 0..1 each.
    Cost        O(pronouns), and of spans O(n log n + overlapping pairs).
    Source      ARE 2007 task description; Mitkov 2001 (success rate), Byron 2001 (recall and precision).
    """

    pronoun: Mention
    numerator: int
    denominator: int
    reason: str

    @property
    def value(self) -> Fraction:
        """The credit, exact, in 0..1."""
        return Fraction(self.numerator, self.denominator)


class Credits(NamedTuple):
    """The evidence of pronoun resolution in one document."""

    pronouns: Sequence[Credit]  # the pronouns to resolve, in the order of the gold file
    attempted: int  # system pairs with an antecedent, of whatever pronoun


class _Match(NamedTuple):
    """The gold mention that an answer stands for, and how well."""

    member: Mention
    shared: int
    longest: int


class _Key(NamedTuple):
    """Chains and pronouns of gold."""

    chains: Sequence[Sequence[Mention]]
    chain_of: Mapping[Mention, int]
    pronominal: AbstractSet[Mention]
    to_resolve: Collection[Mention]


_Answers = Mapping[Mention, Mention | None]


def credits_of(gold: Document, system: Document, *, by_span: bool) -> Credits:
    """Return the credit of each pronoun, answers compared by id, or by what they share with a mention."""
    key, answers = _key(gold), (system.anaphora or Anaphora()).answers
    matches = dict(_overlapping(key, answers)) if by_span else {}
    matches |= {pronoun: _Match(answer, 1, 1) for pronoun, answer in _exact(key, answers)}
    outcomes: dict[Mention, str] = {}

    def credit(pronoun: Mention) -> Credit:
        answer, match = answers.get(pronoun), matches.get(pronoun)
        if answer is None or match is None:
            return Credit(pronoun, 0, 1, MISSING if answer is None else SELF if answer == pronoun else WRONG)
        if match.member not in key.pronominal:
            return Credit(pronoun, match.shared, match.longest, NOMINAL)
        reason = _end_of_answers(match.member, key, answers, matches, outcomes)
        return Credit(pronoun, match.shared, (2 if reason in _HALVED else 1) * match.longest, reason)

    return Credits([*map(credit, key.to_resolve)], sum(answer is not None for answer in answers.values()))


def _key(gold: Document) -> _Key:
    anaphora = gold.anaphora or Anaphora()
    chains = list(gold.clusters.values())
    chain_of = {mention: i for i, members in enumerate(chains) for mention in members}
    pronominal = anaphora.pronominal
    to_resolve: Collection[Mention] = anaphora.answers or [
        mention for members in chains if len(members) > 1 for mention in members if mention in pronominal
    ]
    return _Key(chains, chain_of, pronominal, to_resolve)


def _exact(key: _Key, answers: _Answers) -> Iterator[tuple[Mention, Mention]]:
    """Yield the pronouns of gold chains whose answer is another mention of the chain, with it."""
    for pronoun, answer in answers.items():
        chain = key.chain_of.get(answer)
        if chain is not None and answer != pronoun and chain == key.chain_of.get(pronoun):
            yield pronoun, answer


def _overlapping(key: _Key, answers: _Answers) -> Iterator[tuple[Mention, _Match]]:
    """Yield the pronouns of gold chains whose answer only overlaps with another mention of the chain."""
    asked: dict[int, dict[Mention, list[Mention]]] = {}
    for pronoun, answer in answers.items():
        chain = key.chain_of.get(pronoun)
        if chain is not None and answer not in (None, pronoun) and key.chain_of.get(answer) != chain:
            asked.setdefault(chain, {}).setdefault(answer, []).append(pronoun)
    for chain, pronouns_by_answer in asked.items():
        found = _best_two(spans(list(pronouns_by_answer)), spans(key.chains[chain]), key.pronominal)
        for answer, matches in found.items():
            for pronoun in pronouns_by_answer[answer]:
                best = next((match for match in matches if match.member != pronoun), None)
                if best:
                    yield pronoun, best


def _best_two(
    answers: Sequence[Span], members: Sequence[Span], pronominal: AbstractSet[Mention]
) -> dict[Span, list[_Match]]:
    """Return the two best gold mentions for each answer: one of them is not the pronoun that asks."""
    # Best is the largest overlap, then what is no pronoun, then what comes first in the text
    ratio = ratio_up_to(longest_of([*answers, *members]))
    left, right = sorted(answers), sorted(members)
    best: dict[Span, list[tuple[float | Fraction, bool, _Match]]] = {}
    for i, j, shared in overlapping(left, right):
        answer, member = left[i], right[j]
        longest = longer(answer, member)
        ranked = best.setdefault(answer, [])
        ranked.append((-ratio(shared, longest), member in pronominal, _Match(member, shared, longest)))
        if len(ranked) > _BEST:
            ranked.remove(max(ranked))
    return {answer: [match for _, _, match in sorted(ranked)] for answer, ranked in best.items()}


def _end_of_answers(
    pronoun: Mention,
    key: _Key,
    answers: _Answers,
    matches: Mapping[Mention, _Match],
    outcomes: dict[Mention, str],
) -> str:
    """Return where the answers from `pronoun` on lead; `outcomes` holds what is known, once per pronoun."""
    # A pronoun on the path counts as a cycle until its outcome is known: to reach it again is one
    path = []
    while pronoun not in outcomes:
        outcomes[pronoun] = CYCLE
        path.append(pronoun)
        match = matches.get(pronoun)
        if match is None:
            outcome = DEAD_END if answers.get(pronoun) is None else BROKEN
            break
        if match.member not in key.pronominal:
            outcome = VIA_PRONOUN
            break
        pronoun = match.member
    else:
        outcome = outcomes[pronoun]
    outcomes.update(dict.fromkeys(path, outcome))
    return outcome


_SOURCE = "Orăsan et al. 2008 (ARE 2007)"


def count_overlap(found: Credits) -> Tally:
    """Overlap: R = S / |T|, P = S / attempted; S = Σ credit(p) over all p in T, the pronouns to resolve."""
    # No pronoun to resolve, or none attempted, is 0/0, undefined
    earned = _earned(found)
    return Tally(earned, len(found.pronouns), earned, found.attempted)


def count_success(found: Credits) -> Tally:
    """Success rate: S / |T|, a recall; there is no precision (Mitkov 2001)."""
    return Tally(_earned(found), len(found.pronouns), 0, 0)


def _earned(found: Credits) -> float:
    numerators: defaultdict[int, int] = defaultdict(int)
    for credit in found.pronouns:
        numerators[credit.denominator] += credit.numerator
    return exact_sum(numerators)


SUCCESS_RATE = Metric(
    "success_rate", "Success rate", {ONLY: count_success}, _SOURCE, divide=recall_of, gives=Rate
)
OVERLAP = Metric("overlap", "Overlap", {ONLY: count_overlap}, _SOURCE)
OVERLAP_MUC = Metric("overlap_muc", "Overlap MUC", {ONLY: count_aligned}, _SOURCE)


class Resolved(NamedTuple):
    """One document after counting."""

    measured: Measured
    unit: str = ""  # the unit of spans, as in `Document.unit`; empty where ids are compared
    items: Iterable[tuple[Any, ...]] = ()
    reasons: Mapping[str, int] = MappingProxyType({})


Resolve: TypeAlias = Callable[[str, Document, Document, "Task"], tuple[Resolved, list[Notice]]]


class Task(NamedTuple):
    """One of the four tasks."""

    what: str
    metric: Metric
    resolve: Resolve
    by_span: bool = False
    needs_pairs: bool = False  # True if pronouns are resolved, which needs ARE XML
    head: tuple[str, ...] = ()


def _pronouns(ident: str, gold: Document, system: Document, task: Task) -> tuple[Resolved, list[Notice]]:
    scored = credits_of(gold, system, by_span=task.by_span)
    measured = _measured(ident, len(scored.pronouns), scored.attempted, task.metric, scored)
    items = ((credit.pronoun, str(credit.value), credit.reason) for credit in scored.pronouns)
    reasons = Counter([credit.reason for credit in scored.pronouns])
    notices = [] if task.by_span else list(_outside(ident, gold, system))
    return Resolved(measured, gold.unit if task.by_span else "", items, reasons), notices


def _outside(ident: str, gold: Document, system: Document) -> Iterator[Notice]:
    asked, given = set(_key(gold).to_resolve), system.anaphora or Anaphora()
    for pronoun in given.answers:
        if pronoun not in asked:
            why = f"the pair of {quoted(pronoun)} is not scored: gold does not ask for that pronoun"
            yield Notice("outside", ident, f"{shown_path(system.path)}:{given.lines[pronoun]}: {why}")


def _by_id(ident: str, gold: Document, system: Document, task: Task) -> tuple[Resolved, list[Notice]]:
    matched = match(ident, gold, system, Options())
    table = count_overlaps(matched.gold, matched.system)
    sizes = len(matched.gold.owner), len(matched.system.owner)
    return Resolved(_measured(ident, *sizes, task.metric, table)), list(matched.notices)


def _aligned(ident: str, gold: Document, system: Document, task: Task) -> tuple[Resolved, list[Notice]]:
    _refuse_other_units(gold, system)
    left, _ = one_cluster_each(ident, gold, "error")
    right, _ = one_cluster_each(ident, system, "error")
    pairs = align(spans(list(left.owner)), spans(list(right.owner)))
    alignment = AlignedSides(pairs, left, right)
    items = ((aligned.gold, aligned.system, str(aligned.overlap)) for aligned in sorted(alignment.pairs))
    measured = _measured(ident, len(left.owner), len(right.owner), task.metric, alignment)
    return Resolved(measured, gold.unit, items), []


def _refuse_other_units(gold: Document, system: Document) -> None:
    if gold.sentences is not None and system.sentences is not None:
        of_one_kind(gold, system)
    elif gold.unit and system.unit and gold.unit != system.unit:
        why = f"spans of {system.unit}s, in gold ({shown_path(gold.path)}) of {gold.unit}s"
        raise MarkupError(system.path, 0, "unit-mismatch", why)


def _measured(ident: str, gold: int, system: int, metric: Metric, evidence: Any) -> Measured:
    return Measured(ident, gold, system, (metric.tallies(evidence),))


_CREDITS, _PAIRS = ("pronoun", "credit", "reason"), ("gold", "system", "overlap")
TASKS: Mapping[int, Task] = {
    1: Task("pronouns by id: success rate", SUCCESS_RATE, _pronouns, needs_pairs=True, head=_CREDITS),
    2: Task("coreference by id: MUC", muc.METRIC, _by_id),
    3: Task("pronouns by span: overlap", OVERLAP, _pronouns, by_span=True, needs_pairs=True, head=_CREDITS),
    4: Task("coreference by span: MUC over what overlaps", OVERLAP_MUC, _aligned, by_span=True, head=_PAIRS),
}


def _one(name: str) -> AnyMetric:
    own = {task.metric.name: task.metric for task in TASKS.values() if task.metric.name not in METRICS}
    return own.get(name.casefold()) or metric_row(name)


def _several(names: Sequence[str]) -> Sequence[AnyMetric]:
    return [_one(names[0])] if len(names) == 1 else [METRICS[name] for name in metrics_named(names)]


METRIC_TABLE = MetricTable(_several, _one, frozenset({"task", "unit"}))


_XML = "are"


class Exercise(NamedTuple):
    """The task and its options."""

    task: int  # 1 to 4
    unit: str = ""  # ``token`` or ``char``: the unit of offsets where a file does not say it
    per_item: bool = False  # list every pronoun, or every pair of aligned mentions


def score_paths(
    gold: str, system: str, asked: Exercise, options: Options, watch: Watch = unwatched
) -> Report:
    """Score files or folders for one task of ARE, as `scoring.flow.score_paths` does."""
    # The report has one metric, and lists the reasons of credits and, if asked for, the items
    plan = plan_pairs(gold, system, options)
    reading = _TaskReaders(Purpose(asked.task, asked.unit))
    readers = Readers(reading.gold, reading.system)
    chosen = TASKS[asked.task]
    seen = Provenance()

    def score(pair: Pair) -> Scored:
        refuse_lists(pair.gold, pair.system)
        resolved, notices = chosen.resolve(pair.id, pair.gold, pair.system, chosen)
        kept = resolved._replace(items=tuple(resolved.items) if asked.per_item else ())
        is_equal = (pair.gold.clusters, pair.gold.anaphora) == (pair.system.clusters, pair.system.anaphora)
        seen.see(pair.id, origin_of(pair), is_equal)
        return Scored(kept.measured, [*remarks_on(pair, options), *notices], origin_of(pair), kept)

    found = watch(score_each(read_pairs(plan, options, readers), score, options), len(plan.stems))
    resolved, warnings = collect(found, plan.notices, attrgetter("details"))
    metrics, measured = [chosen.metric], [one.measured for one in resolved]
    mentions = sum(document.gold_mentions for document in measured)
    files = options.gold_files, options.sys_files
    warnings = [*seen.same((gold, system), files, mentions), *warnings]
    report = report_of(metrics, metrics, measured, options, warnings)
    units = "+".join(sorted({WRITTEN[one.unit] for one in resolved if one.unit}))
    facts: list[tuple[str, str | int]] = [("task", asked.task), *([("unit", units)] if units else [])]
    listings = _listings(resolved, chosen, asked)
    return report._replace(facts=facts, listings=listings, cluster_keys=seen.keys())


def _listings(resolved: Sequence[Resolved], task: Task, asked: Exercise) -> list[Listing]:
    listings = []
    if task.needs_pairs:
        counts = tuple(sum(document.reasons.get(reason, 0) for document in resolved) for reason in REASONS)
        listings.append(Listing("reasons", REASONS, [counts], is_detail=False))
    if asked.per_item and task.head:
        rows = [(document.measured.id, *item) for document in resolved for item in document.items]
        listings.append(Listing("items", ("document", *task.head), rows))
    return listings


def _refuse_unknown_ids(document: Document, gold: Sequence[Document]) -> None:
    """Refuse an id outside the list of mentions that gold has, as in XML."""
    listed = {mention for one in gold if one.anaphora for mention in one.anaphora.entities or ()}
    for members in document.clusters.values():
        for mention in members:
            if listed and isinstance(mention, str) and mention not in listed:
                why = f"{quoted(mention)} is not an entity of the gold file"
                raise MarkupError(document.path, 0, "unknown-id", why)


class _TaskReaders:
    """Reads the files of both sides for a task."""

    def __init__(self, wanted: Purpose) -> None:
        self._wanted = wanted

    def gold(self, path: str, form: str | None, keys: ClusterKeys) -> list[Document]:
        data = read_data(path)
        if self._is_xml(data, path, form):
            return [read_gold(data, stem(path), path, self._wanted)]
        return self._others(data, path, form, keys)

    def system(self, path: str, form: str | None, gold: Sequence[Document]) -> list[Document]:
        data = read_data(path)
        if self._is_xml(data, path, form):
            answered = next((one for one in gold if len(gold) == 1 or one.id == stem(path)), None)
            return [read_system(data, stem(path), path, self._wanted, answered)]
        found = self._others(data, path, form, SYSTEM_KEYS)
        if not TASKS[self._wanted.task].by_span:
            for document in found:
                _refuse_unknown_ids(document, gold)
        return found

    def _is_xml(self, data: bytes, path: str, form: str | None) -> bool:
        if form is not None:
            return form == _XML
        needs_pairs = TASKS[self._wanted.task].needs_pairs
        if needs_pairs or not data.strip():
            return True
        found = xml_format(data, path)
        return found is not None and found.name == _XML

    def _others(self, data: bytes, path: str, form: str | None, keys: ClusterKeys) -> list[Document]:
        task = TASKS[self._wanted.task]
        if task.needs_pairs:
            raise InputError(
                path, "", f"task {self._wanted.task} needs pairs of pronouns, which {form} does not have"
            )
        found = documents(data, path, form, keys)
        return [self._of_spans(document) for document in found] if task.by_span else found

    def _of_spans(self, document: Document) -> Document:
        mentions = [mention for members in document.clusters.values() for mention in members]
        for mention in mentions:
            if not is_span(mention):
                why = f"the mention {quoted(mention)} is not a half-open span, which task 4 compares"
                raise InputError(document.path, "", why)
        known = document.unit if document.has_spans else ""
        unit = UNITS.get(self._wanted.unit, "")
        if mentions and not (known or unit):
            raise MarkupError(
                document.path, 0, "unit-missing", "the file does not say what spans count (give --unit)"
            )
        if known and unit and known != unit:
            why = f"spans of {known}s, not of {unit}s as asked for"
            raise MarkupError(document.path, 0, "unit-mismatch", why)
        return document._replace(unit=known or unit)
