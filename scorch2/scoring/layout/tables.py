"""Table, rows of text cells, as aligned text, Markdown, HTML, LaTeX or tab-separated lines."""

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from scorch2.model.errors import escaped, told_apart, without_middle
from scorch2.model.results import Interval
from scorch2.model.score import percent

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

    Cells are text of any kind. Each form passes all of them through its function of `escaping`, so that no
    name can break a line or a column, or act.
    """

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        return _lines(self._each(escaped), _numeric(self))

    def width(self) -> int:
        """Return the number of characters of the lines of the aligned table."""
        return total(_longest(self._each(escaped)))

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
            if lean.width() <= width:
                return lean
        return self

    def fitted(self, width: int = WIDTH) -> str:
        """Return the table in lines of `width` characters: columns that do not fit are continued below.

        The names at the beginning of a row are repeated there. Names that are too long lose their middle, but
        keep `_NAME` characters: only several such names, or a number, can make a line longer.
        """
        rows, numeric = self._each(escaped), _numeric(self)
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
        rows = self._each(escaped)
        widths = _longest(rows)
        heads = zip(widths, self.head, strict=True)
        least = [length if name in kept else len(name) for length, name in heads]
        cap = _cap(widths, least, width)
        return _lines(_cut(rows, [max(cap, length) for length in least]), _numeric(self))

    def cells(self, shown: Callable[[str], str]) -> "Cells":
        """Return the cells as a form has them, which passes each through a function of `escaping`."""
        head, *rows = self._each(shown)
        return Cells(head, rows, _numeric(self))

    def markdown(self) -> str:
        """Return the table as GitHub shows it."""
        return self.cells(markdown_cell).markdown()

    def latex(self) -> str:
        """Return the table as LaTeX shows it, with the rules of booktabs; it ends with a line feed."""
        return latex_table([self.latex_cells()])

    def latex_cells(self) -> "Cells":
        """Return the cells with numbers as LaTeX, and names as they are: they are made to fit first."""
        numeric = _numeric(self)
        rows = [
            [
                latex_text(without_middle(cell, _WIDEST)) if number else cell
                for cell, number in zip(row, numeric, strict=True)
            ]
            for row in self.rows
        ]
        return Cells(self.head, rows, numeric)

    def html(self) -> str:
        """Return the table as notebooks show it: the first rows of a long one."""
        from scorch2.scoring.layout.escaping import html_text

        more = f"<p>{len(self.rows) - _NOTEBOOK} more</p>" if self.rows[_NOTEBOOK:] else ""
        return self._replace(rows=self.rows[:_NOTEBOOK]).cells(html_text).html() + more

    def tsv(self) -> str:
        """Return the table as tab-separated lines."""
        from scorch2.scoring.layout.escaping import tsv_cell

        return "\n".join(map("\t".join, self._each(tsv_cell)))

    def _each(self, change: Callable[[str], str]) -> list[Sequence[str]]:
        return [[*map(change, row)] for row in (self.head, *self.rows)]


def _numeric(table: Table) -> list[bool]:
    columns = zip(*table.rows, strict=True) if table.rows else [()] * len(table.head)
    return [all(cell[:1] in _NUMERIC and not _WORD.search(cell) for cell in column) for column in columns]


def markdown_cell(plain: str) -> str:
    """Return text for a cell of a table in Markdown."""
    from scorch2.scoring.layout.escaping import markdown_text

    return markdown_text(plain).replace("|", "\\|")


class Cells(NamedTuple):
    """A head and rows of cells that are of a form already; numeric columns align right."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: Sequence[bool]

    def markdown(self) -> str:
        """Return a table from cells of Markdown."""
        rule = ["---:" if number else ":---" for number in self.numeric]
        return "\n".join(f"| {' | '.join(row)} |" for row in (self.head, rule, *self.rows))

    def html(self) -> str:
        """Return a table from cells of HTML."""
        looks = [' style="text-align: right"' if number else "" for number in self.numeric]
        lines = [
            "".join(f"<{tag}{look}>{cell}</{tag}>" for look, cell in zip(looks, row, strict=True))
            for tag, row in [("th", self.head), *(("td", row) for row in self.rows)]
        ]
        return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


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
    names = list(range(max([*numeric, True].index(True), 1)))
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
    pads = [
        (str.rjust if number else str.ljust, width) for number, width in zip(numeric, widths, strict=True)
    ]
    padded = ([pad(cell, width) for cell, (pad, width) in zip(row, pads, strict=True)] for row in rows)
    lines = [(" " * _GAP).join(cells) for cells in padded]
    lines.insert(1, "─" * total(widths))
    return "\n".join(line.rstrip() for line in lines)


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


def between(ends: Interval, shown: Callable[[float], str] = percent) -> str:
    """Return an interval behind a number, in brackets; nothing if there is none."""
    return "" if ends is None else f" [{', '.join(map(shown, ends))}]"


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
    "↔": r"$\leftrightarrow$",
    "≠": r"$\neq$",
    "−": "$-$",
    "⊞": r"$\oplus$",  # LaTeX itself has no squares
    "⊟": r"$\ominus$",
    **{sign: f"{{{sign}}}" for sign in "-',"},
    "³": r"\textsuperscript{3}",
    "…": r"\dots{}",
}
"""Signs that act. So do ``[`` and ``*`` behind a line break, quotes in some languages, and doubled signs."""
_ACTING = re.compile(r"[&%$#_{}\\~^<>|`\"\[*³…↔≠−⊞⊟]|([-',])(?=\1)")
_SYMBOLS = {"CEAF_e": r"CEAF$_{\phi_4}$", "CEAF_m": r"CEAF$_{\phi_3}$", "CoNLL-2012": "CoNLL"}
"""What papers call metrics, by the first word of a label."""
_PRINTED = {
    **dict.fromkeys((r"\textbf", r"\phantom", r"\textsuperscript"), ""),
    **dict.fromkeys((r"\%", r"\&", r"\#", r"\textless", r"\textgreater"), "m"),
    r"\dots": "W",
}
"""Letters as wide as what commands print, where that is not as wide as a digit."""
_UNSEEN = str.maketrans("", "", "{}$^_")
_DIGIT = 1.7  # the width of a digit of 8 points in `_UNIT`
_UNIT = "2.5pt"  # in which widths are counted: half of the gap between columns
_WIDTHS = {
    **dict.fromkeys("ijl", 0.62),
    **dict.fromkeys("frst", 0.8),
    **dict.fromkeys("cez", 0.9),
    " ": 0.67,
    **dict.fromkeys("bdhknpquvxy", 1.15),
    **dict.fromkeys("ABCDEFGHIJKLNOPQRSTUVXYZ+=@", 1.6),
    **dict.fromkeys("mw", 1.75),
    **dict.fromkeys("MW", 2.1),
}
"""Widths of letters in digits: the larger of Computer Modern's and Times's (metrics of cmr10 and Times-Roman;
bold ones are in `_BOLD`); others of ASCII are no wider than digits."""
_OTHER_WIDTH, _BOLD = 2.0, 1.2  # of a letter outside of ASCII; by how much bold is wider
LATEX_WIDTHS = {"column": 90, "page": 190}
"""The room in each of `PAPERS`: a column of 3.3 inches, or of 219 points for Times; twice that."""
LATEX_NAME = 51
"""The room for a name: a longer one loses its middle, since LaTeX does not break it in a column."""
_ROWS, _LINES = 40, 45
"""The most rows of a part of a table that floats, and lines of all parts with heads and rules."""
_FLOATS = 16  # floats that LaTeX can keep until there is room for them
_SMALL = (r"\fontsize{8}{9.5}\selectfont", rf"\setlength{{\tabcolsep}}{{{_UNIT}}}")
LATEX_PACKAGE = "% needs \\usepackage{booktabs}\n"
"""The first line of a report: a remark on what the document must load."""


def latex_text(plain: str) -> str:
    r"""Return text for a cell or a caption.

    >>> print(latex_text("a_b & 50 %"), latex_text("-1.5 [-2, 3]"), latex_text("--x"))
    a\_b \& 50 \% $-$1.5 {[}$-$2, 3] {-}-x
    """
    return re.sub(r"(?<![^ \[])-(?=\d)|(?<=\{\[\})-(?=\d)", "$-$", latex_name(plain))


def latex_name(plain: str) -> str:
    """Return text for a cell with a name, which is no number even if it looks like one."""
    name, _, part = plain.partition(" ")
    if name in _SYMBOLS:
        return f"{_SYMBOLS[name]} {part}".rstrip()
    shown = _ACTING.sub(lambda sign: _SIGNS[sign[0]], escaped(plain))
    is_below = shown.startswith("  ")  # a row that belongs to the one above
    return rf"\quad {shown.lstrip()}" if is_below else shown


def short_name(name: str, room: int = LATEX_NAME) -> str:
    """Return a name that is printed in a width: of a longer one the beginning and the end."""
    shown = (without_middle(name, limit) for limit in range(max(room, 1), 0, -1))
    return next((short for short in shown if _printed_width(latex_name(short)) <= room), "")


def latex_comment(plain: str) -> str:
    """Return text as a line that LaTeX passes over."""
    return f"% {escaped(plain)}\n"


def with_points_aligned(cells: Sequence[str]) -> list[str]:
    r"""Return the cells of a column, with room where a number is shorter than others at its place.

    >>> print(*with_points_aligned(["80.1 / 10", "12 / 9"]), sep="; ")
    80.1 / 10; 12\phantom{.0} / \phantom{0}9
    """
    number = r"((?:\+|\$-\$)?\d+)(\.\d+)?"
    found = [re.findall(number, cell.replace("$-$", "+")) for cell in cells]
    most = max(map(len, found), default=0)
    full = [numbers for numbers in found if len(numbers) == most]
    longest = [
        [max(map(len, part)) for part in zip(*place, strict=True)] for place in zip(*full, strict=True)
    ]

    def padded(cell: str) -> str:
        places = iter(enumerate(longest))

        def with_room(shown: re.Match[str]) -> str:
            place, (whole, fraction) = next(places)
            before = whole - len(shown[1].replace("$-$", "+")) if place else 0  # the first has room anyway
            behind = fraction - len(shown[2] or "")
            tail = ("." if behind == fraction else "0") + "0" * (behind - 1)
            return _phantom("0" * before) + shown[0] + (_phantom(tail) if behind else "")

        return re.sub(number, with_room, cell)

    return [padded(cell) if len(of) == most else cell for cell, of in zip(cells, found, strict=True)]


def _phantom(unseen: str) -> str:
    return rf"\phantom{{{unseen}}}" if unseen else ""


def latex_table(tables: Sequence[Cells], caption: str = "", label: str = "", width: str = "column") -> str:
    """Return tables below each other in one float, or in several if a page has no room for all rows.

    A text refers to it by ``tab:`` and the `label`; `width` is a key of `LATEX_WIDTHS`.
    """
    # Columns that do not fit stand below, with the names again
    float_ = "table*" if width == "page" else "table"
    named = [rf"\label{{tab:{label}}}"] if caption and label else []
    title = [rf"\caption{{{caption}}}", *named] if caption else []
    again = [rf"Table~\ref{{tab:{label}}}, continued.", ""] if named else []
    parts = [part for table in tables for part in _side_by_side(table, LATEX_WIDTHS[width])]
    lines = []
    for place, shown in enumerate(_floats(parts)):
        lines += [r"\clearpage"] if place and not place % _FLOATS else []
        lines += [rf"\begin{{{float_}}}", r"\centering", *(again if place else title), *_SMALL]
        lines += [line for part in shown for line in ("", r"\medskip", *_tabular(part))][2:]
        lines.append(rf"\end{{{float_}}}")
    return "\n".join([*lines, ""])


class _Part(NamedTuple):
    """Columns that stand side by side: how they are aligned, and lines."""

    columns: str
    head: Sequence[str]
    rows: Sequence[str]


def _side_by_side(table: Cells, room: int) -> Iterator[_Part]:
    columns = _columns(table, room)
    head = [column[0] for column in columns]
    for places in blocks(head, [*map(_column_width, columns)], table.numeric, room):
        rows = [[columns[place][line] for place in places] for line in range(1, len(table.rows) + 1)]
        aligned = "".join("r" if table.numeric[place] else "l" for place in places)
        yield _Part(aligned, _heads(_complete(head, places)), [*map(_latex_row, rows)])


def _complete(head: Sequence[str], places: Sequence[int]) -> list[str]:
    """Return heads at some places, with the metric before P and F1 if its other columns stand elsewhere."""
    shown = [*head]
    for place, name in enumerate(_metrics_over(head)):
        if name and not {place, place + 1, place + 2} <= {*places}:
            shown[place + 1 : place + 3] = (f"{name} {part}" for part in _BESIDE)
    return [shown[place] for place in places]


def _columns(table: Cells, room: int) -> list[list[str]]:
    """Return the columns as LaTeX, heads first; names are as wide as numbers leave room."""
    cells = [[row[place] for row in table.rows] for place in range(len(table.head))]
    columns = [
        [latex_text(head), *(with_points_aligned(column) if number else map(latex_name, column))]
        for head, column, number in zip(table.head, cells, table.numeric, strict=True)
    ]
    widths = [*map(_column_width, columns)]
    names = [place for place, number in enumerate(table.numeric) if not number]
    numbers = [(width,) for width, number in zip(widths, table.numeric, strict=True) if number]
    metrics = [widths[place : place + 3] for place, name in enumerate(_metrics_over(table.head)) if name]
    left = [
        room - _GAP - max(map(total, groups), default=-_GAP) for groups in (numbers, [*numbers, *metrics])
    ]
    most = _cap([widths[place] for place in names], [0] * len(names), left[left[1] >= LATEX_NAME // 2])
    for place in names:
        columns[place][1:] = _short_names(cells[place], min(LATEX_NAME, most))
    return columns


def _column_width(column: Sequence[str]) -> int:
    """Return the width of a column; the name of a metric stands over recall, precision and F1."""
    name, _, part = column[0].rpartition(" ")
    head = math.ceil(_printed_width(name) / 3) if part == _RECALL else _printed_width(column[0])
    return max(head, *map(_printed_width, column[1:]), 0)


def _short_names(names: Sequence[str], most: int) -> list[str]:
    """Return names as LaTeX, at most so wide, no two as the same text."""
    different = [*dict.fromkeys(names)]
    short = told_apart(different, lambda name: short_name(name, most))
    shown = dict(zip(different, map(latex_name, short), strict=True))
    return [shown[name] for name in names]


def _metrics_over(head: Sequence[str]) -> list[str]:
    """Return for each column the metric whose recall, precision and F1 begin there; nothing elsewhere."""
    cut = [name.rpartition(" ") for name in head]
    return [
        name if recall == _RECALL and tuple(head[place + 1 : place + 3]) == _BESIDE else ""
        for place, (name, _, recall) in enumerate(cut)
    ]


def _heads(head: Sequence[str]) -> list[str]:
    """Return the lines of a head: recall, precision and F1 of a metric stand under its name."""
    over, rules, below, place = [], [], [], 0
    metrics = _metrics_over(head)
    while place < len(head):
        name = metrics[place]
        over.append(rf"\multicolumn{{3}}{{c}}{{{name}}}" if name else "")
        rules += [rf"\cmidrule(lr){{{place + 1}-{place + 3}}}"] if name else []
        below += [_RECALL, *_BESIDE] if name else [head[place]]
        place += 3 if name else 1
    return [_latex_row(over), " ".join(rules), _latex_row(below)] if rules else [_latex_row(head)]


def _floats(parts: Sequence[_Part]) -> Iterator[list[_Part]]:
    """Yield the parts of each float, at most `_LINES` lines."""
    short = [
        part._replace(rows=part.rows[start : start + _ROWS])
        for part in parts
        for start in range(0, max(len(part.rows), 1), _ROWS)
    ]
    found: list[_Part] = []
    for part in short:
        if found and sum(len(one.rows) + len(one.head) + 2 for one in (*found, part)) > _LINES:
            yield found
            found = []
        found.append(part)
    yield found


def _tabular(part: _Part) -> list[str]:
    return [
        rf"\begin{{tabular}}{{{part.columns}}}",
        *(r"\toprule", *part.head, r"\midrule", *part.rows, r"\bottomrule"),
        r"\end{tabular}",
    ]


def _printed_width(cell: str) -> int:
    """Return about how wide a cell of 8 points is when it is printed, rounded up."""
    commands = r"\\(?:textsuperscript\{3\}|char34|[A-Za-z]+|.)"
    printed = re.sub(commands, lambda command: _PRINTED.get(command[0], "0"), cell).translate(_UNSEEN)
    digits = sum(_WIDTHS.get(sign, 1.0 if sign.isascii() else _OTHER_WIDTH) for sign in printed)
    return math.ceil(_DIGIT * digits * (_BOLD if r"\textbf" in cell else 1))


def _latex_row(cells: Sequence[str]) -> str:
    return rf"{' & '.join(cells)} \\"
