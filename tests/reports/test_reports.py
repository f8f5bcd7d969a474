"""The bytes of every report, from a corpus counted by hand; and what holds whatever the scores are."""

import io
import json
import math
import re
import shutil
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.model.errors import escaped
from scorch2.model.forms import forms_of, render
from scorch2.model.results import Verdict
from scorch2.model.score import MeanScore
from scorch2.reports.json import PYTHON
from scorch2.scoring.layout.tables import latex_comment, latex_text
from scorch2.scoring.metrics import METRICS

REPORTS = forms_of("scores")

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "reports"
GOLD, SYSTEM = str(FOLDER / "gold"), str(FOLDER / "sys")
HAND: dict[str, Any] = json.loads((FOLDER / "fractions.json").read_text("utf-8"))
PAIRS = [(name, per_document) for name in REPORTS if name != "html" for per_document in (False, True)]
"""All reports but the page, which is markup and not lines: `tests/reports/test_page.py` looks at it."""
WHOLE = ("ua", "scores", "flat")  # forms without rows of documents
ALONE = str(FOLDER / "gold" / "d3.json"), str(FOLDER / "sys" / "d3.json")
FOR_READING = [name for name, form in REPORTS.items() if form.listing]
"""Reports of lines or tables: they show the documents if asked for, and the signature unless left out."""
EVIL = "tab\tline\ncode\x1b[31m\r\x85\u2028|<b>"


def expected(name: str, *, per_document: bool) -> str:
    path, longer = (FOLDER / "expected" / shape for shape in (name, f"{name}-per-document"))
    told = (
        f"make fixtures/reports/expected/{name}: the report of gold and sys there (with VERSION and PYTHON)"
    )
    assert path.exists(), f"{told}; and {longer.name}, if --per-document makes a difference"
    found = longer if per_document and longer.exists() else path
    return found.read_text("utf-8").replace("VERSION", scorch2.__version__).replace("PYTHON", PYTHON)


@pytest.fixture
def report() -> scorch2.Report:
    return scorch2.score(GOLD, SYSTEM)


# To the byte


@pytest.mark.parametrize(("name", "per_document"), PAIRS)
def test_rendered(name: str, per_document: bool, report: scorch2.Report) -> None:
    found = render(report, name, per_document=per_document)
    wrong = f"-f {name}{' --per-document' * per_document} is not what is in fixtures/reports/expected"
    assert found == expected(name, per_document=per_document), wrong


@pytest.mark.parametrize(
    ("name", "per_document"),
    [one for one in PAIRS if one not in {(name, True) for name in WHOLE}],
)
def test_written(name: str, per_document: bool, tmp_path: Path) -> None:
    words = [f"--format={name}", *(["--per-document"] if per_document else []), GOLD, SYSTEM]
    assert main([*words, str(tmp_path / "out")]) == 0
    shape = "markdown" if name == "github" else name  # in a file it is the page of the run
    wrong = f"the command writes {name} otherwise than Python renders it"
    assert (tmp_path / "out").read_bytes() == expected(shape, per_document=per_document).encode(), wrong


@pytest.mark.parametrize(
    "words",
    [
        ["-f", "ua", "--per-document"],
        ["-f", "ua", "--per-file", "--average=files"],
        ["-f", "ua", "--confidence=95"],
        ["-f", "github", "--per-document"],
        ["-f", "html", "--per-file", "--average=files"],
        ["-f", "json", "--per-document", "--worst=1"],
        ["-f", "jsonl", "--per-document", "--sort=muc"],
        ["-f", "jsonl", "--per-document", "--worst=1", "--report=json:{}"],
    ],
)
def test_an_option_that_no_report_shows_is_refused(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names forms that show it, and one of them beside is enough."""
    words = [word.format(tmp_path / "beside") for word in words]
    assert main([*words, GOLD, SYSTEM]) == 2
    out, said = capsys.readouterr()
    shape = r"scorch2: error: (--\S+) shows in (.*): choose one of them with -f or --report\n"
    option, forms = re.fullmatch(shape, said).groups()  # type: ignore[union-attr]
    assert any(word.startswith(option) for word in words), f"the error names {option}, which nobody typed"
    assert out == ""
    for form in forms.split(", "):
        status = main(["-q", *words, f"--report={form}:{tmp_path / form}", GOLD, SYSTEM])
        assert status == 0, f"the error says that {option} shows in {form}, which refuses it"


def test_json_lines_are_of_files_if_these_have_rows(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-q", "-m", "muc", "--average=files", "--per-file", GOLD, SYSTEM]
    assert main(["-f", "jsonl", *words]) == 0
    *lines, corpus = map(json.loads, capsys.readouterr().out.splitlines())
    assert main(["-f", "json", *words]) == 0
    files = json.loads(capsys.readouterr().out)["files"]
    assert [{"id": line.pop("file"), **line} for line in lines] == files
    assert [one["id"] for one in files] == ["d1", "d2", "d3"]
    assert corpus["document"] is None


def test_expected_counts_follow_from_the_fractions() -> None:
    value = json.loads(expected("json", per_document=False))
    for document in value["documents"]:
        for metric, counts in document["counts"].items():
            assert plain(counts) == numbers(HAND["counts"][document["id"]][metric]), metric
    for metric, counts in value["counts"].items():
        columns = zip(*(flat(HAND["counts"][name][metric]) for name in HAND["counts"]), strict=True)
        assert flat(plain(counts)) == [float(sum(map(Fraction, column))) for column in columns], metric


def test_expected_scores_follow_from_the_fractions() -> None:
    value = json.loads(expected("json", per_document=False))
    mean = math.fsum(numbers(HAND["scores"][metric])[2] for metric in ("muc", "b_cubed", "ceaf_e")) / 3
    for metric, score in value["scores"].items():
        assert list(score.values()) == (numbers(HAND["scores"][metric]) if metric != "conll" else [mean])
    # the CoNLL average is a mean of rounded F1: up to one unit in the last place from the exact value
    (exact,) = numbers(HAND["scores"]["conll"])
    assert abs(mean - exact) <= math.ulp(exact)
    zero = scorch2.score(GOLD, SYSTEM, undefined="zero")
    assert {metric: list(score) for metric, score in zero.scores.items()} == numbers(HAND["zero"])


def test_other_reports_hold_the_numbers_of_the_json(report: scorch2.Report) -> None:
    value = json.loads(expected("json", per_document=False))
    *documents, corpus = map(json.loads, expected("jsonl", per_document=False).splitlines())
    assert [document["counts"] for document in documents] == [one["counts"] for one in value["documents"]]
    assert (corpus["document"], corpus["scores"], corpus["counts"]) == (
        None,
        value["scores"],
        value["counts"],
    )
    for document, measured in zip(documents, report.documents, strict=True):
        alone = scorch2.score(f"{GOLD}/{measured.id}.json", f"{SYSTEM}/{measured.id}.json").to_dict()
        assert document["scores"] == alone["scores"]
    scores = [(name, part, x) for name, parts in value["scores"].items() for part, x in parts.items()]
    gauges = expected("openmetrics", per_document=False)
    properties = ET.fromstring(expected("junit", per_document=False)).iter("property")  # noqa: S314 - ours
    named = {each.get("name"): each.get("value") for each in properties}
    for name, part, number in scores:
        assert f'scorch2_score{{metric="{name}",part="{part}"}} {number!r}\n' in gauges
        assert named[f"{name}.{part}"] == repr(number)


def plain(counts: dict[str, Any]) -> Any:
    """Drop the names of the four counts."""
    if "recall_num" not in counts:
        return {part: plain(four) for part, four in counts.items()}
    return [counts["recall_num"], counts["recall_den"], counts["precision_num"], counts["precision_den"]]


def numbers(fractions: Any) -> Any:
    if isinstance(fractions, dict):
        return {name: numbers(inner) for name, inner in fractions.items()}
    return [float(Fraction(text)) for text in fractions]


def flat(counts: Any) -> list[Any]:
    return [one for four in counts.values() for one in four] if isinstance(counts, dict) else counts


def test_scores_of_documents_in_json_are_those_of_the_text_report() -> None:
    value = json.loads(expected("json", per_document=False))
    found = {document["id"]: document["scores"] for document in value["documents"]}
    for line in expected("text", per_document=True).splitlines():
        if "\t" not in line or line.split("\t")[0] not in found:
            continue
        ident, label, *parts = re.split(r"\t|: (?=\d)", line)
        (name,) = [row.name for row in METRICS.values() if row.label == label.rstrip(":")]
        shown = [None if "0/0" in part else float(part.split("=")[-1]) for part in parts]
        assert list(found[ident].pop(name).values()) == shown
    assert set(map(len, found.values())) == {0}, "JSON has scores of documents that the text lacks"


# The order of documents

BY_LEA = ["d1", "d2", "d3"]  # 20.00, 59.83, 66.67 by hand
BY_CEAF_E = ["d1", "d2", "d3"]  # 53.33, 55.56, 66.67
BY_MUC = ["d1", "d2", "d3"]  # 40.00, 80.00, 0/0
BY_CEAF_M = ["d2", "d1", "d3"]  # 54.55, 60.00, 66.67
BY_BLANC = ["d3", "d1", "d2"]  # 0, 37.50, 48.53


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("lea", BY_LEA),
        ("muc", BY_MUC),
        ("ceaf_m", BY_CEAF_M),
        ("mention_ceaf", BY_CEAF_M),
        ("BLANC", BY_BLANC),
        ("ceaf_e", BY_CEAF_E),
    ],
)
def test_rows_of_documents_begin_with_the_lowest(sort: str, order: list[str], report: scorch2.Report) -> None:
    table = report.table(per_document=True, sort=sort)
    assert list(dict.fromkeys(row[0] for row in table.rows)) == [*order, "all"]
    assert report.table(per_document=True, sort=sort, worst=2).rows == [
        row for row in table.rows if row[0] in [*order[:2], "all"]
    ]


def test_the_worst_are_by_the_conll_average_unless_a_metric_is_named(report: scorch2.Report) -> None:
    table = report.table(per_document=True, worst=1)  # CoNLL 51.62, 68.44, 66.67
    assert {row[0] for row in table.rows} == {"d1", "all"}
    of_blanc = scorch2.score(GOLD, SYSTEM, metrics=["blanc", "lea"]).table(per_document=True, worst=1)
    assert {row[0] for row in of_blanc.rows} == {"d3", "all"}


@pytest.mark.parametrize("name", [*FOR_READING, "openmetrics"])
def test_every_form_with_rows_of_documents_orders_them(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-q", "--per-document", "--sort=ceaf_m", "--worst=2", "-m", "ceaf_m", f"--format={name}"]
    assert main([*words, GOLD, SYSTEM]) == 0
    out = capsys.readouterr().out
    assert [ident in out for ident in ("d1", "d2", "d3")] == [True, True, False]
    assert out.find("d2") < out.find("d1")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sort=muc"], "--sort is for rows of documents: it needs --per-document"),
        (["--worst=3"], "--worst is for rows of documents: it needs --per-document"),
        (["--per-document", "--worst=0"], "--worst"),
        (["--per-document", "--sort=mucc"], 'unknown metric "mucc", did you mean muc?'),
        (["--per-document", "--sort=b3", "-m", "muc"], "--sort=b_cubed is not scored (add it to -m; scored"),
    ],
)
def test_orders_that_make_no_sense(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, "nowhere", "nowhere"]) == 2
    assert message in capsys.readouterr().err


def test_python_refuses_to_order_by_what_is_not_there(report: scorch2.Report) -> None:
    with pytest.raises(scorch2.UsageError, match="ordered by pairwise: the report holds muc, b_cubed"):
        report.table(per_document=True, sort="pairwise")


# LaTeX


def test_latex_is_a_method_too(report: scorch2.Report) -> None:
    assert report.to_latex() == expected("latex", per_document=False)


@pytest.mark.parametrize(
    ("plain", "shown"),
    [
        ("CEAF_x & 50 %", r"CEAF\_x \& 50 \%"),
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("$x^2$~#1", r"\$x\textasciicircum{}2\$\textasciitilde{}\#1"),
        ("[1pt] *", "{[}1pt] {*}"),  # behind a line break these are its options
        ("a--b, ``c''", r"a{-}-b, \textasciigrave{}\textasciigrave{}c{'}'"),
        ("<a|b>", r"\textless{}a\textbar{}b\textgreater{}"),
        ("-1.50", "$-$1.50"),
        ("B³", r"B\textsuperscript{3}"),
        ("a\nb", r"a\textbackslash{}nb"),
    ],
)
def test_no_sign_acts_in_latex(plain: str, shown: str) -> None:
    assert latex_text(plain) == shown


def test_remarks_stay_on_their_line() -> None:
    assert latex_comment("a\nb % c") == "% a\\nb % c\n"


# 0/0


def test_text_marks_what_is_undefined() -> None:
    lines = render(scorch2.score(*ALONE), "text").splitlines()
    assert lines[0] == "MUC:\tR=0.0 (0/0)\tP=0.0 (0/0)\tF₁=0.0 (0/0)"
    assert lines[4] == "BLANC:\tR=0.0\tP=0.0 (0/0)\tF₁=0.0"
    assert lines[6] == "CoNLL-2012 average score: 0.6666666666666666"
    nothing = render(scorch2.score([], [], metrics=["conll"]), "text")
    assert nothing.startswith("CoNLL-2012 average score: 0.0 (0/0)\n")
    zero = render(scorch2.score(*ALONE, undefined="zero"), "text").splitlines()
    assert zero[6] == "CoNLL-2012 average score: 0.4444444444444444"


def test_scorch_s_lines_print_zeros_plainly() -> None:
    lines = render(scorch2.score(*ALONE, profile="scorch"), "text").splitlines()
    assert lines[0] == "MUC:\tR=0.0\tP=0.0\tF₁=0.0"
    assert len(lines) == 6


def test_scorch_s_lines_stay_six_though_documents_are_skipped(report: scorch2.Report) -> None:
    skipping = scorch2.score(GOLD, SYSTEM, profile="scorch", undefined="skip")
    assert skipping.skipped["muc"] == report.skipped["muc"] == {"recall": 1, "precision": 1, "f1": 1}
    assert len(render(skipping, "text").splitlines()) == 6
    assert "Undefined (0/0), left out: MUC in 1 document" in render(report, "text")


def test_the_other_reports_mark_it_too() -> None:
    report = scorch2.score(*ALONE, metrics=["muc"])
    assert json.loads(render(report, "json"))["scores"]["muc"] == {
        "recall": None,
        "precision": None,
        "f1": None,
    }
    assert render(report, "tsv").splitlines()[1] == "*\tmuc\t\t\t\t0\t0\t0\t0"
    assert render(report, "table").splitlines()[2].split() == [
        "MUC",
        *["0.00", "(0/0)"] * 3,
        *["0", "/", "0"] * 2,
    ]
    assert "| MUC | 0.00 (0/0) | 0.00 (0/0) | 0.00 (0/0) | 0 / 0 | 0 / 0 |" in render(report, "markdown")
    for name in ("table", "markdown"):
        assert "0/0 is undefined and has no weight in a mean" in render(report, name)
        zero = scorch2.score(*ALONE, metrics=["muc"], undefined="zero")
        assert "0/0 is undefined and counts 0" in render(zero, name)


# JSON, the contract


def test_json_holds_what_others_build_on(report: scorch2.Report) -> None:
    value = json.loads(render(report, "json"))
    keys = ["schema", "version", "python", "signature", "options", "inputs", "scores", "counts", "skipped"]
    keys += ["documents", "warnings"]
    assert list(value)[: len(keys)] == keys
    assert list(value["scores"]) == ["muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll"]
    assert all(
        list(value["scores"][name]) == ["recall", "precision", "f1"] for name in ("muc", "blanc", "lea")
    )
    assert list(value["scores"]["conll"]) == ["f1"]
    four = ["recall_num", "recall_den", "precision_num", "precision_den"]
    assert list(value["counts"]["muc"]) == four
    assert {part: list(counts) for part, counts in value["counts"]["blanc"].items()} == {
        "coref": four,
        "noncoref": four,
        "mentions": four,
    }
    assert "conll" not in value["counts"]
    assert list(value["documents"][0]) == ["id", "gold_mentions", "system_mentions", "counts", "scores"]
    assert value["options"]["average"] == "mentions"


def test_json_warnings_have_code_document_and_message(tmp_path: Path) -> None:
    (tmp_path / "s.json").write_text('{"type": "clusters", "clusters": {}}', encoding="utf-8")
    report = scorch2.score(ALONE[0], tmp_path / "s.json")
    (warning,) = json.loads(render(report, "json"))["warnings"]
    assert (warning["code"], warning["document"]) == ("empty", "d3")
    assert "no mention" in warning["message"]


def test_json_is_the_dict_of_the_report(report: scorch2.Report) -> None:
    assert json.loads(render(report, "json")) == report.to_dict()
    assert json.loads(json.dumps(report.to_dict())) == report.to_dict()


def test_json_has_a_line_for_every_metric_and_document(report: scorch2.Report) -> None:
    lines = render(report, "json").splitlines()
    assert sum('"f1": 0.' in line and '"id": ' not in line for line in lines) == 7
    assert sum('"id": ' in line for line in lines) == 3


# The signature


def test_signature_holds_what_differs_from_the_default(tmp_path: Path) -> None:
    for side, names in (("gold", "abc"), ("sys", "bcde")):
        (tmp_path / side).mkdir()
        for name in names:
            (tmp_path / side / name).write_text(
                '{"type": "clusters", "clusters": {"a": ["m"]}}', encoding="utf-8"
            )
    chosen: dict[str, Any] = {"missing": "empty", "extra": "skip", "average": "macro", "blanc": "reference"}
    found = scorch2.score(tmp_path / "gold", tmp_path / "sys", **chosen)
    assert found.signature() == (
        f"scorch2 {scorch2.__version__} | average=macro | missing=empty(1) | extra=skip(2) | blanc=reference"
        " | documents=3 | mentions=3/2"
    )


@pytest.mark.parametrize("name", FOR_READING)
def test_signature_can_be_left_out(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--no-signature", f"--format={name}", GOLD, SYSTEM]) == 0
    assert f"scorch2 {scorch2.__version__}" not in capsys.readouterr().out


# Streams that lack letters


def printed(words: Sequence[str], encoding: str, monkeypatch: pytest.MonkeyPatch) -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding, newline="")
    monkeypatch.setattr("sys.stdout", stream)
    assert main(words) == 0
    monkeypatch.undo()
    stream.seek(0)
    return stream.read()


@pytest.mark.parametrize("name", FOR_READING)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_plain_letters_stand_in_where_the_stream_lacks_others(
    name: str, encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = expected(name, per_document=False)
    simple = text.replace("³", "3").replace("₁", "1").replace("─", "-")
    fits = text.encode(encoding, "replace").decode(encoding) == text
    assert printed([f"--format={name}", GOLD, SYSTEM], encoding, monkeypatch) == (text if fits else simple)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "utf-8"])
@pytest.mark.parametrize("ident", ["é", "x³", "東京", "😀"])
def test_json_stays_json_where_the_stream_lacks_letters(
    ident: str, encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"{ident}.json"
    shutil.copyfile(ALONE[0], path)
    value = json.loads(printed(["--format=json", str(path), ALONE[1]], encoding, monkeypatch))
    assert [document["id"] for document in value["documents"]] == [ident]


# Document ids come from files of others


def called(report: scorch2.Report, ident: str) -> scorch2.Report:
    """Give the first document another id."""
    first, *others = report.documents
    return report._replace(documents=[first._replace(id=ident), *others])


@pytest.mark.parametrize("name", FOR_READING)
def test_ids_cannot_break_lines_columns_or_terminals(name: str, report: scorch2.Report) -> None:
    tame, wild = (
        render(called(report, ident), name, per_document=True, paper="page")
        for ident in ("d" * len(escaped(EVIL)), EVIL)
    )
    assert wild.count("\n") == tame.count("\n")
    assert wild.count("\t") == tame.count("\t")
    assert all(line.isprintable() for line in re.split(r"[\n\t]", wild))
    for shown, meant in (("\\\\", "\\"), (r"\textbackslash{}", "\\"), ("{[}", "[")):
        wild = wild.replace(shown, meant)
    start = r"tab\tline\ncode\x1b[31m\r\x85\u2028"
    assert (start[:10] if name.startswith("latex") else start) in wild  # which shortens long names


def test_ids_cannot_break_markdown_or_html(report: scorch2.Report) -> None:
    markdown = render(called(report, EVIL), "markdown", per_document=True).splitlines()
    assert {len(re.split(r"(?<!\\)\|", line)) for line in markdown[:10]} == {9}
    html = called(report, EVIL).table(per_document=True).html()
    assert "&lt;b&gt;" in html
    assert "<b>" not in html


def test_ids_cannot_break_xml_gauges_or_commands(report: scorch2.Report) -> None:
    wild = called(report, EVIL)._replace(notices=[scorch2.Notice("reader", EVIL, "100 % \r\n::error::x")])
    gate = Verdict(
        "fail-under-doc", "muc", "f1", 0.9, 0.4, 0.9, passed=False, document=EVIL, below=[(EVIL, 0.4)]
    )
    wild = wild._replace(gates=[gate])
    suite = ET.fromstring(render(wild, "junit"))  # noqa: S314 - ours
    (failure,) = suite.iter("failure")
    assert r"tab\tline" in (failure.text or "")
    gauges = render(wild, "openmetrics", per_document=True)
    assert gauges.count("\n") == render(
        report._replace(gates=[gate]), "openmetrics", per_document=True
    ).count("\n")
    commands = render(wild, "github").splitlines()
    assert [command.split(" ")[0] for command in commands] == ["::error", "::warning", "::notice"]
    assert "100 %25" in commands[1]


def test_json_keeps_ids_as_they_are(report: scorch2.Report) -> None:
    assert json.loads(render(called(report, EVIL), "json"))["documents"][0]["id"] == EVIL


# The report as a Python value


def test_scores_are_attributes(report: scorch2.Report) -> None:
    assert report.muc is report.scores["muc"]
    assert isinstance(report.conll, MeanScore)
    assert report.lea.f1 == float(Fraction(HAND["scores"]["lea"][2]))
    with pytest.raises(AttributeError, match="no score called 'pairwise'"):
        _ = report.pairwise


def test_str_is_the_table_and_notebooks_get_html(report: scorch2.Report) -> None:
    assert expected("table", per_document=False).startswith(f"{report}\n\n")
    html = report._repr_html_()
    right = ' style="text-align: right"'
    assert f"{right}>recall</th>" in html
    html = html.replace(right, "")
    assert html.startswith("<table><tr><th>metric</th><th>recall</th>")
    assert html.count("<tr>") == 1 + len(report.scores)
    assert "<td>B³</td><td>54.17</td><td>83.33</td><td>65.95</td><td>6.5 / 12</td><td>10 / 12</td>" in html
