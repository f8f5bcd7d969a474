"""``scorch2 conll``: the numbers and the text of the CoNLL reference scorer."""

import json
from collections.abc import Sequence
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from every import every

import scorch2
from scorch2.cli.main import main
from scorch2.formats.source import read_text
from scorch2.tasks.reference_scorer import scorer
from scorch2.tasks.reference_scorer.reader import read
from scorch2.tasks.reference_scorer.scorer import Identified, identify

FOLDER = Path(__file__).parent.parent.parent / "fixtures" / "conll"
CASES: dict[str, Any] = json.loads((FOLDER / "command.json").read_text("utf-8"))["cases"]
MENDED = {
    "c004": ("c004.key: line 85", "a second document is called"),
    "c032": ("c032.response: line 9", "does not close"),
    "c033": ("c033.response: line 2", "none of its mentions is open"),
    "c034": ("c034.response: line 1", "no #end document line"),
}
"""What the reference scorer reads wrongly or dies of, and what is said here instead."""
NOT_AS_THERE = {*MENDED, "c009", "c035"}
"""Besides: c009, which it refuses to score, and c035, whose letters it does not read."""
METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "lea")


@pytest.fixture(autouse=True)
def _in_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)


def output(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["conll", *words]) == 0
    return capsys.readouterr().out


def identified(case: str) -> dict[str, Identified]:
    responses = {document.name: document for document in read(read_text(f"{case}.response"), case)}
    keys = read(read_text(f"{case}.key"), case)
    return {key.name: identify(key, responses.get(key.name)) for key in keys}


def counts(metric: str, found: Identified) -> list[float]:
    return [number for count in scorer.METRICS[metric] for number in count(found.chains)]


# Numbers


@every("case", sorted(CASES.keys() - NOT_AS_THERE))
def test_the_counts_of_every_document_are_those_of_the_reference_scorer(case: str) -> None:
    found = identified(case)
    for name, expected in CASES[case]["documents"].items():
        one = found[name]
        mentions = [
            one.key_mentions,
            one.response_mentions,
            one.exact,
            one.spurious + one.repeats_in_key,
            one.repeats_in_key,
            one.repeats_in_response,
        ]
        assert mentions == expected["mentions"]
        assert {metric: counts(metric, one) for metric in METRICS} == expected["counts"]


@every("case", sorted(CASES.keys() - NOT_AS_THERE))
def test_the_printed_totals_are_those_of_the_reference_scorer(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sections = {
        metric: totals
        for metric, _, totals in parsed(output(capsys, "all", f"{case}.key", f"{case}.response"))
    }
    for metric, lines in CASES[case]["printed"].items():
        for label, line in lines.items():
            allowed = {line} | (other_orders(case, metric) if CASES[case].get("order") else set())
            (shown,) = [row for row in sections[metric] if row.startswith(f"{label}: ")]
            assert shown.removeprefix(f"{label}: ") in allowed


def other_orders(case: str, metric: str) -> set[str]:
    """Return the lines that other orders of the documents give: the reference scorer's order is random."""
    lines = set()
    documents = [document["counts"] for document in CASES[case]["documents"].values()]
    for order in permutations(documents):
        sums = [0.0] * 4
        for each in order:
            sums = [one + other for one, other in zip(sums, each[metric], strict=False)]
        r, p = sums[0] / sums[1], sums[2] / sums[3]
        shares = [int(x * 10000) / 100 for x in (r, p, 2 * r * p / (r + p))]
        lines.add(
            f"Recall: ({sums[0]:.15g} / {sums[1]:.15g}) {shares[0]:.15g}%\t"
            f"Precision: ({sums[2]:.15g} / {sums[3]:.15g}) {shares[1]:.15g}%\tF1: {shares[2]:.15g}%"
        )
    return lines


# Text


def parsed(text: str) -> list[tuple[str, list[str], list[str]]]:
    """Return metric, blocks of documents (in a fixed order, theirs is random) and lines of totals."""
    sections = []
    for section in text.split("\nMETRIC ")[1:]:
        name, _, rest = section.partition(":\n")
        before, _, totals = rest.partition("\n====== TOTALS =======\n")
        first, *dumps = before.split("====> ")
        blocks = [dump + response for dump, response in zip(dumps[::2], dumps[1::2], strict=True)]
        sections.append((name, [first, *sorted(blocks)], totals.splitlines()))
    return sections


@every(
    ("case", "file", "words"),
    [(case, *raw) for case in sorted(CASES.keys() - NOT_AS_THERE - {"c007"}) for raw in CASES[case]["raw"]],
)
def test_the_text_is_that_of_the_reference_scorer(
    case: str, file: str, words: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    expected = parsed((FOLDER / "stdout" / file).read_text("utf-8"))
    for (name, blocks, totals), (metric, its_blocks, its_totals) in zip(
        parsed(output(capsys, *words)), expected, strict=True
    ):
        assert (name, blocks) == (metric, its_blocks)
        if not CASES[case].get("order"):  # else the totals are looked at above
            assert totals == its_totals


@pytest.mark.parametrize(("file", "words"), CASES["c007"]["raw"])
def test_where_the_reference_scorer_stops_after_ten_repeats_it_goes_on(
    file: str, words: Sequence[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, _, theirs = (FOLDER / "stdout" / file).read_text("utf-8").partition("\n")
    _, _, ours = output(capsys, *words).partition("\n")
    assert ours.startswith(theirs)
    assert len(ours) > len(theirs)


def test_the_first_line_names_the_scorer(capsys: pytest.CaptureFixture[str]) -> None:
    first = output(capsys, "muc", "c001.key", "c001.response").partition("\n")[0]
    assert first == f"version: 8.01 scorch2 {scorch2.__version__}"


# What is mended


@pytest.mark.parametrize("case", sorted(MENDED))
def test_what_it_reads_wrongly_is_an_error_with_its_line(
    case: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conll", "all", f"{case}.key", f"{case}.response"]) == 2
    shown = capsys.readouterr()
    place, why = MENDED[case]
    assert shown.out == ""
    assert shown.err.startswith(f"scorch2: error: {place}: ")
    assert why in shown.err


def test_twelve_repeats_are_scored_with_twelve_notices(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "muc", "c009.key", "c009.response")
    assert text.count("Repeated mention in the response: ") == 12
    assert "Coreference: Recall: (" in text


def test_identifiers_may_be_letters(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Coreference: Recall: (2 / 2) 100%\tPrecision: (2 / 2) 100%" in output(
        capsys, "muc", "c035.key", "c035.response"
    )


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["mux", "c001.key", "c001.response"], 'unknown metric "mux"'),
        (["mucx", "c001.key", "c001.response"], 'unknown metric "mucx"'),
        (["muc", "c001.key", "c001.response", "sp/test_0"], 'no document is called "sp/test_0"'),
        (["muc", "c001.key"], "expected: scorch2 conll"),
        (["muc", "-", "-"], "only one side"),
        (["muc", "c001.key", "nowhere"], "no such file or folder"),
    ],
)
def test_usage_errors(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conll", *words]) == 2
    shown = capsys.readouterr()
    assert (shown.out, shown.err.count("\n")) == ("", 1)
    assert why in shown.err


def test_a_byte_order_mark_hides_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marked = tmp_path / "marked.key"
    marked.write_bytes(b"\xef\xbb\xbf" + Path("c003.key").read_bytes())
    expected = output(capsys, "all", "c003.key", "c003.response")
    assert output(capsys, "all", str(marked), "c003.response") == expected


def test_metrics_may_be_in_capitals(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "MUC", "c001.key", "c001.response") == output(
        capsys, "muc", "c001.key", "c001.response"
    )


# Against the strict reading


CLEAN = json.loads((FOLDER / "expected.json").read_text("utf-8"))["cases"]


@cache
def totals(case: str) -> list[tuple[str, list[float]]]:
    found = identified(case).values()
    return [
        (metric, [sum(column) for column in zip(*(counts(metric, one) for one in found), strict=True)])
        for metric in METRICS
    ]


@every("case", sorted(CLEAN))
def test_the_profile_agrees_on_clean_data(case: str) -> None:
    report = scorch2.score(f"{case}.key", f"{case}.response", profile="conll")
    for metric, sums in totals(case):
        ((name, tallies),) = [
            (name, report.tallies(name))
            for name in report.scores
            if name.replace("_", "") in (metric, f"{metric}ed")
        ]
        flat = [number for part in ("", "coref", "noncoref") if part in tallies for number in tallies[part]]
        assert flat == pytest.approx(sums, abs=1e-9), name


@pytest.mark.parametrize(
    ("case", "note"),
    [
        ("c005", "1 repeated response mention dropped"),
        ("c012", "1 repeated key mention kept"),
        ("c019", "read the legacy way"),
        ("c022", "read the legacy way"),
        ("c025", "such as (1+2) discarded"),
        ("c035", "with an id that is not a number read: scorer.pl ignores them, and its scores differ"),
    ],
)
def test_where_it_differs_a_note_says_why(case: str, note: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["conll", "muc", f"{case}.key", f"{case}.response", "none"])
    assert note in capsys.readouterr().err


def test_the_profile_says_where_it_reads_a_tag_in_another_way(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.conll"
    rows = "w\t(1)|(1)\nw\t(1+2)\n#end document\n"
    path.write_text(f"#begin document d\n{rows}#begin document e\n{rows}", encoding="utf-8")
    assert main(["--profile=conll", str(path), str(path)]) == 0
    said = capsys.readouterr().err
    assert 'mention "0.0-0" ("w") is repeated in its cluster and counts once' in said
    assert said.count("tags such as (1+2) name an entity; the reference scorer discards them") == 2


def test_control_characters_in_names_do_not_reach_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.conll"
    path.write_text("#begin document \x1b[2J\nw\t(1)\n#end document\n", encoding="utf-8")
    for words in ([], ["\x1b[2J"]):
        text = output(capsys, "all", str(path), str(path), *words)
        assert ("\x1b" in text, "\\x1b[2J" in text) == (False, True)


@pytest.mark.parametrize("separator", ["\t", " "])
def test_words_that_differ_are_said(
    separator: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    paths: list[Path] = []
    for words in ("The old ferry", "The red ferry"):
        rows = [separator.join(["d", "0", str(i), word, "-"]) for i, word in enumerate(words.split())]
        paths.append(tmp_path / f"{len(paths)}.conll")
        paths[-1].write_text("\n".join(["#begin document (d);", *rows, "#end document", ""]))
    key, response = map(str, paths)
    assert main(["conll", "muc", key, response]) == 0
    said = '1 of 3 words of the system are not those of gold (word 2 is "red", in gold "old")'
    assert said in capsys.readouterr().err
    assert main(["conll", "muc", key, response, "--strict"]) == 2
    assert said in capsys.readouterr().err
    assert main(["conll", "muc", key, key]) == 0
    assert "words of the system" not in capsys.readouterr().err


def test_clean_data_are_scored_without_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    main(["conll", "all", "c003.key", "c003.response"])
    assert capsys.readouterr().err == ""
