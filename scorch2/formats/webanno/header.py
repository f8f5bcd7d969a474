"""The header of WebAnno TSV 3: which layers there are, and which columns hold their features."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scorch2.model.errors import InputError, listed, quoted

BEFORE = 3
"""Columns before those of the layers: number, characters, token."""
NAME = "#Document.id="
"""Begins a line before the first sentence with the name of the document.

It is an addition of scorch2; INCEpTION passes over it.
"""
CHAIN, RELATION = "CH", "RL"
_FORMAT = re.compile(r"#FORMAT=WebAnno TSV 3(?:\.[0-9]+)?\s*")
_LAYER = re.compile(r"#T_(SP|CH|RL)=(.*)")
_LINK = "referenceRelation"
_BASE = "BT_"


class Layer(NamedTuple):
    """A layer of annotations."""

    kind: str
    """SP for spans, CH for chains, RL for relations."""
    name: str
    features: Sequence[str]
    """A name for each of its columns."""
    first: int
    """The first of its columns."""

    @property
    def stop(self) -> int:
        """The column after the last one."""
        return self.first + len(self.features)


class Header(NamedTuple):
    """The columns in which a file says what is coreferent."""

    name: str
    """What the document is called, if the file says it."""
    width: int
    """The fewest cells of a row."""
    links: Sequence[int]
    """The columns of chain layers that say which link of which chain a token is in."""
    chains: Sequence[str]
    """The names of these layers."""
    bases: Sequence[int]
    """The layers that coreference relations connect, by their first column: there all annotations have a
    value."""
    relations: Sequence[Layer]
    """The layers of coreference relations; they are read if there are no chains."""
    base_of: Sequence[int]
    """For each of `relations`, the place of the layer that it connects in `bases`."""
    notes: Sequence[str]


def header(lines: Sequence[str], path: str) -> Header:
    """Return what the lines before the first row declare.

    Raises
    ------
    InputError
        For another version, and for layers that say too little.
    """
    if not lines or not _FORMAT.fullmatch(lines[0]):
        raise InputError(path, "line 1", "is not #FORMAT=WebAnno TSV 3.x (export the document as TSV 3)")
    layers = _layers(lines, path)
    every = list(layers.values())
    chains = [layer for layer in every if layer.kind == CHAIN]
    relations = [layer for layer in every if layer.kind == RELATION and _is_coreference(layer)]
    notes = []
    if not chains and not relations:
        there = listed(layers) or "none"
        notes.append(f"no chain layer and no relation layer called Coref, so no mentions (layers: {there})")
    if chains and relations:
        notes.append(f"the relations of {listed(one.name for one in relations)} were not read: it has chains")
        relations = []
    names = {name: i for i, name in enumerate(dict.fromkeys(_base(layer, path) for layer in relations))}
    return Header(
        name=next((line.removeprefix(NAME) for line in lines if line.startswith(NAME)), ""),
        width=every[-1].stop if every else BEFORE,
        links=[_link_column(layer, path) for layer in chains],
        chains=[layer.name for layer in chains],
        bases=[_column(name, layers, path) for name in names],
        relations=relations,
        base_of=[names[_base(layer, path)] for layer in relations],
        notes=notes,
    )


def _layers(lines: Sequence[str], path: str) -> dict[str, Layer]:
    """Return the layers by name, in their order."""
    found: dict[str, Layer] = {}
    first = BEFORE
    for number, line in enumerate(lines, 1):
        declared = _LAYER.fullmatch(line)
        if declared:
            name, *features = [field for field in declared[2].split("|") if field] or [""]
            if name in found:
                raise InputError(path, f"line {number}", f"a second layer is called {quoted(name)}")
            found[name] = Layer(declared[1], name, features or [""], first)
            first = found[name].stop
    return found


def _is_coreference(layer: Layer) -> bool:
    return "coref" in layer.name.rpartition(".")[2].casefold()


def _link_column(layer: Layer, path: str) -> int:
    if _LINK not in layer.features:
        raise InputError(path, "", f"the chain layer {quoted(layer.name)} has no feature {_LINK}")
    return layer.first + layer.features.index(_LINK)


def _base(layer: Layer, path: str) -> str:
    """Return the name of the layer whose annotations a relation connects."""
    if not layer.features[-1].startswith(_BASE):
        raise InputError(
            path, "", f"the relation layer {quoted(layer.name)} does not end with {_BASE}<layer>"
        )
    return layer.features[-1].removeprefix(_BASE)


def _column(name: str, layers: Mapping[str, Layer], path: str) -> int:
    """Return the first column of a layer that relations connect."""
    if name not in layers:
        why = f"coreference relations connect the layer {quoted(name)}, which is not in the header"
        raise InputError(path, "", why)
    return layers[name].first
