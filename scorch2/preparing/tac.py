"""TAC entity linking: queries in XML with links in a table (until 2014), or one table (since 2015)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.errors import InputError
from scorch2.formats.safe_xml import Where, parse
from scorch2.formats.source import read_data
from scorch2.messages import counted, listed, quoted
from scorch2.preparing.rows import Choice, Row, Span, best_first, lies_in, lines, score, titled, whole

_PARTS = ("docid", "beg", "end", "name")
_LINK_CELLS, _SCORED = 3, 4
_RUN_CELLS = 8
_OFFSETS = re.compile(r"(.+): *([0-9]+) *[-–] *([0-9]+)")  # noqa: RUF001 - files have en dashes, too


class Changes(NamedTuple):
    """What is left out, and how entities are called."""

    excluded: Sequence[Span] = ()
    titles: Mapping[str, str] | None = None


class Query(NamedTuple):
    """A mention that was asked about."""

    id: str
    span: Span


def from_queries(queries: str, links: str, changes: Changes) -> list[Row]:
    """Return a row a span, its choices best first, sorted by document, start and end as text.

    Parameters
    ----------
    queries : str
        XML: elements ``query`` with an ``id`` and children docid, beg, end, name.
    links : str
        Lines ``query kb type [score]``; a head that begins with query_id is passed over.
    changes : Changes
        Mentions to leave out, and titles.

    Raises
    ------
    InputError
        For a query without a link, unless it is left out, and for a link without a query.
    """
    asked = read_queries(queries)
    answers = _links(links, changes.titles)
    spans: dict[Span, list[Choice]] = {}
    for query in asked:
        given = answers.pop(query.id, None)
        if lies_in(query.span, changes.excluded):
            continue
        if not given:
            raise InputError(links, "", f"no candidates for query {quoted(query.id)}")
        spans.setdefault(query.span, []).extend(given)
    if answers:
        why = f"{counted(len(answers), 'id')} of no query: {listed(answers)}"
        raise InputError(links, "", f"links that cannot be aligned: {why}")
    order = sorted(spans, key=lambda span: tuple(map(str, span)))
    return [Row(*span, best_first(spans[span])) for span in order]


def from_run(path: str, changes: Changes) -> list[Row]:
    """Return a row a span of a table of TAC 2015 and later, sorted by document and offsets.

    Cells are run, mention, text, ``docid: start - end``, kb id, entity type, mention type, score, and more.
    """
    spans: dict[Span, list[Choice]] = {}
    for number, cells in lines(path):
        if len(cells) < _RUN_CELLS:
            why = f"{counted(len(cells), 'cell')} instead of {_RUN_CELLS} or more"
            raise InputError(path, f"line {number}", why)
        _, _, _, written, ident, entity, mention, how_sure = cells[:_RUN_CELLS]
        match = _OFFSETS.fullmatch(written.strip())
        if match is None:
            raise InputError(path, f"line {number}", f"{quoted(written)} is not docid: start - end")
        span = Span(match[1], int(match[2]), int(match[3]))
        choice = Choice(titled(ident, changes.titles), score(how_sure, path, number), f"{entity}/{mention}")
        spans.setdefault(span, []).append(choice)
    kept = [span for span in spans if not lies_in(span, changes.excluded)]
    return [Row(*span, best_first(spans[span])) for span in sorted(kept)]


def read_queries(path: str) -> list[Query]:
    """Return the queries of an XML file, in its order."""
    found: list[Query] = []
    parse(read_data(path), path, lambda where: _Queries(path, where, found))
    return found


def _links(path: str, titles: Mapping[str, str] | None) -> dict[str, list[Choice]]:
    found: dict[str, list[Choice]] = {}
    for number, cells in lines(path):
        if len(cells) >= _LINK_CELLS and cells[0] != "query_id":
            sure = score(cells[3], path, number) if len(cells) >= _SCORED else "1.0"
            choice = Choice(titled(cells[1], titles), str(float(sure)), cells[2])
            found.setdefault(cells[0], []).append(choice)
    return found


class _Queries:
    """Takes the events of a file of queries."""

    def __init__(self, path: str, where: Where, found: list[Query]) -> None:
        self._path = path
        self._where = where
        self._found = found
        self._id: str | None = None
        self._line = 0
        self._parts: dict[str, str] = {}
        self._inside = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "query":
            self._line = self._where().line
            if "id" not in attributes:
                raise InputError(self._path, f"line {self._line}", "a query without an id")
            self._id, self._parts = attributes["id"], {}
        self._inside = name if self._id is not None and name in _PARTS else ""
        if self._inside:
            self._parts.setdefault(name, "")

    def end(self, name: str) -> None:
        self._inside = ""
        if name == "query" and self._id is not None:
            place = f"line {self._line}"
            for part in _PARTS:
                if part not in self._parts:
                    raise InputError(self._path, place, f"query {quoted(self._id)} has no {part}")
            docid, beg, end = (self._parts[part].strip() for part in _PARTS[:3])
            span = Span(docid, whole(beg, self._path, place), whole(end, self._path, place))
            self._found.append(Query(self._id, span))
            self._id = None

    def text(self, data: str) -> None:
        if self._inside:
            self._parts[self._inside] += data
