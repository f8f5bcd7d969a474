r"""Annotated books and texts: BookNLP, LitBank and SACR.

BookNLP ``.entities``: ``COREF start_token end_token prop cat text``, one mention per line.

Follows BookNLP 1.0.7. Tokens count from 0 through the whole book and the end is inside the mention. ``-1``
stands for a mention that BookNLP gave no entity: it is alone. ``prop`` and ``cat`` are kept as the type of a
mention, ``text`` is not read. Nothing names the document: it is called like its file.

LitBank's own files of coreference: lines ``MENTION`` and ``COREF``, in ``coref/tsv/*.ann`` of the corpus.

``MENTION <id> <sentence> <token> <sentence> <token> <text> <category> <kind>`` says where a mention begins
and ends and what it is, such as ``PER``; ``COREF <id> <entity>`` says whose it is. All numbers count from 0,
tokens within their sentence; the end is inside. A mention without an entity is alone, as in the CoNLL columns
of the corpus. The text beside the file, ``.txt``, has a sentence per line with blanks between its tokens.
Without it sentences have no length, so mentions get the names that ``conll2json`` gives them, as ``0.15-17``.

SACR: ``{Ann:type="PER" Ann} left. {Ann She} ran.`` A name after a brace is the cluster of a mention.

Follows SACR and the parsers of the repository boberle/corefconversion. Offsets count the characters of the
text without marks, and without the lines that begin with ``#`` or are of stars. ``#textid:`` names the
document.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain

from scorch2.formats import fields
from scorch2.formats.source import path_beside, text_beside
from scorch2.model.document import Document, Label, Mention, OnDemand, Span, Words, spans
from scorch2.model.errors import InputError, counted, quoted, shown_path
from scorch2.model.names import labels_of

HEADER = ("COREF", "start_token", "end_token", "prop", "cat", "text")
_PLACE = HEADER[:3]
_NO_ENTITY = "-1"
_TYPE = {"cat": "type", "prop": "prop"}
"""The columns that say what type of mention it is, with the names of the fields of a mention."""


def booknlp_documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of a file, with token spans as mentions."""
    names = text.partition("\n")[0].removesuffix("\r").split("\t")
    if tuple(names[: len(_PLACE)]) != _PLACE:
        why = f"the first line should name the columns: {', '.join(HEADER)}, by tabs"
        raise InputError(path, "line 1", why)
    said = [names.index(name) for name in _TYPE if name in names]
    found, alone = fields.Gathered(), 0
    others = [(i, fields.value_of(name)) for i, name in enumerate(names) if name not in (*_PLACE, *_TYPE)]
    for number, cells in fields.rows_below_header(text, path):
        span = _span(cells, path, number)
        cluster = cells[0]
        if cluster == _NO_ENTITY:
            cluster, alone = f"{_NO_ENTITY} (line {number})", alone + 1
        found.add(cluster, span, _label(*((names[i], cells[i]) for i in said)))
        found.unread.update(noun for i, noun in others if cells[i])
    note = f"{counted(alone, 'mention')} without an entity ({_NO_ENTITY}), each a singleton"
    yield found.document(stem, path, format="booknlp", notes=(note,) if alone else (), half_open=True)


def _span(cells: Sequence[str], path: str, number: int) -> tuple[int, int]:
    if not cells[0]:
        raise InputError(path, f"line {number}", f"the entity is empty (write {_NO_ENTITY} for none)")
    first = fields.number_of(cells[1], _PLACE[1], path, number)
    last = fields.number_of(cells[2], _PLACE[2], path, number)
    if first > last:
        why = f"the start {first} is after the end {last} (the end is the last token of the mention)"
        raise InputError(path, f"line {number}", why)
    return first, last + 1


@lru_cache(1 << 10)  # few types of mentions: each is kept once
def _label(*cells: tuple[str, str]) -> Mapping[str, str] | None:
    """Return what the cells with these names say of a mention; ``cat`` is its category."""
    return {_TYPE[name]: cell for name, cell in cells if cell} or None


def booknlp_write(document: Document) -> str:
    """Return a document whose mentions are spans of tokens; without words the text stays empty."""
    are_ids = not document.has_spans and document.has_mentions
    if are_ids or (document.has_spans and document.unit != "token"):
        what = "are not known to be spans of tokens, which BookNLP counts"
        raise document.error(f"the mentions of {quoted(document.id)} {what}")
    words = document.words() if document.words is not None else []
    labels = labels_of(document)
    names = _entities(document)
    rows = [
        (start, end, names[cluster], _kind(label))
        for cluster, members in document.clusters.items()
        for (start, end), label in zip(spans(members), labels[cluster], strict=True)
    ]
    lines = ["\t".join(HEADER)]
    for start, end, name, kind in sorted(rows):
        text = " ".join(" ".join(words[start:end]).replace("\0", " ").split())
        lines.append("\t".join((name, str(start), str(end - 1), *kind, text)))
    return "\n".join([*lines, ""])


def _entities(document: Document) -> Mapping[str, str]:
    """Return the first cell of each cluster: its name, or numbers for all if a name breaks the columns."""
    names = list(document.clusters)
    if all(_is_cell(name) and name != _NO_ENTITY for name in names):
        return dict(zip(names, names, strict=True))
    return {name: str(number) for number, name in enumerate(names)}


def _kind(label: Label) -> list[str]:
    said = label if isinstance(label, Mapping) else {"type": label}
    cells = said.get("prop"), said.get("type")
    return [cell if isinstance(cell, str) and _is_cell(cell) else "" for cell in cells]


def _is_cell(text: str) -> bool:
    """Return whether a cell can hold a text that is neither empty nor has blanks."""
    return text.split() == [text] and "\0" not in text


booknlp_fitting = fields.without_discontinuous


_MENTION = ("MENTION", "id", "first sentence", "first token", "last sentence", "last token")
_NOT_READ = ("mention text", "", "mention kind")
"""What stands behind the place of a mention, as nouns that count it; the category is read."""
_CATEGORY = len(_MENTION) + 1
_COREF = ("COREF", "id of a mention", "entity")
_OTHERS = ("COP", "APPOS")  # links of a copula and of an apposition, which are no identity


def litbank_documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of a file."""
    mentions: dict[str, str] = {}
    categories: dict[str, str] = {}
    entities: list[tuple[str, str, int]] = []
    others: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.removesuffix("\r").split("\t")
        kind = cells[0]
        if kind == _MENTION[0]:
            name = _mention(cells, path, number)
            if cells[1] in mentions:
                raise InputError(path, f"line {number}", f"a second mention is called {quoted(cells[1])}")
            mentions[cells[1]] = name
            categories[cells[1]] = cells[_CATEGORY] if len(cells) > _CATEGORY else ""
            behind = zip(_NOT_READ, cells[len(_MENTION) :], strict=False)
            unread.update(what for what, cell in behind if what and cell)
        elif kind == _COREF[0]:
            _require(cells, _COREF, path, number)
            entities.append((cells[1], cells[2], number))
        elif kind in _OTHERS:
            others[kind] += 1
        elif line.strip(" \t\r"):
            why = f"a line begins with MENTION, COREF, {' or '.join(_OTHERS)}, not with {quoted(kind)}"
            raise InputError(path, f"line {number}", why)
    ids = _clusters(mentions, entities, path)
    clusters: dict[str, list[Mention]] = {entity: [mentions[i] for i in own] for entity, own in ids.items()}
    total = counted(sum(others.values()), "line")
    notes = [f"{total} of {' and '.join(sorted(others))}, no coreference and not read"] if others else ()
    unread.update({f"{kind} line": number for kind, number in others.items()})
    document = Document(
        stem, clusters, path, format="litbank", notes=notes, unread=OnDemand(dict, unread),
        categories=OnDemand(fields.labels_by, ids, categories),
    )  # fmt: skip
    yield _in_text(document, text_beside(path, ".txt"))


def _in_text(document: Document, text: str | None) -> Document:
    """Return a document with spans of the tokens of its text, if that is there."""
    if text is None:
        return document
    sentences = [list(filter(None, line.split(" "))) for line in text.replace("\r", "").split("\n")]
    starts = [0, *accumulate(map(len, sentences))]
    clusters: dict[str, list[Mention]] = {}
    for cluster, members in document.clusters.items():
        clusters[cluster] = []
        for name in members:
            first, _, last = str(name).partition("-")
            last = last if "." in last else f"{first.partition('.')[0]}.{last}"
            places = (first.partition("."), last.partition("."))
            start, end = (fields.token_at(int(here), int(number), starts) for here, _, number in places)
            if start is None or end is None:
                beside = shown_path(path_beside(document.path, ".txt"))
                raise document.error(f"the mention {quoted(name)} does not lie in the text beside, {beside}")
            clusters[cluster].append((start, end + 1))
    words = Words(list, tuple(chain.from_iterable(sentences)))
    return document._replace(clusters=clusters, sentences=[len(own) for own in sentences if own], words=words)


def _mention(cells: Sequence[str], path: str, number: int) -> str:
    _require(cells, _MENTION, path, number)
    named = zip(cells[2:], _MENTION[2:], strict=False)
    sentence, first, other, last = (
        fields.number_of(cell, f"the {what}", path, number) for cell, what in named
    )
    if (sentence, first) > (other, last):
        where = f"{sentence}.{first} to {other}.{last}"
        why = f"the mention ends before it begins: {where} (the end is its last token)"
        raise InputError(path, f"line {number}", why)
    end = f"{last}" if sentence == other else f"{other}.{last}"
    return f"{sentence}.{first}-{end}"


def _require(cells: Sequence[str], wanted: Sequence[str], path: str, number: int) -> None:
    if len(cells) < len(wanted):
        what = f"{', '.join(wanted[1:-1])} and {wanted[-1]}"
        why = f"{counted(len(cells), 'cell')}, but {wanted[0]} is followed by {what}, by tabs"
        raise InputError(path, f"line {number}", why)
    empty = next((what for cell, what in zip(cells, wanted, strict=False) if not cell), None)
    if empty:
        raise InputError(path, f"line {number}", f"the {empty} is empty")


def _clusters(
    mentions: Mapping[str, str], entities: Sequence[tuple[str, str, int]], path: str
) -> dict[str, list[str]]:
    """Return the ids of the mentions of each entity, then those without one, each called by its id."""
    clusters: dict[str, list[str]] = {}
    for ident, entity, number in entities:
        if ident not in mentions:
            raise InputError(path, f"line {number}", f"no MENTION line has the id {quoted(ident)}")
        clusters.setdefault(entity, []).append(ident)
    linked = {ident for ident, _, _ in entities}
    for ident in mentions:
        if ident not in linked:
            clusters[fields.free_name(ident, clusters)] = [ident]
    return clusters


_COMMENT = re.compile(r"(?m)^(?:#[^\n]*|\*{5,}[^\S\n]*)(?:\n|\Z)")
_NAMED = re.compile(r"#text_?id:([^\n]*)")
_VALUE = r'[\w-]+=(?:"[^"\n]*"|[\w-]*)'
_MARK = re.compile(rf"\{{([\w-]+)(?::({_VALUE}(?:,{_VALUE})*))?(?:[^\S\n]|(?=\n))|\}}")
_PROPERTY = re.compile(r'([\w-]+)=(?:"([^"\n]*)"|([\w-]*))')
_DEEPEST = 1000
_CATEGORIES = ("type", "category", "entity", "etype")


def sacr_documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of a file."""
    reading = _Reading(text, path)
    name = next((found[1].strip() for found in _NAMED.finditer(text) if found[1].strip()), stem)
    start = 0
    for found in re.finditer(rf"{_COMMENT.pattern}|{_MARK.pattern}", text):
        reading.add(text[start : found.start()])
        start = found.end()
        if found[0][:1] in ("{", "}"):
            reading.mark(found)
    reading.add(text[start:])
    yield reading.document(name)


class _Reading:
    """The text of a file, and the mentions in it."""

    def __init__(self, text: str, path: str) -> None:
        self._lines = [0, *(found.end() for found in re.finditer("\n", text))]
        self._path = path
        self._pieces: list[str] = []
        self._length = 0
        self._open: list[tuple[re.Match[str], int]] = []
        self._clusters: dict[str, list[tuple[Span, Label]]] = {}
        self._unread: Counter[str] = Counter()

    def add(self, piece: str) -> None:
        self._pieces.append(piece)
        self._length += len(piece)

    def mark(self, found: re.Match[str]) -> None:
        if found[0] != "}":
            if len(self._open) == _DEEPEST:
                raise self._error(found, f"more than {_DEEPEST} mentions lie in each other")
            self._open.append((found, self._length))
            self._clusters.setdefault(found[1], [])
            return
        if not self._open:
            raise self._error(found, "a brace closes no mention")
        opened, start = self._open.pop()
        if start == self._length:
            raise self._error(opened, f"the mention of {quoted(opened[1])} holds no text")
        said = {key: one or other for key, one, other in _PROPERTY.findall(opened[2] or "")}
        taken = next((key for key in _CATEGORIES if said.get(key)), "")
        self._unread.update(fields.value_of(key) for key, value in said.items() if key != taken and value)
        self._clusters[opened[1]].append(((start, self._length), said.get(taken)))

    def _error(self, found: re.Match[str], why: str) -> InputError:
        return InputError(self._path, f"line {bisect_right(self._lines, found.start())}", why)

    def document(self, name: str) -> Document:
        if self._open:
            opened = self._open[-1][0]
            raise self._error(opened, f"the mention of {quoted(opened[1])} is not closed")
        text = "".join(self._pieces)
        every = self._clusters.items()
        return Document(
            name, {cluster: sorted(span for span, _ in members) for cluster, members in every}, self._path,
            [len(text)], "sacr", unit="character", text=text, half_open=True, exclusive=True,
            categories=OnDemand(_sacr_labels, self._clusters), unread=OnDemand(dict, self._unread),
        )  # fmt: skip


def _sacr_labels(clusters: dict[str, list[tuple[Span, Label]]]) -> dict[str, list[Label]]:
    return {
        name: [label for _, label in sorted(members, key=lambda one: one[0])]
        for name, members in clusters.items()
    }
