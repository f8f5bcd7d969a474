"""The keys ``sentences``, ``tokens`` and ``text`` of clusters JSON: the text that mentions are in.

``"sentences": [["The", "dog"], ["It", "ran"]]`` says what mentions such as ``0.0-1`` mean. Spans in numbers
(with ``offsets``) count through the whole text. ``"tokens": ["The", "dog", "It", "ran"]`` stands for a text
whose sentences are not known; only numbers have a meaning there. ``"text": "The dog. It ran."`` is what spans
of characters count. Other ids are only ids, beside any text.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from typing import Any

from scorch2.formats.json.mention_ids import json_kind
from scorch2.formats.json.values import Place, sentences_of, words_of
from scorch2.model.document import Document, Mention, Words, spans
from scorch2.model.errors import InputError, counted, json_place, quoted

_NUMBER = "(0|[1-9][0-9]{0,8})"
_NAME = re.compile(rf"{_NUMBER}\.{_NUMBER}-(?:{_NUMBER}\.)?{_NUMBER}")


def document(value: Mapping[str, Any], plain: Document) -> Document:
    """Return the document that was read from an object as `plain`, with its text, if mentions are spans.

    Raises
    ------
    InputError
        For a text that is not as described, and mentions that are not in it.
    """
    if "text" in value and plain.half_open and plain.unit == "character" and _are_spans(plain):
        return _with_characters(value["text"], plain)
    return _with_tokens(value, plain) if "sentences" in value or "tokens" in value else plain


def _with_characters(text: object, plain: Document) -> Document:
    if type(text) is not str:
        raise InputError(plain.path, "$.text", f"should be a string, not {json_kind(text)}")
    _refuse_outside(plain, len(text))
    return plain._replace(sentences=[len(text)], text=text)


def _with_tokens(value: Mapping[str, Any], plain: Document) -> Document:
    place = Place(plain.path, "$", plain.id)
    flat = "sentences" not in value
    if flat:
        sentences = [words_of(value["tokens"], place, "tokens")]
    else:
        sentences = sentences_of(value["sentences"], place, "sentences")
    starts = [0, *accumulate(map(len, sentences))]
    if plain.half_open and plain.unit != "character" and _are_spans(plain):
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


def _are_spans(plain: Document) -> bool:
    return all(isinstance(mention, tuple) for mention in chain.from_iterable(plain.clusters.values()))


def _of_names(plain: Document, starts: Sequence[int]) -> dict[str, list[Mention]] | None:
    """Return clusters of names as spans of tokens; None if no mention is a name.

    `starts` are the tokens before each sentence and before the end.
    """
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
                unit = plain.unit or "token"
                why = f"the mention ends after the text, which has {counted(length, unit)}"
                raise InputError(plain.path, where, why)


def written(document: Document) -> dict[str, Any]:
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
