"""Annotations of entity linking: TSV, and AIDA-CoNLL.

Annotations TSV: ``docid start end [id [score [type]]]``, one mention per line.

More candidates follow in groups of three cells.

Ends are inclusive in the file. A type may be a JSON object. Lines of one document need not stand together.

AIDA-CoNLL (YAGO) columns: token, B or I, mention, entity, more; ``-DOCSTART- (1 EU)`` begins a document.

A line of one cell is a token outside mentions, a blank line ends a sentence. ``--NME--`` is an entity that
the knowledge base lacks, and so is one without a fourth cell. Ids are those of the fourth column, as written.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby, zip_longest
from typing import Any, NamedTuple

from scorch2.formats.fields import DIGITS, free_name, without_discontinuous
from scorch2.formats.json.strict import parse
from scorch2.model.document import Document, Mention, OnDemand, Words
from scorch2.model.errors import EmptyFileError, InputError, counted, quoted
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.names import NIL, annotations, labels_of_annotations
from scorch2.model.values import finite_number

_PLACE = ("docid", "start", "end")
_CANDIDATE = Candidate._fields


def documents(text: str, stem: str, path: str) -> Iterator[Document]:  # noqa: ARG001 - as every format of rows
    """Yield the documents of a file in the order of their first lines, each when its last line was read."""
    if not text.strip(" \t\r\n"):
        raise EmptyFileError(path, "", "the file is empty")
    begun: dict[str, list[Annotation]] = {}
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    last = {line.partition("\t")[0]: number for number, line in enumerate(lines, 1)}
    waiting = iter(last)
    current = next(waiting)
    for number, line in enumerate(lines, 1):
        cells = (line[:-1] if line[-1:] == "\r" else line).split("\t", len(_PLACE))
        annotation = _annotation(cells, path, number)
        if cells[0] in begun:
            begun[cells[0]].append(annotation)
        else:
            begun[cells[0]] = [annotation]
        while current and last[current] <= number:
            yield document(current, begun.pop(current), path, "tsv")
            current = next(waiting, "")


def document(ident: str, mentions: Sequence[Annotation], path: str, form: str) -> Document:
    """Return a document whose clusters are the mentions of one id; mentions without an id are alone."""
    clusters: dict[str, list[Mention]] = {}
    alone = []
    for mention in mentions:
        entity = mention.top.id
        if entity is None:
            alone.append(mention)
        elif entity in clusters:
            clusters[entity].append(mention[:2])
        else:
            clusters[entity] = [mention[:2]]
    for mention in alone:
        clusters[free_name(f"{NIL} (line {mention.line})", clusters)] = [mention[:2]]
    bare = len(clusters.get(NIL, ()))
    note = f"{counted(bare, 'mention')} called {NIL} and nothing more form one cluster"
    notes = (note,) if bare > 1 else ()
    return Document(
        ident, clusters, path, format=form, unit="", notes=notes, annotations=mentions, half_open=True,
        categories=OnDemand(labels_of_annotations, clusters, mentions),
    )  # fmt: skip


def _annotation(cells: Sequence[str], path: str, number: int) -> Annotation:
    if len(cells) < len(_PLACE):
        why = "a blank line"
        if any(cell.strip() for cell in cells):
            why = f"{counted(len(cells), 'cell')}, but a mention has docid, start and end, separated by tabs"
        raise InputError(path, f"line {number}", why)
    _, first, last = cells[:3]
    if not (first.isdecimal() and last.isdecimal() and (first + last).isascii() and cells[0]):
        raise InputError(path, f"line {number}", _no_place(cells))
    if len(first) > DIGITS or len(last) > DIGITS:
        raise InputError(path, f"line {number}", f"an offset of more than {DIGITS} digits")
    start, end = int(first), int(last) + 1
    if start >= end:
        why = f"the start {first} is after the end {last} (the end is the last unit of the mention)"
        raise InputError(path, f"line {number}", why)
    if len(cells) == len(_PLACE):
        return Annotation(start, end, (), number)
    candidates = _plain(cells[3])
    if candidates is None:
        candidates = tuple(_candidates(cells[3].split("\t"), path, number))
    return Annotation(start, end, candidates, number)


@lru_cache(1 << 14)  # many lines of a file end alike: they share what is made of it
def _plain(written: str) -> tuple[Candidate, ...] | None:
    """Return the candidates in the cells of the common line, or None for other and for faulty cells."""
    cells = written.split("\t")
    if len(cells) > len(_CANDIDATE) or "{" in written:
        return None
    if not any(cells):
        return ()
    ident, score, label = (*cells, "", "")[: len(_CANDIDATE)]
    number = finite_number(score) if score else None
    return None if score and number is None else (Candidate(ident or None, number, label or None),)


def _candidates(cells: Sequence[str], path: str, number: int) -> Iterator[Candidate]:
    """Yield the candidates in `cells`; empty cells at the end of the line may be missing, or be too many."""
    used = len(cells)
    while used and not cells[used - 1]:
        used -= 1
    wanted = -(-used // 3) * 3
    if used > 3 and wanted > len(cells):  # noqa: PLR2004 - id, score and type
        why = "several candidates have an id, a score and a type each"
        raise InputError(path, f"line {number}", f"{counted(used, 'cell')} after the end: {why}")
    padded = [*cells[:wanted], *[""] * (wanted - len(cells))]
    for i in range(0, wanted, 3):
        score = _score(padded[i + 1], path, number, cells[-1])
        yield Candidate(padded[i] or None, score, _type(padded[i + 2], path, number))


_LIKE_CONLL = re.compile(r"[-_*]|\(\S+|\S+\)")  # the last cell of a row of CoNLL


def _score(cell: str, path: str, number: int, last: str) -> float | None:
    if not cell:
        return None
    score = finite_number(cell)
    if score is None:
        why = f"the score {quoted(cell)} is not a finite number"
        if _LIKE_CONLL.fullmatch(last):
            why += " (if these are CoNLL columns, put #begin document (<name>); before the first token)"
        raise InputError(path, f"line {number}", why)
    return score


def _type(cell: str, path: str, number: int) -> str | Mapping[str, Any] | None:
    if cell[:1] != "{":
        return cell or None
    try:
        members: Mapping[str, Any] = parse(cell, path, number)
    except InputError as error:
        where = error.where if "$" in error.where else f"line {number}"
        raise InputError(path, where, f"in the type: {error.why}") from None
    return members


def _no_place(cells: Sequence[str]) -> str:
    if not cells[0]:
        return "the docid is empty"
    odd = 2 if cells[1].isdecimal() and cells[1].isascii() else 1
    return f"the {_PLACE[odd]} {quoted(cells[odd])} is not a whole number"


def write(document: Document) -> str:
    """Return a document as lines of annotations."""
    mentions = annotations(document)
    shown = quoted(document.id)
    if mentions is None:
        why = f"{shown} does not say where its mentions are, which annotations must hold"
    elif not mentions:
        why = f"{shown} has no mention, and annotations name no other documents"
    else:
        text = "".join([line(document.id, mention) + "\n" for mention in mentions])
        if _says(text, document.id, mentions):
            return text
        why = f"{shown} cannot be written as annotations: it would be read differently (a tab in a name, say)"
    raise InputError(document.path or "annotations", "", why)


def line(ident: str, annotation: Annotation) -> str:
    """Return an annotation as it stands in a file, without the line feed."""
    cells = [ident, str(annotation.start), str(annotation.end - 1)]
    for candidate in annotation.candidates:
        score = "" if candidate.score is None else repr(candidate.score)
        cells += [candidate.id or "", score, _type_cell(candidate.type)]
    last = len(cells)
    while len(annotation.candidates) == 1 and not cells[last - 1]:
        last -= 1
    return "\t".join(cells[:last])


def _type_cell(type: str | Mapping[str, Any] | None) -> str:
    if type is None or isinstance(type, str):
        return type or ""
    import json

    return json.dumps(type, ensure_ascii=False)


def _says(text: str, ident: str, mentions: Sequence[Annotation]) -> bool:
    try:
        (copy,) = documents(text, "", "")
    except (InputError, ValueError):
        return False
    plain = [mention[:3] for mention in mentions]
    return (copy.id, [mention[:3] for mention in copy.annotations]) == (ident, plain)


fitting = without_discontinuous


NO_ENTITY = "--NME--"
_START = re.compile(r"-DOCSTART- \((?<!.-DOCSTART- \()(.+)\)[^\S\n]*$", re.MULTILINE)
"""A line that begins a document. With ``^`` in place of the look behind, a search takes ten times as long."""
_BLANKS = " \t\r"
_CELLS = 4  # cells of a line up to the entity
_FEWEST = 3  # cells of a line inside a mention whose entity the knowledge base lacks


class _AidaRow(NamedTuple):
    line: int
    cells: Sequence[str]  # empty at the end of a sentence


class _Start(NamedTuple):
    """The line with which a document begins."""

    name: str
    line: int
    position: int  # in the text of the file


def aida_documents(text: str, stem: str, path: str) -> Iterator[Document]:  # noqa: ARG001 - as every format of rows
    """Yield the documents of a file; their mentions are spans of tokens."""
    starts = list(_starts(text))
    before = text[: starts[0].position] if starts else text
    for number, line in enumerate(before.split("\n"), 1):
        if line.strip(_BLANKS):
            raise InputError(path, f"line {number}", "text before the first -DOCSTART- (...) line")
    if not starts:
        raise InputError(path, "", "no -DOCSTART- (...) line in it, so no document")
    seen = set()
    for start in starts:
        if start.name in seen:
            raise InputError(path, f"line {start.line}", f"a second document is called {quoted(start.name)}")
        seen.add(start.name)
    for start, following in zip_longest(starts, starts[1:]):
        yield _document(start, text, following.position if following else len(text), path)


def _starts(text: str) -> Iterator[_Start]:
    number, counted = 1, 0
    for found in _START.finditer(text):
        number += text.count("\n", counted, found.start())
        counted = found.start()
        yield _Start(found[1], number, counted)


def _document(start: _Start, text: str, stop: int, path: str) -> Document:
    blocks = groupby(_lines(text, start.position, stop), lambda line: bool(line.strip(_BLANKS)))
    sentences = [sum(1 for _ in lines) for has_words, lines in blocks if has_words]
    rows = _rows(_lines(text, start.position, stop), start.line + 1)
    read = document(start.name, list(_annotations(rows, path)), path, "aida")
    words = Words(_words, text, start.position, stop)
    return read._replace(
        sentences=sentences, unit="token", words=words, unread=OnDemand(_unread, text, start.position, stop)
    )


def _unread(text: str, position: int, stop: int) -> Mapping[str, int]:
    columns = max((len(row.cells) for row in _rows(_lines(text, position, stop), 1)), default=0)
    return {"other column": max(0, columns - _CELLS)}


def _lines(text: str, position: int, stop: int) -> list[str]:
    return text[position:stop].split("\n")[1:]


def _rows(lines: Iterable[str], first: int) -> Iterator[_AidaRow]:
    for number, line in enumerate(lines, first):
        yield _AidaRow(number, line.removesuffix("\r").split("\t") if line.strip(_BLANKS) else ())
    yield _AidaRow(0, ())


def _words(text: str, position: int, stop: int) -> list[str]:
    return [row.cells[0] for row in _rows(_lines(text, position, stop), 1) if row.cells]


def _annotations(rows: Iterable[_AidaRow], path: str) -> Iterator[Annotation]:
    token = 0
    open_row: _AidaRow | None = None
    start = 0
    for row in rows:
        tag = _tag(row, path) if row.cells else ""
        if tag == "I" and (open_row is None or row.cells[2:_CELLS] != open_row.cells[2:_CELLS]):
            raise InputError(path, f"line {row.line}", "I continues no mention: the line before has another")
        if open_row is not None and tag != "I":
            yield _aida_annotation(open_row, start, token)
            open_row = None
        if tag == "B":
            open_row, start = row, token
        token += bool(row.cells)


def _tag(row: _AidaRow, path: str) -> str:
    """Return B, I, or nothing for a token outside mentions."""
    if len(row.cells) == 1:
        return ""
    if row.cells[1] not in ("B", "I"):
        raise InputError(path, f"line {row.line}", f"the second cell is {quoted(row.cells[1])}, not B or I")
    if len(row.cells) < _FEWEST:
        raise InputError(path, f"line {row.line}", "the mention, the third cell, is missing")
    if len(row.cells) >= _CELLS and not row.cells[_CELLS - 1]:
        raise InputError(path, f"line {row.line}", "the entity, the fourth cell, is empty")
    return row.cells[1]


def _aida_annotation(row: _AidaRow, start: int, end: int) -> Annotation:
    entity = row.cells[_CELLS - 1] if len(row.cells) >= _CELLS else NO_ENTITY
    return Annotation(start, end, () if entity == NO_ENTITY else _aida_candidates(entity), row.line)


@lru_cache(1 << 14)  # the mentions of an entity share one value
def _aida_candidates(entity: str) -> tuple[Candidate, ...]:
    return (Candidate(entity),)
