"""Windows of a text that a system got one after the other, joined by the words of gold they are copies of.

Entities of two windows are one if a mention of each is on the same words. Windows that share no words keep
their entities apart.
"""

from collections.abc import Sequence

from scorch2.model.document import Document, Mention
from scorch2.model.errors import Notice, counted
from scorch2.model.options import Options
from scorch2.model.score import Copying
from scorch2.scoring.matching.copied_text import (
    aligned,
    as_gold,
    changes_of,
    in_gold,
    in_tokens,
    may_collide,
    words_of,
)
from scorch2.scoring.matching.matched import ComparedPair
from scorch2.scoring.matching.word_alignment import Alignment

_ROOM = 3  # a window is looked for in so many times its words first, from where the one before begins
_LEAST = 1000  # and in so many words at least
_ENOUGH = 0.5  # the share of its words that must be found there; else it is looked for in all the rest


def join_windows(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return a pair with the windows of the system, if it has some, as one document in the words of gold."""
    system = pair.system.document
    if not system.windows:
        return pair
    gold = in_tokens(pair.gold.document)
    here = words_of(gold)
    behind: list[str] = []
    parts: list[dict[str, list[Mention]]] = []
    accounts: list[Copying] = []
    texts: list[tuple[Alignment, Sequence[str]]] = []
    copied = [False] * len(here)
    begin = before = apart = 0
    for window in system.windows:
        there = words_of(window)
        alignment = _aligned_from(begin, here, there, window)
        texts.append((alignment, there))
        clusters, copying = in_gold(gold, window, alignment, behind, apart=may_collide(options))
        parts.append(clusters)
        accounts.append(copying)
        copied = [one or other for one, other in zip(copied, alignment.equal, strict=True)]
        places = [span for span in alignment.originals if span]
        begin = places[0][0] if places else begin
        apart += bool(len(parts) > 1 and (not places or begin >= before))
        before = places[-1][1] if places else before
    joined, met = _joined(parts, sum(gold.sentences or ()))
    made = f"{counted(len(parts), 'window')} joined"
    made += f", and {counted(met, 'pair')} of entities by mentions in both"
    lack = f"; {counted(apart, 'window')} without words of the one before: ids do not join" if apart else ""
    notice = Notice("windows", pair.id, f"{made}{lack}")
    total = Copying(*map(sum, zip(*accounts, strict=True)))
    changes = changes_of(texts)
    changed = sum(end - start for (start, end), words in changes if words)
    deleted = len(here) - sum(copied) - changed
    end = max(copying.end for copying in accounts)
    total = total._replace(words=len(here), copied=sum(copied), changed=changed, deleted=deleted, end=end)
    document = as_gold(gold, system._replace(windows=()), joined, behind)
    compared = pair.compared_as(gold, document)
    notices = (*pair.notices, notice)
    return compared._replace(copying=total, notices=notices, changes=lambda: changes)


def _aligned_from(begin: int, here: Sequence[str], there: Sequence[str], window: Document) -> Alignment:
    """Return what a window stands for in the text from a place on."""
    for room in (max(_ROOM * len(there), _LEAST), len(here)):
        end = min(begin + room, len(here))
        found = aligned(here[begin:end], there, window)
        if end == len(here) or sum(found.equal) >= _ENOUGH * len(there):
            break
    return found._replace(
        originals=[span and (span[0] + begin, span[1] + begin) for span in found.originals],
        equal=[*[False] * begin, *found.equal, *[False] * (len(here) - end)],
    )


def _joined(parts: Sequence[dict[str, list[Mention]]], end: int) -> tuple[dict[str, list[Mention]], int]:
    """Return the clusters of all windows, as one those with a mention in common, and how often they met."""
    leader: dict[tuple[int, str], tuple[int, str]] = {}

    def find(key: tuple[int, str]) -> tuple[int, str]:
        while leader.setdefault(key, key) != key:
            leader[key] = leader[leader[key]]
            key = leader[key]
        return key

    first: dict[Mention, tuple[int, str]] = {}
    met = 0
    for number, clusters in enumerate(parts):
        for name, members in clusters.items():
            for mention in members:
                if isinstance(mention, tuple) and mention[0] >= end:  # it matches nothing
                    continue
                one, other = find(first.setdefault(mention, (number, name))), find((number, name))
                met += one != other
                leader[max(one, other)] = min(one, other)
    joined: dict[tuple[int, str], dict[Mention, None]] = {}
    for number, clusters in enumerate(parts):
        for name, members in clusters.items():
            joined.setdefault(find((number, name)), {}).update(dict.fromkeys(members))
    return {f"{number + 1}:{name}": list(members) for (number, name), members in joined.items()}, met
