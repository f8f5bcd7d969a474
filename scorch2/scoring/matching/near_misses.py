"""Runs in which hardly a mention matches, though most would if one side counted its spans in another way.

Ends may be inclusive or exclusive, and numbers may count from 0 or 1, in spans and in names of mentions such
as ``0.3-4``. A document in which enough mentions match is not looked at. For any other document the mentions
that would match are counted under each shift of the spans. Counts are added over documents, and the run is
judged as a whole.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import cast

from scorch2.model.errors import Notice, in_percent
from scorch2.model.names import COUNTINGS, Counting, counting_of
from scorch2.model.score import Measured
from scorch2.scoring.contingency import Partition
from scorch2.scoring.matching.matched import Matched, NearMisses
from scorch2.scoring.matching.mention_kinds import SUBTOKENS
from scorch2.scoring.matching.preprocessing import Shift, shift_of

_FEW, _MOST = 0.05, 0.5  # shares of the mentions: less than `_FEW` match, and more than `_MOST` would
_LEAST = 2  # mentions that have to match under a shift: one may do so by chance
_SHIFTS = {Shift(*both) for both in ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, 1))}
"""What is tried on the spans of the system: ends, starts or both one less or more."""
_NAME = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})-(?:([0-9]{1,9})\.)?([0-9]{1,9})")
"""What the converter calls a mention: ``<sentence>.<first>-<last>``, or ``-<sentence>.<last>`` at the end."""
_PHRASES = {
    "inclusive": "ends were inclusive",
    "exclusive": "ends were exclusive",
    "inclusive-from-1": "spans counted from 1, with inclusive ends",
    "exclusive-from-1": "spans counted from 1, with exclusive ends",
}


def matches_if_shifted(matched: Matched) -> tuple[tuple[str, int], ...]:
    """Return how many mentions would match under each shift, in words, under which some do."""
    left, right = matched.whole or (matched.gold_alone, matched.system)
    if _are_spans(left, right):
        sides = matched.pair.gold.written, matched.pair.system.written
        countings = [counting_of(side) if side.has_spans else None for side in sides]  # lists may be only ids
        of_subtokens = _by_subtokens(left, right, sides[0].subtokens)
        matches = [*of_subtokens, *_by_spans(left, right, _remedies(*countings))]
    else:
        matches = [*_by_names(left, right)]
    return tuple((remedy, many) for remedy, many in matches if many)


def _are_spans(*sides: Partition) -> bool:
    return all(
        isinstance(mention, tuple)
        and len(mention) == len(Shift._fields)
        and all(type(part) is int for part in mention)
        for side in sides
        for mention in side.owner
    )


def _by_spans(
    left: Partition, right: Partition, remedies: Iterable[tuple[Shift, str]]
) -> Iterator[tuple[str, int]]:
    """Yield remedies and how many spans of the system each would bring to one of gold."""
    for moved, remedy in remedies:
        spans = cast("Iterable[tuple[int, int]]", right.owner)
        there = {(start + moved.start, end + moved.end) for start, end in spans}
        yield remedy, len(there & left.owner.keys())


def _by_subtokens(left: Partition, right: Partition, word_of: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Yield how many spans of the system would match if they were of sub-tokens whose words gold has."""
    spans = cast("Iterable[tuple[int, int]]", right.owner if word_of else ())
    inside = [(start, end) for start, end in spans if 0 <= start < end <= len(word_of)]
    there = {(word_of[start], word_of[end - 1] + 1) for start, end in inside}
    yield f"if the system counted sub-tokens: {SUBTOKENS}", len(there & left.owner.keys())


def _by_names(left: Partition, right: Partition) -> Iterator[tuple[str, int]]:
    """Yield what could be added to names, and how many would then match; nothing for other mentions."""
    gold, system = _places(left), _places(right)
    said = "both numbers of names such as 0.3-4 are tokens of the mention, counted from 0"
    for moved in sorted(_SHIFTS):
        there = {(begin, first + moved.start, end, last + moved.end) for begin, first, end, last in system}
        what = " and ".join(name for name, added in zip(("first", "last"), moved, strict=True) if added)
        how = "lower" if min(moved) < 0 else "higher"
        yield f"if the {what} token in names of the system were 1 {how} ({said})", len(there & gold)


def _places(side: Partition) -> set[tuple[int, int, int, int]]:
    """Return the sentences and tokens that names tell: where a mention begins, and where it ends."""
    places = set()
    for mention in side.owner:
        name = _NAME.fullmatch(mention) if isinstance(mention, str) else None
        if name is None:
            return set()
        begin, first, end, last = name.groups()
        places.add((int(begin), int(first), int(end or begin), int(last)))
    return places


@lru_cache
def _remedies(gold: Counting | None, system: Counting | None) -> Sequence[tuple[Shift, str]]:
    """Return shifts of the system's spans, each with the fewest and simplest options for it, in words."""
    choices = [["", *COUNTINGS] if side is not None else list(COUNTINGS) for side in (gold, system)]
    remedies: dict[Shift, str] = {}
    for values in sorted(product(*choices), key=_effort):
        here, there = (
            shift_of(value, side or COUNTINGS["exclusive"]) if value else Shift(0, 0)
            for value, side in zip(values, (gold, system), strict=True)
        )
        added = Shift(there.start - here.start, there.end - here.end)
        if added in _SHIFTS:
            remedies.setdefault(added, _in_words(*values))
    return list(remedies.items())


def _effort(values: Sequence[str]) -> tuple[int, int, bool]:
    """Return what makes a remedy worse than others: options, counting from 1, doubting gold."""
    typed = [value for value in values if value]
    return len(typed), sum(COUNTINGS[value].first for value in typed), bool(values[0])


def _in_words(gold: str, system: str) -> str:
    """Return what would shift the spans of both sides, and the options for it; empty where none is needed."""
    sides = [("gold", "gold", gold), ("system", "sys", system)]
    phrases = [f"{side} {_PHRASES[value]}" for side, _, value in sides if value]
    typed = [f"--{option}-offsets={value}" for _, option, value in sides if value]
    return f"if {' and '.join(phrases)}: {' '.join(typed)}"


def near_miss_warning(
    near: Sequence[tuple[NearMisses, Measured]], documents: Iterable[Measured]
) -> list[Notice]:
    """Return the warning about a run, if it needs one: the near misses of documents that were looked at."""
    # All mentions of documents that were not looked at are taken to match
    under: Counter[str] = Counter()
    for counts, _ in near:
        under.update(dict(counts.under))
    if not under:
        return []
    others = sum(document.fewer for document in documents) - sum(document.fewer for _, document in near)
    mentions = others + sum(counts.mentions for counts, _ in near)
    matched = others + sum(counts.matched for counts, _ in near)
    if matched >= _FEW * mentions:
        return []
    remedy, many = max(under.items(), key=itemgetter(1))
    least = 1 if SUBTOKENS in remedy else _LEAST  # a map of sub-tokens is a reason of its own
    if many < max(least, _MOST * mentions):
        return []
    shares = [in_percent(count / mentions) for count in (matched, many)]
    return [Notice("near-misses", "", f"{shares[0]} of the mentions match; {shares[1]} would match {remedy}")]
