"""Rows of annotations whose scores stay as they are written, and the tables that change them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote

from scorch2.formats.fields import DIGITS
from scorch2.formats.source import read_text
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.options import finite_number

_WIKIPEDIA = ".wikipedia.org/wiki/"
_SCHEMES = ("http://", "https://")
_RANGE = 3
_BREAK = re.compile(r"[\t\n\r]")
"""Characters that end a cell or a line."""


class Choice(NamedTuple):
    """An entity that a mention may denote."""

    id: str
    score: str
    type: str

    @property
    def rank(self) -> float:
        """The score as a number."""
        return float(self.score)


class MentionRow(NamedTuple):
    """A mention: a line of annotations. Both offsets are inside it."""

    docid: str
    start: int
    end: int
    choices: Sequence[Choice]


class Range(NamedTuple):
    """A part of a document; both offsets are inside it."""

    docid: str
    start: int
    end: int


Ranges: TypeAlias = Mapping[str, Sequence[Range]]
"""The parts of each document in which mentions are left out."""


def as_text(rows: Iterable[MentionRow]) -> str:
    """Return the lines of annotations."""
    lines = (
        "\t".join([row.docid, str(row.start), str(row.end), *(cell for one in row.choices for cell in one)])
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines)


def summary(rows: Sequence[MentionRow]) -> str:
    """Return how many mentions and links there are."""
    links = sum(len(row.choices) for row in rows)
    return f"{counted(len(rows), 'mention')}, {counted(links, 'link')}"


def best_first(choices: Iterable[Choice]) -> list[Choice]:
    """Return choices by their score, the first of equal ones first."""
    return sorted(choices, key=lambda choice: -choice.rank)


def lines(path: str) -> list[tuple[int, list[str]]]:
    """Return the cells of every line of a tab-separated file, with its number; blank ones are left out."""
    found = enumerate(read_text(path).split("\n"), 1)
    return [(number, line.removesuffix("\r").split("\t")) for number, line in found if line.strip()]


def cell(text: str, what: str, path: str, where: str) -> str:
    """Return `text` if it fits one cell; raise an InputError if it would be read as several."""
    if _BREAK.search(text):
        raise InputError(path, where, f"the {what} {quoted(text)} holds a tab or a line break")
    return text


def score(text: str, path: str, where: str) -> str:
    """Return a cell that is a finite number, as it is written."""
    if finite_number(text) is None:
        raise InputError(path, where, f"the score {quoted(text)} is not a finite number")
    return text


def range_of(docid: str, start: str, end: str, path: str, where: str) -> Range:
    """Return a part of a document whose offsets are written as text.

    Raises
    ------
    InputError
        For a document without a name, what is not an offset, and a start after the end.
    """
    if not cell(docid, "docid", path, where):
        raise InputError(path, where, "the docid is empty")
    first, last = offset(start, path, where), offset(end, path, where)
    if first > last:
        why = f"the start {first} is after the end {last} (the end is the last unit of the mention)"
        raise InputError(path, where, why)
    return Range(docid, first, last)


def offset(text: str, path: str, where: str) -> int:
    """Return the offset that a cell holds; raise an InputError if it holds none."""
    if not (text.isascii() and text.isdigit()):
        raise InputError(path, where, f"{quoted(text)} is not an offset")
    if len(text) > DIGITS:
        raise InputError(path, where, f"an offset of more than {DIGITS} digits")
    return int(text)


def excluded(path: str | None) -> Ranges:
    """Return the ranges in which mentions are left out: one per line, ``docid start end ...``."""
    found: dict[str, list[Range]] = {}
    for number, cells in [] if path is None else lines(path):
        if len(cells) < _RANGE:
            why = f"{counted(len(cells), 'cell')}, but docid, start and end are wanted"
            raise InputError(path or "", f"line {number}", why)
        one = range_of(cells[0], cells[1], cells[2], path or "", f"line {number}")
        found.setdefault(one.docid, []).append(one)
    return found


def lies_in(one: Range, ranges: Ranges) -> bool:
    """Return whether a range begins or ends inside one of the `ranges` of its document."""
    inside = ranges.get(one.docid, ())
    return any(part.start <= place <= part.end for part in inside for place in (one.start, one.end))


def redirects(path: str | None) -> Mapping[str, str] | None:
    """Return the title for each redirect, from lines ``title redirect redirect ...``; None without a file.

    Raises
    ------
    InputError
        For a redirect to two titles.
    """
    if path is None:
        return None
    found: dict[str, str] = {}
    for number, (written, *others) in lines(path):
        title = _underscored(written)
        for redirect in map(_underscored, others):
            if found.setdefault(redirect, title) != title:
                why = f"{quoted(redirect)} is {quoted(title)} here and {quoted(found[redirect])} above"
                raise InputError(path, f"line {number}", why)
    return found


def titled(ident: str, titles: Mapping[str, str] | None) -> str:
    """Return an id as its title; without titles as it is."""
    if titles is None:
        return ident
    for scheme in _SCHEMES:
        host, wiki, page = ident.partition(_WIKIPEDIA)
        if wiki and host.startswith(scheme) and "/" not in host.removeprefix(scheme):
            ident = page
    ident = _underscored(ident)
    return titles.get(ident, ident)


def decoded(ident: str, path: str, where: str) -> str:
    """Return an id with percent escapes resolved; raise an InputError if they are not UTF-8."""
    try:
        plain = unquote(ident, errors="strict")
    except UnicodeDecodeError:
        raise InputError(path, where, f"the escapes in {quoted(ident)} are not UTF-8") from None
    return cell(plain, "id", path, where)


def _underscored(title: str) -> str:
    return title.replace(" ", "_")
