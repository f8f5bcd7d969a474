"""The averages: ways to compute the score of a corpus from its documents."""

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from scorch2.model.tally import Measured


class Weights(NamedTuple):
    """The weights of one document in the means of recall, precision and F1."""

    recall: int
    precision: int
    f1: int


def mention_weights(document: Measured) -> Weights:
    """Weigh R, P and F by the number of gold, system, and gold + system mentions (scorch's average)."""
    gold, system = document.gold_mentions, document.system_mentions
    return Weights(gold, system, gold + system)


def equal_weights(_: Measured) -> Weights:
    """Weigh every document alike."""
    return Weights(1, 1, 1)


class Average(NamedTuple):
    """A way to compute the score of a corpus from its documents."""

    what: str
    """Its description in captions."""
    weigh: Callable[[Measured], Weights] | None
    """Returns the weights of a document; None means: add counts up and divide once."""
    by_file: bool = False
    """Whether the counts of the documents of a file are added first, so that files are weighed."""

    @property
    def weighs_empty(self) -> bool:
        """True if a document without mentions has weight, so that it changes the score of a corpus."""
        return self.weigh is not None and any(self.weigh(Measured("", 0, 0, ())))


AverageName = Literal["mentions", "pooled", "macro", "files", "micro"]
"""The names of the rows below, for type checkers: the values of the option ``average``, the default first.

Other spellings of a value come last: see ``aliases`` in `scorch2.model.choices`.
"""
AVERAGES: Mapping[str, Average] = {
    "mentions": Average("mean over documents, weighted by their mentions", mention_weights),
    "pooled": Average("counts added over documents, then divided", None),
    "macro": Average("plain mean over documents", equal_weights),
    "files": Average(
        "counts added in each pair of files, then the plain mean over files", equal_weights, by_file=True
    ),
}
"""The averages by name."""
