"""Forms of scores for machines that watch: workflows of GitHub, CI systems (JUnit), Prometheus (OpenMetrics).

GitHub shows at most ten annotations of a step, and it drops a summary of more than one mebibyte: stay below.
"""

import math
import os
from collections.abc import Iterator, Mapping, Sequence

from scorch2.model.errors import Notice, UsageError, printable, quoted
from scorch2.model.results import Confidence, Verdict, verdict_summary
from scorch2.model.score import AnyScore, Measured, main_part, percent
from scorch2.reports.rows import scores_markdown
from scorch2.reports.text import scores_text
from scorch2.scoring.layout.escaping import command_data, command_property, json_text, plain_name, xml_text
from scorch2.scoring.layout.escaping import openmetrics_label as label_value
from scorch2.scoring.report import Report

MOST_ANNOTATIONS = 10
_LEAST = 1e-4
_OF_ONE_KIND = 3
_LAST = 2  # notices besides warnings: the scores, and where they are 0/0
MOST_BYTES = 1 << 20


def scores_github(report: Report, documents: Sequence[Measured]) -> str:  # noqa: ARG001 - a gate on documents names those that fail
    """Return workflow commands: failed gates as errors, then warnings and notices, at most ten in all."""
    commands = [
        _github_command("error", str(verdict), f"{verdict.reason}: {verdict.outcome}")
        for verdict in report.gates
        if not verdict.passed
    ]
    commands += _warnings(report.notices, MOST_ANNOTATIONS - len(commands) - _LAST)
    if not commands or (report.gates and all(verdict.passed for verdict in report.gates)):
        scores = [f"{row.label} {percent(main_part(report.scores[row.name]))}" for row in report.rows]
        title = verdict_summary(report.gates) if report.gates else "scorch2"
        commands.insert(0, _github_command("notice", title, ", ".join(scores)))
    skipped = report.skipped_note()
    if skipped:
        commands.append(_github_command("notice", "scorch2", skipped))
    if len(commands) > MOST_ANNOTATIONS:
        said = f"… and {len(commands) - MOST_ANNOTATIONS + 1} more, see the report"
        commands[MOST_ANNOTATIONS - 1 :] = [_github_command("warning", "scorch2", said)]
    return "".join(f"{line}\n" for line in commands)


def _warnings(notices: Sequence[Notice], room: int) -> list[str]:
    """Return annotations of warnings: of each kind the first few, the last of which counts the others."""
    kinds: dict[str, list[Notice]] = {}
    for notice in notices:
        kinds.setdefault(notice.code, []).append(notice)
    each = max(1, min(_OF_ONE_KIND, room // max(1, len(kinds))))
    commands = []
    for code, alike in kinds.items():
        more = f" (… and {len(alike) - each} more of this kind)" if len(alike) > each else ""
        for place, notice in enumerate(alike[:each], 1):
            document = f"{printable(notice.document)}: " if notice.document else ""
            said = f"{document}{notice.message}{more if place == each else ''}"
            commands.append(_github_command("warning", f"scorch2: {code}", said))
    return commands


def github_page(report: Report, before: str, documents: Sequence[Measured]) -> str:
    """Return the Markdown report below what other commands of the step have written to its summary."""
    text = scores_markdown(report, documents)
    start = before if not before or before.endswith("\n") else f"{before}\n"
    room = MOST_BYTES - len(start.encode("utf-8"))
    if len(text.encode("utf-8")) >= room:
        text = scores_markdown(report, ())
    return f"{start}{text}" if len(text.encode("utf-8")) < room else before


def is_github_page(path: str) -> bool:
    """Return whether GitHub collects the summary of the current step at `path`."""
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    return page is not None and os.path.realpath(path) == os.path.realpath(page)


def _github_command(kind: str, title: str, message: str) -> str:
    return f"::{kind} title={command_property(title)}::{command_data(message)}"


def scores_junit(report: Report, documents: Sequence[Measured]) -> str:
    """Return a test suite; its properties are the scores, its output is the text report."""
    failures = sum(not verdict.passed for verdict in report.gates)
    counts = {"tests": f"{len(report.gates)}", "failures": f"{failures}", "errors": "0", "skipped": "0"}
    named = {
        "signature": report.signature(),
        **{
            f"{name}.{part}": repr(float(value)) if value.defined else "undefined"
            for name, score in report.scores.items()
            for part, value in score._asdict().items()
        },
        **{
            f"skipped.{name}.{part}": f"{number}"
            for name, numbers in report.skipped.items()
            for part, number in numbers.items()
        },
    }
    properties = "".join(_element("property", {"name": key, "value": value}) for key, value in named.items())
    output = _element("system-out", {}, _escaped(scores_text(report, documents)))
    cases = "".join(map(_case, report.gates))
    suite = f"{_around('properties', {}, properties)}{cases}{output}"
    suites = _around("testsuite", {"name": "scorch2", **counts}, suite)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{_around("testsuites", counts, suites)}'


def _case(verdict: Verdict) -> str:
    names = {"classname": f"scorch2.{verdict.gate}", "name": str(verdict)}
    if verdict.passed:
        return _element("testcase", names)
    why = {"message": f"{verdict.score}: {verdict.reason}", "type": verdict.gate}
    return _around("testcase", names, _element("failure", why, _escaped(verdict.outcome)))


def _around(name: str, attributes: Mapping[str, str], lines: str) -> str:
    return _element(name, attributes, f"\n{lines}")


def _element(name: str, attributes: Mapping[str, str], markup: str = "") -> str:
    from xml.sax.saxutils import quoteattr

    start = name + "".join(f" {key}={quoteattr(xml_text(value))}" for key, value in attributes.items())
    return f"<{start}>{markup}</{name}>\n" if markup else f"<{start}/>\n"


def _escaped(text: str) -> str:
    from xml.sax.saxutils import escape

    return escape(xml_text(text))


def scores_openmetrics(report: Report, documents: Sequence[Measured]) -> str:
    """Return one sample per score, NaN where it is undefined, and the numbers of documents and mentions."""
    return "".join(f"{line}\n" for line in _gauges(report, documents))


def _gauges(report: Report, documents: Sequence[Measured]) -> Iterator[str]:
    yield from _gauge("score", "Score in 0..1, NaN if undefined.")
    yield from _score_samples(report.scores, {})
    for document in documents:
        yield from _score_samples(report.document_scores(document), {report.unit: document.id})
    if report.skipped:
        yield from _gauge(
            "skipped_documents", "Documents without weight in a mean, since their score is 0/0."
        )
    for metric, numbers in report.skipped.items():
        for part, number in numbers.items():
            yield _sample("skipped_documents", {"metric": metric, "part": part}, number)
    if report.confidence:
        yield from _bound_samples(report.confidence)
    if report.gates:
        yield from _gauge("gate_passed", "1 if a gate passed, 0 if it failed.")
        for verdict in report.gates:
            named = {"gate": verdict.gate, "metric": verdict.metric, "part": verdict.part}
            yield _sample("gate_passed", {**named, "limit": repr(verdict.limit)}, int(verdict.passed))
    yield from _gauge("documents", "Documents that were scored.")
    yield _sample("documents", {}, len(report.documents))
    yield from _gauge("mentions", "Mentions of the scored documents.")
    for side, mentions in zip(("gold", "system"), report.sizes(), strict=True):
        yield _sample("mentions", {"side": side}, mentions)
    yield "# EOF"


def _bound_samples(confidence: Confidence) -> Iterator[str]:
    yield from _gauge("score_bound", f"End of the {confidence.level:g} % interval of a score.")
    for metric, parts in confidence.intervals.items():
        for part, bounds in parts.items():
            for end, value in zip(("low", "high"), bounds or (math.nan, math.nan), strict=True):
                yield _sample("score_bound", {"metric": metric, "part": part, "end": end}, value)


def _gauge(name: str, help_text: str) -> Iterator[str]:
    yield f"# TYPE scorch2_{name} gauge"
    yield f"# HELP scorch2_{name} {help_text}"


def _score_samples(scores: Mapping[str, AnyScore], labels: dict[str, str]) -> Iterator[str]:
    for metric, score in scores.items():
        for part, value in score._asdict().items():
            number = float(value) if value.defined else math.nan
            yield _sample("score", {**labels, "metric": metric, "part": part}, number)


def _sample(name: str, labels: dict[str, str], value: float) -> str:
    inside = ",".join(f'{label}="{label_value(text)}"' for label, text in labels.items())
    shown = "NaN" if math.isnan(value) else repr(value)
    return f"scorch2_{name}{{{inside}}} {shown}" if inside else f"scorch2_{name} {shown}"


def scores_scores(report: Report, _: Sequence[Measured] = ()) -> str:
    """Return lines ``name: value`` in 0..1: the primary score of a task, all others, and those of files."""
    # YAML takes 1e-05 for a text
    return "".join(
        f"{name}: {value:.20f}\n" if 0 < value < _LEAST else f"{name}: {value!r}\n"
        for name, value in _named_values(report).items()
    )


def scores_flat(report: Report, _: Sequence[Measured] = ()) -> str:
    """Return the values of `scores_scores` as a JSON object."""
    return f"{json_text(_named_values(report), indent=1)}\n"


def _named_values(report: Report) -> dict[str, float]:
    named, called = [("", report.scores)], dict[str, str]()
    for one in report.files():
        name = plain_name(one.id)
        if name in called:
            both = f"{quoted(called[name])} and {quoted(one.id)}"
            raise UsageError(f"{both} are both called {name} in this form: rename one of them")
        called[name] = one.id
        named.append((f"{name}_", report.document_scores(one)))
    values = {
        f"{before}{plain_name(name)}_{part}": value
        for before, scores in named
        for name, score in scores.items()
        for part, value in score._asdict().items()
    }
    primary = dict(report.facts).get("primary")
    if isinstance(primary, str) and primary in report.scores:
        values = {"primary": main_part(report.scores[primary]), **values}
    numbers: dict[str, float] = {}
    for name, value in values.items():
        numbers[name] = float(value)
        if not value.defined:  # platforms read no "null"
            numbers[f"{name}_defined"] = 0
    return numbers
