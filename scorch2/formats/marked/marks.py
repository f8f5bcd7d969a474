r"""Marks around mentions, in brackets or tags.

Links of Markdown around mentions: ``[Tom](#cluster_0) and [[Hong Kong](#hk) and others](#bridge)``.

Follows the prompts of Le & Ritter, Are Large Language Models Robust Coreference Resolvers?
(https://github.com/nle18/coref-llms, commit 6a9ac14). ``[Tom](#)`` is a mention that names no cluster. Other
brackets and links are words.

Tags of XML around mentions, as a model copies a text: ``<m>Tom</m>#0 saw <m>her</m>#1``.

Three ways to name the cluster: behind the tag that closes (CorefInst, ``<m>Tom</m>#0``, and ``</z>@3`` for a
zero), behind a bar before it (Seq2seqCoref, ``<m> Tom | 3 </m>``), or in the tag that opens
(``<e1>Tom</e1>``, ``<mention id="1">Tom</mention>``). A mention that names none, or ``#MASK``, is alone.
Nothing else of XML is known: ``&`` is a letter, and a backslash makes ``<`` one.

Brackets around mentions with the number of their cluster: ``[Tom]_1 saw [her]_2``.

Also ``[Tom]1``, ``[Tom: 1]`` and ``[1 Tom]``; ``[Tom]_?`` names no cluster. Brackets without a number are
words.
"""

import re
from array import array
from collections.abc import Iterator

from scorch2.formats.marked.shared import ESCAPED, Mark, fitting, nested, texts_of, written
from scorch2.model.document import Document

_LINKED = re.compile(rf"{ESCAPED}|(\[)|(\](?:\(#([^()\s]*)\))?)")


def markdown_documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file; a line is a sentence."""
    for source in texts_of(text, stem, path):
        yield nested(source, _links(source.text), "markdown")


def _links(text: str) -> Iterator[Mark]:
    """Yield the marks of a text, and the text between them, in order."""
    letters = _letters(text)
    position = 0
    for found in _LINKED.finditer(text):
        opens, _, cluster = found.groups()
        at = found.start()
        if (opens and at not in letters) or cluster is not None:
            yield Mark("text", text[position:at], position)
            yield Mark("open", "", at) if opens else Mark("close", cluster, at)
            position = found.end()
    yield Mark("text", text[position:], position)


def _letters(text: str) -> set[int]:
    """Return where brackets open that close without a link."""
    letters: set[int] = set()
    opened = array("q")
    for found in _LINKED.finditer(text):
        opens, closes, cluster = found.groups()
        if opens:
            opened.append(found.start())
        elif closes and opened:
            place = opened.pop()
            if cluster is None:
                letters.add(place)
    return letters


def markdown_write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "markdown", _link, "[]")


def _link(number: str) -> tuple[str, str]:
    return "[", f"](#{number and f'cluster_{number}'})"


_TAG = re.compile(
    rf"{ESCAPED}"
    r"|</z>@(?P<zero>[\w-]+)"
    r"|(?:\|\s*(?P<bar>[\w-]+)\s*)?</(?P<closed>[A-Za-z][\w-]*)\s*>(?:#(?P<behind>[\w-]+))?"
    r"|<(?P<opened>[A-Za-z][\w-]*)(?:\s+[\w:-]+\s*=\s*(?:\"(?P<double>[^\"<>]*)\"|'(?P<single>[^'<>]*)'))?\s*>"
)
_UNDECIDED = "MASK"


def tagged_documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file; a line is a sentence."""
    for source in texts_of(text, stem, path):
        yield nested(source, _tags(source.text), "tagged")


def _tags(text: str) -> Iterator[Mark]:
    position = 0
    for found in _TAG.finditer(text):
        if found[0][0] == "\\":
            continue
        part = found.groupdict()
        at = found.start()
        # With a cluster behind the tag, a bar inside is words
        end = found.start("closed") - len("</") if part["behind"] else at
        yield Mark("text", text[position:end], position)
        position = found.end()
        if part["zero"]:
            yield Mark("zero", part["zero"], at)
        elif part["closed"]:
            cluster = part["behind"] or part["bar"] or ""
            yield Mark("close", "" if cluster == _UNDECIDED else cluster, at, part["closed"])
        else:
            tag = part["opened"]
            named = part["double"] or part["single"] or (tag if tag[-1].isdigit() else "")
            yield Mark("open", named, at, tag)
    yield Mark("text", text[position:], position)


def tagged_write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "tagged", lambda number: ("<m>", f"</m>#{number or _UNDECIDED}"), "<")


_BRACKET = re.compile(
    rf"{ESCAPED}|(?P<opens>\[)(?P<first>[0-9]+\s+)?"
    r"|(?P<colon>:\s*(?P<last>[0-9]+)\s*)?\](?:_(?P<behind>[\w-]+|\?)|(?P<number>[0-9]+))?"
)


def bracketed_documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file; a line is a sentence."""
    for source in texts_of(text, stem, path):
        yield nested(source, _brackets(source.text), "bracketed")


def _brackets(text: str) -> Iterator[Mark]:
    """Yield the marks of a text, and the text between them, in order."""
    letters, words = _other_brackets(text)
    position = 0
    firsts: list[str] = []
    for found in _BRACKET.finditer(text):
        at = found.start()
        if found[0][0] == "\\":
            continue
        if found["opens"]:
            firsts.append(found["first"] or "")
            if at not in letters:
                yield Mark("text", text[position:at], position)
                yield Mark("open", "" if at in words else firsts[-1].strip(), at)
                position = at + 1 if at in words else found.end()
            continue
        cluster = _cluster(found, firsts.pop() if firsts else "")
        if cluster:  # with a number behind, one inside is words
            end = at + len(found["colon"] or "") if _behind(found) else at
            yield Mark("text", text[position:end], position)
            yield Mark("close", cluster.strip("?"), at)
            position = found.end()
    yield Mark("text", text[position:], position)


def _behind(found: re.Match[str]) -> str:
    return found["behind"] or found["number"] or ""


def _cluster(found: re.Match[str], first: str) -> str:
    """Return the cluster that a bracket names which closes, or else the number behind the one that opens."""
    return _behind(found) or found["last"] or first.strip()


def _other_brackets(text: str) -> tuple[set[int], set[int]]:
    """Return where brackets open that name no cluster, and where a number is words behind one that opens."""
    letters: set[int] = set()
    words: set[int] = set()
    places, firsts = array("q"), list[str]()
    for found in _BRACKET.finditer(text):
        if found["opens"]:
            places.append(found.start())
            firsts.append(found["first"] or "")
        elif found[0][0] != "\\" and places:
            place, first = places.pop(), firsts.pop()
            if not _cluster(found, first):
                letters.add(place)
            elif first and _behind(found):
                words.add(place)
    return letters, words


def bracketed_write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "bracketed", lambda number: ("[", f"]_{number or '?'}"), "[]")


markdown_fitting = tagged_fitting = bracketed_fitting = fitting
