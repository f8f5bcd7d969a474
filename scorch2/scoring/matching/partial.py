"""System mentions inside a gold mention that hold its minimum (its head), weighed by their share."""

from collections import defaultdict
from collections.abc import Sequence

from scorch2.model.markables import Markable, Word
from scorch2.scoring.matching.best_pairs import Weights


def candidates(gold: Sequence[Markable], system: Sequence[Markable]) -> Weights:
    """Return the weights of the pairs of which the system mention is a part of the gold mention."""
    by_word: dict[Word, list[int]] = defaultdict(list)
    for row, mention in enumerate(gold):
        if mention.minimum:
            by_word[min(mention.minimum)].append(row)
    found = {}
    for column, mention in enumerate(system):
        words = set(mention.words)
        for word in mention.words:
            for row in by_word.get(word, ()):
                if gold[row].minimum <= words and words.issubset(gold[row].words):
                    found[row, column] = len(words) / len(gold[row].words)
    return found
