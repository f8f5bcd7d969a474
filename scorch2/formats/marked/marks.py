r"""Texts with nested marks, in brackets or tags: a table of kinds of marks, and one reader for all of them.

Which kind a text has is found from all of it: the one of its format that makes most mentions. Other brackets
and tags are words, of which a note tells unless the original has them.

Links (`markdown`): ``[Tom](#cluster_0) and [[Hong Kong](#hk) and others](#bridge)``, after the prompts of
Le & Ritter, Are Large Language Models Robust Coreference Resolvers? (https://github.com/nle18/coref-llms,
commit 6a9ac14). ``[Tom](#)`` is a mention that names no cluster. A name without ``#`` has no ``/``, ``:`` or
blank, so that links to pages are words.

Tags (`tagged`): the cluster stands behind the tag that closes (CorefInst, ``<m>Tom</m>#0``, and ``</z>@3``
for a zero), behind a bar before it (Seq2seqCoref, ``<m> Tom | 3 </m>``), or in the tag that opens
(``<mention id="1">Tom</mention>``); a tag that ends in a digit is a name (``<e1>Tom</e1>``, another kind).
A mention that names none, or ``#MASK``, is alone. ``&`` is a letter, and a backslash makes ``<`` one.

Brackets (`bracketed`): ``[Tom]_1``, ``[Tom]1``, ``[Tom: 1]``, ``[Tom | 1]``, ``[1 Tom]``; ``[Tom]_?`` names
no cluster.
"""

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

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


def _tags(letters: str) -> str:
    """Return the pattern of marks in tags whose names are such letters."""
    return (
        rf"</z>@(?P<zero>{_NAME})"
        rf"|(?P<inside>\|\s*(?P<before>{_NAME})\s*)?(?P<closes></(?P<closed>{letters})\s*>)"
        rf"(?:#(?P<loose>{_NAME}))?"
        rf"|(?P<opens><(?P<tag>{letters})"
        r"(?:\s+[\w:-]+\s*=\s*(?P<quote>[\"'])(?P<first>(?:(?!(?P=quote))[^<>])*)(?P=quote))?\s*>)"
    )


KINDS: Sequence[MarkKind] = (
    MarkKind(
        "[x](#name)", "markdown",
        r"(?P<opens>\[)|(?P<closes>\])(?:\(#(?P<behind>[^()\s]*(?:[^\S\n]+[^()\s]+)*)\))?",
    ),
    MarkKind("[x](name)", "markdown", r"(?P<opens>\[)|(?P<closes>\])(?:\((?P<behind>[^()\s/:#]+)\))?"),
    MarkKind("[x][name]", "markdown", r"(?P<opens>\[)|(?P<closes>\])(?:\[(?P<behind>[\w.-]+)\])?"),
    MarkKind("<m>x</m>#name", "tagged", _tags(r"[A-Za-z][\w-]*(?<!\d)"), "MASK", named=False),
    MarkKind("<e1>x</e1>", "tagged", _tags(r"[A-Za-z][\w-]*(?<=\d)"), "MASK", named=False),
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
        left = zip(places.get("", ()), firsts.get("", ()), strict=True)
        words.update(place for place, first in left if first)
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
    found = [(sum(each.mentions for each in every), sum(each.opens for each in every)) for every in roles]
    most, _ = max(found)
    best = [kind.looks for kind, (number, _) in zip(rows, found, strict=True) if number == most > 0]
    if len(best) > 1:
        why = f"{counted(most, 'mention')} if marks are {best[0]}, and as many if {best[1]}"
        raise InputError(path, "", f"{why}: write all in one of these kinds")
    kind = rows[found.index(max(found))]  # with no mention all marks may have been left open
    for source in sources:
        yield _document(source, kind, None)


def _document(source: MarkedText, kind: MarkKind, original: str | None) -> Document:
    """Return a document; an original is known if the text is read as a copy of it."""
    solid_original = original or ""
    begins = {solid_original[found.start() :][:2] for found in re.finditer(r"[\[<]", solid_original)}

    def is_original(written: str) -> bool:
        solid = "".join(written.split())
        return solid[:2] in begins and solid in solid_original

    roles = _roles(source.text, kind, is_original) if begins else _roles(source.text, kind)
    document = nested(source, _marks(source.text, kind, roles), kind.format)
    notes = [
        f"the clusters {quoted(name.partition('-')[0])} and {quoted(name)}: is the hyphen a word?"
        for name in sorted(roles.names)
        if _end_of(name, roles.names) == len(name) and name.partition("-")[0] in roles.names - {name}
    ][:1]
    words = ((mark.value, mark.at) for mark in _marks(source.text, kind, roles) if mark.kind == "text")
    unread = [*unread_in(words, solid_original)]
    against = partial(_against, source, kind, bool(unread))
    document = document._replace(notes=[*document.notes, *notes], against=against)
    return with_unread(source, document, unread, original)


def _against(
    source: MarkedText, kind: MarkKind, is_unread: bool, document: Document, words: Sequence[str]
) -> Document:
    """Return a document read again, as a copy of some words: brackets that stand in these are words, too."""
    original = "".join("".join(words).split())
    if not (is_unread or "[" in original or "<" in original):
        return document
    again = _document(source, kind, original)
    parts = "clusters", "sentences", "words", "repairs", "trees", "notes"
    return document._replace(**{name: getattr(again, name) for name in parts})


# Brackets and tags that are no marks

_BRACKETED = re.compile(
    r"(?<!\\)\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\]|_[\w?-]+|[0-9]+)?"
    r"|(?<!\\)\](?:\(#?[^()\s]+\)|_[\w?-]+|[0-9]+)"  # around one that is read, or another
    r"|(?<!\\)</?[A-Za-z][\w-]*(?:\s[^<>\n]*)?>"
)


def unread_in(words: Iterable[tuple[str, int]], original: str) -> Iterator[tuple[str, int]]:
    """Yield the brackets and tags of words that an original lacks, all with their places."""
    place = 0
    for text, at in words:
        for found in _BRACKETED.finditer(text):
            solid = "".join(found[0].split())
            known = original.find(solid, place)
            if known < 0:
                yield found[0], at + found.start()
            else:
                place = known + len(solid)


def with_unread(
    source: MarkedText, document: Document, unread: Sequence[tuple[str, int]], original: str | None
) -> Document:
    """Return a document with a note of brackets that are no marks; with no original, of those like some."""
    # An InputError tells of them if none is a mention, nor in the original
    is_read = document.has_mentions or bool(document.repairs)
    forms = " or ".join(told(" ".join(written for written, _ in unread)))
    if not unread or (original is None and is_read and not forms):
        return document
    every = sorted([("plaintext", "x|[name]"), *((kind.format, kind.looks) for kind in KINDS)])
    looks = (f"{form}: {', '.join(row[1] for row in rows)}" for form, rows in groupby(every, itemgetter(0)))
    hint = f"name the format {forms}" if forms else f"known are {'; '.join(looks)}"
    lack, hint = (" not read", "write all in one kind") if is_read else (", of which none is a mention", hint)
    what = "1 bracket or tag" if len(unread) == 1 else f"{len(unread)} brackets and tags"
    why = f"{what}{lack}: the first is {quoted(unread[0][0])} ({hint}; a backslash makes it words)"
    where = source.places()(unread[0][1])
    if original is not None and not is_read:
        raise InputError(source.path, where, why)
    return document._replace(notes=[*document.notes, f"{where}: {why}"])


def told(text: str) -> dict[str, str]:
    """Return the format whose marks make most mentions of a text, with the first of these; all if many do.

    >>> told("Sure: [Tom]_1 left."), told("[Ann](1) [Tom]_1"), told("[1, 2]")
    ({'bracketed': '[Tom]_1'}, {'markdown': '[Ann](1)', 'bracketed': '[Tom]_1'}, {})
    """
    every = [(_roles(text, kind), kind.format) for kind in KINDS]
    most = max(roles.mentions for roles, _ in every)
    return {form: roles.first for roles, form in every if roles.mentions == most > 0}


_WORDS_IN_BRACKETS = r"\s*\[[^\W\d_][^\[\]\n]*\][^\n]*\w"  # no JSON, though it begins like a list


def refuse_marks(text: str, path: str, option: str) -> bool:
    """Raise an InputError for a text with marks whose format is to be named, but for JSON and XML."""
    # True if a text holds JSON between fences
    is_other = fenced_json(text) or text.lstrip()[:1] == "{" or re.match(LIST, text) or _is_element(text)
    forms = {} if is_other else told(text)
    if forms:
        named = " or ".join(f"{one}={form}" for form in forms for one in option.split(" or "))
        shown = " and as many such as ".join(map(quoted, forms.values()))
        why = f"a text with marks such as {shown}? Read it with {named}"
        raise InputError(path, "", f"{why} (see scorch2 help language-models)")
    if not is_other and re.match(_WORDS_IN_BRACKETS, text):
        with_unread(MarkedText("", text, path, 1), Document("", {}), [*unread_in([(text, 0)], "")], "")
    return fenced_json(text) is not None


def _is_element(text: str) -> bool:
    """Return whether a text is one element of XML: nothing stands behind the tag that closes it."""
    root = re.match(r"\s*<(?:[?!]|([A-Za-z][\w.:-]*)[^<>]*>)", text)
    return root is not None and not (root[1] and text.partition(f"</{root[1]}>")[2].strip())


markdown_documents, tagged_documents, bracketed_documents = (
    partial(_documents, form) for form in ("markdown", "tagged", "bracketed")
)
markdown_fitting = tagged_fitting = bracketed_fitting = fitting


markdown_write = partial(
    written, what="markdown", marks=lambda number: ("[", f"](#{number and f'cluster_{number}'})"), signs="[]"
)
tagged_write = partial(
    written, what="tagged", marks=lambda number: ("<m>", f"</m>#{number or 'MASK'}"), signs="<"
)
bracketed_write = partial(
    written, what="bracketed", marks=lambda number: ("[", f"]_{number or '?'}"), signs="[]"
)
