"""A scorer for spaCy, which configurations name ``scorch2.coref_scorer.v1``. It does not import spaCy."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate
from typing import Any

from scorch2.api.library import CorefScorer
from scorch2.model.errors import InputError

_MAIN = "lea"  # the metric of spacy-experimental
_LETTERS = {"recall": "r", "precision": "p", "f1": "f"}


def make_coref_scorer(
    span_cluster_prefix: str = "coref_clusters",
    metrics: list[str] = ["muc", "b_cubed", "ceaf_e", "lea", "conll"],  # noqa: B006 - configurations show it
    profile: str | None = "conll",
    options: dict[str, Any] = {},  # noqa: B006 - likewise
) -> Callable[..., dict[str, float]]:
    """Return a scorer of the clusters in span groups ``coref_clusters_1``, ``coref_clusters_2`` ...

    Spans are compared by their characters, spaces not counted: tokens may differ.

    Parameters
    ----------
    span_cluster_prefix : str
        The names of the span groups without ``_`` and number: ``coref_head_clusters`` for heads.
    metrics, profile
        As in `scorch2.CorefScorer`; LEA is always counted. By default documents are added up, and repeated
        spans dropped: LEA is that of spacy-experimental.
    options
        The other arguments of `scorch2.CorefScorer`, by name: ``{"singletons": "drop"}``.

    Returns
    -------
    function from examples to dict from str to float
        ``coref_muc_r``, ``coref_muc_p``, ``coref_muc_f`` ... in 0..1, undefined ones 0; ``coref_r``,
        ``coref_p`` and ``coref_f`` are LEA, too. It raises an `InputError` for an example of two texts.

    Raises
    ------
    UsageError
        For an unknown metric, profile or option.
    """
    make = partial(CorefScorer, [*metrics, _MAIN], profile=profile, **options)  # type: ignore[arg-type]  # it checks them
    make()  # refuses unknown names before a training begins
    return partial(_scores, make, span_cluster_prefix)


def _scores(
    make: Callable[[], CorefScorer], prefix: str, examples: Iterable[Any], **_: object
) -> dict[str, float]:
    scorer = make()
    for number, example in enumerate(examples, 1):
        if _letters(example.reference.text) != _letters(example.predicted.text):
            why = "reference and prediction are two texts: they differ by more than spaces and case"
            raise InputError(f"example {number}", "", why)
        gold, system = (_clusters(doc, prefix) for doc in (example.reference, example.predicted))
        scorer.update(gold=gold, system=system)
    if not len(scorer):  # nothing to score is 0, as for the scorers of spaCy
        scorer.update(gold=[], system=[])
    return {
        f"{name}_{_LETTERS.get(part, part)}": float(value)
        for metric, score in scorer.compute().scores.items()
        for name in (["coref"] if metric == _MAIN else []) + [f"coref_{metric}"]
        for part, value in score._asdict().items()
    }


def _letters(text: str) -> str:
    return "".join(text.split()).casefold()


def _clusters(doc: Any, prefix: str) -> dict[str, list[tuple[int, int]]]:
    """Return the spans of the groups of clusters, as numbers of letters before their ends."""
    sizes = (0 if letter.isspace() else len(letter.casefold()) for letter in doc.text)
    before = list(accumulate(sizes, initial=0))
    return {
        name: [(before[span.start_char], before[span.end_char]) for span in group]
        for name, group in doc.spans.items()
        if name.startswith(f"{prefix}_") and name.removeprefix(f"{prefix}_").isdecimal()
    }
