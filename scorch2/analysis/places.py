"""Places: the errors of each kind along the texts, by windows, or by documents where there are many.

An error is where its first mention is. What is left of a document behind its last whole window is a window of
its own if it is half as long, else a part of the last one.
"""

from collections.abc import Iterable, Sequence
from itertools import product

from scorch2.analysis.error_report import Findings, Place, Stretch
from scorch2.analysis.kinds import KINDS, LOSES_RECALL, Located
from scorch2.analysis.pair import MatchedPair
from scorch2.scoring.report import Report

MANY = 10
"""So many documents are places themselves, unless windows are asked for."""
MOST_WINDOWS = 120  # for which windows are chosen that are not asked for
_STEP = 10  # tokens that errors are counted by until the length of windows is known
_LENGTHS = [digit * 10**power for power, digit in product(range(1, 12), (1, 2, 5))]
_NUMBERS = {kind: number for number, kind in enumerate(KINDS)}


def stretches(pair: MatchedPair, errors: Iterable[Located], windows: Sequence[int]) -> list[Stretch]:
    """Return the errors of a document by pieces of the first of some lengths, or of a few tokens."""
    starts = [pair.token_spans(side) if pair.has_tokens else () for side in pair.sides[:2]]
    found: dict[int, tuple[int, list[int], Located]] = {}
    for error in errors:
        spans = starts[error.kind not in LOSES_RECALL]
        start = spans[error.mentions[0]][0] if spans else 0
        number = start // (windows[0] if windows else _STEP)
        first, counts, _ = found.get(number, (start + 1, [0] * len(KINDS), error))
        if start < first:
            found[number] = start, counts, error
        counts[_NUMBERS[error.kind]] += 1
    return [(number, counts, first) for number, (_, counts, first) in sorted(found.items())]


def places_of(report: Report, evidence: Sequence[Findings], windows: Sequence[int]) -> list[Place]:
    """Return the windows of all documents in order, or documents, those with most errors per token first."""
    ends = [findings.tokens or 0 for findings in evidence]
    most = max(MOST_WINDOWS, len(ends))  # each document has a window at least
    lengths = windows[:1] or [n for n in _LENGTHS if sum(_windows_in(end, n) for end in ends) <= most]
    numbers = [_windows_in(end, lengths[0]) for end in ends]
    if not (windows or len(ends) < MANY) or max(numbers, default=1) == 1:
        lengths, numbers = [max(ends, default=0) + 1], [1 for _ in ends]
    length, step, every = lengths[0], windows[0] if windows else _STEP, []
    for document, end, number, findings in zip(report.documents, ends, numbers, evidence, strict=True):
        inside: list[list[Stretch]] = [[] for _ in range(number)]
        for stretch in findings.places:
            inside[min(stretch[0] * step // length, number - 1)].append(stretch)
        for place, its in enumerate(inside):
            start, stop = place * length, end if place == number - 1 else (place + 1) * length
            size = stop - start if end else document.gold_mentions
            errors = {kind: sum(counts[n] for _, counts, _ in its) for kind, n in _NUMBERS.items()}
            every.append(Place(document.id, start, stop, size, errors, its[0][2] if its else None))
    return every if max(numbers, default=1) > 1 else sorted(every, key=lambda p: (-p.rate, p.document))


def _windows_in(size: int, length: int) -> int:
    return max(1, (2 * size + length) // (2 * length))
