"""Converters to annotations: from TAC, brat and CoNLL files, and from mentions to units."""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple

from scorch2.formats.rows import annotations, conll
from scorch2.formats.rows.brat import LINES, MENTION, REFERENCE, SHAPES, connects
from scorch2.formats.source import read_data, read_text, stem
from scorch2.formats.xml.safe_xml import Handlers, parse
from scorch2.model.document import Document, spans
from scorch2.model.errors import InputError, Notice, counted, listed, quoted, shown_path, unreadable
from scorch2.model.names import NIL
from scorch2.tasks.linking.annotation_rows import (
    EntityChoice,
    MentionRow,
    Range,
    Ranges,
    checked_cell,
    checked_offset,
    checked_score,
    decoded,
    lies_in,
    range_of,
    table_lines,
    titled,
)

_PARTS = ("docid", "beg", "end", "name")
_HEAD = "query_id"
_LINK_CELLS, _RUN_CELLS = 3, 8
_OFFSETS = re.compile(r"(.+): *([0-9]+) *[-–] *([0-9]+)")  # noqa: RUF001 - files have en dashes, too
_SURE = "1.0"
BRAT_SUFFIX = ".ann"
_BEGIN = re.compile(r"#\s*begin document\b(.*)")
_END = re.compile(r"#\s*end document\b")
_CLOSING = re.compile(r"([^()|\s]+)\)")
LONGEST, USUAL = 100_000, 1000
"""Units of one mention, and of all on average: more are slips in offsets, and would fill the memory."""


class _Queries(Handlers):
    """Takes the events of an XML document: each query asks about a range."""

    def __init__(self, path: str, *, exclusive_ends: bool) -> None:
        super().__init__(path)
        self.asked: dict[str, Range] = {}
        self._exclusive = exclusive_ends
        self._id: str | None = None
        self._line = 0
        self._parts: dict[str, str] = {}
        self._inside = ""

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if self._inside:
            raise self._refused(f"an element inside {self._inside}")
        if name == "query":
            self._begin(attributes)
        elif self._id is not None and name in _PARTS:
            if name in self._parts:
                raise self._refused(f"query {quoted(self._id)} has a second {name}")
            self._inside = name
            self._parts[name] = ""

    def _begin(self, attributes: Mapping[str, str]) -> None:
        if self._id is not None:
            raise self._refused(f"a query inside query {quoted(self._id)}")
        if "id" not in attributes:
            raise self._refused("a query without an id")
        if attributes["id"] in self.asked:
            raise self._refused(f"a second query is called {quoted(attributes['id'])}")
        self._id, self._parts, self._line = attributes["id"], {}, self.where().line

    def end(self, name: str) -> None:
        self._inside = ""
        if name != "query" or self._id is None:
            return
        place = f"line {self._line}"
        for part in _PARTS:
            if part not in self._parts:
                raise InputError(self.path, place, f"query {quoted(self._id)} has no {part}")
        docid, beg, end = (self._parts[part].strip() for part in ("docid", "beg", "end"))
        self.asked[self._id] = self._range(docid, beg, end, place)
        self._id = None

    def _range(self, docid: str, beg: str, end: str, place: str) -> Range:
        whole = range_of(docid, beg, end, self.path, place)
        if not self._exclusive:
            return whole
        if whole.start == whole.end:
            raise InputError(self.path, place, "the mention is empty: it ends where it begins")
        return whole._replace(end=whole.end - 1)

    def text(self, data: str) -> None:
        if self._inside:
            self._parts[self._inside] += data

    def _refused(self, why: str) -> InputError:
        return InputError(self.path, f"line {self.where().line}", why)


class TacOptions(NamedTuple):
    """Mentions to leave out, titles of entities, and what older files do not say."""

    excluded: Ranges
    titles: Mapping[str, str] | None
    by_offset: bool = False  # True: order offsets as numbers; else as text, as neleval does: 100 before 9
    type: str | None = None  # the type of all links, where they have no cell for it (before 2014)
    exclusive_ends: bool = False  # True: the ends of queries are after their mentions (2011)


def from_tac_queries(queries: str, links: str, choices: TacOptions) -> list[MentionRow]:
    """Return one row per span, its entities best first, ordered by document and offsets."""
    # `queries` is XML: elements ``query`` with an ``id`` and children docid, beg, end, name. `links` has
    # lines ``query kb type [score]``. Both must be about the same queries, but for those that are left out.
    reading = _Queries(queries, exclusive_ends=choices.exclusive_ends)
    parse(read_data(queries), reading)
    answers = _tac_links(links, choices)
    answered: dict[Range, list[EntityChoice]] = {}
    for ident, asked in reading.asked.items():
        given = answers.pop(ident, None)
        if lies_in(asked, choices.excluded):
            continue
        if given is None:
            raise InputError(links, "", f"no candidates for query {quoted(ident)}")
        answered.setdefault(asked, []).extend(given)
    if answers:
        why = f"{counted(len(answers), 'id')} of no query: {listed(answers)}"
        raise InputError(links, "", f"links that cannot be aligned: {why}")
    return _tac_rows(answered, lambda span: tuple(map(str, span)), choices)


def from_tac_run(path: str, choices: TacOptions) -> list[MentionRow]:
    """Return one row per span of a table of TAC 2015 and later, ordered by document and offsets."""
    # Cells are run, mention, text, ``docid: start - end``, kb id, entity type, mention type, score, and more
    answered: dict[Range, list[EntityChoice]] = {}
    spelled: dict[Range, str] = {}
    for number, cells in table_lines(path):
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
        choice = EntityChoice(
            titled(ident, choices.titles), checked_score(how_sure, path, where), f"{entity}/{mention}"
        )
        answered.setdefault(place, []).append(choice)
    kept = {place: given for place, given in answered.items() if not lies_in(place, choices.excluded)}
    return _tac_rows(kept, spelled.__getitem__, choices)


def _tac_rows(
    answered: Mapping[Range, list[EntityChoice]], as_written: Callable[[Range], Any], choices: TacOptions
) -> list[MentionRow]:
    order = sorted(answered, key=None if choices.by_offset else as_written)
    return [MentionRow(*place, sorted(answered[place], key=lambda one: -float(one.score))) for place in order]


def _tac_links(path: str, choices: TacOptions) -> dict[str, list[EntityChoice]]:
    answers: dict[str, list[EntityChoice]] = {}
    fewest = _LINK_CELLS - (choices.type is not None)
    for number, cells in table_lines(path):
        if cells[0] == _HEAD:
            continue
        where = f"line {number}"
        if len(cells) < fewest:
            hint = "" if choices.type is not None else " (--type=NA if links have no type)"
            why = f"{counted(len(cells), 'cell')}, but query, entity and type are wanted{hint}"
            raise InputError(path, where, why)
        sure = str(float(checked_score(cells[fewest], path, where))) if len(cells) > fewest else _SURE
        kind = cells[2] if choices.type is None else choices.type
        answers.setdefault(cells[0], []).append(EntityChoice(titled(cells[1], choices.titles), sure, kind))
    return answers


class _BratMention(NamedTuple):
    type: str
    pieces: list[tuple[int, int]]  # half-open


class _BratLine(NamedTuple):
    text: str
    path: str
    where: str

    def error(self, why: str) -> InputError:
        return InputError(self.path, self.where, why)


def brat_files(folder: str) -> Mapping[str, str]:
    """Return the annotation files of a folder by their stems, sorted; texts and settings lie beside them."""
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(BRAT_SUFFIX) and name[0] != ".")
    except OSError as error:
        raise unreadable(folder, error) from None
    if not names:
        raise InputError(folder, "", f"no {BRAT_SUFFIX} file in it")
    paths = {}
    for name in names:
        path = os.path.join(folder, name)
        if not name.isprintable():
            raise InputError(path, "", "the file name holds a control character, or is not UTF-8")
        paths[name.removesuffix(BRAT_SUFFIX)] = path
    return paths


def from_brat(
    text: str, path: str, docid: str, titles: Mapping[str, str] | None, *, pieces: bool
) -> tuple[list[MentionRow], list[Notice]]:
    """Return the mentions of a file by their offsets, and what was noticed; `titles` replace ids."""
    # With `pieces`, each part of a discontinuous mention is a row; else a row goes from the first to the last
    mentions: dict[str, _BratMention] = {}
    denoted: dict[str, list[EntityChoice]] = {}
    references: list[tuple[str, _BratLine]] = []
    dropped = 0
    for number, written in enumerate(text.split("\n"), 1):
        line = _BratLine(written.removesuffix("\r"), path, f"line {number}")
        if written.startswith("T"):
            ident, mention = _brat_mention(line)
            if ident in mentions:
                raise line.error(f"a second mention is called {quoted(ident)}")
            mentions[ident] = mention
        elif written.startswith("N"):
            ident, entity = _brat_entity(line)
            denoted.setdefault(ident, []).append(EntityChoice(titled(entity, titles), _SURE, ""))
            references.append((ident, line))
        else:
            dropped += _is_coreference(line.text)
    for ident, line in references:
        if ident not in mentions:
            raise line.error(f"an N line is about {quoted(ident)}, which no T line has")
    rows, notices = _brat_rows(mentions, denoted, docid, pieces=pieces)
    if dropped:
        what = counted(dropped, "relation")
        why = f"{what} of coreference not kept (scorch2 convert --to=tsv {shown_path(path)} <out> keeps them)"
        notices.append(Notice("coreference", docid, why))
    return rows, notices


def _is_coreference(line: str) -> bool:
    found = LINES[line[0]].fullmatch(line) if line[:1] in ("R", "*") else None
    return found is not None and connects(found[1], is_equivalence=line[0] == "*")


def _brat_mention(line: _BratLine) -> tuple[str, _BratMention]:
    match = MENTION.fullmatch(line.text)
    if match is None:
        raise line.error(f"a T line is: {SHAPES['T']}")
    parts = []
    for piece in match[3].split(";"):
        start, end = (checked_offset(written, line.path, line.where) for written in piece.split())
        if start >= end:
            raise line.error(f"a mention ends where it begins, or before: {piece} (the end is after it)")
        parts.append((start, end))
    return match[1], _BratMention(match[2], sorted(parts))


def _brat_entity(line: _BratLine) -> tuple[str, str]:
    match = REFERENCE.fullmatch(line.text)
    if match is None:
        raise line.error("an N line is: N1, tab, Reference T1 Wikipedia:Title")
    written = match[2].strip().removeprefix("Wikipedia:")
    if not written:
        raise line.error("an N line without an id (leave it out if the entity is unknown)")
    return match[1], decoded(checked_cell(written, "id", line.path, line.where), line.path, line.where)


def _brat_rows(
    mentions: Mapping[str, _BratMention],
    denoted: Mapping[str, list[EntityChoice]],
    docid: str,
    *,
    pieces: bool,
) -> tuple[list[MentionRow], list[Notice]]:
    rows: list[MentionRow] = []
    notices = []
    for ident, mention in mentions.items():
        nothing = [EntityChoice(f"{NIL}-{docid}-{ident}", _SURE, mention.type)]
        choices = [choice._replace(type=mention.type) for choice in denoted.get(ident, nothing)]
        if len(mention.pieces) > 1 and not pieces:
            why = f"{ident} is discontinuous and was read as one span (--pieces writes a row for each part)"
            notices.append(Notice("pieces", docid, why))
        whole = mention.pieces[0][0], max(end for _, end in mention.pieces)
        parts = mention.pieces if pieces else [whole]
        rows += [MentionRow(docid, start, end - 1, choices) for start, end in parts]
    return sorted(rows, key=lambda row: (row.start, -row.end)), notices


def from_conll(path: str, *, with_kb: bool, cross_doc: bool) -> list[MentionRow]:
    """Return the mentions of a file, document by document, outer ones first; of one span the last closed."""
    # `with_kb`: ids are those of a knowledge base, unless they begin with NIL. `cross_doc`: clusters go on
    # from document to document; else ids carry the name of their document.
    text = read_text(path)
    documents = list(conll.documents(text, stem(path), path))
    rows: list[MentionRow] = []
    names: set[str] = set()
    for document, (name, lines) in zip(documents, _conll_documents(text), strict=True):
        if checked_cell(name, "docid", path, "") in names:
            raise InputError(path, "", f"two documents would be called {quoted(name)}")
        names.add(name)
        _refuse_breaks(document, lines, path)
        for (start, end), entity in _last_closed(document, lines).items():
            ident = entity if with_kb else f"{NIL}{entity}"
            if not cross_doc and ident.startswith(NIL):
                ident += f":{name}"
            rows.append(MentionRow(name, start + 1, end, [EntityChoice(ident, "", "")]))
    return rows


def _conll_documents(text: str) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield the name of each document as neleval writes it, and its token lines with their numbers."""
    number, name = 0, ""
    lines: list[tuple[int, str]] = []
    for line_number, line in enumerate(text.split("\n"), 1):
        begin = _BEGIN.match(line)
        if begin:
            number += 1
            name, lines = begin[1].strip().replace(" ", "_") or f"doc{number}", []
        elif _END.match(line):
            yield name, lines
        elif line.strip() and not (line.startswith("#") and "\t" not in line):
            lines.append((line_number, line.rstrip()))


def _refuse_breaks(document: Document, lines: Sequence[tuple[int, str]], path: str) -> None:
    ends = list(accumulate(document.sentences or ()))
    for entity, members in document.clusters.items():
        for start, end in spans(members):
            if ends[bisect_right(ends, start)] < end:
                why = f"a mention of {quoted(entity)} begins here and goes on after the end of its sentence"
                raise InputError(path, f"line {lines[start][0]}", why)


def _last_closed(document: Document, lines: Sequence[tuple[int, str]]) -> dict[tuple[int, int], str]:
    closings: dict[int, dict[str, int]] = {}
    entities: dict[tuple[int, int], str] = {}
    for entity, members in document.clusters.items():
        for span in spans(members):
            rival = entities.get(span)
            if rival is not None:
                last = span[1] - 1
                where = closings.get(last) or closings.setdefault(last, closings_of(lines[last][1]))
                if where[rival] > where[entity]:
                    continue
            entities[span] = entity
    return {span: entities[span] for span in sorted(entities, key=lambda span: (span[0], -span[1]))}


def closings_of(line: str) -> dict[str, int]:
    """Return where in the cell of a token line each entity is closed last."""
    cell = line.rsplit(maxsplit=1)[-1]
    return {match[1]: match.start() for match in _CLOSING.finditer(cell)}


def weak(text: str, path: str) -> Iterator[str]:
    """Return annotations with one row per unit, made when asked for; all other cells stay as written."""
    # An InputError tells of a mention of more than `LONGEST` units, of more than `USUAL` per mention, and of
    # rows that take more than `USUAL` times the file
    list(annotations.documents(text, stem(path), path))
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    units, size = 0, 0
    for number, line in enumerate(lines, 1):
        first, last, _ = _cut(line)
        units += last - first + 1
        size += (last - first + 1) * len(line)
        if last - first >= LONGEST:
            raise InputError(path, f"line {number}", f"a mention of more than {LONGEST} units")
        if units > USUAL * number + LONGEST:
            why = f"{counted(number, 'mention')} of {units} units so far: more than {USUAL} units each"
            raise InputError(path, f"line {number}", why)
        if size > USUAL * (len(text) + LONGEST):
            why = f"{units} rows of {size} characters so far: more than {USUAL} times the file"
            raise InputError(path, f"line {number}", why)
    return (_weak_rows(line) for line in lines)


def _cut(line: str) -> tuple[int, int, Sequence[str]]:
    _, start, end, *candidates = line.split("\t")
    return int(start), int(end), candidates


def _weak_rows(line: str) -> str:
    first, last, candidates = _cut(line)
    after = "".join(f"\t{cell}" for cell in candidates)
    if after.endswith("\r"):  # with one more it is read as a part of the cell, not of the line's end
        after += "\r"
    docid = line.partition("\t")[0]
    return "".join([f"{docid}\t{i}\t{i}{after}\n" for i in range(first, last + 1)])
