"""The report that Python programs get: scores by name, by alias, as text."""

import copy
import operator
import pickle
import re
import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from every import every

import scorch2
from scorch2.api.requests import lookup
from scorch2.audit import baseline
from scorch2.model.forms import NOT_WRITTEN, forms_of, suffixes_but
from scorch2.model.results import CountedScore
from scorch2.model.score import PARTS, Rate, Value
from scorch2.scoring.metrics import METRICS, OF_CLUSTERS

REPORTS = forms_of("scores")

GOLD = [["a", "b", "c"], ["d", "e"]]
SYSTEM = [["a", "b"], ["c", "d", "e"]]


@pytest.fixture
def report() -> scorch2.Report:
    return scorch2.score(GOLD, SYSTEM, metrics=OF_CLUSTERS)


@pytest.mark.parametrize("name", OF_CLUSTERS)
def test_a_score_has_its_name_and_aliases(name: str, report: scorch2.Report) -> None:
    for spelling in (name, *METRICS[name].aliases):
        assert report[spelling] is report.scores[name]
        assert report[spelling.upper()] is report.scores[name]
        assert getattr(report, spelling) is report.scores[name]


def test_dir_lists_the_metrics_that_there_are(report: scorch2.Report) -> None:
    assert {*OF_CLUSTERS, "scores", "to_dict", "to_markdown"} <= set(dir(report))
    assert "lea" not in dir(scorch2.score(GOLD, SYSTEM, metrics=["muc"]))


def test_a_score_that_was_not_computed_is_named_with_those_that_were() -> None:
    report = scorch2.score(GOLD, SYSTEM, metrics=["muc"])
    with pytest.raises(AttributeError, match=r"no score called 'lea' \(there are muc\)"):
        _ = report.lea
    with pytest.raises(KeyError):
        _ = report["lea"]


def test_parts_of_all_scores_can_be_asked_for(report: scorch2.Report) -> None:
    lacking = {(name, part) for name in report for part in PARTS if getattr(report[name], part) is None}
    means = {"conll", "entity_f1", "entity_f1_weighted"}
    assert lacking == {(name, part) for name in means & {*report} for part in ("recall", "precision")}


def test_it_does_not_change(report: scorch2.Report) -> None:
    with pytest.raises(AttributeError, match="a report does not change: 'scores' cannot be set"):
        report.scores = {}
    assert pickle.loads(pickle.dumps(report)) == report  # noqa: S301 - our own
    assert report not in ("a report", report._replace(notices=["one more"]))
    with pytest.raises(TypeError, match="unhashable"):
        hash(report)


def test_its_scores_and_options_do_not_change(report: scorch2.Report) -> None:
    scores: Any = report.scores
    choices: Any = report.options.choices
    inputs: Any = report.options.inputs
    for change in (
        lambda: scores.update(muc=1),
        lambda: scores.pop("muc"),
        lambda: operator.setitem(scores, "muc", 1),
        lambda: operator.delitem(scores, "muc"),
        lambda: operator.setitem(choices, "average", "macro"),
        lambda: operator.setitem(inputs, "gold_key", "x"),
        choices.clear,
    ):
        with pytest.raises(TypeError, match="a report and its options do not change"):
            change()
    for copied in (copy.deepcopy(report), pickle.loads(pickle.dumps(report))):  # noqa: S301 - our own
        assert copied == report
        scores = copied.scores
        with pytest.raises(TypeError):
            scores.clear()


def test_it_is_a_mapping_from_metrics_to_scores(report: scorch2.Report) -> None:
    assert [*report] == [*report.keys()] == [*report.scores]
    assert dict(report) == report.scores
    assert len(report) == len(report.scores)
    assert "muc" in report
    assert "B3" in report
    assert "rouge" not in report
    assert "scores" not in report
    assert 0 not in report
    with pytest.raises(KeyError):
        _ = report[0]  # type: ignore[index]  # wrong on purpose


def test_it_is_neither_clusters_nor_systems(report: scorch2.Report) -> None:
    with pytest.raises(scorch2.UsageError, match="gold: clusters are an iterable of clusters, not Report"):
        scorch2.score(report, report)
    with pytest.raises(scorch2.UsageError, match="systems are a mapping from names to systems"):
        scorch2.compare(report)


def test_a_score_is_a_number_by_its_f1_or_only_part() -> None:
    report = scorch2.score([["a", "b", "c"]], [["a", "b"]], metrics=["muc", "conll"])
    assert float(report.muc) == report.muc.f1 == 2 / 3
    assert float(report.conll) == report.conll.f1
    assert (f"{report.muc:.2f}", f"{report.muc:.1%}") == ("0.67", "66.7%")
    assert f"{report.conll}" == str(report.conll)
    counted = CountedScore(*map(Value, (0.5, 1, 0.75, 2, 0, 2, 1)))
    assert (float(counted), f"{counted:g}") == (0.75, "0.75")
    assert (float(Rate(Value(0.25))), f"{Rate(Value(0.25)):.0%}") == (0.25, "25%")


def test_every_value_with_records_becomes_a_data_frame(report: scorch2.Report) -> None:
    pytest.importorskip("pandas")
    other = scorch2.score(GOLD, [["a", "b", "c"]], metrics=OF_CLUSTERS)
    sides = {"first": SYSTEM, "second": GOLD}
    values: list[Any] = [
        report,
        scorch2.errors(GOLD, SYSTEM),
        scorch2.compare(sides, gold=GOLD),
        scorch2.agreement(sides),
        scorch2.confidence(report, trials=10),
        scorch2.significance({"first": report, "second": other}),
    ]
    for value in values:
        frame = value.to_dataframe()
        rows = [frame.astype(object).where(frame.notna(), None).to_dict("records"), value.to_records()]
        same = [[{k: v for k, v in row.items() if v is not None} for row in table] for table in rows]
        assert same[0] == same[1]
    frame = report.to_dataframe()
    assert [*frame.recall[frame.metric == "muc"]] == [
        2 / 3,
        2 / 3,
    ]  # the document, the corpus: 1 + 1 of 2 + 1


def test_a_data_frame_needs_pandas(report: scorch2.Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)  # as if it were not there
    with pytest.raises(scorch2.UsageError, match="to_dataframe needs pandas: pip install pandas"):
        report.to_dataframe()


@pytest.mark.parametrize("path", [None, 5, b"r.json", ["r.json"]])
def test_it_is_saved_to_a_path(path: Any, report: scorch2.Report) -> None:
    with pytest.raises(scorch2.UsageError, match="path is the path of a file, not "):
        report.save(path)


def test_repr_shows_f1_of_a_score_with_counts(report: scorch2.Report) -> None:
    score = CountedScore(*map(Value, (0.5, 1, 0.75, 2, 0, 2, 1)))
    assert "scores={'links': 0.75}" in repr(report._replace(scores={"links": score}))


def test_repr_fits_a_screen() -> None:
    scorer = scorch2.CorefScorer()
    for _ in range(1000):
        scorer.update(gold=GOLD, system=SYSTEM)
    shown = repr(scorer.compute())
    assert shown.startswith("Report(documents=1000, average='mentions', scores={'muc': 0.6667, ")
    assert len(shown) < 3 * 80


def test_markdown_is_the_table_and_the_signature(report: scorch2.Report) -> None:
    head, rule, *rows = report.to_markdown().splitlines()
    assert head.split(" | ")[:2] == ["| metric", "recall"]
    assert set(rule) <= set("|:- ")
    assert len(rows) == len(OF_CLUSTERS) + 4
    assert rows[-3] == "Scores in percent. 5 mentions of gold, 5 of the system."
    assert rows[-1] == f"`{report.signature()}`"


def test_a_saved_report_is_read_back(report: scorch2.Report, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    for _ in range(2):  # a report may replace a report
        report.save(path)
    assert path.read_text(encoding="utf-8") == report.to_json()
    assert baseline.read(str(path), lookup).scores == report.scores
    assert [each.name for each in tmp_path.iterdir()] == ["report.json"]


def test_saving_loses_no_documents(report: scorch2.Report, tmp_path: Path) -> None:
    path = tmp_path / "system.conll"
    path.write_text("#begin document (d);\nw\t(1)\n#end document\n", encoding="utf-8")
    with pytest.raises(scorch2.OutputError, match=r"system\.conll: looks like conll, not like a report"):
        report.save(path)
    with pytest.raises(scorch2.OutputError, match="no such folder: "):
        report.save(tmp_path / "nowhere" / "report.json")
    assert path.read_text(encoding="utf-8").startswith("#begin")


@every("suffix", suffixes_but("json"))
def test_a_report_is_not_saved_under_the_suffix_of_another_form(
    suffix: str, report: scorch2.Report, tmp_path: Path
) -> None:
    with pytest.raises(scorch2.OutputError, match=rf"saved as JSON, not as {re.escape(suffix)} \(name it"):
        report.save(tmp_path / f"report{suffix.upper()}")
    assert list(tmp_path.iterdir()) == []


def test_every_suffix_of_a_report_but_that_of_json_is_another_form() -> None:
    suffixes = {suffix for form in REPORTS.values() for suffix in form.suffixes}
    assert {*suffixes_but("json")} == {*suffixes, ".csv", *NOT_WRITTEN} - {".json"}


def test_a_suffix_of_no_form_is_fine(report: scorch2.Report, tmp_path: Path) -> None:
    report.save(tmp_path / "report.v2")
    assert (tmp_path / "report.v2").read_text(encoding="utf-8") == report.to_json()


def test_a_script_of_a_user_runs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(Path(__file__).parent / "user_script.py"), run_name="__main__")
    assert ended.value.code == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith('mention "a" is already in cluster')


def test_public_names_are_those_of_the_package() -> None:
    for name in scorch2.__all__:
        assert hasattr(scorch2, name), f"scorch2.__all__ names {name}, which cannot be imported"
    assert not isinstance(scorch2.errors, ModuleType), "scorch2.errors is the function: errors have names"
