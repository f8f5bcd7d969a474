"""Step 5, counts to tallies: the table of metrics, in the order of reports.

A metric is a row that one of these files defines, which is imported when the metric is asked for. `chosen`
has what users mean by a name.
"""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import cast

from scorch2.scoring.metrics.metric import AnyMetric


class Metrics(Mapping[str, AnyMetric]):
    """Metrics by name, from their places as ``file.NAME``."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = places
        self._rows: dict[str, AnyMetric] = {}

    def __getitem__(self, name: str) -> AnyMetric:
        if name not in self._rows:
            file, _, row = self._places[name].partition(".")
            self._rows[name] = cast(
                "AnyMetric", getattr(import_module(f"scorch2.scoring.metrics.{file}"), row)
            )
        return self._rows[name]

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __reversed__(self) -> Iterator[str]:
        return reversed([*self._places])

    def __or__(self, other: Mapping[str, AnyMetric]) -> dict[str, AnyMetric]:
        return {**self, **other}

    def __ror__(self, other: Mapping[str, AnyMetric]) -> dict[str, AnyMetric]:
        return {**other, **self}

    def __repr__(self) -> str:
        return f"<{len(self)} metrics: {', '.join(self)}>"


_OF_CLUSTERS = {
    "muc": "muc.METRIC",
    "b_cubed": "b_cubed.METRIC",
    "ceaf_m": "ceaf.CEAF_M",
    "ceaf_e": "ceaf.CEAF_E",
    "blanc": "blanc.BLANC",
    "lea": "lea.METRIC",
    "conll": "conll.METRIC",
    "pairwise": "blanc.PAIRWISE",
    "mentions": "mentions.MENTIONS",
    "b_cubed_sys": "cai_strube.B_CUBED_SYS",
    "ceaf_m_sys": "cai_strube.CEAF_M_SYS",
    "ceaf_e_sys": "cai_strube.CEAF_E_SYS",
    "entity_f1": "entity_f1.ENTITY_F1",
    "entity_f1_weighted": "entity_f1.ENTITY_F1_WEIGHTED",
}
_OF_EVIDENCE = {
    "mention_overlap": "mentions.MENTION_OVERLAP",
    "zero_anaphora": "anaphora.ZERO_ANAPHORA",
    "non_referring": "mentions.NON_REFERRING",
    "bridging_anaphor": "anaphora.BRIDGING_ANAPHOR",
    "bridging_mention": "anaphora.BRIDGING_MENTION",
    "bridging_entity": "anaphora.BRIDGING_ENTITY",
    "copied": "mentions.COPIED",
}
METRICS = Metrics({**_OF_CLUSTERS, **_OF_EVIDENCE})
OF_CLUSTERS = tuple(_OF_CLUSTERS)
"""The metrics that any document has. The others count what few formats have, and are asked for by name."""
DEFAULT = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll")
