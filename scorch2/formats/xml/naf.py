"""NAF and KAF: ``wf`` are tokens, ``term`` spans of them, and each ``span`` of a ``coref`` is a mention.

A mention that is not contiguous is read from its first word to its last. The type of a ``coref``, such as
event, is the category of its mentions.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from scorch2.formats.fields import free_name, notes_of_widened, value_of
from scorch2.formats.xml.safe_xml import Elements, XmlPlace, parse
from scorch2.model.document import Document, Label, OnDemand, Span, Words
from scorch2.model.errors import InputError, printable, quoted


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with spans of tokens as mentions."""
    found = _Layers(path)
    parse(data, found)
    return [found.document(stem)]


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
        self._clusters: dict[str, list[Span]] = {}
        self._labels: dict[str, list[Label]] = {}
        self._in_pieces = 0
        self._unread: Counter[str] = Counter()

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
            self._unread[f"{printable(name, 40)} annotation"] += 1

    def _refuse(self, place: XmlPlace, why: str) -> InputError:
        return self.error_at(place, "bad-layer", why)

    def _ident(self, attributes: Mapping[str, str], keys: Sequence[str], place: XmlPlace) -> str:
        ident = next((attributes[key] for key in keys if attributes.get(key)), "")
        if not ident or ident in self._places:
            raise self._refuse(
                place, f"{quoted(ident)} is the id of two elements" if ident else "it has no id"
            )
        return ident

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
        if not ident or ident in self._clusters:
            why = f"a second coref is called {quoted(ident)}" if ident else "a coref has no id"
            raise self._refuse(place, why)
        name = free_name(ident, self._clusters)
        self._clusters[name] = self._spans
        self._labels[name] = [attributes.get("type")] * len(self._spans)
        self._unread.update(value_of(key) for key in attributes if key not in ("id", "coid", "type"))
        self._spans = []

    def document(self, stem: str) -> Document:
        return Document(
            stem, self._clusters, self.path, self._sentences, "naf", words=Words(list, tuple(self._words)),
            notes=notes_of_widened(self._in_pieces), categories=OnDemand(dict, self._labels),
            unread=OnDemand(dict, self._unread),
        )  # fmt: skip
