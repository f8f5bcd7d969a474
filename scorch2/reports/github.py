"""The GitHub report: annotations for the log of a workflow, or a summary for the page of the run.

GitHub shows at most ten annotations of a step, and it drops a summary of more than one mebibyte: stay below.
"""

import os
from collections.abc import Sequence

from scorch2.model.errors import printable
from scorch2.model.escaping import command_data, command_property
from scorch2.model.results import verdict_summary
from scorch2.model.score import Measured, main_part
from scorch2.reports import markdown
from scorch2.reports.rows import skipped_note
from scorch2.scoring.report import Report

MOST_ANNOTATIONS = 10
MOST_BYTES = 1 << 20


def render(report: Report, documents: Sequence[Measured]) -> str:  # noqa: ARG001 - a gate on documents names those that fail
    """Return workflow commands: failed gates as errors, then warnings and notices, at most ten in all."""
    found = [
        _command("error", str(verdict), f"{verdict.reason}: {verdict.outcome}")
        for verdict in report.gates
        if not verdict.passed
    ]
    for notice in report.notices:
        place = f"{printable(notice.document)}: " if notice.document else ""
        found.append(_command("warning", f"scorch2: {notice.code}", f"{place}{notice.message}"))
    if not found or (report.gates and all(verdict.passed for verdict in report.gates)):
        scores = ", ".join(
            f"{row.label} {100 * main_part(report.scores[row.name]):.2f}" for row in report.rows
        )
        found.insert(
            0, _command("notice", verdict_summary(report.gates) if report.gates else "scorch2", scores)
        )
    skipped = skipped_note(report)
    if skipped:
        found.append(_command("notice", "scorch2", skipped))
    if len(found) > MOST_ANNOTATIONS:
        rest = len(found) - MOST_ANNOTATIONS + 1
        found[MOST_ANNOTATIONS - 1 :] = [_command("warning", "scorch2", f"… and {rest} more, see the report")]
    return "".join(f"{line}\n" for line in found)


def page(report: Report, before: str, documents: Sequence[Measured]) -> str:
    """Return the Markdown report below what other commands of the step have written to its summary."""
    text = markdown.render(report, documents)
    start = before if not before or before.endswith("\n") else f"{before}\n"
    room = MOST_BYTES - len(start.encode("utf-8"))
    if len(text.encode("utf-8")) >= room:
        text = markdown.render(report, ())
    return f"{start}{text}" if len(text.encode("utf-8")) < room else before


def is_page(path: str) -> bool:
    """Return whether GitHub collects the summary of the current step at `path`."""
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    return page is not None and os.path.realpath(path) == os.path.realpath(page)


def _command(kind: str, title: str, message: str) -> str:
    return f"::{kind} title={command_property(title)}::{command_data(message)}"
