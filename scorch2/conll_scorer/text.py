"""The text of the reference scorer: dumps and counts, totals, percentages cut to 2 decimals."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scorch2.conll_scorer.identification import Identified, repeats
from scorch2.conll_scorer.reader import ReferenceDocument
from scorch2.model.errors import escaped
from scorch2.model.score import Score, Tally, finish
from scorch2.scoring.metrics import blanc

RULE = "-" * 74


class Scored(NamedTuple):
    """One document of the key and what was counted on it for one metric."""

    key: ReferenceDocument
    response: ReferenceDocument | None
    found: Identified
    tallies: Sequence[Tally]
    """One, or the coreferent and the other links of blanc."""


def details(scored: Scored, *, by_id: bool) -> Iterator[str]:
    """Yield the lines about one document: both dumps, the mention counts and, but for blanc, its scores."""
    if by_id:
        yield f"{escaped(scored.key.name)}:"
    yield from _dump(scored.key)
    yield from _dump(scored.response)
    found = scored.found
    if not by_id:
        yield f"{escaped(scored.key.name) if len(scored.tallies) == 1 else ''}:"
    yield from repeats(scored.key, scored.response)
    yield f"Total key mentions: {found.key_mentions}"
    yield f"Total response mentions: {found.response_mentions}"
    yield f"Strictly correct identified mentions: {found.exact}"
    yield "Partially correct identified mentions: 0"
    yield f"No identified: {found.key_mentions - found.exact}"
    yield f"Invented: {found.spurious + found.repeats_in_key}"
    if len(scored.tallies) == 1:
        yield _line(scored.tallies[0])
        yield RULE


def totals(documents: Sequence[Scored], parts: int) -> Iterator[str]:
    """Yield the lines about all documents together; `parts` is the number of tallies of the metric."""
    mentions = _sum(
        [
            Tally(one.found.exact, one.found.key_mentions, one.found.exact, one.found.response_mentions)
            for one in documents
        ]
    )
    sums = [_sum([one.tallies[part] for one in documents]) for part in range(parts)]
    yield from ("", "====== TOTALS =======", f"Identification of Mentions: {_line(mentions)}", RULE)
    if parts == 1:
        yield from (f"Coreference: {_line(sums[0])}", RULE)
        return
    coreferent, other = sums
    yield from ("", "Coreference:", f"Coreference links: {_line(coreferent)}", RULE)
    yield from (f"Non-coreference links: {_line(other)}", RULE)
    mean = blanc.finish_as_reference([coreferent, other, Tally(0, 0, 0, 0)])
    yield from (f"BLANC: {_shown(Tally(mean.recall, 1, mean.precision, 1), mean)}", RULE)


def _dump(document: ReferenceDocument | None) -> Iterator[str]:
    name = escaped(document.name) if document else ""
    yield f"====> {name}:"
    for tag in document.discarded if document else ():
        yield f"Discarded {tag}"
    yield f"File {name}:"
    for number, entity in enumerate(document.entities if document else ()):
        yield f"Entity {number}:" + "".join(f" ({first},{last})" for first, last in entity)


def _line(tally: Tally) -> str:
    return _shown(tally, finish([tally]))


def _shown(tally: Tally, score: Score) -> str:
    recall = f"({_number(tally.recall_num)} / {_number(tally.recall_den)}) {_percent(score.recall)}"
    counts = f"{_number(tally.precision_num)} / {_number(tally.precision_den)}"
    precision = f"({counts}) {_percent(score.precision)}"
    return f"Recall: {recall}\tPrecision: {precision}\tF1: {_percent(score.f1)}"


def _sum(tallies: Sequence[Tally]) -> Tally:
    """Add up in the order of the documents: with rounding, as the reference scorer does."""
    total = Tally(0, 0, 0, 0)
    for tally in tallies:
        total = Tally(*(one + other for one, other in zip(total, tally, strict=True)))
    return total


def _number(value: float) -> str:
    return f"{value:.15g}"


def _percent(value: float) -> str:
    """Cut, not round, after two decimals: 57/100 is 56.99."""
    return f"{int(value * 10000) / 100:.15g}%"
