"""Mentions in several pieces as their last one, by ``--pieces=last``; the scores are in `test_ua_oracle`."""

from pathlib import Path

import pytest
from nodes_in_full import in_full
from peer_runs import FOLDER

import scorch2
from scorch2.cli.main import main
from scorch2.formats.reading import read
from scorch2.model.document import Discontinuous
from scorch2.model.markables import Word
from scorch2.scoring.matching.preprocessing import last_segments

KEY, SYSTEM = (str(FOLDER / "ua-21-last-piece" / f"{side}.ua") for side in ("key", "sys"))
COREFUD = """\
# newdoc id = d
# global.Entity = eid-etype-head
1\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1[1/2]-person-1)
2\tleft\t_\t_\t_\t_\t0\t_\t_\t_
3\ttown\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1[2/2]-person-1
3.1\t_\t_\t_\t_\t_\t_\t_\t2:nsubj\tEntity=e1[2/2])
4\tit\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1)

"""


def test_a_piece_is_a_span_of_its_own() -> None:
    """Read off the file: of m2 the words 7, of m7 the word 8, of m5, which refers to nothing, the word 13."""
    (found,) = map(last_segments, read(KEY))
    assert found.clusters == {"1": [(0, 1), (11, 12)], "3": [(1, 2), (7, 8), (9, 10)], "2": [(6, 7), (8, 9)]}
    assert found.relations is not None
    relations = found.relations()
    assert relations.non_referring == [(12, 13)]
    assert [(link.anaphor, link.antecedent) for link in relations.bridging] == [
        ((7, 8), (6, 7)),
        ((9, 10), (0, 1)),
    ]


def test_the_head_is_in_the_piece_and_an_empty_node_stays(tmp_path: Path) -> None:
    """The head, *Ann*, is lost with the first piece."""
    path = tmp_path / "d.conllu"
    path.write_text(COREFUD, "utf-8")
    (found,) = map(last_segments, read(str(path)))
    words = (Word(0, 3), Word(0, 3, 1))
    assert found.clusters == {"e1": [Discontinuous(2, 3, words), (3, 4)]}
    assert found.markables is not None
    first, _ = found.markables()["e1"]
    assert (in_full(first.nodes), first.head, first.pieces) == (words, words[0], ((words[0], words[1]),))


def test_empty_nodes_of_one_side_are_no_words(tmp_path: Path) -> None:
    """The Universal Anaphora scorer 1.0 (commit f4adb45) counts them, and prints MUC 0 for these files."""
    cells = {"1": "_", "1.1": "_", "2": "(EntityID=1|MarkableID=m)", "3": "(EntityID=1|MarkableID=n)"}
    blank = "\t_" * 8
    rows = [f"{name}\tw{blank}\t{cell}\t_\t_\t_\t_\n" for name, cell in cells.items()]
    gold, system = tmp_path / "gold.ua", tmp_path / "system.ua"
    gold.write_text("".join(["# newdoc id = d\n", *rows]), "utf-8")
    system.write_text("".join(["# newdoc id = d\n", rows[0], *rows[2:]]), "utf-8")
    report = scorch2.score(gold, system, profile="ua-1.0")
    assert report.muc.f1 == 1
    (message,) = [notice.message for notice in report.notices if notice.code == "reader"]
    assert "system.ua: 1 empty node that only one side has: the Universal Anaphora scorer 1.0" in message
    assert message not in str(scorch2.score(gold, system, profile="ua-2.0").notices)


def test_formats_without_pieces_stay_what_they_are() -> None:
    (document,) = read(str(FOLDER / "conll-03-nested-same-chain" / "key.conll"))
    assert last_segments(document) is document


def test_a_warning_counts_the_mentions_that_it_changes() -> None:
    report = scorch2.score(KEY, SYSTEM, pieces="last")
    what = '2 discontinuous mentions taken for the last part, as pieces="last" asks (all takes all words)'
    assert [notice.message.partition(".ua: ")[2] for notice in report.notices] == [what] * 2
    assert not scorch2.score(KEY, SYSTEM).notices


def test_errors_are_counted_on_the_same_mentions(capsys: pytest.CaptureFixture[str]) -> None:
    """All six system mentions are right, and gold has one more."""
    assert main(["errors", "-q", "--pieces=last", "-f", "table", KEY, SYSTEM]) == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row[:3] for row in rows if row[1:2] == ["mention"] and row[2] != "0"] == [
        ["missing", "mention", "1"]
    ]
    assert ["all", "1"] in [row[:2] for row in rows]
