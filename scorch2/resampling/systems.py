"""Systems side by side: scores with intervals, each tested against the first or the best system."""

from collections.abc import Mapping, Sequence

from scorch2.analysis.systems import AGAINST, Column, Comparison, ScoreTest, SystemRow, columns_of
from scorch2.model.errors import UsageError, unknown_name
from scorch2.model.results import TRIALS, Difference
from scorch2.resampling.bootstrap import confidence
from scorch2.resampling.permutation import holm, paired, permutation, permutations
from scorch2.resampling.provenance import Facts, facts, line, merged
from scorch2.scoring.report import Report

ALPHA = 0.05
"""The default level of significance."""


def side_by_side(  # noqa: PLR0913 - keyword-only
    reports: Mapping[str, Report],
    *,
    parts: Sequence[str] = ("f1",),
    against: str = "first",
    alpha: float = ALPHA,
    level: float | None = None,
    trials: int = TRIALS,
    seed: int = 0,
    signature: bool = True,
) -> Comparison:
    """Return a comparison of systems by paired permutation tests, two-sided and corrected after Holm.

    The reports must be comparable: see `scorch2.gate.comparable.comparable_systems`.

    Parameters
    ----------
    reports : mapping of str to Report
        By the name of the system, in the order of the rows.
    parts : sequence of str
        What is shown of each metric: ``recall``, ``precision``, ``f1``.
    against : str
        ``first``: every system is tested against the first; ``best``: every score against the highest of its
        column; ``none``: no test.
    alpha : float
        A difference is marked if its corrected p is at most that, in 0..1.
    level : float, optional
        Percent of the samples inside the intervals of scores; no intervals without it.
    trials : int
        Permutations, and samples of the intervals. If there are fewer ways to swap documents, all are tried.
    seed : int
        Of the random numbers.
    signature : bool
        Whether forms for reading end with the signature.

    Raises
    ------
    UsageError
        For another value of `against`.
    """
    if against not in AGAINST:
        raise UsageError(unknown_name(against, "system to test against", AGAINST))
    if level is not None:
        reports = {
            name: report._replace(confidence=confidence(report, level, trials, seed))
            for name, report in reports.items()
        }
    first = next(iter(reports.values()))
    columns = columns_of(first, parts)
    untested = Comparison(
        [SystemRow(name, report, {}) for name, report in reports.items()], columns, against, alpha, {}, ""
    )
    references = _references(untested)
    tests = _tested(reports, references, trials, seed)
    run = _run(reports, references, trials, seed, level)
    rows = [SystemRow(name, report, tests.get(name, {})) for name, report in reports.items()]
    return untested._replace(systems=rows, run=run, provenance=line(run), shows_signature=signature)


def _references(compared: Comparison) -> dict[Column, str]:
    """Return the system that each column is tested against; none for a column without any score."""
    if compared.against == "none" or len(compared.systems) == 1:
        return {}
    if compared.against == "first":
        return dict.fromkeys(compared.columns, compared.systems[0].name)
    best = {
        column: next((one.name for one in compared.systems if compared.is_best(one, column)), None)
        for column in compared.columns
    }
    return {column: name for column, name in best.items() if name is not None}


def _tested(
    reports: Mapping[str, Report], references: Mapping[Column, str], trials: int, seed: int
) -> dict[str, dict[tuple[str, str], ScoreTest]]:
    """Return the tests of each system; each score is corrected for the number of systems that have it."""
    found: dict[str, dict[tuple[str, str], ScoreTest]] = {name: {} for name in reports}
    for reference in dict.fromkeys(references.values()):
        of_reference = [column for column, name in references.items() if name == reference]
        others = {
            name: permutation(paired(report, reports[reference]), trials, seed)
            for name, report in reports.items()
            if name != reference
        }
        for column in of_reference:
            differences = {name: parts[column.metric][column.part] for name, parts in others.items()}
            for name, difference in _corrected(differences).items():
                found[name][column.metric, column.part] = ScoreTest(reference, difference)
    return found


def _corrected(differences: Mapping[str, Difference]) -> dict[str, Difference]:
    there = {name: found.p for name, found in differences.items() if found.p is not None}
    corrected = dict(zip(there, holm(list(there.values())), strict=True))
    return {name: found._replace(corrected=corrected.get(name)) for name, found in differences.items()}


def _run(
    reports: Mapping[str, Report],
    references: Mapping[Column, str],
    trials: int,
    seed: int,
    level: float | None,
) -> Facts:
    """Return how the numbers were made; documents that a system lacks count as empty in a test."""
    made: dict[str, str | int] = {}
    if references:
        most = len({document.id for report in reports.values() for document in report.documents})
        number, exact = permutations(most, trials)
        made |= {"side": "two-sided", "permutations": number, "exact": "yes" if exact else "no"}
    if level is not None:
        made |= {"confidence": f"{level:g}", "trials": trials}
    if made:
        made["seed"] = seed
    return merged([facts(report, **made) for report in reports.values()])
