"""Notes on what the reference scorer does in its own way, where ``score --profile=conll`` may differ."""

from collections.abc import Iterator

from scorch2.conll_scorer.identification import Identified
from scorch2.conll_scorer.reader import ReferenceDocument
from scorch2.model.errors import Notice, counted


def notes(key: ReferenceDocument, response: ReferenceDocument | None, found: Identified) -> Iterator[Notice]:
    """Yield one notice for each way in which this scorer treats a document unlike ``score``."""
    sides = [key, response] if response else [key]
    odd = sum(document.odd_tokens for document in sides)
    comments = sum(document.comments for document in sides)
    lettered = sum(document.lettered for document in sides)
    discarded = sum(len(document.discarded) for document in sides)
    if found.repeats_in_response:
        dropped = counted(found.repeats_in_response, "repeated response mention")
        yield Notice("repeats", key.name, f"{dropped} dropped, the first of each kept")
    if found.spurious_repeats:
        kept = counted(found.spurious_repeats, "repeated response mention")
        yield Notice("repeats", key.name, f"{kept} that the key lacks kept: they lower precision")
    if found.repeats_in_key:
        kept = counted(found.repeats_in_key, "repeated key mention")
        yield Notice("repeats", key.name, f"{kept} kept: scores may exceed 100%")
    if odd:
        how = "opened before closed, searched anywhere in the cell"
        yield Notice("tags", key.name, f"tags of {counted(odd, 'token')} read the legacy way ({how})")
    if lettered:
        why = "with an id that is no number read: scorer.pl ignores them, and its scores differ"
        yield Notice("ids", key.name, f"{counted(lettered, 'tag')} {why}")
    if discarded:
        yield Notice("tags", key.name, f"{counted(discarded, 'tag')} such as (1+2) discarded")
    if comments:
        yield Notice("tokens", key.name, f"{counted(comments, 'comment line')} counted as tokens")
    if response and response.tokens != key.tokens:
        counts = f"{counted(response.tokens, 'token')} in the response, {key.tokens} in the key"
        yield Notice("tokens", key.name, f"{counts}: not compared, so mentions may not be the same text")
    if not response:
        yield Notice("missing", key.name, "the response lacks it: scored against an empty one")
