"""The part of the worker that is Python: it runs the command line in a folder of the sides."""

import gc
import os
import shutil
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from scorch2.cli.main import main
from scorch2.model.errors import InputError

HERE = Path("/run")
ARCHIVES = (".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2")

for name in ("SIGALRM", "setitimer"):  # no clock interrupts a run here
    if hasattr(signal, name):
        delattr(signal, name)
sys.stderr.isatty = lambda: True  # type: ignore[method-assign]  # the progress is shown


def put(side: str) -> str:
    """Unpack the archives of a side; return its one file, or its folder."""
    folder = HERE / side
    for path in [one for one in folder.rglob("*") if one.name.endswith(ARCHIVES)]:
        try:
            shutil.unpack_archive(path, folder, filter=None if path.suffix == ".zip" else "data")
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - zlib, lzma, tarfile and zipfile have classes of their own
            raise InputError(str(path.relative_to(HERE)), "", f"cannot be unpacked: {error}") from None
        path.unlink()
    for path in [*folder.rglob(".*"), *folder.rglob("__MACOSX")]:  # what a system adds to an archive
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
    while len(inside := [*folder.iterdir()]) == 1 and inside[0].is_dir():
        folder = inside[0]
    paths = [one for one in folder.rglob("*") if one.is_file()]
    return str((paths[0] if len(paths) == 1 else folder).relative_to(HERE))


def run(words: Sequence[str], sides: Sequence[str]) -> tuple[int, Sequence[str], list[tuple[str, bytes]]]:
    """Return the status of the command line, the words that it was given, and the files it wrote."""
    os.chdir(HERE)
    try:
        known = {"{" + side + "}": put(side) for side in sides}
    except InputError as error:
        sys.stderr.write(f"scorch2: error: {error}\n")
        return 2, words, []
    words = [known.get(word, word) for word in words]
    status = main(words)
    sys.stderr.flush()
    for folder in [one for one in HERE.iterdir() if one.is_dir() and one.name not in sides]:
        shutil.make_archive(folder.name, "zip", HERE, folder.name)  # one file to download
        shutil.rmtree(folder)
    made = [one for one in HERE.iterdir() if one.is_file()]
    return status, words, [(one.name, one.read_bytes()) for one in made]


def clear() -> None:
    """Forget the files of a run, and what it kept in memory."""
    os.chdir("/")
    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir()
    gc.unfreeze()
    gc.collect()
