"""Arguments of Python callers: clusters, documents and paths, checked and scored; the work around each call.

A public function speaks of arguments, passes warnings on, and shows what its options take.
"""

import inspect
import os
import re
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from textwrap import wrap
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar, cast, get_args

from scorch2.formats.table import FORMATS, check_format
from scorch2.model.document import Clusters, Document
from scorch2.model.errors import (
    Notice,
    OtherWordsError,
    PairingError,
    ScorchError,
    ScorchWarning,
    UsageError,
    quoted,
    reword,
    told,
    unknown_name,
)
from scorch2.model.forms import Shown
from scorch2.model.names import COUNTINGS
from scorch2.model.options import INPUTS, OPTIONS, Choices, Inputs, Options, options_from
from scorch2.model.settings import OfWorkers, Setting, SettingRow, setting_of
from scorch2.model.values import PROFILES, ProfileName
from scorch2.scoring.flow import Measure, Watch, outcomes, report_on, score_paths, unwatched
from scorch2.scoring.pairing.by_name import pair_by_name
from scorch2.scoring.pairing.files import Item, Pair, Plan, Readers, SideFiles
from scorch2.scoring.pairing.pairs import as_asked, read_pairs
from scorch2.scoring.report import Report
from scorch2.workers import engine

if TYPE_CHECKING:
    from concurrent.futures import Executor


class _Profile(TypedDict, total=False):
    profile: ProfileName | None


class _Workers(OfWorkers, total=False):
    executor: "Executor | None"


class Settings(_Profile, Inputs, _Workers, Choices, total=False):
    """The arguments of all functions that score: the options of both tables, and who scores."""


def chosen_options(settings: Settings, metrics: tuple[str, ...] | None) -> Options:
    """Return the options among the settings of a function."""
    check_inputs(settings)
    names = ("profile", "resample", *INPUTS, *OPTIONS)
    typed: dict[str, Any] = {name: one for name, one in settings.items() if name in names}
    return options_from(metrics=metrics, **typed)


WORKERS = tuple(_Workers.__annotations__)
NOT_WORKERS = tuple(name for name in Settings.__annotations__ if name not in WORKERS)
"""The settings that say who scores."""


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


def without(settings: Mapping[str, Any], *tables: type) -> dict[str, Any]:
    """Return settings without those of some tables."""
    names = {name for table in tables for name in table.__annotations__}
    return {name: value for name, value in settings.items() if name not in names}


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


def chosen_engine(settings: Settings) -> engine.Engine:
    """Return the function that scores two paths with so many processes, or with an executor."""
    start = chosen_start(settings)
    return score_paths if start is None else engine.with_workers(start)


def chosen_start(settings: Settings) -> "engine.Start | None":
    """Return the function that starts so many processes, or gives an executor; None for this process."""
    jobs, executor = settings.get("jobs", 1), settings.get("executor")
    if executor is None:
        return engine.start_of(jobs)
    if jobs != 1:
        raise UsageError("give jobs or an executor, not both")
    if not callable(getattr(executor, "submit", None)):
        raise UsageError(f"executor should be a concurrent.futures.Executor, not {type(executor).__name__}")
    from contextlib import nullcontext

    from scorch2.workers.tasks import ASSUMED_WORKERS, Workers

    return lambda: nullcontext(Workers(executor, ASSUMED_WORKERS))


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
    by_name = None if all(documents) else _named(gold, system)
    if by_name or (all(documents) and max(map(len, documents)) > 1):
        pairs = _by_id(*(by_name or documents), options)
    else:
        document = of_clusters(gold, "gold")
        pair = Pair(document.id, document, of_clusters(system, "system"))
        pairs = as_asked(iter([pair]), options)
    read_from = (documents[0][0].path, documents[1][0].path) if all(documents) else None
    return reworded(report_on(watch(measure(pairs, options), 1), [], options, read_from))


def kept(side: Path | Clusters, name: str) -> Path | Clusters:
    """Return a side that can be read several times, though its clusters may be given as iterators."""
    if isinstance(side, str | os.PathLike):
        return side
    return _filled(side) if isinstance(side, Mapping) else of_reader(side) or of_clusters(side, name)


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
        return as_asked(alone, options)
    sides = [SideFiles(name, {"": name}, is_folder=False, format=None) for name in given]
    plan = Plan(sides[0], sides[1], [""])
    return read_pairs(plan, options, Readers(gold=lambda name, *_: given[name]))


Function = TypeVar("Function", bound=Callable[..., Any])
_NAMES: set[str] = set()  # all arguments of public functions
_WIDTH = 102  # of the lines of docstrings, inside their margin
_FLAG = re.compile(r'"[^"]*"|(?<![\w/.-])--([a-z][a-z-]*)(?:=([\w.-]*\w)( or exclusive)?)?(?![\w/.-])')
"""A pattern for quoted names, which stay as they are, and for options of the command line."""


def public(takes: type | None = None, but: Iterable[str] = ()) -> Callable[[Function], Function]:
    """Return a decorator for functions that Python programs call, with the keywords of a `TypedDict`."""

    def decorated(function: Function) -> Function:
        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            try:
                if takes is not None:
                    _refuse_unknown(function, named, signature.parameters)
                try:
                    value = function(*given, **named)
                except OtherWordsError:
                    if "align" not in choices:
                        raise
                    value = function(*given, **{**named, "align": "text"})
            except ScorchError as error:
                reword(error, as_arguments)
                raise
            if isinstance(value, Shown):
                known = {notice for one in _shown_in((*given, *named.values())) for notice in one.notices}
                warn([notice for notice in dict.fromkeys(value.notices) if notice not in known])
            return value

        choices = {} if takes is None else {k: v for k, v in takes.__annotations__.items() if k not in but}
        signature = _signature(function, choices)
        _NAMES.update(signature.parameters)
        call.__signature__ = signature  # type: ignore[attr-defined]  # what `inspect` looks for
        call.__doc__ = described(function.__doc__ or "", choices)
        return cast("Function", call)

    return decorated


def _refuse_unknown(function: Function, given: Iterable[str], known: Mapping[str, inspect.Parameter]) -> None:
    for name in given:
        if name not in known:
            what = f"argument of {function.__qualname__.removesuffix('.__init__')}"
            named = [one for one, row in known.items() if row.kind is row.KEYWORD_ONLY or one == "metrics"]
            raise UsageError(unknown_name(name, what, named))


def described(doc: str, choices: Mapping[str, Any]) -> str:
    """Return a docstring with what it asks for of tables: profiles, formats, choices, settings."""
    values = [
        f"``{name}`` : {' '.join(OPTIONS[name].values) or OPTIONS[name].row.value}"
        for name in choices
        if name in OPTIONS
    ]
    margin = "\n" + " " * 8
    rows = [_row(name, hint) for name, hint in choices.items() if f"``{name}`` :" not in doc]
    settings = [f"``{one.name}`` : {as_arguments(one.row.what)}{one.bounds}" for one in rows if one]
    known = {"formats": f": {', '.join(FORMATS)}", "countings": f": {', '.join(COUNTINGS)}", "": ""}
    inputs = [
        f"``{name}`` : {row.what}{known[row.values] if name.startswith('gold') else ''}"
        for name, row in INPUTS.items()
    ]
    tables = {
        "settings": f"\n{margin}".join(margin.join(wrap(f"{_marked(one)}.", _WIDTH)) for one in settings),
        "inputs": f"\n{margin}".join(margin.join(wrap(f"{_marked(one)}.", _WIDTH)) for one in inputs),
        "profiles": margin.join(wrap(f"{', '.join(PROFILES)}.", _WIDTH)),
        "formats": margin.join(wrap(f"{', '.join(FORMATS)}.", _WIDTH)),
        "choices": margin.join(values),
    }
    for name, text in tables.items():
        doc = doc.replace(f"{{{name}}}", text)
    return doc


def _marked(text: str) -> str:
    """Return a text of a help with patterns and names of values marked as code."""
    return re.sub(r"[^\s,;()']*[<*][^\s,;()']*", r"``\g<0>``", text)


def _signature(function: Callable[..., Any], choices: Mapping[str, Any]) -> inspect.Signature:
    """Return the signature of a function with the keywords that it takes by a `TypedDict`, by name."""
    own = inspect.signature(function)
    kinds = inspect.Parameter
    open_ended = kinds.VAR_KEYWORD, kinds.VAR_POSITIONAL
    known = [one for one in own.parameters.values() if one.kind not in open_ended]
    names = {one.name for one in known}
    more = [
        kinds(
            name,
            kinds.KEYWORD_ONLY,
            default=getattr(OPTIONS.get(name) or _row(name, hint), "default", None),
            annotation=get_args(hint)[0]
            if hasattr(hint, "__metadata__")
            else getattr(hint, "__forward_arg__", hint),
        )
        for name, hint in choices.items()
        if name not in names
    ]
    return own.replace(parameters=[*known, *more])


def _row(name: str, hint: Any) -> Setting | None:
    """Return the setting that a keyword is, if it is one."""
    rows = getattr(hint, "__metadata__", ())
    return setting_of(name, hint) if rows and isinstance(rows[0], SettingRow) else None


def as_arguments(text: str) -> str:
    """Return a message for Python callers: options of the command line as arguments.

    >>> as_arguments('"--pair=order" stays (--missing=skip leaves it out, see --gold-format, --force)')
    '"--pair=order" stays (missing="skip" leaves it out, see gold_format, --force)'
    """
    return _FLAG.sub(_argument, text) if "--" in text else text


def _argument(match: re.Match[str]) -> str:
    flag, value, other = match.groups()
    name = (flag or "").replace("-", "_")
    name = next((known for known in (name, f"{name}s") if known in _NAMES), None)  # --window, windows
    if name is None:
        return match.group()
    shown = f'{name}="{value}"' if value else name
    return f'{shown} or "exclusive"' if other else shown


def reworded(report: Report) -> Report:
    """Return a report whose notices speak of arguments."""
    notices = [notice._replace(message=as_arguments(notice.message)) for notice in report.notices]
    return report._replace(notices=notices) if notices else report


def warn(notices: Sequence[Notice]) -> None:
    """Make warnings of notices, at the line of the call."""
    level = _frames_to_caller()
    for line in told(notices):
        warnings.warn(line, ScorchWarning, stacklevel=level)


def _shown_in(given: Iterable[object]) -> Iterator[Shown]:
    for value in given:
        if isinstance(value, Shown):
            yield value
        elif isinstance(value, Mapping):
            yield from (one for one in value.values() if isinstance(one, Shown))


def _frames_to_caller() -> int:
    """Return how many frames above the caller of this function the first one outside of scorch2 is."""
    level, frame = 1, sys._getframe(1)  # noqa: SLF001 - as `warnings` itself
    while frame.f_back is not None and f"{frame.f_globals.get('__name__')}.".startswith("scorch2."):
        level, frame = level + 1, frame.f_back
    return level
