"""Kinds of mentions by heads: of the trees of CoNLL-U, or as a file names them."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from scorch2.cli.main import main

HEADS = (  # token, tag, its governor
    ("the", "DET", "2"), ("term", "NOUN", "0"), ("Zenda", "PROPN", "2"), ("and", "CCONJ", "6"),
    ("president", "NOUN", "6"), ("Rudolf", "PROPN", "2"), ("saying", "VERB", "0"), ("Anne", "PROPN", "7"),
)  # fmt: skip
"""By hand: the highest word of tokens 1 to 3 is term, of 5 to 6 Rudolf, of 7 to 8 saying."""


def types_of(text: str, tmp_path: Path) -> dict[str, int]:
    path, out = tmp_path / "d.conllu", tmp_path / "out.json"
    path.write_text(text, "utf-8")
    assert main(["errors", "-f", "json", "--force", "--by=type", "-o", str(out), str(path), str(path)]) == 0
    report = json.loads(out.read_text("utf-8"))
    return {row["class"]: row["mentions"]["recall_den"] for row in report["breakdown"]["type"]}


def conllu(entities: Sequence[str], governors: Sequence[str]) -> str:
    rows = [
        f"{n}\t{word}\t_\t{tag}\t_\t_\t{governor}\t_\t_\t{entity}"
        for n, ((word, tag, _), governor, entity) in enumerate(
            zip(HEADS, governors, entities, strict=True), 1
        )
    ]
    return "\n".join(["# global.Entity = eid-etype-head", *rows, "", ""])


OF_HEADS = (
    "Entity=(1-x-2",
    "_",
    "Entity=1)",
    "_",
    "Entity=(2-x-2",
    "Entity=2)",
    "Entity=(3-x-1",
    "Entity=3)",
)
TREE = [governor for _, _, governor in HEADS]


def test_types_by_the_heads_of_trees(tmp_path: Path) -> None:
    """The run of nouns would have the last one of each: three names."""
    first = ["Entity=(1-x-1", *OF_HEADS[1:4], "Entity=(2-x-1", *OF_HEADS[5:]]
    assert types_of(conllu(first, TREE), tmp_path) == {"name": 1, "nominal": 2}


def test_types_by_the_heads_that_a_file_names(tmp_path: Path) -> None:
    """Without trees. Heads that are all first words may be none: the run of nouns finds three names."""
    none = ["_"] * len(HEADS)
    assert types_of(conllu(OF_HEADS, none), tmp_path) == {"name": 1, "nominal": 2}
    first = [cell.replace("-x-2", "-x-1") for cell in OF_HEADS]
    assert types_of(conllu(first, none), tmp_path) == {"name": 3}


@pytest.mark.parametrize("wrong", ["2", "99", "x", "-1"])
def test_words_that_hang_in_no_tree_are_no_heads(wrong: str, tmp_path: Path) -> None:
    """Words 1 to 3 hang below word 2, which is below itself or nothing: Zenda by the run of nouns."""
    governors = ["2", wrong, "2", *TREE[3:5], "0", *TREE[6:]]
    assert types_of(conllu(OF_HEADS, governors), tmp_path) == {"name": 2, "nominal": 1}


def test_the_head_of_a_mention_in_pieces_is_one_of_its_words(tmp_path: Path) -> None:
    """The, which hangs below Zenda, and Zenda, without term between them, the highest word of all."""
    entities = ["Entity=(1[1/2]-x-1)", "_", "Entity=(1[2/2])", *["_"] * 5]
    assert types_of(conllu(entities, ["3", *TREE[1:]]), tmp_path) == {"name": 1}


def test_a_mention_of_the_system_alone_has_the_head_of_the_tree_of_gold(tmp_path: Path) -> None:
    for side, entities in (
        ("gold", ["_"] * 7 + ["Entity=(1-x-1)"]),
        ("sys", ["_"] * 6 + ["Entity=(1-x-1", "Entity=1)"]),
    ):
        none = ["_"] * len(HEADS)
        (tmp_path / f"{side}.conllu").write_text(conllu(entities, TREE if side == "gold" else none), "utf-8")
    out = tmp_path / "out.json"
    paths = [str(tmp_path / f"{side}.conllu") for side in ("gold", "sys")]
    assert main(["errors", "-q", "-f", "json", "--by=type", "-o", str(out), *paths]) == 0
    rows = json.loads(out.read_text("utf-8"))["breakdown"]["type"]
    found = {row["class"]: (row["mentions"]["recall_den"], row["mentions"]["precision_den"]) for row in rows}
    assert found == {"name": (1, 0), "nominal": (0, 1)}
