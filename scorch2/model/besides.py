"""Counts of a document besides its tallies: of a text that was copied, of chosen categories, of windows."""

from collections.abc import Iterable
from typing import Any, NamedTuple, TypeVar

from scorch2.model.errors import counted

_TAIL = 0.95  # a copy that ends before this share of the text lacks its end


class Copying(NamedTuple):
    """The account of a text that was copied, and of the mentions in it."""

    words: int  # of gold
    copied: int  # of them that the copy has, in order
    changed: int  # that other words of the copy stand for
    deleted: int  # that nothing stands for
    inserted: int  # words of the copy that stand for none
    end: int  # where the copy ends: words of gold up to the last one that was copied or changed
    moved: int = 0  # mentions whose first or last word is no copy
    lost: int = 0  # mentions that stand for no word
    collided: int = 0  # mentions that end up on the words of a mention of another cluster
    repaired: int = 0  # marks without a partner, or that could not be read


class Kept(NamedTuple):
    """The numbers of mentions with a category that was asked for, of all mentions, and of those with any."""

    gold: int
    gold_of: int
    gold_known: int
    system: int
    system_of: int
    system_known: int


Counts = TypeVar("Counts", Copying, Kept)


class WindowCounts(NamedTuple):
    """The worth of a window of tokens: all that the counts of its document lose without its mentions."""

    gold_mentions: int
    system_mentions: int
    tallies: tuple[tuple[Any, ...], ...]  # as those of the document


def together(every: Iterable[Counts | None]) -> Counts | None:
    """Return the sum of what documents have; None if none has it."""
    known = [counts for counts in every if counts is not None]
    return type(known[0])(*map(sum, zip(*known, strict=True))) if known else None


def in_words(copying: Copying) -> str:
    """Return what became of a text, or of several.

    >>> in_words(Copying(200, 195, 3, 2, 1, 200, moved=1, repaired=2))
    '97.5 % of 200 words copied (3 changed, 2 deleted, 1 inserted); 1 mention moved; 2 marks repaired'
    """
    changes = [
        f"{number} {what}"
        for number, what in (
            (copying.changed, "changed"),
            (copying.deleted, "deleted"),
            (copying.inserted, "inserted"),
        )
        if number
    ]
    mentions = [
        f"{counted(number, 'mention')} {what}"
        for number, what in ((copying.moved, "moved"), (copying.lost, "lost"), (copying.collided, "collided"))
        if number
    ]
    marks = [f"{counted(copying.repaired, 'mark')} repaired"] if copying.repaired else []
    share = f"{share_copied(copying)} of {counted(copying.words, 'word')} copied"
    return "; ".join([f"{share} ({', '.join(changes)})" if changes else share, *mentions, *marks])


def share_copied(copying: Copying) -> str:
    """Return the share of the words of gold that was copied, in percent."""
    return _percent(copying.copied, copying.words)


def _percent(part: int, whole: int) -> str:
    """Return a share, rounded down so that only all is 100 %."""
    return f"{part * 1000 // max(whole, 1) / 10:g} %"


def ends_at(copying: Copying) -> str:
    """Return where a copy ends that lacks the end of the text; nothing for others."""
    if copying.end >= _TAIL * copying.words:
        return ""
    return f"ends at {_percent(copying.end, copying.words)}"


def account(copying: Copying) -> str:
    """Return what became of the text of a document, and where the copy ends.

    >>> account(Copying(200, 120, 0, 80, 0, 120))
    '60 % of 200 words copied (80 deleted), ends at 60 %'
    """
    return ", ".join(filter(None, (in_words(copying), ends_at(copying))))
