"""The converters of neleval: its text where it is right, what its documentation says where it is not."""

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from every import every
from score_reports import put, run

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "converters"
RUNS: list[tuple[str, dict[str, Any]]] = [
    (path.parent.name, run)
    for path in sorted(FOLDER.glob("*/case.json"))
    for run in json.loads(path.read_text("utf-8"))["runs"]
]


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("folder", "case"), RUNS, ids=[f"{name}: {' '.join(case['argv'])}" for name, case in RUNS]
)
def test_a_converter(
    folder: str, case: dict[str, Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FOLDER / folder)
    status, out, _ = run(capsys, *case["argv"])
    assert status == 0
    if "text" in case:
        assert out == case["text"]
    else:
        assert sorted(out.splitlines()) == sorted(case["sorted"])


def query(ident: str, start: int, end: int) -> str:
    parts = f"<docid>d</docid><beg>{start}</beg><end>{end}</end><name>n</name>"
    return f'<query id="{ident}">{parts}</query>'


# What the figures do not show


def test_spans_come_in_the_order_of_the_peer_or_of_their_offsets(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"r\tm\tx\t{place}\tE1\tPER\tNAM\t0.5" for place in ("d: 100 - 104", "d:9-11", "d: 14 – 20")]  # noqa: RUF001 - an en dash
    put("run", "".join(f"{row}\n" for row in rows))
    for words, order in ((), ["100", "14", "9"]), (("--by-offset",), ["9", "14", "100"]):
        out = run(capsys, "prepare-tac15", *words, "run")[1]
        assert [line.split("\t")[1] for line in out.splitlines()] == order


def test_queries_come_in_the_order_of_the_peer_or_of_their_offsets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    put("q", "<q>" + "".join(query(f"q{i}", i, 200) for i in (9, 14, 100)) + "</q>")
    put("l", "q9\tE\tP\nq14\tE\tP\nq100\tE\tP\n")
    for words, order in ((), ["100", "14", "9"]), (("--by-offset",), ["9", "14", "100"]):
        out = run(capsys, "prepare-tac", *words, "-q", "q", "l")[1]
        assert [line.split("\t")[1] for line in out.splitlines()] == order


def test_queries_and_links_of_older_years(capsys: pytest.CaptureFixture[str]) -> None:
    put("q", f"<q>{query('a', 3, 7)}</q>")
    put("l", "a\tE1\na\tE2\t1.5\n")
    words = ["--type=NA", "--exclusive-ends", "--quiet", "-q", "q", "l"]
    assert run(capsys, "prepare-tac", *words) == (0, "d\t3\t6\tE2\t1.5\tNA\tE1\t1.0\tNA\n", "")


@pytest.mark.parametrize(
    ("excluded", "rows"),
    [("d\t5\t8", 0), ("d\t10\t12", 0), ("d\t8\t8", 0), ("d\t9\t9", 1), ("d\t11\t20", 1), ("e\t0\t99", 1)],
)
def test_mentions_that_begin_or_end_in_a_range_are_left_out(
    excluded: str, rows: int, capsys: pytest.CaptureFixture[str]
) -> None:
    put("run", "r\tm\tx\td:8-10\tE\tPER\tNAM\t0.5\n")
    put("x", f"{excluded}\n")
    assert run(capsys, "prepare-tac15", "-x", "x", "run")[1].count("\n") == rows


def test_spellings_of_a_span_are_one_mention(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"r\tm\tx\t{place}\tE{i}\tPER\tNAM\t0.{i}" for i, place in enumerate(("d:1-2", "d: 1 - 2"), 5)]
    put("run", "".join(f"{row}\n" for row in rows))
    assert run(capsys, "prepare-tac15", "run")[1] == "d\t1\t2\tE6\t0.6\tPER/NAM\tE5\t0.5\tPER/NAM\n"


def test_mentions_in_pieces(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ann").mkdir()
    put("ann/d.ann", "T1\tPER 0 4;9 12\tAnna Lee\nN1\tReference T1 Wikipedia:Lee\tLee\n#1\tnote\n")
    put("ann/d.txt", "Anna and Lee")
    status, out, err = run(capsys, "prepare-brat", "ann")
    assert (status, out) == (0, "d\t0\t11\tLee\t1.0\tPER\n")
    assert "T1 is discontinuous and was read as one span" in err
    assert run(capsys, "prepare-brat", "-q", "ann")[2] == ""
    out = run(capsys, "prepare-brat", "--pieces", "ann")[1]
    assert out == "d\t0\t3\tLee\t1.0\tPER\nd\t9\t11\tLee\t1.0\tPER\n"
    put("ann/d.ann", "T1\tPER 9 12;0 4\tin another order\n")
    assert run(capsys, "prepare-brat", "ann")[1] == "d\t0\t11\tNIL-d-T1\t1.0\tPER\n"


def test_relations_of_coreference_that_brat_rows_lose_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ann").mkdir()
    mentions = "".join(f"T{i}\tPER {i} {i + 1}\tx\n" for i in range(1, 5))
    relations = (
        "R1\tCoref Arg1:T2 Arg2:T1\nR2\tkin Arg1:T2 Arg2:T1\n*\tEquiv T3 T4\nR3\tCoreference a:T4 b:T1\n"
    )
    put("ann/d.ann", mentions + relations)
    put("ann/e.ann", mentions + "R2\tkin Arg1:T2 Arg2:T1\n")
    status, out, err = run(capsys, "prepare-brat", "ann")
    assert (status, out.count("\n")) == (0, 8)
    path = os.path.join("ann", "d.ann")
    assert err == (
        "scorch2: warning: d: 3 relations of coreference not kept "
        f"(scorch2 convert --to=tsv {path} <out> keeps them)\n"
    )
    assert run(capsys, "convert", "--to=tsv", path, "-")[1] == "".join(
        f"d\t{i}\t{i}\tNILT1:d\t\tPER\n" for i in range(1, 5)
    )
    assert run(capsys, "prepare-brat", "-q", "ann")[2] == ""


def test_titles_replace_redirects(capsys: pytest.CaptureFixture[str]) -> None:
    Path("ann").mkdir()
    put("ann/d.ann", "T1\tPER 0 4\tAnna\nN1\tReference T1 http://en.wikipedia.org/wiki/Anna L\tx\n")
    put("map", "Anna Lee\tAnna L\tA. Lee\n")
    assert run(capsys, "prepare-brat", "-m", "map", "ann")[1] == "d\t0\t3\tAnna_Lee\t1.0\tPER\n"


def test_the_last_mention_that_closes_has_the_span(capsys: pytest.CaptureFixture[str]) -> None:
    put("c", "#begin document (d);\na\t(1|(2|(12\nb\t12)|1)|2)\n#end document\n")
    assert run(capsys, "prepare-conll-coref", "c")[1] == "(d);\t1\t2\tNIL2:(d);\t\t\n"


def test_what_looks_like_an_end_line_is_a_token(capsys: pytest.CaptureFixture[str]) -> None:
    put("c", "#begin document d\n#endorse\t(1)\n# a comment\n#\t(2\nb\t2)\n# end document\n")
    out = "d\t1\t1\tNIL1:d\t\t\nd\t2\t3\tNIL2:d\t\t\n"
    assert run(capsys, "prepare-conll-coref", "c") == (0, out, "")


@pytest.mark.parametrize("words", [["to-weak", "-"], ["prepare-conll-coref", "-"], ["prepare-conll-coref"]])
def test_standard_input_is_read(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "to-weak": "d\t3\t4\tE\t0.50\n",
        "prepare-conll-coref": "#begin document d\na\t(1)\n#end document\n",
    }
    expected = {
        "to-weak": "d\t3\t3\tE\t0.50\nd\t4\t4\tE\t0.50\n",
        "prepare-conll-coref": "d\t1\t1\tNIL1:d\t\t\n",
    }
    stream = io.TextIOWrapper(io.BytesIO(texts[words[0]].encode()), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", stream)
    assert run(capsys, *words) == (0, expected[words[0]], "")


def test_a_type_that_ends_in_a_carriage_return_is_read_back(capsys: pytest.CaptureFixture[str]) -> None:
    """The last character before the line feed belongs to the line's end; what is before it, to the type."""
    put("w", "d\t3\t4\tE\t0.5\tPER\r\r\nd\t6\t6\tE\t0.5\tPER\r\n")
    out = "d\t3\t3\tE\t0.5\tPER\r\r\nd\t4\t4\tE\t0.5\tPER\r\r\nd\t6\t6\tE\t0.5\tPER\n"
    assert run(capsys, "to-weak", "w") == (0, out, "")
    put("w", out)
    assert run(capsys, "to-weak", "w") == (0, out, "")


def test_the_systems_choice_at_the_span_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """The example of the specification: E1 stands elsewhere in the document, E2 at the very span."""
    put("g", "d\t0\t4\tE1\t1\tPER\tE2\t0.5\tPER\n")
    put("s", "d\t0\t4\tE2\nd\t5\t6\tE1\n")
    assert run(capsys, "select-alternatives", "-g", "g", "s")[1] == "d\t0\t4\tE2\t0.5\tPER\n"
    put("s", "d\t5\t6\tE2\n")
    assert run(capsys, "select-alternatives", "-g", "g", "s")[1] == "d\t0\t4\tE2\t0.5\tPER\n"
    put("s", "other\t5\t6\tE2\n")
    assert run(capsys, "select-alternatives", "-g", "g", "s")[1] == "d\t0\t4\tE2\t0.5\tPER\n"
    put("s", "d\t5\t6\tE3\n")
    assert run(capsys, "select-alternatives", "-g", "g", "s")[1] == "d\t0\t4\tE1\t1.0\tPER\n"
    put("s", "d\t5\t6\tE2\t1\tORG\n")
    assert run(capsys, "select-alternatives", "-f", "*", "-g", "g", "s")[1] == "d\t0\t4\tE1\t1.0\tPER\n"


def test_candidates_come_by_their_scores(capsys: pytest.CaptureFixture[str]) -> None:
    put("g", "d\t0\t4\tE1\t0.5\tPER\tE2\t1\tPER\n")
    put("s", "d\t5\t6\tE1\nd\t8\t9\tE2\n")
    assert run(capsys, "select-alternatives", "-g", "g", "s")[1] == "d\t0\t4\tE2\t1.0\tPER\n"
    put("s", "d\t5\t6\tE7\n")
    assert run(capsys, "select-alternatives", "-g", "g", "s")[1] == "d\t0\t4\tE2\t1.0\tPER\n"


@pytest.mark.parametrize(
    ("fields", "system", "chosen"),
    [
        ("sex", 'E9\t1\t{"sex": "f"}', "E2"),
        ("type", "E9\t1\tORG", "E2"),
        ("year", 'E9\t1\t{"year": 1}', "E2"),
        ("year", 'E9\t1\t{"year": "1"}', "E1"),
        ("eid,sex", 'E9\t1\t{"sex": "f"}', "E1"),
        ("*", 'E3\t0.5\t{"year": 0, "sex": "n", "type": "LOC"}', "E3"),
        ("*", 'E3\t0.6\t{"year": 0, "sex": "n", "type": "LOC"}', "E1"),
    ],
)
def test_members_of_types_are_fields(
    fields: str, system: str, chosen: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """1 is not "1", and the order of members says nothing."""
    gold = [
        'E1\t0.9\t{"type": "PER", "sex": "m", "year": "1"}',
        'E2\t0.8\t{"type": "ORG", "sex": "f", "year": 1}',
        'E3\t0.5\t{"type": "LOC", "sex": "n", "year": 0}',
    ]
    put("g", "\t".join(["d\t0\t4", *gold]) + "\n")
    put("s", f"d\t0\t4\t{system}\n")
    assert run(capsys, "select-alternatives", "-f", fields, "-g", "g", "s")[1].split("\t")[3] == chosen


def test_many_ways_up_a_tree_are_walked_once(capsys: pytest.CaptureFixture[str]) -> None:
    """Forty diamonds on top of each other: 2 ** 40 ways from the lowest type to the highest."""
    tree: dict[str, list[str]] = {}
    for i in range(40):
        tree |= {f"a{i}": [f"b{i}", f"c{i}"], f"b{i}": [f"a{i + 1}"], f"c{i}": [f"a{i + 1}"]}
    out = run(capsys, "weights-for-hierarchy", json.dumps(tree), "-d", "1")[1]
    assert "a40\ta0\t1.000000\n" in out
    assert out.count("a40\t") == 3 * 40


def test_a_tree_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["weights-for-hierarchy", "-d", "0.1", '{"root": ["A"], "A": ["A1"], "B": ["A1"]}']
    assert (
        run(capsys, *words)[1] == "A\troot\t0.100000\nA1\tA\t0.100000\nA1\tB\t0.100000\nA1\troot\t0.010000\n"
    )


# What makes no sense

QUERY = '<q><query id="q1"><docid>d</docid><beg>1</beg><end>2</end><name>n</name></query></q>'


@every(
    ("files", "words", "message"),
    [
        ({"l": "q1\tE\tPER\n"}, ["prepare-tac", "l"], "prepare-tac needs --queries=<file>"),
        ({"l": "", "q": QUERY}, ["prepare-tac", "-q", "q", "l"], 'l: no candidates for query "q1"'),
        ({"l": "q1\tE\tP\nq2\tE\tP\n", "q": QUERY}, ["prepare-tac", "-q", "q", "l"], "1 id of no query: q2"),
        ({"l": "q1\tE\tP\tx\n", "q": QUERY}, ["prepare-tac", "-q", "q", "l"], 'line 1: the score "x" is not'),
        ({"l": "q1\tE\tP\tnan\n", "q": QUERY}, ["prepare-tac", "-q", "q", "l"], 'the score "nan" is not'),
        ({"l": "", "q": "<!DOCTYPE q><q/>"}, ["prepare-tac", "-q", "q", "l"], "doctype"),
        (
            {"l": "", "q": "<q><query/></q>"},
            ["prepare-tac", "-q", "q", "l"],
            "q: line 1: a query without an id",
        ),
        (
            {"l": "", "q": '<q>\n<query id="1"/></q>'},
            ["prepare-tac", "-q", "q", "l"],
            'line 2: query "1" has no docid',
        ),
        (
            {"l": "", "q": QUERY.replace(">1<", ">x<")},
            ["prepare-tac", "-q", "q", "l"],
            '"x" is not an offset',
        ),
        (
            {"l": "", "q": QUERY, "x": "d\t1\n"},
            ["prepare-tac", "-q", "q", "-x", "x", "l"],
            "x: line 1: 2 cells",
        ),
        ({"r": "a\tb\n"}, ["prepare-tac15", "r"], "r: line 1: 2 cells instead of 8 or more"),
        ({"r": "a\tb\tc\td 1-2\te\tf\tg\t1\n"}, ["prepare-tac15", "r"], '"d 1-2" is not docid: start - end'),
        ({"a": ""}, ["prepare-brat", "a"], "a: "),
        ({}, ["prepare-brat", "."], "no .ann file in it"),
        (
            {"d.ann": "T1\tPER 4 4\tx\n"},
            ["prepare-brat", "."],
            "d.ann: line 1: a mention ends where it begins",
        ),
        ({"d.ann": "T1 PER 4 5\n"}, ["prepare-brat", "."], "d.ann: line 1: a T line is"),
        ({"d.ann": "N1\tx\n"}, ["prepare-brat", "."], "d.ann: line 1: an N line is"),
        ({"d.ann": "N1\tReference T7 W:x\ty\n"}, ["prepare-brat", "."], 'an N line is about "T7"'),
        (
            {"c": "#begin document x\na (1\n\nb 1)\n#end document\n"},
            ["prepare-conll-coref", "c"],
            'c: line 2: a mention of "1" begins here and goes on after the end of its sentence',
        ),
        ({"c": "EU B EU Q1\n"}, ["prepare-conll-coref", "c"], "c: line 1: a token outside a document"),
        ({"l": "q1\tE\n", "q": QUERY}, ["prepare-tac", "-q", "q", "l"], "line 1: 2 cells, but query"),
        ({"l": "q1\tE\tP\t1_0\n", "q": QUERY}, ["prepare-tac", "-q", "q", "l"], 'the score "1_0" is not'),
        *[
            ({"l": "", "q": f"<q>\n{bad}</q>"}, ["prepare-tac", "-q", "q", "l"], f"q: line 2: {why}")
            for bad, why in [
                (query("a", 3, 2), "the start 3 is after the end 2"),
                (query("a", 10**18, 2), "an offset of more than 18 digits"),
                (query("a", 1, 2).replace(">d<", ">d&#9;e<"), 'the docid "d\\te" holds a tab'),
                (query("a", 1, 2).replace(">d<", "><"), "the docid is empty"),
                (query("a", 1, 2).replace(">d<", "><b/>d<"), "an element inside docid"),
                (query("a", 1, 2).replace("<beg>", "<docid>e</docid><beg>"), 'query "a" has a second docid'),
                (query("a", 1, 2) + query("a", 3, 4), 'a second query is called "a"'),
                (f'<query id="b">{query("a", 1, 2)}</query>', 'a query inside query "b"'),
            ]
        ],
        (
            {"l": "", "q": query("a", 2, 2)},
            ["prepare-tac", "--exclusive-ends", "-q", "q", "l"],
            "the mention is empty",
        ),
        (
            {"l": "", "q": QUERY, "m": "A\tx y\nB\tx_y\n"},
            ["prepare-tac", "-q", "q", "-m", "m", "l"],
            'm: line 2: "x_y" is "B" here and "A" above',
        ),
        ({"r": "a\tb\tc\td:2-1\te\tf\tg\t1\n"}, ["prepare-tac15", "r"], "r: line 1: the start 2 is after"),
        ({"d.ann": "T1\tP 0 1\tx\nT1\tP 2 3\ty\n"}, ["prepare-brat", "."], "line 2: a second mention"),
        (
            {"d.ann": "N1\tReference T1 W%FF\ty\n"},
            ["prepare-brat", "."],
            'd.ann: line 1: the escapes in "W%FF" are not UTF-8',
        ),
        ({"d.ann": "N1\tReference T1 W%09\ty\n"}, ["prepare-brat", "."], "line 1: the id "),
        ({"d.ann": f"T1\tP 0 {10**18}\tx\n"}, ["prepare-brat", "."], "an offset of more than 18 digits"),
        (
            {"c": "#begin document a b\n#end document\n#begin document a_b\n#end document\n"},
            ["prepare-conll-coref", "c"],
            'c: two documents would be called "a_b"',
        ),
        ({"w": "d\t0\t100000\tE\n"}, ["to-weak", "w"], "w: line 1: a mention of more than 100000 units"),
        ({"w": "d\t5\t4\tE\n"}, ["to-weak", "w"], "w: line 1: "),
        ({"s": "d\t1\t2\n"}, ["select-alternatives", "s"], "select-alternatives needs --gold=<file>"),
        ({"s": "d\t1\t2\n"}, ["select-alternatives", "-f", "", "-g", "s", "s"], "--fields=: should be names"),
        ({}, ["weights-for-hierarchy", "-d", "1.5", "{}"], "--decay is a number in 0..1"),
        ({}, ["weights-for-hierarchy", "-d", "x", "{}"], "--decay is a number in 0..1"),
        ({}, ["weights-for-hierarchy", '{"a": ["b"], "b": ["a"]}'], '"b" is an ancestor of itself'),
        (
            {"s": "d\t1\t2\tE\t1\tPER\n"},
            ["select-alternatives", "-f", "sex", "-g", "s", "s"],
            's: line 1: the field "sex" is missing in the type',
        ),
        ({}, ["weights-for-hierarchy", '{"a": ["b\\tc"]}'], '$.a: the type "b\\tc" holds a tab'),
        ({}, ["weights-for-hierarchy", '{"a": [""]}'], "$.a: a type is empty"),
        ({}, ["weights-for-hierarchy", '{"a": "b"}'], "$.a: should be a list of types"),
        ({"t": "[]"}, ["weights-for-hierarchy", "t"], "t: $: should be an object"),
        ({}, ["weights-for-hierarchy", '{"a": [], "a": []}'], "is written 2 times"),
    ],
)
def test_one_line_and_status_2(
    files: dict[str, str], words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in files.items():
        put(name, text)
    status, out, err = run(capsys, *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message in err
