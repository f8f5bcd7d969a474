"""Streams and files: checks of output paths, and writing, whole or not at all."""

import contextlib
import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any, TypeAlias

from scorch2.cli.console import STDOUT_NUMBER, drop, is_left
from scorch2.formats.target import Content, blocks
from scorch2.formats.target import write_files as put_in_place
from scorch2.model.errors import InputError, OutputError, UsageError, shown_path

STDOUT = "-"
_MOST_LINKS = 40  # links that are followed one after the other; as many as Linux follows
_DESCRIPTORS = r"/dev/fd|/proc/(\d+)(?:/task/\d+)?/fd"
"""The folders whose entries are open descriptors, with the number of the process that has them open."""


_NARROWEST, _WIDEST = 80, 200  # columns of a terminal that tables take
_BOLD, _NORMAL = "\x1b[1m", "\x1b[0m"
_RULE = "─"


def terminal_width(path: str = STDOUT) -> int | None:
    """Return the number of columns for a report that goes to a terminal, from 80 to 200; None for others."""
    if descriptor(path) != STDOUT_NUMBER or sys.stdout is None or not sys.stdout.isatty():
        return None
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isdecimal() else 0
    with contextlib.suppress(OSError, ValueError, AttributeError):  # a stream that has no descriptor
        width = width or os.get_terminal_size(sys.stdout.fileno()).columns
    return min(max(width, _NARROWEST), _WIDEST)


def laid_out(path: str, make: Callable[..., str], asked: Collection[str] = ()) -> str:
    """Return the report that `make` makes for its place: on a terminal for its width, with bold heads.

    Rows whose name in the column ``metric`` is `asked` for are bold, too.
    """
    width = terminal_width(path)
    if width is None:
        return make()
    text = make(width=width)
    return "\n".join(_emphasised(text.split("\n"), asked)) if bold("") else text


def bold(line: str) -> str:
    """Return a line for standard output: in bold on a terminal, unless that is not wanted."""
    is_plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return line if is_plain or terminal_width() is None else f"{_BOLD}{line}{_NORMAL}"


def _emphasised(lines: Sequence[str], asked: Collection[str]) -> Iterator[str]:
    """Yield the lines of tables with some in bold: heads, which stand above a rule, and rows asked for."""
    place = -1  # where the column ``metric`` begins in the table that the line belongs to
    for line, below in zip_longest(lines, lines[1:], fillvalue=""):
        is_head = below != "" and set(below) == {_RULE}
        if is_head:
            place = line.find("metric")
        elif not line:
            place = -1
        is_bold = is_head or (place >= 0 and line[place:].partition("  ")[0] in asked)
        yield bold(line) if is_bold else line


def is_stream(path: str) -> bool:
    """Return whether a path names a stream: it is then written as it is, not renamed into place."""
    # Links are followed: ``/dev/stderr`` may lead to a file, which belongs to the one who opened the stream
    return path == STDOUT or _entry(path) is not None or _is_device(path)


def descriptor(path: str) -> int | None:
    """Return which descriptor of this process a path names, or None.

    >>> descriptor("-"), descriptor("report.txt")
    (1, None)
    """
    if path == STDOUT:
        return STDOUT_NUMBER
    process, number = _entry(path) or ("", None)
    return number if process in ("", _own_process()) else None


def check_stream(path: str) -> None:
    """Refuse a descriptor that is not open."""
    number = descriptor(path)
    if number is None or number == STDOUT_NUMBER:
        return
    try:
        os.fstat(number)
    except OSError:
        raise OutputError(f"{shown_path(path)}: is not an open stream") from None


def _entry(path: str) -> tuple[str, int] | None:
    """Follow links until one is an entry of a folder of descriptors; None if none is."""
    # Return the number of the process that has it open, empty for this one, and that of the descriptor
    for _ in range(_MOST_LINKS):
        folder, name = os.path.split(path)
        with contextlib.suppress(OSError):  # a working folder that was deleted
            folder = os.path.realpath(folder)
        match = re.fullmatch(_DESCRIPTORS, folder)
        if match and name.isdecimal():
            return match[1] or "", int(name)
        try:
            path = os.path.join(folder, os.readlink(path))
        except OSError:  # no link, or nothing there
            return None
    return None


def _own_process() -> str:
    try:
        return os.readlink("/proc/self")
    except OSError:
        return str(os.getpid())


def _is_device(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


_Identity: TypeAlias = tuple[int, int]  # device and number, which identify a file
_Place: TypeAlias = _Identity | str  # what identifies a file, or its path where there is none yet


def report_path(given: Mapping[str, Any]) -> str | None:
    """Return where the report should go: the third position or ``--output``; None if neither is given."""
    place, option = given.get("<out-file>"), given.get("--output")
    if place is not None and option is not None:
        raise UsageError("<out-file> and --output both name the report: leave one out")
    name: str | None = option if place is None else place
    return name


def report_target(given: Mapping[str, Any], inputs: Iterable[str | None]) -> str:
    """Return where the only report of a command goes, checked; standard output if nothing is said."""
    target = report_path(given)
    if target is None:
        return STDOUT
    check_target(target, [path for path in inputs if path is not None], force=given.get("--force", False))
    return target


def refuse_one_place(paths: Sequence[str], what: str = "reports") -> None:
    """Refuse two reports, or outputs, that go to one place."""
    places = [place(path) for path in paths]
    for path, one in zip(paths, places, strict=True):
        if places.count(one) > 1:
            where = "standard output" if one == STDOUT else shown_path(path)
            raise OutputError(f"two {what} go to {where}")


def check_target(path: str, inputs: Iterable[str], *, form: str | None = None, force: bool = False) -> None:
    """Refuse an output that should not be written, before anything is read: a long run shall not end with it.

    `inputs` are never replaced; `form` is the format of documents, absent for a report.
    """
    if path == STDOUT:
        return
    if path.startswith("-"):
        why = f"an output cannot start with a dash (write ./{shown_path(path)})"
        raise OutputError(f"{shown_path(path)}: {why}")
    if is_stream(path):
        check_stream(path)
        return
    target = _real(path)
    if os.path.isdir(target):
        raise OutputError(f"{shown_path(path)}: is a folder, not a file")
    if not os.path.isdir(os.path.dirname(target)):
        folder = os.path.dirname(target if os.path.islink(path) else path)
        raise OutputError(f"{shown_path(path)}: no such folder: {shown_path(folder)}")
    sources = list(inputs)
    for folder in sources:
        is_above = os.path.isdir(folder) and target.startswith(os.path.join(_real(folder), ""))
        if folder != STDOUT and is_above:
            why = "lies in an input folder: the next run would read it as a document"
            raise OutputError(f"{shown_path(path)}: {why}")
    refuse_inputs([path], sources)
    if os.path.exists(target):
        check_old(path, form, force=force)


def check_old(path: str, form: str | None, *, force: bool) -> None:
    """Refuse to replace a file that is read-only, or not of the kind that replaces it."""
    if not is_in_question(path, force=force):
        return
    from scorch2.formats.recognition import recognised
    from scorch2.formats.source import judged
    from scorch2.reports.outlines import described, is_report

    try:
        old_form = recognised(path)
        is_alike = old_form == form and (form is not None or judged(path, is_report))
    except InputError as error:
        why = f"cannot be looked at before it is replaced: {error.why} (--force replaces it)"
        raise OutputError(f"{shown_path(path)}: {why}") from None
    if not is_alike:
        seen = f"looks like {old_form}, not" if old_form else "does not look"
        if form is None and old_form is None:
            seen = f"looks like {judged(path, described)}, not"
        raise OutputError(f"{shown_path(path)}: {seen} like {form or 'a report'} (--force replaces it)")


def is_in_question(path: str, *, force: bool) -> bool:
    """Return whether the content of a file decides if it may be replaced; refuse what is read-only."""
    old = os.stat(path)
    if force or stat.S_ISDIR(old.st_mode):  # a folder in the way is an error when it cannot be replaced
        return False
    if not stat.S_IMODE(old.st_mode) & 0o222 or not os.access(path, os.W_OK):  # root may write to any
        raise OutputError(f"{shown_path(path)}: is read-only (--force replaces it)")
    return old.st_size > 0


def refuse_inputs(paths: Sequence[str], inputs: Iterable[str]) -> None:
    """Refuse to put outputs at the places of inputs, or of what belongs to these."""
    for path, owner in inputs_at(paths, inputs).items():
        if owner == path:
            raise OutputError(f"{shown_path(path)}: is an input and would be overwritten")
        why = f"belongs to the input {shown_path(owner)} (name another file)"
        raise OutputError(f"{shown_path(path)}: {why}")


def inputs_at(paths: Sequence[str], inputs: Iterable[str]) -> dict[str, str]:
    """Return those `paths` at which inputs are, or will be looked for: no output may be put there.

    With each comes itself if it is an input, else the input that it belongs to, as a text to brat's file.
    """
    if not paths:
        return {}
    by_place: dict[_Place, list[str]] = {}
    for path in paths:
        by_place.setdefault(_place(path), []).append(path)
    there = [os.stat(path) for path in paths if os.path.exists(path)]
    is_linked = any(status.st_nlink > 1 for status in there)
    owners: dict[str, str] = {}
    for source in inputs:
        for identity in _identities(source, is_linked=is_linked) if there else ():
            owners.update({path: path for path in by_place.get(identity, ())})
        if source == STDOUT or not os.path.isfile(source):  # a folder has its companions inside
            continue
        from scorch2.formats.recognition import companions, is_one_of

        for beside, rows in companions(source).items():
            for path in by_place.get(_place(beside), ()):
                if path not in owners and is_one_of(source, rows):
                    owners[path] = source
    return owners


def _identities(source: str, *, is_linked: bool) -> Iterator[_Place]:
    """Yield the identities of an input: of a file, of standard input if that is one, of files of a folder."""
    # Of a folder only those are looked at that could be an output: links, and all if that has several names
    with contextlib.suppress(OSError, ValueError, AttributeError):  # what cannot be asked is no file
        if source == STDOUT:
            yield _identity(os.fstat(sys.stdin.fileno()))
        elif not os.path.isdir(source):
            yield _identity(os.stat(source))
        else:
            from scorch2.scoring.pairing.files import walked

            for _, entry in walked(source):
                if is_linked or entry.is_symlink():
                    yield _identity(os.stat(entry.path))


def _place(path: str) -> _Place:
    try:
        return _identity(os.stat(path))
    except OSError:  # there is nothing yet
        return _real(path)


def _identity(status: os.stat_result) -> _Identity:
    return status.st_dev, status.st_ino


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except OSError as error:
        raise OutputError(f"{shown_path(path)}: {error.strerror or error}") from None


def place(path: str) -> str:
    """Return one name for each place: paths to one file are alike, and so are those of one stream."""
    number = descriptor(path)
    if number is None:
        return _real(path)
    return STDOUT if number == STDOUT_NUMBER else f"/dev/fd/{number}"


def write(path: str, text: Content) -> None:
    """Write text to a file as UTF-8, or to standard output (``-``) in its encoding; a link stays a link."""
    # Of a long text the parts can be given, which are then not held together
    write_all([(path, text)])


def write_all(texts: Sequence[tuple[str, Content]]) -> None:
    """Write several reports, each like `write`: all of them or none.

    Streams are written when all files are complete, and before any is put in place: what has gone out cannot
    be taken back, and is what fails most often.
    """
    to_streams = [(path, text) for path, text in texts if is_stream(path)]
    to_files = {
        os.path.realpath(path) if os.path.islink(path) else path: text  # so that a link stays one
        for path, text in texts
        if (path, text) not in to_streams
    }

    if not to_streams:
        put_in_place(to_files)
        return

    def write_streams() -> None:
        for path, text in to_streams:
            write_stream(path, descriptor(path), text)

    put_in_place(to_files, write_streams)


_STDERR_NUMBER = 2
_PLAIN = dict(zip("Δ³₁₃₄─▲▼“”", 'd3134-^v""', strict=True))
_PLAIN |= {"≤": "<=", "…": "...", "←": "<-", "→": "->", "↔": "<->"}


def write_stream(path: str, number: int | None, content: Content) -> None:
    """Write text to a stream, whole or in parts: UTF-8, but on standard output in its encoding."""
    # `number` is that of its descriptor, if it is one of this process
    encoded = _in_encoding_of_stdout if number == STDOUT_NUMBER else str.encode
    data = (block if isinstance(block, bytes) else encoded(block) for block in blocks(content))
    if number == STDOUT_NUMBER:
        _write_stdout(data)
        return
    try:
        if number is None:
            _write_device(path, data)
        else:
            _write_descriptor(number, data)
    except OSError as error:
        if not is_left(error):
            raise OutputError(f"{shown_path(path)}: {error.strerror or error}") from None


def _write_device(path: str, data: Iterable[bytes]) -> None:
    """Write to a device, a pipe, or a stream of another process, of which nothing may be cut off."""
    with open(os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0)), "wb") as device:
        device.writelines(data)


def _write_descriptor(number: int, data: Iterable[bytes]) -> None:
    """Write where the descriptor stands: opening its path would start at the beginning of a file."""
    if number == _STDERR_NUMBER and sys.stderr is not None:
        sys.stderr.flush()
    for block in data:
        _write_whole(partial(os.write, number), block)


def _in_encoding_of_stdout(text: str) -> bytes:
    if sys.stdout is None:
        raise OutputError("standard output: is closed")
    encoding = sys.stdout.encoding or "utf-8"
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        plain = "".join(_PLAIN.get(letter, letter) for letter in text)
        return plain.encode(encoding, "backslashreplace")


def _write_stdout(data: Iterable[bytes]) -> None:
    if sys.stdout is None:
        raise OutputError("standard output: is closed")
    try:
        sys.stdout.flush()
        for block in data:
            if hasattr(sys.stdout, "buffer"):
                _write_whole(sys.stdout.buffer.write, block)
            else:  # replaced by a stream of text
                sys.stdout.write(block.decode(sys.stdout.encoding or "utf-8"))
        sys.stdout.flush()
    except OSError as error:
        drop(sys.stdout)
        if not is_left(error):
            raise OutputError(f"standard output: {error.strerror or error}") from None


def _write_whole(write: Callable[[memoryview], int | None], block: bytes) -> None:
    """Write all of a block: with PYTHONUNBUFFERED there is no buffer, and a write may stop anywhere."""
    left = memoryview(block)
    while left:
        written = write(left)
        if not written:  # None: it would have to wait, and may not
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        left = left[written:]
