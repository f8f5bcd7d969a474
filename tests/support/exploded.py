"""A small reader of the exploded format, for tests of what is made of its documents.

It reads what `fixtures/universal_anaphora` has: brackets that nest, entities, sets, pseudo entities, links,
zeros, minimum spans. Nothing is checked.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from scorch2.model.document import Document, OnDemand, Words
from scorch2.model.markables import Bridge, Markable, Pieces, Relations, Word


class Marked:
    """A markable: its attributes and words."""

    def __init__(self, attributes: dict[str, str]) -> None:
        self.attributes = attributes
        self.words: list[Word] = []
        self.chunks: list[list[Word]] = []

    @property
    def mention(self) -> Any:
        words = tuple(sorted(self.words))
        first, last = words[0], words[-1]
        if first.rank:
            return Pieces(first.word, first.word, words)
        if last.word - first.word + 1 == len(words):
            return first.word - 1, last.word
        return Pieces(first.word - 1, last.word, words)

    def markable(self) -> Markable:
        first, _, last = self.attributes.get("Min", "").partition(",")
        least = range(int(first), int(last or first) + 1) if first else ()
        words = tuple(sorted(self.words))
        chunks = tuple((chunk[0], chunk[-1]) for chunk in self.chunks)
        return Markable(words, words[0], frozenset(Word(0, word) for word in least), chunks)


def read(path: Path, cell: int = 10) -> Iterator[Document]:
    """Yield the documents of a file, with the entities of one of its columns."""
    for part in re.split(r"(?m)^# newdoc id = ", path.read_text("utf-8"))[1:]:
        name, _, lines = part.partition("\n")
        rows = [line.split() for line in lines.splitlines() if line and line[0] != "#"]
        yield _document(name, rows, str(path), cell)


def _document(name: str, rows: list[list[str]], path: str, cell: int) -> Document:
    marked: dict[str, Marked] = {}
    open_ones: list[Marked] = []
    forms: list[str] = []
    rank = 0
    for row in rows:
        rank = rank + 1 if "." in row[0] else 0
        forms += [] if rank else [row[1]]
        word = Word(0, len(forms), rank)
        closings, *openings = row[cell].split("(") if row[cell] != "_" else [""]
        for _ in range(closings.count(")")):  # the word of a closing is still inside
            ended = open_ones.pop()
            ended.words.append(word)
            ended.chunks[-1].append(word)
        for opening in openings:
            attributes = dict(one.split("=", 1) for one in opening.rstrip(")").split("|"))
            one = marked.setdefault(attributes["MarkableID"], Marked(attributes))
            one.chunks.append([])
            if opening.endswith(")"):
                one.words.append(word)
                one.chunks[-1].append(word)
            else:
                open_ones.append(one)
        if not rank:
            for one in open_ones:
                one.words.append(word)
                one.chunks[-1].append(word)
    return _annotated(
        Document(name, {}, path, [len(forms)], "corefud", words=Words(list, forms)), marked, rows
    )


def _annotated(document: Document, marked: dict[str, Marked], rows: list[list[str]]) -> Document:
    entities: dict[str, list[Marked]] = defaultdict(list)
    sets: dict[str, list[str]] = defaultdict(list)
    for one in marked.values():
        entity = one.attributes["EntityID"]
        entities[entity].append(one)
        for whole in filter(None, one.attributes.get("ElementOf", "").split(",")):
            if entity not in sets[whole]:
                sets[whole].append(entity)
    pseudo = [name for name in entities if name.endswith("-Pseudo")]
    anaphors: dict[str, Bridge] = {}
    for row in rows:
        for link in row[11].split("(")[1:] if row[11] != "_" else ():
            said = dict(one.split("=", 1) for one in link.rstrip(")").split("|"))
            if {said["MarkableID"], said["MentionAnchor"]} <= marked.keys():
                one, other = marked[said["MarkableID"]], marked[said["MentionAnchor"]]
                anaphors[said["MarkableID"]] = Bridge(
                    one.mention,
                    one.attributes["EntityID"],
                    other.mention,
                    other.attributes["EntityID"],
                    said.get("Rel", ""),
                )
    relations = Relations(
        {name: members for name, members in sets.items() if name in entities},
        list(anaphors.values()),
        {},
        [entities.pop(name)[0].mention for name in pseudo],
    )
    return document._replace(
        clusters={name: [one.mention for one in members] for name, members in entities.items()},
        markables=OnDemand(_markables, dict(entities)),
        relations=OnDemand(lambda: relations),
    )


def _markables(entities: dict[str, list[Marked]]) -> dict[str, list[Markable]]:
    return {name: [one.markable() for one in members] for name, members in entities.items()}
