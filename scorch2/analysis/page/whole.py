"""The whole page of an analysis, or of scores alone."""

from scorch2.analysis.page.details import MOST_ROWS, details
from scorch2.analysis.page.documents import MOST, Entry, documents, figures_of
from scorch2.analysis.page.frame import Section, frame
from scorch2.analysis.page.markup import Html, joined, tag, text
from scorch2.analysis.page.overview import overview, scores
from scorch2.analysis.page.ranking import rank, ranking
from scorch2.analysis.page.tables_shown import plain
from scorch2.analysis.page.where import scores_by, where
from scorch2.analysis.report import ErrorReport
from scorch2.model.errors import Notice, counted
from scorch2.model.results import verdict_summary, verdict_table
from scorch2.scoring.report import Report

_HOW_TO_READ = (
    "Gold on the left, system on the right. One number is one gold entity; a system entity has the number "
    "and colour of the gold entity that it fits best, and a letter if it fits none."
)
_SCORES = "Scores of the corpus and of its documents."


def page(report: ErrorReport) -> str:
    """Return the page of an analysis that was asked for one."""
    title = "" if report.request.page is None else report.request.page.title
    numbers = {place: number for number, (place, _) in enumerate(report.scenes, start=1)}
    ranks = [one.score for one in report.page_evidence]
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    listed = dict.fromkeys([*order[:MOST], *numbers])
    entries = {place: _entry(report, place, numbers.get(place)) for place in listed}
    shown = [(entries[place], scene) for place, scene in report.scenes]
    sections = [
        Section("overview", "Overview", joined([_gates(report.report), overview(report)])),
        Section("where", "Where", where(report)),
        Section(
            "documents",
            "Documents",
            documents(
                report.report,
                [entries[place] for place in order[:MOST]],
                ranking(list(report.report.scores)),
                len(order[MOST:]),
                figures_of(report),
            ),
        ),
        Section("texts", "Texts", details(report, shown, _without_text(report))),
    ]
    return frame(title, _HOW_TO_READ, _signature(report.report), sections, has_texts=True)


def omissions(report: ErrorReport) -> list[Notice]:
    """Return a warning if the page leaves something out, with the way to get it."""
    texts, errors = _without_text(report), sum(len(scene.errors) for _, scene in report.scenes) - MOST_ROWS
    rows = len(report.page_evidence) - MOST
    parts = (
        [f"the text of {counted(texts, 'document')} (more with --text-tokens)"] * (texts > 0)
        + [f"the rows of {counted(errors, 'error')} (all: --list=errors)"] * (errors > 0)
        + [f"{counted(rows, 'document')} of the table (all: --report=json)"] * (rows > 0)
    )
    return [Notice("page", "", f"the page leaves out {', '.join(parts)}")] if parts else []


def page_of(found: ErrorReport, report: Report) -> str:
    """Return the page of an analysis with a report of scores in place of its own."""
    return page(found._replace(report=report._replace(settings=found.report.settings)))


def page_of_scores(report: Report) -> str:
    """Return the page of a report whose errors are not known: scores and documents."""
    name = ranking(list(report.scores))
    scored = [Entry(document, report.document_scores(document)) for document in report.documents]
    scored.sort(key=lambda entry: rank(entry.scores[name]))
    sections = [
        Section("overview", "Overview", joined([_gates(report), scores(report)])),
        Section(
            "where", "Where", joined(one for name in report.breakdown for one in scores_by(name, report))
        ),
        Section("documents", "Documents", documents(report, scored[:MOST], name, len(scored[MOST:]))),
    ]
    return frame("scorch2", _SCORES, _signature(report), sections, has_texts=False)


def _without_text(report: ErrorReport) -> int:
    """Return how many of the documents that were asked for have no text on the page."""
    return len(report.request.documents or report.page_evidence) - len(report.scenes)


def _signature(report: Report) -> str:
    return report.signature() if report.options.signature else ""


def _entry(report: ErrorReport, place: int, number: int | None) -> Entry:
    document = report.report.documents[place]
    found = report.report.document_scores(document)
    evidence = report.evidence[place]
    return Entry(document, found, evidence.tokens, evidence.counts, number)


def _gates(report: Report) -> Html:
    """Return the verdicts of gates, if there are any."""
    if not report.gates:
        return Html("")
    return joined(
        [tag("h3", text("Gates")), plain(verdict_summary(report.gates), verdict_table(report.gates))]
    )
