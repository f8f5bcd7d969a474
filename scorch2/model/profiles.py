"""Profiles: named settings that give the numbers of another scorer. A typed option wins over its profile."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias, cast

Settings: TypeAlias = Mapping[str, str | bool | tuple[str, ...]]  # values of options by name


class Profile(NamedTuple):
    """The settings of another scorer, and the papers of it, or of the task that it belongs to."""

    papers: tuple[str, ...]  # keys of `scorch2.audit.cite.PAPERS`
    settings: Settings


_COREFUD: Settings = {
    "average": "pooled",
    "extra": "skip",
    "match": "head",
    "singletons": "drop",
    "blanc": "both",
    "undefined": "zero",
    "metrics": (
        *("muc", "b_cubed", "ceaf_e", "ceaf_m", "blanc", "lea", "conll", "mention_overlap", "zero_anaphora"),
    ),
}
ProfileName = Literal[
    "scorch", "conll", "e2e", "corefud-1.2", "corefud-1.1", "crac-llm", "ua-2.0", "ua-1.0", "coval"
]
"""The names of the rows below, for type checkers: `tests/support/pages.py` writes them."""
PROFILES: Mapping[str, Profile] = {
    # scorch, the predecessor of this package.
    "scorch": Profile(("pradhan-etal-2014",),
        {"twinless": "singletons", "average": "mentions", "missing": "skip", "undefined": "zero",
         "metrics": ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "conll"), "signature": False,
         "mark_undefined": False}),
    # The reference scorer of the CoNLL tasks (scorer.pl).
    "conll": Profile(("pradhan-etal-2014",),
        {"average": "pooled", "missing": "empty", "extra": "skip", "duplicates": "first",
         "blanc": "reference", "undefined": "zero"}),
    # The copies of metrics.py that neural systems print their scores with (e2e-coref, AllenNLP, fastcoref).
    "e2e": Profile(("lee-etal-2017",),
        {"average": "pooled", "missing": "error", "extra": "error", "duplicates": "error",
         "singletons": "e2e", "undefined": "zero", "metrics": ("muc", "b_cubed", "ceaf_e", "conll")}),
    # The CorefUD scorer 1.2, of the CRAC tasks of 2024 and later.
    "corefud-1.2": Profile(("zabokrtsky-etal-2022",),
        {**_COREFUD, "zeros": "dependency", "lookup": "reference"}),
    # Its version 1.1, of 2023; with match=partial also 1.0, of 2022.
    "corefud-1.1": Profile(("zabokrtsky-etal-2022",), {**_COREFUD, "zeros": "place", "lookup": "nearest"}),
    # The same for the text that a language model copied with marks.
    "crac-llm": Profile(("zabokrtsky-etal-2022", "novak-etal-2025"),
        {**_COREFUD, "zeros": "dependency", "lookup": "reference", "pair": "order", "align": "text",
         "marks": "repair"}),
    # The Universal Anaphora scorer 2.0.
    "ua-2.0": Profile(("yu-etal-2023",),
        {"average": "pooled", "zeros": "drop", "lookup": "reference", "singletons": "drop",
         "blanc": "both", "undefined": "zero", "metrics": ("muc", "b_cubed", "ceaf_e", "conll")}),
    # Its version 1.0, which keeps zeros, singletons and split antecedents, and of pieces only the last.
    "ua-1.0": Profile(("yu-etal-2022",),
        {"average": "pooled", "missing": "skip", "extra": "skip", "pieces": "last", "lookup": "reference",
         "split_antecedents": "keep", "blanc": "both", "undefined": "zero",
         "metrics": ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")}),
    # coval, the scorer of LEA and of minimum spans (MINA).
    "coval": Profile(("moosavi-strube-2016", "moosavi-etal-2019"),
        {"average": "pooled", "extra": "skip", "lookup": "reference", "undefined": "zero",
         "metrics": ("mentions", "muc", "b_cubed", "ceaf_e", "lea", "conll")}),
}  # fmt: skip
"""Named settings that give the numbers of another scorer. A typed option wins over its profile."""


def metrics_of(profile: object, default: tuple[str, ...]) -> tuple[str, ...]:
    """Return the metrics of a profile, or the default if it has none, or there is no such profile."""
    row = PROFILES.get(profile) if isinstance(profile, str) else None
    return default if row is None else cast("tuple[str, ...]", row.settings.get("metrics", default))
