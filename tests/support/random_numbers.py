"""Numbers from nowhere, looked up in all that `explain` tries on the bundled example."""

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from scorch2.audit.explain import Met, _candidates, _Corpus, _met
from scorch2.audit.printed import read_printed, request_of
from scorch2.audit.tries import in_this_process, pairs_read
from scorch2.model.options import options_from
from scorch2.scoring.flow import score_paths

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
LOW, HIGH = 0.5, 0.95
"""Where the scores of the example are."""


def _one(chooser: random.Random, digits: int) -> str:
    return f"{100 * chooser.uniform(LOW, HIGH):.{digits}f}%"


def _row(chooser: random.Random, digits: int) -> str:
    recall, precision = chooser.uniform(LOW, HIGH), chooser.uniform(LOW, HIGH)
    f1 = 2 * recall * precision / (recall + precision)
    named = {"R": recall, "P": precision, "F1": f1}
    return " ".join(f"{name}={100 * value:.{digits}f}%" for name, value in named.items())


def _two(chooser: random.Random, digits: int) -> str:
    return " ".join(f"{name}={100 * chooser.uniform(LOW, HIGH):.{digits}f}%" for name in ("R", "P"))


KINDS: Mapping[str, tuple[Callable[[random.Random, int], str], int, Mapping[str, str]]] = {
    "one number, two digits, cut or rounded": (_one, 2, {}),
    "one number, two digits, rounded alone": (_one, 2, {"average": "macro"}),
    "one number, one digit": (_one, 1, {}),
    "recall and precision, no digits": (_two, 0, {}),
    "recall, precision and F1, no digits": (_row, 0, {}),
    "recall, precision and F1, one digit": (_row, 1, {}),
}
"""How the numbers are made, and the options that are held."""


def results(kind: str, count: int, seed: int) -> list[Met]:
    """Return what is met of so many numbers of a kind."""
    gold, system = (str(EXAMPLE / f"{side}.conll") for side in ("gold", "sys"))
    make, digits, held = KINDS[kind]
    chooser = random.Random(seed)  # noqa: S311 - numbers from nowhere
    typed: Any = held
    request = request_of(typed, None, (), options_from(**typed)._replace(hashes=False))
    pairs, read = pairs_read(
        request, lambda options, measure: score_paths(gold, system, options, measure=measure)
    )
    rows = _Corpus(request, pairs, read).rows(in_this_process)
    every = [read_printed(make(chooser, digits)) for _ in range(count)]
    return [_met(printed, [_candidates(one, rows) for one in printed]) for printed in every]
