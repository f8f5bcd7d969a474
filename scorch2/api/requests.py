"""Requests of commands, shared by the command line and Python."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from scorch2.analysis.error_report import ErrorReport
from scorch2.api.given import Path, check_inputs, chosen_engine, of_clusters, of_reader, scored, several
from scorch2.formats.reading import is_for_linking
from scorch2.formats.source import STDIN, size
from scorch2.gate import baseline
from scorch2.model.document import Clusters
from scorch2.model.errors import UsageError, counted, printable, quoted, shown_path, unknown_name
from scorch2.model.options import ALL, OPTIONS, Choices, ProfileName, options_from, separated, whole_value
from scorch2.model.score import COUNTS, PARTS
from scorch2.scoring.flow import score_paths
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import LOOKUP, chosen_metrics
from scorch2.scoring.metrics.metric import Lookup
from scorch2.scoring.pairing.files import FileChoice, folder_files
from scorch2.scoring.report import Report, narrowed
from scorch2.workers.engine import Engine

if TYPE_CHECKING:
    from concurrent.futures import Executor


TASK_MODULES: Mapping[str | int, str] = {
    "linking": "linking.evaluation",
    **dict.fromkeys((1, 2, 3, 4), "anaphora.exercise"),
}
"""Modules with a `Lookup` called ``LOOKUP``, by the value of the fact ``task``."""


def lookup(task: object) -> Lookup:
    """Return how the metrics of a task are found by name; a report without a task is of coreference."""
    if not isinstance(task, str | int) or task not in TASK_MODULES:
        return LOOKUP
    found: Lookup = import_module(f"scorch2.{TASK_MODULES[task]}").LOOKUP
    return found


System: TypeAlias = Path | Clusters | Report | ErrorReport
PartName: TypeAlias = Literal["precision", "recall", "f1", "fscore", "ptp", "fp", "rtp", "fn"]
Kind: TypeAlias = Literal["stored", "linking", "coreference"]

_PARTS = {
    "fscore": "f1",
    "f": "f1",
    "r": "recall",
    "p": "precision",
    **{part: part for part in (*PARTS, *COUNTS)},
}
_READING = ("duplicates", "pair", "gold_format", "sys_format", "gold_files", "sys_files")
_SPANS = ("gold_key", "sys_key", "gold_offsets", "sys_offsets")
_SCORING = (*(name for name in OPTIONS if name not in _READING), *_SPANS, "profile")
TYPED = (*_SCORING, *_READING, "type_weights")
"""The options of scoring."""
KEYWORDS = (*TYPED, "jobs", "executor")
"""The keys of `Scoring`."""
_DEFAULT_MEASURE = "strong_all_match"
_METRICS = '["muc", "lea"]'
DEFAULT_PARTS: tuple[PartName, ...] = ("precision", "recall", "f1")
NELEVAL_TRIALS = 2500


class Scoring(Choices, total=False):
    """The options of `scorch2.score`, and those of entity linking."""

    profile: ProfileName | None
    gold_format: str | None
    sys_format: str | None
    gold_files: str | None
    sys_files: str | None
    gold_key: str | None
    sys_key: str | None
    gold_offsets: str | None
    sys_offsets: str | None
    type_weights: Path | None
    jobs: int
    executor: "Executor | None"


class Against(NamedTuple):
    """The gold side that systems are scored against, and the options."""

    gold: Path | Clusters | None
    """None for systems that are reports: they are scored already."""
    names: Sequence[str]
    """Metrics, or measures of linking; empty for the default."""
    typed: Mapping[str, Any]
    """The options of `TYPED`, None for those that are not given."""
    counts: Sequence[str] = ()
    """Counts of measures of linking that are shown."""
    spelled: Callable[[str], str] = str
    """How errors write the name of an option."""

    def kind(self) -> Kind:
        """Return what the systems are: reports, entity linking or coreference.

        Raises
        ------
        UsageError
            For options that do not go with it, and unknown metrics.
        """
        kind: Kind = "stored" if self.gold is None else "linking" if self._is_linking() else "coreference"
        if self.counts and kind != "linking":
            gold = self.spelled("gold")
            raise UsageError(f"{self.counts[0]} is for measures of linking that are scored against {gold}")
        if kind == "stored":
            why = f"needs {self.spelled('gold')}: a stored report is scored already"
            self.refuse(TYPED, why)
        elif kind == "linking":
            self.refuse(_SCORING, "is for coreference metrics: linking adds up counts over documents")
        else:
            self.refuse(("type_weights",), "is for measures of entity linking")
        return kind

    def refuse(self, names: Iterable[str], why: str) -> None:
        """Raise a UsageError for the first of some options that is given."""
        for name in names:
            if self.typed.get(name) is not None:
                raise UsageError(f"{self.spelled(name)} {why}")

    def reports(self, kind: Kind, score: Engine = score_paths) -> Callable[[Any], Report]:
        """Return a function from a system to its report; `score` scores coreference."""
        if kind == "stored":
            wanted = [] if ALL in map(str.casefold, self.names) else self.names
            return lambda system: _stored(system, wanted, self.spelled("gold"))
        if kind == "linking":
            return self._linking()
        typed = {name: value for name, value in self.typed.items() if name not in ("profile", "type_weights")}
        chosen = options_from(self.typed.get("profile"), metrics=chosen_metrics(self.names) or None, **typed)
        gold = self.gold
        assert gold is not None  # noqa: S101 - for mypy: it is no stored report

        def report(system: Any) -> Report:
            if isinstance(system, Report | ErrorReport):
                raise UsageError(f"a report is scored already: leave out {self.spelled('gold')}")
            return scored(score, gold, system, chosen)

        return report

    def _is_linking(self) -> bool:
        """Return whether measures of linking are meant: by a name that only they have, or because of gold."""
        from scorch2.linking.measures import GROUPS, MEASURES, named

        of_linking = [name for name in self.names if not _is_known(chosen_metrics, name)]
        of_coreference = [name for name in self.names if not _is_known(named, name)]
        for name in of_linking:
            if name in of_coreference:
                known = dict.fromkeys([*METRICS, *MEASURES, *GROUPS])
                raise UsageError(unknown_name(name, "metric", known))
        if of_linking and of_coreference:
            ones = f"{quoted(of_coreference[0])} is of coreference and {quoted(of_linking[0])} of linking"
            raise UsageError(f"{ones}: ask for one kind")
        if of_linking or of_coreference:
            return bool(of_linking)
        if not isinstance(self.gold, str | os.PathLike):
            return False
        path, form = os.fspath(self.gold), self.typed.get("gold_format")
        if form is None and path != STDIN and os.path.isdir(path):
            choice = FileChoice(self.typed.get("gold_files"), self.spelled("gold_files"))
            files = list(folder_files(path, choice).values())
            path = next((file for file in files if size(file)), files[0])  # an empty one says nothing
        return is_for_linking(path, form)

    def _linking(self) -> Callable[[Any], Report]:
        from scorch2.linking.corpus import Sources, read_corpus, read_type_weights
        from scorch2.linking.evaluation import linking_report
        from scorch2.linking.evidence import Rules
        from scorch2.linking.measures import named

        given = self.typed
        chosen = named(self.names or [_DEFAULT_MEASURE])
        weights = None if given.get("type_weights") is None else read_type_weights(given["type_weights"])
        rules = Rules(given.get("duplicates") or "error", weights)
        gold = self.gold
        if not isinstance(gold, str | os.PathLike):
            raise UsageError("measures of linking take paths, not clusters")
        sources = Sources(
            os.fspath(gold),
            "",
            gold_format=given.get("gold_format"),
            sys_format=given.get("sys_format"),
            gold_files=given.get("gold_files"),
            sys_files=given.get("sys_files"),
            pair=_pairing_rule(given.get("pair"), self.spelled("pair")),
        )

        def report(path: Any) -> Report:
            if not isinstance(path, str | os.PathLike):
                raise UsageError("measures of linking take paths, not clusters")
            corpus = read_corpus(sources._replace(system=os.fspath(path)))
            return linking_report(corpus, chosen, rules, counts=bool(self.counts))

        return report


def _stored(system: Any, names: Sequence[str], gold: str) -> Report:
    """Return a report, in a file or as a value, with the metrics that are named, or all that it shows.

    `gold` is how gold is given, by which documents are scored.
    """
    if isinstance(system, str | os.PathLike):
        if os.path.isdir(system):
            raise UsageError(f"{shown_path(os.fspath(system))} is a folder, which needs {gold} to be scored")
        return baseline.read_metrics(os.fspath(system), names, lookup)
    report = system.report if isinstance(system, ErrorReport) else system
    if not isinstance(report, Report):
        raise UsageError("give gold to score against, or reports")
    find = baseline.finder(report, lookup)
    wanted = {find(name).name for name in names} or set(report.scores)
    for name in sorted(wanted - set(report.scores)):
        raise UsageError(unknown_name(name, "metric in this report", report.scores))
    return narrowed(report, wanted)


def _pairing_rule(given: str | None, option: str) -> str:
    """Return how documents pair."""
    values = OPTIONS["pair"].values
    if given is not None and given not in values:
        raise UsageError(unknown_name(given, f"value of {option}", values))
    return given or values[0]


def _is_known(find: Callable[[list[str]], object], name: str) -> bool:
    try:
        find([name])
    except UsageError:
        return False
    return True


def parts_of(asked: str | Iterable[str]) -> tuple[str, ...]:
    """Return the parts of scores that are asked for, each once.

    Raises
    ------
    UsageError
        For an unknown one, with the nearest name.
    """
    names = separated(several(asked, "parts", '["f1"]'))
    for name in names:
        if not isinstance(name, str) or name not in _PARTS:
            raise UsageError(
                unknown_name(name, "part of a score", ("precision", "recall", "fscore", *COUNTS))
            )
    return tuple(dict.fromkeys(_PARTS[name] for name in names))


def reports_of(
    gold: Path | Clusters | None, metrics: Iterable[str], parts: Sequence[str], scoring: Scoring
) -> Callable[[Any], Report]:
    """Return a function from a system to its report, for all options of `Scoring`."""
    typed: dict[str, Any] = dict(scoring)
    jobs, executor = typed.pop("jobs", 1), typed.pop("executor", None)
    check_inputs(typed)
    if gold is not None and not isinstance(gold, str | os.PathLike):
        gold = of_reader(gold) or of_clusters(gold, "gold")  # which may be an iterator, and are read again
    names = separated(several(metrics, "metrics", _METRICS))
    for name in names:
        if not isinstance(name, str):
            raise UsageError(f"metrics are names, such as {_METRICS}, not {quoted(name)}")
    against = Against(gold, names, typed, [part for part in parts if part in COUNTS])
    kind = against.kind()
    if kind != "coreference" and (jobs != 1 or executor is not None):
        raise UsageError("jobs and executor are for coreference that is scored against gold")
    return against.reports(kind, chosen_engine(jobs, executor))


def named_systems(systems: Mapping[str, System] | Iterable[Path], *, least: int) -> Mapping[str, System]:
    """Return systems by name, at least so many."""
    if isinstance(systems, str | os.PathLike) or not isinstance(systems, Iterable):
        raise UsageError("systems are a mapping from names to systems, or a list of paths")
    if isinstance(systems, Mapping):
        found = {str(name): system for name, system in systems.items()}
    else:
        paths = [*systems]
        if not all(isinstance(path, str | os.PathLike) for path in paths):
            raise UsageError('name the systems: {"one": report, "other": other_report}')
        found = {os.fspath(path): path for path in paths}
        if len(found) < len(paths):
            raise UsageError("a system is given twice")
    if len(found) < least:
        raise UsageError(f"give at least {counted(least, 'system')}, not {len(found)}")
    return found


def reports_by_name(systems: Mapping[str, System], report_of: Callable[[Any], Report]) -> dict[str, Report]:
    """Return the report of each system; errors about the value of one name it.

    Raises
    ------
    UsageError
        For what is no system, or lacks a metric.
    """
    found = {}
    for name, system in systems.items():
        try:
            found[name] = report_of(system)
        except UsageError as error:
            raise UsageError(f"{printable(name)}: {error}") from None
    return found


def whole_number(value: object, name: str, least: int) -> int:
    """Return a whole number of at least `least`, up to `scorch2.model.options.MOST`."""
    return whole_value(str(value), name, 0, least=least)
