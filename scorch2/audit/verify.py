"""A stored report that is scored again, to see whether its data, its options and its numbers still hold.

stored values ─▶ checks of any stored report ─▶ scored again as its options say ─▶ both compared whole

What differs is named: documents by their hashes, pairs, options, numbers and other values by their place.
"""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, get_args

from scorch2.audit import OUTSIDE
from scorch2.audit.baseline import Checked, FindLookup, made_with, of_values, read
from scorch2.audit.differences import (
    ChangedNumber,
    ChangedValue,
    Plain,
    as_of_version,
    numbers_in,
    rows_of,
    signatures_apart,
    unlike,
    warnings_apart,
)
from scorch2.audit.judge import reason_against, recounted
from scorch2.model.errors import (
    InputError,
    Notice,
    UsageError,
    enumerated,
    printable,
    quoted,
    shown_path,
    unknown_name,
)
from scorch2.model.forms import Shown
from scorch2.model.options import INPUTS, OPTIONS, Frozen, Options, options_from
from scorch2.model.score import DROPS, Sampling
from scorch2.model.values import interval_level, metrics_of, whole_value
from scorch2.scoring.flow import unwatched
from scorch2.scoring.metrics import DEFAULT
from scorch2.scoring.remarks import FILES, LEFT_OUT
from scorch2.scoring.report import RUN_NOTICES, SETTINGS

if TYPE_CHECKING:
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.scoring.flow import Measure, Watch
    from scorch2.scoring.report import Report

ScoreAgain: TypeAlias = "Callable[[Options, Watch, Measure | None], Report]"
"""Scores both sides with some options, as an engine does two paths."""


class Asked(NamedTuple):
    """The settings that a stored report must have, and those that are not taken from it."""

    typed: Mapping[str, str] = {}  # the values of the options `OUTSIDE`
    is_own: bool = False  # whether this program made the report, so that nothing needs to be typed
    baseline: str | None = None  # the path of the report that drops are counted from
    hashes: bool = False  # whether the report must have hashes of documents
    profile: str | None = None  # the profile whose settings it must have
    required: Mapping[str, str] = {}  # options that it must have, whatever the profile says
    of_task: bool = False  # whether it must be the report of a shared task


def required_options(words: Sequence[str]) -> dict[str, str]:
    """Return options and values of the words ``<option=value>``; a UsageError tells of an unknown one."""
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        name = name.removeprefix("--").replace("-", "_")
        if not equals:
            raise UsageError(f"--require needs <option=value>, such as average=pooled, not {quoted(word)}")
        if name not in OPTIONS and name not in INPUTS:
            raise UsageError(unknown_name(name, "option", [*OPTIONS, *INPUTS]))
        found[name] = OPTIONS[name].checked(value) if name in OPTIONS else value
    return found


class ChangedDocument(NamedTuple):
    """A document that is not the one that was scored."""

    side: str  # ``gold`` or ``system``; empty for a broken one, which may be on either
    id: str
    change: str
    """``changed``, ``missing``, ``new``, ``unhashed`` if only this report has no hash of it, or ``broken`` if
    it cannot be scored any more."""


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
    """What the signature and the options do not say alike, or what is asked for and not so, in words."""
    numbers: Sequence[ChangedNumber]
    values: Sequence[ChangedValue]
    """What else differs, or only one of both reports has."""
    broken: str
    """Why the stored report is none that scorch2 wrote, whatever the data are; empty if it can be one."""
    compared: int
    """How many numbers the report has that was made now."""
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
        """True if data, options, numbers and all else are those of the stored report."""
        return not (self.differs or self.numbers or self.values or self.broken)

    @property
    def differs(self) -> bool:
        """True if data or options are others."""
        return any((self.documents, self.pairs, self.files, self.options))

    @property
    def same_numbers(self) -> bool:
        """True if no number differs, whatever else does."""
        return not (self.numbers or self.values or self.broken)

    def __repr__(self) -> str:
        return f"Verification({self.path!r}, holds={self.holds})"


def verified(
    stored: Plain, path: str, lookup: FindLookup, score: ScoreAgain, asked: Asked | None = None
) -> Verification:
    """Score both sides again as a stored report says, and compare; an InputError for another kind of file."""
    asked = asked or Asked()
    _refuse_others(stored, path, of_task=asked.of_task)
    options = made_with(stored, path, lookup)
    made = _with_typed(options, path, asked)
    checked, broken = _checked(stored, path, lookup)
    report = _again(stored, path, made, score)._replace(options=_as_stored(options, made, stored))
    gates = _gates(stored, report, checked, _baseline(stored, report, lookup, asked))
    whole = {**report.to_dict(), "gates": gates}
    now = as_of_version(whole, stored)
    notes = [*_notes(stored, now, asked), *_called_alike(stored, now)]
    said = ("version", "python", "signature")
    found = _compared(stored, now)
    found["options"] += _unmet(stored, options, asked)
    return Verification(
        path=path,
        stored={name: str(stored.get(name, "")) for name in said},
        now={name: whole[name] for name in said},
        broken=broken,
        notes=notes,
        notices=report.notices,
        **found,
    )


def _compared(stored: Plain, now: Plain) -> dict[str, Any]:
    """Return what differs between two reports, and how much of them was compared, by fields of the result."""
    changed = list(_changed_documents(stored, now))
    unlike_parts = [*_unlike(stored, now, changed)]
    numbers = [part for part in unlike_parts if isinstance(part, ChangedNumber)]
    then, found = (report.get("inputs", {}).get("files", {}) for report in (stored, now))
    hashes = [_hashes(now, side) for side in _SIDES if "inputs" in stored]
    return {
        "documents": changed,
        "pairs": _changed_pairs(stored, now, {one.id for one in changed if one.change != "changed"}),
        "files": [name for name in then if name in found and then[name] != found[name]],
        "options": [*signatures_apart(stored, now, same_data=not (changed or numbers))],
        "numbers": numbers,
        "values": [part for part in unlike_parts if isinstance(part, ChangedValue)],
        "compared": numbers_in({key: value for key, value in now.items() if key not in _UNCOUNTED}),
        "hashed": sum(map(len, hashes)),
    }


def _checked(stored: Plain, path: str, lookup: FindLookup) -> "tuple[Report | None, str]":
    """Return a stored report as leaderboards and gates read it, or why they refuse it."""
    try:
        return of_values(stored, path, lookup).report, ""
    except InputError as error:
        return None, ": ".join(filter(None, (error.where, error.why)))


_OTHERS = ("errors", "links", "corrected")  # keys of an analysis of errors
_HINT = "verify scores again what scorch2 score wrote with -f json"


def _refuse_others(stored: Plain, path: str, *, of_task: bool) -> None:
    """Refuse JSON of other commands than ``score``."""
    asked = stored.get("options")
    task = asked.get("task") if isinstance(asked, Mapping) else None
    if any(name in stored for name in _OTHERS):
        raise InputError(path, "$", f"a report of scorch2 errors ({_HINT})")
    is_of_task = isinstance(asked, Mapping) and "shared_task" in asked
    if is_of_task != of_task:
        what = "a report of a shared task (give it with --task)" if is_of_task else "of no shared task"
        raise InputError(path, "$", what)
    if isinstance(asked, Mapping) and "visible" in asked:
        raise InputError(path, "$", "a report for participants has no documents: verify needs the keeper's")
    if task is not None:
        what = "entity linking" if task == "linking" else "the anaphora exercise"
        raise InputError(path, "$", f"a report of {what} ({_HINT})")


# Scoring again

_GENRE = "genre"  # the dimension whose pattern no report says


def _again(stored: Plain, path: str, options: Options, score: ScoreAgain) -> "Report":
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
        given = stored["options"] if _left_classes(stored) else {}
        report = report._replace(settings=[(name, given[name]) for name in SETTINGS if name in given])
    else:
        from scorch2.analysis.corpus import classified

        report = classified(partial(score, lenient), unwatched, request)
    if stored.get("confidence") is None:
        return report
    from scorch2.analysis.bootstrap import confidence, few_documents

    check, place = Checked(path), "$.confidence"
    asked = check.object(stored, "$", "confidence")
    level = interval_level(str(check.number(asked, place, "level")), f"{place}.level")
    trials = whole_value(str(check.count(asked, place, "trials")), f"{place}.trials", 1, least=1)
    drawn = Sampling(level, trials, check.count(asked, place, "seed"))
    notices = [*report.notices, *few_documents(report, "intervals")]
    return report._replace(confidence=confidence(report, drawn), notices=notices)


def _classes(stored: Plain) -> "AnalysisRequest | None":
    """Return how scores are broken down; None if they are not, or no more is known about it."""
    from scorch2.analysis.error_report import AnalysisRequest
    from scorch2.analysis.table import DIMENSIONS
    from scorch2.model.settings import TYPES_HOW, SpansName

    left = _left_classes(stored)
    by = tuple(name for name in stored.get("breakdown", ()) if name in DIMENSIONS and name not in left)
    types, spans = (
        next((how for how in known if how == stored["options"].get(name)), known[0])
        for name, known in (("types", TYPES_HOW), ("spans", get_args(SpansName)))
    )
    return AnalysisRequest(spans=spans, by=by, types=types, genre=None, plotted=()) if by else None


def _left_classes(stored: Plain) -> list[str]:
    """Return the dimensions of a stored report whose classes cannot be found again."""
    from scorch2.analysis.table import DIMENSIONS

    return [name for name in stored.get("breakdown", ()) if name == _GENRE or name not in DIMENSIONS]


def _with_typed(made: Options, path: str, asked: Asked) -> Options:
    """Return options with the patterns and files that are typed; a UsageError says which ones have to be."""
    said = {name: value for name in OUTSIDE if (value := getattr(made, name))}
    lacking = [] if asked.is_own else [name for name in said if name not in asked.typed]
    if lacking:
        words = " ".join(f"--{name.replace('_', '-')}={shlex.quote(said[name])}" for name in lacking)
        why = "patterns and files of a report are not used unless they are typed"
        raise UsageError(
            f"{shown_path(path)} was made with {enumerated(lacking)}: {why}: add {printable(words, _WIDEST)}"
        )
    chosen: dict[str, Any] = {**made.choices, **made.inputs, **asked.typed, "metrics": made.metrics}
    return options_from(None, **chosen)._replace(
        signature=made.signature, mark_undefined=made.mark_undefined, resample=made.resample
    )


def _as_stored(then: Options, made: Options, stored: Plain) -> Options:
    """Return the options of a run, with the stored path of each file whose bytes are known."""
    known = stored.get("inputs", {}).get("files", {})
    paths = {name: getattr(then, name) for name in FILES if name in known and getattr(made, name)}
    choices: Any = Frozen({**made.choices, **{name: path for name, path in paths.items() if name in OPTIONS}})
    inputs: Any = Frozen({**made.inputs, **{name: path for name, path in paths.items() if name in INPUTS}})
    return made._replace(choices=choices, inputs=inputs)


_WIDEST = 2000  # characters of the words to add


# What is counted again, and asked for


def _baseline(stored: Plain, report: "Report", lookup: FindLookup, asked: Asked) -> "Report | None":
    """Return the baseline that is typed; an InputError for one that cannot be compared."""
    if asked.baseline is None:
        return None
    if not _drops(stored):
        raise UsageError("--baseline is for gates on drops, and the report has none")
    baseline = read(asked.baseline, lookup)
    why = reason_against(report, baseline)
    if why is not None:
        raise InputError(asked.baseline, "", f"not comparable: {why}")
    return baseline


def _drops(stored: Plain) -> int:
    gates = stored.get("gates")
    rows = gates if isinstance(gates, list) else []
    return sum(isinstance(gate, Mapping) and gate.get("gate") in DROPS for gate in rows)


def _gates(
    stored: Plain, report: "Report", checked: "Report | None", baseline: "Report | None"
) -> list[dict[str, Any] | None]:
    """Return the gates of a stored report, each judged again; None for what is no gate of such a report."""
    if checked is not None:  # gates on classes that cannot be found again
        left = {name: checked.breakdown[name] for name in _left_classes(stored)}
        report = report._replace(breakdown={**report.breakdown, **left})
    gates = stored.get("gates")
    found = [recounted(report, gate, baseline) for gate in (gates if isinstance(gates, list) else ())]
    return [verdict and verdict.to_dict() for verdict in found]


def _unmet(stored: Plain, made: Options, asked: Asked) -> list[str]:
    """Return what is typed, or required, and is otherwise in the report, in words."""
    wanted: dict[str, Any] = {}
    if asked.profile is not None:
        wanted = {**options_from(asked.profile).choices}
    wanted |= asked.required
    said = {name: getattr(made, name) or "" for name in wanted}
    unmet = [
        f"{name} is {said[name] or 'not given'}, and has to be {value or 'not given'}"
        for name, value in wanted.items()
        if said[name] != value
    ]
    if asked.profile is not None:
        lacking = [name for name in metrics_of(asked.profile, DEFAULT) if name not in stored["scores"]]
        unmet += (
            [f"--profile={asked.profile} has {enumerated(lacking)}, the report has not"] if lacking else []
        )
    if asked.hashes and not _hashes(stored, "gold"):
        unmet.append("the report has no SHA-256 of documents")
    return unmet


# What is compared

_SIDES = ("gold", "system")
_UNCOUNTED = ("schema", "options", "inputs", "gates", "warnings")  # keys that hold no number of the scores
_OWN = (
    "version",
    "python",
    "signature",
    "inputs",
    "warnings",
    "documents",
    "files",
    "breakdown",
    "submission",
)
"""The keys of a report that are not compared as they are."""
_OF_RUN = frozenset({*RUN_NOTICES, "page"} - {"confidence"})
"""Codes of warnings about gates and pages, of which no report says all that they were made with."""


def _unlike(
    stored: Plain, now: Plain, changed: Sequence[ChangedDocument]
) -> Iterator[ChangedNumber | ChangedValue]:
    """Yield what two reports do not have alike, but for hashes and signatures."""
    left, told = _left_classes(stored), frozenset(one.id for one in changed)
    has_hashes = "inputs" in stored and "inputs" in now
    sides: list[dict[str, Any]] = [
        {name: one[name] for name in one if name not in _OWN} for one in (stored, now)
    ]
    for side, report in zip(sides, (stored, now), strict=True):
        classes = report.get("breakdown", {})
        side["breakdown"] = {name: rows for name, rows in classes.items() if name not in left}
        side["inputs"] = {
            name: dict.fromkeys(value) if name == "files" else None
            for name, value in (report["inputs"].items() if has_hashes else ())
        }
    yield from unlike(sides[0], sides[1])
    for key in ("documents", "files"):
        rows = [rows_of(report.get(key, ())) for report in (stored, now)]
        for name in {**rows[0], **rows[1]}:
            if name in rows[0] and name in rows[1]:
                yield from unlike(rows[0][name], rows[1][name], document=name)
            elif name not in told:
                words = ("a row", None) if name in rows[0] else (None, "a row")
                yield ChangedValue(key, name, *words)
    yield from warnings_apart(stored, now, _OF_RUN | told)
    if "python" in now and not isinstance(stored.get("python"), str):
        yield ChangedValue("python", "", None, now["python"])
    if not isinstance(stored.get("version"), str):
        yield ChangedValue("version", "", None, now["version"])


def _notes(stored: Plain, now: Plain, asked: Asked) -> Iterator[str]:
    """Yield other versions, hashes that are absent, and what of a report is taken as it is."""
    for name, what in (("version", "scorch2"), ("python", "Python")):
        made = stored.get(name)
        if made is not None and made != now[name]:
            yield f"made with {what} {printable(str(made))}, scored again with {now[name]}"
    if "inputs" not in stored:
        why = "it is older than 1.2.0, or was made with --no-hashes or of clusters in Python"
        yield f"the report has no hashes of documents ({why}): only numbers are compared"
    elif "inputs" not in now:
        yield "clusters in Python have no hashes: only numbers are compared"
    if left := _left_classes(stored):
        yield f"scores by {enumerated(left)} are not compared: the report does not say how they were found"
    if globs := [name for name in ("gold_files", "sys_files") if stored["options"].get(name)]:
        said = enumerated(f"{name}={stored['options'][name]}" for name in globs)
        yield f"only the files were read that the report asks for: {printable(said)}"
    if _drops(stored) and asked.baseline is None:
        yield "scores of the baseline are taken from the report (--baseline=<file> compares them)"


def _called_alike(stored: Plain, now: Plain) -> Iterator[str]:
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


def _hashes(report: Plain, side: str) -> Mapping[str, str]:
    return report["inputs"][side] if "inputs" in report else {}


def _changed_documents(stored: Plain, now: Plain) -> Iterator[ChangedDocument]:
    """Yield the documents that a side lacks or has now, whose bytes changed, or that cannot be read."""
    has_hashes = "inputs" in stored and "inputs" in now
    broken = _left_out(now)["invalid"] - _left_out(stored)["invalid"]
    for side, lacking in (("gold", "missing"), ("system", "extra")):
        then, found = (_present(report, side, lacking, has_hashes=has_hashes) for report in (stored, now))
        lost = {one["id"] for one in stored["documents"]} - _left_out(stored)["missing"]
        for ident in {**then, **found}:
            if ident in broken:
                change = "broken"
            elif ident not in found or ident not in then:
                change = "missing" if ident in then else "unhashed" if ident in lost else "new"
            elif then[ident] and found[ident] and then[ident] != found[ident]:
                change = "changed"
            elif has_hashes and found[ident] and _hashes(stored, side).get(ident) == "":
                change = "unhashed"
            else:
                continue
            if change != "broken" or side == "system":  # it stands on both sides, and is told once
                yield ChangedDocument("" if change == "broken" else side, ident, change)


def _present(report: Plain, side: str, lacking: str, *, has_hashes: bool) -> Mapping[str, str]:
    """Return the documents that a side has with their hashes, which are empty where they are not known."""
    # What is left out since the other side lacks it, or since it is broken, is there as well
    left = _left_out(report)
    alone = dict.fromkeys(sorted(left[lacking] | left["invalid"]), "")
    scored = (
        _hashes(report, side) if has_hashes else dict.fromkeys((one["id"] for one in report["documents"]), "")
    )
    return {**alone, **scored}


def _left_out(report: Plain) -> Mapping[str, set[str]]:
    """Return the documents that are told to be left out, or empty, by the code of the warning."""
    told = [(one["code"], one["document"]) for one in report["warnings"]]
    return {code: {document for own, document in told if own == code} for code in LEFT_OUT}


def _changed_pairs(stored: Plain, now: Plain, told: set[str]) -> list[str]:
    """Return how documents pair otherwise, besides those that are `told` since a side has or lacks them."""
    if "inputs" not in stored or "inputs" not in now or len(now["documents"]) == 1:
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
