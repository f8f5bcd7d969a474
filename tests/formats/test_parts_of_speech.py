"""The part-of-speech column of CoNLL files: the fifth of six and more, if any row has a tag there."""

import pytest

from scorch2.formats.rows.conll import documents
from scorch2.model.document import Columns


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("d\t0\t0\tAnne\tNNP\t*\t(1)\nd\t0\t1\tsaw\t-\t*\t-\n", ["NNP", ""]),
        ("d  0  0  Anne  NNP  *  (1)\nd  0  1  saw  VBD  *  -\n", ["NNP", "VBD"]),
        ("d\t0\t0\tAnne\tNNP\t(1)\n", ["NNP"]),
        ("d\t0\t0\tAnne\tNNP\t*\t(1)\n\nd\t0\t0\t.\t\t*\t-\n", ["NNP", ""]),
        ("d\t0\t0\tAnne\t-\t*\t(1)\nd\t0\t1\tsaw\t_\t*\t-\nd\t0\t1\tx\t*\t*\t-\n", []),
        ("d 0 0 Anne - * (1)\n", []),
        ("d\t0\t0\tAnne\t(1)\n", []),
        ("d 0 0 Anne (1)\n", []),
        ("1\tAnne\t(1)\n", []),
    ],
)
def test_tags(rows: str, expected: list[str]) -> None:
    (document,) = documents(f"#begin document (d); part 000\n{rows}#end document\n", "d", "d.conll")
    assert isinstance(document.words, Columns)
    assert document.words.tags() == expected


def test_only_the_rows_of_the_document_count() -> None:
    text = "".join(
        f"#begin document ({name}); part 000\nd\t0\t0\tAnne\t{tag}\t*\t(1)\n#end document\n"
        for name, tag in (("a", "-"), ("b", "NNP"))
    )
    found = [one.words.tags() for one in documents(text, "d", "d") if isinstance(one.words, Columns)]
    assert found == [[], ["NNP"]]
