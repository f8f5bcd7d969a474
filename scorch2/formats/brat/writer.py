"""brat standoff from a document with a text: T lines, and R lines from each mention to the one before it."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from scorch2.formats.texts_beside import lacking_text
from scorch2.model.document import Document, spans, types_of
from scorch2.model.errors import InputError, quoted

_TYPE = "Mention"
"""The type of mentions that have none."""


class _Text(NamedTuple):
    """A text, and where its units (tokens or characters) begin and end in it."""

    characters: str
    starts: Sequence[int]
    ends: Sequence[int]


class _Place(NamedTuple):
    start: int
    end: int
    type: str
    cluster: str


def write(document: Document) -> str:
    """Return the lines of a document, whose text is that of `plain_text`.

    Raises
    ------
    InputError
        If it has neither a text nor tokens, which brat quotes beside each mention, a mention is empty, or the
        text holds a NUL byte.
    """
    text = _text_of(document)
    types = types_of(document)
    places = sorted(
        _Place(text.starts[start], text.ends[end - 1], _type(types.get((start, end))), cluster)
        for cluster, members in document.clusters.items()
        for start, end in spans(members)
    )
    if any(one.start >= one.end for one in places):
        why = f"a mention of {quoted(document.id)} is an empty token, which brat cannot mark"
        raise InputError(document.path or document.id, "", why)
    if "\0" in text.characters:
        why = f"the text of {quoted(document.id)} holds a NUL byte, which no text file can hold"
        raise InputError(document.path or document.id, "", why)
    lines = []
    idents: dict[str, list[str]] = {}
    for number, one in enumerate(places, 1):
        shown = " ".join(text.characters[one.start : one.end].split("\n")).replace("\r", " ")
        lines.append(f"T{number}\t{one.type} {one.start} {one.end}\t{shown}")
        idents.setdefault(one.cluster, []).append(f"T{number}")
    links = [pair for members in idents.values() for pair in pairwise(members)]
    for number, (before, ident) in enumerate(links, 1):
        lines.append(f"R{number}\tCoref Arg1:{ident} Arg2:{before}")
    return "".join(f"{line}\n" for line in lines)


def plain_text(document: Document) -> str:
    """Return the text that the offsets of `write` count: tokens joined by blanks, one sentence per line."""
    return _text_of(document).characters


def _text_of(document: Document) -> _Text:
    if document.unit == "character" and document.text is not None:
        length = len(document.text)
        return _Text(document.text, range(length), range(1, length + 1))
    if document.has_tokens and document.words is not None:
        return _joined(document.words(), document.sentences or ())
    why = f"{quoted(document.id)} has neither a text nor tokens, which brat quotes beside each mention"
    hint = lacking_text(document)
    raise InputError(document.path or document.id, "", f"{why} ({hint})" if hint else why)


def _joined(words: Sequence[str], sentences: Sequence[int]) -> _Text:
    """Join tokens by blanks, and sentences by line ends."""
    last = set(accumulate(sentences))
    pieces = [word + ("\n" if number in last else " ") for number, word in enumerate(words, 1)]
    ends = list(accumulate(map(len, pieces)))
    starts = [end - len(piece) for end, piece in zip(ends, pieces, strict=True)]
    return _Text("".join(pieces), starts, [end - 1 for end in ends])


def _type(label: str | Mapping[str, Any] | None) -> str:
    """Return the type of a mention as one word."""
    said = label.get("type") if isinstance(label, Mapping) else label
    return said if isinstance(said, str) and said.split() == [said] and "\0" not in said else _TYPE
