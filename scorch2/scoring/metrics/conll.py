"""CoNLL average: the score of the CoNLL-2011 and 2012 shared tasks.

Formula     (F1 of MUC + F1 of B³ + F1 of CEAF_e) / 3, of the corpus scores.
Units       0..1; it has no recall or precision, unless ``singletons=e2e`` asks for the means of those, too.
Edge cases  an undefined F1 counts 0.
Source      Pradhan et al. 2012, CoNLL-2012 shared task, pp. 1-40; Denis & Baldridge 2009.
"""

from scorch2.model.score import Score
from scorch2.scoring.metrics.metric import Mean

METRIC = Mean(
    "conll",
    "CoNLL-2012 average score",
    of=("muc", "b_cubed", "ceaf_e"),
    aliases=("conll2012", "conll-2012", "average", "avg"),
    source="Pradhan et al. 2012",
    papers=("pradhan-etal-2012",),
    rules={("singletons", "e2e"): {"gives": Score}},
)
