"""The texts of the page: one part per document that opens, with its sentences and its errors."""

from collections import Counter
from collections.abc import Sequence

from scorch2.analysis.kinds import KINDS
from scorch2.analysis.page.documents import Entry
from scorch2.analysis.page.entities import looks
from scorch2.analysis.page.markup import Html, joined, lines, name_of, tag, text
from scorch2.analysis.page.rows import error_table
from scorch2.analysis.page.scene import Scene
from scorch2.analysis.page.texts import text_table
from scorch2.analysis.report import ErrorReport, short_label
from scorch2.model.errors import counted

MOST_ROWS = 20_000
"""The most errors of the page that have a row."""
_SINGULARS = {**KINDS, "conflated": "conflated entity"}
_PLURALS = {kind: f"{name}s".replace("entitys", "entities") for kind, name in _SINGULARS.items()}
_KEYS = (
    "Keys: n and p go to the next and previous error in open texts, Enter to its row; / to the search, Enter "
    "there to what it found; Esc clears. "
)
_CLICK = "A click on a mention shows its entity."


def details(report: ErrorReport, scenes: Sequence[tuple[Entry, Scene]], left_out: int) -> Html:
    """Return the documents of `scenes`, which have the numbers of their entries, and what is left out."""
    parts = [tag("p", text(_KEYS + _CLICK), class_="pale", id="keys", hidden="")]
    shown, cut, room = [], 0, MOST_ROWS
    for entry, scene in scenes:
        listed = scene._replace(errors=scene.errors[:room])
        room -= len(listed.errors)
        cut += len(scene.errors) - len(listed.errors)
        shown.append(_document(report, entry, listed, is_open=len(scenes) == 1))
    said = _left_out(left_out, len(scenes), cut)
    if said:
        parts.append(
            tag(
                "p",
                joined([text(said), tag("code", text("--document=<id>")), text(" chooses others.")], " "),
                class_="notice",
            )
        )
    return lines([*parts, *shown])


def _left_out(documents: int, shown: int, rows: int) -> str:
    """Say what the page left out."""
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


def _document(report: ErrorReport, entry: Entry, scene: Scene, *, is_open: bool) -> Html:
    number = entry.number or 0
    seen = looks(scene)
    body = [] if scene.text is None else [text_table(scene, scene.text, seen, number)]
    if scene.text is None:
        body.append(tag("p", text("The files have no text: mentions are shown by their ids."), class_="pale"))
    if scene.errors:
        body.append(error_table(scene, seen, number))
    else:
        body.append(tag("p", text("No errors are listed."), class_="pale"))
    return tag(
        "details", _summary(report, entry, scene), *body, id=f"d{number}", open="" if is_open else None
    )


def _summary(report: ErrorReport, entry: Entry, scene: Scene) -> Html:
    """Return the line that is seen while a document is closed: name, scores, errors by kind."""
    names = [name for name in ("conll", "lea") if name in report.report.scores] or list(report.gains[:1])
    scores = ", ".join(f"{short_label(report.report, name)} {entry.percent(name) or '0/0'}" for name in names)
    by_kind = Counter(error.kind for error in scene.errors)
    kinds = ", ".join(
        f"{by_kind[kind]} {(_SINGULARS if by_kind[kind] == 1 else _PLURALS)[kind]}"
        for kind in KINDS
        if by_kind[kind]
    )
    errors = f"{counted(len(scene.errors), 'error')}{': ' if kinds else ''}{kinds}"
    return tag("summary", tag("h3", name_of(scene.id)), Html(" "), tag("span", text(f"{scores}; {errors}")))
