"""The words of a command line, and the help texts that say which there are.

docopt-ng takes prefixes of options for options, ``-5`` for a positional argument, and ``--`` behind the first
of them for a value; it reports an error with Python reprs and status 1. So the words are checked and put in
order before it sees them, and what it refuses becomes a `UsageError` of one line. Where positions take one
word each, it is not asked.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import takewhile, zip_longest
from typing import Any, NamedTuple

from scorch2.model.errors import UsageError, nearest, quoted, unknown_name
from scorch2.model.forms import forms_of

_MOST_PATHS = 3  # gold, the system, and where the report goes
_REPEATABLE = "(repeatable)"  # mark in the help text of an option that may be given more than once


class DeclaredOption(NamedTuple):
    """An option of a usage text."""

    long: str
    short: str
    value: str  # how the usage writes its value, ``=<name>``; empty for a flag
    help: str

    @property
    def repeatable(self) -> bool:
        """True if it can be given more than once."""
        return _REPEATABLE in self.help

    @property
    def untyped(self) -> Any:
        """The value from `parse_words` if it was not typed."""
        return [] if self.repeatable else None if self.value else False


def parse_words(usage: str, words: Sequence[str]) -> dict[str, Any]:
    """Return the values of positional arguments and options by their names in `usage`, or raise a UsageError.

    An option that was not typed is None, False if it takes no value, or an empty list if it is repeatable.
    """
    typed, positional = split_words(usage, words)
    places = _in_their_places(_pattern(usage), positional)
    options = {option.long: option for option in declared_options(usage).values()}
    values: dict[str, Any] = {name: option.untyped for name, option in options.items()}
    if places is None:
        return values | found_by_docopt(usage, typed, positional)
    for word in typed:
        name, equals, value = word.partition("=")
        values[name] = [*values[name], value] if options[name].repeatable else value if equals else True
    return values | places


def _in_their_places(pattern: str, positional: Sequence[str]) -> dict[str, Any] | None:
    """Return positional arguments by name; None if docopt-ng has to say how, or why not."""
    # It takes 2 ms to import: a run with a gold and a system path, an output or none, goes without it
    names = [word for word in pattern.split() if word.startswith(("<", "[<"))]
    if len(names) < len(positional) or "..." in pattern or "=<" in pattern:
        return None
    if any(name.startswith("<") for name in names[len(positional) :]):
        return None
    return dict(zip_longest((name.strip("[]") for name in names), positional))


def found_by_docopt(usage: str, typed: Sequence[str], positional: Sequence[str]) -> dict[str, Any]:
    """Return what docopt-ng finds of the words, by name.

    docopt-ng compares each option that it is shown with every other, and ``score`` has more than 40: so it is
    shown those that were typed.
    """
    from docopt import DocoptExit, docopt

    shown = _for_docopt(usage, {word.partition("=")[0] for word in typed})
    program, word = _pattern(usage).split()[:2]
    command = [word.strip("[]")] if program == "scorch2" else []  # conll2json is a program of its own
    try:
        values = docopt(shown, [*command, *typed, "--", *positional], default_help=False)
    except DocoptExit:
        several = len(positional) > _MOST_PATHS and "[--] <gold> <sys>" in _pattern(usage)
        hint = f"{len(positional)} paths: give the two folders, gold and system; " if several else ""
        raise UsageError(f"{hint}expected: {_pattern(usage)} (see --help)") from None
    del values["--"]
    return {name: value for name, value in values.items() if name.startswith(("<", "--"))}


def split_words(usage: str, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the options with their values, and what is left; after ``--`` everything is left."""
    options = declared_options(usage)
    typed: list[str] = []
    positional: list[str] = []
    names = set()
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
                near = _nearest(name, options, usage)
                raise UsageError(f"unknown option {quoted(name)}{near} (see --help)")
            if option.long in names and not option.repeatable:
                raise UsageError(f"{option.long} is given twice")
            names.add(option.long)
            typed.append(_with_value(option, value, rest))
    return typed, positional


@cache
def declared_options(usage: str) -> dict[str, DeclaredOption]:
    """Return the options of a usage text by each of their names."""
    options = {}
    for part in usage.split("\n  -")[1:]:  # a regular expression would take longer to compile than this runs
        first, *others = part.split("\n")
        short, first = ("", f"-{first}") if first.startswith("-") else (f"-{first[0]}", first[3:])
        word, _, text = first.partition(" ")
        long, equals, value = word.partition("=")
        more = takewhile(lambda line: line.startswith("    "), others)
        options[long] = DeclaredOption(long, short, equals + value, "\n".join([text, *more]))
        if short:
            options[short] = options[long]
    return options


def choice(value: str | None, names: Collection[str], what: str, default: str | None = None) -> str:
    """Return the value of an option that is one of `names`; if absent the default, or the first of them."""
    if value is None:
        return next(iter(names)) if default is None else default
    if value not in names:
        raise UsageError(unknown_name(value, what, names))
    return value


def share_no_stream(*paths: str | None) -> None:
    """Refuse standard input (``-``) for more than one of the inputs: the second would find nothing in it."""
    if paths.count("-") > 1:
        raise UsageError("only one input can be standard input (-)")


def _pattern(usage: str) -> str:
    return " ".join(usage[usage.index("Usage:") :].split("\n\n", maxsplit=1)[0].split()[1:])


def _for_docopt(usage: str, typed: Collection[str]) -> str:
    """Return the usage with the options of these names; a repeatable one is in the pattern too."""
    options = sorted({option for option in declared_options(usage).values() if option.long in typed})
    several = [f"[{option.long}{option.value}]..." for option in options if option.repeatable]
    pattern = _pattern(usage).replace("[options]", " ".join(["[options]", *several]))
    lines = [f"  {option.long}{option.value}" for option in options]
    return "\n".join([f"Usage: {pattern}", "", "Options:", *lines])


def _parts(word: str) -> tuple[str, str | None]:
    """Split an option from the value written with it: ``--x=v`` or ``-xv``."""
    if word.startswith("--"):
        name, equals, value = word.partition("=")
        return name, value if equals else None
    return word[:2], word[2:] or None


def _with_value(option: DeclaredOption, value: str | None, rest: Iterator[str]) -> str:
    if not option.value:
        if value is not None:
            raise UsageError(f"{option.long} takes no value")
        return option.long
    if value is None:
        value = next(rest, None)
    if value is None:
        raise UsageError(f"{option.long} needs a value")
    return f"{option.long}={value}"


_ELSEWHERE = {
    "-a": "--match",
    "-d": "--layer=deixis",
    "-l": "--split-antecedents=keep",
    "-s": "--singletons=keep",
    "-t": "--profile",
    "-x": "--match=exact",
    "-z": "--zeros",
    "--exact-match": "--match=exact",
    "--keep-singletons": "--singletons=keep",
    "--keep-split-antecedents": "--split-antecedents=keep",
    "--keep-zeros": "--zeros=place",
    "--np-only": "--phrases=np",
    "--only-split-antecedent": "--split-antecedents=only",
    "--remove-nested-mentions": "--nested=drop",
    "--zero-match-method": "--zeros",
}
"""Options of the CorefUD and Universal Anaphora scorers, and what they are called here."""


def _nearest(name: str, known: Collection[str], usage: str) -> str:
    """Return the option that is meant, if one can be guessed: as other scorers call it, or nearly so."""
    if name in ("-g", "--gold") and "<gold>" in _pattern(usage):
        return ": gold is the first path"
    here = _ELSEWHERE.get(name, "")
    if here.partition("=")[0] in known:
        return f", did you mean {here}?"
    if "-f" in known and name.removeprefix("--") in forms_of("scores"):
        return f", did you mean -f {name.removeprefix('--')}?"
    near = nearest(name, [other for other in known if other.startswith("--")])
    return f", did you mean {near}?" if near else ""
