"""Shared by texts with marks: the documents of a file, and the mentions between marks that open and close.

A mark without its partner is repaired: it is a mention of the word where it stands. A mark that cannot be
read is left out. `Document.repairs` has both, and who reads strictly raises the first of them. A backslash
before punctuation or a blank makes it a letter of a word, as in Markdown.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import NamedTuple

from scorch2.formats.fields import check_tokens
from scorch2.formats.json.strict import json_kind, parse
from scorch2.model.document import (
    Discontinuous,
    Document,
    Mention,
    OnDemand,
    Span,
    Words,
    mention_names,
    spans,
    with_only,
    without_discontinuous,
)
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.markables import Nodes, SyntaxRow, Tree, Word

_NEWDOC = re.compile(r"(?m)^#[ \t]*newdoc[ \t]+id[ \t]*= ?([^\r\n]*)\r?$\n?")
ESCAPED = r"\\(?:[!-/:-@\[-`{-~]|[^\S\n])"
_WORD = rf"(?:{ESCAPED}|\S)+"
_NAMES, _TEXTS = ("doc_id", "doc_key", "id"), ("text", "output")
"""The keys of a document in JSON, the first that is there."""
ALONE = "(alone)"  # how clusters of mentions that name none begin; no mark can write it


class MarkedText(NamedTuple):
    """A text with marks, and where it is."""

    name: str
    text: str
    path: str
    line: int  # the line of the file on which it begins
    where: str = ""  # its place in JSON instead

    def places(self) -> Callable[[int], str]:
        """Return what says, for messages, where a letter is."""
        starts = [0, *(found.end() for found in re.finditer("\n", self.text))]

        def place(at: int) -> str:
            line = bisect_right(starts, at) - 1
            column = at - starts[line] + 1
            if self.where:
                return f"{self.where}, line {line + 1} of the text, column {column}"
            return f"line {self.line + line}, column {column}"

        return place


def texts_of(content: str, stem: str, path: str) -> Iterator[MarkedText]:
    """Yield the texts of a file: lines of JSON, what follows lines ``# newdoc id = ...``, or the whole."""
    if content.lstrip()[:1] == "{":
        yield from _texts_in_json(content, path)
        return
    headers = list(_NEWDOC.finditer(content))
    if not headers:
        yield MarkedText(stem, content, path, 1)
        return
    before = content[: headers[0].start()]
    if before.strip():
        raise InputError(path, "line 1", "words before the first line # newdoc id = <name>")
    known: dict[str, int] = {}
    stops = [header.start() for header in headers[1:]] + [len(content)]
    for header, stop in zip(headers, stops, strict=True):
        line = content.count("\n", 0, header.start()) + 1
        _refuse_known(header[1], known, path, f"line {line}", line)
        yield MarkedText(header[1], content[header.end() : stop], path, line + 1)


def _refuse_known(name: str, known: dict[str, int], path: str, where: str, line: int) -> None:
    if known.setdefault(name, line) != line:
        why = f"a second document is called {quoted(name)}, as on line {known[name]}"
        raise InputError(path, where, why)


def _texts_in_json(content: str, path: str) -> Iterator[MarkedText]:
    known: dict[str, int] = {}
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        value, where = parse(line, path), f"line {number}: $"
        if type(value) is not dict:
            raise InputError(path, where, f"a document is an object, not {json_kind(value)}")
        name, text = (next((value[key] for key in keys if key in value), None) for keys in (_NAMES, _TEXTS))
        if type(name) is not str or type(text) is not str:
            known_keys = f"{' or '.join(_NAMES)}, and {' or '.join(_TEXTS)}"
            raise InputError(path, where, f"a text with marks in JSON has two strings: {known_keys}")
        _refuse_known(name, known, path, where, number)
        yield MarkedText(name, text, path, number, where)


class Annotator:
    """The words and mentions of a text while it is read."""

    def __init__(self, source: MarkedText, format: str, place: Callable[[int], str]) -> None:
        self._source = source
        self._place = place  # says for messages where a mark is, by its number
        self._format = format
        self._words: list[str] = []
        self._lengths: list[int] = []
        self._sentence = 0  # the number of words before the sentence
        self._places: list[Word] = []  # those of words and empty nodes
        self._empty: list[tuple[Word, str]] = []  # empty nodes with their forms
        self._clusters: dict[str, list[tuple[int, int]]] = {}
        self._alone = 0
        self._repairs: list[InputError] = []

    @property
    def size(self) -> int:
        """The number of words and empty nodes so far."""
        return len(self._places)

    def add_word(self, form: str) -> None:
        """Go on with a word."""
        self._words.append(form)
        self._places.append(Word(len(self._lengths), len(self._words) - self._sentence))

    def add_empty(self, form: str = "") -> None:
        """Go on with an empty node."""
        sentence, word, rank = len(self._lengths), len(self._words) - self._sentence, 0
        if self._places and self._places[-1][:2] == (sentence, word):
            rank = self._places[-1].rank
        self._places.append(Word(sentence, word, rank + 1))
        self._empty.append((self._places[-1], form or "_"))

    def end_sentence(self) -> None:
        """End a sentence, if a word is in it."""
        if len(self._words) > self._sentence:
            self._lengths.append(len(self._words) - self._sentence)
            self._sentence = len(self._words)

    def add_mention(self, entity: str, first: int, last: int, at: int) -> None:
        """Add what lies between two words or empty nodes, both included; without an entity it is alone."""
        if first > last:
            self.add_repair(at, "a mark without a word")
            return
        if not entity:
            self._alone += 1
            entity = f"{ALONE} {self._alone}"
        self._clusters.setdefault(entity, []).append((first, last))

    def add_repair(self, at: int, why: str) -> None:
        """Remember what had to be repaired."""
        self._repairs.append(InputError(self._source.path, self._place(at), why))

    def document(self) -> Document:
        """Return the document."""
        self.end_sentence()
        starts = [0, *accumulate(self._lengths)]
        clusters = {
            entity: [self._mention(*member, starts) for member in members]
            for entity, members in self._clusters.items()
        }
        notes = [f"{counted(self._alone, 'mention')} without a cluster, each alone"] if self._alone else []
        return Document(
            self._source.name, clusters, self._source.path, self._lengths, self._format, notes=notes,
            words=Words(list, self._words), repairs=self._repairs,
            trees=OnDemand(_trees, self._words, self._lengths, self._empty) if self._empty else None,
        )  # fmt: skip

    def _mention(self, first: int, last: int, starts: Sequence[int]) -> Mention:
        places = self._places[first : last + 1]
        begin, end = (starts[place.sentence] + place.word for place in (places[0], places[-1]))
        span = begin - (not places[0].rank), end
        return Discontinuous(*span, Nodes.of(places)) if any(place.rank for place in places) else span


def _trees(words: Sequence[str], lengths: Sequence[int], empty: Sequence[tuple[Word, str]]) -> list[Tree]:
    """Return the sentences with their empty nodes, of which nothing but the place is known."""
    rest = iter(words)
    rows = [[((number, 0), next(rest)) for number in range(1, length + 1)] for length in lengths]
    for place, form in empty:
        rows[min(place.sentence, len(rows) - 1)].append(((place.word, place.rank), form))
    return [
        Tree([], [SyntaxRow(f"{word}.{rank}" if rank else str(word), form, *"________")
                  for (word, rank), form in sorted(row)])
        for row in rows
    ]  # fmt: skip


class Mark(NamedTuple):
    """A mark of a format in which marks are nested, or the text before it."""

    kind: str  # ``open``, ``close``, ``zero`` or ``text``
    value: str  # the cluster that a mark names, or the text
    at: int  # where it stands
    tag: str = ""  # what the other mark of the mention is called, too


def nested(source: MarkedText, marks: Iterable[Mark], format: str) -> Document:
    """Return the document of a text with nested marks."""
    found = Annotator(source, format, source.places())
    opened: list[tuple[Mark, int]] = []
    text = ""
    for mark in marks:
        if mark.kind == "text":
            text += mark.value
            continue
        _add_text(found, text)
        text = ""
        if mark.kind == "open":
            opened.append((mark, found.size))
        elif mark.kind == "zero":
            found.add_empty()
            found.add_mention(mark.value, found.size - 1, found.size - 1, mark.at)
        else:
            _close(found, opened, mark)
    _add_text(found, text)
    _repair(found, opened)
    return found.document()


def _add_text(found: Annotator, text: str) -> None:
    for number, line in enumerate(text.split("\n")):
        if number:
            found.end_sentence()
        for word in line.split() if "\\" not in line else map(_unescaped, re.findall(_WORD, line)):
            found.add_word(word)


def _unescaped(word: str) -> str:
    return re.sub(ESCAPED, lambda letter: letter[0][1], word)


def _close(found: Annotator, opened: list[tuple[Mark, int]], mark: Mark) -> None:
    place = next((i for i in reversed(range(len(opened))) if opened[i][0].tag == mark.tag), None)
    if place is None:
        found.add_repair(mark.at, f"a mark closes here{_of(mark)} that no mark opens")
        if mark.value and found.size:
            found.add_mention(mark.value, found.size - 1, found.size - 1, mark.at)
        return
    _repair(found, opened[place + 1 :])
    begin, first = opened[place]
    del opened[place:]
    found.add_mention(mark.value or begin.value, first, found.size - 1, begin.at)


def _repair(found: Annotator, opened: Sequence[tuple[Mark, int]]) -> None:
    """Make marks that do not close mentions of one word, if they name a cluster."""
    for mark, first in opened:
        found.add_repair(mark.at, f"a mark opens here{_of(mark)} that does not close")
        if mark.value and first < found.size:
            found.add_mention(mark.value, first, first, mark.at)


def _of(mark: Mark) -> str:
    return f" for {quoted(mark.value)}" if mark.value else ""


def is_alone(cluster: str) -> bool:
    """Return whether a cluster stands for a mention that names none."""
    return cluster.startswith(ALONE)


def numbers_of(document: Document) -> dict[str, str]:
    """Return the number of each cluster as it is written, from 1; nothing for a mention that names none."""
    named = [cluster for cluster in document.clusters if not is_alone(cluster)]
    return {**dict.fromkeys(document.clusters, ""), **{name: str(i) for i, name in enumerate(named, 1)}}


def blind(document: Document, *, mentions: bool) -> Document:
    """Return a document whose mentions name no cluster, or one without mentions."""
    every = () if mentions else dict.fromkeys(chain.from_iterable(document.clusters.values()))
    clusters = {f"{ALONE} {number}": [mention] for number, mention in enumerate(every, 1)}
    return document._replace(clusters=clusters, markables=None)


def written(document: Document, what: str, marks: Callable[[str], tuple[str, str]], signs: str) -> str:
    """Return a document with nested marks, by what opens and what closes a mention of a cluster's number.

    The letters of which marks are made, `signs`, get a backslash in words.
    """
    odd = re.compile(rf"[\\{re.escape(signs)}]|[^\S\n]")
    words = [odd.sub(r"\\\g<0>", word) for word in check_tokens(document, what)()]
    numbers = numbers_of(document)
    for span, cluster in _from_inside(document, what):
        begin, finish = marks(numbers[cluster])
        words[span[0]] = begin + words[span[0]]
        words[span[1] - 1] += finish
    rest = iter(words)
    lines = [" ".join(islice(rest, length)) for length in document.sentences or ()]
    lines = [f"\\{line}" if line[:1] == "#" else line for line in lines]
    return "".join(f"{line}\n" for line in [f"# newdoc id = {document.id}", *lines])


def _from_inside(document: Document, what: str) -> list[tuple[Span, str]]:
    """Return the mentions with their clusters, each before those around it; an InputError if two cross."""
    every = _from_outside(document)
    kept = _uncrossed(span for span, _ in every)
    crossing = next((span for span, _ in every if span not in kept), None)
    if crossing is not None:
        shown = mention_names(document)(crossing)
        why = f"the mention {shown} of {quoted(document.id)} crosses another, which {what} cannot hold"
        raise document.error(f"{why} (--lossy leaves it out)")
    return every[::-1]


def _from_outside(document: Document) -> list[tuple[Span, str]]:
    every = [(span, name) for name, members in document.clusters.items() for span in spans(members)]
    return sorted(dict.fromkeys(every), key=lambda found: (found[0][0], -found[0][1]))


def _uncrossed(sorted_spans: Iterable[Span]) -> set[Span]:
    """Return spans without those that begin in one before and end behind it."""
    kept: set[Span] = set()
    around: list[int] = []  # where the spans end that are open
    for start, end in sorted_spans:
        while around and around[-1] <= start:
            around.pop()
        if not around or end <= around[-1]:
            around.append(end)
            kept.add((start, end))
    return kept


def fitting(document: Document) -> Document:
    """Return a document without discontinuous mentions, and without those that cross one before."""
    document = without_discontinuous(document)
    kept = _uncrossed(span for span, _ in _from_outside(document))
    places = {
        name: [i for i, span in enumerate(members) if span in kept]
        for name, members in document.clusters.items()
    }
    return with_only(document, places)
