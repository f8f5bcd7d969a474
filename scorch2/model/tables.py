"""Table, rows of text cells, as aligned text, Markdown, HTML, LaTeX or tab-separated lines."""

import re
from collections.abc import Callable, Collection, Sequence
from itertools import chain
from typing import Any, NamedTuple

from scorch2.model.errors import escaped, without_middle

_NUMERIC = ("", *"0123456789+-[(")  # first characters of numbers, intervals, ``(0/0)`` and empty cells
_WORD = re.compile(r"[^\W\d_]{2}")  # what no number holds: two letters (one may be that of an exponent)
WIDTH = 100  # characters of a line that is made for reading
_GAP = 2
_NAME = 40  # characters that a name keeps where it is shortened so that a table fits
_RECALL, _BESIDE = "R", ("P", "F1")  # how the head of recall ends, and the heads behind it
_NOTEBOOK = 20  # rows that a notebook shows of a table
_WIDEST = 200
"""The widest column. A longer cell sticks out, since padding all others to it could cost gigabytes."""


class Table(NamedTuple):
    """A head and rows with equally many cells; columns of numbers are aligned right.

    Cells are text of any kind. Each form passes all of them through the function of `scorch2.model.escaping`
    for it, so that no name can break a line or a column, or act.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        return _lines(self._escaped(), _numeric(self))

    def is_fit(self, width: int) -> bool:
        """Return whether the lines of the aligned table have at most `width` characters."""
        return self.width() <= width

    def width(self) -> int:
        """Return the number of characters of the lines of the aligned table."""
        return total(_longest(self._escaped()))

    def without(self, columns: Collection[str]) -> "Table":
        """Return the table without some columns, by their heads."""
        kept = [place for place, name in enumerate(self.head) if name not in columns]
        head, *rows = ([row[place] for place in kept] for row in (self.head, *self.rows))
        return Table(head, rows)

    def lean(self, groups: Sequence[Sequence[str]], width: int) -> "Table":
        """Return the table without the first groups of columns, as few as let it fit; whole if none do."""
        left_out: list[str] = []
        for group in ((), *groups):
            left_out += group
            lean = self.without(left_out)
            if lean.is_fit(width):
                return lean
        return self

    def fitted(self, width: int = WIDTH) -> str:
        """Return the table in lines of `width` characters: columns that do not fit are continued below.

        The names at the beginning of a row are repeated there. Names that are too long lose their middle, but
        keep `_NAME` characters: only several such names, or a number, can make a line longer.
        """
        rows, numeric = self._escaped(), _numeric(self)
        if True not in numeric:
            return self.shortened(width=width)
        widths = _longest(rows)
        least = [length if number else 0 for length, number in zip(widths, numeric, strict=True)]
        cap = _cap(widths, least, width)
        rows = _cut(rows, [width if number else max(cap, _NAME) for number in numeric])
        return "\n\n".join(
            _lines([[row[i] for i in places] for row in rows], [numeric[i] for i in places])
            for places in blocks(self.head, _longest(rows), numeric, width)
        )

    def shortened(self, kept: Collection[str] = (), width: int = WIDTH) -> str:
        """Return the table in lines of `width` characters: the longest cells lose their middle."""
        # Heads stay as they are, and so do the columns whose heads are in `kept`
        rows = self._escaped()
        widths = _longest(rows)
        heads = zip(widths, self.head, strict=True)
        least = [length if name in kept else len(name) for length, name in heads]
        cap = _cap(widths, least, width)
        return _lines(_cut(rows, [max(cap, length) for length in least]), _numeric(self))

    def markdown(self) -> str:
        """Return the table as GitHub shows it."""
        clean = self._each(markdown_cell)
        return markdown_table(clean.head, clean.rows, _numeric(self))

    def latex(self, caption: str = "", paper: "Paper | None" = None) -> str:
        """Return the table as LaTeX shows it, with the rules of booktabs; it ends with a line feed."""
        numeric = _numeric(self)
        limits = [_WIDEST if number else LATEX_NAME for number in numeric]
        shown = [latex_text if number else latex_name for number in numeric]
        head, *rows = (
            [show(cell) for show, cell in zip(shown, row, strict=True)]
            for row in _cut(self._escaped(), limits)
        )
        return latex_table(head, rows, numeric, latex_text(caption), paper)

    def html(self) -> str:
        """Return the table as notebooks show it: the first rows of a long one."""
        from scorch2.model.escaping import html_text

        looks = [' style="text-align: right"' if number else "" for number in _numeric(self)]
        rows = [("th", self.head), *(("td", row) for row in self.rows[:_NOTEBOOK])]
        cells = [
            "".join(f"<{tag}{look}>{html_text(cell)}</{tag}>" for look, cell in zip(looks, row, strict=True))
            for tag, row in rows
        ]
        more = f"<p>{len(self.rows) - _NOTEBOOK} more</p>" if self.rows[_NOTEBOOK:] else ""
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>{more}"

    def tsv(self) -> str:
        """Return the table as tab-separated lines."""
        from scorch2.model.escaping import tsv_cell

        clean = self._each(tsv_cell)
        return "\n".join("\t".join(row) for row in (clean.head, *clean.rows))

    def _escaped(self) -> list[Sequence[str]]:
        clean = self._each(escaped)
        return [clean.head, *clean.rows]

    def _each(self, change: Callable[[str], str]) -> "Table":
        return Table([*map(change, self.head)], [[*map(change, row)] for row in self.rows])


def _numeric(table: Table) -> list[bool]:
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)
    return [all(cell[:1] in _NUMERIC and not _WORD.search(cell) for cell in column) for column in columns]


def markdown_cell(plain: str) -> str:
    """Return text for a cell of a table in Markdown."""
    from scorch2.model.escaping import markdown_text

    return markdown_text(plain).replace("|", "\\|")


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    """Return a table from cells that are Markdown already; numeric columns align right."""
    rule = ["---:" if number else ":---" for number in numeric]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def _longest(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [min(_WIDEST, width) for width in _longest(rows)]


def total(widths: Sequence[int]) -> int:
    """Return the length of a line with columns of these widths."""
    return sum(widths) + _GAP * (len(widths) - 1)


def blocks(head: Sequence[str], widths: Sequence[int], numeric: Sequence[bool], room: int) -> list[list[int]]:
    """Return the columns of a table that stand side by side in `room` characters, those of names in each.

    Precision and F1 stay with the recall before them if all three fit: its head alone names the metric.

    >>> blocks(["name", "a", "b R", "P", "F1"], [9, 5, 5, 5, 5], [False, True, True, True, True], 30)
    [[0, 1], [0, 2, 3, 4]]
    """
    names = list(range([*numeric, True].index(True)))
    side_by_side = [names.copy()]
    place = len(names)
    while place < len(widths):
        group = [place, place + 1, place + 2] if tuple(head[place + 1 : place + 3]) == _BESIDE else [place]
        if total([widths[i] for i in [*names, *group]]) > room:
            group = group[:1]
        if side_by_side[-1] != names and total([widths[i] for i in [*side_by_side[-1], *group]]) > room:
            side_by_side.append(names.copy())
        side_by_side[-1] += group
        place += len(group)
    return side_by_side


def _cap(widths: Sequence[int], least: Sequence[int], room: int) -> int:
    """Return how long cells may be so that columns fit in `room`, if none gets less than its least."""
    for cap in range(room, 2, -1):
        if total([max(low, min(cap, width)) for width, low in zip(widths, least, strict=True)]) <= room:
            return cap
    return 2


def _cut(rows: Sequence[Sequence[str]], limits: Sequence[int]) -> list[Sequence[str]]:
    return [[without_middle(cell, limit) for cell, limit in zip(row, limits, strict=True)] for row in rows]


def _lines(rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    """Return rows of escaped cells, the head first, as aligned lines with a rule below the head."""
    widths = _widths(rows)
    lines = [_aligned(row, widths, numeric) for row in rows]
    lines.insert(1, "─" * total(widths))
    return "\n".join(line.rstrip() for line in lines)


def _aligned(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    columns = zip(row, widths, numeric, strict=True)
    cells = [cell.rjust(width) if number else cell.ljust(width) for cell, width, number in columns]
    return (" " * _GAP).join(cells)


class Listing(NamedTuple):
    """A head and rows of strings, integers and spans."""

    name: str  # its key in the JSON report
    head: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]]
    is_detail: bool = True
    """Whether the user asked for it, so that ``tsv`` shows it too, which else has only rows of scores."""

    def table(self) -> Table:
        """Return the rows as text; spans are half-open, such as ``3:5``."""
        return Table(self.head, [[_shown(cell) for cell in row] for row in self.rows])

    def to_list(self) -> list[dict[str, Any]]:
        """Return the rows as JSON objects; spans are lists."""
        return [dict(zip(self.head, row, strict=True)) for row in self.rows]


def _shown(cell: Any) -> str:
    return ":".join(map(str, cell)) if isinstance(cell, tuple) else str(cell)


def room_note(whole: Table, lean: Table, form: str) -> str:
    """Say which columns were left out for lack of room, and what shows them; nothing if none were."""
    names = ", ".join(name for name in whole.head if name not in lean.head)
    return (
        f"Left out: {names}; a terminal of {whole.width()} columns or -f {form} shows them." if names else ""
    )


def padded(rows: Sequence[Sequence[str]], names: int) -> str:
    r"""Return tab-separated lines as neleval prints them: the first `names` columns padded with blanks.

    >>> padded([["measure", "score"], ["muc", "0.8"]], 1)
    'measure\tscore\nmuc    \t0.8\n'
    """
    clean = [[escaped(cell) for cell in row] for row in rows]
    widths = _widths([row[:names] for row in clean])
    filled = [
        [*(cell.ljust(width) for cell, width in zip(row[:names], widths, strict=True)), *row[names:]]
        for row in clean
    ]
    return "".join("\t".join(row) + "\n" for row in filled)


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
_COMMANDS = re.compile(r"\\(?:char34|textsuperscript\{3\}|phantom|[A-Za-z]+|.)")  # what prints one character
_BRACES = str.maketrans("", "", "{}$^_")  # what prints nothing
_SYMBOLS = {"CEAF_e": r"CEAF$_{\phi_4}$", "CEAF_m": r"CEAF$_{\phi_3}$"}  # as papers write them
LATEX_NAME = 30
"""Characters of a name: a longer one loses its middle, since LaTeX does not break the line in a column."""
_COLUMN, _PAGE = 54, 112
"""Characters that fit in a column of 3.3 inches, and in two with the space between, if they are set small,
with 2 for each gap between columns of the table."""
_ROWS = 40  # rows of a table that floats
_LONG = "% needs \\usepackage{longtable}"
LATEX_PACKAGE = "% needs \\usepackage{booktabs}\n"
"""The first line of a report: a remark on what the document must load."""


def latex_text(plain: str) -> str:
    r"""Return text for a cell or a caption.

    >>> print(latex_text("a_b & 50 %"), latex_text("-1.5"), latex_text("--x"))
    a\_b \& 50 \% $-1.5$ {-}-x
    """
    line = escaped(plain)
    return f"${line}$" if _NEGATIVE.fullmatch(line) else latex_name(line)


def latex_name(plain: str) -> str:
    """Return text for a cell with a name, which is no number even if it looks like one."""
    name, _, part = plain.partition(" ")
    if name in _SYMBOLS:
        return f"{_SYMBOLS[name]} {part}".rstrip()
    return _ACTING.sub(lambda sign: _SIGNS[sign[0]], escaped(plain))


def latex_comment(plain: str) -> str:
    """Return text as a line that LaTeX passes over."""
    return f"% {escaped(plain)}\n"


def latex_table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    numeric: Sequence[bool],
    caption: str = "",
    paper: "Paper | None" = None,
) -> str:
    """Return a table from cells and a caption that are LaTeX already; numeric columns align right."""
    # Columns that do not fit stand below, with the names again. A table that floats cannot be longer than a
    # page: more rows take the package longtable, which needs a page of one column.
    label, page = paper or Paper()
    widths = [max(map(_printed_length, column)) for column in zip(head, *rows, strict=True)]
    places = blocks(head, widths, numeric, _PAGE if page else _COLUMN)
    parts = [_chosen(columns, head, rows, numeric) for columns in places]
    named = [rf"\label{{tab:{label}}}"] if caption and label else []
    if len(places) * (len(rows) + 2) <= _ROWS:
        title = [rf"\caption{{{caption}}}", *named] if caption else []
        below = [line for part in parts for line in ("", r"\medskip", *_tabular(part))][2:]
        float_ = "table*" if page else "table"
        begin, end = rf"\begin{{{float_}}}", rf"\end{{{float_}}}"
        lines = [begin, r"\centering", *title, *_SMALL, *below, end, ""]
    else:
        titles = [caption + "".join(named), *("" for _ in places[1:])]
        several = list(chain.from_iterable(map(_longtable, parts, titles)))
        lines = [_LONG, *(["{", *_SMALL, *several, "}"]), ""]
    return "\n".join(lines)


class Paper(NamedTuple):
    """The label and the width of a table in a paper."""

    label: str = ""  # what it is referred to by, after ``tab:``
    page: bool = (
        False  # whether it has the width of a page with two columns, and not of a column of 3.3 inches
    )


_SMALL = (r"\footnotesize", r"\setlength{\tabcolsep}{2.5pt}")


class _Part(NamedTuple):
    """Columns that stand side by side: how they are aligned, and lines."""

    columns: str
    head: Sequence[str]
    rows: Sequence[str]


def _chosen(
    places: Sequence[int], head: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]
) -> _Part:
    head, *rows = ([row[place] for place in places] for row in (head, *rows))
    columns = "".join("r" if numeric[place] else "l" for place in places)
    return _Part(columns, _heads(head), [*map(_latex_row, rows)])


def _heads(head: Sequence[str]) -> list[str]:
    """Return the lines of a head: recall, precision and F1 of a metric stand under its name."""
    over, rules, below, place = [], [], [], 0
    while place < len(head):
        name, _, recall = head[place].rpartition(" ")
        if recall == _RECALL and tuple(head[place + 1 : place + 3]) == _BESIDE:
            over.append(rf"\multicolumn{{3}}{{c}}{{{name}}}")
            rules.append(rf"\cmidrule(lr){{{place + 1}-{place + 3}}}")
            below += [_RECALL, *_BESIDE]
            place += 3
        else:
            over.append("")
            below.append(head[place])
            place += 1
    return [_latex_row(over), " ".join(rules), _latex_row(below)] if rules else [_latex_row(head)]


def _tabular(part: _Part) -> list[str]:
    return [
        rf"\begin{{tabular}}{{{part.columns}}}",
        *(r"\toprule", *part.head, r"\midrule", *part.rows, r"\bottomrule"),
        r"\end{tabular}",
    ]


def _longtable(part: _Part, caption: str) -> list[str]:
    head = (r"\toprule", *part.head, r"\midrule")
    title = (rf"\caption{{{caption}}} \\", *head, r"\endfirsthead") if caption else ()
    return [
        rf"\begin{{longtable}}{{{part.columns}}}",
        *(*title, *head, r"\endhead", r"\bottomrule", r"\endfoot"),
        *(*part.rows, r"\end{longtable}"),
    ]


def _printed_length(cell: str) -> int:
    return len(_COMMANDS.sub("x", cell).translate(_BRACES))


def _latex_row(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"
