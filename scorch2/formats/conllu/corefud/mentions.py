"""From the brackets of CorefUD to mentions of a document, and on demand to all that is said about them."""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import chain, repeat

from scorch2.formats.conllu.corefud.annotation import BracketedMention, annotation
from scorch2.formats.conllu.corefud.cells import Header, other_fields, other_places
from scorch2.formats.conllu.corefud.rows import Node, Sentence
from scorch2.formats.conllu.parts import Part
from scorch2.model.document import Mention
from scorch2.model.errors import InputError
from scorch2.model.markables import Bridge, Edge, Markable, Pieces, Relations, Word
from scorch2.model.messages import quoted


def mention_of(found: BracketedMention) -> Mention:
    """Return a mention as a span of the words of the document, or in pieces if no span can say it."""
    sentence = found.sentence
    first, last = found.pieces[0]
    if len(found.pieces) == 1 and not (sentence.empty and _has_empty(sentence, first, last)):
        return sentence.before + first.word - 1, sentence.before + last.word
    nodes = found.nodes()
    words = [word for word, rank in nodes if not rank]
    start = sentence.before + (words[0] - 1 if words else nodes[0][0])
    end = sentence.before + (words[-1] if words else nodes[0][0])
    if len(nodes) == len(words) == end - start:
        return start, end
    return Pieces(start, end, tuple(Word(sentence.number, word, rank) for word, rank in nodes))


def _has_empty(sentence: Sentence, first: Node, last: Node) -> bool:
    """Return whether one of the nodes from first to last is empty; found without a look at each."""
    place = bisect_left(sentence.empty, first[:2])
    return place < len(sentence.empty) and sentence.empty[place][:2] <= last[:2]


def markables(
    part: Part, header: Header | None, header_line: int, path: str
) -> Mapping[str, Sequence[Markable]]:
    """Return all that is said about the mentions of a document, by entity."""
    found = annotation(part, header, header_line, path).mentions
    others = other_places(header) if header else ()
    nodes: dict[int, tuple[Word, ...]] = {}
    return {
        entity: [_markable(one, nodes, others, path) for one in members] for entity, members in found.items()
    }


def _markable(
    found: BracketedMention,
    known: dict[int, tuple[Word, ...]],
    others: Sequence[tuple[int, str]],
    path: str,
) -> Markable:
    """Return a mention; those of one sentence share its nodes, which are `known` by its number."""
    sentence = found.sentence
    nodes = known.get(sentence.number)
    if nodes is None:
        nodes = known[sentence.number] = _nodes(sentence)
    if found.of or sentence.empty:
        chunks = tuple([_slice(nodes, *piece) for piece in found.pieces])
        words = tuple(sorted(set(chain.from_iterable(chunks)))) if found.of else chunks[0]
        ends = tuple([(chunk[0], chunk[-1]) for chunk in chunks])
    else:
        ((first, last),) = found.pieces
        words = nodes[first.word - 1 : last.word]
        ends = ((words[0], words[-1]),)
    head = words[min(found.head, len(words)) - 1] if found.head else words[0]
    edges = _edges(found, head, path) if head.rank else frozenset()
    return Markable(words, head, frozenset((head,)), ends, edges, other_fields(found.fields, others))


def _nodes(sentence: Sentence) -> tuple[Word, ...]:
    """Return the words and empty nodes of a sentence, in the order of the text."""
    places = zip(repeat(sentence.number), range(1, sentence.length + 1), repeat(0))
    words = map(tuple.__new__, repeat(Word), places)  # a third of the time of Word(...)
    empty = [Word(sentence.number, node.word, node.rank) for node in sentence.empty]
    return tuple(sorted([*words, *empty]) if empty else words)


def _slice(nodes: tuple[Word, ...], first: Node, last: Node) -> tuple[Word, ...]:
    """Return those of the nodes of a sentence that are in a piece of a mention."""
    number = nodes[0].sentence
    start = bisect_left(nodes, (number, first.word, first.rank))
    return nodes[start : bisect_right(nodes, (number, last.word, last.rank), start)]


def _edges(found: BracketedMention, head: Word, path: str) -> frozenset[Edge]:
    """Return the enhanced dependencies of the empty node that is the head."""
    empty = found.sentence.empty
    node = empty[bisect_left(empty, (head.word, head.rank))]
    if node.deps in ("", "_"):
        return frozenset()
    parts = [one.partition(":") for one in node.deps.split("|")]
    for governor, _, _ in parts:
        if not _is_there(governor, found):
            why = f"the empty node {head.word}.{head.rank} depends on {quoted(governor)}, which is not there"
            raise InputError(path, f"line {node.line}", why)
    return frozenset((governor, relation) for governor, _, relation in parts)


def _is_there(governor: str, found: BracketedMention) -> bool:
    """Return whether the node of a name is in the sentence of a mention, or is the root."""
    word, dot, rank = governor.partition(".")
    if not all(part.isascii() and part.isdecimal() for part in (word, rank or "0")):
        return False
    if not dot:
        return int(word[:10]) <= found.sentence.length
    node = int(word[:10]), int(rank[:10] or 0)
    empty = found.sentence.empty
    place = bisect_left(empty, node)
    return place < len(empty) and empty[place][:2] == node


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
        antecedent = mention_of(others[place - 1]) if place else None
        bridging.append(Bridge(mention_of(anaphor), link.entity, antecedent, link.antecedent, link.relation))
    return Relations(dict(sets), bridging, found.types)


def _begin(found: BracketedMention) -> tuple[int, int, int]:
    first = found.pieces[0][0]
    return found.sentence.number, first.word, first.rank
