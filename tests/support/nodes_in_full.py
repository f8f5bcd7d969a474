"""The words and empty nodes of mentions one by one, as models and expected values have them."""

from scorch2.model.markables import Nodes, Word


def in_full(nodes: Nodes) -> tuple[Word, ...]:
    """Return all of them, in the order of the text."""
    return tuple(
        Word(first.sentence, first.word + place, first.rank)
        for first, size in nodes.parts()
        for place in range(size)
    )
