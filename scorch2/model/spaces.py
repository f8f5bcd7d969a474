"""Spaces between words: which words their text writes without one before them."""

import re
from collections.abc import Collection, Sequence
from itertools import chain, pairwise

from scorch2.model.document import Document, Span

_UNSPACED = re.compile(
    "[\u0e00-\u109f\u1780-\u17ff\u3000-\u9fff\uf900-\ufaff\uff00-\uff9f\U00020000-\U0003ffff]"
)  # Thai, Lao, Tibetan, Burmese, Khmer, Chinese and Japanese, with their punctuation


def glued(document: Document, words: Sequence[str]) -> frozenset[int]:
    """Return the words before which no blank stands: as CoNLL-U says, else by the script of most words."""
    found, at = set(), 0
    for row in chain.from_iterable(tree.rows for tree in (document.trees() if document.trees else ())):
        first, _, last = row.id.partition("-")
        if "." not in row.id and "SpaceAfter=No" in row.misc.split("|"):
            found.add(at + (int(last) - int(first) if last else 0) + 1)
        at += first == row.id and "." not in row.id
    if not (found or "".join(words).isascii()) and 2 * sum(map(bool, map(_UNSPACED.match, words))) > len(
        words
    ):
        meeting = [left[-1:] + right[:1] for left, right in pairwise(words)]
        found.update(place for place, signs in enumerate(meeting, 1) if _UNSPACED.search(signs))
    return frozenset(found)


def joined(words: Sequence[str], span: Span, between: str, without: Collection[int]) -> str:
    """Return the words of a span with spaces between, but before those that are `without` one."""
    if not without:
        return between.join(words[slice(*span)])
    start, end = span
    rest = ("" if at in without else between for at in range(start + 1, end))
    return "".join(chain.from_iterable(zip(chain([""], rest), words[start:end], strict=False)))
