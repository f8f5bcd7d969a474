"""What can go wrong, in four kinds. Each ends a command with exit status 2 and one line on standard error.

A gate that failed, or errors found by a checking command, is a result (exit 1) and not an exception.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SHOWN = 5
"""How many offenders a message names before it only counts them."""


class ScorchError(Exception):
    """Root of all errors that scorch2 raises on purpose; ``str()`` is one line that says what to mend."""

    exit_code = 2


class UsageError(ScorchError):
    """The command line, or the arguments of a library call, make no sense."""


class PairingError(ScorchError):
    """The documents of the two sides do not match up."""


class OutputError(ScorchError):
    """The report could not be written; whatever was at its place before is untouched."""


class InputError(ScorchError, ValueError):
    """An input that cannot be scored exactly as it is written.

    Parameters
    ----------
    path : str
        The file, folder or stream.
    where : str
        The place inside it, or nothing: ``line 3, column 8``, ``line 12``, or a path as ``$.clusters.e3[2]``.
    why : str
        What is wrong there and, unless it is plain, what to do.
    """

    def __init__(self, path: str, where: str, why: str) -> None:
        super().__init__(path, where, why)
        self.path = path
        self.where = where
        self.why = why

    def __str__(self) -> str:
        return ": ".join(part for part in (shown_path(self.path), self.where, self.why) if part)


class InputErrors(InputError):  # noqa: N818 - several of them
    """Several unusable inputs of one run, in the order of the documents; it reads like the first of them."""

    def __init__(self, errors: Sequence[InputError]) -> None:
        super().__init__(errors[0].path, errors[0].where, errors[0].why)
        self.errors = tuple(errors)


class Notice(NamedTuple):
    """A warning: something was scored, but not quite as it stands in the files."""

    code: str
    """Its kind, for programs: ``missing``, ``duplicates`` ..."""
    document: str
    """The id of the document, or the path of the file, that it is about; may be empty."""
    message: str
    """One sentence for people."""


def printable(text: str, limit: int = 80) -> str:
    r"""Return `text` fit for one line of a terminal: control characters escaped, cut to `limit` characters.

    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    shown = text if len(text) <= limit else text[: limit - 1] + "…"
    if shown.isprintable():
        return shown
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in shown)


def shown_path(path: str, limit: int = 80) -> str:
    """Return a path fit for a message: one that is too long keeps its end, where the file name is.

    >>> shown_path("-"), shown_path("a" * 90 + "/doc1.json", 15)
    ('standard input', '…aaaa/doc1.json')
    """
    if path == "-":
        return "standard input"
    return printable(path if len(path) <= limit else "…" + path[1 - limit :]) or '""'


def quoted(value: object) -> str:
    """Return an id as a message shows it: strings in double quotes, numbers and spans as JSON writes them.

    >>> quoted("m7"), quoted((3, 4))
    ('"m7"', '[3, 4]')
    """
    if isinstance(value, str):
        return f'"{printable(value)}"'
    return printable(repr(list(value) if isinstance(value, tuple) else value))


def counted(number: int, what: str) -> str:
    """Return a number and what it counts.

    >>> counted(1, "token"), counted(2, "token")
    ('1 token', '2 tokens')
    """
    return f"{number} {what}{'' if number == 1 else 's'}"


def listed(names: Iterable[str]) -> str:
    """Return the first few of `names`, and how many more there are.

    >>> listed("abcdefg")
    'a, b, c, d, e and 2 more'
    """
    known = list(names)
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return ", ".join(printable(name) for name in known[:SHOWN]) + more


def step(where: str, key: str) -> str:
    """Return the place of `key` inside the object at `where`: ``$.clusters.e3`` or ``$.clusters["e 3"]``."""
    return f"{where}.{printable(key)}" if key.isidentifier() else f"{where}[{quoted(key)}]"
