r"""brat standoff ``.ann``: ``T1 <type> <start> <end>``, tab, the text; and relations between such mentions.

Follows the standoff format of brat 1.3. Every T line is a mention; its offsets count the characters of the
``.txt`` file beside it from 0, the end is outside. A mention in pieces (``0 4;9 12``) is read as one, from
its first character to its last. A cluster is what coreference relations connect: those whose name begins
with ``coref`` in any case (``R1 Coref Arg1:T2 Arg2:T1``), and ``* Equiv T1 T2``. A mention in none of them
is a singleton. A relation of events connects their triggers.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, cast

from scorch2.formats.brat.lines import LINES, SHAPES, is_coreference
from scorch2.formats.components import components
from scorch2.formats.places import number_of
from scorch2.formats.source import text_beside
from scorch2.model.document import Document, Mention
from scorch2.model.errors import InputError, counted, listed, quoted


class _Mention(NamedTuple):
    span: tuple[int, int]
    type: str
    line: int
    quoted: str
    """The text as the line quotes it; empty if it does not, or the mention is in pieces."""


class _Link(NamedTuple):
    ends: Sequence[str]
    line: int


class _Reading:
    """The lines of a file, sorted out."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.mentions: dict[str, _Mention] = {}
        self.triggers: dict[str, str] = {}
        self.links: list[_Link] = []
        self.others: Counter[str] = Counter()
        self.in_pieces = 0

    def take(self, line: str, number: int) -> None:
        """Read a line."""
        kind = line[0]
        if kind not in LINES:
            raise self.error(number, f"begins with none of {' '.join(LINES)}, as lines of brat do")
        match = LINES[kind].fullmatch(line)
        if match is None:
            raise self.error(number, f"a line that begins with {kind} is: {SHAPES[kind]}")
        if kind == "T":
            self._add(match, number)
        elif kind == "E":
            self.triggers[match[1]] = match[2]
        elif kind in "R*":
            self._relate(match, number, is_equivalence=kind == "*")

    def _relate(self, match: re.Match[str], number: int, *, is_equivalence: bool) -> None:
        name = match[1]
        if is_coreference(name, is_equivalence=is_equivalence):
            self.links.append(_Link(match[2].split(" ") if is_equivalence else match.group(2, 3), number))
        else:
            self.others[name] += 1

    def _add(self, match: re.Match[str], number: int) -> None:
        ident, kind, places, text = match.groups()
        if ident in self.mentions:
            raise self.error(number, f"a second mention is called {quoted(ident)}")
        starts, ends = [], []
        for piece in places.split(";"):
            start, end = (number_of(cell, "the offset", self.path, number) for cell in piece.split(" "))
            if start >= end:
                raise self.error(number, f"a mention ends where it begins, or before: {quoted(piece)}")
            starts.append(start)
            ends.append(end)
        self.in_pieces += len(starts) > 1
        text = text if text and len(starts) == 1 else ""
        self.mentions[ident] = _Mention((min(starts), max(ends)), kind, number, text)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Yield the mentions that are linked, two by two."""
        for link in self.links:
            ends = [self.triggers.get(end, end) for end in link.ends]
            for end in ends:
                if end not in self.mentions:
                    raise self.error(link.line, f"no line has the mention {quoted(end)}")
            yield from pairwise(ends)

    def notes(self) -> list[str]:
        """Return what was read in another way than it may be meant."""
        found = []
        if self.in_pieces:
            what = counted(self.in_pieces, "mention")
            found.append(f"{what} in pieces, read as one from the first character to the last")
        if self.others:
            what = counted(sum(self.others.values()), "relation")
            found.append(f"{what} called neither Coref... nor Equiv, not read ({listed(self.others)})")
        if not self.links and len(self.mentions) > 1:
            found.append("no relation called Coref... or Equiv: every mention is alone")
        return found

    def error(self, number: int, why: str) -> InputError:
        """Return an error about a line."""
        return InputError(self.path, f"line {number}", why)


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of a file, called like the file; clusters are called by their first mention.

    Raises
    ------
    InputError
        For a line that is not as brat writes it, a relation of an unknown mention, and a mention outside the
        text, where that lies beside the file.
    """
    reading = _Reading(path)
    for number, line in enumerate(text.split("\n"), 1):
        if stripped := line.removesuffix("\r"):
            reading.take(stripped, number)
    mentions = reading.mentions
    groups = components(list(mentions), cast("Iterator[tuple[Mention, Mention]]", reading.pairs()))
    order = {ident: place for place, ident in enumerate(mentions)}
    clusters: dict[str, list[Mention]] = {}
    for members in groups.values():
        idents = sorted(map(str, members), key=order.__getitem__)
        clusters[idents[0]] = [mentions[ident].span for ident in idents]
    notes = reading.notes()
    written = text_beside(path, ".txt")
    if written is not None:
        _refuse_outside(mentions, len(written), reading)
        notes += _differing(mentions, written)
    yield Document(
        stem,
        clusters,
        path,
        None if written is None else [len(written)],
        "brat",
        unit="character",
        notes=notes,
        half_open=True,
        exclusive=True,
        text=written,
        types={one.span: one.type for one in mentions.values()},
    )


def _refuse_outside(mentions: dict[str, _Mention], length: int, reading: _Reading) -> None:
    for ident, one in mentions.items():
        if one.span[1] > length:
            why = f"the mention {quoted(ident)} ends at {one.span[1]}, after the text ({length} characters)"
            raise reading.error(one.line, why)


def _differing(mentions: dict[str, _Mention], text: str) -> list[str]:
    """Return a note about mentions that quote another text than that at their place; blanks do not count."""
    odd = [
        (ident, one.quoted, text[slice(*one.span)])
        for ident, one in mentions.items()
        if one.quoted and "".join(one.quoted.split()) != "".join(text[slice(*one.span)].split())
    ]
    if not odd:
        return []
    ident, said, there = odd[0]
    what = (
        f"{counted(len(odd), 'mention')} of {len(mentions)} quoted otherwise than in the text beside the file"
    )
    return [
        f"{what} (are the offsets right?): {ident} is {quoted(said, 40)}, in the text {quoted(there, 40)}"
    ]
