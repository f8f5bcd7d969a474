"""Forms of systems side by side: systems in rows, scores in columns."""

import csv
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import StringIO
from typing import Any

from scorch2.analysis.systems import (
    DIFFERS,
    ERRORS,
    SHARE,
    Column,
    Comparison,
    PairTests,
    SystemRow,
    how_tested,
)
from scorch2.model.errors import told_apart
from scorch2.model.results import Difference
from scorch2.model.score import AVERAGES, plain_value
from scorch2.reports.json import plain_confidence, plain_scores
from scorch2.scoring.layout import tables
from scorch2.scoring.layout.escaping import html_text, in_frame, markdown_text, tsv_cell
from scorch2.scoring.layout.sheets import Sheet
from scorch2.scoring.report import Report

HEAD = "system"
BEST = "*"
"""The mark of the best of a column in plain text."""


def systems_table(compared: Comparison, width: int = tables.WIDTH) -> str:
    """Return aligned columns in percent, for a terminal."""
    marked = len(compared.systems) > 1

    def marks_of(system: SystemRow, column: Column) -> str:
        best = BEST if compared.is_best(system, column) else ""
        return best + DIFFERS[compared.direction(system, column)]

    room_of = {
        column: max(len(marks_of(system, column)) for system in compared.systems)
        for column in compared.columns
    }

    def cell(system: SystemRow, column: Column) -> str:
        marks = marks_of(system, column)
        if column.is_of_errors:
            return compared.shown(system, column) + marks.ljust(room_of[column])
        letters = [compared.letters_of(row, column) for row in compared.systems]
        room = max(map(len, letters)) + any(letters)
        of_pairs = f" {compared.letters_of(system, column)}"[:room].ljust(room)
        marks = marks.ljust(2 - bool(compared.pairs)) if marked else ""
        return f"{compared.shown(system, column)}{marks}{of_pairs}"

    shown = [tables.Table(_head(part), _rows(part, cell)) for part in _parts(compared)]
    said = caption(compared, f"{BEST} best", tuple(DIFFERS.values()))
    return Sheet([*shown, said], _signature(compared)).text(width)


def _signature(compared: Comparison) -> str:
    return compared.signature() if compared.shows_signature else ""


def _parts(compared: Comparison) -> list[Comparison]:
    """Return a comparison with the columns of each table for a terminal: numbers of errors, then shares."""
    parts = dict.fromkeys(column.part for column in compared.columns if column.is_of_errors)
    return [
        compared._replace(columns=[column for column in compared.columns if column.part == part])
        for part in parts
    ] or [compared]


def marked(
    compared: Comparison, best: str, differs: str, escaped_for: Callable[[str], str] = str
) -> Callable[[SystemRow, Column], str]:
    """Return what shows a score: the best one in the pattern `best`, significant differences in `differs`."""

    def cell(system: SystemRow, column: Column) -> str:
        number = escaped_for(compared.shown(system, column))
        shown = best.format(number) if compared.is_best(system, column) else number
        mark = DIFFERS[compared.direction(system, column)] or compared.letters_of(system, column)
        return f"{shown}{differs.format(mark)}" if mark else shown

    return cell


def systems_markdown(compared: Comparison) -> str:
    """Return the table for a pull request: the best score bold."""
    table = _cells(compared, marked(compared, "**{}**", " {}"), tables.markdown_cell)
    said = caption(compared, "Bold: best", tuple(DIFFERS.values()), markdown_text)
    return Sheet([table, said], _signature(compared)).markdown()


_ARROWS = {1: r"$^\uparrow$", -1: r"$^\downarrow$", 0: r"\phantom{$^\uparrow$}"}


def systems_latex(compared: Comparison, paper: str = "column") -> str:
    """Return the table for a paper: rules of booktabs, the best score bold."""
    names = [system.name for system in compared.systems]
    short = dict(zip(names, told_apart(names, tables.short_name), strict=True))

    def words(text: str) -> str:
        return tables.latex_text(short.get(text, text))

    said = caption(compared, "Bold: best", (r"$\uparrow$", r"$\downarrow$"), words, r"$p \le {}$")
    if compared.columns[0].is_of_errors:
        said = said.replace("of the column", "of the row").replace("in each column", "in each row")
        shown = [_kinds_in_rows(part, names, paper) for part in _parts(compared)]
    else:
        columns = [_latex_column(compared, column) for column in compared.columns]
        numeric = [False, *(True for _ in columns)]
        shown = [tables.Cells(_head(compared), [*zip(names, *columns, strict=True)], numeric)]
    return Sheet(shown, _signature(compared), [("systems", said)]).latex(paper)


_LEAST_ROOM = 16  # for the name of a system
_KIND_ROOM = 28  # of the names of kinds, and the gaps beside them


def _kinds_in_rows(compared: Comparison, names: Sequence[str], paper: str) -> tables.Cells:
    """Return errors with systems in columns: the names of kinds are too long for the heads of a column."""
    room = (tables.LATEX_WIDTHS[paper] - _KIND_ROOM) // len(names) - 2
    heads = told_apart(names, partial(tables.short_name, room=max(room, _LEAST_ROOM)))
    kinds = [column.label.removesuffix(f" {SHARE}") for column in compared.columns]
    rows = [
        (kind, *_latex_column(compared, column)) for kind, column in zip(kinds, compared.columns, strict=True)
    ]
    first = _head(compared)[0] if compared.columns[0].part == SHARE else "errors"
    return tables.Cells([first, *heads], rows, [False, *(True for _ in names)])


def _latex_column(compared: Comparison, column: Column) -> list[str]:
    """Return the scores of a column, with room for arrows and letters where a row has none."""
    systems, cells = compared.systems, []
    plain = [tables.latex_text(compared.shown(system, column)) for system in systems]
    directions = [compared.direction(system, column) for system in systems]
    most = max(len(compared.letters_of(system, column)) for system in systems)
    for system, number, direction in zip(systems, tables.with_points_aligned(plain), directions, strict=True):
        shown = rf"\textbf{{{number}}}" if compared.is_best(system, column) else number
        letters = compared.letters_of(system, column)
        room = rf"\phantom{{{'a' * (most - len(letters))}}}" if len(letters) < most else ""
        behind = rf"\textsuperscript{{{letters}{room}}}" if compared.pairs else ""
        cells.append(f"{shown}{_ARROWS[direction] if any(directions) else ''}{behind}")
    return cells


def systems_tsv(compared: Comparison) -> str:
    """Return tab-separated rows, scores in 0..1 with full precision; sentences stand after ``#``."""
    said = [caption(compared), compared.signature()] if compared.shows_signature else []
    return Sheet([tables.Table(*_full(compared)), *said]).tsv()


def systems_csv(compared: Comparison) -> str:
    """Return the rows of `systems_tsv` separated by commas, and nothing else."""
    head, rows = _full(compared)
    stream = StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerows([[*map(tsv_cell, row)] for row in (head, *rows)])
    return stream.getvalue()


def caption(
    compared: Comparison,
    best: str = "",
    differs: Sequence[str] = (),
    escaped_for: Callable[[str], str] = str,
    bound: str = "p ≤ {}",
) -> str:
    """Return in words what the numbers are, which are marked, and how differences were tested."""
    # `best` and `differs` are the marks of the form, empty if scores are in 0..1; `shown` escapes all else
    report = compared.systems[0].report
    of_errors = _of_errors(compared, "points" if best else "fractions")
    parts = [escaped_for(of_errors or unit_in_words(report, "percent" if best else "0..1"))]
    if best and len(compared.systems) > 1:
        parts.append(f"{best} {escaped_for('of the column.')}")
    if compared.has_tests():
        other = escaped_for("the best of the column")
        if compared.against == "first":
            other = f"{escaped_for('the first system')} ({escaped_for(compared.systems[0].name)})"
        limit = f"{bound.format(f'{compared.alpha:g}')}: " if differs else ""
        what = f"{differs[0]} higher, {differs[1]} lower than" if differs else "p: difference from"
        parts.append(f"{what} {other}, {limit}{escaped_for(how_tested(compared))}.")
    if compared.pairs:
        parts.append(letters_in_words(compared, escaped_for, bound))
    if report.confidence is not None:
        parts.append(escaped_for(f"{'In brackets' if best else 'low, high'}: {report.confidence.in_words}."))
    return " ".join(parts)


def unit_in_words(report: Report, unit: str) -> str:
    """Return a sentence about the numbers of a report in some unit, and their average."""
    several = f": {AVERAGES[report.options.average].what}" if len(report.documents) > 1 else ""
    return f"Scores in {unit}{several}."


def letters_in_words(
    compared: Comparison,
    escaped_for: Callable[[str], str] = str,
    bound: str = "p ≤ {}",
    where: str = " in each column",
) -> str:
    """Return a sentence about letters: what they mean, and the tests behind them."""
    limit = bound.format(f"{compared.alpha:g}")
    how = escaped_for(how_tested(compared, where))
    return f"{escaped_for('Systems without a common letter differ,')} {limit}: {how}."


def _of_errors(compared: Comparison, unit: str) -> str:
    """Return in words what columns of errors are; nothing if the columns are scores."""
    parts = {column.part for column in compared.columns}
    if ERRORS not in parts:
        return ""
    report = compared.systems[0].report
    label = report.short_label(report.main_metric())
    share = f"; share: what errors of a kind cost: {unit} of {label} F1 gained if they are corrected, "
    share += "the mean over all orders of correction"
    return f"Number of errors{share if SHARE in parts else ''}. Less is better."


def _head(compared: Comparison) -> list[str]:
    if {column.part for column in compared.columns} == {SHARE}:
        return [SHARE, *(column.label.removesuffix(f" {SHARE}") for column in compared.columns)]
    return [HEAD, *(column.label for column in compared.columns)]


def _rows(compared: Comparison, cell: Callable[[SystemRow, Column], str]) -> list[list[str]]:
    columns = compared.columns
    return [[system.name, *(cell(system, column) for column in columns)] for system in compared.systems]


def _full(compared: Comparison) -> tuple[list[str], list[list[str]]]:
    """Return head and rows in 0..1: for each score the ends of its interval and p, where there are any."""
    more = ["low", "high"] if compared.systems[0].report.confidence is not None else []
    more += ["p", "p_holm"] if compared.has_tests() else []
    more += ["letters"] if compared.pairs else []
    head = [HEAD]
    for column in compared.columns:
        name = f"{column.metric}.{column.part}"
        head += [name, *(f"{name}.{what}" for what in more)]

    rows = []
    for system in compared.systems:
        records = [_record(compared, system, column) for column in compared.columns]
        values = [record[what] for record in records for what in ("score", *more)]
        shown = ("" if one is None else one if isinstance(one, str) else repr(one) for one in values)
        rows.append([system.name, *shown])
    return head, rows


def repr_html_of_systems(compared: Comparison) -> str:
    """Return the table for a notebook: the best of each column strong, significant differences marked."""
    cell = marked(compared, "<strong>{}</strong>", "<sup>{}</sup>", html_text)
    return _cells(compared, cell, html_text).html()


def _cells(
    compared: Comparison, cell: Callable[[SystemRow, Column], str], escaped_for: Callable[[str], str]
) -> tables.Cells:
    """Return the table with scores as `cell` shows them, which are of the form already."""
    rows = [[escaped_for(name), *cells] for name, *cells in _rows(compared, cell)]
    numeric = [False, *(True for _ in compared.columns)]
    return tables.Cells([*map(escaped_for, _head(compared))], rows, numeric)


def to_dict_of_systems(compared: Comparison) -> dict[str, Any]:
    """Return the JSON form: one entry per system. Scores are in 0..1, 0/0 is None."""
    best = {
        (column.metric, column.part): [
            system.name for system in compared.systems if compared.is_best(system, column)
        ]
        for column in compared.columns
    }
    pages = [{"systems": [*pair], "page": page} for pair, page in compared.pages.items()]
    shown = {
        "signature": compared.signature(),
        "run": dict(compared.run),
        "against": compared.against,
        "alpha": compared.alpha,
        "best": _by_score(best),
        "systems": [_plain_system(compared, system) for system in compared.systems],
        **({"pages": pages} if compared.pages else {}),
        **({"pairs": [plain_pair(pair) for pair in compared.pairs]} if compared.pairs else {}),
    }
    return in_frame(shown)


def to_records_of_systems(compared: Comparison) -> list[dict[str, Any]]:
    """Return a flat dict for every system and column, for data frames; what there is not is None."""
    return [_record(compared, system, column) for system in compared.systems for column in compared.columns]


def _plain_system(compared: Comparison, system: SystemRow) -> dict[str, Any]:
    report = system.report
    tests = {
        place: {"against": test.against, **_plain_test(test.found)} for place, test in system.tests.items()
    }
    errors = {
        place: int(value) if value.defined and place[1] == ERRORS else plain_value(value)
        for place, value in system.errors.items()
    }
    letters = {place: by_name.get(system.name, "") for place, by_name in compared.letters.items()}
    return {
        "system": system.name,
        "scores": plain_scores(report.scores),
        "confidence": report.confidence and plain_confidence(report.confidence),
        "tests": _by_score(tests),
        **({"errors": _by_score(errors)} if errors else {}),
        **({"letters": _by_score(letters)} if compared.pairs else {}),
    }


def _plain_test(difference: Difference) -> dict[str, Any]:
    return {
        "difference": difference.difference,
        "p": difference.p,
        "p_holm": difference.corrected,
        "interval": difference.interval and list(difference.interval),
    }


def plain_pair(pair: PairTests) -> dict[str, Any]:
    """Return the tests of two systems as JSON has them."""
    tests = _by_score({place: _plain_test(found) for place, found in pair.found.items()})
    return {"systems": [pair.one, pair.other], "tests": tests}


def _by_score(values: Mapping[tuple[str, str], Any]) -> dict[str, dict[str, Any]]:
    nested: dict[str, dict[str, Any]] = {}
    for (metric, part), value in values.items():
        nested.setdefault(metric, {})[part] = value
    return nested


def _record(compared: Comparison, system: SystemRow, column: Column) -> dict[str, Any]:
    value = compared.value(system, column)
    low, high = compared.interval(system, column) or (None, None)
    test = system.tests.get((column.metric, column.part))
    difference = Difference(None, None, None) if test is None else test.found
    return {
        "system": system.name,
        "metric": column.metric,
        "part": column.part,
        "score": plain_value(value),
        "low": low,
        "high": high,
        "best": compared.is_best(system, column),
        "against": None if test is None else test.against,
        "difference": difference.difference,
        "p": difference.p,
        "p_holm": difference.corrected,
        "significant": compared.is_significant(system, column),
        **({"letters": compared.letters_of(system, column)} if compared.pairs else {}),
    }
