"""Score two CoNLL files as the reference scorer does: from paths to lines of text and notes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.conll_scorer import metrics
from scorch2.conll_scorer.identification import Identified, identify, repeats
from scorch2.conll_scorer.notes import notes
from scorch2.conll_scorer.reader import ReferenceDocument, read
from scorch2.conll_scorer.text import Scored, details, totals
from scorch2.formats.rows.conll import document_name
from scorch2.formats.source import STDIN, read_text
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, UsageError, quoted, shown_path, unknown_name
from scorch2.scoring.pairing.by_name import answers
from scorch2.scoring.pairing.files import FileChoice, side_of
from scorch2.version import __version__

ALL, TOTALS_ONLY = "all", "none"
"""The metric that stands for every metric; the document id that asks for the totals alone."""


class Asked(NamedTuple):
    """The arguments of the reference scorer."""

    metric: str
    """A key of `metrics.METRICS` or `ALL`, in any case."""
    key: str
    """The path of a CoNLL file, or of a folder of such files; ``-`` is standard input, for one side."""
    response: str
    document: str | None = None
    """The id of one document; `TOTALS_ONLY`; or None for all documents."""
    key_files: str | None = None
    """A pattern for the files of a key folder; all if absent."""
    response_files: str | None = None
    pair: str = "name"
    """What pairs documents: ``name``, ``basename`` or ``order``."""


class _Pair(NamedTuple):
    key: ReferenceDocument
    response: ReferenceDocument | None
    found: Identified


def score(asked: Asked) -> tuple[Iterator[str], list[Notice]]:
    """Return the lines that the reference scorer prints, and the notes on how it differs from ``score``.

    All is scored at once; the lines are made one by one, as they can be a hundred times the input.

    Raises
    ------
    UsageError
        For an unknown metric or document, and for two inputs from standard input.
    InputError
        For a file that cannot be read, with the line.
    """
    metric = asked.metric.lower()
    if metric not in (*metrics.METRICS, ALL):
        raise UsageError(unknown_name(asked.metric, "metric", (*metrics.METRICS, ALL)))
    if asked.key == asked.response == STDIN:
        raise UsageError("only one side can be standard input (-)")
    pairs = _pairs(asked)
    scores = {
        name: [
            Scored(pair.key, pair.response, pair.found, metrics.METRICS[name](pair.found.chains))
            for pair in pairs
        ]
        for name in (metrics.METRICS if metric == ALL else (metric,))
    }
    found = [notice for pair in pairs for notice in notes(pair.key, pair.response, pair.found)]
    return _lines(scores, asked), found


def _pairs(asked: Asked) -> list[_Pair]:
    """Return each chosen key document with its response, in the order of the key."""
    key = _documents(asked.key, FileChoice(asked.key_files, "--gold-files"))
    response = _documents(asked.response, FileChoice(asked.response_files, "--sys-files"))
    answering = _answers(key, response, asked.pair)
    if asked.document not in (None, TOTALS_ONLY):
        key = [document for document in key if document.name == asked.document]
        if not key:
            raise UsageError(f"{shown_path(asked.key)}: no document is called {quoted(asked.document)}")
    both = [(document, answering.get(document.name)) for document in key]
    return [_Pair(document, answer, identify(document, answer)) for document, answer in both]


def _documents(path: str, choice: FileChoice) -> list[ReferenceDocument]:
    """Return the documents of a file, or of all files of a folder one after the other."""
    found: dict[str, ReferenceDocument] = {}
    for file in side_of(path, choice).files.values():
        for document in read(read_text(file), file):
            if document.name in found:
                raise InputError(file, "", f"a second document is called {quoted(document.name)}")
            found[document.name] = document
    return list(found.values())


def _answers(
    key: Sequence[ReferenceDocument], response: Sequence[ReferenceDocument], rule: str
) -> Mapping[str, ReferenceDocument]:
    """Return responses by the name of the key document that they answer to."""
    if rule == "name":  # exactly, as in the reference scorer
        return {document.name: document for document in response}
    keys, responses = ({document_name(one.name): one for one in side} for side in (key, response))
    named = [[Document(name, {}) for name in side] for side in (keys, responses)]
    found = answers(named[0], named[1], rule)
    return {keys[name].name: responses[answer.id] for name, answer in found.items() if name in keys}


def _lines(scores: Mapping[str, Sequence[Scored]], asked: Asked) -> Iterator[str]:
    yield f"version: 8.01 scorch2 {__version__}"
    for metric, scored in scores.items():
        if asked.metric.lower() == ALL:
            yield from ("", f"METRIC {metric}:")
        for one in scored:
            if asked.document == TOTALS_ONLY:
                yield from repeats(one.key, one.response)
            else:
                yield from details(one, by_id=asked.document is not None)
        yield from totals(scored, parts=len(scored[0].tallies))
