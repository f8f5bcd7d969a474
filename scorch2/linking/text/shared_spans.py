"""The text of validate-spans: pairs of mentions that share units; as lines, or as JSON.

Each form comes in parts: there can be several pairs for each mention.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from scorch2.linking.shared_spans import Problem
from scorch2.model.document import Annotation
from scorch2.model.errors import quoted, shown_path
from scorch2.model.escaping import json_text

_PART = 1000
"""Objects that are written at once: each call leaves cycles to the garbage collector, if it runs."""


def as_text(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield one line per pair: file, lines, level, kind, and both spans, ends inclusive."""
    for one in problems:
        yield (
            f"{shown_path(one.path)}: {_place(one)}: {one.level}: {one.kind} in {quoted(one.document)}: "
            f"{_span(one.first)} and {_span(one.second)}{_more(one)}\n"
        )


def as_json(problems: Iterable[Problem]) -> Iterator[str]:
    """Yield the parts of a list of objects, ends inclusive.

    A line is null where the format has none for each mention.
    """
    left = map(_object, problems)
    before = "[\n"
    while part := list(islice(left, _PART)):
        yield before + json_text(part, 1).removeprefix("[\n").removesuffix("\n]")
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _object(problem: Problem) -> dict[str, Any]:
    return {
        **{name: getattr(problem, name) for name in ("kind", "level", "path", "document")},
        **{name: _plain(getattr(problem, name)) for name in ("first", "second")},
        **({"more": problem.more} if problem.more else {}),
    }


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
