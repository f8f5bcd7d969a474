r"""BookNLP ``.entities``: ``COREF start_token end_token prop cat text``, one mention per line.

Follows BookNLP 1.0.7. Tokens count from 0 through the whole book and the end is inside the mention. ``-1``
stands for a mention that BookNLP gave no entity: it is alone. ``prop`` and ``cat`` are kept as the type of a
mention, ``text`` is not read. Nothing names the document: it is called like its file.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from scorch2.formats.fields import number_of, rows_below_header, value_of
from scorch2.model.document import Document, Label, Mention, OnDemand, labels_of, spans, without_discontinuous
from scorch2.model.errors import InputError, counted, quoted

HEADER = ("COREF", "start_token", "end_token", "prop", "cat", "text")
_PLACE = HEADER[:3]
_NO_ENTITY = "-1"
_TYPE = {"cat": "type", "prop": "prop"}
"""The columns that say what type of mention it is, with the names of the fields of a mention."""


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of a file, with token spans as mentions."""
    names = text.partition("\n")[0].removesuffix("\r").split("\t")
    if tuple(names[: len(_PLACE)]) != _PLACE:
        why = f"the first line should name the columns: {', '.join(HEADER)}, by tabs"
        raise InputError(path, "line 1", why)
    said = [names.index(name) for name in _TYPE if name in names]
    clusters: dict[str, list[Mention]] = {}
    labels: dict[str, list[Label]] = {}
    others = [(i, value_of(name)) for i, name in enumerate(names) if name not in (*_PLACE, *_TYPE)]
    alone = 0
    unread: Counter[str] = Counter()
    for number, cells in rows_below_header(text, path):
        span = _span(cells, path, number)
        cluster = cells[0]
        if cluster == _NO_ENTITY:
            cluster, alone = f"{_NO_ENTITY} (line {number})", alone + 1
        clusters.setdefault(cluster, []).append(span)
        unread.update(noun for i, noun in others if cells[i])
        labels.setdefault(cluster, []).append(_label(*((names[i], cells[i]) for i in said)))
    note = f"{counted(alone, 'mention')} without an entity ({_NO_ENTITY}), each a singleton"
    yield Document(
        stem, clusters, path, format="booknlp", notes=(note,) if alone else (), half_open=True,
        categories=OnDemand(dict, labels), unread=OnDemand(dict, unread),
    )  # fmt: skip


def _span(cells: Sequence[str], path: str, number: int) -> tuple[int, int]:
    if not cells[0]:
        raise InputError(path, f"line {number}", f"the entity is empty (write {_NO_ENTITY} for none)")
    first = number_of(cells[1], _PLACE[1], path, number)
    last = number_of(cells[2], _PLACE[2], path, number)
    if first > last:
        why = f"the start {first} is after the end {last} (the end is the last token of the mention)"
        raise InputError(path, f"line {number}", why)
    return first, last + 1


@lru_cache(1 << 10)  # few types of mentions: each is kept once
def _label(*cells: tuple[str, str]) -> Mapping[str, str] | None:
    """Return what the cells with these names say of a mention; ``cat`` is its category."""
    return {_TYPE[name]: cell for name, cell in cells if cell} or None


def write(document: Document) -> str:
    """Return a document whose mentions are spans of tokens; without words the text stays empty."""
    are_ids = not document.has_spans and document.has_mentions
    if are_ids or (document.has_spans and document.unit != "token"):
        what = "are not known to be spans of tokens, which BookNLP counts"
        raise document.error(f"the mentions of {quoted(document.id)} {what}")
    words = document.words() if document.words is not None else []
    labels = labels_of(document)
    names = _entities(document)
    rows = [
        (start, end, names[cluster], _kind(label))
        for cluster, members in document.clusters.items()
        for (start, end), label in zip(spans(members), labels[cluster], strict=True)
    ]
    lines = ["\t".join(HEADER)]
    for start, end, name, kind in sorted(rows):
        text = " ".join(" ".join(words[start:end]).replace("\0", " ").split())
        lines.append("\t".join((name, str(start), str(end - 1), *kind, text)))
    return "\n".join([*lines, ""])


def _entities(document: Document) -> Mapping[str, str]:
    """Return the first cell of each cluster: its name, or numbers for all if a name breaks the columns."""
    names = list(document.clusters)
    if all(_is_cell(name) and name != _NO_ENTITY for name in names):
        return dict(zip(names, names, strict=True))
    return {name: str(number) for number, name in enumerate(names)}


def _kind(label: Label) -> list[str]:
    said = label if isinstance(label, Mapping) else {"type": label}
    cells = said.get("prop"), said.get("type")
    return [cell if isinstance(cell, str) and _is_cell(cell) else "" for cell in cells]


def _is_cell(text: str) -> bool:
    """Return whether a cell can hold a text that is neither empty nor has blanks."""
    return text.split() == [text] and "\0" not in text


fitting = without_discontinuous
