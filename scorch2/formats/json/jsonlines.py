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

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from scorch2.formats.json.keyed import Place, Source
from scorch2.formats.json.mention_ids import json_kind, require_list
from scorch2.formats.json.values import (
    name_of,
    of_tokens,
    sentences_of,
    single_tokens_of,
    spans_of,
    total_length,
    words_of,
)
from scorch2.model.document import Document, spans
from scorch2.model.errors import InputError
from scorch2.model.messages import quoted


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
    name = name_of(value, place, "doc_key", "doc_id")
    sentences = sentences_of(value["sentences"], place, "sentences")
    key = "clusters"
    if "predicted_clusters" in value:
        if value["clusters"]:
            why = "stands beside clusters: which of them is meant? (leave one of them, called clusters)"
            raise place.error("predicted_clusters", why)
        key = "predicted_clusters"
    return of_tokens(
        name, sentences, spans_of(value, place, key, total_length(sentences), last_is_inside=True), place
    )


def _wl_coref(value: Mapping[str, Any], place: Place) -> Document:
    name = name_of(value, place, "document_id")
    part = value.get("part_id", "")
    if type(part) not in (int, str):
        raise place.error("part_id", f"should be an integer or a string, not {json_kind(part)}")
    name = f"{name}-{part:0>3}" if part != "" else name
    words = words_of(value["cased_words"], place, "cased_words")
    numbers = require_list(value.get("sent_id", []), place.path, f"{place.where}.sent_id", "sentence ids")
    if "sent_id" in value and (len(numbers) != len(words) or not set(map(type, numbers)) <= {int, str}):
        raise place.error("sent_id", "should be an integer or a string for each of cased_words")
    pairs = groupby(zip(numbers, words, strict=False), key=itemgetter(0))
    sentences = [[word for _, word in pair] for _, pair in pairs] if numbers else [words]
    if "span_clusters" in value:
        clusters = spans_of(value, place, "span_clusters", len(words), last_is_inside=False)
        return of_tokens(name, sentences, clusters, place, flat="sent_id" not in value)
    clusters = single_tokens_of(value, place, "word_clusters", len(words))
    document = of_tokens(name, sentences, clusters, place, flat="sent_id" not in value)
    note = "mentions are single tokens (word_clusters): none can match a mention of several"
    return document._replace(written="wl-coref: mentions are single tokens", notes=[note])


def _fastcoref(value: Mapping[str, Any], place: Place) -> Document:
    text = value["text"]
    if type(text) is not str:
        raise place.error("text", f"should be a string, not {json_kind(text)}")
    name = name_of(value, place, "doc_key", "doc_id", "id", "name")
    clusters = spans_of(value, place, "clusters", len(text), last_is_inside=False)
    return Document(name, clusters, place.path, [len(text)], unit="character")


def _maverick(value: Mapping[str, Any], place: Place) -> Document:
    name = name_of(value, place, "doc_key", "doc_id", "document_id", "id", "name")
    tokens = value["tokens"]
    flat = not (type(tokens) is list and tokens and type(tokens[0]) is list)
    sentences = [words_of(tokens, place, "tokens")] if flat else sentences_of(tokens, place, "tokens")
    clusters = spans_of(value, place, "clusters_token_offsets", total_length(sentences), last_is_inside=True)
    return of_tokens(name, sentences, clusters, place, flat=flat)


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
"""The programs that write it."""
