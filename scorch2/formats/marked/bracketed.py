r"""Brackets around mentions with the number of their cluster: ``[Tom]_1 saw [her]_2``.

Also ``[Tom]1``, ``[Tom: 1]`` and ``[1 Tom]``; ``[Tom]_?`` names no cluster. Brackets without a number are
words.
"""

import re
from array import array
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


def _marks(text: str) -> Iterator[Mark]:
    """Yield the marks of a text, and the text between them, in order."""
    letters, words = _other_brackets(text)
    position = 0
    firsts: list[str] = []
    for found in _BRACKET.finditer(text):
        at = found.start()
        if found[0][0] == "\\":
            continue
        if found["opens"]:
            firsts.append(found["first"] or "")
            if at not in letters:
                yield Mark("text", text[position:at], position)
                yield Mark("open", "" if at in words else firsts[-1].strip(), at)
                position = at + 1 if at in words else found.end()
            continue
        cluster = _cluster(found, firsts.pop() if firsts else "")
        if cluster:  # with a number behind, one inside is words
            end = at + len(found["colon"] or "") if _behind(found) else at
            yield Mark("text", text[position:end], position)
            yield Mark("close", cluster.strip("?"), at)
            position = found.end()
    yield Mark("text", text[position:], position)


def _behind(found: re.Match[str]) -> str:
    return found["behind"] or found["number"] or ""


def _cluster(found: re.Match[str], first: str) -> str:
    """Return the cluster that a bracket names which closes, or else the number behind the one that opens."""
    return _behind(found) or found["last"] or first.strip()


def _other_brackets(text: str) -> tuple[set[int], set[int]]:
    """Return where brackets open that name no cluster, and where a number is words behind one that opens."""
    letters: set[int] = set()
    words: set[int] = set()
    places, firsts = array("q"), list[str]()
    for found in _BRACKET.finditer(text):
        if found["opens"]:
            places.append(found.start())
            firsts.append(found["first"] or "")
        elif found[0][0] != "\\" and places:
            place, first = places.pop(), firsts.pop()
            if not _cluster(found, first):
                letters.add(place)
            elif first and _behind(found):
                words.add(place)
    return letters, words


def write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "bracketed", lambda number: ("[", f"]_{number or '?'}"), "[]")


__all__ = ["documents", "fitting", "write"]
