"""Imports point left in the flow, so that a step can be read, tested and replaced without those after it."""

import ast
import re
from functools import cache
from pathlib import Path

from every import every
from imports import PACKAGE, circles, graph, imports_by_name, modules, nodes_of, tree_of

ROOMS = (
    "version",
    "model",
    "formats",
    "scoring",
    "analysis",
    "audit",
    "reports",
    "tasks",
    "workers",
    "api",
    "guide",
    "cli",
    "__main__",
)
"""The rooms in the order of the flow; each imports only from those before it. `__init__` is lazy."""
STEPS = {
    "scoring": (
        *("__init__", "layout", "contingency", "shortest_paths", "assignment"),
        *("pairing", "matching", "evidence", "metrics"),
        *("counting", "remarks", "looks"),  # rows of looks
        *("averages", "report", "flow"),
    ),
    "analysis": (
        *("__init__", "table"),
        *("heads", "kinds", "links", "error_report", "systems"),  # values
        *("pair", "breakdown", "patterns", "listing", "second", "chosen_errors", "findings", "corpus"),
        "agreement",
        *("bootstrap", "paired_tests", "uncertainty"),
    ),
}
"""The steps inside rooms, likewise: what several steps share comes first. Forms of values are other rooms."""
UPWARD = {"model.forms": ""}
"""The one arrow up: a value asks the table of forms which module shows it, in one function."""
BY_NAME = {
    **UPWARD,
    "__init__": "",  # the names for Python users
    "api.requests": "",  # the table of metrics of a task
    "cli.dispatch": "cli.commands",
    "formats.reading": "formats",
    "formats.compressed": "?",  # programs of the standard library that unpack
    "scoring.matching.steps": "scoring.matching",
    "scoring.metrics": "scoring.metrics",
}
"""Modules that import what a row of a table names, and the place below which it is found."""
MOST_ARROWS = 40
"""Pairs of rooms of which one imports from the other; three of them are the arrow up, by what it names."""
TOP = ("__init__", "api", "cli", "__main__")
"""Rooms that may import any other."""
MOST_NAMES = 16
"""Names at the top of the package besides `__init__`, `__main__`, `version` and `py.typed`."""
TOUCH_FILES = {"formats/source.py", "formats/target.py", "cli/output.py", "cli/console.py"}
"""Reading and writing: the two ends."""
LIST_FOLDERS = {"scoring/pairing/files.py", "tasks/linking/converters.py", *TOUCH_FILES}
"""What lies in a folder is the business of `files`; brat's folders hold no documents that could be paired."""
HEAVY = {"numpy", "scipy", "tqdm", "dataclasses"} | {
    *("pandas", "matplotlib", "distributed", "evaluate", "datasets", "spacy")  # of the extras
}
"""Packages that are imported inside the function that needs them."""
LOADED_BY = {"evaluate_coref": "evaluate"}
"""Files that nothing but a package of an extra imports."""
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


def below(name: str, prefix: str) -> str:
    """Return the part of the name of a module that follows a prefix: its room, or its step."""
    rest = name.removeprefix(prefix)
    return "__init__" if name == prefix.rstrip(".") else rest.partition(".")[0]


def test_every_room_has_its_place() -> None:
    assert names_in(PACKAGE) == {*ROOMS, "__init__"}, "add the new folder to ROOMS, in the order of the flow"
    there = names_in(PACKAGE) | {
        path.name
        for path in PACKAGE.iterdir()
        if path.is_dir() and any(inner.is_file() for inner in path.iterdir())  # else it was moved away
    }
    rooms = there - {"__init__", "__main__", "version", "__pycache__"}
    assert len(rooms) <= MOST_NAMES, "put it into an existing folder"


@every("room", STEPS)
def test_every_step_has_its_place(room: str) -> None:
    assert names_in(PACKAGE / room) == {*STEPS[room]}, f"STEPS names what is in {room}, in its order"


@every("module", modules())
def test_imports_point_back_to_earlier_rooms(module: str) -> None:
    if module == "__init__":  # names for Python users, imported on use
        return
    order = [*ROOMS, "__init__"]
    room = below(module, "")
    allowed = {*order[: order.index(room) + 1], "version"}
    late = sorted(other for other in graph()[module] if below(other, "") not in allowed)
    if room in TOP:
        late = [other for other in late if other != "__init__"]
    assert late == [], f"{module} imports from a later room: move the value that it needs to an earlier one"


@cache
def named_in(module: str) -> frozenset[str]:
    """Return the modules that texts of a module name, alone or as ``scoring.remarks:copy_notices``."""
    texts = {
        node.value
        for node in ast.walk(tree_of(modules()[module]))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    places = {text.partition(":")[0] for text in texts if re.fullmatch(r"[a-z_]+(\.\w+)+(:\w+)?", text)}
    return frozenset(places & modules().keys())


@every("module", [module for module in modules() if module not in UPWARD])
def test_rows_that_name_functions_point_back_to_earlier_rooms(module: str) -> None:
    allowed = ROOMS[: ROOMS.index(below(module, "")) + 1] if module != "__init__" else ROOMS
    late = sorted(other for other in named_in(module) if below(other, "") not in allowed)
    assert late == [], f"a row of {module} names a later room: only the forms of values may"


def test_names_of_functions_are_found_in_rows() -> None:
    assert "scoring.remarks" in named_in("scoring.looks")


@cache
def arrows() -> frozenset[tuple[str, str]]:
    """Return a drawing of the house: which room imports from which, or names it in a row of a table."""
    found = {
        (below(module, ""), below(other, ""))
        for module in graph().keys() - {"__init__", "__main__"}  # which import what they show
        for other in graph()[module] | named_in(module)
    }
    shown = {*ROOMS} - {"version"}
    return frozenset((room, other) for room, other in found if room != other and other in shown)


def test_few_arrows_between_rooms() -> None:
    shown = "; ".join(f"{room} -> {other}" for room, other in sorted(arrows()))
    assert len(arrows()) <= MOST_ARROWS, f"{len(arrows())} arrows: take out one of few imports. {shown}"


def test_only_the_forms_of_values_point_up() -> None:
    """Texts low in the house name modules in one file, whose function imports them."""
    up = {(room, other) for room, other in arrows() if ROOMS.index(other) > ROOMS.index(room)}
    assert up == {("model", "audit"), ("model", "reports"), ("model", "tasks")}
    others = {
        (below(module, ""), below(other, ""))
        for module in graph().keys() - {"__init__", "__main__", *UPWARD}
        for other in graph()[module] | named_in(module)
    }
    assert not up & others, f"{sorted(up & others)}: only {[*UPWARD]} may name what shows a value"


@every("room", STEPS)
def test_imports_inside_a_room_point_back_to_earlier_steps(room: str) -> None:
    order, prefix = STEPS[room], f"{room}."
    for module, others in graph().items():
        if module != room and not module.startswith(prefix):
            continue
        step = order.index(below(module, prefix))
        inside = [other for other in others if other == room or other.startswith(prefix)]
        late = sorted(other for other in inside if order.index(below(other, prefix)) > step)
        assert late == [], f"{module} imports from a later step"


def test_no_circle_of_imports() -> None:
    assert circles(graph()) == [], "these files import each other: none can be read without the others"


def test_a_circle_would_be_found() -> None:
    found = circles({"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("b"), "d": frozenset("a")})
    assert found == [["b", "c"]]


def test_modules_that_import_by_name_are_known() -> None:
    found = {module: places for module in modules() if (places := imports_by_name(module))}
    assert found == {module: {place} for module, place in BY_NAME.items()}, "BY_NAME says who does, and where"


def test_one_arrow_points_up() -> None:
    """A table may name modules of its own room and of earlier ones; the top of the house may name all."""
    free = {"?", *UPWARD.values()}
    inside = {module: place for module, place in BY_NAME.items() if place not in free}
    for module, place in inside.items():
        assert ROOMS.index(below(place, "")) <= ROOMS.index(below(module, "")), f"{module} points up"
    low = [module for module, place in BY_NAME.items() if place == "" and below(module, "") not in TOP]
    assert low == [*UPWARD], "only the table of forms, low in the house, may name modules above it"
    text = modules()["model.forms"].read_text("utf-8")
    assert text.count("import_module(") == 1, "one function imports what rows of forms name"


@every("path", modules().values())
def test_only_the_two_ends_touch_files(path: Path) -> None:
    calls = [node.func for node in nodes_of(path) if isinstance(node, ast.Call)]
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


@every("path", modules().values())
def test_heavy_packages_are_imported_inside_the_function_that_needs_them(path: Path) -> None:
    tree = tree_of(path)
    for node in tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        heavy = {name.split(".")[0] for name in names} & HEAVY
        assert not heavy or path.stem in LOADED_BY, (
            f"line {node.lineno} slows every start: import it in the function that needs it"
        )


def test_nothing_is_evaluated_unpickled_or_fetched() -> None:
    for path in PACKAGE.rglob("*.py"):
        called = {
            node.func.id
            for node in nodes_of(path)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "compile", "__import__"}, (
            f"{path} runs text as code: input could"
        )
        modules = {
            name if name in HARMLESS else name.split(".")[0]
            for node in nodes_of(path)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for name in (
                [alias.name for alias in node.names] if isinstance(node, ast.Import) else [node.module or ""]
            )
        }
        unsafe = modules & {"pickle", "marshal", "shelve", "subprocess", "socket", "urllib", "http"}
        assert not unsafe, f"{path} imports {sorted(unsafe)}: a scorer runs no programs and asks no network"
