"""Clusters JSON: ``{"type": "clusters", "clusters": {"<cluster>": [<mention id>, ...], ...}}``.

A ``"name"`` is optional. ``"offsets"`` and ``"unit"`` say what lists of two integers mean, see `offsets`.
With spans in ``"mentions"`` it holds linking too, see `mention_table`, and with ``"sentences"`` the text, see
`texts`. Other keys are ignored.
"""

from itertools import chain
from typing import Any

from scorch2.formats.json.strict import are_plain, as_mentions, first_no_mention, require_list
from scorch2.model.document import Document, are_strings
from scorch2.model.errors import InputError, json_place


def document(value: dict[str, Any], name: str, path: str) -> Document:
    """Return the document that a parsed object holds; repeats and empty clusters are kept."""
    read = _plain(value, name, path)
    if "mentions" in value:
        from scorch2.formats.json import mention_table

        read = mention_table.document(value, read) if mention_table.is_there(value) else read
    if "sentences" in value or "tokens" in value or "text" in value:
        from scorch2.formats.json.texts import with_text

        read = with_text(value, read)
    return read


def _plain(value: dict[str, Any], name: str, path: str) -> Document:
    if "clusters" not in value:
        raise InputError(path, "$", 'the key "clusters" is missing')
    written = value["clusters"]
    if type(written) is not dict:
        from scorch2.formats.json.refusals import no_map

        raise no_map(written, path)
    if not set(map(type, written.values())) <= {list}:
        cluster = next(cluster for cluster, members in written.items() if type(members) is not list)
        require_list(written[cluster], path, json_place("$.clusters", cluster), "mentions")
    every = list(chain.from_iterable(written.values()))
    if are_strings(every) or are_plain(set(map(type, every)), every):
        return Document(name, written, path, format="clusters")
    clusters = {}
    for cluster, members in written.items():
        mentions = as_mentions(members)
        if mentions is None:
            raise first_no_mention(members, path, json_place("$.clusters", cluster))
        clusters[cluster] = mentions
    read = Document(name, clusters, path, format="clusters")
    if "offsets" not in value:
        return read
    from scorch2.formats.json.texts import as_spans, offsets_of

    said, places = offsets_of(value, path), {name: json_place("$.clusters", name) for name in clusters}
    spans = {name: as_spans(own, said, path, places[name]) for name, own in clusters.items()}
    if set(map(type, every)) != {list}:  # nothing compares them, and they stay as they are
        return read
    return read._replace(clusters=spans, unit=said.unit, half_open=True, exclusive=said.exclusive)


def fitting(document: Document) -> Document:
    """Return the document as it is: clusters of names can hold all mentions."""
    return document


def write(document: Document) -> str:
    """Return `document` as one line of clusters JSON; token spans become ids such as ``0.3-4``."""
    # The text is in it, if the document has it, and all mentions are spans of it.
    import json

    value: dict[str, Any] = {"type": "clusters", "name": document.id}
    if document.annotations:
        from scorch2.formats.json import mention_table

        value |= mention_table.written(document)
    elif document.flat and document.words is not None and not document.has_discontinuous:
        value |= {"offsets": "exclusive", "unit": "token", "clusters": document.clusters}
    else:
        from scorch2.formats.json.texts import written_offsets
        from scorch2.model.names import named_clusters

        value |= {**written_offsets(document), "clusters": named_clusters(document)}
    if (document.words is not None and not document.has_discontinuous) or document.text is not None:
        from scorch2.formats.json.texts import written_text

        value |= written_text(document)
    return json.dumps(value, ensure_ascii=False) + "\n"
