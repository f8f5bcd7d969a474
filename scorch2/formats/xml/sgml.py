"""COREF tags: the ``.coref`` files of OntoNotes, and the SGML of MUC-6 and MUC-7.

OntoNotes: a line is a sentence, its tokens stand between blanks, and ``<COREF ID="12" TYPE="IDENT">`` names
the cluster of a mention. Traces, such as ``*PRO*-1``, are empty nodes; a mention of words holds none.
Appositions (APPOS) are no coreference. A ``TEXT`` is a document, called as in CoNLL-2012:
``bc/cctv/00/cctv_0000-001``.

MUC: ``<COREF ID="2" TYPE="IDENT" REF="1">`` connects a mention with another. Offsets count the characters of
a ``DOC`` without its tags; blanks at the ends of a mention do not belong to it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from scorch2.formats.fields import LinkedMentions, value_of
from scorch2.formats.marked.shared import Annotator, MarkedText
from scorch2.formats.source import decoded, unmarked
from scorch2.model.document import Document, OnDemand
from scorch2.model.errors import InputError, MarkupError, counted, quoted

_VALUE = r""""[^"<>]*"|'[^'<>]*'|[^\s"'<>]+"""
_TAG = re.compile(rf"<(/?)([A-Za-z][\w.-]*)((?:\s+[\w.-]+\s*=\s*(?:{_VALUE}))*)\s*/?>|<[!?][^<>]*>")
_ATTRIBUTE = re.compile(rf"([\w.-]+)\s*=\s*({_VALUE})")


class SgmlTag(NamedTuple):
    """A tag, and the text before it."""

    before: str
    kind: str  # ``open``, ``close`` or ``end``: that of the file, which has no name
    name: str
    attributes: Mapping[str, str]
    line: int


_READ_TAGS = {"DOC", "TEXT", "COREF", "DOCID", "DOCNO"}
_PART = re.compile(r"<TEXT\s+PARTNO\s*=", re.IGNORECASE)
_DOCUMENT = re.compile(r"<(?:DOC|TEXT)(?=[\s>])", re.IGNORECASE)


def _tags(text: str) -> Iterator[SgmlTag]:
    """Yield the tags of a file that are read, then its end; what is no tag is text."""
    line, start = 1, 0
    before: list[str] = []
    for found in _TAG.finditer(text):
        before.append(text[start : found.start()])
        line += text.count("\n", start, found.start())
        if (name := (found[2] or "").upper()) in _READ_TAGS:
            given = {key.upper(): value.strip("\"'") for key, value in _ATTRIBUTE.findall(found[3])}
            yield SgmlTag("".join(before), "close" if found[1] else "open", name, given, line)
            before = []
        line += found[0].count("\n")
        start = found.end()
    before.append(text[start:])
    yield SgmlTag("".join(before), "end", "", {}, line + text.count("\n", start))


def documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file."""
    text = decoded(unmarked(data, path), path)
    number = sum(1 for found in _DOCUMENT.finditer(text) if found[0][1:].upper() == "DOC")
    if not number and not _DOCUMENT.search(text):
        raise MarkupError(path, 1, "no-document", "there is no <DOC> in it")
    tags = _tags(text)
    found = _parts(tags, stem, path) if _PART.search(text) else _of_muc(tags, number, stem, path)
    seen: dict[str, int] = {}
    for name, line, document in found:
        first = seen.setdefault(name, line)
        if first != line:
            why = f"a second document is called {quoted(name)}, as on line {first}"
            raise MarkupError(path, line, "same-name", why)
        yield document


_Named = tuple[str, int, Document]
_TRACE = re.compile(r"\*(?:(?:[A-Z]{1,4}|pro|\?)\*)?(?:-[0-9]+)?")
_NULL = "0"  # a complementizer without a word, if there are traces
_ESCAPES = {"-AMP-": "&", "-LAB-": "<", "-RAB-": ">"}
_ESCAPED = re.compile("|".join(_ESCAPES))


class _Open(NamedTuple):
    """A mention of which more is to come."""

    tag: SgmlTag
    start: int  # the first of its tokens, or characters


class _Corefs:
    """The mentions of a document that is being read."""

    def __init__(self, name: str, line: int, path: str) -> None:
        self.name, self.line, self._path = name, line, path
        self._open: list[_Open] = []
        self._mentions: list[tuple[_Open, int]] = []

    def _error(self, tag: SgmlTag, why: str) -> InputError:
        return MarkupError(self._path, tag.line, "bad-coref", why)

    def _closed(self, tag: SgmlTag) -> _Open:
        """Return the mention that a tag closes."""
        if not self._open:
            raise self._error(tag, "</COREF> without a <COREF> before it")
        return self._open.pop()

    def _refuse_open(self) -> None:
        if self._open:
            raise self._error(self._open[-1].tag, "a <COREF> that is not closed")


def _parts(tags: Iterator[SgmlTag], stem: str, path: str) -> Iterator[_Named]:
    name, part = stem, None
    for tag in tags:
        if part is not None:
            part.add_text(tag.before)
        if tag.name == "DOC" and tag.kind == "open":
            number = tag.attributes.get("DOCNO", tag.attributes.get("DOCID", ""))
            name = number.partition("@")[0].strip() or stem
        elif tag.name == "TEXT" and tag.kind == "open":
            number = tag.attributes.get("PARTNO", "")
            part = _Part(f"{name}-{number}" if number else name, tag.line, path)
        elif (tag.name == "TEXT" or tag.kind == "end") and part is not None:
            yield part.name, part.line, part.document()
            part = None
        elif tag.name == "COREF":
            if part is None:
                raise MarkupError(path, tag.line, "outside", "<COREF> stands outside of <TEXT>")
            part.take(tag)


class _Part(_Corefs):
    """A ``TEXT`` that is being read."""

    def __init__(self, name: str, line: int, path: str) -> None:
        super().__init__(name, line, path)
        self._found = Annotator(MarkedText(name, "", path, line), "sgml", str, encloses=False)
        self._words: list[str] = []  # and traces
        self._ends: list[int] = []  # of sentences, in tokens

    def add_text(self, text: str) -> None:
        first, *others = text.split("\n")
        self._words += first.split()
        for line in others:
            self._ends.append(len(self._words))
            self._words += line.split()

    def take(self, tag: SgmlTag) -> None:
        if tag.kind == "open":
            if not tag.attributes.get("ID"):
                raise self._error(tag, "a <COREF> has no ID")
            self._open.append(_Open(tag, len(self._words)))
            return
        opened = self._closed(tag)
        if opened.start == len(self._words):
            raise self._error(opened.tag, "a <COREF> without a token in it")
        self._mentions.append((opened, len(self._words) - 1))

    def document(self) -> Document:
        self._refuse_open()
        self._add_words()
        unread: Counter[str] = Counter()
        appositions = inside = 0
        for (tag, start), last in self._mentions:
            given = tag.attributes
            unread.update(value_of(key) for key in given if key not in _READ)
            if given.get("TYPE", "IDENT").upper() == "IDENT":
                self._found.add_mention(given["ID"], start, last, 0)
                inside += any(given.get(key, "0") != "0" for key in _OFFSETS)
            else:
                appositions += 1
        unread.update({"APPOS mention": appositions} if appositions else {})
        document = self._found.document()
        return document._replace(notes=_notes(appositions, inside), unread=OnDemand(dict, unread))

    def _add_words(self) -> None:
        has_traces = any(map(_TRACE.fullmatch, self._words))
        ends = iter([*self._ends, len(self._words) + 1])
        end = next(ends)
        for place, word in enumerate(self._words):
            while end <= place:
                self._found.end_sentence()
                end = next(ends)
            if _TRACE.fullmatch(word) or (has_traces and word == _NULL):
                self._found.add_empty(word)
            else:
                self._found.add_words([_ESCAPED.sub(lambda found: _ESCAPES[found[0]], word)])


_OFFSETS = ("S_OFF", "E_OFF")
_READ = {"ID", "TYPE", "SUBTYPE", "REF", *_OFFSETS}


def _notes(appositions: int, inside: int) -> list[str]:
    notes = []
    if appositions:
        notes.append(f"{counted(appositions, 'mention')} of appositions (APPOS) left out, as in CoNLL-2012")
    if inside:
        notes.append(f"{counted(inside, 'mention')} with an end inside a token widened to whole tokens")
    return notes


_NAMES = ("DOCID", "DOCNO")


def _of_muc(tags: Iterator[SgmlTag], texts: int, stem: str, path: str) -> Iterator[_Named]:
    """Yield the documents of a file of MUC, which has so many ``DOC``."""
    found: _Muc | None = None if texts else _Muc(stem, 1, path)
    number = 0
    for tag in tags:
        if found is not None:
            found.take(tag)
        if found is not None and (tag.kind == "end" or (tag.name, tag.kind) == ("DOC", "close")):
            yield found.name, found.line, found.document()
            found = None
        elif (tag.name, tag.kind) == ("DOC", "open"):
            number += 1
            found = _Muc(stem if texts == 1 else str(number), tag.line, path)


class _Muc(_Corefs):
    """A ``DOC`` that is being read."""

    def __init__(self, name: str, line: int, path: str) -> None:
        super().__init__(name, line, path)
        self._text: list[str] = []
        self._length = 0

    def take(self, tag: SgmlTag) -> None:
        self._text.append(tag.before)
        self._length += len(tag.before)
        if tag.name in _NAMES and tag.kind == "close":
            self.name = tag.before.strip() or self.name
        elif tag.name == "COREF" and tag.kind == "open":
            self._open.append(_Open(tag, self._length))
        elif tag.name == "COREF":
            self._mentions.append((self._closed(tag), self._length))

    def document(self) -> Document:
        self._refuse_open()
        text = "".join(self._text)
        found = LinkedMentions(text)
        for (tag, start), end in sorted(self._mentions, key=lambda one: (one[0].start, -one[1])):
            refuse, given = partial(self._error, tag), tag.attributes
            if not given.get("ID"):
                raise refuse("a <COREF> has no ID")
            inside = text[start:end]
            first = start + len(inside) - len(inside.lstrip())
            found.add(given["ID"], (first, start + len(inside.rstrip())), refuse)
            found.unread.update(value_of(key) for key in given if key not in _READ)
            if "REF" in given:
                kind = given.get("TYPE", "IDENT")
                found.link((given["ID"], given["REF"]), refuse, "" if kind.upper() == "IDENT" else kind)
        return found.document(self.name, self._path, "sgml")
