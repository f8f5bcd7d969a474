"""Tests lie in the room of what they test, so that the folders say which tests to run after a change."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

from every import every
from imports import tree_of
from layout import ELSEWHERE, NO_ROOMS, SLOW, TESTED_BY, UNTESTED, is_map, own_by_name, sources, stages_of

ROOT = Path(__file__).parent.parent.parent
ROOMS = {path.parent.name for path in (ROOT / "scorch2").glob("*/__init__.py")}
MOST_NAMESAKES = 4
FOLDERS = {path.parent.name for path in (ROOT / "tests").glob("*/*.py")}


def test_every_room_has_a_folder_of_tests_and_every_folder_a_room() -> None:
    assert sorted(FOLDERS - NO_ROOMS - ROOMS) == [], "rename the folder like the room that it tests"
    elsewhere = {PurePosixPath(pattern).parts[1] for pattern in ELSEWHERE}
    alone = sorted(ROOMS - FOLDERS - elsewhere)
    assert alone == [], "a room without tests: make tests/<room>/, or say in layout.py where they are"


@every("path", sources(ROOT))
def test_every_source_file_has_tests_of_its_own(path: str) -> None:
    named, others = stages_of(path, ROOT)
    assert named or others, f"no test file is found for {path}: put its tests into the folder of its room"
    if path in UNTESTED or is_map((ROOT / path).read_text("utf-8")):
        return
    room, module = path.split("/")[1], PurePosixPath(path).stem
    told = (
        f"make tests/{room}/test_{module}.py, or say in TESTED_BY of tests/support/layout.py which files do"
    )
    assert named, f"no test file is about {path}, only others of its room: {told}"


def test_file_names_are_not_used_twice() -> None:
    """Pytest imports test files by their names alone."""
    names = [path.name for path in (ROOT / "tests").rglob("*.py")]
    assert sorted(name for name in set(names) if names.count(name) > 1) == [], "rename one of them"


def test_every_exception_is_needed() -> None:
    paths = [path.relative_to(ROOT).as_posix() for path in (ROOT / "scorch2").rglob("*.py")]
    unused = [pattern for pattern in ELSEWHERE if not any(fnmatch(path, pattern) for path in paths)]
    assert unused == [], "nothing is called like that any more: remove it from ELSEWHERE in layout.py"
    gone = sorted({room for rooms in ELSEWHERE.values() for room in rooms} - FOLDERS)
    assert gone == [], "no folder of tests is called so any more: ELSEWHERE in layout.py has to name another"
    needless = [path for path in UNTESTED if path not in paths or stages_of(path, ROOT)[0]]
    assert needless == [], "they have tests, or are gone: remove them from UNTESTED in layout.py"
    gone = [name for name in SLOW if not list((ROOT / "tests").glob(f"*/{name}"))]
    assert gone == [], "nothing is called like that any more: remove it from SLOW in layout.py"


@every(("pattern", "tests"), TESTED_BY.items())
def test_the_table_of_tests_is_true_and_needed(pattern: str, tests: str) -> None:
    paths = [path for path in sources(ROOT) if fnmatch(path, pattern)]
    assert paths, "nothing is called like that any more: remove it from TESTED_BY in layout.py"
    gone = [name for name in tests.split() if not (ROOT / "tests" / f"{name}.py").exists()]
    assert gone == [], "no such test file: name another in TESTED_BY of layout.py"
    by_name = [own_by_name(path, ROOT) for path in paths]
    needless = [name for name in tests.split() if all(f"tests/{name}.py" in files for files in by_name)]
    assert needless == [], "its name says so: remove it from TESTED_BY in layout.py"


def first_lines(node: ast.AST) -> Iterator[str]:
    """Yield the first line of each docstring in a tree; there are none in expressions."""
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield (ast.get_docstring(node) or "").partition("\n")[0]
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, ast.expr):
            yield from first_lines(inner)


def test_few_classes_are_called_as_another_one() -> None:
    trees = map(tree_of, (ROOT / "scorch2").rglob("*.py"))
    names = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    twice = sorted(name for name, number in names.items() if number > 1 and not name.startswith("_"))
    assert len(twice) <= MOST_NAMESAKES, f"rename one of two classes: {twice}"


@every("folder", ["scorch2", "tests"])
def test_docstrings_begin_with_no_question_word(folder: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {line}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line in first_lines(tree_of(path))
        if re.match(r"(What|How|Which|Where|Whose|Whether)\b", line)
    ]
    assert found == [], "name the thing itself (`The costs of a run.`, not `What a run took.`)"
