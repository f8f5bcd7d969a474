"""The JSON readers again: clusters, graph, and the documents of neural systems. Used by plain_readers.py."""

import json
from collections.abc import Sequence
from typing import Any

import plain_crossdoc
import plain_lists
import plain_neural
import plain_texts
from plain_document import Plain, RefusedError, listed, plain, require

LARGEST = 2**53
"""Of the integers that can be mention ids."""


def read(text: str, stem: str, keys: Sequence[str] = ()) -> list[Plain]:
    """Return the documents of a JSON text, or of one that holds several documents of neural systems."""
    first, _, others = text.lstrip().partition("\n")
    lines = [line for line in text.split("\n") if line.strip()]
    if others.strip() and (_is_neural(_loads_or_none(first)) or _begin_with_nothing(lines)):
        return _each([value for line in lines for value in _of_line(line)], keys)
    if others.strip() and _is_map(_loads_or_none(first)):
        values = [value for line in lines for value in _of_line(line)]
        require(len(values) == 2)
        return plain_neural.s2e(*values)
    return _of_values(_glued(text), text, stem, keys)


def _of_values(together: list[Any], text: str, stem: str, keys: Sequence[str]) -> list[Plain]:
    """Return the documents of objects one behind the other, or of the only value of a text."""
    if together:
        return _each(together, keys)
    value = _loads(text)
    if isinstance(value, list) and any(_is_neural(item) for item in value):
        return _each(value, keys)
    if _is_neural(value):
        return plain_neural.documents(value, stem, keys, alone=True)
    if isinstance(value, dict) and not {"clusters", "type", "mentions", "links"} & set(value):
        require(_holds_pair_first(list(value.values())))
        return [plain_lists.bare(clusters, name) for name, clusters in value.items()]
    return [_typed(value, stem)]


def _is_map(value: Any) -> bool:
    """Return whether an object maps names to clusters."""
    if not isinstance(value, dict) or {"clusters", "type", "mentions", "links"} & set(value):
        return False
    try:
        return _holds_pair_first(list(value.values()))
    except RefusedError:
        return False


def _holds_pair_first(documents: list[Any]) -> bool:
    """Return whether lists of lists hold a mention at all, and the first is a list of two integers."""
    require(all(isinstance(d, list) and all(isinstance(c, list) for c in d) for d in documents))
    mentions = [mention for clusters in documents for cluster in clusters for mention in cluster]
    return bool(mentions) and plain_lists.is_bare([mentions[:1]])


def _each(values: list[Any], keys: Sequence[str]) -> list[Plain]:
    """Return the documents of values, numbered from 1; among lists alone, an empty one is a document."""
    if isinstance(values[0], dict) and {"mentions", "token ids"} & {*plain_neural.kinds(values[0])}:
        require(all(isinstance(v, dict) and len(plain_neural.kinds(v)) == 1 for v in values))
        return plain_crossdoc.mentions(values, keys)
    found = []
    only_lists = all(
        value == [] or (isinstance(value, list) and plain_lists.is_bare(value)) for value in values
    )
    for number, value in enumerate(values, 1):
        require(not (isinstance(value, dict) and "type" in value))
        require(not isinstance(value, list) or _is_neural(value) or (only_lists and not value))
        found += plain_neural.documents(value, str(number), keys)
    used = {plain_neural.key_of(value, keys) for value in values}
    require(not any({*both} <= used for both in (plain_neural.BOTH, ("span_clusters", "word_clusters"))))
    return found


def _begin_with_nothing(lines: list[str]) -> bool:
    """Return whether the first lines are empty lists, and the next is a list of clusters."""
    values = [_loads_or_none(line) for line in lines]
    others = [value for value in values if value != []]
    return values[0] == [] and bool(others) and isinstance(others[0], list) and plain_lists.is_bare(others[0])


def _of_line(line: str) -> list[Any]:
    """Return the value on a line, or the objects one behind the other if each is a document."""
    try:
        several = _glued(line)
    except ValueError:
        several = []
    return several if several and all(map(_is_neural, several)) else [_loads(line)]


def _glued(text: str) -> list[Any]:
    """Return objects that stand one behind the other, if a second follows the first; else nothing."""
    decoder = json.JSONDecoder()
    rest = text.strip(" \t\r\n")
    try:
        first, end = decoder.raw_decode(rest)
    except (ValueError, RecursionError):
        return []
    if not isinstance(first, dict) or "type" in first or rest[end:].lstrip(" \t\r\n")[:1] != "{":
        return []
    values = []
    while rest:
        end = decoder.raw_decode(rest)[1]
        values.append(_loads(rest[:end]))
        rest = rest[end:].lstrip(" \t\r\n")
    return values


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
        clusters = {key: _mentions(members) for key, members in value["clusters"].items()}
        return plain_texts.with_text(value, clusters, name)
    require(value.get("type") == "graph")
    groups = [{mention} for mention in dict.fromkeys(_mentions(value.get("mentions")))]
    for link in listed(value.get("links")):
        ends = _mentions(link)
        require(len(ends) == 2 and all(any(end in group for group in groups) for end in ends))
        joined = [group for group in groups if group & set(ends)]
        groups = [group for group in groups if group not in joined] + [set().union(*joined)]
    return plain({str(i): list(group) for i, group in enumerate(groups)}, name)


def _mentions(values: object) -> list[object]:
    return [_mention(value) for value in listed(values)]


def _mention(value: object) -> object:
    if isinstance(value, list):
        require(all(type(part) is int for part in value))
        require(all(abs(part) <= LARGEST for part in value))
        return tuple(value)
    require(type(value) is str or (type(value) is int and abs(value) <= LARGEST))
    return value


def _is_neural(value: Any) -> bool:
    if isinstance(value, list):
        return plain_lists.is_stanza(value) or plain_lists.is_bare(value)
    return isinstance(value, dict) and "type" not in value and bool(plain_neural.kinds(value))
