"""CoNLL-2011/2012 columns: one token a line, its last column says which mentions open and close there.

Read strictly and from left to right. The coreference cell is ``-``, ``_``, ``*`` or empty where nothing
happens, else tags with or without pipes: ``(7`` opens a mention of entity 7, ``7)`` closes the last one
opened, ``(7)`` is a mention of one token. Any identifier without brackets, pipes and blanks will do. On one
token mentions close before they open. Columns end at tabs if a line holds one, at blanks otherwise. A line
that starts with ``#`` and holds no tab is a comment.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import TypeAlias

from scorch2.document import Document, spans
from scorch2.errors import InputError
from scorch2.messages import printable, quoted

_BEGIN = re.compile(r"#\s*begin document\b(.*)")
_END = re.compile(r"#\s*end document\b")
_NAME = re.compile(r"\((.*)\);?(?:\s*part\s+(\S+))?")
_NUMBERED = re.compile(r"(.+)-(\d+)", re.DOTALL)
_TAG = re.compile(r"\(([^()|\s]+)(\)?)|([^()|\s]+)\)|\|")

_NOTHING = {"\t": ("\t-", "\t_", "\t*"), " ": (" -", " _", " *")}
"""How a line ends whose cell says nothing, by what separates the columns: most lines, not looked at again."""
_WORD_COLUMN_2012 = 3
_WORD_COLUMN = {1: None, 2: 0, 3: 1, 4: None}
"""The word's column by the number of columns: word, cell; number, word, cell (GUM); others as CoNLL-2012."""


_CLOSE, _SINGLE, _OPEN = range(3)
"""What a tag does to an entity, in the order in which the tags of one token count."""
_Tags: TypeAlias = list[tuple[int, str]]


def read(text: str, stem: str, path: str) -> list[Document]:
    """Return the documents of a file in its order, with token spans as mentions.

    A document is called ``<name>-<part>`` or, without a part, ``<name>``; one without a name is called
    `stem`.

    Raises
    ------
    InputError
        With the line: tokens outside a document, an unreadable cell, brackets that do not match, no end line.
    """
    documents: list[Document] = []
    current: _Reading | None = None
    cells: dict[str, _Tags] = {}
    text = text.replace("\r\n", "\n") if "\r" in text else text
    for number, start, mark, rows in _blocks(text):
        if begin := _BEGIN.match(mark):
            if current:
                why = f"a document begins inside {quoted(current.name)}, which has no #end document line"
                raise InputError(path, f"line {number}", why)
            current = _Reading(document_name(begin[1]) or stem, number, start, path, cells)
        elif _END.match(mark):
            if not current:
                raise InputError(path, f"line {number}", "a document ends here that never began")
            words = partial(_words, text, slice(current.start, start), current.begin, path)
            documents.append(current.document(words))
            current = None
        elif mark and current:
            current.comments += 1
        if current:
            current.take(rows, number + 1)
        else:
            _refuse_tokens(rows, number + 1, path)
    if current:
        why = f"the document {quoted(current.name)} has no #end document line"
        raise InputError(path, f"line {current.begin}", why)
    if not documents:
        raise InputError(path, "", "no document in it (no #begin document line)")
    return documents


def _blocks(text: str) -> Iterator[tuple[int, int, str, list[str]]]:
    """Yield the number, position and text of each begin line, end line or comment, and the rows that follow.

    Rows that no mark precedes (at the top, or a row that starts with ``#`` itself) come with an empty one.
    """
    number, start = 0, 0
    while start >= 0:
        stop = text.find("\n#", start)
        rows = text[start : stop if stop >= 0 else None].split("\n")
        number += 1
        if _is_mark(rows[0]):
            yield number, start, rows[0], rows[1:]
        else:
            yield number - 1, start, "", rows
        number += len(rows) - 1
        start = stop + 1 if stop >= 0 else -1


def _is_mark(line: str) -> bool:
    """Return whether a line stands for no token: a row that starts with ``#`` holds a tab."""
    return line.startswith("#") and bool("\t" not in line or _BEGIN.match(line) or _END.match(line))


def _refuse_tokens(lines: Sequence[str], number: int, path: str) -> None:
    for line_number, line in enumerate(lines, number):
        if line and not line.isspace():
            why = "a token outside a document (no #begin document line before it)"
            raise InputError(path, f"line {line_number}", why)


def document_name(written: str) -> str:
    """Return the name in the rest of a begin line.

    >>> document_name(" (bc/cctv_0000); part 000"), document_name(" GUM_news_afghan"), document_name(" ")
    ('bc/cctv_0000-000', 'GUM_news_afghan', '')
    """
    match = _NAME.fullmatch(written.strip())
    if not match:
        return written.strip()
    return "-".join(part for part in match.groups() if part)


class _Reading:
    """A document that has begun and not ended."""

    def __init__(self, name: str, begin: int, start: int, path: str, cells: dict[str, _Tags]) -> None:
        self.name = name
        self.begin = begin  # the line, and its position in the text
        self.start = start
        self.comments = 0
        self._path = path
        self._cells = cells  # the cells of the file that were read before
        self._tokens = 0
        self._sentences: list[int] = []
        self._sentence_start = 0
        self._entities: dict[str, tuple[list[tuple[int, int]], list[tuple[int, int]]]] = {}
        """Spans, and first token and line of the mentions that are open, by entity."""

    def take(self, lines: Sequence[str], number: int) -> None:
        """Read rows and blank lines, the first of them line `number` of the file."""
        separator = "\t" if any("\t" in line for line in lines) else " "
        nothing, cells, entities = _NOTHING[separator], self._cells, self._entities
        before = self._tokens  # so many tokens before line i, and i
        for i in [i for i, line in enumerate(lines) if not line.endswith(nothing)]:
            line = lines[i]
            tags = cells.get(line[line.rfind(separator) + 1 :])
            if tags is None:
                if not line or line.isspace():
                    self._end_sentence(before + i)
                    before -= 1
                    continue
                tags = self._read_cell(line, number + i)
            for action, entity in tags:
                found = entities.get(entity)
                if found is None:
                    found = entities[entity] = [], []
                spans, unclosed = found
                if action == _SINGLE:
                    spans.append((before + i, before + i + 1))
                elif action == _OPEN:
                    unclosed.append((before + i, number + i))
                elif unclosed:
                    spans.append((unclosed.pop()[0], before + i + 1))
                else:
                    why = f"entity {quoted(entity)} ends on a token where none of its mentions is open"
                    raise InputError(self._path, f"line {number + i}", why)
        self._tokens = before + len(lines)

    def document(self, words: Callable[[], Sequence[str]]) -> Document:
        """Return what was read when the end line is reached."""
        for entity, (_, left) in self._entities.items():
            if left:
                why = f"a mention of entity {quoted(entity)} begins here and does not end in the document"
                raise InputError(self._path, f"line {left[-1][1]}", why)
        self._end_sentence(self._tokens)
        notes = [_comment_note(self.comments)] if self.comments else ()
        clusters = {entity: members for entity, (members, _) in self._entities.items()}
        return Document(
            self.name,
            clusters,
            self._path,
            self._sentences,
            "conll",
            words=words,
            notes=notes,
        )

    def _end_sentence(self, tokens: int) -> None:
        if tokens > self._sentence_start:
            self._sentences.append(tokens - self._sentence_start)
            self._sentence_start = tokens

    def _read_cell(self, line: str, number: int) -> _Tags:
        cell = _cell(line, number, self._path)
        tags = _tags(cell, number, self._path)
        if cell:  # whether an empty one is right depends on its line
            self._cells[cell] = tags
        return tags


def _comment_note(comments: int) -> str:
    if comments == 1:
        return "1 comment line inside the document is not a token"
    return f"{comments} comment lines inside the document are not tokens"


def _words(text: str, part: slice, number: int, path: str) -> list[str]:
    """Return the words of the document in a part of a text, which begins on line `number`."""
    words = []
    for first, _, _, rows in _blocks(text[part]):
        for i, line in enumerate(rows, number + first):
            if line and not line.isspace():
                columns = line.split("\t") if "\t" in line else line.split()
                column = _WORD_COLUMN.get(len(columns), _WORD_COLUMN_2012)
                if column is None:
                    why = f"cannot tell which of the {len(columns)} columns is the word"
                    raise InputError(path, f"line {i}", why)
                words.append(columns[column])
    return words


def _cell(line: str, number: int, path: str) -> str:
    """Return the last column; it may be empty unless the one before could be meant."""
    if "\t" not in line:
        return line.rsplit(maxsplit=1)[-1]
    before, _, cell = line.rstrip(" \r").rpartition("\t")
    if not cell and set("()") & set(before.rpartition("\t")[2]):
        why = "the last column is empty and brackets stand before it (write - there, or drop the last tab)"
        raise InputError(path, f"line {number}", why)
    return cell.strip()


def _tags(cell: str, number: int, path: str) -> _Tags:
    """Return the tags of a cell, closing ones first: a mention is done before the next of its entity."""
    if cell in ("", "-", "_", "*"):
        return []
    tags = []
    position = 0
    for match in _TAG.finditer(cell):
        if match.start() != position:
            break
        position = match.end()
        opened, closed_at_once, closed = match.groups()
        if closed:
            tags.append((_CLOSE, closed))
        elif opened:
            tags.append((_SINGLE if closed_at_once else _OPEN, opened))
    if position != len(cell) or not tags:
        why = f"the coreference cell {quoted(cell)} cannot be read at {quoted(printable(cell[position:]))}"
        raise InputError(path, f"line {number}", why)
    return sorted(tags, key=itemgetter(0))


def plain_tags(cell: str) -> list[tuple[str, str]]:
    """Return what a cell does as sorted pairs of "close", "open" or "single" and entity, if readable."""
    try:
        tags = _tags(cell, 0, "")
    except InputError:
        return []
    return sorted((("close", "single", "open")[action], entity) for action, entity in tags)


def write(document: Document) -> str:
    """Return a document with words as five columns: name, part, number in the sentence, word, cell.

    Raises
    ------
    InputError
        If it has no words, or brackets cannot say what it holds (crossing mentions of one entity, say): what
        is written is read again and compared.
    """
    if document.words is None or document.sentences is None:
        why = f"{quoted(document.id)} has no tokens, which CoNLL columns must hold"
        raise InputError(document.path, "", why)
    labels = list(document.clusters)
    if not all(_TAG.fullmatch(f"({label})") for label in labels):
        labels = [str(number) for number in range(len(labels))]
    clusters = dict(zip(labels, map(spans, document.clusters.values()), strict=True))
    numbered = _NUMBERED.fullmatch(document.id)
    name, part = numbered.groups() if numbered else (document.id, "")
    rows = [f"#begin document ({name});{f' part {part}' if part else ''}"]
    words, cells = document.words(), _cells(clusters, sum(document.sentences))
    token = 0
    for length in document.sentences:
        for i in range(length):
            rows.append(f"{name or '-'}\t{part or 0}\t{i}\t{words[token]}\t{cells[token]}")
            token += 1
        rows.append("")
    text = "\n".join([*rows, "#end document", ""])
    if not _says(text, document, clusters):
        why = (
            f"{quoted(document.id)} cannot be written as CoNLL columns: it would be read differently "
            "(mentions of one entity that cross, a line break in a word, ...)"
        )
        raise InputError(document.path, "", why)
    return text


def _cells(clusters: Mapping[str, Sequence[tuple[int, int]]], tokens: int) -> list[str]:
    """Return the coreference cells; long mentions open first, so that the last one opened closes first."""
    opening: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    for label, members in clusters.items():
        for start, end in members:
            if end - start == 1:
                opening[start].append((-1, f"({label})"))
            else:
                opening[start].append((start - end, f"({label}"))
                closing[end - 1].append((-start, f"{label})"))
    tags = (sorted(closes) + sorted(opens) for closes, opens in zip(closing, opening, strict=True))
    return ["|".join(tag for _, tag in token) or "-" for token in tags]


def _says(text: str, document: Document, clusters: Mapping[str, Sequence[tuple[int, int]]]) -> bool:
    """Return whether `text` is read as `document`."""
    if "\0" in text:
        return False
    try:
        (found,) = read(text, "\0", document.path)  # no document is called like that
        words = found.words() if found.words else []
    except (InputError, ValueError):
        return False
    members = {label: sorted(spans(members)) for label, members in found.clusters.items()}
    expected = {label: sorted(members) for label, members in clusters.items() if members}
    return (found.id, members, found.sentences, words) == (
        document.id,
        expected,
        list(document.sentences or ()),
        list(document.words() if document.words else ()),
    )
