"""Fuzzing of annotation tools' files: each is refused in one line, or read as a plain reader reads it.

Mutations of the fixtures (broken_rows.py) are read in the format they come from; what is read and what is
refused must be what plain_rows.py reads and refuses, where it has the format. Mentions must lie in their text
and have a label each, detection must not fail, a document must score 1 or 0/0 against itself, and what is
written must be read as the same clusters.

    python tests/campaigns/fuzz_rows.py --format=all --inputs=1000000 --seed=0 --jobs=2

The numbers of inputs are per format. Deterministic for a seed, whatever the number of jobs.
"""

import sys
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import broken_rows
import fuzzing
import plain_rows
from dice import Dice
from findings import broken
from fuzzing import Outcome, Task, check_copy, check_read
from plain_document import plain

from scorch2.formats.copies import write_file
from scorch2.formats.reading import documents
from scorch2.formats.recognition import recognised_in
from scorch2.formats.table import format_names
from scorch2.model.document import Discontinuous, Document, Mention, spans
from scorch2.model.errors import InputError
from scorch2.model.names import labels_of

check_line = partial(fuzzing.check_line, longest=400)
LONGEST_TEXT = 10_000
"""Characters that a made-up text of brat has at most."""
FORMS = [*plain_rows.READERS, *broken_rows.MARKED]


class Trial(NamedTuple):
    """A file, and whether it is also detected, scored and written."""

    data: bytes
    form: str
    thorough: bool


def main() -> int:
    return fuzzing.main(__doc__, "fuzz_rows", "format", FORMS, attempt_chunk)


def attempt_chunk(task: Task) -> Outcome:
    """Make and try the inputs of a chunk."""
    form = task.subject
    dice = Dice(task.seed, FORMS.index(form), task.number)
    trials = (Trial(broken_rows.example(form, dice), form, dice.chance(0.01)) for _ in range(task.inputs))
    return fuzzing.tried(form, trials, _attempt, lambda trial: {"input": trial.data})


def _attempt(trial: Trial) -> str:
    data, form, thorough = trial
    is_modelled = form in plain_rows.READERS
    expected = plain_rows.read(data, form, "d") if is_modelled else None
    try:
        found = documents(data, "d.x", form)
    except InputError as error:
        check_line(str(error))
        if expected is not None:
            broken("what a plain reader takes is refused", str(error))
        return "refused"
    if is_modelled:
        said = [plain(document.clusters, document.id, document.sentences or ()) for document in found]
        check_read(said, expected)
    for document in found:
        _check_places(document)
        for note in document.notes:
            check_line(note)
        if thorough:
            _check_thoroughly(data, document)
    return "read"


def _check_places(document: Document) -> None:
    """Check that spans lie in their text, that each mention has its label, and that losses can be told."""
    length = sum(document.sentences) if document.sentences is not None else None
    for start, end in _all_spans(document) if document.half_open or length is not None else ():
        is_zero = any(map(_is_zero, document.clusters.values()))
        if not 0 <= start <= end or (start == end and not is_zero) or (length is not None and end > length):
            broken("a mention outside of its text", f"{start} to {end} of {length} in {document}")
    labels = labels_of(document)
    if any(len(own) != len(document.clusters[name]) for name, own in labels.items()):
        broken("not as many labels as mentions", f"{labels} in {document}")
    for noun, number in (document.unread() if document.unread is not None else {}).items():
        check_line(noun)
        if number < 0:
            broken("a negative number of things that are not read", f"{noun}: {number}")
    if document.words is not None and len(document.words()) != length:
        broken("not as many words as sentences say", str(document))


def _is_zero(members: Sequence[Mention]) -> bool:
    return any(isinstance(mention, Discontinuous) for mention in members)


def _check_thoroughly(data: bytes, document: Document) -> None:
    """Check detection, the score of a document against itself, and every writer that takes it."""
    recognised_in(data)
    try:
        documents(data, "d.x")
    except InputError as error:
        check_line(str(error))
    check_copy(document, document, "against itself")
    longest = max((end for _, end in _all_spans(document)), default=0)
    if document.unit == "character" and longest <= LONGEST_TEXT:
        document = document._replace(text="w" * longest, sentences=[longest])
    for form in format_names(lambda row: row.writer):
        try:
            text = write_file([document], form).text
            (twin,) = documents(text.encode(), "d.x", form)
        except (InputError, UnicodeEncodeError) as error:
            check_line(str(error))
            continue
        if document.format in {"booknlp", form} and form not in {"graph", "are", "tsv"}:
            check_copy(document, twin, f"written as {form}")


def _all_spans(document: Document) -> list[tuple[int, int]]:
    members = [mention for members in document.clusters.values() for mention in members]
    return list(spans(members)) if document.has_spans else []


if __name__ == "__main__":
    sys.exit(main())
