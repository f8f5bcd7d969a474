"""Errors and warnings, their wording, and limits of memory. An error ends a command with exit status 2."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

SHOWN = 5  # the number of items that a message names; it counts the others


def printable(text: str, limit: int = 80) -> str:
    r"""Return `text` fit for one line of a terminal: control characters escaped, cut to `limit` characters.

    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    shown = escaped(text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def escaped(text: str) -> str:
    r"""Return `text` fit for one line of a terminal or a log, where it cannot act.

    It escapes control characters, separators of lines, marks that change the direction of text, and what CI
    systems take for commands: ``::`` at the beginning, ``##[...]`` and ``##vso[...]`` anywhere.

    >>> escaped("::error::x"), escaped("a ##[group]"), escaped("sets::span")
    ('\\x3a:error::x', 'a #\\x23[group]', 'sets::span')
    """
    if not text.isprintable():
        text = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
    if text[:1] in (":", " ") and text.lstrip().startswith("::"):
        text = text.replace(":", "\\x3a", 1)
    if "##" in text:
        import re

        text = re.sub(r"##(?=\w*\[)", r"#\\x23", text)
    return text


def shown_path(path: str, limit: int = 80) -> str:
    """Return a path for a message; a long one keeps its end, where the file name is.

    >>> shown_path("-"), shown_path("a" * 90 + "/doc1.json", 15)
    ('standard input', '…aaaa/doc1.json')
    """
    if path == "-":
        return "standard input"
    return printable(path if len(path) <= limit else "…" + path[1 - limit :]) or '""'


def shown_place(where: str, limit: int = 120) -> str:
    """Return a place for a message; a long one keeps its beginning and its end."""
    return where if len(where) <= limit else f"{where[: limit // 3]}…{where[1 - limit + limit // 3 :]}"


def without_middle(text: str, limit: int) -> str:
    """Return a text of at most `limit` characters: of a longer one the beginning and the end.

    >>> without_middle("1023_bleak_house_brat", 9), without_middle("1023", 9)
    ('1023…brat', '1023')
    """
    end = (limit - 1) // 2
    return text if len(text) <= limit else f"{text[: limit - 1 - end]}…{text[len(text) - end :]}"


_BORDERS = ("/\\", "/\\._- ")
"""What may end what names have in common: a part of a path, or else a word."""


def told_apart(names: Sequence[str], cut: Callable[[str], str]) -> list[str]:
    """Return names, escaped and cut by a function, no two as the same text.

    Where one would be cut, all lose what they begin and end with, up to the next border of a word; where that
    is not enough they are numbered.

    >>> told_apart(["runs/big-1/sys.json", "runs/big-2/sys.json"], lambda name: without_middle(name, 9))
    ['big-1', 'big-2']
    """
    clean = [*map(escaped, names)]
    shown = [*map(cut, clean)]
    for borders in _BORDERS if len(names) > 1 and shown != clean else ():
        short = without_common(clean, borders)
        shown = [*map(cut, short)]
        if shown == short:
            break
    if len({*shown}) == len({*clean}):
        return shown
    return [cut(f"{number} {name}") for number, name in enumerate(clean, 1)]


def without_common(names: Sequence[str], borders: str = _BORDERS[0]) -> list[str]:
    """Return names without what all begin and end with, up to the next border: by default of a folder."""
    start = _common_beginning(names, borders)
    rest = [name[start:] for name in names]
    end = _common_beginning([name[::-1] for name in rest], borders)
    short = [name[: len(name) - end] for name in rest]
    return short if all(short) else rest if all(rest) else list(names)


def _common_beginning(names: Sequence[str], borders: str) -> int:
    """Return the length of what names begin with, up to the last of some borders in it."""
    return 1 + max(map(common_letters(names).rfind, borders))


def common_letters(names: Sequence[str]) -> str:
    """Return what all names begin with."""
    return os.path.commonprefix([*names])  # noqa: RUF071 - letters, not parts of paths


def quoted(value: object, limit: int = 80) -> str:
    """Return an id for a message: strings in double quotes, numbers and spans as in JSON.

    >>> quoted("m7"), quoted((3, 4))
    ('"m7"', '[3, 4]')
    """
    if isinstance(value, str):
        return f'"{printable(value, limit)}"'
    return printable(repr(list(value) if isinstance(value, tuple) else value), limit)


_CONSONANT_Y = ("ry", "ty")


def counted(number: int, what: str) -> str:
    """Return a number with the noun that it counts.

    >>> counted(1, "token"), counted(2, "token"), counted(2, "category"), counted(0, "key")
    ('1 token', '2 tokens', '2 categories', '0 keys')
    """
    if number == 1:
        return f"{number} {what}"
    return f"{number} {what[:-1]}ies" if what.endswith(_CONSONANT_Y) else f"{number} {what}s"


def enumerated(names: Iterable[str], limit: int = 1000) -> str:
    """Return all of `names`, or those that fit in `limit` characters and how many more there are.

    >>> enumerated(["muc", "lea"]), enumerated(["muc", "lea", "blanc"], 6)
    ('muc, lea', 'muc and 2 more')
    """
    known = list(names)
    printed: list[str] = []
    for name in known:
        printed.append(printable(name))
        limit -= len(printed[-1]) + 2
        if limit < 0 and len(printed) > 1:
            printed.pop()
            break
    more = f" and {len(known) - len(printed)} more" if len(printed) < len(known) else ""
    return ", ".join(printed) + more


def in_percent(share: float) -> str:
    """Return a share between 0 and 1 as it stands in a sentence.

    >>> in_percent(0.5)
    '50 %'
    """
    return f"{share * 100:.0f} %"


def listed(names: Iterable[str]) -> str:
    """Return the first few of `names`, and how many more there are.

    >>> listed("abcdefg")
    'a, b, c, d, e and 2 more'
    """
    known = list(names)
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return ", ".join(printable(name) for name in known[:SHOWN]) + more


def json_place(where: str, key: str) -> str:
    """Return the place of `key` in the object at `where`: ``$.clusters.e3`` or ``$.clusters["e 3"]``."""
    return f"{where}.{printable(key)}" if key.isidentifier() else f"{where}[{quoted(key)}]"


def unknown_name(name: object, what: str, names: Iterable[str]) -> str:
    """Return a message about an unknown name, with the nearest one of `names`.

    >>> unknown_name("mucc", "metric", ["muc", "lea"])
    'unknown metric "mucc", did you mean muc? (known: muc, lea)'
    """
    return f"unknown {what} {quoted(name)}{known_names(name, names)}"


_FEW_LETTERS = 2  # so many begin too many names


def known_names(name: object, names: Iterable[str]) -> str:
    """Return the end of a message about a name that is none of `names`: the nearest one, and all of them.

    >>> known_names("micr", ["macro", "micro"])
    ', did you mean micro? (known: macro, micro)'
    """
    there = list(names)
    near = nearest(str(name), there)
    hint = f", did you mean {printable(near)}?" if near else ""
    all_names = f" (known: {enumerated(there)})" if there else ""
    return f"{hint}{all_names}"


def nearest(name: str, names: Iterable[str]) -> str:
    """Return the one of `names` that begins with a name, else the most alike; nothing if none is.

    >>> nearest("agree", ["are", "agreement"]), nearest("scroe", ["score"]), nearest("x", ["score"])
    ('agreement', 'score', '')
    """
    from difflib import get_close_matches

    folded, there = name.casefold(), list(names)
    longer = [other for other in there if len(folded) > _FEW_LETTERS and other.startswith(folded)]
    return next(iter([*longer, *get_close_matches(folded, there, 1)]), "")


class ScorchError(Exception):
    """Base class of the errors that scorch2 raises on purpose; ``str()`` is one line with what to fix."""

    exit_code = 2


class UsageError(ScorchError):
    """The command line or the arguments of a library call are invalid."""


class OtherWordsError(UsageError):
    """A text with marks has other words than gold; a run that was told no alignment begins again with one."""


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


def reword(error: ScorchError, change: Callable[[str], str]) -> None:
    """Have an error say what `change` makes of its message."""
    if isinstance(error, InputError):
        error.why = change(error.why)
        error.args = (*error.args[:2], error.why)
        for other in getattr(error, "errors", ()):
            reword(other, change)
    else:
        error.args = tuple([change(arg) if isinstance(arg, str) else arg for arg in error.args])


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
    """XML that is refused; ``str()`` is ``file:line: kind: message``, without a line if that is 0."""

    # `kind` is for programs: ``malformed-xml``, ``doctype``, ``unknown-element``

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

    def __reduce__(self) -> tuple[type["InputErrors"], tuple[Sequence[InputError]]]:
        return InputErrors, (self.errors,)


class ScorchWarning(UserWarning):
    """The class of all warnings in Python: there is one for each notice of a report."""


HINT = "hint"  # the code of a notice that is advice, and no error under ``--strict``


class Notice(NamedTuple):
    """A warning: something was scored, but not exactly as the files have it."""

    code: str
    """Its kind, for programs: ``missing``, ``duplicates`` ..."""
    document: str
    """The id of the document or the path of the file that it concerns; may be empty."""
    message: str
    """One sentence for people."""

    def __str__(self) -> str:
        place = f"{printable(self.document)}: " if self.document else ""
        return self.message if self.message.startswith(place) else place + self.message


def told(notices: Sequence[Notice], most: int = SHOWN) -> Iterator[str]:
    """Yield a line for each of the first `most` warnings of each kind, and one that counts the others."""
    for code in dict.fromkeys(notice.code for notice in notices):
        alike = [notice for notice in notices if notice.code == code]
        yield from map(str, alike[:most])
        if len(alike) > most:
            yield f"… and {len(alike) - most} more of this kind ({code})"


def shown_notices(notices: Sequence[Notice]) -> list[str]:
    """Return the lines that stand below a table: the first few notices, and how many more there are.

    >>> shown_notices([Notice("missing", name, "left out") for name in "abcdef"])[-2:]
    ['warning: e: left out', 'warning: … and 1 more (all are in .notices)']
    """
    each = list(dict.fromkeys(notices))
    more = len(each) - SHOWN
    lines = [f"warning: {notice}" for notice in each[:SHOWN]]
    return [*lines, f"warning: … and {more} more (all are in .notices)"] if more > 0 else lines
