"""Step 5, counts to tallies: the table of metrics, in the order of reports.

A metric is a row that one of these files defines. `chosen` has what users mean by a name.
"""

from collections.abc import Mapping

from scorch2.scoring.metrics import (
    anaphora,
    b_cubed,
    blanc,
    cai_strube,
    ceaf,
    conll,
    copied,
    entity_f1,
    lea,
    mentions,
    muc,
)
from scorch2.scoring.metrics.metric import AnyMetric, Mean

_ROWS = (
    muc.METRIC,
    b_cubed.METRIC,
    ceaf.CEAF_M,
    ceaf.CEAF_E,
    blanc.BLANC,
    lea.METRIC,
    conll.METRIC,
    blanc.PAIRWISE,
    mentions.MENTIONS,
    cai_strube.B_CUBED_SYS,
    cai_strube.CEAF_M_SYS,
    cai_strube.CEAF_E_SYS,
    entity_f1.ENTITY_F1,
    entity_f1.ENTITY_F1_WEIGHTED,
    mentions.MENTION_OVERLAP,
    anaphora.ZERO_ANAPHORA,
    mentions.NON_REFERRING,
    anaphora.BRIDGING_ANAPHOR,
    anaphora.BRIDGING_MENTION,
    anaphora.BRIDGING_ENTITY,
    copied.METRIC,
)
METRICS: Mapping[str, AnyMetric] = {row.name: row for row in _ROWS}
OF_CLUSTERS = tuple([row.name for row in _ROWS if isinstance(row, Mean) or not row.evidence])
"""The metrics that any document has. The others count what few formats have, and are asked for by name."""
DEFAULT = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")
