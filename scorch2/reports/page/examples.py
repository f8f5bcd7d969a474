"""The examples of the page: cards of each kind of error, those that cost most first, and frequent pairs."""

from collections.abc import Mapping
from typing import TypeAlias

from scorch2.analysis.error_report import ErrorReport, KindExamples, ListedRow
from scorch2.analysis.kinds import ALL, KINDS, LOSES_RECALL, counted_errors
from scorch2.analysis.listing import SHOWN, done, first_upper, pair_name, shortened, spelled_out
from scorch2.model.errors import counted
from scorch2.reports.page.frame import (
    NOTHING,
    Html,
    anchor,
    joined,
    kind_mark,
    lines,
    name_of,
    opened,
    remark,
    tag,
    text,
)

_Listed: TypeAlias = set[tuple[str, str, str]]
"""Document, kind and mention of the errors that are told in the texts of the page."""
_BEFORE, _AFTER = SHOWN, 160  # characters of a sentence around a mention


def examples_part(report: ErrorReport) -> Html:
    """Return the examples of all kinds that have errors; those of the kind that costs most are open."""
    if not report.examples_by_kind:
        return NOTHING
    shares, found = _shares(report), report.examples_by_kind
    costly = max(found, key=lambda kind: (shares.get(kind) or 0.0, found[kind].number))
    with_text = {
        (scene.id, error.kind, (scene.gold if error.kind in LOSES_RECALL else scene.system).mentions[first])
        for _, scene in report.scenes
        for error in scene.errors
        for first in error.mentions[:1]
    }
    return lines(_kind(report, kind, its, with_text, is_open=kind == costly) for kind, its in found.items())


def _shares(report: ErrorReport) -> Mapping[str, float | None]:
    """Return the share of each kind in the score that the report leads with, and of all."""
    metric = report.report.main_metric()
    return {kind: values.get(metric) for kind, values in report.gained().shares.items()}


def _kind(report: ErrorReport, kind: str, found: KindExamples, with_text: _Listed, *, is_open: bool) -> Html:
    shares = _shares(report)
    share, total = shares.get(kind), shares.get(ALL)
    points = ""
    if share is not None and total is not None:
        label = report.report.short_label(report.report.main_metric())
        points = f", {100 * share:.1f} of {100 * total:.1f} points of {label} F1"
    heading = tag("h3", kind_mark(kind), text(f" {counted_errors(found.number, kind)}"))
    cards: dict[int, tuple[ListedRow, list[str]]] = {id(row): (row, []) for row in found.rows}
    for place, pair in enumerate(found.pairs, start=1):
        for row in pair.rows:
            cards.setdefault(id(row), (row, ["more"]))[1].append(f"p{place}")
    items = [_card(report, row, classes, with_text) for row, classes in cards.values()]
    rest = found.number - len(found.rows)
    more = f"{rest} more, which cost less: --list=examples --kind={kind} has all." if rest else ""
    return tag(
        "details",
        tag("summary", heading, tag("span", text(points))),
        remark(f"{first_upper(report.said(KINDS[kind].what))}. Those that cost most come first."),
        *_pairs(kind, found),
        tag("ol", *items, class_="cards"),
        remark(more) if more else NOTHING,
        id=f"kind={kind}",
        class_=f"kind {kind}",
        open="" if is_open else None,
    )


def _pairs(kind: str, found: KindExamples) -> list[Html]:
    """Return the switches for the frequent pairs of a mention and its antecedent."""
    if not found.pairs:
        return []
    names = ["all", *(pair_name(kind, pair.texts) for pair in found.pairs)]
    said = ["all", *(f"{name} ({pair.number})" for name, pair in zip(names[1:], found.pairs, strict=True))]
    switches = [
        opened(
            *("input",),
            type="radio",
            name=f"pair-{kind}",
            id=f"p-{kind}-{place}",
            class_=f"switch pair p{place}",
            value=name if place else "",
            data_kind=kind,
            aria_label=said[place],
            checked="" if place == 0 else None,
            autocomplete="off",
        )
        for place, name in enumerate(names)
    ]
    labels = [
        tag("label", name_of(name), for_=f"p-{kind}-{place}", class_=f"p{place}")
        for place, name in enumerate(said)
    ]
    shown = joined([tag("b", text("Most frequent pairs")), *labels], " ")
    return [*switches, tag("p", shown, class_="switches pairs")]


def _card(report: ErrorReport, row: ListedRow, classes: list[str], with_text: _Listed) -> Html:
    """Return a mention and its antecedent in their sentences, what the system did, and where it is."""
    document, mention = row["document"], spelled_out(row["mention"])
    where = name_of(document)
    if (document, row["kind"], mention) in with_text:
        where = tag("a", where, href=f"#{anchor(document, mention, error=row['kind'])}")
    head = joined([where, text(_cost(row))], " · ")
    parts = [tag("p", head, class_="pale")]
    if row["sentence"] is None:
        near = "" if row["antecedent"] is None else f" ← {spelled_out(row['antecedent'])}"
        parts.append(tag("p", name_of(f"{mention}{near}")))
    else:
        is_span = row["kind"] == "span"
        labels = {"antecedent_": "antecedent", "": "gold" if is_span else "mention", "instead_": "system"}
        parts += [
            _sentence(row, before, report.said(label))
            for before, label in labels.items()
            if row.get(f"{before}sentence") is not None
        ]
    return tag("li", *parts, tag("p", text(done(row, report.said))), class_=" ".join(["card", *classes]))


def _cost(row: ListedRow) -> str:
    return f"{counted(row['mentions_lost'], 'mention')} {KINDS[row['kind']].cost}"


def _sentence(row: ListedRow, before: str, label: str) -> Html:
    """Return the number of a sentence, and the sentence with the mention marked, cut where it is long."""
    sentence, spans = row[f"{before}sentence"], row[f"{before}spans"]
    first, last = spans[0][0], spans[-1][1]
    start = 0 if first <= _BEFORE else sentence.find(" ", first - _BEFORE) + 1
    end = len(sentence) if len(sentence) - last <= _AFTER else sentence.rfind(" ", last, last + _AFTER)
    start, end = (min(start, first)), max(end, last)
    mention = tag("mark", text(shortened(sentence[first:last]) or "∅"))
    shown = [
        text(f"{'…' * (start > 0)}{sentence[start:first]}"),
        mention,
        text(f"{sentence[last:end]}{'…' * (end < len(sentence))}"),
    ]
    number = tag("small", text(f"{label}, row {row[f'{before}row']}"))
    return tag("p", number, Html(" "), tag("bdi", *shown), class_="in")
