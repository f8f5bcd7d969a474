"""The texts of the page: each sentence with the mentions of gold and of the system side by side.

Gold entities are numbered by their first mention. A system entity has the number and the colour of the gold
entity that it fits, or a small letter. So equal numbers on both sides are right; pages of two systems agree.

Where a page is large, parts of its texts are compressed: the browser opens them when they are wanted.
"""

import unicodedata
from base64 import b64encode
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise, starmap
from typing import NamedTuple, TypeAlias
from zlib import compress

from scorch2.analysis.error_report import Scene, ShownSide, ShownText
from scorch2.analysis.kinds import KINDS, LACKS, LOSES_RECALL, Located
from scorch2.analysis.second import BOTH, SECOND, WHO, second_of, told_errors
from scorch2.model.document import Span
from scorch2.model.errors import counted, enumerated
from scorch2.reports.page.frame import (
    NOTHING,
    Html,
    anchor,
    joined,
    kind_link,
    name_of,
    one_stop,
    opened,
    tag,
    text,
)

HUES, LINES = 8, 3
_ALPHABET = 26
ALONE = "single"  # the class of entities of one mention: those of gold, and those of the system that fit none
UNFIT = "unfit"  # the class of larger system entities that fit no gold entity


class EntityLook(NamedTuple):
    """The look of an entity on the page."""

    label: str
    style: str  # the classes of its colour and its line
    name: str | None
    size: int

    @lru_cache(maxsize=10_000)  # noqa: B019 - it is a value
    def chip(self, side: str) -> Html:
        """Return the entity as tables show it: label and name; where the pointer rests, what these are."""
        label = tag("b", text(self.label), class_=f"chip {self.style}", title=self.title(side))
        if self.name is None:
            return label
        return joined([label, tag("small", text("("), name_of(self.name), text(")"))], " ")

    def title(self, side: str) -> str:
        """Return the entity in words."""
        name = "" if self.name is None else f" “{self.name}”"
        return f"{side} entity {self.label}{name}, {counted(self.size, 'mention')}"


Looks: TypeAlias = tuple[Sequence[EntityLook], Sequence[EntityLook]]
"""How the entities of gold and of the system are shown."""


def all_looks(scenes: Sequence[tuple[int, Scene]]) -> dict[tuple[str, bool], Looks]:
    """Return how entities are shown by document, and by whether they are those of a second system."""
    found = {(scene.id, False): looks(scene) for _, scene in scenes}
    seconds = (second for _, scene in scenes if (second := second_of(scene)) is not None)
    return found | {(second.id, True): looks(second) for second in seconds}


def looks(scene: Scene) -> Looks:
    """Return how the entities of gold and of the system are shown."""
    gold, system = scene.gold, scene.system
    styles = _styles(gold.side.sizes)
    shown = [
        EntityLook(str(number + 1), styles[number], name, size)
        for number, (name, size) in enumerate(zip(gold.entities, gold.side.sizes, strict=True))
    ]
    fits = fitting(gold)
    letters = iter(range(len(system.entities)))
    return shown, [
        EntityLook(shown[fits[number]].label, styles[fits[number]], name, size)
        if number in fits
        else EntityLook(entity_letter(next(letters)), ALONE if size == 1 else UNFIT, name, size)
        for number, (name, size) in enumerate(zip(system.entities, system.side.sizes, strict=True))
    ]


def _styles(sizes: Sequence[int]) -> list[str]:
    """Return the classes of gold entities: the largest ones have colours of their own."""
    large = [entity for entity, size in enumerate(sizes) if size > 1]
    styles = [ALONE] * len(sizes)
    for rank, entity in enumerate(sorted(large, key=lambda entity: -sizes[entity])):
        styles[entity] = f"h{rank % HUES} l{rank // HUES % LINES}"
    return styles


def fitting(gold: ShownSide) -> dict[int, int]:
    """Return the gold entity of each system entity that fits one: by shared mentions, each at most once."""
    side = gold.side
    cells = Counter(zip(side.entities, side.partners, strict=True))
    fits: dict[int, int] = {}
    taken = set()
    for (own, other), _ in sorted(cells.items(), key=lambda cell: (-cell[1], cell[0])):
        if other != LACKS and other not in fits and own not in taken:
            fits[other] = own
            taken.add(own)
    return fits


def entity_letter(number: int) -> str:
    """Return a, b, … z, aa, ab and so on: in small letters, for A and B are systems, or annotators.

    >>> entity_letter(0), entity_letter(25), entity_letter(26), entity_letter(702)
    ('a', 'z', 'aa', 'aaa')
    """
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, _ALPHABET)
        letters = chr(ord("a") + rest) + letters
    return letters


class MentionPart(NamedTuple):
    """A part of a mention that lies inside one row, and inside or outside of all others."""

    start: int
    end: int
    mention: int  # its place in the side
    is_first: bool  # whether the mention begins here
    level: int  # the levels of parts inside of it, or `TOO_DEEP`


DEEPEST = 6  # levels of mentions inside of another: those have lines of their own, deeper ones are counted
TOO_DEEP = -1

_Piece: TypeAlias = tuple[int, int, int, bool]
"""Start, end with a minus, so that longer pieces sort first, mention, and whether the mention begins here."""


def parts_of(spans: Sequence[Sequence[Span]], text: ShownText) -> list[list[MentionPart]]:
    """Return the parts in each row of a text, outer ones before inner ones."""
    waiting = sorted(
        (
            (start, -end, mention, number == 0)
            for mention, its in enumerate(spans)
            for number, (start, end) in enumerate(its)
        ),
        reverse=True,
    )
    parts: list[list[MentionPart]] = []
    over: list[_Piece] = []
    for number, (first, last) in enumerate(text.rows):
        here, over = over, []
        is_last_row = number == len(text.rows) - 1
        while waiting and (is_last_row or waiting[-1][0] < last):
            here.append(waiting.pop())
        clipped = []
        for start, negative, mention, is_first in here:
            begin, end = (min(max(place, first), last) for place in (start, -negative))
            if is_first or begin < end:
                clipped.append((begin, -end, mention, is_first))
        parts.append(_levelled(list(_nested(clipped))))
        left_out = {part.mention for part in parts[-1] if part.level == TOO_DEEP}
        over = [
            (last, negative, mention, False)
            for _, negative, mention, _ in here
            if last < -negative and mention not in left_out
        ]
    return parts


def _nested(pieces: list[_Piece]) -> Iterator[MentionPart]:
    heapify(pieces)
    around: list[int] = []
    while pieces:
        start, negative, mention, is_first = heappop(pieces)
        end = -negative
        while around and around[-1] <= start:
            around.pop()
        if len(around) > DEEPEST:
            yield MentionPart(start, start, mention, is_first, TOO_DEEP)
            continue
        if around and end > around[-1]:
            heappush(pieces, (around[-1], negative, mention, False))
            end = around[-1]
        around.append(end)
        yield MentionPart(start, end, mention, is_first, 0)


def _levelled(parts: list[MentionPart]) -> list[MentionPart]:
    levels = [part.level for part in parts]
    around: list[int] = []
    for place, part in enumerate(parts):
        if part.level == TOO_DEEP:
            continue
        while around and parts[around[-1]].end <= part.start:
            around.pop()
        for inside, outer in enumerate(reversed(around), start=1):
            if levels[outer] >= inside:
                break
            levels[outer] = inside
        around.append(place)
    return [part._replace(level=level) for part, level in zip(parts, levels, strict=True)]


ROOM = 2_000_000
"""Characters of markup of all texts; where there are more, all but the first are packed."""
FIRST = 1_000_000  # of the first text, whose parts stay open until there are as many
SIZE = 200_000  # of a part
_LEVEL = 4  # of zlib: 6 takes twice the time for a sixth less, 3 a quarter less for a sixteenth more


class PagePart(NamedTuple):
    """Some rows of a text or items of a list, in an element of their own."""

    element: str
    classes: str | None
    content: Html
    rows: int

    def packed(self) -> Html:
        """Return the element with its content packed, and with what is seen until it is opened."""
        content = b64encode(compress(self.content.encode("utf-8", "surrogatepass"), _LEVEL)).decode("ascii")
        said = text(f"{counted(self.rows, 'row')}: compressed")
        inside = said, tag("script", Html(content), type="text/plain")
        shown = tag("tr", tag("td", *inside)) if self.element == "tbody" else tag("li", *inside)
        classes = " ".join(filter(None, (self.classes, "packed")))
        return tag(self.element, shown, class_=classes, data_rows=self.rows)


def in_parts(element: str, rows: Iterable[Html], classes: str | None = None) -> Iterator[PagePart]:
    """Yield rows in as many elements as are needed to open them one by one."""
    waiting: list[Html] = []
    size = 0
    for row in rows:
        waiting.append(row)
        size += len(row)
        if size > SIZE:
            yield PagePart(element, classes, Html("".join(waiting)), len(waiting))
            waiting, size = [], 0
    if waiting:
        yield PagePart(element, classes, Html("".join(waiting)), len(waiting))


def joined_parts(texts: Iterable[Iterable[Html | PagePart]], *, is_plain: bool) -> tuple[Html, bool]:
    """Return all pieces of texts, and whether some are packed: those of a large page, if it is not plain."""
    written: list[Html] = []
    waiting: dict[int, PagePart] = {}  # those that are packed if more than `ROOM` comes, by their places
    size, is_packed = 0, False
    for number, piece in ((number, piece) for number, pieces in enumerate(texts) for piece in pieces):
        if not isinstance(piece, PagePart):
            written.append(piece)
            continue
        written.append(tag(piece.element, piece.content, class_=piece.classes))
        if not (is_plain or (number == 0 and size <= FIRST)):
            waiting[len(written) - 1] = piece
        size += len(piece.content)
        if size > ROOM and waiting:
            is_packed = True
            for place, part in waiting.items():
                written[place] = part.packed()
            waiting.clear()
    return Html("".join(written)), is_packed


_NAMES = ("gold", "system", "second")
_RIGHT_TO_LEFT = ("R", "AL")


Linked: TypeAlias = tuple[set[int], set[int]]
"""The mentions of gold and of the system that something outside of the text links to."""


class _SideNames(NamedTuple):
    name: str
    annotators: bool  # whether gold is one of two annotators
    ids: Callable[[int], str]  # the id of a mention on the page


class _Marks(NamedTuple):
    """The errors of one side, by the mention that shows them."""

    kinds: Mapping[int, Sequence[tuple[str, str, str]]]
    """Kind of error, where it is told, and who makes it, by the place of a mention."""
    targets: frozenset[int]  # the mentions that errors link to


def mention_anchors(
    scene: Scene, called: str = "system"
) -> tuple[Callable[[int], str], Callable[[int], str]]:
    """Return functions from a mention of gold, and of the system, to its id on the page."""
    of_gold = set(scene.gold.mentions) if called == "system" else set(scene.system.mentions)

    def gold(place: int) -> str:
        return anchor(scene.id, scene.gold.mentions[place])

    def system(place: int) -> str:
        name = scene.system.mentions[place]
        return anchor(scene.id, name, side=called) if name in of_gold else anchor(scene.id, name)

    return cache(gold), cache(system)


def error_anchor(scene: Scene, error: Located) -> str:
    """Return the id of an error on the page."""
    side = scene.gold if error.kind in LOSES_RECALL else scene.system
    return anchor(scene.id, side.mentions[error.mentions[0]], error=error.kind)


def text_table(
    scene: Scene,
    document: ShownText,
    looks: Sequence[Sequence[EntityLook]],
    told: Callable[[Scene, Located, str], Html],
    linked: Linked,
) -> Iterator[Html | PagePart]:
    """Yield the table of the text: one row per sentence, gold beside the systems, and what is wrong there."""
    second, sides, ids = second_of(scene), [scene.gold, scene.system], [*mention_anchors(scene)]
    if second is not None:
        sides.append(second.system)
        ids.append(mention_anchors(second, "second")[1])
    names = _NAMES[: len(sides)]
    columns = [
        _Column(side, styles, marked, document, _SideNames(name, scene.gold.name != "gold", its))
        for side, styles, marked, name, its in zip(
            sides, looks, _marks(scene, linked, len(sides)), names, ids, strict=True
        )
    ]
    errors = _by_row(scene, document)

    def shown(place: int, row: Span) -> Html:
        marked = [its for column in columns for its in column.kinds(place)]
        kinds, who = {kind for kind, *_ in marked}, {who for *_, who in marked if who}
        cells = [column.cell(place, row) for column in columns]
        items = [told(*error) for error in errors.get(place, ())]
        told_here = f"<ul>{''.join(items)}</ul>" if items else ""
        cells.append(Html(f'<td class="why">{told_here}</td>'))
        classes = [f"has-{kind}" for kind in KINDS if kind in kinds] or ["right"]
        classes += [f"has-{one}" for one in WHO if one in who]
        head = f'<tr class="{" ".join(classes)}"><th scope="row">{text(document.labels[place])}</th>'
        return Html(f"{head}{''.join(one_stop(cells))}</tr>")

    labels = *(side.name for side in sides), "errors"
    heads = [
        tag("th", text(label), scope="col", class_=name)
        for label, name in zip(labels, (*names, "why"), strict=True)
    ]
    head = tag("thead", tag("tr", tag("th", text("row"), scope="col", class_="row"), *heads))
    caption = tag(
        "caption", text(f"Text of {scene.id}: mentions of {enumerated(labels[:-1])}"), class_="unseen"
    )
    yield Html(f"{opened('table', class_='text' if second is None else 'text three')}{caption}{head}")
    yield from in_parts("tbody", starmap(shown, enumerate(document.rows)))
    yield Html("</table>")


def _by_row(scene: Scene, document: ShownText) -> dict[int, list[tuple[Scene, Located, str]]]:
    """Return the errors by the row in which their first mentions begin."""
    starts = [start for start, _ in document.rows]
    found: dict[int, list[tuple[Scene, Located, str]]] = {}
    for of, error, who in told_errors(scene):
        side = of.gold if error.kind in LOSES_RECALL else of.system
        begin = side.spans[error.mentions[0]][0][0]
        found.setdefault(max(bisect_right(starts, begin) - 1, 0), []).append((of, error, who))
    return found


def _marks(scene: Scene, linked: Linked, sides: int) -> list[_Marks]:
    """Return the marks of gold and of each system."""
    kinds: list[dict[int, list[tuple[str, str, str]]]] = [{} for _ in range(sides)]
    targets = [*map(set, linked), *(set() for _ in range(len(linked), sides))]

    def add(side: int, place: int, error: Located, target: str, who: str) -> None:
        kinds[side].setdefault(place, []).append((error.kind, f"#{target}", who))
        targets[side].add(place)

    for of, error, who in told_errors(scene):
        system = 2 if who == SECOND else 1
        side = 0 if error.kind in LOSES_RECALL else system
        add(side, error.mentions[0], error, error_anchor(of, error), who)
        if error.link_to != LACKS:
            targets[side].add(error.link_to)
        if error.instead != LACKS:
            add(system, error.instead, error, error_anchor(of, error), who)
    if scene.other is not None:  # errors that both make are told once, and marked on either side
        for error, place in zip(scene.other.scene.errors, scene.other.same, strict=True):
            marked = error.instead if error.kind in LOSES_RECALL else error.mentions[0]
            if 0 <= place < len(scene.errors) and marked != LACKS:
                add(2, marked, error, error_anchor(scene, scene.errors[place]), BOTH)
    return [_Marks(its, frozenset(there)) for its, there in zip(kinds, targets, strict=True)]


class _Column:
    """The column of one side in the table of a text, to be written row by row."""

    def __init__(
        self,
        side: ShownSide,
        looks: Sequence[EntityLook],
        marks: _Marks,
        document: ShownText,
        names: _SideNames,
    ) -> None:
        self._side, self._marks, self._text, self._names = side.side, marks, document, names
        self._mentions = side.mentions
        self._words = _Words(document, is_copy=names.name == "system")
        self._labels = [Html(f"<sup>{text(look.label)}</sup>") for look in looks]
        self._titles = [
            f' data-e="{entity}" title="{text(look.title(side.name))}">' for entity, look in enumerate(looks)
        ]
        self._styles = [f"m {look.style}" for look in looks]
        self._rows = parts_of(side.spans, document)

    def kinds(self, place: int) -> Iterator[tuple[str, str, str]]:
        """Yield the kinds of the errors that are marked in a row, with what is known of their marks."""
        for part in self._rows[place]:
            if part.is_first:
                yield from self._marks.kinds.get(part.mention, ())

    def cell(self, place: int, row: Span) -> Html:
        parts = self._rows[place]
        content = _woven(self._words, row, [part for part in parts if part.level != TOO_DEEP], self._start)
        inner = [part for part in parts if part.level == TOO_DEEP and part.is_first]
        start = f'<td class="{self._names.name}" dir="{_direction(self._text, row)}">'
        return Html(f"{start}{content}{self._left_out(inner)}</td>")

    def _left_out(self, parts: Sequence[MentionPart]) -> Html:
        """Return how many mentions are too deep to be shown, with places for the links to them."""
        if not parts:
            return NOTHING
        said = text(f" {counted(len(parts), 'more mention')} inside of these")
        return tag("small", said, *[Html(f"<span{self._ident(part.mention)}></span>") for part in parts])

    def _ident(self, place: int) -> str:
        """Return what the beginning of a mention is found by: the id that links lead to, or its name."""
        if place in self._marks.targets:
            return f' id="{text(self._names.ids(place))}"'
        return f' data-m="{text(self._mentions[place])}"'

    def _start(self, part: MentionPart) -> Html:
        """Return the beginning of a part: its start tag, and marks and number where the mention begins."""
        place = part.mention
        entity = self._side.entities[place]
        classes = self._styles[entity]
        if part.level:
            classes += f" u{part.level}"
        if self._side.partners[place] == LACKS:
            classes += " alone"
        if not part.is_first:
            return Html(f'<bdi class="{classes} again"{self._titles[entity]}')
        start = f'<bdi class="{classes}"{self._ident(place)}{self._titles[entity]}'
        own = self._marks.kinds.get(place, ())
        marks = "".join([kind_link(*its, annotators=self._names.annotators) for its in own])
        label = self._labels[entity]
        return Html(f'{start}<span class="at">{marks}{label}</span>' if marks else f"{start}{label}")


_LONGEST_INSERTION = 300  # letters of words that a copy inserts at one place


class _Words:
    """The words of a text as one of the columns shows them, where they were copied with errors."""

    def __init__(self, document: ShownText, *, is_copy: bool) -> None:
        self._shown = document
        self._changed: dict[int, Html] = {}  # what stands in the place of a word
        self._inserted: dict[int, Html] = {}  # and before it
        self.gap, self.changes = document.gap, document.changes
        is_plain = document.between and not (document.glued or self.changes)
        safe = {word: text(word) for word in {*document.units}} if is_plain else {}
        self._safe = [safe[word] for word in document.units] if is_plain else []  # as they are written
        for span, words in document.changes:
            if span[0] == span[1]:
                if is_copy:
                    self._inserted[span[0]] = tag("ins", text(_cut(words)), title="gold lacks it")
            elif not (is_copy and words):
                title = f"the copy has: {_cut(words)}" if words else "not copied"
                for place in range(*span):
                    self._changed[place] = tag("del", text(document.of((place, place + 1))), title=title)
            else:
                self._changed.update(dict.fromkeys(range(*span), NOTHING))
                self._changed[span[0]] = tag("ins", text(_cut(words)), title=f"gold has: {document.of(span)}")

    def of(self, span: Span) -> Html:
        """Return the words of a span, without what was inserted before the first."""
        start, end = span
        if self._safe:
            return Html(self._shown.between.join(self._safe[start:end]))
        if not self.changes:
            return text(self._shown.of(span))
        parts: list[Html] = []
        for place in range(start, end):
            inserted = self._inserted.get(place, NOTHING) if place > start else NOTHING
            own = self._changed.get(place, text(self._shown.of((place, place + 1))))
            for part in filter(None, (inserted, own)):
                parts += [text(self.gap(place)), part] if parts else [part]
        return joined(parts) or text("…")

    def inserted(self, place: int, *, at_end: bool) -> Html:
        """Return the words that were inserted where words begin, or behind the last one of the text."""
        if place not in self._inserted or (at_end and place != len(self._shown.units)):
            return NOTHING
        between = text(self.gap(place))
        return joined([between, self._inserted[place]] if at_end else [self._inserted[place], between])


def _cut(words: str) -> str:
    return words if len(words) <= _LONGEST_INSERTION else f"{words[:_LONGEST_INSERTION]}…"


def _woven(
    shown: _Words, row: Span, parts: Sequence[MentionPart], start: Callable[[MentionPart], Html]
) -> Html:
    first, last = row
    cuts = sorted({first, last, *(part.start for part in parts), *(part.end for part in parts)})
    after = dict(pairwise(cuts))
    words: list[str] = []
    around: list[int] = []
    waiting = list(reversed(parts))
    is_changed = bool(shown.changes)
    for cut in cuts:
        while around and around[-1] <= cut:
            around.pop()
            words.append("</bdi>")
        if cut not in (first, last):
            words.append(shown.gap(cut))
        if is_changed:
            words.append(shown.inserted(cut, at_end=cut == last))
        while waiting and waiting[-1].start == cut:
            part = waiting.pop()
            words.append(start(part))
            if part.end == part.start:  # a zero has no text
                words.append("∅</bdi>")
            else:
                around.append(part.end)
        if cut in after:
            words.append(shown.of((cut, after[cut])))
    return Html("".join(words))


def _direction(document: ShownText, row: Span) -> str:
    """Return the direction of a row. ``auto`` passes over mentions, so it is looked up where it matters."""
    content = document.of(row)
    if content.isascii():
        return "auto"
    strong = (sign for sign in map(unicodedata.bidirectional, content) if sign in (*_RIGHT_TO_LEFT, "L"))
    return "rtl" if next(strong, "L") in _RIGHT_TO_LEFT else "auto"
