"""Names for readers: how a mention and an entity of a document are called, and what the text says there."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from scorch2.analysis.sides import Side
from scorch2.model.document import Document, Mention, span_names
from scorch2.model.errors import InputError


class Names(NamedTuple):
    """The names of mentions and the texts of spans."""

    spelled: Mapping[Mention, str]
    """The readable ids of token spans; empty if the mentions have names of their own."""
    units: Sequence[str] | None
    """The tokens or characters that spans count, if they are known."""
    between: str = " "
    """The text between two of them."""

    def name(self, mention: Mention) -> Any:
        """Return a mention as JSON has it: an id, or a list of integers."""
        found = self.spelled.get(mention, mention)
        return list(found) if isinstance(found, tuple) else found

    def text(self, mention: Mention) -> str:
        """Return the text of a span."""
        start, end = cast("tuple[int, int]", mention)
        return self.between.join((self.units or ())[start:end])


def spelled_out(name: Any) -> str:
    """Return an id of `Names.name` as text: integers as spans are written, ``3:5``."""
    return ":".join(map(str, name)) if isinstance(name, list) else str(name)


def names_of(document: Document, sides: Sequence[Side]) -> Names:
    """Return how the mentions of both sides are called; `document` is gold."""
    if not document.has_tokens:
        is_text = document.has_spans and document.unit == "character"
        return Names({}, document.text if is_text else None, "")
    every = list(dict.fromkeys(mention for side in sides for mention in side.mentions))
    spelled = cast("Mapping[Mention, str]", span_names(document._replace(clusters={"": every})))
    try:
        words = None if document.words is None else document.words()
    except InputError:  # columns that do not say which of them is the word
        words = None
    return Names(spelled, words)


def entity_names(document: Document, side: Side) -> list[str | None]:
    """Return the name of each entity: that of the first cluster in the file with a mention of it.

    A singleton that matching added to gold has none.
    """
    numbers = dict(zip(side.mentions, side.entities, strict=True))
    found: dict[int, str] = {}
    for name, members in document.clusters.items():
        for mention in members:
            if mention in numbers:
                found.setdefault(numbers[mention], name)
    return [found.get(entity) for entity in range(len(side.sizes))]
