"""The forms of report, one row each for all values that they show, and what such a value can do by itself.

A value does not know its renderers. Rows here name them, and `function_at` imports one when it is asked for:
the only way up in the house.
"""

import importlib
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, cast

from scorch2.model.errors import (
    Notice,
    UsageError,
    printable,
    quoted,
    shown_notices,
    shown_path,
    unknown_name,
)

if TYPE_CHECKING:
    from pandas import DataFrame

_LONGEST = 500  # characters of a warning below a table


class Form(NamedTuple):
    """A form of report."""

    what: str
    shows: Mapping[str, str]
    """The module below this package for each kind of value: its function is called ``<kind>_<form>``."""
    suffixes: tuple[str, ...] = ()  # suffixes of output files that ask for it where no form is typed
    listing: str = ""
    """The method of `Table`, or the ``module:function``, by which lists stand before scores, if they do.
    A form with lists is for reading: it holds the documents if they are asked for, and the signature."""
    lists_details_alone: bool = False  # whether only those lists stand there that were asked for
    ignores: tuple[str, ...] = ()  # options of the command line that change nothing in it
    has_classes: bool = False
    is_page: bool = False  # whether it shows the texts of documents, which are analysed for it
    shape: str = ""  # what all of its text looks like, a name of `scorch2.reports.outlines`
    layout: tuple[str, ...] = ()
    """What its function takes besides: ``width``, the characters of a line, or ``paper``, one of `PAPERS`."""


_ORDER = ("--sort", "--worst")
_ROWS = ("--per-document", "--per-file", *_ORDER)
_OF_LINKING = ("linking", "findings", "counts", "agreements")


def _in(module: str, *kinds: str) -> Mapping[str, str]:
    return dict.fromkeys(kinds, module)


_SHOWN = {"errors": "reports.errors", "systems": "reports.systems", "annotators": "reports.agreement"}
_BOARD = {"board": "reports.audit"}
_OWN = {**_SHOWN, **_in("reports.resampling", "confidence", "significance"), **_BOARD}
_RECORDS = {"verification": "reports.audit", **_in("reports.audit", "explanation", "explanations")}
FORMS: Mapping[str, Form] = {
    "text": Form(
        "one line per metric, full precision",
        {"scores": "reports.text", "problems": "tasks.linking.text", **_RECORDS},
        (".txt",),
        listing="tsv",
        shape="plain",
    ),
    "tab": Form(
        "the tab-separated text of neleval",
        {
            **_in("reports.resampling", "confidence", "significance"),
            **_in("tasks.linking.text", *_OF_LINKING),
        },
        shape="plain",
    ),
    "table": Form(
        "aligned, percent with two decimals, counts: for reading",
        {"scores": "reports.rows", **_OWN, **_in("tasks.linking.text", "linking", "measures")},
        listing="__str__",
        has_classes=True,
        layout=("width",),
        shape="plain",
    ),
    "json": Form(
        "everything: scores, counts, documents, warnings",
        {
            **_in("reports.json:as_json", "scores", "errors", "systems", "annotators", "board", *_RECORDS),
            **_in("reports.resampling:entries_json", "confidence", "significance"),
            **_in("tasks.linking.text", *_OF_LINKING, "measures", "problems"),
        },
        (".json",),
        ignores=_ORDER,
        has_classes=True,
        shape="json",
    ),
    "jsonl": Form(
        "one line per document, the corpus last",
        {"scores": "reports.json"},
        (".jsonl",),
        ignores=_ORDER,
        shape="jsonl",
    ),
    "tsv": Form(
        "tab-separated rows, full precision",
        {"scores": "reports.rows", **_SHOWN},
        (".tsv",),
        listing="tsv",
        lists_details_alone=True,
        has_classes=True,
        shape="plain",
    ),
    "csv": Form("the same separated by commas", {"systems": "reports.systems"}, (".csv",), shape="csv"),
    "markdown": Form(
        "for a pull request: gates, scores, change, lowest documents",
        {"scores": "reports.rows", **_OWN},
        (".md", ".markdown"),
        listing="markdown",
        has_classes=True,
        shape="markdown",
    ),
    "latex": Form(
        "a table for a column of a paper or for both, with the rules of booktabs",
        {"scores": "reports.rows", **_SHOWN, **_BOARD},
        (".tex",),
        listing="latex",
        has_classes=True,
        layout=("paper",),
        shape="latex",
    ),
    "junit": Form("one test case per gate", {"scores": "reports.ci"}, (".xml",), shape="junit"),
    "github": Form(
        "annotations for a workflow log, or its summary page",
        {"scores": "reports.ci"},
        ignores=_ROWS,
        shape="github",
    ),
    "openmetrics": Form("gauges for Prometheus", {"scores": "reports.ci"}, (".prom",), shape="openmetrics"),
    "html": Form(
        "a page for reading in a browser; of score with errors and texts",
        {
            **_SHOWN,
            **_in("reports.page.documents", "scores", "errors"),
            "systems": "reports.page.systems",
            "board": "reports.page.systems",
        },
        (".html", ".htm"),
        ignores=("--per-file", *_ORDER),
        has_classes=True,
        is_page=True,
        shape="html",
    ),
    "scores": Form(
        "lines `name: value` for CodaLab and Codabench, full precision",
        {"scores": "reports.ci"},
        ignores=("--confidence", *_ROWS),
        shape="flat",
    ),
    "flat": Form(
        "the same as one JSON object, for Codabench",
        {"scores": "reports.ci"},
        ignores=("--confidence", *_ROWS),
        shape="object",
    ),
    "ua": Form(
        "the lines of the CorefUD and Universal Anaphora scorers, for scripts that read these",
        {"scores": "reports.rows"},
        ignores=("--confidence", *_ROWS),
        shape="ua",
    ),
    "none": Form(
        "no text: the exit status says whether it could be counted",
        _in("model.forms:nothing", "confidence", "significance", "linking", "agreements"),
        shape="plain",
    ),
}
_FIRST = {
    "systems": ("table", "markdown", "latex", "tsv", "csv"),
    "annotators": ("table", "markdown", "latex", "tsv"),
    "board": ("table", "html", "markdown", "latex"),
    "linking": ("tab", "json"),
    "classes": ("json",),
}
"""The forms that help texts of some kinds of values name before all others, the default first."""
_METHODS: Mapping[str, Mapping[str, str]] = {
    "__str__": {"scores": "reports.rows"},
    "_repr_html_": {
        **_OWN,
        "scores": "reports.rows:score_table",
        "annotators": "reports.agreement:pairs_table",
        "confidence": "reports.resampling:interval_table",
        "significance": "reports.resampling:difference_table",
        **_in("reports.rows:preformatted", *_RECORDS),
    },
    "to_markdown": {"scores": "reports.rows"},
    "to_dict": {"scores": "reports.json", **_OWN, **_RECORDS},
    "to_records": {"scores": "reports.json", **_OWN, **_RECORDS},
    "save": {**_in("audit.baseline:save", "scores", *_OWN, *_RECORDS), **_BOARD},
    "citations": {"scores": "audit.cite"},
    "omissions": {"errors": "reports.page.documents"},
    "image": _in("reports.figures.charts", "errors", "systems"),
    "table": {"scores": "reports.rows"},
    "caption": {"scores": "reports.rows:score_caption"},
    "notes": {"scores": "reports.rows:score_notes"},
}
"""The modules whose functions ``<method>_of_<kind>`` do what methods of values do."""
PAPERS = ("column", "page")
"""The widths of tables and figures in a paper: one column of its page, or both."""
NOT_WRITTEN = (
    *(".rst", ".pdf", ".doc", ".docx", ".odt", ".rtf", ".ipynb"),
    *(".xls", ".xlsx", ".ods", ".parquet", ".feather", ".db", ".sqlite", ".pkl", ".pickle"),
    *(".yaml", ".yml", ".toml", ".ini", ".ndjson"),
    *(".png", ".svg", ".jpg", ".jpeg", ".gif", ".eps", ".ps", ".webp"),
    *(".gz", ".bz2", ".xz", ".zst", ".zip", ".tar", ".tgz", ".7z"),
)
"""Suffixes of forms that are not written: text under such a name would mislead."""
_SHEETS = (".csv", ".xls", ".xlsx", ".ods")
_TABS = ("text", "tsv")  # the forms that the tab-separated text of neleval's commands stands for


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


def check_paper(width: str, what: str) -> str:
    """Return `width` if it is one of `PAPERS`; `what` is its name where it was asked for."""
    if width not in PAPERS:
        raise UsageError(unknown_name(width, what, PAPERS))
    return width


def form_of(typed: str | None, path: str | None, kind: str = "scores", usual: str | None = None) -> str:
    """Return the form of a report: the one that is typed, or that of the output file's suffix.

    A suffix that stands for no form gives the `usual` one, else the default form of the kind of value.

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
        rows = (
            f"; rows for a spreadsheet: {shown_path(os.path.splitext(path or '')[0] + '.tsv')}"
            if suffix in _SHEETS
            else ""
        )
        raise UsageError(f"{why} (name the form with -f: {', '.join(forms)}{rows})")
    if meant not in forms:
        meant = default
    return usual or meant if meant == default else meant


@cache
def function_at(place: str) -> Callable[..., Any]:
    """Return a function by its ``module:function`` below this package: the one way up in the house."""
    module, _, function = place.partition(":")
    return cast("Callable[..., Any]", getattr(importlib.import_module(f"scorch2.{module}"), function))


def renderer(kind: str, name: str) -> Callable[..., Any]:
    """Return the function that shows a kind of value in one of its forms."""
    place = FORMS[name].shows[kind]
    return function_at(place if ":" in place else f"{place}:{kind}_{name}")


def render(
    value: "Shown",
    name: str,
    *,
    per_document: bool = False,
    sort: str | None = None,
    worst: int | None = None,
    **layout: Any,
) -> str:
    """Return a value as text that ends with a line feed; `layout` has values for `Form.layout`."""
    # `per_document` adds rows for all of `Report.listed`: in its order, or the `worst` by the metric `sort`
    form = FORMS[check_form(name, value.shown_as)]
    if value.shown_as != "scores":
        return cast("str", shown(value.shown_as, name, value, **layout))
    documents = function_at("reports.rows:documents_in_order")(value, sort, worst) if per_document else ()
    listings = cast("Any", value).listings
    before = function_at("reports.rows:listings_before")(listings, form) if listings else ""
    return f"{before}{shown(value.shown_as, name, value, documents, **layout)}"


def shown(kind: str, name: str, *values: Any, **layout: Any) -> Any:
    """Return values of a kind in one of its forms, as text or as its parts; `layout` is for `Form.layout`."""
    taken = {option: layout[option] for option in FORMS[name].layout if layout.get(option) is not None}
    return renderer(kind, name)(*values, **taken)


def nothing(*_: object) -> str:
    """Return no text, as the form ``none`` does."""
    return ""


def path_of(value: object, name: str) -> str:
    """Return an argument that is the path of a file."""
    path = os.fspath(value) if isinstance(value, str | os.PathLike) else None
    if isinstance(path, str):
        return path
    raise UsageError(f"{name} is the path of a file, not {quoted(value)}")


class Shown:
    """A value that has reports. Its class adds the fields, and which kind of value it is."""

    __slots__ = ()
    shown_as: ClassVar[str]  # a key of `Form.shows`
    notices: Sequence[Notice]  # warnings about the value

    def _by(self, method: str, *given: Any, **options: Any) -> Any:
        """Return what the function of a method returns for this value, or the form of the method's name."""
        place = _METHODS.get(method, {}).get(self.shown_as, "")
        if not place:
            forms, form = forms_of(self.shown_as), method.removeprefix("to_")
            if method == "__str__":
                form = "table" if "table" in forms else "text"
            if form not in forms:
                raise UsageError(f"{type(self).__name__} has no form {form} (it has {', '.join(forms)})")
            return shown(self.shown_as, form, self, **options)
        function = place if ":" in place else f"{place}:{method.strip('_')}_of_{self.shown_as}"
        return function_at(function)(self, *given, **options)

    def __str__(self) -> str:
        table = cast("str", self._by("__str__")).rstrip("\n")
        lines = [printable(line, _LONGEST) for line in shown_notices(self.notices)]
        return "\n".join([table, "", *lines]) if lines else table

    def _repr_html_(self) -> str:
        of_notices = function_at("reports.rows:notebook")
        return cast("str", of_notices(self._by("_repr_html_"), shown_notices(self.notices)))

    def to_markdown(self) -> str:
        """Return the table as Markdown, with the signature below it."""
        return cast("str", self._by("to_markdown"))

    def to_latex(self, width: Literal["column", "page"] = "column") -> str:
        """Return the table as LaTeX, with the rules of booktabs and the signature as a remark.

        It fits in a column of 3.3 inches, or as ``table*`` in both columns of a page.

        Raises
        ------
        UsageError
            For another width, and if the value has no such form: intervals and differences have none.
        """
        return cast("str", self._by("to_latex", paper=check_paper(width, "width")))

    def to_dict(self) -> dict[str, Any]:
        """Return plain dicts, lists, strings and numbers: the JSON report.

        Scores are in 0..1, undefined ones None. ``counts`` are sums over documents whatever the average. An
        error report has more keys than `scorch2 score`. Intervals and differences have under ``measures`` and
        ``pairs`` what ``scorch2 confidence -f json`` and ``scorch2 significance -f json`` write.
        """
        return cast("dict[str, Any]", self._by("to_dict"))

    def to_json(self) -> str:
        """Return the JSON report as text, laid out so that a changed score changes one line."""
        return cast("str", function_at("reports.json:as_json")(self))

    def to_records(self) -> list[dict[str, Any]]:
        """Return flat dicts for data frames; what there is not is None.

        Of scores there is one for every document and metric, of errors one for every document and kind: the
        corpus is document None. Of systems there is one for every system and column; of intervals and
        differences one for every metric and part, and for every level or pair of systems.

        ``lost_recall`` and ``lost_precision`` are links that MUC loses; a kind that cannot lose any has None.
        Differences are in -1..1, the first system less the second; ``low`` and ``high`` are the ends of their
        95 % interval; ``p_holm`` is None unless it was asked for.
        """
        return cast("list[dict[str, Any]]", self._by("to_records"))

    def to_dataframe(self) -> "DataFrame":
        """Return `to_records` as a data frame of pandas, which the extra ``pandas`` installs.

        Raises
        ------
        UsageError
            If pandas is not installed.
        """
        try:
            from pandas import DataFrame
        except ImportError:
            raise UsageError("to_dataframe needs pandas: pip install pandas") from None
        return DataFrame(self.to_records())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the JSON report to a file: whole, or not at all.

        `scorch2 gate` takes that of scores, also as a baseline. An analysis with texts is written to
        ``.html`` as a page.

        Raises
        ------
        OutputError
            If it cannot be written, has the suffix of another form, or would replace documents.
        UsageError
            If it is no path.
        """
        self._by("save", path_of(path, "path"))
