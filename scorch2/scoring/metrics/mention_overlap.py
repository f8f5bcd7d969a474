"""Mention overlap: the words of mentions that are found, whatever mentions are said to be the same.

Formula     R = max over one-to-one alignments of mentions of Σ words that an aligned pair shares / Σ words of
            the gold mentions. P: same numerator, over the words of the system mentions.
Units       words, empty nodes included, or what else spans count (characters with ``--align=characters``);
            0..1. A word counts once for each mention that holds it.
Edge cases  no mention on a side: 0/0, undefined. Clusters do not matter, but singletons that are dropped do;
            a mention in two clusters counts twice. `--match` and `--zeros` change nothing, but for zeros that
            are dropped and a span that a cluster has with two heads under ``--match=head``.
Cost        O(m log m + p) for m pieces of mentions and p pairs that share words, and that of CEAF, see
            `scorch2.scoring.assignment`.
Source      Žabokrtský et al. 2022, Findings of the shared task on multilingual coreference resolution, CRAC,
            pp. 1-17 (MOR).
"""

from typing import TYPE_CHECKING

from scorch2.model.tally import Tally
from scorch2.scoring.assignment import best_alignment
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.scoring.evidence.words import WordCounts


def count(words: "WordCounts") -> Tally:
    """Count the words in common of the best pairs of mentions."""
    cells = words.overlaps
    shared = words.equal + sum([cells[position][2] for position in best_alignment(cells)])
    return Tally(shared, words.gold, shared, words.system)


METRIC = Metric(
    "mention_overlap",
    "Mention overlap",
    {ONLY: count},
    aliases=("mor",),
    source="Žabokrtský et al. 2022",
    evidence="words",
)
