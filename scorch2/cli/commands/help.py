"""scorch2 help: the usage of a command, a page of the guide, or what commands and pages there are."""

import os
import sys
from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any

from scorch2 import guide
from scorch2.cli import arguments, commands, completion, output
from scorch2.model.errors import UsageError, counted, unknown_name
from scorch2.model.forms import forms_of
from scorch2.model.options import OPTIONS
from scorch2.model.profiles import PROFILES

PATTERN = "scorch2 help [<command> | <topic> | completion <shell> | <word>...]"
GUIDE = "Guide (scorch2 help <topic>)"  # the title of the topics in the list
_COMMANDS = "Commands (scorch2 help <command>)"
_LINES, _PAGES = 4, 6  # how many lines of a page, and pages, are shown if words are searched
_PRINTED = "```console"
_HISTORY = "changes"  # the page that is shown last
_INDENTED: Mapping[str, Any] = {
    **dict.fromkeys(("initial_indent", "subsequent_indent"), "  "),
    "break_on_hyphens": False,
}


def run(words: Sequence[str]) -> int:
    """Print the usage of a command, a page, the lines of pages with some words, or what there is."""
    name, *more = words or [""]
    if name == completion.TOPIC and len(more) <= 1:
        asked = completion.script(more[0]) if more else completion.instructions()
        output.write(output.STDOUT, asked)
    elif not words:
        output.write(output.STDOUT, USAGE)
    elif name in guide.TOPICS and not more:
        _show(guide.page(name))
    elif name in commands.COMMANDS and not more:
        output.write(output.STDOUT, commands.command(name).USAGE + (_names() if name == "score" else ""))
    else:
        output.write(output.STDOUT, _found(words))
    return 0


def _names() -> str:
    """Return the names of all commands and pages."""
    lists = {_COMMANDS: commands.COMMANDS, GUIDE: guide.TOPICS}
    return "".join(
        f"\n{title}:\n{fill(', '.join(names), arguments.WIDTH, **_INDENTED)}\n"
        for title, names in lists.items()
    )


def _found(words: Sequence[str]) -> str:
    """Return the lines of the guide that hold some words, by page: first the pages about them."""
    wanted = [word.casefold() for word in words if word.strip()]
    by_page = _by_page(wanted)
    if not any(by_page.values()):  # documents across topics, where cross-document is asked for
        wanted = [part for word in wanted for part in word.split("-") if part]
        by_page = _by_page(wanted)

    def rank(topic: str) -> tuple[bool, int, bool, int]:
        are_apart = not any(_holds(line.casefold(), wanted) for line in by_page[topic])
        heads = [line.casefold() for line in by_page[topic] if line.startswith("#")]
        about = [f"{topic} {guide.TOPICS[topic]}".casefold(), *heads]
        return (
            topic == _HISTORY,
            -sum(_holds(line, wanted) for line in about),
            are_apart,
            -len(by_page[topic]),
        )

    pages = sorted((topic for topic, lines in by_page.items() if lines), key=rank)
    if not pages:
        there = [*commands.COMMANDS, *guide.TOPICS, completion.TOPIC]
        raise UsageError(unknown_name(" ".join(words), "command or topic", there))
    width = output.terminal_width() or arguments.WIDTH
    shown = []
    for topic in pages[:_PAGES]:
        lines = by_page[topic]
        shown.append(output.bold(f"scorch2 help {topic}: {guide.TOPICS[topic]}"))
        shown += [f"  {_around(wanted, line, width - 2)}" for line in lines[:_LINES]]
        shown += [f"  … and {counted(len(lines) - _LINES, 'more line')}"] if len(lines) > _LINES else []
        shown.append("")
    shown += [fill(f"… and in {', '.join(pages[_PAGES:])}", width), ""] if len(pages) > _PAGES else []
    return "\n".join(shown)


def _by_page(words: Sequence[str]) -> dict[str, list[str]]:
    return {topic: _lines_with(words, guide.page(topic)) for topic in guide.TOPICS}


def _holds(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)


def _lines_with(words: Sequence[str], page: str) -> list[str]:
    """Return the lines of a page that hold all words; if these are apart, the lines with any of them."""
    if not (words and _holds(page.casefold(), words)):
        return []
    lines = []
    fence = ""
    for line in page.splitlines():
        if line.startswith("```"):
            fence = "" if fence else line
        elif fence != _PRINTED or line.startswith("$ "):  # what commands print is no text
            lines.append(line.strip())
    for enough in (all, any):
        found = [line for line in lines if enough(word in line.casefold() for word in words)]
        if found:
            return found
    return []


def _around(words: Sequence[str], line: str, width: int) -> str:
    """Return the part of a line around the first of some words, in `width` characters."""
    if len(line) <= width:
        return line
    place = min(found for word in words if (found := line.casefold().find(word)) >= 0)
    start = max(0, min(place - width // 3, len(line) - width))
    before, after = "…" if start else "", "…" if start + width < len(line) else ""
    return f"{before}{line[start + len(before) : start + width - len(after)]}{after}"


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
    "scorch2 --help": "all options",
    "scorch2 help": "all commands and pages of the guide",
    "scorch2 help <word>": "the usage of a command, a page, or the lines of pages that hold the word",
}
BRIEF = f"""Score coreference output against gold.

Usage:
  scorch2 [score] [options] [--] <gold> <sys> [<out-file>]

Options needed most:
{arguments.option_table(_NEEDED)}

{arguments.option_table(_MORE)}"""
