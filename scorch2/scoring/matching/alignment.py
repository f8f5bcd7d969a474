"""Mentions as spans of the characters of the text, blanks not counted: so two tokenisations of it meet.

A span of tokens begins with the first character of its first token and ends with the last of its last; a span
of characters loses the blanks that it counted. What remains compares by equality, wherever borders fall.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import NamedTuple, TypeAlias
from unicodedata import normalize

from scorch2.formats.texts_beside import lacking_text
from scorch2.model.document import Document, mention_names, spans
from scorch2.model.errors import InputError, quoted, shown_path

_SHOWN = 20
"""Characters before and after the first difference that a message shows."""
_LONGEST_CHARACTER = 4
"""Code points of a letter with its marks: enough to tell whether two letters are the same."""
_UNICODE = "; these are the same letters in two Unicode forms: write both texts in NFC"
OPTION = "--align=characters"
TokensOf: TypeAlias = Callable[[tuple[int, int]], tuple[int, int]]
"""From a span of characters of a text, blanks not counted, to a span of its tokens."""


class _Text(NamedTuple):
    """The text of a document without its blanks."""

    characters: str
    before: Sequence[int]
    """Characters before each unit (token or character) that spans count, and before the end."""


def by_characters(gold: Document, system: Document) -> tuple[Document, Document]:
    """Return both documents with mentions as spans of the characters of their text, blanks not counted.

    Raises
    ------
    InputError
        If a side with mentions has no text, the texts differ, or a mention holds nothing but blanks.
    """
    texts = [_required_text(document) for document in (gold, system)]
    here, there = texts
    if here and there and here.characters != there.characters:
        where = _difference(gold, here.characters, system, there.characters)
        why = f"the text of {quoted(system.id)} differs from gold ({shown_path(gold.path)}) {where}"
        raise InputError(system.path or system.id, "", f"{why} ({OPTION} needs the same text on both sides)")
    return _aligned(gold, here), _aligned(system, there)


def tokens_of(document: Document) -> TokensOf | None:
    """Return what finds the tokens of a document that an aligned span touches; None without tokens and words.

    Its border may be inside a token: the whole token counts.
    """
    text = _text(document) if document.has_tokens else None
    if text is None:
        return None
    before = text.before
    return lambda span: (bisect_right(before, span[0]) - 1, bisect_left(before, span[1]))


def offer(gold: Document, system: Document) -> str:
    """Return the end of a message about spans that cannot be compared: how they can, or what is in the way.

    Empty if nothing is known about the text of a side.
    """
    try:
        here, there = _text(gold), _text(system)
    except InputError:  # columns that do not say where the word is
        return ""
    if here is None or there is None:
        hint = " and ".join(filter(None, (lacking_text(one) for one in (gold, system))))
        return f" ({hint}; then {OPTION} compares by characters)" if hint else ""
    if here.characters == there.characters:
        return f" (the text is the same: {OPTION} compares by its characters)"
    where = _difference(gold, here.characters, system, there.characters)
    return f" ({OPTION} cannot help: the texts differ {where})"


def _text(document: Document) -> _Text | None:
    """Return the text that the spans of a document are in; None if it is not known."""
    if document.has_tokens and document.words is not None:
        words = ["".join(word.split()) for word in document.words()]
        return _Text("".join(words), [0, *accumulate(map(len, words))])
    if document.has_spans and document.unit == "character" and document.text is not None:
        counted = accumulate(not character.isspace() for character in document.text)
        return _Text("".join(document.text.split()), [0, *counted])
    return None


def _required_text(document: Document) -> _Text | None:
    """Return the text of a document; None if it is not known, and there is no mention to align."""
    found = _text(document)
    if found is None and any(document.clusters.values()):
        why = f"{quoted(document.id)} has neither tokens nor a text that its mentions are in"
        hint = lacking_text(document) or "leave it out"
        raise InputError(document.path or document.id, "", f"{why}, which {OPTION} needs ({hint})")
    return found


def _aligned(document: Document, text: _Text | None) -> Document:
    if text is None:
        return document
    before = text.before
    clusters = {
        name: [(before[start], before[end]) for start, end in spans(members)]
        for name, members in document.clusters.items()
    }
    if any(start == end for members in clusters.values() for start, end in members):
        raise _only_blanks(document, clusters)
    return document._replace(
        clusters=clusters, sentences=None, unit="character", half_open=True, words=None, text=None
    )


def _only_blanks(document: Document, clusters: dict[str, list[tuple[int, int]]]) -> InputError:
    written = [mention for members in document.clusters.values() for mention in members]
    aligned = [span for members in clusters.values() for span in members]
    odd = next(one for one, (start, end) in zip(written, aligned, strict=True) if start == end)
    why = f"mention {mention_names(document)(odd)} of {quoted(document.id)} holds nothing but blanks"
    return InputError(document.path or document.id, "", f"{why}, which {OPTION} does not count")


def _difference(gold: Document, expected: str, system: Document, found: str) -> str:
    """Say where two texts differ first, with what stands around it on both sides."""
    pairs = enumerate(zip(expected, found, strict=False))
    place = next((i for i, (one, other) in pairs if one != other), min(len(expected), len(found)))
    where = (
        f"at character {place}, blanks not counted: {_around(system, place)}, in gold {_around(gold, place)}"
    )
    return where + (_UNICODE if _decomposed(expected, place) == _decomposed(found, place) else "")


def _decomposed(text: str, place: int) -> str:
    """Return the character at a place with the mark that follows, as Unicode decomposes them."""
    return normalize("NFD", text[place : place + _LONGEST_CHARACTER])[:2]


def _around(document: Document, place: int) -> str:
    """Return what stands around the character `place` of a text, which counts no blanks."""
    text = document.text if document.unit == "character" else " ".join(_words(document))
    written = text or ""
    solid = (i for i, character in enumerate(written) if not character.isspace())
    at = next((i for number, i in enumerate(solid) if number == place), None)
    if at is None:
        return f"{quoted(_cut(written, len(written)))} and the end"
    return quoted(_cut(written, at))


def _words(document: Document) -> Iterable[str]:
    return document.words() if document.words is not None else ()


def _cut(text: str, at: int) -> str:
    first, last = max(0, at - _SHOWN), at + _SHOWN
    return f"{'…' if first else ''}{text[first:last]}{'…' if last < len(text) else ''}"
