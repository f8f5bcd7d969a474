"""Steps on documents that only options ask for: layers, discontinuous mentions, offsets, alignment.

By characters, a span of tokens begins with the first character of its first token and ends with the last of
its last; a span of characters loses the blanks that it counted. What remains compares by equality, wherever
borders fall: so two tokenisations of a text meet.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias
from unicodedata import normalize

from scorch2.formats.rows.conll import CLOSED_FIRST
from scorch2.formats.source import lacking_text
from scorch2.formats.table import row_of
from scorch2.model.document import Discontinuous, Document, Label, Mention, OnDemand, Words, spans
from scorch2.model.errors import InputError, Notice, counted, quoted, shown_path
from scorch2.model.markables import (
    Markable,
    Nodes,
    Relations,
    StoredMarkable,
    Word,
    joined_runs,
    moved,
    runs_of,
)
from scorch2.model.names import COUNTINGS, Counting, counting_of, labels_of, mention_names
from scorch2.model.options import Options
from scorch2.scoring.matching.matched import ComparedPair

_OPENED_FIRST = "a mention opened before the one before it of its entity closed, as coval reads it"


def choose_layer(pair: ComparedPair, options: Options) -> ComparedPair:
    """Return the annotation that is scored, of files that hold two of one text: identity, or deixis."""
    return pair.read_as(*(layer_of(document, options.choices["layer"]) for document in pair.documents))


def layer_of(document: Document, layer: str) -> Document:
    """Return a layer of a document; one that stands for a missing file has all that are empty."""
    if layer in document.layers:
        return document.layers[layer]
    if not document.path and not document.has_mentions:
        return document
    why = f"{quoted(document.id)} has no annotation of {layer}, which --layer={layer} needs"
    raise document.error(f"{why} (the exploded format has a column for it)")


def open_before_closing(pair: ComparedPair, _: Options) -> ComparedPair:
    """Return CoNLL documents in which a token opens mentions before it closes others, as coval reads them."""
    return pair.read_as(*map(opened_first, pair.documents))


def opened_first(document: Document) -> Document:
    """Return a document read so: what closes on a token where its entity opens a mention is that mention."""
    notes = [note.replace(CLOSED_FIRST, _OPENED_FIRST) for note in document.notes]
    if notes == list(document.notes):  # no token has both
        return document
    clusters: dict[str, list[Mention]] = {}
    for name, members in document.clusters.items():
        opens = Counter(start for start, end in spans(members) if end - start > 1)
        closes = Counter(end - 1 for start, end in spans(members) if end - start > 1)
        clusters[name] = [(start, end) for start, end in spans(members) if end - start == 1]
        begun: list[int] = []
        for token in sorted({*opens, *closes}):
            begun += [token] * opens[token]
            clusters[name] += [(begun.pop(), token + 1) for _ in range(closes[token])]
    categories = document.categories and OnDemand(_labels_of_others, document, clusters)
    return document._replace(clusters=clusters, notes=notes, categories=categories)


def _labels_of_others(
    document: Document, clusters: Mapping[str, Sequence[Mention]]
) -> Mapping[str, Sequence[Label]]:
    """Return what a document says of other mentions, where it has them in their cluster."""
    said = {
        name: dict(zip(document.clusters[name], labels, strict=True))
        for name, labels in labels_of(document).items()
    }
    return {name: [said[name].get(mention) for mention in members] for name, members in clusters.items()}


def take_last_segments(pair: ComparedPair, _: Options) -> ComparedPair:
    """Return discontinuous mentions as their last segment, as the Universal Anaphora scorer 1.0 does."""
    gold, system = map(last_segments, pair.documents)
    here, there = Counter(gold.empty_nodes), Counter(system.empty_nodes)
    other = (here - there).total() + (there - here).total()
    if other and gold.format == system.format:  # what stands for a missing file has none
        peer = "the Universal Anaphora scorer 1.0 counts them as words, which shifts what is behind them"
        note = f"{counted(other, 'empty node')} that only one side has: {peer}"
        system = system._replace(notes=[*system.notes, note])
    return pair.read_as(gold, system)


def last_segments(document: Document) -> Document:
    """Return a document with the last segment of each mention, and a note about discontinuous ones."""
    if document.markables is None or document.sentences is None:
        return document
    every = document.markables()
    starts = [0, *accumulate(document.sentences)]
    number = sum(len(markable.pieces) > 1 for members in every.values() for markable in members)
    what = f"{counted(number, 'discontinuous mention')} taken for the last part"
    notes = [f"{what}, as --pieces=last asks (all takes all words)"] if number else []
    lasts = {name: [_last(markable) for markable in members] for name, members in every.items()}
    clusters = {
        name: [
            mention if whole is last else _mention(last.nodes, starts)
            for mention, whole, last in zip(members, every[name], lasts[name], strict=True)
        ]
        for name, members in document.clusters.items()
    }
    called = {
        mention: last
        for name, members in document.clusters.items()
        for mention, last in zip(members, clusters[name], strict=True)
        if mention is not last
    }
    return document._replace(
        clusters=clusters,
        markables=OnDemand(dict, lasts),
        relations=document.relations and OnDemand(_last_relations, document.relations, called, starts),
        notes=[*document.notes, *notes],
    )


def as_spans(document: Document) -> Document:
    """Return a document with each mention as the span from its first to its last word, if it holds a word."""
    if not document.has_discontinuous:
        return document
    clusters: dict[str, list[Mention]] = {
        name: [tuple(one) if isinstance(one, Discontinuous) and one[0] < one[1] else one for one in members]
        for name, members in document.clusters.items()
    }
    return document._replace(clusters=clusters)


def _last(markable: Markable) -> Markable:
    """Return a markable with its last segment alone; its head is the first word if it lost it."""
    if len(markable.pieces) == 1:
        return markable
    first, last = markable.pieces[-1]
    nodes = markable.nodes.between(first, last)
    is_there = first <= markable.head <= last
    head, edges = (markable.head, markable.edges) if is_there else (nodes.first, frozenset())
    return StoredMarkable(nodes, head, markable.minimum, markable.pieces[-1:], edges, markable.other)


def _mention(nodes: Nodes, starts: Sequence[int]) -> Mention:
    """Return words that follow each other as a span, or as `Discontinuous` if an empty node is among them."""
    first, last = nodes.first, nodes.last
    span = starts[first.sentence] + first.word - (not first.rank), starts[last.sentence] + last.word
    return Discontinuous(*span, nodes) if nodes.empty else span


def _last_stretch(nodes: Nodes, starts: Sequence[int]) -> Nodes:
    """Return the nodes behind the last place where a word of the text is missing."""
    begin, end = nodes.first, 0
    for first, size in nodes.parts():
        token = starts[first.sentence] + first.word
        if token > end + 1:
            begin = first
        end = token + size - 1
    return nodes.between(begin, nodes.last)


def _last_relations(
    relations: Callable[[], Relations], called: Mapping[Mention, Mention], starts: Sequence[int]
) -> Relations:
    """Return relations of last segments; that of a mention in no cluster begins where words lack."""

    def last(mention: object) -> object:
        if mention in called or not isinstance(mention, Discontinuous):
            return called.get(mention, mention)
        return _mention(_last_stretch(mention.nodes, starts), starts)

    every = relations()
    bridging = [
        link._replace(anaphor=last(link.anaphor), antecedent=last(link.antecedent)) for link in every.bridging
    ]
    others = {name: list(map(last, members)) for name, members in every.no_clusters.items()}
    return every._replace(
        bridging=bridging, non_referring=list(map(last, every.non_referring)), no_clusters=others
    )


def shift_offsets(pair: ComparedPair, options: Options) -> ComparedPair:
    """Count the spans of a side as ``--gold-offsets`` or ``--sys-offsets`` says, whatever its format says."""
    # With it, lists of two integers are spans too, in the unit of the other side
    sides = []
    notices = list(pair.notices)
    gold, system = pair.documents
    for document, other, value, side in (
        (gold, system, options.gold_offsets, "gold"),
        (system, gold, options.sys_offsets, "sys"),
    ):
        if value is None or not document.has_mentions:
            sides.append(document)
            continue
        option = f"--{side}-offsets={value}"
        taken = counting_of(document) if document.has_spans else COUNTINGS["exclusive"]
        added = shift_of(value, taken)
        if document.has_spans and any(added):
            ends = "exclusive" if taken.exclusive else "inclusive"
            about = row_of(document.format).about or "its format"
            why = f"{option} overrules {about}: {ends} ends, from {taken.first}"
            notices.append(Notice("offsets", "", why))
        sides.append(_shifted(document, other, added, option))
    return pair.read_as(*sides)._replace(notices=tuple(notices))


class Shift(NamedTuple):
    """Numbers that are added to the start and the end of each span of a side."""

    start: int
    end: int


def shift_of(value: str, taken: Counting) -> Shift:
    """Return what makes spans half-open and counted from 0 that count otherwise than the reader took them.

    >>> shift_of("exclusive", COUNTINGS["inclusive"]), shift_of("inclusive-from-1", COUNTINGS["exclusive"])
    (Shift(start=0, end=-1), Shift(start=-1, end=0))
    """
    meant = COUNTINGS[value]
    start = taken.first - meant.first
    return Shift(start, start + taken.exclusive - meant.exclusive)


def _shifted(document: Document, other: Document, added: Shift, option: str) -> Document:
    length = None if document.sentences is None else sum(document.sentences)
    clusters = {}
    for name, members in document.clusters.items():
        spans: list[Mention] = []
        for mention in members:
            if not isinstance(mention, tuple) or len(mention) != len(added):
                what = f"the mention {quoted(mention)} of {quoted(document.id)} is not a span"
                raise document.error(f"{what} of a start and an end, which {option} needs (leave it out)")
            start, end = mention[0] + added.start, mention[1] + added.end
            if not 0 <= start < end or (length is not None and end > length):
                why = "holds nothing" if start >= end else "does not lie in the text"
                what = f"the mention {mention_names(document)(mention)} of {quoted(document.id)} {why}"
                raise document.error(f"with {option} {what}: its spans count in another way")
            spans.append((start, end))
        clusters[name] = spans
    if document.has_spans:
        return document._replace(clusters=clusters)
    return document._replace(clusters=clusters, half_open=True, unit=other.unit if other.has_spans else "")


_SHOWN = 20  # characters before and after the first difference that a message shows
_LONGEST_CHARACTER = 4
"""Code points of a letter with its marks: enough to tell whether two letters are the same."""
_UNICODE = "; these are the same letters in two Unicode forms: write both texts in NFC"
ALIGN_OPTION = "--align=characters"
OTHER_WORDS = "--align=text compares a copy that has other words"
TokensOf: TypeAlias = Callable[[tuple[int, int]], tuple[int, int]]
"""From a span of characters of a text, blanks not counted, to a span of its tokens."""


class _Text(NamedTuple):
    """The text of a document without its blanks."""

    characters: str
    before: Sequence[int]
    """Characters before each unit (token or character) that spans count, and before the end."""


def align_characters(pair: ComparedPair, _: Options) -> ComparedPair:
    """Return mentions as spans of the characters of the text, blanks not counted."""
    gold, system = map(as_spans, pair.documents)
    here, there = _required_text(gold), _required_text(system)
    if here and there and here.characters != there.characters:
        where = _difference(gold, here.characters, system, there.characters)
        why = f"the text of {quoted(system.id)} differs from gold ({shown_path(gold.path)}) {where}"
        needs = f"{ALIGN_OPTION} needs the same text on both sides; {OTHER_WORDS}"
        raise system.error(f"{why} ({needs})")
    return pair.compared_as(_aligned(gold, here), _aligned(system, there))


def tokens_of(document: Document) -> TokensOf | None:
    """Return what finds the tokens that an aligned span touches; None without tokens and words."""
    # Its border may be inside a token: the whole token counts
    text = _text(document) if document.has_tokens else None
    if text is None:
        return None
    before = text.before
    return lambda span: (bisect_right(before, span[0]) - 1, bisect_left(before, span[1]))


TOKENS_OPTION = "--tokens-from"


def in_tokens_of(other: Document, document: Document) -> Document:
    """Return a document whose spans count characters in the tokens of another one of the same text."""
    here, there, find = _text(document), _text(other), tokens_of(other)
    if there is None or find is None or other.words is None:
        raise other.error(f"{quoted(other.id)} has no tokens, which {TOKENS_OPTION} takes")
    if here is None:
        hint = lacking_text(document) or "leave it out"
        raise document.error(f"{quoted(document.id)} has no text, which {TOKENS_OPTION} needs ({hint})")
    if here.characters != there.characters:
        where = _difference(other, there.characters, document, here.characters)
        why = f"the text of {quoted(document.id)} differs from that of {shown_path(other.path)} {where}"
        raise document.error(f"{why} ({TOKENS_OPTION} needs the same text)")
    aligned = _aligned(document, here)
    clusters: dict[str, list[Mention]] = {
        name: [find(span) for span in spans(members)] for name, members in aligned.clusters.items()
    }
    borders = set(there.before)
    widened = sum(not borders.issuperset(span) for one in aligned.clusters.values() for span in spans(one))
    note = f"{counted(widened, 'mention')} with a border inside a token widened to whole tokens"
    return document._replace(
        clusters=clusters, sentences=other.sentences, words=Words(list, tuple(other.words())), text=None,
        unit="token", flat=other.flat, half_open=False, exclusive=False,
        notes=[*document.notes, *([note] if widened else [])],
    )  # fmt: skip


def alignment_offer(gold: Document, system: Document) -> str:
    """Return the end of a message about spans that cannot be compared: how they can, or why not."""
    # Empty if nothing is known about the text of a side
    try:
        here, there = _text(gold), _text(system)
    except InputError:  # columns that do not say where the word is
        return ""
    if here is None or there is None:
        hint = " and ".join(filter(None, (lacking_text(one) for one in (gold, system))))
        return f" ({hint}; then {ALIGN_OPTION} compares by characters)" if hint else ""
    if here.characters == there.characters:
        return f" (the text is the same: {ALIGN_OPTION} compares by its characters)"
    where = _difference(gold, here.characters, system, there.characters)
    return f" ({OTHER_WORDS}; the texts differ {where})"


def _text(document: Document) -> _Text | None:
    """Return the text that the spans of a document are in; None if it is not known."""
    if document.has_tokens and document.words is not None:
        words = ["".join(word.split()) for word in document.words()]
        return _Text("".join(words), [0, *accumulate(map(len, words))])
    if document.has_spans and document.unit == "character" and document.text is not None:
        counted = accumulate(not character.isspace() for character in document.text)
        return _Text("".join(document.text.split()), [0, *counted])
    return None


def _required_text(document: Document) -> _Text | None:
    """Return the text of a document; None if it is not known, and there is no mention to align."""
    text = _text(document)
    if text is None and document.has_mentions:
        why = f"{quoted(document.id)} has neither tokens nor a text that its mentions are in"
        hint = lacking_text(document) or "leave it out"
        raise document.error(f"{why}, which {ALIGN_OPTION} needs ({hint})")
    return text


def _aligned(document: Document, text: _Text | None) -> Document:
    if text is None:
        return document
    before = text.before
    clusters = {
        name: [(before[start], before[end]) for start, end in spans(members)]
        for name, members in document.clusters.items()
    }
    for name, members in clusters.items():
        odd = next((place for place, (start, end) in enumerate(members) if start == end), None)
        if odd is not None:
            shown = mention_names(document)(document.clusters[name][odd])
            why = f"mention {shown} of {quoted(document.id)} holds nothing but whitespace"
            raise document.error(f"{why}, which {ALIGN_OPTION} does not count")
    return document._replace(
        clusters=clusters, sentences=None, unit="character", half_open=True, words=None, text=None
    )


def _difference(gold: Document, expected: str, system: Document, text: str) -> str:
    """Say where two texts differ first, with what stands around it on both sides."""
    pairs = enumerate(zip(expected, text, strict=False))
    place = next((i for i, (here, there) in pairs if here != there), min(len(expected), len(text)))
    shown = f"{_around(system, place)}, in gold {_around(gold, place)}"
    where = f"at character {place}, whitespace not counted: {shown}"
    return where + (_UNICODE if _decomposed(expected, place) == _decomposed(text, place) else "")


def _decomposed(text: str, place: int) -> str:
    """Return the character at a place with the mark that follows, as Unicode decomposes them."""
    return normalize("NFD", text[place : place + _LONGEST_CHARACTER])[:2]


def _around(document: Document, place: int) -> str:
    """Return what stands around the character `place` of a text, which counts no blanks."""
    if document.unit == "character":
        written = document.text or ""
    else:
        written = " ".join(document.words()) if document.words is not None else ""
    solid = (i for i, character in enumerate(written) if not character.isspace())
    at = next((i for number, i in enumerate(solid) if number == place), None)
    if at is None:
        return f"{quoted(_cut(written, len(written)))} and the end"
    return quoted(_cut(written, at))


def _cut(text: str, at: int) -> str:
    first, last = max(0, at - _SHOWN), at + _SHOWN
    return f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"


def with_sentences(document: Document, lengths: Sequence[int]) -> Document:
    """Return a document with the places of all words as if its sentences had other lengths."""
    move = _Move([0, *accumulate(document.sentences or ())], [0, *accumulate(lengths)])
    clusters = {
        name: [
            Discontinuous(one[0], one[1], move.nodes(one.nodes)) if isinstance(one, Discontinuous) else one
            for one in members
        ]
        for name, members in document.clusters.items()
    }
    document = document._replace(clusters=clusters, sentences=lengths)
    if document.markables is None:
        return document
    return document._replace(markables=OnDemand(_moved_markables, document.markables, move))


class _Move(NamedTuple):
    """The starts of sentences, as they were and as they become."""

    before: Sequence[int]
    after: Sequence[int]

    def word(self, word: Word) -> Word:
        number = self.before[word.sentence] + word.word
        sentence = max(bisect_left(self.after, number) - 1, 0)
        return Word(sentence, number - self.after[sentence], word.rank)

    def nodes(self, nodes: Nodes) -> Nodes:
        spans = ((self.before[at] + first - 1, self.before[at] + last) for at, first, last in nodes.runs)
        runs = joined_runs(run for start, end in spans for run in runs_of(start, end, self.after))
        return Nodes(runs, tuple(map(self.word, nodes.empty)))


def _moved_markables(
    every: Callable[[], Mapping[str, Sequence[Markable]]], move: _Move
) -> Mapping[str, Sequence[Markable]]:
    return {name: [moved(one, move.nodes, move.word) for one in members] for name, members in every().items()}
