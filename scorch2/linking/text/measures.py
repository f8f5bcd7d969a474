"""The text of list-measures: a table with all that custom measures are made of, or JSON."""

from collections.abc import Sequence
from textwrap import fill

from scorch2.linking.fields import FIELDS
from scorch2.linking.measures import DEFAULT, GROUPS
from scorch2.linking.measures.measure import AGGREGATORS, Measure
from scorch2.model.escaping import json_text
from scorch2.model.tables import Table

HEAD = ("Name", "Aggregate", "Filter", "Key Fields")
_WIDTH = 100
_NAMES, _SHORT_NAMES = 31, 15
"""Where the text about a measure begins, and that about a group or a field."""


def as_table(measures: Sequence[Measure]) -> str:
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


def as_json(measures: Sequence[Measure]) -> str:
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
    return json_text({**value, "fields": fields}, 1) + "\n"


def _entry(name: str, what: str, column: int) -> str:
    """Return a name and what there is to say about it, in lines that fit."""
    return fill(
        what,
        _WIDTH,
        initial_indent=f"  {name}".ljust(column),
        subsequent_indent=" " * column,
        break_on_hyphens=False,
    )


REPORTS = {"table": as_table, "json": as_json}
"""The formats of list-measures; the default comes first."""
