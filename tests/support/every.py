"""Tests over every row of a table as one test: a matrix of cases without a case of pytest for each."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import pytest

Test: TypeAlias = Callable[..., None]
SHOWN, LONGEST = 5, 400
"""Failed cases that are named, and how many characters of each."""


def every(names: str | tuple[str, ...], values: Iterable[Any]) -> Callable[[Test], Test]:
    """Call a test with each of `values`, as `pytest.mark.parametrize` does, but in one test.

    All values are tried. The message names those that failed; the first error is its cause.
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
                try:
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
