"""JSON of programs: words and spans of texts, and the forms of spaCy, Stanza, CoreNLP and s2e-coref.

The text of a document, and spans in it: words, sentences, ``offsets`` and ``unit``; what
spaCy's ``Doc.to_json()`` and Stanza's ``Document.to_dict()`` give.
"""

import re
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from itertools import accumulate
from itertools import chain as chained
from typing import Any, NamedTuple

from scorch2.formats.fields import UNITS, token_at
from scorch2.formats.json.strict import LARGEST, json_kind, require_list
from scorch2.formats.table import ClusterKeys
from scorch2.model.document import Document, Mention, Span, Words, spans
from scorch2.model.errors import InputError, counted, json_place, quoted

NAMES = ("doc_key", "doc_id", "document_id", "id", "name")
"""The keys under which programs name a document, the first that is there."""
ENDS = {"exclusive": 0, "inclusive": 1}
"""The values of ``offsets``, with the number that makes an end half-open when it is added."""
_SPAN = 2  # integers of a span: start and end


class Offsets(NamedTuple):
    """The meaning of the spans of a file."""

    shift: int  # added to an end, it gives the half-open end
    unit: str  # a value of `Document.unit`; empty if the file does not say

    @property
    def exclusive(self) -> bool:
        """True if the file writes ends as what follows the span."""
        return self.shift == 0


def offsets_of(value: Mapping[str, Any], path: str) -> Offsets:
    """Return what an object says about its spans."""
    ends, unit = value.get("offsets"), value.get("unit")
    if type(ends) is not str or ends not in ENDS:
        why = f"should say what the ends of spans are: one of {', '.join(ENDS)}"
        raise InputError(path, "$.offsets", why)
    if unit is not None and (type(unit) is not str or unit not in UNITS):
        raise InputError(path, "$.unit", f"should say what spans count: one of {', '.join(UNITS)}")
    return Offsets(ENDS[ends], "" if unit is None else UNITS[unit])


def as_spans(mentions: Sequence[Mention], offsets: Offsets, path: str, where: str) -> list[Mention]:
    """Return mentions with every list as the half-open span that it means."""
    meant: list[Mention] = []
    for i, mention in enumerate(mentions):
        if not isinstance(mention, tuple):
            meant.append(mention)
            continue
        if len(mention) != _SPAN or mention[0] < 0:
            why = f"a span is a list of two offsets, the start and the end, not {quoted(mention)}"
            raise InputError(path, f"{where}[{i}]", why)
        start, end = mention[0], mention[1] + offsets.shift
        if start >= end:
            why = f"the span {quoted(mention)} holds nothing: it ends before it begins"
            raise InputError(path, f"{where}[{i}]", why)
        meant.append((start, end))
    return meant


def written_offsets(document: Document) -> dict[str, str]:
    """Return the keys that say what lists mean; none if a document is written without lists."""
    if document.has_tokens or not document.has_spans or not document.has_mentions:
        return {}
    unit = {unit: name for name, unit in UNITS.items()}.get(document.unit)
    return {"offsets": "exclusive", **({"unit": unit} if unit else {})}


Clusters = dict[str, list[tuple[int, int]]]


class JsonPlace(NamedTuple):
    """The place of a document, for messages, and what is asked of it."""

    path: str
    where: str  # ``line 3: $``, ``$[2]`` or ``$``
    name: str  # the name of a document that does not say its own
    keys: ClusterKeys = ()

    def error(self, key: str, why: str) -> InputError:
        """Return an error about the value of `key`, or about all that is there."""
        return InputError(self.path, f"{self.where}{key if key[:1] in ('[', '') else f'.{key}'}", why)

    def inside(self, key: str) -> "JsonPlace":
        """Return the place of a key."""
        return self._replace(where=json_place(self.where, key))


def name_of(value: Mapping[str, Any], place: JsonPlace, *keys: str) -> str:
    """Return the name of a document, which stands under one of `keys`, or that of its place."""
    for key in keys:
        if key in value:
            return text_of(value[key], place, key)
    return place.name


def text_of(value: object, place: JsonPlace, key: str) -> str:
    """Return a string."""
    if type(value) is not str:
        raise place.error(key, f"should be a string, not {json_kind(value)}")
    return value


def sentences_of(value: object, place: JsonPlace, key: str) -> list[list[str]]:
    """Return a list of lists of words."""
    sentences = require_list(value, place.path, f"{place.where}.{key}", "sentences")
    return [words_of(words, place, f"{key}[{i}]") for i, words in enumerate(sentences)]


def words_of(value: object, place: JsonPlace, key: str) -> list[str]:
    """Return a list of words."""
    words = require_list(value, place.path, f"{place.where}.{key}", "words")
    if set(map(type, words)) <= {str}:
        return words
    bad = next(i for i, word in enumerate(words) if type(word) is not str)
    raise place.error(f"{key}[{bad}]", f"a word is a string, not {json_kind(words[bad])}")


def numbers_of(value: object, place: JsonPlace, key: str, length: int, of: str) -> list[int]:
    """Return a list of `length` integers that are not negative and never decrease."""
    numbers = require_list(value, place.path, f"{place.where}.{key}", "integers")
    if len(numbers) != length or not set(map(type, numbers)) <= {int}:
        raise place.error(key, f"should be an integer for each of the {length} {of}")
    before = 0
    for i, number in enumerate(numbers):
        if number < before:
            why = f"{quoted(number)} should not be less than {quoted(before)} before it"
            raise place.error(f"{key}[{i}]", why)
        before = number
    return numbers


def lists_of(value: object, place: JsonPlace, key: str) -> list[list[Any]]:
    """Return a list of clusters, each a list of mentions of any kind."""
    where = f"{place.where}.{key}"
    clusters = require_list(value, place.path, where, "clusters")
    return [require_list(one, place.path, f"{where}[{i}]", "mentions") for i, one in enumerate(clusters)]


def spans_of(
    value: Mapping[str, Any], place: JsonPlace, key: str, length: int | None, *, last_is_inside: bool
) -> Clusters:
    """Return the clusters under `key` as half-open spans in a text of `length` units, if that is known."""
    clusters = {}
    most = LARGEST if length is None else length
    for i, written in enumerate(lists_of(value[key], place, key)):
        spans = []
        for j, span in enumerate(written):
            if type(span) is not list or list(map(type, span)) != [int, int]:
                raise place.error(f"{key}[{i}][{j}]", f"a mention is a list of two integers{_other(span)}")
            start, end = span[0], span[1] + last_is_inside
            if not 0 <= start < end <= most:
                inside(span, (start, end), length, place, f"{key}[{i}][{j}]")  # says what is wrong
            spans.append((start, end))
        clusters[str(i)] = spans
    return clusters


OF_TEXTS = (
    "a text does not say where it stands: ask the model to copy the text with marks, such as [Tom](#1) "
    "(see scorch2 help language-models)"
)


def _other(mention: object) -> str:
    """Return who writes mentions of another shape."""
    if type(mention) is list and list(map(type, mention)) == [int, int, int]:
        return " (PreCo's [sentence, start, end] are read under mention_clusters)"
    return f"; {OF_TEXTS}" if type(mention) is str else ""


def items(written: object, kinds: list[type], place: JsonPlace, where: str, what: str) -> list[Any]:
    """Return a mention that is a list of items of these types; `what` names them in messages."""
    if type(written) is not list or list(map(type, written)) != kinds:
        raise place.error(where, f"a mention is a list of {what}")
    return written


def inside(written: object, span: Span, length: int | None, place: JsonPlace, where: str) -> Span:
    """Return the span of a mention; an InputError tells that no text, or none of that `length`, has it."""
    start, end = span
    if 0 <= start < end <= (LARGEST if length is None else length):
        return span
    shown = quoted(written)
    if start >= end:
        why = f"the mention {shown} ends before it starts"
    elif length is not None:
        why = f"the mention {shown} does not lie inside the text, which ends at {length}"
    elif start >= 0:
        why = "an integer beyond 2^53 is not an offset"
    else:
        why = f"the mention {shown} begins before the text"
    raise place.error(where, why)


def holds_texts(value: Mapping[str, Any]) -> bool:
    """Return whether an object of tokens and clusters holds several texts, as xCoRe writes them."""
    # Its mentions have three integers, that of their text first; without any, its tokens are lists of lists
    clusters, tokens = value.get("clusters_token_offsets"), value.get("tokens")
    first = next((text for text in tokens if text), None) if type(tokens) is list else None
    if type(first) is not list:
        return False
    every = clusters if type(clusters) is list else []
    mention = next((one for cluster in every if type(cluster) is list for one in cluster), None)
    if mention is None:
        return type(first[0]) is list
    return type(mention) is list and len(mention) == 3  # noqa: PLR2004 - text, first and last token


def holds_one_text(value: Mapping[str, Any]) -> bool:
    """Return whether an object of tokens and clusters holds one text."""
    return not holds_texts(value)


def of_tokens(
    name: str, sentences: Sequence[Sequence[str]], clusters: Clusters, place: JsonPlace, *, flat: bool = False
) -> Document:
    """Return a document of tokens; `flat` says that its sentences are unknown."""
    words = [word for sentence in sentences for word in sentence]
    lengths = [len(sentence) for sentence in sentences if sentence]
    return Document(name, clusters, place.path, lengths, words=Words(list, tuple(words)), flat=flat)


_NUMBER = "(0|[1-9][0-9]{0,8})"
_NAME = re.compile(rf"{_NUMBER}\.{_NUMBER}-(?:{_NUMBER}\.)?{_NUMBER}")


def with_text(value: Mapping[str, Any], plain: Document) -> Document:
    """Return the document that was read from an object as `plain`, with its text, if mentions are spans."""
    if "text" in value and plain.half_open and plain.unit == "character":
        return _with_characters(value["text"], plain)
    return _with_tokens(value, plain) if "sentences" in value or "tokens" in value else plain


def _with_characters(text: object, plain: Document) -> Document:
    if type(text) is not str:
        raise InputError(plain.path, "$.text", f"should be a string, not {json_kind(text)}")
    _refuse_outside(plain, len(text))
    return plain._replace(sentences=[len(text)], text=text)


def _with_tokens(value: Mapping[str, Any], plain: Document) -> Document:
    place = JsonPlace(plain.path, "$", plain.id)
    flat = "sentences" not in value
    if flat:
        sentences = [words_of(value["tokens"], place, "tokens")]
    else:
        sentences = sentences_of(value["sentences"], place, "sentences")
    starts = [0, *accumulate(map(len, sentences))]
    if plain.half_open and plain.unit != "character":
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
        words=Words(list, tuple(chained.from_iterable(sentences))),
        flat=flat,
    )


def _of_names(plain: Document, starts: Sequence[int]) -> dict[str, list[Mention]] | None:
    """Return clusters of names as spans of tokens; None if no mention is a name."""
    # `starts` are the tokens before each sentence and before the end.
    ids = list(chained.from_iterable(plain.clusters.values()))
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
    places = (sentence, first), (other or sentence, last)
    start, end = (token_at(int(here), int(number), starts) for here, number in places)
    if start is None or end is None or start > end:
        raise InputError(path, where, f"the mention {quoted(mention)} does not lie inside the sentences")
    return start, end + 1


def _refuse_outside(plain: Document, length: int) -> None:
    for cluster, members in plain.clusters.items():
        for i, span in enumerate(spans(members)):
            if span[1] > length:
                where = f"{json_place('$.clusters', cluster)}[{i}]"
                why = f"the mention ends after the text, which has {counted(length, plain.unit or 'token')}"
                raise InputError(plain.path, where, why)


def written_text(document: Document) -> dict[str, Any]:
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
        return {"tokens": list(chained.from_iterable(sentences))}
    return {"sentences": sentences}


_GROUPS = "coref_clusters_"


def of_spacy(value: Mapping[str, Any], place: JsonPlace, _: str) -> Document:
    """Read the groups of clusters under ``spans``, which a document without any group lacks."""
    text, groups = text_of(value["text"], place, "text"), value.get("spans", {})
    if type(groups) is not dict:
        raise place.error("spans", f"should be an object of lists of spans, not {json_kind(groups)}")
    clusters: Clusters = {}
    for name, written in groups.items():
        if name.startswith(_GROUPS):
            key = json_place("spans", name)
            members = require_list(written, place.path, f"{place.where}.{key}", "spans")
            placed = ((span, f"{key}[{i}]") for i, span in enumerate(members))
            clusters[name] = [_span_of_characters(span, len(text), place, where) for span, where in placed]
    name = name_of(value, place, "doc_key", "doc_id", "id", "name")
    return Document(name, clusters, place.path, [len(text)], unit="character", text=text)


def _span_of_characters(written: object, length: int, place: JsonPlace, where: str) -> tuple[int, int]:
    ends: list[Any] = [written.get("start"), written.get("end")] if type(written) is dict else []
    if list(map(type, ends)) != [int, int]:
        raise place.error(where, "a mention is an object with the integers start and end")
    return inside(ends, (ends[0], ends[1]), length, place, where)


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
        raise InputError(place.path, place.where, f"an object from names to clusters {_BESIDE}")
    beside, written = rest[0][1], "s2e-coref: mentions are [first, last] sub-token, mapped to words"
    found = []
    for name in value:
        key = json_place("", name).removeprefix(".")
        word_of = require_list(maps[name], place.path, f"{beside.where}.{key}", "integers")
        word_of = numbers_of(word_of, beside, key, len(word_of), "sub-tokens")
        every = spans_of({key: value[name]}, place, key, len(word_of), last_is_inside=True).items()
        clusters = {
            cluster: [(word_of[start], word_of[end - 1] + 1) for start, end in members]
            for cluster, members in every
        }
        document = Document(name, clusters, place.path, format="jsonlines", written=written)
        found.append(document._replace(half_open=True, numbered=True))
    return found
