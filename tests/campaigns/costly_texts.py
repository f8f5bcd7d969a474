"""Texts with marks for cost.py: marks that never close, marks inside marks, copies that are hard to align.

Each generator yields the parts of one file.
"""

import json
import random
from collections.abc import Callable, Iterator

from costly_mentions import Hard
from ordinary_shapes import Maker, around, numbered, until

MARKS = {
    "plaintext": ("a|[e{n} ", "b|e{n}] "),
    "markdown": ("[a ", "b](#{n}) "),
    "tagged": ("<m>a ", "b</m>#{n} "),
    "bracketed": ("[a ", "b]_{n} "),
}
"""What opens and closes a mention of a cluster."""
SIGNS = {"plaintext": "a|[x ", "markdown": "[", "tagged": "<m>", "bracketed": "["}
LETTERS = "".join(map(chr, range(192, 292)))
LONG = 100_000  # letters of a long name
TEXT, REPAIR = "--align=text", "--marks=repair"


def of(form: str, *options: str) -> tuple[str, ...]:
    """Return options for two texts of a format."""
    return (f"--gold-format={form}", f"--sys-format={form}", *options)


def repeated(part: str) -> Maker:
    """Return a maker of parts with a number."""
    return around("", numbered(part), "\n")


def inside(opens: str, closes: str) -> Maker:
    """Return a maker of mentions inside each other."""

    def make(size: int) -> Iterator[str]:
        number = size // (len(opens) + len(closes) + 6)
        yield from (opens.format(n=n) for n in range(number))
        yield from (closes.format(n=n) for n in reversed(range(number)))

    return make


def halves(first: str, second: str) -> Maker:
    """Return a maker of parts of one kind, and then of another."""

    def make(size: int) -> Iterator[str]:
        yield first * (size // 2 // len(first))
        yield second * (size // 2 // len(second))

    return make


def with_long_names(opens: str, closes: str) -> Maker:
    """Return a maker of mentions of clusters with long names."""

    def make(size: int) -> Iterator[str]:
        for n in range(max(size // (2 * LONG), 1)):
            name = f"{n}" + "x" * min(LONG, size // 2)
            yield opens.format(n=name) + closes.format(n=name)

    return make


def documents(opens: str, closes: str) -> Maker:
    """Return a maker of small documents with names."""
    mention = f"{opens.format(n=1)}{closes.format(n=1)}"
    return lambda size: until(size, (f"# newdoc id = d{n}#1\n{mention}\n" for n in range(size)))


def windows(size: int) -> Iterator[str]:
    """Yield windows of a text, each of its words in two of them."""
    number = size // 100
    for n in range(number):
        words = " ".join(f"w{word}" for word in range(10 * n, 10 * n + 20))
        yield f"# newdoc id = d#{n}\n[{words}](#{n})\n"


def whole(size: int) -> Iterator[str]:
    """Yield the text of `windows`."""
    yield "# newdoc id = d\n[a](#1) "
    yield " ".join(f"w{word}" for word in range(10 * (size // 100) + 10))


def with_empty_nodes(size: int) -> Iterator[str]:
    """Yield tokens in the JSON of CRAC, every third an empty node, and mentions of some."""
    number = size // 26
    tokens = ["##" if n % 3 == 1 else "w" for n in range(number)]
    spans = [[n, n + 1] for n in range(0, number - 2, 3)]
    value = {"doc_id": "d", "tokens": tokens, "clusters_token_offsets": [spans], "clusters_text_mentions": []}
    yield json.dumps([value])


def texts_of_a_topic(size: int) -> Iterator[str]:
    """Yield an object of xCoRe with small texts, and an entity in all of them."""
    number = size // 36
    tokens = [[["Ann", "ran"]] for _ in range(number)]
    spans = [[n, 0, 0] for n in range(number)]
    yield json.dumps({"doc_key": "t", "tokens": tokens, "clusters_token_offsets": [spans]})


def around_empty_nodes(size: int) -> Iterator[str]:
    """Yield mentions inside each other that begin and end with an empty node."""
    number = size // 24
    yield from (f"##|[e{n} " for n in range(number))
    yield "w "
    yield from (f"##|e{n}] " for n in reversed(range(number)))


def drawn(make: Callable[[random.Random, int], str], seed: int) -> Maker:
    """Return a maker of words, and of a mention behind them; `make` draws one, and knows where it is."""

    def text(size: int) -> Iterator[str]:
        dice = random.Random(seed)  # noqa: S311 - words
        written = 0
        while written < size:
            word = make(dice, written)
            written += len(word)
            yield word
        yield "a|[e1]\n"

    return text


def letters(alphabet: str, seed: int) -> Maker:
    """Return a maker of words of one letter."""
    return drawn(lambda dice, _: f"{dice.choice(alphabet)} ", seed)


def shuffled(seed: int) -> Maker:
    """Return a maker of words, each once, in any order."""

    def make(size: int) -> Iterator[str]:
        every = list(range(size // 7))
        random.Random(seed).shuffle(every)  # noqa: S311 - words
        yield "a|[e1] "
        yield from (f"{n} " for n in every)

    return make


def peels(seed: int) -> Maker:
    """Return a maker of rows of words of which one after the other is met once, when the next was cut off."""

    def make(size: int) -> Iterator[str]:
        dice = random.Random(seed)  # noqa: S311 - words
        yield "a|[e1] "
        for n in reversed(range(size // 70)):
            for row in (n, n + 1):
                yield (
                    "".join(f"{chr(row % 8000 + 256)}{letter} " for letter in "uvwxyz")
                    + dice.choice("pq ")
                    + " "
                )

    return make


def colliding(size: int) -> Iterator[str]:
    """Yield long mentions that all end up on the same word."""
    number = size // 30
    yield from (f"new{n}|[e{n} " for n in range(number))
    yield "a|[x] "
    yield from (f"more{n}|e{n}] " for n in reversed(range(number)))


def _hard(name: str, gold: Maker, system: Maker, *options: str) -> Hard:
    return Hard("plaintext", name, gold, system, of("plaintext", TEXT, *options))


TEXTS = (
    *(
        Hard(form, f"{name}, repaired", repeated(part), repeated(part), of(form, REPAIR, TEXT))
        for form, (opens, closes) in MARKS.items()
        for name, part in (("openings", opens), ("closings", closes), ("signs", SIGNS[form]))
    ),
    *(
        Hard(form, name, maker(*marks), maker(*marks), of(form, *options))
        for form, marks in MARKS.items()
        for name, maker, options in (
            ("mentions inside each other", inside, ()),
            ("mentions inside each other, by text", inside, (TEXT, "--match=exact")),
            ("names of 100 000 letters", with_long_names, ()),
        )
    ),
    *(
        Hard(form, name, documents(*marks), documents(*marks), of(form, *options))
        for form, marks in MARKS.items()
        if form != "plaintext"
        for name, options in (("small documents", ()), ("small documents, pair=text", (TEXT, "--pair=text")))
    ),
    Hard("markdown", "windows", whole, windows, of("markdown", TEXT, "--join-windows=(d)")),
    Hard("markdown", "windows of other texts", whole, documents(*MARKS["markdown"]),
         of("markdown", TEXT, "--join-windows=(d)")),
    Hard("tagged", "closings of other tags", halves("<a>w ", "</b> "), halves("<a>w ", "</b> "),
         of("tagged", REPAIR)),
    Hard("plaintext", "around empty nodes", around_empty_nodes, around_empty_nodes, of("plaintext")),
    Hard("crossdoc", "many small texts", texts_of_a_topic, texts_of_a_topic, ()),
    Hard("crossdoc", "many small texts, joined", texts_of_a_topic, texts_of_a_topic, ("--documents=topic",)),
    Hard("crac", "empty nodes", with_empty_nodes, with_empty_nodes, ()),
    Hard("crac", "empty nodes, by text", with_empty_nodes, with_empty_nodes, (TEXT,)),
    _hard("nothing in common", drawn(lambda _, n: f"a{n} ", 1), drawn(lambda _, n: f"b{n} ", 1)),
    _hard("nothing in common, other letters", letters(LETTERS[:50], 1), letters(LETTERS[50:], 1)),
    _hard("one word", around("a|[e1] ", numbered("w "), ""), around("a|[e1] x ", numbered("w "), "y")),
    _hard("one word, more often", letters("w", 1), around("x ", numbered("w "), "w w w a|[e1]")),
    _hard("two words in any order", letters("vw", 1), letters("vw", 2)),
    _hard("a hundred words in any order", letters(LETTERS, 1), letters(LETTERS, 2)),
    _hard("shuffled words", shuffled(1), shuffled(2)),
    _hard("rows that are met once", peels(1), peels(2)),
    _hard("long mentions that collide", around("a|[x] ", numbered("old{n} "), ""), colliding),
)  # fmt: skip
