"""Scene, all that the page shows of one document: its text, both sides, and the errors with their places.

It is made where the document is analysed, and small, so that other processes can send it.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple, cast

from scorch2.analysis.heads import tokens
from scorch2.analysis.located import Located, located
from scorch2.analysis.names import Names, entity_names, names_of, spelled_out
from scorch2.analysis.pair import MatchedPair
from scorch2.analysis.pieces import Pieces as FoundPieces
from scorch2.analysis.request import Request
from scorch2.analysis.sides import LACKS, Side
from scorch2.model.document import Document, Mention, Span
from scorch2.model.markables import Discontinuous

WIDTH = 30
"""Tokens of a row where the sentences are not known."""
LONGEST = 150
"""Tokens of a sentence that is one row. Longer ones are cut: in some files they are the whole text."""
LINE = 200
"""Characters after which a line is cut at the next blank."""
_LINE = re.compile(r"[^\r\n]+")
_CUT = re.compile(rf"\S[^\n]{{0,{LINE - 1}}}\S*")


class Text(NamedTuple):
    """The text of a document in rows: sentences, or lines of characters."""

    units: Sequence[str]
    """Tokens, or characters as one string."""
    rows: Sequence[Span]
    """The units of each row."""
    labels: Sequence[str]
    """The number of each row: of its sentence or line from 0, and of its first token if it is cut."""
    between: str
    """The text between two units."""

    def of(self, span: Span) -> str:
        """Return the text of a span."""
        return self.between.join(self.units[slice(*span)])


class ShownSide(NamedTuple):
    """One side with the names of its entities and mentions, and where these stand in the text."""

    side: Side
    entities: Sequence[str | None]
    """The name of each entity."""
    mentions: Sequence[str]
    """The id of each mention."""
    spans: Sequence[Sequence[Span]]
    """The parts of each mention: several if it is not continuous. Empty without a text."""


class Scene(NamedTuple):
    """A document on the page."""

    id: str
    gold: ShownSide
    system: ShownSide
    errors: Sequence[Located]
    text: Text | None

    @property
    def size(self) -> int:
        """The number of tokens that the page spends on it: words of other texts, or else mentions."""
        if self.text is None:
            return len(self.gold.side.mentions) + len(self.system.side.mentions)
        units = self.text.units
        return len(units.split()) if isinstance(units, str) else len(units)


def scene_of(pair: MatchedPair, found: FoundPieces, request: Request) -> Scene:
    """Return what the page shows of a document."""
    names = names_of(pair.gold, pair.shown[:2])
    text = _text(pair.gold, names) if pair.has_spans and names.units else None
    gold, system = (
        _shown(side, document, names, text)
        for side, document in ((pair.shown.gold, pair.gold), (pair.shown.system, pair.system))
    )
    errors = [
        error for error in located(pair.shown, found) if not request.kinds or error.kind in request.kinds
    ]
    return Scene(pair.id, gold, system, errors, text)


def _shown(side: Side, document: Document, names: Names, text: Text | None) -> ShownSide:
    ids = [spelled_out(names.name(mention)) for mention in side.mentions]
    spans = [] if text is None else [list(_parts(mention, document)) for mention in side.mentions]
    return ShownSide(side, entity_names(document, side), ids, spans)


def _parts(mention: Mention, document: Document) -> Iterator[Span]:
    """Yield the runs of words of a mention; one of empty nodes alone is where it stands."""
    if not isinstance(mention, Discontinuous):
        yield cast("Span", mention)
        return
    starts = [0, *accumulate(document.sentences or ())]
    words = tokens(mention, starts)
    if not words:
        yield mention[0], mention[0]
        return
    start = words[0]
    for word, after in zip(words, [*words[1:], LACKS], strict=True):
        if after != word + 1:
            yield start, word + 1
            start = after


def _text(document: Document, names: Names) -> Text:
    """Return the text of gold in rows."""
    units = names.units or ()
    if isinstance(units, str):
        lines = [match.span() for match in _LINE.finditer(units)]
        cuts = [(cut, str(number)) for number, line in enumerate(lines) for cut in _cuts(units, line)]
    elif document.flat or not document.sentences:
        cuts = [((start, end), str(start)) for start, end in _pieces(0, len(units))]
    else:
        ends = pairwise([0, *accumulate(document.sentences)])
        cuts = [cut for number, (start, end) in enumerate(ends) for cut in _sentence(number, start, end)]
    return Text(units, [row for row, _ in cuts], [label for _, label in cuts], names.between)


def _sentence(number: int, start: int, end: int) -> list[tuple[Span, str]]:
    """Return the rows of a sentence with their labels."""
    if end - start <= LONGEST:
        return [((start, end), str(number))]
    return [(row, f"{number}.{row[0] - start}") for row in _pieces(start, end)]


def _pieces(start: int, end: int) -> list[Span]:
    return [(first, min(first + WIDTH, end)) for first in range(start, end, WIDTH)]


def _cuts(units: str, line: Span) -> list[Span]:
    """Cut a line of characters at the blanks that come after `LINE` of them."""
    return [match.span() for match in _CUT.finditer(units, *line)] or [line]
