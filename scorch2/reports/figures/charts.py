"""Figures by their names, as values and as content of files: of the analysis, and of systems side by side.

A function of the tables of figures takes the value, its dimension (empty if it needs none) and the look.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple, cast

from scorch2.analysis.error_report import ErrorReport, Place
from scorch2.analysis.kinds import KINDS
from scorch2.analysis.links import CORRECT
from scorch2.analysis.systems import DIFFERS, Column, Comparison, SystemRow, how_tested
from scorch2.analysis.table import DIMENSIONS
from scorch2.model.errors import UsageError, quoted, told_apart, unknown_name
from scorch2.model.forms import check_paper
from scorch2.model.results import Breakdown, ClassRow, Interval
from scorch2.model.score import UNDEFINED_SHOWN, Score, main_part, percent
from scorch2.reports.figures import COMPARED, FIGURES, SUFFIXES, TITLES, kit


def look_of(width: str = "page", title: str = "above") -> kit.Look:
    """Return the settings of a figure by their words."""
    if title not in TITLES:
        raise UsageError(unknown_name(title, "title of a figure", TITLES))
    return kit.Look(check_paper(width, "width of a figure"), title == TITLES[0])


def draw(report: ErrorReport, name: str, look: kit.Look | None = None) -> kit.Figure:
    """Return a figure of `FIGURES`."""
    if name not in FIGURES:
        raise UsageError(unknown_name(name, "figure", FIGURES))
    row = FIGURES[name]
    places: Breakdown = {"place": ()} if report.places else {}
    report = report._replace(plotted={**report.breakdown, **report.plotted, **places})
    if row.dimension and row.dimension not in report.plotted:
        raise UsageError(f"the figure {name} needs by={quoted(row.dimension)}")
    if name == "documents" and "lea" not in report.report.scores:
        raise UsageError("the figure documents shows LEA: add lea to the metrics")
    return cast("kit.Figure", globals()[row.function](report, row.dimension, look or look_of()))


def image_of_errors(report: ErrorReport, name: str, suffix: str, **look: str) -> bytes:
    """Return a figure of errors as the content of a file."""
    return _image(draw(report, name, look_of(**look)), suffix)


def image_of_systems(compared: Comparison, name: str, suffix: str, **look: str) -> bytes:
    """Return a figure of systems as the content of a file."""
    if name not in COMPARED:
        raise UsageError(unknown_name(name, "figure", COMPARED))
    return _image(globals()[COMPARED[name].function](compared, look_of(**look)), suffix)


def _image(figure: kit.Figure, suffix: str) -> bytes:
    """Return a figure in a format of `SUFFIXES`: the same bytes for the same figure."""
    if suffix not in SUFFIXES:
        raise UsageError(unknown_name(suffix, "format of an image", SUFFIXES))
    return kit.svg(figure).encode("utf-8") if suffix == "svg" else kit.raster(figure, suffix)


_BARS_ROOM = 65.0  # right of bars, for their numbers
_STEPS_LEFT = 135.0
_STEP_ROW = 25.0


class _Step(NamedTuple):
    label: str
    ink: str
    start: float
    end: float | None
    interval: Interval = None  # of the end


def waterfall(report: ErrorReport, _: str, look: kit.Look) -> kit.Figure:
    """Return the figure of the CoNLL score, or of the first metric that was asked for without it."""
    if not report.corrected.alone:
        raise UsageError("--plot=errors shows what corrections gain: not with --gains=none")
    metric = report.report.main_metric()
    label = report.report.short_label(metric)
    steps = _steps(report, metric)
    ends = [end for step in steps for end in (step.end, *(step.interval or ())) if end is not None]
    lowest = max(0.0, 10 * ((min(ends, default=0) - 2) // 10))  # the score itself is not what is compared
    scale, bottom = kit.Scale(lowest, 100, _STEPS_LEFT, look.units - _BARS_ROOM), _STEP_ROW * len(steps)
    shapes: list[kit.Shape] = [*kit.across(scale, 0, bottom, f"{label} F1, percent")]
    for place, step in enumerate(steps):
        shapes += _step(scale, step, _STEP_ROW * place)
    said = ", ".join(f"{step.label} {_gained(step)}" for step in steps)
    title, how = f"{label} F1 if errors are corrected one kind after the other", "from top to bottom"
    if report.shares:
        title = f"What each kind of error costs: its share of {label} F1"
        how = "the mean over all orders of correction"
    confidence = report.report.confidence
    if confidence is not None and any(step.interval for step in steps):
        how += f"; a line is an interval of {confidence.level:g} %"
    begins = f" The axis begins at {lowest:g}." if lowest else ""
    caption = f"Points of F1, {how}; pale: lost.{begins}"
    words = kit.Words(title, caption, f"{label} F1 in percent: {said}")
    return kit.figure(words, look, bottom + kit.AXIS, shapes)


def _steps(report: ErrorReport, metric: str) -> list[_Step]:
    score = main_part(report.report.scores[metric])
    last = 100 * score if score.defined else 0.0
    confidence, how = report.report.confidence, "shares" if report.shares else "in_order"
    ends = None if confidence is None else [*confidence.intervals[metric].values()][-1]
    steps = [_Step("as it is", "score", 0.0, last if score.defined else None, _percent(0, ends))]
    gains = getattr(report.gained(), how)
    known = {} if report.gain_intervals is None else getattr(report.gain_intervals, how)
    for kind, row in KINDS.items():
        gain, ends = gains[kind][metric], known.get(kind, {}).get(metric)
        end = None if gain is None else last + 100 * gain
        steps.append(_Step(report.said(row.label), kind, last, end, _percent(last, ends)))
        last += 100 * (gain or 0)
    return steps


def _percent(start: float, ends: Interval) -> Interval:
    return None if ends is None else (start + 100 * ends[0], start + 100 * ends[1])


def _gained(step: _Step) -> str:
    if step.end is None:
        return "0/0"
    if step.ink == "score":
        return f"{step.end:.2f}"
    return f"{round(step.end - step.start, 2) + 0.0:+.2f}"  # no minus before a zero


def _step(scale: kit.Scale, step: _Step, top: float) -> list[kit.Shape]:
    ends = sorted(scale.place(max(value, scale.low)) for value in (step.start, step.end or step.start))
    left, width = ends[0], max(ends[1] - ends[0], 1.0)
    falls = step.end is not None and step.end < step.start
    shapes: list[kit.Shape] = [kit.Label(_STEPS_LEFT - 8, top + 16, step.label, "end")]
    if step.end is not None:
        shapes += kit.marked(kit.Bar(left, top + 3, width, _STEP_ROW - 7, step.ink, is_pale=falls))
    right = left + width
    if step.interval is not None:
        low, high = (scale.place(min(max(end, scale.low), scale.high)) for end in step.interval)
        y, right = top + _STEP_ROW - 2, max(right, high)
        shapes.append(kit.Line([(low, y), (high, y)], "text", 2))
    return [*shapes, kit.Label(right + 6, top + 16, _gained(step))]


_NAMES = {"page": (200.0, 26), "column": (110.0, 13)}
"""The room for the names of documents and systems, and the letters of a name, by the width of the figure."""
_NAME_ROW = 18.0
_MOST_NAMES = 40  # documents that have their names beside them: the lowest
_NAMELESS_HEIGHT = 360.0  # at most, of all others together


def documents(report: ErrorReport, _: str, look: kit.Look) -> kit.Figure:
    """Return the figure; documents without a score come last, with no marks."""
    scored = [
        (document.id, cast("Score", report.report.document_scores(document)["lea"]))
        for document in report.report.documents
    ]
    rows = sorted(scored, key=lambda row: (not row[1].f1.defined, row[1].f1, row[0]))
    others = len(rows) - _MOST_NAMES
    low_step = min(_NAME_ROW, _NAMELESS_HEIGHT / others) if others > 0 else 0.0
    height = _NAME_ROW * min(len(rows), _MOST_NAMES) + low_step * max(others, 0)
    left, columns = _NAMES[look.width]
    scale = kit.Scale(*kit.PERCENT, left, look.units - 20)
    caption = "Percent: recall is a stroke, precision a square, F1 a dot."
    caption += f" The {_MOST_NAMES} lowest have their names." if others > 0 else ""
    shapes: list[kit.Shape] = []
    confidence = report.report.confidence
    ends = confidence and confidence.intervals["lea"]["f1"]
    if confidence and ends:
        low, high = (scale.place(100 * end) for end in ends)
        shapes.append(kit.Bar(low, 0, max(high - low, 1), height, "many"))
        caption += f" Band: F1 of the corpus, {confidence.level:g} %."
    shapes += kit.across(scale, 0, height, "LEA, percent")
    top = 0.0
    for place, (ident, score) in enumerate(rows):
        step = _NAME_ROW if place < _MOST_NAMES else low_step
        y, top = top + step / 2, top + step
        if place < _MOST_NAMES:
            shapes.append(kit.Label(left - 10, y + 4, kit.shortened(ident, columns), "end"))
        shapes += _three_scores(scale, score, y, step)
    said = ", ".join(f"{ident} {percent(score.f1, '0/0')}" for ident, score in rows[:_MOST_NAMES])
    words = kit.Words(
        "LEA of every document, the lowest first",
        caption,
        f"LEA F1 in percent: {said}{f', and {others} more' if others > 0 else ''}",
    )
    return kit.figure(words, look, height + kit.AXIS, shapes)


def _three_scores(scale: kit.Scale, score: Score, y: float, step: float) -> list[kit.Shape]:
    """Return the three scores on a line between the lowest and the highest; what is 0/0 is left out."""
    places = {part: scale.place(100 * value) for part, value in score._asdict().items() if value.defined}
    if not places:
        return []
    line = kit.Line([(min(places.values()), y), (max(places.values()), y)], "grid", 2)
    return [line, *(_mark(part, x, y, step) for part, x in places.items())]


def _mark(part: str, x: float, y: float, step: float = _NAME_ROW) -> kit.Shape:
    """Return the mark of recall, precision or F1 in a row that is `step` high."""
    if part == "recall":
        return kit.Line([(x, y - step / 3), (x, y + step / 3)], "recall", 2.5)
    look = ("square", "precision") if part == "precision" else ("circle", "text")
    return kit.Sign(x, y, *look, min(7.0, step))


_LEFT, _RIGHT_ROOM, _LENGTHS_BOTTOM = 45.0, 25.0, 260.0
_NUMBER_ROOM = 34.0  # from one number of the axis to the next
_WITHIN = {1.0: (1, 1.5, 2, 3, 4, 5, 6, 8), 3.0: (1, 2, 5), math.inf: (1,)}
"""The multiples of a power of ten that stand at the axis, by how many powers there are at most."""


def lengths(report: ErrorReport, _: str, look: kit.Look) -> kit.Figure:
    """Return the figure over tokens, or over gold mentions where a document has none."""
    metric = report.report.main_metric()
    tokens = [findings.tokens for findings in report.evidence if findings.tokens is not None]
    documents = report.report.documents
    has_tokens = len(tokens) == len(documents)
    sizes = tokens if has_tokens else [document.gold_mentions for document in documents]
    scores = [main_part(report.report.document_scores(document)[metric]) for document in documents]
    points = sorted(
        (length, 100 * score) for length, score in zip(sizes, scores, strict=True) if length and score.defined
    )
    low, high = (points[0][0], points[-1][0]) if points else (1, 10)
    right = look.units - _RIGHT_ROOM
    scale = kit.Scale(math.log10(low) - 0.1, math.log10(high) + 0.1, _LEFT, right)
    up = kit.Scale(*kit.PERCENT, _LENGTHS_BOTTOM, 22)
    shapes: list[kit.Shape] = [*kit.upwards(up, _LEFT, right), *_axis_of_lengths(scale)]
    shapes += [kit.Sign(scale.place(math.log10(x)), up.place(y), "ring", "text") for x, y in points]
    unit, label = "tokens" if has_tokens else report.said("gold mentions"), report.report.short_label(metric)
    said = f"{len(points)} documents from {low} to {high} {unit}" if points else "no document has a score"
    shapes += [
        kit.Label(_LEFT, 8, f"{label} F1, percent", ink="pale"),
        kit.Label((_LEFT + right) / 2, _LENGTHS_BOTTOM + 30, f"{unit}, logarithmic", "middle", "pale"),
    ]
    words = kit.Words(
        f"{label} F1 of every document by its length",
        f"Percent, over {unit} of the document, logarithmic.",
        f"{label} F1 by length: {said}",
    )
    return kit.figure(words, look, _LENGTHS_BOTTOM + kit.AXIS, shapes)


def _axis_of_lengths(scale: kit.Scale) -> Iterator[kit.Shape]:
    """Yield the round numbers on the scale: the wider it is, the fewer."""
    last = -math.inf
    within = next(numbers for most, numbers in _WITHIN.items() if scale.high - scale.low <= most)
    for power in range(max(0, math.floor(scale.low)), math.ceil(scale.high) + 1):
        for number in (multiple * 10**power for multiple in within):
            if number == int(number) and scale.low <= math.log10(number) <= scale.high:
                x = scale.place(math.log10(number))
                yield kit.Line([(x, _LENGTHS_BOTTOM), (x, _LENGTHS_BOTTOM + 4)], "pale")
                if x - last >= _NUMBER_ROOM:
                    last = x
                    yield kit.Label(x, _LENGTHS_BOTTOM + 17, f"{int(number)}", "middle", "pale")


_SHARES_BOTTOM, _SHARES_TOP = 215.0, 26.0
_COUNTS_HIGH, _COUNTS_BOTTOM = 48.0, 275.0
_DIGIT = 7.0  # the width of a digit


def shares(report: ErrorReport, dimension: str, look: kit.Look) -> kit.Figure:
    """Return the figure over the classes that have a link."""
    rows = [row for row in report.plotted[dimension] if row.total("recall") or row.total("precision")]
    up, right = kit.Scale(*kit.PERCENT, _SHARES_BOTTOM, _SHARES_TOP), look.units - _RIGHT_ROOM
    columns = kit.Scale(0, len(rows) or 1, _LEFT, right)
    shapes: list[kit.Shape] = [*kit.upwards(up, _LEFT, right)]
    for side, shape, left, said in (
        ("recall", "circle", 18.0, "gold links correct"),
        ("precision", "square", 172.0, "system links correct"),
    ):
        shapes += [kit.Line([(left - 14, 6), (left + 14, 6)], side, 2, is_dashed=side == "precision")]
        shapes += [kit.Sign(left, 6, shape, side), kit.Label(left + 18, 10, report.said(said))]
        points = [
            (columns.place(place + 0.5), up.place(percent))
            for place, row in enumerate(rows)
            if (percent := row.found(side)) is not None
        ]
        shapes.append(kit.Line(points, side, 2, is_dashed=side == "precision"))
        shapes += [kit.Sign(x, y, shape, side) for x, y in points]
    step = columns.place(1) - columns.start
    below = 14 if any(_DIGIT * len(row.name) > step for row in rows) else 0  # names in two lines
    for place, row in enumerate(rows):
        y = _COUNTS_BOTTOM + 16 + below * (place % 2)
        shapes.append(kit.Label(columns.place(place + 0.5), y, row.name, "middle"))
    shapes += _counts(report, rows, columns, below)
    words = kit.Words(
        f"Link outcomes by {DIMENSIONS[dimension].what}",
        "Percent above; the bars and the numbers below are counts of links.",
        "Percent correct: " + "; ".join(f"{row.name}: {_shares_said(row)}" for row in rows),
    )
    return kit.figure(words, look, _COUNTS_BOTTOM + 52 + below, shapes)


def _shares_said(row: ClassRow) -> str:
    shares = row.found("recall"), row.found("precision")
    return " and ".join("none" if percent is None else f"{percent:.0f}" for percent in shares)


def _counts(
    report: ErrorReport, rows: list[ClassRow], columns: kit.Scale, below: float
) -> Iterator[kit.Shape]:
    """Yield the panel of counts: bars from a line up, and below them the numbers of either side."""
    yield kit.Line([(columns.start, _COUNTS_BOTTOM), (columns.end, _COUNTS_BOTTOM)], "pale")
    most = max([row.total(side) for row in rows for side in ("recall", "precision")], default=0)
    step = columns.place(1) - columns.start
    for place, row in enumerate(rows):
        x, half = columns.place(place + 0.5), 0.3 * step
        for side, left in (("recall", x - half), ("precision", x + 1)):
            height = _COUNTS_HIGH * row.total(side) / most
            yield kit.Bar(left, _COUNTS_BOTTOM - height, half - 1, height, "many")
        for down, side in ((31 + below, "recall"), (45 + below, "precision")):
            yield kit.Label(x, _COUNTS_BOTTOM + down, fitting(row.total(side), step), "middle", "pale")
    for down, label in ((31 + below, "gold"), (45 + below, "system")):
        yield kit.Label(columns.start - 1, _COUNTS_BOTTOM + down, report.said(label), "end", "pale")


def fitting(number: int, room: float) -> str:
    """Return a number, in thousands if there is no room for all of its digits."""
    return str(number) if _DIGIT * len(str(number)) < room else f"{number / 1000:.0f}k"


_CLASSES = {"page": (190.0, 20), "column": (130.0, 10)}  # the room for their names, and the letters of one
_ROW, _GAP = 19.0, 8.0
_KEY_WIDTH, _KEY_ROW = 156.0, 18.0  # of a kind in the key above the bars
_SIDES = (("recall", "gold"), ("precision", "system"))


def statuses(report: ErrorReport, dimension: str, look: kit.Look) -> kit.Figure:
    """Return the figure over the classes that have a link."""
    rows = [row for row in report.plotted[dimension] if any(row.total(side) for side, _ in _SIDES)]
    height = (2 * _ROW + _GAP) * len(rows)
    left, columns = _CLASSES[look.width]
    scale = kit.Scale(*kit.PERCENT, left, look.units - _BARS_ROOM)
    key, key_height = _key(look, ("found", *KINDS))
    below = 2 + key_height
    shapes: list[kit.Shape] = [*key, *kit.across(scale, below, below + height, "links, percent")]
    said = []
    for place, row in enumerate(rows):
        top = below + _GAP / 2 + (2 * _ROW + _GAP) * place
        shapes.append(kit.Label(kit.MARGIN, top + 14, kit.shortened(row.name, columns)))
        for line, (side, label) in enumerate(_SIDES):
            shapes += _status_bar(scale, row, side, label, top + _ROW * line)
        said.append(f"{row.name}: {_shares_said(row)}")
    words = kit.Words(
        f"Link outcomes by {DIMENSIONS[dimension].what or dimension}",
        "Percent of the links of a class; their number stands to the right.",
        f"Percent correct: {'; '.join(said)}",
    )
    return kit.figure(words, look, below + height + kit.AXIS, shapes)


def _key(look: kit.Look, names: Sequence[str]) -> tuple[list[kit.Shape], float]:
    """Return what bars mean, and the height that it takes."""
    columns = int(look.units / _KEY_WIDTH)
    shapes: list[kit.Shape] = []
    for place, status in enumerate(names):
        x, y = kit.MARGIN + _KEY_WIDTH * (place % columns), _KEY_ROW * (place // columns)
        shapes += kit.marked(kit.Bar(x, y, 25, 13, status))
        shapes.append(kit.Label(x + 30, y + 11, KINDS[status].label if status in KINDS else CORRECT))
    return shapes, _KEY_ROW * math.ceil(len(names) / columns)


_PLACES_HIGH = 200.0
_NAME_ROOM = 100.0  # of a document, or of a number of tokens, below the bars


def places(report: ErrorReport, _: str, look: kit.Look) -> kit.Figure:
    """Return the figure: a bar per window in the order of the text, or per document."""
    key, key_height = _key(look, [*KINDS])
    top = 18 + key_height
    up = kit.Scale(0, max(place.rate for place in report.places) or 1, top + _PLACES_HIGH, top)
    across = kit.Scale(0, len(report.places), _LEFT, look.units - kit.MARGIN)
    unit, how = said_of_places(report)
    shapes: list[kit.Shape] = [*key, *kit.upwards(up, _LEFT, across.end)]
    last = -math.inf
    for number, place in enumerate(report.places):
        x, rate = across.place(number), 0.0
        width, below = 0.9 * (across.place(number + 1) - x), up.place(rate)
        for kind, errors in place.errors.items():
            rate += 1000 * errors / (place.size or 1)
            above = up.place(rate)
            bar = kit.Bar(x, above, width, below - above, kind)
            shapes += [bar, bar._replace(is_hatch=True)] if errors else []
            below = above
        if last + _NAME_ROOM <= x <= across.end - _NAME_ROOM:
            last, name = x, str(place.start) if place.start else kit.shortened(place.document, 12)
            shapes.append(kit.Label(x, up.start + 16, name, ink="pale"))
    highest = sorted(report.places, key=lambda place: -place.rate)[:3]
    said = ", ".join(f"{place_name(place)} {place.rate:.1f}" for place in highest)
    words = kit.Words(
        f"Errors per 1 000 {unit}", f"One bar per {how}; kinds on top of each other.",
        f"Errors per 1 000 {unit} of {len(report.places)} places; the highest: {said}",
    )  # fmt: skip
    return kit.figure(words, look, up.start + 24, shapes)


def said_of_places(report: ErrorReport) -> tuple[str, str]:
    """Return what errors are counted per 1 000 of, and what a place is."""
    has_tokens = all(findings.tokens is not None for findings in report.evidence)
    unit = "tokens" if has_tokens else report.said("gold mentions")
    length = next((place.start for place in report.places if place.start), 0)
    how = f"{length} {unit}, in the order of the text" if length else "document, those with most errors first"
    return unit, how


def place_name(place: Place) -> str:
    """Return a document and its tokens."""
    return f"{place.document} {place.start}\u2013{place.end}" if place.end else place.document


def _status_bar(scale: kit.Scale, row: ClassRow, side: str, label: str, top: float) -> Iterator[kit.Shape]:
    """Yield the parts of a bar; each has its mark where there is room."""
    yield kit.Label(scale.start - 8, top + 13, label, "end", "pale")
    total, before = row.total(side), 0
    for status, number in row.links[side].items():
        left, right = (scale.place(100 * n / max(total, 1)) for n in (before, before + number))
        before += number
        if number:
            yield from kit.marked(kit.Bar(left, top + 1, max(right - left - 0.6, 0.4), _ROW - 3, status))
    yield kit.Label(scale.end + 6, top + 13, str(total), ink="pale")


_SCORES_RIGHT = 80.0


def scores_of_systems(compared: Comparison, look: kit.Look) -> kit.Figure:
    """Return the figure: metrics in the order of the columns, systems in the order they were given."""
    metrics = [list(columns) for _, columns in groupby(compared.columns, lambda column: column.metric)]
    height = _NAME_ROW * len(metrics) * (len(compared.systems) + 1)
    left, most = _NAMES[look.width]
    scale = kit.Scale(*kit.PERCENT, left, look.units - _SCORES_RIGHT)
    shapes: list[kit.Shape] = [*kit.across(scale, 0, height, "percent")]
    said = []
    top = 0.0
    names = told_apart([system.name for system in compared.systems], lambda name: kit.shortened(name, most))
    for columns in metrics:
        label = compared.systems[0].report.short_label(columns[0].metric)
        shapes.append(kit.Label(left - 10, top + 13, label, "end", "pale"))
        for system, name in zip(compared.systems, names, strict=True):
            top += _NAME_ROW
            shapes += _system_row(compared, system, columns, scale, top + _NAME_ROW / 2, name)
            named = f"{system.name} {label}"
            said += [f"{named} {column.part} {_number(compared, system, column)}" for column in columns]
        top += _NAME_ROW
    what = "Scores of systems, metric by metric"
    words = kit.Words(what, _caption_of_systems(compared), f"Percent: {', '.join(said)}")
    return kit.figure(words, look, height + kit.AXIS, shapes)


def _caption_of_systems(compared: Comparison) -> str:
    names = {"recall": "stroke recall", "precision": "square precision", "f1": "dot F1"}
    shown = {column.part for column in compared.columns}
    signs = [name for part, name in names.items() if part in shown]
    confidence = compared.systems[0].report.confidence
    if confidence is not None:
        signs.append(f"line {confidence.level:g} % interval")
    marks = ["* best"] if len(compared.systems) > 1 else []
    if compared.has_tests():
        marks.append(f"▲ higher, ▼ lower than the {compared.against}, p ≤ {compared.alpha:g}")
    if compared.pairs:
        marks.append(f"systems without a common letter differ, p ≤ {compared.alpha:g}")
    how = f": {how_tested(compared)}" if compared.has_tests() or compared.pairs else ""
    return f"Percent: {', '.join(signs)}. {', '.join(marks)}{how}{'.' if how else ''}".strip()


def _system_row(  # noqa: PLR0913, PLR0917 - what is drawn, and where
    compared: Comparison, system: SystemRow, columns: Sequence[Column], scale: kit.Scale, y: float, name: str
) -> Iterator[kit.Shape]:
    """Yield the scores of a system by one metric; the interval and the number are of the last of them."""
    last = columns[-1]
    yield kit.Label(scale.start - 10, y + 4, name, "end")
    interval = compared.interval(system, last)
    if interval is not None:
        yield kit.Line([(scale.place(100 * end), y) for end in interval], "score", 2)
    for column in columns:
        value = compared.value(system, column)
        if value.defined:
            yield _mark(column.part, scale.place(100 * value), y)
    yield kit.Label(scale.end + 10, y + 4, _number(compared, system, last))


def _number(compared: Comparison, system: SystemRow, column: Column) -> str:
    value = compared.value(system, column)
    best = "*" if compared.is_best(system, column) else ""
    differs = DIFFERS[compared.direction(system, column)]
    letters = compared.letters_of(system, column)
    shown = f"{percent(value)}{best}{differs}{letters and f' {letters}'}"
    return shown if value.defined else UNDEFINED_SHOWN
