"""Columns that a header names: CSV of mentions, GAP, tags of CoNLL; CoNLL-2012 is written.

CSV, with commas, semicolons or tabs; one mention per row. The columns have usual names: of the document
(``doc_id``), the ends (``start``, ``end``), the cluster, the category. A row without a cluster is a
singleton. The file does not say what the numbers count, nor whether the end is inside: so a mention is an id,
until ``--gold-offsets`` or ``--sys-offsets`` says what it means.

GAP: a pronoun and two names in a short text per row, with whether the pronoun means A, and whether B. Follows
the files of the repository google-research-datasets/gap-coreference. Offsets count the characters of the text
from 0; a mention is as long as it is written in its cell. The pronoun shares a cluster with each name whose
cell says TRUE, the other names are alone. Clusters are called like the columns.

Tags: CoNLL-U Plus with a column of coreference, ``# global.columns = ID FORM COREF``, or a table of tokens
with a first line of names, such as ``token`` and ``coref``, by tabs. Tags are those of CoNLL, ``(7`` to
``7)``. A line ``# newdoc id = d`` begins a document, a blank line ends a sentence. Rows of several words
(``1-2``) and of empty nodes (``1.1``) are no tokens.

CoNLL-2012 is written of a document with words; it is read again and must hold the same.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from scorch2.formats import fields
from scorch2.formats.detection import NAMES_OF_COLUMNS, NEEDED_COLUMNS, names_of_columns, separator_of
from scorch2.formats.rows.conll import BLANKS, OPEN, REOPEN, SINGLE, documents, tags_of
from scorch2.formats.source import decoded
from scorch2.model.document import Columns, Document, Mention, OnDemand, Words, spans
from scorch2.model.errors import InputError, counted, printable, quoted

_WRITTEN = "rows of mentions: two integers, whose meaning is not said"


def csv_documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in the order of their first row."""
    separator = separator_of(text.partition("\n")[0]) or ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    made: dict[str, fields.Gathered] = {}
    try:
        names = [cell.strip().casefold() for cell in next(rows, [])]
        columns = {what: _column(names, aliases) for what, aliases in NAMES_OF_COLUMNS.items()}
        lacking = [what for what in NEEDED_COLUMNS if columns[what] is None]
        if lacking:
            why = "the first line should name the columns start, end and cluster"
            raise InputError(path, "line 1", f"{why}; it lacks {', '.join(lacking)}")
        for cells in rows:
            if any(cell.strip() for cell in cells):
                _take(cells, names, columns, made, (stem, path, rows.line_num))
    except csv.Error as error:
        raise InputError(path, f"line {rows.line_num}", printable(str(error))) from None
    for name, found in (made or {stem: fields.Gathered()}).items():
        yield found.document(name, path, format="csv", written=_WRITTEN)


def _column(names: Sequence[str], aliases: Sequence[str]) -> int | None:
    return next((names.index(alias) for alias in aliases if alias in names), None)


def _take(
    cells: Sequence[str], names: Sequence[str], columns: Mapping[str, int | None],
    made: dict[str, fields.Gathered], place: tuple[str, str, int],
) -> None:  # fmt: skip
    stem, path, line = place
    if len(cells) != len(names):
        why = f"{counted(len(cells), 'cell')}, but the first line names {counted(len(names), 'column')}"
        raise InputError(path, f"line {line}", why)
    said = {what: cells[column].strip() for what, column in columns.items() if column is not None}
    start, end = (fields.number_of(said[what], f"the {what}", path, line) for what in ("start", "end"))
    if start > end:
        raise InputError(path, f"line {line}", f"the start {start} is after the end {end}")
    found = made.setdefault(said.get("document") or stem, fields.Gathered())
    cluster = said["cluster"] or fields.free_name(f"(line {line})", found.clusters)
    found.add(cluster, (start, end), said.get("category"))
    known = {*columns.values()}
    found.unread.update(fields.value_of(names[i]) for i, cell in enumerate(cells) if i not in known and cell)


_PRONOUN = "Pronoun"
_NAMES = ("A", "B")
_COLUMNS = (
    "ID", "Text", _PRONOUN, "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref",
)  # fmt: skip
_OUTPUT = ("ID", "A-coref", "B-coref")
"""The columns of what GAP's own scorer takes from a system, which have no header."""
_ANSWERS = {"true": True, "false": False}
_SHOWN = 40  # characters that a message shows of the text


def gap_documents(text: str, stem: str, path: str) -> Iterator[Document]:  # noqa: ARG001 - as every format of rows
    """Yield a document per row, with spans of characters as mentions."""
    _check_header(text.partition("\n")[0].removesuffix("\r"), path)
    begun: dict[str, int] = {}
    for number, cells in fields.rows_below_header(text, path):
        row = _GapRow(cells, path, number)
        name = row.cells["ID"]
        if not name:
            raise row.error("the ID is empty")
        fields.refuse_twin(name, begun, number, path)
        yield row.document()
    if not begun:
        raise InputError(path, "", "no document in it (no row below the names of the columns)")


def _check_header(line: str, path: str) -> None:
    names = line.split("\t")
    are_answers = len(names) == len(_OUTPUT) and all(cell.lower() in _ANSWERS for cell in names[1:])
    if are_answers or tuple(names) == _OUTPUT:
        why = f"{', '.join(_OUTPUT)} are what GAP's own scorer takes, and do not say where the names are"
        raise InputError(path, "line 1", f"{why} (put these answers into a copy of the gold file)")
    if tuple(names[: len(_COLUMNS)]) != _COLUMNS:
        why = f"the first line should name the columns: {', '.join(_COLUMNS)}, by tabs"
        raise InputError(path, "line 1", why)


class _GapRow:
    def __init__(self, cells: Sequence[str], path: str, number: int) -> None:
        self.cells: Mapping[str, str] = dict(zip(_COLUMNS, cells, strict=False))
        self._others = len(cells) - len(_COLUMNS)
        self._path = path
        self._number = number

    def document(self) -> Document:
        text = self.cells["Text"]
        clusters: dict[str, list[Mention]] = {_PRONOUN: [self._span(_PRONOUN)]}
        for name in _NAMES:
            cluster = _PRONOUN if self._answer(f"{name}-coref") else name
            clusters.setdefault(cluster, []).append(self._span(name))
        return Document(
            self.cells["ID"], clusters, self._path, [len(text)], "gap", unit="character",
            half_open=True, exclusive=True, text=text, unread=OnDemand(dict, {"other column": self._others}),
        )  # fmt: skip

    def _span(self, column: str) -> tuple[int, int]:
        written, text = self.cells[column], self.cells["Text"]
        if not written:
            raise self.error(f"{column} is empty")
        start = fields.number_of(self.cells[f"{column}-offset"], f"{column}-offset", self._path, self._number)
        actual = text[start : start + len(written)]
        if actual != written:
            there = f"where {quoted(actual, _SHOWN)} is" if actual else f"which has {len(text)} characters"
            raise self.error(f"{column} {quoted(written, _SHOWN)} is not at {start} of the text, {there}")
        return start, start + len(written)

    def _answer(self, column: str) -> bool:
        answer = _ANSWERS.get(self.cells[column].lower())
        if answer is None:
            raise self.error(f"{column} is TRUE or FALSE, not {quoted(self.cells[column])}")
        return answer

    def error(self, why: str) -> InputError:
        return InputError(self._path, f"line {self._number}", why)


_NEWDOC = re.compile(r"#[ \t]*newdoc(?:[ \t]+id[ \t]*=[ \t]*(.*))?\s*")
_FORMS = ("form", "token", "word")
_NO_TOKEN = re.compile("[0-9]+[-.][0-9]+")


def header_documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
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
            fields.refuse_twin(name, seen, number, path)
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
        unread = {
            fields.value_of(name): len(self._words) for i, name in enumerate(self._names) if i not in read
        }
        what = f"{counted(self._nodes, 'mention')} at rows that are no token left out"
        return Document(
            self._name, self._clusters, self._path, self._lengths, "columns",
            words=Words(list, tuple(self._words)), notes=[what] if self._nodes else [],
            unread=OnDemand(dict, unread),
        )  # fmt: skip


_NUMBERED = re.compile(r"(.+)-(\d+)", re.DOTALL)
_LABEL = re.compile(r"[^()|\s]+")
_OWN = 4
"""The columns that are written before the cell, if the document has no more: name, part, number, word."""


def conll_write(document: Document) -> str:
    """Return a document with words as columns: name, part, number in the sentence, word, cell."""
    # If it has more columns, from a file like this, these are written as they are.
    written = fields.check_tokens(document, "CoNLL columns")()
    lengths = document.sentences or ()
    labels = list(document.clusters)
    if not all(_LABEL.fullmatch(label) for label in labels):
        labels = [str(number) for number in range(len(labels))]
    clusters = dict(zip(labels, map(spans, document.clusters.values()), strict=True))
    numbered = _NUMBERED.fullmatch(document.id)
    name, part = numbered.groups() if numbered else (document.id, "")
    rows = [f"#begin document ({name});{f' part {part}' if part else ''}"]
    cells = _cells(clusters, sum(lengths))
    columns = document.words.cells() if isinstance(document.words, Columns) else []
    if not any(len(row) > _OWN for row in columns):
        sentences = document.worded_sentences() or []
        own = name or "-", part or "0"
        columns = [[*own, str(i), word] for words in sentences for i, word in enumerate(words)]
    token = 0
    for length in lengths:
        rows += ["\t".join([*columns[i], cells[i]]) for i in range(token, token + length)]
        rows.append("")
        token += length
    text = "\n".join([*rows, "#end document", ""])
    if unlike := _unlike(text, document, written, clusters):
        why = f"cannot be written as CoNLL columns: {fields.odd_word(document) or unlike}"
        raise InputError(document.path, "", f"{quoted(document.id)} {why}")
    return text


def _cells(clusters: Mapping[str, Sequence[tuple[int, int]]], tokens: int) -> list[str]:
    """Return the coreference cells; longer mentions open first, so that the last one opened closes first."""
    opening: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    for label, members in clusters.items():
        for start, end in members:
            if end - start == 1:
                opening[start].append((-1, f"({label})"))
            else:
                opening[start].append((start - end, f"({label}"))
                closing[end - 1].append((-start, f"{label})"))
    tags = (sorted(closes) + sorted(opens) for closes, opens in zip(closing, opening, strict=True))
    return ["|".join(tag for _, tag in token) or "-" for token in tags]


def _unlike(
    text: str, document: Document, written: list[str], clusters: Mapping[str, Sequence[tuple[int, int]]]
) -> str:
    """Return in words what differs if `text` is read again; empty if nothing does."""
    try:
        (copy,) = documents(text.replace("\0", "\n"), "\0", document.path)  # no document is called like that
        words = copy.words() if copy.words else []
    except (InputError, ValueError):
        return "its name, a word or a cluster would break the columns (a line break in it, say)"
    if copy.id != document.id:
        return "its name would be read in another way (is it empty?)"
    if words != written or list(copy.sentences or ()) != list(document.sentences or ()):
        return "its words or sentences would be read in another way"
    for label in {**clusters, **copy.clusters}:
        if sorted(spans(copy.clusters.get(label, []))) != sorted(clusters.get(label, [])):
            why = f"mentions of the entity {quoted(label)} would be read in another way"
            return f"{why} (two of them cross; --lossy keeps one)"
    return ""


def conll_fitting(document: Document) -> Document:
    """Return the document without the mentions that brackets cannot hold: each crosses one of its entity."""
    # Of two that cross, the first stays. Those that share one token do not cross for brackets.
    document = fields.without_discontinuous(document)
    kept = {}
    for name, members in document.clusters.items():
        kept[name] = fields.uncrossed((start, end - 1) for start, end in spans(members))
    return fields.keeping(document, lambda name, span: (span[0], span[1] - 1) in kept[name])
