"""A shared task: its file, and what a submission to it scores.

task.json ─▶ SharedTask;  SharedTask + a folder ─▶ a report per setting and corpus ─▶ TaskReport
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from scorch2.audit.baseline import joined
from scorch2.formats.json.strict import parse
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
from scorch2.model.options import INPUTS, OPTIONS, Options, options_from
from scorch2.model.score import Value, main_part
from scorch2.scoring.flow import Outcome, Watch, outcomes, unwatched
from scorch2.scoring.metrics import DEFAULT
from scorch2.scoring.metrics.chosen import metric_row, metrics_named
from scorch2.scoring.pairing.files import Item, Pair, unanswered
from scorch2.scoring.remarks import FILES
from scorch2.scoring.report import Report

_OWN = {"average": "primary.average", "missing": "missing"}
"""Options that no setting has: fields of the task say it for all."""


class TaskCorpus(NamedTuple):
    """A corpus of a task."""

    name: str
    gold: str  # the path; empty for participants, who have none
    blind: str  # the path; empty if the task names none
    submission: str  # the path inside a submission
    sha256: Mapping[str, str]  # of the blind files, by their paths in a submission


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


# The file


def task_schema() -> dict[str, Any]:
    """Return the JSON Schema of the file of a task: the table by which it is read."""
    from pkgutil import get_data

    return cast("dict[str, Any]", parse(cast("bytes", get_data(__name__, "task.schema.json")).decode(), ""))


def read_task(path: str) -> SharedTask:
    """Return the task in a file; an InputError tells the place of what is wrong."""
    if os.path.splitext(path)[1].casefold() in (".toml", ".yaml", ".yml"):
        raise InputError(path, "", "a task is JSON (scorch2 task --schema says which fields it has)")
    value = _checked(parse(read_text(path), path), task_schema(), path, "$")
    for key in ("corpora", "settings"):
        names = [one["name"] for one in value[key]]
        for number, name in enumerate(names):
            if name in names[:number]:
                raise InputError(path, f"$.{key}[{number}].name", f"a second one is called {quoted(name)}")
    corpora = [_corpus(one, path, f"$.corpora[{number}]") for number, one in enumerate(value["corpora"])]
    missing = "empty" if value["missing"] == "zero" else "error"
    settings = [
        _setting(one, missing, path, f"$.settings[{number}]") for number, one in enumerate(value["settings"])
    ]
    metrics = metrics_named(settings[0].options.metrics or DEFAULT)
    try:
        metric = metric_row(value["primary"]["metric"]).name
    except UsageError as error:
        raise InputError(path, "$.primary.metric", str(error)) from None
    if metric not in metrics:
        why = f"{metric} is not scored in the first setting, which is primary ({enumerated(metrics)} are)"
        raise InputError(path, "$.primary.metric", why)
    average = "files" if value["primary"]["average"] == "corpora" else "pooled"
    return SharedTask(value["name"], corpora, settings, metric, average, value["missing"])


_TYPES = {"object": (dict, "an object"), "array": (list, "a list"), "string": (str, "a string")}


def _checked(value: Any, schema: Mapping[str, Any], path: str, place: str) -> Any:
    """Return a value that a schema allows, with the defaults of what it lacks."""
    kind, name = _TYPES[schema["type"]]
    if not isinstance(value, kind) or (not value and kind is not dict):
        empty = "" if kind is dict else " that is not empty"
        raise InputError(path, place, f"should be {name}{empty}: {schema['description']}")
    if value not in schema.get("enum", [value]):
        raise InputError(path, place, unknown_name(value, "value", schema["enum"]))
    if kind is list:
        return [_checked(one, schema["items"], path, f"{place}[{i}]") for i, one in enumerate(value)]
    if kind is str:
        return value
    rows, others = schema.get("properties", {}), schema["additionalProperties"]
    for lacking in schema.get("required", ()):
        if lacking not in value:
            raise InputError(path, place, f"no {quoted(lacking)}: {rows[lacking]['description']}")
    for key in value:
        if key not in rows and others is False:
            raise InputError(path, json_place(place, key), unknown_name(key, "field", rows))
    whole = {**{key: row["default"] for key, row in rows.items() if "default" in row}, **value}
    return {
        key: _checked(one, rows.get(key, others), path, json_place(place, key)) for key, one in whole.items()
    }


def _corpus(given: Mapping[str, Any], path: str, place: str) -> TaskCorpus:
    paths = [given.get(name, "") for name in ("gold", "blind")]
    if not any(paths):
        raise InputError(path, place, 'no "gold", and no "blind", which participants have')
    inside = given.get("submission") or os.path.basename((paths[0] or paths[1]).rstrip("/"))
    if os.path.isabs(inside) or ".." in inside.split("/") or "\\" in inside:
        why = "should be a path inside a submission, with / between folders"
        raise InputError(path, f"{place}.submission", why)
    gold, blind = (os.path.join(os.path.dirname(path), one) if one else "" for one in paths)
    return TaskCorpus(given["name"], gold, blind, inside, given["sha256"])


def _setting(given: Mapping[str, Any], missing: str, path: str, place: str) -> TaskSetting:
    options = {name.replace("-", "_"): value for name, value in given["options"].items()}
    for name in options:
        if name in _OWN or name not in (*OPTIONS, *INPUTS):
            why = f"is said by $.{_OWN[name]} for all settings" if name in _OWN else "is no option of score"
            raise InputError(path, json_place(f"{place}.options", name), why)
    beside = {name: os.path.join(os.path.dirname(path), options[name]) for name in FILES if name in options}
    try:
        fixed = {
            "average": "pooled",
            "missing": missing,
            "metrics": metrics_named(given.get("metrics", ())) or None,
        }
        chosen = options_from(given.get("profile"), **{**options, **beside, **fixed})
    except UsageError as error:
        raise InputError(path, place, str(error)) from None
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
    places = {corpus.name: os.path.join(submission, corpus.submission) for corpus in task.corpora}
    lacking = [corpus for corpus in task.corpora if not os.path.exists(places[corpus.name])]
    if lacking and (task.missing == "refused" or len(lacking) == len(task.corpora)):
        names = listed(one.submission for one in lacking)
        how_many = "none" if len(lacking) == len(task.corpora) else "not all"
        why = f"holds {how_many} of the corpora of {quoted(task.name)}: there is no {names}"
        raise InputError(submission, "", why)
    reports: dict[str, dict[str, Report]] = {setting.name: {} for setting in task.settings}
    for corpus in task.corpora:
        if not corpus.gold:
            raise InputError(corpus.name, "", "the task names no gold of this corpus: it cannot be scored")
        is_lacking = corpus in lacking
        path, measure = (corpus.gold, _against_nothing) if is_lacking else (places[corpus.name], None)
        for setting in task.settings:
            report = score(corpus.gold, path, setting.options, watch, measure)
            told = [] if is_lacking else [one for one in report.notices if one.code != HINT]
            reports[setting.name][corpus.name] = report._replace(notices=told)
    wholes = {name: joined(task.name, name, found, task.average) for name, found in reports.items()}
    why = f"the submission has no {{}}: the corpus counts 0 ({shown_path(submission)})"
    notices = [Notice("missing", one.name, why.format(shown_path(one.submission))) for one in lacking]
    notices += wholes[task.settings[0].name].notices
    return TaskReport(task, reports, wholes, [one.name for one in lacking], about, notices)


def _against_nothing(items: Iterable[Item], options: Options) -> Iterator[Outcome]:
    """Measure gold against documents without a mention."""
    empty = options._replace(choices={**options.choices, "missing": "empty"})
    pairs = (unanswered(item.id, item.gold, empty) if isinstance(item, Pair) else item for item in items)
    return outcomes((one._replace(notices=()) if isinstance(one, Pair) else one for one in pairs), options)
