"""Scoring for `score` where its page is asked for: the documents are analysed, too."""

from functools import partial

from scorch2.analysis.corpus import GAINS, AnalysedSystem, ShownMetrics, analysed
from scorch2.analysis.request import AnalysisRequest
from scorch2.model.options import Options
from scorch2.reports.page.documents import page_of
from scorch2.scoring.metrics import DEFAULT, metrics_named
from scorch2.scoring.report import Report


def scored_with_page(
    system: AnalysedSystem, options: Options, wanted: AnalysisRequest, *, are_typed: bool
) -> Report:
    """Score a system and return a report that can write its page; all else is as without one.

    If the metrics are typed, the page shows what errors cost by each of them.
    """
    names = metrics_named(options.metrics or DEFAULT)
    few = () if are_typed else [name for name in GAINS if name in names]
    found = analysed(system, None, wanted, ShownMetrics(names, few or names))
    settings = found.report.settings if wanted.by else ()
    return found.report._replace(settings=settings, page=partial(page_of, found))
