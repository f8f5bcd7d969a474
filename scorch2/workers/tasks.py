"""Scoring with many processes: paths and byte ranges go out, tallies come back, order is restored.

Tasks name documents and never hold them, so any executor will do: processes of this machine, or of others
that see the same files. Results are taken in the order of the tasks: a report is the same for any number of
workers.
"""

import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scorch2.formats.source import STDIN, size
from scorch2.model.errors import InputError, Notice, WorkerError
from scorch2.model.messages import listed, shown_path
from scorch2.model.options import Options
from scorch2.scoring import Outcome, Watch, counted_metrics, outcomes, pairing, report, unwatched
from scorch2.scoring.report import Report
from scorch2.workers.packing import Packed, packed, unpacked

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from scorch2.formats.pieces import Piece

PATIENCE = 30
"""Seconds after which it is asked whether a task can still be done: a cluster may have lost all workers."""
SECONDS = 0.03
"""What a task should take: long against the cost of sending it, short against the wait for the last one."""
_FIRST, _MOST = 16, 4096
"""Stems of the first tasks, whose speed is not known, and of the largest."""
_AHEAD = 4
"""Tasks that wait for each worker: enough to keep it busy, and few to cancel."""
SOME = 64
"""Workers of an executor that cannot be asked; with fewer, more tasks wait, and they are only names."""
LARGE = 1 << 22
"""Bytes of a file of many documents that are worth a split."""
_BRIEF = 100
"""Letters that fit into the parentheses of a message."""
_BORDERS_OF_ONE = 2
"""Where a file of one document begins and ends."""
PIECE = 1 << 20
"""Bytes of both sides in a piece."""


class Stems(NamedTuple):
    """A task: some stems of a plan."""

    plan: pairing.Plan
    options: Options


class Pieces(NamedTuple):
    """A task: the same documents of two large files."""

    gold: "Piece"
    system: "Piece"
    prefix: str
    options: Options


class Answer(NamedTuple):
    """What a worker sends back."""

    outcomes: list[Packed | Notice | InputError]
    seconds: float
    in_step: bool = True
    """Whether the documents of two pieces met in their order."""


Task: TypeAlias = Stems | Pieces


class _Job(NamedTuple):
    """Tasks that belong together, and what to do instead if pieces do not fit."""

    tasks: Sequence[Task]
    instead: Stems | None = None


class Workers(NamedTuple):
    """An executor, and how many tasks it runs at once, about."""

    executor: "Executor"
    number: int
    alive: Callable[[], bool] = lambda: True
    """Whether there is anybody left to answer; asked every `PATIENCE` seconds of waiting."""


def score_paths(
    gold: str, system: str, options: Options, workers: Workers, watch: Watch = unwatched
) -> Report:
    """Score files or folders as `scorch2.scoring.score_paths` does, with the workers of an executor.

    Parameters
    ----------
    gold, system, options, watch
        As there. Workers must find the files under the same paths.
    workers : Workers
        Any executor; it is left open.

    Raises
    ------
    WorkerError
        If a worker is lost, naming what it was to score.
    """
    plan = pairing.plan(gold, system, options)
    if STDIN in (gold, system):  # cannot be sent
        found: Iterator[Outcome] = outcomes(pairing.pairs(plan, options), options)
    else:
        found = _in_order(plan, options, workers)
    return report(watch(found, len(plan.stems)), [*plan.gold.notices, *plan.system.notices], options)


def work(task: Task) -> Answer:
    """Score the documents of a task; this is what runs in a worker."""
    start = perf_counter()
    if isinstance(task, Stems):
        found = packed(outcomes(pairing.pairs(task.plan, task.options), task.options))
        return Answer(found, perf_counter() - start)
    from scorch2.formats.pieces import read_piece

    try:
        pairs = pairing.in_step(read_piece(task.gold), read_piece(task.system), task.prefix)
    except InputError:  # read as a whole it is found again, with its line
        pairs = None
    if pairs is None:
        return Answer([], 0.0, in_step=False)
    return Answer(packed(outcomes(pairs, task.options)), perf_counter() - start)


class _Pace:
    """How many stems make a task of `SECONDS`, learnt from the tasks that are done."""

    def __init__(self) -> None:
        self.stems = _FIRST

    def learn(self, task: Task, seconds: float) -> None:
        if isinstance(task, Stems):
            fitting = len(task.plan.stems) * SECONDS / max(seconds, SECONDS / 100)
            self.stems = max(1, min(_MOST, int(fitting)))


def _in_order(plan: pairing.Plan, options: Options, workers: Workers) -> Iterator[Outcome]:
    """Yield the outcomes of all stems in their order, a few tasks ahead of the one that is waited for."""
    pace = _Pace()
    jobs, metrics = _jobs(plan, options, pace), counted_metrics(options)
    waiting: deque[tuple[_Job, list[Future[Answer]]]] = deque()
    try:
        while True:
            while sum(len(futures) for _, futures in waiting) < _AHEAD * workers.number:
                job = next(jobs, None)
                if job is None:
                    break
                waiting.append((job, [_submitted(task, workers) for task in job.tasks]))
            if not waiting:
                return
            job, futures = waiting.popleft()
            answers = [
                _answer(task, future, workers) for task, future in zip(job.tasks, futures, strict=True)
            ]
            for task, answer in zip(job.tasks, answers, strict=True):
                pace.learn(task, answer.seconds)
            if job.instead is not None and not _fit(answers):
                answers = [_answer(job.instead, _submitted(job.instead, workers), workers)]
            for answer in answers:
                yield from unpacked(answer.outcomes, metrics)
    finally:
        for _, futures in waiting:
            for future in futures:
                future.cancel()


def _submitted(task: Task, workers: Workers) -> "Future[Answer]":
    try:
        return workers.executor.submit(work, task)
    except RuntimeError as error:  # a broken executor, or one that was shut down
        why = f"no worker takes {_what(task)} ({_reason(error)}): nothing was written"
        raise WorkerError(why) from None


def _answer(task: Task, future: "Future[Answer]", workers: Workers) -> Answer:
    from concurrent.futures import BrokenExecutor, CancelledError
    from concurrent.futures import TimeoutError as NoAnswerError  # the built-in one since Python 3.11

    while True:
        try:
            return future.result(PATIENCE)
        except NoAnswerError as late:
            if future.done() and not future.cancelled() and future.exception() is late:  # the task's own
                raise
            if future.done() or workers.alive():
                continue
            lost = "no workers are left"
        except Exception as error:
            if not (_is_of_dask(error) or isinstance(error, BrokenExecutor | CancelledError)):
                raise
            lost = _reason(error)
        raise _lost(task, lost)


def _is_of_dask(error: Exception) -> bool:
    """Return whether Dask failed, not the task: it lost a worker, or one that had just answered."""
    modules = [type(error).__module__]
    modules += [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return any(name.partition(".")[0] == "distributed" for name in (modules[0], modules[-1]))


def _reason(error: Exception) -> str:
    """Return what an executor calls its failure, and what it says of it unless that is long."""
    name, said = type(error).__name__, str(error)
    return f"{name}: {said}" if 0 < len(said) <= _BRIEF else name


def _lost(task: Task, why: str) -> WorkerError:
    gone = f"the worker that scored {_what(task)} is gone ({why})"
    return WorkerError(f"{gone}: nothing was written; is there enough memory for so many workers?")


def _what(task: Task) -> str:
    if isinstance(task, Stems):
        return listed(task.plan.stems)
    first, last = task.gold.first, task.gold.last
    numbers = f"document {first}" if first == last else f"documents {first} to {last}"
    return f"{numbers} of {shown_path(task.gold.path)}"


def _fit(answers: Sequence[Answer]) -> bool:
    """Return whether all pieces could be paired, and would be alike if they were one.

    They would not if a document of one piece answered to one of another, too.
    """
    found = [one for answer in answers for one in answer.outcomes]
    names = [pairing.doc_key(ident) for one in found if isinstance(one, Packed) for ident in one.ids]
    whole = all(isinstance(one, Packed) for one in found)
    return whole and all(answer.in_step for answer in answers) and 1 < len(set(names)) == len(names)


def _jobs(plan: pairing.Plan, options: Options, pace: _Pace) -> Iterator[_Job]:
    """Yield tasks of as many stems as the pace allows for.

    Large files of many documents are split where there are few files: the others are enough for all workers.
    """
    stems, first = plan.stems, 0
    while first < len(stems):
        chosen = stems[first : first + pace.stems]
        if len(stems) <= _FIRST:
            chosen = chosen[:1]
            pieces = _pieces(plan, chosen[0], options)
            if pieces:
                yield _Job(pieces, Stems(plan.part(chosen), options))
                first += 1
                continue
        yield _Job([Stems(plan.part(chosen), options)])
        first += len(chosen)


def _pieces(plan: pairing.Plan, stem: str, options: Options) -> list[Pieces]:
    """Return the tasks of two large files of equally many documents; none if they are not.

    What has no size, such as a pipe, cannot be looked at first; one document is called like its file.
    """
    paths = plan.gold.files.get(stem), plan.system.files.get(stem)
    if paths[0] is None or paths[1] is None:
        return []
    sizes = size(paths[0]), size(paths[1])
    if max(sizes) < LARGE or not all(sizes):
        return []
    from scorch2.formats.pieces import Piece, borders

    try:
        gold, system = borders(paths[0], plan.gold.format), borders(paths[1], plan.system.format)
    except InputError:  # the reader will say so
        return []
    if gold is None or system is None or not _BORDERS_OF_ONE < len(gold[1]) == len(system[1]):
        return []
    tasks = []
    for a, b in pairwise(_cuts(gold[1], system[1])):
        pieces = [
            Piece(path, form, starts[a], starts[b], a + 1, b)
            for path, (form, starts) in ((paths[0], gold), (paths[1], system))
        ]
        tasks.append(Pieces(pieces[0], pieces[1], plan.prefix(stem), options))
    return tasks


def _cuts(gold: Sequence[int], system: Sequence[int]) -> list[int]:
    """Return the numbers of the documents at which pieces of about `PIECE` bytes begin, then their number."""
    cuts = [0]
    for number, (left, right) in enumerate(zip(gold, system, strict=True)):
        if left + right - gold[cuts[-1]] - system[cuts[-1]] >= PIECE:
            cuts.append(number)
    return cuts if cuts[-1] == len(gold) - 1 else [*cuts, len(gold) - 1]
