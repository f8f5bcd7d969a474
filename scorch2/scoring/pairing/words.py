"""The words of both sides: whether they are the same ones, and which documents have the same ones."""

from collections import Counter
from collections.abc import Sequence

from scorch2.formats.table import row_of
from scorch2.model.document import Document
from scorch2.model.errors import InputError, Notice, quoted

_MOST = 20  # one word in so many may differ
_SHOWN = 30  # characters of a word that a message shows
_ESCAPES = {"-lrb-": "(", "-rrb-": ")", "-lsb-": "[", "-rsb-": "]", "-lcb-": "{", "-rcb-": "}"}
_ESCAPES |= {"``": '"', "''": '"'}
"""What corpora write for brackets and quotes."""
NO_WORDS = {"_", "-", "[WORD]"}  # what stands for every word in files that may not have the text
_UNKNOWN = "[UNK]"  # what a tokenizer writes for a word that it does not know


def words_notices(ident: str, gold: Document, system: Document) -> list[Notice]:
    """Return a warning if more than 5 % of the words of two documents differ."""
    if gold.words is None or system.words is None:
        if gold.text is None or system.text is None or gold.text == system.text:
            return []
    elif gold.words.are_surely(system.words):
        return []
    if row_of(gold.format).discontinuous and row_of(system.format).discontinuous:
        return []  # these need the same words anyway
    golds, systems = _words(gold), _words(system)
    if not golds or len(golds) != len(systems) or {*golds} <= NO_WORDS or {*systems} <= NO_WORDS:
        return []  # other numbers of words are refused
    differing = [
        (place, wanted, word)
        for place, (wanted, word) in enumerate(zip(golds, systems, strict=True), 1)
        if word != wanted and not _are_alike(word, wanted)
    ]
    if len(differing) * _MOST <= len(golds):
        return []
    place, wanted, word = differing[0]
    shown = f"word {place} is {quoted(word, _SHOWN)}, in gold {quoted(wanted, _SHOWN)}"
    how = "is it the same document?"
    elsewhere = sum((Counter(golds) & Counter(systems)).values()) - len(golds) + len(differing)
    if elsewhere * 2 > len(differing):
        how = "most of these stand at another place: --align=text finds them"
    if "".join(golds) == "".join(systems):
        how = "the text is the same: --align=characters compares two tokenisations"
    why = f"{len(differing)} of {len(golds)} words of the system are not those of gold ({shown}): {how}"
    return [Notice("words", ident, why)]


def first_difference(gold: Document, system: Document) -> str:
    """Say where the words of two documents begin to differ; nothing if they are the same, or not known."""
    golds, systems = _words(gold), _words(system)
    if golds == systems or not golds or not systems or {*golds} <= NO_WORDS or {*systems} <= NO_WORDS:
        return ""
    for place, (wanted, word) in enumerate(zip(golds, systems, strict=False), 1):
        if word != wanted and not _are_alike(word, wanted):
            return f"word {place} is {quoted(word, _SHOWN)}, and should be {quoted(wanted, _SHOWN)}"
    return "" if len(golds) == len(systems) else f"has {len(systems)} words, and should have {len(golds)}"


def _words(document: Document) -> list[str]:
    """Return the words of a document; none if its columns do not say where they are."""
    if document.words is None:
        return (document.text or "").split()
    try:
        return document.words()
    except InputError:
        return []


def _are_alike(word: str, wanted: str) -> bool:
    return _UNKNOWN in word or _UNKNOWN in wanted or _plain(word) == _plain(wanted)


def _plain(word: str) -> str:
    r"""Return a word as all programs write it: without case, accents and escapes.

    >>> [_plain(word) for word in ("-LRB-", "Médoc", "/.", "1\\/2")]
    ['(', 'medoc', '.', '1/2']
    """
    from unicodedata import combining, normalize

    plain = "".join(c for c in normalize("NFKD", word.casefold()) if not combining(c)).replace("\\/", "/")
    return _ESCAPES.get(plain, plain.removeprefix("/") or plain)


def text_key(document: Document) -> str:
    """Return what tells the text of a document from others, however it is split into words."""
    from hashlib import sha256

    words = _words(document)
    if not words or {*words} <= NO_WORDS:
        why = f"{quoted(document.id)} has no words, by which --pair=text pairs documents"
        raise InputError(document.path, "", why)
    text = "".join(map(_plain, words))
    return sha256("".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


class RareWords:
    """The words that only one document of the system has, which tell what it was copied from."""

    def __init__(self, systems: Sequence[Document]) -> None:
        words = [set(map(_plain, _words(document))) for document in systems]
        number = Counter(word for own in words for word in own)
        self._shared = {word for word, found in number.items() if found > 1}
        self._owner = {word: i for i, own in enumerate(words) for word in own - self._shared}
        self._sizes = Counter(self._owner.values())

    def nearest(self, gold: Document) -> list[int]:
        """Return the document with most words of gold, if half of the shorter's, by number; all of a tie."""
        words = set(map(_plain, _words(gold))) - self._shared
        common = Counter(self._owner[word] for word in words if word in self._owner)
        most = max(common.values(), default=0)
        best = sorted(i for i, found in common.items() if found == most)
        return [i for i in best if 2 * most >= min(self._sizes[i], len(words))]
