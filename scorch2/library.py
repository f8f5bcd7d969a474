"""The library's front door: the steps of scoring for Python callers, with paths or clusters."""

import os
from collections.abc import Hashable, Iterable, Mapping
from typing import TypeAlias

from scorch2 import formats, scoring
from scorch2.document import Document
from scorch2.errors import UsageError
from scorch2.metrics import named
from scorch2.options import options
from scorch2.report import Report

Path: TypeAlias = str | os.PathLike[str]
Clusters: TypeAlias = Document | Mapping[str, Iterable[Hashable]] | Iterable[Iterable[Hashable]]


def score(  # noqa: PLR0913 - keyword-only, one for each choice
    gold: Path | Clusters,
    system: Path | Clusters,
    *,
    metrics: Iterable[str] = (),
    profile: str | None = None,
    average: str | None = None,
    missing: str | None = None,
    extra: str | None = None,
    duplicates: str | None = None,
    singletons: str | None = None,
    twinless: str | None = None,
    blanc: str | None = None,
    gold_format: str | None = None,
    sys_format: str | None = None,
) -> Report:
    """Score a system against gold.

    Parameters
    ----------
    gold, system : path, or clusters
        Two files or two folders, ``-`` for standard input on one side; or two clusterings of one text: an
        iterable of clusters, a mapping from names to clusters, or a `Document`. A cluster is an iterable of
        hashable mentions; mentions of both sides are compared by equality.
    metrics : iterable of str
        Names or aliases of `scorch2.METRICS`; by default muc b_cubed ceaf_m ceaf_e blanc lea conll.
    profile : str, optional
        ``scorch`` or ``conll``: the settings that give that scorer's numbers; an argument that is given wins.
    average, missing, extra, duplicates, singletons, twinless, blanc : str, optional
        As the options of the command, see ``scorch2 --help``; `missing` and `extra` only for paths.
    gold_format, sys_format : str, optional
        One of `scorch2.formats.FORMATS`; found out by content if absent. Only for paths.

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
        For documents on one side only, a file against a folder, nothing left to score.
    UsageError
        For an unknown metric, profile or value, and for clusters or mentions that cannot be any.

    Examples
    --------
    >>> report = score([["a", "b", "c"]], [["a", "b"], ["c"]])
    >>> report.b_cubed
    Score(recall=0.5555555555555556, precision=1.0, f1=0.7142857142857143)
    """
    chosen = options(
        profile,
        metrics=named([metrics] if isinstance(metrics, str) else metrics) or None,
        average=average,
        missing=missing,
        extra=extra,
        duplicates=duplicates,
        singletons=singletons,
        twinless=twinless,
        blanc=blanc,
        gold_format=None if gold_format is None else formats.check_format(gold_format),
        sys_format=None if sys_format is None else formats.check_format(sys_format),
    )
    if isinstance(gold, str | os.PathLike) and isinstance(system, str | os.PathLike):
        return scoring.score_paths(os.fspath(gold), os.fspath(system), chosen)
    if isinstance(gold, str | os.PathLike) or isinstance(system, str | os.PathLike):
        raise UsageError("give two paths or two clusterings (scorch2.read turns a path into documents)")
    return scoring.score_documents(_document(gold, "gold"), _document(system, "system"), chosen)


def read(path: Path, format: str | None = None) -> list[Document]:
    """Read the documents of a file.

    Parameters
    ----------
    path : path
        A file in any format scorch2 reads, or ``-`` for standard input.
    format : str, optional
        One of `scorch2.formats.FORMATS`; found out by content if absent.

    Returns
    -------
    list of Document
        In the order of the file, at least one.

    Raises
    ------
    InputError
        With file and place.
    """
    return formats.read(os.fspath(path), None if format is None else formats.check_format(format))


def _document(clusters: Clusters, side: str) -> Document:
    if isinstance(clusters, Document):
        return clusters
    if not isinstance(clusters, Iterable):
        raise UsageError(f"{side}: clusters are an iterable of clusters, not {type(clusters).__name__}")
    items = clusters.items() if isinstance(clusters, Mapping) else enumerate(clusters)
    found: dict[str, list[Hashable]] = {}
    for number, (name, cluster) in enumerate(items):
        if isinstance(cluster, str | bytes) or not isinstance(cluster, Iterable):
            raise UsageError(f"{side}: a cluster is an iterable of mentions, not {type(cluster).__name__}")
        key = str(name)
        while key in found:  # 1 and "1" are two clusters
            key += f" ({number})"
        found[key] = list(cluster)
        for mention in found[key]:
            try:
                hash(mention)
            except TypeError:
                raise UsageError(f"{side}: mentions must be hashable, not {type(mention).__name__}") from None
    return Document(side, found)
