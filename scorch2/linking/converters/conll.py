"""CoNLL-2011/2012 coreference to annotations: spans of token numbers from 1, entities as NIL clusters."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from scorch2.formats.rows.conll import read
from scorch2.formats.source import read_text, stem
from scorch2.linking.converters.rows import Choice, MentionRow, cell
from scorch2.model.document import NIL, Document, spans
from scorch2.model.errors import InputError, quoted

_BEGIN = re.compile(r"#\s*begin document\b(.*)")
_END = re.compile(r"#\s*end document\b")
_CLOSING = re.compile(r"([^()|\s]+)\)")


def from_columns(path: str, *, with_kb: bool, cross_doc: bool) -> list[MentionRow]:
    """Return the mentions of a file, document by document, outer ones first.

    Of several mentions of one span the last that closes counts.

    Parameters
    ----------
    path : str
        A CoNLL file.
    with_kb : bool
        Ids are those of a knowledge base, unless they begin with NIL.
    cross_doc : bool
        Clusters go on from document to document; else ids carry the name of their document.

    Raises
    ------
    InputError
        As the reader of CoNLL files, and for a mention over the end of a sentence.
    """
    text = read_text(path)
    documents = read(text, stem(path), path)
    rows: list[MentionRow] = []
    names: set[str] = set()
    for document, (name, lines) in zip(documents, _blocks(text), strict=True):
        if cell(name, "docid", path, "") in names:
            raise InputError(path, "", f"two documents would be called {quoted(name)}")
        names.add(name)
        _refuse_breaks(document, lines, path)
        for (start, end), entity in _last_closed(document, lines).items():
            ident = entity if with_kb else f"{NIL}{entity}"
            if not cross_doc and ident.startswith(NIL):
                ident += f":{name}"
            rows.append(MentionRow(name, start + 1, end, [Choice(ident, "", "")]))
    return rows


def _blocks(text: str) -> Iterator[tuple[str, list[tuple[int, str]]]]:
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
    """Return the entity of each span, outer spans first."""
    closings: dict[int, dict[str, int]] = {}
    found: dict[tuple[int, int], str] = {}
    for entity, members in document.clusters.items():
        for span in spans(members):
            rival = found.get(span)
            if rival is not None:
                last = span[1] - 1
                where = closings.get(last) or closings.setdefault(last, closings_of(lines[last][1]))
                if where[rival] > where[entity]:
                    continue
            found[span] = entity
    return {span: found[span] for span in sorted(found, key=lambda span: (span[0], -span[1]))}


def closings_of(line: str) -> dict[str, int]:
    """Return where in the cell of a token line each entity is closed last."""
    cell = line.rsplit(maxsplit=1)[-1]
    return {match[1]: match.start() for match in _CLOSING.finditer(cell)}
