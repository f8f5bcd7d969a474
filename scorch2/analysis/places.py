"""Places: the errors of each kind along the texts, by windows, or by documents where there are many.

An error is where its first mention is. What is left of a document behind its last whole window is a window of
its own if it is half as long, else a part of the last one.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from scorch2.analysis.error_report import Findings, Place, Stretch
from scorch2.analysis.kinds import KINDS, LOSES_RECALL, Located
from scorch2.analysis.pair import MatchedPair
from scorch2.scoring.report import Report

MANY = 10
"""So many documents are places themselves, unless windows are asked for."""
MOST_WINDOWS = 120  # for which windows are chosen that are not asked for
_STEP = 10  # tokens that errors are counted by until the length of windows is known
_ROUND = (1, 2, 5)


def stretches(pair: MatchedPair, errors: Iterable[Located], windows: Sequence[int]) -> list[Stretch]:
    """Return the errors of a document by pieces of the first of some lengths, or of a few tokens."""
    length = windows[0] if windows else _STEP
    starts = [
        [start for start, _ in pair.token_spans(side)] if pair.has_tokens else [0] * len(side.mentions)
        for side in pair.sides[:2]
    ]
    found: dict[int, tuple[int, Located, list[int]]] = {}
    kinds = {kind: place for place, kind in enumerate(KINDS)}
    for error in errors:
        start = starts[error.kind not in LOSES_RECALL][error.mentions[0]]
        number = start // length
        first, _, counts = found.get(number, (start, error, [0] * len(kinds)))
        if number not in found or start < first:
            found[number] = start, error, counts
        counts[kinds[error.kind]] += 1
    return [Stretch(number, counts, first) for number, (_, first, counts) in sorted(found.items())]


def places_of(report: Report, evidence: Sequence[Findings], windows: Sequence[int]) -> list[Place]:
    """Return the windows of all documents in order, or documents, those with most errors per token first."""
    tokens = [findings.tokens for findings in evidence]
    known = [size for size in tokens if size is not None]
    is_cut = len(known) == len(tokens) and (bool(windows) or len(tokens) < MANY)
    lengths = windows[:1] if windows else _lengths()
    most = max(MOST_WINDOWS, len(known))  # each document has a window at least
    length = next(n for n in lengths if windows or _windows_in(known, n) <= most)
    step = windows[0] if windows else _STEP
    if is_cut and _windows_in(known, length) > len(known):
        return [
            place
            for document, findings, end in zip(report.documents, evidence, known, strict=True)
            for place in _along(document.id, end, length, step, findings.places)
        ]
    whole = [
        _place(document.id, 0, end or 0, findings.places, 0 if end else document.gold_mentions)
        for document, findings, end in zip(report.documents, evidence, tokens, strict=True)
    ]
    return sorted(whole, key=lambda place: (-place.rate, place.document))


def _lengths() -> Iterator[int]:
    """Yield round numbers of tokens."""
    yield from (number * _STEP * 10**power for power in count() for number in _ROUND)


def _windows_in(sizes: Sequence[int], length: int) -> int:
    return sum(_number(size, length) for size in sizes)


def _number(size: int, length: int) -> int:
    return max(1, (2 * size + length) // (2 * length))


def _along(document: str, end: int, length: int, step: int, found: Sequence[Stretch]) -> Iterator[Place]:
    number = _number(end, length)
    inside: list[list[Stretch]] = [[] for _ in range(number)]
    for stretch in found:
        inside[min(stretch.number * step // length, number - 1)].append(stretch)
    for place, its in enumerate(inside):
        yield _place(document, place * length, end if place == number - 1 else (place + 1) * length, its)


def _place(document: str, start: int, end: int, its: Sequence[Stretch], size: int = 0) -> Place:
    counts = map(sum, zip(*(one.counts for one in its), strict=True)) if its else [0] * len(KINDS)
    errors = dict(zip(KINDS, counts, strict=True))
    return Place(document, start, end, size or end - start, errors, its[0].first if its else None)
