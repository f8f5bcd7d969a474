"""Patterns: what errors of a kind have in common, each with a name, such as ``span.end+1``.

A row of `ASPECTS` is a question about an error. It has one answer at most, which is the name of the pattern
behind that of the kind, so the patterns of an aspect share no error.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import NamedTuple

from scorch2.analysis.breakdown import NEEDS, Grammar, nestings, sentence_numbers
from scorch2.analysis.heads import POSSESSIVES, tags_of
from scorch2.analysis.kinds import KINDS, LOSES_RECALL, Count, Located, Unit
from scorch2.analysis.pair import DETERMINERS, MatchedPair
from scorch2.analysis.sides import OrderedSide
from scorch2.analysis.table import NESTED, TYPES
from scorch2.model.document import Columns, Span


class _Text:
    """The text of a pair of documents: what patterns ask of its words."""

    def __init__(self, pair: MatchedPair) -> None:
        self.pair = pair

    @cached_property
    def words(self) -> Sequence[str] | None:
        """The words in small letters; the characters of a text without tokens; None if nothing is known."""
        written = self.pair.written
        if self.pair.has_tokens:
            return None if written.words is None else [word.casefold() for word in written.words()]
        is_text = self.pair.has_spans and self.pair.gold.unit == "character"
        return self.pair.gold.text if is_text else None

    @cached_property
    def tags(self) -> Sequence[str]:
        """The tag of each word, if the file has tags."""
        return tags_of(self.pair.written)

    @cached_property
    def grammar(self) -> Grammar:
        """The heads of mentions."""
        return Grammar(self.pair)

    @cached_property
    def speakers(self) -> Sequence[str]:
        """The speaker of each word, empty where none is named; nothing unless there are two of them."""
        found = _speakers(self.pair)
        return found if len({*found} - {""}) > 1 else ()

    def between(self, start: int, end: int) -> Sequence[str]:
        """Return the words between two places, as far as they are known."""
        found = (self.words or ())[start:end]
        return found.split() if isinstance(found, str) else found


def _speakers(pair: MatchedPair) -> Sequence[str]:
    """Return what the tenth column of CoNLL says, or the comment ``speaker`` of CoNLL-U."""
    written = pair.written
    if written.trees is not None:
        return [speaker for tree in written.trees() for speaker in [_named(tree.comments)] * _rows(tree.rows)]
    cells = written.words.cells() if isinstance(written.words, Columns) else []
    return [_speaker(row[_SPEAKER]) if len(row) > _SPEAKER else "" for row in cells]


_SPEAKER = 9
_NO_SPEAKER = ("-", "_", "*")


def _speaker(cell: str) -> str:
    return "" if cell in _NO_SPEAKER else cell


def _named(comments: Sequence[str]) -> str:
    parts = [comment[1:].partition("=") for comment in comments]
    return next((value.strip() for name, _, value in parts if name.strip() == "speaker"), "")


def _rows(rows: Sequence[NamedTuple]) -> int:
    return sum(row[0].isdecimal() for row in rows)


class _Side:
    """The mentions of one side."""

    def __init__(self, text: _Text, side: OrderedSide) -> None:
        self.text, self._side = text, side

    @cached_property
    def spans(self) -> Sequence[Span]:
        """The tokens of each mention, or its characters."""
        return self.text.pair.token_spans(self._side)

    @cached_property
    def nested(self) -> Sequence[str]:
        """Each mention as one inside others of the side, around them, or neither."""
        return nestings(self.text.pair, self._side)

    @cached_property
    def sentences(self) -> Sequence[int]:
        """The number of the sentence of each mention."""
        return sentence_numbers(self.text.pair, self._side)

    def type(self, place: int) -> str:
        """Return the type of a mention; empty if it is not known."""
        typing = self.text.pair.typing
        return "" if typing is None else typing.type_of(self._span(place))

    def head(self, place: int) -> str:
        """Return the head word of a mention; empty if it is not known."""
        head = self.text.grammar.head(self._span(place))
        return "" if head is None else self.text.grammar.word(head)

    def _span(self, place: int) -> Span:
        start_and_end: Span = self._side.mentions[place]  # type: ignore[assignment]  # where there are tokens
        return start_and_end

    def words(self, place: int) -> Sequence[str]:
        """Return the words of a mention."""
        return self.text.between(*self.spans[place])


class _Case(NamedTuple):
    """An error and the side that it is shown on; of span errors that is gold."""

    error: Located
    own: _Side
    system: _Side

    @property
    def place(self) -> int:
        return self.error.mentions[0]


_MANY = 4  # words at an end that are not told apart from more


def _end(case: _Case, end: int) -> str:
    """Return by how many words the system's mention is longer (+) or shorter (-) at an end."""
    start, stop = _stretch(case, end)
    sign = "+" if _is_longer(case, end) else "-"
    text = case.own.text
    number = stop - start if text.pair.has_tokens else len(text.between(start, stop))
    if not number:
        return ""
    return f"{_ENDS[end]}{sign}{number if number < _MANY else f'{_MANY}-or-more'}"


def _end_words(case: _Case, end: int) -> str:
    """Return what the words are by which the mentions differ at an end."""
    start, stop = _stretch(case, end)
    words, tags = case.own.text.between(start, stop), case.own.text.tags[start:stop]
    if not words:
        return ""
    found = next(name for name, fits in _WORDS.items() if fits(words, tags))
    return f"{_ENDS[end]}{'+' if _is_longer(case, end) else '-'}{found}"


_ENDS = ("start", "end")


def _stretch(case: _Case, end: int) -> tuple[int, int]:
    ends = case.own.spans[case.place][end], case.system.spans[case.error.instead][end]
    return min(ends), max(ends)


def _is_longer(case: _Case, end: int) -> bool:
    gold, system = case.own.spans[case.place][end], case.system.spans[case.error.instead][end]
    return system > gold if end else system < gold


_RELATIVE = frozenset(("who", "whom", "whose", "which", "that", "where", "when"))
_CONJUNCTIONS = frozenset(("and", "or", "but", "nor"))
_PREPOSITIONS = frozenset(("of", "in", "on", "at", "to", "with", "from", "for", "by", "about", "into"))
_VERBS = frozenset(("VB", "VBD", "VBP", "VBZ", "MD", "VERB", "AUX"))
_NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS", "NOUN", "PROPN"))
_OF_DETERMINERS = frozenset(("DT", "PDT", "DET", "PRP$"))


def _is_mark(word: str) -> bool:
    return not any(map(str.isalnum, word))


def _begins(words: Sequence[str], tags: Sequence[str], known: frozenset[str], of: Sequence[str]) -> bool:
    """Return whether the first word that is no punctuation is one of some, or has one of some tags."""
    first = next((place for place, word in enumerate(words) if not _is_mark(word)), 0)
    return tags[first] in of if any(tags) else words[first] in known


_Fits = Callable[[Sequence[str], Sequence[str]], bool]
_WORDS: Mapping[str, _Fits] = {
    "comma": lambda words, _: all(map(_is_mark, words)) and "," in words,
    "punctuation": lambda words, _: all(map(_is_mark, words)),
    "possessive": lambda words, _: all(word in POSSESSIVES for word in words),
    "determiner": lambda words, tags: (
        all(tag in _OF_DETERMINERS for tag in tags) if any(tags) else all(w in DETERMINERS for w in words)
    ),
    "clause": lambda words, tags: not _VERBS.isdisjoint(tags) or _begins(words, (), _RELATIVE, ()),
    "conjunct": lambda words, tags: _begins(words, tags, _CONJUNCTIONS, ("CC", "CCONJ")),
    "preposition": lambda words, tags: _begins(words, tags, _PREPOSITIONS, ("IN", "TO", "ADP")),
    "noun": lambda _, tags: not _NOUNS.isdisjoint(tags),
    "modifier": lambda _, tags: any(tags),
    "words": lambda *_: True,
}
"""What the words of one end may be, the first that fits: by their tags, or where there are none by English
words; the last two without and with no tags."""


def _types(case: _Case) -> str:
    return f"{case.own.type(case.place)}-{case.own.type(case.error.link_to)}"


def _strings(case: _Case) -> str:
    """Return what two mentions that are no pronouns share: their words, or their head."""
    own, places = case.own, (case.place, case.error.link_to)
    if "pronoun" in map(own.type, places):
        return ""
    mention, near = map(own.words, places)
    if not mention:
        return ""
    if [*mention] == [*near]:
        return "same-string"
    head, other = map(own.head, places) if own.text.pair.has_tokens else ("", "")
    return "other-string" if not (head and other) else "same-head" if head == other else "other-head"


def _names(case: _Case) -> str:
    shared = _strings(case) if _types(case) == "name-name" else ""
    return shared and f"name-name.{shared}"


def _speaker_change(case: _Case) -> str:
    speakers = case.own.text.speakers
    starts = [case.own.spans[place][0] for place in (case.place, case.error.link_to)]
    if max(starts) >= len(speakers):
        return ""
    mention, near = (speakers[start] for start in starts)
    return "" if not (mention and near) else "same-speaker" if mention == near else "speaker-change"


def _distance(case: _Case) -> str:
    sentences = case.own.sentences
    return _range(sentences[case.place] - sentences[case.error.link_to], _DISTANCES)


def _range(number: int, names: Mapping[int, str]) -> str:
    return next(name for first, name in names.items() if number >= first)


_DISTANCES = {6: "6-sentences-or-more", 2: "2-to-5-sentences", 1: "next-sentence", 0: "same-sentence"}
_LENGTHS = {6: "6-words-or-more", 3: "3-to-5-words", 2: "2-words", 1: "1-word", 0: "no-word"}
_NESTED = {name: name.replace(" ", "-").replace("both", "inside-and-around") for name in NESTED}


def _length(case: _Case) -> str:
    start, end = case.own.spans[case.place]
    return _range(end - start, _LENGTHS)


def _singleton(case: _Case) -> str:
    return "several-mentions" if case.error.mentions[1:] else "singleton"


class Aspect(NamedTuple):
    """A question about errors of some units."""

    units: tuple[Unit, ...]
    needs: str  # what a document must have: a key of `breakdown.NEEDS`
    answer: Callable[[_Case], str]  # empty if there is none
    answers: Sequence[str]  # in their order
    what: str


_BY_NUMBER = [f"{sign}{number}" for sign in "+-" for number in (1, 2, 3, f"{_MANY}-or-more")]
_BY_WORDS = [f"{sign}{name}" for sign in "+-" for name in _WORDS]
_STRINGS = ("same-string", "same-head", "other-head", "other-string")
_ALONE: tuple[Unit, ...] = ("mention", "entity")
_SPAN: tuple[Unit, ...] = ("span",)
_PIECE: tuple[Unit, ...] = ("piece",)
ASPECTS: Sequence[Aspect] = (
    *(
        Aspect(_SPAN, "spans", partial(_end, end=end), [f"{name}{by}" for by in _BY_NUMBER],
            f"words that the system has too many (+) or too few (-) at the {name}")
        for end, name in enumerate(_ENDS)
    ),
    *(
        Aspect(_SPAN, "spans", partial(_end_words, end=end), [f"{name}{by}" for by in _BY_WORDS],
            f"what the words too many or too few at the {name} are")
        for end, name in enumerate(_ENDS)
    ),
    Aspect(_PIECE, "types", _types, [f"{own}-{near}" for own in TYPES for near in TYPES],
        "the type of the mention, and of its antecedent"),
    Aspect(_PIECE, "types", _names, [f"name-name.{name}" for name in _STRINGS], "what two names share"),
    Aspect(_PIECE, "spans", _strings, _STRINGS, "what two mentions share that are no pronouns"),
    Aspect(_PIECE, "tokens", _speaker_change, ("same-speaker", "speaker-change"),
        "whether another one speaks, where the file names speakers"),
    Aspect(_PIECE, "sentences", _distance, [*reversed(_DISTANCES.values())], "sentences back"),
    Aspect(_ALONE, "types", lambda case: case.own.type(case.place), TYPES, "the type of the (first) mention"),
    Aspect(_ALONE, "tokens", _length, [*reversed(_LENGTHS.values())], "the words of the (first) mention"),
    Aspect(_ALONE, "spans", lambda case: _NESTED[case.own.nested[case.place]], [*_NESTED.values()],
        "whether the (first) mention is inside another one of its side, or around one"),
    Aspect(("entity",), "", _singleton, ("singleton", "several-mentions"), "the mentions of the entity"),
)  # fmt: skip
PATTERNS: Mapping[str, str] = {
    f"{kind}.{answer}": aspect.what
    for kind, row in KINDS.items()
    for aspect in ASPECTS
    if row.unit in aspect.units
    for answer in aspect.answers
}
"""The names of all patterns in their order, with what they are about."""


def counts_of_patterns(errors: Iterable[Located]) -> dict[str, Count]:
    """Return how many errors have each pattern, with their mentions and the links that they lose."""
    sums: dict[str, list[int]] = {}
    for error in errors:
        for name in error.patterns:
            own = sums.setdefault(name, [0, 0, 0])
            for place, number in enumerate((1, len(error.mentions), error.links)):
                own[place] += number
    return {name: Count(*own) for name, own in sums.items()}


def all_patterns(documents: Iterable[Mapping[str, Count]]) -> dict[str, Count]:
    """Return the sums over documents, in the order of `PATTERNS`; none without errors."""
    sums: dict[str, list[Count]] = {name: [] for name in PATTERNS}
    for counts in documents:
        for name, count in counts.items():
            sums[name].append(count)
    return {name: Count(*map(sum, zip(*own, strict=True))) for name, own in sums.items() if own}


def with_patterns(pair: MatchedPair, errors: Iterable[Located]) -> Iterator[Located]:
    """Yield errors with the names of their patterns, in the order of `PATTERNS`."""
    text = _Text(pair)
    gold, system = (_Side(text, side) for side in pair.sides[:2])
    known = [aspect for aspect in ASPECTS if not aspect.needs or NEEDS[aspect.needs][0](pair)]
    answers = {
        kind: [aspect.answer for aspect in known if row.unit in aspect.units] for kind, row in KINDS.items()
    }
    for error in errors:
        case = _Case(error, gold if error.kind in LOSES_RECALL else system, system)
        found = [answer(case) for answer in answers[error.kind]]
        yield error._replace(patterns=tuple([f"{error.kind}.{answer}" for answer in found if answer]))
