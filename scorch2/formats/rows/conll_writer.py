"""CoNLL-2012 columns from a document with words; they are read again and must hold the same."""

import re
from collections.abc import Mapping, Sequence

from scorch2.formats.fields import check_tokens, odd_word
from scorch2.formats.rows.conll import read
from scorch2.model.document import Columns, Document, spans, without_discontinuous
from scorch2.model.errors import InputError, quoted

_NUMBERED = re.compile(r"(.+)-(\d+)", re.DOTALL)
_LABEL = re.compile(r"[^()|\s]+")
_OWN = 4
"""The columns that are written before the cell, if the document has no more: name, part, number, word."""


def write(document: Document) -> str:
    """Return a document with words as columns: name, part, number in the sentence, word, cell."""
    # If it has more columns, from a file like this, these are written as they are.
    written = check_tokens(document, "CoNLL columns")()
    lengths = document.sentences or ()
    labels = list(document.clusters)
    if not all(_LABEL.fullmatch(label) for label in labels):
        labels = [str(number) for number in range(len(labels))]
    clusters = dict(zip(labels, map(spans, document.clusters.values()), strict=True))
    numbered = _NUMBERED.fullmatch(document.id)
    name, part = numbered.groups() if numbered else (document.id, "")
    rows = [f"#begin document ({name});{f' part {part}' if part else ''}"]
    cells = _cells(clusters, sum(lengths))
    columns = _more_columns(document) or _own_columns(name or "-", part or "0", document)
    token = 0
    for length in lengths:
        rows += ["\t".join([*columns[i], cells[i]]) for i in range(token, token + length)]
        rows.append("")
        token += length
    text = "\n".join([*rows, "#end document", ""])
    if unlike := _unlike(text, document, written, clusters):
        why = f"{quoted(document.id)} cannot be written as CoNLL columns: {odd_word(document) or unlike}"
        raise InputError(document.path, "", why)
    return text


def _more_columns(document: Document) -> list[list[str]]:
    """Return the columns of a document if they are more than those that are written anyway, else none."""
    columns = document.words.cells() if isinstance(document.words, Columns) else []
    return columns if any(len(row) > _OWN for row in columns) else []


def _own_columns(name: str, part: str, document: Document) -> list[list[str]]:
    sentences = document.worded_sentences() or []
    return [[name, part, str(i), word] for words in sentences for i, word in enumerate(words)]


def _cells(clusters: Mapping[str, Sequence[tuple[int, int]]], tokens: int) -> list[str]:
    """Return the coreference cells; longer mentions open first, so that the last one opened closes first."""
    opening: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    closing: list[list[tuple[int, str]]] = [[] for _ in range(tokens)]
    for label, members in clusters.items():
        for start, end in members:
            if end - start == 1:
                opening[start].append((-1, f"({label})"))
            else:
                opening[start].append((start - end, f"({label}"))
                closing[end - 1].append((-start, f"{label})"))
    tags = (sorted(closes) + sorted(opens) for closes, opens in zip(closing, opening, strict=True))
    return ["|".join(tag for _, tag in token) or "-" for token in tags]


def _unlike(
    text: str, document: Document, written: list[str], clusters: Mapping[str, Sequence[tuple[int, int]]]
) -> str:
    """Return in words what differs if `text` is read again; empty if nothing does."""
    try:
        (copy,) = read(text.replace("\0", "\n"), "\0", document.path)  # no document is called like that
        words = copy.words() if copy.words else []
    except (InputError, ValueError):
        return "its name, a word or a cluster would break the columns (a line break in it, say)"
    if copy.id != document.id:
        return "its name would be read in another way (is it empty?)"
    if words != written or list(copy.sentences or ()) != list(document.sentences or ()):
        return "its words or sentences would be read in another way"
    for label in {**clusters, **copy.clusters}:
        if sorted(spans(copy.clusters.get(label, []))) != sorted(clusters.get(label, [])):
            why = f"mentions of the entity {quoted(label)} would be read in another way"
            return f"{why} (two of them cross; --lossy keeps one)"
    return ""


def fitting(document: Document) -> Document:
    """Return the document without the mentions that brackets cannot hold: each crosses one of its entity."""
    # Of two that cross, the first stays.
    document = without_discontinuous(document)
    clusters = {name: _not_crossing(spans(members)) for name, members in document.clusters.items()}
    return document._replace(clusters=clusters)


def _not_crossing(members: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the spans that cross none before them; those that share one token do not cross for brackets."""
    kept: list[tuple[int, int]] = []
    inside: list[int] = []  # the ends of the spans that are open, the innermost last
    for start, end in sorted(members, key=lambda span: (span[0], -span[1])):
        while inside and inside[-1] <= start + 1:
            inside.pop()
        if not inside or end <= inside[-1]:
            kept.append((start, end))
            inside.append(end)
    return kept
