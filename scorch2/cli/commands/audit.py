"""Commands that hold numbers against something: gates, settings, data, papers, tasks."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from scorch2.audit import OUTSIDE
from scorch2.cli import console, options, output, outputs, usage
from scorch2.formats.source import read_text
from scorch2.formats.target import write_files
from scorch2.model.errors import InputError, OutputError, ScorchError, UsageError, counted, shown_path
from scorch2.model.forms import forms_of
from scorch2.model.options import OPTIONS, Options, flag_of, options_from
from scorch2.model.settings import OfTest
from scorch2.model.values import PROFILES, day_of, metrics_of
from scorch2.scoring.flow import Measure, Watch, score_paths, unwatched
from scorch2.scoring.layout.escaping import json_text
from scorch2.scoring.metrics import DEFAULT, METRICS
from scorch2.scoring.metrics.chosen import chosen_metrics
from scorch2.scoring.remarks import FILES
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.audit.shared_task import SharedTask
    from scorch2.audit.tries import Counts, Tries

_REPORTS = f"a report (repeatable), to a file or standard output: {usage.name_list(forms_of('scores'))}"
GATE_USAGE = f"""Judge a stored JSON report: is every score high enough? No gold data is needed.

Usage:
  scorch2 gate [options] [--] <report.json>

  <report.json>  written by scorch2 -f json, or - for standard input

The verdicts go to standard output, or to the file of --output; to standard error if a report goes
to standard output and there is no --output.

{usage.GATE_USAGE}
Report:
{usage.option_lines("--report=<name[:file]>", _REPORTS)}
{usage.output_options("where the verdicts go", several=True)}
{usage.setting_options("seed")}

Other:
{usage.other_options("list failed gates only, no warnings")}

{usage.exit_statuses("0 all gates passed, 1 a gate failed, 2 error")}
"""


def run_gate(given: dict[str, Any]) -> int:
    """Judge the report that `given` names and return the exit status."""
    from scorch2.api.requests import lookup
    from scorch2.audit import baseline
    from scorch2.audit.judge import missing, verdict_table
    from scorch2.model.results import verdict_summary

    path = given["<report.json>"]
    report = baseline.read(path, lookup)
    target = output.report_target(given, [path, given["--baseline"]])
    beside = None if output.report_path(given) is None else target
    asked = options.delivery_request(given, [path], baseline.finder(report, lookup), beside)
    if not asked.thresholds:
        raise UsageError(
            "nothing to judge: give --fail-under, --fail-under-doc, --max-drop or --max-drop-rel"
        )
    lacking = missing(report, asked.thresholds)
    if lacking is not None:
        raise InputError(path, "$.scores", f"holds no {lacking} to judge")
    if beside is None and any(output.place(other.path) == output.STDOUT for other in asked.targets):
        return options.deliver(report, asked)
    report = options.judged(report, asked)
    verdicts = [verdict for verdict in report.gates if not (asked.quiet and verdict.passed)]
    listed = f"{verdict_table(verdicts)}\n\n{verdict_summary(report.gates)}\n" if verdicts else ""
    text = output.laid_out(target, lambda **_: listed)
    options.write_reports(report, asked, [(target, text)])
    console.warn(report.notices, quiet=asked.quiet)
    return options.exit_status(report, asked)


_EXPLAIN_METRICS = "only these metrics, separated by commas (repeatable); by default those of all profiles"
EXPLAIN_USAGE = f"""Explain a printed number: which settings give it on these two sides?

Usage:
  scorch2 explain [options] [--] <number> <gold> <sys>

  <number>      as it is printed: 79.6, 0.796, or several of one row as one word:
                'R=81.2 P=78.0', 'MUC F1=75.2 B3 F1=63.1'; or a file with such a row on each line
  <gold> <sys>  as for score: two files, two folders, or - for standard input on one side

Report:
{usage.format_usage("explanation")}
{usage.output_options("where the answer goes; standard output if absent or -")}
{usage.option_lines("-m, --metric=<name>", _EXPLAIN_METRICS)}

An option that is typed is held; all values of the others are tried, as far as the data allow them.

{usage.SCORING_USAGE}

Speed:
{usage.WORKER_USAGE}

Other:
{usage.other_options("no warnings, no progress bar")}

{usage.exit_statuses("0 a setting gives the number, 1 none does, 2 error")}
"""
EXPLAIN_CHOICES = {"--format": forms_of("explanation")}


_SOON, _LONG = 1, 5  # seconds after which it is known how long a search takes, and that are worth a word
_Counted = TypeVar("_Counted")


def announced(counted: Iterable[_Counted], total: int) -> Iterator[_Counted]:
    """Yield what is counted; if all of it takes long, say how long, unless a bar shows how far it is."""
    start, is_told = time.monotonic(), sys.stderr is None or sys.stderr.isatty()
    for done, one in enumerate(console.progress(counted, total), 1):
        passed = time.monotonic() - start
        if passed >= _SOON and not is_told:
            is_told = True
            left = round(passed / done * (total - done))
            if left >= _LONG:
                every = (
                    f"{total} documents under every setting take about {left} s more, or less with --jobs=0"
                )
                console.say(f"scorch2: {every} (an option that is typed is held, which is faster)")
        yield one


def run_explain(given: dict[str, Any]) -> int:
    """Explain the number that `given` names and return the exit status."""
    from scorch2.api.requests import counting
    from scorch2.audit.explain import Explanations, explanations
    from scorch2.audit.printed import request_of, rows_of

    number, paths = given["<number>"], (given["<gold>"], given["<sys>"])
    is_file = os.path.isfile(number)
    rows = rows_of(read_text(number)) if is_file else [number]
    reports = outputs.reports_request(given, "explanation", [*paths, *([number] if is_file else [])])
    metrics, inputs = chosen_metrics(given["--metric"]), options.typed_inputs(given)
    chosen = options.typed_options(given, metrics or None)._replace(hashes=False)
    request = request_of({**options.typed(given, OPTIONS), **inputs}, given["--profile"], metrics, chosen)
    counts = counting(options.chosen_start(given), paths, request)

    def score(wanted: Options, measure: Measure) -> Report:
        return score_paths(*paths, wanted, measure=measure)

    def count(tries: "Tries") -> "Iterable[Counts]":
        return counts(tries) if reports.quiet else announced(counts(tries), tries.total)

    typed = [f"{flag_of(name)}={value}" for name, value in inputs.items()]
    explained = [one._replace(paths=paths, typed=typed) for one in explanations(rows, request, score, count)]
    reports.write(Explanations(explained, explained[0].notices) if is_file else explained[0])
    return 0 if all(explained) else 1


_REQUIRED = {
    "--require-profile=<name>": f"the settings of a profile, and no others: {usage.name_list(PROFILES)}",
    "--require=<option=value>": "a setting, whatever the profile says, such as pair=order (repeatable)",
    "--require-hashes": "SHA-256 of all documents, not only numbers",
    "--task=<task.json>": "the settings of a shared task, in place of gold: a report of scorch2 task score",
    "--baseline=<file>": "the JSON report that gates on drops compare with",
}
VERIFY_USAGE = f"""\
Verify a stored report: score again with its options, and compare data, options and numbers.

Usage:
  scorch2 verify [options] [--] <report.json> <gold> [<sys>]

  <report.json>  written by scorch2 score with -f json
  <gold> <sys>   files or folders, as for score; with --task the submission alone

Report:
{usage.format_usage("verification")}
{usage.output_options("where the answer goes; standard output if absent or -")}

What a task asks for; a report that was made otherwise differs:
{usage.option_table(_REQUIRED)}

Patterns and files that the report was made with have to be typed, as for score:
{usage.scoring_options(name for name in OPTIONS if name in OUTSIDE)}
{usage.input_options(OUTSIDE)}

Speed:
{usage.WORKER_USAGE}

Other:
{usage.other_options("no warnings, no progress bar")}

{usage.exit_statuses("0 all is as it was, 1 something differs, 2 error")}
"""
VERIFY_CHOICES = {"--format": forms_of("verification"), "--require-profile": PROFILES}


def run_verify(given: dict[str, Any]) -> int:
    """Verify the report that `given` names and return the exit status."""
    from scorch2.api.requests import lookup
    from scorch2.audit import verify
    from scorch2.audit.baseline import values_of
    from scorch2.audit.shared_task import read_task
    from scorch2.audit.submission import scored_submission

    path, gold, system = given["<report.json>"], given["<gold>"], given["<sys>"]
    options_from(given["--require-profile"])  # an unknown one is told before any file is read
    typed, baseline = options.typed(given, OUTSIDE), given["--baseline"]
    inputs = [path, gold, system, baseline, *(typed[name] for name in FILES if name in typed)]
    reports = outputs.reports_request(given, "verification", inputs)
    if (system is None) != (given["--task"] is not None):
        raise UsageError("give gold and a system, or --task=<task.json> and a submission (see --help)")
    task = None if system is not None else read_task(given["--task"])
    asked = verify.Asked(
        typed=typed,
        baseline=baseline,
        hashes=given["--require-hashes"],
        profile=given["--require-profile"],
        required={**(task.required() if task else {}), **verify.required_options(given["--require"])},
        of_task=task is not None,
    )
    engine, progress = options.chosen_engine(given), reports.watch

    def score(chosen: Options, watch: Watch, measure: Measure | None) -> Report:
        if task is not None:
            return scored_submission(task, gold, engine, progress)
        return engine(
            gold, system, chosen, lambda found, total: watch(progress(found, total), total), measure
        )

    verification = verify.verified(values_of(read_text(path), path), path, lookup, score, asked)
    reports.write(verification)
    return 0 if verification.holds else 1


CITE_USAGE = f"""\
Print the papers behind numbers as BibTeX: of metrics, profile, intervals, tests, corrections.

Usage:
  scorch2 cite [options] [--] [<report.json>]

  <report.json>  written by scorch2 score with -f json; without it the options say what was used

Options:
{usage.option_lines("-m, --metric=<name>", "metrics, separated by commas (repeatable), as of score")}
{usage.profile_option()}
  --match=<when>            {", ".join(OPTIONS["match"].values)}
  --confidence=<percent>    bootstrap confidence intervals
{usage.setting_options("test")}
  --holm                    correction of p after Holm
{usage.output_options("where the entries go; standard output if absent or -")}
{usage.other_options()}

{usage.exit_statuses()}
"""
CITE_CHOICES = {"--metric": METRICS, "--match": OPTIONS["match"].values}
_CITE_TYPED = ("--metric", "--profile", "--match", "--confidence", "--test", "--holm")


def run_cite(given: dict[str, Any]) -> int:
    """Print the papers that `given` asks for and return the exit status."""
    path = given["<report.json>"]
    target = output.report_target(given, [path])
    output.write(target, _used(given) if path is None else _of_report(given, path))
    return 0


def _used(given: dict[str, Any]) -> str:
    from scorch2.api.requests import WORDS, checked_settings
    from scorch2.audit.cite import Used, bibtex

    profile = given["--profile"]
    test = checked_settings(WORDS, OfTest, given)["test"]
    match = options_from(profile, match=given["--match"]).match
    metrics = chosen_metrics(given["--metric"] or metrics_of(profile, DEFAULT))
    tests, corrections = [test] if given["--test"] else [], ["holm"] if given["--holm"] else []
    return bibtex(Used(metrics, profile, match, given["--confidence"] is not None, tests, corrections))


def _of_report(given: dict[str, Any], path: str) -> str:
    from scorch2.api.requests import lookup
    from scorch2.audit import baseline
    from scorch2.audit.cite import citations_of_scores

    options.refuse(given, _CITE_TYPED, "and a report exclude each other: the report says what was used")
    report = baseline.read(path, lookup)
    if dict(report.facts).get("task") is not None:
        raise InputError(path, "$", "a report of another command (cite knows those of scorch2 score)")
    asked = baseline.values_of(read_text(path), path).get("confidence") is not None
    return citations_of_scores(report, intervals=asked)


_TASK_FORMS = f"{usage.name_list(forms_of('scores'), 'default')}; else the suffix decides"
TASK_USAGE = f"""Keep a shared task: corpora, settings and the score that ranks, in one small file.

Usage:
  scorch2 task [options] [--] [<action>] [<task.json>] [<path>]

  check <task.json> <submission>    say what has to be mended before it is scored, one line each
  score <task.json> <submission>    score a submission: a folder with a file or folder per corpus,
                                    or a zip or tar of it
  blind <task.json> <folder>        write what participants get: texts without annotation, and their
                                    own task.json, with hashes of these
  codabench <task.json> <zip>       write a bundle for Codabench: gold, texts, and scorch2 itself

Report:
{usage.option_lines("-f, --format=<name>", _TASK_FORMS)}
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
TASK_CHOICES = {"--format": forms_of("scores")}


def run_task(given: dict[str, Any]) -> int:
    """Do with a shared task what `given` says and return the exit status."""
    from scorch2.audit.shared_task import read_task, task_schema

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


def _score_task(given: dict[str, Any], task: "SharedTask", path: str) -> int:
    from scorch2.audit.shared_task import SUBMITTED, for_participants, submission_of
    from scorch2.audit.submission import checked, scored_submission

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


def _check_task(given: dict[str, Any], task: "SharedTask", path: str) -> int:
    from scorch2.audit.submission import checked

    target = output.report_target(given, [*task.paths(), path])
    check = checked(task, path, options.chosen_engine(given))
    many = f"nothing to mend: {counted(check.documents, 'document')} in {len(task.corpora)} corpora"
    last = counted(len(check.problems), "problem") if check.problems else many
    unchecked = f"; not checked without gold: {', '.join(check.unchecked)}" if check.unchecked else ""
    output.write(target, "".join(f"{line}\n" for line in (*check.problems, f"{last}{unchecked}")))
    return 1 if check.problems else 0


def _blind_task(given: dict[str, Any], task: "SharedTask", folder: str) -> int:
    from scorch2.audit.submission import handed_out

    files = {os.path.join(folder, *name.split("/")): data for name, data in handed_out(task).items()}
    outputs.check_files(files, task.paths(), None, force=given["--force"])
    try:
        for place in files:
            os.makedirs(os.path.dirname(place), exist_ok=True)
    except OSError as error:
        raise OutputError(f"{shown_path(folder)}: {error.strerror or error}") from None
    write_files(files)
    return 0


def _codabench(given: dict[str, Any], task: "SharedTask", target: str) -> int:
    from scorch2.audit.submission import bundle

    output.check_target(target, task.paths(), force=given["--force"])
    output.write(target, bundle(task, day_of(given["--start"], "--start")))
    return 0


_ACTIONS: Mapping[str, Callable[[dict[str, Any], "SharedTask", str], int]] = {
    "check": _check_task,
    "score": _score_task,
    "blind": _blind_task,
    "codabench": _codabench,
}
