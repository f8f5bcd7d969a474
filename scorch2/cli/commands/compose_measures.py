"""scorch2 compose-measures: add rows of ratios to reports of evaluate."""

import os
import re
from collections.abc import Sequence

from scorch2.cli import arguments, neleval, output
from scorch2.model.errors import UsageError
from scorch2.tasks.linking.leaderboards import read_score_table, with_ratios
from scorch2.tasks.linking.text import score_table

USAGE = f"""Add to reports of evaluate rows that divide one measure by another.

Usage:
  scorch2 compose-measures [options] [--] [<report>...]

  <report>    tab-separated text of evaluate; standard input if absent or -

Options:
  -r, --ratio=<M1> <M2>    add the row M1/M2 (repeatable); M1 and M2 are names of rows, two words
  -o, --output=<template>  where each result goes, with {{dir}}, {{base}} and {{ext}} of its report
  --in-place               each result replaces its report
  --force                  overwrite files even if they are documents or read-only
{arguments.other_options(column=27)}

A single result goes to standard output.
"""
_PLACES = re.compile(r"\{(dir|base|ext)\}")


def run(words: Sequence[str]) -> int:
    """Compose what `words` ask for and return the exit status."""
    ratios, rest = _ratios(words)
    given = neleval.parse_neleval(USAGE, rest)
    paths = given["<report>"] or [output.STDOUT]
    arguments.share_no_stream(*paths)
    if not ratios:
        raise UsageError("nothing to add: give -r M1 M2")
    if given["--in-place"] and given["--output"] is not None:
        raise UsageError("--in-place and --output exclude each other")
    targets = [_target(path, given["--output"], in_place=given["--in-place"]) for path in paths]
    if len(set(targets)) < len(targets):
        raise UsageError("several results go to one place (use -o with {base}, or --in-place)")
    if not given["--in-place"]:
        for target in targets:
            output.check_target(target, paths, force=given["--force"])
    texts = [score_table(with_ratios(read_score_table(path), ratios)) for path in paths]
    output.write_all(list(zip(targets, texts, strict=True)))
    return 0


def _ratios(words: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Take the pairs out of the words: an option of two values is beyond the parser."""
    ratios, rest = [], []
    left = iter(words)
    for word in left:
        if word == "--":
            rest += [word, *left]
        elif word in ("-r", "--ratio"):
            pair = (next(left, ""), next(left, ""))
            if not all(pair):
                raise UsageError(f"{word} needs two measures")
            ratios.append(pair)
        elif word.startswith(("-r", "--ratio=")):
            raise UsageError("-r is followed by two words: -r M1 M2")
        else:
            rest.append(word)
    return ratios, rest


def _target(path: str, template: str | None, *, in_place: bool) -> str:
    if in_place or path == output.STDOUT:
        return path
    if template is None:
        return output.STDOUT
    base, ext = os.path.splitext(os.path.basename(path))
    if re.search("[{}]", _PLACES.sub("", template)):
        raise UsageError("--output may hold {dir}, {base} and {ext}, and no other braces")
    parts = {"dir": os.path.dirname(path) or ".", "base": base, "ext": ext.removeprefix(".")}
    return _PLACES.sub(lambda place: parts[place[1]], template)
