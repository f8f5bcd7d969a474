"""A shared task: its file, and what a submission to it scores.

task.json ─▶ SharedTask;  SharedTask + a folder ─▶ a report per setting and corpus ─▶ TaskReport
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from scorch2.audit.baseline import joined
from scorch2.formats.json.strict import json_kind, parse
from scorch2.formats.source import read_text
from scorch2.model.errors import (
    HINT,
    InputError,
    Notice,
    UsageError,
    enumerated,
    json_place,
    listed,
    quoted,
    shown_path,
    unknown_name,
)
from scorch2.model.forms import Shown
from scorch2.model.options import Options, options_from
from scorch2.model.score import Value, main_part
from scorch2.model.shared_task import FIELDS, SharedTask, TaskCorpus, TaskField, TaskSetting
from scorch2.scoring.flow import Outcome, Watch, outcomes, unwatched
from scorch2.scoring.metrics import DEFAULT
from scorch2.scoring.metrics.chosen import metric_row, metrics_named
from scorch2.scoring.pairing.files import Item, Pair, unanswered
from scorch2.scoring.remarks import FILES
from scorch2.scoring.report import Report

_OWN = {"average": "primary.average", "missing": "missing"}
"""Options that no setting has: fields of the task say it for all."""


# The file


def read_task(path: str) -> SharedTask:
    """Return the task in a file; an InputError tells the place of what is wrong."""
    if os.path.splitext(path)[1].casefold() in (".toml", ".yaml", ".yml"):
        raise InputError(path, "", "a task is JSON (scorch2 task --schema says which fields it has)")
    value = _checked(parse(read_text(path), path), path, "$", FIELDS)
    folder = os.path.dirname(path)
    corpora = [
        _corpus(one, path, f"$.corpora[{number}]", folder) for number, one in enumerate(value["corpora"])
    ]
    settings = [
        _setting(one, value, path, f"$.settings[{number}]") for number, one in enumerate(value["settings"])
    ]
    for key in ("corpora", "settings"):
        names = [one["name"] for one in value[key]]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise InputError(path, f"$.{key}[{number}].name", f"a second one is called {quoted(name)}")
    primary = value["primary"]
    try:
        metric = metric_row(primary["metric"] or "conll").name
    except UsageError as error:
        raise InputError(path, "$.primary.metric", str(error)) from None
    scored_ones = metrics_named(settings[0].options.metrics or DEFAULT)
    if metric not in scored_ones:
        why = f"{metric} is not scored in the first setting, which is primary ({enumerated(scored_ones)} are)"
        raise InputError(path, "$.primary.metric", why)
    average = "files" if primary["average"] == "corpora" else "pooled"
    return SharedTask(value["name"], corpora, settings, metric, average, value["missing"])


def _checked(value: Any, path: str, place: str, fields: Mapping[str, TaskField]) -> dict[str, Any]:
    """Return an object with all of its fields, those that are absent at their defaults."""
    if not isinstance(value, dict):
        raise InputError(path, place, f"should be an object, not {json_kind(value)}")
    for name in value:
        if name not in fields:
            raise InputError(path, json_place(place, name), unknown_name(name, "field", fields))
    return {name: _value(value, path, place, name, field) for name, field in fields.items()}


_KINDS = {"string": "a string", "strings": "a list of strings", "map": "an object of strings"}
_EMPTY: Mapping[str, Any] = {"strings": [], "map": {}, "object": {}, "list": []}


def _value(parent: Mapping[str, Any], path: str, place: str, name: str, field: TaskField) -> Any:
    """Return a field of an object."""
    if name not in parent and field.is_needed:
        raise InputError(path, place, f"no {quoted(name)}: {field.what}")
    place = json_place(place, name)
    if name not in parent and field.kind != "object":
        return _EMPTY.get(field.kind, next(iter(field.choices), ""))
    value = parent.get(name, {})
    if field.kind == "object":
        return _checked(value, path, place, field.fields)
    if field.kind == "list":
        if not isinstance(value, list) or not value:
            raise InputError(path, place, f"should be a list of objects, at least one: {field.what}")
        return [_checked(one, path, f"{place}[{i}]", field.fields) for i, one in enumerate(value)]
    texts = [value] if field.kind == "string" else [*_members(value, field.kind)]
    if not texts or not all(isinstance(text, str) and text for text in texts):
        raise InputError(path, place, f"should be {_KINDS[field.kind]}, none empty: {field.what}")
    if field.choices and value not in field.choices:
        raise InputError(path, place, unknown_name(value, "value", field.choices))
    return value


def _members(value: Any, kind: str) -> Iterable[Any]:
    if kind == "map":
        return value.values() if isinstance(value, dict) else ()
    return value if isinstance(value, list) else ()


def _corpus(given: Mapping[str, Any], path: str, place: str, folder: str) -> TaskCorpus:
    gold, blind = given["gold"], given["blind"]
    if not (gold or blind):
        raise InputError(path, place, 'no "gold", and no "blind", which participants have')
    inside = given["submission"] or os.path.basename((gold or blind).rstrip("/"))
    if os.path.isabs(inside) or ".." in inside.split("/") or "\\" in inside:
        why = "should be a path inside a submission, with / between folders"
        raise InputError(path, f"{place}.submission", why)
    gold, blind = (os.path.join(folder, one) if one else "" for one in (gold, blind))
    return TaskCorpus(given["name"], gold, blind, inside, given["sha256"])


def _setting(given: Mapping[str, Any], task: Mapping[str, Any], path: str, place: str) -> TaskSetting:
    options = {name.replace("-", "_"): value for name, value in given["options"].items()}
    for name, field in _OWN.items():
        if name in options:
            raise InputError(path, f"{place}.options", f"{name} is said by $.{field} for all settings")
    beside = {name: os.path.join(os.path.dirname(path), options[name]) for name in FILES if name in options}
    missing = "empty" if task["missing"] == "zero" else "error"
    try:
        metrics = metrics_named(given["metrics"]) or None
        fixed = {"average": "pooled", "missing": missing, "metrics": metrics}
        chosen = options_from(given["profile"] or None, **{**options, **beside, **fixed})
    except UsageError as error:
        raise InputError(path, place, str(error)) from None
    except (TypeError, ValueError):  # a field of `Options` that is no option
        raise InputError(path, f"{place}.options", f"unknown option among {enumerated(options)}") from None
    return TaskSetting(given["name"], chosen._replace(hashes=True, signature=True, mark_undefined=True))


# Scores


class _Fields(NamedTuple):
    task: SharedTask
    reports: Mapping[str, Mapping[str, Report]]
    """By setting and corpus."""
    wholes: Mapping[str, Report]
    """By setting: one report of all corpora, averaged as the task says."""
    missing: Sequence[str]
    """The corpora that the submission lacks: they count 0."""
    about: Mapping[str, str]
    """Who and when: ``team``, ``date``, ``note``, as far as they are given. No score depends on it."""
    notices: Sequence[Notice]


class TaskReport(Shown, _Fields):
    """The scores of a submission to a shared task."""

    __slots__ = ()
    shown_as = "shared_task"

    @property
    def first(self) -> Report:
        """The report of all corpora in the primary setting."""
        return self.wholes[self.task.settings[0].name]

    @property
    def primary(self) -> Value:
        """The score that ranks, in 0..1."""
        return main_part(self.first.scores[self.task.metric])

    def __repr__(self) -> str:
        return f"TaskReport({self.task.name!r}, {self.task.metric}={float(self.primary):.4f})"


def scored(
    task: SharedTask,
    submission: str,
    score: Callable[..., Report],
    about: Mapping[str, str],
    watch: Watch = unwatched,
) -> TaskReport:
    """Score the folder of a submission in all settings, with the engine `score`."""
    for corpus in task.corpora:
        if not corpus.gold:
            raise InputError(corpus.name, "", "the task names no gold of this corpus: it cannot be scored")
    lacking = [one for one in task.corpora if not os.path.exists(os.path.join(submission, one.submission))]
    if lacking and (task.missing == "refused" or len(lacking) == len(task.corpora)):
        names = listed(one.submission for one in lacking)
        how_many = "none" if len(lacking) == len(task.corpora) else "not all"
        why = f"holds {how_many} of the corpora of {quoted(task.name)}: there is no {names}"
        raise InputError(submission, "", why)
    reports = {
        setting.name: {
            corpus.name: _report(corpus, submission, setting.options, partial(score, watch=watch), lacking)
            for corpus in task.corpora
        }
        for setting in task.settings
    }
    why = f"the submission has no {{}}: the corpus counts 0 ({shown_path(submission)})"
    notices = [Notice("missing", one.name, why.format(shown_path(one.submission))) for one in lacking]
    wholes = {name: joined(task.name, name, found, task.average) for name, found in reports.items()}
    notices += wholes[task.settings[0].name].notices
    return TaskReport(task, reports, wholes, [one.name for one in lacking], about, notices)


def _report(
    corpus: TaskCorpus,
    submission: str,
    options: Options,
    score: Callable[..., Report],
    lacking: Sequence[TaskCorpus],
) -> Report:
    """Return the report of a corpus; one that is lacking is scored as if no mention had been found."""
    if corpus in lacking:
        return score(corpus.gold, corpus.gold, options, measure=_against_nothing)._replace(notices=[])
    report = score(corpus.gold, os.path.join(submission, corpus.submission), options)
    return report._replace(notices=[one for one in report.notices if one.code != HINT])


def _against_nothing(items: Iterable[Item], options: Options) -> Iterator[Outcome]:
    """Measure gold against documents without a mention."""
    empty = options._replace(choices={**options.choices, "missing": "empty"})
    pairs = (unanswered(item.id, item.gold, empty) if isinstance(item, Pair) else item for item in items)
    return outcomes((one._replace(notices=()) if isinstance(one, Pair) else one for one in pairs), options)
