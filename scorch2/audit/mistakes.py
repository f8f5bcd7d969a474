"""Mistakes that give other numbers than any setting does: they are looked for where no setting is found."""

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import TypeAlias

from scorch2.audit.printed import OF_MEANS, Reading
from scorch2.model.document import OnDemand
from scorch2.model.score import PARTS
from scorch2.scoring.pairing.files import Pair

Values: TypeAlias = Mapping[Reading, float]
_SWAPPED = {"recall": "precision", "precision": "recall"}
_CONLL = ("muc", "b_cubed", "ceaf_e")


def _swapped(values: Values) -> Values:
    return {
        Reading(metric, _SWAPPED[part]): value for (metric, part), value in values.items() if part in _SWAPPED
    }


def _means_of(names: Sequence[str], part_of: Callable[[str], str] = str) -> Callable[[Values], Values]:
    """Return a function that puts means of some metrics in the place of the CoNLL average."""

    def means(values: Values) -> Values:
        of = {part: [values.get(Reading(name, part_of(part))) for name in names] for part in PARTS}
        return {
            Reading("conll", part): fsum(filter(None, several)) / len(names)
            for part, several in of.items()
            if None not in several
        }

    return means


OF_NUMBERS: Mapping[str, Callable[[Values], Values]] = {
    "recall and precision swapped, or gold and the system": _swapped,
    "the mean of MUC, B³ and CEAF_m": _means_of(("muc", "b_cubed", "ceaf_m")),
    "the mean of MUC, B³, CEAF_m and CEAF_e": _means_of(("muc", "b_cubed", "ceaf_m", "ceaf_e")),
    "the CoNLL average of F1s of mean recall and precision": _means_of(
        _CONLL, lambda part: OF_MEANS if part == "f1" else part
    ),
}
"""What may have been made of a row of scores."""
OF_SIDES = {"singletons dropped in gold alone": "gold", "singletons dropped in the system alone": "system"}
"""What may have been made of one side."""
NOT_LOOKED_FOR = "means over the folds of a cross-validation (score each fold), documents that were left out"


def without_singletons(pair: Pair, side: str) -> Pair:
    """Return a pair one side of which has no clusters of one mention."""
    document = pair.gold if side == "gold" else pair.system
    left = {name: members for name, members in document.clusters.items() if len(members) > 1}
    changed = document._replace(clusters=left)
    if document.markables is not None:
        every = document.markables()
        changed = changed._replace(
            markables=OnDemand(dict, {name: one for name, one in every.items() if name in left})
        )
    return pair._replace(gold=changed) if side == "gold" else pair._replace(system=changed)
