"""Imports point left in the flow, so that a step can be read, tested and replaced without those after it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent.parent / "scorch2"
ROOMS = (
    "version",
    "model",
    "formats",
    "scoring",
    "analysis",
    "resampling",
    "gate",
    "figures",
    "reports",
    "workers",
    "conll_scorer",
    "linking",
    "anaphora",
    "api",
    "guide",
    "cli",
    "__main__",
)
"""The rooms in the order of the flow; each imports only from those before it. `__init__` is lazy."""
STEPS = (
    "contingency",
    "pairing",
    "matching",
    "evidence",
    "metrics",
    "averages",
    "report",
    "flow",
    "__init__",
)
"""The steps inside `scoring`, likewise. What several of them share comes first: the contingency table."""
ANALYSIS = (
    *("sides", "kinds", "links", "error_report", "systems"),  # values
    *("mention_types", "pair", "dimensions", "listing", "findings", "corpus"),  # findings
)
"""The files of `analysis`, likewise: values know no findings, and neither a figure or form."""
MOST_NAMES = 16
"""Names at the top of the package besides `__init__`, `__main__`, `version` and `py.typed`."""
TOUCH_FILES = {"formats/source.py", "formats/target.py", "cli/output.py", "cli/streams.py"}
"""Reading and writing: the two ends."""
LIST_FOLDERS = {"scoring/pairing/files.py", "linking/converters.py", *TOUCH_FILES}
"""What lies in a folder is the business of `files`; brat's folders hold no documents that could be paired."""
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


def names_in(folder: Path) -> set[str]:
    """Return the modules and packages of a folder."""
    return {path.stem for path in folder.iterdir() if path.suffix == ".py" or (path / "__init__.py").exists()}


def files(folder: Path, name: str) -> list[Path]:
    return sorted((folder / name).rglob("*.py")) or [folder / f"{name}.py"]


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


def imported(path: Path, prefix: str) -> set[str]:
    """Return the names below `prefix` that a file imports from."""
    names = [name for name in imports(path) if name.startswith(prefix)]
    return {name.removeprefix(prefix).split(".")[0] for name in names} - {""}


def test_every_room_has_its_place() -> None:
    assert names_in(PACKAGE) == {*ROOMS, "__init__"}, "add the new folder to ROOMS, in the order of the flow"
    there = names_in(PACKAGE) | {path.name for path in PACKAGE.iterdir() if path.is_dir()}
    rooms = there - {"__init__", "__main__", "version", "__pycache__"}
    assert len(rooms) <= MOST_NAMES, "put it into an existing folder"


@pytest.mark.parametrize("room", ROOMS)
def test_imports_point_back_to_earlier_rooms(room: str) -> None:
    for path in files(PACKAGE, room):
        late = imported(path, "scorch2.") - {*ROOMS[: ROOMS.index(room) + 1]}
        assert not late, f"{path} imports from a later room: move the value that it needs to an earlier one"


@pytest.mark.parametrize("step", STEPS)
def test_imports_inside_scoring_point_back_to_earlier_steps(step: str) -> None:
    for path in files(PACKAGE / "scoring", step):
        late = imported(path, "scorch2.scoring.") - {*STEPS[: STEPS.index(step) + 1]}
        assert not late, f"{path} imports from a later step"


def test_values_of_analysis_do_not_know_its_findings() -> None:
    assert names_in(PACKAGE / "analysis") == {*ANALYSIS, "__init__"}, "add the new file to ANALYSIS"
    for place, step in enumerate(ANALYSIS):
        path = PACKAGE / "analysis" / f"{step}.py"
        late = imported(path, "scorch2.analysis.") & {*ANALYSIS[place:]}
        assert not late, f"{path} imports from a later step"


def test_one_function_points_up() -> None:
    """A form of report is found by the place that its row names, in one function."""
    found = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("import_module")
        and ast.unparse(node.args[0]) == "f'scorch2.{module}'"
    ]
    assert found == ["model/forms.py"]


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
    name = path.relative_to(PACKAGE).as_posix()
    listed = sorted(of_os & {"listdir", "scandir", "walk"})
    assert name in LIST_FOLDERS or listed == [], f"{name} lists a folder: scoring/pairing/files.py does that"
    touched = sorted({"open"} & names | of_os & FILE_CALLS)
    assert name in TOUCH_FILES or touched == [], f"{name} touches files: only {sorted(TOUCH_FILES)} may"


@pytest.mark.parametrize(
    "path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: path.relative_to(PACKAGE).as_posix()
)
def test_heavy_packages_are_imported_inside_the_function_that_needs_them(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        heavy = {name.split(".")[0] for name in names} & {"numpy", "scipy", "tqdm", "dataclasses"}
        assert not heavy, f"line {node.lineno} slows every start: import it in the function that needs it"


def test_nothing_is_evaluated_unpickled_or_fetched() -> None:
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        called = {
            node.func.id
            for node in ast.walk(tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "compile", "__import__"}, (
            f"{path} runs text as code: input could"
        )
        modules = {
            name if name in HARMLESS else name.split(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            )
        }
        unsafe = modules & {"pickle", "marshal", "shelve", "subprocess", "socket", "urllib", "http"}
        assert not unsafe, f"{path} imports {sorted(unsafe)}: a scorer runs no programs and asks no network"
