"""Make corpora to measure on: the same bytes for a scale and a seed, whatever the Python.

SCALE is one of these letters; after a colon comes another number of whatever it counts:
  T    3 tiny documents
  S    348 documents in the shape of the OntoNotes test set: 20 000 mentions, 4 500 entities (also K)
  N    100 beginnings of novels in the shape of LitBank: 29 000 mentions, 7 900 entities with singletons
  L    a book of 50 000 mentions, one entity with a fifth of them (also D)
  M    20 000 documents of about 10 mentions
  X    a collection of 1 000 000 mentions in one document: 2 000 entities of hundreds, 5 000 that are
       one component with 5 000 clusters, and singletons; other confusions are among 20 entities
  B    5 000 x 5 000 clusters of 8 mentions, dealt at random: one component

FOLDER then holds json/gold and json/sys, a file for each document, and if asked for gold and sys with the
suffixes .conll, .conllu (CorefUD) and .tsv.
"""

import argparse
import json
import os
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

Span: TypeAlias = tuple[int, int, int]
"""Sentence, first token, last token."""

# What a system does to gold; the shares are such that S has a CoNLL average between 75 and 80.
MISSED = 0.10  # mentions it does not find
MOVED = 0.06  # mentions in the cluster of a neighbour
MERGED = 0.12  # entities in the cluster of a neighbour
SPLIT = 0.15  # entities of three and more in two clusters
SPURIOUS = 0.12  # mentions that gold lacks, for each that gold has
ATTACHED = 0.6  # spurious mentions in the cluster of a neighbour; the others make clusters of their own

BLOCK = 20
"""Entities among which a neighbour is found where confusions are local."""
TANGLED = 8
"""Mentions of a cluster that is dealt at random."""


class Draw:
    """Draws from `random.random` alone: the one stream that Python promises never to change."""

    def __init__(self, seed: int) -> None:
        self.unit = random.Random(seed).random  # noqa: S311 - a corpus, not a secret

    def below(self, limit: int) -> int:
        return int(self.unit() * limit)

    def happens(self, share: float) -> bool:
        return self.unit() < share

    def size(self, least: int, most: int, stretch: float) -> int:
        """A heavy tail. Divisions round the same on every machine, powers do not."""
        return min(most, least + int(stretch * (1 / (1 - self.unit()) - 1)))

    def shuffled(self, number: int) -> list[int]:
        items = list(range(number))
        for last in range(number - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
        return items


class Sides(NamedTuple):
    """Two clusterings of mentions that are numbered from 0."""

    gold: Sequence[Sequence[int]]
    system: Sequence[Sequence[int]]
    mentions: int


class Made(NamedTuple):
    """A document to be written: where its mentions stand, and the length of its sentences."""

    name: str
    gold: Sequence[Sequence[Span]]
    system: Sequence[Sequence[Span]]
    sentences: Sequence[int]


Recipe: TypeAlias = Callable[[Draw, int], Iterator[tuple[str, Sides]]]


# ------------------------------------------------------------------------------------------ clusterings


def confused(draw: Draw, sizes: Sequence[int], block: int = 0, smallest: int = 2) -> Sides:
    """Gold clusters of these sizes, and a system that errs among `block` entities (0: anywhere)."""
    owner = [entity for entity, size in enumerate(sizes) for _ in range(size)]

    def neighbour(mention: int) -> int:
        if not block:
            return owner[draw.below(len(owner))]
        first = owner[mention] - owner[mention] % block
        return first + draw.below(min(block, len(sizes) - first))

    starts = [0, *accumulate(sizes)]
    leaders: list[int] = []  # entity → the earlier one whose cluster it is in, or itself
    for entity, start in enumerate(starts[:-1]):
        other = neighbour(start) if draw.happens(MERGED) else entity
        leaders.append(leaders[other] if other < entity else entity)
    cuts = [
        start + 1 + draw.below(size - 1) if size > 2 and draw.happens(SPLIT) else start + size
        for start, size in zip(starts, sizes, strict=False)
    ]

    def label(mention: int) -> int:
        if draw.happens(MOVED):
            return 2 * leaders[neighbour(mention)]
        entity = owner[mention]
        return 2 * leaders[entity] if mention < cuts[entity] else 2 * entity + 1

    system: dict[int, list[int]] = {}
    for mention in range(len(owner)):
        if not draw.happens(MISSED):
            system.setdefault(label(mention), []).append(mention)
    extra = len(owner)
    for mention in range(len(owner)):
        if draw.happens(SPURIOUS):
            there = 2 * leaders[neighbour(mention)] if draw.happens(ATTACHED) else -1 - mention // 50
            system.setdefault(there, []).append(extra)
            extra += 1
    gold = [range(start, start + size) for start, size in zip(starts, sizes, strict=False)]
    return Sides(gold, [members for members in system.values() if len(members) >= smallest], extra)


def tangled(draw: Draw, number: int) -> Sides:
    """As many clusters on both sides, with mentions dealt at random: nothing to hold on to."""
    total = number * TANGLED
    deal = draw.shuffled(total)
    starts = range(0, total, TANGLED)
    gold = [range(start, start + TANGLED) for start in starts]
    return Sides(gold, [deal[start : start + TANGLED] for start in starts], total)


def evened(draw: Draw, sizes: list[int], least: int, total: int) -> list[int]:
    """Change sizes by one here and there until they add up to `total`."""
    missing = total - sum(sizes)
    step = 1 if missing > 0 else -1
    while missing:
        at = draw.below(len(sizes))
        if sizes[at] + step >= least:
            sizes[at] += step
            missing -= step
    return sizes


# --------------------------------------------------------------------------------------------- documents


def small(draw: Draw, number: int) -> Iterator[tuple[str, Sides]]:
    for at in range(number):
        yield f"doc{at:06}", confused(draw, [draw.size(2, 20, 0.5) for _ in range(1 + draw.below(5))])


def news(draw: Draw, number: int) -> Iterator[tuple[str, Sides]]:
    for at in range(number):
        unit = draw.unit()
        entities = 5 + int(17 * unit * unit) + (draw.below(50) if unit > 0.9 else 0)
        yield f"doc{at:05}", confused(draw, [draw.size(2, 120, 0.5) for _ in range(entities)])


def novels(draw: Draw, number: int) -> Iterator[tuple[str, Sides]]:
    for at in range(number):
        yield f"novel{at:03}", confused(draw, [draw.size(1, 150, 0.53) for _ in range(79)], smallest=1)


def book(draw: Draw, mentions: int) -> Iterator[tuple[str, Sides]]:
    sizes = [draw.size(2, 1000, 0.9) for _ in range(mentions // 10 - 1)]
    hero = mentions // 5
    yield "book", confused(draw, [hero, *evened(draw, sizes, 2, mentions - hero)])


def collection(draw: Draw, mentions: int) -> Iterator[tuple[str, Sides]]:
    entities = mentions // 5
    knot = tangled(draw, min(5000, entities // 4))
    number = entities - len(knot.gold)
    large = [draw.size(100, 2000, 200) for _ in range(max(1, number // 100))]
    evened(draw, large, 1, mentions - knot.mentions - number + len(large))
    sizes = [large[at // 100] if at % 100 == 0 and at // 100 < len(large) else 1 for at in range(number)]
    rest = confused(draw, sizes, BLOCK, 1)
    gold, system = (
        [*side, *([rest.mentions + mention for mention in members] for members in knotted)]
        for side, knotted in zip(rest[:2], knot[:2], strict=True)
    )
    yield "collection", Sides(gold, system, rest.mentions + knot.mentions)


def tangle(draw: Draw, number: int) -> Iterator[tuple[str, Sides]]:
    yield "tangle", tangled(draw, number)


SCALES: Mapping[str, tuple[Recipe, int, int]] = {
    "T": (small, 3, 13),
    "S": (news, 348, 13),
    "K": (news, 348, 13),
    "N": (novels, 100, 13),
    "M": (small, 20_000, 13),
    "L": (book, 50_000, 13),
    "D": (book, 50_000, 13),
    "X": (collection, 1_000_000, 1),
    "B": (tangle, 5_000, 1),
}
"""The recipe of a scale, its number, and how many tokens may lie between two mentions."""


def documents(scale: str, seed: int) -> Iterator[Made]:
    letter, _, given = scale.partition(":")
    recipe, number, gap = SCALES[letter]
    draw = Draw(seed)
    for name, sides in recipe(draw, int(given or number)):
        spans, sentences = laid_out(draw, sides.mentions, gap)
        places = [spans[at] for at in draw.shuffled(sides.mentions)]
        gold, system = (
            [sorted([places[mention] for mention in members]) for members in side] for side in sides[:2]
        )
        yield Made(name, gold, system, sentences)


def laid_out(draw: Draw, number: int, gap: int) -> tuple[list[Span], list[int]]:
    """Put mentions into sentences of about 20 tokens; some stand inside another and end with it."""
    spans: list[Span] = []
    sentences: list[int] = []
    token = 0
    while len(spans) < number:
        token += draw.below(gap)
        last = token + max(0, draw.below(7) - 3)
        spans.append((len(sentences), token, last))
        if last > token and len(spans) < number and draw.happens(0.5):
            spans.append((len(sentences), token + 1 + draw.below(last - token), last))
        token = last + 1
        if token > 18 or len(spans) == number:
            sentences.append(token)
            token = 0
    return spans, sentences


# ----------------------------------------------------------------------------------------------- writing


def as_json(name: str, clusters: Iterable[Iterable[Span]]) -> str:
    named = {
        f"e{at}": [f"{sentence}.{first}-{last}" for sentence, first, last in members]
        for at, members in enumerate(clusters)
    }
    return json.dumps({"type": "clusters", "name": name, "clusters": named}) + "\n"


def as_conll(name: str, clusters: Iterable[Iterable[Span]], sentences: Sequence[int]) -> Iterator[str]:
    tags: dict[tuple[int, int], list[str]] = {}
    tagged = [(span, at) for at, members in enumerate(clusters) for span in members]
    for (sentence, first, last), at in sorted(tagged, reverse=True):  # what ends together closes inside out
        if first == last:
            tags.setdefault((sentence, first), []).append(f"({at})")
        else:
            tags.setdefault((sentence, first), []).append(f"({at}")
            tags.setdefault((sentence, last), []).append(f"{at})")
    yield f"#begin document ({name}); part 000\n"
    for sentence, length in enumerate(sentences):
        for token in range(length):
            cell = "|".join(tags.get((sentence, token), "-"))
            yield f"{name}\t0\t{token}\tword{token}\tNN\t*\t-\t-\t-\tspeaker\t*\t{cell}\n"
        yield "\n"
    yield "#end document\n"


def as_corefud(name: str, clusters: Iterable[Iterable[Span]], sentences: Sequence[int]) -> Iterator[str]:
    """Yield CoNLL-U in which words hang on the first one, and the head of a mention is its first word."""
    tags: dict[tuple[int, int], str] = {}
    tagged = [(span, at) for at, members in enumerate(clusters) for span in members]
    for (sentence, first, last), at in sorted(tagged, reverse=True):  # what ends together closes inside out
        start, end = (sentence, first), (sentence, last)
        tags[start] = tags.get(start, "") + f"(e{at}-other-1" + (")" if first == last else "")
        if first < last:
            tags[end] = tags.get(end, "") + f"e{at})"
    yield f"# newdoc id = {name}\n# global.Entity = eid-etype-head\n"
    for sentence, length in enumerate(sentences):
        yield f"# sent_id = {name}-{sentence}\n"
        for token in range(length):
            root = "0\troot" if token == 0 else "1\tdep"
            misc = f"Entity={tags[sentence, token]}" if (sentence, token) in tags else "_"
            yield f"{token + 1}\tword{token}\tword\tNOUN\tNN\t_\t{root}\t_\t{misc}\n"
        yield "\n"


def as_ua(name: str, clusters: Iterable[Iterable[Span]], sentences: Sequence[int]) -> Iterator[str]:
    """Yield the exploded format of Universal Anaphora, with identity alone.

    What closes on a word stands before what opens there: its scorers read other mentions elsewise.
    """
    tags: dict[tuple[int, int], str] = {}
    tagged = [(span, at) for at, members in enumerate(clusters) for span in members]
    for number, ((sentence, first, last), at) in enumerate(sorted(tagged, reverse=True)):
        start, end = (sentence, first), (sentence, last)
        opening = f"(EntityID=e{at}|MarkableID=markable_{number}"
        tags[start] = tags.get(start, "") + (f"{opening})" if first == last else opening)
        if first < last:
            tags[end] = ")" + tags.get(end, "")
    yield f"# newdoc id = {name}\n"
    for sentence, length in enumerate(sentences):
        yield f"# sent_id = {name}-{sentence}\n"
        for token in range(length):
            root = "0\troot" if token == 0 else "1\tdep"
            identity = tags.get((sentence, token), "_")
            yield f"{token + 1}\tword{token}\tword\tNOUN\tNN\t_\t{root}\t_\t_\t{identity}\t_\t_\t_\t_\n"
        yield "\n"


def as_tsv(name: str, clusters: Iterable[Iterable[Span]], sentences: Sequence[int]) -> Iterator[str]:
    """Yield neleval's annotations: a cluster is an id that the knowledge base lacks."""
    starts = [0, *accumulate(sentences)]
    for at, members in enumerate(clusters):
        for sentence, first, last in members:
            yield f"{name}\t{starts[sentence] + first}\t{starts[sentence] + last}\tNIL{at}:{name}\n"


WRITERS = {"conll": as_conll, "conllu": as_corefud, "ua": as_ua, "tsv": as_tsv}
"""The formats of which a file holds all documents, by the suffix of the file."""


def write(scale: str, folder: str, seed: int, formats: Iterable[str]) -> None:
    for side in ("gold", "sys"):
        os.makedirs(os.path.join(folder, "json", side), exist_ok=True)
    for at, made in enumerate(documents(scale, seed)):
        for side, clusters in (("gold", made.gold), ("sys", made.system)):
            if "json" in formats:
                path = os.path.join(folder, "json", side, f"{made.name}.json")
                with open(path, "w", encoding="utf-8", newline="\n") as stream:
                    stream.write(as_json(made.name, clusters))
            for form, lines in WRITERS.items():
                if form in formats:
                    path = os.path.join(folder, f"{side}.{form}")
                    with open(path, "a" if at else "w", encoding="utf-8", newline="\n") as stream:
                        stream.writelines(lines(made.name, clusters, made.sentences))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scale", metavar="SCALE")
    parser.add_argument("folder", metavar="FOLDER")
    parser.add_argument("--seed", type=int, default=2, help="(default: %(default)s)")
    parser.add_argument("--formats", default="json", help=f"json, {', '.join(WRITERS)} (default: json)")
    given = parser.parse_args()
    formats = given.formats.split(",")
    letter, _, number = given.scale.partition(":")
    if letter not in SCALES or not (number or "1").isdecimal():
        parser.error(f"unknown scale {given.scale} (known: {', '.join(SCALES)}, with :N)")
    if not {*formats} <= {"json", *WRITERS}:
        parser.error(f"unknown format in {given.formats} (known: json, {', '.join(WRITERS)})")
    write(given.scale, given.folder, given.seed, formats)


if __name__ == "__main__":
    main()
