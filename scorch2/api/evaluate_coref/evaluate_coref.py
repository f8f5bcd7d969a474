"""A metric of Hugging Face's ``evaluate``, over `scorch2.compute`. It is copied before it is run."""

from typing import Any

import datasets
import evaluate

from scorch2.api.library import compute
from scorch2.model.errors import UsageError

_MENTIONS = {
    "default": datasets.Sequence(datasets.Value("int64")),  # a span: start, end; more of a discontinuous one
    "ids": datasets.Value("string"),
}
_INPUTS = """
Args:
    predictions, references: the documents of the system and of gold, in the same order. A document is a
        list of clusters, and a cluster a list of mentions. A mention is a span such as [0, 1], compared as
        it is. With evaluate.load(path, "ids") it is a string.
    **choices: metrics, profile, average and the other arguments of scorch2.compute.

Returns:
    a dictionary of floats in 0..1: muc_recall, muc_precision, muc_f1 ..., conll_f1; undefined ones are 0.

Examples:
    >>> scorer = evaluate.load(scorch2.EVALUATE_MODULE)
    >>> scorer.compute(
    ...     predictions=[[[[0, 1], [4, 4]]]], references=[[[[0, 1], [4, 4], [9, 9]]]], metrics=["muc"]
    ... )
    {'muc_recall': 0.5, 'muc_precision': 1.0, 'muc_f1': 0.6666666666666666}
"""


class Scorch2(evaluate.Metric):  # type: ignore[misc]  # a class without types
    """Scores of coreference, as `scorch2.compute` returns them."""

    def _info(self) -> Any:
        if self.config_name not in _MENTIONS:
            known = ", ".join(_MENTIONS)
            raise UsageError(f'no configuration "{self.config_name}" of this metric (known: {known})')
        documents = datasets.Sequence(datasets.Sequence(_MENTIONS[self.config_name]))
        return evaluate.MetricInfo(
            description="Scores of coreference: MUC, B-cubed, CEAF, BLANC, LEA, the CoNLL average, and more.",
            citation="The papers of the metrics: scorch2 cite",
            inputs_description=_INPUTS,
            features=datasets.Features({"predictions": documents, "references": documents}),
        )

    def _compute(self, predictions: Any, references: Any, **choices: Any) -> dict[str, float]:
        return compute(predictions=predictions, references=references, **choices)
