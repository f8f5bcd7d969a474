"""Printed numbers are explained by settings that give them: those of all runs, and of other scorers."""

import json
import random
import re
import shlex
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from itertools import product
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from effort import share_of
from every import every

import scorch2
from scorch2.audit.printed import MATCHING, read_printed, request_of
from scorch2.audit.tries import Tries, in_this_process
from scorch2.cli.commands.audit import announced
from scorch2.cli.main import main
from scorch2.formats.reading import read
from scorch2.model.forms import render
from scorch2.model.options import OPTIONS, options_from
from scorch2.scoring.pairing.files import Pair

Capture: TypeAlias = pytest.CaptureFixture[str]
Clusters: TypeAlias = list[list[str]]
FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
GOLD, SYSTEM = (str(FIXTURES / "example" / f"{side}.conll") for side in ("gold", "sys"))
CORPUS: tuple[dict[str, Clusters], dict[str, Clusters]] = (
    {
        "a": [["1", "2", "3"], ["4", "5"], ["6"]],
        "b": [["1", "2"], ["3"]],
        "c": [["1"], ["2", "3", "4"]],
        "d": [["1", "2"]],
    },
    {
        "a": [["1", "2"], ["3", "4", "5"], ["7"]],
        "b": [["1"], ["2", "3"], ["8"]],
        "c": [["1", "2", "3", "4"]],
        "d": [],
    },
)
"""Singletons, twinless mentions, scores of 0/0, and a system that finds nothing in a document."""
GRID = {name: OPTIONS[name].values for name in ("singletons", "twinless", "average", "undefined", "blanc")}
"""What tells these documents apart: they have no words, no spans and no repeats."""
METRICS = ("muc", "b_cubed", "ceaf_m", "ceaf_e", "blanc", "lea", "conll", "mentions")
pytestmark = pytest.mark.filterwarnings("ignore::scorch2.ScorchWarning")


def rows() -> Iterator[tuple[dict[str, str], dict[tuple[str, str], float]]]:
    """Score under all settings, one run each."""
    for values in product(*GRID.values()):
        choices: Any = dict(zip(GRID, values, strict=True))
        report = scorch2.score(*CORPUS, metrics=METRICS, **choices)
        numbers = {
            (name, part): float(value)
            for name, score in report.scores.items()
            for part, value in score._asdict().items()
        }
        yield choices, numbers


# The settings


def test_every_number_of_every_run_is_explained_by_a_run_that_gives_it() -> None:
    chooser = random.Random(7)  # noqa: S311 - a sample
    for choices, numbers in chooser.sample(list(rows()), share_of(12)):
        (name, part), value = chooser.choice(list(numbers.items()))
        found = scorch2.explain(f"{name}.{part} {100 * value:.9f}", *CORPUS)
        assert found, f"{choices}: {name}.{part}"
        typed: Any
        for one in found.found:
            typed = {"profile": one.spelling.profile, **one.spelling.options}
            report = scorch2.score(*CORPUS, metrics=METRICS, **typed)
            assert report.signature() == one.report.signature()
            for reading, there in zip(one.readings, one.values, strict=True):
                if reading.part in report[reading.metric]._fields:
                    assert getattr(report[reading.metric], reading.part) == pytest.approx(there, abs=1e-12)
            assert {name: report[name] for name in one.report.scores} == dict(one.report.scores)


def test_all_settings_are_tried_and_no_others() -> None:
    found = scorch2.explain("12.345", *CORPUS, metrics=METRICS)
    values = list(rows())
    different = {round(value, 12) for _, numbers in values for value in numbers.values()}
    said = f"explain tries other settings than the {len(values)} of GRID: has an option of it other values?"
    assert found.settings == len(values), said
    means = {
        round(2 * r * p / (r + p), 12)
        for _, numbers in values
        for name in METRICS
        for r, p in [parts(numbers, name)]
        if r + p
    }
    of_conll = {round(part, 12) for _, numbers in values for part in parts(numbers, "conll")}
    assert found.numbers == len(different | means | of_conll | links_of_reference_scorer())


def links_of_reference_scorer() -> set[float]:
    """Return the numbers of both kinds of links of BLANC, from counts added by hand over documents."""
    found = set()
    for singletons in ("keep", "drop"):
        typed: Any = {"singletons": singletons, "average": "pooled"}
        report = scorch2.score(*CORPUS, metrics=["blanc"], **typed)
        for kind in (0, 1):
            counts = [sum(one.tallies[0][kind][place] for one in report.documents) for place in range(4)]
            recall, precision = (a / b if b else 0.0 for a, b in (counts[:2], counts[2:]))
            f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
            found |= {round(value, 12) for value in (recall, precision, f1)}
    return found


def parts(numbers: dict[tuple[str, str], float], name: str) -> tuple[float, float]:
    """Return recall and precision; those of a mean of metrics are means."""
    of = ("muc", "b_cubed", "ceaf_e") if name == "conll" else (name,)
    recall, precision = ([numbers.get((one, part), 0.0) for one in of] for part in ("recall", "precision"))
    return sum(recall) / len(of), sum(precision) / len(of)


def test_what_is_typed_is_held() -> None:
    report = scorch2.score(*CORPUS, average="pooled")
    number = f"MUC {100 * report.muc.f1:.6f}"
    assert scorch2.explain(number, *CORPUS, average="pooled")
    assert not scorch2.explain(number, *CORPUS, average="macro")
    held = scorch2.explain(number, *CORPUS, profile="conll")
    assert held.settings == len(GRID["singletons"]) * len(GRID["twinless"])
    assert {one.spelling.profile for one in held.found} == {"conll"}


def test_commands_repeat_what_is_typed(capsys: Capture) -> None:
    """79.60 is counted without twinless mentions, as the guide shows; the command has to say so."""
    typed = ["--average=pooled", "--twinless=drop", "--gold-format=conll"]
    assert main(["explain", "-q", *typed, "CoNLL 79.60", GOLD, SYSTEM]) == 0
    assert f"  {shlex.join(['scorch2', *typed, GOLD, SYSTEM])}\n" in capsys.readouterr().out
    found = scorch2.explain("CoNLL 79.60", GOLD, SYSTEM, average="pooled", twinless="drop")
    assert [one.spelling.options for one in found.found] == [{"average": "pooled", "twinless": "drop"}]
    found = scorch2.explain(
        "79.60", GOLD, SYSTEM, metrics=["pairwise", "conll"], average="pooled", twinless="drop"
    )
    assert found.found[0].spelling.words()[0] != "--metric=conll", "score shows it by itself"


def test_profiles_that_give_the_same_row_are_named(capsys: Capture) -> None:
    assert main(["explain", "-q", "CoNLL 77.99", GOLD, SYSTEM]) == 0
    assert "the same with --profile=ua-1.0|coval" in capsys.readouterr().out
    found = scorch2.explain("CoNLL 77.99", GOLD, SYSTEM)
    own = {one.spelling.profile for one in found.found}
    for name in [*found.found[0].same["profile"], *filter(None, own)]:
        other = scorch2.score(GOLD, SYSTEM, profile=name, metrics=METRICS)  # type: ignore[arg-type]  # a name
        assert all(found.found[0].report[metric] == other[metric] for metric in METRICS)


def corefud(path: Path, *entities: str) -> Path:
    """Write words of CorefUD by number and entities: 7 is the head of all, ``2.1 e`` a zero of e behind 2."""
    cells = dict(zip(entities[::2], entities[1::2], strict=True))
    rows = [
        "\t".join(
            [number, "w", *"_" * 4, "_" if "." in number else "7", "_", "7:x", f"Entity={cells[number]}"]
        )
        for number in sorted(cells, key=float)
    ]
    head = ["# newdoc id = d", "# global.Entity = eid-etype-head-other", "# sent_id = s"]
    path.write_text("\n".join([*head, *rows, "", ""]).replace("Entity=_", "_"), "utf-8")
    return path


MENTIONS = {"match", "lookup", "singletons", "twinless"}
REMEMBERED = {
    "entities": {*MENTIONS, "zeros", "duplicates"},
    "conll-r02": {*MENTIONS, "phrases", "nested", "duplicates"},
    "corefud-06-discontinuous": {*MENTIONS, "pieces"} - {"lookup"},
    "ua-05-split-other-set": {"split_antecedents", "singletons", "twinless"},
}
"""Options that give other counts of a document: of folders of fixtures, or of one that is written here."""


@every("name", REMEMBERED)
def test_what_is_remembered_is_what_every_setting_counts(name: str, tmp_path: Path) -> None:
    """Word 3 is in two entities; of 1 to 2, and of 5 to 7, the system has parts; zeros stand apart."""
    gold = "1 (b--2- 2 b) 2.1 (b--1-) 3 (b--1-)(c--1-) 4 (c--1-) 5 (d--3- 6 _ 7 d)"
    system = "1 _ 2 (b--1-) 3 (b--1-)(c--1-) 3.1 (b--1-) 4 (c--1-) 5 _ 6 (e--2- 7 (c--1-)e)"
    corefud(tmp_path / "key.conllu", *gold.split())
    corefud(tmp_path / "sys.conllu", *system.split())
    folder = tmp_path if name == "entities" else FIXTURES / "universal_anaphora" / name
    gold, system = (str(next(folder.glob(f"{side}.*"))) for side in ("key", "sys"))
    pairs = [Pair("d", read(gold)[0], read(system)[0])]
    held: Any = {"average": "pooled"}
    found = {}
    tries = Tries(pairs, request_of(held, None, ("muc", "b_cubed"), options_from(**held)))
    for tried in tries.counted(in_this_process):
        values: Any = {name: getattr(tried.options, name) for name in MATCHING}
        report = scorch2.score(gold, system, **held, **values, metrics=tried.names)
        assert [one.tallies for one in tried.documents] == [one.tallies for one in report.documents], values
        found[tuple(values.values())] = report.documents[0].tallies
    told_apart = {
        name
        for place, name in enumerate(MATCHING)
        for rest in [{(*key[:place], *key[place + 1 :]): tallies for key, tallies in found.items()}]
        if any(rest[(*key[:place], *key[place + 1 :])] != tallies for key, tallies in found.items())
    }
    assert told_apart == REMEMBERED[name], "a memory that forgets other options would not be seen"


def test_every_option_of_matching_is_remembered_in_a_case() -> None:
    lacking = {*MATCHING} - {name for told in REMEMBERED.values() for name in told}
    assert lacking == set(), "add a document to REMEMBERED that this option counts in another way"


SAME_MINIMUM = FIXTURES / "universal_anaphora" / "conll-r01"


def test_what_repeats_after_matching_is_typed_as_it_counts() -> None:
    """Two mentions have one minimum span: ua-1.0 would count it once, as its split antecedents ask."""
    gold, system = (str(next(SAME_MINIMUM.glob(f"{side}.*"))) for side in ("key", "sys"))
    held: Any = {"match": "mina", "lookup": "reference"}
    report = scorch2.score(gold, system, metrics=METRICS, **held, average="pooled", blanc="both")
    found = scorch2.explain(f"BLANC {100 * report.blanc.f1:.9f}", gold, system, **held)
    assert found
    for one in found.found:
        typed: Any = {"profile": one.spelling.profile, **one.spelling.options}
        again = scorch2.score(gold, system, metrics=METRICS, **typed)
        assert all(again[name] == one.report[name] for name in METRICS)


def test_f1_of_mean_recall_and_precision_is_found_where_f1_is_a_mean() -> None:
    """By hand: R = (1 + 1/2) / 2, P = (1/2 + 1) / 2: F1 of the means 3/4, the mean of F1 2/3."""
    gold = {"a": [["1", "2"]], "b": [["1", "2", "3"]]}
    system = {"a": [["1", "2", "9"]], "b": [["1", "2"]]}
    found = scorch2.explain("MUC F1=75.0 ", gold, system, average="macro", twinless="keep", singletons="keep")
    assert {reading.part for one in found.found for reading in one.readings} == {"f1_of_means"}
    assert scorch2.explain("MUC F1=66.7", gold, system, average="macro")


# What is said


SAMPLE = (
    "77.99",
    "B3 R=81.48 P=85.26 F1=83.33",
    "82.91",
    "78.0",
    "CoNLL 71.79",
    "66.67",
    "MUC 75.2",
    "lea 70.1",
)


@every("number", SAMPLE)
def test_every_command_prints_its_number_or_is_said_not_to(number: str, capsys: Capture) -> None:
    """The commands of all answers, and of the nearest numbers, are run, and print these as they say."""
    main(["explain", "-q", "-f", "json", number, GOLD, SYSTEM])
    told = json.loads(capsys.readouterr().out)
    shown = [*told["found"], *told["nearest"]]
    assert shown
    for one in shown:
        _, *words = shlex.split(one["command"])
        assert main([*words, "-q"]) == 0
        out = capsys.readouterr().out
        numbers = re.findall(r"\d\.?\d*", out)
        assert (
            one["printed"]
            == all(
                f"{100 * reading['value']:.2f}" in numbers or repr(reading["value"]) in numbers
                for reading in one["readings"]
            )
            or not one["printed"]
        ), one["command"]
        for name, values in one["same"].items():
            for value in values if name != "profile" else ():
                flag = OPTIONS[name].flag
                others = [word for word in words if not word.startswith(f"{flag}=")]
                assert main([*others, "-q", f"{flag}={value}"]) == 0
                again = capsys.readouterr().out.splitlines()
                assert all(
                    f"{100 * each['value']:.2f}" in " ".join(again) or repr(each["value"]) in " ".join(again)
                    for each in one["readings"]
                    if one["printed"]
                )


def test_what_no_report_prints_comes_last_and_says_so(capsys: Capture) -> None:
    """The row of scorer.pl: its F1 is also that of mean recall and precision, which no command prints."""
    assert main(["explain", "-q", "B3 R=81.48 P=85.26 F1=83.33", GOLD, SYSTEM]) == 0
    out = capsys.readouterr().out
    assert out.index("--profile=conll") < out.index("F1 of the mean recall and precision 83.3262 (no report")
    found = scorch2.explain("CoNLL 78.03", GOLD, SYSTEM)
    assert not any(one.is_printed for one in found.found)
    assert all(one.is_printed for one in found.nearest)


def test_digits_are_cut_off_where_a_scorer_does_so() -> None:
    """B³ recall of the example is 81.4815, and pooled BLANC recall 78.677: scorer.pl prints 78.67."""
    found = scorch2.explain("BLANC R=78.67", GOLD, SYSTEM)
    assert [(one.is_cut, one.spelling.profile) for one in found.found] == [(True, "conll")]
    means = scorch2.explain("MUC F1=80.07", GOLD, SYSTEM, average="mentions")  # 80.0762, a mean
    assert not means.found


def test_the_links_of_blanc_are_those_of_scorer_pl(capsys: Capture) -> None:
    """`scorch2 conll`, which prints what scorer.pl does, has these two rows."""
    assert main(["conll", "blanc", GOLD, SYSTEM, "none"]) == 0
    rows = re.findall(
        r"^((?:Non-c|C)oreference) links: .*F1: ([\d.]+)%$", capsys.readouterr().out, re.MULTILINE
    )
    assert len(rows) >= 2
    for name, number in rows[-2:]:
        found = scorch2.explain(f"BLANC F1={number}", GOLD, SYSTEM)
        parts = {reading.part for one in found.found for reading in one.readings}
        assert f"{name.casefold()} links.f1" in parts


def test_a_file_of_numbers_is_explained_row_by_row(tmp_path: Path, capsys: Capture) -> None:
    table = tmp_path / "table.txt"
    table.write_text("CoNLL 77.99\n\nMUC R=80.0\n12.34\n", encoding="utf-8")
    assert main(["explain", "-q", str(table), GOLD, SYSTEM]) == 1
    heads = [line for line in capsys.readouterr().out.splitlines() if line and line[0] != " "]
    assert [line.partition(":")[0] for line in heads] == ["CoNLL 77.99", "MUC R=80.0", "12.34"]
    assert main(["explain", "-q", "-f", "json", str(table), GOLD, SYSTEM]) == 1
    rows = json.loads(capsys.readouterr().out)["rows"]
    alone = scorch2.explain("CoNLL 77.99", GOLD, SYSTEM).to_dict()
    assert [row["number"] for row in rows] == ["CoNLL 77.99", "MUC R=80.0", "12.34"]
    assert [one["signature"] for one in rows[0]["found"]] == [one["signature"] for one in alone["found"]]


def test_other_values_that_a_profile_refuses_are_not_named() -> None:
    """A profile that looks mentions up does not take --twinless=singletons."""
    for number in ("78.30", "77.83", "79.94"):
        for one in [*(found := scorch2.explain(number, GOLD, SYSTEM)).found, *found.nearest]:
            if one.spelling.profile in ("coval", "ua-1.0", "ua-2.0"):
                assert "twinless" not in one.same


def test_all_numbers_of_jobs_give_one_answer(capsys: Capture) -> None:
    answers = []
    words = [
        "explain",
        "-q",
        "-f",
        "json",
        "77.99",
        *(str(FIXTURES / "example" / side) for side in ("gold", "sys")),
    ]
    for jobs in ("1", "2", "3"):
        main([*words, "-j", jobs])
        answers.append(capsys.readouterr().out)
    assert answers[0]
    assert len({*answers}) == 1
    again = scorch2.explain("77.99", FIXTURES / "example/gold", FIXTURES / "example/sys", jobs=2)
    assert again.settings == json.loads(answers[0])["settings"]


def test_workers_do_not_read_standard_input_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MUC of two of three mentions is R=1/2 P=1."""
    (tmp_path / "sys.json").write_text('{"type": "clusters", "clusters": {"e": ["a", "b"]}}', "utf-8")
    gold = BytesIO(b'{"type": "clusters", "clusters": {"e": ["a", "b", "c"]}}')
    monkeypatch.setattr("sys.stdin", TextIOWrapper(gold))
    found = scorch2.explain("MUC 66.7", "-", tmp_path / "sys.json", jobs=2)
    assert found.found[0].report.muc.f1 == pytest.approx(2 / 3)


# Numbers that other scorers print

PEERS = {
    ("coval", ()): "coval",
    ("corefud-scorer 1.2", ("-a", "head", "-z", "dependent")): "corefud-1.2",
    ("corefud-scorer 1.1", ("-a", "head")): "corefud-1.1",
}
NAMES = {"muc": "MUC", "bcub": "B3", "ceafe": "CEAFe", "lea": "LEA"}
RUNS = [
    (path.parent, run)
    for path in sorted((FIXTURES / "universal_anaphora").glob("*-r01/expected.json"))
    for run in json.loads(path.read_text("utf-8"))["runs"]
    if (run["peer"], tuple(run["args"])) in PEERS and "by_alignment" not in run and "scores" in run
]


@every(("folder", "run"), RUNS)
def test_the_numbers_of_a_peer_are_explained_by_its_profile(folder: Path, run: dict[str, Any]) -> None:
    shown = {name: run["scores"][key] for key, name in NAMES.items() if key in run["scores"]}
    text = " ".join(
        f"{name} R={100 * one['r']:.2f} P={100 * one['p']:.2f} F1={100 * one['f']:.2f}"
        for name, one in shown.items()
    )
    gold, system = (str(next(folder.glob(f"{side}.*"))) for side in ("key", "sys"))
    found = scorch2.explain(text, gold, system)
    profile = PEERS[run["peer"], tuple(run["args"])]
    own = scorch2.score(gold, system, profile=profile)  # type: ignore[arg-type]  # a name
    assert any(
        all(one.report[name].f1 == pytest.approx(own[name].f1) for name in ("muc", "b_cubed", "lea"))
        for one in found.found
    )


def test_the_reference_scorer_cuts_digits_off() -> None:
    """MUC F1 of two of three links is 66.666...: scorer.pl prints 66.66%."""
    found = scorch2.explain("MUC 66.66", [["a", "b", "c"]], [["a", "b"]])
    assert [one.is_cut for one in found.found] == [True]
    assert [one.is_cut for one in scorch2.explain("MUC 66.67", [["a", "b", "c"]], [["a", "b"]]).found] == [
        False
    ]


# Printed numbers


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("79.6", [("", "", 0.796, 0.001)]),
        ("0.796", [("", "", 0.796, 0.001)]),
        (".796", [("", "", 0.796, 0.001)]),
        ("79.60%", [("", "", 0.796, 0.0001)]),
        ("R=81.2 P=78.0", [("", "recall", 0.812, 0.001), ("", "precision", 0.78, 0.001)]),
        ("81.2 / 78.0 / 79.6", [("", "", 0.812, 0.001), ("", "", 0.78, 0.001), ("", "", 0.796, 0.001)]),
        ("MUC F1=75.2, B3 F1: 63", [("muc", "f1", 0.752, 0.001), ("b_cubed", "f1", 0.63, 0.01)]),
        ("muc.f 0.80123", [("muc", "f1", 0.80123, 0.00001)]),
        ("68.60±0.3", [("", "", 0.686, 0.0001)]),
        (r"$68.6_{\pm 0.3}$", [("", "", 0.686, 0.001)]),
        (r"\textbf{68.6} $\pm$ 0.3", [("", "", 0.686, 0.001)]),
        (r"68.6 {\small $\pm$0.3}", [("", "", 0.686, 0.001)]),
        ("68.60 (+0.4)", [("", "", 0.686, 0.0001)]),
        (r"\textbf{68.60} \underline{70.1}", [("", "", 0.686, 0.0001), ("", "", 0.701, 0.001)]),
        ("MUC-F1 78.97", [("muc", "f1", 0.7897, 0.0001)]),
        ("CEAF-phi4 F1 62.77", [("ceaf_e", "f1", 0.6277, 0.0001)]),
        ("CEAF_φ3 62.7", [("ceaf_m", "", 0.627, 0.001)]),
    ],
)
def test_numbers_are_read_as_they_are_printed(text: str, cells: list[tuple[str, str, float, float]]) -> None:
    (printed,) = read_printed(text)
    read = [
        (one.metric, cell.part, cell.value, cell.unit) for one in printed.of_metrics for cell in one.cells
    ]
    assert [(metric, part) for metric, part, _, _ in read] == [(metric, part) for metric, part, _, _ in cells]
    assert [row[2:] for row in read] == [pytest.approx(row[2:]) for row in cells]


def test_a_number_up_to_one_may_be_percent() -> None:
    assert [one.scale for one in read_printed("0.8")] == ["fraction", "percent"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "no number"),
        ("MUC", "no number behind"),
        ("79,6", "write a decimal point, 79.6"),
        ("101", "no score is above 100 %"),
        ("R=-3", "no score is below 0"),
        ("nan", "no number as it is printed"),
        ("xyz 3", "unknown metric"),
        ("0.796 79.6", "write all numbers alike"),
        ("MUC F1=70 F1=71", "both the f1 of muc"),
        ("1 2 3 4", "has 3: recall, precision and F1"),
    ],
)
def test_what_is_no_score_is_refused(text: str, why: str, capsys: Capture) -> None:
    assert main(["explain", text, GOLD, SYSTEM]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert why in line


# The command


def test_a_number_that_is_found_ends_with_0_and_another_with_1(capsys: Capture) -> None:
    assert main(["explain", "77.99", GOLD, SYSTEM]) == 0
    out = capsys.readouterr().out
    assert shlex.join(["scorch2", "--profile=conll", GOLD, SYSTEM]) in out
    assert "CoNLL F1 77.9893" in out
    assert main(["explain", "12.34", GOLD, SYSTEM]) == 1
    assert "No setting gives 12.34" in capsys.readouterr().out


def test_json_and_python_say_the_same(capsys: Capture) -> None:
    assert main(["explain", "-q", "-f", "json", "MUC 80.0", GOLD, SYSTEM, "--average=pooled"]) == 0
    told = json.loads(capsys.readouterr().out)
    found = scorch2.explain("MUC 80.0", GOLD, SYSTEM, average="pooled")
    assert told == found.to_dict()
    assert told["found"][0]["readings"][0]["metric"] == "muc"
    assert told["not_tried"]["match=head"].endswith("which --match=head needs (use --match=exact)")
    assert {row["metric"] for row in found.to_records() if row["found"]} == {"muc"}
    assert str(found).startswith(render(found, "text").rstrip("\n"))


@pytest.fixture
def one_mention_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write an entity of three mentions of which the system has two, and three rows of numbers.

    MUC: R = (2 - 1) / (3 - 1) = 50 %, P = 1 / 1. B³: R = (2/3 + 2/3) / 3 = 4/9. No number is below the 1 / 3
    of the links that the system has, which is the recall of BLANC: there are no other links.
    """
    monkeypatch.chdir(tmp_path)
    for name, spans in (("g.json", [[0, 0], [1, 1], [2, 2]]), ("s.json", [[0, 0], [1, 1]])):
        Path(name).write_text(json.dumps({"type": "clusters", "clusters": {"A": spans}}), "utf-8")
    Path("rows.txt").write_text("MUC R=50.0 P=100.0\nB3 R=44.44\n12.34\n", "utf-8")


def test_a_text_report_is_a_file_of_numbers(tmp_path: Path, capsys: Capture) -> None:
    """Its last lines are no scores; 0/0 is how it shows an undefined one."""
    report = str(tmp_path / "report.txt")
    assert main(["-q", GOLD, SYSTEM, report]) == 0
    assert main(["explain", "-q", "-f", "json", report, GOLD, SYSTEM]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert len(rows) == 7
    assert rows[-1]["number"].startswith("CoNLL-2012 average score: 0.")
    assert read_printed("MUC: R=0.0 (0/0) P=0.5") == read_printed("MUC R=0.0 P=0.5")
    assert read_printed("MUC F1 score: 75.2") == read_printed("MUC F1=75.2")


@pytest.mark.usefixtures("one_mention_missed")
def test_each_of_several_rows_has_its_first_answer(capsys: Capture) -> None:
    assert main(["explain", "-q", "rows.txt", "g.json", "s.json"]) == 1
    assert capsys.readouterr().out == (
        "MUC R=50.0 P=100.0: 1 row of scores\n"
        "  MUC recall 50.0000; MUC precision 100.0000\n"
        "    scorch2 g.json s.json\n\n"
        "B3 R=44.44: 1 row of scores\n"
        "  B³ recall 44.4444\n"
        "    scorch2 g.json s.json\n\n"
        "12.34: no setting gives it\n"
        "  BLANC recall 33.3333 (20.9933 off)\n"
        "    scorch2 g.json s.json\n"
    )


@pytest.mark.usefixtures("one_mention_missed")
def test_json_has_the_readings_of_each_of_several_rows(capsys: Capture) -> None:
    assert main(["explain", "-q", "-f", "json", "rows.txt", "g.json", "s.json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [row["number"] for row in told["rows"]] == ["MUC R=50.0 P=100.0", "B3 R=44.44", "12.34"]
    muc, b_cubed, other = ([one["readings"] for one in row["found"]] for row in told["rows"])
    assert muc == [
        [
            {"metric": "muc", "part": "recall", "value": 1 / 2},
            {"metric": "muc", "part": "precision", "value": 1.0},
        ]
    ]
    assert b_cubed == [[{"metric": "b_cubed", "part": "recall", "value": 4 / 9}]]
    assert other == []
    nearest = told["rows"][2]["nearest"][0]
    assert nearest["readings"] == [{"metric": "blanc", "part": "recall", "value": 1 / 3}]
    assert nearest["difference"] == pytest.approx(1 / 3 - 0.1234)


def test_missing_documents_are_tried_as_options_allow(tmp_path: Path) -> None:
    for side, names in (("gold", "ab"), ("sys", "a")):
        (tmp_path / side).mkdir()
        for name in names:
            clusters = {"type": "clusters", "clusters": {"x": ["1", "2"]}}
            (tmp_path / side / f"{name}.json").write_text(json.dumps(clusters), encoding="utf-8")
    found = scorch2.explain(
        "MUC R=100.0", tmp_path / "gold", tmp_path / "sys", average="pooled", undefined="zero"
    )
    assert {one.spelling.options.get("missing") or one.spelling.profile for one in found.found} <= {
        "skip",
        "scorch",
        "ua-1.0",
    }
    found = scorch2.explain(
        "MUC R=50.0", tmp_path / "gold", tmp_path / "sys", average="pooled", undefined="zero"
    )
    assert found
    assert found.not_tried["missing=error"] == "the system lacks gold documents"


@pytest.mark.parametrize(
    ("seconds", "total", "said"),
    [
        (
            0.5,
            40,
            "scorch2: 40 documents under every setting take about 19 s more, or less with --jobs=0 (",
        ),  # 38 are left after 1 s
        (2.0, 4, "scorch2: 4 documents under every setting take about 6 s more, or less with --jobs=0 ("),
        (0.5, 8, ""),  # 3 s are no long time
    ],
)
def test_a_search_that_takes_long_says_so_after_a_second(
    seconds: float, total: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    pair = Pair("d", read(GOLD)[0], read(SYSTEM)[0])

    def counted() -> Iterator[Pair]:
        for _ in range(total):
            now[0] += seconds
            yield pair

    assert [*announced(counted(), total)] == [pair] * total
    lines = capsys.readouterr().err.splitlines()
    assert [line[: len(said)] for line in lines] == [said] * bool(said)
