"""Mutants, copies of a source file with one small mistake each. Used by mutation.py.

Only the mistaken expression or statement is rewritten; the rest of the file keeps its text and its lines.
Left alone are type annotations, docstrings, the insides of f-strings and ``strict=``, a check of what cannot
happen.
"""

import ast
import copy
from collections.abc import Iterator
from typing import NamedTuple, TypeVar

Operation = TypeVar("Operation", ast.BinOp, ast.AugAssign)

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
TALLY_SWAPS = ((0, 2), (1, 3), (0, 1))
"""Arguments of `Tally`: the numerators, the denominators, a numerator with its denominator."""
REMOVABLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.Raise, ast.Continue, ast.Break, ast.Delete)


class Mutant(NamedTuple):
    """One mistake."""

    path: str
    function: str
    """Where it is made, with the classes around."""
    line: int
    before: str
    """The lines that it changes, on one line."""
    after: str
    source: str
    """The whole file with the mistake."""


class _Edit(NamedTuple):
    """A part of the source, in bytes, and what stands there instead."""

    start: int
    end: int
    text: str


def mutants(path: str, source: str) -> list[Mutant]:
    """Return every mutant of a file that compiles, in the order of the text."""
    finder = _Finder(source)
    finder.visit(ast.parse(source))
    data = source.encode()
    found = []
    for function, edit in sorted(finder.edits, key=lambda item: item[1]):
        changed = (data[: edit.start] + edit.text.encode() + data[edit.end :]).decode()
        if _compiles(changed):
            first = data.rfind(b"\n", 0, edit.start) + 1
            last = data.find(b"\n", edit.end)
            before = data[first : last if last >= 0 else None]
            after = (
                data[first : edit.start] + edit.text.encode() + data[edit.end : last if last >= 0 else None]
            )
            line = data.count(b"\n", 0, edit.start) + 1
            found.append(Mutant(path, function, line, _one_line(before), _one_line(after), changed))
    return found


def _one_line(text: bytes) -> str:
    return " ".join(text.decode().split())


def _compiles(source: str) -> bool:
    try:
        compile(source, "mutant", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


class _Finder(ast.NodeVisitor):
    """Collects what can be changed, with the name of the function it is in."""

    def __init__(self, source: str) -> None:
        self.edits: list[tuple[str, _Edit]] = []
        self._names: list[str] = []
        self._starts = [0]
        for line in source.encode().splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def visit(self, node: ast.AST) -> None:
        for place, text in _changes(node):
            self._add(place, text)
        super().visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        for inner in (*node.args.defaults, *node.args.kw_defaults):
            if inner is not None:
                self.visit(inner)
        self._visit_body(node.name, node.body)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_body(node.name, node.body)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        is_alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
        if node.value is not None and not is_alias:
            self.visit(node.value)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Leave f-strings alone."""

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg != "strict":
            self.visit(node.value)

    def _visit_body(self, name: str, body: list[ast.stmt]) -> None:
        self._names.append(name)
        for statement in body:
            self.visit(statement)
        self._names.pop()

    def _add(self, place: ast.AST, text: str) -> None:
        if isinstance(place, ast.expr | ast.stmt | ast.Slice) and place.end_lineno is not None:
            start = self._starts[place.lineno - 1] + place.col_offset
            end = self._starts[place.end_lineno - 1] + (place.end_col_offset or 0)
            self.edits.append((".".join(self._names), _Edit(start, end, text)))


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Yield what can be written in place of a node, or of one inside it."""
    if isinstance(node, ast.expr):
        yield from ((node, f"({ast.unparse(changed)})") for changed in _other_expressions(node))
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test, f"(not ({ast.unparse(node.test)}))"
    if isinstance(node, ast.comprehension):
        yield from ((test, f"(not ({ast.unparse(test)}))") for test in node.ifs)
    if isinstance(node, ast.Slice):
        yield from _other_slices(node)
    if isinstance(node, ast.AugAssign):
        for changed in _other_operators(node):
            yield node, ast.unparse(changed)
    if isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
        yield node, "return None"
    if isinstance(node, REMOVABLE) and not _is_docstring(node):
        yield node, "pass"


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _other_expressions(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Compare):
        for i, operator in enumerate(node.ops):
            for other in COMPARISONS[type(operator)]:
                changed = copy.deepcopy(node)
                changed.ops[i] = other()
                yield changed
    elif isinstance(node, ast.BinOp):
        yield from _other_operators(node)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
    elif isinstance(node, ast.Constant):
        yield from _other_constants(node.value)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        yield from _other_calls(node, node.func.id)


def _other_operators(node: Operation) -> Iterator[Operation]:
    if type(node.op) in ARITHMETIC:
        changed = copy.deepcopy(node)
        changed.op = ARITHMETIC[type(node.op)]()
        yield changed


def _other_constants(value: object) -> Iterator[ast.expr]:
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | float):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)


def _other_calls(node: ast.Call, name: str) -> Iterator[ast.expr]:
    if name in FUNCTIONS:
        yield ast.Call(ast.Name(FUNCTIONS[name]), node.args, node.keywords)
    if name == "Tally" and len(node.args) == 1 + max(map(max, TALLY_SWAPS)):
        for one, other in TALLY_SWAPS:
            if ast.unparse(node.args[one]) != ast.unparse(node.args[other]):
                args = list(node.args)
                args[one], args[other] = args[other], args[one]
                yield ast.Call(node.func, args, node.keywords)


def _other_slices(node: ast.Slice) -> Iterator[tuple[ast.AST, str]]:
    for part in ("lower", "upper", "step"):
        if getattr(node, part) is not None:
            changed = copy.deepcopy(node)
            setattr(changed, part, None)
            yield node, ast.unparse(changed)
