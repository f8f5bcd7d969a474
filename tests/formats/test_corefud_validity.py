"""Rules of valid CorefUD, one file each, and files that break none of them."""

from pathlib import Path

import pytest
from effort import assert_in_proportion
from every import every
from validating import places_of_problems

from scorch2.cli.main import main
from scorch2.formats.conllu.validity import corefud_problems
from scorch2.model.errors import Notice

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
HEADER = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
COLUMNS = "\t_\t_\t_\t_\t0\t_\t_\t"
ZERO = "0.1\t_\t_\t_\t_\t_\t_\t_\t{}:nsubj\tEntity=(a--1)\n"
ORDERS = {
    "open": "the brackets should stand in this order: what closes, what opens, mentions of one word",
    "word": "the brackets should stand in this order: mentions of one word, what closes",
}


def rows(*cells: str) -> str:
    """Return a sentence whose first word is on line 3 after `HEADER`."""
    found = [f"{word}\tw{COLUMNS}{f'Entity={cell}' if cell else '_'}\n" for word, cell in enumerate(cells, 1)]
    return "".join(found) + "\n"


def broken(text: str) -> list[str]:
    """Return the rules that a file called d breaks, but for what the validator only warns of."""
    told = [one for one in corefud_problems(text.encode(), "d") if one.code != "crossing others"]
    return [f"{one.document}: {one.message}" for one in told]


@every(
    "text",
    [
        HEADER + rows("(a--1(b--1", "(c--1)b)", "(d--1)a)"),
        HEADER + rows("(a--1", "a)(b--1(c--1)", "b)"),
        HEADER + rows("(a--1(b--1", "b)", "a)"),
        HEADER + rows("(a--1", "(b--1", "a)", "b)"),
        HEADER + rows("(a-x-1", "(a-x-1)", "a)"),
        HEADER + ZERO.format("2") + rows("", ""),
        HEADER + rows("(a[1/2]-x-2-k:v)", "", "(a[2/2]-x-2-k:v)"),
        HEADER + rows("(a-x-1)", "(b-x-1)|Bridge=a<b:part", "(c-x-1)|SplitAnte=a<c,b<c"),
        HEADER
        + rows("(a-x-1)")
        + "# newdoc id = e\n# global.Entity = eid-etype-head-other\n"
        + rows("(b-y-1)"),
        # the second piece of a mention opens before a longer mention: only first pieces have an order
        HEADER + rows("(a[1/2]--1)", "", "(a[2/2]--1(b--1", "a[2/2])", "", "b)"),
        "# newdoc id = d\n# global.Entity = eid-etype-head\n" + rows("(a--1)"),
        "# newdoc id = d\n" + rows("", ""),
    ],
)
def test_a_valid_file_has_no_problem(text: str) -> None:
    assert broken(text) == []


@every(("text", "line", "why"), [
        ("# global.Entity = GRP-etype-head\n" + rows("(a--1)"), 1,
         'the fields are "GRP-etype-head" (valid are eid-etype-head and eid-etype-head-other)'),
        ("# global.Entity = eid-head-etype\n" + rows("(a-1-)"), 1,
         'the fields are "eid-head-etype" (valid are eid-etype-head and eid-etype-head-other)'),
        (HEADER + rows("(a--1", "(b--1)(c--1", "c)a)"), 4, ORDERS["open"]),
        (HEADER + rows("(a--1", "(b--1)a)(d--1", "d)"), 4, ORDERS["open"]),
(HEADER + rows("(a--1)(b--1", "b)"), 3, ORDERS["open"]),
        (HEADER + rows("(a--1", "a)(b--1)"), 4, ORDERS["word"]),
        (HEADER + rows("(a--1(b--1", "a)", "b)"), 3, 'a mention of "a" opens before a longer one, of "b"'),
        (HEADER + rows("(a[1/2]--1(b--1", "a[1/2])", "", "b)", "(a[2/2]--1)"), 3,
         'a mention of "a" opens before a longer one, of "b"'),
        (HEADER + rows("(a--1)|Bridge=b<a", "(b--1)|Bridge=b<a"), 4,
         'Bridge of "a", of which no mention opens here'),
        (HEADER + rows("(a--1)", "(b--1)|Bridge=a<b,a<b:part"), 4, 'Bridge links "a" and "b" 2 times'),
        (HEADER + rows("(a--1)", "(b--1)|SplitAnte=a<b"), 4,
         'SplitAnte of "b" names one antecedent (it needs two or more)'),
        (HEADER + rows("(a--0)"), 3, 'the head of a mention of "a" is "0" (count from 1)'),
        (HEADER + rows("(a--01)"), 3, 'the head of a mention of "a" is "01" (count from 1)'),
        (HEADER + rows("(a--2)"), 3, "the head of a mention of 1 word is 2"),
        (HEADER + rows("(a--1", "(b--1)"), 3, 'a mention of "a" does not end'),
        (HEADER + rows("(a[1/2]--1)", "(b--1)"), 3, 'a mention of "a" does not end'),
        (HEADER + ZERO.format("3") + rows("(b--1)", ""), 3,
         'the empty node 0.1 depends on "3", which is not there'),
        (HEADER + ZERO.format("2.1") + rows("(b--1)", ""), 3,
         'the empty node 0.1 depends on "2.1", which is not there'),
        (HEADER + "1\tw\t_\t_\t_\t_\t0\t_\t0:root|1.1:obj\t_\n\n", 3,
         'word 1 depends on "1.1", which is not there'),
        (HEADER + rows("(a)"), 3, 'the head of a mention of "a" is "" (count from 1)'),
        (HEADER + rows("(a-x-1)", "(a-y-1)"), 4, 'entity "a" has the types "x" and "y"'),
        (HEADER + rows("(a[1/1]--1)"), 3, 'a mention of "a" is numbered, but has one part (leave out [1/1])'),
        (HEADER + rows("(a[1/2]--1)", "", "(a[2/2]--2)"), 5,
         'the parts of a mention of "a" have different fields'),
        (HEADER + rows("(a--1)(b--1)"), 3, 'two mentions of the same words: of "b" and "a"'),
        (HEADER + rows("(a--1", "(a[1/2]--1)", "a)", "(a[2/2]--1)"), 4,
         'a mention of "a" crosses another one'),
        (HEADER + rows("(a--1)") + "# newdoc id = e\n" + rows("(a--1)"), 6,
         'entity "a" is in document "d", too'),
        (HEADER + "1-2\tvw" + COLUMNS + "Entity=(a--1)\n" + rows("", ""), 3,
         "coreference on a token of several words (write it on one of them)"),
    ])  # fmt: skip
def test_a_problem_is_named_with_its_line(text: str, line: int, why: str) -> None:
    assert broken(text) == [f"d: line {line}: {why}"]


def test_every_problem_is_a_line_of_validate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    broken = HEADER + rows("(a--0)", "(b)")
    assert places_of_problems("d.conllu", broken, capsys) == ["line 3", "line 4"]
    assert places_of_problems("d.conllu", HEADER + rows("(a--1)"), capsys) == []


def test_what_the_writer_writes_is_valid() -> None:
    from scorch2.formats.copies import write_file
    from scorch2.formats.reading import read

    found = 0
    for path in sorted((FIXTURES / "universal_anaphora").glob("*-r0*/*.[cu]*")):
        text = write_file(read(str(path)), "corefud", lossy=True).text
        assert broken(text) == []
        found += 1
    assert found == 34


def test_mentions_of_two_entities_that_cross_are_told() -> None:
    """The validator of Universal Dependencies only warns of them."""
    text = HEADER + rows("(a--1", "(b--1", "a)(c--1", "b)", "c)") + rows("(a--1", "(b--1)", "a)")
    why = "a mention crosses one of another entity"
    assert list(corefud_problems(text.encode(), "d")) == [
        Notice("crossing others", "d", f"line {line}: {why}") for line in (4, 5)
    ]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["(a[1/2]--1)", "(a--1", "(a[2/2]--1)", "a)"], ['d: line 4: a mention of "a" crosses another one']),
        (["(a--1", "(a[1/2]--1)", "", "(a[2/2]--1)a)"], []),
        (["(a[1/2]--1)", "(a[2/2]--1)", "(a--1)"], []),
        (
            ["(a--1(b[1/2]--1)", "(b[2/2]--1)a)"],
            ['d: line 3: two mentions of the same words: of "b" and "a"'],
        ),
    ],
    ids=["crossing", "inside", "beside", "equal"],
)
def test_mentions_in_pieces_are_their_nodes(cells: list[str], expected: list[str]) -> None:
    """Pieces that touch are as good as one."""
    found = broken(HEADER + rows(*cells))
    assert [one for one in found if "cross" in one or "same" in one] == expected


@pytest.mark.parametrize("step", [0, 1], ids=["inside each other", "crossing"])
def test_mentions_are_checked_in_proportion(step: int) -> None:
    """They begin one after the other, and end in the other order or in the same."""

    def run(number: int) -> None:
        begins = [f"(e{n}--1" for n in range(number)]
        ends = [f"e{n})" for n in (range(number) if step else reversed(range(number)))]
        assert len(list(corefud_problems((HEADER + rows(*begins, *ends)).encode(), "d"))) == step * (
            number - 1
        )

    assert_in_proportion(run, 100)


def test_broken_rules_are_named_beside_what_cannot_be_scored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of each document, though none can be scored."""
    text = "".join(
        HEADER.replace("id = d", f"id = {name}") + rows(f"({name}1--1)({name}2--1)", f"({name}1--0)")
        for name in "de"
    )
    monkeypatch.chdir(tmp_path)
    Path("d.conllu").write_text(text, "utf-8")
    assert main(["validate", "d.conllu"]) == 1
    out, err = capsys.readouterr()
    assert [line.partition(",")[0] for line in out.splitlines()] == [
        'd.conllu: document "d"',
        'd.conllu: document "e"',
    ]
    told = [line.removeprefix("scorch2: warning: d.conllu: ").partition(":")[0] for line in err.splitlines()]
    assert told == ["line 3", "line 8", "line 4", "line 9", "scorch2"]


def test_a_rule_that_is_broken_often_is_told_five_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `score` does with its warnings. Only with --strict is it a problem."""
    monkeypatch.chdir(tmp_path)
    Path("d.conllu").write_text(HEADER + rows(*["(a--0)"] * 7, "(b--1)|Bridge=c<b,c<b", "(c--1)"), "utf-8")
    assert main(["validate", "d.conllu"]) == 0
    out, err = capsys.readouterr()
    head, link = 'the head of a mention of "a" is "0" (count from 1)', 'Bridge links "c" and "b" 2 times'
    lines = [f"d.conllu: line {line}: {head}" for line in range(3, 8)]
    told = [*lines, "… and 2 more of this kind (heads)", f"d.conllu: line 10: {link}"]
    assert (out, err.splitlines()) == ("", [f"scorch2: warning: {line}" for line in told])
    assert main(["validate", "--strict", "d.conllu"]) == 1
    assert [*capsys.readouterr()] == ["\n".join([*told, ""]), "scorch2: 8 problems in 1 file\n"]
    assert main(["validate", "--strict", "-v", "d.conllu"]) == 1
    assert len(capsys.readouterr().out.splitlines()) == 8
