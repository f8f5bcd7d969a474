"""scorch2 help: pages of the guide, plain on a pipe, by the pager of the environment on a terminal."""

import json
import re
import shlex
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from every import every

from scorch2 import guide
from scorch2.cli.commands import COMMANDS, GROUPS, help, score  # noqa: A004 - the command
from scorch2.cli.main import main
from scorch2.cli.usage import declared_options

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True, scope="module")
def sections_are_read_once() -> Iterator[None]:
    sections = help._sections  # noqa: SLF001 - it is read for every question
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(help, "_sections", cache(lambda topic: [*sections(topic)]))
        patch.setattr(guide, "page", cache(guide.page))
        yield


def on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Make standard output a terminal, and return what goes to a pager from now on."""
    seen: list[str] = []
    monkeypatch.setattr("pydoc.pager", seen.append)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    return seen


@every("topic", guide.TOPICS)
def test_a_topic_prints_its_page(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", topic]) == 0
    page = (Path(guide.__file__).parent / f"{topic}.md").read_text("utf-8")
    assert capsys.readouterr() == (page, "")


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("quickstrt", ", did you mean quickstart?"),
        ("completon", ", did you mean completion?"),
        ("evaluatte", ", did you mean evaluate?"),
        ("zzz", ""),
        (" ", ""),
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


def test_a_page_goes_to_the_pager_of_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    paged = on_a_terminal(monkeypatch)
    (tmp_path / "with a blank").symlink_to(sys.executable)
    monkeypatch.setenv("PAGER", f"{shlex.quote(str(tmp_path / 'with a blank'))} -c pass")
    assert main(["help", "metrics"]) == 0
    assert paged == [guide.page("metrics")]
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("pager", [None, "", " ", "'less", "no-such-program-is-installed -R"])
def test_a_page_is_printed_where_no_pager_is_set_or_it_is_not_there(
    pager: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
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


# Searching the guide


def test_lines_of_the_guide_that_hold_a_word_are_shown_with_the_page_to_open(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["help", "LitBank"]) == 0
    shown = capsys.readouterr().out
    pages = re.findall(r"^scorch2 help ([\w-]+): (.*)$", shown, re.MULTILINE)
    assert pages[:2] == [(name, guide.TOPICS[name]) for name in ("tools", "paper")]
    for line in shown.splitlines():
        if line.startswith("  ") and not line.startswith("  … and"):
            assert "litbank" in line.casefold()


@pytest.mark.parametrize(
    ("words", "page"),
    [
        (["metric"], "metrics"),
        (["overlap", "mentions"], "error-analysis"),
        (["--sys-offsets"], "matching"),
        (["DOCTYPE"], "limits"),
        (["annotation tools"], "tools"),
        (["baseline", "deletes"], "ci"),
        (["uCDCR"], "cross-document"),
        (["codalab"], "shared-tasks"),
    ],
)
def test_several_words_are_searched_together(
    words: list[str], page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", *words]) == 0
    assert f"\nscorch2 help {page}: " in f"\n{capsys.readouterr().out}"


MESSAGES = json.loads((ROOT / "fixtures" / "help" / "messages.json").read_text("utf-8"))
ENTRIES = re.findall(r"^## (.*)$", guide.page("faq"), re.MULTILINE)


def first_section(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Return the page and the heading, or line, that help shows first."""
    assert main(["help", *words]) == 0
    page, head, *_ = capsys.readouterr().out.removeprefix("Nearest pages, not this message:\n").splitlines()
    return page.removeprefix("scorch2 help ").partition(":")[0], head.strip().removeprefix("## ")


@pytest.fixture
def guide_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember the sections with some words: they do not depend on how these were typed."""
    monkeypatch.setattr(help, "_ranked", cache(help._ranked))  # noqa: SLF001 - see above


@pytest.mark.usefixtures("guide_is_read_once")
@every("row", MESSAGES)
def test_a_message_of_another_scorer_finds_its_entry(
    row: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ([row["message"]], row["message"].split()):  # quoted, or as the shell splits it
        assert main(["help", *words]) == 0
        shown = capsys.readouterr().out.splitlines()
        told = "write the message, or three words of it in a row, into the heading or the entry"
        assert shown[:2] == [f"scorch2 help faq: {guide.TOPICS['faq']}", f"## {row['entry']}"], told


@every(
    "message",
    [
        "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB",
        "IndexError: list index out of range",
        "OSError: [Errno 28] No space left on device",
        "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        "ValueError: not enough values to unpack (expected 2, got 1)",
        "mention detection of zeros is not ready",
    ],
)
def test_a_message_without_an_entry_is_not_taken_for_another(
    message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["help", message]) == 0
    assert capsys.readouterr().out.startswith("Nearest pages, not this message:\nscorch2 help ")


def test_every_entry_of_the_faq_has_a_message() -> None:
    assert {row["entry"] for row in MESSAGES} == {*ENTRIES}


@every("block", re.findall(r"^```sh\n(.*?)^```$", guide.page("faq"), re.DOTALL | re.MULTILINE))
def test_the_commands_of_the_faq_want_nothing_but_files(
    block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in block.splitlines():
        assert main(shlex.split(line, comments=True)[1:]) == 2
        said = capsys.readouterr().err
        assert re.search("(?i)no such file|neither a file", said), line


def test_an_entry_is_shown_whole(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "ModuleNotFoundError: No module named 'sklearn.utils.linear_assignment_'"]) == 0
    entry = guide.page("faq").partition("\n## No module named")[2].partition("\n## ")[0]
    wanted = [line for line in entry.splitlines()[1:] if not line.startswith("```")]
    assert "\n".join(wanted) in capsys.readouterr().out


@every(
    ("question", "page"),
    {
        "how do I get confidence intervals for my systems": "statistics",
        "read files of brat with discontinuous mentions": "tools",
        "can I score entity linking with NIL": "linking",
        "numbers differ from scorer.pl": "reference-scorer",
        "why is coval different": "paper",
        "what does twinless mean": "metrics",
        "what does CRAC 2023 use": "shared-tasks",
        "OntoNotes F1 78.0 of Joshi": "paper",
    }.items(),
)
def test_a_question_finds_the_section_with_its_rarest_words(
    question: str, page: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert first_section([question], capsys)[0] == page
    assert main(["help", *question.split()]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert f"scorch2 help {page}: {guide.TOPICS[page]}" in shown[:2]
    assert max(map(len, shown)) <= 110


def test_words_that_are_nowhere_or_everywhere_find_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["zzz", "yyy", "xxx", "www"], ["of the and"]):
        assert main(["help", *words]) == 2
        assert f'unknown command or topic "{" ".join(words)}"' in capsys.readouterr().err


def test_what_commands_print_is_not_searched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help", "80.99 "]) == 2
    assert 'unknown command or topic "80.99 "' in capsys.readouterr().err


def test_lines_around_a_word_fit(capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("the", "scorer", "--average", "conll"):
        assert main(["help", "the", word]) == 0
        assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


# Help of score


def test_the_help_of_score_is_read_in_a_minute(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--help"], ["score", "-h"], ["help", "score"]):
        assert main(words) == 0
        lines = capsys.readouterr().out.splitlines()
        many = f"the first screen has {len(lines)} lines: name fewer options, so that it stays at 45"
        assert len(lines) <= 45, many
        groups = [group for title, group in GROUPS.items() if "neleval" not in title]
        assert all(name in "\n".join(lines) for group in groups for name in group)
    known = declared_options(score.USAGE)
    assert all(option in known for option in re.findall(r"^  .*?(--[\w-]+)", help.FIRST_SCREEN, re.MULTILINE))
    for words in (["--help=all"], ["score", "--help=all"], ["help", "options"]):
        assert main(words) == 0
        lines = capsys.readouterr().out.splitlines()
        many = f"the help of score has {len(lines)} lines: shorten a list, so that it stays at 125"
        assert len(lines) <= 125, many
        assert all(name in "\n".join(lines) for name in (*COMMANDS, *guide.TOPICS))


def test_help_alone_says_what_each_command_and_page_is_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["help"]) == 0
    shown = capsys.readouterr().out
    told = [row.what for row in COMMANDS.values()]
    assert all(what in shown for what in (*told, *guide.TOPICS.values()))


def test_sections_of_the_help_name_the_page_with_the_rest() -> None:
    for page in ("formats", "metrics", "ci", "workers"):
        assert f"scorch2 help {page}" in " ".join(score.USAGE.split())
