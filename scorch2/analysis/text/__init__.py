"""The forms of an analysis for reading and for programs: one file each, with ``render(report)``."""

import importlib
from collections.abc import Mapping
from typing import Protocol, cast

from scorch2.analysis.report import ErrorReport

FORMS: Mapping[str, str] = {
    "table": "aligned, gains in percent: for reading",
    "json": "everything: the JSON report of scorch2 score with more keys",
    "tsv": "tab-separated rows, full precision",
    "markdown": "the tables for a pull request",
}
"""The forms by the name of their module, the default first."""


class _Module(Protocol):
    """A module of this folder."""

    def render(self, report: ErrorReport) -> str:
        """Return `report` as text that ends with a line feed."""


def render(report: ErrorReport, name: str) -> str:
    """Return `report` in a form of `FORMS`, as text that ends with a line feed."""
    return cast("_Module", importlib.import_module(f"scorch2.analysis.text.{name}")).render(report)
