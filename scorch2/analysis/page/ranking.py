"""The order of documents on the page: the lowest score first."""

import math
from collections.abc import Sequence

from scorch2.model.options import Options
from scorch2.model.score import AnyScore, Measured, main_part
from scorch2.scoring.averages import averaged
from scorch2.scoring.flow import counted_metrics
from scorch2.scoring.metrics import DEFAULT, METRICS

WHERE = ("type", "size", "sentences", "mentions", "text")
"""The dimensions that the page shows if they are known; `mentions` only where `sentences` say nothing."""


def ranking(names: Sequence[str]) -> str:
    """Return the metric that documents are ordered by: CoNLL, LEA, or the first one that is scored."""
    others = [name for name in names if name != "mentions"]
    return next(name for name in ("conll", "lea", *others, *names) if name in names)


def score_of(measured: Measured, options: Options) -> float:
    """Return the score of a document that it is ordered by; infinite if it is 0/0."""
    name = ranking(options.metrics or DEFAULT)
    scores = averaged([METRICS[name]], counted_metrics(options), [measured], options).scores
    return rank(scores[name])


def rank(score: AnyScore) -> float:
    """Return a score that documents are ordered by; infinite if it is 0/0."""
    value = main_part(score)
    return value if value.defined else math.inf
