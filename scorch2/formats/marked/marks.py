r"""Texts with nested marks, in brackets or tags: a table of kinds of marks, and one reader for all of them.

Which kind a text has is found from all of it: the one of its format that makes most mentions. Other brackets
and tags are words.

Links (`markdown`): ``[Tom](#cluster_0) and [[Hong Kong](#hk) and others](#bridge)``, after the prompts of
Le & Ritter, Are Large Language Models Robust Coreference Resolvers? (https://github.com/nle18/coref-llms,
commit 6a9ac14). ``[Tom](#)`` is a mention that names no cluster. A name without ``#`` has no ``/``, ``:`` or
blank, so that links to pages are words.

Tags (`tagged`): the cluster stands behind the tag that closes (CorefInst, ``<m>Tom</m>#0``, and ``</z>@3``
for a zero), behind a bar before it (Seq2seqCoref, ``<m> Tom | 3 </m>``), or in the tag that opens
(``<e1>Tom</e1>``, ``<mention id="1">Tom</mention>``). A mention that names none, or ``#MASK``, is alone.
Nothing else of XML is known: ``&`` is a letter, and a backslash makes ``<`` one.

Brackets (`bracketed`): ``[Tom]_1``, ``[Tom]1``, ``[Tom: 1]``, ``[Tom | 1]``, ``[1 Tom]``; ``[Tom]_?`` names
no cluster.
"""

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias, cast

from scorch2.formats.detection import LIST, fenced_json
from scorch2.formats.marked.shared import ESCAPED, Mark, MarkedText, fitting, nested, texts_of, written
from scorch2.model.document import Document
from scorch2.model.errors import InputError, counted, quoted


class MarkKind(NamedTuple):
    """A kind of marks: its pattern, and where it has names.

    Groups of the pattern: ``opens`` and ``closes`` are marks, with their ``tag`` and ``closed`` tag. A name
    stands ``behind`` the mark that closes, or with no end of its own, ``loose``; or ``before`` it, in an
    ``inside`` that is words otherwise; or it comes ``first``. `zero` is a mention of its own.
    """

    looks: str  # a mention, for messages
    format: str
    pattern: str
    alone: str = ""  # the name that stands for none
    named: bool = True  # whether marks that name no cluster are words

    def found(self, text: str) -> Iterator[tuple[re.Match[str], dict[str, str | None]]]:
        """Yield the marks of a text, with their parts."""
        for found in re.finditer(rf"{ESCAPED}|{self.pattern}", text):
            if found[0][0] != "\\":
                yield found, found.groupdict()


_NAME = r"[\w-]+"
_LETTERS = r"[A-Za-z][\w-]*"
KINDS: Sequence[MarkKind] = (
    MarkKind(
        "[x](#name)", "markdown",
        r"(?P<opens>\[)|(?P<closes>\])(?:\(#(?P<behind>[^()\s]*(?:[^\S\n]+[^()\s]+)*)\))?",
    ),
    MarkKind("[x](name)", "markdown", r"(?P<opens>\[)|(?P<closes>\])(?:\((?P<behind>[^()\s/:#]+)\))?"),
    MarkKind("[x][name]", "markdown", r"(?P<opens>\[)|(?P<closes>\])(?:\[(?P<behind>[\w.-]+)\])?"),
    MarkKind(
        "<m>x</m>#name, <e1>x</e1>", "tagged",
        rf"</z>@(?P<zero>{_NAME})"
        rf"|(?P<inside>\|\s*(?P<before>{_NAME})\s*)?(?P<closes></(?P<closed>{_LETTERS})\s*>)"
        rf"(?:#(?P<loose>{_NAME}))?"
        rf"|(?P<opens><(?P<tag>{_LETTERS})"
        r"(?:\s+[\w:-]+\s*=\s*(?P<quote>[\"'])(?P<first>(?:(?!(?P=quote))[^<>])*)(?P=quote))?\s*>)",
        "MASK", named=False,
    ),
    MarkKind(
        "[m1]x[/m1]", "tagged",
        r"(?P<opens>\[(?P<tag>[A-Za-z][\w-]*[0-9])\])|(?P<closes>\[/(?P<closed>[A-Za-z][\w-]*[0-9])\])",
        named=False,
    ),
    MarkKind(
        "[x]_1, [x]1, [x: 1], [1 x], [x | name]", "bracketed",
        r"(?P<opens>\[)(?P<first>[0-9]+\s+)?"
        rf"|(?P<inside>(?::(?=\s*[0-9]+\s*\])|\|)\s*(?P<before>{_NAME})\s*)?(?P<closes>\])"
        r"(?:_(?P<loose>[\w-]+|\?)|(?P<behind>[0-9]+))?",
        "?",
    ),
)  # fmt: skip


class _Roles(NamedTuple):
    """The roles of the marks of a text."""

    letters: set[int]  # where marks stand that are words
    words: set[int]  # where marks open whose first name is words
    names: set[str]  # those of clusters
    mentions: int
    opens: int  # marks that open
    first: str  # the first mention, as it is written


_Parts: TypeAlias = dict[str, str | None]


def _name(part: _Parts) -> str | None:
    """Return the name that a mark has which closes; None if it has none, and empty if it names no cluster."""
    every = (part.get(place) for place in ("behind", "loose", "before"))
    return next((name for name in every if name is not None), None)


def _first(part: _Parts) -> str:
    """Return the name that a mark has which opens."""
    tag = part.get("tag") or ""
    return (part.get("first") or "").strip() or (tag if tag[-1:].isdigit() else "")


def _roles(text: str, kind: MarkKind, is_original: Callable[[str], bool] = lambda _: False) -> _Roles:
    """Return what marks are; what stands so in the original of a text is words."""
    letters, words, names = set[int](), set[int](), set[str]()
    places: dict[str, array[int]] = {}
    firsts: dict[str, list[str]] = {}
    mentions, opens, by_first, shown = 0, 0, 0, ""
    for found, part in kind.found(text):
        if part["opens"]:
            opens += 1
            tag = part.get("tag") or ""
            places.setdefault(tag, array("q")).append(found.start())
            firsts.setdefault(tag, []).append(_first(part))
        elif part["closes"]:
            tag, name = part.get("closed") or "", _name(part)
            place, first = (places[tag].pop(), firsts[tag].pop()) if places.get(tag) else (-1, "")
            is_mark = name is not None or first or not kind.named
            if not is_mark or (place >= 0 and is_original(text[place : min(found.end(), place + _LONGEST)])):
                letters |= {place, found.start()}
                continue
            names.add(name or first)
            if kind.named and first and name:
                words.add(place)
            shown = shown or text[max(place, 0) : found.end()]
            mentions += 1
            by_first += name is None
    if kind.named and mentions and not by_first:  # a number behind a mark that was left open is a word
        words.update(
            place for place, first in zip(places.get("", ()), firsts.get("", ()), strict=True) if first
        )
    return _Roles(letters, words, names - {""}, mentions, opens, shown)


_LONGEST = 200  # characters of a bracket of the original that is looked for
_HYPHEN = re.compile("-")


def _end_of(name: str, names: set[str]) -> int:
    """Return where a name ends: before a hyphen and no digit, if another mark has what stands before."""
    ends = [found.start() for found in _HYPHEN.finditer(name)] if "-" in name else []
    return next(
        (end for end in ends[::-1] if name[:end] in names and not name[end + 1 :][:1].isdigit()), len(name)
    )


def _marks(text: str, kind: MarkKind, roles: _Roles) -> Iterator[Mark]:
    """Yield the marks of a text, and the text between them, in order."""
    position = 0
    for found, part in kind.found(text):
        at = found.start()
        if at in roles.letters:
            continue
        if part["opens"]:
            yield Mark("text", text[position:at], position)
            is_words = at in roles.words
            yield Mark("open", "" if is_words else _first(part), at, part.get("tag") or "")
            position = found.start("first") if is_words else found.end()
            continue
        loose = part.get("loose") or part.get("zero") or ""
        end = _end_of(loose, roles.names)
        name = loose[:end] or _name(part) or ""
        # With a cluster behind the mark, one inside is words
        is_behind = loose or part.get("behind")
        yield Mark(
            "text", text[position : found.start("closes") if is_behind and part["closes"] else at], position
        )
        position = found.end() - len(loose) + end
        kind_of = "close" if part["closes"] else "zero"
        yield Mark(kind_of, "" if name == kind.alone else name, at, part.get("closed") or "")
    yield Mark("text", text[position:], position)


def _documents(format: str, text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file; a line is a sentence."""
    sources = list(texts_of(text, stem, path))
    rows = [kind for kind in KINDS if kind.format == format]
    roles = [[_roles(source.text, kind) for source in sources] for kind in rows]
    found = [sum(each.mentions for each in every) for every in roles]
    best = [kind for kind, number in zip(rows, found, strict=True) if number == max(found)]
    if max(found) and len(best) > 1:
        why = f"{counted(max(found), 'mention')} if marks are {best[0].looks}, and as many if {best[1].looks}"
        raise InputError(path, "", f"{why}: write all in one of these kinds")
    if not max(found):  # all marks may have been left open
        opens = [sum(each.opens for each in every) for every in roles]
        best = [rows[opens.index(max(opens))]]
    for source in sources:
        yield _document(source, best[0], "")


def _document(source: MarkedText, kind: MarkKind, original: str) -> Document:
    begins = {original[found.start() :][:2] for found in re.finditer(r"[\[<]", original)}

    def is_original(written: str) -> bool:
        solid = "".join(written.split())
        return solid[:2] in begins and solid in original

    roles = _roles(source.text, kind, is_original) if begins else _roles(source.text, kind)
    document = nested(source, _marks(source.text, kind, roles), kind.format)
    notes = [
        f"the clusters {quoted(name.partition('-')[0])} and {quoted(name)}: is the hyphen a word?"
        for name in sorted(roles.names)
        if _end_of(name, roles.names) == len(name) and name.partition("-")[0] in roles.names - {name}
    ][:1]
    if not document.has_mentions and not document.repairs and (unread := unread_in(source, "")):
        notes.append(f"{unread[0]}: {unread[1]}")
    return document._replace(notes=[*document.notes, *notes], against=partial(_against, source, kind))


def _against(source: MarkedText, kind: MarkKind, document: Document, words: Sequence[str]) -> Document:
    """Return a document read again, as a copy of some words: brackets that stand in these are words, too."""
    original = "".join("".join(words).split())
    if "[" in original or "<" in original:
        again = _document(source, kind, original)
        parts = {
            name: getattr(again, name)
            for name in ("clusters", "sentences", "words", "repairs", "trees", "notes")
        }
        document = document._replace(**parts)
    return refuse_unread(source, document, original)


# Texts of which no bracket is a mention

_BRACKETED = re.compile(
    r"(?<!\\)\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\]|_[\w?-]+|[0-9]+)?"
    r"|(?<!\\)</?[A-Za-z][\w-]*(?:\s[^<>\n]*)?>"
)


def unread_in(source: MarkedText, original: str) -> tuple[str, str] | None:
    """Return where the first bracket or tag is that a text has and its original lacks, and what to do."""
    place, number, first = 0, 0, None
    for found in _BRACKETED.finditer(source.text):
        number += 1
        solid = "".join(found[0].split())
        known = original.find(solid, place)
        place = known + len(solid) if known >= 0 else place
        first = first or (found if known < 0 else None)
    if first is None:
        return None
    what = "1 bracket or tag" if number == 1 else f"{number} brackets and tags"
    looks: dict[str, list[str]] = {"plaintext": ["x|[name]"]}
    for kind in KINDS:
        looks.setdefault(kind.format, []).append(kind.looks)
    known_kinds = "; ".join(f"{form}: {', '.join(every)}" for form, every in sorted(looks.items()))
    form, _ = told(source.text)
    hint = f"name the format {form}" if form else f"known are {known_kinds}"
    why = f"{what}{_NO_MENTION}: the first is {quoted(first[0])} ({hint}; a backslash makes it words)"
    return source.places()(first.start()), why


_NO_MENTION = ", of which none is a mention"


def refuse_unread(source: MarkedText, document: Document, original: str) -> Document:
    """Return a document; an InputError tells of brackets of which none is a mention, nor in its original."""
    if document.has_mentions or document.repairs:
        return document
    if unread := unread_in(source, original):
        raise InputError(source.path, *unread)
    return document._replace(notes=[note for note in document.notes if _NO_MENTION not in note])


def told(text: str) -> tuple[str, str]:
    """Return the format whose marks make most mentions of a text, and the first of these; nothing if none do.

    >>> told("Sure: [Tom]_1 left."), told("[1, 2]")
    (('bracketed', '[Tom]_1'), ('', ''))
    """
    every = [(_roles(text, kind), kind.format) for kind in KINDS]
    roles, form = max(every, key=lambda row: row[0].mentions)
    return (form, roles.first) if roles.mentions else ("", "")


_WORDS_IN_BRACKETS = r"\s*\[[^\W\d_][^\[\]\n]*\][^\n]*\w"  # no JSON, though it begins like a list


def refuse_marks(text: str, path: str, option: str) -> bool:
    """Raise an InputError for a text with marks whose format is to be named, but for JSON and XML.

    True if a text holds JSON between fences.
    """
    is_other = fenced_json(text) or text.lstrip()[:1] == "{" or re.match(LIST, text) or _is_element(text)
    form, shown = ("", "") if is_other else told(text)
    if form:
        named = " or ".join(f"{one}={form}" for one in option.split(" or "))
        why = f"a text with marks such as {quoted(shown)}? Read it with {named}"
        raise InputError(path, "", f"{why} (see scorch2 help language-models)")
    if not is_other and re.match(_WORDS_IN_BRACKETS, text):
        raise InputError(path, *cast("tuple[str, str]", unread_in(MarkedText("", text, path, 1), "")))
    return fenced_json(text) is not None


def _is_element(text: str) -> bool:
    """Return whether a text is one element of XML: nothing stands behind the tag that closes it."""
    root = re.match(r"\s*<(?:[?!]|([A-Za-z][\w.:-]*)[^<>]*>)", text)
    return root is not None and not (root[1] and text.partition(f"</{root[1]}>")[2].strip())


markdown_documents, tagged_documents, bracketed_documents = (
    partial(_documents, form) for form in ("markdown", "tagged", "bracketed")
)
markdown_fitting = tagged_fitting = bracketed_fitting = fitting


def markdown_write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "markdown", lambda number: ("[", f"](#{number and f'cluster_{number}'})"), "[]")


def tagged_write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "tagged", lambda number: ("<m>", f"</m>#{number or 'MASK'}"), "<")


def bracketed_write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "bracketed", lambda number: ("[", f"]_{number or '?'}"), "[]")
