"""ARE XML again, as plainly as its rules can be written down: a tree, then one rule after the other.

Used by fuzz_are.py. It shares nothing with the package, and another parser reads the tree.
"""

import re
import xml.dom.minidom as dom
from collections.abc import Callable, Iterator
from typing import NamedTuple
from xml.dom.expatbuilder import parseString
from xml.parsers.expat import ExpatError

from are_model import Mention, Side
from plain_document import RefusedError, require

INSIDE = {
    "entities": {"entity"},
    "chains": {"chain"},
    "chain": {"element"},
    "pairs": {"pair"},
    "pair": {"pronoun", "antecedent"},
}
TOP = {"text", "entities", "entity", "chains", "chain", "pairs", "pair"}
BLANK = " \t\r\n"


class PlainFile(NamedTuple):
    """The content of a file, spans in tokens if the text is known."""

    side: Side
    entities: frozenset[Mention]
    unit: str
    text: str | None


def read(data: bytes, task: int, gold: PlainFile | None, *, is_gold: bool) -> PlainFile | None:
    """Return what a file says for a task, or None where it must be refused."""
    try:
        tree = parseString(data, namespaces=False)  # noqa: S316 - seeds hold no entities
        require(tree.doctype is None)
        return _file(tree.documentElement, task, gold, is_gold=is_gold)
    except (RefusedError, ExpatError, LookupError, ValueError):
        return None


def _file(root: dom.Element | None, task: int, gold: PlainFile | None, *, is_gold: bool) -> PlainFile:
    if root is None or not _is_dialect(root):
        raise RefusedError
    require(not root.hasAttribute("task") or root.getAttribute("task") == str(task))
    unit = _choice(root, "unit", ("token", "char"), "")
    require(unit or task in (1, 2))
    inclusive = _choice(root, "ends", ("exclusive", "inclusive"), "exclusive") == "inclusive"
    texts = root.getElementsByTagName("text")
    require(len(texts) <= 1)
    text = "".join(_texts(texts[0])) if texts and is_gold and unit == "char" and task in (3, 4) else None
    if gold and task in (3, 4):
        require(unit == gold.unit)
        text = gold.text

    def mention(node: dom.Element) -> Mention:
        if task in (1, 2):
            require(node.getAttribute("id").strip(BLANK))
            return node.getAttribute("id").strip(BLANK)
        ends = [node.getAttribute(name) for name in ("start", "end")]
        require(all(re.fullmatch("[0-9]{1,18}", end) for end in ends))
        start, end = int(ends[0]), int(ends[1]) + inclusive
        require(start < end)
        return _tokens(start, end, text)

    chains = [
        [mention(element) for element in chain.getElementsByTagName("element")]
        for chain in root.getElementsByTagName("chain")
    ]
    pairs = [_pair(pair, mention) for pair in root.getElementsByTagName("pair")]
    entities = [(mention(node), node) for node in root.getElementsByTagName("entity")]
    pronouns = {one for one, node in entities if _choice(node, "type", ("np", "pronoun"), "np") == "pronoun"}
    listed = frozenset(one for one, _ in entities)
    require(not is_gold or len(listed) == len(entities))
    in_chains = [one for members in chains for one in members]
    require(len(set(in_chains)) == len(in_chains))
    require(len(dict(pairs)) == len(pairs))
    known = listed if is_gold or gold is None else gold.entities
    if known and task in (1, 2):
        require(all(one in known for one in in_chains))
        require(all(one in known for pair in pairs for one in pair if one is not None))
    chains = chains or _connected(dict(pairs))
    if is_gold:
        for pronoun, antecedent in pairs:
            (own,) = [members for members in chains if pronoun in members] or [[]]
            require(len(own) > 1)
            require(antecedent is None or antecedent in own)
    return PlainFile(Side(chains, dict(pairs), frozenset(pronouns)), listed, unit, text)


def _is_dialect(root: dom.Element) -> bool:
    for node in [root, *root.getElementsByTagName("*")]:
        name = "" if node is root else node.tagName
        for child in node.childNodes:
            if child.nodeType == child.ELEMENT_NODE:
                if child.tagName not in (TOP if node is root else INSIDE.get(name, set())):
                    return False
            elif isinstance(child, dom.Text) and name != "text" and child.data.strip(BLANK):
                return False
        names = [child.nodeName for child in node.childNodes]
        if name == "chain" and "element" not in names:
            return False
        if name == "pair" and (names.count("pronoun") != 1 or names.count("antecedent") > 1):
            return False
    return True


def _texts(node: dom.Node) -> Iterator[str]:
    for child in node.childNodes:
        if isinstance(child, dom.Text):
            yield child.data


def _choice(node: dom.Element, name: str, known: tuple[str, ...], default: str) -> str:
    if not node.hasAttribute(name):
        return default
    require(node.getAttribute(name) in known)
    return node.getAttribute(name)


def _pair(node: dom.Element, mention: Callable[[dom.Element], Mention]) -> tuple[Mention, Mention | None]:
    (pronoun,) = node.getElementsByTagName("pronoun")
    antecedents = [mention(one) for one in node.getElementsByTagName("antecedent")]
    return mention(pronoun), (antecedents[0] if antecedents else None)


def _tokens(start: int, end: int, text: str | None) -> tuple[int, int]:
    if text is None:
        return start, end
    require(end <= len(text))
    tokens = [match.span() for match in re.finditer(r"\S+", text)]
    touched = [i for i, (first, last) in enumerate(tokens) if first < end and start < last]
    require(touched)
    return touched[0], touched[-1] + 1


def _connected(pairs: dict[Mention, Mention | None]) -> list[list[Mention]]:
    chains: list[list[Mention]] = []
    for pair in pairs.items():
        ends = [one for one in pair if one is not None]
        joined = [members for members in chains if set(ends) & set(members)]
        chains = [members for members in chains if members not in joined]
        chains.append(list(dict.fromkeys([*ends, *(one for members in joined for one in members)])))
    return chains
