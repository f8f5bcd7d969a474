"""Functions for Python callers: score, read, compute, assert_scores."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from scorch2.api.accumulator import CorefScorer
from scorch2.api.arguments import chosen_options, path_of, several, text
from scorch2.api.scored import Path, chosen_engine, scored
from scorch2.formats import reading
from scorch2.formats.table import check_format
from scorch2.gate.judge import Threshold, judge, threshold
from scorch2.model.document import Clusters, Document
from scorch2.model.errors import PairingError, UsageError
from scorch2.model.options import OPTIONS, metrics_of
from scorch2.model.results import verdict_table
from scorch2.scoring.metrics import DEFAULT, METRICS, chosen_metrics, metric_row
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from typing_extensions import Unpack

    from scorch2.model.options import Choices, ProfileName


def score(  # noqa: PLR0913 - keyword-only
    gold: Path | Clusters,
    system: Path | Clusters,
    *,
    metrics: Iterable[str] = (),
    profile: "ProfileName | None" = None,
    gold_format: str | None = None,
    sys_format: str | None = None,
    gold_files: str | None = None,
    sys_files: str | None = None,
    gold_key: str | None = None,
    sys_key: str | None = None,
    gold_offsets: str | None = None,
    sys_offsets: str | None = None,
    jobs: int = 1,
    executor: "Executor | None" = None,
    **choices: "Unpack[Choices]",
) -> Report:
    """Score a system against gold.

    Parameters
    ----------
    gold, system : path, or clusters
        Files or folders, ``-`` for standard input on one side; or two clusterings of one text: an
        iterable of clusters, a mapping from names to clusters, or a `Document`; or the documents of two files
        as `read` returns them, which pair by id. A cluster is an iterable of hashable mentions, or of spans
        as lists or arrays; mentions of both sides are compared by equality.
    metrics : iterable of str
        Names or aliases of `scorch2.METRICS`, also separated by commas, or ``all``; by default muc b_cubed
        ceaf_m ceaf_e blanc lea conll.
    profile : str, optional
        One of `scorch2.model.options.PROFILES`, such as ``conll``: the settings that give that scorer's
        numbers; an argument that is given wins.
    gold_format, sys_format : str, optional
        One of `scorch2.formats.table.FORMATS`; detected from the content by default. Only for paths.
    gold_files, sys_files : str, optional
        A pattern for the files of a folder that are read, such as ``*.conll``; all by default.
    gold_key, sys_key : str, optional
        The key of the clusters in JSON of neural systems; by default ``clusters`` in gold and
        ``predicted_clusters`` in the system, where an object has both. Only for paths.
    gold_offsets, sys_offsets : str, optional
        How spans count, if not as their format says: ``inclusive`` or ``exclusive`` ends, from 0; or
        ``inclusive-from-1``, ``exclusive-from-1``.
    jobs : int
        Number of worker processes; 0 = one per CPU. Only for paths.
    executor : concurrent.futures.Executor, optional
        An executor to score with instead, such as Dask's ``Client.get_executor()``; it is left open.
    **choices : str, optional
        The options that change numbers: ``average``, ``duplicates`` ... as in ``scorch2 --help``.
        ``missing``, ``extra`` and ``pair`` are for paths and for documents that were read.

    Returns
    -------
    Report
        Scores in 0..1, as ``report.muc.recall``, ``report.conll.f1`` ...; ``str(report)`` is a table in
        percent.

    Raises
    ------
    InputError
        For input that cannot be scored exactly as it is written (also a `ValueError`).
    InputErrors
        For several of them, all in its ``errors``; an `InputError` that reads like the first.
    PairingError
        For documents on one side only, nothing left to score.
    UsageError
        For an unknown metric, profile or value, and for clusters or mentions that are not valid.
    WorkerError
        If a worker process is lost.

    Examples
    --------
    >>> report = score([["a", "b", "c"]], [["a", "b"], ["c"]])
    >>> report.b_cubed
    Score(recall=0.5555555555555556, precision=1.0, f1=0.7142857142857143)
    """
    chosen = chosen_options(score, locals(), chosen_metrics(metrics) or None)
    return scored(chosen_engine(jobs, executor), gold, system, chosen)


def read(path: Path, format: str | None = None, *, key: str | None = None) -> list[Document]:
    """Read the documents of a file.

    Parameters
    ----------
    path : path
        A file in any format scorch2 reads, or ``-`` for standard input.
    format : str, optional
        One of `scorch2.formats.table.FORMATS`; detected from the content by default.
    key : str, optional
        The key of the clusters in JSON of neural systems, where an object has several.

    Returns
    -------
    list of Document
        In the order of the file, at least one.

    Raises
    ------
    InputError
        With file and place.
    """
    wanted = text(key, "key")
    keys = () if wanted is None else (wanted,)
    return reading.read(path_of(path, "path"), check_format(format), "format=<name>", keys)


def compute(
    predictions: Iterable[Clusters], references: Iterable[Clusters], **choices: Any
) -> dict[str, float]:
    """Score a corpus and return flat numbers, as metrics of Hugging Face's ``evaluate`` do.

    Parameters
    ----------
    predictions, references : iterable of clusters
        The documents of the system and of gold, in the same order; clusters as in `score`.
    **choices
        ``metrics``, ``profile``, ``average``, ``duplicates``, ``singletons``, ``twinless``, ``blanc``, as in
        `score`.

    Returns
    -------
    dict from str to float
        ``muc_recall``, ``muc_precision``, ``muc_f1`` ..., in 0..1; undefined ones are 0.

    Raises
    ------
    PairingError
        For lists of different lengths, or empty ones.

    Examples
    --------
    >>> compute(predictions=[[["a", "b"]]], references=[[["a", "b", "c"]]], metrics=["muc"])
    {'muc_recall': 0.5, 'muc_precision': 1.0, 'muc_f1': 0.6666666666666666}
    """
    systems = list(several(predictions, "predictions", _CLUSTERS))
    golds = list(several(references, "references", _CLUSTERS))
    if len(systems) != len(golds):
        raise PairingError(f"{len(systems)} predictions, but {len(golds)} references")
    scorer = CorefScorer(**choices)
    for gold, system in zip(golds, systems, strict=True):
        scorer.update(gold, system)
    scores = scorer.compute().scores
    return {
        f"{name}_{part}": float(value)
        for name, score in scores.items()
        for part, value in score._asdict().items()
    }


def assert_scores(gold: Path | Clusters, system: Path | Clusters, **bounds: Any) -> Report:
    """Raise an AssertionError if a score is below its bound: the gate, for tests.

    Parameters
    ----------
    gold, system : path, or clusters
        As in `score`.
    **bounds : float, or a mapping from part to float
        By metric, ``conll=0.75`` or ``muc={"recall": 0.8}``: a fraction in 0..1, or percent above 1. The
        other arguments of `score`, such as ``average="pooled"``, may be given too.

    Returns
    -------
    Report
        With the verdicts in ``gates``.

    Raises
    ------
    AssertionError
        With a table of all bounds.
    UsageError
        For an unknown metric or value, and without any bound.

    Examples
    --------
    >>> assert_scores([["a", "b"]], [["a", "b"]], conll=1).conll.f1
    1.0
    """
    choices = _choices_in(bounds)
    limits = _limits({name: bound for name, bound in bounds.items() if name not in choices})
    metrics = choices.pop("metrics", ())
    asked = chosen_metrics(metrics) or metrics_of(choices.get("profile"), DEFAULT)
    report = score(gold, system, metrics=[*asked, *(limit.metric for limit in limits)], **choices)
    report = report._replace(gates=judge(report, limits))
    if not all(verdict.passed for verdict in report.gates):
        raise AssertionError(f"scores are too low\n{verdict_table(report.gates)}")
    return report


def _choices_in(bounds: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `score` among the arguments of `assert_scores`; the others are bounds."""
    # blanc is a metric and an option: the value of the option is a string, a bound is a number
    return {
        name: bounds[name]
        for name in _CHOICES & bounds.keys()
        if name not in METRICS or isinstance(bounds[name], str)
    }


def _limits(bounds: Mapping[str, Any]) -> list[Threshold]:
    """Return the thresholds that bounds by metric stand for."""
    limits = []
    for name, bound in bounds.items():
        parts = (
            {f"{name}.{part}": value for part, value in bound.items()}
            if isinstance(bound, Mapping)
            else {name: bound}
        )
        limits += [threshold("fail-under", f"{spec}={value}", metric_row) for spec, value in parts.items()]
    if not limits:
        raise UsageError("no bound: give one by metric, such as conll=0.75")
    return limits


_CLUSTERS = '[[["a", "b"]]]'
_CHOICES = {
    "metrics",
    "profile",
    "gold_format",
    "sys_format",
    "gold_files",
    "sys_files",
    "gold_key",
    "sys_key",
    "gold_offsets",
    "sys_offsets",
    "jobs",
    "executor",
    *OPTIONS,
}
