r"""SACR: ``{Ann:type="PER" Ann} left. {Ann She} ran.`` A name after a brace is the cluster of a mention.

Follows SACR and the parsers of the repository boberle/corefconversion. Offsets count the characters of the
text without marks, and without the lines that begin with ``#`` or are of stars. ``#textid:`` names the
document.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from scorch2.formats.fields import value_of
from scorch2.model.document import Document, Label, OnDemand, Span
from scorch2.model.errors import InputError, quoted

_COMMENT = re.compile(r"(?m)^(?:#[^\n]*|\*{5,}[^\S\n]*)(?:\n|\Z)")
_NAMED = re.compile(r"#text_?id:([^\n]*)")
_VALUE = r'[\w-]+=(?:"[^"\n]*"|[\w-]*)'
_MARK = re.compile(rf"\{{([\w-]+)(?::({_VALUE}(?:,{_VALUE})*))?(?:[^\S\n]|(?=\n))|\}}")
_PROPERTY = re.compile(r'([\w-]+)=(?:"([^"\n]*)"|([\w-]*))')
_DEEPEST = 1000
_CATEGORIES = ("type", "category", "entity", "etype")


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of a file."""
    reading = _Reading(text, path)
    name = next((found[1].strip() for found in _NAMED.finditer(text) if found[1].strip()), stem)
    start = 0
    for found in re.finditer(rf"{_COMMENT.pattern}|{_MARK.pattern}", text):
        reading.add(text[start : found.start()])
        start = found.end()
        if found[0][:1] in ("{", "}"):
            reading.mark(found)
    reading.add(text[start:])
    yield reading.document(name)


class _Reading:
    """The text of a file, and the mentions in it."""

    def __init__(self, text: str, path: str) -> None:
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._path = path
        self._pieces: list[str] = []
        self._length = 0
        self._open: list[tuple[re.Match[str], int]] = []
        self._clusters: dict[str, list[tuple[Span, Label]]] = {}
        self._unread: Counter[str] = Counter()

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def mark(self, found: re.Match[str]) -> None:
        if found[0] != "}":
            if len(self._open) == _DEEPEST:
                raise self._error(found, f"more than {_DEEPEST} mentions lie in each other")
            self._open.append((found, self._length))
            self._clusters.setdefault(found[1], [])
            return
        if not self._open:
            raise self._error(found, "a brace closes no mention")
        opened, start = self._open.pop()
        if start == self._length:
            raise self._error(opened, f"the mention of {quoted(opened[1])} holds no text")
        said = {key: one or other for key, one, other in _PROPERTY.findall(opened[2] or "")}
        taken = next((key for key in _CATEGORIES if said.get(key)), "")
        self._unread.update(value_of(key) for key, value in said.items() if key != taken and value)
        self._clusters[opened[1]].append(((start, self._length), said.get(taken)))

    def _error(self, found: re.Match[str], why: str) -> InputError:
        return InputError(self._path, f"line {bisect_right(self._lines, found.start())}", why)

    def document(self, name: str) -> Document:
        if self._open:
            opened = self._open[-1][0]
            raise self._error(opened, f"the mention of {quoted(opened[1])} is not closed")
        text = "".join(self._pieces)
        every = self._clusters.items()
        return Document(
            name, {cluster: sorted(span for span, _ in members) for cluster, members in every}, self._path,
            [len(text)], "sacr", unit="character", text=text, half_open=True, exclusive=True,
            categories=OnDemand(_labels, self._clusters), unread=OnDemand(dict, self._unread),
        )  # fmt: skip


def _labels(clusters: dict[str, list[tuple[Span, Label]]]) -> dict[str, list[Label]]:
    return {
        name: [label for _, label in sorted(members, key=lambda one: one[0])]
        for name, members in clusters.items()
    }
