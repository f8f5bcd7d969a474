"""Shared by texts with marks: the documents of a file, and the mentions between marks that open and close.

A mark without its partner is repaired: it is a mention of the word where it stands. A mark that cannot be
read is left out. `Document.repairs` has both, and who reads strictly raises the first of them. A backslash
before punctuation or a blank makes it a letter of a word, as in Markdown.
"""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, islice
from typing import Any, NamedTuple

from scorch2.formats.detection import fenced_json
from scorch2.formats.fields import check_tokens, keeping, refuse_twin, uncrossed, without_discontinuous
from scorch2.formats.json.strict import json_kind, parse
from scorch2.model.document import Discontinuous, Document, Mention, OnDemand, Span, Words, spans
from scorch2.model.errors import InputError, counted, quoted
from scorch2.model.markables import Nodes, SyntaxRow, Tree, Word, runs_of
from scorch2.model.names import in_order, mention_names

_NEWDOC = re.compile(r"(?m)^#[ \t]*newdoc[ \t]+id[ \t]*= ?([^\r\n]*)\r?$\n?")
ESCAPED = r"\\(?:[!-/:-@\[-`{-~]|[^\S\n])"
_WORD = rf"(?:{ESCAPED}|\S)+"
_NAMES, _TEXTS = ("doc_id", "doc_key", "id"), ("text", "output")
"""The keys of a document in JSON, the first that is there."""
ALONE = "(alone)"  # how clusters of mentions that name none begin; no mark can write it


class MarkedText(NamedTuple):
    """A text with marks, and where it is."""

    name: str
    text: str
    path: str
    line: int  # the line of the file on which it begins
    where: str = ""  # its place in JSON instead

    def places(self) -> Callable[[int], str]:
        """Return what says, for messages, where a letter is."""
        starts: list[int] = []

        def place(at: int) -> str:
            if not starts:
                starts.extend([0, *(found.end() for found in re.finditer("\n", self.text))])
            line = bisect_right(starts, at) - 1
            column = at - starts[line] + 1
            if self.where:
                return f"{self.where}, line {line + 1} of the text, column {column}"
            return f"line {self.line + line}, column {column}"

        return place


def texts_of(content: str, stem: str, path: str) -> Iterator[MarkedText]:
    """Yield the texts of a file: lines of JSON, what follows lines ``# newdoc id = ...``, or the whole."""
    json = content if content.lstrip()[:1] == "{" else fenced_json(content)
    if json is not None and json.lstrip()[:1] == "{":
        yield from _texts_in_json(json, path)
        return
    headers = list(_NEWDOC.finditer(content))
    if not headers:
        yield MarkedText(stem, content, path, 1)
        return
    before = content[: headers[0].start()]
    is_fenced = "```" in before  # a model says something before its answer: words of the first document
    if before.strip() and not is_fenced:
        raise InputError(path, "line 1", "words before the first line # newdoc id = <name>")
    known: dict[str, int] = {}
    stops = [header.start() for header in headers[1:]] + [len(content)]
    line, counted_to = 1, 0
    for header, stop in zip(headers, stops, strict=True):
        line += content.count("\n", counted_to, header.start())
        counted_to = header.start()
        refuse_twin(header[1], known, line, path)
        text = content[header.end() : stop]
        is_first = is_fenced and header is headers[0]
        yield MarkedText(
            header[1], f"{before}\n{text}" if is_first else text, path, 1 if is_first else line + 1
        )


def _texts_in_json(content: str, path: str) -> Iterator[MarkedText]:
    known: dict[str, int] = {}
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        value, where = parse(line, path), f"line {number}: $"
        if type(value) is not dict:
            raise InputError(path, where, f"a document is an object, not {json_kind(value)}")
        name, text = (next((value[key] for key in keys if key in value), None) for keys in (_NAMES, _TEXTS))
        if type(name) is not str or type(text) is not str:
            known_keys = f"{' or '.join(_NAMES)}, and {' or '.join(_TEXTS)}"
            raise InputError(path, where, f"a text with marks in JSON has two strings: {known_keys}")
        refuse_twin(name, known, number, path, where)
        yield MarkedText(name, text, path, number, where)


class Repairs(Sequence[InputError]):
    """Repairs of a text; each is made an error when it is asked for, since there may be a million."""

    __slots__ = ("_at", "_known", "_path", "_place", "_whys")

    def __init__(self, path: str, place: Callable[[int], str]) -> None:
        self._path = path
        self._place = place  # says for messages where a mark is, by its number
        self._at = array("q")
        self._whys: list[str] = []
        self._known: dict[str, str] = {}

    def add(self, at: int, why: str) -> None:
        """Add what is wrong with a mark."""
        self._at.append(at)
        self._whys.append(self._known.setdefault(why, why))

    def __len__(self) -> int:
        return len(self._whys)

    def __getitem__(self, number: Any) -> Any:
        return InputError(self._path, self._place(self._at[number]), self._whys[number])


_MOST_EMPTY = 1 << 22  # empty nodes that the mentions of a text hold, all together


class Annotator:
    """The words and mentions of a text while it is read."""

    def __init__(
        self, source: MarkedText, format: str, place: Callable[[int], str], *, encloses: bool = True
    ) -> None:
        self._source = source
        self._encloses = encloses  # whether a mention of words holds the empty nodes between them
        self._format = format
        self._words: list[str] = []
        self._forms: dict[str, str] = {}  # each word once, however often the text has it
        self._lengths: list[int] = []
        self._sentence = 0  # the number of words before the sentence
        self._empty: list[tuple[int, int, str]] = []  # of empty nodes: words before, sentence, form
        self._empty_at: list[int] = []  # the number of each among words and empty nodes
        self._clusters: dict[str, list[Mention]] = {}
        self._with_empty: list[tuple[str, int, int, int]] = []
        """Mentions with empty nodes: the cluster and the place in it, the first empty node and the last."""
        self._alone = 0
        self._repairs = Repairs(source.path, place)

    @property
    def size(self) -> int:
        """The number of words and empty nodes so far."""
        return len(self._words) + len(self._empty)

    def add_words(self, forms: Iterable[str]) -> None:
        """Go on with words."""
        every = list(forms)
        self._words.extend(map(self._forms.setdefault, every, every))

    def add_empty(self, form: str = "") -> None:
        """Go on with an empty node."""
        self._empty_at.append(self.size)
        self._empty.append((len(self._words), len(self._lengths), form or "_"))

    def end_sentence(self) -> None:
        """End a sentence, if a word is in it."""
        if len(self._words) > self._sentence:
            self._lengths.append(len(self._words) - self._sentence)
            self._sentence = len(self._words)

    def add_mention(self, entity: str, first: int, last: int, at: int) -> None:
        """Add what lies between two words or empty nodes, both included; without an entity it is alone."""
        if first > last:
            self.add_repair(at, "a mark without a word")
            return
        if not entity:
            self._alone += 1
            entity = f"{ALONE} {self._alone}"
        members = self._clusters.setdefault(entity, [])
        begin, end = bisect_left(self._empty_at, first), bisect_right(self._empty_at, last)
        if begin < end and (self._encloses or first - begin == last + 1 - end):
            self._with_empty.append((entity, len(members), begin, end))
        members.append((first - begin, last + 1 - end))

    def add_repair(self, at: int, why: str) -> None:
        """Remember what had to be repaired."""
        self._repairs.add(at, why)

    def document(self) -> Document:
        """Return the document; an InputError tells of mentions of empty nodes in a text without words."""
        self.end_sentence()
        empty = self._places()
        self._add_empty(empty)
        forms = [(place, form) for place, (_, _, form) in zip(empty, self._empty, strict=True)]
        notes = [f"{counted(self._alone, 'mention')} without a cluster, each alone"] if self._alone else []
        return Document(
            self._source.name, self._clusters, self._source.path, self._lengths, self._format, notes=notes,
            words=Words(list, self._words), repairs=self._repairs or (),
            trees=OnDemand(_trees, self._words, self._lengths, forms) if self._lengths and forms else None,
        )  # fmt: skip

    def _places(self) -> list[Word]:
        """Return the places of the empty nodes; one with no word behind it is in the last sentence."""
        starts = [0, *accumulate(self._lengths)]
        places: list[Word] = []
        for before, sentence, _ in self._empty:
            number = max(min(sentence, len(self._lengths) - 1), 0)
            word = number, before - starts[number]
            rank = places[-1].rank if places and places[-1][:2] == word else 0
            places.append(Word(*word, rank + 1))
        return places

    def _add_empty(self, empty: Sequence[Word]) -> None:
        starts = [0, *accumulate(self._lengths)]
        known: dict[tuple[int, int], tuple[Word, ...]] = {}
        number = 0
        for entity, place, begin, end in self._with_empty:
            if not self._words:
                raise self._error("a mention in a text that has no words, only empty nodes")
            if (begin, end) not in known:
                known[begin, end] = tuple(empty[begin:end])
                number += end - begin
            if number > _MOST_EMPTY:
                raise self._error(f"the mentions hold more than {_MOST_EMPTY} empty nodes")
            (span,) = spans([self._clusters[entity][place]])
            nodes = Nodes(tuple(runs_of(*span, starts)), known[begin, end])
            self._clusters[entity][place] = Discontinuous(*span, nodes)

    def _error(self, why: str) -> InputError:
        return InputError(self._source.path, self._source.where or f"line {self._source.line}", why)


def _trees(words: Sequence[str], lengths: Sequence[int], empty: Sequence[tuple[Word, str]]) -> list[Tree]:
    """Return the sentences with their empty nodes, of which nothing but the place is known."""
    rest = iter(words)
    rows = [[((number, 0), next(rest)) for number in range(1, length + 1)] for length in lengths]
    for place, form in empty:
        rows[place.sentence].append(((place.word, place.rank), form))
    return [
        Tree([], [SyntaxRow(f"{word}.{rank}" if rank else str(word), form, *"________")
                  for (word, rank), form in sorted(row)])
        for row in rows
    ]  # fmt: skip


class Mark(NamedTuple):
    """A mark of a format in which marks are nested, or the text before it."""

    kind: str  # ``open``, ``close``, ``zero`` or ``text``
    value: str  # the cluster that a mark names, or the text
    at: int  # where it stands
    tag: str = ""  # what the other mark of the mention is called, too


def nested(source: MarkedText, marks: Iterable[Mark], format: str) -> Document:
    """Return the document of a text with nested marks."""
    found = Annotator(source, format, source.places())
    opened = _Opened(found)
    for mark in marks:
        if mark.kind == "text":
            _add_text(found, mark.value)
        elif mark.kind == "open":
            opened.add(mark)
        elif mark.kind == "zero":
            found.add_empty()
            found.add_mention(mark.value, found.size - 1, found.size - 1, mark.at)
        else:
            opened.close(mark)
    opened.repair()
    return found.document()


def _add_text(found: Annotator, text: str) -> None:
    for number, line in enumerate(text.split("\n")):
        if number:
            found.end_sentence()
        words = re.findall(_WORD, line) if "\\" in line else line.split()
        found.add_words(
            [re.sub(ESCAPED, lambda letter: letter[0][1], word) for word in words] if "\\" in line else words
        )


class _Opened:
    """The marks that are open at a place of a text."""

    def __init__(self, found: Annotator) -> None:
        self._found = found
        # Column by column, since there may be a million
        self._clusters: list[str] = []
        self._tags: list[str] = []
        self._at = array("q")
        self._firsts = array("q")  # the number of words and empty nodes before each
        self._number: Counter[str] = Counter()  # of each tag

    def add(self, mark: Mark) -> None:
        self._clusters.append(mark.value)
        self._tags.append(mark.tag)
        self._at.append(mark.at)
        self._firsts.append(self._found.size)
        self._number[mark.tag] += 1

    def close(self, mark: Mark) -> None:
        """Make a mention of what lies between a mark and the one that opened last with its tag."""
        found = self._found
        if not self._number[mark.tag]:
            found.add_repair(mark.at, f"a mark closes here{_of(mark.value)} that no mark opens")
            if mark.value and found.size:
                found.add_mention(mark.value, found.size - 1, found.size - 1, mark.at)
            return
        place = next(i for i in reversed(range(len(self._tags))) if self._tags[i] == mark.tag)
        self.repair(place + 1)
        self._number[self._tags.pop()] -= 1
        cluster = self._clusters.pop()
        found.add_mention(mark.value or cluster, self._firsts.pop(), found.size - 1, self._at.pop())

    def repair(self, start: int = 0) -> None:
        """Make marks that do not close mentions of one word, if they name a cluster; all from a place on."""
        for place in range(start, len(self._tags)):
            cluster, at, first = self._clusters[place], self._at[place], self._firsts[place]
            self._found.add_repair(at, f"a mark opens here{_of(cluster)} that does not close")
            self._number[self._tags[place]] -= 1
            if cluster and first < self._found.size:
                self._found.add_mention(cluster, first, first, at)
        del self._clusters[start:], self._tags[start:], self._at[start:], self._firsts[start:]


def _of(cluster: str) -> str:
    return f" for {quoted(cluster)}" if cluster else ""


def is_alone(cluster: str) -> bool:
    """Return whether a cluster stands for a mention that names none."""
    return cluster.startswith(ALONE)


def numbers_of(document: Document) -> dict[str, str]:
    """Return the number of each cluster as it is written, from 1; nothing for a mention that names none."""
    named = [cluster for cluster in document.clusters if not is_alone(cluster)]
    return {**dict.fromkeys(document.clusters, ""), **{name: str(i) for i, name in enumerate(named, 1)}}


def blind(document: Document, *, mentions: bool) -> Document:
    """Return a document whose mentions name no cluster, in the order of the text, or one without mentions."""
    # Nothing else is left that says more of a mention than its words: a category or an id tells its cluster
    every = () if mentions else in_order({*chain.from_iterable(document.clusters.values())})
    clusters = {f"{ALONE} {number}": [mention] for number, mention in enumerate(every, 1)}
    return document._replace(
        clusters=clusters, annotations=(), anaphora=None, categories=None, markables=None, relations=None,
        layers={}, numbered=False,
    )  # fmt: skip


def written(document: Document, what: str, marks: Callable[[str], tuple[str, str]], signs: str) -> str:
    """Return a document with nested marks, by what opens and what closes a mention of a cluster's number."""
    # The letters of which marks are made, `signs`, get a backslash in words
    odd = re.compile(rf"[\\{re.escape(signs)}]|[^\S\n]")
    words = [odd.sub(r"\\\g<0>", word) for word in check_tokens(document, what)()]
    numbers = numbers_of(document)
    before: dict[int, list[str]] = {}  # what opens at a word, from inside
    behind: dict[int, list[str]] = {}
    for (start, end), cluster in _from_inside(document, what):
        begin, finish = marks(numbers[cluster])
        before.setdefault(start, []).append(begin)
        behind.setdefault(end - 1, []).append(finish)
    for place in before.keys() | behind.keys():
        words[place] = "".join([*reversed(before.get(place, [])), words[place], *behind.get(place, [])])
    rest = iter(words)
    lines = [" ".join(islice(rest, length)) for length in document.sentences or ()]
    lines = [f"\\{line}" if line[:1] == "#" else line for line in lines]
    return "".join(f"{line}\n" for line in [f"# newdoc id = {document.id}", *lines])


def _from_inside(document: Document, what: str) -> list[tuple[Span, str]]:
    """Return the mentions with their clusters, each before those around it; an InputError if two cross."""
    every = _from_outside(document)
    kept = uncrossed(span for span, _ in every)
    crossing = next((span for span, _ in every if span not in kept), None)
    if crossing is not None:
        shown = mention_names(document)(crossing)
        why = f"the mention {shown} of {quoted(document.id)} crosses another, which {what} cannot hold"
        raise document.error(f"{why} (--lossy leaves it out)")
    return every[::-1]


def _from_outside(document: Document) -> list[tuple[Span, str]]:
    every = [(span, name) for name, members in document.clusters.items() for span in spans(members)]
    return sorted(dict.fromkeys(every), key=lambda found: (found[0][0], -found[0][1]))


def fitting(document: Document) -> Document:
    """Return a document without discontinuous mentions, and without those that cross one before."""
    document = without_discontinuous(document)
    kept = uncrossed(span for span, _ in _from_outside(document))
    return keeping(document, lambda _, span: span in kept)
