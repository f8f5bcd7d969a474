"""A shared task: its file, and what a submission to it scores.

task.json ─▶ SharedTask;  SharedTask + a folder ─▶ a report per setting and corpus ─▶ one report
"""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple, cast

from scorch2.formats.json.strict import parse
from scorch2.formats.source import STDIN, read_text
from scorch2.formats.table import check_format
from scorch2.model.errors import (
    HINT,
    InputError,
    Notice,
    PairingError,
    UsageError,
    enumerated,
    json_place,
    listed,
    printable,
    quoted,
    shown_path,
    unknown_name,
)
from scorch2.model.options import INPUTS, OPTIONS, Frozen, Options, options_from
from scorch2.model.score import added_by_file, main_part
from scorch2.model.values import day_of
from scorch2.scoring.flow import Outcome, Watch, outcomes, unwatched
from scorch2.scoring.layout.escaping import plain_name
from scorch2.scoring.layout.tables import Listing
from scorch2.scoring.metrics import DEFAULT
from scorch2.scoring.metrics.chosen import metric_row, metrics_named
from scorch2.scoring.pairing.files import Item, Pair, unanswered
from scorch2.scoring.remarks import FILES
from scorch2.scoring.report import Report, report_of

_ALL, _DIGITS = "all", 4
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

    path: str
    value: Mapping[str, Any]  # what the file says
    name: str
    corpora: Sequence[TaskCorpus]
    settings: Sequence[TaskSetting]  # the first is primary
    metric: str
    average: str  # ``files`` for the mean over corpora, or ``pooled``
    missing: str  # ``zero`` or ``refused``
    visible: str  # ``corpora`` or ``documents``: what participants may see

    def paths(self) -> list[str]:
        """Return the paths of all that the task reads."""
        return [self.path, *(corpus.gold for corpus in self.corpora if corpus.gold)]

    def required(self) -> dict[str, str]:
        """Return the options that a report of the task has to be made with."""
        choices: Any = self.settings[0].options.choices
        return {**choices, "average": self.average}


# The file


def task_schema() -> dict[str, Any]:
    """Return the JSON Schema of the file of a task: the table by which it is read."""
    from pkgutil import get_data

    return cast("dict[str, Any]", parse(cast("bytes", get_data(__name__, "task.schema.json")).decode(), ""))


def read_task(path: str) -> SharedTask:
    """Return the task in a file; an InputError tells the place of what is wrong."""
    if os.path.splitext(path)[1].casefold() in (".toml", ".yaml", ".yml"):
        raise InputError(path, "", "a task is JSON (scorch2 task --schema says which fields it has)")
    said = parse(read_text(path), path)
    value = _checked(said, task_schema(), path, "$")
    for key in ("corpora", "settings"):
        names: dict[str, str] = {}
        for number, name in enumerate([one["name"] for one in value[key]]):
            place, first = f"$.{key}[{number}].name", names.setdefault(plain_name(name), name)
            if len(names) == number:
                alike = f", which forms for platforms write like {quoted(first)}" if name != first else ""
                raise InputError(path, place, f"a second one is called {quoted(name)}{alike}")
            if ".." in name.split("/") or not name.isprintable():
                raise InputError(path, place, 'a name has no control characters, and no folder ".."')
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
    rules = {name: value[name] for name in ("name", "missing", "visible")}
    return SharedTask(path, said, corpora=corpora, settings=settings, metric=metric, average=average, **rules)


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
    if STDIN in paths:
        raise InputError(path, place, 'gold and blind are files or folders, not standard input ("-")')
    inside = (given.get("submission") or os.path.basename((paths[0] or paths[1]).rstrip("/"))).rstrip("/")
    if {"", ".", ".."} & {*inside.split("/")} or "\\" in inside or not inside.isprintable():
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
        for side in ("gold_format", "sys_format"):
            check_format(options.get(side))
        metrics = metrics_named(given.get("metrics", ())) or None
        fixed = {"average": "pooled", "missing": missing, "metrics": metrics}
        chosen = options_from(given.get("profile"), **{**options, **beside, **fixed})
    except UsageError as error:
        raise InputError(path, place, str(error)) from None
    return TaskSetting(given["name"], chosen._replace(hashes=True, signature=True, mark_undefined=True))


# Scores


def scored(
    task: SharedTask, submission: str, score: Callable[..., Report], watch: Watch = unwatched
) -> Report:
    """Score the folder of a submission with the engine `score`: one report of all corpora, as its files.

    It is that of the primary setting; a list has the primary score in all settings.
    """
    places = {corpus.name: os.path.join(submission, corpus.submission) for corpus in task.corpora}
    lacking = [corpus for corpus in task.corpora if not os.path.exists(places[corpus.name])]
    if lacking and (task.missing == "refused" or len(lacking) == len(task.corpora)):
        how_many = "none" if len(lacking) == len(task.corpora) else "not all"
        missing = listed(one.submission for one in lacking)
        why = f"holds {how_many} of the corpora of {quoted(task.name)}: there is no {missing}"
        raise InputError(submission, "", why)
    reports: dict[str, dict[str, Report]] = {setting.name: {} for setting in task.settings}
    for corpus in task.corpora:
        if not corpus.gold:
            raise InputError(corpus.name, "", "the task names no gold of this corpus: it cannot be scored")
        is_lacking = corpus in lacking
        path, measure = (corpus.gold, _against_nothing) if is_lacking else (places[corpus.name], None)
        for setting in task.settings:
            try:
                report = score(corpus.gold, path, setting.options, watch, measure)
            except PairingError as error:
                raise PairingError(f"{printable(corpus.name)}: {error}") from None
            told = [] if is_lacking else [one for one in report.notices if one.code != HINT]
            reports[setting.name][corpus.name] = report._replace(notices=told)
    wholes = {name: _joined(found, task.average) for name, found in reports.items()}
    primary, first = next(iter(wholes.items()))
    why = "the submission has no {}: the corpus counts 0"
    notices = [Notice("missing", one.name, why.format(shown_path(one.submission))) for one in lacking]
    names = [name for name, whole in wholes.items() if task.metric in whole.scores]
    by_corpus = [(corpus, [reports[name][corpus] for name in names]) for corpus in places]
    rows = [
        (
            corpus,
            len(found[0].documents),
            *(round(float(main_part(one.scores[task.metric])), _DIGITS) for one in found),
        )
        for corpus, found in (*by_corpus, (_ALL, [wholes[name] for name in names]))
    ]
    return first._replace(
        facts=[("shared_task", task.name), ("setting", primary), ("primary", task.metric)],
        notices=[*notices, *first.notices],
        listings=[Listing("settings", ("corpus", "documents", *names), rows)],
        unit="file",
    )


SUBMITTED = ("team", "note", "date")
"""What a report says of a submission."""


def submission_of(given: Mapping[str, str | None]) -> dict[str, str]:
    """Return what a report says of a submission: its day is today, if something else is given but no date."""
    said = {name: value for name in SUBMITTED if (value := given.get(name))}
    return {**said, "date": day_of(said.get("date"), "date")} if said else {}


def for_participants(report: Report, task: SharedTask) -> Report:
    """Return a report without documents, their names, hashes and warnings, unless the task shows these."""
    if task.visible == "documents":
        return report
    names = {corpus.name for corpus in task.corpora}
    return report._replace(
        documents=added_by_file(report.documents),
        facts=[*report.facts, ("visible", task.visible)],
        notices=[one for one in report.notices if one.code == "missing" and one.document in names],
        inputs=None,
    )


def _joined(reports: Mapping[str, Report], average: str) -> Report:
    """Return one report of corpora: their documents have the corpus as their file."""
    first = next(iter(reports.values()))
    documents = [
        document._replace(id=f"{name}/{document.id}", file=name)
        for name, report in reports.items()
        for document in report.documents
    ]
    named = [(name, notice) for name, report in reports.items() for notice in report.notices]
    notices = [one._replace(document="/".join(filter(None, (name, one.document)))) for name, one in named]
    choices: Any = Frozen({**first.options.choices, "average": average})
    options = first.options._replace(choices=choices)
    read = [(f"{name}/", report.inputs or {}) for name, report in reports.items()]
    inputs: dict[str, Any] = {
        side: {f"{above}{key}": sha for above, one in read for key, sha in one.get(side, {}).items()}
        for side in ("gold", "system")
    }
    pairing = sha256("".join(str(one.get("pairing")) for _, one in read).encode()).hexdigest()
    whole = report_of(first.rows, first.metrics, documents, options, notices)
    return whole._replace(inputs={**inputs, "pairing": pairing})


def _against_nothing(items: Iterable[Item], options: Options) -> Iterator[Outcome]:
    """Measure gold against documents without a mention."""
    empty = options._replace(choices={**options.choices, "missing": "empty"})
    pairs = (unanswered(item.id, item.gold, empty) if isinstance(item, Pair) else item for item in items)
    return outcomes((one._replace(notices=()) if isinstance(one, Pair) else one for one in pairs), options)
