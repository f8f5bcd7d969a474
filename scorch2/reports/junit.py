"""The JUnit report: one test case per gate, for the pages that CI systems make of such files."""

from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

from scorch2.model.escaping import xml_text
from scorch2.model.results import Verdict
from scorch2.model.score import Measured
from scorch2.reports import text
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from xml.sax.saxutils import XMLGenerator


def render(report: Report, documents: Sequence[Measured]) -> str:
    """Return a test suite; its properties are the scores, its output is the text report."""
    from xml.sax.saxutils import XMLGenerator

    failures = sum(not verdict.passed for verdict in report.gates)
    counts = {"tests": f"{len(report.gates)}", "failures": f"{failures}", "errors": "0", "skipped": "0"}
    stream = StringIO()
    writer = XMLGenerator(stream, "UTF-8", short_empty_elements=True)
    writer.startDocument()
    _open(writer, "testsuites", counts)
    _open(writer, "testsuite", {"name": "scorch2", **counts})
    _properties(writer, report)
    for verdict in report.gates:
        _case(writer, verdict)
    _element(writer, "system-out", {}, text.render(report, documents))
    _close(writer, "testsuite")
    _close(writer, "testsuites")
    writer.endDocument()
    return stream.getvalue()


def _properties(writer: "XMLGenerator", report: Report) -> None:
    _open(writer, "properties", {})
    _element(writer, "property", {"name": "signature", "value": report.signature()})
    for name, score in report.scores.items():
        for part, value in score._asdict().items():
            shown_value = repr(float(value)) if value.defined else "undefined"
            _element(writer, "property", {"name": f"{name}.{part}", "value": shown_value})
    for name, numbers in report.skipped.items():
        for part, number in numbers.items():
            _element(writer, "property", {"name": f"skipped.{name}.{part}", "value": f"{number}"})
    _close(writer, "properties")


def _case(writer: "XMLGenerator", verdict: Verdict) -> None:
    names = {"classname": f"scorch2.{verdict.gate}", "name": str(verdict)}
    if verdict.passed:
        _element(writer, "testcase", names)
        return
    _open(writer, "testcase", names)
    why = {"message": f"{verdict.score}: {verdict.reason}", "type": verdict.gate}
    _element(writer, "failure", why, verdict.outcome)
    _close(writer, "testcase")


def _open(writer: "XMLGenerator", name: str, attributes: dict[str, str]) -> None:
    _start(writer, name, attributes)
    writer.ignorableWhitespace("\n")


def _close(writer: "XMLGenerator", name: str) -> None:
    writer.endElement(name)
    writer.ignorableWhitespace("\n")


def _element(writer: "XMLGenerator", name: str, attributes: dict[str, str], content: str = "") -> None:
    """Write an element on lines of its own; without content it is one empty tag."""
    _start(writer, name, attributes)
    if content:
        writer.characters(xml_text(content))
    _close(writer, name)


def _start(writer: "XMLGenerator", name: str, attributes: dict[str, str]) -> None:
    from xml.sax.xmlreader import AttributesImpl

    writer.startElement(name, AttributesImpl({key: xml_text(value) for key, value in attributes.items()}))
