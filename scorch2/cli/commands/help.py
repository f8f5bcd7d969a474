"""scorch2 help: the usage of a command, a page of the guide, or what commands and pages there are."""

import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import fsum, log
from textwrap import fill
from typing import Any, NamedTuple

from scorch2 import guide
from scorch2.cli import commands, completion, output, usage
from scorch2.cli.dispatch import Command
from scorch2.model.errors import UsageError, counted, enumerated, unknown_name
from scorch2.model.options import OPTIONS
from scorch2.model.values import PROFILES

_ALL = "options"  # the word for the whole help of score
PATTERN = "scorch2 help [<command> | <topic> | options | completion <shell> | <word>...]"
GUIDE = "Guide (scorch2 help <topic>)"  # the title of the topics in the list
_COMMANDS = "Commands (scorch2 help <command>)"
_LINES, _PAGES = 4, 6  # how many lines of a page, and pages, are shown if words are searched
_PRINTED = "```console"
_HISTORY = "changes"  # the page that is shown last
_MESSAGES = "faq"  # the page whose entries are shown whole
_FEW = 3  # so many words may stand apart on a page
_OFTEN = (
    5  # a word, or two in a row, that is in more than one of so many sections does not tell what is meant
)
_NEAR = 0.4  # other sections are named whose weight is more than this part of the first one's
_WORD = re.compile(r"[^\W\d_]\w+|\b(?:19|20)\d\d\b")  # a year is a word: CRAC 2023
_NAME = re.compile(r"\S*[/\\]\S*")  # a path, or the name of a document, in a message
_RUN = 3  # so many words of a message that follow each other in an entry make sure that it is meant
_UNSURE = "Nearest pages, not this message:\n"
_INDENTED: Mapping[str, Any] = {
    **dict.fromkeys(("initial_indent", "subsequent_indent"), "  "),
    "break_on_hyphens": False,
}


def parse(words: Sequence[str]) -> dict[str, Any]:
    """Return the words: all of them say what is wanted."""
    return {"<word>": words}


def run(given: dict[str, Any]) -> int:
    """Print the usage of a command, a page, the lines of pages with some words, or what there is."""
    words = given["<word>"]
    name, *more = words or [""]
    if name == completion.TOPIC and len(more) <= 1:
        asked = completion.script(more[0]) if more else completion.instructions()
        output.write(output.STDOUT, asked)
    elif not words:
        output.write(output.STDOUT, USAGE)
    elif name in guide.TOPICS and not more:
        _show(guide.page(name))
    elif name == "score" and not more:
        output.write(output.STDOUT, FIRST_SCREEN)
    elif name == _ALL and not more:
        output.write(output.STDOUT, Command("score").usage + _names())
    elif name in commands.COMMANDS and not more:
        output.write(output.STDOUT, Command(name).usage)
    else:
        output.write(output.STDOUT, _found(words))
    return 0


def _names() -> str:
    """Return the names of all commands and pages."""
    lists = {_COMMANDS: list(commands.COMMANDS), GUIDE: list(guide.TOPICS)}
    return "".join(
        f"\n{title}:\n{fill(', '.join(names), usage.WIDTH, **_INDENTED)}\n" for title, names in lists.items()
    )


def _found(words: Sequence[str]) -> str:
    """Return the lines of the guide that hold some words, by page: first the pages about them."""
    wanted = [word.casefold() for word in words if word.strip()]
    by_page = _by_page(wanted)
    if not any(by_page.values()):  # documents across topics, where cross-document is asked for
        wanted = [part for word in wanted for part in word.split("-") if part]
        by_page = _by_page(wanted)

    def are_apart(topic: str) -> bool:
        return not any(_holds(line.casefold(), wanted) for line in by_page[topic])

    def rank(topic: str) -> tuple[bool, int, bool, int]:
        heads = [line.casefold() for line in by_page[topic] if line.startswith("#")]
        about = [f"{topic} {guide.TOPICS[topic]}".casefold(), *heads]
        return (
            topic == _HISTORY,
            -sum(_holds(line, wanted) for line in about),
            are_apart(topic),
            -len(by_page[topic]),
        )

    pages = sorted((topic for topic, lines in by_page.items() if lines), key=rank)
    asked = " ".join(words)
    sections, weights = _ranked(asked) if len(asked.split()) > 1 else ([], {})
    is_message = len(asked.split()) > _FEW and all(map(are_apart, pages))
    if sections and (is_message or not pages or sections[0].topic == _MESSAGES):
        return ("" if _is_about(sections[0], asked) else _UNSURE) + _told(sections, weights)
    if not pages:
        there = [*commands.COMMANDS, *guide.TOPICS, completion.TOPIC]
        raise UsageError(unknown_name(" ".join(words), "command or topic", there))
    return _listed(pages, by_page, wanted)


def _listed(pages: Sequence[str], by_page: Mapping[str, Sequence[str]], wanted: Sequence[str]) -> str:
    """Return some lines of each page, and the names of further pages."""
    width = output.terminal_width() or usage.WIDTH
    shown = []
    for topic in pages[:_PAGES]:
        lines = by_page[topic]
        shown.append(_title(topic))
        shown += [f"  {_around(wanted, line, width - 2)}" for line in lines[:_LINES]]
        shown += [f"  … and {counted(len(lines) - _LINES, 'more line')}"] if len(lines) > _LINES else []
        shown.append("")
    shown += [fill(f"… and in {', '.join(pages[_PAGES:])}", width), ""] if len(pages) > _PAGES else []
    return "\n".join(shown)


def _title(topic: str) -> str:
    return output.bold(f"scorch2 help {topic}: {guide.TOPICS[topic]}")


class _Section(NamedTuple):
    """A heading of a page, and the lines below it but console examples."""

    topic: str
    lines: Sequence[str]
    head: frozenset[str]
    terms: frozenset[str]


def _sections(topic: str) -> Iterator[_Section]:
    lines: list[str] = []
    for line, fence in [*_lines_of(guide.page(topic)), ("# end", "")]:
        if not fence and line.startswith("#") and lines:
            head = f"{lines[0]} {topic} {guide.TOPICS[topic]}" if lines[0].startswith("# ") else lines[0]
            terms = (frozenset(_terms(text)) for text in (head, " ".join([head, *lines])))
            yield _Section(topic, lines, *terms)
            lines = []
        if fence != _PRINTED:
            lines.append(line)


def _terms(text: str) -> list[str]:
    """Return the words of a text, and each two that follow each other."""
    words = _WORD.findall(text.casefold())
    return [*words, *map(" ".join, pairwise(words))]


def _ranked(asked: str) -> tuple[list[_Section], Mapping[str, float]]:
    """Return the sections with words of a question or message, those first that have the most and the rarest.

    Names and numbers in it that are in no section do not count, and words that are in many do little. The
    second value says how much each word tells, and each two that follow each other.
    """
    sections = [section for topic in guide.TOPICS for section in _sections(topic)]
    terms = dict.fromkeys(_terms(asked))
    holding = Counter(term for section in sections for term in terms.keys() & section.terms)
    weights = {term: log(len(sections) / holding[term]) for term in terms if holding[term]}
    longest = 1 + (len(asked.split()) > _FEW)  # a message may tell by two words in a row alone
    telling = {
        term for term in weights if holding[term] * _OFTEN <= len(sections) and len(term.split()) <= longest
    }

    def weight(section: _Section) -> float:
        if section.topic == _HISTORY or not section.terms & telling:
            return 0
        there = weights.keys() & section.terms
        return fsum(weights[term] * (1 + (term in section.head)) for term in there)

    ordered = sorted(((weight(section), section) for section in sections), key=lambda one: -one[0])
    return [section for value, section in ordered if value > ordered[0][0] * _NEAR], weights


def _is_about(section: _Section, asked: str) -> bool:
    """Return whether an entry has the message, or a question: some words of it in a row, or half of them."""
    words = _WORD.findall(_NAME.sub(" ", asked.casefold()))
    longest = run = 0
    for before, word in pairwise(["", *words]):
        follows = run and f"{before} {word}" in section.terms
        run = run + 1 if follows else int(word in section.terms)
        longest = max(longest, run)
    return section.topic == _MESSAGES and (longest >= _RUN or 2 * longest >= len(words))


def _told(sections: Sequence[_Section], weights: Mapping[str, float]) -> str:
    """Return the first section, whole if it is an entry about a message, and the headings of some others."""
    width = output.terminal_width() or usage.WIDTH
    first, *others = sections
    head, *lines = first.lines
    if first.topic != _MESSAGES:
        lines = [f"  {line}" for line in _most_telling([line for line in lines if line], weights, width - 2)]
    shown = [_title(first.topic), head, *lines, *([] if lines and not lines[-1] else [""])]
    for topic in dict.fromkeys(section.topic for section in others[:_PAGES]):
        heads = [section.lines[0][: width - 2] for section in others[:_PAGES] if section.topic == topic]
        shown += [_title(topic), *(f"  {head}" for head in heads)]
    return "\n".join([*shown, ""])


def _most_telling(lines: Sequence[str], weights: Mapping[str, float], width: int) -> list[str]:
    """Return a few lines with the words that tell most, in their order and each around such a word."""

    def words(line: str) -> list[str]:
        there = {word for word in _WORD.findall(line.casefold()) if word in weights}
        return sorted(there, key=lambda word: (-weights[word], word))

    best = sorted(lines, key=lambda line: -fsum(weights[word] for word in words(line)))[: _LINES - 1]
    return [_around(words(line)[:1] or [""], line, width) for line in lines if line in best]


def _by_page(words: Sequence[str]) -> dict[str, list[str]]:
    return {topic: _lines_with(words, guide.page(topic)) for topic in guide.TOPICS}


def _holds(text: str, words: Sequence[str]) -> bool:
    return all(word in text for word in words)


def _lines_with(words: Sequence[str], page: str) -> list[str]:
    """Return the lines of a page that hold all words; if these are apart, the lines with any of them."""
    if not (words and _holds(page.casefold(), words)):
        return []
    lines = [line.strip() for line, _ in _lines_of(page)]
    for enough in (all, any):
        found = [line for line in lines if enough(word in line.casefold() for word in words)]
        if found:
            return found
    return []


def _lines_of(page: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a page but what commands print, each with the line that begins its example."""
    fence = ""
    for line in page.splitlines():
        if line.startswith("```"):
            fence = "" if fence else line
        elif fence != _PRINTED or line.startswith("$ "):
            yield line, fence


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
    groups = {
        title: {name: row.what for name, row in group.items()} for title, group in commands.GROUPS.items()
    }
    groups[GUIDE] = {**guide.TOPICS}
    width = max(len(name) for group in groups.values() for name in group)
    return "\n".join(
        "".join([f"{title}:\n", *(f"  {name:<{width}}  {what}\n" for name, what in group.items())])
        for title, group in groups.items()
    )


def _show(text: str) -> None:
    """Print a page: on a terminal with the program that PAGER names, if it is there, else as it is."""
    pager = os.environ.get("PAGER", "")
    if pager and sys.stdout is not None and sys.stdout.isatty():
        import shlex
        from shutil import which

        try:
            words = shlex.split(pager)
        except ValueError:  # a quote without its partner
            words = []
        if words and which(words[0]) is not None:
            import pydoc

            pydoc.pager(text)
            return
    output.write(output.STDOUT, text)


USAGE = f"""Usage:
  {PATTERN}

{listing()}"""


_NEEDED = {
    "-m, --metric=<name>": "muc, b_cubed, ceaf_e, lea, conll and others, separated by commas, or all",
    "--profile=<name>": f"{usage.name_list(PROFILES)}: the numbers of that scorer",
    "--average=<how>": f"{usage.name_list(OPTIONS['average'].values)}: how to average documents",
    "--singletons=<what>": "keep, drop: what becomes of entities of one mention",
    "--match=<when>": "exact, head, partial and others: when two mentions are the same",
    "--align=<how>": "characters, text: both sides have other tokens, or other words",
    "-f, --format=<name>": "text, table, json, markdown, latex, html and others: form of the report",
    "--per-document": "add rows for every document",
    "--confidence=<percent>": "add bootstrap confidence intervals",
    "--fail-under=<spec>": "exit status 1 if a score is lower, conll=0.75 for example",
    "-j, --jobs=<n>": "number of worker processes",
    "-q, --quiet": "no warnings, no progress bar",
}
_MORE = {
    "scorch2 help quickstart": "start here: first results, by situation",
    "scorch2 --help=all": "all options of score (also: scorch2 help options)",
    "scorch2 help": "all commands and pages of the guide, a line each",
    "scorch2 help <word>": "a command, a page, or the lines of pages that hold the word or message",
}
_GROUPS = "\n".join(
    f"  {title}: {enumerated(group, usage.WIDTH - len(title) - 16)}"  # and 12 more, for example
    for title, group in commands.GROUPS.items()
)
FIRST_SCREEN = f"""Score coreference output against gold: MUC, B³, CEAF_m, CEAF_e, BLANC, LEA, CoNLL average.

Usage:
  scorch2 [score] [options] [--] <gold> <sys> [<out-file>]

  <gold> <sys>  files or folders, or - for standard input on one side; formats are detected
  <out-file>    where the report goes; standard output if absent or -

Options needed most:
{usage.option_table(_NEEDED)}

{_COMMANDS}:
{_GROUPS}

Read on:
{usage.option_table(_MORE)}
"""
