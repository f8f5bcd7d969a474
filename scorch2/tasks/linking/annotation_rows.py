"""Rows of annotations: lines as they are written, and what changes them."""

import json
import re
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias
from urllib.parse import unquote

from scorch2.formats.fields import DIGITS
from scorch2.formats.json.strict import parse
from scorch2.formats.source import read_text
from scorch2.model.document import Document
from scorch2.model.errors import InputError, UsageError, counted, json_place, printable, quoted
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.names import annotations
from scorch2.model.values import finite_number

_WIKIPEDIA = ".wikipedia.org/wiki/"
_SCHEMES = ("http://", "https://")
_RANGE = 3
_BREAK = re.compile(r"[\t\n\r]")


class EntityChoice(NamedTuple):
    """An entity that a mention may denote."""

    id: str
    score: str
    type: str


class MentionRow(NamedTuple):
    """A mention: a line of annotations. Both offsets are inside it."""

    docid: str
    start: int
    end: int
    choices: Sequence[EntityChoice]


class Range(NamedTuple):
    """A part of a document; both offsets are inside it."""

    docid: str
    start: int
    end: int


Ranges: TypeAlias = Mapping[str, Sequence[Range]]


def rows_text(rows: Iterable[MentionRow]) -> str:
    """Return the lines of annotations."""
    lines = (
        "\t".join([row.docid, str(row.start), str(row.end), *(cell for one in row.choices for cell in one)])
        for row in rows
    )
    return "".join(f"{line}\n" for line in lines)


def summary(rows: Sequence[MentionRow]) -> str:
    """Return how many mentions and links there are."""
    links = sum(len(row.choices) for row in rows)
    return f"{counted(len(rows), 'mention')}, {counted(links, 'link')}"


def table_lines(path: str) -> list[tuple[int, list[str]]]:
    """Return the cells of every line of a tab-separated file, with its number; blank ones are left out."""
    found = enumerate(read_text(path).split("\n"), 1)
    return [(number, line.removesuffix("\r").split("\t")) for number, line in found if line.strip()]


def checked_cell(text: str, what: str, path: str, where: str) -> str:
    """Return `text` if it fits one cell; raise an InputError if it would be read as several."""
    if _BREAK.search(text):
        raise InputError(path, where, f"the {what} {quoted(text)} holds a tab or a line break")
    return text


def checked_score(text: str, path: str, where: str) -> str:
    """Return a cell that is a finite number, as it is written."""
    if finite_number(text) is None:
        raise InputError(path, where, f"the score {quoted(text)} is not a finite number")
    return text


def range_of(docid: str, start: str, end: str, path: str, where: str) -> Range:
    """Return a part of a document whose offsets are written as text, or raise an InputError."""
    if not checked_cell(docid, "docid", path, where):
        raise InputError(path, where, "the docid is empty")
    first, last = checked_offset(start, path, where), checked_offset(end, path, where)
    if first > last:
        why = f"the start {first} is after the end {last} (the end is the last unit of the mention)"
        raise InputError(path, where, why)
    return Range(docid, first, last)


def checked_offset(text: str, path: str, where: str) -> int:
    """Return the offset that a cell holds; raise an InputError if it holds none."""
    if not (text.isascii() and text.isdigit()):
        raise InputError(path, where, f"{quoted(text)} is not an offset")
    if len(text) > DIGITS:
        raise InputError(path, where, f"an offset of more than {DIGITS} digits")
    return int(text)


def read_excluded(path: str | None) -> Ranges:
    """Return the ranges in which mentions are left out: one per line, ``docid start end ...``."""
    ranges: dict[str, list[Range]] = {}
    if path is None:
        return ranges
    for number, cells in table_lines(path):
        if len(cells) < _RANGE:
            why = f"{counted(len(cells), 'cell')}, but docid, start and end are wanted"
            raise InputError(path, f"line {number}", why)
        part = range_of(cells[0], cells[1], cells[2], path, f"line {number}")
        ranges.setdefault(part.docid, []).append(part)
    return ranges


def lies_in(one: Range, ranges: Ranges) -> bool:
    """Return whether a range begins or ends inside one of the `ranges` of its document."""
    inside = ranges.get(one.docid, ())
    return any(part.start <= place <= part.end for part in inside for place in (one.start, one.end))


def read_redirects(path: str | None) -> Mapping[str, str] | None:
    """Return the title for each redirect, from lines ``title redirect redirect ...``; None without a file."""
    if path is None:
        return None
    titles: dict[str, str] = {}
    for number, (written, *others) in table_lines(path):
        title = _underscored(written)
        for redirect in map(_underscored, others):
            if titles.setdefault(redirect, title) != title:
                why = f"{quoted(redirect)} is {quoted(title)} here and {quoted(titles[redirect])} above"
                raise InputError(path, f"line {number}", why)
    return titles


def titled(ident: str, titles: Mapping[str, str] | None) -> str:
    """Return an id as its title; without titles as it is."""
    if titles is None:
        return ident
    for scheme in _SCHEMES:
        host, wiki, page = ident.partition(_WIKIPEDIA)
        if wiki and host.startswith(scheme) and "/" not in host.removeprefix(scheme):
            ident = page
    ident = _underscored(ident)
    return titles.get(ident, ident)


def decoded(ident: str, path: str, where: str) -> str:
    """Return an id with percent escapes resolved; raise an InputError if they are not UTF-8."""
    try:
        plain = unquote(ident, errors="strict")
    except UnicodeDecodeError:
        raise InputError(path, where, f"the escapes in {quoted(ident)} are not UTF-8") from None
    return checked_cell(plain, "id", path, where)


def _underscored(title: str) -> str:
    return title.replace(" ", "_")


CandidateKey: TypeAlias = Callable[[Candidate], Hashable]
"""The key that candidates are compared by; raises a KeyError with the field that one does not have."""
ALL = "*"


def _type(one: Candidate) -> Hashable:
    return _value(one.type["type"] if isinstance(one.type, Mapping) else one.type)


_FIELDS: Mapping[str, CandidateKey] = {
    "eid": lambda one: one.id,
    "type": _type,
    "score": lambda one: one.score,
}


def key_of(fields: Sequence[str]) -> CandidateKey:
    """Return what candidates are compared by: eid, type, score, members of JSON types, or ``*`` for all."""
    if list(fields) == [ALL]:
        return lambda candidate: (candidate.id, candidate.score, _value(candidate.type))
    if not all(fields) or ALL in fields:
        shown = printable(",".join(fields))
        what = ", ".join([*_FIELDS, "members of JSON types"])
        raise UsageError(f"--fields={shown}: should be names with commas between them ({what}), or {ALL}")
    return lambda candidate: tuple(_FIELDS.get(name, _member(name))(candidate) for name in fields)


def select_alternatives(
    gold: Sequence[Document], system: Sequence[Document], key: CandidateKey
) -> list[Document]:
    """Return gold with one candidate per mention."""
    # That is the first, by score, which equals the system's best candidate at the same span; or one anywhere
    # in the document; or one anywhere in the system's output; or just the first
    best: dict[tuple[object, ...], set[Hashable]] = {}
    for document in system:
        for mention in annotations(document) or ():
            if mention.candidates:
                top_key = _keyed(mention.top, key, document, mention)
                for place in _places(document, mention):
                    best.setdefault(place, set()).add(top_key)
    return [
        document._replace(
            annotations=[_reduced(document, mention, best, key) for mention in annotations(document) or ()]
        )
        for document in gold
    ]


def _places(document: Document, mention: Annotation) -> Sequence[tuple[object, ...]]:
    return (document.id, mention.start, mention.end), (document.id,), ()


def _reduced(
    document: Document,
    mention: Annotation,
    best: Mapping[tuple[object, ...], Collection[Hashable]],
    key: CandidateKey,
) -> Annotation:
    if len(mention.candidates) < 2:  # noqa: PLR2004 - nothing to choose from
        return mention
    ranked = sorted(mention.candidates, key=_rank, reverse=True)
    keys = [_keyed(candidate, key, document, mention) for candidate in ranked]
    for place in _places(document, mention):
        for candidate, compared in zip(ranked, keys, strict=True):
            if compared in best.get(place, ()):
                return mention._replace(candidates=(candidate,))
    return mention._replace(candidates=(ranked[0],))


def _rank(one: Candidate) -> float:
    return float("-inf") if one.score is None else one.score


def _keyed(one: Candidate, key: CandidateKey, document: Document, mention: Annotation) -> Hashable:
    try:
        return key(one)
    except KeyError as error:
        why = f"the field {quoted(error.args[0])} is missing in the type"
        raise InputError(document.path, f"line {mention.line}", why) from None


def _member(name: str) -> CandidateKey:
    def member(candidate: Candidate) -> Hashable:
        if not isinstance(candidate.type, Mapping):
            raise KeyError(name)
        return _value(candidate.type[name])

    return member


def _value(value: Any) -> Hashable:
    """Return a JSON value in a form that can be compared; 1 and "1" stay apart."""
    return json.dumps(value, sort_keys=True)


MOST_STEPS, USUAL_STEPS = 1_000_000, 30
"""Steps from types up to their ancestors that are taken: so many, and as many more for each link."""


def ancestor_weights(
    children: Mapping[str, Sequence[str]], decay: float, path: str, *, ancestor_first: bool = False
) -> Iterator[tuple[str, str, float]]:
    """Return (type, ancestor, weight) for every type and each of its ancestors, sorted."""
    # An ancestor ``k`` steps away, on the shortest way, weighs ``decay ** k``; it may come first. The weights
    # of a type are made when they are asked for; an InputError comes before the first.
    parents: dict[str, list[str]] = {}
    for parent, below in children.items():
        for child in below:
            parents.setdefault(child, []).append(parent)
    most = MOST_STEPS + USUAL_STEPS * sum(map(len, children.values()))
    taken = 0
    for kind in parents:
        steps = _steps(parents, kind)
        taken += sum(len(parents.get(above, ())) for above in (kind, *steps))
        if kind in steps:
            raise InputError(path, "$", f"{quoted(kind)} is an ancestor of itself")
        if taken > most:
            why = f"more than {most} steps from types up to their ancestors"
            raise InputError(path, "$", f"{why} ({USUAL_STEPS} for each link, and {MOST_STEPS})")
    links = children if ancestor_first else parents
    return (
        (kind, other, decay**k) for kind in sorted(links) for other, k in sorted(_steps(links, kind).items())
    )


def _steps(links: Mapping[str, Sequence[str]], start: str) -> dict[str, int]:
    """Return all types that links lead to, with the number of steps on the shortest way."""
    steps: dict[str, int] = {}
    level, distance = list(links[start]), 1
    while level:
        steps |= {kind: distance for kind in level if kind not in steps}
        after = dict.fromkeys(chain.from_iterable(links.get(kind, ()) for kind in level))
        level = [kind for kind in after if kind not in steps]
        distance += 1
    return steps


def type_tree(text: str, path: str) -> Mapping[str, Sequence[str]]:
    """Return the types below each type in JSON: ``{"parent": ["child", ...], ...}``."""
    value: Any = parse(text, path)
    if not isinstance(value, dict):
        raise InputError(path, "$", "should be an object from types to lists of types")
    for parent, children in value.items():
        place = json_place("$", parent)
        if not isinstance(children, list) or not all(isinstance(child, str) for child in children):
            raise InputError(path, place, "should be a list of types")
        for kind in (parent, *children):
            if not checked_cell(kind, "type", path, place):
                raise InputError(path, place, "a type is empty")
    return value


def weights_text(rows: Iterable[tuple[str, str, float]]) -> Iterator[str]:
    """Yield lines of gold type, system type and weight."""
    return (f"{gold}\t{system}\t{weight:.6f}\n" for gold, system, weight in rows)
