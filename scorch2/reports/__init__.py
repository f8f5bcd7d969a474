"""Step 8, a Report to text: the table of forms, each a module with ``render(report, documents)``."""

import importlib
import os
from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, cast

from scorch2.formats.target import NOT_WRITTEN
from scorch2.model.errors import UsageError, shown_path, unknown_name
from scorch2.model.score import Measured
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.model.tables import Listing


class Form(NamedTuple):
    """One form of report, for help texts and detection."""

    what: str
    suffixes: tuple[str, ...] = ()
    """Suffixes of output files that ask for it where no form is typed."""
    listing: Literal["", "details", "tsv", "table", "markdown", "latex"] = ""
    """How lists stand before the report, if at all: with tabs (all or only details), or as a table.

    A form with lists is for reading: it holds the documents if they are asked for, and the signature.
    """
    ignores: tuple[str, ...] = ()
    """Options of the command line that change nothing in it."""


_ORDER = ("--sort", "--worst")
_ROWS = ("--per-document", "--per-file", *_ORDER)


REPORTS: Mapping[str, Form] = {
    "text": Form("one line per metric, full precision", (".txt",), "tsv"),
    "table": Form("aligned, percent with two decimals, counts: for reading", listing="table"),
    "json": Form("everything: scores, counts, documents, warnings", (".json",), ignores=_ORDER),
    "jsonl": Form("one line per document, the corpus last", (".jsonl",), ignores=_ORDER),
    "tsv": Form("tab-separated rows, full precision", (".tsv",), "details"),
    "markdown": Form(
        "for a pull request: gates, scores, change, lowest documents", (".md", ".markdown"), "markdown"
    ),
    "latex": Form("a table for a paper, with the rules of booktabs", (".tex",), "latex"),
    "junit": Form("one test case per gate", (".xml",)),
    "github": Form("annotations for a workflow log, or its summary page", ignores=_ROWS),
    "openmetrics": Form("gauges for Prometheus", (".prom",)),
    "html": Form(
        "a page for reading in a browser; of score with errors and texts",
        (".html", ".htm"),
        ignores=("--per-file", *_ORDER),
    ),
    "ua": Form(
        "the lines of the CorefUD and Universal Anaphora scorers, for scripts that read these",
        ignores=("--confidence", *_ROWS),
    ),
}
"""The forms by the name of their module, the default first. Help texts list them all."""
_TABS = ("text", "tsv")
"""The forms that the tab-separated text of neleval's commands stands for."""


class _Module(Protocol):
    """A module of this folder."""

    def render(self, report: Report, documents: Sequence[Measured]) -> str:
        """Return `report` as text that ends with a line feed, with rows for some `documents`."""


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


def form_of(
    typed: str | None,
    path: str | None,
    forms: Collection[str] = REPORTS,
    suffixes: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Return the form of a report: the one that is typed, or that of the output file's suffix.

    Parameters
    ----------
    typed : str, optional
        The name of a form.
    path : str, optional
        Where the report goes. A suffix that stands for no form gives the default form.
    forms : collection of str
        The forms that the command has, its default first.
    suffixes : mapping of str to str
        Forms that only the command has, by the suffixes that ask for them.

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
    if suffix in suffixes:
        return suffixes[suffix]
    meant = next((name for name, form in REPORTS.items() if suffix in form.suffixes), default)
    if suffix in NOT_WRITTEN or not (meant in forms or meant in _TABS):
        why = f"{shown_path(path or '')}: no form of report for {suffix}"
        raise UsageError(f"{why} (name the form with -f: {', '.join(forms)})")
    return meant if meant in forms else default


def render(
    report: Report,
    name: str,
    *,
    per_document: bool = False,
    sort: str | None = None,
    worst: int | None = None,
) -> str:
    """Return `report` as text that ends with a line feed.

    Parameters
    ----------
    report : Report
        What to render.
    name : str
        A key of `REPORTS`.
    per_document : bool
        Whether to add rows for every document, or file: see `Report.listed` (``json`` always holds them).
    sort : str, optional
        A metric: these rows begin with the lowest.
    worst : int, optional
        At most so many of these rows, the lowest.
    """
    form = cast("_Module", importlib.import_module(f"scorch2.reports.{check_report(name)}"))
    documents: Sequence[Measured] = ()
    if per_document:
        from scorch2.reports.rows import documents_in_order

        documents = documents_in_order(report, sort, worst)
    listings = [_listed(listing, REPORTS[name].listing) for listing in report.listings]
    return "".join([*listings, form.render(report, documents)])


def _listed(listing: "Listing", how: str) -> str:
    """Return a listing as it stands before a report; JSON holds it inside, other forms lack it."""
    if not how or (how == "details" and not listing.is_detail):
        return ""
    table = listing.table()
    shown = {"table": table.__str__, "markdown": table.markdown, "latex": table.latex}.get(how, table.tsv)
    return f"{shown()}\n\n"
