"""Examples and entities of the page, in context.

Cards of each kind of error, those that cost most first, and frequent pairs; a row per entity of either side.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple, TypeAlias
from urllib.parse import quote

from scorch2.analysis.error_report import ErrorReport, KindExamples, ListedRow, Scene, ShownText, of_sides
from scorch2.analysis.kinds import ALL, KINDS, LACKS, LOSES_RECALL, counted_errors
from scorch2.analysis.listing import (
    MOST_ENTITIES,
    SHOWN,
    done,
    first_upper,
    pair_name,
    shortened,
    spelled_out,
)
from scorch2.analysis.second import LETTERS, SECOND, told_errors, who_of
from scorch2.model.document import Span
from scorch2.model.errors import counted
from scorch2.model.score import percent
from scorch2.reports.page.frame import (
    NOTHING,
    WRONG,
    Html,
    anchor,
    codes,
    joined,
    kind_mark,
    lines,
    made_by,
    name_inside,
    name_of,
    opened,
    remark,
    tag,
    text,
)
from scorch2.reports.page.texts import EntityLook, Looks, mention_anchors

_Listed: TypeAlias = set[tuple[str, str, str]]
"""Document, kind and mention of the errors that are told in the texts of the page."""
_Seen: TypeAlias = Mapping[tuple[str, bool, str, str], EntityLook]
"""How entities look, by document, whether they are of the second system, side and name."""
_BEFORE, _AFTER = SHOWN, 160  # characters of a sentence around a mention


def examples_part(report: ErrorReport, seen: Mapping[tuple[str, bool], Looks]) -> Html:
    """Return the examples of all kinds that have errors; those of the kind that costs most are open."""
    if not report.examples_by_kind:
        return NOTHING
    shares, found = _shares(report), report.examples_by_kind
    costly = max(found, key=lambda kind: (shares.get(kind) or 0.0, found[kind].number))
    with_text = {
        (of.id, error.kind, (of.gold if error.kind in LOSES_RECALL else of.system).mentions[first])
        for _, scene in report.scenes
        for of, error, _ in told_errors(scene)
        for first in error.mentions[:1]
    }
    looks = {
        (*document, side, look.name): look
        for document, both in seen.items()
        for side, its in zip(("gold", "system"), both, strict=True)
        for look in its
        if look.name is not None
    }
    names = {scene.id: name_inside(scene.name) for _, scene in report.scenes}
    card = partial(_card, report, with_text, looks, names)
    return lines(_kind(report, kind, its, card, is_open=kind == costly) for kind, its in found.items())


def _shares(report: ErrorReport) -> Mapping[str, float | None]:
    """Return the share of each kind in the score that the report leads with, and of all."""
    metric = report.report.main_metric()
    return {kind: values.get(metric) for kind, values in report.gained().shares.items()}


def _kind(
    report: ErrorReport,
    kind: str,
    examples: KindExamples,
    card: Callable[[ListedRow, list[str]], Html],
    *,
    is_open: bool,
) -> Html:
    shares = _shares(report)
    share, total = shares.get(kind), shares.get(ALL)
    points = ""
    if share is not None and total is not None:
        label = report.report.short_label(report.report.main_metric())
        points = f", {percent(share, digits=1)} of {percent(total, digits=1)} points of {label} F1"
    heading = tag("h3", kind_mark(kind), text(f" {report.said(counted_errors(examples.number, kind))}"))
    cards: dict[int, tuple[ListedRow, list[str]]] = {id(row): (row, []) for row in examples.rows}
    for place, pair in enumerate(examples.pairs, start=1):
        for row in pair.rows:
            cards.setdefault(id(row), (row, ["more"]))[1].append(f"p{place}")
    for row in examples.of_patterns:
        cards.setdefault(id(row), (row, ["rare"]))
    items = [card(row, classes) for row, classes in cards.values()]
    rest = examples.number - sum(who_of(row) != SECOND for row in examples.rows)
    of = f"{examples.number - rest} of {examples.number}, of equal cost some from all over the texts"
    said = f"{first_upper(report.said(KINDS[kind].what))}. Those that cost most come first."
    parts = [tag("summary", heading, tag("span", text(points))), remark(said), _who(report, kind)]
    parts += [_patterns(report, kind), *_pairs(kind, examples), tag("ol", *items, class_="cards")]
    parts += [remark(f"{of}: --list=examples --kind={kind} -f tsv has all.")] if rest else []
    return tag("details", *parts, id=f"kind={kind}", class_=f"kind {kind}", open="" if is_open else None)


def _who(report: ErrorReport, kind: str) -> Html:
    """Return how many errors of a kind each of two systems makes, as links that choose them."""
    if report.compared is None:
        return NOTHING
    links = []
    for who, number in zip(("both", "first", "second"), report.compared.errors[kind], strict=True):
        said, place = text(f"{number or 'none'} {WRONG[who]}"), f"kind={kind}&other={who}"
        links.append(tag("a", said, href=f"#{place}", id=place) if number else said)
    return tag("p", joined(links, ", "))


def _patterns(report: ErrorReport, kind: str) -> Html:
    """Return what errors of a kind have in common, as links that choose those."""
    shown = [tag("b", text("In common"))]
    for name, count in report.patterns.items():
        if name.startswith(f"{kind}."):
            said, place = f"{name.partition('.')[2]} ({count.errors})", f"kind={kind}&pattern={quote(name)}"
            shown.append(tag("a", text(said), href=f"#{place}", id=place, title=name, data_t=codes([name])))
    return tag("p", joined(shown, " "), class_="patterns") if shown[1:] else NOTHING


def _pairs(kind: str, examples: KindExamples) -> list[Html]:
    """Return the switches for the frequent pairs of a mention and its antecedent."""
    if not examples.pairs:
        return []
    switches, labels = [], [tag("b", text("Most frequent pairs"))]
    for place, pair in enumerate([None, *examples.pairs]):
        value = "" if pair is None else pair_name(kind, pair.texts)
        shown = text("all") if pair is None else Html(pair_name(kind, [*map(name_of, pair.texts)]))
        number = "" if pair is None else f" ({pair.number})"
        ident, own = f"p-{kind}-{place}", f"p{place}"
        switches.append(opened(
            "input", type="radio", name=f"pair-{kind}", id=ident, class_=f"switch pair {own}", value=value,
            data_kind=kind, aria_label=f"{value or 'all'}{number}", checked=None if value else "",
            autocomplete="off",
        ))  # fmt: skip
        labels.append(tag("label", shown, text(number), for_=ident, class_=own))
    return [*switches, tag("p", joined(labels, " "), class_="switches pairs")]


def _card(  # noqa: PLR0913, PLR0917 - what cards are made of
    report: ErrorReport,
    with_text: _Listed,
    seen: _Seen,
    names: Mapping[str, Html],
    row: ListedRow,
    classes: list[str],
) -> Html:
    """Return a mention and its antecedent in their sentences, what the system did, and where it is."""
    document, mention = row["document"], spelled_out(row["mention"])
    where = name_of(document)
    if (document, row["kind"], mention) in with_text:
        where = tag("a", where, href=f"#{anchor(document, mention, error=row['kind'])}")
    who = [text(WRONG[who_of(row)])] if who_of(row) else []
    where = joined([where, names.get(document, NOTHING)])
    head = joined([where, text(_cost(row, report.annotators)), *who], " · ")
    parts = [tag("p", head, class_="pale")]
    if row["sentence"] is None:
        near = "" if row["antecedent"] is None else f" ← {spelled_out(row['antecedent'])}"
        parts.append(tag("p", name_of(f"{mention}{near}")))
    else:
        is_span = row["kind"] == "span"
        labels = {"antecedent_": "antecedent", "": "gold" if is_span else "mention", "instead_": "system"}
        for before, label in labels.items():
            if row.get(f"{before}sentence") is not None:
                parts.append(_sentence(row, before, report.said(label)))

    def called(side: str, name: str | None) -> Html:
        if name is None:
            return NOTHING
        look = seen.get((document, who_of(row) == SECOND, side, name))
        name_in_file = tag("small", text("("), name_of(name), text(")"))
        return Html(f" {name_in_file if look is None else look.chip(report.said(side))}")

    def said(words: str) -> str:
        whose = LETTERS[who_of(row) == SECOND] if who_of(row) else "the system"
        return report.said(words.replace("the system", whose))

    did = tag("p", Html(done(row, said, lambda words: name_of(shortened(words)), called)))
    own = anchor(document, mention, error=row["kind"])
    classes_of = made_by(" ".join(["card", *classes]), who_of(row))
    return tag("li", *parts, did, class_=classes_of, data_c=own, data_t=codes(row["patterns"]))


def _cost(row: ListedRow, annotators: object) -> str:
    cost = "" if annotators else f" {KINDS[row['kind']].cost}"
    return f"{counted(row['mentions_lost'], 'mention')}{cost}"


def _sentence(row: ListedRow, before: str, label: str) -> Html:
    """Return the number of a sentence, and the sentence with the mention marked, cut where it is long."""
    sentence, spans = row[f"{before}sentence"], row[f"{before}spans"]
    first, last = spans[0][0], spans[-1][1]
    start, end = max(first - _BEFORE, 0), min(last + _AFTER, len(sentence))
    if start:  # at a blank, if there is one
        start = sentence.find(" ", start, first) + 1 or start
    if end < len(sentence) and " " in sentence[last:end]:
        end = sentence.rfind(" ", last, end)
    mention = tag("mark", text(shortened(sentence[first:last]) or "∅"))
    left = text(f"{'…' * (start > 0)}{sentence[start:first]}")
    right = text(f"{sentence[last:end]}{'…' * (end < len(sentence))}")
    number = tag("small", text(f"{label}, row {row[f'{before}row']}"))
    return tag("p", number, Html(" "), tag("bdi", left, mention, right), class_="in")


MOST_MENTIONS = 25  # of an entity
_CONTEXT = 60  # characters on either side of a mention
_EXPLAINED = (
    "Those that lose most links come first. Mentions of a gold entity have the colours and numbers of the "
    "entities of the system that they are in, mentions of the system those of gold: one colour is right."
)


class ShownEntity(NamedTuple):
    """An entity that the page shows."""

    scene: Scene
    is_gold: bool
    number: int
    row: ListedRow  # of ``--list=entities``
    lost: int  # its links that are not found, or not right
    places: Sequence[int]  # of its mentions; later of those that are shown

    @property
    def name(self) -> str:
        """Its name, without what is too long for a heading."""
        return _short(self.row.get("text") or self.row["entity"] or str(self.number + 1))

    def anchor(self) -> str:
        """Return its id on the page."""
        side = {} if self.is_gold else {"side": "system"}
        return anchor(self.scene.id, entity=str(self.number + 1), **side)

    def with_places(self) -> "ShownEntity":
        """Find the mentions that are shown: those outside of its largest piece before others."""
        side, its = (self.scene.gold if self.is_gold else self.scene.system).side, [*self.places]
        pieces = Counter(side.partners[place] for place in its if side.partners[place] != LACKS)
        largest = max(pieces.values(), default=0)
        its.sort(key=lambda place: pieces[side.partners[place]] == largest)
        return self._replace(places=sorted(its[:MOST_MENTIONS]))


Entities: TypeAlias = Mapping[bool, tuple[Sequence[ShownEntity], int, int]]
"""By side (True is gold) the entities that are shown, the number of all with an error, and the links lost."""


def chosen_entities(scenes: Sequence[tuple[int, Scene]]) -> Entities:
    """Return the entities that lose most links."""
    chosen = {}
    for is_gold in (True, False):
        every = [(scene, scene.losing[not is_gold]) for _, scene in scenes]
        wrong = [ShownEntity(scene, is_gold, *one) for scene, losing in every for one in losing.shown]
        wrong.sort(key=lambda entity: (-entity.lost, -entity.row["outside"]))
        shown = [entity.with_places() for entity in wrong[:MOST_ENTITIES]]
        number = sum(losing.wrong for _, losing in every)
        chosen[is_gold] = shown, number, sum(losing.lost for _, losing in every)
    return chosen


def linked_mentions(entities: Entities) -> dict[str, tuple[set[int], set[int]]]:
    """Return by document the mentions of gold and of the system that rows of entities lead to."""
    linked: dict[str, tuple[set[int], set[int]]] = {}
    for its, _, _ in entities.values():
        for entity in its:
            linked.setdefault(entity.scene.id, (set(), set()))[not entity.is_gold].update(entity.places)
    return linked


def entities_part(report: ErrorReport, entities: Entities, seen: Mapping[tuple[str, bool], Looks]) -> Html:
    """Return the entities of gold that lose most links, and those of the system."""
    if not any(its for its, _, _ in entities.values()):
        return NOTHING
    parts = [remark(report.said(_EXPLAINED))]
    for is_gold, (its, number, total) in entities.items():
        parts.append(tag("h3", text(f"Entities of {report.said('gold' if is_gold else 'the system')}")))
        parts += [_entity(one, seen[one.scene.id, False], total) for one in its]
        if number > len(its):
            parts.append(remark(f"{number - len(its)} more, which lose less: --list=entities has all."))
    return lines(parts)


def _entity(entity: ShownEntity, seen: Looks, total: int) -> Html:
    own, there = seen if entity.is_gold else seen[::-1]
    row, look, scene = entity.row, own[entity.number], entity.scene
    kind, other = ("conflated with ", scene.system) if entity.is_gold else ("divided from ", scene.gold)
    merged = [name_of(_short(words)) for words in row.get("merged_texts", row["merged"]) if words][:3]
    share = percent(entity.lost / (total or 1), digits=1)
    found = f"in {counted(row['pieces'], f'{other.name} entity')}" if row["pieces"] else "not found"
    facts = [name_of(scene.id), text(counted(row["mentions"], "mention")), text(found)]
    if merged:
        facts.append(joined([text(of_sides(kind, scene.gold.name != "gold")), joined(merged, ", ")]))
    facts.append(text(f"{counted(entity.lost, 'link')} lost, {share} % of all lost"))
    ids = mention_anchors(scene)[not entity.is_gold]
    chip = tag("b", text(look.label), class_=f"chip {look.style}")
    heading = tag("h4", chip, Html(" "), name_of(entity.name))
    hidden = row["mentions"] - len(entity.places)
    more = remark(f"{counted(hidden, 'more mention')}.") if hidden else NOTHING
    items = [_mention(entity, place, there, ids) for place in entity.places]
    summary = tag("summary", heading, Html(" "), tag("span", joined(facts, " · ")))
    listed = tag("ol", *items, class_="context")
    return tag("details", summary, listed, more, id=entity.anchor(), class_="entity")


def _mention(entity: ShownEntity, place: int, there: Sequence[EntityLook], ids: Callable[[int], str]) -> Html:
    """Return a mention in its context, in the colour of the entity of the other side that it is in."""
    scene, shown = entity.scene, entity.scene.gold if entity.is_gold else entity.scene.system
    partner = shown.side.partners[place]
    look = None if partner == LACKS else there[partner]
    style = "alone" if look is None else look.style
    other = (scene.system if entity.is_gold else scene.gold).name
    label = tag("sup", text("−" if look is None else look.label))
    title = f"{other} lacks it" if look is None else look.title(other)
    left, words, right, row = "", shown.mentions[place], "", NOTHING
    if scene.text is not None:
        left, words, right, label_of_row = _context(scene.text, shown.spans[place])
        row = tag("a", text(label_of_row), href=f"#{ids(place)}", tabindex=-1)
    chip = tag("bdi", label, text(words), class_=f"m {style}", title=title)
    return tag("li", tag("small", row), Html(" "), tag("bdi", text(left), chip, text(right)))


def _context(document: ShownText, spans: Sequence[Span]) -> tuple[str, str, str, str]:
    """Return the words before a mention, its own, those behind it, and the number of its row."""
    first, last = spans[0][0], spans[-1][1]
    place = max(bisect_right(document.rows, first, key=itemgetter(0)) - 1, 0)
    start, end = document.rows[place]
    left, right = document.of((start, first)), document.of((last, max(end, last)))
    left = left if len(left) <= _CONTEXT else f"…{left[-_CONTEXT:]}"
    right = right if len(right) <= _CONTEXT else f"{right[:_CONTEXT]}…"
    words = _short(document.of((first, last))) or "∅"
    before, behind = document.gap(first) * bool(left), document.gap(last) * bool(right)
    return left + before, words, behind + right, document.labels[place]


def _short(words: str) -> str:
    return words if len(words) <= _CONTEXT else f"{words[: _CONTEXT - 1]}…"
