"""Score two CoNLL files as the reference scorer does: from paths to lines of text and notes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scorch2.formats.rows.conll import document_name
from scorch2.formats.source import STDIN, read_text
from scorch2.model import errors
from scorch2.model.document import Document
from scorch2.model.score import Score, Tally, finish
from scorch2.scoring.metrics import blanc
from scorch2.scoring.pairing.by_name import answers
from scorch2.scoring.pairing.files import FileChoice, side_of
from scorch2.scoring.pairing.words import words_notices
from scorch2.scoring.remarks import Provenance
from scorch2.tasks.reference_scorer.metrics import METRICS, Identified, identify, repeats
from scorch2.tasks.reference_scorer.reader import ReferenceDocument, read
from scorch2.version import __version__


def notes(
    key: ReferenceDocument, response: ReferenceDocument | None, identified: Identified
) -> Iterator[errors.Notice]:
    """Yield one notice for each way in which this scorer treats a document unlike ``score``."""
    sides = [key, response] if response else [key]
    mention, response_mention = "repeated key mention", "repeated response mention"
    legacy = "tags of {} read the legacy way (opened before closed, searched anywhere in the cell)"
    twice = "{} that the key lacks kept: they lower precision"
    ignored = "{} with an id that is not a number read: scorer.pl ignores them, and its scores differ"
    for kind, number, what, text in (
        ("repeats", identified.repeats_in_response, response_mention, "{} dropped, the first of each kept"),
        ("repeats", identified.spurious_repeats, response_mention, twice),
        ("repeats", identified.repeats_in_key, mention, "{} kept: scores may exceed 100%"),
        ("tags", sum(document.odd_tokens for document in sides), "token", legacy),
        ("ids", sum(document.lettered for document in sides), "tag", ignored),
        ("tags", sum(len(document.discarded) for document in sides), "tag", "{} such as (1+2) discarded"),
        ("tokens", sum(document.comments for document in sides), "comment line", "{} counted as tokens"),
    ):
        if number:
            yield errors.Notice(kind, key.name, text.format(errors.counted(number, what)))
    if response and response.tokens != key.tokens:
        counts = f"{errors.counted(response.tokens, 'token')} in the response, {key.tokens} in the key"
        yield errors.Notice(
            "tokens", key.name, f"{counts}: not compared, so mentions may not be the same text"
        )
    elif response:
        yield from words_notices(key.name, _with_words(key), _with_words(response))
    if not response:
        yield errors.Notice("missing", key.name, "the response lacks it: scored against an empty one")


def _with_words(document: ReferenceDocument) -> Document:
    return Document(document.name, {}, format="conll", words=document.words)


RULE = "-" * 74


class ScoredDocument(NamedTuple):
    """One document of the key and what was counted on it for one metric."""

    key: ReferenceDocument
    response: ReferenceDocument | None
    found: Identified
    tallies: Sequence[Tally]  # one, or the coreferent and the other links of blanc


def details(scored: ScoredDocument, *, by_id: bool) -> Iterator[str]:
    """Yield the lines about one document: both dumps, the mention counts and, but for blanc, its scores."""
    if by_id:
        yield f"{errors.escaped(scored.key.name)}:"
    yield from _dump(scored.key)
    yield from _dump(scored.response)
    identified = scored.found
    if not by_id:
        yield f"{errors.escaped(scored.key.name) if len(scored.tallies) == 1 else ''}:"
    yield from repeats(scored.key, scored.response)
    yield f"Total key mentions: {identified.key_mentions}"
    yield f"Total response mentions: {identified.response_mentions}"
    yield f"Strictly correct identified mentions: {identified.exact}"
    yield "Partially correct identified mentions: 0"
    yield f"No identified: {identified.key_mentions - identified.exact}"
    yield f"Invented: {identified.spurious + identified.repeats_in_key}"
    if len(scored.tallies) == 1:
        yield _line(scored.tallies[0])
        yield RULE


def totals(documents: Sequence[ScoredDocument], parts: int) -> Iterator[str]:
    """Yield the lines about all documents together; `parts` is the number of tallies of the metric."""
    mentions = _sum(
        [
            Tally(
                scored.found.exact,
                scored.found.key_mentions,
                scored.found.exact,
                scored.found.response_mentions,
            )
            for scored in documents
        ]
    )
    sums = [_sum([scored.tallies[part] for scored in documents]) for part in range(parts)]
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
    name = errors.escaped(document.name) if document else ""
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
    return f"{int(value * 10000) / 100:.15g}%"


ALL, TOTALS_ONLY = "all", "none"
"""The metric that stands for every metric; the document id that asks for the totals alone."""


class Asked(NamedTuple):
    """The arguments of the reference scorer."""

    metric: str
    key: str  # the path of a CoNLL file, or of a folder of such files; ``-`` is standard input, for one side
    response: str
    document: str | None = None  # the id of one document; `TOTALS_ONLY`; or None for all documents
    key_files: str | None = None  # a pattern for the files of a key folder; all if absent
    response_files: str | None = None
    pair: str = "name"


class _Pair(NamedTuple):
    key: ReferenceDocument
    response: ReferenceDocument | None
    found: Identified


def score(asked: Asked) -> tuple[Iterator[str], list[errors.Notice]]:
    """Return the lines that the reference scorer prints, and the notes on how it differs from ``score``.

    All is scored at once; the lines are made one by one, as they can be a hundred times the input.
    """
    metric = asked.metric.lower()
    if metric not in (*METRICS, ALL):
        raise errors.UsageError(errors.unknown_name(asked.metric, "metric", (*METRICS, ALL)))
    if asked.key == asked.response == STDIN:
        raise errors.UsageError("only one side can be standard input (-)")
    pairs = _pairs(asked)
    scores = {
        name: [
            ScoredDocument(pair.key, pair.response, pair.found, METRICS[name](pair.found.chains))
            for pair in pairs
        ]
        for name in (METRICS if metric == ALL else (metric,))
    }
    seen = Provenance()
    for pair in pairs:
        sides = [{*map(frozenset, side.entities)} if side else set() for side in (pair.key, pair.response)]
        seen.see(pair.key.name, ("conll", "conll", "", ""), sides[0] == sides[1])
    paths, files = (asked.key, asked.response), (asked.key_files, asked.response_files)
    found = seen.same(paths, files, sum(len(pair.key.entities) for pair in pairs))
    found += [notice for pair in pairs for notice in notes(pair.key, pair.response, pair.found)]
    return _lines(scores, asked), found


def _pairs(asked: Asked) -> list[_Pair]:
    """Return each chosen key document with its response, in the order of the key."""
    key = _documents(asked.key, FileChoice(asked.key_files, "--gold-files"))
    response = _documents(asked.response, FileChoice(asked.response_files, "--sys-files"))
    answering = _answers(key, response, asked.pair)
    if asked.document not in (None, TOTALS_ONLY):
        key = [document for document in key if document.name == asked.document]
        if not key:
            raise errors.UsageError(
                f"{errors.shown_path(asked.key)}: no document is called {errors.quoted(asked.document)}"
            )
    both = [(document, answering.get(document.name)) for document in key]
    return [_Pair(document, answer, identify(document, answer)) for document, answer in both]


def _documents(path: str, choice: FileChoice) -> list[ReferenceDocument]:
    """Return the documents of a file, or of all files of a folder one after the other."""
    documents: dict[str, ReferenceDocument] = {}
    for file in side_of(path, choice).files.values():
        for document in read(read_text(file), file):
            if document.name in documents:
                raise errors.InputError(
                    file, "", f"a second document is called {errors.quoted(document.name)}"
                )
            documents[document.name] = document
    return list(documents.values())


def _answers(
    key: Sequence[ReferenceDocument], response: Sequence[ReferenceDocument], rule: str
) -> Mapping[str, ReferenceDocument]:
    """Return responses by the name of the key document that they answer to."""
    if rule == "name":  # exactly, as in the reference scorer
        return {document.name: document for document in response}
    keys, responses = ({document_name(one.name): one for one in side} for side in (key, response))
    named = [[Document(name, {}) for name in side] for side in (keys, responses)]
    answering = answers(named[0], named[1], rule)
    return {keys[name].name: responses[answer.id] for name, answer in answering.items() if name in keys}


def _lines(scores: Mapping[str, Sequence[ScoredDocument]], asked: Asked) -> Iterator[str]:
    yield f"version: 8.01 scorch2 {__version__}"
    for metric, scored in scores.items():
        if asked.metric.lower() == ALL:
            yield from ("", f"METRIC {metric}:")
        for document in scored:
            if asked.document == TOTALS_ONLY:
                yield from repeats(document.key, document.response)
            else:
                yield from details(document, by_id=asked.document is not None)
        yield from totals(scored, parts=len(scored[0].tallies))
