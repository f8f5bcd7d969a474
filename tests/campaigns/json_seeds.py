"""Valid JSON documents that broken_json.py breaks, and files of documents of neural systems."""

from typing import Any


def _clusters(*clusters: list[Any], **more: Any) -> dict[str, Any]:
    return {"type": "clusters", "clusters": {f"c{i}": c for i, c in enumerate(clusters)}, **more}


def _graph(mentions: list[Any], links: list[list[Any]], **more: Any) -> dict[str, Any]:
    return {"type": "graph", "mentions": mentions, "links": links, **more}


SEEDS: tuple[dict[str, Any], ...] = (
    _clusters(["m1", "m2", "m3"], ["m4"], ["m5", "m6"], [], name="doc"),
    _clusters([1, 2, 3, -4], [5, 10**20], [6], [7, 8], [9]),
    _clusters([[0, 1], [4, 6]], [[2, 3], [9, 9], [0, 1, 5, 6]], [[]]),
    _clusters(["0.0-0", "0.4-4", "1.2-3"], ["0.2-2", "2.0-0"], source={"by": ["x", 1.5, None, True]}),
    _clusters(["0.0-0", "1.1-1"], ["0.2-1.0", "0.1-1"], sentences=[["a", "b", "c"], ["d", "e"]], name="text"),
    _clusters(["0.0-0", "2.0-0"], ["0.0-0.1"], sentences=[["a", "b"], [], ["c"]]),
    _clusters(["m1", "m2"], sentences=[["a", "b"]]),
    _clusters(["m1", "m2"], tokens=["a", "b"]),
    _clusters(["é", "e\u0301", "\U0001f600", " a", "a", "A", ""], ["tab\t", "\u2028", "\x1b[31m"], []),
    _clusters(),
    _graph(["a", "b", "c", "d", "e"], [["a", "b"], ["b", "c"], ["d", "d"]], name="g"),
    _graph([1, 2, 3, 4, 5, 6], [[1, 2], [3, 2], [5, 6], [6, 5]]),
    _graph([[0, 1], [1, 2], [5, 7], [3]], [[[0, 1], [5, 7]]], note=[]),
    _graph([], []),
    _clusters(*[[f"m{i}.{j}" for j in range(i % 4 + 1)] for i in range(12)]),
    _graph([f"m{i}" for i in range(30)], [[f"m{i}", f"m{i * i % 30}"] for i in range(30)]),
)
"""Each is scored against itself or a broken copy of itself, so the kinds of ids agree."""

_WORDS = [["a", "b", "c", "d"], ["e", "f"], [], ["g", "h", "i", "j"]]
_FLAT = [word for sentence in _WORDS for word in sentence]
_INSIDE = [[[0, 1], [4, 4]], [[2, 2], [7, 9], [5, 5]], [], [[3, 5]]]
_AFTER = [[[0, 2], [4, 5]], [[2, 3], [7, 10]], [[9, 10]]]
_PIECES = [["[CLS]", "a", "##b", "c", "[SEP]"], ["[CLS]", "d", "##e", "e", "[SEP]"]]
_MAP = [0, 0, 0, 1, 1, 1, 3, 3, 4, 4]
_SENTENCE_MAP = [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]


def _word(ident: Any, *chains: tuple[int, str]) -> dict[str, Any]:
    """Return a word of Stanza: its chains, each with ``s`` where a mention starts and ``e`` where it ends."""
    found = [
        {
            "index": index,
            **({"is_start": True} if "s" in how else {}),
            **({"is_end": True} if "e" in how else {}),
        }
        for index, how in chains
    ]
    return {"id": ident, "text": "w", "coref_chains": found}


_SENTENCES = [
    [_word(1, (0, "s")), _word(2, (0, ""), (0, "s"), (1, "se")), _word(3, (0, "e"), (0, "e"))],
    [],
    [_word([1, 2]), _word(1, (1, "se")), _word(2), _word([2, 1], (1, "se"))],
]
SEEDS_OF_LINES: tuple[tuple[Any, ...], ...] = (
    (
        {"doc_key": "a", "sentences": _WORDS, "clusters": _INSIDE, "speakers": []},
        {"doc_key": "b", "sentences": _WORDS[1:], "clusters": [[[0, 1], [2, 2]]]},
        {"doc_id": "c", "sentences": [], "clusters": []},
    ),
    (
        {
            "document_id": "w",
            "part_id": 1,
            "cased_words": _FLAT,
            "sent_id": [*"0000112222"],
            "span_clusters": _AFTER,
        },
    ),
    ({"document_id": "h", "cased_words": _FLAT, "word_clusters": [[0, 4], [2, 7, 5]]},),
    (
        {"text": "She saw her.", "clusters": [[[0, 3], [8, 11]]]},
        {"text": "é\U0001f600 x", "clusters": [[[0, 2]]]},
    ),
    ({"tokens": _FLAT, "clusters_token_offsets": _INSIDE, "id": "m"},),
    ({"tokens": _WORDS, "clusters_token_offsets": _INSIDE},),
    (
        {"doc_key": "a", "sentences": _WORDS, "clusters": _INSIDE, "predicted_clusters": [[[0, 1], [2, 2]]]},
        {"doc_key": "b", "sentences": _WORDS, "clusters": [], "predicted_clusters": [[[0, 1], [2, 2]]]},
        {"doc_key": "c", "sentences": _WORDS, "predicted_clusters": [[[0, 1], [2, 2]]]},
    ),
    (
        {
            "doc_key": "s",
            "sentences": _PIECES,
            "subtoken_map": _MAP,
            "clusters": [[[1, 2], [7, 7]], [[3, 8]]],
        },
        {
            "doc_key": "t",
            "sentences": _PIECES,
            "subtoken_map": _MAP,
            "sentence_map": _SENTENCE_MAP,
            "tokens": ["ab", "c", "", "d", "e"],
            "predicted_clusters": [[[2, 3], [5, 6]], [[0, 8]]],
        },
    ),
    ({"doc_key": "n", "clusters": _INSIDE}, {"doc_id": "o", "predicted_clusters": _INSIDE}),
    ({"doc_key": "l", "text": "a b", "tokens": ["a", "b"], "clusters": [[[0, 0], [0, 1]]]},),
    ({"document": _FLAT, "clusters": _INSIDE, "top_spans": [[0, 1]]}, {"document": [], "clusters": []}),
    ({"text": _FLAT, "clusters": _AFTER, "clusters_strings": []},),
    ({"id": "p", "sentences": _WORDS, "mention_clusters": [[[0, 0, 2], [1, 1, 2]], [[3, 0, 4]]]},),
    (
        {
            "text": "She saw her.",
            "sents": [{"start": 0, "end": 12}],
            "tokens": [{"id": 0}],
            "spans": {"coref_clusters_1": [{"start": 0, "end": 3}, {"start": 8, "end": 11}], "sc": []},
        },
        {"text": "No one", "ents": [], "tokens": []},
    ),
    (
        {
            "docId": "c",
            "sentences": [{"tokens": [{"word": w} for w in words]} for words in _WORDS],
            "corefs": {
                "3": [
                    {"sentNum": 1, "startIndex": 1, "endIndex": 3},
                    {"sentNum": 4, "startIndex": 2, "endIndex": 5},
                ],
                "5": [{"sentNum": 2, "startIndex": 1, "endIndex": 2}],
            },
        },
    ),
    (
        {
            "sens": [{"sid": i, "tok": words} for i, words in enumerate(_WORDS)],
            "coref": [[[0, 0, 2], [3, 1, 4]]],
        },
    ),
    ({"tokens": _FLAT, "clusters": [[["a", 0, 1], ["e f", 4, 6]], [["j", 9, 10]]], "id": "h"},),
    (
        {
            "document_id": "bc/o",
            "sentences": [
                {"part_id": 0, "words": _WORDS[0], "coref_spans": [[3, 0, 1], [4, 0, 3]]},
                {"part_id": 0, "words": _WORDS[1], "coref_spans": [[3, 1, 1]]},
                {"part_id": 1, "words": _WORDS[3], "coref_spans": [[3, 0, 0], [3, 2, 3]]},
            ],
        },
    ),
    (
        {
            "mentions": [
                {"start": 0, "end": 3, "text": "Ann", "resolved": "Ann"},
                {"start": 8, "end": 11, "text": "her", "resolved": "Ann"},
                {"start": 12, "end": 14, "text": "it", "resolved": "it"},
            ],
            "clusters": [["Ann", "her"], ["it"]],
            "resolved": "",
        },
    ),
    ({"a": [[[1, 2], [5, 5]], [[3, 3]]], "b": []}, {"a": [0, 0, 0, 1, 2, 3], "b": [0]}),
    (_SENTENCES,),
    (_INSIDE, [], _AFTER),
)
"""Each is the documents of one file of a neural system."""
