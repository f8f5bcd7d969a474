"""The JSON of neural coreference systems: one document per line, or a list of documents.

The keys of an object tell which system wrote it:

==================  ==========================================  =============================================
source              keys                                        a mention is
==================  ==========================================  =============================================
e2e, SpanBERT, s2e  doc_key or doc_id, sentences, clusters      [first, last] token of the document
wl-coref            document_id, cased_words, span_clusters     [first, after the last] token
                    or word_clusters                            a token
fastcoref           text, clusters                              [first, after the last] character
Maverick, CRAC      tokens, clusters_token_offsets              [first, last] token
==================  ==========================================  =============================================

Tokens and characters count from 0. An object is read only if it has all keys of exactly one source. A
document without a name is called by its number, from 1.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from scorch2.formats.json.mention_ids import json_kind, require_list
from scorch2.model.document import Document, Words, spans
from scorch2.model.errors import InputError
from scorch2.model.messages import quoted


class Place(NamedTuple):
    """The place of a document, for messages."""

    path: str
    where: str
    """``line 3: $``, ``$[2]`` or ``$``."""
    name: str
    """The name of a document that does not say its own."""

    def error(self, key: str, why: str) -> InputError:
        """Return an error about the value of `key`."""
        return InputError(self.path, f"{self.where}.{key}", why)


class Source(NamedTuple):
    """Systems that write the same keys."""

    label: str
    keys: tuple[tuple[str, ...], ...]
    """Keys that identify the source: at least one of each group."""
    read: Callable[[Mapping[str, Any], Place], Document]
    offsets: str
    """A note on how it writes a mention."""


def source_of(value: object, place: Place) -> Source | None:
    """Return the source whose keys an object has, or None; those of two sources are refused."""
    if type(value) is not dict:
        return None
    found = [source for source in SOURCES if all(any(key in value for key in group) for group in source.keys)]
    if len(found) > 1:
        labels = " and of ".join(source.label for source in found)
        raise InputError(place.path, place.where, f"the object has keys of {labels}; remove one set")
    return found[0] if found else None


def shortfall(value: Mapping[str, Any]) -> str:
    """Return what an object lacks to be a document of a source whose keys it has in part, in words."""
    for source in SOURCES:
        groups = [group for group in source.keys if not any(key in value for key in group)]
        if any(key in value for group in source.keys for key in group if key != "clusters"):
            return f"for jsonlines of {source.label} it lacks {' and '.join(map(' or '.join, groups))}"
    return ""


def document(value: object, place: Place) -> Document:
    """Return the document that an object of one of the sources holds."""
    source = source_of(value, place)
    if source is None or type(value) is not dict:
        why = "has not all keys of a document of one of: " + ", ".join(source.label for source in SOURCES)
        raise InputError(place.path, place.where, f"{json_kind(value)} {why}")
    found = source.read(value, place)
    return found if found.written else found._replace(written=f"{source.label}: {source.offsets}")


def write(document: Document) -> str:
    """Return a document with words as one line of doc_key, sentences and clusters of [first, last] tokens."""
    import json

    if document.words is None or document.sentences is None:
        raise InputError(document.path, "", f"{quoted(document.id)} has no tokens, which jsonlines must hold")
    words = iter(document.words())
    value = {
        "doc_key": document.id,
        "sentences": [[next(words) for _ in range(length)] for length in document.sentences],
        "clusters": [
            [[start, end - 1] for start, end in spans(members)] for members in document.clusters.values()
        ],
    }
    return json.dumps(value, ensure_ascii=False) + "\n"


def _e2e(value: Mapping[str, Any], place: Place) -> Document:
    name = _name(value, place, "doc_key", "doc_id")
    sentences = _sentences(value["sentences"], place, "sentences")
    key = "clusters"
    if "predicted_clusters" in value:
        if value["clusters"]:
            why = "stands beside clusters: which of them is meant? (leave one of them, called clusters)"
            raise place.error("predicted_clusters", why)
        key = "predicted_clusters"
    return _tokens(name, sentences, _spans(value, place, key, _length(sentences), last_is_inside=True), place)


def _wl_coref(value: Mapping[str, Any], place: Place) -> Document:
    name = _name(value, place, "document_id")
    part = value.get("part_id", "")
    if type(part) not in (int, str):
        raise place.error("part_id", f"should be an integer or a string, not {json_kind(part)}")
    name = f"{name}-{part:0>3}" if part != "" else name
    words = _words(value["cased_words"], place, "cased_words")
    numbers = require_list(value.get("sent_id", []), place.path, f"{place.where}.sent_id", "sentence ids")
    if "sent_id" in value and (len(numbers) != len(words) or not set(map(type, numbers)) <= {int, str}):
        raise place.error("sent_id", "should be an integer or a string for each of cased_words")
    pairs = groupby(zip(numbers, words, strict=False), key=itemgetter(0))
    sentences = [[word for _, word in pair] for _, pair in pairs] if numbers else [words]
    if "span_clusters" in value:
        clusters = _spans(value, place, "span_clusters", len(words), last_is_inside=False)
        return _tokens(name, sentences, clusters, place, flat="sent_id" not in value)
    clusters = _heads(value, place, "word_clusters", len(words))
    document = _tokens(name, sentences, clusters, place, flat="sent_id" not in value)
    note = "mentions are single tokens (word_clusters): none can match a mention of several"
    return document._replace(written="wl-coref: mentions are single tokens", notes=[note])


def _fastcoref(value: Mapping[str, Any], place: Place) -> Document:
    text = value["text"]
    if type(text) is not str:
        raise place.error("text", f"should be a string, not {json_kind(text)}")
    name = _name(value, place, "doc_key", "doc_id", "id", "name")
    clusters = _spans(value, place, "clusters", len(text), last_is_inside=False)
    return Document(name, clusters, place.path, [len(text)], "jsonlines", unit="character")


def _maverick(value: Mapping[str, Any], place: Place) -> Document:
    name = _name(value, place, "doc_key", "doc_id", "document_id", "id", "name")
    tokens = value["tokens"]
    flat = not (type(tokens) is list and tokens and type(tokens[0]) is list)
    sentences = [_words(tokens, place, "tokens")] if flat else _sentences(tokens, place, "tokens")
    clusters = _spans(value, place, "clusters_token_offsets", _length(sentences), last_is_inside=True)
    return _tokens(name, sentences, clusters, place, flat=flat)


def _tokens(
    name: str,
    sentences: Sequence[Sequence[str]],
    clusters: dict[str, list[tuple[int, int]]],
    place: Place,
    *,
    flat: bool = False,
) -> Document:
    words = [word for sentence in sentences for word in sentence]
    lengths = [len(sentence) for sentence in sentences if sentence]
    return Document(
        name, clusters, place.path, lengths, "jsonlines", words=Words(list, tuple(words)), flat=flat
    )


def _length(sentences: Sequence[Sequence[str]]) -> int:
    return sum(map(len, sentences))


def _name(value: Mapping[str, Any], place: Place, *keys: str) -> str:
    for key in keys:
        if key in value:
            if type(value[key]) is not str:
                raise place.error(key, f"should be a string, not {json_kind(value[key])}")
            return str(value[key])
    return place.name


def _sentences(value: object, place: Place, key: str) -> list[list[str]]:
    return [
        _words(words, place, f"{key}[{i}]")
        for i, words in enumerate(require_list(value, place.path, f"{place.where}.{key}", "sentences"))
    ]


def _words(value: object, place: Place, key: str) -> list[str]:
    words = require_list(value, place.path, f"{place.where}.{key}", "words")
    if set(map(type, words)) <= {str}:
        return words
    bad = next(i for i, word in enumerate(words) if type(word) is not str)
    raise place.error(f"{key}[{bad}]", f"a word is a string, not {json_kind(words[bad])}")


def _lists(value: object, place: Place, key: str) -> list[list[Any]]:
    where = f"{place.where}.{key}"
    clusters = require_list(value, place.path, where, "clusters")
    return [require_list(one, place.path, f"{where}[{i}]", "mentions") for i, one in enumerate(clusters)]


def _spans(
    value: Mapping[str, Any], place: Place, key: str, length: int, *, last_is_inside: bool
) -> dict[str, list[tuple[int, int]]]:
    """Return the clusters under `key` as half-open spans inside a text of `length` units."""
    clusters = {}
    for i, written in enumerate(_lists(value[key], place, key)):
        spans = []
        for j, span in enumerate(written):
            if type(span) is not list or list(map(type, span)) != [int, int]:
                raise place.error(f"{key}[{i}][{j}]", "a mention is a list of two integers")
            start, end = span[0], span[1] + last_is_inside
            _require_inside(span, start, end, length, place, f"{key}[{i}][{j}]")
            spans.append((start, end))
        clusters[str(i)] = spans
    return clusters


def _heads(value: Mapping[str, Any], place: Place, key: str, length: int) -> dict[str, list[tuple[int, int]]]:
    """Return the clusters of single tokens under `key` as spans."""
    clusters = {}
    for i, written in enumerate(_lists(value[key], place, key)):
        for j, token in enumerate(written):
            if type(token) is not int:
                raise place.error(f"{key}[{i}][{j}]", f"a mention is an integer, not {json_kind(token)}")
            _require_inside(token, token, token + 1, length, place, f"{key}[{i}][{j}]")
        clusters[str(i)] = [(token, token + 1) for token in written]
    return clusters


def _require_inside(  # noqa: PLR0913, PLR0917 - the mention, the text and the place
    written: object, start: int, end: int, length: int, place: Place, key: str
) -> None:
    if start >= end:
        raise place.error(key, f"the mention {written} ends before it starts")
    if not 0 <= start < end <= length:
        raise place.error(key, f"the mention {written} does not lie inside the text, which ends at {length}")


_INSIDE = "mentions are [first, last] token"
_AFTER = "mentions are [first, after the last]"
SOURCES = (
    Source("e2e", (("doc_key", "doc_id"), ("sentences",), ("clusters",)), _e2e, _INSIDE),
    Source(
        "wl-coref",
        (("document_id",), ("cased_words",), ("span_clusters", "word_clusters")),
        _wl_coref,
        f"{_AFTER} token",
    ),
    Source("fastcoref", (("text",), ("clusters",)), _fastcoref, f"{_AFTER} character"),
    Source("Maverick", (("tokens",), ("clusters_token_offsets",)), _maverick, _INSIDE),
)
