"""The texts of the page: each sentence with the mentions of gold and of the system side by side."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from scorch2.analysis.kinds import LOSES_RECALL
from scorch2.analysis.page.entities import Look
from scorch2.analysis.page.kinds_shown import link
from scorch2.analysis.page.markup import Html, joined, tag, text
from scorch2.analysis.page.nesting import Part, parts_of
from scorch2.analysis.page.scene import Scene, ShownSide, Text
from scorch2.analysis.sides import LACKS
from scorch2.model.document import Span

DEEPEST = 6
"""Levels of mentions inside of another that have lines of their own."""
_NAMES = ("gold", "system")
_RIGHT_TO_LEFT = ("R", "AL")


class _SideNames(NamedTuple):
    """The names of one side in the page."""

    name: str
    ids: str
    """The beginning of the ids of its mentions on the page."""


class _Marks(NamedTuple):
    """The errors of one side, by the mention that shows them."""

    kinds: Mapping[int, Sequence[tuple[str, str]]]
    """Kind of error and where its row is, by the place of a mention."""
    targets: frozenset[int]
    """The mentions that rows link to."""


def text_table(scene: Scene, shown: Text, looks: tuple[Sequence[Look], Sequence[Look]], number: int) -> Html:
    """Return the table of the text of document `number`: one row per sentence, gold beside the system."""
    marks = _marks(scene, number)
    columns = [
        _Column(side, styles, marked, shown, _SideNames(name, f"m{number}{name[0]}"))
        for side, styles, marked, name in zip((scene.gold, scene.system), looks, marks, _NAMES, strict=True)
    ]
    rows = []
    for place, row in enumerate(shown.rows):
        is_wrong = any(column.is_wrong(place) for column in columns)
        head = tag("th", text(shown.labels[place]), scope="row")
        cells = (column.cell(place, row) for column in columns)
        rows.append(tag("tr", head, *cells, class_=None if is_wrong else "right"))
    heads = [tag("th", text(name), scope="col", class_=name) for name in _NAMES]
    head = tag("thead", tag("tr", tag("th", text("row"), scope="col", class_="row"), *heads))
    caption = tag("caption", text(f"Text of {scene.id}: mentions of gold and of the system"), class_="unseen")
    return tag("table", caption, head, tag("tbody", *rows), class_="text")


def _marks(scene: Scene, number: int) -> tuple[_Marks, _Marks]:
    """Return the marks of both sides; a span error has one on each."""
    kinds: tuple[dict[int, list[tuple[str, str]]], ...] = ({}, {})
    targets: tuple[set[int], ...] = (set(), set())

    def add(side: int, place: int, kind: str, row: int) -> None:
        kinds[side].setdefault(place, []).append((kind, f"#e{number}-{row}"))
        targets[side].add(place)

    for row, error in enumerate(scene.errors):
        side = 0 if error.kind in LOSES_RECALL else 1
        add(side, error.mentions[0], error.kind, row)
        if error.link_to != LACKS:
            targets[side].add(error.link_to)
        if error.instead != LACKS:
            add(1, error.instead, error.kind, row)
    gold, system = (_Marks(kinds[side], frozenset(targets[side])) for side in (0, 1))
    return gold, system


class _Column:
    """The column of one side in the table of a text, to be written row by row."""

    def __init__(
        self, side: ShownSide, looks: Sequence[Look], marks: _Marks, shown: Text, names: _SideNames
    ) -> None:
        self._side, self._marks, self._text, self._names = side.side, marks, shown, names
        self._labels = [tag("sup", text(look.label)) for look in looks]
        self._titles = [text(look.title(names.name)) for look in looks]
        self._styles = [look.style for look in looks]
        self._rows = parts_of(side.spans, shown)

    def is_wrong(self, place: int) -> bool:
        """Return whether a row has an error on this side."""
        return any(part.is_first and part.mention in self._marks.kinds for part in self._rows[place])

    def cell(self, place: int, row: Span) -> Html:
        """Return the cell of a row."""
        content = _woven(self._text, row, self._rows[place], self._start)
        return tag("td", content, class_=self._names.name, dir=_direction(self._text, row))

    def _start(self, part: Part) -> Html:
        """Return the beginning of a part: its start tag, and marks and number where the mention begins."""
        place = part.mention
        entity = self._side.entities[place]
        classes = ["m", self._styles[entity]]
        if part.level:
            classes.append(f"u{min(part.level, DEEPEST)}")
        if self._side.partners[place] == LACKS:
            classes.append("alone")
        if not part.is_first:
            classes.append("again")
        ident = ""
        if part.is_first and place in self._marks.targets:
            ident = f' id="{self._names.ids}{place}"'
        start = Html(
            f'<bdi class="{" ".join(classes)}"{ident} data-e="{entity}" title="{self._titles[entity]}">'
        )
        if not part.is_first:
            return start
        marks = [link(kind, target) for kind, target in self._marks.kinds.get(place, ())]
        if not marks:
            return joined([start, self._labels[entity]])
        return joined([start, tag("span", *marks, self._labels[entity], class_="at")])


def _woven(shown: Text, row: Span, parts: Sequence[Part], start: Callable[[Part], Html]) -> Html:
    """Return the text of a row with its parts as elements around it."""
    first, last = row
    cuts = sorted({first, last, *(part.start for part in parts), *(part.end for part in parts)})
    after = dict(pairwise(cuts))
    found: list[str] = []
    around: list[int] = []
    waiting = list(reversed(parts))
    for cut in cuts:
        while around and around[-1] <= cut:
            around.pop()
            found.append("</bdi>")
        if cut not in (first, last):
            found.append(shown.between)
        while waiting and waiting[-1].start == cut:
            part = waiting.pop()
            found.append(start(part))
            if part.end == part.start:  # a zero has no text
                found.append("∅</bdi>")
            else:
                around.append(part.end)
        if cut in after:
            found.append(text(shown.of((cut, after[cut]))))
    return Html("".join(found))


def _direction(shown: Text, row: Span) -> str:
    """Return the direction of a row. ``auto`` passes over mentions, so it is looked up where it matters."""
    content = shown.of(row)
    if not content.isascii():
        for character in content:
            strong = unicodedata.bidirectional(character)
            if strong in _RIGHT_TO_LEFT:
                return "rtl"
            if strong == "L":
                break
    return "auto"
