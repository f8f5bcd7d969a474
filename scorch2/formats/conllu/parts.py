"""The documents of a CoNLL-U file: parts that begin at a ``# newdoc`` line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from scorch2.formats.source import decoded
from scorch2.model.errors import InputError, printable, quoted

_NEWDOC = re.compile(r"#[ \t]*newdoc(?![^\s])[ \t]*(?:id[ \t]*= ?(.*))?(.*)")
_ABOUT_FILE = re.compile(r"#[ \t]*(?:newdoc(?!\S)|global\.)")
"""Comments that say nothing about a sentence."""
BLANKS = " \t\r"
"""The characters that a line may hold and still count as empty."""
_BLOCK = 1 << 18
"""Bytes that are decoded at a time, up to the end of their sentence."""


class Part(NamedTuple):
    """The lines of one document of a file."""

    name: str
    """As written, or given to a document without a name."""
    data: bytes
    """Its lines, which end in line feeds alone; as text they would take up to four times the room."""
    line: int
    """The line of the file on which it begins, from 1."""
    has_newdoc: bool
    """Whether it begins with a newdoc line."""
    is_last: bool
    """Whether the file ends with it."""

    def __hash__(self) -> int:
        return hash((self.name, self.line))  # that of a long text takes 1 % of a run

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line with its number."""
        return enumerate(self.data.decode().removesuffix("\n").split("\n"), self.line)


def parts(data: bytes, stem: str, path: str) -> Iterator[Part]:
    """Yield the parts of a file; lines before the first newdoc are one if there is a word in them.

    A document without a name is called `stem` if the file has no other, and by its number otherwise.

    Raises
    ------
    InputError
        For two documents of one name, a newdoc line that cannot be read, and what is not UTF-8 text.
    """
    begins = list(_newdoc_lines(data))
    known: dict[str, int] = {}
    line, number = 1, 0
    for index, start in enumerate([0, *begins]):
        stop = begins[index] if index < len(begins) else len(data)
        lines = data[start:stop].replace(b"\r\n", b"\n")
        for first, block in blocks(lines, line):
            decoded(block, path, first)
        if index or _has_words(lines):
            number += 1
            written = _name(lines, line, path) if index else ""
            alone = len(begins) == 1 if index else not begins
            name = written or (stem if alone and number == 1 else str(number))
            if name in known:
                why = f"a second document is called {quoted(name)}, as on line {known[name]}"
                raise InputError(path, f"line {line}", why)
            known[name] = line
            yield Part(name, lines, line, index > 0, stop == len(data))
        line += lines.count(b"\n")


def blocks(lines: bytes, line: int) -> Iterator[tuple[int, bytes]]:
    """Yield lines, of which the first is `line`, in blocks, each after the number of its first line.

    So only little is decoded at a time. Each block but the last one ends with an empty line.
    """
    start = 0
    while (end := lines.find(b"\n\n", start + _BLOCK)) >= 0:
        stop = end + 2
        yield line, lines[start:stop]
        line += lines.count(b"\n", start, stop)
        start = stop
    if start < len(lines):
        yield line, lines[start:]


def _newdoc_lines(data: bytes) -> Iterator[int]:
    """Yield where newdoc lines begin."""
    return (start for start, line in comments_with(b"newdoc", data) if _NEWDOC.match(line))


def comments_with(word: bytes, data: bytes) -> Iterator[tuple[int, str]]:
    """Yield each comment that holds a word, after the number of bytes before it.

    That is ten times as fast as a look at each line.
    """
    found = data.find(word)
    while found >= 0:
        start = data.rfind(b"\n", 0, found) + 1
        end = data.find(b"\n", found)
        end = end if end >= 0 else len(data)
        if data.startswith(b"#", start):
            yield start, data[start:end].decode("utf-8", "replace").rstrip("\r")
        found = data.find(word, end)


def first_line(lines: bytes) -> str:
    """Return the first of some lines."""
    end = lines.find(b"\n")
    return lines[: end if end >= 0 else len(lines)].decode()


def _has_words(lines: bytes) -> bool:
    return any(line.strip(BLANKS.encode()) and not line.startswith(b"#") for line in lines.split(b"\n"))


def _name(lines: bytes, line: int, path: str) -> str:
    match = _NEWDOC.match(first_line(lines))
    name, other = match.groups() if match else ("", "")
    if other.strip(BLANKS):
        why = f"{quoted(printable(other.strip(BLANKS)))} after newdoc (write # newdoc id = <name>)"
        raise InputError(path, f"line {line}", why)
    return name if name and name.strip(BLANKS) else ""


def sentence_lines(part: Part) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the sentences of a document: the comments before each that are about it, and its rows."""
    comments: list[str] = []
    rows: list[str] = []
    for _, line in [*part.lines(), (0, "")]:
        if line.startswith("#"):
            if not _is_about_file(line):
                comments.append(line.rstrip(" \r"))
        elif line.strip(BLANKS):
            rows.append(line)
        elif rows:
            yield comments, rows
            comments, rows = [], []


def _is_about_file(comment: str) -> bool:
    """Return whether a comment is about the file or the document, not about a sentence."""
    return bool(_ABOUT_FILE.match(comment))
