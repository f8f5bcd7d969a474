"""A file in the exploded format is cut at its documents, whatever line names its columns before them."""

from pathlib import Path

import pytest
from executors import in_pieces

from scorch2.formats.chunks import Borders, borders

COLUMNS = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING\n"


def document(number: int, cell: str = "(EntityID=1|MarkableID=a)", name: str = "") -> str:
    row = "\t_" * 9
    return (
        f"# newdoc{name or f' id = d{number}'}\n1{row}\t{cell}\t_\n"
        f"2{row}\t(EntityID=1|MarkableID=b\t_\n3{row}\t)\t_\n\n"
    )


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize(
    ("texts", "is_cut"),
    [
        ([COLUMNS, *map(document, range(5))], True),
        ([COLUMNS + document(number) for number in range(5)], True),
        (list(map(document, range(5))), True),
        ([document(0), document(1, name=" "), document(2)], False),
        ([COLUMNS, document(0), document(1, ")"), document(2)], True),
    ],
    ids=["columns once", "columns before each", "no columns", "a newdoc without id", "an error"],
)
def test_pieces_give_what_the_file_gives(texts: list[str], is_cut: bool, tmp_path: Path) -> None:
    path = tmp_path / "d.conllua"
    path.write_text("".join(texts), "utf-8")
    assert in_pieces(path) == is_cut


def test_the_first_document_begins_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "d.conllua"
    path.write_text(COLUMNS + document(0) + document(1), "utf-8")
    size = len(document(0))
    expected = [0, len(COLUMNS) + size, len(COLUMNS) + 2 * size]
    assert borders(str(path), None) == Borders("ua", expected)
