"""Read CoNLL columns as the reference scorer does; only for ``scorch2 conll``.

Every line that is not blank is a token, comments included. Tags are searched anywhere in the cell in four
passes, each deleting what it finds: ``(1+2)`` is discarded, then ``(1)``, ``(1`` and ``1)``. So mentions open
before others close on a token, and numbers around a deleted tag are glued together. A document is identified
by all that follows on its begin line.

Unlike the reference scorer it accepts a byte order mark, blanks as separators, and identifiers with letters
(but not in comments, which are prose); missing end lines and repeated names are errors.

Source  Pradhan et al. 2014, Scoring coreference partitions of predicted mentions, ACL (reference scorer
        8.01).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from scorch2.formats.rows.conll import ENDS, ConllRows, other_lines, plain_tags, words_of
from scorch2.model.errors import InputError, quoted

InclusiveSpan: TypeAlias = "tuple[int, int]"  # first and last token, from 0 through the document
_Actions: TypeAlias = tuple[tuple[str, str], ...]  # single, open or close, and the entity

_BEGIN = re.compile(r"#\s*begin document (.+)")
_END = re.compile(r"#\s*end document")
_PARENTHESIS = re.compile("([()])")
_PIPED = re.compile(r"(?:\([0-9]+\)?|[0-9]+\))(?:\|(?:\([0-9]+\)?|[0-9]+\)))*")
"""Matches a cell in which a pipe stands between tags, so that none is made of what stands around another."""
_DISCARDED = re.compile(r"\d+\+\d")
_BLANKS = " \t\r\f\v"  # what the reference scorer takes for blank: it reads bytes


class ReferenceDocument(NamedTuple):
    """A document with its entities in the order of their first tag; repeats are kept."""

    name: str
    entities: tuple[tuple[InclusiveSpan, ...], ...]  # mentions in the order in which they were complete
    discarded: tuple[str, ...]  # tags such as ``(12+3)``
    odd_tokens: int  # tokens whose tags `formats.conll.reader` would read another way
    tokens: int
    words: ConllRows
    comments: int  # lines that start with ``#``, hold no tab and count as tokens here
    lettered: int  # tags whose entity is no number: the reference scorer does not see them


class _Passes(NamedTuple):
    """Patterns of the passes after the first, in order."""

    single: re.Pattern[str]  # what stands between the parentheses of a mention of one token
    opening: re.Pattern[str]
    closing: re.Pattern[str]
    """An identifier and, if it closes, its parenthesis: runs are taken whole, or a long one is tried at every
    letter."""


_CELLS, _COMMENTS = (
    _Passes(*(re.compile(pattern.format(identifier)) for pattern in ("{}", r"\(({})", r"({})(\)?)")))
    for identifier in (r"[^()|\s]+", r"\d+")
)


class _Cell(NamedTuple):
    actions: _Actions
    discarded: tuple[str, ...]
    odd: bool
    lettered: int


def read(text: str, path: str) -> list[ReferenceDocument]:
    """Return the documents of a file in its order.

    An InputError tells of a mention or document that does not open and close, and of a name that occurs
    twice.
    """
    documents: dict[str, ReferenceDocument] = {}
    current: _OpenDocument | None = None
    text = text if text.endswith("\n") else f"{text}\n"
    number, known = 1, dict[str, _Actions]()
    for rows, line in _blocks(text):
        number = current.take(rows, number) if current else number + rows.count("\n")
        begin = _BEGIN.match(line)
        if begin:
            if current:
                why = f"a document begins inside {quoted(current.name)}, which has no #end document line"
                raise InputError(path, f"line {number}", why)
            name = begin[1].removesuffix("\r")
            if name in documents:
                raise InputError(path, f"line {number}", f"a second document is called {quoted(name)}")
            current = _OpenDocument(name, number, path, known)
        elif current and _END.search(line):
            documents[current.name] = current.document(number)
            current = None
        elif current and line:
            current.take(f"{line}\n", number)
        number += 1
    if current:
        why = f"the document {quoted(current.name)} has no #end document line"
        raise InputError(path, f"line {current.begin}", why)
    if not documents:
        raise InputError(path, "", "no document in it (no #begin document line)")
    return list(documents.values())


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield the lines before each line that begins with ``#`` or ends a document, and that line."""
    start, place = 0, text.find("#")
    while place >= 0:
        first, stop = text.rfind("\n", 0, place) + 1, text.find("\n", place)
        line = text[first:stop]
        if first == place or _END.search(line):
            yield text[start:first], line
            start = stop + 1
        place = text.find("#", stop)
    yield text[start:], ""


def _words(rows: str) -> list[str]:
    """Return the words of the lines that are not blank."""
    rows = "".join([f"{row}\n" for row in rows.split("\n") if row.strip(_BLANKS)])
    return words_of(rows, 0, len(rows), 1, "")


class _OpenDocument:
    """A document that has begun and not ended."""

    def __init__(self, name: str, begin: int, path: str, known: dict[str, _Actions]) -> None:
        self.name = name
        self.begin = begin
        self._path = path
        self._known = known  # what cells of the file do that were read before
        self._tokens = 0
        self._rows: list[str] = []  # the text of all lines
        self._before: list[str] = []  # the text before each cell that may hold tags
        self._rest = ""  # the text after the last one
        self._odd = 0
        self._comments = 0
        self._lettered = 0
        self._discarded: list[str] = []
        self._entities: dict[str, list[InclusiveSpan]] = {}
        self._open: dict[str, list[tuple[int, int]]] = {}  # first token and line

    def take(self, rows: str, number: int) -> int:
        """Read lines, the first of which has a number; return the number of what follows them."""
        self._rows.append(rows)
        alone = rows.startswith("#")  # perhaps a comment, which may hold tags anywhere
        known = {} if alone else self._known
        separator = "\t" if "\t" in rows else " "
        end = next((end for end in ENDS[separator] if end in rows and not alone), ENDS["\t"][0])
        parts = other_lines(end).split(rows)
        rest = parts.pop()
        token, shift = self._tokens, number - self._tokens  # a token is on the line token + shift
        for part in parts:  # lines without a tag, then one that may hold some
            token += part.count(end)
            text, _, cell = part.rpartition(separator)
            actions = known.get(cell) if text else None
            if actions is None:
                line = part.rpartition("\n")[2]
                if not line.strip(_BLANKS):
                    shift += 1
                    self._rest += f"{part}\n"
                    continue
                actions = self._actions(line, known)
            if actions:
                self._act(actions, token, token + shift)
            self._before.append(self._rest + text)
            self._rest = ""
            token += 1
        self._rest += rest
        self._tokens = token + rest.count(end)
        return self._tokens + shift

    def _actions(self, line: str, known: dict[str, _Actions]) -> _Actions:
        """Return what the tags on a line do. A cell that is one word and needs no remark is `known` then."""
        if "\t" in line:
            cell = line.rstrip("\t\r").rpartition("\t")[2]
        elif line.startswith("#"):
            self._comments += 1
            cell = line
        else:
            shown = line.rstrip(_BLANKS)
            cell = shown[1 + max(map(shown.rfind, _BLANKS)) :]
        if "(" not in cell and ")" not in cell:
            return ()
        tags = _comment(cell) if cell is line else _cell(cell)
        self._discarded += tags.discarded
        self._odd += tags.odd
        self._lettered += tags.lettered
        if not (tags.discarded or tags.odd or tags.lettered) and cell.split() == [cell]:
            known[cell] = tags.actions
        return tags.actions

    def _act(self, actions: _Actions, token: int, number: int) -> None:
        """Open and close mentions."""
        here = (token, token)  # once for the cell, which may repeat an entity without end
        for action, entity in actions:
            mentions = self._entities.setdefault(entity, [])
            if action == "single":
                mentions.append(here)
            elif action == "open":
                self._open.setdefault(entity, []).append((token, number))
            elif self._open.get(entity):
                mentions.append((self._open[entity].pop()[0], token))
            else:
                why = f"entity {quoted(entity)} ends on a token where none of its mentions is open"
                raise InputError(self._path, f"line {number}", why)

    def document(self, number: int) -> ReferenceDocument:
        for entity, left in self._open.items():
            if left:
                why = f"a mention of entity {quoted(entity)}, open since line {left[-1][1]}, does not close"
                raise InputError(self._path, f"line {number}", why)
        entities = tuple(map(tuple, self._entities.values()))
        words = ConllRows(_words, "".join(self._rows))
        words.plain = "\t", self._before, self._rest
        return ReferenceDocument(
            self.name,
            entities,
            tuple(self._discarded),
            odd_tokens=self._odd,
            tokens=self._tokens,
            words=words,
            comments=self._comments,
            lettered=self._lettered,
        )


@cache
def _cell(cell: str) -> _Cell:
    if _PIPED.fullmatch(cell):  # as nearly all cells: passes find the same, in five times the time
        tags = cell.split("|")
        single = [("single", tag[1:-1]) for tag in tags if tag[0] == "(" and tag[-1] == ")"]
        opening = [("open", tag[1:]) for tag in tags if tag[-1] != ")"]
        piped = (*single, *opening, *[("close", tag[:-1]) for tag in tags if tag[0] != "("])
        repeats = len({entity for _, entity in piped}) < len(piped)
        return _Cell(piped, (), odd=repeats and _is_odd(cell, piped), lettered=0)
    actions, discarded = _tags(cell, _CELLS)
    lettered = sum(not (entity.isascii() and entity.isdigit()) for _, entity in actions)
    return _Cell(actions, discarded, _is_odd(cell, actions), lettered)


def _comment(line: str) -> _Cell:
    """Read a comment, in which the reference scorer finds tags too; other readers skip comments."""
    actions, discarded = _tags(line, _COMMENTS)
    return _Cell(actions, discarded, odd=bool(actions), lettered=0)


def _tags(cell: str, passes: _Passes) -> tuple[_Actions, tuple[str, ...]]:
    rest, discarded = _without_pairs(_DISCARDED, cell)
    rest, single = _without_pairs(passes.single, rest)
    opening = passes.opening.findall(rest)
    closing = [match[1] for match in passes.closing.finditer(passes.opening.sub("", rest)) if match[2]]
    actions = [("single", entity) for entity in single]
    actions += [("open", entity) for entity in opening] + [("close", entity) for entity in closing]
    return tuple(actions), tuple(f"({tag})" for tag in discarded)


def _without_pairs(inside: re.Pattern[str], text: str) -> tuple[str, list[str]]:
    """Return the text without its pairs of parentheses around `inside`, from the left, and what they held."""
    # What stood around a deleted pair is glued together, and may form another. Each part of the text waits
    # with the parenthesis before it until the next one comes: linear in the text.
    deleted: list[str] = []
    kept: list[str] = []
    levels: list[list[str]] = []  # pieces from each "(" on that may still be deleted
    for piece in _PARENTHESIS.split(text):
        if piece == "(":
            levels.append([])
        (levels[-1] if levels else kept).append(piece)
        if piece == ")" and levels:
            written = "".join(levels.pop())
            if inside.fullmatch(written, 1, len(written) - 1):
                deleted.append(written[1:-1])
            else:  # nor can the parentheses around it be deleted
                kept += [*chain.from_iterable(levels), written]
                levels = []
    return "".join([*kept, *chain.from_iterable(levels)]), deleted


def _is_odd(cell: str, actions: Sequence[tuple[str, str]]) -> bool:
    """Return whether a left-to-right reading, closing before opening, would give other mentions."""
    tags = Counter(actions)
    for entity in {entity for _, entity in actions}:  # what opens and closes is a mention of one token
        both = min(tags["open", entity], tags["close", entity])
        tags.update({("single", entity): both, ("open", entity): -both, ("close", entity): -both})
    return Counter(plain_tags(cell)) != tags
