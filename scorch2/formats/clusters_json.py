"""Clusters JSON: ``{"type": "clusters", "clusters": {"<cluster>": [<mention id>, ...], ...}}``.

A ``"name"`` is optional; other keys are ignored.
"""

from itertools import chain
from typing import Any

from scorch2.document import Document, span_names, spans
from scorch2.errors import InputError, step
from scorch2.formats.mention_ids import PLAIN, as_mentions, first_no_mention, json_kind, require_list


def document(value: dict[str, Any], name: str, path: str) -> Document:
    """Return the document that a parsed object holds; repeats and empty clusters are kept."""
    if "clusters" not in value:
        raise InputError(path, "$", 'the key "clusters" is missing')
    written = value["clusters"]
    if type(written) is not dict:
        why = f"should be an object from cluster names to lists of mentions, not {json_kind(written)}"
        raise InputError(path, "$.clusters", why)
    if not set(map(type, written.values())) <= {list}:
        for cluster, members in written.items():
            require_list(members, path, step("$.clusters", cluster), "mentions")
    if set(map(type, chain.from_iterable(written.values()))) <= PLAIN:
        return Document(name, written, path, format="clusters")
    clusters = {}
    for cluster, members in written.items():
        mentions = as_mentions(members)
        if mentions is None:
            raise first_no_mention(members, path, step("$.clusters", cluster))
        clusters[cluster] = mentions
    return Document(name, clusters, path, format="clusters")


def write(document: Document) -> str:
    """Return `document` as one line of clusters JSON; token spans become ids such as ``0.3-4``."""
    import json

    clusters: dict[str, list[Any]] = {name: list(members) for name, members in document.clusters.items()}
    if document.sentences is not None and document.unit == "token":
        names = span_names(document)
        clusters = {name: [names[span] for span in spans(members)] for name, members in clusters.items()}
    value = {"type": "clusters", "name": document.id, "clusters": clusters}
    return json.dumps(value, ensure_ascii=False) + "\n"
