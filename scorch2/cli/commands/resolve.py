"""scorch2 resolve: a simple system to compare with, made of the mentions of gold."""

import os
from collections.abc import Mapping
from typing import Any

from scorch2.analysis.heads import RULES, Resolver
from scorch2.cli import console, usage
from scorch2.cli.commands.convert import Origin, convert
from scorch2.formats import reading, table
from scorch2.formats.source import STDIN, read_data
from scorch2.model.errors import UsageError
from scorch2.model.options import OPTIONS, options_from
from scorch2.scoring.pairing.files import FileChoice, folder_files

_TO = "output format: by default that of gold if scorch2 writes it, else clusters"
_REACH = f"{usage.name_list(OPTIONS['documents'].values, 'default')}: what clusters reach over"
_OUT = "a file, - for standard output, or a folder, as of scorch2 convert"
USAGE = f"""Write a simple system to compare with: the mentions of gold, put into clusters by a rule.

Usage:
  scorch2 resolve [options] --rule=<name> [--] <gold> <out>

  <gold>   a file in any format, - for standard input, or a folder with its sub-folders
{usage.option_lines("<out>", _OUT, 9)}

Rules, and what each puts into one cluster:
{usage.option_table(RULES, 15)}

Options:
  --rule=<name>      {", ".join(RULES)}
{usage.option_lines("--documents=<what>", _REACH, 21)}
{usage.option_lines("--topics=<regex>", OPTIONS["topics"].row.what, 21)}
{usage.option_lines("--to=<format>", _TO, 21)}
{usage.format_option("--from=<format>", table.FORMATS, 21)}
{usage.option_lines("--files=<glob>", usage.FILES_TEXT, 21)}
{usage.option_lines("--key=<name>", "key of the clusters in JSON of neural systems", 21)}
  --force            overwrite files of other formats, and read-only files
{usage.other_options("no warnings", 21)}

Heads are those of the file: of its syntax, or as it names them. Where it has none, the head is the
last of the first nouns that follow each other, by the tags of the words; without tags it is the
last word before a preposition, a relative pronoun or a comma, as in English.

{usage.exit_statuses("0 done, 2 error (nothing was written)")}
"""
CHOICES = {"--rule": RULES, "--documents": OPTIONS["documents"].values}
_HOLD_NAMES = ("clusters", "conll")
"""Formats that write the names of clusters as they are, so that they mean the same in several documents."""


def run(given: dict[str, Any]) -> int:
    """Write the system that `given` asks for and return the exit status."""
    rule = usage.choice(given["--rule"], RULES, "--rule")
    chosen = options_from(documents=given["--documents"], topics=given["--topics"])
    resolver = Resolver(rule, chosen.documents, chosen.topics)
    keys = () if given["--key"] is None else (given["--key"],)
    origin = Origin(table.check_format(given["--from"]), keys, change=resolver.resolved)
    form = _written_as(_format_of(given, origin), given["--to"], chosen.documents)
    convert(given["<gold>"], given["<out>"], form, origin, {**given, "--quiet": True, "--lossy": False})
    console.warn(resolver.notices(), quiet=given["--quiet"])
    return 0


def _written_as(format: str, to: str | None, documents: str) -> str:
    """Return the format of a system for gold in `format`: the one that is asked for, or the nearest."""
    reaches = documents != "file"
    if to is not None:
        if reaches and table.check_written(to) not in _HOLD_NAMES:
            why = f"{to} does not keep the names of clusters, by which they reach over documents"
            raise UsageError(f"--to={to}: {why} (there are {' and '.join(_HOLD_NAMES)})")
        return table.check_written(to)
    own = table.FORMATS.get(format)
    return format if own and own.writer and (format in _HOLD_NAMES or not reaches) else _HOLD_NAMES[0]


def _format_of(given: Mapping[str, Any], origin: Origin) -> str:
    """Return the format of gold: that of its first file; empty if it need not be known."""
    path = given["<gold>"]
    if origin.format is not None or given["--to"] is not None:
        return origin.format or ""
    if path == STDIN:
        raise UsageError("a system made from standard input needs --to=<format>")
    if os.path.isdir(path):
        path = next(iter(folder_files(path, FileChoice(given["--files"], "--files")).values()))
    return next(iter(reading.stream_of(read_data(path), path, None, "--from", origin.keys))).format
