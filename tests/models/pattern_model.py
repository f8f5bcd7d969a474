"""A slow count of the patterns of listed errors from the text alone: it shares no code with scorch2.

A mention is called as listings call it, ``sentence.first-last``. All mentions of a side are needed: some
are inside others.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

NOUNS = ("NN", "NNP")
OTHERS = {
    "CC": "conjunct",
    "IN": "preposition",
    "NN": "noun",
    "NNP": "noun",
    "JJ": "modifier",
    "PRP": "modifier",
}


class Text(NamedTuple):
    """Sentences of words with tags, and the speaker of each sentence."""

    words: Sequence[Sequence[str]]
    tags: Sequence[Sequence[str]]
    speakers: Sequence[str]
    mentions: Mapping[bool, Sequence[str]]  # of gold (True) and of the system


def place(name: str) -> tuple[int, int, int]:
    sentence, _, words = name.partition(".")
    first, _, last = words.partition("-")
    return int(sentence), int(first), int(last or first) + 1


def cut(rows: Sequence[Sequence[str]], name: str) -> list[str]:
    sentence, start, end = place(name)
    return [*rows[sentence][start:end]]


def type_of(text: Text, name: str) -> str:
    """A noun decides: the last one of the first run of nouns."""
    tags = cut(text.tags, name)
    if len(tags) == 1 and tags[0] in ("PRP", "DT", "WP"):
        return "pronoun"
    return {"": "other", "NNP": "name", "NN": "nominal"}[
        "" if head(text, name) is None else tags[head(text, name) or 0]
    ]


def head(text: Text, name: str) -> int | None:
    last = None
    for number, tag in enumerate(cut(text.tags, name)):
        if tag in NOUNS:
            last = number
        elif last is not None and tag != "POS":
            break
    return last


def head_word(text: Text, name: str) -> str:
    number = head(text, name)
    return cut(text.words, name)[-1 if number is None else number].lower()


def stretch(text: Text, sentence: int, start: int, end: int) -> str:
    words, tags = text.words[sentence][start:end], text.tags[sentence][start:end]
    if set(tags) <= {","}:
        return "comma"
    if set(tags) <= {"POS"}:
        return "possessive"
    if set(tags) <= {"DT"}:
        return "determiner"
    first = next(number for number, tag in enumerate(tags) if tag != ",")
    if "VBD" in tags or words[first].lower() == "who":
        return "clause"
    if OTHERS.get(tags[first]) in ("conjunct", "preposition"):
        return OTHERS[tags[first]]
    return "noun" if set(tags) & set(NOUNS) else "modifier"


def of_span(text: Text, gold: str, system: str) -> list[str]:
    (sentence, start, end), (other, first, last) = place(gold), place(system)
    assert sentence == other
    found = []
    for name, low, high, sign in (
        ("start", min(start, first), max(start, first), "+" if first < start else "-"),
        ("end", min(end, last), max(end, last), "+" if last > end else "-"),
    ):
        if low < high:
            number = str(high - low) if high - low <= 3 else "4-or-more"
            found += [f"{name}{sign}{number}", f"{name}{sign}{stretch(text, sentence, low, high)}"]
    return found


def of_piece(text: Text, mention: str, near: str) -> list[str]:
    types = type_of(text, mention), type_of(text, near)
    found = ["-".join(types)]
    if "pronoun" not in types:
        said = [[word.lower() for word in cut(text.words, name)] for name in (mention, near)]
        same = head_word(text, mention) == head_word(text, near)
        shared = "same-string" if said[0] == said[1] else "same-head" if same else "other-head"
        found += [shared, *([f"name-name.{shared}"] if types == ("name", "name") else [])]
    here, there = place(mention)[0], place(near)[0]
    who = text.speakers[here], text.speakers[there]
    if "-" not in who and len({*text.speakers} - {"-"}) > 1:
        found.append("same-speaker" if who[0] == who[1] else "speaker-change")
    back = here - there
    names = ("same-sentence", "next-sentence", *["2-to-5-sentences"] * 4)
    return [*found, names[back] if back < len(names) else "6-sentences-or-more"]


def of_mention(text: Text, mention: str, *, is_gold: bool) -> list[str]:
    sentence, start, end = place(mention)
    inside = around = False
    for other in text.mentions[is_gold]:
        there, first, last = place(other)
        if other != mention and there == sentence:
            inside = inside or (first <= start and end <= last)
            around = around or (start <= first and last <= end)
    nested = {(False, False): "alone", (True, False): "inside-another", (False, True): "around-another"}
    length = end - start
    names = ("", "1-word", "2-words", *["3-to-5-words"] * 3)
    return [
        type_of(text, mention),
        names[length] if length < len(names) else "6-words-or-more",
        nested.get((inside, around), "inside-and-around"),
    ]


def patterns(text: Text, row: Mapping[str, Any]) -> set[str]:
    """Return the patterns of a row of ``--list=errors``."""
    kind, mentions = row["kind"], row["mentions"]
    if kind == "span":
        found = of_span(text, mentions[0], row["instead"])
    elif kind in ("divided", "conflated"):
        found = of_piece(text, mentions[0], row["link_to"])
    else:
        found = of_mention(text, mentions[0], is_gold=kind.startswith("missing"))
        if kind.endswith("entity"):
            found.append("singleton" if len(mentions) == 1 else "several-mentions")
    return {f"{kind}.{name}" for name in found}
