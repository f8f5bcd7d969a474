"""Options that several commands share: what they ask for."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from scorch2.formats.table import check_format
from scorch2.model.errors import UsageError, counted, shown_path
from scorch2.model.forms import forms_of
from scorch2.model.options import INPUTS, OPTIONS, Options, options_from, whole_value
from scorch2.model.score import USUAL, Sampling
from scorch2.scoring.flow import score_paths

if TYPE_CHECKING:
    from scorch2.workers.engine import Engine


def typed(given: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Return the options that were typed, by the names of the arguments that they stand for."""
    values = {name: given.get(f"--{name.replace('_', '-')}") for name in names}
    return {name: value for name, value in values.items() if value is not None}


def typed_inputs(given: dict[str, Any]) -> dict[str, Any]:
    """Return the typed options about the inputs by their names in `Options`."""
    inputs = typed(given, INPUTS)
    for side in ("gold_format", "sys_format"):
        check_format(inputs.get(side))
    return inputs


def typed_options(
    given: dict[str, Any], metrics: tuple[str, ...] | None, **fixed: str | bool | None
) -> Options:
    """Return the typed options that change numbers, with metrics, and what the command has `fixed`."""
    return options_from(
        given.get("--profile"),
        **typed(given, OPTIONS),
        **typed_inputs(given),
        **fixed,
        metrics=metrics,
        signature=False if given.get("--no-signature") else None,
    )


def typed_sampling(given: dict[str, Any]) -> Sampling:
    """Return the level of intervals, the number of samples and the seed."""
    level, trials, seed = (given.get(name) for name in ("--confidence", "--trials", "--seed"))
    if level is None and trials is None and seed is None:
        return USUAL
    from scorch2.api.requests import WORDS, sampling

    return sampling(WORDS, level, trials, seed)


def typed_intervals(given: dict[str, Any]) -> Sampling:
    """Return how intervals are drawn; the options that say how are errors without any."""
    for name in ("--trials", "--seed") if given["--confidence"] is None else ():
        if given[name] is not None:
            raise UsageError(f"{name} needs --confidence")
    return typed_sampling(given)


def names_of(names: Sequence[str], paths: Sequence[str], what: str) -> list[str]:
    """Return the names that are typed for systems or annotators (`what`), or their paths; all differ."""
    names = names or paths
    if len(names) != len(paths):
        many = f"{counted(len(names), 'name')} for {counted(len(paths), what)}"
        raise UsageError(f"{many}: give --name once for each, in their order")
    for path in paths:
        if paths.count(path) > 1:
            raise UsageError(f"the {what} {shown_path(path)} is given twice")
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"two {what}s are called {shown_path(name)}")
    return list(names)


def refuse_report(paths: Sequence[str], kind: str, what: str) -> None:
    """Refuse what is meant to be the file of the report, as the last path of other commands is."""
    # A missing path with the suffix of a report is no mistyped system; `what` says what each path is
    suffixes = (".txt", *(suffix for form in forms_of(kind).values() for suffix in form.suffixes))
    last = paths[-1]
    if len(paths) > 1 and last.lower().endswith(suffixes) and not os.path.exists(last):
        raise UsageError(f"{shown_path(last)}: no such file or folder (each {what}; -o names the report)")


def chosen_engine(given: dict[str, Any]) -> "Engine":
    """Return the function that scores two paths: in this process, unless workers are asked for."""
    jobs = given.get("--jobs")
    if jobs is None and given.get("--dask") is None:
        return score_paths
    from scorch2.workers import engine

    number = None if jobs is None else whole_value(jobs, "--jobs", 1, least=0)
    return engine.chosen(number, given.get("--dask"))
