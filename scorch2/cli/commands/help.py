"""scorch2 help: the usage of a command, or what commands there are."""

import importlib
from collections.abc import Sequence

from scorch2.cli import output
from scorch2.cli.commands import COMMANDS, GROUPS
from scorch2.model.errors import UsageError
from scorch2.model.messages import known


def run(words: Sequence[str]) -> int:
    """Print the usage of the command in `words`, or the one of score and a list of commands."""
    name = words[0] if words else "score"
    if name not in COMMANDS:
        raise UsageError(known(name, "command", COMMANDS))
    if name == "help":
        output.write(output.STDOUT, USAGE)
        return 0
    text: str = importlib.import_module(f"scorch2.cli.commands.{name.replace('-', '_')}").USAGE
    output.write(output.STDOUT, text if words else f"{text}\n{listing()}")
    return 0


def listing() -> str:
    """Return the commands by group, a line each."""
    width = max(map(len, COMMANDS))
    return "\n".join(
        "".join([f"{title}:\n", *(f"  {name:<{width}}  {what}\n" for name, what in group.items())])
        for title, group in GROUPS.items()
    )


USAGE = f"""Usage:
  scorch2 help [<command>]

{listing()}"""
