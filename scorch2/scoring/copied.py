"""The account of texts that were copied: how much of them, and what became of the mentions in them."""

from collections.abc import Iterable, Sequence

from scorch2.model.besides import Copying
from scorch2.model.errors import Notice, counted, quoted
from scorch2.model.score import Measured

_WORST = 3  # documents that a warning names
_TAIL = 0.95  # a copy that ends before this share of the text lacks its end


def together(documents: Iterable[Measured]) -> Copying | None:
    """Return the sum of what became of the texts of documents; None if none was compared."""
    every = [document.copying for document in documents if document.copying is not None]
    return Copying(*map(sum, zip(*every, strict=True))) if every else None


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


def copy_notices(documents: Sequence[Measured]) -> list[Notice]:
    """Return the warning about texts that were copied with errors, and which are the worst."""
    total = together(documents)
    if total is None or not (total.words - total.copied + total.inserted + total.repaired):
        return []
    rows = [(document.id, document.copying) for document in documents if document.copying is not None]
    flawed = [(name, copying) for name, copying in rows if copying.copied < copying.words]
    flawed.sort(key=lambda row: (row[1].copied / row[1].words, row[0]))
    named = [
        f"{quoted(name)} ({', '.join(filter(None, (share_copied(copying), ends_at(copying))))})"
        for name, copying in flawed[:_WORST]
    ]
    worst = f"; the worst documents: {', '.join(named)}" if len(rows) > 1 and named else ""
    return [Notice("copied", "", f"{account(total) if len(rows) == 1 else in_words(total)}{worst}")]
