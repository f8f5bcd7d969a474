"""Stored reports for Python callers: scored again."""

import json
from typing import TYPE_CHECKING

from scorch2.api import given
from scorch2.api.calls import public, reworded
from scorch2.api.requests import lookup
from scorch2.formats.source import read_text
from scorch2.gate.baseline import values_of
from scorch2.model.document import Clusters
from scorch2.model.forms import path_of
from scorch2.model.options import Options
from scorch2.records.verify import Verification, verified
from scorch2.scoring.flow import Measure, Watch, outcomes
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from concurrent.futures import Executor


@public()
def verify(
    report: given.Path | Report,
    gold: given.Path | Clusters,
    system: given.Path | Clusters,
    *,
    jobs: int = 1,
    executor: "Executor | None" = None,
) -> Verification:
    """Score a stored report again and say what differs, as ``scorch2 verify``.

    Parameters
    ----------
    report : path, or Report
        A JSON report of scores, or such a report in memory.
    gold, system : path, or clusters
        Both sides, as `scorch2.score` takes them; clusters have no hashes.
    jobs, executor
        As in `scorch2.score`.

    Returns
    -------
    Verification
        ``holds`` (bool), ``documents`` whose bytes changed, ``pairs``, ``files``, ``options``, and
        ``numbers`` with ``stored``, ``now`` and ``difference`` (scores in 0..1).

    Raises
    ------
    InputError, PairingError
        For a report of another command, and as in `scorch2.score`.

    Examples
    --------
    >>> gold, system = "fixtures/example/gold", "fixtures/example/sys"
    >>> found = verify(scorch2.score(gold, system), gold, system)
    >>> found.holds, found.hashed
    (True, 6)
    """
    if isinstance(report, Report):
        path, stored = "report", json.loads(report.to_json())
    else:
        path = path_of(report, "report")
        stored = values_of(read_text(path), path)
    engine = given.chosen_engine(jobs, executor)

    def score(options: Options, watch: Watch, measure: Measure | None) -> Report:
        return reworded(given.scored(engine, gold, system, options, watch, measure or outcomes))

    return verified(stored, path, lookup, score)
