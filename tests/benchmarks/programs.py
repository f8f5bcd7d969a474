"""The measurements: programs, the budget of each, and the largest growth of costs with the input."""

import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))


class Budget(NamedTuple):
    """The budget of a program on a corpus, relative to another program: time and memory.

    Time is CPU, as a ratio, in seconds, or in seconds that are added to those of the other program.
    """

    scale: str
    program: str
    other: str
    ratio: float | None = None
    seconds: float | None = None
    added: float | None = None
    wall: bool = False
    """Whether the ratio is of the time on the wall: what several processes are for."""
    peak_mib: float | None = None
    peak_ratio: float | None = None


BUDGETS = (
    Budget("T", "scorch2", "empty", ratio=5),
    Budget("T", "scorch2", "scorch", ratio=0.12),
    Budget("S", "scorch2", "floor", ratio=3, peak_mib=25),
    Budget("S", "scorch2", "scorch", ratio=0.12),
    Budget("S", "scorch2 on CoNLL", "floor on CoNLL"),
    Budget("S", "scorch2 on CorefUD", "floor on CorefUD"),
    Budget("S", "conll2json", "scorch's converter", ratio=0.6),
    Budget("S", "scorch2 --confidence", "scorch2", added=1.0),
    Budget("S", "scorch2 errors", "scorch2", ratio=6),
    Budget("N", "scorch2 errors -f html", "scorch2 on CoNLL", seconds=3),
    Budget("L", "scorch2", "floor", ratio=6, peak_ratio=2.5),
    Budget("M", "scorch2", "floor", ratio=3, peak_mib=80),
    Budget("M", "scorch2 -j 2", "scorch2", ratio=0.65, wall=True),
    Budget("M", "scorch2 --dask=local -j 2", "scorch2 -j 2", wall=True),
    Budget("X", "scorch2", "floor", ratio=5, peak_ratio=1.8),
    Budget("X", "scorch2 errors", "scorch2", ratio=10, peak_ratio=3),
    Budget("B:5000", "scorch2", "floor", peak_mib=130),
    Budget("B:50000", "scorch2", "floor", seconds=16, peak_mib=400),
)
GROWTH = (("K:348", "K:2784", 1.1), ("M:2500", "M:20000", 1.1), ("D:50000", "D:1000000", 1.3))
"""From a corpus to a larger one CPU time grows as its size to the power of this at most."""
SCALES = tuple(dict.fromkeys(budget.scale for budget in BUDGETS))
LONG = ("X", "B:50000", "D:1000000")
LONG_RUNS = 3
PROGRAMS: Mapping[str, Sequence[str]] = {
    "empty": ("-c", ""),
    "floor": (os.path.join(HERE, "floor.py"), "{corpus}/json/gold", "{corpus}/json/sys"),
    "scorch2": ("-m", "scorch2", "{corpus}/json/gold", "{corpus}/json/sys", "-"),
    "scorch2 errors": ("-m", "scorch2", "errors", "{corpus}/json/gold", "{corpus}/json/sys", "-"),
    "scorch2 errors -f html": (
        *("-m", "scorch2", "errors", "-f", "html"),
        *("{corpus}/gold.conll", "{corpus}/sys.conll", "{out}/page.html"),
    ),
    "scorch2 -j 2": ("-m", "scorch2", "-j", "2", "{corpus}/json/gold", "{corpus}/json/sys", "-"),
    "scorch2 --dask=local -j 2": (
        *("-m", "scorch2", "--dask=local", "-j", "2"),
        *("{corpus}/json/gold", "{corpus}/json/sys", "-"),
    ),
    "scorch2 --confidence": (
        *("-m", "scorch2", "--confidence=95", "--trials=10000"),
        *("{corpus}/json/gold", "{corpus}/json/sys", "-"),
    ),
    "scorch": ("-m", "scorch.main", "{corpus}/json/gold", "{corpus}/json/sys", "-"),
    "floor on CoNLL": (os.path.join(HERE, "floor.py"), "{corpus}/gold.conll", "{corpus}/sys.conll"),
    "scorch2 on CoNLL": ("-m", "scorch2", "{corpus}/gold.conll", "{corpus}/sys.conll", "-"),
    "floor on CorefUD": (os.path.join(HERE, "floor.py"), "{corpus}/gold.conllu", "{corpus}/sys.conllu"),
    "scorch2 on CorefUD": ("-m", "scorch2", "{corpus}/gold.conllu", "{corpus}/sys.conllu", "-"),
    "scorch2 --profile=corefud-1.2": (
        *("-m", "scorch2", "--profile=corefud-1.2"),
        *("{corpus}/gold.conllu", "{corpus}/sys.conllu", "-"),
    ),
    "scorch2 --profile=ua-2.0": (
        *("-m", "scorch2", "--profile=ua-2.0", "--singletons=keep"),
        *("{corpus}/gold.ua", "{corpus}/sys.ua", "-"),
    ),
    "conll2json": ("-m", "scorch2", "conll2json", "{corpus}/gold.conll", "{out}"),
    "scorch's converter": ("-m", "scorch.conll", "{corpus}/gold.conll", "{out}"),
}
"""The arguments of Python for each program; `--peer` adds others."""
AGAINST_PEERS: Mapping[str, tuple[str, float | None]] = {
    "gold.conllu": ("scorch2 --profile=corefud-1.2", 0.05),
    "gold.ua": ("scorch2 --profile=ua-2.0", 0.05),
    "gold.conll": ("scorch2 on CoNLL", None),
}
"""What is measured against a peer whose command names a file, and the largest ratio to it."""
PEER = "scorch"
PLOTTED = ("D:1000", "D:10000", "D:100000", "D:1000000")
"""The corpora of the plot: one document of so many mentions."""
