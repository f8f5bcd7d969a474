"""The forms of a stored report that was scored again: text, JSON, records."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from scorch2.audit.differences import ChangedNumber
from scorch2.audit.verify import Verification
from scorch2.model.errors import counted, printable, quoted, shown_path
from scorch2.scoring.layout.escaping import in_frame

_SHOWN = 10  # scores, documents and pairs that the text lists


def verification_text(found: Verification, *_: object) -> str:
    """Return what differs, one line each, below a line that says whether the report holds."""
    name, only = shown_path(found.path), "" if found.hashed else " only"
    numbers = f"{counted(found.compared, 'number')}{only}"
    if found.holds:
        hashes = f", {counted(found.hashed, 'document')} by SHA-256" if found.hashed else ""
        lines = [f"{name} holds: {numbers}{hashes}"]
    elif found.same_numbers:
        same = f"all {numbers} are the same" if found.compared > 1 else f"{numbers} is the same"
        lines = [f"{name} differs: {same}, but not {', '.join(_counts(found))}"]
    else:
        lines = [f"{name} differs: {', '.join(_counts(found))}"]
    lines += [f"no report as scorch2 writes it: {found.broken}"] if found.broken else []
    lines += _some([f"{one.side} {quoted(one.id)} is {one.change}".lstrip() for one in found.documents])
    lines += [f"the file of {name} is another one" for name in found.files]
    lines += _some([*found.pairs, *found.options])
    lines += _some([*map(str, found.values)])
    of_corpus = sorted((one for one in found.numbers if not one.document), key=_rank)
    lines += _some([_number_line(one) for one in of_corpus])
    lines += _some(list(_document_lines(found.numbers)))
    lines += [f"note: {one}" for one in found.notes]
    return "".join(f"{printable(line, _WIDEST)}\n" for line in lines)


_SCORES = "scores."
_WIDEST = 400  # characters of a line


def _rank(number: ChangedNumber) -> tuple[bool, bool]:
    """Return a key that puts scores before counts, and F1 before recall and precision."""
    return not number.place.startswith(_SCORES), not number.place.endswith(".f1")


def _counts(found: Verification) -> Iterator[str]:
    """Yield how many things differ, of each kind."""
    ids = {(one.side, one.id) for one in found.documents}
    for number, what in (
        (len(ids), "document"),
        (len(found.files), "other file"),
        (len(found.pairs), "pair"),
        (len(found.options), "option"),
        (len(found.values), "other value"),
    ):
        if number:
            yield counted(number, what)
    if found.numbers:
        yield f"{len(found.numbers)} of {counted(found.compared, 'number')}{'' if found.hashed else ' only'}"
    elif found.broken and not found.values:
        yield "what it says"


def _some(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _SHOWN
    return [*lines[:_SHOWN], f"… and {more} more (-f json has all)"] if more > 0 else [*lines]


def _number_line(number: ChangedNumber) -> str:
    stored, now = ("undefined" if one is None else f"{one:.10g}" for one in (number.stored, number.now))
    change = "" if number.difference is None else f" ({number.difference:+.4g})"
    return f"{number.place.removeprefix(_SCORES)}: {stored} stored, {now} now{change}"


def _document_lines(numbers: Sequence[ChangedNumber]) -> Iterator[str]:
    """Yield a line for each document with numbers that differ, with the largest difference of a score."""
    by_document: dict[str, list[ChangedNumber]] = {}
    for number in numbers:
        if number.document:
            by_document.setdefault(number.document, []).append(number)
    for name, own in by_document.items():
        largest = max(own, key=lambda one: (one.place.startswith(_SCORES), abs(one.difference or 0)))
        yield f"{quoted(name)}: {counted(len(own), 'number')}, {_number_line(largest)}"


def to_dict_of_verification(found: Verification) -> dict[str, Any]:
    """Return plain values: all that differs."""
    shown = {
        "report": found.path,
        "holds": found.holds,
        "stored": dict(found.stored),
        "now": dict(found.now),
        "compared": found.compared,
        "hashed": found.hashed,
        "documents": [one._asdict() for one in found.documents],
        "pairs": list(found.pairs),
        "files": list(found.files),
        "options": list(found.options),
        "values": [one._asdict() for one in found.values],
        "broken": found.broken,
        "numbers": to_records_of_verification(found),
        "notes": list(found.notes),
    }
    return in_frame(shown, found.notices, has_version=False)


def to_records_of_verification(found: Verification) -> list[dict[str, Any]]:
    """Return a flat dict for every number that differs; one that JSON cannot write is None."""
    return [
        {
            name: value if not isinstance(value, float) or math.isfinite(value) else None
            for name, value in (*one._asdict().items(), ("difference", one.difference))
        }
        for one in found.numbers
    ]
