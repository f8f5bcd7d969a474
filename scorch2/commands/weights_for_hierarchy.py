"""scorch2 weights-for-hierarchy: a tree of types to the type weights of evaluate."""

from collections.abc import Sequence
from typing import Any

from scorch2 import arguments, output
from scorch2.errors import InputError, UsageError
from scorch2.formats.source import read_text
from scorch2.formats.strict_json import parse
from scorch2.messages import quoted
from scorch2.preparing.hierarchy import weights

USAGE = """Make type weights of a tree: an answer that is more general than gold earns a share.

Usage:
  scorch2 weights-for-hierarchy [options] [--] <tree>

  <tree>      JSON, in a file or as it is: {"parent": ["child", ...], ...}

Options:
  -d, --decay=<share>     what a step up the tree is worth, in 0..1 (default 0.5)
  --ancestor-first        gold is the ancestor: neleval's columns
  --debug                 show where an error came from
  -h, --help              show this text

Lines of gold type, system type and weight, for evaluate --type-weights.
"""


def run(words: Sequence[str]) -> int:
    """Print the weights of the tree that `words` name and return the exit status."""
    given = arguments.parse(USAGE, words)
    tree = given["<tree>"]
    decay = _decay(given["--decay"])
    shown, text = ("<tree>", tree) if tree.startswith("{") else (tree, read_text(tree))
    rows = weights(_tree(parse(text, shown), shown), decay, shown)
    first = 1 if given["--ancestor-first"] else 0
    pairs = sorted((row[first], row[1 - first], row[2]) for row in rows)
    output.write_data(
        output.STDOUT, "".join(f"{gold}\t{system}\t{weight:.6f}\n" for gold, system, weight in pairs)
    )
    return 0


def _decay(text: str | None) -> float:
    try:
        decay = float("0.5" if text is None else text)
    except ValueError:
        decay = -1
    if not 0 <= decay <= 1:
        raise UsageError(f"--decay is a number in 0..1, not {quoted(text)}")
    return decay


def _tree(value: Any, path: str) -> dict[str, list[str]]:
    if not isinstance(value, dict):
        raise InputError(path, "$", "should be an object from types to lists of types")
    for parent, children in value.items():
        if not isinstance(children, list) or not all(isinstance(child, str) for child in children):
            raise InputError(path, f"$.{parent}", "should be a list of types")
    return value
