"""brat: a folder of ``.ann`` files; T lines are mentions, N lines name their entities."""

import os
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorch2.formats.rows.brat import LINES, MENTION, REFERENCE, SHAPES, is_coreference
from scorch2.linking.converters.rows import Choice, MentionRow, cell, decoded, offset, titled
from scorch2.model.document import NIL
from scorch2.model.errors import InputError, Notice, counted, quoted, shown_path, unreadable

SUFFIX = ".ann"
_SURE = "1.0"


class _Mention(NamedTuple):
    type: str
    pieces: list[tuple[int, int]]
    """Half-open."""


class _Line(NamedTuple):
    text: str
    path: str
    where: str

    def error(self, why: str) -> InputError:
        return InputError(self.path, self.where, why)


def files(folder: str) -> Mapping[str, str]:
    """Return the annotation files of a folder by their stems, sorted; texts and settings lie beside them.

    Raises
    ------
    InputError
        For what is no folder, has no such file, or one whose name could be no docid.
    """
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(SUFFIX) and name[0] != ".")
    except OSError as error:
        raise unreadable(folder, error) from None
    if not names:
        raise InputError(folder, "", f"no {SUFFIX} file in it")
    found = {}
    for name in names:
        path = os.path.join(folder, name)
        if not name.isprintable():
            raise InputError(path, "", "the file name holds a control character, or is not UTF-8")
        found[name.removesuffix(SUFFIX)] = path
    return found


def from_text(
    text: str, path: str, docid: str, titles: Mapping[str, str] | None, *, pieces: bool
) -> tuple[list[MentionRow], list[Notice]]:
    """Return the mentions of a file by their offsets, and what was noticed.

    Parameters
    ----------
    text, path, docid : str
        What is in the file, its path for messages, and what its document is called.
    titles : mapping, optional
        What ids are replaced by.
    pieces : bool
        Write one row per piece of a mention; else one row, from the first piece to the last.

    Raises
    ------
    InputError
        For a line that is not as brat writes it, with its number.
    """
    mentions: dict[str, _Mention] = {}
    denoted: dict[str, list[Choice]] = {}
    references: list[tuple[str, _Line]] = []
    dropped = 0
    for number, written in enumerate(text.split("\n"), 1):
        line = _Line(written.removesuffix("\r"), path, f"line {number}")
        if written.startswith("T"):
            ident, mention = _mention(line)
            if ident in mentions:
                raise line.error(f"a second mention is called {quoted(ident)}")
            mentions[ident] = mention
        elif written.startswith("N"):
            ident, entity = _reference(line)
            denoted.setdefault(ident, []).append(Choice(titled(entity, titles), _SURE, ""))
            references.append((ident, line))
        else:
            dropped += _is_coreference(line.text)
    for ident, line in references:
        if ident not in mentions:
            raise line.error(f"an N line is about {quoted(ident)}, which no T line has")
    rows, notices = _rows(mentions, denoted, docid, pieces=pieces)
    if dropped:
        what = counted(dropped, "relation")
        why = f"{what} of coreference not kept (scorch2 convert --to=tsv {shown_path(path)} <out> keeps them)"
        notices.append(Notice("coreference", docid, why))
    return rows, notices


def _is_coreference(line: str) -> bool:
    found = LINES[line[0]].fullmatch(line) if line[:1] in ("R", "*") else None
    return found is not None and is_coreference(found[1], is_equivalence=line[0] == "*")


def _mention(line: _Line) -> tuple[str, _Mention]:
    match = MENTION.fullmatch(line.text)
    if match is None:
        raise line.error(f"a T line is: {SHAPES['T']}")
    found = []
    for piece in match[3].split(";"):
        start, end = (offset(written, line.path, line.where) for written in piece.split())
        if start >= end:
            raise line.error(f"a mention ends where it begins, or before: {piece} (the end is after it)")
        found.append((start, end))
    return match[1], _Mention(match[2], sorted(found))


def _reference(line: _Line) -> tuple[str, str]:
    match = REFERENCE.fullmatch(line.text)
    if match is None:
        raise line.error("an N line is: N1, tab, Reference T1 Wikipedia:Title")
    written = match[2].strip().removeprefix("Wikipedia:")
    if not written:
        raise line.error("an N line without an id (leave it out if the entity is unknown)")
    return match[1], decoded(cell(written, "id", line.path, line.where), line.path, line.where)


def _rows(
    mentions: Mapping[str, _Mention], denoted: Mapping[str, list[Choice]], docid: str, *, pieces: bool
) -> tuple[list[MentionRow], list[Notice]]:
    rows: list[MentionRow] = []
    notices = []
    for ident, mention in mentions.items():
        nothing = [Choice(f"{NIL}-{docid}-{ident}", _SURE, mention.type)]
        choices = [choice._replace(type=mention.type) for choice in denoted.get(ident, nothing)]
        if len(mention.pieces) > 1 and not pieces:
            why = f"{ident} is in pieces and was taken as one (--pieces makes a row of each)"
            notices.append(Notice("pieces", docid, why))
        rows += [MentionRow(docid, start, end - 1, choices) for start, end in _parts(mention, pieces=pieces)]
    return sorted(rows, key=lambda row: (row.start, -row.end)), notices


def _parts(mention: _Mention, *, pieces: bool) -> Iterator[tuple[int, int]]:
    if pieces:
        yield from mention.pieces
    else:
        yield mention.pieces[0][0], max(end for _, end in mention.pieces)
