"""ECB+ where it lies on this machine: as many mentions and clusters as other readers find.

    python tests/campaigns/ecb.py --corpus='ECB+' --sentences=ECBplus_coreference_sentences.csv

The figures, and where they come from, are in ``fixtures/cross-document/expected.json``. Ends with 1 if any
number is another one.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import scorch2

EXPECTED = Path(__file__).parent.parent.parent / "fixtures" / "cross-document" / "expected.json"
HALVES = {"events": "(ACT|NEG).*", "entities": "(HUM|NON_HUM|LOC|TIM).*"}
DEV, TEST = (2, 5, 12, 18, 21, 23, 34, 35), range(36, 46)


def split_of(topic: int) -> str:
    return "test" if topic in TEST else "dev" if topic in DEV else "train"


def figures(documents: Sequence[scorch2.Document], **chosen: Any) -> list[int]:
    """Return the numbers of mentions, clusters and singletons: MUC has a link less than mentions in each."""
    found: dict[str, Any] = {}
    for kept in ("keep", "drop"):
        options: Any = {"documents": "corpus", "metrics": ["mentions", "muc"], "singletons": kept, **chosen}
        report = scorch2.score(documents, documents, **options)
        found[kept] = {name: counts["recall_den"] for name, counts in report.to_dict()["counts"].items()}
    mentions = found["keep"]["mentions"]
    return [mentions, mentions - found["keep"]["muc"], mentions - found["drop"]["mentions"]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--corpus", required=True)
    parser.add_argument("--sentences", required=True)
    given = parser.parse_args()
    expected = json.loads(EXPECTED.read_text(encoding="utf-8"))["ecb+"]
    splits: dict[str, list[scorch2.Document]] = {"train": [], "dev": [], "test": []}
    for path in sorted(Path(given.corpus).glob("*/*.xml")):
        splits[split_of(int(path.parent.name))] += scorch2.read(path)
    wrong = 0
    for split, documents in splits.items():
        for half, pattern in HALVES.items():
            found = figures(documents, only_category=pattern, sentences=given.sentences)
            print(split, half, *found)
            wrong += found != expected[split][half]
    every = [document for documents in splits.values() for document in documents]
    for tags, number in expected["all"].items():
        found = figures(every, only_category="|".join(f"{tag}.*" for tag in tags.split("|")))
        print("all", tags, found[0])
        wrong += found[0] != number
    print(f"{wrong} figures are wrong" if wrong else "all figures are as expected")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
