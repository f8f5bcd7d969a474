"""Help texts made from the tables: lists of names, and the options that change numbers."""

from collections.abc import Iterable, Mapping

from scorch2.model.document import COUNTINGS
from scorch2.model.options import OPTIONS, PROFILES, Option

COLUMN = 28
"""Where the explanation of an option begins."""
WIDTH = 100
_VALUES = COLUMN + 2
"""Where the lines about single values of an option begin."""


ENDED = "128 + the signal if ended by one (130 Ctrl-C, 143 SIGTERM, 129 SIGHUP)"
"""The exit statuses that all commands have besides their own."""
FILES = "files of a folder to read (default: all): a pattern such as '*.conll' or 'bc/**'"
"""The text about options that choose among the files of a folder."""


def lines(option: str, what: str, column: int = COLUMN) -> str:
    """Return the lines of a help text about one option, broken between words.

    >>> print(lines("-q, --quiet", "no warnings"))
      -q, --quiet               no warnings
    """
    text = f"  {option}".ljust(column - 1)
    found = []
    for word in what.split():
        if len(text) + 1 + len(word) > WIDTH:
            found.append(text)
            text = " " * (column - 1)
        text += f" {word}"
    return "\n".join([*found, text])


def names(values: Iterable[str], note: str = "") -> str:
    """Return a list of names as help texts have it, the first marked by `note`.

    >>> names(["text", "table"], "default")
    'text (default), table'
    """
    first, *others = values
    return ", ".join([f"{first} ({note})" if note else first, *others])


def input_format(option: str, formats: Iterable[str], column: int = COLUMN) -> str:
    """Return the help text of an option that names the format of an input, one of `formats`."""
    return lines(option, f"input format (default: detected from the content): {names(formats)}", column)


def input_files(column: int = COLUMN) -> str:
    """Return the help text of the options that choose among the files of both sides."""
    others = lines("--sys-files=<glob>", "the same for the system", column)
    return f"{lines('--gold-files=<glob>', FILES, column)}\n{others}"


def offsets() -> str:
    """Return the help text of the options that say how spans count."""
    what = f"how the spans of gold count, if not as their format says: {names(COUNTINGS)}"
    return "\n".join(
        [lines("--gold-offsets=<how>", what), lines("--sys-offsets=<how>", "the same for the system")]
    )


def scoring_options(wanted: Iterable[str] = OPTIONS) -> str:
    """Return the help text of the options that change numbers, by name."""
    return "\n".join(_choice(OPTIONS[name]) for name in wanted)


def _choice(option: Option) -> str:
    """Return the help text of an option that changes numbers, with a line for each value that needs one."""
    row = option.row
    spellings = "" if row.each else _spellings(row.aliases)
    first = lines(f"{option.flag}=<{row.value}>", f"{names(option.values)}: {row.what}{spellings}")
    column = _VALUES + max(map(len, option.values)) + 2
    others = [
        lines(f"{'':{COLUMN}}{value}", f"{row.each[value]}{_also(value, row.aliases)}", column)
        for value in option.values
        if row.each
    ]
    return "\n".join([first, *others])


def _also(value: str, aliases: Mapping[str, str]) -> str:
    """Return the other spellings of one value."""
    return "".join(f" (or {alias})" for alias, meant in aliases.items() if meant == value)


def _spellings(aliases: Mapping[str, str]) -> str:
    """Return what a help text says about other spellings of values."""
    said = ", ".join(f"{alias} is {value}" for alias, value in aliases.items())
    return f" ({said})" if said else ""


def confidence_options(where: str = "", column: int = COLUMN) -> str:
    """Return the help text of the options for intervals; `where` says to which reports they are added."""
    return "\n".join(
        lines(option, what, column)
        for option, what in (
            ("--confidence=<percent>", f"add bootstrap confidence intervals {where}"),
            ("--trials=<n>", "number of bootstrap samples or permutations (default 10000)"),
            ("--seed=<n>", "seed of the random numbers (default 0)"),
        )
    )


def profile_option(what: str = "") -> str:
    """Return the help text of ``--profile``."""
    return lines("--profile=<name>", f"{names(PROFILES)}{f': {what}' if what else ''}")


PAIR = f"{names(OPTIONS['pair'].values, 'default')}: {OPTIONS['pair'].row.what}"
"""The text about ``--pair`` in the help of commands where the first value of other options is no default."""
