"""Shared task: corpora, settings and a primary score; the fields of its file, and their schema."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.model.options import Options


class TaskField(NamedTuple):
    """A field of the file: what it is for, and what stands in it."""

    what: str
    kind: str = (
        "string"  # ``string``, ``strings``, ``map`` from strings to strings, ``object``, ``list`` of them
    )
    choices: tuple[str, ...] = ()  # the values of a string, the default first; any if there are none
    fields: Mapping[str, "TaskField"] = {}  # those of an object, or of each one of a list
    is_needed: bool = False


_CORPUS = {
    "name": TaskField("name of the corpus, in reports", is_needed=True),
    "gold": TaskField("file or folder with gold; a relative path begins beside the task's file"),
    "blind": TaskField("the same without annotation, as participants have it"),
    "submission": TaskField("its path inside a submission (default: the name of gold, or of blind)"),
    "sha256": TaskField("SHA-256 of the blind files, by their paths", "map"),
}
_SETTING = {
    "name": TaskField("name of the setting, in reports", is_needed=True),
    "profile": TaskField("a profile of scorch2 score"),
    "options": TaskField("options of scorch2 score that change numbers, and what they are", "map"),
    "metrics": TaskField("the metrics (default: those of the profile)", "strings"),
}
_PRIMARY = {
    "metric": TaskField("the metric that ranks (default: conll)"),
    "average": TaskField(
        "mean over corpora (counts of each are added), or counts of all added", choices=("corpora", "pooled")
    ),
}
FIELDS: Mapping[str, TaskField] = {
    "name": TaskField("name of the task", is_needed=True),
    "corpora": TaskField("what is scored", "list", fields=_CORPUS, is_needed=True),
    "settings": TaskField("how it is scored; the first is primary", "list", fields=_SETTING, is_needed=True),
    "primary": TaskField("the score that ranks", "object", fields=_PRIMARY),
    "missing": TaskField(
        "what a corpus or document is that a submission lacks: worth 0, or an error",
        choices=("zero", "refused"),
    ),
}
"""The fields of the file of a task: reader, schema and guide are made from them."""


def schema_of_task() -> dict[str, Any]:
    """Return the JSON Schema of the file of a task."""
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "scorch2 shared task"}
    return {**about, **_object_schema(FIELDS)}


def _object_schema(fields: Mapping[str, TaskField]) -> dict[str, Any]:
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name, field in fields.items() if field.is_needed],
        "properties": {name: _schema(field) for name, field in fields.items()},
    }


def _schema(field: TaskField) -> dict[str, Any]:
    text: dict[str, Any] = {"type": "string"}
    shapes: Mapping[str, dict[str, Any]] = {
        "string": {**text, **({"enum": [*field.choices]} if field.choices else {"minLength": 1})},
        "strings": {"type": "array", "items": text, "minItems": 1},
        "map": {"type": "object", "additionalProperties": text},
        "object": _object_schema(field.fields),
        "list": {"type": "array", "items": _object_schema(field.fields), "minItems": 1},
    }
    return {"description": field.what, **shapes[field.kind]}


class TaskCorpus(NamedTuple):
    """A corpus of a task."""

    name: str
    gold: str  # the path; empty for participants, who have none
    blind: str  # the path; empty if the task names none
    submission: str  # the path inside a submission
    sha256: Mapping[str, str]  # of the blind files, by their paths


class TaskSetting(NamedTuple):
    """A way to score the corpora of a task: the options of each, whose counts are added."""

    name: str
    options: Options


class SharedTask(NamedTuple):
    """A shared task: several corpora, scored in one setting or more, and the score that ranks."""

    name: str
    corpora: Sequence[TaskCorpus]
    settings: Sequence[TaskSetting]  # the first is primary
    metric: str
    average: str  # ``files`` for the mean over corpora, or ``pooled``
    missing: str  # ``zero`` or ``refused``
