"""Stored reports: a JSON report back to a Report, without intervals and gates, checked like any other input.

Scores are computed again from the counts; a report whose scores are not those of its counts is refused.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scorch2.audit.judge import narrowed
from scorch2.formats.json.strict import parse
from scorch2.formats.source import read_text
from scorch2.formats.table import FORMATS
from scorch2.formats.target import save_report
from scorch2.model import forms
from scorch2.model.besides import Kept
from scorch2.model.errors import InputError, Notice, UsageError, enumerated, json_place, quoted
from scorch2.model.options import INPUTS, OPTIONS, OTHERS, Options, options_from
from scorch2.model.results import BREAKDOWN_METRICS, PAIRWISE, Breakdown, ClassRow, Confidence, Interval
from scorch2.model.score import NO_ORDER, AnyScore, Measured, Tally
from scorch2.model.values import day_of, resampled_tokens
from scorch2.scoring.averages import mean_score
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import to_count, to_report
from scorch2.scoring.metrics.metric import ONLY, AnyMetric, Mean, Metric, MetricTable
from scorch2.scoring.report import SCHEMA, SETTINGS, Report, report_of, without_run

_HINT = "(write one with -f json)"
_LOOKED_AT = 100  # characters at the beginning of a file that tell whether it holds an object
_MOST = 10**15
_BY_RANK = ("1.0.0", "1.1.0")  # versions whose `CorefScorer` numbered documents by their own counts


class NoReportError(InputError):
    """A file that is no report of scores."""


class Checked:
    """Reads values by key, from the object at a place of one file."""

    # A method raises an InputError if the value is not there, or is of another kind

    def __init__(self, path: str) -> None:
        self._path = path

    def object(self, parent: Mapping[str, Any], place: str, key: str) -> dict[str, Any]:
        """Return an object."""
        value: dict[str, Any] = self._of_kind(dict, "an object", parent, place, key)
        return value

    def items(self, parent: Mapping[str, Any], place: str, key: str) -> list[Any]:
        """Return a list."""
        value: list[Any] = self._of_kind(list, "a list", parent, place, key)
        return value

    def text(self, parent: Mapping[str, Any], place: str, key: str) -> str:
        """Return a string."""
        value: str = self._of_kind(str, "a string", parent, place, key)
        return value

    def number(self, parent: Mapping[str, Any], place: str, key: str) -> float:
        """Return a number that counts something."""
        value: float = self._of_kind((int, float), "a count", parent, place, key)
        if isinstance(value, bool) or not 0 <= value < _MOST:
            raise self.error(json_place(place, key), "not a count")
        return value

    def count(self, parent: Mapping[str, Any], place: str, key: str) -> int:
        """Return a whole number that counts something."""
        value = self.number(parent, place, key)
        if not isinstance(value, int):
            raise self.error(json_place(place, key), "not a whole number")
        return value

    def _of_kind(self, kind: Any, what: str, parent: Mapping[str, Any], place: str, key: str) -> Any:
        if key not in parent:
            raise self.error(place, f"no {quoted(key)}: not a complete report of scorch2 {_HINT}")
        if not isinstance(parent[key], kind):
            raise self.error(json_place(place, key), f"not {what}")
        return parent[key]

    def error(self, place: str, why: str) -> InputError:
        """Return an error about a place of the file."""
        return InputError(self._path, place, why)


_CLOSE = 1e-9
_PERFECT = 1 + _CLOSE

FindLookup: TypeAlias = Callable[[object], MetricTable]
"""From the fact ``task`` of a report, None for coreference, to how the metrics of that task are found."""


def read(path: str, lookup: FindLookup) -> Report:
    """Return the report that is stored in a file, or comes from standard input (``-``)."""
    return of_text(read_text(path), path, lookup)


def of_text(text: str, path: str, lookup: FindLookup) -> Report:
    """Return the report in the text of a file; an InputError tells of another text, or a changed report."""
    return _Reader(path, lookup).report(values_of(text, path))


def values_of(text: str, path: str) -> dict[str, Any]:
    """Return the report in the text of a file as plain values; an InputError tells of another text."""
    is_object = text[:_LOOKED_AT].lstrip()[:1] in ("{", "")  # else no JSON at all, a report of -f text say
    value = parse(text, path) if is_object else None
    if not isinstance(value, dict) or "schema" not in value or "scores" not in value:
        raise NoReportError(path, "$", f"not a report of scorch2 {_HINT}")
    return value


def made_with(value: Mapping[str, Any], path: str, lookup: FindLookup) -> Options:
    """Return the options that a report was made with, those about files too; an InputError if broken."""
    # Its scores need not be those of its counts
    return _Reader(path, lookup).made_with(value)


def read_metrics(path: str, names: Sequence[str], lookup: FindLookup) -> Report:
    """Return a stored report with the metrics that are named, or all of them."""
    return with_metrics(read(path, lookup), path, names, lookup)


def with_metrics(report: Report, path: str, names: Sequence[str], lookup: FindLookup) -> Report:
    """Return the report of a file with the metrics that are named, or all of them."""
    find = finder(report, lookup)
    wanted = {find(name).name for name in names}
    for name in sorted(wanted - set(report.scores)):
        raise InputError(path, "$.scores", f"holds no {name} (there are {enumerated(report.scores)})")
    return narrowed(report, wanted) if wanted else report


class Stored(NamedTuple):
    """A stored report, and what else its file says."""

    report: Report
    confidence: Confidence | None
    version: str  # that of scorch2, which made it
    gold: Mapping[str, str]  # SHA-256 of what was read of gold, by document; none in older reports


def stored(path: str, lookup: FindLookup) -> Stored:
    """Return the report that is stored in a file, with its intervals."""
    return of_values(values_of(read_text(path), path), path, lookup)


def of_values(value: Mapping[str, Any], path: str, lookup: FindLookup) -> Stored:
    """Return the report in plain values, with its intervals; an InputError tells that it was changed."""
    reader = _Reader(path, lookup)
    report = reader.report(value)
    confidence, version = reader.confidence(value, report), reader.text(value, "$", "version")
    return Stored(report, confidence, version, reader.gold(value))


def finder(report: Report, lookup: FindLookup) -> Callable[[str], AnyMetric]:
    """Return what finds a metric of `report` by its name, or by what others call it."""
    own = {row.name: row for row in report.rows}
    of_task = lookup(dict(report.facts).get("task"))

    def find(name: str) -> AnyMetric:
        return own.get(name) or of_task.one(name)

    return find


def _scores(report: Report, document: Measured) -> dict[str, AnyScore]:
    """Return the scores of a document as `Report.document_scores` does, but for the last digit."""
    pairs = zip(report.metrics, document.tallies, strict=True)
    scores: dict[str, AnyScore] = {metric.name: metric.finish(tallies) for metric, tallies in pairs}
    skip = report.options.undefined == "skip"
    return {
        row.name: mean_score(row, scores, skip=skip) if isinstance(row, Mean) else scores[row.name]
        for row in report.rows
    }


class _Reader(Checked):
    """Reads a report from the values of one file."""

    def __init__(self, path: str, lookup: FindLookup) -> None:
        super().__init__(path)
        self._lookup = lookup

    def made_with(self, value: Mapping[str, Any]) -> Options:
        """Return all options of a report, and check what is read of it besides."""
        given = self._given(value)
        names = tuple(row.name for row in self._rows(given))
        self._facts(given)
        self._inputs(value)
        for name in ("scores", "counts", *(["breakdown"] if "breakdown" in value else [])):
            self.object(value, "$", name)
        for name in ("documents", *(["files"] if "files" in value else [])):
            for i, row in enumerate(self.items(value, "$", name)):
                self.text(row if isinstance(row, dict) else {}, f"$.{name}[{i}]", "id")
        self._notices(value)
        others = {name: given[name] for name in ("signature", "mark_undefined") if given.get(name) is False}
        for name in (*INPUTS, "resample"):
            if given.get(name) is not None:
                others[name] = self.text(given, "$.options", name)
        for name in ("gold_format", "sys_format"):
            if others.get(name, "") not in ("", *FORMATS):
                raise self.error(json_place("$.options", name), f"unknown format {quoted(others[name])}")
        return self._options(given, names, **others)

    def _given(self, value: Mapping[str, Any]) -> dict[str, Any]:
        schema = value["schema"]
        if schema != SCHEMA or isinstance(schema, bool):
            raise self.error("$.schema", f"{quoted(schema)} is not the schema this version reads ({SCHEMA})")
        return self.object(value, "$", "options")

    def report(self, value: Mapping[str, Any]) -> Report:
        """Return the report; an InputError tells what is wrong."""
        given = self._given(value)
        rows = self._rows(given)
        names = tuple(row.name for row in rows)
        chosen = self._options(given, names)
        of_table = all(
            name in METRICS and row is METRICS[name] for name, row in zip(names, rows, strict=True)
        )
        counted: Sequence[Metric] = [row for row in rows if isinstance(row, Metric)]
        if of_table:
            rows, counted = to_report(names, chosen.choices), to_count(names, chosen.choices)
        documents = self._documents(value, counted)
        report = report_of(rows, counted, documents, chosen, self._notices(value))
        report = without_run(report)._replace(
            facts=self._facts(given),
            settings=[(name, self.text(given, "$.options", name)) for name in SETTINGS if name in given],
            breakdown=self._breakdown(value),
            inputs=self._inputs(value),
            submission=self._submission(value),
        )
        self._check_scores(self.object(value, "$", "scores"), report.scores)
        self._check_documents(value, report)
        return report

    def confidence(self, value: Mapping[str, Any], report: Report) -> Confidence | None:
        """Return the stored intervals of all scores, if there are any."""
        if value.get("confidence") is None:
            return None
        place, given = "$.confidence", self.object(value, "$", "confidence")
        metrics = self.object(given, place, "metrics")
        intervals = {
            name: {
                part: self._interval(self.object(metrics, f"{place}.metrics", name), name, part)
                for part in score._fields
            }
            for name, score in report.scores.items()
        }
        level, trials, seed = (self.number(given, place, name) for name in ("level", "trials", "seed"))
        try:
            window = resampled_tokens(self.text(given, place, "resample")) if "resample" in given else 0
        except UsageError as error:
            raise self.error(f"{place}.resample", str(error)) from None
        return Confidence(level, int(trials), int(seed), intervals, window)

    def _interval(self, parts: Mapping[str, Any], name: str, part: str) -> Interval:
        place = f"{json_place('$.confidence.metrics', name)}.{part}"
        match parts.get(part, ...):
            case None:
                return None
            case [int() | float() as low, int() | float() as high] if low <= high:
                return float(low), float(high)
        raise self.error(place, "neither two numbers, low and high, nor null")

    def gold(self, value: Mapping[str, Any]) -> Mapping[str, str]:
        """Return the SHA-256 of gold by document, if the report has them."""
        if value.get("inputs") is None:
            return {}
        gold = self.object(self.object(value, "$", "inputs"), "$.inputs", "gold")
        return {name: self.text(gold, "$.inputs.gold", name) for name in gold}

    def _options(self, given: Mapping[str, Any], names: tuple[str, ...], **others: Any) -> Options:
        try:
            choices = {
                name: self.text(given, "$.options", name) if name in given else option.row.before
                for name, option in OPTIONS.items()
            }
            return options_from(None, metrics=names, **choices, **others)
        except UsageError as error:
            raise self.error("$.options", str(error)) from None

    def _facts(self, given: Mapping[str, Any]) -> list[tuple[str, str | int]]:
        """Return what the report says besides its options; what this version does not know is refused."""
        allowed = self._lookup(given.get("task")).facts
        facts = [(name, value) for name, value in given.items() if name not in (*OPTIONS, *OTHERS, *SETTINGS)]
        for name, value in facts:
            if name not in allowed:
                why = "is not an option this version knows (was the report changed, or made by a newer one?)"
                raise self.error(json_place("$.options", name), why)
            if type(value) not in (str, int):
                raise self.error(json_place("$.options", name), "neither a string nor a whole number")
        return facts

    def _rows(self, given: Mapping[str, Any]) -> list[AnyMetric]:
        names = self.items(given, "$.options", "metrics")
        if not all(isinstance(name, str) for name in names):
            raise self.error("$.options.metrics", "not a list of names")
        try:
            rows = list(self._lookup(given.get("task")).several(names))
        except UsageError as error:
            raise self.error("$.options.metrics", str(error)) from None
        if not rows:
            raise self.error("$.options.metrics", "no metric")
        return rows

    def _documents(self, value: Mapping[str, Any], metrics: Sequence[Metric]) -> list[Measured]:
        documents, seen = [], set()
        for i, item in enumerate(self.items(value, "$", "documents")):
            place = f"$.documents[{i}]"
            document = self._document(item, place, metrics)
            if document.id in seen:
                raise self.error(place, f"a second document {quoted(document.id)}")
            seen.add(document.id)
            documents.append(document)
        if not documents:
            raise self.error("$.documents", "no document")
        numbers = {f"document {i + 1}" for i in range(len(seen))}
        if value.get("version") in _BY_RANK and seen == numbers and not documents[0].gold:
            return [document._replace(gold=NO_ORDER) for document in documents]
        return documents

    def _document(self, item: Any, place: str, metrics: Sequence[Metric]) -> Measured:
        if not isinstance(item, dict):
            raise self.error(place, "not an object")
        counts = self.object(item, place, "counts")
        tallies = tuple(self._tallies(counts, f"{place}.counts", metric) for metric in metrics)
        gold, system = (self.count(item, place, name) for name in ("gold_mentions", "system_mentions"))
        file = self.text(item, place, "file") if "file" in item else ""
        fingerprint = self.text(item, place, "gold") if "gold" in item else ""
        measured = Measured(self.text(item, place, "id"), gold, system, tallies, file, fingerprint)
        if "kept" not in item:
            return measured
        numbers = self.object(item, place, "kept")
        kept = Kept(*(self.count(numbers, f"{place}.kept", name) for name in Kept._fields))
        return measured._replace(kept=kept)

    def _check_documents(self, value: Mapping[str, Any], report: Report) -> None:
        for i, (item, document) in enumerate(zip(value["documents"], report.documents, strict=True)):
            if "scores" in item:
                place = f"$.documents[{i}]"
                stored = self.object(item, place, "scores")
                self._check_scores(stored, _scores(report, document), f"{place}.scores")

    def _tallies(self, counts: Mapping[str, Any], place: str, metric: Metric) -> tuple[Tally, ...]:
        found, where = self.object(counts, place, metric.name), json_place(place, metric.name)
        if list(metric.parts) == [ONLY]:
            return (self._tally(found, where),)
        return tuple(
            self._tally(self.object(found, where, part), json_place(where, part)) for part in metric.parts
        )

    def _tally(self, found: Mapping[str, Any], place: str) -> Tally:
        tally = Tally(*(self.number(found, place, name) for name in Tally._fields))
        for side, right, total in (
            ("recall", tally.recall_num, tally.recall_den),
            ("precision", tally.precision_num, tally.precision_den),
        ):
            if right > total + _CLOSE * total:
                raise self.error(place, f"{side}_num is larger than {side}_den")
        return tally

    def _breakdown(self, value: Mapping[str, Any]) -> Breakdown:
        """Return the counts by classes of mentions, if the report has any."""
        breakdown = {}
        for name in self.object(value, "$", "breakdown") if "breakdown" in value else ():
            place = json_place("$.breakdown", name)
            rows = self.items(value["breakdown"], "$.breakdown", name)
            breakdown[name] = [self._class_row(row, f"{place}[{i}]") for i, row in enumerate(rows)]
        return breakdown

    def _submission(self, value: Mapping[str, Any]) -> dict[str, str]:
        given = self.object(value, "$", "submission") if "submission" in value else {}
        said = {name: self.text(given, "$.submission", name) for name in given}
        try:
            day_of(said.get("date"), "date")
        except UsageError as error:
            raise self.error("$.submission.date", str(error)) from None
        return said

    def _inputs(self, value: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the hashes of what was read, if the report has them."""
        if "inputs" not in value:
            return None
        inputs = self.object(value, "$", "inputs")
        sides = {
            name: {key: self.text(found, f"$.inputs.{name}", key) for key in found}
            for name in ("gold", "system", *(["files"] if "files" in inputs else []))
            for found in [self.object(inputs, "$.inputs", name)]
        }
        return {**sides, "pairing": self.text(inputs, "$.inputs", "pairing")}

    def _class_row(self, row: Any, place: str) -> ClassRow:
        if not isinstance(row, dict):
            raise self.error(place, "not an object")
        tallies = {
            name: self._tally(self.object(row, place, name), json_place(place, name))
            for name in (*BREAKDOWN_METRICS, *([PAIRWISE] if PAIRWISE in row else []))
        }
        links = {
            side: {name: self.count(by, f"{place}.links.{side}", name) for name in by}
            for side in ("recall", "precision")
            for by in [self.object(self.object(row, place, "links"), f"{place}.links", side)]
        }
        return ClassRow(self.text(row, place, "class"), tallies, links)

    def _notices(self, value: Mapping[str, Any]) -> list[Notice]:
        notices = []
        for i, item in enumerate(self.items(value, "$", "warnings")):
            place = f"$.warnings[{i}]"
            if not isinstance(item, dict):
                raise self.error(place, "not an object")
            notices.append(Notice(*(self.text(item, place, name) for name in Notice._fields)))
        return notices

    def _check_scores(
        self, stored: Mapping[str, Any], scores: Mapping[str, AnyScore], place: str = "$.scores"
    ) -> None:
        for name, score in scores.items():
            parts = self.object(stored, place, name)
            for part, value in score._asdict().items():
                stored_value = parts.get(part, math.nan)
                same = (
                    stored_value is None
                    if not value.defined
                    else (
                        isinstance(stored_value, int | float)
                        and abs(stored_value) <= _PERFECT
                        and math.isclose(stored_value, value, rel_tol=0, abs_tol=_CLOSE)
                    )
                )
                if not same:
                    why = "is not what the counts come to: the report was changed"
                    raise self.error(f"{place}.{name}.{part}", why)


def save(value: forms.Shown, path: str) -> None:
    """Write the JSON report of a value, or its page if the suffix asks for one that it has."""
    form = forms.FORMS["html"]
    if value.shown_as in ("errors", "annotators", "board") and path.casefold().endswith(form.suffixes):
        return save_report(path, forms.render(value, "html"), refused=())
    return save_report(path, value.to_json(), refused=forms.suffixes_but("json"))
