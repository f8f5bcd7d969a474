"""scorch2 score: two paths in, one report out."""

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from scorch2.analysis.table import DIMENSIONS, TYPES_HOW
from scorch2.cli import arguments, commands, console, delivery, options, output
from scorch2.formats.compressed import COMPRESSIONS
from scorch2.model.errors import UsageError, counted, quoted
from scorch2.model.forms import FORMS, PAPERS, forms_of, forms_with_classes
from scorch2.model.options import Options, separated
from scorch2.model.profiles import metrics_of
from scorch2.scoring.flow import Outcome, Scored, Watch
from scorch2.scoring.metrics import DEFAULT, METRICS
from scorch2.scoring.metrics.chosen import chosen_metrics, metric_row
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.pairing.files import Origin
from scorch2.scoring.provenance import origin_in_words
from scorch2.scoring.report import Report
from scorch2.workers.engine import Engine

if TYPE_CHECKING:
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.scoring.flow import Measure

_INPUTS = (
    "files or folders, whose files pair by path, or - for standard input on one side; formats are detected "
    f"(scorch2 help formats), also in {', '.join(COMPRESSIONS)}"
)
_OTHERS = ", ".join(name for name in METRICS if name not in DEFAULT)
_METRICS = f"{', '.join(DEFAULT)} (these are the default), {_OTHERS}, or all (those about clusters)"
USAGE = f"""Score coreference output against gold: MUC, B³, CEAF_m, CEAF_e, BLANC, LEA, CoNLL average.

Usage:
  scorch2 [score] [options] [--] <gold> <sys> [<out-file>]

{arguments.option_lines("<gold> <sys>", _INPUTS, 16)}
  <out-file>    where the report goes; standard output if absent or -: on a terminal as a table

Report:
{arguments.option_lines("-m, --metric=<name>", f"metrics, separated by commas (repeatable): {_METRICS}")}
{delivery.REPORT_USAGE}  --no-hashes               leave the SHA-256 of documents out of JSON
{options.BY_USAGE}
{options.TYPES_USAGE}
{delivery.CONFIDENCE_USAGE}{arguments.resample_option()}

{options.SCORING_USAGE}

{options.GATE_USAGE}
Speed:
{options.WORKER_USAGE}

Other:
  -q, --quiet               no warnings, no progress bar
  -v, --verbose             say what was read, how mentions matched, and what was copied
{arguments.other_options(version=True)}

{arguments.exit_statuses("0 done, 1 a gate failed, 2 error")}
"""
CHOICES = {"--format": forms_of("scores"), "--latex": PAPERS, "--by": DIMENSIONS, "--types": TYPES_HOW}


def run(words: Sequence[str]) -> int:
    """Score what `words` ask for and return the exit status."""
    _refuse_late_command(words)
    given = arguments.parse_words(USAGE, words)
    gold, system = given["<gold>"], given["<sys>"]

    def find(name: str) -> AnyMetric:
        return metric_row(name, options.typed_options(given, None).choices)

    asked = delivery.delivery_request(given, (gold, system), find, usual=_usual_form(given))
    gated = [limit.metric for limit in asked.gates.thresholds if limit.of is None]
    if given["--resample"] is not None and asked.level is None:
        raise UsageError("--resample needs --confidence")
    hashes = asked.writes_json and not given["--no-hashes"]
    metrics = _metrics(given, gated)
    chosen = options.typed_options(given, metrics, resample=given["--resample"], hashes=hashes)
    delivery.check_order(asked, chosen.metrics or DEFAULT)
    wanted = _request(given, asked)
    score = options.chosen_engine(given)
    seen: Counter[Origin] = Counter()
    ways: Counter[str] = Counter()

    def watch(outcomes: Iterable[Outcome], total: int) -> Iterable[Outcome]:
        shown = outcomes if given["--quiet"] else console.progress(outcomes, total)
        return _counting(shown, seen, ways) if given["--verbose"] else shown

    if wanted is None:
        report = score(gold, system, chosen, watch)
    elif wanted.page is None:
        from scorch2.analysis.corpus import classified

        report = classified(partial(score, gold, system, chosen), watch, wanted)
    else:
        are_typed = bool(given["--metric"])
        report = _scored_with_page(score, (gold, system), chosen, watch, wanted, are_typed=are_typed)
    status = delivery.deliver(report, asked)
    if given["--verbose"]:
        for line in _account(report, seen, ways):
            console.say(f"scorch2: {line}")
    return status


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


def _usual_form(given: dict[str, Any]) -> str | None:
    """Return the form of the report where nothing names one; None for the text that scripts read."""
    is_read = output.report_path(given) in (None, output.STDOUT) and output.terminal_width() is not None
    is_table = given["--by"] or (is_read and given["--profile"] != "scorch")
    return "table" if is_table else None


def _refuse_late_command(words: Sequence[str]) -> None:
    """Say so if the first path is the name of a command, or of a metric; options may be unknown here."""
    typed_words: Sequence[str] = ()
    try:
        typed_words, paths = arguments.split_words(USAGE, words)
        first = paths[:1]
    except UsageError:
        first = [word for word in words if word in commands.COMMANDS and _takes(word, words)]
        if not first or os.path.lexists(first[0]):
            raise
    if first and first[0] in commands.COMMANDS and not os.path.lexists(first[0]):
        raise UsageError(f"the command comes first: scorch2 {first[0]} ...") from None
    named = any(option.startswith("--metric=") for option in typed_words)
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


def _counting(outcomes: Iterable[Outcome], seen: Counter[Origin], ways: Counter[str]) -> Iterator[Outcome]:
    for outcome in outcomes:
        if isinstance(outcome, Scored):
            seen[outcome.origin] += 1
            ways.update(outcome.ways)
        yield outcome


def _metrics(given: dict[str, Any], gated: Sequence[str]) -> tuple[str, ...] | None:
    """Return what is asked for and what is gated; None leaves it to the profile."""
    if not (given["--metric"] or gated):
        return None
    return chosen_metrics([*(given["--metric"] or metrics_of(given["--profile"], DEFAULT)), *gated])


def _request(given: dict[str, Any], asked: delivery.Delivery) -> "AnalysisRequest | None":
    """Return how scores are broken down; None if neither options nor gates nor a page ask for it."""
    gated = [limit.of.dimension for limit in asked.gates.thresholds if limit.of is not None]
    by = [*separated(given["--by"]), *gated]
    has_page = any(FORMS[target.form].is_page for target in asked.targets)
    if not (by or has_page) and given["--types"] is None and given["--genre"] is None:
        return None
    from scorch2.analysis.breakdown import genre_pattern
    from scorch2.analysis.error_report import AnalysisRequest, PageRequest
    from scorch2.api.requests import WORDS, breakdown_rules

    rules = breakdown_rules(WORDS, by, **options.typed(given, ("types", "genre")))
    if not (by or has_page):
        raise UsageError("--types needs --by or -f html")
    if given["--by"] and not any(FORMS[target.form].has_classes for target in asked.targets):
        raise UsageError(f"--by shows in {', '.join(forms_with_classes())}: choose one of them with -f")
    genre_pattern(given["--genre"], "--genre")
    page = PageRequest(f"{given['<sys>']} against {given['<gold>']}") if has_page else None
    return AnalysisRequest(**rules, page=page)


def _scored_with_page(  # noqa: PLR0913 - those of an engine, and what is asked
    score: Engine,
    paths: tuple[str, str],
    chosen: Options,
    watch: Watch,
    wanted: "AnalysisRequest",
    *,
    are_typed: bool,
) -> Report:
    """Score two paths and analyse their errors, if that is possible; the report can write its page."""
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
