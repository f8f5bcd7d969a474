"""Stand-off XML of annotation tools: GATE, Glozz, MMAX2, and the CAS of UIMA.

GATE XML: a text with nodes, and sets of annotations between them.

An annotation that is coreferent with others lists their ids in its feature ``matches``; the feature
``MatchesAnnots`` of the document lists them, too. Any other annotation is no mention. The type of an
annotation is its category.

Glozz ``.aa``: units of the text in the ``.ac`` file beside it, and relations and schemas of units.

A cluster is a schema or, where there are none, what relations called Coref connect; or else the units whose
feature ``REF`` has one value. Relations of ANCOR (DIRECTE, INDIRECTE, ANAPHORE) are coreference, too.
Paragraphs are no mentions. The type of a unit is its category.

MMAX2: the level of markables with coreference, ``<name>_coref_level.xml``.

``<markable id="markable_3" span="word_3..word_5" coref_class="set_12"/>`` covers words 3 to 5, counted from
1, and is in cluster ``set_12``; ARRAU says ``coref_set``. A markable with ``empty`` or without a set is a
singleton. Its ``category``, which ARRAU has, is what it stands for. The words are in another file, which is
not read: their numbers are enough to score.

The CAS, as INCEpTION and WebAnno write it, as XMI or JSON: its feature structures.

A chain is a structure with ``first``, a link of it has ``next``. Where there are no chains, relations of a
layer called Coref connect annotations, by ``Governor`` and ``Dependent``: all annotations of their types are
mentions, and relations called bridging do not count, as in WebAnno TSV. Mentions are in tokens if the CAS has
some. Offsets count units of UTF-16.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from scorch2.formats import fields
from scorch2.formats.detection import elements
from scorch2.formats.source import read_data, size, text_beside
from scorch2.formats.xml.safe_xml import Elements, Handlers, XmlPlace, own_id, parse
from scorch2.model.document import Document, Label, Span
from scorch2.model.errors import InputError, MarkupError, printable, quoted, shown_path


def gate_documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with spans of characters as mentions."""
    return [parse(data, _Gate(path)).document(stem)]


class _Annotation(NamedTuple):
    kind: str
    nodes: tuple[str, str]
    matches: Sequence[str]
    refuse: fields.Refuse


_LIST = re.compile(r"<list>((?:\s*<(?:int|long)>[0-9]+</(?:int|long)>)*)\s*</list>")
_WRAPPED = re.compile("<(?:int|long)>([0-9]+)</")


class _Gate(Elements):
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
        self._lists: list[tuple[list[str], fields.Refuse]] = []

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
            refuse = partial(self.error_at, place, "bad-matches")
            self._lists += [(_WRAPPED.findall(part), refuse) for part in _LIST.findall(written)]
            self._features = {}
        elif name == "Annotation":
            self._annotation(attributes, place)

    def _annotation(self, attributes: Mapping[str, str], place: XmlPlace) -> None:
        refuse = partial(self.error_at, place, "bad-annotation")
        ident = own_id(attributes.get("Id", ""), self._found, refuse, "Id")
        written = self._features.get("matches", "")
        matches = _WRAPPED.findall(written) or [one.strip() for one in written.split(";") if one.strip()]
        nodes = attributes.get("StartNode", ""), attributes.get("EndNode", "")
        self._found[ident] = _Annotation(attributes.get("Type", ""), nodes, matches, refuse)
        self._features = {}

    def document(self, stem: str) -> Document:
        made = fields.LinkedMentions("".join(self._text))
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


_TEXT = ".ac"
_OF_ANCOR = {"DIRECTE", "INDIRECTE", "ANAPHORE"}
_NO_MENTION = {"paragraph", "Paragraph"}
_REFERENT = "REF"


def glozz_documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with spans of characters as mentions."""
    return [parse(data, _Glozz(path, text_beside(path, _TEXT))).document(stem)]


class _Group(NamedTuple):
    """A relation or a schema: what it is, and its units."""

    kind: str
    members: list[str]
    refuse: fields.Refuse


class _Glozz(Elements):
    """Takes the units of a file, and what holds them together."""

    def __init__(self, path: str, text: str | None) -> None:
        super().__init__(path)
        self._found = fields.LinkedMentions(text)
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
            self._close(name, attributes, partial(self.error_at, place, f"bad-{name}"))

    def _close(self, name: str, attributes: Mapping[str, str], refuse: fields.Refuse) -> None:
        if name == "unit" and self._kind not in _NO_MENTION:
            self._unit(attributes.get("id", ""), refuse)
        elif name != "unit":
            self._groups[name].append(_Group(self._kind, self._members, refuse))
        self._kind, self._referent, self._ends, self._members = "", "", [], []

    def _unit(self, ident: str, refuse: fields.Refuse) -> None:
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
            kind = "" if group.kind in _OF_ANCOR or fields.is_coreference(group.kind) else group.kind
            related.append(group._replace(kind=kind))
        for group in () if self._groups["schema"] else related:
            self._found.link(group.members, group.refuse, group.kind)
        is_alone = not self._groups["schema"] and all(group.kind for group in related)
        for members in self._referents.values() if is_alone else ():
            self._found.link(members, lambda why: InputError(self.path, "", why))
        return self._found.document(stem, self.path, "glozz")


_SETS = ("coref_class", "coref_set")  # the attributes that say the cluster, from the first that is there
_CATEGORY = "category"
_READ_OF_MMAX = {*_SETS, "id", "span", "mmax_level", _CATEGORY}
_NO_SET = ("", "empty")
_WORD = "word_"
_PIECE = re.compile(rf"{_WORD}([0-9]{{1,9}})(?:\.\.{_WORD}([0-9]{{1,9}}))?")


def mmax_documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, with token spans as mentions; a project, ``.mmax``, names its files."""
    if next(elements(data), "") == "mmax_project":
        path = parse(data, _Project(path)).level()
        data = read_data(path)
    return [parse(data, _Markables(path), external_doctype=True).document(stem)]


class _Project(Elements):
    """Takes the name of the file of words, by which the level of coreference is called."""

    _name = ""

    def take(self, name: str, _: Mapping[str, str], text: str, __: XmlPlace) -> None:
        if name == "words":
            self._name = os.path.basename(text.strip()).removesuffix("_words.xml")

    def level(self) -> str:
        """Return the path of the level of coreference."""
        folder = os.path.dirname(self.path)
        every = [os.path.join(folder, part, f"{self._name}_coref_level.xml") for part in ("Markables", "")]
        found = next(filter(size, every), None)
        if found is None:
            why = f"a project of MMAX2 without its level of coreference, {shown_path(every[0])}"
            raise MarkupError(self.path, 0, "no-markables", why)
        return found


class _Markables(Handlers):
    """Takes the markables of a file, one after the other."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._depth = 0
        self._found = fields.Gathered()
        self._alone: dict[str, tuple[Span, Label]] = {}  # markables without a set, by id
        self._ids: set[str] = set()
        self._has_sets = False
        self._in_pieces = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        if name == "words" and self._depth == 0:
            why = "these are the words: the mentions are in the level of coreference, <name>_coref_level.xml"
            raise self.error("no-markables", f"{why} (of a folder, --gold-files and --sys-files choose)")
        wanted = ("markables", "markable")[self._depth > 0]
        if name != wanted or self._depth > 1:
            raise self.error("unknown-element", f"<{name}> is not expected here, but <{wanted}>")
        self._depth += 1
        if name == "markable":
            self._markable(attributes)

    def end(self, _: str) -> None:
        self._depth -= 1

    def _markable(self, attributes: Mapping[str, str]) -> None:
        refuse = partial(self.error, "bad-id")
        ident = own_id(attributes.get("id", ""), self._ids, refuse, what="markable")
        self._ids.add(ident)
        unread = (name for name, value in attributes.items() if name not in _READ_OF_MMAX and value)
        self._found.unread.update(map(fields.value_of, unread))
        cluster = next((attributes[name] for name in _SETS if name in attributes), None)
        self._has_sets = self._has_sets or cluster is not None
        span, category = self._span(attributes.get("span", "")), attributes.get(_CATEGORY)
        if cluster is None or cluster in _NO_SET:
            self._alone[ident] = span, category
        else:
            self._found.add(cluster, span, category)

    def _span(self, written: str) -> Span:
        numbers = []
        pieces = written.split(",")
        for piece in pieces:
            match = _PIECE.fullmatch(piece.strip())
            first = int(match[1]) if match else 0
            last = int(match[2] or first) if match else 0
            if not 0 < first <= last:
                why = f"the span {quoted(written)} is not like word_3..word_5 (words count from 1)"
                raise self.error("bad-span", why)
            numbers += [first, last]
        self._in_pieces += len(pieces) > 1
        return min(numbers) - 1, max(numbers)

    def document(self, stem: str) -> Document:
        if self._ids and not self._has_sets:
            why = f"no markable has {' or '.join(_SETS)} (is it the level of coreference?)"
            raise MarkupError(self.path, 0, "no-sets", why)
        for ident, (span, category) in self._alone.items():
            name = fields.free_name(ident, self._found.clusters)  # a set may be called so
            self._found.add(name, span, category)
        return self._found.document(
            stem, self.path, format="mmax", notes=fields.notes_of_widened(self._in_pieces),
            half_open=True, first=1, unit_name=_WORD,
        )  # fmt: skip


class FeatureStructure(NamedTuple):
    """A feature structure."""

    ident: str
    type: str  # without its package
    features: Mapping[str, Any]  # references are ids
    refuse: fields.Refuse

    def refers(self, feature: str) -> str:
        """Return the id that a feature holds; empty if there is none."""
        found = self.features.get(feature)
        return str(found) if type(found) in (str, int) else ""


_COREFERENCE = re.compile("coref", re.IGNORECASE)
_ENDS = ("Governor", "Dependent")
_CATEGORIES = ("entity", "value", "category", "type", "label")
_LINK_TYPE = "referenceType"
_READ = {"xmi:id", "%ID", "%TYPE", "%FLAGS", "sofa", "begin", "end", "next"}
_INITIAL = "_InitialView"
_OTHERS = {"Token", "Sentence", "Sofa", "View", "NULL", "DocumentMetaData", "DocumentAnnotation"}
"""Types that annotate nothing."""


def document_of_cas(structures: Iterable[FeatureStructure], name: str, path: str, form: str) -> Document:
    """Return the document of a CAS."""
    return _Cas(list(structures), path).document(name, form)


class _Cas:
    """The feature structures of a CAS, and the text of its view."""

    def __init__(self, structures: Sequence[FeatureStructure], path: str) -> None:
        sofas = [one for one in structures if one.type == "Sofa"]
        views = [one for one in sofas if one.features.get("sofaID") == _INITIAL] or sofas
        text = views[0].features.get("sofaString") if views else None
        if type(text) is not str:
            raise InputError(path, "", "the CAS has no text (no sofaString)")
        self._path, self._sofa = path, views[0].ident
        self._every = structures
        self._point: Callable[[int], int] = fields.from_utf16(text)
        self._by_id = {one.ident: one for one in structures}
        self._found = fields.LinkedMentions(text)

    def document(self, name: str, form: str) -> Document:
        chains = [one for one in self._every if one.type.endswith("Chain") and "first" in one.features]
        relations = [
            one for one in self._every
            if not chains and _COREFERENCE.match(one.type) and all(one.refers(end) for end in _ENDS)
        ]  # fmt: skip
        for chain in chains:
            self._add_chain(chain)
        if relations:
            self._add_related(relations)
        self._count_others({one.type for one in (*chains, *relations)})
        made = self._found.document(name, self._path, form)
        none = "no chain and no relation called Coref, so no mentions"
        notes = [note for note in made.notes if chains or relations or not note.startswith("no relation")]
        made = made._replace(notes=notes if chains or relations else [*notes, none])
        tokens, sentences = (list(self._places(kind)) for kind in ("Token", "Sentence"))
        return fields.in_tokens(made, tokens, sentences) if tokens else made

    def _places(self, kind: str) -> Iterable[Span]:
        for one in self._every:
            if one.type == kind and one.refers("sofa") in ("", self._sofa):
                yield self._span(one)

    def _span(self, one: FeatureStructure) -> Span:
        ends = [one.features.get(name) for name in ("begin", "end")]
        if list(map(type, ends)) != [int, int]:
            raise one.refuse(f"the annotation {quoted(one.ident)} has no whole numbers begin and end")
        return self._point(ends[0]), self._point(ends[1])  # type: ignore[arg-type]  # they are integers

    def _add(self, one: FeatureStructure, features: Sequence[str]) -> None:
        said = (name for name in features if type(one.features.get(name)) is str)
        taken = next(said, "")
        self._found.add(one.ident, self._span(one), one.refuse, kind=one.features.get(taken, ""))
        self._found.unread.update(map(fields.value_of, one.features.keys() - _READ - {taken}))

    def _add_chain(self, chain: FeatureStructure) -> None:
        members: list[str] = []
        ident, before = chain.refers("first"), chain
        while ident:
            link = self._by_id.get(ident)
            if link is None:
                raise before.refuse(f"it refers to {quoted(ident)}, which is not there")
            self._add(link, (_LINK_TYPE,))  # an id that comes again is refused, so no chain is endless
            members.append(ident)
            ident, before = link.refers("next"), link
        self._found.link(members, chain.refuse)

    def _add_related(self, relations: Sequence[FeatureStructure]) -> None:
        ends = {relation.refers(end): relation for relation in relations for end in _ENDS}
        for ident, relation in ends.items():
            if ident not in self._by_id:
                raise relation.refuse(f"it refers to {quoted(ident)}, which is not there")
        types = {self._by_id[ident].type for ident in ends}
        for one in self._every:
            if one.type in types:
                self._add(one, _CATEGORIES)
        for relation in relations:
            values = (value for value in relation.features.values() if type(value) is str)
            is_bridging = any(value.casefold().startswith("bridg") for value in values)
            kind = "bridging" if is_bridging else ""
            self._found.link([relation.refers(end) for end in _ENDS], relation.refuse, kind)

    def _count_others(self, known: set[str]) -> None:
        others = Counter(
            one.type for one in self._every
            if one.type not in _OTHERS and one.type not in known and not self._found.has(one.ident)
        )  # fmt: skip
        named = {f"{printable(kind, 40)} annotation": number for kind, number in others.items()}
        self._found.unread.update(named)


_NUMBER = re.compile("[0-9]{1,9}")
_OFFSETS = ("begin", "end")
_TELLING = {*_OFFSETS, "first", "Governor", "sofaString"}
"""Attributes of which a feature structure has one, if it says anything of coreference."""


def xmi_documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file."""
    return [document_of_cas(parse(data, _FeatureStructures(path)).structures, stem, path, "xmi")]


class _FeatureStructures(Handlers):
    """Takes the elements of a file: each below the root is a feature structure."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.structures: list[FeatureStructure] = []
        self._depth = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        local = name.rpartition(":")[2]
        if self._depth == 0 and local != "XMI":
            raise self.error("unknown-element", f"<{name}> is not the root of XMI")
        self._depth += 1
        if self._depth != 2 or _TELLING.isdisjoint(attributes):  # noqa: PLR2004 - below the root
            return
        features: dict[str, Any] = dict(attributes)
        for offset in _OFFSETS:
            if _NUMBER.fullmatch(attributes.get(offset, "")):
                features[offset] = int(attributes[offset])
        refuse = partial(self.error_at, self.where(), "bad-annotation")
        self.structures.append(FeatureStructure(attributes.get("xmi:id", ""), local, features, refuse))

    def end(self, _: str) -> None:
        self._depth -= 1
