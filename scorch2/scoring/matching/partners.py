"""Pairs of mentions that are the same though they are not equal, by heads, parts or dependencies of zeros.

Each step takes the mentions that the one before left: zeros by dependency, equal mentions, then the rest.
What comes out are partitions whose mentions compare by equality: a system mention is called as its partner.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

from scorch2.formats.losses import with_only
from scorch2.formats.table import row_of
from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError, Notice
from scorch2.model.markables import Markable, Word
from scorch2.model.messages import quoted
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


class Key(tuple[int, int]):  # noqa: SLOT001 - a tuple cannot have any
    """A mention that equals only mentions of the same words and head; as a tuple it is the span."""

    mention: Mention
    head: Word

    def __new__(cls, mention: Mention, head: Word) -> "Key":  # noqa: PYI034 - Python 3.10 has no Self
        """Make the key of a mention of a document with spans."""
        made = super().__new__(cls, spans([mention])[0])
        made.mention, made.head = mention, head
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Key) and (self.mention, self.head) == (other.mention, other.head)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.mention, self.head))


class _Unpaired(NamedTuple):
    """A system mention that is equal to a gold mention which has another partner."""

    mention: Mention


class Keyed(NamedTuple):
    """A document whose mentions are what equality means, and what is known of each."""

    document: Document
    written: Document
    """The same with its mentions as written, each in its place."""
    known: Mapping[Mention, Markable]


def keyed(document: Document, match: str, zeros_option: str) -> Keyed:
    """Return a document with mentions as they compare, without zeros if these are to be dropped.

    Raises
    ------
    InputError
        If the format of the document knows nothing but the words of mentions.
    """
    needs_heads = match == "head" or zeros_option == "dependency"
    if any(document.clusters.values()):
        lacks_heads = needs_heads and not row_of(document.format).heads
        if document.markables is None or lacks_heads:
            by_match = match != "exact" and (match == "head" or zeros_option != "dependency")
            asked = f"--match={match}" if by_match else f"--zeros={zeros_option}"
            lacking = (
                "no heads and empty nodes" if document.markables is None else "no heads and dependencies"
            )
            why = f"{quoted(document.id)} has {lacking}, which {asked} needs (use --match=exact)"
            raise InputError(document.path or document.id, "", why)
    if zeros_option == "drop" and document.markables is not None:
        document = with_only(document, {
            name: [i for i, one in enumerate(members) if not one.is_zero]
            for name, members in document.markables().items()
        })  # fmt: skip
    every = document.markables() if document.markables is not None else {}
    known: dict[Mention, Markable] = {}
    clusters: dict[str, list[Mention]] = {}
    for name, members in document.clusters.items():
        clusters[name] = []
        for mention, markable in zip(members, every[name], strict=True):
            key = Key(mention, markable.head) if match == "head" else mention
            known.setdefault(key, markable)
            clusters[name].append(key)
    return Keyed(document._replace(clusters=clusters), document, known)


def renamed(
    ident: str, sides: Sequence[Keyed], gold: Partition, system: Partition, options: Options
) -> tuple[Partition, tuple[Notice, ...]]:
    """Return the system with its mentions called as their partners in gold; and notices."""
    here, there = sides
    partners: dict[Mention, Mention] = {}
    taken: set[Mention] = set()
    by_groups = False

    def pair(candidates: _Candidates, chosen: Callable[[Markable], bool]) -> None:
        nonlocal by_groups
        golds = _ordered(gold, here, taken, chosen)
        systems = _ordered(system, there, partners.keys(), chosen)
        weights = candidates([here.known[one] for one in golds], [there.known[one] for one in systems])
        best = best_pairs(weights, len(golds), len(systems))
        by_groups = by_groups or best.by_groups
        for row, column in best.pairs:
            partners[systems[column]] = golds[row]
            taken.add(golds[row])

    if options.zeros == "dependency":
        pair(zeros.candidates, lambda one: one.is_zero)
    for mention in system.owner:
        if mention in gold.owner and mention not in partners and mention not in taken:
            partners[mention] = mention
            taken.add(mention)
    if options.match in _REST:
        pair(_REST[options.match], lambda _: True)
    owner = {
        partners.get(mention, _Unpaired(mention) if mention in gold.owner else mention): number
        for mention, number in system.owner.items()
    }
    why = "several choices of pairs are best, and the document is too large to choose as other scorers do"
    return Partition(owner, system.sizes), (Notice("ties", ident, why),) if by_groups else ()


def _ordered(
    side: Partition, keyed_side: Keyed, without: Collection[Mention], chosen: Callable[[Markable], bool]
) -> list[Mention]:
    """Return the mentions that are left by first word, last word and number of words."""
    known = keyed_side.known
    left = [one for one in side.owner if one not in without and chosen(known[one])]
    return sorted(left, key=lambda one: (known[one].words[0], known[one].words[-1], len(known[one].words)))
