"""Step 8, a Report to text: the table of forms, each a module with ``render(report, per_document)``."""

import importlib
import os
from collections.abc import Collection, Mapping
from typing import NamedTuple, Protocol, cast

from scorch2.model.errors import UsageError
from scorch2.model.messages import shown_path, unknown_name
from scorch2.model.tables import Listing
from scorch2.scoring.report import Report


class Form(NamedTuple):
    """What there is to say about a form of report."""

    what: str
    suffixes: tuple[str, ...] = ()
    """Suffixes of output files that ask for it where no form is typed."""


REPORTS: Mapping[str, Form] = {
    "text": Form("one line per metric, full precision", (".txt",)),
    "table": Form("aligned, percent with two decimals, counts: for reading"),
    "json": Form("everything: scores, counts, documents, warnings", (".json",)),
    "jsonl": Form("one line per document, the corpus last", (".jsonl",)),
    "tsv": Form("tab-separated rows, full precision", (".tsv",)),
    "markdown": Form("for a pull request: gates, scores, change, lowest documents", (".md", ".markdown")),
    "junit": Form("one test case per gate", (".xml",)),
    "github": Form("annotations for a workflow log, or its summary page"),
    "openmetrics": Form("gauges for Prometheus", (".prom",)),
}
"""What each form is, by the name of its module. The default comes first; help texts list them all."""
NOT_WRITTEN = (".html", ".htm", ".tex")
"""Suffixes of forms that there are not: text under such a name would mislead."""
_TABS = ("text", "tsv")
"""The forms that the tab-separated text of neleval's commands stands for."""


class _Module(Protocol):
    """A module of this folder."""

    def render(self, report: Report, per_document: bool) -> str:
        """Return `report` as text that ends with a line feed."""


def check_report(name: str) -> str:
    """Return `name` if it is a report form.

    Raises
    ------
    UsageError
        For any other name.
    """
    if name not in REPORTS:
        raise UsageError(unknown_name(name, "report format", REPORTS))
    return name


def form_of(typed: str | None, path: str | None, forms: Collection[str] = REPORTS) -> str:
    """Return the form of a report: the one that is typed, or that of the output file's suffix.

    Parameters
    ----------
    typed : str, optional
        The name of a form.
    path : str, optional
        Where the report goes. A suffix that stands for no form gives the default form.
    forms : collection of str
        The forms that the command has, its default first.

    Raises
    ------
    UsageError
        For a form that the command does not have.

    >>> form_of(None, "out/report.md"), form_of(None, "scores.v2"), form_of("tsv", "report.md")
    ('markdown', 'text', 'tsv')
    """
    default = next(iter(forms))
    if typed is not None:
        if typed not in forms:
            raise UsageError(unknown_name(typed, "report format", forms))
        return typed
    suffix = os.path.splitext(path or "")[1].casefold()
    meant = next((name for name, form in REPORTS.items() if suffix in form.suffixes), default)
    if suffix in NOT_WRITTEN or not (meant in forms or meant in _TABS):
        why = f"{shown_path(path or '')}: no form of report for {suffix}"
        raise UsageError(f"{why} (name the form with -f: {', '.join(forms)})")
    return meant if meant in forms else default


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
    form = cast("_Module", importlib.import_module(f"scorch2.reports.{check_report(name)}"))
    return "".join(_listed(listing, name) for listing in report.listings) + form.render(report, per_document)


def _listed(listing: Listing, name: str) -> str:
    """Return a listing as it stands before a report; JSON holds it inside, other forms lack it."""
    if name in ("text", "tsv") and (listing.is_detail or name == "text"):
        return f"{listing.table().tsv()}\n\n"
    if name in ("table", "markdown"):
        table = listing.table()
        return f"{table if name == 'table' else table.markdown()}\n\n"
    return ""
