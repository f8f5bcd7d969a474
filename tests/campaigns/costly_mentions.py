"""Mentions for cost.py that make matching hard: inside each other, with one head, of empty nodes, in pieces.

Gold and system differ, so that there is something to match. Each generator yields the parts of one file.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

from ordinary_shapes import UA, Maker

Row: TypeAlias = tuple[str, str, str]
"""The number of a row, its DEPS and its annotation; either may be empty."""
_ENTITY = "# global.Entity = eid-etype-head\n# newdoc id = d\n"
_COLUMNS = "_\t_\t_\t_\t0\t_"


def corefud(rows: Callable[[int], Iterable[Row]], each: int) -> Maker:
    """Return a maker of a document of one sentence, with as many mentions as make `each` bytes."""

    def make(size: int) -> Iterator[str]:
        yield _ENTITY
        for name, deps, cell in rows(size // each):
            misc = f"Entity={cell}" if cell else "_"
            yield f"{name}\tw\t{_COLUMNS}\t{deps or '_'}\t{misc}\n"
        yield "\n"

    return make


def exploded(rows: Callable[[int], Iterable[Row]], each: int) -> Maker:
    """Return the same in the exploded format; the annotation is the cell of IDENTITY."""

    def make(size: int) -> Iterator[str]:
        yield UA
        for name, deps, cell in rows(size // each):
            yield f"{name}\tw\t{_COLUMNS}\t{deps or '_'}\t_\t{cell or '_'}\t_\t_\t_\t_\n"
        yield "\n"

    return make


def inside(step: int, *, empty: bool = False) -> Callable[[int], Iterator[Row]]:
    """Return mentions that begin on the first word, their head, and end on every second word."""

    def rows(number: int) -> Iterator[Row]:
        yield "1", "", "".join(f"(e{n}--1" for n in reversed(range(number)))
        if empty:
            yield "1.1", "1:x", ""
        for n in range(number):
            ends = f"e{n})"
            yield f"{2 * n + 2}", "", "" if step else ends
            yield f"{2 * n + 3}", "", ends if step else ""

    return rows


def around(number: int) -> Iterator[Row]:
    """Yield mentions that begin one after the other, and end behind as many empty nodes."""
    for n in range(number):
        yield f"{n + 1}", "", f"(e{n}--1"
    for n in range(number):
        yield f"{number}.{n + 1}", f"{number}:x", ""
    yield f"{number + 1}", "", "".join(f"e{n})" for n in reversed(range(number)))


def crossing(step: int) -> Callable[[int], Iterator[Row]]:
    """Return mentions of four words, each of which begins two words after the one before it."""

    def rows(number: int) -> Iterator[Row]:
        for n in range(number):
            ends = f"e{n - 2})" if n > 1 else ""
            yield f"{2 * n + 1}", "", "" if step else f"{ends}(e{n}--2"
            yield f"{2 * n + 2}", "", f"{ends}(e{n}--1" if step else ""
        left = "".join(f"e{n})" for n in range(max(number - 2, 0), number))
        yield f"{2 * number + 1}", "", left

    return rows


def apart(relation: str, *, one: bool) -> Callable[[int], Iterator[Row]]:
    """Return zeros behind the last word, which depend on that one or each on a word of its own."""

    def rows(number: int) -> Iterator[Row]:
        for n in range(number):
            yield str(n + 1), "", ""
        for n in range(number):
            yield f"{number}.{n + 1}", f"{number if one else n + 1}:{relation}{n}", f"(e{n}--1)"

    return rows


def heads_inside(step: int) -> Callable[[int], Iterator[Row]]:
    """Return short mentions in gold, and in the system long ones that hold all of their heads."""

    def rows(number: int) -> Iterator[Row]:
        begins = "".join(f"(e{n}--1" for n in reversed(range(number)))
        yield "1", "", begins if step else ""
        for n in range(number):
            yield str(n + 2), "", "" if step else f"(e{n}--1)"
        for n in range(number):
            yield str(number + n + 2), "", f"e{n})" if step else ""

    return rows


def pieces(number: int) -> Iterator[Row]:
    """Yield one mention in pieces, one on each second word."""
    for n in range(1, number + 1):
        yield str(2 * n - 1), "", f"(e1[{n}/{number}]--1)" if number > 1 else "(e1--1)"
        yield str(2 * n), "", ""


def markables(step: int) -> Callable[[int], Iterator[Row]]:
    """Return markables that begin on the first word, their minimum, as `inside`."""

    def rows(number: int) -> Iterator[Row]:
        begins = (f"(EntityID=e{n}|MarkableID=m{n}|Min=1" for n in reversed(range(number)))
        yield "1", "", "".join(begins)
        for n in range(number):
            yield f"{2 * n + 2}", "", "" if step else ")"
            yield f"{2 * n + 3}", "", ")" if step else ""

    return rows


def pieces_of_markable(number: int) -> Iterator[Row]:
    for n in range(1, number + 1):
        yield str(2 * n - 1), "", "(EntityID=e|MarkableID=m|Min=1)"
        yield str(2 * n), "", ""


def everywhere(number: int) -> Iterator[Row]:
    """Yield one word, which is a mention of every entity."""
    yield "1", "", "".join(f"(e{n}--1)" for n in range(number))


def sets(number: int) -> Iterator[Row]:
    """Yield entities of which each is a member of the next, which is a set."""
    for n in range(number):
        yield str(n + 1), "", f"(EntityID={n}|MarkableID=m{n}|Min=1|ElementOf={n + 1})"
    yield str(number + 1), "", f"(EntityID={number}|MarkableID=m{number}|Min=1)"


def sets_of_one(number: int) -> Iterator[Row]:
    """Yield sets of two members, one of which is the same in all."""
    all_of_them = ",".join(f"s{n}" for n in range(number))
    yield "1", "", f"(EntityID=a|MarkableID=a|Min=1|ElementOf={all_of_them})"
    for n in range(number):
        yield f"{2 * n + 2}", "", f"(EntityID=b{n}|MarkableID=b{n}|Min=1|ElementOf=s{n})"
        yield f"{2 * n + 3}", "", f"(EntityID=s{n}|MarkableID=s{n}|Min=1)"


def parsed(step: int) -> Maker:
    """Return a maker of CoNLL-2012 with mentions inside each other, and a phrase that opens at each word."""

    def make(size: int) -> Iterator[str]:
        number = size // 60
        yield "#begin document (d); part 000\n"
        for n in range(number):
            yield f"d\t0\t{n}\tw\tNN\t(NP*\t-\t-\t-\t-\t*\t({n}\n"
        for n in reversed(range(number)):
            cells = (f"{n})", "-") if step else ("-", f"{n})")
            for place, cell in enumerate(cells):
                parse = "*)" if place else "*"
                yield f"d\t0\t{number + 2 * (number - n) + place}\tw\tNN\t{parse}\t-\t-\t-\t-\t*\t{cell}\n"
        yield "\n#end document\n"

    return make


class Hard(NamedTuple):
    """Two files of one kind, and the options under which they are hard to match."""

    reader: str
    name: str
    gold: Maker
    system: Maker
    options: tuple[str, ...]


def _both(make: Callable[[int], Callable[[int], Iterator[Row]]], each: int) -> tuple[Maker, Maker]:
    return corefud(make(0), each), corefud(make(1), each)


_CRAC, _CRAC_1 = "--profile=corefud-1.2", "--profile=corefud-1.1"
_UA, _UA_1, _COVAL = "--profile=ua-2.0", "--profile=ua-1.0", "--profile=coval"
_INSIDE = _both(inside, 70)
_AROUND_ZERO = corefud(inside(0, empty=True), 70), corefud(inside(1, empty=True), 70)
_AROUND_ZEROS = (corefud(around, 70),) * 2
_CROSSING = _both(crossing, 64)
_SHORT = _both(heads_inside, 64)
_OF_ONE = corefud(apart("x", one=True), 60), corefud(apart("y", one=True), 60)
_OF_MANY = corefud(apart("x", one=False), 60), corefud(apart("x", one=False), 60)
_EVERYWHERE = (corefud(everywhere, 13),) * 2
_PIECES = (corefud(pieces, 60),) * 2
_MARKABLES = exploded(markables(0), 110), exploded(markables(1), 110)
_PARSED = parsed(0), parsed(1)
INSIDE, CROSSING = _INSIDE[0], _CROSSING[0]
HARD = (
    *(
        Hard("corefud", f"mentions inside each other, {' '.join(options) or 'default'}", *_INSIDE, options)
        for options in (
            (),
            (_CRAC,),
            (_CRAC, "--match=partial"),
            (_CRAC, "--match=exact"),
            (_CRAC, "--singletons=keep"),
            (_CRAC, "--match=partial", "--singletons=keep"),
            ("--match=head",),
            ("--match=partial",),
            ("--match=craft",),
            ("--match=head", "--lookup=nearest"),
            ("--match=partial", "--lookup=nearest"),
            (_CRAC_1, "--singletons=keep"),
            ("--nested=drop",),
            ("--metric=mention_overlap",),
        )
    ),
    *(
        Hard("corefud", f"around an empty node, {' '.join(options) or 'default'}", *_AROUND_ZERO, options)
        for options in ((), ("--match=head",), ("--match=partial",), ("--zeros=drop",))
    ),
    Hard("corefud", "around many empty nodes", *_AROUND_ZEROS, ()),
    *(
        Hard("corefud", f"crossing mentions, {' '.join(options)}", *_CROSSING, options)
        for options in (
            ("--match=partial",),
            (_CRAC, "--match=partial", "--singletons=keep"),
            ("--match=partial", "--lookup=nearest"),
        )
    ),
    Hard("corefud", "heads inside long mentions, partial", *_SHORT, ("--match=partial",)),
    Hard("corefud", "heads inside long mentions, nearest", *_SHORT, ("--match=partial", "--lookup=nearest")),
    Hard("corefud", "zeros of one governor", *_OF_ONE, ("--zeros=dependency",)),
    Hard("corefud", "zeros of different governors", *_OF_MANY, ("--zeros=dependency",)),
    Hard("corefud", "zeros, all of 1.2", *_OF_MANY, (_CRAC, "--singletons=keep")),
    *(
        Hard("corefud", f"a mention of every entity, {' '.join(options)}", *_EVERYWHERE, options)
        for options in (
            ("--duplicates=first",),
            ("--lookup=reference",),
            ("--lookup=nearest", "--match=head"),
            (_CRAC,),
            (_CRAC, "--singletons=keep"),
        )
    ),
    Hard("corefud", "a mention in many pieces", *_PIECES, ()),
    Hard("corefud", "a mention in many pieces, 1.2", *_PIECES, (_CRAC, "--singletons=keep")),
    *(
        Hard("ua", f"markables inside each other, {' '.join(options) or 'default'}", *_MARKABLES, options)
        for options in (
            (),
            (_UA, "--singletons=keep"),
            (_UA_1,),
            ("--match=partial",),
            ("--match=craft",),
            ("--split-antecedents=keep",),
        )
    ),
    *(
        Hard("ua", f"{name}, {' '.join(options)}", exploded(rows, each), exploded(rows, each), options)
        for name, rows, each in (
            ("a markable in many pieces", pieces_of_markable, 100),
            ("sets of sets", sets, 70),
            ("sets of one member", sets_of_one, 130),
        )
        for options in (("--match=exact",), ("--split-antecedents=keep",), (_UA_1,))
    ),
    *(
        Hard("conll", f"parsed mentions inside each other, {' '.join(options)}", *_PARSED, options)
        for options in (
            (_COVAL,),
            (_COVAL, "--match=mina"),
            (_COVAL, "--phrases=np"),
            (_COVAL, "--nested=drop"),
            ("--metric=mention_overlap",),
        )
    ),
)
