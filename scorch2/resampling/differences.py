"""Differences of systems, pair by pair: neleval's columns and JSON, and tables for reading."""

from collections.abc import Mapping, Sequence

from scorch2.model.escaping import code, json_text
from scorch2.model.messages import escaped
from scorch2.model.score import COUNTS
from scorch2.model.tables import Table, padded
from scorch2.resampling.comparison import Compared
from scorch2.resampling.intervals import NELEVAL, NOTHING
from scorch2.resampling.permutation import Difference
from scorch2.resampling.provenance import comment, line, merged

FORMATS = ("tab", "table", "json", "markdown", NOTHING)
_HEADS = {"precision": "precis", "recall": "recall", "f1": "fscore", **{part: part for part in COUNTS}}
_WIDTH = len("p-precis")


def render(compared: Sequence[Compared], parts: Sequence[str], labels: Mapping[str, str], form: str) -> str:
    """Return all pairs in one of `FORMATS`; each but none says how the p-values were made.

    Parameters
    ----------
    compared : sequence of Compared
        The pairs, all with the same metrics.
    parts : sequence of str
        What is shown of every metric, in this order.
    labels : mapping
        What metrics are called in tables, by name.
    form : str
        One of `FORMATS`.
    """
    if form == NOTHING:
        return ""
    if form == "json":
        return _json(compared, parts)
    facts = merged([pair.facts for pair in compared])
    if form == "tab":
        return _tab(compared, parts) + comment(facts)
    table = _table(compared, parts, labels)
    if form == "markdown":
        return f"{table.markdown()}\n\n{code(line(facts))}\n"
    return f"{table}\n\n{line(facts)}\n"


def _tab(compared: Sequence[Compared], parts: Sequence[str]) -> str:
    rows = [["sys1", "sys2", "measure", *(f"{sign}-{_HEADS[part]}" for part in parts for sign in "Δp")]]
    for pair in compared:
        for name, found in pair.differences.items():
            cells = [cell for part in parts for cell in _cells(found.get(part))]
            names = map(escaped, (pair.one, pair.other, name))
            rows.append([*names, *(cell.rjust(_WIDTH) for cell in cells)])
    return padded(rows, 3)


def _cells(difference: Difference | None) -> tuple[str, str]:
    return ("", "") if difference is None else (f"{difference.difference:+.3f}", f"{difference.p:.3f}")


def _json(compared: Sequence[Compared], parts: Sequence[str]) -> str:
    entries = [
        {
            "sys1": pair.one,
            "sys2": pair.other,
            "measure": name,
            "stats": {NELEVAL[part]: _plain(found[part]) for part in parts if part in found},
            "run": pair.facts,
        }
        for pair in compared
        for name, found in pair.differences.items()
    ]
    return json_text(entries, 4, sort_keys=True) + "\n"


def _plain(found: Difference) -> dict[str, float]:
    plain = {"diff": found.difference, "p": found.p, "low": found.low, "high": found.high}
    return plain if found.corrected is None else {**plain, "p_holm": found.corrected}


def _table(compared: Sequence[Compared], parts: Sequence[str], labels: Mapping[str, str]) -> Table:
    corrected = any(
        found.corrected is not None
        for pair in compared
        for metric in pair.differences.values()
        for found in metric.values()
    )
    head = ["first", "second", "metric", "", "difference", "interval", "p"]
    rows = [
        [pair.one, pair.other, labels[name], part, *_row(values[part], part)]
        for pair in compared
        for name, values in pair.differences.items()
        for part in parts
        if part in values
    ]
    return Table([*head, "p (Holm)"] if corrected else head, rows)


def _row(found: Difference, part: str) -> list[str]:
    """Return the numbers of one row: counts as they are, all else in percent."""
    scale = 1 if part in COUNTS else 100
    interval = f"[{scale * found.low:+.2f}, {scale * found.high:+.2f}]"
    p_values = [found.p] if found.corrected is None else [found.p, found.corrected]
    return [f"{scale * found.difference:+.2f}", interval, *(f"{p:.4f}" for p in p_values)]
