"""WebAnno TSV 3 again, as plainly as its rules can be written down. Used by plain_readers.py."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from plain_document import Plain, plain, require

Row: TypeAlias = tuple[int, list[str], str]
"""The token, the cells and the name of a row."""
Layer: TypeAlias = tuple[str, str, list[str], int]
"""The kind, name, features and first column of a layer."""


def read(text: str, stem: str) -> list[Plain]:
    lines = text.replace("\r\n", "\n").split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    first = next((i for i, line in enumerate(lines) if line and not line.startswith("#")), len(lines))
    require(re.fullmatch(r"#FORMAT=WebAnno TSV 3(\.[0-9]+)?\s*", lines[0]))
    layers = _layers(lines[:first])
    require(all(len(row) >= 3 + sum(len(layer[2]) for layer in layers) for row in rows))
    numbered, sentences = _numbered(rows)
    names = [line[len("#Document.id=") :] for line in lines[:first] if line.startswith("#Document.id=")]
    chains = [layer for layer in layers if layer[0] == "CH"]
    require(all("referenceRelation" in layer[2] for layer in chains))
    corefs = [one for one in layers if one[0] == "RL" and "coref" in one[1].split(".")[-1].casefold()]
    clusters = _chains(chains, numbered) if chains else _connected(corefs, layers, numbered)
    return [plain(clusters, (names and names[0]) or stem, sentences)]


def _layers(lines: Iterable[str]) -> list[Layer]:
    """Return the kind, name, features and first column of each layer."""
    layers: list[Layer] = []
    column = 3
    for line in lines:
        found = re.fullmatch("#T_(SP|CH|RL)=(.*)", line)
        if found:
            fields = [field for field in found[2].split("|") if field]
            features = fields[1:] or [""]
            require((fields or [""])[0] not in [layer[1] for layer in layers])
            layers.append((found[1], fields[0] if fields else "", features, column))
            column += len(features)
    return layers


def _numbered(rows: Sequence[list[str]]) -> tuple[list[Row], list[int]]:
    """Return the rows with the numbers of their tokens, and the tokens of each sentence."""
    numbered: list[Row] = []
    sentences: list[int] = []
    before = (0, 0)
    for cells in rows:
        found = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9.]+)?", cells[0])
        require(found and len(cells) > 1)
        sentence, token = (int(part) for part in cells[0].split(".")[0].split("-"))
        if "." in cells[0]:
            require((sentence, token) == before)
        elif token == 1 and sentence > before[0]:
            sentences.append(1)
        else:
            require(sentence > 0 and (sentence, token - 1) == before)
            sentences[-1] += 1
        before = (sentence, token)
        part = cells[0].partition(".")
        numbered.append((sum(sentences) - 1, cells, f"{sentence}-{token}{part[1]}{part[2]}"))
    return numbered, sentences


def _chains(chains: Sequence[Layer], rows: Sequence[Row]) -> dict[str, list[object]]:
    tokens: dict[str, dict[str, list[int]]] = {}
    for place, (_, _, features, first) in enumerate(chains):
        for token, cells, _ in rows:
            for value in _stacked(cells[first + features.index("referenceRelation")]):
                found = re.fullmatch(r".*->([0-9]{1,9})-([0-9]{1,9})", value, re.DOTALL)
                require(found)
                chain, link = value.rpartition("->")[2].split("-")
                tokens.setdefault(f"{place} {int(chain)}", {}).setdefault(str(int(link)), []).append(token)
    return {chain: [_span(places) for places in links.values()] for chain, links in tokens.items()}


def _connected(
    corefs: Sequence[Layer], layers: Sequence[Layer], rows: Sequence[Row]
) -> dict[str, list[object]]:
    tokens: dict[object, list[int]] = {}
    bases = []
    for _, _, features, _ in corefs:
        require(features[-1].startswith("BT_"))
        bases.append(features[-1][3:])
        require(bases[-1] in [layer[1] for layer in layers])
    for base in dict.fromkeys(bases):
        column = next(layer[3] for layer in layers if layer[1] == base)
        for token, cells, name in rows:
            for place, value in enumerate(_stacked(cells[column])):
                number = re.search(r"\[([0-9]{1,9})\]\Z", value)
                key: object = int(number[1]) if number else (base, name, place)
                tokens.setdefault(key, []).append(token)
    ends = [
        end
        for base, layer in zip(bases, corefs, strict=True)
        for row in rows
        for end in _ends(base, layer, row)
    ]
    require(all(end in tokens for pair in ends for end in pair))
    group: dict[object, set[object]] = {key: {key} for key in tokens}
    for one, other in ends:
        joined = group[one] | group[other]
        for key in joined:
            group[key] = joined
    spans = {key: _span(places) for key, places in tokens.items()}
    unique = {id(members): members for members in group.values()}
    return {str(name): [spans[key] for key in members] for name, members in unique.items()}


def _ends(base: str, layer: Layer, row: Row) -> Iterator[tuple[object, object]]:
    """Yield both ends of the relations on a row that are no bridging."""
    _, _, features, first = layer
    _, cells, name = row
    relations = _stacked(cells[first + len(features) - 1])
    types = [_stacked(cells[first + i], "_") for i in range(len(features) - 1)]
    require(not relations or all(len(values) == len(relations) for values in types))
    for i, relation in enumerate(relations):
        number = "[0-9]{1,9}"
        require(re.fullmatch(rf"{number}-{number}(\.[0-9.]+)?(\[{number}_{number}\])?", relation))
        source, _, numbers = relation.partition("[")
        left, _, right = (numbers.rstrip("]") or "0_0").partition("_")
        if not any(values[i].casefold().startswith("bridg") for values in types):
            yield int(left) or (base, source, 0), int(right) or (base, name, 0)


def _span(tokens: Iterable[int]) -> tuple[int, int]:
    places = sorted(set(tokens))
    require(all(after == before + 1 for before, after in pairwise(places)))
    return places[0], places[-1] + 1


def _stacked(cell: str, nothing: str = "") -> list[str]:
    """Return what bars separate in a cell, none for ``_`` if that says nothing."""
    if cell == "_" and not nothing:
        return []
    values = [""]
    escaped = False
    for letter in cell:
        if letter == "|" and not escaped:
            values.append("")
        else:
            values[-1] += letter
        escaped = letter == "\\" and not escaped
    return values
