"""The JSON report: the contract for programs. One line a metric and a document."""

import json
from collections.abc import Iterator
from typing import Any

from scorch2.scoring.report import Report


def render(report: Report, per_document: bool) -> str:  # noqa: ARG001 - as every writer; documents are always in
    """Return `Report.to_dict` as JSON, laid out so that a changed score changes one line.

    All letters are ASCII, others escaped: it stays JSON on a stream of any encoding.
    """
    return "".join(_object(report.to_dict()))


def _object(value: dict[str, Any]) -> Iterator[str]:
    opening = "{\n"
    for key, item in value.items():
        yield f'{opening} "{key}": '
        if isinstance(item, dict) and item:
            lines = (f"  {_line(name)}: {_line(inner)}" for name, inner in item.items())
            yield "{\n" + ",\n".join(lines) + "\n }"
        elif isinstance(item, list) and item:
            yield "[\n" + ",\n".join(f"  {_line(inner)}" for inner in item) + "\n ]"
        else:
            yield _line(item)
        opening = ",\n"
    yield "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, allow_nan=False)
