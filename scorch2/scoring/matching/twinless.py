"""System mentions that gold lacks: scored as they are (Pradhan et al. 2014), or added to gold."""

from scorch2.scoring.contingency import Partition


def add_singletons(gold: Partition, system: Partition) -> Partition:
    """Return `gold` with every mention that only `system` has as a singleton (what scorch's command does)."""
    twinless = [mention for mention in system.owner if mention not in gold.owner]
    numbers = range(len(gold.sizes), len(gold.sizes) + len(twinless))
    return Partition(
        {**gold.owner, **dict(zip(twinless, numbers, strict=True))}, [*gold.sizes, *[1] * len(twinless)]
    )
