"""How a command scores: in this process, or with the workers that its options ask for."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from scorch2.model.numbers import whole
from scorch2.model.options import Options
from scorch2.scoring import Watch, score_paths, unwatched
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from scorch2.workers.tasks import Workers

USAGE = """\
  -j, --jobs=<n>            score with so many processes (default 1; 0: one for each processor)
  --dask=<address>          score with the workers of this Dask scheduler; local starts some here"""
Engine: TypeAlias = Callable[[str, str, Options, Watch], Report]
"""Scores two paths as `scorch2.scoring.score_paths` does."""


def chosen(given: dict[str, Any]) -> Engine:
    """Return what scores as the options of `USAGE` ask for; workers start when it is called.

    Raises
    ------
    UsageError
        For a number of jobs that is none.
    """
    jobs = whole(given["--jobs"], "--jobs", 1, least=0)
    address = given["--dask"]
    if address is None and jobs == 1:
        return score_paths
    from scorch2.workers import pools

    if address is not None:
        return with_workers(lambda: pools.cluster(address, 0 if given["--jobs"] is None else jobs))
    return with_workers(lambda: pools.processes(jobs))


def with_workers(start: "Callable[[], AbstractContextManager[Workers]]") -> Engine:
    """Return what starts workers, scores with them and ends them."""
    from scorch2.workers import tasks as parallel

    def score(gold: str, system: str, options: Options, watch: Watch = unwatched) -> Report:
        with start() as workers:
            return parallel.score_paths(gold, system, options, workers, watch)

    return score
