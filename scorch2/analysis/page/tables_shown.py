"""Tables of the page: with a caption, heads that say what they are of, and numbers aligned right."""

from collections.abc import Sequence

from scorch2.analysis.page.markup import Html, tag, text
from scorch2.model.tables import Table


def table(
    caption: Html, head: Sequence[Html], rows: Sequence[Sequence[Html]], *, words: int = 1, classes: str = ""
) -> Html:
    """Return a table in a box that scrolls; the first cell of a row is its head.

    The first `words` columns hold words, the others numbers.
    """
    heads = [tag("th", cell, scope="col", class_=_numeric(i, words)) for i, cell in enumerate(head)]
    body = [
        tag(
            "tr",
            tag("th", row[0], scope="row"),
            *(tag("td", cell, class_=_numeric(i, words)) for i, cell in enumerate(row[1:], 1)),
        )
        for row in rows
    ]
    return boxed(
        tag(
            "table",
            tag("caption", caption),
            tag("thead", tag("tr", *heads)),
            tag("tbody", *body),
            class_=classes or None,
        )
    )


def boxed(content: Html) -> Html:
    """Return a wide table in a box that scrolls sideways, so that the page does not."""
    return tag("div", content, class_="box")


def plain(caption: str, found: Table, classes: str = "") -> Html:
    """Return a table of text cells."""
    rows = [[text(cell) for cell in row] for row in found.rows]
    return table(text(caption), [text(cell) for cell in found.head], rows, classes=classes)


def remark(words: str) -> Html:
    """Return a paragraph that explains the table beside it."""
    return tag("p", text(words), class_="pale")


def _numeric(column: int, words: int) -> str | None:
    return "n" if column >= words else None
