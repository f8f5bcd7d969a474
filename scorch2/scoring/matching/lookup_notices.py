"""Warnings about lookups that make scores differ from those of pairs, or of other scorers."""

from collections.abc import Sequence

from scorch2.model.document import Document
from scorch2.model.errors import Notice, counted
from scorch2.model.options import Options
from scorch2.scoring.matching import partners, split_antecedents
from scorch2.scoring.matching.side import Side
from scorch2.scoring.matching.split_antecedents import SplitAntecedents


def mixed_up(ident: str, pairs: partners.Pairs) -> Sequence[Notice]:
    """Return a warning if scores are not those of the pairs."""
    unequal = [pair for pair in (*pairs.rest, *pairs.zeros) if pair[0] != pair[1]]
    number = len({one for one, _ in unequal} & {other for _, other in unequal})
    if not number:
        return ()
    where = f"at {counted(number, 'place')} both sides have a mention, each with a partner elsewhere"
    why = "lookup=reference mixes them up as the CorefUD scorer does; lookup=pairs counts each pair once"
    return [Notice("lookup", ident, f"{where}: {why}")]


def without_zeros(
    ident: str, documents: Sequence[Document], sides: Sequence[Side], options: Options
) -> Sequence[Notice]:
    """Return a warning about entities that the Universal Anaphora scorer keeps, which drops zeros last."""
    least = 1 if options.singletons == "keep" else 2
    numbers = [0, 0]
    for number, (with_zeros, side) in enumerate(zip(documents, sides, strict=True)):
        for name, members in side.document.clusters.items() if options.zeros == "drop" else ():
            zeros = len(with_zeros.clusters[name]) - len(split_antecedents.mentions(members))
            numbers[number] += len(members) < least <= len(members) + zeros
    if not any(numbers):
        return ()
    most = "no mention" if least == 1 else "at most one mention"
    why = f"{partners.of_sides(numbers, 'cluster')} left out, with {most} besides zeros"
    peer = "the Universal Anaphora scorer 2.0 keeps such clusters, or ends with an error"
    return [Notice("lookup", ident, f"{why} ({peer})")]


def of_blanc(sets: SplitAntecedents, options: Options) -> Sequence[Notice]:
    """Return one warning for all documents: other scorers count links of split antecedents wrongly."""
    metrics = [name.lower() for name in options.metrics or ("blanc",)]
    if options.split_antecedents != "keep" or "blanc" not in metrics or not (sets.gold and sets.system):
        return ()
    why = "a link of a split antecedent is worth what both its ends are worth"
    peer = "in the Universal Anaphora scorers it depends on the order of mentions"
    return [Notice("lookup", "", f"blanc: {why}; {peer} (in version 1.0 also for lea)")]
