"""Worked cases: every row of a table has a case that was counted by hand."""

from collections.abc import Iterable


def assert_worked(rows: Iterable[str], cases: Iterable[str], place: str) -> None:
    """Compare the rows of a table with the cases at `place`: the name of a table of cases and its file."""
    rows, cases = list(rows), list(cases)
    lacking = [row for row in rows if row not in cases]
    assert lacking == [], f"without a worked case: {', '.join(lacking)}: count a case by hand in {place}"
    gone = [case for case in cases if case not in rows]
    assert gone == [], f"no row is called so any more: {', '.join(gone)}: take its case out of {place}"
