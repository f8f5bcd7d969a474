"""Docstrings and comments of the package: the functions, classes and modules that they name exist."""

import ast
import builtins
import concurrent.futures
import pkgutil
import re
import typing
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from every import every
from imports import PACKAGE, modules, tree_of

DOTTED = re.compile(r"(?<!`)`(scorch2(?:\.\w+)+)")
PLAIN = re.compile(r"(?<!`)`([A-Za-z_][\w.]*)(?:\(\))?`(?!`)")
"""Names of code stand between single backticks; what is typed or written, between double ones."""
OF_PYTHON = {*dir(builtins), *typing.__all__, *concurrent.futures.__all__}
FIX = "say what it is called now; what is no name of the code stands between double backticks"


def prose(path: Path) -> str:
    """Return the text of a file without examples: only docstrings and comments have backticks."""
    return re.sub(r"^ *>>> (?:.+\n)*", "", path.read_text("utf-8"), flags=re.MULTILINE)


def names_in(path: Path) -> Iterator[str]:
    """Yield all names in the code of a file: used, defined, of attributes and of parameters."""
    for node in ast.walk(tree_of(path)):
        for field in ("id", "attr", "name", "arg"):
            yield getattr(node, field, None) or ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value  # of options, keys and rows of tables


@cache
def defined() -> frozenset[str]:
    """Return the names of all modules, and of what the top level of each and their classes define."""
    found = {part for name in modules() for part in name.split(".")}
    for path in modules().values():
        tops = tree_of(path).body
        for node in [*tops, *(inner for top in tops if isinstance(top, ast.ClassDef) for inner in top.body)]:
            found.add(getattr(node, "name", ""))
            targets = getattr(node, "targets", [getattr(node, "target", None)])
            inside = [one for target in targets if target is not None for one in ast.walk(target)]
            found.update(one.id for one in inside if isinstance(one, ast.Name))
    return frozenset(found)


def is_there(dotted: str) -> bool:
    """Return whether a dotted name leads to a module, to what is in one, or to a field of a class."""
    owner, _, name = dotted.rpartition(".")
    try:
        pkgutil.resolve_name(dotted)
    except AttributeError:
        return is_there(owner) and name in getattr(pkgutil.resolve_name(owner), "__annotations__", ())
    except ImportError:
        return False
    return True


@every("path", modules().values())
def test_what_docstrings_and_comments_name_is_there(path: Path) -> None:
    text = prose(path)
    gone = [name for name in DOTTED.findall(text) if not is_there(name)]
    parts = {part for name in PLAIN.findall(text) if name[:8] != "scorch2." for part in name.split(".")}
    unknown = parts - defined() - OF_PYTHON
    gone += sorted(unknown - {*names_in(path)} if unknown else ())
    where = path.relative_to(PACKAGE.parent)
    assert gone == [], f"{where} names {', '.join(gone)}, which the package does not have: {FIX}"
