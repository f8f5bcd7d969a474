"""Columns as neleval writes them: separated by tabs, and those of names as wide as their widest cell."""

from collections.abc import Sequence


def padded(rows: Sequence[Sequence[str]], names: int) -> str:
    r"""Return lines of cells; the first `names` columns are filled up with blanks.

    >>> padded([["measure", "score"], ["muc", "0.8"]], 1)
    'measure\tscore\nmuc    \t0.8\n'
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:names]
    lines = [
        "\t".join(
            [*(cell.ljust(width) for cell, width in zip(row[:names], widths, strict=True)), *row[names:]]
        )
        for row in rows
    ]
    return "\n".join(lines) + "\n"
