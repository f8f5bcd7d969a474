"""The step for ``--align=text``: mentions of a text that was copied with errors, as words of the original.

A system mention covers the words of gold that its words stand for, from the first to the last. One that
stands for none, or that ends up on the words of another cluster's mention, keeps a place of its own behind
the end of the text: it matches nothing, and precision pays for it. Its head is found by the syntax of its
sentence, by the rule of the CorefUD tools (udapi, block corefud.MoveHead): the node that no other of the
mention governs; of several the one above all others, else the first.

Windows of a text that a system got one after the other are joined by the words of gold that they are copies
of. Entities of two windows are one if a mention of each is on the same words. Windows that share no words
keep their entities apart.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import accumulate, chain, groupby
from typing import NamedTuple, TypeAlias, cast

from scorch2.formats.conllu.shared import nodes_of
from scorch2.formats.fields import in_groups
from scorch2.formats.marked.plaintext import text_order
from scorch2.formats.source import lacking_text
from scorch2.model.besides import Copying
from scorch2.model.document import Discontinuous, Document, Mention, OnDemand, Span, Words, spans
from scorch2.model.errors import Notice, OtherWordsError, counted, quoted
from scorch2.model.markables import Edge, Markable, Nodes, StoredMarkable, Tree, Word, runs_of
from scorch2.model.options import Options
from scorch2.scoring.matching.matched import Change, ComparedPair
from scorch2.scoring.matching.preprocessing import align_characters
from scorch2.scoring.matching.word_alignment import Alignment, TooDifferentError, align_words
from scorch2.scoring.pairing.words import NO_WORDS

_Node: TypeAlias = tuple[int, int]
"""A word or an empty node of a sentence, as in `Word`; the root is word 0."""


class Syntax(NamedTuple):
    """Who governs whom in a sentence."""

    parents: Mapping[_Node, _Node]  # by basic dependencies
    governors: Mapping[_Node, Sequence[_Node]]  # by enhanced dependencies, of nodes that have some
    written: Mapping[_Node, frozenset[Edge]]  # the same as written

    @classmethod
    def of(cls, tree: Tree) -> "Syntax":
        """Return the syntax of a tree."""
        parents: dict[_Node, _Node] = {}
        governors: dict[_Node, list[_Node]] = {}
        written: dict[_Node, frozenset[Edge]] = {}
        for row in tree.rows:
            node = _node(row.id)
            if node is None:
                continue
            parent = _node(row.head)
            if parent is not None and not node[1]:
                parents[node] = parent
            edges = [edge.partition(":") for edge in row.deps.split("|")]
            known = [place for name, _, _ in edges if (place := _node(name)) is not None]
            if known:
                governors[node] = known
                written[node] = frozenset((name, relation) for name, _, relation in edges)
        return cls(parents, governors, written)

    def head(self, nodes: Nodes) -> Word:
        """Return the head of a mention of the sentence."""
        sentence = nodes.first.sentence
        members = [(first.word + step, first.rank) for first, size in nodes.parts() for step in range(size)]
        inside = set(members)
        roots = [node for node in members if self.parents.get(node) not in inside]
        if len(roots) > 1:
            every = {node: [governor in inside for governor in self._above(node)] for node in roots}
            free = [node for node in roots if not any(every[node])]
            roots = free or [node for node in roots if not all(every[node])]
        if len(roots) > 1:
            highest = self._common(self._word_above(node) for node in roots)
            roots = [highest] if highest in roots else roots
        return Word(sentence, *(roots or members)[0])

    def _above(self, node: _Node) -> Sequence[_Node]:
        parent = self.parents.get(node)
        return self.governors.get(node) or ([] if parent is None else [parent])

    def _word_above(self, node: _Node) -> _Node | None:
        """Return a word itself, and for an empty node the first word that governs it."""
        return node if not node[1] else next((one for one in self._above(node) if not one[1]), None)

    def _common(self, words: Iterable[_Node | None]) -> _Node | None:
        """Return the lowest node that is above all words, or one of them."""
        rows = [self._row(word) for word in words if word is not None]
        common = None
        for level in zip(*rows, strict=False):
            if len(set(level)) > 1:
                break
            common = level[0]
        return common

    def _row(self, word: _Node) -> list[_Node]:
        """Return the nodes from the root down to a word; a circle is cut."""
        row = {word: None}
        while word in self.parents and self.parents[word] not in row:
            word = self.parents[word]
            row[word] = None
        return list(row)[::-1]


def _node(name: str) -> _Node | None:
    word, _, rank = name.partition(".")
    if not (word.isdecimal() and (rank or "0").isdecimal() and len(name) < 20):  # noqa: PLR2004 - no huge numbers
        return None
    return int(word), int(rank or 0)


_SHOWN = 30  # words of a mention that matches nothing, where it is listed


def align_text(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return a pair whose system mentions are words of gold; texts of the same letters compare by these."""
    if "copying" in pair.noted:  # of windows, which are joined by now
        return pair
    gold, system = map(in_tokens, pair.documents)
    here, there = words_of(gold), words_of(system)
    apart = may_collide(options) and _has_mention_twice(system)
    whole = Copying(len(here), len(here), 0, 0, 0, len(here), repaired=len(system.repairs))
    is_plain = not (apart or system.has_discontinuous)
    if is_plain and here == there:
        return pair.compared_as(gold, as_gold(gold, system, system.clusters)).noting("copying", whole)
    if is_plain and options.match == "exact" and "".join(here) == "".join(there):
        return align_characters(pair, options).noting("copying", whole)
    same = Alignment([(place, place + 1) for place in range(len(here))], bytes([1]) * len(here), 0, 0, 0)
    alignment = same if here == there else aligned(here, there, system)
    behind: list[str] = []
    clusters, copying = in_gold(Original.of(gold), system, alignment, behind, apart=apart)
    changed = None if here == there else partial(changes_of, [(alignment, there)], len(here))
    compared = pair.compared_as(gold, as_gold(gold, system, clusters, behind))
    return compared._replace(changes=changed).noting("copying", copying)


def read_beside(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return a pair whose system, a text with marks, is read as a copy of gold's words."""
    gold, system = pair.documents
    return pair.read_as(gold, beside(gold, system, options))


def beside(gold: Document, system: Document, options: Options) -> Document:
    """Return a text with marks, or windows of one, read as a copy of gold's words."""
    # An OtherWordsError tells that it has others, if nothing says how to compare them
    known = in_tokens(gold) if gold.words is not None or gold.text is not None else None
    words = [] if known is None or known.words is None else words_of(known)
    if system.against is not None:
        system = system.against(system, words)
    is_open = options.align == "none" and not options.align_given
    if is_open and {*words} - NO_WORDS and words_of(system) != words:
        why = f"the words of {quoted(system.id)} are not those of gold"
        raise OtherWordsError(f"{system.path}: {why}: type --align=text to compare them")
    return system


def may_collide(options: Options) -> bool:
    """Return whether a mention in two clusters is no error, but matches nothing where it is the second."""
    # A mark that was repaired may stand where another cluster's does
    return (options.marks, options.duplicates, options.lookup) == ("repair", "error", "pairs")


def _has_mention_twice(document: Document) -> bool:
    every = [mention for members in document.clusters.values() for mention in dict.fromkeys(members)]
    return len(set(every)) < len(every)


def aligned(here: Sequence[str], there: Sequence[str], system: Document) -> Alignment:
    """Return what the words of the system stand for; an InputError tells that the texts differ too much."""
    try:
        return align_words(here, there)
    except TooDifferentError:
        why = f"the text of {quoted(system.id)} differs too much from gold for --align=text"
        raise system.error(f"{why} (is it the same document?)") from None


_TOKEN = re.compile(r"\S+")


def in_tokens(document: Document) -> Document:
    """Return a document whose spans count tokens: those between blanks and borders."""
    if document.unit != "character" or not document.has_spans or document.text is None:
        return document
    text = document.text
    borders = set(chain.from_iterable(spans(list(chain.from_iterable(document.clusters.values())))))
    tokens: list[tuple[int, int]] = []
    for found in _TOKEN.finditer(text):
        inside = sorted(borders.intersection(range(found.start() + 1, found.end())))
        tokens += zip([found.start(), *inside], [*inside, found.end()], strict=True)
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    clusters: dict[str, list[Mention]] = {
        name: [(bisect_left(ends, start + 1), bisect_right(starts, end - 1)) for start, end in spans(members)]
        for name, members in document.clusters.items()
    }
    words = Words(list, [text[start:end] for start, end in tokens])
    return document._replace(clusters=clusters, sentences=[len(tokens)], unit="token", words=words, text=None)


def words_of(document: Document) -> list[str]:
    """Return the words of a document; a blank inside one is ``_``, as texts with marks write it."""
    if not document.has_tokens or document.words is None:
        if not document.has_mentions and document.words is None:
            return []
        hint = lacking_text(document) or "leave it out"
        why = f"{quoted(document.id)} has neither tokens nor a text, which --align=text needs"
        raise document.error(f"{why} ({hint})")
    words = document.words()
    plain = {word: "_".join(word.split()) for word in set(words)}
    return [plain[word] for word in words]


class Original(NamedTuple):
    """Gold, as its copies are compared with it."""

    document: Document
    starts: Sequence[int]  # the number of words before each sentence, and of all
    zeros: Mapping[int, Sequence[Word]]  # empty nodes by the number of words before them, as written

    @classmethod
    def of(cls, gold: Document) -> "Original":
        """Return the original that gold is."""
        starts = [0, *accumulate(gold.sentences or ())]
        zeros: dict[int, list[Word]] = {}
        passed = 0
        for node in text_order(gold) if gold.trees is not None else ():
            if node.rank:
                zeros.setdefault(passed, []).append(node)
            else:
                passed = starts[node.sentence] + node.word
        return cls(gold, starts, zeros)


class _Places(NamedTuple):
    """The places in gold that words and empty nodes of a copy stand for."""

    starts: Sequence[int]  # the number of words of the copy before each of its sentences
    of_word: Sequence[Span | None]  # of each word
    before: Sequence[int]  # up to each word, the last one that stands for a word; -1 if there is none
    behind: Sequence[int]  # from each word on, the first one

    def number(self, word: Word) -> int:
        """Return the number of words of the copy up to a word, or before an empty node."""
        return self.starts[word.sentence] + word.word

    def words(self, first: int, end: int) -> Span | None:
        """Return the words of gold from the first to the last that words of the copy stand for."""
        here, there = self.behind[first], self.before[end - 1]
        if first >= end or here > there:
            return None
        begin, stop = self.of_word[here], self.of_word[there]
        return (begin[0], stop[1]) if begin and stop else None


def _places(system: Document, alignment: Alignment) -> _Places:
    known = alignment.originals
    number = len(known)
    before = list(accumulate((i if known[i] else -1 for i in range(number)), max))
    behind = list(accumulate((i if known[i] else number for i in reversed(range(number))), min))[::-1]
    return _Places([0, *accumulate(system.sentences or ())], known, before, behind)


def in_gold(
    original: Original, system: Document, alignment: Alignment, behind: list[str], *, apart: bool
) -> tuple[dict[str, list[Mention]], Copying]:
    """Return the mentions of a system as words of gold, and what became of them."""
    # The words of those that match nothing are added to what stands `behind` the text. With `apart` a mention
    # that the system has in two clusters collides, too.
    places = _places(system, alignment)
    zero_of = _zeros(system, places, original.zeros)
    starts = original.starts
    total, shown = starts[-1], _mention_words(system)
    taken: dict[Mention, tuple[str, Mention]] = {}
    clusters: dict[str, list[Mention]] = {}
    moved = lost = collided = 0
    for name, members in system.clusters.items():
        clusters[name] = []
        for mention in members:
            place = _place_of(mention, places, zero_of, starts)
            if place is not None:
                owner, first = taken.setdefault(place, (name, mention))
                if owner == name or (first == mention and not apart):
                    moved += not _is_copied(mention, places, alignment)
                    clusters[name].append(place)
                    continue
            collided += place is not None
            lost += place is None
            clusters[name].append((total + len(behind), total + len(behind) + 1))
            behind.append(shown(mention))
    spans_ = [span for span in alignment.originals if span]
    copying = Copying(
        total, sum(alignment.equal), alignment.changed, alignment.deleted, alignment.inserted,
        spans_[-1][1] if spans_ else 0, moved, lost, collided, len(system.repairs),
    )  # fmt: skip
    return clusters, copying


def changes_of(parts: Sequence[tuple[Alignment, Sequence[str]]], number: int) -> list[Change]:
    """Return where a copy, or windows of it, differ from the `number` words of gold."""
    # What one of the windows copied is no change
    # Where windows meet, the first one tells
    equal = copied_in((alignment for alignment, _ in parts), number)
    changes: list[Change] = []
    place = 0
    for alignment, words in parts:
        reached, place = place, 0
        for word, span in zip(words, alignment.originals, strict=True):
            first, place = span or (place, place)
            if place >= reached and (span is None or not equal[first]):
                changes.append(((first, place), word))
    merged = _merged(sorted(changes, key=lambda change: change[0]))
    replaced = {word for span, _ in merged for word in range(*span)}
    gone = [(i, i + 1) for i, is_copied in enumerate(equal) if not is_copied and i not in replaced]
    return sorted([*merged, *((span, "") for span in gone)], key=lambda change: change[0])


def copied_in(alignments: Iterable[Alignment], number: int) -> Sequence[int]:
    """Return for each of the `number` words of gold 1 if one of its copies has it."""
    copied = bytearray(number)
    for alignment in alignments:
        for place, is_copied in enumerate(alignment.equal, alignment.begin):
            copied[place] |= is_copied
    return copied


def _merged(changes: Iterable[Change]) -> list[Change]:
    """Return changes with those as one that share words of gold, and words that were inserted in a row."""
    merged: list[Change] = []
    for (start, end), words in changes:
        (first, last), before = merged[-1] if merged else ((-1, -1), "")
        if start < last or (start, end) == (first, last):
            merged[-1] = (first, max(last, end)), f"{before} {words}"
        else:
            merged.append(((start, end), words))
    return merged


def as_gold(
    gold: Document, system: Document, clusters: Mapping[str, Sequence[Mention]], behind: Sequence[str] = ()
) -> Document:
    """Return a system document with mentions in the words of gold, or in those that stand behind the text."""
    sentences = [*(gold.sentences or ()), *([len(behind)] if behind else [])]
    return system._replace(
        clusters=clusters, sentences=sentences, words=Words(_words_behind, gold, behind), format=gold.format,
        numbered=gold.numbered, trees=gold.trees, sentence_ids=gold.sentence_ids, flat=gold.flat,
        markables=None if gold.trees is None else OnDemand(_markables, clusters, gold, sentences),
    )  # fmt: skip


def _words_behind(gold: Document, behind: Sequence[str]) -> list[str]:
    return [*(gold.words() if gold.words is not None else ()), *behind]


def _mention_words(document: Document) -> Callable[[Mention], str]:
    """Return a function that returns the words of a mention, the first ones of a long one."""
    words = document.words() if document.words is not None else []

    def shown(mention: Mention) -> str:
        start, end = cast("Span", mention)
        return " ".join([*words[start : min(end, start + _SHOWN)], *["…"] * (end > start + _SHOWN)]) or "_"

    return shown


def _place_of(
    mention: Mention, places: _Places, zero_of: Mapping[Word, Word], starts: Sequence[int]
) -> Mention | None:
    """Return a mention as words and empty nodes of gold; None if it stands for none."""
    start, end = cast("Span", mention)
    span = places.words(start, end) if start < end else None
    if not isinstance(mention, Discontinuous):
        return span
    empty = sorted(zero_of[node] for node in mention.nodes.empty if node in zero_of)
    if not empty:
        return span
    runs = tuple(runs_of(*span, starts)) if span else ()
    first = starts[empty[0].sentence] + empty[0].word
    return Discontinuous(*(span or (first, first)), Nodes(runs, tuple(empty)))


def _zeros(system: Document, places: _Places, zeros: Mapping[int, Sequence[Word]]) -> dict[Word, Word]:
    """Return what each empty node of a copy stands for: those of gold between two words, in their order."""
    every = chain.from_iterable(system.clusters.values())
    nodes = sorted({node for one in every if isinstance(one, Discontinuous) for node in one.nodes.empty})
    found: dict[Word, Word] = {}
    used: dict[int, int] = {}  # by where they stand in gold, how many come before those of a place
    for _, group in groupby(nodes, key=lambda node: node[:2]):
        here = list(group)
        number = places.number(here[0])
        last = places.before[number - 1] if number else -1
        word = places.of_word[last] if last >= 0 else None
        gap = word[1] if word else 0
        known = zeros.get(gap, ())
        passed = used.get(gap, 0)
        for node in here:
            if passed + node.rank <= len(known):
                found[node] = known[passed + node.rank - 1]
        used[gap] = passed + here[-1].rank
    return found


def _is_copied(mention: Mention, places: _Places, alignment: Alignment) -> bool:
    """Return whether the first and the last word of a mention are copies."""
    start, end = cast("Span", mention)
    return all(
        span is not None and alignment.is_copied(span[0])
        for span in (places.of_word[place] for place in {start, end - 1} if start < end)
    )


def _markables(
    clusters: Mapping[str, Sequence[Mention]], gold: Document, lengths: Sequence[int]
) -> Mapping[str, Sequence[Markable]]:
    """Return what is known of the mentions of a copy: heads, those of gold or else by its syntax."""
    starts = [0, *accumulate(lengths)]
    sentences = [Syntax.of(tree) for tree in gold.trees()] if gold.trees is not None else []
    known = gold.markables() if gold.markables is not None else {}
    heads = {markable.nodes: markable.head for members in known.values() for markable in members}

    def markable(nodes: Nodes) -> Markable:
        number = nodes.first.sentence
        is_inside = nodes.last.sentence == number < len(sentences)
        head = heads.get(nodes) or (sentences[number].head(nodes) if is_inside else nodes.first)
        written = sentences[number].written if is_inside else {}
        edges = written.get(head[1:], frozenset()) if head.rank else frozenset()
        return StoredMarkable(nodes, head, Nodes.of([head]), ((nodes.first, nodes.last),), edges)

    return {
        name: [markable(nodes_of(mention, starts)) for mention in members]
        for name, members in clusters.items()
    }


_ROOM = 3  # a window is looked for in so many times its words first, from where the one before begins
_LEAST = 1000  # and in so many words at least
_ENOUGH = 0.9
"""The share of its words that must be found there, else it is looked for in the rest: two thirds of them
may be found in order nearly everywhere."""
_RARE = 20  # a word that gold has at most so often says where in the rest


def join_windows(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return a pair with the windows of the system, if it has some, as one document in the words of gold."""
    system = pair.system.document
    if not system.windows:
        return pair
    gold = in_tokens(pair.gold.document)
    original, here = Original.of(gold), words_of(gold)
    rare = _rare_words(here)
    behind: list[str] = []
    parts: list[dict[str, list[Mention]]] = []
    accounts: list[Copying] = []
    texts: list[tuple[Alignment, Sequence[str]]] = []
    begin = before = apart = 0
    for window in system.windows:
        there = words_of(window)
        alignment = _aligned_from(begin, here, there, window, rare)
        texts.append((alignment, there))
        clusters, copying = in_gold(original, window, alignment, behind, apart=may_collide(options))
        parts.append(clusters)
        accounts.append(copying)
        places = [span for span in alignment.originals if span]
        begin = places[0][0] if places else begin
        apart += bool(len(parts) > 1 and (not places or begin >= before))
        before = places[-1][1] if places else before
    joined, met = _joined(parts, sum(gold.sentences or ()))
    pairs = f"{counted(met, 'pair')} of entities by mentions in both"
    made = f"{counted(len(parts), 'window')} joined, and {pairs}"
    lack = f"; {counted(apart, 'window')} without words of the one before: ids do not join" if apart else ""
    notice = Notice("windows", pair.id, f"{made}{lack}")
    total = Copying(*map(sum, zip(*accounts, strict=True)))
    changes = changes_of(texts, len(here))
    copied = copied_in((alignment for alignment, _ in texts), len(here))
    changed = sum(end - start for (start, end), words in changes if words)
    deleted = len(here) - sum(copied) - changed
    end = max(copying.end for copying in accounts)
    total = total._replace(words=len(here), copied=sum(copied), changed=changed, deleted=deleted, end=end)
    document = as_gold(gold, system._replace(windows=(), categories=None), joined, behind)
    compared = pair.compared_as(gold, document)._replace(changes=lambda: changes)
    return compared._replace(notices=(*pair.notices, notice)).noting("copying", total)


def _rare_words(here: Sequence[str]) -> Mapping[str, Sequence[int]]:
    """Return the places of the words that a text has a few times."""
    places: dict[str, list[int]] = {}
    for place, word in enumerate(here):
        places.setdefault(word, []).append(place)
    return {word: every for word, every in places.items() if len(every) <= _RARE}


def _aligned_from(
    begin: int, here: Sequence[str], there: Sequence[str], window: Document, rare: Mapping[str, Sequence[int]]
) -> Alignment:
    """Return what a window stands for in the text from a place on."""
    room = max(_ROOM * len(there), _LEAST)
    near = _aligned_in(begin, begin + room, here, there, window)
    last = max((span[1] for span in near.originals if span), default=begin)
    is_whole = last + len(there) // 10 < begin + room  # or else its end may be behind the room
    if begin + room >= len(here) or (is_whole and sum(near.equal) >= _ENOUGH * len(there)):
        return near
    later = sorted(place for word in set(there) for place in rare.get(word, ()) if place >= begin)
    if not later:
        return near
    start = _densest(later, len(there)) - len(there)
    far = _aligned_in(max(start, begin), start + room, here, there, window)
    return max(near, far, key=lambda found: sum(found.equal))


def _densest(places: Sequence[int], length: int) -> int:
    """Return the first of the places of which most lie within some length."""
    best = first = most = 0
    for number, place in enumerate(places, 1):
        while places[first] + length < place:
            first += 1
        if number - first > most:
            best, most = places[first], number - first
    return best


def _aligned_in(
    begin: int, end: int, here: Sequence[str], there: Sequence[str], window: Document
) -> Alignment:
    """Return what a window stands for in a stretch of the text."""
    found = aligned(here[begin:end], there, window)
    originals = [span and (span[0] + begin, span[1] + begin) for span in found.originals]
    return found._replace(originals=originals, begin=begin)


def _joined(parts: Sequence[dict[str, list[Mention]]], end: int) -> tuple[dict[str, list[Mention]], int]:
    """Return the clusters of all windows, as one those with a mention in common, and how often they met."""
    every = {
        (number, name): own for number, clusters in enumerate(parts, 1) for name, own in clusters.items()
    }
    first: dict[Mention, tuple[int, str]] = {}
    links = [
        (first.setdefault(mention, key), key)
        for key, members in every.items()
        for mention in members
        if cast("Span", mention)[0] < end  # others match nothing
    ]
    groups = in_groups(list(every), links)
    joined = {min(keys): chain.from_iterable(every[key] for key in keys) for keys in groups}
    clusters = {f"{number}:{name}": list(dict.fromkeys(own)) for (number, name), own in joined.items()}
    return clusters, len(every) - len(groups)
