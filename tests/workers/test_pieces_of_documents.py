"""Files of CorefUD and of the exploded format are cut at their documents, with the lines before them."""

from pathlib import Path

import pytest
from executors import in_pieces

from scorch2.formats.chunks import Borders, borders

HEADER = "# global.Entity = eid-etype-head\n"
COLUMNS = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING\n"

pytestmark = pytest.mark.usefixtures("small_pieces")


def corefud(name: str, cell: str = "(e--1)", header: str = "") -> str:
    row = "\t_\t_\t_\t_\t0\t_\t_\t"
    rows = f"1\tw{row}Entity={cell}\n2\tw{row}Entity=(e--1\n2.1\tw{row}Entity=e)(f--1\n"
    return f"# newdoc{name}\n{header}{rows}\n"


def named(number: int) -> str:
    return f" id = d{number}"


def ua(number: int, cell: str = "(EntityID=1|MarkableID=a)", name: str = "") -> str:
    row = "\t_" * 9
    return (
        f"# newdoc{name or named(number)}\n1{row}\t{cell}\t_\n"
        f"2{row}\t(EntityID=1|MarkableID=b\t_\n3{row}\t)\t_\n\n"
    )


CASES = {
    "the fields are named once": (
        [corefud(named(0), header=HEADER), *(corefud(named(i)) for i in range(1, 5))],
        True,
    ),
    "they are named in each document": ([corefud(named(i), header=HEADER) for i in range(5)], True),
    "a newdoc without id": ([corefud(named(0), header=HEADER), corefud(""), corefud(named(1))], False),
    "an empty id": ([corefud(named(0), header=HEADER), corefud(" id ="), corefud(named(1))], False),
    "two orders of fields": (
        [corefud(named(0), header=HEADER), corefud(named(1), header="# global.Entity = eid\n")],
        False,
    ),
    "fields before the first document": ([HEADER, corefud(named(0)), corefud(named(1))], False),
    "a bracket that cannot be read": ([corefud(named(0), header=HEADER), corefud(named(1), "e)")], True),
    "fields that are named too late": ([corefud(named(0)), corefud(named(1), header=HEADER)], False),
    "fields that are named after a bracket": ([corefud(named(0)) + HEADER, corefud(named(1))], True),
    "columns once": ([COLUMNS, *map(ua, range(5))], True),
    "columns before each": ([COLUMNS + ua(number) for number in range(5)], True),
    "no columns": (list(map(ua, range(5))), True),
    "an exploded newdoc without id": ([ua(0), ua(1, name=" "), ua(2)], False),
    "an error": ([COLUMNS, ua(0), ua(1, ")"), ua(2)], True),
}


@pytest.mark.parametrize("name", CASES)
def test_pieces_give_what_the_file_gives(name: str, tmp_path: Path) -> None:
    texts, is_cut = CASES[name]
    path = tmp_path / ("d.conllua" if "EntityID" in texts[-1] else "d.conllu")
    path.write_text("".join(texts), "utf-8")
    assert in_pieces(path) == is_cut


@pytest.mark.parametrize("block", [7, 60, 1 << 20])
def test_borders_are_those_of_any_blocks(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [corefud(named(i), header="" if i else HEADER) for i in range(3)]
    path = tmp_path / "d.conllu"
    path.write_text("".join(parts), "utf-8")
    monkeypatch.setattr("scorch2.formats.source._BLOCK", block)
    starts = [sum(map(len, parts[:number])) for number in range(4)]
    assert borders(str(path), None) == Borders("corefud", starts, HEADER.encode())


def test_the_first_document_begins_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "d.conllua"
    path.write_text(COLUMNS + ua(0) + ua(1), "utf-8")
    size = len(ua(0))
    expected = [0, len(COLUMNS) + size, len(COLUMNS) + 2 * size]
    assert borders(str(path), None) == Borders("ua", expected)
