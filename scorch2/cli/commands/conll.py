"""scorch2 conll: the command of the CoNLL reference scorer, with its numbers and its text."""

from collections.abc import Iterator, Sequence

from scorch2.cli import arguments, console, output
from scorch2.conll_scorer import metrics as reference
from scorch2.conll_scorer.identification import Identified, identify
from scorch2.conll_scorer.reader import ReferenceDocument, read
from scorch2.conll_scorer.text import Scored, details, totals
from scorch2.formats.source import read_text
from scorch2.model.errors import Notice, UsageError
from scorch2.model.messages import counted, known, quoted, shown_path
from scorch2.version import __version__

USAGE = """Score two CoNLL files like the CoNLL reference scorer 8.01 (with LEA): its numbers, its text.

Usage:
  scorch2 conll [options] [--] <metric> <key> <response> [<document-id>]

  <metric>          muc, bcub, ceafm, ceafe, blanc, lea, or all
  <key> <response>  files in CoNLL columns, or - for standard input on one side
  <document-id>     all that follows "#begin document " of one document; none: only the totals

Options:
  -o, --output=<file>  where the scores go; standard output if absent or -
  --force              overwrite a file even if it is a document or read-only
  -q, --quiet          no notes on what the reference scorer does in its own way
  --debug              show where an error came from
  -h, --help           show this text
  --version            show the version

Documents come in the order of the key. A key document without a response is scored against an
empty one, response documents without a key are ignored; scorch2 score --profile=conll does the
same with strict reading, and any other average, format or report.

Exit status: 0 done, 2 error, 130 interrupted.
"""


def run(words: Sequence[str]) -> int:
    """Score what `words` ask for and return the exit status."""
    given = arguments.parse(USAGE, words)
    metric, wanted = given["<metric>"].lower(), given["<document-id>"]
    if metric not in (*reference.METRICS, "all"):
        raise UsageError(known(given["<metric>"], "metric", (*reference.METRICS, "all")))
    if given["<key>"] == given["<response>"] == "-":
        raise UsageError("only one side can be standard input (-)")
    target = output.report_target(given, [given["<key>"], given["<response>"]])
    key = read(read_text(given["<key>"]), given["<key>"])
    response = {
        document.name: document for document in read(read_text(given["<response>"]), given["<response>"])
    }
    if wanted not in (None, "none"):
        key = [document for document in key if document.name == wanted]
        if not key:
            raise UsageError(f"{shown_path(given['<key>'])}: no document is called {quoted(wanted)}")
    pairs = [(document, response.get(document.name)) for document in key]
    found = [identify(*pair) for pair in pairs]
    lines = [f"version: 8.01 scorch2 {__version__}"]
    for name in reference.METRICS if metric == "all" else (metric,):
        if metric == "all":
            lines += ["", f"METRIC {name}:"]
        lines += _report(name, pairs, found, wanted)
    output.write(target, "\n".join(lines) + "\n")
    if not given["--quiet"]:
        console.warn(
            [notice for pair, one in zip(pairs, found, strict=True) for notice in _notes(*pair, one)]
        )
    return 0


def _report(
    metric: str,
    pairs: Sequence[tuple[ReferenceDocument, ReferenceDocument | None]],
    found: Sequence[Identified],
    wanted: str | None,
) -> Iterator[str]:
    scored = [
        Scored(*pair, one, reference.METRICS[metric](one.chains))
        for pair, one in zip(pairs, found, strict=True)
    ]
    for document in scored:
        if wanted == "none":
            yield from document.found.notices
        else:
            yield from details(document, by_id=wanted is not None)
    yield from totals(scored, parts=2 if metric == "blanc" else 1)


def _notes(key: ReferenceDocument, response: ReferenceDocument | None, found: Identified) -> Iterator[Notice]:
    """Say, a line each, where this scorer differs from ``score --profile=conll``."""
    sides = [key, response] if response else [key]
    odd = sum(document.odd_tokens for document in sides)
    comments = sum(document.comments for document in sides)
    discarded = sum(len(document.discarded) for document in sides)
    if found.repeats_in_response:
        dropped = counted(found.repeats_in_response, "repeated response mention")
        yield Notice("repeats", key.name, f"{dropped} dropped, the first of each kept")
    if found.spurious_repeats:
        kept = counted(found.spurious_repeats, "repeated response mention")
        yield Notice("repeats", key.name, f"{kept} that the key lacks kept: they lower precision")
    if found.repeats_in_key:
        kept = counted(found.repeats_in_key, "repeated key mention")
        yield Notice("repeats", key.name, f"{kept} kept: scores may exceed 100%")
    if odd:
        how = "opened before closed, searched anywhere in the cell"
        yield Notice("tags", key.name, f"tags of {counted(odd, 'token')} read the legacy way ({how})")
    if discarded:
        yield Notice("tags", key.name, f"{counted(discarded, 'tag')} such as (1+2) discarded")
    if comments:
        yield Notice("tokens", key.name, f"{counted(comments, 'comment line')} counted as tokens")
    if response and response.tokens != key.tokens:
        counts = f"{counted(response.tokens, 'token')} in the response, {key.tokens} in the key"
        yield Notice("tokens", key.name, f"{counts}: not compared, so mentions may not be the same text")
    if not response:
        yield Notice("missing", key.name, "the response lacks it: scored against an empty one")
