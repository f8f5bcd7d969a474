"""Expected output of the linking companions, from their inputs by rules written anew.

Used by fuzz_companions.py. Every check takes the output, the files by name, and the call; it only sees what
was not refused.
"""

import gzip
import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TypeAlias
from xml.etree import ElementTree as ET

import plain_readers
from findings import broken

Files: TypeAlias = Mapping[str, bytes]
Span: TypeAlias = tuple[str, int, int]
GZIP = b"\x1f\x8b"
LONGEST_OFFSET = 18
"""Digits."""
_COUNTS = 7


def weak(text: str, files: Files, _: str) -> None:
    """Check rows of one unit each, with what follows the offsets in their mention."""
    wanted = []
    for docid, start, end, *rest in _rows(_text(files["in.tsv"])):
        wanted += [(docid, str(i), str(i), *rest) for i in range(int(start), int(end) + 1)]
    _same(map(tuple, _annotations(text)), wanted, "rows")


def alternatives(text: str, files: Files, _: str) -> None:
    """Check that every gold mention is there once, with one candidate of its own at most."""
    gold: dict[Span, set[str]] = {}
    spans: Counter[Span] = Counter()
    for docid, start, end, *rest in _rows(_text(files["gold.tsv"])):
        span = (docid, int(start), int(end))
        gold.setdefault(span, set()).update(rest[::3])
        spans[span] += 1
    rows = _annotations(text)
    _same(map(_span, rows), spans.elements(), "mentions")
    for row in rows:
        if len(row) > 6 or not set(row[3:4]) <= gold[_span(row)]:
            broken("a mention has another candidate than one of its own", str(row))


def columns(text: str, files: Files, _: str) -> None:
    """Check that the spans of each document are those of a plain reader, counted from 1."""
    documents = plain_readers.read(files["in.conll"], "conll", "in") or []
    spans = [{span for members in document.clusters for span in members} for document in documents]
    wanted = [(span[0] + 1, span[1]) for found in spans for span in found if isinstance(span, tuple)]
    _same((_span(row)[1:] for row in _annotations(text)), wanted, "spans")


def brat(text: str, files: Files, call: str) -> None:
    """Check that each mention, or each of its pieces, has a row that ends before its end."""
    wanted = []
    for name in ("doc0", "doc1"):
        for line in _text(files[f"ann/{name}.ann"]).split("\n"):
            if line.startswith("T"):
                offsets = line.split("\t")[1].partition(" ")[2]
                pieces = [tuple(map(int, piece.split())) for piece in offsets.split(";")]
                if "--pieces" not in call:
                    pieces = [(min(piece[0] for piece in pieces), max(piece[1] for piece in pieces))]
                wanted += [(name, start, end - 1) for start, end in pieces]
    _same(map(_span, _annotations(text)), wanted, "spans")


def queries(text: str, files: Files, call: str) -> None:
    """Check that each span that is asked about, and is not left out, has one row."""
    less = "--exclusive-ends" in call
    asked = [
        [(query.findtext(f".//{part}") or "").strip() for part in ("docid", "beg", "end")]
        for query in ET.fromstring(_unpacked(files["q.xml"])).iter("query")  # noqa: S314 - without DOCTYPE
    ]
    _one_each(text, {(docid, int(start), int(end) - less) for docid, start, end in asked}, call)


def run(text: str, files: Files, call: str) -> None:
    """Check that each span of a table, however it is written, has one row."""
    spans = set()
    for cells in _rows(_text(files["run.tab"])):
        if any(cell.strip() for cell in cells):
            docid, _, offsets = cells[3].strip().rpartition(":")
            start, end = re.split("[-–]", offsets)  # noqa: RUF001 - files have en dashes, too
            spans.add((docid, int(start), int(end)))
    _one_each(text, spans, call)


def weights(text: str, files: Files, call: str) -> None:
    """Check every pair of a type and an ancestor, by the shortest way between them."""
    tree = json.loads(_text(files["h.json"]))
    parents: dict[str, set[str]] = {}
    for parent, children in tree.items():
        for child in children:
            parents.setdefault(child, set()).add(parent)
    decay = 0.25 if "-d" in call else 0.5
    wanted = []
    for kind, above in parents.items():
        seen: dict[str, int] = {}
        for distance in range(1, len(tree) + 1):
            seen = {**dict.fromkeys(above, distance), **seen}
            above = {one for below in above for one in parents.get(below, ())}  # noqa: PLW2901 - the next level
        ancestors = [(one, kind) if "--ancestor-first" in call else (kind, one) for one in seen]
        wanted += [(*pair, f"{decay**k:.6f}") for pair, k in zip(ancestors, seen.values(), strict=True)]
    _same((tuple(row) for row in _rows(text)), wanted, "weights")


def composed(text: str, _files: Files, _call: str) -> None:
    """Check rows of seven numbers and a name."""
    _numbers(text, 1 + _COUNTS, slice(0, _COUNTS))


def ranking(text: str, _files: Files, call: str) -> None:
    """Check that better scores come first and have the smaller ranks."""
    rows = _numbers(text, 7 if "--group-re" in call else 5, slice(2, 3))
    score = 4 if "--group-re" in call else 3
    for one, other in pairwise(rows):
        alike = one[:2] == other[:2]
        if alike and (int(one[2]) > int(other[2]) or float(one[score]) < float(other[score])):
            broken("a worse system comes first", f"{one} before {other}")


def agreement(text: str, _files: Files, _call: str) -> None:
    """Check that correlations lie in -1..1."""
    for row in _numbers(text, _COUNTS, slice(2, _COUNTS)):
        if any(abs(float(cell)) > 1 for cell in row[2:5]):
            broken("a correlation beyond 1", str(row))


def plotted(text: str, _files: Files, _call: str) -> None:
    """Check values with their places."""
    _numbers(text, 6, slice(3, 4))


def _numbers(text: str, width: int, places: slice) -> list[list[str]]:
    """Return the rows below the head."""
    _, *rows = [[cell.strip(" ") for cell in row] for row in _rows(text)]
    for row in rows:
        if len(row) != width or any(math.isinf(float(cell)) for cell in row[places]):
            broken("a row of other columns", str(row))
    return rows


def _one_each(text: str, spans: set[Span], call: str) -> None:
    rows = _annotations(text)
    if "-x" in call:
        spans = {span for span in spans if span in set(map(_span, rows))}
    _same(map(_span, rows), spans, "spans")


def _annotations(text: str) -> list[list[str]]:
    """Return the cells of annotations, whose lines are what a plain reading of their format says."""
    rows = _rows(text)
    for row in rows:
        docid, start, end = row[0], *row[1:3]
        plain = all(re.fullmatch("[0-9]+", place) and len(place) <= LONGEST_OFFSET for place in (start, end))
        if not (docid and plain and int(start) <= int(end)):
            broken("a line that is no mention", str(row))
        used = len("\t".join(row[3:]).rstrip("\t").split("\t"))
        if used > 3 and used % 3 and len(row[3:]) % 3:
            broken("candidates without an end", str(row))
        if any(cell and not math.isfinite(float(cell)) for cell in row[4::3]):
            broken("a score that is no number", str(row))
    return rows


def _rows(text: str) -> list[list[str]]:
    lines = text.split("\n")
    return [line.removesuffix("\r").split("\t") for line in (lines if lines[-1] else lines[:-1])]


def _span(row: list[str]) -> Span:
    return row[0], int(row[1]), int(row[2])


def _text(data: bytes) -> str:
    return _unpacked(data).decode("utf-8").removeprefix("\ufeff")


def _unpacked(data: bytes) -> bytes:
    return gzip.decompress(data) if data[:2] == GZIP else data


def _same(found: Iterable[object], wanted: Iterable[object], what: str) -> None:
    more, less = Counter(found), Counter(wanted)
    if more != less:
        broken(f"other {what} than expected", f"too many {more - less}, too few {less - more}")
