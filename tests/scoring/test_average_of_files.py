"""The average over files: counts are added in each pair of files, then the plain mean over files is taken."""

import json
from pathlib import Path

import pytest

import scorch2
from scorch2.cli.main import main
from scorch2.scoring.averages import averaged

SIDES = {"gold": {"a": ["abcd", "ef"], "b": ["ab"]}, "system": {"a": ["ab cd", "efghi"], "b": ["ab"]}}
"""Two files, one of two documents; a word is a cluster, a letter a mention. MUC, recall and precision:

a  (2 + 1) / (3 + 1), (2 + 1) / (2 + 4): 3/4, 1/2, F 3/5
b  1, 1, 1
mean of the files 7/8, 3/4, 4/5; of the documents (2/3 + 1 + 1) / 3 and so on
"""
EXPECTED = [7 / 8, 3 / 4, 4 / 5]


@pytest.fixture
def sides(tmp_path: Path) -> list[str]:
    found = []
    for side, files in SIDES.items():
        folder = tmp_path / side
        folder.mkdir()
        for file, documents in files.items():
            lines = [json.dumps(document(number, text)) for number, text in enumerate(documents)]
            (folder / f"{file}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
        found.append(str(folder))
    return found


def document(number: int, text: str) -> dict[str, object]:
    places = {letter: place for place, letter in enumerate("abcdefghi")}
    clusters = [[[places[letter], places[letter]] for letter in word] for word in text.split()]
    return {"doc_key": f"d{number}", "sentences": [list("abcdefghi")], "clusters": clusters}


def test_the_mean_is_over_files(sides: list[str]) -> None:
    report = scorch2.score(*sides, average="files")
    assert list(report.muc) == pytest.approx(EXPECTED)
    assert "average=files | files=2 | documents=3" in report.signature()
    assert [(one.id, one.gold_mentions, one.system_mentions) for one in report.files()] == [
        ("a", 6, 9),
        ("b", 2, 2),
    ]
    assert scorch2.score(*sides, average="macro").muc.recall == pytest.approx((2 / 3 + 1 + 1) / 3)


def test_a_single_pair_of_files_is_pooled(sides: list[str]) -> None:
    files = [f"{side}/a.jsonl" for side in sides]
    report = scorch2.score(*files, average="files")
    assert list(report.muc) == pytest.approx([3 / 4, 1 / 2, 3 / 5])
    assert report.scores == scorch2.score(*files, average="pooled").scores


def test_a_folder_against_a_file_has_the_files_of_the_folder(sides: list[str], tmp_path: Path) -> None:
    for place, folder in enumerate(sides):
        for path in Path(folder).iterdir():
            path.write_text(path.read_text("utf-8").replace('"d0"', f'"{path.stem}"'), "utf-8")
        text = "".join(path.read_text("utf-8") for path in sorted(Path(folder).iterdir()))
        (tmp_path / f"{place}.jsonl").write_text(text, "utf-8")
    for gold, system in ((sides[0], tmp_path / "1.jsonl"), (tmp_path / "0.jsonl", sides[1])):
        report = scorch2.score(gold, system, average="files")
        assert list(report.muc) == pytest.approx(EXPECTED)
        assert [one.id for one in report.files()] == ["a", "b"]


def test_corrected_documents_and_windows_stay_in_their_files(sides: list[str]) -> None:
    """Without its divided entity, file a has R (3 + 1) / 4, P (3 + 1) / 7, F 8/11: the mean is 19/22."""
    found = scorch2.errors(*sides, average="files", metrics="muc", windows=[9])
    assert found.corrected.alone["divided"]["muc"].f1 == pytest.approx(19 / 22)
    assert list(found.windows[0].scores["muc"]) == pytest.approx(EXPECTED), "9 words are a whole document"


def test_workers_know_the_files(sides: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    words = ["-q", "--average=files", "-f", "json", *sides]
    printed = [(main([*words, "-j", jobs]), capsys.readouterr().out) for jobs in ("1", "2")]
    assert printed[0] == printed[1], "another process loses which file a document is of"


@pytest.mark.parametrize(
    ("form", "lines"),
    [
        ("text", ["a\tMUC:\tR=0.75\tP=0.5\tF₁=0.6", "b\tMUC:\tR=1.0\t", "MUC:\tR=0.875\tP=0.75\t"]),
        ("table", ["file  metric  recall", "a     MUC      75.00", "all   MUC      87.50"]),
        ("tsv", ["file\tmetric\t", "a\tmuc\t0.75\t0.5\t0.6\t3\t4\t3\t6\n", "*\tmuc\t0.875\t0.75\t"]),
        ("markdown", ["| file | metric |", "| a | MUC | 75.00 | 50.00 | 60.00 | 3 / 4 | 3 / 6 |"]),
        ("openmetrics", ['score{file="a",metric="muc",part="recall"} 0.75\n']),
        ("json", ['"file": "a"', '{"id": "a", "gold_mentions": 6, "system_mentions": 9, "scores"']),
    ],
)
def test_each_form_has_rows_of_files(
    form: str, lines: list[str], sides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-q", "--average=files", "--per-file", "-m", "muc", "-f", form, *sides]) == 0
    out = capsys.readouterr().out
    lacking = [line for line in lines if line not in out]
    assert lacking == [], f"--per-file -f {form} lacks what was worked out for the files by hand"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--per-file"], "--per-file needs --average=files"),
        (["--per-file", "--average=macro"], "--per-file needs --average=files"),
        (["--per-file", "--per-document", "--average=files"], "exclude each other"),
        (["--documents=corpus", "--average=files"], "documents=corpus joins documents of several files"),
    ],
)
def test_rows_that_cannot_be(
    words: list[str], why: str, sides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words, *sides]) == 2
    assert why in capsys.readouterr().err


def test_a_stored_report_is_a_baseline_for_the_same_files(
    sides: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "report.json")
    assert main(["-q", "--average=files", "-f", "json", "-o", path, *sides]) == 0
    gate = ["--baseline", path, "--max-drop=muc=0", "--average=files"]
    assert main(["-q", *gate, *sides]) == 0
    stored = json.loads(Path(path).read_text("utf-8"))
    stored["documents"][0]["file"] = "b"
    Path(path).write_text(json.dumps(stored), "utf-8")
    assert main(["-q", *gate, *sides]) == 2
    assert "$.scores" in capsys.readouterr().err, "its scores are those of other files"


def test_intervals_are_those_of_the_average(sides: list[str]) -> None:
    """Each trial is the average of the documents it has drawn; a file of which it has none has no weight."""
    np = pytest.importorskip("numpy")
    from scorch2.analysis.bootstrap import Trials, sample

    report = scorch2.score(*sides, average="files", metrics=["muc", "lea", "conll"])
    numbers = sample(report)
    for drawn in ([0, 1, 2], [0, 0, 1], [2, 2, 2], [1, 2, 2]):
        documents = [report.documents[place] for place in drawn]
        expected = averaged(report.rows, report.metrics, documents, report.options).scores
        times = np.bincount(drawn, minlength=3).astype(float)
        found = numbers.scores(Trials(times[None, :], numbers.matrix))
        for name, parts in found.items():
            for part, values in parts.items():
                wrong = f"{name}.{part} of a resample of documents {drawn} is not the average of them"
                assert values[0] == pytest.approx(getattr(expected[name], part)), wrong


def test_a_part_that_is_undefined_is_said_of_files(
    sides: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    alone = json.dumps(document(0, "a b"))
    for side in sides:
        Path(side, "c.jsonl").write_text(alone + "\n" + alone.replace("d0", "d1"), "utf-8")
    assert main(["-q", "--average=files", "-m", "muc", "-f", "table", *sides]) == 0
    assert "Undefined (0/0), left out: MUC in 1 file." in capsys.readouterr().out
