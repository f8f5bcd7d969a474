"""A matched pair of documents with all that is known about its mentions: text, spans, types, span errors.

A span error is a pair of a gold and a system mention that differ, and are taken for the same one. Each way
says which pairs are candidates. They are taken one to one: those with the highest Dice coefficient first,
then the smaller of the two spans, then the larger, so that swapping the sides gives the same pairs.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate
from operator import is_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

from scorch2.analysis.error_report import AnalysisRequest
from scorch2.analysis.heads import (
    POSSESSIVES,
    HeadOf,
    Typing,
    first_known,
    heads_guessed,
    heads_of,
    sentence_starts,
    tokens_of,
    typing_of,
)
from scorch2.analysis.kinds import LACKS, OrderedSide, OrderedSides, SpanErrors
from scorch2.analysis.links import statuses
from scorch2.model.document import Columns, Document, Mention, OnDemand, Span, Words, spans
from scorch2.model.errors import InputError, Notice, quoted
from scorch2.model.markables import as_written
from scorch2.model.names import in_order
from scorch2.model.options import Options
from scorch2.scoring.contingency import Partition
from scorch2.scoring.counting import aligned_tokens
from scorch2.scoring.matching.matched import Change, ComparedPair, Matched
from scorch2.scoring.matching.mention_kinds import of_mentions
from scorch2.scoring.matching.steps import Matcher
from scorch2.scoring.pairing.files import Pair

if TYPE_CHECKING:
    from scorch2.scoring.matching.preprocessing import TokensOf


MOST_LOOKS = 10_000_000  # a document that needs more comparisons of spans gets no span errors
FindSpanErrors: TypeAlias = Callable[[Sequence[Mention], Sequence[Mention]], SpanErrors]
"""From the twinless mentions of gold and of the system, in order, to their places in span errors."""
MayPair: TypeAlias = Callable[[Span, Span], bool]
"""Whether a gold and a system span can be one mention, by what they are."""
KeyOf: TypeAlias = Callable[[Span], Hashable]
"""What two mentions must share to be candidates; None for a mention that cannot be in a pair."""
DETERMINERS = frozenset(("the", "a", "an", "this", "that", "these", "those"))


class TooManyLooksError(Exception):
    """The spans of a document overlap too much to compare them in reasonable time."""

    def __str__(self) -> str:
        return f"more than {MOST_LOOKS} pairs of spans overlap: no span errors were looked for"


def _no_pairs(*_: Sequence[Mention]) -> SpanErrors:
    return ()


def by_overlap(gold: Sequence[Mention], system: Sequence[Mention], may_pair: MayPair) -> SpanErrors:
    """Return the places of spans that are paired: a Dice coefficient of one half or more.

    >>> by_overlap([(0, 3), (5, 6)], [(1, 3), (5, 9)], lambda g, s: True)
    [(0, 0)]
    """
    lefts, rights = spans(gold), spans(system)
    starts = [start for start, _ in rights]
    longest = [0, *accumulate((end - start for start, end in rights), max)]
    windows = []
    for start, end in lefts:
        after = bisect_left(starts, end)
        windows.append((bisect_right(starts, start - longest[after], 0, after), after))
    if sum(after - before for before, after in windows) > MOST_LOOKS:
        raise TooManyLooksError
    candidates = (
        (i, j)
        for i, (before, after) in enumerate(windows)
        for j in range(before, after)
        if _half(lefts[i], rights[j]) and may_pair(lefts[i], rights[j])
    )
    return _one_to_one(lefts, rights, candidates)


def by_key(
    gold: Sequence[Mention], system: Sequence[Mention], key_of: KeyOf, may_pair: MayPair
) -> SpanErrors:
    """Return the places of mentions that are paired: those with the same key, which is not None.

    >>> by_key([(0, 3), (5, 6)], [(1, 3), (4, 9)], lambda span: span[1], lambda g, s: True)
    [(0, 0)]
    """
    lefts, rights = spans(gold), spans(system)
    groups: dict[Hashable, list[int]] = {}
    for j, mention in enumerate(rights):
        groups.setdefault(key_of(mention), []).append(j)
    groups.pop(None, None)
    looks = [(i, groups.get(key_of(mention), ())) for i, mention in enumerate(lefts)]
    if sum(len(places) for _, places in looks) > MOST_LOOKS:
        raise TooManyLooksError
    candidates = ((i, j) for i, places in looks for j in places if may_pair(lefts[i], rights[j]))
    return _one_to_one(lefts, rights, candidates)


def _half(one: Span, other: Span) -> bool:
    common = min(one[1], other[1]) - max(one[0], other[0])
    return common > 0 and 4 * common >= one[1] - one[0] + other[1] - other[0]


def _one_to_one(
    lefts: Sequence[Span], rights: Sequence[Span], candidates: Iterator[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return candidates that share no mention, the best ones first."""
    ranked: list[tuple[float, Span, Span, int, int]] = []
    for i, j in candidates:
        (start, end), (first, last) = lefts[i], rights[j]
        dice = (min(end, last) - max(start, first)) / (end - start + last - first or 1)
        smaller, larger = sorted((lefts[i], rights[j]))
        ranked.append((-dice, smaller, larger, i, j))
    taken: tuple[set[int], set[int]] = set(), set()
    pairs = []
    for *_, i, j in sorted(ranked):
        if i not in taken[0] and j not in taken[1]:
            taken[0].add(i)
            taken[1].add(j)
            pairs.append((i, j))
    return pairs


def trimmed(gold: Document) -> KeyOf | None:
    """Return what trims mentions: leading determiners, a final 's, and punctuation at both ends."""
    if gold.words is None or not gold.has_tokens:
        return None
    words, starts = gold.words(), sentence_starts(gold)

    def inner(span: Span) -> Hashable:
        places = list(tokens_of(span, starts))
        first, last = 0, len(places)
        while first < last - 1 and _is_before(words[places[first]]):
            first += 1
        while first < last - 1 and _is_after(words[places[last - 1]]):
            last -= 1
        return tuple(places[first:last]) or None

    return inner


def _is_before(word: str) -> bool:
    return word.casefold() in DETERMINERS or not any(map(str.isalnum, word))


def _is_after(word: str) -> bool:
    return word in POSSESSIVES or not any(map(str.isalnum, word))


_ENDS = 2
_WITHOUT_TWINLESS = {
    "singletons": "mentions that gold lacks were added to it as singletons, so none is an extra mention",
    "drop": "mentions that the other side lacks were left out, so none is missing or extra",
}
"""Which errors there cannot be, by the value of ``twinless``."""
Found = TypeVar("Found")


class OfGold:
    """Parts and findings of a gold document alone, each found once, also for two systems in turn."""

    def __init__(self) -> None:
        self._parts: tuple[object, ...] = ()
        self._found: dict[object, Any] = {}

    def read(self, written: Document, types: str) -> Document:
        """Return gold with parts that are extracted once: a page asks for words nine times."""
        # These are the same objects if a document was read once; notes about it may differ
        parts = written.clusters, written.sentences, written.words, written.trees
        if not self._parts or not all(map(is_, parts, self._parts)):
            self._parts, self._found = parts, {}
            words, trees = written.words and written.words.once(), written.trees and written.trees.once()
            tags = Words(cache(words.tags)) if isinstance(words, Columns) else None
            self._text = written._replace(words=words, trees=trees, tags=written.tags or tags)
            self.heads: Callable[[], HeadOf | None] = cache(partial(heads_of, self._text))
            self.typing = typing_of(self._text, types, self.heads)
        text = self._text
        return written._replace(words=text.words, tags=text.tags, trees=text.trees)

    def once(self, find: "Callable[[MatchedPair], Found]", pair: "MatchedPair") -> Found:
        """Return what a function finds in gold alone."""
        if find not in self._found:
            self._found[find] = find(pair)
        found: Found = self._found[find]
        return found


class MatchedPair(NamedTuple):
    """A pair after matching, in order."""

    id: str
    gold: Document
    system: Document
    written: Document  # Gold with its tokens, also where mentions are compared by characters
    sides: OrderedSides  # system mentions are called as their partners in gold
    shown: OrderedSides  # the same with the mentions as the documents have them, to show them
    links: tuple[Sequence[int], Sequence[int]]  # the status of that of each mention, of gold and the system
    has_spans: bool
    spans: str
    typing: Typing | None
    genre: str | None
    notices: tuple[Notice, ...]  # warnings of the analysis, besides those of scoring
    of_gold: OfGold
    categories: OnDemand[tuple[Sequence[str], Sequence[str]]] | None = None
    """The category of each mention of `sides`, empty if it has none; None if no side says any."""
    aligned: "TokensOf | None" = None
    """The function from a mention to the tokens of gold that it touches, if mentions are compared by
    characters and gold has tokens."""
    changes: Sequence[Change] | None = None
    """Where the text of the system differs from gold, if texts are compared."""
    by_name: bool = False  # whether entities of one name are aligned, see `scorch2.scoring.metrics.entity_f1`

    def uncopied(self) -> frozenset[int]:
        """Return the places of gold mentions of which a copy has no word, and of zeros with none beside."""
        gone = {start for (start, _), words in self.changes or () if not words}
        if not gone:
            return frozenset()
        starts = [0, *accumulate(self.written.sentences or ())]
        words_of = (tokens_of(cast("Span", mention), starts) for mention in self.shown.gold.mentions)
        return frozenset(
            place
            for place, (words, mention) in enumerate(zip(words_of, self.shown.gold.mentions, strict=True))
            if gone.issuperset(words or _beside(cast("Span", mention)[0], starts[-1]))
        )

    @property
    def has_tokens(self) -> bool:
        """True if the tokens of gold are known for the mentions of both sides."""
        return self.has_spans and (self.aligned is not None or self.gold.has_tokens)

    def token_spans(self, side: OrderedSide) -> Sequence[tuple[int, int]]:
        """Return the tokens of gold for each mention of a side; its characters if there are no tokens."""
        found = cast("Sequence[tuple[int, int]]", side.mentions)
        return found if self.aligned is None else [self.aligned(span) for span in found]


def _beside(place: int, end: int) -> Sequence[int]:
    """Return the words beside a place between words."""
    return range(max(place - 1, 0), min(place + 1, end))


def matched_pair(
    pair: Pair, options: Options, request: AnalysisRequest, of_gold: OfGold | None = None
) -> MatchedPair:
    """Match a pair of documents as for scoring, put its mentions in order and find span errors."""
    # `of_gold` has what is known of its gold document, if that is also the one of the pair before
    of_gold = of_gold or OfGold()
    matcher = Matcher(options)
    compared = matcher.compared(pair.id, *matcher.annotated(pair.gold, pair.system))
    matched = matcher.matched(compared)
    gold, system, written = compared.gold.document, compared.system.document, compared.gold.written
    aligned = aligned_tokens(written, gold, options)
    is_own, written = gold.words is written.words, of_gold.read(written, request.types)
    gold = gold._replace(words=written.words) if is_own else gold
    mentions = (*matched.gold.owner, *matched.system.owner)
    has_spans = (
        gold.has_spans
        and system.has_spans
        and all(isinstance(one, tuple) and len(one) == _ENDS for one in mentions)
    )
    types = _in_tokens(of_gold.typing, aligned)
    _refuse_lacking(pair.id, gold, request, has_spans=has_spans, has_types=types is not None)
    remark = _WITHOUT_TWINLESS.get(options.choices["twinless"])
    remarks = () if remark is None else (Notice("twinless", "", remark),)
    texts = written, compared.system.written
    how, find = _finder(texts, request, types, aligned, of_gold.heads) if has_spans else ("none", _no_pairs)
    sides, more = _in_order(matched.gold, matched.system, find, pair.id)
    shown = _as_shown(sides, matched)
    says_any = gold.categories is not None or system.categories is not None
    categories = OnDemand(_categories, compared, sides, shown.system.mentions) if says_any else None
    changes = None if "copying" not in compared.noted else compared.changes() if compared.changes else ()
    if changes is not None and aligned is not None:
        gold, system, shown = _in_words(written, system, shown, aligned)
    elif changes is not None:  # mentions of a copy that match nothing stand behind the text
        gold = gold._replace(sentences=system.sentences, words=system.words)
    return MatchedPair(
        pair.id,
        gold,
        system,
        written,
        sides,
        shown,
        (statuses(sides.gold), statuses(sides.system)),
        has_spans,
        how,
        types,
        request.genre,
        (*remarks, *more),
        of_gold,
        categories,
        aligned,
        changes,
        options.choices["entities"] == "names",
    )


def _refuse_lacking(
    ident: str, gold: Document, request: AnalysisRequest, *, has_spans: bool, has_types: bool
) -> None:
    if request.spans not in ("auto", "none") and not has_spans:
        why = f"mentions are not spans of a text, which --spans={request.spans} needs (leave it out)"
        raise InputError(gold.path or ident, "", f"{quoted(ident)}: {why}")
    if request.types == "english" and not has_types:
        raise InputError(gold.path or ident, "", f"{quoted(ident)} has no tokens for --types=english")


def _in_tokens(types: Typing | None, aligned: "TokensOf | None") -> Typing | None:
    """Return what tells the types of mentions, which may be compared by characters."""
    if types is None or aligned is None:
        return types
    return Typing(
        types.how, *(partial(_of_tokens, find, aligned) for find in (types.type_of, types.is_pronoun))
    )


def _categories(
    compared: ComparedPair, sides: OrderedSides, own: Sequence[Mention]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the category of each mention; a system mention without one takes that of its gold mention."""
    golds, systems = of_mentions(compared.gold.document), of_mentions(compared.system.document)
    called = list(map(as_written, sides.system.mentions))
    of_system = [
        systems.get(mention) or golds.get(name, "") for mention, name in zip(own, called, strict=True)
    ]
    # Gold may have twinless mentions of the system, as singletons
    of_twinless = dict(zip(called, of_system, strict=True))
    of_gold = [
        golds[mention] if mention in golds else of_twinless.get(mention, "")
        for mention in map(as_written, sides.gold.mentions)
    ]
    return of_gold, of_system


def _in_words(
    written: Document, system: Document, sides: OrderedSides, aligned: "TokensOf"
) -> tuple[Document, Document, OrderedSides]:
    """Return what texts that are compared by their letters look like in the words of gold."""
    from scorch2.scoring.matching.copied_text import as_gold, in_tokens

    gold = in_tokens(written)
    clusters = {name: list(map(aligned, spans(members))) for name, members in system.clusters.items()}
    left, right = (
        side._replace(mentions=list(map(aligned, spans(side.mentions))))
        for side in (sides.gold, sides.system)
    )
    return gold, as_gold(gold, system, clusters), sides._replace(gold=left, system=right)


def _of_tokens(find: Callable[[Span], Any], aligned: "TokensOf", span: Span) -> Any:
    return find(aligned(span))


def _as_shown(sides: OrderedSides, matched: Matched) -> OrderedSides:
    gold, system = sides.gold, sides.system
    originals = [matched.original_of.get(mention, mention) for mention in system.mentions]
    return sides._replace(
        gold=gold._replace(mentions=list(map(as_written, gold.mentions))),
        system=system._replace(mentions=list(map(as_written, originals))),
    )


def _finder(
    texts: tuple[Document, Document],
    request: AnalysisRequest,
    types: Typing | None,
    aligned: "TokensOf | None",
    heads: Callable[[], HeadOf | None],
) -> tuple[str, FindSpanErrors]:
    """Return how span errors are found, and the function that finds them."""

    def may_pair(left: Span, right: Span) -> bool:
        return types is None or types.is_pronoun(left) == types.is_pronoun(right)

    how = request.spans
    key_of: KeyOf | None = None
    if how in ("head", "auto"):
        key_of = first_known([heads(), heads_of(texts[1])])
        how = "overlap" if how == "auto" and key_of is None else "head"
    if how == "head":
        key_of = key_of or heads_guessed(texts[0], request.types)
    elif how == "trim":
        key_of = trimmed(texts[0])
    if how not in _LACKING:
        return how, partial(by_overlap, may_pair=may_pair) if how == "overlap" else _no_pairs
    if key_of is None:
        raise texts[0].error(_LACKING[how].format(quoted(texts[0].id)))
    if aligned is not None:
        key_of = partial(_of_tokens, key_of, aligned)
    return how, partial(by_key, key_of=key_of, may_pair=may_pair)


_LACKING = {
    "head": "{} has neither heads nor trees nor tags, which --spans=head needs (or guess: --types=english)",
    "trim": "{} has no words, which --spans=trim needs",
}


def _in_order(
    gold: Partition, system: Partition, find: FindSpanErrors, ident: str
) -> tuple[OrderedSides, tuple[Notice, ...]]:
    """Return both sides with the span errors between them, and a warning if there is too much to compare."""
    try:
        return sides_of(gold, system, find), ()
    except TooManyLooksError as error:
        return sides_of(gold, system, _no_pairs), (Notice("spans", ident, str(error)),)


def sides_of(gold: Partition, system: Partition, find: FindSpanErrors) -> OrderedSides:
    """Put both partitions in order and find the partner of each mention."""
    mentions = in_order(gold.owner), in_order(system.owner)
    numbers = _numbers(mentions[0], gold), _numbers(mentions[1], system)
    left = _side(mentions[0], gold, numbers[0], system.owner, numbers[1])
    right = _side(mentions[1], system, numbers[1], gold.owner, numbers[0])
    extra, missing = ([i for i, twin in enumerate(side.equal) if twin == LACKS] for side in (right, left))
    if not (missing and extra):
        return OrderedSides(left, right, ())
    pairs = find([left.mentions[i] for i in missing], [right.mentions[i] for i in extra])
    span_errors = sorted((missing[g], extra[s]) for g, s in pairs)
    partners, others = list(left.equal), list(right.equal)
    for g, s in span_errors:
        partners[g], others[s] = right.entities[s], left.entities[g]
    return OrderedSides(left._replace(partners=partners), right._replace(partners=others), span_errors)


def _numbers(mentions: Sequence[Mention], partition: Partition) -> list[int]:
    """Return the number of each cluster as an entity, and `LACKS` in last place: at the index -1."""
    numbers = [LACKS] * (len(partition.sizes) + 1)
    owner = partition.owner
    for number, old in enumerate(dict.fromkeys([owner[mention] for mention in mentions])):
        numbers[old] = number
    return numbers


def _side(
    mentions: Sequence[Mention],
    partition: Partition,
    numbers: Sequence[int],
    others: Mapping[Mention, int],
    other_numbers: Sequence[int],
) -> OrderedSide:
    owner, other = partition.owner, others.get
    sizes = [0] * len(partition.sizes)
    for old, size in enumerate(partition.sizes):
        sizes[numbers[old]] = size
    equal = [other_numbers[other(mention, LACKS)] for mention in mentions]
    return OrderedSide(mentions, [numbers[owner[mention]] for mention in mentions], sizes, equal, equal)
