"""Minimum spans (MINA): the words of a mention that its parse shows to be its core.

Moosavi, Born, Poesio and Strube 2019, "Using Automatically Extracted Minimum Spans to Disentangle Coreference
Evaluation from Boundary Detection", ACL, in the reading of their scorer, coval.
"""

from collections import deque
from collections.abc import Collection, Sequence
from math import inf
from typing import TypeAlias

from scorch2.scoring.matching.parses import Phrase

Minimum: TypeAlias = frozenset[tuple[str, int]]
"""Leaves, each with its place in the sentence."""
_NOMINAL, _VERBAL = ("NP", "NM", "QP", "NX"), ("VP",)
_NOUN_PHRASES = _NOMINAL[:2]
_NO_CORE = ("CC", "DT", "IN")
"""Parts of speech of words that are no core."""
_BRACKETS = ("-LRB-", "-RRB-")


def minimum_span(root: Phrase, words: Sequence[str]) -> Minimum:
    """Return the minimum span of a mention with `words`, of which `root` is the tree.

    It is a leaf alone; else the leaves directly below the root; else the highest leaves of each phrase below
    it of the kind that counts; else the highest leaves of all. If there are none, it is all words.
    """
    if root.is_leaf and _has_core(root):
        return frozenset([(root.label, root.place)])
    found = {(leaf.label, leaf.place) for leaf in root.children if leaf.is_leaf and _has_core(leaf)}
    if not found:
        kinds = _kinds(root)
        phrases = [one for one in root.children if one.children and one.label[:2] in kinds]
        for phrase in phrases:
            found |= _highest(phrase, kinds)
        if not phrases:
            found = _highest(root, ())
    return frozenset(found or ((word, number) for number, word in enumerate(words)))


def _has_core(leaf: Phrase) -> bool:
    """Return whether one of the words of a leaf may be the core of a mention."""
    return any(
        (word == "%" or any(sign.isalpha() or sign.isdigit() for sign in word))
        and word not in _BRACKETS
        and tag not in _NO_CORE
        for word, tag in zip(leaf.words, leaf.tags, strict=True)
    )


def _kinds(root: Phrase) -> Sequence[str]:
    """Return the labels of phrases, by their first two letters, in which the core of a mention may be."""
    own = _kinds_of(root.label)
    if own:
        return own
    below = [child.label[:2] for child in root.children]
    return _VERBAL if "VP" in below and not set(below) & set(_NOUN_PHRASES) else _NOMINAL


def _kinds_of(label: str) -> Sequence[str]:
    if label[:2] in _NOUN_PHRASES:
        return _NOMINAL
    return _VERBAL if label[:2] == "VP" else ()


def _highest(start: Phrase, kinds: Collection[str]) -> set[tuple[str, int]]:
    """Return the leaves with a core that are highest below `start`, reached through phrases of some kinds.

    Without kinds, the first noun or verb phrase on the way tells them. Leaves count only in such phrases.
    """
    found: set[tuple[str, int]] = set()
    highest = inf
    waiting = deque([(start, 0)])
    while waiting:
        phrase, depth = waiting.popleft()
        kinds = kinds or _kinds_of(phrase.label)
        if phrase.is_leaf and depth <= highest:
            if _has_core(phrase):
                found.add((phrase.label, phrase.place))
                highest = depth
        elif depth < highest and (depth == 0 or not kinds or phrase.label[:2] in kinds):
            is_kind = phrase.label[:2] in kinds
            waiting += [(child, depth + 1) for child in phrase.children if is_kind or not child.is_leaf]
    return found
