"""Anaphora, what an annotation says about pronouns beside its chains, whatever format it came in."""

from collections.abc import Hashable, Mapping
from typing import Any, NamedTuple

_NOTHING: Mapping[Hashable, Any] = {}


class Anaphora(NamedTuple):
    """Pronouns and their antecedents on one side of a document; the chains are the document's clusters."""

    answers: Mapping[Hashable, Hashable | None] = _NOTHING
    """The antecedent of each pronoun that has a pair, in the order of the file; None if none is given."""
    pronouns: frozenset[Hashable] = frozenset()
    """What is declared to be a pronoun."""
    entities: tuple[Hashable, ...] | None = None
    """All mentions there are, where the annotation lists them: then there are no others."""
    text: str | None = None
    """The text that spans of characters are counted in, where it is known."""
    lines: Mapping[Hashable, int] = _NOTHING
    """Where the pair of a pronoun stands in the file, for messages."""

    @property
    def pronominal(self) -> frozenset[Hashable]:
        """The mentions that are pronouns: declared as such, or with a pair."""
        return self.pronouns.union(self.answers)
