"""Report, what every writer shares: options, documents with their tallies, scores, warnings, signature."""

from collections.abc import Callable, Iterator, KeysView, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from scorch2.model.errors import Notice, counted, escaped, printable
from scorch2.model.forms import Shown
from scorch2.model.options import DEFAULTS, OPTIONS, Frozen, Options
from scorch2.model.score import AVERAGES, AnyScore, Measured, Score, Tally, added_by_file, main_part, pooled
from scorch2.scoring import averages
from scorch2.scoring.metrics.metric import AnyMetric, Mean, Metric
from scorch2.version import __version__

if TYPE_CHECKING:
    from typing_extensions import Self, dataclass_transform

    from scorch2.model.results import Breakdown, Confidence, Verdict
    from scorch2.scoring.layout.tables import Listing, Table
else:

    def dataclass_transform(**_: bool) -> "Callable[[type], type]":
        """Return what `typing` has from Python 3.11 on, for type checkers."""
        return lambda decorated: decorated


SCHEMA = 1  # the version of the JSON report; it grows when a key changes its meaning or goes
SETTINGS = ("spans", "types")
"""The options of the JSON report that say how errors and classes were found: they change no score."""


@dataclass_transform(kw_only_default=True)
class _Record:
    """A value that does not change. Its fields are its annotations, and so written once."""

    def __init__(self, **fields: Any) -> None:
        for name in fields.keys() ^ self._names():
            if name in fields or not hasattr(type(self), name):
                what = "no field" if name in fields else "missing"
                raise TypeError(f"{type(self).__name__}: {name!r} is {what}")
        self.__dict__.update(fields)
        for name, value in fields.items():
            if type(value) is dict:
                self.__dict__[name] = Frozen(value)

    def __reduce__(self) -> tuple[object, ...]:
        return partial(type(self), **self._asdict()), ()

    @classmethod
    def _names(cls) -> Sequence[str]:
        return [name for name in cls.__annotations__ if not name.startswith("_")]

    def _asdict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._names()}

    def _replace(self, **changes: Any) -> "Self":
        return type(self)(**{**self._asdict(), **changes})

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self._asdict() == other._asdict()

    __hash__ = None  # type: ignore[assignment]  # mappings have none


class Report(Shown, _Record):
    """The scores of a system, and all they were computed from. It does not change.

    Scores are attributes and items too, also by an alias: ``report.muc.f1``, ``report["b3"].f1``, in 0..1.
    ``list(report)`` has the names of the metrics, ``dict(report)`` the scores.
    """

    shown_as = "scores"
    scores: Mapping[str, AnyScore]
    """By metric, in the order of `rows`."""
    rows: Sequence[AnyMetric]
    """The metrics that are reported."""
    metrics: Sequence[Metric]
    """The metrics that were counted, in the order of the tallies in `documents`."""
    documents: Sequence[Measured]
    """In the order they were read."""
    options: Options
    notices: Sequence[Notice]
    """Warnings, in the order of the documents."""
    confidence: "Confidence | None" = None
    gates: "Sequence[Verdict]" = ()
    baseline: Mapping[str, AnyScore] | None = None
    """The scores to compare with."""
    facts: Sequence[tuple[str, str | int]] = ()
    """Other choices behind the numbers, for the signature, such as the unit of spans."""
    listings: "Sequence[Listing]" = ()
    """Lists for the reader, where asked for."""
    breakdown: "Breakdown" = Frozen()
    """The counts by classes of mentions, for each dimension that was asked for."""
    settings: Sequence[tuple[str, str]] = ()
    """How errors and classes of mentions were found, by name: they change no score."""
    skipped: Mapping[str, Mapping[str, int]] = Frozen()
    """By metric and part, in how many documents the score is 0/0 and so has no weight in the mean."""
    page: "Callable[[Report], str] | None" = None
    """A function that writes the page with errors and texts, where the documents were analysed for it."""
    cluster_keys: Mapping[str, Sequence[str]] = Frozen()
    """The keys under which the clusters of either side stood, where a format has several."""
    inputs: Mapping[str, Any] | None = None
    """The SHA-256 of each document of ``gold`` and of ``system`` as it was read, by its id; of ``pairing``;
    and of ``files`` that options name. None if no files were read, or hashes were not asked for."""
    submission: Mapping[str, str] = Frozen()
    """Of a submission to a shared task: ``team``, ``note`` and ``date``, as far as they were given."""
    unit: str = "document"
    """``document`` or ``file``: what rows besides those of the corpus are of."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a report does not change: {name!r} cannot be set")

    def __getattr__(self, name: str) -> Score:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"no score called {name!r} (there are {', '.join(self.scores)})") from None

    def __getitem__(self, name: str) -> Score:
        """Return the score of a metric by its name or an alias.

        It is typed as the usual score; of one with fewer parts, those it lacks are None.
        """
        meant = self.meant(name)
        if meant is None:
            raise KeyError(name)
        return cast("Score", self.scores[meant])

    def meant(self, name: object) -> str | None:
        """Return the metric of the report that a name or an alias means, if any."""
        if not isinstance(name, str) or name in self.scores:
            return name if isinstance(name, str) else None
        meant = {alias: row.name for row in self.rows for alias in (row.name, *row.aliases)}
        found = meant.get(name.casefold())
        return found if found in self.scores else None

    def __contains__(self, name: object) -> bool:
        return self.meant(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def keys(self) -> KeysView[str]:
        """Return the names of the metrics, so that ``dict(report)`` has the scores."""
        return self.scores.keys()

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.scores]

    def __repr__(self) -> str:
        shown = {name: round(float(main_part(score)), 4) for name, score in self.scores.items()}
        return f"Report(documents={len(self.documents)}, average={self.options.average!r}, scores={shown})"

    def table(
        self, *, per_document: bool = False, sort: str | None = None, worst: int | None = None
    ) -> "Table":
        """Return recall, precision and F1 in percent and the counts behind them, one row per metric.

        The rows of documents (see `listed`), if asked for, come first and start with the document's id, those
        of the corpus with ``all``: in the order they were read, or the lowest F1 of the metric `sort` first;
        only the `worst` so many, if that is given.
        """
        return cast("Table", self._by("table", per_document=per_document, sort=sort, worst=worst))

    def caption(self, table: "Table") -> str:
        """Return in words what the numbers of `table` are."""
        return cast("str", self._by("caption", table))

    def notes(self) -> list[str]:
        """Return what else there is to know about the numbers, one sentence each."""
        return cast("list[str]", self._by("notes"))

    def sizes(self) -> tuple[int, int]:
        """Return the number of mentions of gold, and that of the system."""
        every = [(document.gold_mentions, document.system_mentions) for document in self.documents]
        return sum(gold for gold, _ in every), sum(system for _, system in every)

    def files(self) -> list[Measured]:
        """Return the counts of each pair of files, if these are averaged."""
        return added_by_file(self.documents) if AVERAGES[self.options.average].by_file else []

    def listed(self) -> Sequence[Measured]:
        """Return what has rows in reports that show more than the corpus: documents, or files."""
        return self.files() if self.unit == "file" else self.documents

    def tallies(self, name: str, documents: Sequence[Measured] | None = None) -> dict[str, Tally]:
        """Return the sums over documents of what a metric counts, by part; empty for a mean."""
        for i, metric in enumerate(self.metrics):
            if metric.name == name:
                rows = self.documents if documents is None else documents
                sums = [pooled(part) for part in zip(*(row.tallies[i] for row in rows), strict=True)]
                return dict(zip(metric.parts, sums, strict=True))
        return {}

    def document_scores(self, document: Measured) -> dict[str, AnyScore]:
        """Return the scores of one of `documents` by itself."""
        return averages.averaged(self.rows, self.metrics, [document], self.options).scores

    def main_metric(self) -> str:
        """Return the metric that documents are ordered by: the CoNLL average, or the first one."""
        return next((row.name for row in self.rows if row.name == "conll"), self.rows[0].name)

    def short_label(self, name: str) -> str:
        """Return the name of a metric in the head of a column."""
        row = next(row for row in self.rows if row.name == name)
        return "CoNLL" if isinstance(row, Mean) and name == "conll" else row.label

    def skipped_note(self) -> str:
        """Say in how many documents a score is 0/0, so that the mean is over the others; empty if in none."""
        labels = {row.name: row.label for row in (*self.metrics, *self.rows)}
        unit = "file" if AVERAGES[self.options.average].by_file else "document"
        shown = []
        for name, parts in self.skipped.items():
            if name in {metric.name for metric in self.metrics}:
                shown.append(f"{labels[name]} in {counted(max(parts.values()), unit)}")
            else:
                shown.append(f"{', '.join(labels[one] for one in parts)} in the {labels[name]}")
        return f"Undefined (0/0), left out: {', '.join(shown)}." if shown else ""

    def average_note(self) -> str:
        """Say how most papers average, where this is the default average of several documents; or nothing."""
        is_usual = self.options.average == DEFAULTS["average"] and len(self.documents) > 1
        return "Most papers pool counts over documents instead: see scorch2 help paper." if is_usual else ""

    def citations(self) -> str:
        """Return the papers behind the numbers as BibTeX: of metrics, profile, intervals and tests."""
        return cast("str", self._by("citations"))

    def signature(self) -> str:
        """Return one line that says how to get these numbers again; the average is always in it."""
        return signature_of(self)


def report_of(
    rows: Sequence[AnyMetric],
    metrics: Sequence[Metric],
    documents: Sequence[Measured],
    options: Options,
    notices: Sequence[Notice],
) -> Report:
    """Return the report of `rows` over measured documents, averaged as `options` say."""
    averaged_scores = averages.averaged(rows, metrics, documents, options)
    return Report(
        scores=averaged_scores.scores,
        rows=rows,
        metrics=metrics,
        documents=documents,
        options=options,
        notices=notices,
        skipped=averaged_scores.skipped,
    )


def signature_of(report: Report) -> str:
    """Return the signature; the average is always in it, and all else that is not the default."""
    average = f"average={report.options.average}"
    settings = [f"{escaped(name)}={escaped(value)}" for name, value in report.settings]
    changed = [
        f"{name}={printable(str(value))}{_how_often(report, name)}"
        for name, value in report.options.changed().items()
        if name != "average"
    ]
    gold, system = report.sizes()
    files = [f"files={len(found)}"] if (found := report.files()) else []
    counts = [*files, f"documents={len(report.documents)}", f"mentions={gold}/{system}"]
    if report.confidence:
        counts += [f"{name}={value}" for name, value in resampled_of(report).items()]
        counts.append(f"seed={report.confidence.seed}")
    facts = [f"{escaped(name)}={escaped(str(value))}" for name, value in report.facts]
    return " | ".join([f"scorch2 {__version__}", *facts, average, *settings, *changed, *counts])


def resampled_of(report: Report) -> dict[str, str | int]:
    """Return what is resampled if that is not documents, and how many there are, for the signature."""
    tokens = report.options.resample
    number = sum(len(document.windows) for document in report.documents)
    if not tokens:
        return {}
    from scorch2.model.values import resampled_units

    return {"resample": resampled_units(tokens), "windows": number}


def _how_often(report: Report, option: str) -> str:
    """Say how many documents a choice that leaves out or empties documents was needed for, or mentions."""
    kept = None
    if option == "only_category":
        from scorch2.model.besides import together

        kept = together(document.kept for document in report.documents)
    if kept:
        return f"({kept.gold}/{kept.gold_of} gold, {kept.system}/{kept.system_of} system)"
    times = sum(notice.code == option for notice in report.notices)
    return f"({times})" if OPTIONS[option].row.counts and times else ""


RUN_NOTICES = ("confidence", "significance", "baseline", "lower")
"""The kinds of notices that are about a run and not about the data."""


def without_run(report: Report) -> Report:
    """Return what another run can start from: no intervals, no verdicts, and no notices about them."""
    notices = [notice for notice in report.notices if notice.code not in RUN_NOTICES]
    return report._replace(notices=notices, confidence=None, gates=(), baseline=None)
