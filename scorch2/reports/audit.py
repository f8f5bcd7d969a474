"""Forms of what an audit finds: the settings that give a number, and leaderboards."""

import math
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from textwrap import fill, indent
from typing import Any

from scorch2.analysis.systems import Column, Comparison, SystemRow
from scorch2.audit.baseline import save
from scorch2.audit.board import Leaderboard, Ranking
from scorch2.audit.differences import ChangedNumber
from scorch2.audit.explain import Explained, Explanation, Explanations
from scorch2.audit.printed import OF_MEANS, shown_scales
from scorch2.audit.tries import NOT_LOOKED_FOR
from scorch2.audit.verify import Verification
from scorch2.model.errors import counted, printable, quoted, shown_path, told_apart, without_middle
from scorch2.model.score import percent, plain_value
from scorch2.reports.json import plain_confidence, plain_scores
from scorch2.reports.systems import BEST, HEAD, letters_in_words, marked, plain_pair, unit_in_words
from scorch2.scoring.layout import tables
from scorch2.scoring.layout.escaping import in_frame, markdown_text, relative_address
from scorch2.scoring.layout.sheets import Content, Sheet

_SHOWN = 3  # settings with their whole row
_MOST = 10  # and without it
_NARROW = 80
_OF_MEANS = "F1 of the mean recall and precision"
_PARTS = {"recall": "recall", "precision": "precision", "f1": "F1", OF_MEANS: _OF_MEANS}
_LIKELY = 0.1  # what is expected by chance and worth a warning
_MORE_NUMBERS = "Give more numbers of the row to be sure, such as 'R=81.2 P=78.0'."
_SIGNS = {"recall": "R", "precision": "P", "f1": "F1"}


def explanation_text(found: Explanation, *_: object) -> str:
    """Return what gives the numbers, for reading."""
    given = f"{found.text}, taken for {shown_scales(found.printed)}"
    tried = counted(found.settings, "setting")
    if found:
        said = f"{given}: {tried} were tried, and give {counted(len(found.found), 'row')} of scores with it."
    else:
        said = f"No setting gives {given}; {tried} were tried. The nearest:"
    blocks = [fill(said, _NARROW)]
    if found and found.expected >= _LIKELY:
        chance = f"By chance, {found.expected:.2g} of the {found.numbers} different numbers tried would be"
        blocks.append(fill(f"{chance} printed so. {_MORE_NUMBERS}", _NARROW))
    shown = found.found or found.nearest
    for number, one in enumerate(shown[:_MOST]):
        blocks.append(_block(found, one, whole=number < _SHOWN))
    if len(shown) > _MOST:
        blocks.append(f"... and {len(shown) - _MOST} more (-f json has all)")
    if found and found.nearest:
        blocks.append("Nearest others:\n" + "\n".join(_line(found, one) for one in found.nearest))
    blocks += [f"A mistake would give it: {said}\n{_line(found, one)}" for said, one in found.mistakes]
    if not (found or found.mistakes):
        blocks.append(fill(f"Not looked for: {NOT_LOOKED_FOR}.", _NARROW))
    if found.not_tried:
        said = f"Not tried, since the data do not allow it: {', '.join(found.not_tried)} (-f json says why)."
        blocks.append(fill(said, _NARROW))
    return printable_lines("\n\n".join(blocks)) + "\n"


def explanations_text(several: Explanations, *_: object) -> str:
    """Return the first answer for each row of numbers, and how many there are."""
    blocks = []
    for found in several.rows:
        every = [*found.found, *(one for _, one in found.mistakes), *found.nearest]
        answer = counted(len(found.found), "row") + " of scores" if found else "no setting gives it"
        answer = f"a mistake: {found.mistakes[0][0]}" if found.mistakes else answer
        chance = f", {found.expected:.2g} by chance" if found and found.expected >= _LIKELY else ""
        said = f"{found.text}: {answer}{chance}"
        blocks.append("\n".join([said, *(_line(found, one) for one in every[:1])]))
    return printable_lines("\n\n".join(blocks)) + "\n"


def printable_lines(text: str) -> str:
    """Return lines without control characters."""
    return "\n".join(printable(line, len(line) + 1) for line in text.split("\n"))


def _block(found: Explanation, one: Explained, *, whole: bool) -> str:
    """Return one row: where the numbers stand in it, the command, what else gives it, all scores."""
    lines = [_where(one), f"  {_command(found, one)}"]
    same = [f"--{name.replace('_', '-')}={'|'.join(values)}" for name, values in one.same.items()]
    if same:
        lines.append(indent(fill(f"the same with {', '.join(same)}", _NARROW - 2), "  "))
    if whole:
        lines += ["", _row(one), one.report.signature()]
    return "\n".join(lines)


def _where(one: Explained) -> str:
    named = []
    for reading, value in zip(one.readings, one.values, strict=True):
        family = f" of {reading.family}" if reading.family else ""
        part = _PARTS.get(reading.part) or f"{_PARTS[reading.role]}{family}"
        named.append(f"{one.report.short_label(reading.metric)} {part} {percent(value, digits=4)}")
    how = ", cut off after two decimals, as scorer.pl and scorch2 conll do" if one.is_cut else ""
    if not one.is_printed:
        of_links = any(reading.family for reading in one.readings)
        how += f" ({'only scorch2 conll blanc prints' if of_links else 'no report prints'} it)"
    off = f" ({percent(one.difference, digits=4)} off)" if one.difference else ""
    return f"{'; '.join(named)}{how}{off}"


def _line(found: Explanation, one: Explained) -> str:
    return f"  {_where(one)}\n    {_command(found, one)}"


def _command(found: Explanation, one: Explained) -> str:
    return " ".join(["scorch2", *map(shlex.quote, [*one.spelling.words(), *found.typed, *found.paths])])


def _row(one: Explained) -> str:
    """Return all scores of a row in percent: metrics in columns."""
    rows = []
    for part, sign in _SIGNS.items():
        values = [score._asdict().get(part) for score in one.report.scores.values()]
        rows.append([sign, *("" if value is None else percent(value, "0/0") for value in values)])
    head = ["", *(one.report.short_label(name) for name in one.report.scores)]
    return tables.Table(head, rows).fitted(_NARROW)


def to_dict_of_explanation(found: Explanation) -> dict[str, Any]:
    """Return plain values; scores are in 0..1."""
    shown = {
        "number": found.text,
        "scales": [one.scale for one in found.printed],
        "settings": found.settings,
        "numbers": found.numbers,
        "expected_by_chance": found.expected,
        "found": [_plain(found, one) for one in found.found],
        "nearest": [_plain(found, one) for one in found.nearest],
        "not_tried": dict(found.not_tried),
        "mistakes": [{"mistake": said, **_plain(found, one)} for said, one in found.mistakes],
    }
    return in_frame(shown, found.notices, has_version=False)


def to_dict_of_explanations(several: Explanations) -> dict[str, Any]:
    """Return the plain values of each row of numbers."""
    rows = [to_dict_of_explanation(found._replace(notices=())) for found in several.rows]
    return in_frame({"rows": rows}, several.notices, has_version=False)


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
        "printed": one.is_printed,
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


def to_records_of_explanations(several: Explanations) -> list[dict[str, Any]]:
    """Return those of each row of numbers, with the numbers as they were given."""
    return [{"number": one.text, **row} for one in several.rows for row in to_records_of_explanation(one)]


RANK, GROUP = "rank", "group"
DATE = "date"
_WORDS = (HEAD, GROUP, DATE)  # the columns that hold no numbers
_MENTION = "system mention"
_LONGEST = 40  # characters of a name in a terminal


def board_table(board: Leaderboard, width: int = tables.WIDTH) -> str:
    """Return aligned columns in percent, for a terminal."""
    parts = []
    for ranking, heading in headed(board):
        compared = ranking.compared
        names = told_apart([*ranking.ranks], lambda name: without_middle(name, _LONGEST))
        shown = table(ranking, partial(_plain_cell, compared), names).lean([[f"{_MENTION}s"]], width)
        said = (f"{heading} {sizes(ranking)}".strip(), shown, caption(ranking, f"{BEST} best"))
        parts.append(Sheet(said, _signature(board, ranking)).text(width))
    return "\n\n".join(parts)


def _signature(board: Leaderboard, ranking: Ranking) -> str:
    return ranking.compared.signature() if board.shows_signature else ""


def _plain_cell(compared: Comparison, system: SystemRow, column: Column) -> str:
    best = BEST if compared.is_best(system, column) else ""
    return compared.shown(system, column) + best.ljust(bool(compared.systems[1:]))


def board_markdown(board: Leaderboard) -> str:
    """Return the tables for a wiki or a pull request: the best score of a column bold."""
    parts = []
    for ranking, heading in headed(board, markdown_text):
        compared = ranking.compared._replace(letters={})
        names = [tables.markdown_cell(system.name) for system in compared.systems]
        shown = table(ranking, marked(compared, "**{}**", ""), names)
        cells = _cells(shown._replace(head=[*map(tables.markdown_cell, shown.head)]))
        said: list[Content] = [f"### {heading}"] if heading else []
        said += [markdown_text(sizes(ranking)), cells, caption(ranking, "Bold: best", markdown_text)]
        parts.append(Sheet(said, _signature(board, ranking)).markdown())
    return "\n".join(parts)


def board_latex(board: Leaderboard, paper: str = "column") -> str:
    """Return the tables for a paper: rules of booktabs, the best score bold."""
    shown = [tables.LATEX_PACKAGE]
    for number, (ranking, heading) in enumerate(headed(board), 1):
        compared = ranking.compared._replace(letters={})
        cells = table(ranking, marked(compared, r"\textbf{{{}}}", "", tables.latex_text), [*ranking.ranks])
        said = tables.latex_text(f"{heading} {sizes(ranking)}".strip())
        below = caption(ranking, "Bold: best", tables.latex_text, r"$p \le {}$")
        label = "leaderboard" if number == 1 else f"leaderboard-{number}"
        sheet = Sheet([_cells(cells)], _signature(board, ranking), [(label, f"{said} {below}")])
        shown.append(sheet.floats(paper))
    return "".join(shown)


def _cells(shown: tables.Table) -> tables.Cells:
    """Return a table whose cells are of a form already."""
    return tables.Cells(*shown, [name not in _WORDS for name in shown.head])


def repr_html_of_board(board: Leaderboard) -> str:
    """Return the tables as elements for a notebook."""
    rankings = board.rankings
    return "\n".join(table(one, one.compared.shown, [*one.ranks]).html() for one in rankings)


def headed(board: Leaderboard, shown: Callable[[str], str] = str) -> list[tuple[Ranking, str]]:
    """Return each ranking with its heading: why it is one of its own; the only one has none."""
    headings = []
    for number, ranking in enumerate(board.rankings, 1):
        unlike = f", not comparable with ranking 1: {'; '.join(map(shown, ranking.unlike))}"
        headings.append(f"Ranking {number}{unlike if ranking.unlike else ''}." if board.rankings[1:] else "")
    return [*zip(board.rankings, headings, strict=True)]


def sizes(ranking: Ranking) -> str:
    """Return the number of systems, and the sizes that are the same for all of them."""
    shown = [counted(len(ranking.ranks), "system")]
    for noun, numbers in _sizes(ranking).items():
        if noun != _MENTION and len({*numbers}) == 1:
            shown.append(counted(numbers[0], noun))
    return f"{', '.join(shown)}."


def caption(ranking: Ranking, best: str, shown: Callable[[str], str] = str, bound: str = "p ≤ {}") -> str:
    """Return in words what the numbers are, what ranks, and what letters and brackets mean."""
    compared, by = ranking.compared, ranking.by
    parts = [shown(unit_in_words(compared.systems[0].report, "percent"))]
    if compared.systems[1:]:
        what = f"{compared.systems[0].report.short_label(by.metric)} {by.part.replace('f1', 'F1')}"
        parts += [f"{best} {shown('of the column.')}", shown(f"Ranked by {what}; equal scores share a rank.")]
    if compared.pairs:
        parts.append(letters_in_words(compared, shown, bound, where=""))
    made = [one.report.confidence for one in compared.systems if one.report.confidence is not None]
    if made:
        how = " or ".join(dict.fromkeys(one.in_words for one in made))
        parts.append(shown(f"In brackets, as stored in the reports: {how}."))
    return " ".join(parts)


def table(ranking: Ranking, cell: Callable[[SystemRow, Column], str], names: Sequence[str]) -> tables.Table:
    """Return a row for each system: name, rank, the score that ranks, letters, other scores, sizes."""
    systems = ranking.compared.systems
    ranks = ["" if rank is None else str(rank) for rank in ranking.ranks.values()]
    columns: list[tuple[str, Sequence[str]]] = [(HEAD, names), (RANK, ranks)]
    for column in ranking.compared.columns:
        columns.append((column.label, [cell(system, column) for system in systems]))
        if column == ranking.by and ranking.compared.pairs:
            columns.append((GROUP, [*map(ranking.group, systems)]))
    dates = [system.report.submission.get(DATE, "") for system in systems]
    columns += [(DATE, dates)] if any(dates) else []
    for noun, numbers in _sizes(ranking).items():
        if noun == _MENTION or len({*numbers}) > 1:
            columns.append((f"{noun}s", [*map(str, numbers)]))
    head, cells = zip(*columns, strict=True)
    return tables.Table(head, [*zip(*cells, strict=True)])


def _sizes(ranking: Ranking) -> Mapping[str, Sequence[int]]:
    """Return the numbers of documents and of mentions of each system, by what is counted."""
    known = [_known(ranking, system) for system in ranking.compared.systems]
    nouns = ("document", "gold mention", _MENTION)
    return {noun: [one[f"{noun.replace(' ', '_')}s"] for one in known] for noun in nouns}


# Values for programs


def save_of_board(board: Leaderboard, path: str) -> None:
    """Write the page or the JSON form, whose links begin at the folder of the file."""
    save(board._replace(folder=os.path.dirname(path) or "."), path)


def to_dict_of_board(board: Leaderboard) -> dict[str, Any]:
    """Return the JSON form: one entry per ranking. Scores are in 0..1, 0/0 is None."""
    rankings = [_plain_ranking(board, ranking) for ranking in board.rankings]
    return in_frame({"title": board.title, "rankings": rankings}, board.notices)


def _plain_ranking(board: Leaderboard, ranking: Ranking) -> dict[str, Any]:
    compared = ranking.compared
    return {
        "signature": compared.signature(),
        "run": dict(compared.run),
        "by": {"metric": ranking.by.metric, "part": ranking.by.part},
        "alpha": compared.alpha,
        "unlike": list(ranking.unlike),
        "systems": [_plain_system(board, ranking, system) for system in compared.systems],
        "pairs": [plain_pair(pair) for pair in compared.pairs],
    }


def _plain_system(board: Leaderboard, ranking: Ranking, system: SystemRow) -> dict[str, Any]:
    report, name = system.report, system.name
    files = {file: plain_scores(found) for file, found in system.files.items()}
    return {
        **_known(ranking, system),
        "scores": plain_scores(report.scores),
        **({"files": files} if files else {}),
        **({"submission": dict(report.submission)} if report.submission else {}),
        "confidence": report.confidence and plain_confidence(report.confidence),
        "version": ranking.made_by[name],
        "report": _address(board, board.files.get(name)),
        "page": page_address(board, name),
    }


def to_records_of_board(board: Leaderboard) -> list[dict[str, Any]]:
    """Return a flat dict for every system and column, for data frames; what there is not is None."""
    records = []
    for number, ranking in enumerate(board.rankings, 1):
        for system, column in product(ranking.compared.systems, ranking.compared.columns):
            score = plain_value(ranking.compared.value(system, column))
            low, high = ranking.compared.interval(system, column) or (None, None)
            of = {"metric": column.metric, "part": column.part, "score": score, "low": low, "high": high}
            of_file = {"file": column.file} if column.file else {}
            records.append({"ranking": number, **_known(ranking, system), **of, **of_file})
    return records


def _known(ranking: Ranking, system: SystemRow) -> dict[str, Any]:
    """Return what is known of a system besides its scores."""
    gold, mentions = system.report.sizes()
    return {
        "system": system.name,
        "rank": ranking.ranks[system.name],
        "group": ranking.group(system),
        "documents": len(system.report.documents),
        "gold_mentions": gold,
        "system_mentions": mentions,
    }


def page_address(board: Leaderboard, system: str) -> str | None:
    """Return the address of the page of errors of a system, from the folder of the board."""
    return _address(board, board.pages.get(system))


def _address(board: Leaderboard, path: str | None) -> str | None:
    return None if path is None else relative_address(path, board.folder)


_LISTED = 10  # scores, documents and pairs that the text lists


def verification_text(found: Verification, *_: object) -> str:
    """Return what differs, one line each, below a line that says whether the report holds."""
    name, only = shown_path(found.path), "" if found.hashed else " only"
    numbers = f"{counted(found.compared, 'number')}{only}"
    if found.holds:
        hashes = f", {counted(found.hashed, 'document')} by SHA-256" if found.hashed else ""
        lines = [f"{name} holds: {numbers}{hashes}"]
    elif found.same_numbers:
        same = f"all {numbers} are the same" if found.compared > 1 else f"{numbers} is the same"
        lines = [f"{name} differs: {same}, but not {', '.join(_counts(found))}"]
    else:
        lines = [f"{name} differs: {', '.join(_counts(found))}"]
    lines += [f"no report as scorch2 writes it: {found.broken}"] if found.broken else []
    lines += _some([f"{one.side} {quoted(one.id)} is {one.change}".lstrip() for one in found.documents])
    lines += [f"the file of {name} is another one" for name in found.files]
    lines += _some([*found.pairs, *found.options])
    lines += _some([*map(str, found.values)])
    of_corpus = [one for one in found.numbers if not one.document]
    of_corpus.sort(key=lambda one: (not one.place.startswith(_SCORES), not one.place.endswith(".f1")))
    lines += _some([_number_line(one) for one in of_corpus])
    lines += _some(list(_document_lines(found.numbers)))
    lines += [f"note: {one}" for one in found.notes]
    return "".join(f"{printable(line, _WIDEST)}\n" for line in lines)


_SCORES = "scores."
_WIDEST = 400  # characters of a line


def _counts(found: Verification) -> Iterator[str]:
    """Yield how many things differ, of each kind."""
    ids = {(one.side, one.id) for one in found.documents}
    for number, what in (
        (len(ids), "document"),
        (len(found.files), "other file"),
        (len(found.pairs), "pair"),
        (len(found.options), "option"),
        (len(found.values), "other value"),
    ):
        if number:
            yield counted(number, what)
    if found.numbers:
        yield f"{len(found.numbers)} of {counted(found.compared, 'number')}{'' if found.hashed else ' only'}"
    elif found.broken and not found.values:
        yield "what it says"


def _some(lines: Sequence[str]) -> list[str]:
    more = len(lines) - _LISTED
    return [*lines[:_LISTED], f"… and {more} more (-f json has all)"] if more > 0 else [*lines]


def _number_line(number: ChangedNumber) -> str:
    stored, now = ("undefined" if one is None else f"{one:.10g}" for one in (number.stored, number.now))
    change = "" if number.difference is None else f" ({number.difference:+.4g})"
    return f"{number.place.removeprefix(_SCORES)}: {stored} stored, {now} now{change}"


def _document_lines(numbers: Sequence[ChangedNumber]) -> Iterator[str]:
    """Yield a line for each document with numbers that differ, with the largest difference of a score."""
    by_document: dict[str, list[ChangedNumber]] = {}
    for number in numbers:
        if number.document:
            by_document.setdefault(number.document, []).append(number)
    for name, own in by_document.items():
        largest = max(own, key=lambda one: (one.place.startswith(_SCORES), abs(one.difference or 0)))
        yield f"{quoted(name)}: {counted(len(own), 'number')}, {_number_line(largest)}"


def to_dict_of_verification(found: Verification) -> dict[str, Any]:
    """Return plain values: all that differs."""
    shown = {
        "report": found.path,
        "holds": found.holds,
        "stored": dict(found.stored),
        "now": dict(found.now),
        "compared": found.compared,
        "hashed": found.hashed,
        "documents": [one._asdict() for one in found.documents],
        "pairs": list(found.pairs),
        "files": list(found.files),
        "options": list(found.options),
        "values": [one._asdict() for one in found.values],
        "broken": found.broken,
        "numbers": to_records_of_verification(found),
        "notes": list(found.notes),
    }
    return in_frame(shown, found.notices, has_version=False)


def to_records_of_verification(found: Verification) -> list[dict[str, Any]]:
    """Return a flat dict for every number that differs; one that JSON cannot write is None."""
    return [
        {
            name: value if not isinstance(value, float) or math.isfinite(value) else None
            for name, value in (*one._asdict().items(), ("difference", one.difference))
        }
        for one in found.numbers
    ]
