"""TAC entity linking: queries in XML with links in a table (until 2014), or one table (since 2015)."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from scorch2.formats.source import read_data
from scorch2.linking.converters.rows import (
    Choice,
    MentionRow,
    Range,
    Ranges,
    best_first,
    lies_in,
    lines,
    range_of,
    score,
    titled,
)
from scorch2.linking.converters.tac_queries import read
from scorch2.model.errors import InputError, counted, listed, quoted

_HEAD = "query_id"
_LINK_CELLS = 3
_RUN_CELLS = 8
_SURE = "1.0"
_OFFSETS = re.compile(r"(.+): *([0-9]+) *[-–] *([0-9]+)")  # noqa: RUF001 - files have en dashes, too


class Choices(NamedTuple):
    """Mentions to leave out, titles of entities, and what older files do not say."""

    excluded: Ranges
    titles: Mapping[str, str] | None
    by_offset: bool = False
    """True: order offsets as numbers; else as text, as neleval does: 100 before 9."""
    type: str | None = None
    """The type of all links, where they have no cell for it (before 2014)."""
    exclusive_ends: bool = False
    """True: the ends of queries are after their mentions (2011)."""


def from_queries(queries: str, links: str, choices: Choices) -> list[MentionRow]:
    """Return one row per span, its entities best first, ordered by document and offsets.

    Parameters
    ----------
    queries : str
        XML: elements ``query`` with an ``id`` and children docid, beg, end, name.
    links : str
        Lines ``query kb type [score]``; a head that begins with query_id is passed over.
    choices : Choices
        All of them count.

    Raises
    ------
    InputError
        For a query without a link, unless it is left out, and for a link without a query.
    """
    asked = read(read_data(queries), queries, exclusive_ends=choices.exclusive_ends)
    answers = _links(links, choices)
    found: dict[Range, list[Choice]] = {}
    for query in asked:
        given = answers.pop(query.id, None)
        if lies_in(query.span, choices.excluded):
            continue
        if given is None:
            raise InputError(links, "", f"no candidates for query {quoted(query.id)}")
        found.setdefault(query.span, []).extend(given)
    if answers:
        why = f"{counted(len(answers), 'id')} of no query: {listed(answers)}"
        raise InputError(links, "", f"links that cannot be aligned: {why}")
    return _rows(found, lambda one: tuple(map(str, one)), choices)


def from_run(path: str, choices: Choices) -> list[MentionRow]:
    """Return one row per span of a table of TAC 2015 and later, ordered by document and offsets.

    Cells are run, mention, text, ``docid: start - end``, kb id, entity type, mention type, score, and more.

    Raises
    ------
    InputError
        For a line that is not as described, with its number.
    """
    found: dict[Range, list[Choice]] = {}
    spelled: dict[Range, str] = {}
    for number, cells in lines(path):
        where = f"line {number}"
        if len(cells) < _RUN_CELLS:
            raise InputError(path, where, f"{counted(len(cells), 'cell')} instead of {_RUN_CELLS} or more")
        _, _, _, written, ident, entity, mention, how_sure = cells[:_RUN_CELLS]
        match = _OFFSETS.fullmatch(written.strip())
        if match is None:
            raise InputError(path, where, f"{quoted(written)} is not docid: start - end")
        if not ident:
            raise InputError(path, where, "the id is empty (NIL and a number if the entity is unknown)")
        place = range_of(match[1], match[2], match[3], path, where)
        spelled[place] = min(written, spelled.get(place, written))
        choice = Choice(titled(ident, choices.titles), score(how_sure, path, where), f"{entity}/{mention}")
        found.setdefault(place, []).append(choice)
    kept = {place: given for place, given in found.items() if not lies_in(place, choices.excluded)}
    return _rows(kept, spelled.__getitem__, choices)


def _rows(
    found: Mapping[Range, list[Choice]], as_written: Callable[[Range], Any], choices: Choices
) -> list[MentionRow]:
    order = sorted(found) if choices.by_offset else sorted(found, key=as_written)
    return [MentionRow(*one, best_first(found[one])) for one in order]


def _links(path: str, choices: Choices) -> dict[str, list[Choice]]:
    """Return the entities of each query."""
    found: dict[str, list[Choice]] = {}
    fewest = _LINK_CELLS - (choices.type is not None)
    for number, cells in lines(path):
        if cells[0] == _HEAD:
            continue
        where = f"line {number}"
        if len(cells) < fewest:
            hint = "" if choices.type is not None else " (--type=NA if links have no type)"
            why = f"{counted(len(cells), 'cell')}, but query, entity and type are wanted{hint}"
            raise InputError(path, where, why)
        sure = str(float(score(cells[fewest], path, where))) if len(cells) > fewest else _SURE
        kind = cells[2] if choices.type is None else choices.type
        found.setdefault(cells[0], []).append(Choice(titled(cells[1], choices.titles), sure, kind))
    return found
