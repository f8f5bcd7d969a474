"""Windows of a text that a system got one after the other, joined by the words of gold they are copies of.

Entities of two windows are one if a mention of each is on the same words. Windows that share no words keep
their entities apart.
"""

from collections.abc import Mapping, Sequence

from scorch2.model.besides import Copying
from scorch2.model.document import Document, Mention
from scorch2.model.errors import Notice, counted
from scorch2.model.options import Options
from scorch2.scoring.matching.copied_text import (
    Original,
    aligned,
    as_gold,
    changes_of,
    copied_in,
    in_gold,
    in_tokens,
    may_collide,
    words_of,
)
from scorch2.scoring.matching.matched import ComparedPair
from scorch2.scoring.matching.word_alignment import Alignment

_ROOM = 3  # a window is looked for in so many times its words first, from where the one before begins
_LEAST = 1000  # and in so many words at least
_ENOUGH = 0.9
"""The share of its words that must be found there, else it is looked for in the rest: two thirds of them
may be found in order nearly everywhere."""
_RARE = 20  # a word that gold has at most so often says where in the rest


def join_windows(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return a pair with the windows of the system, if it has some, as one document in the words of gold."""
    system = pair.system.document
    if not system.windows:
        return pair
    gold = in_tokens(pair.gold.document)
    original, here = Original.of(gold), words_of(gold)
    rare = _rare_words(here)
    behind: list[str] = []
    parts: list[dict[str, list[Mention]]] = []
    accounts: list[Copying] = []
    texts: list[tuple[Alignment, Sequence[str]]] = []
    begin = before = apart = 0
    for window in system.windows:
        there = words_of(window)
        alignment = _aligned_from(begin, here, there, window, rare)
        texts.append((alignment, there))
        clusters, copying = in_gold(original, window, alignment, behind, apart=may_collide(options))
        parts.append(clusters)
        accounts.append(copying)
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
    changes = changes_of(texts, len(here))
    copied = copied_in((alignment for alignment, _ in texts), len(here))
    changed = sum(end - start for (start, end), words in changes if words)
    deleted = len(here) - sum(copied) - changed
    end = max(copying.end for copying in accounts)
    total = total._replace(words=len(here), copied=sum(copied), changed=changed, deleted=deleted, end=end)
    document = as_gold(gold, system._replace(windows=(), categories=None), joined, behind)
    compared = pair.compared_as(gold, document)
    notices = (*pair.notices, notice)
    return compared._replace(notices=notices, changes=lambda: changes).noting("copying", total)


def _rare_words(here: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Return the places of the words that a text has a few times."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(here):
        places.setdefault(word, []).append(place)
    return {word: every for word, every in places.items() if len(every) <= _RARE}


def _aligned_from(
    begin: int,
    here: Sequence[str],
    there: Sequence[str],
    window: Document,
    rare: Mapping[str, Sequence[int]],
) -> Alignment:
    """Return what a window stands for in the text from a place on."""
    room = max(_ROOM * len(there), _LEAST)
    near = _aligned_in(begin, begin + room, here, there, window)
    last = max((span[1] for span in near.originals if span), default=begin)
    is_whole = last + len(there) // 10 < begin + room  # or else its end may be behind the room
    if begin + room >= len(here) or (is_whole and sum(near.equal) >= _ENOUGH * len(there)):
        return near
    later = sorted(place for word in set(there) for place in rare.get(word, ()) if place >= begin)
    if not later:
        return near
    start = _densest(later, len(there)) - len(there)
    far = _aligned_in(max(start, begin), start + room, here, there, window)
    return max(near, far, key=lambda found: sum(found.equal))


def _densest(places: Sequence[int], length: int) -> int:
    """Return the first of the places of which most lie within some length."""
    best = first = most = 0
    for number, place in enumerate(places, 1):
        while places[first] + length < place:
            first += 1
        if number - first > most:
            best, most = places[first], number - first
    return best


def _aligned_in(
    begin: int, end: int, here: Sequence[str], there: Sequence[str], window: Document
) -> Alignment:
    """Return what a window stands for in a stretch of the text."""
    found = aligned(here[begin:end], there, window)
    originals = [span and (span[0] + begin, span[1] + begin) for span in found.originals]
    return found._replace(originals=originals, begin=begin)


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
