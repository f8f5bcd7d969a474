"""Words, tags, trees and names of sentences of a document in CoNLL-U, read when they are asked for."""

import re
from collections.abc import Sequence
from sys import intern

from scorch2.formats.conllu.misc import COLUMNS, without_coreference
from scorch2.formats.conllu.parts import Part, blocks, comments_with, sentence_lines
from scorch2.model.markables import SyntaxRow, Tree, sent_id_in

_FIRST = re.compile(r"[1-9][0-9]*\t([^\t\n]*)")
_WORD = re.compile(r"\n" + _FIRST.pattern)  # "^" would take three times as long
_TAG = 3
"""The column of the universal part of speech."""


def words(part: Part) -> list[str]:
    """Return the words of a document, without its empty nodes.

    In long documents equal words are one string: two of 100 000 words each take a tenth less memory.
    """
    found: list[str] = []
    for _, block in blocks(part.data, part.line):
        text = block.decode()
        first = _FIRST.match(text)
        found += first.groups() if first else ()
        more = _WORD.findall(text)
        found += map(intern, more) if found else more
    return found


def sentence_ids(part: Part) -> Sequence[str]:
    """Return the ids of the sentences that have one, in order."""
    return [found for _, line in comments_with(b"sent_id", part.data) if (found := sent_id_in(line))]


def tags(part: Part) -> list[str]:
    """Return the universal part-of-speech tags of the words, empty where there is none; [] without any."""
    rows = [row.split("\t") for _, row in part.lines() if "\t" in row]
    found = [row[_TAG] if len(row) > _TAG else "" for row in rows if row[0].isdecimal()]
    found = ["" if tag.rstrip(" \r") == "_" else tag for tag in found]
    return found if any(found) else []


def trees(part: Part) -> list[Tree]:
    """Return the sentences of a document with all columns but for what they say about coreference."""
    return [Tree(comments, list(map(_row, lines))) for comments, lines in sentence_lines(part)]


def _row(line: str) -> SyntaxRow:
    cells = line.rstrip("\r").split("\t")
    cells += ["_"] * (COLUMNS - len(cells))
    cells[-1] = without_coreference(cells[-1])
    return SyntaxRow._make(cells)
