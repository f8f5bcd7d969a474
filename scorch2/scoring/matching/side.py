"""A document of one side while it is made comparable: its mentions as they compare, and as they were read."""

from collections.abc import Mapping
from typing import NamedTuple

from scorch2.model.document import Document, Mention
from scorch2.model.markables import Markable


class Side(NamedTuple):
    """A document whose mentions compare by equality."""

    document: Document
    written: Document
    """The same with its mentions as they were read, each in its place."""
    markable_of: Mapping[Mention, Markable] = {}
    """All that its format says about each mention; empty if no option looks at more than the words."""
