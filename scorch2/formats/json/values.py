"""Values of JSON objects that hold the text and its clusters: words, sentences, spans, with their checks."""

from collections.abc import Mapping, Sequence
from typing import Any

from scorch2.formats.json.keyed import Place
from scorch2.formats.json.mention_ids import json_kind, require_list
from scorch2.model.document import Document, Words


def of_tokens(
    name: str,
    sentences: Sequence[Sequence[str]],
    clusters: dict[str, list[tuple[int, int]]],
    place: Place,
    *,
    flat: bool = False,
) -> Document:
    """Return the document of some sentences; `flat` says that their borders are not known."""
    words = [word for sentence in sentences for word in sentence]
    lengths = [len(sentence) for sentence in sentences if sentence]
    return Document(name, clusters, place.path, lengths, words=Words(list, tuple(words)), flat=flat)


def total_length(sentences: Sequence[Sequence[str]]) -> int:
    """Return the number of words."""
    return sum(map(len, sentences))


def name_of(value: Mapping[str, Any], place: Place, *keys: str) -> str:
    """Return the name under the first of `keys` that is there, else the one that the place gives."""
    for key in keys:
        if key in value:
            if type(value[key]) is not str:
                raise place.error(key, f"should be a string, not {json_kind(value[key])}")
            return str(value[key])
    return place.name


def sentences_of(value: object, place: Place, key: str) -> list[list[str]]:
    """Return `value`, what stands under `key`, if it is a list of lists of words."""
    return [
        words_of(words, place, f"{key}[{i}]")
        for i, words in enumerate(require_list(value, place.path, f"{place.where}.{key}", "sentences"))
    ]


def words_of(value: object, place: Place, key: str) -> list[str]:
    """Return `value`, what stands under `key`, if it is a list of words."""
    words = require_list(value, place.path, f"{place.where}.{key}", "words")
    if set(map(type, words)) <= {str}:
        return words
    bad = next(i for i, word in enumerate(words) if type(word) is not str)
    raise place.error(f"{key}[{bad}]", f"a word is a string, not {json_kind(words[bad])}")


def _lists(value: object, place: Place, key: str) -> list[list[Any]]:
    where = f"{place.where}.{key}"
    clusters = require_list(value, place.path, where, "clusters")
    return [require_list(one, place.path, f"{where}[{i}]", "mentions") for i, one in enumerate(clusters)]


def spans_of(
    value: Mapping[str, Any], place: Place, key: str, length: int, *, last_is_inside: bool
) -> dict[str, list[tuple[int, int]]]:
    """Return the clusters under `key` as half-open spans inside a text of `length` units."""
    clusters = {}
    for i, written in enumerate(_lists(value[key], place, key)):
        spans = []
        for j, span in enumerate(written):
            if type(span) is not list or list(map(type, span)) != [int, int]:
                raise place.error(f"{key}[{i}][{j}]", "a mention is a list of two integers")
            start, end = span[0], span[1] + last_is_inside
            _require_inside(span, start, end, length, place, f"{key}[{i}][{j}]")
            spans.append((start, end))
        clusters[str(i)] = spans
    return clusters


def single_tokens_of(
    value: Mapping[str, Any], place: Place, key: str, length: int
) -> dict[str, list[tuple[int, int]]]:
    """Return the clusters of single tokens under `key` as spans."""
    clusters = {}
    for i, written in enumerate(_lists(value[key], place, key)):
        for j, token in enumerate(written):
            if type(token) is not int:
                raise place.error(f"{key}[{i}][{j}]", f"a mention is an integer, not {json_kind(token)}")
            _require_inside(token, token, token + 1, length, place, f"{key}[{i}][{j}]")
        clusters[str(i)] = [(token, token + 1) for token in written]
    return clusters


def _require_inside(  # noqa: PLR0913, PLR0917 - the mention, the text and the place
    written: object, start: int, end: int, length: int, place: Place, key: str
) -> None:
    if start >= end:
        raise place.error(key, f"the mention {written} ends before it starts")
    if not 0 <= start < end <= length:
        raise place.error(key, f"the mention {written} does not lie inside the text, which ends at {length}")
