"""Columns that are named: CoNLL-U Plus with a column of coreference, or a table of tokens with a header.

``# global.columns = ID FORM COREF``, or a first line such as ``token`` and ``coref``, by tabs, names the
columns. Tags are those of CoNLL, ``(7`` to ``7)``. A line ``# newdoc id = d`` begins a document, a blank line
ends a sentence. Rows of several words (``1-2``) and of empty nodes (``1.1``) are no tokens.
"""

import io
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from scorch2.formats.fields import value_of
from scorch2.formats.rows.conll import BLANKS, OPEN, REOPEN, SINGLE, tags_of
from scorch2.formats.source import decoded
from scorch2.formats.table import names_of_columns
from scorch2.model.document import Document, OnDemand, Words
from scorch2.model.errors import InputError, counted, quoted

_NEWDOC = re.compile(r"#[ \t]*newdoc(?:[ \t]+id[ \t]*=[ \t]*(.*))?\s*")
_FORMS = ("form", "token", "word")
_NO_TOKEN = re.compile("[0-9]+[-.][0-9]+")


def documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order."""
    lines = io.StringIO(decoded(data, path), newline="\n")
    names = names_of_columns(next(lines, "").removesuffix("\n"))
    if not names:
        how = "# global.columns = ID FORM COREF, or token and coref by tabs"
        raise InputError(path, "line 1", f"the first line should name the columns: {how}")
    found: _Columns | None = None
    seen: dict[str, int] = {}
    for number, written in enumerate(lines, 2):
        line = written.removesuffix("\n")
        newdoc = _NEWDOC.fullmatch(line) if line.startswith("#") else None
        if newdoc or (found is None and line.strip(BLANKS) and not line.startswith("#")):
            if found is not None:
                yield found.document()
            name = (newdoc[1] or "").strip() if newdoc else ""
            name = name or (str(len(seen) + 1) if newdoc else stem)
            if name in seen:
                why = f"a second document is called {quoted(name)}, as on line {seen[name]}"
                raise InputError(path, f"line {number}", why)
            seen[name] = number
            found = _Columns(name, names, path)
        if found is not None and not line.startswith("#"):
            found.take(line, number)
    yield (found or _Columns(stem, names, path)).document()


class _Columns:
    """A document that is being read."""

    def __init__(self, name: str, names: Sequence[str], path: str) -> None:
        self._name, self._names, self._path = name, names, path
        self._form = next(names.index(form) for form in _FORMS if form in names)
        self._coref = next(i for i, column in enumerate(names) if "coref" in column)
        self._number = names.index("id") if "id" in names else None
        self._words: list[str] = []
        self._lengths: list[int] = []
        self._ended = True  # whether the next token begins a sentence
        self._clusters: dict[str, list[tuple[int, int]]] = {}
        self._open: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._nodes = 0

    def take(self, line: str, number: int) -> None:
        if not line.strip(BLANKS):
            self._ended = True
            return
        cells = line.removesuffix("\r").split("\t")
        if len(cells) != len(self._names):
            named = counted(len(self._names), "column")
            why = f"{counted(len(cells), 'cell')}, but the first line names {named} (separated by tabs)"
            raise InputError(self._path, f"line {number}", why)
        tags = tags_of(cells[self._coref], number, self._path)
        if self._number is not None and _NO_TOKEN.fullmatch(cells[self._number]):
            self._nodes += len(tags)
            return
        if self._ended:
            self._lengths.append(0)
        self._ended = False
        token = len(self._words)
        self._words.append(cells[self._form])
        self._lengths[-1] += 1
        for action, entity in tags:
            if action == SINGLE:
                self._clusters.setdefault(entity, []).append((token, token + 1))
            elif action in (OPEN, REOPEN):
                self._clusters.setdefault(entity, [])
                self._open[entity].append((token, number))
            elif not self._open.get(entity):
                why = f"entity {quoted(entity)} ends on a token where none of its mentions is open"
                raise InputError(self._path, f"line {number}", why)
            else:
                self._clusters[entity].append((self._open[entity].pop()[0], token + 1))

    def document(self) -> Document:
        for entity, left in self._open.items():
            if left:
                why = f"a mention of entity {quoted(entity)} begins here and does not end in the document"
                raise InputError(self._path, f"line {left[-1][1]}", why)
        read = {self._form, self._coref, self._number}
        unread = {value_of(name): len(self._words) for i, name in enumerate(self._names) if i not in read}
        what = f"{counted(self._nodes, 'mention')} at rows that are no token left out"
        return Document(
            self._name, self._clusters, self._path, self._lengths, "columns",
            words=Words(list, tuple(self._words)), notes=[what] if self._nodes else [],
            unread=OnDemand(dict, unread),
        )  # fmt: skip
