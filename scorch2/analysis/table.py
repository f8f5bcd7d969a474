"""The table of dimensions, and the classes of mentions that several of them have."""

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

TYPES = ("name", "nominal", "pronoun", "other")
FIRST = "first"
"""The class of mentions without one before them in their entity, where a class is about the two."""
NAMED = ("with a name", "without a name")
NO_PRONOUN = "no pronoun"
NESTED = ("alone", "inside another", "around another", "both")
_AGREEMENT = (FIRST, "agree", "differ", "unknown")
COUNTED = ("pattern", "place")
"""What errors, and no scores, are counted by: for ``--by`` in `scorch2 errors`."""
NO_CATEGORY = "none"
"""The class of mentions of which nothing says what they stand for."""


class Dimension(NamedTuple):
    """A way to put mentions into classes."""

    classes: str
    """The function of `breakdown` which returns the class of each mention, or a number."""
    needs: str = ""  # what a document must have: a key of `NEEDS` there
    fixed: tuple[str, ...] = ()
    """The classes as they are listed; in the order of the alphabet if there is no `order`."""
    ranges: tuple[int, ...] = ()  # the first number of each class
    figure: str = "statuses"
    """What ``--plot`` draws: ``statuses`` or ``shares`` of links, or ``lengths`` of documents."""
    what: str = ""  # what the numbers are, in the title of a figure
    heading: str = ""  # the heading on the page; empty if the page does not show it
    pairs: bool = False
    """Whether rows count the links of all pairs, too: in the class that most mentions of an entity have."""

    @property
    def order(self) -> tuple[str, ...]:
        """The classes in their order, ranges with labels such as ``3–5``."""  # noqa: RUF002 - as it is printed
        ends = [
            str(start) if start + 1 == after else f"{start}\u2013{after - 1}"
            for start, after in pairwise(self.ranges)
        ]
        return (*self.fixed, *ends, *(f"{start}+" for start in self.ranges[-1:]))


DIMENSIONS: Mapping[str, Dimension] = {
    "type": Dimension("types", "types", TYPES, what="type of mention", heading="By the type of mention"),
    "antecedent": Dimension(
        "antecedents", "types", (FIRST, *(f"{own} ← {other}" for own in TYPES for other in TYPES))
    ),
    "size": Dimension(
        *("sizes", "", (), (1, 2, 3, 6, 11, 21, 51, 101)),
        what="entity size",
        heading="By the number of mentions of the entity",
    ),
    "bands": Dimension("sizes", "", (), (1, 2, 6, 21, 101), what="entity size"),
    "width": Dimension("widths", "spans", (), (1, 2, 3, 6, 11), what="tokens of the mention"),
    "distance": Dimension(
        *("distances", "tokens", (FIRST,), (0, 10, 20, 50, 100, 200, 500, 1000, 5000)),
        *("shares", "tokens back to the mention before"),
    ),
    "sentences": Dimension(
        *("sentences", "sentences", (FIRST,), (0, 1, 2, 3, 6, 11, 21, 51)),
        *("shares", "sentences back to the mention before"),
        "By the sentences back to the mention before in the entity",
    ),
    "mentions": Dimension(
        *("mentions", "", (FIRST,), (0, 1, 2, 3, 6, 11, 21, 51, 101), "shares", "mentions in between"),
        "By the mentions back to the mention before in the entity",
    ),
    "text": Dimension(
        *("texts", "words", (FIRST, "same", "overlap", "different")),
        heading="By the text: was there an earlier mention of the entity with the same words?",
    ),
    "named": Dimension("named", "types", NAMED),
    "form": Dimension("forms", "types"),
    "definite": Dimension(
        *("definiteness", "types"),
        ("name", "pronoun", "definite", "demonstrative", "possessive", "indefinite", "bare"),
    ),
    "nested": Dimension("nestings", "spans", NESTED),
    "cataphora": Dimension("cataphora", "types", ("before", "after", "pronouns only", NO_PRONOUN)),
    "position": Dimension("positions", "", (FIRST, "between", "last", "only")),
    "head": Dimension("heads", "types", (FIRST, "same", "other", "pronoun")),
    "number": Dimension("numbers", "types", _AGREEMENT),
    "gender": Dimension("genders", "types", _AGREEMENT),
    "function": Dimension("functions", "trees"),
    "category": Dimension("categories", "categories", pairs=True, heading="By category"),
    "genre": Dimension("genres"),
    "length": Dimension("lengths", "tokens", (), (0, 500, 1000, 2000, 5000, 10000, 50000), "lengths"),
}
