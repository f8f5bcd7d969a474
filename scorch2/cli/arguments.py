"""docopt-ng, and what it leaves to be desired: whole option names only, near names suggested, short messages.

It accepts prefixes of options, prints Python reprs and ends with status 1; so the words are checked before
it sees them.
"""

import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from docopt import DocoptExit, docopt

from scorch2.model.errors import UsageError
from scorch2.model.messages import known, quoted

_DECLARED = re.compile(r"^  (?:(-\w)(?:, ))?(--[\w-]+)(=<[^>]+>)?(.*(?:\n    .*)*)", re.MULTILINE)
_REPEATABLE = "(repeatable)"
"""What the help of an option says that can be given more than once."""
_COMMAND = re.compile(r"(Usage:\n  scorch2 )(?:\[score\]|(?!\[)\S+) ")
"""The command in a usage text, which has been taken from the words when docopt sees them."""


class _Option(NamedTuple):
    long: str
    takes_value: bool
    repeatable: bool

    @property
    def absent(self) -> Any:
        """What docopt says of an option that was not given."""
        return ([] if self.repeatable else None) if self.takes_value else False


def parse(usage: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the values of positional arguments and options, by their name in `usage`.

    Raises
    ------
    UsageError
        For words that do not fit; the message is one line.
    """
    declared = _declared(usage)
    named, positional = _split(declared, words)
    given = [word for values in named.values() for word in values]
    try:
        found = docopt(_for_docopt(usage, named), [*given, "--", *positional], default_help=False)
        return {option.long: option.absent for option in declared.values()} | found
    except DocoptExit:
        pattern = usage[usage.index("Usage:") :].split("\n\n", maxsplit=1)[0]
        line = " ".join(pattern.removeprefix("Usage:").split())
        raise UsageError(f"expected: {line} (see --help)") from None


def choice(value: str | None, names: Collection[str], what: str, default: str | None = None) -> str:
    """Return the value of an option that is one of `names`; if absent the default, or the first of them.

    Raises
    ------
    UsageError
        For another one, with the nearest name.
    """
    if value is None:
        return next(iter(names)) if default is None else default
    if value not in names:
        raise UsageError(known(value, what, names))
    return value


def share_no_stream(*paths: str | None) -> None:
    """Refuse standard input (``-``) for more than one of the inputs: the second would find nothing in it.

    Raises
    ------
    UsageError
        If two are ``-``.
    """
    if paths.count("-") > 1:
        raise UsageError("only one input can be standard input (-)")


def _for_docopt(usage: str, given: Container[str]) -> str:
    """Return the usage without the command, those options that can be repeated spelled out.

    Only options that were given stay: docopt compares each with every other, 3 ms for those of ``score``.
    """
    repeatable = "".join(
        f"[{long}{value}]... "
        for _, long, value, text in _DECLARED.findall(usage)
        if _REPEATABLE in text and long in given
    )
    usage = _DECLARED.sub(lambda option: option[0] if option[2] in given else "", usage)
    return _COMMAND.sub(r"\1", usage.replace("[options] ", f"[options] {repeatable}", 1), count=1)


def _declared(usage: str) -> dict[str, _Option]:
    options = {}
    for short, long, value, text in _DECLARED.findall(usage):
        option = _Option(long, bool(value), _REPEATABLE in text)
        options[long] = option
        if short:
            options[short] = option
    return options


def split(usage: str, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options with their values, and what is left; after ``--`` everything is left.

    Raises
    ------
    UsageError
        For an option that is not in `usage`, is given twice, or lacks its value.
    """
    named, positional = _split(_declared(usage), words)
    return [word for given in named.values() for word in given], positional


def _split(options: Mapping[str, _Option], words: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    named: dict[str, list[str]] = {}
    positional: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            positional.extend(rest)
        elif not word.startswith("-") or word == "-":
            positional.append(word)
        else:
            name, value = _parts(word)
            option = options.get(name)
            if option is None:
                raise UsageError(f"unknown option {quoted(name)}{_nearest(name, options)} (see --help)")
            if option.long in named and not option.repeatable:
                raise UsageError(f"{option.long} is given twice")
            named.setdefault(option.long, []).append(_with_value(option, value, rest))
    return named, positional


def _parts(word: str) -> tuple[str, str | None]:
    """Split an option from the value written with it: ``--x=v`` or ``-xv``."""
    if word.startswith("--"):
        name, equals, value = word.partition("=")
        return name, value if equals else None
    return word[:2], word[2:] or None


def _with_value(option: _Option, value: str | None, rest: Iterator[str]) -> str:
    """Return an option as one word, with the value that was written with it or comes next."""
    if not option.takes_value:
        if value is not None:
            raise UsageError(f"{option.long} takes no value")
        return option.long
    if value is None:
        value = next(rest, None)
    if value is None:
        raise UsageError(f"{option.long} needs a value")
    return f"{option.long}={value}"


def _nearest(name: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, [other for other in known if other.startswith("--")], 1)
    return f", did you mean {near[0]}?" if near else ""
