"""The steps of matching, in the order in which they run."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scorch2.model.document import Document, Mention
from scorch2.model.errors import Notice
from scorch2.model.options import Choices, Options
from scorch2.model.score import Measured
from scorch2.scoring.contingency import Contingency, Lookups, Partition
from scorch2.scoring.matching.clusters import add_twinless, drop_singletons, one_cluster_each
from scorch2.scoring.matching.kinds import of_one_kind, refuse_mixed
from scorch2.scoring.matching.matched import Side

if TYPE_CHECKING:
    from scorch2.scoring.matching.antecedents import SplitAntecedents
    from scorch2.scoring.matching.matched import Chains
    from scorch2.scoring.matching.near_misses import NearMisses


ENOUGH = 4
"""A document has matches enough if one in so many of its mentions matches."""


class Matched(NamedTuple):
    """Two partitions whose mentions compare by equality."""

    gold: Partition
    system: Partition
    notices: tuple[Notice, ...]
    gold_alone: Partition
    """Gold without the singletons that were added to it for twinless mentions."""
    chains: "Chains | None" = None
    """The mentions of both sides, if they were asked for."""
    tables: Lookups | None = None
    """The overlaps of both sides, if mentions are looked up; they are then no partitions."""
    sets: "SplitAntecedents | None" = None
    """The split antecedents of both sides, if they were asked for. The sizes count them as mentions."""
    original_of: Mapping[Mention, Mention] = {}
    """System mentions as the system has them, by what they are called here: as their partners in gold."""
    ways: Mapping[str, int] = {}
    """The number of pairs by what made them, if mentions may be the same though they are not equal."""


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
    if options.choices["lookup"] != "pairs":
        from scorch2.scoring.matching.unequal.lookups import in_scorers_order, look_up_mentions

        gold, system = in_scorers_order(gold), in_scorers_order(system)
    gold, system, overruled = shifted(gold, system, options)
    comparing = made_comparable(gold, system, options)
    sides: Sequence[Side] = Side(comparing[0], gold), Side(comparing[1], system)
    if _by_phrases(options):
        from scorch2.scoring.matching.phrases import by_phrases

        sides = by_phrases(sides, options)
        options = options._replace(choices={**options.choices, "singletons": "keep"})  # they were dropped
    choices = options.choices
    if choices["lookup"] != "pairs":
        found = look_up_mentions(ident, sides, options)
    elif chains or by_partners(options) or choices["split_antecedents"] != "drop":
        from scorch2.scoring.matching.unequal.pairs import pair_mentions

        found = pair_mentions(ident, sides, options, chains=chains)
    else:
        found = _by_equality(ident, sides, choices)
    return found._replace(notices=(*overruled, *found.notices)) if overruled else found


def _by_equality(ident: str, sides: Sequence[Side], choices: Choices) -> Matched:
    """Match mentions that are equal."""
    gold, system = sides
    left, gold_notices = one_cluster_each(ident, gold.document, choices["duplicates"], gold.written)
    right, system_notices = one_cluster_each(ident, system.document, choices["duplicates"], system.written)
    refuse_mixed(gold.written, left, system.written, right)
    if choices["singletons"] == "drop":
        left, right = drop_singletons(left), drop_singletons(right)
    gold_alone = left
    if choices["twinless"] == "singletons":
        left = add_twinless(left, right)
    return Matched(left, right, (*gold_notices, *system_notices), gold_alone)


def preprocessed(gold: Document, system: Document, options: Options) -> tuple[Document, Document]:
    """Return both sides with the annotation that options choose; all other steps come after this one.

    Raises
    ------
    InputError
        For a document without it.
    """
    layer = options.choices["layer"]
    if layer != "identity":
        from scorch2.scoring.matching.preprocessing import layer_of

        gold, system = layer_of(gold, layer), layer_of(system, layer)
    if options.choices["pieces"] == "last":
        from scorch2.scoring.matching.preprocessing import last_segments

        gold, system = last_segments(gold), last_segments(system)
    return gold, system


def shifted(
    gold: Document, system: Document, options: Options
) -> tuple[Document, Document, Sequence[Notice]]:
    """Return both sides with spans that count as an option says, and warnings about it."""
    if options.gold_offsets or options.sys_offsets:
        from scorch2.scoring.matching.preprocessing import with_offsets

        return with_offsets(gold, system, options)
    return gold, system, ()


def made_comparable(gold: Document, system: Document, options: Options) -> tuple[Document, Document]:
    """Return both sides with mentions that compare by equality.

    Raises
    ------
    InputError
        For different tokens or texts, and for mentions that could mean different text.
    """
    if options.choices["align"] == "characters":
        from scorch2.scoring.matching.kinds import as_spans, of_same_words
        from scorch2.scoring.matching.preprocessing import by_characters

        return by_characters(as_spans(gold), as_spans(system))
    gold, system = of_one_kind(gold, system)
    if not (gold.has_spans and system.has_spans):
        return gold, system
    from scorch2.scoring.matching.kinds import as_spans, of_same_words

    return of_same_words(gold, system)


def find_near_misses(
    gold: Document, system: Document, matched: Matched, table: Contingency, options: Options
) -> "NearMisses | None":
    """Return counts of near misses of a document that `match` was given, if hardly a mention matches.

    `table` has the overlaps of what it returned. Spans that count as an option says are taken as they are.
    """
    if matched.tables is not None:
        return None
    added = len(table.gold_sizes) - len(matched.gold_alone.sizes)  # gold singletons for twinless mentions
    fewer = min(len(matched.gold_alone.owner), len(matched.system.owner))
    if (len(table.cells) - added) * ENOUGH >= fewer:  # a cell is a match at least
        return None
    if options.gold_offsets or options.sys_offsets or by_partners(options) or _by_phrases(options):
        return None
    from scorch2.scoring.matching.near_misses import count_near_misses

    shared = sum(shared for _, _, shared in table.cells) - added
    return count_near_misses(gold, system, matched, shared)


def near_miss_notices(
    near: Sequence[tuple["NearMisses", int]], documents: Sequence[Measured]
) -> list[Notice]:
    """Return the warning about documents in which hardly a mention matches."""
    if not near:
        return []
    from scorch2.scoring.matching import near_misses

    others = sum(document.fewer for document in documents) - sum(counted for _, counted in near)
    return near_misses.near_miss_warning([found for found, _ in near], others)


def by_partners(options: Options) -> bool:
    """Return whether mentions may be the same though they are not equal."""
    choices = options.choices
    return choices["match"] not in ("exact", "mina") or choices["zeros"] != "place"


def _by_phrases(options: Options) -> bool:
    """Return whether an option looks at the phrases of mentions, or at mentions inside others."""
    choices = options.choices
    return choices["match"] == "mina" or choices["phrases"] != "all" or choices["nested"] != "keep"
