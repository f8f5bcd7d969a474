"""Errors along the texts, on the page: bars that lead to the text, and count parts."""

from collections.abc import Collection

from scorch2.analysis.error_report import ErrorReport, Place, Scene
from scorch2.analysis.kinds import counted_errors
from scorch2.reports.figures.charts import place_name, said_of_places
from scorch2.reports.figures.kit import coordinate, round_steps
from scorch2.reports.page.frame import NOTHING, Html, anchor, joined, marked_kind, remark, tag, text
from scorch2.reports.page.texts import error_anchor

_WIDE, _HIGH, _BAR = 10, 200, 9
_DRAG = "Drag over bars (or shift and arrows) to count that part alone; a click opens the text there."
_LABELS = 4  # parts of a text between numbers of tokens below the bars


def places_part(report: ErrorReport) -> Html:
    """Return the bars of all places, below the number of errors of each kind in them."""
    if not any(place.first for place in report.places):
        return NOTHING
    unit, how = said_of_places(report)
    steps = round_steps(0, max(place.rate for place in report.places))
    steps.append(steps[-1] + (steps[1] if steps[1:] else 1))
    scenes = {scene.id: scene for _, scene in report.scenes}
    told = {(name, error.kind, error.mentions[0]) for name, its in scenes.items() for error in its.errors}
    bars = [_bar(report, place, x, scenes.get(place.document), told) for x, place in enumerate(report.places)]
    paths = [
        tag("path", d=path, **look)
        for kind, path in _paths(report, steps[-1]).items()
        for look in ({"class_": f"ink-{kind}"}, {"fill": f"url(#hatch-{kind})"})
    ]
    chart = tag(
        "svg", *paths, *bars, viewBox=f"0 0 {_WIDE * len(bars)} {_HIGH}", preserveAspectRatio="none",
        role="group", aria_label=f"Errors per 1 000 {unit}, one bar per {how}",
    )  # fmt: skip
    scale = tag("p", *(tag("span", text(f"{step:g}")) for step in reversed(steps)), class_="scale")
    counts = [
        tag("span", marked_kind(kind, report.annotators), Html(" "), tag("output", text(str(count.errors))))
        for kind, count in report.errors.items()
    ]
    counts += [tag("output", class_="part"), tag("button", text("all"), type="button", hidden="")]
    along = (tag("span", text(words)) for words in _below(report))
    lines_of = [
        tag("p", joined(counts, " "), class_="counts"),
        tag("div", scale, chart, class_="bars-of"),
        tag("p", *along, class_="along"),
    ]
    heading = tag("h3", text(f"Along the texts: errors per 1 000 {unit}"))
    return joined([heading, remark(f"One bar per {how}. {_DRAG}"), tag("div", *lines_of, class_="places")])


def _bar(
    report: ErrorReport, place: Place, x: int, scene: Scene | None, told: Collection[tuple[str, str, int]]
) -> Html:
    """Return what is clicked: all of the height of a place."""
    href = None
    if place.first is not None and scene is not None:
        is_told = (scene.id, place.first.kind, place.first.mentions[0]) in told
        href = f"#{error_anchor(scene, place.first) if is_told and place.start else anchor(place.document)}"
    kinds = [report.said(counted_errors(number, kind)) for kind, number in place.errors.items() if number]
    name = place_name(place)
    said = f"{name}: {place.rate:.1f}; {', '.join(kinds) or 'no errors'}"
    hit = tag("rect", x=_WIDE * x, width=_WIDE, height=_HIGH, class_="hit")
    return tag(
        *("a" if href else "g", tag("title", text(said)), hit),
        href=href, tabindex=-1 if x else 0, aria_label=said, data_at=name,
        data_n=",".join(map(str, place.errors.values())),
    )  # fmt: skip


def _paths(report: ErrorReport, top: float) -> dict[str, str]:
    """Return the bars of each kind, one on top of the other, as one path."""
    paths: dict[str, list[str]] = {}
    for x, place in enumerate(report.places):
        below = float(_HIGH)
        for kind, number in place.errors.items():
            height = _HIGH * 1000 * number / (place.size or 1) / top
            below -= height
            if number:
                bar = f"M{_WIDE * x} {coordinate(below)}h{_BAR}v{coordinate(height)}h-{_BAR}z"
                paths.setdefault(kind, []).append(bar)
    return {kind: "".join(bars) for kind, bars in paths.items()}


def _below(report: ErrorReport) -> list[str]:
    """Return what stands below the bars: tokens of a single text, or the first and the last place."""
    first, last = report.places[0], report.places[-1]
    if first.document == last.document and last.end:
        return [str(last.end * part // _LABELS) for part in range(_LABELS + 1)]
    return list(dict.fromkeys(map(place_name, (first, last))))
