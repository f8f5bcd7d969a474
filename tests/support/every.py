"""Tests over every row of a table as one test: a matrix of cases without a case of pytest for each."""

import contextlib
import functools
import inspect
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

import pytest

Test: TypeAlias = Callable[..., None]
SHOWN, LONGEST = 5, 400
"""Failed cases that are named, and how many characters of each."""
_CAPTURES = {"capsys", "capfd", "capsysbinary", "capfdbinary"}


@contextlib.contextmanager
def _new_folder() -> Iterator[None]:
    """Start in a new folder below the one that the test starts in."""
    home = os.getcwd()
    os.chdir(tempfile.mkdtemp(dir=home))
    try:
        yield
    finally:
        os.chdir(home)


def every(
    names: str | tuple[str, ...], values: Iterable[Any], *, apart: bool = False
) -> Callable[[Test], Test]:
    """Call a test with each of `values`, as `pytest.mark.parametrize` does, but in one test.

    All values are tried, `apart` in a folder each. The message names those that failed; the first error is
    its cause.
    """
    keys = (names,) if isinstance(names, str) else names
    rows = [value if len(keys) > 1 else (value,) for value in values]
    assert rows, "a test over no values cannot fail"

    def decorate(test: Test) -> Test:
        @functools.wraps(test)
        def over_all(**fixtures: Any) -> None:
            failed: list[tuple[dict[str, Any], BaseException]] = []
            for row in rows:
                given = dict(zip(keys, row, strict=True))
                for name in _CAPTURES & fixtures.keys():
                    fixtures[name].readouterr()  # what the case before has printed
                try:
                    with _new_folder() if apart else contextlib.nullcontext():
                        test(**fixtures, **given)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - any error is a failed case
                    failed.append((given, error))
            if failed:
                shown = "\n".join(f"{str(given)[:LONGEST]}: {error}" for given, error in failed[:SHOWN])
                message = f"{len(failed)} of {len(rows)} cases failed:\n{shown}"
                raise AssertionError(message) from failed[0][1]

        signature = inspect.signature(test)
        rest = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        over_all.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]  # what pytest reads
        return over_all

    return decorate
