"""Parts of `score` that a run without options does not need: usage, breakdowns, pages, ``--verbose``."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from scorch2.analysis.table import DIMENSIONS
from scorch2.cli import commands, console, options, usage
from scorch2.cli.dispatch import Command, check_first_word
from scorch2.cli.options import deliver
from scorch2.formats import COMPRESSED
from scorch2.model.errors import UsageError, counted, quoted
from scorch2.model.forms import FORMS, forms_of, forms_with_classes
from scorch2.model.settings import OfClasses
from scorch2.scoring.flow import Outcome, Scored, Watch
from scorch2.scoring.metrics import DEFAULT, METRICS
from scorch2.scoring.remarks import origin_in_words
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.scoring.pairing.files import Origin


_INPUTS = (
    "files or folders, whose files pair by path, or - for standard input on one side; formats are detected "
    f"(scorch2 help formats), also in {', '.join(COMPRESSED)}"
)
_OTHERS = ", ".join(name for name in METRICS if name not in DEFAULT)
_METRICS = f"{', '.join(DEFAULT)} (these are the default), {_OTHERS}, or all (those about clusters)"
USAGE = f"""Score coreference output against gold: MUC, B³, CEAF_m, CEAF_e, BLANC, LEA, CoNLL average.

Usage:
  scorch2 [score] [options] [--] <gold> <sys> [<out-file>]

{usage.option_lines("<gold> <sys>", _INPUTS, 16)}
  <out-file>    where the report goes; standard output if absent or -: on a terminal as a table

Report:
{usage.option_lines("-m, --metric=<name>", f"metrics, separated by commas (repeatable): {_METRICS}")}
{usage.REPORT_USAGE}  --no-hashes               leave the SHA-256 of documents out of JSON
{usage.by_usage()}
{usage.TYPES_USAGE}
{usage.confidence_options()}
{usage.setting_options("resample")}

{usage.SCORING_USAGE}

{usage.GATE_USAGE}
Speed:
{usage.WORKER_USAGE}

Other:
  -q, --quiet               no warnings, no progress bar
  -v, --verbose             say what was read, how mentions matched, and what was copied
{usage.other_options(version=True)}

{usage.exit_statuses("0 done, 1 a gate failed, 2 error")}
"""
CHOICES = {"--format": forms_of("scores"), "--by": DIMENSIONS}


def parse_options(words: Sequence[str]) -> dict[str, Any]:
    """Return what is typed, where there are options."""
    _refuse_late_command(words)
    return usage.parse_words(USAGE, words)


def run_with_extras(asked: options.Asked, watch: Watch) -> int:
    """Score as it is `asked` for, with analysis or account, and return the exit status."""
    account = Account(watch)
    watch = account.watch if asked.verbose else watch
    report = (
        asked.score(*asked.paths, asked.options, watch) if asked.analysis is None else analysed(asked, watch)
    )
    status = deliver(report, asked.delivery)
    if asked.verbose:
        console.say_all(f"scorch2: {line}" for line in account.lines(report))
    return status


class Account:
    """The lines of ``--verbose``: what was read, how mentions matched, and what was copied."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch
        self._origins: Counter[Origin] = Counter()
        self._ways: Counter[str] = Counter()

    def watch(self, outcomes: Iterable[Outcome], total: int) -> Iterator[Outcome]:
        """Yield the outcomes as they are."""
        for outcome in self._watch(outcomes, total):
            if isinstance(outcome, Scored):
                self._origins[outcome.origin] += 1
                self._ways.update(outcome.ways)
            yield outcome

    def lines(self, report: Report) -> Iterator[str]:
        """Yield what was read, how mentions were paired, what was copied, and the signature."""
        for origin, number in self._origins.items():
            yield f"read {counted(number, 'document')}: {origin_in_words(origin)}"
        if self._ways:
            made = ", ".join(f"{number} {way}" for way, number in self._ways.items())
            yield f"{counted(sum(self._ways.values()), 'pair')} of mentions: {made}"
        if report.options.align == "text":
            from scorch2.model.besides import account

            for document in report.documents:
                if document.copying is not None:
                    yield f"{quoted(document.id)}: {account(document.copying)}"
        yield report.signature()


def _refuse_late_command(words: Sequence[str]) -> None:
    """Say so if the first path is the name of a command, or of a metric; options may be unknown here."""
    typed: Sequence[str] = ()
    paths: Sequence[str] = ()
    try:
        typed, paths = usage.split_words(USAGE, words)
        first = paths[:1]
    except UsageError:
        first = [word for word in words if word in commands.COMMANDS and _takes(word, words)]
        if not first or os.path.lexists(first[0]):
            raise
    if first and first[0] in commands.COMMANDS and not os.path.lexists(first[0]):
        raise UsageError(f"the command comes first: scorch2 {first[0]} ...") from None
    if (
        first
        and not os.path.lexists(first[0])
        and any(option.startswith("--metric=") for option in typed)
        and any(first[0].casefold() in (name, *metric.aliases) for name, metric in METRICS.items())
    ):
        raise UsageError(f"commas separate metrics: -m <name>,{first[0]} (as a path: ./{first[0]})")
    if len(paths) > 2:  # noqa: PLR2004 - else the second would be complained of, as what a report replaces
        check_first_word(paths[0])


def _takes(name: str, words: Sequence[str]) -> bool:
    try:
        usage.split_words(Command(name).usage, words)
    except UsageError:
        return False
    return True


def breakdown_request(given: dict[str, Any], asked: options.Delivery) -> "AnalysisRequest":
    """Return how scores are broken down, as options, gates or a page ask for it."""
    from scorch2.analysis.error_report import AnalysisRequest, PageRequest
    from scorch2.api.requests import WORDS, breakdown_rules, checked_settings

    gated = [limit.of.dimension for limit in asked.thresholds if limit.of is not None]
    has_page = any(FORMS[target.form].is_page for target in asked.targets)
    settings = checked_settings(WORDS, OfClasses, given)
    by = [*settings["by"], *gated]
    rules = breakdown_rules(WORDS, by, settings)
    if not (by or has_page):
        raise UsageError("--types needs --by or -f html")
    if given.get("--by") and not any(FORMS[target.form].has_classes for target in asked.targets):
        raise UsageError(f"--by shows in {', '.join(forms_with_classes())}: choose one of them with -f")
    gold, system = given["<gold>"], given["<sys>"]
    page = PageRequest(f"{system} against {gold}", systems=(system, ""), gold=gold) if has_page else None
    return AnalysisRequest(**rules, page=page)


def analysed(asked: options.Asked, watch: Watch) -> Report:
    """Score two paths by classes of mentions, or with a page of their errors, if these can be analysed."""
    wanted, score = asked.analysis, partial(asked.score, *asked.paths, asked.options)
    assert wanted is not None  # noqa: S101 - for type checkers
    if wanted.page is None:
        from scorch2.analysis.corpus import classified

        return classified(score, watch, wanted)
    # If the metrics are typed, the page shows what errors cost by each of them
    from scorch2.analysis import corpus, findings
    from scorch2.reports.page.documents import page_of
    from scorch2.scoring.metrics.chosen import metrics_named

    if findings.obstacle(asked.options) and not wanted.by:
        return score(watch)  # the page then has scores alone

    names = metrics_named(asked.options.metrics or DEFAULT)
    few = () if asked.delivery.metrics else [name for name in corpus.GAINS if name in names]
    gold, path = asked.paths
    system = corpus.system_of(asked.score, gold, asked.options, watch, path)
    analysis = corpus.analysed(system, None, wanted, corpus.ShownMetrics(names, few or names))
    settings = analysis.report.settings if wanted.by else ()
    return analysis.report._replace(settings=settings, page=partial(page_of, analysis))
