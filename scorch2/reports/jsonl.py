"""The JSON lines report: one object per document or file, the corpus last, for streams and data frames."""

from collections.abc import Iterator, Sequence
from typing import Any

from scorch2.model.escaping import json_text
from scorch2.model.score import Measured
from scorch2.scoring.report import Report


def render(report: Report, documents: Sequence[Measured]) -> str:  # noqa: ARG001 - there is a line for each of them
    """Return one line per document, or pair of files, then one whose ``document`` is null."""
    return "".join(f"{json_text(line)}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[dict[str, Any]]:
    whole = report.to_dict()
    for plain in whole["files"] if report.unit == "file" else ():
        yield {"file": plain.pop("id"), **plain}
    for plain in whole["documents"] if report.unit == "document" else ():
        mentions = {name: plain[name] for name in ("gold_mentions", "system_mentions")}
        yield {"document": plain["id"], **mentions, "scores": plain["scores"], "counts": plain["counts"]}
    mentions = {
        name: sum(one[name] for one in whole["documents"]) for name in ("gold_mentions", "system_mentions")
    }
    rest = {key: whole[key] for key in ("schema", "signature", "skipped", "gates", "confidence")}
    yield {"document": None, **mentions, "scores": whole["scores"], "counts": whole["counts"], **rest}
