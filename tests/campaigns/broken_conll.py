"""Mutations of CoNLL files by line and cell: tags, markers, columns, blanks, line ends. Used by fuzz.py."""

from collections.abc import Iterable, Sequence

from broken_lines import Change, broken_copy, delete_line, double_line, inserting, move_line, setting
from dice import Dice

Spans = Iterable[tuple[str, int, int]]


def _document(begin: str, sizes: Iterable[int], spans: Spans, row: str) -> list[str]:
    """Return the lines of a document: `sizes` tokens per sentence, mentions as (entity, first, last)."""
    total = sum(sizes)
    tags: list[list[str]] = [[] for _ in range(total)]
    for entity, first, last in spans:
        if first == last:
            tags[first].append(f"({entity})")
        else:
            tags[first].append(f"({entity}")
            tags[last].insert(0, f"{entity})")
    lines, place = [begin], 0
    for size in sizes:
        for number in range(size):
            lines.append(row.format(n=number, cell="|".join(tags[place]) or "-"))
            place += 1
        lines.append("")
    return [*lines, "#end document"]


_BLANKS = "bc/cctv  0  {n}  word  NN  {cell}"
_TABS = "bc/cctv\t0\t{n}\tthe word\tNN\t{cell}"
_EMPTY_LAST = "bc/cctv\t0\t{n}\tword\t{cell}\t"
_NAME = "#begin document (bc/cctv_0000); part 00"
SEEDS: tuple[tuple[str, ...], ...] = tuple(
    (*lines, "")
    for lines in (
        _document(
            _NAME + "0", [5, 4, 3], [("1", 0, 1), ("2", 3, 3), ("1", 5, 8), ("2", 6, 6), ("3", 9, 9)], _BLANKS
        ),
        _document(
            _NAME + "1", [6], [("12", 0, 5), ("12", 0, 2), ("12", 1, 1), ("e", 4, 5), ("e", 3, 3)], _TABS
        ),
        _document("#begin document GUM_news", [3, 3], [("a-1", 0, 2), ("b", 2, 2), ("a-1", 3, 4)], _TABS),
        [
            *_document(_NAME + "0", [4], [("1", 0, 1), ("1", 3, 3)], _BLANKS),
            *_document(_NAME + "1", [3, 2], [("1", 0, 0), ("4", 1, 2), ("1", 4, 4)], _BLANKS),
        ],
        _document("#begin document", [2, 2], [], "{n} {cell}"),
        _document(_NAME + "0", [], [], _BLANKS),
        _document(_NAME + "2", [7], [("5", 0, 0), ("6", 2, 4), ("5", 6, 6), ("6", 1, 1)], "w {n}\t{cell}"),
        _document(_NAME + "0", [4, 3], [("1", 0, 1), ("2", 4, 4), ("1", 5, 5)], _EMPTY_LAST),
    )
)
"""Each is scored against itself or a broken copy of itself, so the numbers of tokens often agree."""

CELLS = (
    "-", "_", "*", "", "(", ")", "()", "|", "||", "(1", "1)", "(1)", "(2", "2)", "(2)", "(1|(2", "2)|1)",
    "1)|2)", "(1)|(2)", "(1)(2)", "(1(2", "2)1)", "(1)|1)", "(1|(1)", "(1|1)", "(1)|(1)", "((1)", "(1))",
    "(1)-", "-(1)", "(a b)", "(1 )", "1", "(1|", "|1)", "(-)", "(_", "_)", "(*)", "((", "))", "(1,2)", "(é)",
    "(\U0001f600)", "(\x1b[31m)", "(\u202e)", "(\x07" * 40, "(long" * 40 + ")", "(" + "e" * 90 + ")",
    "(1)|" * 200 + "(1)", "0", "(00)", "(0)", "(1.5)", "(null)", "(#)", "#", "(1\u00a0)", "(1\u3000|2)",
    "\ufeff(1)", "(1)\ufeff", "\uff0d",
)  # fmt: skip
LINES = (
    "", " ", "\t", "\t\t", "#", "# a comment", "#\ttoken\t-", "#\ttoken\t(1)", "# begin document",
    "#begin document", "#begin document (a); part 000", "#begin document (a); part",
    "#begin document (); part 1", "#begin document (bc/cctv_0000); part 000",
    "#begin document (bc/cctv_0000); part 001", "#begin document (a", "#begin documents",
    " #begin document (a)", "#begin document \x1b[31m\x07", "#begin document (" + "n" * 300 + "); part 0",
    "#begin document (../../etc/passwd)", "#begin document nul", "#begin document .", "#end document",
    "# end document", "#end", "#end documents", "#end document x", "-", "_", "*", "(1)", "a b c", "a\tb",
    "a b\t", "a\t-\t", "a\t(1)\t", "a\t(1)\t\t", "a\t-\t\t", "a\t\t\t", "\t-", " -", "\u2028", "\x0b",
    "\x0c", "\x1c", "\x85", "\u00a0", "a\x85-", "a\u2028(1)", "\ufeff", "word (1) (2)", "{", "[1]",
)  # fmt: skip
BLANKS = ("\t", " ", "   ", "\t\t", " \t", "\u00a0", "\x0b", "\x1f", "\u3000", "")


def example(dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid file and a broken copy of it."""
    return broken_copy(SEEDS, (_any_change,), dice)


def _any_change(lines: list[str], dice: Dice) -> None:
    dice.pick(_CHANGES if dice.chance(0.5) else _MILD_CHANGES)(lines, dice)


def _cut(line: str) -> tuple[str, str]:
    """Return a line before its last cell, and that cell."""
    place = max(line.rfind(" "), line.rfind("\t")) + 1
    return line[:place], line[place:]


def _tokens(lines: Sequence[str]) -> list[int]:
    """Return the places of what looks like tokens; the first line if nothing does."""
    return [i for i, line in enumerate(lines) if line and not line.startswith("#")] or [0]


def _set_cell(lines: list[str], dice: Dice) -> None:
    place = dice.pick(_tokens(lines))
    lines[place] = _cut(lines[place])[0] + dice.pick(CELLS)


def _add_to_cell(lines: list[str], dice: Dice) -> None:
    place = dice.pick(_tokens(lines))
    lines[place] += dice.pick(("", "|")) + dice.pick(CELLS)


def _double_document(lines: list[str], dice: Dice) -> None:
    again = list(lines)
    if dice.chance(0.5):
        again[0] = dice.pick(LINES)
    lines.extend(again)


def _other_blanks(lines: list[str], dice: Dice) -> None:
    place, blank = dice.below(len(lines)), dice.pick(BLANKS)
    lines[place] = blank.join(lines[place].split())


def _add_blank(lines: list[str], dice: Dice) -> None:
    place, blank = dice.below(len(lines)), dice.pick((*BLANKS, "\r"))
    lines[place] = blank + lines[place] if dice.chance(0.3) else lines[place] + blank


def _other_columns(lines: list[str], dice: Dice) -> None:
    """Write every token with another separator, or without its first columns."""
    blank, dropped = dice.pick(BLANKS), dice.below(4)
    for place in _tokens(lines):
        lines[place] = blank.join(lines[place].split()[dropped:])


def _swap_cells(lines: list[str], dice: Dice) -> None:
    one, other = dice.pick(_tokens(lines)), dice.pick(_tokens(lines))
    (before, cell), (other_before, other_cell) = _cut(lines[one]), _cut(lines[other])
    lines[one], lines[other] = before + other_cell, other_before + cell


def _add_mention(lines: list[str], dice: Dice) -> None:
    entity = dice.pick(("1", "2", "12", "new", "é"))
    places = _tokens(lines)
    first = dice.below(len(places))
    last = min(len(places) - 1, first + dice.below(3))
    if first == last:
        _add_tag(lines, places[first], f"({entity})")
    else:
        _add_tag(lines, places[first], f"({entity}")
        _add_tag(lines, places[last], f"{entity})")


def _add_tag(lines: list[str], place: int, tag: str) -> None:
    before, cell = _cut(lines[place])
    lines[place] = before + (tag if cell in ("-", "_", "*", "") else f"{cell}|{tag}")


def _clear_cell(lines: list[str], dice: Dice) -> None:
    """Take away what a cell says, and with luck no more than mentions of one token."""
    whole = [i for i in _tokens(lines) if _cut(lines[i])[1].startswith("(") and lines[i].endswith(")")]
    if whole:
        place = dice.pick(whole)
        lines[place] = _cut(lines[place])[0] + "-"


def _rename_entity(lines: list[str], dice: Dice) -> None:
    old, new = dice.pick(("1", "2", "12", "a-1")), dice.pick(("1", "7", "x y", "long" * 60, "\x1b[31m", "é"))
    for place in _tokens(lines):
        before, cell = _cut(lines[place])
        parts = [part.replace(old, new) if part.strip("()") == old else part for part in cell.split("|")]
        lines[place] = before + "|".join(parts)


def _comment(lines: list[str], dice: Dice) -> None:
    lines.insert(dice.below(len(lines) + 1), "# a comment")


def _other_word(lines: list[str], dice: Dice) -> None:
    place = dice.pick(_tokens(lines))
    lines[place] = lines[place].replace("word", dice.pick(("(1", "-", "#", "w\u00e9", "a\u00a0b", "|", '"')))


_CHANGES: tuple[Change, ...] = (
    _set_cell, _set_cell, _add_to_cell, setting(LINES), inserting(LINES), delete_line, double_line, move_line,
    _double_document, _other_blanks, _add_blank, _other_columns,
)  # fmt: skip
_MILD_CHANGES: tuple[Change, ...] = (
    _swap_cells, _add_mention, _add_mention, _clear_cell, _rename_entity, _comment, _other_word,
)  # fmt: skip
