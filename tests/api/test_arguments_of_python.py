"""Wrong arguments of Python callers: an error of scorch2 that names the argument and says what it takes."""

import inspect
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from every import every

import scorch2
from scorch2.api.resampling import Scoring
from scorch2.model.options import INPUTS, OPTIONS

FIXTURES = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD, SYSTEM, OTHER = (str(FIXTURES / side) for side in ("gold", "sys", "other"))
CONLL, BASELINE = str(FIXTURES / "gold.conll"), str(FIXTURES / "baseline.json")
LINKS = [[["a", "b"]]]
SCORED: dict[str, Any] = {"gold": GOLD, "metrics": ["muc"], "trials": 10}
CALLS: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (scorch2.score, {"gold": GOLD, "system": SYSTEM}),
    (scorch2.errors, {"gold": GOLD, "system": SYSTEM}),
    (scorch2.compare, {"systems": [SYSTEM, OTHER], **SCORED}),
    (scorch2.confidence, {"system": SYSTEM, **SCORED}),
    (scorch2.significance, {"systems": [SYSTEM, OTHER], **SCORED}),
    (scorch2.read, {"path": CONLL}),
    (scorch2.compute, {"predictions": LINKS, "references": LINKS}),
    (scorch2.assert_scores, {"gold": LINKS[0], "system": LINKS[0], "conll": 0}),
    (scorch2.CorefScorer, {}),
    (scorch2.agreement, {"annotators": [GOLD, SYSTEM]}),
    (scorch2.explain, {"number": 100, "gold": LINKS[0], "system": LINKS[0], "profile": "conll"}),
    (scorch2.verify, {"report": BASELINE, "gold": GOLD, "system": SYSTEM}),
    (scorch2.leaderboard, {"reports": [BASELINE]}),
    (scorch2.read_report, {"path": BASELINE}),
    (scorch2.resolve, {"gold": CONLL, "rule": "singletons"}),
    (scorch2.score_task, {"task": CONLL, "submission": SYSTEM}),
]
"""The functions with arguments that they take."""
ODD = (2, 2.5, math.nan, -1, True, object(), b"x", "nonsense", ["x"], [5], [None], {"a": 1}, (1, 2), None)


def test_every_public_function_is_called() -> None:
    functions = {one for name in scorch2.__all__ if inspect.isfunction(one := getattr(scorch2, name))}
    assert functions <= {*dict(CALLS)}


def arguments() -> Iterator[Any]:
    """Yield every function with what it takes and the name of one argument, also of ones that it lacks."""
    for function, given in CALLS:
        found = inspect.signature(function).parameters.values()
        names = [one.name for one in found if one.kind is not one.VAR_KEYWORD]
        if len(names) < len(found):
            names += [*OPTIONS, *Scoring.__annotations__, "metric"]
        for name in dict.fromkeys(names):
            yield function, given, name


@every(("function", "given", "name"), arguments())
def test_an_odd_value_is_taken_or_refused_in_one_line(
    function: Callable[..., Any], given: dict[str, Any], name: str
) -> None:
    too_low = (AssertionError,) if function is scorch2.assert_scores and name in OPTIONS else ()
    for value in ODD:
        try:
            function(**{**given, name: value})
        except (scorch2.ScorchError, *too_low) as error:
            assert str(error).count("\n") == 0  # noqa: PT017 - most values are refused, some are taken


@every("function", [scorch2.score, scorch2.errors])
def test_every_row_about_files_is_an_argument(function: Callable[..., Any]) -> None:
    parameters = inspect.signature(function).parameters
    there = [name for name in parameters if name in INPUTS]
    assert there == [*INPUTS], "the rows of Inputs are the arguments of the function, in their order"
    assert all(parameters[name].default is None for name in there)


UNKNOWN = [
    (scorch2.score, {"metric": "muc"}, 'unknown argument of score "metric", did you mean metrics? (known: '),
    (scorch2.errors, {"window": [5]}, 'unknown argument of errors "window", did you mean windows? (known: '),
    (scorch2.errors, {"type_weights": None}, 'unknown argument of errors "type_weights" (known: metrics, by'),
    (scorch2.compare, {"alfa": 0.1}, 'unknown argument of compare "alfa", did you mean alpha? (known: gold,'),
    (scorch2.confidence, {"percentile": 95}, '"percentile", did you mean percentiles? (known: gold, metrics'),
    (scorch2.significance, {"onesided": True}, '"onesided", did you mean one_sided? (known: gold, metrics,'),
]


@pytest.mark.parametrize(("function", "wrong", "message"), UNKNOWN)
def test_an_unknown_keyword_is_named_with_the_nearest_one(
    function: Callable[..., Any], wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(scorch2.UsageError) as caught:
        function(**dict(CALLS)[function], **wrong)
    assert message in str(caught.value)


WRONG = [
    (scorch2.errors, {"windows": 5}, "windows takes a list, such as [500], not 5"),
    (scorch2.errors, {"windows": "5x"}, 'windows is a whole number from 1 to 10000000, not "5x"'),
    (scorch2.errors, {"by": 5}, 'by takes a list, such as ["type"], not 5'),
    (scorch2.errors, {"kind": None}, 'kind takes a list, such as ["divided"], not None'),
    (scorch2.errors, {"document": 5}, 'document takes a list, such as ["d1"], not 5'),
    (scorch2.errors, {"genre": 5}, "genre is a text, not 5"),
    (scorch2.score, {"gold_files": 5}, "gold_files is a text, not 5"),
    (scorch2.score, {"profile": ["conll"]}, "unknown profile ['conll'], did you mean conll?"),
    (scorch2.score, {"gold_format": ["conll"]}, "unknown format ['conll'], did you mean conll?"),
    (scorch2.confidence, {"metrics": [5]}, 'metrics are names, such as ["muc", "lea"], not 5'),
    (scorch2.confidence, {"percentiles": None}, "percentiles takes a list, such as [95], not None"),
    (scorch2.confidence, {"parts": 5}, 'parts takes a list, such as ["f1"], not 5'),
    (scorch2.significance, {"holm": "no"}, 'holm is True or False, not "no"'),
    (scorch2.verify, {"require": 3}, 'require maps options to values, such as {"average": "pooled"}, not 3'),
    (scorch2.read, {"path": 5}, "path is the path of a file, not 5"),
    (scorch2.compute, {"references": 5}, 'references takes a list, such as [[["a", "b"]]], not 5'),
]


@every(("function", "wrong", "message"), WRONG)
def test_a_wrong_value_is_named_with_what_would_do(
    function: Callable[..., Any], wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(scorch2.UsageError) as caught:
        function(**{**dict(CALLS)[function], **wrong})
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(("alpha", "level"), [(0.05, 0.05), ("1%", 0.01), (2, 0.02), (0, 0)])
def test_a_level_is_a_fraction_or_percent(alpha: float | str, level: float) -> None:
    assert scorch2.compare([SYSTEM, OTHER], **SCORED, alpha=alpha).alpha == level


@pytest.mark.parametrize("alpha", [1, 1.0, "1", 1.5])
def test_a_level_that_could_be_both_is_refused(alpha: float | str) -> None:
    with pytest.raises(scorch2.UsageError, match=r"alpha: .* could be .* %: write .*%"):
        scorch2.compare([SYSTEM, OTHER], **SCORED, alpha=alpha)
