"""scorch2 task: what the keeper of a shared task does, and what participants do before they submit."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from scorch2.audit.shared_task import (
    SUBMITTED,
    SharedTask,
    for_participants,
    read_task,
    submission_of,
    task_schema,
)
from scorch2.audit.submission import bundle, checked, handed_out, scored_submission
from scorch2.cli import console, options, output, outputs, usage
from scorch2.formats.target import write_files
from scorch2.model.errors import OutputError, ScorchError, UsageError, counted, shown_path
from scorch2.model.forms import forms_of
from scorch2.model.values import day_of
from scorch2.scoring.flow import unwatched
from scorch2.scoring.layout.escaping import json_text

_FORMS = f"{usage.name_list(forms_of('scores'), 'default')}; else the suffix decides"
USAGE = f"""Keep a shared task: corpora, settings and the score that ranks, in one small file.

Usage:
  scorch2 task [options] [--] [<action>] [<task.json>] [<path>]

  check <task.json> <submission>    say what has to be mended before it is scored, one line each
  score <task.json> <submission>    score a submission: a folder with a file or folder per corpus,
                                    or a zip or tar of it
  blind <task.json> <folder>        write what participants get: texts without annotation, and their
                                    own task.json, with hashes of these
  codabench <task.json> <zip>       write a bundle for Codabench: gold, texts, and scorch2 itself

Report:
{usage.option_lines("-f, --format=<name>", _FORMS)}
{usage.output_options("where the report goes; standard output if absent or -")}
{usage.option_lines("--report=<name[:file]>", "one more report (repeatable), to a file or standard output")}
  --participants            of score: what participants may see, as the task says
  --team=<name>             of score: who submitted; the board has one row per team
  --note=<text>             of score: a description of the run
  --date=<day>              of score: when it was submitted (default with --team: today)
  --start=<day>             of a bundle: when the task begins (default: today)
  --schema                  print the JSON Schema of <task.json>, and nothing else

Speed:
{usage.WORKER_USAGE}

Other:
{usage.other_options("no warnings, no progress bar", strict=True)}

{usage.exit_statuses("0 done, 1 the check found problems, 2 error")}
"""
CHOICES = {"--format": forms_of("scores")}


def run(words: Sequence[str]) -> int:
    """Do with a shared task what `words` say and return the exit status."""
    given = usage.parse_words(USAGE, words)
    if given["--schema"]:
        output.write(output.STDOUT, f"{json_text(task_schema(), indent=1)}\n")
        return 0
    options.requested_targets(given, "scores")  # an unknown form is told before anything else
    action, task, path = given["<action>"], given["<task.json>"], given["<path>"]
    if action is None:
        raise UsageError(f"what shall be done with the task? ({', '.join(_ACTIONS)}; see --help)")
    do = _ACTIONS[usage.choice(action, _ACTIONS, "action of scorch2 task")]
    if task is None or path is None:
        raise UsageError(f"expected: scorch2 task {action} <task.json> <path> (see --help)")
    return do(given, read_task(task), path)


def _score(given: dict[str, Any], task: SharedTask, path: str) -> int:
    asked = options.delivery_request(given, [*task.paths(), path], usual="table")
    submission = submission_of({name: given[f"--{name}"] for name in SUBMITTED})
    watch = unwatched if given["--quiet"] else console.progress
    score = options.chosen_engine(given)
    try:
        report = scored_submission(task, path, score, watch)._replace(submission=submission)
    except ScorchError:
        problems = checked(task, path, score).problems if given["--participants"] else ()
        if not problems:
            raise
        console.say_all(f"scorch2: error: {line}" for line in problems)
        return 2
    return options.deliver(for_participants(report, task) if given["--participants"] else report, asked)


def _check(given: dict[str, Any], task: SharedTask, path: str) -> int:
    target = output.report_target(given, [*task.paths(), path])
    check = checked(task, path, options.chosen_engine(given))
    many = f"nothing to mend: {counted(check.documents, 'document')} in {len(task.corpora)} corpora"
    last = counted(len(check.problems), "problem") if check.problems else many
    unchecked = f"; not checked without gold: {', '.join(check.unchecked)}" if check.unchecked else ""
    output.write(target, "".join(f"{line}\n" for line in (*check.problems, f"{last}{unchecked}")))
    return 1 if check.problems else 0


def _blind(given: dict[str, Any], task: SharedTask, folder: str) -> int:
    files = {os.path.join(folder, *name.split("/")): data for name, data in handed_out(task).items()}
    outputs.check_files(files, task.paths(), None, force=given["--force"])
    try:
        for place in files:
            os.makedirs(os.path.dirname(place), exist_ok=True)
    except OSError as error:
        raise OutputError(f"{shown_path(folder)}: {error.strerror or error}") from None
    write_files(files)
    return 0


def _codabench(given: dict[str, Any], task: SharedTask, target: str) -> int:
    output.check_target(target, task.paths(), force=given["--force"])
    output.write(target, bundle(task, day_of(given["--start"], "--start")))
    return 0


_ACTIONS: Mapping[str, Callable[[dict[str, Any], SharedTask, str], int]] = {
    "check": _check,
    "score": _score,
    "blind": _blind,
    "codabench": _codabench,
}
