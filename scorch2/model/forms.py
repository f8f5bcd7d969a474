"""The forms of report, one row each for all values that they show, and what such a value can do by itself.

A value does not know its renderers. The rows here name them, and `renderer` imports one when it is asked for:
the only way up in the house.
"""

import importlib
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, NamedTuple, cast

from scorch2.model.errors import UsageError, shown_path, unknown_name


class Form(NamedTuple):
    """A form of report."""

    what: str
    shows: Mapping[str, str]
    """For each kind of value the function that shows it, as ``module:function`` below this package."""
    suffixes: tuple[str, ...] = ()
    """Suffixes of output files that ask for it where no form is typed."""
    listing: Literal["", "details", "tsv", "table", "markdown", "latex"] = ""
    """How lists stand before scores, if at all: with tabs (all or only details), or as a table.

    A form with lists is for reading: it holds the documents if they are asked for, and the signature.
    """
    ignores: tuple[str, ...] = ()
    """Options of the command line that change nothing in it."""
    has_classes: bool = False
    """Whether scores by classes of mentions are in it."""
    is_page: bool = False
    """Whether it shows the texts of documents, which are analysed for it."""


_ORDER = ("--sort", "--worst")
_ROWS = ("--per-document", "--per-file", *_ORDER)
_NOTHING = "model.forms:nothing"

FORMS: Mapping[str, Form] = {
    "text": Form(
        "one line per metric, full precision",
        {"scores": "reports.text:scorch_lines", "problems": "linking.text:problems_text"},
        (".txt",),
        "tsv",
    ),
    "tab": Form(
        "the tab-separated text of neleval",
        {
            "confidence": "resampling.text:intervals_tab",
            "significance": "resampling.text:differences_tab",
            "linking": "linking.text:rows_tab",
            "findings": "linking.text:findings_text",
            "counts": "linking.text:counts_text",
            "agreements": "linking.text:agreements_tab",
        },
    ),
    "table": Form(
        "aligned, percent with two decimals, counts: for reading",
        {
            "scores": "reports.tables:scores_table",
            "errors": "reports.errors:as_table",
            "systems": "reports.systems:as_table",
            "confidence": "resampling.text:intervals_table",
            "significance": "resampling.text:differences_table",
            "linking": "linking.text:rows_table",
            "measures": "linking.text:measures_table",
        },
        listing="table",
        has_classes=True,
    ),
    "json": Form(
        "everything: scores, counts, documents, warnings",
        {
            **dict.fromkeys(("scores", "errors", "systems"), "reports.json:as_json"),
            "confidence": "resampling.text:intervals_json",
            "significance": "resampling.text:differences_json",
            "linking": "linking.text:rows_json",
            "measures": "linking.text:measures_json",
            "findings": "linking.text:findings_json",
            "counts": "linking.text:counts_json",
            "problems": "linking.text:problems_json",
            "agreements": "linking.text:agreements_json",
        },
        (".json",),
        ignores=_ORDER,
        has_classes=True,
    ),
    "jsonl": Form(
        "one line per document, the corpus last",
        {"scores": "reports.json:as_json_lines"},
        (".jsonl",),
        ignores=_ORDER,
    ),
    "tsv": Form(
        "tab-separated rows, full precision",
        {
            "scores": "reports.tables:scores_tsv",
            "errors": "reports.errors:as_tsv",
            "systems": "reports.systems:as_tsv",
        },
        (".tsv",),
        "details",
        has_classes=True,
    ),
    "csv": Form("the same separated by commas", {"systems": "reports.systems:as_csv"}, (".csv",)),
    "markdown": Form(
        "for a pull request: gates, scores, change, lowest documents",
        {
            "scores": "reports.tables:scores_markdown",
            "errors": "reports.errors:as_markdown",
            "systems": "reports.systems:as_markdown",
            "confidence": "resampling.text:intervals_markdown",
            "significance": "resampling.text:differences_markdown",
        },
        (".md", ".markdown"),
        "markdown",
        has_classes=True,
    ),
    "latex": Form(
        "a table for a paper, with the rules of booktabs",
        {"scores": "reports.tables:scores_latex", "systems": "reports.systems:as_latex"},
        (".tex",),
        "latex",
        has_classes=True,
    ),
    "junit": Form("one test case per gate", {"scores": "reports.ci:as_junit"}, (".xml",)),
    "github": Form(
        "annotations for a workflow log, or its summary page",
        {"scores": "reports.ci:as_github"},
        ignores=_ROWS,
    ),
    "openmetrics": Form("gauges for Prometheus", {"scores": "reports.ci:as_openmetrics"}, (".prom",)),
    "html": Form(
        "a page for reading in a browser; of score with errors and texts",
        {
            "scores": "reports.page.documents:page_with_report",
            "errors": "reports.page.documents:page_with_texts",
            "systems": "reports.systems:as_html",
        },
        (".html", ".htm"),
        ignores=("--per-file", *_ORDER),
        has_classes=True,
        is_page=True,
    ),
    "ua": Form(
        "the lines of the CorefUD and Universal Anaphora scorers, for scripts that read these",
        {"scores": "reports.text:ua_lines"},
        ignores=("--confidence", *_ROWS),
    ),
    "none": Form(
        "no text: the exit status says whether it could be counted",
        dict.fromkeys(("confidence", "significance", "linking", "agreements"), _NOTHING),
    ),
}
"""The forms by name, in the order of help texts."""
_FIRST = {
    "systems": ("table", "markdown", "latex", "tsv", "csv"),
    "linking": ("tab", "json"),
    "classes": ("json",),
}
"""The forms that help texts of some kinds of values name before all others, the default first."""
_LIBRARY: Mapping[str, Mapping[str, str]] = {
    "__str__": {
        "confidence": "resampling.text:intervals_table",
        "significance": "resampling.text:differences_table",
        "scores": "reports.rows:fitted_table",
        "errors": "reports.errors:as_table",
        "systems": "reports.systems:plain_table",
    },
    "_repr_html_": {
        "confidence": "resampling.text:intervals_html",
        "significance": "resampling.text:differences_html",
        "scores": "reports.rows:html_table",
        "errors": "reports.errors:html_tables",
        "systems": "reports.systems:html_table",
    },
    "to_markdown": {
        "scores": "reports.tables:table_as_markdown",
        "errors": "reports.errors:as_markdown",
        "systems": "reports.systems:as_markdown",
    },
    "to_latex": {"scores": "reports.tables:scores_latex", "systems": "reports.systems:as_latex"},
    "to_html": {"errors": "reports.page.documents:page_with_texts"},
    "to_dict": {
        "confidence": "resampling.text:intervals_as_dict",
        "significance": "resampling.text:differences_as_dict",
        "scores": "reports.json:scores_as_dict",
        "errors": "reports.errors:as_dict",
        "systems": "reports.systems:as_dict",
    },
    "to_records": {
        "confidence": "resampling.text:intervals_as_records",
        "significance": "resampling.text:differences_as_records",
        "scores": "reports.json:scores_as_records",
        "errors": "reports.errors:as_records",
        "systems": "reports.systems:as_records",
    },
    "save": dict.fromkeys(("scores", "errors", "systems"), "reports.json:save"),
    "image": {"errors": "figures:error_image", "systems": "figures:systems_image"},
    "table": {"scores": "reports.rows:table_of"},
    "caption": {"scores": "reports.rows:score_caption"},
    "notes": {"scores": "reports.rows:score_notes"},
}
"""What the methods of a value do, by their name and its kind."""
NOT_WRITTEN = (
    *(".rst", ".pdf", ".doc", ".docx", ".odt", ".rtf", ".ipynb"),
    *(".xls", ".xlsx", ".ods", ".parquet", ".feather", ".db", ".sqlite", ".pkl", ".pickle"),
    *(".yaml", ".yml", ".toml", ".ini", ".ndjson"),
    *(".png", ".svg", ".jpg", ".jpeg", ".gif", ".eps", ".ps", ".webp"),
    *(".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz", ".7z"),
)
"""Suffixes of forms that are not written: text under such a name would mislead."""
_TABS = ("text", "tsv")
"""The forms that the tab-separated text of neleval's commands stands for."""


def forms_of(kind: str) -> dict[str, Form]:
    """Return the forms of a kind of value by name, the default first."""
    return _ordered(kind, (name for name, form in FORMS.items() if kind in form.shows))


def forms_with_classes() -> dict[str, Form]:
    """Return the forms of scores that show them by classes of mentions."""
    return _ordered("classes", (name for name, form in FORMS.items() if form.has_classes))


def _ordered(kind: str, names: Iterable[str]) -> dict[str, Form]:
    return {name: FORMS[name] for name in dict.fromkeys((*_FIRST.get(kind, ()), *names))}


def suffixes_but(name: str) -> tuple[str, ...]:
    """Return the suffixes of all other forms, and of those that are not written."""
    written = [suffix for other, form in FORMS.items() if other != name for suffix in form.suffixes]
    return (*written, *NOT_WRITTEN)


def check_form(name: str, kind: str = "scores") -> str:
    """Return `name` if it is a form of a kind of value."""
    if name not in forms_of(kind):
        raise UsageError(unknown_name(name, "report format", forms_of(kind)))
    return name


def form_of(typed: str | None, path: str | None, kind: str = "scores") -> str:
    """Return the form of a report: the one that is typed, or that of the output file's suffix.

    A suffix that stands for no form gives the default form of the kind of value.

    >>> form_of(None, "out/report.md"), form_of(None, "scores.v2"), form_of("tsv", "report.md")
    ('markdown', 'text', 'tsv')
    """
    if typed is not None:
        return check_form(typed, kind)
    forms = forms_of(kind)
    default = next(iter(forms))
    suffix = os.path.splitext(path or "")[1].casefold()
    meant = next((name for name, form in FORMS.items() if suffix in form.suffixes), default)
    if suffix in NOT_WRITTEN or not (meant in forms or meant in _TABS):
        why = f"{shown_path(path or '')}: no form of report for {suffix}"
        raise UsageError(f"{why} (name the form with -f: {', '.join(forms)})")
    return meant if meant in forms else default


def renderer(place: str) -> Callable[..., Any]:
    """Return a function by its ``module:function`` below this package: the one way up in the house."""
    module, _, function = place.partition(":")
    return cast("Callable[..., Any]", getattr(importlib.import_module(f"scorch2.{module}"), function))


def render(
    value: "Shown",
    name: str,
    *,
    per_document: bool = False,
    sort: str | None = None,
    worst: int | None = None,
) -> str:
    """Return a value as text that ends with a line feed.

    `per_document` adds rows for all of `Report.listed`: in its order, or the `worst` by the metric `sort`.
    """
    form = FORMS[check_form(name, value.shown_as)]
    if value.shown_as != "scores":
        return cast("str", shown(value.shown_as, name, value))
    documents = renderer("reports.rows:documents_in_order")(value, sort, worst) if per_document else ()
    listings = cast("Any", value).listings
    before = renderer("reports.rows:listings_before")(listings, form.listing) if listings else ""
    return f"{before}{shown(value.shown_as, name, value, documents)}"


def shown(kind: str, name: str, *values: Any) -> Any:
    """Return values of a kind in one of its forms, as text or as its parts."""
    return renderer(FORMS[name].shows[kind])(*values)


def nothing(*_: object) -> str:
    """Return no text, as the form ``none`` does."""
    return ""


class Shown:
    """A value that has reports. Its class adds the fields, and which kind of value it is."""

    __slots__ = ()
    shown_as: ClassVar[str]
    """A key of `Form.shows`."""

    def _by(self, method: str, *given: Any, **options: Any) -> Any:
        """Return what the function of a method of `_LIBRARY` returns for this value."""
        places = _LIBRARY[method]
        if self.shown_as not in places:
            raise UsageError(f"{type(self).__name__} has no {method} (there are {', '.join(places)})")
        return renderer(places[self.shown_as])(self, *given, **options)

    def __str__(self) -> str:
        return cast("str", self._by("__str__"))

    def _repr_html_(self) -> str:
        return cast("str", self._by("_repr_html_"))

    def to_markdown(self) -> str:
        """Return the table as Markdown, with the signature below it."""
        return cast("str", self._by("to_markdown"))

    def to_latex(self) -> str:
        """Return the table as LaTeX, with the rules of booktabs and the signature as a remark."""
        return cast("str", self._by("to_latex"))

    def to_dict(self) -> dict[str, Any]:
        """Return plain dicts, lists, strings and numbers: the JSON report, scores in 0..1, 0/0 None."""
        return cast("dict[str, Any]", self._by("to_dict"))

    def to_json(self) -> str:
        """Return the JSON report as text, laid out so that a changed score changes one line."""
        from scorch2.model.escaping import plain_json

        return plain_json(self.to_dict())

    def to_records(self) -> list[dict[str, Any]]:
        """Return flat dicts for data frames, one per score or count; what there is not is None."""
        return cast("list[dict[str, Any]]", self._by("to_records"))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON report to a file: whole, or not at all. `scorch2 gate` takes that of scores.

        An analysis with texts is written to ``.html`` as a page.

        Raises
        ------
        OutputError
            If it cannot be written, has the suffix of another form, or would replace documents.
        """
        self._by("save", os.fspath(path))
