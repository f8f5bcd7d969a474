"""docopt-ng, and what it leaves to be desired: whole option names only, near names suggested, short messages.

It accepts prefixes of options, prints Python reprs and ends with status 1; so the words are checked before
it sees them.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from docopt import DocoptExit, docopt

from scorch2.errors import UsageError, quoted

_DECLARED = re.compile(r"^  (?:(-\w)(?:, ))?(--[\w-]+)(=<[^>]+>)?", re.MULTILINE)


_COMMAND = re.compile(r"(Usage:\n  scorch2 )(?:\[score\]|(?!\[)\S+) ")
"""The command in a usage text, which has been taken from the words when docopt sees them."""


class _Option(NamedTuple):
    long: str
    takes_value: bool
    repeatable: bool


def parse(usage: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the values of positional arguments and options, by their name in `usage`.

    Raises
    ------
    UsageError
        For words that do not fit; the message is one line.
    """
    _check(words, _declared(usage))
    try:
        return dict(docopt(_COMMAND.sub(r"\1", usage, count=1), list(words), default_help=False))
    except DocoptExit:
        pattern = usage[usage.index("Usage:") :].split("\n\n", maxsplit=1)[0]
        line = " ".join(pattern.removeprefix("Usage:").split())
        raise UsageError(f"expected: {line} (see --help)") from None


def wants(usage: str, words: Sequence[str], *names: str) -> bool:
    """Return whether a flag such as ``--help`` stands among the options."""
    return any(word in names for word in _before_dashes(words)) and "Usage:" in usage


def _declared(usage: str) -> dict[str, _Option]:
    options = {}
    for short, long, value in _DECLARED.findall(usage):
        option = _Option(long, bool(value), f"[{long}=" in usage and f"{value[1:]}]..." in usage)
        options[long] = option
        if short:
            options[short] = option
    return options


def _before_dashes(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words


def _check(words: Sequence[str], options: dict[str, _Option]) -> None:
    given = set()
    rest = iter(_before_dashes(words))
    for word in rest:
        if not word.startswith("-") or word == "-":
            continue
        name, has_value = word[:2], word[2:] != ""
        if word.startswith("--"):
            name, has_value = word.partition("=")[0], "=" in word
        option = options.get(name)
        if option is None:
            raise UsageError(f"unknown option {quoted(name)}{_nearest(name, options)} (see --help)")
        if option.takes_value and not has_value and next(rest, None) is None:
            raise UsageError(f"{option.long} needs a value")
        if has_value and not option.takes_value:
            raise UsageError(f"{option.long} takes no value")
        if option.long in given and not option.repeatable:
            raise UsageError(f"{option.long} is given twice")
        given.add(option.long)


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [other for other in known if other.startswith("--")], 1)
    return f", did you mean {near[0]}?" if near else ""
