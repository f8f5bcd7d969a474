"""The JUnit report: one test case a gate, for the pages that CI systems make of such files."""

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from scorch2.model.messages import escaped
from scorch2.model.verdict import Verdict
from scorch2.reports import text
from scorch2.scoring.report import Report


def render(report: Report, per_document: bool) -> str:  # noqa: ARG001 - a gate on documents names those that fail
    """Return a test suite; its properties are the scores, its output is the text report."""
    failures = sum(not verdict.passed for verdict in report.gates)
    counts = f'tests="{len(report.gates)}" failures="{failures}" errors="0" skipped="0"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<testsuites {counts}>",
        f'<testsuite name="scorch2" {counts}>',
    ]
    lines += ["<properties>", *_properties(report), "</properties>"]
    for verdict in report.gates:
        lines += _case(verdict)
    lines += [
        f"<system-out>{_text(text.render(report, per_document=False))}</system-out>",
        "</testsuite>",
        "</testsuites>",
    ]
    return "\n".join(lines) + "\n"


def _properties(report: Report) -> Iterator[str]:
    yield f'<property name="signature" value={_value(report.signature())}/>'
    for name, score in report.scores.items():
        for part, value in score._asdict().items():
            shown_value = repr(float(value)) if value.defined else "undefined"
            yield f'<property name="{name}.{part}" value="{shown_value}"/>'


def _case(verdict: Verdict) -> Iterator[str]:
    opening = f'<testcase classname="scorch2.{verdict.gate}" name={_value(str(verdict))}'
    if verdict.passed:
        yield f"{opening}/>"
        return
    below = f"{verdict.score}: {verdict.reason}"
    yield f"{opening}>"
    yield f"<failure message={_value(below)} type={_value(verdict.gate)}>{_text(verdict.outcome)}</failure>"
    yield "</testcase>"


def _value(value: str) -> str:
    return quoteattr(escaped(value))


def _text(value: str) -> str:
    return escape("\n".join(escaped(line.replace("\t", "  ")) for line in value.split("\n")))
