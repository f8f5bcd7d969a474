"""Matchers again, as plainly as their rules can be written down: every pair is looked at.

A mention is a list of pieces ``(first, last)`` of word numbers. Used by `tests/scoring/test_matchers.py`.
"""

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import TypeAlias

Pieces: TypeAlias = Sequence[tuple[int, int]]


def craft(gold: Sequence[Pieces], system: Sequence[Pieces]) -> list[tuple[int, int]]:
    """Return the pairs of the CRAFT task of 2019, both sides in the order of the text."""
    pairs: list[tuple[int, int]] = []
    for number, response in enumerate(system):
        for row, key in enumerate(gold):
            begin, end = key[0]
            if any(begin <= first and last <= end for first, last in response):
                if all(row != other for other, _ in pairs):
                    pairs.append((row, number))
                break
    return pairs


Place: TypeAlias = tuple[int, int, int]
"""Sentence, word and rank of a word or of an empty node."""


def share(key: Sequence[Place], response: Sequence[Place]) -> Fraction:
    """Return the share of the words of a gold mention that a system mention has."""
    return Fraction(sum(node in response for node in key), len(key))


def is_part(key: Sequence[Place], minimum: Collection[Place], response: Sequence[Place]) -> bool:
    """Return whether a system mention is a part of a gold mention and has all of its minimum."""
    inside = all(node in key for node in response)
    return inside and bool(minimum) and all(node in response for node in minimum)


def dependencies(key: Collection[tuple[str, str]], response: Collection[tuple[str, str]]) -> Fraction:
    """Return the weight of two zeros: ten times the F1 of their edges, and that of their governors."""
    governors = [sorted({governor for governor, _ in edges}) for edges in (key, response)]
    return 10 * _f1(list(key), list(response)) + _f1(*governors)


def _f1(key: Sequence[object], response: Sequence[object]) -> Fraction:
    common = sum(one in response for one in key)
    return Fraction(2 * common, len(key) + len(response)) if common else Fraction(0)


Row: TypeAlias = tuple[str, str, str]
"""A word, its tag, and its part of the parse."""
Leaf: TypeAlias = tuple[str, int]
"""Words, and the token at whose bracket they end."""


class Node:
    """A phrase, or a leaf with the rows of its words."""

    def __init__(self, label: str, leaf: Leaf | None = None, run: Sequence[Row] = ()) -> None:
        self.label = label
        self.leaf = leaf
        self.run = run
        self.below: list[Node] = []


def nested(spans: Sequence[tuple[int, int]], keys: Sequence[str], *, keep_single: bool) -> list[int]:
    """Return the mentions of a cluster without those inside others: every pair in turn, as coval does it.

    Mentions of one key are the same one.
    """
    inner = []
    for number, one in enumerate(spans):
        for place in range(number + 1, len(spans)):
            other = spans[place]
            if keys[number] == keys[place]:
                continue
            if other[0] <= one[0] and one[1] <= other[1]:
                inner.append(keys[number])
            elif one[0] <= other[0] and other[1] <= one[1]:
                inner.append(keys[place])
    every = list(range(len(spans)))
    if len(spans) != 1 and len(spans) - len(inner) == 1:
        return every if keep_single else []
    return [place for place in every if keys[place] not in inner]


def minimum_span(rows: Sequence[Row], first: int) -> set[Leaf]:
    """Return the minimum span of a mention, the number of whose first word is given; none without a parse."""
    trees = _trees(rows, first)
    if not trees:
        return set()
    root = trees[0]
    if len(trees) > 1:
        root = Node("NP")
        root.below = trees
    if root.leaf and _counts(root):
        return {root.leaf}
    found: set[Leaf] = {node.leaf for node in root.below if node.leaf and _counts(node)}
    if found:
        return found
    names = [node.label[:2] for node in root.below]
    if root.label[:2] == "VP":
        kinds = ["VP"]
    elif root.label[:2] in ("NP", "NM") or "NP" in names or "NM" in names or "VP" not in names:
        kinds = ["NP", "NM", "QP", "NX"]
    else:
        kinds = ["VP"]
    tops = [node for node in root.below if node.below and node.label[:2] in kinds]
    for node in tops:
        found |= _shallowest(node, kinds)
    if not tops:
        found = _shallowest(root, [])
    return found or {(word, number) for number, (word, _, _) in enumerate(rows)}


def _trees(rows: Sequence[Row], first: int) -> list[Node]:
    """Return the trees of rows: each sign in turn, with the path of nodes that are open."""
    signs = [(sign, number) for number, (_, _, parse) in enumerate(rows, first) for sign in _signs(parse)]
    trees: list[Node] = []
    path: list[Node] = []
    run: list[Row] = []

    def leaf(number: int) -> None:
        text = " ".join(word for word, _, _ in run)
        node = Node(text, (text, number), list(run))
        if path:
            path[-1].below.append(node)
        else:
            trees.append(node)
            path.append(node)

    for sign, number in [*signs, ("", first + len(rows) - 1)]:
        if sign == "*":
            run.append(rows[number - first])
            continue
        if run and (sign[:1] != "(" or any(word.isalpha() or word.isdigit() for word, _, _ in run)):
            leaf(number)
        run = []
        if sign[:1] == "(":
            node = Node(sign[1:])
            (path[-1].below if path else trees).append(node)
            path.append(node)
        elif path:
            path.pop()
    return trees


def _signs(parse: str) -> list[str]:
    return re.findall(r"\([A-Z]+|\*|\)", parse)


def _counts(node: Node) -> bool:
    return any(
        (re.search(r"[A-Za-z0-9]", word) or word == "%")
        and word not in ("-LRB-", "-RRB-")
        and tag not in ("CC", "DT", "IN")
        for word, tag, _ in node.run
    )


def _shallowest(start: Node, kinds: list[str]) -> set[Leaf]:
    """Return the leaves that count on the first level that has some, level by level."""
    level = [start]
    while level:
        below: list[Node] = []
        found: set[Leaf] = set()
        for node in level:
            if not kinds:
                kinds = {"NP": ["NP", "NM", "QP", "NX"], "NM": ["NP", "NM", "QP", "NX"], "VP": ["VP"]}.get(
                    node.label[:2], []
                )
            if node.leaf:
                found |= {node.leaf} if _counts(node) else set()
            elif node is start or not kinds or node.label[:2] in kinds:
                inside = node.label[:2] in kinds
                below += [one for one in node.below if inside or not one.leaf]
        if found:
            return found
        level = below
    return set()
