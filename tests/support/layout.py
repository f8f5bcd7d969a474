"""Map from source files to their tests, by folder.

``scorch2/<room>/x.py`` is tested by ``tests/<room>``: first by the files with ``x`` in their name, or if
there is none with the name of the nearest folder around it; then by the other files of the room. `ELSEWHERE`,
`SLOW` and `calls` are all the exceptions.
"""

import re
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

NO_ROOMS = {"benchmarks", "campaigns", "models", "repository", "support"}
"""Folders of tests that mirror no room."""
SLOW = {
    "test_dask.py",  # starts clusters: half a minute for a file of fifty lines
}
"""Not run for each mutant."""
ELSEWHERE = {
    # Values do not know what they are for: which fields a reader fills and how a score counts shows there.
    "scorch2/model/*.py": ("model", "formats", "scoring", "gate"),
    # What becomes of a report, its gates and forms, is in another file of cli that several commands use.
    "scorch2/cli/commands/score.py": ("cli", "gate", "reports", "scoring", "formats"),
    "scorch2/cli/delivery.py": ("cli", "gate", "reports"),
    # Its texts and tables are what Python programs and forms of reports show.
    "scorch2/scoring/report.py": ("scoring", "api", "reports"),
    # What a writer writes must be read again: conversion tries all pairs of formats.
    "scorch2/formats/*/*_writer.py": ("formats", "cli"),
    # Large files are cut into pieces for workers, and for nobody else.
    "scorch2/formats/chunks.py": ("formats", "workers"),
    # The pages are text: their examples are run, and `help` shows them.
    "scorch2/guide/*.py": ("repository", "cli"),
    # The names that Python users import are those of the library.
    "scorch2/__init__.py": ("api",),
}
"""Rooms whose tests test a file, by pattern, where the path alone would say something else."""


def sources(root: Path) -> list[str]:
    """Return the source files that are in a room, or have tests elsewhere."""
    found = sorted(path.relative_to(root).as_posix() for path in (root / "scorch2").rglob("*.py"))
    return [path for path in found if path.count("/") > 1 or path in ELSEWHERE]


def rooms_of(path: str, text: str) -> tuple[str, ...]:
    """Return the rooms whose tests test the source file `path`, which reads `text`."""
    for pattern, rooms in ELSEWHERE.items():
        if fnmatch(path, pattern):
            return rooms
    room = PurePosixPath(path).parts[1]
    return tuple(dict.fromkeys([room, *calls(text)])) if fnmatch(path, "*/commands/*.py") else (room,)


def calls(text: str) -> list[str]:
    """Return the rooms that a command calls: it only hands words on, and is tested with what it calls."""
    found = re.findall(r"^ *from scorch2(?:\.| import )(\w+)", text, re.MULTILINE)
    return [room for room in found if room != "model"]


def stages_of(path: str, root: Path) -> tuple[list[str], list[str]]:
    """Return the test files of a source file: those with its name, and the others of its rooms."""
    rooms = rooms_of(path, (root / path).read_text("utf-8"))
    files = [file for room in rooms for file in sorted((root / "tests" / room).glob("test_*.py"))]
    names = [file.relative_to(root).as_posix() for file in files if file.name not in SLOW]
    first: list[str] = []
    for word in reversed(PurePosixPath(path).with_suffix("").parts[2:]):  # the module, then folders around it
        first = first or [name for name in names if f"_{word}_" in f"{PurePosixPath(name).stem}_"]
    return first, [name for name in names if name not in first]
