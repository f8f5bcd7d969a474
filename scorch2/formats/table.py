"""The table of formats: a row of `FORMATS` says all there is to say about a format, and how its files begin.

Readers, writers, detection, suffixes, the lists in help texts and what depends on a format elsewhere follow
from the rows.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, UsageError, quoted, unknown_name

ClusterKeys: TypeAlias = tuple[str, ...]
"""Keys in the order of preference. A single one was typed and must be there; none at all says nothing."""

GOLD_KEYS: ClusterKeys = ("clusters", "predicted_clusters")
SYSTEM_KEYS: ClusterKeys = ("predicted_clusters", "clusters")


def refuse_typed_key(keys: ClusterKeys, path: str, what: str) -> None:
    """Raise an InputError if a key was typed for a file in which there is nothing to choose."""
    if len(keys) == 1:
        why = f"the key {quoted(keys[0])} was asked for, but {what} has only one set of clusters"
        raise InputError(path, "", why)


ROWS = "rows"  # family of texts in rows
TYPED = "typed JSON"  # family of JSON objects whose ``type`` is the name
KEYED = "keyed JSON"
"""Family of JSON objects without ``type``, known by their keys, see `scorch2.formats.json.dialects`."""
XML = "XML"  # family of XML, whose bytes may name their encoding

FIRST_END = "first end"  # order of entities by where the first of their mentions ends
FIRST_MENTION = "first mention"  # order of entities by their first mention, and then by name


class FormatModule(Protocol):
    """The interface of the modules that a row names: those that read, write and check a format."""

    SOURCES: Sequence[Any]  # a reader of the family `KEYED`: the programs that write the format

    def documents(self, content: Any, stem: str, path: str, /) -> Iterable[Document]:
        """Read a file, in the families `ROWS` and `XML`; two documents of one name are refused.

        The content is text, or bytes for `XML` and with `Format.by_part`. `stem` is what a document is called
        that does not say its name.
        """

    def document(self, value: dict[str, Any], name: str, path: str, /) -> Document:
        """Read a parsed object, in the family `TYPED`."""

    def write(self, document: Document, /) -> str:
        """Return a document as text that ends with a line feed; not with `Format.written_together`."""

    def write_file(self, documents: Sequence[Document], /) -> str:
        """Return the content of a file; only with `Format.written_together`."""

    def fitting(self, document: Document, /) -> Document:
        """Return a document without the mentions that the format cannot hold, for ``--lossy``."""

    def plain_text(self, document: Document, /) -> str:
        """Return the content of the file beside; only with `Format.text_beside`."""

    def problems(self, data: bytes, path: str, /) -> Iterator[Notice]:
        """Find what the reader takes and the rules of the format forbid, for ``validate``."""


class Cut(NamedTuple):
    """The lines by which files are cut into chunks for workers; patterns in ``#``, empty if there is none."""

    begin: bytes  # the line that each document begins with
    preface: bytes = b""  # a line that may stand before the first document and says nothing about it
    carried: bytes = b""  # a line that documents after it need, too: each chunk gets it
    forbidden: bytes = b""  # files that hold such a line are not cut


class Format(NamedTuple):
    """Everything there is to say about a format."""

    name: str
    about: str  # what it is, for help texts
    family: str  # how it is read: `ROWS`, `TYPED`, `KEYED` or `XML`
    reader: str  # the module that reads it, below ``scorch2.formats``: a `FormatModule`, as the next
    writer: str  # the module that writes it; empty if the format is only read
    begins: Callable[[Any], object]
    """Tells from the content whether it is in this format: from text, or from bytes in the family `XML`, for
    which `elements` finds the root."""
    suffixes: tuple[str, ...]
    """Suffixes that stand for it if the content does not tell; the first is that of converted files."""
    is_surely: Callable[[Any], object] | None = None
    """Tells its files from those of other programs that `begins` takes too, which a report may not replace.
    In the family `XML` it gets bytes. In `TYPED` it gets the keys at the beginning of an object whose
    ``type`` was not seen yet, with how each value begins. None if `begins` takes nothing else."""
    problems: str = ""  # the module with the checks of ``validate``
    by_part: bool = False
    """Whether the reader takes bytes, and decodes one document after the other: the text of a file may take
    four times as much memory as the file."""
    cut: Cut | None = None  # How workers may cut files. In the family `KEYED` each line is a document.
    begin: bytes = b""
    """The line that each document of a file begins with, a pattern, if `cut` does not say it: for hashes."""
    written_together: bool = False  # whether what is written of a document depends on the others in its file
    text_beside: str = ""  # suffix of the file with the text that lies beside each file, if there is one
    beside: tuple[str, ...] = ()  # ends of other files that belong to each file: no output takes their place
    reads_beside: str = ""  # the one of these that is read
    keys: tuple[str, ...] = ()  # the keys that are read, in the family `TYPED`
    one_document: bool = False  # whether a file holds one document only
    named_by_file: bool = False
    """Whether nothing inside a file names its document, which is then called like the file."""
    rows_have_ids: bool = False
    """Whether each row names its document, so that a document without mentions cannot be in a file."""
    names_reach: bool = False
    """Whether a cluster may have one name in several files since it is one entity, as in ECB+."""
    names_say_sentences: bool = False
    """Whether mentions that are texts begin with their sentence, in the names that `conll2json` gives."""
    needs_tokens: bool = False  # whether documents without tokens cannot be written in it
    discontinuous: bool = False
    """Whether it can hold discontinuous mentions and empty nodes, see `scorch2.model.markables`."""
    heads: bool = False  # whether it names the heads of mentions, and what empty nodes depend on
    linking: bool = False  # whether it is made for entity linking
    places: bool = True  # whether the commands of entity linking offer it: it can say where mentions are
    for_reference_scorer: bool = False
    """Whether the CoNLL reference scorer reads it, which pairs documents by name only."""
    free_sentences: bool = False
    """Whether sentences mean nothing to its scorers, so that two files may break them in other places."""
    repeats_count: bool = False  # whether its scorers count a mention as often as its cluster has it
    has_marks: bool = False
    """Whether marks in a text stand for mentions, see `scorch2.formats.marked`. Any text may be one without
    marks, so that a suffix tells nothing."""
    entities_by: str = ""
    """The order of entities in its scorers: `FIRST_END`, `FIRST_MENTION`, or empty for that of the file."""

    @property
    def holds_spans_only(self) -> bool:
        """True if mentions are spans: neither discontinuous nor any names."""
        return not self.discontinuous and self.family != TYPED


_ANNOTATION_ROW = r"[^\t\n]+\t[0-9]+\t[0-9]+(?:\r?\n|\t|\Z)"
_GAP = (
    r"ID\tText\tPronoun\tPronoun-offset\t"
    r"|ID\tA-coref\tB-coref(?:\r?\n|\Z)"  # a header of what a system answers, which the reader refuses,
    r"|[^\t\n]+(?i:\t(?:true|false)){2}(?:\r?\n|\Z)"  # and such answers without one
)


def _detected(name: str, *given: Any) -> object:
    """Return what a function of `detection` says of a content: where all is JSON, none of them is loaded."""
    from scorch2.formats import detection

    return getattr(detection, f"is_{name}")(*given)


_is: Callable[..., Callable[[Any], object]] = partial(partial, _detected)
begins_like: Callable[[str], Callable[[str], object]] = partial(partial, re.match)
"""Makes a function of a pattern that tells if a text begins so; to compile all at the start takes 1 ms."""
_is_json = begins_like(r"\s*[\[{]")
_NEWDOC = rb"#[ \t]*newdoc(?!\S)"
_NEWDOC_ID = rb"#[ \t]*newdoc[ \t]+id[ \t]*="
_NAMELESS = rb"#[ \t]*newdoc[ \t]*(?:id[ \t]*=[ \t]*)?\r?\n"
"""Documents without a name are counted, so that a file of such is not cut."""

FORMATS: Mapping[str, Format] = {
    row.name: row
    for row in (
        Format(
            "clusters", "clusters JSON", TYPED, "json.clusters", "json.clusters",
            _is_json, (".json",), one_document=True, is_surely=lambda keys: keys.get("clusters") == "{",
            keys=(
                "type", "name", "clusters", "offsets", "unit", "mentions", "kb",
                "sentences", "tokens", "text",
            ),
        ),
        Format(
            "graph", "graph JSON", TYPED, "json.mention_table:graph", "json.mention_table:graph",
            _is_json, (".json",), one_document=True, places=False,
            is_surely=lambda keys: "links" in keys,
            keys=("type", "name", "mentions", "links", "offsets", "unit"),
        ),
        Format(
            "jsonlines", "jsonlines of neural systems", KEYED, "json.jsonlines", "json.jsonlines",
            _is_json, (".jsonl", ".jsonlines"), needs_tokens=True,
        ),
        Format(
            "crac", "JSON of CRAC 2026", KEYED, "json.jsonlines:crac", "json.jsonlines:crac",
            _is_json, (".json",), written_together=True, needs_tokens=True, discontinuous=True,
        ),
        Format(
            "crossdoc", "JSON of corpora across documents", KEYED, "json.corpora:crossdoc", "", _is_json, (),
            names_reach=True, names_say_sentences=True,
        ),
        Format(
            "annotators", "JSON of annotation tools", KEYED, "json.corpora:annotators", "", _is_json, (),
        ),
        Format(
            "sacr", "SACR text with braces", ROWS, "rows.books:sacr", "", _is("sacr"), (".sacr",),
            one_document=True,
        ),
        Format("csv", "CSV of mentions with a header", ROWS, "rows.columns:csv", "", _is("csv"), (".csv",)),
        Format(
            "conll", "CoNLL columns", ROWS, "rows.conll", "rows.columns:conll",
            _is("conll"), (".conll", ".v4_gold_conll", ".v4_auto_conll"), cut=Cut(rb"#\s*begin document\b"),
            needs_tokens=True, for_reference_scorer=True, repeats_count=True, entities_by=FIRST_END,
        ),
        Format(
            "webanno", "WebAnno TSV 3", ROWS, "rows.webanno", "rows.webanno",
            _is("webanno"), (".tsv",), one_document=True, needs_tokens=True,
        ),
        Format(
            "tsv", "annotations TSV", ROWS, "rows.annotations", "rows.annotations",
            begins_like(_ANNOTATION_ROW), (".tsv",), linking=True, rows_have_ids=True,
        ),
        Format(
            "aida", "AIDA-CoNLL", ROWS, "rows.annotations:aida", "",
            begins_like(rf"(?!{_ANNOTATION_ROW})\s*-DOCSTART- \("), (), linking=True, begin=rb"-DOCSTART- \(",
        ),
        Format(
            "plaintext", "plain text with tags (CRAC)", ROWS, "marked.plaintext", "marked.plaintext",
            _is("plaintext"), (".txt",), needs_tokens=True, discontinuous=True,
            named_by_file=True, has_marks=True, begin=rb"[^\n]*\S",
        ),
        Format(
            "markdown", "text with links of Markdown", ROWS, "marked.marks:markdown", "marked.marks:markdown",
            _is("markdown"), (".md",), needs_tokens=True, has_marks=True, begin=_NEWDOC_ID,
        ),
        Format(
            "tagged", "text with tags of XML", ROWS, "marked.marks:tagged", "marked.marks:tagged",
            lambda _: False, (".txt",), needs_tokens=True, has_marks=True, begin=_NEWDOC_ID,
            is_surely=begins_like(r"# newdoc id = .*\n(?s:.*)</m>#[\w-]"),
        ),
        Format(
            "bracketed", "text with numbered brackets", ROWS,
            "marked.marks:bracketed", "marked.marks:bracketed", lambda _: False, (".txt",), needs_tokens=True,
            has_marks=True, begin=_NEWDOC_ID,
            is_surely=begins_like(r"# newdoc id = .*\n(?s:.*)(?<!\\)\]_[\w-]"),
        ),
        Format(
            "litbank", "LitBank's MENTION and COREF lines", ROWS, "rows.books:litbank", "",
            begins_like(r"(?:MENTION\t[^\t\n]+(?:\t[0-9]+){4}|(?:COREF|COP|APPOS)\t[^\t\n]+)\t"), (),
            one_document=True, places=False, named_by_file=True, beside=(".txt",), reads_beside=".txt",
            names_say_sentences=True,
        ),
        Format(
            "booknlp", "BookNLP entities", ROWS, "rows.books:booknlp", "rows.books:booknlp",
            begins_like(r"COREF\tstart_token\tend_token(?:\t|\r?\n|\Z)"), (".entities",),
            one_document=True, named_by_file=True, beside=(".tokens", ".supersense", ".quotes", ".book"),
        ),
        Format(
            "gap", "GAP TSV", ROWS, "rows.columns:gap", "", begins_like(_GAP), (),
            begin=rb"(?!ID\tText\t)[^\n]*\S",
        ),
        Format(
            "brat", "brat standoff", ROWS, "rows.brat", "rows.brat",
            _is("brat"), (".ann",), one_document=True, named_by_file=True, text_beside=".txt",
        ),
        Format(
            "are", "ARE XML", XML, "xml.are", "xml.are",
            _is("markup"), (".xml",), one_document=True, places=False, is_surely=_is("exercise"),
        ),
        Format(
            "mmax", "MMAX2 markables", XML, "xml.standoff:mmax", "", _is("mmax"), (".xml", ".mmax"),
            one_document=True, beside=("_words.xml", "_sentence_level.xml"),
        ),
        Format(
            "ecb", "ECB+ XML", XML, "xml.corpora:ecb", "", _is("ecb"), (".xml",), one_document=True,
            names_reach=True,
        ),
        Format(
            "gate", "GATE XML", XML, "xml.standoff:gate", "", _is("rooted_in", ("GateDocument",)), (".xml",),
            one_document=True, named_by_file=True,
        ),
        Format(
            "naf", "NAF and KAF", XML, "xml.corpora:naf", "", _is("rooted_in", ("NAF", "KAF")),
            (".naf", ".kaf"), one_document=True, named_by_file=True,
        ),
        Format(
            "tei", "TEI", XML, "xml.corpora:tei", "", _is("rooted_in", ("TEI", "TEI.2")), (".xml",),
            one_document=True, named_by_file=True,
        ),
        Format(
            "glozz", "Glozz annotations", XML, "xml.standoff:glozz", "", _is("glozz"), (".aa",),
            one_document=True, named_by_file=True, beside=(".ac",), reads_beside=".ac",
        ),
        Format(
            "xmi", "XMI of a CAS (INCEpTION)", XML, "xml.standoff:xmi", "", _is("rooted_in", ("xmi:XMI",)),
            (".xmi",), one_document=True, named_by_file=True,
        ),
        Format("sgml", "COREF tags of OntoNotes and MUC", XML, "xml.sgml", "", _is("sgml"), (".coref",)),
        Format(
            "corefud", "CorefUD (CoNLL-U)", ROWS, "conllu.corefud", "conllu.corefud_writer",
            _is("corefud"), (".conllu",), problems="conllu.validity:corefud", by_part=True,
            written_together=True,
            cut=Cut(_NEWDOC, carried=rb"#[ \t]*global\.Entity[ \t]*=[^\n]*\n", forbidden=_NAMELESS),
            needs_tokens=True, discontinuous=True, heads=True, entities_by=FIRST_MENTION,
        ),
        Format(
            "ua", "Universal Anaphora (exploded CoNLL-UA)", ROWS, "conllu.ua", "conllu.ua_writer",
            _is("ua"), (".conllua", ".CONLLUA", ".ua"), problems="conllu.validity:ua", by_part=True,
            written_together=True, cut=Cut(_NEWDOC, rb"#[ \t]*global\.columns[^\n]*\n", forbidden=_NAMELESS),
            needs_tokens=True, discontinuous=True, free_sentences=True, repeats_count=True,
        ),
        Format(
            "stanza", "Stanza's CoNLL-U", ROWS, "conllu.corefud_lines:stanza", "", _is("stanza"), (),
            by_part=True, cut=Cut(_NEWDOC, forbidden=_NAMELESS), discontinuous=True,
        ),
        Format(
            "columns", "columns with a header (CoNLL-U Plus)", ROWS, "rows.columns:header", "",
            _is("columns"), (".conllup",), by_part=True,
        ),
    )
}  # fmt: skip
"""The formats by name, in the order of help texts.

A content is shown to the rows from the last to the first, and the first whose `begins` takes it reads it: a
new row goes to the end, so that `are`, which takes any XML, is asked after all others. Only XML is shown to
rows of `XML`. JSON is asked for after all `ROWS`, and its keys decide, see `scorch2.formats.json.dialects`.
"""
UNKNOWN = Format("", "", "", "", "", lambda _: False, ())
"""The row of documents that were not read from a file."""


def row_of(name: str) -> Format:
    """Return the row of `Document.format`."""
    return FORMATS.get(name, UNKNOWN)


def format_names(chosen: Callable[[Format], object] = bool) -> tuple[str, ...]:
    """Return the names of the formats whose row is `chosen`, in the order of the table.

    >>> format_names(lambda row: row.linking)
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
