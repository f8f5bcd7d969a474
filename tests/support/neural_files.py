"""Files of neural systems: those of `fixtures/jsonlines`, and small ones that a test writes."""

import json
from pathlib import Path
from typing import Any

import scorch2

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "jsonlines"
BOTH = ("both.e2e.jsonlines", "both.coref_hoi.jsonlines")
"""Files that hold the gold clusters and the predictions of a system."""
E2E = {"doc_key": "k", "sentences": [["a", "b"], ["c", "d"]], "clusters": [[[0, 0], [2, 3]], [[1, 1]]]}
FASTCOREF = {"text": "a b c d", "clusters": [[[0, 1], [4, 7]], [[2, 3]]]}
MAVERICK = {"tokens": ["a", "b", "c", "d"], "clusters_token_offsets": [[[0, 0], [2, 3]], [[1, 1]]]}
CONLL = "#begin document (k);\na\t(1)\nb\t(2)\n\nc\t(1\nd\t1)\n#end document\n"
SAME = {
    "conll": CONLL,
    "jsonlines": json.dumps(E2E),
    "clusters": '{"type": "clusters", "clusters": {"x": ["0.0-0", "1.0-1"], "y": ["0.1-1"]}}',
    "graph": '{"type": "graph", "mentions": ["0.0-0", "1.0-1", "0.1-1"], "links": [["0.0-0", "1.0-1"]]}',
}
"""One document in every format."""


def written(name: str, *lines: object) -> str:
    """Write lines, text as it is and anything else as JSON."""
    shown = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    Path(name).write_text("\n".join(shown), encoding="utf-8", newline="")
    return name


def fixture(side: str, source: str) -> str:
    return str(FOLDER / f"{side}.{source}")


def figures(gold: str, system: str, **options: Any) -> dict[str, Any]:
    """Return scores and counts, those of each document too."""
    report = scorch2.score(gold, system, **options).to_dict()
    documents = [{**document, "id": ""} for document in report["documents"]]
    return {"scores": report["scores"], "counts": report["counts"], "documents": documents}
