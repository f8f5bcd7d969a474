"""The JSON report, the contract for programs, and its lines for streams."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scorch2.model.besides import together
from scorch2.model.forms import Shown
from scorch2.model.results import Confidence, Interval
from scorch2.model.score import AnyScore, Measured, Tally, plain_value
from scorch2.model.values import resampled_units
from scorch2.scoring.layout.escaping import in_frame, json_text, plain_json
from scorch2.scoring.metrics.metric import ONLY
from scorch2.scoring.report import SCHEMA, Report

PYTHON = ".".join(map(str, sys.version_info[:3]))


def as_json(value: Shown, _: Sequence[Measured] = ()) -> str:
    """Return the JSON report of any value: what it is as plain values, one line per metric and document."""
    return plain_json(value.to_dict())


def to_dict_of_scores(report: Report) -> dict[str, Any]:
    """Return the JSON report of scores. ``counts`` are sums over documents whatever the average."""
    names = [metric.name for metric in report.metrics]
    copying = together(document.copying for document in report.documents)
    classes = {name: [row.to_dict() for row in rows] for name, rows in report.breakdown.items()}
    of_files = ("id", "gold_mentions", "system_mentions", "scores")
    files = [{name: plain[name] for name in of_files} for plain in _plain_documents(report, report.files())]
    plain = {
        "python": PYTHON,
        "signature": report.signature(),
        "options": {
            **report.options.to_dict(),
            "metrics": list(report.scores),
            **dict(report.facts),
            **dict(report.settings),
        },
        **_given(submission=report.submission, cluster_keys=report.cluster_keys),
        **({"inputs": dict(report.inputs)} if report.inputs is not None else {}),
        "scores": plain_scores(report.scores),
        "counts": {name: _plain_tallies(report.tallies(name)) for name in names},
        **_given(copy=copying and copying._asdict()),
        "skipped": report.skipped,
        "documents": [*_plain_documents(report, report.documents)],
        **_given(files=files),
        "warnings": [notice._asdict() for notice in report.notices],
        "gates": [verdict.to_dict() for verdict in report.gates],
        "confidence": report.confidence and plain_confidence(report.confidence),
        **{listing.name: listing.to_list() for listing in report.listings},
        **_given(breakdown=classes),
    }
    return in_frame(plain, schema=SCHEMA)


def to_records_of_scores(report: Report) -> list[dict[str, Any]]:
    """Return a flat dict for every document and metric, for data frames; the corpus is document None."""
    scored = [(document.id, report.document_scores(document)) for document in report.documents]
    return [
        {"document": ident, "metric": name, **plain_score(score)}
        for ident, scores in [*scored, (None, report.scores)]
        for name, score in scores.items()
    ]


def scores_jsonl(report: Report, _: Sequence[Measured]) -> str:
    """Return one line per document, or pair of files, then one whose ``document`` is null."""
    return "".join(f"{json_text(line)}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[dict[str, Any]]:
    whole, numbers = report.to_dict(), ("gold_mentions", "system_mentions")
    for plain in whole["files"] if report.unit == "file" else ():
        yield {"file": plain.pop("id"), **plain}
    for plain in whole["documents"] if report.unit == "document" else ():
        mentions = {name: plain[name] for name in numbers}
        yield {"document": plain["id"], **mentions, "scores": plain["scores"], "counts": plain["counts"]}
    mentions = {name: sum(plain[name] for plain in whole["documents"]) for name in numbers}
    rest = {key: whole[key] for key in ("schema", "signature", "skipped", "gates", "confidence")}
    yield {"document": None, **mentions, "scores": whole["scores"], "counts": whole["counts"], **rest}


def plain_score(score: AnyScore) -> dict[str, float | None]:
    """Return a score as JSON has it: undefined parts are None."""
    return {part: plain_value(value) for part, value in score._asdict().items()}


def plain_scores(scores: Mapping[str, AnyScore]) -> dict[str, dict[str, float | None]]:
    """Return scores by metric as JSON has them."""
    return {name: plain_score(score) for name, score in scores.items()}


def plain_confidence(confidence: Confidence) -> dict[str, Any]:
    """Return the intervals of all scores, and how they were found."""
    metrics = {name: plain_ends(parts) for name, parts in confidence.intervals.items()}
    made = {"level": confidence.level, "trials": confidence.trials, "seed": confidence.seed}
    windows = {"resample": resampled_units(confidence.window)} if confidence.window else {}
    return {**made, **windows, "metrics": metrics}


def plain_ends(intervals: Mapping[str, Interval]) -> dict[str, list[float] | None]:
    """Return intervals as JSON has them."""
    return {name: ends and list(ends) for name, ends in intervals.items()}


def _plain_tallies(tallies: Mapping[str, Tally]) -> dict[str, Any]:
    """Return the tallies of a metric by part, or the only one there is."""
    plain = {part: tally._asdict() for part, tally in tallies.items()}
    return plain.get(ONLY, plain)


def _plain_documents(report: Report, documents: Sequence[Measured]) -> Iterator[dict[str, Any]]:
    """Yield documents with their counts and scores; and their files, if they have one."""
    for document in documents:
        copying, kept = document.copying, document.kept
        yield {
            "id": document.id,
            **_given(file=document.file, gold=document.gold),
            "gold_mentions": document.gold_mentions,
            "system_mentions": document.system_mentions,
            **_given(copy=copying and copying._asdict(), kept=kept and kept._asdict()),
            "counts": {
                metric.name: _plain_tallies(dict(zip(metric.parts, parts, strict=True)))
                for metric, parts in zip(report.metrics, document.tallies, strict=True)
            },
            "scores": plain_scores(report.document_scores(document)),
        }


def _given(**fields: Any) -> dict[str, Any]:
    """Return the fields that have something in them."""
    return {name: value for name, value in fields.items() if value}
