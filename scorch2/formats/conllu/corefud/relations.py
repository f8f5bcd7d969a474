"""On demand, what a document in CorefUD says about its mentions, and the relations of its entities."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain

from scorch2.formats.conllu.corefud.annotation import annotation
from scorch2.formats.conllu.corefud.cells import Header
from scorch2.formats.conllu.corefud.mentions import BracketedMention, check_governors
from scorch2.formats.conllu.parts import Part
from scorch2.model.markables import Bridge, Markable, Relations


def markables(
    part: Part, header: Header | None, header_line: int, path: str
) -> Mapping[str, Sequence[Markable]]:
    """Return all that is said about the mentions of a document, by entity.

    Raises
    ------
    InputError
        If an empty node that heads a mention depends on what is not there.
    """
    found = annotation(part, header, header_line, path)
    if found.has_empty:
        check_governors(chain.from_iterable(found.mentions.values()))
    return found.mentions


def relations(part: Part, header: Header | None, header_line: int, path: str) -> Relations:
    """Return the bridging links, sets and types of a document.

    The antecedent of a bridging mention is the last mention of the entity named there that begins before it.
    """
    found = annotation(part, header, header_line, path)
    sets: dict[str, list[str]] = defaultdict(list)
    for link in found.sets:
        sets[link.entity].append(link.antecedent)
    bridging = []
    for link, anaphor in found.bridging:
        others = found.mentions.get(link.antecedent, [])
        place = bisect_left(others, _begin(anaphor), key=_begin)
        antecedent = others[place - 1].mention if place else None
        bridging.append(Bridge(anaphor.mention, link.entity, antecedent, link.antecedent, link.relation))
    return Relations(dict(sets), bridging, found.types)


def _begin(found: BracketedMention) -> tuple[int, int, int]:
    return found.sentence.number, *found.places[0][0]
