"""The documents of the page, with their texts and their errors, and the page as a whole."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import starmap
from typing import NamedTuple, TypeAlias

from scorch2.analysis.error_report import ErrorReport, Scene, ShownSide, ShownText, of_sides
from scorch2.analysis.findings import as_rank, ranking_metric
from scorch2.analysis.kinds import KINDS, LACKS, LOSES_RECALL, UNCOPIED, Count, Located, counted_errors
from scorch2.analysis.listing import first_upper, pair_name
from scorch2.analysis.second import SECOND, second_of, told_errors
from scorch2.audit.judge import verdict_table
from scorch2.model.besides import account, share_copied
from scorch2.model.errors import Notice, UsageError, counted, printable
from scorch2.model.results import verdict_summary
from scorch2.model.score import AnyScore, Measured, main_part, percent
from scorch2.reports.errors import GAINS, headline, told_gains
from scorch2.reports.page.examples import (
    Entities,
    chosen_entities,
    entities_part,
    examples_part,
    linked_mentions,
)
from scorch2.reports.page.frame import (
    NOTHING,
    TERMS,
    WRONG,
    Html,
    Section,
    anchor,
    codes,
    framed,
    html_table,
    joined,
    kind_mark,
    lines,
    made_by,
    marked_kind,
    name_inside,
    name_of,
    opened,
    plain_table,
    remark,
    tag,
    text,
    words_part,
)
from scorch2.reports.page.overview import drawn, overview_part, scores_by, scores_part, where_part
from scorch2.reports.page.texts import (
    Linked,
    Looks,
    PagePart,
    all_looks,
    error_anchor,
    in_parts,
    joined_parts,
    mention_anchors,
    text_table,
)
from scorch2.reports.rows import signature_of
from scorch2.scoring.layout.tables import Table
from scorch2.scoring.report import Report

LONGEST_MENTION = 160
_Ids: TypeAlias = tuple[Callable[[int], str], Callable[[int], str]]
_AllLooks: TypeAlias = Mapping[tuple[str, bool], Looks]
_Pairs: TypeAlias = Mapping[str, Collection[object]]  # by kind the texts of those with a switch


class _Errors:
    """The errors of a document as items of lists; mentions and entities that come again are written once."""

    def __init__(self, scene: Scene, looks: Looks, ids: _Ids, pairs: _Pairs) -> None:
        self._scene, self._pairs = scene, pairs
        sides = scene.system, scene.gold
        self._words = cache(lambda is_gold, place: _words(scene, sides[is_gold], place))
        self._mention = cache(
            lambda is_gold, place: _mention(
                scene, self._words(is_gold, place), sides[is_gold].mentions[place], ids[not is_gold](place)
            )
        )
        self._chip = cache(lambda is_gold, entity: looks[not is_gold][entity].chip(sides[is_gold].name))

    def told(self, error: Located, who: str = "") -> Html:
        """Return an error: kind, mention, what it is linked to, and the entities."""
        scene, is_gold, near = self._scene, error.kind in LOSES_RECALL, ""
        if error.link_to != LACKS:
            near = f" ← {self._mention(is_gold, error.link_to)}"
        elif error.instead != LACKS:
            near = f"; {text(scene.system.name)} has {self._mention(False, error.instead)}"  # noqa: FBT003 - a key
        many = counted(len(error.mentions), "mention") if error.mentions[1:] else ""
        more = filter(None, (many, _said(scene, error), WRONG[who] if who else ""))
        said = "; ".join(more)
        said = f"<small>{text(said)}</small>" if said else ""
        mention = self._mention(is_gold, error.mentions[0])
        pair, patterns = self._pair(error), codes(error.patterns)
        start = f'<li id="{text(error_anchor(scene, error))}" class="{made_by(f"error {error.kind}", who)}"'
        start += "" if pair is None else f' data-p="{text(pair)}"'
        start += "" if patterns is None else f' data-t="{patterns}"'
        told = f"<p>{marked_kind(error.kind, scene.gold.name != 'gold')}: {mention}{near} {said}</p>"
        return Html(f'{start}>{told}<p class="pale">{self._entities(error)}</p></li>')

    def _pair(self, error: Located) -> str | None:
        """Return the texts of the pair of mentions, if it is one that examples are filtered by."""
        pairs = self._pairs.get(error.kind)
        if not pairs or error.link_to == error.instead:  # there is no other mention
            return None
        is_gold = error.kind in LOSES_RECALL
        near = (False, error.instead) if error.link_to == LACKS else (is_gold, error.link_to)
        texts = self._words(is_gold, error.mentions[0]).lower(), self._words(*near).lower()
        return pair_name(error.kind, texts) if texts in pairs else None

    def _entities(self, error: Located) -> str:
        """Return both entities; for a piece with the entity that it is not in, or should not be."""
        gold, system = ([] if entity == LACKS else [entity] for entity in (error.gold, error.system))
        if error.anchor != LACKS:
            (system if error.kind in LOSES_RECALL else gold).append(error.anchor)
        return ", ".join(
            f"{text(side.name)} {', not '.join([self._chip(is_gold, entity) for entity in shown])}"
            for is_gold, side, shown in ((True, self._scene.gold, gold), (False, self._scene.system, system))
            if shown
        )


def _said(scene: Scene, error: Located) -> str:
    if error.moved:
        return of_sides("in the wrong entity", scene.gold.name != "gold")
    is_uncopied = error.kind in UNCOPIED and scene.uncopied.issuperset(error.mentions)
    return "not copied" if is_uncopied else ""


def _words(scene: Scene, side: ShownSide, place: int) -> str:
    if scene.text is None:
        return side.mentions[place]
    return scene.text.between.join(scene.text.of(span) for span in side.spans[place]) or "∅"


def _mention(scene: Scene, words: str, name: str, target: str) -> Html:
    """Return the text of a mention as a link to it, or its id where there is no text."""
    if scene.text is None:
        return name_of(words)
    words = words if len(words) <= LONGEST_MENTION else f"{words[: LONGEST_MENTION - 1]}…"
    return Html(f'<a href="#{text(target)}" title="{text(name)}"><bdi>{text(words)}</bdi></a>')


MOST_DOCUMENTS = 5000


class DocumentEntry(NamedTuple):
    """A document of the table."""

    measured: Measured
    scores: Mapping[str, AnyScore]
    tokens: int | None = None
    errors: Sequence[Count] = ()  # by kind; empty if they are not known
    listed: frozenset[str] | None = None  # the kinds of its errors on the page; None if it is not there

    def percent(self, name: str) -> str:
        """Return a score in percent; empty if it is 0/0."""
        return percent(main_part(self.scores[name]), "")


def documents_part(  # noqa: PLR0913, PLR0917 - the parts of the page
    report: Report,
    entries: Sequence[DocumentEntry],
    metric: str,
    left_out: int,
    figures: Html = NOTHING,
    said: Callable[[str], str] = str,
) -> Html:
    """Return the table of documents, ordered by `metric`, below its figures."""
    parts = [figures]
    if left_out:
        lacking = f"{left_out} documents with higher scores are left out. --report=json has all."
        parts.append(tag("p", text(lacking), class_="notice"))
    has_tokens = any(entry.tokens is not None for entry in entries)
    labels = ["document", *(["tokens"] if has_tokens else [])]
    labels += ["copied"] if any(entry.measured.copying for entry in entries) else []
    names = [row.name for row in report.rows]
    labels += [said("gold mentions"), said("system mentions"), *map(report.short_label, names)]
    head = [*map(text, labels)]
    for kind in KINDS if any(entry.errors for entry in entries) else ():
        label = said(KINDS[kind].label)
        head.append(tag("span", kind_mark(kind), tag("span", text(label), class_="unseen"), title=label))
    rows = [_document_row(entry, names, has_tokens=has_tokens) for entry in entries]
    caption = text(f"Documents, the lowest {report.short_label(metric)} first. Percent.")
    return joined([*parts, html_table(caption, head, rows, classes="sortable documents")])


def figures_of(report: ErrorReport) -> Html:
    """Return the figures about documents; a single one needs none."""
    if not report.report.documents[1:]:
        return NOTHING
    names = ["documents", "length"] if "lea" in report.report.scores else ["length"]
    return tag("div", *(tag("div", drawn(report, name)) for name in names), class_="beside")


def _document_row(entry: DocumentEntry, names: Sequence[str], *, has_tokens: bool) -> list[Html]:
    name, measured = name_of(entry.measured.id), entry.measured
    cells = [
        *(["" if entry.tokens is None else str(entry.tokens)] if has_tokens else []),
        *([share_copied(measured.copying).removesuffix(" %")] if measured.copying else []),
        *(str(measured.gold_mentions), str(measured.system_mentions), *map(entry.percent, names)),
    ]
    place = f"#{anchor(measured.id)}"
    row = [name if entry.listed is None else tag("a", name, href=place), *map(text, cells)]
    for kind, count in zip(KINDS, entry.errors, strict=False):
        number, is_listed = text(str(count.errors)), kind in (entry.listed or ())
        row.append(tag("a", number, href=f"{place}&kind={kind}", tabindex=-1) if is_listed else number)
    return row


MOST_ROWS = 20_000
_KEYS = (
    "Keys: n and p go to the next and previous error in open texts, Enter to its row; / to the search, Enter "
    "there to what it found; Esc clears. "
)
_CLICK = "A click on a mention shows its entity."
_ERRORS = (
    "An error is told beside its sentence: the mention ← its antecedent, and the entities of gold and of the "
    "system with their names in the files. After “not” stands the entity that the mention is divided from, "
    "or conflated with."
)
_PACKED = (
    "Texts of this page are compressed, and the script of the page opens them: this browser cannot, or runs "
    "no script. --page=plain writes them open."
)


def texts_part(
    report: ErrorReport,
    scenes: Sequence[tuple[DocumentEntry, Scene]],
    left_out: tuple[int, int],
    looks: _AllLooks,
    linked: Mapping[str, Linked],
) -> Html:
    """Return the documents of `scenes`, and how many documents and errors are left out."""
    parts = [tag("p", text(_KEYS + _CLICK), class_="pale", id="keys", hidden="")]
    if any(scene.errors for _, scene in scenes):
        parts.append(remark(report.said(_ERRORS)))
    said = _left_out(*left_out, len(scenes))
    if said:
        how = [text(said), tag("code", text("--document=<id>")), text(" chooses others.")]
        parts.append(tag("p", joined(how, " "), class_="notice"))
    every = (
        _document(report, entry, scene, looks, linked.get(scene.id, (set(), set())), is_open=len(scenes) == 1)
        for entry, scene in scenes
    )
    is_plain = report.request.page is not None and report.request.page.plain
    texts, is_packed = joined_parts(every, is_plain=is_plain)
    if is_packed:
        parts.append(tag("p", text(_PACKED), class_="notice", id="packed"))
    return joined([lines(parts), texts])  # which begin a line each


def _listed(scenes: Sequence[tuple[int, Scene]]) -> tuple[list[tuple[int, Scene]], int]:
    """Return the scenes with as many errors as the page lists, and how many it leaves out."""
    shown, room = [], MOST_ROWS
    for place, scene in scenes:
        shown.append((place, scene._replace(errors=scene.errors[:room])))
        room -= len(shown[-1][1].errors)
    return shown, sum(len(scene.errors) for _, scene in scenes) + room - MOST_ROWS


def _left_out(documents: int, rows: int, shown: int) -> str:
    said = []
    if documents:
        are = "document is" if documents == 1 else "documents are"
        said.append(
            f"{documents} of {documents + shown} {are} listed without text: "
            "the page holds those with the lowest scores (more with --text-tokens)."
        )
    if rows:
        said.append(
            f"{counted(rows, 'error')} without a mark and a row: a page has {MOST_ROWS} (all: --list=errors)."
        )
    return " ".join(said)


def _document(  # noqa: PLR0913 - keyword-only
    report: ErrorReport,
    entry: DocumentEntry,
    scene: Scene,
    looks: _AllLooks,
    linked: Linked,
    *,
    is_open: bool,
) -> Iterator[Html | PagePart]:
    second, seen = second_of(scene), looks[scene.id, False]
    of_second = looks.get((scene.id, True), ([], []))
    pairs = {kind: {pair.texts for pair in its.pairs} for kind, its in report.examples_by_kind.items()}
    by_first = by_second = _Errors(scene, seen, mention_anchors(scene), pairs)
    if second is not None:
        by_second = _Errors(second, of_second, mention_anchors(second, "second"), pairs)

    def told(_: Scene, error: Located, who: str) -> Html:
        return (by_second if who == SECOND else by_first).told(error, who)

    more = {"data_name": anchor(scene.name)} if scene.name else {}
    box = opened("details", id=anchor(scene.id), class_="document", open="" if is_open else None, **more)
    yield Html(f"\n{box}{_summary(report, entry, scene)}")
    if scene.text is not None:
        yield _account(entry.measured, scene.text)
        every = seen if second is None else (*seen, of_second[1])
        yield from text_table(scene, scene.text, every, told, linked)
    elif scene.errors:
        yield remark("The files have no text: mentions are shown by their ids.")
        yield from in_parts("ul", starmap(told, told_errors(scene)), "why")
    if not scene.errors:
        yield remark("No errors are listed.")
    yield Html("</details>")


def _account(measured: Measured, document: ShownText) -> Html:
    """Return what became of the text of a document, if it was compared, and how its words are marked."""
    if measured.copying is None:
        return NOTHING
    parts = [text(f"{account(measured.copying)}.")]
    if document.changes:
        gone, new = tag("del", text("struck out")), tag("ins", text("underlined"))
        parts += [text(" Words of gold that are changed or not copied are "), gone]
        parts += [text("; words of the copy are "), new, text(".")]
    return tag("p", *parts, class_="pale")


def _summary(report: ErrorReport, entry: DocumentEntry, scene: Scene) -> Html:
    """Return the line that is seen while a document is closed: name, scores, errors by kind."""
    names = [name for name in ("conll", "lea") if name in report.report.scores] or list(report.gains[:1])
    scores = ", ".join(f"{report.report.short_label(name)} {entry.percent(name) or '0/0'}" for name in names)
    by_kind = Counter(error.kind for error in scene.errors)
    counts = []
    for kind in filter(by_kind.get, KINDS):
        said = text(report.said(counted_errors(by_kind[kind], kind)))
        counts.append(tag("span", said, id=f"{anchor(scene.id)}&kind={kind}"))
    errors = text(f"{scores}; {counted(len(scene.errors), 'error')}{': ' if counts else ''}")
    name = joined([tag("h3", name_of(scene.id)), name_inside(scene.name)])
    return tag("summary", name, Html(" "), tag("span", errors, joined(counts, ", ")))


_HOW_TO_READ = (
    "Gold on the left, system on the right. One number is one gold entity; a system entity has the number "
    "and colour of the gold entity that it fits best, and a small letter if it fits none."
)
_WHO = (
    "A is {}, B is {}. Recall is of the mentions and links of A, precision of those of B. An error is a "
    "difference: neither is said to be right. {}"
)
_SECOND = "The system is A{}; B{} is the one that it is compared with."
_FIRST = "This part is about A, the system, where B is not named."


def page(report: ErrorReport, *first: Section) -> str:
    """Return the page of an analysis that was asked for one, with some sections before its own."""
    without_text = _without_text(report)
    scenes, cut = _listed(report.scenes)
    report = report._replace(scenes=scenes)
    kinds = {place: frozenset(error.kind for error in scene.errors) for place, scene in scenes}
    ranks = [findings.score for findings in report.page_evidence]
    order = sorted(range(len(ranks)), key=ranks.__getitem__)
    listed = dict.fromkeys([*order[:MOST_DOCUMENTS], *kinds])
    entries = {place: _entry(report, place, kinds.get(place)) for place in listed}
    shown = [(entries[place], scene) for place, scene in scenes]
    entities, seen = chosen_entities(scenes), all_looks(scenes)
    named = next(
        (f"{its.scene.id}/{its.row['entity']}" for its in entities[True][0] if its.row["entity"]), ""
    )
    lowest, left_out = [entries[place] for place in order[:MOST_DOCUMENTS]], len(order[MOST_DOCUMENTS:])
    metric, has_second = ranking_metric(list(report.report.scores)), report.compared is not None
    with_errors = [kind for kind in KINDS if has_second or report.errors[kind].errors] or [*KINDS]
    table = documents_part(report.report, lowest, metric, left_out, figures_of(report), report.said)

    def of_first(part: Html) -> Html:
        return joined([remark(_FIRST), part]) if has_second and part else part

    overview = [_gates(report.report), _most(report, entities, lowest), overview_part(report, named)]
    texts = texts_part(report, shown, (without_text, cut), seen, linked_mentions(entities))
    words = words_part(_terms(report, with_errors), with_errors, report.annotators)
    sections = [
        *first,
        Section("overview", "Overview", of_first(joined(overview))),
        Section("examples", "Examples", examples_part(report, seen)),
        Section("entities", "Entities", of_first(entities_part(report, entities, seen))),
        Section("where", "Where", of_first(where_part(report))),
        Section("documents", "Documents", of_first(table)),
        Section("texts", "Texts", texts),
        Section("words", "Words", words),
    ]
    said = report.said(_HOW_TO_READ)
    if report.annotators:
        said = _WHO.format(*map(printable, report.annotators), said)
    asked = report.request.page
    title, names = ("", ("", "")) if asked is None else (asked.title, asked.systems)
    if has_second:
        said = f"{_SECOND.format(*(f' ({printable(name)})' if name else '' for name in names))} {said}"
    has = {"annotators": bool(report.annotators), "has_second": has_second}
    made = signature_of(report.report)
    return framed(title, said, made, sections, has_texts=True, kinds=with_errors, **has)


def _terms(report: ErrorReport, kinds: Collection[str]) -> list[str]:
    """Return the terms that the page has: without shares, say, it has no word about them."""
    told, moved = told_gains(report), report.errors["divided"].moved or report.compared is not None
    has = {name: how in told for how, name in GAINS.items()}
    has |= {"point": bool(told), "in the wrong entity": bool(moved)}
    has["not"] = not {"divided", "conflated"}.isdisjoint(kinds)
    return [term for term in TERMS if has.get(term, True)]


def _most(report: ErrorReport, entities: Entities, lowest: Sequence[DocumentEntry]) -> Html:
    """Return in one sentence what costs most: the kind, the entity, the document, the pattern."""
    if not any(count.errors for count in report.errors.values()):
        return tag("p", text("No errors: all that is scored is equal on both sides."), class_="notice")
    said = [text(headline(report).rstrip("."))]
    shown, _, total = entities[True]
    if shown and shown[0].lost:
        entity = tag("a", name_of(shown[0].name), href=f"#{shown[0].anchor()}")
        lost = f"loses most links ({shown[0].lost} of {total})"
        said.append(Html(f"of {report.said('gold')} entities {entity} {lost}"))
    if lowest[1:]:
        name = ranking_metric(list(report.report.scores))
        score = text(f"{report.report.short_label(name)} {lowest[0].percent(name) or '0/0'}")
        said.append(Html(f"of documents {name_of(lowest[0].measured.id)} scores lowest ({score})"))
    most = max(report.patterns.items(), key=lambda its: its[1].errors, default=None)
    if most is not None and most[1].errors:
        said.append(Html(f"the most frequent pattern is <code>{text(most[0])}</code> ({most[1].errors})"))
    return tag("p", Html(first_upper("; ".join(filter(None, said)))), text("."), id="most")


def page_of_annotators(report: ErrorReport, agreement: Table, caption: str) -> str:
    """Return the page of the differences of two annotators, with a table of how far they agree."""
    shown = joined([plain_table("Agreement of both annotators", agreement), remark(caption)])
    return page(report, Section("agreement", "Agreement", shown))


def omissions_of_errors(report: ErrorReport) -> list[Notice]:
    """Return a warning if the page leaves something out, with the way to get it."""
    texts, errors = _without_text(report), sum(len(scene.errors) for _, scene in report.scenes) - MOST_ROWS
    rows = len(report.page_evidence) - MOST_DOCUMENTS
    parts = (
        [f"the text of {counted(texts, 'document')} (more with --text-tokens)"] * (texts > 0)
        + [f"the rows of {counted(errors, 'error')} (all: --list=errors)"] * (errors > 0)
        + [f"{counted(rows, 'document')} of the table (all: --report=json)"] * (rows > 0)
    )
    return [Notice("page", "", f"the page leaves out {', '.join(parts)}")] if parts else []


def page_of(found: ErrorReport, report: Report) -> str:
    """Return the page of an analysis with a report of scores in place of its own."""
    return page(found._replace(report=report._replace(settings=found.report.settings)))


def errors_html(report: ErrorReport) -> str:
    """Return the page of an analysis, which must have been asked for one."""
    if report.request.page is None:
        raise UsageError("the page needs texts: count errors with title=, the title of the page")
    return page(report)


def scores_html(report: Report, _: Sequence[Measured]) -> str:
    """Return the page that a report of scores came with, or one of its scores and documents alone."""
    if report.page is not None:
        return report.page(report)
    name = ranking_metric(list(report.scores))
    scored = [DocumentEntry(document, report.document_scores(document)) for document in report.listed()]
    scored.sort(key=lambda entry: as_rank(entry.scores[name]))
    classes = [table for dimension in report.breakdown for table in scores_by(dimension, report)]
    documents = documents_part(report, scored[:MOST_DOCUMENTS], name, len(scored[MOST_DOCUMENTS:]))
    sections = [
        Section("overview", "Overview", joined([_gates(report), scores_part(report)])),
        Section("where", "Where", joined(classes)),
        Section("documents", "Documents", documents),
    ]
    said = "Scores of the corpus and of its documents."
    return framed("scorch2", said, signature_of(report), sections, has_texts=False)


def _without_text(report: ErrorReport) -> int:
    """Return how many of the documents that were asked for have no text on the page."""
    return len(report.request.documents or report.page_evidence) - len(report.scenes)


def _entry(report: ErrorReport, place: int, listed: frozenset[str] | None) -> DocumentEntry:
    document, findings = report.report.documents[place], report.evidence[place]
    scores = report.report.document_scores(document)
    return DocumentEntry(document, scores, findings.tokens, findings.counts, listed)


def _gates(report: Report) -> Html:
    if not report.gates:
        return NOTHING
    table = plain_table(verdict_summary(report.gates), verdict_table(report.gates))
    return joined([tag("h3", text("Gates")), table])
