"""Both sides of a document in order, and the partner of each mention on the other side.

Entities are numbered by their first mention, so nothing depends on the order of a file.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from scorch2.analysis.order import in_order
from scorch2.model.document import Mention
from scorch2.scoring.contingency import Partition

LACKS = -1
"""In place of an entity: the other side lacks the mention."""
SpanErrors: TypeAlias = Sequence[tuple[int, int]]
"""For each span error the places of its gold and of its system mention."""
FindSpanErrors: TypeAlias = Callable[[Sequence[Mention], Sequence[Mention]], SpanErrors]
"""From the twinless mentions of gold and of the system, in order, to their places in span errors."""


class Side(NamedTuple):
    """The mentions of one side in order, with one value for each in every column."""

    mentions: Sequence[Mention]
    entities: Sequence[int]
    """The entity of each mention."""
    sizes: Sequence[int]
    """The number of mentions of each entity."""
    equal: Sequence[int]
    """The entity of the other side with an equal mention, or `LACKS`."""
    partners: Sequence[int]
    """The entity of the other side with the mention once spans are corrected, or `LACKS`."""


class Sides(NamedTuple):
    """The two sides of a document, and the span errors between them."""

    gold: Side
    system: Side
    span_errors: SpanErrors
    """In the order of the gold mentions."""


def sides_of(gold: Partition, system: Partition, find: FindSpanErrors) -> Sides:
    """Put both partitions in order and find the partner of each mention."""
    mentions = in_order(gold.owner), in_order(system.owner)
    numbers = _numbers(mentions[0], gold), _numbers(mentions[1], system)
    left = _side(mentions[0], gold, numbers[0], system.owner, numbers[1])
    right = _side(mentions[1], system, numbers[1], gold.owner, numbers[0])
    twinless = [[i for i, other in enumerate(side.equal) if other == LACKS] for side in (left, right)]
    if not (twinless[0] and twinless[1]):
        return Sides(left, right, ())
    found = find([left.mentions[i] for i in twinless[0]], [right.mentions[i] for i in twinless[1]])
    span_errors = sorted((twinless[0][g], twinless[1][s]) for g, s in found)
    partners = list(left.equal), list(right.equal)
    for g, s in span_errors:
        partners[0][g], partners[1][s] = right.entities[s], left.entities[g]
    return Sides(left._replace(partners=partners[0]), right._replace(partners=partners[1]), span_errors)


def _numbers(mentions: Sequence[Mention], partition: Partition) -> list[int]:
    """Return the number of each cluster as an entity, and `LACKS` in last place: at the index -1."""
    found = [LACKS] * (len(partition.sizes) + 1)
    owner = partition.owner
    for number, old in enumerate(dict.fromkeys([owner[mention] for mention in mentions])):
        found[old] = number
    return found


def _side(
    mentions: Sequence[Mention],
    partition: Partition,
    numbers: Sequence[int],
    others: Mapping[Mention, int],
    other_numbers: Sequence[int],
) -> Side:
    owner, other = partition.owner, others.get
    sizes = [0] * len(partition.sizes)
    for old, size in enumerate(partition.sizes):
        sizes[numbers[old]] = size
    equal = [other_numbers[other(mention, LACKS)] for mention in mentions]
    return Side(mentions, [numbers[owner[mention]] for mention in mentions], sizes, equal, equal)
