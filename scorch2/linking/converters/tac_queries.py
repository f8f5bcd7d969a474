"""Queries of TAC entity linking in XML: which spans were asked about."""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.formats.xml.safe_xml import Where, parse
from scorch2.linking.converters.rows import Range, range_of
from scorch2.model.errors import InputError, quoted

_PARTS = ("docid", "beg", "end", "name")


class Query(NamedTuple):
    """A mention that was asked about."""

    id: str
    span: Range


def read(data: bytes, path: str, *, exclusive_ends: bool) -> list[Query]:
    """Return the queries of an XML document, in its order.

    Parameters
    ----------
    data, path : bytes, str
        The document, and its file for messages.
    exclusive_ends : bool
        Whether the ends are after the mentions.

    Raises
    ------
    InputError
        For a query that lacks something, holds it twice, or has the id of another, with its line.
    """
    chosen: list[_Queries] = []

    def handlers(where: Where) -> _Queries:
        chosen.append(_Queries(path, where, exclusive_ends=exclusive_ends))
        return chosen[0]

    parse(data, path, handlers)
    return list(chosen[0].found.values())


class _Queries:
    """Takes the events of a document."""

    def __init__(self, path: str, where: Where, *, exclusive_ends: bool) -> None:
        self.found: dict[str, Query] = {}
        self._path = path
        self._where = where
        self._exclusive = exclusive_ends
        self._id: str | None = None
        self._line = 0
        self._parts: dict[str, str] = {}
        self._inside = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._inside:
            raise self._error(f"an element inside {self._inside}")
        if name == "query":
            self._begin(attributes)
        elif self._id is not None and name in _PARTS:
            if name in self._parts:
                raise self._error(f"query {quoted(self._id)} has a second {name}")
            self._inside = name
            self._parts[name] = ""

    def _begin(self, attributes: Mapping[str, str]) -> None:
        if self._id is not None:
            raise self._error(f"a query inside query {quoted(self._id)}")
        if "id" not in attributes:
            raise self._error("a query without an id")
        if attributes["id"] in self.found:
            raise self._error(f"a second query is called {quoted(attributes['id'])}")
        self._id, self._parts, self._line = attributes["id"], {}, self._where().line

    def end(self, name: str) -> None:
        self._inside = ""
        if name != "query" or self._id is None:
            return
        place = f"line {self._line}"
        for part in _PARTS:
            if part not in self._parts:
                raise InputError(self._path, place, f"query {quoted(self._id)} has no {part}")
        docid, beg, end = (self._parts[part].strip() for part in ("docid", "beg", "end"))
        self.found[self._id] = Query(self._id, self._span(docid, beg, end, place))
        self._id = None

    def _span(self, docid: str, beg: str, end: str, place: str) -> Range:
        if not self._exclusive:
            return range_of(docid, beg, end, self._path, place)
        whole = range_of(docid, beg, end, self._path, place)
        if whole.start == whole.end:
            raise InputError(self._path, place, "the mention is empty: it ends where it begins")
        return whole._replace(end=whole.end - 1)

    def text(self, data: str) -> None:
        if self._inside:
            self._parts[self._inside] += data

    def _error(self, why: str) -> InputError:
        return InputError(self._path, f"line {self._where().line}", why)
