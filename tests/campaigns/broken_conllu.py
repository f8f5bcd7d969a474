"""Mutations of CorefUD files by line, node and bracket. Used by fuzz.py."""

from broken_lines import broken_copy, delete_line, inserting, move_line, setting
from dice import Dice

_HEADER = "# global.Entity = eid-etype-head-other"
_REST = "\t_\t_\t_\t_\t0\t_\t2:x\t"


def _sentence(*cells: str) -> list[str]:
    """Return rows; a cell is what MISC holds, and ``<id> <misc>`` for a node that is not the next word."""
    rows, word = [], 0
    for cell in cells:
        name, _, misc = cell.partition(" ")
        word += not misc
        rows.append(f"{name if misc else word}\tw{_REST}{(misc or cell) or '_'}")
    return [*rows, ""]


SEEDS: tuple[tuple[str, ...], ...] = tuple(
    (*lines, "")
    for lines in (
        [
            "# newdoc id = d1", _HEADER,
            *_sentence("Entity=(e1-person-2-k:v(e2-x-1)", "_", "Entity=e1)", "Entity=(e2-x-1", "Entity=e2)"),
            *_sentence("Entity=(e1-person-1)|Bridge=e2<e1:part", "Entity=(e3--1)|SplitAnte=e1<e3,e2<e3", "_"),
        ],
        [
            "# newdoc id = d1", _HEADER,
            *_sentence("0.1 Entity=(e1--1)", "Entity=(e2--2", "1.1 Entity=(e1--1)", "_", "2.10 _",
                       "Entity=e2)"),
            *_sentence("1-2 _", "Entity=(e2[1/2]--1", "Entity=e2[1/2])", "_", "Entity=(e2[2/2]--3)(e1--1)"),
            "# newdoc id = d2",
            *_sentence("Entity=(e1--1(e1--1)", "Entity=e1)", "Entity=(e4--1)"),
        ],
        [
            "# newdoc", "# global.Entity = GRP-etype-infstat-minspan-link",
            *_sentence("Entity=(1-person-giv:act-1,2-coref", "Entity=1)(2-place-new-1-sgl)"),
            "# newdoc", *_sentence("Entity=(1-person-new-1-coref)", "_"),
        ],
        [_HEADER, *_sentence("Entity=(e--1)", "Entity=(e--1)", "Entity=(f--1", "Entity=f)(e--1)")],
    )
)  # fmt: skip
"""Each is scored against itself or a broken copy of itself."""

BRACKETS = (
    "(e1--1)", "(e1--1", "e1)", "(e2--2", "e2)", "(e1", "(e1)", "(e9-x-7-y:z-w)", "(e1[1/2]--1)",
    "(e1[2/2]--1)", "(e1[1/2]--1", "e1[1/2])", "e1[2/2])", "(e1[2/1]--1)", "(e1[1/1])", "(e1[0/2])",
    "(e1[x/2])", "e[1/2]]", "(--1)", "()", "(", ")", "((", "(e1--x)", "(e1--00)",
    "(e1--9999999999999999999999)", "(é--1)", "(\x1b[31m--1)", "(e 1--1)", "(" + "long" * 60 + "--1)",
    "(1)", "1)", "(1", "(2", "2)", "-", "e1",
)  # fmt: skip
ATTRIBUTES = (
    "Entity=(e1--1)", "Entity=", "Bridge=e1<e2", "Bridge=e2<e1:part", "Bridge=e1<e1", "Bridge=e9<e1",
    "Bridge=e1<e9", "Bridge=", "Bridge=e1<e2:a:b,e3<e2", "SplitAnte=e1<e2", "SplitAnte=e1<e2,e3<e2",
    "Split=e1<e2", "SplitAnte=x", "SplitAnte=e1<e2:x", "A=B", "_", "", "Entities=(e1)", "xEntity=(e1",
)  # fmt: skip
LINES = (
    "", " ", "\t", "\r", "#", "# a comment", "# newdoc", "# newdoc id = d1", "# newdoc id = d3",
    "# newdoc id =", "#newdoc", "# newdoc id=x", "# newdoc x", "# newdocs", "# newdoc id =  y ",
    "# newpar", "# sent_id = 1", _HEADER, "# global.Entity = eid", "# global.Entity = etype",
    "# global.Entity =eid-etype-head-other ", "#global.Entity = GRP", "# global.columns = ID", "1\ta",
    "1", "1 a", "0\ta", "01\ta", "1.1\ta", "0.1\ta", "0.0\ta", "9.1\ta", "1.01\ta", "1-2\ta", "2-3\ta",
    "1-1\ta", "3-2\ta", "\u0661\ta", "x\ta", "1\t" + "_\t" * 9 + "_", "1.1\t" + "_\t" * 9 + "_",
    f"1\tnewdoc{_REST}Entity=(e1--1)", f"1\tw{_REST}Entity=(e1--1)", f"1.2\tw{_REST}Entity=(e1--1)",
    "\u2028", "\x0b", "# x newdoc id = q", "# global.Entity", "x # newdoc", "\ufeff",
)  # fmt: skip


def example(dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid file and a broken copy of it."""
    return broken_copy(SEEDS, _CHANGES, dice)


def _row(lines: list[str], dice: Dice) -> int:
    return dice.pick([place for place, line in enumerate(lines) if "\t" in line] or [0])


def _add_bracket(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    before, is_there, cell = lines[place].rpartition("Entity=")
    bracket = dice.pick(BRACKETS)
    if not is_there:
        lines[place] = lines[place].rpartition("\t")[0] + f"\tEntity={bracket}"
    else:
        lines[place] = (
            f"{before}Entity={bracket}{cell}" if dice.chance(0.5) else f"{before}Entity={cell}{bracket}"
        )


def _set_bracket(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    lines[place] = lines[place].rpartition("\t")[0] + f"\tEntity={dice.pick(BRACKETS)}"


def _add_attribute(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    lines[place] += f"|{dice.pick(ATTRIBUTES)}"


def _clear_row(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    lines[place] = lines[place].rpartition("\t")[0] + "\t_"


def _insert_node(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    word = lines[place].partition("\t")[0]
    lines.insert(place + dice.below(2), f"{word}.{1 + dice.below(3)}\tz{_REST}Entity={dice.pick(BRACKETS)}")


def _double_document(lines: list[str], dice: Dice) -> None:
    again = list(lines)
    again[0] = dice.pick(("# newdoc id = d7", again[0], ""))
    lines.extend(again)


def _cut_row(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    lines[place] = "\t".join(lines[place].split("\t")[: 1 + dice.below(10)])


_CHANGES = (
    _add_bracket, _add_bracket, _set_bracket, _add_attribute, _clear_row, _clear_row, setting(LINES),
    inserting(LINES), delete_line, move_line, _insert_node, _insert_node, _double_document, _cut_row,
)  # fmt: skip

CHAINS: tuple[tuple[str, ...], ...] = tuple(
    (*_sentence(*cells), *_sentence("coref_chains=unit-id0", "ner=S-X|ner=unit-id1"), "")
    for cells in (
        ("coref_chains=start-repr-id0", "A=B|coref_chains=middle-repr-id0,unit-id1", "coref_chains=end-id0"),
        ("ner=start-id0,start-id1", "ner=middle-id0,start-id0,end-id1", "ner=end-id0,end-id0"),
        ("0.1 coref_chains=unit-id0", "_", "coref_chains=start-id1", "1.2 coref_chains=unit-id1,unit-id0",
         "coref_chains=end-id1,start-id0", "coref_chains=end-id0"),
    )
)  # fmt: skip
_PLACES = ("unit", "unit", "unit", "start", "middle", "end", "unit-repr", "ends", "")
_MISC = ("coref_chains=", "ner=S-PER", "ner=unit-id0", "Entity=(a--1)", "_", "coref_chains=unit-id0 ", "A=B")


def _set_chain(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    chain = f"{dice.pick(_PLACES)}-id{dice.below(3)}"
    before, is_there, cell = lines[place].rpartition("coref_chains=")
    if is_there and dice.chance(0.7):
        lines[place] = (
            f"{before}coref_chains={chain},{cell}" if dice.chance(0.5) else f"{lines[place]},{chain}"
        )
    else:
        lines[place] = f"{lines[place].rpartition(chr(9))[0]}\tcoref_chains={chain}"


def _set_misc(lines: list[str], dice: Dice) -> None:
    place = _row(lines, dice)
    lines[place] = f"{lines[place].rpartition(chr(9))[0]}\t{dice.pick(_MISC)}"


_OF_CHAINS = (
    _set_chain, _set_chain, _set_misc, _clear_row, setting(LINES), inserting(LINES), delete_line, move_line,
    _double_document, _cut_row,
)  # fmt: skip


def example_of_chains(dice: Dice) -> tuple[bytes, bytes]:
    """Return a valid file by Stanza and a broken copy of it."""
    return broken_copy(CHAINS, _OF_CHAINS, dice)
