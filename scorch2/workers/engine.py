"""Choose where two paths are scored: in this process, by worker processes, or on a Dask cluster."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import nullcontext
from itertools import tee
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from scorch2.formats.source import size
from scorch2.formats.table import ClusterKeys
from scorch2.model.document import Document
from scorch2.model.errors import InputError, UsageError, quoted
from scorch2.model.options import Options
from scorch2.scoring.flow import Measure, Watch, outcomes, report_on, score_paths, unwatched
from scorch2.scoring.pairing.files import Readers, readers_of
from scorch2.scoring.pairing.pairs import plan_pairs, read_pairs
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from scorch2.workers.tasks import Workers

    Start: TypeAlias = Callable[[], AbstractContextManager[Workers]]


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


def start_of(jobs: int | None = None, address: str | None = None) -> "Start | None":
    """Return the function that starts workers; None if there are none."""
    # `jobs` is the number of worker processes, 0 for one per CPU; by default 1, which scores in this process,
    # or one per CPU with the `address` ``local``, which starts a Dask cluster on this machine.
    if jobs is not None and (type(jobs) is not int or jobs < 0):
        raise UsageError(f"jobs is a whole number from 0, not {quoted(jobs)}")
    if address is None and jobs in (None, 1):
        return None
    from scorch2.workers.processes import cluster, local_processes

    if address is not None:
        return lambda: cluster(address, jobs or 0)
    return lambda: local_processes(jobs or 0)


def with_workers(start: "Start") -> Engine:
    """Return a function that starts workers, scores with them and ends them."""
    from scorch2.workers.tasks import score_paths

    running: list[Workers] = []  # those of a call that has not ended, which calls inside it share

    def score(
        gold: str, system: str, options: Options, watch: Watch = unwatched, measure: Measure | None = None
    ) -> Report:
        with nullcontext(running[0]) if running else start() as workers:
            running.append(workers)
            try:
                return score_paths(gold, system, options, workers, watch, measure or outcomes)
            finally:
                running.pop()

    return score


MOST_KEPT = 1 << 25
"""The bytes of files whose documents are kept, in up to eight times the memory; others are read again."""


def keeping_gold(score: Engine) -> Engine:
    """Return what scores systems like `score`, by the same options; in this process it reads gold once."""
    if score is not score_paths:  # each worker reads what it scores
        return score
    kept = _Kept()

    def score_kept(
        gold: str, system: str, options: Options, watch: Watch = unwatched, measure: Measure | None = None
    ) -> Report:
        plan = plan_pairs(gold, system, options)
        readers = kept.readers(readers_of(options), {*plan.gold.files.values()})
        found = (measure or outcomes)(read_pairs(plan, options, readers), options)
        return report_on(watch(found, len(plan.stems)), plan.notices, options, (gold, system))

    return score_kept


def _to_error(documents: Iterable[Document]) -> "Iterator[Document | InputError]":
    """Yield documents, and the error that ends them."""
    try:
        yield from documents
    except InputError as error:
        yield error


def _raised(found: "Iterable[Document | InputError]") -> Iterator[Document]:
    for one in found:
        if isinstance(one, InputError):
            raise one
        yield one


class _Kept:
    """The documents of files that are read once, up to a number of bytes."""

    def __init__(self) -> None:
        self._left = MOST_KEPT
        self._documents: dict[tuple[str, str | None, ClusterKeys], Any] = {}

    def readers(self, readers: Readers, gold: Collection[str]) -> Readers:
        """Return readers that read the files of `gold` once."""

        def read(path: str, form: str | None, keys: ClusterKeys) -> Iterable[Document]:
            key = (path, form, keys)
            if path not in gold or (key not in self._documents and size(path) > self._left):
                return readers.gold(path, form, keys)
            if key not in self._documents:
                documents = readers.gold(path, form, keys)
                self._left -= size(path)
                self._documents[key] = (
                    documents if type(documents) is list else tee(_to_error(documents), 1)[0]
                )
            kept = self._documents[key]
            return kept if type(kept) is list else _raised(tee(kept)[1])

        return readers._replace(gold=read)
