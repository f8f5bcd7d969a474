"""The usage texts of the commands, taken apart as a reader would."""

import re
from typing import NamedTuple

from scorch2.cli.commands import COMMANDS
from scorch2.cli.dispatch import Command

USAGES: dict[str, str] = {name: Command(name).usage for name in COMMANDS if name != "help"}
LINE = re.compile(r"  (?:(-\w), )?(--[a-z-]+)(=<.*?>)?(?: |$)")
AFTER_THE_HELP_OF_AN_OPTION = re.compile(r"\S|  ?\S|$")


class Option(NamedTuple):
    command: str
    short: str
    long: str
    takes_value: bool
    help: str

    @property
    def repeatable(self) -> bool:
        return "(repeatable)" in self.help


def declared(command: str) -> list[Option]:
    """Return the options of a command, as a reader finds them in its usage text."""
    found: list[Option] = []
    open_help = False
    for line in USAGES[command].splitlines():
        match = LINE.match(line)
        if match:
            found.append(Option(command, match[1] or "", match[2], bool(match[3]), line))
        elif open_help and not AFTER_THE_HELP_OF_AN_OPTION.match(line):
            found[-1] = found[-1]._replace(help=f"{found[-1].help}\n{line}")
        open_help = bool(match) or (open_help and not AFTER_THE_HELP_OF_AN_OPTION.match(line))
    return found


def needed(command: str, *, but: str = "") -> list[str]:
    """Return the fewest words that a command takes, without the option `but`."""
    pattern = re.sub(r"\[.*?\]", "", USAGES[command].split("Usage:\n")[1].split("\n")[0])
    words = re.findall(r"(--\w+=)?(<[^>]+>)", pattern)
    return [option + value.strip("<>") for option, value in words if option != f"{but}="]


OPTIONS = [
    option
    for command in USAGES
    for option in declared(command)
    if (command, option.long) != ("compose-measures", "--ratio")  # two words follow: taken out before
]
