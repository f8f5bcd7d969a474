"""Commands that give the numbers of other scorers: conll, of CoNLL-2011/2012, and are, of ARE 2007."""

from typing import TYPE_CHECKING, Any

from scorch2.cli import console, output, usage
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.forms import forms_of
from scorch2.model.options import OPTIONS

if TYPE_CHECKING:
    from scorch2.scoring.metrics.metric import AnyMetric

_QUIET = "no notes on where the reference scorer differs from scorch2 score"
_PAIR = [rule for rule in OPTIONS["pair"].values if rule != "text"]
_PAIR_TEXT = (
    f"{usage.name_list(_PAIR, 'default')}: documents pair by their whole names, by what follows the last "
    "slash, or the n-th with the n-th"
)
CONLL_USAGE = f"""\
Score two CoNLL files like the CoNLL reference scorer 8.01 (with LEA): its numbers, its text.

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
CONLL_CHOICES = {"--pair": _PAIR}


def run_conll(given: dict[str, Any]) -> int:
    """Score what `given` asks for and return the exit status."""
    from scorch2.tasks.reference_scorer.scorer import Asked, score

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


ARE_USAGE = f"""\
Score anaphora resolution like ARE 2007: pronouns and their antecedents, or coreference chains.

Usage:
  scorch2 are --task=<n> [options] [--] <gold> <sys> [<out-file>]

  <gold> <sys>  files, folders (paired by file name), or - for standard input on one side;
                XML, and for tasks 2 and 4 every format that scorch2 reads
  <out-file>    where the report goes; standard output if absent or -

Tasks:
  --task=<n>                1  pronouns, by id: success rate
                            2  coreference, by id: MUC
                            3  pronouns, by span: recall, precision and F1 of overlaps
                            4  coreference, by span: MUC with links worth their overlap
  --unit=<name>             token, char: the unit of offsets, for files that do not say it
                            (tasks 3 and 4)

Report:
  --per-item                list every pronoun with its credit and reason (tasks 1 and 3), or what
                            is aligned (task 4)
{usage.REPORT_USAGE}{usage.confidence_options()}

Documents (the first value is the default):
{usage.scoring_options(("missing", "extra", "invalid", "pair"))}
{usage.input_options(usage.OF_LINKING)}

{usage.GATE_USAGE}
Other:
{usage.other_options("no warnings, no progress bar", version=True)}

{usage.exit_statuses("0 done, 1 a gate failed, 2 error")}
"""
ARE_CHOICES = {"--format": forms_of("scores"), "--task": ("1", "2", "3", "4"), "--unit": ("token", "char")}


def run_are(given: dict[str, Any]) -> int:
    """Score what `given` asks for and return the exit status."""
    from scorch2.cli import options
    from scorch2.scoring.flow import unwatched
    from scorch2.tasks.anaphora import TASKS, Exercise, score_paths

    number, unit = int(usage.choice(given["--task"], ARE_CHOICES["--task"], "task")), given["--unit"]
    usage.choice(unit, ARE_CHOICES["--unit"], "unit")
    task = TASKS[number]
    if unit is not None and not task.by_span:
        raise UsageError("--unit is for tasks 3 and 4, which compare spans")

    def find(name: str) -> "AnyMetric":
        if name.casefold() != task.metric.name:
            raise UsageError(unknown_name(name, f"metric of task {number}", [task.metric.name]))
        return task.metric

    paths = given["<gold>"], given["<sys>"]
    delivered = options.delivery_request(given, paths, find)
    chosen = options.typed_options(given, (task.metric.name,), average="pooled")
    watch = unwatched if delivered.quiet else console.progress
    asked = Exercise(number, unit or "", given["--per-item"])
    return options.deliver(score_paths(*paths, asked, chosen, watch), delivered)
