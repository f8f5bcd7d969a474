"""Scoring for `score` where its page is asked for: the documents are analysed, too."""

from functools import partial

from scorch2.analysis import corpus
from scorch2.analysis.page.whole import page_of
from scorch2.analysis.request import Request
from scorch2.model.options import Options
from scorch2.scoring.metrics import DEFAULT, metrics_named
from scorch2.scoring.report import Report


def scored_with_page(system: corpus.System, options: Options, wanted: Request, *, are_typed: bool) -> Report:
    """Score a system and return a report that can write its page; all else is as without one.

    If the metrics are typed, the page shows what errors cost by each of them.
    """
    names = metrics_named(options.metrics or DEFAULT)
    few = () if are_typed else [name for name in corpus.GAINS if name in names]
    found = corpus.analysed(system, None, wanted, corpus.Shown(names, few or names))
    settings = found.report.settings if wanted.by else ()
    return found.report._replace(settings=settings, page=partial(page_of, found))
