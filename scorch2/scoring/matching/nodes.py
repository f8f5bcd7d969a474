"""Mentions of words and empty nodes (CoNLL-U): both sides need the same words."""

from scorch2.formats.table import row_of
from scorch2.model.document import Document, Mention
from scorch2.model.errors import InputError, counted, quoted, shown_path
from scorch2.model.markables import Discontinuous


def comparable(gold: Document, system: Document) -> tuple[Document, Document]:
    """Return both documents with mentions that compare: in pieces only if both formats can hold such.

    Against a format of plain spans, a mention in pieces becomes the span from its first to its last word;
    one of empty nodes alone stays what it is, and so has no twin.

    Raises
    ------
    InputError
        If both are in CoNLL-U and their words or sentences differ, naming the first place. Where sentences
        mean nothing to one of the formats, those of gold count for both.
    """
    if not (gold.has_spans and system.has_spans):
        return gold, system
    both = row_of(gold.format).pieces, row_of(system.format).pieces
    if all(both):
        _refuse_other_words(gold, system)
        if gold.sentences != system.sentences:
            from scorch2.scoring.matching import sentences

            system = sentences.broken_as(system, gold.sentences or ())
    elif any(both) and _mentions(gold) and _mentions(system):
        return as_spans(gold), as_spans(system)
    return gold, system


def _mentions(document: Document) -> bool:
    return any(document.clusters.values())


def as_spans(document: Document) -> Document:
    """Return a document with each mention as the span from its first to its last word, if it holds a word."""
    if not document.has_pieces:
        return document
    return document._replace(
        clusters={name: list(map(_as_span, members)) for name, members in document.clusters.items()}
    )


def _as_span(mention: Mention) -> Mention:
    return tuple(mention) if isinstance(mention, Discontinuous) and mention[0] < mention[1] else mention


def _refuse_other_words(gold: Document, system: Document) -> None:
    """Raise an InputError for the first sentence that has other words or another id on both sides."""
    words, expected = (document.words() if document.words else [] for document in (system, gold))
    sizes, expected_sizes = system.sentences or (), gold.sentences or ()
    is_free = any(row_of(document.format).free_sentences for document in (gold, system))
    if words == expected and (is_free or sizes == expected_sizes):
        _refuse_other_ids(gold, system)
        return
    if is_free:
        sizes = expected_sizes = [max(len(words), len(expected))]
    before = 0
    for number, (size, expected_size) in enumerate(zip(sizes, expected_sizes, strict=False)):
        sentence, wanted = words[before : before + size], expected[before : before + expected_size]
        if sentence != wanted:
            there = f"in gold, {shown_path(gold.path)}, {_sentence(gold, number)}"
            why = f"{_difference(sentence, wanted)} ({there})"
            where = f"document {quoted(system.id)}, {_sentence(system, number)}"
            raise InputError(system.path or system.id, where, f"{why}: both sides must have the same words")
        before += size


def _refuse_other_ids(gold: Document, system: Document) -> None:
    """Raise an InputError for the first sentence that is called otherwise; many files name none."""
    ids, expected = (side.sentence_ids() if side.sentence_ids else () for side in (system, gold))
    if not (ids and expected) or ids == expected:
        return
    for number, (one, other) in enumerate(zip(_ids(system), _ids(gold), strict=True)):
        if one and other and one != other:
            why = f"sent_id {quoted(one)}, but {quoted(other)} in gold ({shown_path(gold.path)})"
            where = f"document {quoted(system.id)}, sentence {number + 1}"
            do = "write the ids of gold, or none"
            raise InputError(system.path or system.id, where, f"{why}: both sides must agree ({do})")


def _difference(words: list[str], expected: list[str]) -> str:
    for number, (word, wanted) in enumerate(zip(words, expected, strict=False), 1):
        if word != wanted:
            return f"word {number} is {quoted(word, 40)}, but {quoted(wanted, 40)}"
    return f"{counted(len(words), 'word')}, but {len(expected)}"


def _sentence(document: Document, number: int) -> str:
    """Return the name of a sentence: its number in the document, from 1, and its id."""
    ident = _ids(document)[number] if document.trees else ""
    return f"sentence {number + 1}" + (f" ({quoted(ident)})" if ident else "")


def _ids(document: Document) -> list[str]:
    """Return the id of each sentence, empty if it has none."""
    return [tree.sent_id for tree in document.trees()] if document.trees else []
