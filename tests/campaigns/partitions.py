"""Compare scorch2 with the exact model: ``python tests/campaigns/partitions.py [pairs] [seed]``.

The defaults are 100000 pairs and seed 1. The exit status is 1 if a number differs.
"""

import os
import sys
from collections.abc import Sequence
from itertools import islice

sys.path.insert(0, os.path.join(os.path.dirname(__file__), os.pardir, "models"))

from exact_comparison import disagreements


def main(words: Sequence[str]) -> int:
    pairs, seed = (int(word) for word in [*words, *["100000", "1"][len(words) :]])
    found = list(islice(disagreements(pairs, seed), 10))
    verdict = f"at least {len(found)} disagreements, first: {found[0]}" if found else "no disagreement"
    print(f"{pairs} random pairs of partitions, seed {seed}: {verdict}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
