"""Writing, the other end: a report is written whole and then put in place, or not at all."""

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.model.errors import OutputError
from scorch2.model.messages import shown_path

STDOUT = "-"
_LONGEST = 200
"""Bytes of a file name, so that it fits every file system with its suffix."""
_RESERVED = {"con", "prn", "aux", "nul", *(f"{device}{n}" for device in ("com", "lpt") for n in range(1, 10))}
_PLAIN = {"Δ": "d", "³": "3", "₁": "1", "₃": "3", "₄": "4", "─": "-", "…": "..."}


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
            f"{shown_path(path)}: an output cannot start with a dash (write ./{shown_path(path)})"
        )
    if path == "/dev/stdout" or _is_device(path):
        return
    target = os.path.realpath(path)
    if os.path.isdir(target):
        raise OutputError(f"{shown_path(path)}: is a folder, not a file")
    if not os.path.isdir(os.path.dirname(target)):
        place = os.path.dirname(target if os.path.islink(path) else path)
        raise OutputError(f"{shown_path(path)}: no such folder: {shown_path(place)}")
    for given in inputs:
        if given == STDOUT:
            continue
        if os.path.isdir(given) and target.startswith(os.path.join(os.path.realpath(given), "")):
            why = "lies in an input folder: the next run would read it as a document"
            raise OutputError(f"{shown_path(path)}: {why}")
        if os.path.exists(target) and any(os.path.samefile(target, file) for file in _files(given, target)):
            raise OutputError(f"{shown_path(path)}: is an input and would be overwritten")


def _files(given: str, target: str) -> Iterator[str]:
    """Yield the files of an input that could be `target` under another name."""
    if not os.path.isdir(given):
        yield from [given] if os.path.exists(given) else []
        return
    linked = os.stat(target).st_nlink > 1
    with os.scandir(given) as entries:
        yield from (
            entry.path for entry in entries if (linked or entry.is_symlink()) and os.path.exists(entry.path)
        )


def place(path: str) -> str:
    """Return one name for each place: paths to one file are alike, and so are those of standard output."""
    return STDOUT if path in (STDOUT, "/dev/stdout") else os.path.realpath(path)


def exists(path: str) -> bool:
    """Return whether there is anything at `path`, a broken link too."""
    return os.path.lexists(path)


def write(path: str, text: str | bytes) -> None:
    """Write text to a file as UTF-8, or to standard output (``-``) in its encoding; a link stays a link.

    Raises
    ------
    OutputError
        If it cannot be written in full; a file that was there before is then still there.
    """
    if path in (STDOUT, "/dev/stdout"):  # which may be a file that holds something already
        if isinstance(text, str):
            _write_stdout(text)
        else:
            _write_stdout_bytes(text)
    elif _is_device(path):
        _write_device(path, text)
    else:
        write_files({_followed(path): text})


def _followed(path: str) -> str:
    """Return where a link leads, so that it stays one."""
    return os.path.realpath(path) if os.path.islink(path) else path


def write_all(texts: Sequence[tuple[str, str]]) -> None:
    """Write several reports, each like `write`: the files first, all of them or none, then the streams.

    Raises
    ------
    OutputError
        If one cannot be written in full; no file is changed then, unless a stream fails after the files.
    """
    streams = [(path, text) for path, text in texts if path in (STDOUT, "/dev/stdout") or _is_device(path)]
    files: dict[str, str | bytes] = {
        _followed(path): text for path, text in texts if (path, text) not in streams
    }
    if files:
        write_files(files)
    for path, text in streams:
        write(path, text)


def write_data(path: str, text: str) -> None:
    """Write documents: UTF-8 on standard output too, packed by gzip in a file whose name ends in ``.gz``."""
    data = text.encode("utf-8")
    if path.endswith(".gz"):
        import gzip

        data = gzip.compress(data, mtime=0)
    write(path, data)


def write_files(texts: Mapping[str, str | bytes]) -> None:
    """Write several files, all or none: all are complete beside their targets before one is put in place.

    Text becomes UTF-8. A link at the place of a file is replaced, not followed.
    """
    staged: list[_Staged] = []
    try:
        for path, text in texts.items():
            try:
                _stage(path, text, staged)
            except OSError as error:
                raise OutputError(f"{shown_path(path)}: {error.strerror or error}") from None
        _put_in_place(staged)
    except BaseException:
        for name in (name for each in staged for name in (each.temporary, each.kept)):
            with contextlib.suppress(OSError):
                os.unlink(name)
        raise


def safe_name(ident: str) -> str:
    """Return a safe file name for a document: letters, digits and ``._-`` stay, anything else becomes ``_``.

    >>> safe_name("bc/cctv/00/cctv_0000-000"), safe_name("../../evil"), safe_name("nul")
    ('bc_cctv_00_cctv_0000-000', '_._.._evil', '_nul')
    """
    safe = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in ident)
    if safe.startswith((".", "-")) or safe.split(".")[0].casefold() in _RESERVED:
        safe = "_" + safe[safe.startswith((".", "-")) :]
    return safe.encode("utf-8")[:_LONGEST].decode("utf-8", "ignore") or "_"


@contextlib.contextmanager
def folder(path: str) -> Iterator[None]:
    """Make a folder for the files written inside the block, and remove it if that fails."""
    made = not os.path.isdir(path)
    try:
        if made:
            _make_folder(path)
        yield
    except BaseException:
        if made:
            with contextlib.suppress(OSError):
                os.rmdir(path)
        raise


def _make_folder(path: str) -> None:
    try:
        os.mkdir(path)
    except OSError as error:
        raise OutputError(f"{shown_path(path)}: {error.strerror or error}") from None


def _is_device(path: str) -> bool:
    """Return whether there is a device or a pipe, links followed: that is written directly, not renamed."""
    found = os.stat(path).st_mode if os.path.exists(path) else stat.S_IFREG
    return not stat.S_ISREG(found) and not stat.S_ISDIR(found)


def _write_device(path: str, text: str | bytes) -> None:
    try:
        with open(path, "wb") as device:
            device.write(_encoded(text))
    except OSError as error:
        raise OutputError(f"{shown_path(path)}: {error.strerror or error}") from None


def _encoded(text: str | bytes) -> bytes:
    return text.encode("utf-8") if isinstance(text, str) else text


def _stage(target: str, text: str | bytes, staged: list[_Staged]) -> None:
    """Write beside the target, to be renamed into place, with the rights of the old file or a new one."""
    there = os.path.lexists(target)
    temporary = os.path.join(os.path.dirname(target), f".scorch2.{os.getpid()}.{len(staged)}.tmp")
    staged.append(_Staged(target, temporary, there))  # before it exists: an interrupt removes it
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        left = memoryview(_encoded(text))
        while left:
            left = left[os.write(handle, left) :]
    finally:
        os.close(handle)
    if there and os.path.isfile(target):
        os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))


def _put_in_place(staged: Sequence[_Staged]) -> None:
    """Rename all. Of several, those there already get second names first, and come back if a rename fails."""
    kept = [each for each in staged if each.replaces] if len(staged) > 1 else []
    target = ""
    try:
        for each in kept:
            target = each.target
            _keep(each.target, each.kept)
        for each in staged:
            target = each.target
            os.replace(each.temporary, each.target)
    except BaseException as error:
        if len(staged) > 1:
            _take_back(staged)
        if isinstance(error, OSError):
            raise OutputError(f"{shown_path(target)}: {error.strerror or error}") from None
        raise
    finally:
        for each in kept:
            with contextlib.suppress(OSError):
                os.unlink(each.kept)


def _keep(target: str, name: str) -> None:
    """Give a file that will be replaced a second name, by which it can be brought back."""
    try:
        os.link(target, name, follow_symlinks=False)
    except (OSError, NotImplementedError):  # a file system without hard links
        from shutil import copy2

        copy2(target, name, follow_symlinks=False)


def _take_back(staged: Sequence[_Staged]) -> None:
    for each in staged:
        with contextlib.suppress(OSError):
            if os.path.exists(each.temporary):  # not renamed: what was there is there
                continue
            if each.replaces:
                os.replace(each.kept, each.target)
            else:
                os.unlink(each.target)


def _write_stdout(text: str) -> None:
    if sys.stdout is None:
        raise OutputError("standard output: is closed")
    encoding = sys.stdout.encoding or "utf-8"
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        plain = "".join(_PLAIN.get(letter, letter) for letter in text)
        data = plain.encode(encoding, "backslashreplace")
    _write_stdout_bytes(data)


def _write_stdout_bytes(data: bytes) -> None:
    if sys.stdout is None:
        raise OutputError("standard output: is closed")
    try:
        sys.stdout.flush()
        if hasattr(sys.stdout, "buffer"):
            sys.stdout.buffer.write(data)
        else:  # replaced by a stream of text
            sys.stdout.write(data.decode(sys.stdout.encoding or "utf-8"))
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
