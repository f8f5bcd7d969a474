"""Printed numbers and stored reports for Python callers: explained, ranked, and scored again."""

import json
import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from scorch2.analysis.error_report import ErrorReport
from scorch2.api import arguments, requests, resampling
from scorch2.api.arguments import public, reworded
from scorch2.audit import OUTSIDE
from scorch2.audit.baseline import Stored, read, values_of
from scorch2.audit.board import (
    TITLE,
    BoardRules,
    Leaderboard,
    board_of_files,
    ranked,
    shown_report,
    with_pages,
    with_shown,
)
from scorch2.audit.explain import Explanation, explanations
from scorch2.audit.printed import request_of
from scorch2.audit.shared_task import for_participants, read_task, submission_of
from scorch2.audit.submission import scored_submission
from scorch2.audit.verify import Asked, Verification, required_options, verified
from scorch2.formats.source import read_text
from scorch2.model.document import Clusters
from scorch2.model.errors import UsageError, quoted
from scorch2.model.forms import path_of
from scorch2.model.options import Options, flag_of, separated
from scorch2.model.settings import OfRanking, OfTrials
from scorch2.model.values import day_of
from scorch2.scoring.flow import Measure, Watch, outcomes, score_paths
from scorch2.scoring.metrics.chosen import chosen_metrics
from scorch2.scoring.report import Report, without_run
from scorch2.version import __version__

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scorch2.api.arguments import Settings
    from scorch2.model.values import ProfileName


class BoardSettings(OfRanking, OfTrials, total=False):
    """The settings of `leaderboard`."""


@public(BoardSettings)
def leaderboard(  # noqa: PLR0913 - keyword-only
    reports: Mapping[str, arguments.Path | Report | ErrorReport] | Iterable[arguments.Path],
    *,
    metrics: Iterable[str] = (),
    sort: str | None = None,
    pages: arguments.Path | None = None,
    title: str = TITLE,
    until: str | None = None,
    history: bool = False,
    **rules: "Unpack[BoardSettings]",
) -> Leaderboard:
    """Rank systems by their stored reports, as ``scorch2 leaderboard``.

    Parameters
    ----------
    reports : iterable of paths, or mapping from names to paths or reports
        JSON reports of `scorch2.score` or `scorch2.errors`, and folders that are searched for them. Systems
        are called like the files, or like the folders by which files called alike differ.
    metrics : iterable of str
        The columns; by default those that all reports of a ranking have.
    sort : str, optional
        The metric that ranks: by default the CoNLL average, or else the first one.
    pages : path, optional
        A folder with pages of errors called like the systems; by default they are looked for beside the
        reports: ``runs/a.html`` beside ``runs/a.json``.
    title : str
        The title of the page.
    until : str, optional
        Of paths to reports of a shared task: the last day of submissions that are ranked, ``2026-05-01``.
    history : bool
        Of the same: whether each submission of a team is ranked, and not only the best one.
    **rules
        {settings}

    Returns
    -------
    Leaderboard
        ``rankings``, one for all reports that can be compared with each other: ``ranks`` by system, and
        ``group(system)``, letters of which systems without a common one differ significantly.
        ``save("board.html")`` writes the page, with links to pages of errors; ``to_records()``,
        ``to_markdown()``, ``to_latex()``. Scores and ends of intervals are in 0..1.

    Raises
    ------
    InputError
        For files that are no reports, or were changed, and reports that lack a metric.
    UsageError
        For unknown names and values.

    Notes
    -----
    Paired tests of all pairs of a ranking, two-sided, corrected after Holm 1979; letters after Piepho 2004.
    Reports with other options, documents or gold are in rankings of their own.

    Examples
    --------
    >>> import scorch2
    >>> gold, outputs = "fixtures/example/gold", ["sys", "other"]
    >>> reports = {name: scorch2.score(gold, f"fixtures/example/{name}") for name in outputs}
    >>> leaderboard(reports).rankings[0].ranks
    {'sys': 1, 'other': 2}
    """
    wanted = separated(arguments.several(metrics, "metrics", '["muc", "lea"]'))
    asked = BoardRules(
        wanted,
        arguments.text(sort, "sort"),
        **requests.ranking_rules(requests.ARGUMENTS, rules),
        until=day_of(until, "until") if until is not None else "",
        history=arguments.flag(history, "history"),
    )
    folder = None if pages is None else path_of(pages, "pages")
    if isinstance(reports, Mapping):
        if until or history:
            raise UsageError("until and history are for paths of reports: a mapping names each system itself")
        board = _of_mapping(reports, asked, folder)
    else:
        named = resampling.named_systems(reports, least=1, what="report")
        board = board_of_files([*named], asked, requests.lookup, folder)
    return board._replace(title=arguments.text(title, "title") or TITLE)


def _of_mapping(
    reports: Mapping[str, arguments.Path | Report | ErrorReport], asked: BoardRules, folder: str | None
) -> Leaderboard:
    named = resampling.named_systems(reports, least=1, what="report")
    files = {name: os.fspath(one) for name, one in named.items() if isinstance(one, str | os.PathLike)}
    read = {
        name: shown_report(files[name], asked, requests.lookup)
        if name in files
        else with_shown(_as_stored(one), name, asked, requests.lookup)
        for name, one in named.items()
    }
    return with_pages(ranked(read, asked, requests.lookup), files, folder)


def _as_stored(value: object) -> Stored:
    report = value.report if isinstance(value, ErrorReport) else value
    if not isinstance(report, Report):
        raise UsageError(f"systems are ranked by reports, or their paths, not {quoted(value)}")
    return Stored(without_run(report), report.confidence, __version__, (report.inputs or {}).get("gold", {}))


@public(arguments.Settings, but=arguments.NOT_WORKERS)
def score_task(  # noqa: PLR0913 - keyword-only
    task: arguments.Path,
    submission: arguments.Path,
    *,
    participants: bool = False,
    team: str | None = None,
    note: str | None = None,
    date: str | None = None,
    **settings: "Unpack[Settings]",
) -> Report:
    """Score a submission to a shared task, as ``scorch2 task score``.

    Parameters
    ----------
    task : path
        The file of the task: corpora, settings, the score that ranks.
    submission : path
        A folder with a file or folder of each corpus, or an archive of one.
    participants : bool
        Whether the report has only what participants may see.
    team, note, date : str, optional
        Who submitted, what the run is, and its day, ``2026-05-01``, by default today: for boards.
    **settings
        ``jobs`` and ``executor``, as in `scorch2.score`.

    Returns
    -------
    Report
        The scores of the primary setting in 0..1, in ``files()`` the counts of each corpus, in ``submission``
        what was given of it. `scorch2.leaderboard` and `scorch2.read_report` read it once it is saved.

    Raises
    ------
    InputError, PairingError
        For a task or a submission that cannot be read, and as in `scorch2.score`.

    Examples
    --------
    >>> found = score_task("fixtures/task/task.json", "fixtures/task/submissions/beta", team="South")
    >>> round(found.conll.f1, 4), found.submission["team"], [one.id for one in found.files()]
    (0.5556, 'South', ['news', 'chat', 'stories'])
    """
    is_short = arguments.flag(participants, "participants")
    texts = {name: arguments.text(value, name) for name, value in (("team", team), ("note", note))}
    said = submission_of({**texts, "date": date})
    asked = read_task(path_of(task, "task"))
    found = scored_submission(asked, path_of(submission, "submission"), arguments.chosen_engine(settings))
    found = reworded(found)._replace(submission=said)
    return for_participants(found, asked) if is_short else found


@public()
def read_report(path: arguments.Path) -> Report:
    """Read a stored JSON report of `scorch2.score` or `scorch2.score_task`, without intervals and gates.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    Report
        Scores in 0..1, computed again from the stored counts.

    Raises
    ------
    InputError
        For a file that is no report, or was changed.

    Examples
    --------
    >>> import tempfile, scorch2
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     scorch2.score([["a", "b"]], [["a", "b"]]).save(f"{folder}/one.json")
    ...     read_report(f"{folder}/one.json").muc.f1
    1.0
    """
    return read(path_of(path, "path"), requests.lookup)


@public(arguments.Settings)
def explain(
    number: str | float,
    gold: arguments.Path | Clusters,
    system: arguments.Path | Clusters,
    *,
    metrics: Iterable[str] = (),
    **choices: "Unpack[Settings]",
) -> Explanation:
    """Find the settings that give a printed number, as ``scorch2 explain``.

    Every average, rule for 0/0, way to match and so on is tried, but for arguments that are arguments.

    Parameters
    ----------
    number : str, or float
        As it is printed: ``"79.6"``, ``"0.796"``, or several of one row, ``"MUC R=81.2 P=78.0"``.
    gold, system : path, or clusters
        Both sides, as `scorch2.score` takes them.
    metrics : iterable of str
        Only these metrics; by default those of all profiles.
    **choices
        As in `scorch2.score`: an option that is given is held at its value, and a profile holds its settings.

    Returns
    -------
    Explanation
        True if a setting gives the number. ``found`` and ``nearest`` have ``spelling.words()``, the options
        to type, ``report`` with the whole row, ``values`` in 0..1, and ``is_printed``; ``expected`` says how
        many numbers of those tried would be printed so by chance. If there is none, ``mistakes`` are tried.

    Raises
    ------
    UsageError
        For what is no score, and as in `scorch2.score`.
    InputError, PairingError
        As in `scorch2.score`.

    Examples
    --------
    >>> found = explain("MUC 66.7", [["a", "b", "c"]], [["a", "b"]])
    >>> found.found[0].report.muc.f1, found.found[0].spelling.words()
    (0.6666666666666666, [])
    """
    names = chosen_metrics(metrics)
    chosen = arguments.chosen_options(choices, names or None)
    request = request_of(choices, choices.get("profile"), names, chosen._replace(hashes=False))

    def score(options: Options, measure: Measure) -> Report:
        return arguments.scored(score_paths, gold, system, options, measure=measure)

    paths = [os.fspath(one) for one in (gold, system) if isinstance(one, str | os.PathLike)]
    count = requests.counting(arguments.chosen_start(choices), paths, request)
    (explanation,) = explanations([str(number)], request, score, count)
    typed = [f"{flag_of(name)}={value}" for name, value in chosen.inputs.items()]
    return explanation._replace(paths=tuple(paths), typed=typed)


_OTHERS = tuple(name for name in arguments.NOT_WORKERS if name not in OUTSIDE)


@public(arguments.Settings, but=_OTHERS)
def verify(  # noqa: PLR0913 - keyword-only
    report: arguments.Path | Report,
    gold: arguments.Path | Clusters,
    system: arguments.Path | Clusters,
    *,
    baseline: arguments.Path | None = None,
    require_profile: "ProfileName | None" = None,
    require: Mapping[str, str] | None = None,
    require_hashes: bool = False,
    **settings: "Unpack[Settings]",
) -> Verification:
    """Score a stored report again and say what differs, as ``scorch2 verify``.

    Parameters
    ----------
    report : path, or Report
        A JSON report of scores, or such a report in memory.
    gold, system : path, or clusters
        Both sides, as `scorch2.score` takes them; clusters have no hashes.
    baseline : path, optional
        The JSON report that gates on drops compare with; else its scores are taken from `report`.
    require_profile, require : str, mapping, optional
        The settings that the report must have: those of a profile, and options by name, which come first.
    require_hashes : bool
        Whether the report must have hashes of documents.
    **settings
        Patterns and files that a stored report was made with have to be given: ``topics``, ``sentences``,
        ``only_category``, ``join_windows``, ``gold_categories``, ``sys_categories``, ``categories``. These,
        and ``jobs`` and ``executor``, are as in `scorch2.score`.

    Returns
    -------
    Verification
        ``holds`` (bool), ``documents`` whose bytes changed, ``pairs``, ``files``, ``options``, ``values``,
        ``broken``, and ``numbers`` with ``stored``, ``now`` and ``difference`` (scores in 0..1).

    Raises
    ------
    InputError, PairingError
        For a report of another command, and as in `scorch2.score`.
    UsageError
        For a pattern or a file that the report was made with and that is not given.

    Examples
    --------
    >>> import scorch2
    >>> gold, system = "fixtures/example/gold", "fixtures/example/sys"
    >>> found = verify(scorch2.score(gold, system), gold, system)
    >>> found.holds, found.hashed
    (True, 6)
    """
    typed = {name: said for name in OUTSIDE if (said := arguments.text(settings.get(name), name)) is not None}
    if not isinstance(require, Mapping | None):
        raise UsageError(
            f'require maps options to values, such as {{"average": "pooled"}}, not {quoted(require)}'
        )
    required = [f"{name}={value}" for name, value in (require or {}).items()]
    asked = Asked(
        typed=typed,
        is_own=isinstance(report, Report),
        baseline=None if baseline is None else path_of(baseline, "baseline"),
        hashes=require_hashes,
        profile=require_profile,
        required=required_options(required),
    )
    if isinstance(report, Report):
        path, stored = "report", json.loads(report.to_json())
    else:
        path = path_of(report, "report")
        stored = values_of(read_text(path), path)
    engine = arguments.chosen_engine(settings)

    def score(options: Options, watch: Watch, measure: Measure | None) -> Report:
        return reworded(arguments.scored(engine, gold, system, options, watch, measure or outcomes))

    return verified(stored, path, requests.lookup, score, asked)
