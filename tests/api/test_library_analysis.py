"""Errors for Python callers: what the command finds, from paths, clusters and documents."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from every import every

import scorch2
from scorch2.analysis.kinds import KINDS
from scorch2.cli.main import main

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
GOLD, SYSTEM, OTHER = (str(FIXTURES / "example" / side) for side in ("gold", "sys", "other"))
CONLL = str(FIXTURES / "example" / "gold.conll"), str(FIXTURES / "example" / "sys.conll")
HOSTILE = '<script>alert("1")</script>'


def command(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main(["errors", "-q", "-f", "json", *words]) == 0
    return json.loads(capsys.readouterr().out)


OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"by": "size,mentions", "list": "errors"}, ["--by=size,mentions", "--list=errors"]),
    ({"metrics": ["muc", "lea"], "average": "pooled"}, ["-m", "muc,lea", "--average=pooled"]),
    ({"by": ["type"], "types": "english", "windows": [20]}, ["--by=type", "--types=english", "--window=20"]),
    ({"list": "links", "document": "bridge-000"}, ["--list=links", "--document=bridge-000"]),
    ({"list": "errors", "kind": ["divided"]}, ["--list=errors", "--kind=divided"]),
    ({"by": "genre", "genre": "(.)"}, ["--by=genre", "--genre=(.)"]),
    ({"spans": "none", "jobs": 2}, ["--spans=none", "-j", "2"]),
    ({"profile": "conll"}, ["--profile=conll"]),
    ({"confidence": 90, "trials": 50, "seed": 3}, ["--confidence=90", "--trials=50", "--seed=3"]),
]


@pytest.mark.parametrize(("chosen", "words"), OPTIONS)
def test_arguments_are_the_options_of_the_command(
    chosen: dict[str, Any], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert json.loads(scorch2.errors(*CONLL, **chosen).to_json()) == command(capsys, *words, *CONLL)


def test_a_second_system(capsys: pytest.CaptureFixture[str]) -> None:
    expected = command(capsys, f"--other={OTHER}", GOLD, SYSTEM)
    assert scorch2.errors(GOLD, SYSTEM, OTHER).to_dict()["compared"] == expected["compared"]
    with pytest.raises(scorch2.PairingError, match="both systems must have the same documents"):
        scorch2.errors(
            scorch2.read(CONLL[0]), scorch2.read(CONLL[1]), scorch2.read(CONLL[1])[:2], missing="skip"
        )


def test_clusters_by_hand() -> None:
    """In s2, c is divided from a and b, and d is conflated with c; e, f and g are missing."""
    gold = {"g1": ["a", "b", "c"], "g2": ["d", "e"], "g3": ["f", "g"]}
    system = {"s1": ["a", "b"], "s2": ["c", "d"], "s3": ["x", "y"]}
    found = scorch2.errors(gold, system, list="errors")
    assert {kind: count.errors for kind, count in found.errors.items()} == {
        "span": 0, "conflated": 1, "extra_mention": 0, "extra_entity": 1, "divided": 1,
        "missing_mention": 1, "missing_entity": 1,
    }  # fmt: skip
    assert found.errors["divided"].moved == 0
    assert found.links["recall"] == {
        "found": 1, "span": 0, "divided": 1, "missing_mention": 1, "missing_entity": 1,
    }  # fmt: skip
    assert [row["mentions"] for row in found.list if row["kind"] == "missing_entity"] == [["f", "g"]]
    assert found.corrected.in_order["missing_entity"]["lea"].f1 == 1
    assert found.report.muc.recall == 1 / 4
    assert found.breakdown == {}


def test_iterators_are_read_once_and_documents_pair_by_id() -> None:
    gold, system = [["a", "b", "c"]], [["a", "b"], ["c"]]
    once = scorch2.errors(iter(gold), iter(system), iter(system))
    assert once.errors == scorch2.errors(gold, system).errors
    assert once.compared is not None
    assert once.examples() == scorch2.errors(gold, system, other=system).examples()
    read = scorch2.errors(*map(scorch2.read, CONLL), by="sentences")
    assert read.to_dict()["breakdown"] == scorch2.errors(*CONLL, by="sentences").to_dict()["breakdown"]


def test_records_add_up_to_those_of_the_corpus() -> None:
    records = scorch2.errors(*CONLL).to_records()
    assert [(row["document"], row["error"]) for row in records[:2]] == [
        ("harbour-000", "span"), ("harbour-000", "conflated"),
    ]  # fmt: skip
    for kind in KINDS:
        *documents, corpus = [row for row in records if row["error"] == kind]
        assert len(documents) == 3
        for name, total in corpus.items():
            if name not in ("document", "error") and total is not None:
                assert total == sum(row[name] for row in documents)
    assert {row["error"] for row in records if row["lost_recall"] is None} == {
        "conflated", "extra_mention", "extra_entity",
    }  # fmt: skip


def test_a_notebook_shows_names_as_text() -> None:
    gold = [scorch2.Document(HOSTILE, {HOSTILE: [HOSTILE, "b"], "c": ["d"]})]
    found = scorch2.errors(gold, [scorch2.Document(HOSTILE, {"s": [HOSTILE], "t": ["b"]})], list="errors")
    shown = found._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert HOSTILE not in repr(found)
    assert not str(found).endswith("\n")
    assert str(found).splitlines()[-1] == found.signature()


def test_a_saved_report_is_a_report_of_scores(tmp_path: Path) -> None:
    path = tmp_path / "errors.json"
    scorch2.errors(*CONLL, metrics=["lea"]).save(path)
    assert main(["gate", "--fail-under=lea=0.6", str(path)]) == 0
    with pytest.raises(scorch2.OutputError):
        scorch2.errors(*CONLL).save(tmp_path / "errors.md")


PAGES: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"text_tokens": 1}, ["--text-tokens=1"]),
    ({"page": "plain"}, ["--page=plain"]),
    ({"kind": "divided", "document": "bridge-000"}, ["--kind=divided", "--document=bridge-000"]),
    (
        {"types": "english", "confidence": 90, "trials": 20},
        ["--types=english", "--confidence=90", "--trials=20"],
    ),
]


@pytest.mark.parametrize(("chosen", "words"), PAGES)
def test_the_page_is_that_of_the_command(chosen: dict[str, Any], words: list[str], tmp_path: Path) -> None:
    paths = tmp_path / "ours.HTML", tmp_path / "theirs.html"
    for _ in range(2):  # a page replaces a page
        scorch2.errors(*CONLL, title=HOSTILE, **chosen).save(paths[0])
    assert main(["errors", "-q", f"--title={HOSTILE}", *words, *CONLL, str(paths[1])]) == 0
    assert paths[0].read_text("utf-8") == paths[1].read_text("utf-8")
    assert HOSTILE not in paths[0].read_text("utf-8")


def test_a_page_needs_a_title_and_replaces_no_document(tmp_path: Path) -> None:
    found = scorch2.errors(*CONLL)
    with pytest.raises(scorch2.UsageError, match="the page needs texts: count errors with title="):
        found.save(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []
    path = tmp_path / "gold.htm"
    path.write_bytes(Path(CONLL[0]).read_bytes())
    with pytest.raises(scorch2.OutputError, match="looks like conll"):
        scorch2.errors(*CONLL, title="t").save(path)
    assert path.read_bytes() == Path(CONLL[0]).read_bytes()


def test_figures_are_those_of_the_command(tmp_path: Path) -> None:
    plots = [
        f"--plot={name}:{tmp_path / name}.{suffix}"
        for name in ("errors", "size")
        for suffix in ("svg", "png")
    ]
    assert main(["errors", "-q", "-j", "2", *plots, "-o", str(tmp_path / "r.json"), *CONLL]) == 0
    found = scorch2.errors(*CONLL, by="size")
    for name in ("errors", "size"):
        assert found.image(name) == (tmp_path / f"{name}.svg").read_bytes()
        assert found.image(name, "png") == (tmp_path / f"{name}.png").read_bytes()
    with pytest.raises(scorch2.UsageError, match='the figure width needs by="width"'):
        found.image("width")
    with pytest.raises(scorch2.UsageError, match='unknown figure "sise", did you mean size'):
        found.image("sise")
    with pytest.raises(scorch2.UsageError, match='unknown format of an image "gif"'):
        found.image("size", cast("Any", "gif"))
    with pytest.raises(scorch2.UsageError, match="shows LEA: add lea to the metrics"):
        scorch2.errors(*CONLL, metrics=["muc"]).image("documents")


REFUSED: list[tuple[Mapping[str, Any], str]] = [
    ({"by": "tpye"}, 'unknown dimension "tpye", did you mean type?'),
    ({"by": [3]}, "unknown dimension"),
    ({"list": "error"}, 'unknown list "error", did you mean errors?'),
    ({"list": ""}, 'unknown list ""'),
    ({"kind": "divided"}, 'kind chooses what is listed: it needs list="errors"'),
    ({"kind": "divide", "list": "errors"}, 'unknown kind of error "divide"'),
    ({"document": "d"}, "document chooses what is listed: it needs list"),
    ({"document": "d", "list": "links"}, 'unknown document "d"'),
    (
        {"star": "#star=doc%3Dd", "list": "errors"},
        'star takes the address of a page of errors with stars, .*not "#star=doc%3Dd"',
    ),
    ({"star": ["page.html"], "list": "errors"}, "star takes the address of a page of errors with stars"),
    ({"star": "#star=doc%3Dd%26m%3D1%26error%3Dsplit", "list": "errors"}, "star takes the address"),
    ({"star": "#star=doc%3Dd%26m%3D1%26error%3Dspan"}, 'star chooses what is listed: it needs list="errors"'),
    (
        {"star": "star=doc%3Dd%26m%3D1%26error%3Dspan", "list": "errors"},
        'the span error at 1 of "d" with a star',
    ),
    ({"spans": "all"}, 'unknown way to tell span errors "all"'),
    ({"types": "german"}, 'unknown way to tell types "german"'),
    ({"windows": [0]}, 'windows is a whole number from 1 to 10000000, not "0"'),
    ({"windows": [2.5]}, 'windows is a whole number from 1 to 10000000, not "2.5"'),
    ({"genre": "a"}, 'genre: "a" has no group'),
    ({"genre": "(.)", "by": "size"}, 'genre says where genres are: it needs by="genre"'),
    ({"genre": "("}, 'genre: "\\(" is not a regular expression'),
    ({"confidence": 100}, "confidence is percent from 1 to below 100"),
    ({"confidence": 95, "trials": 0}, "trials is a whole number from 1"),
    ({"text_tokens": 5}, "text_tokens is about the page: it needs title"),
    ({"title": "t", "text_tokens": 0}, 'text_tokens is a whole number from 1 to 10000000, not "0"'),
    ({"page": "plain"}, "page is about the page: it needs title"),
    ({"title": "t", "page": "flat"}, 'unknown way to write the page "flat"'),
    ({"title": 3}, "title is a text, not 3"),
    ({"metrics": ["rouge"]}, 'unknown metric "rouge"'),
    ({"average": "median"}, "average cannot be"),
]


@every(("chosen", "message"), REFUSED)
def test_what_makes_no_sense_is_refused(chosen: dict[str, Any], message: str) -> None:
    with pytest.raises(scorch2.UsageError, match=message):
        scorch2.errors([["a", "b"]], [["a", "b"]], **chosen)


def test_standard_input_is_not_read_twice() -> None:
    with pytest.raises(scorch2.UsageError, match="other reads gold a second time"):
        scorch2.errors("-", SYSTEM, OTHER)
