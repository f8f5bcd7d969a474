"""The XML dialect of ARE, the anaphora resolution exercise.

    root (any name)   task="1".."4", doc, unit="token|char", ends="exclusive|inclusive"
      text            the text that characters are counted in
      entities        entity id | start end, type="np|pronoun"
      chains          chain > element id | start end
      pairs           pair > pronoun id | start end, antecedent id | start end

Entities, chains and pairs may also stand directly below the root. Other attributes are ignored; other
elements and characters outside ``text`` are errors. Of several faults in a file the first is reported.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import NamedTuple, TypeAlias

from scorch2.formats.detection import BELOW_ROOT_OF_ARE, is_exercise
from scorch2.formats.fields import DIGITS, UNITS, components, first_only, without_discontinuous
from scorch2.formats.xml.safe_xml import Handlers, XmlPlace, parse
from scorch2.model.document import Document, Mention, spans
from scorch2.model.errors import InputError, MarkupError, quoted
from scorch2.model.forms import function_at
from scorch2.model.markables import Anaphora

WRITTEN = {unit: name for name, unit in UNITS.items()}
BLANKS = " \t\r\n"
_ID_TASKS, _SPAN_TASKS = ("1", "2"), ("3", "4")
INSIDE: Mapping[str, tuple[str, ...]] = {
    "": BELOW_ROOT_OF_ARE,
    "entities": ("entity",),
    "chains": ("chain",),
    "chain": ("element",),
    "pairs": ("pair",),
    "pair": ("pronoun", "antecedent"),
}
"""What an element may hold; the root is called by an empty name, for it may have any."""
_VALUES = {"type": ("np", "pronoun"), "unit": tuple(UNITS), "ends": ("exclusive", "inclusive")}
_OFFSET = re.compile(rf"[0-9]{{1,{DIGITS}}}")


class PlacedMention(NamedTuple):
    """A mention and its place in the file."""

    mention: Mention
    place: XmlPlace
    is_pronoun: bool = False  # whether an entry of the list of mentions says so


class Chain(NamedTuple):
    """A chain as it is written."""

    label: str
    marks: list[PlacedMention]


class PronounPair(NamedTuple):
    """A pronoun and its antecedent, if one is given."""

    pronoun: PlacedMention
    antecedent: PlacedMention | None


class Purpose(NamedTuple):
    """The task that a file is read for."""

    task: int = 0  # 1 to 4; 0 for any content
    unit: str = ""  # ``token`` or ``char``, for files that do not say so


class Marked(NamedTuple):
    """A file as it is written, with half-open spans."""

    label: str
    unit: str  # ``token``, ``char``, or nothing for ids
    text: str | None
    entities: list[PlacedMention]
    chains: list[Chain]
    pairs: list[PronounPair]
    by_span: bool  # whether mentions are spans
    exclusive: bool  # whether the file writes the end of a span as what follows it


ANYTHING = Purpose()
_Attributes: TypeAlias = Mapping[str, str]


def is_span(mention: Mention) -> bool:
    """Return whether a mention is a half-open span of offsets that is not empty."""
    return (
        isinstance(mention, tuple) and len(mention) == len(("start", "end")) and 0 <= mention[0] < mention[1]
    )


def marks(data: bytes, path: str, wanted: Purpose = ANYTHING) -> Marked:
    """Return what a file holds."""
    reading = _MarkReader(path, wanted)
    parse(data, reading)
    return reading.marked()


class _MarkReader(Handlers):
    """The state of the reader: the open elements and the marks read so far."""

    def __init__(self, path: str, wanted: Purpose) -> None:
        super().__init__(path)
        self.wanted = wanted
        self.open: list[str] = []
        self.label, self.unit, self.last_is_inside = "", wanted.unit, 0
        self.by_span: bool | None = None
        self.texts: list[str] = []
        self.has_text = False
        self.entities: list[PlacedMention] = []
        self.chains: list[Chain] = []
        self.pairs: list[PronounPair] = []
        self.begun = XmlPlace(0, 0)
        self.pair: dict[str, PlacedMention] = {}

    def marked(self) -> Marked:
        text = "".join(self.texts) if self.has_text else None
        unit = self.unit if self.by_span else ""
        return Marked(
            self.label, unit, text, self.entities, self.chains, self.pairs,
            by_span=bool(self.by_span), exclusive=not self.last_is_inside,
        )  # fmt: skip

    def start(self, name: str, attributes: _Attributes) -> None:
        place = self.where()
        if not self.open:
            self._root(attributes, place)
            self.open.append("")
            return
        if name not in INSIDE.get(self.open[-1], ()):
            raise self.error_at(place, "unknown-element", f"<{quoted(name)[1:-1]}> has no meaning here")
        self.open.append(name)
        if name in _STARTS:
            _STARTS[name](self, name, attributes, place)

    def end(self, name: str) -> None:
        self.open.pop()
        if name == "pair" and self.open:
            if "pronoun" not in self.pair:
                raise self.error_at(self.begun, "bad-structure", "a <pair> without a <pronoun>")
            self.pairs.append(PronounPair(self.pair["pronoun"], self.pair.get("antecedent")))
        elif name == "chain" and self.open and not self.chains[-1].marks:
            raise self.error_at(self.begun, "bad-structure", "a <chain> without an <element>")

    def text(self, data: str) -> None:
        if self.open[-1] == "text":
            self.texts.append(data)
        elif data.strip(BLANKS):
            raise self.error("unexpected-text", f"{quoted(data.strip(BLANKS))} outside <text>")

    def element(self, name: str, attributes: _Attributes, place: XmlPlace) -> None:
        self.chains[-1].marks.append(self._mark(name, attributes, place))

    def part_of_pair(self, name: str, attributes: _Attributes, place: XmlPlace) -> None:
        if name in self.pair:
            raise self.error_at(place, "bad-structure", f"a second <{name}> in a <pair>")
        self.pair[name] = self._mark(name, attributes, place)

    def entity(self, name: str, attributes: _Attributes, place: XmlPlace) -> None:
        is_pronoun = self._value(attributes, "type", "np", place) == "pronoun"
        self.entities.append(self._mark(name, attributes, place)._replace(is_pronoun=is_pronoun))

    def chain(self, _: str, attributes: _Attributes, place: XmlPlace) -> None:
        self.begun = place
        self.chains.append(Chain(attributes.get("id", ""), []))

    def new_pair(self, _: str, __: _Attributes, place: XmlPlace) -> None:
        self.begun, self.pair = place, {}

    def new_text(self, _: str, __: _Attributes, place: XmlPlace) -> None:
        if self.has_text:
            raise self.error_at(place, "bad-structure", "a second <text>")
        self.has_text = True

    def _root(self, attributes: _Attributes, place: XmlPlace) -> None:
        task, wanted = attributes.get("task"), self.wanted
        if task is not None:
            if task not in (*_ID_TASKS, *_SPAN_TASKS):
                raise self.error_at(place, "bad-value", f"task is {quoted(task)} (known: 1, 2, 3, 4)")
            if wanted.task and task != str(wanted.task):
                why = f"the file is for task {task}, not for task {wanted.task}"
                raise self.error_at(place, "task-mismatch", why)
        self.label = attributes.get("doc", "")
        unit = self._value(attributes, "unit", "", place)
        if unit and wanted.unit and unit != wanted.unit:
            why = f"the file counts in {UNITS[unit]}s, not in {UNITS[wanted.unit]}s as asked for"
            raise self.error_at(place, "unit-mismatch", why)
        self.unit = unit or wanted.unit
        self.last_is_inside = self._value(attributes, "ends", "exclusive", place) == "inclusive"
        if wanted.task or task:
            self.by_span = (str(wanted.task) if wanted.task else task) in _SPAN_TASKS
        if wanted.task and self.by_span and not self.unit:
            hint = 'write unit="token" or unit="char", or give --unit'
            why = f"the file does not say what offsets count ({hint})"
            raise self.error_at(place, "unit-missing", why)

    def _mark(self, name: str, attributes: _Attributes, place: XmlPlace) -> PlacedMention:
        if self.by_span is None:
            self.by_span = "start" in attributes
        if self.by_span:
            return PlacedMention(self._span(name, attributes, place), place)
        ident = attributes.get("id", "").strip(BLANKS)
        if not ident:
            raise self.error_at(place, "missing-attribute", f"<{name}> has no id")
        return PlacedMention(ident, place)

    def _span(self, name: str, attributes: _Attributes, place: XmlPlace) -> tuple[int, int]:
        try:
            first, last = attributes["start"], attributes["end"]
        except KeyError as missing:
            raise self.error_at(place, "missing-attribute", f"<{name}> has no {missing.args[0]}") from None
        if not (_OFFSET.fullmatch(first) and _OFFSET.fullmatch(last)):
            bad = last if _OFFSET.fullmatch(first) else first
            raise self.error_at(place, "bad-offset", f"{quoted(bad)} is not an offset (up to 18 digits 0-9)")
        start, end = int(first), int(last) + self.last_is_inside
        if start < end:
            return start, end
        if start == end and not self.last_is_inside:
            hint = ' (if the last one belongs to it, write ends="inclusive")'
            raise self.error_at(place, "bad-offset", f"the span from {start} to {end} is empty{hint}")
        raise self.error_at(place, "bad-offset", f"the span ends before it starts: {first} to {last}")

    def _value(self, attributes: _Attributes, name: str, default: str, place: XmlPlace) -> str:
        value = attributes.get(name)
        if value is None:
            return default
        if value not in _VALUES[name]:
            why = f"{name} is {quoted(value)} (known: {', '.join(_VALUES[name])})"
            raise self.error_at(place, "bad-value", why)
        return value


_STARTS = {
    "element": _MarkReader.element,
    "pronoun": _MarkReader.part_of_pair,
    "antecedent": _MarkReader.part_of_pair,
    "entity": _MarkReader.entity,
    "chain": _MarkReader.chain,
    "pair": _MarkReader.new_pair,
    "text": _MarkReader.new_text,
}
"""The method that takes each start tag."""


_TOKEN = re.compile(r"\S+")


class _Fault(NamedTuple):
    """A fault in a file; faults sort by their place."""

    place: XmlPlace
    kind: str
    why: str


def documents(data: bytes, stem: str, path: str) -> list[Document]:
    """Return the document in a file, read for no particular task: with ids or spans."""
    if not is_exercise(data):
        function_at("formats.recognition:refuse_other_xml")(data, path)
    marked = marks(data, path)
    _, outside = _in_tokens(marked, marked.text)
    _raise_first(path, outside, _repeats(marked))
    document = _document(marked, _clusters(marked), stem, path)
    if marked.unit == "char" and marked.text is not None:
        document = document._replace(sentences=[len(marked.text)])
    return [document]


def read_gold(data: bytes, stem: str, path: str, wanted: Purpose) -> Document:
    """Return the gold document in a file."""
    marked = marks(data, path, wanted)
    if marked.unit != "char":
        marked = marked._replace(text=None)
    marked, outside = _in_tokens(marked, marked.text)
    clusters = _clusters(marked)
    strangers = _strangers(marked, {entity.mention for entity in marked.entities})
    _raise_first(path, outside, _repeats(marked), strangers, _unresolvable(marked, clusters.values()))
    tokens = None if marked.text is None else [len(_TOKEN.findall(marked.text))]
    return _document(marked, clusters, stem, path)._replace(sentences=tokens)


def read_system(data: bytes, stem: str, path: str, wanted: Purpose, gold: Document | None) -> Document:
    """Return the system document in a file, in the units of the gold document that it answers to.

    Parameters, errors and what is returned are those of `read_gold`; what the system lists as entities and as
    text is not used.
    """
    marked = marks(data, path, wanted)._replace(entities=[], text=None)
    asked = gold.anaphora if gold and gold.anaphora else Anaphora()
    if gold and gold.unit and marked.unit:
        unit = gold.unit if asked.text is None else "character"
        if unit != UNITS[marked.unit]:
            why = f"the file counts in {UNITS[marked.unit]}s, gold in {unit}s"
            raise MarkupError(path, 0, "unit-mismatch", why)
    marked, outside = _in_tokens(marked, asked.text)
    _raise_first(path, outside, _repeats(marked), _strangers(marked, set(asked.entities or ())))
    return _document(marked, _clusters(marked), stem, path)


def _in_tokens(marked: Marked, text: str | None) -> tuple[Marked, list[_Fault]]:
    """Return spans of characters as spans of the tokens of `text` that they touch, and the faults found."""
    if text is None or marked.unit != "char":
        return marked, []
    tokens = [match.span() for match in _TOKEN.finditer(text)]
    starts, ends = [start for start, _ in tokens], [end for _, end in tokens]
    faults = []

    def moved(mark: PlacedMention) -> PlacedMention:
        ((start, end),) = spans([mark.mention])
        first, last = bisect_right(ends, start), bisect_left(starts, end)
        if end > len(text):
            why = f"the span from {start} to {end} passes the end of the text, {len(text)}"
            faults.append(_Fault(mark.place, "bad-offset", why))
        elif first >= last:
            faults.append(_Fault(mark.place, "bad-offset", f"there is only whitespace from {start} to {end}"))
        return mark._replace(mention=(first, last))

    entities = list(map(moved, marked.entities))
    chains = [chain._replace(marks=list(map(moved, chain.marks))) for chain in marked.chains]
    pairs = [PronounPair(moved(first), other and moved(other)) for first, other in marked.pairs]
    changed = marked._replace(unit="token", text=text, entities=entities, chains=chains, pairs=pairs)
    return changed, sorted(faults)


def _clusters(marked: Marked) -> Mapping[str, Sequence[Mention]]:
    """Return the chains or, if there are none, the groups that pairs connect."""
    if marked.chains:
        labels = [chain.label for chain in marked.chains]
        if not all(labels) or len(set(labels)) < len(labels):
            labels = [str(number) for number in range(len(labels))]
        members = [[mark.mention for mark in chain.marks] for chain in marked.chains]
        return dict(zip(labels, members, strict=True))
    ends = [(pair.pronoun.mention, (pair.antecedent or pair.pronoun).mention) for pair in marked.pairs]
    return components(list(dict.fromkeys(chain.from_iterable(ends))), ends)


def _repeats(marked: Marked) -> Iterator[_Fault]:
    """Yield, for each kind of list, the first mention that repeats though it may not."""
    in_chains = (mark for group in marked.chains for mark in group.marks)
    pronouns = (pair.pronoun for pair in marked.pairs)
    for listed, kind, what in (
        (marked.entities, "duplicate-mention", "is an entity already"),
        (in_chains, "duplicate-mention", "is in a chain already"),
        (pronouns, "duplicate-pronoun", "has a pair already"),
    ):
        seen: dict[Mention, XmlPlace] = {}
        for mark in listed:
            first = seen.setdefault(mark.mention, mark.place)
            if first is not mark.place:
                yield _Fault(mark.place, kind, f"{quoted(mark.mention)} {what}, on line {first.line}")
                break


def _strangers(marked: Marked, entities: AbstractSet[Mention]) -> Iterator[_Fault]:
    """Yield the first id outside the list of mentions."""
    if marked.unit or not entities:
        return
    written = [mark for group in marked.chains for mark in group.marks]
    written += [mark for pair in marked.pairs for mark in pair if mark]
    unknown = [mark for mark in written if mark.mention not in entities]
    for place, mention in sorted((mark.place, mark.mention) for mark in unknown)[:1]:
        yield _Fault(place, "unknown-id", f"{quoted(mention)} is not an entity of the gold file")


def _unresolvable(marked: Marked, clusters: Iterable[Sequence[Mention]]) -> Iterator[_Fault]:
    """Yield the first pair of a gold file that its chains do not allow for."""
    chain_of = {mention: members for members in clusters for mention in members}
    for pronoun, antecedent in marked.pairs:
        own = chain_of.get(pronoun.mention)
        shown = quoted(pronoun.mention)
        if own is None:
            yield _Fault(pronoun.place, "no-chain", f"the pronoun {shown} is in no chain")
        elif antecedent and chain_of.get(antecedent.mention) is not own:
            why = f"{quoted(antecedent.mention)} is not in the chain of its pronoun {shown}"
            yield _Fault(antecedent.place, "pair-crosses-chains", why)
        elif len(own) == 1:
            yield _Fault(pronoun.place, "no-chain", f"the chain of the pronoun {shown} has no other mention")


def _raise_first(path: str, *faults: Iterable[_Fault]) -> None:
    first = min(chain.from_iterable(faults), default=None)
    if first:
        raise MarkupError(path, first.place.line, first.kind, first.why)


def _document(marked: Marked, clusters: Mapping[str, Sequence[Mention]], stem: str, path: str) -> Document:
    anaphora = Anaphora(
        {pair.pronoun.mention: pair.antecedent and pair.antecedent.mention for pair in marked.pairs},
        frozenset(entity.mention for entity in marked.entities if entity.is_pronoun),
        tuple(entity.mention for entity in marked.entities) or None,
        marked.text,
        {pair.pronoun.mention: pair.pronoun.place.line for pair in marked.pairs},
    )
    return Document(
        marked.label or stem, clusters, path, format="are", unit=UNITS.get(marked.unit, ""),
        anaphora=anaphora, half_open=marked.by_span, exclusive=marked.by_span and marked.exclusive,
    )  # fmt: skip


_IN_TEXT = {ord(letter): f"&#{ord(letter)};" for letter in "&<>\r"}
_IN_ATTRIBUTES = {ord(letter): f"&#{ord(letter)};" for letter in '&<>"\t\n\r'}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(document: Document) -> str:
    """Return a document as ARE XML: its chains and, where it has them, its text, entities and pairs."""
    anaphora = document.anaphora or Anaphora()
    mentions = _mentions(document, anaphora)
    names = _names(document, mentions)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        _root(document, by_span=_are_spans(mentions) or not mentions),
    ]
    if anaphora.text is not None:
        lines.append(f"  <text>{_escaped(anaphora.text, document, _IN_TEXT)}</text>")
    for mention in anaphora.entities or ():
        kind = ' type="pronoun"' if mention in anaphora.pronouns else ""
        lines.append(f"  <entity {names[mention]}{kind}/>")
    written = [mention for members in document.clusters.values() for mention in dict.fromkeys(members)]
    if len(set(written)) < len(written):
        why = f"a mention of {quoted(document.id)} is in two clusters, and in ARE XML in one chain"
        raise InputError(document.path, "", f"{why} (--lossy keeps the first)")
    for label, members in document.clusters.items():
        if members:
            elements = "".join(f"<element {names[mention]}/>" for mention in dict.fromkeys(members))
            lines.append(f'  <chain id="{_escaped(label, document)}">{elements}</chain>')
    for pronoun, antecedent in anaphora.answers.items():
        given = "" if antecedent is None else f"<antecedent {names[antecedent]}/>"
        lines.append(f"  <pair><pronoun {names[pronoun]}/>{given}</pair>")
    return "\n".join([*lines, "</are>", ""])


def _root(document: Document, *, by_span: bool) -> str:
    unit = WRITTEN.get(document.unit) if document.sentences is not None or document.anaphora else None
    shown = f' unit="{unit}"' if by_span and unit else ""
    return f'<are doc="{_escaped(document.id, document)}"{shown}>'


def _mentions(document: Document, anaphora: Anaphora) -> Sequence[Mention]:
    found = [mention for members in document.clusters.values() for mention in members]
    found += anaphora.entities or ()
    found += [mention for pair in anaphora.answers.items() for mention in pair if mention is not None]
    return list(dict.fromkeys(found))


def _are_spans(mentions: Sequence[Mention]) -> bool:
    return bool(mentions) and isinstance(mentions[0], tuple)


def _names(document: Document, mentions: Sequence[Mention]) -> dict[Mention, str]:
    if _are_spans(mentions):
        return {mention: _span(mention, document) for mention in mentions}
    names = {mention: f'id="{_ident(mention, document)}"' for mention in mentions}
    if len(set(names.values())) < len(names):
        why = f"two mentions of {quoted(document.id)}, one a number, would have one id"
        raise InputError(document.path, "", why)
    return names


def _span(mention: Mention, document: Document) -> str:
    if isinstance(mention, tuple) and is_span(mention):
        return f'start="{mention[0]}" end="{mention[1]}"'
    shown = f"the mention {quoted(mention)} of {quoted(document.id)}"
    raise InputError(document.path, "", f"{shown} is not a half-open span, which ARE XML holds")


def _ident(mention: Mention, document: Document) -> str:
    name = str(mention)
    if isinstance(mention, tuple) or not name or name != name.strip(BLANKS):
        why = f"the mention {quoted(mention)} of {quoted(document.id)} is not an id that ARE XML can hold"
        raise InputError(document.path, "", why)
    return _escaped(name, document)


def _escaped(text: str, document: Document, escapes: Mapping[int, str] = _IN_ATTRIBUTES) -> str:
    bad = _NO_XML.search(text)
    if bad:
        why = f"XML cannot hold the character {quoted(bad[0])} in {quoted(document.id)}"
        raise InputError(document.path, "", why)
    return text.translate(escapes)


def fitting(document: Document) -> Document:
    """Return the document without the mentions that chains of spans cannot hold."""
    return first_only(without_discontinuous(document))
