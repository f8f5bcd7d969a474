"""A script as a user writes one: mypy checks it strictly with the tests, and test_report runs it."""

import sys

import scorch2
from scorch2 import InputError

GOLD = [["a", "b", "c"], ["d", "e"]]
SYSTEM = [["a", "b"], ["c", "d", "e"]]


def best(report: scorch2.Report) -> float:
    return max(report.muc.f1, report.scores["b_cubed"].f1, report["lea"].f1, report.conll.f1)


def main() -> int:
    report = scorch2.score(GOLD, SYSTEM, average="pooled", duplicates="merge", profile="conll")
    recall, precision, f1 = report.b3
    scorer = scorch2.CorefScorer(["muc", "lea"], average="macro", twinless="singletons")
    micro = scorch2.score(GOLD, SYSTEM, average="micro")  # an alias of pooled
    scorer.update(GOLD, SYSTEM, id="d1")
    lines = [f"{best(report):.4f}", f"{recall + precision + f1:.4f}", f"{scorer.compute().lea.recall:.4f}"]
    lines += [document.id for document in report.documents]
    try:
        scorch2.score([["a"], ["a"]], GOLD)
    except InputError as error:
        lines.append(error.why)
    print("\n".join(lines))
    return 0 if report.muc.f1 != 1 and micro.options.average == "pooled" else 1


if __name__ == "__main__":
    sys.exit(main())
