"""Arguments, clusters, documents and paths that Python callers give, checked and scored."""

import os
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from scorch2.api.calls import reworded
from scorch2.api.requests import ARGUMENTS, Sampling, sampling
from scorch2.formats.table import check_format
from scorch2.model.document import Clusters, Document
from scorch2.model.errors import PairingError, UsageError, quoted, unknown_name
from scorch2.model.forms import Shown
from scorch2.model.options import INPUTS, OPTIONS, Options, options_from
from scorch2.scoring.flow import Measure, Watch, outcomes, report_on, unwatched
from scorch2.scoring.pairing.by_name import pair_by_name
from scorch2.scoring.pairing.files import Item, Pair, Plan, Readers, SideFiles
from scorch2.scoring.pairing.pairs import in_sentences, read_pairs, with_categories
from scorch2.scoring.report import Report
from scorch2.workers import engine

if TYPE_CHECKING:
    from concurrent.futures import Executor


def refuse_unknown(
    function: Callable[..., Any], given: Collection[str], choices: Collection[str] = OPTIONS
) -> None:
    """Refuse keywords that a function does not take."""
    known = list(dict.fromkeys([*(function.__kwdefaults__ or ()), *choices]))
    for name in given:
        if name not in known:
            raise UsageError(unknown_name(name, f"argument of {function.__name__}", known))


def chosen_options(
    function: Callable[..., Any], given: Mapping[str, Any], metrics: tuple[str, ...] | None
) -> Options:
    """Return the options among the arguments of a function, which are `given` by name."""
    refuse_unknown(function, given["choices"])
    check_inputs(given)
    inputs = {name: given[name] for name in INPUTS}
    return options_from(given["profile"], metrics=metrics, **inputs, **given["choices"])


def check_inputs(given: Mapping[str, Any]) -> None:
    """Refuse formats that there are not, and values of the arguments about files that are no texts."""
    for name, row in INPUTS.items():
        if row.values == "formats":
            check_format(given.get(name))
        elif not row.values:
            text(given.get(name), name)


def text(value: object, name: str) -> str | None:
    """Return an argument that is a string, or None."""
    if value is None or isinstance(value, str):
        return value
    raise UsageError(f"{name} is a text, not {quoted(value)}")


def several(values: object, name: str, example: str) -> Iterable[Any]:
    """Return an argument that holds several values; one string is several names, separated by commas."""
    if isinstance(values, Iterable) and not isinstance(values, bytes):
        return values
    raise UsageError(f"{name} takes a list, such as {example}, not {quoted(values)}")


def flag(value: object, name: str) -> bool:
    """Return an argument that is True or False."""
    if isinstance(value, bool):
        return value
    raise UsageError(f"{name} is True or False, not {quoted(value)}")


def sampling_of(confidence: object, trials: object, seed: object) -> Sampling:
    """Return how intervals are drawn; without `confidence` there are none."""
    level = None if confidence is None else str(confidence)
    return sampling(ARGUMENTS, level, str(trials), str(seed))


_NESTED = (list, tuple, set)  # types of clusters; as part of a mention they tell that it is none


def of_clusters(clusters: Clusters, side: str) -> Document:
    """Return clusters given in Python as a document; `side` names them in errors."""
    if isinstance(clusters, Document):
        return clusters
    if documents := of_reader(clusters):
        if len(documents) > 1:
            raise _several_documents(side)
        return documents[0]
    if not isinstance(clusters, Iterable) or isinstance(clusters, Shown):
        raise UsageError(f"{side}: clusters are an iterable of clusters, not {type(clusters).__name__}")
    items: Iterable[tuple[object, object]]
    items = clusters.items() if isinstance(clusters, Mapping) else enumerate(clusters)
    by_name: dict[str, list[Hashable]] = {}
    for number, (name, cluster) in enumerate(items):
        if isinstance(cluster, Mapping | Document):
            raise _several_documents(side)
        if isinstance(cluster, str | bytes) or not isinstance(cluster, Iterable):
            raise UsageError(f"{side}: a cluster is an iterable of mentions, not {type(cluster).__name__}")
        key = str(name)
        while key in by_name:  # 1 and "1" are two clusters
            key += f" ({number})"
        by_name[key] = [_mention(mention, side) for mention in cluster]
    return Document(side, by_name)


def of_reader(value: object) -> Sequence[Document]:
    """Return documents in a list, as `scorch2.read` gives them; anything else is none."""
    if not isinstance(value, list | tuple) or isinstance(value, Document):
        return ()
    return value if all(isinstance(document, Document) for document in value) else ()


def _mention(value: Any, side: str) -> Hashable:
    """Return a mention; lists and arrays of integers are spans, which are tuples."""
    if type(value) in (str, int):
        return cast("Hashable", value)
    plain = value.tolist() if hasattr(value, "tolist") else value  # an array or a number of numpy or torch
    if type(plain) is list:
        parts = [part.tolist() if hasattr(part, "tolist") else part for part in plain]
        if parts and all(type(part) is int for part in parts):
            return tuple(parts)
        if not any(isinstance(part, float) for part in parts):
            raise _several_documents(side)
    is_nested = type(plain) is tuple and any(isinstance(part, _NESTED) for part in plain)
    if is_nested or isinstance(plain, set | Document):
        raise _several_documents(side)
    try:
        hash(plain)
    except TypeError:
        what = f"hashable or lists of integers, not {type(value).__name__}"
        raise UsageError(f"{side}: mentions must be {what}") from None
    return cast("Hashable", plain)


class _SeveralDocumentsError(UsageError):
    """The clusters of several documents where one is wanted."""


def _several_documents(side: str) -> UsageError:
    return _SeveralDocumentsError(
        f"{side}: these are the clusters of several documents: give all to "
        "scorch2.compute(predictions=..., references=...), or those of one document at a time to "
        "CorefScorer.update"
    )


Path: TypeAlias = str | os.PathLike[str]


def chosen_engine(jobs: int = 1, executor: "Executor | None" = None) -> engine.Engine:
    """Return the function that scores two paths with so many processes, or with an executor."""
    if executor is None:
        return engine.chosen(jobs)
    if jobs != 1:
        raise UsageError("give jobs or an executor, not both")
    if not callable(getattr(executor, "submit", None)):
        raise UsageError(f"executor should be a concurrent.futures.Executor, not {type(executor).__name__}")
    from contextlib import nullcontext

    from scorch2.workers.tasks import ASSUMED_WORKERS, Workers

    return engine.with_workers(lambda: nullcontext(Workers(executor, ASSUMED_WORKERS)))


def scored(  # noqa: PLR0913, PLR0917 - those of an engine, and the engine
    score: engine.Engine,
    gold: Path | Clusters,
    system: Path | Clusters,
    options: Options,
    watch: Watch = unwatched,
    measure: Measure = outcomes,
) -> Report:
    """Score two paths with an engine, or two clusterings, or several documents, in this process."""
    if isinstance(gold, str | os.PathLike) and isinstance(system, str | os.PathLike):
        return reworded(score(os.fspath(gold), os.fspath(system), options, watch, measure))
    if isinstance(gold, str | os.PathLike) or isinstance(system, str | os.PathLike):
        raise UsageError("give two paths or two clusterings (scorch2.read turns a path into documents)")
    options = options._replace(hashes=False)  # clusters in Python have no bytes
    documents = of_reader(gold), of_reader(system)
    named = None if all(documents) else _named(gold, system)
    if named or (all(documents) and max(map(len, documents)) > 1):
        pairs = _by_id(*(named or documents), options)
    else:
        document = of_clusters(gold, "gold")
        pair = Pair(document.id, document, of_clusters(system, "system"))
        pairs = in_sentences(with_categories(iter([pair]), options), options)
    read_from = (documents[0][0].path, documents[1][0].path) if all(documents) else None
    return reworded(report_on(watch(measure(pairs, options), 1), [], options, read_from))


def kept(clusters: Clusters, side: str) -> Clusters:
    """Return clusters that can be read several times, though they may be given as iterators."""
    return (
        _filled(clusters)
        if isinstance(clusters, Mapping)
        else of_reader(clusters) or of_clusters(clusters, side)
    )


def _filled(named: Mapping[str, Any]) -> dict[str, Any]:
    return {name: [*inside] if isinstance(inside, Iterator) else inside for name, inside in named.items()}


def _named(gold: object, system: object) -> tuple[Sequence[Document], Sequence[Document]] | None:
    """Return the documents of two mappings from their names; None if these are clusters by name."""
    if not (isinstance(gold, Mapping) and isinstance(system, Mapping)):
        return None
    sides = {"gold": _filled(gold), "system": _filled(system)}
    try:
        for side, clusters in sides.items():
            of_clusters(clusters, side)
    except _SeveralDocumentsError:
        pass
    else:
        return None
    one, other = (
        [of_clusters(clusters, side)._replace(id=str(name)) for name, clusters in named.items()]
        for side, named in sides.items()
    )
    return one, other


def _by_id(gold: Sequence[Document], system: Sequence[Document], options: Options) -> Iterator[Item]:
    given = {"gold": gold, "system": system}
    for documents in given.values():
        ident, times = Counter(document.id for document in documents).most_common(1)[0]
        if times > 1:
            raise PairingError(f"two documents are called {quoted(ident)}")
    if len(gold) == len(system) == 1:  # two files of one document pair whatever their names
        alone = pair_by_name(gold, system, (), options, str)
        return in_sentences(with_categories(alone, options), options)
    sides = [SideFiles(name, {"": name}, is_folder=False, format=None) for name in given]
    plan = Plan(sides[0], sides[1], [""])
    return read_pairs(plan, options, Readers(gold=lambda name, *_: given[name]))
