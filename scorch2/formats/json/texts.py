"""The text of a document in JSON, and spans in it: words, sentences, ``offsets`` and ``unit``."""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import Any, NamedTuple

from scorch2.formats.fields import UNITS
from scorch2.formats.json.strict import LARGEST, json_kind, require_list
from scorch2.formats.table import ClusterKeys
from scorch2.model.document import Document, Mention, Words, spans
from scorch2.model.errors import InputError, counted, json_place, quoted

ENDS = {"exclusive": 0, "inclusive": 1}
"""The values of ``offsets``, with the number that makes an end half-open when it is added."""
_SPAN = 2  # integers of a span: start and end


class Offsets(NamedTuple):
    """The meaning of the spans of a file."""

    shift: int  # added to an end, it gives the half-open end
    unit: str  # a value of `Document.unit`; empty if the file does not say

    @property
    def exclusive(self) -> bool:
        """True if the file writes ends as what follows the span."""
        return self.shift == 0


def offsets_of(value: Mapping[str, Any], path: str) -> Offsets:
    """Return what an object says about its spans."""
    ends, unit = value.get("offsets"), value.get("unit")
    if type(ends) is not str or ends not in ENDS:
        why = f"should say what the ends of spans are: one of {', '.join(ENDS)}"
        raise InputError(path, "$.offsets", why)
    if unit is not None and (type(unit) is not str or unit not in UNITS):
        raise InputError(path, "$.unit", f"should say what spans count: one of {', '.join(UNITS)}")
    return Offsets(ENDS[ends], "" if unit is None else UNITS[unit])


def as_spans(mentions: Sequence[Mention], offsets: Offsets, path: str, where: str) -> list[Mention]:
    """Return mentions with every list as the half-open span that it means."""
    meant: list[Mention] = []
    for i, mention in enumerate(mentions):
        if not isinstance(mention, tuple):
            meant.append(mention)
            continue
        if len(mention) != _SPAN or mention[0] < 0:
            why = f"a span is a list of two offsets, the start and the end, not {quoted(mention)}"
            raise InputError(path, f"{where}[{i}]", why)
        start, end = mention[0], mention[1] + offsets.shift
        if start >= end:
            why = f"the span {quoted(mention)} holds nothing: it ends before it begins"
            raise InputError(path, f"{where}[{i}]", why)
        meant.append((start, end))
    return meant


def written_offsets(document: Document) -> dict[str, str]:
    """Return the keys that say what lists mean; none if a document is written without lists."""
    if document.has_tokens or not document.has_spans or not document.has_mentions:
        return {}
    units = {unit: name for name, unit in UNITS.items()}
    unit = units.get(document.unit)
    return {"offsets": "exclusive", **({"unit": unit} if unit else {})}


Clusters = dict[str, list[tuple[int, int]]]


class JsonPlace(NamedTuple):
    """The place of a document, for messages, and what is asked of it."""

    path: str
    where: str  # ``line 3: $``, ``$[2]`` or ``$``
    name: str  # the name of a document that does not say its own
    keys: ClusterKeys = ()

    def error(self, key: str, why: str) -> InputError:
        """Return an error about the value of `key`."""
        return InputError(self.path, f"{self.where}{key if key[:1] == '[' else f'.{key}'}", why)


def name_of(value: Mapping[str, Any], place: JsonPlace, *keys: str) -> str:
    """Return the name of a document, which stands under one of `keys`, or that of its place."""
    for key in keys:
        if key in value:
            if type(value[key]) is not str:
                raise place.error(key, f"should be a string, not {json_kind(value[key])}")
            return str(value[key])
    return place.name


def sentences_of(value: object, place: JsonPlace, key: str) -> list[list[str]]:
    """Return a list of lists of words."""
    sentences = require_list(value, place.path, f"{place.where}.{key}", "sentences")
    return [words_of(words, place, f"{key}[{i}]") for i, words in enumerate(sentences)]


def words_of(value: object, place: JsonPlace, key: str) -> list[str]:
    """Return a list of words."""
    words = require_list(value, place.path, f"{place.where}.{key}", "words")
    if set(map(type, words)) <= {str}:
        return words
    bad = next(i for i, word in enumerate(words) if type(word) is not str)
    raise place.error(f"{key}[{bad}]", f"a word is a string, not {json_kind(words[bad])}")


def numbers_of(value: object, place: JsonPlace, key: str, length: int, of: str) -> list[int]:
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


def lists_of(value: object, place: JsonPlace, key: str) -> list[list[Any]]:
    """Return a list of clusters, each a list of mentions of any kind."""
    where = f"{place.where}.{key}"
    clusters = require_list(value, place.path, where, "clusters")
    return [require_list(one, place.path, f"{where}[{i}]", "mentions") for i, one in enumerate(clusters)]


def spans_of(
    value: Mapping[str, Any], place: JsonPlace, key: str, length: int | None, *, last_is_inside: bool
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
        why = "an integer beyond 2^53 is not an offset"
    elif length is None:
        why = f"the mention {shown} begins before the text"
    else:
        why = f"the mention {shown} does not lie inside the text, which ends at {length}"
    return InputError(error.path, error.where, why)


def holds_texts(value: Mapping[str, Any]) -> bool:
    """Return whether an object of tokens and clusters holds several texts, as xCoRe writes them.

    Its mentions have three integers, that of their text first; without any, its tokens are lists of lists.
    """
    clusters, tokens = value.get("clusters_token_offsets"), value.get("tokens")
    first = next((text for text in tokens if text), None) if type(tokens) is list else None
    if type(first) is not list:
        return False
    every = clusters if type(clusters) is list else []
    mention = next((one for cluster in every if type(cluster) is list for one in cluster), None)
    if mention is None:
        return type(first[0]) is list
    return type(mention) is list and len(mention) == 3  # noqa: PLR2004 - text, first and last token


def holds_one_text(value: Mapping[str, Any]) -> bool:
    """Return whether an object of tokens and clusters holds one text."""
    return not holds_texts(value)


def of_tokens(
    name: str, sentences: Sequence[Sequence[str]], clusters: Clusters, place: JsonPlace, *, flat: bool = False
) -> Document:
    """Return a document of tokens; `flat` says that its sentences are unknown."""
    words = [word for sentence in sentences for word in sentence]
    lengths = [len(sentence) for sentence in sentences if sentence]
    return Document(name, clusters, place.path, lengths, words=Words(list, tuple(words)), flat=flat)


_NUMBER = "(0|[1-9][0-9]{0,8})"
_NAME = re.compile(rf"{_NUMBER}\.{_NUMBER}-(?:{_NUMBER}\.)?{_NUMBER}")


def with_text(value: Mapping[str, Any], plain: Document) -> Document:
    """Return the document that was read from an object as `plain`, with its text, if mentions are spans."""
    if "text" in value and plain.half_open and plain.unit == "character":
        return _with_characters(value["text"], plain)
    return _with_tokens(value, plain) if "sentences" in value or "tokens" in value else plain


def _with_characters(text: object, plain: Document) -> Document:
    if type(text) is not str:
        raise InputError(plain.path, "$.text", f"should be a string, not {json_kind(text)}")
    _refuse_outside(plain, len(text))
    return plain._replace(sentences=[len(text)], text=text)


def _with_tokens(value: Mapping[str, Any], plain: Document) -> Document:
    place = JsonPlace(plain.path, "$", plain.id)
    flat = "sentences" not in value
    if flat:
        sentences = [words_of(value["tokens"], place, "tokens")]
    else:
        sentences = sentences_of(value["sentences"], place, "sentences")
    starts = [0, *accumulate(map(len, sentences))]
    if plain.half_open and plain.unit != "character":
        clusters: Mapping[str, Sequence[Mention]] | None = plain.clusters
        _refuse_outside(plain, starts[-1])
    else:
        clusters = None if flat or plain.half_open else _of_names(plain, starts)
    if clusters is None:
        return plain
    return plain._replace(
        clusters=clusters,
        sentences=[len(words) for words in sentences],
        unit="token",
        words=Words(list, tuple(chain.from_iterable(sentences))),
        flat=flat,
    )


def _of_names(plain: Document, starts: Sequence[int]) -> dict[str, list[Mention]] | None:
    """Return clusters of names as spans of tokens; None if no mention is a name."""
    # `starts` are the tokens before each sentence and before the end.
    ids = list(chain.from_iterable(plain.clusters.values()))
    if ids and not any(isinstance(mention, str) and _NAME.fullmatch(mention) for mention in ids):
        return None
    return {
        cluster: [
            _span(mention, starts, plain.path, f"{json_place('$.clusters', cluster)}[{i}]")
            for i, mention in enumerate(members)
        ]
        for cluster, members in plain.clusters.items()
    }


def _span(mention: Mention, starts: Sequence[int], path: str, where: str) -> tuple[int, int]:
    match = _NAME.fullmatch(mention) if isinstance(mention, str) else None
    if match is None:
        why = f"{quoted(mention)} names no tokens, as other mentions do (<sentence>.<first>-<last>)"
        raise InputError(path, where, why)
    sentence, first, other, last = match.groups()
    start, end = _token(sentence, first, starts), _token(other or sentence, last, starts)
    if start is None or end is None or start > end:
        raise InputError(path, where, f"the mention {quoted(mention)} does not lie inside the sentences")
    return start, end + 1


def _token(sentence: str, number: str, starts: Sequence[int]) -> int | None:
    """Return which token of the text is the one with a number in its sentence; None if there is none."""
    following = int(sentence) + 1
    if following >= len(starts):
        return None
    token = starts[following - 1] + int(number)
    return token if token < starts[following] else None


def _refuse_outside(plain: Document, length: int) -> None:
    for cluster, members in plain.clusters.items():
        for i, span in enumerate(spans(members)):
            if span[1] > length:
                where = f"{json_place('$.clusters', cluster)}[{i}]"
                why = f"the mention ends after the text, which has {counted(length, plain.unit or 'token')}"
                raise InputError(plain.path, where, why)


def written_text(document: Document) -> dict[str, Any]:
    """Return the keys of clusters JSON that hold the text of a document; none if it is not known."""
    if document.text is not None and document.unit == "character":
        return {"text": document.text}
    try:
        sentences = document.worded_sentences()
    except InputError:  # columns that do not say where the word is
        return {}
    if sentences is None:
        return {}
    if document.flat:
        return {"tokens": list(chain.from_iterable(sentences))}
    return {"sentences": sentences}
