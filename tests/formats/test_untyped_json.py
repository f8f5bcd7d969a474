"""JSON without ``type``: the format or key that was given, lists of clusters, objects one after the other.

What is refused though it is nearly a document is data: see `fixtures/jsonlines/refused.json`.
"""

import json
from collections.abc import Sequence
from itertools import chain, permutations, product
from pathlib import Path

import pytest
from every import every
from neural_files import E2E, FASTCOREF, figures, fixture, written

import scorch2
from scorch2.formats.chunks import borders
from scorch2.formats.reading import read
from scorch2.model.errors import InputError

pytestmark = pytest.mark.usefixtures("folder")

# What is none of the format


@pytest.mark.parametrize("form", ["clusters", "graph"])
@pytest.mark.parametrize(
    ("text", "where", "lacks"),
    [
        (json.dumps(E2E), "$", 'the key "type" is missing'),
        (json.dumps(E2E) + "\n" + json.dumps(FASTCOREF), "line 1: $", 'the key "type" is missing'),
        (json.dumps(E2E) + json.dumps(FASTCOREF), "document 1: $", 'the key "type" is missing'),
        ("[[[0, 1]]]", "$", 'should be an object with a "type"'),
        ("[[[0, 1]]]\n[]", "line 1: $", 'should be an object with a "type"'),
    ],
)
def test_a_format_that_was_given_is_not_replaced(form: str, text: str, where: str, lacks: str) -> None:
    with pytest.raises(InputError) as caught:
        read(written("d.json", text), form)
    why = f"{lacks}, but the format was given as {form} (this is jsonlines)"
    assert str(caught.value) == f"d.json: {where}: {why}"


def test_a_format_that_was_given_decides_between_the_programs_of_two() -> None:
    """The keys are those of fastcoref, of JSON lines, and of doccano, of files of annotators."""
    path = written("d.json", {**FASTCOREF, "id": "a", "entities": [], "relations": []})
    with pytest.raises(InputError, match="the object has keys of fastcoref and of doccano; remove one set"):
        read(path)
    of_format = {
        form: [[*one.clusters.values()] for one in read(path, form)] for form in ("jsonlines", "annotators")
    }
    assert of_format == {"jsonlines": [[[(0, 1), (4, 7)], [(2, 3)]]], "annotators": [[]]}


@pytest.mark.parametrize("value", [{}, {"a": 1}, {"d": [[[0, 1]]]}])
def test_an_object_of_no_source_is_none_of_the_format_that_was_given(value: object) -> None:
    with pytest.raises(InputError, match=r'"type" is missing, but the format was given as clusters$'):
        read(written("d.json", value), "clusters")


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("[]", "; if it is a text without clusters, type --sys-format=jsonlines (validate: --format)"),
        *(
            (text, ", or a list of clusters of mentions of two integers: [[[0, 1], [2, 3]], [[5, 5]]]")
            for text in ("[[0, 1], [2, 3]]", "[[[0, 0, 1]]]", "[[[0.0, 1.0]]]", '[["a"]]', "[[]]")
        ),
        ('[[{"text": "a"}]]', ", or sentences of Stanza, whose words have a text and an id"),
    ],
)
def test_a_list_of_another_shape_is_told_its_own(text: str, advice: str) -> None:
    with pytest.raises(InputError) as caught:
        read(written("d.json", text))
    assert str(caught.value) == f'd.json: $: should be an object with a "type"{advice}'


def test_a_sentence_that_is_lacking_says_from_where_they_count() -> None:
    with pytest.raises(InputError, match=r"there is no sentence 1 of 1 \(the first is 0\)$"):
        read(written("d.json", {"sentences": [["a"]], "mention_clusters": [[[1, 0, 1]]]}))
    mention = {"sentNum": 0, "startIndex": 1, "endIndex": 2}
    with pytest.raises(InputError, match=r"there is no sentence 0 of 1 \(the first is 1\)$"):
        read(written("d.json", {"sentences": [{"tokens": [{"word": "a"}]}], "corefs": {"1": [mention]}}))


# Lists of clusters in any order


@every("lists", list(permutations(["[]", "[[[0, 0], [2, 2]]]", "[]"])))
@every("form", [None, "jsonlines"])
def test_empty_lists_are_documents_wherever_they_stand(lists: Sequence[str], form: str | None) -> None:
    expected = [[[(0, 0), (2, 2)]] if len(text) > len("[]") else [] for text in lists]
    for text in ("\n".join(lists), "\n\n".join(lists) + "\n", f"[{', '.join(lists)}]"):
        documents = read(written("d.json", text), form)
        assert [list(document.clusters.values()) for document in documents] == expected
        assert [document.id for document in documents] == ["1", "2", "3"]


@pytest.mark.parametrize(("text", "number"), [("[]", 1), ("[]\n[]\n", 2)])
def test_empty_lists_alone_are_documents_if_the_format_is_given(text: str, number: int) -> None:
    assert [dict(document.clusters) for document in read(written("d", text), "jsonlines")] == [{}] * number
    with pytest.raises(InputError):
        read("d")


@every("values", list(permutations(["[]", "[[[0, 0]]]", json.dumps(FASTCOREF)])))
@every("form", [None, "jsonlines"])
def test_empty_lists_beside_objects_are_refused(values: Sequence[str], form: str | None) -> None:
    for text in ("\n".join(values), f"[{', '.join(values)}]"):
        with pytest.raises(InputError, match=r"a list is no document of a known program|more text after"):
            read(written("d.json", text), form)


# Objects one after the other


@every("blanks", ["", " ", "\t", "\n", "\r\n", " \n\n "])
@every("indent", [None, 1])
@every("form", [None, "jsonlines"])
def test_objects_may_follow_with_any_blanks(blanks: str, indent: int | None, form: str | None) -> None:
    objects = [
        json.dumps({**FASTCOREF, "text": text}, indent=indent) for text in ("ab } {cd", "ab }{ cd", "")
    ]
    objects[2] = json.dumps({"text": "", "clusters": []}, indent=indent)
    expected = [document.text for document in read(written("lines", *map(json.loads, objects)))]
    found = read(written("d.json", blanks.join(objects)), form)
    assert [document.text for document in found] == expected
    assert [document.id for document in found] == ["1", "2", "3"]


@every("between", list(product(["", " ", "\n"], repeat=3)))
def test_lines_may_hold_different_numbers_of_objects(between: Sequence[str]) -> None:
    objects = [json.dumps({"text": "ab"[: number % 3], "clusters": []}) for number in range(4)]
    text = "".join(chain.from_iterable(zip(objects, [*between, "\n"], strict=True)))
    found = read(written("d.jsonl", text))
    assert [(document.id, document.text) for document in found] == [
        ("1", ""), ("2", "a"), ("3", "ab"), ("4", "")
    ]  # fmt: skip


def test_a_place_on_a_line_of_several_objects_is_named() -> None:
    good = json.dumps(FASTCOREF)
    bad = json.dumps({"text": "a", "clusters": [[[0, 2]]]})
    with pytest.raises(
        InputError, match=r"^d: line 2, document 2: \$\.clusters\[0\]\[0\]: the mention \[0, 2\]"
    ):
        read(written("d", f"{good}\n{good}{bad}"))
    same = json.dumps({"doc_key": "k", "clusters": []})
    with pytest.raises(InputError, match=r'^d: line 2, document 1: .*"k", as on line 1$'):
        read(written("d", f"{same}\n{same} {same}"))


def test_several_objects_on_a_line_are_scored_by_several_workers() -> None:
    lines = Path(fixture("gold", "e2e.jsonlines")).read_text("utf-8").splitlines()
    path = written("d.jsonlines", lines[0], lines[1] + lines[2])
    assert borders(path, None) is None, "left to the reader"
    assert figures(path, path, jobs=2) == figures(*[fixture("gold", "e2e.jsonlines")] * 2)


# Keys that are given

TOKENS = {"doc_key": "d", "sentences": [["Ann", "saw", "her"]]}
PAIRS = [[[0, 0], [2, 2]]]


@pytest.mark.parametrize("key", ["pred_clusters", "predictions", "annotations", "mentions", "type"])
def test_a_key_of_any_name_can_be_typed(key: str) -> None:
    """Those of other programs, too, which need other keys beside it."""
    gold = written("g.jsonl", {**TOKENS, "clusters": PAIRS})
    system = written("s.jsonl", *({**TOKENS, "doc_key": name, key: PAIRS} for name in "de"))
    with pytest.warns(scorch2.ScorchWarning):
        report = scorch2.score(gold, system, sys_key=key, extra="skip", sys_format="jsonlines")
    assert report.muc.f1 == 1.0
    if key != "type":
        assert read(system, keys=(key,))[0].clusters == {"0": [(0, 1), (2, 3)]}


@pytest.mark.parametrize(("side", "option"), [("gold", "gold_key"), ("system", "sys_key")])
def test_the_option_of_the_side_is_named_for_an_unknown_key(side: str, option: str) -> None:
    known, other = (written(f"{key}.json", {**TOKENS, key: PAIRS}) for key in ("clusters", "mine"))
    with pytest.raises(InputError, match=rf'by the shape: {option}="mine" reads it$'):
        scorch2.score(*((other, known) if side == "gold" else (known, other)))
