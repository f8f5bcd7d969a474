"""Markup of corpora and annotation tools: what tests of all formats leave open."""

import re
from pathlib import Path

from examples import FOLDER

import scorch2
from scorch2.formats.reading import documents
from scorch2.guide import page

# COREF tags


def test_zeros_of_ontonotes_can_be_left_out(tmp_path: Path) -> None:
    """As CoNLL-2012 does; no format that names no heads says more of a zero than that it has no word."""
    source = FOLDER / "valid" / "ontonotes.coref"
    words = ["Mary", "wanted", "to", "see", "a", "film", "she", "liked", ".", "Bo", "&", "Mary-like", "-LRB-"]
    tags = {0: "(1)", 4: "(3", 6: "(1)", 7: "3)", 11: "(1)"}
    rows = [f"{word}\t{tags.get(i, '-')}\n" for i, word in enumerate(words)]
    rows.insert(9, "\n")
    name = "bn/cnn/00/cnn_0001); part "
    other = f"#begin document ({name}001\nIt\t-\ncost\t-\n0\t-\n.\t-\n\n#end document\n"
    gold = tmp_path / "d.conll"
    gold.write_text(f"#begin document ({name}000\n{''.join(rows)}\n#end document\n{other}", encoding="utf-8")
    mentions = [
        scorch2.score(str(gold), str(source), zeros=zeros).documents[0].system_mentions
        for zeros in ("place", "drop")
    ]
    assert mentions == [5, 4]
    assert scorch2.score(str(gold), str(source), zeros="drop").scores["conll"].f1 == 1


def test_the_markup_in_the_guide_is_read() -> None:
    blocks = re.findall(r"```xml\n(<DOC.*?)```", page("tools"), re.DOTALL)
    found = [documents(block.encode(), "d.x")[0] for block in blocks]
    assert [(document.id, list(document.clusters.values())) for document in found] == [
        ("bn/cnn/00/cnn_0001-000", [[(0, 2), (6, 7)], [(8, 10)]]),
        ("nyt960905.0652", [[(18, 27), (33, 35)]]),
    ]
