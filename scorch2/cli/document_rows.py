"""Options about the rows of documents in a report: whether, in which order, and how many."""

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

from scorch2.model.errors import UsageError, enumerated
from scorch2.model.options import whole_value
from scorch2.model.score import Measured
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.report import Report

USAGE = """\
  --per-document            add rows for every document
  --per-file                add rows for every pair of files (with --average=files)
  --sort=<metric>           order these rows: the lowest F1 of this metric first
  --worst=<n>               only rows of the n lowest documents (default: by conll, or the first
                            metric)"""


class Rows(NamedTuple):
    """The options, checked."""

    per: str
    """What has rows: ``document``, ``file`` or nothing."""
    sort: str | None
    """The metric by which they are ordered."""
    worst: int | None
    """The number of documents that have rows; None for all."""

    def documents(self, report: Report) -> Sequence[Measured]:
        """Return the documents of a report that have rows."""
        if not self.per:
            return ()
        from scorch2.reports.rows import documents_in_order

        return documents_in_order(report, self.sort, self.worst)


def check_metric(rows: Rows, scored: Collection[str]) -> None:
    """Refuse to order rows by a metric that is not scored, before anything is read.

    Raises
    ------
    UsageError
        Names the metrics that are `scored`.
    """
    if rows.sort is not None and rows.sort not in scored:
        raise UsageError(f"--sort={rows.sort} is not scored (add it to -m; scored: {enumerated(scored)})")


def request(given: dict[str, Any], find: Callable[[str], AnyMetric]) -> Rows:
    """Return what the options ask for; `find` knows metrics by their names.

    Raises
    ------
    UsageError
        For an unknown metric, a number that is none, and an order of rows that are not asked for.
    """
    per = _per(given)
    sort, worst = given.get("--sort"), given.get("--worst")
    for name, value in (("--sort", sort), ("--worst", worst)):
        if value is not None and not per:
            raise UsageError(f"{name} is for rows of documents: it needs --per-document")
    return Rows(
        per,
        None if sort is None else find(sort).name,
        None if worst is None else whole_value(worst, "--worst", 1, least=1),
    )


def _per(given: dict[str, Any]) -> str:
    """Return ``document`` or ``file`` if these have rows in reports, besides the corpus; else nothing.

    Raises
    ------
    UsageError
        For both, and for files that are not averaged.
    """
    per = [name for name in ("document", "file") if given.get(f"--per-{name}")]
    if len(per) > 1:
        raise UsageError("--per-document and --per-file exclude each other")
    if per == ["file"] and given.get("--average") != "files":
        raise UsageError("--per-file needs --average=files")
    return "".join(per)
