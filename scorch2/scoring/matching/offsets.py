"""Count the spans of a side as ``--gold-offsets`` or ``--sys-offsets`` says, whatever its format says.

With it, lists of two integers are spans too, in the unit of the other side.
"""

from scorch2.formats.table import row_of
from scorch2.model.document import COUNTINGS, Document, Mention, Shift, counting_of, mention_names, shift_of
from scorch2.model.errors import InputError, Notice, quoted
from scorch2.model.options import Options

_SPAN = 2
"""Integers of a span: start and end."""


def shifted(gold: Document, system: Document, options: Options) -> tuple[Document, Document, list[Notice]]:
    """Return both documents with half-open spans that count from 0, and notices about formats overruled.

    Raises
    ------
    InputError
        For a mention that is no span, or would not lie in the text.
    """
    sides = []
    notices = []
    for document, other, value, side in (
        (gold, system, options.gold_offsets, "gold"),
        (system, gold, options.sys_offsets, "sys"),
    ):
        if value is None or not any(document.clusters.values()):
            sides.append(document)
            continue
        option = f"--{side}-offsets={value}"
        taken = counting_of(document) if document.has_spans else COUNTINGS["exclusive"]
        added = shift_of(value, taken)
        if document.has_spans and any(added):
            ends = "exclusive" if taken.exclusive else "inclusive"
            about = row_of(document.format).about or "its format"
            why = f"{option} overrules {about}: {ends} ends, from {taken.first}"
            notices.append(Notice("offsets", "", why))
        sides.append(_shifted(document, other, added, option))
    return sides[0], sides[1], notices


def _shifted(document: Document, other: Document, added: Shift, option: str) -> Document:
    length = None if document.sentences is None else sum(document.sentences)
    clusters = {}
    for name, members in document.clusters.items():
        spans: list[Mention] = []
        for mention in members:
            if not isinstance(mention, tuple) or len(mention) != _SPAN:
                what = (
                    f"the mention {quoted(mention)} of {quoted(document.id)} is no span of a start and an end"
                )
                raise InputError(
                    document.path or document.id, "", f"{what}, which {option} needs (leave it out)"
                )
            start, end = mention[0] + added.start, mention[1] + added.end
            if not 0 <= start < end or (length is not None and end > length):
                raise _outside(document, mention, (start, end), option)
            spans.append((start, end))
        clusters[name] = spans
    if document.has_spans:
        return document._replace(clusters=clusters)
    return document._replace(clusters=clusters, half_open=True, unit=other.unit if other.has_spans else "")


def _outside(document: Document, mention: Mention, found: tuple[int, int], option: str) -> InputError:
    why = "holds nothing" if found[0] >= found[1] else "does not lie in the text"
    what = f"with {option} the mention {mention_names(document)(mention)} of {quoted(document.id)} {why}"
    return InputError(document.path or document.id, "", f"{what}: its numbers do not count so")
