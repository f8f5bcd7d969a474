"""Leave singletons out of both sides (corpora such as OntoNotes do not annotate them)."""

from scorch2.scoring.contingency import Partition


def drop(partition: Partition) -> Partition:
    """Return the clusters of two and more mentions."""
    kept = [number for number, size in enumerate(partition.sizes) if size > 1]
    numbers = {old: new for new, old in enumerate(kept)}
    owner = {mention: numbers[old] for mention, old in partition.owner.items() if old in numbers}
    return Partition(owner, [partition.sizes[old] for old in kept])
