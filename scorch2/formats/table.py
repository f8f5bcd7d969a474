"""The table of formats. A row of `FORMATS` says all there is to say about a format.

Readers, writers, detection, suffixes, the lists in help texts and what depends on a format elsewhere follow
from the rows.
"""

import importlib
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

from scorch2.formats import begins
from scorch2.model.errors import UsageError, unknown_name

ROWS = "rows"
"""Family of texts in rows: the reader has ``documents(text, stem, path) -> Iterator[Document]``.

It refuses two documents of one name. With `Format.by_part` it takes the bytes of the file.
"""
TYPED = "typed JSON"
"""Family of JSON objects whose ``type`` is the name: the reader has ``document(value, name, path)``."""
KEYED = "keyed JSON"
"""Family of JSON objects without ``type``, known by their keys: the reader has ``SOURCES``, the programs that
write such objects, see `scorch2.formats.json.keyed`."""
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
    which `scorch2.formats.xml_head.elements` finds the root."""
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
            begins.json, (".json",), one_document=True, is_surely=lambda keys: keys.get("clusters") == "{",
        ),
        Format(
            "graph", "graph JSON", TYPED, "json.graph", "json.graph",
            begins.json, (".json",), one_document=True, places=False,
            is_surely=lambda keys: "links" in keys,
        ),
        Format(
            "jsonlines", "jsonlines of neural systems", KEYED, "json.jsonlines", "json.jsonlines",
            begins.json, (".jsonl",), needs_tokens=True, names_are_positions=True,
        ),
        Format(
            "conll", "CoNLL columns", ROWS, "conll.reader", "conll.writer",
            begins.conll, (".conll", ".v4_gold_conll", ".v4_auto_conll"), needs_tokens=True,
            for_reference_scorer=True, repeats_count=True, entities_by=FIRST_END, cut=begins.BEGIN.encode(),
        ),
        Format(
            "webanno", "WebAnno TSV 3", ROWS, "webanno.reader", "webanno.writer",
            begins.webanno, (".tsv",), one_document=True, needs_tokens=True,
            names_are_positions=True,
        ),
        Format(
            "tsv", "annotations TSV", ROWS, "tsv.annotations", "tsv.annotations",
            begins.like(begins.ANNOTATION), (".tsv",), linking=True, rows_have_ids=True,
        ),
        Format(
            "aida", "AIDA-CoNLL", ROWS, "tsv.aida", "",
            begins.like(rf"(?!{begins.ANNOTATION})\s*-DOCSTART- \("), (), linking=True,
        ),
        Format(
            "litbank", "LitBank's MENTION and COREF lines", ROWS, "tsv.litbank", "",
            begins.like(r"(?:MENTION\t[^\t\n]+(?:\t[0-9]+){4}|(?:COREF|COP|APPOS)\t[^\t\n]+)\t"), (),
            one_document=True, places=False, named_by_file=True,
        ),
        Format(
            "booknlp", "BookNLP entities", ROWS, "tsv.booknlp", "tsv.booknlp",
            begins.like(r"COREF\tstart_token\tend_token(?:\t|\r?\n|\Z)"), (".entities",),
            one_document=True, named_by_file=True,
        ),
        Format("gap", "GAP TSV", ROWS, "tsv.gap", "", begins.like(begins.GAP), ()),
        Format(
            "brat", "brat standoff", ROWS, "brat.reader", "brat.writer",
            begins.brat, (".ann",), one_document=True, named_by_file=True, text_beside=".txt",
        ),
        Format(
            "are", "ARE XML", XML, "are.reader", "are.writer",
            begins.of_xml("is_markup"), (".xml",), one_document=True, places=False,
            is_surely=begins.of_xml("is_exercise"),
        ),
        Format(
            "mmax", "MMAX2 markables", XML, "markables.mmax", "",
            begins.of_xml("is_mmax"), (".xml",), one_document=True,
        ),
        Format(
            "ecb", "ECB+ XML", XML, "markables.ecb", "",
            begins.of_xml("is_ecb"), (".xml",), one_document=True,
        ),
        Format(
            "corefud", "CorefUD (CoNLL-U)", ROWS, "conllu.corefud.reader", "conllu.corefud.writer",
            begins.corefud, (".conllu",), needs_tokens=True, pieces=True, problems="conllu.corefud.validity",
            by_part=True, heads=True, entities_by=FIRST_MENTION, cut=_NEWDOC, uncut=_NAMELESS,
            carried=rb"#[ \t]*global\.Entity[ \t]*=[^\n]*\n",
        ),
        Format(
            "ua", "Universal Anaphora (exploded CoNLL-UA)", ROWS, "conllu.ua.reader", "conllu.ua.writer",
            begins.ua, (".conllua", ".CONLLUA", ".ua"), needs_tokens=True, pieces=True, free_sentences=True,
            problems="conllu.ua.validity", by_part=True, repeats_count=True, cut=_NEWDOC, uncut=_NAMELESS,
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


def names(chosen: Callable[[Format], object] = bool) -> tuple[str, ...]:
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
    writable = names(lambda row: row.writer)
    if name not in writable:
        raise UsageError(unknown_name(name, "format to write", writable))
    return name


@cache
def module(name: str) -> Any:
    """Return a module below ``scorch2.formats`` by its name in the table; it is imported on first use."""
    return importlib.import_module(f"scorch2.formats.{name}")
