"""What the commands beside evaluate print: measures, errors, problems; as lines, or as JSON."""

from collections.abc import Iterable, Sequence
from textwrap import fill
from typing import Any

from scorch2.linking.analysis import Finding
from scorch2.linking.fields import FIELDS
from scorch2.linking.measures import DEFAULT, GROUPS
from scorch2.linking.measures.measure import AGGREGATORS, Measure
from scorch2.linking.validation import Problem
from scorch2.model.annotation import Annotation
from scorch2.model.escaping import json_text, tsv
from scorch2.model.messages import escaped, quoted, shown_path
from scorch2.model.tables import Table

HEAD = ("Name", "Aggregate", "Filter", "Key Fields")
_WIDTH = 100
_NAMES, _SHORT_NAMES = 31, 15
"""Where the text about a measure begins, and that about a group or a field."""


def measures_text(measures: Sequence[Measure]) -> str:
    """Return the measures as a table, then all that custom measures can be made of."""
    rows = [(one.name, one.aggregator, one.field or "None", "+".join(one.key)) for one in measures]
    elsewhere = [_entry(one.name, one.equals, _NAMES) for one in measures if one.equals]
    return "\n".join(
        [
            str(Table(HEAD, rows)),
            "",
            *(["In other tools:", *elsewhere, ""] if elsewhere else []),
            f"Groups (default {DEFAULT}):",
            *(_entry(group, ", ".join(names), _SHORT_NAMES) for group, names in GROUPS.items()),
            "",
            "Custom measures are aggregator:filter:key, sets:None:span+kbid for example.",
            "Aggregators:",
            _entry("", ", ".join(AGGREGATORS), 2),
            "Fields, for filters, keys and groups, and the members of JSON types:",
            *(_entry(name, field.what, _SHORT_NAMES) for name, field in FIELDS.items()),
            "",
        ]
    )


def _entry(name: str, what: str, column: int) -> str:
    """Return a name and what there is to say about it, in lines that fit."""
    return fill(
        what,
        _WIDTH,
        initial_indent=f"  {name}".ljust(column),
        subsequent_indent=" " * column,
        break_on_hyphens=False,
    )


def measures_json(measures: Sequence[Measure]) -> str:
    """Return the same as an object."""
    rows = [
        {
            "name": one.name,
            "aggregator": one.aggregator,
            "filter": one.field or None,
            "key": list(one.key),
            "groups": list(one.groups),
            "aliases": list(one.aliases),
            "elsewhere": one.equals or None,
        }
        for one in measures
    ]
    fields = {name: {"what": one.what, "in_keys": one.comparable} for name, one in FIELDS.items()}
    value = {"measures": rows, "groups": GROUPS, "default": DEFAULT, "aggregators": [*AGGREGATORS]}
    return _json({**value, "fields": fields})


def findings_text(findings: Iterable[Finding]) -> str:
    """Return a line each: label, document, gold and system, as neleval has them, then start and last unit."""
    return "".join(
        "\t".join(
            [
                one.label,
                tsv(one.document),
                "" if one.gold is None else escaped(f"g{one.gold}"),
                "" if one.system is None else escaped(f"s{one.system}"),
                str(one.start),
                str(one.end - 1),
            ]
        )
        + "\n"
        for one in findings
    )


def findings_json(findings: Iterable[Finding]) -> str:
    """Return a list of objects, ends inclusive."""
    return _json([{**one._asdict(), "end": one.end - 1} for one in findings])


def counts_text(counts: Iterable[tuple[str, int]]) -> str:
    """Return a line each: count and label."""
    return "".join(f"{number}\t{label}\n" for label, number in counts)


def counts_json(counts: Iterable[tuple[str, int]]) -> str:
    """Return an object from labels to counts."""
    return _json(dict(counts))


def problems_text(problems: Iterable[Problem]) -> str:
    """Return a line each: file, lines, level, kind, and both spans, ends inclusive."""
    return "".join(
        f"{shown_path(one.path)}: {_place(one)}: {one.level}: {one.kind} in {quoted(one.document)}: "
        f"{_span(one.first)} and {_span(one.second)}{_more(one)}\n"
        for one in problems
    )


def problems_json(problems: Iterable[Problem]) -> str:
    """Return a list of objects, ends inclusive; a line is null where the format has none for each mention."""
    return _json(
        [
            {
                **{name: getattr(one, name) for name in ("kind", "level", "path", "document")},
                **{name: _plain(getattr(one, name)) for name in ("first", "second")},
                **({"more": one.more} if one.more else {}),
            }
            for one in problems
        ]
    )


def _place(problem: Problem) -> str:
    lines = sorted((problem.first.line, problem.second.line))
    return f"lines {lines[0]} and {lines[1]}" if lines[0] else "mentions"


def _more(problem: Problem) -> str:
    return f" ({problem.more} more like the first)" if problem.more else ""


def _span(one: Annotation) -> str:
    return f"{one.start}-{one.end - 1}"


def _plain(one: Annotation) -> dict[str, Any]:
    return {"line": one.line or None, "start": one.start, "end": one.end - 1}


def _json(value: Any) -> str:
    return json_text(value, 1) + "\n"
