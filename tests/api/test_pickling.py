"""Values that Python programs get go to other processes and into files, and come back as they were."""

import copy
import inspect
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.model.score import Value

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD, SYSTEM, OTHER = (str(EXAMPLE / side) for side in ("gold", "sys", "other"))
TEXTS = tuple(f"{side}.conll" for side in (GOLD, SYSTEM))
CLUSTERS: tuple[list[list[Any]], ...] = [["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]]
SYSTEMS = {"sys": SYSTEM, "other": OTHER}
PAGE: dict[str, Any] = {
    "by": ["type", "pattern", "place"],
    "types": "english",
    "windows": [20],
    "what_if": "kind:span",
}


def fed() -> scorch2.CorefScorer:
    scorer = scorch2.CorefScorer()
    scorer.update(gold=CLUSTERS[0], system=CLUSTERS[1])
    return scorer


def stored(name: str) -> str:
    scorch2.score(GOLD, SYSTEMS[name]).save(f"{name}.json")
    return f"{name}.json"


VALUES: Mapping[str, Callable[[], Any]] = {
    "Report": lambda: scorch2.score(GOLD, SYSTEM),
    "Report of clusters": lambda: scorch2.score(*CLUSTERS),
    "Report of one document": lambda: scorch2.score(*CLUSTERS, profile="conll"),
    "Report of a file": lambda: scorch2.read_report(stored("sys")),
    "Score": lambda: scorch2.score(*CLUSTERS).muc,
    "Value": lambda: Value(0.25),
    "ErrorReport": lambda: scorch2.errors(GOLD, SYSTEM),
    "ErrorReport of clusters": lambda: scorch2.errors(*CLUSTERS),
    "ErrorReport of documents": lambda: scorch2.errors(*map(scorch2.read, TEXTS)),
    "ErrorReport of processes": lambda: scorch2.errors(GOLD, SYSTEM, jobs=2, gains="none"),
    "ErrorReport of two": lambda: scorch2.errors(GOLD, SYSTEM, OTHER, list="errors", trials=20),
    "ErrorReport with a page": lambda: scorch2.errors(*TEXTS, title="page", **PAGE),
    "ConfidenceReport": lambda: scorch2.confidence(SYSTEM, gold=GOLD, trials=20),
    "SignificanceReport": lambda: scorch2.significance(SYSTEMS, gold=GOLD, trials=20),
    "Comparison": lambda: scorch2.compare(SYSTEMS, gold=GOLD, trials=20),
    "Comparison of errors": lambda: scorch2.compare(SYSTEMS, gold=GOLD, trials=20, errors=True),
    "Agreement": lambda: scorch2.agreement(SYSTEMS),
    "Agreement with a page": lambda: scorch2.agreement(SYSTEMS, title="page"),
    "Leaderboard": lambda: scorch2.leaderboard([*map(stored, SYSTEMS)]),
    "Explanation": lambda: scorch2.explain("12.345", GOLD, SYSTEM, metrics=["muc"]),
    "Verification": lambda: scorch2.verify(stored("sys"), GOLD, SYSTEM),
    "Document": lambda: scorch2.read(TEXTS[0])[0],
    "CorefScorer": fed,
    "Notice": lambda: scorch2.Notice("page", "", "left out"),
    "ScorchError": lambda: scorch2.ScorchError("why"),
    "UsageError": lambda: scorch2.UsageError("why"),
    "PairingError": lambda: scorch2.PairingError("why"),
    "OutputError": lambda: scorch2.OutputError("why"),
    "WorkerError": lambda: scorch2.WorkerError("why"),
    "InputError": lambda: scorch2.InputError("file", "line 1", "why"),
    "InputErrors": lambda: scorch2.InputErrors([scorch2.InputError("file", "line 1", "why")]),
    "ScorchWarning": lambda: scorch2.ScorchWarning("why"),
}
COPIES: tuple[Callable[[Any], Any], ...] = (
    copy.deepcopy,
    lambda value: pickle.loads(pickle.dumps(value)),  # noqa: S301 - made a moment ago
)


def told(value: Any) -> list[Any]:
    """Return all that a value shows of itself."""
    found = [type(value), str(value), repr(value)]
    for name in ("to_dict", "to_records", "to_html", "examples", "compute"):
        if hasattr(value, name):
            try:
                found.append(getattr(value, name)())
            except scorch2.UsageError as error:  # a page that was not asked for
                found.append(str(error))
    if isinstance(value, Exception):
        found += [value.args, str(vars(value))]
    if isinstance(value, scorch2.Document) and value.words is not None:
        found.append(value.words())
    return found


def test_every_public_class_of_values_is_here() -> None:
    public = {name for name in scorch2.__all__ if inspect.isclass(getattr(scorch2, name))}
    assert public <= {*VALUES}


@pytest.mark.filterwarnings("ignore::scorch2.ScorchWarning")
@pytest.mark.parametrize("name", VALUES)
def test_a_value_can_be_pickled_and_copied(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    value = VALUES[name]()
    for copied in COPIES:
        twin = copied(value)
        assert told(twin) == told(value)
        if not isinstance(value, Exception | scorch2.CorefScorer | scorch2.Document):
            assert twin == value
