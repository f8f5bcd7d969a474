"""Tables of text cells in each of their forms, to the letter."""

import pytest

from scorch2.model.tables import Listing, Table, padded

TABLE = Table(("metric", "F1"), [("muc", "0.5"), ("b_cubed", "12.25")])
TEXT = Table(("metric", "note"), [("muc", "0.5"), ("lea", "none")])


def test_numbers_are_flush_right_and_text_flush_left() -> None:
    assert str(TABLE).splitlines() == [
        "metric      F1",
        "──────────────",
        "muc        0.5",
        "b_cubed  12.25",
    ]
    assert str(TEXT).splitlines() == [
        "metric  note",
        "────────────",
        "muc     0.5",
        "lea     none",
    ]


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


def test_a_table_that_fits_or_has_names_alone_stays_one() -> None:
    fits = Table(("name", "number"), [("n" * 92, "1")])
    names = Table(("one", "two"), [("n" * 90, "m" * 90)])
    for table in (fits, names, Table(("name", "number"), [])):
        assert table.fitted() == str(table)
