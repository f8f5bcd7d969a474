"""Fuzzing: whatever the bytes, an input is refused in one line or scored between 0 and 1, and nothing else.

Mutations of valid documents (broken_json.py, broken_conll.py, broken_bytes.py) go through the whole way of
scoring in this process: reading, pairing, matching, all metrics, all reports. Each is the system, the gold or
both sides of a pair; where both sides are the same, every document must score 1 or 0/0. What is read must be
what plain_readers.py reads, and what a document is converted to must score 1 against it.

    python tests/campaigns/fuzz.py --reader=all --inputs=1000000 --seed=0 --jobs=2

The numbers of inputs are per reader. Deterministic for a seed, whatever the number of jobs.
"""

import json
import math
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from typing import NamedTuple
from unittest import mock

import broken_conll
import broken_conllu
import broken_json
import broken_markables
import broken_ua
import broken_webanno
import fuzzing
import plain_crossdoc
import plain_readers
from dice import Dice
from findings import broken
from fuzzing import Outcome, Task, check_copy, check_perfect, check_read, plainly

from scorch2.cli.outputs import safe_name
from scorch2.formats.copies import write, write_file
from scorch2.formats.reading import read
from scorch2.formats.source import read_data, stem
from scorch2.formats.table import FORMATS, GOLD_KEYS, SYSTEM_KEYS, ClusterKeys, format_names
from scorch2.model.document import Discontinuous, Document
from scorch2.model.errors import InputError, InputErrors, PairingError
from scorch2.model.forms import forms_of, render
from scorch2.model.options import Options, options_from
from scorch2.scoring.flow import score_paths
from scorch2.scoring.metrics import OF_CLUSTERS
from scorch2.scoring.report import Report

REPORTS = forms_of("scores")

READERS: dict[str, Callable[[Dice], tuple[bytes, bytes]]] = {
    "json": broken_json.example,
    "conll": broken_conll.example,
    "conllu": broken_conllu.example,
    "ua": broken_ua.example,
    "stanza": broken_conllu.example_of_chains,
    "jsonlines": broken_json.example_of_lines,
    "crossdoc": partial(broken_json.example_of_lines, seeds=plain_crossdoc.SEEDS),
    "webanno": broken_webanno.example,
    "mmax": broken_markables.mmax,
    "ecb": broken_markables.ecb,
}
FORMATS_OF_ROWS = {"conll": "conll", "conllu": "corefud", "ua": "ua", "stanza": "stanza"}
"""Broken columns may be those of another format, so theirs is said."""
LONGEST_MESSAGE = 520
"""Characters of an error or a warning: two paths, a document, two words and what stands around two others, of
up to 80 each."""
check_line = partial(fuzzing.check_line, longest=LONGEST_MESSAGE)
LONGEST_FILE_NAME = 245

ALL = tuple(OF_CLUSTERS)
CHOICES = (
    options_from(metrics=ALL),
    options_from(metrics=ALL, average="pooled", missing="empty", extra="skip"),
    options_from(metrics=ALL, average="macro", missing="skip", extra="skip"),
    options_from(metrics=ALL, duplicates="first", twinless="singletons"),
    options_from(metrics=ALL, duplicates="merge"),
    options_from(metrics=ALL, singletons="drop", duplicates="first"),
    options_from("scorch"),
    options_from("conll"),
)
NAMES = (
    "d.jsonlines",
    "d.json",
    "d.conll",
    "d.conllu",
    "d.ua",
    "d.txt",
    "odd \x1b[31m\u2028 name.json",
    "long" * 50,
)
"""Files of these names exist while a campaign runs, but their content comes from memory."""


class Trial(NamedTuple):
    """Two files that are scored against each other."""

    reader: str
    gold: bytes
    system: bytes
    broken: str
    """Which of them is broken; ``both`` are then the same."""
    name: str
    options: Options
    report: str
    converts: bool
    """Whether what is read is also written in all formats."""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        for side in ("gold", "sys"):
            os.mkdir(os.path.join(folder, side))
            for name in NAMES:
                open(os.path.join(folder, side, name), "wb").close()
        return fuzzing.main(__doc__, "fuzz", "reader", list(READERS), partial(attempt_chunk, folder))


def attempt_chunk(folder: str, task: Task) -> Outcome:
    """Make and try the inputs of a chunk."""
    dice = Dice(task.seed, list(READERS).index(task.subject), task.number)
    contents: dict[str, bytes] = {}
    trials = (_trial(task.subject, dice) for _ in range(task.inputs))
    with mock.patch("scorch2.formats.source._read_bytes", contents.__getitem__):
        return fuzzing.tried(task.subject, trials, lambda trial: _attempt(trial, contents, folder), _files)


def _trial(reader: str, dice: Dice) -> Trial:
    valid, broken = READERS[reader](dice)
    side = dice.pick(("gold", "sys", "both"))
    gold, system = (valid if side == "sys" else broken), (valid if side == "gold" else broken)
    name = dice.pick(NAMES) if dice.chance(0.3) else f"d.{reader}"
    return Trial(
        reader, gold, system, side, name, dice.pick(CHOICES), dice.pick(list(REPORTS)), dice.chance(0.1)
    )


def _attempt(trial: Trial, contents: dict[str, bytes], folder: str) -> str:
    """Read what is broken, score both files, and check what comes of it."""
    gold, system = (os.path.join(folder, side, trial.name) for side in ("gold", "sys"))
    contents[gold], contents[system] = trial.gold, trial.system
    keys = {"gold": GOLD_KEYS, "sys": SYSTEM_KEYS, "both": ()}[trial.broken]
    _check_reading(system if trial.broken == "sys" else gold, trial.reader, contents, keys)
    try:
        report = score_paths(gold, system, trial.options)
    except (InputError, PairingError) as error:
        for each in error.errors if isinstance(error, InputErrors) else [error]:
            check_line(str(each))
        return "refused"
    _check_scores(report)
    for notice in report.notices:
        check_line(notice.message, "a warning")
    _check_text(render(report, trial.report, per_document=True), trial.report)
    if trial.broken == "both" and b"predicted_c" not in read_data(gold):  # else the sides differ
        _check_identity(report)
    if trial.converts:
        _check_conversions(gold, contents)
    return "scored"


def _check_reading(path: str, reader: str, contents: dict[str, bytes], keys: ClusterKeys) -> None:
    """Check that a file is read, or refused, as by a reader without short cuts."""
    expected = plain_readers.read(contents[path], reader, stem(path), keys)
    try:
        documents = read(path, FORMATS_OF_ROWS.get(reader), keys=keys)
    except InputError as error:
        if expected is not None:
            broken("what a plain reader takes is refused", str(error))
        return
    check_read(list(map(plainly, documents)), expected)


def _check_scores(report: Report) -> None:
    every = [report.scores, *(report.document_scores(document) for document in report.documents)]
    for scores in every:
        for name, score in scores.items():
            if not all(math.isfinite(value) and 0 <= value <= 1 for value in score):
                broken(f"{name} is not in 0..1", str(score))


def _check_identity(report: Report) -> None:
    """Check documents that were scored against themselves."""
    for document in report.documents:
        for name, score in report.document_scores(document).items():
            by_another_rule = name == "conll" or (name == "blanc" and report.options.blanc == "reference")
            if not by_another_rule:
                check_perfect(name, score)


def _check_conversions(path: str, contents: dict[str, bytes]) -> None:
    """Check that every document of a file survives being written in every format that can hold it."""
    twin_path = f"{path}.twin"
    for document in read(path, keys=GOLD_KEYS):
        name = safe_name(document.id)
        if os.path.basename(name) != name or name[:1] in (".", "") or len(name.encode()) > LONGEST_FILE_NAME:
            broken("an unsafe file name", f"{name!r} for {document.id!r}")
        for form in format_names(lambda row: row.writer):
            try:
                has_marks = FORMATS[form].has_marks  # a text that would be read differently is refused
                text = write_file([document], form).text if has_marks else write(document, form)
                contents[twin_path] = text.encode()
            except InputError as error:
                check_line(str(error))
                continue
            try:
                (twin,) = read(twin_path, form)
            except InputError as error:
                broken(f"what is written as {form} is refused", str(error))
            _check_twin(document, twin, form)


def _check_twin(document: Document, twin: Document, form: str) -> None:
    """Check what a document became when it was written in a format and read again."""
    if form == "are":
        _check_chains(document, twin)
        return
    if twin.id != document.id and not FORMATS[form].named_by_file:
        broken(f"{form} changes the name of a document", f"{document.id!r} becomes {twin.id!r}")
    if document.has_tokens and not twin.has_tokens and (document.flat or form == "tsv"):
        return  # without sentences, spans have no names that could be compared
    if (
        form == "brat"
        or (form == "ua" and _has_gaps(document))
        or (twin.flat and (_has_nodes(document) or _has_nodes(twin)))
    ):
        _check_sizes(document, twin, form)
        return
    check_copy(document, twin, f"written as {form}")


def _check_chains(document: Document, twin: Document) -> None:
    """Check what ARE XML keeps: spans without the text, numbers as names."""

    def chains(side: Document) -> set[frozenset[object]]:
        members = side.clusters.values()
        return {frozenset(one if isinstance(one, tuple) else str(one) for one in m) for m in members if m}

    if chains(twin) != chains(document):
        broken("are changes the chains of a document", f"{document.clusters} becomes {twin.clusters}")


def _has_gaps(document: Document) -> bool:
    """Return whether there is an empty node 2.2 and no 2.1: the exploded format counts them anew."""
    trees = document.trees() if document.trees is not None else ()
    empty = [[row.id.split(".") for row in tree.rows if "." in row.id] for tree in trees]
    return any([word, str(int(rank) - 1)] not in [*ids, [word, "0"]] for ids in empty for word, rank in ids)


def _has_nodes(document: Document) -> bool:
    return any(isinstance(one, Discontinuous) for members in document.clusters.values() for one in members)


def _check_sizes(document: Document, twin: Document, form: str) -> None:
    """Check how many mentions each cluster has, where mentions are others.

    brat has another text; without sentences a mention may go on over an empty node, or the end of one.
    """
    sizes = [sorted(len(set(m)) for m in side.clusters.values() if m) for side in (document, twin)]
    if sizes[0] != sizes[1]:
        broken(f"{form} changes the sizes of clusters", f"{document.clusters} becomes {twin.clusters}")


def _check_text(text: str, form: str) -> None:
    text.encode()
    if form == "json":
        json.loads(text, parse_constant=lambda name: broken("a constant in the JSON report", name))
    elif len(text.splitlines()) != text.count("\n"):
        broken(f"a stray line break in the {form} report", text)


def _files(trial: Trial) -> dict[str, bytes]:
    how = f"file name {trial.name!r}, report {trial.report}, {trial.options}\n"
    return {"gold": trial.gold, "sys": trial.system, "how": how.encode()}


if __name__ == "__main__":
    sys.exit(main())
