"""Partitions where more is asked than equality: partners, split antecedents, the mentions themselves."""

from collections.abc import Mapping, Sequence

from scorch2.model.document import Mention
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching import (
    Matched,
    by_partners,
    duplicates,
    kinds,
    partners,
    singletons,
    split_antecedents,
    twinless,
)
from scorch2.scoring.matching.chains import chains as chains_of
from scorch2.scoring.matching.side import Side


def matched(ident: str, sides: Sequence[Side], options: Options, *, chains: bool) -> Matched:
    """Do what `scorch2.scoring.matching.match` does, after the steps that make both sides comparable."""
    choices = options.choices
    is_by_partners = by_partners(options)
    if is_by_partners:
        sides = partners.keyed(sides, options)
    found = _partitions(ident, sides, options)
    left, right = found.gold, found.system
    partner = {one: one for one in right.owner if one in left.owner}
    if is_by_partners:
        pairs = partners.paired(sides, left, right, options)
        partner = pairs.partner()
        found = _renamed(found, partners.names(left, right, partner))
        notices = (*found.notices, *pairs.notices(ident))
        found = found._replace(notices=notices, ways=pairs.ways(choices["match"]))
    if choices["twinless"] == "singletons":
        found = found._replace(gold=twinless.add_singletons(left, found.system))
    if not chains:
        return found
    return found._replace(chains=chains_of((sides[0].document, sides[1].document), (left, right), partner))


def _partitions(ident: str, sides: Sequence[Side], options: Options) -> Matched:
    """Return the partitions of both sides, whose mentions compare by equality."""
    choices = options.choices
    by_sets = choices["split_antecedents"] != "drop"
    gold, system = map(partners.with_sets, sides) if by_sets else sides
    left, gold_notices = duplicates.resolve(ident, gold.document, choices["duplicates"], gold.written)
    right, system_notices = duplicates.resolve(ident, system.document, choices["duplicates"], system.written)
    sets = None
    if by_sets:
        left, right, sets = split_antecedents.apart(left, right)
    if not (gold.markable_of or system.markable_of):
        kinds.refuse_mixed(gold.written, left, system.written, right)
    if choices["singletons"] == "drop":
        sets = sets and split_antecedents.without_singletons(sets, left, right)
        left, right = singletons.drop(left), singletons.drop(right)
    return Matched(left, right, (*gold_notices, *system_notices), left, sets=sets)


def _renamed(found: Matched, names: Mapping[Mention, Mention]) -> Matched:
    """Return what was matched with the mentions of the system called as they are after matching."""
    system = Partition(
        {names[mention]: number for mention, number in found.system.owner.items()}, found.system.sizes
    )
    original_of = {name: mention for mention, name in names.items() if name is not mention}
    return found._replace(
        system=system,
        sets=found.sets and split_antecedents.renamed(found.sets, names),
        original_of=original_of,
    )
