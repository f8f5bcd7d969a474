"""Stored reports: what is written as JSON is read back, and nothing else is."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from every import every

import scorch2
from scorch2.api.requests import lookup
from scorch2.audit import baseline
from scorch2.model.forms import render
from scorch2.model.options import OPTIONS
from scorch2.model.score import AVERAGES
from scorch2.scoring.metrics import OF_CLUSTERS

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "reports"


def written(tmp_path: Path, report: scorch2.Report) -> str:
    path = tmp_path / "report.json"
    path.write_text(render(report, "json"), encoding="utf-8")
    return str(path)


def scored(**choices: Any) -> scorch2.Report:
    return scorch2.score(FOLDER / "gold", FOLDER / "sys", **choices)


@pytest.mark.parametrize("average", AVERAGES)
def test_a_report_comes_back(average: str, tmp_path: Path) -> None:
    report = scored(average=average, metrics=OF_CLUSTERS)
    back = baseline.read(written(tmp_path, report), lookup)
    assert back.to_dict() == report.to_dict()
    assert (back.scores, back.documents, back.rows) == (report.scores, report.documents, report.rows)


@pytest.mark.parametrize("profile", ["scorch", "conll"])
def test_a_report_of_a_profile_comes_back(profile: str, tmp_path: Path) -> None:
    report = scored(profile=profile)
    assert baseline.read(written(tmp_path, report), lookup).scores == report.scores


def test_hashes_come_back_and_may_lack(tmp_path: Path) -> None:
    report = scored()
    files = {**(report.inputs or {}), "files": {"sentences": "0" * 64}}
    for inputs in (None, report.inputs, files):
        stored = report._replace(inputs=inputs)
        path = written(tmp_path, stored)
        assert baseline.read(path, lookup).inputs == inputs
        assert baseline.stored(path, lookup)[1::2] == (None, (inputs or {}).get("gold", {}))


def test_intervals_classes_and_metrics_by_name_come_back(tmp_path: Path) -> None:
    report = scorch2.errors(FOLDER / "gold", FOLDER / "sys", by=["size"], confidence=90, trials=20).report
    path = written(tmp_path, report)
    stored = baseline.stored(path, lookup)
    assert stored.report.breakdown == report.breakdown != {}
    assert stored.report.scores == report.scores
    assert stored.confidence == report.confidence is not None
    assert stored.version == scorch2.__version__
    made_with = baseline.made_with(json.loads(Path(path).read_text("utf-8")), path, lookup)
    assert made_with.choices == report.options.choices
    assert [*baseline.read_metrics(path, ["bcub", "muc"], lookup).scores] == ["muc", "b_cubed"]
    assert [*baseline.read_metrics(path, [], lookup).scores] == [*report.scores]
    with pytest.raises(scorch2.InputError, match=r"holds no mentions \(there are muc, "):
        baseline.read_metrics(path, ["mentions", "muc"], lookup)


def test_warnings_come_back(tmp_path: Path) -> None:
    report = scored()._replace(notices=[scorch2.Notice("empty", "d1", "no mention in it")])
    assert baseline.read(written(tmp_path, report), lookup).notices == report.notices


@pytest.mark.parametrize("name", OPTIONS)
def test_a_report_that_is_older_than_an_option_was_made_with_its_neutral_value(
    name: str, tmp_path: Path
) -> None:
    value = scored(**{name: OPTIONS[name].row.before}).to_dict()
    del value["options"][name]
    path = tmp_path / "older.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert getattr(baseline.read(str(path), lookup).options, name) == OPTIONS[name].row.before


def test_a_report_that_is_older_than_the_scores_of_documents_can_still_be_read(tmp_path: Path) -> None:
    value = scored().to_dict()
    for document in value["documents"]:
        del document["scores"]
    path = tmp_path / "older.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    assert baseline.read(str(path), lookup).to_dict() == scored().to_dict()


def test_the_first_baseline_of_the_example_can_still_be_read() -> None:
    path = FOLDER.parent / "example" / "baseline.json"
    assert '"version": "1.0.0"' in path.read_text(encoding="utf-8")
    assert baseline.read(str(path), lookup).documents


Change = Callable[[dict[str, Any]], Any]
CHANGES: dict[str, tuple[Change, str]] = {
    "a changed score of a document": (
        lambda r: r["documents"][1]["scores"]["muc"].update(f1=0.9),
        "$.documents[1].scores.muc.f1: is not what the counts come to: the report was changed",
    ),
    "no score of a metric in a document": (
        lambda r: r["documents"][0]["scores"].pop("lea"),
        '$.documents[0].scores: no "lea"',
    ),
    "another schema": (lambda r: r.update(schema=2), "$.schema: 2 is not the schema this version reads (1)"),
    "no options": (lambda r: r.pop("options"), '$: no "options": not a complete report'),
    "options of another kind": (lambda r: r.update(options=[]), "$.options: not an object"),
    "an unknown average": (lambda r: r["options"].update(average="x"), "$.options: average cannot be"),
    "a number for an average": (lambda r: r["options"].update(average=1), "$.options.average: not a string"),
    "an unknown option": (
        lambda r: r["options"].update({"x\n::error::y": "z"}),
        r'$.options["x\n::error::y"]: is not an option this version knows',
    ),
    "an option of another task": (
        lambda r: r["options"].update(restrict="z"),
        "$.options.restrict: is not an option this version knows",
    ),
    "a fact of another kind": (
        lambda r: r["options"].update(task=2, unit=["z"]),
        "$.options.unit: neither a string nor a whole number",
    ),
    "an unknown metric": (
        lambda r: r["options"].update(metrics=["x"]),
        '$.options.metrics: unknown metric "x"',
    ),
    "a list for a metric": (
        lambda r: r["options"].update(metrics=[["muc"]]),
        "$.options.metrics: not a list of",
    ),
    "a huge count": (
        lambda r: r["documents"][1]["counts"]["muc"].update(recall_den=10**400),
        "$.documents[1].counts.muc.recall_den: not a count",
    ),
    "more mentions than can be": (
        lambda r: r["documents"][1].update(gold_mentions=10**15),
        "$.documents[1].gold_mentions: not a count",
    ),
    "as many mentions as can be": (
        lambda r: r["documents"][1].update(gold_mentions=10**15 - 1),
        "$.scores.muc.recall: is not what the counts come to",
    ),
    "huge mentions": (
        lambda r: r["documents"][1].update(gold_mentions=10**400),
        "$.documents[1].gold_mentions: not a count",
    ),
    "a huge score": (
        lambda r: r["scores"]["muc"].update(f1=10**400),
        "$.scores.muc.f1: is not what the counts come to",
    ),
    "no metric": (lambda r: r["options"].update(metrics=[]), "$.options.metrics: no metric"),
    "no documents": (lambda r: r.update(documents=[]), "$.documents: no document"),
    "documents of another kind": (lambda r: r.update(documents={}), "$.documents: not a list"),
    "a document of another kind": (lambda r: r["documents"].append(3), "$.documents[3]: not an object"),
    "a document twice": (
        lambda r: r["documents"].append(r["documents"][0]),
        '$.documents[3]: a second document "d1"',
    ),
    "no counts": (lambda r: r["documents"][1].pop("counts"), '$.documents[1]: no "counts"'),
    "no counts of a metric": (
        lambda r: r["documents"][1]["counts"].pop("lea"),
        '$.documents[1].counts: no "lea"',
    ),
    "no part": (
        lambda r: r["documents"][1]["counts"]["blanc"].pop("coref"),
        '$.documents[1].counts.blanc: no "coref"',
    ),
    "no numerator": (
        lambda r: r["documents"][1]["counts"]["muc"].pop("recall_num"),
        '$.documents[1].counts.muc: no "recall_num"',
    ),
    "a negative count": (
        lambda r: r["documents"][1]["counts"]["muc"].update(recall_num=-1),
        "$.documents[1].counts.muc.recall_num: not a count",
    ),
    "a count in words": (
        lambda r: r["documents"][1]["counts"]["muc"].update(recall_num="1"),
        "$.documents[1].counts.muc.recall_num: not a count",
    ),
    "a truth for a count": (
        lambda r: r["documents"][1]["counts"]["muc"].update(recall_num=True),
        "$.documents[1].counts.muc.recall_num: not a count",
    ),
    "more found than there is": (
        lambda r: r["documents"][1]["counts"]["muc"].update(precision_num=9),
        "$.documents[1].counts.muc: precision_num is larger than precision_den",
    ),
    "half a mention": (
        lambda r: r["documents"][1].update(gold_mentions=1.5),
        "$.documents[1].gold_mentions: not a whole number",
    ),
    "an id that is no string": (lambda r: r["documents"][1].update(id=1), "$.documents[1].id: not a string"),
    "a warning of another kind": (lambda r: r["warnings"].append("x"), "$.warnings[0]: not an object"),
    "a better score": (
        lambda r: r["scores"]["muc"].update(f1=0.99),
        "$.scores.muc.f1: is not what the counts come to",
    ),
    "a score that is none": (
        lambda r: r["scores"]["muc"].update(f1=None),
        "$.scores.muc.f1: is not what the counts come to",
    ),
    "hashes of another kind": (lambda r: r.update(inputs=[]), "$.inputs: not an object"),
    "no hashes of gold": (lambda r: r["inputs"].pop("gold"), '$.inputs: no "gold"'),
    "no hash of the pairing": (lambda r: r["inputs"].pop("pairing"), '$.inputs: no "pairing"'),
    "a hash that is no string": (
        lambda r: r["inputs"]["system"].update(d2=2),
        "$.inputs.system.d2: not a string",
    ),
    "no score": (lambda r: r["scores"].pop("muc"), '$.scores: no "muc"'),
    "other counts": (
        lambda r: r["documents"][1]["counts"]["muc"].update(recall_num=3),
        "$.scores.muc.recall: is not what the counts come to",
    ),
}


@every("name", CHANGES)
def test_a_changed_report_is_refused(name: str, tmp_path: Path) -> None:
    change, message = CHANGES[name]
    value = json.loads(render(scored(), "json"))
    change(value)
    path = tmp_path / "report.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(scorch2.InputError) as caught:
        baseline.read(str(path), lookup)
    assert f"{caught.value.where}: {caught.value.why}".startswith(message)


@every("ends", [[0.9, 0.1], [0.1], ["0", 1], {}, 0.5, "lacking"])
def test_an_interval_that_is_none_is_refused(ends: object, tmp_path: Path) -> None:
    report = scorch2.errors(FOLDER / "gold", FOLDER / "sys", confidence=90, trials=20).report
    value = json.loads(render(report, "json"))
    parts = value["confidence"]["metrics"]["muc"]
    parts["f1"] = ends
    if ends == "lacking":
        del parts["f1"]
    path = tmp_path / "report.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    with pytest.raises(scorch2.InputError) as caught:
        baseline.stored(str(path), lookup)
    said = f"{caught.value.where}: {caught.value.why}"
    assert said == "$.confidence.metrics.muc.f1: neither two numbers, low and high, nor null"


@pytest.mark.parametrize(
    "text",
    [
        "MUC:\tR=0.5\tP=1.0",
        "[]",
        "3",
        "{}",
        '{"type": "clusters", "clusters": {}}',
        '{"schema": 1}',
        '{"scores": {}}',
    ],
)
def test_other_text_is_no_report(text: str, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(scorch2.InputError, match="not a report of scorch2"):
        baseline.read(str(path), lookup)


def test_broken_json_is_refused_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(render(scored(), "json")[:30], encoding="utf-8")
    with pytest.raises(scorch2.InputError) as caught:
        baseline.read(str(path), lookup)
    assert caught.value.where.startswith("line 3, column ")
