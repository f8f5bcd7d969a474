"""Options that several commands share, by what they are about: their help texts, and what they ask for."""

import os
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.analysis.table import DIMENSIONS
from scorch2.cli import arguments, output
from scorch2.formats.table import FORMATS, check_format
from scorch2.model.errors import NOT_THERE, InputError, Notice, UsageError, counted, listed, shown_path
from scorch2.model.forms import forms_of
from scorch2.model.options import INPUTS, OPTIONS, Options, fraction_of, options_from, whole_value
from scorch2.model.score import DROPS, GATES, TRIALS
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.report import Report
from scorch2.workers import engine

if TYPE_CHECKING:
    from scorch2.api.requests import Sampling
    from scorch2.audit.judge import Threshold
    from scorch2.model.results import Verdict


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
        signature=False if given["--no-signature"] else None,
    )


def typed_sampling(given: dict[str, Any]) -> "Sampling":
    """Return the level of intervals, the number of samples and the seed."""
    level, trials, seed = (given.get(name) for name in ("--confidence", "--trials", "--seed"))
    if level is None and trials is None and seed is None:
        return None, TRIALS, 0
    from scorch2.api.requests import WORDS, sampling

    return sampling(WORDS, level, trials, seed)


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


WORKER_USAGE = """\
  -j, --jobs=<n>            number of worker processes (default 1; 0 = one per CPU)
  --dask=<address>          a Dask scheduler (or local) in a trusted network: scorch2 help workers"""


def chosen_engine(given: dict[str, Any]) -> engine.Engine:
    """Return the function that scores two paths as the options of `USAGE` ask for."""
    jobs = None if given["--jobs"] is None else whole_value(given["--jobs"], "--jobs", 1, least=0)
    return engine.chosen(jobs, given["--dask"])


SCORING_USAGE = f"""\
Scoring (the first value is the default; scorch2 help metrics says what each does):
{arguments.scoring_options()}
{arguments.profile_option("the numbers of that scorer (a typed option wins)")}
{arguments.input_options(formats=FORMATS)}"""
RUNNING_USAGE = f"""\
Speed:
{WORKER_USAGE}

Other:
{arguments.other_options("no warnings, no progress bar", strict=True)}"""


_BY = f"scores by (repeatable): {', '.join(DIMENSIONS)}"
_TYPES = "auto (default), english, none: types of mentions by tags, or guessed"
_GENRE = "for --by=genre: a pattern whose first group is the genre in a name"
BY_USAGE = arguments.option_table({"--by=<dimensions>": _BY, "--genre=<regex>": _GENRE})
TYPES_USAGE = arguments.option_lines("--types=<how>", _TYPES)


GATE_USAGE = """\
Gate (<spec> is METRIC=VALUE or METRIC.PART=VALUE: conll=0.75, muc.r=80%; see scorch2 help ci):
  --fail-under=<spec>       exit status 1 if the score is below this bound (repeatable)
  --fail-under-doc=<spec>   the same for every document (repeatable)
  --baseline=<file>         a JSON report to compare with
  --max-drop=<spec>         largest allowed drop below the baseline's score (repeatable)
  --max-drop-rel=<spec>     the same, as a share of the baseline's score (repeatable)
  --significant=<alpha>     a drop fails only if a paired permutation test gives p <= alpha
  --update-baseline         store the report as the baseline if all gates pass
  --strict                  a warning is an error
  --exit-zero               exit status 0 though gates fail
"""
_NONE_YET = "there is none yet"


class Gates(NamedTuple):
    """The bounds that a report has to reach, and the baseline that it is compared with."""

    thresholds: Sequence["Threshold"]
    baseline: str | None  # the path of a stored report
    update: bool  # whether the report becomes the baseline if all gates pass
    significant: float | None  # the level of the test that lets drops pass; None for no test
    trials: int
    seed: int

    @property
    def drops(self) -> "list[Threshold]":
        """The bounds that need a baseline."""
        return [limit for limit in self.thresholds if limit.gate in DROPS]

    @property
    def updated(self) -> list[str]:
        """The baseline if it is written, else nothing."""
        return [self.baseline] if self.update and self.baseline is not None else []

    def check(self) -> None:
        """Refuse options that need others, and a baseline that is not there."""
        for limit in self.drops if self.baseline is None else ():
            raise UsageError(f"--{limit.gate} needs --baseline")
        if self.significant is not None and not self.drops:
            raise UsageError("--significant needs --max-drop or --max-drop-rel")
        if self.update and self.baseline in (None, output.STDOUT):
            raise UsageError("--update-baseline needs --baseline=<file>")
        if self.baseline not in (None, output.STDOUT) and not (self.update or os.path.lexists(self.baseline)):
            raise InputError(self.baseline, "", f"{NOT_THERE} (--update-baseline makes it)")


def gates_request(
    given: dict[str, Any], find: Callable[[str], AnyMetric], *, trials: int, seed: int
) -> Gates:
    """Return what the options of `USAGE` ask for, but for those about the exit status."""
    significant = given["--significant"]
    return Gates(
        _thresholds(given, find),
        given["--baseline"],
        given["--update-baseline"],
        None if significant is None else fraction_of(significant, "--significant", is_small=True),
        trials,
        seed,
    )


def _thresholds(given: dict[str, Any], find: Callable[[str], AnyMetric]) -> "list[Threshold]":
    specs = [(name, spec) for name in GATES for spec in given[f"--{name}"]]
    if not specs:
        return []
    from scorch2.audit.judge import threshold

    return [threshold(name, spec, find) for name, spec in specs]


def baseline_for(report: Report, gates: Gates) -> tuple[Report | None, list[Notice]]:
    """Return the baseline, or None if there is none to compare with, and warnings."""
    notices = []
    if gates.significant is not None and 0.5 ** len(report.documents) > gates.significant:
        documents = counted(len(report.documents), "document")
        why = f"over {documents} no drop can be significant with p <= {gates.significant:g}: all of them pass"
        notices.append(Notice("significance", "", why))
    baseline, lack = _baseline(report, gates)
    if lack and gates.drops:
        lack += f", so {counted(len(gates.drops), 'gate')} on drops cannot be judged"
    if lack not in ("", _NONE_YET):
        notices.append(Notice("baseline", gates.baseline or "", lack))
    return baseline, notices


def _baseline(report: Report, gates: Gates) -> tuple[Report | None, str]:
    """Return the baseline, or None and why there is none to compare with; nothing if none is asked for."""
    if gates.baseline is None or (gates.update and not os.path.lexists(gates.baseline)):
        return None, "" if gates.baseline is None else _NONE_YET
    from scorch2.api.requests import lookup
    from scorch2.audit import comparable
    from scorch2.audit.baseline import read as read_baseline

    baseline = read_baseline(gates.baseline, lookup)
    reason = comparable.reason_against(report, baseline)
    if reason is not None and gates.update:
        return None, f"not comparable, it is replaced if all gates pass: {reason}"
    if reason is not None:
        raise InputError(gates.baseline, "", f"not comparable: {reason} (--update-baseline replaces it)")
    lost = [name for name in baseline.scores if name not in report.scores] if gates.update else []
    if lost:
        why = f"holds {listed(lost)}, which this run lacks: the update would lose that (add -m)"
        raise InputError(gates.baseline, "", why)
    return baseline, ""


def verdicts_on(report: Report, baseline: Report | None, gates: Gates) -> "list[Verdict]":
    """Return a verdict for every bound; those on drops need a baseline."""
    if not gates.thresholds:
        return []
    from scorch2.audit import judge

    drops = gates.drops
    lacking = None if baseline is None else judge.missing(baseline, drops)
    if lacking is not None:
        raise InputError(gates.baseline or "", "", f"holds no {lacking} to compare with")
    for limit in drops if baseline is not None else ():
        if not getattr(baseline.scores[limit.metric], limit.part).defined:  # type: ignore[union-attr]  # not None
            why = f"{limit.metric}.{limit.part} is 0/0: nothing to compare with"
            raise InputError(gates.baseline or "", "", why)
    doubt = None if gates.significant is None else judge.DropTest(gates.significant, gates.seed, gates.trials)
    limits = [limit for limit in gates.thresholds if baseline is not None or limit not in drops]
    return judge.judge(report, limits, baseline, doubt)
