"""The forms of a comparison of systems: systems in rows, scores in columns."""

import csv
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from textwrap import fill

from scorch2.analysis.systems import Column, Comparison, SystemRow
from scorch2.analysis.text import systems_page
from scorch2.model.errors import counted, escaped, without_middle
from scorch2.model.escaping import markdown_code, markdown_text, tsv_cell
from scorch2.model.score import AVERAGES, Value
from scorch2.model.tables import (
    _LATEX_NAME,
    LATEX_PACKAGE,
    WIDTH,
    Table,
    latex_comment,
    latex_table,
    latex_text,
)

HEAD = "system"
BEST, DIFFERS = "*", "+"
"""The marks of tables in plain text: the best of a column, and what differs significantly."""


def render(compared: Comparison, form: str) -> str:
    """Return a comparison in a form of `FORMS`, as text that ends with a line feed."""
    return FORMS[form](compared)


def as_table(compared: Comparison) -> str:
    """Return aligned columns in percent, for a terminal."""
    marked = len(compared.systems) > 1

    def cell(system: SystemRow, column: Column) -> str:
        marks = BEST if compared.is_best(system, column) else ""
        marks += DIFFERS if compared.is_significant(system, column) else ""
        return compared.shown(system, column) + (marks.ljust(2) if marked else "")

    lines = [
        Table(_head(compared), _rows(compared, cell)).fitted(),
        "",
        fill(escaped(caption(compared, f"{BEST} best", DIFFERS)), WIDTH),
        *([escaped(compared.signature())] if compared.shows_signature else []),
    ]
    return "\n".join(lines) + "\n"


def as_markdown(compared: Comparison) -> str:
    """Return the table for a pull request: the best score bold."""

    def cell(system: SystemRow, column: Column) -> str:
        number = compared.shown(system, column)
        shown = f"**{number}**" if compared.is_best(system, column) else number
        return f"{shown} †" if compared.is_significant(system, column) else shown

    def name(text: str) -> str:
        return markdown_text(text).replace("|", "\\|")

    head = [*map(name, _head(compared))]
    rows = [[name(first), *cells] for first, *cells in _rows(compared, cell)]
    rule = [":---", *("---:" for _ in compared.columns)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))
    said = caption(compared, "Bold: best", "†", markdown_text)
    made = [markdown_code(compared.signature())] if compared.shows_signature else []
    return "\n\n".join([table, said, *made]) + "\n"


def as_latex(compared: Comparison) -> str:
    """Return the table for a paper: rules of booktabs, the best score bold."""

    def cell(system: SystemRow, column: Column) -> str:
        number = latex_text(compared.shown(system, column))
        shown = rf"\textbf{{{number}}}" if compared.is_best(system, column) else number
        return rf"{shown}$^\dagger$" if compared.is_significant(system, column) else shown

    def name(text: str) -> str:
        return latex_text(without_middle(escaped(text), _LATEX_NAME))

    rows = [[name(first), *cells] for first, *cells in _rows(compared, cell)]
    numeric = [False, *(True for _ in compared.columns)]
    said = caption(compared, "Bold: best", r"$\dagger$", latex_text)
    table = latex_table([*map(latex_text, _head(compared))], rows, numeric, said)
    return LATEX_PACKAGE + table + (latex_comment(compared.signature()) if compared.shows_signature else "")


def as_tsv(compared: Comparison) -> str:
    """Return tab-separated rows, scores in 0..1 with full precision; sentences stand after ``#``."""
    head, rows = _full(compared)
    said = [caption(compared), compared.signature()] if compared.shows_signature else []
    return Table(head, rows).tsv() + "\n" + "".join(f"# {escaped(line)}\n" for line in said)


def as_csv(compared: Comparison) -> str:
    """Return the rows of `as_tsv` separated by commas, and nothing else."""
    head, rows = _full(compared)
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([[*map(tsv_cell, row)] for row in (head, *rows)])
    return stream.getvalue()


def as_html(compared: Comparison) -> str:
    """Return a page of one table."""
    return systems_page.page(compared, caption(compared, "Bold: best", "†"))


FORMS: Mapping[str, Callable[[Comparison], str]] = {
    "table": as_table,
    "markdown": as_markdown,
    "latex": as_latex,
    "tsv": as_tsv,
    "csv": as_csv,
    "json": Comparison.to_json,
    "html": as_html,
}
"""The forms by name, the default first."""
SUFFIXES = {".csv": "csv", ".html": "html", ".htm": "html"}
"""Suffixes that ask for a form which reports of one system may not have."""


def caption(
    compared: Comparison, best: str = "", differs: str = "", shown: Callable[[str], str] = str
) -> str:
    """Return in words what the numbers are, which are marked, and how differences were tested.

    Parameters
    ----------
    compared : Comparison
        What is shown.
    best, differs : str
        How the best of a column and significant differences are marked, in the form's own text; empty where
        nothing is marked and scores are in 0..1.
    shown : callable
        Turns other text into that of the form.
    """
    report = compared.systems[0].report
    unit = "Scores in percent" if best else "Scores in 0..1"
    several = f": {AVERAGES[report.options.average].what}" if len(report.documents) > 1 else ""
    parts = [shown(f"{unit}{several}.")]
    if best and len(compared.systems) > 1:
        parts.append(f"{best} {shown('of the column.')}")
    if compared.has_tests():
        other = shown("the best of the column")
        if compared.against == "first":
            other = f"{shown('the first system')} ({shown(compared.systems[0].name)})"
        bound = shown(f"p at most {compared.alpha:g}: ") if differs else ""
        what = f"{differs} differs from" if differs else "p: difference from"
        parts.append(f"{what} {other}, {bound}{shown(_test(compared))}.")
    found = report.confidence
    if found is not None:
        how = f"{found.level:g} % intervals over {found.trials} draws of the documents"
        parts.append(shown(f"{'In brackets' if best else 'low, high'}: {how}."))
    return " ".join(parts)


def _test(compared: Comparison) -> str:
    """Return how differences were tested."""
    number, exact = compared.run["permutations"], compared.run["exact"] == "yes"
    swaps = f"all {number} swaps of documents" if exact else f"{number} random swaps of documents"
    holm = counted(len(compared.systems) - 1, "comparison")
    return f"paired permutation test, two-sided, {swaps}, corrected after Holm for {holm}"


def _head(compared: Comparison) -> list[str]:
    return [HEAD, *(column.label for column in compared.columns)]


def _rows(compared: Comparison, cell: Callable[[SystemRow, Column], str]) -> list[list[str]]:
    return [
        [system.name, *(cell(system, column) for column in compared.columns)] for system in compared.systems
    ]


def _full(compared: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return head and rows in 0..1: for each score the ends of its interval and p, where there are any."""
    more = ["low", "high"] if compared.systems[0].report.confidence is not None else []
    more += ["p", "p_holm"] if compared.has_tests() else []
    head = [HEAD]
    for column in compared.columns:
        name = f"{column.metric}.{column.part}"
        head += [name, *(f"{name}.{what}" for what in more)]

    def cells(system: SystemRow, column: Column) -> Sequence[str]:
        test = system.tests.get((column.metric, column.part))
        low, high = compared.interval(system, column) or (None, None)
        p_values = (None, None) if test is None else (test.found.p, test.found.corrected)
        found = dict(zip(("low", "high", "p", "p_holm"), (low, high, *p_values), strict=True))
        return [_exact(compared.value(system, column)), *(_plain(found[what]) for what in more)]

    rows = [
        [system.name, *(cell for column in compared.columns for cell in cells(system, column))]
        for system in compared.systems
    ]
    return head, rows


def _exact(value: Value) -> str:
    return repr(float(value)) if value.defined else ""


def _plain(number: float | None) -> str:
    return "" if number is None else repr(number)
