"""Look-up of metrics by name for every task, to read JSON reports with the metrics of their task."""

from collections.abc import Mapping
from importlib import import_module

from scorch2.scoring.metrics import LOOKUP
from scorch2.scoring.metrics.metric import Lookup

MODULES: Mapping[str | int, str] = {
    "linking": "linking.evaluation",
    **dict.fromkeys((1, 2, 3, 4), "anaphora.exercise"),
}
"""Modules with a `Lookup` called ``LOOKUP``, by the value of the fact ``task``."""


def lookup(task: object) -> Lookup:
    """Return how the metrics of a task are found by name; a report without a task is of coreference."""
    if not isinstance(task, str | int) or task not in MODULES:
        return LOOKUP
    found: Lookup = import_module(f"scorch2.{MODULES[task]}").LOOKUP
    return found
