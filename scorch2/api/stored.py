"""Stored reports of every task, read with the metrics of the task that they name."""

from collections.abc import Mapping
from importlib import import_module

from scorch2.scoring.metrics import LOOKUP
from scorch2.scoring.metrics.metric import Lookup

TASKS: Mapping[str | int, str] = {
    "linking": "linking.report",
    **dict.fromkeys((1, 2, 3, 4), "anaphora.tasks"),
}
"""Modules with a `Lookup` called ``LOOKUP``, by the value of the fact ``task``."""


def lookup(task: object) -> Lookup:
    """Return how the metrics of a task are found by name; a report without a task is of coreference."""
    if not isinstance(task, str | int) or task not in TASKS:
        return LOOKUP
    found: Lookup = import_module(f"scorch2.{TASKS[task]}").LOOKUP
    return found
