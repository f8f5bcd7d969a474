"""Partitions where more is asked than equality: partners, split antecedents, the mentions themselves."""

from typing import TYPE_CHECKING

from scorch2.model.document import Document, Mention
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching import (
    Matched,
    antecedents,
    duplicates,
    kinds,
    partners,
    singletons,
    twinless,
)
from scorch2.scoring.matching.chains import chains as chains_of

if TYPE_CHECKING:
    from scorch2.model.errors import Notice


def matched(
    ident: str,
    written: tuple[Document, Document],
    documents: tuple[Document, Document],
    options: Options,
    *,
    chains: bool,
) -> Matched:
    """Do what `scorch2.scoring.matching.match` does, after the steps that make `documents` comparable."""
    choices = options.choices
    (gold, system), (here, there) = written, documents
    by_partners = (choices["match"], choices["zeros"]) != ("exact", "place")
    if by_partners:
        how = choices["match"]
        heads: partners.Heads | None = {} if how == "head" else None
        sides = [partners.keyed(side, how, choices["zeros"], heads) for side in (here, there)]
        here, there, gold, system = (*(s.document for s in sides), *(s.written for s in sides))
    documents = (here, there)
    by_sets = choices["split_antecedents"] != "drop"
    if by_sets:
        here, gold = antecedents.added(here, gold)
        there, system = antecedents.added(there, system)
    left, gold_notices = duplicates.resolve(ident, here, choices["duplicates"], gold)
    right, system_notices = duplicates.resolve(ident, there, choices["duplicates"], system)
    sets = None
    if by_sets:
        left, right, sets = antecedents.apart(left, right)
    if not (by_partners and any(side.markable_of for side in sides)):
        kinds.refuse_mixed(gold, left, system, right)
    if choices["singletons"] == "drop":
        sets = sets and antecedents.without_singletons(sets, left, right)
        left, right = singletons.drop(left), singletons.drop(right)
    gold_alone, named_as_read = left, right
    pair_notices: tuple[Notice, ...] = ()
    partner = {one: one for one in right.owner if one in left.owner}
    called: dict[Mention, Mention] = {}
    ways: dict[str, int] = {}
    if by_partners:
        pairs = partners.paired(sides, left, right, options)
        partner, pair_notices = pairs.partner(), pairs.notices(ident)
        ways = pairs.ways(choices["match"])
        names = partners.names(left, right, partner)
        sets = sets and antecedents.renamed(sets, names)
        right = Partition({names[mention]: number for mention, number in right.owner.items()}, right.sizes)
        called = {name: mention for mention, name in names.items() if name is not mention}
    if choices["twinless"] == "singletons":
        left = twinless.add_singletons(left, right)
    found = chains_of(documents, (gold_alone, named_as_read), partner) if chains else None
    notices = (*gold_notices, *system_notices, *pair_notices)
    return Matched(left, right, notices, gold_alone, found, sets=sets, called=called, ways=ways)
