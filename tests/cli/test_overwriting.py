"""Rules of overwriting: reports by reports, documents by documents of their format, inputs never."""

import gzip
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from every import every
from examples import EXAMPLES, SAME

from scorch2.cli.commands import COMMANDS
from scorch2.cli.dispatch import Command
from scorch2.cli.main import main
from scorch2.formats.recognition import recognised
from scorch2.formats.table import FORMATS
from scorch2.model.forms import forms_of
from scorch2.tasks.linking.figures import IMAGE_FORMS as IMAGES

REPORTS = forms_of("scores")

EXAMPLE = Path(__file__).parent.parent.parent / "fixtures" / "example"
GOLD, SYSTEM, OTHER = (str(EXAMPLE / name) for name in ("gold", "sys", "other"))
LINKED = ["-g", str(EXAMPLE / "gold.tsv"), str(EXAMPLE / "sys.tsv")]
COLUMNS = [str(EXAMPLE / "gold.conll"), str(EXAMPLE / "sys.conll")]
ARE = [str(EXAMPLE / "are" / "gold"), str(EXAMPLE / "are" / "sys")]
IDS = [str(EXAMPLE.parent / "are" / "good" / f"ids.{side}.xml") for side in ("gold", "sys")]
RUNS = [str(EXAMPLE / "runs" / f"{name}.tab") for name in ("A1", "A2", "B1")]
STORED = str(EXAMPLE / "baseline.json")
GATED = ["--fail-under=muc=0.1", "--fail-under-doc=lea=0.9", "--exit-zero"]
FEW = ["--trials=20", "--seed=1"]
FORMS: dict[str, list[str]] = {
    **{f"score {name}": [GOLD, SYSTEM, "-f", name] for name in REPORTS},
    **{
        f"score {name}, everything": [
            *(GOLD, SYSTEM, "-f", name, "--per-document", "--confidence=95", *FEW),
            *(*GATED, f"--baseline={STORED}", "--max-drop=muc=90%"),
        ]
        for name, form in REPORTS.items()
        if "--per-document" not in form.ignores
    },
    **{f"are {name}": ["are", "--task=3", "--per-item", "-f", name, *ARE] for name in REPORTS},
    "are of rates ua": ["are", "--task=1", "-f", "ua", *IDS],
    "score six lines": [GOLD, SYSTEM, "--profile=scorch"],
    **{f"evaluate {name}": ["evaluate", "-f", name, *LINKED] for name in forms_of("linking")},
    **{
        f"evaluate {name} by document": ["evaluate", "--by-doc", "-f", name, *LINKED]
        for name in forms_of("linking")
    },
    **{f"analyze {name}": ["analyze", "-c", "-f", name, *LINKED] for name in forms_of("findings")},
    **{f"analyze {name} counted": ["analyze", "-s", "-f", name, *LINKED] for name in forms_of("counts")},
    **{
        f"confidence {name}": ["confidence", "-f", name, *FEW, "-g", GOLD, SYSTEM]
        for name in forms_of("confidence")
    },
    **{
        f"significance {name}": ["significance", "-f", name, *FEW, "-g", GOLD, SYSTEM, OTHER]
        for name in forms_of("significance")
    },
    **{f"compare {name}": ["compare", "-f", name, *FEW, GOLD, SYSTEM, OTHER] for name in forms_of("systems")},
    **{
        f"agreement {name}": ["agreement", "-f", name, "--per-document", GOLD, SYSTEM, OTHER]
        for name in forms_of("annotators")
    },
    "agreement of a pair html": ["agreement", "-f", "html", GOLD, SYSTEM],
    **{f"list-measures {name}": ["list-measures", "-f", name] for name in forms_of("measures")},
    **{
        f"validate-spans {name}": ["validate-spans", "--nested=warn", "-f", name, LINKED[1]]
        for name in forms_of("problems")
    },
    **{f"leaderboard {name}": ["leaderboard", "-f", name, STORED] for name in forms_of("board")},
    "rank-systems": ["rank-systems", *RUNS],
    "rank-systems in groups": ["rank-systems", "--group-re=[AB]", *RUNS],
    "compose-measures": ["compose-measures", "-r", "muc", "strong_link_match", RUNS[0]],
    "conll": ["conll", "all", *COLUMNS],
    "conll totals": ["conll", "muc", *COLUMNS, "none"],
    "gate": ["gate", *GATED, STORED],
}
"""Every form of report, by the command that writes it."""
FIGURES = {
    f"plot-systems {name}": ["plot-systems", "-m", "muc", "--single-plot", *RUNS, "-o", f"figure.{name}"]
    for name in IMAGES
}
"""Every form of figure; its suffix says which."""
POSIX = pytest.mark.skipif(os.name == "nt", reason="links and rights of another kind")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Return every form of report and figure as a file holds it."""
    folder = tmp_path_factory.mktemp("written")
    found = {}
    for number, (name, words) in enumerate(FORMS.items()):
        path = folder / f"{number}"
        assert main([*words, "-o", str(path)]) == 0, name
        found[name] = path.read_bytes()
    for name, words in FIGURES.items():
        path = folder / words[-1]
        assert main([*words[:-1], str(path)]) == 0, name
        found[name] = path.read_bytes()
    return found


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder with two inputs."""
    monkeypatch.chdir(tmp_path)
    for name in ("g.json", "s.json"):
        Path(name).write_text(SAME["clusters"], encoding="utf-8")
    Path("g.tsv").write_text(SAME["tsv"], encoding="utf-8")
    return tmp_path


def put(path: str, text: str | bytes) -> str:
    Path(path).write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().err.removeprefix("scorch2: error: ").rstrip("\n")


def neighbours() -> Iterator[tuple[str, str]]:
    """Yield forms and what each replaces: itself, and one far away."""
    names = [*FORMS, *FIGURES]
    for place, name in enumerate(names):
        for step in (0, len(names) // 2):
            yield name, names[(place + step) % len(names)]


# Reports are replaced by reports


def test_no_form_that_is_written_reads_as_a_document(written: dict[str, bytes]) -> None:
    for name, data in written.items():
        for content in (data, gzip.compress(data), data[: len(data) // 2]):
            assert recognised(put("old", content)) is None, f"{name}: a second run would be refused"


@pytest.mark.usefixtures("light_fonts")
def test_every_form_may_be_replaced_by_any(written: dict[str, bytes]) -> None:
    """A refusal depends on the old file alone: see the test before, of every old file."""
    for new, old in neighbours():
        words = FORMS.get(new) or FIGURES[new]
        target = words[-1] if new in FIGURES else "target"
        put(target, written[old])
        assert main(words if new in FIGURES else [*words, "-o", target]) == 0, f"{new} over {old}"
        if not target.endswith("pdf"):  # it holds the time
            assert Path(target).read_bytes() == written[new]


@pytest.mark.parametrize(
    "words", [["--report=json:out"], ["out"], ["-oout"], ["--output=out"], ["-o", "out"]]
)
def test_a_report_is_named_in_many_ways(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["g.json", "s.json", *words]) == 0
    assert Path("out").read_text("utf-8")
    assert ("MUC" in capsys.readouterr().out) == ("--report=json:out" in words)


@pytest.mark.parametrize(
    "words",
    [
        ["g.json", "s.json", "out", "-o", "out"],
        ["are", "--task=4", "g.json", "s.json", "out", "-oelse"],
        ["evaluate", "-gg.tsv", "g.tsv", "-", "-oelse"],
        ["analyze", "-gg.tsv", "g.tsv", "out", "--output=else"],
        ["confidence", "-gg.json", "s.json", "out", "--output=else"],
    ],
)
def test_a_report_named_twice_is_refused(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert said(capsys) == "<out-file> and --output both name the report: leave one out"
    assert sorted(os.listdir(folder)) == ["g.json", "g.tsv", "s.json"]


@pytest.mark.parametrize(
    "words",
    [
        [GOLD, SYSTEM],
        ["evaluate", *LINKED],
        ["analyze", *LINKED],
        ["confidence", *FEW, "-g", GOLD, SYSTEM],
        ["significance", *FEW, "-g", GOLD, SYSTEM, OTHER],
        ["list-measures"],
        ["validate-spans", LINKED[1]],
    ],
    ids=lambda words: words[0] if words[0] != GOLD else "score",
)
def test_the_suffix_of_an_output_gives_its_form(words: list[str]) -> None:
    assert main([*words, "-o", "out.json"]) == 0
    assert main([*words, "-o", "out", "-f", "json"]) == 0
    found = Path("out.json").read_text("utf-8")
    assert found == Path("out").read_text("utf-8")
    assert json.loads(found) is not None


def test_the_verdicts_of_a_gate_go_where_they_are_sent(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["gate", "--fail-under=muc=0.1", STORED]
    assert main(words) == 0
    verdicts = capsys.readouterr().out
    assert main([*words, "-o", "verdicts", "--report=json"]) == 0
    assert json.loads(capsys.readouterr().out)["gates"]
    assert Path("verdicts").read_text("utf-8") == verdicts
    assert main([*words, "-o", "verdicts", "--report=json:verdicts"]) == 2
    assert said(capsys) == "two reports go to verdicts"


@pytest.mark.parametrize("command", ["evaluate", "gate"])
def test_a_baseline_is_an_input_of_every_report(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "-gg.tsv", "g.tsv", "--report=json:old", "-fnone", "-q"]) == 0
    before = Path("old").read_bytes()
    inputs = ["evaluate", "-gg.tsv", "g.tsv"] if command == "evaluate" else ["gate", put("new", before)]
    gates = ["--baseline=old", "--max-drop=strong_link_match=50%"]
    assert main([*inputs, *gates, "-o", "old", "--force"]) == 2
    assert said(capsys) == "old: is an input and would be overwritten"
    assert Path("old").read_bytes() == before


# Documents are not replaced by reports

SYSTEMS = {
    "score": ["g.json", "s.json", "B"],
    "score -o": ["g.json", "s.json", "-o", "B"],
    "score --report": ["g.json", "s.json", "--report=table:B"],
    "score --update-baseline": ["g.json", "s.json", "--baseline=B", "--update-baseline"],
    "are": ["are", "--task=2", "g.json", "s.json", "B"],
    "evaluate": ["evaluate", "-g", "g.tsv", "g.tsv", "B"],
    "evaluate --report": ["evaluate", "-g", "g.tsv", "g.tsv", "--report=json:B"],
    "analyze": ["analyze", "-g", "g.tsv", "g.tsv", "B"],
    "confidence": ["confidence", "-g", "g.json", "s.json", "B"],
    "significance": ["significance", "-g", "g.json", "s.json", "g.json", "-o", "B"],
    "gate": ["gate", "--fail-under=muc=0", STORED, "-o", "B"],
    "gate --report": ["gate", "--fail-under=muc=0", STORED, "--report=json:B"],
    "rank-systems": ["rank-systems", *RUNS, "-o", "B"],
    "compose-measures": ["compose-measures", "-r", "muc", "strong_link_match", RUNS[0], "-o", "B"],
    "validate-spans": ["validate-spans", "g.tsv", "-o", "B"],
    "list-measures": ["list-measures", "-o", "B"],
    "conll": ["conll", "muc", *COLUMNS, "-o", "B"],
}
"""Commands whose output goes to a file B: a second system that was not meant as one."""


@every("form", EXAMPLES)
@every("command", SYSTEMS)
def test_a_second_system_by_mistake_loses_nothing(
    command: str, form: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    put("B", EXAMPLES[form])
    before = sorted(os.listdir(folder))
    assert main(SYSTEMS[command]) == 2
    assert said(capsys) == f"B: looks like {form}, not like a report (--force replaces it)"
    assert Path("B").read_text("utf-8") == EXAMPLES[form]
    assert sorted(os.listdir(folder)) == before


@every("command", [name for name in SYSTEMS if "baseline" not in name])
def test_force_replaces_it(command: str) -> None:
    put("B", SAME["conll"])
    assert main([*SYSTEMS[command], "--force"]) == 0
    assert "#begin document" not in Path("B").read_text("utf-8")


def test_a_pattern_of_the_shell_that_finds_two_gold_files_loses_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("gold1.conll", "gold2.conll", "system.conll"):
        put(name, SAME["conll"])
    assert main(["gold1.conll", "gold2.conll", "system.conll"]) == 2
    assert said(capsys) == "system.conll: looks like conll, not like a report (--force replaces it)"


@pytest.mark.parametrize("image", ["x.svg", "{}.svg"])
def test_a_figure_replaces_no_document(image: str, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("x.svg", "muc.svg"):
        put(name, SAME["are"])
    words = ["plot-systems", "-m", "muc", *RUNS, "-o", image]
    assert main(words) == 2
    name = image.replace("{}", "muc")
    assert said(capsys) == f"{name}: looks like are, not like a report (--force replaces it)"
    assert Path(name).read_text("utf-8") == SAME["are"]
    assert main([*words, "--force"]) == 0
    assert "<svg" in Path(name).read_text("utf-8")


@POSIX
def test_a_document_behind_a_link_or_packed_is_one(capsys: pytest.CaptureFixture[str]) -> None:
    put("real", gzip.compress(SAME["jsonlines"].encode()))
    Path("B").symlink_to("real")
    assert main(["g.json", "s.json", "B"]) == 2
    assert said(capsys) == "B: looks like jsonlines, not like a report (--force replaces it)"
    assert gzip.decompress(Path("real").read_bytes()).decode() == SAME["jsonlines"]


def test_an_empty_file_is_replaced() -> None:
    assert main(["g.json", "s.json", put("out", b"")]) == 0
    assert Path("out").read_text("utf-8").startswith("MUC:")


def test_force_does_not_overwrite_an_input(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["g.json", "s.json", "s.json"], ["convert", "--to=clusters", "s.json", "s.json"]):
        assert main([*words, "--force"]) == 2
        assert said(capsys) == "s.json: is an input and would be overwritten"


# What belongs to an input is an input

MARKS = "T1\tX 0 4\tAnna\nT2\tX 10 13\ther\nR1\tCoref Arg1:T2 Arg2:T1\n"
TEXT = "Anna left\nher town\n"
OF_MARKS = {
    "score": ["d.ann", "s.ann", "B"],
    "score --report": ["d.ann", "s.ann", "--report=text:B"],
    "score --update-baseline": ["d.ann", "s.ann", "--baseline=B", "--update-baseline"],
    "errors": ["errors", "d.ann", "s.ann", "-o", "B"],
    "errors --plot": ["errors", "d.ann", "s.ann", "--plot=errors:d.svg"],
    "compare": ["compare", "d.ann", "s.ann", "-o", "B"],
    "evaluate": ["evaluate", "-g", "d.ann", "s.ann", "B"],
    "evaluate --report": ["evaluate", "-g", "d.ann", "s.ann", "--report=json:B"],
    "analyze": ["analyze", "-g", "d.ann", "s.ann", "-o", "B"],
    "confidence": ["confidence", *FEW, "-g", "d.ann", "s.ann", "-o", "B"],
    "significance": ["significance", *FEW, "-g", "d.ann", "s.ann", "e.ann", "-o", "B"],
    "agreement": ["agreement", "d.ann", "s.ann", "-o", "B"],
    "validate-spans": ["validate-spans", "d.ann", "-o", "B"],
    "verify": ["verify", "report.json", "d.ann", "s.ann", "-o", "B"],
    "explain": ["explain", "80", "d.ann", "s.ann", "-o", "B"],
    "convert": ["convert", "--to=clusters", "d.ann", "B"],
}
"""Commands that read brat's files and write a file B."""


@POSIX
@pytest.mark.parametrize("command", OF_MARKS)
@pytest.mark.parametrize("is_there", [True, False])
def test_no_output_takes_the_place_of_the_text_of_an_input(
    command: str, is_there: bool, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("d.ann", "s.ann", "e.ann"):
        put(name, MARKS)
    Path("d.svg").symlink_to("d.txt")  # the suffix of a figure says its form
    words = [word.replace("B", "d.txt") for word in OF_MARKS[command]]
    if is_there:
        put("d.txt", TEXT)
    before = {path.name: path.is_file() and path.read_bytes() for path in folder.iterdir()}
    for forced in ([], ["--force"]):
        assert main([*words, *forced]) == 2
        assert "belongs to the input d.ann (name another file)" in said(capsys)
    assert {path.name: path.is_file() and path.read_bytes() for path in folder.iterdir()} == before


def test_every_command_that_writes_files_and_reads_marks_was_tried() -> None:
    writing = {name for name in COMMANDS if "--output=<" in Command(name).usage} | {"convert"}
    reading_others = {
        *(
            "are",
            "conll",
            "gate",
            "leaderboard",
            "list-measures",
            "rank-systems",
            "compose-measures",
            "cite",
            "task",
        )
    }
    drawing_alone = {"plot-systems", "compare-measures"}
    assert {name.split()[0] for name in OF_MARKS} == writing - reading_others - drawing_alone


def test_marks_are_known_by_their_content_where_the_suffix_does_not_tell(
    capsys: pytest.CaptureFixture[str],
) -> None:
    put("d.marks", MARKS)
    put("d.txt", TEXT)
    assert main(["d.marks", "d.marks", "d.txt", "--force"]) == 2
    assert "belongs to the input d.marks" in said(capsys)


@pytest.mark.parametrize(
    ("name", "beside"),
    [("d.entities", "d.tokens"), ("d.entities", "d.book"), ("d_coref_level.xml", "d_words.xml")],
)
def test_files_that_an_annotation_tool_writes_together_belong_together(
    name: str, beside: str, capsys: pytest.CaptureFixture[str]
) -> None:
    put(name, SAME["booknlp"] if name == "d.entities" else EXAMPLES["mmax"])
    put(beside, "kept")
    assert main([name, name, beside, "--force"]) == 2
    assert f"{beside}: belongs to the input {name}" in said(capsys)
    assert Path(beside).read_text("utf-8") == "kept"


def test_a_report_beside_a_file_that_has_no_text_is_a_report() -> None:
    for _ in range(2):
        assert main(["g.json", "s.json", "s.txt"]) == 0
    assert Path("s.txt").read_text("utf-8").startswith("MUC:")


def test_marks_are_packed_beside_the_text_that_they_share() -> None:
    put("d.ann.gz", gzip.compress(MARKS.encode()))
    put("d.txt", TEXT)
    assert main(["convert", "--to=brat", "d.ann.gz", "d.ann"]) == 0
    assert (Path("d.ann").read_text("utf-8"), Path("d.txt").read_text("utf-8")) == (MARKS, TEXT)


# Read-only files, and files that cannot be looked at


@POSIX
@pytest.mark.parametrize(
    ("words", "old"),
    [
        (["g.json", "s.json", "out"], "MUC:\tR=1.0\tP=1.0\tF₁=1.0\n"),
        (["g.json", "s.json", "--report=json:out"], ""),
        (["convert", "--to=graph", "g.json", "out"], SAME["graph"].replace('"k"', '"older"')),
    ],
)
@pytest.mark.parametrize("mode", [0o444, 0o400, 0o555])
def test_a_read_only_file_is_replaced_by_force_only(
    words: list[str], old: str, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(put("out", old)).chmod(mode)
    assert main(words) == 2
    assert said(capsys) == "out: is read-only (--force replaces it)"
    assert Path("out").read_text("utf-8") == old
    assert main([*words, "--force"]) == 0
    assert Path("out").read_text("utf-8") != old
    assert stat.S_IMODE(Path("out").stat().st_mode) == mode


@POSIX
def test_a_file_that_cannot_be_looked_at_is_replaced_by_force_only(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put("out", "secret")
    real = os.open

    def refuse(path: str, flags: int, mode: int = 0o777) -> int:
        if path == "out" or path.endswith("/out"):
            raise PermissionError(13, "Permission denied")
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", refuse)
    assert main(["g.json", "s.json", "out"]) == 2
    why = "cannot be looked at before it is replaced: Permission denied (--force replaces it)"
    assert said(capsys) == f"out: {why}"
    assert main(["g.json", "s.json", "out", "--force"]) == 0


@POSIX
def test_a_link_into_a_folder_that_is_not_there_names_the_folder(capsys: pytest.CaptureFixture[str]) -> None:
    Path("out").symlink_to("none/report")
    assert main(["g.json", "s.json", "out"]) == 2
    message = said(capsys)
    assert message.startswith("out: no such folder: ")
    assert message.endswith("none")


# Converters


@every("form", SAME)
@every("old", [*EXAMPLES, "report", ""])
def test_a_converter_replaces_only_what_it_writes(
    form: str, old: str, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()  # what the case before left
    text = EXAMPLES[old] if old in FORMATS else {"report": "MUC:\tR=1.0\n", "": ""}[old]
    source = put("in", SAME["jsonlines"])
    words = ["convert", f"--to={form}", source, put("out", text)]
    if old in (form, ""):
        assert main(words) == 0
        return
    assert main(words) == 2
    seen = "does not look" if old == "report" else f"looks like {old}, not"
    assert said(capsys) == f"out: {seen} like {form} (--force replaces it)"
    assert Path("out").read_text("utf-8") == text
    assert main([*words, "--force"]) == 0
    assert Path("out").read_text("utf-8") == SAME[form]


@pytest.mark.parametrize("command", [["conll2json"], ["convert", "--to=clusters"]])
def test_a_file_beside_the_input_is_replaced_if_it_is_clusters(
    command: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "data").mkdir()
    words = [*command, put("data/all.conll", SAME["conll"] + SAME["conll"].replace("(k)", "(l)")), "data"]
    assert main(words) == 0
    assert main(words) == 0
    put("data/l.json", '{"my": "settings"}')
    before = {path: path.read_bytes() for path in (folder / "data").iterdir()}
    assert main(words) == 2
    name = os.path.join("data", "l.json")
    assert said(capsys) == f"{name}: does not look like clusters (--force replaces it)"
    assert {path: path.read_bytes() for path in (folder / "data").iterdir()} == before
    assert main([*words, "--force"]) == 0
    assert recognised(name) == "clusters"


def test_a_folder_is_converted_over_files_of_the_format_only(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("in", "out"):
        (folder / name).mkdir()
        put(f"{name}/a.json", SAME["clusters"])
    words = ["convert", "--to=graph", "in", "out"]
    assert main(words) == 2
    assert said(capsys).endswith("a.json: looks like clusters, not like graph (--force replaces it)")
    assert main([*words, "--force"]) == 0
    assert main(words) == 0
