"""The attributes Entity, Bridge and SplitAnte of each node, to write them."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from scorch2.formats.conllu.layout import WrittenMention
from scorch2.model.markables import Relations, Word

NodePlace: TypeAlias = tuple[int, int, int]
"""Sentence, word and rank, as in `Word`."""
_TYPE = re.compile(r"[^\s()|=-]*")
"""Types that a bracket can hold; others are left out."""


class _Brackets:
    """The brackets of one node, each with the key by which it is ordered."""

    def __init__(self) -> None:
        self.closing: list[tuple[tuple[int, ...], str]] = []
        self.opening: list[tuple[tuple[int, ...], str]] = []
        self.single: list[tuple[tuple[int, ...], str]] = []

    def cell(self) -> str:
        """Return the value of Entity.

        Brackets close before others open, and longer mentions open first. A single node stands after what
        opens there, or else before what closes.
        """
        closing, opening, single = (
            [text for _, text in sorted(kind)] for kind in (self.closing, self.opening, self.single)
        )
        return "".join([*closing, *opening, *single] if opening else [*single, *closing])


def written_attributes(
    mentions: Sequence[WrittenMention], names: Mapping[str, str], relations: Relations
) -> Mapping[NodePlace, Mapping[str, str]]:
    """Return what stands in MISC of each node that begins or ends a mention.

    Parameters
    ----------
    mentions : sequence of WrittenMention
        All mentions of a document, cluster by cluster.
    names : mapping of str to str
        What each cluster is called.
    relations : Relations
        Of the clusters, by their own names.
    """
    cells: dict[NodePlace, _Brackets] = defaultdict(_Brackets)
    first: dict[str, NodePlace] = {}
    places: dict[tuple[str, object], NodePlace] = {}
    for one in mentions:
        _add(one, names[one.entity], relations.types.get(one.entity, ""), cells)
        begin = _node(one.pieces[0][0])
        first[one.entity] = min(begin, first.get(one.entity, begin))
        places[one.entity, one.mention] = begin
    found: dict[NodePlace, dict[str, str]] = {node: {"Entity": cell.cell()} for node, cell in cells.items()}
    links: dict[tuple[NodePlace, str], list[str]] = defaultdict(list)
    for bridge in relations.bridging:
        place = places.get((bridge.anaphor_entity, bridge.anaphor))
        is_within = bridge.antecedent_entity == bridge.anaphor_entity  # CorefUD cannot say which mention
        if place is not None and bridge.antecedent_entity in first and not is_within:
            link = f"{names[bridge.antecedent_entity]}<{names[bridge.anaphor_entity]}"
            link += f":{bridge.relation}" if bridge.relation else ""
            links[place, "Bridge"].append(link)
    for entity, members in relations.sets.items():
        kept = dict.fromkeys(member for member in members if member in first) if entity in first else {}
        if len(kept) > 1:  # CorefUD knows no set of one
            links[first[entity], "SplitAnte"] += [f"{names[member]}<{names[entity]}" for member in kept]
    for (node, name), written in links.items():
        found[node][name] = ",".join(dict.fromkeys(written))
    return found


def _add(one: WrittenMention, name: str, kind: str, cells: Mapping[NodePlace, _Brackets]) -> None:
    """Add the brackets of a mention to those of its nodes."""
    kind = kind if _TYPE.fullmatch(kind) else ""
    other = one.markable.other if one.markable else ""
    fields = f"-{kind}-{one.head}-{other}".rstrip("-")
    for number, (first, last) in enumerate(one.pieces, 1):
        label = f"{name}[{number}/{len(one.pieces)}]" if len(one.pieces) > 1 else name
        if first == last:
            cells[_node(first)].single.append(((one.size,), f"({label}{fields})"))
        else:
            until, since = _node(last), _node(first)
            cells[since].opening.append(((-one.size, *(-number for number in until)), f"({label}{fields}"))
            cells[until].closing.append(((*(-number for number in since), one.size), f"{label})"))


def _node(word: Word) -> NodePlace:
    return word.sentence, word.word, word.rank
