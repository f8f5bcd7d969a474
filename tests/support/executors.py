"""An executor for tests of workers: what is sent to other processes is pickled, as it is there."""

import pickle
import shutil
from collections.abc import Callable
from concurrent.futures import Executor, Future
from os import PathLike
from pathlib import Path
from typing import Any

import scorch2
from scorch2.workers.tasks import FileChunks, Task

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
FOLDERS = (str(EXAMPLE / "gold"), str(EXAMPLE / "sys"))
FILES = (str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll"))


def sixty_files(folder: Path) -> tuple[str, str]:
    """Write sixty files a side, so that tasks differ in size."""
    for side in ("gold", "sys"):
        (folder / side).mkdir()
        for number in range(60):
            source = EXAMPLE / side / ("letter-000.json" if number % 3 else "harbour-000.json")
            shutil.copyfile(source, folder / side / f"d{number:02}.json")
    return str(folder / "gold"), str(folder / "sys")


def scored(gold: str, system: str, executor: Executor, **choices: Any) -> scorch2.Report:
    return scorch2.score(gold, system, executor=executor, **choices)


class Here(Executor):
    """Runs tasks at once in this process, after a pickle there and back, and remembers them."""

    def __init__(self) -> None:
        self.tasks: list[Task] = []

    def submit(self, call: Callable[..., Any], /, *given: Any, **named: Any) -> "Future[Any]":
        self.tasks += given
        future: Future[Any] = Future()
        try:
            answer = call(*pickle.loads(pickle.dumps(given)), **named)  # noqa: S301 - ours
            future.set_result(pickle.loads(pickle.dumps(answer)))  # noqa: S301 - ours
        except Exception as error:  # noqa: BLE001 - the future holds it
            future.set_exception(pickle.loads(pickle.dumps(error)))  # noqa: S301 - ours
        return future

    @property
    def pieces(self) -> int:
        """The number of tasks that were pieces of a file."""
        return sum(isinstance(task, FileChunks) for task in self.tasks)


def in_pieces(path: PathLike[str]) -> bool:
    """Return whether a file is scored in pieces, with the report or the error of the file as a whole."""
    executor = Here()
    assert _outcome(path, executor=executor) == _outcome(path), "pieces give something else than the file"
    return executor.pieces > 0


def _outcome(path: PathLike[str], **how: Any) -> object:
    try:
        return scorch2.score(path, path, **how).to_dict()
    except scorch2.ScorchError as error:
        return type(error), str(error)
