"""scorch2 score: two paths in, one report out."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from scorch2.cli import console, options, output
from scorch2.cli.commands import COMMANDS
from scorch2.cli.options import deliver
from scorch2.model.errors import UsageError, enumerated
from scorch2.scoring.flow import unwatched
from scorch2.scoring.metrics import DEFAULT
from scorch2.scoring.metrics.chosen import chosen_metrics, metric_row

_PLACES = ("<gold>", "<sys>", "<out-file>")
_BROKEN_DOWN = ("--by", "--types", "--genre")


def __getattr__(name: str) -> Any:
    """Return `USAGE` or `CHOICES`: they read many tables, and a run without options needs neither."""
    if name not in ("USAGE", "CHOICES"):
        raise AttributeError(name)
    from scorch2.cli import score_extras

    return getattr(score_extras, name)


def run(given: dict[str, Any]) -> int:
    """Score what `given` asks for and return the exit status."""
    asked = asked_of(given)
    watch = unwatched if asked.delivery.quiet else console.progress
    if asked.analysis is None and not asked.verbose:
        return deliver(asked.score(*asked.paths, asked.options, watch), asked.delivery)
    from scorch2.cli.score_extras import run_with_extras

    return run_with_extras(asked, watch)


def asked_of(given: dict[str, Any]) -> options.Asked:
    """Return what `given` asks for."""
    paths, resample = (given["<gold>"], given["<sys>"]), given.get("--resample")
    chosen = options.typed_options(given, None, resample=resample)
    find = partial(metric_row, choices=chosen.choices)
    asked = options.delivery_request(given, paths, find, usual=_usual_form(given))
    if resample is not None and asked.sampling.level is None:
        raise UsageError("--resample needs --confidence")
    named = [limit.metric for limit in asked.thresholds if limit.of is None]
    if given.get("--metric") or named:
        named = [*(given.get("--metric") or chosen.metrics or DEFAULT), *named]
        chosen = chosen._replace(metrics=chosen_metrics(named))
    scored = chosen.metrics or DEFAULT
    if asked.sort not in (None, *scored):
        raise UsageError(f"--sort={asked.sort} is not scored (add it to -m; scored: {enumerated(scored)})")
    chosen = chosen._replace(hashes=asked.writes_json and not given.get("--no-hashes"))
    analysis = None
    if asked.needs_analysis or any(given.get(name) not in (None, []) for name in _BROKEN_DOWN):
        from scorch2.cli.score_extras import breakdown_request

        analysis = breakdown_request(given, asked)
    engine = options.chosen_engine(given)
    return options.Asked(paths, chosen, asked, engine, analysis, bool(given.get("--verbose")))


def parse(words: Sequence[str]) -> dict[str, Any]:
    """Return what is typed, by its name in the usage text; of options only those that are there may be."""
    # Two or three paths need no usage text, whose tables take a tenth of a small run to load
    is_plain = len(words) in (2, 3) and not any(word.startswith("-") and word != "-" for word in words)
    if is_plain and words[0] not in COMMANDS:
        return {**dict(zip(_PLACES, words, strict=False)), "--format": None}
    from scorch2.cli.score_extras import parse_options

    return parse_options(words)


def _usual_form(given: dict[str, Any]) -> str | None:
    """Return the form of the report where nothing names one; None for the text that scripts read."""
    is_read = output.report_path(given) in (None, output.STDOUT) and output.terminal_width() is not None
    is_table = given.get("--by") or (is_read and given.get("--profile") != "scorch")
    return "table" if is_table else None
