"""Documents that cannot be read, for ``--invalid=skip``: they pair by their names and are then left out."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any

from scorch2.formats.chunks import Chunk, borders
from scorch2.formats.rows.conll import BEGIN, document_name
from scorch2.formats.source import is_kept, read_range, size, stem
from scorch2.formats.table import ClusterKeys
from scorch2.model.document import Document
from scorch2.model.errors import InputError, without_frames
from scorch2.scoring.pairing.files import Item, Pair, Readers, invalid_notice

_NEWDOC = re.compile(r"#\s*newdoc\s+id\s*=\s*(.*)")
_NAMED = re.compile(r'"(?:doc_key|doc_id|document_id|id|name)"\s*:\s*("(?:[^"\\]|\\.)*")')
_LINE = re.compile(r"line (\d+)")


def tolerant(readers: Readers, *, hashed: bool = False) -> Readers:
    """Return readers that give a document that cannot be read as its name, with the reason."""
    of_system = readers.system and partial(_read, readers.system, None)
    if hashed:
        from scorch2.formats.hashes import read_chunk
    else:
        from scorch2.formats.chunks import read_chunk
    parts = partial(_parts, read_chunk) if readers.system is None else None
    return Readers(partial(_read, readers.gold, parts), of_system)


def _read(
    read: Callable[..., Iterable[Document]], parts: Any, path: str, form: str | None, other: Any
) -> list[Document]:
    """Return the documents of a file; if it cannot be read as a whole, one by one, as `parts` finds them."""
    # `other` is what the reader takes besides: keys of clusters, or gold documents
    try:
        return list(read(path, form, other))
    except InputError as error:
        refused = without_frames(error)
        found: list[Document] = list(parts(path, form, other)) if parts else []
        names = {document.id for document in found}
        are_told_apart = len(names) == len(found) and any(document.refused for document in found)
        return found if are_told_apart else [Document(stem(path), {}, path, refused=refused)]


def _parts(
    read_part: Callable[[Chunk], list[Document]], path: str, form: str | None, keys: ClusterKeys
) -> Iterator[Document]:
    """Yield the documents of a file that can be cut into such; a broken one is only a name."""
    try:
        cut = None if is_kept(path) or not size(path) else borders(path, form)
    except InputError:
        return
    line = 0
    if cut is None:
        return
    for number, (start, stop) in enumerate(pairwise(cut.places), 1):
        chunk = Chunk(path, cut.format, start, stop, number, number, form, keys, cut.carried)
        data = read_range(path, start, stop)
        try:
            yield from read_part(chunk)
        except InputError as error:
            before = line - (bool(chunk.carried) and number > 1)
            name = _name(data.decode("utf-8", "replace"), path) or str(number)
            yield Document(name, {}, path, refused=_moved(error, before))
        line += data.count(b"\n")


def _moved(error: InputError, lines: int) -> InputError:
    """Return an error with the numbers of lines that they have in the whole file."""
    where = _LINE.sub(lambda found: f"line {int(found[1]) + lines}", error.where)
    return InputError(error.path, where, error.why)


def _name(text: str, path: str) -> str:
    """Return the name of a document in its first line, or in an object; nothing if it has none."""
    first = text.partition("\n")[0]
    if begin := BEGIN.match(first):
        return document_name(begin[1], stem(path))
    if begin := _NEWDOC.match(first):
        return begin[1].strip()
    named = _NAMED.search(text)
    try:
        return str(json.loads(named[1])) if named else ""
    except ValueError:
        return ""


def left_out(items: Iterable[Item]) -> Iterator[Item]:
    """Yield the items, and a notice for each pair of which a document cannot be read."""
    for item in items:
        if isinstance(item, Pair) and (refused := item.gold.refused or item.system.refused):
            yield invalid_notice(item.id, refused)
        else:
            yield item
