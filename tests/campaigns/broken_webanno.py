"""Mutations of WebAnno TSV by line and cell: numbers, layers, stacks, references. Used by fuzz.py."""

from broken_lines import broken_copy, delete_line, double_line, inserting, move_line, setting
from dice import Dice

_CHAIN = "#T_CH=custom.Link|referenceType|referenceRelation"
_SEEDS = (
    (
        "#FORMAT=WebAnno TSV 3.3", "#T_SP=custom.Entity|value|kind", _CHAIN, "", "", "#Text=Ann saw her dog",
        "1-1\t0-3\tAnn\tPER[1]|x[2]\t*[1]|y[2]\t*[3]\t*->3-1\t", "1-2\t4-7\tsaw\tx[2]\ty[2]\t_\t_\t",
        "1-3\t8-11\ther\t_\t_\t*[3]|a[4]\t*->3-2|b->4-1\t", "1-4\t12-15\tdog\t_\t_\ta[4]\tb->4-1\t",
        "", "#Text=It ran", "2-1\t16-18\tIt\t*\t*\t*[4]\t*->4-2\t", "2-2\t19-22\tran\t_\t_\t_\t_\t",
        "2-2.1\t19-20\tr\t_\t_\t*[3]\t*->3-4\t", "",
    ),
    (
        "#FORMAT=WebAnno TSV 3.2", "#T_SP=custom.Referent|entity|infstat",
        "#T_RL=custom.Coref|type|BT_custom.Referent", "", "", "#Document.id=d1", "#Text=Ann saw her dog",
        "1-1\t0-3\tAnn\tPER[1]|x[2]\tn[1]|n[2]\tana|bridge\t1-3[0_1]|2-1[4_1]\t",
        "1-2\t4-7\tsaw\tx[2]\tn[2]\t_\t_\t", "1-3\t8-11\ther\tPER\tg\t_\t_\t",
        "1-4\t12-15\tdog\t*[4]\t_\tcoref\t1-1[2_4]\t", "", "#Text=It",
        "2-1\t16-18\tIt\t*[4]|*[5]\t*\t_\t_\t", "",
    ),
    ("#FORMAT=WebAnno TSV 3.3", "#T_SP=custom.A|", "#T_SP=custom.B|v", "#T_RL=c.corefs|BT_custom.A",
     "#T_RL=c.COREF|x|y|BT_custom.B", "", "", "#Text=a b", "1-1\t0-1\ta\t*\tx[1]|y[2]\t_\t_\t_\t_",
     "1-2\t2-3\tb\t*\tz\t1-1\ta|b\tc|bridging\t1-1[1_0]|1-1[2_0]", ""),
    ("#FORMAT=WebAnno TSV 3.1", "#T_SP=custom.A|v", "#T_CH=a.B|referenceRelation",
     "#T_CH=a.C|referenceRelation",
     "#T_RL=a.Coref|BT_custom.A", "", "#Text=a b", "1-1\t0-1\ta\tx\t*->1-1\tx\\|y->1-1|a\\\\->2-1\t_",
     "1-2\t2-3\tb\tx\t*->1-1\tx\\->9-9->2-1\t1-1", ""),
    ("#FORMAT=WebAnno TSV 3.3", "", "", "#Text=a", "1-1\t0-1\ta\t", ""),
)  # fmt: skip
_CELLS = (
    "_", "*", "", "*[1]", "x[2]", "*[1]|*[2]", "[1]", "[3", "*[0]", "*[1]|", "|", "||", "|*[1]", "a\\|b[1]",
    "\\", "*[1]\\", "a\\\\|b[2]", "*->1-1", "*->3-2", "*->3-1|*->4-1", "->1-1", "*->1", "*->1-", "*->a-1",
    "*\\->3-1", "x->y->3-1", "*->01-1", "*->" + "9" * 12 + "-1", "1-1", "1-3[0_1]", "1-1[1_2]", "9-9",
    "1-1[1_2]|1-2", "1-1[1]", "1-2.1[0_0]", "2-2.1", "bridge", "bridge:x|ana", "Bridging", "ana|coref", "_|_",
    "1-2", "2-1", "3-1", "1-4", "1-1.1", "1-4.2.1", "0-1", "1-0", "1-", "-1", "\u0661-1", "1-1 ",
    "\u202e", "{", "0-3",
)  # fmt: skip
_LINES = (
    "", "#", "#Text=", "#Document.id=", "#Document.id=x", "#Document.id=\x1b[31m", "#FORMAT=WebAnno TSV 3.3",
    "#FORMAT=WebAnno TSV 2", "#T_SP=", "#T_SP=a", "#T_SP=a|b", _CHAIN, "#T_CH=x|y", "#T_RL=Coref|BT_",
    "#T_RL=x.Coref|BT_custom.Entity", "#T_RL=x.Coref|type", "#T_RL=Coref|BT_custom.A", "#T_XX=a|b", "x", "\t",
    " ", "1-1\t", "1-1", "3-1\t0-1\ta", "3-1\t0-1\ta\t_\t_\t_\t_\t_\t_", "\u2028", "\x0c",
    "1-1\t0-1\ta\t_\t_",
)  # fmt: skip


def example(dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid file and a broken copy of it."""
    return broken_copy(_SEEDS, _CHANGES, dice)


def _set_cell(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    cells = lines[place].split("\t")
    cells[dice.below(len(cells))] = dice.pick(_CELLS)
    lines[place] = "\t".join(cells)


def _swap_cells(lines: list[str], dice: Dice) -> None:
    one, other = _row(lines, dice), _row(lines, dice)
    cells, others = lines[one].split("\t"), lines[other].split("\t")
    place = dice.below(min(len(cells), len(others)))
    cells[place], others[place] = others[place], cells[place]
    lines[one], lines[other] = "\t".join(cells), "\t".join(others)


def _copy_cells(lines: list[str], dice: Dice) -> None:
    """Copy the annotations of one row to another."""
    cells, others = (lines[_row(lines, dice)].split("\t") for _ in range(2))
    lines[_row(lines, dice)] = "\t".join([*cells[:3], *others[3:]])


def _row(lines: list[str], dice: Dice) -> int:
    """Return the place of a row; the first line if there is none."""
    return dice.pick([i for i, line in enumerate(lines) if line and line[0] != "#"] or [0])


def _add_tab(lines: list[str], dice: Dice) -> None:
    lines[_row(lines, dice)] += dice.pick(("\t", "\t_", "\r", " "))


_CHANGES = (
    _set_cell, _set_cell, _set_cell, _swap_cells, _copy_cells, _add_tab, setting(_LINES), inserting(_LINES),
    delete_line, double_line, move_line,
)  # fmt: skip
