"""Errors and warnings. An error ends a command with exit status 2 and one line on standard error."""

from collections.abc import Sequence
from typing import NamedTuple

from scorch2.model.messages import shown_path, shown_place


class ScorchError(Exception):
    """Base class of the errors that scorch2 raises on purpose; ``str()`` is one line with what to fix."""

    exit_code = 2


class UsageError(ScorchError):
    """The command line or the arguments of a library call are invalid."""


class PairingError(ScorchError):
    """The documents of the two sides do not match up."""


class OutputError(ScorchError):
    """The report could not be written; an earlier file in its place is unchanged."""


class WorkerError(ScorchError):
    """A worker process ended before it returned the scores of its documents."""


class InputError(ScorchError, ValueError):
    """An input that cannot be scored as it is written.

    Parameters
    ----------
    path : str
        The file, folder or stream.
    where : str
        The place inside it: ``line 3, column 8``, ``line 12``, or a path as ``$.clusters.e3[2]``; or empty.
    why : str
        What is wrong there and, unless that is obvious, what to do.
    """

    def __init__(self, path: str, where: str, why: str) -> None:
        super().__init__(path, where, why)
        self.path = path
        self.where = where
        self.why = why

    def __str__(self) -> str:
        return ": ".join(part for part in (shown_path(self.path), shown_place(self.where), self.why) if part)


def without_frames(error: InputError) -> InputError:
    """Return an error that no longer holds the frames it was raised in, and with them the documents."""
    error.__context__ = None
    return error.with_traceback(None)


NOT_THERE = "no such file or folder"


def unreadable(path: str, error: OSError) -> InputError:
    """Return the error of an input that cannot be opened: a missing one in the words of all commands.

    >>> print(unreadable("d1.json", FileNotFoundError(2, "No such file or directory")))
    d1.json: no such file or folder
    """
    missing = isinstance(error, FileNotFoundError)
    return InputError(path, "", NOT_THERE if missing else error.strerror or str(error))


class EmptyFileError(InputError):
    """An empty file: fine as linking output, an error where documents are required."""


class MarkupError(InputError):
    """XML that is refused; ``str()`` is ``file:line: kind: message``.

    Parameters
    ----------
    path : str
        The file or stream.
    line : int
        Counted from 1; 0 if no line is known.
    kind : str
        The kind of error, for programs: ``malformed-xml``, ``doctype``, ``unknown-element`` ...
    message : str
        The error in words.
    """

    def __init__(self, path: str, line: int, kind: str, message: str) -> None:
        super().__init__(path, f"line {line}" if line else "", f"{kind}: {message}")
        self.line = line
        self.kind = kind
        self.message = message

    def __reduce__(self) -> tuple[type["MarkupError"], tuple[str, int, str, str]]:
        return MarkupError, (self.path, self.line, self.kind, self.message)

    def __str__(self) -> str:
        return f"{shown_path(self.path)}:{f'{self.line}:' if self.line else ''} {self.why}"


class InputErrors(InputError):  # noqa: N818 - several of them
    """Several unusable inputs of one run, in the order of the documents; ``str()`` is the first of them."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        super().__init__(errors[0].path, errors[0].where, errors[0].why)
        self.errors = tuple(errors)


class Notice(NamedTuple):
    """A warning: something was scored, but not exactly as the files have it."""

    code: str
    """Its kind, for programs: ``missing``, ``duplicates`` ..."""
    document: str
    """The id of the document or the path of the file that it concerns; may be empty."""
    message: str
    """One sentence for people."""
