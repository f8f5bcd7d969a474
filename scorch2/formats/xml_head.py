"""The first elements of XML, found without a parser: enough to tell one format from another."""

import re
from collections.abc import Iterator
from itertools import islice

_HEAD = 1 << 16
"""Bytes that are looked at."""
is_markup = re.compile(rb"(?:\xef\xbb\xbf)?\s*<|(?:\xff\xfe)?<\0|(?:\xfe\xff)?\0<").match
"""Whether bytes begin as XML does, in UTF-8 and encodings that resemble it, or in UTF-16."""
_ELEMENT = r"""(?s)<!--(?:.*?-->|.*)|<\?(?:.*?\?>|.*)|<!(?:"[^"]*"|'[^']*'|[^"'<>])*|<([\w.:-]+)"""
"""A comment, an instruction, a declaration, or the start of an element with its name; compiled on use."""
_UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}


def decoded(head: bytes) -> str:
    """Return the text at the beginning of a file in UTF-8 or UTF-16, without a byte order mark."""
    return head.decode(_UTF_16.get(head[:2], "utf-8"), "replace").removeprefix("\ufeff")


def elements(data: bytes) -> Iterator[str]:
    """Yield the names of the elements that begin in the first kilobytes, in their order: first the root.

    >>> list(elements(b"<?xml version='1.0'?><!-- <no> --><text id='1'><s>word</s></text>"))
    ['text', 's']
    >>> list(elements(b'<!DOCTYPE markables SYSTEM "<md>.dtd"><markables>'))
    ['markables']
    """
    for found in re.finditer(_ELEMENT, decoded(data[:_HEAD])):
        if found[1]:
            yield found[1]


def is_exercise(data: bytes) -> bool:
    """Return whether XML is of the anaphora exercise: by its root, or what is inside a root of any name."""
    from scorch2.formats.are.marks import INSIDE

    names = elements(data)
    return next(names, "") == "are" or next(names, "") in INSIDE[""]


def is_mmax(data: bytes) -> bool:
    """Return whether XML is a level of markables of MMAX2, or its words: by its root."""
    return next(elements(data), "") in ("markables", "words")


def is_ecb(data: bytes) -> bool:
    """Return whether XML is a file of ECB+: by its root and what comes first in it."""
    return list(islice(elements(data), 2)) in (["Document", "token"], ["Document", "Markables"])
