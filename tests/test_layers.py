"""Imports point left in the flow, so that a step can be read, tested and replaced without those after it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "scorch2"
VALUES = {
    "errors",
    "messages",
    "anaphora",
    "annotation",
    "document",
    "listing",
    "options",
    "partition",
    "quantities",
    "tally",
    "contingency",
    "tables",
    "verdict",
    "version",
}
"""What the steps hand to each other: for everyone, and made of nothing but values."""
FLOW = [
    {"formats"},
    {"pairing"},
    {"matching"},
    {"assignment"},
    {"metrics"},
    {"linking"},
    {"measures"},
    {"resolution"},
    {"averages"},
    {"report"},
    {"evaluation"},
    {"linking_report"},
    {"comparing"},
    {"preparing"},
    {"resampling"},
    {"gate"},
    {"reports"},
    {"scoring"},
    {"packing"},
    {"parallel"},
    {"processes"},
    {"pools"},
    {"engine"},
    {"exercise"},
    {"stored"},
    {"arguments", "console", "output"},
    {"delivery"},
    {"resampled", "plotting"},
    {"accumulator"},
    {"library", "commands"},
    {"cli"},
    {"__main__"},
]
"""The rooms of the house; one may import from those before it."""
TOUCH_FILES = {"formats/source.py", "output.py"}
"""Reading and writing: the two ends."""
LIST_FOLDERS = {"pairing.py", "preparing/brat.py", *TOUCH_FILES}
"""What lies in a folder is `pairing`'s business; brat's folders hold no documents that could be paired."""
HARMLESS = {"urllib.parse"}
"""Modules that only sound like the network."""
FILE_CALLS = {
    "open",
    "fdopen",
    "read_text",
    "read_bytes",
    "write_text",
    "write_bytes",
    "replace",
    "unlink",
    "remove",
}


def rooms() -> list[str]:
    return sorted(
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()
    )


def files(room: str) -> list[Path]:
    return sorted((PACKAGE / room).glob("*.py")) or [PACKAGE / f"{room}.py"]


def imports(path: Path) -> Iterator[str]:
    """Yield the modules of the package that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            if node.module == "scorch2":
                yield from (f"scorch2.{alias.name}" for alias in node.names)
            else:
                yield node.module or ""
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            parts = node.args[0].values if isinstance(node.args[0], ast.JoinedStr) else [node.args[0]]
            yield from (str(part.value) for part in parts[:1] if isinstance(part, ast.Constant))


def imported_rooms(room: str) -> set[str]:
    names = [name for path in files(room) for name in imports(path) if name.startswith("scorch2.")]
    return {name.split(".")[1] for name in names} - {room}


def test_every_room_has_its_place() -> None:
    assert set(rooms()) == VALUES.union(*FLOW) | {"__init__"}


@pytest.mark.parametrize("room", sorted(VALUES))
def test_values_are_made_of_values(room: str) -> None:
    assert imported_rooms(room) <= VALUES


@pytest.mark.parametrize("place", range(len(FLOW)), ids=lambda place: "+".join(sorted(FLOW[place])))
def test_imports_point_left(place: int) -> None:
    for room in FLOW[place]:
        assert imported_rooms(room) <= VALUES.union(*FLOW[:place]), room


def test_values_import_each_other_without_a_circle() -> None:
    left = {room: imported_rooms(room) for room in VALUES}
    while left:
        ready = {room for room, needed in left.items() if not needed & set(left)}
        assert ready, f"a circle among {sorted(left)}"
        left = {room: needed for room, needed in left.items() if room not in ready}


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_only_the_two_ends_touch_files(path: Path) -> None:
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    names = {call.id for call in calls if isinstance(call, ast.Name)}
    of_os = {
        call.attr
        for call in calls
        if isinstance(call, ast.Attribute)
        and isinstance(call.value, ast.Name)
        and call.value.id in ("os", "io", "path")
    }
    if path.relative_to(PACKAGE).as_posix() not in LIST_FOLDERS:
        assert not of_os & {"listdir", "scandir", "walk"}
    if path.relative_to(PACKAGE).as_posix() not in TOUCH_FILES:
        assert "open" not in names
        assert not of_os & FILE_CALLS


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_heavy_packages_are_imported_inside_the_function_that_needs_them(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not {name.split(".")[0] for name in names} & {"numpy", "scipy", "tqdm", "dataclasses"}


def test_nothing_is_evaluated_unpickled_or_fetched() -> None:
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        called = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "compile", "__import__"}, path
        modules = {
            name if name in HARMLESS else name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            )
        }
        assert not modules & {"pickle", "marshal", "shelve", "subprocess", "socket", "urllib", "http"}, path
