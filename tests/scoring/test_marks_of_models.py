"""Answers of language models against gold: what is read, what is refused, and how words are compared."""

import json
from pathlib import Path

import pytest

from scorch2 import InputError, read, score
from scorch2.cli.main import main

GOLD = "#begin document (a); part 000\n{}#end document\n"
ANN = [("Ann", "(0)"), ("left", "-"), ("she", "(0)")]
BRACKETS = [("[laughs]", "-"), *ANN[:2], ("[", "-"), ("5", "-"), ("]", "-"), ("[here](page)", "-"), ANN[2]]


def written(folder: Path, rows: list[tuple[str, str]], answer: str, name: str = "a.txt") -> list[str]:
    gold = folder / "g.conll"
    lines = [f"a\t0\t{i}\t{word}\t{cell}\n" for i, (word, cell) in enumerate(rows)]
    gold.write_text(GOLD.format("".join(lines)), encoding="utf-8")
    system = folder / name
    system.write_text(answer, encoding="utf-8")
    return [str(gold), str(system)]


def scored(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["-m", "muc", "-f", "json", *words])
    out, err = capsys.readouterr()
    return status, out, err


@pytest.mark.parametrize(
    ("form", "answer", "align"),
    [
        ("markdown", "[Ann](1) left [she](1)", "none"),
        ("markdown", "[Ann](E1) gone [she](E1)", "text"),
        ("markdown", "[Ann][1] left [she][1]", "none"),
        ("bracketed", "[Ann | 1] left [she | 1]", "none"),
        ("bracketed", "Sure:\n[Ann]_1 left [she]_1", "text"),
        ("tagged", "[m1]Ann[/m1] left [m1]she[/m1]", "none"),
        ("tagged", "<e1>Ann</e1> left the <e1>she</e1>", "text"),
        ("plaintext", "Ann|[e1] left indeed she|[e1]", "text"),
        ("jsonlines", 'Sure:\n```json\n{"doc_key": "a", "clusters": [[[0, 0], [2, 2]]]}\n```\nDone.', "none"),
    ],
)
def test_an_answer_is_read_and_its_words_are_aligned_where_they_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str, answer: str, align: str
) -> None:
    words = written(tmp_path, ANN, answer)
    status, out, err = scored(capsys, f"--sys-format={form}", *words)
    assert status == 0, err
    report = json.loads(out)
    assert (report["scores"]["muc"]["f1"], report["options"]["align"]) == (1.0, align)
    assert ("align=text" in report["signature"]) == (align == "text")
    assert score(*words, sys_format=form, metrics=["muc"]).muc.f1 == 1.0


def test_a_typed_alignment_wins(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = written(tmp_path, ANN, "[Ann]_1 gone [she]_1")
    status, out, _ = scored(capsys, "--align=none", "--sys-format=bracketed", *words)
    assert (status, json.loads(out)["options"]["align"]) == (0, "none")


def test_documents_in_python_choose_an_alignment_too(tmp_path: Path) -> None:
    gold, system = written(tmp_path, ANN, "Sure: [Ann](#1) left [she](#1)")
    report = score(read(gold), read(system), metrics=["muc"])
    assert (report.muc.f1, report.options.align) == (1.0, "text")
    with pytest.raises(InputError, match="text"):
        score(read(gold), read(system), metrics=["muc"], align="none")


@pytest.mark.parametrize(
    "marks", ["Ann left [ 5 ] [here](page) she", "[Ann]_1 left [ 5 ] [here](page) [she]_1"]
)
def test_brackets_of_gold_are_words(tmp_path: Path, capsys: pytest.CaptureFixture[str], marks: str) -> None:
    words = written(tmp_path, BRACKETS, f"[laughs] {marks}")
    status, out, err = scored(capsys, "--sys-format=bracketed", *words)
    assert (status, json.loads(out)["scores"]["muc"]["f1"]) == (0, 1.0 if "_1" in marks else 0.0)
    assert ("no mention in it" in err) == ("_1" not in marks)


@pytest.mark.parametrize(
    ("rows", "answer", "first"),
    [
        (ANN, ("markdown", "[Ann](#1) left [she](#1) [he]"), "[he]"),
        (ANN, ("tagged", "<m>Ann</m>#1 left <m>she</m>#1 <e1>"), "<e1>"),
        (ANN, ("plaintext", "Ann|[e1] left [she](1) She|[e1]"), "[she](1)"),
        (ANN, ("plaintext", "Ann|[e1] left she|[e1]"), ""),
        (BRACKETS, ("markdown", "[laughs] [Ann](1) left [ 5 ] [sic] [here](page) [she](1)"), "[sic]"),
        (BRACKETS, ("markdown", "[laughs] [Ann](1) left [ 5 ] [here](page) [she](1)"), ""),
    ],
)
def test_brackets_are_told_that_gold_lacks_and_that_are_no_marks(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    rows: list[tuple[str, str]],
    answer: tuple[str, str],
    first: str,
) -> None:
    form, text = answer
    status, _, err = scored(capsys, f"--sys-format={form}", *written(tmp_path, rows, text))
    assert (status, "not read" in err) == (0, bool(first))
    assert f'1 bracket or tag not read: the first is "{first}"' in err or not first


def test_a_link_of_gold_is_no_mention(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = written(tmp_path, BRACKETS, "[laughs] [Ann](1) left [ 5 ] [here](page) [she](1)")
    status, out, _ = scored(capsys, "-m", "mentions", "--sys-format=markdown", *words)
    assert (status, json.loads(out)["scores"]["mentions"]["precision"]) == (0, 1.0)


WHOLE = "# newdoc id = a-000\n[laughs] [Ann](#0) left [ 5 ] [here](page) [she](#0)\n"
WINDOWS = (
    "# newdoc id = a-000#1\n[laughs] [Ann](0) left\n# newdoc id = a-000#2\n[ 5 ] [here](page) [she](0)\n"
)
TOGETHER = ["--documents=corpus", "--ids=shared"]
JOINED = ["--align=text", "--join-windows=(.+)#[0-9]+"]


@pytest.mark.parametrize(
    ("options", "answer", "align"),
    [
        (TOGETHER, f"{WHOLE}# newdoc id = b-000\n[Ann](#0) left [she](#0)\n", "none"),
        (TOGETHER, f"{WHOLE}# newdoc id = b-000\n[Ann](#0) then left [she](#0)\n", "text"),
        (JOINED, f"{WINDOWS}# newdoc id = b-000\n[Ann](0) left [she](0)\n", "text"),
    ],
    ids=["documents together", "documents together, other words", "windows"],
)
def test_brackets_of_gold_are_words_where_documents_are_joined(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], answer: str, align: str
) -> None:
    gold, system = written(tmp_path, BRACKETS, answer)
    second = "".join(f"b\t0\t{i}\t{word}\t{cell}\n" for i, (word, cell) in enumerate(ANN))
    with Path(gold).open("a", encoding="utf-8") as file:
        file.write(GOLD.replace("(a)", "(b)").format(second))
    status, out, err = scored(capsys, *options, "-m", "mentions", "--sys-format=markdown", gold, system)
    assert status == 0, err
    report = json.loads(out)
    assert (report["scores"]["mentions"]["f1"], report["options"]["align"]) == (1.0, align)


def test_windows_with_brackets_of_which_none_is_a_mention_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = written(
        tmp_path, ANN, "# newdoc id = a-000#1\n[Ann](0) left\n# newdoc id = a-000#2\n<e1>she</e1>\n"
    )
    status, out, err = scored(capsys, *JOINED, "--sys-format=markdown", *words)
    assert (status, out) == (2, "")
    assert 'line 4, column 1: 2 brackets and tags, of which none is a mention: the first is "<e1>"' in err


@pytest.mark.parametrize(
    ("options", "answer", "why"),
    [
        (
            ["--sys-format=bracketed"], "[Ann](1) left [she](1)",
            'of which none is a mention: the first is "[Ann](1)" (name the format markdown',
        ),
        (
            ["--sys-format=markdown"], "Ann left [laughs] she",
            'of which none is a mention: the first is "[laughs]" (known are bracketed: [x]_1',
        ),
        (["--sys-format=plaintext"], "Ann left <e1>she</e1>", "name the format tagged"),
        ([], "[Ann]_1 left [she]_1", "--sys-format=bracketed"),
        ([], "[[Ann](1) left](2) [she](1)", "--sys-format=markdown"),
        ([], "<e1>Ann</e1> left <e1>she</e1>", "--sys-format=tagged"),
        ([], "Sure: <m>Ann</m>#1 left <m>she</m>#1", "--sys-format=tagged"),
        ([], '{"clusters": [["Ann", "she"]]}', "ask the model to copy the text with marks"),
        ([], '```json\n{"clusters": [["Ann", "she"]]}\n```\n', "holds clusters of texts"),
        ([], "Ann left she", "not a known format"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_refused_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], answer: str, why: str
) -> None:
    status, out, err = scored(capsys, *options, *written(tmp_path, ANN, answer))
    assert (status, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1
