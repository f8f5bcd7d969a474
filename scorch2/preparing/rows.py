"""Rows of annotations whose scores stay as they are written, and the tables that change them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import unquote

from scorch2.errors import InputError
from scorch2.formats.source import read_text
from scorch2.messages import counted, quoted

_WIKIPEDIA = ".wikipedia.org/wiki/"
_SCHEMES = ("http://", "https://")
_RANGE = 3


class Choice(NamedTuple):
    """An entity that a mention may denote."""

    id: str
    score: str
    type: str

    @property
    def rank(self) -> float:
        """The score as a number."""
        return float(self.score)


class Row(NamedTuple):
    """A mention: a line of annotations. Both offsets are inside it."""

    docid: str
    start: int
    end: int
    choices: Sequence[Choice]


class Span(NamedTuple):
    """A part of a document; both offsets are inside it."""

    docid: str
    start: int
    end: int


def as_text(rows: Iterable[Row]) -> str:
    """Return the lines of annotations."""
    lines = (
        "\t".join([row.docid, str(row.start), str(row.end), *(cell for one in row.choices for cell in one)])
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines)


def best_first(choices: Iterable[Choice]) -> list[Choice]:
    """Return choices by their score, the first of equal ones first."""
    return sorted(choices, key=lambda choice: -choice.rank)


def lines(path: str) -> list[tuple[int, list[str]]]:
    """Return the cells of every line of a tab-separated file, with its number; blank ones are left out."""
    found = enumerate(read_text(path).split("\n"), 1)
    return [(number, line.rstrip("\r").split("\t")) for number, line in found if line.strip()]


def score(cell: str, path: str, number: int) -> str:
    """Return a cell that is a finite number."""
    try:
        value = float(cell)
    except ValueError:
        value = float("nan")
    if not abs(value) < float("inf"):
        raise InputError(path, f"line {number}", f"the score {quoted(cell)} is not a number")
    return cell


def whole(cell: str, path: str, where: str) -> int:
    """Return a cell that is an offset."""
    if not (cell.isascii() and cell.isdigit()):
        raise InputError(path, where, f"{quoted(cell)} is not an offset")
    return int(cell[:19])


def excluded(path: str | None) -> list[Span]:
    """Return the ranges in which mentions are left out: ``docid start end ...`` a line."""
    found = []
    for number, cells in [] if path is None else lines(path):
        if len(cells) < _RANGE:
            why = f"{counted(len(cells), 'cell')}, but docid, start and end are wanted"
            raise InputError(path or "", f"line {number}", why)
        start, end = (whole(cell, path or "", f"line {number}") for cell in cells[1:_RANGE])
        found.append(Span(cells[0], start, end))
    return found


def lies_in(span: Span, ranges: Iterable[Span]) -> bool:
    """Return whether a span begins or ends inside one of the ranges of its document."""
    return any(
        one.docid == span.docid and any(one.start <= place <= one.end for place in span[1:]) for one in ranges
    )


def redirects(path: str | None) -> Mapping[str, str] | None:
    """Return the title for each redirect: ``title redirect redirect ...`` a line; None without a file."""
    if path is None:
        return None
    return {
        _underscored(redirect): _underscored(cells[0]) for _, cells in lines(path) for redirect in cells[1:]
    }


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


def decoded(ident: str) -> str:
    """Return an id with percent escapes resolved."""
    return unquote(ident)


def _underscored(title: str) -> str:
    return title.replace(" ", "_")
