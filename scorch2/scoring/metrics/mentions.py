"""Metrics of mentions and words: found at all, by their words too, referring to nothing, or copied.

Mention detection: the mentions that are found at all, whatever their cluster.

Formula     R = shared mentions / gold mentions. P: over system mentions.
Units       mentions; 0..1.
Edge cases  no mention on a side: 0/0, undefined. A mention that is looked up counts once, as in coval.
Cost        O(cells).
Source      Pradhan et al. 2014, Scoring coreference partitions of predicted mentions, ACL, pp. 30-35.

Mention overlap: the words of mentions that are found, whatever mentions are said to be the same.

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

Non-referring mentions: those that refer to nothing and are found as such.

Formula     R = mentions that both sides call non-referring / those of gold. P: over those of the system.
Units       mentions; 0..1. They are the same only if they are equal, whatever ``--match`` says.
Edge cases  no such mention on a side, or a format that has none: 0/0, undefined.
Cost        O(non-referring mentions).
Source      Yu et al. 2022, The Universal Anaphora scorer, LREC, pp. 4873-4883.

Copied words: how much of the text a system copied, where it had to copy it.

Formula     R = gold words that the copy has, in order / gold words. It has no precision.
Units       words; 0..1. As many words as possible are counted, see `scorch2.scoring.matching.word_alignment`.
Edge cases  no word in gold: 0/0, undefined. Only with ``--align=text``.
Cost        that of the alignment, once for all metrics.
Source      scorch2.
"""

from typing import TYPE_CHECKING

from scorch2.model.score import Rate, Tally, recall_of
from scorch2.scoring.assignment import best_alignment
from scorch2.scoring.contingency import count_mentions
from scorch2.scoring.metrics.metric import ONLY, Metric

if TYPE_CHECKING:
    from scorch2.model.besides import Copying
    from scorch2.scoring.evidence import MentionWords, NonReferring

MENTIONS = Metric(
    "mentions",
    "Mentions",
    {ONLY: count_mentions},
    aliases=("mention", "md", "mention_detection"),
    source="Pradhan et al. 2014",
    papers=("pradhan-etal-2014",),
    table="mentions",
)


def count_words(mentions: "MentionWords") -> Tally:
    """Count the words in common of the best pairs of mentions."""
    words = mentions.counts()
    cells = words.overlaps
    shared = words.equal + sum([cells[position][2] for position in best_alignment(cells)])
    return Tally(shared, words.gold, shared, words.system)


MENTION_OVERLAP = Metric(
    "mention_overlap",
    "Mention overlap",
    {ONLY: count_words},
    aliases=("mor",),
    source="Žabokrtský et al. 2022",
    papers=("zabokrtsky-etal-2022",),
    evidence="scoring.evidence:find_words",
)


def count_non_referring(mentions: "NonReferring") -> Tally:
    """Count the mentions that are non-referring on both sides."""
    found = len(mentions.gold & mentions.system)
    return Tally(found, len(mentions.gold), found, len(mentions.system))


NON_REFERRING = Metric(
    "non_referring",
    "Non-referring",
    {ONLY: count_non_referring},
    aliases=("non-referring",),
    source="Yu et al. 2022",
    papers=("yu-etal-2022",),
    evidence="scoring.evidence:find_non_referring",
)


def count_copied(copying: "Copying") -> Tally:
    """Count the words of gold, and those that were copied."""
    return Tally(copying.copied, copying.words, 0, 0)


COPIED = Metric(
    "copied",
    "Copied words",
    {ONLY: count_copied},
    source="scorch2",
    divide=recall_of,
    gives=Rate,
    evidence="scoring.evidence:find_copying",
)
