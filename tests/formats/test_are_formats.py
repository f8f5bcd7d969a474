"""ARE: chains from other formats, and XML that is written."""

import re
from pathlib import Path
from typing import Any

import pytest
from are_files import CASES, FOLDER, SCORED, pair, resolved, scored
from imports import PACKAGE

import scorch2
from scorch2.cli.main import main
from scorch2.formats.copies import write
from scorch2.formats.reading import read
from scorch2.formats.xml import are
from scorch2.model.document import Document
from scorch2.model.errors import InputError, MarkupError
from scorch2.model.markables import Anaphora

CONLL_GOLD, CONLL_SYSTEM = (str(FOLDER.parent / "example" / f"{side}.conll") for side in ("gold", "sys"))
JSON_SPANS = '{"type": "clusters", "clusters": {"a": [[0, 4], [5, 6]], "b": [[9, 10]]}}'


def test_chains_of_other_formats_serve_tasks_2_and_4() -> None:
    muc = scorch2.score(CONLL_GOLD, CONLL_SYSTEM, metrics=["muc"], average="pooled")
    assert scored(2, CONLL_GOLD, CONLL_SYSTEM).muc == muc.muc
    assert (
        scored(4, CONLL_GOLD, CONLL_SYSTEM).overlap_muc == muc.muc
    )  # spans that agree as far as they are the same


def test_sides_may_be_in_different_formats(tmp_path: Path) -> None:
    (tmp_path / "lists.json").write_text(JSON_SPANS, encoding="utf-8")
    said = JSON_SPANS.replace("{", '{"offsets": "exclusive", ', 1)
    (tmp_path / "g.json").write_text(said, encoding="utf-8")
    (tmp_path / "s.xml").write_text(
        '<are unit="token"><chain><element start="0" end="2"/><element start="5" end="6"/></chain></are>',
        encoding="utf-8",
    )
    report = scored(4, tmp_path / "g.json", tmp_path / "s.xml", unit="token")
    assert report.overlap_muc is not None
    assert [*report.overlap_muc] == [0.5, 0.5, 0.5]
    with pytest.raises(MarkupError, match="unit-mismatch"):
        scored(4, tmp_path / "g.json", tmp_path / "s.xml", unit="char")
    with pytest.raises(InputError, match=r"lists.json: \$.offsets: mentions are lists"):
        scored(4, tmp_path / "lists.json", tmp_path / "s.xml", unit="token")


def test_ids_outside_the_list_of_gold_are_refused_in_any_format(tmp_path: Path) -> None:
    (tmp_path / "g.xml").write_text('<are><entity id="1"/><chain><element id="1"/></chain></are>', "utf-8")
    for mention, known in (("1", True), ("7", False)):
        text = f'{{"type": "clusters", "clusters": {{"a": ["{mention}"]}}}}'
        (tmp_path / "s.json").write_text(text, encoding="utf-8")
        if known:
            assert scored(2, tmp_path / "g.xml", tmp_path / "s.json").muc is not None
        else:
            with pytest.raises(
                MarkupError, match='unknown-id: "7" is not an entity of the gold file'
            ) as caught:
                scored(2, tmp_path / "g.xml", tmp_path / "s.json")
            assert caught.value.kind == "unknown-id"


def test_what_has_no_mentions_keeps_its_unit(tmp_path: Path) -> None:
    (tmp_path / "e.conll").write_text("#begin document e\na\t-\n#end document\n", encoding="utf-8")
    target = tmp_path / "e.xml"
    assert main(["convert", "--to=are", str(tmp_path / "e.conll"), str(target)]) == 0
    assert 'unit="token"' in target.read_text("utf-8")
    assert scored(4, target, target).overlap_muc.f1 == 0


@pytest.mark.parametrize("task", [1, 3])
def test_only_xml_has_pairs(task: int) -> None:
    with pytest.raises(InputError, match=f"task {task} needs pairs of pronouns, which conll does not have"):
        scored(task, CONLL_GOLD, CONLL_SYSTEM, form="conll")
    with pytest.raises(MarkupError, match="malformed-xml"):
        scored(task, CONLL_GOLD, CONLL_SYSTEM, unit="token")


@pytest.mark.parametrize(
    ("mentions", "unit", "why"),
    [
        ("[0, 4]", "", "unit-missing: the file does not say what spans count"),
        ('"m1"', "token", 'the mention "m1" is not a half-open span'),
        ("[4, 4]", "token", r"the mention \[4, 4\] is not a half-open span"),
        ("[1, 2, 3]", "token", r"the mention \[1, 2, 3\] is not a half-open span"),
        ("[-1, 2]", "token", r"the mention \[-1, 2\] is not a half-open span"),
    ],
)
def test_task_4_compares_spans(mentions: str, unit: str, why: str, tmp_path: Path) -> None:
    text = f'{{"type": "clusters", "clusters": {{"a": [{mentions}]}}}}'
    (tmp_path / "g.json").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=why):
        scored(4, tmp_path / "g.json", tmp_path / "g.json", unit)


def test_tokens_are_not_characters(tmp_path: Path) -> None:
    with pytest.raises(MarkupError, match="unit-mismatch: spans of tokens, not of characters as asked for"):
        scored(4, CONLL_GOLD, CONLL_SYSTEM, unit="char")
    (tmp_path / "g.xml").write_text('<are unit="token"/>', encoding="utf-8")
    with pytest.raises(MarkupError, match="unit-mismatch: the file counts in tokens, not in characters"):
        scored(4, tmp_path / "g.xml", tmp_path / "g.xml", unit="char")


def test_score_takes_the_chains_of_xml() -> None:
    """The hand count of task 2."""
    report = scorch2.score(*pair("s03-task2-muc"), metrics=["muc"])
    assert report.tallies("muc")[""] == (2, 4, 2, 5)


@pytest.mark.parametrize(
    "path", sorted((FOLDER / "cases").glob("*/gold.xml")), ids=lambda path: path.parent.name
)
def test_what_is_written_is_read_again(path: Path, tmp_path: Path) -> None:
    (document,) = read(str(path))
    (tmp_path / "again.xml").write_text(write(document, "are"), encoding="utf-8")
    (again,) = read(str(tmp_path / "again.xml"))
    assert again._replace(path=document.path) == document._replace(
        anaphora=document.anaphora and document.anaphora._replace(lines=again.anaphora.lines)  # type: ignore[union-attr]  # both have it
    )


@pytest.mark.parametrize("name", SCORED)
def test_converted_files_score_as_before(name: str, tmp_path: Path) -> None:
    task = CASES[name]["task"]
    for path in pair(name):
        assert main(["convert", "--to=are", path, str(tmp_path / Path(path).name)]) == 0
    after = scored(task, tmp_path / "gold.xml", tmp_path / "sys.xml")
    assert after.scores == scored(task, *pair(name)).scores


@pytest.mark.parametrize(
    ("clusters", "why"),
    [
        ({"a": ["m"], "b": ["m"]}, "is in two clusters"),
        ({"a": [1], "b": ["1"]}, "would have one id"),
        ({"a": [" m"]}, "is not an id that ARE XML can hold"),
        ({"a": [""]}, "is not an id that ARE XML can hold"),
        ({"a": ["\x1b"]}, "XML cannot hold the character"),
        ({"a": [(1, 1)]}, "is not a half-open span"),
        ({"a": [(1, 2), "m"]}, "is not a half-open span"),
        ({"a": ["m", (1, 2)]}, "is not an id that ARE XML can hold"),
    ],
)
def test_what_the_dialect_cannot_hold_is_refused(clusters: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        write(Document("d", clusters), "are")


def test_names_and_texts_survive() -> None:
    odd = "a<b>&\"'\t\n\r é\U0001f600"
    anaphora = Anaphora({"2": "1", "3": None}, frozenset({"2"}), ("1", "2", "3"), odd, {"2": 6, "3": 7})
    document = Document(odd, {odd: ["1", odd.strip()]}, anaphora=anaphora._replace(entities=None))
    (found,) = are.documents(write(document, "are").encode(), "d", "d.xml")
    assert (found.id, found.clusters) == (document.id, document.clusters)
    assert found.anaphora is not None
    assert found.anaphora.text == odd
    assert found.anaphora.answers == anaphora.answers


def test_the_xml_of_the_guide_is_taken() -> None:
    text = (PACKAGE / "guide" / "anaphora.md").read_text("utf-8")
    (block,) = re.findall(r"```xml\n(.*?)```", text, re.DOTALL)
    assert resolved(3, block, block).items == (((3, 4), "1", "nominal"),)


def test_entities_and_empty_chains_are_written(tmp_path: Path) -> None:
    text = (
        '<are><entity id="a"/><entity id="b" type="pronoun"/>'
        '<chain id="1"><element id="a"/><element id="b"/></chain></are>'
    )
    (tmp_path / "d.xml").write_text(text, encoding="utf-8")
    (document,) = read(str(tmp_path / "d.xml"))
    written = write(document._replace(clusters={**document.clusters, "2": []}), "are")
    assert '<entity id="a"/>' in written
    assert '<entity id="b" type="pronoun"/>' in written
    assert written.count("<chain ") == 1
