"""Mentions with ids and links between them, as annotation tools keep them: shared by their readers."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias, cast

from scorch2.formats.fields import components
from scorch2.model.document import Document, Label, OnDemand, Span, Words, spans
from scorch2.model.errors import InputError, counted, listed, printable, quoted

Refuse: TypeAlias = Callable[[str], InputError]
"""Makes an error about what is being read, from what is wrong with it."""


def is_coreference(name: str) -> bool:
    """Return whether a relation of this name says that mentions are coreferent: ``coref...``, or no name."""
    return name.casefold().startswith("coref") or not name


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
        idents = list(self._spans)
        numbers = {ident: number for number, ident in enumerate(idents)}
        groups = components(range(len(idents)), self._pairs(numbers)).values()
        lengths = None if self.text is None else [len(self.text)]
        in_order = [[idents[place] for place in sorted(cast("list[int]", list(group)))] for group in groups]
        clusters = {str(group[0]): [self._spans[ident] for ident in group] for group in in_order}
        return Document(
            name, clusters, path, lengths, form, unit="character", text=self.text,
            notes=self._notes(), half_open=True, exclusive=True,
            categories=OnDemand(_labels, in_order, self._categories) if self._categories else None,
            unread=OnDemand(dict, self.unread),
        )  # fmt: skip

    def _pairs(self, numbers: dict[Hashable, int]) -> Iterable[tuple[int, int]]:
        for link in self._links:
            for end in link.ends:
                if end not in numbers:
                    raise link.refuse(f"a relation has the mention {quoted(end)}, which is not there")
            yield from pairwise([numbers[end] for end in link.ends])

    def _notes(self) -> list[str]:
        notes = []
        if self._others:
            what = counted(self._others.total(), "relation")
            notes.append(f"{what} called otherwise than Coref..., not read ({listed(self._others)})")
        if not self._links and len(self._spans) > 1:
            notes.append("no relation called Coref...: every mention is a singleton")
        said = [(str(ident), said, self._spans[ident]) for ident, said in self._quoted.items()]
        return notes + differing(said, len(self._spans), self.text or "", "the text")


def _labels(
    groups: Sequence[Sequence[Hashable]], categories: Mapping[Hashable, str]
) -> Mapping[str, list[Label]]:
    """Return the category of each mention, by the name of its cluster."""
    return {str(group[0]): [categories.get(ident) for ident in group] for group in groups}


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
    """Return a document of characters in the tokens of its text; a mention is widened to whole tokens.

    A sentence is given by its characters, too; tokens outside of all are sentences of their own.
    """
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
