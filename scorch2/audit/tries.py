"""Documents that were read once, counted under every setting of matching that they tell apart.

An option that nothing in the data looks at, such as zeros where there is none, keeps its first value. A
document is counted under all settings before the next one. What a step of matching makes of it is kept until
then, with the values of the options that the step has read: settings that agree in these share it. Mistakes,
which give other numbers than any setting does, stand at the end.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, product
from math import fsum
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.audit.printed import MATCHING, OF_MEANS, OF_PEERS, Reading, Refused, Request
from scorch2.formats.rows.conll import CLOSED_FIRST
from scorch2.formats.table import FIRST_END, row_of
from scorch2.model.document import Columns, Document, Found, OnDemand, Words, spans
from scorch2.model.errors import InputError, UsageError, without_frames
from scorch2.model.markables import Relations
from scorch2.model.options import Choices, Options
from scorch2.model.score import PARTS, Measured, Tally
from scorch2.scoring.flow import CountAll, Measure, Outcome, count_all, outcomes, score_pair, score_paths
from scorch2.scoring.matching.lookups import has_zeros
from scorch2.scoring.matching.matched import ComparedPair, ComparedSide
from scorch2.scoring.matching.phrases import without_nested
from scorch2.scoring.matching.preprocessing import layer_of
from scorch2.scoring.matching.steps import Function, Matcher, Step
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import to_count, to_report
from scorch2.scoring.metrics.metric import Count as CountOf
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.pairing.files import Item, Pair
from scorch2.scoring.report import Report


class Tried(NamedTuple):
    """The documents under one setting of matching."""

    options: Options
    names: tuple[str, ...]  # the metrics, and means, that are defined under it
    documents: Sequence[Measured]  # one object for equal counts of a document
    kind: int  # tells settings whose metrics are counted or reported otherwise


Counts: TypeAlias = Sequence["Measured | InputError | None"]
"""What is counted of a document under each setting of matching; nothing where another document failed."""
Count: TypeAlias = Callable[["Tries"], Iterable[Counts]]
"""A function that counts every document, in this process or in others."""


def in_this_process(tries: "Tries") -> Iterator[Counts]:
    """Yield the counts of every document."""
    return tries.counts(0, tries.total)


def reading_options(request: Request) -> Options:
    """Return the options with which documents are read: nothing that an option may leave out is."""
    free = {"average": "files", "missing": "empty", "extra": "skip", "duplicates": "first"}
    values = {name: value for name, value in free.items() if name not in request.held}
    options = request.with_values(values)
    if options is None:
        del values["average"]  # files are joined to documents
        options = request.with_values(values) or request.options
    return options._replace(metrics=("mentions",))


def pairs_read(
    request: Request, score: Callable[[Options, Measure], Report]
) -> tuple[Sequence[Pair], Report]:
    """Return the pairs of documents that `score` reads, and the report on them."""
    pairs: list[Pair] = []

    def measure(items: Iterable[Item], options: Options) -> Iterator[Outcome]:
        def kept() -> Iterator[Item]:
            for item in items:
                if isinstance(item, Pair):
                    pairs.append(item)
                yield item

        return outcomes(kept(), options)

    return pairs, score(reading_options(request), measure)


_READ: dict[tuple[tuple[str, str], str], "Tries"] = {}
"""What a worker process has read, by the paths and the request: its tasks are parts of one."""


def counts_of(paths: tuple[str, str], request: Request, first: int, last: int) -> list[Counts]:
    """Return the counts of some documents of two paths. Workers run this function."""
    key = paths, repr(request)
    if key not in _READ:
        _READ.clear()
        pairs, _ = pairs_read(request, lambda options, measure: score_paths(*paths, options, measure=measure))
        _READ[key] = Tries(pairs, request)
    return [*_READ[key].counts(first, last)]


class _Noted(Mapping[str, Any]):
    """Values of options that note which of them are read."""

    def __init__(self, options: Options) -> None:
        self._choices: Mapping[str, Any] = options.choices
        self.known = {**options.choices, "metrics": options.metrics}  # for looks that are not noted
        self.read: set[str] = set()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return self._choices[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._choices)

    def __len__(self) -> int:
        return len(self._choices)


class _Watched(Options):
    """Options that note which choices are read, and whether metrics are."""

    @property
    def metrics(self) -> tuple[str, ...]:
        noted = cast("_Noted", self.choices)
        noted.read.add("metrics")
        return cast("tuple[str, ...]", noted.known["metrics"])


class _Kept(Columns):
    """Columns of which everything is made once."""

    __slots__ = ("_columns", "_made")

    def __init__(self, columns: Columns) -> None:
        super().__init__(columns)
        self._columns = columns
        self._made: dict[Callable[[Columns], Any], Any] = {}

    def cells(self) -> list[list[str]]:
        return self._columns.cells()

    def made(self, make: Callable[[Columns], Found]) -> Found:
        if make not in self._made:
            self._made[make] = make(self._columns)
        return cast("Found", self._made[make])

    def tags(self) -> list[str]:
        return self._columns.tags()

    def are_surely(self, other: Words) -> bool:
        return self._columns.are_surely(other._columns if isinstance(other, _Kept) else other)  # noqa: SLF001 - same class


class _Made(NamedTuple):
    of: object  # kept, so that no other object gets its id
    read: Mapping[str, object]  # the options that were read, and their values
    result: Any
    error: InputError | None


class _Memory:
    """The results of functions for one document, by their arguments and the options that they read."""

    def __init__(self) -> None:
        self._made: dict[tuple[Hashable, int], list[_Made]] = {}
        self._begun: dict[tuple[int, int], ComparedPair] = {}
        self.same: dict[Hashable, Measured] = {}
        self._evidence: list[Any] = []
        self._tallies: dict[tuple[CountOf, int], Tally] = {}

    def begun(self, ident: str, gold: Document, system: Document) -> ComparedPair:
        """Return the value that the steps begin with: one object for a pair of documents."""
        pair = ComparedPair(ident, ComparedSide(gold, gold), ComparedSide(system, system))
        return self._begun.setdefault((id(gold), id(system)), pair)

    def call(self, key: Hashable, function: Function, of: Any, options: _Watched) -> Any:
        """Return what a function, which `key` tells from others, makes of an object under options."""
        every = self._made.setdefault((key, id(of)), [])
        noted = cast("_Noted", options.choices)
        made = next((one for one in every if one.read.items() <= noted.known.items()), None)
        if made is None:
            noted.read.clear()
            result, error = None, None
            try:
                result = function(of, options)
            except InputError as found:
                error = without_frames(found)
            read = {name: noted.known[name] for name in noted.read}
            made = _Made(of, read, next((one.result for one in every if one.result == result), result), error)
            every.append(made)
        if made.error is not None:
            raise made.error
        return made.result

    def tally(self, count: CountOf, evidence: Any) -> Tally:
        """Return what a metric counts: it reads nothing but its evidence, so equal ones are counted once."""
        place = next((place for place, one in enumerate(self._evidence) if one == evidence), None)
        if place is None:
            place = len(self._evidence)
            self._evidence.append(evidence)
        if (count, place) not in self._tallies:
            self._tallies[count, place] = count(evidence)
        return self._tallies[count, place]


class _Sharing(Matcher):
    """Steps that share what they make with other settings; `memory` is that of the document."""

    def __init__(self, options: _Watched) -> None:
        self.memory = _Memory()
        super().__init__(options)

    def _chosen(self, steps: Sequence[Step]) -> Sequence[Function]:
        return [partial(self._shared, step) for step in super()._chosen(steps)]

    def counting(self, metric: Metric) -> Metric:
        """Return a metric that counts equal evidence once."""

        def once(count: CountOf) -> CountOf:
            return lambda evidence: self.memory.tally(count, evidence)

        return metric._replace(parts={name: once(count) for name, count in metric.parts.items()})

    def _shared(self, step: Function, made: Any, options: Options) -> Any:
        return self.memory.call(step, step, made, cast("_Watched", options))

    def _after(self, steps: Sequence[Function], ident: str, gold: Document, system: Document) -> ComparedPair:
        pair = self.memory.begun(ident, gold, system)
        for step in steps:
            pair = step(pair, self._options)
        return pair


class _Way(NamedTuple):
    """A setting of matching, and what counts under it."""

    options: Options
    names: tuple[str, ...]
    counter: CountAll
    watched: _Watched
    kind: int

    def measured(self, pair: Pair, memory: _Memory) -> Measured:
        """Return the counts of a document; an InputError says why there are none."""
        matcher = cast("_Sharing", self.counter.matcher)
        matcher.memory = memory
        matched = matcher.matched(matcher.compared(pair.id, *matcher.annotated(pair.gold, pair.system)))

        def count(_: object, options: Options) -> Measured:
            found = score_pair(pair, self.counter, options).measured
            return memory.same.setdefault((self.kind, found), found)

        found: Measured = memory.call(("count", self.kind), count, matched, self.watched)
        return found


class Tries:
    """All settings of matching of a request, on pairs of documents."""

    def __init__(self, pairs: Sequence[Pair], request: Request) -> None:
        self._pairs = [_extracted(pair, request.options) for pair in pairs]
        self._request = request
        self._kinds: list[Any] = []
        self._every_way: Sequence[_Way] = ()
        self._names = [name for name in request.metrics if request.are_typed or self._has_evidence(name)]
        self.refused: Refused = dict(self._refused())
        """The values that the data do not allow, and why."""
        self.values: Mapping[str, Sequence[str]] = self._told_apart()
        """The values of each option that are tried."""
        self.left_out: dict[str, int] = {}
        """How many settings of matching cannot be counted, by the reason."""

    @property
    def total(self) -> int:
        """The number of documents."""
        return len(self._pairs)

    def counts(self, first: int, last: int) -> Iterator[Counts]:
        """Yield the counts of some documents under all settings."""
        ways, failed = self._ways(), set[int]()
        for pair in self._pairs[first:last]:
            memory, words, kept = _Memory(), pair.gold.words, pair
            if isinstance(words, Columns):  # they are read once, and kept while the document is counted
                kept = pair._replace(gold=pair.gold._replace(words=_Kept(words)))
            counts: list[Measured | InputError | None] = [None] * len(ways)
            for place, way in enumerate(ways):
                if place not in failed:
                    try:
                        counts[place] = way.measured(kept, memory)
                    except InputError as error:
                        counts[place] = without_frames(error)
                        failed.add(place)
            yield counts

    def counted(self, count: Count) -> Iterator[Tried]:
        """Yield the settings with their counts, which `count` finds out."""
        of_documents = [*count(self)]
        for place, way in enumerate(self._ways()):
            counts = [one[place] for one in of_documents]
            error = next((one for one in counts if isinstance(one, InputError)), None)
            if error is not None:
                self.left_out[error.why] = self.left_out.get(error.why, 0) + 1
            else:
                yield Tried(way.options, way.names, cast("Sequence[Measured]", counts), way.kind)

    def _ways(self) -> Sequence[_Way]:
        if not self._every_way:
            every = [dict(zip(MATCHING, key, strict=True)) for key in product(*self.values.values())]
            self._every_way = [self._way(values) for values in every if self._request.is_tried(values)]
        return self._every_way

    def _way(self, values: Mapping[str, str]) -> _Way:
        options = self._request.with_values(values) or self._request.options
        names = _defined(self._names, options)
        options = options._replace(metrics=names)
        metrics = to_count(names, options.choices)
        watched = _Watched(*options)._replace(choices=cast("Choices", _Noted(options)))
        sharing = _Sharing(watched)
        count = count_all([*map(sharing.counting, metrics)], options)
        looks = [look for look in count.looks if look.name in Measured._fields]  # the others are for messages
        count = count._replace(matcher=sharing, looks=looks)
        kind = (metrics, to_report(names, options.choices), looks, count.of_document is None)
        if kind not in self._kinds:
            self._kinds.append(kind)
        return _Way(options, names, count, watched, self._kinds.index(kind))

    def _refused(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the values that documents do not allow whatever the others are, of options that are free."""
        first = {name: self._request.values(name)[0] for name in MATCHING}
        if len(self._request.values("duplicates")) > 1:
            first["duplicates"] = "first"
        whole = (pair for pair in self._pairs if pair.gold.has_mentions and pair.system.has_mentions)
        pair = next(whole, None)
        for name in ("match", "zeros", "phrases"):
            for value in self._request.values(name)[1:]:
                tried = {**first, name: value}
                if pair is not None and self._request.with_values(tried) is not None:
                    try:
                        self._way(tried).measured(pair, _Memory())
                    except InputError as error:
                        yield (name, value), error.why

    def _told_apart(self) -> Mapping[str, Sequence[str]]:
        """Return the values of each option that may give other numbers than its first one."""
        values = {
            name: [one for one in self._request.values(name) if (name, one) not in self.refused]
            for name in MATCHING
        }
        documents = [side for pair in self._pairs for side in (pair.gold, pair.system) if side.has_mentions]
        for name, looks in _LOOKED_AT.items():
            may_coincide = name == "duplicates" and "mina" in values["match"]  # minimum spans may be equal
            if not (may_coincide or any(map(looks, documents))):
                values[name] = values[name][:1]
        may_differ = any(len(values[name]) > 1 for name in ("match", "zeros", "duplicates", *OF_PEERS))
        if not may_differ and not any(CLOSED_FIRST in note for one in documents for note in one.notes):
            values["lookup"] = values["lookup"][:1]
        return {name: found or self._request.values(name)[:1] for name, found in values.items()}

    def _has_evidence(self, name: str) -> bool:
        """Return whether a metric that sees more than clusters has something to look at."""
        sides = [side for pair in self._pairs for side in (pair.gold, pair.system) if side.has_mentions]
        if name == "zero_anaphora":
            return all(side.markables is not None for side in sides)
        return name != "mention_overlap" or all(side.has_spans for side in sides)


def _extracted(pair: Pair, options: Options) -> Pair:
    """Return the layer of a pair that is scored, with its markables found once for all settings."""

    def of(document: Document) -> Document:
        if options.layer != "identity":
            document = layer_of(document, options.layer)
        if document.markables is None:
            return document
        return document._replace(markables=OnDemand(dict, document.markables()))

    return pair._replace(gold=of(pair.gold), system=of(pair.system))


def _defined(names: Sequence[str], options: Options) -> tuple[str, ...]:
    """Return the metrics that are defined under some options."""
    kept = []
    for name in names:
        row = METRICS[name]
        try:
            to_count([name], options.choices)
        except UsageError:
            continue
        if options.lookup == "pairs" or not isinstance(row, Metric) or row.evidence or row.table != "none":
            kept.append(name)
    return tuple(kept)


def _has_pieces(document: Document) -> bool:
    every = document.markables() if document.markables is not None else {}
    return any(len(markable.pieces) > 1 for markable in chain.from_iterable(every.values()))


def _has_nested(document: Document) -> bool:
    if row_of(document.format).entities_by != FIRST_END:  # coval, which has the option, reads CoNLL columns
        return False
    every = document.clusters.values()
    return any(len(without_nested(spans(one), one, keep_single=False)) < len(one) for one in every)


def _has_sets(document: Document) -> bool:
    return bool((document.relations() if document.relations is not None else Relations()).sets)


def _has_repeats(document: Document) -> bool:
    mentions = list(chain.from_iterable(document.clusters.values()))
    return len(set(mentions)) < len(mentions)


_LOOKED_AT: Mapping[str, Callable[[Document], bool]] = {
    "zeros": has_zeros,
    "pieces": _has_pieces,
    "nested": _has_nested,
    "split_antecedents": _has_sets,
    "duplicates": _has_repeats,
}
"""What documents must have so that an option changes numbers."""


Values: TypeAlias = Mapping[Reading, float]
_SWAPPED = {"recall": "precision", "precision": "recall"}
_CONLL = ("muc", "b_cubed", "ceaf_e")


def _swapped(values: Values) -> Values:
    return {
        Reading(metric, _SWAPPED[part]): value for (metric, part), value in values.items() if part in _SWAPPED
    }


def _means_of(names: Sequence[str], part_of: Callable[[str], str] = str) -> Callable[[Values], Values]:
    """Return a function that puts means of some metrics in the place of the CoNLL average."""

    def means(values: Values) -> Values:
        of = {part: [values.get(Reading(name, part_of(part))) for name in names] for part in PARTS}
        return {
            Reading("conll", part): fsum(filter(None, several)) / len(names)
            for part, several in of.items()
            if None not in several
        }

    return means


OF_NUMBERS: Mapping[str, Callable[[Values], Values]] = {
    "recall and precision swapped, or gold and the system": _swapped,
    "the mean of MUC, B³ and CEAF_m": _means_of(("muc", "b_cubed", "ceaf_m")),
    "the mean of MUC, B³, CEAF_m and CEAF_e": _means_of(("muc", "b_cubed", "ceaf_m", "ceaf_e")),
    "the CoNLL average of F1s of mean recall and precision": _means_of(
        _CONLL, lambda part: OF_MEANS if part == "f1" else part
    ),
}
"""What may have been made of a row of scores."""
OF_SIDES = {"singletons dropped in gold alone": "gold", "singletons dropped in the system alone": "system"}
"""What may have been made of one side."""
NOT_LOOKED_FOR = "means over the folds of a cross-validation (score each fold), documents that were left out"


def without_singletons(pair: Pair, side: str) -> Pair:
    """Return a pair one side of which has no clusters of one mention."""
    document = pair.gold if side == "gold" else pair.system
    left = {name: members for name, members in document.clusters.items() if len(members) > 1}
    changed = document._replace(clusters=left)
    if document.markables is not None:
        every = document.markables()
        changed = changed._replace(
            markables=OnDemand(dict, {name: one for name, one in every.items() if name in left})
        )
    return pair._replace(gold=changed) if side == "gold" else pair._replace(system=changed)
