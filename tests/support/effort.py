"""The work of a call, without a clock: lines executed are the same on every machine. And of the tests."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

from hypothesis import settings

import scorch2

PACKAGE = str(Path(scorch2.__file__).parent)


def share_of(number: int) -> int:
    """Return how many of so many random cases are tried: as `tests/conftest.py` says of examples."""
    return min(number, number * settings().max_examples // 100)


def lines_executed(call: Callable[[], object]) -> int:
    """Count the lines of the package that a call executes."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        count += event == "line"
        return trace if frame.f_code.co_filename.startswith(PACKAGE) else None

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        call()
    finally:
        sys.settrace(before)
    return count


def assert_in_proportion(call: Callable[[int], object], size: int) -> None:
    """Compare the work on an input with that on one twice as large."""
    small, large = lines_executed(lambda: call(size)), lines_executed(lambda: call(2 * size))
    assert large < 2.2 * small, (
        f"twice the input took {large / small:.2f} times the lines ({small} at size {size}, {large} at "
        f"{2 * size}): something is done again for each item; it must be done once for all"
    )
