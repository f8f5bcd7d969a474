"""Random numbers against what `explain` expects by chance:  python tests/campaigns/chance.py [count] [seed].

What is met is counted, beside what each answer expects. Both sums should agree within 30 %, as those of fewer
numbers do in a test.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))
from random_numbers import KINDS, results


def main() -> None:
    """Print what is met and what is expected, for each kind."""
    count, seed = (int(word) for word in [*sys.argv[1:], "2000", "5"][:2])
    for kind in KINDS:
        met = results(kind, count, seed)
        found, expected = sum(one.found for one in met), sum(one.expected for one in met)
        sys.stdout.write(f"{kind}: met {found}, expected {expected:.1f} ({expected / max(found, 1):.2f})\n")


if __name__ == "__main__":
    main()
