"""Fuzzing of texts with marks: each is refused in one line, or read as a plain reader reads it.

Mutations of small texts (broken_marked.py) are read with marks that are repaired, and must be read, refused
or in need of repair as plain_marked.py says. Some are scored with ``--align=text`` against the text that
they were made from, under all ways of pairing and joining, and against themselves, which must give 1 or 0/0;
and what is written must be read as the same clusters.

    python tests/campaigns/fuzz_marked.py --format=all --inputs=1000000 --seed=0 --jobs=2

The numbers of inputs are per format. Deterministic for a seed, whatever the number of jobs.
"""

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple
from unittest import mock

import broken_marked
import fuzzing
import plain_marked
from dice import Dice
from findings import broken
from fuzzing import Outcome, Task, check_copy, check_read, plainly

from scorch2.formats.copies import write_file
from scorch2.formats.reading import documents, stream_of
from scorch2.formats.recognition import recognised_in
from scorch2.formats.source import stem
from scorch2.formats.table import FORMATS, format_names
from scorch2.model.document import Document
from scorch2.model.errors import InputError, InputErrors, PairingError
from scorch2.model.forms import forms_of, render
from scorch2.model.options import Options, options_from
from scorch2.scoring.flow import score_paths
from scorch2.scoring.metrics import OF_CLUSTERS
from scorch2.scoring.report import Report

check_line = partial(fuzzing.check_line, longest=520)
ALL = (*OF_CLUSTERS, "copied")
COPIED = {"metrics": ALL, "align": "text", "missing": "empty", "extra": "skip", "duplicates": "merge"}
REPAIRED = {**COPIED, "marks": "repair"}
WAYS: Sequence[Mapping[str, Any]] = (
    COPIED,
    REPAIRED,
    {**REPAIRED, "pair": "order"},
    {**REPAIRED, "pair": "text"},
    {**REPAIRED, "join_windows": "(.)"},
    {**REPAIRED, "join_windows": "([a-z]*)", "twinless": "singletons"},
    {"profile": "crac-llm"},
)
SCORED = 0.002
"""The share of inputs that are also scored and written."""


class Trial(NamedTuple):
    """A text, and what it is scored against if it is more than read."""

    data: bytes
    form: str
    gold: bytes
    options: Options | None
    report: str


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        for side in ("gold", "sys"):  # the content comes from memory
            open(os.path.join(folder, side), "wb").close()
        forms = list(broken_marked.FORMS)
        return fuzzing.main(__doc__, "fuzz_marked", "format", forms, partial(attempt_chunk, folder))


def attempt_chunk(folder: str, task: Task) -> Outcome:
    """Make and try the inputs of a chunk."""
    dice = Dice(task.seed, list(broken_marked.FORMS).index(task.subject), task.number)
    contents: dict[str, bytes] = {}
    trials = (_trial(task.subject, dice) for _ in range(task.inputs))
    with mock.patch("scorch2.formats.source._read_bytes", contents.__getitem__):
        return fuzzing.tried(task.subject, trials, lambda trial: _attempt(trial, contents, folder), _files)


def _trial(form: str, dice: Dice) -> Trial:
    valid, broken = broken_marked.example(form, dice)
    options = None
    if dice.chance(SCORED):
        known = None if form == "crac" else form
        options = options_from(**dice.pick(WAYS), gold_format=known, sys_format=known)
    return Trial(broken, form, valid, options, dice.pick(list(forms_of("scores"))))


def _attempt(trial: Trial, contents: dict[str, bytes], folder: str) -> str:
    expected = plain_marked.read(trial.data, trial.form, "d")
    try:
        found = list(stream_of(trial.data, "d.x", None if trial.form == "crac" else trial.form))
    except InputError as error:
        check_line(str(error))
        if expected is not None:
            broken("what a plain reader takes is refused", str(error))
        return "refused"
    check_read([plain_marked.Read(plainly(document), bool(document.repairs)) for document in found], expected)
    for document in found:
        for line in (*document.notes, *map(str, document.repairs)):
            check_line(line)
    if trial.options is not None:
        _check_scored(trial, trial.options, contents, folder)
        recognised_in(trial.data)
        for document in found:
            _check_written(document)
    return "repaired" if any(document.repairs for document in found) else "read"


def _check_scored(trial: Trial, options: Options, contents: dict[str, bytes], folder: str) -> None:
    """Score a text against the one it was made from, and against itself."""
    gold, system = (os.path.join(folder, side) for side in ("gold", "sys"))
    contents[system] = trial.data
    for content in (trial.gold, trial.data):
        contents[gold] = content
        try:
            report = score_paths(gold, system, options)
        except (InputError, PairingError) as error:
            for each in error.errors if isinstance(error, InputErrors) else [error]:
                check_line(str(each))
            continue
        for notice in report.notices:
            check_line(notice.message)
        render(report, trial.report, per_document=True).encode()
        _check_report(report, is_same=content is trial.data and not options.join_windows)


def _check_report(report: Report, *, is_same: bool) -> None:
    for document in report.documents:
        for name, score in report.document_scores(document).items():
            values = [float(value) for value in score if value.defined]
            if not all(0 <= value <= 1 for value in values):
                broken(f"{name} is not in 0..1", str(score))
            if is_same and name != "conll" and set(values) - {1.0}:
                broken(f"{name} of a text against itself is not 1", str(score))
        copying = document.copying
        if copying is None:
            continue
        words = copying.copied + copying.changed + copying.deleted
        if min(copying) < 0 or words != copying.words or copying.end > copying.words:
            broken("the account of a copy does not add up", str(copying))


def _check_written(document: Document) -> None:
    """Check that a document which a writer takes is read again as the same one."""
    _check_copies([document], [document], "against itself")
    for form in format_names(lambda row: row.writer):
        try:
            text = write_file([document], form).text
            twins = documents(text.encode(), f"{stem(document.id) or 'd'}.x", form)
        except (InputError, UnicodeEncodeError) as error:
            check_line(str(error))
            continue
        if document.has_mentions and form in broken_marked.FORMS and FORMATS[form].needs_tokens:
            _check_copies([document], twins, f"written as {form}")


def _check_copies(golds: Sequence[Document], systems: Sequence[Document], what: str) -> None:
    if len(golds) != len(systems):
        broken(f"a document {what} is not one", str(systems))
    for gold, system in zip(golds, systems, strict=True):
        check_copy(gold, system, what)


def _files(trial: Trial) -> dict[str, bytes]:
    how = f"report {trial.report}, {trial.options}\n"
    return {"gold": trial.gold, "sys": trial.data, "how": how.encode()}


if __name__ == "__main__":
    sys.exit(main())
