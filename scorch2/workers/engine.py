"""Choose where two paths are scored: in this process, by worker processes, or on a Dask cluster."""

from typing import TYPE_CHECKING, Protocol

from scorch2.model.errors import UsageError, quoted
from scorch2.model.options import Options
from scorch2.scoring.flow import Measure, Watch, outcomes, score_paths, unwatched
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from scorch2.workers.tasks import Workers


class Engine(Protocol):
    """A function that scores two paths, as `scorch2.scoring.flow.score_paths` does."""

    def __call__(
        self,
        gold: str,
        system: str,
        options: Options,
        watch: Watch = unwatched,
        measure: Measure | None = None,
    ) -> Report:
        """Return the report."""


def chosen(jobs: int | None = None, address: str | None = None) -> Engine:
    """Return the function that scores two paths. Workers start when it is called, and end with the call."""
    # `jobs` is the number of worker processes, 0 for one per CPU; by default 1, which scores in this process,
    # or one per CPU with the `address` ``local``, which starts a Dask cluster on this machine.
    if jobs is not None and (type(jobs) is not int or jobs < 0):
        raise UsageError(f"jobs is a whole number from 0, not {quoted(jobs)}")
    if address is None and jobs in (None, 1):
        return score_paths
    from scorch2.workers.processes import cluster, local_processes

    if address is not None:
        return with_workers(lambda: cluster(address, jobs or 0))
    return with_workers(lambda: local_processes(jobs or 0))


def with_workers(start: "Callable[[], AbstractContextManager[Workers]]") -> Engine:
    """Return a function that starts workers, scores with them and ends them."""
    from scorch2.workers.tasks import score_paths

    def score(
        gold: str, system: str, options: Options, watch: Watch = unwatched, measure: Measure | None = None
    ) -> Report:
        with start() as workers:
            return score_paths(gold, system, options, workers, watch, measure or outcomes)

    return score
