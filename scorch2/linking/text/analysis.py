"""The text of analyze: findings one by one, or how many there are of each kind; as lines, or as JSON."""

from collections.abc import Iterable

from scorch2.linking.analysis import Finding
from scorch2.model.errors import escaped
from scorch2.model.escaping import json_text, tsv_cell


def findings_text(findings: Iterable[Finding]) -> str:
    """Return one line per finding: label, document, gold, system (as in neleval), start and last unit."""
    return "".join(
        "\t".join(
            [
                one.label,
                tsv_cell(one.document),
                "" if one.gold is None else escaped(f"g{one.gold}"),
                "" if one.system is None else escaped(f"s{one.system}"),
                str(one.start),
                str(one.end - 1),
            ]
        )
        + "\n"
        for one in findings
    )


def findings_json(findings: Iterable[Finding]) -> str:
    """Return a list of objects, ends inclusive."""
    return json_text([{**one._asdict(), "end": one.end - 1} for one in findings], 1) + "\n"


def counts_text(counts: Iterable[tuple[str, int]]) -> str:
    """Return one line per label: its count and the label."""
    return "".join(f"{number}\t{label}\n" for label, number in counts)


def counts_json(counts: Iterable[tuple[str, int]]) -> str:
    """Return an object from labels to counts."""
    return json_text(dict(counts), 1) + "\n"


FINDINGS = {"tab": findings_text, "json": findings_json}
"""The formats of analyze; the default comes first."""
COUNTS = {"tab": counts_text, "json": counts_json}
"""The formats of analyze --summary."""
