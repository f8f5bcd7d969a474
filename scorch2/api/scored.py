"""Scoring of what Python callers give: paths, clusterings, or documents that were read."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from scorch2.api.given import of_clusters, of_reader
from scorch2.model.document import Clusters, Document
from scorch2.model.errors import PairingError, UsageError, quoted
from scorch2.model.options import Options
from scorch2.scoring.flow import Measure, Watch, outcomes, report_on, unwatched
from scorch2.scoring.pairing.files import Item, Pair, Plan, Readers, SideFiles
from scorch2.scoring.pairing.pairs import read_pairs
from scorch2.scoring.report import Report
from scorch2.workers import engine

if TYPE_CHECKING:
    from concurrent.futures import Executor

Path: TypeAlias = str | os.PathLike[str]


def chosen_engine(jobs: int = 1, executor: "Executor | None" = None) -> engine.Engine:
    """Return the function that scores two paths with so many processes, or with an executor.

    Raises
    ------
    UsageError
        For both, or for values that make no sense.
    """
    if executor is None:
        return engine.chosen(jobs)
    if jobs != 1:
        raise UsageError("give jobs or an executor, not both")
    if not callable(getattr(executor, "submit", None)):
        raise UsageError(f"executor should be a concurrent.futures.Executor, not {type(executor).__name__}")
    from contextlib import nullcontext

    from scorch2.workers.tasks import ASSUMED_WORKERS, Workers

    return engine.with_workers(lambda: nullcontext(Workers(executor, ASSUMED_WORKERS)))


def scored(  # noqa: PLR0913, PLR0917 - those of an engine, and the engine
    score: engine.Engine,
    gold: Path | Clusters,
    system: Path | Clusters,
    options: Options,
    watch: Watch = unwatched,
    measure: Measure = outcomes,
) -> Report:
    """Score two paths with an engine, or two clusterings, or documents that were read, in this process.

    Raises
    ------
    UsageError
        For a path against clusters.
    """
    if isinstance(gold, str | os.PathLike) and isinstance(system, str | os.PathLike):
        return score(os.fspath(gold), os.fspath(system), options, watch, measure)
    if isinstance(gold, str | os.PathLike) or isinstance(system, str | os.PathLike):
        raise UsageError("give two paths or two clusterings (scorch2.read turns a path into documents)")
    documents = of_reader(gold), of_reader(system)
    if all(documents) and max(map(len, documents)) > 1:
        pairs = _by_id(*documents, options)
    else:
        one = of_clusters(gold, "gold")
        pairs = iter([Pair(one.id, one, of_clusters(system, "system"))])
    return report_on(watch(measure(pairs, options), 1), [], options)


def _by_id(gold: Sequence[Document], system: Sequence[Document], options: Options) -> Iterator[Item]:
    """Yield the pairs of the documents of two files.

    Raises
    ------
    PairingError
        For two documents of one id on a side, and for one that the other side lacks.
    """
    given = {"gold": gold, "system": system}
    for documents in given.values():
        ident, times = Counter(document.id for document in documents).most_common(1)[0]
        if times > 1:
            raise PairingError(f"two documents are called {quoted(ident)}")
    sides = [SideFiles(name, {"": name}, is_folder=False, format=None) for name in given]
    plan = Plan(sides[0], sides[1], [""])
    return read_pairs(plan, options, Readers(gold=lambda name, *_: given[name]))
