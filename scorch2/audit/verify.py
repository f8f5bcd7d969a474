"""A stored report that is scored again, to see whether its data, its options and its numbers still hold.

Numbers are compared wherever the stored report has some: an older report that lacks a key is not wrong. What
differs is named: documents by their hashes, pairs, options by the signature, numbers by their place.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scorch2.audit.baseline import Checked, FindLookup, made_with
from scorch2.model.errors import InputError, Notice, counted, enumerated, printable, quoted, shown_path
from scorch2.model.forms import Shown
from scorch2.model.options import Frozen, Options
from scorch2.model.score import Sampling
from scorch2.model.values import interval_level, whole_value
from scorch2.scoring.flow import unwatched
from scorch2.scoring.layout.escaping import in_frame
from scorch2.scoring.remarks import LEFT_OUT

if TYPE_CHECKING:
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.scoring.flow import Measure, Watch
    from scorch2.scoring.report import Report

Stored: TypeAlias = Mapping[str, Any]  # a JSON report as plain values
ScoreAgain: TypeAlias = "Callable[[Options, Watch, Measure | None], Report]"
"""Scores both sides with some options, as an engine does two paths."""


class ChangedDocument(NamedTuple):
    """A document that is not the one that was scored."""

    side: str  # ``gold`` or ``system``; empty for a broken one, which may be on either
    id: str
    change: str  # ``changed``, ``missing``, ``new``, or ``broken`` if it cannot be scored any more


class ChangedNumber(NamedTuple):
    """A number that is another one now."""

    place: str  # where it stands in the JSON report, or in the row of its document: ``scores.muc.f1``
    document: str  # empty for the corpus
    stored: float | None  # None if it is undefined, or absent
    now: float | None

    @property
    def difference(self) -> float | None:
        """The number now less the stored one; None if one of both is none."""
        return None if self.stored is None or self.now is None else self.now - self.stored


class _Fields(NamedTuple):
    path: str
    """The path of the stored report."""
    stored: Mapping[str, str]
    """The ``version`` of scorch2, the ``python`` and the ``signature`` in the stored report."""
    now: Mapping[str, str]
    """The same of the report that was made now."""
    documents: Sequence[ChangedDocument]
    pairs: Sequence[str]
    """How documents pair otherwise, in words."""
    files: Sequence[str]
    """The options whose file is another one."""
    options: Sequence[str]
    """What the signature and the options do not say alike, in words."""
    numbers: Sequence[ChangedNumber]
    compared: int
    """How many numbers were compared."""
    hashed: int
    """How many documents of both sides were compared by their hashes."""
    notes: Sequence[str]
    """What else there is to know: other versions, hashes that are absent."""
    notices: Sequence[Notice] = ()
    """The warnings of scoring again."""


class Verification(Shown, _Fields):
    """A stored report that was scored again, and what differs; `holds` says whether all is as it was."""

    __slots__ = ()
    shown_as = "verification"

    @property
    def holds(self) -> bool:
        """True if data, options and numbers are those of the stored report."""
        return not any((self.documents, self.pairs, self.files, self.options, self.numbers))

    def __repr__(self) -> str:
        return f"Verification({self.path!r}, holds={self.holds})"


def verified(stored: Stored, path: str, lookup: FindLookup, score: ScoreAgain) -> Verification:
    """Score both sides again as a stored report says, and compare; an InputError for another kind of file."""
    _refuse_others(stored, path)
    options = made_with(stored, path, lookup)
    report = _again(stored, path, options, score)
    now = report.to_dict()
    notes = [*_versions(stored, now), *_without_hashes(stored, now), *_without_classes(stored)]
    notes += _called_alike(stored, now)
    changed = list(_changed_documents(stored, now))
    numbers = list(_numbers(stored, now))
    said = ("version", "python", "signature")
    return Verification(
        path=path,
        stored={name: str(stored.get(name, "")) for name in said},
        now={name: now[name] for name in said},
        documents=changed,
        pairs=_changed_pairs(stored, now, {one.id for one in changed if one.change != "changed"}),
        files=_changed_files(stored, now),
        options=_changed_options(stored, now),
        numbers=[one for one in numbers if not _is_same(one)],
        compared=len(numbers),
        hashed=sum(len(_hashes(now, side)) for side in _SIDES) if "inputs" in stored else 0,
        notes=notes,
        notices=report.notices,
    )


_OTHERS = ("errors", "links", "corrected")  # keys of an analysis of errors
_HINT = "verify scores again what scorch2 score wrote with -f json"


def _refuse_others(stored: Stored, path: str) -> None:
    """Refuse JSON of other commands than ``score``."""
    asked = stored.get("options")
    task = asked.get("task") if isinstance(asked, Mapping) else None
    if any(name in stored for name in _OTHERS):
        raise InputError(path, "$", f"a report of scorch2 errors ({_HINT})")
    if task is not None:
        what = "entity linking" if task == "linking" else "the anaphora exercise"
        raise InputError(path, "$", f"a report of {what} ({_HINT})")


# Scoring again

_GENRE = "genre"  # the dimension whose pattern no report says


def _again(stored: Stored, path: str, options: Options, score: ScoreAgain) -> "Report":
    """Return the report that is made now, with the classes and intervals that the stored one has."""
    # A document that one side lacks now, or that is broken, is a difference to be named, and no error
    choices: Any = Frozen(
        {
            name: "skip" if name in LEFT_OUT and value == "error" else value
            for name, value in options.choices.items()
        }
    )
    lenient = options._replace(choices=choices, hashes="inputs" in stored)
    request = _classes(stored)
    if request is None:
        report = score(lenient, unwatched, None)
    else:
        from scorch2.analysis.corpus import classified

        report = classified(partial(score, lenient), unwatched, request)
    report = report._replace(options=options)
    if stored.get("confidence") is None:
        return report
    from scorch2.analysis.bootstrap import confidence

    check, place = Checked(path), "$.confidence"
    asked = check.object(stored, "$", "confidence")
    level = interval_level(str(check.number(asked, place, "level")), f"{place}.level")
    trials = whole_value(str(check.count(asked, place, "trials")), f"{place}.trials", 1, least=1)
    drawn = Sampling(level, trials, check.count(asked, place, "seed"))
    return report._replace(confidence=confidence(report, drawn))


def _classes(stored: Stored) -> "AnalysisRequest | None":
    """Return how scores are broken down; None if they are not, or no more is known about it."""
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.analysis.table import DIMENSIONS
    from scorch2.model.settings import TYPES_HOW

    found = stored.get("breakdown")
    by = tuple(name for name in found if name in DIMENSIONS and name != _GENRE) if found else ()
    types = stored["options"].get("types")
    how = next((how for how in TYPES_HOW if how == types), TYPES_HOW[0])
    return AnalysisRequest(by=by, types=how, genre=None, plotted=()) if by else None


# What is compared

_CLOSE = 1e-9
_NUMBERS = ("scores", "counts", "copy", "confidence", "breakdown")
"""The keys of a report whose numbers are compared, besides those of documents and files."""
_ROWS = ("documents", "files")
_NAMES = ("id", "class")  # what tells the rows of a list apart
_COUNTED = ("documents", "mentions", "files", "windows")  # parts of a signature that follow from the data
_SIDES = ("gold", "system")


def _versions(stored: Stored, now: Stored) -> Iterator[str]:
    for name, what in (("version", "scorch2"), ("python", "Python")):
        made = stored.get(name)
        if made is not None and made != now[name]:
            yield f"made with {what} {printable(str(made))}, scored again with {now[name]}"


def _without_hashes(stored: Stored, now: Stored) -> Iterator[str]:
    if "inputs" not in stored:
        why = "it is older than 1.2.0, or was made with --no-hashes or of clusters in Python"
        yield f"the report has no hashes of documents ({why}): only numbers are compared"
    elif "inputs" not in now:
        yield "clusters in Python have no hashes: only numbers are compared"


def _without_classes(stored: Stored) -> Iterator[str]:
    from scorch2.analysis.table import DIMENSIONS

    left = [name for name in stored.get("breakdown", ()) if name == _GENRE or name not in DIMENSIONS]
    if left:
        yield f"scores by {enumerated(left)} are not compared: the report does not say how they were found"


def _called_alike(stored: Stored, now: Stored) -> Iterator[str]:
    """Give the only document of a report the name that it had: two of one document pair whatever it is."""
    if not len(stored["documents"]) == len(now["documents"]) == 1:
        return
    name, called = (side["documents"][0]["id"] for side in (stored, now))
    if name != called:
        now["documents"][0]["id"] = name
        for side in _SIDES if "inputs" in now else ():
            hashes = now["inputs"][side]
            now["inputs"][side] = {name if ident == called else ident: hashes[ident] for ident in hashes}
        yield f"the document is called {quoted(called)} now, and was called {quoted(name)}"


def _hashes(report: Stored, side: str) -> Mapping[str, str]:
    return report["inputs"][side] if "inputs" in report else {}


def _changed_documents(stored: Stored, now: Stored) -> Iterator[ChangedDocument]:
    """Yield the documents that a side lacks or has now, whose bytes changed, or that cannot be read."""
    has_hashes = "inputs" in stored and "inputs" in now
    broken = _left_out(now)["invalid"] - _left_out(stored)["invalid"]
    for side, lacking in (("gold", "missing"), ("system", "extra")):
        then, found = (_present(report, side, lacking, has_hashes=has_hashes) for report in (stored, now))
        for ident in {**then, **found}:
            if ident in broken:
                change = "broken"
            elif ident not in found or ident not in then:
                change = "new" if ident in found else "missing"
            elif then[ident] and found[ident] and then[ident] != found[ident]:
                change = "changed"
            else:
                continue
            if change != "broken" or side == "system":  # it stands on both sides, and is told once
                yield ChangedDocument("" if change == "broken" else side, ident, change)


def _present(report: Stored, side: str, lacking: str, *, has_hashes: bool) -> Mapping[str, str]:
    """Return the documents that a side has with their hashes, which are empty where they are not known."""
    # What is left out since the other side lacks it, or since it is broken, is there as well
    left = _left_out(report)
    alone = dict.fromkeys(sorted(left[lacking] | left["invalid"]), "")
    scored = (
        _hashes(report, side) if has_hashes else dict.fromkeys((one["id"] for one in report["documents"]), "")
    )
    return {**alone, **scored}


def _left_out(report: Stored) -> Mapping[str, set[str]]:
    """Return the documents that are told to be left out, or empty, by the code of the warning."""
    told = [(one["code"], one["document"]) for one in report["warnings"]]
    return {code: {document for own, document in told if own == code} for code in LEFT_OUT}


def _changed_pairs(stored: Stored, now: Stored, told: set[str]) -> list[str]:
    """Return how documents pair otherwise, besides those that are `told` since a side has or lacks them."""
    if "inputs" not in stored or "inputs" not in now or len(stored["documents"]) == 1:
        return []
    said = [
        f"{side} {quoted(ident)} is now what {quoted(other)} was"
        for side in _SIDES
        for ident, other in _moved(_hashes(stored, side), _hashes(now, side))
    ]
    if said or told or stored["inputs"]["pairing"] == now["inputs"]["pairing"]:
        return said
    return ["documents have other names inside the files, or other partners"]


def _moved(then: Mapping[str, str], now: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield documents that are now what another one was, with this other one."""
    owners: dict[str, list[str]] = {}
    for ident, sha256 in then.items():
        owners.setdefault(sha256, []).append(ident)
    for ident, sha256 in now.items():
        if then.get(ident, sha256) != sha256 and len(owners.get(sha256, ())) == 1:
            yield ident, owners[sha256][0]


def _changed_files(stored: Stored, now: Stored) -> list[str]:
    then, found = (report.get("inputs", {}).get("files", {}) for report in (stored, now))
    return [name for name in then if name in found and then[name] != found[name]]


def _changed_options(stored: Stored, now: Stored) -> list[str]:
    """Return the parts of two signatures that only one has, but for the version and what is counted."""
    if stored.get("version") != now["version"] or "signature" not in stored:
        return []  # another version may spell or leave out other options
    sides = [
        {
            re.sub(r"\([0-9][^)]*\)\Z", "", part): None
            for part in line.split(" | ")[1:]
            if part.partition("=")[0] not in _COUNTED
        }
        for line in (str(stored["signature"]), now["signature"])
    ]
    gone = [f"{part} is in the signature alone" for part in sides[0] if part not in sides[1]]
    return gone + [f"{part} is not in the signature" for part in sides[1] if part not in sides[0]]


def _numbers(stored: Stored, now: Stored) -> Iterator[ChangedNumber]:
    """Yield every number of a stored report that both reports have a place for."""
    asked = _classes(stored)
    known = {name: stored["breakdown"][name] for name in asked.by} if asked else {}
    for key, value in {**stored, "breakdown": known}.items():
        if key in _NUMBERS and value is not None:
            yield from _inside(value, now.get(key), key, "")
    for key in _ROWS:
        found = {row["id"]: row for row in now.get(key, ())}
        for row in stored.get(key, ()):
            if row["id"] in found:
                for name in row:
                    yield from _inside(row[name], found[row["id"]].get(name), name, row["id"])


def _inside(then: Any, now: Any, place: str, document: str) -> Iterator[ChangedNumber]:
    if isinstance(then, Mapping):
        for name, value in then.items():
            other = now.get(name) if isinstance(now, Mapping) else None
            yield from _inside(value, other, f"{place}.{name}", document)
    elif isinstance(then, list | tuple):
        known = dict(_rows(now)) if isinstance(now, list | tuple) else {}
        for name, value in _rows(then):
            yield from _inside(value, known.get(name), f"{place}.{name}", document)
    elif not isinstance(then, str | bool):
        yield ChangedNumber(place, document, _number(then), _number(now))


def _rows(values: Sequence[Any]) -> Iterator[tuple[str, Any]]:
    """Yield the items of a list by their names, or their places."""
    for place, value in enumerate(values):
        names = [value[name] for name in _NAMES if name in value] if isinstance(value, Mapping) else []
        yield str(next(iter(names), place)), value


def _number(value: Any) -> float | None:
    try:
        return None if isinstance(value, str | bool) or value is None else float(value)
    except OverflowError:
        return math.inf
    except TypeError:  # a list or an object, where a number stood
        return math.nan


def _is_same(number: ChangedNumber) -> bool:
    if number.stored is None or number.now is None:
        return number.stored is number.now
    return math.isclose(number.stored, number.now, rel_tol=_CLOSE, abs_tol=_CLOSE)


# Forms

_SHOWN = 10  # scores, documents and pairs that the text lists


def verification_text(found: Verification, *_: object) -> str:
    """Return what differs, one line each, below a line that says whether the report holds."""
    name = shown_path(found.path)
    if found.holds:
        hashes = f", {counted(found.hashed, 'document')} by SHA-256" if found.hashed else ""
        lines = [f"{name} holds: {counted(found.compared, 'number')}{hashes}"]
    else:
        lines = [f"{name} differs: {', '.join(_counts(found))}"]
    lines += _some([f"{one.side} {quoted(one.id)} is {one.change}".lstrip() for one in found.documents])
    lines += [f"the file of {name} is another one" for name in found.files]
    lines += _some([*found.pairs, *found.options])
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
    ):
        if number:
            yield counted(number, what)
    if found.numbers:
        yield f"{len(found.numbers)} of {counted(found.compared, 'number')}"


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
