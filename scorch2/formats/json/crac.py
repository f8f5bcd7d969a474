"""The JSON of the CRAC 2026 task: tokens, of which those that begin with ``##`` are empty nodes, and spans.

Follows https://github.com/ondfa/text2text-coref (commit 56d67ec): a list of objects, spans from the first to
the last token, ``null`` for the clusters of a text that is given without.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from scorch2.formats.json import texts
from scorch2.formats.json.dialects import Source
from scorch2.model.document import Document

_NAMES = ("doc_id", "doc_key")
_SPANS, _TEXTS = "clusters_token_offsets", "clusters_text_mentions"


def of_crac(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [first, last] token; an empty node counts as one."""
    from scorch2.formats.marked.shared import Annotator, MarkedText

    tokens = texts.words_of(value["tokens"], place, "tokens")
    is_blind = value[key] is None
    clusters = {} if is_blind else texts.spans_of(value, place, key, len(tokens), last_is_inside=True)
    name = texts.name_of(value, place, *_NAMES)
    source = MarkedText(name, "", place.path, 1, f"{place.where}.tokens")
    found = Annotator(source, "crac", lambda _: place.where)
    for token in tokens:
        if token.startswith("##"):
            found.add_empty(token[2:])
        else:
            found.add_words([token])
    for cluster, members in clusters.items():
        for start, end in members:
            found.add_mention(cluster, start, end - 1, 0)
    return found.document()._replace(flat=True)


def write_file(documents: Sequence[Document]) -> str:
    """Return documents as a list of objects, one a line."""
    return "".join(["[\n", ",\n".join(map(_written, documents)), "\n]\n"])


def write(document: Document) -> str:
    """Return a document as a list of one object."""
    return write_file([document])


def _written(document: Document) -> str:
    from scorch2.formats.marked.plaintext import brackets, tokens_of

    tokens = tokens_of(document, "the JSON of CRAC")
    spans: dict[str, list[list[int]]] = {name: [] for name, members in document.clusters.items() if members}
    for cluster, first, last in brackets(document, "the JSON of CRAC"):
        spans[cluster].append([first, last])
    mentions = [[" ".join(tokens[first : last + 1]) for first, last in members] for members in spans.values()]
    is_blind = not spans
    value = {
        "doc_id": document.id,
        "tokens": tokens,
        _SPANS: None if is_blind else list(spans.values()),
        _TEXTS: None if is_blind else mentions,
    }
    return json.dumps(value, ensure_ascii=False)


def fitting(document: Document) -> Document:
    """Return a document with discontinuous mentions as the piece that holds their head."""
    from scorch2.formats.marked.plaintext import in_pieces

    return in_pieces(document)


SOURCES = (
    Source(
        "CRAC 2026",
        (("tokens",), (_TEXTS,)),
        (_SPANS,),
        of_crac,
        "mentions are [first, last] token",
        also=_NAMES,
        fits=texts.holds_one_text,
    ),
)
