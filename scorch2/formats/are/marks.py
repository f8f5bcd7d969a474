"""The XML dialect of ARE, the anaphora resolution exercise: elements to marks, in one strict pass.

    root (any name)   task="1".."4", doc, unit="token|char", ends="exclusive|inclusive"
      text            the text that characters are counted in
      entities        entity id | start end, type="np|pronoun"
      chains          chain > element id | start end
      pairs           pair > pronoun id | start end, antecedent id | start end

Entities, chains and pairs may also stand directly below the root. Other attributes are ignored; other
elements and characters outside ``text`` are errors.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from scorch2.formats.places import DIGITS, UNITS
from scorch2.formats.safe_xml import Place, Where, parse
from scorch2.model.document import Mention
from scorch2.model.errors import MarkupError, quoted

WRITTEN = {unit: name for name, unit in UNITS.items()}
BLANKS = " \t\r\n"
_ID_TASKS, _SPAN_TASKS = ("1", "2"), ("3", "4")
INSIDE: Mapping[str, tuple[str, ...]] = {
    "": ("text", "entities", "entity", "chains", "chain", "pairs", "pair"),
    "entities": ("entity",),
    "chains": ("chain",),
    "chain": ("element",),
    "pairs": ("pair",),
    "pair": ("pronoun", "antecedent"),
}
"""What an element may hold; the root is called by an empty name, for it may have any."""
_VALUES = {"type": ("np", "pronoun"), "unit": tuple(UNITS), "ends": ("exclusive", "inclusive")}
_OFFSET = re.compile(rf"[0-9]{{1,{DIGITS}}}")


class Mark(NamedTuple):
    """A mention and its place in the file."""

    mention: Mention
    place: Place


class Chain(NamedTuple):
    """A chain as it is written."""

    label: str
    marks: list[Mark]


class Pair(NamedTuple):
    """A pronoun and its antecedent, if one is given."""

    pronoun: Mark
    antecedent: Mark | None


class Entity(NamedTuple):
    """An entry of the list of mentions."""

    mark: Mark
    is_pronoun: bool


class Purpose(NamedTuple):
    """The task that a file is read for."""

    task: int = 0
    """1 to 4; 0 for any content."""
    unit: str = ""
    """``token`` or ``char``, for files that do not say so."""


class Marked(NamedTuple):
    """A file as it is written, with half-open spans."""

    label: str
    unit: str
    """``token``, ``char``, or nothing for ids."""
    text: str | None
    entities: list[Entity]
    chains: list[Chain]
    pairs: list[Pair]
    by_span: bool
    """Whether mentions are spans."""
    exclusive: bool
    """Whether the file writes the end of a span as what follows it."""


ANYTHING = Purpose()
_Attributes: TypeAlias = Mapping[str, str]


def is_span(mention: Mention) -> bool:
    """Return whether a mention is a half-open span of offsets that is not empty."""
    return (
        isinstance(mention, tuple) and len(mention) == len(("start", "end")) and 0 <= mention[0] < mention[1]
    )


def marks(data: bytes, path: str, wanted: Purpose = ANYTHING) -> Marked:
    """Return what a file holds.

    Raises
    ------
    MarkupError
        For the first fault in the file: something outside the dialect, or unfit for the task.
    """
    reading: list[_Reading] = []

    def begin(where: Where) -> _Reading:
        reading.append(_Reading(path, wanted, where))
        return reading[0]

    parse(data, path, begin)
    return reading[0].marked()


class _Reading:
    """The state of the reader: the open elements and the marks read so far."""

    def __init__(self, path: str, wanted: Purpose, where: Where) -> None:
        self.path, self.wanted, self.where = path, wanted, where
        self.open: list[str] = []
        self.label, self.unit, self.last_is_inside = "", wanted.unit, 0
        self.by_span: bool | None = None
        self.texts: list[str] = []
        self.has_text = False
        self.entities: list[Entity] = []
        self.chains: list[Chain] = []
        self.pairs: list[Pair] = []
        self.begun = Place(0, 0)
        self.pair: dict[str, Mark] = {}

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
            raise self._error(place, "unknown-element", f"<{quoted(name)[1:-1]}> has no meaning here")
        self.open.append(name)
        if name in _STARTS:
            _STARTS[name](self, name, attributes, place)

    def end(self, name: str) -> None:
        self.open.pop()
        if name == "pair" and self.open:
            if "pronoun" not in self.pair:
                raise self._error(self.begun, "bad-structure", "a <pair> without a <pronoun>")
            self.pairs.append(Pair(self.pair["pronoun"], self.pair.get("antecedent")))
        elif name == "chain" and self.open and not self.chains[-1].marks:
            raise self._error(self.begun, "bad-structure", "a <chain> without an <element>")

    def text(self, data: str) -> None:
        if self.open[-1] == "text":
            self.texts.append(data)
        elif data.strip(BLANKS):
            raise self._error(self.where(), "unexpected-text", f"{quoted(data.strip(BLANKS))} outside <text>")

    def element(self, name: str, attributes: _Attributes, place: Place) -> None:
        self.chains[-1].marks.append(self._mark(name, attributes, place))

    def part_of_pair(self, name: str, attributes: _Attributes, place: Place) -> None:
        if name in self.pair:
            raise self._error(place, "bad-structure", f"a second <{name}> in a <pair>")
        self.pair[name] = self._mark(name, attributes, place)

    def entity(self, name: str, attributes: _Attributes, place: Place) -> None:
        is_pronoun = self._value(attributes, "type", "np", place) == "pronoun"
        self.entities.append(Entity(self._mark(name, attributes, place), is_pronoun))

    def chain(self, _: str, attributes: _Attributes, place: Place) -> None:
        self.begun = place
        self.chains.append(Chain(attributes.get("id", ""), []))

    def new_pair(self, _: str, __: _Attributes, place: Place) -> None:
        self.begun, self.pair = place, {}

    def new_text(self, _: str, __: _Attributes, place: Place) -> None:
        if self.has_text:
            raise self._error(place, "bad-structure", "a second <text>")
        self.has_text = True

    def _root(self, attributes: _Attributes, place: Place) -> None:
        task, wanted = attributes.get("task"), self.wanted
        if task is not None:
            if task not in (*_ID_TASKS, *_SPAN_TASKS):
                raise self._error(place, "bad-value", f"task is {quoted(task)} (known: 1, 2, 3, 4)")
            if wanted.task and task != str(wanted.task):
                why = f"the file is for task {task}, not for task {wanted.task}"
                raise self._error(place, "task-mismatch", why)
        self.label = attributes.get("doc", "")
        unit = self._value(attributes, "unit", "", place)
        if unit and wanted.unit and unit != wanted.unit:
            why = f"the file counts in {UNITS[unit]}s, not in {UNITS[wanted.unit]}s as asked for"
            raise self._error(place, "unit-mismatch", why)
        self.unit = unit or wanted.unit
        self.last_is_inside = self._value(attributes, "ends", "exclusive", place) == "inclusive"
        if wanted.task or task:
            self.by_span = (str(wanted.task) if wanted.task else task) in _SPAN_TASKS
        if wanted.task and self.by_span and not self.unit:
            why = (
                'the file does not say what offsets count (write unit="token" or unit="char", or give --unit)'
            )
            raise self._error(place, "unit-missing", why)

    def _mark(self, name: str, attributes: _Attributes, place: Place) -> Mark:
        if self.by_span is None:
            self.by_span = "start" in attributes
        if self.by_span:
            return Mark(self._span(name, attributes, place), place)
        ident = attributes.get("id", "").strip(BLANKS)
        if not ident:
            raise self._error(place, "missing-attribute", f"<{name}> has no id")
        return Mark(ident, place)

    def _span(self, name: str, attributes: _Attributes, place: Place) -> tuple[int, int]:
        try:
            first, last = attributes["start"], attributes["end"]
        except KeyError as missing:
            raise self._error(place, "missing-attribute", f"<{name}> has no {missing.args[0]}") from None
        if not (_OFFSET.fullmatch(first) and _OFFSET.fullmatch(last)):
            bad = last if _OFFSET.fullmatch(first) else first
            raise self._error(place, "bad-offset", f"{quoted(bad)} is not an offset (up to 18 digits 0-9)")
        start, end = int(first), int(last) + self.last_is_inside
        if start < end:
            return start, end
        if start == end and not self.last_is_inside:
            hint = ' (if the last one belongs to it, write ends="inclusive")'
            raise self._error(place, "bad-offset", f"the span from {start} to {end} is empty{hint}")
        raise self._error(place, "bad-offset", f"the span ends before it starts: {first} to {last}")

    def _value(self, attributes: _Attributes, name: str, default: str, place: Place) -> str:
        value = attributes.get(name)
        if value is None:
            return default
        if value not in _VALUES[name]:
            why = f"{name} is {quoted(value)} (known: {', '.join(_VALUES[name])})"
            raise self._error(place, "bad-value", why)
        return value

    def _error(self, place: Place, kind: str, why: str) -> MarkupError:
        return MarkupError(self.path, place.line, kind, why)


_STARTS = {
    "element": _Reading.element,
    "pronoun": _Reading.part_of_pair,
    "antecedent": _Reading.part_of_pair,
    "entity": _Reading.entity,
    "chain": _Reading.chain,
    "pair": _Reading.new_pair,
    "text": _Reading.new_text,
}
"""The method that takes each start tag."""
