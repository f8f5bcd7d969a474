"""XML of annotated corpora: ECB+, NAF and KAF, TEI.

ECB+ XML: tokens, markables that point to them, and relations within and across documents.

A cluster across documents, ``<CROSS_DOC_COREF note="ACT16235311629112331">``, is called by the instance in
its note, so that it has one name in all files. The others are called after their document: a cluster inside
it by the number of its ``<INTRA_DOC_COREF r_id="32120">``, and a markable without a relation, which is a
singleton, by its own.

NAF and KAF: ``wf`` are tokens, ``term`` spans of them, and each ``span`` of a ``coref`` is a mention.

A mention that is not contiguous is read from its first word to its last. The type of a ``coref``, such as
event, is the category of its mentions.

TEI: an ``rs``, a ``name`` or the name of a person, a place and so on with ``ref`` or ``key`` is a mention.

What ``ref`` says is the cluster; an ``rs`` without one is a singleton. Where a text has words (``w``,
``pc``), mentions are in tokens, else in the characters of ``text``. The type of an element, or its name, is
the category.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import NamedTuple

from scorch2.formats.fields import Gathered, free_name, in_tokens, labels_by, notes_of_widened, value_of
from scorch2.formats.xml.safe_xml import Elements, Handlers, XmlPlace, own_id, parse
from scorch2.model.document import Document, OnDemand, Span, Words
from scorch2.model.errors import InputError, printable, quoted

_CHILDREN = {
    (): ("Document",),
    ("Document",): ("token", "Markables", "Relations"),
    ("Document", "Relations"): ("CROSS_DOC_COREF", "INTRA_DOC_COREF"),
    ("Document", "Relations", "CROSS_DOC_COREF"): ("source", "target"),
    ("Document", "Relations", "INTRA_DOC_COREF"): ("source", "target"),
}
"""The elements that are read inside others, except markables and their anchors."""
_KNOWN = {"token_anchor", "source", "target", *_CHILDREN[("Document",)]}
"""Elements that are refused in other places, where others are passed over; relations of other kinds have
sources and targets too."""
_MARKABLES = ("Document", "Markables")
_TOKEN = ["Document", "token"]
_DEEPEST = 4  # so many names tell a place: nothing is read deeper, however deep a file is


def ecb_documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with token spans as mentions; it is called `stem`."""
    return [parse(data, _EcbReader(path, stem)).document()]


class _EcbReader(Handlers):
    """Takes the elements of a file, one after the other."""

    def __init__(self, path: str, stem: str) -> None:
        super().__init__(path)
        self._stem = stem
        self._open: list[str] = []
        self._words: list[str] = []
        self._text: list[str] = []  # of the token that is open
        self._sentences: list[int] = []
        self._sentence = ""
        self._places: dict[str, int] = {}  # of tokens, by id
        self._anchors: dict[str, list[int]] = {}  # of each markable, by id
        self._tags: dict[str, str] = {}  # the names of the markables' elements, by id: their categories
        self._markable = ""
        self._cluster = ""  # of the relation that is open
        self._clusters: dict[str, list[str]] = {}
        self._repeats: Counter[str] = Counter()  # of names of relations
        self._related: set[str] = set()
        self._unread: Counter[str] = Counter()

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        place = tuple(self._open[:_DEEPEST])
        if place == _MARKABLES:
            self._markable = self._new(attributes, "m_id", self._anchors)
            self._anchors[self._markable] = []
            self._tags[self._markable] = name
            self._unread.update(value_of(key) for key, value in attributes.items() if key != "m_id" and value)
        elif name == "token_anchor" and place[:-1] == _MARKABLES:
            self._anchor(attributes)
        elif name in _CHILDREN.get(place, ()):
            self._known(name, attributes)
        elif place == ("Document", "Relations"):
            self._unread[f"{name} relation"] += 1
        elif not place or (name in _KNOWN and place[:2] != ("Document", "Relations")):
            raise self.error("unknown-element", f"<{name}> is not expected here (is it ECB+ XML?)")
        self._open.append(name)

    def _known(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "token":
            self._token(attributes)
        elif name in ("CROSS_DOC_COREF", "INTRA_DOC_COREF"):
            self._relation(name, attributes)
        elif name in ("source", "target"):
            self._member(name, attributes)

    def end(self, _: str) -> None:
        if self._open == _TOKEN:
            self._words.append("".join(self._text))
        self._open.pop()

    def text(self, data: str) -> None:
        if self._open == _TOKEN:
            self._text.append(data)

    def _token(self, attributes: Mapping[str, str]) -> None:
        self._places[self._new(attributes, "t_id", self._places)] = len(self._places)
        self._text = []
        sentence = attributes.get("sentence", "")
        if "sentence" in attributes and not (sentence.isascii() and sentence.isdecimal()):
            raise self.error("bad-sentence", f"the sentence {quoted(sentence)} is not a whole number")
        if not self._sentences or sentence != self._sentence:
            self._sentences.append(0)
        self._sentences[-1] += 1
        self._sentence = sentence

    def _anchor(self, attributes: Mapping[str, str]) -> None:
        token = attributes.get("t_id", "")
        if token not in self._places:
            raise self.error("unknown-id", f"an anchor points to token {quoted(token)}, which is not there")
        self._anchors[self._markable].append(self._places[token])

    def _relation(self, name: str, attributes: Mapping[str, str]) -> None:
        is_cross = name == "CROSS_DOC_COREF"
        key = "note" if is_cross else "r_id"
        self._cluster = attributes.get(key, "")
        if not self._cluster:
            raise self.error("no-id", f"<{name}> has no {key}")
        if not is_cross:
            self._cluster = self._free(f"{self._stem}:intra:{self._cluster}")
        self._clusters.setdefault(self._cluster, [])

    def _free(self, name: str) -> str:
        """Return a name that no cluster has: the numbers of relations may repeat."""
        free = name
        while free in self._clusters:
            self._repeats[name] += 1
            free = f"{name}:{self._repeats[name]}"
        return free

    def _member(self, name: str, attributes: Mapping[str, str]) -> None:
        """Take one of the mentions that a relation connects; its target mostly stands for them all."""
        markable = attributes.get("m_id", "")
        if markable not in self._anchors or (name == "source" and not self._anchors[markable]):
            raise self.error("unknown-id", f"a relation has {quoted(markable)}, which is not a mention")
        if self._anchors[markable]:
            self._clusters[self._cluster].append(markable)
            self._related.add(markable)

    def _new(self, attributes: Mapping[str, str], key: str, known: Mapping[str, object]) -> str:
        return own_id(attributes.get(key, ""), known, partial(self.error, "bad-id"), key)

    def document(self) -> Document:
        self._unread["type of an instance"] = sum(not tokens for tokens in self._anchors.values())
        for markable, tokens in self._anchors.items():
            if tokens and markable not in self._related:
                self._clusters[f"{self._stem}:{markable}"] = [markable]
        in_pieces = sum(
            any(after != before + 1 for before, after in pairwise(sorted(tokens)))
            for tokens in self._anchors.values()
        )
        spans = {
            markable: (min(tokens), max(tokens) + 1) for markable, tokens in self._anchors.items() if tokens
        }
        clusters = {name: [spans[member] for member in members] for name, members in self._clusters.items()}
        return Document(
            self._stem, clusters, self.path, self._sentences, "ecb",
            words=Words(list, tuple(self._words)), notes=notes_of_widened(in_pieces),
            categories=OnDemand(labels_by, self._clusters, self._tags), unread=OnDemand(dict, self._unread),
        )  # fmt: skip


def naf_documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with spans of tokens as mentions."""
    return [parse(data, _Layers(path)).document(stem)]


_ENTITY_LAYERS = {"entities", "chunks", "srl", "opinions", "factualities", "timeExpressions", "markables"}


class _Layers(Elements):
    """Takes the layers of a file."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._words: list[str] = []
        self._sentences: list[int] = []
        self._sentence: str | None = None
        self._places: dict[str, Span] = {}  # of tokens and terms: the first and the last of their tokens
        self._targets: list[Span] = []  # of the span that is open
        self._spans: list[Span] = []  # of the element that is open
        self._found = Gathered()
        self._in_pieces = 0

    def take(self, name: str, attributes: Mapping[str, str], text: str, place: XmlPlace) -> None:
        if name == "wf":
            self._word(attributes, text, place)
        elif name == "target" and {"terms", "coreferences"} & {*self.open[:2]}:
            ident = attributes.get("id", "")
            if ident not in self._places:
                raise self._refuse(
                    place, f"it points to {quoted(ident)}, which is neither a token nor a term"
                )
            self._targets.append(self._places[ident])
        elif name == "span":
            self._span(place)
        elif name == "term":
            if len(self._spans) != 1:
                raise self._refuse(place, "a term has one span of tokens")
            self._places[self._ident(attributes, ("id", "tid"), place)] = self._spans[0]
            self._spans = []
        elif name == "coref":
            self._coref(attributes, place)
        elif self.open[1:] in ([layer] for layer in _ENTITY_LAYERS):
            self._found.unread[f"{printable(name, 40)} annotation"] += 1

    def _refuse(self, place: XmlPlace, why: str) -> InputError:
        return self.error_at(place, "bad-layer", why)

    def _ident(self, attributes: Mapping[str, str], keys: Sequence[str], place: XmlPlace) -> str:
        ident = next((attributes[key] for key in keys if attributes.get(key)), "")
        return own_id(ident, self._places, partial(self._refuse, place))

    def _word(self, attributes: Mapping[str, str], text: str, place: XmlPlace) -> None:
        number = len(self._words)
        self._places[self._ident(attributes, ("id", "wid"), place)] = number, number + 1
        self._words.append(text)
        sentence = attributes.get("sent", "")
        if sentence != self._sentence:
            self._sentences.append(0)
        self._sentence = sentence
        self._sentences[-1] += 1

    def _span(self, place: XmlPlace) -> None:
        if self._targets:
            targets = sorted(self._targets)
            ends = list(accumulate((end for _, end in targets), max))
            has_gap = any(end < start for end, (start, _) in zip(ends, targets[1:], strict=False))
            self._in_pieces += "coref" in self.open and has_gap
            self._spans.append((targets[0][0], ends[-1]))
        elif "coref" in self.open:
            raise self._refuse(place, "a <span> without a target")
        self._targets = []

    def _coref(self, attributes: Mapping[str, str], place: XmlPlace) -> None:
        ident = attributes.get("id", attributes.get("coid", ""))
        own_id(ident, self._found.clusters, partial(self._refuse, place), what="coref")
        self._found.clusters[ident] = [*self._spans]
        self._found.labels[ident] = [attributes.get("type")] * len(self._spans)
        self._found.unread.update(value_of(key) for key in attributes if key not in ("id", "coid", "type"))
        self._spans = []

    def document(self, stem: str) -> Document:
        return self._found.document(
            stem, self.path, sentences=self._sentences, format="naf", words=Words(list, tuple(self._words)),
            notes=notes_of_widened(self._in_pieces),
        )  # fmt: skip


_NAMES = ("rs", "name", "persName", "placeName", "orgName", "geogName", "roleName", "objectName", "eventName")
_CLUSTERS = ("ref", "key")  # the attributes that name the cluster, from the first that is there
_WORDS = ("w", "pc")


def tei_documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file."""
    return [parse(data, _Text(path)).document(stem)]


class _Mention(NamedTuple):
    span: Span
    cluster: str
    category: str


class _Text(Elements):
    """Takes the text of a file, and the elements in it."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._pieces: list[str] = []
        self._length = 0
        self._inside = 0  # elements called text that are open
        self._starts: list[int] = []
        self._mentions: list[_Mention] = []
        self._words: list[Span] = []
        self._sentences: list[Span] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        super().start(name, attributes)
        self._inside += self.open[-1] == "text"
        self._starts.append(self._length)

    def text(self, data: str) -> None:
        if self._inside:
            self._pieces.append(data)
            self._length += len(data)

    # `Elements` hands the text to all readers, this one keeps it by itself
    def take(self, name: str, attributes: Mapping[str, str], _: str, place: XmlPlace) -> None:
        span = self._starts.pop(), self._length
        cluster = next((attributes[key] for key in _CLUSTERS if attributes.get(key)), "").strip()
        if self._inside and name in _NAMES and (cluster or name == _NAMES[0]):
            if span[0] == span[1]:
                raise self.error_at(place, "bad-mention", f"<{name}> holds no text")
            category = attributes.get("type", "" if name == _NAMES[0] else name)
            self._mentions.append(_Mention(span, cluster.removeprefix("#"), category))
        elif self._inside and name in _WORDS and span[0] < span[1]:
            self._words.append(span)
        elif self._inside and name == "s":
            self._sentences.append(span)
        self._inside -= name == "text"

    def document(self, stem: str) -> Document:
        found = Gathered()
        taken = {mention.cluster for mention in self._mentions}
        for mention in sorted(self._mentions, key=lambda one: (one.span[0], -one.span[1])):
            name = mention.cluster or free_name(f"rs {len(found.clusters) + 1}", taken)
            taken.add(name)
            found.add(name, mention.span, mention.category)
        text, none = "".join(self._pieces), "no mention: no <rs>, and no other name with"
        made = found.document(
            stem, self.path, sentences=[len(text)], format="tei", unit="character", text=text, half_open=True,
            exclusive=True, notes=[] if found.clusters else [f"{none} {' or '.join(_CLUSTERS)}"],
        )  # fmt: skip
        return in_tokens(made, self._words, self._sentences) if self._words else made
