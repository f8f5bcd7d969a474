"""The first parts of the page: scores, what each kind of error costs, and where errors and lost links are."""

import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence

from scorch2.analysis.breakdown import NEEDS, known_breakdown
from scorch2.analysis.chosen_errors import ENTITY, condition
from scorch2.analysis.corpus import DEFAULT_METRICS
from scorch2.analysis.error_report import ErrorReport, Place, Scene
from scorch2.analysis.kinds import KINDS, Count, counted_errors
from scorch2.analysis.links import CORRECT, PRECISION, RECALL, LinkChanges
from scorch2.analysis.table import DIMENSIONS
from scorch2.model.options import flag_of
from scorch2.model.results import ClassRow
from scorch2.model.score import Measured, Tally, percent
from scorch2.model.settings import SETTINGS
from scorch2.reports import errors
from scorch2.reports.figures.charts import draw, look_of, place_name, said_of_places
from scorch2.reports.figures.kit import Bar, Label, Line, Shape, coordinate, element, marked, round_steps
from scorch2.reports.page.frame import (
    NOTHING,
    TERMS,
    UNCOPIED,
    Html,
    anchor,
    explained,
    html_table,
    joined,
    marked_kind,
    opened,
    plain_table,
    remark,
    tag,
    text,
    titled,
)
from scorch2.reports.page.texts import error_anchor
from scorch2.reports.rows import breakdown_tables, class_caption
from scorch2.scoring.averages import averaged
from scorch2.scoring.layout.tables import Table
from scorch2.scoring.metrics import METRICS
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.report import Report


def drawn(report: ErrorReport, name: str) -> Html:
    """Return a figure by its name, and another one for narrow screens: one of them is seen."""
    return joined([_drawn(report, name, "page"), _drawn(report, name, "column")])


def _drawn(report: ErrorReport, name: str, paper: str) -> Html:
    """Return a figure; for those who do not see it, it says what it shows."""
    figure = draw(report, name, look_of(paper))
    width, height = coordinate(figure.width), coordinate(figure.height)
    known = report.examples_by_kind if name == "errors" else ()
    parts = joined(_segment(_element(shape), *_told(report, shape), known) for shape in figure.shapes)
    size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
    said = {"role": "group" if known else "img", "aria_label": figure.description}
    return tag("div", tag("svg", parts, **size, **said, class_="figure"), class_=f"box on-{paper}")


def _element(shape: Shape) -> Html:
    name, place, words = element(shape)
    classes, width = f"ink-{shape.ink}", None
    if isinstance(shape, Bar):
        if shape.is_hatch:
            return tag(name, **place, fill=f"url(#hatch-{shape.ink})")
        classes = f"pale-bar {classes}" if shape.is_pale else classes
    elif isinstance(shape, Line):
        classes, width = f"{classes} dashed" if shape.is_dashed else classes, coordinate(shape.width)
    elif isinstance(shape, Label):
        classes = f"{shape.anchor} {classes}"
    elif shape.outline == "ring":
        classes = f"ring {classes}"
    return tag(name, text(words), **place, class_=classes, stroke_width=width)


def _told(report: ErrorReport, shape: Shape) -> tuple[str, str]:
    """Return the kind of error that a bar or a name is about, and its name; empty for other shapes."""
    kind = shape.ink if isinstance(shape, Bar) and not shape.is_hatch else ""
    if isinstance(shape, Label):
        kind = {report.said(row.label): kind for kind, row in KINDS.items()}.get(shape.text, "")
    return (kind, report.said(KINDS[kind].label)) if kind in KINDS else (kind, "")


def overview_part(report: ErrorReport, entity: str) -> Html:
    """Return the overview; `entity` is one that can be corrected. Classes are told where they are shown."""
    report = report._replace(report=report.report._replace(breakdown={}))
    scores = tag("div", tag("h3", text("Scores")), scores_part(report.report, detection(report)))
    costs = []
    if report.corrected.alone:
        figure = tag("h3", text("What each kind of error costs")), drawn(report, "errors")
        costs += [tag("div", *figure), _what_if(report), _by_command(report, entity)]
    beside = tag("div", scores, *costs, class_="beside wide")
    return joined([beside, tag("h3", text("Errors by kind")), _errors(report), *_more(report)])


def scores_part(report: Report, detected: Sequence[str] = ()) -> Html:
    """Return the table of scores, with a row for mention detection if it is known."""
    report = report._replace(breakdown={})  # told where it is shown
    table = report.table()
    rows = [
        [report.short_label(row.name), *cells[1:]] for row, cells in zip(report.rows, table.rows, strict=True)
    ]
    if detected:
        rows.append([*detected])
    explained = remark(" ".join([report.caption(table), *report.notes()]))
    return joined([plain_table("Scores of the corpus", table._replace(rows=rows), "scores"), explained])


def detection(report: ErrorReport) -> Sequence[str]:
    """Return the row of mention detection for the table of scores."""
    metric = METRICS["mentions"]
    if not isinstance(metric, Metric) or metric.name in report.report.scores:
        return ()
    documents = [*map(_detected, report.report.documents, report.by_document)]
    average = averaged([metric], [metric], documents, report.report.options)
    alone = report.report._replace(
        rows=[metric], metrics=[metric], documents=documents, scores=average.scores, confidence=None
    )
    return [alone.short_label(metric.name), *alone.table().rows[0][1:]]


def _detected(document: Measured, counts: Sequence[Count]) -> Measured:
    """Return the mentions that are on both sides: all but those in errors about mentions."""
    rows = zip(KINDS.values(), counts, strict=True)
    lost = sum(count.mentions for row, count in rows if "recall" in row.loses and row.unit != "piece")
    shared = document.gold_mentions - lost
    tally = Tally(shared, document.gold_mentions, shared, document.system_mentions)
    return document._replace(tallies=((tally,),))


def _errors(report: ErrorReport) -> Html:
    table, kinds = errors.error_table(report), {row.label: kind for kind, row in KINDS.items()}
    rows = []
    for label, *cells in table.rows:
        name, numbers, kind = text(label), [*map(text, cells)], kinds.get(label)
        if kind is not None:
            name = joined([_named(report, kind), tag("small", text(report.said(KINDS[kind].what)))])
        if kind in report.examples_by_kind:
            numbers[0] = tag("a", numbers[0], href=f"#kind={kind}", tabindex=-1)
        if label.startswith(" "):  # a part of the kind above: its singletons, or what was not copied
            told = [] if label == errors.SINGLETONS else [tag("small", text(UNCOPIED))]
            name = tag("span", text(label.strip()), *told, class_="part")
        rows.append([name, *numbers])
    head = [*map(explained, table.head)]
    counted = html_table(text("Errors of all documents"), head, rows, classes="kinds")
    return joined([counted, remark(errors.caption(report))])


_HEADINGS = {
    "windows": "Windows",
    "what-if": "What if",
    "links": "The second system",
    "contrasts": "Which system is better at what",
}


def _more(report: ErrorReport) -> Iterator[Html]:
    """Yield scores in windows, and the links that a second system fixes and newly loses."""
    for label, said, table in errors.asked_tables(report):
        if label in _HEADINGS:
            yield tag("h3", text(_HEADINGS[label]))
            if label == "links" and report.compared is not None:
                yield _compared(report.compared, table, report.examples_by_kind)
            else:
                yield plain_table(said, table, names=2 if label == "contrasts" else 1)


def _what_if(report: ErrorReport) -> Html:
    """Return a box for each kind with errors: the script tells the score if those ticked were right."""
    metric, kinds = report.report.main_metric(), [kind for kind in KINDS if report.errors[kind].errors]
    boxes = []
    for place, kind in enumerate(kinds):
        box = opened("input", type="checkbox", id=f"w-{kind}", value=1 << place)
        boxes.append(joined([box, tag("label", marked_kind(kind, report.annotators), for_=f"w-{kind}")]))
    after = ",".join(percent(scores[metric], "0/0") for scores in report.after_kinds.values())
    told = tag("output", data_after=after, data_metric=f"{report.report.short_label(metric)} ")
    parts = [tag("b", text("If these were right:")), *boxes, told]
    return tag("p", joined(parts, " "), id="what-if", hidden="") if after and boxes else NOTHING


def _by_command(report: ErrorReport, entity: str) -> Html:
    """Return the command that corrects the errors of one entity, which the boxes do not count."""
    request, page, options = report.request, report.request.page, report.report.options
    if page is None or report.annotators or not entity:
        return NOTHING
    given = {"what_if": condition(ENTITY, entity), **options.changed(), **options.inputs}
    settings = {name: getattr(request, name) for name in ("types", "spans", "gains")}
    given |= {name: value for name, value in settings.items() if value != SETTINGS[name].default}
    if {*report.report.scores} != {*DEFAULT_METRICS}:
        given["metric"] = ",".join(report.report.scores)
    words = [f"{flag_of(name)}={value}" for name, value in given.items()]
    paths = [page.gold, page.systems[0]] if page.gold and page.systems[0] else []
    shown = " ".join(
        ["scorch2 errors", *map(shlex.quote, [*words, *paths]), *([] if paths else ["<gold> <sys>"])]
    )
    has_types = "types" in dict(report.report.settings)
    of_type = " (or of a type of mention, such as type:pronoun)" if has_types else ""
    said = f"If the errors of an entity were right{of_type}: "
    return tag("p", text(said), tag("code", text(shown)), class_="pale")


def _compared(changes: LinkChanges, table: Table, known: Collection[str]) -> Html:
    """Return the links that a second system fixes and loses, and errors of both, as links to examples."""
    rows = [[*map(text, cells)] for cells in table.rows]
    for row, (kind, shared) in zip(rows, changes.errors.items(), strict=False):
        for column, (who, number) in enumerate(zip(("both", "first", "second"), shared, strict=True), -3):
            if number and kind in known:
                href = f"#kind={kind}&other={who}"
                row[column] = tag("a", row[column], href=href, tabindex=-1)
    head = [*map(text, table.head)]
    links = html_table(text("Links that the second system fixes and loses, and errors"), head, rows)
    return joined([links, remark(errors.compared_caption(changes))])


_WIDE, _HIGH, _BAR = 10, 200, 9
_DRAG = "Drag over bars (or shift and arrows) to count that part alone; a click opens the text there."
_LABELS = 4  # parts of a text between numbers of tokens below the bars


def _places_part(report: ErrorReport) -> Html:
    """Return the bars of all places, below the number of errors of each kind in them."""
    if not any(place.first for place in report.places):
        return NOTHING
    unit, how = said_of_places(report)
    steps = round_steps(0, max(place.rate for place in report.places))
    steps.append(steps[-1] + (steps[1] if steps[1:] else 1))
    scenes = {scene.id: scene for _, scene in report.scenes}
    told = {(name, error.kind, error.mentions[0]) for name, its in scenes.items() for error in its.errors}
    bars = [_place_bar(report, place, x, scenes, told) for x, place in enumerate(report.places)]
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


def _place_bar(
    report: ErrorReport, place: Place, x: int, scenes: Mapping[str, Scene], told: Collection[object]
) -> Html:
    """Return what is clicked: all of the height of a place."""
    href, scene = None, scenes.get(place.document)
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


_WIDTH = 200
_LINKS_HEAD = ("gold links", "correct or lost", "recall", "system links", "correct or lost", "precision")


def where_part(report: ErrorReport) -> Html:
    """Return the links by each dimension that is known, and scores by those that were asked for."""
    known = known_breakdown([findings.classes for findings in report.evidence])
    parts = [_places_part(report), _legend(report)]
    for name, rows in known.items():
        heading = tag("h3", text(DIMENSIONS[name].heading))
        parts += [heading, _links_table(name, rows, report), *scores_by(name, report.report)]
        if name == "sentences":
            parts.append(drawn(report._replace(plotted=known), name))
    for name in report.report.breakdown:
        if name not in known:
            parts += [tag("h3", text(f"By {name}")), *scores_by(name, report.report)]
    lacking = {
        row.heading.partition(":")[0].replace("By", "Not by", 1): NEEDS[row.needs][1]
        for name, row in DIMENSIONS.items()
        if row.heading and row.needs and any(name not in findings.classes for findings in report.evidence)
    }
    found = (remark(f"{name}: a document has {why}.") for name, why in lacking.items())
    return joined([*parts, *(found if report.page_evidence else ())])


def scores_by(name: str, report: Report) -> list[Html]:
    """Return the table of the scores of each class, if the breakdown by this dimension was asked for."""
    asked = {name: report.breakdown[name]} if name in report.breakdown else {}
    return [plain_table(class_caption(name), table) for table in breakdown_tables(asked)]


def _legend(report: ErrorReport) -> Html:
    said = (
        "A link goes from a mention to the one before it in its entity. Each bar shows how many links are "
        "correct (plain), and to which kinds of errors the others are lost: "
    )
    kinds = []
    for kind in KINDS:
        bar = map(_element, marked(Bar(0, 0, 12, 16, kind)))
        swatch = opened("svg", viewBox="0 0 12 16", width=12, height=16, aria_hidden="true", class_="swatch")
        kinds.append(Html(f"{swatch}{''.join(bar)}</svg> {_named(report, kind)}"))
    counts = text(". Counts are added over documents.")
    return tag("p", text(said), joined(kinds, ", "), counts, class_="pale")


def _named(report: ErrorReport, kind: str) -> Html:
    """Return the mark and the name of a kind, as a link to its examples if there are some."""
    name = marked_kind(kind, report.annotators)
    return tag("a", name, href=f"#kind={kind}", class_="to") if kind in report.examples_by_kind else name


def _links_table(name: str, rows: Sequence[ClassRow], report: ErrorReport) -> Html:
    heads = ((head, TERMS["link" if head.endswith("links") else "correct link"]) for head in _LINKS_HEAD)
    head = [text(name), *(titled(text(report.said(head)), what) for head, what in heads)]
    sides = ("recall", RECALL), ("precision", PRECISION)
    shown = [
        [text(row.name), *(cell for side in sides for cell in _side_cells(row, *side, report))]
        for row in rows
        if any(map(row.total, row.links))
    ]
    return html_table(text("Links that are correct. Percent."), head, shown, classes="bars")


def _side_cells(row: ClassRow, side: str, statuses: Sequence[str], report: ErrorReport) -> list[Html]:
    """Return the number of links, a bar of their statuses, and the share that is correct."""
    total, percent = row.total(side), row.found(side)
    if percent is None:
        return [text("0"), NOTHING, NOTHING]
    return [text(str(total)), _bar(row.links[side], statuses, total, report), text(f"{percent:.2f}")]


def _bar(links: Mapping[str, int], statuses: Sequence[str], total: int, report: ErrorReport) -> Html:
    x, said, known = 0.0, list[str](), report.examples_by_kind
    parts: list[Html] = []
    for status in statuses:
        width = _WIDTH * links[status] / total
        if width:
            segment = map(_element, marked(Bar(x, 0, max(width - 1, 0.5), 16, status)))
            label = report.said(KINDS[status].label) if status in KINDS else CORRECT
            said.append(f"{label} {links[status]}")
            parts.append(_segment(joined(segment), status, said[-1], known))
        x += width
    description, role = ", ".join(said), "group" if known else "img"
    whole = joined([tag("title", text(description)), *parts])
    return tag("svg", whole, viewBox=f"0 0 {_WIDTH} 16", role=role, aria_label=description, class_="share")


def _segment(shown: Html, status: str, said: str, known: Collection[str]) -> Html:
    """Return a part of a bar, as a link to the examples of its kind of error; Tab passes over it."""
    if status not in known:
        return shown
    title = tag("title", text(said))
    return tag("a", title, shown, href=f"#kind={status}", tabindex=-1, aria_label=said)
