"""Anaphora: the pronouns of a document and their antecedents, in any format."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

_NOTHING: Mapping[Hashable, Any] = {}


class Anaphora(NamedTuple):
    """Pronouns and their antecedents on one side of a document; the chains are the document's clusters."""

    answers: Mapping[Hashable, Hashable | None] = _NOTHING
    """The antecedent of each pronoun that has a pair, in the order of the file; None if none is given."""
    pronouns: frozenset[Hashable] = frozenset()
    """The mentions that the annotation declares to be pronouns."""
    entities: tuple[Hashable, ...] | None = None
    """All mentions, if the annotation lists them; no others may occur then."""
    text: str | None = None
    """The text to which spans of characters refer, if it is known."""
    lines: Mapping[Hashable, int] = _NOTHING
    """The line of each pronoun's pair in the file, for messages."""

    @property
    def pronominal(self) -> frozenset[Hashable]:
        """The mentions that are pronouns: declared as such, or with a pair."""
        return self.pronouns.union(self.answers)
