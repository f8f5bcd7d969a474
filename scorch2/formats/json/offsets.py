"""The keys ``offsets`` and ``unit`` of clusters and graph JSON: what lists of two integers mean.

With ``"offsets": "exclusive"`` or ``"inclusive"`` they are spans, which compare with those of other formats;
``"unit": "token"`` or ``"char"`` says what they count. Without ``offsets`` they are ids, which compare with
lists as they are.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scorch2.formats.places import UNITS
from scorch2.model.document import Document, Mention
from scorch2.model.errors import InputError, quoted

ENDS = {"exclusive": 0, "inclusive": 1}
"""The values of ``offsets``, with the number that makes an end half-open when it is added."""
_SPAN = 2
"""Integers of a span: start and end."""


class Offsets(NamedTuple):
    """The meaning of the spans of a file."""

    shift: int
    """Added to an end, it gives the half-open end."""
    unit: str
    """A value of `Document.unit`; empty if the file does not say."""

    @property
    def exclusive(self) -> bool:
        """True if the file writes ends as what follows the span."""
        return self.shift == 0


def offsets_of(value: Mapping[str, Any], path: str) -> Offsets:
    """Return what an object says about its spans.

    Raises
    ------
    InputError
        If ``offsets`` or ``unit`` is not one of the known values, or ``offsets`` is missing.
    """
    ends, unit = value.get("offsets"), value.get("unit")
    if type(ends) is not str or ends not in ENDS:
        raise InputError(
            path, "$.offsets", f"should say what the ends of spans are: one of {', '.join(ENDS)}"
        )
    if unit is not None and (type(unit) is not str or unit not in UNITS):
        raise InputError(path, "$.unit", f"should say what spans count: one of {', '.join(UNITS)}")
    return Offsets(ENDS[ends], "" if unit is None else UNITS[unit])


def as_spans(mentions: Sequence[Mention], offsets: Offsets, path: str, where: str) -> list[Mention]:
    """Return mentions with every list as the half-open span that it means.

    Raises
    ------
    InputError
        For a list that is not a start and an end after it, with its place below `where`.
    """
    found: list[Mention] = []
    for i, mention in enumerate(mentions):
        if not isinstance(mention, tuple):
            found.append(mention)
            continue
        if len(mention) != _SPAN or mention[0] < 0:
            why = f"a span is a list of two offsets, the start and the end, not {quoted(mention)}"
            raise InputError(path, f"{where}[{i}]", why)
        start, end = mention[0], mention[1] + offsets.shift
        if start >= end:
            why = f"the span {quoted(mention)} holds nothing: it ends before it begins"
            raise InputError(path, f"{where}[{i}]", why)
        found.append((start, end))
    return found


def written(document: Document) -> dict[str, str]:
    """Return the keys that say what lists mean; none if a document is written without lists."""
    if document.has_tokens or not document.has_spans or not any(document.clusters.values()):
        return {}
    units = {unit: name for name, unit in UNITS.items()}
    unit = units.get(document.unit)
    return {"offsets": "exclusive", **({"unit": unit} if unit else {})}
