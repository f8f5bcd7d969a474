"""Rules of the exploded format that its scorers need, one file each, and files that break none of them."""

from pathlib import Path

import pytest
from every import every
from validating import places_of_problems

from scorch2.formats.conllu.validity import ua_problems
from scorch2.formats.copies import write_file
from scorch2.formats.reading import documents, read

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
HEADER = "# newdoc id = d\n"


def row(name: object, identity: str = "_", bridging: str = "_", deixis: str = "_", form: str = "w") -> str:
    return "\t".join([str(name), form, *"________", identity, bridging, deixis, "_", "_\n"])


def mark(more: str = "", entity: str = "1", name: str = "m") -> str:
    """Return an opening bracket without its end."""
    return f"(EntityID={entity}|MarkableID={name}{more}"


def broken(text: str) -> list[str]:
    """Return the rules that a file called d breaks."""
    return [f"{one.document}: {one.message}" for one in ua_problems(text.encode(), "d")]


@pytest.mark.parametrize(
    "text",
    [
        HEADER + row(1, mark("|Min=1,2")) + row("1.1", mark("", "2", "z") + ")") + row(2, ")"),
        HEADER + row(1, mark()) + row(2, ")" + mark("", "2", "n")) + "\n" + row(3, ")"),
        HEADER + row(1, mark()) + row(2, mark("", "2", "n")) + row(3, "m)") + row(4, "n)"),
        HEADER + row(1, mark("", "1-Pseudo") + ")"),
        HEADER + row(1, mark() + ")" + mark("", "2", "n") + ")", "(MarkableID=n|MentionAnchor=m)"),
        HEADER + row(1, deixis=mark("|Min=1") + ")") + "\n# newdoc id = e\n" + row(1),
    ],
)
def test_a_valid_file_has_no_problem(text: str) -> None:
    assert broken(text) == []


@every(("text", "line", "why"), [
        (row(1), 1, "a document without a line # newdoc id = <name>: its scorers leave it out"),
        ("# newdoc id = \xa0\n" + row(1), 1,
         "a document without a line # newdoc id = <name>: its scorers leave it out"),
        ("# newdoc\n" + row(1), 1,
         "a document without a line # newdoc id = <name>: its scorers leave it out"),
        (HEADER + row(0), 2, 'the row is called "0" (words count through the document: 1)'),
        (HEADER + row(1) + "\n" + row(1), 4, 'the row is called "1" (words count through the document: 2)'),
        (HEADER + row(1) + row("1.2"), 3, 'the row is called "1.2" (words count through the document: 1.1)'),
        (HEADER + row("1-2") + row(1) + row(2), 2,
         "1-2 is a token of several words, and scorers count it as a word"),
        (HEADER + "1" + "\t_" * 11 + "\n", 2,
         "no column DISCOURSE_DEIXIS, without which scorers of it and of bridging stop"),
        (HEADER + row(1, form="New York"), 2,
         "an empty cell, or whitespace inside one: scorers split there, and columns move"),
        (HEADER + row(1, ""), 2,
         "an empty cell, or whitespace inside one: scorers split there, and columns move"),
        (HEADER + row(1, mark() + "@" + mark("", "2", "n") + ")") + row(2, ")"), 2,
         "brackets are joined by @, which scorers take for a part of the value before it"),
        (HEADER + row(1, mark()) + row(2, mark("", "2", "n") + "))"), 3,
         "a markable closes after another one opens on the word (write what closes first)"),
        (HEADER + row(1, mark("|Min=2") + ")") + row(2), 2,
         'Min of "m" is not inside it, so that nothing matches it partly'),
        (HEADER + row(1) + row("1.1", mark("|Min=1") + ")"), 3, 'the zero "m" has a Min'),
        (HEADER + row(1, mark("", "1_Pseudo") + ")"), 2,
         'entity "1_Pseudo" refers to something (write -Pseudo if it does not)'),
        (HEADER + row(1, mark() + ")" + mark("", "2", "n") + ")", "(MarkableID=n|EntityAnchor=1)"), 2,
         "a bridging link without MentionAnchor, which scorers of bridging need"),
    ])  # fmt: skip
def test_a_problem_is_named_with_its_line(text: str, line: int, why: str) -> None:
    assert broken(text) == [f"d: line {line}: {why}"]


def test_every_problem_is_a_line_of_validate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    broken = HEADER + row(0, mark("|Min=2") + ")") + row(1)
    assert places_of_problems("d.conllua", broken, capsys) == ["line 2", "line 2", "line 3"]
    assert places_of_problems("d.conllua", HEADER + row(1, mark() + ")"), capsys) == []


def test_what_the_writer_writes_is_valid() -> None:
    found = 0
    for path in sorted((FIXTURES / "universal_anaphora").glob("*-r0*/key.*")):
        text = write_file(read(str(path)), "ua", lossy=True).text
        assert [why for why in broken(text) if "is not inside it" not in why] == []
        found += 1
    assert found == 17


def test_tokens_of_several_words_are_left_out() -> None:
    rows = ["1-2\tdusel", "1\tdu", "2\tsel"]
    text = HEADER + "".join(one + "\t_" * 8 + "\n" for one in rows)
    corefud = "# global.Entity = eid-etype-head-other\n" + text + "\n"
    written = write_file(documents(corefud.encode(), "d.conllu"), "ua")
    assert [line.partition("\t")[0] for line in written.text.splitlines() if line[:1].isdigit()] == ["1", "2"]
    assert broken(written.text) == []
    assert written.lost == {"multiword token": 1}
