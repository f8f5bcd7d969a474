"""The analysis of a corpus: findings of documents are added up, and compared with a second system."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple, cast

from scorch2 import analysis
from scorch2.analysis.link_changes import Trace, link_changes, refuse_other_documents, refuse_other_tokens
from scorch2.analysis.report import ErrorReport, error_report
from scorch2.analysis.request import Evidence, Request
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.options import metrics_of
from scorch2.scoring.flow import Measure, Outcome, Scored, Watch
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS, chosen_metrics
from scorch2.scoring.report import Report

DEFAULT = ("muc", "b_cubed", "ceaf_e", "lea", "conll")
"""What corrected output is scored with by default."""
GAINS = ("lea", "conll")
"""The metrics whose gains are shown by default."""
_DETECTION = "mentions"


class Shown(NamedTuple):
    """The metrics of an analysis."""

    names: Sequence[str]
    """Those that are reported."""
    gains: Sequence[str]
    """Those of them whose gains are shown in tables."""

    def counted(self) -> tuple[str, ...]:
        """Return what has to be counted: mention detection, too."""
        wanted = {*self.names, _DETECTION}
        return tuple(name for name in METRICS if name in wanted)


class System(NamedTuple):
    """A system to be analysed."""

    name: str
    """How errors call it."""
    score: Callable[[Watch, Measure], Report]
    """Scores it against gold with a function that measures pairs, and shows the outcomes to another."""


def shown(asked: Iterable[str], profile: str | None) -> Shown:
    """Return the metrics of an analysis: those that are asked for, else those of the profile for clusters.

    Raises
    ------
    UsageError
        For an unknown metric.
    """
    names = chosen_metrics(asked)
    if names:
        return Shown(names, names)
    of_profile = metrics_of(profile, DEFAULT)
    names = chosen_metrics(name for name in of_profile if name in OF_CLUSTERS) or DEFAULT
    return Shown(names, [name for name in GAINS if name in names] or names)


def analysed(system: System, other: System | None, request: Request, metrics: Shown) -> ErrorReport:
    """Return the errors of a system, and what another one makes better and worse, if there is one.

    Raises
    ------
    UsageError
        If a document is to be listed that there is not.
    PairingError
        If the other system has other documents or tokens.
    """
    request = request._replace(trace=other is not None)
    documents = _Documents()
    watch: Watch = documents.watch
    chosen = None
    if request.page is not None:
        from scorch2.analysis.page.chosen import Chosen

        chosen = Chosen(request.page.text_tokens)
        watch = shown_to(watch, chosen.watch)
    report = system.score(watch, partial(analysis.outcomes, request=request))
    for name in request.documents:
        if name not in documents.names:
            raise UsageError(unknown_name(name, "document", documents.names))
    evidence = cast("list[Evidence]", documents.found)
    found = error_report(report, evidence, request, metrics.names, metrics.gains)
    if chosen is not None:
        found = found._replace(scenes=chosen.scenes())
    if other is None:
        return found
    second = _Documents()
    wanted = Request(spans=request.spans, types=request.types)
    other.score(second.watch, partial(analysis.traced, request=wanted))
    refuse_other_documents(system.name, documents.names, other.name, second.names)
    by_document = dict(zip(second.names, cast("list[Trace]", second.found), strict=True))
    traces = [one.trace for one in evidence if one.trace is not None]
    refuse_other_tokens(system.name, dict(zip(documents.names, traces, strict=True)), other.name, by_document)
    return found._replace(compared=link_changes(traces, [by_document[name] for name in documents.names]))


class _Documents:
    """Findings of each document besides its counts, kept while the outcomes go by."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.found: list[object] = []

    def watch(self, outcomes: Iterable[Outcome], _: int) -> Iterable[Outcome]:
        """Yield the outcomes as they are."""
        for outcome in outcomes:
            if isinstance(outcome, Scored):
                self.names.append(outcome.measured.id)
                self.found.append(outcome.details)
            yield outcome


def shown_to(watch: Watch, first: Watch) -> Watch:
    """Return a function that shows outcomes to `first`, and then to `watch`."""
    return lambda outcomes, total: watch(first(outcomes, total), total)
