"""Score two CoNLL files as the reference scorer does: from paths to lines of text and notes.

Key mentions get ids in their order. A repeated span takes a new id everywhere, and stays at every place. A
response mention that is in the key takes the key's id and counts once: repeats are removed, with a notice.
One that is not in the key is kept as often as it occurs.

Without repeats the metrics are those of `scoring`; with repeats a score can exceed 1. The order of additions
is kept, since it decides the last digits, which the reference scorer prints. The chain of a mention is the
last one that holds it; sizes count repeats. The links of BLANC are sets of pairs of mentions: a pair is
coreferent if some chain holds both, and other if they occur in two different chains: with repeats it may be
of both kinds, and a mention may be paired with itself.

Cost    O(mentions) and an alignment for CEAF; for BLANC besides a bit for each pair of those mentions that
        several chains hold.
Source  Pradhan et al. 2014, Scoring coreference partitions of predicted mentions, ACL (reference scorer
        8.01); Moosavi & Strube 2016 (its LEA fork).
"""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import reduce
from itertools import chain as chained
from itertools import product
from operator import add, or_
from typing import NamedTuple

from scorch2.formats.rows.conll import document_name
from scorch2.formats.source import STDIN, read_text
from scorch2.model import errors
from scorch2.model.document import Document
from scorch2.model.score import Score, Tally, finish
from scorch2.scoring.assignment import best_alignment
from scorch2.scoring.metrics.blanc import mean_as_reference
from scorch2.scoring.pairing.by_name import answers
from scorch2.scoring.pairing.files import FileChoice, side_of
from scorch2.scoring.pairing.words import words_notices
from scorch2.scoring.remarks import Provenance
from scorch2.tasks.reference_scorer.reader import InclusiveSpan, ReferenceDocument, read
from scorch2.version import __version__


class KeyAndResponse(NamedTuple):
    """The evidence of the reference scorer: chains as lists of mention ids, which may repeat."""

    key: Sequence[Sequence[int]]
    response: Sequence[Sequence[int]]


class Identified(NamedTuple):
    """A pair of documents after mention identification."""

    chains: KeyAndResponse
    key_mentions: int  # distinct spans, as the next three
    response_mentions: int
    exact: int
    spurious: int
    repeats_in_key: int
    repeats_in_response: int  # response mentions that are in the key and occurred before, which are removed
    spurious_repeats: int  # response mentions that are not in the key and occur again, which are kept
    repeats: Sequence[str]  # what the reference scorer says of repeats, but for the spurious ones


def identify(key: ReferenceDocument, response: ReferenceDocument | None) -> Identified:
    """Give ids to the mentions of both sides; no response is an empty one."""
    in_key = list(chained.from_iterable(key.entities))
    ids = {span: number for number, span in enumerate(in_key)}
    key_chains = [[ids[span] for span in entity] for entity in key.entities]
    spurious: dict[InclusiveSpan, int] = {}
    seen: set[InclusiveSpan] = set()
    response_chains = []
    removed: list[str] = []
    for entity in _entities(response):
        members = []
        for span in entity:
            if span in seen:
                removed.append(_repeated("response", span, ids[span], ids[span]))
            elif span in ids:
                seen.add(span)
                members.append(ids[span])
            else:
                members.append(spurious.setdefault(span, len(in_key) + len(spurious)))
        if members:
            response_chains.append(members)
    return Identified(
        chains=KeyAndResponse(key_chains, response_chains),
        key_mentions=len(ids),
        response_mentions=len(seen) + len(spurious),
        exact=len(seen),
        spurious=len(spurious),
        repeats_in_key=len(in_key) - len(ids),
        repeats_in_response=len(removed),
        spurious_repeats=sum(map(len, response_chains)) - len(seen) - len(spurious),
        repeats=[*(_repeats_in_key(in_key) if len(ids) < len(in_key) else ()), *removed],
    )


def _repeats_in_key(spans: Sequence[InclusiveSpan]) -> Iterator[str]:
    ids: dict[InclusiveSpan, int] = {}
    for number, span in enumerate(spans):
        if span in ids:
            yield _repeated("key", span, ids[span], number)
        ids[span] = number


def _entities(document: ReferenceDocument | None) -> Sequence[Sequence[InclusiveSpan]]:
    return document.entities if document else ()


def _repeated(side: str, span: InclusiveSpan, old: int, new: int) -> str:
    return f"Repeated mention in the {side}: {span[0]}, {span[1]} {old}{new}"


_RARE = 64  # holders of an element that are few enough to be kept as a list, whatever the number of sets


class _Side(NamedTuple):
    """The mentions of one side by the chains that hold them."""

    only: Mapping[int, Hashable]  # the chain of each mention that no other chain holds
    several: Mapping[int, AbstractSet[Hashable]]  # the chains of each other mention
    twice: AbstractSet[int]  # mentions that occur more than once in one chain

    def chains(self, mention: int) -> Collection[Hashable]:
        """Return the chains that hold a mention, none if the side lacks it."""
        return [self.only[mention]] if mention in self.only else self.several.get(mention, ())


def coreferent_links(chains: KeyAndResponse) -> Tally:
    """Count the pairs of mentions that one chain holds."""
    key, response = _side(chains.key), _side(chains.response)
    right = _inside(_joint(key, response))
    return Tally(right, _inside(key), right, _inside(response))


def other_links(chains: KeyAndResponse) -> Tally:
    """Count the pairs of mentions that occur in two different chains."""
    key, response = _side(chains.key), _side(chains.response)
    both = _joint(key, response)
    together_in_key = _pairs_of_equals(holder for m, holder in key.only.items() if response.chains(m))
    together_in_response = _pairs_of_equals(holder for m, holder in response.only.items() if key.chains(m))
    right = _pairs(len(both.only) + len(both.several)) + _pairs_of_equals(both.only.values())
    right += len(key.several.keys() & response.several.keys()) - together_in_key - together_in_response
    return Tally(right, _between(key), right, _between(response))


def _side(chains: Sequence[Sequence[int]]) -> _Side:
    only: dict[int, Hashable] = {}
    several: dict[int, set[Hashable]] = {}
    twice: set[int] = set()
    for number, members in enumerate(chains):
        distinct = set(members)
        if len(distinct) < len(members):
            twice.update(mention for mention, times in Counter(members).items() if times > 1)
        for mention in distinct:
            if mention in several:
                several[mention].add(number)
            elif mention in only:
                several[mention] = {only.pop(mention), number}
            else:
                only[mention] = number
    return _Side(only, several, twice)


def _joint(key: _Side, response: _Side) -> _Side:
    """Return the common mentions by the pairs of a key and a response chain that hold them."""
    # Two of them share such a pair if they share a chain on both sides
    only = {m: (one, response.only[m]) for m, one in key.only.items() if m in response.only}
    several: dict[int, AbstractSet[Hashable]] = {}
    for m in chained(key.only, key.several):
        held = response.chains(m)
        if held and m not in only:
            several[m] = set(product(key.chains(m), held))
    return _Side(only, several, key.twice & response.twice)


def _inside(side: _Side) -> int:
    """Count the pairs of mentions that share a chain, and those of a mention with itself."""
    alone = Counter(side.only.values())
    mixed = sum(alone[one] for held in side.several.values() for one in held)
    return sum(map(_pairs, alone.values())) + mixed + _meeting(list(side.several.values())) + len(side.twice)


def _between(side: _Side) -> int:
    """Count the pairs but those of two mentions whose only chain is the same; and those with itself."""
    mentions = len(side.only) + len(side.several)
    return _pairs(mentions) - _pairs_of_equals(side.only.values()) + len(side.several)


def _pairs_of_equals(labels: Iterable[Hashable]) -> int:
    return sum(map(_pairs, Counter(labels).values()))


def _pairs(number: int) -> int:
    return number * (number - 1) // 2


def _meeting(sets: Sequence[Collection[Hashable]]) -> int:
    """Count the pairs of sets that have an element in common."""
    # The sets that hold a frequent element are the bits of an integer, which takes up to 64 of them at a time
    holders: dict[Hashable, list[int]] = {}
    for number, elements in enumerate(sets):
        for element in elements:
            holders.setdefault(element, []).append(number)
    few = max(_RARE, len(sets) // 256)  # so that the integers take no more than some bytes per element
    frequent = {element: _bits(numbers) for element, numbers in holders.items() if len(numbers) > few}
    rare = {element: numbers for element, numbers in holders.items() if 1 < len(numbers) <= few}
    met = 0
    for number, elements in enumerate(sets):
        near = {number}.union(*(rare[element] for element in elements if element in rare))
        holders_of = [frequent[element] for element in elements if element in frequent]
        met += reduce(or_, holders_of, _bits(near)).bit_count() if holders_of else len(near)
    return (met - len(sets)) // 2  # each pair was met twice, and each set met itself


def _bits(numbers: Iterable[int]) -> int:
    field = bytearray(max(numbers) // 8 + 1)
    for number in numbers:
        field[number >> 3] |= 1 << (number & 7)
    return int.from_bytes(field, "little")


def muc(chains: KeyAndResponse) -> Tally:
    """Links: for each response chain, its mentions that have a later one of the same key chain."""
    owner = _owners(chains.key)
    links = 0
    for chain in chains.response:
        together = Counter(owner[mention] for mention in chain if mention in owner)
        links += sum(n - 1 for n in together.values())
    return Tally(
        links, _size(chains.key) - len(chains.key), links, _size(chains.response) - len(chains.response)
    )


def b_cubed(chains: KeyAndResponse) -> Tally:
    """Mentions: response chain by response chain, mention by mention."""
    owner = _owners(chains.key)
    holders: dict[int, list[int]] = {}
    for number, chain in enumerate(chains.key):
        for mention in set(chain):
            holders.setdefault(mention, []).append(number)
    recall = precision = 0.0
    for chain in chains.response:
        together = Counter(number for mention in chain for number in holders.get(mention, ()))
        for mention in chain:
            if mention in owner:
                k = owner[mention]
                recall += together[k] / len(chains.key[k])
                precision += together[k] / len(chain)
    return Tally(recall, _size(chains.key), precision, _size(chains.response))


def ceaf_m(chains: KeyAndResponse) -> Tally:
    """Shared mentions of the best alignment."""
    common = _aligned(chains, lambda shared, _: shared)
    return Tally(common, _size(chains.key), common, _size(chains.response))


def ceaf_e(chains: KeyAndResponse) -> Tally:
    """Dice coefficients of the best alignment."""
    common = _aligned(chains, lambda shared, sizes: 2 * shared / sizes)
    return Tally(common, len(chains.key), common, len(chains.response))


def lea(chains: KeyAndResponse) -> Tally:
    """Weigh the resolved links of each chain by its size."""
    return Tally(
        _resolved(chains.key, chains.response),
        _size(chains.key),
        _resolved(chains.response, chains.key),
        _size(chains.response),
    )


METRICS: Mapping[str, Sequence[Callable[[KeyAndResponse], Tally]]] = {
    "muc": [muc],
    "bcub": [b_cubed],
    "ceafm": [ceaf_m],
    "ceafe": [ceaf_e],
    "blanc": [coreferent_links, other_links],
    "lea": [lea],
}
"""What each metric counts: one tally, or two, whose mean is BLANC."""


def _size(chains: Sequence[Sequence[int]]) -> int:
    return sum(map(len, chains))


def _owners(chains: Sequence[Sequence[int]]) -> dict[int, int]:
    return {mention: number for number, chain in enumerate(chains) for mention in chain}


def _aligned(chains: KeyAndResponse, similarity: Callable[[int, int], float]) -> float:
    """Add up the best alignment over the key chains in order, as 1 − (1 − similarity)."""
    in_response: dict[int, list[int]] = {}
    for number, chain in enumerate(chains.response):
        for mention in set(chain):
            in_response.setdefault(mention, []).append(number)
    cells = []
    for number, chain in enumerate(chains.key):
        shared = Counter(other for mention in chain for other in in_response.get(mention, ()))
        cells += [
            (number, other, similarity(n, len(chain) + len(chains.response[other])))
            for other, n in shared.items()
        ]
    total = 0.0
    for position in sorted(best_alignment(cells)):
        total += 1 - (1 - cells[position][2])
    return total


def _resolved(chains: Sequence[Sequence[int]], others: Sequence[Sequence[int]]) -> float:
    owner = _owners(others)
    total = 0.0
    for chain in chains:
        together = Counter(owner[mention] for mention in chain if mention in owner)
        size = len(chain)
        if size == 1:
            correct, links = sum(len(others[other]) == 1 for other in together), 1
        else:
            correct = sum(n * (n - 1) // 2 for n in together.values())
            links = size * (size - 1) // 2
        total += correct / links * size
    return total


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
        texts = [Document(one.name, {}, format="conll", words=one.words) for one in (key, response)]
        yield from words_notices(key.name, *texts)
    if not response:
        yield errors.Notice("missing", key.name, "the response lacks it: scored against an empty one")


RULE = "-" * 74


class ScoredDocument(NamedTuple):
    """One document of the key, its response, and what was counted on them for one metric."""

    key: ReferenceDocument
    response: ReferenceDocument | None
    found: Identified
    tallies: Sequence[Tally] = ()  # one, or the coreferent and the other links of blanc


def details(scored: ScoredDocument, *, by_id: bool) -> Iterator[str]:
    """Yield the lines about one document: both dumps, the mention counts and, but for blanc, its scores."""
    if by_id:
        yield f"{errors.escaped(scored.key.name)}:"
    yield from _dump(scored.key)
    yield from _dump(scored.response)
    identified = scored.found
    if not by_id:
        yield f"{errors.escaped(scored.key.name) if len(scored.tallies) == 1 else ''}:"
    yield from identified.repeats
    yield f"Total key mentions: {identified.key_mentions}"
    yield f"Total response mentions: {identified.response_mentions}"
    yield f"Strictly correct identified mentions: {identified.exact}"
    yield "Partially correct identified mentions: 0"
    yield f"No identified: {identified.key_mentions - identified.exact}"
    yield f"Invented: {identified.spurious + identified.repeats_in_key}"
    if len(scored.tallies) == 1:
        yield _line(scored.tallies[0])
        yield RULE


def totals(documents: Sequence[ScoredDocument]) -> Iterator[str]:
    """Yield the lines about all documents together, one at least."""
    every = [scored.found for scored in documents]
    mentions = _sum([Tally(one.exact, one.key_mentions, one.exact, one.response_mentions) for one in every])
    sums = [_sum(part) for part in zip(*(scored.tallies for scored in documents), strict=True)]
    yield from ("", "====== TOTALS =======", f"Identification of Mentions: {_line(mentions)}", RULE)
    if len(sums) == 1:
        yield from (f"Coreference: {_line(sums[0])}", RULE)
        return
    coreferent, other = sums
    yield from ("", "Coreference:", f"Coreference links: {_line(coreferent)}", RULE)
    yield from (f"Non-coreference links: {_line(other)}", RULE)
    mean = Score(*mean_as_reference([coreferent, other, Tally(0, 0, 0, 0)]))
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
    return Tally(*(reduce(add, column) for column in zip(*tallies, strict=True)))


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


def score(asked: Asked) -> tuple[Iterator[str], list[errors.Notice]]:
    """Return the lines that the reference scorer prints, and the notes on how it differs from ``score``.

    All is scored at once; the lines are made one by one, as they can be a hundred times the input.
    """
    metric = asked.metric.lower()
    if metric not in (*METRICS, ALL):
        raise errors.UsageError(errors.unknown_name(asked.metric, "metric", (*METRICS, ALL)))
    if asked.key == asked.response == STDIN:
        raise errors.UsageError("only one side can be standard input (-)")
    pairs = _pairs_of(asked)
    scores = {
        name: [pair._replace(tallies=[count(pair.found.chains) for count in METRICS[name]]) for pair in pairs]
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


def _pairs_of(asked: Asked) -> list[ScoredDocument]:
    """Return each chosen key document with its response, not counted yet, in the order of the key."""
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
    return [ScoredDocument(document, answer, identify(document, answer)) for document, answer in both]


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
                yield from document.found.repeats
            else:
                yield from details(document, by_id=asked.document is not None)
        yield from totals(scored)
