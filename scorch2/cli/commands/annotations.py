"""Commands that make annotations of entity linking from other files, and that change or serve them."""

from typing import Any

from scorch2.cli import console, output, outputs, usage
from scorch2.formats.reading import read
from scorch2.formats.source import STDIN, read_text
from scorch2.model.errors import UsageError, quoted
from scorch2.model.values import finite_number
from scorch2.tasks.linking.annotation_rows import (
    ancestor_weights,
    key_of,
    read_excluded,
    read_redirects,
    rows_text,
    select_alternatives,
    summary,
    type_tree,
    weights_text,
)

_MAPPING = "  -m, --mapping=<file>    lines of title, redirect, redirect ...: ids become titles"
_TAC = f"""\
  -x, --excluded=<file>   lines of document, start, end: mentions that begin or end there are left
                          out
{_MAPPING}
  --by-offset             order offsets as numbers, not as text (100 before 9)"""
PREPARE_TAC_USAGE = f"""Convert TAC queries and their links to annotations.

Usage:
  scorch2 prepare-tac [options] [--] <links>

  <links>     lines of query, entity, type and score (1.0 if absent), tab-separated;
              - for standard input

Options:
  -q, --queries=<file>    the queries, XML
{_TAC}
  --type=<label>          the type of all links: they have no cell for it (before 2014)
  --exclusive-ends        the ends of queries are after their mentions (2011)
  --quiet                 no counts on standard error
{usage.other_options(column=26)}
"""

_TAC_INPUTS = ("--queries", "<links>", "--excluded", "--mapping")


def run_prepare_tac(given: dict[str, Any]) -> int:
    """Convert what `given` names and return the exit status."""
    from scorch2.tasks.linking.converters import TacOptions, from_tac_queries

    if given["--queries"] is None:
        raise UsageError("prepare-tac needs --queries=<file>")
    usage.share_no_stream(*(given[name] for name in _TAC_INPUTS))
    choices = TacOptions(
        read_excluded(given["--excluded"]),
        read_redirects(given["--mapping"]),
        given["--by-offset"],
        given["--type"],
        given["--exclusive-ends"],
    )
    rows = from_tac_queries(given["--queries"], given["<links>"], choices)
    outputs.write_data(output.STDOUT, rows_text(rows))
    if not given["--quiet"]:
        console.say(f"scorch2: {summary(rows)}")
    return 0


PREPARE_TAC15_USAGE = f"""Convert a table of TAC 2015 and later to annotations.

Usage:
  scorch2 prepare-tac15 [options] [--] <run>

  <run>       lines of run, mention, text, document: start - end, entity, type, mention type, score;
              - for standard input

Options:
{_TAC}
  --quiet                 no counts on standard error
{usage.other_options(column=26)}

Two spellings of one span are one mention.
"""


def run_prepare_tac15(given: dict[str, Any]) -> int:
    """Convert what `given` names and return the exit status."""
    from scorch2.tasks.linking.converters import TacOptions, from_tac_run

    usage.share_no_stream(given["<run>"], given["--excluded"], given["--mapping"])
    titles = read_redirects(given["--mapping"])
    choices = TacOptions(read_excluded(given["--excluded"]), titles, given["--by-offset"])
    rows = from_tac_run(given["<run>"], choices)
    outputs.write_data(output.STDOUT, rows_text(rows))
    if not given["--quiet"]:
        console.say(f"scorch2: {summary(rows)}")
    return 0


PREPARE_BRAT_USAGE = f"""Convert a folder of brat's .ann files to annotations.

Usage:
  scorch2 prepare-brat [options] [--] <folder>

Options:
{_MAPPING}
  --pieces                one row for each part of a discontinuous mention, not one for all
{usage.other_options("no warnings", 26)}

A mention without an N line is an entity of its own, outside the knowledge base.
"""


def run_prepare_brat(given: dict[str, Any]) -> int:
    """Convert what `given` names and return the exit status."""
    from scorch2.tasks.linking.converters import brat_files, from_brat

    titles = read_redirects(given["--mapping"])
    files = [
        from_brat(read_text(path), path, docid, titles, pieces=given["--pieces"])
        for docid, path in brat_files(given["<folder>"]).items()
    ]
    outputs.write_data(output.STDOUT, rows_text([row for rows, _ in files for row in rows]))
    console.warn([notice for _, notices in files for notice in notices], quiet=given["--quiet"])
    return 0


PREPARE_CONLL_COREF_USAGE = f"""\
Convert CoNLL-2011/2012 coreference to annotations: spans of token numbers from 1.

Usage:
  scorch2 prepare-conll-coref [options] [--] [<file>]

  <file>      standard input if absent or -

Options:
  --with-kb               ids are those of a knowledge base, unless they begin with NIL
  --cross-doc             clusters continue across documents
{usage.other_options(column=26)}
"""


def run_prepare_conll_coref(given: dict[str, Any]) -> int:
    """Convert what `given` names and return the exit status."""
    from scorch2.tasks.linking.converters import from_conll

    path = STDIN if given["<file>"] is None else given["<file>"]
    rows = from_conll(path, with_kb=given["--with-kb"], cross_doc=given["--cross-doc"])
    outputs.write_data(output.STDOUT, rows_text(rows))
    return 0


TO_WEAK_USAGE = f"""Split annotations into rows of one character, each with all candidates of its mention.

Usage:
  scorch2 to-weak [options] [--] <annotations>

  <annotations>  annotations TSV, - for standard input

Options:
{usage.other_options(column=26)}

Scores of such files compare characters; the overlap measures of evaluate compare mentions.
"""


def run_to_weak(given: dict[str, Any]) -> int:
    """Convert what `given` names and return the exit status."""
    from scorch2.tasks.linking.converters import weak

    path = given["<annotations>"]
    outputs.write_data(output.STDOUT, weak(read_text(path), path))
    return 0


SELECT_ALTERNATIVES_USAGE = f"""\
Resolve gold with several candidates per mention: keep the one closest to the system.

Usage:
  scorch2 select-alternatives [options] [--] <sys>

  <sys>       annotations of the system

Options:
  -g, --gold=<file>       annotations whose mentions may have several candidates
  -f, --fields=<list>     fields that must be equal: eid (default), type, score, members of JSON
                          types, separated by commas, or * for all
{usage.other_options(column=26)}

It keeps the first candidate that equals the system's best one at the same span; if there is none,
one anywhere in the document, then anywhere in the output; else the candidate with the best score.
"""


def run_select_alternatives(given: dict[str, Any]) -> int:
    """Select what `given` asks for and return the exit status."""
    from scorch2.formats.rows.annotations import write

    if given["--gold"] is None:
        raise UsageError("select-alternatives needs --gold=<file>")
    usage.share_no_stream(given["--gold"], given["<sys>"])
    key = key_of(("eid" if given["--fields"] is None else given["--fields"]).split(","))
    gold, system = read(given["--gold"], "tsv"), read(given["<sys>"], "tsv")
    outputs.write_data(output.STDOUT, "".join(map(write, select_alternatives(gold, system, key))))
    return 0


WEIGHTS_FOR_HIERARCHY_USAGE = f"""\
Make type weights of a tree: an answer that is more general than gold earns a share.

Usage:
  scorch2 weights-for-hierarchy [options] [--] <tree>

  <tree>      JSON, in a file, - for standard input, or as it is: {{"parent": ["child", ...], ...}}

Options:
  -d, --decay=<share>     what a step up the tree is worth, in 0..1 (default 0.5)
  --ancestor-first        gold is the ancestor: neleval's columns
{usage.other_options(column=26)}

Lines of gold type, system type and weight, for evaluate --type-weights.
"""


def run_weights_for_hierarchy(given: dict[str, Any]) -> int:
    """Print the weights of the tree that `given` names and return the exit status."""
    source = given["<tree>"]
    decay = finite_number("0.5" if given["--decay"] is None else given["--decay"])
    if decay is None or not 0 <= decay <= 1:
        raise UsageError(f"--decay is a number in 0..1, not {quoted(given['--decay'])}")
    path, text = ("<tree>", source) if source.startswith("{") else (source, read_text(source))
    first = given["--ancestor-first"]
    rows = ancestor_weights(type_tree(text, path), decay, path, ancestor_first=first)
    outputs.write_data(output.STDOUT, weights_text(rows))
    return 0
