"""XML as a stream of events with their lines and columns; a DOCTYPE that may hold entities is refused.

So there are no entities to expand, and nothing is fetched. The encoding is that of the
declaration or the byte order mark, else UTF-8.
"""

from collections.abc import Callable, Container, Mapping
from typing import NamedTuple, NoReturn, TypeVar
from xml.parsers import expat

from scorch2.model.errors import InputError, MarkupError, printable, quoted

_DEEPEST = 1000  # elements in each other that are kept


class XmlPlace(NamedTuple):
    """The place where an event begins."""

    line: int  # counted from 1
    column: int  # counted from 0


class Handlers:
    """Takes the events of a file, which `parse` sends; a base class for readers."""

    where: Callable[[], XmlPlace]  # returns the place of the current event; `parse` sets it

    def __init__(self, path: str) -> None:
        self.path = path

    def start(self, name: str, attributes: Mapping[str, str], /) -> None:
        """Take the start of an element."""

    def end(self, name: str, /) -> None:
        """Take the end of an element."""

    def text(self, data: str, /) -> None:
        """Take some characters between tags; a line break comes as a call of its own."""

    def error(self, kind: str, why: str) -> MarkupError:
        """Return an error about the current event."""
        return self.error_at(self.where(), kind, why)

    def error_at(self, place: XmlPlace, kind: str, why: str) -> MarkupError:
        """Return an error about an event at a place."""
        return MarkupError(self.path, place.line, kind, why)


class Elements(Handlers):
    """Takes each element at its end, when its attributes and its text are known; names lose their prefix."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.open: list[str] = []
        self._given: list[tuple[Mapping[str, str], list[str], XmlPlace]] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        """Open an element."""
        if len(self.open) == _DEEPEST:
            raise self.error("too-deep", f"more than {_DEEPEST} elements lie in each other")
        self.open.append(name.rpartition(":")[2])
        self._given.append((attributes, [], self.where()))

    def text(self, data: str) -> None:
        """Keep the text that stands directly in an element."""
        self._given[-1][1].append(data)

    def end(self, _: str) -> None:
        """Hand over an element."""
        attributes, text, place = self._given.pop()
        self.take(self.open.pop(), attributes, "".join(text), place)

    def take(self, name: str, attributes: Mapping[str, str], text: str, place: XmlPlace) -> None:
        """Take an element that ends; `open` are the elements that hold it."""


def own_id(
    ident: str, known: Container[str], refuse: Callable[[str], Exception], key: str = "id", what: str = ""
) -> str:
    """Return the id of an element that has one of its own; `what` is the kind of the element, in messages."""
    if not ident:
        raise refuse(f"a {what} has no {key}" if what else f"an element has no {key}")
    if ident in known:
        twice = f"a second {what} is called {quoted(ident)}"
        raise refuse(twice if what else f"{quoted(ident)} is the {key} of two elements")
    return ident


Taking = TypeVar("Taking", bound=Handlers)


def parse(data: bytes, handlers: Taking, *, external_doctype: bool = False) -> Taking:
    """Send the events of an XML document to handlers and return these."""
    # `external_doctype` allows a DOCTYPE that names a file
    parser, path = expat.ParserCreate(), handlers.path

    def refuse_doctype(name: str, _: str | None, __: str | None, has_declarations: bool) -> None:
        if external_doctype and not has_declarations:
            return
        why = f"a DOCTYPE ({quoted(name)}) is not accepted: it may hold entities (leave it out)"
        raise MarkupError(path, parser.CurrentLineNumber, "doctype", why)

    def refuse_entity(name: str, _: bool) -> NoReturn:  # that a DTD declares which is not read
        why = f"the entity {quoted(name)} is not declared in the file"
        raise MarkupError(path, parser.CurrentLineNumber, "malformed-xml", why)

    handlers.where = lambda: XmlPlace(parser.CurrentLineNumber, parser.CurrentColumnNumber)
    parser.SkippedEntityHandler = refuse_entity
    parser.StartDoctypeDeclHandler = refuse_doctype
    parser.StartElementHandler = handlers.start
    parser.EndElementHandler = handlers.end
    parser.CharacterDataHandler = handlers.text
    try:
        parser.Parse(data, True)  # noqa: FBT003 - it takes no names
    except expat.ExpatError as error:
        what = "the file is empty" if not data.strip() else expat.ErrorString(error.code)
        raise MarkupError(path, error.lineno, "malformed-xml", what) from None
    except InputError:
        raise
    except (LookupError, ValueError) as error:  # an encoding that Python does not know or cannot map
        raise MarkupError(path, 1, "malformed-xml", printable(str(error))) from None
    finally:  # the handlers know the parser: without this, all that it holds stays in memory
        parser.SkippedEntityHandler = None
        parser.StartDoctypeDeclHandler = parser.StartElementHandler = None
        parser.EndElementHandler = parser.CharacterDataHandler = None
    return handlers
