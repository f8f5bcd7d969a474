"""Scoring of documents that were read before: they pair by id, as those of two files do."""

from collections import Counter
from collections.abc import Sequence

from scorch2 import scoring
from scorch2.model.document import Document
from scorch2.model.errors import PairingError
from scorch2.model.messages import quoted
from scorch2.model.options import Options
from scorch2.scoring import pairing
from scorch2.scoring.files import Side
from scorch2.scoring.report import Report


def score_by_id(gold: Sequence[Document], system: Sequence[Document], options: Options) -> Report:
    """Score the documents of two files.

    Raises
    ------
    PairingError
        For two documents of one id on a side, and for one that the other side lacks.
    """
    given = {"gold": gold, "system": system}
    for documents in given.values():
        ident, times = Counter(document.id for document in documents).most_common(1)[0]
        if times > 1:
            raise PairingError(f"two documents are called {quoted(ident)}")
    sides = [Side(name, {"": name}, is_folder=False, format=None) for name in given]
    plan = pairing.Plan(sides[0], sides[1], [""])
    pairs = pairing.pairs(plan, options, pairing.Readers(gold=lambda name, *_: given[name]))
    return scoring.report_on(scoring.outcomes(pairs, options), [], options)
