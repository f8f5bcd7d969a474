"""CorefUD: CoNLL-U with mentions in the attribute Entity of MISC (https://ufal.mff.cuni.cz/corefud).

Documents begin at ``# newdoc`` lines, and ``# global.Entity`` names the fields of an opening bracket. A
mention may be in several pieces, and hold empty nodes; whatever stands between its brackets belongs to it. A
bracket may name the head. GUM's own files, whose brackets have other fields, are read, too.
"""

import re
from collections.abc import Iterator

from scorch2.formats.conllu.corefud.annotation import annotation
from scorch2.formats.conllu.corefud.cells import Header, header_of
from scorch2.formats.conllu.corefud.relations import markables, relations
from scorch2.formats.conllu.corefud.syntax import sentence_ids, tags, trees, words
from scorch2.formats.conllu.misc import CellError
from scorch2.formats.conllu.parts import Part, comments_with, parts
from scorch2.model.document import Document, OnDemand, Words
from scorch2.model.errors import InputError, quoted

_HEADER = re.compile(r"#[ \t]*global\.Entity[ \t]*=[ \t]*(.*?)[ \t\r]*")


def documents(data: bytes, stem: str, path: str) -> Iterator[Document]:
    """Yield the documents of a file in its order.

    Raises
    ------
    InputError
        With the line: rows that are no CoNLL-U, brackets that do not match, a mention that leaves its
        sentence, a head outside of its mention, a link to an entity without a mention.
    """
    header, line = file_header(data, path)
    found = False
    for part in parts(data, stem, path):
        found = True
        yield _document(part, header, line, path)
    if not found:
        raise InputError(path, "", "no document in it (no word)")


def file_header(data: bytes, path: str) -> tuple[Header | None, int]:
    """Return the fields that a file names for its brackets, and the line; None and 0 if it names none."""
    header, first = None, 0
    line, position = 1, 0
    for start, comment in comments_with(b"global.Entity", data):
        if match := _HEADER.fullmatch(comment):
            line += data.count(b"\n", position, start)
            position = start
            if header is None:
                header, first = _header(match[1], line, path), line
            elif match[1] != header.written:
                why = f"the fields {quoted(match[1])}, but {quoted(header.written)} on line {first}"
                raise InputError(path, f"line {line}", f"{why} (write one order in a file)")
    return header, first


def _header(written: str, line: int, path: str) -> Header:
    try:
        return header_of(written)
    except CellError as error:
        raise InputError(path, f"line {line}", str(error)) from None


def _document(part: Part, header: Header | None, line: int, path: str) -> Document:
    source = part, header, line, path
    found = annotation(*source)
    clusters = {entity: [one.mention for one in members] for entity, members in found.mentions.items()}
    return Document(
        part.name,
        clusters,
        path,
        found.sentences,
        "corefud",
        words=Words(words, part),
        notes=found.notes,
        tags=Words(tags, part),
        markables=OnDemand(markables, *source),
        relations=OnDemand(relations, *source),
        trees=OnDemand(trees, part),
        sentence_ids=OnDemand(sentence_ids, part),
    )
