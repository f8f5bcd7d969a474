"""Counts of a document besides its tallies: of a text that was copied, of chosen categories, of windows."""

from typing import Any, NamedTuple


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


class WindowCounts(NamedTuple):
    """The worth of a window of tokens: all that the counts of its document lose without its mentions."""

    gold_mentions: int
    system_mentions: int
    tallies: tuple[tuple[Any, ...], ...]  # as those of the document
