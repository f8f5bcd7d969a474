"""Bridging and non-referring mentions, written down a second time: every pair of links is looked at.

No code is shared with scorch2. A link is ``(anaphor, antecedent)``; links come in the order of a file.
"""

from collections.abc import Hashable, Sequence
from typing import TypeAlias

Link: TypeAlias = tuple[Hashable, Hashable]
Counts: TypeAlias = tuple[int, int, int]
"""What is found, of how many in gold, of how many in the system."""


def last_links(links: Sequence[Link]) -> list[Link]:
    """Return the links that no later link of the same anaphor replaces."""
    return [
        link for place, link in enumerate(links) if all(later[0] != link[0] for later in links[place + 1 :])
    ]


def counts(
    gold: Sequence[Link], system: Sequence[Link], clusters: Sequence[Sequence[Hashable]]
) -> dict[str, Counts]:
    """Return the counts of the three metrics; `clusters` are those of gold."""
    golds, systems = last_links(gold), last_links(system)
    found = {"bridging_anaphor": 0, "bridging_mention": 0, "bridging_entity": 0}
    for anaphor, antecedent in golds:
        for other, other_antecedent in systems:
            same = antecedent == other_antecedent
            entity = any(antecedent in one and other_antecedent in one for one in clusters)
            found["bridging_anaphor"] += anaphor == other
            found["bridging_mention"] += anaphor == other and same
            found["bridging_entity"] += anaphor == other and (same or entity)
    return {name: (number, len(golds), len(systems)) for name, number in found.items()}
