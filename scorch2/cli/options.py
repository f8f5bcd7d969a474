"""Requests of the command line: one value for all that words ask for, and how a report is delivered.

All that can be refused is refused by `delivery_request`, before anything is read. What follows scoring:

    Report ─▶ with intervals ─▶ with verdicts ─▶ reports written ─▶ verdicts listed ─▶ exit status
"""

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.cli import console, output
from scorch2.formats.source import read_text
from scorch2.formats.table import check_format
from scorch2.model.errors import UsageError, counted, shown_path
from scorch2.model.forms import FORMS, check_form, check_paper, form_of, forms_of, render
from scorch2.model.options import INPUTS, OPTIONS, Options, flag_of, options_from, separated
from scorch2.model.score import GATES, USUAL, Sampling
from scorch2.scoring.flow import score_paths
from scorch2.scoring.metrics.chosen import metric_row
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.report import Report, without_run

if TYPE_CHECKING:
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.audit.judge import Threshold
    from scorch2.cli.gates import Gates
    from scorch2.model.results import Verdict
    from scorch2.workers.engine import Engine, Start
else:  # most runs need none of them
    AnalysisRequest = Engine = Gates = object


def typed(given: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the options that were typed, by the names of the arguments that they stand for."""
    there = {word: value for word, value in given.items() if word[0] == "-" and value not in (None, [])}
    return {name: there[word] for name in names if (word := flag_of(name)) in there} if there else {}


def typed_inputs(given: dict[str, Any]) -> dict[str, Any]:
    """Return the typed options about the inputs by their names in `Options`."""
    inputs = typed(given, INPUTS)
    for side in ("gold_format", "sys_format"):
        if side in inputs:
            check_format(inputs[side])
    return inputs


def typed_options(
    given: dict[str, Any], metrics: tuple[str, ...] | None, **fixed: str | bool | None
) -> Options:
    """Return the typed options that change numbers, with metrics, and what the command has `fixed`."""
    return options_from(
        given.get("--profile"),
        **typed(given, OPTIONS),
        **typed_inputs(given),
        **fixed,
        metrics=metrics,
        signature=False if given.get("--no-signature") else None,
    )


def typed_sampling(given: dict[str, Any]) -> Sampling:
    """Return the level of intervals, the number of samples and the seed."""
    if all(given.get(name) is None for name in ("--confidence", "--trials", "--seed")):
        return USUAL
    from scorch2.api.requests import WORDS, sampling

    return sampling(WORDS, given)


def typed_intervals(given: dict[str, Any]) -> Sampling:
    """Return how intervals are drawn; the options that say how are errors without any."""
    if given["--confidence"] is None:
        refuse(given, ("--trials", "--seed"), "needs --confidence")
    return typed_sampling(given)


def refuse(given: dict[str, Any], names: Iterable[str], why: str) -> None:
    """Raise a UsageError if one of some options was typed."""
    for name in names:
        if given.get(name) not in (None, False, []):
            raise UsageError(f"{name} {why}")


def names_of(names: Sequence[str], paths: Sequence[str], what: str) -> list[str]:
    """Return the names that are typed for systems or annotators (`what`), or their paths; all differ."""
    names = names or paths
    if len(names) != len(paths):
        many = f"{counted(len(names), 'name')} for {counted(len(paths), what)}"
        raise UsageError(f"{many}: give --name once for each, in their order")
    for path in paths:
        if paths.count(path) > 1:
            raise UsageError(f"the {what} {shown_path(path)} is given twice")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two {what}s are called {shown_path(name)}")
    return list(names)


def refuse_report(paths: Sequence[str], kind: str, what: str) -> None:
    """Refuse what is meant to be the file of the report, as the last path of other commands is."""
    # A missing path with the suffix of a report is no mistyped system; `what` says what each path is
    suffixes = (".txt", *(suffix for form in forms_of(kind).values() for suffix in form.suffixes))
    last = paths[-1]
    if len(paths) > 1 and last.lower().endswith(suffixes) and not os.path.exists(last):
        raise UsageError(f"{shown_path(last)}: no such file or folder (each {what}; -o names the report)")


def chosen_engine(given: dict[str, Any]) -> Engine:
    """Return the function that scores two paths: in this process, unless workers are asked for."""
    start = chosen_start(given)
    if start is None:
        return score_paths
    from scorch2.workers import engine

    return engine.with_workers(start)


def chosen_start(given: dict[str, Any]) -> "Start | None":
    """Return the function that starts the workers that are asked for; None if there are none."""
    jobs = given.get("--jobs")
    if jobs is None and given.get("--dask") is None:
        return None
    from scorch2.model.values import whole_value
    from scorch2.workers import engine

    return engine.start_of(whole_value(jobs, "--jobs", None, least=0), given.get("--dask"))


# Reports, and how they are written


def asked_rows(given: dict[str, Any], find: Callable[[str], str]) -> tuple[str, str | None, int | None]:
    """Return what has rows in reports, the metric that orders them, and their number; None for all."""
    per, sort, worst = _per(given), given.get("--sort"), given.get("--worst")
    if not per:
        refuse(given, ("--sort", "--worst"), "is for rows of documents: it needs --per-document")
    metric = None if sort is None else find(sort)
    if worst is None:
        return per, metric, None
    from scorch2.model.values import whole_value

    return per, metric, whole_value(worst, "--worst", None, least=1)


def _per(given: dict[str, Any]) -> str:
    """Return ``document`` or ``file`` if these have rows in reports, besides the corpus; else nothing."""
    per = [name for name in ("document", "file") if given.get(f"--per-{name}")]
    if len(per) > 1:
        raise UsageError("--per-document and --per-file exclude each other")
    if per == ["file"] and given.get("--average") != "files":
        raise UsageError("--per-file needs --average=files")
    return "".join(per)


class Target(NamedTuple):
    """A report or a figure to write: the name of its form, and where it goes."""

    form: str
    path: str

    @property
    def is_github_page(self) -> bool:
        """True for the summary page of a workflow, which is a file."""
        return self.form == "github" and self.path != output.STDOUT

    def takes(self, option: str) -> bool:
        """Return whether an option of reports changes something in it."""
        return option not in FORMS[self.form].ignores or self.is_github_page


class Delivery(NamedTuple):
    """The options of a command, checked."""

    targets: Sequence[Target]
    metrics: Sequence[str]  # as they were typed
    per: str  # what has rows: ``document``, ``file`` or nothing
    sort: str | None  # the metric by which they are ordered
    worst: int | None  # the number of documents that have rows; None for all
    sampling: Sampling
    gates: Gates | None  # None if neither bounds nor a baseline are asked for
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


class Asked(NamedTuple):
    """Everything that the words of a run ask for, checked before anything is read."""

    paths: tuple[str, str]
    options: Options
    delivery: Delivery
    score: Engine  # scores two paths, in this process or by workers
    analysis: AnalysisRequest | None  # how scores are broken down
    verbose: bool


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
    sampling = typed_sampling(given)
    gates = _requested_gates(given, find, sampling)
    per, sort, worst = asked_rows(given, lambda name: find(name).name)
    targets = requested_targets(given, "scores", usual)
    asked = Delivery(
        targets=targets,
        metrics=[name.strip().casefold() for name in separated(given.get("--metric") or [])],
        per=per,
        sort=sort,
        worst=worst,
        sampling=sampling,
        gates=gates,
        paper=requested_paper(given, [target.form for target in targets]),
        strict=given.get("--strict", False),
        exit_zero=given.get("--exit-zero", False),
        quiet=given.get("--quiet", False),
        force=given.get("--force", False),
    )
    if sampling.level is None and (gates is None or gates.significant is None):
        both = "--confidence or --significant" if "--confidence" in given else "--significant"
        refuse(given, ("--trials", "--seed"), f"needs {both}")
    _refuse_idle(given, targets)
    _check(asked, inputs, beside)
    return asked


def _requested_gates(
    given: dict[str, Any], find: Callable[[str], AnyMetric], sampling: Sampling
) -> Gates | None:
    typed = [given.get(f"--{name}") for name in (*GATES, "baseline", "update-baseline", "significant")]
    if all(value in (None, False, []) for value in typed):  # an empty text is typed, too
        return None
    from scorch2.cli.gates import gates_request

    return gates_request(given, find, sampling)


def _refuse_idle(given: dict[str, Any], targets: Sequence[Target]) -> None:
    forms = forms_of("scores")
    for name in dict.fromkeys(option for form in forms.values() for option in form.ignores):
        if targets and given.get(name) and not any(target.takes(name) for target in targets):
            others = ", ".join(form for form, row in forms.items() if name not in row.ignores)
            raise UsageError(f"{name} shows in {others}: choose one of them with -f or --report")


def _check(asked: Delivery, inputs: Sequence[str], beside: str | None) -> None:
    own = [] if beside is None else [beside]
    baseline, updated = None, asked.updated
    if asked.gates is not None:
        asked.gates.check()
        baseline = asked.gates.baseline
    output.refuse_one_place([*(target.path for target in asked.targets), *own, *updated])
    if baseline == output.STDOUT and output.STDOUT in inputs:
        raise UsageError("standard input can be one input only")
    for target in asked.targets:
        read = (*inputs, *([baseline] if baseline else []))
        output.check_target(target.path, read, force=asked.force or _adds(target))
    for path in updated:
        output.check_target(path, inputs, force=asked.force)


def _adds(target: Target) -> bool:
    """Return whether a report is added to what other commands wrote for the summary of a step."""
    if not target.is_github_page:
        return False
    from scorch2.reports.ci import is_github_page

    return is_github_page(target.path)


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
        raise UsageError("--latex is the width of LaTeX tables: it needs -f latex")
    return check_paper(given["--latex"], "width of --latex")


def deliver(report: Report, asked: Delivery, texts: Sequence[tuple[str, str]] = ()) -> int:
    """Judge, write and list what is `asked` for, and return the exit status: 1 if a gate failed."""
    # `texts` are written with the reports, each to its path
    report = judged(report, asked)
    write_reports(report, asked, texts)
    _say_verdicts(report.gates, quiet=asked.quiet)
    if report.baseline is not None and not report.gates and not asked.quiet:
        from scorch2.audit.judge import change_table

        head, _, *lines = str(change_table(report, report.baseline)).splitlines()
        console.say_all([head, *lines])
    console.warn(report.notices, quiet=asked.quiet)
    return exit_status(report, asked)


def judged(report: Report, asked: Delivery) -> Report:
    """Return `report` with the intervals and verdicts that are `asked` for."""
    if asked.sampling.level is not None:
        from scorch2.analysis.bootstrap import confidence, few_documents

        notices = [*report.notices, *few_documents(report, "intervals")]
        report = report._replace(confidence=confidence(report, asked.sampling), notices=notices)
    if asked.gates is not None:
        from scorch2.cli.gates import judged_by

        return judged_by(asked.gates, report, strict=asked.strict)
    console.refuse_warnings(report.notices, strict=asked.strict)
    return report


def write_reports(report: Report, asked: Delivery, texts: Sequence[tuple[str, str]] = ()) -> None:
    """Write all reports, and the baseline if it is to be updated, all gates passed and none is lower."""
    reports = [(target.path, _rendered(report, target, asked)) for target in asked.targets]
    if asked.updated and not failed(report):
        from scorch2.cli.gates import LOWER

        is_kept = any(notice.code == LOWER for notice in report.notices)
        reports += [(path, render(without_run(report), "json")) for path in asked.updated if not is_kept]
    output.write_all([*texts, *reports])


def failed(report: Report) -> bool:
    """Return whether a gate failed."""
    return not all(verdict.passed for verdict in report.gates)


def exit_status(report: Report, asked: Delivery) -> int:
    """Return the exit status: 1 only for a failed gate."""
    return 1 if failed(report) and not asked.exit_zero else 0


def _rendered(report: Report, target: Target, asked: Delivery) -> str:
    if asked.per:
        report = report._replace(unit=asked.per)
    if target.is_github_page:
        from scorch2.reports.ci import github_page, is_github_page
        from scorch2.reports.rows import documents_in_order

        before = (
            read_text(target.path) if is_github_page(target.path) and os.path.lexists(target.path) else ""
        )
        documents = documents_in_order(report, asked.sort, asked.worst) if asked.per else ()
        return github_page(report, before, documents)
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
    listed = [verdict for verdict in verdicts if not (quiet and verdict.passed)]
    if listed:
        from scorch2.audit.judge import verdict_table
        from scorch2.model.results import verdict_summary

        head, _, *rows = str(verdict_table(listed)).splitlines()
        for line in (head, *rows, f"scorch2: {verdict_summary(verdicts)}"):
            console.say(line)
