"""Reads again what was written for a document, to be sure that it says the same."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from scorch2.model.document import Document
from scorch2.model.errors import InputError, quoted

Read: TypeAlias = Callable[[bytes, str, str], Iterator[Document]]
"""A reader of a format, from bytes, stem and path."""


def refused(document: Document, what: str, why: str) -> InputError:
    """Return the error about a document that `what` cannot hold."""
    return InputError(document.path, "", f"{quoted(document.id)} cannot be written as {what}: {why}")


def read_again(text: str, lines: Iterable[str], document: Document, read: Read, what: str) -> Document:
    """Return the document that is read from the `text` that was written for one, to be compared with it.

    Raises
    ------
    InputError
        If there is none, or one of another name: a name or a word broke the `lines`.
    """
    if any("\n" in line or "\0" in line or line.endswith("\r") for line in lines):
        broken = "its name or a word would break the lines (a line break or a tab in it, say)"
        raise refused(document, what, broken)
    try:
        data = text.encode("utf-8", "surrogatepass")
        (found,) = read(data, "\0", document.path)  # no document is called like that
    except InputError as error:
        raise refused(document, what, f"it could not be read ({error.why})") from None
    if found.id != document.id:
        raise refused(document, what, "its name would be read in another way (is it empty?)")
    return found
