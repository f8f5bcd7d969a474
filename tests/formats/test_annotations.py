"""Annotations of linking: what TSV, AIDA-CoNLL and clusters JSON hold, and that nothing is lost between."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scorch2
from scorch2.formats.copies import write
from scorch2.formats.reading import documents, read
from scorch2.model.document import Document
from scorch2.model.errors import InputError
from scorch2.model.markables import Annotation, Candidate
from scorch2.model.names import annotations

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "annotations"
TSV: dict[str, Any] = json.loads((FOLDER / "tsv.json").read_text("utf-8"))
AIDA: dict[str, Any] = json.loads((FOLDER / "aida.json").read_text("utf-8"))
JSON: dict[str, Any] = json.loads((FOLDER / "json.json").read_text("utf-8"))


@pytest.fixture(autouse=True)
def _short_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def put(folder: Path, name: str, text: str) -> str:
    (folder / name).write_bytes(text.encode())
    return name if folder == Path.cwd() else str(folder / name)


def said(document: Document) -> list[tuple[Any, ...]]:
    """Return annotations without their lines."""
    return [one[:3] for one in document.annotations]


def refusal(path: str, format: str | None = None) -> str:
    with pytest.raises(InputError) as caught:
        read(path, format)
    return str(caught.value).removeprefix(f"{path}: ")


@pytest.mark.parametrize("case", TSV["read"], ids=lambda case: case["why"])
def test_a_line_of_tsv_is_read_and_written(case: dict[str, Any], tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, "a.txt", case["line"] + "\n"))
    (one,) = document.annotations
    assert document.format == "tsv"
    assert one[:2] == (case["start"], case["end"])
    assert [list(candidate) for candidate in one.candidates] == case["candidates"]
    assert write(document, "tsv") == case.get("written", case["line"]) + "\n"


@pytest.mark.parametrize("case", TSV["refused"], ids=lambda case: case["why"])
def test_a_broken_tsv_is_refused_with_its_line(case: dict[str, Any], tmp_path: Path) -> None:
    assert refusal(put(tmp_path, "a.tsv", case["text"])) == case["why"]


def test_lines_of_a_document_need_not_stand_together(tmp_path: Path) -> None:
    found = read(put(tmp_path, "a.tsv", "b\t0\t1\tE1\na\t0\t1\tE1\nb\t5\t6\nb\t3\t3\tE1\nb\t4\t4"))
    assert [document.id for document in found] == ["b", "a"]
    assert [one.line for one in found[0].annotations] == [1, 3, 4, 5]
    clusters = {"E1": [(0, 2), (3, 4)], "NIL (line 3)": [(5, 7)], "NIL (line 5)": [(4, 5)]}
    assert found[0].clusters == clusters


def test_the_names_of_single_mentions_are_free(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, "a.tsv", "d\t0\t1\nd\t5\t6\tNIL (line 1)\n"))
    assert document.clusters == {"NIL (line 1)": [(5, 7)], "NIL (line 1)'": [(0, 2)]}


def test_bare_nils_are_one_cluster_with_a_note(tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, "a.tsv", "d\t0\t1\tNIL\nd\t5\t6\tNIL\n"))
    assert document.notes == ("2 mentions called NIL and nothing more form one cluster",)


@pytest.mark.parametrize(
    ("scores", "best"),
    [([0.5, 0.75], 1), ([0.5, 0.5], 0), ([None, -3.0], 1), ([None, None], 0), ([2.0, None, 3.0], 2)],
)
def test_the_best_candidate_counts(scores: list[float | None], best: int) -> None:
    candidates = tuple(Candidate(str(i), score) for i, score in enumerate(scores))
    assert Annotation(0, 1, candidates).top.id == str(best)


def test_a_mention_without_a_cluster_gets_one_whose_name_is_free(tmp_path: Path) -> None:
    table = {"a": {"span": [0, 1]}, "x": {"span": [2, 3]}}
    value = {"type": "clusters", "offsets": "exclusive", "clusters": {"NIL x": ["a"]}, "mentions": table}
    (document,) = read(put(tmp_path, "d.json", json.dumps(value)))
    assert document.clusters == {"NIL x": [(0, 1)], "NIL x'": [(2, 3)]}


def test_aida_is_read(tmp_path: Path) -> None:
    found = read(put(tmp_path, "a", AIDA["text"]))
    assert {document.format for document in found} == {"aida"}
    assert [document.sentences for document in found] == AIDA["sentences"]
    assert write(found[0], "tsv") == AIDA["tsv"]
    assert found[0].words is not None
    assert found[0].words() == ["EU", "rejects", "German", "call", "Peter", "Blackburn", "Germany"]
    assert found[0].clusters["Germany"] == [(2, 3), (6, 7)]
    assert len(found[0].clusters) == 3


@pytest.mark.parametrize("case", AIDA["refused"], ids=lambda case: case["why"])
def test_broken_aida_is_refused_with_its_line(case: dict[str, Any], tmp_path: Path) -> None:
    assert refusal(put(tmp_path, "a", case["text"]), "aida") == case["why"]


def as_json(case: dict[str, Any]) -> str:
    return json.dumps({"type": "clusters", "name": "d", "clusters": {}, **case["json"]})


@pytest.mark.parametrize("case", JSON["read"], ids=lambda case: case["why"])
def test_clusters_json_holds_annotations(case: dict[str, Any], tmp_path: Path) -> None:
    (document,) = read(put(tmp_path, "d.json", as_json(case)))
    assert write(document, "tsv") == case["tsv"]
    (back,) = read(put(tmp_path, "e.json", write(document, "clusters")))
    assert said(back) == said(document)
    assert write(back, "clusters") == write(document, "clusters")
    assert list(back.clusters)[: len(case["json"]["clusters"])] == list(case["json"]["clusters"])


@pytest.mark.parametrize("case", JSON["refused"], ids=lambda case: case["why"])
def test_a_broken_table_is_refused_with_its_place(case: dict[str, Any], tmp_path: Path) -> None:
    assert refusal(put(tmp_path, "d.json", as_json(case))) == case["why"]


@pytest.mark.parametrize("table", [[], ["m1"], {}, {"m1": "text"}, {"m1": {"text": "he"}}, None])
def test_a_table_without_spans_is_another_key(table: object) -> None:
    text = json.dumps({"type": "clusters", "clusters": {"a": ["m1"]}, "mentions": table})
    (document,) = documents(text.encode(), "d.json")
    assert (document.clusters, document.annotations) == ({"a": ["m1"]}, ())


CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=3)
TYPE = st.one_of(
    st.none(),
    CELL.filter(lambda text: not text.startswith("{")),
    st.dictionaries(CELL, st.one_of(CELL, st.booleans(), st.integers()), min_size=1, max_size=2),
)
SCORE = st.none() | st.floats(allow_nan=False, allow_infinity=False)
ID = st.one_of(st.none(), st.sampled_from(["E1", "E2", "NIL1", "NIL", "NILE"]), CELL)
CANDIDATE = st.builds(Candidate, ID, SCORE, TYPE).filter(lambda one: one != Candidate())


@st.composite
def mentions(draw: st.DrawFn) -> Annotation:
    start = draw(st.integers(0, 9))
    candidates = draw(st.lists(CANDIDATE, max_size=3))
    return Annotation(start, start + draw(st.integers(1, 9)), tuple(candidates))


@example(found=[Annotation(0, 1), Annotation(0, 1, (Candidate("E1"),))], name="d")
@given(
    found=st.lists(mentions(), min_size=1, max_size=6),
    name=CELL.filter(lambda text: not text.startswith("\ufeff")),
)
def test_tsv_and_json_hold_the_same(found: list[Annotation], name: str, tmp_path_factory: Any) -> None:
    folder = tmp_path_factory.getbasetemp()
    text = write(Document(name, {}, annotations=found), "tsv")
    (document,) = read(put(folder, "a.tsv", text), "tsv")
    assert said(document) == [one[:3] for one in found]
    (back,) = read(put(folder, "a.json", write(document, "clusters")))
    assert said(back) == said(document)
    assert write(back, "tsv") == text
    of_spans = {frozenset(members) for members in document.clusters.values()}
    assert {frozenset(members) for members in back.clusters.values()} == of_spans


@pytest.mark.parametrize(
    ("document", "why"),
    [
        (Document("d", {"a": ["m1"]}), '"d" does not say where its mentions are'),
        (Document("d", {}), '"d" has no mention, and annotations name no other documents'),
        (Document("d\t", {}, annotations=[Annotation(0, 1)]), '"d\\t" cannot be written as annotations'),
        (Document("d", {}, annotations=[Annotation(0, 1, (Candidate("\n"),))]), '"d" cannot be written as'),
        (Document("d", {}, annotations=[Annotation(0, 1, (Candidate("E", 0, "{"),))]), '"d" cannot be'),
        (Document("d", {}, annotations=[Annotation(0, 1, (Candidate("E", float("nan")),))]), '"d" cannot be'),
    ],
)  # fmt: skip
def test_what_tsv_cannot_hold_is_refused(document: Document, why: str) -> None:
    with pytest.raises(InputError) as caught:
        write(document, "tsv")
    assert str(caught.value).startswith(f"annotations: {why}")


def test_annotations_that_clusters_cannot_hold_are_refused(tmp_path: Path) -> None:
    one = Annotation(0, 1, (Candidate("E", float("inf")),))
    with pytest.raises(InputError, match='"d" cannot be written as clusters'):
        write(Document("d", {"E": [(0, 1)]}, annotations=[one]), "clusters")
    other = Annotation(0, 1, (Candidate("", 1.0),))
    with pytest.raises(InputError, match='"d" cannot be written as clusters'):
        write(Document("d", {"": [(0, 1)]}, annotations=[other]), "clusters")
    path = put(tmp_path, "d.json", as_json({"json": {**JSON["read"][0]["json"]}}).replace("0.5", "1e999"))
    assert refusal(path) == "$.mentions.a.score: is too large a number"


def test_clusters_of_tokens_are_entities_without_an_id() -> None:
    document = Document("d", {"a": [(3, 5), (0, 1)], "NILb": [(0, 2)]}, sentences=[9])
    assert [(one.start, one.end, one.top.id) for one in annotations(document) or ()] == [
        (0, 2, "NILb"),
        (0, 1, "NILa:d"),
        (3, 5, "NILa:d"),
    ]


def test_tsv_and_its_json_score_alike(tmp_path: Path) -> None:
    gold = "d\t0\t4\tE1\nd\t6\t7\tE1\nd\t9\t9\tNIL1\ne\t0\t0\n"
    system = "d\t0\t4\tE2\nd\t6\t7\tE3\nd\t9\t9\tE3\ne\t0\t0\tE3\n"
    paths = [put(tmp_path, "gold.tsv", gold), put(tmp_path, "sys.tsv", system)]
    report = scorch2.score(*paths, metrics=["muc", "mentions"], average="pooled")
    assert report.tallies("muc")[""] == (0, 1, 0, 1)
    assert report.tallies("mentions")[""] == (4, 4, 4, 4)
    for side, path in zip(("gold", "sys"), paths, strict=True):
        (tmp_path / side).mkdir()
        for document in read(path):
            put(tmp_path / side, f"{document.id}.json", write(document, "clusters"))
    again = scorch2.score(tmp_path / "gold", tmp_path / "sys", metrics=["muc", "mentions"], average="pooled")
    assert again.to_dict()["counts"] == report.to_dict()["counts"]


def test_a_mention_in_two_clusters_of_json_is_refused_with_both_clusters(tmp_path: Path) -> None:
    gold = put(tmp_path, "gold.json", as_json(JSON["read"][3]))
    with pytest.raises(InputError) as caught:
        scorch2.score(gold, gold)
    assert str(caught.value).startswith(
        'gold.json: cluster "e2": mention [0, 6] is already in cluster "e1" ('
    )


def test_a_mention_in_two_clusters_is_refused_with_both_lines(tmp_path: Path) -> None:
    gold = put(tmp_path, "gold.tsv", "d\t0\t4\tE1\n")
    system = put(tmp_path, "sys.tsv", "d\t0\t4\tE1\nd\t6\t7\tE1\nd\t0\t4\tE2\n")
    with pytest.raises(InputError) as caught:
        scorch2.score(gold, system)
    assert 'sys.tsv: line 3: mention [0, 4] is already in cluster "E1" on line 1 (' in str(caught.value)


def test_a_mention_twice_in_one_cluster_of_json_is_one(tmp_path: Path) -> None:
    value = {
        "type": "clusters", "name": "d", "offsets": "exclusive",
        "clusters": {"a": ["m", "m"]}, "mentions": {"m": {"span": [0, 2]}},
    }  # fmt: skip
    (tmp_path / "d.json").write_text(json.dumps(value), encoding="utf-8")
    (document,) = read(str(tmp_path / "d.json"))
    assert [one[:2] for one in document.annotations] == [(0, 2)]
