"""scorch2 help: the usage of a command, a page of the guide, or what commands and pages there are."""

import os
import sys
from collections.abc import Mapping, Sequence

from scorch2 import guide
from scorch2.cli import arguments, commands, completion, output
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.forms import forms_of
from scorch2.model.options import OPTIONS, PROFILES

PATTERN = "scorch2 help [<command> | <topic> | completion <shell>]"
_WORDS = 2  # words that ask for a script of completion; anything else takes one
GUIDE = "Guide (scorch2 help <topic>)"  # the title of the topics in the list


def run(words: Sequence[str]) -> int:
    """Print the usage of the command in `words`, the page of the topic, or the usage of score and a list."""
    name = words[0] if words else "score"
    if len(words) > (_WORDS if name == completion.TOPIC else 1):
        raise UsageError(f"expected: {PATTERN} (see scorch2 help help)")
    if name == completion.TOPIC:
        asked = completion.script(words[1]) if len(words) > 1 else completion.instructions()
        output.write(output.STDOUT, asked)
        return 0
    if name in guide.TOPICS:
        _show(guide.page(name))
        return 0
    if name not in commands.COMMANDS:
        there = [*commands.COMMANDS, *guide.TOPICS, completion.TOPIC]
        raise UsageError(unknown_name(name, "command or topic", there))
    text = commands.command(name).USAGE
    output.write(output.STDOUT, text if words else f"{text}\n{listing()}")
    return 0


def listing() -> str:
    """Return the commands by group, then the topics of the guide, one line each."""
    groups: Mapping[str, Mapping[str, str]] = {**commands.GROUPS, GUIDE: guide.TOPICS}
    width = max(len(name) for group in groups.values() for name in group)
    return "\n".join(
        "".join([f"{title}:\n", *(f"  {name:<{width}}  {what}\n" for name, what in group.items())])
        for title, group in groups.items()
    )


def _show(text: str) -> None:
    """Print a page: on a terminal with the program that PAGER names, if it is there, else as it is."""
    words = os.environ.get("PAGER", "").split()
    if words and sys.stdout is not None and sys.stdout.isatty():
        from shutil import which

        if which(words[0]) is not None:
            import pydoc

            pydoc.pager(text)
            return
    output.write(output.STDOUT, text)


USAGE = f"""Usage:
  {PATTERN}

{listing()}"""


_NEEDED = {
    "-m, --metric=<name>": "metrics, separated by commas, or all",
    "-f, --format=<name>": f"form of the report: {arguments.name_list(forms_of('scores'), 'default')}",
    "--average=<how>": f"{arguments.name_list(OPTIONS['average'].values)}: how to average documents",
    "--profile=<name>": f"{arguments.name_list(PROFILES)}: the numbers of that scorer",
    "--confidence=<percent>": "add bootstrap confidence intervals",
    "--fail-under=<spec>": "exit status 1 if a score is lower, conll=0.75 for example",
    "-j, --jobs=<n>": "number of worker processes",
}
_MORE = {
    "scorch2 --help": "all options, all commands",
    "scorch2 help <command>": "conll, gate, convert, evaluate and more, one by one",
}
BRIEF = f"""Score coreference output against gold.

Usage:
  scorch2 [score] [options] [--] <gold> <sys> [<out-file>]

Options needed most:
{arguments.option_table(_NEEDED)}

{arguments.option_table(_MORE)}"""
