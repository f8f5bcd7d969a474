"""ARE XML from a document: mentions are written as spans if it has spans, as ids if it has names."""

import re
from collections.abc import Iterator, Mapping, Sequence

from scorch2.formats.are.marks import BLANKS, WRITTEN, is_span
from scorch2.formats.losses import first_only
from scorch2.model.document import Anaphora, Document, Mention
from scorch2.model.errors import InputError, quoted

_IN_TEXT = {ord(letter): f"&#{ord(letter)};" for letter in "&<>\r"}
_IN_ATTRIBUTES = {ord(letter): f"&#{ord(letter)};" for letter in '&<>"\t\n\r'}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(document: Document) -> str:
    """Return a document as ARE XML: its chains and, where it has them, its text, entities and pairs.

    Raises
    ------
    InputError
        For mentions that are neither spans nor names of any length, and for names and texts that XML or the
        dialect cannot hold.
    """
    anaphora = document.anaphora or Anaphora()
    mentions = _mentions(document, anaphora)
    names = _names(document, mentions)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        _root(document, by_span=_are_spans(mentions) or not mentions),
    ]
    if anaphora.text is not None:
        lines.append(f"  <text>{_escaped(anaphora.text, document, _IN_TEXT)}</text>")
    lines += _entities(anaphora, names)
    written = [mention for members in document.clusters.values() for mention in dict.fromkeys(members)]
    if len(set(written)) < len(written):
        why = f"a mention of {quoted(document.id)} is in two clusters, and in ARE XML in one chain"
        raise InputError(document.path, "", f"{why} (--lossy keeps the first)")
    for label, members in document.clusters.items():
        if members:
            elements = "".join(f"<element {names[mention]}/>" for mention in dict.fromkeys(members))
            lines.append(f'  <chain id="{_escaped(label, document)}">{elements}</chain>')
    for pronoun, antecedent in anaphora.answers.items():
        given = "" if antecedent is None else f"<antecedent {names[antecedent]}/>"
        lines.append(f"  <pair><pronoun {names[pronoun]}/>{given}</pair>")
    return "\n".join([*lines, "</are>", ""])


def _root(document: Document, *, by_span: bool) -> str:
    unit = WRITTEN.get(document.unit) if document.sentences is not None or document.anaphora else None
    shown = f' unit="{unit}"' if by_span and unit else ""
    return f'<are doc="{_escaped(document.id, document)}"{shown}>'


def _mentions(document: Document, anaphora: Anaphora) -> Sequence[Mention]:
    """Return the distinct mentions in the order of the file."""
    found = [mention for members in document.clusters.values() for mention in members]
    found += anaphora.entities or ()
    found += [mention for pair in anaphora.answers.items() for mention in pair if mention is not None]
    return list(dict.fromkeys(found))


def _entities(anaphora: Anaphora, names: Mapping[Mention, str]) -> Iterator[str]:
    for mention in anaphora.entities or ():
        kind = ' type="pronoun"' if mention in anaphora.pronouns else ""
        yield f"  <entity {names[mention]}{kind}/>"


def _are_spans(mentions: Sequence[Mention]) -> bool:
    return bool(mentions) and isinstance(mentions[0], tuple)


def _names(document: Document, mentions: Sequence[Mention]) -> dict[Mention, str]:
    """Return the attributes that stand for each mention."""
    if _are_spans(mentions):
        return {mention: _span(mention, document) for mention in mentions}
    names = {mention: f'id="{_ident(mention, document)}"' for mention in mentions}
    if len(set(names.values())) < len(names):
        why = f"two mentions of {quoted(document.id)}, one a number, would have one id"
        raise InputError(document.path, "", why)
    return names


def _span(mention: Mention, document: Document) -> str:
    if isinstance(mention, tuple) and is_span(mention):
        return f'start="{mention[0]}" end="{mention[1]}"'
    why = f"the mention {quoted(mention)} of {quoted(document.id)} is no half-open span that ARE XML can hold"
    raise InputError(document.path, "", why)


def _ident(mention: Mention, document: Document) -> str:
    name = str(mention)
    if isinstance(mention, tuple) or not name or name != name.strip(BLANKS):
        why = f"the mention {quoted(mention)} of {quoted(document.id)} is no id that ARE XML can hold"
        raise InputError(document.path, "", why)
    return _escaped(name, document)


def _escaped(text: str, document: Document, escapes: Mapping[int, str] = _IN_ATTRIBUTES) -> str:
    bad = _NO_XML.search(text)
    if bad:
        why = f"XML cannot hold the character {quoted(bad[0])} in {quoted(document.id)}"
        raise InputError(document.path, "", why)
    return text.translate(escapes)


fitting = first_only
"""Return the document without the mentions that chains cannot hold."""
