"""The readers of JSON across documents again: texts, and lists of mentions. Used by plain_json.py."""

from collections.abc import Sequence
from itertools import count, groupby
from typing import Any

from plain_document import Plain, listed, plain, require

NAMES = ("doc_key", "doc_id", "document_id", "id", "name")
CHAINS = ("coref_chain", "predicted_coref_chain")
SEEDS: tuple[tuple[Any, ...], ...] = (
    (
        {
            "doc_key": "36",
            "tokens": [[["a", "b", "c"]], [["d", "e"], ["f"]], []],
            "clusters_token_offsets": [[[0, 0, 0], [1, 0, 2]], [[0, 1, 2]], []],
            "clusters_token_text": [],
        },
        {"tokens": [["a", "b"], ["c"]], "clusters_token_offsets": [[[0, 0, 0], [1, 0, 0]]]},
        {"doc_key": "38", "tokens": [[["a"]], [["b"]]], "clusters_token_offsets": []},
    ),
    (
        {
            "id": 7,
            "tokens": [["a", "b"], ["c", "d", "e"]],
            "mentions": [[0, 0, 1, 3], [1, 2, 2, 3], [1, 0, 0, "x"]],
            "relations": [[3, 4]],
            "flatten_tokens": [],
        },
        {"id": "8", "tokens": [[]], "mentions": [], "relations": []},
    ),
    (
        {"doc_id": "1_1ecb.xml", "sent_id": 0, "tokens_number": [3, 4], "coref_chain": "a", "mention_id": 1},
        {"doc_id": "1_1ecb.xml", "sent_id": 1, "tokens_number": [5, 2, 3], "coref_chain": 7},
        {"doc_id": "2", "conll_doc_key": "1/1ecb/2", "sent_id": 0, "tokens_number": [0], "coref_chain": "a"},
    ),
    (
        {"doc_id": "H", "mention_context": ["a"], "tokens_number": [0], "mention_id": "m1", "coref_chain": 1,
         "predicted_coref_chain": 2},
        {"doc_id": "H", "mention_context": ["a"], "tokens_number": [0], "mention_id": 5, "coref_chain": 1,
         "predicted_coref_chain": 3},
        {"doc_id": "I", "mention_context": ["a"], "tokens_number": [0], "mention_id": "m1", "coref_chain": 4,
         "predicted_coref_chain": "UNK"},
    ),
    (
        {"doc_id": "1_1ecb.xml", "tokens_ids": [3, 4], "cluster_id": 17642760725664640, "tokens": "a b"},
        {"doc_id": "1_1ecb.xml", "tokens_ids": [9, 6], "cluster_id": 5},
        {"doc_id": "1_2ecb.xml", "tokens_ids": [1], "cluster_id": 5},
    ),
)  # fmt: skip
"""Each is the objects of one file."""


def holds_texts(value: dict[str, Any]) -> bool:
    """Return whether tokens are of several texts: by the first mention, or the first text without any."""
    tokens, clusters = value.get("tokens"), value.get("clusters_token_offsets")
    filled = [text for text in tokens if text] if isinstance(tokens, list) else []
    if not filled or not isinstance(filled[0], list):
        return False
    lists = (
        [cluster for cluster in clusters if isinstance(cluster, list)] if isinstance(clusters, list) else []
    )
    mentions = [mention for cluster in lists for mention in cluster]
    if mentions:
        return isinstance(mentions[0], list) and len(mentions[0]) == 3
    return isinstance(filled[0][0], list)


def kinds(value: dict[str, Any]) -> dict[str, object]:
    """Return which of the kinds an object is."""
    has = set(value)
    return {
        "xCoRe": {"tokens", "clusters_token_offsets"} <= has and holds_texts(value),
        "SciCo": {"tokens", "mentions"} <= has and has & {"relations", "flatten_tokens", "flatten_mentions"},
        "mentions": {"doc_id", "tokens_number"} <= has and has & {*CHAINS},
        "token ids": {"doc_id", "tokens_ids", "cluster_id"} <= has,
    }


def texts(value: dict[str, Any], kind: str, number: str, *, alone: bool) -> list[Plain]:
    """Return the texts of a topic, each a document."""
    names = [value[key] for key in NAMES if key in value][:1]
    topic = str(names[0]) if names and type(names[0]) in (str, int) else "" if alone else number
    lengths = []
    require(listed(value["tokens"]))
    for text in listed(value["tokens"]):
        sentences = text if listed(text) and isinstance(text[0], list) else [text]
        require(all(isinstance(word, str) for sentence in sentences for word in listed(sentence)))
        lengths.append([len(sentence) for sentence in sentences])
    found: list[dict[str, list[object]]] = [{} for _ in lengths]
    for cluster, mention in _mentions_of_xcore(value) if kind == "xCoRe" else _mentions_of_scico(value):
        require(len(mention) == 3 and all(type(part) is int for part in mention))
        text, first, last = mention
        require(0 <= text < len(lengths) and 0 <= first <= last < sum(lengths[text]))
        found[text].setdefault(cluster, []).append((first, last + 1))
    return [
        plain(clusters, f"{topic}/{i}" if topic else str(i), [n for n in own if n])
        for i, (clusters, own) in enumerate(zip(found, lengths, strict=True))
    ]


def _mentions_of_xcore(value: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    clusters = listed(value["clusters_token_offsets"])
    return [(str(i), listed(mention)) for i, own in enumerate(clusters) for mention in listed(own)]


def _mentions_of_scico(value: dict[str, Any]) -> list[tuple[str, list[Any]]]:
    mentions = [listed(mention) for mention in listed(value["mentions"])]
    require(all(mention and type(mention[-1]) in (str, int) for mention in mentions))
    return [(str(mention[-1]), mention[:-1]) for mention in mentions]


def mentions(values: Sequence[Any], keys: Sequence[str]) -> list[Plain]:
    """Return the documents of a list of mentions."""
    require(all(isinstance(value, dict) for value in values))
    for kind in ("mentions", "token ids"):
        if kinds(values[0])[kind]:
            require(all(kinds(value)[kind] for value in values))
            return _documents(values, kind, "cluster_id" if kind == "token ids" else _chain(values, keys))
    return []


def _chain(values: Sequence[Any], keys: Sequence[str]) -> str:
    said = [key for key in CHAINS if any(value.get(key) not in (None, "UNK") for value in values)]
    require(keys or len(said) < 2)
    return (said or CHAINS)[-1 if said and keys[:1] == ("predicted_clusters",) else 0]


def _documents(values: Sequence[Any], kind: str, key: str) -> list[Plain]:
    found: dict[str, dict[str, list[object]]] = {}
    for value in values:
        name = value["doc_id"] if value.get("conll_doc_key") is None else value["conll_doc_key"]
        require(type(name) in (str, int) and type(value.get(key)) in (str, int))
        clusters = found.setdefault(str(name).removesuffix(".xml"), {})
        clusters.setdefault(str(value[key]), []).append(_mention(value, kind))
    return [plain(clusters, name) for name, clusters in found.items()]


def _mention(value: dict[str, Any], kind: str) -> object:
    numbers = listed(value["tokens_ids" if kind == "token ids" else "tokens_number"])
    least = 1 if kind == "token ids" else 0
    require(numbers and all(type(number) is int and least <= number < 2**53 for number in numbers))
    if kind == "token ids":
        return min(numbers) - 1, max(numbers)
    sentence = value.get("sent_id")
    in_context = "mention_context" in value and "tokens_number_context" not in value
    if type(sentence) is int and sentence >= 0 and not in_context:
        steps = groupby(zip(sorted(set(numbers)), count(), strict=False), lambda pair: pair[0] - pair[1])
        runs = [[number for number, _ in run] for _, run in steps]
        return f"{sentence}." + "+".join(f"{run[0]}-{run[-1]}" for run in runs)
    require(type(value.get("mention_id")) in (str, int))
    return str(value["mention_id"])
