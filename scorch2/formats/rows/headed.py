r"""Tables with a header line: CSV of mentions, and GAP.

A table of mentions with a header: CSV, with commas, semicolons or tabs; one mention per row.

The columns have usual names: of the document (``doc_id``), the ends (``start``, ``end``), the cluster, the
category. A row without a cluster is a singleton. The file does not say what the numbers count, nor whether
the end is inside: so a mention is an id, until ``--gold-offsets`` or ``--sys-offsets`` says what it means.

GAP: a pronoun and two names in a short text per row, with whether the pronoun means A, and whether B.

Follows the files of the repository google-research-datasets/gap-coreference. Offsets count the characters of
the text from 0; a mention is as long as it is written in its cell. The pronoun shares a cluster with each
name whose cell says TRUE, the other names are alone. Clusters are called like the columns.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scorch2.formats.fields import free_name, number_of, rows_below_header, value_of
from scorch2.model.document import Document, Label, Mention, OnDemand
from scorch2.model.errors import InputError, counted, printable, quoted

_NAMES_OF_COLUMNS: Mapping[str, Sequence[str]] = {
    "document": ("document", "doc", "doc_id", "doc_key", "document_id", "docid", "file", "filename"),
    "start": ("start", "begin", "start_token", "start_char", "start_offset"),
    "end": ("end", "end_token", "end_char", "end_offset"),
    "cluster": ("cluster", "cluster_id", "entity", "entity_id", "chain", "chain_id", "coref_id"),
    "category": ("category", "type", "label", "etype", "entity_type"),
}
"""The names of columns, in small letters: of several that are there the first counts."""
_NEEDED = ("start", "end", "cluster")
_WRITTEN = "rows of mentions: two integers, whose meaning is not said"


def separator_of(header: str) -> str:
    """Return what separates the columns of a header; empty if it does not name those that are needed."""
    for separator in (",", ";", "\t"):
        names = {cell.strip().strip('"') for cell in header.casefold().split(separator)}
        if all(not names.isdisjoint(_NAMES_OF_COLUMNS[what]) for what in _NEEDED):
            return separator
    return ""


def csv_documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in the order of their first row."""
    separator = separator_of(text.partition("\n")[0]) or ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    made: dict[str, _Rows] = {}
    try:
        names = [cell.strip().casefold() for cell in next(rows, [])]
        columns = {what: _column(names, aliases) for what, aliases in _NAMES_OF_COLUMNS.items()}
        lacking = [what for what in _NEEDED if columns[what] is None]
        if lacking:
            why = "the first line should name the columns start, end and cluster"
            raise InputError(path, "line 1", f"{why}; it lacks {', '.join(lacking)}")
        for cells in rows:
            if any(cell.strip() for cell in cells):
                _take(cells, names, columns, made, (stem, path, rows.line_num))
    except csv.Error as error:
        raise InputError(path, f"line {rows.line_num}", printable(str(error))) from None
    for name, found in (made or {stem: _Rows()}).items():
        yield found.document(name, path)


def _column(names: Sequence[str], aliases: Sequence[str]) -> int | None:
    return next((names.index(alias) for alias in aliases if alias in names), None)


class _Rows:
    """The rows of a document."""

    def __init__(self) -> None:
        self.clusters: dict[str, list[tuple[int, int]]] = {}
        self.labels: dict[str, list[Label]] = {}
        self.unread: Counter[str] = Counter()

    def document(self, name: str, path: str) -> Document:
        return Document(
            name, self.clusters, path, format="csv", written=_WRITTEN,
            categories=OnDemand(dict, self.labels), unread=OnDemand(dict, self.unread),
        )  # fmt: skip


def _take(
    cells: Sequence[str], names: Sequence[str], columns: Mapping[str, int | None],
    made: dict[str, _Rows], place: tuple[str, str, int],
) -> None:  # fmt: skip
    stem, path, line = place
    if len(cells) != len(names):
        why = f"{counted(len(cells), 'cell')}, but the first line names {counted(len(names), 'column')}"
        raise InputError(path, f"line {line}", why)
    said = {what: cells[column].strip() for what, column in columns.items() if column is not None}
    start, end = (number_of(said[what], f"the {what}", path, line) for what in ("start", "end"))
    if start > end:
        raise InputError(path, f"line {line}", f"the start {start} is after the end {end}")
    found = made.setdefault(said.get("document") or stem, _Rows())
    cluster = said["cluster"] or free_name(f"(line {line})", found.clusters)
    found.clusters.setdefault(cluster, []).append((start, end))
    found.labels.setdefault(cluster, []).append(said.get("category"))
    known = {*columns.values()}
    found.unread.update(value_of(names[i]) for i, cell in enumerate(cells) if i not in known and cell)


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
    for number, cells in rows_below_header(text, path):
        row = _GapRow(cells, path, number)
        name = row.cells["ID"]
        if not name:
            raise row.error("the ID is empty")
        if name in begun:
            raise row.error(f"a second document is called {quoted(name)}, as on line {begun[name]}")
        begun[name] = number
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
    """A row of a file."""

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
        start = number_of(self.cells[f"{column}-offset"], f"{column}-offset", self._path, self._number)
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
