"""Score coreference output: every metric of the field, honest about every choice.

>>> import scorch2
>>> report = scorch2.score([["a", "b", "c"], ["d"]], [["a", "b"], ["c", "d"]])
>>> report.muc.recall, report.lea.recall
(0.5, 0.25)

Names are imported when they are first used, so that ``import scorch2`` costs nothing.
"""

from scorch2.version import __version__

TYPE_CHECKING = False  # as in typing, whose import takes 4 ms, in which an interrupt could not be handled
if TYPE_CHECKING:
    from typing import Any

    from scorch2.analysis.agreement import Agreement
    from scorch2.analysis.bootstrap import ConfidenceReport
    from scorch2.analysis.error_report import ErrorReport
    from scorch2.analysis.paired_tests import SignificanceReport
    from scorch2.analysis.systems import Comparison
    from scorch2.api.analysis import agreement, compare, errors
    from scorch2.api.audit import explain, leaderboard, read_report, score_task, verify
    from scorch2.api.evaluate_coref import EVALUATE_MODULE
    from scorch2.api.library import CorefScorer, assert_scores, compute, read, resolve, score
    from scorch2.api.resampling import confidence, significance
    from scorch2.audit.board import Leaderboard
    from scorch2.audit.explain import Explanation
    from scorch2.audit.verify import Verification
    from scorch2.model.document import Document
    from scorch2.model.errors import (
        InputError,
        InputErrors,
        Notice,
        OutputError,
        PairingError,
        ScorchError,
        ScorchWarning,
        UsageError,
        WorkerError,
    )
    from scorch2.scoring.metrics import METRICS
    from scorch2.scoring.report import Report

_HOMES = {
    "Agreement": "analysis.agreement",
    "Comparison": "analysis.systems",
    "ConfidenceReport": "analysis.bootstrap",
    "CorefScorer": "api.library",
    "Document": "model.document",
    "EVALUATE_MODULE": "api.evaluate_coref",
    "ErrorReport": "analysis.error_report",
    "Explanation": "audit.explain",
    "InputError": "model.errors",
    "InputErrors": "model.errors",
    "Leaderboard": "audit.board",
    "METRICS": "scoring.metrics",
    "Notice": "model.errors",
    "OutputError": "model.errors",
    "PairingError": "model.errors",
    "Report": "scoring.report",
    "ScorchError": "model.errors",
    "ScorchWarning": "model.errors",
    "SignificanceReport": "analysis.paired_tests",
    "UsageError": "model.errors",
    "Verification": "audit.verify",
    "WorkerError": "model.errors",
    "agreement": "api.analysis",
    "assert_scores": "api.library",
    "compare": "api.analysis",
    "compute": "api.library",
    "confidence": "api.resampling",
    "errors": "api.analysis",
    "explain": "api.audit",
    "leaderboard": "api.audit",
    "read": "api.library",
    "read_report": "api.audit",
    "resolve": "api.library",
    "score": "api.library",
    "score_task": "api.audit",
    "significance": "api.resampling",
    "verify": "api.audit",
}

__all__ = [
    "EVALUATE_MODULE",
    "METRICS",
    "Agreement",
    "Comparison",
    "ConfidenceReport",
    "CorefScorer",
    "Document",
    "ErrorReport",
    "Explanation",
    "InputError",
    "InputErrors",
    "Leaderboard",
    "Notice",
    "OutputError",
    "PairingError",
    "Report",
    "ScorchError",
    "ScorchWarning",
    "SignificanceReport",
    "UsageError",
    "Verification",
    "WorkerError",
    "__version__",
    "agreement",
    "assert_scores",
    "compare",
    "compute",
    "confidence",
    "errors",
    "explain",
    "leaderboard",
    "read",
    "read_report",
    "resolve",
    "score",
    "score_task",
    "significance",
    "verify",
]


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name in _HOMES:
        return getattr(import_module(f"scorch2.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'scorch2' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
