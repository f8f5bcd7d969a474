"""MMAX2 and ECB+ again, as plainly as their rules can be written down. Used by plain_readers.py."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.parsers import expat

from plain_document import Plain, RefusedError, plain, require


class Element(NamedTuple):
    """An element with what is in it."""

    name: str
    attributes: Mapping[str, str]
    children: list["Element"]
    text: list[str]


def read_mmax(data: bytes, stem: str) -> list[Plain]:
    root = _tree(data, external_doctype=True)
    require(root.name == "markables")
    clusters: dict[str, list[tuple[int, int]]] = {}
    for one in root.children:
        require(one.name == "markable" and not one.children)
        ident = one.attributes.get("id")
        cluster = one.attributes.get("coref_class", one.attributes.get("coref_set"))
        words = []
        for piece in one.attributes.get("span", "").split(","):
            require(re.fullmatch(r"\s*word_[0-9]{1,9}(\.\.word_[0-9]{1,9})?\s*", piece))
            first, *last = [int(number) for number in re.findall("[0-9]+", piece)]
            require(0 < first <= (last or [first])[0])
            words += [first, *last]
        alone = f"\0{ident}"  # no set is called so: XML holds no NUL
        clusters.setdefault(cluster if cluster and cluster != "empty" else alone, []).append(
            (min(words) - 1, max(words))
        )
    idents = [one.attributes.get("id", "") for one in root.children]
    require(all(idents) and len(set(idents)) == len(idents))
    sets = [{"coref_class", "coref_set"} & set(one.attributes) for one in root.children]
    require(any(sets) or not sets)
    return [plain(clusters, stem)]


class Found(NamedTuple):
    """The content of a file of ECB+ so far."""

    tokens: list[str]
    sentences: list[list[str]]
    anchors: dict[str, list[int]]
    clusters: dict[str, list[str]]


def read_ecb(data: bytes, stem: str) -> list[Plain]:
    root = _tree(data)
    first = [root.name, *(child.name for child in root.children)][:2]
    require(first in (["Document", "token"], ["Document", "Markables"]))
    _check_places(root, [])
    found = Found([], [], {}, {})
    _walk(root, [], found)
    used = {markable for members in found.clusters.values() for markable in members}
    spans = {name: (min(tokens), max(tokens) + 1) for name, tokens in found.anchors.items() if tokens}
    named = [[spans[markable] for markable in members] for members in found.clusters.values()]
    named += [[span] for markable, span in spans.items() if markable not in used]
    lengths = [len(sentence) for sentence in found.sentences]
    return [plain({str(number): members for number, members in enumerate(named)}, stem, lengths)]


_PLACES = {
    "token": "Document", "Markables": "Document", "Relations": "Document", "source": "Document Relations *",
    "target": "Document Relations *", "token_anchor": "Document Markables *",
}  # fmt: skip


def _check_places(element: Element, above: Sequence[str]) -> None:
    """Refuse elements in other places than their own; anything may be a markable, or in a relation."""
    place = " ".join([*above[:2], *("*" for _ in above[2:])])
    if place != "Document Markables" and above[:2] != ["Document", "Relations"]:
        require(_PLACES.get(element.name, place) == place)
    for child in element.children:
        _check_places(child, [*above, element.name])


def _walk(element: Element, place: list[str], found: Found) -> None:
    """Take elements in their order; what an element points to stands before it."""
    given = element.attributes
    if place == ["Document", "Markables"]:
        require(given.get("m_id") and given["m_id"] not in found.anchors)
        found.anchors[given["m_id"]] = []
    elif element.name == "token" and place == ["Document"]:
        require(given.get("t_id") and given["t_id"] not in found.tokens)
        sentence = given.get("sentence", "")
        require("sentence" not in given or re.fullmatch("[0-9]+", sentence))
        if not found.sentences or found.sentences[-1][-1] != sentence:
            found.sentences.append([])
        found.sentences[-1].append(sentence)
        found.tokens.append(given["t_id"])
    elif element.name == "token_anchor" and place[:2] == ["Document", "Markables"]:
        require(given.get("t_id") in found.tokens)
        found.anchors[list(found.anchors)[-1]].append(found.tokens.index(given["t_id"]))
    elif element.name in ("CROSS_DOC_COREF", "INTRA_DOC_COREF") and place == ["Document", "Relations"]:
        _relate(element, found)
    for child in element.children:
        _walk(child, [*place, element.name], found)


def _relate(relation: Element, found: Found) -> None:
    is_cross = relation.name == "CROSS_DOC_COREF"
    name = relation.attributes.get("note" if is_cross else "r_id", "")
    require(name)
    members = found.clusters.setdefault(name if is_cross else f"intra {len(found.clusters)}", [])
    for child in relation.children:
        if child.name in ("source", "target"):
            markable = child.attributes.get("m_id", "")
            require(markable in found.anchors and (found.anchors[markable] or child.name == "target"))
            members += [markable] if found.anchors[markable] else []


def _tree(data: bytes, *, external_doctype: bool = False) -> Element:
    top = Element("", {}, [], [])
    path = [top]
    parser = expat.ParserCreate()

    def start(name: str, attributes: dict[str, str]) -> None:
        path[-1].children.append(Element(name, attributes, [], []))
        path.append(path[-1].children[-1])

    def doctype(_: str, __: str | None, ___: str | None, has_declarations: object) -> None:
        require(external_doctype and not has_declarations)

    def entity(_: str, __: object) -> None:
        raise RefusedError

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: path.pop()
    parser.StartDoctypeDeclHandler = doctype
    parser.SkippedEntityHandler = entity
    try:
        parser.Parse(data, True)  # noqa: FBT003 - it takes no names
    except (expat.ExpatError, LookupError) as error:
        raise RefusedError from error
    return top.children[0]
