"""Categories TSV, of an outside tagger: ``document start end category``, one span of a text per line.

It stands beside the files of a side. Spans count what those of the document count, from 0, and the end is the
last unit, as in annotations TSV. A first line that names the columns is passed over. Spans that are no
mention do not count: a tagger marks all that it finds.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import TypeAlias

from scorch2.formats.fields import number_of
from scorch2.formats.source import read_text, stamp
from scorch2.model.document import Document, Label, Mention, OnDemand
from scorch2.model.errors import InputError, counted, quoted

_COLUMNS = ("document", "start", "end", "category")
Tagged: TypeAlias = Mapping[tuple[int, int], str]


def read_categories(path: str) -> Mapping[str, Tagged]:
    """Return the category of each span of each document in a file, which is read again if it changed."""
    return _read(path, stamp(path))


@lru_cache(2)  # that of either side: a worker asks for it in each task
def _read(path: str, _: tuple[int, int]) -> Mapping[str, Tagged]:
    documents: dict[str, dict[tuple[int, int], str]] = {}
    for number, line in enumerate(read_text(path).split("\n"), 1):
        cells = line.removesuffix("\r").split("\t")
        if not line.strip(" \t\r") or (number == 1 and cells[1:3] == list(_COLUMNS[1:3])):
            continue
        if len(cells) < len(_COLUMNS) or not cells[3].strip():
            found = counted(len(cells), "cell") if len(cells) < len(_COLUMNS) else "an empty category"
            why = f"{found}, but a line has document, start, end and category, by tabs"
            raise InputError(path, f"line {number}", why)
        first, last = (number_of(cell, "the offset", path, number) for cell in cells[1:3])
        if first > last:
            why = f"the start {first} is after the end {last} (the end is the last unit of the span)"
            raise InputError(path, f"line {number}", why)
        other = documents.setdefault(cells[0], {}).setdefault((first, last + 1), cells[3])
        if other != cells[3]:
            why = f"a second category of {first} to {last}: {quoted(cells[3])}, and {quoted(other)} before"
            raise InputError(path, f"line {number}", why)
    return documents


def labelled(document: Document, name: str, path: str | None, option: str) -> Document:
    """Return a document with the categories that a file, if any, has for it under a name, and no others."""
    if path is None:
        return document
    if document.has_mentions and not document.has_spans:
        why = f"the mentions of {quoted(document.id)} are not spans of a text, which {option} needs"
        raise document.error(why)
    tagged = read_categories(path)
    own = tagged.get(name) or tagged.get(document.id) or {}
    return document._replace(categories=OnDemand(_labels, document.clusters, own))


def has_labels(document: Document) -> bool:
    """Return whether a document has a category for any of its mentions, or no mention."""
    known = document.categories() if document.categories is not None else {}
    return not document.has_mentions or any(label for labels in known.values() for label in labels)


def _labels(clusters: Mapping[str, list[Mention]], own: Tagged) -> Mapping[str, list[Label]]:
    return {
        name: [own.get(tuple(mention)) if isinstance(mention, tuple) else None for mention in members]
        for name, members in clusters.items()
    }
