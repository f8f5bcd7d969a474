"""Stanza's CoNLL-U: which words of a chain are one mention, in the ways in which its releases write them.

The attribute is written by ``dict_to_conll_text`` of stanza/models/common/doc.py (read at 1.7.0 to 1.14.0):
``unit``, ``start``, ``middle`` or ``end``, then ``repr`` in the representative mention, and the number of the
chain. Up to 1.13.0 its name is ``ner``, as of named entities; since 1.14.0 it is ``coref_chains``.
"""

import pytest
from span_clusters import score_documents

from scorch2.formats.reading import documents
from scorch2.formats.recognition import recognised_in
from scorch2.model.document import Discontinuous, Document
from scorch2.model.errors import InputError
from scorch2.model.markables import Nodes, Word
from scorch2.model.options import options_from


def row(name: object, misc: str, form: str = "w") -> str:
    return f"{name}\t{form}\t_\tNOUN\t_\t_\t{'_' if '.' in str(name) else 0}\t_\t_\t{misc}\n"


def chains(*written: str, key: str = "coref_chains") -> str:
    """Return a sentence whose words belong to these chains; those of ``-`` belong to none."""
    cells = [f"start_char=0|{key}={one}" if one != "-" else "start_char=0" for one in written]
    return "".join(row(number, cell) for number, cell in enumerate(cells, 1)) + "\n"


def one(text: str, form: str | None = None) -> Document:
    (document,) = documents(text.encode(), "d.conllu", form)
    return document


@pytest.mark.parametrize(
    ("written", "clusters"),
    [
        (["unit-repr-id0", "-", "unit-id0"], {"0": [(0, 1), (2, 3)]}),
        (["start-id0", "middle-id0,unit-id1", "end-id0"], {"0": [(0, 3)], "1": [(1, 2)]}),
        (["start-repr-id0", "middle-repr-id0,unit-id0", "end-repr-id0"], {"0": [(0, 3), (1, 2)]}),
        (["start-id0", "middle-id0,start-id0", "end-id0,middle-id0", "end-id0"], {"0": [(0, 3), (1, 4)]}),
        (["start-id0,start-id0", "end-id0,middle-id0", "end-id0"], {"0": [(0, 2), (0, 3)]}),
        (["unit-id10", "unit-id9", "unit-id10"], {"9": [(1, 2)], "10": [(0, 1), (2, 3)]}),
    ],
    ids=["words", "nested", "nested in one chain", "crossing in one chain", "one beginning", "numbers"],
)
@pytest.mark.parametrize("key", ["coref_chains", "ner"])
def test_words_of_a_chain_are_put_together(
    written: list[str], clusters: dict[str, list[tuple[int, int]]], key: str
) -> None:
    """Mentions of one chain go on in the order in which they began."""
    document = one(chains(*written, key=key))
    assert document.format == "stanza"
    assert document.clusters == clusters
    assert list(document.clusters) == list(clusters)


def test_named_entities_are_no_chains() -> None:
    """Until 1.13.0 both are called ner, and may stand on one word."""
    text = row(1, "ner=S-PERSON|ner=unit-id0") + row(2, "ner=B-ORG") + row(3, "ner=unit-id0") + "\n"
    assert one(text).clusters == {"0": [(0, 1), (2, 3)]}


def test_mentions_count_words_through_the_document() -> None:
    document = one(chains("-", "unit-id0") + chains("start-id0", "end-id0"))
    assert document.clusters == {"0": [(1, 2), (2, 4)]}
    assert document.sentences == [2, 2]
    assert document.id == "d"


def test_zeros_are_mentions_and_belong_to_no_other() -> None:
    """Their rows come as they were found, and they are numbered through the sentence."""
    zeros = [row("2.1", "coref_chains=unit-id0", "_"), row("0.2", "coref_chains=unit-id1", "_")]
    cells = ["coref_chains=start-id0", "coref_chains=middle-id0", "coref_chains=end-id0"]
    first, second, third = (row(number, cell) for number, cell in enumerate(cells, 1))
    document = one(first + second + "".join(zeros) + third + "\n")
    assert document.clusters == {
        "0": [(0, 3), Discontinuous(2, 2, Nodes((), (Word(0, 2, 1),)))],
        "1": [Discontinuous(0, 0, Nodes((), (Word(0, 0, 2),)))],
    }


@pytest.mark.parametrize(
    ("written", "why"),
    [
        (["start-id0", "-"], "line 1: a mention of id0 begins here and does not end"),
        (["start-id0", "-", "end-id0"], "line 1: a mention of id0 begins here and does not end"),
        (["start-id0,end-id0", "end-id0"], 'line 1: "end-id0", but no mention of the chain goes on here'),
        (["unit-id1", "start-id0"], "line 2: a mention of id0 begins here and does not end"),
        (["middle-id0"], 'line 1: "middle-id0", but no mention of the chain goes on here'),
        (["start-id0", "end-id1"], 'line 2: "end-id1", but no mention of the chain goes on here'),
        (["unit-id0|ner=unit-id1"], "line 1: coref_chains stands twice on one word (join them)"),
    ],
)
def test_chains_that_cannot_be_are_refused(written: list[str], why: str) -> None:
    with pytest.raises(InputError) as caught:
        one(chains(*written), "stanza")
    assert str(caught.value) == f"d.conllu: {why}"


def test_an_empty_node_is_a_mention_alone() -> None:
    text = row(1, "coref_chains=start-id0") + row("1.1", "coref_chains=end-id0") + "\n"
    with pytest.raises(InputError, match=r'line 2: "end-id0" on an empty node'):
        one(text)


def test_a_mention_is_not_lost_with_a_column() -> None:
    text = chains("unit-id0", "unit-id0").replace("2\tw\t_\t", "2\tw\t")
    with pytest.raises(InputError, match="line 2: 9 columns"):
        one(text)


ENTITIES = "# global.Entity = eid-etype-head\n" + row(1, "Entity=(a--1)") + row(2, "Entity=(a--1)")


def test_what_is_not_read_is_told() -> None:
    """Stanza keeps Entity of the gold file that it was run on, and files begin with many words."""
    both = ENTITIES.replace(")\n", ")|coref_chains=unit-id0\n") + "\n"
    assert recognised_in(both.encode()) == "stanza"
    assert one(both).clusters == {"0": [(0, 1), (1, 2)]}
    (note,) = one(both).notes
    assert note.startswith("it has Entity, too, which is not read (name the format corefud to read it")
    assert one(both, "corefud").clusters == {"a": [(0, 1), (1, 2)]}
    assert one(both, "corefud").notes == []
    late = chains(*["-"] * 5000) + chains("unit-id0", "unit-id0")
    assert one(late).notes == ["Stanza's coref_chains is not read (name the format stanza to read it)"]
    assert one(late, "stanza").notes == []


def test_it_meets_corefud() -> None:
    gold = one(ENTITIES + row(3, "_") + "\n")
    system = one(chains("unit-id0", "unit-id0", "unit-id1"))._replace(id=gold.id)
    report = score_documents(gold, system, options_from(metrics=("mentions",)))
    assert tuple(report.scores["mentions"])[:2] == (1.0, 2 / 3)
