r"""Links of Markdown around mentions: ``[Tom](#cluster_0) and [[Hong Kong](#hk) and others](#bridge)``.

Follows the prompts of Le & Ritter, Are Large Language Models Robust Coreference Resolvers?
(https://github.com/nle18/coref-llms, commit 6a9ac14). ``[Tom](#)`` is a mention that names no cluster. Other
brackets and links are words.
"""

import re
from array import array
from collections.abc import Iterator

from scorch2.formats.marked.shared import ESCAPED, Mark, fitting, nested, texts_of, written
from scorch2.model.document import Document

_BRACKET = re.compile(rf"{ESCAPED}|(\[)|(\](?:\(#([^()\s]*)\))?)")


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file; a line is a sentence."""
    for source in texts_of(text, stem, path):
        yield nested(source, _marks(source.text), "markdown")


def _marks(text: str) -> Iterator[Mark]:
    """Yield the marks of a text, and the text between them, in order."""
    letters = _letters(text)
    position = 0
    for found in _BRACKET.finditer(text):
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
    for found in _BRACKET.finditer(text):
        opens, closes, cluster = found.groups()
        if opens:
            opened.append(found.start())
        elif closes and opened:
            place = opened.pop()
            if cluster is None:
                letters.add(place)
    return letters


def write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "markdown", _link, "[]")


def _link(number: str) -> tuple[str, str]:
    return "[", f"](#{number and f'cluster_{number}'})"


__all__ = ["documents", "fitting", "write"]
