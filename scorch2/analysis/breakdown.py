"""Breakdown: scores by classes of mentions; a dimension puts every mention of a side into a class.

``first`` is the class of mentions without one before them in their entity, where a class is about the two; in
numbers it is None. Grammar (definite, number, gender) is what CoNLL-U says in its columns, else what English
words and tags say.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from math import comb
from typing import Any, TypeAlias, cast

from scorch2.analysis.error_report import EMPTY, BySide, Sums
from scorch2.analysis.heads import CONTENT, heads_guessed, sentence_starts, tags_of, tokens_of
from scorch2.analysis.kinds import LACKS, OrderedSide
from scorch2.analysis.links import NO_LINK, PRECISION, RECALL
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.table import DIMENSIONS, FIRST, NAMED, NESTED, NO_CATEGORY, NO_PRONOUN
from scorch2.model.document import Span
from scorch2.model.errors import InputError, UsageError, quoted
from scorch2.model.markables import Tree
from scorch2.model.names import glued, most_common
from scorch2.model.results import PAIRWISE, Breakdown, ClassRow
from scorch2.model.score import Tally, exact_sum

Classify: TypeAlias = Callable[[MatchedPair, OrderedSide], Sequence[Any]]


def classes_of(dimension: str, pair: MatchedPair, side: OrderedSide) -> Sequence[str]:
    """Return the class of each mention of a side; in numbers, None is `FIRST`."""
    row = DIMENSIONS[dimension]
    found = cast("Classify", globals()[row.classes])(pair, side)
    if not row.ranges:
        return found
    order, before = row.order, len(row.fixed) - 1
    return [FIRST if number is None else order[bisect_right(row.ranges, number) + before] for number in found]


def genre_pattern(pattern: str | None, option: str) -> str | None:
    """Return a regular expression with a group; `option` names it in errors."""
    if pattern is None:
        return None
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        raise UsageError(f"{option}: {quoted(pattern)} is not a regular expression: {error}") from None
    if not groups:
        raise UsageError(f"{option}: {quoted(pattern)} has no group, such as ^(..)/ has")
    return pattern


NEEDS: Mapping[str, tuple[Callable[[MatchedPair], object], str]] = {
    "spans": (lambda pair: pair.has_spans, "no spans of a text"),
    "tokens": (lambda pair: pair.has_tokens, "no tokens"),
    "sentences": (lambda pair: pair.has_tokens and not pair.written.flat, "no sentences"),
    "words": (lambda pair: pair.has_tokens and pair.written.words is not None, "no words"),
    "categories": (
        lambda pair: pair.categories,
        "no categories, such as those that --categories=<tsv> brings from a tagger",
    ),
    "types": (
        lambda pair: pair.typing,
        "no tags, so types of mentions are not known (or guess: --types=english)",
    ),
    "trees": (lambda pair: pair.has_tokens and pair.written.trees is not None, "no trees (CoNLL-U has some)"),
}
"""What a dimension may need, with what is said if a document lacks it."""


def known_of(pair: MatchedPair, names: Sequence[str]) -> list[str]:
    """Return the dimensions of `names` whose classes are known for a document."""
    if not (pair.sides.gold.mentions or pair.sides.system.mentions):
        return list(names)
    return [name for name in names if not DIMENSIONS[name].needs or NEEDS[DIMENSIONS[name].needs][0](pair)]


def refuse_lacking(pair: MatchedPair, needs: str, option: str) -> None:
    """Raise an InputError if a document with mentions lacks what an option needs."""
    if not needs or not (pair.sides.gold.mentions or pair.sides.system.mentions):
        return
    is_there, lacking = NEEDS[needs]
    if not is_there(pair):
        if needs == "types" and tags_of(pair.written):
            lacking = "tags, but --types=none leaves types of mentions unknown"
        needed = f": {option} needs them" if needs in ("categories", "types") else f", which {option} needs"
        raise InputError(pair.gold.path or pair.id, "", f"{quoted(pair.id)} has {lacking}{needed}")


def class_sums(pair: MatchedPair, names: Collection[str], option: str = "--by") -> dict[str, BySide]:
    """Return the sums of a document for each dimension of `names`; errors say that `option` asks for it."""
    if not names:
        return {}
    gold, system = pair.sides.gold, pair.sides.system
    if not (gold.mentions or system.mentions):
        return dict.fromkeys(names, ({}, {}))
    credits_of = _credits(gold, system.sizes), _credits(system, gold.sizes)
    sums: dict[str, BySide] = {}
    for name in names:
        row, found = DIMENSIONS[name], []
        refuse_lacking(pair, row.needs, f"{option}={name}")
        for side, links, its in zip((gold, system), pair.links, credits_of, strict=True):
            classes = classes_of(name, pair, side)
            own = _sums(classes, links, *its)
            found.append(_with_pairs(own, side, classes) if row.pairs else own)
        sums[name] = found[0], found[1]
    return sums


def _with_pairs(sums: Mapping[str, Sums], side: OrderedSide, classes: Sequence[str]) -> dict[str, Sums]:
    """Return sums with the links of all pairs in the class of their entity: that of most of its mentions."""
    of_entity: dict[int, list[str]] = {}
    for entity, name in zip(side.entities, classes, strict=True):
        of_entity.setdefault(entity, []).append("" if name == NO_CATEGORY else name)
    found, every = Counter[str](), Counter[str]()
    main = {entity: most_common(own) or NO_CATEGORY for entity, own in of_entity.items()}
    for entity, own in of_entity.items():
        every[main[entity]] += comb(len(own), 2)
    for (entity, other), shared in Counter(zip(side.entities, side.equal, strict=True)).items():
        if other != LACKS:
            found[main[entity]] += comb(shared, 2)
    return {name: own._replace(pairs=(found[name], every[name])) for name, own in sums.items()}


_Credit: TypeAlias = tuple[int, int, int]
"""What a mention that is found adds to sums: the size of its entity, the mentions that it shares the entities
of both sides with, and what LEA credits it with."""


def _credits(side: OrderedSide, other_sizes: Sequence[int]) -> tuple[list[int], list[_Credit]]:
    """Return for each mention the place of its credit, 0 if it has none, and all credits."""
    # Mentions of a class are counted by two small numbers, whatever the entities that they are in
    shared = Counter(zip(side.entities, side.equal, strict=True))
    places: dict[_Credit, int] = {(0, 0, 0): 0}
    of_cell = {}
    for (entity, other), n in shared.items():
        size = side.sizes[entity]
        lea = n - 1 if size > 1 else int(other != LACKS and other_sizes[other] == 1)
        credit = (0, 0, 0) if other == LACKS else (size, n, lea)
        of_cell[entity, other] = places.setdefault(credit, len(places))
    credits_of = [of_cell[cell] for cell in zip(side.entities, side.equal, strict=True)]
    return credits_of, [*places]


def _sums(
    classes: Sequence[str], link_statuses: Sequence[int], credits_of: Sequence[int], every: Sequence[_Credit]
) -> dict[str, Sums]:
    links: dict[str, list[int]] = {name: [0] * len(RECALL) for name in dict.fromkeys(classes)}
    mentions, on_both = dict.fromkeys(links, 0), dict.fromkeys(links, 0)
    b_cubed: dict[str, dict[int, int]] = {name: {} for name in links}  # a `Counter` for each takes longer
    lea: dict[str, dict[int, int]] = {name: {} for name in links}
    alike = Counter(zip(classes, link_statuses, credits_of, strict=True))
    for (name, status, place), number in alike.items():
        mentions[name] += number
        if status != NO_LINK:
            links[name][status] += number
        size, n, credit = every[place]
        if size:
            on_both[name] += number
            own, by_links, others = b_cubed[name], lea[name], size - 1 or 1
            own[size] = own.get(size, 0) + number * n
            by_links[others] = by_links.get(others, 0) + number * credit
    return {
        name: Sums(mentions[name], on_both[name], links[name], b_cubed[name], lea[name]) for name in links
    }


def breakdown_of(documents: Sequence[Mapping[str, BySide]], names: Sequence[str]) -> Breakdown:
    """Return the rows of a corpus from the sums of its documents; classes without a mention are left out."""
    return {name: _rows([document[name] for document in documents], name) for name in names}


_FEW = 2  # classes (`first` is one) that say nothing of a distance


def known_breakdown(classes: Sequence[Mapping[str, BySide]]) -> Breakdown:
    """Return the rows of the dimensions that are known for every document, and say something."""
    # Mentions are counted where sentences say nothing: many files have no breaks between them
    headed = (name for name, row in DIMENSIONS.items() if row.heading and classes)
    names = [name for name in headed if all(name in sums for sums in classes)]
    known = {name: rows for name, rows in breakdown_of(classes, names).items() if rows}
    if [row.name for row in known.get("category", ())] == [NO_CATEGORY]:
        del known["category"]
    known.pop("mentions" if len(known.get("sentences", ())) > _FEW else "sentences", None)
    return known


def _rows(documents: Sequence[BySide], name: str) -> list[ClassRow]:
    gold, system = _added([left for left, _ in documents]), _added([right for _, right in documents])
    order = DIMENSIONS[name].order or sorted({*gold, *system})
    known = [each for each in order if each in gold or each in system]
    has_pairs = DIMENSIONS[name].pairs
    return [_row(each, gold.get(each, EMPTY), system.get(each, EMPTY), has_pairs) for each in known]


def _added(documents: Sequence[Mapping[str, Sums]]) -> dict[str, Sums]:
    by_class: dict[str, list[Sums]] = {}
    for document in documents:
        for name, sums in document.items():
            by_class.setdefault(name, []).append(sums)
    return {
        name: Sums(
            sum(part.mentions for part in parts),
            sum(part.found for part in parts),
            [sum(column) for column in zip(*(part.links for part in parts), strict=True)],
            _numerators(part.b_cubed for part in parts),
            _numerators(part.lea for part in parts),
            (sum(part.pairs[0] for part in parts), sum(part.pairs[1] for part in parts)),
        )
        for name, parts in by_class.items()
    }


def _numerators(parts: Iterable[Mapping[int, int]]) -> dict[int, int]:
    total: dict[int, int] = {}
    for part in parts:
        for size, number in part.items():
            total[size] = total.get(size, 0) + number
    return total


def lea_of(sums: BySide, name: str) -> Tally:
    """Return the tally of LEA of a class."""
    gold, system = (side.get(name, EMPTY) for side in sums)
    return Tally(_sum(gold.lea), gold.mentions, _sum(system.lea), system.mentions)


def _row(name: str, gold: Sums, system: Sums, has_pairs: bool) -> ClassRow:
    links = sum(gold.links), sum(system.links)
    tallies = {
        "mentions": Tally(gold.found, gold.mentions, system.found, system.mentions),
        "muc": Tally(gold.links[0], links[0], system.links[0], links[1]),
        "b_cubed": Tally(_sum(gold.b_cubed), gold.mentions, _sum(system.b_cubed), system.mentions),
        "lea": Tally(_sum(gold.lea), gold.mentions, _sum(system.lea), system.mentions),
    }
    if has_pairs:
        tallies[PAIRWISE] = Tally(*gold.pairs, *system.pairs)
    by_status = {
        "recall": dict(zip(RECALL, gold.links, strict=True)),
        "precision": dict(zip(PRECISION, system.links, strict=True)),
    }
    return ClassRow(name, tallies, by_status)


def _sum(numerators: Mapping[int, int]) -> float:
    return exact_sum({1: 0, **numerators})


_NONE = -1  # in place of the mention before: there is none in the entity


def _with_before(
    side: OrderedSide, find: Callable[[int, int], object], first: str | None = None
) -> list[Any]:
    """Return what is found of each mention and the one before it in its entity, or `first` without one."""
    last = [_NONE] * len(side.sizes)
    every = []
    for place, entity in enumerate(side.entities):
        before, last[entity] = last[entity], place
        every.append(first if before == _NONE else find(place, before))
    return every


def types(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return the type of each mention."""
    type_of = cast("Callable[[object], str]", pair.typing and pair.typing.type_of)
    return [type_of(span) for span in side.mentions]


def antecedents(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return the types of a mention and of the one before it."""
    every = types(pair, side)
    return _with_before(side, lambda place, before: f"{every[place]} ← {every[before]}", FIRST)


def sizes(_: MatchedPair, side: OrderedSide) -> list[int]:
    """Return the number of mentions of the entity."""
    return [side.sizes[entity] for entity in side.entities]


def widths(pair: MatchedPair, side: OrderedSide) -> list[int]:
    """Return the tokens or characters of the mention."""
    return [max(1, end - start) for start, end in pair.token_spans(side)]


def distances(pair: MatchedPair, side: OrderedSide) -> list[int | None]:
    """Return the tokens back to the mention before."""
    every = pair.token_spans(side)
    return _with_before(side, lambda place, before: max(0, every[place][0] - every[before][1]))


def sentence_numbers(pair: MatchedPair, side: OrderedSide) -> list[int]:
    """Return the number of the sentence of each mention."""
    starts = list(accumulate(pair.written.sentences or (), initial=0))
    return [bisect_right(starts, start) for start, _ in pair.token_spans(side)]


def sentences(pair: MatchedPair, side: OrderedSide) -> list[int | None]:
    """Return the sentences back to the mention before."""
    numbers = sentence_numbers(pair, side)
    return _with_before(side, lambda place, before: numbers[place] - numbers[before])


def mentions(_: MatchedPair, side: OrderedSide) -> list[int | None]:
    """Return the mentions back to the one before in the entity."""
    return _with_before(side, lambda place, before: place - before - 1)


def texts(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Compare the text of each mention with those of all mentions before it in its entity."""
    words = [word.casefold() for word in pair.written.words()] if pair.written.words else []
    tags = tags_of(pair.written)
    seen: list[set[tuple[str, ...]]] = [set() for _ in side.sizes]
    contents: list[set[str]] = [set() for _ in side.sizes]
    classes = []
    for (start, end), entity in zip(pair.token_spans(side), side.entities, strict=True):
        text = tuple(words[start:end])
        content = {word for word, tag in zip(text, tags[start:end], strict=False) if tag in CONTENT}
        if not seen[entity]:
            classes.append(FIRST)
        elif text in seen[entity] and end <= len(words):  # one behind the text matches nothing in it
            classes.append("same")
        else:
            classes.append("overlap" if content & contents[entity] else "different")
        seen[entity].add(text)
        contents[entity] |= content
    return classes


def named(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return whether the entity has a name."""
    own = types(pair, side)
    with_name = {entity for kind, entity in zip(own, side.entities, strict=True) if kind == "name"}
    return [NAMED[entity not in with_name] for entity in side.entities]


def categories(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return what each mention stands for."""
    gold, system = pair.categories() if pair.categories is not None else ((), ())
    return [category or NO_CATEGORY for category in (gold if side is pair.sides.gold else system)]


def genres(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return the genre in the name of gold: what is before the first slash, or a pattern finds."""
    name, pattern = pair.gold.id, pair.genre
    match = re.search(pattern or r"\A([^/]+)/", name)
    if match is None or match[1] is None:
        how = f"--genre={pattern} finds nothing in it" if pattern else "no / in it (say where: --genre)"
        raise InputError(pair.gold.path or pair.id, "", f"{quoted(name)} does not name its genre: {how}")
    return [match[1]] * len(side.mentions)


def lengths(pair: MatchedPair, side: OrderedSide) -> list[int]:
    """Return the tokens of the document."""
    return [sum(pair.written.sentences or ())] * len(side.mentions)


def _each(**words: str) -> dict[str, str]:
    return {word: value for value, several in words.items() for word in several.split()}


_DETERMINERS = _each(
    definite="the",
    demonstrative="this that these those",
    possessive="my your his her its our their whose",
    indefinite="a an some any another one no many several few",
)
_NUMBERS = _each(
    Sing="i me my mine myself he him his himself she her hers herself it its itself this that",
    Plur="we us our ours ourselves they them their theirs themselves these those",
)
_GENDERS = _each(Masc="he him his himself", Fem="she her hers herself", Neut="it its itself")
_NUMBER_OF_TAGS = {"NN": "Sing", "NNP": "Sing", "NNS": "Plur", "NNPS": "Plur"}


class Grammar:
    """The words of a pair of documents, and what is known of them."""

    def __init__(self, pair: MatchedPair) -> None:
        document = pair.written
        self._aligned = pair.aligned
        self._starts = sentence_starts(document)
        self.words = [word.casefold() for word in document.words()] if document.words else []
        self.tags = tags_of(document)
        self._rows = [row for tree in _trees(pair) for row in tree.rows if row.id.isdecimal()]
        guessed = "english" if pair.typing is not None and pair.typing.how == "english" else ""
        self._head_of = pair.of_gold.heads() or heads_guessed(document, guessed)

    def tokens(self, span: Span) -> Sequence[int]:
        """Return the tokens of a mention."""
        return tokens_of(span if self._aligned is None else self._aligned(span), self._starts)

    def head(self, span: Span) -> int | None:
        """Return the token that is the head of a mention, if it is known."""
        span = span if self._aligned is None else self._aligned(span)
        return None if self._head_of is None else self._head_of(span)

    def feature(self, token: int | None, name: str, otherwise: Mapping[str, str]) -> str:
        """Return a feature of a token: as its row says it, or by its word; empty if neither does."""
        if token is None:
            return ""
        row = self._rows[token] if self._rows else None
        said = (
            dict(feature.partition("=")[::2] for feature in row.feats.split("|")) if row is not None else {}
        )
        return str(said.get(name) or otherwise.get(self.words[token], ""))

    def number(self, span: Span) -> str:
        """Return whether a mention is singular or plural; empty if it is not known."""
        head = self.head(span)
        by_tag = _NUMBER_OF_TAGS.get(self.tags[head], "") if self.tags and head is not None else ""
        return self.feature(head, "Number", _NUMBERS) or by_tag

    def relation(self, span: Span) -> str:
        """Return the relation of the head of a mention in its tree, without its subtype."""
        head = self.head(span)
        return "" if head is None or not self._rows else self._rows[head].deprel.partition(":")[0]

    def determined(self, span: Span) -> str:
        """Return how the first word of a mention determines it."""
        first, head = next(iter(self.tokens(span)), None), self.head(span)
        if first is None:
            return "bare"
        if self.feature(first, "Poss", {}) == "Yes":
            return "possessive"
        if self.feature(first, "PronType", {}) == "Dem":
            return "demonstrative"
        said = self.feature(first, "Definite", {}) or self.feature(head, "Definite", {})
        return {"Def": "definite", "Ind": "indefinite"}.get(said) or _DETERMINERS.get(
            self.words[first], "bare"
        )


def grammar_of(pair: MatchedPair) -> Grammar:
    """Return the words of gold and what is known of them."""
    return pair.of_gold.once(Grammar, pair)


def _trees(pair: MatchedPair) -> Sequence[Tree]:
    return () if pair.written.trees is None else pair.written.trees()


def forms(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return the word of a pronoun."""
    grammar = grammar_of(pair)
    without = glued(pair.written, grammar.words)
    words = [word if place in without else f" {word}" for place, word in enumerate(grammar.words)]
    return [
        "".join(words[token] for token in grammar.tokens(span)).lstrip() if own == "pronoun" else NO_PRONOUN
        for own, span in zip(types(pair, side), _spans(side), strict=True)
    ]


def definiteness(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return how a mention that is neither a name nor a pronoun begins."""
    grammar = grammar_of(pair)
    return [
        own if own in ("name", "pronoun") else grammar.determined(span)
        for own, span in zip(types(pair, side), _spans(side), strict=True)
    ]


def nestings(_: MatchedPair, side: OrderedSide) -> list[str]:
    """Return whether a mention is inside another one of its side, and whether one is inside it."""
    spans = _spans(side)
    order = sorted(range(len(spans)), key=lambda place: (spans[place][0], -spans[place][1]))
    inside, around = set[int](), set[int]()
    furthest = nearest = None
    for place in order:
        end = spans[place][1]
        if furthest is not None and end <= furthest:
            inside.add(place)
        furthest = end if furthest is None else max(end, furthest)
    for place in reversed(order):
        end = spans[place][1]
        if nearest is not None and nearest <= end:
            around.add(place)
        nearest = end if nearest is None else min(end, nearest)
    return [NESTED[(place in inside) + 2 * (place in around)] for place in range(len(spans))]


def cataphora(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return whether a pronoun stands before all other mentions of its entity that are none."""
    own = types(pair, side)
    first: dict[int, int] = {}
    for place, (kind, entity) in enumerate(zip(own, side.entities, strict=True)):
        if kind != "pronoun":
            first.setdefault(entity, place)
    return [
        NO_PRONOUN
        if kind != "pronoun"
        else "pronouns only"
        if entity not in first
        else "before"
        if place < first[entity]
        else "after"
        for place, (kind, entity) in enumerate(zip(own, side.entities, strict=True))
    ]


def positions(_: MatchedPair, side: OrderedSide) -> list[str]:
    """Return where in its entity a mention stands."""
    places = range(len(side.entities))
    last = dict(zip(side.entities, places, strict=True))
    first = dict(zip(side.entities[::-1], places[::-1], strict=True))
    names = {(True, True): "only", (True, False): FIRST, (False, True): "last", (False, False): "between"}
    return [names[first[own] == place, last[own] == place] for place, own in enumerate(side.entities)]


def heads(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return whether an earlier mention of the entity, which is no pronoun, has the same head word."""
    grammar, own = grammar_of(pair), types(pair, side)
    seen: list[set[str]] = [set() for _ in side.sizes]
    classes = []
    for kind, span, entity in zip(own, _spans(side), side.entities, strict=True):
        if kind == "pronoun":
            classes.append("pronoun")
            continue
        head = grammar.head(span)
        word = "" if head is None else grammar.words[head]
        classes.append(FIRST if not seen[entity] else "same" if word in seen[entity] else "other")
        seen[entity].add(word)
    return classes


def numbers(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return whether a mention and the one before it agree in number."""
    return _agreement(side, [*map(grammar_of(pair).number, _spans(side))])


def genders(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return whether a mention and the one before it agree in gender."""
    grammar = grammar_of(pair)
    return _agreement(
        side, [grammar.feature(grammar.head(span), "Gender", _GENDERS) for span in _spans(side)]
    )


def _agreement(side: OrderedSide, values: Sequence[str]) -> list[str]:
    def compared(place: int, before: int) -> str:
        if not (values[place] and values[before]):
            return "unknown"
        return "agree" if values[place] == values[before] else "differ"

    return _with_before(side, compared, FIRST)


def functions(pair: MatchedPair, side: OrderedSide) -> list[str]:
    """Return the relation of the head of a mention in its tree, such as ``nsubj``."""
    grammar = grammar_of(pair)
    return [grammar.relation(span) or "unknown" for span in _spans(side)]


def _spans(side: OrderedSide) -> Sequence[Span]:
    return cast("Sequence[Span]", side.mentions)
