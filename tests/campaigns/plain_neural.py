"""The readers of neural systems again, one plain function per kind. Used by plain_json.py."""

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import plain_crossdoc
from plain_document import Plain, listed, plain, require
from plain_lists import bare, is_stanza, stanza

NAMES = ("doc_key", "doc_id", "document_id", "id", "name")
BOTH = ("clusters", "predicted_clusters")
ONE_KEY = {"Maverick", "PreCo", "spaCy", "CoreNLP", "ELIT", "neuralcoref", "OntoNotes", "CRAC 2026", "xCoRe",
           "SciCo", "mentions", "token ids"}  # fmt: skip
SPECIAL = ("[CLS]", "[SEP]", "<s>", "</s>")


def kinds(value: Any) -> list[str]:
    """Return the kinds of neural systems that write such keys."""
    has = set(value)
    some = bool(has & set(BOTH))
    named = bool(has & {"doc_key", "doc_id"})
    found = {
        "e2e": named and "sentences" in has and some,
        "nothing but clusters": named and some and not has & {"sentences", "tokens", "text", "document"},
        "wl-coref": {"document_id", "cased_words"} <= has and has & {"span_clusters", "word_clusters"},
        "LingMess": "tokens" in has and some and "sentences" not in has,
        "fastcoref": "text" in has and some and "tokens" not in has,
        "Maverick": {"tokens", "clusters_token_offsets"} <= has
        and "clusters_text_mentions" not in has
        and not plain_crossdoc.holds_texts(value),
        "CRAC 2026": {"tokens", "clusters_token_offsets", "clusters_text_mentions"} <= has
        and not plain_crossdoc.holds_texts(value),
        "AllenNLP": "document" in has and some,
        "PreCo": {"sentences", "mention_clusters"} <= has,
        "spaCy": {"text", "tokens"} <= has
        and has & {"spans", "sents", "ents"}
        and not has & {"relations", "_task_hash"},
        "ELIT": {"sens", "coref"} <= has,
        "neuralcoref": {"mentions", "resolved", "clusters"} <= has,
        "OntoNotes": {"document_id", "sentences"} <= has and not some,
        "CoreNLP": {"sentences", "corefs"} <= has,
        "Prodigy": {"text", "relations"} <= has and has & {"spans", "tokens", "_task_hash"},
        **plain_crossdoc.kinds(value),
    }
    return [kind for kind, holds in found.items() if holds]


def documents(value: Any, number: str, keys: Sequence[str], *, alone: bool = False) -> list[Plain]:
    """Return the documents that an object or a list of a program holds; it may be `alone` in its file."""
    if isinstance(value, list):
        return [stanza(value, number) if is_stanza(value) else bare(value, number)]
    require(isinstance(value, dict) and len(kinds(value)) == 1)
    kind = kinds(value)[0]
    require(kind != "Prodigy")  # nothing here is made of it
    if kind in ("xCoRe", "SciCo"):
        return plain_crossdoc.texts(value, kind, number, alone=alone)
    if kind in ("mentions", "token ids"):
        return plain_crossdoc.mentions([value], keys)
    return ontonotes(value) if kind == "OntoNotes" else [READERS[kind](value, number, chosen(value, keys))]


def chosen(value: Mapping[str, Any], keys: Sequence[str]) -> str:
    """Return which of the two keys of clusters is meant, if there are two."""
    there = [key for key in keys if key in value] or [key for key in BOTH if key in value]
    if not keys and len(there) == 2:
        require(not value["clusters"])
        return "predicted_clusters"
    return there[0] if there else ""


def key_of(value: Any, keys: Sequence[str]) -> str:
    """Return the key of the clusters of a document whose program may use one of two keys, else nothing."""
    if not isinstance(value, dict):
        return ""
    if "wl-coref" in kinds(value):
        return "span_clusters" if "span_clusters" in value else "word_clusters"
    has_two = not {"Maverick", "CRAC 2026", "PreCo", "spaCy", "CoreNLP"} & {*kinds(value)}
    return chosen(value, keys) if has_two else ""


def named(value: Mapping[str, Any], number: str, *names: str) -> str:
    name = next((value[key] for key in names if key in value), number)
    require(isinstance(name, str))
    return str(name)


def e2e(value: Any, number: str, key: str) -> Plain:
    name = named(value, number, "doc_key", "doc_id")
    lengths = sentences(value["sentences"])
    if "subtoken_map" in value:
        return subtokens(value, name, key)
    require("tokens" not in value or len(words(value["tokens"])) == sum(lengths))
    return spans(value[key], name, lengths, end=1)


def subtokens(value: Any, name: str, key: str) -> Plain:
    pieces = [piece for segment in value["sentences"] for piece in segment]
    special = []
    for segment in value["sentences"]:
        special += [p in SPECIAL and i in (0, len(segment) - 1) for i, p in enumerate(segment)]
    word_of = rising(value["subtoken_map"], len(pieces))
    number = max(word_of, default=-1) + 1
    if "tokens" in value:
        require(number <= len(words(value["tokens"])))
        number = len(value["tokens"])
    else:
        require(number <= len(pieces))
    lengths = [number] if number else []
    if "sentence_map" in value:
        sentence_of = rising(value["sentence_map"], len(pieces))
        of_words: list[int] = []
        for word in range(number):
            its = [
                s for s, w, out in zip(sentence_of, word_of, special, strict=True) if w == word and not out
            ]
            of_words.append(its[0] if its else of_words[-1] if of_words else 0)
        lengths = [len(list(group)) for _, group in groupby(of_words)]
    clusters = {}
    for i, cluster in enumerate(listed(value[key])):
        clusters[str(i)] = [mapped(span, word_of) for span in listed(cluster)]
    return plain(clusters, name, lengths)


def mapped(span: Any, word_of: Sequence[int]) -> tuple[int, int]:
    require([type(place) for place in listed(span)] == [int, int])
    require(0 <= span[0] <= span[1] < len(word_of))
    return word_of[span[0]], word_of[span[1]] + 1


def rising(value: object, length: int) -> list[int]:
    numbers = listed(value)
    require(len(numbers) == length and all(type(number) is int for number in numbers))
    require(numbers == sorted(numbers) and all(number >= 0 for number in numbers))
    return numbers


def nothing_but_clusters(value: Any, number: str, key: str) -> Plain:
    found = spans(value[key], named(value, number, "doc_key", "doc_id"), None, end=1)
    return found._replace(sentences=())


def tokens(value: Any, number: str, key: str) -> Plain:
    written = listed(value["tokens"])
    nested = written and isinstance(written[0], list)
    name, lengths = named(value, number, *NAMES), sentences(written if nested else [written])
    members = [one for cluster in _lists_or_none(value[key]) for one in cluster]
    if key in BOTH and members and _is_of_hanlp(members[0]):
        require(all(map(_is_of_hanlp, members)))
        return spans([[one[1:] for one in cluster] for cluster in value[key]], name, lengths, end=0)
    return spans(value[key], name, lengths, end=1)


def _lists_or_none(value: Any) -> list[Any]:
    is_like = isinstance(value, list) and all(isinstance(one, list) for one in value)
    return value if is_like else []


def _is_of_hanlp(mention: Any) -> bool:
    return isinstance(mention, list) and [type(part) for part in mention] == [str, int, int]


def maverick(value: Any, number: str, _: str) -> Plain:
    return tokens(value, number, "clusters_token_offsets")


def crac(value: Any, number: str, _: str) -> Plain:
    nodes: list[tuple[int, int, int]] = []  # sentence, word, rank of an empty node
    for token in words(value["tokens"]):
        word, rank = nodes[-1][1:] if nodes else (0, 0)
        nodes.append((0, word, rank + 1) if token[:2] == "##" else (0, word + 1, 0))
    clusters: dict[str, list[object]] = {}
    written = value["clusters_token_offsets"]
    for i, cluster in enumerate(listed([] if written is None else written)):
        clusters[str(i)] = []
        for span in listed(cluster):
            require([type(place) for place in listed(span)] == [int, int])
            require(0 <= span[0] <= span[1] < len(nodes))
            inside = nodes[span[0] : span[1] + 1]
            has_empty = any(rank for _, _, rank in inside)
            clusters[str(i)].append(tuple(inside) if has_empty else (inside[0][1] - 1, inside[-1][1]))
    length = nodes[-1][1] if nodes else 0
    require(length or not any(clusters.values()))
    return plain(clusters, named(value, number, "doc_id", "doc_key"), [length] if length else [])


def fastcoref(value: Any, number: str, key: str) -> Plain:
    text = value["text"]
    require(isinstance(text, str) or words(text) is not None)
    return spans(value[key], named(value, number, *NAMES), [len(text)] if text or text == "" else [], end=0)


def allennlp(value: Any, number: str, key: str) -> Plain:
    return spans(value[key], named(value, number, *NAMES), sentences([value["document"]]), end=1)


def preco(value: Any, number: str, _: str) -> Plain:
    lengths = [len(words(sentence)) for sentence in listed(value["sentences"])]
    return in_sentences(value["mention_clusters"], lengths, named(value, number, *NAMES))


def elit(value: Any, number: str, _: str) -> Plain:
    require(all(isinstance(sentence, dict) for sentence in listed(value["sens"])))
    lengths = [len(words(sentence.get("tok"))) for sentence in value["sens"]]
    return in_sentences(value["coref"], lengths, named(value, number, "doc_id", "doc_key", "id", "name"))


def in_sentences(written: Any, lengths: list[int], name: str) -> Plain:
    clusters: dict[str, list[tuple[int, int]]] = {}
    for i, cluster in enumerate(listed(written)):
        clusters[str(i)] = []
        for mention in listed(cluster):
            require([type(part) for part in listed(mention)] == [int, int, int])
            sentence, start, end = mention
            require(0 <= sentence < len(lengths) and 0 <= start < end <= lengths[sentence])
            before = sum(lengths[:sentence])
            clusters[str(i)].append((before + start, before + end))
    return plain(clusters, name, [length for length in lengths if length])


def ontonotes(value: Any) -> list[Plain]:
    name = named(value, "", "document_id")
    parts: dict[str, tuple[list[int], dict[str, list[tuple[int, int]]]]] = {}
    for one in listed(value["sentences"]):
        require(isinstance(one, dict) and {"words", "coref_spans"} <= set(one))
        part = one.get("part_id", "")
        require(type(part) in (int, str))
        parts.setdefault(name if part == "" else f"{name}-{part:0>3}", ([], {}))
    for called, (lengths, clusters) in parts.items():
        for one in value["sentences"]:
            part = one.get("part_id", "")
            if called == (name if part == "" else f"{name}-{part:0>3}"):
                for span in listed(one["coref_spans"]):
                    require([type(place) for place in listed(span)] == [int, int, int])
                    require(0 <= span[1] <= span[2] < len(words(one["words"])))
                    mention = sum(lengths) + span[1], sum(lengths) + span[2] + 1
                    clusters.setdefault(str(span[0]), []).append(mention)
                lengths.append(len(words(one["words"])))
    found = [
        plain(clusters, called, [n for n in lengths if n]) for called, (lengths, clusters) in parts.items()
    ]
    return found or [plain({}, name)]


def neuralcoref(value: Any, number: str, _: str) -> Plain:
    clusters = [listed(cluster) for cluster in listed(value["clusters"])]
    mentions = listed(value["mentions"])
    require(sum(map(len, clusters)) == len(mentions))
    rest = iter(mentions)
    read: list[list[list[int]]] = []
    for cluster in clusters:
        read.append([])
        for text in cluster:
            one = next(rest)
            require(isinstance(one, dict) and type(one.get("start")) is type(one.get("end")) is int)
            require(isinstance(one.get("text"), str) and one["text"] == text)
            read[-1].append([one["start"], one["end"]])
    return spans(read, named(value, number, *NAMES), None, end=0)


def s2e(clusters: Any, words_of: Any) -> list[Plain]:
    """Return the documents of two objects: clusters by name, and the words of sub-tokens."""
    require(isinstance(words_of, dict) and set(words_of) == set(clusters))
    found = []
    for name, written in clusters.items():
        word_of = rising(words_of[name], len(listed(words_of[name])))
        read = {
            str(i): [mapped(one, word_of) for one in listed(own)] for i, own in enumerate(listed(written))
        }
        found.append(plain(read, name))
    return found


def spacy(value: Any, number: str, _: str) -> Plain:
    require(isinstance(value["text"], str) and isinstance(value.get("spans", {}), dict))
    clusters: dict[str, list[tuple[int, int]]] = {}
    for name, group in value.get("spans", {}).items():
        if name[:15] == "coref_clusters_":
            clusters[name] = []
            for span in listed(group):
                require(isinstance(span, dict) and type(span.get("start")) is type(span.get("end")) is int)
                require(0 <= span["start"] < span["end"] <= len(value["text"]))
                clusters[name].append((span["start"], span["end"]))
    return plain(clusters, named(value, number, "doc_key", "doc_id", "id", "name"), [len(value["text"])])


def corenlp(value: Any, number: str, _: str) -> Plain:
    lengths = []
    for sentence in listed(value["sentences"]):
        require(isinstance(sentence, dict))
        for token in listed(sentence.get("tokens")):
            require(isinstance(token, dict) and isinstance(token.get("word"), str))
        lengths.append(len(sentence["tokens"]))
    require(isinstance(value["corefs"], dict))
    clusters: dict[str, list[tuple[int, int]]] = {}
    for chain, mentions in value["corefs"].items():
        clusters[chain] = []
        for mention in listed(mentions):
            require(isinstance(mention, dict))
            sentence, start, end = (mention.get(key) for key in ("sentNum", "startIndex", "endIndex"))
            require(type(sentence) is type(start) is type(end) is int)
            require(0 < sentence <= len(lengths) and 0 < start < end <= lengths[sentence - 1] + 1)
            before = sum(lengths[: sentence - 1]) - 1
            clusters[chain].append((before + start, before + end))
    return plain(clusters, named(value, number, "docId"), [length for length in lengths if length])


def wl_coref(value: Any, number: str, _: str) -> Plain:
    name = named(value, number, "document_id")
    part = value.get("part_id", "")
    require(type(part) in (int, str))
    name = f"{name}-{str(part).rjust(3, '0')}" if str(part) else name
    lengths = sentences([value["cased_words"]])
    if "sent_id" in value:
        numbers = listed(value["sent_id"])
        require(len(numbers) == sum(lengths) and all(type(number) in (int, str) for number in numbers))
        lengths = [len(list(group)) for _, group in groupby(numbers)]
    if "span_clusters" in value:
        return spans(value["span_clusters"], name, lengths, end=0)
    clusters = [[[head, head] for head in listed(cluster)] for cluster in listed(value["word_clusters"])]
    return spans(clusters, name, lengths, end=1)


def words(value: object) -> list[str]:
    require(all(isinstance(word, str) for word in listed(value)))
    return listed(value)


def sentences(value: Any) -> list[int]:
    """Return the numbers of words in sentences that have any."""
    return [len(words(sentence)) for sentence in listed(value) if words(sentence)]


def spans(clusters: Any, name: str, lengths: list[int] | None, *, end: int) -> Plain:
    """Return a document of spans, `end` units short of half-open."""
    found: dict[str, list[tuple[int, int]]] = {}
    for number, cluster in enumerate(listed(clusters)):
        found[str(number)] = []
        for span in listed(cluster):
            require([type(place) for place in listed(span)] == [int, int])
            require(0 <= span[0] < span[1] + end <= (2**53 if lengths is None else sum(lengths)))
            found[str(number)].append((span[0], span[1] + end))
    return plain(found, name, lengths or ())


READERS: dict[str, Callable[[Any, str, str], Plain]] = {
    "e2e": e2e,
    "nothing but clusters": nothing_but_clusters,
    "wl-coref": wl_coref,
    "LingMess": tokens,
    "fastcoref": fastcoref,
    "Maverick": maverick,
    "CRAC 2026": crac,
    "AllenNLP": allennlp,
    "PreCo": preco,
    "ELIT": elit,
    "neuralcoref": neuralcoref,
    "spaCy": spacy,
    "CoreNLP": corenlp,
}
