"""WebAnno TSV 3.x, as WebAnno and INCEpTION write it and the GUM corpus is published in it.

A row is a token: number, characters, token, then a cell for each feature of each layer. ``_`` stands for
nothing, ``|`` separates annotations of one token, a backslash escapes. In the cell ``coref->7-2`` of a chain
layer the token is in the second link of chain 7. In relation layers called Coref, the cell ``1-5[3_8]``
connects annotation 3, at token 1-5, with annotation 8 of this token: a cluster is what relations connect. An
annotation without relations is a singleton, and bridging relations do not count. What a mention stands for is
the type of its link, or the feature of its annotation called entity, value, category, type or label, or else
the first one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scorch2.formats.fields import check_tokens, components, value_of, without_discontinuous
from scorch2.model.document import Document, Label, OnDemand, Words, spans
from scorch2.model.errors import InputError, counted, listed, quoted
from scorch2.model.names import categories_of

BEFORE = 3  # columns before those of the layers: number, characters, token
NAME = "#Document.id="
"""Begins a line with the name of the document, an addition of scorch2 that INCEpTION passes over."""
CHAIN, RELATION = "CH", "RL"
_FORMAT = re.compile(r"#FORMAT=WebAnno TSV 3(?:\.[0-9]+)?\s*")
_LAYER = re.compile(r"#T_(SP|CH|RL)=(.*)")
_COREFERENCE = re.compile(r"coref[^.]*\Z", re.IGNORECASE)
_LINK_FEATURE = "referenceRelation"
_LINK_TYPE = "referenceType"
_CATEGORIES = ("entity", "value", "category", "type", "label")
"""What annotators call the feature that says what a mention stands for."""
_BASE = "BT_"


class WebAnnoLayer(NamedTuple):
    """A layer of annotations."""

    kind: str  # SP for spans, CH for chains, RL for relations
    name: str
    features: Sequence[str]  # a name for each of its columns
    first: int  # the first of its columns

    @property
    def stop(self) -> int:
        """The column after the last one."""
        return self.first + len(self.features)


class UnreadColumn(NamedTuple):
    """A column of which the values are not read."""

    noun: str  # what each of them is
    links: int  # the column of the links in a layer of chains, which tells them apart; else 0


class WebAnnoHeader(NamedTuple):
    """The columns in which a file says what is coreferent."""

    name: str  # what the document is called, if the file says it
    width: int  # the fewest cells of a row
    links: Sequence[int]  # the columns of chain layers that say which link of which chain a token is in
    chains: Sequence[str]  # the names of these layers
    bases: Sequence[int]
    """The layers that coreference relations connect, by their first column: there all annotations have a
    value."""
    relations: Sequence[WebAnnoLayer]  # the layers of coreference relations, read if there are no chains
    base_of: Sequence[int]  # for each of `relations`, the place of the layer that it connects in `bases`
    notes: Sequence[str]
    unread: Mapping[int, UnreadColumn]
    categories: Sequence[int]
    """The columns that say what mentions stand for: of each layer in `links`, else in `bases`; 0 for none."""


def header(lines: Sequence[str], path: str) -> WebAnnoHeader:
    """Return what the lines before the first row declare."""
    if not lines or not _FORMAT.fullmatch(lines[0]):
        raise InputError(path, "line 1", "is not #FORMAT=WebAnno TSV 3.x (export the document as TSV 3)")
    layers = _layers(lines, path)
    every = list(layers.values())
    chains = [layer for layer in every if layer.kind == CHAIN]
    relations = [layer for layer in every if layer.kind == RELATION and _COREFERENCE.search(layer.name)]
    notes = []
    if not chains and not relations:
        there = listed(layers) or "none"
        notes.append(f"no chain layer and no relation layer called Coref, so no mentions (layers: {there})")
    if chains and relations:
        notes.append(f"the relations of {listed(one.name for one in relations)} were not read: it has chains")
        relations = []
    names = {name: i for i, name in enumerate(dict.fromkeys(_base(layer, path) for layer in relations))}
    bases = [_layer(name, layers, path) for name in names]
    categories = [_category_column(layer) for layer in chains or bases]
    unread = {column: what for layer in every for column, what in _unread_columns(layer, relations, path)}
    return WebAnnoHeader(
        name=next((line.removeprefix(NAME) for line in lines if line.startswith(NAME)), ""),
        width=every[-1].stop if every else BEFORE,
        links=[_link_column(layer, path) for layer in chains],
        chains=[layer.name for layer in chains],
        bases=[layer.first for layer in bases],
        relations=relations,
        base_of=[names[_base(layer, path)] for layer in relations],
        notes=notes,
        unread={column: what for column, what in unread.items() if column not in categories},
        categories=categories,
    )


def _unread_columns(
    layer: WebAnnoLayer, relations: Sequence[WebAnnoLayer], path: str
) -> Iterator[tuple[int, UnreadColumn]]:
    links = _link_column(layer, path) if layer.kind == CHAIN else 0
    for column, feature in enumerate(layer.features, layer.first):
        is_end = feature.startswith(_BASE) and layer in relations
        if column != links and not is_end:
            named = feature.removeprefix(_BASE) if feature not in ("", "value") else layer.name
            yield column, UnreadColumn(value_of(named.rpartition(".")[2]), links)


def _layers(lines: Sequence[str], path: str) -> dict[str, WebAnnoLayer]:
    layers: dict[str, WebAnnoLayer] = {}
    first = BEFORE
    for number, line in enumerate(lines, 1):
        declared = _LAYER.fullmatch(line)
        if declared:
            name, *features = [field for field in declared[2].split("|") if field] or [""]
            if name in layers:
                raise InputError(path, f"line {number}", f"a second layer is called {quoted(name)}")
            layers[name] = WebAnnoLayer(declared[1], name, features or [""], first)
            first = layers[name].stop
    return layers


def _link_column(layer: WebAnnoLayer, path: str) -> int:
    if _LINK_FEATURE not in layer.features:
        raise InputError(path, "", f"the chain layer {quoted(layer.name)} has no feature {_LINK_FEATURE}")
    return layer.first + layer.features.index(_LINK_FEATURE)


def _base(layer: WebAnnoLayer, path: str) -> str:
    """Return the name of the layer whose annotations a relation connects."""
    if not layer.features[-1].startswith(_BASE):
        why = f"the relation layer {quoted(layer.name)} does not end with {_BASE}<layer>"
        raise InputError(path, "", why)
    return layer.features[-1].removeprefix(_BASE)


def _layer(name: str, layers: Mapping[str, WebAnnoLayer], path: str) -> WebAnnoLayer:
    if name not in layers:
        why = f"coreference relations connect the layer {quoted(name)}, which is not in the header"
        raise InputError(path, "", why)
    return layers[name]


def _category_column(layer: WebAnnoLayer) -> int:
    """Return the column that says what the mentions of a layer stand for; 0 if a layer of chains has none."""
    wanted = (_LINK_TYPE,) if layer.kind == CHAIN else (*_CATEGORIES, layer.features[0])
    named = next((name for name in wanted if name in layer.features), None)
    return 0 if named is None else layer.first + layer.features.index(named)


_ROW = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(\.[0-9.]+)?\t")
_STACKED = re.compile(r"(?:^|\|)((?:\\.?|[^|\\])*)", re.DOTALL)
_LINK = re.compile(r".*->([0-9]{1,9})-([0-9]{1,9})", re.DOTALL)
_NUMBER = re.compile(r"\[([0-9]{1,9})\]\Z")
_REFERENCE = re.compile(r"([0-9]{1,9}-[0-9]{1,9}(?:\.[0-9.]+)?)(?:\[([0-9]{1,9})_([0-9]{1,9})\])?")
_BRIDGING = "bridg"  # how the types of relations begin that are no identity
Key: TypeAlias = tuple[object, ...]
"""What tells a mention from others: its link and chain, its number, or its row and place in the cell."""


class _TokenPlace(NamedTuple):
    """The tokens of a mention, and the line where it begins."""

    start: int
    end: int
    line: int


class _Relation(NamedTuple):
    source: Key
    target: Key
    line: int


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document in a file, with token spans as mentions."""
    lines = text.replace("\r\n", "\n").split("\n")
    head = next((i for i, line in enumerate(lines) if line and line[0] != "#"), len(lines))
    declared = header(lines[:head], path)
    reading = _WebAnnoReader(declared, path)
    for number, line in enumerate(lines[head:], head + 1):
        if line and line[0] != "#":
            reading.take(line, number)
    yield reading.document(declared.name or stem, text)


def _unread(text: str, columns: Mapping[int, UnreadColumn]) -> Mapping[str, int]:
    """Return how many values stand in columns that are not read; an annotation of several tokens has one."""
    found: dict[int, set[object]] = {column: set() for column in columns}
    for place, line in enumerate(text.split("\n")):
        cells = line.removesuffix("\r").split("\t") if line[:1] not in ("", "#") else ()
        for column, (_, links) in columns.items() if len(cells) > BEFORE else ():
            values = _values(cells[column]) if cells[column] not in ("_", "") else []
            for i, value in enumerate(values):
                marked = _NUMBER.search(value)
                if value[: marked.start() if marked else None] != "*":
                    key: object = _values(cells[links])[i : i + 1] if links else marked and marked[1]
                    found[column].add(str(key) if key else (place, i))
    return {columns[column].noun: len(keys) for column, keys in found.items()}


_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def _labels(
    text: str, head: WebAnnoHeader, groups: Mapping[str, Sequence[Key]], places: Mapping[Key, _TokenPlace]
) -> Mapping[str, Sequence[Label]]:
    """Return what the annotations of each cluster say, in the row where they begin."""
    lines = text.replace("\r\n", "\n").split("\n")
    rows = {line: lines[line - 1].split("\t") for line in {place.line for place in places.values()}}
    return {name: [_label(key, rows[places[key].line], head) for key in own] for name, own in groups.items()}


def _label(key: Key, cells: Sequence[str], head: WebAnnoHeader) -> str:
    """Return what a row says of the mention `key` that begins there; ``*`` stands for nothing."""
    for layer, (column, category) in enumerate(zip(head.links or head.bases, head.categories, strict=True)):
        for place, value in enumerate(_values(cells[column])):
            marked = (_LINK.fullmatch if head.links else _NUMBER.search)(value)
            found: Key = (layer, cells[0], place)
            if marked:
                numbers = map(int, marked.groups())
                found = (layer, *numbers) if head.links else tuple(numbers)
            if found == key and category:
                said = "".join(_values(cells[category])[place : place + 1])
                return "" if said[:1] in ("*", "_") else _ESCAPED.sub(r"\1", _NUMBER.sub("", said))
    return ""


def _words(text: str) -> list[str]:
    rows = (line.split("\t") for line in text.replace("\r\n", "\n").split("\n") if line[:1] not in ("", "#"))
    return [row[BEFORE - 1] for row in rows if "." not in row[0]]


class _WebAnnoReader:
    """A document whose last row was not read yet."""

    def __init__(self, head: WebAnnoHeader, path: str) -> None:
        self._head = head
        self._path = path
        self._line = 0
        self._tokens = 0
        self._sentences: list[int] = []
        self._at = (0, 0)  # the numbers of the last token: its sentence, and inside that
        self._part = ""  # of the last token that is being read
        self._mentions: dict[Key, _TokenPlace] = {}
        self._cut: set[Key] = set()  # mentions with a border inside a token
        self._relations: list[_Relation] = []
        self._bridging = 0

    def take(self, line: str, number: int) -> None:
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
                for place, value in enumerate(_values(cells[column]) if cells[column] != "_" else ()):
                    marked = _NUMBER.search(value)
                    self._extend((int(marked[1]),) if marked else (base, self._unit(), place))
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

    def _unit(self) -> str:
        return f"{self._at[0]}-{self._at[1]}{self._part}"

    def _extend(self, key: Key) -> None:
        token = self._tokens - 1
        known = self._mentions.get(key)
        if known and known.end < token:
            raise self._error(f"an annotation of line {known.line} goes on here, but not on the row before")
        start, line = (known.start, known.line) if known else (token, self._line)
        self._mentions[key] = _TokenPlace(start, token + 1, line)
        if self._part:
            self._cut.add(key)

    def _related(self, base: int, layer: WebAnnoLayer, cells: Sequence[str]) -> None:
        sources = _values(cells[layer.stop - 1])
        features = [_values(cell) for cell in cells[layer.first : layer.stop - 1]]
        if any(len(values) != len(sources) for values in features):
            raise self._error(f"the relations {quoted(cells[layer.stop - 1])} have another number of types")
        for place, source in enumerate(sources):
            reference = _REFERENCE.fullmatch(source)
            if not reference:
                raise self._error(f"the relation {quoted(source)} is not like 1-5 or 1-5[3_8]")
            if any(values[place].casefold().startswith(_BRIDGING) for values in features):
                self._bridging += 1
                continue
            ends = [
                (int(number),) if int(number or 0) else (base, unit, 0)
                for unit, number in ((reference[1], reference[2]), (self._unit(), reference[3]))
            ]
            self._relations.append(_Relation(ends[0], ends[1], self._line))

    def _error(self, why: str) -> InputError:
        return InputError(self._path, f"line {self._line}", why)

    def document(self, name: str, text: str) -> Document:
        groups = self._chains() if self._head.links else self._connected()
        spans_of = {key: (place.start, place.end) for key, place in self._mentions.items()}
        clusters = {name: [spans_of[key] for key in keys] for name, keys in groups.items()}
        notes = self._notes()
        return Document(
            name, clusters, self._path, self._sentences, "webanno", words=Words(_words, text), notes=notes,
            numbered=True,
            categories=OnDemand(_labels, text, self._head, groups, self._mentions),
            unread=OnDemand(_unread, text, self._head.unread),
        )  # fmt: skip

    def _chains(self) -> dict[str, list[Key]]:
        clusters: dict[str, list[Key]] = {}
        layers = self._head.chains
        for key in self._mentions:
            layer, chain, _ = key
            name = f"{chain}" if len(layers) == 1 else f"{layers[int(str(layer))]}:{chain}"
            clusters.setdefault(name, []).append(key)
        return clusters

    def _connected(self) -> dict[str, Any]:
        for relation in self._relations:
            for end in (relation.source, relation.target):
                if end not in self._mentions:
                    self._line = relation.line
                    shown = end[0] if len(end) == 1 else f"at {end[1]}"
                    raise self._error(f"a relation connects annotation {shown}, which is not there")
        links = [(relation.source, relation.target) for relation in self._relations]
        return dict(components(list(self._mentions), links))

    def _notes(self) -> list[str]:
        notes = list(self._head.notes)
        if self._bridging:
            notes.append(f"{counted(self._bridging, 'bridging relation')} left out: bridging is not identity")
        if self._cut:
            what = counted(len(self._cut), "mention")
            notes.append(f"{what} with an end inside a token widened to whole tokens")
        return notes


def _values(cell: str) -> list[str]:
    return _STACKED.findall(cell) if "\\" in cell else cell.split("|")


_HEADER = """\
#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation

"""
_CHAIN = re.compile(r"0|[1-9][0-9]{0,8}")
_RESERVED = re.compile(r"[\\\[\]|_;*]|->")
_NO_TOKEN = re.compile(r"[\t\n\0]")
_NAME = re.compile(r"[^\n\r\0]+")


def write(document: Document) -> str:
    """Return a document with words as a chain layer; the text is its tokens with a blank between them."""
    words = check_tokens(document, "WebAnno TSV")()
    _check(document, words)
    cells = _cells(document, len(words))
    parts = [_HEADER, f"\n{NAME}{document.id}"]
    token = begin = 0
    for number, length in enumerate(document.sentences or (), 1):
        sentence = words[token : token + length]
        parts.append(f"\n#Text={' '.join(sentence)}\n".replace("\\", "\\\\"))
        for i, word in enumerate(sentence):
            end = begin + len(word) + sum(letter > "\uffff" for letter in word)  # in units of UTF-16
            parts.append(f"{number}-{i + 1}\t{begin}-{end}\t{word}\t{cells[token + i]}\t\n")
            begin = end + 1
        token += length
    return "".join(parts) if token else "".join([*parts, "\n"])


def _check(document: Document, words: Sequence[str]) -> None:
    odd = next((word for word in words if _NO_TOKEN.search(word)), None)
    what = ""
    if odd is not None:
        what = f"the word {quoted(odd)}"
    elif not _NAME.fullmatch(document.id):
        what = "such a name"
    elif 0 in (document.sentences or ()):
        what = "an empty sentence"
    if what:
        why = f"{quoted(document.id)} cannot be written as WebAnno TSV, which cannot hold {what}"
        raise InputError(document.path, "", why)


def _cells(document: Document, tokens: int) -> list[str]:
    """Return the two cells of each token: the types of its links with their chains, and the links."""
    types_at: list[list[str]] = [[] for _ in range(tokens)]
    links_at: list[list[str]] = [[] for _ in range(tokens)]
    are_numbers = all(map(_CHAIN.fullmatch, document.clusters))
    every = categories_of(document)
    for number, (name, members) in enumerate(document.clusters.items(), 1):
        chain = name if are_numbers else str(number)
        named = sorted(zip(spans(members), map(_written_type, every[name]), strict=True))
        for link, ((start, end), category) in enumerate(named, 1):
            for token in range(start, end):
                types_at[token].append(f"{category}[{chain}]")
                links_at[token].append(f"*->{chain}-{link}")
    both = zip(types_at, links_at, strict=True)
    return ["\t".join(map("|".join, cells)) if cells[0] else "_\t_" for cells in both]


def _written_type(category: str) -> str:
    return "*" if not category or _NO_TOKEN.search(category) else _RESERVED.sub(r"\\\g<0>", category)


fitting = without_discontinuous
