"""Command lines of neleval's users: those of its README, documentation and scripts, and all its options."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from every import every

from scorch2.cli.dispatch import Command
from scorch2.cli.main import main
from scorch2.cli.usage import RENAMED, parse_neleval
from scorch2.model.errors import UsageError

FIXTURES = Path(__file__).parent.parent.parent / "fixtures"
HABITS: dict[str, Any] = json.loads((FIXTURES / "neleval" / "commands.json").read_text("utf-8"))
OPTIONS = [(command, option) for command, options in HABITS["options"].items() for option in options]


@pytest.mark.usefixtures("light_fonts")
@pytest.mark.parametrize("case", HABITS["commands"], ids=lambda case: " ".join(case["words"])[:70])
def test_a_command_line_of_neleval(
    case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    for name, source in HABITS["copies"].items():
        shutil.copy(FIXTURES / source, name)
    for name, text in HABITS["files"].items():
        Path(name).write_text(text, encoding="utf-8")
    status = main(case["words"])
    out, err = capsys.readouterr()
    assert (status, case["says"] in (err if status else out)) == (case["status"], True), (out, err)
    assert not status or (out, err.count("\n")) == ("", 1)


@every(("command", "option"), OPTIONS)
def test_no_option_of_neleval_is_unknown(command: str, option: str) -> None:
    """Each is understood, or refused with what there is instead."""
    usage = Command(command).usage
    pattern = usage[usage.index("Usage:") :].split("\n")[1]
    files = ["file"] * len(re.findall(r"(?<!\[)<[^>]+>", pattern.partition("[--]")[2]))
    gold = ["--gold", "G"] if "--gold" in pattern and not option.startswith("--gold") else []
    said = ""
    try:
        parse_neleval(usage, [*gold, *option.split(), "--", *files])
    except UsageError as error:
        said = str(error)
    assert not said or said.startswith(option.split(maxsplit=1)[0]), (
        "understood, or refused with what there is instead"
    )


@pytest.mark.parametrize(
    ("command", "option", "instead"),
    [
        ("rank-systems", "--sort-by=score", "rank-systems ranks by score, and --measure and --metric choose"),
        ("rank-systems", "--fmt=json", "the output has one form"),
        ("rank-systems", "--at-most=3", "--limit"),
        ("rank-systems", "--metrics=fscore", "rank-systems has --metric"),
        ("rank-systems", "--type-weights=w", "evaluate, confidence and significance"),
        ("evaluate", "--n_jobs=2", "confidence and significance have --jobs"),
        ("confidence", "--group-by=type", "of evaluate"),
    ],
)
def test_an_option_of_another_command_leads_to_what_does_it(command: str, option: str, instead: str) -> None:
    usage = Command(command).usage
    with pytest.raises(UsageError, match=f"^{option.partition('=')[0]}: .*{instead}"):
        parse_neleval(usage, ["--gold=G", option, "file"])


@pytest.mark.parametrize("command", ["evaluate", "confidence", "significance"])
@pytest.mark.parametrize("option", ["-f no_tab", "--fmt=no_tab"])
def test_a_form_without_a_header_is_refused_with_what_cuts_it_off(command: str, option: str) -> None:
    usage = Command(command).usage
    with pytest.raises(UsageError, match=r"^--format=no_tab: .* tail -n \+2 cuts it off"):
        parse_neleval(usage, [*option.split(), "--gold=G", "file", *["file"] * (command == "significance")])


def test_words_after_a_double_dash_are_files() -> None:
    usage = Command("rank-systems").usage
    assert parse_neleval(usage, ["--", "--fmt", "--verbose"])["<report>"] == ["--fmt", "--verbose"]


def test_every_translation_leads_to_an_option_that_is_there() -> None:
    usages = [Command(command).usage for command in HABITS["options"]]
    assert [new for new in RENAMED.values() if not any(new in usage for usage in usages)] == []
