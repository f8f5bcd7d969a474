"""Two JSON reports as plain values, compared whole: what differs, and what only one of them has.

A report of an older version is compared by the keys that its version wrote.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from scorch2.model.errors import printable, quoted

Plain: TypeAlias = Mapping[str, Any]  # a JSON report as plain values


class ChangedNumber(NamedTuple):
    """A number that is another one now."""

    place: str  # where it stands in the JSON report, or in the row of its document: ``scores.muc.f1``
    document: str  # empty for the corpus
    stored: float | None  # None if it is undefined
    now: float | None

    @property
    def difference(self) -> float | None:
        """The number now less the stored one; None if one of both is none."""
        return None if self.stored is None or self.now is None else self.now - self.stored


class ChangedValue(NamedTuple):
    """Another value than a number that differs, or something that only one report has."""

    place: str
    document: str  # empty for the corpus
    stored: str | None  # as JSON, cut if it is long; None if it is not there
    now: str | None

    def __str__(self) -> str:
        """Return the difference in words."""
        where = f"{quoted(self.document)}: {self.place}" if self.document else self.place
        if self.stored is None:
            return f"{where} is not in the report: {self.now}"
        if self.now is None:
            return f"{where} is in the report alone: {self.stored}"
        return f"{where}: {self.stored} stored, {self.now} now"


NEW_KEYS: Mapping[str, Sequence[str]] = {
    "1.1.0": (
        *("skipped", "files", "breakdown", "documents.scores", "documents.file", "signature.average"),
        *("options.pair", "options.documents", "options.layer", "options.pieces", "options.match"),
        *("options.zeros", "options.phrases", "options.nested", "options.lookup", "options.align"),
        *("options.split_antecedents", "options.undefined", "options.gold_files", "options.sys_files"),
    ),
    "1.2.0": (
        *("python", "inputs", "cluster_keys", "copy", "documents.copy", "documents.kept", "documents.gold"),
        *("options.invalid", "options.topics", "options.ids", "options.sentences", "options.only_category"),
        *("options.marks", "options.entities"),
    ),
}
"""The keys that reports have only since a version; a report of an older one need not have them."""


def not_yet(version: object) -> frozenset[str]:
    """Return the keys that a version did not write; none for one that is not known.

    >>> "python" in not_yet("1.1.0"), "skipped" in not_yet("1.1.0"), not_yet("1.2.0")
    (True, False, frozenset())
    """
    known = ["1.0.0", *NEW_KEYS]
    later = known[known.index(version) + 1 :] if isinstance(version, str) and version in known else []
    return frozenset(key for name in later for key in NEW_KEYS[name])


def as_of_version(now: Plain, stored: Plain) -> dict[str, Any]:
    """Return a report without the keys that the stored one lacks since its version did not write them."""
    new = not_yet(stored.get("version"))
    kept = {key: value for key, value in now.items() if key in stored or key not in new}
    options = stored.get("options", {})
    kept["options"] = {
        key: value for key, value in now["options"].items() if key in options or f"options.{key}" not in new
    }
    of_rows = {key.partition(".")[2] for key in new if key.startswith("documents.")}
    had = {key for row in stored["documents"] for key in row}
    kept["documents"] = [
        {key: value for key, value in row.items() if key in had or key not in of_rows}
        for row in now["documents"]
    ]
    return kept


# Values


_CLOSE = 1e-9
_ONE = re.compile("True|False")  # they are equal to 1 and 0
_NAMES = ("id", "class")  # what tells the rows of a list apart
_CUT = 60  # characters of a value that are shown


def unlike(
    then: Any, now: Any, place: str = "", document: str = ""
) -> Iterator[ChangedNumber | ChangedValue]:
    """Yield what two values do not have alike, by its place."""
    if isinstance(then, Mapping) and isinstance(now, Mapping):
        if then == now and not _ONE.search(repr(then)):  # most rows of documents: Python finds them fast
            return
        for name in {**then, **now}:
            inside = f"{place}.{name}" if place else name
            if name in then and name in now:
                yield from unlike(then[name], now[name], inside, document)
            else:
                values = [_shown(one[name]) if name in one else None for one in (then, now)]
                yield ChangedValue(inside, document, *values)
    elif isinstance(then, list | tuple) and isinstance(now, list | tuple):
        yield from unlike(rows_of(then), rows_of(now), place, document)
    elif _is_number(then) and _is_number(now):
        if then is not now and not _is_close(then, now):
            yield ChangedNumber(place, document, _float(then), _float(now))
    elif type(then) is not type(now) or then != now:
        yield ChangedValue(place, document, _shown(then), _shown(now))


def rows_of(values: Sequence[Any]) -> dict[str, Any]:
    """Return the items of a list by their names, a second one of a name as such, or else by their places."""
    rows: dict[str, Any] = {}
    for place, value in enumerate(values):
        names = [value[name] for name in _NAMES if name in value] if isinstance(value, Mapping) else []
        name = str(names[0]) if names else str(place)
        rows[f"{name} (row {place + 1})" if name in rows else name] = value
    return rows


def numbers_in(value: Any) -> int:
    """Return how many numbers there are in a value."""
    number, rest = 0, [value]
    while rest:
        one = rest.pop()
        if type(one) is float or type(one) is int:
            number += 1
        elif isinstance(one, dict | list | tuple):
            rest.extend(one.values() if isinstance(one, dict) else one)
    return number


def _is_number(value: Any) -> bool:
    """Return whether a value is a number, or None, which stands for an undefined one."""
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))


def _is_close(then: float | None, now: float | None) -> bool:
    if then is None or now is None:
        return False
    return then == now or math.isclose(_float(then), _float(now), rel_tol=_CLOSE, abs_tol=_CLOSE)


def _float(value: float | None) -> Any:
    try:
        return None if value is None else float(value)
    except OverflowError:
        return math.inf


def _shown(value: Any) -> str:
    from scorch2.scoring.layout.escaping import json_text

    return printable(json_text(value), _CUT)


# Signatures and warnings


def signatures_apart(stored: Plain, now: Plain, *, same_data: bool) -> list[str]:
    """Return the parts of two signatures that only one has; numbers of documents only of the same data."""
    said = [str(report.get("signature", "")).split(" | ") for report in (stored, now)]
    version, new = f"scorch2 {stored.get('version')}", not_yet(stored.get("version"))
    is_own = stored.get("version") == now["version"]
    kept = [
        [part for part in parts[1:] if same_data or part.partition("=")[0] not in _COUNTED] for parts in said
    ]
    # What other versions counted beside a part is left out
    sides = [[part if is_own else re.sub(r"\([0-9][^)]*\)\Z", "", part) for part in parts] for parts in kept]
    gone = [f"{part} is in the signature alone" for part in sides[0] if part not in sides[1]]
    gone += [] if said[0][0] == version else [f"{said[0][0] or 'nothing'} is in the signature, not {version}"]
    lacking = [part for part in sides[1] if part not in sides[0]]
    for part in lacking:
        name = part.partition("=")[0]
        if not {f"options.{name}", f"signature.{name}"} & new:
            gone.append(f"{part} is not in the signature")
    if is_own and same_data and not gone and said[0] != said[1]:
        gone.append("the signature has its parts in another order, or twice")
    return gone


_COUNTED = ("documents", "mentions", "files", "windows")  # parts of a signature that follow from the data


def warnings_apart(stored: Plain, now: Plain, passed_over: frozenset[str]) -> list[ChangedValue]:
    """Return the warnings that only one report has; `passed_over` are codes, and documents, of no concern."""
    is_own = stored.get("version") == now["version"]
    sides = [
        {
            _worded(one, is_own=is_own): one
            for one in report["warnings"]
            if one["code"] not in passed_over and one["document"] not in passed_over
        }
        for report in (stored, now)
    ]
    times = [Counter(_worded(one, is_own=is_own) for one in report["warnings"]) for report in (stored, now)]
    gone = [_warning(one, None) for key, one in sides[0].items() if times[0][key] > times[1][key]]
    if not is_own:
        return gone
    return gone + [_warning(None, one) for key, one in sides[1].items() if times[1][key] > times[0][key]]


def _warning(then: Plain | None, now: Plain | None) -> ChangedValue:
    one = then or now or {}
    shown = [side and printable(f"{side['code']}: {side['message']}", 2 * _CUT) for side in (then, now)]
    return ChangedValue("warnings", one["document"], shown[0] or None, shown[1] or None)


def _worded(one: Plain, *, is_own: bool) -> tuple[str, ...]:
    """Return a warning without the folders of files, and without what tells options from arguments."""
    texts = (one["document"], one["message"] if is_own else "")
    return one["code"], *(
        re.sub(r"[\W_]+", " ", re.sub(r"[^\s\"]*[/\\]", "", text)).strip() for text in texts
    )
