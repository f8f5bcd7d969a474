"""The readers of texts with marks again, letter by letter. Used by fuzz_marked.py.

A text becomes a list of letters and marks, and mentions are found by counting words between marks. Nothing is
shared with the package.
"""

import json
import re
import string
from collections.abc import Callable, Iterator, Mapping
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


Item = str | Mark


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
            names = [stem] if len(lines) == 1 else map(str, range(1, len(lines) + 1))
            return [_tagged_words(name, line) for name, line in zip(names, lines, strict=True)]
        return [_nested(name, ITEMS[form](inner)) for name, inner in _texts(text, stem)]
    except (RefusedError, ValueError, RecursionError):
        return None


def _texts(text: str, stem: str) -> list[tuple[str, str]]:
    """Return the names and texts of a file."""
    if text.lstrip()[:1] == "{":
        return _named_once([_in_json(line) for line in text.split("\n") if line.strip()])
    found = [(stem, "")]
    for line in re.findall(r"[^\n]*\n|[^\n]+", text):
        name = _header(line.removesuffix("\n"))
        if name is None:
            found[-1] = found[-1][0], found[-1][1] + line
        else:
            found.append((name, ""))
    require(len(found) == 1 or not found[0][1].strip())
    return _named_once(found[1:] or found)


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
            self.mentions.append((cluster or f" {len(self.mentions)}", first, last))

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


def _markdown(text: str) -> list[Item]:
    return _paired(_items(text, _link_at))


def _link_at(text: str, place: int) -> tuple[Item, int] | None:
    if text[place] == "[":
        return Mark("open"), place + 1
    if text[place] != "]":
        return None
    end = _while(text, place + 3, lambda letter: letter not in "()" and not letter.isspace())
    if text[place + 1 : place + 3] == "(#" and text[end : end + 1] == ")":
        return Mark("close", text[place + 3 : end]), end + 1
    return Mark("close", "no link"), place + 1


def _paired(items: list[Item]) -> list[Item]:
    """Return brackets that close without a link, and their partners, as letters."""
    opened: list[int] = []
    for i, item in enumerate(items):
        if not isinstance(item, Mark):
            continue
        if item.kind == "open":
            opened.append(i)
            continue
        partner = opened.pop() if opened else None
        if item.cluster == "no link":
            items[i] = "]"
            if partner is not None:
                items[partner] = "["
    return items


def _tagged(text: str) -> list[Item]:
    return _flat(_items(text, _element_at))


def _is_name(letter: str) -> bool:
    return letter.isalnum() or letter in "_-"


def _element_at(text: str, place: int) -> tuple[Item, int] | None:
    if text[place] not in "<|":
        return None
    if text.startswith("</z>@", place):
        end = _while(text, place + 5, _is_name)
        if end > place + 5:
            return Mark("zero", text[place + 5 : end]), end
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
    cluster = behind or bar
    mark = Mark("close", "" if cluster == "MASK" else cluster, tag, inside if behind else "")
    return mark, stop if behind else end


def _opening(text: str, place: int) -> tuple[Item, int] | None:
    tag, end = _tag(text, place + 1)
    if not tag:
        return None
    cluster = tag if tag[-1].isdigit() else ""
    value = _attribute(text, end)
    if value is not None:
        cluster, end = value[0] or cluster, value[1]
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


def _flat(items: list[Item]) -> list[Item]:
    """Return items with the letters before each mark that it takes in and does not use."""
    found: list[Item] = []
    for item in items:
        found += [*item.inside, item] if isinstance(item, Mark) else [item]
    return found


def _bracketed(text: str) -> list[Item]:
    items = _items(text, _bracket_at)
    opened: list[int] = []
    found: list[list[Item]] = [[item] for item in items]
    for i, item in enumerate(items):
        if not isinstance(item, Mark):
            continue
        if item.kind == "open":
            opened.append(i)
            continue
        partner = opened.pop() if opened else None
        begin = items[partner] if partner is not None else Mark("open")
        first = begin.cluster if isinstance(begin, Mark) else ""
        behind, colon = item.tag, item.cluster
        cluster = behind or colon or first
        mark = Mark("close", "" if cluster == "?" else cluster)
        found[i] = [*item.inside, mark] if behind else [mark] if cluster else ["]"]
        if partner is not None and isinstance(begin, Mark):
            letters = list(begin.inside) if behind else []
            found[partner] = [Mark("open"), *letters] if cluster else ["["]
    for i in opened:
        begin = items[i]
        found[i] = [begin] if isinstance(begin, Mark) else []
    return [item for each in found for item in each]


def _bracket_at(text: str, place: int) -> tuple[Item, int] | None:
    def is_digit(letter: str) -> bool:
        return letter in string.digits

    if text[place] == "[":
        stop = _while(text, place + 1, is_digit)
        end = _while(text, stop, str.isspace)
        if place + 1 < stop < end:
            return Mark("open", text[place + 1 : stop], "", text[place + 1 : end]), end
        return Mark("open"), place + 1
    colon, begin = _named(text, place, ":", is_digit)
    if text[place] == ":" and not colon:
        return None
    if text[begin : begin + 1] != "]":
        return None
    end = begin + 1
    if text[end : end + 1] == "_":
        stop = _while(text, end + 1, _is_name)
        stop = stop + 1 if stop == end + 1 and text[stop : stop + 1] == "?" else stop
        behind, end = (text[end + 1 : stop], stop) if stop > end + 1 else ("", end)
    else:
        stop = _while(text, end, is_digit)
        behind, end = text[end:stop], stop
    return Mark("close", colon, behind, text[place:begin] if colon else ""), end


ITEMS: Mapping[str, Callable[[str], list[Item]]] = {
    "markdown": _markdown,
    "tagged": _tagged,
    "bracketed": _bracketed,
}
