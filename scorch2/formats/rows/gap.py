r"""GAP: a pronoun and two names in a short text per row, with whether the pronoun means A, and whether B.

Follows the files of the repository google-research-datasets/gap-coreference. Offsets count the characters of
the text from 0; a mention is as long as it is written in its cell. The pronoun shares a cluster with each
name whose cell says TRUE, the other names are alone. Clusters are called like the columns.
"""

from collections.abc import Iterator, Mapping, Sequence

from scorch2.formats.fields import number_of, rows_below_header
from scorch2.model.document import Document, Mention, OnDemand
from scorch2.model.errors import InputError, quoted

_PRONOUN = "Pronoun"
_NAMES = ("A", "B")
_COLUMNS = (
    "ID", "Text", _PRONOUN, "Pronoun-offset", "A", "A-offset", "A-coref", "B", "B-offset", "B-coref",
)  # fmt: skip
_OUTPUT = ("ID", "A-coref", "B-coref")
"""The columns of what GAP's own scorer takes from a system, which have no header."""
_ANSWERS = {"true": True, "false": False}
_SHOWN = 40  # characters that a message shows of the text


def documents(text: str, stem: str, path: str) -> Iterator[Document]:  # noqa: ARG001 - as every format of rows
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
