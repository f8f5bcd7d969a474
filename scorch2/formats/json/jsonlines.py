"""The JSON of neural coreference systems and tools: one document per line, or a list of documents.

`SOURCES` is the table of what is read: the keys of an object tell which system wrote it. Lists are told by
their shape: see `stanza` and `bare`. Tokens and characters count from 0. A document without a name is called
by its number, from 1.
"""

from scorch2.formats.json.keyed import CLUSTERS, Source
from scorch2.model.document import Document, spans
from scorch2.model.errors import InputError, quoted


def write(document: Document) -> str:
    """Return a document with words as one line of doc_key, sentences and clusters of [first, last] tokens."""
    import json

    sentences = document.worded_sentences()
    if sentences is None:
        raise InputError(document.path, "", f"{quoted(document.id)} has no tokens, which jsonlines must hold")
    value = {
        "doc_key": document.id,
        "sentences": sentences,
        "clusters": [
            [[start, end - 1] for start, end in spans(members)] for members in document.clusters.values()
        ],
    }
    return json.dumps(value, ensure_ascii=False) + "\n"


_INSIDE = "mentions are [first, last] token"
_AFTER = "mentions are [first, after the last]"
_NAMED = ("doc_key", "doc_id")
SOURCES = (
    Source("e2e", (_NAMED, ("sentences",)), CLUSTERS, ("json.token_spans", "e2e"), _INSIDE),
    Source(
        "e2e without sentences", (_NAMED,), CLUSTERS, ("json.token_spans", "without_words"), _INSIDE,
        without=("sentences", "tokens", "text", "document"),
    ),
    Source(
        "wl-coref", (("document_id",), ("cased_words",)), ("span_clusters", "word_clusters"),
        ("json.wl_coref", "of_object"), f"{_AFTER} token", exclusive=True,
    ),
    Source(
        "LingMess", (("tokens",),), CLUSTERS, ("json.token_spans", "tokens"), _INSIDE, without=("sentences",)
    ),
    Source(
        "fastcoref", (("text",),), CLUSTERS, ("json.token_spans", "fastcoref"), f"{_AFTER} character",
        exclusive=True, without=("tokens",),
    ),
    Source("Maverick", (("tokens",),), ("clusters_token_offsets",), ("json.token_spans", "tokens"), _INSIDE),
    Source("AllenNLP", (("document",),), CLUSTERS, ("json.token_spans", "allennlp"), _INSIDE),
    Source(
        "PreCo", (("sentences",),), ("mention_clusters",), ("json.token_spans", "preco"),
        "mentions are [sentence, first, after the last] token", exclusive=True,
    ),
    Source(
        "spaCy", (("text",), ("tokens",), ("spans", "sents", "ents")), (), ("json.spacy", "of_object"),
        "mentions are the first character and the one after the last", exclusive=True,
    ),
    Source(
        "CoreNLP", (("sentences",),), ("corefs",), ("json.corenlp", "of_object"),
        "mentions are a sentence, the first token and the one after the last, from 1",
        exclusive=True, first=1,
    ),
)  # fmt: skip
"""One row per program, or family of programs, that writes JSON objects."""
