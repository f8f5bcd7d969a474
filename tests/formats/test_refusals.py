"""Refusals of readers and writers besides the files in fixtures/formats, and the words of a document."""

import gzip
import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from scorch2.formats.copies import write
from scorch2.formats.reading import documents, read
from scorch2.formats.rows import conll as reader
from scorch2.model.document import Document, Words
from scorch2.model.errors import InputError
from scorch2.model.options import options_from
from scorch2.scoring.flow import score_paths

COLUMNS = {
    "word and cell": ["w\t(1)", "x\t-"],
    "number, word and cell": ["0\tw\t(1)", "1\tx\t_"],
    "CoNLL-2012 with blanks": ["d 0 0 w NN (1)", "d 0 1 x NN -"],
    "SemEval-2010": ["1\tw\tl\tl\tn\t(1)", "2\tx\tl\tl\tn\t_"],
    "SemEval-2010, a number first": ["1\tw\t7\t7\tz\t(1)", "", "1\tx\t0\t0\tz\t_"],
    "CoNLL-2012, a document called by a number": ["1 0 0 w NN (1)", "1 0 1 x NN -"],
    "with a hash and a tab": ["#d\t0\t0\tw\t(1)", "d\t0\t1\tx\t-"],
}


def conll(*rows: str) -> str:
    return "\n".join(["#begin document (d);", *rows, "#end document", ""])


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        act()
    return str(caught.value)


# Words


@pytest.mark.parametrize("rows", COLUMNS.values(), ids=COLUMNS)
def test_words_stand_where_the_number_of_columns_says(rows: list[str]) -> None:
    (document,) = reader.documents(conll(*rows), "d", "d.conll")
    assert document.words is not None
    assert document.words() == ["w", "x"]


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("d 0 0 Ann's NN {}", ' ("Ann\'s")'),
        ("w\x1b\t{}", r' ("w\x1b")'),
        (f"0\t{'w' * 41}\t{{}}", f' ("{"w" * 39}…")'),
        ("{}", ""),
        ("d\t0\tw\t{}", ""),
    ],
    ids=["a row of CoNLL-2012", "a control character", "a long word", "one column", "four columns"],
)
def test_brackets_that_do_not_match_are_shown_with_their_word(row: str, shown: str) -> None:
    rows = [row.format("-"), "", row.format("(7")]
    expected = f'line 4: a mention of entity "7" begins here{shown} and does not end in the document'
    assert refusal(lambda: list(reader.documents(conll(*rows), "d", "d.conll"))) == f"d.conll: {expected}"
    rows[2] = row.format("7)")
    expected = f'line 4: entity "7" ends on a token{shown} where none of its mentions is open'
    assert refusal(lambda: list(reader.documents(conll(*rows), "d", "d.conll"))) == f"d.conll: {expected}"


@pytest.mark.parametrize(("row", "columns"), [("(1)", 1), ("d\t0\tw\t(1)", 4), ("d 0 w (1)", 4)])
def test_a_word_that_cannot_be_told_is_refused_with_its_line(row: str, columns: int) -> None:
    (document,) = reader.documents(conll("", row), "d", "d.conll")
    assert document.words is not None
    assert refusal(document.words) == (
        f"d.conll: line 3: cannot tell which of the {columns} columns is the word"
    )


def test_a_document_is_a_value() -> None:
    (one,), (other,) = (reader.documents(conll("w\t(1)"), "d", "d.conll") for _ in range(2))
    assert one == other
    assert hash(one.words) == hash(other.words)
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301 - made here
    assert repr(one.words).endswith("(...)")


# Reading


def test_a_text_that_is_not_json_after_a_repeated_key(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    path.write_text('{"a": {"k": 1, "k": 2}, ]', encoding="utf-8")
    assert refusal(lambda: read(str(path))).endswith(
        "an object holds a key twice, and the rest of the file is not JSON"
    )


def test_two_documents_of_one_name_in_a_list(tmp_path: Path) -> None:
    path = tmp_path / "d.json"
    one = '{"doc_key": "k", "sentences": [["w"]], "clusters": []}'
    path.write_text(f"[{one}, {one}]", encoding="utf-8")
    assert refusal(lambda: read(str(path))).endswith('$[1]: a second document is called "k", as in $[0]')


def test_part_ids_are_integers_or_strings(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(
        '{"document_id": "k", "part_id": [1], "cased_words": [], "span_clusters": []}', encoding="utf-8"
    )
    assert refusal(lambda: read(str(path))).endswith(
        "$.part_id: should be an integer or a string, not a list"
    )


def test_predicted_clusters_are_read_where_clusters_are_empty(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(
        '{"doc_key": "k", "sentences": [["w"]], "clusters": [], "predicted_clusters": [[[0, 0]]]}',
        encoding="utf-8",
    )
    assert read(str(path))[0].clusters == {"0": [(0, 1)]}


def test_what_gzip_blows_up_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.json.gz"
    path.write_bytes(gzip.compress(b" " * 30_000_000))
    assert "decompresses to more than 50 times its size" in refusal(lambda: read(str(path)))


def test_a_path_that_no_file_can_have_is_refused() -> None:
    assert "null" in refusal(lambda: read("a\0b"))


def test_standard_input_that_is_closed_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert refusal(lambda: read("-")) == "standard input: is closed"


def test_a_device_is_refused_in_one_piece() -> None:
    assert refusal(lambda: read(os.devnull)) == f"{os.devnull}: neither a file nor a pipe"


def test_a_file_longer_than_it_said_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    path = tmp_path / "d.conll"
    path.write_text(conll("w\t(1)"), encoding="utf-8")
    real_read = os.read
    monkeypatch.setattr(os, "read", lambda handle, size: real_read(handle, min(size, 10)))
    assert read(str(path))[0].clusters == {"1": [(0, 1)]}


# Writing


@pytest.mark.parametrize("form", ["conll", "jsonlines"])
def test_tokens_are_not_made_up(form: str) -> None:
    document = Document("d", {"a": ["m"]}, "d.json")
    assert f'"d" has no tokens, which {"CoNLL columns" if form == "conll" else form} must hold' in refusal(
        lambda: write(document, form)
    )


@pytest.mark.parametrize("form", ["conll", "corefud", "ua"])
@pytest.mark.parametrize("word", ["\n", "a\tb"])
def test_the_token_that_no_row_can_hold_is_named(form: str, word: str) -> None:
    """Some corpora have line breaks among their tokens."""
    document = Document("d", {"a": [(0, 1)]}, sentences=[3], words=Words(list, ("v", "w", word)))
    why = f"its token 3 is {json.dumps(word)}, which no row can hold (jsonlines and clusters can)"
    assert why in refusal(lambda: write(document, form))


def test_columns_without_the_line_that_begins_a_document_are_told() -> None:
    """Five columns may be an annotation of entity linking: a score stands where the mentions are."""
    said = refusal(lambda: documents(b"d\t0\t0\tAnn\t(1)\nd\t0\t1\tsaw\t-\n", "d.conll"))
    assert said.endswith("(if these are CoNLL columns, put #begin document (<name>); before the first token)")
    said = refusal(lambda: documents(b"d\t0\t0\tQ1\tlow\n", "d.tsv"))
    assert said == 'd.tsv: line 1: the score "low" is not a finite number'


def test_clusters_that_brackets_cannot_name_are_numbered() -> None:
    document = Document("d", {"a (b)": [(0, 1)]}, sentences=[1], words=Words(list, ("w",)))
    assert write(document, "conll").splitlines()[1] == "d\t0\t0\tw\t(0)"


def test_a_word_with_a_null_is_not_written() -> None:
    (document,) = reader.documents(conll("w\0\t(1)"), "d", "d.conll")
    assert "its token 1 is" in refusal(lambda: write(document, "conll"))


# Scoring


def test_nothing_left_is_an_error(tmp_path: Path) -> None:
    for side in ("gold", "sys"):
        (tmp_path / f"{side}.conll").write_text(
            conll("w\t-").replace("(d)", f"({side})") + conll("w\t-").replace("(d)", f"({side}2)"),
            encoding="utf-8",
        )
    with pytest.raises(Exception, match="nothing is left to score"):
        score_paths(
            str(tmp_path / "gold.conll"),
            str(tmp_path / "sys.conll"),
            options_from(missing="skip", extra="skip"),
        )


def test_two_answers_to_one_document_are_refused(tmp_path: Path) -> None:
    (tmp_path / "g.conll").write_text(
        "".join(conll("w\t-").replace("(d);", f"({n}); part 000") for n in "xy"), encoding="utf-8"
    )
    (tmp_path / "s.conll").write_text(
        "".join(conll("w\t-").replace("(d);", n) for n in ("x-000", "x_0", "y_0")), encoding="utf-8"
    )
    assert refusal(
        lambda: score_paths(str(tmp_path / "g.conll"), str(tmp_path / "s.conll"), options_from())
    ).endswith('the documents "x-000" and "x_0" both answer to "x-000"')
