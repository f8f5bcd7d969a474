"""From words to a command: the first word decides. An error becomes one line and exit status 2.

Signals that end a run become exceptions, so that temporary files and worker processes are removed.
"""

import contextlib
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn, cast

from scorch2.cli.commands import COMMANDS, OF_NELEVAL
from scorch2.cli.console import ERROR, say
from scorch2.cli.output import STDOUT, write
from scorch2.formats.source import is_stream
from scorch2.model import errors
from scorch2.version import __version__

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that would end the process at once, with what it has begun left behind."""


def signal_number(interrupt: KeyboardInterrupt) -> int:
    """Return the number of the signal behind an interrupt; that of the keyboard says none."""
    return interrupt.args[0] if interrupt.args else signal.SIGINT


def ending_in_words(number: int) -> str:
    """Return what is said of a run that a signal ended.

    >>> ending_in_words(2), ending_in_words(15)
    ('interrupted', 'ended by SIGTERM')
    """
    return "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"


@contextlib.contextmanager
def signals_as_interrupts() -> Iterator[None]:
    """Interrupt the block, as the keyboard does, if a signal that ends a process arrives."""
    # A signal that is ignored, as under nohup, or that a program has taken for itself, is left alone
    taken = []
    try:
        with contextlib.suppress(ValueError):  # only the main thread may take signals
            for number in _ENDING:
                if signal.getsignal(number) is signal.SIG_DFL:
                    signal.signal(number, _end)
                    taken.append(number)
        yield
    finally:
        for number in taken:
            signal.signal(number, signal.SIG_DFL)


def _end(number: int, _: FrameType | None) -> NoReturn:
    """End the run. More of these signals change nothing: what was begun is removed undisturbed."""
    for other in _ENDING:
        if signal.getsignal(other) is _end:
            signal.signal(other, signal.SIG_IGN)
    raise KeyboardInterrupt(number)


class Command:
    """A key of `COMMANDS`, its file imported.

    A file called like the command has `USAGE` and `run` for it, and perhaps `CHOICES` and `parse`; one that
    several commands share has ``GATE_USAGE``, ``run_gate`` and so on for ``gate``.
    """

    def __init__(self, name: str) -> None:
        file, word = COMMANDS[name].file, name.replace("-", "_")
        self.module: Any = import_module(f"scorch2.cli.commands.{file}")
        self._name = name
        self._word = "" if file == word else word

    def _own(self, name: str, *usual: Any) -> Any:
        if self._word:
            name = f"{self._word.upper()}_{name}" if name.isupper() else f"{name}_{self._word}"
        return getattr(self.module, name, *usual)

    @property
    def usage(self) -> str:
        """The usage text."""
        return cast("str", self._own("USAGE"))

    @property
    def choices(self) -> Mapping[str, Iterable[str]]:
        """By option: its values, if they are its own, for completion."""
        return cast("Mapping[str, Iterable[str]]", self._own("CHOICES", {}))

    def given(self, words: Sequence[str]) -> dict[str, Any]:
        """Return what words after the command give, by the names in its usage text."""
        if own := self._own("parse", None):
            return cast("dict[str, Any]", own(words))
        from scorch2.cli.usage import parse_neleval, parse_words

        return (parse_neleval if self._name in OF_NELEVAL else parse_words)(self.usage, words)

    @property
    def run(self) -> Callable[[dict[str, Any]], int]:
        """The function from what is typed to the exit status."""
        return cast("Callable[[dict[str, Any]], int]", self._own("run"))


def run(words: list[str]) -> int:
    """Run the command that `words` name and return its exit status."""
    # Each thread of OpenBLAS takes 40 MB of address space, and the matrices here are too small for two
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        return _run(words)
    except errors.ScorchError as error:
        if "--debug" in words:
            _traceback()
        _say_error(error)
        return error.exit_code
    except MemoryError:
        say("scorch2: error: not enough memory for this input")
        return ERROR
    except Exception as error:  # noqa: BLE001 - the last resort: a bug is one line and exit status 2
        if "--debug" in words:
            _traceback()
        if isinstance(error, FileNotFoundError) and _is_lost():
            say("scorch2: error: the working folder was deleted (change to another one)")
            return ERROR
        if isinstance(error, ModuleNotFoundError):
            from scorch2.model.memory import name_of_package

            if needed := name_of_package(error.name or ""):
                say(f"scorch2: error: this needs {needed}: pip install {needed.lower()}")
                return ERROR
        what = errors.printable(f"{type(error).__name__}: {error}")
        say(f"scorch2: internal error: {what} (please report it, with the output of --debug)")
        return ERROR


def _run(words: list[str]) -> int:
    named = bool(words) and words[0] in COMMANDS
    name, rest = (words[0], words[1:]) if named else ("score", words)
    options = rest[: rest.index("--")] if "--" in rest else rest
    if "--version" in options:
        write(STDOUT, f"scorch2 {__version__}\n")
        return 0
    if "--help=all" in options:
        name, rest = "help", ["options" if name == "score" else name]
    elif "--help" in options or "-h" in options:
        name, rest = "help", [name]
    elif not words:
        for line in Command("help").module.FIRST_SCREEN.splitlines():
            say(line)
        return ERROR
    elif not named:
        check_first_word(words[0])
    chosen = Command(name)
    given = chosen.given(rest)
    try:
        return chosen.run(given)
    except errors.OtherWordsError:  # only if no alignment was typed
        if "--align" not in chosen.usage or any(map(is_stream, rest)):
            raise
        return chosen.run({**given, "--align": "text"})


def check_first_word(first: str) -> None:
    """Say so if the first word is neither an option nor a path: it looks like a command that there is not."""
    if not first.startswith("-") and not os.path.lexists(first):
        near = errors.nearest(first, COMMANDS)
        hint = f" (did you mean {near}?)" if near else ""
        why = f"neither a file, nor a folder, nor a command{hint}"
        raise errors.UsageError(f"{errors.shown_path(first)}: {why}")


def _is_lost() -> bool:
    try:
        os.getcwd()
    except OSError:
        return True
    return False


def _say_error(error: errors.ScorchError) -> None:
    shown = error.errors if isinstance(error, errors.InputErrors) else (error,)
    for each in shown[: errors.SHOWN]:
        say(f"scorch2: error: {each}")
    if len(shown) > errors.SHOWN:
        say(f"scorch2: error: … and {len(shown) - errors.SHOWN} more unusable inputs")


def _traceback() -> None:
    import traceback

    for line in traceback.format_exc().splitlines():
        say(line)
