"""spaCy's ``Doc.to_json()``: clusters are the span groups ``coref_clusters_1``, ``coref_clusters_2`` ...

A group holds objects with ``start`` and ``end``: the first character and the one after the last.
"""

from collections.abc import Mapping
from typing import Any

from scorch2.formats.json.mention_ids import json_kind, require_list
from scorch2.formats.json.values import Clusters, Place, name_of, outside
from scorch2.model.document import Document
from scorch2.model.errors import json_place

_GROUPS = "coref_clusters_"


def of_object(value: Mapping[str, Any], place: Place, _: str) -> Document:
    """Read the groups of clusters under ``spans``, which a document without any group lacks."""
    text, groups = value["text"], value.get("spans", {})
    if type(text) is not str:
        raise place.error("text", f"should be a string, not {json_kind(text)}")
    if type(groups) is not dict:
        raise place.error("spans", f"should be an object of lists of spans, not {json_kind(groups)}")
    clusters: Clusters = {}
    for name, written in groups.items():
        if name.startswith(_GROUPS):
            inside = json_place("spans", name)
            members = require_list(written, place.path, f"{place.where}.{inside}", "spans")
            clusters[name] = [
                _span(span, len(text), place, f"{inside}[{i}]") for i, span in enumerate(members)
            ]
    name = name_of(value, place, "doc_key", "doc_id", "id", "name")
    return Document(name, clusters, place.path, [len(text)], unit="character", text=text)


def _span(written: object, length: int, place: Place, inside: str) -> tuple[int, int]:
    ends: list[Any] = [written.get("start"), written.get("end")] if type(written) is dict else []
    if list(map(type, ends)) != [int, int]:
        raise place.error(inside, "a mention is an object with the integers start and end")
    start, end = ends
    if not 0 <= start < end <= length:
        raise outside(ends, start, end, length, place.error(inside, ""))
    return start, end
