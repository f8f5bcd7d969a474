"""Leaderboard, the value behind `scorch2 leaderboard`: systems in the order of their stored scores.

files and folders ─▶ Stored by path ─▶ Stored by system ─▶ rankings of what can be compared ─▶ Leaderboard
"""

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.analysis.bootstrap import few_documents
from scorch2.analysis.paired_tests import least_p, too_many_differences
from scorch2.analysis.systems import Column, Comparison, SystemRow, columns_of
from scorch2.analysis.uncertainty import side_by_side
from scorch2.audit.baseline import FindLookup, NoReportError, Stored, finder, stored, with_metrics
from scorch2.audit.judge import narrowed, reasons_against, with_shared_metrics
from scorch2.formats.source import read_head, read_start, stem
from scorch2.model.errors import (
    HINT,
    InputError,
    Notice,
    UsageError,
    counted,
    listed,
    shown_path,
    without_common,
)
from scorch2.model.forms import Shown
from scorch2.model.results import main_name
from scorch2.model.score import USUAL, AnyScore, Sampling, Value, main_part
from scorch2.model.settings import ALPHA, TESTS
from scorch2.scoring.pairing.files import are_one, is_folder, walked
from scorch2.scoring.report import Report

TITLE = "Leaderboard"
_REPORTS, _PAGE = "*.json", ".html"
_PAGES_BEGIN = ("<!doctype html", "<html")
_TIE = 1e-12  # scores closer than this are equal: they were added up in another order


class BoardRules(NamedTuple):
    """The choices of a leaderboard: what is shown, what ranks, and the tests."""

    metrics: Sequence[str] = ()  # what is shown; all that the reports of a ranking have if empty
    sort: str | None = None  # the metric that ranks; None for the CoNLL average, or the first one
    parts: Sequence[str] = ("f1",)
    alpha: float = ALPHA
    sampling: Sampling = USUAL
    test: str = TESTS[0]
    per_file: bool = False  # whether files have columns; of a shared task they always do: its corpora
    until: str = ""  # the last day of submissions to a shared task that are shown; all if empty
    history: bool = False  # whether each submission of a team has a row, not only the best one


class Ranking(NamedTuple):
    """Systems whose reports can be compared, the highest score first."""

    compared: Comparison
    """The systems in their order, and the tests of all pairs of them by the score that ranks."""
    by: Column
    ranks: Mapping[str, int | None]
    """By system: one more than the number of systems with a higher score; None if its score is 0/0."""
    made_by: Mapping[str, str]  # the version of scorch2 that made the report of each system
    unlike: Sequence[str] = ()
    """Why these systems cannot be compared with those of the first ranking, which is "there"."""

    def group(self, system: SystemRow) -> str:
        """Return the letters of a system: two systems without a common one differ significantly."""
        return self.compared.letters_of(system, self.by)


class _Fields(NamedTuple):
    rankings: Sequence[Ranking]
    """Reports that can be compared with each other, the most of them first."""
    notices: Sequence[Notice]
    files: Mapping[str, str] = {}
    """The paths of the reports, by system."""
    pages: Mapping[str, str] = {}
    """The paths of pages of errors, by system."""
    title: str = TITLE
    folder: str = "."
    """The folder of the board, from where links lead to pages."""
    shows_signature: bool = True


class Leaderboard(Shown, _Fields):
    """Systems ranked by their stored reports. ``str()`` is a table."""

    __slots__ = ()
    shown_as = "board"

    def __repr__(self) -> str:
        shown = [[*ranking.ranks] for ranking in self.rankings]
        return f"Leaderboard(rankings={shown})"


# Files


def board_of_files(
    paths: Sequence[str], rules: BoardRules, lookup: FindLookup, pages: str | None = None
) -> Leaderboard:
    """Return the leaderboard of the reports in files and in folders; `pages` is the folder of other pages."""
    every, notices = _found(paths, rules, lookup)
    by_path = _submitted(every, rules)
    left_out = len(every) - len(by_path)
    by_path = by_path if rules.history else _best_of_teams(by_path, rules)
    names = _named([*by_path.items()], history=rules.history)
    if left_out:
        late = f"{counted(left_out, 'submission')} after {rules.until}: left out"
        notices = [*notices, Notice(HINT, "", late)]
    board = ranked(dict(zip(names, by_path.values(), strict=True)), rules, lookup)
    board = with_pages(board, dict(zip(names, by_path, strict=True)), pages)
    return board._replace(notices=[*notices, *board.notices])


def _found(
    paths: Sequence[str], rules: BoardRules, lookup: FindLookup
) -> tuple[dict[str, Stored], list[Notice]]:
    """Return the reports in files and in folders, by path, and notices of what was passed over."""
    reports: dict[str, Stored] = {}
    notices = []
    for path in paths:
        files = [entry.path for _, entry in walked(path, _REPORTS)] if is_folder(path) else [path]
        others = []
        for file in files:
            if any(os.path.abspath(file) == os.path.abspath(other) for other in reports):
                raise InputError(file, "", "is given twice")
            same = next((other for other in reports if are_one(file, other)), None)
            if same is not None:
                notices.append(Notice(HINT, file, f"is the same file as {shown_path(same)}: ranked once"))
                continue
            try:
                reports[file] = shown_report(file, rules, lookup)
            except InputError as error:
                is_none = isinstance(error, NoReportError)  # else a broken one, if it begins like a report
                if file == path or not (is_none or '"schema"' not in read_head(file)):
                    raise
                others.append(os.path.relpath(file, path))
        if len(others) == len(files):
            raise InputError(path, "", "holds no JSON report of scores (write them with -f json)")
        if others:
            what = f"passed over {counted(len(others), 'file')} without a report of scores: {listed(others)}"
            notices.append(Notice(HINT, path, what))
    return reports, notices


def _submitted(reports: Mapping[str, Stored], rules: BoardRules) -> dict[str, Stored]:
    """Return the reports of submissions until the last day that is asked for, the oldest first."""
    dates = {path: one.report.submission.get("date", "") for path, one in reports.items()}
    for path, date in dates.items():
        if rules.until and not date:
            raise InputError(path, "$", "has no date (task score writes one with --team or --date)")
    in_time = [path for path, date in dates.items() if not rules.until or date <= rules.until]
    if not in_time:
        raise UsageError(f"no report was submitted until {rules.until}")
    return {path: reports[path] for path in sorted(in_time, key=lambda path: dates[path])}


def _best_of_teams(reports: Mapping[str, Stored], rules: BoardRules) -> dict[str, Stored]:
    """Return the best of the reports of each team that can be compared, the first of equal ones."""
    best: dict[tuple[int, str], str] = {}
    for number, group in enumerate(_comparable(reports)):
        for path in group:
            key = number, reports[path].report.submission.get("team") or path
            former = reports[best.setdefault(key, path)]
            if _ranking_score(reports[path], rules) > _ranking_score(former, rules):
                best[key] = path
    return {path: one for path, one in reports.items() if path in best.values()}


def _ranking_score(one: Stored, rules: BoardRules) -> float:
    return main_part(one.report[_ranking_metric(one.report, rules)])


def _ranking_metric(report: Report, rules: BoardRules) -> str:
    return str(rules.sort or dict(report.facts).get("primary") or report.main_metric())


def _named(reports: Sequence[tuple[str, Stored]], *, history: bool) -> list[str]:
    """Return the name of each system: its team, with the date if all submissions are shown, or its file."""
    names: list[str] = []
    for (_, one), name in zip(reports, system_names([path for path, _ in reports]), strict=True):
        said = one.report.submission
        called = said.get("team", name) + (f" {said['date']}" if history and "team" in said else "")
        number = 1
        while called in names:
            number += 1
            called = f"{called.removesuffix(f' ({number - 1})')} ({number})"
        names.append(called)
    return names


def shown_report(file: str, rules: BoardRules, lookup: FindLookup) -> Stored:
    """Return the report in a file with the metrics that are shown."""
    return with_shown(stored(file, lookup), file, rules, lookup)


def with_shown(one: Stored, place: str, rules: BoardRules, lookup: FindLookup) -> Stored:
    """Return a stored report with the metrics that are shown; an InputError tells of one that it lacks."""
    if "task" in dict(one.report.facts):
        why = "a report of another task than coreference (scorch2 rank-systems ranks scores of any kind)"
        raise NoReportError(place, "$", why)
    sort = [] if rules.sort is None else [rules.sort]
    with_metrics(one.report, place, sort, lookup)
    wanted = [*rules.metrics, *sort] if rules.metrics else []
    return one._replace(report=with_metrics(one.report, place, wanted, lookup))


def system_names(paths: Sequence[str]) -> list[str]:
    """Return the name of each file without its suffix, or the folder by which files called alike differ.

    >>> system_names(["runs/a/score.json", "runs/b/score.json"]), system_names(["x/1.json", "x/2.json"])
    (['a', 'b'], ['1', '2'])
    >>> system_names(["a/1.json", "b/1.json", "a/2.json", "b/2.json"])
    ['a/1', 'b/1', 'a/2', 'b/2']
    """
    stems = [*map(stem, paths)]
    folders: dict[str, str] = {}
    for name in {*stems}:
        alike = [path for path, own in zip(paths, stems, strict=True) if own == name]
        folders |= zip(
            alike, without_common([os.path.dirname(os.path.abspath(one)) for one in alike]), strict=True
        )
    names = stems
    for better in (
        folders,
        {path: f"{folders[path]}/{own}" for path, own in zip(paths, stems, strict=True)},
        {},
    ):
        times = Counter(names)
        names = [
            better.get(path, path) if times[own] > 1 else own for path, own in zip(paths, names, strict=True)
        ]
    return names


def with_pages(board: Leaderboard, files: Mapping[str, str], folder: str | None) -> Leaderboard:
    """Return a board with the pages of errors of systems, whose reports are in `files`.

    They are beside the reports and called alike, or in a folder and called like the systems.
    """
    if folder is not None and not is_folder(folder):
        raise InputError(folder, "", "is not a folder: pages are looked for in it by the names of systems")
    places = {
        name: os.path.splitext(file)[0] if folder is None else os.path.join(folder, name)
        for name, file in files.items()
    }
    pages = {name: f"{place}{_PAGE}" for name, place in places.items() if _is_page(f"{place}{_PAGE}")}
    lacking = [name for name in files if name not in pages]
    notices = [*board.notices]
    if folder is not None and lacking:
        notices.append(
            Notice(HINT, folder, f"holds no page of errors of {listed(lacking)} (<system>{_PAGE})")
        )
    return board._replace(files=files, pages=pages, notices=notices)


def _is_page(path: str) -> bool:
    if not os.path.isfile(path):
        return False
    start = read_start(path, 100).decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    return start.casefold().startswith(_PAGES_BEGIN)


# Rankings


def ranked(reports: Mapping[str, Stored], rules: BoardRules, lookup: FindLookup) -> Leaderboard:
    """Return the systems of some reports, by name, in as few rankings as can be compared."""
    first = next(iter(reports.values())).report
    sort = None if rules.sort is None else finder(first, lookup)(rules.sort).name
    groups = _comparable(reports)
    rankings = [
        _ranking({name: reports[name] for name in group}, rules._replace(sort=sort)) for group in groups
    ]
    rankings = [
        ranking._replace(unlike=_unlike_any(reports, group, groups[0]) if group is not groups[0] else ())
        for ranking, group in zip(rankings, groups, strict=True)
    ]
    notices = [*_apart(rankings), *_of_making(reports), *_of_reports(rankings), *_of_tests(rankings, rules)]
    return Leaderboard(rankings, notices)


def _comparable(reports: Mapping[str, Stored]) -> list[list[str]]:
    """Return the names of reports that can be compared with each other, the largest group first."""
    groups: list[list[str]] = []
    for name, one in reports.items():
        fitting = (group for group in groups if not any(any(_unlike(one, reports[other])) for other in group))
        group = next(fitting, None)
        if group is None:
            groups.append([name])
        else:
            group.append(name)
    return sorted(groups, key=len, reverse=True)


def _unlike_any(reports: Mapping[str, Stored], group: Sequence[str], others: Sequence[str]) -> Sequence[str]:
    """Return why a group is not among others, some of which may not say what gold they read."""
    told = ([*_unlike(reports[name], reports[other])] for name in group for other in others)
    return next(filter(None, told))


def _unlike(one: Stored, other: Stored) -> Iterator[str]:
    """Yield why two reports cannot be compared by the metrics that both have."""
    if bool(one.gold) != bool(other.gold):
        yield "only one of both says by SHA-256 which gold was read"
    shared = with_shared_metrics({"one": one.report, "other": other.report})
    yield from reasons_against(shared["one"], shared["other"], for_test=True)
    changed = [name for name, sha256 in one.gold.items() if other.gold.get(name, sha256) != sha256]
    if changed:
        yield f"gold of {counted(len(changed), 'document')} has other bytes there: {listed(changed)}"


def _ranking(reports: Mapping[str, Stored], rules: BoardRules) -> Ranking:
    shared = with_shared_metrics({name: one.report for name, one in reports.items()})
    first = next(iter(shared.values()))
    metric, is_of_task = _ranking_metric(first, rules), "shared_task" in dict(first.facts)
    columns = sorted(columns_of(first, rules.parts), key=lambda column: column.metric != metric)
    if is_of_task and not rules.metrics:
        columns = [column for column in columns if column.metric == metric]
    part = main_name(first.scores[metric]._fields)
    by = next(column for column in columns if (column.metric, column.part) == (metric, part))
    scores: dict[str, Value] = {name: getattr(report.scores[metric], part) for name, report in shared.items()}
    ordered = sorted(scores, key=lambda name: (not scores[name].defined, -scores[name], name))
    higher = {
        name: sum(other.defined and other > score + _TIE for other in scores.values())
        for name, score in scores.items()
    }
    compared = side_by_side(
        {name: narrowed(shared[name], [metric]) for name in ordered},
        parts=[part],
        against="none",
        alpha=rules.alpha,
        sampling=rules.sampling,
        letters=len(ordered) > 1,
        test=rules.test,
    )
    files = [one.id for one in first.files()] if rules.per_file or is_of_task else []
    columns += [Column(metric, part, file, file) for file in files]
    rows = [
        SystemRow(
            name,
            shared[name]._replace(confidence=reports[name].confidence),
            {},
            files=_file_scores(shared[name]) if files else {},
        )
        for name in ordered
    ]
    ranks = {name: higher[name] + 1 if scores[name].defined else None for name in ordered}
    versions = {name: reports[name].version for name in ordered}
    return Ranking(compared._replace(systems=rows, columns=columns), by, ranks, versions)


def _file_scores(report: Report) -> dict[str, Mapping[str, AnyScore]]:
    """Return the scores of each file, but for those that the system lacks."""
    lacking = {notice.document for notice in report.notices if notice.code == "missing"}
    return {one.id: report.document_scores(one) for one in report.files() if one.id not in lacking}


# Notices


def _apart(rankings: Sequence[Ranking]) -> Iterator[Notice]:
    """Yield a warning for each ranking besides the first: why it is one."""
    for ranking in rankings[1:]:
        why = f"in another ranking, not comparable with the first: {'; '.join(ranking.unlike)}"
        yield Notice("rankings", listed(ranking.ranks), why)


def _of_tests(rankings: Sequence[Ranking], rules: BoardRules) -> list[Notice]:
    """Return warnings of rankings whose tests say little: no pair can differ, or too many do."""
    notices = []
    for ranking in rankings:
        report, pairs = ranking.compared.systems[0].report, len(ranking.compared.pairs)
        if not pairs:
            continue
        notices += [*few_documents(report, "tests"), *too_many_differences(report, rules.test)]
        least = min(1.0, pairs * least_p(report, rules.test, rules.sampling))
        if least > rules.alpha:
            why = f"the smallest p possible is {least:.2g} after Holm over {pairs}"
            notices.append(Notice("letters", "", f"no pair can differ: {why}"))
    return list(dict.fromkeys(notices))


def _of_making(reports: Mapping[str, Stored]) -> Iterator[Notice]:
    """Yield what is not known of how the reports were made, or differs."""
    unknown = [name for name, one in reports.items() if not one.gold]
    if unknown and len(reports) > 1:
        which = "the reports do" if len(unknown) == len(reports) else f"{listed(unknown)}: this report does"
        why = "the same documents and numbers of gold mentions are taken for the same gold"
        yield Notice(HINT, "", f"{which} not say by SHA-256 which gold was read: {why}")
    versions = sorted({one.version for one in reports.values()})
    if len(versions) > 1:
        yield Notice(HINT, "", f"the reports were made by several versions of scorch2: {', '.join(versions)}")


def _of_reports(rankings: Sequence[Ranking]) -> Iterator[Notice]:
    """Yield the warnings in reports, each once, with the systems that have it unless all have."""
    systems = [system for ranking in rankings for system in ranking.compared.systems]
    having: dict[Notice, list[str]] = {}
    for system in systems:
        for notice in dict.fromkeys(system.report.notices):
            having.setdefault(notice, []).append(system.name)
    for notice, names in having.items():
        is_general = len(names) == len(systems) or notice.code == "metrics"
        yield notice if is_general else Notice(notice.code, listed(names), str(notice))
