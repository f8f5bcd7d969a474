"""The options that break scores down, shared by `score` and `errors`."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from scorch2.cli import usage
from scorch2.cli.arguments import choice
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.options import separated

if TYPE_CHECKING:
    from scorch2.cli.delivery import Request as Delivery
    from scorch2.model.options import Options
    from scorch2.scoring.flow import Measure, Outcome, Watch
    from scorch2.scoring.report import Report
    from scorch2.workers.engine import Engine

NAMES = (
    "type",
    "antecedent",
    "size",
    "width",
    "distance",
    "sentences",
    "mentions",
    "text",
    "named",
    "genre",
    "length",
)
"""The keys of `scorch2.analysis.dimensions.DIMENSIONS`, which the help shows without importing it."""
TYPES_HOW = ("auto", "english", "none")
"""The values of ``--types``, those of `scorch2.analysis.mention_types.TYPES_HOW`."""
_PAGE = "html"
FORMS = ("json", "table", "tsv", "markdown", "latex", _PAGE)
"""The reports of `score` that show a breakdown."""
_BY = f"break scores down by classes of mentions, separated by commas (repeatable): {', '.join(NAMES)}"
_TYPES = (
    "how kinds of mentions are found: auto (default: by tags where the files have them), english (guessed "
    "from words), none"
)
_GENRE = "for --by=genre: a regular expression, whose first group is the genre in the name of a document"
BY_USAGE = "\n".join([usage.lines("--by=<dimensions>", _BY), usage.lines("--genre=<regex>", _GENRE)])
TYPES_USAGE = usage.lines("--types=<how>", _TYPES)


def dimensions(words: Sequence[str]) -> tuple[str, ...]:
    """Return the dimensions that are asked for, each once, in the order in which they were typed.

    Raises
    ------
    UsageError
        For an unknown one, with the nearest name.
    """
    found = list(separated(words))
    for name in found:
        if name not in NAMES:
            raise UsageError(unknown_name(name, "dimension", NAMES))
    return tuple(dict.fromkeys(found))


Analysed: TypeAlias = "Callable[[Engine, str, str, Options, Watch], Report]"
"""A function that scores two paths with an engine, and breaks the scores down or analyses errors."""


def request(given: dict[str, Any], asked: "Delivery") -> "Analysed | None":
    """Return how `score` breaks its scores down; None if neither options nor gates nor a page ask for it.

    Raises
    ------
    UsageError
        For options that make no sense.
    """
    gated = [limit.of.dimension for limit in asked.gates.thresholds if limit.of is not None]
    by = dimensions([*given["--by"], *gated])
    types = choice(given["--types"], TYPES_HOW, "way to tell types")
    has_page = any(target.form == _PAGE for target in asked.targets)
    if given["--genre"] is not None and "genre" not in by:
        raise UsageError("--genre says where genres are: it needs --by=genre")
    if not (by or has_page):
        if given["--types"] is not None:
            raise UsageError(f"--types needs --by or -f {_PAGE}")
        return None
    if given["--by"] and not any(target.form in FORMS for target in asked.targets):
        raise UsageError(f"--by shows in {', '.join(FORMS)}: choose one of them with -f")
    from scorch2.analysis.dimensions import genre_pattern
    from scorch2.analysis.request import AnalysisRequest, PageRequest

    wanted = AnalysisRequest(types=types, by=by, genre=genre_pattern(given["--genre"], "--genre"))
    if has_page:
        wanted = wanted._replace(page=PageRequest(f"{given['<sys>']} against {given['<gold>']}"))
        return _with_page(wanted, are_typed=bool(given["--metric"]))
    return lambda score, gold, system, options, watch: _scored(score, (gold, system), options, watch, wanted)


def _with_page(wanted: Any, *, are_typed: bool) -> "Analysed":
    """Return a function that scores two paths and analyses their errors, if that is possible."""
    from scorch2.analysis.corpus import AnalysedSystem, shown_first_to
    from scorch2.analysis.findings import obstacle
    from scorch2.cli.paged import scored_with_page

    def analysed(score: "Engine", gold: str, system: str, options: "Options", watch: "Watch") -> "Report":
        if obstacle(options) and not wanted.by:
            return score(gold, system, options, watch)  # the page then has scores alone

        def scored(own: "Watch", measure: "Measure") -> "Report":
            return score(gold, system, options, shown_first_to(own, watch), measure)

        return scored_with_page(AnalysedSystem(system, scored), options, wanted, are_typed=are_typed)

    return analysed


def _scored(
    score: "Engine", paths: tuple[str, str], options: "Options", watch: "Watch", wanted: Any
) -> "Report":
    """Score two paths and keep the classes of mentions of each document."""
    from functools import partial

    from scorch2.analysis.dimensions import breakdown
    from scorch2.analysis.findings import classified_outcomes
    from scorch2.analysis.request import settings_of
    from scorch2.scoring.flow import Scored

    details: list[Any] = []

    def keeping(found: "Iterable[Outcome]", total: int) -> "Iterable[Outcome]":
        for outcome in watch(found, total):
            if isinstance(outcome, Scored):
                details.append(outcome.details)
            yield outcome

    report = score(paths[0], paths[1], options, keeping, partial(classified_outcomes, request=wanted))
    return report._replace(
        breakdown=breakdown([one.classes for one in details], wanted.by), settings=settings_of(details)
    )
