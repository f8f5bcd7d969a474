"""Bridging: what anaphors are understood by that refer to something else, such as *the driver* of *a bus*."""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.model.document import Document, Mention
from scorch2.model.keys import written
from scorch2.scoring.evidence import Seen, comparable


class Bridging(NamedTuple):
    """The bridging links of both sides, by anaphor: each has one antecedent."""

    gold: Mapping[Mention, Mention]
    system: Mapping[Mention, Mention]
    owner: Mapping[Mention, int]
    """The gold cluster of each mention that is in one."""


def find(seen: Seen) -> Bridging:
    """Return the links of a pair of documents; of several links of an anaphor, the last one counts."""
    links = _links(seen.gold), _links(seen.system)
    if not any(links):
        return Bridging({}, {}, {})
    anaphors = comparable(seen, *([anaphor for anaphor, _ in side] for side in links))
    antecedents = comparable(seen, *([antecedent for _, antecedent in side] for side in links))
    gold, system = (dict(zip(*side, strict=True)) for side in zip(anaphors, antecedents, strict=True))
    owner = {written(mention): cluster for mention, cluster in seen.matched.gold_alone.owner.items()}
    return Bridging(gold, system, owner)


def _links(document: Document) -> list[tuple[Mention, Mention]]:
    """Return anaphors and antecedents: the first mention of an entity that is not mentioned before.

    A link to an entity of which no mention was read is left out.
    """
    if document.relations is None:
        return []
    found = []
    for link in document.relations().bridging:
        first = document.clusters.get(link.antecedent_entity, [None])[0]
        antecedent = first if link.antecedent is None else link.antecedent
        if antecedent is not None:
            found.append((link.anaphor, antecedent))
    return found
