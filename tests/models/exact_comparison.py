"""Scorch2 against the exact model, on partitions drawn at random: for the tests and for long campaigns."""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import Any

from exact_model import MODELS, Clusters, Exact, conll

from scorch2.model.document import Document
from scorch2.model.options import Options
from scorch2.model.score import AnyScore, Tally
from scorch2.scoring.averages import mean_score
from scorch2.scoring.contingency import Contingency, count_overlaps
from scorch2.scoring.matching.steps import Matcher
from scorch2.scoring.metrics import OF_CLUSTERS
from scorch2.scoring.metrics.chosen import to_count
from scorch2.scoring.metrics.conll import METRIC
from scorch2.scoring.metrics.metric import Metric

COUNTED: Mapping[str, Metric] = {
    **{metric.name: metric for metric in to_count(OF_CLUSTERS)},
    "blanc_reference": to_count(["blanc"], {"blanc": "reference"})[0],
    "blanc_both": to_count(["blanc"], {"blanc": "both"})[0],
    **{f"{name}_e2e": to_count([name], {"singletons": "e2e"})[0] for name in ("b_cubed", "ceaf_e", "lea")},
}
WHOLE = {"muc", "ceaf_m", "blanc", "blanc_reference", "blanc_both", "pairwise", "mentions"}
"""Metrics whose theory only counts: all they tally are integers. Of the others the denominators are."""
MATCHER = Matcher(Options())
MOST_MENTIONS = 14
CLOSE = 1e-12


def disagreements(pairs: int, seed: int) -> Iterator[str]:
    """Yield a line for each number on which scorch2 and the model differ, over random pairs of partitions."""
    for gold, system in random_pairs(pairs, seed):
        for difference in differences(gold, system):
            yield f"{shown(gold)} | {shown(system)}: {difference}"


def shown(clusters: Clusters) -> str:
    return "".join("{" + " ".join(sorted(map(str, cluster))) + "}" for cluster in clusters) or "∅"


def random_pairs(pairs: int, seed: int) -> Iterator[tuple[Clusters, Clusters]]:
    """Draw partitions from fine to coarse, of the same mentions or not, independent or nearly equal."""
    random = Random(seed)  # noqa: S311 - a sample, not a secret
    for _ in range(pairs):
        mentions = range(round(MOST_MENTIONS * random.random() ** 0.5))
        gold = random_labels(random, mentions)
        moved = random.choice((mentions, random.sample(mentions, len(mentions) // 4)))
        system = {**gold, **random_labels(random, moved)}
        yield spoilt(random, gold), spoilt(random, system)


def random_labels(random: Random, mentions: Sequence[int]) -> dict[int, int]:
    kinds = random.randint(1, len(mentions) or 1)
    return {mention: random.randrange(kinds) for mention in mentions}


def spoilt(random: Random, labels: dict[int, int]) -> Clusters:
    """Return the clusters that are left when some mentions are not found."""
    missed = random.choice((0, 0, 0.1, 0.4))
    clusters: dict[int, set[Hashable]] = {}
    for mention, label in labels.items():
        if random.random() >= missed:
            clusters.setdefault(label, set()).add(mention)
    return tuple(map(frozenset, clusters.values()))


def differences(gold: Clusters, system: Clusters) -> list[str]:
    """Return a line for each number on which scorch2 and the model differ."""
    table = table_of(gold, system)
    missing = sorted(set(COUNTED) - set(MODELS))
    assert missing == [], (
        "write their definitions down in plain fractions: MODELS in tests/models/exact_model.py"
    )
    exact = {name: model(gold, system) for name, model in MODELS.items()}
    tallies = {name: metric.tallies(table) for name, metric in COUNTED.items()}
    scores = {name: metric.finish(tallies[name]) for name, metric in COUNTED.items()}
    return [
        *(line for name in COUNTED for line in _wrong_tallies(name, tallies[name], exact[name])),
        *(line for name in COUNTED for line in _wrong_values(name, scores[name], exact[name]._asdict())),
        *_wrong_values("conll", mean_score(METRIC, scores, skip=True), {"f1": conll(exact)}),
    ]


def table_of(gold: Clusters, system: Clusters) -> Contingency:
    """Take two clusterings through the steps before counting."""
    gold_side, system_side = (
        Document(name, {str(number): list(cluster) for number, cluster in enumerate(clusters)})
        for name, clusters in (("gold", gold), ("system", system))
    )
    matched = MATCHER.matched(MATCHER.compared("", gold_side, system_side))
    return count_overlaps(matched.gold, matched.system)


def _wrong_tallies(name: str, tallies: Sequence[Tally], exact: Exact) -> Iterator[str]:
    for tally, (part, counts) in zip(tallies, exact.parts.items(), strict=True):
        for field, actual, right in zip(Tally._fields, tally, counts, strict=True):
            whole = name in WHOLE or field in ("recall_den", "precision_den")
            if actual != (right if whole else float(right)) or (whole and type(actual) is not int):
                yield f"{name} {part} {field} is {actual!r}, not {right}"


def _wrong_values(name: str, score: AnyScore, exact: Mapping[str, Any]) -> Iterator[str]:
    for part, actual in zip(score._fields, score, strict=True):
        right = exact[part]
        if actual.defined != (right is not None) or abs(actual - float(right or 0)) > CLOSE:
            yield f"{name} {part} is {actual!r} (defined: {actual.defined}), not {right}"
