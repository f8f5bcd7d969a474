"""Documents as the content of a file in any format, which is read again to be sure."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple, Protocol

from scorch2.formats import holds_spans_only, stream_of, write
from scorch2.formats.losses import Held, held, lost, together, without_pieces
from scorch2.formats.table import FORMATS, module
from scorch2.model.document import Document
from scorch2.model.errors import InputError, quoted


class _FileWriter(Protocol):
    def write_file(self, documents: Sequence[Document]) -> str: ...


class Written(NamedTuple):
    """The content of a file, and what it could not hold."""

    text: str
    lost: Mapping[str, int]
    """How many things of each kind the documents have that the file has not, see `scorch2.formats.losses`."""
    text_beside: str | None = None
    """The content of the file with the text beside it, see `scorch2.formats.table.Format.text_beside`."""


class _Wanted(NamedTuple):
    """The part of a written document that is compared: far less than the document."""

    id: str
    path: str
    gist: tuple[str, list[int]]
    held: Held


class Unchecked(NamedTuple):
    """The content of a file that was not read again yet, and what it must hold."""

    text: str
    text_beside: str | None
    format: str
    wanted: Sequence[_Wanted]


def write_file(written: Sequence[Document], format: str, *, lossy: bool = False) -> Written:
    """Return documents as the content of one file, which was read again to be sure.

    `lossy` allows it to leave out mentions that the format cannot hold.

    Raises
    ------
    InputError
        As `write`, and if the file would not be read as these documents.
    """
    return checked(unchecked(written, format, lossy=lossy))


def unchecked(written: Sequence[Document], format: str, *, lossy: bool = False) -> Unchecked:
    """Return documents as the content of one file, which `checked` reads again; as `write_file`.

    Between the two, large documents can be dropped: they need not be held beside their copies.
    """
    fitting = getattr(module(FORMATS[format].writer), "fitting", None) if lossy else None
    left: Sequence[Document] = written
    row = FORMATS[format]
    if lossy and holds_spans_only(row):
        left = [without_pieces(document) for document in left]
    left = [fitting(document) for document in left] if fitting else left
    whole: _FileWriter = module(row.writer)
    if hasattr(whole, "write_file"):
        text = whole.write_file(left)
    else:
        text = "".join(write(document, format) for document in left)
    beside = module(row.writer).plain_text(left[0]) if row.text_beside else None
    named = not row.named_by_file
    wanted = [
        _Wanted(document.id, document.path, _gist(document, named=named), held(original))
        for original, document in zip(written, left, strict=True)
    ]
    return Unchecked(text, beside, format, wanted)


def checked(file: Unchecked) -> Written:
    """Return a file if it is read as the documents that were written, with what it lacks of them.

    Raises
    ------
    InputError
        If it would be read differently.
    """
    named = not FORMATS[file.format].named_by_file
    losses = []
    for one, found in zip_longest(file.wanted, _read_again(file)):
        if one is None or found is None or one.gist != _gist(found, named=named):
            odd = one or file.wanted[-1]
            why = f"{quoted(odd.id)} cannot be written as {file.format}: it would be read differently"
            raise InputError(odd.path, "", f"{why} (is its name or a mention unusual?)")
        beside = found.text if file.text_beside is None else file.text_beside
        losses.append(lost(one.held, found._replace(text=beside)))
    return Written(file.text, together(losses), file.text_beside)


def _read_again(file: Unchecked) -> list[Document]:
    try:
        return list(stream_of(file.text.encode(), "", file.format))
    except (InputError, UnicodeEncodeError):
        return []


def _gist(document: Document, *, named: bool) -> tuple[str, list[int]]:
    """Return what every format keeps of a document: the sizes of its clusters and, if `named`, its name."""
    sizes = (len(set(members)) for members in document.clusters.values())
    return document.id if named else "", sorted(size for size in sizes if size)
