"""Calibration: p-values are uniform where systems are alike, intervals hold the truth as often as they say.

Simulated systems find each gold mention of a document with the same probability; documents differ in size and
in difficulty. The truth is known then, and so is that no difference of two such systems is real.

The p-values of such pairs are uniform whatever way systems are scored: from files, by `CorefScorer`, from
stored reports, by scorers that are merged. So a way that pairs other documents than the same ones is found.

Books are simulated, too: one text in whose passages characters are mentioned, with passages that are harder.
Intervals over windows hold the mean score of such books, for metrics whose counts are no sums over windows.

    python tests/campaigns/calibration.py --pairs=1000 --ways=300 --books=200 --seed=0

Ends with 1 if two-sided p-values fail a Kolmogorov-Smirnov test at 0.001, 95 % intervals cover the truth in
less than 93 or more than 97 % of the runs, those over windows do in less than 90 %, or p <= 0.05 for systems
of one book that are alike in more than 10 %.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.random import Generator
from scipy import stats

import scorch2
from scorch2.analysis.bootstrap import confidence
from scorch2.analysis.paired_tests import differences_of, paired
from scorch2.model.document import Document, spans
from scorch2.model.options import options_from
from scorch2.model.score import Measured, Sampling, Tally
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.chosen import to_count
from scorch2.scoring.report import Report, report_of

DOCUMENTS = 100
TRIALS = 999
LEVEL = 95.0
LIMITS = (0.93, 0.97)
LEAST_P = 0.001
SMALL = 0.05
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
        differences = differences_of(paired(one, other), Sampling(None, TRIALS, number))
        found.append(differences["mentions"]["f1"].p or 0.0)
    return found


def coverage(runs: int, seed: int, average: str) -> float:
    """Return how often the interval of recall holds the share of mentions found in the long run."""
    random = np.random.default_rng(seed)
    truth = EASE[0] / sum(EASE)
    held = 0
    for number in range(runs):
        report = simulated(random, *corpus(random), average)
        low, high = confidence(report, Sampling(LEVEL, TRIALS, number)).intervals["mentions"]["recall"] or (
            0,
            0,
        )
        held += low <= truth <= high
    return held / runs


Clusters = list[list[str]]
TEXTS = 30


def drawn_gold() -> list[Clusters]:
    """Return the gold clusters of every text. All texts have one size: only their names tell them apart."""
    return [[[f"{text}.{entity}.{i}" for i in range(4)] for entity in range(5)] for text in range(TEXTS)]


def drawn_system(random: Generator, gold: Sequence[Clusters], ease: Sequence[float]) -> list[Clusters]:
    """Cut some clusters of each text in two: more of them in texts that are hard."""
    return [
        [
            part
            for cluster in clusters
            for cut in [random.integers(0, len(cluster)) if random.random() > chance else 0]
            for part in (cluster[:cut], cluster[cut:])
            if part
        ]
        for clusters, chance in zip(gold, ease, strict=True)
    ]


def by_scorer(
    random: Generator, gold: Sequence[Clusters], system: Sequence[Clusters], *, named: bool, parts: int = 1
) -> scorch2.Report:
    """Score with `CorefScorer`, or several that are merged; documents with a name come in any order."""
    order = random.permutation(TEXTS) if named else range(TEXTS)
    scorers = [scorch2.CorefScorer(["b_cubed"]) for _ in range(parts)]
    for place, text in enumerate(order):
        ident = f"d{text}" if named else None
        scorers[place * parts // TEXTS].update(gold=gold[text], system=system[text], id=ident)
    first, *others = [scorers[i] for i in random.permutation(parts)] if named else scorers
    for other in others:
        first.merge(other)
    return first.compute()


def in_folder(random: Generator, texts: Sequence[Clusters], path: Path) -> Path:
    """Write each text to a file of a folder, in any order."""
    lines = [
        {"type": "clusters", "name": f"d{i}", "clusters": dict(enumerate(texts[i]))} for i in range(TEXTS)
    ]
    path.mkdir()
    for i in random.permutation(TEXTS):
        (path / f"d{i}.json").write_text(json.dumps(lines[i]))
    return path


Systems = Mapping[str, Sequence[Clusters]]


def of_files(random: Generator, gold: Sequence[Clusters], systems: Systems, folder: Path) -> dict[str, Any]:
    """Return the arguments of `significance` for systems in files."""
    paths = {name: in_folder(random, system, folder / name) for name, system in systems.items()}
    return {"systems": paths, "gold": in_folder(random, gold, folder / "gold"), "metrics": ["b_cubed"]}


def of_scorers(**how: Any) -> Callable[..., dict[str, Any]]:
    """Return a function that returns the arguments of `significance` for reports of scorers."""

    def given(random: Generator, gold: Sequence[Clusters], systems: Systems, _: Path) -> dict[str, Any]:
        return {"systems": {name: by_scorer(random, gold, system, **how) for name, system in systems.items()}}

    return given


def of_stored(random: Generator, gold: Sequence[Clusters], systems: Systems, folder: Path) -> dict[str, Any]:
    """Return the arguments of `significance` for reports that were written and are read again."""
    for name, system in systems.items():
        by_scorer(random, gold, system, named=False).save(folder / f"{name}.json")
    return {"systems": {name: folder / f"{name}.json" for name in systems}}


WAYS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "files": of_files,
    "CorefScorer": of_scorers(named=False),
    "CorefScorer with ids": of_scorers(named=True),
    "stored reports": of_stored,
    "merged scorers": of_scorers(named=False, parts=4),
    "merged scorers with ids": of_scorers(named=True, parts=4),
}


def p_values_of(way: str, pairs: int, seed: int) -> list[float]:
    """Return the two-sided p-value of F1 for pairs of systems that are alike, scored in one way."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(pairs):
        gold, ease = drawn_gold(), [float(chance) for chance in random.beta(*EASE, TEXTS)]
        systems = {name: drawn_system(random, gold, ease) for name in ("one", "other")}
        with TemporaryDirectory() as folder:
            given = WAYS[way](random, gold, systems, Path(folder))
            tested = scorch2.significance(**given, parts=["f1"], trials=TRIALS, seed=number).to_records()
        found.append(tested[0]["p"] or 0.0)
    return found


PASSAGES, TOKENS, MENTIONS, CHARACTERS = 60, 100, 20, 40
"""Of a book: its passages, their tokens and mentions, and who may be mentioned."""
OF_BOOKS = ("muc", "b_cubed", "ceaf_e", "lea", "conll", "entity_f1")
LEAST_HELD, MOST_SMALL = 0.9, 0.1
FAME = 1 / np.arange(1, CHARACTERS + 1)
FAME /= FAME.sum()


def book(random: Generator) -> Document:
    """Return a text whose characters are mentioned the more often, the lower their number."""
    named: dict[str, list[Any]] = {}
    for place, who in enumerate(random.choice(CHARACTERS, PASSAGES * MENTIONS, p=FAME)):
        start = place * TOKENS // MENTIONS
        named.setdefault(str(who), []).append((start, start + 1))
    return Document("book", named, sentences=[PASSAGES * TOKENS])


def system_of(random: Generator, gold: Document) -> Document:
    """Return what a system makes of a book: it misses and confuses mentions, more in some passages."""
    confused = random.choice([0.05, 0.15, 0.4], PASSAGES)
    apart = random.random(PASSAGES) < 0.3  # passages in which every third character is thought to be another
    named: dict[str, list[Any]] = {}
    for who, members in gold.clusters.items():
        for start, end in spans(members):
            passage = start // TOKENS
            if random.random() < 0.1:
                continue
            said = random.choice(CHARACTERS, p=FAME) if random.random() < confused[passage] else int(who)
            other = "again" if apart[passage] and said % 3 == 0 else ""
            named.setdefault(f"{said}{other}", []).append((start, end))
    return gold._replace(clusters=named)


def over_windows(books: int, seed: int) -> Mapping[str, tuple[float, float]]:
    """Return by metric how often intervals hold the mean, and how often p of equal systems is small."""
    random = np.random.default_rng(seed)
    options: dict[str, Any] = {"metrics": OF_BOOKS, "resample": f"windows:{TOKENS}", "trials": TRIALS}
    scores: dict[str, list[float]] = {name: [] for name in OF_BOOKS}
    ends: dict[str, list[tuple[float, float]]] = {name: [] for name in OF_BOOKS}
    small = dict.fromkeys(OF_BOOKS, 0)
    for number in range(books):
        gold = book(random)
        one, other = system_of(random, gold), system_of(random, gold)
        found = scorch2.confidence(one, gold=gold, seed=number, **options)
        tested = scorch2.significance({"one": one, "other": other}, gold=gold, seed=number, **options)
        for name in OF_BOOKS:
            scores[name].append(float(found.report[name].f1))
            ends[name].append(found.interval(name, level=LEVEL) or (0, 0))
            small[name] += (tested.pairs[0].differences[name]["f1"].p or 0) <= SMALL
    means = {name: sum(of_books) / books for name, of_books in scores.items()}
    held = {name: sum(low <= means[name] <= high for low, high in ends[name]) for name in OF_BOOKS}
    return {name: (held[name] / books, small[name] / books) for name in OF_BOOKS}


def main() -> int:
    """Run the campaign for every average and every way to score, and return the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--ways", type=int, default=300, help="pairs for each way to score")
    parser.add_argument("--books", type=int, default=200)
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
    for way in WAYS:
        p_values_found = p_values_of(way, given.ways, given.seed)
        uniform = stats.kstest(p_values_found, "uniform").pvalue
        good = good and uniform > LEAST_P
        small = sum(p <= SMALL for p in p_values_found) / len(p_values_found)
        print(
            f"{way}: Kolmogorov-Smirnov p = {uniform:.4f} (more than {LEAST_P}), p <= {SMALL} in "
            f"{100 * small:.1f} % of the pairs: {'fine' if uniform > LEAST_P else 'NOT FINE'}"
        )
    for name, (held, small) in over_windows(given.books, given.seed).items():
        fine = held >= LEAST_HELD and small <= MOST_SMALL
        good = good and fine
        print(
            f"windows, {name}: {LEVEL:g} % intervals hold the mean in {100 * held:.1f} % (90 or more), "
            f"p <= {SMALL} in {100 * small:.1f} % (10 or less): {'fine' if fine else 'NOT FINE'}"
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
