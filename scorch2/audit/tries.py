"""Documents that were read once, counted under every setting of matching that they tell apart.

An option that nothing in the data looks at, such as zeros where there is none, keeps its first value.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, product
from typing import NamedTuple

from scorch2.audit.settings import MATCHING, OF_PEERS, Refused, Request
from scorch2.formats.rows.conll import CLOSED_FIRST
from scorch2.formats.table import FIRST_END, row_of
from scorch2.model.document import Document, OnDemand, spans
from scorch2.model.errors import InputError, UsageError
from scorch2.model.markables import Relations
from scorch2.model.options import Options
from scorch2.model.score import Measured
from scorch2.scoring.flow import count_all, measure_pair
from scorch2.scoring.matching.phrases import without_nested
from scorch2.scoring.matching.preprocessing import layer_of
from scorch2.scoring.matching.unequal.pairs import has_zeros
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import to_count
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.pairing.files import Pair


class Tried(NamedTuple):
    """The documents under one setting of matching."""

    options: Options
    names: tuple[str, ...]  # the metrics, and means, that are defined under it
    documents: Sequence[Measured]


class Tries:
    """All settings of matching of a request, on pairs of documents."""

    def __init__(self, pairs: Sequence[Pair], request: Request) -> None:
        self._pairs = [_extracted(pair, request.options) for pair in pairs]
        self._request = request
        self._names = [name for name in request.metrics if request.are_typed or self._has_evidence(name)]
        self.refused: Refused = dict(self._refused())
        """The values that the data do not allow, and why."""
        self.values: Mapping[str, Sequence[str]] = self._told_apart()
        """The values of each option that are tried."""
        self._known: dict[tuple[str, ...], Tried] = {}  # with the first of several rules for repeats
        self.left_out: dict[str, int] = {}
        """How many settings of matching cannot be counted, by the reason."""

    def __iter__(self) -> Iterator[Tried]:
        for key in product(*self.values.values()):
            values = dict(zip(MATCHING, key, strict=True))
            if self._request.is_tried(values):
                try:
                    tried = self._alike(values) or self.tried(values)
                    if values["duplicates"] == self.values["duplicates"][0] != self.values["duplicates"][-1]:
                        self._known[key] = tried
                    yield tried
                except InputError as error:
                    self.left_out[error.why] = self.left_out.get(error.why, 0) + 1

    def __len__(self) -> int:
        return sum(
            self._request.is_tried(dict(zip(MATCHING, key, strict=True)))
            for key in product(*self.values.values())
        )

    def _alike(self, values: Mapping[str, str]) -> Tried | None:
        """Return what another rule for repeats counted, where it cannot differ; None if it may."""
        # None is needed where mentions are looked up, or where the strictest has nothing to refuse
        first = self.values["duplicates"][0]
        if values["duplicates"] == first or (values["lookup"] == "pairs" and first != "error"):
            return None
        known = self._known.get(tuple({**values, "duplicates": first}.values()))
        options = self._request.with_values(values)
        return known and options and known._replace(options=options._replace(metrics=known.names))

    def tried(self, values: Mapping[str, str], pairs: Sequence[Pair] | None = None) -> Tried:
        """Return the counts of all documents, or of some `pairs`; an InputError says why there are none."""
        options = self._request.with_values(values) or self._request.options
        names = _defined(self._names, options)
        options = options._replace(metrics=names)
        count = count_all(to_count(names, options.choices), options)
        documents = [
            measure_pair(pair, count, options)[0] for pair in (self._pairs if pairs is None else pairs)
        ]
        return Tried(options, names, documents)

    def _refused(self) -> Iterator[tuple[tuple[str, str], str]]:
        """Yield the values that documents do not allow whatever the others are, of options that are free."""
        first = {name: self._request.values(name)[0] for name in MATCHING}
        if len(self._request.values("duplicates")) > 1:
            first["duplicates"] = "first"
        whole = [pair for pair in self._pairs if pair.gold.has_mentions and pair.system.has_mentions][:1]
        for name in ("match", "zeros", "phrases"):
            for value in self._request.values(name)[1:]:
                tried = {**first, name: value}
                if self._request.with_values(tried) is not None:
                    try:
                        self.tried(tried, whole)
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
