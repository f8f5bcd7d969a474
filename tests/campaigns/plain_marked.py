"""The readers of texts with marks again, letter by letter. Used by fuzz_marked.py.

A text becomes a list of letters and marks, and mentions are found by counting words between marks. Nothing is
shared with the package.
"""

import json
import re
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

import plain_json
from plain_document import Plain, RefusedError, plain, require


class Read(NamedTuple):
    """A document, and whether a mark in it had to be repaired or left out."""

    document: Plain
    repaired: bool


class Mark(NamedTuple):
    """A mark between letters; a letter is a string, with a backslash before it if it is always a letter."""

    kind: str  # open, close, zero
    cluster: str = ""
    tag: str = ""
    inside: str = ""  # letters that the mark takes in, and that are words if the cluster stands elsewhere
    written: str = ""  # all letters of the mark, which are words if it is none
    has_name: bool = False  # whether a mark that closes says its cluster, or that it has none
    is_loose: bool = False  # whether nothing but other letters ends the name
    is_behind: bool = False  # whether the name stands behind the mark


Item = str | Mark


class Kind(NamedTuple):
    """A kind of marks: what finds the mark at a place of a text, and where it ends."""

    mark_at: Callable[[str, int], tuple[Item, int] | None]
    needs_no_name: bool = False
    alone: str | None = None  # the name that stands for none


def read(data: bytes, form: str, stem: str) -> list[Read] | None:
    """Return the documents of a file, or None if it must be refused."""
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
        require("\0" not in text)
        if form == "crac":
            found = [Read(one, repaired=False) for one in plain_json.read(text, stem)]
            require(len({one.document.name for one in found}) == len(found))
            return found
        if form == "plaintext":
            lines = [line for line in text.split("\n") if line.strip()]
            require(lines)
            names = [stem] if len(lines) == 1 else map(str, range(1, len(lines) + 1))
            return [_tagged_words(name, line) for name, line in zip(names, lines, strict=True)]
        return _in_best_kind(_texts(text, stem), KINDS[form])
    except (RefusedError, ValueError, RecursionError):
        return None


def _texts(text: str, stem: str) -> list[tuple[str, str]]:
    """Return the names and texts of a file."""
    json_text = text if text.lstrip()[:1] == "{" else _fenced(text)
    if json_text.lstrip()[:1] == "{":
        return _named_once([_in_json(line) for line in json_text.split("\n") if line.strip()])
    found = [(stem, "")]
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        name = _header(line.removesuffix("\n"))
        if name is None:
            found[-1] = found[-1][0], found[-1][1] + line
        else:
            found.append((name, ""))
    before = found[0][1]
    if len(found) > 1 and before.strip():  # what a model says before a fence
        require("```" in before)
        found[1] = found[1][0], f"{before}\n{found[1][1]}"
    return _named_once(found[1:] or found)


def _fenced(text: str) -> str:
    """Return what stands between the first two lines that begin with three backticks; nothing without one."""
    lines = text.split("\n")
    fences = [i for i, line in enumerate(lines) if line.lstrip().startswith("```")]
    return "\n".join(lines[fences[0] + 1 : (fences[1:] or [len(lines)])[0]]) if fences else ""


def _named_once(found: list[tuple[str, str]]) -> list[tuple[str, str]]:
    require(len({name for name, _ in found}) == len(found))
    return found


def _header(line: str) -> str | None:
    head, equals, name = line.removesuffix("\r").partition("=")
    words = head.removeprefix("#").replace("\t", " ").split(" ")
    is_one = equals and head.startswith("#") and [word for word in words if word] == ["newdoc", "id"]
    return None if not is_one or "\r" in name else name.removeprefix(" ")


def _in_json(line: str) -> tuple[str, str]:
    value = json.loads(line, object_pairs_hook=_unique, parse_constant=lambda _: require(condition=False))
    json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair is an error
    require(isinstance(value, dict))
    every = [[value[key] for key in keys if key in value] for keys in (NAMES, TEXTS)]
    require(all(values and isinstance(values[0], str) for values in every))
    return every[0][0], every[1][0]


NAMES, TEXTS = ("doc_id", "doc_key", "id"), ("text", "output")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(len({key for key, _ in pairs}) == len(pairs))
    return dict(pairs)


class _Text:
    """Words and empty nodes, and mentions as the numbers of their first and last."""

    def __init__(self) -> None:
        self.nodes: list[tuple[int, int, int]] = []  # sentence, word, rank of an empty node
        self.lengths = [0]
        self.mentions: list[tuple[str, int, int]] = []
        self.repaired = False

    def add(self, word: str) -> None:
        self.lengths[-1] += bool(word)
        if word:
            self.nodes.append((len(self.lengths) - 1, self.lengths[-1], 0))

    def add_empty(self) -> None:
        place = len(self.lengths) - 1, self.lengths[-1]
        rank = sum(node[:2] == place and node[2] > 0 for node in self.nodes)
        self.nodes.append((*place, rank + 1))

    def end_sentence(self) -> None:
        if self.lengths[-1]:
            self.lengths.append(0)

    def mention(self, cluster: str, first: int, last: int) -> None:
        self.repaired |= first > last
        if first <= last:
            self.mentions.append((cluster or f"\n{len(self.mentions)}", first, last))

    def document(self, name: str) -> Read:
        lengths = [length for length in self.lengths if length]
        require(lengths or not self.mentions)
        if lengths:
            self._move_last(len(lengths) - 1, lengths[-1])
        clusters: dict[str, list[object]] = {}
        for cluster, first, last in self.mentions:
            nodes = self.nodes[first : last + 1]
            places = [sum(self.lengths[:s]) + word - 1 for s, word, rank in nodes if not rank]
            has_empty = len(places) < len(nodes)
            mention = tuple(nodes) if has_empty else (places[0], places[-1] + 1)
            clusters.setdefault(cluster, []).append(mention)
        return Read(plain(clusters, name, lengths), self.repaired)

    def _move_last(self, sentence: int, word: int) -> None:
        """Put empty nodes behind all words into the last sentence."""
        before = sum(node[:2] == (sentence, word) and node[2] > 0 for node in self.nodes)
        for i, node in enumerate(self.nodes):
            if node[0] > sentence:
                self.nodes[i] = sentence, word, before + node[2]


def _tagged_words(name: str, line: str) -> Read:
    """Read plaintext: tags behind the last bar of a word."""
    text = _Text()
    opened: list[tuple[str, int]] = []
    for cell in line.split():
        word, tags = _cell(cell)
        text.add("" if word[:2] == "##" else word)
        if word[:2] == "##":
            text.add_empty()
        here = len(text.nodes) - 1
        for tag in tags:
            cluster = tag.removeprefix("[").removesuffix("]")
            if cluster == tag or set(cluster) & set("|[]"):
                text.repaired = True
            elif tag[0] == "[" and tag[-1] != "]":
                opened.append((cluster, here))
            elif tag[0] == "[":
                text.mention(cluster, here, here)
            else:
                mine = [one for one in opened if one[0] == cluster][-1:]
                text.repaired |= not mine
                text.mention(cluster, mine[0][1] if mine else here, here)
                if mine:
                    place = len(opened) - 1 - opened[::-1].index(mine[0])
                    del opened[place]
    text.repaired |= bool(opened)
    for cluster, first in opened:
        text.mention(cluster, first, first)
    return text.document(name)


def _cell(cell: str) -> tuple[str, list[str]]:
    bar = cell.rfind("|")
    behind = cell[bar + 1 :]
    is_name = behind[:1] == "e" and len(behind) > 1 and set(behind[1:]) <= set(string.digits)
    if bar <= 0 or not (is_name or set(behind) & set("[]")):
        return cell, []
    return cell[:bar], [tag for tag in behind.split(",") if tag]


def _nested(name: str, items: list[Item]) -> Read:
    """Read marks inside each other."""
    text = _Text()
    opened: list[tuple[Mark, int]] = []
    word = ""
    for item in [*items, "\n"]:
        if isinstance(item, str) and not item.isspace():
            word += item[-1]
            continue
        text.add(word)
        word = ""
        if item == "\n":
            text.end_sentence()
        elif isinstance(item, Mark) and item.kind == "open":
            opened.append((item, len(text.nodes)))
        elif isinstance(item, Mark) and item.kind == "zero":
            text.add_empty()
            text.mention(item.cluster, len(text.nodes) - 1, len(text.nodes) - 1)
        elif isinstance(item, Mark):
            _close(item, opened, text)
    _left_open(opened, text)
    return text.document(name)


def _close(mark: Mark, opened: list[tuple[Mark, int]], text: _Text) -> None:
    last = len(text.nodes) - 1
    if mark.tag not in [one.tag for one, _ in opened]:
        text.repaired = True
        if mark.cluster and last >= 0:
            text.mention(mark.cluster, last, last)
        return
    inner: list[tuple[Mark, int]] = []
    while opened[-1][0].tag != mark.tag:
        inner.append(opened.pop())
    _left_open(inner, text)
    begin, first = opened.pop()
    text.mention(mark.cluster or begin.cluster, first, last)


def _left_open(opened: list[tuple[Mark, int]], text: _Text) -> None:
    for mark, first in opened:
        text.repaired = True
        if mark.cluster and first < len(text.nodes):
            text.mention(mark.cluster, first, first)


def _letters(text: str) -> Iterator[tuple[int, str]]:
    """Yield each letter with its place, and those behind a backslash with it."""
    place = 0
    while place < len(text):
        pair = text[place : place + 2]
        is_escape = pair[0] == "\\" and len(pair) == 2 and pair[1] != "\n"
        size = 2 if is_escape and (pair[1] in string.punctuation or pair[1].isspace()) else 1
        yield place, pair[:size]
        place += size


def _while(text: str, place: int, holds: Callable[[str], object]) -> int:
    """Return where letters end that fulfil a condition."""
    while place < len(text) and holds(text[place]):
        place += 1
    return place


def _named(text: str, place: int, sign: str, holds: Callable[[str], object]) -> tuple[str, int]:
    """Return the name behind a sign, and where spaces behind it end; without the sign the place itself."""
    if text[place] != sign:
        return "", place
    first = _while(text, place + 1, str.isspace)
    stop = _while(text, first, holds)
    return text[first:stop], _while(text, stop, str.isspace)


def _items(text: str, mark_at: Callable[[str, int], tuple[Item, int] | None]) -> list[Item]:
    """Return letters and marks; `mark_at` finds the mark at a place, and where it ends."""
    items: list[Item] = []
    end = 0
    for place, letter in _letters(text):
        if place < end:
            continue
        found = mark_at(text, place) if len(letter) == 1 else None
        items.append(found[0] if found else letter)
        end = found[1] if found else place + len(letter)
    return items


def _in_best_kind(texts: list[tuple[str, str]], kinds: Sequence[Kind]) -> list[Read]:
    """Read texts with the kind of marks that makes most mentions, or if none does, that opens most."""
    scanned = [[_items(text, kind.mark_at) for _, text in texts] for kind in kinds]
    numbers = [
        sum(_resolved(items, kind)[1] for items in every) for kind, every in zip(kinds, scanned, strict=True)
    ]
    require(not max(numbers) or numbers.count(max(numbers)) == 1)
    if not max(numbers):
        numbers = [
            sum(isinstance(item, Mark) and item.kind == "open" for items in every for item in items)
            for every in scanned
        ]
    best = numbers.index(max(numbers))
    return [
        _nested(name, _resolved(items, kinds[best])[0])
        for (name, _), items in zip(texts, scanned[best], strict=True)
    ]


def _resolved(items: list[Item], kind: Kind) -> tuple[list[Item], int]:
    """Return items with the marks that are none as letters, and the number of mentions."""
    opened: dict[str, list[int]] = {}
    is_words = set[int]()  # marks that are letters
    keeps_first = set[int]()  # marks that open before words, which are no name
    names = set[str]()
    number = by_first = 0
    for i, item in enumerate(items):
        if not isinstance(item, Mark) or item.kind == "zero":
            continue
        waiting = opened.setdefault(item.tag, [])
        if item.kind == "open":
            waiting.append(i)
            continue
        partner = waiting.pop() if waiting else None
        begin = items[partner] if partner is not None else Mark("open")
        first = begin.cluster if isinstance(begin, Mark) else ""
        if not (item.has_name or first or kind.needs_no_name):
            is_words |= {i} | ({partner} if partner is not None else set())
            continue
        names.add(item.cluster or first)
        number += 1
        by_first += not item.has_name
        if first and item.cluster and not kind.needs_no_name and partner is not None:
            keeps_first.add(partner)
    if number and not by_first and not kind.needs_no_name:
        keeps_first.update(*opened.values())
    found: list[Item] = []
    for i, item in enumerate(items):
        found += _as_items(item, names, kind, i in is_words, i in keeps_first)
    return found, number


def _as_items(
    item: Item,
    names: set[str],
    kind: Kind,
    is_words: bool,
    keeps_first: bool,
) -> list[Item]:
    """Return the letters and the mark that an item is."""
    if not isinstance(item, Mark):
        return [item]
    if is_words:
        return [*item.written]
    if item.kind == "open":
        return [item._replace(cluster=""), *item.inside] if keeps_first else [item]
    cluster, rest = item.cluster, ""
    for place in range(len(cluster) - 1, 0, -1) if item.is_loose else ():
        if (
            cluster[place] == "-"
            and cluster[:place] in names
            and not cluster[place + 1 : place + 2].isdigit()
        ):
            cluster, rest = cluster[:place], cluster[place:]
            break
    mark = item._replace(cluster="" if cluster == kind.alone else cluster)
    return [*(item.inside if item.is_behind else ""), mark, *rest]


def _link_at(text: str, place: int) -> tuple[Item, int] | None:
    end = _behind(text, place, "(#", ")", lambda letter: letter not in "()\n")
    name = text[place + 3 : end - 1]
    return _bracket_or(text, place, end, name, is_link=not name[-1:].isspace())


def _short_link_at(text: str, place: int) -> tuple[Item, int] | None:
    end = _behind(text, place, "(", ")", lambda letter: letter not in "()/:#" and not letter.isspace())
    name = text[place + 2 : end - 1]
    return _bracket_or(text, place, end, name, is_link=name != "")


def _reference_at(text: str, place: int) -> tuple[Item, int] | None:
    end = _behind(text, place, "[", "]", lambda letter: _is_name(letter) or letter == ".")
    name = text[place + 2 : end - 1]
    return _bracket_or(text, place, end, name, is_link=name != "")


def _behind(text: str, place: int, begin: str, end: str, holds: Callable[[str], object]) -> int:
    """Return where a name behind a bracket that closes ends, with its own brackets; 0 if there is none."""
    if text[place] != "]" or not text.startswith(begin, place + 1):
        return 0
    stop = _while(text, place + 1 + len(begin), holds)
    return stop + 1 if text[stop : stop + 1] == end else 0


def _bracket_or(text: str, place: int, end: int, name: str, *, is_link: bool) -> tuple[Item, int] | None:
    """Return the mark at a place; one that closes has a name if a link follows, which ends at `end`."""
    if text[place] == "[":
        return Mark("open", written="["), place + 1
    if text[place] != "]":
        return None
    if end and is_link:
        return Mark("close", name, written=text[place:end], has_name=True, is_behind=name != ""), end
    return Mark("close", written="]"), place + 1


def _is_name(letter: str) -> bool:
    return letter.isalnum() or letter in "_-"


def _element_at(text: str, place: int, *, is_numbered: bool) -> tuple[Item, int] | None:
    """Return the mark at a place, of those whose tags end in a digit or of the others."""
    found = _any_element_at(text, place)
    tag = found[0].tag if found and isinstance(found[0], Mark) else ""
    return None if tag and tag[-1].isdecimal() != is_numbered else found


def _any_element_at(text: str, place: int) -> tuple[Item, int] | None:
    if text[place] not in "<|":
        return None
    if text.startswith("</z>@", place):
        end = _while(text, place + 5, _is_name)
        if end > place + 5:
            return Mark("zero", text[place + 5 : end], is_loose=True, is_behind=True), end
    bar, begin = _named(text, place, "|", _is_name)
    if text[place] == "|" and not bar:
        return None
    if text.startswith("</", begin):
        return _closing(text, begin, bar, text[place:begin])
    return None if bar else _opening(text, place)


def _tag(text: str, place: int) -> tuple[str, int]:
    """Return the name of an element at a place, and where it ends; no name if there is none."""
    if not (text[place : place + 1].isalpha() and text[place : place + 1].isascii()):
        return "", place
    end = _while(text, place, _is_name)
    return text[place:end], end


def _closing(text: str, begin: int, bar: str, inside: str) -> tuple[Item, int] | None:
    tag, end = _tag(text, begin + 2)
    end = _while(text, end, str.isspace)
    if not tag or text[end : end + 1] != ">":
        return None
    end += 1
    stop = _while(text, end + 1, _is_name)
    behind = text[end + 1 : stop] if text[end : end + 1] == "#" else ""
    end = stop if behind else end
    is_named = bool(behind or bar)
    return Mark("close", behind or bar, tag, inside, "", is_named, bool(behind), bool(behind)), end


def _opening(text: str, place: int) -> tuple[Item, int] | None:
    tag, end = _tag(text, place + 1)
    if not tag:
        return None
    cluster = tag if tag[-1].isdigit() else ""
    value = _attribute(text, end)
    if value is not None:
        cluster, end = value[0].strip() or cluster, value[1]
    end = _while(text, end, str.isspace)
    return (Mark("open", cluster, tag), end + 1) if text[end : end + 1] == ">" else None


def _attribute(text: str, place: int) -> tuple[str, int] | None:
    first = _while(text, place, str.isspace)
    stop = _while(text, first, lambda letter: _is_name(letter) or letter == ":")
    equals = _while(text, stop, str.isspace)
    begin = _while(text, equals + 1, str.isspace)
    quote = text[begin : begin + 1]
    if first in {place, stop} or text[equals : equals + 1] != "=" or quote not in ("'", '"'):
        return None
    end = _while(text, begin + 1, lambda letter: letter not in f"<>{quote}")
    return (text[begin + 1 : end], end + 1) if text[end : end + 1] == quote else None


def _square_tag_at(text: str, place: int) -> tuple[Item, int] | None:
    if text[place] != "[":
        return None
    is_end = text[place + 1 : place + 2] == "/"
    tag, end = _tag(text, place + 1 + is_end)
    if len(tag) < len("m1") or tag[-1] not in string.digits or text[end : end + 1] != "]":
        return None
    return (Mark("close", "", tag) if is_end else Mark("open", tag, tag)), end + 1


def _is_digit(letter: str) -> bool:
    return letter in string.digits


def _bracket_at(text: str, place: int) -> tuple[Item, int] | None:
    if text[place] == "[":
        stop = _while(text, place + 1, _is_digit)
        end = _while(text, stop, str.isspace)
        if place + 1 < stop < end:
            first = text[place + 1 : end]
            return Mark("open", text[place + 1 : stop], "", first, text[place:end]), end
        return Mark("open", written="["), place + 1
    name, begin = _named(text, place, ":", _is_digit)
    if text[place] == "|":
        name, begin = _named(text, place, "|", _is_name)
    if (text[place] in ":|" and not name) or text[begin : begin + 1] != "]":
        return None
    inside, stop = text[place:begin], begin + 1
    end = _while(text, stop, _is_digit)
    loose, is_loose = text[stop:end], False
    if text[stop : stop + 1] == "_":
        last = _while(text, stop + 1, _is_name)
        last += last == stop + 1 and text[last : last + 1] == "?"
        is_loose = last > stop + 1
        loose, end = (text[stop + 1 : last], last) if is_loose else ("", stop)
    is_named = bool(loose or name)
    written = text[place:end]
    return Mark("close", loose or name, "", inside, written, is_named, is_loose, bool(loose)), end


KINDS: Mapping[str, Sequence[Kind]] = {
    "markdown": [Kind(_link_at), Kind(_short_link_at), Kind(_reference_at)],
    "tagged": [
        *(Kind(partial(_element_at, is_numbered=every), True, "MASK") for every in (False, True)),  # noqa: FBT003 - columns of a table
        Kind(_square_tag_at, True),  # noqa: FBT003
    ],
    "bracketed": [Kind(_bracket_at, alone="?")],
}
