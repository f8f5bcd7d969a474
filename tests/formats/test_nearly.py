"""JSON that is nearly a document: the keys that are there, and the options that read them.

What is refused, and in which words, is data: see `fixtures/jsonlines/refused.json`.
"""

import pytest
from neural_files import written

import scorch2
from scorch2.formats.reading import read
from scorch2.model.errors import InputError

pytestmark = pytest.mark.usefixtures("folder")

TOKENS = {"doc_key": "d", "sentences": [["Ann", "saw", "her"]]}
PAIRS = [[[0, 0], [2, 2]]]


@pytest.mark.parametrize("key", ["pred_clusters", "predictions", "annotations", "mentions", "type"])
def test_a_key_of_any_name_can_be_typed(key: str) -> None:
    """Those of other programs, too, which need other keys beside it."""
    gold = written("g.jsonl", {**TOKENS, "clusters": PAIRS})
    system = written("s.jsonl", *({**TOKENS, "doc_key": name, key: PAIRS} for name in "de"))
    with pytest.warns(scorch2.ScorchWarning):
        report = scorch2.score(gold, system, sys_key=key, extra="skip", sys_format="jsonlines")
    assert report.muc.f1 == 1.0
    if key != "type":
        assert read(system, keys=(key,))[0].clusters == {"0": [(0, 1), (2, 3)]}


@pytest.mark.parametrize(("side", "option"), [("gold", "gold_key"), ("system", "sys_key")])
def test_the_option_of_the_side_is_named_for_an_unknown_key(side: str, option: str) -> None:
    known, other = (written(f"{key}.json", {**TOKENS, key: PAIRS}) for key in ("clusters", "mine"))
    with pytest.raises(InputError, match=rf'by the shape: {option}="mine" reads it$'):
        scorch2.score(*((other, known) if side == "gold" else (known, other)))
