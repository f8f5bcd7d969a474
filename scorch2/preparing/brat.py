"""brat: a folder of ``.ann`` files, whose T lines are mentions and whose N lines say what they denote."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from scorch2.errors import InputError, Notice
from scorch2.formats.source import read_text
from scorch2.messages import quoted
from scorch2.preparing.rows import Choice, Row, decoded, titled

SUFFIX = ".ann"
_SURE = "1.0"
_MENTION = re.compile(r"(T\S+)\t(\S+) ([0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*)(?:\t.*)?")
_REFERENCE = re.compile(r"N\S+\t\S+ (T\S+) ([^\t]+)(?:\t.*)?")


class _Mention(NamedTuple):
    type: str
    pieces: list[tuple[int, int]]
    """Half-open."""


def from_file(
    path: str, docid: str, titles: Mapping[str, str] | None, *, pieces: bool
) -> tuple[list[Row], list[Notice]]:
    """Return the mentions of a file by their offsets, and what was noticed.

    Parameters
    ----------
    path, docid : str
        The file, and what its document is called.
    titles : mapping, optional
        What ids are replaced by.
    pieces : bool
        Whether a mention of several pieces is a row a piece; else it is one, from the first to the last.

    Raises
    ------
    InputError
        For a line that is not as brat writes it, with its number.
    """
    mentions: dict[str, _Mention] = {}
    denoted: dict[str, list[Choice]] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if line.startswith("T"):
            ident, mention = _mention(line.rstrip("\r"), path, number)
            mentions[ident] = mention
        elif line.startswith("N"):
            match = _REFERENCE.fullmatch(line.rstrip("\r"))
            if match is None:
                raise InputError(
                    path, f"line {number}", "an N line is: N1, tab, Reference T1 Wikipedia:Title"
                )
            entity = titled(decoded(match[2].strip().removeprefix("Wikipedia:")), titles)
            denoted.setdefault(match[1], []).append(Choice(entity, _SURE, ""))
    for ident in denoted:
        if ident not in mentions:
            raise InputError(path, "", f"an N line is about {quoted(ident)}, which no T line has")
    return _rows(mentions, denoted, docid, pieces=pieces)


def _mention(line: str, path: str, number: int) -> tuple[str, _Mention]:
    match = _MENTION.fullmatch(line)
    if match is None:
        raise InputError(
            path, f"line {number}", "a T line is: T1, tab, type, start and end (0 4;6 9 if in pieces)"
        )
    spans = [tuple(map(int, piece.split())) for piece in match[3].split(";")]
    if any(start >= end for start, end in spans):
        raise InputError(path, f"line {number}", f"a mention ends where it begins, or before: {match[3]}")
    return match[1], _Mention(match[2], [(start, end) for start, end in spans])


def _rows(
    mentions: Mapping[str, _Mention], denoted: Mapping[str, list[Choice]], docid: str, *, pieces: bool
) -> tuple[list[Row], list[Notice]]:
    rows, notices = [], []
    for ident, (kind, spans) in mentions.items():
        nothing = [Choice(f"NIL-{docid}-{ident}", _SURE, kind)]
        choices = [choice._replace(type=kind) for choice in denoted.get(ident, nothing)]
        if len(spans) > 1 and not pieces:
            why = f"{ident} is in pieces and was taken as one (--pieces makes a row of each)"
            notices.append(Notice("pieces", docid, why))
            spans = [(spans[0][0], spans[-1][1])]  # noqa: PLW2901 - the same mention
        rows += [Row(docid, start, end - 1, choices) for start, end in spans]
    return sorted(rows, key=lambda row: (row.start, -row.end)), notices
