"""GATE XML: a text with nodes, and sets of annotations between them.

An annotation that is coreferent with others lists their ids in its feature ``matches``; the feature
``MatchesAnnots`` of the document lists them, too. Any other annotation is no mention. The type of an
annotation is its category.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.formats.linked import LinkedMentions, Refuse
from scorch2.formats.xml.safe_xml import Elements, XmlPlace, parse
from scorch2.model.document import Document
from scorch2.model.errors import printable, quoted


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with spans of characters as mentions."""
    found = _Annotations(path)
    parse(data, found)
    return [found.document(stem)]


class _Annotation(NamedTuple):
    kind: str
    nodes: tuple[str, str]
    matches: Sequence[str]
    refuse: Refuse


_LIST = re.compile(r"<list>((?:\s*<(?:int|long)>[0-9]+</(?:int|long)>)*)\s*</list>")
_WRAPPED = re.compile("<(?:int|long)>([0-9]+)</")


class _Annotations(Elements):
    """Takes the nodes and annotations of a file."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._text: list[str] = []
        self._length = 0
        self._nodes: dict[str, int] = {}
        self._features: dict[str, str] = {}  # of the annotation that is open
        self._name = ""
        self._found: dict[str, _Annotation] = {}
        self._others = 0
        self._lists: list[tuple[list[str], Refuse]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        super().start(name, attributes)
        if self.open[-1] == "Node" and "TextWithNodes" in self.open:
            self._nodes[attributes.get("id", "")] = self._length

    def text(self, data: str) -> None:
        super().text(data)
        if self.open[-1] == "TextWithNodes":
            self._text.append(data)
            self._length += len(data)

    def take(self, name: str, attributes: Mapping[str, str], text: str, place: XmlPlace) -> None:
        if name == "Name":
            self._name = text.strip()
        elif name == "Value":
            self._features[self._name] = text
        elif name == "GateDocumentFeatures":
            written = self._features.pop("MatchesAnnots", "")
            refuse = self.refuse_at(place, "bad-matches")
            self._lists += [(_WRAPPED.findall(part), refuse) for part in _LIST.findall(written)]
            self._features = {}
        elif name == "Annotation":
            self._annotation(attributes, place)

    def _annotation(self, attributes: Mapping[str, str], place: XmlPlace) -> None:
        refuse = self.refuse_at(place, "bad-annotation")
        ident = attributes.get("Id", "")
        if not ident or ident in self._found:
            raise refuse(f"a second annotation has the Id {quoted(ident)}" if ident else "it has no Id")
        written = self._features.get("matches", "")
        matches = _WRAPPED.findall(written) or [one.strip() for one in written.split(";") if one.strip()]
        nodes = attributes.get("StartNode", ""), attributes.get("EndNode", "")
        self._found[ident] = _Annotation(attributes.get("Type", ""), nodes, matches, refuse)
        self._features = {}

    def document(self, stem: str) -> Document:
        made = LinkedMentions("".join(self._text))
        links = [([ident, *one.matches], one.refuse) for ident, one in self._found.items() if one.matches]
        links += self._lists
        mentions = {ident for members, _ in links for ident in members}
        for ident, one in self._found.items():
            if ident in mentions:
                lacking = next((node for node in one.nodes if node not in self._nodes), None)
                if lacking is not None:
                    raise one.refuse(f"there is no node {quoted(lacking)} in the text")
                start, end = (self._nodes[node] for node in one.nodes)
                made.add(ident, (start, end), one.refuse, kind=one.kind)
            else:
                made.unread[f"{printable(one.kind, 40)} annotation"] += 1
        for members, refuse in links:
            made.link(members, refuse)
        return made.document(stem, self.path, "gate")
