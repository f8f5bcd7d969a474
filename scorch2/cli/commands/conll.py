"""scorch2 conll: the command of the CoNLL reference scorer, with its numbers and its text."""

from collections.abc import Sequence

from scorch2.cli import console, output, usage
from scorch2.model.options import OPTIONS
from scorch2.tasks.reference_scorer.scorer import Asked, score

_QUIET = "no notes on where the reference scorer differs from scorch2 score"
_PAIR = [rule for rule in OPTIONS["pair"].values if rule != "text"]
_PAIR_TEXT = (
    f"{usage.name_list(_PAIR, 'default')}: documents pair by their whole names, by what follows the last "
    "slash, or the n-th with the n-th"
)
USAGE = f"""Score two CoNLL files like the CoNLL reference scorer 8.01 (with LEA): its numbers, its text.

Usage:
  scorch2 conll [options] [--] <metric> <key> <response> [<document-id>]

  <metric>          muc, bcub, ceafm, ceafe, blanc, lea, or all
  <key> <response>  files in CoNLL columns, folders of them, or - for standard input on one side
  <document-id>     the text after "#begin document " of one document, or none: only the totals

Options:
{usage.option_lines("--pair=<rule>", _PAIR_TEXT, 23)}
{usage.input_options(("gold_files", "sys_files"), column=23)}
{usage.output_options("where the scores go; standard output if absent or -", 23)}
{usage.other_options(_QUIET, 23, strict=True, version=True)}

Documents come in the order of the key; all files of a folder, sub-folders too, count as one file.
A key document without a response is scored against an empty one; response documents without a key
are ignored. scorch2 score --profile=conll does the same with strict reading, and offers every
average, format and report.

{usage.exit_statuses()}
"""
CHOICES = {"--pair": _PAIR}


def run(words: Sequence[str]) -> int:
    """Score what `words` ask for and return the exit status."""
    given = usage.parse_words(USAGE, words)
    target = output.report_target(given, [given["<key>"], given["<response>"]])
    asked = Asked(
        given["<metric>"],
        given["<key>"],
        given["<response>"],
        given["<document-id>"],
        key_files=given["--gold-files"],
        response_files=given["--sys-files"],
        pair=usage.choice(given["--pair"], _PAIR, "value of --pair"),
    )
    lines, notices = score(asked)
    console.refuse_warnings(notices, strict=given["--strict"])
    output.write(target, (f"{line}\n" for line in lines))
    console.warn(notices, quiet=given["--quiet"])
    return 0
