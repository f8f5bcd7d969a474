"""The text of validate-spans: pairs of mentions that share units; as lines, or as JSON."""

from collections.abc import Iterable
from typing import Any

from scorch2.linking.shared_spans import More, Problem
from scorch2.model.annotation import Annotation
from scorch2.model.escaping import json_text
from scorch2.model.messages import counted, quoted, shown_path


def as_text(problems: Iterable[Problem | More]) -> str:
    """Return one line per pair: file, lines, level, kind, and both spans, ends inclusive."""
    return "".join(f"{_line(one)}\n" for one in problems)


def as_json(problems: Iterable[Problem | More]) -> str:
    """Return a list of objects, ends inclusive.

    A line is null where the format has none for each mention. An object with the key ``more`` instead of
    ``first`` and ``second`` is the number of further pairs of that kind.
    """
    return json_text([_plain(one) for one in problems], 1) + "\n"


def _line(one: Problem | More) -> str:
    document = quoted(one.document)
    if isinstance(one, More):
        pairs = counted(one.pairs, "more pair")
        return f"{shown_path(one.path)}: {one.level}: {one.kind} in {document}: and {pairs}"
    spans = f"{_span(one.first)} and {_span(one.second)}"
    return f"{shown_path(one.path)}: {_place(one)}: {one.level}: {one.kind} in {document}: {spans}"


def _place(problem: Problem) -> str:
    lines = sorted((problem.first.line, problem.second.line))
    return f"lines {lines[0]} and {lines[1]}" if lines[0] else "mentions"


def _span(one: Annotation) -> str:
    return f"{one.start}-{one.end - 1}"


def _plain(one: Problem | More) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(one, name) for name in ("kind", "level", "path", "document")}
    if isinstance(one, More):
        return {**found, "more": one.pairs}
    return {**found, "first": _mention(one.first), "second": _mention(one.second)}


def _mention(one: Annotation) -> dict[str, Any]:
    return {"line": one.line or None, "start": one.start, "end": one.end - 1}


REPORTS = {"text": as_text, "json": as_json}
"""The formats of validate-spans; the default comes first."""
