"""Pairs of a topic as one, the sentences that count, and categories: after pairing, and before matching.

Categories TSV of an outside tagger, ``document start end category``, has one span of a text per line, counted
as the spans of the document are, from 0, with the last unit as the end. A first line that names the columns
is passed over. Spans that are no mention do not count: a tagger marks all that it finds.
"""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import TypeAlias

from scorch2.formats.fields import number_of
from scorch2.formats.source import STDIN, read_text, stamp
from scorch2.formats.table import row_of
from scorch2.model.document import Document, Label, Mention, OnDemand, spans, with_only
from scorch2.model.errors import InputError, Notice, UsageError, counted, quoted, shown_path
from scorch2.model.forms import function_at
from scorch2.model.options import Options
from scorch2.scoring.pairing.files import Item, Pair
from scorch2.scoring.pairing.joined import joined_pair, length_of, refuse_other_length

# Topics

CORPUS = "corpus"  # what the document is called that all are joined to
_ECB = r"(?:.*/)?(?P<topic>\d+)_\d+(?P<kind>[A-Za-z]*)(?:\.xml)*(?:-\d+)?"
"""A name in ECB+: documents of topic 1 are ``1_1ecb``, ``1_2ecbplus`` ..., perhaps with a part of CoNLL."""
_LIKE_ECB = r"(?P<topic>[^/_]+)_\d+(?P<kind>[A-Za-z]*)(?:\.xml)*(?:-\d+)?"
_EXAMPLES = "1_10ecb is document 10 of topic 1, sport/d7 a document of sport"
_WAY_OUT = "--topics=<regex> finds it in names: group 1 the topic, group 2 the subtopic"


def topic_of(ident: str, rule: str, pattern: str = "", path: str = "") -> str:
    """Return the name of the topic of a document, or of its subtopic, as the value of ``--documents`` says.

    An InputError tells that the name of the document does not say it.

    >>> [topic_of(name, "topic") for name in ("1_10ecb", "test/1_3ecbplus", "1/1ecb/12", "sport/d7")]
    ['1', '1', '1', 'sport']
    >>> [topic_of(name, "subtopic") for name in ("1_10ecb", "1/1ecb/12")]
    ['1_ecb', '1/1ecb']
    >>> topic_of("news-36b-2", "subtopic", "-([0-9]+)([ab])")
    '36/b'
    """
    if rule == CORPUS:
        return CORPUS
    if pattern:
        found = re.search(pattern, ident)
        groups = found.groups()[: 1 if rule == "topic" else 2] if found else ()
        if groups and all(groups):
            return "/".join(groups)
        where = f"the name {quoted(ident)} has no {rule} where --topics={pattern} looks for it"
        raise InputError(path or ident, "", where)
    name = re.fullmatch(_ECB, ident, re.DOTALL) or re.fullmatch(_LIKE_ECB, ident, re.DOTALL)
    if name is not None:
        return name["topic"] if rule == "topic" else f"{name['topic']}_{name['kind']}"
    folders = ident.split("/")[:-1]
    wanted = 1 if rule == "topic" else 2
    if len(folders) < wanted or not all(folders[:wanted]):
        why = f"the name {quoted(ident)} does not say the {rule} ({_EXAMPLES}; {_WAY_OUT})"
        raise InputError(path or ident, "", why)
    return "/".join(folders[:wanted])


def join_pairs(items: Iterable[Item], options: Options, stems: Sequence[str] = ()) -> Iterator[Item]:
    """Yield what is not a pair, and the pairs of each group joined, in the order of their first documents."""
    # A group is held until its last file was read, if the names of all files, `stems`, tell their topics;
    # else all pairs are held until the last one was read
    _refuse_options(options)
    groups: dict[str, list[Pair]] = {}
    progress = _Progress(stems, options)
    for item in items:
        if not isinstance(item, Pair):
            yield item
            continue
        try:
            group = topic_of(item.id, options.documents, options.topics, item.gold.path)
            progress.see(item, group)
            read = function_at("scoring.matching.copied_text:beside") if item.system.against else None
            pair = item._replace(system=read(item.gold, item.system, options)) if read else item
            if options.align == "none":
                refuse_other_length(pair)
            groups.setdefault(group, []).append(pair)
        except InputError as error:
            yield error
        while groups and progress.has_all(first := next(iter(groups))):
            yield _joined_or_error(first, groups.pop(first), options)
    for name, group_pairs in groups.items():
        if options.documents == CORPUS and len(group_pairs) == 1:
            yield Notice("documents", "", "--documents=corpus joins nothing: there is one document")
        yield _joined_or_error(name, group_pairs, options)


def _refuse_options(options: Options) -> None:
    if options.layer != "identity":
        why = f"--layer={options.layer} and --documents={options.documents} do not go together"
        raise UsageError(f"{why} (joined documents have one annotation)")
    if options.join_windows:
        why = f"--join-windows and --documents={options.documents} do not go together"
        raise UsageError(f"{why} (only windows of one document can be told from each other)")


def _joined_or_error(name: str, group: Sequence[Pair], options: Options) -> Pair | InputError:
    try:
        return joined_pair(name, group, options)
    except InputError as error:
        return error


class _Progress:
    """Tells which topics are complete while the files of both sides are read in the order of their stems."""

    def __init__(self, stems: Sequence[str], options: Options) -> None:
        self._stems = stems
        self._at = 0  # the number of the stem that is read
        self._topics = _topics_of_files(stems, options)
        self._last = {topic: number for number, topic in enumerate(self._topics)}
        self._complete: set[str] = set()

    def see(self, pair: Pair, topic: str) -> None:
        """Take the next pair; an InputError tells that its topic was complete already."""
        while self._last and not f"{pair.id}/".startswith(f"{self._stems[self._at]}/"):
            self._at += 1
            if self._at == len(self._stems):
                self._last = {}
        if topic in self._complete:
            why = f"{quoted(pair.id)} is of topic {quoted(topic)}, which other files have in their names"
            raise InputError(pair.gold.path, "", f"{why} (name this one likewise)")
        if self._last and topic != self._topics[self._at]:  # a document inside the file is of another topic
            self._last = {}

    def has_all(self, topic: str) -> bool:
        """Return whether no document of a topic is still to come."""
        if not self._last or self._last[topic] >= self._at:
            return False
        self._complete.add(topic)
        return True


def _topics_of_files(stems: Sequence[str], options: Options) -> list[str]:
    """Return the topic of each file; nothing if the name of one does not tell it."""
    if options.documents == CORPUS:
        return []
    try:
        return [topic_of(stem, options.documents, options.topics) for stem in stems]
    except InputError:
        return []


# Sentences that count

_CELLS_OF_NAME = 2  # the topic and the file


def in_listed_sentences(items: Iterable[Item], options: Options) -> Iterator[Item]:
    """Yield pairs with the mentions of both sides in the sentences that a file lists, and all else."""
    path = options.sentences or ""
    listed = listed_sentences(path)
    documents = found = 0
    for item in items:
        if not isinstance(item, Pair):
            yield item
            continue
        name = re.sub(r"(?:\.xml)*(?:-\d+)?\Z", "", item.id.rpartition("/")[2])  # without the part of CoNLL
        sentences = listed.get(name, listed.get(item.id, frozenset()))
        documents, found = documents + 1, found + bool(sentences)
        try:
            gold = _within(item.gold, item.system, sentences)
            yield item._replace(gold=gold, system=_within(item.system, item.gold, sentences))
        except InputError as error:
            yield error
    if documents and not found:
        example = f"{quoted(next(iter(listed)))} for example" if listed else "it is empty"
        yield InputError(
            path, "", f"--sentences: none of {counted(documents, 'document')} is listed ({example})"
        )


def listed_sentences(path: str) -> Mapping[str, Collection[int]]:
    """Return the numbers of the sentences that a file lists, by the name of their document."""
    # Its lines are ``document, sentence``, or ``topic, file, sentence`` as those of ECB+, with commas or
    # tabs, perhaps below a header; sentences count from 0
    if path == STDIN:
        raise UsageError("--sentences needs a file, not standard input (-)")
    listed: dict[str, set[int]] = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        cells = [cell.strip().strip('"') for cell in line.split("\t" if "\t" in line else ",")]
        *name, sentence = cells
        is_number = sentence.isascii() and sentence.isdecimal()
        if not any(cells) or (number == 1 and not is_number):
            continue
        if not is_number or not 0 < len(name) <= _CELLS_OF_NAME or not all(name):
            why = "document and sentence, or topic, file and sentence are wanted"
            raise InputError(path, f"line {number}", f"{quoted(line)}: {why}")
        listed.setdefault("_".join(name), set()).add(int(sentence))
    return listed


def _within(document: Document, other: Document, sentences: Collection[int]) -> Document:
    """Return a document with the mentions that begin in some sentences, and the clusters that have any."""
    if not document.has_mentions:
        return document
    places = {
        name: [i for i, number in enumerate(own) if number in sentences]
        for name, own in _sentence_numbers(document, other).items()
    }
    kept = {name: members for name, members in document.clusters.items() if places[name]}
    return with_only(document._replace(clusters=kept), places)


def _sentence_numbers(document: Document, other: Document) -> Mapping[str, Sequence[int | None]]:
    """Return the sentence in which each mention begins; an InputError tells that it is not known."""
    known = other if document.flat and length_of(document) == length_of(other) else document
    if known.sentences is not None and not known.flat and document.has_tokens:
        starts = [0, *accumulate(known.sentences)]
        return {
            name: [bisect_right(starts, start) - 1 for start, _ in spans(members)]
            for name, members in document.clusters.items()
        }
    named = {name: list(map(_sentence_in_name, own)) for name, own in document.clusters.items()}
    if row_of(document.format).names_say_sentences and all(None not in own for own in named.values()):
        return named
    how = "the text by sentences, or mentions with the number of their sentence"
    raise document.error(f"{quoted(document.id)} has no sentences, which --sentences needs ({how})")


def _sentence_in_name(mention: object) -> int | None:
    """Return the sentence in a name such as ``0.15-17``; None if it is no such name."""
    found = re.match(r"([0-9]+)\.[0-9]", mention) if isinstance(mention, str) else None
    return found and int(found[1])


# Categories


def with_categories(items: Iterator[Item], options: Options) -> Iterator[Item]:
    """Return pairs with the categories of outside taggers, if options name some."""
    gold, system = (one or options.categories for one in (options.gold_categories, options.sys_categories))
    # What is wrong with a file is told once, not for each document
    return _tagged(items, gold, system, {path: read_categories(path) for path in (gold, system) if path})


def _tagged(
    items: Iterator[Item], gold: str | None, system: str | None, lines: Mapping[str, Mapping[str, object]]
) -> Iterator[Item]:
    unnamed, last, unmatched = set(lines), "", set(lines)
    for item in items:
        if not isinstance(item, Pair):
            yield item
            continue
        last = item.id or item.gold.id
        names = {item.id, item.gold.id, item.system.id}
        unnamed = {path for path in unnamed if names.isdisjoint(lines[path])}
        try:
            here = labelled(item.gold, item.id, gold, "--gold-categories")
            there = labelled(item.system, item.id, system, "--sys-categories")
        except InputError as error:
            yield error
            continue
        unmatched -= {path for path, side in ((gold, here), (system, there)) if path and has_labels(side)}
        yield item._replace(gold=here, system=there)
    for path in sorted(unmatched - unnamed if last else ()):
        why = "no mention has one of its spans (units from 0, the end is the last unit)"
        yield Notice("categories", "", f"{shown_path(path)}: {why}")
    for path in sorted(unnamed if last else ()):
        why = f"no line is of a document that is scored, such as {quoted(last)}"
        first = next(iter(lines[path]), None)
        yield InputError(
            path, "", f"{why}: " + ("it is empty" if first is None else f"the first has {quoted(first)}")
        )


_COLUMNS = ("document", "start", "end", "category")
Tagged: TypeAlias = Mapping[tuple[int, int], str]


def read_categories(path: str) -> Mapping[str, Tagged]:
    """Return the category of each span of each document in a file, which is read again if it changed."""
    return _read(path, stamp(path))


@lru_cache(2)  # that of either side: a worker asks for it in each task
def _read(path: str, _: tuple[int, int]) -> Mapping[str, Tagged]:
    documents: dict[str, dict[tuple[int, int], str]] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        cells = line.removesuffix("\r").split("\t")
        if not line.strip(" \t\r") or (number == 1 and cells[1:3] == list(_COLUMNS[1:3])):
            continue
        if len(cells) < len(_COLUMNS) or not cells[3].strip():
            found = counted(len(cells), "cell") if len(cells) < len(_COLUMNS) else "an empty category"
            why = f"{found}, but a line has document, start, end and category, by tabs"
            raise InputError(path, f"line {number}", why)
        first, last = (number_of(cell, "the offset", path, number) for cell in cells[1:3])
        if first > last:
            why = f"the start {first} is after the end {last} (the end is the last unit of the span)"
            raise InputError(path, f"line {number}", why)
        other = documents.setdefault(cells[0], {}).setdefault((first, last + 1), cells[3])
        if other != cells[3]:
            why = f"a second category of {first} to {last}: {quoted(cells[3])}, and {quoted(other)} before"
            raise InputError(path, f"line {number}", why)
    return documents


def labelled(document: Document, name: str, path: str | None, option: str) -> Document:
    """Return a document with the categories that a file, if any, has for it under a name, and no others."""
    if path is None:
        return document
    if document.has_mentions and not document.has_spans:
        why = f"the mentions of {quoted(document.id)} are not spans of a text, which {option} needs"
        raise document.error(why)
    tagged = read_categories(path)
    own = tagged.get(name) or tagged.get(document.id) or {}
    return document._replace(categories=OnDemand(_labels, document.clusters, own))


def has_labels(document: Document) -> bool:
    """Return whether a document has a category for any of its mentions, or no mention."""
    known = document.categories() if document.categories is not None else {}
    return not document.has_mentions or any(label for labels in known.values() for label in labels)


def _labels(clusters: Mapping[str, list[Mention]], own: Tagged) -> Mapping[str, list[Label]]:
    return {
        name: [own.get(tuple(mention)) if isinstance(mention, tuple) else None for mention in members]
        for name, members in clusters.items()
    }
