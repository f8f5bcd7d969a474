"""LaTeX tables that fit on a page of the class article; pdfLaTeX compiled all these forms once."""

import re

import pytest
from every import every

from scorch2.model.tables import Paper, Table, latex_text

SMALL = ["\\footnotesize", "\\setlength{\\tabcolsep}{2.5pt}"]


def lines_of(head: list[str], *rows: list[str], caption: str = "") -> list[str]:
    return Table(head, rows).latex(caption).split("\n")


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
    found = Table(["name", "F1"], [["a", "1"]]).latex("c", Paper("scores", page=True)).split("\n")
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
    """4 + 2 + 24 + 2 + 22 = 54 fit, 55 do not."""
    fits = lines_of(["name", "one", "two"], ["a", "1" * 24, "2" * 22])
    assert fits.count(r"\toprule") == 1
    found = lines_of(["name", "one", "two"], ["a", "1" * 24, "2" * 23])
    assert [line for line in found if line.startswith(("name", r"\medskip"))] == [
        r"name & one \\",
        r"\medskip",
        r"name & two \\",
    ]


def test_precision_and_f1_stay_beside_recall() -> None:
    """Of the second metric only recall would fit."""
    head = ["system", "MUC R", "P", "F1", "LEA R", "P", "F1"]
    found = lines_of(head, ["new", *["1" * 8] * 6])
    assert [line for line in found if "multicolumn" in line] == [
        r" & \multicolumn{3}{c}{MUC} \\",
        r" & \multicolumn{3}{c}{LEA} \\",
    ]


@pytest.mark.parametrize(("rows", "is_long"), [(38, False), (39, True)])
def test_more_rows_than_a_page_has_make_a_table_of_several_pages(rows: int, is_long: bool) -> None:
    found = lines_of(["name", "F1"], *[["a", "1"]] * rows, caption="c")
    assert (r"\begin{longtable}{lr}" in found) == is_long
    assert (r"\begin{table}" in found) != is_long
    assert found.count(r"a & 1 \\") == rows
    assert found.count(r"name & F1 \\") == 1 + is_long  # on the first page, and on all others
    if is_long:
        assert found[0] == r"% needs \usepackage{longtable}"
        assert found[5] == r"\caption{c} \\"


def test_a_long_table_that_is_wide_has_its_caption_once() -> None:
    found = lines_of(["name", "one", "two"], *[["a", "1" * 40, "2" * 40]] * 50, caption="c")
    assert found.count(r"\caption{c} \\") == 1
    assert found.count(r"\begin{longtable}{lr}") == 2
    assert found[1] == "{"
    assert found[2:4] == SMALL
    assert found[-2:] == ["}", ""]


def test_a_long_name_loses_its_middle_before_it_is_escaped() -> None:
    found = lines_of(["name", "F1"], ["_" * 40, "1"], ["\x1b" + "x" * 40, "1"])
    assert "\\_" * 15 + r"\dots{}" + "\\_" * 14 + r" & 1 \\" in found
    assert r"\textbackslash{}x1b" + "x" * 11 + r"\dots{}" + "x" * 14 + r" & 1 \\" in found


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
def test_a_sign_counts_as_the_characters_that_are_printed(sign: str) -> None:
    """As many signs as fit, and not one more: at 54 characters, 23 of them in the column of names."""
    for more, blocks in ((0, 1), (1, 2)):
        name = "a" + (sign * 22)[:22]
        found = lines_of(["name", "F1", "n"], [name, "1" * (26 + more), "1"], caption="c")
        assert found.count(r"\toprule") == blocks


@every("sign", SIGNS)
def test_no_sign_is_left_that_acts(sign: str) -> None:
    """Without what LaTeX reads as one printed character, only harmless characters are left of a cell."""
    harmless = re.sub(r"\\(?:text[a-z]+|char34)\{3?\}|\\[&%$#_{}]|\{[-',\[*]\}", "", latex_text(f"a{sign}b"))
    assert re.fullmatch(r"a[-',]?b", harmless)


def test_a_name_is_no_number() -> None:
    """A minus sign would be longer than the hyphen of the name."""
    shown = Table(("document", "change"), [("-1", "-1.5"), ("d", "2")]).latex()
    assert "-1 & $-1.5$" in shown
