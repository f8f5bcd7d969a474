"""Detection of formats: functions that `FORMATS` names, which tell by how a file begins what it is."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import islice

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
_BEGIN_DOCUMENT = r"#\s*begin document\b"
_FIRST_WORD = r"(?:0\.1|1|1-[0-9]+)\t[^\n]*"
_NUMBERED_ROW = r"[0-9]+(?:\.[0-9]+)?[ \t][^\n]*"
_BLANK_OR_COMMENT = r"\s+|#(?!\s*begin document\b).*(?:\n|\Z)"
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
NAMES_OF_COLUMNS: Mapping[str, Sequence[str]] = {
    "document": ("document", "doc", "doc_id", "doc_key", "document_id", "docid", "file", "filename"),
    "start": ("start", "begin", "start_token", "start_char", "start_offset"),
    "end": ("end", "end_token", "end_char", "end_offset"),
    "cluster": ("cluster", "cluster_id", "entity", "entity_id", "chain", "chain_id", "coref_id"),
    "category": ("category", "type", "label", "etype", "entity_type"),
}
"""The names of columns, in small letters: of several that are there the first counts."""
NEEDED_COLUMNS = ("start", "end", "cluster")


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
    start = _end_of(_BLANK_OR_COMMENT, text)
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
    """Return whether XML is a level of markables of MMAX2, its words, or a project: by its root."""
    return next(elements(data), "") in ("markables", "words", "mmax_project")


def is_ecb(data: bytes) -> bool:
    """Return whether XML is a file of ECB+: by its root and what comes first in it."""
    return list(islice(elements(data), 2)) in (["Document", "token"], ["Document", "Markables"])


def is_rooted_in(names: Collection[str], data: bytes) -> bool:
    """Return whether the root of XML has one of some names."""
    return next(elements(data[:_ROOT]), "") in names


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


def separator_of(header: str) -> str:
    """Return what separates the columns of a header; empty if it does not name those that are needed."""
    for separator in (",", ";", "\t"):
        names = {cell.strip().strip('"') for cell in header.casefold().split(separator)}
        if all(not names.isdisjoint(NAMES_OF_COLUMNS[what]) for what in NEEDED_COLUMNS):
            return separator
    return ""


def is_csv(text: str) -> bool:
    """Return whether the first line of a text names columns of mentions."""
    first = text[: text.find("\n") + 1] or text
    if "end" not in first.casefold():
        return False
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
    pattern = r"\]\(#[^()\s]+(?:[^\S\n]+[^()\s]+)*\)"
    link = re.compile(pattern).search(text, start) if start >= 0 else None
    return link is not None and "[" in text[: link.start()]


_FENCE = r"(?m)^[^\S\n]*```.*$"
LIST = r"(?:\s*\[)+\s*(?:[{\"\]]|-?[0-9][0-9.eE+-]*\s*[,\]]|(?:true|false|null)\b)"


def fenced_json(text: str) -> str | None:
    r"""Return the JSON that a text has between fences, on its lines; None if the first of them hold none.

    >>> fenced_json('Sure:\n```json\n{"a": 1}\n```\nDone.')
    '\n\n{"a": 1}\n'
    """
    fences = list(re.finditer(_FENCE, text)) if "```" in text else []
    found, last = "", 0
    for fence, stop in zip(
        fences[::2], [*(fence.start() for fence in fences[1::2]), len(text)], strict=False
    ):
        inside = text[fence.end() : stop]
        if inside.lstrip()[:1] == "{" or re.match(LIST, inside):
            found += "\n" * text.count("\n", last, fence.end()) + inside
            last = stop
        elif not found:
            return None
    return found or None
