"""LaTeX tables for a column or a page; `test_latex_in_pdf.py` compiles all forms."""

import re

import pytest
from every import every

from scorch2.scoring.layout.tables import Table, latex_table, latex_text, with_points_aligned

SMALL = ["\\fontsize{8}{9.5}\\selectfont", "\\setlength{\\tabcolsep}{2.5pt}"]


def shown(table: Table, caption: str, *paper: str) -> list[str]:
    return latex_table([table.latex_cells()], latex_text(caption), *paper).split("\n")


def lines_of(head: list[str], *rows: list[str], caption: str = "") -> list[str]:
    return shown(Table(head, rows), caption)


def test_a_narrow_table_has_the_size_of_the_text() -> None:
    assert lines_of(["name", "F1"], ["a_b", "1"], caption="50 %") == [
        r"\begin{table}",
        r"\centering",
        r"\caption{50 \%}",
        *SMALL,
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"name & F1 \\",
        r"\midrule",
        r"a\_b & 1 \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
        "",
    ]


def test_a_table_for_a_page_has_both_columns_and_a_label() -> None:
    found = shown(Table(["name", "F1"], [["a", "1"]]), "c", "scores", "page")
    assert (found[0], found[3], found[-2]) == (r"\begin{table*}", r"\label{tab:scores}", r"\end{table*}")


def test_recall_precision_and_f1_stand_under_the_name_of_their_metric() -> None:
    found = lines_of(["system", "MUC R", "P", "F1", "CEAF_e", "CEAF_m R", "P", "F1"], ["a", *["1"] * 7])
    start = found.index(r"\toprule")
    assert found[start + 1 : start + 4] == [
        r" & \multicolumn{3}{c}{MUC} &  & \multicolumn{3}{c}{CEAF$_{\phi_3}$} \\",
        r"\cmidrule(lr){2-4} \cmidrule(lr){6-8}",
        r"system & R & P & F1 & CEAF$_{\phi_4}$ & R & P & F1 \\",
    ]


def test_columns_that_do_not_fit_stand_below() -> None:
    """Digits are 1.7 units of 2.5 points: 9 for the name, 2, 41 for 24 digits, 2 and 36 for 21 are 90."""
    fits = lines_of(["name", "one", "two"], ["a", "1" * 24, "2" * 21])
    assert fits.count(r"\toprule") == 1
    found = lines_of(["name", "one", "two"], ["a", "1" * 24, "2" * 22])
    assert [line for line in found if line.startswith(("name", r"\medskip"))] == [
        r"name & one \\",
        r"\medskip",
        r"name & two \\",
    ]


def test_a_column_of_classes_that_are_numbers_stands_in_every_part() -> None:
    found = lines_of(["size", "one", "two"], ["1", "1" * 24, "2" * 24])
    assert [line for line in found if line.startswith("size")] == [r"size & one \\", r"size & two \\"]


def test_precision_and_f1_stay_beside_recall() -> None:
    """Of the second metric only recall would fit."""
    head = ["system", "MUC R", "P", "F1", "LEA R", "P", "F1"]
    found = lines_of(head, ["new", *["1" * 8] * 6])
    assert [line for line in found if "multicolumn" in line] == [
        r" & \multicolumn{3}{c}{MUC} \\",
        r" & \multicolumn{3}{c}{LEA} \\",
    ]


def test_metrics_are_named_where_recall_precision_and_f1_do_not_stand_together() -> None:
    found = lines_of(["system", "MUC R", "P", "F1"], ["new", *["1" * 20] * 3])
    assert [line for line in found if line.startswith("system")] == [
        r"system & MUC R & MUC P \\",
        r"system & MUC F1 \\",
    ]


@pytest.mark.parametrize(("rows", "floats"), [(40, 1), (41, 2), (80, 2), (81, 3)])
def test_more_rows_than_a_page_has_go_on_in_the_next_table(rows: int, floats: int) -> None:
    found = shown(Table(["name", "F1"], [["a", "1"]] * rows), "c", "scores")
    assert found.count(r"\begin{table}") == found.count(r"\end{table}") == floats
    assert found.count(r"name & F1 \\") == floats
    assert found.count(r"a & 1 \\") == rows
    assert found.count(r"\caption{c}") == found.count(r"\label{tab:scores}") == 1
    assert found.count(r"Table~\ref{tab:scores}, continued.") == floats - 1


def test_latex_is_given_room_before_it_keeps_too_many_tables() -> None:
    found = lines_of(["name", "F1"], *[["a", "1"]] * 40 * 33)
    floats = [place for place, line in enumerate(found) if line in (r"\begin{table}", r"\clearpage")]
    assert [number for number, place in enumerate(floats) if found[place] == r"\clearpage"] == [16, 33]


def test_a_long_name_loses_its_middle_before_it_is_escaped() -> None:
    found = lines_of(["name", "F1"], ["_" * 40, "1"], ["\x1b" + "x" * 40, "1"])
    assert "\\_" * 14 + r"\dots{}" + "\\_" * 13 + r" & 1 \\" in found
    assert r"\textbackslash{}x1b" + "x" * 8 + r"\dots{}" + "x" * 12 + r" & 1 \\" in found


def test_names_that_are_cut_stay_different() -> None:
    found = lines_of(["name", "F1"], *([f"{'x' * 30}{middle}{'x' * 30}", "1"] for middle in "ab"))
    assert len({line for line in found if r"\dots" in line}) == 2


def test_names_leave_room_for_the_widest_number() -> None:
    """51 of 90 units are for names; a number of 60 leaves less."""
    found = lines_of(["name", "n"], ["W" * 40, "1" * 35])
    assert found.count(r"\toprule") == 1
    assert any(line.startswith(r"WWW\dots{}WWW &") for line in found)


@every(
    "case",
    [
        (["9.50", "10.00"], ["9.50", "10.00"]),
        (["80.1 / 10", "12 / 9"], ["80.1 / 10", r"12\phantom{.0} / \phantom{0}9"]),
        ([r"1.0 {[}9.0, 9.5]", r"1.0 {[}10.0, 9.5]"], [r"1.0 {[}\phantom{0}9.0, 9.5]", r"1.0 {[}10.0, 9.5]"]),
        ([r"+1.0 {[}$-$1.0, +1.0]", "0/0"], [r"+1.0 {[}$-$1.0, +1.0]", "0/0"]),
    ],
)
def test_points_stand_below_each_other(case: tuple[list[str], list[str]]) -> None:
    cells, aligned = case
    assert with_points_aligned(cells) == aligned


SIGNS = [
    "&",
    "%",
    "$",
    "#",
    "_",
    "{",
    "}",
    "~",
    "^",
    "\\",
    "<",
    ">",
    "|",
    '"',
    "`",
    "--",
    "''",
    ",,",
    "[",
    "*",
    "³",
]


@every("sign", SIGNS)
def test_no_sign_is_left_that_acts(sign: str) -> None:
    """Without what LaTeX reads as one printed character, only harmless characters are left of a cell."""
    harmless = re.sub(r"\\(?:text[a-z]+|char34)\{3?\}|\\[&%$#_{}]|\{[-',\[*]\}", "", latex_text(f"a{sign}b"))
    assert re.fullmatch(r"a[-',]?b", harmless)


def test_a_name_is_no_number() -> None:
    """A minus sign would be longer than the hyphen of the name."""
    shown = Table(("document", "change"), [("-1", "-1.5"), ("d", "2")]).latex()
    assert "-1 & $-$1.5" in shown
