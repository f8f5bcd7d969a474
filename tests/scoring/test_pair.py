"""Pairs of documents by other names than the reference scorer would pair them."""

import pytest

from scorch2.model.document import Document
from scorch2.model.options import options_from
from scorch2.scoring.pairing.files import other_name

GOLD = Document("(a); part 000", {}, "g.conll", format="conll")
SYSTEM = Document("b", {}, "s.conll", format="conll")


def test_documents_of_two_names_are_none_of_its_pairs() -> None:
    (notice,) = other_name("x", GOLD, SYSTEM, options_from(blanc="reference"))
    assert notice.code == "names"
    assert notice.message.startswith('the documents are called "(a); part 000" and "b": they are compared')
    assert notice.message.endswith("the reference scorer takes them for two and finds nothing in common")


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (GOLD, SYSTEM._replace(id=GOLD.id)),
        (GOLD, SYSTEM._replace(format="jsonlines")),
        (GOLD._replace(format="jsonlines"), SYSTEM),
    ],
)
def test_nothing_is_said_of_one_name_and_of_formats_that_it_does_not_read(
    gold: Document, system: Document
) -> None:
    assert other_name("x", gold, system, options_from(blanc="reference")) == ()


def test_nothing_is_said_where_its_numbers_are_not_asked_for() -> None:
    for blanc in ("gold", "both"):
        assert other_name("x", GOLD, SYSTEM, options_from(blanc=blanc)) == ()
