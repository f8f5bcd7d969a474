"""Imports of the package as a graph of files, with those inside functions and those for type checkers."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TypeAlias

import scorch2

PACKAGE = Path(scorch2.__file__).parent
"""The package that is tested: of this folder, or one that is installed."""
Graph: TypeAlias = Mapping[str, frozenset[str]]
"""The modules that each module imports, by their names below `scorch2`; a package is its `__init__`."""


@cache
def modules() -> Mapping[str, Path]:
    """Return the files of the package by module name: ``scoring.report``; the top is ``__init__``."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)
        found[name] = path
    return found


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the parsed text of a file."""
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(path: Path) -> Sequence[ast.Call | ast.Import | ast.ImportFrom]:
    """Return the calls and imports of a file: to walk over its tree takes as long as to parse it."""
    return [
        node for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call | ast.Import | ast.ImportFrom)
    ]


def imported_names(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports: ``scorch2.model.tally``, ``scorch2.model.tally.Tally``."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def imports_by_name(module: str) -> set[str]:
    """Return the places below which a module imports what a table names.

    ``reports`` for ``f"scorch2.reports.{name}"``, empty for the whole package, ``?`` if it is not known.
    """
    found = set()
    for node in nodes_of(modules()[module]):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            text = ast.unparse(node.args[0]).removeprefix("f").strip("'\"")
            fixed = text.replace("{__package__}", "scorch2." + module.rpartition(".")[0]).partition("{")[0]
            found.add(fixed.removeprefix("scorch2").strip(".") if fixed.startswith("scorch2") else "?")
    return found


def resolved(name: str) -> str | None:
    """Return the module that a dotted name is, or is defined in; None outside the package.

    ``from scorch2.scoring import report`` imports the module ``scoring.report``, not the package.
    """
    if name != "scorch2" and not name.startswith("scorch2."):
        return None
    parts = name.split(".")[1:]
    for size in range(len(parts), 0, -1):
        if ".".join(parts[:size]) in modules():
            return ".".join(parts[:size])
    return "__init__"


@cache
def graph() -> Graph:
    """Return the imports of every module."""
    found = {}
    for module, path in modules().items():
        names = map(resolved, imported_names(path))
        found[module] = frozenset(name for name in names if name is not None and name != module)
    return found


def circles(edges: Graph) -> list[list[str]]:
    """Return the groups of modules that import each other (Tarjan's strongly connected components)."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found = []

    def visit(module: str) -> None:
        numbers[module] = lowest[module] = len(numbers)
        stack.append(module)
        for other in sorted(edges[module]):
            if other not in numbers:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], numbers[other])
        if lowest[module] == numbers[module]:
            group = stack[stack.index(module) :]
            del stack[-len(group) :]
            if len(group) > 1:
                found.append(sorted(group))

    for module in edges:
        if module not in numbers:
            visit(module)
    return found
