"""Recognition of files by their first kilobytes: before something is put in their place, or in a refusal.

Texts whose beginning tells no format are answers of language models, or files that no reader takes:
`_OTHER_TEXTS` and `_OTHER_XML` have a row per kind that people give in the place of coreference.
"""

import re
from collections.abc import Iterable
from itertools import islice

from scorch2.formats.detection import decoded_head, elements, is_sacr
from scorch2.formats.reading import _LAST_FIRST, _by_suffix
from scorch2.formats.source import names_beside, path_beside, read_start, stem
from scorch2.formats.table import FORMATS, ROWS, XML, Format
from scorch2.model.errors import InputError, MarkupError, quoted


def companions(path: str) -> dict[str, list[Format]]:
    """Return the files that may belong to an input, by path, with the formats in which they do."""
    found: dict[str, list[Format]] = {}
    for row in FORMATS.values():
        for suffix in (row.text_beside, *row.beside):
            if suffix:
                found.setdefault(path_beside(path, suffix), []).append(row)
    return found


def is_one_of(path: str, rows: Iterable[Format]) -> bool:
    """Return whether a file is in one of these formats, by its suffix or its content."""
    rows = list(rows)
    return _by_suffix(rows, path) is not None or recognised(path) in [row.name for row in rows]


_HEAD = 1 << 16  # bytes with which a file begins that are looked at


def recognised(path: str) -> str | None:
    """Return the name of the format that a file reads as, or None if it does not read as documents."""
    # A report may be replaced by a report, and documents may not: so reports of scorch2 must not be taken for
    # documents, and a document must be known by its first kilobytes.
    return recognised_in(read_start(path, _HEAD))


def recognised_in(head: bytes) -> str | None:
    r"""Return the name of the format that begins so, or None.

    >>> recognised_in(b'{"type": "clusters", "clusters": {"a": ['), recognised_in(b'{"schema": 1, "scores"')
    ('clusters', None)
    >>> recognised_in(b"#begin document (d);\n"), recognised_in(b"MUC:\tR=1.0\n")
    ('conll', None)
    """
    text = decoded_head(head)
    start = text.lstrip()[:2]
    if start[:1] in ("{", "[") and not (start[1:].isalpha() and is_sacr(text)):
        from scorch2.formats.json.dialects import format_of_head

        return format_of_head(text)
    family, content = (XML, head) if start[:1] == "<" else (ROWS, text)
    rows = [row for row in _LAST_FIRST if row.family == family]
    return next((row.name for row in rows if (row.is_surely or row.begins)(content)), None)


_TWO = r"[^\t\n]+\t(?:[-_*]|[()|0-9]+)\r?\n"
_TWO_COLUMNS = 'two columns are read below a first line that names them, "token" and "coref", by a tab'
_GUM = "it has no coreference: give the CoNLL-U of GUM, dep/*.conllu, or coref/"
_GIVE = "give the file that has coreference"
_CORENLP = "write its JSON, which is read (-outputFormat json)"
_OTHER_TEXTS = (
    (r"(?:QUOTE|ATTRIB)\tQ", f"quotations and speakers of LitBank: {_GIVE} (in its coref/)"),
    (r"doc\tunit1_toks\t", f"relations of discourse: {_GUM}"),
    (r"\s*\( *Root *\(span", f"a tree of rhetorical structure: {_GUM}"),
    (r"\s*\((?:ROOT|TOP|S)?\s*\((?:[A-Z]+[ (-])", f"trees of phrases: {_GIVE}"),
    (r"[0-9]+-[0-9]+[|\t]\S+ ", f"sentences without coreference: {_GIVE} (OpenBoek: coref/)"),
    (r"Sentence #1 \([0-9]+ tokens", f"CoreNLP's text: {_CORENLP}"),
)  # fmt: skip
"""Texts by how they begin, and what to give instead."""
_TAG = r"O|[BIES]-[\w-]+|EVENT|REALIS"
_BRACKETS = r"\([^\s()]\S*|\S*[^\s()]\)"
_OTHER_XML = (
    ({"PDante", "ne"}, "MASXML of Phrase Detectives: give its CoNLL files (releases 2 and 3)"),
    ({"root", "document"}, f"CoreNLP's XML: {_CORENLP}"),
    ({"rst", "header"}, f"rs4 of GUM: {_GUM}"),
    ({"text", "head"}, f"XML of GUM: {_GUM}"),
    ({"kbpentlink", "query"}, "queries of TAC: give the annotations, see scorch2 help linking"),
    ({"alpino_ds"}, f"a parse of Alpino: {_GIVE} (OpenBoek: coref/)"),
    ({"html"}, "a page of HTML: give the files that it shows"),
)
"""Kinds of XML that are not read, by elements that they begin with, and what to give instead."""


def refuse(text: str, path: str, option: str, row: Format | None) -> None:
    """Raise an InputError for a text that no reader takes."""
    # `row` is the format that its beginning or its name looks like, whose reader refuses what is not told
    # here
    from scorch2.formats.marked.marks import refuse_marks

    is_rows = row is not None and row.family == ROWS
    if (is_rows or row is None) and (what := _other_text(text, row)):
        raise InputError(path, "", what)
    if is_rows or refuse_marks(text, path, option) or row is not None:
        return
    what = "the file is empty" if not text.strip() else "not a known format"
    known = ", ".join(FORMATS)
    raise InputError(path, "", f"{what} (known: {known}; name it with {option}){_text_of(path)}")


def _other_text(text: str, row: Format | None) -> str:
    """Return what a text is that holds no coreference, and what to give instead; empty for others."""
    kind = next((what for begin, what in _OTHER_TEXTS if re.match(begin, text)), "")
    if kind or (row is not None and row.name not in ("conll", "tsv")):
        return kind
    separator = None if row is not None and row.name == "conll" else "\t"
    if separator and re.match(_TWO, text):
        return _TWO_COLUMNS
    lines = [line for line in text[:_HEAD].split("\n") if line.strip() and line[0] != "#"][:20]
    rows = [line.rstrip().split(separator) for line in lines if not line.startswith("-DOCSTART-")]
    numbers = {*map(len, rows)}
    cells = {cell for row in rows for cell in row[1:]}
    if len(numbers) != 1 or 1 in numbers or any(map(str.isdecimal, rows[0][1:3])):
        return ""
    if any(map(re.compile(_BRACKETS).fullmatch, cells)) or {row[-1] for row in rows} == {"-"}:
        return ""
    what = "tags of names or events" if any(map(re.compile(_TAG).fullmatch, cells)) else "columns"
    why = f"{what} such as {quoted(' '.join(rows[0]), 40)}, and no brackets of coreference such as (1)"
    return f"{why}: {_GIVE} (LitBank, OpenBoek, GUM: in coref/)"


def _text_of(path: str) -> str:
    """Return a hint about a file that is called like a text, in a folder of such texts and their files."""
    for row in FORMATS.values():
        if row.text_beside and path.endswith(row.text_beside):
            names, ending = names_beside(path), row.suffixes[0]
            only = all(name.endswith((ending, row.text_beside)) for name in names)
            if only and any(name.endswith(ending) for name in names):
                return f"; as the text of a file of {row.name} it needs {stem(path)}{ending} beside it"
    return ""


def refuse_other_xml(data: bytes, path: str) -> None:
    """Raise an InputError for XML that is not of the anaphora exercise, if it has an element in its root."""
    names = list(islice(elements(data), 40))
    if len(names) > 1:
        how = next((how for there, how in _OTHER_XML if there.issubset(names)), "see scorch2 help formats")
        root, first = (quoted(name)[1:-1] for name in names[:2])
        why = f"XML of an unknown kind (first element <{first}> in <{root}>): {how}"
        raise MarkupError(path, 0, "unknown-xml", why)
