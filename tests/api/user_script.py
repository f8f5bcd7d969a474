"""A script as a user writes one: mypy checks it strictly with the tests, and test_report runs it."""

import sys

import scorch2
from scorch2 import InputError

GOLD = [["a", "b", "c"], ["d", "e"]]
SYSTEM = [["a", "b"], ["c", "d", "e"]]


def best(report: scorch2.Report) -> float:
    return max(report.muc.f1, report.scores["b_cubed"].f1, report["lea"].f1, report.conll.f1)


def worst(found: scorch2.ErrorReport) -> str:
    """Return the kind of error that costs most."""
    return max(found.errors, key=lambda kind: found.corrected.alone[kind]["lea"].f1)


def is_better(found: scorch2.SignificanceReport) -> bool:
    return any(row["p"] is not None and row["p"] < 0.05 for row in found.to_records())


def main() -> int:
    report = scorch2.score(GOLD, SYSTEM, average="pooled", duplicates="merge", profile="conll")
    recall, precision, f1 = report.b3
    scorer = scorch2.CorefScorer(["muc", "lea"], average="macro", twinless="singletons")
    micro = scorch2.score(GOLD, SYSTEM, average="micro")  # an alias of pooled
    scorer.update(gold=GOLD, system=SYSTEM, id="d1")
    lines = [f"{best(report):.4f}", f"{recall + precision + f1:.4f}", f"{scorer.compute().lea.recall:.4f}"]
    found = scorch2.errors(GOLD, SYSTEM, by="size", types="none", list="errors", average="pooled")
    lines += [
        worst(found),
        *(str(row["kind"]) for row in found.list),
        *(row.name for row in found.breakdown["size"]),
    ]
    bounds = scorch2.confidence(report, metrics=["muc"], parts="recall", percentiles=[95], trials=10)
    interval = bounds.interval("muc", "recall")
    lines.append("no interval" if interval is None else f"{interval[0]:.3f} {interval[1]:.3f}")
    systems = {"one": SYSTEM, "other": GOLD}
    lines.append(str(is_better(scorch2.significance(systems, gold=GOLD, profile="conll", holm=True))))
    compared = scorch2.compare(systems, gold=GOLD, metrics=["muc"], against="best", parts="all")
    lines.append(str(compared.to_records()[0]["best"]))
    lines += [document.id for document in report.documents]
    lines.append(f"{report.conll:.2f} {float(report.muc):.1f} {'muc' in report} {list(report)}")
    lines += [f"{name} {score:.3f}" for name, score in dict(report).items()]
    lines.append(str(issubclass(scorch2.ScorchWarning, UserWarning)))
    try:
        scorch2.score([["a"], ["a"]], GOLD)
    except InputError as error:
        lines.append(error.why)
    print("\n".join(lines))
    return 0 if report.muc.f1 != 1 and micro.options.average == "pooled" else 1


if __name__ == "__main__":
    sys.exit(main())
