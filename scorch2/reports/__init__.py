"""Step 7, a Report to text: the table of formats, each a module with ``render(report, per_document)``."""

import importlib

from scorch2.model.errors import UsageError
from scorch2.model.messages import known
from scorch2.model.tables import Listing
from scorch2.scoring.report import Report

REPORTS = {
    "text": "one line a metric, full precision",
    "table": "aligned, percent with two decimals, counts: for reading",
    "json": "everything: scores, counts, documents, warnings",
    "jsonl": "one line a document, the corpus last",
    "tsv": "tab-separated rows, full precision",
    "markdown": "for a pull request: gates, scores, change, lowest documents",
    "junit": "one test case a gate",
    "github": "annotations for a workflow log, or its summary page",
    "openmetrics": "gauges for Prometheus",
}


def check_report(name: str) -> str:
    """Return `name` if it is a report format."""
    if name not in REPORTS:
        raise UsageError(known(name, "report format", REPORTS))
    return name


def render(report: Report, name: str, *, per_document: bool = False) -> str:
    """Return `report` as text that ends with a line feed.

    Parameters
    ----------
    report : Report
        What to render.
    name : str
        A key of `REPORTS`.
    per_document : bool
        Whether to add rows for every document (``json`` always holds them).
    """
    text: str = importlib.import_module(f"scorch2.reports.{check_report(name)}").render(report, per_document)
    return "".join(_listed(listing, name) for listing in report.listings) + text


def _listed(listing: Listing, name: str) -> str:
    """Return a listing as it stands before a report; JSON holds it inside, for machines there is none."""
    if name in ("text", "tsv") and (listing.is_detail or name == "text"):
        return f"{listing.table().tsv()}\n\n"
    if name in ("table", "markdown"):
        table = listing.table()
        return f"{table if name == 'table' else table.markdown()}\n\n"
    return ""
