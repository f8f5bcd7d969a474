"""Shell completion: the scripts know what the tables know, and the shells understand them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from every import every
from usages import OPTIONS, USAGES, needed

from scorch2 import guide
from scorch2.cli.commands import COMMANDS
from scorch2.cli.completion import INSTALLED, completed_options
from scorch2.cli.main import main
from scorch2.cli.usage import DeclaredOption

SHELLS = tuple(INSTALLED)
CONTEXT = {
    "are": ["--task=1"],
    "convert": ["--to=tsv"],
    "resolve": ["--rule=same-head"],
    "evaluate": ["--gold=g"],
    "analyze": ["--gold=g"],
    "confidence": ["--gold=g"],
    "significance": ["--gold=g", "b"],
    "compare-measures": ["--gold=g", "--format=plot"],
}
"""What else a command must be given before it looks at an option."""
ANY_VALUE = ("--group-by", "--dask")
"""Options of which the tables know the usual values: members of JSON types, addresses of schedulers."""
AFTER_READING = {
    ("gate", "--report"),
    *((command, "--measure") for command in ("rank-systems", "compare-measures", "plot-systems")),
    ("plot-systems", "--sort"),
}
"""Options whose values depend on reports that are read first."""
LISTED_ELSEWHERE = ("--metric", "--measure", "--gold-format", "--sys-format", "--from", "--pattern")
"""Options with too many values for every help: list-measures, score and the pages of the guide have them."""
CHOICES = [
    (command, option)
    for command in USAGES
    for option in completed_options(command)
    if option.values and option.long not in ANY_VALUE and (command, option.long) not in AFTER_READING
]
NO_CHOICES = [
    (command, option)
    for command in USAGES
    for option in completed_options(command)
    if option.takes_value and not option.values
]
BASH = shutil.which("bash")
HARNESS = """
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_scorch2
printf '%s\\n' "${COMPREPLY[@]}"
"""
pytestmark = pytest.mark.usefixtures("folder")


def script(shell: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["help", "completion", shell]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


@pytest.mark.parametrize("shell", SHELLS)
def test_a_script_knows_every_command_option_and_topic(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = set(re.findall(r"[\w-]+", script(shell, capsys)))
    assert {*COMMANDS, *guide.TOPICS, *SHELLS} <= found
    for option in OPTIONS:
        assert (option.long.removeprefix("--") if shell == "fish" else option.long) in found


@every("command", USAGES)
def test_completed_are_the_options_of_the_help(command: str) -> None:
    shown = [
        (option.long, option.short, option.takes_value) for option in OPTIONS if option.command == command
    ]
    if command == "compose-measures":
        shown.insert(0, ("--ratio", "-r", True))
    completed = completed_options(command)
    assert [(option.long, option.short, option.takes_value) for option in completed] == shown


@every(("command", "option"), CHOICES)
def test_the_values_of_a_choice_are_those_that_the_command_takes(
    command: str, option: DeclaredOption, capsys: pytest.CaptureFixture[str]
) -> None:
    paths = [word for word in needed(command) if not word.startswith("-")]
    words = [command, *paths, *CONTEXT.get(command, ())]
    words = [word for word in words if not word.startswith(f"{option.long}=")]
    for value in option.values:
        main([*words, f"{option.long}={value}"])
        assert f'"{value}"' not in capsys.readouterr().err, "it is completed, and refused"
    assert main([*words, f"{option.long}=nonsense"]) == 2
    err = capsys.readouterr().err
    assert '"nonsense"' in err, "any value is taken: it is no choice"
    known = re.sub(r" and \d+ more$", "", err.partition("(known: ")[2].rstrip(")\n")).split(", ")
    assert {*known} - {""} <= {*option.values}, "some values are not completed"


@every(("command", "option"), CHOICES)
def test_the_help_names_the_values_of_a_choice(command: str, option: DeclaredOption) -> None:
    if option.long not in LISTED_ELSEWHERE:
        assert {value for value in option.values if value not in USAGES[command]} == set()


@every(("command", "option"), NO_CHOICES)
def test_an_option_that_takes_only_some_values_is_completed(
    command: str, option: DeclaredOption, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [word for word in needed(command) if not word.startswith(f"{option.long}=")]
    more = [word for word in CONTEXT.get(command, ()) if not word.startswith(f"{option.long}=")]
    main([command, *words, *more, f"{option.long}=nonsense"])
    known = capsys.readouterr().err.partition('"nonsense"')[2].partition("(known: ")[2]
    assert not known, f"add {option.long} with these values to CHOICES of the command"


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_can_read_its_script(shell: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = script(shell, capsys)
    assert text.count("'") % 2 == 0 or "\\'" in text
    program = shutil.which(shell)
    if program is not None:
        (folder / "script").write_text(text, encoding="utf-8")
        done = subprocess.run([program, "-n", "script"], check=False, capture_output=True)
        assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("scorch2 ga", "gate"),
        ("scorch2 compare-", "compare-measures"),
        ("scorch2 --av", "--average"),
        ("scorch2 --average m", "mentions macro micro"),
        ("scorch2 --average = ma", "macro"),
        ("scorch2 --average=ma", "--average=macro"),
        ("scorch2 score g s --twinless s", "singletons"),
        ("scorch2 -m muc,l", "muc,lea"),
        ("scorch2 -f js", "json jsonl"),
        ("scorch2 confidence -f js", "json"),
        ("scorch2 evaluate -m luo,hach", "luo,hachey"),
        ("scorch2 evaluate --groups u", "union"),
        ("scorch2 rank-systems --metric f", "fscore"),
        ("scorch2 gate --max-drop-", "--max-drop-rel"),
        ("scorch2 gate --average", ""),
        ("scorch2 --baseline ba", ""),
        ("scorch2 help neleval", "neleval"),
        ("scorch2 help completion z", "zsh"),
        ("scorch2 gold", "gold gold.json"),
        ("conll2json --q", "--quiet"),
        ("conll2json ga", ""),
    ],
)
def test_bash_completes(typed: str, completed: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "gold").mkdir()
    (folder / "gold.json").touch()
    (folder / "script").write_text(script("bash", capsys) + HARNESS, encoding="utf-8")
    done = subprocess.run([BASH or "", "script", *typed.split()], check=True, capture_output=True, text=True)
    assert sorted(done.stdout.split()) == sorted(completed.split())
    assert done.stderr == ""


def test_without_a_shell_it_says_how_to_install(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "completion"]) == 0
    out = capsys.readouterr().out
    assert all(f"scorch2 help completion {shell} " in out for shell in SHELLS)


def test_a_shell_that_there_is_no_script_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "completion", "zhs"]) == 2
    message = 'unknown shell "zhs", did you mean zsh? (known: bash, zsh, fish)'
    assert capsys.readouterr() == ("", f"scorch2: error: {message}\n")
