r"""LitBank's own files of coreference: lines ``MENTION`` and ``COREF``, in ``coref/tsv/*.ann`` of the corpus.

``MENTION <id> <sentence> <token> <sentence> <token> <text> <category> <kind>`` says where a mention begins
and ends and what it is, such as ``PER``; ``COREF <id> <entity>`` says whose it is. All numbers count from 0,
tokens within their sentence; the end is inside. A mention without an entity is alone, as in the CoNLL columns
of the corpus. Sentences have no length in the file, so mentions get the names that ``conll2json`` gives them,
such as ``0.15-17``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scorch2.formats.fields import free_name, number_of
from scorch2.model.document import Document, Label, Mention, OnDemand
from scorch2.model.errors import InputError, counted, quoted

_MENTION = ("MENTION", "id", "first sentence", "first token", "last sentence", "last token")
_NOT_READ = ("mention text", "", "mention kind")
"""What stands behind the place of a mention, as nouns that count it; the category is read."""
_CATEGORY = len(_MENTION) + 1
_COREF = ("COREF", "id of a mention", "entity")
_OTHERS = ("COP", "APPOS")  # links of a copula and of an apposition, which are no identity


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the document of a file."""
    mentions: dict[str, str] = {}
    categories: dict[str, str] = {}
    entities: list[tuple[str, str, int]] = []
    others: Counter[str] = Counter()
    unread: Counter[str] = Counter()
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.removesuffix("\r").split("\t")
        kind = cells[0]
        if kind == _MENTION[0]:
            name = _mention(cells, path, number)
            if cells[1] in mentions:
                raise InputError(path, f"line {number}", f"a second mention is called {quoted(cells[1])}")
            mentions[cells[1]] = name
            categories[cells[1]] = cells[_CATEGORY] if len(cells) > _CATEGORY else ""
            behind = zip(_NOT_READ, cells[len(_MENTION) :], strict=False)
            unread.update(what for what, cell in behind if what and cell)
        elif kind == _COREF[0]:
            _require(cells, _COREF, path, number)
            entities.append((cells[1], cells[2], number))
        elif kind in _OTHERS:
            others[kind] += 1
        elif line.strip(" \t\r"):
            why = f"a line begins with MENTION, COREF, {' or '.join(_OTHERS)}, not with {quoted(kind)}"
            raise InputError(path, f"line {number}", why)
    ids = _clusters(mentions, entities, path)
    clusters: dict[str, list[Mention]] = {entity: [mentions[i] for i in own] for entity, own in ids.items()}
    total = counted(sum(others.values()), "line")
    notes = [f"{total} of {' and '.join(sorted(others))}, no coreference and not read"] if others else ()
    unread.update({f"{kind} line": number for kind, number in others.items()})
    yield Document(
        stem, clusters, path, format="litbank", notes=notes, unread=OnDemand(dict, unread),
        categories=OnDemand(_labels, ids, categories),
    )  # fmt: skip


def _labels(ids: Mapping[str, Sequence[str]], categories: Mapping[str, str]) -> dict[str, Sequence[Label]]:
    return {entity: [categories[ident] for ident in own] for entity, own in ids.items()}


def _mention(cells: Sequence[str], path: str, number: int) -> str:
    _require(cells, _MENTION, path, number)
    named = zip(cells[2:], _MENTION[2:], strict=False)
    sentence, first, other, last = (number_of(cell, f"the {what}", path, number) for cell, what in named)
    if (sentence, first) > (other, last):
        where = f"{sentence}.{first} to {other}.{last}"
        why = f"the mention ends before it begins: {where} (the end is its last token)"
        raise InputError(path, f"line {number}", why)
    end = f"{last}" if sentence == other else f"{other}.{last}"
    return f"{sentence}.{first}-{end}"


def _require(cells: Sequence[str], wanted: Sequence[str], path: str, number: int) -> None:
    if len(cells) < len(wanted):
        what = f"{', '.join(wanted[1:-1])} and {wanted[-1]}"
        why = f"{counted(len(cells), 'cell')}, but {wanted[0]} is followed by {what}, by tabs"
        raise InputError(path, f"line {number}", why)
    empty = next((what for cell, what in zip(cells, wanted, strict=False) if not cell), None)
    if empty:
        raise InputError(path, f"line {number}", f"the {empty} is empty")


def _clusters(
    mentions: Mapping[str, str], entities: Sequence[tuple[str, str, int]], path: str
) -> dict[str, list[str]]:
    """Return the ids of the mentions of each entity, then those without one, each called by its id."""
    clusters: dict[str, list[str]] = {}
    for ident, entity, number in entities:
        if ident not in mentions:
            raise InputError(path, f"line {number}", f"no MENTION line has the id {quoted(ident)}")
        clusters.setdefault(entity, []).append(ident)
    linked = {ident for ident, _, _ in entities}
    for ident in mentions:
        if ident not in linked:
            clusters[free_name(ident, clusters)] = [ident]
    return clusters
