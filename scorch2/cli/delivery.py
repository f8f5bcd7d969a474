"""Steps after scoring, shared by the scoring commands: intervals, gates, reports, exit status.

    Report ─▶ with intervals ─▶ with verdicts ─▶ reports written ─▶ verdicts listed ─▶ exit status

All that can be refused is refused by `request`, before anything is read.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.cli import console, document_rows, output, usage
from scorch2.formats.source import read_text
from scorch2.model.confidence import TRIALS
from scorch2.model.errors import NOT_THERE, InputError, InputErrors, Notice, OutputError, UsageError
from scorch2.model.messages import counted, listed, shown_path
from scorch2.model.numbers import fraction, percent, whole
from scorch2.model.verdict import DROPS, GATES, Verdict, summary, table
from scorch2.reports import REPORTS, check_report, form_of, render
from scorch2.scoring.metrics import row
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.reduced import without_run
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.gate.judge import Threshold

_SUFFIXES = " ".join(suffix for form in REPORTS.values() for suffix in form.suffixes)
_FORMS = f"{usage.names(REPORTS, 'default')}; if absent, the suffix of the file decides: {_SUFFIXES}"
REPORT_USAGE = f"""\
{usage.lines("-f, --format=<name>", _FORMS)}
  -o, --output=<file>       where the report goes, instead of <out-file>
  --report=<name[:file]>    one more report (repeatable), to a file or standard output
  --force                   overwrite files even if they are documents or read-only
{document_rows.USAGE}
  --no-signature            leave out the last line, which says how the numbers were made
"""
CONFIDENCE_USAGE = f"{usage.confidence_options()}\n"
GATE_USAGE = """\
Gate (<spec> is METRIC=VALUE or METRIC.PART=VALUE, PART is r, p or f; the value is a fraction up
to 1, or percent; METRIC can be of a class of mentions, such as lea[type=pronoun]):
  --fail-under=<spec>       exit status 1 if the score is below this bound (repeatable)
  --fail-under-doc=<spec>   the same for every document (repeatable)
  --baseline=<file>         a JSON report to compare with
  --max-drop=<spec>         largest allowed drop below the baseline's score (repeatable)
  --max-drop-rel=<spec>     the same, as a share of the baseline's score (repeatable)
  --significant=<alpha>     a drop fails only if a paired permutation test, one-sided since a drop
                            has a direction, gives p <= alpha
  --update-baseline         store the report as the baseline if all gates pass
  --strict                  a warning is an error
  --exit-zero               exit status 0 though gates fail
"""
_NONE_YET = "there is none yet"


class Target(NamedTuple):
    """A report to write: a key of `REPORTS`, and where it goes."""

    form: str
    path: str


class Request(NamedTuple):
    """The options of a command, checked."""

    targets: Sequence[Target]
    rows: document_rows.Rows
    """The documents that have rows."""
    level: float | None
    trials: int
    seed: int
    thresholds: "Sequence[Threshold]"
    baseline: str | None
    significant: float | None
    update: bool
    strict: bool
    exit_zero: bool
    quiet: bool
    force: bool
    """Whether documents and read-only files may be replaced."""


def request(
    given: dict[str, Any],
    inputs: Sequence[str],
    find: Callable[[str], AnyMetric] = row,
    beside: str | None = None,
) -> Request:
    """Return what the options of `REPORT_USAGE`, `CONFIDENCE_USAGE` and `GATE_USAGE` ask for, checked.

    `beside` is where a text of the command's own goes, if it writes one.

    Raises
    ------
    UsageError, OutputError
        For options that make no sense, and targets that cannot be written.
    """
    level = given.get("--confidence")
    significant = given["--significant"]
    asked = Request(
        targets=_targets(given),
        rows=document_rows.request(given, find),
        level=None if level is None else percent(level, "--confidence"),
        trials=whole(given.get("--trials"), "--trials", TRIALS, least=1),
        seed=whole(given.get("--seed"), "--seed", 0, least=0),
        thresholds=_thresholds(given, find),
        baseline=given["--baseline"],
        significant=None if significant is None else fraction(significant, "--significant"),
        update=given["--update-baseline"],
        strict=given["--strict"],
        exit_zero=given["--exit-zero"],
        quiet=given["--quiet"],
        force=given["--force"],
    )
    for name in ("--trials", "--seed") if level is None and significant is None else ():
        if given.get(name) is not None:
            both = "--confidence or --significant" if "--confidence" in given else "--significant"
            raise UsageError(f"{name} needs {both}")
    _check(asked, inputs, beside)
    return asked


def deliver(report: Report, asked: Request, texts: Sequence[tuple[str, str]] = ()) -> int:
    """Judge, write and list what is `asked` for, and return the exit status: 1 if a gate failed.

    `texts` are written with the reports, each to its path.
    """
    report = judged(report, asked)
    write(report, asked, texts)
    _list(report.gates, quiet=asked.quiet)
    if not asked.quiet:
        console.warn(report.notices)
    return status(report, asked)


def judged(report: Report, asked: Request) -> Report:
    """Return `report` with the intervals and verdicts that are `asked` for.

    Raises
    ------
    InputError
        For a baseline that cannot be compared, and for warnings that are errors.
    """
    if asked.level is not None:
        report = _with_intervals(report, asked.level, asked.trials, asked.seed)
    if asked.significant is not None and 0.5 ** len(report.documents) > asked.significant:
        documents = counted(len(report.documents), "document")
        why = f"over {documents} no drop can be significant with p <= {asked.significant:g}: all of them pass"
        report = report._replace(notices=[*report.notices, Notice("significance", "", why)])
    baseline, lack = _baseline(report, asked)
    drops = [limit for limit in asked.thresholds if limit.gate in DROPS]
    if lack and drops:
        lack += f", so {counted(len(drops), 'gate')} on drops cannot be judged"
    if lack not in ("", _NONE_YET):
        report = report._replace(notices=[*report.notices, Notice("baseline", asked.baseline or "", lack)])
    if asked.strict and report.notices:
        raise InputErrors(
            [InputError(notice.document or notice.code, "", notice.message) for notice in report.notices]
        )
    before = None if baseline is None else baseline.scores
    return report._replace(gates=_verdicts(report, baseline, asked), baseline=before)


def write(report: Report, asked: Request, texts: Sequence[tuple[str, str]] = ()) -> None:
    """Write all reports, and the baseline if it is to be updated and all gates passed."""
    reports = [(target.path, _rendered(report, target, asked)) for target in asked.targets]
    if asked.update and asked.baseline is not None and not failed(report):
        reports.append((asked.baseline, render(without_run(report), "json")))
    output.write_all([*texts, *reports])


def failed(report: Report) -> bool:
    """Return whether a gate failed."""
    return not all(verdict.passed for verdict in report.gates)


def status(report: Report, asked: Request) -> int:
    """Return the exit status: 1 only for a failed gate."""
    return 1 if failed(report) and not asked.exit_zero else 0


def _with_intervals(report: Report, level: float, trials: int, seed: int) -> Report:
    from scorch2.resampling.bootstrap import confidence, few_documents

    notices = [*report.notices, *few_documents(report, "intervals")]
    return report._replace(confidence=confidence(report, level, trials, seed), notices=notices)


def _thresholds(given: dict[str, Any], find: Callable[[str], AnyMetric]) -> "list[Threshold]":
    specs = [(name, spec) for name in GATES for spec in given[f"--{name}"]]
    if not specs:
        return []
    from scorch2.gate.judge import threshold

    return [threshold(name, spec, find) for name, spec in specs]


def _baseline(report: Report, asked: Request) -> tuple[Report | None, str]:
    """Return the baseline, or None and why there is none to compare with; nothing if none is asked for."""
    if asked.baseline is None or (asked.update and not output.exists(asked.baseline)):
        return None, "" if asked.baseline is None else _NONE_YET
    from scorch2.api.lookup import lookup
    from scorch2.gate import comparable
    from scorch2.gate.baseline import read as read_baseline

    baseline = read_baseline(asked.baseline, lookup)
    reason = comparable.reason_against(report, baseline)
    if reason is not None and asked.update:
        return None, f"not comparable, it is replaced if all gates pass: {reason}"
    if reason is not None:
        raise InputError(asked.baseline, "", f"not comparable: {reason} (--update-baseline replaces it)")
    lost = [name for name in baseline.scores if name not in report.scores] if asked.update else []
    if lost:
        why = f"holds {listed(lost)}, which this run lacks: the update would lose that (add -m)"
        raise InputError(asked.baseline, "", why)
    return baseline, ""


def _verdicts(report: Report, baseline: Report | None, asked: Request) -> list[Verdict]:
    if not asked.thresholds:
        return []
    from scorch2.gate import judge

    drops = [limit for limit in asked.thresholds if limit.gate in DROPS]
    lacking = None if baseline is None else judge.missing(baseline, drops)
    if lacking is not None:
        raise InputError(asked.baseline or "", "", f"holds no {lacking} to compare with")
    for limit in drops if baseline is not None else ():
        if not getattr(baseline.scores[limit.metric], limit.part).defined:  # type: ignore[union-attr]  # not None
            raise InputError(
                asked.baseline or "", "", f"{limit.metric}.{limit.part} is 0/0: nothing to compare with"
            )
    doubt = None if asked.significant is None else judge.DropTest(asked.significant, asked.seed, asked.trials)
    limits = [limit for limit in asked.thresholds if baseline is not None or limit not in drops]
    return judge.judge(report, limits, baseline, doubt)


def _rendered(report: Report, target: Target, asked: Request) -> str:
    if asked.rows.per:
        report = report._replace(unit=asked.rows.per)
    if target.form == "github" and target.path != output.STDOUT:
        from scorch2.reports import github

        before = read_text(target.path) if github.is_page(target.path) and output.exists(target.path) else ""
        return github.page(report, before, asked.rows.documents(report))
    per, sort, worst = asked.rows
    return render(report, target.form, per_document=bool(per), sort=sort, worst=worst)


def _list(verdicts: Sequence[Verdict], *, quiet: bool) -> None:
    shown = [verdict for verdict in verdicts if not (quiet and verdict.passed)]
    if shown:
        head, _, *rows = str(table(shown)).splitlines()
        for line in (head, *rows, f"scorch2: {summary(verdicts)}"):
            console.say(line)


def _targets(given: dict[str, Any]) -> list[Target]:
    extra = []
    for text in given["--report"]:
        form, _, path = text.partition(":")
        extra.append(Target(check_report(form), path or output.STDOUT))
    if "--format" not in given:
        return extra
    form, path = given["--format"], output.named(given)
    taken = any(output.place(target.path) == output.STDOUT for target in extra)
    if form is None and path is None and taken:
        return extra
    return [Target(form_of(form, path), output.STDOUT if path is None else path), *extra]


def _check(asked: Request, inputs: Sequence[str], beside: str | None) -> None:
    gates = {limit.gate for limit in asked.thresholds}
    for drop in DROPS:
        if drop in gates and asked.baseline is None:
            raise UsageError(f"--{drop} needs --baseline")
    if asked.significant is not None and not gates.intersection(DROPS):
        raise UsageError("--significant needs --max-drop or --max-drop-rel")
    if asked.update and asked.baseline in (None, output.STDOUT):
        raise UsageError("--update-baseline needs --baseline=<file>")
    if asked.baseline not in (None, output.STDOUT) and not (asked.update or output.exists(asked.baseline)):
        raise InputError(asked.baseline, "", f"{NOT_THERE} (--update-baseline makes it)")
    paths = [target.path for target in asked.targets]
    own = [] if beside is None else [beside]
    updated = [asked.baseline] if asked.update and asked.baseline is not None else []
    _refuse_one_place([*paths, *own, *updated])
    if asked.baseline == output.STDOUT and output.STDOUT in inputs:
        raise UsageError("standard input can be one input only")
    for path in paths:
        read = (*inputs, *([asked.baseline] if asked.baseline else []))
        output.check_target(path, read, force=asked.force)
    for path in updated:
        output.check_target(path, inputs, force=asked.force)


def _refuse_one_place(paths: Sequence[str]) -> None:
    """Refuse two reports that go to one place."""
    places = [output.place(path) for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            where = "standard output" if place == output.STDOUT else shown_path(path)
            raise OutputError(f"two reports go to {where}")
