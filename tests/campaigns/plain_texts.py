"""The text in clusters JSON again: every name that a span of it can have is written down first."""

import re
from typing import Any

from plain_document import Plain, listed, plain, require

_NUMBER = r"(?:0|[1-9]\d{0,8})"
_NAME = re.compile(rf"{_NUMBER}\.{_NUMBER}-(?:{_NUMBER}\.)?{_NUMBER}", re.ASCII)


def with_text(value: dict[str, Any], clusters: dict[str, list[Any]], name: str) -> Plain:
    """Return clusters of ids, which are spans if the sentences are there and ids name tokens of them."""
    if "sentences" not in value:
        require(all(isinstance(word, str) for word in listed(value.get("tokens", []))))
        return plain(clusters, name)
    sentences = [listed(words) for words in listed(value["sentences"])]
    require(all(isinstance(word, str) for words in sentences for word in words))
    ids = [mention for members in clusters.values() for mention in members]
    if ids and not any(isinstance(one, str) and _NAME.fullmatch(one) for one in ids):
        return plain(clusters, name)
    spans = _spans(sentences)
    require(all(isinstance(one, str) and one in spans for one in ids))
    found = {cluster: [spans[one] for one in members] for cluster, members in clusters.items()}
    return plain(found, name, [len(words) for words in sentences])


def _spans(sentences: list[list[str]]) -> dict[str, tuple[int, int]]:
    places = [(i, j) for i, words in enumerate(sentences) for j in range(len(words))]
    found = {}
    for first, (i, start) in enumerate(places):
        for last, (j, end) in enumerate(places[first:], first):
            found[f"{i}.{start}-{j}.{end}"] = (first, last + 1)
            if i == j:
                found[f"{i}.{start}-{end}"] = (first, last + 1)
    return found
