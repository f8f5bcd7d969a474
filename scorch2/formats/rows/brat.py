r"""brat standoff ``.ann``: ``T1 <type> <start> <end>``, tab, the text; and relations between such mentions.

Follows the standoff format of brat 1.3. Every T line is a mention; its offsets count the characters of the
``.txt`` file beside it from 0, the end is outside. A mention in pieces (``0 4;9 12``) is read as one, from
its first character to its last. A cluster is what coreference relations connect: those whose name begins
with ``coref`` in any case (``R1 Coref Arg1:T2 Arg2:T1``), and ``* Equiv T1 T2``. A mention in none of them
is a singleton. A relation of events connects their triggers.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from scorch2.formats.fields import differing, in_groups, is_coreference, number_of, without_discontinuous
from scorch2.formats.source import lacking_text, text_beside
from scorch2.model.document import Document, Label, OnDemand, spans
from scorch2.model.errors import InputError, counted, listed, quoted
from scorch2.model.names import category_of, labels_of

_PLACES = "[0-9]+ [0-9]+(?:;[0-9]+ [0-9]+)*"
MENTION = re.compile(rf"(T\S+)\t(\S+) ({_PLACES})\s*(?:\t(.*))?")
"""Id, type, places and the text of a mention."""
LINES = {
    "T": MENTION,
    "E": re.compile(r"(E\S+)\t[^\s:]+:(T\S+)(?:\s.*)?"),
    "R": re.compile(r"R\S+\t(\S+) [^\s:]+:(\S+) [^\s:]+:(\S+)(?:\s.*)?"),
    "*": re.compile(r"\*\t(\S+) (\S+(?: \S+)+)\s*"),
    **dict.fromkeys("AMN", re.compile(r"\S\S+\t\S+ \S.*")),
    "#": re.compile(r"#\S*\t.*"),
}
"""What lines are like, by the sign that they begin with."""
SHAPES = {
    "T": "T1, tab, type, start and end (0 4;6 9 if discontinuous)",
    "E": "E1, tab, type:T1 and what takes part",
    "R": "R1, tab, name, Arg1:T1 Arg2:T2",
    "*": "*, tab, Equiv, T1 T2",
    "A": "A1, tab, name, T1",
    "M": "M1, tab, name, E1",
    "N": "N1, tab, Reference T1 id",
    "#": "#1, tab, kind, T1, tab, remark",
}
"""The same for messages."""
REFERENCE = re.compile(r"N\S+\t\S+ (T\S+) ([^\t]+)(?:\t.*)?")
"""A line that says what a mention denotes: the mention and the id."""


def connects(name: str, *, is_equivalence: bool) -> bool:
    """Return whether a relation or an equivalence of this name says that mentions are coreferent."""
    return is_coreference(name) or (is_equivalence and name == "Equiv")


class _BratMention(NamedTuple):
    span: tuple[int, int]
    type: str
    line: int
    quoted: str  # the text as the line quotes it; empty if it does not, or the mention is in pieces


_NOT_READ = {"A": "attribute", "M": "attribute", "N": "normalisation", "#": "note"}
"""What a line says that is not read, as a noun that counts it, by its first letter."""


_CATEGORY = re.compile("(PROP|NOM|PRON)_([A-Z]+)")
_ENTITY = re.compile(r"\S+-[0-9]+")
"""The types of the two lines that LitBank has for each mention: its category, and the name of its entity."""


class _Link(NamedTuple):
    ends: Sequence[str]
    line: int


class _BratReader:
    """The lines of a file, sorted out."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.mentions: dict[str, _BratMention] = {}
        self.triggers: dict[str, str] = {}
        self.links: list[_Link] = []
        self.others: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()
        self.in_pieces = 0

    def take(self, line: str, number: int) -> None:
        kind = line[0]
        if kind not in LINES:
            raise self.error(number, f"begins with none of {' '.join(LINES)}, as lines of brat do")
        match = LINES[kind].fullmatch(line)
        if match is None:
            raise self.error(number, f"a line that begins with {kind} is: {SHAPES[kind]}")
        if kind == "T":
            self._add(match, number)
        elif kind == "E":
            self.triggers[match[1]] = match[2]
            self.unread["event"] += 1
        elif kind not in "R*":
            self.unread[_NOT_READ[kind]] += 1
        elif connects(match[1], is_equivalence=kind == "*"):
            self.links.append(_Link(match[2].split(" ") if kind == "*" else match.group(2, 3), number))
        else:
            self.others[match[1]] += 1
            self.unread[f"{match[1]} relation"] += 1

    def _add(self, match: re.Match[str], number: int) -> None:
        ident, kind, places, text = match.groups()
        if ident in self.mentions:
            raise self.error(number, f"a second mention is called {quoted(ident)}")
        starts, ends = [], []
        for piece in places.split(";"):
            start, end = (number_of(cell, "the offset", self.path, number) for cell in piece.split(" "))
            if start >= end:
                raise self.error(number, f"a mention ends where it begins, or before: {quoted(piece)}")
            starts.append(start)
            ends.append(end)
        self.in_pieces += len(starts) > 1
        text = text if text and len(starts) == 1 else ""
        self.mentions[ident] = _BratMention((min(starts), max(ends)), kind, number, text)

    def pairs(self) -> Iterator[tuple[str, str]]:
        for link in self.links:
            ends = [self.triggers.get(end, end) for end in link.ends]
            for end in ends:
                if end not in self.mentions:
                    raise self.error(link.line, f"no line has the mention {quoted(end)}")
            yield from pairwise(ends)

    @property
    def of_litbank(self) -> bool:
        """True if types name entities, and other lines of the same mentions their category."""
        kinds = {mention.type for mention in self.mentions.values()} if not self.links else set()
        entities = set(filter(_ENTITY.fullmatch, kinds))
        others = kinds - entities
        return bool(entities and others) and all(map(_CATEGORY.fullmatch, others))

    def clusters(self) -> dict[str, list[str]]:
        """Return the ids of the mentions of each cluster."""
        return self._of_litbank() if self.of_litbank else self._related()

    def _of_litbank(self) -> dict[str, list[str]]:
        """Return the clusters of LitBank's files; a mention without an entity is called by its id."""
        clusters: dict[str, list[str]] = {}
        of_entities = {mention.span for mention in self.mentions.values() if _ENTITY.fullmatch(mention.type)}
        for ident, mention in self.mentions.items():
            if _ENTITY.fullmatch(mention.type):
                clusters.setdefault(mention.type, []).append(ident)
            elif mention.span not in of_entities:
                clusters[ident] = [ident]
        return clusters

    def _related(self) -> dict[str, list[str]]:
        """Return the clusters that relations connect."""
        return {idents[0]: idents for idents in in_groups(list(self.mentions), self.pairs())}

    def notes(self) -> list[str]:
        notes = []
        if self.in_pieces:
            what = counted(self.in_pieces, "discontinuous mention")
            notes.append(f"{what} read from the first character to the last")
        if self.others:
            what = counted(sum(self.others.values()), "relation")
            notes.append(f"{what} called neither Coref... nor Equiv, not read ({listed(self.others)})")
        if self.of_litbank:
            notes.append("as in LitBank's files for brat, types such as Ann_Lee-3 are taken for entities")
        elif not self.links and len(self.mentions) > 1:
            notes.append("no relation called Coref... or Equiv: every mention is a singleton")
        return notes

    def error(self, number: int, why: str) -> InputError:
        return InputError(self.path, f"line {number}", why)


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of a file, called like the file; clusters are called by their first mention."""
    reading = _BratReader(path)
    for number, line in enumerate(text.split("\n"), 1):
        if stripped := line.removesuffix("\r"):
            reading.take(stripped, number)
    mentions = reading.mentions
    groups = reading.clusters()
    clusters = {name: [mentions[ident].span for ident in ids] for name, ids in groups.items()}
    notes = reading.notes()
    written = text_beside(path, ".txt")
    if written is not None:
        for ident, mention in mentions.items():
            if mention.span[1] > len(written):
                why = f"ends at {mention.span[1]}, after the text ({len(written)} characters)"
                raise reading.error(mention.line, f"the mention {quoted(ident)} {why}")
        said = [(ident, one.quoted, one.span) for ident, one in mentions.items() if one.quoted]
        notes += differing(said, len(mentions), written, "the text beside the file")
    lengths = None if written is None else [len(written)]
    yield Document(
        stem, clusters, path, lengths, "brat", unit="character", notes=notes, half_open=True, exclusive=True,
        text=written, unread=OnDemand(dict, reading.unread),
        categories=OnDemand(_labels, groups, mentions, reading.of_litbank),
    )  # fmt: skip


def _labels(
    groups: Mapping[str, Sequence[str]], mentions: Mapping[str, _BratMention], of_litbank: bool
) -> Mapping[str, Sequence[Label]]:
    """Return what the types of mentions say: of LitBank's, the line that is not about the entity."""
    if not of_litbank:
        return {name: [mentions[ident].type for ident in ids] for name, ids in groups.items()}
    said = {
        mention.span: {"type": match[2], "prop": match[1]}
        for mention in mentions.values()
        if (match := _CATEGORY.fullmatch(mention.type))
    }
    return {name: [said.get(mentions[ident].span) for ident in ids] for name, ids in groups.items()}


_TYPE = "Mention"  # the type of mentions that have none


class _TextUnits(NamedTuple):
    """A text, and where its units (tokens or characters) begin and end in it."""

    characters: str
    starts: Sequence[int]
    ends: Sequence[int]


class _PlacedMention(NamedTuple):
    start: int
    end: int
    type: str
    cluster: str


def write(document: Document) -> str:
    """Return the lines of a document, whose text is that of `plain_text`."""
    text = _text_of(document)
    labels = labels_of(document)
    places = sorted(
        _PlacedMention(text.starts[start], text.ends[end - 1], _type(label), cluster)
        for cluster, members in document.clusters.items()
        for (start, end), label in zip(spans(members), labels[cluster], strict=True)
    )
    if any(place.start >= place.end for place in places):
        raise document.error(f"a mention of {quoted(document.id)} is an empty token, which brat cannot mark")
    if "\0" in text.characters:
        why = f"the text of {quoted(document.id)} holds a NUL byte, which no text file can hold"
        raise document.error(why)
    lines = []
    idents: dict[str, list[str]] = {}
    for number, place in enumerate(places, 1):
        shown = " ".join(text.characters[place.start : place.end].split("\n")).replace("\r", " ")
        lines.append(f"T{number}\t{place.type} {place.start} {place.end}\t{shown}")
        idents.setdefault(place.cluster, []).append(f"T{number}")
    links = [pair for members in idents.values() for pair in pairwise(members)]
    for number, (before, ident) in enumerate(links, 1):
        lines.append(f"R{number}\tCoref Arg1:{ident} Arg2:{before}")
    return "".join(f"{line}\n" for line in lines)


def plain_text(document: Document) -> str:
    """Return the text that the offsets of `write` count: tokens joined by blanks, one sentence per line."""
    return _text_of(document).characters


def _text_of(document: Document) -> _TextUnits:
    if document.unit == "character" and document.text is not None:
        length = len(document.text)
        return _TextUnits(document.text, range(length), range(1, length + 1))
    if document.has_tokens and document.words is not None:
        return _joined(document.words(), document.sentences or ())
    why = f"{quoted(document.id)} has neither a text nor tokens, which brat quotes beside each mention"
    hint = lacking_text(document)
    raise document.error(f"{why} ({hint})" if hint else why)


def _joined(words: Sequence[str], sentences: Sequence[int]) -> _TextUnits:
    last = set(accumulate(sentences))
    pieces = [word + ("\n" if number in last else " ") for number, word in enumerate(words, 1)]
    ends = list(accumulate(map(len, pieces)))
    starts = [end - len(piece) for end, piece in zip(ends, pieces, strict=True)]
    return _TextUnits("".join(pieces), starts, [end - 1 for end in ends])


def _type(label: Label) -> str:
    said = category_of(label)
    return said if said.split() == [said] and "\0" not in said else _TYPE


fitting = without_discontinuous
