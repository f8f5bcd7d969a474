"""The lines of CorefUD: sentences, rows, and what the attributes Entity, Bridge and SplitAnte say.

Stanza's lines, as ``CoNLL.write_doc2conll`` writes them, say of each word to which chains it belongs:
``coref_chains=start-repr-id0,unit-id2`` opens a mention of chain 0, the representative one, on a word that is
a mention of chain 2; ``middle-id0`` goes on, ``end-id0`` ends. Zeros are empty nodes. No head is named.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise, repeat
from sys import intern
from typing import NamedTuple, TypeAlias

from scorch2.formats.conllu import shared
from scorch2.formats.conllu.shared import CHAINS, CellError, Part, parts
from scorch2.model.document import Discontinuous, Document, Mention, OnDemand, Span, Words
from scorch2.model.errors import InputError, quoted
from scorch2.model.markables import Nodes, SyntaxRow, Tree, Word, sent_id_in

_MISC, _DEPS = 9, 8
_EMPTY_NODE = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,8})")
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_LONGEST = 256  # sentences of more words are read row by row
_BEGINS = [f"{number}\t" for number in range(1, _LONGEST + 1)]  # how the rows of words begin
_TABS = repeat("\t")
_FULL_ROW = re.compile(rb"^[0-9][^\t\n]*(?:\t[^\t\n]*){%d}$" % (shared.COLUMNS - 1), re.MULTILINE)
_FEWEST = 2  # columns of a row that says nothing but the number and the word


NodeId: TypeAlias = tuple[int, int]
"""The number of a word in its sentence, and 0; for the empty node ``<word>.n`` n."""
_PLACES: Sequence[NodeId] = [(number, 0) for number in range(_LONGEST + 1)]
"""The places of words, by their number; made once, they are shared by all sentences."""


class NodeRow(NamedTuple):
    """The row of a word or of an empty node."""

    place: NodeId
    line: int
    misc: str  # its last column, MISC; empty if there is none
    deps: str = ""  # the column DEPS of an empty node; empty if there is none

    @property
    def name(self) -> str:
        """Its name if it is an empty node."""
        return f"{self.place[0]}.{self.place[1]}"


_node = partial(tuple.__new__, NodeRow)  # a third of the time of Node(...), and 2 % of a run


def is_marked(row: str) -> bool:
    """Return whether a row may say something about coreference; a pattern takes three times as long."""
    return "Entity=" in row or "Bridge=" in row or "Split" in row


class CorefUDSentence:
    """A sentence of a document: how many words it has, and its empty nodes."""

    # No tuple, since the fields of one take four times as long to read: 3 % of a run

    __slots__ = ("before", "empty", "length", "number", "path")

    def __init__(self, path: str, number: int, before: int, length: int, empty: list[NodeRow]) -> None:
        self.path = path
        self.number = number
        self.before = before  # words of the document before it
        self.length = length
        self.empty = empty  # its empty nodes, in their order


Mark: TypeAlias = Callable[[str], bool]
"""Whether a row may say something about coreference."""
MarkedRows: TypeAlias = tuple[CorefUDSentence, list[NodeRow]]
"""A sentence, and its rows, of words and of empty nodes, that are marked; in their order.
The rows are no part of the sentence, which mentions keep: a run on mentions of one word would take a sixth
more memory."""


def _column(row: str, number: int) -> str:
    """Return a column of a row, without blanks at the end of the row; empty if it is not there."""
    cells = row.rstrip(" \r").split("\t")
    return cells[number] if number < len(cells) else ""


class _SentenceRows:
    """The rows of a document, while sentences are made of them."""

    def __init__(self, part: Part, path: str, mark: Mark) -> None:
        self._part = part
        self._path = path
        self._is_marked = mark
        self._number = self._before = 0  # the number of the sentence, and of the words before it
        self._begin()

    def _begin(self) -> None:
        self.words = 0
        self.is_begun = False
        self.empty: list[NodeRow] = []
        self.marked: list[NodeRow] = []

    def error(self, line: int, why: str) -> InputError:
        return InputError(self._path, f"line {line}", why)

    def take_word(self, line: int, row: str, rest: str) -> None:
        """Take the row of the next word; `rest` is what follows its number."""
        self.is_begun = True
        self.words += 1
        if rest.count("\t") != shared.COLUMNS - 2:
            self._check_columns(line, row)
        if self._is_marked(rest):
            self.marked.append(NodeRow((self.words, 0), line, _column(row, _MISC)))

    def take_other(self, line: int, row: str) -> None:
        self.is_begun = True
        name = row.partition("\t")[0]
        if row.count("\t") != shared.COLUMNS - 1:
            self._check_columns(line, row)
        if match := _EMPTY_NODE.fullmatch(name):
            misc, deps = _column(row, _MISC), _column(row, _DEPS)
            node = NodeRow((int(match[1]), int(match[2])), line, misc, deps)
            self.empty.append(node)
            if self._is_marked(row):
                self.marked.append(node)
        elif match := _RANGE.fullmatch(name):
            following = self.words + 1
            if int(match[1]) != following or int(match[2]) <= following:
                why = f"the range {name} must begin with the next word, {following}, and hold two or more"
                raise self.error(line, why)
        else:
            raise self.error(line, f"{quoted(name)} where word {self.words + 1} should be (number and tab)")

    def _check_columns(self, line: int, row: str) -> None:
        """Refuse a row from which a column is missing, or that has one too many."""
        # Its mention is lost unseen. A number and a word alone, and files without MISC, lack nothing.
        columns = row.count("\t") + 1
        if columns > shared.COLUMNS:
            raise self.error(line, f"more than {shared.COLUMNS} columns")
        if self._is_marked(row) or (columns > _FEWEST and _FULL_ROW.search(self._part.data)):
            why = f"{columns} columns, and CoNLL-U has {shared.COLUMNS} (write _ into those that say nothing)"
            raise self.error(line, why)

    def sentence(self, line: int, *, is_ended: bool) -> MarkedRows:
        """Return the sentence with its marked rows, after which `line` follows; it must have ended there."""
        if not is_ended:
            raise self.error(line, "a comment inside a sentence (write an empty line before it)")
        if not self.words:
            raise self.error(line, "a sentence ends here that has no word")
        if self.empty:
            self.empty.sort()
            self.marked.sort()
            last = self.empty[-1]
            if last.place[0] > self.words:
                raise self.error(last.line, f"the empty node {last.name} follows no word of its sentence")
            for node, other in pairwise(self.empty):
                if node.place == other.place:
                    raise self.error(other.line, f"a second empty node {node.name}")
        found = self.made(self.words, self.empty, self.marked)
        self._begin()
        return found

    def made(self, words: int, empty: list[NodeRow], marked: list[NodeRow]) -> MarkedRows:
        """Return the next sentence, of so many words."""
        sentence = CorefUDSentence(self._path, self._number, self._before, words, empty)
        self._number, self._before = self._number + 1, self._before + words
        return sentence, marked


def sentences(part: Part, path: str, mark: Mark = is_marked) -> Iterator[MarkedRows]:
    """Yield the sentences of a document, with the rows that are marked; `mark` tells these."""
    # Lines up to an empty one are looked at together, and one by one if they are not simply the words of a
    # sentence after its comments: that takes a third of the time.
    rows = _SentenceRows(part, path, mark)
    start, line = 0, part.line
    while (end := part.data.find(b"\n\n", start)) >= 0:
        block = part.data[start:end].decode()
        start = end + 2
        if mark is is_marked and (simple := _simple(block, line)):
            yield rows.made(simple[0], [], simple[1])
        else:
            yield from _row_by_row(enumerate(block.split("\n"), line), rows)
        line += block.count("\n") + 2
    lines = enumerate(part.data[start:].decode().removesuffix("\n").split("\n"), line)
    yield from _row_by_row(lines, rows, is_ended=part.is_last)


def _simple(block: str, line: int) -> tuple[int, list[NodeRow]] | None:
    """Return the number of words, and those that are marked, of a sentence that is comments, then words."""
    # None if there is anything else in the block.
    comments = block.count("\n#") + block.startswith("#")
    rows = block.split("\n")[comments:]
    if not (0 < len(rows) <= len(_BEGINS) and all(map(str.startswith, rows, _BEGINS))):
        return None
    if set(map(str.count, rows, _TABS)) != {shared.COLUMNS - 1}:
        return None
    first = line + comments - 1
    has_links = "Bridge=" in block or "Split" in block
    marked = [
        _node((_PLACES[word], first + word, row.rpartition("\t")[2], ""))
        for word, row in enumerate(rows, 1)
        if "Entity=" in row or (has_links and is_marked(row))
    ]
    return len(rows), marked


def _row_by_row(
    lines: Iterable[tuple[int, str]], rows: _SentenceRows, *, is_ended: bool = True
) -> Iterator[MarkedRows]:
    """Yield the sentences of some lines; `is_ended` says whether one may end after the last of them."""
    at = 0
    for at, row in lines:
        name, tab, rest = row.partition("\t")
        if tab and name == str(rows.words + 1):
            rows.take_word(at, row, rest)
        elif row[:1] != "#" and row.strip(shared.BLANKS):
            rows.take_other(at, row)
        elif rows.is_begun:
            yield rows.sentence(at, is_ended=row[:1] != "#")
    if rows.is_begun:
        yield rows.sentence(at + 1, is_ended=is_ended)


_FIRST = re.compile(r"[1-9][0-9]*\t([^\t\n]*)")
_WORD = re.compile(r"\n" + _FIRST.pattern)  # "^" would take three times as long
_TAG = 3  # the column of the universal part of speech


def words(part: Part) -> list[str]:
    """Return the words of a document, without its empty nodes."""
    # In long documents equal words are one string: two of 100 000 words each take a tenth less memory.
    forms: list[str] = []
    for _, block in shared.blocks(part.data, part.line):
        text = block.decode()
        first = _FIRST.match(text)
        forms += first.groups() if first else ()
        more = _WORD.findall(text)
        forms += map(intern, more) if forms else more
    return forms


def sentence_ids(part: Part) -> Sequence[str]:
    """Return the ids of the sentences that have one, in order."""
    return [found for _, line in shared.comments_with(b"sent_id", part.data) if (found := sent_id_in(line))]


def tags(part: Part) -> list[str]:
    """Return the universal part-of-speech tags of the words, empty where there is none; [] without any."""
    rows = [row.split("\t") for _, row in part.lines() if "\t" in row]
    found = [row[_TAG] if len(row) > _TAG else "" for row in rows if row[0].isdecimal()]
    found = ["" if tag.rstrip(" \r") == "_" else tag for tag in found]
    return found if any(found) else []


def trees(part: Part) -> list[Tree]:
    """Return the sentences of a document with all columns but for what they say about coreference."""
    return [Tree(comments, list(map(_row, lines))) for comments, lines in shared.sentence_lines(part)]


def _row(line: str) -> SyntaxRow:
    cells = line.rstrip("\r").split("\t")
    cells += ["_"] * (shared.COLUMNS - len(cells))
    cells[-1] = shared.without_coreference(cells[-1])
    return SyntaxRow._make(cells)


_ENTITY = "Entity="
_BRACKET = re.compile(r"(\(?)([^()]+)(\)?)|[()]")
_BRACKETS = re.compile(r"(?:\([^()]+\)?|[^()]+\))*")
_NUMBERED_PIECE = re.compile(r"([^\[\]]+)\[([1-9][0-9]*)/([1-9][0-9]*)\]")
_LINK = re.compile(r"([^<,:]+)<([^<,:]+)(?::(.*))?")


class EntityFields(NamedTuple):
    """The fields of an opening bracket, by their place; -1 for those that are not there."""

    written: str
    entity: int
    type: int
    head: int
    line: int = 0  # the line of the file that names them


class EntityOpening(NamedTuple):
    """A bracket that opens a mention, or a later piece of one."""

    entity: str  # as written, with the number of the piece if there are several
    type: str
    head: int  # the number of the head among the words of the mention, from 1; 0 if the bracket says nothing
    written: str
    header: EntityFields

    @property
    def fields(self) -> list[str]:
        """All of its fields, as written."""
        return self.written.split("-")


_opening = partial(tuple.__new__, EntityOpening)  # a third of the time of Opening(...), and 1 % of a run


class EntityLink(NamedTuple):
    """One link of Bridge or SplitAnte."""

    antecedent: str
    entity: str
    relation: str


def header_of(written: str) -> EntityFields:
    """Return where the fields of `written` stand; `CellError` if no field names the entity."""
    names = written.split("-")
    place = {name: number for number, name in reversed(list(enumerate(names)))}
    entity = place.get("eid", place.get("GRP", -1))
    if entity < 0:
        raise CellError(f"the fields {quoted(written)} have neither eid nor GRP")
    return EntityFields(written, entity, place.get("etype", place.get("entity", -1)), place.get("head", -1))


def brackets(cell: str) -> list[tuple[str, str, str]]:
    """Return the brackets of an Entity attribute in their order: what stands before, in and after them.

    A parenthesis that belongs to no bracket is three empty strings; see `unreadable`.

    >>> brackets("(a-person-2(b)a)"), brackets("a))")
    ([('(', 'a-person-2', ''), ('(', 'b', ')'), ('', 'a', ')')], [('', 'a', ')'), ('', '', '')])
    """
    return _BRACKET.findall(cell)


def unreadable(cell: str) -> CellError:
    """Return the error about an Entity attribute that is not brackets one after the other."""
    readable = _BRACKETS.match(cell)
    rest = cell[readable.end() :] if readable else cell
    return CellError(f"Entity={quoted(cell)} cannot be read at {quoted(rest)}")


def opening(written: str, header: EntityFields) -> EntityOpening:
    """Return what a bracket that opens says; `CellError` for a lack of entity, or an odd head."""
    fields = written.split("-")
    size = len(fields)
    entity = fields[header.entity] if header.entity < size else ""
    if not entity:
        why = f"the bracket {quoted('(' + written)} names no entity"
        raise CellError(f"{why} (fields: {quoted(header.written)})")
    kind = fields[header.type] if 0 <= header.type < size else ""
    head = fields[header.head] if 0 <= header.head < size else ""
    if not head:
        return _opening((entity, kind, 0, written, header))
    if not (head.isascii() and head.isdecimal()):
        raise CellError(f"the head of {quoted('(' + written)} is not a number but {quoted(head)}")
    return _opening((entity, kind, int(head[:9]), written, header))


def other_places(header: EntityFields) -> Sequence[tuple[int, str]]:
    """Return the places and the names of the fields that are neither entity, type nor head."""
    known = header.entity, header.type, header.head
    return [(place, name) for place, name in enumerate(header.written.split("-")) if place not in known]


def other_fields(fields: Sequence[str], places: Sequence[tuple[int, str]]) -> str:
    """Return the fields of a bracket at some places as the one field ``other``.

    >>> other_fields(["3", "person", "giv:act", "1,2"], other_places(header_of("GRP-etype-infstat-minspan")))
    'infstat:giv:act,minspan:1%2C2'
    """
    joined = ""
    for place, name in places:
        if place < len(fields) and fields[place]:
            value = fields[place]
            value = value if name == "other" else f"{name}:{value.replace(',', '%2C')}"
            joined = f"{joined},{value}" if joined else value
    return joined


def entity_of(written: str) -> tuple[str, int, int]:
    """Return the entity, the number of the piece and of all pieces; these are 0 if there is one piece."""
    if written[-1] != "]":
        return written, 0, 0
    match = _NUMBERED_PIECE.fullmatch(written)
    if match is None or not int(match[2][:9]) <= int(match[3][:9]):
        raise CellError(f"{quoted(written)} is not a part of a mention (write entity[1/2], then entity[2/2])")
    return match[1], int(match[2][:9]), int(match[3][:9])


def entity_alone(misc: str) -> str:
    """Return the attribute Entity of the column MISC if it is the first and the only one that is read."""
    # Empty if it is not so. Nearly all are; to take them apart as the others takes seven times as long.
    cell, _, more = misc.rstrip(" \r").partition("|")
    if not cell.startswith(_ENTITY) or (more and (_ENTITY in more or "Bridge=" in more or "Split" in more)):
        return ""
    return cell[len(_ENTITY) :]


def attributes(misc: str) -> dict[str, str]:
    """Return Entity, Bridge and SplitAnte of the column MISC; `CellError` if one is there twice."""
    misc = misc.rstrip(" \r")
    values: dict[str, str] = {}
    for attribute in misc.split("|"):
        name, equals, value = attribute.partition("=")
        if equals and name in shared.ATTRIBUTES:
            name = shared.ATTRIBUTES[name]
            if name in values:
                raise CellError(f"a second {name} on one word (join them)")
            values[name] = value
    return values


def links(name: str, cell: str) -> Sequence[EntityLink]:
    """Return the links of the attribute `name`; `CellError` for what is no link, and for one to itself."""
    every_link = []
    for written in cell.split(","):
        match = _LINK.fullmatch(written)
        if match is None or (match[3] is not None and name != "Bridge"):
            raise CellError(f"{name}={quoted(cell)} cannot be read at {quoted(written)}")
        if match[1] == match[2]:
            raise CellError(f"{name} links the entity {quoted(match[1])} to itself")
        every_link.append(EntityLink(match[1], match[2], match[3] or ""))
    return every_link


_REPRESENTATIVE = re.compile(rb"[=,](?:unit|start)-repr-id([0-9]+)")
_WITH_ENTITY = re.compile(rb"[\t|]Entity=")
_BOTH = "it has Entity, too, which is not read (name the format corefud to read it instead of coref_chains)"


class _OpenMention:
    """A mention of which words are still to come."""

    def __init__(self, chain: str, node: NodeRow) -> None:
        self.chain = chain
        self.first = self.last = node.place[0]
        self.line = node.line


def _is_marked(row: str) -> bool:
    return "coref_chains=" in row or "ner=" in row


def stanza_documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order."""
    for part in parts(data, stem, path):
        yield _document(part, path)


def _document(part: Part, path: str) -> Document:
    chains: dict[str, list[Span]] = defaultdict(list)
    lengths = []
    for sentence, marked in sentences(part, path, _is_marked):
        lengths.append(sentence.length)
        for chain, mention in _mentions(sentence, marked):
            chains[chain].append(mention)
    both = [_BOTH] if _WITH_ENTITY.search(part.data) else []
    in_order: dict[str, Sequence[Mention]] = {
        chain: sorted(chains[chain]) for chain in sorted(chains, key=int)
    }
    return Document(
        part.name, in_order, path, lengths, "stanza", notes=both,
        words=Words(words, part), tags=Words(tags, part), trees=OnDemand(trees, part),
        sentence_ids=OnDemand(sentence_ids, part), unread=OnDemand(_unread, part),
    )  # fmt: skip


def _unread(part: Part) -> Mapping[str, int]:
    representatives = {found[1] for found in _REPRESENTATIVE.finditer(part.data)}
    return {
        "representative mention": len(representatives),
        '"Entity" value': len(_WITH_ENTITY.findall(part.data)),
    }


def _mentions(sentence: CorefUDSentence, marked: list[NodeRow]) -> Iterator[tuple[str, Span]]:
    """Yield the mentions of a sentence, each with its chain, in the order in which they end."""
    open_now: dict[str, list[_OpenMention]] = defaultdict(list)
    for node in marked:
        try:
            yield from _of_node(sentence, node, open_now)
        except CellError as error:
            raise InputError(sentence.path, f"line {node.line}", str(error)) from None
    _check_open(open_now, 0, sentence.path)


def _check_open(open_now: dict[str, list[_OpenMention]], word: int, path: str) -> None:
    """Refuse mentions that are open, but for those that hold the word before `word`."""
    # So each stands on the row before: to look at all again costs no more than to read that row.
    for mention in (mention for own in open_now.values() for mention in own):
        if mention.last != word - 1:
            why = f"a mention of id{mention.chain} begins here and does not end"
            raise InputError(path, f"line {mention.line}", why)


def _of_node(
    sentence: CorefUDSentence, node: NodeRow, open_now: dict[str, list[_OpenMention]]
) -> Iterator[tuple[str, Span]]:
    """Yield the mentions that end on a word or an empty node."""
    (word, rank), before = node.place, sentence.before
    if rank:
        yield from _zeros(sentence, node)
        return
    _check_open(open_now, word, sentence.path)
    left: dict[str, Iterator[_OpenMention]] = {}
    for place, chain in _places(node):
        if place == "unit":
            yield chain, (before + word - 1, before + word)
        elif place == "start":
            open_now[chain].append(_OpenMention(chain, node))
        else:  # the mentions of a chain come in the order in which they began
            if chain not in left:
                left[chain] = iter(open_now[chain].copy())
            mention = next(left[chain], None)
            if mention is None or mention.last != word - 1:
                raise CellError(f'"{place}-id{chain}", but no mention of the chain goes on here')
            mention.last = word
            if place == "end":
                open_now[chain].remove(mention)
                if not open_now[chain]:
                    del open_now[chain]
                yield chain, (before + mention.first - 1, before + word)


def _zeros(sentence: CorefUDSentence, node: NodeRow) -> Iterator[tuple[str, Span]]:
    """Yield the mentions that an empty node is."""
    (word, rank), before = node.place, sentence.before
    for place, chain in _places(node):
        if place != "unit":
            raise CellError(f'"{place}-id{chain}" on an empty node (it is a mention of its own: unit)')
        nodes = Nodes((), (Word(sentence.number, word, rank),))
        yield chain, Discontinuous(before + word, before + word, nodes)


def _places(node: NodeRow) -> Iterator[tuple[str, str]]:
    """Yield where in a mention a row stands, and the number of the chain, for each of its mentions."""
    found = [match[1] for attribute in node.misc.split("|") if (match := CHAINS.fullmatch(attribute))]
    if len(found) > 1:
        raise CellError("coref_chains stands twice on one word (join them)")
    for written in found[0].split(",") if found else ():
        place, _, rest = written.partition("-")
        yield place, rest.removeprefix("repr-").removeprefix("id")
