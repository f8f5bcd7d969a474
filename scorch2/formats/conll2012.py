"""CoNLL-2011/2012 columns: one token a line, its last column says which mentions open and close there.

Read strictly and from left to right. The coreference cell is ``-``, ``_``, ``*`` or empty where nothing
happens, else
tags with or without pipes: ``(7`` opens a mention of entity 7, ``7)`` closes the last one opened, ``(7)`` is
a mention
of one token. Any identifier without brackets, pipes and blanks will do. On one token mentions close before
they open.
Columns end at tabs if a line holds one, at blanks otherwise. Lines that start with ``#`` and hold no tab are
comments.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from scorch2.document import Document
from scorch2.errors import InputError, printable, quoted

_BEGIN = re.compile(r"#\s*begin document\b(.*)")
_END = re.compile(r"#\s*end document\b")
_NAME = re.compile(r"\((.*)\);?(?:\s*part\s+(\S+))?")
_TAG = re.compile(r"\(([^()|\s]+)(\)?)|([^()|\s]+)\)|\|")

# How a line ends whose cell says nothing: most lines, decided before anything is split. After a blank only if
# the line has no tabs; before a tab where the last column is empty and the one before is filled up (LitBank).
_NOTHING = frozenset({"\t-", "\t_", "\t*"})
_NOTHING_AFTER_BLANK = frozenset({" -", " _", " *"})
_NOTHING_BEFORE_TAB = frozenset({"\t-\t", "\t_\t", "\t*\t"})


class _Tags(NamedTuple):
    """What a coreference cell says."""

    closes: list[str]
    opens: list[str]
    singles: list[str]


def read(text: str, stem: str, path: str) -> list[Document]:
    """Return the documents of a file in its order, with token spans as mentions.

    A document is called ``<name>-<part>`` or, without a part, ``<name>``; one without a name is called
    `stem`.

    Raises
    ------
    InputError
        With the line: tokens outside a document, an unreadable cell, brackets that do not match, no end line.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    lines = iter(enumerate(text.split("\n"), 1))
    cells: dict[str, _Tags] = {}
    documents = []
    for number, line in lines:
        if line.startswith("#"):
            begin = _BEGIN.match(line)
            if begin:
                name = document_name(begin[1]) or stem
                documents.append(_document(lines, cells, name, number, path))
            elif _END.match(line):
                raise InputError(path, f"line {number}", "a document ends here that never began")
        elif line and not line.isspace():
            raise InputError(
                path, f"line {number}", "a token outside a document (no #begin document line before it)"
            )
    if not documents:
        raise InputError(path, "", "no document in it (no #begin document line)")
    return documents


def document_name(written: str) -> str:
    """Return the name in the rest of a begin line.

    >>> document_name(" (bc/cctv_0000); part 000"), document_name(" GUM_news_afghan"), document_name(" ")
    ('bc/cctv_0000-000', 'GUM_news_afghan', '')
    """
    match = _NAME.fullmatch(written.strip())
    if not match:
        return written.strip()
    return "-".join(part for part in match.groups() if part)


def _document(
    lines: Iterator[tuple[int, str]], cells: dict[str, _Tags], name: str, begin: int, path: str
) -> Document:
    """Read on to the end line of a document that began on line `begin`."""
    sentences: list[int] = []
    tokens = before = 0  # so far, and so far when the sentence began
    spans: dict[str, list[tuple[int, int]]] = {}
    unclosed: dict[str, list[tuple[int, int]]] = {}  # first token and line of what is open, by entity
    comments = 0
    for number, line in lines:
        if _says_nothing(line) and line[0] != "#":
            tokens += 1
            continue
        if not line or line.isspace():
            if tokens > before:
                sentences.append(tokens - before)
                before = tokens
            continue
        if line[0] == "#":
            if _END.match(line):
                break
            if _BEGIN.match(line):
                why = f"a document begins inside {quoted(name)} of line {begin} (is its end line missing?)"
                raise InputError(path, f"line {number}", why)
            if "\t" not in line:
                comments += 1
                continue
        cell = _cell(line, number, path)
        tags = cells.get(cell)
        if tags is None:
            tags = cells[cell] = _tags(cell, number, path)
        for entity in tags.closes:
            if not unclosed.get(entity):
                why = f"entity {quoted(entity)} ends on a token where none of its mentions is open"
                raise InputError(path, f"line {number}", why)
            spans[entity].append((unclosed[entity].pop()[0], tokens + 1))
        for entity in tags.singles:
            spans.setdefault(entity, []).append((tokens, tokens + 1))
        for entity in tags.opens:
            spans.setdefault(entity, [])
            unclosed.setdefault(entity, []).append((tokens, number))
        tokens += 1
    else:
        why = f"the document {quoted(name)} has no #end document line"
        raise InputError(path, f"line {begin}", why)
    for entity, left in unclosed.items():
        if left:
            why = f"a mention of entity {quoted(entity)} begins here and does not end in the document"
            raise InputError(path, f"line {left[-1][1]}", why)
    if tokens > before:
        sentences.append(tokens - before)
    notes = (f"{comments} comment lines inside the document are not tokens",) if comments else ()
    return Document(name, spans, path, sentences, "conll", notes)


def _says_nothing(line: str) -> bool:
    return (
        line[-2:] in _NOTHING
        or (line[-2:] in _NOTHING_AFTER_BLANK and "\t" not in line)
        or line[-3:] in _NOTHING_BEFORE_TAB
    )


def _cell(line: str, number: int, path: str) -> str:
    if "\t" not in line:
        return line.rsplit(maxsplit=1)[-1]
    *before, cell = line.rstrip(" \r").split("\t")
    if not cell and before and set("()") & set(before[-1]):
        why = "the last column is empty and brackets stand before it (write - there, or drop the last tab)"
        raise InputError(path, f"line {number}", why)
    return cell.strip()


def _tags(cell: str, number: int, path: str) -> _Tags:
    tags = _Tags([], [], [])
    if cell in ("", "-", "_", "*"):
        return tags
    position = 0
    for match in _TAG.finditer(cell):
        if match.start() != position:
            break
        position = match.end()
        opened, closed_at_once, closed = match.groups()
        if closed:
            tags.closes.append(closed)
        elif opened:
            (tags.singles if closed_at_once else tags.opens).append(opened)
    if position != len(cell) or not any(tags):
        why = f"the coreference cell {quoted(cell)} cannot be read at {quoted(printable(cell[position:]))}"
        raise InputError(path, f"line {number}", why)
    return tags
