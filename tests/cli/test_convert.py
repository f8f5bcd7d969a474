"""scorch2 convert: what a format can hold arrives unchanged, what it cannot is refused, all or nothing."""

import io
import json
import re
from itertools import product
from pathlib import Path

import pytest
from conversion import (
    FASTCOREF,
    FOLDER,
    GOLD,
    NEEDS_TOKENS,
    SYSTEM,
    TOGETHER,
    Value,
    as_sets,
    convert,
    convert_from,
    found,
    put,
    refusal,
    said,
    text,
    tokens,
    typed,
)
from every import every
from examples import NAMELESS, SAME, WRITERS

import scorch2
from scorch2.cli.main import main
from scorch2.formats.reading import read
from scorch2.formats.table import FORMATS, format_names

NAMES: dict[str, list[list[str]]] = json.loads((FOLDER / "gold.names.json").read_text("utf-8"))
"""The mentions of the gold documents by sentence and tokens, written without the converter."""
IN_SENTENCES = ["conll", "e2e.jsonlines", "wl_coref_spans.jsonlines"]
IN_TOKENS = [*IN_SENTENCES, "maverick.jsonlines", "crac.json"]
pytestmark = pytest.mark.usefixtures("folder")

# Every pair of formats


IDS = re.sub(', "sentences": .+]]', "", SAME["clusters"])
"""The clusters without the text, of which only ids are left."""


UNNAMED = [*format_names(lambda row: row.has_marks), "crac"]
"""Formats that number clusters from 1, or lack the borders of sentences."""
NAMED = [form for form in (*NEEDS_TOKENS, "clusters") if form not in UNNAMED]
TO_WORDS = [form for form in WRITERS if form != "graph"]  # where mentions are called by their sentence


@every(("source", "form"), list(product(UNNAMED, TO_WORDS)), apart=True)
def test_words_and_mentions_without_names_are_the_same_in_every_format(source: str, form: str) -> None:
    converted = convert_from(source, put("in", SAME[source]), "out", form)
    copies = (read(path, typed(form)) for path in (converted, put("same", SAME[form])))
    copy, same = (said(one._replace(id="", flat=True) for one in copy) for copy in copies)
    assert copy == same


@every(("source", "form"), list(product(NAMED, WRITERS)), apart=True)
def test_a_document_is_the_same_in_every_format_that_can_hold_it(source: str, form: str) -> None:
    found = text(convert(put("in", SAME[source]), "out", form))
    if (source, form) == ("corefud", "ua"):
        assert found.count("|Min=") == 3, "heads become what a partial match must hold"
        found = re.sub(r"\|Min=[1-3]", "", found)
    assert found == SAME[form]
    assert text("in") == SAME[source]


def test_ids_are_the_same_in_clusters_and_in_links() -> None:
    same = {"clusters": IDS, "graph": SAME["graph"]}
    for source, form in product(same, repeat=2):
        assert text(convert(put("in", same[source]), f"{source}.{form}", form)) == same[form]


@every(("source", "form"), list(product([IDS, SAME["graph"], FASTCOREF], NEEDS_TOKENS)), apart=True)
def test_what_has_no_tokens_cannot_be_written_as_tokens(
    source: str, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", source)
    why = refusal(capsys, "in", "out", f"--to={form}")
    hint = r"( \(convert --tokens-from=<path> takes those of a file of the same text\))?"
    assert re.fullmatch(f'in: "k" has no tokens, which .+ must hold{hint}', why)
    assert ("--tokens-from" in why) == (source == FASTCOREF), "its text is known"
    assert refusal(capsys, "in", "out", f"--to={form}", "--lossy") == why


ODD = {
    "names": {"1": ["a", "b"]},
    "spans and numbers": {"1": [[0, 2], 9]},
    "spans and names": {"1": [[0, 1]], "2": ["ran"]},
    "names of one letter": {"1": ["ab"]},
}


@every("clusters", ODD.values(), apart=True)
@every("more", [{}, {"offsets": "inclusive"}, {"sentences": [["a", "ran"]]}], apart=True)
@every("form", WRITERS, apart=True)
def test_mentions_of_any_kind_are_written_or_refused(
    clusters: Value, more: Value, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A copy holds the same, and a mention that is no span is never taken for one."""
    put("in", {"type": "clusters", "name": "k", **more, "clusters": clusters})
    status = main(["convert", "-q", "--lossy", f"--to={form}", "in", "out"])
    said = capsys.readouterr().err
    assert status in (0, 2)
    assert "internal error" not in said
    if status == 0:
        copy = read("out", typed(form))[0].clusters.values()
        assert as_sets(copy) == as_sets(clusters.values())
    else:
        assert '"k"' in said


@pytest.mark.parametrize("words", [["validate-spans", "in"], ["evaluate", "-g", "in", "in"]])
@pytest.mark.parametrize(
    "value",
    [
        {"type": "clusters", "offsets": "exclusive", "clusters": {"a": [[0, 2], 9]}},
        {"type": "graph", "offsets": "exclusive", "mentions": [[0, 2], "x"], "links": []},
    ],
)
def test_mentions_of_two_kinds_have_no_place(
    words: list[str], value: Value, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", value)
    assert main(words) == 2
    assert "does not say where its mentions are" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("form", "key", "value"),
    [
        ("clusters", "clusters", {"0": [[0, 1], [4, 7]], "1": [[2, 3]]}),
        ("graph", "links", [[[0, 1], [4, 7]]]),
    ],
)
def test_character_spans_stay_what_they_are(form: str, key: str, value: object) -> None:
    written = json.loads(text(convert(put("in", FASTCOREF), "out", form)))
    assert (written["name"], written[key]) == ("k", value)
    assert scorch2.score("in", "out").lea.f1 == 1


@every("source", IN_TOKENS, apart=True)
@every("form", NEEDS_TOKENS, apart=True)
def test_tokens_sentences_and_spans_arrive(source: str, form: str) -> None:
    path = str(FOLDER / f"gold.{source}")
    files = [file.relative_to(".") for file in sorted(Path(convert(path, "out", form)).rglob("*"))]
    documents = [one for file in files or [Path("out")] for one in read(str(file), typed(form))]
    is_flat, nameless = documents[0].flat, FORMATS[form].named_by_file and not files
    wanted = sorted(read(path), key=lambda one: one.id if files else "")
    wanted = [
        one._replace(flat=is_flat, id=str(i) if nameless else one.id) for i, one in enumerate(wanted, 1)
    ]
    assert said(documents) == said(wanted)


@pytest.mark.parametrize("source", IN_SENTENCES)
def test_mentions_are_called_by_sentence_and_tokens(source: str) -> None:
    convert(str(FOLDER / f"gold.{source}"), "out", "clusters")
    written = [json.loads(data)["clusters"].values() for data in found("out").values()]
    assert [as_sets(clusters) for clusters in written] == [as_sets(clusters) for clusters in NAMES.values()]


@every("form", WRITERS, apart=True)
@every("source", [*IN_TOKENS, "words.conll", "wl_coref_words.jsonlines"], apart=True)
def test_both_sides_converted_score_as_before(source: str, form: str) -> None:
    sides = [str(FOLDER / f"{side}.{source}") for side in ("gold", "sys")]
    before = scorch2.score(*sides).to_dict()
    copies = convert(sides[0], "gold", form), convert(sides[1], "sys", form)
    after = scorch2.score(*copies, gold_format=typed(form), sys_format=typed(form)).to_dict()
    for key in ("scores", "counts"):
        assert after[key] == before[key]


@every("form", TOGETHER, apart=True)
@every("system", IN_TOKENS, apart=True)
def test_a_converted_gold_file_still_meets_the_system(system: str, form: str) -> None:
    output = str(FOLDER / f"sys.{system}")
    expected = scorch2.score(GOLD, SYSTEM).to_dict()["counts"]
    converted = scorch2.score(convert(GOLD, "gold", form), output, gold_format=typed(form))
    assert converted.to_dict()["counts"] == expected


@every("form", TOGETHER, apart=True)
@every("source", IN_TOKENS, apart=True)
def test_a_converted_system_file_still_meets_gold(source: str, form: str) -> None:
    expected = scorch2.score(GOLD, SYSTEM).to_dict()["counts"]
    system = convert(str(FOLDER / f"sys.{source}"), "sys", form)
    assert scorch2.score(GOLD, system, sys_format=typed(form)).to_dict()["counts"] == expected


# Names, parts and letters


def test_names_and_parts_come_back() -> None:
    back = text(convert(convert(GOLD, "there", "jsonlines"), "back", "conll"))
    assert [line for line in back.splitlines() if line.startswith("#begin")] == [
        "#begin document (wire/harbour_0001); part 000",
        "#begin document (wire/harbour_0001); part 001",
        "#begin document (wire/letter_0002); part 003",
    ]


@every(
    "name",
    ["a", "a/b_3", "a-3", "a-003", "a-b", "a-3-04", "-3", "3", "-", "#a", "a)", " a ", "(a); part 3", "東京"],
    apart=True,
)  # fmt: skip
@every("form", WRITERS, apart=True)
def test_a_name_is_kept(name: str, form: str) -> None:
    put("in", {"doc_key": name, "sentences": [["a"]], "clusters": [[[0, 0]]]})
    (document,) = read(convert("in", "out", form), typed(form))
    assert document.id == ("out" if FORMATS[form].named_by_file else name)


@pytest.mark.parametrize("source", NAMELESS)
def test_a_document_without_a_name_is_called_as_its_file(source: str) -> None:
    put("in.x", NAMELESS[source])
    assert [document.id for document in read(convert("in.x", "out", "clusters"))] == ["in"]


def test_unnamed_lines_are_called_by_number() -> None:
    put("in", *[{"tokens": ["a"], "clusters_token_offsets": []}] * 2)
    convert("in", "out", "graph")
    assert list(found("out")) == ["1.json", "2.json"]


@every(
    "word",
    ["Zürich", "東京", "🎉", "e\u0301", "a b", " ", "", "#", "-", "_", "*", "(1)", "|", '"', "\\", "\\n", "'",
     "\xa0", "\u2028", "\x85", "\x1c", "\x0b", "\r", "\ufeff", "\u202e", "#end document", "null"],
    apart=True,
)  # fmt: skip
@every("form", NEEDS_TOKENS, apart=True)
def test_a_word_is_kept_letter_by_letter(word: str, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    kept = re.sub(r"\s", "_", word) if form == "plaintext" else word
    for path, one in (("in", word), ("kept", kept)):
        put(path, {"doc_key": "k", "sentences": [[one, "w"], ["w", one]], "clusters": [[[0, 0], [3, 3]]]})
    if FORMATS[form].has_marks and word in ("", *(["\ufeff"] if form == "plaintext" else [])):
        assert "it would be read differently" in refusal(capsys, "in", "k", f"--to={form}")
        return
    (copy,) = read(convert("in", "k", form), typed(form))
    assert said([copy]) == said(one._replace(flat=copy.flat) for one in read("kept"))


@every("form", WRITERS, apart=True)
def test_files_are_utf8_and_end_with_a_line_end(form: str) -> None:
    put("in", {"doc_key": "東京", "sentences": [["Zürich"]], "clusters": [[[0, 0]]]})
    data = Path(convert("in", "out", form)).read_bytes()
    assert ("Zürich" if FORMATS[form].named_by_file else "東京").encode() in data
    assert data.endswith(b"\n")
    assert b"\r" not in data


@pytest.mark.parametrize("form", WRITERS)
def test_standard_output_is_utf8_whatever_its_encoding(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    put("in", {"doc_key": "東京", "sentences": [["Zürich"]], "clusters": [[[0, 0]]]})
    out = io.BytesIO()
    monkeypatch.setattr("sys.stdout", io.TextIOWrapper(out, encoding="ascii"))
    convert("in", "-", form)
    assert out.getvalue() == Path(convert("in", "out", form)).read_bytes()


def test_labels_are_kept_where_brackets_can_hold_them() -> None:
    put("in", "#begin document (k);\na\t(7)\nb\t(x_1)\n#end document\n")
    assert list(read(convert("in", "out", "conll"))[0].clusters) == ["7", "x_1"]


# What cannot be kept


@pytest.mark.parametrize(
    ("value", "form", "why"),
    [
        (tokens([[0, 2], [1, 3]]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[1, 3], [0, 2]], [[0, 0]]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], words=["a\tb", "c"]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], words=["a\nb", "c"]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], words=["a\0b", "c"]), "conll", '"k" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], name="k\nl"), "conll", '"k\\nl" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], name="k\tl"), "conll", '"k\\tl" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], name=""), "conll", '"" cannot be written as CoNLL columns'),
        (tokens([[0, 1]], [[0, 1]]), "graph", 'a mention of "k" is in two clusters, which links would join'),
        ({"type": "clusters", "name": "k", "clusters": {"a": [1], "b": [1]}}, "graph", 'a mention of "k" is'),
    ],
)  # fmt: skip
def test_what_cannot_be_kept_is_refused(
    value: Value, form: str, why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", value)
    put("out", "there before")
    assert refusal(capsys, "in", "out", f"--to={form}").startswith(f"in: {why}")


@pytest.mark.parametrize("target", ["out", "out/"])
def test_one_document_that_cannot_be_kept_stops_the_others(
    target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", tokens(name="a"), tokens(name="b"), tokens([[0, 2], [1, 3]]))
    assert refusal(capsys, "in", target, "--to=conll").startswith('in: "k" cannot be written')
    assert refusal(capsys, "in", "-", "--to=conll").startswith('in: "k" cannot be written')


def test_words_that_cannot_be_told_are_not_guessed(capsys: pytest.CaptureFixture[str]) -> None:
    put("in", "#begin document (k);\na\tb\tc\t(1)\n#end document\n")
    for form in NEEDS_TOKENS:
        message = refusal(capsys, "in", "out", f"--to={form}")
        assert message == "in: line 2: cannot tell which of the 4 columns is the word"
    assert json.loads(text(convert("in", "out", "clusters")))["clusters"] == {"1": ["0.0-0"]}


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ('{"type": "clusters"}', 'in: $: the key "clusters" is missing'),
        ("#begin document (k);\nw\t(1\n#end document\n", 'in: line 2: a mention of entity "1"'),
        ("", "in: the file is empty"),
    ],
)
@pytest.mark.parametrize("target", ["out", "out/", "-"])
def test_an_input_that_cannot_be_read_is_refused(
    content: str, why: str, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", content)
    assert refusal(capsys, "in", target, "--to=graph").startswith(why)


# Mentions in two clusters


@pytest.mark.parametrize("form", ["jsonlines", "conll", "clusters"])
def test_a_mention_in_two_clusters_stays_in_both_with_a_warning(
    form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put("in", tokens([[0, 0], [1, 1]], [[1, 1]]))
    (document,) = read(convert("in", "out", form))
    assert [len(members) for members in document.clusters.values()] == [2, 1]
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert all(word in err for word in ("scorch2: warning: k: in: ", '"0.1-1"', "both are kept"))
    convert("in", "out", form, "--quiet")
    assert capsys.readouterr() == ("", "")
