"""Stored reports are verified, by what was done to the report and to the data since then."""

import json
import random
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import tampering

import scorch2
from scorch2.audit.verify import ChangedDocument
from scorch2.cli.main import main
from scorch2.model.values import PROFILES

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
Capture: TypeAlias = pytest.CaptureFixture[str]
GOLD = {"d1": ["abc", "de"], "d2": ["ab", "cd"], "d3": ["abcd"]}
SYSTEM = {"d1": ["ab", "cde"], "d2": ["cd", "ab"], "d3": ["ab", "cd"]}
"""Clusters by document, a letter for each mention.

MUC of d1: 2 of 3 links each way; of d2 2 of 2; of d3 R = (4 - 2) / 3, P = 2 / 2.
"""


def put(path: str, clusters: list[str]) -> None:
    Path(path).parent.mkdir(exist_ok=True)
    named = {f"c{number}": [*members] for number, members in enumerate(clusters)}
    Path(path).write_text(json.dumps({"type": "clusters", "clusters": named}), encoding="utf-8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder with two sides of three documents."""
    monkeypatch.chdir(tmp_path)
    for side, documents in (("gold", GOLD), ("sys", SYSTEM)):
        for name, clusters in documents.items():
            put(f"{side}/{name}.json", clusters)
    return tmp_path


def stored(*words: str, gold: str = "gold", system: str = "sys") -> dict[str, Any]:
    assert main(["-q", "-o", "r.json", *words, gold, system]) == 0
    found: dict[str, Any] = json.loads(Path("r.json").read_text("utf-8"))
    return found


def verified(capsys: Capture, *words: str) -> tuple[int, str]:
    capsys.readouterr()
    status = main(["verify", "-q", *words, "r.json", "gold", "sys"])
    return status, capsys.readouterr().out


# What holds

UD = """# newdoc id = d
# global.Entity = eid-etype-head-other
1\tAnn\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-)
2\tsaw\t_\tVERB\t_\t_\t0\troot\t_\t_
3\ther\t_\tPRON\t_\t_\t4\tdet\t_\tEntity=(e2-animal-2-(e1-person-1-)
4\tdog\t_\tNOUN\t_\t_\t2\tobj\t_\tEntity=e2)
5\tit\t_\tPRON\t_\t_\t2\tdep\t_\tEntity=(e2-animal-1-)

"""


WRONG = "Entity=(e1-animal-1-)".join(UD.rsplit("Entity=(e2-animal-1-)", 1))


@pytest.mark.parametrize("profile", PROFILES)
def test_a_report_of_each_profile_holds(profile: str, capsys: Capture) -> None:
    Path("g.conllu").write_text(UD, encoding="utf-8")
    Path("s.conllu").write_text(WRONG, encoding="utf-8")
    report = stored(f"--profile={profile}", gold="g.conllu", system="s.conllu")
    assert report["scores"]["muc"]["f1"] not in (0, 1)
    assert main(["verify", "-q", "r.json", "g.conllu", "s.conllu"]) == 0
    assert " holds: " in capsys.readouterr().out
    Path("s.conllu").write_text(UD, encoding="utf-8")
    assert main(["verify", "-q", "r.json", "g.conllu", "s.conllu"]) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["--confidence=90", "--trials=50", "--seed=3"],
        ["--average=files"],
        ["--by=size,bands", "--types=none"],
        ["-m", "lea", "--no-signature", "--undefined=zero"],
        ["--gold-files=d*.json", "--sys-format=clusters"],
        ["--fail-under=muc=0.1"],
        ["--documents=corpus", "--ids=document"],
    ],
)
def test_all_that_a_report_was_made_with_is_done_again(words: list[str], capsys: Capture) -> None:
    stored(*words)
    assert verified(capsys, "-j2" if words == ["--average=files"] else "-j1")[0] == 0


EXAMPLE, TASK = "example/{}", "shared-task/{}"
EXAMPLES = ("example/gold", "example/sys")
OF_VERSIONS = {
    "plain": EXAMPLE,
    "gates": EXAMPLE,
    "intervals": f"{EXAMPLE}.conll",
    "all": f"{EXAMPLE}.conll",
    "classes": TASK,
}
"""The reports of earlier versions, and the sides that they are of."""
OLDER = sorted(path for name in OF_VERSIONS for path in FIXTURES.glob(f"versions/*/{name}.json"))


@pytest.mark.parametrize("report", OLDER, ids=lambda path: "-".join(path.parts[-2:]))
def test_a_report_of_an_earlier_version_holds(report: Path, capsys: Capture) -> None:
    sides = [str(FIXTURES / OF_VERSIONS[report.stem].format(side)) for side in ("gold", "sys")]
    assert main(["verify", "-q", str(report), *sides]) == 0
    printed = capsys.readouterr().out
    assert " holds: " in printed
    assert f"note: made with scorch2 {report.parent.name}, " in printed


def test_the_answer_counts_what_was_compared(capsys: Capture) -> None:
    stored("-m", "muc")
    # 3 scores and 4 counts of the corpus, and of each document besides 2 numbers of mentions
    status, printed = verified(capsys)
    assert (status, printed) == (0, "r.json holds: 34 numbers, 6 documents by SHA-256\n")


# What changed


def test_a_changed_file_is_named_with_the_numbers_that_it_changes(capsys: Capture) -> None:
    stored("-m", "muc", "--average=pooled")
    put("sys/d3.json", ["abcd"])  # R and P of MUC were 6 of 8 and 6 of 7; d3 alone 2/3, 1 and 4/5
    status, printed = verified(capsys)
    assert status == 1
    assert printed.splitlines() == [
        "r.json differs: 1 document, 11 of 34 numbers",
        'system "d3" is changed',
        "muc.f1: 0.8 stored, 0.875 now (+0.075)",
        "muc.recall: 0.75 stored, 0.875 now (+0.125)",
        "muc.precision: 0.8571428571 stored, 0.875 now (+0.01786)",
        "counts.muc.recall_num: 6 stored, 7 now (+1)",
        "counts.muc.precision_num: 6 stored, 7 now (+1)",
        "counts.muc.precision_den: 7 stored, 8 now (+1)",
        '"d3": 5 numbers, muc.recall: 0.6666666667 stored, 1 now (+0.3333)',
    ]


def test_bytes_that_change_no_number_are_a_difference_too(capsys: Capture) -> None:
    stored()
    Path("gold/d2.json").write_text(Path("gold/d2.json").read_text("utf-8") + "\n", encoding="utf-8")
    assert verified(capsys) == (
        1,
        'r.json differs: all 210 numbers are the same, but not 1 document\ngold "d2" is changed\n',
    )


def removed(path: str) -> None:
    Path(path).unlink()


def swapped() -> None:
    one, other = Path("sys/d1.json"), Path("sys/d2.json")
    first = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(first)


CHANGES: dict[str, tuple[Callable[[], object], list[str]]] = {
    "a system document is gone": (lambda: removed("sys/d1.json"), ['system "d1" is missing']),
    "a gold document is gone": (lambda: removed("gold/d1.json"), ['gold "d1" is missing']),
    "a pair is gone": (
        lambda: list(map(removed, ("gold/d1.json", "sys/d1.json"))),
        ['gold "d1" is missing', 'system "d1" is missing'],
    ),
    "a system document came": (lambda: put("sys/d4.json", ["ab"]), ['system "d4" is new']),
    "a gold document came": (lambda: put("gold/d4.json", ["ab"]), ['gold "d4" is new']),
    "a pair came": (
        lambda: shutil.copy(shutil.copy("sys/d1.json", "sys/d4.json"), "gold/d4.json"),
        ['gold "d4" is new', 'system "d4" is new'],
    ),
    "a document is broken": (lambda: put("sys/d2.json", ["ab", "bc"]), ['"d2" is broken']),
    "two documents changed places": (
        swapped,
        [
            'system "d1" is changed',
            'system "d2" is changed',
            'system "d1" is now what "d2" was',
            'system "d2" is now what "d1" was',
        ],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_documents_are_named_by_their_side(name: str, capsys: Capture) -> None:
    change, expected = CHANGES[name]
    stored("-m", "muc")
    change()
    status, printed = verified(capsys)
    lines = printed.splitlines()
    assert status == 1
    assert [line for line in lines if " is " in line] == expected


def test_what_was_left_out_then_is_no_change_now(capsys: Capture) -> None:
    put("gold/d4.json", ["ab"])
    put("sys/d5.json", ["ab"])
    put("sys/d2.json", ["ab", "bc"])
    stored("--missing=skip", "--extra=skip", "--invalid=skip")
    assert verified(capsys)[0] == 0
    put("sys/d4.json", ["ab"])
    assert 'system "d4" is new' in verified(capsys)[1]


def test_names_inside_files_are_of_the_pairing(capsys: Capture) -> None:
    for side in ("g", "s"):
        rows = [{"doc_key": name, "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]} for name in "ab"]
        Path(f"{side}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    report = stored("--pair=order", gold="g.jsonl", system="s.jsonl")
    report["inputs"]["pairing"] = "0" * 64
    Path("r.json").write_text(json.dumps(report), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify", "r.json", "g.jsonl", "s.jsonl"]) == 1
    said = "documents have other names inside the files, or other partners"
    assert (
        capsys.readouterr().out == f"r.json differs: all 157 numbers are the same, but not 1 pair\n{said}\n"
    )


def test_a_file_of_an_option_is_named(capsys: Capture) -> None:
    Path("c.tsv").write_text("d\t0\t0\tPER\n", encoding="utf-8")
    row = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}
    Path("d.jsonl").write_text(json.dumps(row), encoding="utf-8")
    stored("--categories=c.tsv", "--by=category", gold="d.jsonl", system="d.jsonl")
    Path("c.tsv").write_text("d\t0\t0\tLOC\n", encoding="utf-8")
    capsys.readouterr()
    assert main(["verify", "-q", "--categories=c.tsv", "r.json", "d.jsonl", "d.jsonl"]) == 1
    printed = capsys.readouterr().out
    assert "the file of categories is another one\n" in printed
    assert "breakdown.category.PER is in the report alone: {" in printed


def test_the_only_document_may_be_called_otherwise(capsys: Capture) -> None:
    """Two files of one document each pair whatever their names."""
    stored(gold="gold/d1.json", system="sys/d1.json")
    shutil.copy("gold/d1.json", "key.json")
    capsys.readouterr()
    assert main(["verify", "r.json", "key.json", "sys/d1.json"]) == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        'note: the document is called "key" now, and was called "d1"'
    ]


# The report itself


def changed(change: Callable[[dict[str, Any]], object]) -> None:
    report = stored("-m", "muc", "--confidence=95", "--trials=20")
    change(report)
    Path("r.json").write_text(json.dumps(report), encoding="utf-8")


def aged(report: dict[str, Any]) -> None:
    """Leave out what reports of 1.0.0 lack."""
    for name in ("inputs", "python", "skipped"):
        del report[name]
    for document in report["documents"]:
        del document["scores"]
    older = "average missing extra duplicates singletons twinless blanc metrics gold_format sys_format"
    kept = (*older.split(), "signature", "mark_undefined")
    report.update(
        version="1.0.0",
        signature="scorch2 1.0.0 | documents=3 | mentions=13/13 | seed=0",
        options={name: report["options"][name] for name in kept} | {"undefined": "skip"},
    )


def renamed(report: dict[str, Any]) -> None:
    document = report["documents"][1]
    document["id"] = "another"
    for scores in document["scores"].values():
        scores.update(dict.fromkeys(scores, 0.99))


def of_version(report: dict[str, Any], version: str) -> None:
    """Call a report that of another version, in its signature, too."""
    signature = report["signature"].replace(scorch2.__version__, version)
    report.update(version=version, python="3.99.1", signature=signature)


REPORTS: dict[str, tuple[Callable[[dict[str, Any]], object], int, list[str]]] = {
    "a better score": (
        lambda report: report["scores"]["muc"].update(f1=1),
        1,
        ["r.json differs: 1 of 43 numbers", "muc.f1: 1 stored, 0.8102564103 now (-0.1897)"],
    ),
    "an interval": (
        lambda report: report["confidence"]["metrics"]["muc"].update(f1=None),
        1,
        ["r.json differs: 1 other value", "confidence.metrics.muc.f1: null stored, ["],
    ),
    "a huge count": (
        lambda report: report["counts"]["muc"].update(recall_num=10**400),
        1,
        ["r.json differs: 1 of 43 numbers", "counts.muc.recall_num: inf stored, 6 now (-inf)"],
    ),
    "another average": (
        lambda report: report["options"].update(average="macro"),
        1,
        ["average=mentions is in the signature alone", "average=macro is not in the signature"],
    ),
    "no scores of the corpus": (
        lambda report: report.update(scores={}),
        1,
        ["1 other value", 'writes it: $.scores: no "muc"', "scores.muc is not in the report: {"],
    ),
    "no documents": (
        lambda report: report.update(documents=[]),
        1,
        ["3 other values", "writes it: $.documents: no document", '"d1": documents is not in the report'],
    ),
    "scores that are texts or booleans": (
        lambda report: report["scores"]["muc"].update(f1="0.99", recall=True),
        1,
        ["2 other values", 'scores.muc.f1: "0.99" stored, 0.8', "scores.muc.recall: true stored, 0.7"],
    ),
    "a document with another name and other numbers": (
        renamed,
        1,
        ['"another": documents is in the report alone', '"d2": documents is not in the report'],
    ),
    "documents twice": (
        lambda report: report.update(documents=report["documents"] * 2),
        1,
        ['a second document "d1"', '"d1 (row 4)": documents is in the report alone'],
    ),
    "a document less": (
        lambda report: report["documents"].pop(),
        1,
        ['"d3": documents is not in the report'],
    ),
    "an empty hash": (
        lambda report: report["inputs"]["system"].update(d2=""),
        1,
        ["all 43 numbers are the same, but not 1 document", 'system "d2" is unhashed'],
    ),
    "a hash less": (lambda report: report["inputs"]["gold"].pop("d2"), 1, ['gold "d2" is unhashed']),
    "no counts of documents": (
        lambda report: [document.update(counts={}) for document in report["documents"]],
        1,
        ['"d2": counts.muc is not in the report'],
    ),
    "an option less": (
        lambda report: report["options"].pop("average"),
        1,
        ['options.average is not in the report: "mentions"'],
    ),
    "another signature": (
        lambda report: report.update(signature=report["signature"].replace("=3", "=300")),
        1,
        ["all 43 numbers are the same", "documents=300 is in the signature alone", "documents=3 is not"],
    ),
    "a version that the signature denies": (
        lambda report: report.update(version="1.1.0"),
        1,
        [f"scorch2 {scorch2.__version__} is in the signature, not scorch2 1.1.0"],
    ),
    "no warnings": (
        lambda report: report["warnings"].clear(),
        1,
        ["warnings is not in the report: confidence: intervals over 3 documents are coarse"],
    ),
    "a warning that is not given": (
        lambda report: report["warnings"].append({"code": "x", "document": "", "message": "y"}),
        1,
        ["warnings is in the report alone: x: y"],
    ),
    "something else": (lambda report: report.update(rank=1), 1, ["rank is in the report alone: 1"]),
    "another version": (
        lambda report: of_version(report, "1.99.0"),
        0,
        [
            f"note: made with scorch2 1.99.0, scored again with {scorch2.__version__}",
            "note: made with Python 3.99.1, scored ",
        ],
    ),
    "no hashes": (
        lambda report: report.pop("inputs"),
        0,
        [
            "r.json holds: 43 numbers only\n",
            "note: the report has no hashes of documents (it is older than 1.2.0, ",
        ],
    ),
    "an old report": (aged, 0, ["r.json holds: 34 numbers only\n"]),
}


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_that_was_changed(name: str, capsys: Capture) -> None:
    change, status, expected = REPORTS[name]
    changed(change)
    found, printed = verified(capsys)
    assert found == status
    assert all(text in printed for text in expected), printed


def gated(*gates: str) -> dict[str, Any]:
    assert main(["-q", "-o", "base.json", "gold", "gold"]) == 0
    words = ["-q", "-o", "r.json", "--exit-zero", "--baseline=base.json", *gates, "gold", "sys"]
    assert main(words) == 0
    found: dict[str, Any] = json.loads(Path("r.json").read_text("utf-8"))
    return found


def test_gates_are_counted_again(capsys: Capture) -> None:
    report = gated("--fail-under=muc=0.1", "--fail-under-doc=lea.r=0.9", "--max-drop=conll=5%")
    assert [gate["passed"] for gate in report["gates"]] == [True, False, False]
    status, printed = verified(capsys)
    assert status == 0
    assert (
        "note: scores of the baseline are taken from the report (--baseline=<file> compares them)" in printed
    )
    report["gates"][2].update(
        baseline=0.5, bound=0.45, margin=report["gates"][2]["value"] - 0.45, passed=True
    )
    Path("r.json").write_text(json.dumps(report), encoding="utf-8")
    assert verified(capsys)[0] == 0, "the baseline is not known"
    status, printed = verified(capsys, "--baseline=base.json")
    assert status == 1
    assert "gates.2.baseline: 0.5 stored, 1 now (+0.5)" in printed
    assert "gates.2.passed: true stored, false now" in printed


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"passed": True}, "gates.0.passed: true stored, false now"),
        ({"value": 0.995}, "gates.0.value: 0.995 stored, "),
        ({"bound": 0.1}, "gates.0.bound: 0.1 stored, 0.99 now"),
        ({"limit": "0.1"}, "gates.0: {"),
        ({"gate": "fail-over"}, "gates.0: {"),
        ({"metric": "muc[size=99]"}, "gates.0: {"),
        ({"part": "real"}, "gates.0: {"),
    ],
)
def test_a_gate_that_was_changed(change: dict[str, Any], said: str, capsys: Capture) -> None:
    report = gated("--fail-under=conll=0.99")
    report["gates"][0].update(change)
    Path("r.json").write_text(json.dumps(report), encoding="utf-8")
    status, printed = verified(capsys)
    assert (status, said in printed) == (1, True), printed


def test_gates_on_classes_of_a_report_by_genre_hold(capsys: Capture) -> None:
    stored("--by=genre", "--genre=^(.)", "--fail-under=muc[genre=d]=0.1")
    assert verified(capsys)[0] == 0


# What a task asks for, and what has to be typed


@pytest.mark.parametrize(
    ("words", "asked", "said"),
    [
        (["--profile=conll"], ["--require-profile=conll"], ""),
        (["--profile=conll", "--pair=order"], ["--require-profile=conll", "--require=pair=order"], ""),
        (
            ["--profile=conll", "--singletons=drop"],
            ["--require-profile=conll"],
            "singletons is drop, and has to be keep",
        ),
        (["-m", "muc"], ["--require-profile=conll"], "average is mentions, and has to be pooled"),
        (["--profile=conll", "-m", "muc,lea"], ["--require-profile=conll"], "has b_cubed, ceaf_m"),
        (["--gold-files=d[12]*"], ["--require=gold-files="], "gold_files is d[12]*, and has to be not given"),
        (["--average=micro"], ["--require=average=micro"], ""),
        (["--no-hashes"], ["--require-hashes"], "the report has no SHA-256 of documents"),
        ([], ["--require-hashes"], ""),
    ],
)
def test_a_task_asks_for_settings(words: list[str], asked: list[str], said: str, capsys: Capture) -> None:
    put("gold/d1.json", ["abc", "de"])
    extra = ["--extra=skip"] if "--gold-files=d[12]*" in words else []
    stored(*words, *extra)
    status, printed = verified(capsys, *asked)
    assert (status, said in printed) == (int(bool(said)), True), printed


def joined(side: str, clusters: list[list[list[int]]]) -> None:
    rows = [
        {"doc_key": f"t{number}_{number}", "sentences": [["a", "b"]], "clusters": clusters}
        for number in (1, 2)
    ]
    Path(f"{side}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")


def test_a_pattern_of_a_report_is_not_run(capsys: Capture) -> None:
    """A pattern can take for ever, and a file can be one that nobody should read."""
    joined("g", [[[0, 0], [1, 1]]])
    joined("s", [[[0, 0], [1, 1]]])
    words = ["--documents=topic", "--ids=shared", "--topics=(t.)_.*"]
    report = stored(*words, gold="g.jsonl", system="s.jsonl")
    sides = ["r.json", "g.jsonl", "s.jsonl"]
    capsys.readouterr()
    assert main(["verify", *sides]) == 2
    assert "r.json was made with topics: patterns and files of a report are not used unless" in (
        said := capsys.readouterr().err
    )
    assert said.endswith(": add --topics='(t.)_.*'\n")
    assert main(["verify", "-q", "--topics=(t.)_.*", *sides]) == 0
    assert main(["verify", "-q", "--topics=(..)_.*", *sides]) == 1
    assert 'options.topics: "(t.)_.*" stored, "(..)_.*" now' in capsys.readouterr().out
    report["options"]["topics"] = "^(([0-9a-z_]+)+)+!"
    Path("r.json").write_text(json.dumps(report), encoding="utf-8")
    assert main(["verify", "-q", *sides]) == 2
    with pytest.raises(scorch2.UsageError, match=r"was made with topics"):
        scorch2.verify("r.json", "g.jsonl", "s.jsonl")
    mine = scorch2.score("g.jsonl", "s.jsonl", documents="topic", ids="shared", topics="(t.)_.*")
    assert scorch2.verify(mine, "g.jsonl", "s.jsonl").holds


def test_a_file_of_a_report_is_read_where_it_is_typed(capsys: Capture) -> None:
    Path("c.tsv").write_text("d\t0\t0\tPER\n", encoding="utf-8")
    row = {"doc_key": "d", "sentences": [["a", "b"]], "clusters": [[[0, 0], [1, 1]]]}
    Path("d.jsonl").write_text(json.dumps(row), encoding="utf-8")
    report = stored("--categories=c.tsv", "--by=category", gold="d.jsonl", system="d.jsonl")
    shutil.move("c.tsv", "moved.tsv")
    assert main(["verify", "-q", "--categories=moved.tsv", "r.json", "d.jsonl", "d.jsonl"]) == 0
    report["options"]["categories"] = "/etc/passwd"
    Path("r.json").write_text(json.dumps(report), encoding="utf-8")
    capsys.readouterr()
    assert main(["verify", "-q", "r.json", "d.jsonl", "d.jsonl"]) == 2
    assert "root" not in capsys.readouterr().err


UNKNOWN = {
    "--require=average": "--require needs <option=value>, such as average=pooled",
    "--require=averag=pooled": 'unknown option "averag", did you mean average?',
    "--require=average=none": 'average cannot be "none"',
    "--require-profile=conl": 'unknown profile "conl", did you mean conll?',
    "--baseline=r.json": "--baseline is for gates on drops, and the report has none",
}


@pytest.mark.parametrize("word", UNKNOWN)
def test_what_cannot_be_asked_for(word: str, capsys: Capture) -> None:
    stored()
    capsys.readouterr()
    assert main(["verify", word, "r.json", "gold", "sys"]) == 2
    assert UNKNOWN[word] in capsys.readouterr().err


def test_warnings_of_python_and_of_other_folders_are_the_same() -> None:
    put("sys/d2.json", ["abc", "c"])
    report = scorch2.score("gold", "sys", duplicates="first")
    report.save("r.json")
    assert any("sys/d2.json" in notice.message for notice in report.notices)
    shutil.move("sys", "later")
    assert main(["verify", "-q", "r.json", "gold", "later"]) == 0


def test_every_change_of_a_small_report_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the campaign does with ten kinds of reports."""
    monkeypatch.chdir(FIXTURES)
    kind = tampering.Kind(("-m", "muc", "--fail-under=muc=0.9", "--confidence=90", "--trials=20"), *EXAMPLES)
    report = tampering.made(kind)
    number, missed = tampering.unnoticed(report, kind, random.Random(0))  # noqa: S311 - no secret
    assert number > 200
    assert [one for one in missed if not tampering.has_reason(one[1])] == []
    guide = (files("scorch2") / "guide/reports.md").read_text("utf-8")
    assert all(f"| {reason} |" in guide for _, reason in tampering.NO_TRACE if reason != "likewise")


def test_documents_of_reports_without_hashes_are_told_by_their_names(capsys: Capture) -> None:
    stored("--no-hashes")
    removed("sys/d1.json")
    status, printed = verified(capsys)
    assert (status, printed.splitlines()[1]) == (1, 'system "d1" is missing')


REFUSED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "no scores": (lambda report: report.pop("scores"), "r.json: $: not a report of scorch2"),
    "errors": (
        lambda report: report.update(errors={}),
        "r.json: $: a report of scorch2 errors (verify scores again what scorch2 score wrote with -f json)",
    ),
    "linking": (
        lambda report: report["options"].update(task="linking"),
        "r.json: $: a report of entity linking",
    ),
    "the exercise": (lambda report: report["options"].update(task=2), "r.json: $: a report of the anaphora"),
    "an option of a newer version": (
        lambda report: report["options"].update(colour="red"),
        "$.options.colour: is not an option this version knows",
    ),
    "no options": (lambda report: report.pop("options"), '$: no "options"'),
    "another schema": (lambda report: report.update(schema=7), "$.schema: 7 is not the schema"),
    "an unknown format": (lambda report: report["options"].update(gold_format="x"), 'unknown format "x"'),
    "a number for a glob": (
        lambda report: report["options"].update(gold_files=3),
        "$.options.gold_files: not a ",
    ),
    "documents that are none": (lambda report: report.update(documents=[3]), '$.documents[0]: no "id"'),
    "scores that are none": (lambda report: report.update(scores=[]), "$.scores: not an object"),
    "counts that are none": (lambda report: report.update(counts=3), "$.counts: not an object"),
    "warnings that are none": (lambda report: report.update(warnings=[3]), "$.warnings[0]: not an object"),
    "intervals that are none": (lambda report: report.update(confidence=[]), "$.confidence: not an object"),
    "a level of 300": (
        lambda report: report["confidence"].update(level=300),
        "$.confidence.level is percent",
    ),
    "no samples": (lambda report: report["confidence"].update(trials=0), "$.confidence.trials is a whole"),
    "hashes that are none": (lambda report: report.update(inputs=3), "$.inputs: not an object"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_report_of_scores_is_refused(name: str, capsys: Capture) -> None:
    change, message = REFUSED[name]
    changed(change)
    capsys.readouterr()
    assert main(["verify", "r.json", "gold", "sys"]) == 2
    out, said = capsys.readouterr()
    assert (out, message in said) == ("", True), said


def test_classes_whose_pattern_no_report_says_are_told(capsys: Capture) -> None:
    report = stored("--by=genre,size", "--genre=^(.)")
    report["breakdown"]["of a newer version"] = []
    Path("r.json").write_text(json.dumps(report), encoding="utf-8")
    status, printed = verified(capsys)
    assert status == 0
    assert "note: scores by genre, of a newer version are not compared: the report does not say" in printed


# The forms, and Python


def test_json_has_all_that_differs(capsys: Capture) -> None:
    stored("-m", "muc")
    put("sys/d3.json", ["abcd"])
    status, printed = verified(capsys, "-f", "json")
    found = json.loads(printed)
    assert status == 1
    assert (found["holds"], found["compared"], found["hashed"]) == (False, 34, 6)
    assert found["documents"] == [{"side": "system", "id": "d3", "change": "changed"}]
    assert len(found["numbers"]) == 10, "the mean of precision stays (10/3 + 4 + 4) / 13"
    assert {
        name: value
        for name, value in next(
            one for one in found["numbers"] if (one["document"], one["place"]) == ("d3", "scores.muc.f1")
        ).items()
        if name != "difference"
    } == {"place": "scores.muc.f1", "document": "d3", "stored": 0.8, "now": 1.0}
    assert found["now"]["version"] == scorch2.__version__


def test_long_lists_are_cut_in_the_text_alone(capsys: Capture) -> None:
    for number in range(10, 30):
        put(f"gold/d{number}.json", ["ab"])
        put(f"sys/d{number}.json", ["ab"])
    stored("-m", "muc")
    for number in range(10, 30):
        put(f"sys/d{number}.json", ["ab", "c"])
    printed = verified(capsys)[1]
    assert printed.startswith("r.json differs: 20 documents, ")
    assert "… and 10 more (-f json has all)\n" in printed


def test_python_verifies_paths_and_reports() -> None:
    report = scorch2.score("gold", "sys")
    report.save("r.json")
    for one in (report, "r.json", Path("r.json")):
        found = scorch2.verify(one, "gold", "sys", jobs=1)
        assert found.holds
        assert str(found).endswith("6 documents by SHA-256")
    put("sys/d3.json", ["abcd"])
    found = scorch2.verify("r.json", "gold", "sys")
    assert found.documents == [ChangedDocument("system", "d3", "changed")]
    assert repr(found) == "Verification('r.json', holds=False)"
    assert "<pre>r.json differs: 1 document" in found._repr_html_()
    assert found.to_records()[0]["place"] == "scores.muc.recall"
    found.save("v.json")
    assert json.loads(Path("v.json").read_text("utf-8")) == found.to_dict()
    with pytest.raises(scorch2.UsageError, match="report is the path of a file"):
        scorch2.verify(3, "gold", "sys")  # type: ignore[arg-type]  # refused


def test_clusters_in_python_are_compared_by_their_numbers() -> None:
    report = scorch2.score("gold/d1.json", "sys/d1.json")
    found = scorch2.verify(report, [[*"abc"], [*"de"]], [[*"ab"], [*"cde"]])
    assert found.holds
    assert found.notes[0] == "clusters in Python have no hashes: only numbers are compared"
    assert not scorch2.verify(report, [[*"abc"], [*"de"]], [[*"abcde"]]).holds


# As the keeper of a shared task


def test_of_ten_submissions_the_one_that_was_replaced_is_found(capsys: Capture) -> None:
    """Reports are stored on one day, and verified a month later from another folder."""
    task = FIXTURES / "example"
    for number in range(10):
        shutil.copytree(task / "sys", f"team{number}")
        letter = Path(f"team{number}/letter-000.json")
        value = json.loads(letter.read_text("utf-8"))
        value["clusters"]["1"] = value["clusters"]["1"][: 1 + number % 3]
        letter.write_text(json.dumps(value), encoding="utf-8")
        words = ["-q", "--profile=conll", "-o", f"team{number}.json", str(task / "gold"), f"team{number}"]
        assert main(words) == 0
    shutil.copy(task / "sys" / "letter-000.json", "team7/letter-000.json")
    Path("later").mkdir()
    for number in range(10):
        shutil.move(f"team{number}", "later")
    capsys.readouterr()
    statuses = [
        main(["verify", "-q", f"team{number}.json", str(task / "gold"), f"later/team{number}"])
        for number in range(10)
    ]
    assert statuses == [int(number == 7) for number in range(10)]
    assert 'system "letter-000" is changed' in capsys.readouterr().out
