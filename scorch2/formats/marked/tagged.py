r"""Tags of XML around mentions, as a model copies a text: ``<m>Tom</m>#0 saw <m>her</m>#1``.

Three ways to name the cluster: behind the tag that closes (CorefInst, ``<m>Tom</m>#0``, and ``</z>@3`` for a
zero), behind a bar before it (Seq2seqCoref, ``<m> Tom | 3 </m>``), or in the tag that opens
(``<e1>Tom</e1>``, ``<mention id="1">Tom</mention>``). A mention that names none, or ``#MASK``, is alone.
Nothing else of XML is known: ``&`` is a letter, and a backslash makes ``<`` one.
"""

import re
from collections.abc import Iterator

from scorch2.formats.marked.shared import ESCAPED, Mark, fitting, nested, texts_of, written
from scorch2.model.document import Document

_TAG = re.compile(
    rf"{ESCAPED}"
    r"|</z>@(?P<zero>[\w-]+)"
    r"|(?:\|\s*(?P<bar>[\w-]+)\s*)?</(?P<closed>[A-Za-z][\w-]*)\s*>(?:#(?P<behind>[\w-]+))?"
    r"|<(?P<opened>[A-Za-z][\w-]*)(?:\s+[\w:-]+\s*=\s*(?:\"(?P<double>[^\"<>]*)\"|'(?P<single>[^'<>]*)'))?\s*>"
)
_UNDECIDED = "MASK"


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file; a line is a sentence."""
    for source in texts_of(text, stem, path):
        yield nested(source, _marks(source.text), "tagged")


def _marks(text: str) -> Iterator[Mark]:
    position = 0
    for found in _TAG.finditer(text):
        if found[0][0] == "\\":
            continue
        yield Mark("text", text[position : found.start()], position)
        position = found.end()
        part = found.groupdict()
        at = found.start()
        if part["zero"]:
            yield Mark("zero", part["zero"], at)
        elif part["closed"]:
            if part["behind"]:  # a bar inside is a word
                yield Mark("text", found[0][: found[0].index("</")], at)
            cluster = part["behind"] or part["bar"] or ""
            yield Mark("close", "" if cluster == _UNDECIDED else cluster, at, part["closed"])
        else:
            tag = part["opened"]
            named = part["double"] or part["single"] or (tag if tag[-1].isdigit() else "")
            yield Mark("open", named, at, tag)
    yield Mark("text", text[position:], position)


def write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "tagged", lambda number: ("<m>", f"</m>#{number or _UNDECIDED}"), "<")


__all__ = ["documents", "fitting", "write"]
