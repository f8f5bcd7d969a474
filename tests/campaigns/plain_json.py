"""The JSON readers again: clusters, graph, and the documents of neural systems. Used by plain_readers.py."""

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from plain_document import Plain, plain, require

NAMES = {
    "e2e": ("doc_key", "doc_id"),
    "wl-coref": ("document_id",),
    "fastcoref": ("doc_key", "doc_id", "id", "name"),
    "Maverick": ("doc_key", "doc_id", "document_id", "id", "name"),
}
"""The keys that can hold the name of a document, by the kind of system that wrote it."""
LARGEST = 2**53
"""Of the integers that can be mention ids."""


def read(text: str, stem: str) -> list[Plain]:
    """Return the documents of a JSON text, or of one that holds a document of a neural system a line."""
    first, _, others = text.lstrip().partition("\n")
    if others.strip() and _is_neural(_loads_or_none(first)):
        lines = [line for line in text.split("\n") if line.strip()]
        return [_neural(_loads(line), str(number)) for number, line in enumerate(lines, 1)]
    value = _loads(text)
    if isinstance(value, list) and value and all(isinstance(v, dict) and "type" not in v for v in value):
        return [_neural(item, str(number)) for number, item in enumerate(value, 1)]
    return [_neural(value, stem) if _is_neural(value) else _typed(value, stem)]


def _loads(text: str) -> Any:
    value = json.loads(text, object_pairs_hook=_unique, parse_constant=lambda _: require(condition=False))
    json.dumps(value, ensure_ascii=False).encode()  # a ValueError for half a surrogate pair
    return value


def _loads_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(len({key for key, _ in pairs}) == len(pairs))
    return dict(pairs)


def _typed(value: Any, stem: str) -> Plain:
    require(isinstance(value, dict))
    name = value.get("name", stem)
    require(isinstance(name, str))
    if value.get("type") == "clusters":
        require(isinstance(value.get("clusters"), dict))
        return plain({key: _mentions(members) for key, members in value["clusters"].items()}, name)
    require(value.get("type") == "graph")
    groups = [{mention} for mention in dict.fromkeys(_mentions(value.get("mentions")))]
    for link in _list(value.get("links")):
        ends = _mentions(link)
        require(len(ends) == 2 and all(any(end in group for group in groups) for end in ends))
        joined = [group for group in groups if group & set(ends)]
        groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return plain({str(i): list(group) for i, group in enumerate(groups)}, name)


def _list(value: object) -> list[Any]:
    require(isinstance(value, list))
    return value if isinstance(value, list) else []


def _mentions(values: object) -> list[object]:
    return [_mention(value) for value in _list(values)]


def _mention(value: object) -> object:
    if isinstance(value, list):
        require(all(type(part) is int for part in value))
        require(all(abs(part) <= LARGEST for part in value))
        return tuple(value)
    require(type(value) is str or (type(value) is int and abs(value) <= LARGEST))
    return value


def _is_neural(value: Any) -> bool:
    return isinstance(value, dict) and "type" not in value and bool(_kinds(value))


def _kinds(value: Mapping[str, Any]) -> list[str]:
    """Return the kinds of neural systems that write such keys."""
    has = value.keys()
    kinds = {
        "e2e": ({"doc_key", "doc_id"} & has) and {"sentences", "clusters"} <= has,
        "wl-coref": {"document_id", "cased_words"} <= has and ({"span_clusters", "word_clusters"} & has),
        "fastcoref": {"text", "clusters"} <= has,
        "Maverick": {"tokens", "clusters_token_offsets"} <= has,
    }
    return [kind for kind, holds in kinds.items() if holds]


def _neural(value: Any, number: str) -> Plain:
    require(isinstance(value, dict) and "type" not in value and len(_kinds(value)) == 1)
    kind = _kinds(value)[0]
    name = next((value[key] for key in NAMES[kind] if key in value), number)
    require(isinstance(name, str))
    if kind == "e2e":
        require("predicted_clusters" not in value or not value["clusters"])
        clusters = value.get("predicted_clusters", value["clusters"])
        return _spans(clusters, name, _sentences(value["sentences"]), end=1)
    if kind == "Maverick":
        tokens = _list(value["tokens"])
        nested = tokens and isinstance(tokens[0], list)
        return _spans(
            value["clusters_token_offsets"], name, _sentences(tokens if nested else [tokens]), end=1
        )
    if kind == "fastcoref":
        require(isinstance(value["text"], str))
        return _spans(value["clusters"], name, [len(value["text"])], end=0)
    return _wl_coref(value, name)


def _wl_coref(value: Any, name: str) -> Plain:
    part = value.get("part_id", "")
    require(type(part) in (int, str))
    name = f"{name}-{str(part).rjust(3, '0')}" if str(part) else name
    sentences = _sentences([value["cased_words"]])
    if "sent_id" in value:
        numbers = _list(value["sent_id"])
        require(len(numbers) == sum(sentences) and all(type(number) in (int, str) for number in numbers))
        sentences = [len(list(group)) for _, group in groupby(numbers)]
    if "span_clusters" in value:
        return _spans(value["span_clusters"], name, sentences, end=0)
    clusters = [[[head, head] for head in _list(cluster)] for cluster in _list(value["word_clusters"])]
    return _spans(clusters, name, sentences, end=1)


def _sentences(value: Any) -> list[int]:
    """Return the numbers of words in sentences that have any."""
    for sentence in _list(value):
        require(all(isinstance(word, str) for word in _list(sentence)))
    return [len(sentence) for sentence in value if sentence]


def _spans(clusters: Any, name: str, sentences: list[int], *, end: int) -> Plain:
    """Return a document of spans, `end` units short of half-open."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, cluster in enumerate(_list(clusters)):
        found[str(number)] = []
        for span in _list(cluster):
            require([type(place) for place in _list(span)] == [int, int])
            require(0 <= span[0] < span[1] + end <= sum(sentences))
            found[str(number)].append((span[0], span[1] + end))
    return plain(found, name, sentences)
