"""Names, words and labels of mentions: readable ids of spans, texts for messages, what they stand for."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.model.document import Discontinuous, Document, Label, Mention, Span, spans
from scorch2.model.errors import InputError, UsageError, quoted, unknown_name

if TYPE_CHECKING:
    from scorch2.model.markables import Annotation


_LEAST = "\0"  # a code point that is before all others, and that no file holds
_NUMBER = re.compile(r"[0-9]+")


def in_order(mentions: Collection[Mention]) -> list[Mention]:
    """Return mentions in the order of their text, whatever the order of the file.

    >>> in_order(["m10", "m2", "m02", "a"]), in_order([(4, 5), (0, 9), (0, 2)])
    (['a', 'm02', 'm2', 'm10'], [(0, 2), (0, 9), (4, 5)])
    """
    anything: list[Any] = list(mentions)
    if set(map(type, anything)) == {str}:
        return sorted(anything, key=_order_key)
    try:
        if Discontinuous in map(type, anything):  # a span may go from the same word to the same word
            return sorted(
                anything, key=lambda one: (*one, one.name if isinstance(one, Discontinuous) else "")
            )
        return sorted(anything)
    except TypeError:  # they cannot be compared
        return sorted(anything, key=repr)


def _order_key(text: str) -> str:
    """Return a string whose code points are in the order of `text`, and that ends with it, for ties."""
    # One string takes a third of the time to compare, and a fifth of the memory, of a list of pieces
    return f"{_NUMBER.sub(_comparable, text)}{_LEAST}{_LEAST}{text}"


def _comparable(number: "re.Match[str]") -> str:
    """Return a number before all letters and by its value: without zeros in front, a longer one is larger."""
    digits = number[0].lstrip("0")
    return f"{_LEAST}{chr(len(digits) + 1)}{digits}"


def span_names(document: Document) -> dict[Span, str]:
    """Return the readable id of every token span: ``<sentence>.<first>-<last>``, all counted from 0.

    A span over a sentence break is ``<sentence>.<first>-<sentence>.<last>``.

    >>> span_names(Document("d", {"a": [(0, 1), (4, 6), (1, 5)]}, sentences=[4, 3]))
    {(0, 1): '0.0-0', (4, 6): '1.0-1', (1, 5): '0.1-1.0'}
    """
    starts = [0, *accumulate(document.sentences or ())]
    names: dict[Span, str] = {}
    for span in chain.from_iterable(map(spans, document.clusters.values())):
        start, end = span
        if isinstance(span, Discontinuous):
            names[span] = span.name
            continue
        first = bisect_right(starts, start) - 1
        begin = starts[first]
        if end <= starts[first + 1]:
            names[span] = f"{first}.{start - begin}-{end - 1 - begin}"
        else:
            last = bisect_left(starts, end) - 1
            names[span] = f"{first}.{start - begin}-{last}.{end - 1 - starts[last]}"
    return names


def named_clusters(document: Document) -> dict[str, list[Mention]]:
    """Return the clusters with token spans replaced by their names, as the converter writes them."""
    if not document.has_tokens:
        return {cluster: list(members) for cluster, members in document.clusters.items()}
    names = span_names(document)
    return {
        cluster: [names[span] for span in spans(members)] for cluster, members in document.clusters.items()
    }


NIL = "NIL"  # the prefix of ids outside the knowledge base


def annotations(document: Document) -> "Sequence[Annotation] | None":
    """Return the mentions of a document for entity linking, or None if their places are unknown.

    Without annotations, clusters of spans count as entities outside the knowledge base: cluster ``c`` of
    document ``d`` is ``NILc:d``.

    >>> annotations(Document("d", {"c": [(4, 6)]}, sentences=[9]))
    [Annotation(start=4, end=6, candidates=(Candidate(id='NILc:d', score=None, type=None),), line=0)]
    """
    if document.annotations or not document.has_mentions:
        return document.annotations
    if not document.has_spans:
        return None
    from scorch2.model.markables import Annotation, Candidate

    labels = labels_of(document)
    unsorted = [
        Annotation(start, end, (Candidate(nil_id(cluster, document.id), None, label or None),))
        for cluster, members in document.clusters.items()
        for (start, end), label in zip(spans(members), labels[cluster], strict=True)
    ]
    return sorted(unsorted, key=lambda mention: (mention.start, -mention.end))


def labels_of(document: Document) -> Mapping[str, Sequence[Label]]:
    """Return what a document says its mentions stand for, each in its place in its cluster."""
    known = document.categories() if document.categories is not None else {}
    return {name: known.get(name) or [None] * len(members) for name, members in document.clusters.items()}


def labels_of_annotations(
    clusters: Mapping[str, Sequence[Mention]], annotations: "Sequence[Annotation]"
) -> Mapping[str, Sequence[Label]]:
    """Return the label of each mention: the type of its best candidate, of several the one of its cluster."""
    labels: dict[object, Label] = {}
    for annotation in annotations:
        span = annotation.start, annotation.end
        labels.setdefault(span, annotation.top.type)
        labels.setdefault((span, annotation.top.id), annotation.top.type)
    return {
        name: [labels.get((span, name), labels.get(span)) for span in members]
        for name, members in clusters.items()
    }


def category_of(label: Label) -> str:
    """Return the category in a label; empty if it says none.

    >>> category_of("PER"), category_of({"type": "PER", "prop": "PROP"}), category_of(None)
    ('PER', 'PER', '')
    """
    said = label.get("type") if isinstance(label, Mapping) else label
    return said if isinstance(said, str) else ""


def categories_of(document: Document) -> Mapping[str, Sequence[str]]:
    """Return the category of each mention in its place in its cluster, empty if it has none."""
    return {name: list(map(category_of, labels)) for name, labels in labels_of(document).items()}


def main_categories(document: Document) -> Mapping[str, str]:
    """Return the category of each cluster: that of most of its mentions, the first by name of several.

    >>> from scorch2.model.document import OnDemand
    >>> main_categories(Document("d", {"a": [1, 2, 3]}, categories=OnDemand(dict, {"a": ["PER", "", "LOC"]})))
    {'a': 'LOC'}
    """
    return {name: most_common(own) for name, own in categories_of(document).items()}


def most_common(categories: Iterable[str]) -> str:
    """Return the category that most have, the first by name of several; empty if none has one."""
    numbers = Counter(filter(None, categories))
    return min(numbers, key=lambda name: (-numbers[name], name), default="")


def nil_id(cluster: str, document: str) -> str:
    """Return the id of a cluster outside the knowledge base: its name, if that begins with `NIL`."""
    return cluster if cluster.startswith(NIL) else f"{NIL}{cluster}:{document}"


_WORDS_SHOWN = 40  # characters of the words that a message shows


def mention_names(document: Document) -> Callable[[Mention], str]:
    """Return a function that says which mention of a document is meant, for messages.

    It takes spans of tokens and their names; others are shown as their file writes them. It looks the text
    up.

    >>> from scorch2.model.document import Words
    >>> document = Document("d", {"a": [(1, 3)]}, sentences=[3], words=Words(list, ["on", "his", "hat"]))
    >>> mention_names(document)((1, 3)), mention_names(Document("d", {"a": ["m7"]}))("m7")
    ('"0.1-2" ("his hat")', '"m7"')
    """
    names: dict[Mention, str] = dict(span_names(document).items()) if document.has_tokens else {}
    spans_by_name: dict[Mention, Mention] = {name: span for span, name in names.items()}
    text = _text_of(document)

    def name(mention: Mention) -> str:
        span = spans_by_name.get(mention, mention)
        if not document.has_spans or not isinstance(span, tuple):
            return quoted(mention)
        shown = quoted(names.get(span) or _as_written(span, document))
        if text is None:
            return shown
        return f"{shown} ({quoted(text(spans([span])[0]), _WORDS_SHOWN)})"

    return name


def _as_written(span: tuple[int, ...], document: Document) -> tuple[int, ...] | str:
    *starts, end = span
    written = *(start + document.first for start in starts), end + document.first - (not document.exclusive)
    if document.unit_name:
        return "..".join(dict.fromkeys(f"{document.unit_name}{number}" for number in written))
    return written


def _text_of(document: Document) -> Callable[[Span], str] | None:
    """Return the function from a span to its words or characters, as their text has them."""
    if document.has_tokens and document.words is not None:
        try:
            words = document.words()
        except InputError:  # columns that do not say where the word is
            return None
        without = glued(document, words)
        return lambda span: joined(words, span, " ", without)
    text = document.text if document.has_spans and document.unit == "character" else None
    return None if text is None else lambda span: text[slice(*span)]


# Thai, Lao, Tibetan, Burmese, Khmer, Chinese and Japanese, with their punctuation; takes long to compile
_UNSPACED = "[\u0e00-\u109f\u1780-\u17ff\u3000-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff]"


def glued(document: Document, words: Sequence[str]) -> frozenset[int]:
    """Return the words before which no blank stands: as CoNLL-U says, else by the script of most words."""
    found, at = set(), 0
    for row in chain.from_iterable(tree.rows for tree in (document.trees() if document.trees else ())):
        first, _, last = row.id.partition("-")
        if "." not in row.id and "SpaceAfter=No" in row.misc.split("|"):
            found.add(at + (int(last) - int(first) if last else 0) + 1)
        at += first == row.id and "." not in row.id
    if found or "".join(words).isascii():
        return frozenset(found)
    unspaced = re.compile(_UNSPACED)
    if 2 * sum(map(bool, map(unspaced.match, words))) > len(words):
        meeting = [left[-1:] + right[:1] for left, right in pairwise(words)]
        found.update(place for place, signs in enumerate(meeting, 1) if unspaced.search(signs))
    return frozenset(found)


def joined(words: Sequence[str], span: Span, between: str, without: Collection[int]) -> str:
    """Return the words of a span with spaces between, but before those that are `without` one."""
    if not without:
        return between.join(words[slice(*span)])
    start, end = span
    rest = ("" if at in without else between for at in range(start + 1, end))
    return "".join(chain.from_iterable(zip(chain([""], rest), words[start:end], strict=False)))


class Counting(NamedTuple):
    """A way in which the numbers of a span count."""

    exclusive: bool  # whether the end is what follows the span, not its last unit
    first: int  # the number of the first unit of the text


COUNTINGS: Mapping[str, Counting] = {
    "inclusive": Counting(exclusive=False, first=0),
    "exclusive": Counting(exclusive=True, first=0),
    "inclusive-from-1": Counting(exclusive=False, first=1),
    "exclusive-from-1": Counting(exclusive=True, first=1),
}
"""The values of the options."""


def counting_of(document: Document) -> Counting:
    """Return how the spans of a document count in its file, as the reader took them."""
    return Counting(document.exclusive, document.first)


def check_offsets(value: object) -> None:
    """Raise a UsageError unless `value` is one of `COUNTINGS`."""
    if value not in list(COUNTINGS):
        raise UsageError(unknown_name(value, "way to count offsets", COUNTINGS))
