"""JSON of corpora and systems across documents: the texts of a topic in one object, and lists of mentions.

Each text is a document, called so that its name tells the topic; a cluster has one name in all documents.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from scorch2.formats.fields import notes_of_widened, value_of
from scorch2.formats.json import texts
from scorch2.formats.json.dialects import Source, SourcePart
from scorch2.formats.json.strict import LARGEST, json_kind, require_list
from scorch2.formats.table import SYSTEM_KEYS
from scorch2.model.document import Document, Label, Mention, OnDemand
from scorch2.model.errors import quoted

_NAMES = ("doc_key", "doc_id", "document_id", "id", "name")
_ACROSS, _TEXTS, _MENTIONS = "clusters_token_offsets", "tokens", "mentions"
_GOLD, _PREDICTED, _CHAIN = "coref_chain", "predicted_coref_chain", "cluster_id"
_NO_CHAIN = (None, "UNK")  # what stands for the chain of a mention that no system has seen

# Objects that hold the texts of a topic


def _texts(value: Mapping[str, Any], place: texts.JsonPlace) -> list[list[list[str]]]:
    """Return the sentences of each text: a text is a list of words, or of lists of words."""
    every = require_list(value[_TEXTS], place.path, f"{place.where}.{_TEXTS}", "texts")
    return [
        texts.sentences_of(text, place, f"{_TEXTS}[{i}]")
        if type(text) is list and text and type(text[0]) is list
        else [texts.words_of(text, place, f"{_TEXTS}[{i}]")]
        for i, text in enumerate(every)
    ]


def _topic(value: Mapping[str, Any], place: texts.JsonPlace) -> str:
    """Return the name of a topic; empty if the object is alone in its file, which is named like it."""
    named = next((value[key] for key in _NAMES if key in value), None)
    if type(named) in (str, int):
        return str(named)
    return "" if place.where == "$" else place.name


def _parts(
    value: Mapping[str, Any],
    place: texts.JsonPlace,
    key: str,
    mentions: Iterable[tuple[str, str, list[int]]],
    read: Sequence[str],
) -> Iterator[SourcePart]:
    """Yield an object for each text: its name, its sentences and, under `key`, its clusters.

    Of `mentions` each has its place, its cluster, and the numbers of its text, its first and its last word.
    """
    topic, every = _topic(value, place), _texts(value, place)
    if not every:
        raise place.error(_TEXTS, "holds no text")
    found: list[texts.Clusters] = [{} for _ in every]
    for where, cluster, (text, first, last) in mentions:
        if not 0 <= text < len(every):
            why = f"there is no text {quoted(text)} of {len(every)} (the first is 0)"
            raise place.error(where, why)
        length = sum(map(len, every[text]))
        if not 0 <= first <= last < length:
            raise texts.outside([text, first, last], first, last + 1, length, place.error(where, ""))
        found[text].setdefault(f"{topic or place.name}:{cluster}", []).append((first, last + 1))
    others = {other: value[other] for other in value if other not in (_TEXTS, key, *_NAMES, *read)}
    for number, (sentences, clusters) in enumerate(zip(every, found, strict=True)):
        name = f"{topic}/{number}" if topic else str(number)
        part = {_TEXTS: sentences, key: clusters, "name": name, **({} if number else others)}
        yield part, place._replace(name=name)


def _integers(mention: object, number: int, place: texts.JsonPlace, where: str, what: str) -> list[int]:
    if type(mention) is not list or set(map(type, mention)) != {int} or len(mention) != number:
        raise place.error(where, f"a mention is a list of {what}")
    return mention


_WITH_XCORE = ("clusters_text_mentions", "clusters_token_text", "clusters_char_offsets", "clusters_char_text")


def parts_of_xcore(value: Mapping[str, Any], place: texts.JsonPlace) -> Iterator[SourcePart]:
    """Yield the texts of an object of xCoRe, whose mentions are [text, first, last] token."""
    what = "three integers: text, first and last token"
    mentions = (
        (where := f"{_ACROSS}[{i}][{j}]", str(i), _integers(mention, 3, place, where, what))
        for i, cluster in enumerate(texts.lists_of(value[_ACROSS], place, _ACROSS))
        for j, mention in enumerate(cluster)
    )
    return _parts(value, place, _ACROSS, mentions, _WITH_XCORE)


_WITH_SCICO = ("flatten_tokens", "flatten_mentions")


def parts_of_scico(value: Mapping[str, Any], place: texts.JsonPlace) -> Iterator[SourcePart]:
    """Yield the paragraphs of a topic of SciCo, whose mentions are [paragraph, first, last, cluster]."""
    what = "three integers and a cluster: paragraph, first and last token, cluster"
    written = require_list(value[_MENTIONS], place.path, f"{place.where}.{_MENTIONS}", "mentions")

    def mentions() -> Iterator[tuple[str, str, list[int]]]:
        for i, mention in enumerate(written):
            where = f"{_MENTIONS}[{i}]"
            if type(mention) is not list or not mention or type(mention[-1]) not in (int, str):
                raise place.error(where, f"a mention is a list of {what}")
            yield where, str(mention[-1]), _integers(mention[:-1], 3, place, where, what)

    return _parts(value, place, _MENTIONS, mentions(), _WITH_SCICO)


def of_text(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read one of the texts of a topic."""
    sentences = value[_TEXTS]
    return texts.of_tokens(place.name, sentences, value[key], place, flat=len(sentences) == 1)


# Lists of mentions


def gather_mentions(parts: Iterable[SourcePart], chains: Sequence[str]) -> Iterator[SourcePart]:
    """Yield an object for each document: under the key of the chains its mentions, with their places."""
    every = list(parts)
    key = _chain_key(every, chains)
    documents: dict[str, list[SourcePart]] = {}
    for value, place in every:
        documents.setdefault(_document_name(value, place), []).append((value, place))
    for name, mentions in documents.items():
        yield {key: mentions}, mentions[0][1]._replace(name=name)


def _chain_key(parts: Sequence[SourcePart], chains: Sequence[str]) -> str:
    """Return the key of the chains of a side: predictions for a system if there are any."""
    place = parts[0][1]
    if len(place.keys) == 1:
        return place.keys[0]
    known = [key for key in chains if any(value.get(key) not in _NO_CHAIN for value, _ in parts)]
    if len(known) > 1 and not place.keys:
        why = f"stands beside {known[0]}: which of them is meant? (--key=<name> says it)"
        raise place.error(known[1], why)
    ordered = known[::-1] if place.keys == SYSTEM_KEYS else known
    return (*ordered, *chains)[0]


def _document_name(value: Mapping[str, Any], place: texts.JsonPlace) -> str:
    """Return the name of the document of a mention, which tells the topic if the list does."""
    key = next((key for key in ("conll_doc_key", "doc_id") if value.get(key) is not None), "doc_id")
    name = value[key]
    if type(name) not in (str, int):
        raise place.error(key, f"should be a string, not {json_kind(name)}")
    return str(name).removesuffix(".xml")


def _chain(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> str:
    if type(value.get(key)) not in (str, int):
        kind = json_kind(value[key]) if key in value else "nothing"
        raise place.error(key, f"the chain of a mention is a string or an integer, not {kind}")
    return str(value[key])


def _numbers(value: Mapping[str, Any], place: texts.JsonPlace, key: str, least: int) -> list[int]:
    """Return the numbers of the words of a mention."""
    numbers = require_list(value[key], place.path, f"{place.where}.{key}", "numbers of words")
    if not numbers or set(map(type, numbers)) != {int} or not least <= min(numbers) <= max(numbers) < LARGEST:
        raise place.error(key, f"should be the numbers of the words of a mention, from {least}")
    return sorted(set(numbers))


def of_mentions(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read the mentions of a document, each by its sentence and its words there, or else by its id."""
    return _document(value[key], place, key, _place_in_sentence)


def _place_in_sentence(value: Mapping[str, Any], place: texts.JsonPlace) -> Mention:
    sentence, ident = value.get("sent_id"), value.get("mention_id")
    numbers = _numbers(value, place, "tokens_number", 0)
    # In WEC-Eng the words are those of a context that is not known to be anywhere in the document
    in_context = "mention_context" in value and "tokens_number_context" not in value
    if type(sentence) is int and sentence >= 0 and not in_context:
        from scorch2.model.markables import Nodes, Word, nodes_name  # JSON without mentions needs none

        return nodes_name(Nodes.of(Word(sentence, number + 1) for number in numbers))
    if type(ident) not in (str, int):
        raise place.error(
            "mention_id", "a mention needs its sent_id or its mention_id, a string or an integer"
        )
    return str(ident)


def of_token_ids(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read the mentions of a document by the words of the whole text, which count from 1."""
    ids = [_numbers(mention, where, "tokens_ids", 1) for mention, where in value[key]]
    notes = notes_of_widened(sum(own[-1] - own[0] >= len(own) for own in ids))
    return _document(value[key], place, key, _span_of_ids)._replace(half_open=True, notes=notes)


def _span_of_ids(value: Mapping[str, Any], place: texts.JsonPlace) -> Mention:
    ids = _numbers(value, place, "tokens_ids", 1)
    return ids[0] - 1, ids[-1]


_LISTED = ("doc_id", "conll_doc_key", "sent_id", "tokens_number", "tokens_number_context", "tokens_ids",
           "mention_type", "mention_full_type", _GOLD, _PREDICTED, _CHAIN)  # fmt: skip
"""The keys of a mention that are read."""
_AS_GOLD = (
    f'chains were read from "{_GOLD}", where programs keep gold: nothing is under "{_PREDICTED}" '
    f"(--sys-key={_GOLD} says that they are the system's)"
)


def _document(
    parts: Sequence[SourcePart],
    place: texts.JsonPlace,
    key: str,
    place_of: Callable[[Mapping[str, Any], texts.JsonPlace], Mention],
) -> Document:
    clusters: dict[str, list[Mention]] = {}
    labels: dict[str, list[Label]] = {}
    unread: Counter[str] = Counter()
    for value, where in parts:
        chain = _chain(value, where, key)
        mention = place_of(value, where)
        clusters.setdefault(chain, []).append(mention)
        kind = value.get("mention_full_type", value.get("mention_type"))
        labels.setdefault(chain, []).append(kind if type(kind) is str else None)
        read = _LISTED if mention != str(value.get("mention_id")) else (*_LISTED, "mention_id")
        unread.update(value_of(other) for other in value if other not in read)
    is_gold = place.keys == SYSTEM_KEYS and key == _GOLD
    return Document(
        place.name, clusters, place.path, file_notes=[_AS_GOLD] if is_gold else [],
        categories=OnDemand(dict, labels), unread=OnDemand(dict, unread),
    )  # fmt: skip


SOURCES = (
    Source(
        "xCoRe", ((_TEXTS,),), (_ACROSS,), of_text, "mentions are [text, first, last] token",
        names_clusters=True, also=("name",), parts=parts_of_xcore, fits=texts.holds_texts,
    ),
    Source(
        "SciCo", ((_TEXTS,), ("relations", *_WITH_SCICO)), (_MENTIONS,), of_text,
        "mentions are [paragraph, first, last, cluster]", names_clusters=True, also=("name",),
        parts=parts_of_scico,
    ),
    Source(
        "a list of mentions (WEC-Eng, uCDCR)", (("doc_id",), ("tokens_number",)), (_GOLD, _PREDICTED),
        of_mentions, "mentions are words of a sentence", names_clusters=True, gather=gather_mentions,
    ),
    Source(
        "a list of mentions (Cattan et al.)", (("doc_id",), ("tokens_ids",)), (_CHAIN,), of_token_ids,
        "mentions are words of a text, from 1", first=1, names_clusters=True, gather=gather_mentions,
    ),
)  # fmt: skip
