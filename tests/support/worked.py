"""Worked cases: every row of a table has a case that was counted by hand, or by another scorer."""

import ast
from collections.abc import Iterable
from pathlib import Path

TESTS = Path(__file__).parent.parent


def assert_worked(rows: Iterable[str], cases: Iterable[str], place: str) -> None:
    """Compare the rows of a table with the cases at `place`: the name of a table of cases and its file."""
    rows, cases = list(rows), list(cases)
    lacking = [row for row in rows if row not in cases]
    assert lacking == [], f"without a worked case: {', '.join(lacking)}: count a case by hand in {place}"
    gone = [case for case in cases if case not in rows]
    assert gone == [], f"no row is called so any more: {', '.join(gone)}: take its case out of {place}"


def text_with(test: str, table: str) -> str:
    """Return the text of the file of a ``room/file.py::test``, which `table` says to have a worked case."""
    path, _, name = test.partition("::")
    assert (TESTS / path).exists(), f"tests/{path} is gone: name another test in {table}"
    text = (TESTS / path).read_text("utf-8")
    found = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert name in found, f"tests/{path} has no {name} any more: name another test in {table}"
    return text
