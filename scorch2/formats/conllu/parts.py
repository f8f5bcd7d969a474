"""The documents of a CoNLL-U file: parts that begin at a ``# newdoc`` line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from scorch2.model.errors import InputError
from scorch2.model.messages import printable, quoted

_NEWDOC = re.compile(r"#[ \t]*newdoc(?![^\s])[ \t]*(?:id[ \t]*= ?(.*))?(.*)")
_OF_FILES = re.compile(r"#[ \t]*(?:newdoc(?!\S)|global\.)")
"""Comments that say nothing about a sentence."""
BLANKS = " \t\r"
"""The characters that a line may hold and still count as empty."""


class Part(NamedTuple):
    """The lines of one document of a file."""

    name: str
    """As written, or given to a document without a name."""
    text: str
    """The text of the file, of which the document is a part."""
    start: int
    stop: int
    line: int
    """The line on which it begins, from 1."""

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line with its number."""
        return enumerate(self.text[self.start : self.stop].removesuffix("\n").split("\n"), self.line)


def unix_text(text: str) -> str:
    """Return the text of a file with line feeds alone."""
    return text.replace("\r\n", "\n") if "\r" in text else text


def parts(text: str, stem: str, path: str) -> Iterator[Part]:
    """Yield the parts of a file; lines before the first newdoc are one if there is a word in them.

    A document without a name is called `stem` if the file has no other, and by its number otherwise.

    Raises
    ------
    InputError
        For two documents of one name, and a newdoc line that cannot be read.
    """
    begins = list(_newdoc_lines(text))
    known: dict[str, int] = {}
    line, number = 1, 0
    for index, start in enumerate([0, *begins]):
        stop = begins[index] if index < len(begins) else len(text)
        if index or _has_words(text, start, stop):
            number += 1
            written = _name(text, start, line, path) if index else ""
            alone = len(begins) == 1 if index else not begins
            name = written or (stem if alone and number == 1 else str(number))
            if name in known:
                why = f"a second document is called {quoted(name)}, as on line {known[name]}"
                raise InputError(path, f"line {line}", why)
            known[name] = line
            yield Part(name, text, start, stop, line)
        line += text.count("\n", start, stop)


def _newdoc_lines(text: str) -> Iterator[int]:
    """Yield where newdoc lines begin. To find one word is ten times as fast as to match each line."""
    found = text.find("newdoc")
    while found >= 0:
        start = text.rfind("\n", 0, found) + 1
        if text.startswith("#", start) and _NEWDOC.match(text, start) and not text[start + 1 : found].strip():
            yield start
        found = text.find("newdoc", found + 1)


def _has_words(text: str, start: int, stop: int) -> bool:
    return any(line.strip(BLANKS) and not line.startswith("#") for line in text[start:stop].split("\n"))


def _name(text: str, start: int, line: int, path: str) -> str:
    match = _NEWDOC.match(text, start)
    name, other = match.groups() if match else ("", "")
    if other.strip(BLANKS):
        why = f"{quoted(printable(other.strip(BLANKS)))} after newdoc (write # newdoc id = <name>)"
        raise InputError(path, f"line {line}", why)
    return name if name and name.strip(BLANKS) else ""


def of_files(comment: str) -> bool:
    """Return whether a comment is about the file or the document, not about a sentence."""
    return bool(_OF_FILES.match(comment))
