"""The errors of a document as rows of a table, each with links into the text."""

from collections.abc import Sequence

from scorch2.analysis.kinds import LOSES_RECALL
from scorch2.analysis.located import Located
from scorch2.analysis.page.entities import Look
from scorch2.analysis.page.kinds_shown import marked
from scorch2.analysis.page.markup import NOTHING, Html, joined, name_of, tag, text
from scorch2.analysis.page.scene import Scene, ShownSide
from scorch2.analysis.sides import LACKS

LONGEST = 160
"""Characters of a mention that a row shows."""
_HEAD = ("error", "mention", "linked to", "gold entity", "system entity", "mentions", "links")


def error_table(scene: Scene, looks: tuple[Sequence[Look], Sequence[Look]], number: int) -> Html:
    """Return the table of the errors of document `number`."""
    head = tag("thead", tag("tr", *(tag("th", text(name), scope="col") for name in _HEAD)))
    body = tag(
        "tbody",
        *(_row(scene, error, looks, f"{number}-{row}") for row, error in enumerate(scene.errors)),
    )
    caption = tag("caption", text(f"Errors of {scene.id}"))
    return tag("div", tag("table", caption, head, body, class_="errors sortable"), class_="box")


def _row(scene: Scene, error: Located, looks: tuple[Sequence[Look], Sequence[Look]], ident: str) -> Html:
    shown, letter = (scene.gold, "g") if error.kind in LOSES_RECALL else (scene.system, "s")
    of = f"#m{ident.partition('-')[0]}"
    linked = NOTHING
    if error.link_to != LACKS:
        linked = _mention(scene, shown, error.link_to, f"{of}{letter}")
    elif error.instead != LACKS:
        linked = joined([text("system has "), _mention(scene, scene.system, error.instead, f"{of}s")])
    kind = marked(error.kind)
    if error.moved:
        kind = joined([kind, tag("small", text(" (moved)"))])
    return tag(
        "tr",
        tag("th", kind, scope="row"),
        tag("td", _mention(scene, shown, error.mentions[0], f"{of}{letter}")),
        tag("td", linked),
        *_entities(error, looks),
        tag("td", text(str(len(error.mentions))), class_="n"),
        tag("td", text(str(error.links)), class_="n"),
        id=f"e{ident}",
        class_=error.kind,
    )


def _mention(scene: Scene, shown: ShownSide, place: int, target: str) -> Html:
    """Return the text of a mention as a link to it, or its id where there is no text."""
    if scene.text is None:
        return name_of(shown.mentions[place])
    said = scene.text.between.join(scene.text.of(span) for span in shown.spans[place]) or "∅"
    said = said if len(said) <= LONGEST else f"{said[: LONGEST - 1]}…"
    return tag("a", name_of(said), href=f"{target}{place}", title=shown.mentions[place])


def _entities(error: Located, looks: tuple[Sequence[Look], Sequence[Look]]) -> list[Html]:
    """Return the cells of both entities; for a piece with the entity that it is not in, or should not be."""
    gold, system = ([] if one == LACKS else [one] for one in (error.gold, error.system))
    if error.anchor != LACKS:
        (gold if error.kind == "conflated" else system).append(error.anchor)
    return [
        tag("td", joined((its[entity].chip() for entity in shown), ", not "))
        for its, shown in zip(looks, (gold, system), strict=True)
    ]
