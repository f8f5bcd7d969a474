"""Readers of formats in rows again, as plainly as their rules can be written down. Used by fuzz_rows.py.

Each returns what a text says, or refuses it. Nothing is shared with the package.
"""

import re
from collections.abc import Callable, Mapping

from plain_document import Plain, RefusedError, plain, require


def read(data: bytes, form: str, stem: str) -> list[Plain] | None:
    """Return the documents of a file, or None if it must be refused."""
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
        require("\0" not in text)
        return READERS[form](text, stem)
    except (RefusedError, UnicodeDecodeError):
        return None


def _whole(cell: str) -> int:
    require(re.fullmatch("[0-9]{1,18}", cell))
    return int(cell)


def _rows(text: str) -> list[str]:
    return [line[:-1] if line[-1:] == "\r" else line for line in text.split("\n")]


def _is_blank(row: str) -> bool:
    return not set(row) - set(" \t\r")


def _booknlp(text: str, stem: str) -> list[Plain]:
    head, *rows = _rows(text)
    columns = head.split("\t")
    require(columns[:3] == ["COREF", "start_token", "end_token"])
    clusters: dict[str, list[tuple[int, int]]] = {}
    for number, row in enumerate(rows):
        if not _is_blank(row):
            cells = row.split("\t")
            require(len(cells) >= len(columns) and cells[0])
            first, last = _whole(cells[1]), _whole(cells[2])
            require(first <= last)
            name = f"alone {number}" if cells[0] == "-1" else f"entity {cells[0]}"
            clusters.setdefault(name, []).append((first, last + 1))
    return [plain(clusters, stem)]


def _litbank(text: str, stem: str) -> list[Plain]:
    places: dict[str, str] = {}
    owners: list[tuple[str, str]] = []
    for row in _rows(text):
        kind, *cells = row.split("\t")
        if kind == "MENTION":
            require(len(cells) >= 5 and cells[0] and cells[0] not in places)
            one, first, other, last = map(_whole, cells[1:5])
            require(one < other or (one == other and first <= last))
            places[cells[0]] = f"{one}.{first}-{last}" if one == other else f"{one}.{first}-{other}.{last}"
        elif kind == "COREF":
            require(len(cells) >= 2 and cells[0] and cells[1])
            owners.append((cells[0], cells[1]))
        else:
            require(kind in {"COP", "APPOS"} or _is_blank(row))
    clusters: dict[str, list[str]] = {}
    for ident, entity in owners:
        require(ident in places)
        clusters.setdefault(f"entity {entity}", []).append(places[ident])
    for ident in set(places) - {ident for ident, _ in owners}:
        clusters[f"alone {ident}"] = [places[ident]]
    return [plain(clusters, stem)]


def _brat(text: str, stem: str) -> list[Plain]:
    spans: dict[str, tuple[int, int]] = {}
    triggers: dict[str, str] = {}
    groups: list[list[str]] = []
    for row in filter(None, _rows(text)):
        ident, tab, rest = row.partition("\t")
        require(tab and not re.search(r"\s", ident))
        if row[0] == "T":
            require(len(ident) > 1 and ident not in spans)
            spans[ident] = _pieces(rest)
        elif row[0] == "E":
            found = re.match(r"[^\s:]+:(T\S+)(?!\S)", rest)
            require(len(ident) > 1 and found and "\n" not in rest)
            triggers[ident] = found[1] if found else ""
        elif row[0] == "R":
            found = re.match(r"(\S+) [^\s:]+:(\S+) [^\s:]+:(\S+)(?!\S)", rest)
            require(len(ident) > 1 and found)
            if found and found[1].casefold()[:5] == "coref":
                groups.append([found[2], found[3]])
        elif row[0] == "*":
            name, *ends = re.sub(r"\s+\Z", "", rest).split(" ")
            require(ident == "*" and name and len(ends) > 1)
            require(all(end and not re.search(r"\s", end) for end in (name, *ends)))
            if name == "Equiv" or name.casefold()[:5] == "coref":
                groups.append(ends)
        else:
            require(row[0] in "AMN#")
            require(row[0] == "#" or (len(ident) > 1 and re.match(r"\S+ \S", rest)))
    return [plain(_joined(spans, [[triggers.get(end, end) for end in group] for group in groups]), stem)]


def _pieces(rest: str) -> tuple[int, int]:
    """Return the span of a T line, by what follows its id."""
    found = re.match(r"\S+ ([0-9; ]*[0-9])", rest)
    require(found)
    written = found[1] if found else ""
    after = rest[len(found[0]) :] if found else ""
    require(re.match(r"\s*\Z", after) or re.match(r"\s*\t", after))
    ends = []
    for piece in written.split(";"):
        cells = piece.split(" ")
        require(len(cells) == 2)
        start, end = map(_whole, cells)
        require(start < end)
        ends.append((start, end))
    return min(start for start, _ in ends), max(end for _, end in ends)


def _joined(
    spans: Mapping[str, tuple[int, int]], groups: list[list[str]]
) -> Mapping[str, list[tuple[int, int]]]:
    home = {ident: ident for ident in spans}
    for group in groups:
        require(all(end in spans for end in group))
        joined = {home[end] for end in group}
        home = {ident: min(joined) if name in joined else name for ident, name in home.items()}
    return {name: [spans[i] for i in spans if home[i] == name] for name in set(home.values())}


def _gap(text: str, stem: str) -> list[Plain]:  # noqa: ARG001 - as the others
    head, *rows = _rows(text)
    columns = head.split("\t")
    wanted = r"ID\tText\tPronoun\tPronoun-offset\tA\tA-offset\tA-coref\tB\tB-offset\tB-coref(\t.*)?"
    require(re.fullmatch(wanted, head, re.DOTALL))
    found: list[Plain] = []
    for cells in (row.split("\t") for row in rows if not _is_blank(row)):
        require(len(cells) >= len(columns) and cells[0] and cells[0] not in {one.name for one in found})
        spans = []
        for column in (2, 4, 7):
            start = _whole(cells[column + 1])
            require(cells[column] and cells[1][start:].startswith(cells[column]))
            spans.append((start, start + len(cells[column])))
        clusters = {"meant": spans[:1], "a": [], "b": []}
        for name, span, answer in zip("ab", spans[1:], (cells[6].lower(), cells[9].lower()), strict=True):
            require(answer in {"true", "false"})
            clusters["meant" if answer == "true" else name].append(span)
        found.append(plain(clusters, cells[0], [len(cells[1])]))
    require(found)
    return found


READERS: Mapping[str, Callable[[str, str], list[Plain]]] = {
    "booknlp": _booknlp,
    "litbank": _litbank,
    "brat": _brat,
    "gap": _gap,
}
