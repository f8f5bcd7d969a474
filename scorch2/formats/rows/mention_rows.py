"""A table of mentions with a header: CSV, with commas, semicolons or tabs; one mention per row.

The columns have usual names: of the document (``doc_id``), the ends (``start``, ``end``), the cluster, the
category. A row without a cluster is a singleton. The file does not say what the numbers count, nor whether
the end is inside: so a mention is an id, until ``--gold-offsets`` or ``--sys-offsets`` says what it means.
"""

import csv
import io
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scorch2.formats.fields import free_name, number_of, value_of
from scorch2.model.document import Document, Label, OnDemand
from scorch2.model.errors import InputError, counted, printable

_COLUMNS: Mapping[str, Sequence[str]] = {
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
        if all(not names.isdisjoint(_COLUMNS[what]) for what in _NEEDED):
            return separator
    return ""


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in the order of their first row."""
    separator = separator_of(text.partition("\n")[0]) or ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    made: dict[str, _Rows] = {}
    try:
        names = [cell.strip().casefold() for cell in next(rows, [])]
        columns = {what: _column(names, aliases) for what, aliases in _COLUMNS.items()}
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
