"""The signature of a report: one line that says how to get its numbers again."""

from scorch2.model.choices import OPTIONS
from scorch2.scoring.report import Report
from scorch2.version import __version__


def line(report: Report) -> str:
    """Return the signature; the average is always in it, and all else that is not the default."""
    average = f"average={report.options.average}"
    settings = [f"{name}={value}" for name, value in report.settings]
    changed = [
        f"{name}={value}{_how_often(report, name)}"
        for name, value in report.options.changed().items()
        if name != "average"
    ]
    gold, system = (
        sum(document.gold_mentions for document in report.documents),
        sum(document.system_mentions for document in report.documents),
    )
    files = [f"files={len(found)}"] if (found := report.files()) else []
    counts = [*files, f"documents={len(report.documents)}", f"mentions={gold}/{system}"]
    if report.confidence:
        counts.append(f"seed={report.confidence.seed}")
    facts = [f"{name}={value}" for name, value in report.facts]
    return " | ".join([f"scorch2 {__version__}", *facts, average, *settings, *changed, *counts])


def _how_often(report: Report, option: str) -> str:
    """Say how many documents a choice that leaves out or empties documents was needed for."""
    times = sum(notice.code == option for notice in report.notices)
    return f"({times})" if OPTIONS[option].row.counts and times else ""
