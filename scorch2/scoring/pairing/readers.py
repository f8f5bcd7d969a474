"""Readers that do more than to read a file: what cannot be read is left out, and windows are joined.

For ``--invalid=skip`` a broken document pairs by its name and is then left out. For ``--join-windows`` the
documents of a system that are windows of a text are one document.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

from scorch2.formats.chunks import Chunk, borders, read_chunk, read_hashed_chunk
from scorch2.formats.rows.conll import BEGIN, document_name
from scorch2.formats.source import is_kept, read_range, size, stem
from scorch2.formats.table import SYSTEM_KEYS, ClusterKeys
from scorch2.model.document import Document, Mention, Words, spans
from scorch2.model.errors import InputError, without_frames
from scorch2.model.options import Options
from scorch2.scoring.pairing.files import Item, Pair, Readers, SideFiles, invalid_notice, keys_of

_NEWDOC = re.compile(r"#\s*newdoc\s+id\s*=\s*(.*)")
_NAMED = re.compile(r'"(?:doc_key|doc_id|document_id|id|name)"\s*:\s*("(?:[^"\\]|\\.)*")')
_LINE = re.compile(r"line (\d+)")


def tolerant(readers: Readers, *, hashed: bool = False) -> Readers:
    """Return readers that give a document that cannot be read as its name, with the reason."""
    of_system = readers.system and partial(_read, readers.system, None)
    parts = partial(_parts, read_hashed_chunk if hashed else read_chunk) if readers.system is None else None
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


def files_by_document(side: SideFiles, pattern: str) -> SideFiles:
    """Return the files of a folder with those as one whose names lead to one name, in their order."""
    files: dict[str, list[str]] = {}
    for ident in sorted(side.files, key=_by_numbers):
        files.setdefault(_name_of_windows(ident, re.compile(pattern)), []).append(side.files[ident])
    firsts = {name: files[name][0] for name in sorted(files)}
    return side._replace(files=firsts, windows={first: rest for first, *rest in files.values() if rest})


def joining(readers: Readers, options: Options, windows: Mapping[str, Sequence[str]]) -> Readers:
    """Return readers that join the documents of the system whose names lead to one name."""
    # `windows` has the files that belong to another one, by its path
    pattern, keys = re.compile(options.join_windows), keys_of(options.sys_key, SYSTEM_KEYS)

    def of_file(path: str, form: str | None, golds: Sequence[Document]) -> Iterable[Document]:
        return readers.gold(path, form, keys) if readers.system is None else readers.system(path, form, golds)

    def of_system(path: str, form: str | None, golds: Sequence[Document]) -> Iterator[Document]:
        read = of_file(path, form, golds)
        if path in windows:
            read = _of_files([read, *(of_file(other, form, golds) for other in windows[path])])
        return joined(read, pattern)

    return Readers(readers.gold, of_system)


def _of_files(files: Iterable[Iterable[Document]]) -> Iterator[Document]:
    """Yield the documents of files; the only one of a file is called like it."""
    for documents in files:
        every = list(documents)
        yield from every if len(every) > 1 else (one._replace(id=stem(one.path)) for one in every)


def joined(documents: Iterable[Document], pattern: re.Pattern[str]) -> Iterator[Document]:
    """Yield documents, as one those of which the first group of a pattern finds the same name."""
    windows: dict[str, list[Document]] = {}
    for document in documents:
        windows.setdefault(_name_of_windows(document.id, pattern), []).append(document)
    for name, every in windows.items():
        in_order = sorted(every, key=lambda window: _by_numbers(window.id))
        yield every[0]._replace(id=name) if len(every) == 1 else windows_as_one(name, in_order)


def _name_of_windows(ident: str, pattern: re.Pattern[str]) -> str:
    """Return the name of the document that a window, by its name, is a part of."""
    found = pattern.search(ident)
    return (found and found[1]) or ident


def _by_numbers(name: str) -> list[str | int]:
    """Return a key that puts window 10 behind window 9."""
    return [int(part) if i % 2 else part for i, part in enumerate(re.split("([0-9]+)", name))]


def windows_as_one(name: str, windows: Iterable[Document]) -> Document:
    """Return the windows of a document as one, which only ``--align=text`` can take apart."""
    from hashlib import sha256

    every = list(windows)
    words: list[str] = []
    clusters: dict[str, list[Mention]] = {}
    for number, window in enumerate(every, 1):
        for cluster, members in window.clusters.items():
            moved = [(start + len(words), end + len(words)) for start, end in spans(members)]
            clusters[f"{number}:{cluster}"] = [*moved]
        words += window.words() if window.words is not None else []
    return Document(
        name, clusters, every[0].path, [len(words)], every[0].format, words=Words(list, words), flat=True,
        numbered=every[0].numbered, against=_read_again if any(one.against for one in every) else None,
        notes=[note for window in every for note in window.notes], windows=tuple(every),
        repairs=[error for window in every for error in window.repairs],
        sha256=sha256(b"".join(window.sha256 for window in every)).digest() if every[0].sha256 else b"",
    )  # fmt: skip


def _read_again(document: Document, words: Sequence[str]) -> Document:
    """Return a document of windows, each read as a copy of some words if it is a text with marks."""
    windows = [one if one.against is None else one.against(one, words) for one in document.windows]
    return windows_as_one(document.id, windows)
