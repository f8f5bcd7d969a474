r"""Links of Markdown around mentions: ``[Tom](#cluster_0) and [[Hong Kong](#hk) and others](#bridge)``.

Follows the prompts of Le & Ritter, Are Large Language Models Robust Coreference Resolvers?
(https://github.com/nle18/coref-llms, commit 6a9ac14). ``[Tom](#)`` is a mention that names no cluster. Other
brackets and links are words.
"""

import re
from collections.abc import Iterator

from scorch2.formats.marked.shared import ESCAPED, Mark, fitting, nested, texts_of, written
from scorch2.model.document import Document

_BRACKET = re.compile(rf"{ESCAPED}|(\[)|(\](?:\(#([^()\s]*)\))?)")


def documents(text: str, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file; a line is a sentence."""
    for source in texts_of(text, stem, path):
        yield nested(source, _marks(source.text), "markdown")


def _marks(text: str) -> list[Mark]:
    """Return the marks of a text, and the text between them, in order."""
    marks: list[Mark] = []
    opened: list[int] = []  # the places of brackets in `marks` that may be a mark or a word
    position = 0
    for found in _BRACKET.finditer(text):
        opens, closes, cluster = found.groups()
        if not (opens or closes):
            continue
        marks.append(Mark("text", text[position : found.start()], position))
        position = found.end()
        if opens:
            opened.append(len(marks))
            marks.append(Mark("open", "", found.start()))
        elif cluster is None:
            if opened:  # a pair of brackets without a link
                place = opened.pop()
                marks[place] = Mark("text", "[", marks[place].at)
            marks.append(Mark("text", "]", found.start()))
        else:
            if opened:
                opened.pop()
            marks.append(Mark("close", cluster, found.start()))
    return [*marks, Mark("text", text[position:], position)]


def write(document: Document) -> str:
    """Return a document, a line for each sentence."""
    return written(document, "markdown", _link, "[]")


def _link(number: str) -> tuple[str, str]:
    return "[", f"](#{number and f'cluster_{number}'})"


__all__ = ["documents", "fitting", "write"]
