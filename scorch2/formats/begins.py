"""Beginnings of files, by format: detection asks these. The rows of `scorch2.formats.table` name them."""

import importlib
import re
from collections.abc import Callable

ANNOTATION = r"[^\t\n]+\t[0-9]+\t[0-9]+(?:\r?\n|\t|\Z)"
GAP = (
    r"ID\tText\tPronoun\tPronoun-offset\t"
    r"|[^\t\n]+(?i:\t(?:true|false)){2}(?:\r?\n|\Z)"  # what a system answers, which the reader refuses
)
_LONGEST_ID = 40
"""Characters of the ids of brat that detection looks at."""
_BLANK_OR_COMMENT = r"\s+|#(?!\s*begin document\b).*\n"
BEGIN = r"#\s*begin document\b"


def like(pattern: str) -> Callable[[str], object]:
    """Return whether a text begins with a pattern, which is compiled for the first text that is asked about.

    To compile all patterns of the table at the start takes 1 ms.
    """
    return lambda text: re.match(pattern, text)


json = like(r"\s*[\[{]")
"""Tells whether a text begins as an object or a list."""


def conll(text: str) -> bool:
    """Return whether the first line that is neither blank nor a comment begins a document.

    A loop, since a single pattern would keep a state for every line that it skips.
    """
    return bool(re.compile(BEGIN).match(text, _end_of(_BLANK_OR_COMMENT, text)))


def _end_of(skipped: str, text: str) -> int:
    """Return where a text goes on behind all that `skipped` matches at its beginning."""
    pattern, position = re.compile(skipped), 0
    while found := pattern.match(text, position):
        position = found.end()
    return position


def brat(text: str) -> bool:
    """Return whether a text begins with a line of brat; the pattern is imported only where it may be one."""
    ident, tab, _ = text[:_LONGEST_ID].partition("\t")
    if not tab or len(ident.split()) != 1:
        return False
    from scorch2.formats.brat.lines import BEGIN

    return BEGIN.match(text) is not None


def webanno(text: str) -> bool:
    """Return whether a text begins with the line that names its format."""
    return text.startswith("#FORMAT=WebAnno TSV ")


_FIRST_WORD = r"(?:0\.1|1|1-[0-9]+)\t[^\n]*"
_NUMBERED_ROW = r"[0-9]+(?:\.[0-9]+)?[ \t][^\n]*"
_BLANK_OR_ANY_COMMENT = r"\s+|#(?!\s*begin document\b).*(?:\n|\Z)"
_COLUMNS_OF_UA = r"(?m)^#[ \t]*global\.columns[ \t]*=.*\bIDENTITY\b"
_CELL_OF_UA = r"_|[^\s()]*[()]\S*"
_TABS_IN_COREFUD = 9


def corefud(text: str) -> bool:
    """Return whether the first line that is neither blank nor a comment is the first word of a sentence.

    A row of WebAnno TSV may have ten columns, too, and begins with ``1-1``.
    """
    if webanno(text):
        return False
    row = re.compile(_FIRST_WORD).match(text, _end_of(_BLANK_OR_ANY_COMMENT, text))
    return row is not None and row[0].count("\t") == _TABS_IN_COREFUD


def ua(text: str) -> bool:
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
    """Return what a function of `scorch2.formats.xml_head` does, which is imported when it is asked."""

    def asked(data: bytes) -> object:
        return getattr(importlib.import_module("scorch2.formats.xml_head"), name)(data)

    return asked
