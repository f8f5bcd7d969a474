"""Values of JSON objects that hold the text and its clusters: words, sentences, spans, with their checks."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.formats.json.mention_ids import LARGEST, json_kind, require_list
from scorch2.formats.keys import Keys
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError, quoted

Clusters = dict[str, list[tuple[int, int]]]


class Place(NamedTuple):
    """The place of a document, for messages, and what is asked of it."""

    path: str
    where: str
    """``line 3: $``, ``$[2]`` or ``$``."""
    name: str
    """The name of a document that does not say its own."""
    keys: Keys = ()

    def error(self, key: str, why: str) -> InputError:
        """Return an error about the value of `key`."""
        return InputError(self.path, f"{self.where}{key if key[:1] == '[' else f'.{key}'}", why)


def name_of(value: Mapping[str, Any], place: Place, *keys: str) -> str:
    """Return the name of a document, which stands under one of `keys`, or that of its place."""
    for key in keys:
        if key in value:
            if type(value[key]) is not str:
                raise place.error(key, f"should be a string, not {json_kind(value[key])}")
            return str(value[key])
    return place.name


def sentences_of(value: object, place: Place, key: str) -> list[list[str]]:
    """Return a list of lists of words."""
    return [
        words_of(words, place, f"{key}[{i}]")
        for i, words in enumerate(require_list(value, place.path, f"{place.where}.{key}", "sentences"))
    ]


def words_of(value: object, place: Place, key: str) -> list[str]:
    """Return a list of words."""
    words = require_list(value, place.path, f"{place.where}.{key}", "words")
    if set(map(type, words)) <= {str}:
        return words
    bad = next(i for i, word in enumerate(words) if type(word) is not str)
    raise place.error(f"{key}[{bad}]", f"a word is a string, not {json_kind(words[bad])}")


def numbers_of(value: object, place: Place, key: str, length: int, of: str) -> list[int]:
    """Return a list of `length` integers that are not negative and never decrease."""
    numbers = require_list(value, place.path, f"{place.where}.{key}", "integers")
    if len(numbers) != length or not set(map(type, numbers)) <= {int}:
        raise place.error(key, f"should be an integer for each of the {length} {of}")
    before = 0
    for i, number in enumerate(numbers):
        if number < before:
            why = f"{quoted(number)} should not be less than {quoted(before)} before it"
            raise place.error(f"{key}[{i}]", why)
        before = number
    return numbers


def lists_of(value: object, place: Place, key: str) -> list[list[Any]]:
    """Return a list of clusters, each a list of mentions of any kind."""
    where = f"{place.where}.{key}"
    clusters = require_list(value, place.path, where, "clusters")
    return [require_list(one, place.path, f"{where}[{i}]", "mentions") for i, one in enumerate(clusters)]


def spans_of(
    value: Mapping[str, Any], place: Place, key: str, length: int | None, *, last_is_inside: bool
) -> Clusters:
    """Return the clusters under `key` as half-open spans in a text of `length` units, if that is known."""
    clusters = {}
    most = LARGEST if length is None else length
    for i, written in enumerate(lists_of(value[key], place, key)):
        spans = []
        for j, span in enumerate(written):
            if type(span) is not list or list(map(type, span)) != [int, int]:
                raise place.error(f"{key}[{i}][{j}]", "a mention is a list of two integers")
            start, end = span[0], span[1] + last_is_inside
            if not 0 <= start < end <= most:
                raise outside(span, start, end, length, place.error(f"{key}[{i}][{j}]", ""))
            spans.append((start, end))
        clusters[str(i)] = spans
    return clusters


def outside(written: object, start: int, end: int, length: int | None, error: InputError) -> InputError:
    """Return an error at the place of `error` about a mention that is no span of the text."""
    shown = quoted(written)
    if start >= end:
        why = f"the mention {shown} ends before it starts"
    elif length is None and start >= 0:
        why = "an integer beyond 2^53 is no offset"
    elif length is None:
        why = f"the mention {shown} begins before the text"
    else:
        why = f"the mention {shown} does not lie inside the text, which ends at {length}"
    return InputError(error.path, error.where, why)


def of_tokens(
    name: str, sentences: Sequence[Sequence[str]], clusters: Clusters, place: Place, *, flat: bool = False
) -> Document:
    """Return a document of tokens; `flat` says that its sentences are unknown."""
    words = [word for sentence in sentences for word in sentence]
    lengths = [len(sentence) for sentence in sentences if sentence]
    return Document(name, clusters, place.path, lengths, words=Words(list, tuple(words)), flat=flat)


def total_length(sentences: Sequence[Sequence[str]]) -> int:
    """Return the number of words in sentences."""
    return sum(map(len, sentences))
