"""Random clusterings of spans that overlap, for tests of errors, and the report of one document."""

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from random import Random
from typing import TypeAlias

from error_model import Mention

from scorch2.model.document import Document
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.flow import outcomes, report_on
from scorch2.scoring.pairing.files import Pair
from scorch2.scoring.report import Report

Clusters: TypeAlias = list[list[Mention]]
TEXT = 14
"""Tokens of a random text."""
EVERY = [(start, end) for start in range(TEXT) for end in range(start + 1, min(start + 5, TEXT + 1))]


def partition(clusters: Clusters) -> Partition:
    owner: dict[Hashable, int] = {m: number for number, members in enumerate(clusters) for m in members}
    return Partition(owner, list(map(len, clusters)))


def random_clusters(random: Random, mentions: list[Mention]) -> Clusters:
    clusters: dict[int, list[Mention]] = {}
    for mention in mentions:
        clusters.setdefault(random.randrange(1 + len(mentions) // 2), []).append(mention)
    return list(clusters.values())


def random_pair(random: Random) -> tuple[Clusters, Clusters]:
    """Return two clusterings: many mentions are equal, many have wrong boundaries."""
    gold = random.sample(EVERY, random.randrange(12))
    system = [mention for mention in gold if random.random() < 0.6]
    system += [mention for mention in random.sample(EVERY, random.randrange(6)) if mention not in system]
    left = random_clusters(random, gold)
    if random.random() < 0.5:
        return left, random_clusters(random, system)
    kept = [[mention for mention in members if mention in system] for members in left]
    rest = [mention for mention in system if mention not in gold]
    return left, [members for members in [*kept, *random_clusters(random, rest)] if members]


@contextmanager
def about(gold: Clusters, *systems: Clusters) -> Iterator[None]:
    """Name the clusterings if an assertion about them fails."""
    try:
        yield
    except AssertionError as error:
        shown = " and ".join(map(str, systems))
        raise AssertionError(f"gold {gold} against system {shown}:\n{error}") from error


def score_documents(gold: Document, system: Document, options: Options) -> Report:
    """Score one document against another."""
    return report_on(outcomes([Pair(gold.id, gold, system)], options), [], options)
