"""Systems side by side for Python callers."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Literal

from scorch2.analysis.systems import DEFAULT, Comparison
from scorch2.api.arguments import refuse_unknown
from scorch2.api.scored import Path
from scorch2.api.systems import KEYWORDS, System, named_systems, reports_by_name, reports_of, whole_number
from scorch2.gate.comparable import comparable_systems
from scorch2.model.document import Clusters
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.options import fraction_of, interval_level, metrics_of
from scorch2.model.results import TRIALS
from scorch2.model.score import PARTS
from scorch2.resampling.analyses import ALPHA, side_by_side

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scorch2.api.systems import Scoring

_PARTS = {"f1": ("f1",), "all": PARTS}
"""The parts of a score by the value of `parts`."""


def compare(  # noqa: PLR0913 - keyword-only
    systems: Mapping[str, System] | Iterable[Path],
    *,
    gold: Path | Clusters | None = None,
    metrics: Iterable[str] = (),
    parts: Literal["f1", "all"] = "f1",
    against: Literal["first", "best", "none"] = "first",
    alpha: float | str = ALPHA,
    confidence: float | None = None,
    trials: int = TRIALS,
    seed: int = 0,
    **scoring: "Unpack[Scoring]",
) -> Comparison:
    """Put systems side by side with tests of their differences, as ``scorch2 compare``.

    Parameters
    ----------
    systems : mapping from names to systems, or iterable of paths
        As in `scorch2.significance`; one is enough.
    gold : path, or documents, optional
        What systems are scored against; none for reports.
    metrics : iterable of str
        The columns: with gold by default muc b_cubed ceaf_e lea conll, else those that all reports have.
    parts : str
        ``f1``, or ``all``: recall, precision and F1 of every metric.
    against : str
        ``first``: every system is tested against the first; ``best``: every score against the best of its
        column; ``none``: no tests.
    alpha : float, or str
        A difference is marked if its corrected p is at most that: a fraction below 1, or percent from 2 on or
        as a text such as ``"1%"``.
    confidence : float, optional
        Percent, from 1 to below 100: adds bootstrap intervals.
    trials, seed : int
        Permutations and samples, from 1; seed of the random numbers, from 0.
    **scoring
        As in `scorch2.confidence`.

    Returns
    -------
    Comparison
        Scores and ends of intervals in 0..1, differences in -1..1: ``to_records()``, ``to_latex()``.

    Raises
    ------
    InputError, PairingError, UsageError
        As in `scorch2.significance`.

    Notes
    -----
    Paired permutation tests, two-sided, corrected after Holm 1979 for the number of systems.

    Examples
    --------
    >>> gold, paths = "fixtures/example/gold", ["fixtures/example/sys", "fixtures/example/other"]
    >>> compare(paths, gold=gold, metrics=["muc"], average="pooled").to_records()[0]["best"]
    True
    """
    named = named_systems(systems, least=1)
    refuse_unknown(compare, scoring, KEYWORDS)
    if parts not in list(_PARTS):
        raise UsageError(unknown_name(parts, "value of parts", _PARTS))
    mark = fraction_of(str(alpha), "alpha", is_small=True)
    level = None if confidence is None else interval_level(str(confidence), "confidence")
    draws = whole_number(trials, "trials", 1), whole_number(seed, "seed", 0)
    columns = metrics or (() if gold is None else metrics_of(scoring.get("profile"), DEFAULT))
    report_of = reports_of(gold, columns, (), scoring)
    reports = comparable_systems(reports_by_name(named, report_of))
    return side_by_side(
        reports,
        parts=_PARTS[parts],
        against=against,
        alpha=mark,
        level=level,
        trials=draws[0],
        seed=draws[1],
    )
