"""Shared by CorefUD and Universal Anaphora: documents of CoNLL-U, their sentences and rows, and layout."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias

from scorch2.formats.fields import check_tokens, odd_word, refuse_twin
from scorch2.formats.source import decoded
from scorch2.model.document import Discontinuous, Document, Mention, spans
from scorch2.model.errors import InputError, printable, quoted
from scorch2.model.markables import Markable, Nodes, SyntaxRow, Tree, Word, nodes_name, runs_of

COLUMNS = 10  # the columns of CoNLL-U, of which MISC is the last
ATTRIBUTES = {"Entity": "Entity", "Bridge": "Bridge", "SplitAnte": "SplitAnte", "Split": "SplitAnte"}
"""The attributes of MISC in which CorefUD says what is coreferent, with what they are called today."""


class CellError(ValueError):
    """A cell that cannot be read; ``str()`` says why."""


CHAINS = re.compile(
    r"(?:coref_chains|ner)=((?:unit|start|middle|end)-(?:repr-)?id[0-9]+"
    r"(?:,(?:unit|start|middle|end)-(?:repr-)?id[0-9]+)*)"
)
"""The attribute of MISC in which Stanza says to which chains a word belongs; up to 1.13 it is called ``ner``,
like that of named entities, whose values look different."""


def is_coreference(attribute: str) -> bool:
    """Return whether an attribute of MISC is about coreference."""
    name, equals, _ = attribute.partition("=")
    return bool(equals) and (name in ATTRIBUTES or CHAINS.fullmatch(attribute) is not None)


def without_coreference(misc: str) -> str:
    """Return the cell MISC without the attributes that say what is coreferent."""
    kept = [attribute for attribute in misc.split("|") if not is_coreference(attribute)]
    return "|".join(kept) or "_"


_NEWDOC = re.compile(r"#[ \t]*newdoc(?![^\s])[ \t]*(?:id[ \t]*= ?(.*))?(.*)")
_ABOUT_FILE = re.compile(r"#[ \t]*(?:newdoc(?!\S)|global\.)")
"""Comments about the file or the document, which say nothing about a sentence."""
BLANKS = " \t\r"  # the characters that a line may hold and still count as empty
_BLANKS = BLANKS.encode()
_BLOCK = 1 << 18  # bytes that are decoded at a time, up to the end of their sentence


class Part(NamedTuple):
    """The lines of one document of a file."""

    name: str  # as written, or given to a document without a name
    data: bytes  # its lines, which end in line feeds alone; as text they would take up to four times the room
    line: int  # the line of the file on which it begins, from 1
    has_newdoc: bool  # whether it begins with a newdoc line
    is_last: bool  # whether the file ends with it

    def __hash__(self) -> int:
        return hash((self.name, self.line))  # that of a long text takes 1 % of a run

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line with its number."""
        return enumerate(self.data.decode().removesuffix("\n").split("\n"), self.line)


def parts(data: bytes, stem: str, path: str) -> Iterator[Part]:
    """Yield the parts of a file; lines before the first newdoc are one if there is a word in them."""
    # A document without a name is called `stem` if the file has no other, and by its number otherwise
    begins = [start for start, line in comments_with(b"newdoc", data) if _NEWDOC.match(line)]
    known: dict[str, int] = {}
    line, number = 1, 0
    for index, start in enumerate([0, *begins]):
        stop = begins[index] if index < len(begins) else len(data)
        lines = data[start:stop].replace(b"\r\n", b"\n")
        for first, block in blocks(lines, line):
            decoded(block, path, first)
        if index or any(row.strip(_BLANKS) and row[:1] != b"#" for row in lines.split(b"\n")):
            number += 1
            written = _name(lines, line, path) if index else ""
            alone = len(begins) == 1 if index else not begins
            name = written or (stem if alone and number == 1 else str(number))
            refuse_twin(name, known, line, path)
            yield Part(name, lines, line, index > 0, stop == len(data))
        line += lines.count(b"\n")
    if not known:
        raise InputError(path, "", "no document in it (no word)")


def blocks(lines: bytes, line: int) -> Iterator[tuple[int, bytes]]:
    """Yield lines, of which the first is `line`, in blocks, each after the number of its first line."""
    # So only little is decoded at a time. Each block but the last one ends with an empty line.
    start = 0
    while (end := lines.find(b"\n\n", start + _BLOCK)) >= 0:
        stop = end + 2
        yield line, lines[start:stop]
        line += lines.count(b"\n", start, stop)
        start = stop
    if start < len(lines):
        yield line, lines[start:]


def comments_with(word: bytes, data: bytes) -> Iterator[tuple[int, str]]:
    """Yield each comment that holds a word, after the number of bytes before it."""
    # That is ten times as fast as a look at each line.
    at = data.find(word)
    while at >= 0:
        start = data.rfind(b"\n", 0, at) + 1
        end = data.find(b"\n", at)
        end = end if end >= 0 else len(data)
        if data.startswith(b"#", start):
            yield start, data[start:end].decode("utf-8", "replace").rstrip("\r")
        at = data.find(word, end)


def first_line(lines: bytes) -> str:
    """Return the first of some lines."""
    end = lines.find(b"\n")
    return lines[: end if end >= 0 else len(lines)].decode()


def _name(lines: bytes, line: int, path: str) -> str:
    match = _NEWDOC.match(first_line(lines))
    name, other = match.groups() if match else ("", "")
    if other.strip(BLANKS):
        why = f"{quoted(printable(other.strip(BLANKS)))} after newdoc (write # newdoc id = <name>)"
        raise InputError(path, f"line {line}", why)
    return name if name and name.strip(BLANKS) else ""


def sentence_lines(part: Part) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the sentences of a document: the comments before each that are about it, and its rows."""
    comments: list[str] = []
    rows: list[str] = []
    for _, line in [*part.lines(), (0, "")]:
        if line.startswith("#"):
            if not _ABOUT_FILE.match(line):
                comments.append(line.rstrip(" \r"))
        elif line.strip(BLANKS):
            rows.append(line)
        elif rows:
            yield comments, rows
            comments, rows = [], []


class Order:
    """The order of the words and empty nodes of a sentence; a token of several words is none."""

    def __init__(self, words: int, empty: Iterable[tuple[int, int]]) -> None:
        self._words = words
        self._empty = sorted(empty)
        self._known = frozenset(self._empty)

    def holds(self, nodes: Nodes) -> bool:
        """Return whether nodes of the sentence are all there."""
        is_inside = all(first > 0 and last <= self._words for _, first, last in nodes.runs)
        return is_inside and all(node[1:] in self._known for node in nodes.empty)

    def place(self, node: Word) -> int:
        """Return the number of a node among all."""
        return node.word + bisect_left(self._empty, node[1:]) + (node.rank > 0)

    def pieces(self, nodes: Nodes) -> list[tuple[Word, Word]]:
        """Return the first and the last of nodes that follow each other."""
        merged: list[tuple[Word, Word]] = []
        for first, last in self._stretches(nodes):
            if merged and self.place(merged[-1][1]) + 1 == self.place(first):
                merged[-1] = merged[-1][0], last
            else:
                merged.append((first, last))
        return merged

    def _stretches(self, nodes: Nodes) -> Iterator[tuple[Word, Word]]:
        """Yield the first and last node of each stretch without an empty node of the sentence in it."""
        for (sentence, word, rank), size in nodes.parts():
            begin, last = word, word + size - 1
            inside = slice(*(bisect_left(self._empty, (border, 0)) for border in (begin, last)))
            for cut in dict.fromkeys(before for before, _ in self._empty[inside]) if not rank else ():
                yield Word(sentence, begin), Word(sentence, cut)
                begin = cut + 1
            yield Word(sentence, begin, rank), Word(sentence, last, rank)


def order_of(tree: Tree) -> Order:
    """Return the order of the nodes of a tree."""
    ids = [row.id.partition(".") for row in tree.rows if "-" not in row.id]
    empty = [(int(word), int(rank)) for word, dot, rank in ids if dot]
    return Order(len(ids) - len(empty), empty)


def nodes_of(mention: Mention, starts: Sequence[int]) -> Nodes:
    """Return the words and empty nodes of a mention: of its pieces, or of its span."""
    if isinstance(mention, Discontinuous):
        return mention.nodes
    ((start, end),) = spans([mention])
    return Nodes(tuple(runs_of(start, end, starts)), ())


NO_HEAD = "0"  # the HEAD of words without syntax: readers of CoNLL-U take no other value without a complaint


def sentences_of(document: Document, what: str) -> list[Tree]:
    """Return the sentences of a document with all their rows."""
    if document.trees is not None:
        return document.trees()
    words = iter(check_tokens(document, what)())
    trees = []
    for number, length in enumerate(document.sentences or (), 1):
        ids = map(str, range(1, length + 1))
        rows = [SyntaxRow(ident, next(words), "_", "_", "_", "_", NO_HEAD, "_", "_", "_") for ident in ids]
        trees.append(Tree([f"# sent_id = {document.id}-{number}"], rows))
    return trees


class WrittenMention(NamedTuple):
    """A mention as it is written: its pieces, and where its head is."""

    entity: str  # the cluster that holds it
    mention: Mention  # as the cluster has it
    pieces: tuple[tuple[Word, Word], ...]  # the first and last node of each
    size: int  # the number of nodes
    head: int  # the number of the head among its nodes, from 1
    markable: Markable | None


def written_mentions(document: Document, trees: Sequence[Tree], what: str) -> Iterator[WrittenMention]:
    """Yield the mentions of a document, cluster by cluster."""
    seen: set[Mention] = set()
    markables = document.markables() if document.markables is not None else {}
    starts = [0, *accumulate(document.sentences or ())]
    orders = list(map(order_of, trees))
    for entity, members in document.clusters.items():
        known: Sequence[Markable | None] = markables.get(entity) or [None] * len(members)
        for mention, markable in zip(members, known, strict=True):
            nodes = markable.nodes if markable else nodes_of(mention, starts)
            first, last = nodes.first, nodes.last
            order = orders[first.sentence]
            if first.sentence != last.sentence or not order.holds(nodes) or mention in seen:
                odd = "stands there twice" if mention in seen else "leaves its sentence"
                shown = f"mention {quoted(nodes_name(nodes))} of {quoted(document.id)} {odd}"
                why = f"{shown}, which {what} cannot hold (--lossy leaves it out)"
                raise InputError(document.path, "", why)
            seen.add(mention)
            head = nodes.number_of(markable.head) if markable else 1
            yield WrittenMention(entity, mention, tuple(order.pieces(nodes)), nodes.size, head, markable)


Read: TypeAlias = Callable[[bytes, str, str], Iterator[Document]]
"""A reader of a format, from bytes, stem and path."""


def refused(document: Document, what: str, why: str) -> InputError:
    """Return the error about a document that `what` cannot hold."""
    why = odd_word(document) or why
    return InputError(document.path, "", f"{quoted(document.id)} cannot be written as {what}: {why}")


def read_again(text: str, lines: Iterable[str], document: Document, read: Read, what: str) -> Document:
    """Return the document that is read from the `text` that was written for one, to be compared with it."""
    if any("\n" in line or "\0" in line or line.endswith("\r") for line in lines):
        broken = "its name or a word would break the lines (a line break or a tab in it, say)"
        raise refused(document, what, broken)
    try:
        data = text.encode("utf-8", "surrogatepass")
        (copy,) = read(data, "\0", document.path)  # no document is called like that
    except InputError as error:
        raise refused(document, what, f"it could not be read ({error.why})") from None
    if copy.id != document.id:
        raise refused(document, what, "its name would be read in another way (is it empty?)")
    return copy
