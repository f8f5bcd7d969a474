"""Texts whose beginning tells no format: what is said of them."""

import pytest

from scorch2.formats.recognition import refuse
from scorch2.formats.table import FORMATS
from scorch2.model.errors import InputError

OPTION = "--gold-format or --sys-format"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "the file is empty"),
        ("Ann left\n", "not a known format"),
        ("Ann\t(1)\n", "two columns are read below a first line that names them"),
        ("[Ann]_1 left\n", "Read it with --gold-format=bracketed or --sys-format=bracketed"),
        ("Sure: [Ann](c1) left\n", "Read it with --gold-format=markdown or --sys-format=markdown"),
        (
            "[Ann] left [she]\n",
            '2 brackets and tags, of which none is a mention: the first is "[Ann]" (known',
        ),
        ("<e1>Ann</e1> left\n", "Read it with --gold-format=tagged or --sys-format=tagged"),
        ('<entity id="1">Ann</entity> left\n', "Read it with --gold-format=tagged or --sys-format=tagged"),
    ],
)
def test_a_text_in_no_known_format_is_refused_with_what_it_looks_like(text: str, why: str) -> None:
    with pytest.raises(InputError) as refused:
        refuse(text, "d.x", OPTION, None)
    assert why in str(refused.value)


@pytest.mark.parametrize(
    "text",
    ["[1, 2]", '[[0, 1], ["a", 2]]', '```\n{"a": 1}\n```\n', "[]", "[ 1 , 2 ]", "[NaN, 1]", "['a', 1] x"],
)
def test_json_is_no_text_with_marks(text: str) -> None:
    refuse(text, "d.x", OPTION, FORMATS["jsonlines"])
