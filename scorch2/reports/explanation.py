"""Forms of an explanation: settings that give printed numbers, with commands and rows of scores."""

import shlex
from collections.abc import Iterator
from textwrap import fill
from typing import Any

from scorch2.audit.explain import OF_MEANS, Explained, Explanation
from scorch2.audit.printed import shown_scales
from scorch2.model.errors import counted, printable
from scorch2.model.score import percent
from scorch2.reports.json import plain_scores
from scorch2.scoring.layout import tables
from scorch2.scoring.layout.escaping import html_text

SCHEMA = 1  # the version of the JSON form; it grows when a key changes its meaning or goes
_SHOWN = 3  # settings with their whole row
_MOST = 10  # and without it
_NARROW = 80
_OF_MEANS = "F1 of the mean recall and precision"
_PARTS = {"recall": "recall", "precision": "precision", "f1": "F1", OF_MEANS: _OF_MEANS}
_LIKELY = 0.1  # what is expected by chance and worth a warning
_SIGNS = {"recall": "R", "precision": "P", "f1": "F1"}


def explanation_text(found: Explanation, *_: object) -> str:
    """Return what gives the numbers, for reading."""
    given = f"{found.text}, taken for {shown_scales(found.printed)}"
    tried = counted(found.settings, "setting")
    if found:
        said = f"{given}: {tried} were tried, and give {counted(len(found.found), 'row')} of scores with it."
    else:
        said = f"No setting gives {given}; {tried} were tried. The nearest:"
    blocks = [fill(paragraph, _NARROW) for paragraph in (said, *_chance(found))]
    shown = found.found or found.nearest
    for number, one in enumerate(shown[:_MOST]):
        blocks.append(_block(found, one, whole=number < _SHOWN))
    if len(shown) > _MOST:
        blocks.append(f"... and {len(shown) - _MOST} more (-f json has all)")
    if found and found.nearest:
        blocks.append("Nearest others:\n" + "\n".join(_line(found, one) for one in found.nearest))
    if found.not_tried:
        names = ", ".join(found.not_tried)
        blocks.append(
            fill(f"Not tried, since the data do not allow it: {names} (-f json says why).", _NARROW)
        )
    return printable_lines("\n\n".join(blocks)) + "\n"


def printable_lines(text: str) -> str:
    """Return lines without control characters."""
    return "\n".join(printable(line, len(line) + 1) for line in text.split("\n"))


def _chance(found: Explanation) -> Iterator[str]:
    if not found.found or found.expected < _LIKELY:
        return
    said = (
        f"By chance, {found.expected:.2g} of the {found.numbers} different numbers tried would be printed so."
    )
    yield f"{said} Give more numbers of the row to be sure, such as 'R=81.2 P=78.0'."


def _block(found: Explanation, one: Explained, *, whole: bool) -> str:
    """Return one row: where the numbers stand in it, the command, what else gives it, all scores."""
    lines = [_where(one), f"  {_command(found, one)}"]
    same = [f"--{name.replace('_', '-')}={'|'.join(values)}" for name, values in one.same.items()]
    if same:
        lines.append(
            fill(f"the same with {', '.join(same)}", _NARROW, initial_indent="  ", subsequent_indent="  ")
        )
    if whole:
        lines += ["", _row(one), one.report.signature()]
    return "\n".join(lines)


def _where(one: Explained) -> str:
    named = [
        f"{one.report.short_label(reading.metric)} {_PARTS[reading.part]} {100 * value:.4f}"
        for reading, value in zip(one.readings, one.values, strict=True)
    ]
    how = ", cut off after two decimals" if one.is_cut else ""
    return f"{'; '.join(named)}{how}" + (f" ({100 * one.difference:.4f} off)" if one.difference else "")


def _line(found: Explanation, one: Explained) -> str:
    return f"  {_where(one)}\n    {_command(found, one)}"


def _command(found: Explanation, one: Explained) -> str:
    return " ".join(["scorch2", *map(shlex.quote, [*one.spelling.words(), *found.typed, *found.paths])])


def _row(one: Explained) -> str:
    """Return all scores of a row in percent: metrics in columns."""
    rows = []
    for part, sign in _SIGNS.items():
        values = [score._asdict().get(part) for score in one.report.scores.values()]
        rows.append(
            [
                sign,
                *("" if value is None else percent(value, "0/0") for value in values),
            ]
        )
    head = ["", *(one.report.short_label(name) for name in one.report.scores)]
    return tables.Table(head, rows).fitted(_NARROW)


def str_of_explanation(found: Explanation) -> str:
    """Return the text."""
    return explanation_text(found)


def repr_html_of_explanation(found: Explanation) -> str:
    """Return the text for a notebook."""
    return f"<pre>{html_text(explanation_text(found))}</pre>"


def to_dict_of_explanation(found: Explanation) -> dict[str, Any]:
    """Return plain values; scores are in 0..1."""
    return {
        "schema": SCHEMA,
        "number": found.text,
        "scales": [one.scale for one in found.printed],
        "settings": found.settings,
        "numbers": found.numbers,
        "expected_by_chance": found.expected,
        "found": [_plain(found, one) for one in found.found],
        "nearest": [_plain(found, one) for one in found.nearest],
        "not_tried": dict(found.not_tried),
        "warnings": [one._asdict() for one in found.notices],
    }


def _plain(found: Explanation, one: Explained) -> dict[str, Any]:
    return {
        "command": _command(found, one),
        "profile": one.spelling.profile,
        "options": dict(one.spelling.options),
        "signature": one.report.signature(),
        "readings": [
            {"metric": reading.metric, "part": reading.part, "value": value}
            for reading, value in zip(one.readings, one.values, strict=True)
        ],
        "difference": one.difference,
        "cut": one.is_cut,
        "settings": one.settings,
        "same": {name: list(values) for name, values in one.same.items()},
        "scores": plain_scores(one.report.scores),
    }


def to_records_of_explanation(found: Explanation) -> list[dict[str, Any]]:
    """Return a flat dict for every number found, and for the nearest others."""
    records = []
    for is_found, several in ((True, found.found), (False, found.nearest)):
        for one in several:
            for reading, value in zip(one.readings, one.values, strict=True):
                row = {"found": is_found, "metric": reading.metric, "part": reading.part, "value": value}
                records.append({**row, "command": _command(found, one), "difference": one.difference})
    return records
