"""Sentences with their syntax: the rows of CoNLL-U, and the comments before them."""

from collections.abc import Sequence
from typing import NamedTuple


class Row(NamedTuple):
    """The line of a word in CoNLL-U: its ten columns, without the annotation of coreference in `misc`."""

    id: str
    """``4``, ``4-5`` for a token of two words, ``4.1`` for an empty node."""
    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    head: str
    deprel: str
    deps: str
    misc: str


class Tree(NamedTuple):
    """A sentence with its syntax."""

    comments: Sequence[str]
    """The lines before it that begin with ``#``, but those about the file or the document."""
    rows: Sequence[Row]

    @property
    def sent_id(self) -> str:
        """Its id; empty if no comment gives one."""
        return next(filter(None, map(sent_id_in, self.comments)), "")


def sent_id_in(comment: str) -> str:
    """Return the id that a comment gives to its sentence; empty if it gives none.

    >>> sent_id_in("# sent_id = news-1"), sent_id_in("# text = sent_id")
    ('news-1', '')
    """
    name, _, value = comment[1:].partition("=")
    return value.strip() if name.strip() == "sent_id" else ""
