"""Tables of text cells in each of their forms, to the letter."""

import pytest

from scorch2.scoring.layout.tables import Listing, Table, padded

TABLE = Table(("metric", "F1"), [("muc", "0.5"), ("b_cubed", "12.25")])
TEXT = Table(("metric", "note"), [("muc", "0.5"), ("lea", "none")])


def test_numbers_are_flush_right_and_text_flush_left() -> None:
    assert str(TABLE).splitlines() == ["metric      F1", "──────────────", "muc        0.5", "b_cubed  12.25"]
    assert str(TEXT).splitlines() == ["metric  note", "────────────", "muc     0.5", "lea     none"]


@pytest.mark.parametrize("cell", ["", "0", "9", "+1", "-1", "[0.1, 0.2]"])
def test_what_a_column_of_numbers_may_hold(cell: str) -> None:
    assert str(Table(("long head",), [(cell,)])).split("\n")[2] == cell.rjust(9).rstrip()


def test_names_that_begin_with_a_digit_are_no_numbers() -> None:
    """Else they are flush right, and columns that are continued below stand there without them."""
    names = Table(("document", "F1"), [("95_zenda", "0.5"), ("1023_bleak_house", "1e-05")])
    assert str(names).splitlines()[2:] == ["95_zenda            0.5", "1023_bleak_house  1e-05"]
    assert names.markdown().splitlines()[1] == "| :--- | ---: |"
    wide = Table(("document", "a" * 60, "b" * 60), [("95_zenda", "1", "2")])
    assert [line[:8] for line in wide.fitted().splitlines() if line.endswith(("1", "2"))] == ["95_zenda"] * 2


def test_a_table_without_rows_has_a_head() -> None:
    assert str(Table(("a", "bc"), [])).splitlines() == ["a  bc", "─────"]
    assert Table(("a", "bc"), []).tsv() == "a\tbc"


def test_markdown_aligns_numbers_and_disarms_what_would_act() -> None:
    assert TABLE.markdown().splitlines() == [
        "| metric | F1 |",
        "| :--- | ---: |",
        "| muc | 0.5 |",
        "| b_cubed | 12.25 |",
    ]
    assert Table(("a",), [("x|y\\z<b>",)]).markdown().splitlines()[2] == "| `x\\|y\\z<b>` |"


def test_html_has_a_head_and_escapes() -> None:
    assert Table(("a",), [("<b>&",)]).html() == (
        "<table><tr><th>a</th></tr><tr><td>&lt;b&gt;&amp;</td></tr></table>"
    )


def test_a_notebook_has_numbers_to_the_right_and_twenty_rows() -> None:
    shown = Table(("name", "F1"), [("muc", str(number)) for number in range(24_215)]).html()
    right = ' style="text-align: right"'
    assert shown.startswith(
        f"<table><tr><th>name</th><th{right}>F1</th></tr><tr><td>muc</td><td{right}>0</td></tr>"
    )
    assert (shown.count("<tr>"), shown.endswith("</table><p>24195 more</p>")) == (21, True)
    assert Table(("a",), [("b",)] * 20).html().endswith("</tr></table>")


def test_a_listing_shows_spans_half_open_and_keeps_them_as_lists() -> None:
    listing = Listing("rows", ("id", "span"), [("m\n1", (3, 5))])
    assert str(listing.table()).splitlines()[2] == "m\\n1   3:5"
    assert listing.to_list() == [{"id": "m\n1", "span": (3, 5)}]
    assert listing.is_detail


def test_names_are_filled_up_and_figures_are_not() -> None:
    rows = [["measure", "kind", "score"], ["muc", "x", "0.8"]]
    assert padded(rows, 2) == "measure\tkind\tscore\nmuc    \tx   \t0.8\n"
    assert padded(rows, 0) == "measure\tkind\tscore\nmuc\tx\t0.8\n"


def test_a_table_for_reading_is_continued_below() -> None:
    """Names of 30, columns of 40 characters: 30 + 2 + 40 fits in 100, another 42 does not."""
    head = ("name", "one", "two", "three")
    table = Table(head, [("n" * 30, "1" * 40, "2" * 40, "3" * 20)])
    lines = table.fitted().split("\n")
    assert lines == [
        "name" + " " * 65 + "one",
        "─" * 72,
        "n" * 30 + "  " + "1" * 40,
        "",
        "name" + " " * 65 + "two" + " " * 17 + "three",
        "─" * 94,
        "n" * 30 + "  " + "2" * 40 + "  " + "3" * 20,
    ]


def test_a_table_that_fits_stays_as_it_is() -> None:
    fits = Table(("name", "number"), [("n" * 92, "1")])
    names = Table(("one", "two"), [("n" * 90, "m" * 8)])
    for table in (fits, names, Table(("name", "number"), [])):
        assert table.fitted() == table.shortened() == str(table)


def test_a_long_name_loses_its_middle_so_that_its_table_fits() -> None:
    """93 + 2 + 6 characters are one too many: 92 are left for the name, 91 of them its own."""
    table = Table(("name", "number"), [("a" * 47 + "b" * 46, "1"), ("c" * 92, "2")])
    assert table.fitted().splitlines()[2:] == ["a" * 46 + "…" + "b" * 45 + "       1", "c" * 92 + "       2"]
    assert table.markdown().splitlines()[2] == f"| {'a' * 47}{'b' * 46} | 1 |"
    assert table.tsv().splitlines()[1] == f"{'a' * 47}{'b' * 46}\t1"


def test_a_name_keeps_forty_characters_where_columns_are_continued_below() -> None:
    table = Table(("name", "one", "two"), [("n" * 60, "1" * 40, "2" * 40)])
    assert [line for line in table.fitted().splitlines() if "n…n" in line] == [
        "n" * 20 + "…" + "n" * 19 + "  " + digit * 40 for digit in "12"
    ]


def test_names_alone_share_a_line() -> None:
    """Two columns with a gap of two: 49 characters each."""
    (line,) = Table(("one", "two"), [("n" * 90, "m" * 90)]).fitted().splitlines()[2:]
    assert line == f"{'n' * 24}…{'n' * 24}  {'m' * 24}…{'m' * 24}"


def test_the_longest_cells_are_shortened_but_not_those_that_are_kept() -> None:
    """100 characters, less 60 that are kept and two gaps, leave 36: the short column takes 6 of them."""
    table = Table(("kept", "short", "long"), [("k" * 60, "s" * 6, "l" * 90)])
    (line,) = table.shortened(["kept"]).splitlines()[2:]
    assert line == f"{'k' * 60}  ssssss  {'l' * 15}…{'l' * 14}"


def test_a_head_is_not_shortened() -> None:
    table = Table(("a" * 60, "b"), [("a" * 80, "b" * 80)])
    head, _, line = table.shortened().splitlines()
    assert head == "a" * 60 + "  b"
    assert list(map(len, line.split())) == [60, 38]


def test_controls_are_escaped_before_a_cell_is_shortened() -> None:
    (line,) = Table(("name",), [("\a" * 60,)]).shortened().splitlines()[2:]
    assert len(line) == 100
    assert line.isprintable()
