"""Both sides of a document in the order of the text, the partner of each mention, and span errors.

Entities are numbered by their first mention, so nothing depends on the order of a file.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from scorch2.model.document import Mention
from scorch2.model.names import in_order
from scorch2.scoring.contingency import Partition

LACKS = -1  # in place of an entity: the other side lacks the mention
SpanErrors: TypeAlias = Sequence[tuple[int, int]]
"""For each span error the places of its gold and of its system mention."""
FindSpanErrors: TypeAlias = Callable[[Sequence[Mention], Sequence[Mention]], SpanErrors]
"""From the twinless mentions of gold and of the system, in order, to their places in span errors."""


class OrderedSide(NamedTuple):
    """The mentions of one side in order, with one value for each in every column."""

    mentions: Sequence[Mention]
    entities: Sequence[int]
    sizes: Sequence[int]
    equal: Sequence[int]  # the entity of the other side with an equal mention, or `LACKS`
    partners: Sequence[int]
    """The entity of the other side with the mention once spans are corrected, or `LACKS`."""


class OrderedSides(NamedTuple):
    """The two sides of a document, and the span errors between them."""

    gold: OrderedSide
    system: OrderedSide
    span_errors: SpanErrors


def sides_of(gold: Partition, system: Partition, find: FindSpanErrors) -> OrderedSides:
    """Put both partitions in order and find the partner of each mention."""
    mentions = in_order(gold.owner), in_order(system.owner)
    numbers = _numbers(mentions[0], gold), _numbers(mentions[1], system)
    left = _side(mentions[0], gold, numbers[0], system.owner, numbers[1])
    right = _side(mentions[1], system, numbers[1], gold.owner, numbers[0])
    extra, missing = ([i for i, twin in enumerate(side.equal) if twin == LACKS] for side in (right, left))
    if not (missing and extra):
        return OrderedSides(left, right, ())
    pairs = find([left.mentions[i] for i in missing], [right.mentions[i] for i in extra])
    span_errors = sorted((missing[g], extra[s]) for g, s in pairs)
    partners, others = list(left.equal), list(right.equal)
    for g, s in span_errors:
        partners[g], others[s] = right.entities[s], left.entities[g]
    return OrderedSides(left._replace(partners=partners), right._replace(partners=others), span_errors)


def _numbers(mentions: Sequence[Mention], partition: Partition) -> list[int]:
    """Return the number of each cluster as an entity, and `LACKS` in last place: at the index -1."""
    numbers = [LACKS] * (len(partition.sizes) + 1)
    owner = partition.owner
    for number, old in enumerate(dict.fromkeys([owner[mention] for mention in mentions])):
        numbers[old] = number
    return numbers


def _side(
    mentions: Sequence[Mention],
    partition: Partition,
    numbers: Sequence[int],
    others: Mapping[Mention, int],
    other_numbers: Sequence[int],
) -> OrderedSide:
    owner, other = partition.owner, others.get
    sizes = [0] * len(partition.sizes)
    for old, size in enumerate(partition.sizes):
        sizes[numbers[old]] = size
    equal = [other_numbers[other(mention, LACKS)] for mention in mentions]
    return OrderedSide(mentions, [numbers[owner[mention]] for mention in mentions], sizes, equal, equal)
