"""scorch2 validate: find what cannot be scored as it is written, and warn of broken rules of a format."""

import os
import sys
from collections.abc import Iterator, Sequence

from scorch2.cli import arguments, console, output, usage
from scorch2.formats import reading, source, table
from scorch2.model.document import Document
from scorch2.model.errors import SHOWN, InputError, Notice, counted, escaped, told
from scorch2.model.options import Options
from scorch2.scoring.flow import count_all, measure_pair
from scorch2.scoring.pairing.files import FileChoice, Pair, side_of

USAGE = f"""Check files: can they be scored as they are written, and do they follow the rules of their format?

Usage:
  scorch2 validate [options] [--] <path>...

  <path>        a file, a folder with its sub-folders, or - for standard input

Options:
{usage.format_option("--format=<name>", table.FORMATS)}
{usage.option_lines("--files=<glob>", usage.FILES_TEXT)}
  --strict                  a warning is a problem, too
  -v, --verbose             every warning, not only the first five of a kind
{usage.other_options("no warnings")}

A problem is what cannot be scored. Problems go to standard output, one per line: file, place, what
is wrong and what to do. Warnings tell what is odd, and which rules a file breaks that scores:
in CorefUD those of the validator of Universal Dependencies, in the exploded format of Universal
Anaphora those of its scorers.

{usage.exit_statuses("0 no problem, 1 a problem, 2 error (a path that is not there, say)")}
"""
CHOICES = {"--format": table.FORMATS}


def run(words: Sequence[str]) -> int:
    """Check what `words` name and return the exit status."""
    given = arguments.parse_words(USAGE, words)
    form = table.check_format(given["--format"])
    arguments.share_no_stream(*given["<path>"])
    problems: list[str] = []
    warnings: list[Notice] = []
    choice = FileChoice(given["--files"], "--files")
    every = [file for path in given["<path>"] for file in side_of(path, choice).files.values()]
    files = [file for file in every if form or not _is_text(file)]
    for path in files if given["--quiet"] else console.progress(files, len(files), "files"):
        for remark in _found(path, form):
            if isinstance(remark, Notice):
                warnings.append(remark)
            else:
                problems.append(str(remark))
    warnings = list(dict.fromkeys(warnings))  # a document is both sides of its pair
    lines = list(told(warnings, sys.maxsize if given["--verbose"] else SHOWN))
    number = len(problems)
    if given["--strict"]:
        number += len(warnings)
        problems += lines
    elif not given["--quiet"]:
        console.say_all(f"scorch2: warning: {line}" for line in lines)
    if problems:
        output.write(output.STDOUT, "".join(f"{escaped(line)}\n" for line in problems))
        console.say(f"scorch2: {counted(number, 'problem')} in {counted(len(files), 'file')}")
    return 1 if problems else 0


def _is_text(path: str) -> bool:
    """Return whether a file is no document, but the text that one beside it is about."""
    # pre-commit gives both, and perhaps to two processes
    return any(
        path == source.path_beside(path, row.text_beside)
        and any(os.path.isfile(source.path_beside(path, suffix)) for suffix in row.suffixes)
        and reading.recognised(path) is None
        for row in table.FORMATS.values()
        if row.text_beside
    )


def _found(path: str, form: str | None) -> Iterator[InputError | Notice]:
    """Yield what is odd in a file and the rules of its format that it breaks, then what cannot be scored."""
    unscored: list[InputError] = []
    try:
        data, name = source.read_data(path), ""
        for document in _documents(data, path, form):
            name = document.format
            try:
                yield from measure_pair(
                    Pair(document.id, document, document), count_all((), Options()), Options()
                )[1]
            except InputError as error:
                unscored.append(error)
        yield from reading.problems(data, path, name)
    except InputError as error:
        unscored.append(error)
    yield from unscored


def _documents(data: bytes, path: str, form: str | None) -> Iterator[Document]:
    """Yield the documents of a file as gold, and as a system where its objects may hold both."""
    yield from reading.documents(data, path, form, table.GOLD_KEYS, "--format")
    if b'"predicted_clusters"' in data:
        yield from reading.documents(data, path, form, table.SYSTEM_KEYS, "--format")
