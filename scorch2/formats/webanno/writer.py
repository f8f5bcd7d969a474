"""WebAnno TSV 3.3 from a document with words: one chain layer, as INCEpTION imports it."""

import re
from collections.abc import Mapping, Sequence

from scorch2.formats.webanno.header import NAME
from scorch2.model.document import Document, spans
from scorch2.model.errors import InputError, quoted

_HEADER = """\
#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation

"""
_CHAIN = re.compile(r"0|[1-9][0-9]{0,8}")
_NO_TOKEN = re.compile(r"[\t\n\0]")
_NAME = re.compile(r"[^\n\r\0]+")


def write(document: Document) -> str:
    """Return a document with words as a chain layer; the text is its tokens with a blank between them.

    Raises
    ------
    InputError
        If it has no words, or a word that a row cannot hold.
    """
    if document.words is None or document.sentences is None:
        why = f"{quoted(document.id)} has no tokens, which WebAnno TSV must hold"
        raise InputError(document.path, "", why)
    words = document.words()
    _check(document, words)
    cells = _cells(document, len(words))
    parts = [_HEADER, f"\n{NAME}{document.id}"]
    token = begin = 0
    for number, length in enumerate(document.sentences, 1):
        sentence = words[token : token + length]
        parts.append(f"\n#Text={' '.join(sentence)}\n".replace("\\", "\\\\"))
        for i, word in enumerate(sentence):
            end = begin + len(word) + sum(letter > "\uffff" for letter in word)  # in units of UTF-16
            parts.append(f"{number}-{i + 1}\t{begin}-{end}\t{word}\t{cells[token + i]}\t\n")
            begin = end + 1
        token += length
    return "".join(parts) if token else "".join([*parts, "\n"])


def _check(document: Document, words: Sequence[str]) -> None:
    """Refuse what would be read in another way."""
    odd = next((word for word in words if _NO_TOKEN.search(word)), None)
    what = ""
    if odd is not None:
        what = f"the word {quoted(odd)}"
    elif not _NAME.fullmatch(document.id):
        what = "such a name"
    elif 0 in (document.sentences or ()):
        what = "an empty sentence"
    if what:
        why = f"{quoted(document.id)} cannot be written as WebAnno TSV, which cannot hold {what}"
        raise InputError(document.path, "", why)


def _cells(document: Document, tokens: int) -> list[str]:
    """Return the two cells of each token: the types of its links with their chains, and the links."""
    found: list[list[str]] = [[] for _ in range(tokens)]
    for chain, members in _numbered(document).items():
        for link, (start, end) in enumerate(sorted(members), 1):
            for token in range(start, end):
                found[token].append(f"{chain}-{link}")
    return [
        "|".join(f"*[{link.partition('-')[0]}]" for link in links)
        + "\t"
        + "|".join(f"*->{link}" for link in links)
        if links
        else "_\t_"
        for links in found
    ]


def _numbered(document: Document) -> Mapping[str, Sequence[tuple[int, int]]]:
    """Return the clusters by number: their names, if all are numbers."""
    members = list(map(spans, document.clusters.values()))
    if all(map(_CHAIN.fullmatch, document.clusters)):
        return dict(zip(document.clusters, members, strict=True))
    return {str(number): one for number, one in enumerate(members, 1)}
