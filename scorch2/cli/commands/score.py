"""scorch2 score: two paths in, one report out."""

from collections.abc import Iterable, Sequence
from typing import Any

from scorch2.cli import console, delivery, options, output
from scorch2.cli.commands import COMMANDS
from scorch2.model.errors import UsageError
from scorch2.scoring.flow import Outcome
from scorch2.scoring.metrics import DEFAULT
from scorch2.scoring.metrics.chosen import chosen_metrics, metric_row
from scorch2.scoring.metrics.metric import AnyMetric

_PLACES = ("<gold>", "<sys>", "<out-file>")
_BROKEN_DOWN = ("--by", "--types", "--genre")


def __getattr__(name: str) -> Any:
    """Return `USAGE` or `CHOICES`: they read many tables, and a run without options needs neither."""
    if name not in ("USAGE", "CHOICES"):
        raise AttributeError(name)
    from scorch2.cli import score_usage

    return getattr(score_usage, name)


def run(words: Sequence[str]) -> int:
    """Score what `words` ask for and return the exit status."""
    given = typed(words)
    paths = given["<gold>"], given["<sys>"]

    def find(name: str) -> AnyMetric:
        return metric_row(name, options.typed_options(given, None).choices)

    asked = delivery.delivery_request(given, paths, find, usual=_usual_form(given))
    if given.get("--resample") is not None and asked.sampling.level is None:
        raise UsageError("--resample needs --confidence")
    metrics = _metrics(given, [limit.metric for limit in asked.thresholds if limit.of is None])
    hashes = asked.writes_json and not given.get("--no-hashes")
    chosen = options.typed_options(given, metrics, resample=given.get("--resample"), hashes=hashes)
    delivery.check_order(asked, chosen.metrics or DEFAULT)
    score = options.chosen_engine(given)
    account = wanted = None
    if given.get("--verbose"):
        from scorch2.cli.score_extras import Account

        account = Account()
    if asked.needs_analysis or any(given.get(name) is not None for name in _BROKEN_DOWN):
        from scorch2.cli.score_extras import breakdown_request

        wanted = breakdown_request(given, asked)

    def watch(outcomes: Iterable[Outcome], total: int) -> Iterable[Outcome]:
        shown = outcomes if asked.quiet else console.progress(outcomes, total)
        return shown if account is None else account.watch(shown)

    if wanted is None:
        report = score(*paths, chosen, watch)
    else:
        from scorch2.cli.score_extras import analysed

        report = analysed(score, paths, chosen, watch, wanted, are_typed=bool(given.get("--metric")))
    status = delivery.deliver(report, asked)
    if account is not None:
        account.say(report)
    return status


def typed(words: Sequence[str]) -> dict[str, Any]:
    """Return what is typed, by its name in the usage text; of options only those that are there may be."""
    # Two or three paths need no usage text, whose tables take a tenth of a small run to load
    is_plain = len(words) in (2, 3) and not any(word.startswith("-") and word != "-" for word in words)
    if is_plain and words[0] not in COMMANDS:
        return {**dict(zip(_PLACES, words, strict=False)), "--format": None}
    from scorch2.cli.score_extras import typed_words

    return typed_words(words)


def _usual_form(given: dict[str, Any]) -> str | None:
    """Return the form of the report where nothing names one; None for the text that scripts read."""
    is_read = output.report_path(given) in (None, output.STDOUT) and output.terminal_width() is not None
    is_table = given.get("--by") or (is_read and given.get("--profile") != "scorch")
    return "table" if is_table else None


def _metrics(given: dict[str, Any], gated: Sequence[str]) -> tuple[str, ...] | None:
    """Return what is asked for and what is gated; None leaves it to the profile."""
    if not (given.get("--metric") or gated):
        return None
    from scorch2.model.profiles import metrics_of

    return chosen_metrics([*(given.get("--metric") or metrics_of(given.get("--profile"), DEFAULT)), *gated])
