"""Parts of `score` that only some runs need: hints, breakdowns, pages, the lines of ``--verbose``."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from scorch2.cli import arguments, commands, console, delivery, options
from scorch2.cli.score_usage import USAGE
from scorch2.model.errors import UsageError, counted, quoted
from scorch2.model.forms import FORMS, forms_with_classes
from scorch2.model.options import Options, separated
from scorch2.scoring.flow import Outcome, Scored, Watch
from scorch2.scoring.metrics import DEFAULT, METRICS
from scorch2.scoring.pairing.files import Origin
from scorch2.scoring.provenance import origin_in_words
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.scoring.flow import Measure
    from scorch2.workers.engine import Engine


def typed_words(words: Sequence[str]) -> dict[str, Any]:
    """Return what is typed, where there are options."""
    _refuse_late_command(words)
    return arguments.parse_words(USAGE, words)


class Account:
    """The lines of ``--verbose``: what was read, how mentions matched, and what was copied."""

    def __init__(self) -> None:
        self._origins: Counter[Origin] = Counter()
        self._ways: Counter[str] = Counter()

    def watch(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """Yield the outcomes as they are."""
        for outcome in outcomes:
            if isinstance(outcome, Scored):
                self._origins[outcome.origin] += 1
                self._ways.update(outcome.ways)
            yield outcome

    def say(self, report: Report) -> None:
        """Write the lines to standard error."""
        for line in _account(report, self._origins, self._ways):
            console.say(f"scorch2: {line}")


def _account(report: Report, seen: Mapping[Origin, int], ways: Mapping[str, int]) -> Iterator[str]:
    """Yield what was read, how mentions were paired, and the signature."""
    for origin, number in seen.items():
        yield f"read {counted(number, 'document')}: {origin_in_words(origin)}"
    if ways:
        made = ", ".join(f"{number} {way}" for way, number in ways.items())
        yield f"{counted(sum(ways.values()), 'pair')} of mentions: {made}"
    yield from _copied(report)
    yield report.signature()


def _copied(report: Report) -> Iterator[str]:
    """Yield what became of the text of each document, if texts were compared."""
    if report.options.align == "text":
        from scorch2.scoring.copied import account

        for document in report.documents:
            if document.copying is not None:
                yield f"{quoted(document.id)}: {account(document.copying)}"


def _refuse_late_command(words: Sequence[str]) -> None:
    """Say so if the first path is the name of a command, or of a metric; options may be unknown here."""
    typed: Sequence[str] = ()
    try:
        typed, paths = arguments.split_words(USAGE, words)
        first = paths[:1]
    except UsageError:
        first = [word for word in words if word in commands.COMMANDS and _takes(word, words)]
        if not first or os.path.lexists(first[0]):
            raise
    if first and first[0] in commands.COMMANDS and not os.path.lexists(first[0]):
        raise UsageError(f"the command comes first: scorch2 {first[0]} ...") from None
    named = any(option.startswith("--metric=") for option in typed)
    if named and first and not os.path.lexists(first[0]) and _is_metric(first[0]):
        raise UsageError(f"commas separate metrics: -m <name>,{first[0]} (as a path: ./{first[0]})")


def _is_metric(word: str) -> bool:
    return any(word.casefold() in (name, *metric.aliases) for name, metric in METRICS.items())


def _takes(name: str, words: Sequence[str]) -> bool:
    try:
        arguments.split_words(commands.command(name).usage, words)
    except UsageError:
        return False
    return True


def breakdown_request(given: dict[str, Any], asked: delivery.Delivery) -> "AnalysisRequest | None":
    """Return how scores are broken down; None if neither options nor gates nor a page ask for it."""
    gated = [limit.of.dimension for limit in asked.thresholds if limit.of is not None]
    by = [*separated(given.get("--by") or []), *gated]
    has_page = any(FORMS[target.form].is_page for target in asked.targets)
    if not (by or has_page) and given.get("--types") is None and given.get("--genre") is None:
        return None
    from scorch2.analysis.breakdown import genre_pattern
    from scorch2.analysis.error_report import AnalysisRequest, PageRequest
    from scorch2.api.requests import WORDS, breakdown_rules

    rules = breakdown_rules(WORDS, by, **options.typed(given, ("types", "genre")))
    if not (by or has_page):
        raise UsageError("--types needs --by or -f html")
    if given.get("--by") and not any(FORMS[target.form].has_classes for target in asked.targets):
        raise UsageError(f"--by shows in {', '.join(forms_with_classes())}: choose one of them with -f")
    genre_pattern(given.get("--genre"), "--genre")
    page = PageRequest(f"{given['<sys>']} against {given['<gold>']}") if has_page else None
    return AnalysisRequest(**rules, page=page)


def analysed(  # noqa: PLR0913 - those of an engine, and what is asked
    score: "Engine",
    paths: tuple[str, str],
    chosen: Options,
    watch: Watch,
    wanted: "AnalysisRequest",
    *,
    are_typed: bool,
) -> Report:
    """Score two paths by classes of mentions, or with a page of their errors, if these can be analysed."""
    if wanted.page is None:
        from scorch2.analysis.corpus import classified

        return classified(partial(score, *paths, chosen), watch, wanted)
    # If the metrics are typed, the page shows what errors cost by each of them
    from scorch2.analysis import corpus, findings
    from scorch2.reports.page.documents import page_of
    from scorch2.scoring.metrics.chosen import metrics_named

    if findings.obstacle(chosen) and not wanted.by:
        return score(*paths, chosen, watch)  # the page then has scores alone

    def scored(own: Watch, measure: "Measure") -> Report:
        return score(*paths, chosen, corpus.shown_first_to(own, watch), measure)

    names = metrics_named(chosen.metrics or DEFAULT)
    few = () if are_typed else [name for name in corpus.GAINS if name in names]
    system, metrics = corpus.AnalysedSystem(paths[1], scored), corpus.ShownMetrics(names, few or names)
    errors = corpus.analysed(system, None, wanted, metrics)
    settings = errors.report.settings if wanted.by else ()
    return errors.report._replace(settings=settings, page=partial(page_of, errors))
