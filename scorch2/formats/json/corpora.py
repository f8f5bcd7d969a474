"""JSON of corpora across documents, and of annotation tools.

Across documents: the texts of a topic in one object, or lists of mentions. Each text is a document, called so
that its name tells the topic; a cluster has one name in all documents.

Label Studio, Prodigy, doccano and JSON CAS: mentions are spans of characters. Mentions that relations connect
are a cluster, see `scorch2.formats.fields`; a mention without a relation is a singleton.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from scorch2.formats.fields import Gathered, LinkedMentions, Refuse, notes_of_widened, value_of
from scorch2.formats.json import texts
from scorch2.formats.json.dialects import Source, SourcePart
from scorch2.formats.json.strict import LARGEST, json_kind, require_list
from scorch2.formats.json.texts import JsonPlace
from scorch2.formats.table import SYSTEM_KEYS
from scorch2.model.document import Document, Mention, Span
from scorch2.model.errors import counted, quoted

_ACROSS, _TEXTS, _MENTIONS = "clusters_token_offsets", "tokens", "mentions"
_GOLD, _PREDICTED, _CHAIN = "coref_chain", "predicted_coref_chain", "cluster_id"
_TRIPLE: list[type] = [int] * 3
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
    named = next((value[key] for key in texts.NAMES if key in value), None)
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
    """Yield an object for each text: its name, its sentences and, under `key`, its clusters."""
    # Of `mentions` each has its place, its cluster, and the numbers of its text, its first and its last word
    topic, every = _topic(value, place), _texts(value, place)
    if not every:
        raise place.error(_TEXTS, "holds no text")
    found: list[texts.Clusters] = [{} for _ in every]
    for where, cluster, (text, first, last) in mentions:
        if not 0 <= text < len(every):
            raise place.error(where, f"there is no text {quoted(text)} of {len(every)} (the first is 0)")
        length = sum(map(len, every[text]))
        span = texts.inside([text, first, last], (first, last + 1), length, place, where)
        found[text].setdefault(f"{topic or place.name}:{cluster}", []).append(span)
    others = {other: value[other] for other in value if other not in (_TEXTS, key, *texts.NAMES, *read)}
    for number, (sentences, clusters) in enumerate(zip(every, found, strict=True)):
        name = f"{topic}/{number}" if topic else str(number)
        part = {_TEXTS: sentences, key: clusters, "name": name, **({} if number else others)}
        yield part, place._replace(name=name)


_WITH_XCORE = ("clusters_text_mentions", "clusters_token_text", "clusters_char_offsets", "clusters_char_text")


def parts_of_xcore(value: Mapping[str, Any], place: texts.JsonPlace) -> Iterator[SourcePart]:
    """Yield the texts of an object of xCoRe, whose mentions are [text, first, last] token."""
    what = "three integers: text, first and last token"
    mentions = (
        (where := f"{_ACROSS}[{i}][{j}]", str(i), texts.items(mention, _TRIPLE, place, where, what))
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
            yield where, str(mention[-1]), texts.items(mention[:-1], _TRIPLE, place, where, what)

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
    found = Gathered()
    for value, where in parts:
        chain, mention = _chain(value, where, key), place_of(value, where)
        kind = value.get("mention_full_type", value.get("mention_type"))
        found.add(chain, mention, kind if type(kind) is str else None)
        read = _LISTED if mention != str(value.get("mention_id")) else (*_LISTED, "mention_id")
        found.unread.update(value_of(other) for other in value if other not in read)
    is_gold = place.keys == SYSTEM_KEYS and key == _GOLD
    return found.document(place.name, place.path, file_notes=[_AS_GOLD] if is_gold else [])


_SCENES, _PLACED = "episodes", "character_entities"
_NO_CHARACTERS = "is not there: a transcript alone (give the JSON of Character Identification, which has it)"


def parts_of_characters(value: Mapping[str, Any], place: texts.JsonPlace) -> Iterator[SourcePart]:
    """Yield each scene of the episodes of a season: under its name its utterances."""
    for i, episode in enumerate(_objects(value[_SCENES], place, _SCENES, "episodes")):
        inside = f"{_SCENES}[{i}].scenes"
        for j, scene in enumerate(_objects(episode.get("scenes"), place, inside, "scenes")):
            where = place._replace(where=f"{place.where}.{inside}[{j}]")
            name = texts.name_of(scene, where._replace(name=f"{i + 1}/{j + 1}"), "scene_id")
            yield scene, where._replace(name=name)


def of_characters(scene: Mapping[str, Any], place: texts.JsonPlace, _: str) -> Document:
    """Read [start, end, character, ...] of each sentence of a scene; several characters are a group."""
    # Follows https://github.com/emorynlp/character-identification (commit 2ebe691): ends are exclusive. A
    # group, as *they* of two people, is an entity of its own, which the names of its members name.
    sentences: list[list[str]] = []
    clusters: texts.Clusters = {}
    before = 0
    for i, one in enumerate(_objects(scene.get("utterances"), place, "utterances", "utterances")):
        inside = f"utterances[{i}]"
        every = texts.sentences_of(one.get("tokens"), place, f"{inside}.tokens")
        if one.get(_PLACED) is None:
            raise place.error(f"{inside}.{_PLACED}", _NO_CHARACTERS)
        marked = texts.lists_of(one[_PLACED], place, f"{inside}.{_PLACED}")
        if len(marked) != len(every):
            raise place.error(
                f"{inside}.{_PLACED}", f"should be a list for each of the {len(every)} sentences"
            )
        for j, (words, mentions) in enumerate(zip(every, marked, strict=True)):
            for k, mention in enumerate(mentions):
                where = f"{inside}.{_PLACED}[{j}][{k}]"
                start, end, names = _character(mention, len(words), place, where)
                clusters.setdefault(names, []).append((before + start, before + end))
            sentences.append(words)
            before += len(words)
    return texts.of_tokens(place.name, sentences, clusters, place)


def _character(mention: Any, length: int, place: texts.JsonPlace, where: str) -> tuple[int, int, str]:
    kinds = list(map(type, mention)) if type(mention) is list else []
    if kinds[:3] != [int, int, str] or {*kinds[2:]} != {str}:
        raise place.error(where, "a mention is a list of its start, its end and the names of characters")
    start, end = texts.inside(mention[:2], (mention[0], mention[1]), length, place, where)
    return start, end, " and ".join(sorted(mention[2:]))


CROSSDOC_SOURCES = (
    Source(
        "Character Identification", ((_SCENES,),), (), of_characters,
        "mentions are [start, after the last, character] of a sentence", exclusive=True, names_clusters=True,
        also=("season_id", "scene_id", "utterances"), parts=parts_of_characters,
    ),
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


_TOOL_NAMES = ("doc_key", "doc_id", "document_id", "name", "id")


def _objects(value: object, place: JsonPlace, key: str, what: str) -> list[dict[str, Any]]:
    found = require_list(value, place.path, f"{place.where}.{key}", what)
    for i, one in enumerate(found):
        if type(one) is not dict:
            raise place.error(f"{key}[{i}]", f"should be an object, not {json_kind(one)}")
    return found


def _word(value: object) -> str:
    """Return a label, or nothing for what is none."""
    return value if type(value) is str else ""


def _named(place: JsonPlace, *objects: Mapping[str, Any]) -> str:
    """Return the name of a document, which an object has under one of the usual keys, or its number."""
    for one in objects:
        for key in _TOOL_NAMES:
            if type(one.get(key)) in (str, int):
                return str(one[key])
    return place.name


def _span(value: Mapping[str, Any], keys: tuple[str, str], refuse: Refuse) -> Span:
    """Return the first character of a mention, and the one after the last."""
    ends: list[Any] = [value.get(key) for key in keys]
    if list(map(type, ends)) != [int, int]:
        raise refuse(f"a mention has the integers {keys[0]} and {keys[1]}")
    return ends[0], ends[1]


def of_doccano(value: Mapping[str, Any], place: JsonPlace, _: str) -> Document:
    """Read ``entities``, with ``start_offset`` and ``end_offset``, and ``relations`` between their ids."""
    found = LinkedMentions(texts.text_of(value["text"], place, "text"))
    for i, one in enumerate(_objects(value["entities"], place, "entities", "entities")):
        refuse = partial(place.error, f"entities[{i}]")
        span = _span(one, ("start_offset", "end_offset"), refuse)
        found.add(_ident(one, "id", refuse), span, refuse, kind=_word(one.get("label")))
    for i, one in enumerate(_objects(value["relations"], place, "relations", "relations")):
        refuse = partial(place.error, f"relations[{i}]")
        ends = _ident(one, "from_id", refuse), _ident(one, "to_id", refuse)
        found.link(ends, refuse, _word(one.get("type")))
    return found.document(_named(place, value), place.path, "")


def _ident(value: Mapping[str, Any], key: str, refuse: Refuse) -> str | int:
    ident = value.get(key)
    if type(ident) is int or (type(ident) is str and ident):
        return ident
    raise refuse(f"its {key} should be an integer or a string")


_ACCEPTED = (None, "accept")
_ENDS = ("start", "end")


def of_prodigy(value: Mapping[str, Any], place: JsonPlace, _: str) -> Document:
    """Read ``spans``, and ``relations`` from a ``head_span`` to a ``child_span``."""
    if value.get("answer") not in _ACCEPTED:
        how = "leave out what was not accepted: prodigy db-out <dataset> --answer accept"
        raise place.error("answer", f"is {quoted(value['answer'])}, so these are no annotations ({how})")
    found = LinkedMentions(texts.text_of(value["text"], place, "text"))

    def add(one: object, inside: str) -> str:
        refuse = partial(place.error, inside)
        span = _span(_object(one), _ENDS, refuse)
        ident = f"{span[0]}-{span[1]}"
        if not found.has(ident):
            found.add(ident, span, refuse, kind=_word(_object(one).get("label")))
        return ident

    for i, one in enumerate(_objects(value.get("spans", []), place, "spans", "spans")):
        add(one, f"spans[{i}]")
    for i, one in enumerate(_objects(value["relations"], place, "relations", "relations")):
        inside = f"relations[{i}]"
        ends = [add(one.get(key), f"{inside}.{key}") for key in ("head_span", "child_span")]
        found.link(ends, partial(place.error, inside), _word(one.get("label")))
    return found.document(_named(place, _object(value.get("meta")), value), place.path, "")


def _object(value: object) -> Mapping[str, Any]:
    return value if type(value) is dict else {}


def of_label_studio(value: Mapping[str, Any], place: JsonPlace, key: str) -> Document:
    """Read the result of the only annotation of a task: regions of its text, and relations between them."""
    data = _object(value["data"])
    text, name = _text_of_task(data, place), _named(place, data, value)
    made = _objects(value[key], place, key, "annotations")
    kept = [i for i, one in enumerate(made) if one.get("was_cancelled") is not True]
    if len(kept) != 1:
        by = ", ".join(str(made[i].get("completed_by", made[i].get("model_version", "?"))) for i in kept)
        why = f"the task has {counted(len(kept), 'annotation')}{f' (by {by})' if by else ''}, and one is read"
        how = "keep one" if kept else "leave the task out, or let --key read its predictions"
        raise place.error(key, f"{why} ({how})")
    inside = f"{key}[{kept[0]}].result"
    found = LinkedMentions(text)
    others = [name for name, one in data.items() if one is not text and name not in _TOOL_NAMES]
    found.unread.update(map(value_of, [*others, *made[kept[0]].keys() - _OF_ANNOTATION]))
    for i, one in enumerate(_objects(made[kept[0]].get("result", []), place, inside, "regions")):
        _take_region(one, found, place, f"{inside}[{i}]")
    return found.document(name, place.path, "")


_OF_ANNOTATION = {"result", "was_cancelled", "completed_by", "model_version", "id"}


def _text_of_task(data: Mapping[str, Any], place: JsonPlace) -> str:
    """Return the text of a task: what is called so, or its only string."""
    strings = [key for key, one in data.items() if type(one) is str and key not in _TOOL_NAMES]
    key = "text" if "text" in strings or len(strings) != 1 else strings[0]
    if key not in strings:
        raise place.error("data", "should be an object with the text of the task, under text")
    return str(data[key])


def _take_region(one: Mapping[str, Any], found: LinkedMentions, place: JsonPlace, inside: str) -> None:
    refuse = partial(place.error, inside)
    kind = one.get("type")
    if kind == "relation":
        names = require_list(one.get("labels") or [], place.path, f"{place.where}.{inside}.labels", "labels")
        ends = _ident(one, "from_id", refuse), _ident(one, "to_id", refuse)
        found.link(ends, refuse, _word(names[0]) if names else "")
        return
    region = _object(one.get("value"))
    if "start" not in region or kind not in ("labels", "hypertextlabels"):
        found.unread[value_of(str(kind))] += 1
        return
    ident = _ident(one, "id", refuse)
    if type(region["start"]) is str:
        raise refuse("is a region of HTML, whose characters are not counted (label a <Text> instead)")
    labels = region.get(str(kind))
    labels = labels if type(labels) is list and labels else [""]
    found.unread["further label"] += len(labels) - 1
    span = _span(region, _ENDS, partial(place.error, f"{inside}.value"))
    found.add(ident, span, refuse, kind=_word(labels[0]), said=_word(region.get("text")))


def of_cas(value: Mapping[str, Any], place: JsonPlace, key: str) -> Document:
    """Read the feature structures of a JSON CAS."""
    from scorch2.formats.xml.standoff import FeatureStructure, document_of_cas

    found = []
    for i, one in enumerate(_objects(value[key], place, key, "feature structures")):
        refuse = partial(place.error, f"{key}[{i}]")
        if type(one.get("%TYPE")) is not str:
            raise refuse("a feature structure has a %TYPE")
        features = {name.removeprefix("@"): feature for name, feature in one.items()}
        ident, kind = str(_ident(one, "%ID", refuse)), one["%TYPE"].rpartition(".")[2]
        found.append(FeatureStructure(ident, kind, features, refuse))
    return document_of_cas(found, place.name, place.path, "")


_OFFSETS = "mentions are the first character and the one after the last"
ANNOTATORS_SOURCES: Sequence[Source] = (
    Source(
        "Label Studio", (("data",),), ("annotations", "predictions"), of_label_studio, _OFFSETS,
        exclusive=True, also=_TOOL_NAMES,
    ),
    Source(
        "Prodigy", (("text",), ("relations",), ("spans", "tokens", "_task_hash")), (), of_prodigy, _OFFSETS,
        exclusive=True, without=("entities",), also=("meta", "answer", *_TOOL_NAMES),
    ),
    Source(
        "doccano", (("text",), ("entities",), ("relations",)), (), of_doccano, _OFFSETS, exclusive=True,
        also=_TOOL_NAMES,
    ),
    Source(
        "JSON CAS", (("%TYPES", "%VIEWS"),), ("%FEATURE_STRUCTURES",), of_cas,
        "mentions are annotations of UIMA",
    ),
)  # fmt: skip
"""One row per tool."""
