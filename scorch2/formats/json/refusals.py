"""JSON that is refused: places in a broken text, and what would make an object or a list a document.

All of it is found only then, by a second look. `_ADVICE` has a row per kind of object that is nearly a
document, and the first that fits is told.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.formats import table
from scorch2.formats.json import dialects
from scorch2.formats.json.strict import json_kind
from scorch2.formats.json.texts import OF_TEXTS, JsonPlace
from scorch2.model.errors import InputError, enumerated, json_place, printable, quoted


class _Pairs(list[tuple[str, Any]]):
    """An object as a list of pairs, which keeps repeated keys."""


_Steps: TypeAlias = "list[str | int]"
_CONTAINERS = {dict, list, _Pairs}
_HOLD_TEXT = {str, dict, list}
_MARK = re.compile(r'"|\\.|NaN|-?Infinity', re.DOTALL)
"""A quote, an escape, or a constant that JSON does not have."""


def constant_at(text: str) -> int:
    """Return where the first constant outside strings begins; a loop, which takes no memory."""
    inside = False
    for match in _MARK.finditer(text):
        if match[0] == '"':
            inside = not inside
        elif not inside:
            return match.start()
    raise AssertionError(text[:80])  # pragma: no cover - the decoder saw a constant in this very text


def repeated_key(text: str, path: str, root: str) -> InputError:
    """Return the error about the first key that an object holds twice."""
    try:
        value = json.JSONDecoder(object_pairs_hook=_Pairs).decode(text)
    except (ValueError, RecursionError):
        return InputError(path, "", "an object holds a key twice, and the rest of the file is not JSON")
    for steps, inner in _walk(value):
        times = Counter(key for key, _ in inner) if isinstance(inner, _Pairs) else Counter()
        for key, number in times.items():
            if number > 1:
                why = f"the key {quoted(key)} is written {number} times"
                return InputError(path, _path_of(steps, root), why)
    raise AssertionError(path)  # pragma: no cover - the decoder saw a repeated key in this very text


def _holds_half_a_pair(value: Any) -> bool:
    """Return whether a string anywhere in `value` holds a lone surrogate, which UTF-8 cannot encode."""
    # Most files with such escapes hold whole pairs, so this is quick and names no place.
    waiting = [value]
    while waiting:
        inner = waiting.pop()
        if type(inner) is str:
            if not (inner.isascii() or _is_whole(inner)):
                return True
        else:
            items = [*inner, *inner.values()] if type(inner) is dict else inner
            waiting.extend([item for item in items if type(item) in _HOLD_TEXT])
    return False


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def refuse_surrogates(value: Any, path: str, root: str) -> None:
    """Raise an InputError if a string anywhere in a value holds half of a surrogate pair."""
    if not _holds_half_a_pair(value):
        return
    for steps, inner in _walk(value):  # pragma: no branch - one of them holds half a pair
        texts = [inner] if isinstance(inner, str) else list(inner) if isinstance(inner, dict) else []
        for text in texts:
            if not _is_whole(text):
                why = f"{quoted(text)} holds half of a surrogate pair"
                raise InputError(path, _path_of(steps, root), why)


def _walk(value: Any) -> Iterator[tuple[_Steps, Any]]:
    """Yield every value inside `value` with the keys that lead to it, in the order of the text."""
    # Neither recursion nor names: memory is that of the open containers.
    keys: list[str | int] = []
    yield keys, value
    inside = [_items(value)]
    while inside:  # pragma: no branch - the caller stops at what it looks for
        for key, item in inside[-1]:
            yield [*keys, key], item
            if type(item) in _CONTAINERS:
                keys.append(key)
                inside.append(_items(item))
                break
        else:
            inside.pop()
            del keys[-1:]


def _items(value: Any) -> Iterator[tuple[str | int, Any]]:
    if type(value) is dict:
        return iter(value.items())
    return iter(value) if type(value) is _Pairs else enumerate(value if type(value) is list else ())


def _path_of(keys: _Steps, root: str) -> str:
    """Return the path of the value that `keys` lead to: ``$.clusters.e1[2]``."""
    for key in keys:
        root = json_place(root, key) if isinstance(key, str) else f"{root}[{key}]"
    return root


_SHOWN = 80  # characters of the list of keys in a message
_LABELS = {"label", "labels", "entities"}  # of the characters of a text
_WITH_RELATIONS = (
    "labels without relations do not say what is coreferent (export them with relations: "
    "Label Studio as JSON, not JSON-MIN; doccano with relation labelling)"
)
OF_LISTS = '"doc_key" is enough for [first, last] token: {"doc_key": "d1", "clusters": [[[0, 0], [4, 5]]]}'
OF_NAMES = '"type" for clusters with names: {"type": "clusters", "clusters": {"e1": ["m1", "m2"]}}'
_BARE = f'"clusters" alone does not say what its lists mean: {OF_LISTS}, or {OF_NAMES}'
_PAIR, _TRIPLE = [int] * 2, [int] * 3
_STRINGS = [str] * 2, [str] * 3
_OF_TRIPLES = (
    " of [sentence, start, end] by the shape, "
    'as PreCo has them under "mention_clusters" beside "sentences" (rename the key)'
)
_OF_STRINGS = ' of strings: a mention is two integers, [0, 3] for ["0", "3"] (KoCoNovel: give data/conll)'
_PER_KEY = f": a document per key? Write each on a line of its own, with its clusters ({OF_LISTS})"
_TEXTS = {"text", "sentences", "tokens", "utterance"}


class _Object(NamedTuple):
    """An object that is no document, and what is asked of it."""

    value: Mapping[str, Any]
    place: JsonPlace
    expected: str | None

    def under(self, *kinds: Sequence[type]) -> list[str]:
        """Return the keys whose value is lists of clusters of such mentions."""
        return [key for key, value in self.value.items() if _first_mention(value) in kinds]

    def is_read_with(self, key: str) -> bool:
        """Return whether it is a document if a key holds its clusters."""
        return dialects.is_document(self.value, self.place._replace(keys=(key,)), self.expected)


def _first_mention(value: object) -> list[type]:
    """Return the types in the first mention of what may be lists of clusters; empty for anything else."""
    if not dialects.is_lists(value):
        return []
    first = next(chain.from_iterable(cast("list[list[Any]]", value)), None)
    return list(map(type, first)) if type(first) is list else []


def _texts_in(value: Mapping[str, Any]) -> list[str]:
    lists = {key: value[key] for key in dialects.CLUSTERS if dialects.is_lists(value.get(key))}
    return [key for key, each in lists.items() if type(next(chain.from_iterable(each), None)) is str]


def _other_key(one: _Object) -> str:
    """Name the keys that hold clusters by their shape, and the option that reads one."""
    there = one.under(_PAIR)
    option = {table.GOLD_KEYS: "--gold-key", table.SYSTEM_KEYS: "--sys-key"}.get(one.place.keys, "--key")
    usable = next(filter(one.is_read_with, there), None)
    known = f"{_keys(one)}; {_named(there)} of mentions by the shape"
    if usable is not None:
        return f"{known}: {option}={printable(usable)} reads it"
    return f"{known}: {OF_LISTS}{'' if there == ['clusters'] else ' (any key with ' + option + ')'}"


def _inside(one: _Object) -> list[str]:
    """Return the keys of the first of what may be documents by their names; nothing for other objects."""
    every = [each[0] if type(each) is list and each else each for each in one.value.values()]
    first = every[0] if every and all(type(each) in (dict, list) for each in every) else ()
    return [*first] if type(first) is dict and "clusters" not in one.value else []


def _named(keys: Sequence[str]) -> str:
    return f"{' and '.join(map(quoted, keys))} {'holds' if len(keys) == 1 else 'hold'} clusters"


def _keys(one: _Object) -> str:
    return f"it has {enumerated(one.value, _SHOWN)}" if one.value else "it is empty"


def _shortfall(one: _Object) -> str:
    """Say what an object lacks to be a document of a source whose keys it has in part."""
    shortfalls: list[tuple[tuple[int, int], str]] = []  # the fewest lacking, and of these most present
    for form, source in dialects.candidates(one.expected, one.place.keys):
        groups = source.groups(one.place.keys)
        lacking = [group for group in groups if one.value.keys().isdisjoint(group)]
        present = {key for group in groups for key in group if key in one.value}
        if lacking and not present <= {*dialects.CLUSTERS}:
            lacks = " and ".join(map(" or ".join, lacking))
            rank = len(lacking), len(lacking) - len(groups)
            shortfalls.append((rank, f"for {form} of {source.label} it lacks {lacks}"))
    best = min(shortfalls, key=itemgetter(0), default=((0, 0), ""))[1]
    if not _TEXTS.isdisjoint(one.value) and not any(map(_first_mention, one.value.values())):
        best += "; no key holds clusters: is it the text alone?"
    return f"{_keys(one)}; {best.removeprefix('; ')}" if best else _keys(one)


_ADVICE: Sequence[tuple[Callable[[_Object], object], Callable[[_Object], str]]] = (
    (
        lambda one: "text" in one.value and _LABELS & one.value.keys() and "relations" not in one.value,
        lambda _: _WITH_RELATIONS,
    ),
    (lambda one: _texts_in(one.value), lambda one: f"{_named(_texts_in(one.value))} of texts; {OF_TEXTS}"),
    (lambda one: [*one.value] == one.under(_PAIR) == ["clusters"], lambda _: _BARE),
    (lambda one: len(one.place.keys) != 1 and one.under(_PAIR), _other_key),
    (lambda one: one.under(_TRIPLE), lambda one: f"{_keys(one)}; {_named(one.under(_TRIPLE))}{_OF_TRIPLES}"),
    (
        lambda one: one.under(*_STRINGS),
        lambda one: f"{_keys(one)}; {_named(one.under(*_STRINGS))}{_OF_STRINGS}",
    ),
    (_inside, lambda one: f"{_keys(one)}, with {enumerated(_inside(one), _SHOWN)} in them{_PER_KEY}"),
    (lambda _: True, _shortfall),
)
"""Kinds of objects that are no documents, and what to say about them."""


def advice(value: Mapping[str, Any], place: JsonPlace, expected: str | None = None) -> str:
    """Return what an object has, and what it lacks to be a document."""
    one = _Object(value, place, expected)
    return next(say(one) for fits, say in _ADVICE if fits(one))


def list_advice(value: object) -> str:
    """Return how a list should look that is no list of clusters, behind what else it should be."""
    if not dialects.is_lists(value):
        return ""
    lists = cast("list[list[Any]]", value)
    if not lists:
        return "; if it is a text without clusters, type --sys-format=jsonlines (validate: --format)"
    first = next(chain.from_iterable(lists), None)
    if type(first) is dict and "text" in first:
        return ", or sentences of Stanza, whose words have a text and an id"
    if type(first) is list and [str, *_PAIR] == list(map(type, first)):
        return ', or the clusters of HanLP beside its tokens: {"tokens": [...], "clusters": [...]}'
    return ", or a list of clusters of mentions of two integers: [[[0, 1], [2, 3]], [[5, 5]]]"


def refuse_absent_key(value: object, place: JsonPlace) -> None:
    """Raise an InputError if a key of clusters was typed that an object lacks, with those that it has."""
    if type(value) is not dict or len(place.keys) != 1 or place.keys[0] in value:
        return
    known = dialects.known_of(value, place._replace(keys=()))
    if known and not known.source.clusters:
        table.refuse_typed_key(place.keys, place.path, f"JSON of {known.source.label}")
    usual = {key for _, source in dialects.known_sources() for key in source.clusters}
    present = [key for key in value if key in usual]
    there = f"it has {enumerated(present or value, _SHOWN)}" if value else "it is empty"
    why = f"an object lacks the key {quoted(place.keys[0])} of clusters: {there}"
    raise InputError(place.path, place.where, why)


def unknown(value: object, place: JsonPlace, expected: str | None = None) -> InputError:
    """Return the error about a value that is no document."""
    refuse_absent_key(value, place)
    why = f"{json_kind(value)} is no document of a known program"
    if type(value) is dict:
        why = f"{why}: {advice(value, place, expected)}"
    return InputError(place.path, place.where, why)


def no_file(value: object, place: JsonPlace, expected: str | None, types: Iterable[str]) -> InputError:
    """Return the error about a file of JSON that is no document of known shape."""
    if type(value) is dict:
        refuse_absent_key(value, place)
        one = _Object(value, place, expected)
        if any(fits(one) for fits, _ in _ADVICE[1:-1]):
            return unknown(value, place, expected)
        why = f'the key "type" is missing (known types: {", ".join(types)})'
        return InputError(place.path, place.where, f"{why}; {advice(value, place, expected)}")
    items = value if type(value) is list else ()
    first = items[0] if items else None
    if type(first) is dict:
        return unknown(first, place._replace(where=f"{place.where}[0]"), expected)
    return InputError(place.path, place.where, f'should be an object with a "type"{list_advice(value)}')


def no_map(clusters: object, path: str) -> InputError:
    """Return the error about clusters of clusters JSON that are no object."""
    why = f"should be an object from cluster names to lists of mentions, not {json_kind(clusters)}"
    how = f' (without "type", {OF_LISTS})' if type(clusters) is list else ""
    return InputError(path, "$.clusters", why + how)
