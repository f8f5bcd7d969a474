"""The values of pairing: a pair of documents, and the functions that read them."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from scorch2.formats import stream
from scorch2.formats.keys import Keys
from scorch2.formats.table import row_of
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice
from scorch2.model.messages import quoted
from scorch2.model.options import Options


class Pair(NamedTuple):
    """A gold and a system document that are to be compared."""

    id: str
    gold: Document
    system: Document
    notices: tuple[Notice, ...] = ()
    file: str = ""
    """The name of its pair of files, if that is asked for."""


Item: TypeAlias = Pair | Notice | InputError
"""A pair to compare, a document that was skipped, or one that cannot be read."""


class Readers(NamedTuple):
    """Functions that read the files of either side."""

    gold: Callable[[str, str | None, Keys], Iterable[Document]] = stream
    """From a path, the name of its format, if that was given, and the keys that may hold the clusters."""
    system: Callable[[str, str | None, Sequence[Document]], Iterable[Document]] | None = None
    """The same, and the gold documents that it may answer to; None reads the system as gold."""


ALIKE = Readers()


def unanswered(ident: str, gold: Document, options: Options) -> Pair | Notice:
    """Return what becomes of a gold document that the system lacks."""
    if options.missing != "empty":
        return Notice("missing", ident, "the gold document has no system output and was skipped")
    why = "the gold document has no system output and was scored against an empty one"
    empty = Document(gold.id, {}, sentences=gold.sentences, unit=gold.unit)
    return Pair(ident, gold, empty, (Notice("missing", ident, why),))


def unasked(ident: str) -> Notice:
    """Return the warning about a system document that gold lacks."""
    return Notice("extra", ident, "the system document has no gold and was skipped")


def other_name(ident: str, gold: Document, system: Document, options: Options) -> tuple[Notice, ...]:
    """Warn of a pair that the reference scorer would not compare, where its numbers are asked for."""
    if gold.id == system.id or options.blanc != "reference":
        return ()
    if not all(row_of(document.format).for_reference_scorer for document in (gold, system)):
        return ()
    why = (
        f"the documents are called {quoted(gold.id)} and {quoted(system.id)}: they are compared as the only "
        "ones of their files, but the reference scorer takes them for two and finds nothing in common"
    )
    return (Notice("names", ident, why),)
