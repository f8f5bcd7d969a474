"""The text of list-measures: a table with all that custom measures are made of, or JSON."""

import json
from collections.abc import Sequence

from scorch2.linking.fields import FIELDS
from scorch2.linking.measures import DEFAULT, GROUPS
from scorch2.linking.measures.measure import AGGREGATORS, Measure
from scorch2.model.tables import Table

HEAD = ("Name", "Aggregate", "Filter", "Key Fields", "In groups", "Elsewhere")


def as_table(measures: Sequence[Measure]) -> str:
    """Return the measures as a table, then all that custom measures can be made of."""
    rows = [
        (one.name, one.aggregator, one.field or "None", "+".join(one.key), ", ".join(one.groups), one.equals)
        for one in measures
    ]
    fields = [f"  {name:<12}{field.what}" for name, field in FIELDS.items()]
    return "\n".join(
        [
            str(Table(HEAD, rows)),
            "",
            f"Groups: {', '.join(GROUPS)} (default {DEFAULT})",
            "Custom measures are aggregator:filter:key, sets:None:span+kbid for example.",
            f"Aggregators: {', '.join(AGGREGATORS)}",
            "Fields, for filters, keys and groups, and the members of JSON types:",
            *fields,
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
    return json.dumps({**value, "fields": fields}, indent=1) + "\n"


REPORTS = {"table": as_table, "json": as_json}
"""The formats of list-measures; the default comes first."""
