"""Reports that were tampered with: every leaf edited, every node deleted, one at a time.

    python tests/campaigns/tampered.py [--seed=0] [--rounds=1]

Ten kinds of reports are made of the data that the manual shows. Each edit and each deletion has to be named
by `verify`, or refused; else it is printed, unless it is one of `NO_TRACE`, the list that the guide gives.
"""

import argparse
import os
import random
import sys
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).parent.parent / "support"))
from tampering import FIXTURES, KINDS, has_reason, made, unnoticed


def main() -> int:
    """Run the campaign."""
    words = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--rounds", type=int, default=1)
    given = words.parse_args()
    os.chdir(FIXTURES)
    source, failed = random.Random(given.seed), False  # noqa: S311 - no secret
    for name, kind in KINDS.items():
        report = made(kind)
        for _ in range(given.rounds):
            number, missed = unnoticed(report, kind, source)
            silent = [one for one in missed if not has_reason(one[1])]
            failed = failed or bool(silent)
            print(f"{name}: {number} changes, {len(missed)} leave no trace, {len(silent)} without a reason")
            for (done, place), times in Counter(silent).items():
                print(f"    {done} {place}" + (f" ({times})" if times > 1 else ""))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
