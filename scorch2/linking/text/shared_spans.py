"""The text of validate-spans: pairs of mentions that share units; as lines, or as JSON."""

from collections.abc import Iterable
from typing import Any

from scorch2.linking.shared_spans import Problem
from scorch2.model.annotation import Annotation
from scorch2.model.escaping import json_text
from scorch2.model.messages import quoted, shown_path


def as_text(problems: Iterable[Problem]) -> str:
    """Return one line per pair: file, lines, level, kind, and both spans, ends inclusive."""
    return "".join(
        f"{shown_path(one.path)}: {_place(one)}: {one.level}: {one.kind} in {quoted(one.document)}: "
        f"{_span(one.first)} and {_span(one.second)}{_more(one)}\n"
        for one in problems
    )


def as_json(problems: Iterable[Problem]) -> str:
    """Return a list of objects, ends inclusive; a line is null where the format has none for each mention."""
    found = [
        {
            **{name: getattr(one, name) for name in ("kind", "level", "path", "document")},
            **{name: _plain(getattr(one, name)) for name in ("first", "second")},
            **({"more": one.more} if one.more else {}),
        }
        for one in problems
    ]
    return json_text(found, 1) + "\n"


def _place(problem: Problem) -> str:
    lines = sorted((problem.first.line, problem.second.line))
    return f"lines {lines[0]} and {lines[1]}" if lines[0] else "mentions"


def _more(problem: Problem) -> str:
    return f" ({problem.more} more like the first)" if problem.more else ""


def _span(one: Annotation) -> str:
    return f"{one.start}-{one.end - 1}"


def _plain(one: Annotation) -> dict[str, Any]:
    return {"line": one.line or None, "start": one.start, "end": one.end - 1}


REPORTS = {"text": as_text, "json": as_json}
"""The formats of validate-spans; the default comes first."""
