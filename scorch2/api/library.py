"""Functions for Python callers: score, read, compute, assert_scores, and the class CorefScorer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, cast

from scorch2.api.arguments import (
    Path,
    Settings,
    chosen_engine,
    chosen_options,
    flag,
    of_clusters,
    of_reader,
    public,
    reworded,
    scored,
    several,
    text,
    warn,
)
from scorch2.api.requests import check_known
from scorch2.audit.judge import Threshold, judge, options_difference, threshold
from scorch2.formats import reading
from scorch2.formats.table import check_format
from scorch2.model.document import Clusters, Document
from scorch2.model.errors import Notice, PairingError, UsageError, enumerated, quoted
from scorch2.model.forms import path_of
from scorch2.model.options import OPTIONS, Choices, Options, options_from
from scorch2.model.score import Measured
from scorch2.model.values import metrics_of
from scorch2.scoring.flow import count_all, score_pair
from scorch2.scoring.looks import Run, remarks_on_run
from scorch2.scoring.metrics import DEFAULT, METRICS
from scorch2.scoring.metrics.chosen import chosen_metrics, metric_row, metrics_named, to_count, to_report
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.pairing.files import Pair
from scorch2.scoring.report import Report, report_of

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scorch2.analysis.heads import RuleName
    from scorch2.model.values import ProfileName


_FOR_FILES = tuple(name for name, option in OPTIONS.items() if option.row.for_files)
_TAKES = " (update(gold=..., system=...) takes the clusters of a document)"


class _ScorerSettings(Choices, total=False):
    """The settings of `CorefScorer`."""

    profile: "ProfileName | None"
    gold_offsets: str | None
    sys_offsets: str | None


class _ComputeSettings(_ScorerSettings, total=False):
    metrics: Iterable[str]


_BY_NAME = "write {}: libraries differ in which side comes first, so that arguments have names here"


class _Counted(NamedTuple):
    """Counts of a document, and the warnings about it; without a name its gold clusters tell which it is."""

    measured: Measured
    notices: tuple[Notice, ...]
    looked: Mapping[str, Any]


class CorefScorer:
    """Counts of the documents seen so far. It pickles, and merges in any order with the same scores.

    Parameters
    ----------
    metrics : iterable of str
        Names or aliases of `scorch2.METRICS`, also separated by commas, or ``all``; by default muc b_cubed
        ceaf_m ceaf_e blanc lea conll.
    **choices
        Those of `scorch2.score` that change numbers, except those about files: ``missing``, ``extra``,
        ``pair``, ``documents``; and its ``profile``, ``gold_offsets``, ``sys_offsets``.

    Raises
    ------
    UsageError
        For an unknown metric, profile, choice or value.

    Examples
    --------
    >>> scorer = CorefScorer(["muc", "lea"])
    >>> scorer.update(gold=[["a", "b", "c"]], system=[["a", "b"]])
    >>> scorer.update(gold=[["d", "e"]], system=[["d", "e"]])
    >>> scorer.compute().muc.recall
    0.7
    """

    @public(_ScorerSettings, but=_FOR_FILES)
    def __init__(self, metrics: Iterable[str] = (), **choices: "Unpack[_ScorerSettings]") -> None:
        names = chosen_metrics(metrics)
        self._options = options_from(metrics=names or None, **cast("Mapping[str, Any]", choices))
        self._names = metrics_named(self._options.metrics or DEFAULT)
        self._counted: list[_Counted] = []

    @public()
    def update(
        self,
        *unnamed: NoReturn,
        gold: Clusters | None = None,
        system: Clusters | None = None,
        id: str | None = None,
        preds: Clusters | None = None,
        target: Clusters | None = None,
        **unknown: NoReturn,
    ) -> None:
        """Score one more document. All arguments have names: libraries differ in their order.

        Parameters
        ----------
        gold, system : clusters
            As in `scorch2.score`.
        id : str, optional
            The name of the document in reports; no two documents share one. The others are numbered in the
            order of the calls, and of the merges.
        target, preds : clusters
            Other names of `gold` and `system`, as metrics of torchmetrics have them.

        Raises
        ------
        InputError
            For clusters that cannot be scored as they are.
        UsageError
            For arguments that are missing or not valid.
        """
        if unnamed:
            raise UsageError(_BY_NAME.format("update(gold=..., system=...)"))
        if unknown:
            raise UsageError(f"no argument called {enumerated(map(quoted, unknown))}{_TAKES}")
        if id is not None and not isinstance(id, str):
            raise UsageError(f"the id of a document is a string, not {quoted(id)}")
        left = of_clusters(_given_once(gold, target, "gold", "target"), "gold")
        right = of_clusters(_given_once(system, preds, "system", "preds"), "system")
        count = count_all(to_count(self._names, self._options.choices), self._options)
        scored_pair = score_pair(Pair(id or "", left, right), count, self._options)
        measured = scored_pair.measured if id else scored_pair.measured._replace(gold=_fingerprint(left))
        self._counted.append(_Counted(measured, tuple(scored_pair.notices), scored_pair.looked))

    @public()
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

    @public()
    def compute(self) -> Report:
        """Return the report of all documents seen: those without an id in their order, then the others by id.

        Raises
        ------
        PairingError
            If there is none, or two share an id.
        """
        if not self._counted:
            raise PairingError("no document to score")
        documents: list[Measured] = []
        notices: list[Notice] = []
        looked: dict[str, list[tuple[Any, Measured]]] = {}
        seen: set[str] = set()
        ordered = sorted(self._counted, key=lambda counted: counted.measured.id)
        for number, (measured, remarks, found) in enumerate(ordered, 1):
            ident = measured.id or f"document {number}"
            if ident in seen:
                raise PairingError(f"two documents are called {quoted(ident)}")
            seen.add(ident)
            documents.append(measured._replace(id=ident))
            notices += [notice._replace(document=ident) for notice in remarks]
            for name, value in found.items():
                looked.setdefault(name, []).append((value, measured))
        rows = to_report(self._names, self._options.choices)
        counted = to_count(self._names, self._options.choices)
        notices = [*remarks_on_run(Run(documents, self._options, looked)), *notices]
        return reworded(report_of(rows, counted, documents, self._options, notices))

    def reset(self) -> None:
        """Forget all documents."""
        self._counted.clear()

    def __len__(self) -> int:
        """Return the number of documents seen."""
        return len(self._counted)

    def __repr__(self) -> str:
        changed = "".join(f", {name}={value!r}" for name, value in self._options.changed().items())
        return f"CorefScorer({[*self._names]}{changed}, documents={len(self)})"


def _fingerprint(gold: Document) -> str:
    """Return a text that is the same for the same clusters, in any order and in any process."""
    from hashlib import sha256

    clusters: list[Any] = [sorted(map(repr, members)) for members in gold.clusters.values()]
    mentions = [mention for members in gold.clusters.values() for mention in members]
    parts = [part for mention in mentions for part in (mention if type(mention) is tuple else (mention,))]
    if not {*map(type, parts)} <= {str, int}:
        clusters = [len(members) for members in clusters]  # another object may be shown by its address
    return sha256(repr(sorted(clusters)).encode()).hexdigest()[:16]


def _difference(own: Options, other: Options) -> str | None:
    for name in ("gold_offsets", "sys_offsets"):
        here, there = getattr(own, name), getattr(other, name)
        if here != there:
            return f"{name} is {here} here and {there} there"
    return options_difference(own, other)


def _given_once(usual: Clusters | None, other: Clusters | None, name: str, alias: str) -> Clusters:
    given = [clusters for clusters in (usual, other) if clusters is not None]
    if len(given) != 1:
        what = "is missing" if not given else f"and {alias} are one argument"
        raise UsageError(f"{name} {what}{_TAKES}")
    return given[0]


@public(Settings)
def score(
    gold: Path | Clusters,
    system: Path | Clusters,
    *,
    metrics: Iterable[str] = (),
    hashes: bool = True,
    **choices: "Unpack[Settings]",
) -> Report:
    """Score a system against gold.

    Parameters
    ----------
    gold, system : path, or clusters
        Files or folders, ``-`` for standard input on one side; or two clusterings of one text: an
        iterable of clusters, a mapping from names to clusters, or a `Document`; or several documents, which
        pair by id: those of two files as `read` returns them, or mappings from ids to clusters. A
        cluster is an iterable of hashable mentions, or of spans as lists or arrays; mentions of both sides
        are compared by equality.
    metrics : iterable of str
        Names or aliases of `scorch2.METRICS`, also separated by commas, or ``all``; by default muc b_cubed
        ceaf_m ceaf_e blanc lea conll.
    hashes : bool
        Whether the documents of two paths are hashed while they are read, for ``report.inputs`` and the JSON
        report.
    **choices
        ``profile`` : the settings that give the numbers of another scorer; an argument that is given wins:
        {profiles}

        {inputs}

        {settings}

        ``executor`` : a ``concurrent.futures.Executor`` to score with instead, such as Dask's
        ``Client.get_executor()``; it is left open.

        The options that change numbers, with their values, the default first; ``scorch2 help metrics``
        says what they do. ``missing``, ``extra``, ``invalid``, ``pair`` and ``documents`` are for paths and
        several documents.

        {choices}

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
    chosen = chosen_options(choices, chosen_metrics(metrics) or None)
    chosen = chosen._replace(hashes=flag(hashes, "hashes"))
    return scored(chosen_engine(choices), gold, system, chosen)


@public()
def read(path: Path, format: str | None = None, *, key: str | None = None) -> list[Document]:
    """Read the documents of a file.

    Parameters
    ----------
    path : path
        A file in any format scorch2 reads, or ``-`` for standard input.
    format : str, optional
        Detected from the content by default:
        {formats}
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


@public()
def resolve(  # noqa: PLR0913 - keyword-only
    gold: Path | Document | Iterable[Document],
    rule: "RuleName",
    *,
    documents: Literal["file", "topic", "subtopic", "corpus"] = "file",
    topics: str = "",
    format: str | None = None,
    key: str | None = None,
) -> list[Document]:
    """Make a simple system to compare with: the mentions of gold, put into clusters by a rule.

    Parameters
    ----------
    gold : path or documents
        A file as for `read`, or what that returns.
    rule : str
        What the mentions of a cluster share: ``same-head``, the word of their heads in lower case;
        ``same-lemma``, the lemma of that; ``singletons``, nothing; or ``one-cluster``: all are in one.
    documents, topics
        What clusters reach over, as in `score`. To score them give it ``ids="shared"``, too.
    format, key
        As for `read`.

    Returns
    -------
    list of Document
        With clusters numbered in the order of the text; those that reach over documents have one name.

    Raises
    ------
    InputError
        For a document without words, whose heads are asked for, or without a topic.
    UsageError
        For an unknown rule or value.

    Examples
    --------
    >>> resolve(Document("d", {"a": ["m1", "m2"]}), "singletons")[0].clusters
    {'1': ['m1'], '2': ['m2']}
    """
    from scorch2.analysis.heads import RULES, Resolver

    check_known([rule], RULES, "rule")
    chosen = options_from(documents=documents, topics=topics)
    given = [gold] if isinstance(gold, Document) else of_reader(gold)
    resolver = Resolver(rule, chosen.documents, chosen.topics)
    every = given or read(cast("Path", gold), format, key=key)
    made = [resolver.resolved(document, document.id) for document in every]
    warn(resolver.notices())
    return made


@public(_ComputeSettings, but=_FOR_FILES)
def compute(
    *unnamed: NoReturn,
    predictions: Iterable[Clusters] = (),
    references: Iterable[Clusters] = (),
    mentions: Literal["ids", "spans"] | None = None,
    strict: bool = False,
    **choices: "Unpack[_ComputeSettings]",
) -> dict[str, float]:
    """Score a corpus and return flat numbers, as metrics of Hugging Face's ``evaluate`` do.

    All arguments have names, as there.

    Parameters
    ----------
    predictions, references : iterable of clusters
        The documents of the system and of gold, in the same order; clusters as in `score`.
    mentions : "ids", "spans" or None
        What lists of lists of two integers are: documents of clusters of ids, or one document with clusters
        of spans. Without it they are the former, with a warning, or an error if `strict`.
    **choices
        Those of `CorefScorer`: ``metrics``, ``profile``, ``average`` ...

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
    if unnamed:
        raise UsageError(_BY_NAME.format("compute(predictions=..., references=...)"))
    if mentions is not None:
        check_known([mentions], ("ids", "spans"), "kind of mentions")
    systems = list(several(predictions, "predictions", _EXAMPLE))
    golds = list(several(references, "references", _EXAMPLE))
    if mentions != "ids" and _may_be_spans([*systems, *golds]):
        if mentions == "spans":
            systems, golds = [systems], [golds]
        elif flag(strict, "strict"):
            raise UsageError(_TWO_READINGS)
        else:
            warn([Notice("mentions", "", _TWO_READINGS)])
    if len(systems) != len(golds):
        raise PairingError(f"{len(systems)} predictions, but {len(golds)} references")
    scorer = CorefScorer(**choices)
    for gold, system in zip(golds, systems, strict=True):
        scorer.update(gold=gold, system=system)
    scores = scorer.compute().scores
    return {
        f"{name}_{part}": float(value)
        for name, score in scores.items()
        for part, value in score._asdict().items()
    }


_TWO_READINGS = (
    "all clusters are two integers: ids, in clusters of several documents (as they are read), "
    'or spans of one document. Say mentions="ids" or mentions="spans"'
)


def _may_be_spans(documents: Sequence[object]) -> bool:
    """Return whether what should be documents of clusters may be clusters of spans."""
    # Arrays, and numbers of arrays, are what `tolist` makes of them
    every = [_plain(one) for one in documents]
    clusters = [_plain(each) for one in every for each in (one if isinstance(one, list | tuple) else [None])]
    two = 2
    return bool(clusters) and all(
        isinstance(cluster, list | tuple)
        and len(cluster) == two
        and {type(_plain(one)) for one in cluster} == {int}
        for cluster in clusters
    )


def _plain(value: Any) -> Any:
    return value.tolist() if hasattr(value, "tolist") else value


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
    of_options = {name: value for name, value in choices.items() if name in OPTIONS}
    chosen = options_from(choices.get("profile"), **of_options).choices
    bounded = {name: bound for name, bound in bounds.items() if name not in choices}
    limits = _limits(bounded, partial(metric_row, choices=chosen))
    metrics = choices.pop("metrics", ())
    asked = chosen_metrics(metrics) or metrics_of(choices.get("profile"), DEFAULT)
    report = score(gold, system, metrics=[*asked, *(limit.metric for limit in limits)], **choices)
    report = report._replace(gates=judge(report, limits))
    if not all(verdict.passed for verdict in report.gates):
        from scorch2.audit.judge import verdict_table

        raise AssertionError(f"scores are too low\n{verdict_table(report.gates)}")
    return report


def _choices_in(bounds: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `score` among the arguments of `assert_scores`; the others are bounds."""
    # blanc is a metric and an option: the value of the option is a string, a bound is a number
    return {
        name: bounds[name]
        for name in _SCORE_ARGUMENTS & bounds.keys()
        if name not in METRICS or isinstance(bounds[name], str)
    }


def _limits(bounds: Mapping[str, Any], find: Callable[[str], AnyMetric]) -> list[Threshold]:
    limits = []
    for name, bound in bounds.items():
        parts = (
            {f"{name}.{part}": value for part, value in bound.items()}
            if isinstance(bound, Mapping)
            else {name: bound}
        )
        limits += [threshold("fail-under", f"{spec}={value}", find) for spec, value in parts.items()]
    if not limits:
        raise UsageError("no bound: give one by metric, such as conll=0.75")
    return limits


_EXAMPLE = '[[["a", "b"]]]'
_SCORE_ARGUMENTS = {"metrics", "hashes", *Settings.__annotations__}
