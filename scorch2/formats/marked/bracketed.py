r"""Brackets around mentions with the number of their cluster: ``[Tom]_1 saw [her]_2``.

Also ``[Tom]1``, ``[Tom: 1]`` and ``[1 Tom]``; ``[Tom]_?`` names no cluster. Brackets without a number are
words.
"""

import re
from collections.abc import Iterator

from scorch2.formats.marked.shared import ESCAPED, Mark, fitting, nested, texts_of, written
from scorch2.model.document import Document

_BRACKET = re.compile(
    rf"{ESCAPED}|(?P<opens>\[)(?P<first>[0-9]+\s+)?"
    r"|(?P<colon>:\s*(?P<last>[0-9]+)\s*)?\](?:_(?P<behind>[\w-]+|\?)|(?P<number>[0-9]+))?"
)


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file; a line is a sentence."""
    for source in texts_of(text, stem, path):
        yield nested(source, _marks(source.text), "bracketed")


def _marks(text: str) -> list[Mark]:
    """Return the marks of a text, and the text between them, in order."""
    marks: list[Mark] = []
    opened: list[int] = []  # the places of brackets in `marks` that may be a mark or a word
    position = 0
    for found in _BRACKET.finditer(text):
        if found[0][0] == "\\":
            continue
        marks.append(Mark("text", text[position : found.start()], position))
        position, at = found.end(), found.start()
        if found["opens"]:
            opened.append(len(marks))
            marks += Mark("open", (found["first"] or "").strip(), at), Mark("text", "", at)
            continue
        behind = found["behind"] or found["number"]
        place = opened.pop() if opened else None
        first = "" if place is None else marks[place].value
        if behind and place is not None:  # a number inside is a word
            marks[place] = marks[place]._replace(value="")
            marks[place + 1] = Mark("text", first and f"{first} ", at)
        if behind:
            marks.append(Mark("text", found["colon"] or "", at))
        cluster = behind or found["last"] or first
        if cluster:
            marks.append(Mark("close", cluster.strip("?"), at))
            continue
        if place is not None:
            marks[place] = Mark("text", "[", marks[place].at)
        marks.append(Mark("text", found[0], at))
    return [*marks, Mark("text", text[position:], position)]


def write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "bracketed", lambda number: ("[", f"]_{number or '?'}"), "[]")


__all__ = ["documents", "fitting", "write"]
