"""Options, checks and warnings shared by `confidence` and `significance`."""

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from scorch2.api.lookup import lookup
from scorch2.cli import arguments, input_options, output, usage, worker_options
from scorch2.formats import is_for_linking
from scorch2.formats.source import STDIN, size
from scorch2.formats.table import names
from scorch2.gate import baseline
from scorch2.linking.leaderboards.score_tables import COLUMNS
from scorch2.linking.measures import GROUPS, MEASURES
from scorch2.model.errors import Notice, UsageError
from scorch2.model.messages import quoted, unknown_name
from scorch2.model.names import ALL, separated
from scorch2.model.numbers import percent, whole
from scorch2.model.options import OPTIONS, options
from scorch2.model.score import COUNTS, PARTS
from scorch2.reports import form_of
from scorch2.scoring import unwatched
from scorch2.scoring.files import Choice, folder_files
from scorch2.scoring.metrics import METRICS, chosen_metrics
from scorch2.scoring.report import Report

CHOICES = {"--metrics": (*COLUMNS, *COUNTS), "--metric": (ALL, *METRICS, *MEASURES, *GROUPS)}
"""The values that completion offers for the options of both commands."""
_LINKING = names(lambda row: row.linking)

_METRICS = (
    "metrics of scorch2 score, or measures of scorch2 evaluate, separated by commas (repeatable); by default "
    f"those of score, and strong_all_match where gold is made for entity linking ({', '.join(_LINKING)})"
)
USAGE = f"""\
{usage.lines("-m, --metric=<name>", _METRICS)}
  --metrics=<list>          precision,recall,fscore: what is shown of each; ptp,fp,rtp,fn are the
                            counts of measures
  -n, --trials=<n>          number of bootstrap samples or permutations (default 2500)
  --seed=<n>                seed of the random numbers (default 0)
{usage.scoring_options()}
{usage.profile_option("as in scorch2 score")}
{input_options.USAGE}
  --type-weights=<file>     what types that differ are worth (measures of linking)
{worker_options.USAGE}"""
TRIALS = 2500
_PARTS = {
    "fscore": "f1",
    "f": "f1",
    "r": "recall",
    "p": "precision",
    **{part: part for part in (*PARTS, *COUNTS)},
}
_READING = ("duplicates", "pair", *input_options.FILES)
_SCORING = (*(name for name in OPTIONS if name not in _READING), *input_options.SPANS, "profile")
_DEFAULT_MEASURE = "strong_all_match"
_DEFAULT_PARTS = ("precision", "recall", "f1")


class Request(NamedTuple):
    """The options of a command, checked."""

    reports: Callable[[str], Report]
    """From a system's path to its report."""
    parts: tuple[str, ...]
    trials: int
    seed: int
    form: str
    notices: Sequence[Notice]
    """Warnings about options that change nothing."""


def request(given: dict[str, Any], formats: Sequence[str]) -> Request:
    """Return what the options of `USAGE` ask for, checked.

    Raises
    ------
    UsageError
        For values that make no sense, and for options of scoring without gold.
    """
    form = form_of(given["--format"], output.named(given), formats)
    trials = whole(given["--trials"], "--trials", TRIALS, least=1)
    seed = whole(given["--seed"], "--seed", 0, least=0)
    parts = _parts(given["--metrics"])
    counts = [part for part in parts if part in COUNTS]
    reports, notices = _reports(given, counts)
    return Request(reports, parts, trials, seed, form, notices)


def _reports(
    given: dict[str, Any], counts: Sequence[str]
) -> tuple[Callable[[str], Report], Sequence[Notice]]:
    """Return a reader of stored reports, or a scorer against gold; and warnings."""
    sides = input_options.inputs(given)
    gold, names = given["--gold"], separated(given["--metric"])
    is_linking = gold is not None and _is_linking(given)
    if counts and not is_linking:
        raise UsageError(f"{counts[0]} is for measures of linking that are scored against --gold")
    if gold is None:
        _refuse(
            given,
            (*_SCORING, *_READING, "type-weights", "dask"),
            "needs --gold: a stored report is scored already",
        )
        wanted = [] if ALL in map(str.casefold, names) else names
        idle = _idle_jobs(given, "stored reports are scored already")
        return lambda path: baseline.read_metrics(path, wanted, lookup), idle
    if is_linking:
        return _linking(given, counts=bool(counts)), _idle_jobs(given, "linking is scored by one process")
    _refuse(given, ("type-weights",), "is for measures of entity linking")
    chosen = options(
        given["--profile"],
        **{name: given[f"--{name}"] for name in OPTIONS},
        metrics=chosen_metrics(names) or None,
        **sides,
    )
    score = worker_options.chosen_engine(given)
    return lambda path: score(gold, path, chosen, unwatched), ()


def _idle_jobs(given: dict[str, Any], why: str) -> list[Notice]:
    """Return a warning that ``--jobs`` changes nothing; it is no error since scripts for neleval have it."""
    return [] if given["--jobs"] is None else [Notice("jobs", "", f"--jobs changes nothing: {why}")]


def _is_linking(given: dict[str, Any]) -> bool:
    """Return whether measures of linking are meant: by a name that only they have, or because of gold."""
    from scorch2.linking import measures

    names = separated(given["--metric"])
    of_linking = [name for name in names if not _is_known(chosen_metrics, name)]
    of_coreference = [name for name in names if not _is_known(measures.named, name)]
    for name in of_linking:
        if name in of_coreference:
            raise UsageError(
                unknown_name(name, "metric", dict.fromkeys([*METRICS, *measures.MEASURES, *measures.GROUPS]))
            )
    if of_linking and of_coreference:
        ones = f"{quoted(of_coreference[0])} is of coreference and {quoted(of_linking[0])} of linking"
        raise UsageError(f"{ones}: ask for one kind")
    if of_linking or of_coreference:
        return bool(of_linking)
    path, form = given["--gold"], given["--gold-format"]
    if form is None and path != STDIN and os.path.isdir(path):
        files = list(folder_files(path, Choice(given["--gold-files"], "--gold-files")).values())
        path = next((file for file in files if size(file)), files[0])  # an empty one says nothing
    return is_for_linking(path, form)


def _is_known(find: Callable[[list[str]], object], name: str) -> bool:
    try:
        find([name])
    except UsageError:
        return False
    return True


def _linking(given: dict[str, Any], *, counts: bool) -> Callable[[str], Report]:
    from scorch2.linking import measures, type_weights
    from scorch2.linking.corpus import Sources, read_corpus
    from scorch2.linking.evidence import Rules
    from scorch2.linking.report import linking_report

    _refuse(
        given,
        (*_SCORING, "dask"),
        "is for coreference metrics: linking adds up counts over documents",
    )
    chosen = measures.named(separated(given["--metric"]) or [_DEFAULT_MEASURE])
    weights = None if given["--type-weights"] is None else type_weights.read(given["--type-weights"])
    rules = Rules(given["--duplicates"] or "error", weights)
    sources = Sources(
        given["--gold"],
        "",
        gold_format=given["--gold-format"],
        sys_format=given["--sys-format"],
        gold_files=given["--gold-files"],
        sys_files=given["--sys-files"],
        pair=arguments.choice(given["--pair"], OPTIONS["pair"].values, "value of --pair"),
    )

    def report(path: str) -> Report:
        corpus = read_corpus(sources._replace(system=path))
        return linking_report(corpus, chosen, rules, counts=counts)

    return report


def _refuse(given: dict[str, Any], names: Sequence[str], why: str) -> None:
    for name in names:
        if given[f"--{name}"] is not None:
            raise UsageError(f"--{name} {why}")


def percentiles(text: str | None) -> list[float]:
    """Return levels in percent, lowest first."""
    return sorted(
        {percent(word, "--percentiles") for word in ("90,95,99" if text is None else text).split(",")}
    )


def _parts(text: str | None) -> tuple[str, ...]:
    if text is None:
        return _DEFAULT_PARTS
    for word in text.split(","):
        if word not in _PARTS:
            raise UsageError(
                unknown_name(word, "part of a score", ("precision", "recall", "fscore", *COUNTS))
            )
    return tuple(dict.fromkeys(_PARTS[word] for word in text.split(",")))
