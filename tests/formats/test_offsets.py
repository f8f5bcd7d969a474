"""Lists of integers in JSON are spans where the file says what their ends are, and ids where it does not."""

import json
from pathlib import Path
from typing import Any

import pytest

import scorch2
from scorch2.formats.reading import read
from scorch2.model.document import spans

TSV = "k\t3\t3\tA\nk\t5\t5\tA\n"  # ends inclusive: the spans (3, 4) and (5, 6)
XML = (
    '<are unit="{unit}" ends="inclusive"><chain><element start="3" end="3"/>'
    '<element start="5" end="5"/></chain></are>'
)
FASTCOREF = {"name": "k", "text": "abcdefghij", "clusters": [[[3, 4], [5, 6]]]}
TOKENS = {"doc_key": "k", "sentences": [["a"] * 4, ["b"] * 6], "clusters": [[[3, 3], [5, 5]]]}
OFFSETS = '"offsets": "inclusive" or "exclusive", and "unit": "token" or "char"'


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put("a.tsv", TSV)
    put("token.xml", XML.format(unit="token"))
    put("char.xml", XML.format(unit="char"))
    put("char.jsonl", json.dumps(FASTCOREF))
    put("token.jsonl", json.dumps(TOKENS))


def put(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")


def clusters(*mentions: list[int], **said: str) -> None:
    put("d.json", json.dumps({"type": "clusters", **said, "clusters": {"a": mentions}}))


def graph(*mentions: list[int], **said: str) -> None:
    value = {"type": "graph", **said, "mentions": mentions, "links": [list(mentions[:2])]}
    put("d.json", json.dumps(value))


def refusal(gold: str, system: str) -> str:
    with pytest.raises(scorch2.InputError) as caught:
        scorch2.score(gold, system)
    return str(caught.value)


@pytest.mark.parametrize("written", [clusters, graph])
@pytest.mark.parametrize(
    ("ends", "mentions"), [("exclusive", ([3, 4], [5, 6])), ("inclusive", ([3, 3], [5, 5]))]
)
def test_lists_are_half_open_spans_inside(written: Any, ends: str, mentions: tuple[list[int], ...]) -> None:
    written(*mentions, offsets=ends)
    (document,) = read("d.json")
    assert sorted(spans([one for members in document.clusters.values() for one in members])) == [
        (3, 4),
        (5, 6),
    ]
    assert scorch2.score("a.tsv", "d.json").muc.f1 == 1


@pytest.mark.parametrize("written", [clusters, graph])
@pytest.mark.parametrize(
    ("unit", "others"),
    [("char", ["char.xml", "char.jsonl", "a.tsv"]), ("token", ["token.xml", "token.jsonl", "a.tsv"])],
)
def test_spans_meet_spans_of_their_unit(written: Any, unit: str, others: list[str]) -> None:
    written([3, 3], [5, 5], offsets="inclusive", unit=unit)
    for other in others:
        assert scorch2.score(other, "d.json").muc.f1 == 1
        assert scorch2.score("d.json", other).muc.f1 == 1


@pytest.mark.parametrize("written", [clusters, graph])
@pytest.mark.parametrize("other", ["a.tsv", "token.xml", "char.jsonl", "token.jsonl"])
def test_lists_that_may_mean_anything_meet_no_spans(written: Any, other: str) -> None:
    written([3, 4], [5, 6])
    for sides in ((other, "d.json"), ("d.json", other)):
        message = refusal(*sides)
        assert message.startswith("d.json: $.offsets: mentions are lists such as [3, 4], and spans in ")
        option = f"{'sys' if sides[1] == 'd.json' else 'gold'}_offsets"
        assert message.endswith(
            f'(say what the lists mean: {OFFSETS}; or type {option}="inclusive" or "exclusive")'
        )


def test_lists_meet_lists_as_they_are() -> None:
    clusters([3, 4], [5, 6])
    assert scorch2.score("d.json", "d.json").muc.f1 == 1


@pytest.mark.parametrize("other", ["token.xml", "char.jsonl", "token.jsonl"])
def test_a_unit_that_could_differ_must_be_said(other: str) -> None:
    clusters([3, 3], [5, 5], offsets="inclusive")
    message = refusal(other, "d.json")
    assert message.startswith("d.json: $.unit: the file does not say what spans count (")


@pytest.mark.parametrize(
    ("gold", "system"), [("char.xml", "token.xml"), ("char.jsonl", "token.xml"), ("token.jsonl", "char.xml")]
)
def test_characters_never_meet_tokens(gold: str, system: str) -> None:
    for sides in ((gold, system), (system, gold)):
        assert "but in gold" in refusal(*sides)
        assert "characters" in refusal(*sides)


def test_characters_never_meet_tokens_in_json() -> None:
    clusters([3, 3], [5, 5], offsets="inclusive", unit="token")
    assert "of tokens, but in gold (char.xml) of characters" in refusal("char.xml", "d.json")


def test_characters_never_meet_tokens_in_linking(capsys: pytest.CaptureFixture[str]) -> None:
    from scorch2.cli.main import main

    assert main(["evaluate", "-g", "char.jsonl", "token.jsonl"]) == 2
    assert "spans of tokens, but in gold (char.jsonl) of characters" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "mentions", "why"),
    [
        ({"offsets": "open"}, [[3, 4]], "$.offsets: should say what the ends of spans are: one of exclusive"),
        ({"offsets": 1}, [[3, 4]], "$.offsets: should say what the ends of spans are: one of exclusive"),
        ({"offsets": "exclusive", "unit": "byte"}, [[3, 4]], "$.unit: should say what spans count: one of"),
        ({"offsets": "exclusive"}, [[1, 2], [4, 4]], "$.clusters.a[1]: the span [4, 4] holds nothing"),
        ({"offsets": "inclusive"}, [[4, 3]], "$.clusters.a[0]: the span [4, 3] holds nothing"),
        ({"offsets": "inclusive"}, [[4]], "$.clusters.a[0]: a span is a list of two offsets"),
        ({"offsets": "inclusive"}, [[-1, 3]], "$.clusters.a[0]: a span is a list of two offsets"),
    ],
)
def test_spans_that_mean_nothing_are_refused(said: dict[str, str], mentions: list[Any], why: str) -> None:
    clusters(*mentions, **said)
    with pytest.raises(scorch2.InputError) as caught:
        read("d.json")
    assert str(caught.value).startswith(f"d.json: {why}")


def test_offsets_say_nothing_about_names() -> None:
    clusters("m1", "m2", offsets="whatever")  # type: ignore[arg-type]  # wrong on purpose
    assert read("d.json")[0].clusters == {"a": ["m1", "m2"]}


def test_a_name_among_lists_stays_one_and_is_refused_when_scored() -> None:
    clusters([1, 2], "m1", offsets="inclusive")  # type: ignore[arg-type]  # wrong on purpose
    assert read("d.json")[0].clusters == {"a": [(1, 2), "m1"]}, "as they are: nothing compares them"
    assert "mention ids of different kinds" in refusal("d.json", "d.json")


@pytest.mark.parametrize("form", ["clusters", "graph"])
@pytest.mark.parametrize("source", ["char.jsonl", "char.xml", "token.xml"])
def test_written_lists_say_what_they_are(form: str, source: str) -> None:
    from scorch2.cli.main import main

    assert main(["convert", f"--to={form}", source, "out.json"]) == 0
    value = json.loads(Path("out.json").read_text("utf-8"))
    assert (value["offsets"], value["unit"]) == ("exclusive", source.partition(".")[0])
    assert scorch2.score(source, "out.json").muc.f1 == 1
