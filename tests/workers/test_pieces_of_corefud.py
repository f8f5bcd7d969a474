"""A file of CorefUD is cut at its documents, each with the one line that names the fields of all brackets."""

from pathlib import Path

import pytest
from executors import in_pieces

from scorch2.formats.chunks import Borders, borders

HEADER = "# global.Entity = eid-etype-head\n"
COLUMNS = "\t_\t_\t_\t_\t0\t_\t_\t"

pytestmark = pytest.mark.usefixtures("small_pieces")


def document(name: str, cell: str = "(e--1)", header: str = "") -> str:
    rows = f"1\tw{COLUMNS}Entity={cell}\n2\tw{COLUMNS}Entity=(e--1\n2.1\tw{COLUMNS}Entity=e)(f--1\n"
    return f"# newdoc{name}\n{header}{rows}\n"


def named(number: int) -> str:
    return f" id = d{number}"


@pytest.mark.parametrize(
    ("texts", "is_cut"),
    [
        ([document(named(0), header=HEADER), *(document(named(i)) for i in range(1, 5))], True),
        ([document(named(i), header=HEADER) for i in range(5)], True),
        ([document(named(0), header=HEADER), document(""), document(named(1))], False),
        ([document(named(0), header=HEADER), document(" id ="), document(named(1))], False),
        ([document(named(0), header=HEADER), document(named(1), header="# global.Entity = eid\n")], False),
        ([HEADER, document(named(0)), document(named(1))], False),
        ([document(named(0), header=HEADER), document(named(1), "e)")], True),
        ([document(named(0)), document(named(1), header=HEADER)], False),
        ([document(named(0)) + HEADER, document(named(1))], True),
    ],
    ids=[
        "the fields are named once",
        "they are named in each document",
        "a newdoc without id",
        "an empty id",
        "two orders of fields",
        "fields before the first document",
        "a bracket that cannot be read",
        "fields that are named too late",
        "fields that are named after a bracket",
    ],
)
def test_pieces_give_what_the_file_gives(texts: list[str], is_cut: bool, tmp_path: Path) -> None:
    path = tmp_path / "d.conllu"
    path.write_text("".join(texts), "utf-8")
    assert in_pieces(path) == is_cut


@pytest.mark.parametrize("block", [7, 60, 1 << 20])
def test_borders_are_those_of_any_blocks(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [document(named(i), header="" if i else HEADER) for i in range(3)]
    path = tmp_path / "d.conllu"
    path.write_text("".join(parts), "utf-8")
    monkeypatch.setattr("scorch2.formats.source._BLOCK", block)
    starts = [sum(map(len, parts[:number])) for number in range(4)]
    assert borders(str(path), None) == Borders("corefud", starts, HEADER.encode())
