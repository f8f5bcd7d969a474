"""Pairs of mentions that are the same though they are not equal, by heads, parts or dependencies of zeros.

Each step takes the mentions that the one before left: zeros by dependency, equal mentions, then the rest.
What comes out are partitions whose mentions compare by equality: a system mention is called as its partner.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from scorch2.formats.table import row_of
from scorch2.model.document import Discontinuous, Document, Mention, with_only
from scorch2.model.errors import InputError, Notice, counted, quoted
from scorch2.model.markables import Markable, MentionKey, Word, as_written, zeros_in
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching.chains import rename_antecedents
from scorch2.scoring.matching.matched import ComparedPair, ComparedSide, Matched
from scorch2.scoring.matching.partners import (
    TooManyPairsError,
    Weights,
    best_pairs,
    craft_candidates,
    head_candidates,
    part_candidates,
    zero_candidates,
)

_Left: TypeAlias = tuple[Collection[Mention], Collection[Mention]]
"""The mentions of gold and of the system that have no partner yet."""
_Candidates = Callable[[Sequence[Markable], Sequence[Markable]], Weights]
_REST: Mapping[str, _Candidates] = {
    "head": head_candidates,
    "partial": part_candidates,
    "craft": craft_candidates,
}
_PairOfMentions: TypeAlias = tuple[Mention, Mention]
_FirstHeads: TypeAlias = dict[Mention, Word]
"""The head with which each mention was seen first, on either side."""
_UNPAIRED = "unpaired"
"""The first part of the key of a system mention that equals a gold mention, and is not paired with it."""


def compare_markables(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return both sides with mentions as they compare by what their formats say, without zeros if asked for.

    The CorefUD scorer 1.1 tells mentions of gold by their heads in partial matching, too.
    """
    by_head = options.match == "head"
    gold_by_head = by_head or (options.match == "partial" and options.lookup == "nearest")
    first: _FirstHeads = {}
    gold = _with_markables(pair.gold, options, first if gold_by_head else None)
    system = _with_markables(pair.system, options, first if by_head else None)
    return pair._replace(gold=gold, system=system)


def _with_markables(side: ComparedSide, options: Options, first: _FirstHeads | None) -> ComparedSide:
    """Return a side with all that its format says about each mention; one without zeros has none to drop."""
    # Mentions of the same words and another head are two if there are `first` heads
    is_empty = not side.document.has_mentions
    is_plain = options.match in ("exact", "mina") and options.zeros != "dependency"  # mina is equality, too
    if side.document.markables is None and (is_plain or is_empty):
        return _without_zeros(side, None) if options.zeros == "drop" else side
    if not is_empty:
        _refuse_lacking(side.document, options.match, options.zeros)
    every = _markables(side)
    if options.zeros == "drop":
        side = _without_zeros(side, every)
        every = _markables(side)
    clusters = side.document.clusters
    if first is not None:
        clusters = {name: _keys(members, every[name], first) for name, members in clusters.items()}
    mentions = list(chain.from_iterable(clusters.values()))
    markables = list(chain.from_iterable([every[name] for name in clusters]))
    markable_of = dict(zip(reversed(mentions), reversed(markables), strict=True))  # first ones win
    return side._replace(document=side.document._replace(clusters=clusters), markable_of=markable_of)


def _markables(side: ComparedSide) -> Mapping[str, Sequence[Markable]]:
    return side.document.markables() if side.document.markables is not None else {}


def _without_zeros(side: ComparedSide, every: Mapping[str, Sequence[Markable]] | None) -> ComparedSide:
    """Return a side without zeros; where the format names no heads, a zero is a mention without a word."""
    clusters = side.document.clusters
    are_zeros = {
        name: list(map(_has_no_word, members)) if every is None else [one.is_zero for one in every[name]]
        for name, members in clusters.items()
    }
    if not any(map(any, are_zeros.values())):
        return side
    places = {name: [i for i, is_zero in enumerate(own) if not is_zero] for name, own in are_zeros.items()}
    documents = with_only(side.document, places), with_only(side.written, places)
    return ComparedSide(*documents, zeros_dropped={name: sum(own) for name, own in are_zeros.items()})


def has_zeros(document: Document) -> bool:
    """Return whether a mention is an empty node, as far as the format says it."""
    if document.markables is None:
        return any(map(_has_no_word, chain.from_iterable(document.clusters.values())))
    return any(one.is_zero for one in chain.from_iterable(document.markables().values()))


def _has_no_word(mention: Mention) -> bool:
    return isinstance(mention, Discontinuous) and not mention.nodes.runs


def _keys(members: Sequence[Mention], markables: Sequence[Markable], first: _FirstHeads) -> Sequence[Mention]:
    named = zip(members, [mention.head for mention in markables], strict=True)
    return [
        mention if first.setdefault(mention, head) == head else MentionKey(mention, (mention, head))
        for mention, head in named
    ]


def _refuse_lacking(document: Document, match: str, zeros_option: str) -> None:
    """Raise an InputError if the format of a document lacks what the options look at."""
    needs_heads = match == "head" or zeros_option == "dependency"
    if document.markables is None:
        lacking = "neither heads nor empty nodes"
    elif needs_heads and not row_of(document.format).heads:
        lacking = "neither heads nor dependencies"
    else:
        return
    by_match = match == "head" or (match != "exact" and zeros_option != "dependency")
    asked = f"--match={match}" if by_match else f"--zeros={zeros_option}"
    instead = "--match=exact" if by_match else "--zeros=place"
    why = f"{quoted(document.id)} has {lacking}, which {asked} needs (use {instead})"
    raise document.error(why)


class Pairs(NamedTuple):
    """The pairs of a gold and a system mention, by the step that made them."""

    zeros: Sequence[_PairOfMentions]
    equal: Sequence[_PairOfMentions]
    rest: Sequence[_PairOfMentions]
    by_groups: bool
    """Whether a choice between pairs that are as good could not be made as other scorers make it."""
    bare: tuple[int, int]  # how many zeros of either side have no dependency, where these are compared

    def partner(self) -> dict[Mention, Mention]:
        """Return the system mention of each gold mention that has one."""
        return dict([*self.zeros, *self.equal, *self.rest])

    def ways(self, match: str) -> dict[str, int]:
        """Return the number of pairs by what made them."""
        by_way = {"equal": self.equal, f"by match={match}": self.rest, "by zeros=dependency": self.zeros}
        return {way: len(pairs) for way, pairs in by_way.items() if pairs}

    def notices(self, ident: str) -> tuple[Notice, ...]:
        """Return a warning about a choice that other scorers may make otherwise."""
        notices = []
        if self.by_groups:
            why = "several choices of pairs are best, and the document is too large to choose as others do"
            notices.append(Notice("ties", ident, why))
        if any(self.bare):
            which = of_sides(self.bare, "zero")
            notices.append(Notice("zeros", ident, f"{which} without DEPS can have no partner by dependency"))
        return tuple(notices)


def of_sides(numbers: Sequence[int], what: str) -> str:
    """Return the number of things of gold and of the system, without a side that has none.

    >>> of_sides([1, 2], "zero"), of_sides([0, 1], "zero")
    ('1 zero of gold and 2 zeros of the system', '1 zero of the system')
    """
    sides = zip(numbers, ("gold", "the system"), strict=True)
    return " and ".join(f"{counted(number, what)} of {side}" for number, side in sides if number)


def find_pairs(matched: Matched, options: Options) -> Pairs:
    """Return the pairs of the mentions of two partitions."""
    left: _Left = matched.gold.owner, matched.system.owner
    gold, system = matched.pair.gold.markable_of, matched.pair.system.markable_of
    of_zeros: Sequence[_PairOfMentions] = ()
    rest: Sequence[_PairOfMentions] = ()
    bare, by_groups = (0, 0), [False, False]
    if options.zeros == "dependency":
        zeros = zeros_in(left[0], gold), zeros_in(left[1], system)
        bare = (
            sum(not gold[zero].edges for zero in zeros[0]),
            sum(not system[zero].edges for zero in zeros[1]),
        )
        of_zeros, by_groups[0] = _best(zero_candidates, matched, zeros)
        left = _without(left, of_zeros)
    equal = [(mention, mention) for mention in left[1] if mention in left[0]]
    if options.match in _REST:
        rest, by_groups[1] = _best(_REST[options.match], matched, _without(left, equal))
    return Pairs(of_zeros, equal, rest, any(by_groups), bare)


def _best(candidates: _Candidates, matched: Matched, left: _Left) -> tuple[Sequence[_PairOfMentions], bool]:
    """Return the best pairs of the mentions that are left of both sides, and whether groups decided."""
    markables = matched.pair.gold.markable_of, matched.pair.system.markable_of
    (golds, here), (systems, there) = map(_in_order, left, markables)
    try:
        weights = candidates(here, there)
    except TooManyPairsError:
        raise too_many_pairs(matched.pair.gold.document) from None
    best = best_pairs(weights, len(golds), len(systems))
    return [(golds[row], systems[column]) for row, column in best.pairs], best.by_groups


def _in_order(
    mentions: Collection[Mention], markable_of: Mapping[Mention, Markable]
) -> tuple[list[Mention], list[Markable]]:
    ordered = sorted(mentions, key=lambda mention: markable_of[mention].place)
    return ordered, [markable_of[mention] for mention in ordered]


def _without(left: _Left, pairs: Sequence[_PairOfMentions]) -> _Left:
    """Return the mentions that are left of both sides, without those of some pairs."""
    if not pairs:
        return left
    golds, systems = dict(pairs), {other for _, other in pairs}
    return (
        dict.fromkeys([mention for mention in left[0] if mention not in golds]),
        dict.fromkeys([mention for mention in left[1] if mention not in systems]),
    )


def too_many_pairs(document: Document) -> InputError:
    """Return the error about a document whose mentions are too many to choose pairs."""
    why = f"too many pairs of mentions of {quoted(document.id)} could be partners"
    return document.error(f"{why} (use --match=exact and --zeros=place)")


def partner_names(
    gold: Partition, system: Partition, partner: Mapping[Mention, Mention]
) -> Mapping[Mention, Mention]:
    """Return what each system mention is called: as its partner, or as no gold mention is."""
    names = {other: mention for mention, other in partner.items()}
    for mention in system.owner:
        if mention not in names:
            is_taken = mention in gold.owner
            names[mention] = MentionKey(as_written(mention), (_UNPAIRED, mention)) if is_taken else mention
    return names


def match_pairs(matched: Matched, options: Options) -> Matched:
    """Pair mentions that may be the same though they are not equal; those of the system get new names."""
    gold, system = matched.gold, matched.system
    pairs = find_pairs(matched, options)
    partner = pairs.partner()
    names = partner_names(gold, system, partner)
    renamed = {names[mention]: number for mention, number in system.owner.items()}
    return rename_antecedents(matched, names)._replace(
        system=Partition(renamed, system.sizes),
        notices=(*matched.notices, *pairs.notices(matched.pair.id)),
        counterpart=partner,
        original_of={name: mention for mention, name in names.items() if name is not mention},
        ways=pairs.ways(options.match),
    )
