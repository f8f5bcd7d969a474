"""Step 3, make a pair comparable: the same kind of mentions on both sides, each in one cluster.

Order: layer, offsets, kinds or alignment, nodes, phrases, antecedents, duplicates, singletons, twinless. The
`mentions` average weighs by counts after all of these. `near_misses` looks at what was matched. What only an
option asks for is imported with it: with all of it, a run on a tiny corpus executes 5 % more instructions.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorch2.model.document import Document
from scorch2.model.errors import Notice
from scorch2.model.options import Options
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.matching import duplicates, kinds, singletons, twinless

if TYPE_CHECKING:
    from scorch2.scoring.matching.antecedents import Sides
    from scorch2.scoring.matching.chains import Chains
    from scorch2.scoring.matching.near_misses import NearMisses


ENOUGH = 4
"""A document has matches enough if one in so many of its mentions matches."""


class Matched(NamedTuple):
    """Two partitions whose mentions compare by equality."""

    gold: Partition
    system: Partition
    notices: tuple[Notice, ...]
    known: Partition
    """Gold before mentions of the system were added to it."""
    chains: "Chains | None" = None
    """The mentions of both sides, if they were asked for."""
    tables: Lookups | None = None
    """The overlaps of both sides, if mentions are looked up; they are then no partitions."""
    sets: "Sides | None" = None
    """The split antecedents of both sides, if they were asked for. The sizes count them as mentions."""


def match(ident: str, gold: Document, system: Document, options: Options, *, chains: bool = False) -> Matched:
    """Return both sides of the document `ident` as partitions, and what had to be done for it.

    Parameters
    ----------
    ident : str
        The name of the document, for messages.
    gold, system : Document
        Both sides.
    options : Options
        What is to be done.
    chains : bool
        Whether the mentions are needed, besides the cluster that each is in.

    Raises
    ------
    InputError
        For mention ids of different kinds, different tokens or texts, and a mention in two clusters.
    """
    choices = options.choices
    gold, system, overruled = said(gold, system, options)
    here, there = comparable(gold, system, options)
    by_phrases = _by_phrases(options)
    if by_phrases:
        from scorch2.scoring.matching import phrases

        chosen = phrases.prepared([phrases.Side(here, gold), phrases.Side(there, system)], options)
        (here, gold), (there, system) = chosen
    if choices["lookup"] != "pairs":
        from scorch2.scoring.matching import lookups

        if by_phrases:  # which drops singletons first
            options = options._replace(choices={**choices, "singletons": "keep"})
        looked = lookups.looked_up(ident, (gold, system), (here, there), options)
        left, right = looked.gold, looked.system
        notices = (*overruled, *looked.notices)
        return Matched(left, right, notices, left, looked.chains, looked.tables, looked.sets)
    by_partners = _by_partners(options)
    if by_partners:
        from scorch2.scoring.matching import partners

        how, by_head = choices["match"], choices["match"] == "head"
        sides = [partners.keyed(side, how, choices["zeros"], by_head=by_head) for side in (here, there)]
        here, there, gold, system = (*(s.document for s in sides), *(s.written for s in sides))
    documents, sets = (here, there), None
    by_sets = choices["split_antecedents"] != "drop"
    if by_sets:
        from scorch2.scoring.matching import antecedents

        here, gold = antecedents.added(here, gold)
        there, system = antecedents.added(there, system)
    left, gold_notices = duplicates.resolve(ident, here, choices["duplicates"], gold)
    right, system_notices = duplicates.resolve(ident, there, choices["duplicates"], system)
    if by_sets:
        left, right, sets = antecedents.apart(left, right)
    if not by_partners:
        kinds.refuse_mixed(gold, left, system, right)
    if choices["singletons"] == "drop" and not by_phrases:  # which drops them first
        sets = sets and antecedents.without_singletons(sets, left, right)
        left, right = singletons.drop(left), singletons.drop(right)
    known, retained = left, right
    if by_partners:
        pairs = partners.paired(sides, left, right, options)
        sets = sets and antecedents.renamed(sets, partners.names(left, right, pairs.partner()))
        right = partners.renamed(left, right, pairs.partner())
        system_notices += pairs.notices(ident)
    if choices["twinless"] == "singletons":
        left = twinless.add_singletons(left, right)
    notices = (*overruled, *gold_notices, *system_notices)
    if chains:
        from scorch2.scoring.matching import chains as of_pairs

        equal = {one: one for one in retained.owner if one in known.owner}
        partner = pairs.partner() if by_partners else equal
        found = of_pairs.chains(documents, (known, retained), partner)
        return Matched(left, right, notices, known, found, sets=sets)
    return Matched(left, right, notices, known)


def layer_of(gold: Document, system: Document, options: Options) -> tuple[Document, Document]:
    """Return both sides with the annotation that an option chooses; all other steps come after this one.

    Raises
    ------
    InputError
        For a document without it.
    """
    layer = options.choices["layer"]
    if layer == "identity":
        return gold, system
    from scorch2.scoring.matching import layers

    return layers.chosen(gold, layer), layers.chosen(system, layer)


def said(gold: Document, system: Document, options: Options) -> tuple[Document, Document, Sequence[Notice]]:
    """Return both sides with spans that count as an option says, and warnings about it."""
    if options.gold_offsets or options.sys_offsets:
        from scorch2.scoring.matching import offsets

        return offsets.as_said(gold, system, options)
    return gold, system, ()


def comparable(gold: Document, system: Document, options: Options) -> tuple[Document, Document]:
    """Return both sides with mentions that compare by equality.

    Raises
    ------
    InputError
        For different tokens or texts, and for mentions that could mean different text.
    """
    if options.choices["align"] == "characters":
        from scorch2.scoring.matching import alignment, nodes

        return alignment.by_characters(nodes.as_spans(gold), nodes.as_spans(system))
    gold, system = kinds.comparable(gold, system)
    if not (gold.has_spans and system.has_spans):
        return gold, system
    from scorch2.scoring.matching import nodes

    return nodes.comparable(gold, system)


def near(
    gold: Document, system: Document, matched: Matched, table: Contingency, options: Options
) -> "NearMisses | None":
    """Return counts of near misses of a document that `match` was given, if hardly a mention matches.

    `table` has the overlaps of what it returned. Spans that count as an option says are taken as they are.
    """
    if matched.tables is not None:
        return None
    added = len(table.gold_sizes) - len(matched.known.sizes)  # gold singletons for twinless mentions
    fewer = min(len(matched.known.owner), len(matched.system.owner))
    if (len(table.cells) - added) * ENOUGH >= fewer:  # a cell is a match at least
        return None
    if options.gold_offsets or options.sys_offsets or _by_partners(options) or _by_phrases(options):
        return None
    from scorch2.scoring.matching.near_misses import near_misses

    shared = sum(shared for _, _, shared in table.cells) - added
    return near_misses(gold, system, matched, shared)


def _by_partners(options: Options) -> bool:
    """Return whether mentions may be the same though they are not equal."""
    choices = options.choices
    return choices["match"] not in ("exact", "mina") or choices["zeros"] != "place"


def _by_phrases(options: Options) -> bool:
    """Return whether an option looks at the phrases of mentions, or at mentions inside others."""
    choices = options.choices
    return choices["match"] == "mina" or choices["phrases"] != "all" or choices["nested"] != "keep"
