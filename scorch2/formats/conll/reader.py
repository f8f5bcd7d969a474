"""Columns of CoNLL-2011/2012 and SemEval-2010: the last one says which mentions open and close on a token.

Read strictly and from left to right. The coreference cell is ``-``, ``_``, ``*`` or empty where nothing
happens, else tags with or without pipes: ``(7`` opens a mention of entity 7, ``7)`` closes the last one
opened, ``(7)`` is a mention of one token. Any identifier without brackets, pipes and blanks is allowed. On
one token mentions close before they open. Columns end at tabs if a line holds one, at blanks otherwise. A
line that starts with ``#`` and holds no tab is a comment.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import pairwise

from scorch2.formats.conll.cells import (
    BLANKS,
    DISCARDED,
    OPEN,
    REOPEN,
    SINGLE,
    Tags,
    cell_of,
    refuse_other_column,
    tags_of,
)
from scorch2.formats.conll.columns import BEGIN, END, Beginning, Rows, blocks, word_on, words_of
from scorch2.model.document import Columns, Document
from scorch2.model.errors import InputError, counted, quoted

_SHOWN = 40
"""Characters of a word that a message shows."""
_NAME = re.compile(r"\((.*)\);?(?:\s*part\s+(\S+))?")

_MAY_HOLD_TAGS = {
    "\t": re.compile(r"\n(?<!\t[-_*]\n)(?<!\t[-_*]\t\n)"),
    " ": re.compile(r"\n(?<! [-_*]\n)"),
}
"""Per separator: matches the end of lines whose last cell may hold a tag. Other lines are skipped."""


def read(text: str, stem: str, path: str) -> list[Document]:
    """Return what `documents` yields."""
    return list(documents(text, stem, path))


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order, with token spans as mentions.

    A document is called ``<name>-<part>`` or, without a part, ``<name>``; one without a name is called
    `stem`.

    Raises
    ------
    InputError
        With the line: tokens outside a document, an unreadable cell, brackets that do not match, no end line.
    """
    current: _Reading | None = None
    cells: dict[str, Tags] = {}
    begun: dict[str, int] = {}
    text = text.replace("\r\n", "\n") if "\r" in text else text
    text = text if text.endswith("\n") else f"{text}\n"
    number = 0
    for start, mark, rows in blocks(text):
        number += bool(mark)
        if begin := BEGIN.match(mark):
            name = document_name(begin[1], stem)
            _refuse_begin(name, number, current, begun, path)
            current = _Reading(name, Beginning(text, start, number, path), cells)
            begun[name] = number
        elif END.match(mark):
            yield _ended(current, text, start, number, path)
            current = None
        elif mark and current:
            current.comments += 1
        if current:
            number = current.take(rows, number)
        else:
            _refuse_tokens(rows, number, path)
            number += rows.count("\n")
    if current:
        why = f"the document {quoted(current.name)} has no #end document line"
        raise InputError(path, f"line {current.begin.line}", why)
    if not begun:
        raise InputError(path, "", "no document in it (no #begin document line)")


def _refuse_begin(
    name: str, number: int, current: "_Reading | None", begun: Mapping[str, int], path: str
) -> None:
    if current:
        why = f"a document begins inside {quoted(current.name)}, which has no #end document line"
        raise InputError(path, f"line {number}", why)
    if name in begun:
        why = f"a second document is called {quoted(name)}, as on line {begun[name]}"
        raise InputError(path, f"line {number}", why)


def _ended(current: "_Reading | None", text: str, stop: int, number: int, path: str) -> Document:
    if not current:
        raise InputError(path, f"line {number}", "a document ends here that never began")
    return current.document(Rows(words_of, text, current.begin.position, stop, current.begin.line, path))


def _refuse_tokens(rows: str, before: int, path: str) -> None:
    for number, line in enumerate(rows.split("\n"), before + 1):
        if line.strip(BLANKS):
            why = "a token outside a document (no #begin document line before it)"
            raise InputError(path, f"line {number}", why)


def document_name(written: str, stem: str = "") -> str:
    """Return the name in the rest of a begin line, with `stem` where it is empty.

    >>> document_name(" (bc/cctv_0000); part 000"), document_name(" GUM_news_afghan"), document_name(" ", "x")
    ('bc/cctv_0000-000', 'GUM_news_afghan', 'x')
    """
    match = _NAME.fullmatch(written.strip())
    name, part = match.groups() if match else (written.strip(), None)
    return "-".join(word for word in (name or stem, part) if word)


class _Reading:
    """A document whose end line was not reached yet."""

    def __init__(self, name: str, begin: Beginning, cells: dict[str, Tags]) -> None:
        self.name = name
        self.begin = begin
        self.comments = 0
        self._discarded = ""  # a tag that the reference scorer skips, if there is one
        self._touching = 0  # tokens on which an entity ends one mention and begins another
        self._path = begin.path
        self._cells = cells  # the cells of the file that were read before
        self._tokens = 0
        self._breaks = [0]  # tokens before each blank line
        self._spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._unclosed: dict[str, list[tuple[int, int]]] = defaultdict(list)
        """First token and line of the mentions that are open, by entity."""

    def take(self, rows: str, before: int) -> int:
        """Read rows and blank lines that follow line `before` of the file; return the line of the last."""
        separator = "\t" if "\t" in rows else " "
        cells, spans, unclosed = self._cells, self._spans, self._unclosed
        token, shift = self._tokens - 1, before + 1 - self._tokens  # a token is on the line token + shift
        parts = _MAY_HOLD_TAGS[separator].split(rows)
        rest = parts.pop()
        for part in parts:  # lines without a tag, then one that may hold some
            token += part.count("\n") + 1
            tags = cells.get(part.rpartition(separator)[2])
            if tags is None:
                line = part.rpartition("\n")[2]
                if not line.strip(BLANKS):
                    self._breaks.append(token)
                    token, shift = token - 1, shift + 1
                    continue
                tags = self._read_cell(line, token + shift)
            for action, entity in tags:
                members = spans[entity]
                if action == OPEN:
                    unclosed[entity].append((token, token + shift))
                elif action == SINGLE:
                    members.append((token, token + 1))
                elif action == REOPEN:
                    unclosed[entity].append((token, token + shift))
                    self._touching += 1
                elif opened := unclosed[entity]:
                    members.append((opened.pop()[0], token + 1))
                else:
                    raise self._unopened(entity, token + shift)
        token += rest.count("\n")
        self._tokens = token + 1
        return token + shift

    def document(self, words: Columns) -> Document:
        """Return the document, at its end line."""
        for entity in self._spans:
            if left := self._unclosed.get(entity):
                line = left[-1][1]
                shown = f"begins here{self._word_on(line)} and does not end in the document"
                raise InputError(self._path, f"line {line}", f"a mention of entity {quoted(entity)} {shown}")
        sentences = [end - start for start, end in pairwise([*self._breaks, self._tokens]) if end > start]
        notes = []
        if self.comments:
            notes.append(
                f"{counted(self.comments, 'comment line')} inside the document, not counted as tokens"
            )
        if self._discarded:
            notes.append(f"tags such as {self._discarded} name an entity; the reference scorer discards them")
        if self._touching:
            where = counted(self._touching, "token")
            notes.append(f"on {where} a mention closed before the next of its entity opened")
        return Document(
            self.name,
            dict(self._spans),
            self._path,
            sentences,
            "conll",
            words=words,
            notes=notes,
        )

    def _unopened(self, entity: str, line: int) -> InputError:
        shown = f"a token{self._word_on(line)} where none of its mentions is open"
        return InputError(self._path, f"line {line}", f"entity {quoted(entity)} ends on {shown}")

    def _word_on(self, line: int) -> str:
        """Return the word on a line for a message; nothing if its column is not known."""
        word = word_on(line, self.begin)
        return "" if word is None else f" ({quoted(word, _SHOWN)})"

    def _read_cell(self, line: str, number: int) -> Tags:
        cell = cell_of(line, number, self._path)
        refuse_other_column(cell, number, self._path)
        tags = tags_of(cell, number, self._path)
        if discarded := DISCARDED.search(cell):
            self._discarded = discarded[0]
        elif cell:  # whether an empty one is right depends on its line
            self._cells[cell] = tags
        return tags
