"""Steps after scoring, shared by the scoring commands: intervals, gates, reports, exit status.

    Report ─▶ with intervals ─▶ with verdicts ─▶ reports written ─▶ verdicts listed ─▶ exit status

All that can be refused was refused by `options.delivery_request`, before anything was read.
"""

import os
from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING

from scorch2.cli import console, output
from scorch2.cli.options import Delivery, Target
from scorch2.formats.source import read_text
from scorch2.model.forms import render
from scorch2.model.score import Sampling
from scorch2.scoring.report import Report, without_run

if TYPE_CHECKING:
    from scorch2.model.results import Verdict


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
        report = _with_intervals(report, asked.sampling)
    if asked.gates is None:
        console.refuse_warnings(report.notices, strict=asked.strict)
        return report
    from scorch2.cli.gates import baseline_for, lower_scores, verdicts_on

    baseline, notices = baseline_for(report, asked.gates)
    report = report._replace(notices=[*report.notices, *notices])
    console.refuse_warnings(report.notices, strict=asked.strict)
    before = None if baseline is None else baseline.scores
    report = report._replace(gates=verdicts_on(report, baseline, asked.gates), baseline=before)
    return report._replace(notices=[*report.notices, *lower_scores(report, baseline, asked.gates)])


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


def _with_intervals(report: Report, sampling: Sampling) -> Report:
    from scorch2.analysis.bootstrap import confidence, few_documents

    notices = [*report.notices, *few_documents(report, "intervals")]
    return report._replace(confidence=confidence(report, sampling), notices=notices)


def _rendered(report: Report, target: Target, asked: Delivery) -> str:
    if asked.per:
        report = report._replace(unit=asked.per)
    if target.is_github_page:
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
