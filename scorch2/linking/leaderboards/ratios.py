"""Ratios of measures, as rows of their own: how much of one is left in the other."""

from collections.abc import Iterable

from scorch2.linking.leaderboards.score_tables import ScoreTable
from scorch2.model.errors import InputError, unknown_name

_NOTHING = 1e-10
"""A divisor as small as that is 0."""


def with_ratios(table: ScoreTable, ratios: Iterable[tuple[str, str]]) -> ScoreTable:
    """Return a table with a row ``one/other`` for each pair: cell by cell divided, three decimals.

    A row of that name that is there is replaced, and comes last; a division by 0 is ``nan``.

    Raises
    ------
    InputError
        For a measure that the table lacks.
    """
    rows = dict(table.rows)
    for pair in ratios:
        for name in pair:
            if name not in rows:
                raise InputError(table.path, "", unknown_name(name, "measure in this report", rows))
        one, other = (map(float, rows[name]) for name in pair)
        name = "/".join(pair)
        divided = [_ratio(above, below) for above, below in zip(one, other, strict=True)]
        rows.pop(name, None)
        rows[name] = divided
    return ScoreTable(table.path, rows)


def _ratio(above: float, below: float) -> str:
    return "nan" if abs(below) < _NOTHING else f"{above / below:.3f}"
