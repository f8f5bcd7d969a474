"""LaTeX for a paper: a table with the rules of the package booktabs, and text that is only text there."""

import re
from collections.abc import Sequence

from scorch2.model.messages import escaped

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
}
"""Signs that act. So do ``[`` and ``*`` behind a line break, quotes in some languages, and doubled signs."""
_ACTING = re.compile(r"[&%$#_{}\\~^<>|`\"\[*³]|([-',])(?=\1)")
_NEGATIVE = re.compile(r"-\d+(?:\.\d+)?")
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
    """Return a table that floats, from cells and a caption that are LaTeX already.

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
    columns = "".join("r" if right else "l" for right in numeric)
    return "\n".join(
        [
            r"\begin{table}",
            r"\centering",
            *([rf"\caption{{{caption}}}"] if caption else []),
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            _row(head),
            r"\midrule",
            *map(_row, rows),
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _row(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"
