"""Intervals and tests for Python callers: what the commands find, from paths, reports and clusters."""

import json
from pathlib import Path
from typing import Any

import pytest
from every import every

import scorch2
from scorch2.cli.main import main

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
GOLD, SYSTEM, OTHER = (str(FIXTURES / "example" / side) for side in ("gold", "sys", "other"))
LINKING = str(FIXTURES / "example" / "gold.tsv"), str(FIXTURES / "example" / "sys.tsv")
SYSTEMS = [SYSTEM, OTHER]


def command(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    assert main([*words, "-q", "-f", "json"]) == 0
    return json.loads(capsys.readouterr().out)


OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    ({}, []),
    ({"metrics": ["muc", "b3"], "parts": "fscore,recall"}, ["-m", "muc,b3", "--metrics=fscore,recall"]),
    ({"trials": 50, "seed": 7, "average": "pooled"}, ["-n", "50", "--seed=7", "--average=pooled"]),
    (
        {"profile": "conll", "jobs": 2, "metrics": "all", "trials": 200},
        ["--profile=conll", "-j", "2", "-m", "all", "-n", "200"],
    ),
]


@pytest.mark.parametrize(("chosen", "words"), OPTIONS)
def test_arguments_are_the_options_of_the_commands(
    chosen: dict[str, Any], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    one = scorch2.confidence(SYSTEM, gold=GOLD, **chosen)
    expected = command(capsys, "confidence", "-g", GOLD, *words, SYSTEM)
    assert json.loads(json.dumps(one.to_dict()["measures"])) == expected
    pairs = scorch2.significance(SYSTEMS, gold=GOLD, holm=True, one_sided=True, **chosen).to_dict()["pairs"]
    options = ["--holm", "--one-sided", *words]
    assert json.loads(json.dumps(pairs)) == command(capsys, "significance", "-g", GOLD, *options, *SYSTEMS)


def test_levels(capsys: pytest.CaptureFixture[str]) -> None:
    found = scorch2.confidence(SYSTEM, gold=GOLD, percentiles=[80, 50.5], metrics=["lea"], trials=99)
    words = ["-g", GOLD, "-p", "80,50.5", "-m", "lea", "-n", "99", SYSTEM]
    assert json.loads(json.dumps(found.to_dict()["measures"])) == command(capsys, "confidence", *words)
    assert found.interval("LEA") == found.interval("lea", "f1", 80)
    narrow, wide = found.interval("lea", level=50.5), found.interval("lea", level=80)
    assert narrow is not None
    assert wide is not None
    assert wide[0] <= narrow[0] <= narrow[1] <= wide[1]
    with pytest.raises(KeyError):
        found.interval("lea", level=95)


COMPARED: list[tuple[dict[str, Any], str]] = [
    ({}, ""),
    ({"metrics": ["muc", "b3"], "parts": "all", "against": "best"}, "-m muc,b3 --parts=all --against=best"),
    (
        {"confidence": 90, "trials": 50, "seed": 7, "alpha": 0.5},
        "--confidence=90 --trials=50 --seed=7 --alpha=0.5",
    ),
    (
        {"against": "none", "profile": "conll", "average": "macro"},
        "--against=none --profile=conll --average=macro",
    ),
]


@pytest.mark.parametrize(("chosen", "words"), COMPARED)
def test_systems_are_compared_as_by_the_command(
    chosen: dict[str, Any], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = scorch2.compare(SYSTEMS, gold=GOLD, **chosen)
    assert json.loads(json.dumps(found.to_dict())) == command(
        capsys, "compare", *words.split(), GOLD, *SYSTEMS
    )


def test_compared_reports_and_names() -> None:
    reports = {
        name: scorch2.score(GOLD, path, metrics=["lea"]) for name, path in (("a", SYSTEM), ("b", OTHER))
    }
    found = scorch2.compare(reports)
    assert [(row["system"], row["metric"]) for row in found.to_records()] == [("a", "lea"), ("b", "lea")]
    assert found.to_dict() == scorch2.compare({"a": SYSTEM, "b": OTHER}, gold=GOLD, metrics=["lea"]).to_dict()
    shown = scorch2.compare({"<script>": reports["a"], "b": reports["b"]})._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;" in shown
    assert '<td style="text-align: right"><strong>' in shown
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"parts": "recall"}, 'unknown value of parts "recall"'),
        ({"against": "last"}, 'unknown system to test against "last"'),
        ({"alpha": -1}, "alpha"),
        ({"confidence": 100}, "confidence is percent from 1"),
        ({"average": "macro"}, "average needs gold"),
    ]
    for chosen, message in wrong:
        with pytest.raises(scorch2.UsageError, match=message):
            scorch2.compare(reports, **chosen)
    several = {"a": reports["a"], "b": scorch2.errors(GOLD, OTHER)}
    assert list(scorch2.compare(several).systems[1].report.scores) == ["lea"]
    with pytest.raises(scorch2.UsageError, match='a: unknown metric in this report "muc"'):
        scorch2.compare(several, metrics=["muc"])
    with pytest.raises(scorch2.UsageError, match="give at least 1 system, not 0"):
        scorch2.compare([])


def test_measures_of_linking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, system = LINKING
    found = scorch2.confidence(system, gold=gold, parts=["recall", "ptp"], trials=50)
    words = ["-g", gold, "--metrics=recall,ptp", "-n", "50", system]
    assert json.loads(json.dumps(found.to_dict()["measures"])) == command(capsys, "confidence", *words)
    (tmp_path / "weights").write_text("", encoding="utf-8")
    with pytest.raises(scorch2.UsageError, match="take paths, not clusters"):
        scorch2.confidence([["a"]], gold=[["a"]], metrics=["strong_all_match"])


def test_a_report_is_what_its_file_is(tmp_path: Path) -> None:
    reports = {name: scorch2.score(GOLD, path) for name, path in (("one", SYSTEM), ("two", OTHER))}
    paths = {name: str(tmp_path / f"{name}.json") for name in reports}
    for name, report in reports.items():
        report.save(paths[name])
    for names in ([], ["bcub", "conll"]):
        expected = scorch2.confidence(SYSTEM, gold=GOLD, metrics=names).to_dict()
        assert scorch2.confidence(reports["one"], metrics=names).to_dict() == expected
        assert scorch2.confidence(paths["one"], metrics=names).to_dict() == expected
        pairs = scorch2.significance(paths, metrics=names).to_dict()
        assert scorch2.significance(reports, metrics=names).to_dict() == pairs
    errors = scorch2.errors(GOLD, SYSTEM)
    assert {row["metric"] for row in scorch2.confidence(errors).to_records()} == {
        "muc", "b_cubed", "ceaf_e", "lea", "conll",
    }  # fmt: skip


def test_intervals_and_differences_are_saved_as_json_and_name_the_forms_they_have(tmp_path: Path) -> None:
    found = scorch2.confidence(SYSTEM, gold=GOLD, trials=20), scorch2.significance(SYSTEMS, gold=GOLD)
    for report in found:
        path, name = tmp_path / "report.json", type(report).__name__
        report.save(path)
        assert json.loads(path.read_text(encoding="utf-8")) == json.loads(json.dumps(report.to_dict()))
        with pytest.raises(scorch2.OutputError, match="a report is saved as JSON"):
            report.save(tmp_path / "report.tex")
        with pytest.raises(scorch2.UsageError, match=f"{name} has no form latex .it has tab, table, json"):
            report.to_latex()


def test_documents_that_were_read_and_iterators_of_clusters() -> None:
    conll = [scorch2.read(f"{path}.conll") for path in (GOLD, SYSTEM)]
    read = scorch2.confidence(conll[1], gold=conll[0], trials=20)
    assert read.to_dict() == scorch2.confidence(f"{SYSTEM}.conll", gold=f"{GOLD}.conll", trials=20).to_dict()
    systems = {"one": [["a", "b"]], "two": [["a"], ["b"]]}
    found = scorch2.significance(systems, gold=iter([["a", "b"]]), metrics=["muc"], parts="recall")
    assert found.to_records() == [
        {
            "first": "one", "second": "two", "metric": "muc", "part": "recall", "difference": 1.0,
            "low": 1.0, "high": 1.0, "p": 1.0, "p_holm": None,
        }
    ]  # fmt: skip


def test_records_have_the_score_between_its_ends() -> None:
    found = scorch2.confidence(SYSTEM, gold=GOLD, metrics=["muc", "conll"], percentiles=[99])
    records = found.to_records()
    assert [(row["metric"], row["part"]) for row in records] == [
        ("muc", "precision"), ("muc", "recall"), ("muc", "f1"), ("conll", "f1"),
    ]  # fmt: skip
    assert all(row["low"] <= row["score"] <= row["high"] for row in records)
    undefined = scorch2.confidence([["a"]], gold=[["a"]], metrics=["muc"]).to_records()[0]
    assert (undefined["score"], undefined["low"], undefined["high"]) == (None, None, None)


def test_a_notebook_shows_names_as_text() -> None:
    systems = {"<script>": [["a", "b"]], "two": [["a"], ["b"]]}
    shown = scorch2.significance(systems, gold=[["a", "b"]])._repr_html_()
    assert "<script" not in shown
    assert shown.count("&lt;script&gt;") == shown.count("two") > 0
    found = scorch2.confidence(SYSTEM, gold=GOLD, metrics=["muc"])
    assert found._repr_html_().startswith("<table><tr><th>metric</th>")
    assert str(found).splitlines()[0].split() == ["metric", "score", "90", "%", "95", "%", "99", "%"]
    assert len(repr(found)) < 300


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"system": SYSTEM, "gold": GOLD, "trials": 0}, "trials is a whole number from 1"),
    ({"system": SYSTEM, "gold": GOLD, "trials": 1.5}, "trials is a whole number from 1"),
    ({"system": SYSTEM, "gold": GOLD, "seed": -1}, "seed is a whole number from 0"),
    ({"system": SYSTEM, "gold": GOLD, "percentiles": [100]}, "percentiles is percent from 1 to below 100"),
    ({"system": SYSTEM, "gold": GOLD, "percentiles": []}, "percentiles are levels"),
    ({"system": SYSTEM, "gold": GOLD, "parts": "f2"}, 'unknown part of a score "f2"'),
    ({"system": SYSTEM, "gold": GOLD, "parts": "ptp"}, "ptp is for measures of linking"),
    ({"system": SYSTEM, "gold": GOLD, "colour": "red"}, 'unknown argument of confidence "colour"'),
    ({"system": SYSTEM, "gold": GOLD, "metrics": ["lea", "strong_all_match"]}, "ask for one kind"),
    ({"system": SYSTEM, "gold": GOLD, "type_weights": "w"}, "type_weights is for measures of entity linking"),
    ({"system": SYSTEM, "gold": GOLD, "gold_format": "xml"}, "xml"),
    ({"system": [["a"]]}, "give gold to score against, or reports"),
    ({"system": SYSTEM, "average": "macro"}, "average needs gold"),
    ({"system": SYSTEM, "jobs": 2}, "jobs and executor are for coreference"),
]


@every(("given", "message"), REFUSED)
def test_what_makes_no_sense_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(scorch2.UsageError, match=message):
        scorch2.confidence(**given)


def test_systems_that_make_no_sense_are_refused() -> None:
    report = scorch2.score(GOLD, SYSTEM)
    wrong: list[tuple[Any, str]] = [
        (SYSTEM, "a mapping from names to systems"),
        ([SYSTEM], "give at least 2 systems, not 1"),
        ([SYSTEM, SYSTEM], "a system is given twice"),
        ([report, report], "name the systems"),
    ]
    for systems, message in wrong:
        with pytest.raises(scorch2.UsageError, match=message):
            scorch2.significance(systems, gold=GOLD)
    with pytest.raises(scorch2.UsageError, match="a report is scored already: leave out gold"):
        scorch2.confidence(report, gold=GOLD)
    other = scorch2.score(GOLD, OTHER, average="pooled")
    with pytest.raises(scorch2.PairingError, match="one and two cannot be compared: average is"):
        scorch2.significance({"one": report, "two": other})
    with pytest.raises(scorch2.UsageError, match='unknown metric in this report "lea"'):
        scorch2.confidence(scorch2.score(GOLD, SYSTEM, metrics=["muc"]), metrics=["lea"])
