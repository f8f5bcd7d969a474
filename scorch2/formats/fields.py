"""Fields that many formats write alike: numbers, units of spans, links; and documents that fit into these."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Container,
    Hashable,
    ItemsView,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    ValuesView,
)
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.document import (
    Discontinuous,
    Document,
    Label,
    Mention,
    OnDemand,
    Span,
    Words,
    spans,
    with_only,
)
from scorch2.model.errors import InputError, counted, listed, printable, quoted

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
    _mapping: NumberedClusters

    def __iter__(self) -> Iterator[Sequence[Mention]]:
        return self._mapping.members()


class _Items(ItemsView[str, Sequence[Mention]]):
    _mapping: NumberedClusters

    def __iter__(self) -> Iterator[tuple[str, Sequence[Mention]]]:
        return zip(self._mapping, self._mapping.members(), strict=True)


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


def in_groups(declared: Sequence[Mention], links: Iterable[tuple[Mention, Mention]]) -> list[list[Any]]:
    """Return the groups that `links` connect; they, and what is in each, have the order of `declared`."""
    order = {one: place for place, one in enumerate(declared)}
    return [sorted(group, key=order.__getitem__) for group in components(declared, links).values()]


def token_at(sentence: int, number: int, starts: Sequence[int]) -> int | None:
    """Return which token of a text has a number in a sentence, both from 0; None if there is none."""
    # `starts` are the tokens before each sentence and before the end
    if sentence + 1 >= len(starts) or starts[sentence] + number >= starts[sentence + 1]:
        return None
    return starts[sentence] + number


def keeping(document: Document, is_kept: Callable[[str, Any], object]) -> Document:
    """Return a document with the mentions that are kept, by the name of their cluster; as `with_only`."""
    every = document.clusters.items()
    return with_only(
        document,
        {name: [i for i, one in enumerate(members) if is_kept(name, one)] for name, members in every},
    )


def without_discontinuous(document: Document) -> Document:
    """Return a document without the mentions that no span can say, and the clusters that have no others."""
    if not document.has_discontinuous:
        return document
    left = keeping(document, lambda _, mention: not isinstance(mention, Discontinuous))
    every = left.clusters.items()
    return left._replace(clusters={name: own for name, own in every if own or not document.clusters[name]})


def first_only(document: Document) -> Document:
    """Return a document without the mentions that an earlier cluster has: for formats that hold each once."""
    seen: set[Mention] = set()
    clusters: dict[str, list[Mention]] = {}
    for name, members in document.clusters.items():
        clusters[name] = [mention for mention in dict.fromkeys(members) if mention not in seen]
        seen.update(members)
    return document._replace(clusters=clusters)


def uncrossed(pairs: Iterable[Span]) -> set[Span]:
    """Return pairs of a begin and an end without those that begin in one before and end behind it."""
    kept: set[Span] = set()
    around: list[int] = []  # where those end that are open
    for start, end in sorted(pairs, key=lambda pair: (pair[0], -pair[1])):
        while around and around[-1] <= start:
            around.pop()
        if not around or end <= around[-1]:
            around.append(end)
            kept.add((start, end))
    return kept


def refuse_twin(name: str, known: dict[str, int], line: int, path: str, where: str = "") -> None:
    """Note the name of a document, which begins on a line; an InputError if one before is called so."""
    if known.setdefault(name, line) != line:
        why = f"a second document is called {quoted(name)}, as on line {known[name]}"
        raise InputError(path, where or f"line {line}", why)


Refuse: TypeAlias = Callable[[str], InputError]
"""Makes an error about what is being read, from what is wrong with it."""


def is_coreference(name: str) -> bool:
    """Return whether a relation of this name says that mentions are coreferent: ``coref...``, or no name."""
    return name.casefold().startswith("coref") or not name


class Gathered:
    """The mentions of a document by cluster, each with its label, and a count of what is not read."""

    def __init__(self) -> None:
        self.clusters: dict[str, list[Mention]] = {}
        self.labels: dict[str, list[Label]] = {}
        self.unread: Counter[str] = Counter()

    def add(self, cluster: str, mention: Mention, label: Label) -> None:
        """Add a mention."""
        self.clusters.setdefault(cluster, []).append(mention)
        self.labels.setdefault(cluster, []).append(label)

    def document(self, name: str, path: str, **facts: Any) -> Document:
        """Return the document; `facts` are its other fields."""
        return Document(
            name, self.clusters, path, categories=OnDemand(dict, self.labels),
            unread=OnDemand(dict, self.unread), **facts,
        )  # fmt: skip


class _Link(NamedTuple):
    ends: Sequence[Hashable]
    refuse: Refuse


class LinkedMentions:
    """The mentions of a document by id, and what connects them; the text may be unknown."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self._spans: dict[Hashable, Span] = {}
        self._quoted: dict[Hashable, str] = {}
        self._categories: dict[Hashable, str] = {}
        self._links: list[_Link] = []
        self._others: Counter[str] = Counter()
        self.unread: Counter[str] = Counter()

    def add(self, ident: Hashable, span: Span, refuse: Refuse, *, kind: str = "", said: str = "") -> None:
        """Add the mention of some characters: its category, and its text as the file quotes it."""
        if ident in self._spans:
            raise refuse(f"a second mention is called {quoted(ident)}")
        start, end = span
        if start >= end:
            raise refuse(f"the mention {quoted(span)} ends where it begins, or before")
        if start < 0 or (self.text is not None and end > len(self.text)):
            where = f", which ends at {len(self.text)}" if self.text is not None else ""
            raise refuse(f"the mention {quoted(span)} does not lie inside the text{where}")
        self._spans[ident] = span
        if kind:
            self._categories[ident] = kind
        if said:
            self._quoted[ident] = said

    def has(self, ident: Hashable) -> bool:
        """Return whether there is a mention with an id."""
        return ident in self._spans

    def link(self, ends: Sequence[Hashable], refuse: Refuse, name: str = "") -> None:
        """Connect mentions, of which some may be read later, by a relation; another one is only counted."""
        if is_coreference(name):
            self._links.append(_Link(ends, refuse))
        else:
            self._others[name] += 1
            self.unread[f"{printable(name, 40)} relation"] += 1

    def document(self, name: str, path: str, form: str) -> Document:
        """Return the document; clusters are called by their first mention."""
        members = {str(group[0]): group for group in in_groups(list(self._spans), self._pairs())}
        lengths = None if self.text is None else [len(self.text)]
        clusters = {name: [self._spans[ident] for ident in own] for name, own in members.items()}
        return Document(
            name, clusters, path, lengths, form, unit="character", text=self.text,
            notes=self._notes(), half_open=True, exclusive=True,
            categories=OnDemand(labels_by, members, self._categories) if self._categories else None,
            unread=OnDemand(dict, self.unread),
        )  # fmt: skip

    def _pairs(self) -> Iterable[tuple[Hashable, Hashable]]:
        for link in self._links:
            for end in link.ends:
                if end not in self._spans:
                    raise link.refuse(f"a relation has the mention {quoted(end)}, which is not there")
            yield from pairwise(link.ends)

    def _notes(self) -> list[str]:
        notes = []
        if self._others:
            what = counted(self._others.total(), "relation")
            notes.append(f"{what} called otherwise than Coref..., not read ({listed(self._others)})")
        if not self._links and len(self._spans) > 1:
            notes.append("no relation called Coref...: every mention is a singleton")
        said = [(str(ident), said, self._spans[ident]) for ident, said in self._quoted.items()]
        return notes + differing(said, len(self._spans), self.text or "", "the text")


def labels_by(
    members: Mapping[str, Sequence[Hashable]], categories: Mapping[Any, str]
) -> Mapping[str, list[Label]]:
    """Return the category of each mention, by the name of its cluster."""
    return {name: [categories.get(ident) for ident in own] for name, own in members.items()}


def differing(said: Iterable[tuple[str, str, Span]], number: int, text: str, what: str) -> list[str]:
    """Return a note about mentions that quote another text than that at their place; blanks do not count."""
    odd = [
        (ident, words, text[slice(*span)])
        for ident, words, span in said
        if "".join(words.split()) != "".join(text[slice(*span)].split())
    ]
    if not odd:
        return []
    ident, words, there = odd[0]
    example = f"{ident} is {quoted(words, 40)}, in the text {quoted(there, 40)}"
    mentions = f"{counted(len(odd), 'mention')} of {number} quoted otherwise"
    return [f"{mentions} than in {what} (are the offsets right?): {example}"]


def from_utf16(text: str) -> Callable[[int], int]:
    r"""Return what turns offsets in units of UTF-16, as Java counts, into characters of a text.

    >>> list(map(from_utf16("a\U0001f389b"), [0, 1, 3, 4]))
    [0, 1, 2, 3]
    """
    wide = [place for place, letter in enumerate(text) if letter > "\uffff"]
    starts = [place + before for before, place in enumerate(wide)]
    return (lambda offset: offset - bisect_left(starts, offset)) if starts else int


def in_tokens(document: Document, tokens: Iterable[Span], sentences: Iterable[Span]) -> Document:
    """Return a document of characters in the tokens of its text; a mention is widened to whole tokens."""
    # A sentence is given by its characters, too; tokens outside of all are sentences of their own
    placed, text = sorted(set(tokens)), document.text or ""
    starts, ends = [start for start, _ in placed], [end for _, end in placed]
    widened = 0
    clusters: dict[str, list[Span]] = {}
    for name, members in document.clusters.items():
        clusters[name] = []
        for start, end in spans(members):
            first, last = bisect_right(ends, start), bisect_left(starts, end)
            if first >= last:
                raise document.error(f"no token is where the mention {quoted((start, end))} is")
            widened += (starts[first], ends[last - 1]) != (start, end)
            clusters[name].append((first, last))
    borders = sorted({bisect_left(starts, place) for span in sentences for place in span} - {0, len(starts)})
    what = f"{counted(widened, 'mention')} with an end inside a token widened to whole tokens"
    lengths = [after - before for before, after in pairwise([0, *borders, len(starts)])]
    return document._replace(
        clusters=clusters, sentences=lengths if starts else [],
        unit="token", words=Words(_words, text, placed), text=None,
        notes=[*document.notes, what] if widened else document.notes, half_open=False, exclusive=False,
    )  # fmt: skip


def _words(text: str, places: Sequence[Span]) -> list[str]:
    return [text[start:end] for start, end in places]
