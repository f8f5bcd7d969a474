"""wl-coref: spans of words, or the heads of mentions alone."""

from collections.abc import Mapping
from itertools import groupby
from operator import itemgetter
from typing import Any

from scorch2.formats.json.mention_ids import json_kind, require_list
from scorch2.formats.json.values import (
    Clusters,
    Place,
    lists_of,
    name_of,
    of_tokens,
    outside,
    spans_of,
    words_of,
)
from scorch2.model.document import Document


def of_object(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read ``span_clusters``, [first, after the last] token, or ``word_clusters``, single tokens."""
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
    flat = "sent_id" not in value
    if key != "word_clusters":
        clusters = spans_of(value, place, key, len(words), last_is_inside=False)
        return of_tokens(name, sentences, clusters, place, flat=flat)
    found = of_tokens(name, sentences, _heads(value[key], place, key, len(words)), place, flat=flat)
    note = "mentions are single tokens (word_clusters): none can match a mention of several"
    return found._replace(written="wl-coref: mentions are single tokens", notes=[note])


def _heads(value: object, place: Place, key: str, length: int) -> Clusters:
    """Return the clusters of single tokens under `key` as spans."""
    clusters = {}
    for i, written in enumerate(lists_of(value, place, key)):
        for j, token in enumerate(written):
            if type(token) is not int:
                raise place.error(f"{key}[{i}][{j}]", f"a mention is an integer, not {json_kind(token)}")
            if not 0 <= token < length:
                raise outside(token, token, token + 1, length, place.error(f"{key}[{i}][{j}]", ""))
        clusters[str(i)] = [(token, token + 1) for token in written]
    return clusters
