"""Writing, the other end: a report is written whole and then put in place, or not at all."""

import contextlib
import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping

from scorch2.errors import OutputError, printable

STDOUT = "-"
_PLAIN = {"³": "3", "₁": "1", "₃": "3", "₄": "4", "─": "-", "…": "..."}


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
    staged: dict[str, str] = {}
    try:
        for path, text in texts.items():
            try:
                target = os.path.realpath(path)
                if _is_device(target):
                    _write_device(target, text)
                else:
                    staged[target] = _stage(target, text, len(staged))
            except OSError as error:
                raise OutputError(f"{printable(path)}: {error.strerror or error}") from None
        _put_in_place(staged)
    finally:
        for temporary in staged.values():
            with contextlib.suppress(OSError):
                os.unlink(temporary)


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


def _is_device(path: str) -> bool:
    return os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode) and not os.path.isdir(path)


def _write_device(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8", newline="") as stream:
        stream.write(text)


def _stage(target: str, text: str, number: int) -> str:
    """Write beside the target, to be renamed into place, with the rights of the old file or a new one."""
    temporary = os.path.join(os.path.dirname(target), f".scorch2.{os.getpid()}.{number}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if os.path.exists(target):
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
    except BaseException:
        os.unlink(temporary)
        raise
    return temporary


def _put_in_place(staged: Mapping[str, str]) -> None:
    """Rename all; of several, the first are taken back when a later one fails."""
    done: dict[str, str | None] = {}  # target → a second name of what was there before
    try:
        for target, temporary in staged.items():
            earlier = _second_name(target, temporary) if len(staged) > 1 else None
            done[target] = earlier
            os.replace(temporary, target)
    except BaseException as error:
        if len(staged) > 1:
            _take_back(done, staged)
        if isinstance(error, OSError):
            raise OutputError(f"{printable(target)}: {error.strerror or error}") from None
        raise
    for earlier in done.values():
        if earlier:
            os.unlink(earlier)


def _second_name(target: str, temporary: str) -> str | None:
    """Give a file that will be replaced a second name, by which it can be brought back."""
    if not os.path.exists(target):
        return None
    name = f"{temporary}.old"
    try:
        os.link(target, name)
    except OSError:  # a file system without hard links
        from shutil import copy2

        copy2(target, name)
    return name


def _take_back(done: Mapping[str, str | None], staged: Mapping[str, str]) -> None:
    for target, earlier in done.items():
        with contextlib.suppress(OSError):
            if earlier:
                os.replace(earlier, target)
            elif not os.path.exists(staged[target]):  # it was renamed, and there was nothing before
                os.unlink(target)


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
