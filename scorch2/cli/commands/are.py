"""scorch2 are: the anaphora resolution exercise, four tasks on XML or whatever else holds chains."""

from collections.abc import Sequence
from typing import Any

from scorch2.cli import console, options, usage
from scorch2.formats.fields import UNITS
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.forms import forms_of
from scorch2.scoring.flow import unwatched
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.tasks.anaphora import TASKS, Exercise, score_paths

USAGE = f"""Score anaphora resolution like ARE 2007: pronouns and their antecedents, or coreference chains.

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
CHOICES = {"--format": forms_of("scores"), "--task": tuple(map(str, TASKS)), "--unit": UNITS}


def run(words: Sequence[str]) -> int:
    """Score what `words` ask for and return the exit status."""
    given = usage.parse_words(USAGE, words)
    asked = _exercise(given)
    gold, system = given["<gold>"], given["<sys>"]
    metric = TASKS[asked.task].metric

    def find(name: str) -> AnyMetric:
        if name.casefold() != metric.name:
            raise UsageError(unknown_name(name, f"metric of task {asked.task}", [metric.name]))
        return metric

    delivered = options.delivery_request(given, (gold, system), find)
    chosen = options.typed_options(given, (metric.name,), average="pooled")
    watch = unwatched if delivered.quiet else console.progress
    return options.deliver(score_paths(gold, system, asked, chosen, watch), delivered)


def _exercise(given: dict[str, Any]) -> Exercise:
    task, unit = usage.choice(given["--task"], [*map(str, TASKS)], "task"), given["--unit"]
    usage.choice(unit, UNITS, "unit")
    if unit is not None and not TASKS[int(task)].by_span:
        raise UsageError("--unit is for tasks 3 and 4, which compare spans")
    return Exercise(int(task), unit or "", given["--per-item"])
