"""scorch2 task: what the keeper of a shared task does, and what participants do before they submit."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any

from scorch2.audit.shared_task import read_task, scored, task_schema
from scorch2.audit.submission import blinded, checked, opened
from scorch2.cli import console, options, output, usage
from scorch2.cli.commands.convert import write_to
from scorch2.formats.json.strict import parse
from scorch2.formats.source import read_text
from scorch2.model.errors import UsageError, counted
from scorch2.model.forms import form_of, forms_of, render
from scorch2.scoring.flow import unwatched
from scorch2.scoring.layout.escaping import json_text

_FORMS = f"{usage.name_list(forms_of('shared_task'), 'default')}; else the suffix decides"
USAGE = f"""Keep a shared task: corpora, settings and the score that ranks, in one small file.

Usage:
  scorch2 task [options] [--] [<action>] [<task.json>] [<path>]

  check <task.json> <submission>    say what has to be mended before it is scored, one line each
  score <task.json> <submission>    score a submission: a folder with a file or folder per corpus,
                                    or a zip of it
  blind <task.json> <folder>        write what participants get: texts without annotation, and their
                                    own task.json, with hashes of these

Report:
{usage.option_lines("-f, --format=<name>", _FORMS)}
{usage.output_options("where the report goes; standard output if absent or -")}
  --team=<name>             who made the submission, for the report
  --date=<day>              when it was made, such as 2026-05-31
  --note=<text>             what else there is to say about it
  --schema                  print the JSON Schema of <task.json>, and nothing else

Speed:
{usage.WORKER_USAGE}

Other:
{usage.other_options("no warnings, no progress bar", strict=True)}

{usage.exit_statuses("0 done, 1 the check found problems, 2 error")}
"""
CHOICES = {"--format": forms_of("shared_task")}
_ABOUT = ("team", "date", "note")


def run(words: Sequence[str]) -> int:
    """Do with a shared task what `words` say and return the exit status."""
    given = usage.parse_words(USAGE, words)
    if given["--schema"]:
        output.write(output.STDOUT, f"{json_text(task_schema(), indent=1)}\n")
        return 0
    form_of(given["--format"], output.report_path(given), "shared_task")
    action, task, path = given["<action>"], given["<task.json>"], given["<path>"]
    if action is None:
        raise UsageError(f"what shall be done with the task? ({', '.join(_ACTIONS)}; see --help)")
    do = _ACTIONS[usage.choice(action, _ACTIONS, "action of scorch2 task")]
    if task is None or path is None:
        raise UsageError(f"expected: scorch2 task {action} <task.json> <path> (see --help)")
    return do(given, task, path)


def _score(given: Mapping[str, Any], path: str, submission: str) -> int:
    form = form_of(given["--format"], output.report_path(given), "shared_task")
    task = read_task(path)
    target = output.report_target(given, [path, submission, *(corpus.gold for corpus in task.corpora)])
    about = {name: given[f"--{name}"] for name in _ABOUT if given[f"--{name}"] is not None}
    watch = unwatched if given["--quiet"] else console.progress
    with opened(submission, task) as folder:
        found = scored(task, folder, options.chosen_engine(dict(given)), about, watch)
    console.refuse_warnings(found.notices, strict=given["--strict"])
    output.write(target, output.laid_out(target, partial(render, found, form)))
    console.warn(found.notices, quiet=given["--quiet"])
    return 0


def _check(given: Mapping[str, Any], path: str, submission: str) -> int:
    target = output.report_target(given, [path, submission])
    task = read_task(path)
    with opened(submission, task) as folder:
        found = checked(task, folder, options.chosen_engine(dict(given)))
    many = f"{counted(found.documents, 'document')} in {len(task.corpora)} corpora"
    last = f"{counted(len(found.problems), 'problem')}" if found.problems else f"nothing to mend: {many}"
    unchecked = f"; not checked without gold: {', '.join(found.unchecked)}" if found.unchecked else ""
    output.write(target, "".join(f"{line}\n" for line in (*found.problems, f"{last}{unchecked}")))
    return 1 if found.problems else 0


def _blind(given: Mapping[str, Any], path: str, folder: str) -> int:
    task = read_task(path)
    value = parse(read_text(path), path)
    inputs = [path, *(corpus.gold for corpus in task.corpora)]
    written = [blinded(corpus) for corpus in task.corpora]
    for row, corpus, (texts, form) in zip(value["corpora"], task.corpora, written, strict=True):
        row.pop("gold", None)
        hashes = {name: sha256("".join(text.text).encode()).hexdigest() for name, text in texts.items()}
        row |= {"blind": corpus.submission, "submission": corpus.submission, "sha256": hashes}
        write_to(folder, texts, inputs, form, force=given["--force"])
    target = os.path.join(folder, "task.json")
    output.check_target(target, inputs, force=True)
    output.write(target, f"{json_text(value, indent=1)}\n")
    return 0


_ACTIONS: Mapping[str, Callable[[Mapping[str, Any], str, str], int]] = {
    "check": _check,
    "score": _score,
    "blind": _blind,
}
