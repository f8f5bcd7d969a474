"""scorch2 convert says what it leaves out: mentions only if it is asked to, the rest in one warning."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conversion import convert, put, said, text
from every import every
from examples import WRITERS, Examples, path_of
from hypothesis import given
from hypothesis import strategies as st

from scorch2.cli.main import main
from scorch2.formats.copies import THINGS, Written, held, in_words, lost, write, write_file
from scorch2.formats.reading import read
from scorch2.formats.rows.columns import conll_fitting
from scorch2.formats.table import format_names
from scorch2.model.document import Columns, Document, OnDemand, Words, spans
from scorch2.model.errors import InputError
from scorch2.model.markables import (
    Annotation,
    Bridge,
    Candidate,
    Nodes,
    Relations,
    StoredMarkable,
    SyntaxRow,
    Tree,
    Word,
)

ONTONOTES = """#begin document (bc/x); part 000
bc/x   0   0     The   DT   (TOP(NP*   -   -   -   Ann_Lee   *   (3
bc/x   0   1     dog   NN           *)  -   -   -   Ann_Lee   *   3)

bc/x   0   0      It  PRP   (TOP*)     -   -   -   Bob       *   (3)

#end document
"""
CROSSING = {
    "doc_key": "k",
    "sentences": [["a", "b", "c", "d"]],
    "clusters": [[[0, 2], [1, 3], [2, 3]], [[0, 0], [1, 3]]],
}
TWICE = {"type": "clusters", "name": "k", "clusters": {"a": ["m", "n"], "b": ["n", "o"], "c": ["m"]}}
pytestmark = pytest.mark.usefixtures("folder")


def warnings(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.removeprefix("scorch2: warning: ") for line in capsys.readouterr().err.splitlines()]


# Columns


def test_columns_come_back(capsys: pytest.CaptureFixture[str]) -> None:
    convert(put("in", ONTONOTES), "out", "conll")
    rows = [line.split("\t") for line in text("out").splitlines() if "\t" in line]
    assert rows == [line.split() for line in ONTONOTES.splitlines() if line.startswith("bc/x")]
    assert warnings(capsys) == []
    convert("out", "again", "conll")
    assert text("again") == text("out")


def test_fewer_columns_become_five() -> None:
    convert(put("in", "#begin document (d);\nw\t(1)\n\n#end document\n"), "out", "conll")
    assert text("out").splitlines()[1] == "d\t0\t0\tw\t(1)"


def test_the_cells_of_a_row_are_all_but_the_last() -> None:
    put("in", "#begin document (d);\na\t\t(1)  \nb\t\nc d e\t-\t\n#x\ty\t_\n#end document\n")
    (document,) = read("in")
    assert isinstance(document.words, Columns)
    assert document.words.cells() == [["a", ""], ["b"], ["c d e", "-"], ["#x", "y"]]


def test_conll_survives_clusters_json(capsys: pytest.CaptureFixture[str]) -> None:
    put("in", ONTONOTES)
    convert("in", "there.json", "clusters")
    assert warnings(capsys) == ["left out, since clusters does not hold them: 3 other columns"]
    convert("there.json", "back", "conll")
    assert said(read("back")) == said(read("in"))
    assert list(read("back")[0].clusters) == list(read("in")[0].clusters)


# One warning with counts


@pytest.mark.parametrize(
    ("source", "form", "things"),
    [
        (ONTONOTES, "jsonlines", "3 other columns"),
        (ONTONOTES, "graph", "3 tokens, 3 other columns"),
        (
            '{"type": "clusters", "clusters": {"a": ["m"], "b": [], "c": []}}',
            "graph",
            "2 empty clusters, 1 cluster name",
        ),
        (
            "d\t0\t1\tQ1\t0.5\tPER\nd\t3\t3\tNIL1\t0.5\tPER\nd\t4\t4\tQ2\n",
            "graph",
            "2 knowledge base ids, 2 scores, 2 categories, 1 cluster name",
        ),
    ],
)
def test_what_is_left_out_is_counted(
    source: str, form: str, things: str, capsys: pytest.CaptureFixture[str]
) -> None:
    convert(put("in", source), "out", form)
    assert warnings(capsys) == [f"left out, since {form} does not hold them: {things}"]
    convert("in", "out", form, "-q")
    assert warnings(capsys) == []


@pytest.mark.parametrize("form", ["jsonlines", "webanno"])
def test_names_of_entities_that_become_numbers_are_counted(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of three clusters, the town and the event have names, and one has a number."""
    cells = {"Quake": "(event-1", "hits": "event-1)", "town": "(LOC1)", "it": "(7)"}
    rows = "".join(f"{word}\t{cell}\n" for word, cell in cells.items())
    convert(put("in", f"#begin document (d);\n{rows}\n#end document\n"), "out", form)
    assert warnings(capsys) == [f"left out, since {form} does not hold them: 2 cluster names"]


@pytest.mark.parametrize("form", ["conll", "clusters", "tsv"])
def test_formats_that_keep_names_say_nothing_of_them(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    convert(put("in", "#begin document (d);\nd 0 0 town (LOC1)\n\n#end document\n"), "out", form)
    assert "name" not in capsys.readouterr().err


def test_numbers_that_count_clusters_are_no_names(capsys: pytest.CaptureFixture[str]) -> None:
    convert(put("in", CROSSING), "out", "webanno")
    assert "name" not in capsys.readouterr().err


def test_there_is_one_warning_for_all_documents(capsys: pytest.CaptureFixture[str]) -> None:
    put("in/a.conll", ONTONOTES)
    put("in/b.conll", ONTONOTES.replace("bc/x", "bc/y"))
    convert("in", "out", "graph")
    assert warnings(capsys) == ["left out, since graph does not hold them: 6 tokens, 3 other columns"]


def test_the_short_command_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    put("in", ONTONOTES)
    assert main(["conll2json", "in", "out"]) == 0
    assert warnings(capsys) == []


def test_a_copy_that_has_all_lacks_nothing() -> None:
    document = Document("d", {"a": [(0, 1)]}, sentences=[1], words=Words(list, ("w",)))
    assert lost(held(document), document) == {}


# Mentions


@pytest.mark.parametrize("form", ["conll", "graph", "are"])
def test_mentions_are_left_out_only_if_that_is_asked_for(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", CROSSING if form == "conll" else TWICE)
    convert("in", "out", form, status=2)
    assert not Path("out").exists()
    (message,) = capsys.readouterr().err.splitlines()
    assert "--lossy keeps" in message
    convert("in", "out", form, "--lossy", "-q")
    assert Path("out").exists()


def test_of_two_that_cross_the_first_stays(capsys: pytest.CaptureFixture[str]) -> None:
    convert(put("in", CROSSING), "out", "conll", "--lossy")
    (document,) = read("out")
    found = [sorted(spans(members)) for members in document.clusters.values()]
    assert sorted(found) == [[(0, 1), (1, 4)], [(0, 3), (2, 4)]]
    (warning,) = (line for line in warnings(capsys) if "left out" in line)
    assert warning == "left out, since conll does not hold them: 1 mention"


def test_of_two_clusters_the_first_keeps_a_mention(capsys: pytest.CaptureFixture[str]) -> None:
    convert(put("in", TWICE), "out", "graph", "--lossy")
    written = json.loads(text("out"))
    assert (written["mentions"], written["links"]) == (["m", "n", "o"], [["m", "n"]])
    (warning,) = (line for line in warnings(capsys) if "left out" in line)
    assert warning == "left out, since graph does not hold them: 2 mentions, 1 cluster, 2 cluster names"


def crosses(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Return whether brackets cannot tell two half-open spans apart: they share two tokens or more."""
    return one[0] < other[0] < one[1] - 1 < other[1] - 1


@given(
    members=st.lists(
        st.tuples(st.integers(0, 7), st.integers(1, 8)).filter(lambda s: s[0] < s[1]), unique=True
    )
)
def test_what_stays_crosses_nothing_and_what_goes_did(members: list[tuple[int, int]]) -> None:
    words = Words(list, tuple("abcdefgh"))
    document = conll_fitting(Document("d", {"a": members}, sentences=[8], words=words))
    kept = set(spans(document.clusters["a"]))
    assert kept <= set(members)
    assert not any(crosses(one, other) for one in kept for other in kept)
    for gone in set(members) - kept:
        assert any(crosses(one, gone) for one in kept)
    write(document, "conll")


# Nothing is lost untold

RICH = Examples(
    "rich", "all that a file of the format can say, each thing marked by a word in zz", format_names()
)
MARKS = re.compile("zz[a-z]+")


NO_SUCH = "has no tokens|say where|not known to be spans|neither a text"
"""The reasons why a document cannot be written at all."""


@every("form", RICH)
@every("target", WRITERS)
def test_each_thing_arrives_or_is_told(form: str, target: str) -> None:
    """As many things are counted as marks are gone: a reader that passes over some says so."""
    written, file = RICH[form], converted(form, target)
    if file is not None:
        gone = set(MARKS.findall(written)) - set(MARKS.findall(file.text + (file.text_beside or "")))
        told = in_words(file.lost) or "nothing"
        assert len(gone) <= sum(file.lost.values()), f"{sorted(gone)} did not arrive; {told} is told"


def converted(form: str, target: str) -> Written | None:
    """Return what the rich document of a format becomes; None if it lacks what the target must have."""
    documents = read(put(f"rich{path_of(form, 'rich').suffix}", RICH[form]), form)
    try:
        return write_file(documents, target, lossy=True)
    except InputError as error:
        if re.search(NO_SUCH, error.why):
            return None
        raise


OF_WEBANNO = (
    '1 "identifier" value, 1 "NamedEntity" value, 2 "zzentity" values, 1 "infstat" value, '
    '1 "kind" value, 1 "Referent" value'
)


@pytest.mark.parametrize(
    ("form", "target", "told"),
    [
        ("webanno", "webanno", OF_WEBANNO),
        ("jsonlines", "jsonlines", '1 "zzc" value, 1 "zzd" value'),
        ("brat", "tsv", "1 zzc relation, 1 attribute, 1 normalisation, 1 note"),
        ("litbank", "clusters", "2 categories, 2 mention texts, 2 mention kinds, 1 COP line"),
        ("mmax", "booknlp", '2 "np_form" values, 1 "gender" value'),
        ("corefud", "corefud", ""),
        ("ua", "ua", '1 "REFERENCE" value, 1 "NOM_SEM" value'),
        ("stanza", "corefud", "1 representative mention"),
    ],
)
def test_what_readers_pass_over_is_told_by_its_name(form: str, target: str, told: str) -> None:
    file = converted(form, target)
    assert file is not None
    assert in_words(file.lost) == told


NO_THINGS = {
    "id": "compared where a file is read again",
    "path": "not in the file",
    "sentences": "compared by the writers that have them",
    "format": "not in the file", "written": "not in the file", "notes": "told by themselves",
    "category_notes": "told by themselves", "file_notes": "told by themselves",
    "key": "a name of `clusters`",
    "unit": "about the numbers of the file", "half_open": "about the numbers of the file",
    "exclusive": "about the numbers of the file", "first": "about the numbers of the file",
    "unit_name": "about the numbers of the file", "flat": "tells that sentences are unknown",
    "refused": "a document that is not converted", "repairs": "refused", "against": "a way to read it",
    "windows": "not in a file",
    "tags": "a column of `trees` or `words`", "numbered": "about the names of `clusters`",
    "sentence_ids": "comments of `trees`", "empty_nodes": "rows of `trees`",
    "sha256": "not in the file", "subtokens": "words of `words` in smaller parts",
}  # fmt: skip
"""The other fields of a document, and why they hold nothing to be lost."""


def test_every_field_of_a_document_is_counted_or_holds_nothing() -> None:
    """A new field that a reader fills is a new thing to lose: say how to count it."""
    assert {*THINGS, *NO_THINGS} == set(Document._fields)
    assert not THINGS.keys() & NO_THINGS.keys()


WORD = Word(0, 1)
WIDE = Nodes.of([WORD, Word(0, 2)])
INSIDE: dict[str, tuple[NamedTuple, dict[str, Any]]] = {
    "Tree": (Tree([], []), {"comments": ["# a"], "rows": [SyntaxRow("1-2", *("_",) * 9)]}),
    "SyntaxRow": (SyntaxRow("1", "w", "_", "_", "_", "_", "0", "_", "_", "_"), {
        "id": "1.1", "lemma": "a", "upos": "a", "xpos": "a", "feats": "a", "head": "2",
        "deps": "a", "misc": "a",
    }),
    "Relations": (Relations(), {
        "sets": {"a": ["b"]}, "bridging": [Bridge(None, "a", None, "b", "")],
        "non_referring": [(0, 1)], "no_clusters": {"a": [(0, 1), (1, 2)]},
    }),
    "Bridge": (Bridge(None, "a", None, "b", ""), {"relation": "part"}),
    "Candidate": (Candidate("NIL1"), {"id": "Q1", "score": 0.5, "type": "PER"}),
    "StoredMarkable": (StoredMarkable(WIDE, WORD, Nodes((), ()), ()), {"minimum": WIDE, "other": "a:b"}),
}  # fmt: skip
"""A thing that holds nothing to be lost, and what each of its fields may say more."""
OF_OTHERS = {
    "SyntaxRow": {"form": "a token", "deprel": "comes with `head`"},
    "Bridge": dict.fromkeys(("anaphor", "anaphor_entity", "antecedent", "antecedent_entity"), "one link"),
    "StoredMarkable": {
        "nodes": "the mention", "head": "comes with `minimum`", "pieces": "as the mention",
        "edges": "in `deps`",
    },
}  # fmt: skip
"""Fields that say nothing of their own, and why."""


@pytest.mark.parametrize("kind", INSIDE)
def test_every_field_inside_a_document_is_counted(kind: str) -> None:
    bare, more = INSIDE[kind]
    assert {*more, *OF_OTHERS.get(kind, ())} == set(bare._fields)
    for field, value in more.items():
        fuller = bare._replace(**{field: value})
        assert lost(held(holding(fuller)), holding(bare)) != {}, f"{kind}.{field} would be lost untold"


def holding(thing: NamedTuple) -> Document:
    """Return a document with one thing inside."""
    bare = Document("d", {"a": [(0, 1)]}, sentences=[2], words=Words(list, ("v", "w")))
    if isinstance(thing, Tree | SyntaxRow):
        tree = thing if isinstance(thing, Tree) else Tree([], [thing])
        return bare._replace(trees=OnDemand(list, (tree,)))
    if isinstance(thing, Relations | Bridge):
        relations = thing if isinstance(thing, Relations) else Relations(bridging=[thing])
        return bare._replace(relations=OnDemand(lambda: relations))
    if isinstance(thing, Candidate):
        return bare._replace(annotations=[Annotation(0, 1, (thing,))])
    return bare._replace(markables=OnDemand(dict, {"a": [thing]}))


def test_heads_that_are_made_up_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """CorefUD names a head for each mention, and JSON none: a profile that matches heads would take them."""
    convert(put("in", CROSSING | {"clusters": [[[0, 2], [3, 3]]]}), "out", "corefud")
    told = "2 heads written that the input does not name: the first word of each mention"
    assert warnings(capsys) == [told]
    convert("out", "again", "corefud", "--force")
    assert warnings(capsys) == []


def test_what_needs_no_action_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Columns in which every token has an underscore, and tokens whose text lies beside."""
    row = "\t_" * 8
    put(
        "in.conll",
        f"#begin document (d); part 0\nd\t0\t0\tAnn{row}\t(0)\nd\t0\t1\tran{row}\t_\n#end document\n",
    )
    convert("in.conll", "out.json", "clusters")
    convert("in.conll", "out.ann", "brat")
    assert warnings(capsys) == []
    assert text("out.txt") == "Ann ran\n"
