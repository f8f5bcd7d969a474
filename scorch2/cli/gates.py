"""Gates of the command line: what is asked for, the baseline to compare with, and the verdicts."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scorch2.cli import console, output
from scorch2.model.errors import NOT_THERE, InputError, Notice, UsageError, counted, listed
from scorch2.model.score import DROPS, GATES, Sampling
from scorch2.model.values import fraction_of
from scorch2.scoring.metrics.metric import AnyMetric
from scorch2.scoring.report import Report

if TYPE_CHECKING:
    from scorch2.audit.judge import Threshold
    from scorch2.model.results import Verdict

LOWER = "lower"  # the code of the notice that a baseline is kept
_NONE_YET = "there is none yet"


class Gates(NamedTuple):
    """The bounds that a report has to reach, and the baseline that it is compared with."""

    thresholds: Sequence["Threshold"]
    baseline: str | None  # the path of a stored report
    update: bool  # whether the report becomes the baseline if all gates pass
    allow_lower: bool  # also if a gated score is lower, or the baseline cannot be compared
    significant: float | None  # the level of the test that lets drops pass; None for no test
    sampling: Sampling

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
        if self.allow_lower and not self.update:
            raise UsageError("--allow-lower needs --update-baseline")
        if self.baseline not in (None, output.STDOUT) and not (self.update or os.path.lexists(self.baseline)):
            raise InputError(self.baseline, "", f"{NOT_THERE} (--update-baseline makes it)")


def gates_request(given: dict[str, Any], find: Callable[[str], AnyMetric], sampling: Sampling) -> Gates:
    """Return what the options of `USAGE` ask for, but for those about the exit status."""
    from scorch2.audit.judge import threshold

    significant = given.get("--significant")
    return Gates(
        [threshold(name, spec, find) for name in GATES for spec in given.get(f"--{name}", ())],
        given.get("--baseline"),
        bool(given.get("--update-baseline")),
        bool(given.get("--allow-lower")),
        None if significant is None else fraction_of(significant, "--significant", is_small=True),
        sampling,
    )


def judged_by(gates: Gates, report: Report, *, strict: bool) -> Report:
    """Return a report with verdicts and the scores of the baseline; if `strict`, a warning is an error."""
    baseline, lack = _baseline(report, gates)
    report = report._replace(notices=[*report.notices, *_doubts(report, gates, lack)])
    console.refuse_warnings(report.notices, strict=strict)
    before = None if baseline is None else baseline.scores
    report = report._replace(gates=_verdicts(report, baseline, gates), baseline=before)
    return report._replace(notices=[*report.notices, *_lower_scores(report, baseline, gates)])


def _doubts(report: Report, gates: Gates, lack: str) -> Iterator[Notice]:
    """Yield warnings of a test that lets all pass, and of what a baseline lacks."""
    if gates.significant is not None and 0.5 ** len(report.documents) > gates.significant:
        documents = counted(len(report.documents), "document")
        why = f"over {documents} no drop can be significant with p <= {gates.significant:g}: all of them pass"
        yield Notice("significance", "", why)
    if lack and gates.drops:
        lack += f", so {counted(len(gates.drops), 'gate')} on drops cannot be judged"
    if lack not in ("", _NONE_YET):
        yield Notice("baseline", gates.baseline or "", lack)


def _baseline(report: Report, gates: Gates) -> tuple[Report | None, str]:
    """Return the baseline, or None and why there is none to compare with; nothing if none is asked for."""
    if gates.baseline is None or (gates.update and not os.path.lexists(gates.baseline)):
        return None, "" if gates.baseline is None else _NONE_YET
    from scorch2.api.requests import lookup
    from scorch2.audit import judge
    from scorch2.audit.baseline import read as read_baseline

    baseline = read_baseline(gates.baseline, lookup)
    reason = judge.reason_against(report, baseline)
    if reason is not None and gates.allow_lower:
        return None, f"not comparable, it is replaced if all gates pass: {reason}"
    if reason is not None:
        raise InputError(
            gates.baseline, "", f"not comparable: {reason} (--update-baseline --allow-lower replaces it)"
        )
    lost = [name for name in baseline.scores if name not in report.scores] if gates.update else []
    if lost:
        why = f"holds {listed(lost)}, which this run lacks: the update would lose that (add -m)"
        raise InputError(gates.baseline, "", why)
    return baseline, ""


def _lower_scores(report: Report, baseline: Report | None, gates: Gates) -> list[Notice]:
    """Return a notice that the baseline is kept, if a gated score would be lower in the next one."""
    if baseline is None or not gates.update or gates.allow_lower:
        return []
    from scorch2.audit.judge import lowered

    lower = lowered(report, baseline, gates.thresholds)
    why = f"kept, since {listed(lower)} would be lower (--allow-lower replaces it)"
    return [Notice(LOWER, gates.baseline or "", why)] if lower else []


def _verdicts(report: Report, baseline: Report | None, gates: Gates) -> "list[Verdict]":
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
    doubt = None if gates.significant is None else judge.DropTest(gates.significant, gates.sampling)
    limits = [limit for limit in gates.thresholds if baseline is not None or limit not in drops]
    return judge.judge(report, limits, baseline, doubt)
