"""scorch2 convert to a format that quotes a text: it lies beside each file, and both are written or none."""

import gzip
import json
import os
from itertools import chain
from pathlib import Path

import pytest
from conversion import convert, found, put, refusal, text

import scorch2
from scorch2.formats.reading import read
from scorch2.formats.table import format_names
from scorch2.model.names import categories_of

CONLL = "#begin document (d);\nAnna\t(5)\nleft\t-\n\nher\t(5)\ntown\t-\n#end document\n"
MARKS = "T1\tMention 0 4\tAnna\nT2\tMention 10 13\ther\nR1\tCoref Arg1:T2 Arg2:T1\n"
TEXT = "Anna left\nher town\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder with a document."""
    monkeypatch.chdir(tmp_path)
    put("in.conll", CONLL)
    return tmp_path


def test_these_tests_cover_all_formats_with_a_text_beside() -> None:
    assert format_names(lambda row: row.text_beside) == ("brat",)


@pytest.mark.parametrize(
    ("target", "marks", "beside"),
    [("d.ann", "d.ann", "d.txt"), ("a.b", "a.b", "a.txt"), ("d", "d", "d.txt"), ("x/", "x/d.ann", "x/d.txt")],
)
def test_the_text_is_written_beside(target: str, marks: str, beside: str) -> None:
    convert("in.conll", target, "brat")
    assert (text(marks), text(beside)) == (MARKS, TEXT)
    (document,) = read(marks, "brat")
    assert (document.text, document.clusters) == (TEXT, {"T1": [(0, 4), (10, 13)]})


def test_packed_marks_have_a_plain_text() -> None:
    convert("in.conll", "d.ann.gz", "brat")
    assert gzip.decompress(Path("d.ann.gz").read_bytes()).decode() == MARKS
    assert text("d.txt") == TEXT


def test_every_file_of_a_folder_has_its_text() -> None:
    put("all/a.conll", CONLL)
    put("all/sub/b.conll", CONLL)
    convert("all", "out", "brat")
    assert {name: data.decode() for name, data in found("out").items()} == {
        "a.ann": MARKS, "a.txt": TEXT, "sub/b.ann": MARKS, "sub/b.txt": TEXT,
    }  # fmt: skip


def test_folders_with_texts_pair_and_convert_without_a_choice() -> None:
    put("all/a.conll", CONLL)
    put("all/sub/b.conll", CONLL)
    convert("all", "out", "brat")
    report = scorch2.score("all", "out", align="characters")
    assert [(one.id, one.system_mentions) for one in report.documents] == [("a", 2), ("sub/b", 2)]
    assert report.muc.f1 == 1
    convert("out", "again", "brat")
    assert found("again") == found("out")


def test_a_text_is_passed_over_only_beside_marks(capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("d.ann", "d.txt", "e.json", "e.txt"):
        put(f"all/{name}", MARKS)
    hint = '--files=<glob> chooses, such as --files="*.json"'
    why = f'all: several files for one document: "e" (e.json, e.txt) ({hint})'
    assert refusal(capsys, "all", "out", "--to=clusters") == why


def test_every_document_of_a_file_has_its_text() -> None:
    put("in.conll", CONLL, CONLL.replace("(d)", "(e)"))
    convert("in.conll", "out/", "brat")
    assert list(found("out")) == ["d.ann", "d.txt", "e.ann", "e.txt"]


@pytest.mark.parametrize("data", [b"A\xc3\xa9 b\r\nc", "\U0001f600 é".encode()])
def test_a_text_is_kept_byte_by_byte(data: bytes) -> None:
    put("d.ann", "T1\tMention 0 1\tA\n")
    Path("d.txt").write_bytes(data)
    convert("d.ann", "e.ann", "brat")
    assert Path("e.txt").read_bytes() == data


def test_a_text_that_is_written_is_not_lost(capsys: pytest.CaptureFixture[str]) -> None:
    put("d.ann", MARKS)
    put("d.txt", TEXT)
    convert("d.ann", "e.ann", "brat")
    assert capsys.readouterr().err == ""
    convert("d.ann", "-", "brat")
    out, err = capsys.readouterr()
    assert out == MARKS
    assert err == "scorch2: warning: left out, since brat does not hold them: 1 text beside it\n"


@pytest.mark.parametrize("target", ["d.ann", "./"])
def test_only_the_same_text_is_replaced(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    put("d.txt", TEXT)
    convert("in.conll", target, "brat", "--quiet")
    for other in (TEXT[:-1], f"{TEXT}!", "x"):
        put("d.txt", other)
        why = f"{os.path.join(os.path.dirname(target), 'd.txt')}: holds another text (--force replaces it)"
        assert refusal(capsys, "in.conll", target, "--to=brat") == why
    convert("in.conll", target, "brat", "--force")
    assert text("d.txt") == TEXT
    put("d.txt", "")
    convert("in.conll", target, "brat")
    assert text("d.txt") == TEXT


def test_a_text_that_is_read_only_is_not_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    os.chmod(put("d.txt", TEXT), 0o444)
    why = "d.txt: is read-only (--force replaces it)"
    assert refusal(capsys, "in.conll", "d.ann", "--to=brat") == why


@pytest.mark.parametrize("target", ["d.ann", "./"])
def test_the_input_is_not_replaced_by_the_text(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    put("d.txt", CONLL)
    why = refusal(capsys, "d.txt", target, "--to=brat", "--force")
    assert why.endswith("d.txt: is an input and would be overwritten")


def test_marks_are_not_put_where_their_text_belongs(capsys: pytest.CaptureFixture[str]) -> None:
    why = "d.txt: is where the text belongs that brat needs: end the name in .ann"
    assert refusal(capsys, "in.conll", "d.txt", "--to=brat") == why


@pytest.mark.parametrize("target", ["d.ann", "./"])
def test_if_the_text_cannot_be_put_in_place_the_marks_are_not(
    target: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replace = os.replace

    def full(source: str, place: str) -> None:
        if place.endswith(".txt"):
            raise OSError(28, "No space left on device")
        replace(source, place)

    put("d.ann", MARKS[:20])
    monkeypatch.setattr(os, "replace", full)
    assert refusal(capsys, "in.conll", target, "--to=brat", "--quiet").endswith(": No space left on device")


# Tokens for a text


def of_characters(*spans: list[int], name: str = "d", text: str = "Anna  left her town") -> str:
    return json.dumps({"name": name, "text": text, "clusters": [list(spans)]}) + "\n"


def test_mentions_of_characters_get_the_tokens_of_another_file() -> None:
    """Whitespace may differ: Anna and her town are tokens 0 and 2 to 3 of the columns."""
    put("in.jsonl", of_characters([0, 4], [11, 19]))
    convert("in.jsonl", "out.conll", "conll", "--tokens-from=in.conll")
    (document,) = read("out.conll")
    assert document.clusters == {"0": [(0, 1), (2, 4)]}
    assert document.words is not None
    assert (document.words(), document.sentences) == (["Anna", "left", "her", "town"], [2, 2])


def test_a_border_inside_a_token_takes_all_of_it(capsys: pytest.CaptureFixture[str]) -> None:
    put("in.jsonl", of_characters([1, 4], [11, 14]))
    convert("in.jsonl", "out.conll", "conll", "--tokens-from=in.conll")
    assert read("out.conll")[0].clusters == {"0": [(0, 1), (2, 3)]}
    assert "1 mention with a border inside a token widened to whole tokens" in capsys.readouterr().err


def test_documents_of_folders_find_their_tokens_by_name() -> None:
    put("tokens/a.conll", CONLL.replace("(d)", "(x)"))
    put("tokens/sub/b.conll", CONLL.replace("Anna", "Beth").replace("(d)", "(y)"))
    convert("tokens", "marks", "brat")
    convert("marks", "out", "conll", "--tokens-from=tokens")
    for name, first in (("a", "Anna"), ("sub/b", "Beth")):
        (document,) = read(f"out/{name}.conll")
        assert document.words is not None
        assert document.words()[0] == first
        assert list(document.clusters.values()) == [[(0, 1), (2, 3)]]


def test_types_go_with_their_mentions() -> None:
    convert("in.conll", "d.ann", "brat")
    put("e.ann", text("d.ann").replace("Mention 0", "PER 0"))
    put("e.txt", text("d.txt"))
    convert("e.ann", "out.entities", "booknlp", "--tokens-from=in.conll")
    categories = categories_of(read("out.entities")[0])
    assert sorted(chain.from_iterable(categories.values())) == ["Mention", "PER"]


@pytest.mark.parametrize("tokens", ["gold/d.conll", "gold"])
@pytest.mark.parametrize("target", ["gold/d.conll", "gold/"])
@pytest.mark.parametrize("source", ["d.jsonl", "sys"])
def test_what_tokens_are_taken_from_is_an_input(tokens: str, target: str, source: str) -> None:
    put("gold/d.conll", CONLL)
    put("d.jsonl", of_characters([0, 4]))
    put("sys/d.jsonl", of_characters([0, 4]))
    convert(source, target, "conll", "--force", f"--tokens-from={tokens}", status=2)
    assert found("gold") == {"d.conll": CONLL.encode()}


def test_documents_with_tokens_keep_them() -> None:
    put("other.conll", CONLL.replace("Anna", "Beth"))
    convert("in.conll", "out.conll", "conll", "--tokens-from=other.conll")
    assert "Anna" in text("out.conll")


@pytest.mark.parametrize(
    ("source", "tokens", "why"),
    [
        (
            of_characters([0, 4]),
            CONLL.replace("left", "came"),
            'in.jsonl: the text of "d" differs from that of ',
        ),
        (
            of_characters([0, 4]) + of_characters([0, 4], name="e"),
            CONLL,
            'in.jsonl: "e" has no document of that name in t.conll (--tokens-from needs one with its text)',
        ),
        (
            of_characters([0, 4]),
            '{"type": "clusters", "clusters": {}}',
            't.conll: "t" has no tokens, which --tokens',
        ),
        (
            '{"type": "clusters", "clusters": {"a": ["m"]}}',
            CONLL,
            'in.jsonl: "in" has no text, which --tokens-from ',
        ),
    ],
    ids=["another text", "no such name", "no tokens there", "no text here"],
)
def test_tokens_that_cannot_be_taken_are_told(
    source: str, tokens: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in.jsonl", source)
    put("t.conll", tokens)
    assert refusal(capsys, "in.jsonl", "out.conll", "--to=conll", "--tokens-from=t.conll").startswith(why)
