"""Pairs of mentions that are the same though they are not equal, by heads, parts or dependencies of zeros.

Each step takes the mentions that the one before left: zeros by dependency, equal mentions, then the rest.
What comes out are partitions whose mentions compare by equality: a system mention is called as its partner.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from scorch2.formats.losses import with_only
from scorch2.formats.table import row_of
from scorch2.model.document import Document, Mention
from scorch2.model.errors import InputError, Notice
from scorch2.model.markables import ComparedKey, Key, Markable, Word, written
from scorch2.model.messages import counted, quoted
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching import craft, heads, partial, zeros
from scorch2.scoring.matching.best_pairs import Weights, best_pairs

_Candidates = Callable[[Sequence[Markable], Sequence[Markable]], Weights]
_REST: Mapping[str, _Candidates] = {
    "head": heads.candidates,
    "partial": partial.candidates,
    "craft": craft.candidates,
}


Keys: TypeAlias = dict[tuple[Mention, Word], Key]
"""The keys of the mentions of both sides so far, by their words and head: one for all that are the same.

To compare words and heads each time takes a tenth of a run.
"""
_UNPAIRED = "unpaired"
"""Begins what a system mention is that equals a gold mention which has another partner."""


class Keyed(NamedTuple):
    """A document whose mentions compare by equality as the options of matching ask."""

    document: Document
    written: Document
    """The same with its mentions as written, each in its place."""
    markable_of: Mapping[Mention, Markable]
    """All that its format says about each mention; empty if no option looks at more than the words."""


def keyed(document: Document, match: str, zeros_option: str, keys: Keys | None) -> Keyed:
    """Return a document with mentions as they compare, without zeros if these are to be dropped.

    Mentions of the same words and another head are two if there are `keys`, which both sides share. A format
    without zeros has none to drop.

    Raises
    ------
    InputError
        If the format of the document knows nothing but the words of mentions.
    """
    is_plain = match in ("exact", "mina") and zeros_option != "dependency"  # minimum spans are equal or not
    by_words = is_plain or not any(document.clusters.values())
    if document.markables is None and by_words:
        return Keyed(document, document, {})
    if any(document.clusters.values()):
        _refuse_lacking(document, match, zeros_option)
    every = document.markables() if document.markables is not None else {}
    if zeros_option == "drop" and any(one.is_zero for members in every.values() for one in members):
        document = with_only(document, {
            name: [i for i, one in enumerate(members) if not one.is_zero]
            for name, members in every.items()
        })  # fmt: skip
        every = document.markables() if document.markables is not None else {}
    markable_of: dict[Mention, Markable] = {}
    clusters: dict[str, Sequence[Mention]] = {}
    for name, members in document.clusters.items():
        markables, own = every[name], members
        if keys is not None:
            own = [_key(one, its.head, keys) for one, its in zip(members, markables, strict=True)]
        clusters[name] = own
        for mention, markable in zip(own, markables, strict=True):
            markable_of.setdefault(mention, markable)
    return Keyed(document._replace(clusters=clusters), document, markable_of)


def _refuse_lacking(document: Document, match: str, zeros_option: str) -> None:
    """Raise an InputError if the format of a document lacks what the options look at."""
    needs_heads = match == "head" or zeros_option == "dependency"
    if document.markables is None:
        lacking = "no heads and empty nodes"
    elif needs_heads and not row_of(document.format).heads:
        lacking = "no heads and dependencies"
    else:
        return
    by_match = match == "head" or (match != "exact" and zeros_option != "dependency")
    asked = f"--match={match}" if by_match else f"--zeros={zeros_option}"
    instead = "--match=exact" if by_match else "--zeros=place"
    why = f"{quoted(document.id)} has {lacking}, which {asked} needs (use {instead})"
    raise InputError(document.path or document.id, "", why)


class Pairs(NamedTuple):
    """The pairs of a gold and a system mention, by the step that made them."""

    zeros: Sequence[tuple[Mention, Mention]]
    equal: Sequence[tuple[Mention, Mention]]
    rest: Sequence[tuple[Mention, Mention]]
    by_groups: bool
    """Whether a choice between pairs that are as good could not be made as other scorers make it."""
    bare: tuple[int, int]
    """How many zeros of either side have no dependency, where these are compared."""

    def partner(self) -> dict[Mention, Mention]:
        """Return the system mention of each gold mention that has one."""
        return dict([*self.zeros, *self.equal, *self.rest])

    def ways(self, match: str) -> dict[str, int]:
        """Return the number of pairs by what made them."""
        found = {"equal": self.equal, f"by match={match}": self.rest, "by zeros=dependency": self.zeros}
        return {way: len(pairs) for way, pairs in found.items() if pairs}

    def notices(self, ident: str) -> tuple[Notice, ...]:
        """Return a warning about a choice that other scorers may make otherwise."""
        found = []
        if self.by_groups:
            why = "several choices of pairs are best, and the document is too large to choose as others do"
            found.append(Notice("ties", ident, why))
        if any(self.bare):
            which = of_sides(self.bare, "zero")
            found.append(Notice("zeros", ident, f"{which} without DEPS can have no partner by dependency"))
        return tuple(found)


def of_sides(numbers: Sequence[int], what: str) -> str:
    """Return the number of things of gold and of the system, without a side that has none.

    >>> of_sides([1, 2], "zero"), of_sides([0, 1], "zero")
    ('1 zero of gold and 2 zeros of the system', '1 zero of the system')
    """
    sides = zip(numbers, ("gold", "the system"), strict=True)
    return " and ".join(f"{counted(number, what)} of {side}" for number, side in sides if number)


def paired(sides: Sequence[Keyed], gold: Partition, system: Partition, options: Options) -> Pairs:
    """Return the pairs of the mentions of two partitions."""
    here, there = sides
    taken: tuple[set[Mention], set[Mention]] = set(), set()
    by_groups = False

    def pairs(candidates: _Candidates, chosen: Callable[[Markable], bool]) -> list[tuple[Mention, Mention]]:
        nonlocal by_groups
        golds = _ordered(gold, here, taken[0], chosen)
        systems = _ordered(system, there, taken[1], chosen)
        weights = candidates(
            [here.markable_of[one] for one in golds], [there.markable_of[one] for one in systems]
        )
        best = best_pairs(weights, len(golds), len(systems))
        by_groups = by_groups or best.by_groups
        return took([(golds[row], systems[column]) for row, column in best.pairs])

    def took(found: list[tuple[Mention, Mention]]) -> list[tuple[Mention, Mention]]:
        for one, other in found:
            taken[0].add(one)
            taken[1].add(other)
        return found

    by_dependency = options.zeros == "dependency"
    of_zeros = pairs(zeros.candidates, lambda one: one.is_zero) if by_dependency else []
    left = (one for one in system.owner if one in gold.owner and one not in taken[0] and one not in taken[1])
    equal = took([(mention, mention) for mention in left])
    rest = pairs(_REST[options.match], lambda _: True) if options.match in _REST else []
    bare = (_bare(gold, here), _bare(system, there)) if by_dependency else (0, 0)
    return Pairs(of_zeros, equal, rest, by_groups, bare)


def names(
    gold: Partition, system: Partition, partner: Mapping[Mention, Mention]
) -> Mapping[Mention, Mention]:
    """Return what each system mention is called: as its partner, or as no gold mention is."""
    called = {other: one for one, other in partner.items()}
    return {
        mention: called.get(mention, _unpaired(mention) if mention in gold.owner else mention)
        for mention in system.owner
    }


def _key(mention: Mention, head: Word, keys: Keys) -> Key:
    found = keys.get((mention, head))
    if found is None:
        found = keys[mention, head] = Key(mention)
    return found


def _unpaired(mention: Mention) -> Key:
    return ComparedKey(written(mention), (_UNPAIRED, mention))


def _bare(side: Partition, keyed_side: Keyed) -> int:
    markables = [keyed_side.markable_of[one] for one in side.owner]
    return sum(one.is_zero and not one.edges for one in markables)


def _ordered(
    side: Partition, keyed_side: Keyed, without: Collection[Mention], chosen: Callable[[Markable], bool]
) -> list[Mention]:
    """Return the mentions that are left, in order."""
    markable_of = keyed_side.markable_of
    left = [one for one in side.owner if one not in without and chosen(markable_of[one])]
    return sorted(left, key=lambda one: markable_of[one].place)
