"""Completion of words on the command line: a script for each shell, made from the tables.

A script knows the commands, the options of each, and the values of options that are choices; other values are
completed as paths. It runs nothing, so that a press of a key costs nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

from scorch2 import guide
from scorch2.cli import arguments
from scorch2.cli.commands import COMMANDS, command
from scorch2.model.errors import UsageError, unknown_name

TOPIC = "completion"
"""The word after ``scorch2 help`` that asks for a script."""
INSTALLED = {
    "bash": "~/.local/share/bash-completion/completions/scorch2",
    "zsh": "a folder of $fpath, as _scorch2",
    "fish": "~/.config/fish/completions/scorch2.fish",
}
"""The shells, and where each looks for its script."""
SHELL_WORDS = tuple(INSTALLED)


_WIDTH = 60
"""Characters of what is said about an option."""
_PATHS = ("file", "path", "template", "dir")
"""Words in the names of values that are paths."""


class Completed(NamedTuple):
    """An option of a command, and how its value is completed."""

    long: str
    short: str
    what: str
    takes_value: bool
    repeatable: bool
    values: tuple[str, ...]
    """The values, if it is a choice."""
    is_path: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The ways to type it."""
        return (self.long, self.short) if self.short else (self.long,)

    @property
    def is_list(self) -> bool:
        """True if several values may stand in one word."""
        return self.long in ("--metric", "--metrics", "--measure")


def script(shell: str) -> str:
    """Return the script for a shell.

    Raises
    ------
    UsageError
        For a shell that there is no script for.
    """
    if shell not in INSTALLED:
        raise UsageError(unknown_name(shell, "shell", INSTALLED))
    text: str = import_module(f"scorch2.cli.completion.{shell}").script(
        {name: options(name) for name in COMMANDS}
    )
    return text


def instructions() -> str:
    """Return how to install the scripts, for users who name no shell."""
    lines = [f"  scorch2 help {TOPIC} {shell:<5} > {place}" for shell, place in INSTALLED.items()]
    return "\n".join(
        ["Print the script that completes words in a shell, and where to put it:", "", *lines, ""]
    )


def help_words() -> Sequence[str]:
    """Return what can follow ``scorch2 help``."""
    return (*COMMANDS, *guide.TOPICS, TOPIC)


def options(name: str) -> Sequence[Completed]:
    """Return the options of a command in the order of its help."""
    if name == "help":
        return ()
    module = command(name)
    found = dict.fromkeys(arguments.declared(module.USAGE).values())
    values = {**_shared(), **getattr(module, "CHOICES", {})}
    return [
        Completed(
            long=option.long,
            short=option.short,
            what=_first_words(option.help),
            takes_value=bool(option.value),
            repeatable=option.repeatable,
            values=tuple(values.get(option.long, ())) if option.value else (),
            is_path=any(word in option.value for word in _PATHS),
        )
        for option in found
    ]


def _shared() -> Mapping[str, Iterable[str]]:
    """Return the values of options that mean the same in every command."""
    from scorch2.formats.table import FORMATS, format_names
    from scorch2.linking.evidence import FIELDS
    from scorch2.linking.measures import GROUPS, MEASURES
    from scorch2.model.document import COUNTINGS
    from scorch2.model.options import ALL, OPTIONS, PROFILES
    from scorch2.reports import REPORTS
    from scorch2.scoring.metrics import METRICS

    return {
        **{option.flag: (*option.values, *option.row.aliases) for option in OPTIONS.values()},
        "--profile": PROFILES,
        "--report": REPORTS,
        "--metric": (ALL, *METRICS),
        "--measure": (*MEASURES, *GROUPS),
        "--group-by": [name for name, field in FIELDS.items() if field.comparable],
        **dict.fromkeys(("--gold-offsets", "--sys-offsets"), COUNTINGS),
        **dict.fromkeys(("--gold-format", "--sys-format", "--from"), FORMATS),
        "--to": format_names(lambda row: row.writer),
        "--dask": ("local",),
    }


def _first_words(text: str) -> str:
    """Return the beginning of the help of an option, for one line."""
    words = " ".join(text.split())
    return words if len(words) <= _WIDTH else words[:_WIDTH].rpartition(" ")[0] + " …"
