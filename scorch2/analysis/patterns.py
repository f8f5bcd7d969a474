"""Patterns and places: what errors have in common, and where they are; both are counted in documents.

A pattern has a name, such as ``span.end+1``. A row of `ASPECTS` is a question about an error. It has one
answer at most, which is the name of the pattern behind that of the kind, so the patterns of an aspect share
no error.

Places are windows along the texts, or documents where there are many. An error is where its first mention is.
What is left of a document behind its last whole window is a window of its own if it is half as long, else a
part of the last one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product
from typing import NamedTuple, TypeAlias, cast

from scorch2.analysis.breakdown import NEEDS, Grammar, grammar_of, nestings, sentence_numbers
from scorch2.analysis.error_report import Findings, Place, Stretch
from scorch2.analysis.heads import NOUNS, POSSESSIVES
from scorch2.analysis.kinds import KINDS, LOSES_RECALL, Count, Located, OrderedSide, Unit
from scorch2.analysis.pair import DETERMINERS, MatchedPair
from scorch2.analysis.table import NESTED, TYPES
from scorch2.model.document import Columns, Span
from scorch2.scoring.report import Report


class _Side:
    """The mentions of one side, and the text of both; what few patterns need is found on demand."""

    def __init__(self, pair: MatchedPair, side: OrderedSide, text: Callable[[], Grammar]) -> None:
        self._mentions, self.text = cast("Sequence[Span]", side.mentions), text
        self.spans = pair.token_spans(side) if pair.has_spans else ()
        self.type_of = None if pair.typing is None else pair.typing.type_of
        self.nested = cache(partial(nestings, pair, side))
        self.sentences = cache(partial(sentence_numbers, pair, side))

    def type(self, place: int) -> str:
        """Return the type of a mention; empty if it is not known."""
        return "" if self.type_of is None else self.type_of(self._mentions[place])

    def head(self, place: int) -> str:
        """Return the head word of a mention; empty if it is not known."""
        head = self.text().head(self._mentions[place])
        return "" if head is None else self.text().words[head]


class _Case(NamedTuple):
    """An error: where it is, and the mention beside it, which is of the system in a span error."""

    own: _Side
    place: int
    other: _Side
    near: int
    size: int  # its mentions
    speakers: Callable[[], Sequence[str]]


_MANY = 4  # words at an end that are not told apart from more
_ENDS = ("start", "end")


def _stretch(case: _Case, end: int) -> tuple[int, int, str]:
    """Return the words by which the system's mention is longer (+) or shorter (-) at an end."""
    gold, system = case.own.spans[case.place][end], case.other.spans[case.near][end]
    return min(gold, system), max(gold, system), _ENDS[end] + "-+"[(system > gold) == bool(end)]


def _end(case: _Case, end: int) -> str:
    start, stop, which = _stretch(case, end)
    number = stop - start
    return f"{which}{number if number < _MANY else f'{_MANY}-or-more'}" if number else ""


def _end_words(case: _Case, end: int) -> str:
    start, stop, which = _stretch(case, end)
    words, tags = case.own.text().words[start:stop], case.own.text().tags[start:stop]
    return which + next(name for name, fits in _WORDS.items() if fits(words, tags)) if words else ""


def _is_mark(word: str) -> bool:
    return not any(map(str.isalnum, word))


def _begins(words: Sequence[str], tags: Sequence[str], known: Sequence[str], of: Sequence[str] = ()) -> bool:
    """Return whether the first word that is no punctuation has one of some tags, or is one of some words."""
    first = next(place for place, word in enumerate(words) if not _is_mark(word))
    return tags[first] in of if any(tags) else words[first] in known


_RELATIVE = ("who", "whom", "whose", "which", "that", "where", "when")
_PREPOSITIONS = ("of", "in", "on", "at", "to", "with", "from", "for", "by", "about", "into")
_VERBS = frozenset(("VB", "VBD", "VBP", "VBZ", "MD", "VERB", "AUX"))
_WORDS: Mapping[str, Callable[[Sequence[str], Sequence[str]], bool]] = {
    "comma": lambda words, _: all(map(_is_mark, words)) and "," in words,
    "punctuation": lambda words, _: all(map(_is_mark, words)),
    "possessive": lambda words, _: POSSESSIVES.issuperset(words),
    "determiner": lambda words, tags: {"DT", "PDT", "DET", "PRP$"}.issuperset(tags)
        if any(tags) else DETERMINERS.issuperset(words),
    "clause": lambda words, tags: not _VERBS.isdisjoint(tags) or _begins(words, (), _RELATIVE),
    "conjunct": lambda words, tags: _begins(words, tags, ("and", "or", "but", "nor"), ("CC", "CCONJ")),
    "preposition": lambda words, tags: _begins(words, tags, _PREPOSITIONS, ("IN", "TO", "ADP")),
    "noun": lambda _, tags: not NOUNS.isdisjoint(tags),
    "modifier": lambda _, tags: any(tags),
    "words": lambda *_: True,
}  # fmt: skip
"""What the words of one end may be, the first that fits: by tags, else by English words; the last without."""


def _types(case: _Case) -> str:
    return f"{case.own.type(case.place)}-{case.own.type(case.near)}"


def _strings(case: _Case) -> str:
    """Return what two mentions that are no pronouns share: their words, or their head."""
    own, places = case.own, (case.place, case.near)
    mention, near = (own.text().words[slice(*own.spans[place])] for place in places)
    if "pronoun" in map(own.type, places) or not mention:
        return ""
    if mention == near:
        return "same-string"
    head, other = map(own.head, places)
    return "other-string" if not (head and other) else "same-head" if head == other else "other-head"


def _names(case: _Case) -> str:
    shared = _strings(case) if _types(case) == "name-name" else ""
    return shared and f"name-name.{shared}"


_SPEAKER = 9  # the column of CoNLL
_NO_SPEAKER = ("-", "_", "*")


def _speakers_of(pair: MatchedPair) -> Sequence[str]:
    """Return the speaker of each word, by CoNLL or a comment of CoNLL-U; nothing unless there are two."""
    written, found = pair.written, list[str]()
    if written.trees is not None:
        for tree in written.trees():
            found += [_named(tree.comments)] * sum(row.id.isdecimal() for row in tree.rows)
    elif isinstance(written.words, Columns):
        found = [row[_SPEAKER] if len(row) > _SPEAKER else "-" for row in written.words.cells()]
    return found if len({*found}.difference(_NO_SPEAKER)) > 1 else ()


def _named(comments: Sequence[str]) -> str:
    parts = [comment[1:].partition("=") for comment in comments]
    return next((value.strip() for name, _, value in parts if name.strip() == "speaker"), _NO_SPEAKER[0])


def _speaker_change(case: _Case) -> str:
    starts = [case.own.spans[place][0] for place in (case.place, case.near)]
    who = {*_NO_SPEAKER} if max(starts) >= len(case.speakers()) else {case.speakers()[n] for n in starts}
    if not who.isdisjoint(_NO_SPEAKER):
        return ""
    return "same-speaker" if len(who) == 1 else "speaker-change"


def _range(names: dict[int, str], number: int) -> str:
    return next(name for first, name in reversed(names.items()) if number >= first)


def _distance(case: _Case) -> str:
    here, there = (case.own.sentences()[place] for place in (case.place, case.near))
    return _range(_DISTANCES, here - there)


_DISTANCES = {0: "same-sentence", 1: "next-sentence", 2: "2-to-5-sentences", 6: "6-sentences-or-more"}
_LENGTHS = {0: "no-word", 1: "1-word", 2: "2-words", 3: "3-to-5-words", 6: "6-words-or-more"}
_NESTED = dict(zip(NESTED, ("alone", "inside-another", "around-another", "inside-and-around"), strict=True))
_SIGNS = [f"{end}{sign}" for end in _ENDS for sign in "+-"]
_BY_NUMBER = [f"{end}{number}" for end in _SIGNS for number in (1, 2, 3, f"{_MANY}-or-more")]
_BY_WORDS = [f"{end}{name}" for end in _SIGNS for name in _WORDS]
_STRINGS = ("same-string", "same-head", "other-head", "other-string")
_ENTITIES = ("singleton", "several-mentions")
Answer: TypeAlias = Callable[[_Case], str]


class Aspect(NamedTuple):
    """A question about errors of some units."""

    units: tuple[Unit, ...]
    needs: str  # what a document must have: a key of `breakdown.NEEDS`
    by: Sequence[Answer]  # what gives the answer; empty if there is none
    answers: Sequence[str]  # in their order


_ALONE: tuple[Unit, ...] = ("mention", "entity")
ASPECTS: Sequence[Aspect] = (
    Aspect(("span",), "tokens", [partial(_end, end=0), partial(_end, end=1)], _BY_NUMBER),
    Aspect(("span",), "words", [partial(_end_words, end=0), partial(_end_words, end=1)], _BY_WORDS),
    Aspect(("piece",), "types", [_types], [f"{own}-{near}" for own in TYPES for near in TYPES]),
    Aspect(("piece",), "types", [_names], [f"name-name.{name}" for name in _STRINGS]),
    Aspect(("piece",), "words", [_strings], _STRINGS),
    Aspect(("piece",), "words", [_speaker_change], ("same-speaker", "speaker-change")),
    Aspect(("piece",), "sentences", [_distance], [*_DISTANCES.values()]),
    Aspect(_ALONE, "types", [lambda case: case.own.type(case.place)], TYPES),
    Aspect(
        _ALONE,
        "tokens",
        [lambda case: _range(_LENGTHS, case.own.spans[case.place][1] - case.own.spans[case.place][0])],
        [*_LENGTHS.values()],
    ),
    Aspect(_ALONE, "spans", [lambda case: _NESTED[case.own.nested()[case.place]]], [*_NESTED.values()]),
    Aspect(("entity",), "", [lambda case: _ENTITIES[case.size > 1]], _ENTITIES),
)
PATTERNS: Sequence[str] = [
    f"{kind}.{answer}"
    for kind, row in KINDS.items()
    for aspect in ASPECTS
    if row.unit in aspect.units
    for answer in aspect.answers
]
"""The names of all patterns, in their order."""


def with_patterns(pair: MatchedPair, errors: Iterable[Located]) -> Iterator[Located]:
    """Yield errors with the names of their patterns, in the order of `PATTERNS`."""
    text, speakers = partial(grammar_of, pair), partial(pair.of_gold.once, _speakers_of, pair)
    gold, system = (_Side(pair, side, text) for side in pair.sides[:2])
    known = [aspect for aspect in ASPECTS if not aspect.needs or NEEDS[aspect.needs][0](pair)]
    asked = {
        kind: [by for aspect in known if row.unit in aspect.units for by in aspect.by]
        for kind, row in KINDS.items()
    }
    for error in errors:
        own = gold if error.kind in LOSES_RECALL else system
        other, near = (system, error.instead) if error.kind == "span" else (own, error.link_to)
        case = _Case(own, error.mentions[0], other, near, len(error.mentions), speakers)
        names = [f"{error.kind}.{answer}" for by in asked[error.kind] if (answer := by(case))]
        yield error._replace(patterns=names)


def counts_of_patterns(errors: Iterable[Located]) -> dict[str, Count]:
    """Return how many errors have each pattern, with their mentions and the links that they lose."""
    counts = ((error.patterns, Count(1, len(error.mentions), error.links)) for error in errors)
    return all_patterns({name: count} for names, count in counts for name in names)


def all_patterns(documents: Iterable[Mapping[str, Count]]) -> dict[str, Count]:
    """Return the sums over documents, in the order of `PATTERNS`; none without errors."""
    sums: dict[str, list[Count]] = {name: [] for name in PATTERNS}
    for counts in documents:
        for name, count in counts.items():
            sums[name].append(count)
    return {name: Count(*map(sum, zip(*own, strict=True))) for name, own in sums.items() if own}


MANY_DOCUMENTS = 10
"""So many documents are places themselves, unless windows are asked for."""
MOST_WINDOWS = 120  # for which windows are chosen that are not asked for
_STEP = 10  # tokens that errors are counted by until the length of windows is known
_WINDOWS = [digit * 10**power for power, digit in product(range(1, 12), (1, 2, 5))]
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
    lengths = windows[:1] or [n for n in _WINDOWS if sum(_windows_in(end, n) for end in ends) <= most]
    numbers = [_windows_in(end, lengths[0]) for end in ends]
    if not (windows or len(ends) < MANY_DOCUMENTS) or max(numbers, default=1) == 1:
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
