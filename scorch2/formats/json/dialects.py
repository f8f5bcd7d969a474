"""JSON without ``type``: which program wrote it, and the documents in it.

The keys of an object, or the shape of a list, tell the program. Nothing is guessed: several lines are read
only if each is a document, and a list only if all its items are.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain, count, islice
from typing import Any, NamedTuple, TypeAlias, cast

from scorch2.formats import table
from scorch2.formats.fields import unread_keys
from scorch2.formats.json.strict import glued, is_value, json_kind, may_be_glued, no_mention, parse
from scorch2.formats.json.texts import JsonPlace, is_stanza, of_s2e, of_stanza
from scorch2.formats.source import stem
from scorch2.model.document import Document, OnDemand
from scorch2.model.errors import InputError, json_place, quoted
from scorch2.model.forms import function_at

NO_NAMES = {"clusters", "type", "mentions", "links"}  # keys that an object from names to clusters never has
_PAIR = [int, int]
WRITTEN = "lists of clusters: mentions are lists of two integers, whose meaning is not said"


def is_cluster_list(value: object) -> bool:
    """Return whether a value is a list of clusters, and the first mention in it a list of two integers."""
    return is_lists(value) and _begins_with_pair([value])


def is_cluster_map(value: object) -> bool:
    """Return whether an object maps names to lists of clusters; as in `is_cluster_list`."""
    # An object without any mention could be anything.
    if type(value) is not dict or not NO_NAMES.isdisjoint(value):
        return False
    return all(map(is_lists, value.values())) and _begins_with_pair(value.values())


def is_lists(value: object) -> bool:
    """Return whether a value is a list of lists."""
    return type(value) is list and all(type(cluster) is list for cluster in value)


def _begins_with_pair(documents: Iterable[Any]) -> bool:
    first = next(chain.from_iterable(chain.from_iterable(documents)), None)
    return type(first) is list and list(map(type, first)) == _PAIR


def of_cluster_list(value: list[list[Any]], place: JsonPlace) -> Document:
    """Return the document that a list of clusters holds."""
    table.refuse_typed_key(place.keys, place.path, "a list of clusters")
    clusters = {str(i): _mentions(written, place, f"{place.where}[{i}]") for i, written in enumerate(value)}
    return Document(place.name, clusters, place.path, format="jsonlines", written=WRITTEN, numbered=True)


def _mentions(written: list[Any], place: JsonPlace, where: str) -> list[tuple[int, ...]]:
    for i, mention in enumerate(written):
        if type(mention) is not list or list(map(type, mention)) != _PAIR:
            raise InputError(place.path, f"{where}[{i}]", "a mention is a list of two integers")
        refused = no_mention(mention, place.path, f"{where}[{i}]")
        if refused:
            raise refused
    return [tuple(mention) for mention in written]


CLUSTERS = ("clusters", "predicted_clusters")
"""The keys of gold clusters and predictions, of which an object may have both."""
_TYPED = ", or choose by --key, in Python by read(path, key=...)"


SourcePart: TypeAlias = tuple[Mapping[str, Any], JsonPlace]  # a part of an object, and its place


class Source(NamedTuple):
    """Systems that write the same keys."""

    label: str
    keys: tuple[tuple[str, ...], ...]
    """Keys that identify the source, besides those of clusters: at least one of each group."""
    clusters: tuple[str, ...]
    """Keys that hold the clusters, at least one of them; none if a document may lack them."""
    read: Callable[[Mapping[str, Any], JsonPlace, str], Document]
    """The function that reads it: from the object, its place, and the key of its clusters."""
    offsets: str  # a note on how it writes a mention
    exclusive: bool = False  # whether the end of a mention is what follows it
    first: int = 0  # the number of the first token or character
    names_clusters: bool = False  # whether clusters have names that mean something, not: places in a list
    without: tuple[str, ...] = ()  # keys of other sources, which it never has
    of_input: tuple[str, ...] = ()
    """Keys of what the system reads. If an object has one and no predictions, its ``clusters`` are gold."""
    also: tuple[str, ...] = ()  # other keys that are read
    parts: Callable[[Mapping[str, Any], JsonPlace], Iterable[SourcePart]] | None = None
    """The function that takes an object of several documents apart, if it is one."""
    gather: Callable[[Iterable[SourcePart], Sequence[str]], Iterable[SourcePart]] | None = None
    """The function that makes documents of objects that are mentions, by the keys of their chains."""
    fits: Callable[[Mapping[str, Any]], bool] | None = None
    """Tells an object from that of another source which has the same keys."""

    def groups(self, wanted: table.ClusterKeys = ()) -> tuple[tuple[str, ...], ...]:
        """Return groups of keys, of each of which an object has one; a typed key in `wanted` is the last."""
        clusters = wanted if len(wanted) == 1 else self.clusters
        return (*self.keys, clusters) if clusters else self.keys


class Known(NamedTuple):
    """A source, and the name of the format that it writes."""

    format: str
    source: Source


def _sources(row: table.Format) -> Sequence[Source]:
    """Return the programs that write a format: a constant of its reader, which is imported."""
    file, _, prefix = row.reader.partition(":")
    name = f"{prefix.upper()}_SOURCES" if prefix else "SOURCES"
    return cast("Sequence[Source]", function_at(f"formats.{file}:{name}"))


@cache
def known_sources(expected: str | None = None) -> Sequence[Known]:
    """Return the sources of the format `expected`, which has none outside `KEYED`, or of all formats."""
    return [
        Known(row.name, source)
        for row in table.FORMATS.values()
        if row.family == table.KEYED and expected in (None, row.name)
        for source in _sources(row)
    ]


def candidates(expected: str | None, wanted: table.ClusterKeys) -> Sequence[Known]:
    """Return the sources that may have the key that was typed: its own, and then those of any clusters."""
    every = known_sources(expected)
    if len(wanted) != 1:
        return every
    own = [one for one in every if wanted[0] in one.source.clusters]
    return own + [one for one in every if one.source.clusters == CLUSTERS and one not in own]


@lru_cache(maxsize=8)
def _matching(keys: tuple[str, ...], expected: str | None, wanted: table.ClusterKeys) -> Sequence[Known]:
    """Return the sources that an object with these keys can come from."""
    there = set(keys)
    matching = [
        known
        for known in candidates(expected, wanted)
        if there.isdisjoint(known.source.without)
        and all(map(there.intersection, known.source.groups(wanted)))
    ]
    own = [known for known in matching if len(wanted) == 1 and wanted[0] in known.source.clusters]
    return own or matching


def known_of(value: object, place: JsonPlace, expected: str | None = None) -> Known | None:
    """Return the source whose keys an object has, or None; those of two sources are refused."""
    if type(value) is not dict:
        return None
    matching = _matching(tuple(value), expected, place.keys)
    if len(matching) > 1:
        matching = [one for one in matching if one.source.fits is None or one.source.fits(value)]
    if len(matching) > 1:
        labels = " and of ".join(known.source.label for known in matching)
        raise InputError(place.path, place.where, f"the object has keys of {labels}; remove one set")
    return matching[0] if matching else None


def is_document(value: object, place: JsonPlace, expected: str | None = None) -> bool:
    """Return whether a value is a document: an object with the keys of a source, or a list of known shape."""
    if type(value) is list:
        return is_cluster_list(value) or is_stanza(value)
    return known_of(value, place, expected) is not None


def has_several(value: object) -> bool:
    """Return whether an object holds several documents."""
    if is_cluster_map(value):
        return True
    known = known_of(value, JsonPlace("", "$", ""))
    return known is not None and (known.source.parts or known.source.gather) is not None


def _refused(value: object, place: JsonPlace, expected: str | None) -> InputError:
    return cast("InputError", function_at("formats.json.refusals:unknown")(value, place, expected))


def read_documents(value: object, place: JsonPlace, expected: str | None = None) -> Sequence[Document]:
    """Return what an object of one of the sources, or a list of known shape, holds: mostly one document."""
    if is_cluster_list(value):
        return [of_cluster_list(cast("list[Any]", value), place)]
    if is_stanza(value):
        table.refuse_typed_key(place.keys, place.path, "JSON of Stanza")
        return [of_stanza(cast("list[Any]", value), place)]
    known = known_of(value, place, expected)
    if known is None or type(value) is not dict:
        raise _refused(value, place, expected)
    if known.source.gather is not None:
        return list(_of_mentions(known, [(value, place)], expected))
    if known.source.parts is None:
        return [_document(known, value, place)]
    return [_document(known, *part) for part in known.source.parts(value, place)]


def _of_mentions(
    known: Known, values: Iterable[tuple[Any, JsonPlace]], expected: str | None
) -> Iterator[Document]:
    """Yield the documents of objects that are mentions; an InputError tells of an object that is none."""
    parts: list[SourcePart] = []
    for value, place in values:
        if known_of(value, place, expected) != known:
            function_at("formats.json.refusals:refuse_absent_key")(value, place)
            needs = ", ".join(" or ".join(map(quoted, group)) for group in known.source.groups(place.keys))
            why = f"{json_kind(value)} that is no mention, as those before (each needs {needs})"
            raise InputError(place.path, place.where, why)
        parts.append((value, place))
    for part in known.source.gather(parts, known.source.clusters) if known.source.gather else ():
        yield _document(known, *part)


def _document(known: Known, value: Mapping[str, Any], place: JsonPlace) -> Document:
    source = known.source
    key = _clusters_key(value, source, place)
    document = source.read(value, place, key)
    others = unread_keys(value, {key, *chain.from_iterable(source.keys), *source.also})
    return document._replace(
        format=known.format,
        written=document.written or f"{source.label}: {source.offsets}",
        exclusive=document.exclusive or source.exclusive,
        first=source.first,
        numbered=not source.names_clusters,
        key=key,
        file_notes=document.file_notes or _doubts(value, key, source, place),
        unread=others if document.unread is None else OnDemand(_all_unread, document.unread, others),
    )


def _all_unread(*every: OnDemand[Mapping[str, int]] | None) -> Mapping[str, int]:
    return sum((Counter(one()) for one in every if one is not None), Counter())


_GOLD = (
    'clusters were read from "clusters", where programs keep gold: nothing is under "predicted_clusters" '
    "(--sys-key=clusters says that they are the system's)"
)


def _doubts(value: Mapping[str, Any], key: str, source: Source, place: JsonPlace) -> Sequence[str]:
    """Return why the clusters of an object for the side of the system may be those of gold, if they may."""
    if place.keys != table.SYSTEM_KEYS or key != CLUSTERS[0]:
        return ()
    for other in value:
        if "pred" in other and "cluster" in other:
            shown = quoted(other)
            return [
                f'clusters were read from "clusters", but there is {shown}, too (--sys-key reads another)'
            ]
    return () if value.keys().isdisjoint(source.of_input) else [_GOLD]


def _clusters_key(value: Mapping[str, Any], source: Source, place: JsonPlace) -> str:
    """Return the key under which the clusters are that are meant; nothing for a source that has no choice."""
    wanted = place.keys if source.clusters == CLUSTERS or len(place.keys) == 1 else ()
    present = [key for key in wanted or source.clusters if key in value]
    if source.clusters == CLUSTERS and len(present) > 1 and not wanted:
        if value["clusters"]:
            why = f"stands beside clusters: which of them is meant? (leave one of them{_TYPED})"
            raise place.error("predicted_clusters", why)
        return "predicted_clusters"
    return present[0] if present else ""


_SIGNS = r'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\],:]'
"""A string or a sign of JSON; a quote alone begins a string that the head cuts off."""
_EMPTY = r"(?:\[\s*\]\s*,\s*)*"
_BARE = (
    r'\s*(?:\[\]\s+)*(?:\{\s*(?:"(?:[^"\\]|\\.)*"\s*:\s*\[\s*\]\s*,\s*)*"((?:[^"\\]|\\.)*)"\s*:\s*)?'
    rf"\[\s*{_EMPTY}(?:\[\s*{_EMPTY})?\[\s*\[\s*-?[0-9]"
)
"""Lists of clusters, alone, on lines, in a list, or under names; the last of the names."""
_OF_TEXTS = (
    rf'"tokens"\s*:\s*\[\s*{_EMPTY}\[\s*\['
    r'|"clusters_token_offsets"\s*:\s*\[[\s\[\],]*\[\s*[0-9]+(?:\s*,\s*[0-9]+){2}\s*\]'
)
"""Tokens of several texts, or a mention with the number of its text, as xCoRe writes them."""
_SENTENCES = rf"\s*\[\s*{_EMPTY}(?:\[\s*{_EMPTY})?\[\s*\{{"  # lists of sentences, which hold objects


def format_of_head(text: str) -> str | None:
    """Return the format of JSON by its first kilobytes: by the keys of the first object, or by its shape."""
    # A whole object needs the keys that its reader needs; one that is cut off, only one that no report has.
    bare = re.match(_BARE, text)
    if bare and bare[1] not in NO_NAMES:
        return "jsonlines"
    keys = dict(_members(text))
    is_cut = "" in keys
    if {"id", "text"} <= keys.keys() and re.match(_SENTENCES, text):
        return "jsonlines"
    typed = {row.name: row for row in table.FORMATS.values() if row.family == table.TYPED}
    kind = keys.get("type", "").strip('"')
    if kind in typed:
        return kind
    for row in typed.values() if is_cut else ():
        if row.is_surely and row.is_surely(keys):
            return row.name
    best, most = None, 0
    for form, source in known_sources():
        groups = source.groups()
        number = sum(not keys.keys().isdisjoint(group) for group in groups)
        is_like = (is_cut or number == len(groups)) and keys.keys().isdisjoint(source.without)
        if number > most and is_like:
            best, most = form, number
    return "crossdoc" if best and "tokens" in keys and re.search(_OF_TEXTS, text) else best


def _members(text: str) -> Iterator[tuple[str, str]]:
    """Yield each key of the first object, and how its value begins (nothing for a number)."""
    # The object may be the first item of a list. An empty key says that the text ends before the object does.
    depth = inside = 0
    key, is_value = "", False
    for match in re.finditer(_SIGNS, text, re.DOTALL):
        sign = match[0]
        if sign == '"':
            break
        if depth == inside > 0:
            if is_value:
                yield key, "" if sign in (",", "}") else sign
            elif sign[0] == '"':
                key = sign[1:-1]
            is_value = sign == ":"
        if sign in ("{", "["):
            depth += 1
            inside = inside or (depth if sign == "{" else 0)
        elif sign in ("}", "]"):
            depth -= 1
            if depth < inside:
                return
    yield ("", "")


_TEXT = re.compile(r"\S")
_TYPES = table.format_names(lambda row: row.family == table.TYPED)
_KEYED = table.format_names(lambda row: row.family == table.KEYED)


def documents(value: object, path: str, expected: str | None, keys: table.ClusterKeys) -> Iterable[Document]:
    """Return the documents of a value without ``type``: one, a list of them, or an object by their names."""
    # `expected` is the format that was asked for
    place = JsonPlace(path, "$", stem(path), keys)
    _refuse_other(value, place, expected)
    if type(value) is list and any(is_document(item, place, expected) for item in value):
        inside = (place._replace(where=f"$[{i}]", name=str(i + 1)) for i in range(len(value)))
        return _each(zip(value, inside, strict=True), expected)
    if is_document(value, place, expected):
        return read_documents(value, place, expected)
    if value == [] and expected in _KEYED:
        return [of_cluster_list([], place)]
    if is_cluster_map(value):
        table.refuse_typed_key(place.keys, place.path, "an object from names to clusters")
        named = cast("dict[str, list[list[Any]]]", value)
        places = (place._replace(where=json_place("$", name), name=name) for name in named)
        return list(map(of_cluster_list, named.values(), places))
    if expected not in _KEYED:
        raise function_at("formats.json.refusals:no_file")(value, place, expected, _TYPES)
    return read_documents(value, place, expected)


def _refuse_other(value: object, place: JsonPlace, expected: str | None) -> None:
    """Raise an InputError for a value without ``type`` if a format was given whose objects have one."""
    if expected in _TYPES:
        why = 'the key "type" is missing' if type(value) is dict else 'should be an object with a "type"'
        known = known_of(value, place)
        read_as = f" (this is {known.format if known else 'jsonlines'})" if is_document(value, place) else ""
        raise InputError(place.path, place.where, f"{why}, but the format was given as {expected}{read_as}")


def are_lines(text: str, path: str, expected: str | None) -> bool:
    """Return whether the first line is a document without ``type`` and more lines follow."""
    start = _TEXT.search(text)
    end = text.find("\n", start.start()) if start else -1
    if not start or end < 0 or not _TEXT.search(text, end) or not is_value(text[start.start() : end]):
        return False
    first = parse(text[start.start() : end], path, text.count("\n", 0, end) + 1)
    if type(first) is dict:
        return expected in _KEYED or "type" not in first
    if first == []:
        return expected in _KEYED or _begins_with_clusters(text[end:])
    return is_document(first, JsonPlace(path, "$", ""), expected)


def _begins_with_clusters(text: str) -> bool:
    """Return whether the first line that is neither blank nor an empty list is a list of clusters."""
    lines = (line.strip() for line in text.split("\n"))
    first = next((line for line in lines if line not in ("", "[]")), "")
    return is_value(first) and is_cluster_list(json.loads(first))


def read_glued(text: str, path: str, expected: str | None, keys: table.ClusterKeys) -> Iterator[Document]:
    """Yield the documents of a JSON text that holds one after the other, with or without blanks between."""
    places = (JsonPlace(path, f"document {i}: $", str(i), keys) for i in count(1))
    return _each(zip(glued(text, path), places, strict=False), expected)


def read_lines(
    text: str, path: str, expected: str | None = None, first: int = 1, keys: table.ClusterKeys = ()
) -> Iterator[Document]:
    """Yield the documents of a JSON text that holds one on each line, or of some of its lines."""
    lines = ((number, line) for number, line in enumerate(text.split("\n"), 1) if line and not line.isspace())
    values = chain.from_iterable(_of_line(line, number, path, keys) for number, line in lines)
    named = ((value, place._replace(name=str(name))) for name, (value, place) in enumerate(values, first))
    return _each(named, expected, maps=True)


def _of_line(line: str, number: int, path: str, keys: table.ClusterKeys) -> list[tuple[Any, JsonPlace]]:
    """Return the value on a line, or several one after the other if each is a document, with their places."""
    place = JsonPlace(path, f"line {number}: $", "", keys)
    if may_be_glued(line) and not is_value(line):
        try:
            several = list(glued(line, path))
        except InputError:
            several = []  # `parse` says what is wrong, and where in the line
        if several and all(is_document(value, place) for value in several):
            wheres = (f"line {number}, document {i}: $" for i in count(1))
            return [(value, place._replace(where=next(wheres))) for value in several]
    return [(parse(line, path, number), place)]


def _each(
    values: Iterable[tuple[Any, JsonPlace]], expected: str | None, *, maps: bool = False
) -> Iterator[Document]:
    """Yield documents; `maps` says that two objects may be one file of s2e-coref."""
    values = iter(values)
    for value, place in islice(values, 1):
        every = chain([(value, place)], values)
        known = known_of(value, place, expected)
        if known is not None and known.source.gather is not None:
            yield from _of_mentions(known, every, expected)
        else:
            yield from _one_by_one(every, expected, maps=maps)


def _one_by_one(
    values: Iterator[tuple[Any, JsonPlace]], expected: str | None, *, maps: bool
) -> Iterator[Document]:
    seen: dict[str, JsonPlace] = {}
    keyed: dict[tuple[str, ...], tuple[str, JsonPlace]] = {}
    has_others, empty = False, None
    for value, place in values:
        if type(value) is dict and "type" in value and expected not in _KEYED:
            raise InputError(place.path, place.where, 'an object with a "type" is the only one in its file')
        _refuse_other(value, place, expected)
        if value == [] and not has_others:
            empty = empty or place
            found: Sequence[Document] = [of_cluster_list(value, place)]  # a text in which nothing was found
        else:
            has_others = has_others or not is_cluster_list(value)
            if has_others and empty:
                raise _refused([], empty, expected)
            if maps and not seen and is_cluster_map(value):
                table.refuse_typed_key(place.keys, place.path, "the output of s2e-coref")
                found = of_s2e(value, list(values), place)
            else:
                found = read_documents(value, place, expected)
        for document in found:
            first = seen.setdefault(document.id, place)
            if first is not place:
                why = f"a second document is called {quoted(document.id)}, as {_there(first)}"
                raise InputError(place.path, place.where.removesuffix(": $"), why)
            if document.key:
                first_key = keyed.setdefault(_alternatives(document.key), (document.key, place))
                _refuse_other_key(document.key, place, *first_key)
            yield document


def _there(place: JsonPlace) -> str:
    where = place.where.removesuffix(": $")
    return f"on {where}" if where.startswith("line") else f"in {where}"


@cache
def _alternatives(key: str) -> tuple[str, ...]:
    """Return the keys under which the programs that have one of them put clusters."""
    return next((source.clusters for _, source in known_sources() if key in source.clusters), (key,))


def _refuse_other_key(key: str, place: JsonPlace, expected: str, first: JsonPlace) -> None:
    """Raise an InputError if the clusters of a document do not stand under the key of those before it."""
    if key != expected:
        option = {table.GOLD_KEYS: "--gold-key", table.SYSTEM_KEYS: "--sys-key"}.get(place.keys, "--key")
        why = f"clusters are under {quoted(key)}, but {_there(first)} under {quoted(expected)}"
        how = f"all documents of a file need the same key ({option}=<name> says which)"
        raise InputError(place.path, place.where, f"{why}: {how}")
