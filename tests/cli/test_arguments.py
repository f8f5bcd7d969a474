"""The words of every command: docopt-ng reads each usage text as it is meant, and its traps are closed."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from docopt import docopt
from every import every
from usages import OPTIONS, USAGES, Option, declared, needed

from scorch2.cli.commands import COMMANDS
from scorch2.cli.main import main
from scorch2.cli.usage import found_by_docopt, parse_words, split_words
from scorch2.model.errors import UsageError


def parsed(command: str, *words: str) -> dict[str, Any]:
    return parse_words(USAGES[command], list(words))


VALUED = [option for option in OPTIONS if option.takes_value]
FLAGS = [option for option in OPTIONS if not option.takes_value]


@every("command", USAGES)
def test_docopt_reads_the_options_that_the_help_lists(command: str) -> None:
    word = [] if command == "conll2json" else [command]
    whole = docopt(USAGES[command], [*word, *needed(command)], default_help=False)
    found = parsed(command, *needed(command))
    for options in (whole.keys() - {"--"}, found):
        assert {key for key in options if key.startswith("--")} == {
            option.long for option in declared(command)
        }
    assert all(key.startswith(("--", "<")) for key in found)


@every("command", COMMANDS)
def test_help_fits_a_hundred_columns(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 100


@every("command", USAGES)
@every("is_typed", [False, True])
def test_words_mean_without_docopt_what_docopt_finds(command: str, *, is_typed: bool) -> None:
    """A usage whose positions take one word each is matched without it; the result may not differ."""
    words = needed(command)
    for option in declared(command) if is_typed else ():
        if not any(word.startswith(f"{option.long}=") for word in words):
            typed = f"{option.long}=v" if option.takes_value else option.long
            words += [typed] * (2 if option.repeatable else 1)
    for given in (words, words[1:], words[:-1], [*words, "x"], [*words, "x", "y"]):
        options, positional = split_words(USAGES[command], given)
        found = outcome(partial(parsed, command, *given))
        expected = outcome(partial(found_by_docopt, USAGES[command], options, positional))
        assert found == (expected if isinstance(expected, str) else {**found, **expected})


def outcome(meaning: Callable[[], dict[str, Any]]) -> Any:
    try:
        return meaning()
    except UsageError as error:
        return str(error)


@every("option", OPTIONS)
def test_an_option_that_is_not_typed_has_no_value(option: Option) -> None:
    words = needed(option.command)
    if any(word.startswith(f"{option.long}=") for word in words):  # it is required
        assert parsed(option.command, *words)[option.long] == words[0].partition("=")[2]
    else:
        absent: object = ([] if option.repeatable else None) if option.takes_value else False
        assert parsed(option.command, *words)[option.long] == absent


@every("option", VALUED)
def test_a_value_by_every_spelling(option: Option) -> None:
    rest = needed(option.command, but=option.long)
    names = [[f"{option.long}=v w"], [option.long, "v w"]]
    if option.short:
        names += [[f"{option.short}v w"], [option.short, "v w"]]
    for words in names:
        for placed in ([*words, *rest], [*rest, *words]):
            found = parsed(option.command, *placed)[option.long]
            assert found == (["v w"] if option.repeatable else "v w")


@every("option", FLAGS)
def test_a_flag_by_every_spelling(option: Option) -> None:
    for word in filter(None, (option.long, option.short)):
        assert parsed(option.command, word, *needed(option.command))[option.long] is True
    with pytest.raises(UsageError, match=f"^{option.long} takes no value$"):
        parsed(option.command, f"{option.long}=yes", *needed(option.command))


@every("option", OPTIONS)
def test_an_option_is_repeated_only_where_its_help_says_so(option: Option) -> None:
    ends = ("=1", "=2") if option.takes_value else ("", "")
    words = [option.long + ends[0], *needed(option.command, but=option.long), option.long + ends[1]]
    if option.repeatable:
        assert parsed(option.command, *words)[option.long] == ["1", "2"]
    else:
        with pytest.raises(UsageError, match=f"^{option.long} is given twice$"):
            parsed(option.command, *words)


@every("option", OPTIONS)
def test_no_option_by_the_beginning_of_its_name(option: Option) -> None:
    others = {other.long for other in declared(option.command)}
    part = option.long[:-1]
    if part in others:  # --metric and --metrics
        part = f"{option.long}s"
    with pytest.raises(UsageError, match=f'^unknown option "{part}", did you mean '):
        parsed(option.command, part, "1", *needed(option.command, but=option.long))


@every("option", VALUED)
def test_a_value_that_is_lacking(option: Option) -> None:
    rest = needed(option.command, but=option.long)
    with pytest.raises(UsageError, match=f"^{option.long} needs a value$"):
        parsed(option.command, *rest, option.short or option.long)
    assert parsed(option.command, *rest, f"{option.long}=")[option.long] in ("", [""])


@every("command", USAGES)
@every("word", ["-5", "-5.0", "---", "--no-such=1"])
def test_a_word_that_starts_with_a_dash_is_an_option(command: str, word: str) -> None:
    with pytest.raises(UsageError, match=r'^unknown option "-'):
        parsed(command, *needed(command), word)


_PATHS = r"(?:\d+ paths: give the two folders, gold and system; )?"


@every("command", USAGES)
def test_too_few_or_too_many_paths(command: str) -> None:
    words, pattern = needed(command), USAGES[command].split("Usage:\n")[1].split("\n")[0].strip()
    refused = [] if "..." in pattern else [[*words, *["a"] * 5]]
    refused += [words[:-1]] if words else []
    for given in refused:
        with pytest.raises(UsageError, match=f"^{_PATHS}{re.escape(f'expected: {pattern} (see --help)')}$"):
            parsed(command, *given)


def test_after_two_dashes_every_word_is_a_path() -> None:
    found = parsed("score", "-q", "--", "-5", "--quiet", "-")
    assert (found["<gold>"], found["<sys>"], found["<out-file>"]) == ("-5", "--quiet", "-")
    found = parsed("score", "gold", "--", "sys")
    assert (found["<gold>"], found["<sys>"], found["<out-file>"]) == ("gold", "sys", None)


@pytest.mark.parametrize("command", ["score", "gate", "conll", "convert"])
def test_a_path_may_be_called_like_its_command(command: str) -> None:
    options = [word for word in needed(command) if word.startswith("-")]
    paths = [command] * (len(needed(command)) - len(options))
    found = parsed(command, *options, *paths)
    values = [value for key, value in found.items() if key.startswith("<") and value is not None]
    assert values == paths


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--task=1", "are", "g.xml", "s.xml"], "the command comes first: scorch2 are ..."),
        (["--to", "tsv", "convert", "a", "b"], "the command comes first: scorch2 convert ..."),
        (["-q", "gate"], "the command comes first: scorch2 gate ..."),
        (["g", "s", "-m", "conll", "--qiet"], 'unknown option "--qiet", did you mean --quiet? (see --help)'),
        (["g", "s", "-s"], 'unknown option "-s", did you mean --singletons=keep? (see --help)'),
        (["g", "s", "-x"], 'unknown option "-x", did you mean --match=exact? (see --help)'),
        (["g", "s", "-a", "head"], 'unknown option "-a", did you mean --match? (see --help)'),
        (
            ["-m", "muc", "bcub", "ceafe", "g", "s"],
            "commas separate metrics: -m <name>,bcub (as a path: ./bcub)",
        ),
        (
            ["-q", "agree", "g", "g"],
            "agree: neither a file, nor a folder, nor a command (did you mean agreement?)",
        ),
        (["-m", "muc", "lea", "g", "s"], "commas separate metrics: -m <name>,lea (as a path: ./lea)"),
    ],
)
def test_an_option_before_the_command(
    words: list[str],
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g").touch()
    assert main(words) == 2
    assert capsys.readouterr() == ("", f"scorch2: error: {message}\n")
