"""Steps after scoring, shared by the scoring commands: intervals, gates, reports, exit status.

    Report ─▶ with intervals ─▶ with verdicts ─▶ reports written ─▶ verdicts listed ─▶ exit status

All that can be refused is refused by `delivery_request`, before anything is read.
"""

import os
from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.cli import console, options, output
from scorch2.formats.source import read_text
from scorch2.model import errors
from scorch2.model.forms import FORMS, check_form, check_paper, form_of, forms_of, render
from scorch2.model.options import separated, whole_value
from scorch2.model.score import GATES, Sampling
from scorch2.scoring.metrics.chosen import metric_row
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.report import Report, without_run

if TYPE_CHECKING:
    from scorch2.audit.judge import Threshold
    from scorch2.model.results import Verdict


def check_order(asked: "Delivery", scored: Collection[str]) -> None:
    """Refuse to order rows by a metric that is not scored, before anything is read."""
    if asked.sort is not None and asked.sort not in scored:
        known = errors.enumerated(scored)
        raise errors.UsageError(f"--sort={asked.sort} is not scored (add it to -m; scored: {known})")


def _rows(given: dict[str, Any], find: Callable[[str], AnyMetric]) -> tuple[str, str | None, int | None]:
    """Return what has rows in reports, the metric that orders them, and their number; None for all."""
    per = _per(given)
    sort, worst = given.get("--sort"), given.get("--worst")
    for name, value in (("--sort", sort), ("--worst", worst)):
        if value is not None and not per:
            raise errors.UsageError(f"{name} is for rows of documents: it needs --per-document")
    metric = None if sort is None else find(sort).name
    return per, metric, None if worst is None else whole_value(worst, "--worst", 1, least=1)


def _per(given: dict[str, Any]) -> str:
    """Return ``document`` or ``file`` if these have rows in reports, besides the corpus; else nothing."""
    per = [name for name in ("document", "file") if given.get(f"--per-{name}")]
    if len(per) > 1:
        raise errors.UsageError("--per-document and --per-file exclude each other")
    if per == ["file"] and given.get("--average") != "files":
        raise errors.UsageError("--per-file needs --average=files")
    return "".join(per)


class Target(NamedTuple):
    """A report or a figure to write: the name of its form, and where it goes."""

    form: str
    path: str


class Delivery(NamedTuple):
    """The options of a command, checked."""

    targets: Sequence[Target]
    metrics: Sequence[str]  # as they were typed
    per: str  # what has rows: ``document``, ``file`` or nothing
    sort: str | None  # the metric by which they are ordered
    worst: int | None  # the number of documents that have rows; None for all
    sampling: Sampling
    gates: Any  # the ``Gates`` that are asked for; None if neither bounds nor a baseline are
    paper: str | None  # the width of LaTeX tables
    strict: bool
    exit_zero: bool
    quiet: bool
    force: bool  # whether documents and read-only files may be replaced

    @property
    def writes_json(self) -> bool:
        """True if a JSON report is written, or a baseline."""
        return any(target.form == "json" for target in self.targets) or bool(self.updated)

    @property
    def needs_analysis(self) -> bool:
        """True if a page is written, or a gate is about a class of mentions."""
        has_page = any(FORMS[target.form].is_page for target in self.targets)
        return has_page or any(limit.of is not None for limit in self.thresholds)

    @property
    def thresholds(self) -> "Sequence[Threshold]":
        """The bounds that the report has to reach."""
        return () if self.gates is None else self.gates.thresholds

    @property
    def updated(self) -> Sequence[str]:
        """The baseline if it is written, else nothing."""
        return () if self.gates is None else self.gates.updated


def delivery_request(
    given: dict[str, Any],
    inputs: Sequence[str],
    find: Callable[[str], AnyMetric] = metric_row,
    beside: str | None = None,
    usual: str | None = None,
) -> Delivery:
    """Return what the options of the usage texts, of rows and of the gate ask for, checked."""
    # `beside` is where a text of the command's own goes, if it writes one; `usual` is the form of the report
    # where neither an option nor a suffix says it
    sampling = options.typed_sampling(given)
    asked_gates = None
    typed = [given.get(f"--{name}") for name in (*GATES, "baseline", "update-baseline", "significant")]
    if any(value not in (None, False, []) for value in typed):  # an empty text is typed, too
        from scorch2.cli.gates import gates_request

        asked_gates = gates_request(given, find, sampling)
    per, sort, worst = _rows(given, find)
    targets = requested_targets(given, "scores", usual)
    asked = Delivery(
        targets=targets,
        metrics=[name.strip().casefold() for name in separated(given.get("--metric") or [])],
        per=per,
        sort=sort,
        worst=worst,
        sampling=sampling,
        gates=asked_gates,
        paper=requested_paper(given, [target.form for target in targets]),
        strict=given.get("--strict", False),
        exit_zero=given.get("--exit-zero", False),
        quiet=given.get("--quiet", False),
        force=given.get("--force", False),
    )
    for name in (
        ("--trials", "--seed")
        if sampling.level is None and (asked_gates is None or asked_gates.significant is None)
        else ()
    ):
        if given.get(name) is not None:
            both = "--confidence or --significant" if "--confidence" in given else "--significant"
            raise errors.UsageError(f"{name} needs {both}")
    _refuse_idle(given, asked.targets)
    _check(asked, inputs, beside)
    return asked


def _refuse_idle(given: dict[str, Any], targets: Sequence[Target]) -> None:
    forms = forms_of("scores")
    for name in dict.fromkeys(option for form in forms.values() for option in form.ignores):
        if targets and given.get(name) and not any(_takes(target, name) for target in targets):
            others = ", ".join(form for form, row in forms.items() if name not in row.ignores)
            raise errors.UsageError(f"{name} shows in {others}: choose one of them with -f or --report")


def _takes(target: Target, option: str) -> bool:
    return option not in FORMS[target.form].ignores or _is_github_page(target)


def _is_github_page(target: Target) -> bool:
    return target.form == "github" and target.path != output.STDOUT


def deliver(report: Report, asked: Delivery, texts: Sequence[tuple[str, str]] = ()) -> int:
    """Judge, write and list what is `asked` for, and return the exit status: 1 if a gate failed."""
    # `texts` are written with the reports, each to its path
    report = judged(report, asked)
    write_reports(report, asked, texts)
    _say_verdicts(report.gates, quiet=asked.quiet)
    console.warn(report.notices, quiet=asked.quiet)
    return exit_status(report, asked)


def judged(report: Report, asked: Delivery) -> Report:
    """Return `report` with the intervals and verdicts that are `asked` for."""
    if asked.sampling.level is not None:
        report = _with_intervals(report, asked.sampling)
    if asked.gates is None:
        console.refuse_warnings(report.notices, strict=asked.strict)
        return report
    from scorch2.cli.gates import baseline_for, verdicts_on

    baseline, notices = baseline_for(report, asked.gates)
    report = report._replace(notices=[*report.notices, *notices])
    console.refuse_warnings(report.notices, strict=asked.strict)
    before = None if baseline is None else baseline.scores
    return report._replace(gates=verdicts_on(report, baseline, asked.gates), baseline=before)


def write_reports(report: Report, asked: Delivery, texts: Sequence[tuple[str, str]] = ()) -> None:
    """Write all reports, and the baseline if it is to be updated and all gates passed."""
    reports = [(target.path, _rendered(report, target, asked)) for target in asked.targets]
    if not failed(report):
        reports += [(path, render(without_run(report), "json")) for path in asked.updated]
    output.write_all([*texts, *reports])


def failed(report: Report) -> bool:
    """Return whether a gate failed."""
    return not all(verdict.passed for verdict in report.gates)


def exit_status(report: Report, asked: Delivery) -> int:
    """Return the exit status: 1 only for a failed gate."""
    return 1 if failed(report) and not asked.exit_zero else 0


def _with_intervals(report: Report, sampling: Sampling) -> Report:
    from scorch2.analysis.bootstrap import confidence, few_documents

    notices = [*report.notices, *few_documents(report, "intervals")]
    return report._replace(confidence=confidence(report, sampling), notices=notices)


def _rendered(report: Report, target: Target, asked: Delivery) -> str:
    if asked.per:
        report = report._replace(unit=asked.per)
    if _is_github_page(target):
        from scorch2.reports.ci import github_page, is_github_page
        from scorch2.reports.rows import documents_in_order

        before = (
            read_text(target.path) if is_github_page(target.path) and os.path.lexists(target.path) else ""
        )
        shown = documents_in_order(report, asked.sort, asked.worst) if asked.per else ()
        return github_page(report, before, shown)
    per, sort, worst = bool(asked.per), asked.sort, asked.worst
    make = partial(render, report, target.form, per_document=per, sort=sort, worst=worst, paper=asked.paper)
    return output.laid_out(target.path, make, _most_wanted(report, asked.metrics))


def _most_wanted(report: Report, typed: Collection[str]) -> list[str]:
    """Return the labels of the metrics that were typed, or of the main one if that tells none apart."""
    wanted = [row for row in report.rows if {row.name, *row.aliases} & set(typed)]
    if len(wanted) in (0, len(report.rows)):
        wanted = [row for row in report.rows if row.name == report.main_metric()]
    return [row.label for row in wanted] if len(report.rows) > 1 else []


def _say_verdicts(verdicts: "Sequence[Verdict]", *, quiet: bool) -> None:
    shown = [verdict for verdict in verdicts if not (quiet and verdict.passed)]
    if shown:
        from scorch2.audit.judge import verdict_table
        from scorch2.model.results import verdict_summary

        head, _, *rows = str(verdict_table(shown)).splitlines()
        for line in (head, *rows, f"scorch2: {verdict_summary(verdicts)}"):
            console.say(line)


def _check(asked: Delivery, inputs: Sequence[str], beside: str | None) -> None:
    own = [] if beside is None else [beside]
    baseline, updated = None, asked.updated
    if asked.gates is not None:
        asked.gates.check()
        baseline = asked.gates.baseline
    refuse_one_place([*(target.path for target in asked.targets), *own, *updated])
    if baseline == output.STDOUT and output.STDOUT in inputs:
        raise errors.UsageError("standard input can be one input only")
    for target in asked.targets:
        read = (*inputs, *([baseline] if baseline else []))
        output.check_target(target.path, read, force=asked.force)
    for path in updated:
        output.check_target(path, inputs, force=asked.force)


# What is written, and where to


def requested_targets(given: dict[str, Any], kind: str, usual: str | None = None) -> list[Target]:
    """Return the reports that are asked for of a kind of value, that of ``--format`` first."""
    usual = "latex" if given.get("--latex") else usual
    extra = []
    for text in given.get("--report", ()):
        form, _, path = text.partition(":")
        extra.append(Target(check_form(form, kind), path or output.STDOUT))
    if "--format" not in given:
        return extra
    asked, place = given["--format"], output.report_path(given)
    taken = any(output.place(target.path) == output.STDOUT for target in extra)
    if asked is None and place is None and taken:
        return extra
    return [Target(form_of(asked, place, kind, usual), output.STDOUT if place is None else place), *extra]


def requested_paper(given: dict[str, Any], forms: Collection[str]) -> str | None:
    """Return the width of LaTeX tables, if it is given."""
    if given.get("--latex") is None:
        return None
    if "latex" not in forms:
        raise errors.UsageError("--latex is the width of LaTeX tables: it needs -f latex")
    return check_paper(given["--latex"], "width of --latex")


def refuse_one_place(paths: Sequence[str], what: str = "reports") -> None:
    """Refuse two reports, or outputs, that go to one place."""
    places = [output.place(path) for path in paths]
    for path, place in zip(paths, places, strict=True):
        if places.count(place) > 1:
            where = "standard output" if place == output.STDOUT else errors.shown_path(path)
            raise errors.OutputError(f"two {what} go to {where}")
