"""Documents of a system that are windows of a text, as one document: for ``--join-windows``."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scorch2.formats.source import stem
from scorch2.formats.table import system_keys
from scorch2.model.document import Document, Mention, Words, spans
from scorch2.model.options import Options
from scorch2.scoring.pairing.files import Readers, SideFiles


def files_by_document(side: SideFiles, pattern: str) -> SideFiles:
    """Return the files of a folder with those as one whose names lead to one name, in their order."""
    files: dict[str, list[str]] = {}
    for ident in sorted(side.files, key=_by_numbers):
        files.setdefault(_name(ident, re.compile(pattern)), []).append(side.files[ident])
    firsts = {name: files[name][0] for name in sorted(files)}
    return side._replace(files=firsts, windows={first: rest for first, *rest in files.values() if rest})


def joining(readers: Readers, options: Options, windows: Mapping[str, Sequence[str]]) -> Readers:
    """Return readers that join the documents of the system whose names lead to one name.

    `windows` has the files that belong to another one, by its path.
    """
    pattern, keys = re.compile(options.join_windows), system_keys(options.sys_key)

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
        windows.setdefault(_name(document.id, pattern), []).append(document)
    for name, every in windows.items():
        in_order = sorted(every, key=lambda window: _by_numbers(window.id))
        yield every[0]._replace(id=name) if len(every) == 1 else windows_as_one(name, in_order)


def _name(ident: str, pattern: re.Pattern[str]) -> str:
    """Return the name of the document that a window, by its name, is a part of."""
    found = pattern.search(ident)
    return (found and found[1]) or ident


def _by_numbers(name: str) -> list[str | int]:
    """Return a key that puts window 10 behind window 9."""
    return [int(part) if i % 2 else part for i, part in enumerate(re.split("([0-9]+)", name))]


def windows_as_one(name: str, windows: Iterable[Document]) -> Document:
    """Return the windows of a document as one, which only ``--align=text`` can take apart."""
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
        numbered=every[0].numbered,
        notes=[note for window in every for note in window.notes], windows=tuple(every),
        repairs=[error for window in every for error in window.repairs],
        sha256=_hash_of(window.sha256 for window in every) if every[0].sha256 else b"",
    )  # fmt: skip


def _hash_of(windows: Iterable[bytes]) -> bytes:
    """Return the SHA-256 of those of the windows of a document, one after the other."""
    from hashlib import sha256

    return sha256(b"".join(windows)).digest()
