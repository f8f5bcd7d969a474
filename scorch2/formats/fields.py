"""Fields that many formats write alike: numbers, units of spans, links; and documents that fit into these."""

import re
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Container,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    ValuesView,
)
from typing import TypeAlias

from scorch2.model.document import Discontinuous, Document, Mention, OnDemand, Words, with_only
from scorch2.model.errors import InputError, counted, quoted

DIGITS = 18  # digits of a number at most: more than any text needs
UNITS = {"token": "token", "char": "character"}
"""What files call the units that spans count, with their names in `Document.unit`."""


def number_of(cell: str, what: str, path: str, line: int) -> int:
    """Return the whole number in a cell; `what` it is stands in the message."""
    if not (cell.isascii() and cell.isdecimal()):
        raise InputError(path, f"line {line}", f"{what} {quoted(cell)} is not a whole number")
    if len(cell) > DIGITS:
        raise InputError(path, f"line {line}", f"{what} has more than {DIGITS} digits")
    return int(cell)


def rows_below_header(text: str, path: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line and the cells of each row that is not blank, below the one that names the columns."""
    header, *lines = text.split("\n")
    columns = header.count("\t") + 1
    for number, line in enumerate(lines, 2):
        if line.strip(" \t\r"):
            cells = line.removesuffix("\r").split("\t")
            if len(cells) < columns:
                why = f"{counted(len(cells), 'cell')}, but the first line names {columns} columns"
                raise InputError(path, f"line {number}", why)
            yield number, cells


_LONGEST = 40  # characters of a name that stand in a message


def value_of(name: str) -> str:
    """Return the noun for something that a file says under a name, for `Document.unread`."""
    return f"{quoted(name, _LONGEST)} value"


def unread_keys(value: Collection[str], known: Container[str]) -> OnDemand[Mapping[str, int]] | None:
    """Return what an object has besides the keys that are read."""
    if all(key in known for key in value):
        return None
    return OnDemand(_counted_values, tuple(key for key in value if key not in known))


def _counted_values(names: Iterable[str]) -> Mapping[str, int]:
    return Counter(map(value_of, names))


_BREAKS = re.compile("[\\t\\n\\r\\0]")


def odd_word(document: Document) -> str:
    """Return in words which token of a document no row can hold; empty if there is none."""
    words = document.words() if document.words is not None else []
    odd = next((i for i, word in enumerate(words) if _BREAKS.search(word)), None)
    if odd is None:
        return ""
    return f"its token {odd + 1} is {quoted(words[odd])}, which no row can hold (jsonlines and clusters can)"


def free_name(name: str, taken: Container[str]) -> str:
    """Return `name`, with primes if it is taken."""
    while name in taken:
        name += "'"
    return name


def notes_of_widened(discontinuous: int) -> list[str]:
    """Return the note about so many discontinuous mentions that were read as spans."""
    what = counted(discontinuous, "discontinuous mention")
    return [f"{what} read from the first word to the last"] if discontinuous else []


TOKENS_FROM = "convert --tokens-from=<path>"


def check_tokens(document: Document, what: str) -> Words:
    """Return what gives the tokens of a document; an InputError if `what` must hold them and it has none."""
    if document.words is None or document.sentences is None:
        hint = f" ({TOKENS_FROM} takes those of a file of the same text)" if document.text is not None else ""
        why = f"{quoted(document.id)} has no tokens, which {what} must hold{hint}"
        raise InputError(document.path, "", why)
    return document.words


_Kept: TypeAlias = object  # a list of mentions, or a mention, which is no list


class NumberedClusters(Mapping[str, Sequence[Mention]]):
    """Clusters called "0", "1" and so on; a mention alone is kept without a list around it."""

    # A dictionary of a million singletons would take 0.2 GB

    def __init__(self, clusters: Sequence[_Kept]) -> None:
        self._clusters = clusters

    def __len__(self) -> int:
        return len(self._clusters)

    def __iter__(self) -> Iterator[str]:
        return map(str, range(len(self)))

    def __getitem__(self, name: str) -> Sequence[Mention]:
        is_number = name.isdecimal() and len(name) <= len(str(len(self)))
        number = int(name) if is_number else len(self)
        if number >= len(self) or str(number) != name:
            raise KeyError(name)
        return _members(self._clusters[number])

    def values(self) -> ValuesView[Sequence[Mention]]:
        """Return a view of the clusters in their order."""
        return _Values(self)

    def items(self) -> ItemsView[str, Sequence[Mention]]:
        """Return a view of the names and clusters in their order."""
        return _Items(self)

    def members(self) -> Iterator[Sequence[Mention]]:
        """Yield the clusters in their order."""
        return map(_members, self._clusters)

    def replaced(self, new: Callable[[Mention], Mention]) -> "NumberedClusters":
        """Return the same clusters of other mentions."""
        return NumberedClusters([list(map(new, c)) if type(c) is list else new(c) for c in self._clusters])


class _Values(ValuesView[Sequence[Mention]]):
    def __init__(self, clusters: NumberedClusters) -> None:
        super().__init__(clusters)
        self._clusters = clusters

    def __iter__(self) -> Iterator[Sequence[Mention]]:
        return self._clusters.members()


class _Items(ItemsView[str, Sequence[Mention]]):
    def __init__(self, clusters: NumberedClusters) -> None:
        super().__init__(clusters)
        self._clusters = clusters

    def __iter__(self) -> Iterator[tuple[str, Sequence[Mention]]]:
        return zip(self._clusters, self._clusters.members(), strict=True)


def _members(cluster: _Kept) -> Sequence[Mention]:
    return cluster if type(cluster) is list else (cluster,)


def components(declared: Sequence[Mention], links: Iterable[tuple[Mention, Mention]]) -> NumberedClusters:
    """Return the clusters that `links` connect, numbered by the first mention in the order of `declared`."""
    # Clusters grow by joining the smaller to the larger: near-linear for every order of the links.
    cluster_of: dict[Mention, list[Mention]] = {}
    for first, other in links:
        large = cluster_of.get(first)
        if large is None:
            large = cluster_of[first] = [first]
        small = cluster_of.get(other)
        if small is None:
            small = cluster_of[other] = [other]
        if large is small:
            continue
        if len(large) < len(small):
            large, small = small, large
        large.extend(small)
        for mention in small:
            cluster_of[mention] = large
    clusters: list[_Kept] = []
    numbered = set()
    for mention in dict.fromkeys(declared):
        cluster = cluster_of.get(mention)
        if cluster is None:
            clusters.append(mention)
        elif id(cluster) not in numbered:
            numbered.add(id(cluster))
            clusters.append(cluster)
    return NumberedClusters(clusters)


def without_discontinuous(document: Document) -> Document:
    """Return a document without the mentions that no span can say, and the clusters that have no others."""
    if not document.has_discontinuous:
        return document

    every = document.clusters.items()
    places = {
        name: [i for i, mention in enumerate(members) if not isinstance(mention, Discontinuous)]
        for name, members in every
    }
    kept = {name: members for name, members in every if places[name] or not members}
    return with_only(document._replace(clusters=kept), places)


def first_only(document: Document) -> Document:
    """Return a document without the mentions that an earlier cluster has: for formats that hold each once."""
    seen: set[Mention] = set()
    clusters: dict[str, list[Mention]] = {}
    for name, members in document.clusters.items():
        clusters[name] = [mention for mention in dict.fromkeys(members) if mention not in seen]
        seen.update(members)
    return document._replace(clusters=clusters)
