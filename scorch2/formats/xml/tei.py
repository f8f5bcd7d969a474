"""TEI: an ``rs``, a ``name`` or the name of a person, a place and so on with ``ref`` or ``key`` is a mention.

What ``ref`` says is the cluster; an ``rs`` without one is a singleton. Where a text has words (``w``,
``pc``), mentions are in tokens, else in the characters of ``text``. The type of an element, or its name, is
the category.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.formats.fields import free_name
from scorch2.formats.linked import in_tokens
from scorch2.formats.xml.safe_xml import Elements, XmlPlace, parse
from scorch2.model.document import Document, Label, OnDemand, Span

_NAMES = ("rs", "name", "persName", "placeName", "orgName", "geogName", "roleName", "objectName", "eventName")
_CLUSTERS = ("ref", "key")  # the attributes that name the cluster, from the first that is there
_WORDS = ("w", "pc")


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file."""
    found = _Text(path)
    parse(data, found)
    return [found.document(stem)]


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
        clusters: dict[str, list[Span]] = {}
        labels: dict[str, list[Label]] = {}
        taken = {mention.cluster for mention in self._mentions}
        for mention in sorted(self._mentions, key=lambda one: (one.span[0], -one.span[1])):
            name = mention.cluster or free_name(f"rs {len(clusters) + 1}", taken)
            taken.add(name)
            clusters.setdefault(name, []).append(mention.span)
            labels.setdefault(name, []).append(mention.category)
        text = "".join(self._pieces)
        notes = [] if clusters else [f"no mention: no <rs>, and no other name with {' or '.join(_CLUSTERS)}"]
        found = Document(
            stem, clusters, self.path, [len(text)], "tei", unit="character", text=text, half_open=True,
            exclusive=True, notes=notes, categories=OnDemand(dict, labels),
        )  # fmt: skip
        return in_tokens(found, self._words, self._sentences) if self._words else found
