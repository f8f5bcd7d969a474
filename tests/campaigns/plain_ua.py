"""The exploded format of Universal Anaphora again, as plainly as its rules can be written down.

A document is a list of its rows, and a markable a list of the words between its brackets. Used by
plain_readers.py.
"""

import re
from typing import Any

from plain_document import Plain, plain, require

BLANKS = " \t\r"
COLUMNS = [
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS"),
]


def read(text: str, stem: str) -> list[Plain]:
    """Return the documents of a text."""
    lines = text.replace("\r\n", "\n").split("\n")
    for line in lines:
        columns = re.fullmatch(r"#[ \t]*global\.columns[ \t]*=[ \t]*(.*)", line, re.DOTALL)
        if columns:
            named = columns[1].split()
            require(named[: len(COLUMNS)] == COLUMNS[: len(named)])
            break
    groups: list[list[str]] = [[]]
    names: list[str | None] = [None]
    for line in lines:
        newdoc = re.fullmatch(r"#[ \t]*newdoc((?:\s.*)?)", line, re.DOTALL)
        if newdoc:
            named_so = re.fullmatch(r"[ \t]*(?:id[ \t]*= ?(.*))?", newdoc[1], re.DOTALL)
            require(named_so or not newdoc[1].strip(BLANKS))
            names.append(named_so[1] if named_so and named_so[1] and named_so[1].strip(BLANKS) else None)
            groups.append([])
        else:
            groups[-1].append(line)
    if any(line.strip(BLANKS) and line[0] != "#" for line in groups[0]):
        require(len(groups) == 1)
    else:
        names, groups = names[1:], groups[1:]
    require(groups)
    called = [name or (stem if len(names) == 1 else str(number)) for number, name in enumerate(names, 1)]
    return [_document(name, group) for name, group in zip(called, groups, strict=True)]


def _document(name: str, lines: list[str]) -> Plain:
    lengths: list[int] = []
    rows: list[tuple[int, int, list[str]]] = []
    is_over = True
    columns: set[int] = set()
    rank = 0
    for line in lines:
        if line[:1] == "#":
            continue
        if not line.strip(BLANKS):
            require(is_over or lengths[-1])
            is_over, rank = True, 0
            continue
        cells = _cells(line)
        columns.add(len(cells))
        lengths += [0] if is_over else []
        is_over = False
        if re.fullmatch(r"[0-9]+", cells[0]):
            lengths[-1] += 1
            rank = 0
        elif re.fullmatch(r"[0-9]+\.[0-9]+", cells[0]):
            rank += 1
        else:
            ends = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", cells[0])
            require(ends and int(ends[1]) < int(ends[2]))
            require(all(cell in ("_", "") for cell in cells[10:13]))
            continue
        rows.append((sum(lengths), rank, [str(len(lengths) - 1), str(lengths[-1]), *cells[10:13]]))
    require(all(lengths) and len(columns) < 2)
    clusters, ids, entities = _markables(rows, 2, lengths)
    _markables(rows, 4, lengths)
    for _, _, cells in rows:
        for link in _brackets(cells[3] if len(cells) > 3 else "_"):
            require(link[0] == "(" and link[-1] == ")")
            values = _values(link)
            require(values.get("MentionAnchor") or values.get("EntityAnchor"))
            require(values.get("MarkableID"))
    require(ids is not None and entities is not None)
    return plain(clusters, name, lengths)


def _cells(line: str) -> list[str]:
    if line.count("\t") >= 10:
        cells = line.rstrip(" \r").split("\t")
        cells = [*cells[:10], *(cell.strip(" ") for cell in cells[10:])]
    else:
        cells = re.split(r"[ \t]+", line.strip(BLANKS))
    require(len(cells) > 10)
    return cells


def _brackets(cell: str) -> list[str]:
    """Return ``(...``, ``(...)``, ``)`` and ``name)`` in their order."""
    if cell in ("_", ""):
        return []
    found, rest = [], cell
    while rest:
        match = re.match(r"@*(\([^()]*\)?|[^()@]*\))@*", rest)
        require(match)
        if match:
            found.append(match[1] if match[1][-1] == ")" else match[1].rstrip("@"))
            rest = rest[match.end() :]
    return found


def _values(bracket: str) -> dict[str, str]:
    pairs = [pair.split("=", 1) for pair in bracket.removeprefix("(").removesuffix(")").split("|")]
    require(all(len(pair) == 2 for pair in pairs))
    require(len({pair[0] for pair in pairs}) == len(pairs))
    return {pair[0]: pair[1] for pair in pairs}


def _markables(rows: list[tuple[int, int, list[str]]], column: int, lengths: list[int]) -> tuple[Any, ...]:
    entity: dict[str, str] = {}
    tokens: dict[str, list[int]] = {}
    zeros: dict[str, tuple[int, ...]] = {}
    minimum: dict[str, int] = {}
    elements: list[tuple[str, str]] = []
    stack: list[tuple[str, int]] = []
    for number, rank, cells in rows:
        for bracket in _brackets(cells[column] if column < len(cells) else "_"):
            if bracket[0] != "(":
                require(not rank)
                of_name = [one for one in stack if bracket in (")", f"{one[0]})")]
                require(of_name)
                stack.remove(of_name[-1])
                tokens[of_name[-1][0]] += range(of_name[-1][1], number)
                continue
            values = _values(bracket)
            name = values.get("MarkableID", "")
            require(name and values.get("EntityID"))
            require(all(one[0] != name for one in stack))
            require(name not in zeros)
            require(not (rank and name in entity))
            if name not in entity:
                minimum[name] = _last_of_minimum(values)
                tokens[name] = []
            entity[name] = values["EntityID"]
            elements += [(name, one) for one in values.get("ElementOf", "").split(",") if one]
            if rank:
                require(bracket[-1] == ")")
                zeros[name] = (int(cells[0]), int(cells[1]), rank)
            elif bracket[-1] == ")":
                tokens[name].append(number - 1)
            else:
                stack.append((name, number - 1))
    require(not stack)
    require(all(last <= sum(lengths) for last in minimum.values()))
    _refuse_circles({(entity[name], one) for name, one in elements if one in entity.values()})
    clusters: dict[str, list[object]] = {}
    places = [(s, w + 1, 0) for s, length in enumerate(lengths) for w in range(length)]
    for name, label in entity.items():
        if not label.endswith("-Pseudo"):
            inside = sorted(set(tokens[name]))
            mention: object = (zeros[name],) if name in zeros else tuple(places[token] for token in inside)
            if inside and inside == list(range(inside[0], inside[-1] + 1)):
                mention = (inside[0], inside[-1] + 1)
            clusters.setdefault(label, []).append(mention)
    return clusters, set(entity), set(entity.values())


def _last_of_minimum(values: dict[str, str]) -> int:
    """Return the last word of Min, or 0 without one."""
    if "Min" not in values:
        return 0
    limits = re.fullmatch(r"([1-9][0-9]{0,8})(?:,([1-9][0-9]{0,8})(,.*)?)?", values["Min"])
    require(limits)
    first, last = (int(limits[1]), int(limits[2] or limits[1])) if limits else (1, 0)
    require(first <= last)
    return last


def _refuse_circles(pairs: set[tuple[str, str]]) -> None:
    """Take away what is an element of nothing that is left, as long as there is any."""
    while pairs:
        kept = {pair for pair in pairs if pair[0] in {whole for _, whole in pairs}}
        require(kept != pairs)
        pairs = kept
