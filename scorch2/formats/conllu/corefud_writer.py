"""CorefUD from documents with words, as the validator of Universal Dependencies wants it."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain, count
from typing import NamedTuple

from scorch2.formats.conllu import shared
from scorch2.formats.conllu.corefud import documents as read
from scorch2.model.document import Discontinuous, Document, Mention, with_only
from scorch2.model.errors import quoted
from scorch2.model.markables import Nodes, Relations, SyntaxRow, Tree, Word, highest_nodes
from scorch2.model.names import main_categories


class Placed(NamedTuple):
    """A mention inside a sentence."""

    first: tuple[int, int]  # its first node: the sentence, and the place there
    last: tuple[int, int]
    is_whole: bool  # whether it has all nodes between these
    nodes: Nodes


class NotCrossing:
    """Some mentions of a cluster, which do not cross."""

    def __init__(self, mentions: Sequence[Placed]) -> None:
        """Begin with none of `mentions`, which may be added."""
        borders = sorted({border for mention in mentions for border in (mention.first, mention.last)})
        self._number = {border: number for number, border in enumerate(borders, 1)}
        self._ends = _Largest(len(borders) + 1)  # for each number, the last end of those that begin there
        self._begins = _Largest(len(borders) + 1)
        """For each number, the first begin of those that end there; it is counted from the end."""
        self._of_sentence: dict[int, list[Nodes]] = defaultdict(list)
        self._torn: dict[int, list[Nodes]] = defaultdict(list)

    def crosses(self, mention: Placed) -> bool:
        """Return whether a mention crosses one of these."""
        sentence, (first, last) = mention.first[0], self._borders(mention)
        if not mention.is_whole:
            return any(mention.nodes.crosses(other) for other in self._of_sentence[sentence])
        return (
            self._ends.among(first + 1, last + 1) > last
            or self._begins.among(first, last) > len(self._number) - first
            or any(mention.nodes.crosses(other) for other in self._torn[sentence])
        )

    def add(self, mention: Placed) -> None:
        """Add a mention that crosses none of these."""
        sentence, (first, last) = mention.first[0], self._borders(mention)
        self._of_sentence[sentence].append(mention.nodes)
        if mention.is_whole:
            self._ends.put(first, last)
            self._begins.put(last, len(self._number) - first)
        else:
            self._torn[sentence].append(mention.nodes)

    def _borders(self, one: Placed) -> tuple[int, int]:
        return self._number[one.first], self._number[one.last]


class _Largest:
    """The largest of the values at some places, which a segment tree has for many places at once."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._nodes = [-1] * (2 * size)

    def put(self, place: int, value: int) -> None:
        node = place + self._size
        while node and self._nodes[node] < value:
            self._nodes[node] = value
            node //= 2

    def among(self, start: int, stop: int) -> int:
        """Return the largest value from one place up to another, or -1."""
        nodes = highest_nodes(start + self._size, stop + self._size)
        return max((self._nodes[node] for node in nodes), default=-1)


def fitting(document: Document) -> Document:
    """Return the document without the mentions that CorefUD cannot hold."""
    # They leave their sentence, have the words of an earlier one, or cross an earlier one of their cluster:
    # the two share words, and neither holds the other.
    lengths = document.sentences or ()
    starts = [0, *accumulate(lengths)]
    empty: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for mention in chain.from_iterable(document.clusters.values()):
        for node in mention.nodes.empty if isinstance(mention, Discontinuous) else ():
            empty[node.sentence].add(node[1:])
    orders = [shared.Order(length, empty.get(number, ())) for number, length in enumerate(lengths)]
    seen: set[Mention] = set()
    places: dict[str, list[int]] = {}
    for name, members in document.clusters.items():
        placed = [_placed(shared.nodes_of(mention, starts), orders) for mention in members]
        kept = NotCrossing([member for member in placed if member is not None])
        places[name] = []
        for i, (mention, own) in enumerate(zip(members, placed, strict=True)):
            if own is not None and mention not in seen and not kept.crosses(own):
                places[name].append(i)
                kept.add(own)
            seen.add(mention)
    return with_only(document, places)


def _placed(nodes: Nodes, orders: Sequence[shared.Order]) -> Placed | None:
    """Return a mention by its places; None if it has no words or leaves its sentence."""
    if not nodes.size or nodes.first.sentence != nodes.last.sentence:
        return None
    sentence = nodes.first.sentence
    first, last = (orders[sentence].place(node) for node in (nodes.first, nodes.last))
    return Placed((sentence, first), (sentence, last), last - first + 1 == nodes.size, nodes)


_TYPE = re.compile(r"[^\s\0()|=-]*")  # types that a bracket can hold; others are left out


class _Brackets:
    """The brackets of one node, each with the key by which it is ordered."""

    def __init__(self) -> None:
        self.closing: list[tuple[tuple[int, ...], str]] = []
        self.opening: list[tuple[tuple[int, ...], str]] = []
        self.single: list[tuple[tuple[int, ...], str]] = []

    def cell(self) -> str:
        # Brackets close before others open, and longer mentions open first. A single node stands after what
        # opens there, or else before what closes.
        kinds = self.closing, self.opening, self.single
        closing, opening, single = ([text for _, text in sorted(kind)] for kind in kinds)
        return "".join([*closing, *opening, *single] if opening else [*single, *closing])


def written_attributes(
    mentions: Sequence[shared.WrittenMention],
    names: Mapping[str, str],
    types: Mapping[str, str],
    relations: Relations,
) -> Mapping[Word, Mapping[str, str]]:
    """Return what stands in MISC of each node that begins or ends a mention."""
    cells: dict[Word, _Brackets] = defaultdict(_Brackets)
    first: dict[str, Word] = {}
    places: dict[tuple[str, object], Word] = {}
    for mention in mentions:
        _add(mention, names[mention.entity], types[mention.entity], cells)
        begin = mention.pieces[0][0]
        first[mention.entity] = min(begin, first.get(mention.entity, begin))
        places[mention.entity, mention.mention] = begin
    values: dict[Word, dict[str, str]] = {node: {"Entity": cell.cell()} for node, cell in cells.items()}
    links: dict[tuple[Word, str], list[str]] = defaultdict(list)
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
        values[node][name] = ",".join(dict.fromkeys(written))
    return values


def _add(mention: shared.WrittenMention, name: str, kind: str, cells: Mapping[Word, _Brackets]) -> None:
    kind = kind if _TYPE.fullmatch(kind) else ""
    other = mention.markable.other if mention.markable else ""
    fields = f"-{kind}-{mention.head}-{other}".rstrip("-")
    for number, (first, last) in enumerate(mention.pieces, 1):
        label = f"{name}[{number}/{len(mention.pieces)}]" if len(mention.pieces) > 1 else name
        if first == last:
            cells[first].single.append(((mention.size,), f"({label}{fields})"))
        else:
            opens_at = -mention.size, *(-number for number in last)
            cells[first].opening.append((opens_at, f"({label}{fields}"))
            cells[last].closing.append(((*(-number for number in first), mention.size), f"{label})"))


_FORMAT = "CorefUD"
_HEADER = "# global.Entity = eid-etype-head-other"
_NAME = re.compile(r"[^\s()\[\]|=,<:-]+")  # names of entities that brackets and links can hold


def write_file(documents: Sequence[Document]) -> str:
    """Return documents with words as CorefUD: their trees, if they have some, and all known of mentions."""
    # Entities keep their names if brackets can hold those of their document and no document before has one of
    # them; else they are called by numbers: ``e1``, ``e2`` and so on.
    taken = {name for document in documents for name in document.clusters}
    free = (name for name in map("e{}".format, count(1)) if name not in taken)
    used: set[str] = set()
    texts = []
    for document in documents:
        own = [name for name, members in document.clusters.items() if members]
        keep = used.isdisjoint(own) and all(map(_NAME.fullmatch, own))
        names = {name: name if keep else next(free) for name in own}
        used.update(names.values())
        texts.append(_written(document, names))
    return "".join(texts)


def _written(document: Document, names: Mapping[str, str]) -> str:
    trees = shared.sentences_of(document, _FORMAT)
    relations = document.relations() if document.relations is not None else Relations()
    mentions = list(shared.written_mentions(document, trees, _FORMAT))
    cells = written_attributes(mentions, names, main_categories(document), relations)
    lines = [f"# newdoc id = {document.id}", _HEADER]
    for number, tree in enumerate(trees):
        lines += tree.comments
        lines += [_row(row, number, cells) for row in tree.rows]
        lines.append("")
    text = "".join(f"{line}\n" for line in lines)
    copy = shared.read_again(text, lines, document, read, _FORMAT)
    if unlike := _unlike(copy, document, trees, names):
        raise shared.refused(document, _FORMAT, unlike)
    return text


def _row(row: SyntaxRow, sentence: int, cells: Mapping[Word, Mapping[str, str]]) -> str:
    """Return the line of a row, with its attributes of coreference among the others of MISC, by name."""
    word, _, rank = row.id.partition(".")
    own = {} if "-" in row.id else cells.get(Word(sentence, int(word), int(rank or 0)), {})
    if not own:
        return "\t".join(row)
    misc = row.misc.split("|") if row.misc != "_" else []
    for name, value in own.items():
        after = (i for i, other in enumerate(misc) if other.partition("=")[0].lower() > name.lower())
        misc.insert(next(after, len(misc)), f"{name}={value}")
    return "\t".join(row._replace(misc="|".join(misc)))


def _unlike(copy: Document, document: Document, trees: Sequence[Tree], names: Mapping[str, str]) -> str:
    """Return in words what differs in a document that was read again; empty if nothing does."""
    if copy.trees is None or [tree.rows for tree in copy.trees()] != [tree.rows for tree in trees]:
        return "its words or sentences would be read in another way"
    for name, label in names.items():
        if Counter(copy.clusters.get(label, ())) != Counter(document.clusters[name]):
            odd = f"mentions of the entity {quoted(name)} would be read in another way"
            return f"{odd} (two of them cross; --lossy keeps one)"
    return ""
