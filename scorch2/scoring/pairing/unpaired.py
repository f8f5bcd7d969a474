"""Documents on one side only: refused with the option that goes on, or with the one that pairs them."""

from bisect import bisect
from collections.abc import Collection, Iterable, Sequence

from scorch2.model.errors import Notice, PairingError
from scorch2.model.messages import SHOWN, counted, printable
from scorch2.model.options import Options
from scorch2.scoring.pairing.keys import key

_LONGEST = 80
"""The longest name that a message shows whole."""
_BEFORE = 20
"""Characters that are shown before the first one that differs."""


def account(
    gold: Iterable[str], system: Iterable[str], options: Options, what: str, between: str = ""
) -> tuple[Notice, ...]:
    """Say which names are on one side only, unless the options say what to do with them.

    Parameters
    ----------
    gold, system : iterable of str
        The names of both sides; a system document that answers to a gold one has its name.
    options : Options
        Its ``missing`` and ``extra`` are looked at, and its ``pair``.
    what : str
        The noun for one of them: ``file`` or ``document``.
    between : str
        Begins the message: the paths of both sides, where they need to be said.

    Returns
    -------
    tuple of Notice
        A warning if nothing pairs by name but would by another rule.

    Raises
    ------
    PairingError
        If the options do not allow for names of one side only.
    """
    golds, systems = set(gold), set(system)
    if golds == systems:
        return ()
    missing, extra = sorted(golds - systems), sorted(systems - golds)
    complaints = []
    if missing and options.missing == "error":
        shown = _counted(missing, systems, f"gold {what}")
        hint = "(--missing=empty scores them as unanswered, --missing=skip leaves them out)"
        complaints.append(f"no system {what} for {shown} {hint}")
    if extra and options.extra == "error":
        shown = _counted(extra, golds, f"system {what}")
        complaints.append(f"no gold {what} for {shown} (--extra=skip leaves them out)")
    other_rule = advice(golds, systems, options.pair) if missing and extra else ""
    if complaints:
        raise PairingError(between + "; ".join([*complaints, *([other_rule] if other_rule else [])]))
    if other_rule and golds.isdisjoint(systems):
        why = f"{between}no {what} of the system has the name of a gold {what}; {other_rule}"
        return (Notice("names", "", why),)
    return ()


def advice(gold: Collection[str], system: Collection[str], rule: str) -> str:
    """Return which other rule would pair more of the distinct names, or nothing."""
    if rule != "name":
        return ""
    by_name = len({*gold} & {*system})
    parts = [{key(name, "basename") for name in side} for side in (gold, system)]
    common = len(parts[0] & parts[1])
    if common > by_name and (len(parts[0]), len(parts[1])) == (len(gold), len(system)):
        return f"--pair=basename would pair {_share(common, max(len(gold), len(system)))}"
    if by_name == 0 and len(gold) == len(system) == 1:
        return "--pair=order would pair the two"
    if by_name == 0 and len(gold) == len(system):
        return f"--pair=order would pair {_share(len(gold), len(gold))}, the n-th with the n-th"
    return ""


def _share(number: int, total: int) -> str:
    return f"all {number}" if number == total else f"{number} of {total}"


def _counted(names: Sequence[str], others: Collection[str], what: str) -> str:
    """Return the first names, each where it differs from those of the other side, and how many there are."""
    known = sorted(others)
    shown = ", ".join(_shown(name, known) for name in names[:SHOWN])
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f"{counted(len(names), what)}: {shown}{more}"


def _shown(name: str, others: Sequence[str]) -> str:
    """Return a name for a message; of a long one the part where it differs from the nearest of `others`.

    >>> _shown("data/" * 40 + "d1-000", ["data/" * 40 + "d1_0"])
    '…ta/data/data/data/d1-000'
    """
    if len(name) <= _LONGEST:
        return printable(name, _LONGEST)
    place = bisect(others, name)
    differs = max((_common(name, other) for other in others[max(place - 1, 0) : place + 1]), default=0)
    first = max(0, differs - _BEFORE)
    if first == 0:  # the end is told, too: files differ there
        return f"{printable(name[: _LONGEST // 2])}…{printable(name[1 - _LONGEST // 2 :])}"
    return f"…{printable(name[first:], _LONGEST - 1)}"


def _common(one: str, other: str) -> int:
    """Return the number of characters with which both begin."""
    for place, (left, right) in enumerate(zip(one, other, strict=False)):
        if left != right:
            return place
    return min(len(one), len(other))
