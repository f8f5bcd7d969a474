"""The names of mentions in messages: ``"0.942-942" ("his")``, with the words where the text is there."""

from collections.abc import Callable, Sequence

from scorch2.model.document import Document, Mention, span_names, spans
from scorch2.model.errors import InputError
from scorch2.model.messages import quoted

_SHOWN = 40
"""Characters of the words that a message shows."""


def mention_names(document: Document) -> Callable[[Mention], str]:
    """Return a function that says which mention of a document is meant, for messages.

    It takes spans of tokens and their names. Spans without a name are shown as their file writes them: with
    their last unit or what follows it, or with the names of their units. The text is looked up once, when
    this is called: call it only if there is something to say.

    >>> from scorch2.model.document import Words
    >>> document = Document("d", {"a": [(1, 3)]}, sentences=[3], words=Words(list, ["on", "his", "hat"]))
    >>> mention_names(document)((1, 3)), mention_names(Document("d", {"a": ["m7"]}))("m7")
    ('"0.1-2" ("his hat")', '"m7"')
    """
    names: dict[Mention, str] = dict(span_names(document).items()) if document.has_tokens else {}
    spans_by_name: dict[Mention, Mention] = {name: span for span, name in names.items()}
    pieces, between = _pieces(document)

    def name(mention: Mention) -> str:
        span = spans_by_name.get(mention, mention)
        if not document.has_spans or not isinstance(span, tuple):
            return quoted(mention)
        shown = quoted(names.get(span) or _as_written(span, document))
        if pieces is None:
            return shown
        start, end = spans([span])[0]
        return f"{shown} ({quoted(between.join(pieces[start:end]), _SHOWN)})"

    return name


def _as_written(span: tuple[int, ...], document: Document) -> tuple[int, ...] | str:
    *starts, end = span
    written = *(start + document.first for start in starts), end + document.first - (not document.exclusive)
    if document.unit_name:
        return "..".join(dict.fromkeys(f"{document.unit_name}{number}" for number in written))
    return written


def _pieces(document: Document) -> tuple[Sequence[str] | None, str]:
    """Return the tokens or characters that the spans of a document count, and what stands between two."""
    if document.has_tokens and document.words is not None:
        try:
            return document.words(), " "
        except InputError:  # columns that do not say where the word is
            return None, ""
    return (document.text if document.has_spans and document.unit == "character" else None), ""
