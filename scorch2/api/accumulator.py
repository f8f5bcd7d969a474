"""CorefScorer, scoring as documents come: in a training loop, in several processes, in any order."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, NoReturn, cast

from scorch2.api.given import of_clusters
from scorch2.gate.comparable import options_difference
from scorch2.model.document import Clusters
from scorch2.model.errors import Notice, PairingError, UsageError, enumerated, quoted, unknown_name
from scorch2.model.options import OPTIONS, Options, options_from
from scorch2.model.score import Measured
from scorch2.scoring.flow import count_all, score_pair
from scorch2.scoring.matching.steps import near_miss_notices
from scorch2.scoring.metrics import DEFAULT, METRICS, chosen_metrics, metrics_named, to_count
from scorch2.scoring.pairing.files import Pair
from scorch2.scoring.report import Report, report_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scorch2.model.options import Choices, ProfileName
    from scorch2.scoring.matching.near_misses import NearMisses


_CHOICES = tuple(name for name, option in OPTIONS.items() if not option.row.for_files)
_ARGUMENTS = ("metrics", "profile", "gold_offsets", "sys_offsets", *_CHOICES)
_TAKES = " (update(gold=..., system=...) takes the clusters of a document)"


class _Counted(NamedTuple):
    """Counts of a document, and the warnings about it."""

    measured: Measured
    notices: tuple[Notice, ...]
    near: "NearMisses | None"


class CorefScorer:
    """Counts of the documents seen so far. It pickles, and merges in any order with the same result.

    Parameters
    ----------
    metrics : iterable of str
        Names or aliases of `scorch2.METRICS`, also separated by commas, or ``all``; by default muc b_cubed
        ceaf_m ceaf_e blanc lea conll.
    profile : str, optional
        ``scorch`` or ``conll``.
    gold_offsets, sys_offsets : str, optional
        How spans count, as in `scorch2.score`.
    **choices
        The options of `scorch2.score` that change numbers, except those about files (``missing``, ``extra``).

    Raises
    ------
    UsageError
        For an unknown metric, profile, choice or value.

    Examples
    --------
    >>> scorer = CorefScorer(["muc", "lea"])
    >>> scorer.update([["a", "b", "c"]], [["a", "b"]])
    >>> scorer.update([["d", "e"]], [["d", "e"]])
    >>> scorer.compute().muc.recall
    0.7
    """

    def __init__(
        self,
        metrics: Iterable[str] = (),
        *,
        profile: "ProfileName | None" = None,
        gold_offsets: str | None = None,
        sys_offsets: str | None = None,
        **choices: "Unpack[Choices]",
    ) -> None:
        for name in choices:
            if name not in _CHOICES:
                raise UsageError(unknown_name(name, "argument of CorefScorer", _ARGUMENTS))
        names = chosen_metrics(metrics)
        self._options = options_from(
            profile,
            metrics=names or None,
            gold_offsets=gold_offsets,
            sys_offsets=sys_offsets,
            **cast("Mapping[str, str]", choices),
        )
        self._names = metrics_named(self._options.metrics or DEFAULT)
        self._counted: list[_Counted] = []

    def update(
        self,
        gold: Clusters | None = None,
        system: Clusters | None = None,
        id: str | None = None,
        *,
        preds: Clusters | None = None,
        target: Clusters | None = None,
        **unknown: NoReturn,
    ) -> None:
        """Score one more document.

        Parameters
        ----------
        gold, system : clusters
            As in `scorch2.score`.
        id : str, optional
            What reports call the document; no two documents share one. The others are numbered.
        target, preds : clusters
            Other names of `gold` and `system`, as metrics of torchmetrics have them.

        Raises
        ------
        InputError
            For clusters that cannot be scored as they are.
        UsageError
            For arguments that are missing or not valid.
        """
        if unknown:
            raise UsageError(f"no argument called {enumerated(map(quoted, unknown))}{_TAKES}")
        if id is not None and not isinstance(id, str):
            raise UsageError(f"the id of a document is a string, not {quoted(id)}")
        left = of_clusters(_the_one(gold, target, "gold", "target"), "gold")
        right = of_clusters(_the_one(system, preds, "system", "preds"), "system")
        count = count_all(to_count(self._names, self._options.choices), self._options.lookup)
        found = score_pair(Pair(id or "", left, right), count, self._options)
        self._counted.append(_Counted(found.measured, tuple(found.notices), found.near))

    def merge(self, other: "CorefScorer") -> None:
        """Add the documents of another scorer with the same metrics and choices."""
        if not isinstance(other, CorefScorer):
            raise UsageError(f"only another CorefScorer can be merged, not {quoted(other)}")
        unlike = _difference(self._options, other._options)  # noqa: SLF001 - of the same class
        names = other._names  # noqa: SLF001 - likewise
        if self._names != names:
            unlike = f"the metrics are {enumerated(self._names)} here and {enumerated(names)} there"
        if unlike is not None:
            raise UsageError(f"scorers that differ cannot be merged: {unlike}")
        self._counted += other._counted  # noqa: SLF001 - likewise

    def compute(self) -> Report:
        """Return the report of all documents seen, sorted by id.

        Raises
        ------
        PairingError
            If there is none, or two share an id.
        """
        if not self._counted:
            raise PairingError("no document to score")
        documents: list[Measured] = []
        notices: list[Notice] = []
        near: list[tuple[NearMisses, int]] = []
        seen: set[str] = set()
        ordered = sorted(self._counted, key=lambda one: (one.measured, one.notices))
        for number, (measured, found, missed) in enumerate(ordered, 1):
            ident = measured.id or f"document {number}"
            if ident in seen:
                raise PairingError(f"two documents are called {quoted(ident)}")
            seen.add(ident)
            documents.append(measured._replace(id=ident))
            notices += [notice._replace(document=ident) for notice in found]
            if missed is not None:
                near.append((missed, measured.fewer))
        rows = [METRICS[name] for name in self._names]
        return report_of(
            rows,
            to_count(self._names, self._options.choices),
            documents,
            self._options,
            [*near_miss_notices(near, documents), *notices],
        )

    def reset(self) -> None:
        """Forget all documents."""
        self._counted.clear()

    def __len__(self) -> int:
        """Return the number of documents seen."""
        return len(self._counted)


def _difference(one: Options, other: Options) -> str | None:
    """Return the first option that makes other numbers, in words; None if there is none."""
    for name in ("gold_offsets", "sys_offsets"):
        here, there = getattr(one, name), getattr(other, name)
        if here != there:
            return f"{name} is {here} here and {there} there"
    return options_difference(one, other)


def _the_one(usual: Clusters | None, other: Clusters | None, name: str, alias: str) -> Clusters:
    """Return the argument that was given under one of two names."""
    given = [one for one in (usual, other) if one is not None]
    if len(given) != 1:
        what = "is missing" if not given else f"and {alias} are one argument"
        raise UsageError(f"{name} {what}{_TAKES}")
    return given[0]
