"""The JSON of neural coreference systems: one document per line, or a list of documents.

`SOURCES` is the table of what is read: the keys of an object tell which system wrote it. Tokens and
characters count from 0. A document without a name is called by its number, from 1.

JSON of the CRAC 2026 task follows https://github.com/ondfa/text2text-coref (commit 56d67ec): a list of
objects with tokens, of which those that begin with ``##`` are empty nodes; spans from the first to the last
token; ``null`` for the clusters of a text that is given without.
"""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import accumulate, chain, groupby
from operator import itemgetter
from typing import Any, NamedTuple, cast

from scorch2.formats.fields import value_of, without_discontinuous
from scorch2.formats.json import texts
from scorch2.formats.json.dialects import CLUSTERS, Source, SourcePart, is_lists
from scorch2.formats.json.strict import json_kind, require_list
from scorch2.formats.json.texts import of_corenlp, of_spacy
from scorch2.model.document import Document, OnDemand, spans
from scorch2.model.errors import InputError, counted, quoted

_SPECIAL = {"[CLS]", "[SEP]", "<s>", "</s>"}
"""What a segment may begin and end with; it is no part of any word."""


class _Borders(NamedTuple):
    """The sub-tokens that begin and end words."""

    first: Mapping[int, int]  # by word; words without sub-tokens are absent
    last: Mapping[int, int]


def of_subtokens(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [first, last] sub-token as spans of words."""
    segments = texts.sentences_of(value["sentences"], place, "sentences")
    subtokens = [subtoken for segment in segments for subtoken in segment]
    word_of = texts.numbers_of(value["subtoken_map"], place, "subtoken_map", len(subtokens), "sub-tokens")
    borders = _borders(segments, word_of)
    words = _words(value, subtokens, word_of, borders, place)
    sentences = _sentences(value, words, borders, subtokens, place)
    clusters: texts.Clusters = {}
    widened = 0
    for cluster, members in texts.spans_of(value, place, key, len(subtokens), last_is_inside=True).items():
        clusters[cluster] = [(word_of[start], word_of[end - 1] + 1) for start, end in members]
        widened += sum(
            borders.first.get(word_of[start]) != start or borders.last.get(word_of[end - 1]) != end - 1
            for start, end in members
        )
    name = texts.name_of(value, place, "doc_key", "doc_id")
    document = texts.of_tokens(name, sentences, clusters, place, flat="sentence_map" not in value)
    written = "e2e: mentions are [first, last] sub-token, mapped to words"
    note = f"{counted(widened, 'mention')} with an end inside a word widened to whole words"
    return document._replace(written=written, notes=[note] if widened else [], subtokens=word_of)


def _borders(segments: Sequence[Sequence[str]], word_of: Sequence[int]) -> _Borders:
    first: dict[int, int] = {}
    last: dict[int, int] = {}
    position = 0
    for segment in segments:
        for i, subtoken in enumerate(segment, position):
            at_border = i in (position, position + len(segment) - 1)
            if not (at_border and subtoken in _SPECIAL):
                first.setdefault(word_of[i], i)
                last[word_of[i]] = i
        position += len(segment)
    return _Borders(first, last)


def _words(
    value: Mapping[str, Any],
    subtokens: Sequence[str],
    word_of: Sequence[int],
    borders: _Borders,
    place: texts.JsonPlace,
) -> list[str]:
    """Return the words: ``tokens`` if they are there, else put together from sub-tokens of BERT."""
    number = word_of[-1] + 1 if word_of else 0
    if "tokens" in value:
        words = texts.words_of(value["tokens"], place, "tokens")
        if number > len(words):
            why = f"{quoted(number - 1)} is not a word of tokens, which hold {len(words)}"
            raise place.error(f"subtoken_map[{len(word_of) - 1}]", why)
        return words
    if number > len(subtokens):
        why = f"there are {quoted(number)} words, but only {len(subtokens)} sub-tokens"
        raise place.error("subtoken_map", why)
    words = []
    for word in range(number):
        start, end = borders.first.get(word, 0), borders.last.get(word, -1)
        words.append("".join(subtoken.removeprefix("##") for subtoken in subtokens[start : end + 1]))
    return words


def _sentences(
    value: Mapping[str, Any],
    words: Sequence[str],
    borders: _Borders,
    subtokens: Sequence[str],
    place: texts.JsonPlace,
) -> list[list[str]]:
    """Return the words by sentence: that of their first sub-token; a word without any stays with the last."""
    if "sentence_map" not in value:
        return [list(words)]
    said = place, "sentence_map", len(subtokens), "sub-tokens"
    try:
        sentence_of = texts.numbers_of(value["sentence_map"], *said)
    except InputError:
        sentence_of = texts.numbers_of(_of_words(value["sentence_map"], subtokens), *said)
    numbers: list[int] = []
    for word in range(len(words)):
        start = borders.first.get(word)
        numbers.append(sentence_of[start] if start is not None else numbers[-1] if numbers else 0)
    return [[words[word] for word in group] for _, group in groupby(range(len(words)), numbers.__getitem__)]


def _of_words(numbers: object, subtokens: Sequence[str]) -> object:
    """Return a number for each sub-token: for [SEP] and its like, which are no words, the one before it."""
    if type(numbers) is not list or len(numbers) != len(subtokens):
        return numbers
    before: Any = 0
    return [before := before if at in _SPECIAL else own for at, own in zip(subtokens, numbers, strict=True)]


def of_wl_coref(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read ``span_clusters``, [first, after the last] token, or ``word_clusters``, single tokens."""
    name = texts.name_of(value, place, "document_id")
    part = value.get("part_id", "")
    if type(part) not in (int, str):
        raise place.error("part_id", f"should be an integer or a string, not {json_kind(part)}")
    name = f"{name}-{part:0>3}" if part != "" else name
    words = texts.words_of(value["cased_words"], place, "cased_words")
    numbers = require_list(value.get("sent_id", []), place.path, f"{place.where}.sent_id", "sentence ids")
    if "sent_id" in value and (len(numbers) != len(words) or not set(map(type, numbers)) <= {int, str}):
        raise place.error("sent_id", "should be an integer or a string for each of cased_words")
    pairs = groupby(zip(numbers, words, strict=False), key=itemgetter(0))
    sentences = [[word for _, word in pair] for _, pair in pairs] if numbers else [words]
    flat = "sent_id" not in value
    if key != "word_clusters":
        clusters = texts.spans_of(value, place, key, len(words), last_is_inside=False)
        return texts.of_tokens(name, sentences, clusters, place, flat=flat)
    document = texts.of_tokens(name, sentences, _heads(value[key], place, key, len(words)), place, flat=flat)
    note = "mentions are single tokens (word_clusters): none can match a mention of several"
    return document._replace(written="wl-coref: mentions are single tokens", notes=[note])


def _heads(value: object, place: texts.JsonPlace, key: str, length: int) -> texts.Clusters:
    clusters: texts.Clusters = {}
    for i, written in enumerate(texts.lists_of(value, place, key)):
        spans = clusters[str(i)] = []
        for j, token in enumerate(written):
            where = f"{key}[{i}][{j}]"
            if type(token) is not int:
                raise place.error(where, f"a mention is an integer, not {json_kind(token)}")
            spans.append(texts.inside(token, (token, token + 1), length, place, where))
    return clusters


_TRIPLE: list[type] = [int, int, int]


def of_e2e(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [first, last] token, or sub-token where a ``subtoken_map`` says to which words they belong."""
    if "subtoken_map" in value:
        return of_subtokens(value, place, key)
    name = texts.name_of(value, place, "doc_key", "doc_id")
    sentences = texts.sentences_of(value["sentences"], place, "sentences")
    length = sum(map(len, sentences))
    if "tokens" in value and len(texts.words_of(value["tokens"], place, "tokens")) != length:
        number = counted(len(value["tokens"]), "word")
        raise place.error("tokens", f"holds {number}, but sentences hold {length}: a subtoken_map is missing")
    return texts.of_tokens(
        name, sentences, texts.spans_of(value, place, key, length, last_is_inside=True), place
    )


def of_e2e_without_words(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [first, last] token of a text that is not there."""
    name = texts.name_of(value, place, "doc_key", "doc_id")
    clusters = texts.spans_of(value, place, key, None, last_is_inside=True)
    return Document(name, clusters, place.path, half_open=True)


def of_lingmess(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [first, last] token of ``tokens``, which are words or sentences of words."""
    name = texts.name_of(value, place, *texts.NAMES)
    written = value["tokens"]
    flat = not (type(written) is list and written and type(written[0]) is list)
    sentences = (
        [texts.words_of(written, place, "tokens")] if flat else texts.sentences_of(written, place, "tokens")
    )
    length = sum(map(len, sentences))
    if key in CLUSTERS and _begins_with_text(value[key]):  # Maverick writes no texts under its own key
        plain = {key: _without_texts(texts.lists_of(value[key], place, key), place, key)}
        clusters = texts.spans_of(plain, place, key, length, last_is_inside=False)
        document = texts.of_tokens(name, sentences, clusters, place, flat=flat)
        written = "HanLP: mentions are [text, first, after the last] token"
        return document._replace(written=written, exclusive=True)
    clusters = texts.spans_of(value, place, key, length, last_is_inside=True)
    return texts.of_tokens(name, sentences, clusters, place, flat=flat)


def _begins_with_text(clusters: object) -> bool:
    """Return whether the first mention is like those of HanLP: its text, and two integers."""
    first = next(chain.from_iterable(cast("list[list[Any]]", clusters) if is_lists(clusters) else ()), None)
    return type(first) is list and list(map(type, first)) == _HANLP_MENTION


_HANLP_MENTION: list[type] = [str, int, int]


def _without_texts(clusters: list[list[Any]], place: texts.JsonPlace, key: str) -> list[list[Any]]:
    for i, members in enumerate(clusters):
        for j, mention in enumerate(members):
            texts.items(mention, _HANLP_MENTION, place, f"{key}[{i}][{j}]", "a text and two integers")
    return [[mention[1:] for mention in members] for members in clusters]


def of_neuralcoref(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read the mentions of the server, which stand in the order of the clusters; it leaves out the text."""
    listed = require_list(value["mentions"], place.path, f"{place.where}.mentions", "mentions")
    rest = iter(enumerate(listed))
    clusters: texts.Clusters = {}
    for i, members in enumerate(texts.lists_of(value[key], place, key)):
        spans = clusters[str(i)] = []
        for j, text in enumerate(members):
            number, mention = next(rest, (len(listed), None))
            said: list[Any] = (
                [mention.get(name) for name in ("start", "end", "text")] if type(mention) is dict else []
            )
            if list(map(type, said)) != [int, int, str]:
                raise place.error(f"mentions[{number}]", "a mention is an object with start, end and text")
            start, end, there = said
            if text != there:
                why = f"{quoted(text)} should be the text of mention {number}, {quoted(there)}"
                raise place.error(f"{key}[{i}][{j}]", why)
            spans.append(texts.inside([start, end], (start, end), None, place, f"mentions[{number}]"))
    if len(listed) > sum(map(len, clusters.values())):
        raise place.error("mentions", "there are more mentions than the clusters have")
    name = texts.name_of(value, place, *texts.NAMES)
    return Document(name, clusters, place.path, unit="character", half_open=True)


def of_allennlp(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [first, last] token of ``document``."""
    words = texts.words_of(value["document"], place, "document")
    clusters = texts.spans_of(value, place, key, len(words), last_is_inside=True)
    return texts.of_tokens(texts.name_of(value, place, *texts.NAMES), [words], clusters, place, flat=True)


def of_fastcoref(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [first, after the last] character of ``text``, or word where the text is a list of words."""
    name = texts.name_of(value, place, *texts.NAMES)
    text = value["text"]
    if type(text) is list:
        words = texts.words_of(text, place, "text")
        clusters = texts.spans_of(value, place, key, len(words), last_is_inside=False)
        document = texts.of_tokens(name, [words], clusters, place, flat=True)
        return document._replace(written="fastcoref: mentions are [first, after the last] word")
    if type(text) is not str:
        raise place.error("text", "should be a string or a list of words")
    clusters = texts.spans_of(value, place, key, len(text), last_is_inside=False)
    return Document(name, clusters, place.path, [len(text)], unit="character", text=text)


_ELIT_NAMES = ("doc_id", "doc_key", "id", "name")


def of_elit(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [sentence, first, after the last] token of ``sens``."""
    listed = require_list(value["sens"], place.path, f"{place.where}.sens", "sentences")
    sentences = [
        texts.words_of(one["tok"] if type(one) is dict and "tok" in one else None, place, f"sens[{i}].tok")
        for i, one in enumerate(listed)
    ]
    document = _in_sentences(texts.name_of(value, place, *_ELIT_NAMES), sentences, value, place, key)
    return document._replace(unread=OnDemand(_other_values, listed, {"tok", "sid"}))


def of_preco(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [sentence, first, after the last] token; sentences and tokens count from 0."""
    sentences = texts.sentences_of(value["sentences"], place, "sentences")
    return _in_sentences(texts.name_of(value, place, *texts.NAMES), sentences, value, place, key)


def _in_sentences(
    name: str, sentences: list[list[str]], value: Mapping[str, Any], place: texts.JsonPlace, key: str
) -> Document:
    starts = [0, *accumulate(map(len, sentences))]
    clusters: texts.Clusters = {}
    for i, written in enumerate(texts.lists_of(value[key], place, key)):
        spans = clusters[str(i)] = []
        for j, mention in enumerate(written):
            where, what = f"{key}[{i}][{j}]", "three integers: sentence, start, end"
            number, start, end = texts.items(mention, _TRIPLE, place, where, what)
            if not 0 <= number < len(sentences):
                why = f"there is no sentence {quoted(number)} of {len(sentences)} (the first is 0)"
                raise place.error(where, why)
            texts.inside(mention, (start, end), len(sentences[number]), place, where)
            spans.append((starts[number] + start, starts[number] + end))
    return texts.of_tokens(name, sentences, clusters, place)


def parts_of_ontonotes(value: Mapping[str, Any], place: texts.JsonPlace) -> Iterator[SourcePart]:
    """Yield each part of a document of ``conll2012_ontonotesv5`` as its sentences, by their numbers."""
    name = texts.name_of(value, place, "document_id")
    listed = require_list(value["sentences"], place.path, f"{place.where}.sentences", "sentences")
    parts: dict[str, dict[int, Mapping[str, Any]]] = {}
    for i, one in enumerate(listed):
        if type(one) is not dict or not {"words", "coref_spans"} <= one.keys():
            why = "a sentence is an object with words and coref_spans, as to_json() of datasets writes it"
            raise place.error(f"sentences[{i}]", why)
        part = one.get("part_id", "")
        if type(part) not in (int, str):
            raise place.error(f"sentences[{i}].part_id", f"should be an integer, not {json_kind(part)}")
        parts.setdefault(f"{name}-{part:0>3}" if part != "" else name, {})[i] = one
    for called, sentences in (parts or {name: {}}).items():
        yield {"document_id": called, "sentences": sentences}, place._replace(name=called)


def of_ontonotes(value: Mapping[str, Any], place: texts.JsonPlace, _: str) -> Document:
    """Read [cluster, first, last] token of each sentence of a part."""
    sentences: list[list[str]] = []
    clusters: texts.Clusters = {}
    before = 0
    for i, one in value["sentences"].items():
        inside = f"sentences[{i}].coref_spans"
        words = texts.words_of(one["words"], place, f"sentences[{i}].words")
        spans = require_list(one["coref_spans"], place.path, f"{place.where}.{inside}", "spans")
        for j, span in enumerate(spans):
            where, what = f"{inside}[{j}]", "three integers: cluster, first, last"
            cluster, start, last = texts.items(span, _TRIPLE, place, where, what)
            texts.inside(span, (start, last + 1), len(words), place, where)
            clusters.setdefault(str(cluster), []).append((before + start, before + last + 1))
        sentences.append(words)
        before += len(words)
    unread = OnDemand(_other_values, tuple(value["sentences"].values()), {"words", "coref_spans", "part_id"})
    return texts.of_tokens(place.name, sentences, clusters, place)._replace(unread=unread)


def _other_values(objects: Sequence[Mapping[str, Any]], known: Collection[str]) -> Mapping[str, int]:
    """Return how many values the objects of sentences have that are not read."""
    return Counter(value_of(key) for one in objects for key in one if key not in known)


def write(document: Document) -> str:
    """Return a document with words as one line of doc_key, sentences and clusters of [first, last] tokens."""
    sentences = document.worded_sentences()
    if sentences is None:
        raise InputError(document.path, "", f"{quoted(document.id)} has no tokens, which jsonlines must hold")
    members = map(spans, document.clusters.values())
    clusters = [[[start, end - 1] for start, end in cluster] for cluster in members]
    value = {"doc_key": document.id, "sentences": sentences, "clusters": clusters}
    return json.dumps(value, ensure_ascii=False) + "\n"


fitting = without_discontinuous
_INSIDE = "mentions are [first, last] token"
_AFTER = "mentions are [first, after the last]"
_NAMED = ("doc_key", "doc_id")
_INPUT = ("speakers", "constituents", "ner", "pronouns", "sentence_map", "subtoken_map")
SOURCES = (
    Source(
        "e2e", (_NAMED, ("sentences",)), CLUSTERS, of_e2e, _INSIDE, of_input=_INPUT,
        also=("subtoken_map", "sentence_map", "tokens"),
    ),
    Source(
        "e2e without sentences", (_NAMED,), CLUSTERS, of_e2e_without_words, _INSIDE,
        without=("sentences", "tokens", "text", "document"), of_input=_INPUT,
    ),
    Source(
        "wl-coref", (("document_id",), ("cased_words",)), ("span_clusters", "word_clusters"),
        of_wl_coref, f"{_AFTER} token", exclusive=True, also=("part_id", "sent_id"),
    ),
    Source(
        "LingMess", (("tokens",),), CLUSTERS, of_lingmess, _INSIDE, without=("sentences",), also=texts.NAMES,
    ),
    Source(
        "fastcoref", (("text",),), CLUSTERS, of_fastcoref, f"{_AFTER} character",
        exclusive=True, without=("tokens",), also=texts.NAMES,
    ),
    Source(
        "Maverick", (("tokens",),), ("clusters_token_offsets",), of_lingmess, _INSIDE,
        without=("clusters_text_mentions",), also=texts.NAMES, fits=texts.holds_one_text,
    ),
    Source("AllenNLP", (("document",),), CLUSTERS, of_allennlp, _INSIDE, also=texts.NAMES),
    Source(
        "PreCo", (("sentences",),), ("mention_clusters",), of_preco,
        "mentions are [sentence, first, after the last] token", exclusive=True, also=texts.NAMES,
    ),
    Source(
        "neuralcoref", (("mentions",), ("resolved",)), ("clusters",), of_neuralcoref,
        "mentions are the first character and the one after the last", exclusive=True, also=texts.NAMES,
    ),
    Source(
        "ELIT", (("sens",),), ("coref",), of_elit, "mentions are [sentence, first, after the last] token",
        exclusive=True, also=_ELIT_NAMES,
    ),
    Source(
        "conll2012_ontonotesv5", (("document_id",), ("sentences",)), (), of_ontonotes,
        "mentions are [cluster, first, last] token of a sentence", without=CLUSTERS, parts=parts_of_ontonotes,
    ),
    Source(
        "spaCy", (("text",), ("tokens",), ("spans", "sents", "ents")), (), of_spacy,
        "mentions are the first character and the one after the last", exclusive=True,
        without=("relations", "_task_hash"), also=texts.NAMES,
    ),
    Source(
        "CoreNLP", (("sentences",),), ("corefs",), of_corenlp,
        "mentions are a sentence, the first token and the one after the last, from 1",
        exclusive=True, first=1, also=("docId",),
    ),
)  # fmt: skip
"""One row per program, or family of programs, that writes JSON objects."""


_CRAC_NAMES = ("doc_id", "doc_key")
_SPANS, _TEXTS = "clusters_token_offsets", "clusters_text_mentions"


def of_crac(value: Mapping[str, Any], place: texts.JsonPlace, key: str) -> Document:
    """Read [first, last] token; an empty node counts as one."""
    from scorch2.formats.marked.shared import Annotator, MarkedText

    tokens = texts.words_of(value["tokens"], place, "tokens")
    is_blind = value[key] is None
    clusters = {} if is_blind else texts.spans_of(value, place, key, len(tokens), last_is_inside=True)
    name = texts.name_of(value, place, *_CRAC_NAMES)
    source = MarkedText(name, "", place.path, 1, f"{place.where}.tokens")
    found = Annotator(source, "crac", lambda _: place.where)
    for token in tokens:
        if token.startswith("##"):
            found.add_empty(token[2:])
        else:
            found.add_words([token])
    for cluster, members in clusters.items():
        for start, end in members:
            found.add_mention(cluster, start, end - 1, 0)
    return found.document()._replace(flat=True)


def crac_write_file(documents: Sequence[Document]) -> str:
    """Return documents as a list of objects, one a line."""
    return "".join(["[\n", ",\n".join(map(_as_crac, documents)), "\n]\n"])


def _as_crac(document: Document) -> str:
    from scorch2.formats.marked.plaintext import brackets, tokens_of

    tokens = tokens_of(document, "the JSON of CRAC")
    spans: dict[str, list[list[int]]] = {name: [] for name, members in document.clusters.items() if members}
    for cluster, first, last in brackets(document, "the JSON of CRAC"):
        spans[cluster].append([first, last])
    mentions = [[" ".join(tokens[first : last + 1]) for first, last in members] for members in spans.values()]
    is_blind = not spans
    value = {
        "doc_id": document.id,
        "tokens": tokens,
        _SPANS: None if is_blind else list(spans.values()),
        _TEXTS: None if is_blind else mentions,
    }
    return json.dumps(value, ensure_ascii=False)


def crac_fitting(document: Document) -> Document:
    """Return a document with discontinuous mentions as the piece that holds their head."""
    from scorch2.formats.marked.plaintext import in_pieces

    return in_pieces(document)


CRAC_SOURCES = (
    Source(
        "CRAC 2026", (("tokens",), (_TEXTS,)), (_SPANS,), of_crac, _INSIDE, also=_CRAC_NAMES,
        fits=texts.holds_one_text,
    ),
)  # fmt: skip
