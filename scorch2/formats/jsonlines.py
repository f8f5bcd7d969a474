"""The JSON of neural coreference systems: one document a line, or a list of them, told apart by their keys.

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
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from scorch2.document import Document, spans
from scorch2.errors import InputError, quoted
from scorch2.formats.mention_ids import json_kind, require_list


class Place(NamedTuple):
    """Where a document was found."""

    path: str
    where: str
    """``line 3: $``, ``$[2]`` or ``$``."""
    name: str
    """What to call it if it has no name."""

    def error(self, key: str, why: str) -> InputError:
        """Return what is wrong with the value of `key`."""
        return InputError(self.path, f"{self.where}.{key}", why)


class Source(NamedTuple):
    """A family of systems that write alike."""

    label: str
    keys: tuple[tuple[str, ...], ...]
    """What tells it: one key of each group."""
    read: Callable[[Mapping[str, Any], Place], Document]
    offsets: str
    """How it writes a mention, for people."""


def source_of(value: object, place: Place) -> Source | None:
    """Return the source whose keys an object has, or None; those of two sources are refused."""
    if type(value) is not dict:
        return None
    found = [source for source in SOURCES if all(any(key in value for key in group) for group in source.keys)]
    if len(found) > 1:
        labels = " and of ".join(source.label for source in found)
        raise InputError(place.path, place.where, f"the object has the keys of {labels}: which is meant?")
    return found[0] if found else None


def document(value: object, place: Place) -> Document:
    """Return the document that an object of one of the sources holds."""
    source = source_of(value, place)
    if source is None or type(value) is not dict:
        why = "has not all keys of a document of one of: " + ", ".join(source.label for source in SOURCES)
        raise InputError(place.path, place.where, f"{json_kind(value)} {why}")
    return source.read(value, place)._replace(written=f"{source.label}: {source.offsets}")


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
    return _tokens(
        name, sentences, _spans(value, place, "clusters", _length(sentences), last_is_inside=True), place
    )


def _wl_coref(value: Mapping[str, Any], place: Place) -> Document:
    name = _name(value, place, "document_id")
    part = value.get("part_id")
    if type(part) in (int, str):
        name = f"{name}-{part:0>3}"
    words = _words(value["cased_words"], place, "cased_words")
    numbers = value.get("sent_id")
    if type(numbers) is list and len(numbers) == len(words):
        pairs = groupby(zip(numbers, words, strict=True), key=lambda pair: repr(pair[0]))
        sentences = [[word for _, word in pair] for _, pair in pairs]
    else:
        sentences = [words]
    if "span_clusters" in value:
        clusters = _spans(value, place, "span_clusters", len(words), last_is_inside=False)
    else:
        heads = _lists(value["word_clusters"], place, "word_clusters")
        whole = {"word_clusters": [[[head, head] for head in cluster] for cluster in heads]}
        clusters = _spans(whole, place, "word_clusters", len(words), last_is_inside=True)
    return _tokens(name, sentences, clusters, place)


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
    if type(tokens) is list and tokens and type(tokens[0]) is list:
        sentences = _sentences(tokens, place, "tokens")
    else:
        sentences = [_words(tokens, place, "tokens")]
    clusters = _spans(value, place, "clusters_token_offsets", _length(sentences), last_is_inside=True)
    return _tokens(name, sentences, clusters, place)


def _tokens(
    name: str, sentences: Sequence[Sequence[str]], clusters: dict[str, list[tuple[int, int]]], place: Place
) -> Document:
    words = [word for sentence in sentences for word in sentence]
    lengths = [len(sentence) for sentence in sentences if sentence]
    return Document(name, clusters, place.path, lengths, "jsonlines", words=partial(list, words))


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
            if not 0 <= start < end <= length:
                why = f"the mention {span} does not lie inside the {length} units of the text"
                raise place.error(f"{key}[{i}][{j}]", why)
            spans.append((start, end))
        clusters[str(i)] = spans
    return clusters


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
