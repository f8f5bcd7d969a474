"""Systems whose mentions are spans of tokens or characters: e2e-coref and its heirs, fastcoref, PreCo.

A reader takes an object, its place, and the key that holds its clusters.
"""

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from scorch2.formats.json.values import (
    Clusters,
    Place,
    lists_of,
    name_of,
    of_tokens,
    outside,
    sentences_of,
    spans_of,
    total_length,
    words_of,
)
from scorch2.model.document import Document
from scorch2.model.errors import counted, quoted

_NAMES = ("doc_key", "doc_id", "document_id", "id", "name")
_PRECO_MENTION = [int, int, int]


def e2e(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read [first, last] token, or sub-token where a ``subtoken_map`` says to which words they belong."""
    if "subtoken_map" in value:
        from scorch2.formats.json import subtokens

        return subtokens.of_object(value, place, key)
    name = name_of(value, place, "doc_key", "doc_id")
    sentences = sentences_of(value["sentences"], place, "sentences")
    length = total_length(sentences)
    if "tokens" in value and len(words_of(value["tokens"], place, "tokens")) != length:
        found = counted(len(value["tokens"]), "word")
        why = f"holds {found}, but sentences hold {length}: a subtoken_map is missing"
        raise place.error("tokens", why)
    clusters = spans_of(value, place, key, length, last_is_inside=True)
    return of_tokens(name, sentences, clusters, place)


def without_words(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read [first, last] token of a text that is not there."""
    name = name_of(value, place, "doc_key", "doc_id")
    clusters = spans_of(value, place, key, None, last_is_inside=True)
    return Document(name, clusters, place.path, half_open=True)


def tokens(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read [first, last] token of ``tokens``, which are words or sentences of words."""
    name = name_of(value, place, *_NAMES)
    written = value["tokens"]
    flat = not (type(written) is list and written and type(written[0]) is list)
    sentences = [words_of(written, place, "tokens")] if flat else sentences_of(written, place, "tokens")
    clusters = spans_of(value, place, key, total_length(sentences), last_is_inside=True)
    return of_tokens(name, sentences, clusters, place, flat=flat)


def allennlp(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read [first, last] token of ``document``."""
    words = words_of(value["document"], place, "document")
    clusters = spans_of(value, place, key, len(words), last_is_inside=True)
    return of_tokens(name_of(value, place, *_NAMES), [words], clusters, place, flat=True)


def fastcoref(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read [first, after the last] character of ``text``, or word where the text is a list of words."""
    name = name_of(value, place, *_NAMES)
    text = value["text"]
    if type(text) is list:
        words = words_of(text, place, "text")
        clusters = spans_of(value, place, key, len(words), last_is_inside=False)
        document = of_tokens(name, [words], clusters, place, flat=True)
        return document._replace(written="fastcoref: mentions are [first, after the last] word")
    if type(text) is not str:
        raise place.error("text", "should be a string or a list of words")
    clusters = spans_of(value, place, key, len(text), last_is_inside=False)
    return Document(name, clusters, place.path, [len(text)], unit="character", text=text)


def preco(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read [sentence, first, after the last] token; sentences and tokens count from 0."""
    sentences = sentences_of(value["sentences"], place, "sentences")
    starts = [0, *accumulate(map(len, sentences))]
    clusters: Clusters = {}
    for i, written in enumerate(lists_of(value[key], place, key)):
        spans = clusters[str(i)] = []
        for j, mention in enumerate(written):
            inside = f"{key}[{i}][{j}]"
            if type(mention) is not list or list(map(type, mention)) != _PRECO_MENTION:
                raise place.error(inside, "a mention is a list of three integers: sentence, start, end")
            number, start, end = mention
            if not 0 <= number < len(sentences):
                why = f"there is no sentence {quoted(number)} of {len(sentences)} (the first is 0)"
                raise place.error(inside, why)
            if not 0 <= start < end <= len(sentences[number]):
                raise outside(mention, start, end, len(sentences[number]), place.error(inside, ""))
            spans.append((starts[number] + start, starts[number] + end))
    return of_tokens(name_of(value, place, *_NAMES), sentences, clusters, place)
