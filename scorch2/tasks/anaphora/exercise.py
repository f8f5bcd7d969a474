"""The four tasks of ARE: their metrics, one row each, and files or folders scored for one of them."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from scorch2.formats.fields import UNITS
from scorch2.formats.reading import documents, xml_format
from scorch2.formats.source import read_data, stem
from scorch2.formats.table import SYSTEM_KEYS, ClusterKeys
from scorch2.formats.xml.are import WRITTEN, Purpose, is_span, read_gold, read_system
from scorch2.model.document import Document, spans
from scorch2.model.errors import InputError, MarkupError, Notice, quoted, shown_path
from scorch2.model.options import Options
from scorch2.model.score import Measured, Rate, Tally, exact_sum, finish_rate
from scorch2.scoring.contingency import count_overlaps
from scorch2.scoring.flow import Scored, Watch, collect, score_each, unwatched
from scorch2.scoring.layout.tables import Listing
from scorch2.scoring.looks import remarks_on
from scorch2.scoring.matching.matched import one_cluster_each
from scorch2.scoring.matching.mention_kinds import of_one_kind, refuse_lists
from scorch2.scoring.matching.steps import match
from scorch2.scoring.metrics import METRICS, muc
from scorch2.scoring.metrics.chosen import metric_row, metrics_named
from scorch2.scoring.metrics.metric import ONLY, AnyMetric, Metric, MetricTable
from scorch2.scoring.pairing.files import Pair, Readers, origin_of
from scorch2.scoring.pairing.pairs import plan_pairs, read_pairs
from scorch2.scoring.remarks import Provenance
from scorch2.scoring.report import Report, report_of
from scorch2.tasks.anaphora.evidence import (
    REASONS,
    AlignedSides,
    Credits,
    align,
    answers_outside_gold,
    count_aligned,
    credits_by_id,
    credits_by_span,
)

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
    "success_rate", "Success rate", {ONLY: count_success}, _SOURCE, finish=finish_rate, gives=Rate
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
    scored = (credits_by_span if task.by_span else credits_by_id)(gold, system)
    measured = _measured(ident, len(scored.pronouns), scored.attempted, task.metric, scored)
    items = ((credit.pronoun, str(credit.value), credit.reason) for credit in scored.pronouns)
    reasons = Counter([credit.reason for credit in scored.pronouns])
    notices = [] if task.by_span else list(_outside(ident, gold, system))
    return Resolved(measured, gold.unit if task.by_span else "", items, reasons), notices


def _outside(ident: str, gold: Document, system: Document) -> Iterator[Notice]:
    lines = system.anaphora.lines if system.anaphora else {}
    for pronoun in answers_outside_gold(gold, system):
        why = f"the pair of {quoted(pronoun)} is not scored: gold does not ask for that pronoun"
        yield Notice("outside", ident, f"{shown_path(system.path)}:{lines[pronoun]}: {why}")


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


_CREDITS = ("pronoun", "credit", "reason")
TASKS: Mapping[int, Task] = {
    1: Task("pronouns by id: success rate", SUCCESS_RATE, _pronouns, needs_pairs=True, head=_CREDITS),
    2: Task("coreference by id: MUC", muc.METRIC, _by_id),
    3: Task("pronouns by span: overlap", OVERLAP, _pronouns, by_span=True, needs_pairs=True, head=_CREDITS),
    4: Task(
        "coreference by span: MUC over what overlaps",
        OVERLAP_MUC,
        _aligned,
        by_span=True,
        head=("gold", "system", "overlap"),
    ),
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


def _answered(path: str, gold: Sequence[Document]) -> Document | None:
    """Return the gold document that an XML file answers to: the only one, or that called like the file."""
    if len(gold) == 1:
        return gold[0]
    return next((document for document in gold if document.id == stem(path)), None)


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
            return [read_system(data, stem(path), path, self._wanted, _answered(path, gold))]
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
