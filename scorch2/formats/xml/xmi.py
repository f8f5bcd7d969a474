"""The CAS of UIMA, as INCEpTION and WebAnno write it: what its feature structures say of coreference.

A chain is a structure with ``first``, a link of it has ``next``. Where there are no chains, relations of a
layer called Coref connect annotations, by ``Governor`` and ``Dependent``: all annotations of their types are
mentions, and relations called bridging do not count, as in WebAnno TSV. Mentions are in tokens if the CAS has
some. Offsets count units of UTF-16.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from scorch2.formats.fields import value_of
from scorch2.formats.linked import LinkedMentions, Refuse, from_utf16, in_tokens
from scorch2.formats.xml.safe_xml import Handlers, parse
from scorch2.model.document import Document, Span
from scorch2.model.errors import InputError, printable, quoted


class FeatureStructure(NamedTuple):
    """A feature structure."""

    ident: str
    type: str  # without its package
    features: Mapping[str, Any]  # references are ids
    refuse: Refuse

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


def document(structures: Iterable[FeatureStructure], name: str, path: str, form: str) -> Document:
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
        self._point: Callable[[int], int] = from_utf16(text)
        self._by_id = {one.ident: one for one in structures}
        self._found = LinkedMentions(text)

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
        return in_tokens(made, tokens, sentences) if tokens else made

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
        others = one.features.keys() - _READ - {taken}
        self._found.unread.update(map(value_of, others))

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
        self._found.unread.update(
            {f"{printable(kind, 40)} annotation": number for kind, number in others.items()}
        )


_NUMBER = re.compile("[0-9]{1,9}")
_OFFSETS = ("begin", "end")
_TELLING = {*_OFFSETS, "first", "Governor", "sofaString"}
"""Attributes of which a feature structure has one, if it says anything of coreference."""


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file."""
    found = _Elements(path)
    parse(data, found)
    return [document(found.structures, stem, path, "xmi")]


class _Elements(Handlers):
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
        ident = attributes.get("xmi:id", "")
        self.structures.append(FeatureStructure(ident, local, features, refuse))

    def end(self, _: str) -> None:
        self._depth -= 1
