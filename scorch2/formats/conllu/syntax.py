"""The head of a mention by the syntax of its sentence, where the format of the mention says nothing.

The rule of the CorefUD tools (udapi, block corefud.MoveHead): the node that no other of the mention governs;
of several the one above all others, else the first.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from scorch2.model.markables import Edge, Nodes, Tree, Word

_Node: TypeAlias = tuple[int, int]
"""A word or an empty node of a sentence, as in `Word`; the root is word 0."""


class Syntax(NamedTuple):
    """Who governs whom in a sentence."""

    parents: Mapping[_Node, _Node]  # by basic dependencies
    governors: Mapping[_Node, Sequence[_Node]]  # by enhanced dependencies, of nodes that have some
    written: Mapping[_Node, frozenset[Edge]]  # the same as written

    @classmethod
    def of(cls, tree: Tree) -> "Syntax":
        """Return the syntax of a tree."""
        parents: dict[_Node, _Node] = {}
        governors: dict[_Node, list[_Node]] = {}
        written: dict[_Node, frozenset[Edge]] = {}
        for row in tree.rows:
            node = _node(row.id)
            if node is None:
                continue
            parent = _node(row.head)
            if parent is not None and not node[1]:
                parents[node] = parent
            edges = [edge.partition(":") for edge in row.deps.split("|")]
            known = [place for name, _, _ in edges if (place := _node(name)) is not None]
            if known:
                governors[node] = known
                written[node] = frozenset((name, relation) for name, _, relation in edges)
        return cls(parents, governors, written)

    def head(self, nodes: Nodes) -> Word:
        """Return the head of a mention of the sentence."""
        sentence = nodes.first.sentence
        members = [(first.word + step, first.rank) for first, size in nodes.parts() for step in range(size)]
        inside = set(members)
        roots = [node for node in members if self.parents.get(node) not in inside]
        if len(roots) > 1:
            every = {node: [governor in inside for governor in self._above(node)] for node in roots}
            free = [node for node in roots if not any(every[node])]
            roots = free or [node for node in roots if not all(every[node])]
        if len(roots) > 1:
            highest = self._common(self._word_above(node) for node in roots)
            roots = [highest] if highest in roots else roots
        return Word(sentence, *(roots or members)[0])

    def _above(self, node: _Node) -> Sequence[_Node]:
        parent = self.parents.get(node)
        return self.governors.get(node) or ([] if parent is None else [parent])

    def _word_above(self, node: _Node) -> _Node | None:
        """Return a word itself, and for an empty node the first word that governs it."""
        return node if not node[1] else next((one for one in self._above(node) if not one[1]), None)

    def _common(self, words: Iterable[_Node | None]) -> _Node | None:
        """Return the lowest node that is above all words, or one of them."""
        rows = [self._row(word) for word in words if word is not None]
        common = None
        for level in zip(*rows, strict=False):
            if len(set(level)) > 1:
                break
            common = level[0]
        return common

    def _row(self, word: _Node) -> list[_Node]:
        """Return the nodes from the root down to a word; a circle is cut."""
        row = {word: None}
        while word in self.parents and self.parents[word] not in row:
            word = self.parents[word]
            row[word] = None
        return list(row)[::-1]


def _node(name: str) -> _Node | None:
    word, _, rank = name.partition(".")
    if not (word.isdecimal() and (rank or "0").isdecimal() and len(name) < 20):  # noqa: PLR2004 - no huge numbers
        return None
    return int(word), int(rank or 0)
