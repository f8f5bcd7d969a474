"""Mutations of exploded files of Universal Anaphora by line, cell and bracket. Used by fuzz.py."""

from broken_bytes import bent
from dice import Dice

_HEADER = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING"
_REST = "\t_" * 8
_A, _B, _C = ("(EntityID=1|MarkableID=a", "(EntityID=2|MarkableID=b", "(EntityID=1|MarkableID=c")


def _row(name: object, identity: str = "_", bridging: str = "_", deixis: str = "_") -> str:
    return f"{name}\tw{_REST}\t{identity}\t{bridging}\t{deixis}\t_\t_"


SEEDS: tuple[tuple[str, ...], ...] = (
    (
        _HEADER, "# newdoc id = d1",
        _row(1, f"{_A}|Min=1,2|SemType=dn{_B})"), _row(2, ")"),
        _row("2.1", "(EntityID=2|MarkableID=z)"), _row("2.2", "(EntityID=3|MarkableID=y)"), "",
        _row(3, f"{_C}|ElementOf=3)", "(MarkableID=c|Rel=part|MentionAnchor=b)", "(EntityID=1|MarkableID=x"),
        _row(4, "(EntityID=9-Pseudo|MarkableID=p)", "(MarkableID=p|EntityAnchor=1)", ")"), "",
    ),
    (
        "# newdoc id = d1", _row(1, _A), _row(2, _B), _row(3, "a)"), _row("4-5"), _row(4, "b)"), _row(5), "",
        "# newdoc id = d2", _row(1, f"{_A})"), _row("1.1"), _row(2, f"{_B})"), _row(3, f"{_A})"), "",
    ),
    (
        _row(0, f"{_A}@{_B}|ElementOf=1)"), _row(1, f"{_C}|ElementOf=5,6))"), _row(2), "",
        f"3  w  {'_  ' * 8}(EntityID=2|MarkableID=d)  _", "",
    ),
)  # fmt: skip
"""Each is scored against itself or a broken copy of itself."""

BRACKETS = (
    f"{_A})", _A, f"{_B})", _B, f"{_C}|Min=1)", f"{_C}|Min=9)", f"{_C}|Min=2,1)", f"{_C}|Min=1,2,3)",
    f"{_C}|Min=0)", f"{_C}|Min=x)", f"{_C}|Min=99999999999999999999)", f"{_C}|ElementOf=2)",
    f"{_A}|ElementOf=1)", f"{_B}|ElementOf=1)", f"{_C}|x)", f"{_C}|=)", f"{_C}|MarkableID=c)", ")", "))",
    "a)", "b)", "c)", "x)", "(", "()", "((", "@", f"@{_A})@", "(EntityId=1|MarkableID=q)", "(EntityID=1)",
    "(MarkableID=q)", "(EntityID=|MarkableID=q)", "(EntityID=7-Pseudo|MarkableID=q)",
    "(EntityID=7-Pseudo|MarkableID=r)", "(EntityID=\x1b[31m|MarkableID=\u2028)", "(EntityID=1|MarkableID=é)",
    "(EntityID=" + "long" * 60 + "|MarkableID=" + "m" * 200 + ")", "_", "-", "1",
    f"{_C}|ElementOf=" + ",".join("n" * 90 for _ in range(9)) + ")",
)  # fmt: skip
LINKS = (
    "(MarkableID=a|MentionAnchor=b)", "(MarkableID=a|MentionAnchor=q)", "(MarkableID=q|MentionAnchor=a)",
    "(MarkableID=b|EntityAnchor=1)", "(MarkableID=b|EntityAnchor=8)", "(MarkableID=a)", "(MentionAnchor=a)",
    "(MarkableID=a|MentionAnchor=b", "MarkableID=a|MentionAnchor=b)", "()", ")",
    "(MarkableID=a|MentionAnchor=)",
    "(MarkableID=a|MentionAnchor=a)", "(MarkableID=a|Rel=|MentionAnchor=c)(MarkableID=b|MentionAnchor=z)",
)  # fmt: skip
LINES = (
    "", " ", "\t", "\r", "#", "# a comment", "# newdoc", "# newdoc id = d1", "# newdoc id = d3",
    "# newdoc id =", "#newdoc", "# newdoc x", "# sent_id = 1", _HEADER, "# global.columns = ID",
    "#global.columns=IDENTITY",
    f"{_HEADER} X", "# global.columns = ID FORM LEMMA IDENTITY", "1\ta", "1", "1 a", _row("01"), _row("1.1"),
    _row("0.0"), _row("1-2"), _row("2-1"), _row("1-1"), _row("\u0661"), _row("x"), _row(""), _row("1."),
    _row(" 1"), f"1{_REST}\t_\t_", f"1\tw{_REST}\t{_A})", f"1  w  {'_ ' * 8}{_B})",
    f"1 w {'_ ' * 8}_ _ _ _ _ _ _ _",
    f"1\tw{_REST}\t {_A}) \t_ ", f"1.1  w{_REST}\t{_A})", "\u2028", "\x0b", "\ufeff", _row(7) + "\t_\t_\t_",
)  # fmt: skip


def example(dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid file and a broken copy of it."""
    seed = dice.pick(SEEDS)
    lines = list(seed)
    for _ in range(1 + dice.below(2)):
        dice.pick(_CHANGES)(lines, dice)
    broken = "\n".join(lines if dice.chance(0.1) else [*lines, ""]).encode()
    return "\n".join([*seed, ""]).encode(), bent(broken, dice) if dice.chance(0.12) else broken


def _place(lines: list[str], dice: Dice) -> int:
    return dice.pick([place for place, line in enumerate(lines) if "\t" in line] or [0])


def _change_cell(lines: list[str], dice: Dice, column: int, cell: str, *, is_added: bool) -> None:
    place = _place(lines, dice)
    cells = lines[place].split("\t")
    if column < len(cells):
        old = cells[column]
        if is_added and old != "_":
            cell = old + cell if dice.chance(0.5) else cell + old
        cells[column] = cell
        lines[place] = "\t".join(cells)


def _add_bracket(lines: list[str], dice: Dice) -> None:
    _change_cell(lines, dice, dice.pick((10, 10, 10, 12)), dice.pick(BRACKETS), is_added=True)


def _set_bracket(lines: list[str], dice: Dice) -> None:
    _change_cell(lines, dice, dice.pick((10, 10, 12)), dice.pick(BRACKETS), is_added=False)


def _set_link(lines: list[str], dice: Dice) -> None:
    _change_cell(lines, dice, 11, dice.pick(LINKS), is_added=dice.chance(0.5))


def _clear_cell(lines: list[str], dice: Dice) -> None:
    _change_cell(lines, dice, 10 + dice.below(3), dice.pick(("_", "")), is_added=False)


def _rename_row(lines: list[str], dice: Dice) -> None:
    _change_cell(lines, dice, 0, dice.pick(("1", "7", "0", "1.1", "2.7", "1-3", "3-1", "a")), is_added=False)


def _set_line(lines: list[str], dice: Dice) -> None:
    lines[dice.below(len(lines))] = dice.pick(LINES)


def _insert_line(lines: list[str], dice: Dice) -> None:
    lines.insert(dice.below(len(lines) + 1), dice.pick(LINES))


def _delete_line(lines: list[str], dice: Dice) -> None:
    if len(lines) > 1:
        del lines[dice.below(len(lines))]


def _move_line(lines: list[str], dice: Dice) -> None:
    line = lines.pop(dice.below(len(lines)))
    lines.insert(dice.below(len(lines) + 1), line)


def _insert_zero(lines: list[str], dice: Dice) -> None:
    lines.insert(_place(lines, dice) + dice.below(2), _row("1.1", dice.pick(BRACKETS)))


def _double_document(lines: list[str], dice: Dice) -> None:
    again = [line for line in lines if not line.startswith("# newdoc")]
    lines.extend([dice.pick(("# newdoc id = d7", "# newdoc", "")), *again])


def _cut_row(lines: list[str], dice: Dice) -> None:
    place = _place(lines, dice)
    lines[place] = "\t".join(lines[place].split("\t")[: 9 + dice.below(5)])


_CHANGES = (
    _add_bracket, _add_bracket, _add_bracket, _set_bracket, _set_link, _clear_cell, _clear_cell, _rename_row,
    _set_line, _insert_line, _delete_line, _move_line, _insert_zero, _double_document, _cut_row,
)  # fmt: skip
