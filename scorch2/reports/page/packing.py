"""Parts of the page that are packed where it is large: the browser itself opens them when they are wanted."""

from base64 import b64encode
from collections.abc import Iterable, Iterator
from typing import NamedTuple
from zlib import compress

from scorch2.model.errors import counted
from scorch2.reports.page.frame import Html, tag, text

ROOM = 2_000_000
"""Characters of markup of all texts; where there are more, all but the first are packed."""
FIRST = 1_000_000  # of the first text, whose parts stay open until there are as many
SIZE = 200_000  # of a part
_LEVEL = 4  # of zlib: 6 takes twice the time for a sixth less, 3 a quarter less for a sixteenth more
_INSIDE = {"tbody": "tr", "ul": "li"}


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
        inside = [said, tag("script", Html(content), type="text/plain")]
        if self.element == "tbody":
            inside = [tag("td", *inside)]
        classes = " ".join(filter(None, (self.classes, "packed")))
        shown = tag(_INSIDE[self.element], *inside)
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
