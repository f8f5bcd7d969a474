"""CorefUD again, as plainly as its rules can be written down. Used by plain_readers.py.

A document is a list of its lines, a sentence a list of its rows, and a mention the list of all nodes that
stand between its brackets.
"""

import re
from typing import Any, TypeAlias

from plain_document import Plain, plain, require

BLANKS = " \t\r"
Node: TypeAlias = tuple[int, int]
"""Word and rank."""


class _Mention:
    def __init__(self, entity: str, sentence: int, of: int) -> None:
        self.entity = entity
        self.sentence = sentence
        self.of = of
        self.pieces: list[tuple[Node, Node]] = []
        self.begin: Node | None = None
        self.head = 0


def read(text: str, stem: str, mark: str = "Entity=|Bridge=|Split") -> list[Plain]:
    """Return the documents of a text, in which `mark` tells rows that say something about coreference."""
    lines = text.replace("\r\n", "\n").split("\n")
    fields = _fields(lines) if "Entity" in mark else (0, [])
    groups: list[list[tuple[int, str]]] = [[]]
    names: list[str | None] = [None]
    for number, line in enumerate(lines):
        newdoc = re.fullmatch(r"#[ \t]*newdoc((?:\s.*)?)", line, re.DOTALL)
        if newdoc:
            named = re.fullmatch(r"[ \t]*(?:id[ \t]*= ?(.*))?", newdoc[1], re.DOTALL)
            require(named or not newdoc[1].strip(BLANKS))
            names.append(named[1] if named and named[1] and named[1].strip(BLANKS) else None)
            groups.append([])
        groups[-1].append((number, line))
    if not any(line.strip(BLANKS) and line[0] != "#" for _, line in groups[0]):
        names, groups = names[1:], groups[1:]
    require(groups)
    called = [name or (stem if len(names) == 1 else str(number)) for number, name in enumerate(names, 1)]
    return [
        _document(name, group, fields, mark, is_last=group is groups[-1])
        for name, group in zip(called, groups, strict=True)
    ]


def _fields(lines: list[str]) -> tuple[int, list[str]]:
    """Return the line that names the fields, and the fields; no line may name others."""
    found: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines):
        match = re.fullmatch(r"#[ \t]*global\.Entity[ \t]*=[ \t]*(.*?)[ \t\r]*", line, re.DOTALL)
        if match:
            require(not found or found[0][1] == match[1].split("-"))
            found.append((number, match[1].split("-")))
            require("eid" in found[0][1] or "GRP" in found[0][1])
    return found[0] if found else (len(lines), [])


def read_stanza(text: str, stem: str) -> list[Plain]:
    """Return the documents of a text by Stanza."""
    return read(text, stem, "coref_chains=|ner=")


def _document(
    name: str, lines: list[tuple[int, str]], fields: tuple[int, list[str]], mark: str, *, is_last: bool
) -> Plain:
    sentences: list[list[tuple[int, str]]] = [[]]
    for number, line in lines:
        if line.startswith("#"):
            require(not sentences[-1])
        elif line.strip(BLANKS):
            sentences[-1].append((number, line))
        else:
            sentences.append([])
    require(is_last or not sentences[-1])
    mentions: list[_Mention] = []
    unclosed: list[_Mention] = []
    links: list[str] = []
    lengths: list[int] = []
    orders: list[list[Node]] = []
    every = [row.split("\t") for rows in sentences for _, row in rows]
    is_full = any(len(columns) == 10 and columns[0][:1] in "0123456789" for columns in every)
    for columns in every:
        require(len(columns) == 10 or not re.search(mark, "\t".join(columns)))
        require(len(columns) in {1, 2, 10} or not is_full)
    if "ner=" in mark:
        return _of_chains(name, [_nodes(rows) for rows in sentences if rows])
    for rows in filter(None, sentences):
        nodes = _nodes(rows)
        orders.append(sorted(nodes))
        lengths.append(sum(rank == 0 for _, rank in nodes))
        for node in sorted(nodes):
            number, row = nodes[node]
            _read_row(row, number > fields[0], fields[1], node, (mentions, unclosed, links, orders))
    require({entity for link in links for entity in link} <= {one.entity for one in mentions})
    clusters: dict[str, list[object]] = {}
    for one in mentions:
        if one.begin is None and len(one.pieces) >= one.of:
            before = sum(lengths[: one.sentence])
            clusters.setdefault(one.entity, []).append(_mention(one, orders[one.sentence], before))
    return plain(clusters, name, lengths)


def _of_chains(name: str, sentences: list[dict[Node, tuple[int, str]]]) -> Plain:
    """Return a document whose words say where in mentions of which chains they stand."""
    clusters: dict[str, list[object]] = {}
    before = 0
    for number, nodes in enumerate(sentences):
        begun: dict[str, list[int]] = {}
        for node in sorted(nodes):
            word, rank = node
            cells = nodes[node][1].split("\t")
            attributes = (cells[9] if len(cells) > 9 else "").rstrip(" \r").split("|")
            one = r"(unit|start|middle|end)-(?:repr-)?id([0-9]+)"
            told = [
                found
                for found in attributes
                if re.fullmatch(rf"(?:coref_chains|ner)={one}(?:,{one})*", found)
            ]
            require(len(told) < 2)
            places = re.findall(one, told[0]) if told else []
            require(not rank or all(place == "unit" for place, _ in places))
            for chain in {*begun, *(chain for _, chain in places)} if not rank else ():
                own = [place for place, other in places if other == chain]
                going = [place for place in own if place in ("middle", "end")]
                require(len(going) == len(begun.get(chain, [])))
                for first, place in zip(begun.get(chain, []), going, strict=True):
                    if place == "end":
                        clusters.setdefault(chain, []).append((before + first - 1, before + word))
                left = [
                    first for first, place in zip(begun.get(chain, []), going, strict=True) if place != "end"
                ]
                begun[chain] = left + [word] * own.count("start")
            for place, chain in places:
                if place == "unit":
                    mention = (before + word - 1, before + word) if not rank else ((number, word, rank),)
                    clusters.setdefault(chain, []).append(mention)
        require(not any(begun.values()))
        before += sum(rank == 0 for _, rank in nodes)
    return plain(clusters, name, [sum(rank == 0 for _, rank in nodes) for nodes in sentences])


def _nodes(rows: list[tuple[int, str]]) -> dict[Node, tuple[int, str]]:
    """Return the rows by word and rank."""
    nodes: dict[Node, tuple[int, str]] = {}
    words = 0
    for number, row in rows:
        columns = row.split("\t")
        require(len(columns) <= 10)
        first = columns[0]
        if len(columns) > 1 and first == str(words + 1):
            words += 1
            node = (words, 0)
        elif re.fullmatch(r"[1-9][0-9]{0,8}-[1-9][0-9]{0,8}", first):
            begin, end = map(int, first.split("-"))
            require(begin == words + 1 < end)
            continue
        else:
            require(re.fullmatch(r"(0|[1-9][0-9]{0,8})\.[1-9][0-9]{0,8}", first))
            word, rank = map(int, first.split("."))
            node = (word, rank)
        require(node not in nodes)
        nodes[node] = (number, row)
    require(words)
    require(all(word <= words for word, _ in nodes))
    return nodes


def _read_row(row: str, is_named: bool, fields: list[str], node: Node, state: tuple[Any, ...]) -> None:
    mentions, _, links, _ = state
    found: dict[str, str] = {}
    for attribute in "".join(row.split("\t")[9:10]).rstrip(" \r").split("|"):
        name, equals, value = attribute.partition("=")
        name = "SplitAnte" if name == "Split" else name
        if equals and name in ("Entity", "Bridge", "SplitAnte"):
            require(name not in found)
            found[name] = value
    if "Entity" in found:
        require(is_named)
        rest = found["Entity"]
        while rest:
            bracket = re.match(r"\([^()]+\)?|[^()]+\)", rest)
            require(bracket)
            rest = rest[len(bracket[0]) :] if bracket else ""
            _read_bracket(bracket[0] if bracket else "", fields, node, state)
    for name in ("Bridge", "SplitAnte"):
        for link in found[name].split(",") if name in found else ():
            parts = re.fullmatch(r"([^<,:]+)<([^<,:]+)(:.*)?", link, re.DOTALL)
            require(parts)
            if parts:
                require(parts[1] != parts[2])
                require(parts[3] is None or name == "Bridge")
                require(name == "SplitAnte" or any(one.entity == parts[2] for one in mentions))
                links.append((parts[1], parts[2]))


def _read_bracket(bracket: str, fields: list[str], node: Node, state: tuple[Any, ...]) -> None:
    mentions, unclosed, _, orders = state
    sentence = len(orders) - 1
    values = dict(reversed(list(zip(fields, bracket.strip("()").split("-"), strict=False))))
    opens, closes = bracket[0] == "(", bracket[-1] == ")"
    written = (
        values.get("eid", values.get("GRP", "") if "eid" not in fields else "") if opens else bracket[:-1]
    )
    require(written)
    entity, part, of = _entity(written)
    if opens:
        head = values.get("head", "")
        require(re.fullmatch(r"[0-9]*", head))
        if part > 1:
            waiting = [
                one
                for one in mentions
                if one.entity == entity and one.sentence == sentence and one.begin is None
                if len(one.pieces) == part - 1 and one.of == of
            ]
            require(len(waiting) == 1)
            mention = waiting[0]
        else:
            mention = _Mention(entity, sentence, of)
            mentions.append(mention)
        mention.begin = node
        mention.head = int(head[:9] or 0)
    else:
        own = [one for one in unclosed if one.entity == entity]
        require(own)
        mention = own[-1]
        unclosed.remove(mention)
        require(mention.sentence == sentence)
        require(not part or (part, of) == (len(mention.pieces) + 1, mention.of))
    if not closes:
        unclosed.append(mention)
    elif mention.begin is not None:
        mention.pieces.append((mention.begin, node))
        mention.begin = None
        size = len(_inside(mention, orders[-1]))
        require(len(mention.pieces) < mention.of or size == 1 or mention.head <= size)


def _entity(written: str) -> tuple[str, int, int]:
    if not written.endswith("]"):
        return written, 0, 0
    match = re.fullmatch(r"([^\[\]]+)\[([1-9][0-9]*)/([1-9][0-9]*)\]", written)
    require(match)
    entity, part, of = match.groups() if match else ("", "1", "1")
    require(int(part[:9]) <= int(of[:9]))
    return entity, int(part[:9]), int(of[:9])


def _inside(one: _Mention, order: list[Node]) -> list[Node]:
    return [node for node in order if any(first <= node <= last for first, last in one.pieces)]


def _mention(one: _Mention, order: list[Node], before: int) -> object:
    """Return a span of the words of the document if that says all, else the places of the nodes."""
    nodes = _inside(one, order)
    words = [word for word, rank in nodes if rank == 0]
    if len(words) == len(nodes) and words == list(range(words[0], words[-1] + 1)):
        return before + words[0] - 1, before + words[-1]
    return tuple((one.sentence, word, rank) for word, rank in nodes)
