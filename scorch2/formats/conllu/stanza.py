"""Stanza's CoNLL-U, as ``CoNLL.write_doc2conll`` writes it: each word says to which chains it belongs.

``coref_chains=start-repr-id0,unit-id2`` opens a mention of chain 0, the representative one, on a word that is
a mention of chain 2; ``middle-id0`` goes on, ``end-id0`` ends. Zeros are empty nodes. No head is named.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from scorch2.formats.conllu.corefud_lines import (
    CorefUDSentence,
    NodeRow,
    sentence_ids,
    sentences,
    tags,
    trees,
    words,
)
from scorch2.formats.conllu.shared import CHAINS, CellError, Part, parts
from scorch2.model.document import Discontinuous, Document, Mention, OnDemand, Span, Words
from scorch2.model.errors import InputError
from scorch2.model.markables import Nodes, Word

_REPRESENTATIVE = re.compile(rb"[=,](?:unit|start)-repr-id([0-9]+)")
_ENTITY = re.compile(rb"[\t|]Entity=")
_BOTH = "it has Entity, too, which is not read (name the format corefud to read it instead of coref_chains)"


class _OpenMention:
    """A mention of which words are still to come."""

    def __init__(self, chain: str, node: NodeRow) -> None:
        self.chain = chain
        self.first = self.last = node.place[0]
        self.line = node.line


def _is_marked(row: str) -> bool:
    return "coref_chains=" in row or "ner=" in row


def documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order."""
    for part in parts(data, stem, path):
        yield _document(part, path)


def _document(part: Part, path: str) -> Document:
    chains: dict[str, list[Span]] = defaultdict(list)
    lengths = []
    for sentence, marked in sentences(part, path, _is_marked):
        lengths.append(sentence.length)
        for chain, mention in _mentions(sentence, marked):
            chains[chain].append(mention)
    both = [_BOTH] if _ENTITY.search(part.data) else []
    in_order: dict[str, Sequence[Mention]] = {
        chain: sorted(chains[chain]) for chain in sorted(chains, key=int)
    }
    return Document(
        part.name, in_order, path, lengths, "stanza", notes=both,
        words=Words(words, part), tags=Words(tags, part), trees=OnDemand(trees, part),
        sentence_ids=OnDemand(sentence_ids, part), unread=OnDemand(_unread, part),
    )  # fmt: skip


def _unread(part: Part) -> Mapping[str, int]:
    representatives = {found[1] for found in _REPRESENTATIVE.finditer(part.data)}
    return {"representative mention": len(representatives), '"Entity" value': len(_ENTITY.findall(part.data))}


def _mentions(sentence: CorefUDSentence, marked: list[NodeRow]) -> Iterator[tuple[str, Span]]:
    """Yield the mentions of a sentence, each with its chain, in the order in which they end."""
    open_now: dict[str, list[_OpenMention]] = defaultdict(list)
    for node in marked:
        try:
            yield from _of_node(sentence, node, open_now)
        except CellError as error:
            raise InputError(sentence.path, f"line {node.line}", str(error)) from None
    _check_open(open_now, 0, sentence.path)


def _check_open(open_now: dict[str, list[_OpenMention]], word: int, path: str) -> None:
    """Refuse mentions that are open, but for those that hold the word before `word`."""
    # So each stands on the row before: to look at all again costs no more than to read that row.
    for mention in (mention for own in open_now.values() for mention in own):
        if mention.last != word - 1:
            why = f"a mention of id{mention.chain} begins here and does not end"
            raise InputError(path, f"line {mention.line}", why)


def _of_node(
    sentence: CorefUDSentence, node: NodeRow, open_now: dict[str, list[_OpenMention]]
) -> Iterator[tuple[str, Span]]:
    """Yield the mentions that end on a word or an empty node."""
    (word, rank), before = node.place, sentence.before
    if rank:
        yield from _zeros(sentence, node)
        return
    _check_open(open_now, word, sentence.path)
    left: dict[str, Iterator[_OpenMention]] = {}
    for place, chain in _places(node):
        if place == "unit":
            yield chain, (before + word - 1, before + word)
        elif place == "start":
            open_now[chain].append(_OpenMention(chain, node))
        else:  # the mentions of a chain come in the order in which they began
            if chain not in left:
                left[chain] = iter(open_now[chain].copy())
            mention = next(left[chain], None)
            if mention is None or mention.last != word - 1:
                raise CellError(f'"{place}-id{chain}", but no mention of the chain goes on here')
            mention.last = word
            if place == "end":
                open_now[chain].remove(mention)
                if not open_now[chain]:
                    del open_now[chain]
                yield chain, (before + mention.first - 1, before + word)


def _zeros(sentence: CorefUDSentence, node: NodeRow) -> Iterator[tuple[str, Span]]:
    """Yield the mentions that an empty node is."""
    (word, rank), before = node.place, sentence.before
    for place, chain in _places(node):
        if place != "unit":
            raise CellError(f'"{place}-id{chain}" on an empty node (it is a mention of its own: unit)')
        nodes = Nodes((), (Word(sentence.number, word, rank),))
        yield chain, Discontinuous(before + word, before + word, nodes)


def _places(node: NodeRow) -> Iterator[tuple[str, str]]:
    """Yield where in a mention a row stands, and the number of the chain, for each of its mentions."""
    found = [match[1] for attribute in node.misc.split("|") if (match := CHAINS.fullmatch(attribute))]
    if len(found) > 1:
        raise CellError("coref_chains stands twice on one word (join them)")
    for written in found[0].split(",") if found else ():
        place, _, rest = written.partition("-")
        yield place, rest.removeprefix("repr-").removeprefix("id")
