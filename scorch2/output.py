"""Writing, the other end: a report is written whole and then put in place, or not at all."""

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.errors import OutputError, printable

STDOUT = "-"
_LONGEST = 200
"""Bytes of a file name, so that it fits every file system with its suffix."""
_RESERVED = {"con", "prn", "aux", "nul", *(f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10))}
_PLAIN = {"³": "3", "₁": "1", "₃": "3", "₄": "4", "─": "-", "…": "..."}


class _Staged(NamedTuple):
    """A file that is written under a temporary name."""

    target: str
    temporary: str
    replaces: bool
    """Whether there is a file at the target already."""

    @property
    def kept(self) -> str:
        """A second name for the file that is replaced."""
        return f"{self.temporary}.old"


def check_target(path: str, inputs: Iterable[str]) -> None:
    """Refuse an output that is an input, a link to one, or would lie in an input folder.

    Raises
    ------
    OutputError
        Before anything is read, so that a long run does not end with it.
    """
    if path == STDOUT:
        return
    if path.startswith("-"):
        raise OutputError(
            f"{printable(path)}: an output cannot start with a dash (write ./{printable(path)})"
        )
    target = os.path.realpath(path)
    if os.path.isdir(target):
        raise OutputError(f"{printable(path)}: is a folder, not a file")
    if not os.path.isdir(os.path.dirname(target)):
        raise OutputError(f"{printable(path)}: no such folder: {printable(os.path.dirname(path))}")
    for given in inputs:
        if given == STDOUT:
            continue
        source = os.path.realpath(given)
        if os.path.isdir(source):
            if target.startswith(os.path.join(source, "")):
                why = "lies in an input folder: the next run would read it as a document"
                raise OutputError(f"{printable(path)}: {why}")
        elif target == source or (
            os.path.exists(target) and os.path.exists(source) and os.path.samefile(target, source)
        ):
            raise OutputError(f"{printable(path)}: is an input and would be overwritten")


def write(path: str, text: str) -> None:
    """Write `text` to a file as UTF-8, or to standard output (``-``) in its encoding.

    Raises
    ------
    OutputError
        If it cannot be written in full; a file that was there before is then still there.
    """
    if path == STDOUT:
        _write_stdout(text)
    else:
        write_files({path: text})


def write_files(texts: Mapping[str, str]) -> None:
    """Write several files, all or none: all are complete beside their targets before one is put in place."""
    staged: list[_Staged] = []
    try:
        for path, text in texts.items():
            try:
                _stage(path, text, staged)
            except OSError as error:
                raise OutputError(f"{printable(path)}: {error.strerror or error}") from None
        _put_in_place(staged)
    except BaseException:
        for each in staged:
            with contextlib.suppress(OSError):
                os.unlink(each.temporary)
        raise


def safe_name(ident: str) -> str:
    """Return a safe file name for a document: letters, digits and ``._-`` stay, anything else becomes ``_``.

    >>> safe_name("bc/cctv/00/cctv_0000-000"), safe_name("../../evil"), safe_name("nul")
    ('bc_cctv_00_cctv_0000-000', '_._.._evil', '_nul')
    """
    safe = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in ident)
    if safe.startswith((".", "-")) or safe.split(".")[0].casefold() in _RESERVED:
        safe = "_" + safe[safe.startswith((".", "-")) :]
    return safe.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore")


@contextlib.contextmanager
def folder(path: str) -> Iterator[None]:
    """Make a folder for the files written inside the block, and remove it if that fails."""
    made = not os.path.isdir(path)
    try:
        if made:
            os.mkdir(path)
    except OSError as error:
        raise OutputError(f"{printable(path)}: {error.strerror or error}") from None
    try:
        yield
    except BaseException:
        if made:
            with contextlib.suppress(OSError):
                os.rmdir(path)
        raise


def _stage(path: str, text: str, staged: list[_Staged]) -> None:
    """Write beside the target, to be renamed into place, with the rights of the old file or a new one.

    Devices and pipes are written directly: there is nothing to rename.
    """
    target = os.path.realpath(path) if os.path.islink(path) else path
    found = os.stat(target) if os.path.exists(target) else None
    if found and not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        with open(target, "w", encoding="utf-8", newline="") as device:
            device.write(text)
        return
    temporary = os.path.join(os.path.dirname(target), f".scorch2.{os.getpid()}.{len(staged)}.tmp")
    staged.append(_Staged(target, temporary, found is not None))  # before it exists: an interrupt removes it
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)
    if found:
        os.chmod(temporary, stat.S_IMODE(found.st_mode))


def _put_in_place(staged: Sequence[_Staged]) -> None:
    """Rename all; of several, the first are taken back when a later one fails."""
    begun: list[_Staged] = []
    try:
        for each in staged:
            begun.append(each)
            if each.replaces and len(staged) > 1:
                _keep(each.target, each.kept)
            os.replace(each.temporary, each.target)
    except BaseException as error:
        if len(staged) > 1:
            _take_back(begun)
        if isinstance(error, OSError):
            raise OutputError(f"{printable(begun[-1].target)}: {error.strerror or error}") from None
        raise
    for each in staged:
        if each.replaces and len(staged) > 1:
            with contextlib.suppress(OSError):
                os.unlink(each.kept)


def _keep(target: str, name: str) -> None:
    """Give a file that will be replaced a second name, by which it can be brought back."""
    try:
        os.link(target, name)
    except OSError:  # a file system without hard links
        from shutil import copy2

        copy2(target, name)


def _take_back(begun: Sequence[_Staged]) -> None:
    for each in begun:
        with contextlib.suppress(OSError):
            if each.replaces:
                os.replace(each.kept, each.target)
            elif not os.path.exists(each.temporary):  # it was renamed, and there was nothing before
                os.unlink(each.target)


def _write_stdout(text: str) -> None:
    encoding = sys.stdout.encoding or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = (
            "".join(_PLAIN.get(letter, letter) for letter in text)
            .encode(encoding, "backslashreplace")
            .decode(encoding)
        )
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader has seen enough: no error
        _drop_stdout()
    except OSError as error:
        _drop_stdout()
        raise OutputError(f"standard output: {error.strerror or error}") from None


def _drop_stdout() -> None:
    """Keep the interpreter from flushing again at exit what cannot be written."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
