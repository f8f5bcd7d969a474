"""ECB+ XML: tokens, markables that point to them, and relations within and across documents.

A cluster across documents, ``<CROSS_DOC_COREF note="ACT16235311629112331">``, is called by the instance in
its note, so that it has one name in all files. The others are called after their document: a cluster inside
it by the number of its ``<INTRA_DOC_COREF r_id="32120">``, and a markable without a relation, which is a
singleton, by its own.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from scorch2.formats.fields import notes_of_widened, value_of
from scorch2.formats.xml.safe_xml import Handlers, parse
from scorch2.model.document import Document, Label, OnDemand, Words
from scorch2.model.errors import quoted

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


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with token spans as mentions; it is called `stem`."""
    reading = _EcbReader(path, stem)
    parse(data, reading)
    return [reading.document()]


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
        ident = attributes.get(key, "")
        if not ident or ident in known:
            why = f"{quoted(ident)} is the {key} of two elements" if ident else f"an element has no {key}"
            raise self.error("bad-id", why)
        return ident

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
            categories=OnDemand(_labels, self._clusters, self._tags), unread=OnDemand(dict, self._unread),
        )  # fmt: skip


def _labels(clusters: Mapping[str, Sequence[str]], tags: Mapping[str, str]) -> dict[str, Sequence[Label]]:
    return {name: [tags[markable] for markable in members] for name, members in clusters.items()}
