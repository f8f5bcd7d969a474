"""Files written whole: each is complete under a temporary name before any is renamed into place."""

import contextlib
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from scorch2.model.errors import InputError, OutputError, shown_path

Content: TypeAlias = str | bytes | Iterable[str] | Iterable[bytes]
"""What is written: whole, or in parts that are made while the ones before are written."""
Made = TypeVar("Made")
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
"""Create a file; never open what is there, nor what a link leads to."""
_OLD = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_ANYONE = 0o666  # the mode of a new file, before the umask
_PERMISSIONS = 0o777
"""The bits of a mode that are kept: a report never runs with the rights of its owner (setuid)."""
_TRIES = 100  # new names that are tried before it is an error that all are taken
_BLOCK = 1 << 20  # bytes or letters that are copied or written at once


class _Names:
    """The names that this run creates in folders that others may write to, too: only these are removed."""

    def __init__(self) -> None:
        self._created: list[str] = []

    def claim(self, folder: str, create: Callable[[str], Made]) -> tuple[str, Made]:
        """Create something under a new name; return the name and what `create` returned."""
        # Nobody can guess the name, so nobody can put a link there. It is noted before it exists, so that an
        # interrupt at any moment removes it.
        tries = 0
        while True:
            name = os.path.join(folder, f".scorch2.{os.urandom(8).hex()}.tmp")  # secrets takes 5 ms to import
            self._created.append(name)
            try:
                return name, create(name)
            except OSError as error:  # nothing was created; if something is there, it is another run's
                self._created.remove(name)
                tries += 1
                if tries == _TRIES or not isinstance(error, FileExistsError):
                    raise

    def remove(self, name: str) -> None:
        with contextlib.suppress(OSError):
            os.unlink(name)

    def remove_all(self) -> None:
        for name in self._created:
            self.remove(name)


def write_files(texts: Mapping[str, Content], meanwhile: Callable[[], None] = lambda: None) -> None:
    """Write several files, all or none: all are complete beside their targets before one is put in place."""
    names = _Names()
    staged: dict[str, str] = {}  # target → the temporary name under which it is complete
    try:
        for target, text in texts.items():
            try:
                staged[target] = _stage(target, text, names)
            except OSError as error:
                raise failure(target, error) from None
        meanwhile()
        _put_in_place(staged, names)
    except BaseException:
        names.remove_all()
        raise


def blocks(content: Content) -> Iterator[str | bytes]:
    """Yield what is written at once: the whole, or many parts as one text."""
    if isinstance(content, str | bytes):
        yield content
        return
    parts: list[Any] = []
    size = 0
    for part in content:
        parts.append(part)
        size += len(part)
        if size >= _BLOCK:
            yield part[:0].join(parts)
            parts, size = [], 0
    if parts:
        yield parts[0][:0].join(parts)


def save_report(path: str, text: str, refused: Collection[str]) -> None:
    """Write a report to a file, or to where a link leads, unless a file of documents is there."""
    suffix = os.path.splitext(path)[1].casefold()
    if suffix in refused:
        raise OutputError(f"{shown_path(path)}: a report is saved as JSON, not as {suffix} (name it .json)")
    from scorch2.formats.recognition import recognised

    target = os.path.realpath(path)
    try:
        form = recognised(target) if os.path.isfile(target) else None
    except InputError as error:
        raise OutputError(str(error)) from None
    if form:
        raise OutputError(f"{shown_path(path)}: looks like {form}, not like a report")
    write_files({target: text})


def _stage(target: str, content: Content, names: _Names) -> str:
    """Write beside the target, from the start with the permissions of an old file; return the name."""
    old = _regular(target)
    mode = _ANYONE if old is None else stat.S_IMODE(old.st_mode) & _PERMISSIONS
    name, handle = names.claim(os.path.dirname(target), lambda name: os.open(name, _NEW, mode))
    try:
        if old is not None:
            _take_over(handle, name, old)
        for block in blocks(content):
            _write(handle, block.encode("utf-8") if isinstance(block, str) else block)
    finally:
        os.close(handle)
    return name


def _regular(path: str) -> os.stat_result | None:
    """Return what the system knows of a regular file; None for a link and for anything else."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found if stat.S_ISREG(found.st_mode) else None


def _take_over(handle: int, name: str, old: os.stat_result) -> None:
    """Give a new file the owner and group of an old one, where the system lets us, and its permissions."""
    if hasattr(os, "fchown"):
        now = os.fstat(handle)
        if now.st_gid != old.st_gid:
            with contextlib.suppress(OSError):
                os.fchown(handle, -1, old.st_gid)
        if now.st_uid != old.st_uid:  # apart: a user may change the group of a file, but not its owner
            with contextlib.suppress(OSError):
                os.fchown(handle, old.st_uid, -1)
    mode = stat.S_IMODE(old.st_mode) & _PERMISSIONS
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)
    else:
        os.chmod(name, mode)


def _write(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def _put_in_place(staged: Mapping[str, str], names: _Names) -> None:
    """Rename all. Of several, those that replace a file keep it until all are renamed."""
    kept: dict[str, str] = {}
    target = ""
    try:
        for target in staged if len(staged) > 1 else ():
            if os.path.lexists(target):
                kept[target] = _keep(target, names)
        for target, temporary in staged.items():
            os.replace(temporary, target)
    except BaseException as error:
        if len(staged) > 1:
            _take_back(staged, kept)
        if isinstance(error, OSError):
            raise failure(target, error) from None
        raise
    for name in kept.values():
        names.remove(name)


def _keep(target: str, names: _Names) -> str:
    """Give a file that will be replaced a second name, by which it can be brought back, and return that."""
    folder = os.path.dirname(target)
    try:
        return names.claim(folder, lambda name: os.link(target, name, follow_symlinks=False))[0]
    except (OSError, NotImplementedError):  # a file system without hard links
        return _copy(target, folder, names)


def _copy(target: str, folder: str, names: _Names) -> str:
    if os.path.islink(target):
        return names.claim(folder, lambda name: os.symlink(os.readlink(target), name))[0]
    source = os.open(target, _OLD)
    try:
        old = os.fstat(source)
        mode = stat.S_IMODE(old.st_mode) & _PERMISSIONS
        name, handle = names.claim(folder, lambda name: os.open(name, _NEW, mode))
        try:
            _take_over(handle, name, old)
            while block := os.read(source, _BLOCK):
                _write(handle, block)
        finally:
            os.close(handle)
    finally:
        os.close(source)
    os.utime(name, ns=(old.st_atime_ns, old.st_mtime_ns))
    return name


def _take_back(staged: Mapping[str, str], kept: Mapping[str, str]) -> None:
    for target, temporary in staged.items():
        with contextlib.suppress(OSError):
            if os.path.exists(temporary):  # not renamed: what was there is there
                continue
            if target in kept:
                os.replace(kept[target], target)
            else:
                os.unlink(target)


def failure(target: str, error: OSError) -> OutputError:
    """Return the error of a file or folder that cannot be made: its folder may be what is missing."""
    above = os.path.dirname(target.rstrip(os.sep))
    lacks = f"no such folder: {shown_path(above)}" if above and not os.path.lexists(above) else ""
    return OutputError(f"{shown_path(target)}: {lacks or error.strerror or error}")
