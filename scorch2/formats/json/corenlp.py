"""CoreNLP's JSON: ``corefs`` are the mentions of each chain, by sentence and token, which count from 1.

``startIndex`` is the first token, ``endIndex`` the one after the last.
"""

from collections.abc import Mapping
from itertools import accumulate
from typing import Any

from scorch2.formats.json.mention_ids import json_kind, require_list
from scorch2.formats.json.values import Clusters, Place, name_of, of_tokens
from scorch2.model.document import Document
from scorch2.model.errors import counted, json_place, quoted

_PLACES = ("sentNum", "startIndex", "endIndex")


def of_object(value: Mapping[str, Any], place: Place, key: str) -> Document:
    """Read the chains under `key`."""
    sentences = [
        _words(sentence, place, f"sentences[{i}]")
        for i, sentence in enumerate(
            require_list(value["sentences"], place.path, f"{place.where}.sentences", "sentences")
        )
    ]
    starts = [0, *accumulate(map(len, sentences))]
    chains = value[key]
    if type(chains) is not dict:
        raise place.error(key, f"should be an object from chains to mentions, not {json_kind(chains)}")
    clusters: Clusters = {}
    for chain, written in chains.items():
        inside = json_place(key, chain)
        members = require_list(written, place.path, f"{place.where}.{inside}", "mentions")
        spans = clusters[chain] = []
        for i, mention in enumerate(members):
            number, start, end = _mention(mention, sentences, place, f"{inside}[{i}]")
            spans.append((starts[number] + start, starts[number] + end))
    return of_tokens(name_of(value, place, "docId"), sentences, clusters, place)


def _words(sentence: object, place: Place, inside: str) -> list[str]:
    tokens = sentence.get("tokens") if type(sentence) is dict else None
    if type(tokens) is not list:
        raise place.error(inside, "a sentence is an object with a list of tokens")
    words: list[Any] = [token.get("word") if type(token) is dict else None for token in tokens]
    if not set(map(type, words)) <= {str}:
        bad = next(i for i, word in enumerate(words) if type(word) is not str)
        raise place.error(f"{inside}.tokens[{bad}]", "a token is an object with a word, which is a string")
    return words


def _mention(mention: object, sentences: list[list[str]], place: Place, inside: str) -> tuple[int, int, int]:
    """Return the sentence, the first token and the one after the last, counted from 0."""
    found: list[Any] = [mention.get(name) for name in _PLACES] if type(mention) is dict else []
    if list(map(type, found)) != [int, int, int]:
        raise place.error(inside, f"a mention is an object with the integers {', '.join(_PLACES)}")
    number, start, end = found
    if not 1 <= number <= len(sentences):
        why = f"there is no sentence {quoted(number)} of {len(sentences)} (the first is 1)"
        raise place.error(inside, why)
    if not 1 <= start < end <= len(sentences[number - 1]) + 1:
        why = f"the mention from {quoted(start)} to {quoted(end)} does not lie inside sentence {number}"
        raise place.error(inside, f"{why}, which has {counted(len(sentences[number - 1]), 'token')}")
    return number - 1, start - 1, end - 1
