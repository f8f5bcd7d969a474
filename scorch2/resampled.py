"""What the commands `confidence` and `significance` have in common: options, checks, remarks."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from scorch2 import engine
from scorch2.errors import Notice, UsageError
from scorch2.messages import counted, known
from scorch2.metrics import named
from scorch2.options import CHOICES, Options, options
from scorch2.quantities import percent, whole
from scorch2.report import Report
from scorch2.resampling.bootstrap import FEW
from scorch2.tally import PARTS

USAGE = f"""\
  -m, --metric=<name>       a metric (repeatable), by default those of scorch2 score
  --metrics=<list>          precision,recall,fscore: what is shown of each
  -n, --trials=<n>          how often documents are drawn (default 2500)
  --seed=<n>                where the random numbers start (default 0)
  --average=<how>           mentions, pooled, macro: as in scorch2 score, and so are:
  --missing=<what>          error, empty, skip
  --extra=<what>            error, skip
  --duplicates=<what>       error, first, merge
  --singletons=<what>       keep, drop
  --twinless=<what>         keep, singletons
  --blanc=<rule>            gold, reference
  --profile=<name>          scorch, conll
  --gold-format=<name>      clusters, graph, jsonlines, conll
  --sys-format=<name>       the same for the systems
{engine.USAGE}"""
TRIALS = 2500
_PARTS = {"fscore": "f1", "f": "f1", "r": "recall", "p": "precision", **{part: part for part in PARTS}}
_DEFAULT_PARTS = ("precision", "recall", "f1")


class Resampled(NamedTuple):
    """What the options ask for."""

    options: Options
    parts: tuple[str, ...]
    trials: int
    seed: int
    form: str
    score: engine.Engine


def wanted(given: dict[str, Any], formats: Sequence[str]) -> Resampled:
    """Return what the options of `USAGE` ask for, checked.

    Raises
    ------
    UsageError
        For values that make no sense, and for options of scoring without gold.
    """
    typed = {name: given[f"--{name}"] for name in (*CHOICES, "profile", "gold-format", "sys-format")}
    if given["--gold"] is None:
        for name, value in typed.items():
            if value is not None:
                raise UsageError(f"--{name} needs --gold: a stored report is scored already")
    chosen = options(
        given["--profile"],
        **{name: given[f"--{name}"] for name in CHOICES},
        metrics=named(given["--metric"]) or None,
        gold_format=given["--gold-format"],
        sys_format=given["--sys-format"],
    )
    form = formats[0] if given["--format"] is None else given["--format"]
    if form not in formats:
        raise UsageError(known(form, "format", formats))
    trials = whole(given["--trials"], "--trials", TRIALS, least=1)
    return Resampled(
        chosen,
        _parts(given["--metrics"]),
        trials,
        whole(given["--seed"], "--seed", 0, least=0),
        form,
        engine.wanted(given),
    )


def percentiles(text: str | None) -> list[float]:
    """Return levels in percent, lowest first."""
    return sorted(
        {percent(word, "--percentiles") for word in ("90,95,99" if text is None else text).split(",")}
    )


def remarks(report: Report) -> list[Notice]:
    """Return a warning if there are too few documents to say much."""
    documents = len(report.documents)
    coarse = f"trials over {counted(documents, 'document')} are coarse (less than {FEW})"
    return [Notice("confidence", "", coarse)] if documents < FEW else []


def _parts(text: str | None) -> tuple[str, ...]:
    if text is None:
        return _DEFAULT_PARTS
    for word in text.split(","):
        if word not in _PARTS:
            raise UsageError(known(word, "part of a score", ("precision", "recall", "fscore")))
    return tuple(dict.fromkeys(_PARTS[word] for word in text.split(",")))
