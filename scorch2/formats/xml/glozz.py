"""Glozz ``.aa``: units of the text in the ``.ac`` file beside it, and relations and schemas of units.

A cluster is a schema or, where there are none, what relations called Coref connect; or else the units whose
feature ``REF`` has one value. Relations of ANCOR (DIRECTE, INDIRECTE, ANAPHORE) are coreference, too.
Paragraphs are no mentions. The type of a unit is its category.
"""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.formats.linked import LinkedMentions, Refuse, is_coreference
from scorch2.formats.source import text_beside
from scorch2.formats.xml.safe_xml import Elements, XmlPlace, parse
from scorch2.model.document import Document
from scorch2.model.errors import InputError

_TEXT = ".ac"
_OF_ANCOR = {"DIRECTE", "INDIRECTE", "ANAPHORE"}
_NO_MENTION = {"paragraph", "Paragraph"}
_REFERENT = "REF"


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with spans of characters as mentions."""
    found = _Annotations(path, text_beside(path, _TEXT))
    parse(data, found)
    return [found.document(stem)]


class _Group(NamedTuple):
    """A relation or a schema: what it is, and its units."""

    kind: str
    members: list[str]
    refuse: Refuse


class _Annotations(Elements):
    """Takes the units of a file, and what holds them together."""

    def __init__(self, path: str, text: str | None) -> None:
        super().__init__(path)
        self._found = LinkedMentions(text)
        self._groups: dict[str, list[_Group]] = {"relation": [], "schema": []}
        self._referents: dict[str, list[str]] = {}
        self._kind = ""
        self._referent = ""
        self._ends: list[str] = []
        self._members: list[str] = []

    def take(self, name: str, attributes: Mapping[str, str], text: str, place: XmlPlace) -> None:
        if name == "type":
            self._kind = text.strip()
        elif name == "feature" and attributes.get("name") == _REFERENT:
            self._referent = text.strip()
        elif name == "singlePosition":
            self._ends.append(attributes.get("index", ""))
        elif name in ("term", "embedded-unit"):
            self._members.append(attributes.get("id", ""))
        elif name in ("unit", *self._groups):
            self._close(name, attributes, self.refuse_at(place, f"bad-{name}"))

    def _close(self, name: str, attributes: Mapping[str, str], refuse: Refuse) -> None:
        if name == "unit" and self._kind not in _NO_MENTION:
            self._unit(attributes.get("id", ""), refuse)
        elif name != "unit":
            self._groups[name].append(_Group(self._kind, self._members, refuse))
        self._kind, self._referent, self._ends, self._members = "", "", [], []

    def _unit(self, ident: str, refuse: Refuse) -> None:
        are_whole = all(end.isascii() and end.isdecimal() for end in self._ends)
        if len(self._ends) != 2 or not are_whole:  # noqa: PLR2004 - a start and an end
            raise refuse("a unit has the index of its start and of its end, whole numbers")
        start, end = (int(end[:18]) for end in self._ends)
        self._found.add(ident, (start, end), refuse, kind=self._kind)
        if self._referent:
            self._referents.setdefault(self._referent, []).append(ident)

    def document(self, stem: str) -> Document:
        for group in self._groups["schema"]:
            self._found.link(group.members, group.refuse)
        related = []
        for group in self._groups["relation"]:
            kind = "" if group.kind in _OF_ANCOR or is_coreference(group.kind) else group.kind
            related.append(group._replace(kind=kind))
        for group in () if self._groups["schema"] else related:
            self._found.link(group.members, group.refuse, group.kind)
        is_alone = not self._groups["schema"] and all(group.kind for group in related)
        for members in self._referents.values() if is_alone else ():
            self._found.link(members, lambda why: InputError(self.path, "", why))
        return self._found.document(stem, self.path, "glozz")
