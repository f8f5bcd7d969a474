"""Forms of the scores of a shared task: corpora in rows, settings and metrics in columns."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from scorch2.audit.shared_task import TaskReport
from scorch2.model.score import AnyScore, Measured, Value, main_part, percent, plain_value
from scorch2.reports.json import PYTHON, plain_scores
from scorch2.reports.page.frame import Section, framed, html_table, text
from scorch2.scoring.layout.escaping import in_frame, markdown_text, plain_name
from scorch2.scoring.layout.sheets import Content, Sheet
from scorch2.scoring.layout.tables import WIDTH, Table
from scorch2.scoring.report import SCHEMA, Report

ALL = "all"
_LEAST = 1e-4  # smaller numbers have an exponent, which YAML takes for text


def shared_task_table(found: TaskReport, width: int = WIDTH) -> str:
    """Return aligned columns in percent, for a terminal."""
    signature = found.first.signature()
    return Sheet([headline(found), *tables(found), caption(found)], signature).text(width)


def shared_task_markdown(found: TaskReport) -> str:
    """Return the tables for a wiki or a pull request."""
    said: list[Content] = [headline(found, markdown_text), *tables(found), caption(found, markdown_text)]
    return Sheet(said, found.first.signature()).markdown()


def shared_task_html(found: TaskReport) -> str:
    """Return a page of the tables, without names of documents and words of texts."""
    sections = []
    for name, table in zip(("Settings", "Metrics"), tables(found), strict=False):
        rows = [[*map(text, row)] for row in table.rows]
        sections.append(Section(name.lower(), name, html_table(text(name), [*map(text, table.head)], rows)))
    signature = found.first.signature()
    return framed(headline(found), caption(found), signature, sections, has_texts=False)


def headline(found: TaskReport, shown: Callable[[str], str] = str) -> str:
    """Return what was scored, by whom, and the primary score; `shown` makes names safe."""
    task = found.task
    who = "".join(f", {name} {shown(value)}" for name, value in found.about.items())
    label = found.first.short_label(task.metric)
    corpora = f"{len(task.corpora)} corpora" if task.corpora[1:] else "1 corpus"
    how = f"mean of {corpora}" if task.average == "files" else f"{corpora} pooled"
    score = percent(found.primary, "0.00 (0/0)")
    return f"Shared task {shown(task.name)}{who}: {label} ({shown(task.settings[0].name)}), {how}: {score}"


def caption(found: TaskReport, shown: Callable[[str], str] = str) -> str:
    """Return in words what the numbers are."""
    how = "the plain mean of the corpora" if found.task.average == "files" else "counts of all corpora added"
    lacking = f" Missing, so 0: {', '.join(map(shown, found.missing))}." if found.missing else ""
    return f"F1 in percent; counts of a corpus are added; {ALL}: {how}.{lacking}"


def tables(found: TaskReport) -> list[Table]:
    """Return the primary metric by setting, and all metrics of the primary setting; one if they are alike."""
    task = found.task
    by_setting = {one.name: _columns(found, one.name) for one in task.settings}
    label = found.first.short_label(task.metric)
    names = [*(one.name for one in task.corpora), ALL]
    sizes = [str(len(one.documents)) for one in (*found.reports[task.settings[0].name].values(), found.first)]
    of_settings = {name: columns[label] for name, columns in by_setting.items() if label in columns}
    shown = [_table(names, {"documents": sizes, **of_settings})]
    metrics = by_setting[task.settings[0].name]
    return [*shown, _table(names, metrics)] if len(metrics) > 1 else shown


def _columns(found: TaskReport, setting: str) -> dict[str, list[str]]:
    whole = found.wholes[setting]
    every = [report.scores for report in (*found.reports[setting].values(), whole)]
    return {
        whole.short_label(row.name): [percent(main_part(scores[row.name]), "0.00 (0/0)") for scores in every]
        for row in whole.rows
    }


def _table(names: Sequence[str], columns: Mapping[str, Sequence[str]]) -> Table:
    return Table(["corpus", *columns], [*zip(names, *columns.values(), strict=True)])


def to_dict_of_shared_task(found: TaskReport) -> dict[str, Any]:
    """Return the JSON report: the scores of the primary setting, and a report for each setting and corpus."""
    task = found.task
    plain = {
        "python": PYTHON,
        "signature": found.first.signature(),
        "shared_task": {
            "name": task.name,
            "setting": task.settings[0].name,
            "metric": task.metric,
            "average": task.average,
            **found.about,
        },
        "primary": plain_value(found.primary),
        "missing": [*found.missing],
        "scores": plain_scores(found.first.scores),
        "settings": {name: plain_scores(whole.scores) for name, whole in found.wholes.items()},
        "corpora": [
            {"setting": setting, "corpus": name, "report": report.to_dict()}
            for setting, reports in found.reports.items()
            for name, report in reports.items()
        ],
    }
    return in_frame(plain, found.notices, schema=SCHEMA)


# Flat scores


def scores_scores(report: Report, _: Sequence[Measured] = ()) -> str:
    """Return one line ``name: value`` for each part of each score, in 0..1."""
    return "".join(_lines(_parts(report.scores, "")))


def shared_task_scores(found: TaskReport) -> str:
    """Return the primary score first, then those of all corpora together, then each corpus."""
    lines = [*_lines([("primary", found.primary)])]
    for setting, reports in found.reports.items():
        lines += _lines(_parts(found.wholes[setting].scores, f"{plain_name(setting)}_"))
        for name, report in reports.items():
            lines += _lines(_parts(report.scores, f"{plain_name(setting)}_{plain_name(name)}_"))
    return "".join(lines)


def _parts(scores: Mapping[str, AnyScore], before: str) -> Iterator[tuple[str, Value]]:
    for name, score in scores.items():
        for part, value in score._asdict().items():
            yield f"{before}{plain_name(name)}_{part}", value


def _lines(values: "Sequence[tuple[str, Value]] | Iterator[tuple[str, Value]]") -> Iterator[str]:
    # Platforms read no "null": an undefined score is 0.0, and a line says that it is none
    for name, value in values:
        yield f"{name}: {float(value)!r}\n" if not 0 < value < _LEAST else f"{name}: {value:.20f}\n"
        if not value.defined:
            yield f"{name}_defined: 0\n"
