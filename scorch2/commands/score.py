"""scorch2 score: two paths in, one report out."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from scorch2 import arguments, console, output
from scorch2.commands import COMMANDS
from scorch2.document import Document
from scorch2.errors import UsageError
from scorch2.formats import check_format
from scorch2.messages import counted
from scorch2.metrics import named
from scorch2.options import CHOICES, Options, options
from scorch2.pairing import Item, Pair
from scorch2.reports import check_report, render
from scorch2.scoring import score_paths

USAGE = """Score coreference output against gold: MUC, B³, CEAF_m, CEAF_e, BLANC, LEA, CoNLL average.

Usage:
  scorch2 [score] [options] [--metric=<name>]... [--] <gold> <sys> [<out-file>]

  <gold> <sys>  two files, two folders (paired by file name), or - for standard input on one side;
                clusters or graph JSON, jsonlines of neural systems, CoNLL columns, annotations
                TSV or AIDA-CoNLL, found out by their content; packed with gzip or not
  <out-file>    where the report goes; standard output if absent or -

Report:
  -m, --metric=<name>       a metric (repeatable): muc b_cubed ceaf_m ceaf_e blanc lea conll
                            pairwise mentions b_cubed_sys ceaf_m_sys ceaf_e_sys
  -f, --format=<name>       text (default), table, json, tsv, markdown
  --per-document            add rows for every document
  --no-signature            leave out the last line, which says how the numbers were made

Scoring (the first value is the default):
  --average=<how>           mentions, pooled, macro: how documents are averaged
  --missing=<what>          error, empty, skip: gold documents that the system lacks
  --extra=<what>            error, skip: system documents that gold lacks
  --duplicates=<what>       error, first, merge: a mention in two clusters
  --singletons=<what>       keep, drop: clusters of one mention
  --twinless=<what>         keep, singletons: system mentions that gold lacks are scored as they
                            are, or added to gold as singletons
  --blanc=<rule>            gold, reference: BLANC where gold has no link
  --profile=<name>          scorch, conll: the numbers of that scorer (a typed option wins)
  --gold-format=<name>      clusters, graph, jsonlines, conll, tsv, aida: do not find it out
  --sys-format=<name>       the same for the system

Other:
  -q, --quiet               no warnings, no progress bar
  -v, --verbose             say what was read
  --debug                   show where an error came from
  -h, --help                show this text
  --version                 show the version

Exit status: 0 done, 2 error, 130 interrupted.
"""


def run(words: Sequence[str]) -> int:
    """Score what `words` ask for and return the exit status."""
    first = arguments.split(USAGE, words)[1][:1]
    if first and first[0] in COMMANDS and not os.path.lexists(first[0]):
        raise UsageError(f"the command comes first: scorch2 {first[0]} ...")
    given = arguments.parse(USAGE, words)
    chosen = _options(given)
    form = check_report("text" if given["--format"] is None else given["--format"])
    gold, system, target = (
        given["<gold>"],
        given["<sys>"],
        output.STDOUT if given["<out-file>"] is None else given["<out-file>"],
    )
    output.check_target(target, (gold, system))
    seen: Counter[tuple[str, str]] = Counter()

    def watch(items: Iterator[Item], total: int) -> Iterable[Item]:
        shown = items if given["--quiet"] else console.progress(items, total)
        return _counting(shown, seen) if given["--verbose"] else shown

    report = score_paths(gold, system, chosen, watch)
    output.write(target, render(report, form, per_document=given["--per-document"]))
    if given["--verbose"]:
        for (left, right), number in seen.items():
            console.say(
                f"scorch2: read {counted(number, 'document')}: gold {left}, system {right or 'absent'}"
            )
        console.say(f"scorch2: {report.signature()}")
    if not given["--quiet"]:
        console.warn(report.notices)
    return 0


def _counting(items: Iterable[Item], seen: Counter[tuple[str, str]]) -> Iterator[Item]:
    """Yield `items` and count how the documents of either side were written."""
    for item in items:
        if isinstance(item, Pair):
            seen[_origin(item.gold), _origin(item.system)] += 1
        yield item


def _origin(document: Document) -> str:
    return f"{document.format} ({document.written})" if document.written else document.format


def _options(given: dict[str, Any]) -> Options:
    for side in ("--gold-format", "--sys-format"):
        if given[side] is not None:
            check_format(given[side])
    return options(
        given["--profile"],
        **{name: given[f"--{name}"] for name in CHOICES},
        metrics=named(given["--metric"]) or None,
        gold_format=given["--gold-format"],
        sys_format=given["--sys-format"],
        signature=False if given["--no-signature"] else None,
    )
