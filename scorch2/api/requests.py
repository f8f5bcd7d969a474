"""Requests of commands: their rules, shared by the command line and Python, which differ only in spelling."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from scorch2.audit.judge import narrowed
from scorch2.formats.source import STDIN, is_kept
from scorch2.model import options
from scorch2.model.errors import UsageError, quoted, shown_path, unknown_name
from scorch2.model.results import COUNTS
from scorch2.model.score import PARTS, Sampling
from scorch2.model.settings import LISTINGS, OfErrors, OfIntervals, OfPage, OfRanking, OfTests, rows_of
from scorch2.model.values import interval_level
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import METRIC_TABLE, chosen_metrics
from scorch2.scoring.metrics.metric import MetricTable
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.analysis.error_report import AnalysisRequest, PageRequest
    from scorch2.audit.printed import Request
    from scorch2.audit.tries import Count, Counts, Tries
    from scorch2.workers.engine import Start

TASK_MODULES: Mapping[str | int, str] = {
    "linking": "tasks.linking.evaluation",
    **dict.fromkeys((1, 2, 3, 4), "tasks.anaphora"),
}
"""Modules with a `MetricTable` called ``METRIC_TABLE``, by the value of the fact ``task``."""


def lookup(task: object) -> MetricTable:
    """Return how the metrics of a task are found by name; a report without a task is of coreference."""
    if not isinstance(task, str | int) or task not in TASK_MODULES:
        return METRIC_TABLE
    table: MetricTable = import_module(f"scorch2.{TASK_MODULES[task]}").METRIC_TABLE
    return table


class Spelling(NamedTuple):
    """The spelling of options in messages: words of the command line, or arguments of Python."""

    option: Callable[[str], str]  # from the name of the argument, by which its value is given
    value: Callable[[str, str], str]  # from the name of the argument and its value
    page: str  # what asks for a page


WORDS = Spelling(options.flag_of, lambda name, value: f"{options.flag_of(name)}={value}", "-f html")
ARGUMENTS = Spelling(str, '{}="{}"'.format, "title")


def check_known(values: Iterable[object], names: Collection[str], what: str) -> None:
    """Refuse values that are none of some names, with the nearest name."""
    for value in values:
        if not isinstance(value, str) or value not in names:
            raise UsageError(unknown_name(value, what, names))


# Intervals and tests


def sampling(spelling: Spelling, given: Mapping[str, Any], table: type = OfIntervals) -> Sampling:
    """Return how intervals are drawn, and tests."""
    settings = checked_settings(spelling, table, given)
    return Sampling(settings.get("confidence"), settings["trials"], settings["seed"])


def levels_of(spelling: Spelling, percentiles: Iterable[object]) -> list[float]:
    """Return levels in percent, each once, the lowest first."""
    option = spelling.option("percentiles")
    return sorted({interval_level(str(value), option) for value in percentiles})


# The error analysis, and scores that are broken down


def checked_settings(spelling: Spelling, table: type, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all settings of a table, checked: those that are not given at their defaults."""
    rows = {name: (row, spelling.option(name)) for name, row in rows_of(table).items()}
    return {
        name: row.checked(given[option], option) if option in given else row.default
        for name, (row, option) in rows.items()
    }


def breakdown_rules(
    spelling: Spelling,
    by: Iterable[str],
    settings: Mapping[str, Any],
    figures: Collection[str] | None = None,
) -> dict[str, Any]:
    """Return the fields of an `AnalysisRequest` about classes of mentions, from settings that are checked.

    `figures` are the dimensions that figures show, where a command draws them.
    """
    from scorch2.analysis.breakdown import genre_pattern
    from scorch2.analysis.table import DIMENSIONS

    check_known(by, DIMENSIONS, "dimension")
    genre_pattern(settings["genre"], spelling.option("genre"))
    if settings["genre"] is not None and "genre" not in (*by, *(figures or ())):
        needs = spelling.value("by", "genre") + ("" if figures is None else " or --plot=genre:<file>")
        raise UsageError(f"{spelling.option('genre')} says where genres are: it needs {needs}")
    rules = {name: settings[name] for name in ("types", "genre")}
    return {**rules, "by": tuple(dict.fromkeys(by)), "plotted": tuple(figures or ())}


class AnalysisSettings(OfErrors, OfPage, total=False):
    """The settings of `errors`."""


def errors_request(
    spelling: Spelling,
    given: Mapping[str, Any],
    title: str | None,
    figures: Collection[str] | None = None,
    paths: tuple[str, str, str] = ("", "", ""),
) -> "AnalysisRequest":
    """Return what `errors` is asked for, checked; there is a page if it has a title.

    `paths` are those of gold, a system and a second one, as far as the page can name them.
    """
    from scorch2.analysis.chosen_errors import scenario, stars_of
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.analysis.table import COUNTED

    settings = checked_settings(spelling, AnalysisSettings, given)
    by = settings["by"]
    _check_listed(spelling, settings, has_page=title is not None)
    return AnalysisRequest(
        spans=settings["spans"],
        gains=settings["gains"],
        windows=tuple(dict.fromkeys(settings["windows"])),
        listing=settings["list"] or "",
        kinds=settings["kind"],
        patterns=settings["pattern"],
        stars=stars_of(settings["star"], spelling.option("star")),
        counted=tuple(name for name in COUNTED if name in by),
        has_places="place" in (*by, *(figures or ())),
        documents=settings["document"],
        page=_page_request(spelling, given, settings, title, paths),
        what_if=tuple([scenario(words, spelling.option("what_if")) for words in settings["what_if"]]),
        **breakdown_rules(
            *(spelling, [name for name in by if name not in COUNTED], settings),
            None if figures is None else [name for name in figures if name not in COUNTED],
        ),
    )


def _check_listed(spelling: Spelling, settings: Mapping[str, Any], *, has_page: bool) -> None:
    """Refuse unknown names, and settings about what is listed where nothing is."""
    from scorch2.analysis.kinds import KINDS
    from scorch2.analysis.patterns import PATTERNS
    from scorch2.analysis.table import COUNTED, DIMENSIONS

    check_known(settings["kind"], KINDS, "kind of error")
    check_known(settings["pattern"], PATTERNS, "pattern")
    check_known(settings["by"], (*DIMENSIONS, *COUNTED), "dimension")
    of_errors = "errors", "examples"
    lists = ", ".join(spelling.value("list", name) for name in of_errors)
    for name, needs, needed in (
        ("kind", lists, of_errors),
        ("pattern", lists, of_errors),
        ("star", lists, of_errors),
        ("document", spelling.option("list"), LISTINGS),
    ):
        if settings[name] and not has_page and settings["list"] not in needed:
            why = f"chooses what is listed: it needs {needs} or {spelling.page}"
            raise UsageError(f"{spelling.option(name)} {why}")


def _page_request(
    spelling: Spelling,
    given: Mapping[str, Any],
    settings: Mapping[str, Any],
    title: str | None,
    paths: tuple[str, str, str],
) -> "PageRequest | None":
    from scorch2.analysis.error_report import PageRequest

    if title is not None:
        page = PageRequest(title, systems=paths[1:], gold=paths[0])
        return page._replace(text_tokens=settings["text_tokens"], plain=settings["page"] == "plain")
    for name in rows_of(OfPage):
        if given.get(spelling.option(name)) is not None:
            raise UsageError(f"{spelling.option(name)} is about the page: it needs {spelling.page}")
    return None


def refuse_second_reading(spelling: Spelling, gold: object, other: object) -> None:
    """Refuse gold on standard input if a second system is compared: it is read for each."""
    if other is not None and gold == STDIN:
        why = "reads gold a second time: it cannot be standard input (-)"
        raise UsageError(f"{spelling.option('other')} {why}")


# Printed numbers


def counting(start: "Start | None", paths: Sequence[str], request: "Request") -> "Count":
    """Return what counts documents under all settings of `explain`: workers, if they can read the paths."""
    from scorch2.audit.tries import counts_of, in_this_process

    def count(tries: "Tries") -> "Iterator[Counts]":
        if start is None or not paths or any(path == STDIN or is_kept(path) for path in paths):
            yield from in_this_process(tries)
            return
        from scorch2.workers.tasks import in_slices

        with start() as workers:
            yield from in_slices(tries.total, partial(counts_of, (paths[0], paths[1]), request), workers)

    return count


# Systems side by side

COMPARED_PARTS: Mapping[str, tuple[str, ...]] = {"f1": ("f1",), "all": PARTS}
"""The parts of a score by the value of `parts`, the default first."""


def ranking_rules(spelling: Spelling, given: Mapping[str, Any], table: type = OfRanking) -> dict[str, Any]:
    """Return what a table of rankings says of columns and tests, checked."""
    settings = checked_settings(spelling, table, given)
    return {**settings, "parts": COMPARED_PARTS[settings["parts"]], "sampling": sampling(spelling, given)}


def comparison_rules(spelling: Spelling, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `side_by_side`, checked."""
    rules = ranking_rules(spelling, given, OfTests)
    if rules["letters"] and given.get(spelling.option("against")) is not None:
        raise UsageError(
            f"{spelling.option('letters')} tests all pairs of systems: leave out {spelling.option('against')}"
        )
    return {**rules, "against": "none"} if rules["letters"] else rules


# Annotators


_TWO = 2


def refuse_annotators(spelling: Spelling, annotators: Collection[str], title: object) -> None:
    """Refuse annotators that cannot be compared."""
    if len(annotators) < _TWO:
        raise UsageError(f"agreement is between annotators: give at least 2, not {len(annotators)}")
    if title is not None and len(annotators) > _TWO:
        raise UsageError(
            f"{spelling.option('title')} is about the page of two annotators, not {len(annotators)}"
        )
    if STDIN in annotators and len(annotators) > _TWO:
        raise UsageError(
            "an annotator is read for every pair: of three or more none can be standard input (-)"
        )


_ONE_SIDED = {"twinless": "singletons", "singletons": "e2e"}


def refuse_sides(spelling: Spelling, chosen: options.Options) -> None:
    """Refuse options that change the mentions of one annotator of a pair and not those of the other."""
    for name, value in _ONE_SIDED.items():
        if getattr(chosen, name) == value:
            why = "changes one annotator of a pair and not the other"
            raise UsageError(f"{spelling.value(name, value)} {why}: agreement has no gold")


def inputs_of_all(spelling: Spelling, typed: Mapping[str, Any], annotators: int) -> dict[str, Any]:
    """Return the options about files: one that is given for one side holds for all annotators."""
    inputs = {name: typed.get(name) for name in options.INPUTS}
    for name in options.INPUTS:
        other = name.replace("gold_", "sys_", 1)
        if other == name:
            continue
        one, second = inputs[name], inputs[other]
        if None not in (one, second) and one != second and annotators > _TWO:
            both = f"{spelling.option(name)} and {spelling.option(other)} differ"
            raise UsageError(f"{both}: of several annotators all are read alike (give one of them)")
        inputs[name], inputs[other] = (second if one is None else one), (one if second is None else second)
    return {name: value for name, value in inputs.items() if value is not None}


# Systems that are resampled: stored reports, or outputs that are scored against gold now

Kind: TypeAlias = Literal["stored", "linking", "coreference"]
PartName: TypeAlias = Literal["precision", "recall", "f1", "fscore", "ptp", "fp", "rtp", "fn"]
DEFAULT_PARTS: tuple[PartName, ...] = ("precision", "recall", "f1")
_PARTS = {
    "fscore": "f1",
    "f": "f1",
    "r": "recall",
    "p": "precision",
    **{part: part for part in (*PARTS, *COUNTS)},
}
_FILES = tuple(name for name, row in options.INPUTS.items() if row.for_linking)
_READING = ("duplicates", "pair", *_FILES)
_SCORING = (
    *(name for name in (*options.OPTIONS, *options.INPUTS) if name not in _READING),
    "profile",
    "resample",
    "dask",
)
TYPED = (*_SCORING, *_READING, "type_weights")  # the options of scoring
_DEFAULT_MEASURE = "strong_all_match"
_ONLY_PATHS = "measures of linking take paths, not clusters"
Score: TypeAlias = Callable[[Any, Any, options.Options], Report]
"""A function that scores coreference: gold against a system."""


def parts_of(asked: str | Iterable[str]) -> tuple[str, ...]:
    """Return the parts of scores that are asked for, each once."""
    names = options.separated(asked)
    for name in names:
        if not isinstance(name, str) or name not in _PARTS:
            known = ("precision", "recall", "fscore", *COUNTS)
            raise UsageError(unknown_name(name, "part of a score", known))
    return tuple(dict.fromkeys(_PARTS[name] for name in names))


class Against(NamedTuple):
    """The gold side that systems are scored against, and the options."""

    spelling: Spelling
    gold: Any  # a path, documents, or None for systems that are reports: they are scored already
    names: Sequence[str]  # metrics, or measures of linking; empty for the default
    typed: Mapping[str, Any]  # the options of `TYPED`, None for those that are not given
    counts: Sequence[str] = ()  # counts of measures of linking that are shown

    def kind(self) -> Kind:
        """Return what the systems are: reports, entity linking or coreference."""
        kind: Kind = "stored" if self.gold is None else "linking" if self._is_linking() else "coreference"
        gold = self.spelling.option("gold")
        if self.counts and kind != "linking":
            raise UsageError(f"{self.counts[0]} is for measures of linking that are scored against {gold}")
        if kind == "stored":
            self._refuse(TYPED, f"needs {gold}: a stored report is scored already")
        elif kind == "linking":
            self._refuse(_SCORING, "is for coreference metrics: linking adds up counts over documents")
        else:
            self._refuse(("type_weights",), "is for measures of entity linking")
        return kind

    def _refuse(self, names: Iterable[str], why: str) -> None:
        for name in names:
            if self.typed.get(name) is not None:
                raise UsageError(f"{self.spelling.option(name)} {why}")

    def reports(self, kind: Kind, score: Score) -> Callable[[Any], Report]:
        """Return a function from a system to its report; `score` scores coreference."""
        if kind == "stored":
            wanted = [] if options.ALL in map(str.casefold, self.names) else self.names
            return lambda system: _stored(system, wanted, self.spelling.option("gold"))
        if kind == "linking":
            return self._linking()
        others = ("profile", "type_weights", "dask")
        typed = {name: value for name, value in self.typed.items() if name not in others}
        metrics = chosen_metrics(self.names) or None
        chosen = options.options_from(self.typed.get("profile"), metrics=metrics, **typed)
        return lambda system: score(self.gold, system, chosen)

    def _is_linking(self) -> bool:
        """Return whether measures of linking are meant: by a name that only they have, or because of gold."""
        from scorch2.formats.reading import is_for_linking
        from scorch2.formats.source import size
        from scorch2.scoring.pairing.files import FileChoice, folder_files
        from scorch2.tasks.linking.measures import GROUPS, MEASURES, named

        of_linking = [name for name in self.names if not _is_known(chosen_metrics, name)]
        of_coreference = [name for name in self.names if not _is_known(named, name)]
        for name in of_linking:
            if name in of_coreference:
                known = dict.fromkeys([*METRICS, *MEASURES, *GROUPS])
                raise UsageError(unknown_name(name, "metric", known))
        if of_linking and of_coreference:
            both = f"{quoted(of_coreference[0])} is of coreference and {quoted(of_linking[0])} of linking"
            raise UsageError(f"{both}: ask for one kind")
        if of_linking or of_coreference:
            return bool(of_linking)
        if not isinstance(self.gold, str | os.PathLike):
            return False
        path, form = os.fspath(self.gold), self.typed.get("gold_format")
        if form is None and path != STDIN and os.path.isdir(path):
            choice = FileChoice(self.typed.get("gold_files"), self.spelling.option("gold_files"))
            files = list(folder_files(path, choice).values())
            path = next((file for file in files if size(file)), files[0])  # an empty one says nothing
        return is_for_linking(path, form)

    def _linking(self) -> Callable[[Any], Report]:
        from scorch2.tasks.linking import evaluation, evidence, measures
        from scorch2.tasks.linking.corpus import Sources, read_corpus, read_type_weights

        given = self.typed
        chosen = measures.named(self.names or [_DEFAULT_MEASURE])
        path = given.get("type_weights")
        weights = None if path is None else read_type_weights(path)
        rules = evidence.Rules(given.get("duplicates") or "error", weights)
        if not isinstance(self.gold, str | os.PathLike):
            raise UsageError(_ONLY_PATHS)
        pair, pairs = given.get("pair"), options.OPTIONS["pair"].values
        check_known([] if pair is None else [pair], pairs, f"value of {self.spelling.option('pair')}")
        files: dict[str, Any] = {name: given.get(name) for name in _FILES}
        sources = Sources(os.fspath(self.gold), "", **files, pair=pair or pairs[0])

        def report(system: Any) -> Report:
            if not isinstance(system, str | os.PathLike):
                raise UsageError(_ONLY_PATHS)
            evaluated = read_corpus(sources._replace(system=os.fspath(system)))
            return evaluation.linking_report(evaluated, chosen, rules, counts=bool(self.counts))

        return report


def _stored(system: Any, names: Sequence[str], gold: str) -> Report:
    """Return a report, in a file or as a value, with the metrics that are named, or all that it shows.

    `gold` is how gold is given, by which documents are scored.
    """
    from scorch2.analysis.error_report import ErrorReport
    from scorch2.audit.baseline import finder, read_metrics

    if isinstance(system, str | os.PathLike):
        if os.path.isdir(system):
            raise UsageError(f"{shown_path(os.fspath(system))} is a folder, which needs {gold} to be scored")
        return read_metrics(os.fspath(system), names, lookup)
    report = system.report if isinstance(system, ErrorReport) else system
    if not isinstance(report, Report):
        raise UsageError("give gold to score against, or reports")
    find = finder(report, lookup)
    wanted = {find(name).name for name in names} or set(report.scores)
    for name in sorted(wanted - set(report.scores)):
        raise UsageError(unknown_name(name, "metric in this report", report.scores))
    return narrowed(report, wanted)


def _is_known(find: Callable[[list[str]], object], name: str) -> bool:
    try:
        find([name])
    except UsageError:
        return False
    return True
