"""Reports that were tampered with, every leaf edited and every node deleted, and what `verify` says."""

import contextlib
import copy
import io
import json
import random
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from scorch2.api.requests import lookup
from scorch2.audit.baseline import values_of
from scorch2.audit.verify import Asked, verified
from scorch2.cli.main import main as scorch2
from scorch2.model.errors import ScorchError
from scorch2.model.options import Options
from scorch2.scoring.flow import Measure, Watch, score_paths
from scorch2.scoring.report import Report

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
Place: TypeAlias = tuple[str | int, ...]


class Kind(NamedTuple):
    """The words that a report is made with, and both sides below `fixtures`."""

    words: Sequence[str]
    gold: str
    system: str


KINDS = {
    "plain": Kind((), "example/gold", "example/sys"),
    "intervals": Kind(
        ("--profile=conll", "--confidence=95", "--trials=200"), "example/gold.conll", "example/sys.conll"
    ),
    "gates": Kind(
        (
            *("--baseline=example/baseline.json", "--max-drop=conll=0.5%", "--max-drop-rel=muc=1%"),
            *("--fail-under=muc.r=75", "--fail-under-doc=lea.f=0.9", "--fail-under=muc[size=3-5].r=0.4"),
        ),
        *("example/gold", "example/sys"),
    ),
    "all metrics": Kind(
        ("-m", "all", "--average=macro", "--no-signature"), "example/gold.conll", "example/sys.conll"
    ),
    "classes of files": Kind(
        ("--by=size,bands", "--average=files", "--missing=skip"), "shared-task/gold", "shared-task/sys"
    ),
    "genres": Kind(("--by=genre", "--genre=^(.)"), "example/gold", "example/sys"),
    "another folder": Kind(
        ("--missing=skip", "--extra=skip", "--gold-files=*-000.json"), "example/gold", "example/other"
    ),
    "corefud": Kind(("--profile=corefud-1.2",), "shared-task/gold", "shared-task/sys"),
    "a language model": Kind(
        ("--align=text", "--marks=repair", "--pair=order"), "example/gold.conll", "example/answers.md"
    ),
    "no hashes": Kind(("--no-hashes", "--undefined=zero"), "example/gold", "example/sys"),
}

NO_TRACE = (
    (r"options\.(signature|mark_undefined)", "how the text report looks"),
    (
        r"options\.(gold|sys)_(format|files|key|offsets)",
        "how files are read: all is the same when they are read so",
    ),
    (r"python", "a note names it"),
    (r"inputs", "without hashes only numbers are compared, which the first line says"),
    (r"inputs\.pairing", "of a report of one document, which pairs whatever its name is"),
    (r"gates(\.\d+)?", "what a run asked for stands nowhere else"),
    (r"gates\.\d+\.(limit|gate|part|metric|baseline|p)", "likewise"),
    (r"breakdown\.\w+", "likewise"),
    (r"breakdown(\.genre.*)?", "classes by genre, whose pattern no report says"),
    (r"confidence\.(level|trials)", "intervals that come out the same"),
)
"""Places of a report where an edit or a deletion leaves no trace, and why."""


def nodes(value: Any, place: Place = ()) -> Iterator[tuple[Place, Any]]:
    """Yield every node of a value below its root, with its place."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, found in inner:
        yield (*place, key), found
        yield from nodes(found, (*place, key))


def edited(value: Any, source: random.Random) -> Any:
    """Return another value for a leaf: of the same kind, or not."""
    if isinstance(value, bool):
        return source.choice([not value, "true", 1 - int(value), None])
    if isinstance(value, int | float):
        return source.choice([value + 1, value * 0.9 - 0.01, str(value), True, None])
    if value is None:
        return source.choice([1, 0.5, "x"])
    return source.choice([value + "x", "x" + value, "", value[:-1] + "y"])


def changed(report: dict[str, Any], place: Place, source: random.Random | None) -> dict[str, Any]:
    """Return a report with another leaf, or without a node if nothing is to be drawn."""
    found = copy.deepcopy(report)
    parent: Any = found
    for key in place[:-1]:
        parent = parent[key]
    if source is None:
        del parent[place[-1]]
    else:
        parent[place[-1]] = edited(parent[place[-1]], source)
    return found


def tampered(report: dict[str, Any], source: random.Random) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield every report with one leaf edited, or one node deleted: what was done, where, and the report."""
    for place, value in nodes(report):
        name = ".".join(map(str, place))
        if not isinstance(value, dict | list):
            yield "edited", name, changed(report, place, source)
        yield "deleted", name, changed(report, place, None)


def unnoticed(report: dict[str, Any], kind: Kind, source: random.Random) -> tuple[int, list[tuple[str, str]]]:
    """Return how often a report was changed, and what of it `verify` did not name."""
    known: dict[str, Report] = {}

    def score(options: Options, watch: Watch, measure: Measure | None) -> Report:
        if measure is not None:
            return score_paths(kind.gold, kind.system, options, watch, measure)
        name = repr(options)
        if name not in known:
            known[name] = score_paths(kind.gold, kind.system, options, watch)
        return known[name]

    if not verified(report, "r.json", lookup, score, Asked()).holds:
        raise RuntimeError(f"does not hold as it is: {kind}")
    missed, number = [], 0
    for done, place, value in tampered(report, source):
        if value == report:
            continue
        number += 1
        try:
            if verified(values_of(json.dumps(value), "r.json"), "r.json", lookup, score, Asked()).holds:
                missed.append((done, place))
        except ScorchError:
            pass
    return number, missed


def has_reason(place: str) -> bool:
    """Return whether a place is one of those that leave no trace."""
    return any(re.fullmatch(pattern, place) for pattern, _ in NO_TRACE)


def made(kind: Kind) -> dict[str, Any]:
    """Return a report of a kind; it is made below `fixtures`."""
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        path = Path(folder) / "r.json"
        scorch2(["-q", "-f", "json", "-o", str(path), *kind.words, kind.gold, kind.system])
        return dict(json.loads(path.read_text("utf-8")))
