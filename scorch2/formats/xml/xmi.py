"""XMI of a CAS, as INCEpTION and WebAnno export it (UIMA CAS XMI): see `scorch2.formats.uima`."""

import re
from collections.abc import Mapping
from functools import partial
from typing import Any

from scorch2.formats import uima
from scorch2.formats.xml.safe_xml import Handlers, parse
from scorch2.model.document import Document

_NUMBER = re.compile("[0-9]{1,9}")
_OFFSETS = ("begin", "end")
_READ = {*_OFFSETS, "first", "Governor", "sofaString"}
"""Attributes of which a feature structure has one, if it says anything of coreference."""


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file."""
    found = _Elements(path)
    parse(data, found)
    return [uima.document(found.structures, stem, path, "xmi")]


class _Elements(Handlers):
    """Takes the elements of a file: each below the root is a feature structure."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.structures: list[uima.FeatureStructure] = []
        self._depth = 0

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        local = name.rpartition(":")[2]
        if self._depth == 0 and local != "XMI":
            raise self.error("unknown-element", f"<{name}> is not the root of XMI")
        self._depth += 1
        if self._depth != 2 or _READ.isdisjoint(attributes):  # noqa: PLR2004 - below the root
            return
        features: dict[str, Any] = dict(attributes)
        for offset in _OFFSETS:
            if _NUMBER.fullmatch(attributes.get(offset, "")):
                features[offset] = int(attributes[offset])
        refuse = partial(self.error_at, self.where(), "bad-annotation")
        ident = attributes.get("xmi:id", "")
        self.structures.append(uima.FeatureStructure(ident, local, features, refuse))

    def end(self, _: str) -> None:
        self._depth -= 1
