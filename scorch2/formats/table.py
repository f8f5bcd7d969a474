"""The table of formats: a row of `FORMATS` says all there is to say about a format, and how its files begin.

Readers, writers, detection, suffixes, the lists in help texts and what depends on a format elsewhere follow
from the rows.
"""

import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.errors import InputError, UsageError, quoted, unknown_name

ANNOTATION_ROW = r"[^\t\n]+\t[0-9]+\t[0-9]+(?:\r?\n|\t|\Z)"
GAP_BEGIN = (
    r"ID\tText\tPronoun\tPronoun-offset\t"
    r"|[^\t\n]+(?i:\t(?:true|false)){2}(?:\r?\n|\Z)"  # what a system answers, which the reader refuses
)
_LONGEST_ID = 40
"""Characters of the ids of brat that detection looks at."""
_BLANK_OR_COMMENT = r"\s+|#(?!\s*begin document\b).*\n"
CONLL_BEGIN = r"#\s*begin document\b"


def begins_like(pattern: str) -> Callable[[str], object]:
    """Return whether a text begins with a pattern, which is compiled for the first text that is asked about.

    To compile all patterns of the table at the start takes 1 ms.
    """
    return lambda text: re.match(pattern, text)


is_json = begins_like(r"\s*[\[{]")
"""Tells whether a text begins as an object or a list."""


def is_conll(text: str) -> bool:
    """Return whether the first line that is neither blank nor a comment begins a document.

    A loop, since a single pattern would keep a state for every line that it skips.
    """
    return bool(re.compile(CONLL_BEGIN).match(text, _end_of(_BLANK_OR_COMMENT, text)))


def _end_of(skipped: str, text: str) -> int:
    """Return where a text goes on behind all that `skipped` matches at its beginning."""
    pattern, position = re.compile(skipped), 0
    while found := pattern.match(text, position):
        position = found.end()
    return position


def is_brat(text: str) -> bool:
    """Return whether a text begins with a line of brat; the pattern is imported only where it may be one."""
    ident, tab, _ = text[:_LONGEST_ID].partition("\t")
    if not tab or len(ident.split()) != 1:
        return False
    from scorch2.formats.rows.brat import BEGIN

    return BEGIN.match(text) is not None


def is_webanno(text: str) -> bool:
    """Return whether a text begins with the line that names its format."""
    return text.startswith("#FORMAT=WebAnno TSV ")


_FIRST_WORD = r"(?:0\.1|1|1-[0-9]+)\t[^\n]*"
_NUMBERED_ROW = r"[0-9]+(?:\.[0-9]+)?[ \t][^\n]*"
_BLANK_OR_ANY_COMMENT = r"\s+|#(?!\s*begin document\b).*(?:\n|\Z)"
_COLUMNS_OF_UA = r"(?m)^#[ \t]*global\.columns[ \t]*=.*\bIDENTITY\b"
_CELL_OF_UA = r"_|[^\s()]*[()]\S*"
_TABS_IN_COREFUD = 9


def is_corefud(text: str) -> bool:
    """Return whether the first line that is neither blank nor a comment is the first word of a sentence.

    A row of WebAnno TSV may have ten columns, too, and begins with ``1-1``.
    """
    if is_webanno(text):
        return False
    row = re.compile(_FIRST_WORD).match(text, _end_of(_BLANK_OR_ANY_COMMENT, text))
    return row is not None and row[0].count("\t") == _TABS_IN_COREFUD


def is_ua(text: str) -> bool:
    """Return whether a line names the columns of Universal Anaphora, or the first row looks like that.

    A row of 11 columns may be anything, so that the file must also hold the key of a markable.
    """
    start = _end_of(_BLANK_OR_ANY_COMMENT, text)
    row = re.compile(_NUMBERED_ROW).match(text, start)
    if row is None or re.compile(_COLUMNS_OF_UA).search(text, 0, start):
        return row is not None
    cells = row[0].split()[10:]
    is_like = all(re.fullmatch(_CELL_OF_UA, cell) for cell in cells[:3])
    return is_like and (len(cells) > 1 or (len(cells) == 1 and "MarkableID=" in text))


def of_xml(name: str) -> Callable[[bytes], object]:
    """Return what a function of `scorch2.formats.table` does, which is imported when it is asked."""

    def asked(data: bytes) -> object:
        return getattr(importlib.import_module("scorch2.formats.table"), name)(data)

    return asked


_XML_HEAD = 1 << 16
"""Bytes that are looked at."""
is_markup = re.compile(rb"(?:\xef\xbb\xbf)?\s*<|(?:\xff\xfe)?<\0|(?:\xfe\xff)?\0<").match
"""Whether bytes begin as XML does, in UTF-8 and encodings that resemble it, or in UTF-16."""
_ELEMENT = r"""(?s)<!--(?:.*?-->|.*)|<\?(?:.*?\?>|.*)|<!(?:"[^"]*"|'[^']*'|[^"'<>])*|<([\w.:-]+)"""
"""A comment, an instruction, a declaration, or the start of an element with its name; compiled on use."""
_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}


def decoded_head(head: bytes) -> str:
    """Return the text at the beginning of a file in UTF-8 or UTF-16, without a byte order mark."""
    return head.decode(_UTF_16.get(head[:2], "utf-8"), "replace").removeprefix("\ufeff")


def elements(data: bytes) -> Iterator[str]:
    """Yield the names of the elements that begin in the first kilobytes, in their order: first the root.

    >>> list(elements(b"<?xml version='1.0'?><!-- <no> --><text id='1'><s>word</s></text>"))
    ['text', 's']
    >>> list(elements(b'<!DOCTYPE markables SYSTEM "<md>.dtd"><markables>'))
    ['markables']
    """
    for found in re.finditer(_ELEMENT, decoded_head(data[:_XML_HEAD])):
        if found[1]:
            yield found[1]


def is_exercise(data: bytes) -> bool:
    """Return whether XML is of the anaphora exercise: by its root, or what is inside a root of any name."""
    from scorch2.formats.xml.are import INSIDE

    names = elements(data)
    return next(names, "") == "are" or next(names, "") in INSIDE[""]


def is_mmax(data: bytes) -> bool:
    """Return whether XML is a level of markables of MMAX2, or its words: by its root."""
    return next(elements(data), "") in ("markables", "words")


def is_ecb(data: bytes) -> bool:
    """Return whether XML is a file of ECB+: by its root and what comes first in it."""
    return list(islice(elements(data), 2)) in (["Document", "token"], ["Document", "Markables"])


ClusterKeys: TypeAlias = tuple[str, ...]
"""Keys in the order of preference. A single one was typed and must be there; none at all says nothing."""

GOLD_KEYS: ClusterKeys = ("clusters", "predicted_clusters")
SYSTEM_KEYS: ClusterKeys = ("predicted_clusters", "clusters")


def gold_keys(typed: str | None = None) -> ClusterKeys:
    """Return the keys to look for on the gold side: `typed` alone if it is given."""
    return GOLD_KEYS if typed is None else (typed,)


def system_keys(typed: str | None = None) -> ClusterKeys:
    """Return the keys to look for on the system side: `typed` alone if it is given."""
    return SYSTEM_KEYS if typed is None else (typed,)


def refuse_typed_key(keys: ClusterKeys, path: str, what: str) -> None:
    """Raise an InputError if a key was typed for a file in which there is nothing to choose."""
    if len(keys) == 1:
        why = f"the key {quoted(keys[0])} was asked for, but {what} has only one set of clusters"
        raise InputError(path, "", why)


ROWS = "rows"
"""Family of texts in rows: the reader has ``documents(text, stem, path) -> Iterator[Document]``.

It refuses two documents of one name. With `Format.by_part` it takes the bytes of the file.
"""
TYPED = "typed JSON"
"""Family of JSON objects whose ``type`` is the name: the reader has ``document(value, name, path)``."""
KEYED = "keyed JSON"
"""Family of JSON objects without ``type``, known by their keys: the reader has ``SOURCES``, the programs that
write such objects, see `scorch2.formats.json.dialects`."""
XML = "XML"
"""Family of XML, whose bytes may name their encoding: the reader has ``read(data, stem, path)``."""

FIRST_END = "first end"
"""Order of entities by where the first of their mentions ends."""
FIRST_MENTION = "first mention"
"""Order of entities by their first mention, and then by name."""


class Format(NamedTuple):
    """Everything there is to say about a format."""

    name: str
    about: str
    """What it is, for help texts."""
    family: str
    """How it is read: `ROWS`, `TYPED`, `KEYED` or `XML`."""
    reader: str
    """The module that reads it, below ``scorch2.formats``."""
    writer: str
    """The module with ``write(document) -> str``; empty if the format is only read."""
    begins: Callable[[Any], object]
    """Tells from the content whether it is in this format: from text, or from bytes in the family `XML`, for
    which `scorch2.formats.table.elements` finds the root."""
    suffixes: tuple[str, ...]
    """Suffixes that stand for it if the content does not tell; the first is that of converted files."""
    is_surely: Callable[[Any], object] | None = None
    """Tells its files from those of other programs that `begins` takes too, which a report may not replace.

    In the family `XML` it gets bytes. In `TYPED` it gets the keys at the beginning of an object whose
    ``type`` was not seen yet, with how each value begins. None if `begins` takes nothing else.
    """
    one_document: bool = False
    """Whether a file holds one document only."""
    needs_tokens: bool = False
    """Whether documents without tokens cannot be written in it."""
    linking: bool = False
    """Whether it is made for entity linking."""
    places: bool = True
    """Whether the commands of entity linking offer it: it can say where mentions are."""
    rows_have_ids: bool = False
    """Whether each row names its document, so that a document without mentions cannot be in a file."""
    for_reference_scorer: bool = False
    """Whether the CoNLL reference scorer reads it, which pairs documents by name only."""
    names_are_positions: bool = False
    """Whether names of clusters only number them inside a document, as their place in a list does."""
    named_by_file: bool = False
    """Whether nothing inside a file names its document, which is then called like the file."""
    pieces: bool = False
    """Whether it can hold mentions in pieces and of empty nodes, see `scorch2.model.markables`."""
    heads: bool = False
    """Whether it names the heads of mentions, and what empty nodes depend on."""
    free_sentences: bool = False
    """Whether sentences mean nothing to its scorers, so that two files may break them in other places."""
    repeats_count: bool = False
    """Whether its scorers count a mention as often as its cluster has it."""
    entities_by: str = ""
    """The order of entities in its scorers: `FIRST_END`, `FIRST_MENTION`, or empty for that of the file."""
    problems: str = ""
    """The module with ``problems(data, path)``, which finds what a reader can live with and the rules of the
    format forbid, for `validate`."""
    text_beside: str = ""
    """Suffix of the file with the text that lies beside each file, if there is one: the writer also has
    ``plain_text(document) -> str``."""
    by_part: bool = False
    """Whether the reader takes bytes, and decodes one document after the other: the text of a file may take
    four times as much memory as the file."""
    cut: bytes = b""
    """A pattern for the line that each document begins with, in ``#``, if workers may cut files there.

    In the family `KEYED` each line is a document.
    """
    preface: bytes = b""
    """A pattern for a line that may stand before the first document and says nothing about it."""
    carried: bytes = b""
    """A pattern for a line in ``#`` that documents after it need, too: each part gets it."""
    uncut: bytes = b""
    """A pattern for a line in ``#``; files that hold such a line are not cut."""


_NEWDOC = rb"#[ \t]*newdoc(?!\S)"
_NAMELESS = rb"#[ \t]*newdoc[ \t]*(?:id[ \t]*=[ \t]*)?\r?\n"
"""Documents without a name are counted, so that a file of such is not cut."""

FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format(
            "clusters", "clusters JSON", TYPED, "json.clusters", "json.clusters",
            is_json, (".json",), one_document=True, is_surely=lambda keys: keys.get("clusters") == "{",
        ),
        Format(
            "graph", "graph JSON", TYPED, "json.graph", "json.graph",
            is_json, (".json",), one_document=True, places=False,
            is_surely=lambda keys: "links" in keys,
        ),
        Format(
            "jsonlines", "jsonlines of neural systems", KEYED, "json.jsonlines", "json.jsonlines",
            is_json, (".jsonl",), needs_tokens=True, names_are_positions=True,
        ),
        Format(
            "conll", "CoNLL columns", ROWS, "rows.conll", "rows.conll_writer",
            is_conll, (".conll", ".v4_gold_conll", ".v4_auto_conll"), needs_tokens=True,
            for_reference_scorer=True, repeats_count=True, entities_by=FIRST_END, cut=CONLL_BEGIN.encode(),
        ),
        Format(
            "webanno", "WebAnno TSV 3", ROWS, "rows.webanno", "rows.webanno",
            is_webanno, (".tsv",), one_document=True, needs_tokens=True,
            names_are_positions=True,
        ),
        Format(
            "tsv", "annotations TSV", ROWS, "rows.annotations", "rows.annotations",
            begins_like(ANNOTATION_ROW), (".tsv",), linking=True, rows_have_ids=True,
        ),
        Format(
            "aida", "AIDA-CoNLL", ROWS, "rows.aida", "",
            begins_like(rf"(?!{ANNOTATION_ROW})\s*-DOCSTART- \("), (), linking=True,
        ),
        Format(
            "litbank", "LitBank's MENTION and COREF lines", ROWS, "rows.litbank", "",
            begins_like(r"(?:MENTION\t[^\t\n]+(?:\t[0-9]+){4}|(?:COREF|COP|APPOS)\t[^\t\n]+)\t"), (),
            one_document=True, places=False, named_by_file=True,
        ),
        Format(
            "booknlp", "BookNLP entities", ROWS, "rows.booknlp", "rows.booknlp",
            begins_like(r"COREF\tstart_token\tend_token(?:\t|\r?\n|\Z)"), (".entities",),
            one_document=True, named_by_file=True,
        ),
        Format("gap", "GAP TSV", ROWS, "rows.gap", "", begins_like(GAP_BEGIN), ()),
        Format(
            "brat", "brat standoff", ROWS, "rows.brat", "rows.brat",
            is_brat, (".ann",), one_document=True, named_by_file=True, text_beside=".txt",
        ),
        Format(
            "are", "ARE XML", XML, "xml.are", "xml.are",
            of_xml("is_markup"), (".xml",), one_document=True, places=False,
            is_surely=of_xml("is_exercise"),
        ),
        Format(
            "mmax", "MMAX2 markables", XML, "xml.mmax", "",
            of_xml("is_mmax"), (".xml",), one_document=True,
        ),
        Format(
            "ecb", "ECB+ XML", XML, "xml.ecb", "",
            of_xml("is_ecb"), (".xml",), one_document=True,
        ),
        Format(
            "corefud", "CorefUD (CoNLL-U)", ROWS, "conllu.corefud", "conllu.corefud_writer",
            is_corefud, (".conllu",), needs_tokens=True, pieces=True, problems="conllu.corefud_validity",
            by_part=True, heads=True, entities_by=FIRST_MENTION, cut=_NEWDOC, uncut=_NAMELESS,
            carried=rb"#[ \t]*global\.Entity[ \t]*=[^\n]*\n",
        ),
        Format(
            "ua", "Universal Anaphora (exploded CoNLL-UA)", ROWS, "conllu.ua", "conllu.ua_writer",
            is_ua, (".conllua", ".CONLLUA", ".ua"), needs_tokens=True, pieces=True, free_sentences=True,
            problems="conllu.ua_validity", by_part=True, repeats_count=True, cut=_NEWDOC, uncut=_NAMELESS,
            preface=rb"#[ \t]*global\.columns[^\n]*\n",
        ),
    )
}  # fmt: skip
"""The formats by name, in the order of help texts.

A content is shown to the rows from the last to the first, and the first whose `begins` takes it reads it: a
new row goes to the end, so that `are`, which takes any XML, is asked after all others. Only XML is shown to
rows of `XML`. JSON is asked for after all `ROWS`, and its keys decide, see `scorch2.formats.json.documents`.
"""
UNKNOWN = Format("", "", "", "", "", lambda _: False, ())
"""The row of documents that were not read from a file."""


def row_of(name: str) -> Format:
    """Return the row of `Document.format`."""
    return FORMATS.get(name, UNKNOWN)


def format_names(chosen: Callable[[Format], object] = bool) -> tuple[str, ...]:
    """Return the names of the formats whose row is `chosen`, in the order of the table.

    >>> names(lambda row: row.linking)
    ('tsv', 'aida')
    """
    return tuple(name for name, row in FORMATS.items() if chosen(row))


def check_format(name: str | None) -> str | None:
    """Return `name` if it is a format, or None if the format is to be detected."""
    if name is not None and name not in list(FORMATS):
        raise UsageError(unknown_name(name, "format", FORMATS))
    return name


def check_written(name: str) -> str:
    """Return `name` if documents can be written in that format."""
    writable = format_names(lambda row: row.writer)
    if name not in writable:
        raise UsageError(unknown_name(name, "format to write", writable))
    return name


@cache
def format_module(name: str) -> Any:
    """Return a module below ``scorch2.formats`` by its name in the table; it is imported on first use."""
    return importlib.import_module(f"scorch2.formats.{name}")
