"""Markup of corpora and annotation tools: what tests of all formats leave open."""

import re
from pathlib import Path

from examples import FOLDER

import scorch2
from scorch2.formats.reading import documents, read
from scorch2.guide import page
from scorch2.model.names import categories_of

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


# The CAS of UIMA

TSV = """#FORMAT=WebAnno TSV 3.3
#T_CH=de.tudarmstadt.ukp.dkpro.core.api.coref.type.CoreferenceLink|referenceType|referenceRelation


#Text=🎉 Ann Lee met Eve.
1-1\t0-2\t🎉\t_\t_\t
1-2\t3-6\tAnn\tPER[1]\tanaphoric[1]->1-1\t
1-3\t7-10\tLee\tPER[1]\tanaphoric[1]->1-1\t
1-4\t11-14\tmet\t_\t_\t
1-5\t15-18\tEve\tPER[2]\t*->2-1\t
1-6\t18-19\t.\t_\t_\t

#Text=She left.
2-1\t20-23\tShe\tPER[1]\t*->1-2\t
2-2\t24-28\tleft\t_\t_\t
2-3\t28-29\t.\t_\t_\t
"""
"""The example of XMI as INCEpTION writes it as TSV. The first character takes two units of UTF-16."""


def test_three_exports_of_inception_say_the_same() -> None:
    (tsv,) = documents(TSV.replace("🎉\t_", "x\t_").encode(), "d.tsv")
    for path in (FOLDER / "xmi" / "example.xmi", FOLDER / "valid" / "inception.json"):
        (found,) = read(str(path))
        assert list(found.clusters.values()) == list(tsv.clusters.values())
        assert [*categories_of(found).values()] == [*categories_of(tsv).values()] == [["PER", "PER"], ["PER"]]
        assert found.sentences == tsv.sentences
        assert found.words is not None
        assert found.words()[1:] == ["Ann", "Lee", "met", "Eve", ".", "She", "left", "."]
