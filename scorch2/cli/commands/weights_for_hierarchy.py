"""scorch2 weights-for-hierarchy: a tree of types to the type weights of evaluate."""

from collections.abc import Sequence

from scorch2.cli import arguments, neleval, output
from scorch2.formats.source import read_text
from scorch2.model.errors import UsageError, quoted
from scorch2.model.options import finite_number
from scorch2.tasks.linking.annotation_rows import ancestor_weights, type_tree, weights_text

USAGE = f"""Make type weights of a tree: an answer that is more general than gold earns a share.

Usage:
  scorch2 weights-for-hierarchy [options] [--] <tree>

  <tree>      JSON, in a file, - for standard input, or as it is: {{"parent": ["child", ...], ...}}

Options:
  -d, --decay=<share>     what a step up the tree is worth, in 0..1 (default 0.5)
  --ancestor-first        gold is the ancestor: neleval's columns
{arguments.other_options(column=26)}

Lines of gold type, system type and weight, for evaluate --type-weights.
"""


def run(words: Sequence[str]) -> int:
    """Print the weights of the tree that `words` name and return the exit status."""
    given = neleval.parse_neleval(USAGE, words)
    source = given["<tree>"]
    decay = _decay(given["--decay"])
    path, text = ("<tree>", source) if source.startswith("{") else (source, read_text(source))
    first = given["--ancestor-first"]
    rows = ancestor_weights(type_tree(text, path), decay, path, ancestor_first=first)
    output.write_data(output.STDOUT, weights_text(rows))
    return 0


def _decay(text: str | None) -> float:
    decay = finite_number("0.5" if text is None else text)
    if decay is None or not 0 <= decay <= 1:
        raise UsageError(f"--decay is a number in 0..1, not {quoted(text)}")
    return decay
