"""The table of formats: a row of `FORMATS` says all there is to say about a format, and how its files begin.

Readers, writers, detection, suffixes, the lists in help texts and what depends on a format elsewhere follow
from the rows.
"""

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from types import SimpleNamespace
from typing import Any, NamedTuple, Protocol, TypeAlias, cast

from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, UsageError, quoted, unknown_name

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
        """Return a document as text that ends with a line feed."""

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
_LONGEST_ID = 40  # characters of the ids of brat that detection looks at
_PLACES_OF_BRAT = "[0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*"
_BRAT = (
    rf"(?:T\S+\t\S+ {_PLACES_OF_BRAT}"  # T1 Type 0 4
    r"|R[0-9]\S*\t\S+(?: \S+:[TE][0-9]\S*){2}"  # R1 Coref Arg1:T2 Arg2:T1
    r"|E[0-9]\S*\t\S+:T[0-9]\S*(?: \S+:[TE][0-9]\S*)*"  # E1 Type:T1 Theme:T2
    r"|\*\t\S+(?: [TE][0-9]\S*){2,}"  # * Equiv T1 T2
    r"|[AM][0-9]\S*\t\S+ [TER][0-9]\S*(?: \S+)?|N[0-9]\S*\t\S+ T[0-9]\S* \S+|#[0-9]\S*\t\S+ [TERAMN][0-9]\S*"
    r") ?(?:\t|\r?\n|\Z)"
)
"""A line whose ids are like those that brat gives, since rows of other formats may look like the rest."""
_BLANK_OR_COMMENT = r"\s+|#(?!\s*begin document\b).*\n"
_BEGIN_DOCUMENT = r"#\s*begin document\b"
_FIRST_WORD = r"(?:0\.1|1|1-[0-9]+)\t[^\n]*"
_NUMBERED_ROW = r"[0-9]+(?:\.[0-9]+)?[ \t][^\n]*"
_BLANK_OR_ANY_COMMENT = r"\s+|#(?!\s*begin document\b).*(?:\n|\Z)"
_ANY_COMMENT = r"\s+|#.*(?:\n|\Z)"
_NEWDOC_OR_GLOBAL = r"(?m)^#[ \t]*(?:newdoc\b|global\.)"
_FIELDS_OF_COREFUD = r"(?m)^#[ \t]*global\.Entity[ \t]*="
_COLUMNS_OF_UA = r"(?m)^#[ \t]*global\.columns[ \t]*=.*\bIDENTITY\b"
_CELL_OF_UA = r"_|[^\s()]*[()]\S*"
_CHAIN = r"[\t|](?:coref_chains|ner)=(?:unit|start)-(?:repr-)?id[0-9]"
_TABS_IN_COREFUD = 9
_TAG = r"(?:\[[^\s|,\[\]]+\]?|[^\s|,\[\]]+\])"
_TAGGED_WORD = rf"\S\|{_TAG}(?:,{_TAG})*(?!\S)"
_MARKUP = rb"(?:\xef\xbb\xbf)?\s*<|(?:\xff\xfe)?<\0|(?:\xfe\xff)?\0<"
_ELEMENT = r"""(?s)<!--(?:.*?-->|.*)|<\?(?:.*?\?>|.*)|<!(?:"[^"]*"|'[^']*'|[^"'<>])*|<([\w.:-]+)"""
"""A comment, an instruction, a declaration, or the start of an element with its name."""
BELOW_ROOT_OF_ARE = ("text", "entities", "entity", "chains", "chain", "pairs", "pair")
"""Elements that the anaphora exercise has directly below its root."""
_SACR = r"(?m)\{[\w-]+:[\w-]+=|^#(?:COLOR|TOKENIZATION-TYPE|text_?id|title):"
_LOOKED_AT = 1000  # elements of SGML among which there is a mention
_ROOT = 1 << 12  # bytes in which a root is looked for
_PART = rb"<(?i:TEXT)\s+(?i:PARTNO)\s*="
_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_HEAD = 1 << 16  # bytes of XML that are looked at


def begins_like(pattern: str) -> Callable[[str], object]:
    """Return whether a text begins with a pattern; to compile all of the table at the start takes 1 ms."""
    return lambda text: re.match(pattern, text)


_is_json = begins_like(r"\s*[\[{]")


def is_conll(text: str) -> bool:
    """Return whether the first line that is neither blank nor a comment begins a document."""
    return bool(re.compile(_BEGIN_DOCUMENT).match(text, _end_of(_BLANK_OR_COMMENT, text)))


def _end_of(skipped: str, text: str) -> int:
    """Return where a text goes on behind all that `skipped` matches, line by line to save memory."""
    pattern, position = re.compile(skipped), 0
    while found := pattern.match(text, position):
        position = found.end()
    return position


def is_brat(text: str) -> bool:
    """Return whether a text begins with a line of brat; the pattern is compiled only where it may be one."""
    ident, tab, _ = text[:_LONGEST_ID].partition("\t")
    return bool(tab) and len(ident.split()) == 1 and re.match(_BRAT, text) is not None


def is_webanno(text: str) -> bool:
    """Return whether a text begins with the line that names its format."""
    return text.startswith("#FORMAT=WebAnno TSV ")


def _first_row(text: str) -> int:
    """Return where the rows of CoNLL-U begin: behind comments, of which none begins a document of CoNLL."""
    # One that does is a comment like any other behind a line that only CoNLL-U has.
    start = _end_of(_BLANK_OR_ANY_COMMENT, text)
    if text.startswith("#", start) and re.compile(_NEWDOC_OR_GLOBAL).search(text, 0, start):
        return _end_of(_ANY_COMMENT, text)
    return start


def is_corefud(text: str) -> bool:
    """Return whether a line names the fields of brackets, or the first row is a first word in ten columns."""
    # A row of WebAnno TSV may have ten columns, too, and begins with ``1-1``.
    if is_webanno(text):
        return False
    start = _first_row(text)
    row = re.compile(_FIRST_WORD).match(text, start)
    is_like = row is not None and row[0].count("\t") == _TABS_IN_COREFUD
    return is_like or re.compile(_FIELDS_OF_COREFUD).search(text, 0, start) is not None


def is_stanza(text: str) -> bool:
    """Return whether a text is CoNLL-U in which words say to which chains they belong."""
    # The words are found a hundred times as fast as the pattern, and most files of CoNLL-U have none.
    may_be = text.find("coref_chains=", 0, _HEAD) >= 0 or text.find("ner=", 0, _HEAD) >= 0
    return may_be and is_corefud(text) and re.compile(_CHAIN).search(text, 0, _HEAD) is not None


def is_ua(text: str) -> bool:
    """Return whether a line names the columns of Universal Anaphora, or the first row looks like that."""
    # A row of 11 columns may be anything, so that the file must also hold the key of a markable.
    start = _first_row(text)
    if re.compile(_COLUMNS_OF_UA).search(text, 0, start):
        return True
    row = re.compile(_NUMBERED_ROW).match(text, start)
    if row is None or row[0].count("\t") == _TABS_IN_COREFUD:  # a word may hold blanks
        return False
    by_tabs = row[0].count("\t") > _TABS_IN_COREFUD
    cells = list(map(str.strip, row[0].split("\t")))[10:] if by_tabs else row[0].split()[10:]
    is_like = all(re.fullmatch(_CELL_OF_UA, cell) for cell in cells[:3])
    return is_like and (len(cells) > 1 or (len(cells) == 1 and "MarkableID=" in text))


def is_markup(data: bytes) -> bool:
    """Return whether bytes begin as XML does, in UTF-8 and encodings that resemble it, or in UTF-16."""
    return re.match(_MARKUP, data) is not None


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
    return (found[1] for found in re.finditer(_ELEMENT, decoded_head(data[:_HEAD])) if found[1])


def is_exercise(data: bytes) -> bool:
    """Return whether XML is of the anaphora exercise: by its root, or what is inside a root of any name."""
    names = elements(data)
    return next(names, "") == "are" or next(names, "") in BELOW_ROOT_OF_ARE


def is_mmax(data: bytes) -> bool:
    """Return whether XML is a level of markables of MMAX2, or its words: by its root."""
    return next(elements(data), "") in ("markables", "words")


def is_ecb(data: bytes) -> bool:
    """Return whether XML is a file of ECB+: by its root and what comes first in it."""
    return list(islice(elements(data), 2)) in (["Document", "token"], ["Document", "Markables"])


def is_root(*names: str) -> Callable[[bytes], object]:
    """Return what tells whether the root of XML has one of some names."""
    return lambda data: next(elements(data[:_ROOT]), "") in names


def is_glozz(data: bytes) -> bool:
    """Return whether XML is of Glozz: annotations, first of all units with metadata."""
    found = list(islice(elements(data[:_ROOT]), 3))
    return found[:1] == ["annotations"] and found[2:] in ([], ["unit"], ["metadata"])


def names_of_columns(line: str) -> list[str]:
    """Return the names of columns in a first line, in small letters, if tokens and coreference are there."""
    named = re.match(r"#[ \t]*global\.columns[ \t]*=(.*)", line)
    cells = named[1].split() if named else line.strip(" \r").split("\t")
    names = [cell.strip().casefold() for cell in cells]
    has_both = any("coref" in name for name in names) and not {"form", "token", "word"}.isdisjoint(names)
    return names if has_both else []


def is_columns(text: str) -> bool:
    """Return whether the first line of a text names columns of tokens and of coreference."""
    first = text[: max(text.find("\n"), 0)] or text[:_ROOT]
    return "coref" in first.casefold() and bool(names_of_columns(first))


def is_sacr(text: str) -> bool:
    """Return whether a text has marks of SACR with properties, or marks and a line of its head or foot."""
    return text.find("{", 0, _HEAD) >= 0 and re.compile(_SACR).search(text, 0, _HEAD) is not None


def is_csv(text: str) -> bool:
    """Return whether the first line of a text names columns of mentions."""
    first = text[: text.find("\n") + 1] or text
    if "end" not in first.casefold():
        return False
    from scorch2.formats.rows.headed import separator_of

    return separator_of(first) != ""


def is_sgml(data: bytes) -> bool:
    """Return whether SGML is a part of OntoNotes, or has COREF tags: by what comes first in it."""
    names = elements(data)
    if next(names, "").upper() not in ("DOC", "TEXT"):
        return False
    return any(name.upper() == "COREF" for name in islice(names, _LOOKED_AT)) or (
        re.search(_PART, data[:_HEAD]) is not None
    )


def is_plaintext(text: str) -> bool:
    """Return whether a word of the first line that is not blank has tags behind it."""
    return re.search(_TAGGED_WORD, text.lstrip().partition("\n")[0]) is not None


def is_markdown(text: str) -> bool:
    """Return whether a text has a link that names a cluster, behind a bracket that opens."""
    start = text.find("](#") if "]" in text else -1  # of rows, most have none: a pattern takes 5 % of a run
    link = re.compile(r"\]\(#[^()\s]+\)").search(text, start) if start >= 0 else None
    return link is not None and "[" in text[: link.start()]


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
            "sacr", "SACR text with braces", ROWS, "rows.books:sacr", "", is_sacr, (".sacr",),
            one_document=True,
        ),
        Format("csv", "CSV of mentions with a header", ROWS, "rows.headed:csv", "", is_csv, (".csv",)),
        Format(
            "conll", "CoNLL columns", ROWS, "rows.conll", "rows.columns:conll",
            is_conll, (".conll", ".v4_gold_conll", ".v4_auto_conll"), cut=Cut(_BEGIN_DOCUMENT.encode()),
            needs_tokens=True, for_reference_scorer=True, repeats_count=True, entities_by=FIRST_END,
        ),
        Format(
            "webanno", "WebAnno TSV 3", ROWS, "rows.webanno", "rows.webanno",
            is_webanno, (".tsv",), one_document=True, needs_tokens=True,
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
            is_plaintext, (".txt",), needs_tokens=True, discontinuous=True,
            named_by_file=True, has_marks=True, begin=rb"[^\n]*\S",
        ),
        Format(
            "markdown", "text with links of Markdown", ROWS, "marked.marks:markdown", "marked.marks:markdown",
            is_markdown, (".md",), needs_tokens=True, has_marks=True, begin=_NEWDOC_ID,
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
            one_document=True, places=False, named_by_file=True, beside=(".txt",), names_say_sentences=True,
        ),
        Format(
            "booknlp", "BookNLP entities", ROWS, "rows.books:booknlp", "rows.books:booknlp",
            begins_like(r"COREF\tstart_token\tend_token(?:\t|\r?\n|\Z)"), (".entities",),
            one_document=True, named_by_file=True, beside=(".tokens", ".supersense", ".quotes", ".book"),
        ),
        Format(
            "gap", "GAP TSV", ROWS, "rows.headed:gap", "", begins_like(_GAP), (),
            begin=rb"(?!ID\tText\t)[^\n]*\S",
        ),
        Format(
            "brat", "brat standoff", ROWS, "rows.brat", "rows.brat",
            is_brat, (".ann",), one_document=True, named_by_file=True, text_beside=".txt",
        ),
        Format(
            "are", "ARE XML", XML, "xml.are", "xml.are",
            is_markup, (".xml",), one_document=True, places=False, is_surely=is_exercise,
        ),
        Format(
            "mmax", "MMAX2 markables", XML, "xml.standoff:mmax", "", is_mmax, (".xml",), one_document=True,
            beside=("_words.xml", "_sentence_level.xml"),
        ),
        Format(
            "ecb", "ECB+ XML", XML, "xml.corpora:ecb", "", is_ecb, (".xml",), one_document=True,
            names_reach=True,
        ),
        Format(
            "gate", "GATE XML", XML, "xml.standoff:gate", "", is_root("GateDocument"), (".xml",),
            one_document=True, named_by_file=True,
        ),
        Format(
            "naf", "NAF and KAF", XML, "xml.corpora:naf", "", is_root("NAF", "KAF"), (".naf", ".kaf"),
            one_document=True, named_by_file=True,
        ),
        Format(
            "tei", "TEI", XML, "xml.corpora:tei", "", is_root("TEI", "TEI.2"), (".xml",), one_document=True,
            named_by_file=True,
        ),
        Format(
            "glozz", "Glozz annotations", XML, "xml.standoff:glozz", "", is_glozz, (".aa",),
            one_document=True, named_by_file=True, beside=(".ac",), reads_beside=".ac",
        ),
        Format(
            "xmi", "XMI of a CAS (INCEpTION)", XML, "xml.standoff:xmi", "", is_root("xmi:XMI"), (".xmi",),
            one_document=True, named_by_file=True,
        ),
        Format("sgml", "COREF tags of OntoNotes and MUC", XML, "xml.sgml", "", is_sgml, (".coref",)),
        Format(
            "corefud", "CorefUD (CoNLL-U)", ROWS, "conllu.corefud", "conllu.corefud_writer",
            is_corefud, (".conllu",), problems="conllu.validity:corefud", by_part=True, written_together=True,
            cut=Cut(_NEWDOC, carried=rb"#[ \t]*global\.Entity[ \t]*=[^\n]*\n", forbidden=_NAMELESS),
            needs_tokens=True, discontinuous=True, heads=True, entities_by=FIRST_MENTION,
        ),
        Format(
            "ua", "Universal Anaphora (exploded CoNLL-UA)", ROWS, "conllu.ua", "conllu.ua_writer",
            is_ua, (".conllua", ".CONLLUA", ".ua"), problems="conllu.validity:ua", by_part=True,
            written_together=True, cut=Cut(_NEWDOC, rb"#[ \t]*global\.columns[^\n]*\n", forbidden=_NAMELESS),
            needs_tokens=True, discontinuous=True, free_sentences=True, repeats_count=True,
        ),
        Format(
            "stanza", "Stanza's CoNLL-U", ROWS, "conllu.stanza", "", is_stanza, (), by_part=True,
            cut=Cut(_NEWDOC, forbidden=_NAMELESS), discontinuous=True,
        ),
        Format(
            "columns", "columns with a header (CoNLL-U Plus)", ROWS, "rows.columns:header", "", is_columns,
            (".conllup",), by_part=True,
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


@cache
def format_module(name: str) -> FormatModule:
    """Return a module below ``scorch2.formats`` by its name in the table; it is imported on first use.

    Of a file that several formats share, ``xml.standoff:gate`` is what begins with ``gate_`` or ``GATE_``.
    """
    file, _, prefix = name.partition(":")
    there = importlib.import_module(f"scorch2.formats.{file}")
    if prefix:
        begins, skipped = (f"{prefix}_", f"{prefix.upper()}_"), len(prefix) + 1
        own = {key[skipped:]: part for key, part in vars(there).items() if key.startswith(begins)}
        return cast("FormatModule", SimpleNamespace(**own))
    return cast("FormatModule", there)
