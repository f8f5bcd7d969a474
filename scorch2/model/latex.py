"""LaTeX for a paper: a table with the rules of the package booktabs, and text that is only text there."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from scorch2.model.messages import escaped
from scorch2.model.tables import blocks, total

_SIGNS = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\char34{}",
    "[": "{[}",
    "*": "{*}",
    **{sign: f"{{{sign}}}" for sign in "-',"},
    "³": r"\textsuperscript{3}",
    "…": r"\dots{}",
}
"""Signs that act. So do ``[`` and ``*`` behind a line break, quotes in some languages, and doubled signs."""
_ACTING = re.compile(r"[&%$#_{}\\~^<>|`\"\[*³…]|([-',])(?=\1)")
_NEGATIVE = re.compile(r"-\d+(?:\.\d+)?")
_COMMANDS = re.compile(r"\\(?:char34|textsuperscript\{3\}|[A-Za-z]+|.)")
"""What prints one character at most."""
_BRACES = str.maketrans("", "", "{}$^")
"""What prints nothing."""
NAME = 30
"""Characters of a name: a longer one loses its middle, since LaTeX does not break the line in a column."""
_WIDE = 70
"""Characters that fit between the margins of the class article, with 2 for each gap between columns."""
_WIDEST = 86
"""Characters that fit if it is set small."""
_ROWS = 40
"""Rows of a table that floats."""
_LONG = "% needs \\usepackage{longtable}"
PACKAGE = "% needs \\usepackage{booktabs}\n"
"""The first line of a report: a remark on what the document must load."""


def text(plain: str) -> str:
    r"""Return text for a cell or a caption.

    >>> print(text("a_b & 50 %"), text("-1.5"), text("--x"))
    a\_b \& 50 \% $-1.5$ {-}-x
    """
    line = escaped(plain)
    return f"${line}$" if _NEGATIVE.fullmatch(line) else _ACTING.sub(lambda sign: _SIGNS[sign[0]], line)


def comment(plain: str) -> str:
    """Return text as a line that LaTeX passes over."""
    return f"% {escaped(plain)}\n"


def table(
    head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], caption: str = ""
) -> str:
    """Return a table from cells and a caption that are LaTeX already.

    It is set small if it is wide. Columns that do not fit on a page of the class article stand below, with
    the names again. A table that floats cannot be longer than a page: more rows take the package longtable.

    Parameters
    ----------
    head : sequence of str
        The names of the columns.
    rows : sequence of sequence of str
        As many cells each.
    numeric : sequence of bool
        For each column, whether it is aligned right.
    caption : str
        Stands above the table; none if empty.
    """
    widths = [max(map(_length, column)) for column in zip(head, *rows, strict=True)]
    small = [r"\footnotesize", r"\setlength{\tabcolsep}{2.5pt}"] if total(widths) > _WIDE else []
    places = blocks(head, widths, numeric, _WIDEST)
    parts = [_chosen(columns, head, rows, numeric) for columns in places]
    if len(places) * (len(rows) + 2) <= _ROWS:
        title = [rf"\caption{{{caption}}}"] if caption else []
        below = [line for part in parts for line in ("", r"\medskip", *_tabular(part))][2:]
        lines = [r"\begin{table}", r"\centering", *title, *small, *below, r"\end{table}", ""]
    else:
        titles = [caption, *("" for _ in places[1:])]
        several = [
            line for part, title in zip(parts, titles, strict=True) for line in _longtable(part, title)
        ]
        lines = [_LONG, *(["{", *small, *several, "}"] if small else several), ""]
    return "\n".join(lines)


class _Part(NamedTuple):
    """Columns that stand side by side: how they are aligned, and lines."""

    columns: str
    head: str
    rows: Sequence[str]


def _chosen(
    places: Sequence[int], head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]
) -> _Part:
    head, *rows = ([row[place] for place in places] for row in (head, *rows))
    columns = "".join("r" if numeric[place] else "l" for place in places)
    return _Part(columns, _row(head), [*map(_row, rows)])


def _tabular(part: _Part) -> list[str]:
    return [
        rf"\begin{{tabular}}{{{part.columns}}}",
        *(r"\toprule", part.head, r"\midrule", *part.rows, r"\bottomrule"),
        r"\end{tabular}",
    ]


def _longtable(part: _Part, caption: str) -> list[str]:
    """Return a table over several pages, with its head on each."""
    head = (r"\toprule", part.head, r"\midrule")
    title = (rf"\caption{{{caption}}} \\", *head, r"\endfirsthead") if caption else ()
    return [
        rf"\begin{{longtable}}{{{part.columns}}}",
        *(*title, *head, r"\endhead", r"\bottomrule", r"\endfoot"),
        *(*part.rows, r"\end{longtable}"),
    ]


def _length(cell: str) -> int:
    """Return about how many characters a cell has in print."""
    return len(_COMMANDS.sub("x", cell).translate(_BRACES))


def _row(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"
