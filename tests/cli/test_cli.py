"""The command line: what words mean, which stream says what, and how a run ends."""

import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from command_runs import EMPTY, GOLD, OLDER, PAIR, POSIX, SYSTEM
from every import every

import scorch2
from scorch2.cli.commands import COMMANDS, GROUPS
from scorch2.cli.dispatch import Command
from scorch2.cli.main import conll2json, main
from scorch2.cli.usage import WIDTH
from scorch2.formats.table import FORMATS
from scorch2.guide import TOPICS
from scorch2.model.forms import forms_of
from scorch2.model.score import AVERAGES
from scorch2.model.values import PROFILES
from scorch2.scoring import flow

REPORTS = forms_of("scores")

FIXTURES = Path(__file__).parent.parent.parent / "fixtures" / "cli"
USAGE_ERRORS: list[dict[str, Any]] = json.loads((FIXTURES / "usage_errors.json").read_text("utf-8"))
TABLES = {
    "AVERAGES": AVERAGES,
    "COMMANDS": COMMANDS,
    "FORMATS": FORMATS,
    "METRICS": scorch2.METRICS,
    "PROFILES": PROFILES,
    "REPORTS": REPORTS,
    "TOPICS": TOPICS,
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Start in a folder with a gold and a system file."""
    monkeypatch.chdir(tmp_path)
    Path("g.json").write_text(GOLD, encoding="utf-8")
    Path("s.json").write_text(SYSTEM, encoding="utf-8")
    return tmp_path


def labels(out: str) -> list[str]:
    return [line.partition(":")[0] for line in out.splitlines()]


# Errors: one line on standard error, nothing on standard output, exit 2


@every("case", USAGE_ERRORS)
def test_usage_error(case: dict[str, Any], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(case["argv"]) == 2
    assert capsys.readouterr() == ("", f"scorch2: error: {filled(case['message'])}\n")
    assert sorted(os.listdir(folder)) == PAIR


def filled(message: str) -> str:
    """Put the rows of a table, or the first line of a usage text, where a message names them."""
    for table, rows in TABLES.items():
        message = message.replace(table, ", ".join(rows))
    command = re.search(r"USAGE OF (\w+)", message)
    if not command:
        return message
    usage = Command(command[1]).usage.split("Usage:\n")[1]
    return message.replace(command[0], usage.splitlines()[0].strip())


def test_without_a_word_the_short_help_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    lines = err.splitlines()
    assert len(lines) <= 45, "one screen"
    assert max(map(len, lines)) <= 100
    assert "  scorch2 [score] [options] [--] <gold> <sys> [<out-file>]" in lines
    assert "scorch2 --help" in err
    usage = Command("score").usage
    options = re.findall(r"^  (-\S+(?: \S+)?)  +", err, re.MULTILINE)
    assert len(options) == 12
    assert all(re.search(f"^  {re.escape(option)} ", usage, re.MULTILINE) for option in options)


@pytest.mark.parametrize("words", [["", "s.json"], ["g.json", ""], ["-q", "", "s.json"]])
def test_an_empty_path_is_shown_as_one(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert '""' in capsys.readouterr().err


def test_unusable_inputs_are_listed_up_to_five_and_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side in ("gold", "sys"):
        (folder / side).mkdir(exist_ok=True)
        for number in range(8):
            (folder / side / f"d{number}.json").write_text("{" if side == "sys" else GOLD, encoding="utf-8")
    assert main(["gold", "sys"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[2].strip() for line in lines[:5]] == [
        os.path.join("sys", f"d{number}.json") for number in range(5)
    ]
    assert lines[5:] == ["scorch2: error: … and 3 more unusable inputs"]


def test_a_long_path_keeps_its_file_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deep = folder / "/".join(["a-folder-with-a-long-name"] * 5)
    deep.mkdir(parents=True)
    (deep / "document-17.json").write_text("{", encoding="utf-8")
    assert main(["g.json", str(deep / "document-17.json")]) == 2
    assert "document-17.json: line 1" in capsys.readouterr().err


@POSIX
def test_echoed_paths_are_escaped_in_warnings_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "s\x1b[31m.json").write_text(EMPTY, encoding="utf-8")
    assert main(["g.json", "s\x1b[31m.json"]) == 0
    assert r"s\x1b[31m.json: no mention in it" in capsys.readouterr().err


def test_a_bug_is_one_line_and_exit_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise LookupError("the\nstars")

    monkeypatch.setattr(flow, "plan_pairs", fail)
    assert main([*PAIR, "out"]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(r"scorch2: internal error: LookupError: the\nstars (please report it")
    assert err.count("\n") == 1
    assert not Path("out").exists(), "a refused run must leave no file"


def test_debug_shows_where_an_error_came_from(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--debug", "g.json", "none.json"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("Traceback")
    assert err.endswith("\nscorch2: error: none.json: no such file or folder\n")


# What words mean


@pytest.mark.parametrize("words", [PAIR, ["score", *PAIR], ["--", *PAIR], ["score", "--", *PAIR]])
def test_score_may_be_left_out(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert capsys.readouterr().out.endswith("| documents=1 | mentions=4/4\n")


@pytest.mark.parametrize(
    "words",
    [
        ["-m", "muc", "-q", *PAIR],
        ["-mmuc", *PAIR, "-q"],
        ["g.json", "--metric", "muc", "s.json"],
        ["score", "--metric=muc", *PAIR, "-"],
    ],
)
def test_options_stand_anywhere_before_the_dashes(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 0
    assert labels(capsys.readouterr().out)[0] == "MUC"


@pytest.mark.parametrize("before", [[], ["-q"], ["score"], ["g.json"], ["-q", "g.json"]])
def test_after_two_dashes_everything_is_a_path(
    before: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "-g.json").write_text(GOLD, encoding="utf-8")
    (folder / "--help").write_text(SYSTEM, encoding="utf-8")
    after = ["--help"] if "g.json" in before else ["-g.json", "--help"]
    assert main([*before, "--", *after]) == 0
    assert "MUC:\tR=0.5" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["./score", "./help"], ["--", "score", "help"], ["-q", "score", "help"]])
def test_paths_may_be_called_like_commands(
    words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "score").write_text(GOLD, encoding="utf-8")
    (folder / "help").write_text(SYSTEM, encoding="utf-8")
    assert main(words) == 0
    assert "mentions=4/4" in capsys.readouterr().out


def test_one_side_may_be_standard_input(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (["-", "s.json", "out"], ["g.json", "-", "out"]):
        with (folder / words[1 - words.index("-")]).open(encoding="utf-8") as stream:
            monkeypatch.setattr("sys.stdin", stream)
            assert main(words) == 0


@every("word", ["--help", "-h"])
@every("command", COMMANDS)
def test_every_command_has_help(command: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, word]) == 0
    out, err = capsys.readouterr()
    assert ("Usage:\n" in out, err) == (True, "")
    assert main(["help", command]) == 0
    assert capsys.readouterr().out == out
    assert main([command, "--no-such", word, "more"]) == 0
    assert capsys.readouterr().out == out


@pytest.mark.parametrize("words", [["--help"], ["-h"], ["help", "score"], ["-q", "--help", "x"]])
def test_help_without_a_command_lists_them(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "scorch2 [score] [options] [--] <gold> <sys> [<out-file>]" in out
    shown = out.partition("Commands (scorch2 help <command>):\n")[2].partition("\n\n")[0].splitlines()
    for line, (title, group) in zip(shown, GROUPS.items(), strict=True):
        start, *names = re.split(r": |, | and ", line.strip())
        left_out = sum(int(name.removesuffix(" more")) for name in names if name.endswith(" more"))
        known = [name for name in names if not name.endswith(" more")]
        assert (start, known) == (title, [*group][: len(known)])
        assert len(line) <= WIDTH
        assert len(known) + left_out == len(group)
        assert not left_out or "neleval" in title
    assert main(["--help=all"]) == 0
    names = re.split(r"[,\s]+", capsys.readouterr().out.rpartition("Commands (scorch2 help <command>):")[2])
    assert {*COMMANDS} <= {*names}


@pytest.mark.parametrize("words", [["--version"], ["score", "--version"], ["conll2json", "x", "--version"]])
def test_version(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    assert capsys.readouterr() == (f"scorch2 {scorch2.__version__}\n", "")


def test_the_scripts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["conll2json", "--help"])
    assert conll2json() == 0
    assert "conll2json [options] [--] <conll-file> [<out-dir>]" in capsys.readouterr().out
    monkeypatch.setattr("sys.argv", ["scorch2", "--version"])
    assert main() == 0


# Metrics and profiles


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["bcub"], ["B³"]),
        (["LEA", "Muc"], ["MUC", "LEA"]),
        (["b3", "B_CUBED", "b³"], ["B³"]),
        (["entity_ceaf", "mention_ceaf"], ["CEAF_m", "CEAF_e"]),
        (["ceafe", "ceafm", "average"], ["CEAF_m", "CEAF_e", "CoNLL-2012 average score"]),
        (["md", "pairwise"], ["Pairwise", "Mentions"]),
    ],
)
def test_metrics_by_any_name_in_table_order(
    names: list[str], expected: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*(f"--metric={name}" for name in names), "--no-signature", *PAIR]) == 0
    assert labels(capsys.readouterr().out) == expected


@pytest.mark.parametrize(
    ("typed", "signature"),
    [
        (
            ["--profile=conll"],
            "average=pooled | missing=empty | extra=skip | duplicates=first | blanc=reference",
        ),
        (
            ["--profile=conll", "--average=macro", "--extra=error"],
            "average=macro | missing=empty | duplicates=first",
        ),
        (
            ["--profile=conll", "--blanc=gold", "--duplicates=merge"],
            "extra=skip | duplicates=merge | undefined=zero | documents=1",
        ),
        (
            ["--profile=conll", "--missing=error", "--average=mentions"],
            f"{scorch2.__version__} | average=mentions | extra=skip",
        ),
    ],
)
def test_a_typed_option_wins_over_its_profile_in_any_order(
    typed: Sequence[str], signature: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (typed, typed[::-1]):
        assert main([*words, *PAIR]) == 0
        assert signature in capsys.readouterr().out


@pytest.mark.parametrize("form", ["text", "json", "table"])
def test_micro_is_another_name_of_pooled(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for average in ("pooled", "micro"):
        assert main([f"--average={average}", "-f", form, *PAIR]) == 0
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "pooled" in printed[0]
    assert "micro" not in printed[0]
    assert main(["--average=pooled", "-f", "json", *PAIR, "base.json"]) == 0
    words = ["--baseline=base.json", "--max-drop=muc=0.5%"]
    assert main(["--average=micro", *words, *PAIR]) == 0
    assert scorch2.score("g.json", "s.json", average="micro").options.average == "pooled"


def test_scorch_s_profile_prints_six_lines_unless_told_otherwise(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--profile=scorch", *PAIR]) == 0
    assert labels(capsys.readouterr().out) == [
        "MUC", "B³", "CEAF_m", "CEAF_e", "BLANC", "CoNLL-2012 average score",
    ]  # fmt: skip
    assert main(["--metric=lea", "--profile=scorch", *PAIR]) == 0
    assert labels(capsys.readouterr().out) == ["LEA"]


@every("name", REPORTS)
def test_every_report_format_by_either_spelling(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for words in (["-f", name], [f"--format={name}"], [f"-f{name}"]):
        assert main([*words, *PAIR]) == 0
        printed.append(capsys.readouterr().out)
    assert len(set(printed)) == 1
    says = {"ua": "CoNLL score: ", "scores": "conll_f1: ", "flat": '"conll_f1": '}
    assert says.get(name, "scorch2") in printed[0], "say in `says` what a form without signature has"


@every("name", ("scores", "flat"))
def test_files_whose_names_become_one_are_refused(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for side in ("gold", "sys"):
        (folder / side).mkdir(exist_ok=True)
        for file in ("a b.json", "a_b.json"):
            shutil.copy(folder / f"{side[0]}.json", folder / side / file)
    out = folder / "out.txt"
    assert main(["-f", name, "--average=files", "gold", "sys", str(out)]) == 2
    why = '"a b" and "a_b" are both called a_b in this form: rename one of them\n'
    assert capsys.readouterr().err == f"scorch2: error: {why}"
    assert not out.exists()


def test_a_format_can_be_named(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "g.conll").write_text("#begin document (d);\nw\t(1)\n#end document\n", encoding="utf-8")
    assert main(["--gold-format=conll", "--sys-format=clusters", "g.conll", "s.json"]) == 0
    assert main(["--gold-format=graph", *PAIR]) == 2
    assert "g.json: $.type:" in capsys.readouterr().err


# What is said besides


@pytest.mark.parametrize(
    ("text", "more"),
    [
        (EMPTY, ""),
        (
            EMPTY.replace("{}", '{"a": [], "b": []}'),
            "scorch2: warning: g: system: e.json: 2 clusters without a mention left out: a, b\n",
        ),
    ],
)
def test_warnings_go_to_standard_error_unless_quiet(
    text: str, more: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "e.json").write_text(text, encoding="utf-8")
    assert main(["g.json", "e.json"]) == 0
    loud = capsys.readouterr()
    assert loud.err == f"{more}scorch2: warning: g: system: e.json: no mention in it\n"
    for word in ("-q", "--quiet"):
        assert main([word, "g.json", "e.json"]) == 0
        assert capsys.readouterr() == (loud.out, "")


def test_warnings_of_a_kind_are_counted_after_five(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for side, text in (("gold", GOLD), ("sys", EMPTY)):
        (folder / side).mkdir(exist_ok=True)
        for number in range(8):
            (folder / side / f"d{number}.json").write_text(text, encoding="utf-8")
    assert main(["gold", "sys"]) == 0
    lines = capsys.readouterr().err.splitlines()
    assert sum("no mention in it" in line for line in lines) == 5
    assert "scorch2: warning: … and 3 more of this kind (empty)" in lines


@pytest.mark.parametrize("word", ["-v", "--verbose"])
def test_verbose_says_what_was_read(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([word, *PAIR, "out"]) == 0
    out, err = capsys.readouterr()
    assert out == ""
    assert "read 1 document: gold clusters, system clusters" in err
    assert "documents=1 | mentions=4/4" in err


# Where the report goes


@pytest.mark.parametrize("target", [[], ["-"], ["out"], ["./out"]])
def test_the_report_goes_to_a_file_or_standard_output(
    target: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*PAIR, *target]) == 0
    out = capsys.readouterr().out
    assert (out == "") == ("out" in os.listdir(folder))
    assert "MUC:\tR=0.5" in (out or (folder / "out").read_text("utf-8"))
    assert sorted(os.listdir(folder)) == sorted([*PAIR, *(["out"] if not out else [])])


@POSIX
def test_an_older_report_is_replaced_with_its_rights(folder: Path) -> None:
    (folder / "out").write_text(OLDER, encoding="utf-8")
    (folder / "out").chmod(0o600)
    assert main([*PAIR, "out"]) == 0
    assert (folder / "out").read_text("utf-8").startswith("MUC:")
    assert (folder / "out").stat().st_mode & 0o777 == 0o600


@POSIX
def test_a_link_to_a_report_stays_a_link(folder: Path) -> None:
    (folder / "out").symlink_to("real")
    assert main([*PAIR, "out"]) == 0
    assert (folder / "out").is_symlink()
    assert (folder / "real").read_text("utf-8").startswith("MUC:")


@POSIX
@pytest.mark.parametrize("kind", ["symbolic", "hard"])
def test_a_link_to_an_input_is_refused(kind: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    link = folder / "out"
    if kind == "hard":
        link.hardlink_to(folder / "g.json")
    else:
        link.symlink_to("g.json")
    assert main([*PAIR, "out"]) == 2
    assert "is an input and would be overwritten" in capsys.readouterr().err
    assert (folder / "g.json").read_text("utf-8") == GOLD


@POSIX
@pytest.mark.parametrize("target", ["gold/out", "sys/d.json", "gold/more/out", "alias/out"])
def test_an_output_in_an_input_folder_is_refused(target: str, folder: Path) -> None:
    (folder / "alias").symlink_to("sys", target_is_directory=True)
    (folder / "gold" / "more").mkdir(parents=True)
    (folder / "sys").mkdir()
    (folder / "g.json").rename(folder / "gold" / "d.json")
    (folder / "s.json").rename(folder / "sys" / "d.json")
    before = sorted(folder.rglob("*"))
    assert main(["gold", "sys", target]) == 2
    assert sorted(folder.rglob("*")) == before
    assert (folder / "sys" / "d.json").read_text("utf-8") == SYSTEM


@POSIX
def test_an_input_behind_a_link_in_a_folder_is_not_overwritten(folder: Path) -> None:
    for side, name in (("gold", "g.json"), ("sys", "s.json")):
        (folder / side).mkdir(exist_ok=True)
        (folder / side / "d.json").symlink_to(folder / name)
    assert main(["gold", "sys", "s.json"]) == 2
    assert (folder / "s.json").read_text("utf-8") == SYSTEM


def test_after_an_error_the_older_report_is_there(folder: Path) -> None:
    (folder / "out").write_text(OLDER, encoding="utf-8")
    (folder / "s.json").write_text("{", encoding="utf-8")
    assert main([*PAIR, "out"]) == 2
    assert (folder / "out").read_text("utf-8") == OLDER
    assert sorted(os.listdir(folder)) == sorted([*PAIR, "out"])


@pytest.mark.parametrize("call", ["write", "replace", "fchmod" if hasattr(os, "fchmod") else "chmod"])
def test_after_a_failed_write_the_older_report_is_there(
    call: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    (folder / "out").write_text(OLDER, encoding="utf-8")
    monkeypatch.setattr(os, call, fail)
    assert main([*PAIR, "out"]) == 2
    monkeypatch.undo()
    assert capsys.readouterr().err == "scorch2: error: out: No space left on device\n"
    assert (folder / "out").read_text("utf-8") == OLDER
    assert sorted(os.listdir(folder)) == sorted([*PAIR, "out"])
