"""The links of one side: each mention of an entity but the first has one, to the mention before it.

A link is found, or lost in one of four ways. The lost links of gold are those that MUC recall loses, the lost
links of the system those that MUC precision loses.
"""

from scorch2.analysis.kinds import LOSES_PRECISION, LOSES_RECALL
from scorch2.analysis.sides import LACKS, Side

NO_LINK = -1
"""In place of a status: the first mention of an entity has no link."""
FOUND, SPAN, PIECE, MENTION, ENTITY = range(5)
RECALL = ("found", *LOSES_RECALL)
"""The names of the statuses for links of gold."""
PRECISION = ("found", *LOSES_PRECISION)
"""The names of the statuses for links of the system."""


def statuses(side: Side) -> list[int]:
    """Return the status of the link of each mention: the first condition that holds.

    ==========  ==========================================================================================
    `FOUND`     it and an earlier mention of its entity are equal to mentions of one entity of the other side
    `SPAN`      the same once spans are corrected
    `ENTITY`    no mention of its entity has a partner
    `MENTION`   it has no partner, or no earlier mention of its entity has one
    `PIECE`     its partner is in an entity in which no earlier mention of its entity has a partner
    ==========  ==========================================================================================
    """
    shared = {e for e, partner in zip(side.entities, side.partners, strict=True) if partner != LACKS}
    equal_cells: set[tuple[int, int]] = set()
    cells: set[tuple[int, int]] = set()
    met: set[int] = set()
    entities = 0
    found = []
    for entity, equal, partner in zip(side.entities, side.equal, side.partners, strict=True):
        cell = entity, partner
        if entity == entities:  # they are numbered by their first mention
            entities += 1
            status = NO_LINK
        elif equal != LACKS and cell in equal_cells:
            status = FOUND
        elif partner != LACKS and cell in cells:
            status = SPAN
        elif entity not in shared:
            status = ENTITY
        elif partner == LACKS or entity not in met:
            status = MENTION
        else:
            status = PIECE
        found.append(status)
        if partner != LACKS:
            cells.add(cell)
            met.add(entity)
            if equal != LACKS:
                equal_cells.add(cell)
    return found
