"""JSON of NLP tools: spaCy's ``Doc.to_json()``, Stanza's ``Document.to_dict()``, CoreNLP; s2e-coref."""

from collections import defaultdict, deque
from collections.abc import Mapping
from itertools import accumulate
from typing import Any, NamedTuple

from scorch2.formats.json.strict import json_kind, require_list
from scorch2.formats.json.texts import Clusters, JsonPlace, name_of, numbers_of, of_tokens, outside, spans_of
from scorch2.model.document import Document
from scorch2.model.errors import InputError, counted, json_place, quoted

_GROUPS = "coref_clusters_"


def of_spacy(value: Mapping[str, Any], place: JsonPlace, _: str) -> Document:
    """Read the groups of clusters under ``spans``, which a document without any group lacks."""
    text, groups = value["text"], value.get("spans", {})
    if type(text) is not str:
        raise place.error("text", f"should be a string, not {json_kind(text)}")
    if type(groups) is not dict:
        raise place.error("spans", f"should be an object of lists of spans, not {json_kind(groups)}")
    clusters: Clusters = {}
    for name, written in groups.items():
        if name.startswith(_GROUPS):
            inside = json_place("spans", name)
            members = require_list(written, place.path, f"{place.where}.{inside}", "spans")
            placed = ((span, f"{inside}[{i}]") for i, span in enumerate(members))
            clusters[name] = [_span_of_characters(span, len(text), place, where) for span, where in placed]
    name = name_of(value, place, "doc_key", "doc_id", "id", "name")
    return Document(name, clusters, place.path, [len(text)], unit="character", text=text)


def _span_of_characters(written: object, length: int, place: JsonPlace, inside: str) -> tuple[int, int]:
    ends: list[Any] = [written.get("start"), written.get("end")] if type(written) is dict else []
    if list(map(type, ends)) != [int, int]:
        raise place.error(inside, "a mention is an object with the integers start and end")
    start, end = ends
    if not 0 <= start < end <= length:
        raise outside(ends, start, end, length, place.error(inside, ""))
    return start, end


_WRITTEN = "Stanza: mentions are spans of words"
_IDS = ([int], [int, int])  # a word; a multi-word token or an empty node


class _StanzaEntry(NamedTuple):
    """A word, a multi-word token or an empty node of a sentence."""

    ident: list[int]
    text: str
    chains: list[dict[str, Any]]


def is_stanza(value: object) -> bool:
    """Return whether a value is a list of lists, of which the first item is an object with text and id."""
    if type(value) is not list or not all(type(sentence) is list for sentence in value):
        return False
    first = next((sentence[0] for sentence in value if sentence), None)
    return type(first) is dict and "text" in first and "id" in first


def of_stanza(value: list[list[Any]], place: JsonPlace) -> Document:
    """Return the document that a list of sentences holds."""
    sentences: list[list[str]] = []
    clusters: Clusters = {}
    zeros = before = 0
    for i, sentence in enumerate(value):
        entries = [_entry(entry, place, f"[{i}][{j}]") for j, entry in enumerate(sentence)]
        words = [entry for entry in entries if len(entry.ident) == 1]
        zeros += sum(len(entry.chains) for entry in entries if len(entry.ident) > 1)
        _add_mentions(words, before, clusters, place, f"[{i}]")
        sentences.append([word.text for word in words])
        before += len(words)
    document = of_tokens(place.name, sentences, clusters, place)
    note = f"{counted(zeros, 'mention')} at empty nodes left out, which cover no word"
    notes = [note] if zeros else []
    return document._replace(format="jsonlines", written=_WRITTEN, numbered=True, notes=notes)


def _entry(value: object, place: JsonPlace, inside: str) -> _StanzaEntry:
    fields = value if type(value) is dict else {}
    ident = fields.get("id")
    ident = ident if type(ident) is list else [ident]
    text = fields.get("text")
    if type(text) is not str or list(map(type, ident)) not in _IDS:
        raise place.error(inside, "a word is an object with a text, and an id of one or two integers")
    where = f"{place.where}{inside}.coref_chains"
    chains = require_list(fields.get("coref_chains") or [], place.path, where, "chains")
    for k, chain in enumerate(chains):
        if type(chain) is not dict or type(chain.get("index")) is not int:
            raise place.error(f"{inside}.coref_chains[{k}]", "a chain is an object with an index, an integer")
    return _StanzaEntry(ident, text, chains)


def _add_mentions(
    words: list[_StanzaEntry], before: int, clusters: Clusters, place: JsonPlace, inside: str
) -> None:
    """Add the mentions of a sentence that follows `before` words to the clusters."""
    # At each word, a chain lists the mentions that go on in the order in which they began, then the new ones.
    open_in: dict[int, deque[int]] = {}
    for position, word in enumerate(words, before):
        going_on, open_in = open_in, defaultdict(deque)
        for chain in word.chains:
            index = chain["index"]
            members = clusters.setdefault(str(index), [])
            if chain.get("is_start") is True:
                start = position
            elif going_on.get(index):
                start = going_on[index].popleft()
            else:
                why = f"a mention of chain {quoted(index)} goes on at {quoted(word.text)} without a beginning"
                raise place.error(inside, why)
            if chain.get("is_end") is True:
                members.append((start, position + 1))
            else:
                open_in[index].append(start)
        for index, starts in going_on.items():
            if starts:
                where = f"is missing at {quoted(word.text)}, but has not ended"
                raise place.error(inside, f"a mention of chain {quoted(index)} {where}")
    if open_in:
        index = next(iter(open_in))
        raise place.error(inside, f"a mention of chain {quoted(index)} does not end in its sentence")


_PLACES = ("sentNum", "startIndex", "endIndex")


def of_corenlp(value: Mapping[str, Any], place: JsonPlace, key: str) -> Document:
    """Read the chains under `key`."""
    listed = require_list(value["sentences"], place.path, f"{place.where}.sentences", "sentences")
    sentences = [_words_of_sentence(one, place, f"sentences[{i}]") for i, one in enumerate(listed)]
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
            number, start, end = _place_of_mention(mention, sentences, place, f"{inside}[{i}]")
            spans.append((starts[number] + start, starts[number] + end))
    return of_tokens(name_of(value, place, "docId"), sentences, clusters, place)


def _words_of_sentence(sentence: object, place: JsonPlace, inside: str) -> list[str]:
    tokens = sentence.get("tokens") if type(sentence) is dict else None
    if type(tokens) is not list:
        raise place.error(inside, "a sentence is an object with a list of tokens")
    words: list[Any] = [token.get("word") if type(token) is dict else None for token in tokens]
    if not set(map(type, words)) <= {str}:
        bad = next(i for i, word in enumerate(words) if type(word) is not str)
        raise place.error(f"{inside}.tokens[{bad}]", "a token is an object with a word, which is a string")
    return words


def _place_of_mention(
    mention: object, sentences: list[list[str]], place: JsonPlace, inside: str
) -> tuple[int, int, int]:
    """Return the sentence, the first token and the one after the last, counted from 0."""
    numbers: list[Any] = [mention.get(name) for name in _PLACES] if type(mention) is dict else []
    if list(map(type, numbers)) != [int, int, int]:
        raise place.error(inside, f"a mention is an object with the integers {', '.join(_PLACES)}")
    number, start, end = numbers
    if not 1 <= number <= len(sentences):
        why = f"there is no sentence {quoted(number)} of {len(sentences)} (the first is 1)"
        raise place.error(inside, why)
    if not 1 <= start < end <= len(sentences[number - 1]) + 1:
        why = f"the mention from {quoted(start)} to {quoted(end)} does not lie inside sentence {number}"
        raise place.error(inside, f"{why}, which has {counted(len(sentences[number - 1]), 'token')}")
    return number - 1, start - 1, end - 1


_BESIDE = "is s2e-coref's if another object follows, with the word of each sub-token under the same names"


def of_s2e(value: Mapping[str, Any], rest: list[tuple[Any, JsonPlace]], place: JsonPlace) -> list[Document]:
    """Read the clusters of documents by their names, [first, last] sub-token; the words are not there."""
    maps = rest[0][0] if len(rest) == 1 else None
    if type(maps) is not dict or maps.keys() != value.keys():
        why = f"an object from names to clusters {_BESIDE}"
        raise InputError(place.path, place.where, why)
    beside, written = rest[0][1], "s2e-coref: mentions are [first, last] sub-token, mapped to words"
    found = []
    for name in value:
        inside = json_place("", name).removeprefix(".")
        word_of = require_list(maps[name], place.path, f"{beside.where}.{inside}", "integers")
        word_of = numbers_of(word_of, beside, inside, len(word_of), "sub-tokens")
        clusters = {
            cluster: [(word_of[start], word_of[end - 1] + 1) for start, end in members]
            for cluster, members in spans_of(
                {inside: value[name]}, place, inside, len(word_of), last_is_inside=True
            ).items()
        }
        found.append(
            Document(
                name, clusters, place.path, format="jsonlines", written=written, half_open=True, numbered=True
            )
        )
    return found
