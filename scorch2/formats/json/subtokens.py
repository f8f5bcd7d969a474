"""Sub-tokens of SpanBERT and coref-hoi: ``subtoken_map`` gives the word of each, so mentions become words.

The evaluators of both look up the words of the first and of the last sub-token, whatever these are. So a
mention that begins or ends inside a word covers the whole word, and one that touches ``[CLS]`` or ``[SEP]``
the word that the map gives for it. The same is done here, and a note says how often.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from scorch2.formats.json.values import (
    Clusters,
    Place,
    name_of,
    numbers_of,
    of_tokens,
    sentences_of,
    spans_of,
    words_of,
)
from scorch2.model.document import Document
from scorch2.model.errors import counted, quoted

_SPECIAL = {"[CLS]", "[SEP]", "<s>", "</s>"}
"""What a segment may begin and end with; it is no part of any word."""


class _Borders(NamedTuple):
    """The sub-tokens that begin and end words."""

    first: Mapping[int, int]
    """By word; words without sub-tokens are absent."""
    last: Mapping[int, int]


def of_object(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read [first, last] sub-token as spans of words."""
    segments = sentences_of(value["sentences"], place, "sentences")
    pieces = [piece for segment in segments for piece in segment]
    word_of = numbers_of(value["subtoken_map"], place, "subtoken_map", len(pieces), "sub-tokens")
    borders = _borders(segments, word_of)
    words = _words(value, pieces, word_of, borders, place)
    sentences = _sentences(value, words, borders, len(pieces), place)
    clusters: Clusters = {}
    widened = 0
    for cluster, spans in spans_of(value, place, key, len(pieces), last_is_inside=True).items():
        clusters[cluster] = [(word_of[start], word_of[end - 1] + 1) for start, end in spans]
        widened += sum(
            borders.first.get(word_of[start]) != start or borders.last.get(word_of[end - 1]) != end - 1
            for start, end in spans
        )
    name = name_of(value, place, "doc_key", "doc_id")
    found = of_tokens(name, sentences, clusters, place, flat="sentence_map" not in value)
    note = f"{counted(widened, 'mention')} with an end inside a word widened to whole words"
    return found._replace(
        written="e2e: mentions are [first, last] sub-token, mapped to words", notes=[note] if widened else []
    )


def _borders(segments: Sequence[Sequence[str]], word_of: Sequence[int]) -> _Borders:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    position = 0
    for segment in segments:
        for i, piece in enumerate(segment, position):
            at_border = i in (position, position + len(segment) - 1)
            if not (at_border and piece in _SPECIAL):
                first.setdefault(word_of[i], i)
                last[word_of[i]] = i
        position += len(segment)
    return _Borders(first, last)


def _words(
    value: Mapping[str, Any], pieces: Sequence[str], word_of: Sequence[int], borders: _Borders, place: Place
) -> list[str]:
    """Return the words: ``tokens`` if they are there, else put together from sub-tokens of BERT."""
    number = word_of[-1] + 1 if word_of else 0
    if "tokens" in value:
        words = words_of(value["tokens"], place, "tokens")
        if number > len(words):
            why = f"{quoted(number - 1)} is no word of tokens, which hold {len(words)}"
            raise place.error(f"subtoken_map[{len(word_of) - 1}]", why)
        return words
    if number > len(pieces):
        why = f"there are {quoted(number)} words, but only {len(pieces)} sub-tokens"
        raise place.error("subtoken_map", why)
    words = []
    for word in range(number):
        start, end = borders.first.get(word, 0), borders.last.get(word, -1)
        words.append("".join(piece.removeprefix("##") for piece in pieces[start : end + 1]))
    return words


def _sentences(
    value: Mapping[str, Any], words: Sequence[str], borders: _Borders, length: int, place: Place
) -> list[list[str]]:
    """Return the words by sentence: that of their first sub-token; a word without any stays with the last."""
    if "sentence_map" not in value:
        return [list(words)]
    sentence_of = numbers_of(value["sentence_map"], place, "sentence_map", length, "sub-tokens")
    numbers: list[int] = []
    for word in range(len(words)):
        start = borders.first.get(word)
        numbers.append(sentence_of[start] if start is not None else numbers[-1] if numbers else 0)
    groups = groupby(range(len(words)), numbers.__getitem__)
    return [[words[word] for word in group] for _, group in groups]
