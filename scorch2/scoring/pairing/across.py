"""A folder against a file: the documents of all files of the folder pair by the names inside.

A document without a name inside is called by the path of its file below the folder.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from scorch2.formats.keys import Keys
from scorch2.formats.source import stem
from scorch2.model.document import Document
from scorch2.model.errors import InputError, PairingError
from scorch2.model.messages import quoted, shown_path
from scorch2.model.options import Options
from scorch2.scoring.files import Side
from scorch2.scoring.pairing.by_name import in_order
from scorch2.scoring.pairing.keys import key
from scorch2.scoring.pairing.pair import Item, Pair, Readers, unanswered, unasked
from scorch2.scoring.pairing.plan import Plan
from scorch2.scoring.pairing.unpaired import account

Reader: TypeAlias = Callable[[str, str | None, Keys], Iterable[Document]]
"""From a path, the name of its format and the keys of clusters to its documents."""


class Inside(NamedTuple):
    """A document of one of the files of a side."""

    document: Document
    """Its id is the name inside or, for a document called like its file, the path below the folder."""
    also: str = ""
    """The name of a document called like its file: perhaps it says so inside."""

    def known_as(self, names: Container[str]) -> Document:
        """Return the document under the one of both names that is among `names`, or else the path."""
        document, also = self
        chosen = also if also and also in names and document.id not in names else document.id
        return document._replace(id=chosen)


def across(chosen: Plan, options: Options, readers: Readers) -> Iterator[Item]:
    """Pair the documents of a folder with those of a file, in the order of gold; the system is held.

    Yields and raises what `pairing.pairs` does; what cannot be read comes last, instead of a PairingError.
    """
    broken: list[InputError] = []
    golds, read = _side(chosen.gold, readers.gold, broken), readers.gold
    if readers.system is not None:
        held, of_system = list(golds), readers.system
        known = [one.document for one in held]
        golds, read = iter(held), lambda path, form, _: of_system(path, form, known)
    systems = list(_side(chosen.system, read, broken))
    try:
        if options.pair == "order":
            yield from in_order(_documents(golds), _documents(systems), "")
        else:
            between = f"{shown_path(chosen.gold.path)} against {shown_path(chosen.system.path)}: "
            yield from _by_name(golds, systems, options, between)
    except PairingError:
        if not broken:
            raise
    yield from broken


def inside(called: str, documents: Iterable[Document]) -> Iterator[Inside]:
    """Yield the documents of a file in a folder, which is `called` by its path below the folder."""
    for document in documents:
        if document.id == stem(document.path) != called:
            yield Inside(document._replace(id=called), document.id)
        else:
            yield Inside(document)


def _side(side: Side, read: Reader, broken: list[InputError]) -> Iterator[Inside]:
    """Yield the documents of all files of a side; an error of one goes to `broken`, and the next is tried."""
    for called, path in side.files.items():
        try:
            found = read(path, side.format, side.keys)
            yield from inside(called, found) if side.is_folder else map(Inside, found)
        except InputError as error:
            broken.append(error)


def _documents(found: Iterable[Inside]) -> Iterator[Document]:
    return (one.document for one in found)


def _by_name(
    golds: Iterable[Inside], systems: Sequence[Inside], options: Options, between: str
) -> Iterator[Item]:
    """Pair documents by their names; one name for two documents of a side is an error."""
    answers = Answers(systems, options.pair)
    seen: dict[str, Document] = {}
    errors = []
    for gold in golds:
        document = gold.document
        try:
            answer = answers.to(gold)
            if seen.setdefault(document.id, document) is not document:
                raise _twice(seen[document.id], document)
        except InputError as error:
            errors.append(error)
            continue
        if answer is not None:
            yield Pair(document.id, document, answer)
        elif options.missing != "error":
            yield unanswered(document.id, document, options)
    if errors:
        yield from errors
        return
    yield from account(seen, answers.names(), options, "document", between=between)
    for ident in answers.extra():
        yield unasked(ident)


class Answers:
    """The documents of the system, by the names that they answer to."""

    def __init__(self, systems: Sequence[Inside], rule: str) -> None:
        self._systems = systems
        self._rule = rule
        self._named: dict[str, list[int]] = {}
        self._keyed: dict[str, list[int]] = {}
        self._answered: dict[int, Document] = {}
        for number, (document, also) in enumerate(systems):
            for name in (document.id, also) if also else (document.id,):
                self._named.setdefault(name, []).append(number)
                self._keyed.setdefault(key(name, rule), []).append(number)

    def to(self, gold: Inside) -> Document | None:
        """Return the document that answers to a gold document, if there is one.

        Raises
        ------
        InputError
            If two documents of a side have the name.
        """
        names = (gold.document.id, gold.also) if gold.also else (gold.document.id,)
        found = [self._named.get(name) for name in names] if self._rule == "name" else []
        found += [self._keyed.get(key(name, self._rule)) for name in names]
        numbers = next((dict.fromkeys(one) for one in found if one), {})
        if not numbers:
            return None
        first, *others = numbers
        if others:
            raise _twice(self._systems[first].document, self._systems[others[0]].document)
        if first in self._answered:
            raise _twice(self._answered[first], gold.document)
        self._answered[first] = gold.document
        return self._systems[first].document

    def names(self) -> Iterator[str]:
        """Yield the name of each document; one that answered has the name of the gold document."""
        for number, (document, _) in enumerate(self._systems):
            yield self._answered.get(number, document).id

    def extra(self) -> Iterator[str]:
        """Yield the names of documents that no gold document asked for."""
        return (one.document.id for i, one in enumerate(self._systems) if i not in self._answered)


def _twice(one: Document, other: Document) -> InputError:
    """Return the error about two documents of a side that are called alike."""
    if one.id == other.id:
        return InputError(other.path, "", f"the document {quoted(one.id)} is in {shown_path(one.path)}, too")
    both = f"{quoted(one.id)} of {shown_path(one.path)} and {quoted(other.id)}"
    return InputError(other.path, "", f"the documents {both} answer to the same document")
