"""Scoring with the workers of an executor: tasks name documents, results hold their tallies.

A task holds paths and byte ranges, never documents. So any executor will do: processes of this machine, or
of others that see the same files. Results are used in the order of the tasks, so the report is the same for
any number of workers.
"""

import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count, islice, pairwise
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scorch2.formats.source import STDIN, is_kept, size
from scorch2.model.errors import InputError, Notice, WorkerError, listed, shown_path
from scorch2.model.options import Options
from scorch2.model.score import AVERAGES, Measured, Tally
from scorch2.scoring import flow
from scorch2.scoring.metrics.chosen import counted_metrics
from scorch2.scoring.metrics.metric import Metric
from scorch2.scoring.pairing.by_name import document_key, pair_in_step
from scorch2.scoring.pairing.files import Plan
from scorch2.scoring.pairing.pairs import plan_pairs, read_pairs
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from scorch2.formats.chunks import Chunk


class Way(NamedTuple):
    """The options for making pairs, and the function that measures them."""

    options: Options
    measure: flow.Measure


class ScoredColumns(NamedTuple):
    """Scored documents in columns, equal counts once: sending 20 000 takes 0.12 s so, and else 0.35 s."""

    measured: Mapping[str, Sequence[Any]]
    """The fields of `Measured`, each for all documents; of their counts the places in `numbers`."""
    others: Mapping[str, Sequence[Any]]  # the other fields of `Scored` likewise
    numbers: Sequence[Sequence[float]]
    """The columns of different counts: the fields of `Tally`, for every part of every metric."""


def in_columns(outcomes_found: Iterable[flow.Outcome]) -> list[ScoredColumns | Notice | InputError]:
    """Return outcomes in the same order, with scored documents that follow each other in columns."""
    columns: list[ScoredColumns | Notice | InputError] = []
    scored: list[flow.Scored] = []
    for outcome in outcomes_found:
        if isinstance(outcome, flow.Scored):
            scored.append(outcome)
            continue
        columns += [*_columns_of(scored), outcome]
        scored = []
    return columns + _columns_of(scored)


def _columns_of(scored: Sequence[flow.Scored]) -> list[ScoredColumns | Notice | InputError]:
    if not scored:
        return []
    others = dict(zip(flow.Scored._fields, zip(*scored, strict=True), strict=True))
    measured = dict(zip(Measured._fields, zip(*others.pop("measured"), strict=True), strict=True))
    counts = {id(tallies): tallies for tallies in measured["tallies"]}  # one object for equal tables
    place = dict(zip(counts, count(), strict=False))
    rows = [chain.from_iterable(chain.from_iterable(tallies)) for tallies in counts.values()]
    measured["tallies"] = tuple([place[id(tallies)] for tallies in measured["tallies"]])
    return [ScoredColumns(measured, others, list(zip(*rows, strict=True)))]


def from_columns(
    found: Iterable[ScoredColumns | Notice | InputError], metrics: Sequence[Metric]
) -> Iterator[flow.Outcome]:
    """Yield the outcomes that `in_columns` was given; `metrics` are those that were counted, at least one."""
    for outcome in found:
        if not isinstance(outcome, ScoredColumns):
            yield outcome
            continue
        columns = iter(outcome.numbers)
        of_metrics = [
            zip(*[map(Tally, *islice(columns, len(Tally._fields))) for _ in metric.parts], strict=True)
            for metric in metrics
        ]
        counts = list(zip(*of_metrics, strict=True))
        tallies = map(counts.__getitem__, outcome.measured["tallies"])
        measured = map(Measured, *{**outcome.measured, "tallies": tallies}.values())
        yield from map(flow.Scored, measured, *outcome.others.values())


PATIENCE = 30
"""Seconds to wait for a result before asking whether any workers are left: a cluster may have lost all."""
TASK_SECONDS = 0.05
"""Target CPU seconds per task: well above the sending cost, short enough that the last task delays nobody."""
_FIRST, _MOST = 16, 4096  # number of stems in the first tasks, whose speed is not known, and in the largest
_AHEAD = 4  # submitted tasks per worker: enough to keep it busy, few enough to cancel quickly
ASSUMED_WORKERS = 64
"""Assumed size of an executor that does not report one. If it is smaller, more tasks queue up, which is
cheap."""
LARGE = 1 << 22  # from this size in bytes, a file of many documents is split
CHUNK = 1 << 20
_BRIEF = 100


class Stems(NamedTuple):
    """A task: the documents of some stems."""

    plan: Plan
    way: Way


class FileChunks(NamedTuple):
    """A task: a range of documents in two large files."""

    gold: "Chunk"
    system: "Chunk"
    prefix: str
    file: str
    way: Way


class Answer(NamedTuple):
    """The result of a task."""

    outcomes: list[ScoredColumns | Notice | InputError]
    seconds: float
    in_step: bool = True  # whether the documents of both chunks pair in their order


class Slice(NamedTuple):
    """A task: what a function, which workers import, does to some of many things."""

    call: Callable[[int, int], Sequence[Any]]  # of the first, and the last and one
    first: int
    last: int


Task: TypeAlias = Stems | FileChunks | Slice


class _Job(NamedTuple):
    """Tasks that belong together, and the task that replaces them if the chunks of a file do not pair."""

    tasks: Sequence[Task]
    instead: Stems | None = None


class Workers(NamedTuple):
    """An executor, and the approximate number of tasks that it runs at once."""

    executor: "Executor"
    number: int
    alive: Callable[[], bool] = lambda: True
    """Returns whether any workers are left; called after every `PATIENCE` seconds of waiting."""


def score_paths(  # noqa: PLR0913, PLR0917 - those of scoring, and the workers
    gold: str,
    system: str,
    options: Options,
    workers: Workers,
    watch: flow.Watch = flow.unwatched,
    measure: flow.Measure = flow.outcomes,
) -> Report:
    """Score files or folders as `scorch2.scoring.flow.score_paths` does, with the workers of an executor."""
    # Workers must see the files under the same paths. A WorkerError names the documents that a lost one had.
    plan = plan_pairs(gold, system, options)
    is_stream = any(path == STDIN or is_kept(path) for path in (gold, system))
    of_several = plan.by_documents or options.documents != "file" or options.sentences
    of_several = of_several or options.gold_categories or options.sys_categories or options.categories
    if of_several or is_stream:  # for one process
        outcomes_found: Iterator[flow.Outcome] = measure(read_pairs(plan, options), options)
    else:
        outcomes_found = _in_order(plan, Way(options, measure), workers)
    return flow.report_on(watch(outcomes_found, len(plan.stems)), plan.notices, options, (gold, system))


def in_slices(total: int, call: Callable[[int, int], Sequence[Any]], workers: Workers) -> Iterator[Any]:
    """Yield what a function returns for each of many things, in their order."""
    size = max(1, total // (_AHEAD * _AHEAD * workers.number))
    slices = [Slice(call, first, min(first + size, total)) for first in range(0, total, size)]
    futures = [_submitted(one, workers) for one in slices]
    for one, future in zip(slices, futures, strict=True):
        yield from _answer(one, future, workers).outcomes


def work(task: Task) -> Answer:
    """Score the documents of a task. Workers run this function."""
    start = process_time()
    if isinstance(task, Slice):
        return Answer([*task.call(task.first, task.last)], process_time() - start)
    options, measure = task.way
    if isinstance(task, Stems):
        found = in_columns(measure(read_pairs(task.plan, options), options))
        return Answer(found, process_time() - start)
    from scorch2.formats import chunks

    read = chunks.read_hashed_chunk if options.hashes else chunks.read_chunk
    try:
        pairs = pair_in_step(read(task.gold), read(task.system), task.prefix, task.file)
    except InputError:  # the whole file is read again, which reports the error with its line
        pairs = None
    if pairs is None:
        return Answer([], 0.0, in_step=False)
    return Answer(in_columns(measure(pairs, options)), process_time() - start)


class _TaskSize:
    """The number of stems that take about `TASK_SECONDS`, learnt from the tasks that are done."""

    def __init__(self) -> None:
        self.stems = _FIRST

    def learn(self, task: Task, seconds: float) -> None:
        if isinstance(task, Stems):
            fitting = len(task.plan.stems) * TASK_SECONDS / max(seconds, TASK_SECONDS / 100)
            self.stems = max(1, min(_MOST, int(fitting)))


def _in_order(plan: Plan, way: Way, workers: Workers) -> Iterator[flow.Outcome]:
    """Yield the outcomes of all stems in their order, while some more tasks are submitted already."""
    task_size = _TaskSize()
    jobs, metrics = _jobs(plan, way, task_size), counted_metrics(way.options)
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
                task_size.learn(task, answer.seconds)
            if job.instead is not None and not _fit(answers):
                answers = [_answer(job.instead, _submitted(job.instead, workers), workers)]
            for answer in answers:
                yield from from_columns(answer.outcomes, metrics)
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
        gone = f"the worker that scored {_what(task)} is gone ({lost}): nothing was written"
        raise WorkerError(f"{gone}; is there enough memory for so many workers?")


def _is_of_dask(error: Exception) -> bool:
    """Return whether Dask failed and not the task: it lost a worker, or lost one right after its result."""
    modules = [type(error).__module__]
    modules += [frame.f_globals.get("__name__", "") for frame, _ in traceback.walk_tb(error.__traceback__)]
    return any(name.partition(".")[0] == "distributed" for name in (modules[0], modules[-1]))


def _reason(error: Exception) -> str:
    """Return the name of an executor's error, and its text unless that is long."""
    name, said = type(error).__name__, str(error)
    return f"{name}: {said}" if 0 < len(said) <= _BRIEF else name


def _what(task: Task) -> str:
    if isinstance(task, Stems):
        return listed(task.plan.stems)
    if isinstance(task, Slice):
        return f"documents {task.first + 1} to {task.last}"
    first, last = task.gold.first, task.gold.last
    numbers = f"document {first}" if first == last else f"documents {first} to {last}"
    return f"{numbers} of {shown_path(task.gold.path)}"


def _fit(answers: Sequence[Answer]) -> bool:
    """Return whether the chunks pair, and give the same result as the whole files."""
    # They do not if a document of one chunk has the same name as one of another, or another key
    found = [one for answer in answers for one in answer.outcomes]
    scored = [one for one in found if isinstance(one, ScoredColumns)]
    names = [document_key(ident) for one in scored for ident in one.measured["id"]]
    keys = {origin[2:] for one in scored for origin in one.others["origin"]}
    is_like = len(scored) == len(found) and len(keys) <= 1 and all(answer.in_step for answer in answers)
    return is_like and 1 < len(set(names)) == len(names)


def _jobs(plan: Plan, way: Way, task_size: _TaskSize) -> Iterator[_Job]:
    """Yield tasks of the number of stems that `task_size` has learnt."""
    # Large files of many documents are split only if there are few files. Many files keep all workers busy.
    stems, first = plan.stems, 0
    while first < len(stems):
        chosen = stems[first : first + task_size.stems]
        if len(stems) <= _FIRST:
            chosen = chosen[:1]
            chunks = _chunks(plan, chosen[0], way)
            if chunks:
                yield _Job(chunks, Stems(plan.part(chosen), way))
                first += 1
                continue
        yield _Job([Stems(plan.part(chosen), way)])
        first += len(chosen)


def _chunks(plan: Plan, stem: str, way: Way) -> list[FileChunks]:
    """Return the tasks that two large files are split into, or none if they cannot be split."""
    # Both files must have a size (a pipe has none) and the same number of documents, more than one
    paths = plan.gold.files.get(stem), plan.system.files.get(stem)
    options = way.options
    if paths[0] is None or paths[1] is None or options.pair != "name" or options.join_windows:
        return []
    sizes = size(paths[0]), size(paths[1])
    if max(sizes) < LARGE or not all(sizes):
        return []
    from scorch2.formats.chunks import BORDERS_OF_ONE, Chunk, borders, cuts

    try:
        gold, system = borders(paths[0], plan.gold.format), borders(paths[1], plan.system.format)
    except InputError:  # the reader will report it
        return []
    if gold is None or system is None or not BORDERS_OF_ONE < len(gold.places) == len(system.places):
        return []
    tasks = []
    for a, b in pairwise(cuts(gold.places, system.places, CHUNK)):
        gold_chunk, system_chunk = (
            Chunk(
                path, cut.format, cut.places[a], cut.places[b], a + 1, b, side.format, side.keys, cut.carried
            )
            for path, cut, side in ((paths[0], gold, plan.gold), (paths[1], system, plan.system))
        )
        names = plan.prefix(stem), stem if AVERAGES[way.options.average].by_file else ""
        tasks.append(FileChunks(gold_chunk, system_chunk, *names, way))
    return tasks
