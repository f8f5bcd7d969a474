"""Texts with marks, damaged as language models damage them: each loss is in the account of the copy.

Random documents are written in each kind of marks, then damaged: a preface and a fence, repeated and dropped
sentences, other quotes and dashes, translated digits, marks left open. Each is scored against what it was
made from. What was dropped, inserted and changed is counted here, while the damage is done, and must be what
the account says; mentions whose words survive must match, and no text with marks may score 0 without a word.

    python tests/campaigns/damaged_answers.py --texts=2000 --seed=0

Deterministic for a seed.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from scorch2.formats.reading import format_module
from scorch2.formats.table import FORMATS
from scorch2.model.besides import Copying
from scorch2.model.document import Document, Words
from scorch2.model.options import options_from
from scorch2.scoring.flow import count_all, score_pair
from scorch2.scoring.metrics.chosen import counted_metrics
from scorch2.scoring.pairing.files import Pair

Marks = Callable[[int], tuple[str, str]]
KINDS: dict[str, tuple[str, Marks]] = {
    "[x](#name)": ("markdown", lambda n: ("[", f"](#c{n})")),
    "[x](name)": ("markdown", lambda n: ("[", f"](c{n})")),
    "[x][name]": ("markdown", lambda n: ("[", f"][c{n}]")),
    "<m>x</m>#name": ("tagged", lambda n: ("<m>", f"</m>#{n}")),
    "<e1>x</e1>": ("tagged", lambda n: (f"<e{n}>", f"</e{n}>")),
    "[m1]x[/m1]": ("tagged", lambda n: (f"[m{n}]", f"[/m{n}]")),
    "[x]_1": ("bracketed", lambda n: ("[", f"]_{n}")),
    "[x: 1]": ("bracketed", lambda n: ("[", f": {n}]")),
    "[1 x]": ("bracketed", lambda n: (f"[{n} ", "]")),
    "[x | 1]": ("bracketed", lambda n: ("[", f" | {n}]")),
}
"""How each kind begins and ends a mention, by the number of its cluster."""
CHANGED = {
    '"': "\u201d",
    "'": "\u2019",
    "-": "\u2013",
    "1998": "\u0661\u0669\u0669\u0668",
    "12": "\u0967\u0968",
}
"""Words that models copy as others."""
PREFACE = ["Sure!", "Here", "is", "the", "annotated", "text:", "```"]
AFTER = ["```", "Let", "me", "know", "if", "more", "is", "needed."]


class Text(NamedTuple):
    """A random document: its sentences, and its mentions by sentence, first word, end and cluster."""

    sentences: list[list[str]]
    mentions: list[tuple[int, int, int, int]]


class Damage(NamedTuple):
    """A damaged copy, and what was done to it."""

    lines: list[str]
    deleted: int = 0
    inserted: int = 0
    changed: int = 0
    opened: int = 0  # marks that were left open
    whole: int = 0  # mentions that have both marks, at words that occur once


def made(dice: random.Random) -> Text:
    """Return a random document whose words, but for those of `CHANGED`, are all different."""
    number = 0
    sentences, mentions = [], []
    for place in range(dice.randint(2, 8)):
        words = []
        for _ in range(dice.randint(3, 12)):
            number += 1
            words.append(dice.choice(list(CHANGED)) if dice.random() < 0.1 else f"w{number}x")
        sentences.append(words)
        start = 0
        while start < len(words) - 1 and dice.random() < 0.7:
            first = dice.randrange(start, len(words))
            end = dice.randint(first + 1, min(len(words), first + 4))
            mentions.append((place, first, end, dice.randint(1, 3)))
            start = end
    return Text(sentences, mentions)


def damaged(text: Text, marks: Marks, dice: random.Random) -> Damage:
    """Return a copy with marks and damage."""
    lines: list[str] = []
    deleted = inserted = changed = opened = whole = 0
    for place, words in enumerate(text.sentences):
        if len(text.sentences) > 1 and dice.random() < 0.1:
            deleted += len(words)
            continue
        cells = list(words)
        for i, word in enumerate(cells):
            if word in CHANGED and dice.random() < 0.5:
                cells[i] = CHANGED[word]
                changed += 1
        bare = " ".join(cells)
        for sentence, first, end, cluster in text.mentions:
            if sentence == place:
                begin, close = marks(cluster)
                is_open = dice.random() < 0.05
                opened += is_open
                # Words that occur twice may stand for each other
                whole += not is_open and not {words[first], words[end - 1]} & CHANGED.keys()
                cells[first] = begin + cells[first]
                cells[end - 1] += "" if is_open else close
        lines.append(" ".join(cells))
        if dice.random() < 0.1:  # the same sentence once more, without its marks
            lines.append(bare)
            inserted += len(words)
    if dice.random() < 0.3:
        lines = [" ".join(PREFACE), *lines, " ".join(AFTER)]
        inserted += len(PREFACE) + len(AFTER)
    return Damage(lines, deleted, inserted, changed, opened, whole)


def gold_of(text: Text) -> Document:
    """Return the document that a text is."""
    starts = [sum(map(len, text.sentences[:i])) for i in range(len(text.sentences))]
    clusters: dict[str, list[tuple[int, int]]] = {}
    for place, first, end, cluster in text.mentions:
        clusters.setdefault(str(cluster), []).append((starts[place] + first, starts[place] + end))
    words = [word for sentence in text.sentences for word in sentence]
    lengths = [len(sentence) for sentence in text.sentences]
    return Document("d", {**clusters}, sentences=lengths, words=Words(list, words), format="conll")


def faults(text: Text, form: str, damage: Damage) -> Sequence[str]:
    """Return what the account of a damaged copy does not say."""
    options = options_from(align="text", marks="repair", metrics=("mentions",))
    content = "\n".join(damage.lines)
    (system,) = format_module(FORMATS[form].reader).documents(content, "d", "d.txt")
    scored = score_pair(
        Pair("d", gold_of(text), system), count_all(counted_metrics(options), options), options
    )
    copying = scored.measured.copying
    if copying is None:
        return ["no account"]
    ((found, *_),) = scored.measured.tallies[0]
    return [*_words(copying, damage), *_marks(copying, int(found), damage)]


def _words(copying: Copying, damage: Damage) -> list[str]:
    """Compare the numbers of words; a change beside a gap may be taken for one of its words."""
    whole = copying.copied + copying.changed + copying.deleted == copying.words
    # A run of words may stand for another number of words, where some are gone and others are new
    has_runs = damage.deleted and (damage.inserted or damage.changed)
    net = has_runs or copying.inserted - copying.deleted == damage.inserted - damage.deleted
    # Words that occur twice may stand for each other, so that a copy may be better than what was done to it
    least = copying.words - damage.deleted - damage.changed
    said = [
        (whole, "words do not add up"),
        (net, "a word is in no count"),
        (copying.copied >= least, "copies lost"),
    ]
    return [why for is_right, why in said if not is_right]


def _marks(copying: Copying, found: int, damage: Damage) -> list[str]:
    """Compare the mentions that gold has, too, with those that were written."""
    if damage.opened:  # what is left open may end at the mark of another mention
        return [] if copying.repaired else ["marks that were left open are in no count"]
    told = copying.lost + copying.moved + copying.collided
    if copying.repaired or damage.whole - found > told:
        return [f"{damage.whole} mentions were written, {found} were found, {told} are told"]
    return []


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    dice = random.Random(asked.seed)  # noqa: S311 - texts of a campaign, no secrets
    wrong = 0
    for number in range(asked.texts):
        kind = list(KINDS)[number % len(KINDS)]
        form, marks = KINDS[kind]
        text = made(dice)
        if not text.mentions:
            continue
        damage = damaged(text, marks, dice)
        if not any(mark in line for line in damage.lines for mark in "[<"):
            continue  # all sentences with mentions were dropped
        found = faults(text, form, damage)
        wrong += bool(found)
        for why in found:
            print(f"text {number}, {kind}: {why}", *damage.lines, sep="\n    ")
    print(f"{asked.texts} texts, {wrong} with a loss that is not told")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
