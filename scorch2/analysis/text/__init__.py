"""The forms of an analysis for reading and for programs: one file each, with ``render(report)``."""

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from scorch2.analysis.error_report import ErrorReport

FORMS: Mapping[str, str] = {
    "table": "aligned, gains in percent: for reading",
    "json": "everything: the JSON report of scorch2 score with more keys",
    "tsv": "tab-separated rows, full precision",
    "markdown": "the tables for a pull request",
    "html": "a page with scores, errors and texts in one file: for reading in a browser",
}
"""The forms by the name of their module, the default first."""
PAGE = "html"
"""The form that needs more than the others: the texts of documents."""


class _Module(Protocol):
    """A module of this folder."""

    def render(self, report: ErrorReport) -> str:
        """Return `report` as text that ends with a line feed."""


def render(report: ErrorReport, name: str) -> str:
    """Return `report` in a form of `FORMS`, as text that ends with a line feed."""
    return cast("_Module", importlib.import_module(f"scorch2.analysis.text.{name}")).render(report)
