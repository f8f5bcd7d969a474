"""Calibration: p-values are uniform where systems are alike, intervals hold the truth as often as they say.

Simulated systems find each gold mention of a document with the same probability; documents differ in size and
in difficulty. The truth is known then, and so is that no difference of two such systems is real.

    python tests/campaigns/calibration.py --pairs=1000 --seed=0

Ends with 1 if two-sided p-values fail a Kolmogorov-Smirnov test at 0.001, or 95 % intervals cover the truth
in less than 93 or more than 97 % of the runs.
"""

import argparse
import sys

import numpy as np
from numpy.random import Generator
from scipy import stats

from scorch2.model.options import options_from
from scorch2.model.score import Measured, Tally
from scorch2.resampling.bootstrap import confidence
from scorch2.resampling.permutation import paired, permutation
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import to_count
from scorch2.scoring.report import Report, report_of

DOCUMENTS = 100
TRIALS = 999
LEVEL = 95.0
LIMITS = (0.93, 0.97)
LEAST_P = 0.001
EASE = (8, 4)
"""Of the beta distribution of how likely a mention of a document is found: 2/3 on average."""


def simulated(random: Generator, gold: list[int], ease: list[float], average: str) -> Report:
    """Return the report of a system that finds each mention of document i with probability ``ease[i]``."""
    metrics = to_count(["mentions"])
    documents = []
    for number, (mentions, chance) in enumerate(zip(gold, ease, strict=True)):
        found = int(random.binomial(mentions, chance))
        said = found + int(random.poisson(2))
        documents.append(Measured(f"d{number}", mentions, said, ((Tally(found, mentions, found, said),),)))
    return report_of([METRICS["mentions"]], metrics, documents, options_from(average=average), [])


def corpus(random: Generator) -> tuple[list[int], list[float]]:
    """Draw the size and the ease of every document."""
    sizes = [int(size) for size in 5 + random.geometric(0.05, DOCUMENTS)]
    return sizes, [float(chance) for chance in random.beta(*EASE, DOCUMENTS)]


def p_values(pairs: int, seed: int, average: str) -> list[float]:
    """Return the two-sided p-value of F1 for pairs of systems that are alike."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(pairs):
        sizes, ease = corpus(random)
        one, other = (simulated(random, sizes, ease, average) for _ in range(2))
        tested = permutation(paired(one, other), TRIALS, number)
        found.append(tested["mentions"]["f1"].p or 0.0)
    return found


def coverage(runs: int, seed: int, average: str) -> float:
    """Return how often the interval of recall holds the share of mentions found in the long run."""
    random = np.random.default_rng(seed)
    truth = EASE[0] / sum(EASE)
    held = 0
    for number in range(runs):
        report = simulated(random, *corpus(random), average)
        low, high = confidence(report, LEVEL, TRIALS, number).intervals["mentions"]["recall"] or (0, 0)
        held += low <= truth <= high
    return held / runs


def main() -> int:
    """Run the campaign for every average and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    good = True
    for average in ("mentions", "pooled", "macro"):
        uniform = stats.kstest(p_values(given.pairs, given.seed, average), "uniform").pvalue
        share = coverage(given.pairs, given.seed + 1, average)
        fine = uniform > LEAST_P and LIMITS[0] <= share <= LIMITS[1]
        good = good and fine
        print(
            f"{average}: Kolmogorov-Smirnov p = {uniform:.4f} (more than {LEAST_P}), "
            f"{LEVEL:g} % intervals hold the truth in {100 * share:.1f} % (93 to 97): "
            f"{'fine' if fine else 'NOT FINE'}"
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
