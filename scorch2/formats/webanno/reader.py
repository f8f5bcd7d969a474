"""WebAnno TSV 3.x, as INCEpTION writes it and the GUM corpus is published in it.

A row is a token: number, characters, token, then a cell for each feature of each layer. ``_`` stands for
nothing, ``|`` separates annotations of one token, a backslash escapes. In the cell ``coref->7-2`` of a chain
layer the token is in the second link of chain 7. In relation layers called Coref, the cell ``1-5[3_8]``
connects annotation 3, at token 1-5, with annotation 8 of this token: a cluster is what relations connect. An
annotation without relations is a singleton, and bridging relations do not count.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias, cast

from scorch2.formats.components import components
from scorch2.formats.webanno.header import BEFORE, Header, Layer, header
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError, counted, quoted

_ROW = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9.]+)?\t")
_STACKED = re.compile(r"(?:^|\|)((?:\\.?|[^|\\])*)", re.DOTALL)
_LINK = re.compile(r".*->([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
_NUMBER = re.compile(r"\[([0-9]{1,9})\]\Z")
_REFERENCE = re.compile(r"([0-9]{1,9}-[0-9]{1,9}(?:\.[0-9.]+)?)(?:\[([0-9]{1,9})_([0-9]{1,9})\])?")
_BRIDGING = "bridg"
"""How the types of relations begin that are no identity."""
Key: TypeAlias = tuple[object, ...]
"""What tells a mention from others: its link and chain, its number, or its row and place in the cell."""


class _Place(NamedTuple):
    """The tokens of a mention, and the line where it begins."""

    start: int
    end: int
    line: int


class _Relation(NamedTuple):
    source: Key
    target: Key
    line: int


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document in a file, with token spans as mentions.

    Raises
    ------
    InputError
        With the line: a row that is out of order or too short, a cell that cannot be read.
    """
    lines = text.replace("\r\n", "\n").split("\n")
    head = next((i for i, line in enumerate(lines) if line and line[0] != "#"), len(lines))
    declared = header(lines[:head], path)
    reading = _Reading(declared, path)
    for number, line in enumerate(lines[head:], head + 1):
        if line and line[0] != "#":
            reading.take(line, number)
    yield reading.document(declared.name or stem, Words(_words, text))


def _words(text: str) -> list[str]:
    rows = (line.split("\t") for line in text.replace("\r\n", "\n").split("\n") if line[:1] not in ("", "#"))
    return [row[BEFORE - 1] for row in rows if "." not in row[0]]


class _Reading:
    """A document whose last row was not read yet."""

    def __init__(self, head: Header, path: str) -> None:
        self._head = head
        self._path = path
        self._line = 0
        self._tokens = 0
        self._sentences: list[int] = []
        self._at = (0, 0)  # the numbers of the last token: its sentence, and inside that
        self._part = ""  # of the last token that is being read
        self._mentions: dict[Key, _Place] = {}
        self._cut: set[Key] = set()  # mentions with a border inside a token
        self._relations: list[_Relation] = []
        self._bridging = 0

    def take(self, line: str, number: int) -> None:
        """Read a row."""
        self._line = number
        row = _ROW.match(line)
        cells = line.split("\t")
        if not row:
            raise self._error(f"a row begins with sentence-token and a tab, not with {quoted(cells[0])}")
        if len(cells) < self._head.width:
            raise self._error(f"{counted(len(cells), 'cell')}, but the header declares {self._head.width}")
        self._place((int(row[1]), int(row[2])), row[3] or "")
        for layer, column in enumerate(self._head.links):
            if cells[column] != "_":
                self._links(layer, cells[column])
        if self._head.relations:
            for base, column in enumerate(self._head.bases):
                if cells[column] != "_":
                    self._annotations(base, cells[column])
            for base, relation in zip(self._head.base_of, self._head.relations, strict=True):
                if cells[relation.stop - 1] != "_":
                    self._related(base, relation, cells)

    def _place(self, at: tuple[int, int], part: str) -> None:
        """Take the number of a row: of the next token, or of a part of the last one."""
        sentence, token = self._at
        if part:
            if at != self._at:
                raise self._error("a part of a token does not follow its token")
        elif at[0] > sentence and at[1] == 1:
            self._sentences.append(1)
            self._tokens += 1
        elif at == (sentence, token + 1) and sentence:
            self._sentences[-1] += 1
            self._tokens += 1
        else:
            raise self._error(f"token {at[0]}-{at[1]} cannot follow {sentence}-{token}")
        self._at, self._part = at, part

    def _links(self, layer: int, cell: str) -> None:
        for value in _values(cell):
            link = _LINK.fullmatch(value)
            if not link:
                raise self._error(f"the chain cell {quoted(cell)} does not end with -> and chain-link")
            self._extend((layer, int(link[1]), int(link[2])))

    def _annotations(self, base: int, cell: str) -> None:
        for place, value in enumerate(_values(cell)):
            number = _NUMBER.search(value)
            self._extend((int(number[1]),) if number else (base, self._unit(), place))

    def _unit(self) -> str:
        return f"{self._at[0]}-{self._at[1]}{self._part}"

    def _extend(self, key: Key) -> None:
        token = self._tokens - 1
        known = self._mentions.get(key)
        if known and known.end < token:
            raise self._error(f"an annotation of line {known.line} goes on here, but not on the row before")
        start, line = (known.start, known.line) if known else (token, self._line)
        self._mentions[key] = _Place(start, token + 1, line)
        if self._part:
            self._cut.add(key)

    def _related(self, base: int, layer: Layer, cells: Sequence[str]) -> None:
        sources = _values(cells[layer.stop - 1])
        features = [_values(cell) for cell in cells[layer.first : layer.stop - 1]]
        if any(len(values) != len(sources) for values in features):
            why = f"the relations {quoted(cells[layer.stop - 1])} have another number of types"
            raise self._error(why)
        for place, source in enumerate(sources):
            found = _REFERENCE.fullmatch(source)
            if not found:
                raise self._error(f"the relation {quoted(source)} is not like 1-5 or 1-5[3_8]")
            if any(values[place].casefold().startswith(_BRIDGING) for values in features):
                self._bridging += 1
                continue
            ends = [
                (int(number),) if int(number or 0) else (base, unit, 0)
                for unit, number in ((found[1], found[2]), (self._unit(), found[3]))
            ]
            self._relations.append(_Relation(ends[0], ends[1], self._line))

    def _error(self, why: str) -> InputError:
        return InputError(self._path, f"line {self._line}", why)

    def document(self, name: str, words: Words) -> Document:
        """Return the document after its last row."""
        return Document(
            name,
            self._chains() if self._head.links else self._connected(),
            self._path,
            sentences=self._sentences,
            format="webanno",
            words=words,
            notes=self._notes(),
        )

    def _chains(self) -> dict[str, list[tuple[int, int]]]:
        clusters: dict[str, list[tuple[int, int]]] = {}
        for (layer, chain, _), mention in self._mentions.items():
            name = (
                f"{chain}" if len(self._head.links) == 1 else f"{self._head.chains[int(str(layer))]}:{chain}"
            )
            clusters.setdefault(name, []).append((mention.start, mention.end))
        return clusters

    def _connected(self) -> dict[str, list[tuple[int, int]]]:
        for relation in self._relations:
            for end in (relation.source, relation.target):
                if end not in self._mentions:
                    self._line = relation.line
                    shown = end[0] if len(end) == 1 else f"at {end[1]}"
                    raise self._error(f"a relation connects annotation {shown}, which is not there")
        numbers = {key: number for number, key in enumerate(self._mentions)}
        links = [(numbers[relation.source], numbers[relation.target]) for relation in self._relations]
        places = [(mention.start, mention.end) for mention in self._mentions.values()]
        found = components(range(len(places)), links)
        return {name: [places[cast("int", number)] for number in keys] for name, keys in found.items()}

    def _notes(self) -> list[str]:
        notes = list(self._head.notes)
        if self._bridging:
            notes.append(f"{counted(self._bridging, 'bridging relation')} left out: bridging is no identity")
        if self._cut:
            notes.append(f"{counted(len(self._cut), 'mention')} with a border inside a token widened to it")
        return notes


def _values(cell: str) -> list[str]:
    """Return the annotations in a cell."""
    return _STACKED.findall(cell) if "\\" in cell else cell.split("|")
