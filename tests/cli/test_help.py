"""scorch2 help: pages of the guide, plain on a pipe, by the pager of the environment on a terminal."""

import sys
from pathlib import Path

import pytest

from scorch2 import guide
from scorch2.cli.commands import COMMANDS, score
from scorch2.cli.main import main
from scorch2.model.options import OPTIONS


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make standard output a terminal, and return what goes to a pager from now on."""
    seen: list[str] = []
    monkeypatch.setattr("pydoc.pager", seen.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    return seen


@pytest.mark.parametrize("topic", guide.TOPICS)
def test_a_topic_prints_its_page(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", topic]) == 0
    page = (Path(guide.__file__).parent / f"{topic}.md").read_text("utf-8")
    assert capsys.readouterr() == (page, "")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("metric", ", did you mean metrics?"),
        ("quickstrt", ", did you mean quickstart?"),
        ("complete", ", did you mean completion?"),
        ("evaluat", ", did you mean evaluate?"),
        ("zzz", ""),
    ],
)
def test_an_unknown_word_is_refused_with_the_nearest_and_all_that_are_known(
    word: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", word]) == 2
    out, said = capsys.readouterr()
    assert out == ""
    every = ", ".join([*COMMANDS, *guide.TOPICS, "completion"])
    assert said == f'scorch2: error: unknown command or topic "{word}"{hint} (known: {every})\n'


@pytest.mark.parametrize("words", [["gate", "score"], ["metrics", "-q"], ["completion", "bash", "zsh"]])
def test_more_words_than_help_takes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", *words]) == 2
    expected = "scorch2 help [<command> | <topic> | completion <shell>]"
    assert capsys.readouterr() == ("", f"scorch2: error: expected: {expected} (see scorch2 help help)\n")


def test_a_page_goes_to_the_pager_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paged = on_a_terminal(monkeypatch)
    monkeypatch.setenv("PAGER", f"{sys.executable} -c pass")
    assert main(["help", "metrics"]) == 0
    assert paged == [guide.page("metrics")]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("pager", [None, "", " ", "no-such-program-is-installed -R"])
def test_a_page_is_printed_where_no_pager_is_set_or_it_is_not_there(
    pager: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paged = on_a_terminal(monkeypatch)
    if pager is None:
        monkeypatch.delenv("PAGER", raising=False)
    else:
        monkeypatch.setenv("PAGER", pager)
    assert main(["help", "metrics"]) == 0
    assert paged == []
    assert capsys.readouterr().out == guide.page("metrics")


def test_a_page_on_a_pipe_is_plain_whatever_pager_is_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PAGER", f"{sys.executable} -c pass")
    assert main(["help", "limits"]) == 0
    assert capsys.readouterr().out == guide.page("limits")


def test_the_usage_of_a_command_is_never_paged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    paged = on_a_terminal(monkeypatch)
    monkeypatch.setenv("PAGER", f"{sys.executable} -c pass")
    assert main(["help", "gate"]) == 0
    assert paged == []
    assert capsys.readouterr().out.startswith("Judge a stored JSON report")


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.row.each])
def test_values_that_need_a_line_have_one_in_the_help(name: str) -> None:
    option = OPTIONS[name]
    assert tuple(option.row.each) == option.values
    width = max(map(len, option.values))
    also = {value: f" (or {alias})" for alias, value in option.row.aliases.items()}
    shown = [
        f"{' ' * 30}{value.ljust(width)}  {what}{also.get(value, '')}"
        for value, what in option.row.each.items()
    ]
    assert "\n".join(["", *shown, ""]) in score.USAGE
