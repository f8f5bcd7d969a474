"""A metric of Hugging Face's ``evaluate``, over `scorch2.compute`. It is copied before it is run."""

from collections.abc import Iterable, Iterator, Mapping
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


def _parts(value: Any) -> Iterator[Any]:
    """Yield all that is not a list in nested lists and arrays."""
    plain = value.tolist() if hasattr(value, "tolist") else value  # an array or a number of numpy or torch
    if isinstance(plain, Iterable) and not isinstance(plain, str | bytes):
        for each in plain:
            yield from _parts(each)
    elif plain is not None:
        yield plain


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

    def add(self, *, prediction: Any = None, reference: Any = None, **others: Any) -> None:
        """Add one document."""
        self._refuse_parts({"predictions": [prediction], "references": [reference]})
        super().add(prediction=prediction, reference=reference, **others)

    def add_batch(self, *, predictions: Any = None, references: Any = None, **others: Any) -> None:
        """Add documents; `compute` adds by this, too."""
        self._refuse_parts({"predictions": predictions, "references": references})
        super().add_batch(predictions=predictions, references=references, **others)

    def _refuse_parts(self, sides: Mapping[str, Any]) -> None:
        """Refuse parts of spans that are no integers: else fractions are cut, and digits are read."""
        for side, documents in sides.items() if self.config_name == "default" else ():
            for part in _parts(documents):
                if not hasattr(part, "__index__") or isinstance(part, bool):
                    what = f"{type(part).__name__} {part!r}"
                    raise UsageError(
                        f'{side}: spans are lists of integers, not of {what} (or load(path, "ids"))'
                    )

    def _compute(self, predictions: Any, references: Any, **choices: Any) -> dict[str, float]:
        return compute(predictions=predictions, references=references, **choices)
